use std::collections::BTreeSet;

use dml_case::traits::traits;
use dml_oracle::{Expectation, Observed, explain};
use dml_plan::planner::Planner;
use dml_spec::model::Tier;

use super::*;

/// What CI asks.
const SMOKE: Plan = Plan {
    tier: Tier::Smoke,
    basis: Basis::Runtime,
};

fn suite() -> Arc<Planner> {
    Arc::new(crate::embedded::suite().clone())
}

fn place_of(suite: &Planner, operator: &str) -> usize {
    let mut operators = suite.catalog.operators.iter();
    operators.position(|of| of.name == operator).unwrap()
}

fn tried(suite: &Arc<Planner>, operator: &str) -> Vec<Tried> {
    run(suite, place_of(suite, operator), SMOKE, &|_| {})
}

/// Of the mutants of an operator those that are asked for: trying all of them takes long.
fn tried_of(suite: &Arc<Planner>, operator: &str, plan: Plan, mut is_asked: impl FnMut(&Mutant) -> bool) -> Vec<Tried> {
    let at = place_of(suite, operator);
    let mut asked = all_of(suite, at);
    asked.retain(|tried| is_asked(&tried.mutant));
    run_of(asked, (suite, at), plan, &|_| {})
}

#[test]
fn mutants_are_the_same_each_time_and_each_has_an_id_of_its_own() {
    let suite = suite();
    let mut kinds = BTreeSet::new();
    for operator in suite.catalog.operators.iter() {
        let meaning = suite
            .operator(&operator.name)
            .and_then(|(_, program)| program.meaning.as_ref());
        let Some(meaning) = meaning else { continue };
        let list = || mutants(&suite.catalog, operator, meaning);
        let (first, second) = (list(), list());
        let ids: Vec<&str> = first.iter().map(|mutant| mutant.id.as_str()).collect();
        assert!(ids.len() > 10, "{}", operator.name);
        assert!(second.iter().map(|mutant| mutant.id.as_str()).eq(ids.iter().copied()));
        assert_eq!(
            ids.iter().collect::<BTreeSet<_>>().len(),
            ids.len(),
            "{}",
            operator.name
        );
        for mutant in &first {
            kinds.insert(mutant.kind);
            let reads_absent = mutant.sentence.starts_with("`present(") && mutant.sentence.ends_with("hold always");
            assert!(!reads_absent, "{}: {}", operator.name, mutant.sentence);
            let is_plain = !mutant.sentence.is_empty() && !mutant.sentence.ends_with('.');
            assert!(
                is_plain && !mutant.sentence.contains("``"),
                "{}: {}",
                operator.name,
                mutant.sentence
            );
        }
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), Kind::ALL);
}

#[test]
fn cases_kill_mistakes_and_say_which() {
    let suite = suite();
    let tried = tried(&suite, "TOP_K1");
    let of = |id: &str| tried.iter().find(|tried| tried.mutant.id == id).unwrap();
    let ties = tried.iter().filter(|tried| tried.mutant.kind == Kind::TieOrder);
    for tried in ties {
        assert_eq!(tried.kills.len(), MOST_KILLS, "{}", tried.mutant.sentence);
        assert!(tried.kills.iter().all(|id| id.operator() == "TOP_K1"));
    }
    // The direction is read, and K is not: the sizes of the outputs say it.
    assert_eq!(of("attribute@AxisDirection#0-1").fate(), Fate::Killed);
    assert!(!tried.iter().any(|tried| tried.mutant.id.starts_with("attribute@K#")));
    // That would take 2^24 elements.
    assert_eq!(of("precision@OutputIndexTensor#=1").fate(), Fate::Unproven);
    assert_eq!(of("index@OutputValueTensor#9").fate(), Fate::Equivalent);
    assert!(tried.iter().filter(|tried| tried.fate() == Fate::Killed).count() * 5 > tried.len() * 4);
}

