//! The end of a run as text: counts, what the backend follows, what makes the run incomplete, what to do next.

use std::collections::BTreeMap;

use crate::{Collected, Facts, SavedCase, Style, Terminal, table};
use dml_case::text::{WIDTH, wrapped};
use dml_spec::model::Text;

use crate::results::{CUT_SHORT, HALF_PRECISION, NOTHING_JUDGED};
use dml_case::{
    names::{MEMORY, NOT_RUN},
    record::{Record, Totals},
};

/// How a run ended, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every judged case is as expected.
    Conformant,
    /// Some case is not.
    NotConformant,
    /// No failure was found, but not everything was judged.
    Incomplete,
}

impl Ending {
    /// How a run ended.
    pub fn of(totals: &Totals, allowed_skips: &[String]) -> Self {
        if totals.failures() > 0 {
            Self::NotConformant
        } else if totals.complete(allowed_skips) {
            Self::Conformant
        } else {
            Self::Incomplete
        }
    }

    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Conformant => 0,
            Self::NotConformant => 1,
            Self::Incomplete => 3,
        }
    }
}

/// Maximum number of lines about the lock, and about skips.
const SHOWN: usize = 8;

/// Maximum number of remarks without `verbose`.
const WARNINGS: usize = 3;

/// Prints the table and the end of a run. `again` is the command that runs a case again, up to its id.
pub fn summary(terminal: &mut Terminal, collected: &Collected, again: &str, saved: &[SavedCase], verbose: bool) {
    terminal.line("");
    table::table(terminal, collected);
    if let Some(legend) = table::legend(collected) {
        terminal.line(terminal.paint(Style::Dim, legend));
    }
    follows(terminal, collected);
    behaviours(terminal, collected, again, saved);
    nearness(terminal, collected);
    let most = |most| if verbose { usize::MAX } else { most };
    tallies(terminal, "Known failures", &collected.known, usize::MAX);
    tallies(terminal, "Skipped", &collected.skips, most(SHOWN));
    tallies(terminal, "Warnings", &collected.warnings, most(WARNINGS));
}

/// Prints why a run is incomplete, and the last line.
pub fn ending(terminal: &mut Terminal, facts: &Facts<'_>) {
    incomplete(terminal, facts);
    let totals = facts.totals;
    let digest: String = facts.spec_digest.chars().take(12).collect();
    let (tier, basis, seconds) = (facts.tier, facts.basis, totals.elapsed.as_secs_f64());
    let levels = match facts.levels {
        [] => "no table level".to_owned(),
        levels => format!("levels {}", levels.join(", ")),
    };
    if let Some(scope) = &facts.scope {
        terminal.line(scope.says());
    }
    let part = facts
        .shard
        .map(|shard| format!("; shard {shard} alone"))
        .unwrap_or_default();
    let half = if facts.half_precision {
        format!(" with {HALF_PRECISION}")
    } else {
        String::new()
    };
    terminal.line(format!(
        "{levels}; tier {tier}; basis {basis}{half}; spec {digest}{part}; {seconds:.1} s"
    ));
    let counts = totals.outcomes.iter().map(|(word, n)| format!("{n} {word}"));
    let mut counts: Vec<String> = counts.collect();
    counts.insert(0, format!("{} cases", totals.cases));
    let (style, verdict) = match facts.ending() {
        Ending::Conformant => (Style::Good, "conformant".to_owned()),
        Ending::NotConformant => (Style::Bad, "not conformant".to_owned()),
        Ending::Incomplete => (Style::Note, format!("incomplete: {}", why_incomplete(facts).join(", "))),
    };
    // Wrapped without colours, coloured afterwards.
    let label = facts.label;
    let parts: Vec<String> = std::iter::once(format!("{label}: {verdict}; {}", counts[0]))
        .chain(counts.drain(1..))
        .collect();
    for line in wrapped(parts.iter().map(String::as_str), ", ", WIDTH) {
        terminal.line(line.replacen(&verdict, &terminal.paint(style, &verdict), 1));
    }
}

/// Why a run is incomplete, in a few words each.
pub(super) fn why_incomplete(facts: &Facts<'_>) -> Vec<String> {
    let totals = facts.totals;
    let reasons = [
        (totals.unavailable.is_some(), "backend not available"),
        (totals.cut_short && totals.unavailable.is_none(), CUT_SHORT),
        (!totals.problems.is_empty(), "problems"),
        (
            totals.skips.keys().any(|reason| !facts.allows_skip(reason)),
            "cases skipped",
        ),
        (!totals.lock_changes.is_empty(), "lock mismatch"),
        (totals.judged() == 0 && totals.unavailable.is_none(), NOTHING_JUDGED),
    ];
    reasons
        .into_iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, why)| why.to_owned())
        .collect()
}

/// Per clause on which text and runtimes differ: which the backend follows.
fn follows(terminal: &mut Terminal, collected: &Collected) {
    if collected.follows.is_empty() {
        return;
    }
    terminal.heading("If text and runtimes differ, the backend follows");
    for (clause, counts) in &collected.follows {
        let parts: Vec<String> = counts.iter().map(|(who, n)| format!("{} in {n}", who.word())).collect();
        let sides = [dml_case::outcome::Follows::Text, dml_case::outcome::Follows::Runtime]
            .map(|side| counts.contains_key(&side));
        let mixed = if sides == [true, true] { "; inconsistent" } else { "" };
        terminal.line(format!("  {clause:<34} {}{mixed}", parts.join(", ")));
    }
}

