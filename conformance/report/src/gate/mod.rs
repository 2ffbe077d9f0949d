//! Gates: whether a run meets the requirements of a feature level, operator by operator.
//!
//! A gate reads a stored run only, so it does not matter where the run was made, or in how many parts.

mod badge;

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::{FeatureLevel, evidence::Tables};

use crate::{
    requirements::{Sums, TIER},
    results::{Footer, HALF_PRECISION, Header},
};
use dml_case::{
    lock::{Entry, tier_word},
    names::{CREATE_ONLY, IN_PLACE, LEVEL_NOT_ENFORCED, NOT_EXPRESSIBLE},
    outcome::Outcome,
    record::Record,
};

pub use badge::{endpoint, svg};

/// Reasons of skips that are allowed for cases of a level: the case cannot be expressed, or requires what this kind of
/// backend need not do.
const MAY_SKIP: [&str; 3] = [LEVEL_NOT_ENFORCED, NOT_EXPRESSIBLE, IN_PLACE];

/// Maximum number of cases that are named for each operator.
const NAMED: usize = 3;

/// What a gate asks for.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The level.
    pub level: FeatureLevel,
    /// What it requires.
    pub required: Sums,
    /// Digest of the specification that the run must have.
    pub spec_digest: String,
    /// Digest of the corpus that the run must have.
    pub corpus_digest: String,
    /// Operators to check; all that the suite covers if empty.
    pub operators: Vec<String>,
    /// All of DirectML's operators up to the level.
    pub all: Vec<String>,
    /// Those of which nothing but descriptors is tested.
    pub described: BTreeSet<String>,
    /// Whether nothing but descriptors is to be judged: what an operator computes is not required.
    pub create_only: bool,
    /// What the tables of the operators to check rest on, up to the level.
    pub tables: Tables,
}

/// Results of an operator's required cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorTally {
    /// Nothing but its descriptors is tested: what it computes is unknown.
    pub is_described: bool,
    /// Required cases that the run has.
    pub cases: u64,
    /// Those of them that were not skipped.
    pub judged: u64,
    /// Cases that fail, by outcome.
    pub failures: BTreeMap<String, u64>,
    /// Cases that fail, as is known.
    pub known: u64,
    /// Cases that were skipped, by reason.
    pub skips: BTreeMap<String, u64>,
    /// The first cases that do not pass.
    pub first: Vec<String>,
    /// Levels of whose tables the run lacks required cases.
    pub lacking: Vec<String>,
}

impl OperatorTally {
    /// Whether everything that is required passes.
    pub fn conforms(&self) -> bool {
        self.failures.is_empty()
            && self.known == 0
            && self.skips.is_empty()
            && self.lacking.is_empty()
            && self.judged > 0
    }

    /// Why it does not conform, in words.
    pub fn why(&self) -> String {
        let mut parts: Vec<String> = self.failures.iter().map(|(word, n)| format!("{n} {word}")).collect();
        if self.known > 0 {
            parts.push(format!("{} known failures", self.known));
        }
        parts.extend(self.skips.iter().map(|(reason, n)| format!("{n} skipped: {reason}")));
        if !self.lacking.is_empty() {
            parts.push(format!("not run as required: {}", self.lacking.join(", ")));
        }
        match parts.is_empty() {
            true => "nothing was judged".to_owned(),
            false => parts.join("; "),
        }
    }
}

/// State of a gate while it reads a run.
#[derive(Debug)]
pub struct Tally {
    gate: Gate,
    backend: String,
    found: Sums,
    operators: BTreeMap<String, OperatorTally>,
    problems: Vec<String>,
}

/// What a gate says of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Label of the backend.
    pub backend: String,
    /// The level.
    pub level: FeatureLevel,
    /// Digest of the specification.
    pub spec_digest: String,
    /// Operators by name that the suite covers and that are to be checked.
    pub operators: BTreeMap<String, OperatorTally>,
    /// Operators of the level that are to be checked (all if none is named), and that the suite does not cover.
    pub uncovered: Vec<String>,
    /// How many operators the level has.
    pub of: usize,
    /// Whether nothing but descriptors was to be judged.
    pub create_only: bool,
    /// What the tables of the operators to check rest on, up to the level.
    pub tables: Tables,
    /// Why the run cannot be judged at all.
    pub problems: Vec<String>,
}

impl Tally {
    /// A run starts.
    pub fn new(gate: Gate, header: &Header) -> Self {
        let mut problems = Vec::new();
        let mut want = |holds: bool, problem: String| {
            if !holds {
                problems.push(problem);
            }
        };
        let (tier, wanted) = (header.tier.as_str(), tier_word(TIER));
        want(
            tier == wanted,
            format!("the run is of tier {tier}, the gate needs {wanted}"),
        );
        want(
            header.seed == 0,
            format!("the run has seed {}, the gate 0", header.seed),
        );
        want(
            header.basis == "runtime",
            format!("the run is on the basis of the {}", header.basis),
        );
        want(
            !header.half_precision(),
            format!("the run is one with {HALF_PRECISION}; the gate needs one without it"),
        );
        let part = header
            .shard
            .as_ref()
            .map(|shard| format!("{}/{}", shard.index, shard.of))
            .unwrap_or_default();
        want(
            header.shard.is_none(),
            format!("the run is shard {part}; merge all shards with `dml-cts report merge`"),
        );
        let (theirs, ours) = (&header.spec_digest, &gate.spec_digest);
        want(
            theirs == ours,
            format!("the run is of specification {theirs}, the gate needs {ours}"),
        );
        let (theirs, ours) = (&header.corpus_digest, &gate.corpus_digest);
        want(
            theirs == ours,
            format!(
                "the run is of corpus {theirs}, the gate needs {ours}; run it with the version of the suite that judges it"
            ),
        );
        let highest = header.backend.feature_level.parse::<FeatureLevel>();
        let reaches = highest.as_ref().is_ok_and(|highest| *highest >= gate.level);
        let theirs = &header.backend.feature_level;
        want(
            reaches,
            format!(
                "the backend declares feature level {theirs}, which is below {}",
                gate.level
            ),
        );
        let names: BTreeSet<&String> = gate.required.keys().map(|(operator, ..)| operator).collect();
        let asked = |name: &&String| gate.operators.is_empty() || gate.operators.contains(name);
        let operators = names.into_iter().filter(asked).map(|name| {
            let is_described = gate.create_only || gate.described.contains(name);
            let tally = OperatorTally {
                is_described,
                ..OperatorTally::default()
            };
            (name.clone(), tally)
        });
        Self {
            operators: operators.collect(),
            backend: header.backend.label.clone(),
            found: Sums::new(),
            problems,
            gate,
        }
    }

