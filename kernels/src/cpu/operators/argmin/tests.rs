//! Expectations worked out by hand.

use dml_ops::DataType;
use dml_spec::TensorDesc;

use super::*;

/// Indices of the sets along `axes` of a tensor of floats.
fn run(sizes: &[u32], axes: &[u32], direction: AxisDirection, input: &[f32]) -> Vec<i64> {
    let reduced: Vec<u32> = (0..)
        .zip(sizes)
        .map(|(d, size)| if axes.contains(&d) { 1 } else { *size })
        .collect();
    let op = Argmin {
        input_tensor: Some(TensorDesc::packed(DataType::FLOAT32.0, 32, sizes)),
        output_tensor: Some(TensorDesc::packed(DataType::INT64.0, 64, &reduced)),
        axis_count: axes.len() as u32,
        axes: Some(axes.iter().copied().collect()),
        axis_direction: direction,
    };
    let input: Vec<u8> = input.iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut output = vec![0xcd; 8 * reduced.iter().product::<u32>() as usize];
    execute(&op, &[&input], &mut [&mut output]).unwrap();
    output
        .as_chunks::<8>()
        .0
        .iter()
        .map(|bytes| i64::from_le_bytes(*bytes))
        .collect()
}

#[test]
fn worked_examples() {
    let (input, first) = ([1., 2., 3., 3., 0., 4., 2., 5., 2.], AxisDirection::INCREASING);
    assert_eq!(run(&[3, 3], &[0], first, &input), [0, 1, 2]);
    assert_eq!(run(&[3, 3], &[1], first, &input), [0, 1, 0]);
    assert_eq!(run(&[3, 3], &[0, 1], first, &input), [4]);
    assert_eq!(run(&[5], &[0], first, &[1., 2., 3., 2., 1.]), [0]);
    assert_eq!(run(&[5], &[0], AxisDirection::DECREASING, &[1., 2., 3., 2., 1.]), [4]);
}

#[test]
fn indices_count_within_the_reduced_axes() {
    let input: Vec<f32> = (0..24).map(|n| f32::from(n as u8 * 7 % 24)).collect();
    let expected = |middle: usize| {
        let set = [0, 1, 2, 3, 12, 13, 14, 15].map(|place| input[place + 4 * middle]);
        let better = |a: f32, b: f32| if "argmin" == "argmax" { a > b } else { a < b };
        (1..8).fold(0, |best, i| if better(set[i], set[best]) { i } else { best }) as i64
    };
    let found = run(&[2, 3, 4], &[0, 2], AxisDirection::INCREASING, &input);
    assert_eq!(found, [0, 1, 2].map(expected));
    assert_eq!(
        run(&[2, 3, 4], &[2, 0], AxisDirection::INCREASING, &input),
        found,
        "axes are a set"
    );
}

#[test]
fn zeros_tie_and_infinities_order() {
    let zeros = [-0., 0., 0., -0.];
    assert_eq!(run(&[4], &[0], AxisDirection::INCREASING, &zeros), [0]);
    assert_eq!(run(&[4], &[0], AxisDirection::DECREASING, &zeros), [3]);
    let input = [1., f32::NEG_INFINITY, f32::INFINITY, -1.];
    let expected = if "argmin" == "argmax" { [2] } else { [1] };
    assert_eq!(run(&[4], &[0], AxisDirection::INCREASING, &input), expected);
}
