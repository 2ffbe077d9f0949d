//! Wrong kernels and wrong answers, and what the judge makes of them.

use dml_ops::{Answer, Buffer, Info, Levels, Rejection, Validator};
use dml_spec::FeatureLevel;

use super::{Options, buffers, judge, poison};
use crate::{
    case::{Case, Mode, Verdict},
    number::{Number, decode, encode_float, encode_int},
    oracle::{Lanes, fixture, fixture::Recipe},
    outcome::{Basis, Diagnosis, Follows, Judged, Outcome},
    suite::Suite,
    tensor::Shape,
};

fn info(levels: Levels, feature_level: FeatureLevel) -> Info {
    Info {
        name: "test".to_owned(),
        version: String::new(),
        operators: Vec::new(),
        feature_level,
        levels,
        validator: Validator::Own,
        executes: true,
        details: Vec::new(),
    }
}

fn on(basis: Basis, suite: &Suite, case: &Case, answer: &Answer) -> Judged {
    let info = info(Levels::Strict, FeatureLevel::new(6, 4));
    judge(
        suite,
        case,
        answer,
        &Options {
            basis,
            strict_reasons: false,
            info: &info,
        },
    )
}

/// Shapes of input and outputs.
fn shapes(suite: &Suite, case: &Case) -> Vec<Shape> {
    let (operator, _) = suite.operator("TOP_K1").unwrap();
    let all = [dml_spec::model::Role::Input, dml_spec::model::Role::Output];
    let tensors = all.into_iter().flat_map(|role| case.descriptor.tensors(operator, role));
    tensors.map(|t| Shape::of(&suite.catalog, t).unwrap()).collect()
}

/// A kernel that may be wrong: `pick` gives the indices a lane selects, in order, and may change any of them and the
/// bits it writes. What it gives none for is not written.
fn kernel(suite: &Suite, recipe: &Recipe, pick: impl Fn(usize, &[Number]) -> Vec<usize>) -> (Case, Vec<Buffer>) {
    let case = recipe.case(suite);
    let shapes = shapes(suite, &case);
    let (_, mut outputs) = buffers(suite.operator("TOP_K1").unwrap().0, &case);
    let lanes = Lanes::along(&recipe.sizes, recipe.axis).unwrap();
    let out = Lanes {
        size: recipe.k as usize,
        ..lanes
    };
    let mut written: Vec<Vec<u64>> = shapes[1..]
        .iter()
        .zip(&outputs)
        .map(|(s, b)| s.read(b.tensor()))
        .collect();
    for lane in 0..lanes.count() {
        let bits = |index: usize| recipe.elements[lanes.place(lane, index)];
        let numbers: Vec<Number> = (0..lanes.size).map(|i| decode(&shapes[0].ty, bits(i))).collect();
        for (slot, index) in pick(lane, &numbers).into_iter().take(out.size).enumerate() {
            written[0][out.place(lane, slot)] = bits(index.min(lanes.size - 1));
            written[1][out.place(lane, slot)] = index as u64;
        }
    }
    write(&shapes, &mut outputs, &written);
    (case, outputs)
}

fn write(shapes: &[Shape], outputs: &mut [Buffer], written: &[Vec<u64>]) {
    for ((shape, buffer), elements) in shapes[1..].iter().zip(outputs).zip(written) {
        shape.write(buffer.tensor_mut(), elements.iter().copied());
    }
}

/// A right selection by changed keys.
fn sorted(numbers: &[Number], decreasing: bool, key: impl Fn(Number) -> Number) -> Vec<usize> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| {
        let order = key(numbers[*a]).order(key(numbers[*b])).unwrap();
        if decreasing { order.reverse() } else { order }
    });
    order
}

fn plain(n: Number) -> Number {
    n
}

fn diagnosis(suite: &Suite, case: &Case, outputs: Vec<Buffer>) -> Diagnosis {
    let judged = on(Basis::Runtime, suite, case, &Answer::Executed { outputs });
    assert_eq!(judged.outcome, Outcome::Fail, "{judged:?}");
    judged.diagnosis.unwrap()
}

/// The class that a wrong kernel gets.
fn class(recipe: &Recipe, pick: impl Fn(usize, &[Number]) -> Vec<usize>) -> &'static str {
    let suite = fixture::suite();
    let (case, outputs) = kernel(&suite, recipe, pick);
    diagnosis(&suite, &case, outputs).class
}

