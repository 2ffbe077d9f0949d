//! How a number becomes one of a data type.

use std::rc::Rc;

use dml_spec::{
    meaning::{
        Node,
        typed::{Cast, Nan, Overflow, Rounding},
    },
    model::DataType,
};

use super::{Eval, Machine, fault};
use crate::{
    column::{Ints, Reals, Value, Whole},
    format::Format,
    real::{Arithmetic, MAY_BE_INFINITE, MAY_BE_NAN, MAY_BE_NEGATIVE_INFINITE, PENDING, Real},
    space::Space,
};

impl Machine<'_> {
    pub(crate) fn cast(&self, node: &Node, cast: &Cast, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let ty = self.data_type(&cast.data_type, space, a)?;
        let wraps = a.wraps || cast.overflow == Overflow::Wrap;
        let a = &Arithmetic { wraps, ..*a };
        let value = self.eval(&cast.value, space, a)?;
        self.cast_value(node, cast, &value, &ty, space, a)
    }

    /// A value as one of the type.
    pub(crate) fn cast_value(
        &self,
        node: &Node,
        cast: &Cast,
        value: &Value,
        ty: &DataType,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        match self.format(ty) {
            Some(format) => self.cast_to_float(node, cast, value, &format, space.points, a),
            None => self.cast_to_whole(node, cast, value, ty, space, a),
        }
    }

    fn cast_to_float(
        &self,
        node: &Node,
        cast: &Cast,
        value: &Value,
        format: &Format,
        points: usize,
        a: &Arithmetic,
    ) -> Eval {
        // Whole numbers are rounded once, to the type itself.
        let own = Arithmetic {
            format: *format,
            granted: false,
            half: false,
            ..*a
        };
        let reals = match value {
            Value::Int(_) => self.as_reals(node, value, points, &own)?,
            _ => self.as_reals(node, value, points, a)?,
        };
        if let Reals::Exact { numbers, .. } = &reals
            && numbers.iter().all(|x| format.gives_exactly(*x))
        {
            return Ok(Value::Real(reals));
        }
        // Of a whole number, binary64 holds the nearest one of its own.
        let is_whole = matches!(value, Value::Int(_));
        let is_nearest = is_whole && *format == Format::double() && cast.rounding == Rounding::NearestEven;
        let of = |real: Real| match is_nearest && real.open == 0 && real.flags & PENDING != 0 {
            true => Real::exact(real.value),
            false => match cast_normal(&real, cast, format, a) {
                Some(cast) => cast,
                None => cast_real(real, cast, format, a),
            },
        };
        Ok(Value::Real(self.real1(&reals, points, of)))
    }

    fn cast_to_whole(
        &self,
        node: &Node,
        cast: &Cast,
        value: &Value,
        ty: &DataType,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let limits = ty.whole_numbers().unwrap_or((0, 0));
        let points = space.points;
        let nan = match &cast.nan {
            Nan::Value(value) => Some(self.ints(value, space, a)?),
            _ => None,
        };
        if let Value::Int(ints) = value {
            let plain = match ints {
                Ints::Many(values) => values
                    .iter()
                    .all(|v| limits.0 <= i128::from(*v) && i128::from(*v) <= limits.1),
                _ => false,
            };
            if plain {
                return Ok(value.clone());
            }
        }
        if let Value::Real(Reals::Exact { numbers, .. }) = value
            && let Some(values) = numbers.iter().map(|x| plain_whole(*x, cast.rounding, limits)).collect()
        {
            return Ok(Value::Int(Ints::narrow(values)));
        }
        let count = match value {
            Value::Int(Ints::One(_)) | Value::Real(Reals::One(_)) => 1,
            _ => points,
        };
        let mut wholes = Vec::with_capacity(count);
        for point in 0..count {
            let outcomes = match value {
                Value::Int(ints) => {
                    let whole = ints.get(point);
                    let limited = |n: i128| limit(n, cast, ty, limits);
                    match whole.open {
                        0 => self.arena.wholes(whole).into_iter().map(limited).collect(),
                        open => Some(vec![Whole {
                            open,
                            ..Whole::exact(0)
                        }]),
                    }
                }
                Value::Real(reals) => {
                    let special = nan.as_ref().map(|nan| nan.get(point));
                    let whole = |real: Real| whole_of(real, cast, ty, limits, special, a);
                    let all: Option<Vec<Vec<Whole>>> =
                        self.arena.outcomes(reals.get(point)).into_iter().map(whole).collect();
                    all.map(|all| all.concat())
                }
                _ => return fault(node, "a number is needed here"),
            };
            match outcomes.and_then(|all| self.arena.whole_of(all)) {
                Some(whole) => wholes.push(whole),
                None if self.arena.lenient => wholes.push(Whole::unknown()),
                None => return fault(node, format!("a number does not fit {}", ty.name)),
            }
        }
        Ok(Value::Int(Ints::collect(wholes)))
    }
}

