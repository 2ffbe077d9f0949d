//! Cases that several mistakes explain: none is lost, and symptoms do not hide them.

use crate::tests::*;

/// The first explanation of a failure and all others.
fn classes(suite: &Suite, case: &Case, outputs: Vec<Buffer>) -> Vec<String> {
    let found = diagnosis(suite, case, outputs);
    let others = found.others.iter().map(|other| {
        assert!(found.message.contains(&*other.class), "{}", found.message);
        other.class.to_string()
    });
    std::iter::once(found.class.to_string()).chain(others).collect()
}

/// A kernel that starts at the right sequences and takes size and stride of the input from other axes.
fn halfway(suite: &Suite, recipe: &Recipe, size_of: usize, stride_of: usize) -> (Case, Vec<Buffer>) {
    let input = &shapes(suite, &recipe.case(suite))[0];
    let size = input.sizes.get(size_of).map_or(1, |n| *n as usize);
    let stride = input.strides.get(stride_of).map_or(0, |n| *n as usize);
    walked(suite, recipe, size, stride)
}

/// A kernel that starts at the right sequences and takes them to have this size and stride in the input.
fn walked(suite: &Suite, recipe: &Recipe, size: usize, stride: usize) -> (Case, Vec<Buffer>) {
    let case = recipe.case(suite);
    let shapes = shapes(suite, &case);
    let input = &shapes[0];
    let (_, mut outputs) = buffers(suite.operator("TOP_K1").unwrap().0, &case);
    let read = shapes[1..].iter().zip(&outputs).map(|(s, b)| s.read(b.tensor()));
    let mut written: Vec<Vec<u64>> = read.collect();
    let lanes = Lanes::along(&recipe.sizes, recipe.axis).unwrap();
    let out = Lanes {
        size: recipe.k as usize,
        ..lanes
    };
    let element = |at: usize| {
        case.inputs[0]
            .get(at * 4..at * 4 + 4)
            .map_or(0, |b| u32::from_le_bytes(b.try_into().unwrap()))
    };
    for lane in 0..lanes.count() {
        let at = input.coordinates(lanes.place(lane, 0) as u64);
        let start: usize = at.iter().zip(&input.strides).map(|(c, s)| (c * s) as usize).sum();
        let bits: Vec<u64> = (0..size).map(|i| u64::from(element(start + i * stride))).collect();
        let numbers: Vec<Number> = bits.iter().map(|bits| decode(&input.ty, *bits)).collect();
        let order = sorted(&numbers, recipe.decreasing, plain);
        for (slot, index) in order.into_iter().take(out.size).enumerate() {
            written[0][out.place(lane, slot)] = bits[index];
            written[1][out.place(lane, slot)] = index as u64;
        }
    }
    write(&shapes, &mut outputs, &written);
    (case, outputs)
}

#[test]
fn half_confused_axes_are_named_whatever_they_leave_unwritten() {
    let suite = fixture::suite();
    let mut padded = Recipe::floats(&[3, 4, 5], 1, 3, true, &shuffled(61)[..60]);
    padded.strides[0] = Some(vec![40, 7, 1]);
    for recipe in [
        Recipe::floats(&[3, 4, 5], 1, 3, true, &shuffled(61)[..60]),
        Recipe::floats(&[2, 4, 5], 1, 4, false, &shuffled(41)[..40]),
        padded,
    ] {
        for (size_of, stride_of) in [(0, 0), (2, 2), (0, 1), (1, 0), (1, 2)] {
            let (case, outputs) = halfway(&suite, &recipe, size_of, stride_of);
            let found = classes(&suite, &case, outputs);
            assert!(
                found.iter().any(|class| class == "axis-confused"),
                "size of {size_of}, stride of {stride_of}: {found:?}"
            );
        }
    }
    // Behind the last axis a sequence is one element.
    let (case, outputs) = halfway(&suite, &Recipe::floats(&[2, 7], 1, 3, true, &shuffled(17)[..14]), 2, 2);
    assert_eq!(classes(&suite, &case, outputs), ["axis-confused"]);
}

