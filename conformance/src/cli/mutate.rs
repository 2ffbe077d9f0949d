//! `spec mutate`: whether the suite sees that the specification was changed.

use std::{collections::BTreeMap, time::Instant};

use serde_json::json;

use super::{
    args::{Format, SpecArgs, TierArg, require_operators},
    source,
};
use dml_adequacy::mutate::{
    self, Fate, Places, TENSOR, Tried,
    explained::{Explained, Stale},
};
use dml_case::text::{WIDTH, grouped, wrapped};
use dml_report::{Progress, Style, Terminal};

/// Exit code where a change goes unseen that is not explained, or an explanation is out of date.
const UNSEEN: u8 = 1;
/// Columns of a clause.
const CLAUSE: usize = 48;
/// Columns of a count.
const COUNT: usize = 9;

/// Arguments of `spec mutate`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Operators, or TENSOR for the clauses of all tensors; everything where none is named
    #[arg(value_name = "OPERATOR")]
    operators: Vec<String>,
    /// Which cases have to see the changes
    #[arg(long, value_enum, default_value_t)]
    tier: TierArg,
    /// Form
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    spec: SpecArgs,
}

/// What there is to tell.
struct Told<'a> {
    tried: &'a [Tried],
    explained: &'a Explained,
    stale: &'a [Stale],
    places: Places<'a>,
    catalog: &'a dml_spec::Catalog,
}

/// How many mutants became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Score {
    mutants: usize,
    run: usize,
    lock: usize,
    explained: usize,
    survived: usize,
}

/// Runs the subcommand; the exit code.
pub(super) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let started = Instant::now();
    let texts = source::read_texts(&args.spec)?;
    let catalog = source::compile(&texts.files, terminal)?.core.catalog;
    let all: Vec<String> = catalog.operators.iter().map(|o| o.name.to_string()).collect();
    let all: Vec<String> = all.into_iter().chain([TENSOR.to_owned()]).collect();
    require_operators(&args.operators, &all)?;
    let is_named = |name: &String| args.operators.is_empty() || args.operators.contains(name);
    let owners: Vec<String> = all.into_iter().filter(is_named).collect();
    let (path, text) = texts.mutations();
    let explained = Explained::read(path, text).map_err(|found| source::wrong(path, text, &found, terminal))?;
    let bar = Progress::new(terminal, "mutants");
    let tried = mutate::run(&catalog, &owners, args.tier.tier(), &|done, total| {
        bar.set(done, total, String::new())
    });
    drop(bar);
    let tried = tried.map_err(|errors| anyhow::anyhow!("{}", errors.join("\n")))?;
    let message = Told {
        stale: &explained.stale(&owners, &tried),
        tried: &tried,
        explained: &explained,
        places: Places::new(&texts.files),
        catalog: &catalog,
    };
    match args.format {
        Format::Human => message.human(terminal, started),
        Format::Json => terminal.line(message.json(args.tier.word())?),
    }
    let is_clean = message.survivors().all(|tried| explained.of(tried).is_some()) && message.stale.is_empty();
    Ok(if is_clean { 0 } else { UNSEEN })
}

impl Score {
    fn add(&mut self, tried: &Tried, explained: &Explained) {
        self.mutants += 1;
        match tried.fate {
            Fate::Run(_) => self.run += 1,
            Fate::Lock(_) => self.lock += 1,
            Fate::Survived if explained.of(tried).is_some() => self.explained += 1,
            Fate::Survived => self.survived += 1,
        }
    }

    fn columns(self) -> String {
        let counts = [self.run, self.lock, self.explained, self.survived];
        let counts: String = counts.iter().map(|n| format!("{:>COUNT$}", shown(*n))).collect();
        format!(
            "{:>COUNT$}{counts}",
            format!("{}/{}", self.run + self.lock, self.mutants)
        )
    }
}

/// A count; a dot for none, so that what there is stands out.
fn shown(count: usize) -> String {
    match count {
        0 => "·".to_owned(),
        n => grouped(n as u64),
    }
}

