//! `spec verify --record`: what was seen, written to where it belongs in the specification.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use anyhow::Context;
use dml_spec::model::{Operator, Status};
use dml_spec_yaml::tree::{read, splice};

use super::{args::SpecArgs, source};
use crate::verify::{Agreement, Answered, Row};
use dml_plan::planner::Planner;
use dml_report::Terminal;

/// Adds an observation to every disputed or observed clause that was asked about, one for all libraries together.
pub(super) fn record(
    args: &SpecArgs,
    suite: &Planner,
    operator: &Operator,
    rows: &[Row],
    answered: &[Answered],
    terminal: &mut Terminal,
) -> anyhow::Result<()> {
    let folder =
        source::folder(args).context("no spec/directml.yaml here or above; name the folder with --spec DIR")?;
    let names: Vec<&str> = answered.iter().map(|library| library.name.as_str()).collect();
    let runtime = format!("DirectML {}", names.join(", "));
    let date = dml_case::date::today();
    let differs = |row: &&Row| row.agreement == Agreement::Disagrees;
    let contradicted: BTreeSet<&str> = rows.iter().filter(differs).map(|row| row.target.0.as_str()).collect();
    for id in &contradicted {
        terminal.warn(format_args!(
            "{id} is contradicted and was not recorded; correct it by hand first"
        ));
    }
    let mut clauses: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for row in rows
        .iter()
        .filter(|row| matches!(row.status, Status::Disputed | Status::Observed))
    {
        let sum = clauses.entry(&row.target.0).or_default();
        for tally in &row.tallies {
            sum.0 += tally.broken.0;
            sum.1 += tally.broken.1;
        }
    }
    let operator_file = operator.file.strip_prefix("spec/").unwrap_or(&operator.file);
    for (file, key, tensor) in [
        ("directml.yaml", "tensor_clauses", true),
        (operator_file, "clauses", false),
    ] {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let root = read::parse(&text)
            .0
            .with_context(|| format!("{} is no YAML", path.display()))?;
        let mut edits = splice::Edits::new(&text, &root);
        let mut added = 0;
        for (id, (broken, refused)) in clauses.iter().filter(|(id, _)| id.starts_with("TENSOR/") == tensor) {
            let name = id.split('/').nth(1).unwrap_or(id);
            let place = format!("{key}[id={name}].observed");
            if *broken == 0 || contradicted.contains(*id) || root.at(&place).is_none() {
                continue;
            }
            let says = format!("{refused} of {broken} descriptors it is about were rejected.");
            let mut entry = vec![("runtime", runtime.as_str()), ("date", &date)];
            // The rule that runtimes follow was seen to hold; observations of a clause must agree on one.
            entry.extend(rule(operator, suite, id).map(|rule| ("rule", rule)));
            entry.push(("says", &says));
            let entry = splice::flow(entry);
            if !text.contains(&entry) {
                edits.append(&place, &entry)?;
                added += 1;
            }
        }
        if added > 0 {
            fs::write(&path, edits.apply()?).with_context(|| path.display().to_string())?;
        }
        terminal.line(format!("{}: {added} observations added", path.display()));
    }
    Ok(())
}

/// The rule that the observations of a clause give.
fn rule<'a>(operator: &'a Operator, suite: &'a Planner, id: &str) -> Option<&'a str> {
    let mut clauses = suite.catalog.tensor_clauses.iter().chain(operator.clauses.iter());
    let observed = &clauses.find(|clause| clause.id == id)?.observed;
    observed.iter().find_map(|observation| observation.rule.as_deref())
}

#[cfg(test)]
mod tests {
    use std::{fs::File, io, path::Path};

    use dml_ops::FeatureLevel;
    use dml_spec::Value;

    use super::*;
    use crate::verify::{
        Reply, Verified,
        tests::{QUESTIONS, SUITE, faithful, operator},
    };

    const FILES: [&str; 2] = ["directml.yaml", "operators/top_k1.yaml"];

    /// A copy of the specification.
    fn spec() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("operators")).unwrap();
        let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec");
        fs::copy(spec.join(FILES[0]), folder.path().join(FILES[0])).unwrap();
        for entry in fs::read_dir(spec.join("operators")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), folder.path().join("operators").join(entry.file_name())).unwrap();
        }
        folder
    }

    fn texts(folder: &Path) -> Vec<String> {
        FILES
            .map(|file| fs::read_to_string(folder.join(file)).unwrap())
            .to_vec()
    }

    /// Records what a library answered; the warnings.
    fn recorded(folder: &Path, library: &Answered) -> String {
        let answered = std::slice::from_ref(library);
        let verified = Verified::new(&SUITE, operator(), &QUESTIONS, answered);
        let args = SpecArgs {
            dir: Some(folder.to_owned()),
        };
        let warnings = folder.join("warnings");
        let mut terminal = Terminal::plain(Box::new(io::sink()), Box::new(File::create(&warnings).unwrap()));
        record(&args, &SUITE, operator(), &verified.rows, answered, &mut terminal).unwrap();
        fs::read_to_string(warnings).unwrap()
    }

    #[test]
    fn observations_are_added_once_and_nothing_else_changes() {
        let (folder, before) = (spec(), texts(spec().path()));
        let library = faithful("9.9", FeatureLevel::new(5, 0));
        assert_eq!(recorded(folder.path(), &library), "");
        let after = texts(folder.path());
        let new = "{runtime: DirectML 9.9, date:";
        for (before, after) in before.iter().zip(&after) {
            let kept: Vec<&str> = after.lines().filter(|line| !line.contains(new)).collect();
            assert_eq!(
                kept,
                before.lines().collect::<Vec<_>>(),
                "comments and hand edits survive"
            );
        }
        let loaded = source::examine(&source::read(folder.path()).unwrap().files)
            .unwrap()
            .unwrap();
        let observed = |id: &str| {
            let mut clauses = dml_case::clause::clauses(&loaded.catalog);
            let clause = clauses.find(|clause| clause.id == id).unwrap();
            clause.observed.iter().filter(|o| o.runtime == "DirectML 9.9").count()
        };
        for id in [
            "TENSOR/output-reach",
            "TENSOR/flags-known",
            "TOP_K1/k-below-axis-size",
            "TOP_K1/signed-zero",
        ] {
            assert_eq!(observed(id), 1, "{id}");
        }
        // Normative ones need none, and results of operators were not asked for.
        for id in [
            "TOP_K1/axis-in-range",
            "TENSOR/padding-preserved",
            "TENSOR/output-no-overlap",
        ] {
            assert_eq!(observed(id), 0, "{id}");
        }
        recorded(folder.path(), &library);
        assert_eq!(texts(folder.path()), after, "the same day and the same answers");
    }

    #[test]
    fn what_is_contradicted_is_not_recorded() {
        let folder = spec();
        let mut library = faithful("9.9", FeatureLevel::new(5, 0));
        for (reply, descriptor) in library.replies.iter_mut().zip(&QUESTIONS.descriptors) {
            let owned = |value: &Value| matches!(value, Value::Tensor(Some(tensor)) if tensor.flags > 1);
            if descriptor.fields.iter().any(owned) {
                *reply = Reply::Accepted;
            }
        }
        let warnings = recorded(folder.path(), &library);
        assert!(warnings.contains("TENSOR/flags-known is contradicted"), "{warnings}");
        let text = &texts(folder.path())[0];
        let clause = |id: &str| text.split("- id: ").find(|part| part.starts_with(id)).unwrap();
        assert!(!clause("flags-known").contains("9.9"));
        assert!(clause("type-buffer").contains("9.9"));
    }
}
