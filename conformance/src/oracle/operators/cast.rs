//! CAST: every element as a number of another data type.

#[path = "cast/faults.rs"]
mod faults;

use dml_spec::model::{DataType, NumberClass};

use crate::{
    export::OnnxForm,
    number::{Number, decode, encode_float, is_denormal, mask},
    oracle::{
        Call, Input, Mismatch, Oracle, rounding,
        wanted::{self, Mistake, Wanted},
    },
    tensor::Shape,
    zoo::Fault,
};

/// The oracle.
pub(super) static ORACLE: Cast = Cast;

/// See the module.
pub(super) struct Cast;

/// Classes that the checker names.
const CLASSES: &[&str] = &[
    "bits-copied",
    "narrowed",
    "not-a-neighbour",
    "not-truncated",
    "precision",
    "signedness",
    "value-changed",
];

/// A call whose shapes fit together.
#[derive(Clone, Copy)]
struct Conversion<'a> {
    input: &'a Input<'a>,
    output: &'a Shape,
}

impl<'a> Conversion<'a> {
    fn of(call: &'a Call<'a>) -> Option<Self> {
        let (input, output) = (call.inputs.first()?, call.outputs.first()?);
        (input.elements.len() as u64 == output.elements()).then_some(Self { input, output })
    }

    fn from(&self) -> &'a DataType {
        &self.input.shape.ty
    }

    fn to(&self) -> &'a DataType {
        &self.output.ty
    }

    /// Every element through `change`.
    fn map(&self, change: impl Fn(u64) -> Wanted) -> Vec<Wanted> {
        self.input.elements.iter().map(|bits| change(*bits)).collect()
    }

    /// What every element has to be; open what the page leaves open.
    fn wanted(&self) -> Vec<Wanted> {
        self.map(|bits| self.element(bits))
    }

    fn element(&self, bits: u64) -> Wanted {
        if is_denormal(self.from(), bits) {
            return Wanted::Open;
        }
        convert(decode(self.from(), bits), self.to())
    }

    /// Open elements become what `open` says; the others stay open, as they are no behaviour.
    fn opened(&self, open: impl Fn(Number) -> Wanted) -> Vec<Wanted> {
        self.map(|bits| match self.element(bits) {
            Wanted::Open => open(decode(self.from(), bits)),
            _ => Wanted::Open,
        })
    }

    /// Mistakes that implementations make, the most likely first.
    fn mistakes(self) -> Vec<Mistake<'a>> {
        let (from, to) = (self.from(), self.to());
        let number = move |bits: u64| decode(from, bits);
        let whole = |ty: &DataType| ty.class != NumberClass::Float;
        let whole_output = whole(to);
        let mut all = Vec::new();
        // Of whole numbers the bits are what they were, or are read with the wrong sign.
        if !whole(from) || !whole_output {
            all.push(Mistake::new(
                "bits-copied",
                "the bits of the elements are copied",
                move || (from != to).then(|| self.map(|bits| held(to, bits & mask(to.bits)))),
            ));
        }
        for (class, name) in [(NumberClass::Signed, "signed"), (NumberClass::Unsigned, "unsigned")] {
            all.push(Mistake::new(
                "signedness",
                format!("the elements are read as {name}"),
                move || {
                    let read = DataType { class, ..from.clone() };
                    let changes = from.class != NumberClass::Float && from.class != class;
                    changes.then(|| self.map(|bits| wrapped(decode(&read, bits), to)))
                },
            ));
        }
        type Way = (&'static str, fn(f64) -> f64);
        let ways: [Way; 3] = [
            ("to nearest", f64::round_ties_even),
            ("down", f64::floor),
            ("up", f64::ceil),
        ];
        for (how, round) in ways {
            all.push(Mistake::new(
                "not-truncated",
                format!("fractions are rounded {how}"),
                move || whole_output.then(|| self.map(|bits| on_float(number(bits), round, to))),
            ));
            all.push(Mistake::new(
                "not-truncated",
                format!("fractions are rounded {how}, past the least or the greatest number to the other end"),
                move || whole_output.then(|| self.map(|bits| round_again(number(bits), round, to))),
            ));
        }
        all.push(Mistake::new(
            "narrowed",
            "the elements go through the low 32 bits of whole numbers",
            move || (from.bits > 32).then(|| self.map(|bits| on_whole(number(bits), |n| i128::from(n as i32), to))),
        ));
        all.push(Mistake::new("narrowed", "the elements go through UINT32", move || {
            (from.bits > 32).then(|| self.map(|bits| on_whole(number(bits), |n| i128::from(n as u32), to)))
        }));
        for (bits, name) in [(32, "FLOAT32"), (16, "FLOAT16")] {
            all.push(Mistake::new(
                "precision",
                format!("the elements go through {name}"),
                move || {
                    let narrow = DataType {
                        class: NumberClass::Float,
                        bits,
                        ..to.clone()
                    };
                    let through = move |n: Number| {
                        Number::Float(match convert(n, &narrow) {
                            Wanted::Real { value, .. } => rounding::nearest(&narrow, value),
                            _ => f64::NAN,
                        })
                    };
                    Some(self.map(|bits| convert(through(number(bits)), to)))
                },
            ));
        }
        all
    }
}

