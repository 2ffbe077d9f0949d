//! Guesses about the strides of inputs: which of them were ignored, or taken for another input's.

use dml_spec::{Dims, layout};

use super::{
    Call, Input, Oracle,
    guess::{Elements, Guess, fixed, key},
};
use dml_case::{number::Number, tensor::Shape};

/// Class of such mistakes.
pub(super) const STRIDES_IGNORED: &str = "strides-ignored";

/// Of more strided inputs than this, none is looked at alone.
const ALONE: usize = 16;

/// How an input was read: its number, and the strides that it was read with.
type Read = (usize, Dims);

/// All such guesses, the most likely first.
pub(super) fn guesses<'a>(oracle: &'a dyn Oracle, call: &'a Call<'a>) -> Vec<Guess<'a>> {
    let mut guesses = Vec::new();
    for (says, reads) in packed(call).into_iter().chain(of_others(call)) {
        for (clamped, by_bits) in [(false, false), (true, false), (false, true), (true, true)] {
            let past = if clamped { "the last element" } else { "zeros" };
            let says = format!("{says}, with {past} behind its end");
            let reads = reads.clone();
            let gives = move || given(oracle, call, &reads, clamped, by_bits);
            guesses.push(Guess::new(STRIDES_IGNORED, says, gives));
        }
    }
    guesses
}

/// Inputs read as if they were packed: all that are strided, each alone, and all but the first or the last.
fn packed(call: &Call) -> Vec<(String, Vec<Read>)> {
    let strided = |(_, input): &(usize, &Input)| !input.shape.is_packed();
    let read = |(at, input): (usize, &Input)| Some((at, layout::packed_strides(&input.shape.sizes)?));
    let strided: Vec<Read> = call
        .inputs
        .iter()
        .enumerate()
        .filter(strided)
        .filter_map(read)
        .collect();
    let count = strided.len();
    if count == 0 {
        return Vec::new();
    }
    let mut sets = vec![("the input is read as if it were packed".to_owned(), strided.clone())];
    if (2..=ALONE).contains(&count) {
        for read in &strided {
            sets.push((
                format!("input {} alone is read as if it were packed", read.0),
                vec![read.clone()],
            ));
        }
    }
    if count > 2 {
        for (which, reads) in [("first", &strided[1..]), ("last", &strided[..count - 1])] {
            sets.push((
                format!("every strided input but the {which} is read as if it were packed"),
                reads.to_vec(),
            ));
        }
    }
    sets
}

/// Inputs read with the strides of another one of the same sizes.
fn of_others(call: &Call) -> Vec<(String, Vec<Read>)> {
    let fits = |own: &Shape, other: &Shape| own.sizes == other.sizes && own.strides != other.strides;
    let mut all = Vec::new();
    if call.inputs.len() > ALONE {
        return all;
    }
    for (at, input) in call.inputs.iter().enumerate() {
        for (number, other) in call.inputs.iter().enumerate() {
            if fits(&input.shape, &other.shape) {
                let says = format!("input {at} is read with the strides of input {number}");
                all.push((says, vec![(at, other.shape.strides.clone())]));
            }
        }
    }
    all
}

/// What comes out where inputs are read with these strides.
fn given(oracle: &dyn Oracle, call: &Call, reads: &[Read], clamped: bool, by_bits: bool) -> Option<Elements> {
    let mut changed = call.clone();
    for (at, strides) in reads {
        let input = changed.inputs.get_mut(*at)?;
        input.shape.strides = strides.clone();
        read_anew(input, clamped)?;
    }
    if !by_bits {
        return Some(fixed(oracle.reference(&changed)));
    }
    let keys = |input: &Input| {
        let key = |bits: &u64| key(&input.shape.ty, *bits, true);
        input.elements.iter().map(key).collect()
    };
    let keys: Vec<Vec<Number>> = changed.inputs.iter().map(keys).collect();
    oracle.ordered_by(&changed, &keys).map(fixed)
}

/// Reads the elements of an input by its strides. Behind its end lie zeros, or its last element again.
fn read_anew(input: &mut Input, clamped: bool) -> Option<()> {
    let shape = &input.shape;
    let mut elements = shape.read(&input.bytes);
    if clamped {
        let width = shape.width();
        let end = (input.bytes.len() / width.max(1)).checked_sub(1)?;
        let flat = Shape {
            sizes: [1].as_slice().into(),
            strides: [1].as_slice().into(),
            ..shape.clone()
        };
        let last = *flat.read(input.bytes.get(end * width..)?).first()?;
        let mut place = elements.iter_mut();
        shape.for_each_offset(|offset| {
            if let Some(element) = place.next().filter(|_| offset > end) {
                *element = last;
            }
        });
    }
    input.elements = elements;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::tests::ty;
    use dml_spec::model::NumberClass;

    #[test]
    fn inputs_are_read_anew_and_end_in_zeros_or_their_last_element() {
        let dims = |numbers: &[u32]| Dims::from_slice(numbers);
        let mut input = Input {
            shape: Shape {
                ty: ty(NumberClass::Unsigned, 16),
                sizes: dims(&[2, 3]),
                strides: dims(&[1, 2]),
                total_bytes: 12,
            },
            bytes: vec![1, 0, 2, 0, 3, 0, 4, 0].into(),
            elements: Vec::new(),
        };
        assert!(read_anew(&mut input, false).is_some());
        assert_eq!(input.elements, [1, 3, 0, 2, 4, 0]);
        assert!(read_anew(&mut input, true).is_some());
        assert_eq!(input.elements, [1, 3, 4, 2, 4, 4]);
        input.bytes = Vec::new().into();
        assert!(read_anew(&mut input, true).is_none(), "there is no last element");
    }
}
