//! Guesses about outputs in the place of an input: an element of the input was overwritten before it was read.

use dml_ops::Alias;

use crate::oracle::{
    Call, Oracle, Seen,
    guess::{Elements, Guess, fixed},
};

/// Class of such failures; the guarantee that names it is the one about computing in place.
pub const OVERWRITTEN: &str = "input-overwritten";

/// Outputs of more elements are not computed one element at a time.
const ONE_BY_ONE: usize = 256;

/// What comes out where elements are computed from results instead of inputs.
pub(super) fn guesses<'a>(
    call: &'a Call<'a>,
    oracle: &'a dyn Oracle,
    seen: &Seen<'a>,
    aliases: &'a [Alias],
) -> Vec<Guess<'a>> {
    let mut found = Vec::new();
    for alias in aliases {
        let (expected, outputs) = (seen.expected, seen.outputs);
        let says =
            |how: &str| format!("{how}, so that the input in whose place it lies was overwritten before it was read");
        found.push(Guess::new(
            OVERWRITTEN,
            says("the output was computed a second time"),
            move || twice(call, oracle, *alias, expected, outputs),
        ));
        for backwards in [false, true] {
            let order = if backwards {
                "from the last element on"
            } else {
                "from the first element on"
            };
            found.push(Guess::new(
                OVERWRITTEN,
                says(&format!("each element was computed {order}")),
                move || one_by_one(call, oracle, *alias, expected, backwards),
            ));
        }
    }
    found
}

/// Elements are as they should be, or what is computed from those.
fn twice(
    call: &Call,
    oracle: &dyn Oracle,
    alias: Alias,
    expected: &[Vec<u64>],
    actual: &[Vec<u64>],
) -> Option<Elements> {
    let mut again = call.clone();
    hold(&mut again, alias, expected.get(alias.output)?);
    let mut given = oracle.reference(&again);
    for ((given, expected), actual) in given.iter_mut().zip(expected).zip(actual) {
        for ((given, expected), actual) in given.iter_mut().zip(expected).zip(actual) {
            if expected == actual {
                *given = *expected;
            }
        }
    }
    Some(fixed(given))
}

/// Each element is computed from what the memory holds by then.
fn one_by_one(
    call: &Call,
    oracle: &dyn Oracle,
    alias: Alias,
    expected: &[Vec<u64>],
    backwards: bool,
) -> Option<Elements> {
    let mut given = expected.to_vec();
    let count = given.get(alias.output)?.len();
    if count > ONE_BY_ONE {
        return None;
    }
    let mut now = call.clone();
    let mut memory = now.inputs.get(alias.input)?.elements.clone();
    for step in 0..count {
        let at = if backwards { count - 1 - step } else { step };
        hold(&mut now, alias, &memory);
        let computed = *oracle.reference(&now).get(alias.output)?.get(at)?;
        *memory.get_mut(at)? = computed;
        *given.get_mut(alias.output)?.get_mut(at)? = computed;
    }
    Some(fixed(given))
}

/// Lets the input of an alias hold these elements.
fn hold(call: &mut Call, alias: Alias, elements: &[u64]) {
    if let Some(input) = call.inputs.get_mut(alias.input) {
        input.elements = elements.to_vec();
        input.shape.write(input.bytes.to_mut(), elements.iter().copied());
    }
}
