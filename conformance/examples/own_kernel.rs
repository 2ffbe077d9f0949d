//! A crate with a kernel of its own, tested: everything between here and `main` is the kernel.
//!
//! ```sh
//! cargo run --example own_kernel -- run --tier smoke
//! cargo run --example own_kernel -- show TOP_K1/ties-ascend
//! ```
//!
//! In a crate of your own the same `main` stands in `tests/conformance.rs`, with `harness = false` in Cargo.toml.

use std::{cmp::Ordering, process::ExitCode};

use dml_conformance::dml_ops::{
    AxisDirection, DataType, Descriptor, FeatureLevel, Operator, Simple, Stopped, TensorDesc, TopK1,
};

fn main() -> ExitCode {
    dml_conformance::main(|| Simple::new("own", "0.1.0", FeatureLevel::new(5, 0), ["TOP_K1"], top_k))
}

/// The K first elements of every sequence, by a stable sort.
fn top_k(descriptor: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result<(), Stopped> {
    let missing = || Stopped::Failed("a tensor is missing".to_owned());
    let op = TopK1::from_descriptor(descriptor).map_err(|e| Stopped::Failed(e.to_string()))?;
    let (Some(from), Some(to), Some(index_to)) = (&op.input_tensor, &op.output_value_tensor, &op.output_index_tensor)
    else {
        return Err(missing());
    };
    let ([input], [values, indices]) = (inputs, outputs) else {
        return Err(missing());
    };
    let (width, index_width) = (width(from.data_type), width(index_to.data_type));
    let (axis, k) = (op.axis as usize, op.k as usize);
    for start in lanes(from.sizes(), axis) {
        let element = |i: usize| &input[place(from, &start, axis, i) * width..][..width];
        let mut order: Vec<usize> = (0..from.sizes()[axis] as usize).collect();
        order.sort_by(|a, b| {
            let ascending = compare(from.data_type, element(*a), element(*b));
            match op.axis_direction == AxisDirection::INCREASING {
                true => ascending,
                false => ascending.reverse(),
            }
        });
        for (rank, index) in order.into_iter().take(k).enumerate() {
            let value_at = place(to, &start, axis, rank) * width;
            values[value_at..][..width].copy_from_slice(element(index));
            let index_at = place(index_to, &start, axis, rank) * index_width;
            indices[index_at..][..index_width].copy_from_slice(&index.to_le_bytes()[..index_width]);
        }
    }
    Ok(())
}

/// Bytes of an element.
fn width(data_type: u32) -> usize {
    match DataType(data_type) {
        DataType::FLOAT32 | DataType::INT32 | DataType::UINT32 => 4,
        DataType::FLOAT16 | DataType::INT16 | DataType::UINT16 => 2,
        DataType::INT64 | DataType::UINT64 => 8,
        _ => 1,
    }
}

/// Where the sequences along an axis start, as coordinates.
fn lanes(sizes: &[u32], axis: usize) -> Vec<Vec<usize>> {
    let mut starts = vec![Vec::new()];
    for (dimension, size) in sizes.iter().enumerate() {
        let count = if dimension == axis { 1 } else { *size as usize };
        let longer = |start: &Vec<usize>| (0..count).map(|i| [&start[..], &[i]].concat()).collect::<Vec<_>>();
        starts = starts.iter().flat_map(longer).collect();
    }
    starts
}

/// The place of an element in its buffer, counted in elements.
fn place(tensor: &TensorDesc, start: &[usize], axis: usize, along: usize) -> usize {
    let (mut place, mut packed) = (0, 1);
    for dimension in (0..start.len()).rev() {
        let at = if dimension == axis { along } else { start[dimension] };
        let stride = tensor
            .strides
            .as_ref()
            .map_or(packed, |strides| strides[dimension] as usize);
        place += at * stride;
        packed *= tensor.sizes()[dimension] as usize;
    }
    place
}

/// How two elements stand to each other; both zeros are equal.
fn compare(data_type: u32, a: &[u8], b: &[u8]) -> Ordering {
    let bits = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte))
    };
    let shift = 64 - 8 * a.len();
    // The sign bit stands on top.
    let (a, b) = (bits(a) << shift, bits(b) << shift);
    let signed = |bits: u64| bits as i64;
    let magnitude = |bits: u64| match signed(bits) < 0 {
        true => -signed(bits & (u64::MAX >> 1)),
        false => signed(bits),
    };
    match DataType(data_type) {
        DataType::FLOAT32 | DataType::FLOAT16 => magnitude(a).cmp(&magnitude(b)),
        DataType::INT64 | DataType::INT32 | DataType::INT16 | DataType::INT8 => signed(a).cmp(&signed(b)),
        _ => a.cmp(&b),
    }
}
