//! `spec mutants`: which mistakes the plan finds.

use std::{collections::BTreeMap, sync::Arc, time::Instant};

use serde_json::{Value, json};

use super::{
    args::{Format, SpecArgs, TierArg, require_operators},
    backend_args::BasisArg,
    source,
};
use dml_adequacy::{
    mutants::{self, Fate, Kind, MOST_KILLS, Plan, Tolerance, Tried, classes},
    rules::{self, Places, TENSOR},
};
use dml_case::text::grouped;
use dml_report::{Progress, Style, Terminal};
use dml_spec::model::Catalog;
use dml_spec_yaml::load::{Files, locate_meaning};

/// Columns of a name.
const NAME: usize = 24;
/// Most rules of an operator that are listed because no case finds a mistake in them.
const ALIVE: usize = 12;
/// Why a mistake passes that a release makes.
const RELEASE: &str = "a release of DirectML computes the same";
/// Columns of a count whose name is long.
const WIDE: usize = 11;
/// Columns of a count.
const COUNT: usize = 8;

/// Arguments of `spec mutants`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Operators; all if none is named
    #[arg(value_name = "OPERATOR")]
    operators: Vec<String>,
    /// Which cases have to find the mistakes
    #[arg(long, value_enum, default_value_t)]
    tier: TierArg,
    /// Which expectation counts if the text is silent or contradicts the runtimes
    #[arg(long, value_enum, default_value_t)]
    basis: BasisArg,
    /// Only mistakes that no legal case can show, by a reason of the specification: whether a case shows one
    #[arg(long)]
    reasons: bool,
    /// Form
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    spec: SpecArgs,
}

/// The mutants of an operator.
struct Operator {
    name: String,
    tried: Vec<Tried>,
}

/// Runs the subcommand; the exit code: 1 if a case shows what no legal case can, by the specification.
pub(super) fn run(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let started = Instant::now();
    let texts = source::read_texts(&args.spec)?;
    let suite = Arc::new(texts.suite(terminal)?);
    let all: Vec<String> = suite.catalog.operators.iter().map(|of| of.name.to_string()).collect();
    require_operators(&args.operators, &all)?;
    let (mut found, mut meaningless) = (Vec::new(), Vec::new());
    let mut of_tensors = match args.reasons {
        true => Vec::new(),
        false => rules::tensor_mutants(&suite.catalog),
    };
    let mut of_rules = Vec::new();
    for (at, name) in all.into_iter().enumerate() {
        if !args.operators.is_empty() && !args.operators.contains(&name) {
            continue;
        }
        let bar = Progress::new(terminal, "cases");
        let plan = Plan {
            tier: args.tier.tier(),
            basis: args.basis.basis(),
        };
        let progress = |done| bar.set(done, done, name.clone());
        if args.reasons {
            let tried = mutants::run_excused(&suite, at, plan, &progress);
            if !tried.is_empty() {
                found.push(Operator { name, tried });
            }
            continue;
        }
        let tried = mutants::run(&suite, at, plan, &progress);
        drop(bar);
        let tried_rules = rules::run(&suite, at, args.tier.tier(), of_tensors);
        let is_own = |tried: &rules::Tried| tried.owner != TENSOR;
        let (own, rest): (Vec<_>, Vec<_>) = tried_rules.into_iter().partition(is_own);
        (of_tensors, of_rules) = (rest, [of_rules, own].concat());
        if tried.is_empty() {
            meaningless.push(name);
        } else {
            found.push(Operator { name, tried });
        }
    }
    match &meaningless[..] {
        [] => {}
        [name] => terminal.note(format_args!("{name} has no meaning, and no mutants of one")),
        all => terminal.note(format_args!(
            "{} operators have no meaning, and no mutants of one",
            all.len()
        )),
    }
    // What all tensors obey is no single operator's to show.
    if args.operators.is_empty() {
        of_rules.extend(of_tensors);
    }
    let rules = Rules {
        catalog: &suite.catalog,
        places: Places::new(&texts.files),
        tried: of_rules,
    };
    match args.format {
        Format::Human => {
            human(&found, &texts.files, terminal);
            if !args.reasons {
                rules.human(terminal);
            }
            terminal.line(format!("{:.0} s", started.elapsed().as_secs_f64()));
        }
        Format::Json => terminal.line(serde_json::to_string_pretty(&json(
            &found,
            &rules,
            &texts.files,
            args.tier.word(),
        ))?),
    }
    let is_refuted = found.iter().flat_map(|of| &of.tried).any(Tried::is_refuted);
    Ok(u8::from(is_refuted))
}