#[test]
fn cases_kill_mistakes_that_no_expression_shows() {
    let suite = suite();
    for (operator, ids) in [
        (
            "CUMULATIVE_SUMMATION",
            &[
                "input-overwritten@in-place",
                "bounds@Axis#one-sequence",
                "bounds@Axis#one-sequence-reversed",
                "size@0",
                "size@tail-2-Axis-unwritten",
            ][..],
        ),
        ("SLICE1", &["index@InputWindowStrides#turned"]),
        (
            "GATHER",
            &[
                "signedness@InputTensor#low-word",
                "strides-ignored@IndicesTensor#column-after-column",
            ],
        ),
        ("ONE_HOT", &["axis-confused@Axis#row", "size@tail-4-unwritten"]),
        // How many axes there are changes with them: a clause goes through all.
        ("ARGMAX", &["attribute@Axes#first", "attribute@Axes#last"]),
    ] {
        let tried = tried_of(&suite, operator, SMOKE, |mutant| ids.contains(&&*mutant.id));
        for id in ids {
            let found = tried.iter().find(|tried| tried.mutant.id == *id).unwrap();
            assert_eq!(found.fate(), Fate::Killed, "{operator} {id}");
        }
    }
}

#[test]
fn there_is_no_mutant_that_changes_nothing() {
    let suite = suite();
    let (operator, program) = suite.operator("ELEMENT_WISE_ADD1").unwrap();
    let all = mutants(&suite.catalog, operator, program.meaning.as_ref().unwrap());
    let has = |id: &str| all.iter().any(|mutant| mutant.id == id);
    // It has no numbers of 64 bits, no dimension that is named, and reads each element where it writes it.
    assert!(has("strides-ignored@BTensor#packed"));
    assert!(!has("signedness@BTensor#low-word"));
    assert!(!has("input-overwritten@in-place"));
    assert!(!all.iter().any(|mutant| mutant.id.contains("one-sequence")));
}

#[test]
fn what_only_tells_what_is_open_is_not_computed() {
    let suite = suite();
    let (operator, program) = suite.operator("CUMULATIVE_SUMMATION").unwrap();
    let all = mutants(&suite.catalog, operator, program.meaning.as_ref().unwrap());
    let is_within = |start: &str| {
        all.iter()
            .any(|mutant| mutant.id.split('@').nth(1).unwrap().starts_with(start))
    };
    assert!(
        is_within("tally")
            && is_within("OutputTensor.1.1.2")
            && !is_within("left")
            && !is_within("OutputTensor.1.1.2.0")
    );
    // Whole numbers up to 64 bits and floats are read; binary64 holds none of the longest.
    let (operator, program) = suite.operator("ACTIVATION_IDENTITY").unwrap();
    let all = mutants(&suite.catalog, operator, program.meaning.as_ref().unwrap());
    let has = |sentence: &str| all.iter().any(|mutant| mutant.sentence == sentence);
    assert!(has("results are written as FLOAT16") && !has("results are written as FLOAT32"));
}

#[test]
fn what_the_plan_lacks_is_built() {
    let suite = suite();
    let tried = tried(&suite, "ACTIVATION_IDENTITY");
    let large = tried.iter().find(|tried| tried.mutant.id == "size@65535").unwrap();
    assert_eq!(large.fate(), Fate::Alive);
    assert!(large.built.is_some() && large.kills.is_empty());
}

#[test]
fn of_what_is_tolerated_exact_cases_that_rest_on_it_are_counted() {
    let tried = tried(&suite(), "ACTIVATION_RELU");
    let of = |id: &str| tried.iter().find(|tried| tried.mutant.id == id).unwrap();
    // No result is below 0: of magnitudes only that of -0 is another.
    let magnitude = of("signedness@OutputTensor#=10");
    assert_eq!((magnitude.fate(), magnitude.exact), (Fate::Tolerated, MOST_KILLS));
    let by = magnitude.tolerated.as_ref().unwrap();
    let Tolerance::Output { name, bound } = &by.by else {
        panic!("{by:?}")
    };
    assert!(name == "OutputTensor" && bound.contains("the sign of a zero is not said"));
}

#[test]
fn what_may_be_anything_is_not_tolerated() {
    // The exponentials leave their range and give NaN, in an interval that holds all numbers.
    let tried = tried_of(&suite(), "ACTIVATION_SOFTMAX1", SMOKE, |mutant| {
        mutant.sentence == "`max(r in group: InputTensor[g + r]) else 0.0` starts at 0"
    });
    let [from_zero] = tried.as_slice() else {
        panic!("one mutant")
    };
    assert_ne!(from_zero.fate(), Fate::Tolerated, "{}", from_zero.mutant.sentence);
}

