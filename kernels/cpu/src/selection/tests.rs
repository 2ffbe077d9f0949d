//! Every path through a selection, compared with a sort of numbers, on data and layouts that lead there.

use std::{cmp::Ordering, num::NonZeroUsize};

use super::*;
use crate::{
    number::{Number, Type},
    with_threads,
};

pub(crate) const TYPES: [DataType; 10] = [
    DataType::FLOAT32,
    DataType::FLOAT16,
    DataType::UINT64,
    DataType::UINT32,
    DataType::UINT16,
    DataType::UINT8,
    DataType::INT64,
    DataType::INT32,
    DataType::INT16,
    DataType::INT8,
];

/// The values of an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Data {
    Random,
    /// A few values only.
    Tied,
    Constant,
    Ascending,
    Descending,
    /// Both zeros, the least denormals, and rarely others.
    Zeros,
}

pub(crate) const DATA: [Data; 6] = [
    Data::Random,
    Data::Tied,
    Data::Constant,
    Data::Ascending,
    Data::Descending,
    Data::Zeros,
];

/// Bits of `count` elements, none of them NaN.
pub(crate) fn elements(data: Data, ty: Type, count: usize) -> Vec<u64> {
    let bits = 8 * ty.width() as u32;
    let (sign, all) = (1u64 << (bits - 1), u64::MAX >> (64 - bits));
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let top = count.max(100_000) as u64;
    let element = |number: u64| ty.bits(Number::Whole((number & all).into()));
    let mut of = |n: u64| match data {
        Data::Random => loop {
            let bits = random() >> (64 - bits);
            if !matches!(ty.number(bits), Number::Real(x) if x.is_nan()) {
                return bits;
            }
        },
        Data::Tied => element(random() % 5),
        Data::Constant => element(7),
        Data::Ascending => element(if bits < 32 { n / 32 } else { n }),
        Data::Descending => element(if bits < 32 { (top - n) / 1000 } else { top - n }),
        Data::Zeros => match random() % 40 {
            0 => element(1),
            1 => sign | 1,
            2 => 1,
            even if even % 2 == 0 => 0,
            _ => sign,
        },
    };
    (0..count as u64).map(&mut of).collect()
}

