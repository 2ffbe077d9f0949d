//! SLICE1: elements copied at regular steps, forwards or backwards, from a window of a tensor.

use dml_spec::{Dims, Value};

use crate::oracle::{
    Call, Guess, Mismatch, Oracle, Seen, copying,
    copying::{Source, bits_at, place},
    guess::fixed,
};

/// The oracle.
pub(super) static ORACLE: Slice1 = Slice1;

/// See the module.
pub(super) struct Slice1;

const MISPLACED: &str = "element-misplaced";
const FORWARD: &str = "forward-start";
const BACKWARD: &str = "backward-start";

/// The window in one dimension.
#[derive(Clone, Copy)]
struct Window {
    offset: i64,
    size: i64,
    stride: i64,
    /// Elements copied.
    out: i64,
    /// Elements of the input.
    input: i64,
}

fn windows(call: &Call) -> Option<Vec<Window>> {
    let list = |field| match call.value(field)? {
        Value::UInts(Some(list)) => Some(list.iter().map(|n| i64::from(*n)).collect::<Vec<_>>()),
        Value::Ints(Some(list)) => Some(list.iter().map(|n| i64::from(*n)).collect()),
        _ => None,
    };
    let (offsets, sizes) = (list("InputWindowOffsets")?, list("InputWindowSizes")?);
    let strides = list("InputWindowStrides")?;
    let (input, output) = (call.inputs.first()?, call.outputs.first()?);
    let rank = output.sizes.len();
    let window = |d: usize| {
        Some(Window {
            offset: *offsets.get(d)?,
            size: *sizes.get(d)?,
            stride: *strides.get(d)?,
            out: i64::from(*output.sizes.get(d)?),
            input: i64::from(*input.shape.sizes.get(d)?),
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

/// The places that a window lets through, in the order of the output: all of them are listed, turned around and
/// thinned out, without any formula.
fn places(w: &Window) -> Vec<u32> {
    let all = w.offset..w.offset.saturating_add(w.size).min(w.input);
    let mut all: Vec<u32> = all.filter_map(|n| u32::try_from(n).ok()).collect();
    if w.stride < 0 {
        all.reverse();
    }
    let step = usize::try_from(w.stride.unsigned_abs()).unwrap_or(usize::MAX).max(1);
    let out = usize::try_from(w.out).unwrap_or(0);
    all.into_iter().step_by(step).take(out).collect()
}

/// The places of every dimension.
struct Grid(Vec<Window>, Vec<Vec<u32>>);

fn grid(call: &Call) -> Option<Grid> {
    let windows = windows(call)?;
    let places = windows.iter().map(places).collect();
    Some(Grid(windows, places))
}

impl Grid {
    fn source(&self, call: &Call, coordinates: &[u32]) -> Option<Source> {
        let from = self
            .1
            .iter()
            .zip(coordinates)
            .map(|(places, c)| places.get(*c as usize).copied());
        let from: Dims = from.collect::<Option<_>>()?;
        Some(Source {
            input: 0,
            place: place(&call.inputs.first()?.shape.sizes, &from)?,
            misplaced: self.misplaced(coordinates),
        })
    }

    /// A wrong first element is a wrong start, backwards if any dimension goes backwards through several.
    fn misplaced(&self, coordinates: &[u32]) -> &'static str {
        if coordinates.iter().any(|c| *c > 0) {
            MISPLACED
        } else if self.0.iter().any(|w| w.stride < 0 && w.size > 1) {
            BACKWARD
        } else {
            FORWARD
        }
    }
}

/// What comes out where an entry of one dimension is ignored.
fn in_one_dimension<'a>(call: &'a Call<'a>, d: usize) -> [Guess<'a>; 2] {
    type Without = fn(&Window) -> Window;
    let guess = |class, what: &str, without: Without| {
        Guess::new(class, format!("the {what} of dimension {d} is ignored"), move || {
            let mut windows = windows(call)?;
            let window = windows.get_mut(d)?;
            *window = without(window);
            Some(fixed(vec![sliced(call, &windows, page)?]))
        })
    };
    let no_offset: Without = |w| Window { offset: 0, ..*w };
    let no_stride: Without = |w| Window {
        stride: w.stride.signum(),
        ..*w
    };
    [
        guess("offset-ignored", "offset", no_offset),
        guess("window-stride-ignored", "stride", no_stride),
    ]
}

impl Oracle for Slice1 {
    fn classes(&self) -> &'static [&'static str] {
        &[
            "axis-confused",
            BACKWARD,
            MISPLACED,
            FORWARD,
            "offset-ignored",
            "precision",
            "value-changed",
            "window-stride-ignored",
        ]
    }

    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        windows(call)
            .and_then(|windows| sliced(call, &windows, page))
            .into_iter()
            .collect()
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        let Some(grid) = grid(call) else { return Vec::new() };
        let classes = [BACKWARD, FORWARD, MISPLACED];
        copying::check(call, outputs, &classes, &|at| grid.source(call, at))
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        grid(call).map_or_else(Vec::new, |grid| copying::exposes(call, &|at| grid.source(call, at)))
    }

    fn guesses<'a>(&'a self, call: &'a Call<'a>, _: &'a Seen<'a>) -> Vec<Guess<'a>> {
        let mut guesses = Vec::new();
        type At = fn(&Window, i64) -> i64;
        let mut add = |class, says: &str, at: At| {
            let gives = move || Some(fixed(vec![sliced(call, &windows(call)?, at)?]));
            guesses.push(Guess::new(class, says, gives));
        };
        add(
            "window-stride-ignored",
            "every element of the window is copied, whatever the stride",
            |w, c| {
                page(
                    &Window {
                        stride: w.stride.signum(),
                        ..*w
                    },
                    c,
                )
            },
        );
        add(BACKWARD, "the sign of strides is ignored", |w, c| {
            w.offset + w.stride.abs() * c
        });
        add(
            BACKWARD,
            "copying backwards ends at the window's beginning, whatever its size",
            |w, c| {
                let start = if w.stride < 0 {
                    w.offset + (w.out - 1) * -w.stride
                } else {
                    w.offset
                };
                start + w.stride * c
            },
        );
        add(BACKWARD, "copying backwards starts at the end of the input", |w, c| {
            let start = if w.stride < 0 { w.input - 1 } else { w.offset };
            start + w.stride * c
        });
        add(
            BACKWARD,
            "copying backwards starts one past the end of the window",
            |w, c| {
                let start = if w.stride < 0 {
                    (w.offset + w.size).min(w.input - 1)
                } else {
                    w.offset
                };
                start + w.stride * c
            },
        );
        add("offset-ignored", "the window's offsets are ignored", |w, c| {
            page(&Window { offset: 0, ..*w }, c)
        });
        for d in 0..call.outputs.first().map_or(0, |shape| shape.sizes.len()) {
            guesses.extend(in_one_dimension(call, d));
        }
        guesses.push(Guess::new(
            "axis-confused",
            "the lists are read from the last dimension to the first",
            move || {
                let windows = windows(call)?;
                let turned = windows.iter().zip(windows.iter().rev());
                let turned = turned.map(|(w, other)| Window {
                    out: w.out,
                    input: w.input,
                    ..*other
                });
                Some(fixed(vec![sliced(call, &turned.collect::<Vec<_>>(), page)?]))
            },
        ));
        guesses.push(Guess::new(
            MISPLACED,
            "the input's first elements are copied in order",
            move || {
                let count = usize::try_from(call.outputs.first()?.elements()).ok()?;
                let all = (0..count).map(|at| {
                    bits_at(
                        call,
                        Source {
                            input: 0,
                            place: at,
                            misplaced: MISPLACED,
                        },
                    )
                });
                Some(fixed(vec![all.collect::<Option<_>>()?]))
            },
        ));
        guesses
    }
}
