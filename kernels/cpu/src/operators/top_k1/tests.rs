//! Expectations computed by hand, or by arithmetic that needs no sorting.

use dml_ops::{DataType, TensorDesc};

use super::*;

const POISON: u8 = 0xcd;
const DOWN: AxisDirection = AxisDirection::DECREASING;
const UP: AxisDirection = AxisDirection::INCREASING;

/// The little-endian bytes of numbers.
macro_rules! le {
    ($numbers:expr) => {
        $numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect::<Vec<u8>>()
    };
}

fn tensor(data_type: DataType, sizes: &[u32], strides: Option<&[u32]>) -> TensorDesc {
    let mut tensor = TensorDesc::packed(data_type.0, 8, sizes);
    tensor.strides = strides.map(|strides| strides.iter().copied().collect());
    tensor
}

/// A descriptor with packed tensors and a UINT32 index.
fn packed(data_type: DataType, sizes: &[u32], axis: u32, k: u32, direction: AxisDirection) -> TopK1 {
    let mut selected = sizes.to_vec();
    selected[axis as usize] = k;
    TopK1 {
        input_tensor: Some(tensor(data_type, sizes, None)),
        output_value_tensor: Some(tensor(data_type, &selected, None)),
        output_index_tensor: Some(tensor(DataType::UINT32, &selected, None)),
        axis,
        k,
        axis_direction: direction,
    }
}

/// Runs into poisoned buffers of these lengths.
fn run(op: &TopK1, input: &[u8], lengths: [usize; 2]) -> Result<[Vec<u8>; 2], KernelError> {
    let [mut values, mut indices] = lengths.map(|length| vec![POISON; length]);
    execute(op, &[input], &mut [&mut values, &mut indices])?;
    Ok([values, indices])
}

/// Runs and compares whole buffers: bytes that belong to no element are expected to be [`POISON`].
#[track_caller]
fn check(op: &TopK1, input: &[u8], values: &[u8], indices: &[u8]) {
    let found = run(op, input, [values.len(), indices.len()]);
    assert_eq!(found, Ok([values.to_vec(), indices.to_vec()]));
}

/// A single sequence, in full or in part.
#[track_caller]
fn check_order(data_type: DataType, direction: AxisDirection, input: &[u8], width: usize, order: &[u32]) {
    let count = u32::try_from(input.len() / width).unwrap();
    let k = u32::try_from(order.len()).unwrap();
    let at = |index: &u32| input[*index as usize * width..][..width].to_vec();
    let values: Vec<u8> = order.iter().flat_map(at).collect();
    check(
        &packed(data_type, &[count], 0, k, direction),
        input,
        &values,
        &le!(order),
    );
}

#[test]
fn worked_examples() {
    let distinct = le!([0f32, 1., 10., 11., 3., 2., 9., 8., 4., 5., 6., 7.]);
    let tied = le!([1f32, 2., 2., 3., 3., 4., 5., 5., 6., 6., 6., 6.]);
    let op = |axis, k, direction| packed(DataType::FLOAT32, &[1, 1, 3, 4], axis, k, direction);
    check(
        &op(3, 2, DOWN),
        &distinct,
        &le!([11f32, 10., 9., 8., 7., 6.]),
        &le!([3u32, 2, 2, 3, 3, 2]),
    );
    let values = le!([4f32, 5., 10., 11., 3., 2., 9., 8.]);
    check(&op(2, 2, DOWN), &distinct, &values, &le!([2u32, 2, 0, 0, 1, 1, 1, 1]));
    let values = le!([3f32, 2., 2., 5., 5., 4., 6., 6., 6.]);
    check(&op(3, 3, DOWN), &tied, &values, &le!([3u32, 1, 2, 2, 3, 1, 0, 1, 2]));
    let values = le!([1f32, 2., 2., 3., 4., 5., 6., 6., 6.]);
    check(&op(3, 3, UP), &tied, &values, &le!([0u32, 1, 2, 0, 1, 2, 0, 1, 2]));
}

