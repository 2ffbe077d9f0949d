//! Answers that are no outputs, and outputs that text and runtimes see differently.

use crate::tests::*;

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
        (&*diagnosis.class, &diagnosis.clauses[..]),
        ("wrongly-rejected", &[clause.into()][..])
    );
}

#[test]
fn what_the_text_refuses_may_be_refused_by_it_though_outputs_are_open() {
    let suite = crate::embedded::suite();
    let build = |id: &str| dml_plan::build(suite, &id.parse().unwrap()).unwrap();
    let refused = Answer::Rejected(Rejection::default());
    let beyond = "SLICE1:2.1:layout:type=INT8,sizes=1x2x1x1,offsets=0x0x0x0,window=1x2x1x1,\
                  strides=1073741824x2x1073741824x2,out=5x1x5x1,layout=broadcast-all,values=near-equal";
    let allowed = "ACTIVATION_IDENTITY:1.0:values:type=FLOAT32,sizes=1x1x2x9,values=denormals";
    let every_runtime = "refused, although every runtime accepts it";
    let nothing = "refused, although it violates nothing";
    for (id, basis, outcome, message) in [
        (beyond, Basis::Text, Outcome::Pass, ""),
        (beyond, Basis::Runtime, Outcome::Fail, every_runtime),
        (allowed, Basis::Text, Outcome::Fail, nothing),
        (allowed, Basis::Runtime, Outcome::Fail, nothing),
    ] {
        let case = build(id);
        assert_eq!(case.verdict.word(), "unspecified", "{id}");
        let judged = on(basis, suite, &case, &refused);
        let found = judged.diagnosis.map_or(String::new(), |diagnosis| diagnosis.message);
        assert_eq!((judged.outcome, found.starts_with(message)), (outcome, true), "{found}");
    }
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
    // If the text says nothing, refusals by the runtimes are unspecified.
    case.descriptor = Recipe::floats(&[9], 0, 6, true, &[0.0; 9]).case(&suite).descriptor;
    let judged = on(Basis::Text, &suite, &case, &Answer::Created);
    assert_eq!(
        (judged.outcome, judged.follows.len(), judged.warnings.len()),
        (Outcome::Unspecified, 0, 1)
    );
}

