//! Reduced tensors: the naive outputs, and how far each may be off.

use dml_spec::model::NumberClass;

use super::{Function, Sets, range, slack};
use crate::compare::Also;
use crate::oracle::{Call, Numbers};
use dml_case::{
    number::{Number, encode_float, encode_int},
    tensor::Shape,
};

/// A call that makes a number of every set and whose shapes fit together.
#[derive(Clone, Debug)]
pub(in crate::oracle) struct Reduced<'a> {
    output: &'a Shape,
    sets: Sets,
    numbers: Numbers<'a>,
    function: Function,
}

impl<'a> Reduced<'a> {
    /// What the call makes of the sets along `axes`.
    pub(in crate::oracle) fn of(call: &'a Call<'a>, axes: &'a [u32], function: Function) -> Option<Self> {
        let (input, [output]) = (call.inputs.first()?, call.outputs.as_slice()) else {
            return None;
        };
        let sets = Sets::of(&input.shape.sizes, axes)?;
        let fits = output.elements() == sets.count() as u64 && input.elements.len() == sets.count() * sets.size();
        let same = output.ty == input.shape.ty && sets.size() > 0;
        (fits && same).then_some(Self {
            output,
            sets,
            numbers: Numbers::Of(input),
            function,
        })
    }

    /// The outputs, each rounded once.
    pub(in crate::oracle) fn outputs(&self) -> Vec<u64> {
        self.made(self.function, &self.sets, self.numbers)
    }

    /// How far each output may be off.
    pub(in crate::oracle) fn slacks(&self) -> Vec<f64> {
        self.slacks_of(self.function, &self.sets)
    }

    fn made(&self, function: Function, sets: &Sets, numbers: Numbers) -> Vec<u64> {
        sets.iter()
            .map(|set| of_set(function, self.output, set, numbers).unwrap_or(0))
            .collect()
    }

    fn slacks_of(&self, function: Function, sets: &Sets) -> Vec<f64> {
        let bits = self.output.ty.bits;
        sets.iter()
            .map(|set| slack::slack(function, bits, floats(set, self.numbers)))
            .collect()
    }

    /// What may come out of each set all the same; see [`crate::oracle::Oracle::also`].
    pub(in crate::oracle) fn also(&self) -> Vec<Option<Also>> {
        self.also_of(self.function, &self.sets)
    }

    fn also_of(&self, function: Function, sets: &Sets) -> Vec<Option<Also>> {
        let ty = &self.output.ty;
        let of = |set| range::also(function, ty, floats(set, self.numbers));
        match ty.class {
            NumberClass::Float => sets.iter().map(of).collect(),
            _ => Vec::new(),
        }
    }
}

/// The elements of a set as floats.
fn floats<'a>(set: &'a [usize], numbers: Numbers<'a>) -> impl Iterator<Item = f64> + Clone + 'a {
    let float = move |place: &usize| match numbers.get(*place) {
        Some(Number::Float(x)) => x,
        _ => 0.0,
    };
    set.iter().map(float)
}

/// What the function makes of a set, as bits; `None` where it takes no such elements.
fn of_set(function: Function, output: &Shape, set: &[usize], numbers: Numbers) -> Option<u64> {
    if matches!(numbers.get(0), Some(Number::Float(_))) {
        return Some(encode_float(&output.ty, function.of_floats(floats(set, numbers))));
    }
    let integer = |place: &usize| match numbers.get(*place) {
        Some(Number::Int(n)) => n,
        _ => 0,
    };
    let made = function.of_integers(set.iter().map(integer))?;
    Some(encode_int(&output.ty, made))
}
