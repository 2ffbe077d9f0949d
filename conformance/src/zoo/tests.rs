//! Tests of the zoo: it tells what the suite does not see.

use std::collections::BTreeSet;

use dml_spec::model::Tier;

use super::*;
use crate::oracle::guess::fixed;

fn suite() -> Suite {
    Suite::new(crate::spec::catalog().clone()).unwrap()
}

/// What becomes of a fault of an operator at smoke.
fn fate_of(operator: &str, fault: Fault) -> Prey {
    let suite = suite();
    let (operator, _) = suite.operator(operator).unwrap();
    let asked = Hunt {
        suite: &suite,
        tier: Tier::Smoke,
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
        assert!(
            computing >= 25,
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
fn a_mistake_that_is_named_otherwise_is_misnamed() {
    let fault = |right| {
        Fault::computing("first", "the first element is never written", right, |_, right| {
            let mut elements = fixed(right.to_vec());
            *elements.first_mut()?.first_mut()? = None;
            Some(elements)
        })
    };
    assert_eq!(
        fate_of("TOP_K1", fault(Right::Named(&["unwritten"]))).fate(),
        Fate::Killed
    );
    let prey = fate_of("TOP_K1", fault(Right::Named(&["tie-order"])));
    assert_eq!(prey.fate(), Fate::Misnamed);
    assert!(prey.misled() > 0 && prey.families().contains_key("ties"));
    assert_eq!(
        fate_of("TOP_K1", fault(Right::Symptom(&[]))).fate(),
        Fate::Misnamed,
        "unwritten is a mistake of its own"
    );
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
        let is_nan = |bits: &u64| crate::number::is_nan(ty, *bits);
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
fn a_clause_that_is_not_the_broken_one_is_wrongly_blamed() {
    let blamed = [Text::Borrowed("TOP_K1/k-within-axis")];
    let right = Right::Blamed("wrongly-accepted", "TOP_K1/k-within-axis".into());
    assert!(right.accepts("wrongly-accepted", &blamed) && !right.accepts("wrongly-rejected", &blamed));
    let other = Right::Blamed("wrongly-accepted", "TOP_K1/axis-in-range".into());
    assert!(!other.accepts("wrongly-accepted", &blamed));
}

#[test]
fn smoke_kills_what_standard_kills() {
    let suite = suite();
    let (operator, _) = suite.operator("TOP_K1").unwrap();
    let asked = Hunt {
        suite: &suite,
        tier: Tier::Smoke,
    };
    let alive: Vec<String> = hunt(asked, operator)
        .into_iter()
        .filter(|prey| !prey.fate().is_fine())
        .map(|prey| format!("{}: {}", prey.fault.name, prey.fate().word()))
        .collect();
    assert!(alive.is_empty(), "{}", alive.join("\n"));
    let without = Suite {
        smoke: crate::smoke::Smoke::default(),
        ..suite.clone()
    };
    let asked = Hunt {
        suite: &without,
        ..asked
    };
    assert!(
        hunt(asked, operator).iter().any(|prey| prey.fate() == Fate::Survived),
        "the list is of use"
    );
}