/// The mutants of rules.
struct Rules<'a> {
    catalog: &'a Catalog,
    places: Places<'a>,
    tried: Vec<rules::Tried>,
}

impl Rules<'_> {
    /// Those that no case shows, and a table of how many are shown by many cases, by few and by none.
    fn human(&self, terminal: &mut Terminal) {
        let mut owners: Vec<&str> = self.tried.iter().map(|tried| tried.owner.as_str()).collect();
        owners.dedup();
        for owner in &owners {
            let is_alive =
                |tried: &&rules::Tried| tried.owner == *owner && tried.kills.is_empty() && !tried.is_implied();
            let alive: Vec<&rules::Tried> = self.tried.iter().filter(is_alive).collect();
            for tried in alive.iter().take(ALIVE) {
                let mutant = &tried.mutant;
                let text = format!("{}{}: {}", self.place(tried), mutant.clause, mutant.change);
                terminal.labelled("  alive ", &text);
            }
            if alive.len() > ALIVE {
                let more = alive.len() - ALIVE;
                terminal.line(format!("  … and {more} more of {owner}; --format json lists all"));
            }
        }
        let often = format!("by {MOST_KILLS}");
        let head = ["mutants", &*often, "fewer", "implied", "alive"].map(|name| format!("{name:>COUNT$}"));
        terminal.line(terminal.paint(Style::Strong, format!("{:<NAME$}{}", "rules of", head.concat())));
        for owner in owners {
            let kills = self.tried.iter().filter(|tried| tried.owner == owner);
            let all: Vec<&rules::Tried> = kills.collect();
            let count = |test: &dyn Fn(&rules::Tried) -> bool| all.iter().filter(|tried| test(tried)).count();
            let counts = [
                all.len(),
                count(&|tried| tried.kills.len() >= MOST_KILLS),
                count(&|tried| (1..MOST_KILLS).contains(&tried.kills.len())),
                count(&rules::Tried::is_implied),
                count(&|tried| tried.kills.is_empty() && !tried.is_implied()),
            ];
            let counts = counts.map(|n| format!("{:>COUNT$}", shown(n)));
            terminal.line(format!("{owner:<NAME$}{}", counts.concat()));
        }
    }

    /// `spec/operators/top_k1.yaml:41: `, or nothing.
    fn place(&self, tried: &rules::Tried) -> String {
        let place = self.places.of(self.catalog, tried);
        place.map_or_else(String::new, |(file, line)| format!("{file}:{line}: "))
    }

    fn json(&self) -> Vec<Value> {
        let all = self.tried.iter().map(|tried| {
            json!({
                "operator": tried.owner, "clause": tried.mutant.clause, "change": tried.mutant.change,
                "place": self.places.of(self.catalog, tried).map(|(file, line)| format!("{file}:{line}")),
                "implied_by": tried.implied_by,
                "cases": tried.kills.iter().map(ToString::to_string).collect::<Vec<_>>(),
            })
        });
        all.collect()
    }
}

/// How many mutants, and classes of them, became what.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    mutants: usize,
    classes: usize,
    /// Of the classes that are killed, those by many cases.
    often: usize,
    /// Classes by fate.
    fates: [usize; Fate::ALL.len()],
}

