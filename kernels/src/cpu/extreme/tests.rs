//! Expectations worked out by hand.

use dml_ops::DataType;
use dml_spec::TensorDesc;

use super::*;

/// Indices of the sets along `axes` of a tensor of floats.
fn run(largest: bool, sizes: &[u32], axes: &[u32], tell: Tell, input: &[f32]) -> Vec<i64> {
    let reduced: Vec<u32> = (0..)
        .zip(sizes)
        .map(|(d, size)| if axes.contains(&d) { 1 } else { *size })
        .collect();
    let extreme = Extreme {
        input: &Some(TensorDesc::packed(DataType::FLOAT32.0, 32, sizes)),
        output: &Some(TensorDesc::packed(DataType::INT64.0, 64, &reduced)),
        axes,
        largest,
    };
    let input: Vec<u8> = input.iter().flat_map(|x| x.to_le_bytes()).collect();
    let mut output = vec![0xcd; 8 * reduced.iter().product::<u32>() as usize];
    extreme.execute(tell, &[&input], &mut [&mut output]).unwrap();
    output
        .as_chunks::<8>()
        .0
        .iter()
        .map(|bytes| i64::from_le_bytes(*bytes))
        .collect()
}

#[test]
fn worked_examples() {
    let input = [1., 2., 3., 3., 0., 4., 2., 5., 2.];
    for (largest, columns, rows, all) in [(true, [1, 2, 1], [2, 2, 1], 7), (false, [0, 1, 2], [0, 1, 0], 4)] {
        assert_eq!(run(largest, &[3, 3], &[0], Tell::First, &input), columns);
        assert_eq!(run(largest, &[3, 3], &[1], Tell::First, &input), rows);
        assert_eq!(run(largest, &[3, 3], &[0, 1], Tell::First, &input), [all]);
    }
    for (largest, input) in [(true, [3., 2., 1., 2., 3.]), (false, [1., 2., 3., 2., 1.])] {
        assert_eq!(run(largest, &[5], &[0], Tell::First, &input), [0]);
        assert_eq!(run(largest, &[5], &[0], Tell::Last, &input), [4]);
    }
}

#[test]
fn indices_count_within_the_reduced_axes() {
    let input: Vec<f32> = (0..24).map(|n| f32::from(n as u8 * 7 % 24)).collect();
    for largest in [true, false] {
        let expected = |middle: usize| {
            let set = [0, 1, 2, 3, 12, 13, 14, 15].map(|place| input[place + 4 * middle]);
            let better = |a: f32, b: f32| if largest { a > b } else { a < b };
            (1..8).fold(0, |best, i| if better(set[i], set[best]) { i } else { best }) as i64
        };
        let found = run(largest, &[2, 3, 4], &[0, 2], Tell::First, &input);
        assert_eq!(found, [0, 1, 2].map(expected));
        let turned = run(largest, &[2, 3, 4], &[2, 0], Tell::First, &input);
        assert_eq!(turned, found, "axes are a set");
    }
}

#[test]
fn zeros_tie_and_infinities_order() {
    let zeros = [-0., 0., 0., -0.];
    let input = [1., f32::NEG_INFINITY, f32::INFINITY, -1.];
    for (largest, extreme) in [(true, 2), (false, 1)] {
        assert_eq!(run(largest, &[4], &[0], Tell::First, &zeros), [0]);
        assert_eq!(run(largest, &[4], &[0], Tell::Last, &zeros), [3]);
        assert_eq!(run(largest, &[4], &[0], Tell::First, &input), [extreme]);
    }
}
