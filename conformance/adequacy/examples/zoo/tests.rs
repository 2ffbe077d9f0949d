//! Tests of the zoo: it tells what the suite does not see.

use std::{collections::BTreeSet, ops::ControlFlow};

use dml_spec::model::Tier;

use dml_case::lock::DEFAULT_SEED;
use dml_legacy::oracle::{Call, Right, guess::fixed, oracle};
use dml_plan::planner::Planner;

use crate::{
    conditions::{Under, conditions},
    fault::{Fault, Stage, Wrong, faults},
    finding::Telling,
    hunt::{Hunt, hunt_for},
    prey::{Fate, Prey},
    scene::Scene,
    survey::survey_of,
};

fn suite() -> Planner {
    Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap()
}

/// What becomes of a fault of an operator at smoke.
fn fate_of(operator: &str, fault: Fault) -> Prey {
    let suite = suite();
    let (operator, _) = suite.operator(operator).unwrap();
    let asked = Hunt {
        suite: &suite,
        tier: Tier::Smoke,
        drawn: 0,
    };
    hunt_for(asked, operator, vec![fault]).pop().unwrap()
}

#[test]
fn every_operator_has_many_faults_and_each_a_name_of_its_own() {
    let suite = suite();
    for operator in suite.catalog.operators.iter() {
        let faults = faults(&suite, operator);
        let names: BTreeSet<&str> = faults.iter().map(|fault| fault.name.as_str()).collect();
        assert_eq!(names.len(), faults.len(), "{}: a name stands twice", operator.name);
        let computing = faults.iter().filter(|fault| fault.stage != Stage::Validating).count();
        // Operators without an oracle have no other.
        assert!(
            computing >= 25 || oracle(&operator.name).is_none(),
            "{}: {computing} faults in what it computes",
            operator.name
        );
    }
}

#[test]
fn a_backend_that_is_right_shows_nowhere() {
    let right = Right::Symptom(&[]);
    let fault = Fault::computing("none", "nothing is wrong", right, |_, right| {
        Some(fixed(right.to_vec()))
    });
    let prey = fate_of("TOP_K1", fault);
    assert_eq!(
        (prey.fate(), prey.trail.kills.len(), prey.trail.spared),
        (Fate::Equivalent, 0, 0)
    );
}

#[test]
fn a_mistake_is_killed_by_the_families_that_show_it() {
    let fault = Fault::computing(
        "first",
        "the first element is never written",
        Right::Named(&["unwritten"]),
        |_, right| {
            let mut elements = fixed(right.to_vec());
            *elements.first_mut()?.first_mut()? = None;
            Some(elements)
        },
    );
    let prey = fate_of("TOP_K1", fault);
    assert_eq!(prey.fate(), Fate::Killed);
    assert!(prey.families().contains_key("ties"));
}

#[test]
fn a_mistake_that_no_case_shows_survives() {
    let shows = |call: &Call| call.inputs.iter().any(|input| input.elements.len() > 1 << 30);
    let hidden = Fault::computing(
        "huge",
        "huge tensors are left alone",
        Right::Named(&["unwritten"]),
        move |call, right| {
            let elements = fixed(right.to_vec());
            Some(if shows(call) { vec![] } else { elements })
        },
    );
    assert_eq!(fate_of("TOP_K1", hidden).fate(), Fate::Survived);
    // It shows with other data in the same shapes: so it is the data that are missing.
    let seldom = Fault::computing(
        "seldom",
        "two elements together are lost",
        Right::Symptom(&[]),
        |call, right| {
            let mut elements = fixed(right.to_vec());
            if is_seldom(call)? {
                elements.iter_mut().flatten().for_each(|element| *element = Some(0));
            }
            Some(elements)
        },
    );
    let prey = fate_of("TOP_K1", seldom);
    assert!(
        prey.trail.kills.is_empty() && prey.trail.elsewhere.wrong > 0,
        "{prey:?}"
    );
    assert_eq!(prey.fate(), Fate::Survived);
}

/// Whether two elements meet that no case of the smallest tier has together.
fn is_seldom(call: &Call) -> Option<bool> {
    let input = call.inputs.first()?;
    let (top, bits) = (1 << (input.shape.ty.bits - 1), input.shape.ty.bits);
    Some(bits == 16 && [top >> 1, top | 1].iter().all(|bits| input.elements.contains(bits)))
}