impl Score {
    /// The columns of the table.
    fn head() -> String {
        let often = format!("by {MOST_KILLS}");
        let names = ["mutants", "classes", &*often, "fewer"];
        let fates = Fate::ALL.iter().skip(1).map(|fate| fate.word());
        let mut names = names.into_iter().chain(fates);
        let first: String = names.by_ref().take(4).map(|name| format!("{name:>COUNT$}")).collect();
        let rest: String = names.map(|name| format!("{name:>WIDE$}")).collect();
        first + &rest
    }

    fn of<'a>(tried: impl Iterator<Item = &'a Tried>) -> Self {
        let mut score = Self::default();
        for ((_, fate), all) in classes(tried) {
            score.mutants += all.len();
            score.classes += 1;
            score.often += usize::from(all.iter().any(|tried| tried.kills.len() >= MOST_KILLS));
            if let Some(count) = score.fates.get_mut(fate as usize) {
                *count += 1;
            }
        }
        score
    }

    fn killed(self) -> usize {
        self.fates[Fate::Killed as usize]
    }

    fn columns(self) -> String {
        let first = [self.mutants, self.classes, self.often, self.killed() - self.often];
        let first: String = first.iter().map(|n| format!("{:>COUNT$}", shown(*n))).collect();
        let rest = self.fates.iter().skip(1).map(|n| format!("{:>WIDE$}", shown(*n)));
        first + &rest.collect::<String>()
    }

    fn json(self) -> Value {
        let mut all = json!({"mutants": self.mutants, "classes": self.classes, "often": self.often});
        for (fate, count) in Fate::ALL.iter().zip(self.fates) {
            all[fate.word()] = count.into();
        }
        all
    }
}

/// A count; a dot for none, so that what there is stands out.
fn shown(count: usize) -> String {
    match count {
        0 => "·".to_owned(),
        n => grouped(n as u64),
    }
}

fn human(found: &[Operator], files: &Files, terminal: &mut Terminal) {
    let head = Score::head();
    for operator in found {
        survivors(operator, files, terminal);
    }
    terminal.line(terminal.paint(Style::Strong, format!("{:<NAME$}{head}", "operator")));
    for operator in found {
        let score = Score::of(operator.tried.iter());
        terminal.line(format!("{:<NAME$}{}", operator.name, score.columns()));
    }
    let mut kinds: BTreeMap<Kind, Vec<Score>> = BTreeMap::new();
    for operator in found {
        for kind in Kind::ALL {
            let score = Score::of(operator.tried.iter().filter(|tried| tried.mutant.kind == kind));
            kinds.entry(kind).or_default().push(score);
        }
    }
    terminal.line(terminal.paint(Style::Strong, format!("{:<NAME$}{head}", "kind")));
    for (kind, scores) in &kinds {
        terminal.line(format!("{:<NAME$}{}", kind.word(), sum(scores).columns()));
    }
    let all: Vec<Score> = found.iter().map(|operator| Score::of(operator.tried.iter())).collect();
    let all = sum(&all);
    terminal.labelled(
        "",
        &format!(
            "{} of {} classes of mutants are killed, {} of them by at least {MOST_KILLS} cases",
            grouped(all.killed() as u64),
            grouped(all.classes as u64),
            grouped(all.often as u64),
        ),
    );
}

fn sum(scores: &[Score]) -> Score {
    scores.iter().fold(Score::default(), |mut all, one| {
        all.fates.iter_mut().zip(one.fates).for_each(|(all, one)| *all += one);
        Score {
            mutants: all.mutants + one.mutants,
            classes: all.classes + one.classes,
            often: all.often + one.often,
            ..all
        }
    })
}

