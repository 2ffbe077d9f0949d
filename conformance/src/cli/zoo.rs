//! `zoo`: how many wrong backends the suite tells from right ones.

use std::collections::BTreeMap;

use anyhow::Context;
use dml_spec::model::{Operator, Text, Tier};
use serde_json::json;

use super::{
    args::{Format, SpecArgs, TierArg, require_operators},
    atomic_write,
    combination_report::{CombinationReport, SHOWN, choose_combinations},
    source::{self, COMBINATIONS_FILE, SMOKE_FILE, compile},
};
use dml_adequacy::zoo::{Condition, Fate, Hunt, Prey, Stage, conditions, cover, hunt, missed};
use dml_case::{
    id::CaseId,
    text::{WIDTH, wrapped},
};
use dml_legacy::oracle::oracle;
use dml_plan::{listed::Listed, planner::Planner};
use dml_report::{Progress, Style, Terminal};

/// Exit code where a fault survives or is misnamed.
const SURVIVED: u8 = 1;

/// Random cases of an operator that are tried under conditions that its own cases leave out: those have to show what
/// some thousands of others show.
const DRAWN: u64 = 4096;

/// First lines of the lists.
const SMOKE_HEAD: &str = "# Cases that smoke holds beside those of its sweeps; written by `dml-cts zoo --lock`.\n";
const COMBINATIONS_HEAD: &str = "# Cases that standard holds beside those of its sweeps: they combine what those leave \
                                 apart; written by\n# `dml-cts zoo --lock`.\n";

/// Arguments of `zoo`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Operators; all of them where none is named
    operators: Vec<String>,
    /// Cases up to this tier
    #[arg(long, value_enum, default_value_t = TierArg::Standard)]
    tier: TierArg,
    #[command(flatten)]
    spec: SpecArgs,
    /// Print every fault of the tables too, not only their number
    #[arg(long)]
    all: bool,
    /// Compute anew which cases standard and smoke need beside their sweeps, and write spec/combinations.lock and
    /// spec/smoke.lock, of the operators named alone where there are such; then run `spec lock`
    #[arg(long, conflicts_with_all = ["tier", "all", "format"])]
    lock: bool,
    /// Form of the result
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Args {
    /// Whether it was asked for this operator.
    fn wants(&self, operator: &Operator) -> bool {
        self.operators.is_empty() || self.operators.iter().any(|name| *name == operator.name)
    }
}

/// Runs the subcommand; the exit code.
pub(super) fn zoo(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let texts = source::read_texts(&args.spec)?;
    let suite = compile(&texts.files, terminal)?;
    require_operators(&args.operators, &suite.operator_names())?;
    if args.lock {
        return lock(args, &suite, texts.lists(), terminal);
    }
    let suite = texts.with_checked_lists(suite, &args.operators)?;
    let progress = Progress::new(terminal, "zoo");
    let operators = suite.catalog.operators.iter();
    let operators: Vec<&Operator> = operators.filter(|operator| args.wants(operator)).collect();
    let mut all: Vec<(&Operator, Vec<Prey>)> = Vec::new();
    let mut mixed: Vec<CombinationReport> = Vec::new();
    for (done, operator) in operators.iter().enumerate() {
        progress.set(done, operators.len(), operator.name.to_string());
        if args.tier.tier() >= Tier::Standard {
            mixed.extend(CombinationReport::measure(&suite, operator, DRAWN));
        }
        let asked = Hunt {
            suite: &suite,
            tier: args.tier.tier(),
            drawn: DRAWN,
        };
        all.push((operator, hunt(asked, operator)));
    }
    drop(progress);
    match args.format {
        Format::Human => {
            for (operator, prey) in &all {
                matrix(terminal, operator, &conditions(&suite, operator), prey, args.all);
            }
            sum(terminal, &all);
            CombinationReport::print_all(&mixed, terminal);
        }
        Format::Json => terminal.line(serde_json::to_string_pretty(&object(&all, &mixed))?),
    }
    let fine = all.iter().flat_map(|(_, prey)| prey).all(|prey| prey.fate().is_fine());
    let fine = fine && mixed.iter().all(|mixed| mixed.missed.is_empty());
    Ok(if fine { 0 } else { SURVIVED })
}

