//! `show`: one case or one clause in full, or an operator at a glance.

use std::{fs, ops::ControlFlow, path::PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use dml_spec_yaml::load;
use rayon::prelude::*;

use super::{
    args::{SpecArgs, TierArg},
    edit,
    source::{self, Loaded},
};
use dml_case::{case::FamilyCounts, clause, id::CaseId, nearest::nearest, query::Query};
use dml_judge::relation::Relation;
use dml_plan::{Bucket, planner::Planner};
use dml_report::{Terminal, TestCounts};
use dml_run::{
    engine::Selection,
    export,
    saved::{self, From, Saved, What},
};

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of a case or a clause, or name of an operator; with --export also a saved case
    #[arg(value_name = "ID|CLAUSE|OPERATOR")]
    id: String,
    /// Tier in which the cases of a clause or an operator are counted
    #[arg(long, value_enum, default_value_t)]
    tier: TierArg,
    /// Also print the sentence that the clause cites, from your copy of the reference's pages
    #[arg(long, value_name = "DIR", conflicts_with = "export")]
    pages: Option<PathBuf>,
    /// Write the case (an id or a saved case) in a format that other tools run
    #[arg(long, value_name = "FORM", value_enum)]
    export: Option<FormArg>,
    /// Output file; default: standard output
    #[arg(short, long, value_name = "FILE", requires = "export")]
    output: Option<PathBuf>,
    #[command(flatten)]
    spec: SpecArgs,
}

/// What a case can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormArg {
    /// A saved case, which `repro` runs
    Json,
    /// Arrays that NumPy reads
    Npz,
    /// A model of Microsoft's DxDispatch
    Dxdispatch,
}

impl FormArg {
    fn format(self) -> export::Format {
        match self {
            Self::Json => export::Format::Json,
            Self::Npz => export::Format::Npz,
            Self::Dxdispatch => export::Format::DxDispatch,
        }
    }
}

/// Prints it; the exit code.
pub(super) fn show(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    let suite = &loaded.suite;
    if let Some(form) = args.export {
        return export(args, form.format(), &loaded, terminal);
    }
    if let Some(found) = clause::find(suite, &args.id) {
        let counts = count(suite, &args.id, args.tier);
        dml_report::show_clause(terminal, suite, &args.id, &found, args.tier.word(), &counts);
        if let Some(folder) = &args.pages {
            let citation = clause::citation(suite, &found);
            edit::find::show_sentence(&suite.catalog, &args.id, citation, folder, terminal)?;
        }
        return Ok(0);
    }
    anyhow::ensure!(
        args.pages.is_none(),
        "--pages is for clauses and cells; `{}` is neither",
        args.id
    );
    let operators = &suite.catalog.operators;
    if let Some(operator) = operators.iter().find(|o| args.id == format!("{}/introduced", o.name)) {
        terminal.line(&args.id);
        let (name, level) = (&operator.name, operator.introduced);
        terminal.line(format!("  {name} exists from feature level {level} on"));
        return Ok(0);
    }
    if let Some(index) = operators.iter().position(|o| o.name == args.id) {
        let counts = by_family(suite, index, args.tier);
        dml_report::show_operator(
            terminal,
            &operators[index],
            operators[index].is_computed(),
            args.tier.word(),
            &counts,
        );
        return Ok(0);
    }
    if !args.id.contains(':') {
        let names = operators.iter().map(|o| o.name.as_ref());
        let mut near: Vec<String> = nearest(&args.id, names, 1).into_iter().map(str::to_owned).collect();
        near.extend(clause::exists(suite, &args.id).err().unwrap_or_default());
        let near = match near.is_empty() {
            true => {
                let all: Vec<&str> = operators.iter().map(|o| o.name.as_ref()).collect();
                format!("operators: {}", all.join(", "))
            }
            false => near.iter().fold("nearest:".to_owned(), |all, id| all + "\n  " + id),
        };
        anyhow::bail!(
            "unknown clause or operator `{}`, and a case id has four parts; {near}",
            args.id
        );
    }
    let id: CaseId = args.id.parse()?;
    match dml_plan::build(suite, &id) {
        Ok(case) => super::case::show_case(terminal, suite, &case, &format!("dml-cts run '{}'", case.id)),
        Err(error) => {
            // A search for what was meant says more than the first part that does not fit.
            let queries = args.id.parse::<Query>().into_iter().collect();
            Selection {
                queries,
                ..Selection::default()
            }
            .resolve(suite)?;
            anyhow::bail!("{error}; `dml-cts list '{}'` shows what it matches", args.id);
        }
    }
    Ok(0)
}