/// The whole number that a number becomes, if it is surely one within the limits.
fn plain_whole(x: f64, rounding: Rounding, (least, most): (i128, i128)) -> Option<i64> {
    let whole = x as i64;
    // Beyond this all numbers are whole, and most are beyond 64 bits.
    if x.is_nan() || whole.unsigned_abs() >= 1 << 53 {
        return None;
    }
    let cut = whole as f64;
    let whole = match rounding {
        _ if cut == x => whole,
        Rounding::TowardZero => whole,
        Rounding::Down => whole - i64::from(cut > x),
        Rounding::Up => whole + i64::from(cut < x),
        Rounding::NearestEven => x.round_ties_even() as i64,
        Rounding::Either => return None,
    };
    (least..=most).contains(&i128::from(whole)).then_some(whole)
}

/// What [`cast_real`] gives for most numbers: those of the format's normal range that the type rounds to a neighbour.
#[inline(always)]
fn cast_normal(real: &Real, cast: &Cast, format: &Format, a: &Arithmetic) -> Option<Real> {
    let common = real.is_plain() && format.bits == a.format.bits && cast.rounding == Rounding::Either;
    let is_normal = |x: f64| x >= format.normal && x <= format.greatest;
    if !(common && (is_normal(real.lo) && is_normal(real.hi) || is_normal(-real.lo) && is_normal(-real.hi))) {
        return None;
    }
    Some(Real {
        value: format.nearest(real.value),
        lo: format.below(real.lo),
        hi: format.above(real.hi),
        flags: real.flags & !PENDING,
        ..*real
    })
}

/// A real rounded to a format. Of several roundings, the one that is meant.
fn cast_real(real: Real, cast: &Cast, format: &Format, a: &Arithmetic) -> Real {
    if real.open != 0 || real.value.is_nan() || !real.value.is_finite() {
        return real;
    }
    if real.is_exact() && format.holds(real.value) {
        return match format.gives_exactly(real.value) {
            true => real,
            false => Real::vanishing(real.value),
        };
    }
    // An operation in the type itself is rounded once.
    let real = if format.bits == a.format.bits {
        real
    } else {
        real.settled(&a.format)
    };
    let pending = real.flags & PENDING != 0;
    let real = Real {
        flags: real.flags & !PENDING,
        ..real
    };
    let rounded = |x: f64, rounding: Rounding| match rounding {
        Rounding::TowardZero if x < 0.0 => format.above(x),
        Rounding::Down | Rounding::TowardZero => format.below(x),
        Rounding::Up => format.above(x),
        Rounding::NearestEven | Rounding::Either => format.nearest(x),
    };
    let (down, up) = match cast.rounding {
        Rounding::Either => (Rounding::Down, Rounding::Up),
        one => (one, one),
    };
    // What lies a whole step beyond the range is an infinity, however it is rounded.
    let infinite = cast.overflow == Overflow::Infinity;
    let is_beyond = |x: f64| infinite && x.abs() >= format.greatest + format.step(format.greatest);
    let end = |x: f64, rounding| match x.abs() > format.greatest && is_beyond(x) {
        true => f64::INFINITY.copysign(x),
        false => rounded(x, rounding),
    };
    let (lo, hi) = (end(real.lo, down), end(real.hi, up));
    let value = end(real.value, cast.rounding);
    let beyond = lo.is_infinite() || hi.is_infinite();
    match cast.overflow {
        Overflow::Open(clause) if beyond => return Real::open(clause),
        Overflow::Saturate if beyond => {
            let most = format.greatest;
            return Real {
                value: value.clamp(-most, most),
                lo: lo.clamp(-most, most),
                hi: hi.clamp(-most, most),
                ..real
            };
        }
        _ => {}
    }
    let mut cast = Real { value, lo, hi, ..real };
    // What the type does not hold is made, whatever operation it comes from.
    if pending || !format.holds(real.value) {
        cast.flush(format);
    }
    cast
}

/// A whole number within a type; `None` if it does not fit and has to.
fn limit(n: i128, cast: &Cast, ty: &DataType, (least, most): (i128, i128)) -> Option<Whole> {
    if least <= n && n <= most {
        return Some(Whole::exact(n));
    }
    match cast.overflow {
        Overflow::Saturate => Some(Whole::exact(n.clamp(least, most))),
        Overflow::Wrap => {
            let low = n & ((1_i128 << ty.bits.clamp(1, 64)) - 1);
            Some(Whole::exact(if low > most {
                low - (1 << ty.bits.clamp(1, 64))
            } else {
                low
            }))
        }
        Overflow::Open(clause) => Some(Whole {
            open: clause + 1,
            ..Whole::exact(0)
        }),
        Overflow::Fits | Overflow::Infinity => None,
    }
}