#[test]
fn ties_ascend_in_both_directions() {
    let input = [5u8, 7, 5, 7, 5, 7];
    check_order(DataType::UINT8, DOWN, &input, 1, &[1, 3, 5, 0, 2, 4]);
    check_order(DataType::UINT8, UP, &input, 1, &[0, 2, 4, 1, 3, 5]);
    check_order(DataType::UINT8, DOWN, &input, 1, &[1, 3, 5, 0]);
    check_order(DataType::UINT8, UP, &input, 1, &[0, 2]);
    check_order(DataType::UINT8, DOWN, &[9; 200], 1, &(0..70).collect::<Vec<_>>());
    check_order(DataType::UINT8, UP, &[9; 200], 1, &(0..200).collect::<Vec<_>>());
}

#[test]
fn zeros_tie_and_keep_their_sign() {
    let input = le!([-0f32, 0., -1., 1., -0., 0.]);
    check_order(DataType::FLOAT32, DOWN, &input, 4, &[3, 0, 1, 4, 5, 2]);
    check_order(DataType::FLOAT32, UP, &input, 4, &[2, 0, 1, 4, 5, 3]);
    let input = le!([0u16, 0x8000, 0xbc00, 0x3c00, 0x8000]);
    check_order(DataType::FLOAT16, DOWN, &input, 2, &[3, 0, 1, 4, 2]);
    check_order(DataType::FLOAT16, UP, &input, 2, &[2, 0, 1, 4, 3]);
}

#[test]
fn floats_order_from_infinity_to_denormals() {
    let bits = [
        0xff80_0000u32,
        0x7f7f_ffff,
        1,
        0x8000_0001,
        0x3f80_0000,
        0x3f80_0001,
        0x7f80_0000,
        2,
        0x8000_0002,
    ];
    check_order(DataType::FLOAT32, DOWN, &le!(bits), 4, &[6, 1, 5, 4, 7, 2, 3, 8, 0]);
    check_order(DataType::FLOAT32, UP, &le!(bits), 4, &[0, 8, 3, 2, 7, 4, 5, 1, 6]);
    let bits = [
        0xfc00u16, 0x7bff, 0x0001, 0x8001, 0x3c00, 0x3c01, 0x7c00, 0x0002, 0x8002,
    ];
    check_order(DataType::FLOAT16, DOWN, &le!(bits), 2, &[6, 1, 5, 4, 7, 2, 3, 8, 0]);
    check_order(DataType::FLOAT16, UP, &le!(bits), 2, &[0, 8, 3, 2, 7, 4, 5, 1, 6]);
}

#[test]
fn integers_order_to_their_limits() {
    macro_rules! signed {
        ($type:ty, $data_type:ident) => {
            let input = le!([<$type>::MIN, <$type>::MAX, -1, 0, 1]);
            check_order(
                DataType::$data_type,
                DOWN,
                &input,
                size_of::<$type>(),
                &[1, 4, 3, 2, 0],
            );
            check_order(
                DataType::$data_type,
                UP,
                &input,
                size_of::<$type>(),
                &[0, 2, 3, 4, 1],
            );
        };
    }
    macro_rules! unsigned {
        ($type:ty, $data_type:ident) => {
            let input = le!([0, <$type>::MAX, <$type>::MAX / 2, <$type>::MAX / 2 + 1, 1]);
            check_order(
                DataType::$data_type,
                DOWN,
                &input,
                size_of::<$type>(),
                &[1, 3, 2, 4, 0],
            );
            check_order(
                DataType::$data_type,
                UP,
                &input,
                size_of::<$type>(),
                &[0, 4, 2, 3, 1],
            );
        };
    }
    signed!(i8, INT8);
    signed!(i16, INT16);
    signed!(i32, INT32);
    signed!(i64, INT64);
    unsigned!(u8, UINT8);
    unsigned!(u16, UINT16);
    unsigned!(u32, UINT32);
    unsigned!(u64, UINT64);
    // Neither half alone orders these.
    check_order(
        DataType::UINT64,
        UP,
        &le!([1u64 << 32, 1, (1 << 32) + 1, 2]),
        8,
        &[1, 3, 0, 2],
    );
    check_order(
        DataType::INT64,
        DOWN,
        &le!([1i64 << 32, 1, -1 << 32, (-1 << 32) + 1]),
        8,
        &[0, 1, 3, 2],
    );
}

