//! Every kind of mutant is made, and a hole in the plan is found.

use std::collections::BTreeSet;

use dml_spec::{FeatureLevel, model::List};
use dml_spec_yaml::load::{self, Files};

use super::*;

const OPERATOR: &str = "TOP_K1";

fn mutants() -> Vec<Mutant> {
    let catalog = dml_spec_yaml::load::catalog();
    of_operator(catalog, catalog.operator(OPERATOR).expect("the operator"))
}

fn changes(mutants: &[Mutant], clause: &str) -> Vec<String> {
    let of_clause = mutants.iter().filter(|m| m.clause == clause);
    of_clause.map(|m| m.change.clone()).collect()
}

#[test]
fn a_clause_is_dropped_weakened_strengthened_and_turned() {
    let found = changes(&mutants(), "TOP_K1/axis-in-range");
    let member = "Axis < InputTensor.DimensionCount";
    assert_eq!(
        found,
        [
            "dropped".to_owned(),
            format!("{member} -> Axis <= InputTensor.DimensionCount"),
            format!("{member} -> Axis > InputTensor.DimensionCount"),
        ]
    );
}

#[test]
fn guards_constants_and_the_rules_of_runtimes_are_changed_too() {
    let all = mutants();
    let disputed = changes(&all, "TOP_K1/k-below-axis-size");
    for change in [
        "dropped",
        "for the runtimes: dropped",
        "K < InputTensor.Sizes[Axis] -> K > InputTensor.Sizes[Axis]",
        "for the runtimes: K <= InputTensor.Sizes[Axis] -> K < InputTensor.Sizes[Axis]",
    ] {
        assert!(disputed.iter().any(|c| c == change), "{change}: {disputed:?}");
    }
    assert!(changes(&all, "TOP_K1/k-nonzero").contains(&"K > 0 -> K > 1".to_owned()));
    for clause in ["TOP_K1/nan-order", "TOP_K1/sorted"] {
        assert_eq!(changes(&all, clause), [""; 0], "{clause} refuses nothing");
    }
    let of_tensors = of_tensors(dml_spec_yaml::load::catalog());
    let structural = changes(&of_tensors, "TENSOR/size-nonzero");
    assert!(
        structural.contains(&"applies any -> input".to_owned()),
        "{structural:?}"
    );
    assert_eq!(
        changes(&of_tensors, "TENSOR/output-no-overlap"),
        [""; 0],
        "it is retired"
    );
}

#[test]
fn cells_flip_and_tables_move_to_levels_without_one() {
    let all = mutants();
    let cell = |id: &str| changes(&all, id);
    assert_eq!(cell("TOP_K1/3.1/InputTensor/FLOAT64"), ["forbidden -> allowed"]);
    assert_eq!(cell("TOP_K1/5.0/OutputIndexTensor/UINT64"), ["allowed -> forbidden"]);
    assert_eq!(cell("TOP_K1/2.1/InputTensor/3-D"), ["forbidden -> allowed"]);
    assert_eq!(cell("TOP_K1/2.1/InputTensor/4-D"), ["allowed -> forbidden"]);
    assert_eq!(cell("TOP_K1/3.1/InputTensor/8-D"), ["allowed -> forbidden"]);
    assert_eq!(cell("TOP_K1/3.1/InputTensor/9-D"), [""; 0]);
    let of_table = cell("TOP_K1/3.1");
    assert_eq!(of_table[..2], ["level 3.1 -> 3.0", "level 3.1 -> 4.0"]);
    // One tensor alone takes no further type, since another clause ties the types.
    assert!(of_table.contains(&"FLOAT64: forbidden -> allowed for all tensors".to_owned()));
    let rows: BTreeSet<&str> = all.iter().map(|m| m.row.as_str()).collect();
    assert!(rows.contains("TOP_K1/3.1") && !rows.contains("TOP_K1/3.1/InputTensor/FLOAT64"));
}

#[test]
fn every_change_is_one_and_has_a_name_of_its_own() {
    let catalog = dml_spec_yaml::load::catalog();
    for operator in catalog.operators.iter() {
        let mut names = BTreeSet::new();
        let mut alone = catalog.clone();
        alone.operators = List::Owned(vec![operator.clone()]);
        for mutant in of_operator(catalog, operator) {
            let mut changed = alone.clone();
            mutant.apply(&mut changed);
            assert!(changed != alone, "{}: {}", mutant.clause, mutant.change);
            assert!(
                names.insert((mutant.clause.clone(), mutant.change.clone())),
                "{}: {} twice",
                mutant.clause,
                mutant.change
            );
        }
    }
}

