//! What holds the workspace together: the direction of dependencies, and who may know whom.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Crates from the bottom up; each may depend on those before it only.
const ORDER: [&str; 6] = [
    "dml-spec",
    "dml-codegen-expand",
    "dml-codegen",
    "dml-ops",
    "dml-kernels",
    "dml-conformance",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Workspace crates that each workspace crate depends on, for building.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(vec!["--offline".to_owned()])
        .exec()
        .unwrap();
    let packages = metadata.packages.iter().map(|package| {
        let kept = package
            .dependencies
            .iter()
            .filter(|d| d.kind != cargo_metadata::DependencyKind::Development);
        let ours = kept.map(|d| d.name.clone()).filter(|name| name.starts_with("dml-"));
        (package.name.to_string(), ours.collect())
    });
    packages.collect()
}

#[test]
fn dependencies_point_one_way() {
    let dependencies = dependencies();
    let known: Vec<&str> = dependencies.keys().map(String::as_str).collect();
    let mut expected = ORDER.to_vec();
    expected.sort_unstable();
    assert_eq!(known, expected, "a crate is missing from the order, or new");
    for (place, name) in ORDER.iter().enumerate() {
        for dependency in &dependencies[*name] {
            assert!(
                ORDER[..place].contains(&dependency.as_str()),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn codegen_alone_builds_compiler_errors() {
    for file in rust_files(&root().join("codegen/expand/src")) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("syn::Error"), "{} touches syn::Error", file.display());
        for io in ["std::fs", "std::env", "println!"] {
            assert!(!text.contains(io), "{} does I/O: {io}", file.display());
        }
    }
}

#[test]
fn the_oracle_reaches_no_kernel() {
    let oracle = root().join("conformance/src/oracle");
    let files = rust_files(&oracle);
    assert!(files.len() >= 2, "the oracle moved");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for forbidden in ["dml_kernels", "dml_ops"] {
            assert!(!text.contains(forbidden), "{} names {forbidden}", file.display());
        }
    }
    for file in rust_files(&root().join("kernels")) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("dml_conformance"), "{} names the suite", file.display());
    }
}

/// Operators' names belong into their own files and into tests; anywhere else would be a special case.
/// Operators that are called like functions of any program; they are named where a string or a path names them.
const VERBS: [&str; 4] = ["cast", "gather", "join", "reduce"];

#[test]
fn no_operator_is_named_outside_its_files() {
    let specs = fs::read_dir(root().join("spec/operators")).unwrap();
    let stems: Vec<String> = specs
        .map(|entry| {
            entry
                .unwrap()
                .path()
                .file_stem()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert!(!stems.is_empty());
    for file in rust_files(&root()) {
        let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
        let is_apart = file.components().any(|c| {
            ["tests", "benches", "examples", "fuzz"]
                .iter()
                .any(|t| c.as_os_str() == *t)
        });
        // Tests, and the examples that `--help` shows, have to speak of some operator.
        let is_text = ["tests", "fixture"].contains(&stem.as_str()) || file.ends_with("cli/examples.rs");
        if is_apart || is_text || stems.contains(&stem) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            for name in &stems {
                let (lower, upper) = (name.as_str(), name.to_uppercase());
                let named = |word: &str| {
                    line.match_indices(word).any(|(at, _)| {
                        let before = line[..at].chars().next_back();
                        let after = line[at + word.len()..].chars().next();
                        let joins = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
                        let names = before == Some('"') || line[..at].ends_with("operators::");
                        !joins(before) && !joins(after) && (names || !VERBS.contains(&lower))
                    })
                };
                assert!(
                    !named(lower) && !named(&upper),
                    "{}:{} names {upper}",
                    file.display(),
                    number + 1
                );
            }
        }
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}
