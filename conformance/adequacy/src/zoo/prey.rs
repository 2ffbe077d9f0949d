//! What became of faults, and what the cases show of them.

use std::collections::BTreeMap;

use dml_spec::model::Text;

use super::{Fault, Right, Under, accepts};
use dml_case::{
    case::{Case, Verdict},
    id::CaseId,
    outcome::{Judged, Outcome},
};

/// A case that a fault fails.
#[derive(Clone, Debug)]
pub struct Kill {
    /// The case.
    pub case: CaseId,
    /// Every class that explains it with the clauses it blames, the likeliest first.
    pub explanations: Vec<(Text, Vec<Text>)>,
    /// Nobody defines its outputs, so that it tells only that some property is broken.
    pub open: bool,
    /// The conditions that hold of it.
    pub under: Under,
}

/// What became of a fault in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Some case fails, and the failures name the mistake.
    Killed,
    /// Some case fails, and the failures name another mistake.
    Misnamed,
    /// Cases fail and name the mistake, but none under some condition under which random cases show it.
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
    pub fn word(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Misnamed => "misnamed",
            Self::InPart => "killed in part",
            Self::Survived => "survived",
            Self::Open => "left open",
            Self::Equivalent => "equivalent",
            Self::Unmade => "unmade",
        }
    }

    /// Whether the suite does what it should.
    pub fn is_fine(self) -> bool {
        !matches!(self, Self::Misnamed | Self::InPart | Self::Survived)
    }
}

/// What became of a fault.
#[derive(Debug)]
pub struct Prey {
    /// The fault.
    pub fault: Fault,
    /// What the cases show of it.
    pub trail: Trail,
}

/// What cases show of a fault.
#[derive(Debug, Default)]
pub struct Trail {
    /// Cases that kill it, in the order of the plan: of a level, family and data type two, and more where they do so
    /// under other conditions.
    pub kills: Vec<Kill>,
    /// Conditions under which it was killed.
    pub killed_under: Under,
    /// Cases that were answered wrongly and passed, while it was looked for one that fails.
    pub spared: u64,
    /// The first of those.
    pub first_spared: Option<CaseId>,
    /// Cases whose outputs nobody defines and that it answered otherwise without breaking a property.
    pub open: u64,
    /// The first of those.
    pub first_open: Option<CaseId>,
    /// Silences that leave those open.
    pub silences: Vec<Text>,
    /// What other data show, where no case of the plan shows it.
    pub elsewhere: Elsewhere,
    /// Random cases that fail under conditions under which no case of the plan does: the place of the condition, and
    /// the first case.
    pub missed: Vec<(usize, CaseId)>,
}

/// What cases with other data, made to tell readings apart, show of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Cases that were tried.
    pub tried: u64,
    /// Those for which the fault computes anything.
    pub made: u64,
    /// Those for which it does not compute what is right.
    pub wrong: u64,
}

impl Prey {
    /// Families whose cases kill it, each with the first case that does.
    pub fn families(&self) -> BTreeMap<&str, &CaseId> {
        let mut found = BTreeMap::new();
        for kill in &self.trail.kills {
            found.entry(kill.case.family()).or_insert(&kill.case);
        }
        found
    }

    /// The kills that say what is wrong: those whose outputs are defined, where there are any.
    pub fn telling(&self) -> impl Iterator<Item = &Kill> {
        let kills = &self.trail.kills;
        let defined = kills.iter().any(|kill| !kill.open);
        kills.iter().filter(move |kill| !(defined && kill.open))
    }

    /// The class that explains most kills, with the clauses that it blames; of equals the one that is likeliest more
    /// often.
    pub fn class(&self) -> Option<(Text, Vec<Text>)> {
        let mut fits: BTreeMap<&Text, (u64, u64)> = BTreeMap::new();
        for kill in self.telling() {
            for (place, (class, _)) in kill.explanations.iter().enumerate() {
                let (all, first) = fits.entry(class).or_default();
                *all += 1;
                *first += u64::from(place == 0);
            }
        }
        let (class, _) = fits.into_iter().rev().max_by_key(|(_, fits)| *fits)?;
        let clauses = self
            .trail
            .kills
            .iter()
            .flat_map(|kill| &kill.explanations)
            .filter(|(c, _)| c == class);
        let mut blamed: Vec<Text> = Vec::new();
        for clause in clauses.flat_map(|(_, clauses)| clauses) {
            if !blamed.contains(clause) {
                blamed.push(clause.clone());
            }
        }
        Some((class.clone(), blamed))
    }

    /// Whether the outputs of all cases that kill it are nobody's to define.
    fn is_open(&self) -> bool {
        self.trail.kills.iter().all(|kill| kill.open)
    }

    /// What became of it.
    pub fn fate(&self) -> Fate {
        match self.class() {
            Some(_) if self.fault.is_conditional() && !self.trail.missed.is_empty() => Fate::InPart,
            Some((class, blamed)) if accepts(&self.fault.right, &class, &blamed) => Fate::Killed,
            // Where nobody defines the outputs, there is no more to tell than what is broken.
            Some((class, _)) if self.is_open() && accepts(&Right::Symptom(&[]), &class, &[]) => Fate::Killed,
            Some(_) => Fate::Misnamed,
            None if self.trail.spared > 0 || self.trail.elsewhere.wrong > 0 || !self.trail.missed.is_empty() => {
                Fate::Survived
            }
            None if self.trail.open > 0 => Fate::Open,
            None if self.fault.by_shape => Fate::Survived,
            None if self.trail.elsewhere.made * 2 < self.trail.elsewhere.tried => Fate::Unmade,
            None => Fate::Equivalent,
        }
    }

    /// Kills whose outputs are defined and none of whose explanations is right.
    pub fn misled(&self) -> usize {
        let right = |kill: &Kill| {
            let mut explanations = kill.explanations.iter();
            explanations.any(|(class, blamed)| accepts(&self.fault.right, class, blamed))
        };
        self.trail
            .kills
            .iter()
            .filter(|kill| !kill.open && !right(kill))
            .count()
    }
}

impl Trail {
    pub(super) fn add(&mut self, other: Self) {
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

    pub(super) fn note(&mut self, case: &Case, under: Under, judged: Judged) {
        let fails = judged.outcome.is_failure() && judged.outcome != Outcome::HarnessError;
        if judged.outcome == Outcome::Unspecified {
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
            let explanations = judged.diagnosis.map(|diagnosis| {
                let others = diagnosis.others.into_iter().map(|other| (other.class, other.clauses));
                std::iter::once((diagnosis.class, diagnosis.clauses))
                    .chain(others)
                    .collect()
            });
            self.killed_under |= under;
            self.kills.push(Kill {
                under,
                case: case.id.clone(),
                explanations: explanations.unwrap_or_default(),
                open: matches!(case.verdict, Verdict::Unspecified(_)),
            });
        }
    }
}
