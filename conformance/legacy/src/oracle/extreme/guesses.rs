//! Mistakes that implementations of extremes make, and the outputs they lead to.

use super::{Extreme, properties::other_axes};
use crate::oracle::{
    Guess,
    guess::{self, Elements, fixed},
    reduction::{Sets, tails},
};
use dml_case::number::Number;

/// What an extreme is told by: its index, or itself.
pub(in crate::oracle) type Tell = fn(&Extreme, &[Number]) -> Vec<u64>;

/// All of them, the most likely first.
pub(in crate::oracle) fn all<'a>(extreme: Extreme<'a>, tell: Tell) -> Vec<Guess<'a>> {
    let extreme = std::rc::Rc::new(extreme);
    let mut guesses = Vec::new();
    for end in tails(extreme.sets.size()) {
        let (says, of) = (skipped(end, extreme.sets.size()), extreme.clone());
        let gives = move || Some(fixed(vec![without(&of, tell, |index| index >= end)]));
        guesses.push(Guess::new("element-skipped", says, gives));
    }
    if extreme.sets.size() > 1 {
        let of = extreme.clone();
        let gives = move || Some(fixed(vec![without(&of, tell, |index| index == 0)]));
        let says = "the first element of every set takes no part";
        guesses.push(Guess::new("element-skipped", says, gives));
    }
    for axes in other_axes(&extreme) {
        let (of, named) = (extreme.clone(), axes.clone());
        guesses.push(Guess {
            class: "axis-confused",
            says: format!("axes {axes:?} are reduced instead of {:?}", extreme.axes),
            partial: true,
            gives: Box::new(move || along(&of, tell, &named)),
        });
    }
    guesses
}

fn skipped(end: usize, size: usize) -> String {
    if end + 1 == size {
        "the last element of every set takes no part".to_owned()
    } else {
        format!("elements from index {end} on of every set take no part")
    }
}

/// Some elements, by their index, take no part.
fn without(extreme: &Extreme, tell: Tell, skip: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut keys: Vec<Number> = extreme.numbers.iter().collect();
    for set in extreme.sets.iter() {
        let skipped = set.iter().enumerate().filter(|(index, _)| skip(*index));
        for (_, place) in skipped {
            // NaN comes last.
            keys[*place] = Number::Float(f64::NAN);
        }
    }
    tell(extreme, &keys)
}

/// The outputs that other axes make, one behind the other as far as there is room.
fn along(extreme: &Extreme, tell: Tell, axes: &[u32]) -> Option<Elements> {
    let other = Extreme {
        sets: Sets::of(&extreme.input.shape.sizes, axes)?,
        ..extreme.clone()
    };
    let keys: Vec<Number> = extreme.numbers.iter().collect();
    let told = Some(tell(&other, &keys)).filter(|told| guess::tell(told))?;
    let mut given: Vec<Option<u64>> = told.into_iter().map(Some).collect();
    given.resize(extreme.sets.count(), None);
    Some(vec![given])
}
