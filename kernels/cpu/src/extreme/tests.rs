//! Expectations worked out by hand.

use dml_ops::{DataType, TensorDesc};

use std::num::NonZeroUsize;

use super::*;
use crate::{
    number::Type,
    selection::tests::{DATA, Data, TYPES, bytes, compare, elements, tensor},
    with_threads,
};

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

#[test]
fn either_zero_is_the_extreme_of_what_lies_on_one_side() {
    for length in [17, 64, 65, 200, 300usize] {
        for (a, b) in (0..length)
            .step_by(7)
            .flat_map(|a| (0..length).step_by(11).map(move |b| (a, b)))
        {
            for (largest, others) in [(true, -1.), (false, 1.)] {
                let mut input = vec![others; length];
                (input[a], input[b]) = (-0., 0.);
                let sizes = [length as u32];
                let first = run(largest, &sizes, &[0], Tell::First, &input);
                let last = run(largest, &sizes, &[0], Tell::Last, &input);
                assert_eq!(
                    [first, last],
                    [[a.min(b) as i64], [a.max(b) as i64]],
                    "{length} {largest}"
                );
            }
        }
    }
}

/// Reduces along `axes` and compares all results with a walk over numbers.
fn check(data_type: DataType, data: Data, sizes: &[u32], strides: Option<&[u32]>, axes: &[u32], threads: usize) {
    let ty = Type::of(data_type.0).unwrap();
    let from = tensor(data_type, sizes, strides);
    let layout = Layout::new(from.as_ref().unwrap(), 1, usize::MAX).unwrap();
    let count = 1 + layout.elements().map(|[offset]| offset).max().unwrap();
    let input = elements(data, ty, count);
    let is_reduced = |d: usize| axes.contains(&(d as u32));
    let reduced: Vec<u32> = (0..)
        .zip(sizes)
        .map(|(d, size)| if is_reduced(d) { 1 } else { *size })
        .collect();
    let results = reduced.iter().product::<u32>() as usize;
    for (largest, tell) in [true, false]
        .into_iter()
        .flat_map(|l| [Tell::Element, Tell::First, Tell::Last].map(|t| (l, t)))
    {
        let to = if tell == Tell::Element {
            data_type
        } else {
            DataType::INT64
        };
        let width = if tell == Tell::Element { ty.width() } else { 8 };
        let extreme = Extreme {
            input: &from,
            output: &tensor(to, &reduced, None),
            axes,
            largest,
        };
        let mut output = vec![0xcd; results * width];
        with_threads(NonZeroUsize::new(threads).unwrap(), || {
            extreme
                .execute(tell, &[&bytes(ty, &input)], &mut [&mut output])
                .unwrap();
        });
        let mut expected = Vec::new();
        for [start] in layout.keep_axes(|d| !is_reduced(d)).elements() {
            let mut best: Option<(u64, u64)> = None;
            for (index, [offset]) in (0..).zip(layout.keep_axes(is_reduced).elements()) {
                let bits = input[start + offset];
                let order = best
                    .map(|(held, _)| compare(ty, bits, held))
                    .map(|o| if largest { o.reverse() } else { o });
                if order.is_none_or(|order| order.is_lt() || order.is_eq() && tell == Tell::Last) {
                    best = Some((bits, index));
                }
            }
            let (bits, index) = best.unwrap();
            let found = if tell == Tell::Element { bits } else { index };
            expected.extend_from_slice(&found.to_le_bytes()[..width]);
        }
        assert!(
            output == expected,
            "{data_type:?} {data:?} {sizes:?} {strides:?} {axes:?} {threads} {largest} {tell:?}"
        );
    }
}

#[test]
fn runs_of_any_length() {
    for data_type in TYPES {
        for data in DATA {
            for length in [1, 16, 17, 63, 64, 65, 128, 200, 40_000] {
                check(data_type, data, &[length], None, &[0], 1);
            }
        }
    }
}

#[test]
fn every_place_of_a_run_is_found_among_numbers_of_either_sign() {
    for length in [17, 64, 65, 255, 257, 600u32] {
        for place in 0..length as usize {
            for (largest, others) in [(true, 2.), (true, -2.), (false, 2.), (false, -2.)] {
                let mut input = vec![others; length as usize];
                input[place] = if largest { others + 1. } else { others - 1. };
                for tell in [Tell::First, Tell::Last] {
                    let found = run(largest, &[length], &[0], tell, &input);
                    assert_eq!(found, [place as i64], "{length} {largest} {others} {tell:?}");
                }
            }
        }
    }
}

#[test]
fn columns_are_read_in_panels_and_tiles() {
    for data_type in TYPES {
        for data in DATA {
            check(data_type, data, &[1100, 150], None, &[0], 1);
            check(data_type, data, &[17, 65], None, &[0], 1);
        }
    }
}

#[test]
fn sets_of_several_runs_and_layouts_are_followed() {
    for data_type in [DataType::FLOAT32, DataType::UINT8, DataType::INT64] {
        for data in [Data::Random, Data::Tied, Data::Zeros] {
            check(data_type, data, &[3, 70, 20], None, &[0, 2], 1);
            check(data_type, data, &[20, 70, 3], None, &[0, 2], 1);
            check(data_type, data, &[3, 70, 20], None, &[1, 2], 1);
            check(data_type, data, &[3, 70, 90], None, &[0, 1], 1);
            for strides in [[300, 1], [1, 5], [900, 3], [0, 1], [1, 0], [1, 1], [7, 2]] {
                check(data_type, data, &[70, 300], Some(&strides), &[1], 1);
                check(data_type, data, &[70, 300], Some(&strides), &[0], 1);
            }
        }
    }
}

#[test]
fn threads_change_nothing() {
    for data_type in [DataType::FLOAT32, DataType::UINT8, DataType::INT64] {
        for data in [Data::Random, Data::Tied] {
            for threads in [2, 3] {
                check(data_type, data, &[300, 500], None, &[1], threads);
                check(data_type, data, &[500, 300], None, &[0], threads);
                check(data_type, data, &[100_003], None, &[0], threads);
                check(data_type, data, &[3, 70, 1000], None, &[0, 2], threads);
                check(
                    data_type,
                    data,
                    &[2, 1, 60_000],
                    Some(&[130_000, 1, 2]),
                    &[0, 2],
                    threads,
                );
            }
        }
    }
}