/// An element that holds these bits, whatever they stand for.
fn held(to: &DataType, bits: u64) -> Wanted {
    match decode(to, bits) {
        Number::Int(n) => Wanted::Whole(n),
        Number::Float(x) => Wanted::exactly(x),
    }
}

/// A number of another type: exact where the type holds it, cut off towards zero for whole types, either neighbour for
/// floats. Open beyond the type's range, and for NaN.
fn convert(number: Number, to: &DataType) -> Wanted {
    match (number, to.class) {
        (Number::Float(x), _) if x.is_nan() => Wanted::Open,
        (Number::Float(x), NumberClass::Float) => real(x, to),
        (Number::Int(n), NumberClass::Float) => whole_to_real(n, to),
        (number, _) => {
            let n = match number {
                Number::Int(n) => n,
                // Saturates far beyond every type's range.
                Number::Float(x) => x.trunc() as i128,
            };
            let (least, greatest) = rounding::limits(to);
            if (least..=greatest).contains(&n) {
                Wanted::Whole(n)
            } else {
                Wanted::Open
            }
        }
    }
}

fn real(x: f64, to: &DataType) -> Wanted {
    if x.is_infinite() {
        return Wanted::exactly(x);
    }
    if x.trunc().abs() > rounding::greatest(to) {
        return Wanted::Open;
    }
    let value = rounding::nearest(to, x);
    Wanted::Real {
        value,
        slack: if value == x { 0.0 } else { between(x, to) },
    }
}

fn whole_to_real(n: i128, to: &DataType) -> Wanted {
    if n.unsigned_abs() as f64 > rounding::greatest(to) {
        return Wanted::Open;
    }
    // Straight to the type: through a double, a 64-bit number would be rounded twice.
    let value = if to.bits == 32 {
        f64::from(n as f32)
    } else {
        rounding::nearest(to, n as f64)
    };
    let exact = value as i128 == n;
    Wanted::Real {
        value,
        slack: if exact { 0.0 } else { between(n as f64, to) },
    }
}

/// How far the other neighbour may be from the nearest one; below the smallest normal number, 0 is a neighbour too.
fn between(x: f64, to: &DataType) -> f64 {
    let step = rounding::step(to, x);
    if x.abs() < rounding::smallest_normal(to) {
        step + x.abs()
    } else {
        step
    }
}

/// As [`convert`], with whole numbers modulo the range of their type.
fn wrapped(number: Number, to: &DataType) -> Wanted {
    match number {
        Number::Int(n) if to.class != NumberClass::Float => held(to, n as u64 & mask(to.bits)),
        number => convert(number, to),
    }
}

fn on_float(number: Number, change: impl Fn(f64) -> f64, to: &DataType) -> Wanted {
    match number {
        Number::Float(x) => convert(Number::Float(change(x)), to),
        whole => convert(whole, to),
    }
}

/// As [`on_float`], with what the type has no room for modulo its range.
fn round_again(number: Number, change: impl Fn(f64) -> f64, to: &DataType) -> Wanted {
    match (number, on_float(number, &change, to)) {
        (Number::Float(x), Wanted::Open) => modulo(Number::Float(change(x)), to, 1 << to.bits),
        (_, wanted) => wanted,
    }
}

fn on_whole(number: Number, change: impl Fn(i128) -> i128, to: &DataType) -> Wanted {
    match number {
        Number::Int(n) => wrapped(Number::Int(change(n)), to),
        float => convert(float, to),
    }
}

