//! Input tensors as the meaning reads them: numbers in logical order, with what a clause leaves open.

use std::rc::Rc;

use dml_case::number::{Number, decode, is_denormal};
use dml_spec::{
    desc::TensorDesc,
    model::{DataType, NumberClass},
};

use smallvec::SmallVec;

use super::{
    column::{Ints, Reals, Store, Value, flushing},
    format::Format,
    real::Real,
};

/// A tensor and its elements.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub(crate) sizes: Vec<i64>,
    /// Distance between neighbours in the logical, row-major order.
    pub(crate) steps: Vec<i64>,
    /// Distance between neighbours in the buffer.
    pub(crate) strides: Vec<i64>,
    /// How many elements fit into the buffer, gaps and padding included.
    pub(crate) room: i128,
    /// The format of its elements, if they are floating point.
    pub(crate) format: Option<Format>,
    pub(crate) data: Rc<Store>,
}

impl Tensor {
    /// A tensor whose elements are given as bits in row-major order. `None` if there are not as many as its sizes say.
    pub fn new(desc: &TensorDesc, ty: &DataType, elements: &[u64]) -> Option<Self> {
        let sizes: Vec<i64> = desc.sizes().iter().map(|size| i64::from(*size)).collect();
        let count = sizes.iter().try_fold(1_i64, |n, size| n.checked_mul(*size))?;
        if i64::try_from(elements.len()) != Ok(count) {
            return None;
        }
        let steps = packed(&sizes);
        let strides = match &desc.strides {
            Some(strides) => strides.iter().map(|stride| i64::from(*stride)).collect(),
            None => steps.clone(),
        };
        if strides.len() != sizes.len() {
            return None;
        }
        let bits = i128::from(ty.bits.max(1));
        Some(Self {
            sizes,
            steps,
            strides,
            room: i128::from(desc.total_tensor_size_in_bytes) * 8 / bits,
            format: Format::of(ty),
            data: Rc::new(numbers(ty, elements)),
        })
    }

    /// How many elements there are.
    pub fn elements(&self) -> usize {
        self.data.entries()
    }

    /// Places of elements in row-major order, by their coordinates; the first point that lies outside, if one does.
    pub(crate) fn offsets(&self, columns: &[Ints], points: usize) -> Result<Ints, usize> {
        let sizes = self.sizes.iter().zip(&self.steps);
        let dimensions = columns
            .iter()
            .zip(sizes)
            .map(|(column, (size, step))| (column, 0, *size, *step));
        match places(dimensions, points) {
            Some(places) => Ok(places),
            // Wide numbers are looked at one by one, and what lies outside is found.
            None => self.offsets_one_by_one(columns, points),
        }
    }

    /// The place of an element by its distance from the start, even if its coordinates lie outside; `None` outside the
    /// buffer.
    pub(crate) fn linear_place(&self, columns: &[Ints], point: usize) -> Option<i64> {
        let mut place = 0_i128;
        for (column, step) in columns.iter().zip(&self.steps) {
            place = place.checked_add(column.get(point).value.checked_mul(i128::from(*step))?)?;
        }
        let place = i64::try_from(place).ok()?;
        (0..self.elements() as i64).contains(&place).then_some(place)
    }

    /// The place of the element that is nearest to an index that may lie outside; `None` if the tensor is empty.
    pub(crate) fn nearest_place(&self, columns: &[Ints], point: usize) -> Option<i64> {
        let mut place = 0_i64;
        for ((column, size), step) in columns.iter().zip(&self.sizes).zip(&self.steps) {
            let last = i128::from(*size).checked_sub(1).filter(|last| *last >= 0)?;
            let at = column.get(point).value.clamp(0, last);
            place += i64::try_from(at).ok()? * step;
        }
        Some(place)
    }

    fn offsets_one_by_one(&self, columns: &[Ints], points: usize) -> Result<Ints, usize> {
        let one = |point: usize| {
            let mut offset = 0;
            for ((column, size), step) in columns.iter().zip(&self.sizes).zip(&self.steps) {
                let at = column.get(point).value;
                if at < 0 || at >= i128::from(*size) {
                    return Err(point);
                }
                offset += at as i64 * step;
            }
            Ok(offset)
        };
        (0..points.max(1))
            .map(one)
            .collect::<Result<Vec<i64>, usize>>()
            .map(Ints::narrow)
    }