#[test]
fn indices_may_be_wide() {
    let mut op = packed(DataType::INT16, &[2, 3], 1, 2, UP);
    op.output_index_tensor = Some(tensor(DataType::UINT64, &[2, 2], None));
    check(
        &op,
        &le!([3i16, -1, 2, -9, 4, -9]),
        &le!([-1i16, 2, -9, -9]),
        &le!([1u64, 2, 0, 2]),
    );
}

#[test]
fn long_axes() {
    // Element i is 611 * i mod 1000, so value v stands at 491 * v mod 1000: 611 * 491 = 300001.
    let input = le!((0..1000u32).map(|i| i * 611 % 1000).collect::<Vec<_>>());
    for k in [1, 10, 32, 33, 500, 999, 1000] {
        let smallest: Vec<u32> = (0..k).map(|v| v * 491 % 1000).collect();
        check_order(DataType::UINT32, UP, &input, 4, &smallest);
        let largest: Vec<u32> = (0..k).map(|n| (999 - n) * 491 % 1000).collect();
        check_order(DataType::UINT32, DOWN, &input, 4, &largest);
    }
    // Every element is better than all before it, in the one direction, and worse in the other.
    let input = le!((0..70_000i32).collect::<Vec<_>>());
    check_order(
        DataType::INT32,
        DOWN,
        &input,
        4,
        &(69_900..70_000).rev().collect::<Vec<_>>(),
    );
    check_order(DataType::INT32, UP, &input, 4, &(0..100).collect::<Vec<_>>());
}

#[test]
fn input_strides_are_followed() {
    let values = [4u8, 9, 6];
    let mut op = packed(DataType::UINT8, &[2, 3], 1, 2, DOWN);
    let mut check_input = |strides: [u32; 2], input: &[u8], values: &[u8], indices: &[u32]| {
        op.input_tensor = Some(tensor(DataType::UINT8, &[2, 3], Some(&strides)));
        check(&op, input, values, &le!(indices));
    };
    // Rows 1 2 3 and 6 5 4, a column at a time.
    check_input([1, 2], &[1, 6, 2, 5, 3, 4], &[3, 2, 6, 5], &[2, 1, 0, 1]);
    // The same row twice.
    check_input([0, 1], &values, &[9, 6, 9, 6], &[1, 2, 1, 2]);
    // The same element all along a row.
    check_input([1, 0], &[7, 8], &[7, 7, 8, 8], &[0, 1, 0, 1]);
    // Rows 4 9 6 and 9 6 8 share two elements.
    check_input([1, 1], &[4, 9, 6, 8], &[9, 6, 9, 8], &[1, 2, 0, 2]);
    // Rows 1 2 3 and 6 5 4 with 99 between.
    check_input(
        [7, 2],
        &[1, 99, 2, 99, 3, 99, 99, 6, 99, 5, 99, 4, 99],
        &[3, 2, 6, 5],
        &[2, 1, 0, 1],
    );
}

#[test]
fn output_strides_are_followed_and_gaps_kept() {
    const __: u8 = POISON;
    let input = [1u8, 2, 3, 6, 5, 4];
    let mut op = packed(DataType::UINT8, &[2, 3], 1, 2, DOWN);
    op.output_value_tensor = Some(tensor(DataType::UINT8, &[2, 2], Some(&[1, 2])));
    op.output_index_tensor = Some(tensor(DataType::UINT32, &[2, 2], Some(&[3, 1])));
    let (row, gap) = (|a: u32, b: u32| [a.to_le_bytes(), b.to_le_bytes()].concat(), [__; 4]);
    let indices = [row(2, 1), gap.to_vec(), row(0, 1), gap.to_vec()].concat();
    check(&op, &input, &[3, 6, 2, 5, __, __, __], &indices);

    // Padded within a row, and rows that interleave.
    op.output_value_tensor = Some(tensor(DataType::UINT8, &[2, 2], Some(&[6, 2])));
    check(&op, &input, &[3, __, 2, __, __, __, 6, __, 5, __], &indices);
    op.output_value_tensor = Some(tensor(DataType::UINT8, &[2, 2], Some(&[1, 3])));
    check(&op, &input, &[3, 6, __, 2, 5, __, __, __], &indices);
}

