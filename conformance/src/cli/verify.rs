//! `spec verify`: the specification held against the libraries it describes.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use super::{
    INCOMPLETE,
    args::{SpecArgs, TierArg, directml_device, file, is_named},
    record,
    source::{self, Loaded},
};
use crate::verify::{self, Answered, Questions, Verified};
use dml_case::{clause, nearest::suggestion, query::Query};
use dml_report::{Progress, Terminal};

use super::verified::show_verified;
use dml_run::{
    backends::{self, Choice, Watch},
    directml,
};

/// Arguments of `spec verify`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only this clause, or only the cases of a query
    #[arg(value_name = "CLAUSE|QUERY")]
    what: Option<String>,
    /// Backend to ask: `directml`
    #[arg(long, value_name = "NAME", value_parser = [backends::WITH_LIBRARY])]
    backend: String,
    /// Library to ask (repeatable); default: all that `fetch directml` downloaded for this system
    #[arg(long = "directml-lib", value_name = "FILE", env = "DML_CTS_DIRECTML_LIB", value_parser = file())]
    libraries: Vec<PathBuf>,
    /// Device that the libraries see
    #[arg(long = "directml-device", value_name = "DEVICE", value_parser = directml_device, default_value = "null")]
    device: String,
    /// Also ask about the descriptors of value cases up to this tier; all those of tables and constraints are asked
    #[arg(long, value_enum, default_value_t = TierArg::Smoke)]
    tier: TierArg,
    /// Write what the libraries did on disputed and observed clauses into the specification
    #[arg(long)]
    record: bool,
    #[command(flatten)]
    spec: SpecArgs,
}

/// Exit code where a normative clause disagrees.
const DISAGREES: u8 = 1;

/// Verifies; the exit code.
pub(super) fn verify(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    backends::require_compiled(&args.backend)?;
    let loaded = source::load(&args.spec, terminal)?;
    let scope = Scope::of(args.what.as_deref(), &loaded)?;
    let libraries = libraries(args);
    if libraries.is_empty() {
        terminal.error("no DirectML library found; download one with `dml-cts fetch directml`");
        return Ok(INCOMPLETE);
    }
    let (mut disagrees, mut missing, mut nothing) = (false, false, true);
    let operators = loaded.suite.catalog.operators.iter().enumerate();
    for (index, operator) in operators.filter(|(_, operator)| scope.has_operator(&operator.name)) {
        let mut questions = verify::questions(&loaded.suite, index, args.tier.tier());
        let whole = questions.all.len();
        questions.all.retain(|question| scope.has_case(&question.id));
        if questions.all.is_empty() {
            continue;
        }
        nothing = false;
        let mut answered = Vec::new();
        for (name, path) in &libraries {
            match ask(args, &loaded, &questions, name, path, terminal)? {
                Some(library) => answered.push(library),
                None => missing = true,
            }
        }
        if answered.is_empty() {
            continue;
        }
        answered.sort_by_key(|library| library.level);
        let mut verified = Verified::new(&loaded.suite, operator, &questions, &answered);
        if let Scope::Clause(id) = &scope {
            verified.retain_clause(id);
        }
        let is_whole = whole == questions.all.len() && !matches!(scope, Scope::Clause(_));
        show_verified(terminal, operator, &answered, &verified, is_whole);
        disagrees |= verified.disagrees();
        if args.record {
            record::record(&args.spec, &loaded.suite, operator, &verified.rows, &answered, terminal)?;
        }
    }
    if nothing {
        let what = args.what.as_deref().unwrap_or_default();
        anyhow::bail!("no descriptor that can be asked about matches `{what}`; `dml-cts list` shows what there is");
    }
    Ok(match (disagrees, missing) {
        (true, _) => DISAGREES,
        (false, true) => INCOMPLETE,
        (false, false) => 0,
    })
}

/// The libraries to ask, with their names.
fn libraries(args: &Args) -> Vec<(String, PathBuf)> {
    let named: Vec<&PathBuf> = args.libraries.iter().filter(|path| is_named(path)).collect();
    if named.is_empty() {
        let fetched = directml::fetched(std::env::consts::OS);
        return fetched
            .into_iter()
            .map(|(release, path)| (release.release.to_owned(), path))
            .collect();
    }
    let name = |path: &PathBuf| {
        let release = directml::release(path);
        release.map_or_else(|| path.display().to_string(), |release| release.release.to_owned())
    };
    named.into_iter().map(|path| (name(path), path.clone())).collect()
}

/// Asks one library, in a process of its own; `None` where that cannot be done.
fn ask(
    args: &Args,
    loaded: &Loaded,
    questions: &Questions,
    name: &str,
    path: &std::path::Path,
    terminal: &mut Terminal,
) -> anyhow::Result<Option<Answered>> {
    let choice = Choice {
        library: Some(path.to_owned()),
        device: Some(args.device.clone()),
        ..Choice::default()
    };
    let watch = Watch::new(Arc::new(loaded.suite.catalog.clone()));
    let backend = backends::isolated(&args.backend, &choice, args.spec.dir.as_deref(), &watch)?;
    let mut session = match backend.open() {
        Ok(session) => session,
        Err(why) => {
            terminal.error(format!("{name}: {why}"));
            return Ok(None);
        }
    };
    let level = backend.info().feature_level;
    let wanted: BTreeSet<usize> = questions.all.iter().map(|question| question.number).collect();
    let progress = Progress::new(terminal, name);
    let total = questions.descriptors.len();
    let asked = verify::ask(questions, level, &mut *session, &|n| wanted.contains(&n), &mut |done| {
        progress.set(done, total, String::new());
    });
    drop(progress);
    match asked {
        Ok(replies) => Ok(Some(Answered {
            name: name.to_owned(),
            level,
            replies,
        })),
        Err(why) => {
            terminal.error(format!("{name}: {why}"));
            Ok(None)
        }
    }
}

/// What was asked for.
enum Scope {
    All,
    Clause(String),
    Cases(Query),
}

impl Scope {
    fn of(what: Option<&str>, loaded: &Loaded) -> anyhow::Result<Self> {
        let Some(what) = what else { return Ok(Self::All) };
        if let Some(retired) = clause::retirement(&loaded.suite, what) {
            anyhow::bail!("{what} is {retired}");
        }
        if clause::find(&loaded.suite, what).is_some() {
            return Ok(Self::Clause(what.to_owned()));
        }
        if what.contains('/') {
            let near = clause::exists(&loaded.suite, what).err().unwrap_or_default();
            anyhow::bail!("unknown clause `{what}`; nearest: {}", near.join(", "));
        }
        let query: Query = what.parse()?;
        let names = || {
            loaded
                .suite
                .catalog
                .operators
                .iter()
                .map(|operator| operator.name.as_ref())
        };
        if !what.contains([':', '*']) && !names().any(|name| name == what) {
            anyhow::bail!("unknown operator `{what}`; {}", suggestion(what, names()));
        }
        Ok(Self::Cases(query))
    }

    fn has_operator(&self, name: &str) -> bool {
        match self {
            Self::Clause(id) => id.starts_with("TENSOR/") || id.starts_with(&format!("{name}/")),
            Self::All | Self::Cases(_) => true,
        }
    }

    fn has_case(&self, id: &dml_case::id::CaseId) -> bool {
        match self {
            Self::Cases(query) => query.matches(id),
            Self::All | Self::Clause(_) => true,
        }
    }
}
