//! Benchmarks of the wgpu kernels by the device's own clock, compared with copies in the same run.
//!
//! `cargo bench -p dml-wgpu`. The share is that of the bytes a kernel has to read and
//! write at least, in the time they take, against a plain copy.

use std::{borrow::Cow, io::Write, sync::Arc, time::Duration};

use dml_ops::{Buffer, DataType, Descriptor, FeatureLevel, Job, TensorDesc, Value};
use dml_wgpu::{AdapterChoice, Profiler};

/// Sizes, axis and K of the largest elements.
const TOP_K1: &[(&[u32], u32, u32)] = &[
    (&[1, 1, 1, 1_000_000], 3, 10),
    (&[1, 1, 1000, 1000], 3, 10),
    (&[1, 1, 1000, 1000], 3, 500),
    (&[1, 1, 1000, 1000], 2, 10),
    (&[64, 1, 128, 1024], 3, 5),
    (&[1, 1, 1, 1 << 24], 3, 10),
    (&[1, 1, 3, 4], 3, 2),
];

/// Types, their bits, and the bits of an element that are drawn: floats are positive and below 2.
const TYPES: &[(&str, DataType, u32, u64)] = &[
    ("FLOAT32", DataType::FLOAT32, 32, 0x3fff_ffff),
    ("FLOAT16", DataType::FLOAT16, 16, 0x3fff),
    ("INT64", DataType::INT64, 64, u64::MAX),
];

/// Bytes of a copy to compare with: those of the largest shape, within what software adapters bind.
const COPY: u64 = 64 << 20;

/// Number of runs whose median is reported, if they do not take long.
const TIMES: usize = 9;

/// A kernel at work: its name, its job, elements read, and bytes that have to move.
struct Row {
    name: String,
    job: Job,
    elements: u64,
    bytes: u64,
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for &(type_name, data_type, bits, mask) in TYPES {
        for &(sizes, axis, k) in TOP_K1 {
            let mut selected = sizes.to_vec();
            selected[axis as usize] = k;
            let tensor = |ty: DataType, bits, sizes: &[u32]| Value::Tensor(Some(TensorDesc::packed(ty.0, bits, sizes)));
            let descriptor = Descriptor {
                operator: Cow::Borrowed("TOP_K1"),
                fields: vec![
                    tensor(data_type, bits, sizes),
                    tensor(data_type, bits, &selected),
                    tensor(DataType::UINT32, 32, &selected),
                    Value::UInt(axis),
                    Value::UInt(k),
                    Value::UInt(1),
                ],
            };
            let count = |sizes: &[u32]| sizes.iter().map(|n| *n as usize).product::<usize>();
            let width = bits as usize / 8;
            let lengths = [count(sizes) * width, count(&selected) * width, count(&selected) * 4];
            let [input, values, indices] = lengths;
            let name = sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
            rows.push(Row {
                name: format!("{type_name} {name} axis {axis} k {k}"),
                job: Job {
                    id: 0,
                    feature_level: FeatureLevel::new(5, 0),
                    descriptor: Arc::new(descriptor),
                    inputs: vec![Buffer::new(noise(input, width, mask), 0)],
                    outputs: vec![
                        Buffer::new(vec![0; words(values)], 0),
                        Buffer::new(vec![0; words(indices)], 0),
                    ],
                    aliases: Box::default(),
                    half_precision: false,
                },
                elements: count(sizes) as u64,
                bytes: lengths.iter().sum::<usize>() as u64,
            });
        }
    }
    rows
}

fn words(length: usize) -> usize {
    length.next_multiple_of(4)
}

/// Elements of `width` bytes without a visible order.
fn noise(length: usize, width: usize, mask: u64) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut bytes = Vec::with_capacity(words(length));
    while bytes.len() < length {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&(state & mask).to_le_bytes()[..width]);
    }
    bytes.resize(words(length), 0);
    bytes
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let choice = AdapterChoice::Best;
    let mut out = std::io::stdout();
    for (name, value) in Profiler::facts(&choice)? {
        writeln!(out, "{name}: {value}")?;
    }
    let mut profiler = Profiler::open(&choice)?;
    let copied = 2.0 * COPY as f64 / median(profiler.copy(COPY, TIMES)?);
    writeln!(out, "copy: {:.1} GB/s read and written", copied / 1e9)?;
    writeln!(out, "{:<44}{:>12}{:>14}{:>10}", "TOP_K1", "ms", "elements/s", "of copy")?;
    for row in rows() {
        let seconds = median(profiler.time(row.job, TIMES)?);
        let share = 100.0 * row.bytes as f64 / seconds / copied;
        let rate = row.elements as f64 / seconds;
        writeln!(out, "{:<44}{:>12.3}{rate:>14.3e}{share:>9.1}%", row.name, seconds * 1e3)?;
    }
    Ok(())
}
