//! Shrinking: from a case that fails to a smaller one that fails the same way, asked of the same backend.
//!
//! Everything is tried on the backend itself, through the same supervision as in a run, so it works for programs in
//! any language and survives what they do. Descriptors shrink by the keys of case ids: what follows from the keys
//! follows again. Then values become small whole numbers. The order of trials is fixed, so the same backend leads to
//! the same case.

mod structure;
mod values;

use std::collections::HashSet;

use dml_ops::Unavailable;
use dml_spec::model::Text;

use self::structure::Form;
use crate::engine::Probe;
use dml_case::{
    case::{Case, Mode, Verdict},
    id::CaseId,
    outcome::Outcome,
    record::Record,
};
use dml_plan::{by_content, planner::Planner};

/// Cases that are tried at most.
const TRIALS: usize = 4000;

/// Losses of the backend that shrinking may cost, where it ends and where it hangs.
const LOSSES: (usize, usize) = (60, 6);

/// Cases that are tried at a time, if the backend survives.
const BATCH: usize = 16;

/// The mistake that a smaller case has to show as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    outcome: Outcome,
    class: Text,
    clause: Text,
}

impl Target {
    /// The mistake that a case shows.
    pub fn of(record: &Record) -> Self {
        Self {
            outcome: record.outcome,
            class: record.class(),
            clause: record.clause(),
        }
    }

    /// Whether a case shows the mistake.
    pub fn shows(&self, record: &Record) -> bool {
        Self::of(record) == *self
    }

    fn loses_backend(&self) -> bool {
        matches!(
            self.outcome,
            Outcome::Crash | Outcome::Timeout | Outcome::DeviceLost | Outcome::HarnessError
        )
    }
}

/// What shrinking came to.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The smallest case found.
    pub case: Case,
    /// What the backend made of it; `None` if the mistake did not show again.
    pub record: Option<Record>,
    /// Cases that were tried.
    pub trials: usize,
}

/// A case on its way down.
#[derive(Clone, Debug)]
struct Draft {
    case: Case,
    /// Keys that its descriptor follows from, if there are any.
    form: Option<Form>,
}

/// The smallest case found that fails the same way.
///
/// # Errors
/// If the backend is gone for good.
pub fn shrink(suite: &Planner, probe: &mut Probe<'_>, origin: &Case, target: &Target) -> Result<Shrunk, Unavailable> {
    let mut search = Search::new(suite, probe, origin, target);
    let unshrunk = |trials| Shrunk {
        case: origin.clone(),
        record: None,
        trials,
    };
    let Some(first) = search.start(origin) else {
        return Ok(unshrunk(0));
    };
    let Some((mut draft, mut record)) = search.first(vec![first])? else {
        return Ok(unshrunk(search.trials));
    };
    loop {
        let smaller = match search.first(structure::smaller(suite, &draft))? {
            Some(found) => Some(found),
            None if draft.case.mode == Mode::Execute => search.first(values::simpler(suite, &draft))?,
            None => None,
        };
        let Some((next, shown)) = smaller else { break };
        (draft, record) = (next, shown);
    }
    Ok(Shrunk {
        case: draft.case,
        record: Some(record),
        trials: search.trials,
    })
}

/// What may be expected of a smaller case: nothing that is less clear than what was expected at first.
struct Expected {
    rejected: bool,
    clauses: Vec<Text>,
}

impl Expected {
    fn of(verdict: &Verdict) -> Self {
        Self {
            rejected: verdict.is_rejection(),
            clauses: verdict.clauses(),
        }
    }

    fn covers(&self, verdict: &Verdict) -> bool {
        let known = |clause: &Text| self.clauses.contains(clause);
        verdict.is_rejection() == self.rejected && verdict.clauses().iter().all(known)
    }
}

/// A search for smaller cases.
struct Search<'s, 'p> {
    suite: &'s Planner,
    probe: &'s mut Probe<'p>,
    target: &'s Target,
    verdict: Expected,
    tried: HashSet<CaseId>,
    trials: usize,
    losses: usize,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(suite: &'s Planner, probe: &'s mut Probe<'p>, origin: &Case, target: &'s Target) -> Self {
        let (ends, hangs) = LOSSES;
        Self {
            suite,
            probe,
            target,
            verdict: Expected::of(&origin.verdict),
            tried: HashSet::new(),
            trials: 0,
            losses: if target.outcome == Outcome::Timeout {
                hangs
            } else {
                ends
            },
        }
    }

    fn start(&self, origin: &Case) -> Option<Draft> {
        let (descriptor, inputs) = ((*origin.descriptor).clone(), origin.inputs.clone());
        let aliases = aliases(self.suite, origin);
        let case =
            by_content::build_from_parts(self.suite, origin.id.level(), origin.mode, descriptor, inputs, &aliases)
                .ok()?;
        let form = Form::of(self.suite, origin);
        Some(Draft { case, form })
    }

    /// The first of these that shows the mistake.
    fn first(&mut self, drafts: Vec<Draft>) -> Result<Option<(Draft, Record)>, Unavailable> {
        let mut fresh: Vec<Draft> = Vec::new();
        for draft in drafts {
            if self.verdict.covers(&draft.case.verdict) && self.tried.insert(draft.case.id.clone()) {
                fresh.push(draft);
            }
        }
        // A backend that is lost takes those beside it with it, and they would be asked for again one by one.
        let batch = if self.target.loses_backend() { 1 } else { BATCH };
        for drafts in fresh.chunks(batch) {
            if self.trials >= TRIALS || self.losses == 0 {
                return Ok(None);
            }
            self.trials += drafts.len();
            let records = self
                .probe
                .run(drafts.iter().map(|draft| draft.case.clone()).collect())?;
            let lost = records.iter().filter(|r| is_loss(r.outcome)).count();
            self.losses = self.losses.saturating_sub(lost);
            let found = drafts.iter().zip(records).find(|(_, record)| self.target.shows(record));
            if let Some((draft, record)) = found {
                return Ok(Some((draft.clone(), record)));
            }
        }
        Ok(None)
    }
}

/// Names of what lies in place in a case.
fn aliases(suite: &Planner, case: &Case) -> Vec<(String, String)> {
    suite
        .operator(case.id.operator())
        .map(|(operator, _)| dml_plan::aliases::name_aliases(operator, &case.descriptor, &case.aliases))
        .unwrap_or_default()
}

fn is_loss(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Crash | Outcome::Timeout | Outcome::DeviceLost | Outcome::Flaky
    )
}

#[cfg(test)]
mod tests;