#[test]
fn ties_are_looked_for_among_what_a_condition_leaves() {
    let mut catalog = dml_spec_yaml::load::catalog().clone();
    let mut operators = catalog.operators.to_mut().iter_mut();
    let operator = operators.find(|of| of.name == "ARGMAX").unwrap();
    for (_, text) in operator.meaning.to_mut() {
        let with = "argmax(r in set, where InputTensor[o + r] == InputTensor[o + r]: ";
        *text = text.replace("argmax(r in set: ", with).into();
    }
    let suite = Arc::new(Planner::new(catalog).unwrap());
    let tried = tried_of(&suite, "ARGMAX", SMOKE, |mutant| {
        mutant.kind == Kind::TieOrder && mutant.sentence.contains("where")
    });
    let [last] = tried.as_slice() else { panic!("{tried:?}") };
    assert_eq!(last.fate(), Fate::Killed, "{}", last.mutant.sentence);
}

#[test]
fn a_reason_is_wrong_if_a_case_shows_the_mistake() {
    let mut catalog = dml_spec_yaml::load::catalog().clone();
    let operators = catalog.operators.to_mut().iter_mut();
    let operator = operators
        .into_iter()
        .find(|of| of.name == "ACTIVATION_IDENTITY")
        .unwrap();
    operator.equivalent = vec![dml_spec::model::Equivalent {
        mutants: vec![Text::Borrowed("size@...")].into(),
        because: Text::Borrowed("Nobody has so many elements."),
        clause: Text::Borrowed(""),
    }]
    .into();
    let suite = Arc::new(Planner::new(catalog).unwrap());
    let tried = tried(&suite, "ACTIVATION_IDENTITY");
    let refuted: Vec<&Tried> = tried.iter().filter(|tried| tried.is_refuted()).collect();
    let of = |fate: Fate| refuted.iter().any(|tried| tried.fate() == fate);
    assert!(refuted.iter().all(|tried| tried.mutant.kind == Kind::Size) && of(Fate::Killed) && of(Fate::Alive));
}

#[test]
fn who_makes_a_mistake_in_one_way_to_compute_does_not_compute_in_the_other() {
    let suite = suite();
    let first = "of `sum(r in set: exp(InputTensor[o + r]))` the first term stands, instead of the sum of all";
    let narrow = "`sum(r in set: InputTensor[o + r] * InputTensor[o + r])` is computed in FLOAT32";
    let bounded = "`exp(InputTensor[o + r] - top[o])` of 64 bits is added up in 32";
    let tried = tried_of(&suite, "REDUCE", SMOKE, |mutant| {
        [first, narrow, bounded].contains(&&*mutant.sentence)
    });
    let found = tried.iter().find(|tried| tried.mutant.sentence == first).unwrap();
    assert_eq!(found.fate(), Fate::Killed);
    // Some of what the wrong way gives is within the bound of the right one, and some is not.
    let found = tried.iter().find(|tried| tried.mutant.sentence == narrow).unwrap();
    assert!(found.undecided.is_some() && found.fate() == Fate::Unproven, "{found:?}");
    let found = tried.iter().find(|tried| tried.mutant.sentence == bounded).unwrap();
    let by = &found.tolerated.as_ref().unwrap().by;
    let is_named = matches!(by, Tolerance::Output { name, .. } if name == "OutputTensor");
    assert!(found.fate() == Fate::Tolerated && is_named, "{found:?}");
}

#[test]
fn what_runtimes_do_is_demanded_and_what_a_release_does_is_no_mistake_on_their_word() {
    let suite = suite();
    let on = |basis: Basis, operator: &str, kinds: &[&str]| -> Vec<Tried> {
        let is_asked = |mutant: &Mutant| kinds.iter().any(|kind| mutant.id.starts_with(kind));
        tried_of(&suite, operator, Plan { basis, ..SMOKE }, is_asked)
    };
    let by_release = |tried: &&Tried| {
        tried
            .tolerated
            .as_ref()
            .is_some_and(|by| matches!(by.by, Tolerance::Release))
    };
    let [text, runtime] =
        [Basis::Text, Basis::Runtime].map(|basis| on(basis, "TOP_K1", &["signedness@InputTensor#-0"]));
    let fate = |all: &[Tried], id: &str| all.iter().find(|tried| tried.mutant.id == id).map(Tried::fate);
    let zeros = "signedness@InputTensor#-0";
    assert_eq!(fate(&text, zeros), Some(Fate::Unproven));
    assert_eq!(fate(&runtime, zeros), Some(Fate::Killed));
    let saturates = "rounding@high.1#15";
    let kinds = ["rounding@high"];
    let [text, runtime] = [Basis::Text, Basis::Runtime].map(|basis| on(basis, "ELEMENT_WISE_CLIP", &kinds));
    assert_eq!(fate(&text, saturates), Some(Fate::Killed));
    // No planned case shows it, since a release does the same there.
    assert_ne!(fate(&runtime, saturates), Some(Fate::Killed));
    assert_eq!(text.iter().filter(by_release).count(), 0);
    assert!(
        runtime
            .iter()
            .filter(by_release)
            .any(|tried| tried.mutant.id == saturates)
    );
}