    /// The element that lies at this distance from the start of the buffer, by its place in row-major order.
    pub(crate) fn element_at(&self, offset: i128) -> Option<usize> {
        let mut rest = i64::try_from(offset).ok().filter(|offset| *offset >= 0)?;
        let mut order: Vec<usize> = (0..self.sizes.len())
            .filter(|d| self.strides[*d] > 0 && self.sizes[*d] > 1)
            .collect();
        order.sort_by_key(|d| std::cmp::Reverse(self.strides[*d]));
        let mut place = 0;
        for d in order {
            let at = rest / self.strides[d];
            if at >= self.sizes[d] {
                return None;
            }
            place += at * self.steps[d];
            rest -= at * self.strides[d];
        }
        if rest == 0 { usize::try_from(place).ok() } else { None }
    }
}

/// Places of points in row-major order. Of each dimension there are the numbers of the points, the first number, how many
/// there are, and the distance between neighbours. `None` if a number lies outside, or is not known for sure.
pub(crate) fn places<'c>(dimensions: impl Iterator<Item = (&'c Ints, i64, i64, i64)>, points: usize) -> Option<Ints> {
    let mut fixed = 0_i64;
    let mut moving: SmallVec<[(&[i64], i64); 8]> = SmallVec::new();
    for (column, from, size, step) in dimensions {
        match column {
            Ints::Many(values) if values.len() > 1 => {
                moving.push((values, step));
                fixed = fixed.wrapping_sub(from.wrapping_mul(step));
                // A number below the first one is a great one without a sign.
                let lies_outside = |at: &i64| at.wrapping_sub(from) as u64 >= size as u64;
                if values.iter().fold(false, |outside, at| outside | lies_outside(at)) {
                    return None;
                }
            }
            _ => {
                let at = i64::try_from(column.uniform()?).ok()?.checked_sub(from)?;
                if at < 0 || at >= size {
                    return None;
                }
                fixed = fixed.wrapping_add(at.wrapping_mul(step));
            }
        }
    }
    let Some(((values, step), rest)) = moving.split_first() else {
        return Some(Ints::One(fixed.into()));
    };
    let mut places: Vec<i64> = values
        .iter()
        .map(|at| fixed.wrapping_add(at.wrapping_mul(*step)))
        .collect();
    for (values, step) in rest {
        for (place, at) in places.iter_mut().zip(*values) {
            *place = place.wrapping_add(at.wrapping_mul(*step));
        }
    }
    debug_assert_eq!(places.len(), points);
    Some(Ints::narrow(places))
}

fn packed(sizes: &[i64]) -> Vec<i64> {
    let mut steps = vec![1; sizes.len()];
    let mut step = 1_i64;
    for d in (0..sizes.len()).rev() {
        steps[d] = step;
        step = step.saturating_mul(sizes[d]);
    }
    steps
}

fn numbers(ty: &DataType, elements: &[u64]) -> Store {
    if ty.class != NumberClass::Float {
        let narrow = ty.class == NumberClass::Signed || ty.bits < 64 || elements.iter().all(|bits| *bits >> 63 == 0);
        if narrow {
            let shift = 64 - ty.bits.clamp(1, 64);
            let signed = ty.class == NumberClass::Signed;
            let one = |bits: &u64| {
                if signed {
                    (*bits << shift) as i64 >> shift
                } else {
                    (*bits << shift >> shift) as i64
                }
            };
            return Store::Int(elements.iter().map(one).collect());
        }
        let one = |bits: &u64| super::column::Whole::exact((*bits).into());
        return Store::Whole(elements.iter().map(one).collect());
    }
    let numbers = elements.iter().map(|bits| decode(ty, *bits).double()).collect();
    match Format::of(ty).filter(|format| format.flushes) {
        Some(format) if elements.iter().any(|bits| is_denormal(ty, *bits)) => Store::Flushing(numbers, format.normal),
        _ => Store::Exact(numbers, false),
    }
}

/// An element that is a real: a denormal of a format that flushes is itself or zero.
fn real(ty: &DataType, bits: u64) -> Real {
    let value = decode(ty, bits).double();
    match Format::of(ty).filter(|format| format.flushes) {
        Some(format) => flushing(value, format.normal),
        None => Real::exact(value),
    }
}

/// One element as a value for all points.
pub(crate) fn single(ty: &DataType, bits: u64) -> Value {
    match decode(ty, bits) {
        Number::Int(value) => Value::int(value),
        Number::Float(_) => Value::Real(Reals::One(real(ty, bits))),
    }
}
