//! What operators share that only copy: each element of their output is one of their inputs', and the output's
//! coordinates say which. What has to stand where is the operator's to say; here it is held against what does.

use std::collections::HashSet;

use super::{Call, Mismatch, selection::near};
use dml_case::number::{decode, is_nan};

/// Where an element comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// Input, counted among those present.
    pub(super) input: usize,
    /// Element of the input in row-major order.
    pub(super) place: usize,
    /// Class of the mistake where another element stands in its place.
    pub(super) misplaced: &'static str,
}

/// The source of the element at coordinates of the output; `None` where nobody says what stands there.
pub(super) type Sources<'a> = &'a dyn Fn(&[u32]) -> Option<Source>;

/// Place, in row-major order, of the element at `coordinates`; `None` where there is none.
pub(super) fn place(sizes: &[u32], coordinates: &[u32]) -> Option<usize> {
    let mut place = 0usize;
    for (size, at) in sizes.iter().zip(coordinates) {
        if at >= size {
            return None;
        }
        place = place.checked_mul(*size as usize)?.checked_add(*at as usize)?;
    }
    (sizes.len() == coordinates.len()).then_some(place)
}

/// What is wrong with the only output: one mismatch a class, changed values first. `classes` are those of misplaced
/// elements, the most telling first.
pub(super) fn check(call: &Call, outputs: &[Vec<u64>], classes: &[&str], sources: Sources) -> Vec<Mismatch> {
    let (Some(shape), [output]) = (call.outputs.first(), outputs) else {
        return vec![missing(outputs.len(), "outputs")];
    };
    if output.len() as u64 != shape.elements() {
        return vec![missing(output.len(), "elements")];
    }
    let mut found: Vec<Mismatch> = Vec::new();
    let mut pool = None;
    for (at, bits) in output.iter().enumerate() {
        let coordinates = shape.coordinates(at as u64);
        let Some((source, expected)) = sources(&coordinates).and_then(|s| Some((s, bits_at(call, s)?))) else {
            continue;
        };
        if *bits == expected || (is_nan(&shape.ty, *bits) && is_nan(&shape.ty, expected)) {
            continue;
        }
        let pool = pool.get_or_insert_with(|| elements(call, source.input));
        let (actual, wanted) = (decode(&shape.ty, *bits), decode(&shape.ty, expected));
        let class = match pool.contains(bits) {
            true => source.misplaced,
            false if near(actual, wanted) => "precision",
            false => "value-changed",
        };
        if found.iter().all(|m| m.class != class) {
            let what = if pool.contains(bits) {
                "another element"
            } else {
                "no element"
            };
            found.push(Mismatch {
                class,
                output: 0,
                at: at as u64,
                message: format!(
                    "{actual} is {what} of the input; at [{}] belongs {wanted}",
                    comma(&coordinates)
                ),
                whole: false,
            });
        }
    }
    let order = ["value-changed", "precision"].iter().chain(classes);
    let order: Vec<&&str> = order.collect();
    found.sort_by_key(|m| order.iter().position(|class| **class == m.class));
    found
}

/// Classes that wrong outputs of this call could show, those of its misplaced elements included.
pub(super) fn exposes(call: &Call, sources: Sources) -> Vec<&'static str> {
    let mut classes = Vec::new();
    let mut add = |class, can: bool| {
        if can && !classes.contains(&class) {
            classes.push(class);
        }
    };
    let Some(shape) = call.outputs.first() else {
        return classes;
    };
    // Whether the elements that an input offers differ.
    let mut differ: Vec<Option<bool>> = vec![None; call.inputs.len()];
    for at in 0..shape.elements() {
        let Some((source, bits)) = sources(&shape.coordinates(at)).and_then(|s| Some((s, bits_at(call, s)?))) else {
            continue;
        };
        if let Some(differ) = differ.get_mut(source.input) {
            let differ = *differ.get_or_insert_with(|| elements(call, source.input).len() > 1);
            add(source.misplaced, differ);
        }
        // A buffer of zeros is what many a mistake leaves.
        add("value-changed", bits != 0);
    }
    classes
}

/// Bits of the element that a source names.
pub(super) fn bits_at(call: &Call, source: Source) -> Option<u64> {
    call.inputs.get(source.input)?.elements.get(source.place).copied()
}

/// All elements of the inputs that have the data type of this one.
fn elements(call: &Call, input: usize) -> HashSet<u64> {
    let Some(ty) = call.inputs.get(input).map(|input| &input.shape.ty) else {
        return HashSet::new();
    };
    let alike = call.inputs.iter().filter(|input| input.shape.ty == *ty);
    alike.flat_map(|input| input.elements.iter().copied()).collect()
}

fn missing(count: usize, what: &str) -> Mismatch {
    Mismatch {
        class: "value-changed",
        output: 0,
        at: 0,
        message: format!("found {count} {what}, which is not what the operator gives"),
        whole: true,
    }
}

/// Coordinates as messages show them.
pub(super) fn comma(coordinates: &[u32]) -> String {
    let all: Vec<String> = coordinates.iter().map(u32::to_string).collect();
    all.join(",")
}
