//! `--save-failures`: for each kind of failure its smallest case, made smaller still, in a file.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_ops::Unavailable;
use dml_spec::{Value, model::Text};

use dml_case::{case::Case, outcome::Outcome, record::Record};
use dml_plan::planner::Planner;
use dml_report::{Behaviours, Collected, Group, SavedCase, Terminal, difference};
use dml_run::{
    engine::{Probe, Run},
    saved::{self, Found, From, Saved, What},
    shrink::{Target, shrink},
};

/// Where failures are saved, and what the files say of the run.
pub(super) struct Saver<'a> {
    pub suite: &'a Planner,
    pub folder: &'a Path,
    pub label: &'a str,
    pub spec_digest: &'a str,
    /// Whether FLOAT16 tensors might be computed in half precision.
    pub half_precision: bool,
    /// What names the backend in a command.
    pub again: String,
}

/// A kind of failure: what is to show again.
struct Kind<'a> {
    clause: &'a str,
    class: Text,
    record: &'a Record,
}

impl Kind<'_> {
    /// Whether the record itself names the clause, if there is one.
    fn is_of_record(&self) -> bool {
        let clauses = &self.record.clauses;
        self.clause.is_empty() || clauses.iter().any(|clause| *clause == *self.clause)
    }
}

impl Saver<'_> {
    /// Saves a case for each kind of failure, and for each clause that leaves outputs open one if they are nothing
    /// consistent; what was saved.
    pub(super) fn save(
        &self,
        run: &Run<'_>,
        collected: &Collected,
        terminal: &mut Terminal,
    ) -> anyhow::Result<Vec<SavedCase>> {
        // A case that passes shows nothing.
        let failed = |kind: &Kind<'_>| kind.record.outcome != Outcome::XPass;
        let groups = collected.failures();
        let mut kinds: Vec<Kind<'_>> = groups.iter().flat_map(kinds).filter(failed).collect();
        kinds.extend(collected.does.iter().filter_map(strange));
        if kinds.is_empty() {
            return Ok(Vec::new());
        }
        fs::create_dir_all(self.folder).with_context(|| self.folder.display().to_string())?;
        let mut names = BTreeSet::new();
        let mut found = Vec::new();
        let probed = run.probe(|probe| -> anyhow::Result<()> {
            for kind in &kinds {
                terminal.note(format_args!("making a case of {} smaller", kind.class));
                let (saved, says) = match self.one(probe, kind) {
                    Ok(made) => made,
                    Err(Trouble::Gone(why)) => anyhow::bail!("no more cases can be saved: the backend was lost: {why}"),
                    Err(Trouble::Case(why)) => {
                        terminal.warn(format_args!("{} cannot be saved: {why}", kind.record.id));
                        continue;
                    }
                };
                let path = self.write(&saved, &self.name(kind, &mut names))?;
                found.push(SavedCase {
                    clause: kind.clause.to_owned(),
                    class: kind.class.clone(),
                    outcome: kind.record.outcome,
                    says,
                    command: format!("dml-cts repro {} {}", spell(&path), self.again),
                    path,
                });
            }
            Ok(())
        });
        match probed {
            Ok(Ok(())) => {}
            Ok(Err(why)) => terminal.warn(format_args!("{why:#}")),
            Err(why) => terminal.warn(format_args!("no case can be saved: the backend was lost: {why}")),
        }
        Ok(found)
    }

    fn one(&self, probe: &mut Probe<'_>, kind: &Kind<'_>) -> Result<(Saved, String), Trouble> {
        let record = kind.record;
        let (what, shown, says) = if record.order.is_empty() {
            let origin = dml_plan::build(self.suite, &record.id).map_err(|e| Trouble::Case(e.to_string()))?;
            let (case, shown, says) = self.smaller(probe, kind, origin)?;
            (What::Case(Box::new(case)), shown, says)
        } else {
            let says = format!("{} cases, one after the other", record.order.len());
            (What::Order(record.order.clone()), record.clone(), says)
        };
        let saved = Saved {
            what,
            from: From {
                id: record.id.to_string(),
                suite: env!("CARGO_PKG_VERSION").to_owned(),
                spec_digest: self.spec_digest.to_owned(),
            },
            found: Some(Found::of(self.label, &shown, self.half_precision)),
        };
        Ok((saved, says))
    }

    fn smaller(&self, probe: &mut Probe<'_>, kind: &Kind<'_>, origin: Case) -> Result<(Case, Record, String), Trouble> {
        if kind.record.outcome == Outcome::Flaky || !kind.is_of_record() {
            let says = size(&origin);
            return Ok((origin, kind.record.clone(), says));
        }
        let shrunk = shrink(self.suite, probe, &origin, &Target::of(kind.record)).map_err(Trouble::Gone)?;
        Ok(match shrunk.record {
            Some(record) => {
                let says = format!("{}{}", size(&shrunk.case), shows(&record));
                (shrunk.case, record, says)
            }
            None => {
                let says = format!(
                    "{}; it passed when run alone; --retries 1 finds flaky cases",
                    size(&origin)
                );
                (origin, kind.record.clone(), says)
            }
        })
    }

    /// `top_k1-tie-order`, with the clause if there are two of the name.
    fn name(&self, kind: &Kind<'_>, names: &mut BTreeSet<String>) -> String {
        let short = format!("{}-{}", kind.record.id.operator().to_lowercase(), kind.class);
        let clause = file_word(kind.clause.rsplit('/').next().unwrap_or_default()).to_lowercase();
        let mut name = short.clone();
        for again in 2.. {
            if names.insert(name.clone()) {
                break;
            }
            name = if again == 2 {
                format!("{short}-{clause}")
            } else {
                format!("{short}-{clause}-{again}")
            };
        }
        name
    }

    fn write(&self, saved: &Saved, name: &str) -> anyhow::Result<PathBuf> {
        let text = saved::write(self.suite, saved)?;
        let path = self.folder.join(format!("{name}.json"));
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        Ok(path)
    }
}