#[test]
fn sequences_read_side_by_side_ignore_strides() {
    let suite = fixture::suite();
    for (axis, stride) in [(1, 1), (0, 3)] {
        // Two apart, with gaps between rows: no axis has the stride.
        let mut recipe = Recipe::floats(&[3, 3], axis, 2, true, &shuffled(11)[..9]);
        recipe.strides[0] = Some(vec![8, 2]);
        let (case, outputs) = walked(&suite, &recipe, 3, stride);
        assert_eq!(classes(&suite, &case, outputs), ["strides-ignored"], "axis {axis}");
    }
}

#[test]
fn an_order_by_low_words_is_named() {
    let suite = fixture::suite();
    let elements = [
        9 << 32 | 1,
        2 << 32 | 7,
        5 << 32 | 3,
        7 << 32 | 9,
        1 << 32 | 8,
        3 << 32 | 2,
    ];
    for ty in ["INT64", "UINT64"] {
        let recipe = Recipe {
            ty,
            elements: elements.to_vec(),
            ..Recipe::floats(&[1, 6], 1, 4, true, &[])
        };
        let low = |n: Number| match n {
            Number::Int(n) => Number::Int(n & 0xffff_ffff),
            float => float,
        };
        let (case, outputs) = kernel(&suite, &recipe, |_, numbers| sorted(numbers, true, low));
        assert_eq!(classes(&suite, &case, outputs), ["precision"], "{ty}");
    }
}

#[test]
fn one_case_keeps_every_mistake_that_it_fits() {
    let suite = fixture::suite();
    let elements = [1u64, 1 << 31, (1 << 32) - 1, 5];
    let recipe = Recipe {
        ty: "UINT32",
        elements: elements.to_vec(),
        ..Recipe::floats(&[2, 2], 1, 1, true, &[])
    };
    // Of 1 and 2^31, and of 2^32-1 and 5, signed comparison takes the smaller: so does the other direction.
    let (case, outputs) = kernel(&suite, &recipe, |lane, _| vec![lane]);
    let found = classes(&suite, &case, outputs);
    assert!(
        found.iter().any(|class| class == "direction-flipped") && found.iter().any(|class| class == "signedness"),
        "{found:?}"
    );
}

