//! `spec mutants`: mistakes that the cases have to find.

use std::fs;

use crate::common::{Ran, copied, json, root, spec};

#[test]
fn a_table_says_which_mistakes_are_found() {
    let dir = root().join("spec");
    let arguments = [
        "mutants",
        "--tier",
        "smoke",
        "ACTIVATION_LEAKY_RELU",
        "ELEMENT_WISE_BIT_COUNT",
    ];
    let Ran { out, .. } = spec(&dir, &arguments).exits(0).fits();
    // The row of a table that starts with this column.
    let row = |table: &str, name: &str| {
        let table = out.lines().skip_while(|line| !line.starts_with(&format!("{table}  ")));
        let row = table.into_iter().find(|line| line.starts_with(name));
        row.unwrap_or_else(|| panic!("no row of {name}: {out}")).to_owned()
    };
    assert!(
        out.lines()
            .any(|line| line.starts_with("operator") && line.ends_with("unproven")),
        "{out}"
    );
    let words: Vec<String> = row("operator", "ACTIVATION_LEAKY_RELU")
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let [mutants, classes, killed] = [1, 2, 3].map(|at: usize| words[at].parse::<u32>().unwrap());
    assert!(mutants > classes && classes > killed && killed > 20, "{out}");
    // What no case finds stands there with its place and its id.
    assert!(
        out.contains("ELEMENT_WISE_BIT_COUNT alive\n") && out.contains("[signedness@InputTensor"),
        "{out}"
    );
    row("kind", "attribute");
    let words: Vec<String> = row("rules of", "ELEMENT_WISE_BIT_COUNT")
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let [rules, often, seldom] = [1, 2, 3].map(|at: usize| words[at].parse::<u32>().unwrap());
    assert!(often > 5 && rules > often + seldom, "{out}");
}

#[test]
fn a_file_has_each_mutant_with_its_cases() {
    let dir = root().join("spec");
    let Ran { out, .. } = spec(
        &dir,
        &[
            "mutants",
            "ACTIVATION_LEAKY_RELU",
            "--tier",
            "smoke",
            "--format",
            "json",
        ],
    )
    .exits(0);
    let report = json(&out);
    assert_eq!(report["tier"], "smoke");
    let mutants = report["operators"][0]["mutants"].as_array().unwrap();
    let ignored = mutants
        .iter()
        .find(|mutant| mutant["id"] == "attribute@Alpha#0")
        .unwrap();
    assert_eq!(ignored["sentence"], "`Alpha` is taken for 0");
    assert_eq!(ignored["fate"], "killed");
    assert_eq!(ignored["cases"].as_array().unwrap().len(), 5);
    let placed = mutants.iter().filter_map(|mutant| mutant["place"].as_str());
    assert!(placed.clone().count() > 10);
    assert!(
        placed
            .into_iter()
            .all(|place| place.contains("activation_leaky_relu.yaml:"))
    );
}

#[test]
fn an_unknown_operator_is_a_mistake() {
    let dir = root().join("spec");
    spec(&dir, &["mutants", "ACTIVATION_LEAKY"]).warns(2, ["ACTIVATION_LEAKY_RELU"]);
}

#[test]
fn a_reason_that_a_case_refutes_is_a_mistake() {
    let dir = copied("mutants with a wrong reason", &[]);
    let path = dir.join("operators/activation_leaky_relu.yaml");
    let text = fs::read_to_string(&path).unwrap();
    let wrong = text.replace("\"precision@OutputTensor.0#3\"", "\"attribute@Alpha#0\"");
    assert_ne!(wrong, text);
    fs::write(path, wrong).unwrap();
    let arguments = ["mutants", "--reasons", "--tier", "smoke", "ACTIVATION_LEAKY_RELU"];
    spec(&dir, &arguments)
        .prints(
            1,
            [
                "ACTIVATION_LEAKY_RELU: a reason is wrong",
                "attribute@Alpha#0: Every element is a number of FLOAT32.",
            ],
        )
        .shows(["ACTIVATION_LEAKY_RELU          2"]);
    // With the reasons that are there, none is.
    let dir = copied("mutants with reasons", &[]);
    spec(&dir, &arguments).exits(0).omits("a reason is wrong");
}