/// A second way to the same: what an element that was written promises, read backwards. The class that it breaks.
fn breaks(c: &Conversion, bits: u64, written: u64) -> Option<&'static str> {
    let (number, found) = (decode(c.from(), bits), decode(c.to(), written));
    if is_denormal(c.from(), bits) || number.is_nan() {
        return None;
    }
    match (number, found) {
        (Number::Int(n), Number::Int(y)) => {
            let (least, greatest) = rounding::limits(c.to());
            (least <= n && n <= greatest && n != y).then_some("value-changed")
        }
        (Number::Float(x), Number::Int(y)) => {
            let (least, greatest) = rounding::limits(c.to());
            let cut = x - x % 1.0;
            if !x.is_finite()
                || cut < least as f64
                || cut > greatest as f64
                || (cut == 2f64.powi(63) && greatest == i64::MAX.into())
                || cut >= 2f64.powi(64)
            {
                return None;
            }
            let gap = x.abs() - (y as f64).abs();
            let towards = y == 0 || (y < 0) == (x < 0.0);
            match towards && (0.0..1.0).contains(&gap) {
                true => None,
                false if (x - y as f64).abs() < 1.0 => Some("not-truncated"),
                false => Some("value-changed"),
            }
        }
        (number, Number::Float(y)) => float_breaks(c.to(), number, y),
    }
}

/// Whether `y` is neither the number nor one of its neighbours.
fn float_breaks(to: &DataType, number: Number, y: f64) -> Option<&'static str> {
    let (x, whole) = match number {
        Number::Int(n) => (n as f64, Some(n)),
        Number::Float(x) => (x, None),
    };
    if x.is_finite() && x.trunc().abs() > rounding::greatest(to) {
        return None;
    }
    let same = match whole {
        Some(n) => y as i128 == n,
        None => y == x,
    };
    if same {
        return None;
    }
    let holds = match whole {
        Some(n) => rounding::nearest(to, x) as i128 == n,
        None => rounding::nearest(to, x) == x,
    };
    if holds || !y.is_finite() {
        return Some("value-changed");
    }
    let close = (x - y).abs() <= rounding::step(to, x.abs().max(y.abs()));
    let flushed = y == 0.0 && x.abs() < rounding::smallest_normal(to);
    (!close && !flushed).then_some("not-a-neighbour")
}

impl Oracle for Cast {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let Some(c) = Conversion::of(call) else {
            return Vec::new();
        };
        vec![wanted::bits(c.to(), &c.wanted())]
    }

    fn slack(&self, call: &Call, _: &[Vec<u64>]) -> Vec<Vec<f64>> {
        Conversion::of(call).map_or_else(Vec::new, |c| vec![wanted::slack(&c.wanted())])
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        let (Some(c), [found]) = (Conversion::of(call), outputs) else {
            return Vec::new();
        };
        let due = c.wanted();
        let mut broken: Vec<Mismatch> = Vec::new();
        for (at, (bits, written)) in c.input.elements.iter().zip(found).enumerate() {
            if due[at].allows(c.to(), *written) {
                continue;
            }
            let class = breaks(&c, *bits, *written).unwrap_or("value-changed");
            if broken.iter().all(|known| known.class != class) {
                let from = format!(" for {}", decode(c.from(), *bits));
                broken.push(wanted::mismatch(class, c.output, &due, found, at, &from));
            }
        }
        if broken.is_empty() {
            return broken;
        }
        let explained = wanted::explained(c.output, &due, found, &c.mistakes());
        if explained.is_empty() { broken } else { explained }
    }

    fn holds(&self, property: &str, call: &Call, outputs: &[Vec<u64>]) -> Option<Vec<Mismatch>> {
        let broken = |c: Conversion| match property {
            "others-cast" => wanted::broken("others-cast", c.output, &c.wanted(), outputs),
            _ => wanted::denormals_or_zero(c.output, &[c.denormals(|x| x), c.denormals(|_| 0.0)], outputs),
        };
        ["others-cast", wanted::DENORMALS_OR_ZERO]
            .contains(&property)
            .then(|| Conversion::of(call).map_or_else(Vec::new, broken))
    }

    fn does(&self, behaviour: &str, call: &Call, outputs: &[Vec<u64>]) -> Option<bool> {
        let (c, found) = (Conversion::of(call)?, outputs.first()?);
        let to = c.to();
        let whole = to.class != NumberClass::Float;
        let all = |due: Vec<Wanted>| wanted::first_wrong(to, &due, found).is_none();
        let nan = |becomes: Wanted| all(c.opened(|n| if n.is_nan() { becomes } else { Wanted::Open }));
        let beyond =
            |becomes: &dyn Fn(Number) -> Wanted| all(c.opened(|n| if n.is_nan() { Wanted::Open } else { becomes(n) }));
        let (least, greatest) = if whole { rounding::limits(to) } else { (0, 0) };
        Some(match behaviour {
            "saturates" => beyond(&|n| saturated(n, to)),
            "wraps" => whole && beyond(&|n| modulo(n, to, 1 << to.bits)),
            "wraps-through-32-bits" => whole && to.bits < 32 && beyond(&|n| through_32_bits(n, to)),
            "indefinite" => whole && beyond(&|_| Wanted::Whole(if least < 0 { least } else { greatest })),
            "nan-stays" => !whole && nan(Wanted::exactly(f64::NAN)),
            "nan-to-zero" => nan(if whole { Wanted::Whole(0) } else { Wanted::exactly(0.0) }),
            "nan-to-least" => whole && least < 0 && nan(Wanted::Whole(least)),
            "nan-to-greatest" => whole && nan(Wanted::Whole(greatest)),
            "denormals-kept" => all(sharp(c.denormals(|x| x))),
            "denormals-as-zero" => all(sharp(c.denormals(|_| 0.0))),
            "converts-otherwise" | "nan-otherwise" | "denormals-otherwise" => true,
            _ => return None,
        })
    }

    fn faults(&self) -> Vec<Fault> {
        faults::all()
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        let Some(c) = Conversion::of(call) else {
            return Vec::new();
        };
        let due = c.wanted();
        let mut classes = wanted::exposed(c.to(), &due, &c.mistakes());
        let rounded = |wanted: &Wanted| wanted.slack() > 0.0 && wanted.slack().is_finite();
        if due.iter().any(rounded) {
            classes.push("not-a-neighbour");
        }
        if due
            .iter()
            .any(|wanted| *wanted != Wanted::Open && wanted.slack() == 0.0 && wanted.bits(c.to()) != 0)
        {
            classes.push("value-changed");
        }
        classes
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        // `to` is a member of TensorProto.DataType.
        let to = match (call.outputs.first()?.ty.class, call.outputs.first()?.ty.bits) {
            (NumberClass::Float, 16) => 10,
            (NumberClass::Float, 32) => 1,
            (NumberClass::Float, _) => 11,
            (NumberClass::Signed, 8) => 3,
            (NumberClass::Signed, 16) => 5,
            (NumberClass::Signed, 32) => 6,
            (NumberClass::Signed, _) => 7,
            (_, 8) => 2,
            (_, 16) => 4,
            (_, 32) => 12,
            _ => 13,
        };
        Some(OnnxForm {
            op_type: "Cast",
            opset: 13,
            attributes: vec![("to", to)],
            lists: Vec::new(),
            gives: vec![None],
        })
    }
}