#[test]
fn eight_dimensions() {
    // Index [0, a, 0, 0, b, 0, c, 0] holds element 6a + 3b + c.
    let input = [10i8, 30, 20, -1, -3, -2, 5, 5, 6, 0, 127, -128];
    let op = packed(DataType::INT8, &[1, 2, 1, 1, 2, 1, 3, 1], 6, 2, DOWN);
    check(
        &op,
        &input.map(i8::cast_unsigned),
        &[30, 20, 255, 254, 6, 5, 127, 0],
        &le!([1u32, 2, 0, 2, 2, 0, 1, 0]),
    );
    let op = packed(DataType::INT8, &[1, 2, 1, 1, 2, 1, 3, 1], 1, 1, UP);
    check(
        &op,
        &input.map(i8::cast_unsigned),
        &[5, 5, 6, 255, 253, 128],
        &le!([1u32, 1, 1, 0, 0, 1]),
    );
}

#[test]
fn nan_leaves_copies_and_distinct_indices() {
    let nans = [0x7fc0_0000u32, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff, 0x7fff_ffff];
    for count in [4u32, 9, 65, 300] {
        for (k, direction) in [(1, UP), (count / 2, DOWN), (count, UP), (count, DOWN)] {
            let number = |i: u32| {
                if i.is_multiple_of(3) {
                    nans[i as usize % nans.len()]
                } else {
                    (i as f32).sin().to_bits()
                }
            };
            let input: Vec<u32> = (0..count).map(number).collect();
            let op = packed(DataType::FLOAT32, &[count], 0, k, direction);
            let found = run(&op, &le!(input), [k as usize * 4; 2]).unwrap();
            let [values, indices] = found.map(|bytes| {
                let words = bytes.chunks_exact(4);
                words
                    .map(|w| u32::from_le_bytes(w.try_into().unwrap()))
                    .collect::<Vec<_>>()
            });
            let copies: Vec<u32> = indices.iter().map(|&i| input[i as usize]).collect();
            assert_eq!(values, copies);
            let distinct: std::collections::BTreeSet<_> = indices.iter().collect();
            assert_eq!(distinct.len(), k as usize);
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let op = packed(DataType::UINT8, &[2, 3], 1, 2, DOWN);
    assert!(run(&op, &[0; 6], [4, 16]).is_ok());
    assert_eq!(
        run(&op, &[0; 5], [4, 16]),
        Err(KernelError::Buffer { needed: 6, length: 5 })
    );
    assert_eq!(
        run(&op, &[0; 6], [3, 16]),
        Err(KernelError::Buffer { needed: 4, length: 3 })
    );
    assert_eq!(
        run(&op, &[0; 6], [4, 15]),
        Err(KernelError::Buffer { needed: 16, length: 15 })
    );
    let changed = |change: fn(&mut TopK1)| {
        let mut op = op.clone();
        change(&mut op);
        run(&op, &[0; 6], [4, 16])
    };
    assert_eq!(changed(|op| op.k = 0), Err(KernelError::Sizes));
    assert_eq!(changed(|op| op.k = 3), Err(KernelError::Sizes));
    assert_eq!(
        run(&packed(DataType::UINT8, &[2, 3], 1, 4, UP), &[0; 6], [8, 32]),
        Err(KernelError::Sizes)
    );
    assert_eq!(changed(|op| op.axis = 2), Err(KernelError::Axis { axis: 2, rank: 2 }));
    assert_eq!(changed(|op| op.input_tensor = None), Err(KernelError::Absent));
    let float64 = |op: &mut TopK1| op.input_tensor = Some(tensor(DataType::FLOAT64, &[2, 3], None));
    assert_eq!(changed(float64), Err(KernelError::DataType(9)));
    let mut buffer = [0; 4];
    let found = execute(&op, &[&[0; 6]], &mut [&mut buffer]);
    assert_eq!(found, Err(KernelError::Buffers { inputs: 1, outputs: 1 }));
}
