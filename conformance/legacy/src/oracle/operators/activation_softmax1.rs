//! ACTIVATION_SOFTMAX1: the share of every element in the exponentials of its group.

#[path = "activation_softmax1/faults.rs"]
mod faults;

use dml_spec::model::DataType;

use crate::oracle::{
    Call, ComputingFault, Input, Mismatch, OnnxForm, Oracle,
    elementary::{exp, exp_m1, exp2},
    rounding,
    wanted::{self, Mistake, Wanted},
};
use dml_case::number::{Number, decode};

/// The oracle.
pub(super) static ORACLE: ActivationSoftmax1 = ActivationSoftmax1;

/// See the module.
pub(super) struct ActivationSoftmax1;

/// Classes that the checker names.
const CLASSES: &[&str] = &[
    "axes-one-by-one",
    "axis-confused",
    "axis-ignored",
    "base-two",
    "element-skipped",
    "exponential-overflow",
    "not-divided",
    "precision",
    "sum-not-one",
    "wrong-share",
];

/// Places of the elements that share 1, group by group.
type Groups = Vec<Vec<usize>>;

/// A call whose shapes fit together.
struct Shares<'a> {
    input: &'a Input<'a>,
    axes: &'a [u32],
    elements: Vec<f64>,
}

impl<'a> Shares<'a> {
    fn of(call: &'a Call<'a>) -> Option<Self> {
        let (input, output) = (call.inputs.first()?, call.outputs.first()?);
        let number = |bits: &u64| match decode(&input.shape.ty, *bits) {
            Number::Float(x) => x,
            Number::Int(n) => n as f64,
        };
        (input.elements.len() as u64 == output.elements()).then_some(Self {
            input,
            axes: call.uints("Axes")?,
            elements: input.elements.iter().map(number).collect(),
        })
    }

