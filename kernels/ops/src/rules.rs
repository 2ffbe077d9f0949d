//! Functions that generated rules call; all are total. `None` is *undefined*, as in the interpreter, whose arithmetic
//! they share.

use std::ops::Range;

use dml_spec::{
    Dims, TensorDesc, layout,
    rule::{
        arith,
        interp::{self, MAX_RANGE},
    },
};
use smallvec::SmallVec;

pub use dml_spec::rule::arith::{align_up, div_ceil, is_power_of_two, rem_floor};

/// A whole number of any width in a descriptor.
pub trait Whole: Copy {
    /// Its value.
    fn int(self) -> i128;

    /// A list as sizes; undefined if an element is negative or beyond 32 bits.
    #[inline]
    fn dims(list: &[Self]) -> Option<Dims> {
        list.iter().map(|x| raw(*x)).collect()
    }
}

impl Whole for u32 {
    #[inline]
    fn int(self) -> i128 {
        i128::from(self)
    }

    #[inline]
    fn dims(list: &[Self]) -> Option<Dims> {
        Some(Dims::from_slice(list))
    }
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl Whole for $number {
            #[inline]
            fn int(self) -> i128 {
                i128::from(self)
            }
        }
    )*};
}

whole!(i32, u64, i128);

/// The number as 128 bits, wide enough for sums and products of a descriptor's numbers.
#[inline]
pub fn int(number: impl Whole) -> i128 {
    number.int()
}

/// `a / b` towards negative infinity. Division of 128 bits is slow, and descriptors hardly ever need it.
#[inline]
pub fn div_floor(a: i128, b: i128) -> Option<i128> {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => a.checked_div(b).map(i128::from),
        _ => arith::div_floor(a, b),
    }
}

/// Length of a list.
#[inline]
pub fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// `list[index]`.
#[inline]
pub fn at<T: Copy>(list: &[T], index: impl Whole) -> Option<T> {
    list.get(usize::try_from(index.int()).ok()?).copied()
}

/// `tensors[index]`.
#[inline]
pub fn element(tensors: &[TensorDesc], index: impl Whole) -> Option<&TensorDesc> {
    tensors.get(usize::try_from(index.int()).ok()?)
}

/// Whether two lists have the same length and elements.
#[inline]
pub fn same<A: Whole, B: Whole>(a: &[A], b: &[B]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.int() == b.int())
}

/// The number as 32 bits hold it.
#[inline]
pub fn raw(number: impl Whole) -> Option<u32> {
    u32::try_from(number.int()).ok()
}

/// `list with [index] = value`; undefined if an element is negative or beyond 32 bits.
#[inline]
pub fn with<T: Whole>(list: &[T], index: impl Whole, value: impl Whole) -> Option<Dims> {
    let mut changed = T::dims(list)?;
    *changed.get_mut(usize::try_from(index.int()).ok()?)? = raw(value)?;
    Some(changed)
}

/// A list on 128 bits.
pub fn ints<T: Whole>(list: &[T]) -> SmallVec<[i128; 8]> {
    list.iter().map(|x| x.int()).collect()
}

/// Whether `list` holds `number`.
#[inline]
pub fn contains<T: Whole>(list: &[T], number: impl Whole) -> bool {
    list.iter().any(|x| x.int() == number.int())
}

/// Whether no element stands twice.
pub fn distinct<T: Whole>(list: &[T]) -> bool {
    let mut sorted = ints(list);
    sorted.sort_unstable();
    sorted.windows(2).all(|pair| pair.first() != pair.last())
}

/// Sum of a list.
pub fn sum<T: Whole>(list: &[T]) -> Option<i128> {
    list.iter().try_fold(0_i128, |total, x| total.checked_add(x.int()))
}

/// Product of a list.
pub fn product<T: Whole>(list: &[T]) -> Option<i128> {
    list.iter().try_fold(1_i128, |total, x| total.checked_mul(x.int()))
}

/// How many numbers a range and those around it run through together: undefined if they are more than rules may.
#[inline]
pub fn nested<T: Whole>(around: i128, range: Range<T>) -> Option<i128> {
    interp::nested(around, range.end.int().checked_sub(range.start.int())?)
}

/// The range, unless it is longer than rules may iterate over.
#[inline]
fn bounded<T: Whole>(range: Range<T>) -> Option<Range<T>> {
    let length = range.end.int().checked_sub(range.start.int())?;
    (length <= MAX_RANGE).then_some(range)
}

/// Whether `rule` holds for all of `range`; stops at the first that does not.
#[inline]
pub fn all<T: Whole>(range: Range<T>, mut rule: impl FnMut(T) -> Option<bool>) -> Option<bool>
where
    Range<T>: Iterator<Item = T>,
{
    for item in bounded(range)? {
        if !rule(item)? {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether `rule` holds for any of `range`; stops at the first that does.
#[inline]
pub fn any<T: Whole>(range: Range<T>, mut rule: impl FnMut(T) -> Option<bool>) -> Option<bool>
where
    Range<T>: Iterator<Item = T>,
{
    for item in bounded(range)? {
        if rule(item)? {
            return Some(true);
        }
    }
    Some(false)
}

/// Sum of `term` over `range`.
pub fn sum_of<T: Whole>(range: Range<T>, mut term: impl FnMut(T) -> Option<i128>) -> Option<i128>
where
    Range<T>: Iterator<Item = T>,
{
    bounded(range)?.try_fold(0_i128, |total, item| total.checked_add(term(item)?))
}

/// Product of `factor` over `range`.
pub fn product_of<T: Whole>(range: Range<T>, mut factor: impl FnMut(T) -> Option<i128>) -> Option<i128>
where
    Range<T>: Iterator<Item = T>,
{
    bounded(range)?.try_fold(1_i128, |total, item| total.checked_mul(factor(item)?))
}

/// List of `entry` over `range`.
pub fn list_of<T: Whole>(range: Range<T>, mut entry: impl FnMut(T) -> Option<i128>) -> Option<Dims>
where
    Range<T>: Iterator<Item = T>,
{
    bounded(range)?.map(|item| raw(entry(item)?)).collect()
}

/// The strides of a tensor, or the packed ones if it has none.
pub fn layout_strides(tensor: &TensorDesc) -> Option<Dims> {
    match &tensor.strides {
        Some(strides) => Some(strides.clone()),
        None => layout::packed_strides(tensor.sizes.as_deref()?),
    }
}

/// Smallest legal size of a tensor's buffer, for elements of `bits` width; undefined if `bits` is.
#[inline]
pub fn minimum_total_size(tensor: &TensorDesc, bits: u32) -> Option<u64> {
    if bits == 0 {
        None
    } else {
        tensor.minimum_total_size(bits)
    }
}

/// Whether two elements of a tensor share a place.
#[inline]
pub fn overlaps(tensor: &TensorDesc) -> Option<bool> {
    let sizes = tensor.sizes.as_deref()?;
    Some(
        tensor
            .strides
            .as_deref()
            .is_some_and(|strides| layout::overlaps(sizes, strides)),
    )
}

/// Quotient of floating point numbers; undefined for a divisor of zero.
#[inline]
pub fn div_float(a: f64, b: f64) -> Option<f64> {
    (b != 0.0).then_some(a / b)
}