/// Per clause that leaves outputs open: the backend's behaviour.
fn behaviours(terminal: &mut Terminal, collected: &Collected, again: &str, saved: &[SavedCase]) {
    if collected.does.is_empty() {
        return;
    }
    terminal.heading("If the outputs are unspecified, the backend does");
    for (clause, found) in &collected.does {
        let spelled = |(what, n): (Option<Text>, u64)| match what {
            Some(what) => format!("{what} in {n}"),
            None => format!("inconsistent in {n}"),
        };
        let parts: Vec<String> = found.counts().into_iter().map(spelled).collect();
        terminal.line(format!("  {clause:<34} {}", parts.join(", ")));
        if let Some(record) = &found.strange {
            strange(terminal, clause, record, again, saved);
        }
    }
}

/// The smallest case without a known behaviour. That is not a failure.
fn strange(terminal: &mut Terminal, clause: &str, record: &Record, again: &str, saved: &[SavedCase]) {
    if let (Some(class), Some(message)) = (&record.class, &record.message) {
        let class = terminal.paint(Style::Note, class);
        terminal.line(format!("    inconsistent: {class}; this does not fail the run"));
        terminal.labelled("    smallest  ", message);
    }
    terminal.line(format!("    again     {again} '{}'", record.id));
    let of_clause = saved
        .iter()
        .filter(|case| case.clause == clause && !case.outcome.is_failure());
    for case in of_clause {
        terminal.labelled("    saved     ", &format!("{}: {}", case.class, case.says));
        terminal.line(format!("              {}", case.command));
    }
}

/// The worst accepted error of each operator and data type that has a tolerance.
fn nearness(terminal: &mut Terminal, collected: &Collected) {
    if collected.nearness.is_empty() {
        return;
    }
    terminal.heading("Largest errors within tolerance");
    for ((operator, data_type), (worst, id)) in &collected.nearness {
        let (ulps, share) = (worst.ulps, worst.share.div_ceil(10));
        terminal.line(format!(
            "  {operator} {data_type}: {ulps} ulp, {share} % of what is allowed, in\n    {id}"
        ));
    }
}

/// Texts under a heading, a line each with the first case and how many have it; at most so many.
fn tallies(terminal: &mut Terminal, heading: &str, counts: &BTreeMap<String, (String, u64)>, most: usize) {
    if counts.is_empty() {
        return;
    }
    terminal.heading(heading);
    for (text, (id, count)) in counts.iter().take(most) {
        terminal.line(format!("  {count} x {text}; first in\n    {id}"));
    }
    if counts.len() > most {
        terminal.line(format!("  … and {} more; -v shows all", counts.len() - most));
    }
}

/// Prints why a run is incomplete, on standard error.
pub fn incomplete(terminal: &mut Terminal, facts: &Facts<'_>) {
    let totals = facts.totals;
    let mut say = |text: String| {
        terminal.warn(format_args!("incomplete: {text}"));
    };
    if let Some(why) = &totals.unavailable {
        say(format!("the backend is not available: {why}"));
    }
    if totals.cut_short && totals.unavailable.is_none() {
        say("the run stopped early because of --max-failures".to_owned());
    }
    for problem in &totals.problems {
        say(problem.clone());
    }
    let unlisted = totals.skips.iter().filter(|(reason, _)| !facts.allows_skip(reason));
    let more = unlisted.clone().count().saturating_sub(SHOWN);
    for (reason, count) in unlisted.take(SHOWN) {
        say(match reason.as_str() {
            NOT_RUN => format!("{count} cases were not run: every attempted case of their kind crashed the backend"),
            reason => {
                // Each amount of memory is a reason of its own; the word before it allows all of them.
                let kind = reason
                    .split_once(": ")
                    .map_or(reason, |(kind, _)| if kind == MEMORY { kind } else { reason });
                format!("{count} cases skipped ({reason}); if that is intended: --allow-skip '{kind}'")
            }
        });
    }
    if more > 0 {
        say(format!("cases skipped for {more} other reasons"));
    }
    let buckets = totals.lock_changes.len();
    if buckets > 0 && !facts.has_lock {
        say(format!("missing corpus.lock; {}", facts.lock_remedy));
    } else if buckets > 0 {
        say(format!(
            "the plan differs from corpus.lock in {buckets} places; {}",
            facts.lock_remedy
        ));
        totals
            .lock_changes
            .iter()
            .take(SHOWN)
            .for_each(|change| say(format!("  {change}")));
    }
    if totals.judged() == 0 && totals.unavailable.is_none() {
        say(match facts.tier {
            "fuzz" => "no case was judged; queries for other families or operators may draw some".to_owned(),
            tier => format!("no case was judged; `dml-cts list --tier {tier} QUERY…` shows what a query selects"),
        });
    }
}