/// Computes the lists of combinations and of smoke and writes them; what they hold of operators that are not asked for
/// stays.
fn lock(args: &Args, suite: &Planner, known: [&str; 2], terminal: &mut Terminal) -> anyhow::Result<u8> {
    let folder = source::folder(&args.spec).context(
        "there is no folder spec/ with directml.yaml here; name one with --spec, or run this in the project's folder",
    )?;
    // What the old lists add is no reason to leave it out of the new ones.
    let mut suite = suite.clone().without_lists();
    let [known_combined, known_smoke] = known;
    let stays = |list: &str, operator: &Operator| {
        let of_operator = |line: &str| line.parse().ok().filter(|id: &CaseId| id.operator() == operator.name);
        (!args.wants(operator)).then(|| list.lines().filter_map(of_operator).collect())
    };
    let combined = listed(terminal, &suite, "combinations", |place, operator| {
        stays(known_combined, operator).unwrap_or_else(|| {
            let mut suite = suite.clone();
            let mut ids = choose_combinations(&suite, place);
            suite.combinations = Listed::of(ids.iter().cloned());
            ids.extend(missed(&suite, operator, DRAWN));
            ids
        })
    });
    // What smoke is chosen from holds them already.
    suite.combinations = Listed::of(combined.iter().cloned());
    let smoke = listed(terminal, &suite, "smoke", |_, operator| {
        stays(known_smoke, operator).unwrap_or_else(|| cover(&suite, operator))
    });
    for (name, head, ids) in [
        (COMBINATIONS_FILE, COMBINATIONS_HEAD, combined),
        (SMOKE_FILE, SMOKE_HEAD, smoke),
    ] {
        let path = folder.join(name);
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        atomic_write::write_file(&path, &format!("{head}{lines}"))?;
        terminal.line(format!("{}: {} cases", path.display(), ids.len()));
    }
    terminal.line("next: dml-cts spec lock, then cargo build --release and dml-cts zoo at both tiers");
    Ok(0)
}

/// What a list holds of all operators.
fn listed(
    terminal: &Terminal,
    suite: &Planner,
    name: &'static str,
    of: impl Fn(usize, &Operator) -> Vec<CaseId>,
) -> Vec<CaseId> {
    let progress = Progress::new(terminal, name);
    let operators = &suite.catalog.operators;
    let mut all = Vec::new();
    for (done, operator) in operators.iter().enumerate() {
        progress.set(done, operators.len(), operator.name.to_string());
        all.extend(of(done, operator));
    }
    all
}

/// Letters of the families, in the order of the operator.
fn letters(operator: &Operator) -> Vec<(char, &Text)> {
    let families = operator.cases.families.iter().map(|family| &family.name);
    ('a'..='z').chain('A'..='Z').zip(families).collect()
}

/// Fault × family.
fn matrix(terminal: &mut Terminal, operator: &Operator, conditions: &[Condition], prey: &[Prey], all: bool) {
    let letters = letters(operator);
    let descriptors = if oracle(&operator.name).is_some() {
        ""
    } else {
        ", of its validator only: there is no oracle"
    };
    let title = format!("{}: {} faults{descriptors}", operator.name, prey.len());
    terminal.line(terminal.paint(Style::Strong, title));
    let legend: Vec<String> = letters
        .iter()
        .map(|(letter, name)| format!("{letter} {name}"))
        .collect();
    terminal.listed("  ", legend.iter().map(String::as_str));
    for stage in [
        Stage::Validating,
        Stage::Reading,
        Stage::Attributes,
        Stage::Computing,
        Stage::Writing,
    ] {
        let of_stage: Vec<&Prey> = prey.iter().filter(|prey| prey.fault.stage == stage).collect();
        if of_stage.is_empty() {
            continue;
        }
        let killed = of_stage.iter().filter(|prey| prey.fate() == Fate::Killed).count();
        let fates = [
            Fate::Misnamed,
            Fate::InPart,
            Fate::Survived,
            Fate::Open,
            Fate::Equivalent,
            Fate::Unmade,
        ]
        .map(|fate| {
            let count = of_stage.iter().filter(|prey| prey.fate() == fate).count();
            if count == 0 {
                String::new()
            } else {
                format!(", {count} {}", fate.word())
            }
        });
        terminal.line(format!(
            "  {}: {killed} of {} killed{}",
            stage.word(),
            of_stage.len(),
            fates.concat()
        ));
        let shown = |prey: &&&Prey| all || stage != Stage::Validating || prey.fate() != Fate::Killed;
        for prey in of_stage.iter().filter(shown) {
            row(terminal, &letters, conditions, prey);
        }
    }
}

fn row(terminal: &mut Terminal, letters: &[(char, &Text)], conditions: &[Condition], prey: &Prey) {
    let families = prey.families();
    let marks: String = letters
        .iter()
        .map(|(letter, name)| {
            if families.contains_key(name.as_ref()) {
                *letter
            } else {
                '·'
            }
        })
        .collect();
    let fate = prey.fate();
    let class = prey.class().map_or(fate.word().into(), |(class, _)| class);
    let style = if fate.is_fine() { Style::Dim } else { Style::Bad };
    terminal.line(format!(
        "    {marks}  {}  {}",
        prey.fault.name,
        terminal.paint(style, class)
    ));
    if let Some(why) = why(prey) {
        for line in wrapped(why.split(' '), " ", WIDTH - 6) {
            terminal.line(terminal.paint(Style::Dim, format!("      {line}")));
        }
    }
    if !fate.is_fine() {
        for (at, case) in prey.trail.missed.iter().take(SHOWN) {
            let under = conditions.get(*at).map_or("", |condition| condition.name.as_str());
            let text = format!("no case where {under}, such as {case}");
            terminal.labelled("      ", &text);
        }
    }
    if fate == Fate::Misnamed {
        for kill in prey.trail.kills.iter().filter(|kill| !kill.open).take(SHOWN) {
            let classes: Vec<&str> = kill.explanations.iter().map(|(class, _)| class.as_ref()).collect();
            terminal.line(format!("      {}: {}", kill.case, classes.join(", ")));
        }
    }
}

