//! GATHER: elements taken along an axis by their indices.

#[path = "gather/faults.rs"]
mod faults;

use dml_spec::Dims;

use crate::oracle::{
    Call, ComputingFault, Guess, Input, Lanes, Mismatch, OnnxForm, Oracle, Seen,
    copying::{self, Source, place},
    guess::{fixed, halved_index, low_bits},
};
use dml_case::number::{Number, decode, mask};

/// The oracle.
pub(super) static ORACLE: Gather = Gather;

/// See the module.
pub(super) struct Gather;

const MISPLACED: &str = "element-misplaced";
const NEGATIVE: &str = "negative-index";

/// A call whose tensors there are.
#[derive(Clone, Copy)]
struct Parts<'a> {
    input: &'a Input<'a>,
    indices: &'a Input<'a>,
    axis: usize,
    /// Elements along the axis.
    size: i128,
    /// How many dimensions of the indices count.
    dims: usize,
    /// Elements of the output.
    elements: usize,
}

fn parts<'a>(call: &'a Call<'a>) -> Option<Parts<'a>> {
    let [input, indices] = call.inputs.as_slice() else {
        return None;
    };
    let axis = usize::try_from(call.uint("Axis")?).ok()?;
    let elements = usize::try_from(call.outputs.first()?.elements()).ok()?;
    Some(Parts {
        elements,
        input,
        indices,
        axis,
        size: i128::from(*input.shape.sizes.get(axis)?),
        dims: usize::try_from(call.uint("IndexDimensions")?).ok()?,
    })
}

impl Parts<'_> {
    /// An index as it is written.
    fn written(&self, at: usize) -> Option<i128> {
        match decode(&self.indices.shape.ty, *self.indices.elements.get(at)?) {
            Number::Int(index) => Some(index),
            Number::Float(_) => None,
        }
    }

    /// The element along the axis that an index means; it may lie beyond either end.
    fn meant(&self, index: i128) -> i128 {
        if index < 0 { index + self.size } else { index }
    }

    /// The output if `take` said which element along the axis an index takes; `None` leaves it open. The axis is cut
    /// out of the flat input, and the flat indices take its place: where dimensions of one element are cropped or
    /// added makes no difference to that.
    fn gathered(&self, take: impl Fn(usize) -> Option<i128>) -> Option<Vec<Option<u64>>> {
        // Along another axis there may be far more elements.
        if !self.has_room() {
            return None;
        }
        let lanes = Lanes::along(&self.input.shape.sizes, self.axis)?;
        let count = self.indices.elements.len();
        let mut output = Vec::with_capacity(self.elements);
        for outer in 0..lanes.outer {
            for at in 0..count {
                let index = take(at)
                    .and_then(|index| usize::try_from(index).ok())
                    .filter(|i| *i < lanes.size);
                for inner in 0..lanes.inner {
                    let from = |index: usize| (outer * lanes.size + index) * lanes.inner + inner;
                    output.push(index.and_then(|index| self.input.elements.get(from(index)).copied()));
                }
            }
        }
        Some(output)
    }

    /// Input coordinates and the index that the output's coordinates lead to: dimensions are matched one by one, from
    /// the last one on. Dimensions of the concatenation that the output has no room for are at 0.
    fn locate(&self, output: &[u32]) -> Option<(Dims, i128)> {
        let rank = output.len();
        // Where a place of the concatenation stands in the output.
        let at = |place: usize| match (place + 1).checked_sub(self.dims) {
            Some(d) => output.get(d).copied(),
            None => Some(0),
        };
        let mut from = Dims::from_elem(0, rank);
        let mut index = Dims::from_elem(0, rank);
        for d in 0..rank {
            from[d] = match d.cmp(&self.axis) {
                std::cmp::Ordering::Less => at(d)?,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => at(d + self.dims - 1)?,
            };
        }
        for j in 0..self.dims {
            *index.get_mut((rank + j).checked_sub(self.dims)?)? = at(self.axis + j)?;
        }
        let written = self.written(place(&self.indices.shape.sizes, &index)?)?;
        Some((from, written))
    }

    /// Whether every element of the concatenation has its place in the output.
    fn has_room(&self) -> bool {
        let lanes = Lanes::along(&self.input.shape.sizes, self.axis);
        let places = |l: Lanes| l.outer.checked_mul(self.indices.elements.len())?.checked_mul(l.inner);
        lanes.and_then(places) == Some(self.elements)
    }

    fn source(&self, output: &[u32]) -> Option<Source> {
        if !self.has_room() {
            return None;
        }
        let (mut from, written) = self.locate(output)?;
        from[self.axis] = u32::try_from(self.meant(written)).ok()?;
        Some(Source {
            input: 0,
            place: place(&self.input.shape.sizes, &from)?,
            misplaced: if written < 0 { NEGATIVE } else { MISPLACED },
        })
    }

    /// The output if every index were read by `read`, from its place and what is written there.
    fn read_as(&self, read: impl Fn(usize, i128) -> i128) -> Option<Vec<Vec<Option<u64>>>> {
        let output = self.gathered(|at| Some(read(at, self.written(at)?)))?;
        Some(vec![output])
    }

    fn clamped(&self, index: i128) -> i128 {
        index.clamp(0, self.size - 1)
    }

    /// The 64-bit index at `at` if indices were read as 32-bit words, one behind the other.
    fn half(&self, at: usize) -> Option<i128> {
        let bits = *self.indices.elements.get(at / 2)?;
        let word = (bits >> (32 * (at as u64 % 2))) & mask(32);
        Some(i128::from(word as u32 as i32))
    }
}