/// Shuffled numbers, all different: 0 to n-1.
fn shuffled(n: usize) -> Vec<f32> {
    (0..n).map(|i| ((i * 37 + 11) % n) as f32).collect()
}

fn mixed(decreasing: bool) -> Recipe {
    Recipe::floats(&[2, 17, 3], 1, 4, decreasing, &shuffled(103)[..102])
}

fn ties(decreasing: bool) -> Recipe {
    let values: Vec<f32> = (0..27).map(|i| (i % 4 / 2) as f32).collect();
    Recipe::floats(&[3, 9], 1, 4, decreasing, &values)
}

#[test]
fn a_right_kernel_passes() {
    let suite = fixture::suite();
    for recipe in [mixed(true), mixed(false), ties(true), ties(false)] {
        let (case, outputs) = kernel(&suite, &recipe, |_, n| sorted(n, recipe.decreasing, plain));
        let judged = on(Basis::Runtime, &suite, &case, &Answer::Executed { outputs });
        assert_eq!(
            judged,
            Judged {
                outcome: Outcome::Pass,
                diagnosis: None,
                follows: vec![],
                warnings: vec![]
            }
        );
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
    assert_eq!((changed.class, changed.differing), ("value-changed", 1));
    let first = changed.first.unwrap();
    assert_eq!(
        (first.at, first.actual),
        (vec![0, 0, 2], ("5000".to_owned(), "0x459c4000".to_owned()))
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
        let packed = |shape: &Shape| super::output::packed(shape).unwrap();
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
            (found.class, &found.clauses[..]),
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

#[test]
fn observed_cases_count_whom_a_backend_follows() {
    let suite = fixture::suite();
    let recipe = Recipe::floats(&[4], 0, 4, true, &[1.0, 2.0, 3.0, 4.0]);
    let (mut case, right) = kernel(&suite, &recipe, |_, n| sorted(n, true, plain));
    let clause = "TOP_K1/k-below-axis-size";
    case.verdict = Verdict::Observed {
        clauses: vec![clause.into()],
        rejected: false,
    };
    let (_, wrong) = kernel(&suite, &recipe, |_, n| sorted(n, false, plain));
    let refused = Answer::Rejected(Rejection {
        clauses: vec![clause.to_owned()],
        ..Rejection::default()
    });
    let (right, wrong) = (Answer::Executed { outputs: right }, Answer::Executed { outputs: wrong });
    let expect = [
        (Basis::Runtime, &right, Outcome::Pass, Follows::Runtime),
        (Basis::Runtime, &refused, Outcome::Fail, Follows::Text),
        (Basis::Runtime, &wrong, Outcome::Fail, Follows::Neither),
        (Basis::Text, &right, Outcome::Pass, Follows::Runtime),
        (Basis::Text, &refused, Outcome::Pass, Follows::Text),
        (Basis::Text, &wrong, Outcome::Unspecified, Follows::Neither),
    ];
    for (basis, answer, outcome, follows) in expect {
        let judged = on(basis, &suite, &case, answer);
        assert_eq!(
            (judged.outcome, &judged.follows[..]),
            (outcome, &[(clause.into(), follows)][..])
        );
    }
    let diagnosis = on(Basis::Runtime, &suite, &case, &refused).diagnosis.unwrap();
    assert_eq!(
        (diagnosis.class, &diagnosis.clauses[..]),
        ("wrongly-rejected", &[clause.into()][..])
    );
}

#[test]
fn refusals_that_only_runtimes_make_never_fail_by_the_text() {
    let suite = fixture::suite();
    let mut case = Recipe::floats(&[9], 0, 7, true, &[0.0; 9]).case(&suite);
    let clause = "TOP_K1/k-not-seven";
    case.mode = Mode::Create;
    case.verdict = Verdict::Observed {
        clauses: vec![clause.into()],
        rejected: true,
    };
    let refused = Answer::Rejected(Rejection::default());
    let expect = [
        (Basis::Runtime, &refused, Outcome::Pass, Follows::Runtime),
        (Basis::Runtime, &Answer::Created, Outcome::Fail, Follows::Text),
        (Basis::Text, &refused, Outcome::Pass, Follows::Runtime),
        (Basis::Text, &Answer::Created, Outcome::Pass, Follows::Text),
    ];
    for (basis, answer, outcome, follows) in expect {
        let judged = on(basis, &suite, &case, answer);
        assert_eq!(
            (judged.outcome, &judged.follows[..]),
            (outcome, &[(clause.into(), follows)][..])
        );
    }
    // Where the text says nothing, what runtimes refuse is set apart.
    case.descriptor = Recipe::floats(&[9], 0, 6, true, &[0.0; 9]).case(&suite).descriptor;
    let judged = on(Basis::Text, &suite, &case, &Answer::Created);
    assert_eq!(
        (judged.outcome, judged.follows.len(), judged.warnings.len()),
        (Outcome::Unspecified, 0, 1)
    );
}

#[test]
fn rejections_are_held_against_the_violated_clauses() {
    let suite = fixture::suite();
    let mut case = mixed(true).case(&suite);
    case.mode = Mode::Create;
    let named = |ids: &[&str]| {
        let clauses = ids.iter().map(|id| (*id).to_owned()).collect();
        Answer::Rejected(Rejection {
            clauses,
            ..Rejection::default()
        })
    };
    let judged = on(Basis::Runtime, &suite, &case, &named(&[]));
    let diagnosis = judged.diagnosis.unwrap();
    assert_eq!((judged.outcome, diagnosis.class), (Outcome::Fail, "wrongly-rejected"));
    assert_eq!(diagnosis.clauses[0], "TOP_K1/2.1/InputTensor/FLOAT32");
    assert_eq!(
        on(Basis::Runtime, &suite, &case, &Answer::Created).outcome,
        Outcome::Pass
    );
    assert_eq!(
        on(Basis::Runtime, &suite, &case, &Answer::Executed { outputs: vec![] }).outcome,
        Outcome::HarnessError
    );

    let violation = dml_spec::program::Violation {
        clause: "TOP_K1/k-nonzero".into(),
        tensor: None,
        text: true,
        runtime: true,
    };
    case.verdict = Verdict::Rejected(vec![violation]);
    let accepted = on(Basis::Text, &suite, &case, &Answer::Created);
    assert_eq!(
        (accepted.outcome, accepted.diagnosis.unwrap().class),
        (Outcome::Fail, "wrongly-accepted")
    );
    assert_eq!(
        on(Basis::Runtime, &suite, &case, &named(&["TOP_K1/k-nonzero"]))
            .warnings
            .len(),
        0
    );
    let beside = on(Basis::Runtime, &suite, &case, &named(&["TOP_K1/axis-in-range"]));
    assert_eq!((beside.outcome, beside.warnings.len()), (Outcome::Pass, 1));
    let info = info(Levels::Strict, FeatureLevel::new(5, 0));
    let strict = Options {
        basis: Basis::Runtime,
        strict_reasons: true,
        info: &info,
    };
    let judged = judge(&suite, &case, &named(&["TOP_K1/axis-in-range"]), &strict);
    assert_eq!(
        (judged.outcome, judged.diagnosis.unwrap().class),
        (Outcome::Fail, "wrong-reason")
    );
}

#[test]
fn levels_are_judged_where_they_are_enforced() {
    let suite = fixture::suite();
    let mut case = mixed(true).case(&suite);
    case.mode = Mode::Create;
    case.gate = Some(FeatureLevel::new(5, 0));
    let clause = "TOP_K1/2.1/InputTensor/INT64".into();
    case.verdict = Verdict::Rejected(vec![dml_spec::program::Violation {
        clause,
        tensor: None,
        text: true,
        runtime: true,
    }]);
    let with = |levels, level| {
        let info = info(levels, level);
        judge(
            &suite,
            &case,
            &Answer::Created,
            &Options {
                basis: Basis::Runtime,
                strict_reasons: false,
                info: &info,
            },
        )
        .outcome
    };
    let gated = Outcome::Skip("level-not-enforced".to_owned());
    assert_eq!(with(Levels::Strict, FeatureLevel::new(6, 4)), Outcome::Fail);
    assert_eq!(with(Levels::Superset, FeatureLevel::new(6, 4)), gated);
    assert_eq!(with(Levels::Superset, FeatureLevel::new(4, 0)), Outcome::Fail);
}

#[test]
fn unspecified_outputs_keep_what_always_holds() {
    let suite = fixture::suite();
    let recipe = Recipe::floats(&[1, 4], 1, 2, true, &[1.0, f32::NAN, 3.0, 2.0]);
    let judged = |picked: [usize; 2]| {
        let (mut case, outputs) = kernel(&suite, &recipe, |_, _| picked.to_vec());
        case.verdict = Verdict::Unspecified(vec!["TOP_K1/nan-order".into()]);
        on(Basis::Runtime, &suite, &case, &Answer::Executed { outputs })
    };
    assert_eq!(judged([0, 1]).outcome, Outcome::Unspecified);
    let broken = judged([9, 1]);
    let diagnosis = broken.diagnosis.unwrap();
    assert_eq!((broken.outcome, diagnosis.class), (Outcome::Fail, "indices-in-range"));
    assert_eq!(diagnosis.clauses, ["TOP_K1/nan-order"]);
}

#[test]
fn nonsense_is_the_harness_s_business() {
    let suite = fixture::suite();
    let (case, right) = kernel(&suite, &mixed(true), |_, n| sorted(n, true, plain));
    let outcome = |answer: &Answer| on(Basis::Runtime, &suite, &case, answer).outcome;
    assert_eq!(
        outcome(&Answer::Executed {
            outputs: right[..1].to_vec()
        }),
        Outcome::HarnessError
    );
    let short = vec![Buffer::new(vec![0; 130], 64), right[1].clone()];
    assert_eq!(outcome(&Answer::Executed { outputs: short }), Outcome::HarnessError);
    let bare = right.iter().map(|b| Buffer::new(b.tensor().to_vec(), 0)).collect();
    assert_eq!(outcome(&Answer::Executed { outputs: bare }), Outcome::HarnessError);
    assert_eq!(outcome(&Answer::Created), Outcome::HarnessError);
    assert_eq!(
        outcome(&Answer::Error { message: String::new() }),
        Outcome::HarnessError
    );
    assert_eq!(
        outcome(&Answer::DeviceLost { message: String::new() }),
        Outcome::DeviceLost
    );
    let skipped = Answer::Skipped {
        reason: "unsupported".to_owned(),
    };
    assert_eq!(outcome(&skipped), Outcome::Skip("unsupported".to_owned()));
}

/// The specification as it is compiled in.
fn embedded() -> dml_spec::Catalog {
    let (catalog, found) = dml_spec::load::load(&dml_spec::load::embedded());
    catalog.unwrap_or_else(|| panic!("{found:#?}"))
}

#[test]
fn every_class_belongs_to_a_guarantee_and_every_guarantee_s_class_is_named() {
    let catalog = embedded();
    let general = [crate::oracle::guess::CLASSES, super::DIAGNOSED].concat();
    for operator in catalog.operators.iter() {
        let Some(oracle) = crate::oracle::oracle(&operator.name) else {
            continue;
        };
        let named = [&general, oracle.classes()].concat();
        for class in &named {
            let blamed = super::clauses_of(&catalog, operator, class);
            let by_harness = super::HARNESS_CLASSES.contains(class);
            assert_eq!(
                blamed.is_empty(),
                by_harness,
                "{}: {class} blames {blamed:?}",
                operator.name
            );
        }
        let guarantees = operator.clauses.iter().chain(catalog.tensor_clauses.iter());
        for class in guarantees.flat_map(|clause| clause.class.iter()) {
            assert!(named.contains(&&**class), "{}: nothing finds {class}", operator.name);
        }
    }
}

#[test]
fn oracles_know_every_property_that_silences_leave() {
    let catalog = embedded();
    let harness = ["no-stray-writes", "terminates"];
    for operator in catalog.operators.iter() {
        let Some(oracle) = crate::oracle::oracle(&operator.name) else {
            continue;
        };
        let descriptor = dml_spec::Descriptor::zeroed(operator);
        let call = crate::oracle::Call::new(&catalog, operator, &descriptor, &[]).unwrap();
        for clause in operator.clauses.iter().filter(|clause| clause.retired.is_none()) {
            for property in clause.holds.iter().filter(|p| !harness.contains(&&***p)) {
                assert!(
                    oracle.holds(property, &call, &[]).is_some(),
                    "{}: {property} is unknown",
                    clause.id
                );
            }
        }
    }
}
