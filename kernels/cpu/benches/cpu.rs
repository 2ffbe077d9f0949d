//! Benchmarks of the CPU kernels, on the shapes that other implementations were measured with.

use std::{borrow::Cow, hint::black_box, num::NonZeroUsize};

use criterion::{Criterion, criterion_group, criterion_main};
use dml_ops::{DataType, Descriptor, TensorDesc, Value};

/// Sizes, axis and K of the largest elements, FLOAT32.
const TOP_K1: &[(&[u32], u32, u32)] = &[
    (&[1, 1, 1, 1_000_000], 3, 10),
    (&[1, 1, 1000, 1000], 3, 10),
    (&[1, 1, 1000, 1000], 3, 500),
    (&[1, 1, 1000, 1000], 2, 10),
    (&[64, 1, 128, 1024], 3, 5),
    (&[1, 1, 1, 1_000_000], 3, 500_000),
    (&[1, 1, 3, 4], 3, 2),
];

fn top_k1(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("TOP_K1");
    group.sample_size(20);
    for &(sizes, axis, k) in TOP_K1 {
        let mut selected = sizes.to_vec();
        selected[axis as usize] = k;
        let tensor =
            |data_type: DataType, sizes: &[u32]| Value::Tensor(Some(TensorDesc::packed(data_type.0, 32, sizes)));
        let descriptor = Descriptor {
            operator: Cow::Borrowed("TOP_K1"),
            fields: vec![
                tensor(DataType::FLOAT32, sizes),
                tensor(DataType::FLOAT32, &selected),
                tensor(DataType::UINT32, &selected),
                Value::UInt(axis),
                Value::UInt(k),
                Value::UInt(1),
            ],
        };
        let input = noise(sizes.iter().product::<u32>() as usize);
        let length = selected.iter().product::<u32>() as usize * 4;
        let (mut values, mut indices) = (vec![0; length], vec![0; length]);
        let name = sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
        for threads in [NonZeroUsize::MIN, NonZeroUsize::MIN.saturating_add(1)] {
            group.bench_function(format!("{name} axis {axis} k {k}, {threads} threads"), |bencher| {
                bencher.iter(|| {
                    let outputs: &mut [&mut [u8]] = &mut [&mut values, &mut indices];
                    dml_cpu::with_threads(threads, || {
                        dml_cpu::execute(black_box(&descriptor), &[black_box(&input)], outputs)
                            .expect("the descriptor is valid");
                    });
                });
            });
        }
    }
    group.finish();
}

/// `count` numbers between 0 and 1 without a visible order, as bytes.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut number = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32
    };
    (0..count).flat_map(|_| number().to_le_bytes()).collect()
}

criterion_group!(benches, top_k1);
criterion_main!(benches);