/// The first two elements of every output change places where there is NaN, or where this shows.
fn swapped(shows: fn(&Call) -> Option<bool>) -> Fault {
    let says = "NaN is ordered otherwise";
    Fault::computing("nan", says, Right::Symptom(&[]), move |call, right| {
        let ty = &call.inputs.first()?.shape.ty;
        let is_nan = |bits: &u64| dml_case::number::is_nan(ty, *bits);
        let mut elements = fixed(right.to_vec());
        if call.inputs.first()?.elements.iter().any(is_nan) || shows(call)? {
            // The values stay some of the sequence's, with their indices.
            let lanes = elements.iter_mut().filter(|elements| elements.len() > 1);
            lanes.for_each(|elements| elements.swap(0, 1));
        }
        Some(elements)
    })
}

#[test]
fn what_a_silence_leaves_open_is_no_mistake() {
    let prey = fate_of("TOP_K1", swapped(|_| Some(false)));
    assert_eq!(prey.fate(), Fate::Open, "{prey:?}");
    assert_eq!(prey.trail.silences, ["TOP_K1/nan-order"]);
    // Other data show that it is wrong where nothing is open: no excuse.
    let prey = fate_of("TOP_K1", swapped(is_seldom));
    assert!(prey.trail.kills.is_empty() && prey.trail.open > 0, "{prey:?}");
    assert_eq!(prey.fate(), Fate::Survived);
}

#[test]
fn smoke_kills_what_standard_kills() {
    let suite = suite();
    let (operator, _) = suite.operator("TOP_K1").unwrap();
    let asked = Hunt {
        suite: &suite,
        tier: Tier::Smoke,
        drawn: 0,
    };
    let alive: Vec<String> = hunt_for(asked, operator, faults(asked.suite, operator))
        .into_iter()
        .filter(|prey| !prey.fate().is_fine())
        .map(|prey| format!("{}: {}", prey.fault.name, prey.fate().word()))
        .collect();
    assert!(alive.is_empty(), "{}", alive.join("\n"));
    let without = Planner {
        smoke: dml_plan::listed::Listed::default(),
        ..suite.clone()
    };
    let asked = Hunt {
        suite: &without,
        ..asked
    };
    assert!(
        hunt_for(asked, operator, faults(asked.suite, operator))
            .iter()
            .any(|prey| prey.fate() == Fate::Survived),
        "the list is of use"
    );
}

#[test]
fn a_fault_that_shows_under_a_condition_is_to_be_killed_under_it() {
    let hunted = |smoke: dml_plan::listed::Listed| {
        let suite = Planner { smoke, ..suite() };
        let (operator, _) = suite.operator("TOP_K1").unwrap();
        let found = conditions(&suite, operator);
        let at = found
            .iter()
            .position(|one| one.name == "tensors have more than four dimensions")
            .unwrap();
        let asked = Hunt {
            suite: &suite,
            tier: Tier::Smoke,
            drawn: 256,
        };
        let fault = Fault::computing(
            "zeros",
            "zeros are written",
            Right::Symptom(&["precision"]),
            |_, right| {
                let zeros = right.iter().map(|elements| vec![0; elements.len()]);
                Some(fixed(zeros.collect()))
            },
        );
        let prey = hunt_for(asked, operator, vec![fault]).pop().unwrap();
        let missed: Vec<usize> = prey.trail.missed.iter().map(|(at, _)| *at).collect();
        (
            prey.fate(),
            prey.trail.killed_under >> at & 1 == 1,
            missed.contains(&at),
        )
    };
    let listed = suite().smoke;
    assert_eq!(hunted(listed), (Fate::Killed, true, false));
    // The sweeps of smoke alone have no more than four.
    assert_eq!(hunted(dml_plan::listed::Listed::default()), (Fate::InPart, false, true));
}

#[test]
fn conditions_hold_where_they_say() {
    let suite = suite();
    let (operator, _) = suite.operator("TOP_K1").unwrap();
    let all = conditions(&suite, operator);
    let names: BTreeSet<&str> = all.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.len(), all.len(), "a name stands twice");
    assert!(all.len() <= Under::BITS as usize);
    let of = |id: &str| {
        let case = dml_plan::build(&suite, &id.parse().unwrap()).unwrap();
        let under = crate::conditions::under(&all, &Scene::new(&suite, operator, &case));
        let holding = all.iter().enumerate().filter(|(at, _)| under >> at & 1 == 1);
        holding.map(|(_, one)| one.name.clone()).collect::<Vec<_>>()
    };
    let packed = of("TOP_K1:2.1:sizes:type=FLOAT32,index=UINT32,sizes=1x1x1x4097,axis=3,k=1,dir=INCREASING");
    let expected = [
        "an input has more than 1024 elements",
        "the first input is FLOAT32",
        "the first output is FLOAT32",
        "Axis is not 0",
        "K is not 0",
        "it is DML_AXIS_DIRECTION_INCREASING",
    ];
    assert_eq!(packed, expected);
    let strided = of(
        "TOP_K1:3.1:variants:type=INT8,index=UINT32,sizes=9x3x1x1x13x9,axis=0,k=2,dir=DECREASING,\
         layout=padded,values=runs",
    );
    for name in [
        "an input is strided",
        "an output is strided",
        "tensors have more than four dimensions",
        "Axis is 0",
    ] {
        assert!(strided.iter().any(|found| found == name), "{name}: {strided:?}");
    }
}

