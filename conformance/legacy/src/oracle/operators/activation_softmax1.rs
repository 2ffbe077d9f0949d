//! ACTIVATION_SOFTMAX1: the share of every element in the exponentials of its group.

#[path = "activation_softmax1/faults.rs"]
mod faults;

use dml_spec::model::DataType;

use crate::oracle::{
    Call, ComputingFault, Input, Oracle,
    elementary::{exp, exp_m1},
    rounding,
    wanted::{self, Wanted},
};
use dml_case::number::{Number, decode};

/// The oracle.
pub(super) static ORACLE: ActivationSoftmax1 = ActivationSoftmax1;

/// See the module.
pub(super) struct ActivationSoftmax1;

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
}

impl Oracle for ActivationSoftmax1 {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        Shares::of(call).map_or_else(Vec::new, |s| vec![wanted::bits(s.ty(), &s.wanted())])
    }

    fn slack(&self, call: &Call, _: &[Vec<u64>]) -> Vec<Vec<f64>> {
        Shares::of(call).map_or_else(Vec::new, |s| vec![wanted::slack(&s.wanted())])
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }
}