#[test]
fn mutants_of_one_class_are_counted_once() {
    let tried = tried(&suite(), "ELEMENT_WISE_ADD1");
    let classes = classes(&tried);
    assert!(classes.len() < tried.len() && classes.len() > tried.len() / 4);
    let of = |id: &str| tried.iter().find(|tried| tried.mutant.id == id).unwrap();
    assert_ne!(of("size@64").class, of("size@256").class);
}

/// What a backend that makes this mistake gives for small cases: those that fail for it, and those that pass.
fn observed<'a>(suite: &'a Planner, cases: &'a [Case], mutant: &Mutant) -> [Vec<Observed<'a>>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    let count = |expected: &Expectation| expected.outputs.iter().map(|of| of.len() as u64).sum::<u64>();
    for case in cases {
        let run = mutant_run(suite, case, Basis::Text).unwrap();
        let (outputs, fails) = match run.compute(mutant) {
            Computed::Right => (run.right().outputs.clone(), false),
            // Where anything may stand for many elements, little is decided.
            Computed::Other(wrong) if 4 * wrong.open() > count(&wrong) => continue,
            Computed::Other(wrong) => {
                let fails = matches!(compare(run.right(), &wrong), Difference::Wrong);
                (wrong.outputs, fails)
            }
            Computed::Unknown => continue,
        };
        let traits = traits(Context::new(suite, case).unwrap());
        found[usize::from(!fails)].push(Observed {
            id: &case.id,
            run,
            outputs,
            made: false,
            traits,
        });
    }
    found.map(|all| all.into_iter().take(24).collect())
}

#[test]
fn a_backend_with_a_mistake_is_explained_by_it() {
    let suite = suite();
    for operator in ["TOP_K1", "GATHER"] {
        let at = place_of(&suite, operator);
        let all: Vec<Mutant> = all_of(&suite, at).into_iter().map(|tried| tried.mutant).collect();
        let mut number = 0;
        let tried = tried_of(&suite, operator, SMOKE, |_| {
            number += 1;
            number % 7 == 0
        });
        let mut cases = Vec::new();
        for_each_judged(&suite, at, SMOKE, &mut |case| {
            if case.elements(&suite.catalog) < 300 {
                cases.push(case);
            }
        });
        let often = tried.iter().filter(|tried| tried.kills.len() == MOST_KILLS);
        let (mut named, mut tried_to_name) = (0, 0);
        for tried in often {
            let [failing, passing] = observed(&suite, &cases, &tried.mutant);
            if failing.len() < MOST_KILLS {
                continue;
            }
            let found = explain(&all, &failing, &passing);
            let [found] = found.as_slice() else {
                panic!("{}: {found:?}", tried.mutant.sentence);
            };
            assert_eq!(found.condition, None, "{}", tried.mutant.sentence);
            assert_eq!(found.explains.len(), failing.len(), "{}", tried.mutant.sentence);
            let mut all = found.others.iter().chain([&found.mutant]);
            named += usize::from(all.any(|mutant| mutant.id == tried.mutant.id));
            tried_to_name += 1;
        }
        // Others may be mutants of the same class, of which only a few are named.
        assert!(
            named >= 4 && named * 2 > tried_to_name,
            "{operator}: {named} of {tried_to_name}"
        );
    }
}

