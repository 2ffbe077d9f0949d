//! `report render`: a page, a summary or a test report of stored runs.

use std::{
    cell::RefCell,
    ffi::OsStr,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use dml_spec_yaml::load;

use crate::cli::{
    args::SpecArgs,
    atomic_write,
    exit::INCOMPLETE,
    source::{self, Loaded},
    stored::{
        damaged,
        diff::{Baselines, runs},
    },
};
use crate::rebuilt_cases::RebuiltCases;
use dml_case::record::Record;
use dml_report::results::Header;
use dml_report::{
    Terminal,
    render::{self as documents, Before},
};

/// Arguments of `report render`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Stored runs, shown side by side
    #[arg(value_name = "RUN.jsonl", required = true)]
    runs: Vec<PathBuf>,
    /// Output file; the extension selects the format: .html, .md or .xml (JUnit)
    #[arg(short, long, value_name = "FILE", value_parser = document)]
    out: PathBuf,
    /// Show failures that are new compared with this run first; the file needs a run of every backend
    #[arg(long, value_name = "RUN.jsonl")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// A file whose extension names a form.
fn document(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    form(&path).map(|_| path.clone()).map_err(|e| e.to_string())
}

/// The form that a file's extension names.
fn form(path: &Path) -> anyhow::Result<documents::Form> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let form = documents::Form::of(extension);
    form.with_context(|| "unknown format of the file; expected .html, .md and .xml (JUnit)".to_owned())
}

/// Renders; the exit code.
pub(crate) fn render(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    atomic_write::require_other_file(&args.out, args.runs.iter().chain(&args.baseline))?;
    let loaded = source::load(&args.spec, terminal)?;
    let mut baselines = args.baseline.as_deref().map(Baselines::read).transpose()?;
    let mut damage: Vec<String> = baselines.iter_mut().flat_map(Baselines::take_damage).collect();
    let out = std::slice::from_ref(&args.out);
    let mut strangers = Vec::new();
    damage.extend(match baselines {
        None => write(&loaded, &args.runs, out, &())?,
        Some(baselines) => {
            let runs = args.runs.iter().map(|path| runs(path)).sum::<anyhow::Result<usize>>()?;
            let is_only = runs == 1;
            let known = Known {
                baselines,
                is_only,
                strangers: RefCell::default(),
            };
            let damage = write(&loaded, &args.runs, out, &known)?;
            strangers = known.strangers.into_inner();
            damage
        }
    });
    terminal.note(format_args!("{} written", args.out.display()));
    for label in &strangers {
        terminal.warn(format!(
            "no run labelled {label} in the baseline, so none of its failures count as new"
        ));
    }
    Ok(match damaged(&damage, terminal) {
        0 if !strangers.is_empty() => INCOMPLETE,
        code => code,
    })
}

/// Runs that documents are compared with.
struct Known {
    baselines: Baselines,
    /// One run is rendered.
    is_only: bool,
    /// Labels of the runs that have none to be compared with.
    strangers: RefCell<Vec<String>>,
}

impl Before for Known {
    fn knows(&self, header: &Header) -> bool {
        let is_known = self.baselines.of(header, self.is_only).is_some();
        if !is_known {
            self.strangers.borrow_mut().push(header.backend.label.clone());
        }
        is_known
    }

    fn is_news(&self, header: &Header, case: &Record) -> bool {
        let known = self.baselines.of(header, self.is_only);
        known.is_some_and(|known| known.is_news(case))
    }
}

/// Writes documents of these runs; what is wrong with runs that can be read all the same. Nothing is written if one
/// cannot be read, and no document in part.
pub(crate) fn write(
    loaded: &Loaded,
    runs: &[PathBuf],
    files: &[PathBuf],
    before: &dyn Before,
) -> anyhow::Result<Vec<String>> {
    let stored = documents::read(&loaded.suite, runs, before)?;
    let digest = load::digest(&loaded.texts.files);
    for path in files {
        let name = || path.display().to_string();
        let mut out = BufWriter::new(atomic_write::Draft::new(path).with_context(name)?);
        documents::render(
            form(path)?,
            &loaded.suite,
            &RebuiltCases(&loaded.suite),
            &digest,
            &stored,
            runs,
            &mut out,
        )
        .with_context(name)?;
        out.flush().with_context(name)?;
        let draft = out.into_inner().map_err(|e| e.into_error()).with_context(name)?;
        draft.finish().with_context(name)?;
    }
    Ok(stored.into_iter().flat_map(|run| run.damage).collect())
}