/// The whole numbers that a real may become.
fn whole_of(
    real: Real,
    cast: &Cast,
    ty: &DataType,
    limits: (i128, i128),
    nan: Option<Whole>,
    a: &Arithmetic,
) -> Option<Vec<Whole>> {
    let open = |clause: u16| {
        Some(vec![Whole {
            open: clause,
            ..Whole::exact(0)
        }])
    };
    if real.open != 0 {
        return open(real.open);
    }
    let nan_as_whole = || match &cast.nan {
        Nan::Value(_) => nan.map(|whole| vec![whole]),
        Nan::Open(clause) => open(clause + 1),
        Nan::Refused => None,
    };
    if real.value.is_nan() {
        return nan_as_whole();
    }
    let real = real.settled(&a.format);
    let rounded = |x: f64| match cast.rounding {
        Rounding::NearestEven => vec![x.round_ties_even()],
        Rounding::TowardZero => vec![x.trunc()],
        Rounding::Down => vec![x.floor()],
        Rounding::Up => vec![x.ceil()],
        Rounding::Either => vec![x.floor(), x.ceil()],
    };
    let all: Vec<f64> = [real.value, real.lo, real.hi].into_iter().flat_map(rounded).collect();
    let (lo, hi) = all.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| {
        (lo.min(*x), hi.max(*x))
    });
    let mut wholes = Vec::new();
    let first = all.first().copied()?;
    // Beyond the range, one number stands for all unless they wrap.
    let (lo, hi) = match cast.overflow {
        Overflow::Wrap => (lo, hi),
        _ => {
            let (least, most) = (limits.0 as f64, limits.1 as f64);
            let ends = ((least - 1.0).min(least.next_down()), (most + 1.0).max(most.next_up()));
            (lo.clamp(ends.0, ends.1), hi.clamp(ends.0, ends.1))
        }
    };
    // All numbers of eight bits, and one beyond either end, are few enough.
    if (hi - lo).is_nan() || hi - lo > crate::arena::MOST as f64 + 2.0 {
        return None;
    }
    let numbers = std::iter::once(first).chain((0..=(hi - lo) as i64).map(|step| lo + step as f64));
    let infinities = [
        (MAY_BE_INFINITE, f64::INFINITY),
        (MAY_BE_NEGATIVE_INFINITE, f64::NEG_INFINITY),
    ];
    let infinities = infinities.into_iter().filter(|(flag, _)| real.flags & flag != 0);
    for number in numbers.chain(infinities.map(|(_, number)| number)) {
        // Infinities lie beyond every type.
        let whole = if number.abs() < 2f64.powi(100) {
            number as i128
        } else if number > 0.0 {
            i128::MAX
        } else {
            i128::MIN
        };
        let whole = limit(whole, cast, ty, limits)?;
        if !wholes.contains(&whole) {
            wholes.push(whole);
        }
    }
    if real.flags & MAY_BE_NAN != 0 {
        wholes.extend(nan_as_whole()?);
    }
    Some(wholes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_normal_range_are_cast_as_all_are() {
        let node = |op| Node {
            ty: dml_spec::meaning::Type::Int,
            span: 0..0,
            op,
        };
        let cast = |overflow| Cast {
            value: node(dml_spec::meaning::Op::Int(0)),
            data_type: node(dml_spec::meaning::Op::Int(0)),
            rounding: Rounding::Either,
            overflow,
            nan: Nan::Refused,
        };
        let numbers = [
            1.0,
            1.0 + 1e-9,
            0.1,
            65504.0,
            65519.0,
            3.4e38,
            f64::from(f32::MAX),
            6.1e-5,
            1.2e-38,
            1e-40,
        ];
        for format in [Format::half(), Format::single(), Format::double()] {
            let a = Arithmetic {
                format,
                granted: false,
                half: false,
                wraps: false,
            };
            let mut found = 0;
            for (x, bound) in numbers
                .iter()
                .flat_map(|x| [0.0, 1e-9, 1e-3, 1.5].map(|bound| (*x, bound)))
            {
                for (real, overflow) in [x, -x].iter().flat_map(|x| {
                    let around = Real::around(*x, x.abs() * bound, x.abs() * bound);
                    let overflows = [Overflow::Infinity, Overflow::Saturate, Overflow::Open(3)];
                    [around, around.with(PENDING)]
                        .into_iter()
                        .flat_map(move |real| overflows.map(|o| (real, o)))
                }) {
                    let cast = cast(overflow);
                    if let Some(normal) = cast_normal(&real, &cast, &format, &a) {
                        assert_eq!(normal, cast_real(real, &cast, &format, &a), "{real:?}");
                        found += 1;
                    }
                }
            }
            assert!(found > 50, "{found} in {} bits", format.bits);
        }
    }
}
