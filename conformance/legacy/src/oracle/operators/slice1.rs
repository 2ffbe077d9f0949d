//! SLICE1: elements copied at regular steps, forwards or backwards, from a window of a tensor.

use dml_spec::{Dims, Value};

use crate::oracle::{Call, Oracle, copying::place};

/// The oracle.
pub(super) static ORACLE: Slice1 = Slice1;

/// See the module.
pub(super) struct Slice1;

/// The window in one dimension.
#[derive(Clone, Copy)]
struct Window {
    offset: i64,
    size: i64,
    stride: i64,
}

fn windows(call: &Call) -> Option<Vec<Window>> {
    let list = |field| match call.value(field)? {
        Value::UInts(Some(list)) => Some(list.iter().map(|n| i64::from(*n)).collect::<Vec<_>>()),
        Value::Ints(Some(list)) => Some(list.iter().map(|n| i64::from(*n)).collect()),
        _ => None,
    };
    let (offsets, sizes) = (list("InputWindowOffsets")?, list("InputWindowSizes")?);
    let strides = list("InputWindowStrides")?;
    let rank = call.outputs.first()?.sizes.len();
    let window = |d: usize| {
        Some(Window {
            offset: *offsets.get(d)?,
            size: *sizes.get(d)?,
            stride: *strides.get(d)?,
        })
    };
    (0..rank).map(window).collect()
}

/// The output if dimension `d` of the input were read at `at(window, coordinate)`: the formula of the page.
fn sliced(call: &Call, windows: &[Window], at: impl Fn(&Window, i64) -> i64) -> Option<Vec<u64>> {
    let (input, output) = (call.inputs.first()?, call.outputs.first()?);
    let element = |number: u64| {
        let coordinates = output.coordinates(number);
        let from = windows
            .iter()
            .zip(&coordinates)
            .map(|(w, c)| u32::try_from(at(w, i64::from(*c))).ok());
        let from: Dims = from.collect::<Option<_>>()?;
        input.elements.get(place(&input.shape.sizes, &from)?).copied()
    };
    (0..output.elements()).map(element).collect()
}

/// Where the page has copying start, and how it goes on.
fn page(w: &Window, coordinate: i64) -> i64 {
    let start = if w.stride < 0 { w.offset + w.size - 1 } else { w.offset };
    start + w.stride * coordinate
}

impl Oracle for Slice1 {
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        windows(call)
            .and_then(|windows| sliced(call, &windows, page))
            .into_iter()
            .collect()
    }
}