#[test]
fn faults_are_explained_as_a_run_explains_them() {
    let suite = suite();
    let (operator, _) = suite.operator("TOP_K1").unwrap();
    let wanted = [
        "highest-index-first",
        "unstable-ties",
        "tail-written",
        "TOP_K1/k-within-axis unchecked",
        "K plus-one",
    ];
    let faults = faults(&suite, operator).into_iter();
    let faults = faults.filter(|fault| wanted.contains(&fault.name.as_str())).collect();
    let found = survey_of(&suite, operator, Tier::Smoke, faults);
    let of = |name: &str| found.iter().find(|finding| finding.fault == name).unwrap();
    let ties = of("highest-index-first");
    assert_eq!(ties.telling(), Telling::Named, "{}", ties.printed());
    assert!(ties.printed().starts_with("tie-order: "), "{}", ties.printed());
    let unstable = of("unstable-ties");
    assert_eq!(unstable.telling(), Telling::Named, "{}", unstable.printed());
    assert!(
        unstable.printed().starts_with("ties-in-any-order: "),
        "{}",
        unstable.printed()
    );
    for (name, said) in [
        ("tail-written", "padding-touched TENSOR/padding-preserved"),
        (
            "TOP_K1/k-within-axis unchecked",
            "wrongly-accepted TOP_K1/k-within-axis",
        ),
    ] {
        let finding = of(name);
        assert_eq!(finding.telling(), Telling::Records);
        assert!(finding.printed().starts_with(said), "{}", finding.printed());
    }
    let unmade = of("K plus-one");
    assert_eq!((unmade.fate, unmade.is_killed()), (Fate::Unmade, false));
}

#[test]
fn a_backend_without_a_mistake_passes() {
    let suite = suite();
    let mut failing: Vec<String> = Vec::new();
    for operator in suite.catalog.operators.iter().filter(|of| oracle(&of.name).is_some()) {
        let info = crate::hunt::info(&suite, operator);
        for bucket in crate::hunt::buckets_of(&suite, operator) {
            let _ = dml_plan::for_each_case(&suite, &bucket, Tier::Smoke, DEFAULT_SEED, &mut |case| {
                let scene = Scene::new(&suite, operator, &case);
                if let Some(buffers) = scene.right_buffers()
                    && !scene.is_at_odds()
                    && crate::hunt::fails(&scene, Wrong::Buffers(buffers.to_vec()), &info)
                {
                    failing.push(case.id.to_string());
                }
                ControlFlow::Continue(())
            });
        }
    }
    assert!(failing.is_empty(), "{}", failing.join("\n"));
}

/// What a run says of a fault at standard.
fn said_of(suite: &Planner, operator: &str, fault: &str) -> String {
    let (operator, _) = suite.operator(operator).unwrap();
    let faults = faults(suite, operator).into_iter();
    let faults = faults.filter(|known| known.name == fault).collect();
    survey_of(suite, operator, Tier::Standard, faults)
        .pop()
        .unwrap()
        .printed()
}

#[test]
fn names_that_were_false_are_not() {
    let suite = suite();
    let said = |operator: &str, fault: &str| said_of(&suite, operator, fault);
    // It was that results are written as INT8, INT16, INT32 or INT64.
    let zeros = said("GATHER", "sign-of-zero-lost");
    assert!(
        zeros.starts_with("signedness: -0 in `InputTensor` is read as 0 (96"),
        "{zeros}"
    );
    // It was that no axis is reduced.
    let first = said("ARGMAX", "index-always-zero");
    assert!(first.starts_with("size: the outputs are zero "), "{first}");
    // It was that the strides are ignored, and in five cases that columns are read one after the other.
    let strides = said("ELEMENT_WISE_ADD1", "second-input-as-packed");
    assert!(strides.contains("the strides of `BTensor` are ignored"), "{strides}");
    assert!(!strides.contains("column after column"), "{strides}");
}