impl Conversion<'_> {
    /// What denormals become if `read` as this; everything else is open.
    fn denormals(&self, read: impl Fn(f64) -> f64) -> Vec<Wanted> {
        self.map(|bits| match decode(self.from(), bits) {
            Number::Float(x) if is_denormal(self.from(), bits) => convert(Number::Float(read(x)), self.to()),
            _ => Wanted::Open,
        })
    }
}

/// The nearest numbers alone, where the page allows neighbours.
fn sharp(wanted: Vec<Wanted>) -> Vec<Wanted> {
    wanted.into_iter().map(Wanted::sharp).collect()
}

/// Held at the limits of the type; of floats, at the greatest number or infinity, whichever is nearest.
fn saturated(number: Number, to: &DataType) -> Wanted {
    if to.class == NumberClass::Float {
        let x = match number {
            Number::Int(n) => n as f64,
            Number::Float(x) => x,
        };
        return held(
            to,
            encode_float(to, x.clamp(-rounding::greatest(to), rounding::greatest(to))),
        );
    }
    let (least, greatest) = rounding::limits(to);
    let n = match number {
        Number::Int(n) => n,
        Number::Float(x) => x as i128,
    };
    Wanted::Whole(n.clamp(least, greatest))
}

/// The remainder that the type holds; open for numbers that are not finite.
fn modulo(number: Number, to: &DataType, range: i128) -> Wanted {
    let n = match number {
        Number::Int(n) => n,
        Number::Float(x) if x.is_finite() && x.abs() < 2f64.powi(126) => x as i128,
        Number::Float(_) => return Wanted::Open,
    };
    held(to, n.rem_euclid(range) as u64 & mask(to.bits))
}

/// Held at the limits of INT32 or UINT32, then modulo the range of the type.
fn through_32_bits(number: Number, to: &DataType) -> Wanted {
    let n = match number {
        Number::Int(n) => n,
        Number::Float(x) => x as i128,
    };
    let (least, greatest) = if to.class == NumberClass::Signed {
        (i128::from(i32::MIN), i128::from(i32::MAX))
    } else {
        (0, i128::from(u32::MAX))
    };
    held(to, n.clamp(least, greatest) as u64 & mask(to.bits))
}