impl Told<'_> {
    fn survivors(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(|tried| tried.fate == Fate::Survived)
    }

    /// Scores of the rows of an owner, in the order of the mutants, and of all of them.
    fn scores(&self, owner: &str) -> (Vec<(&str, Score)>, Score) {
        let (mut rows, mut total): (Vec<(&str, Score)>, _) = (Vec::new(), Score::default());
        for tried in self.tried.iter().filter(|tried| tried.owner == owner) {
            total.add(tried, self.explained);
            let row = tried.mutant.row.as_str();
            let at = rows.iter().position(|(name, _)| *name == row);
            let at = at.unwrap_or_else(|| {
                rows.push((row, Score::default()));
                rows.len() - 1
            });
            rows[at].1.add(tried, self.explained);
        }
        (rows, total)
    }

    fn owners(&self) -> Vec<&str> {
        let mut owners: Vec<&str> = self.tried.iter().map(|tried| tried.owner.as_str()).collect();
        owners.dedup();
        owners
    }

    fn human(&self, terminal: &mut Terminal, started: Instant) {
        let names = ["killed", "by run", "by lock", "explained", "survived"];
        let head: String = names.iter().map(|name| format!("{name:>COUNT$}")).collect();
        let mut all = Score::default();
        let mut totals: BTreeMap<&str, Score> = BTreeMap::new();
        for owner in self.owners() {
            let (rows, total) = self.scores(owner);
            terminal.line(terminal.paint(Style::Strong, format!("{owner:<CLAUSE$}{head}")));
            for (row, score) in rows {
                let name = row.split_once('/').map_or(row, |(_, name)| name);
                line(terminal, &format!("  {name}"), score);
            }
            totals.insert(owner, total);
        }
        if totals.len() > 1 {
            terminal.line(terminal.paint(Style::Strong, format!("{:<CLAUSE$}{head}", "in all")));
        }
        for (owner, total) in &totals {
            line(terminal, &format!("  {owner}"), *total);
            for (sum, n) in [
                (&mut all.mutants, total.mutants),
                (&mut all.run, total.run),
                (&mut all.lock, total.lock),
                (&mut all.explained, total.explained),
                (&mut all.survived, total.survived),
            ] {
                *sum += n;
            }
        }
        self.human_survivors(terminal);
        self.human_stale(terminal);
        let killed = all.run + all.lock;
        let message = format!(
            "{} of {} changes are seen ({} by a run, {} by the lock alone), {} go unseen for a reason, {} for none, in \
             {:.0} s",
            grouped(killed as u64),
            grouped(all.mutants as u64),
            grouped(all.run as u64),
            grouped(all.lock as u64),
            all.explained,
            all.survived,
            started.elapsed().as_secs_f64()
        );
        terminal.labelled("", &message);
        if all.survived > 0 {
            let advice = "for each survivor: add a sweep or a family that tells the two apart, or say in mutations.yaml \
                          why nothing can";
            for line in wrapped(advice.split(' '), " ", WIDTH) {
                terminal.note(line);
            }
        }
    }

    fn human_survivors(&self, terminal: &mut Terminal) {
        let (known, open): (Vec<&Tried>, Vec<&Tried>) =
            self.survivors().partition(|tried| self.explained.of(tried).is_some());
        for (title, list) in [("survived, as explained", known), ("survived", open)] {
            if !list.is_empty() {
                terminal.line(terminal.paint(Style::Strong, title));
            }
            for tried in list {
                terminal.line(format!("  {}", self.place(tried)));
                let changed = format!("{}: {}", tried.mutant.clause, tried.mutant.change);
                let why = self.why(tried);
                terminal.labelled("    ", &changed);
                terminal.labelled("    ", &why);
            }
        }
    }

    fn human_stale(&self, terminal: &mut Terminal) {
        for stale in self.stale {
            let why = match stale.is_seen {
                true => "the change is seen by now",
                false => "there is no such change",
            };
            terminal.error(format_args!(
                "{}: {}: `{}` explains nothing: {why}; take it out",
                stale.place, stale.clause, stale.change
            ));
        }
    }

    fn place(&self, tried: &Tried) -> String {
        let place = self.places.of(self.catalog, tried);
        place.map_or_else(|| tried.owner.clone(), |(file, line)| format!("{file}:{line}"))
    }

    /// Why a mutant survives: as explained, else what is known about its clause.
    fn why(&self, tried: &Tried) -> String {
        if let Some(because) = self.explained.of(tried) {
            return because.to_owned();
        }
        let (all, broken) = tried.descriptors;
        let (all, broken) = (grouped(all as u64), grouped(broken as u64));
        format!("none of {all} descriptors of the plan tells the two apart; {broken} of them rest on it")
    }

    fn json(&self, tier: &str) -> anyhow::Result<String> {
        let score = |score: Score| {
            json!({
                "mutants": score.mutants, "run": score.run, "lock": score.lock,
                "explained": score.explained, "survived": score.survived,
            })
        };
        let operators = self.owners().into_iter().map(|owner| {
            let (rows, total) = self.scores(owner);
            let clauses = rows
                .into_iter()
                .map(|(row, of)| json!({"clause": row, "score": score(of)}));
            json!({"operator": owner, "score": score(total), "clauses": clauses.collect::<Vec<_>>()})
        });
        let mutants = self.tried.iter().map(|tried| {
            let (fate, case) = match &tried.fate {
                Fate::Run(id) => ("run", Some(id.to_string())),
                Fate::Lock(id) => ("lock", Some(id.to_string())),
                Fate::Survived => ("survived", None),
            };
            let why = (tried.fate == Fate::Survived).then(|| self.why(tried));
            json!({
                "clause": tried.mutant.clause, "change": tried.mutant.change, "place": self.place(tried),
                "fate": fate, "case": case, "explained": self.explained.of(tried).is_some(), "why": why,
            })
        });
        let stale = self.stale.iter().map(|stale| {
            json!({"clause": stale.clause, "change": stale.change, "place": stale.place.to_string(), "seen": stale.is_seen})
        });
        let object = json!({
            "tier": tier,
            "operators": operators.collect::<Vec<_>>(),
            "mutants": mutants.collect::<Vec<_>>(),
            "stale": stale.collect::<Vec<_>>(),
        });
        Ok(serde_json::to_string_pretty(&object)?)
    }
}

fn line(terminal: &mut Terminal, name: &str, score: Score) {
    let columns = score.columns();
    let text = if name.chars().count() < CLAUSE {
        format!("{name:<CLAUSE$}{columns}")
    } else {
        terminal.line(name);
        format!("{:<CLAUSE$}{columns}", "")
    };
    let text = text.trim_end();
    match score.survived {
        0 => terminal.line(text),
        _ => terminal.line(terminal.paint(Style::Bad, text)),
    }
}
