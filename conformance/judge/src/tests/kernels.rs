//! Every class of diagnosis, by a small kernel that makes the mistake.

use crate::tests::*;

#[test]
fn a_right_kernel_passes() {
    let suite = fixture::suite();
    for recipe in [mixed(true), mixed(false), ties(true), ties(false)] {
        let (case, outputs) = kernel(&suite, &recipe, |_, n| sorted(n, recipe.decreasing, plain));
        let judged = on(Basis::Runtime, &suite, &case, &Answer::Executed { outputs });
        assert_eq!(judged, Judged::plain(Outcome::Pass));
    }
}

#[test]
fn ties_are_told_from_their_boundary() {
    for decreasing in [true, false] {
        let recipe = ties(decreasing);
        let highest_first = |_: usize, n: &[Number]| {
            let mut reversed: Vec<usize> = sorted(n, !decreasing, plain);
            reversed.reverse();
            reversed
        };
        assert_eq!(class(&recipe, highest_first), "tie-order");
        let one_direction = |_: usize, n: &[Number]| {
            let mut order = sorted(n, true, plain);
            if !decreasing {
                order.reverse();
            }
            order
        };
        if !decreasing {
            assert_eq!(class(&recipe, one_direction), "tie-order");
        }
    }
    let constant = Recipe::floats(&[2, 6], 1, 3, true, &[1.0; 12]);
    assert_eq!(class(&constant, |_, _| vec![5, 4, 3]), "tie-order");
    assert_eq!(class(&constant, |_, _| vec![0, 1, 5]), "tie-boundary");
    let zeros = Recipe::floats(&[1, 5], 1, 4, false, &[0.0, -0.0, 0.0, -0.0, 1.0]);
    assert_eq!(class(&zeros, |_, _| vec![1, 3, 0, 2]), "tie-order");
}

#[test]
fn directions_are_told_from_order() {
    for decreasing in [true, false] {
        let recipe = mixed(decreasing);
        assert_eq!(
            class(&recipe, |_, n| sorted(n, !decreasing, plain)),
            "direction-flipped"
        );
        let mut recipe = ties(decreasing);
        recipe
            .elements
            .iter_mut()
            .step_by(5)
            .for_each(|e| *e = u64::from(7f32.to_bits()));
        let reversed = |_: usize, n: &[Number]| {
            let mut order = sorted(n, decreasing, plain);
            order.reverse();
            order
        };
        assert_eq!(class(&recipe, reversed), "direction-flipped");
        let backwards = |_: usize, n: &[Number]| {
            let mut order = sorted(n, decreasing, plain);
            order.truncate(4);
            order.reverse();
            order
        };
        assert_eq!(class(&mixed(decreasing), backwards), "not-sorted");
    }
}

#[test]
fn a_selection_of_one_too_few_is_unwritten_or_not_selected() {
    let recipe = mixed(true);
    let right = |n: &[Number]| sorted(n, true, plain);
    assert_eq!(class(&recipe, |_, n| right(n)[..3].to_vec()), "unwritten");
    assert_eq!(class(&recipe, |_, n| right(n)[1..].to_vec()), "not-selected");
    assert_eq!(class(&recipe, |_, _| Vec::new()), "unwritten");
    let last = |_: usize, n: &[Number]| {
        let mut order = right(n);
        order.swap(3, 5);
        order
    };
    assert_eq!(class(&recipe, last), "not-selected");
}

#[test]
fn skipped_elements_are_named() {
    for decreasing in [true, false] {
        let mut recipe = mixed(decreasing);
        let extreme = u64::from(if decreasing { 1e9f32 } else { -1e9 }.to_bits());
        recipe.elements[16 * 3 + 1] = extreme;
        let without_last = |_: usize, n: &[Number]| sorted(&n[..16], decreasing, plain);
        assert_eq!(class(&recipe, without_last), "element-skipped");
        let block = |_: usize, n: &[Number]| sorted(&n[..8], decreasing, plain);
        assert_eq!(class(&recipe, block), "element-skipped");
        let mut recipe = mixed(decreasing);
        recipe.elements[1] = extreme;
        let without_first =
            |_: usize, n: &[Number]| sorted(&n[1..], decreasing, plain).into_iter().map(|i| i + 1).collect();
        assert_eq!(class(&recipe, without_first), "element-skipped");
    }
    let duplicates_once = |_: usize, n: &[Number]| {
        let mut order = sorted(n, true, plain);
        order.dedup_by(|a, b| n[*a] == n[*b]);
        order
    };
    let recipe = Recipe::floats(&[1, 6], 1, 3, true, &[3.0, 1.0, 3.0, 2.0, 1.0, 2.0]);
    assert_eq!(class(&recipe, duplicates_once), "element-skipped");
}

