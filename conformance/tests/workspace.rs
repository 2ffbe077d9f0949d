//! What holds the workspace together beside its structure: where I/O, oracles and names of operators may stand.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
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
    let oracle = root().join("conformance/oracle/src");
    let files = rust_files(&oracle);
    assert!(files.len() >= 2, "the oracle moved");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for forbidden in ["dml_cpu", "dml_wgpu", "dml_directml", "dml_ops"] {
            assert!(!text.contains(forbidden), "{} names {forbidden}", file.display());
        }
    }
    for file in rust_files(&root().join("kernels")) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("dml_conformance"), "{} names the suite", file.display());
    }
}

/// The operators as programs write them: like their files, as the header does, and as types; with the stem of the file.
fn spelled(stems: &[String]) -> HashMap<String, &str> {
    let mut all = HashMap::new();
    for stem in stems {
        let words = stem.split('_');
        let camel = words.flat_map(|word| [word[..1].to_uppercase(), word[1..].to_owned()]);
        for spelling in [stem.clone(), stem.to_uppercase(), camel.collect()] {
            all.insert(spelling, stem.as_str());
        }
    }
    all
}

/// The operator that a line of a program names. One of a single word is called like functions of any program: it is named
/// where a string or a path names it.
fn named<'a>(line: &str, spelled: &HashMap<String, &'a str>) -> Option<&'a str> {
    let mut end = 0;
    for token in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        let start = line[end..].find(token).map_or(end, |at| end + at);
        end = start + token.len();
        let word = token.strip_prefix("DML_OPERATOR_").unwrap_or(token);
        let Some(stem) = spelled.get(word) else { continue };
        let (before, is_upper) = (&line[..start], word == stem.to_uppercase());
        // A word of any program, or what another format calls its operator.
        let common = !stem.contains('_') || word != *stem && !is_upper;
        let in_text = before.ends_with('"') && is_upper;
        let in_path = word != token || ["operators::", "dml_ops::"].iter().any(|path| before.ends_with(path));
        if in_text || in_path || !common {
            return Some(stem);
        }
    }
    None
}

/// Operators' names belong into their own files and into tests; anywhere else would be a special case.
#[test]
fn no_operator_is_named_outside_its_files() {
    let specs = fs::read_dir(root().join("spec/operators")).unwrap();
    let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let stems: Vec<String> = specs.map(|entry| stem(&entry.unwrap().path())).collect();
    assert!(!stems.is_empty());
    let spelled = spelled(&stems);
    let mut seen = 0;
    for file in rust_files(&root()) {
        let place = file.strip_prefix(root()).unwrap();
        let within = |folder: &str| place.components().any(|part| part.as_os_str() == folder);
        // Tests with what they are made of, and the examples that `--help` shows, have to speak of some operator.
        let is_apart = ["tests", "benches", "examples", "mock"].into_iter().any(within);
        let is_test = ["tests", "fixture"].contains(&stem(&file).as_str()) || stem(&file).ends_with("_tests");
        let is_text = is_test || file.ends_with("cli/examples.rs");
        let is_own = file.parent().is_some_and(|folder| folder.ends_with("operators")) && stems.contains(&stem(&file));
        if is_apart || is_text || is_own {
            continue;
        }
        seen += 1;
        let text = fs::read_to_string(&file).unwrap();
        // Unit tests stand at the end of a file.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate() {
            let line = if line.trim_start().starts_with("//") { "" } else { line };
            let named = named(line, &spelled);
            assert_eq!(named, None, "{}:{}", place.display(), number + 1);
        }
    }
    assert!(seen > 100, "{seen} files");
}