impl Oracle for Gather {
    fn classes(&self) -> &'static [&'static str] {
        &[
            "axis-confused",
            MISPLACED,
            "index-shifted",
            "index-width",
            NEGATIVE,
            "precision",
            "value-changed",
        ]
    }

    /// Invalid indices take the nearest element.
    fn reference(&self, call: &Call) -> Vec<Vec<u64>> {
        let output = parts(call).and_then(|p| p.gathered(|at| Some(p.clamped(p.meant(p.written(at)?)))));
        let output = output.and_then(|output| output.into_iter().collect());
        output.into_iter().collect()
    }

    fn check(&self, call: &Call, outputs: &[Vec<u64>]) -> Vec<Mismatch> {
        let Some(parts) = parts(call) else { return Vec::new() };
        copying::check(call, outputs, &[NEGATIVE, MISPLACED], &|at| parts.source(at))
    }

    fn faults(&self) -> Vec<ComputingFault> {
        faults::all()
    }

    fn exposes(&self, call: &Call) -> Vec<&'static str> {
        parts(call).map_or_else(Vec::new, |parts| copying::exposes(call, &|at| parts.source(at)))
    }

    fn onnx(&self, call: &Call) -> Option<OnnxForm> {
        let parts = parts(call)?;
        // ONNX counts every dimension of the indices, and crops none.
        (parts.dims == parts.indices.shape.sizes.len() && parts.dims == 1).then(|| OnnxForm {
            op_type: "Gather",
            opset: 13,
            attributes: vec![("axis", parts.axis as i64)],
            lists: Vec::new(),
            gives: vec![None],
        })
    }

    fn guesses<'a>(&'a self, call: &'a Call<'a>, _: &'a Seen<'a>) -> Vec<Guess<'a>> {
        let Some(p) = parts(call) else { return Vec::new() };
        let mut guesses = Vec::new();
        type Read = fn(&Parts, i128) -> i128;
        let mut add = |class, says: &str, read: Read| {
            let gives = move || p.read_as(|_, index| p.clamped(read(&p, index)));
            guesses.push(Guess::new(class, says, gives));
        };
        add(NEGATIVE, "negative indices take the first element", |_, index| index);
        add(
            NEGATIVE,
            "negative indices take the last element, as if they were large ones",
            |p, index| {
                if index < 0 { p.size } else { index }
            },
        );
        add(NEGATIVE, "the sign of indices is dropped", |_, index| index.abs());
        add(
            NEGATIVE,
            "negative indices count from the last element but one",
            |p, index| {
                if index < 0 { p.size - 1 + index } else { index }
            },
        );
        add("index-shifted", "indices count from 1", |p, index| p.meant(index) - 1);
        add("index-shifted", "every index takes the next element", |p, index| {
            p.meant(index) + 1
        });
        add("index-width", "of indices the low 8 bits count", |p, index| {
            p.meant(low_bits(index, 8))
        });
        add("index-width", "of indices the low 16 bits count", |p, index| {
            p.meant(low_bits(index, 16))
        });
        add("index-width", "indices are rounded to FLOAT16", |p, index| {
            p.meant(halved_index(index))
        });
        if p.indices.shape.ty.bits == 64 {
            guesses.push(Guess::new(
                "index-width",
                "64-bit indices are read as pairs of 32-bit ones",
                move || p.read_as(|at, _| p.clamped(p.meant(p.half(at).unwrap_or(0)))),
            ));
        }
        let rank = p.input.shape.sizes.len();
        for other in (0..rank).filter(|other| *other != p.axis) {
            let says = format!("elements are taken along axis {other} instead of {}", p.axis);
            guesses.push(Guess::new("axis-confused", says, move || {
                let size = i128::from(*p.input.shape.sizes.get(other)?);
                let p = Parts { axis: other, size, ..p };
                p.read_as(|_, index| p.clamped(p.meant(index)))
            }));
        }
        guesses.push(Guess::new(MISPLACED, "the indices are not looked at", move || {
            let output = p.gathered(|at| Some(p.clamped(at as i128)))?;
            let output: Option<Vec<u64>> = output.into_iter().collect();
            Some(fixed(vec![output?]))
        }));
        guesses
    }
}