/// Writes a case in another form; the exit code.
fn export(args: &Args, format: export::Format, loaded: &Loaded, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let suite = &loaded.suite;
    let saved = match args.id.parse::<CaseId>() {
        Ok(id) => Saved {
            what: What::Case(Box::new(dml_plan::build(suite, &id)?)),
            from: From {
                id: args.id.clone(),
                suite: env!("CARGO_PKG_VERSION").to_owned(),
                spec_digest: load::digest(&loaded.texts.files),
            },
            found: None,
        },
        Err(error) => match fs::read(&args.id) {
            Ok(bytes) => saved::read(suite, &bytes).map_err(|wrong| anyhow::anyhow!(wrong.in_file(&args.id)))?,
            Err(_) => anyhow::bail!("{error}; nor is it a saved case"),
        },
    };
    let What::Case(case) = &saved.what else {
        anyhow::bail!("{}: a saved sequence of cases cannot be exported", args.id);
    };
    let bytes = export::export(suite, case, saved.clone(), format);
    let bytes = bytes.map_err(|why| anyhow::anyhow!("{}: {why}", args.id))?;
    match &args.output {
        Some(path) => fs::write(path, bytes).with_context(|| path.display().to_string())?,
        None if format.is_binary() && terminal.is_shown() => {
            anyhow::bail!("this format is binary; name a file with --output FILE")
        }
        None => terminal.bytes(&bytes),
    }
    Ok(0)
}

/// Cases that test a clause, by level.
fn count(suite: &Planner, id: &str, tier: TierArg) -> TestCounts {
    // No case tests it, which nothing needs to be planned for.
    if clause::retirement(suite, id).is_some() {
        return TestCounts::new();
    }
    let operators = suite.catalog.operators.par_iter().enumerate();
    let owning = operators.filter(|(_, operator)| clause::is_about(id, &operator.name));
    let buckets: Vec<Bucket> = owning
        .flat_map_iter(|(at, _)| dml_plan::buckets_of(suite, at, tier.tier()))
        .collect();
    let (found, mutants) = (clause::find(suite, id), dml_judge::MutantCache::default());
    let counted = buckets.par_iter().map(|bucket| {
        let (mut positive, mut negative) = (0, 0);
        let _ = dml_plan::for_each_case(suite, bucket, tier.tier(), dml_case::lock::DEFAULT_SEED, &mut |case| {
            match dml_judge::relation::relate_to(suite, &mutants, &case, (id, found.as_ref())) {
                Some(Relation::Positive) => positive += 1,
                Some(Relation::Negative) => negative += 1,
                None => {}
            }
            ControlFlow::Continue(())
        });
        (bucket.level, positive, negative)
    });
    let mut counts = TestCounts::new();
    for (level, positive, negative) in counted.collect::<Vec<(_, u64, u64)>>() {
        if positive + negative > 0 {
            let entry = counts.entry(level).or_default();
            entry.0 += positive;
            entry.1 += negative;
        }
    }
    counts
}

/// Cases of an operator's families, by level.
pub(super) fn by_family(suite: &Planner, operator: usize, tier: TierArg) -> FamilyCounts {
    let mut counts = FamilyCounts::new();
    for bucket in dml_plan::buckets_of(suite, operator, tier.tier()) {
        let cases = dml_plan::ids_of(suite, &bucket, tier.tier(), dml_case::lock::DEFAULT_SEED);
        *counts.entry((bucket.family, bucket.level)).or_default() += cases.len() as u64;
    }
    counts
}