#[test]
fn noise_is_explained_by_nothing() {
    let suite = suite();
    let at = place_of(&suite, "GATHER");
    let tried = all_of(&suite, at);
    let mut cases = Vec::new();
    for_each_judged(&suite, at, SMOKE, &mut |case| cases.push(case));
    cases.retain(|case| case.elements(&suite.catalog) < 300);
    let noise = |(number, case): (usize, &'_ Case)| -> Vec<Vec<u64>> {
        let run = mutant_run(&suite, case, Basis::Text).unwrap();
        let outputs = run.right().outputs.iter().enumerate();
        let element = |output: usize, at: usize| xxhash_rust::xxh3::xxh3_64(&[number as u8, output as u8, at as u8]);
        outputs
            .map(|(output, all)| (0..all.len()).map(|at| element(output, at)).collect())
            .collect()
    };
    let failing: Vec<Observed<'_>> = cases
        .iter()
        .enumerate()
        .take(30)
        .map(|(number, case)| Observed {
            id: &case.id,
            run: mutant_run(&suite, case, Basis::Text).unwrap(),
            outputs: noise((number, case)),
            made: false,
            traits: traits(Context::new(&suite, case).unwrap()),
        })
        .collect();
    let all: Vec<Mutant> = tried.iter().map(|tried| tried.mutant.clone()).collect();
    assert!(explain(&all, &failing, &[]).is_empty());
}

/// The first output of a case: what is right, and what the mutant with this sentence gives.
fn given(suite: &Planner, id: &str, sentence: &str) -> [Vec<u64>; 2] {
    let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
    let run = mutant_run(suite, &case, Basis::Text).unwrap();
    let all = all_of(suite, place_of(suite, case.id.operator()));
    let mut mutants = all.iter().map(|tried| &tried.mutant);
    let mutant = mutants.find(|mutant| mutant.sentence == sentence).unwrap();
    let right = run.right().outputs[0].clone();
    match run.compute(mutant) {
        Computed::Other(wrong) => [right, wrong.outputs[0].clone()],
        other => panic!("{sentence}: {other:?}"),
    }
}

#[test]
fn what_is_read_and_written_of_whole_tensors_is_what_the_sentence_says() {
    let suite = suite();
    let copied = "ACTIVATION_IDENTITY:1.0:sizes:type=FLOAT32,sizes=1x1x1x80";
    let of = |sentence: &str| given(&suite, copied, sentence);
    let [right, late] = of("`InputTensor` is read from its second element on");
    assert_eq!((right.len(), &late[..79]), (80, &right[1..]));
    let [_, repeated] = of("outputs repeat their first 64 elements");
    assert_eq!((&repeated[..64], &repeated[64..]), (&right[..64], &right[..16]));
    let [_, first] = of("every element of an output is the first one");
    assert_eq!(first, vec![right[0]; 80]);
    let [_, unwritten] = of("the first element of every output is not written");
    assert!(unwritten[0] != right[0] && unwritten[1..] == right[1..]);
    let [_, unwritten] = of("the last element of every output is not written");
    assert!(unwritten[79] != right[79] && unwritten[..79] == right[..79]);
    let [_, zeros] = of("elements of `InputTensor` beyond the first 64 are read as 0");
    assert_eq!((&zeros[..64], &zeros[64..]), (&right[..64], &[0; 16][..]));
    // Two rows and three columns, written row by row into a tensor that is laid out column by column.
    let turned = "ACTIVATION_IDENTITY:1.0:layout:type=FLOAT32,sizes=1x1x2x3,layout=transposed-output";
    let [right, packed] = given(&suite, turned, "the strides of `OutputTensor` are ignored");
    let places = [0, 2, 4, 1, 3, 5];
    assert_eq!(packed, places.map(|at| right[at]));
    let [_, by_input] = given(
        &suite,
        turned,
        "`OutputTensor` is written by the strides of `InputTensor`",
    );
    assert_eq!(by_input, packed);
    let index = "ARGMAX:3.0:sizes:type=FLOAT32,index=UINT32,sizes=3x4,axes=1,dir=INCREASING";
    for (how, by) in [("large", 1), ("small", u64::from(u32::MAX))] {
        let [right, wrong] = given(
            &suite,
            index,
            &format!("whole numbers of `OutputTensor` are one too {how}"),
        );
        let moved: Vec<u64> = right.iter().map(|n| (n + by) & u64::from(u32::MAX)).collect();
        assert_eq!(wrong, moved);
    }
}