#[cfg(test)]
mod tests {
    use dml_spec::model::Tier;

    use super::*;
    use crate::{number::ty, oracle::planned};

    const SIGNED: NumberClass = NumberClass::Signed;
    const FLOAT: NumberClass = NumberClass::Float;

    #[test]
    fn fractions_are_cut_off_and_ranges_end() {
        let byte = ty(SIGNED, 8);
        let of = |x| convert(Number::Float(x), &byte);
        assert_eq!(of(-2.75), Wanted::Whole(-2));
        assert_eq!(of(127.9), Wanted::Whole(127));
        assert_eq!(of(-128.9), Wanted::Whole(-128));
        assert_eq!(of(128.0), Wanted::Open);
        assert_eq!(of(f64::INFINITY), Wanted::Open);
        assert_eq!(convert(Number::Int(-1), &ty(NumberClass::Unsigned, 64)), Wanted::Open);
    }

    #[test]
    fn whole_numbers_are_rounded_once() {
        let single = ty(FLOAT, 32);
        let n = (1i128 << 62) + (1 << 38) + 1;
        let Wanted::Real { value, slack } = convert(Number::Int(n), &single) else {
            panic!()
        };
        assert_eq!(
            value,
            2f64.powi(62) + 2f64.powi(39),
            "through a double it would be 2^62"
        );
        assert_eq!(slack, 2f64.powi(39));
        assert_eq!(convert(Number::Int(1 << 24), &single), Wanted::exactly(2f64.powi(24)));
        assert_eq!(convert(Number::Int(65505), &ty(FLOAT, 16)), Wanted::Open);
    }

    #[test]
    fn either_neighbour_will_do() {
        let half = ty(FLOAT, 16);
        let wanted = convert(Number::Float(2049.0), &half);
        for (x, allowed) in [(2048.0, true), (2050.0, true), (2052.0, false)] {
            assert_eq!(wanted.allows(&half, encode_float(&half, x)), allowed, "{x}");
            assert_eq!(float_breaks(&half, Number::Float(2049.0), x).is_none(), allowed, "{x}");
        }
    }

    #[test]
    fn reference_and_checker_agree() {
        planned::holds_together("CAST");
        planned::knows_what_is_open("CAST");
    }

    #[test]
    fn lost_signs_and_fractions_have_their_own_classes() {
        let suite = planned::suite();
        let (mut extended, mut floored) = (0, 0);
        planned::each_in(&suite, "CAST", "", Tier::Standard, false, |id, call| {
            let c = Conversion::of(call).unwrap();
            let (from, to) = (c.from(), c.to());
            let classes = |found: Vec<u64>| ORACLE.check(call, &[found]).into_iter().map(|broken| broken.class);
            if from.class == SIGNED && to.class == SIGNED && to.bits > from.bits {
                // The bits of the element, with zeros above them.
                let class = classes(c.input.elements.clone()).next();
                assert!(class.is_none_or(|class| class == "signedness"), "{id}: {class:?}");
                extended += usize::from(class.is_some());
            }
            if from.class == FLOAT && to.class == NumberClass::Unsigned {
                let mut found = ORACLE.reference(call).remove(0);
                for (bits, written) in c.input.elements.iter().zip(&mut found) {
                    let x = decode(from, *bits).double();
                    if c.element(*bits) != Wanted::Open && x < 0.0 {
                        *written = x.floor() as i64 as u64 & mask(to.bits);
                    }
                }
                // Where all elements are one, other mistakes fit as well.
                let named: Vec<&str> = classes(found).collect();
                assert!(named.is_empty() || named.contains(&"not-truncated"), "{id}: {named:?}");
                floored += usize::from(!named.is_empty());
            }
        });
        assert!(extended > 20 && floored > 20, "{extended} {floored}");
    }

    #[test]
    fn what_is_written_reads_back() {
        let suite = planned::suite();
        for open in [false, true] {
            planned::each(&suite, "CAST", open, |id, call| {
                let c = Conversion::of(call).unwrap();
                let (due, reference) = (c.wanted(), ORACLE.reference(call).remove(0));
                for ((bits, written), due) in c.input.elements.iter().zip(&reference).zip(&due) {
                    if *due != Wanted::Open {
                        assert_eq!(breaks(&c, *bits, *written), None, "{id}");
                        let other = written ^ 1 << (c.to().bits - 2);
                        assert!(breaks(&c, *bits, other).is_some() || due.allows(c.to(), other), "{id}");
                    }
                }
            });
        }
    }
}