    fn ty(&self) -> &'a DataType {
        &self.input.shape.ty
    }

    /// The groups along these axes.
    fn groups(&self, axes: &[u32]) -> Groups {
        let sizes = &self.input.shape.sizes;
        let across = |d: usize| !axes.iter().any(|axis| *axis as usize == d);
        let count: usize = (0..sizes.len())
            .filter(|d| across(*d))
            .map(|d| sizes[d] as usize)
            .product();
        let mut groups = vec![Vec::new(); count];
        for place in 0..self.elements.len() {
            let at = self.input.shape.coordinates(place as u64);
            let fixed = (0..sizes.len()).filter(|d| across(*d));
            let group = fixed.fold(0, |group, d| group * sizes[d] as usize + at[d] as usize);
            if let Some(group) = groups.get_mut(group) {
                group.push(place);
            }
        }
        groups
    }

    /// What every element has to be, in groups along these axes; open in groups that hold NaN or infinities.
    fn along(&self, axes: &[u32]) -> Vec<Wanted> {
        let mut out = vec![Wanted::Open; self.elements.len()];
        for group in self.groups(axes) {
            if group.iter().all(|place| self.elements[*place].is_finite()) {
                self.share(&group, &mut out);
            }
        }
        out
    }

    fn wanted(&self) -> Vec<Wanted> {
        self.along(self.axes)
    }

    /// The shares of a group, the greatest element subtracted first, and the bound of the specification.
    fn share(&self, group: &[usize], out: &mut [Wanted]) {
        let x = |place: usize| self.elements[place];
        let greatest = group.iter().fold(f64::NEG_INFINITY, |most, place| most.max(x(*place)));
        let weigh = |place: usize| exp(x(place) - greatest);
        let total: f64 = group.iter().map(|place| weigh(*place)).sum();
        let distance = |place: usize| greatest - x(place);
        // How much the sum is off for the distances of its terms, in units of roundoff.
        let far = |place: usize| {
            if weigh(place) > 0.0 {
                weigh(place) / total * distance(place)
            } else {
                0.0
            }
        };
        let terms: f64 = group.iter().map(|place| far(*place)).sum();
        let unit = rounding::roundoff(self.ty());
        for place in group {
            let value = weigh(*place) / total;
            let own = if value > 0.0 { 3.0 * distance(*place) } else { 0.0 };
            let units = own + 3.0 * terms + group.len() as f64 + 12.0;
            let least = rounding::flushed(self.ty()) + rounding::step(self.ty(), 0.0);
            out[*place] = Wanted::Real {
                value,
                slack: value * exp_m1(units * unit) + rounding::step(self.ty(), value) + least,
            };
        }
    }

    /// Some function of each group, right but for rounding.
    fn by_groups(&self, axes: &[u32], of: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Wanted> {
        let mut out = vec![Wanted::Open; self.elements.len()];
        for group in self.groups(axes) {
            let members: Vec<f64> = group.iter().map(|place| self.elements[*place]).collect();
            if members.iter().all(|x| x.is_finite()) {
                for (place, value) in group.iter().zip(of(&members)) {
                    let slack = value.abs() * rounding::roundoff(self.ty()) * (members.len() as f64 + 64.0);
                    out[*place] = Wanted::Real {
                        value,
                        slack: slack + rounding::step(self.ty(), value),
                    };
                }
            }
        }
        out
    }

    /// Mistakes that implementations make, the most likely first.
    fn mistakes(&self) -> Vec<Mistake<'_>> {
        let rank = self.input.shape.sizes.len() as u32;
        let mut all = Vec::new();
        let single = DataType {
            bits: 32,
            ..self.ty().clone()
        };
        for ty in [self.ty().clone(), single] {
            let says = format!("the exponentials overflow or vanish in {} bits", ty.bits);
            all.push(Mistake::new("exponential-overflow", says, move || {
                let narrow = |x: f64| rounding::nearest(&ty, exp(x));
                Some(self.by_groups(self.axes, |members| {
                    let total = rounding::nearest(&ty, members.iter().map(|x| narrow(*x)).sum());
                    members.iter().map(|x| narrow(*x) / total).collect()
                }))
            }));
        }
        all.push(Mistake::new(
            "not-divided",
            "the exponentials are not divided by their sum",
            || Some(self.by_groups(self.axes, |members| members.iter().map(|x| exp(*x)).collect())),
        ));
        all.push(Mistake::new("base-two", "powers of 2 stand for exponentials", || {
            Some(self.by_groups(self.axes, |members| shares_by(members, members.len(), exp2)))
        }));
        all.push(Mistake::new(
            "element-skipped",
            "the last element of a group does not count in the sum",
            || {
                Some(self.by_groups(self.axes, |members| {
                    shares_by(members, members.len().saturating_sub(1).max(1), exp)
                }))
            },
        ));
        for block in [16usize, 32, 64, 128, 256, 512, 1024] {
            let says = format!("elements behind the last whole block of {block} do not count in the sum");
            all.push(Mistake::new("element-skipped", says, move || {
                Some(self.by_groups(self.axes, |members| {
                    let whole = members.len() / block * block;
                    shares_by(members, if whole == 0 { members.len() } else { whole }, exp)
                }))
            }));
        }
        if self.axes.len() > 1 {
            all.push(Mistake::new(
                "axes-one-by-one",
                "the axes are treated one after the other",
                || Some(self.one_by_one()),
            ));
            for axis in self.axes {
                all.push(Mistake::new(
                    "axis-ignored",
                    format!("only axis {axis} counts"),
                    move || Some(self.along(&[*axis])),
                ));
            }
        }
        for axis in (0..rank).filter(|axis| self.axes != [*axis] && !self.axes.contains(axis)) {
            all.push(Mistake::new(
                "axis-confused",
                format!("the groups run along axis {axis}"),
                move || Some(self.along(&[axis])),
            ));
        }
        let every: Vec<u32> = (0..rank).collect();
        if self.axes.len() < every.len() {
            all.push(Mistake::new("axis-confused", "all elements are one group", move || {
                Some(self.along(&every))
            }));
        }
        all.push(Mistake::new(
            "precision",
            "the shares are off by no more than narrower arithmetic makes them",
            || Some(wanted::coarse(self.ty(), self.wanted())),
        ));
        all
    }

    /// Shares along each axis in turn, of what the one before gave.
    fn one_by_one(&self) -> Vec<Wanted> {
        let mut last = Self {
            elements: self.elements.clone(),
            ..*self
        };
        let mut out = Vec::new();
        for axis in self.axes {
            out = last.along(&[*axis]);
            let value = |wanted: &Wanted| match wanted {
                Wanted::Real { value, .. } => *value,
                _ => f64::NAN,
            };
            last.elements = out.iter().map(value).collect();
        }
        out
    }

    /// A second way to the same, for one element of a group: 1 over the sum of what the others are to it.
    fn share_of(&self, group: &[usize], place: usize) -> f64 {
        let x = self.elements[place];
        1.0 / group.iter().map(|other| exp(self.elements[*other] - x)).sum::<f64>()
    }

    /// The first promise of a group that is broken: that shares make up 1, or that one is what it should be.
    fn broken(&self, due: &[Wanted], found: &[u64]) -> Option<(&'static str, usize)> {
        for group in self.groups(self.axes) {
            let wrong = |place: &&usize| !due[**place].allows(self.ty(), found[**place]);
            let Some(at) = group.iter().find(wrong) else { continue };
            let share = |place: &usize| match decode(self.ty(), found[*place]) {
                Number::Float(x) => x,
                Number::Int(n) => n as f64,
            };
            let (sum, room): (f64, f64) = (
                group.iter().map(share).sum(),
                group.iter().map(|place| due[*place].slack()).sum(),
            );
            let off = (sum - 1.0).abs();
            if off.is_nan() || off > room {
                return Some(("sum-not-one", *at));
            }
            let second = self.share_of(&group, *at);
            let slack = due[*at].slack();
            let off = (share(at) - second).abs() > slack;
            return Some((if off { "wrong-share" } else { "precision" }, *at));
        }
        None
    }
}