pub(crate) fn compare(ty: Type, a: u64, b: u64) -> Ordering {
    match (ty.number(a), ty.number(b)) {
        (Number::Whole(a), Number::Whole(b)) => a.cmp(&b),
        (Number::Real(a), Number::Real(b)) => a.partial_cmp(&b).unwrap(),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn bytes(ty: Type, elements: &[u64]) -> Vec<u8> {
    elements
        .iter()
        .flat_map(|bits| bits.to_le_bytes()[..ty.width()].to_vec())
        .collect()
}

pub(crate) fn tensor(data_type: DataType, sizes: &[u32], strides: Option<&[u32]>) -> Option<TensorDesc> {
    let mut tensor = TensorDesc::packed(data_type.0, 8, sizes);
    tensor.strides = strides.map(|strides| strides.iter().copied().collect());
    Some(tensor)
}

/// Selects along `axis` of a tensor of two dimensions, and compares all results with a stable sort.
fn check(
    data_type: DataType,
    data: Data,
    sizes: [u32; 2],
    strides: Option<[u32; 2]>,
    axis: usize,
    k: u32,
    threads: usize,
) {
    let ty = Type::of(data_type.0).unwrap();
    let [row, column] = strides.unwrap_or([sizes[1], 1]).map(|stride| stride as usize);
    let count = (sizes[0] as usize - 1) * row + (sizes[1] as usize - 1) * column + 1;
    let input = elements(data, ty, count);
    let mut selected = sizes;
    selected[axis] = k;
    let results = selected.iter().product::<u32>() as usize;
    let other = 1 - axis;
    let along = [row, column][axis];
    for largest in [false, true] {
        let selection = Selection {
            input: &tensor(data_type, &sizes, strides.as_ref().map(<[u32; 2]>::as_slice)),
            values: &tensor(data_type, &selected, None),
            indices: &tensor(DataType::UINT32, &selected, None),
            axis: axis as u32,
            k,
            largest,
        };
        let (mut values, mut indices) = (vec![0xcd; results * ty.width()], vec![0xcd; results * 4]);
        with_threads(NonZeroUsize::new(threads).unwrap(), || {
            selection
                .execute(&[&bytes(ty, &input)], &mut [&mut values, &mut indices])
                .unwrap();
        });
        let (mut expected, mut expected_indices) = (vec![0; results], vec![0u32; results]);
        for sequence in 0..sizes[other] as usize {
            let start = sequence * [row, column][other];
            let at = |index: u32| input[start + index as usize * along];
            let mut order: Vec<u32> = (0..sizes[axis]).collect();
            order.sort_by(|a, b| {
                let order = compare(ty, at(*a), at(*b));
                if largest { order.reverse() } else { order }
            });
            for (place, index) in order.into_iter().take(k as usize).enumerate() {
                let to = if axis == 1 {
                    sequence * k as usize + place
                } else {
                    place * sizes[1] as usize + sequence
                };
                (expected[to], expected_indices[to]) = (at(index), index);
            }
        }
        let context = format!("{data_type:?} {data:?} {sizes:?} {strides:?} axis {axis} k {k} {threads} {largest}");
        let expected_indices: Vec<u8> = expected_indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        assert!(indices == expected_indices, "indices: {context}");
        assert!(values == bytes(ty, &expected), "values: {context}");
    }
}

#[test]
fn one_sequence_of_any_length() {
    for data_type in TYPES {
        for data in DATA {
            for length in [1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 200, 1000] {
                for k in [1, 2, 10, length / 8, length / 8 + 1, length / 2, length] {
                    if (1..=length).contains(&k) {
                        check(data_type, data, [1, length], None, 1, k, 1);
                    }
                }
            }
        }
    }
}

#[test]
fn long_sequences_are_scanned_with_a_bar() {
    for data_type in TYPES {
        for data in DATA {
            // Few parts and many of them set the first bar, or none do; then it is cut back again and again.
            for k in [1, 32, 33, 128, 129, 700] {
                check(data_type, data, [1, 20_011], None, 1, k, 1);
            }
            // Searched whole before the bar is set, or almost.
            for length in [2_048, 2_049, 3_000] {
                check(data_type, data, [1, length], None, 1, 10, 1);
            }
        }
    }
}

#[test]
fn either_zero_passes_a_bar_at_zero() {
    // The bar is the zero that comes first; some lanes have only the other one, which is equal.
    for (largest, beyond, zero) in [(true, 1.0, 0.0), (false, -1.0, -0.0)] {
        let mut input = vec![-2.0 * beyond; 1000];
        for place in 0..5 {
            input[300 + place] = beyond;
        }
        for place in 0..8 {
            input[330 + place] = -zero;
            input[400 + place] = zero;
        }
        let selection = Selection {
            input: &tensor(DataType::FLOAT32, &[1000], None),
            values: &tensor(DataType::FLOAT32, &[10], None),
            indices: &tensor(DataType::UINT32, &[10], None),
            axis: 0,
            k: 10,
            largest,
        };
        let bytes: Vec<u8> = input.iter().flat_map(|x: &f32| x.to_le_bytes()).collect();
        let (mut values, mut indices) = (vec![0xcd; 40], vec![0xcd; 40]);
        selection.execute(&[&bytes], &mut [&mut values, &mut indices]).unwrap();
        let found: Vec<u32> = indices
            .as_chunks()
            .0
            .iter()
            .map(|bytes| u32::from_le_bytes(*bytes))
            .collect();
        assert_eq!(found, [300, 301, 302, 303, 304, 330, 331, 332, 333, 334], "{largest}");
    }
}

#[test]
fn large_selections_are_sorted_by_digits() {
    for data_type in TYPES {
        for data in DATA {
            check(data_type, data, [1, 40_001], None, 1, 30_000, 1);
        }
    }
    check(DataType::UINT8, Data::Random, [1, 40_001], None, 1, 40_001, 1);
}

#[test]
fn columns_are_read_in_panels_and_tiles() {
    for data_type in TYPES {
        for data in DATA {
            // 64 columns make a panel, 16 a square; the rows do not fill either.
            for (sizes, k) in [
                ([1100, 150], 10),
                ([200, 64], 3),
                ([1030, 65], 128),
                ([1100, 64], 129),
                ([65, 19], 5),
            ] {
                check(data_type, data, sizes, None, 0, k, 1);
            }
        }
    }
}

#[test]
fn layouts_of_all_kinds_are_followed() {
    for data_type in [DataType::FLOAT32, DataType::UINT8, DataType::INT64] {
        for data in [Data::Random, Data::Tied] {
            for strides in [[300, 1], [1, 5], [900, 3], [0, 1], [1, 0], [1, 1], [7, 2]] {
                check(data_type, data, [5, 300], Some(strides), 1, 10, 1);
                check(data_type, data, [130, 70], Some(strides), 0, 10, 1);
            }
        }
    }
}

#[test]
fn threads_change_nothing() {
    for data_type in [DataType::FLOAT32, DataType::UINT8, DataType::INT64] {
        for data in [Data::Random, Data::Tied] {
            for threads in [2, 3] {
                // Many sequences, columns, one long sequence, and one of which more is selected than a part of it has.
                check(data_type, data, [300, 500], None, 1, 10, threads);
                check(data_type, data, [500, 300], None, 0, 10, threads);
                check(data_type, data, [1, 100_003], None, 1, 10, threads);
                check(data_type, data, [1, 100_003], None, 1, 60_000, threads);
                check(data_type, data, [100_003, 1], Some([2, 1]), 0, 10, threads);
                check(data_type, data, [20_000, 5], None, 1, 2, threads);
                // A part has more results than are collected before a turn.
                check(data_type, data, [4000, 100], None, 1, 60, threads);
            }
        }
    }
}
