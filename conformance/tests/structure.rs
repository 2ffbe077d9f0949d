//! How the house is built: which crate may know which, as ARCHITECTURE.md says, and that no files of a crate import each
//! other in a circle.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "structure/imports.rs"]
mod imports;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Crates from the bottom up, each with those that it may know. A row may name a crate that does not exist yet.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("dml-spec", &[]),
    ("dml-spec-yaml", &["dml-spec"]),
    ("dml-codegen-expand", &["dml-spec", "dml-spec-yaml"]),
    ("dml-codegen", &["dml-codegen-expand"]),
    ("dml-ops", &["dml-spec", "dml-codegen"]),
    ("dml-cpu", &["dml-ops"]),
    ("dml-wgpu", &["dml-ops"]),
    ("dml-directml", &["dml-ops"]),
    ("dml-case", &["dml-spec"]),
    ("dml-oracle", &["dml-spec", "dml-case"]),
    ("dml-plan", &["dml-spec", "dml-case"]),
    ("dml-judge", &["dml-spec", "dml-case", "dml-oracle"]),
    (
        "dml-run",
        &["dml-spec", "dml-case", "dml-plan", "dml-oracle", "dml-judge", "dml-ops"],
    ),
    ("dml-report", &["dml-spec", "dml-case"]),
    ("dml-pages", &["dml-spec", "dml-spec-yaml", "dml-case"]),
    (
        "dml-adequacy",
        &[
            "dml-spec",
            "dml-spec-yaml",
            "dml-case",
            "dml-plan",
            "dml-oracle",
            "dml-judge",
            "dml-ops",
            "dml-run",
        ],
    ),
    ("dml-conformance", ALL),
];

/// The command line may know every crate.
const ALL: &[&str] = &["*"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Folders of the workspace's crates by name, and the workspace crates that each depends on, tests aside.
fn crates() -> BTreeMap<String, (PathBuf, BTreeSet<String>)> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(vec!["--offline".to_owned()])
        .exec()
        .unwrap();
    let packages = metadata.packages.iter().map(|package| {
        let kept = package.dependencies.iter();
        let kept = kept.filter(|d| d.kind != cargo_metadata::DependencyKind::Development);
        let ours = kept.map(|d| d.name.clone()).filter(|name| name.starts_with("dml-"));
        let folder = package.manifest_path.parent().unwrap().as_std_path().to_owned();
        (package.name.to_string(), (folder, ours.collect()))
    });
    packages.collect()
}

/// What is wrong with these dependencies, by the table.
fn breaches(known: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, others) in known {
        let Some((_, row)) = MAY_KNOW.iter().find(|(row, _)| row == name) else {
            found.push(format!("{name} has no row in the table of who may know whom"));
            continue;
        };
        for other in others {
            if *row != ALL && !row.contains(&other.as_str()) {
                found.push(format!("{name} must not know {other}"));
            }
        }
    }
    found
}

#[test]
fn crates_know_only_what_they_may() {
    let known = crates().into_iter().map(|(name, (_, others))| (name, others)).collect();
    assert_eq!(breaches(&known), [""; 0]);
}

/// Crates with the features that they are compiled with for a build, or with `dev` edges for tests.
fn features(edges: &str) -> BTreeSet<String> {
    let arguments = [
        "tree",
        "--offline",
        "--prefix",
        "none",
        "--format",
        "{p} {f}",
        "--edges",
    ];
    let ran = Command::new(env!("CARGO"))
        .args(arguments)
        .arg(edges)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let lines = String::from_utf8(ran.stdout).unwrap();
    let crates = lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned());
    crates.filter(|line| !line.is_empty()).collect()
}

#[test]
fn builds_and_tests_share_what_they_compile() {
    let (built, tested) = (features("normal,no-proc-macro"), features("normal,dev,no-proc-macro"));
    assert!(built.len() > 50, "{built:?}");
    let lacking: Vec<&String> = built.difference(&tested).collect();
    assert!(
        lacking.is_empty(),
        "tests need more features of these; list the crates in Cargo.toml, among those that nothing names: {lacking:?}"
    );
}

/// The column `may know` of the table of crates in ARCHITECTURE.md. The name of a crate is the last word before the
/// second bar; the column has names without `dml-`, and `yaml` and `expand` for short.
fn documented(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let full = |short: &str| match short {
        "yaml" => "dml-spec-yaml".to_owned(),
        "expand" => "dml-codegen-expand".to_owned(),
        other => format!("dml-{other}"),
    };
    let rows = text.lines().map(|line| line.split(" | ").collect::<Vec<_>>());
    let rows = rows.filter(|cells| cells.len() == 4 && cells[0].starts_with("| `"));
    let rows = rows.flat_map(|cells| {
        let known: BTreeSet<String> = match cells[2] {
            "–" => BTreeSet::new(),
            "all" => BTreeSet::from(["*".to_owned()]),
            names => names.split(", ").map(full).collect(),
        };
        let names = cells[0].split(' ').filter(|word| word.starts_with("dml-"));
        let row = |name: &str| (name.trim_end_matches(',').to_owned(), known.clone());
        names.map(row).collect::<Vec<_>>()
    });
    rows.collect()
}

#[test]
fn architecture_shows_the_table() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let exists = crates();
    let exists = |name: &str| name == "*" || exists.contains_key(name);
    let table = MAY_KNOW.iter().filter(|(name, _)| exists(name)).map(|(name, others)| {
        let others = others.iter().filter(|other| exists(other)).map(ToString::to_string);
        (name.to_string(), others.collect())
    });
    let table: BTreeMap<String, BTreeSet<String>> = table.collect();
    assert_eq!(documented(&text), table, "left is ARCHITECTURE.md, right MAY_KNOW");
}

#[test]
fn a_crate_that_knows_too_much_is_named() {
    let mut known: BTreeMap<String, BTreeSet<String>> =
        crates().into_iter().map(|(name, (_, others))| (name, others)).collect();
    known.get_mut("dml-report").unwrap().insert("dml-judge".to_owned());
    known.insert("dml-new".to_owned(), BTreeSet::new());
    let found = breaches(&known).join("\n");
    for part in ["dml-report must not know dml-judge", "dml-new has no row"] {
        assert!(found.contains(part), "{found}");
    }
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    let mut files = 0;
    for (name, (folder, _)) in crates() {
        let graph = imports::Graph::read(&folder.join("src"));
        files += graph.files();
        for circle in graph.circles() {
            circles.push(format!("{name}: {circle}"));
        }
    }
    assert!(files > 300, "{files} files were read: the crates moved");
    assert!(circles.is_empty(), "files import each other:\n{}", circles.join("\n"));
}