/// Shares by another power, in the sum of the first `count` members.
fn shares_by(members: &[f64], count: usize, power: fn(f64) -> f64) -> Vec<f64> {
    let greatest = members.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = members.iter().take(count).map(|x| power(x - greatest)).sum();
    members.iter().map(|x| power(x - greatest) / total).collect()
}

impl Oracle for ActivationSoftmax1 {
    fn classes(&self) -> &'static [&'static str] {
        CLASSES
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        Shares::of(call).map_or_else(Vec::new, |s| vec![wanted::bits(s.ty(), &s.wanted())])
    }

    fn slack(&self, call: &Call, _: &[Vec<u64>]) -> Vec<Vec<f64>> {
        Shares::of(call).map_or_else(Vec::new, |s| vec![wanted::slack(&s.wanted())])
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        let (Some(s), [found]) = (Shares::of(call), outputs) else {
            return Vec::new();
        };
        let (due, shape) = (s.wanted(), &s.input.shape);
        if wanted::first_wrong(s.ty(), &due, found).is_none() || found.len() != due.len() {
            return Vec::new();
        }
        let explained = wanted::explained(shape, &due, found, &s.mistakes());
        if !explained.is_empty() {
            return explained;
        }
        let (class, at) = s.broken(&due, found).unwrap_or(("wrong-share", 0));
        let of = format!(" for {}", Number::Float(s.elements.get(at).copied().unwrap_or(0.0)));
        vec![wanted::mismatch(class, shape, &due, found, at, &of)]
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        let Some(s) = Shares::of(call) else { return Vec::new() };
        let due = s.wanted();
        let mut classes = wanted::exposed(s.ty(), &due, &s.mistakes());
        classes.retain(|class| *class != "precision");
        let telling = |wanted: &Wanted| wanted.slack().is_finite() && wanted.bits(s.ty()) != 0;
        if due.iter().any(telling) {
            classes.extend(["wrong-share", "sum-not-one", "precision"]);
        }
        classes
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        let [axis] = call.uints("Axes")? else { return None };
        Some(OnnxForm {
            op_type: "Softmax",
            opset: 13,
            attributes: vec![("axis", i64::from(*axis))],
            lists: Vec::new(),
            gives: vec![None],
        })
    }
}

impl Shares<'_> {}

#[cfg(test)]
mod tests {
    use dml_spec::model::NumberClass;

    use super::*;
    use crate::oracle::tests::{input, small, ty};
    use dml_case::random::Random;

    #[test]
    fn a_second_way_comes_to_the_same() {
        let mut random = Random::of(1);
        let calls: [(&[u32], &[u32]); 5] = [
            (&[7], &[0]),
            (&[2, 3, 4], &[1]),
            (&[2, 3, 4], &[2, 0]),
            (&[2, 1, 3], &[1]),
            (&[2, 500], &[1]),
        ];
        for (bits, (sizes, axes)) in [16, 32].into_iter().flat_map(|bits| calls.map(|call| (bits, call))) {
            let ty = ty(NumberClass::Float, bits);
            let count: u32 = sizes.iter().product();
            let input = input(&ty, sizes, small(&ty, count as usize, &mut random));
            let elements = input.numbers().into_iter().map(Number::double).collect();
            let s = Shares {
                input: &input,
                axes,
                elements,
            };
            let due = s.wanted();
            for group in s.groups(s.axes) {
                let value = |place: usize| match due[place] {
                    Wanted::Real { value, .. } => value,
                    _ => f64::NAN,
                };
                let sum: f64 = group.iter().map(|place| value(*place)).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{sizes:?} {axes:?}: {sum}");
                for place in &group {
                    let off = (s.share_of(&group, *place) - value(*place)).abs();
                    assert!(off <= 1e-9 * value(*place) + 1e-300, "{sizes:?} {axes:?}: {off}");
                }
            }
        }
    }
}