#[test]
fn an_operator_is_known_by_each_of_its_names() {
    let stems = ["join", "reduce", "gather", "top_k1"].map(str::to_owned);
    let spelled = spelled(&stems);
    for line in [
        "\"TOP_K1\"",
        "dml_ops::TopK1",
        "top_k1::execute",
        "DML_OPERATOR_TOP_K1",
        "operators::join",
        "\"JOIN\" =>",
    ] {
        let stem = if line.to_lowercase().contains("join") {
            "join"
        } else {
            "top_k1"
        };
        assert_eq!(named(line, &spelled), Some(stem), "{line}");
    }
    for line in [
        "parts.join(\"\")",
        "fn reduce(",
        "const GATHER:",
        "stop_k1",
        "TOP_K11",
        "struct TopK1",
    ] {
        assert_eq!(named(line, &spelled), None, "{line}");
    }
}

/// By name those with a meaning, by their number the others.
#[test]
fn the_readme_lists_every_operator() {
    let specs = fs::read_dir(root().join("spec/operators")).unwrap();
    let is_computed = |path: &PathBuf| fs::read_to_string(path).unwrap().contains("\nmeaning:\n");
    let (computed, created): (Vec<PathBuf>, Vec<_>) = specs.map(|entry| entry.unwrap().path()).partition(is_computed);
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().to_uppercase();
    let mut known: Vec<String> = computed.iter().map(stem).collect();
    known.sort();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = readme.split_once("Of ").unwrap();
    let (count, rest) = rest
        .split_once(" operators descriptors and results are tested: ")
        .unwrap();
    let (list, rest) = rest.split_once(". Of ").unwrap();
    let (others, _) = rest.split_once(" more").unwrap();
    let mut listed: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    listed.sort_unstable();
    assert_eq!(
        (listed.len().to_string(), listed, others.to_owned()),
        (
            count.to_owned(),
            known.iter().map(String::as_str).collect(),
            created.len().to_string()
        )
    );
}

/// Tests leave themselves out in one way, which fails in CI: `spec/tests/support/needs.rs`.
#[test]
fn no_test_skips_itself_in_a_way_of_its_own() {
    let this = root().join("conformance/tests/workspace.rs").canonicalize().unwrap();
    let mut users = 0;
    for file in rust_files(&root()) {
        let place = file.strip_prefix(root()).unwrap();
        let is_apart = place.ends_with("spec/tests/support/needs.rs") || file.canonicalize().unwrap() == this;
        let mut parts = place.components().map(|part| part.as_os_str());
        let is_test = parts.any(|part| ["tests", "tests.rs", "mock"].iter().any(|name| part == *name));
        if is_apart {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        users += usize::from(text.contains("needs::found(") || text.contains("needs::missing("));
        let forbidden = ["DML_CTS_REQUIRE", "#[ignore", "\"skipped: ", "\"skipped {"];
        for (number, line) in text.lines().enumerate() {
            let gives_up = line.contains("let Ok(") && line.contains("else { return }");
            let alone = forbidden.iter().any(|word| line.contains(word))
                || (line.contains("with_ignored_flag(") && !text.contains("needs::missing("))
                || (is_test && (gives_up || line.contains("if !cfg!(")));
            assert!(
                !alone,
                "{}:{} may skip a test; call needs::found or needs::missing",
                place.display(),
                number + 1
            );
        }
    }
    assert!(users >= 5, "{users} files");
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

/// Examples in documentation are tests, where a crate has them: for the others rustdoc is not asked.
#[test]
fn crates_without_tested_examples_have_none() {
    let metadata = cargo_metadata::MetadataCommand::new()
        .no_deps()
        .current_dir(root())
        .exec()
        .unwrap();
    let mut untested = 0;
    for package in &metadata.packages {
        if !package.targets.iter().all(|target| !target.doctest) {
            continue;
        }
        untested += 1;
        for file in rust_files(package.manifest_path.parent().unwrap().join("src").as_std_path()) {
            let text = fs::read_to_string(&file).unwrap();
            let fences = text.lines().filter_map(|line| {
                let line = line.trim_start();
                let comment = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))?;
                comment.trim_start().strip_prefix("```")
            });
            // The language of a block stands where it begins.
            for language in fences.step_by(2) {
                assert!(
                    !language.is_empty() && !language.starts_with("rust"),
                    "{} has an example, and its crate has `doctest = false`",
                    file.display()
                );
            }
        }
    }
    assert!(untested > 10, "{untested}");
}
