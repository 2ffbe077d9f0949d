//! What became of faults, and what the cases show of them.

use std::collections::BTreeMap;

use dml_spec::model::Text;
use serde::Serialize;

use crate::{conditions::Under, fault::Fault};
use dml_case::{
    case::Case,
    id::CaseId,
    outcome::{Judged, Outcome},
};

/// What became of a fault in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fate {
    /// Some case fails.
    Killed,
    /// Cases fail, but none under some condition under which random cases show it.
    InPart,
    /// No case fails.
    Survived,
    /// Every case that it answers otherwise is left open by the specification, so that it is no mistake.
    Open,
    /// It changes nothing, whatever the data are.
    Equivalent,
    /// It cannot be made with what the oracle computes.
    Unmade,
}

impl Fate {
    /// Its name in tables.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::InPart => "killed in part",
            Self::Survived => "survived",
            Self::Open => "left open",
            Self::Equivalent => "equivalent",
            Self::Unmade => "unmade",
        }
    }

    /// Whether the suite does what it should.
    pub(crate) fn is_fine(self) -> bool {
        !matches!(self, Self::InPart | Self::Survived)
    }
}

/// What became of a fault.
#[derive(Debug)]
pub(crate) struct Prey {
    /// The fault.
    pub(crate) fault: Fault,
    /// What the cases show of it.
    pub(crate) trail: Trail,
}

/// What cases show of a fault.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// Cases that kill it, in the order of the plan: of a level, family and data type two, and more where they do so
    /// under other conditions.
    pub(crate) kills: Vec<CaseId>,
    /// Conditions under which it was killed.
    pub(crate) killed_under: Under,
    /// Cases that were answered wrongly and passed, while it was looked for one that fails.
    pub(crate) spared: u64,
    /// The first of those.
    pub(crate) first_spared: Option<CaseId>,
    /// Cases whose outputs nobody defines and that it answered otherwise without breaking a property.
    pub(crate) open: u64,
    /// The first of those.
    pub(crate) first_open: Option<CaseId>,
    /// Silences that leave those open.
    pub(crate) silences: Vec<Text>,
    /// What other data show, where no case of the plan shows it.
    pub(crate) elsewhere: Elsewhere,
    /// Random cases that fail under conditions under which no case of the plan does: the place of the condition, and
    /// the first case.
    pub(crate) missed: Vec<(usize, CaseId)>,
}

/// What cases with other data, made to tell readings apart, show of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    /// Cases that were tried.
    pub(crate) tried: u64,
    /// Those for which the fault computes anything.
    pub(crate) made: u64,
    /// Those for which it does not compute what is right.
    pub(crate) wrong: u64,
}

impl Prey {
    /// Families whose cases kill it, each with the first case that does.
    pub(crate) fn families(&self) -> BTreeMap<&str, &CaseId> {
        let mut found = BTreeMap::new();
        for kill in &self.trail.kills {
            found.entry(kill.family()).or_insert(kill);
        }
        found
    }

    /// What became of it.
    pub(crate) fn fate(&self) -> Fate {
        let Trail { kills, missed, .. } = &self.trail;
        match kills.is_empty() {
            false if self.fault.is_conditional() && !missed.is_empty() => Fate::InPart,
            false => Fate::Killed,
            true if self.trail.spared > 0 || self.trail.elsewhere.wrong > 0 || !missed.is_empty() => Fate::Survived,
            true if self.trail.open > 0 => Fate::Open,
            true if self.fault.by_shape => Fate::Survived,
            true if self.trail.elsewhere.made * 2 < self.trail.elsewhere.tried => Fate::Unmade,
            true => Fate::Equivalent,
        }
    }
}

impl Trail {
    pub(crate) fn add(&mut self, other: Self) {
        self.kills.extend(other.kills);
        self.killed_under |= other.killed_under;
        self.spared += other.spared;
        self.open += other.open;
        self.elsewhere.tried += other.elsewhere.tried;
        self.elsewhere.made += other.elsewhere.made;
        self.elsewhere.wrong += other.elsewhere.wrong;
        for (at, case) in other.missed {
            if self.missed.iter().all(|(known, _)| *known != at) {
                self.missed.push((at, case));
            }
        }
        self.first_spared = self.first_spared.take().or(other.first_spared);
        self.first_open = self.first_open.take().or(other.first_open);
        for silence in other.silences {
            if !self.silences.contains(&silence) {
                self.silences.push(silence);
            }
        }
    }

    /// Notes how an answer was judged; `is_open` if all elements that it has wrong are open.
    pub(crate) fn note(&mut self, case: &Case, (under, is_open): (Under, bool), judged: Judged) {
        let fails = judged.outcome.is_failure() && judged.outcome != Outcome::HarnessError;
        if judged.outcome == Outcome::Unspecified || is_open && !fails {
            self.open += 1;
            self.first_open.get_or_insert_with(|| case.id.clone());
            for silence in case.verdict.clauses() {
                if !self.silences.contains(&silence) {
                    self.silences.push(silence);
                }
            }
        } else if !fails {
            self.spared += 1;
            self.first_spared.get_or_insert_with(|| case.id.clone());
        } else {
            self.killed_under |= under;
            self.kills.push(case.id.clone());
        }
    }
}
