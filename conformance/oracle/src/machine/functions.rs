//! Built-in functions on columns.

use dml_spec::{
    meaning::{Function, Node, Type},
    model::{DataType, NumberClass},
};

use super::{Eval, Machine, fault};
use crate::{
    column::{Bools, Ints, Reals, Truth, Value, Whole},
    elementary,
    real::{Arithmetic, INFINITIES, MAY_BE_NAN, Real},
};

impl Machine<'_> {
    pub(crate) fn function(
        &self,
        node: &Node,
        function: Function,
        arguments: &[Node],
        values: &[Value],
        points: usize,
        a: &Arithmetic,
    ) -> Eval {
        let (Some(first), Some(value)) = (arguments.first(), values.first()) else {
            return fault(node, "the argument is missing");
        };
        match function {
            Function::Abs | Function::Min | Function::Max | Function::Clamp | Function::Sign => {
                self.same_kind(node, function, arguments, values, points, a)
            }
            Function::Pow => {
                if let (Value::Int(x), Some(Value::Int(y))) = (value, values.get(1)) {
                    return self.whole2(node, x, y, points, |x, y| super::numeric::power(x, y, a));
                }
                let (x, y) = (
                    self.as_reals(first, value, points, a)?,
                    self.second(node, arguments, values, points, a)?,
                );
                Ok(Value::Real(self.real2(&x, &y, points, |x, y| elementary::pow(x, y, a))))
            }
            Function::Floor | Function::Ceil | Function::Round | Function::Trunc => {
                let x = self.as_reals(first, value, points, a)?;
                Ok(Value::Real(self.real1(&x, points, |x| self.whole_part(function, x, a))))
            }
            Function::Int => self.int(node, first, value, points, a),
            Function::IsDenormal | Function::IsNegativeZero => {
                let x = self.as_reals(first, value, points, a)?;
                let one = |real: Real| match real.open {
                    0 if function == Function::IsDenormal => Truth::of(a.format.is_denormal(real.value)),
                    0 => Truth::of(real.value == 0.0 && real.value.is_sign_negative()),
                    open => Truth::open(open),
                };
                Ok(Value::Bool(match &x {
                    Reals::One(real) => Bools::One(one(*real)),
                    _ => Bools::collect((0..points).map(|point| one(x.get(point))).collect()),
                }))
            }
            Function::IsNegative => {
                let x = self.as_reals(first, value, points, a)?;
                let signs = |real: Real| match real.value.is_nan() || real.is_exact() {
                    true => [real.value.is_sign_negative(); 2],
                    false => [real.lo < 0.0 || real.lo.is_sign_negative(), real.hi < 0.0],
                };
                let one = |real: Real| match real.open {
                    0 => super::numeric::decided(self.arena.outcomes(real).into_iter().flat_map(signs)),
                    open => Truth::open(open),
                };
                Ok(Value::Bool(match &x {
                    Reals::One(real) => Bools::One(one(*real)),
                    _ => Bools::collect((0..points).map(|point| one(x.get(point))).collect()),
                }))
            }
            Function::IsNan | Function::IsInf => {
                let x = self.as_reals(first, value, points, a)?;
                let one = |real: Real| match real.open {
                    0 => super::numeric::decided(self.arena.outcomes(real).into_iter().flat_map(|real| {
                        let (holds, may) = if function == Function::IsNan {
                            (real.value.is_nan(), real.flags & MAY_BE_NAN != 0)
                        } else {
                            (real.value.is_infinite(), real.flags & INFINITIES != 0)
                        };
                        [holds, holds || may]
                    })),
                    open => Truth::open(open),
                };
                Ok(Value::Bool(match &x {
                    Reals::One(real) => Bools::One(one(*real)),
                    _ => Bools::collect((0..points).map(|point| one(x.get(point))).collect()),
                }))
            }
            Function::PopCount => {
                let x = self.int_of(first, value)?;
                self.whole2(node, &x, &Ints::One(0), points, |x, _| {
                    u128::try_from(x).ok().map(|x| i128::from(x.count_ones()))
                })
            }
            Function::Count
            | Function::Sum
            | Function::Product
            | Function::Contains
            | Function::Distinct
            | Function::Ravel
            | Function::Unravel => self.of_list(node, function, arguments, values, points),
            Function::Bits | Function::IsFloat | Function::MinValue | Function::MaxValue => {
                self.of_type(node, function, first, value)
            }
            _ => {
                let x = self.as_reals(first, value, points, a)?;
                let known = elementary::apply(function, Real::exact(1.0), a).is_some();
                if !known {
                    return fault(node, format!("`{}` has no value", function.name()));
                }
                let of = |x: Real| elementary::apply(function, x, a).unwrap_or(x);
                Ok(Value::Real(self.real1(&x, points, of)))
            }
        }
    }

    fn second(&self, node: &Node, arguments: &[Node], values: &[Value], points: usize, a: &Arithmetic) -> Eval<Reals> {
        match (arguments.get(1), values.get(1)) {
            (Some(argument), Some(value)) => self.as_reals(argument, value, points, a),
            _ => fault(node, "the second argument is missing"),
        }
    }

    fn int_of(&self, node: &Node, value: &Value) -> Eval<Ints> {
        match value {
            Value::Int(ints) => Ok(ints.clone()),
            _ => fault(node, "a whole number is needed here"),
        }
    }

    /// Functions that give whole numbers of whole numbers, and reals of reals.
    fn same_kind(
        &self,
        node: &Node,
        function: Function,
        arguments: &[Node],
        values: &[Value],
        points: usize,
        a: &Arithmetic,
    ) -> Eval {
        if values.iter().all(|value| matches!(value, Value::Int(_))) {
            let columns: Eval<Vec<Ints>> = values.iter().map(|value| self.int_of(node, value)).collect();
            let columns = columns?;
            let column = |i: usize| columns.get(i).cloned().unwrap_or(Ints::One(0));
            let (x, y) = (column(0), column(1));
            return match function {
                Function::Abs => self.whole2(node, &x, &y, points, |x, _| x.checked_abs()),
                Function::Sign => self.whole2(node, &x, &y, points, |x, _| Some(x.signum())),
                Function::Min => self.whole2(node, &x, &y, points, |x, y| Some(x.min(y))),
                Function::Max => self.whole2(node, &x, &y, points, |x, y| Some(x.max(y))),
                _ => {
                    let most = self.whole2(node, &x, &column(2), points, |x, most| Some(x.min(most)))?;
                    let most = self.int_of(node, &most)?;
                    self.whole2(node, &y, &most, points, |least, x| Some(least.max(x)))
                }
            };
        }
        let columns: Eval<Vec<Reals>> = arguments
            .iter()
            .zip(values)
            .map(|(node, value)| self.as_reals(node, value, points, a))
            .collect();
        let columns = columns?;
        let column = |i: usize| columns.get(i).cloned().unwrap_or(Reals::One(Real::exact(0.0)));
        let (x, y) = (column(0), column(1));
        let guarded = |f: fn(Real, Real, &super::Format) -> Real| {
            move |x: Real, y: Real| match x.open.max(y.open) {
                0 => f(x, y, &a.format),
                open => Real::open(open - 1),
            }
        };
        Ok(Value::Real(match function {
            Function::Abs => self.real1(&x, points, |x| Real::abs(x.settled(&a.format))),
            Function::Sign => self.real1(&x, points, |x| self.sign(x, a)),
            Function::Min => self.real2(&x, &y, points, guarded(Real::min)),
            Function::Max => self.real2(&x, &y, points, guarded(Real::max)),
            _ => {
                let below = self.real2(&x, &column(2), points, guarded(Real::min));
                self.real2(&y, &below, points, guarded(Real::max))
            }
        }))
    }

    fn sign(&self, x: Real, a: &Arithmetic) -> Real {
        let x = x.settled(&a.format);
        if x.open != 0 || x.value.is_nan() {
            return x;
        }
        let sign = |x: f64| if x == 0.0 { x } else { 1_f64.copysign(x) };
        let ends = [x.value, x.lo, x.hi].map(|x| Real::exact(sign(x)));
        let zero = (x.lo < 0.0 && x.hi > 0.0).then_some(Real::exact(0.0));
        self.arena.one_of(ends.into_iter().chain(zero))
    }

    /// The whole number by a real, one of several if rounding decides.
    fn whole_part(&self, function: Function, x: Real, a: &Arithmetic) -> Real {
        let x = x.settled(&a.format);
        if x.open != 0 || !x.value.is_finite() {
            return x;
        }
        let f = |x: f64| match function {
            Function::Floor => x.floor(),
            Function::Ceil => x.ceil(),
            Function::Round => x.round_ties_even(),
            _ => x.trunc(),
        };
        let (lo, hi) = (f(x.lo), f(x.hi));
        if lo == hi {
            return Real::exact(f(x.value));
        }
        if (hi - lo).is_nan() || hi - lo >= crate::arena::MOST as f64 {
            return Real {
                lo,
                hi,
                ..Real::exact(f(x.value))
            };
        }
        let steps = (hi - lo) as u32;
        let all = (0..=steps).map(|step| Real::exact(lo + f64::from(step)));
        self.arena.one_of(std::iter::once(Real::exact(f(x.value))).chain(all))
    }

    /// The whole number that a real is.
    pub(crate) fn int(&self, node: &Node, argument: &Node, value: &Value, points: usize, a: &Arithmetic) -> Eval {
        if let Value::Int(_) = value {
            return Ok(value.clone());
        }
        let reals = self.as_reals(argument, value, points, a)?;
        let whole = |real: Real| {
            let fits = real.is_exact() && real.value.trunc() == real.value && real.value.abs() < 2f64.powi(120);
            fits.then_some(Whole::exact(real.value as i128))
        };
        let one = |point: usize| {
            let real = reals.get(point);
            if real.open != 0 {
                return Some(Whole {
                    open: real.open,
                    ..Whole::exact(0)
                });
            }
            if real.has_one_outcome() {
                return whole(real);
            }
            let all: Option<Vec<Whole>> = self.arena.outcomes(real).into_iter().map(whole).collect();
            self.arena.whole_of(all?)
        };
        let count = if matches!(reals, Reals::One(_)) { 1 } else { points };
        let one = |point| match one(point) {
            None if self.arena.lenient => Some(Whole::unknown()),
            whole => whole,
        };
        match (0..count).map(one).collect::<Option<Vec<Whole>>>() {
            Some(wholes) => Ok(Value::Int(Ints::collect(wholes))),
            None => fault(
                node,
                "this is no whole number: round it first, with `floor` or the like",
            ),
        }
    }

    fn of_list(&self, node: &Node, function: Function, arguments: &[Node], values: &[Value], points: usize) -> Eval {
        let (Some(first), Some(value)) = (arguments.first(), values.first()) else {
            return fault(node, "the argument is missing");
        };
        if function == Function::Unravel {
            let sizes = self.vector(node, values.get(1).unwrap_or(value), points)?;
            return self.unravelled(node, &self.int_of(first, value)?, &sizes, points);
        }
        if function == Function::Count {
            return match value {
                Value::List(items) => Ok(Value::int(items.len() as i128)),
                Value::Row(row) => Ok(Value::int(row.len as i128)),
                _ => fault(node, "a list is needed here"),
            };
        }
        let items = self.vector(first, value, points)?;
        let fold = |start: i128, f: fn(i128, i128) -> Option<i128>| {
            items.iter().try_fold(Ints::One(start), |all, item| {
                let value = self.whole2(node, &all, item, points, f)?;
                self.int_of(node, &value)
            })
        };
        match function {
            Function::Sum => Ok(Value::Int(fold(0, i128::checked_add)?)),
            Function::Product => Ok(Value::Int(fold(1, i128::checked_mul)?)),
            Function::Ravel => {
                let sizes = self.vector(node, values.get(1).unwrap_or(value), points)?;
                if sizes.len() != items.len() {
                    return fault(node, "the index and the sizes have different lengths");
                }
                let mut place = Ints::One(0);
                for (item, size) in items.iter().zip(&sizes) {
                    let row = self.whole2(node, &place, size, points, i128::checked_mul)?;
                    let row = self.int_of(node, &row)?;
                    place = self.int_of(node, &self.whole2(node, &row, item, points, i128::checked_add)?)?;
                }
                Ok(Value::Int(place))
            }
            Function::Contains => {
                let sought = self.int_of(node, values.get(1).unwrap_or(value))?;
                let mut found = Bools::One(Truth::FALSE);
                for item in &items {
                    let equal = |point: usize| {
                        let (x, y) = (item.get(point), sought.get(point));
                        match x.open.max(y.open) {
                            0 => {
                                let (xs, ys) = (self.arena.wholes(x), self.arena.wholes(y));
                                super::numeric::decided(xs.iter().flat_map(|x| ys.iter().map(move |y| x == y)))
                            }
                            open => Truth::open(open),
                        }
                    };
                    found = match (item.uniform(), sought.uniform(), &found) {
                        (Some(x), Some(y), Bools::One(truth)) => Bools::One(truth.or(Truth::of(x == y))),
                        _ => Bools::collect((0..points).map(|point| found.get(point).or(equal(point))).collect()),
                    };
                }
                Ok(Value::Bool(found))
            }
            _ => {
                let numbers: Option<Vec<i128>> = items.iter().map(Ints::uniform).collect();
                let Some(mut numbers) = numbers else {
                    return fault(node, "the list has to be the same for all elements");
                };
                numbers.sort_unstable();
                Ok(Value::truth(numbers.windows(2).all(|pair| pair.first() != pair.last())))
            }
        }
    }

    fn unravelled(&self, node: &Node, number: &Ints, sizes: &[Ints], points: usize) -> Eval {
        let mut rest = number.clone();
        let mut items = Vec::with_capacity(sizes.len());
        for (d, size) in sizes.iter().enumerate().rev() {
            if d == 0 {
                items.push(Value::Int(rest.clone()));
                break;
            }
            let at = self.whole2(node, &rest, size, points, dml_spec::rule::arith::rem_floor)?;
            items.push(at);
            rest = self.int_of(
                node,
                &self.whole2(node, &rest, size, points, dml_spec::rule::arith::div_floor)?,
            )?;
        }
        items.reverse();
        Ok(Value::List(items.into()))
    }

    fn of_type(&self, node: &Node, function: Function, argument: &Node, value: &Value) -> Eval {
        debug_assert!(matches!(argument.ty, Type::DataType));
        let number = self.int_of(argument, value)?.uniform();
        let found = number
            .and_then(|n| u32::try_from(n).ok())
            .and_then(|n| self.catalog.data_type(n));
        let Some(data_type) = found else {
            return fault(node, "this is no data type");
        };
        let limit = |pick: fn((i128, i128)) -> i128, of: &DataType| match of.whole_numbers() {
            Some(limits) => Ok(Value::int(pick(limits))),
            None => fault(node, format!("{} has no least and greatest whole number", of.name)),
        };
        match function {
            Function::Bits => Ok(Value::int(data_type.bits.into())),
            Function::IsFloat => Ok(Value::truth(data_type.class == NumberClass::Float)),
            Function::MinValue => limit(|(least, _)| least, data_type),
            _ => limit(|(_, most)| most, data_type),
        }
    }
}