/// The classes that no case of the plan kills, each with its mutants, their places and why, and reasons that are wrong.
fn survivors(operator: &Operator, files: &Files, terminal: &mut Terminal) {
    for tried in operator.tried.iter().filter(|tried| tried.is_refuted()) {
        let case = tried
            .kills
            .first()
            .map(ToString::to_string)
            .or_else(|| tried.built.clone());
        let title = format!("{}: a reason is wrong", operator.name);
        terminal.line(terminal.paint(Style::Strong, title));
        let because = tried.because.as_deref().unwrap_or_default();
        terminal.labelled("  ", &format!("{}: {because}", tried.mutant.id));
        terminal.labelled("    ", &format!("but {} shows it", case.unwrap_or_default()));
    }
    let all = classes(&operator.tried).into_iter();
    for ((_, fate), all) in all.filter(|((_, fate), _)| *fate != Fate::Killed) {
        let title = format!("{} {}", operator.name, fate.word());
        terminal.line(terminal.paint(Style::Strong, title));
        for tried in &all {
            let place = place(operator, tried, files).map_or_else(String::new, |place| format!("{place}: "));
            terminal.labelled("  ", &format!("{place}{} [{}]", tried.mutant.sentence, tried.mutant.id));
        }
        let Some(first) = all.first() else { continue };
        for text in why(first) {
            terminal.labelled("    ", &text);
        }
    }
}

/// What is known of a mutant that no case of the plan kills.
fn why(tried: &Tried) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(built) = &tried.built {
        all.push(format!("{built} would show it"));
    } else if let Some(because) = &tried.because {
        all.push(format!("no legal case can show it: {because}"));
    } else if let Some(tolerated) = tried.tolerated.as_ref().filter(|_| tried.undecided.is_none()) {
        let what = match &tolerated.by {
            Tolerance::Output { name, .. } => format!("{name} of it"),
            Tolerance::Release => "it".to_owned(),
        };
        let because = match bound(&tolerated.by) {
            "" => String::new(),
            because => format!(": {because}"),
        };
        all.push(format!("{} accepts {what}{because}", tolerated.case));
        all.push(match tried.exact {
            0 => "no case whose results are exact rests on it".to_owned(),
            exact => format!("{exact} or more cases whose results are exact rest on it, and give the same"),
        });
    } else if let Some(case) = &tried.undecided {
        all.push(format!(
            "{case} accepts some of what an implementation with it may compute"
        ));
    } else if !tried.evaluated {
        all.push("of no case can be said what it computes".to_owned());
    }
    all
}

/// Where the specification has what a mutant changes: `file:line:column`.
fn place(operator: &Operator, tried: &Tried, files: &Files) -> Option<String> {
    let (place, span) = tried.mutant.place.clone()?;
    Some(locate_meaning(files, &operator.name, place, span)?.to_string())
}

/// Why something else than what is right is accepted.
fn bound(by: &Tolerance) -> &str {
    match by {
        Tolerance::Output { bound, .. } => bound,
        Tolerance::Release => RELEASE,
    }
}

fn json(found: &[Operator], rules: &Rules<'_>, files: &Files, tier: &str) -> Value {
    let operators = found.iter().map(|operator| {
        let mutants = operator.tried.iter().map(|tried| {
            json!({
                "id": tried.mutant.id, "kind": tried.mutant.kind.word(), "sentence": tried.mutant.sentence,
                "place": place(operator, tried, files), "class": tried.class,
                "fate": tried.fate().word(), "because": tried.because, "built": tried.built,
                "cases": tried.kills.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "undecided_by": tried.undecided.as_ref().map(ToString::to_string),
                "tolerated_by": tried.tolerated.as_ref().map(|by| by.case.to_string()),
                "bound": tried.tolerated.as_ref().map(|tolerated| bound(&tolerated.by)), "exact": tried.exact,
            })
        });
        json!({
            "operator": operator.name, "score": Score::of(operator.tried.iter()).json(),
            "mutants": mutants.collect::<Vec<_>>(),
        })
    });
    json!({"tier": tier, "operators": operators.collect::<Vec<_>>(), "rules": rules.json()})
}