#[test]
fn a_wrong_verdict_blames_the_clauses_that_make_it() {
    let suite = fixture::suite();
    // The text refuses K = axis size, the runtimes K = 7; this descriptor is both.
    let (text, runtimes) = ("TOP_K1/k-below-axis-size", "TOP_K1/k-not-seven");
    let mut case = Recipe::floats(&[7], 0, 7, true, &[0.0; 7]).case(&suite);
    case.mode = Mode::Create;
    case.verdict = Verdict::Observed {
        clauses: vec![text.into(), runtimes.into()],
        rejected: true,
    };
    let accepted = on(Basis::Runtime, &suite, &case, &Answer::Created).diagnosis.unwrap();
    assert_eq!(
        (&*accepted.class, &accepted.clauses[..]),
        ("wrongly-accepted", &[runtimes.into()][..])
    );
    assert_eq!(
        accepted.message,
        format!("accepted, although every runtime refuses it: {runtimes}")
    );
    // A clause about K = axis size explains a refusal, not wrong outputs.
    let recipe = Recipe::floats(&[4], 0, 4, true, &[1.0, 2.0, -0.0, 4.0]);
    let (mut case, wrong) = kernel(&suite, &recipe, |_, n| sorted(n, false, plain));
    case.verdict = Verdict::Observed {
        clauses: vec![text.into(), "TOP_K1/signed-zero".into()],
        rejected: false,
    };
    let refused = on(Basis::Runtime, &suite, &case, &Answer::Rejected(Rejection::default()));
    let grounds = refused.diagnosis.unwrap().clauses;
    assert_eq!(
        (&*grounds[0], grounds.len()),
        (text, 7),
        "and two cells of each tensor: {grounds:?}"
    );
    let found = diagnosis(&suite, &case, wrong);
    assert!(
        found.clauses.iter().any(|id| id == "TOP_K1/signed-zero"),
        "{:?}",
        found.clauses
    );
    assert!(found.clauses.iter().all(|id| id != text), "{:?}", found.clauses);
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
    assert_eq!((judged.outcome, &*diagnosis.class), (Outcome::Fail, "wrongly-rejected"));
    assert_eq!(diagnosis.clauses[0], "TOP_K1/2.1/InputTensor/FLOAT32");
    assert_eq!(
        on(Basis::Runtime, &suite, &case, &Answer::Created).outcome,
        Outcome::Pass
    );
    assert_eq!(
        on(Basis::Runtime, &suite, &case, &Answer::Executed { outputs: vec![] }).outcome,
        Outcome::HarnessError
    );

    // What the operator has not is nothing that a refusal could rest on, however much of it is named.
    let strange: Vec<String> = (0..20_000).map(|n| format!("REDUCE/strange-{n}")).collect();
    let strange: Vec<&str> = strange.iter().map(String::as_str).collect();
    for ids in [
        &["REDUCE/argmax-argmin"][..],
        &["TOP_K1/-1.0/InputTensor/99-D"],
        &["", "TOP_K1///"],
        &strange,
    ] {
        let diagnosis = on(Basis::Runtime, &suite, &case, &named(ids)).diagnosis.unwrap();
        assert_eq!(diagnosis.clauses[0], "TOP_K1/2.1/InputTensor/FLOAT32", "{ids:?}");
        assert!(
            diagnosis.message.ends_with("which the operator does not have"),
            "{ids:?}"
        );
        assert!(diagnosis.message.len() < 1000, "{ids:?}");
    }
    let of_tensors = suite.catalog.tensor_clauses[0].id.clone();
    for id in [
        "TOP_K1/k-nonzero",
        &*of_tensors,
        "TOP_K1/2.1/InputTensor/FLOAT64",
        "TOP_K1/2.1/InputTensor/6-D",
    ] {
        let diagnosis = on(Basis::Runtime, &suite, &case, &named(&[id, "REDUCE/strange"]))
            .diagnosis
            .unwrap();
        assert_eq!(diagnosis.clauses, [id]);
    }

    let violation = dml_spec::program::Violation {
        clause: "TOP_K1/k-nonzero".into(),
        tensor: None,
        text: true,
        runtime: true,
    };
    case.verdict = Verdict::Rejected(vec![violation]);
    let accepted = on(Basis::Text, &suite, &case, &Answer::Created);
    assert_eq!(
        (accepted.outcome, &*accepted.diagnosis.unwrap().class),
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
        half_precision: false,
        info: &info,
    };
    let judged = judge(&suite, &case, &named(&["TOP_K1/axis-in-range"]), &strict);
    assert_eq!(
        (judged.outcome, &*judged.diagnosis.unwrap().class),
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
                half_precision: false,
                info: &info,
            },
        )
        .outcome
    };
    let gated = Outcome::Skip;
    assert_eq!(with(Levels::Strict, FeatureLevel::new(6, 4)), Outcome::Fail);
    assert_eq!(with(Levels::Superset, FeatureLevel::new(6, 4)), gated);
    assert_eq!(with(Levels::Superset, FeatureLevel::new(4, 0)), Outcome::Fail);
}

