//! The cost of validation: a valid descriptor should be judged in less than 200 ns, or planning and every creation
//! would become noticeably slower.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dml_ops::{AxisDirection, DataType, Operator as _, TopK1, find, levels};
use dml_spec::{Dims, TensorDesc};

fn top_k1() -> TopK1 {
    let tensor = |t: DataType, sizes: &[u32]| Some(TensorDesc::packed(t.0, 32, sizes));
    TopK1 {
        input_tensor: tensor(DataType::FLOAT32, &[2, 3, 4, 5]),
        output_value_tensor: tensor(DataType::FLOAT32, &[2, 3, 2, 5]),
        output_index_tensor: tensor(DataType::UINT32, &[2, 3, 2, 5]),
        axis: 2,
        k: 2,
        axis_direction: AxisDirection::DECREASING,
    }
}

fn validators(c: &mut Criterion) {
    let valid = top_k1();
    c.bench_function("valid", |b| b.iter(|| black_box(&valid).validate(levels::FL_5_0)));

    let descriptor = valid.to_descriptor();
    let entry = find("TOP_K1").expect("TOP_K1 is an operator");
    c.bench_function("valid, dynamic", |b| {
        b.iter(|| (entry.validate)(black_box(&descriptor), levels::FL_5_0))
    });

    let mut strided = valid.clone();
    if let Some(tensor) = &mut strided.output_value_tensor {
        tensor.strides = Some(Dims::from_slice(&[40, 1, 20, 4]));
        tensor.total_tensor_size_in_bytes = 4096;
    }
    assert!(strided.validate(levels::FL_5_0).is_ok());
    c.bench_function("valid, transposed output", |b| {
        b.iter(|| black_box(&strided).validate(levels::FL_5_0))
    });

    let mut invalid = valid.clone();
    invalid.axis = 9;
    c.bench_function("axis out of range", |b| {
        b.iter(|| black_box(&invalid).validate(levels::FL_5_0))
    });
}

criterion_group!(benches, validators);
criterion_main!(benches);
