//! The subcommands of `spec` for those who write it.

use std::fs;

use crate::common::{Ran, copied, json, run, spec, yaml};

/// A page in the layout of the reference, in words of this test.
const PAGE: &str = "\
---
UID: NS:directml.DML_TOP_K1_OPERATOR_DESC
title: DML_TOP_K1_OPERATOR_DESC
---

# DML_TOP_K1_OPERATOR_DESC structure (directml.h)
Picks elements.

## Members

`Axis`

Type: **UINT**

Which dimension to look along. It lies within the tensor.

`K`

Type: **UINT**

How many to pick. At least one.

## Availability
This operator was introduced in `DML_FEATURE_LEVEL_2_1`.
";

#[test]
fn the_reference_is_written_for_one_operator_or_all() {
    let dir = copied("docs", &[]);
    spec(&dir, "docs --operator CAST --tier smoke").prints(
        0,
        [
            "# DML_CAST_OPERATOR_DESC structure",
            "## Members",
            "## Meaning\n\n```\nOutputTensor[o] =\n    if is_float(OutputTensor.DataType)\n    then cast(",
            "## Clauses",
            "## Cases",
            "| support |",
        ],
    );
    let out_dir = dir.join("a/reference");
    let target = out_dir.to_str().expect("a path");
    spec(&dir, &["docs", "--out", target, "--tier", "smoke"]).exits(0);
    let index = fs::read_to_string(out_dir.join("README.md")).expect("an index");
    for entry in fs::read_dir(dir.join("operators")).expect("operators") {
        let stem = entry
            .expect("an entry")
            .path()
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let name = format!("ns-directml-dml_{stem}_operator_desc.md");
        assert!(index.contains(&name) && out_dir.join(&name).is_file(), "{name}");
    }
    let left = fs::read_dir(&out_dir).expect("files").count();
    assert_eq!(
        left,
        fs::read_dir(dir.join("operators")).expect("operators").count() + 1
    );

    spec(&dir, "docs --operator CATS").warns(2, ["unknown operator `CATS`; nearest: CAST"]);
    spec(
        &dir,
        &["docs", "--operator", "CAST", "--tier", "smoke", "--out", "/dev/null/x"],
    )
    .warns(2, ["/dev/null/x"]);
}

#[test]
fn a_clause_follows_its_sentence() {
    let dir = copied("accept", &[]);
    let page = dir.join("page.md");
    let path = page.to_str().expect("a path");
    fs::write(&page, PAGE).expect("written");
    let before = fs::read_to_string(yaml(&dir)).expect("a file");
    let accept = ["accept", "TOP_K1/axis-in-range", "--page", path];

    // Another sentence stands at the place.
    spec(&dir, &accept)
        .prints(0, ["the reference rewords Axis sentence 2", "  -> Axis sentence 2 "])
        .fits();
    let after = fs::read_to_string(yaml(&dir)).expect("a file");
    let changed: Vec<&str> = after.lines().filter(|line| !before.contains(line)).collect();
    assert_eq!(changed.len(), 2, "{changed:?}");
    assert!(
        changed[1].starts_with("    history: [{date: \"20") && changed[1].contains("rewords"),
        "{changed:?}"
    );
    spec(&dir, "check").exits(0);

    // Nothing left to do, nothing written.
    spec(&dir, &accept).prints(0, ["nothing to do"]);
    assert_eq!(fs::read_to_string(yaml(&dir)).expect("a file"), after);

    // The sentence moved: its words win over its place.
    let moved = PAGE.replace("It lies within", "Something new. It lies within");
    fs::write(&page, moved).expect("written");
    spec(&dir, &accept).prints(0, ["the sentence moved from Axis sentence 2 to Axis sentence 3"]);
    let after = fs::read_to_string(yaml(&dir)).expect("a file");
    assert!(after.contains("anchor: Axis, sentence: 3, sha256: "), "{after}");
    assert_eq!(
        after.matches("{date: \"20").count(),
        before.matches("{date: \"20").count() + 2
    );
}

#[test]
fn a_clause_is_not_pointed_to_what_is_not_there() {
    let dir = copied("not-accepted", &[]);
    let page = dir.join("page.md");
    let path = page.to_str().expect("a path");
    let before = fs::read(yaml(&dir)).expect("a file");
    for (clause, text, expected) in [
        (
            "TOP_K1/axis-in-range",
            PAGE.replace("`Axis`", "`Axes`"),
            "has no `Axis` any more; it has description, ",
        ),
        (
            "TOP_K1/axis-in-range",
            PAGE.replace(" It lies within the tensor.", ""),
            "`Axis` has 1 sentences",
        ),
        ("TOP_K1/axis-in-rage", PAGE.to_owned(), "nearest: TOP_K1/axis-in-range"),
        ("TOP_K1/nan-order", PAGE.to_owned(), "the text is silent"),
        (
            "TOP_K/axis-in-range",
            PAGE.to_owned(),
            "page.md is ns-directml-dml_top_k1_operator_desc",
        ),
        (
            "TOP_K1/axis-in-range",
            PAGE.replace("title:", "ms.contentlocale: fr-fr\ntitle:"),
            "is in fr-fr",
        ),
        ("TOP_K1/axis-in-range", "---\n".to_owned(), "holds no sentence"),
    ] {
        fs::write(&page, text).expect("written");
        spec(&dir, &["accept", clause, "--page", path]).warns(2, [expected]);
    }
    spec(&dir, "accept TOP_K1/axis-in-range --page nowhere.md").warns(2, ["nowhere.md"]);
    assert_eq!(fs::read(yaml(&dir)).expect("a file"), before);
}