#[test]
fn unspecified_outputs_keep_what_always_holds() {
    let suite = Suite::new(embedded());
    let recipe = Recipe::floats(&[1, 4], 1, 2, true, &[1.0, f32::NAN, 3.0, 2.0]);
    let judged = |picked: [usize; 2]| {
        let (mut case, outputs) = kernel(&suite, &recipe, |_, _| picked.to_vec());
        case.verdict = Verdict::Unspecified(vec!["TOP_K1/nan-order".into()]);
        on(Basis::Runtime, &suite, &case, &Answer::Executed { outputs })
    };
    assert_eq!(judged([0, 1]).outcome, Outcome::Unspecified);
    // NaN first, and then 3 before 2: no behaviour that the clause distinguishes, but no failure.
    let misordered = judged([0, 1]);
    let diagnosis = misordered.diagnosis.unwrap();
    assert_eq!(
        (&*diagnosis.class, &diagnosis.clauses[..]),
        ("nan-misordered", &["TOP_K1/nan-order".into()][..])
    );
    assert!(!misordered.outcome.is_failure() && misordered.does == [("TOP_K1/nan-order".into(), vec![])]);
    let expected = "{1, NaN, 3, 2}, Axis 1, K 2, AxisDirection DML_AXIS_DIRECTION_DECREASING came to OutputValueTensor \
                {1, NaN}, OutputIndexTensor {0, 1}; the outputs do none of nan-greatest";
    assert!(diagnosis.message.starts_with(expected), "{}", diagnosis.message);
    for consistent in [[1, 2], [2, 3]] {
        let judged = judged(consistent);
        assert_eq!((judged.outcome, judged.diagnosis), (Outcome::Unspecified, None));
    }
    let broken = judged([9, 1]);
    let diagnosis = broken.diagnosis.unwrap();
    assert_eq!((broken.outcome, &*diagnosis.class), (Outcome::Fail, "indices-in-range"));
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
    // A descriptor is taken or refused: giving up is the backend's own failure.
    let gave_up = Answer::Error {
        message: "out of tokens".to_owned(),
    };
    for basis in [Basis::Runtime, Basis::Text] {
        let judged = on(basis, &suite, &case, &gave_up);
        let diagnosis = judged.diagnosis.unwrap();
        assert_eq!((judged.outcome, &*diagnosis.class), (Outcome::Fail, "backend-error"));
        assert_eq!(diagnosis.message, "the backend gave up: out of tokens");
        assert!(diagnosis.clauses.is_empty());
    }
    assert_eq!(
        outcome(&Answer::DeviceLost { message: String::new() }),
        Outcome::DeviceLost
    );
    let skipped = Answer::Skipped {
        reason: "unsupported".to_owned(),
    };
    let judged = on(Basis::Runtime, &suite, &case, &skipped);
    assert_eq!(judged, Judged::skipped("unsupported"));
}

/// The specification as it is compiled in.
fn embedded() -> dml_spec::Catalog {
    let (catalog, found) = dml_spec_yaml::load::load(&dml_spec_yaml::load::embedded());
    catalog.unwrap_or_else(|| panic!("{found:#?}"))
}

#[test]
fn every_class_is_a_symptom_or_a_kind_of_mistakes() {
    let catalog = embedded();
    let kinds = dml_oracle::Kind::ALL.map(dml_oracle::Kind::word);
    // Of an operator without a meaning nothing runs.
    for operator in catalog.operators.iter().filter(|known| known.is_computed()) {
        for class in ["guard-touched", "unwritten", "differs"] {
            let blamed = crate::violated::clauses_of_class(&catalog, operator, class);
            assert!(!blamed.is_empty(), "{}: no guarantee names {class}", operator.name);
        }
        let in_place = crate::violated::clauses_of_class(&catalog, operator, dml_case::names::OVERWRITTEN);
        let shares = operator.shared_inputs().next().is_some();
        assert_eq!(in_place.is_empty(), !shares, "{}", operator.name);
        let guarantees = operator.clauses.iter().chain(catalog.tensor_clauses.iter());
        for class in guarantees.flat_map(|clause| clause.class.iter()) {
            let is_named = operator.mistakes.iter().any(|mistake| mistake.name == *class);
            let is_known = is_named || dml_case::names::SYMPTOMS.contains(&&**class) || kinds.contains(&&**class);
            assert!(is_known, "{}: nothing finds {class}", operator.name);
        }
        for name in operator.mistakes.iter().map(|mistake| &*mistake.name) {
            let is_taken = dml_case::names::SYMPTOMS.contains(&name) || kinds.contains(&name);
            assert!(!is_taken, "{}: {name} is the name of a kind or symptom", operator.name);
        }
    }
}

