//! A meaning, a variant or an invariant that has no value for a legal descriptor is found, at its own text.

use dml_oracle::{Meanings, Unguarded, probe};
use dml_spec::{
    meaning::Place,
    model::{Catalog, Clause, ClauseKind, Operator, Text, Variant},
};

const NAME: &str = "CUMULATIVE_SUMMATION";

/// What probing finds of this operator after an edit.
fn probed(edit: impl FnOnce(&mut Operator)) -> Vec<Unguarded> {
    let mut catalog: Catalog = dml_spec_yaml::load::catalog().clone();
    let operators = catalog.operators.to_mut();
    edit(operators.iter_mut().find(|o| o.name == NAME).expect("an operator"));
    let meanings = Meanings::of_catalog(&catalog);
    let operator = catalog.operator(NAME).expect("an operator");
    assert!(meanings.of(NAME).is_some(), "the edited meaning is checked");
    probe(&catalog, &meanings, operator, Vec::new())
}

/// The meaning alone, and a silence without variants.
fn simplify<'a>(operator: &'a mut Operator, body: &str) -> (usize, &'a mut Clause) {
    let body: Text = body.to_owned().into();
    operator.meaning = vec![("OutputTensor[o]".into(), body)].into();
    operator.mistakes = Default::default();
    let clauses = operator.clauses.to_mut();
    clauses.iter_mut().for_each(|clause| {
        clause.tells = Default::default();
        clause.holds = Default::default();
    });
    let silence = clauses.iter_mut().enumerate();
    let mut silences = silence.filter(|(_, clause)| clause.kind == ClauseKind::Silence && !clause.opens.is_empty());
    silences.next().expect("a silence that opens elements")
}

/// Where faults were found, and with which words.
fn found(all: &[Unguarded]) -> Vec<(Place, &str)> {
    let within = |one: &Unguarded| one.fault.within.as_ref().expect("a place").place;
    all.iter()
        .map(|one| (within(one), one.fault.message.as_str()))
        .collect()
}

fn says(all: &[Unguarded], place: Place, what: &str) {
    let said = found(all);
    assert!(
        !said.is_empty()
            && said
                .iter()
                .all(|(at, message)| *at == place && message.starts_with(what)),
        "expected {place:?} and `{what}`, found {said:?}"
    );
}

#[test]
fn a_read_that_nothing_guards_is_found() {
    let all = probed(|operator| {
        simplify(operator, "InputTensor[o with [Axis] = InputTensor.Sizes[Axis]]");
    });
    says(&all, Place::Body(0), "index [");
}

#[test]
fn a_variant_without_a_value_is_found_at_its_own_text() {
    let entries = [
        (
            "OutputTensor[o]",
            "InputTensor[o with [Axis] = InputTensor.Sizes[Axis]]",
            "in the variant `wrong`: index [",
        ),
        (
            "OutputTensor",
            "InputTensor[o with [Axis] = InputTensor.Sizes[Axis]]",
            "in the variant `wrong`: index [",
        ),
        (
            "InputTensor",
            "in FLOAT32: [x, x, x][InputTensor.Sizes[Axis]]",
            "in the variant `wrong`: index ",
        ),
        (
            "if",
            "InputTensor.Sizes[Axis + 1] > 0",
            "in the variant `wrong`: index ",
        ),
    ];
    for (entry, text, what) in entries {
        let mut clause = 0;
        let all = probed(|operator| {
            let (at, silence) = simplify(operator, "InputTensor[o]");
            clause = at;
            let right = ("if".into(), "InputTensor.Sizes[Axis] > 0".into());
            let instead = vec![right, (entry.into(), text.into())];
            let instead = if entry == "if" { instead[1..].to_vec() } else { instead };
            silence.tells = vec![Variant {
                name: "wrong".into(),
                instead: instead.into(),
            }]
            .into();
        });
        let place = Place::Tells {
            clause,
            variant: 0,
            entry: usize::from(entry != "if"),
            in_key: false,
        };
        says(&all, place, what);
    }
}

#[test]
fn an_invariant_without_a_value_is_found_at_its_own_text() {
    let conditions = [
        (
            "x == InputTensor[o with [Axis] = InputTensor.Sizes[Axis]]",
            "in the invariant `wrong`: index [",
        ),
        ("o[Axis + 1] >= 0", "in the invariant `wrong`: index "),
        (
            "[1, 2, 3][cast(x, UINT8, overflow: saturate, nan: 0)] > 0",
            "in the invariant `wrong`: index ",
        ),
    ];
    for (condition, what) in conditions {
        let mut clause = 0;
        let all = probed(|operator| {
            let (at, silence) = simplify(operator, "InputTensor[o]");
            clause = at;
            let fine = ("OutputTensor".into(), "x == x or isnan(x)".into());
            let wrong = ("OutputTensor".into(), condition.into());
            let held = |name: &'static str, condition| dml_spec::model::Invariant {
                name: name.into(),
                conditions: vec![condition].into(),
            };
            silence.holds = vec![held("fine", fine), held("wrong", wrong)].into();
        });
        let place = Place::Holds {
            clause,
            invariant: 1,
            entry: 0,
            in_key: false,
        };
        says(&all, place, what);
    }
}