#[test]
fn clauses_are_found_by_place_by_words_and_by_a_sentence() {
    let dir = copied("find", &[]);
    let page = dir.join("page.md");
    fs::write(&page, PAGE).expect("written");
    let path = page.to_str().expect("a path");
    spec(&dir, &["accept", "TOP_K1/axis-in-range", "--page", path]).exits(0);
    for what in [
        "ns-directml-dml_top_k1_operator_desc#Axis",
        "ns-directml-dml_top_k1_operator_desc.md#axis",
        "It lies *within* the tensor.",
        "top_k1 axis dimensions",
    ] {
        spec(&dir, &["find", what]).prints(0, ["TOP_K1/axis-in-range"]).fits();
    }
    spec(&dir, "find '#tensor-constraints'").shows(["TOP_K1/same-data-type", "GATHER/"]);
    spec(&dir, "find 'ns-directml-dml_top_k1_operator_desc#'").shows(["TOP_K1/5.0", "TOP_K1/examples/largest-two"]);
    for (what, code, expected) in [
        ("#Axsi", 1, "nearest: Axis"),
        ("nothing at all like that", 1, "no clause has these words"),
        ("#", 2, "names neither page nor anchor"),
        (" ", 2, "nothing to look for"),
    ] {
        spec(&dir, &["find", what]).warns(code, [expected]);
    }
}

#[test]
fn a_clause_is_shown_with_its_sentence_from_a_local_copy() {
    let dir = copied("pages", &[]);
    let pages = dir.join("copy/deep");
    fs::create_dir_all(&pages).expect("a folder");
    let page = pages.join("some name.md");
    fs::write(&page, PAGE).expect("written");
    let (path, copy) = (page.to_str().expect("a path"), dir.join("copy"));
    let (at, copy) = (dir.to_str().expect("a path"), copy.to_str().expect("a path"));
    let show = |clause: &str, pages: &str| run(&["show", clause, "--tier", "smoke", "--spec", at, "--pages", pages]);
    show("TOP_K1/axis-in-range", copy).prints(0, ["hash differs", "It lies within the tensor."]);
    spec(&dir, &["accept", "TOP_K1/axis-in-range", "--page", path]).exits(0);
    let Ran { out, .. } = show("TOP_K1/axis-in-range", copy);
    let shown = out
        .split("reference\n")
        .nth(1)
        .expect("a reference")
        .replace("\n  ", "");
    assert!(
        shown.contains("some name.md:15") && shown.contains("It lies within the tensor."),
        "{out}"
    );
    show("TOP_K/axis-in-range", copy).shows(["is absent from"]);
    show("TOP_K1/nan-order", copy).shows(["none: the text is silent"]);
    show("TOP_K1", copy).warns(2, ["--pages is for clauses"]);
    show("TOP_K1/axis-in-range", "nowhere").warns(2, ["nowhere"]);
}

#[test]
fn the_specification_is_exported_as_its_schema_says() {
    let dir = copied("export", &[]);
    let schema = json(include_str!("../../specification.schema.json"));
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("mem:///specification", schema).expect("a schema");
    let schema = compiler
        .compile("mem:///specification", &mut schemas)
        .expect("a schema");
    let Ran { out: all, .. } = spec(&dir, "export --format json").exits(0);
    let mut all = json(&all);
    let checked = schemas.validate(&all, schema);
    assert!(checked.is_ok(), "{}", checked.expect_err("an error"));
    let operators = all["operators"].as_array().expect("a list").len();
    assert_eq!(
        operators,
        fs::read_dir(dir.join("operators")).expect("operators").count()
    );
    let top_k1 = all["operators"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|o| o["operator"] == "TOP_K1");
    let node = &top_k1.expect("TOP_K1")["onnx"][0];
    assert_eq!(node["nodes"], serde_json::json!([["TopK", true]]));
    assert_eq!(
        node["inputs"]["K"],
        serde_json::json!({"value": ["list", ["field", "K"]]})
    );
    assert_eq!(
        node["attributes"]["axis"],
        serde_json::json!({"value": ["field", "Axis"], "type": "INT"})
    );
    all["operators"][0]["clauses"][0]["kind"] = "wish".into();
    assert!(schemas.validate(&all, schema).is_err());

    let file = dir.join("one.json");
    let path = file.to_str().expect("a path");
    spec(
        &dir,
        &["export", "--format", "json", "--operator", "CAST", "--out", path],
    )
    .exits(0)
    .out_is("");
    let one = json(&fs::read_to_string(file).expect("a file"));
    assert_eq!(one["operators"].as_array().expect("a list").len(), 1);
    assert!(schemas.validate(&one, schema).is_ok());
    spec(&dir, "export --format json --operator CATS").warns(2, ["nearest: CAST"]);
    spec(&dir, "export --format xml").exits(2);
}
