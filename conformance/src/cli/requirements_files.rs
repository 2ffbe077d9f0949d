//! Reads the files of feature levels' requirements, compares them with the plan, and writes errata.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context;

use super::{args::SpecArgs, atomic_write};
use dml_case::lock::Lock;
use dml_report::Terminal;
use dml_report::{
    date,
    requirements::{self, Erratum, Requirements},
};

/// Folder of the files, in that of the specification.
const FOLDER: &str = "requirements";

/// The files of the requirements, and their folder.
pub(super) struct RequirementFiles {
    folder: PathBuf,
    files: Vec<Requirements>,
}

/// Reads the requirements of all feature levels, from the folder of `--spec` or as compiled in.
pub(super) fn read_requirements(args: &SpecArgs) -> anyhow::Result<Vec<Requirements>> {
    let files = match &args.dir {
        Some(dir) => RequirementFiles::read(dir)?
            .map(|frozen| frozen.files)
            .unwrap_or_default(),
        None => {
            let embedded = dml_spec::embedded::REQUIREMENTS.iter();
            let parsed = embedded.map(|(name, bytes)| parse_file(&format!("spec/{FOLDER}/{name}"), name, bytes));
            parsed
                .collect::<anyhow::Result<Vec<_>>>()?
                .into_iter()
                .flatten()
                .collect()
        }
    };
    anyhow::ensure!(
        !files.is_empty(),
        "nothing is frozen: make the folder {FOLDER} in that of the specification, then `dml-cts spec lock`"
    );
    Ok(sort_by_level(files))
}

fn sort_by_level(mut files: Vec<Requirements>) -> Vec<Requirements> {
    files.sort_by_key(|file| file.level);
    files
}

/// A level's file; nothing if the name is none of a level.
fn parse_file(shown: &str, name: &str, bytes: &[u8]) -> anyhow::Result<Option<Requirements>> {
    let Some(level) = requirements::level_of(name) else {
        return Ok(None);
    };
    let read = Requirements::from_bytes(level, bytes);
    // What mends a broken corpus.lock does not mend this one.
    read.map(Some)
        .map_err(|error| anyhow::anyhow!("{shown}:{}: {}; restore it", error.line, error.why))
}

impl RequirementFiles {
    /// What is frozen in a folder of the specification; nothing if it has no folder for that.
    pub(super) fn read(spec: &Path) -> anyhow::Result<Option<Self>> {
        let folder = spec.join(FOLDER);
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.with_context(|| folder.display().to_string())?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if requirements::level_of(&name).is_some() {
                let shown = path.display().to_string();
                let bytes = fs::read(&path).with_context(|| shown.clone())?;
                files.extend(parse_file(&shown, &name, &bytes)?);
            }
        }
        let files = sort_by_level(files);
        Ok(Some(Self { folder, files }))
    }

    /// What the plan comes to for every level that is frozen or has tables, beside what is frozen.
    fn pair_levels(&self, plan: &Lock) -> Vec<(Option<&Requirements>, Requirements)> {
        let new = Requirements::of_plan(plan);
        let gone = self
            .files
            .iter()
            .filter(|file| new.iter().all(|other| other.level != file.level));
        let gone: Vec<Requirements> = gone
            .map(|file| Requirements {
                level: file.level,
                errata: Vec::new(),
                lock: Lock::default(),
            })
            .collect();
        let all = new.into_iter().chain(gone);
        all.map(|new| (self.files.iter().find(|file| file.level == new.level), new))
            .collect()
    }

    fn path(&self, file: &Requirements) -> PathBuf {
        self.folder.join(requirements::file_name(file.level))
    }

    /// Operators of which anything is frozen.
    fn operators(&self) -> BTreeSet<String> {
        let buckets = self.files.iter().flat_map(|file| &file.lock.buckets);
        buckets.map(|(key, _)| key.operator.clone()).collect()
    }

    /// Everything in which the plan differs from what is frozen, new operators as well, in words.
    pub(super) fn differences(&self, plan: &Lock) -> Vec<String> {
        let mut found = Vec::new();
        for (old, new) in self.pair_levels(plan) {
            let shown = self.path(&new).display().to_string();
            match old {
                None => found.push(format!("{shown}: not there yet")),
                Some(old) => found.extend(
                    old.lock
                        .changes(&new.lock)
                        .iter()
                        .map(|change| format!("{shown}: {change}")),
                ),
            }
        }
        found
    }

    /// What the plan changes of what is frozen, in words: operators that are new change nothing.
    pub(super) fn breaches(&self, plan: &Lock) -> Vec<String> {
        let known = self.operators();
        let mut found = Vec::new();
        for (old, new) in self.pair_levels(plan) {
            let shown = self.path(&new).display().to_string();
            let nothing = Requirements {
                level: new.level,
                errata: Vec::new(),
                lock: Lock::default(),
            };
            let changes = old.unwrap_or(&nothing).changes(&new, &known);
            found.extend(changes.iter().map(|change| format!("{shown}: {change}")));
        }
        found
    }

    /// Writes what the plan comes to; files in which anything frozen changes get the erratum.
    pub(super) fn write(&self, plan: &Lock, link: Option<&str>, terminal: &mut Terminal) -> anyhow::Result<()> {
        let known = self.operators();
        for (old, mut new) in self.pair_levels(plan) {
            let is_breach = old.is_some_and(|old| !old.changes(&new, &known).is_empty());
            new.errata = old.map(|old| old.errata.clone()).unwrap_or_default();
            if let Some(link) = link.filter(|_| is_breach) {
                new.errata.push(Erratum {
                    date: date::today(),
                    link: link.to_owned(),
                });
            }
            if old == Some(&new) {
                continue;
            }
            let path = self.path(&new);
            atomic_write::write_file(&path, &new.to_text())?;
            terminal.line(format!("{}: {}", path.display(), requirements::spelled(&new)));
        }
        Ok(())
    }
}

/// A link that fits on a line.
pub(super) fn parse_link(text: &str) -> Result<String, String> {
    let text = text.trim();
    match text.is_empty() || text.chars().any(char::is_control) {
        true => Err("expected a link to the reason, such as the address of an issue".to_owned()),
        false => Ok(text.to_owned()),
    }
}
