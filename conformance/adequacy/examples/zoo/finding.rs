//! What became of a fault, and what a run would say of it.

use std::collections::BTreeMap;

use dml_case::{id::CaseId, mistake::Mistakes, record::Record};
use dml_spec::model::Text;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{fault::Fault, prey::Fate};

/// Kinds of records that are printed of a fault.
const SHOWN: usize = 3;

/// A fault, and what the cases show of it.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    /// The operator.
    pub(crate) operator: Text,
    /// The fault's name.
    pub(crate) fault: String,
    /// Where in a backend it is.
    pub(crate) stage: &'static str,
    /// The mistake in words.
    pub(crate) says: String,
    /// What the old explanations were allowed to say.
    pub(crate) allowed: String,
    /// What became of it.
    pub(crate) fate: Fate,
    /// If no small case kills it: larger ones that do, one of each family.
    pub(crate) larger: Vec<CaseId>,
    /// If no case kills it: the first case that accepts it, or leaves it open, though it computes something else.
    pub(crate) spared: Option<CaseId>,
    /// What the records of failing cases say, those first that say it most.
    pub(crate) said: Vec<Said>,
    /// What explains wrong outputs.
    pub(crate) mistakes: Option<Mistakes>,
}

/// What records of failing cases say.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Said {
    /// The class.
    pub(crate) class: Text,
    /// The clauses that are broken.
    pub(crate) clauses: Vec<Text>,
    /// How many records.
    pub(crate) cases: u64,
    /// The first of the cases.
    pub(crate) first: CaseId,
}

/// How far what is said of a fault tells which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// One mistake, or several with a condition each.
    Named,
    /// A mistake among others that fit as well.
    Candidates,
    /// No small change gives the outputs.
    Unnamed,
    /// Only the records' classes and clauses: no output was wrong.
    Records,
}

impl Finding {
    pub(crate) fn new(operator: &Text, fault: &Fault, fate: Fate) -> Self {
        Self {
            operator: operator.clone(),
            fault: fault.name.clone(),
            stage: fault.stage.word(),
            says: fault.says.clone(),
            allowed: fault.right.to_string(),
            fate,
            larger: Vec::new(),
            spared: None,
            said: Vec::new(),
            mistakes: None,
        }
    }

    /// Whether some case kills it.
    pub(crate) fn is_killed(&self) -> bool {
        matches!(self.fate, Fate::Killed | Fate::InPart)
    }

    /// How far what is said of it tells which it is.
    pub(crate) fn telling(&self) -> Telling {
        let Some(mistakes) = &self.mistakes else {
            return Telling::Records;
        };
        let is_one_of_several = mistakes
            .found
            .iter()
            .any(|found| found.uncertain || !found.others.is_empty());
        match (mistakes.found.is_empty(), is_one_of_several) {
            (true, _) => Telling::Unnamed,
            (false, true) => Telling::Candidates,
            (false, false) => Telling::Named,
        }
    }

    /// What a run prints of it, in a line.
    pub(crate) fn printed(&self) -> String {
        let Some(mistakes) = &self.mistakes else {
            let mut said: Vec<String> = self.said.iter().take(SHOWN).map(Said::printed).collect();
            if self.said.len() > SHOWN {
                said.push(format!("{} more", self.said.len() - SHOWN));
            }
            return said.join(" | ");
        };
        let mut parts: Vec<String> = Vec::new();
        for found in &mistakes.found {
            let mut part = format!("{}: {}", found.kind, found.sentence);
            if let Some(condition) = &found.condition {
                part.push_str(&format!(" [only if {condition}]"));
            }
            if found.uncertain {
                part.push_str(" [uncertain]");
            }
            for other in &found.others {
                part.push_str(&format!(" [or {other}]"));
            }
            part.push_str(&format!(" ({} of {})", found.failing, mistakes.failing));
            parts.push(part);
        }
        if mistakes.unexplained > 0 {
            parts.push(format!("unexplained: {} of {}", mistakes.unexplained, mistakes.failing));
        }
        parts.join(" | ")
    }

    /// Where it stands in a sample.
    pub(crate) fn hash(&self) -> Vec<u8> {
        Sha256::digest(format!("{}/{}", self.operator, self.fault).as_bytes()).to_vec()
    }
}

impl Said {
    fn printed(&self) -> String {
        format!("{} {} ({})", self.class, self.clauses.join(", "), self.cases)
    }
}

/// Records of failing cases, counted by what they say.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<(Text, Vec<Text>), (u64, Option<CaseId>)>);

impl Tally {
    /// Counts a failing case.
    pub(crate) fn add(&mut self, record: &Record) {
        self.merge((record.class(), record.clauses.clone()), 1, Some(record.id.clone()));
    }

    /// Counts those of another tally.
    pub(crate) fn extend(&mut self, other: Self) {
        for (said, (count, first)) in other.0 {
            self.merge(said, count, first);
        }
    }

    fn merge(&mut self, said: (Text, Vec<Text>), count: u64, first: Option<CaseId>) {
        let (known, least) = self.0.entry(said).or_default();
        *known += count;
        let of = |id: &Option<CaseId>| id.as_ref().map(ToString::to_string);
        if least.is_none() || of(&first) < of(least) {
            *least = first;
        }
    }

    /// Whether no case failed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was counted, those first that most say.
    pub(crate) fn into_said(self) -> Vec<Said> {
        let said = self.0.into_iter().filter_map(|((class, clauses), (cases, first))| {
            Some(Said {
                class,
                clauses,
                cases,
                first: first?,
            })
        });
        let mut said: Vec<Said> = said.collect();
        said.sort_by_key(|said| u64::MAX - said.cases);
        said
    }
}