#[test]
fn guarantees_that_speak_of_some_cases_only_are_blamed_by_these() {
    let suite = crate::embedded::suite();
    let blamed = |id: &str| {
        let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
        let (_, outputs) = buffers(suite.operator(case.id.operator()).unwrap().0, &case);
        let found = diagnosis(suite, &case, outputs);
        found.clauses.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    // Nothing was written, which any guarantee of the results may be about.
    assert_eq!(blamed("REDUCE:5.0:examples:example=rows"), ["REDUCE/sets-by-axes"]);
    let case = dml_plan::build(suite, &"REDUCE:5.0:examples:example=rows".parse().unwrap()).unwrap();
    let context = dml_case::context::Context::new(suite, &case).unwrap();
    let all = crate::violated::clauses_of_failure(context, "differs");
    assert_eq!(all, ["REDUCE/sum", "REDUCE/function-applied", "REDUCE/sets-by-axes"]);
}

#[test]
fn what_is_said_of_an_output_that_is_right_is_blamed_last() {
    let suite = crate::embedded::suite();
    let blamed = |id: &str, wrong: &[usize]| {
        let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
        let context = dml_case::context::Context::new(suite, &case).unwrap();
        // Without their elements nothing is known of invariants.
        let wrong: Vec<(usize, u64)> = wrong.iter().map(|output| (*output, 0)).collect();
        let all = crate::violated::clauses_of_outputs(context, "differs", &[], &wrong);
        let names = all.iter().map(|id| id.split('/').next_back().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    let case = "TOP_K1:2.1:examples:example=tied-values";
    let values = ["selects-top", "sorted"];
    let others = ["indices-of-sequence", "value-at-index"];
    assert_eq!(blamed(case, &[0, 1]), [values, others].concat());
    assert_eq!(blamed(case, &[1]), [others, values].concat());
    assert_eq!(
        blamed(case, &[0]),
        ["selects-top", "sorted", "value-at-index", "indices-of-sequence"]
    );
}

#[test]
fn elements_are_blamed_on_what_they_violate_whatever_poison_they_hold() {
    let suite = crate::embedded::suite();
    let id = "DIAGONAL_MATRIX1:5.1:examples:example=wide-strip".parse().unwrap();
    let case = dml_plan::build(suite, &id).unwrap();
    let context = dml_case::context::Context::new(suite, &case).unwrap();
    let seven = u64::from(7_f32.to_bits());
    let right: Vec<u64> = (0..20).map(|at| if at % 6 < 3 { seven } else { 0 }).collect();
    let blamed = |class: &str, actual: &[u64], wrong: &[u64]| {
        let wrong: Vec<(usize, u64)> = wrong.iter().map(|at| (0, *at)).collect();
        let all = crate::violated::clauses_of_outputs(context, class, &[actual.to_vec()], &wrong);
        all.into_iter().map(String::from).collect::<Vec<_>>()
    };
    let (on, off): (Vec<u64>, Vec<u64>) = (0..20).partition(|at| at % 6 < 3);
    for poison in [0, seven, 0xdead_beef] {
        let unwritten = |places: &[u64]| {
            let mut actual = right.clone();
            places.iter().for_each(|at| actual[*at as usize] = poison);
            blamed("unwritten", &actual, places)
        };
        assert_eq!(unwritten(&on)[0], "DIAGONAL_MATRIX1/fills-diagonals", "{poison:x}");
        let rest = unwritten(&off);
        assert_eq!(rest[0], "DIAGONAL_MATRIX1/rest-kept", "{poison:x}");
        assert!(!rest.iter().any(|id| id.ends_with("/fills-diagonals")), "{rest:?}");
    }
    // The first eight of what is wrong keep what a later one violates.
    let mut actual = right;
    actual[17] = 5;
    let all: Vec<u64> = (0..20).collect();
    assert_eq!(blamed("differs", &actual, &all)[0], "DIAGONAL_MATRIX1/rest-kept");
}