    /// A case of the run.
    pub fn case(&mut self, line: &Record) {
        let id = &line.id;
        let Some(tally) = self.operators.get_mut(id.operator()) else {
            return;
        };
        let key = (id.operator().to_owned(), id.level());
        if !self.gate.required.contains_key(&key) {
            return;
        }
        let found: &mut Entry = self.found.entry(key).or_default();
        found.cases += 1;
        found.digest.add(line.expectation);
        tally.cases += 1;
        tally.judged += u64::from(line.outcome != Outcome::Skip);
        let reason = line.reason.as_deref().unwrap_or_default();
        match line.outcome {
            Outcome::Skip if MAY_SKIP.contains(&reason) || self.gate.create_only && reason == CREATE_ONLY => return,
            Outcome::Skip => *tally.skips.entry(reason.to_owned()).or_default() += 1,
            Outcome::XFail => tally.known += 1,
            outcome if outcome.is_failure() => *tally.failures.entry(outcome.word().to_owned()).or_default() += 1,
            _ => return,
        }
        if tally.first.len() < NAMED {
            tally.first.push(line.id.to_string());
        }
    }

    /// The run has ended; without a footer it was cut short.
    pub fn finish(mut self, footer: Option<&Footer>) -> Verdict {
        match footer {
            None => self.problems.push("the run was cut short: it has no footer".to_owned()),
            Some(footer) => self.problems.extend(footer.doubts.iter().cloned()),
        }
        for (key, required) in &self.gate.required {
            let (operator, level) = key;
            let Some(tally) = self.operators.get_mut(operator) else {
                continue;
            };
            let found = self.found.get(key).copied().unwrap_or_default();
            if found != *required {
                let what = match found.cases == required.cases {
                    true => "with other content".to_owned(),
                    false => format!("{} of {} cases", found.cases, required.cases),
                };
                tally.lacking.push(format!("{level} ({what})"));
            }
        }
        let asked = |name: &String| self.gate.operators.is_empty() || self.gate.operators.contains(name);
        let covered = |name: &&String| asked(name) && !self.operators.contains_key(*name);
        Verdict {
            backend: self.backend,
            level: self.gate.level,
            spec_digest: self.gate.spec_digest,
            uncovered: self.gate.all.iter().filter(covered).cloned().collect(),
            of: self.gate.all.len(),
            create_only: self.gate.create_only,
            tables: self.gate.tables,
            operators: self.operators,
            problems: self.problems,
        }
    }
}

/// How a run came through a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// Everything that was asked for passes, or its failures are known.
    Holds,
    /// Something fails.
    Fails,
    /// Nothing fails, but not everything that is required was judged.
    Incomplete,
}

impl Verdict {
    /// How many operators conform, with what they compute.
    pub fn conforming(&self) -> usize {
        self.operators
            .values()
            .filter(|tally| tally.conforms() && !tally.is_described)
            .count()
    }

    /// How many operators conform as far as is tested: by their descriptors alone.
    pub fn described(&self) -> usize {
        self.operators
            .values()
            .filter(|tally| tally.conforms() && tally.is_described)
            .count()
    }

    /// How the run came through.
    pub fn passage(&self) -> Passage {
        let is_open = |tally: &OperatorTally| !tally.skips.is_empty() || !tally.lacking.is_empty() || tally.judged == 0;
        if self.operators.values().any(|tally| !tally.failures.is_empty()) {
            Passage::Fails
        } else if !self.problems.is_empty() || self.operators.is_empty() || self.operators.values().any(is_open) {
            Passage::Incomplete
        } else {
            Passage::Holds
        }
    }

    /// How many operators of how many, the level, and of how many more nothing but descriptors is tested.
    pub fn says(&self) -> String {
        let level = self.level.to_string().replace('.', "_");
        let digest: String = self.spec_digest.chars().take(12).collect();
        let descriptors = match self.described() {
            described if self.create_only => {
                return format!(
                    "conforms for the descriptors of {described} of {} operators of DML_FEATURE_LEVEL_{level} (spec digest {digest})",
                    self.of
                );
            }
            0 => String::new(),
            more => format!(", and for the descriptors of {more} more"),
        };
        format!(
            "conforms for {} of {} operators of DML_FEATURE_LEVEL_{level}{descriptors} (spec digest {digest})",
            self.conforming(),
            self.of
        )
    }
}

#[cfg(test)]
mod tests;