/// Why a fault is not simply killed.
fn why(prey: &Prey) -> Option<String> {
    match prey.fate() {
        Fate::Killed | Fate::InPart => None,
        Fate::Misnamed => {
            let blamed = prey.class().map(|(_, blamed)| blamed.join(", ")).unwrap_or_default();
            Some(format!("to be told as {}; blamed: {blamed}", prey.fault.right))
        }
        Fate::Survived => Some(match &prey.trail.first_spared {
            Some(spared) => format!(
                "{} cases pass although they are answered wrongly, the first {spared}",
                prey.trail.spared
            ),
            None => format!("no case shows it: {}", prey.fault.says),
        }),
        Fate::Open => Some(format!(
            "where it shows, {} leaves the outputs open",
            prey.trail.silences.join(", ")
        )),
        Fate::Equivalent => Some("it changes nothing, whatever the data".to_owned()),
        Fate::Unmade => Some(format!(
            "{} of {} cases with other data leave room for it, and none shows it",
            prey.trail.elsewhere.made, prey.trail.elsewhere.tried
        )),
    }
}

/// One line an operator, and what all come to: every fault is killed, and named rightly then, or there is a reason why
/// no suite can kill it.
fn sum(terminal: &mut Terminal, all: &[(&Operator, Vec<Prey>)]) {
    terminal.line("");
    let mut total = Sum::default();
    for (operator, prey) in all {
        let own = Sum::of(prey);
        let style = if prey.iter().all(|prey| prey.fate().is_fine()) {
            Style::Good
        } else {
            Style::Bad
        };
        terminal.line(terminal.paint(style, own.line(&operator.name)));
        total.add(own);
    }
    terminal.line(terminal.paint(Style::Strong, total.line("all")));
}

/// What faults came to.
#[derive(Clone, Copy, Default)]
struct Sum {
    faults: usize,
    killed: usize,
    /// Pairs of a fault and a condition under which it is killed.
    pairs: u32,
    /// Killed and named rightly.
    right: usize,
    /// Not killed, for a reason.
    explained: usize,
}

impl Sum {
    fn of(prey: &[Prey]) -> Self {
        let count = |is: &dyn Fn(&Prey) -> bool| prey.iter().filter(|prey| is(prey)).count();
        Self {
            faults: prey.len(),
            pairs: prey
                .iter()
                .filter(|prey| prey.fault.is_conditional())
                .map(|prey| prey.trail.killed_under.count_ones())
                .sum(),
            killed: count(&|prey| !prey.trail.kills.is_empty()),
            right: count(&|prey| prey.fate() == Fate::Killed),
            explained: count(&|prey| prey.fate() != Fate::Killed && prey.fate().is_fine()),
        }
    }

    fn add(&mut self, other: Self) {
        self.faults += other.faults;
        self.pairs += other.pairs;
        self.killed += other.killed;
        self.right += other.right;
        self.explained += other.explained;
    }

    fn line(self, name: &str) -> String {
        let Self {
            faults,
            killed,
            right,
            explained,
            pairs,
        } = self;
        format!(
            "{name:<20} {faults:>5} faults: {killed:>5} killed, {right:>5} named rightly, {explained:>3} explained; \
             {pairs:>6} pairs"
        )
    }
}

/// Everything.
fn object(all: &[(&Operator, Vec<Prey>)], mixed: &[CombinationReport]) -> serde_json::Value {
    let fault = |prey: &Prey| {
        let families: BTreeMap<&str, String> = prey
            .families()
            .into_iter()
            .map(|(family, case)| (family, case.to_string()))
            .collect();
        json!({
            "fault": prey.fault.name,
            "says": prey.fault.says,
            "stage": prey.fault.stage.word(),
            "killed_by": families,
            "class": prey.class().map(|(class, _)| class),
            "blames": prey.class().map(|(_, blamed)| blamed).unwrap_or_default(),
            "fate": prey.fate().word(),
            "misled": prey.misled(),
            "kills": prey.trail.kills.len(),
            "spared": prey.trail.spared,
        })
    };
    let operators: BTreeMap<&str, Vec<serde_json::Value>> = all
        .iter()
        .map(|(operator, prey)| (operator.name.as_ref(), prey.iter().map(fault).collect()))
        .collect();
    let mixed: BTreeMap<&str, _> = mixed.iter().map(|one| (one.operator.as_ref(), one.object())).collect();
    json!({ "operators": operators, "combinations": mixed })
}
