//! Tests that a valid descriptor causes no allocation: packed, strided and eight-dimensional tensors.

use allocation_counter::measure;
use dml_ops::{AxisDirection, DataType, Operator as _, TopK1, levels};
use dml_spec::{Dims, TensorDesc};

fn tensor(ty: DataType, bits: u32, sizes: &[u32]) -> Option<TensorDesc> {
    Some(TensorDesc::packed(ty.0, bits, sizes))
}

fn top_k1() -> TopK1 {
    TopK1 {
        input_tensor: tensor(DataType::FLOAT16, 16, &[2, 3, 4, 5]),
        output_value_tensor: tensor(DataType::FLOAT16, 16, &[2, 3, 2, 5]),
        output_index_tensor: tensor(DataType::UINT32, 32, &[2, 3, 2, 5]),
        axis: 2,
        k: 2,
        axis_direction: AxisDirection::INCREASING,
    }
}

#[test]
fn valid_descriptors_allocate_nothing() {
    let packed = top_k1();
    let mut strided = top_k1();
    if let Some(output) = &mut strided.output_value_tensor {
        output.strides = Some(Dims::from_slice(&[40, 1, 20, 4]));
        output.total_tensor_size_in_bytes = 4096;
    }
    let mut eight = top_k1();
    eight.input_tensor = tensor(DataType::INT8, 8, &[1, 2, 1, 2, 1, 3, 2, 2]);
    eight.output_value_tensor = tensor(DataType::INT8, 8, &[1, 2, 1, 2, 1, 2, 2, 2]);
    eight.output_index_tensor = tensor(DataType::UINT32, 32, &[1, 2, 1, 2, 1, 2, 2, 2]);
    eight.axis = 5;
    for (descriptor, level) in [
        (&packed, levels::FL_2_1),
        (&packed, levels::FL_5_0),
        (&strided, levels::FL_3_1),
        (&eight, levels::FL_5_0),
    ] {
        let mut result = Ok(());
        let counted = measure(|| result = descriptor.validate(level));
        assert_eq!(result, Ok(()));
        assert_eq!(counted.count_total, 0, "{descriptor:?}");
    }
    // Control: an invalid descriptor allocates, so the counter works.
    let mut wrong = packed.clone();
    wrong.axis = 9;
    let counted = measure(|| drop(wrong.validate(levels::FL_5_0).map_err(|found| found.to_string())));
    assert!(counted.count_total > 0);
}
