//! Goldens of every diagnostic: `diagnostics/NAME.yaml` holds the mistake of `spec::NAME`, `NAME.txt` the expected
//! report.
//!
//! A file is loaded with the real `directml.yaml`, or in its place if its first line says so.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use dml_spec::Diagnostic;
use dml_spec_yaml::load::{File, Files, embedded, load};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Names of the goldens.
fn names() -> BTreeSet<String> {
    let entries = fs::read_dir(folder("tests/diagnostics")).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect()
}

fn diagnose(name: &str) -> Vec<Diagnostic> {
    let path = folder("tests/diagnostics").join(format!("{name}.yaml"));
    let text = fs::read_to_string(path).expect("a file");
    // The operator of each file is called COPY.
    let shown = format!("{name}/copy.yaml");
    let files = if text.starts_with("# in place of directml.yaml") {
        Files(vec![File::new("directml.yaml", text)])
    } else {
        let shared = embedded().0.into_iter().filter(|f| f.name() == "directml.yaml");
        Files(shared.chain([File::new(shown, text)]).collect())
    };
    let (catalog, found) = load(&files);
    assert!(catalog.is_none(), "{name} loads");
    found
}

#[test]
fn every_mistake_is_explained() {
    let mut mixed = Vec::new();
    for name in names() {
        let found = diagnose(&name);
        if found.is_empty() || found.iter().any(|d| d.code != format!("spec::{name}")) {
            let said: Vec<String> = found.iter().map(ToString::to_string).collect();
            mixed.push(format!(
                "{name}.yaml should hold nothing but spec::{name}, found {said:#?}"
            ));
        }
        let said: String = found.iter().map(|d| format!("{d}\n")).collect();
        // A failure prints the command that brings the goldens up to date.
        expect_test::expect_file![folder("tests/diagnostics").join(format!("{name}.txt"))].assert_eq(&said);
    }
    assert!(mixed.is_empty(), "{}", mixed.join("\n"));
}

/// Codes in the sources of both crates, without their `spec::`.
fn codes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            codes(&path, found);
        } else {
            let text = fs::read_to_string(&path).expect("a file");
            let cuts = text.split("\"spec::").skip(1).filter_map(|rest| rest.split_once('"'));
            found.extend(cuts.map(|(code, _)| code.to_owned()));
        }
    }
}

#[test]
fn every_code_has_a_golden() {
    let mut expected = BTreeSet::new();
    codes(&folder("src"), &mut expected);
    codes(&folder("../src"), &mut expected);
    // These need bytes, a size or a set of files; see below.
    let elsewhere = ["not-utf8", "too-large", "missing-file", "duplicate-operator"];
    for code in elsewhere {
        assert!(expected.remove(code), "{code} is gone");
    }
    assert_eq!(names(), expected);
}

/// Codes and places of what is wrong.
fn places(files: Vec<File>) -> Vec<String> {
    let (catalog, found) = load(&Files(files));
    assert!(catalog.is_none());
    found.iter().map(|d| format!("{} {}", d.code, d.place)).collect()
}

#[test]
fn mistakes_between_files_are_found() {
    let files = embedded().0;
    let operator = files
        .iter()
        .find(|f| f.name() == "top_k1.yaml")
        .expect("TOP_K1")
        .clone();
    assert_eq!(places(vec![]), ["spec::missing-file directml.yaml:1:1"]);
    let twice = File::new("spec/more/top_k1.yaml", operator.text.clone());
    let found = places(files.iter().cloned().chain([twice]).collect());
    assert_eq!(found, ["spec::duplicate-operator spec/more/top_k1.yaml:2:11"]);
    let renamed = operator.text.replace("operator: TOP_K1", "operator: TOP_K2");
    let found = places(files.into_iter().chain([File::new("top_k2.yaml", renamed)]).collect());
    assert_eq!(found, ["spec::duplicate-value top_k2.yaml:3:7"]);
}

#[test]
fn an_empty_list_of_nodes_is_a_mistake() {
    let mut files = embedded().0;
    let operator = files.iter_mut().find(|f| f.name() == "top_k1.yaml").expect("TOP_K1");
    let start = operator.text.find("\nonnx:").expect("nodes") + 1;
    let end = operator.text[start..].find("\nclauses:").expect("clauses") + start;
    operator.text = format!("{}onnx: []{}", &operator.text[..start], &operator.text[end..]).into();
    let line = operator.text[..start].lines().count() + 1;
    let expected = format!("spec::wrong-type spec/operators/top_k1.yaml:{line}:7");
    assert_eq!(places(files), [expected]);
}

#[test]
fn what_a_line_of_a_mistake_makes_wrong_is_reported_at_that_line() {
    let mut files = embedded().0;
    let operator = files.iter_mut().find(|f| f.name() == "top_k1.yaml").expect("TOP_K1");
    let start = operator.text.find("\nonnx:").expect("nodes") + 1;
    let wrong = "  wrong:\n    says: it is wrong\n    meaning: {ranked: InputTensor.DimensionCount}\n";
    operator.text = format!("{}{wrong}\n{}", &operator.text[..start - 1], &operator.text[start..]).into();
    let line = operator.text[..start].lines().count() + 2;
    let (_, found) = load(&Files(files));
    let said: Vec<String> = found.iter().map(ToString::to_string).collect();
    let place = format!("spec/operators/top_k1.yaml:{line}:15: then `OutputValueTensor` is wrong: ");
    assert!(said.iter().any(|said| said.starts_with(&place)), "{said:#?}");
}

#[test]
fn bytes_that_are_no_text_and_texts_too_large_are_refused() {
    let broken = File::from_bytes("directml.yaml", b"a: \xc3\xa4\nb: \xff".to_vec());
    assert_eq!(places(vec![broken]), ["spec::not-utf8 directml.yaml:2:4"]);
    let large = File::new("directml.yaml", "#".repeat((1 << 20) + 1));
    assert_eq!(places(vec![large]), ["spec::too-large directml.yaml:1:1"]);
}