#[test]
fn a_confused_axis_is_named() {
    let suite = fixture::suite();
    let recipe = Recipe::floats(&[3, 4, 5], 1, 2, true, &shuffled(61)[..60]);
    for (other, flat) in [(0, false), (2, false), (0, true), (2, true)] {
        let case = recipe.case(&suite);
        let shapes = shapes(&suite, &case);
        let (_, mut outputs) = buffers(suite.operator("TOP_K1").unwrap().0, &case);
        let mut written: Vec<Vec<u64>> = shapes[1..]
            .iter()
            .zip(&outputs)
            .map(|(s, b)| s.read(b.tensor()))
            .collect();
        let lanes = Lanes::along(&recipe.sizes, other).unwrap();
        let out = Lanes { size: 2, ..lanes };
        for lane in 0..lanes.count() {
            let bits = |index: usize| recipe.elements[lanes.place(lane, index)];
            let numbers: Vec<Number> = (0..lanes.size).map(|i| decode(&shapes[0].ty, bits(i))).collect();
            for (slot, index) in sorted(&numbers, true, plain).into_iter().take(2).enumerate() {
                let at = shapes[0].coordinates(lanes.place(lane, slot) as u64);
                let inside = at.iter().zip(&shapes[1].sizes).all(|(c, size)| c < size);
                let strided = at.iter().zip(&shapes[1].strides).map(|(c, s)| (c * s) as usize).sum();
                let place = if flat { out.place(lane, slot) } else { strided };
                if (flat || inside) && place < written[0].len() {
                    written[0][place] = bits(index);
                    written[1][place] = index as u64;
                }
            }
        }
        write(&shapes, &mut outputs, &written);
        assert_eq!(
            diagnosis(&suite, &case, outputs).class,
            "axis-confused",
            "axis {other}, flat {flat}"
        );
    }
}

#[test]
fn signs_and_digits_are_named() {
    let integers = |ty: &'static str, values: &[i128]| {
        let ty = fixture::suite().catalog.data_type_named(ty).unwrap().clone();
        values.iter().map(|n| encode_int(&ty, *n)).collect::<Vec<u64>>()
    };
    let recipe = |ty, elements: Vec<u64>| Recipe {
        ty,
        elements: elements.clone(),
        ..Recipe::floats(&[elements.len() as u32], 0, 3, true, &[])
    };
    let other = |width: u32, n: Number| match n {
        Number::Int(n) if n < 0 => Number::Int(n + (1 << width)),
        Number::Int(n) if n >= 1 << (width - 1) => Number::Int(n - (1 << width)),
        n => n,
    };
    let signed = recipe("INT8", integers("INT8", &[-1, 5, -128, 127, 0, -7]));
    assert_eq!(class(&signed, |_, n| sorted(n, true, |n| other(8, n))), "signedness");
    let unsigned = recipe("UINT32", integers("UINT32", &[1, 1 << 31, (1 << 32) - 1, 0, 7, 9]));
    assert_eq!(class(&unsigned, |_, n| sorted(n, true, |n| other(32, n))), "signedness");
    let wide = recipe(
        "INT64",
        integers("INT64", &[1 << 53, (1 << 53) + 1, -5, (1 << 53) + 3, (1 << 53) + 2, 8]),
    );
    let through_double = |n: Number| {
        if let Number::Int(n) = n {
            Number::Float(n as f64)
        } else {
            n
        }
    };
    assert_eq!(class(&wide, |_, n| sorted(n, true, through_double)), "precision");
    let half = fixture::suite().catalog.data_type_named("FLOAT16").unwrap().clone();
    let near: Vec<u64> = (0..6)
        .map(|i| encode_float(&half, 1.0 + f64::from(i * 5 % 6) / 1024.0))
        .collect();
    let coarse = |n: Number| {
        if let Number::Float(x) = n {
            Number::Float((x * 128.0).round())
        } else {
            n
        }
    };
    assert_eq!(
        class(&recipe("FLOAT16", near), |_, n| sorted(n, true, coarse)),
        "precision"
    );
    let denormals = Recipe::floats(&[5], 0, 3, true, &[1e-40, 2e-40, -1e-40, 0.0, -1.0]);
    let flush = |n: Number| {
        if let Number::Float(x) = n {
            Number::Float(if x.abs() < 1e-38 { 0.0 } else { x })
        } else {
            n
        }
    };
    assert_eq!(class(&denormals, |_, n| sorted(n, true, flush)), "precision");
}

#[test]
fn indices_of_the_tensor_are_named() {
    let suite = fixture::suite();
    let recipe = mixed(true);
    let (case, mut outputs) = kernel(&suite, &recipe, |_, n| sorted(n, true, plain));
    let shapes = shapes(&suite, &case);
    let lanes = Lanes::along(&recipe.sizes, recipe.axis).unwrap();
    let out = Lanes { size: 4, ..lanes };
    let right: Vec<Vec<u64>> = shapes[1..]
        .iter()
        .zip(&outputs)
        .map(|(s, b)| s.read(b.tensor()))
        .collect();
    let of_tensor = |at: usize, index: u64| lanes.place(out.locate(at).0, index as usize) as u64;
    let wrong: Vec<u64> = right[1].iter().enumerate().map(|(at, i)| of_tensor(at, *i)).collect();
    write(&shapes, &mut outputs, &[right[0].clone(), wrong]);
    let found = diagnosis(&suite, &case, outputs.clone());
    assert_eq!(found.class, "index-of-tensor");
    assert_eq!(found.first.unwrap().tensor, "OutputIndexTensor");
    let steps: Vec<u64> = right[1].iter().map(|i| i * 3).collect();
    write(&shapes, &mut outputs, &[right[0].clone(), steps]);
    assert_eq!(diagnosis(&suite, &case, outputs).class, "index-of-tensor");
}

