//! CAST: every element as a number of another data type.

#[path = "cast/faults.rs"]
mod faults;
#[path = "cast/numbers.rs"]
mod numbers;

use self::numbers::{convert, held, on_float, on_whole, round_again, wrapped};
use dml_spec::model::{DataType, NumberClass};

use crate::oracle::{
    Call, ComputingFault, Input, Mismatch, OnnxForm, Oracle, rounding,
    wanted::{self, Mistake, Wanted},
};
use dml_case::{
    number::{Number, decode, is_denormal, mask},
    tensor::Shape,
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

    fn faults(&self) -> Vec<ComputingFault> {
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

impl Conversion<'_> {}

#[cfg(test)]
#[path = "cast/tests.rs"]
mod tests;