/// What cases of these families of the operator show.
fn tried(families: &[Family]) -> Vec<Tried> {
    let mut catalog = dml_spec_yaml::load::catalog().clone();
    let operators = catalog.operators.to_mut();
    operators.retain(|operator| operator.name == OPERATOR);
    let suite = Planner::new(catalog).expect("a suite");
    run_on(&suite, 0, (Tier::Smoke, families), tensor_mutants(&suite.catalog))
}

#[test]
fn a_hole_in_the_plan_lets_mutants_live() {
    let all = tried(&[Family::Support, Family::Faults]);
    let of_values = tried(&[Family::Values]);
    let seen = |tried: &[Tried], clause: &str, change: &str| {
        let mut found = tried.iter();
        let found = found.find(|t| t.mutant.clause == clause && t.mutant.change == change);
        let found = found.unwrap_or_else(|| panic!("{clause}: {change}"));
        !found.kills.is_empty()
    };
    for (clause, change) in [
        ("TOP_K1/same-data-type", "dropped"),
        ("TOP_K1/3.1", "INT64: forbidden -> allowed for all tensors"),
        // The runtimes take K equal to the axis size, whatever the text says.
        ("TOP_K1/k-below-axis-size", "dropped"),
    ] {
        assert!(seen(&all, clause, change), "{clause}");
    }
    // One tensor alone takes no further type: the other one, whose type follows, refuses the descriptor all the same.
    let cell = all
        .iter()
        .find(|tried| tried.mutant.clause == "TOP_K1/3.1/InputTensor/INT64");
    let cell = cell.expect("the cell");
    assert!(
        cell.is_implied() && cell.implied_by.contains("TOP_K1/3.1/OutputValueTensor/INT64"),
        "{cell:?}"
    );
    let of_tensors = all.iter().filter(|tried| tried.owner == TENSOR);
    assert!(of_tensors.filter(|tried| !tried.kills.is_empty()).count() > 10);
    assert!(!seen(&of_values, "TOP_K1/same-data-type", "dropped"));
    assert!(seen(
        &of_values,
        "TOP_K1/2.1/InputTensor/FLOAT32",
        "allowed -> forbidden"
    ));
}

#[test]
fn what_the_next_clause_refuses_is_implied_by_it() {
    // The output's sizes are compared where the dimension counts agree, if a clause says that they have to.
    let mut catalog = dml_spec_yaml::load::catalog().clone();
    catalog.operators.to_mut().retain(|operator| operator.name == "ARGMAX");
    let suite = Planner::new(catalog).expect("a suite");
    let tried = run_on(&suite, 0, (Tier::Smoke, &[Family::Faults]), Vec::new());
    let dropped = |clause: &str| {
        tried
            .iter()
            .find(|t| t.mutant.clause == clause && t.mutant.change == "dropped")
    };
    let count = dropped("ARGMAX/same-dimension-count").expect("the mutant");
    assert!(
        count.is_implied() && count.implied_by.contains("ARGMAX/output-sizes"),
        "{count:?}"
    );
    assert!(dropped("ARGMAX/output-sizes").is_some_and(|sizes| !sizes.kills.is_empty()));
}

#[test]
fn places_are_those_of_the_changed_keys() {
    let files: Files = load::embedded();
    let (catalog, places) = (dml_spec_yaml::load::catalog(), Places::new(&files));
    let line = |file: &str, line: u32| {
        let text = files.text(file).expect("a file");
        text.lines().nth(line as usize - 1).expect("a line").trim().to_owned()
    };
    let tried = |owner: &str, mutant: Mutant| Tried::new(owner, mutant);
    for operator in catalog.operators.iter() {
        for mutant in of_operator(catalog, operator) {
            let tried = tried(&operator.name, mutant);
            let (file, number) = places.of(catalog, &tried).expect("a place");
            let text = line(&file, number);
            let wanted = match &tried.mutant.place {
                Part::Clause(key) => text.starts_with(key) || text.contains(&format!("{key}:")),
                Part::Group(_) => text.starts_with("when:"),
                Part::Table(_) => text.starts_with('"'),
                Part::Row(_, _, tensor) => text.contains(tensor.as_str()),
            };
            assert!(wanted, "{file}:{number}: {text}: {}", tried.mutant.clause);
        }
    }
    for mutant in of_tensors(catalog) {
        let tried = tried(TENSOR, mutant);
        assert!(places.of(catalog, &tried).is_some(), "{}", tried.mutant.clause);
    }
}

#[test]
fn tables_do_not_move_onto_each_other() {
    let catalog = dml_spec_yaml::load::catalog();
    for operator in catalog.operators.iter() {
        let levels: BTreeSet<FeatureLevel> = operator.table_levels().collect();
        for mutant in of_operator(catalog, operator) {
            if let edit::Edit::Level(_, to) = mutant.edit {
                assert!(!levels.contains(&to), "{}: {}", mutant.clause, mutant.change);
            }
        }
    }
}
