//! TOP_K1 in its simplest form, on bytes: what the mock's dispatches compute.

use std::{cmp::Ordering, ffi::c_void};

use super::field;

/// A tensor as passed to DirectML.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub(super) data_type: u32,
    pub(super) flags: u32,
    pub(super) sizes: Vec<u32>,
    strides: Vec<u32>,
    pub(super) bytes: u64,
    pub(super) alignment: u32,
}

/// The operator.
#[derive(Clone, Debug)]
pub(super) struct TopK {
    pub(super) input: Tensor,
    pub(super) values: Tensor,
    pub(super) indices: Tensor,
    axis: usize,
    k: u32,
    decreasing: bool,
}

/// `DML_OPERATOR_TOP_K1`.
const TYPE: u32 = 112;

impl TopK {
    /// Reads a `DML_OPERATOR_DESC`; `None` if it is another operator or breaks a rule that is checked here.
    pub(super) fn read(desc: *const c_void) -> Option<Self> {
        let (kind, desc): (u32, *const c_void) = (field(desc, 0), field(desc, 8));
        let [input, values, indices] = [0, 8, 16].map(|offset| tensor(field(desc, offset)));
        let [axis, k, direction] = [24, 28, 32].map(|offset| field::<u32>(desc, offset));
        let top = Self {
            input: input?,
            values: values?,
            indices: indices?,
            axis: axis as usize,
            k,
            decreasing: direction == 1,
        };
        let length = *top.input.sizes.get(top.axis)?;
        let fits = kind == TYPE && k >= 1 && k <= length && direction <= 1;
        (fits && top.input.data_type == top.values.data_type).then_some(top)
    }

    /// Elements along the axis.
    pub(super) fn length(&self) -> u64 {
        u64::from(self.input.sizes[self.axis])
    }

    /// Computes; `None` if an element lies outside of the bytes.
    pub(super) fn compute(&self, input: &[u8], values: &mut [u8], indices: &mut [u8]) -> Option<()> {
        let mut lanes = self.input.sizes.clone();
        lanes[self.axis] = 1;
        for lane in 0..lanes.iter().product::<u32>() {
            let mut at = coordinates(lane, &lanes);
            let mut elements = Vec::new();
            for i in 0..self.input.sizes[self.axis] {
                at[self.axis] = i;
                elements.push((i, self.input.element(&at, input)?.to_vec()));
            }
            elements.sort_by(|(_, a), (_, b)| {
                let order = compare(self.input.data_type, a, b);
                if self.decreasing { order.reverse() } else { order }
            });
            for (rank, (index, element)) in elements.into_iter().take(self.k as usize).enumerate() {
                at[self.axis] = rank as u32;
                self.values.place(&at, values)?.copy_from_slice(&element);
                let place = self.indices.place(&at, indices)?;
                let index = u64::from(index).to_le_bytes();
                place.copy_from_slice(&index[..place.len()]);
            }
        }
        Some(())
    }
}

fn coordinates(mut number: u32, sizes: &[u32]) -> Vec<u32> {
    let mut at = vec![0; sizes.len()];
    for (place, size) in at.iter_mut().zip(sizes).rev() {
        *place = number % size;
        number /= size;
    }
    at
}

fn tensor(desc: *const c_void) -> Option<Tensor> {
    if desc.is_null() || field::<u32>(desc, 0) != 1 {
        return None;
    }
    let desc: *const c_void = field(desc, 8);
    let count: u32 = field(desc, 8);
    let list = |offset: usize| {
        let list: *const c_void = field(desc, offset);
        (!list.is_null()).then(|| {
            (0..count as usize)
                .map(|i| field::<u32>(list, 4 * i))
                .collect::<Vec<_>>()
        })
    };
    let sizes = list(16)?;
    let packed = || {
        let mut strides = vec![1; sizes.len()];
        for i in (1..sizes.len()).rev() {
            strides[i - 1] = strides[i] * sizes[i];
        }
        strides
    };
    Some(Tensor {
        data_type: field(desc, 0),
        flags: field(desc, 4),
        strides: list(24).unwrap_or_else(packed),
        sizes,
        bytes: field(desc, 32),
        alignment: field(desc, 40),
    })
}

impl Tensor {
    fn width(&self) -> usize {
        match self.data_type {
            5 | 8 => 1,
            2 | 4 | 7 => 2,
            9..=11 => 8,
            _ => 4,
        }
    }

    fn range(&self, at: &[u32]) -> std::ops::Range<usize> {
        let offset: u32 = at.iter().zip(&self.strides).map(|(i, stride)| i * stride).sum();
        let start = offset as usize * self.width();
        start..start + self.width()
    }

    fn element<'a>(&self, at: &[u32], bytes: &'a [u8]) -> Option<&'a [u8]> {
        bytes.get(self.range(at))
    }

    fn place<'a>(&self, at: &[u32], bytes: &'a mut [u8]) -> Option<&'a mut [u8]> {
        bytes.get_mut(self.range(at))
    }
}

fn compare(data_type: u32, a: &[u8], b: &[u8]) -> Ordering {
    if matches!(data_type, 1 | 2 | 9) {
        return float(a).partial_cmp(&float(b)).unwrap_or(Ordering::Equal);
    }
    let signed = matches!(data_type, 6 | 7 | 8 | 11);
    integer(a, signed).cmp(&integer(b, signed))
}

fn integer(bytes: &[u8], signed: bool) -> i128 {
    let number = bytes.iter().rev().fold(0_i128, |n, byte| n << 8 | i128::from(*byte));
    let bits = 8 * bytes.len();
    if signed && number >> (bits - 1) == 1 {
        number - (1 << bits)
    } else {
        number
    }
}

fn float(bytes: &[u8]) -> f64 {
    match *bytes {
        [a, b] => {
            let bits = u16::from_le_bytes([a, b]);
            let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let size = match exponent {
                0 => fraction * 2_f64.powi(-24),
                31 => f64::INFINITY,
                _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
            };
            if bits >> 15 == 1 { -size } else { size }
        }
        [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
        _ => f64::NAN,
    }
}