/// Why a case is not saved.
enum Trouble {
    /// Nothing can be asked any more.
    Gone(Unavailable),
    /// This one cannot.
    Case(String),
}

/// What a smaller case shows: the first wrong element, or all of them if none is defined.
fn shows(record: &Record) -> String {
    match (&record.first, &record.message) {
        (Some(first), _) => format!("; {}", difference(first, 1)),
        (None, Some(message)) if record.outcome == Outcome::Unspecified => format!("; {message}"),
        (None, _) => String::new(),
    }
}

fn kinds(group: &Group) -> impl Iterator<Item = Kind<'_>> {
    group.kinds.iter().map(|kind| Kind {
        clause: &group.clause,
        class: kind.class.clone(),
        record: &kind.smallest,
    })
}

/// What a clause leaves open and a backend does without consistency.
fn strange<'a>((clause, behaviours): (&'a String, &'a Behaviours)) -> Option<Kind<'a>> {
    let record = behaviours.strange.as_ref()?;
    let class = record.class.clone()?;
    Some(Kind { clause, class, record })
}

/// The sizes of a case's tensors.
fn size(case: &Case) -> String {
    let tensors = case.descriptor.fields.iter().filter_map(|value| match value {
        Value::Tensor(Some(tensor)) => Some(dml_spec::path::dims_text(tensor.sizes())),
        _ => None,
    });
    tensors
        .collect::<Vec<_>>()
        .join(" to ")
        .replacen(" to ", " -> ", 1)
        .replace(" to ", ", ")
}

/// The name of something as one of a file: what a program calls itself, or the clause that it names, is no path.
pub(super) fn file_word(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ');
    let word: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    match word.trim_matches('.') {
        "" => "_".to_owned(),
        _ => word,
    }
}

/// A path as a word of a shell.
pub(super) fn spell(path: &Path) -> String {
    shell_words::quote(&path.display().to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::file_word;

    #[test]
    fn names_are_no_paths() {
        for (name, word) in [
            ("numpy 2.1", "numpy 2.1"),
            ("../x", ".._x"),
            ("/", "_"),
            ("..", "_"),
            ("a\\b:c", "a_b_c"),
        ] {
            assert_eq!(file_word(name), word);
        }
    }
}
