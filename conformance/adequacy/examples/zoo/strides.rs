//! Backends that take the layout of inputs for another one.

use dml_spec::{Dims, layout};

use crate::{
    fault::{About, Fault},
    reading::reading,
};
use dml_case::tensor::Shape;
use dml_legacy::oracle::{Call, Input, Right};

/// Reads an input by other strides; what lies behind the buffer's end is zero.
fn read_by(input: &mut Input, strides: Dims) -> bool {
    if strides == input.shape.strides {
        return false;
    }
    input.shape.strides = strides;
    let read = input.shape.read(&input.bytes);
    let changed = read != input.elements;
    input.elements = read;
    changed
}

/// Reads inputs as if they were packed: those of which `which` says so, by number and shape.
fn read_as_packed(call: &mut Call, which: impl Fn(usize, &Shape) -> bool) -> bool {
    let mut changed = false;
    for (at, input) in call.inputs.iter_mut().enumerate() {
        let packed = layout::packed_strides(&input.shape.sizes).filter(|_| which(at, &input.shape));
        changed |= packed.is_some_and(|packed| read_by(input, packed));
    }
    changed
}

/// Ways to take the layouts of this operator's inputs for others.
pub(crate) fn faults(about: &About) -> Vec<Fault> {
    let strides = || Right::Named(&["strides-ignored"]);
    let mut all = vec![
        reading(
            "input-strides-ignored",
            "inputs are read as if they were packed",
            strides(),
            |call| read_as_packed(call, |_, _| true),
        ),
        reading(
            "broadcast-read-as-packed",
            "inputs with a stride of 0 are read as if they were packed",
            strides(),
            |call| read_as_packed(call, |_, shape| shape.is_repeated()),
        ),
        reading(
            "rows-read-as-packed",
            "inputs whose rows are padded are read as if they were packed",
            strides(),
            |call| read_as_packed(call, |_, shape| shape.is_pitched()),
        ),
        reading(
            "one-element-late",
            "inputs are read from their second element on",
            Right::Symptom(&["strides-ignored"]),
            |call| {
                call.inputs.iter_mut().fold(false, |changed, input| {
                    let width = input.shape.width();
                    let mut bytes = input.bytes.get(width..).unwrap_or_default().to_vec();
                    bytes.resize(input.bytes.len(), 0);
                    let read = input.shape.read(&bytes);
                    let differs = read != input.elements;
                    input.elements = read;
                    input.bytes = bytes.into();
                    changed | differs
                })
            },
        ),
    ];
    if about.input_count > 1 {
        all.extend(one_of_several());
    }
    if about.dimensions > 1 {
        all.push(reading(
            "column-major",
            "packed inputs are read with their first dimension fastest",
            Right::Symptom(&["strides-ignored"]),
            |call| {
                let mut changed = false;
                for input in &mut call.inputs {
                    let sizes = input.shape.sizes.clone();
                    if layout::packed_strides(&sizes).as_ref() != Some(&input.shape.strides) {
                        continue;
                    }
                    let mut stride = 1_u32;
                    let strides = sizes.iter().map(|size| {
                        let own = stride;
                        stride = stride.saturating_mul(*size);
                        own
                    });
                    changed |= read_by(input, strides.collect());
                }
                changed
            },
        ));
    }
    if about.dimensions > 4 {
        all.push(reading(
            "dimensions-beyond-four",
            "of more than four dimensions the first ones are taken as 0",
            Right::Symptom(&["strides-ignored"]),
            |call| {
                let mut changed = false;
                for input in &mut call.inputs {
                    let over = input.shape.sizes.len().saturating_sub(4);
                    let mut strides = input.shape.strides.clone();
                    strides.iter_mut().take(over).for_each(|stride| *stride = 0);
                    changed |= read_by(input, strides);
                }
                changed
            },
        ));
    }
    all
}

/// Where there are several inputs, some may be read rightly.
fn one_of_several() -> Vec<Fault> {
    type Which = fn(usize) -> bool;
    let known: [(&str, &str, Which); 3] = [
        (
            "first-input-as-packed",
            "the first input alone is read as if it were packed",
            |at| at == 0,
        ),
        (
            "second-input-as-packed",
            "the second input alone is read as if it were packed",
            |at| at == 1,
        ),
        (
            "later-inputs-as-packed",
            "all inputs but the first are read as if they were packed",
            |at| at > 0,
        ),
    ];
    let strides = || Right::Named(&["strides-ignored"]);
    let alone = known.map(|(name, says, which)| {
        reading(name, says, strides(), move |call| {
            read_as_packed(call, |at, _| which(at))
        })
    });
    let shared = [
        ("strides-of-the-first-input", "the second input is read", 0, 1),
        ("strides-of-the-second-input", "the first input is read", 1, 0),
    ];
    let shared = shared.map(|(name, says, from, to)| {
        let says = format!("{says} with the strides of the other, where they have the same sizes");
        reading(name, &says, strides(), move |call| taken_from(call, from, to))
    });
    alone.into_iter().chain(shared).collect()
}

/// Reads input `to` with the strides of input `from`.
fn taken_from(call: &mut Call, from: usize, to: usize) -> bool {
    let other = call.inputs.get(from).map(|input| input.shape.clone());
    let own = call.inputs.get_mut(to);
    let pair = other.zip(own).filter(|(other, own)| other.sizes == own.shape.sizes);
    pair.is_some_and(|(other, own)| read_by(own, other.strides))
}
