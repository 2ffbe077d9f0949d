//! Expectations worked out by hand.

use dml_ops::TensorDesc;

use super::*;

fn op(function: ReduceFunction, data_type: DataType, sizes: &[u32], axes: &[u32]) -> Reduce {
    let reduced: Vec<u32> = (0..)
        .zip(sizes)
        .map(|(d, size)| if axes.contains(&d) { 1 } else { *size })
        .collect();
    Reduce {
        function,
        input_tensor: Some(TensorDesc::packed(data_type.0, 8, sizes)),
        output_tensor: Some(TensorDesc::packed(data_type.0, 8, &reduced)),
        axis_count: axes.len() as u32,
        axes: Some(axes.iter().copied().collect()),
    }
}

/// Reduces a row of floats.
fn floats(function: ReduceFunction, input: &[f32]) -> f32 {
    let op = op(function, DataType::FLOAT32, &[input.len() as u32], &[0]);
    let bytes: Vec<u8> = input.iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut output = [0xcd; 4];
    execute(&op, &[&bytes], &mut [&mut output]).unwrap();
    f32::from_le_bytes(output)
}

/// Reduces a row of INT32 numbers.
fn integers(function: ReduceFunction, input: &[i32]) -> i32 {
    let op = op(function, DataType::INT32, &[input.len() as u32], &[0]);
    let bytes: Vec<u8> = input.iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut output = [0xcd; 4];
    execute(&op, &[&bytes], &mut [&mut output]).unwrap();
    i32::from_le_bytes(output)
}

#[test]
fn every_function_of_floats() {
    let of = |function| floats(function, &[3., -4., 0.5]);
    assert_eq!(of(ReduceFunction::SUM), -0.5);
    assert_eq!(of(ReduceFunction::AVERAGE), -0.5 / 3.0);
    assert_eq!(of(ReduceFunction::L1), 7.5);
    assert_eq!(of(ReduceFunction::SUM_SQUARE), 25.25);
    assert_eq!(of(ReduceFunction::L2), 25.25f32.sqrt());
    assert_eq!(of(ReduceFunction::MULTIPLY), -6.0);
    assert_eq!((of(ReduceFunction::MAX), of(ReduceFunction::MIN)), (3.0, -4.0));
    assert_eq!(floats(ReduceFunction::LOG_SUM, &[1., 2., 5.]), 8f32.ln());
    assert_eq!(floats(ReduceFunction::LOG_SUM_EXP, &[0., 0., 0., 0.]), 4f32.ln());
}

#[test]
fn every_function_of_integers() {
    let of = |function| integers(function, &[3, -4, 5]);
    assert_eq!(
        [
            of(ReduceFunction::SUM),
            of(ReduceFunction::L1),
            of(ReduceFunction::SUM_SQUARE)
        ],
        [4, 12, 50]
    );
    assert_eq!(
        [
            of(ReduceFunction::MULTIPLY),
            of(ReduceFunction::MAX),
            of(ReduceFunction::MIN)
        ],
        [-60, 5, -4]
    );
    assert_eq!(integers(ReduceFunction::SUM, &[i32::MAX, 1]), i32::MIN);
}

#[test]
fn nothing_overflows_on_its_way() {
    let large = [1e30f32, 1e30, 1e-30, 1e-30];
    assert!((floats(ReduceFunction::MULTIPLY, &large) - 1.0).abs() < 1e-5);
    assert_eq!(floats(ReduceFunction::LOG_SUM_EXP, &[200., 200.]), 200.0 + 2f32.ln());
    assert!((floats(ReduceFunction::L2, &[3e30, 4e30]) - 5e30).abs() < 1e24);
    assert_eq!(
        floats(ReduceFunction::SUM, &[1e8, 1., -1e8]),
        1.0,
        "what is lost is made good"
    );
    assert_eq!(floats(ReduceFunction::SUM, &[f32::INFINITY, 1.]), f32::INFINITY);
}

#[test]
fn strides_lead_and_halves_round_once() {
    let mut op = op(ReduceFunction::SUM, DataType::FLOAT16, &[2, 2], &[1]);
    op.input_tensor.as_mut().unwrap().strides = Some([1, 3].into_iter().collect());
    let input: Vec<u8> = [1., 2048., 9., 1., 1.]
        .iter()
        .flat_map(|x| f16::from_f64(*x).to_le_bytes())
        .collect();
    let mut output = [0xcd; 4];
    execute(&op, &[&input], &mut [&mut output]).unwrap();
    let output: Vec<f64> = output
        .as_chunks::<2>()
        .0
        .iter()
        .map(|b| f16::from_le_bytes(*b).to_f64())
        .collect();
    assert_eq!(output, [2.0, 2048.0]);
}

#[test]
fn what_no_page_allows_is_an_error() {
    let mut output = [0; 8];
    let unsupported = |function, data_type: DataType| (op(function, data_type, &[2], &[0]), data_type);
    for (op, data_type) in [
        unsupported(ReduceFunction::AVERAGE, DataType::INT32),
        unsupported(ReduceFunction::SUM, DataType::INT8),
        unsupported(ReduceFunction(12), DataType::FLOAT32),
    ] {
        let found = execute(&op, &[&[0; 8]], &mut [&mut output]);
        assert_eq!(found, Err(KernelError::DataType(data_type.0)));
    }
}

#[test]
fn without_axes_every_set_is_one_element() {
    let input: Vec<u8> = [3f32, -4.].iter().flat_map(|x| x.to_le_bytes()).collect();
    for axes in [None, Some([].into_iter().collect())] {
        let mut op = op(ReduceFunction::L1, DataType::FLOAT32, &[2], &[]);
        op.axes = axes;
        let mut output = [0xcd; 8];
        execute(&op, &[&input], &mut [&mut output]).unwrap();
        assert_eq!(output.as_chunks::<4>().0, [3f32.to_le_bytes(), 4f32.to_le_bytes()]);
    }
}