#[test]
fn lost_elements_and_wrong_ties_may_look_the_same() {
    let suite = fixture::suite();
    let recipe = Recipe::floats(&[1, 3], 1, 1, true, &[1.0, 1.0, 0.0]);
    let (case, outputs) = kernel(&suite, &recipe, |_, _| vec![1]);
    let found = classes(&suite, &case, outputs);
    assert_eq!(found[0], "tie-boundary");
    assert!(
        found.iter().any(|class| class == "element-skipped") && found.iter().any(|class| class == "tie-order"),
        "{found:?}"
    );
    // The last of three elements takes no part, and all are wanted: its place stays unwritten.
    let recipe = Recipe::floats(&[2, 3], 1, 3, true, &[3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
    let (case, outputs) = kernel(&suite, &recipe, |_, _| vec![0, 1]);
    let found = classes(&suite, &case, outputs);
    assert_eq!(found[0], "unwritten");
    assert!(found.iter().any(|class| class == "element-skipped"), "{found:?}");
}

#[test]
fn ignored_strides_of_one_output_are_named() {
    let suite = fixture::suite();
    for strides in [vec![1, 2, 4], vec![20, 6, 1]] {
        let packed = Recipe::floats(&[2, 4, 5], 1, 2, false, &shuffled(41)[..40]);
        let strided = Recipe {
            strides: [None, Some(strides)],
            ..packed.clone()
        };
        let (case, right) = kernel(&suite, &strided, |_, n| sorted(n, false, plain));
        let (_, computed) = kernel(&suite, &packed, |_, n| sorted(n, false, plain));
        let (_, poison) = buffers(suite.operator("TOP_K1").unwrap().0, &case);
        for (which, name) in ["OutputValueTensor", "OutputIndexTensor"].into_iter().enumerate() {
            let mut outputs = right.clone();
            outputs[which] = poison[which].clone();
            let bytes = computed[which].tensor();
            outputs[which].tensor_mut()[..bytes.len()].copy_from_slice(bytes);
            let found = diagnosis(&suite, &case, outputs);
            assert_eq!(
                (&*found.class, &found.clauses[0][..]),
                ("strides-ignored", "TENSOR/strides-followed")
            );
            assert!(
                found
                    .message
                    .starts_with(&format!("{name} is written as if it were packed")),
                "{}",
                found.message
            );
            assert_eq!(found.first.unwrap().tensor, name);
        }
    }
}

#[test]
fn the_element_shown_is_wrong() {
    let suite = fixture::suite();
    let recipe = mixed(true);
    let (case, right) = kernel(&suite, &recipe, |_, n| sorted(n, true, plain));
    let shapes = shapes(&suite, &case);
    let read = shapes[1..].iter().zip(&right).map(|(s, b)| s.read(b.tensor()));
    let written: Vec<Vec<u64>> = read.collect();
    // Four slots a sequence, three sequences side by side.
    let swapped = |at: usize| written[1][[at + 3, at - at.min(3), at, at][at / 3 % 4]];
    let wrong: [&dyn Fn(usize) -> u64; 4] = [&swapped, &|at| written[1][at] + 1, &|at| written[1][at] % 8, &|at| {
        if at == 10 { written[1][7] } else { written[1][at] }
    }];
    for (number, wrong) in wrong.into_iter().enumerate() {
        let (mut outputs, indices) = (right.clone(), (0..written[1].len()).map(wrong).collect());
        write(&shapes, &mut outputs, &[written[0].clone(), indices]);
        let found = diagnosis(&suite, &case, outputs);
        let first = found.first.unwrap();
        assert_eq!(first.tensor, "OutputIndexTensor", "{number}: {}", found.message);
        assert_ne!(
            first.expected_bits,
            Some(first.actual_bits),
            "{number}: {}",
            found.message
        );
    }
}

#[test]
fn gaps_that_look_like_nan_do_not_hide_ignored_strides() {
    let suite = fixture::suite();
    let half = suite.catalog.data_type_named("FLOAT16").unwrap().clone();
    let mut recipe = Recipe {
        ty: "FLOAT16",
        elements: (0..6).map(|i| encode_float(&half, f64::from(i * 5 % 6))).collect(),
        ..Recipe::floats(&[2, 3], 1, 2, true, &[])
    };
    recipe.strides[0] = Some(vec![4, 1]);
    let (mut case, mut outputs) = kernel(&suite, &recipe, |_, n| sorted(n, true, plain));
    // The gap holds NaN, which a comparison of bits finds greater than infinity.
    case.inputs[0][6..8].copy_from_slice(&0x7e01u16.to_le_bytes());
    let shapes = shapes(&suite, &case);
    let five = encode_float(&half, 5.0);
    let second = [0x7e01, encode_float(&half, 3.0)];
    write(
        &shapes,
        &mut outputs,
        &[
            vec![five, encode_float(&half, 4.0), second[0], second[1]],
            vec![1, 2, 0, 1],
        ],
    );
    assert_eq!(classes(&suite, &case, outputs), ["strides-ignored"]);
}

#[test]
fn the_text_judges_values_where_it_only_leaves_open_what_may_be_taken() {
    let suite = fixture::suite();
    let recipe = mixed(true);
    let (mut case, wrong) = kernel(&suite, &recipe, |_, n| sorted(n, false, plain));
    let wrong = Answer::Executed { outputs: wrong };
    let outcome = |case: &Case| on(Basis::Text, &suite, case, &wrong).outcome;
    let observed = |clause: &'static str| Verdict::Observed {
        clauses: vec![clause.into()],
        rejected: false,
    };
    case.verdict = observed("TENSOR/output-may-be-strided");
    assert_eq!(
        outcome(&case),
        Outcome::Unspecified,
        "the outputs are packed, so the clause is about data"
    );
    let mut strided = recipe;
    strided.strides[1] = Some(vec![20, 5, 1]);
    let (mut case, outputs) = kernel(&suite, &strided, |_, n| sorted(n, false, plain));
    case.verdict = observed("TENSOR/output-may-be-strided");
    let judged = on(Basis::Text, &suite, &case, &Answer::Executed { outputs });
    assert_eq!(
        (judged.outcome, &*judged.diagnosis.unwrap().class),
        (Outcome::Fail, "direction-flipped")
    );
}