#[test]
fn broken_indices_and_values_are_named() {
    let recipe = mixed(true);
    assert_eq!(
        class(&recipe, |_, n| [vec![17], sorted(n, true, plain)].concat()),
        "index-out-of-range"
    );
    let doubled = |_: usize, n: &[Number]| {
        let order = sorted(n, true, plain);
        vec![order[0], order[0], order[1], order[2]]
    };
    assert_eq!(class(&recipe, doubled), "index-duplicate");
    let suite = fixture::suite();
    let (case, outputs) = kernel(&suite, &recipe, |_, n| sorted(n, true, plain));
    let shapes = shapes(&suite, &case);
    let right: Vec<Vec<u64>> = shapes[1..]
        .iter()
        .zip(&outputs)
        .map(|(s, b)| s.read(b.tensor()))
        .collect();
    let with = |value: u64| {
        let (mut outputs, mut written) = (outputs.clone(), right.clone());
        written[0][2] = value;
        write(&shapes, &mut outputs, &written);
        diagnosis(&suite, &case, outputs)
    };
    assert_eq!(with(right[0][5]).class, "value-index-disagree");
    assert_eq!(with(right[0][2] ^ 1).class, "precision");
    let changed = with(u64::from(5000f32.to_bits()));
    assert_eq!((&*changed.class, changed.differing), ("value-changed", 1));
    let first = changed.first.unwrap();
    assert_eq!(
        (&first.at[..], &*first.actual, &*first.actual_bits),
        (&[0, 0, 2][..], "5000", "0x459c4000")
    );
}

#[test]
fn ignored_strides_are_named() {
    let suite = fixture::suite();
    let layouts: [[Option<Vec<u32>>; 2]; 5] = [
        [Some(vec![1, 2, 8]), None],
        [Some(vec![24, 6, 1]), None],
        [None, Some(vec![1, 2, 4])],
        [Some(vec![24, 6, 1]), Some(vec![20, 6, 1])],
        [Some(vec![0, 5, 1]), None],
    ];
    for strides in layouts {
        let mut recipe = Recipe::floats(&[2, 4, 5], 1, 2, false, &shuffled(41)[..40]);
        recipe.strides = strides.clone();
        let case = recipe.case(&suite);
        let shapes = shapes(&suite, &case);
        let packed = |shape: &Shape| crate::output::pack_shape(shape).unwrap();
        let elements = packed(&shapes[0]).read(&case.inputs[0]);
        let ignorant = Recipe {
            elements,
            strides: [None, None],
            ..recipe
        };
        let (_, computed) = kernel(&suite, &ignorant, |_, n| sorted(n, false, plain));
        let (_, mut outputs) = buffers(suite.operator("TOP_K1").unwrap().0, &case);
        for (buffer, computed) in outputs.iter_mut().zip(&computed) {
            let length = computed.tensor().len();
            buffer.tensor_mut()[..length].copy_from_slice(computed.tensor());
        }
        assert_eq!(
            diagnosis(&suite, &case, outputs).class,
            "strides-ignored",
            "{strides:?}"
        );
    }
}

#[test]
fn stray_writes_are_named() {
    let suite = fixture::suite();
    let (case, right) = kernel(&suite, &mixed(true), |_, n| sorted(n, true, plain));
    for (behind, at) in [(true, 0), (false, poison::GUARD - 1)] {
        let mut outputs = right.clone();
        let end = if behind {
            outputs[1].whole().len() - poison::GUARD
        } else {
            0
        };
        outputs[1].whole_mut()[end + at] ^= 0xff;
        let found = diagnosis(&suite, &case, outputs);
        assert_eq!(
            (&*found.class, &found.clauses[..]),
            ("guard-touched", &["TENSOR/no-stray-writes".into()][..])
        );
    }
    let mut recipe = mixed(true);
    recipe.strides[1] = Some(vec![20, 5, 1]);
    let (case, right) = kernel(&suite, &recipe, |_, n| sorted(n, true, plain));
    let padding = ("TENSOR/padding-preserved".into(), Follows::Both);
    let judged = on(
        Basis::Runtime,
        &suite,
        &case,
        &Answer::Executed { outputs: right.clone() },
    );
    assert_eq!((judged.outcome, &judged.follows[..]), (Outcome::Pass, &[padding][..]));
    let mut outputs = right;
    outputs[0].tensor_mut()[3 * 4] ^= 1;
    assert_eq!(diagnosis(&suite, &case, outputs.clone()).class, "padding-touched");
    let judged = on(Basis::Text, &suite, &case, &Answer::Executed { outputs });
    assert_eq!(
        (judged.outcome, judged.follows[0].1, judged.warnings.len()),
        (Outcome::Pass, Follows::Text, 1)
    );
}
