//! `spec mutate`: changes of the specification that the suite has to see.

use std::{fs, path::Path};

use crate::common::{Ran, copied, json, root, spec};

/// Two small operators.
const OPERATORS: [&str; 2] = ["ACTIVATION_IDENTITY", "ACTIVATION_LEAKY_RELU"];

fn mutate(dir: &Path, arguments: &[&str]) -> Ran {
    spec(dir, &[&["mutate"], arguments].concat())
}

#[test]
fn every_change_of_two_operators_is_seen() {
    let dir = root().join("spec");
    let Ran { out, .. } = mutate(&dir, &OPERATORS).exits(0).fits();
    for operator in OPERATORS {
        let row = out.lines().find(|line| line.starts_with(&format!("  {operator} ")));
        let words: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
        let (killed, all) = words[1].split_once('/').unwrap();
        assert_eq!(killed, all, "{out}");
    }
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(", 0 for none, in "), "{out}");
}

#[test]
fn a_hole_is_listed_with_its_place_and_closed_by_a_reason() {
    let text = fs::read_to_string(root().join("spec/operators/activation_identity.yaml")).unwrap();
    let dir = copied("mutate", &[]);
    let path = dir.join("operators/activation_identity.yaml");
    // Nothing is broken any more where no family breaks anything.
    let start = text.find("\n  faults:\n").unwrap();
    let rest = text[start + 1..].find("\n\n").map_or(text.len(), |n| start + 1 + n);
    fs::write(&path, format!("{}{}", &text[..start], &text[rest..])).unwrap();
    let arguments = ["ACTIVATION_IDENTITY", "--tier", "smoke"];
    let Ran { out, err, .. } = mutate(&dir, &arguments).exits(1).fits();
    let line = text
        .lines()
        .position(|line| line.contains("rule: InputTensor.Sizes =="))
        .unwrap()
        + 1;
    assert!(out.contains(&format!("activation_identity.yaml:{line}\n")), "{out}");
    assert!(out.contains("ACTIVATION_IDENTITY/same-sizes: dropped"), "{out}");
    assert!(err.contains("mutations.yaml"), "{err}");

    let Ran { out, .. } = mutate(&dir, &[&arguments[..], &["--format", "json"]].concat());
    let report = json(&out);
    let survivors = report["mutants"].as_array().unwrap().iter();
    let survivors = survivors.filter(|mutant| mutant["fate"] == "survived");
    let reasons: String = survivors
        .map(|mutant| {
            let (clause, change) = (&mutant["clause"], &mutant["change"]);
            format!("- {{clause: {clause}, changes: [{change}], because: nothing is broken here}}\n")
        })
        .collect();
    fs::write(dir.join("mutations.yaml"), &reasons).unwrap();
    mutate(&dir, &arguments).prints(0, ["nothing is broken here"]);

    // What is seen needs no reason, and what is not there has none.
    fs::write(&path, &text).unwrap();
    mutate(&dir, &arguments).warns(1, ["mutations.yaml:1:", "the change is seen by now"]);
    let gone = format!("{reasons}- clause: ACTIVATION_IDENTITY/gone\n  changes: [dropped]\n  because: it was there\n");
    fs::write(dir.join("mutations.yaml"), gone).unwrap();
    mutate(&dir, &arguments).notes(["there is no such change"]);
}

#[test]
fn what_is_wrong_in_the_arguments_or_the_reasons_is_a_mistake() {
    let dir = copied("mutate-wrong", &[]);
    mutate(&dir, &["ACTIVATION_IDENTIY"]).warns(2, ["ACTIVATION_IDENTITY"]);
    fs::write(dir.join("mutations.yaml"), "- clause: X/y\n  change: dropped\n").unwrap();
    mutate(&dir, &["ACTIVATION_IDENTITY"])
        .warns(2, ["mutations.yaml:2:3", "no key of an entry"])
        .out_is("");
}
