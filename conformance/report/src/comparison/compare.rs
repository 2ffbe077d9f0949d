//! Two runs of one backend, case by case: changes of the backend, and changes of the suite.

use std::{collections::HashMap, io::BufRead};

use dml_spec::model::Text;
use serde::Serialize;

use super::State;
use crate::results::{Header, Line, ReadError, Reader};
use dml_case::{digest::Digest, outcome::Outcome, record::Record};

/// A run to compare with: the outcome of every case, and what was expected.
#[derive(Clone, Debug)]
pub struct Baseline {
    header: Header,
    cases: HashMap<Box<str>, Known>,
    complete: bool,
}

/// A case of the baseline.
#[derive(Clone, Debug)]
struct Known {
    outcome: Outcome,
    class: Option<Text>,
    expectation: Digest,
    met: bool,
}

impl Baseline {
    /// The runs of a file, one for each backend.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn read(lines: &mut Reader<impl BufRead>) -> Result<Vec<Self>, ReadError> {
        let mut runs: Vec<Self> = Vec::new();
        for line in lines {
            match (line?, runs.last_mut()) {
                (Line::Header(header), _) => runs.push(Self {
                    header: *header,
                    cases: HashMap::new(),
                    complete: false,
                }),
                (Line::Case(case), Some(run)) => run.add(&case),
                (Line::Footer(footer), Some(run)) => run.complete = footer.complete,
                (_, None) => {}
            }
        }
        Ok(runs)
    }

    /// Label of its backend.
    pub fn label(&self) -> &str {
        &self.header.backend.label
    }

    /// Whether a failing case of a run is news: it was right, or was not asked, or something else was expected of it.
    pub fn is_news(&self, case: &Record) -> bool {
        change(self.cases.get(case.id.as_str()), case).is_some_and(Change::is_new_failure)
    }

    fn add(&mut self, case: &Record) {
        let known = Known {
            outcome: case.outcome,
            class: case.class.clone(),
            expectation: case.expectation,
            met: false,
        };
        self.cases.insert(case.id.as_str().into(), known);
    }
}

/// The change of a case between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// With the same expectation, the backend passed before, and fails or does not answer now.
    Regressed,
    /// The same, but the failure is known.
    Accepted,
    /// It is new, or was skipped, and fails.
    NewFailing,
    /// The expectation changed, and it fails now.
    AskedOtherwiseFailing,
    /// It failed, and fails in another way.
    FailsOtherwise,
    /// It failed, and passes.
    Fixed,
    /// The expectation changed.
    AskedOtherwise,
    /// It failed, and is skipped.
    NoLongerJudged,
    /// It is new.
    New,
    /// It was skipped, and is judged now.
    NowJudged,
    /// It existed, and does not exist any more.
    Gone,
}

impl Change {
    /// All of them, the worst first.
    pub const ALL: [Self; 11] = [
        Self::Regressed,
        Self::NewFailing,
        Self::AskedOtherwiseFailing,
        Self::Accepted,
        Self::FailsOtherwise,
        Self::NoLongerJudged,
        Self::Fixed,
        Self::AskedOtherwise,
        Self::NowJudged,
        Self::New,
        Self::Gone,
    ];

    /// In words.
    pub fn spelled(self) -> &'static str {
        match self {
            Self::Regressed => "regressed",
            Self::Accepted => "regressed, but known",
            Self::NewFailing => "new, and failing",
            Self::AskedOtherwiseFailing => "expectation changed, and failing now",
            Self::FailsOtherwise => "failing in another way",
            Self::Fixed => "fixed",
            Self::AskedOtherwise => "expectation changed",
            Self::NoLongerJudged => "failed, now skipped",
            Self::New => "new",
            Self::NowJudged => "skipped before, now judged",
            Self::Gone => "gone",
        }
    }

    /// Whether a case fails that did not fail before.
    pub fn is_new_failure(self) -> bool {
        matches!(self, Self::Regressed) || self.is_of_suite()
    }

    /// Whether the suite changed, and not the backend.
    fn is_of_suite(self) -> bool {
        matches!(self, Self::NewFailing | Self::AskedOtherwiseFailing)
    }
}

/// A case that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// What happened to it.
    pub change: Change,
    /// Its id.
    pub id: String,
    /// Its outcome before; `None` if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// Its outcome now; `None` if it does not exist any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The first violated clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The failure in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A comparison under way.
#[derive(Debug)]
pub struct Comparison {
    old: Baseline,
    found: Compared,
}

/// What a comparison came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Compared {
    /// Label of the backend.
    pub backend: String,
    /// Differences of the suite: its version, specification, corpus.
    pub suite: Vec<String>,
    /// Differences of the settings: tier, levels, basis, seed, part.
    pub selection: Vec<String>,
    /// Differences of the backend, or of the machine.
    pub place: Vec<String>,
    /// Cases that are what they were.
    pub same: u64,
    /// Changed cases, in the order of the new run; removed ones in that of their ids.
    pub items: Vec<Item>,
    /// Both runs are complete.
    pub complete: bool,
}

impl Compared {
    /// How many cases changed in this way.
    pub fn count(&self, change: Change) -> usize {
        self.items.iter().filter(|item| item.change == change).count()
    }

    /// Whether both runs have cases, and none in common: nothing was compared.
    pub fn is_disjoint(&self) -> bool {
        let is_one_sided = |item: &Item| item.old.is_none() || item.new.is_none();
        self.same == 0 && !self.items.is_empty() && self.items.iter().all(is_one_sided)
    }

    /// Whether the backend, or with `allow_new` only the backend, got worse.
    pub fn is_worse(&self, allow_new: bool) -> bool {
        self.count(Change::Regressed) > 0 || (!allow_new && self.items.iter().any(|item| item.change.is_of_suite()))
    }
}

impl Comparison {
    /// Compares a run that starts now.
    pub fn new(old: Baseline, new: &Header) -> Self {
        let mut found = Compared {
            backend: new.backend.label.clone(),
            ..Compared::default()
        };
        let before = &old.header;
        let message = |what: &str, old: &str, new: &str| (old != new).then(|| format!("{what} {old} -> {new}"));
        found.suite.extend(message("version", &before.suite, &new.suite));
        found
            .suite
            .extend(message("specification", &before.spec_digest, &new.spec_digest));
        found
            .suite
            .extend(message("corpus", &before.corpus_digest, &new.corpus_digest));
        let spelled = |options: &[String]| match options {
            [] => "none".to_owned(),
            options => options.join(" "),
        };
        let part = |header: &Header| match &header.shard {
            Some(shard) => format!("{}/{}", shard.index, shard.of),
            None => "all".to_owned(),
        };
        for (what, old, new) in [
            ("tier", before.tier.clone(), new.tier.clone()),
            ("basis", before.basis.clone(), new.basis.clone()),
            ("seed", before.seed.to_string(), new.seed.to_string()),
            ("levels", before.levels.join(", "), new.levels.join(", ")),
            ("shard", part(before), part(new)),
        ] {
            found.selection.extend(message(what, &old, &new));
        }
        found
            .selection
            .extend(message("options", &spelled(&before.options), &spelled(&new.options)));
        let known = |header: &Header| header.expectations.clone().unwrap_or_else(|| "none".to_owned());
        found
            .selection
            .extend(message("known failures", &known(before), &known(new)));
        let (a, b) = (&before.backend, &new.backend);
        for (what, old, new) in [
            ("backend", &a.name, &b.name),
            ("backend's version", &a.version, &b.version),
            ("feature level", &a.feature_level, &b.feature_level),
            ("os", &before.os, &new.os),
            ("architecture", &before.arch, &new.arch),
        ] {
            found.place.extend(message(what, old, new));
        }
        let mut names: Vec<&String> = a.details.keys().chain(b.details.keys()).collect();
        names.sort_unstable();
        names.dedup();
        let detail = |of: &crate::results::BackendInfo, name: &str| {
            of.details
                .get(name)
                .map_or("nothing".to_owned(), |value| format!("`{value}`"))
        };
        for name in names {
            found.place.extend(message(name, &detail(a, name), &detail(b, name)));
        }
        Self { old, found }
    }

    /// A case of the new run.
    pub fn case(&mut self, line: &Record) {
        let before = self.old.cases.get_mut(line.id.as_str()).map(|known| {
            known.met = true;
            &*known
        });
        let Some(change) = change(before, line) else {
            self.found.same += 1;
            return;
        };
        let is_bad = State::of(line.outcome) == State::Bad;
        self.found.items.push(Item {
            change,
            id: line.id.to_string(),
            old: before.map(|known| known.outcome.word().to_owned()),
            new: Some(line.outcome.word().to_owned()),
            clause: line.clauses.first().filter(|_| is_bad).map(ToString::to_string),
            message: line.message.clone().filter(|_| is_bad).or_else(|| line.reason.clone()),
        });
    }

    /// The new run has ended, in this state.
    pub fn finish(mut self, complete: bool) -> Compared {
        self.found.complete = complete && self.old.complete;
        let missing = self.old.cases.iter().filter(|(_, known)| !known.met);
        let mut gone: Vec<Item> = missing
            .map(|(id, known)| Item {
                change: Change::Gone,
                id: id.to_string(),
                old: Some(known.outcome.word().to_owned()),
                new: None,
                clause: None,
                message: None,
            })
            .collect();
        gone.sort_by(|a, b| a.id.cmp(&b.id));
        self.found.items.append(&mut gone);
        self.found
    }
}

/// What happened to a case; nothing where it is what it was.
fn change(before: Option<&Known>, line: &Record) -> Option<Change> {
    let is_accepted = line.outcome == Outcome::XFail;
    let now = State::of(line.outcome);
    let is_news = now == State::Bad && !is_accepted;
    let new = if is_news { Change::NewFailing } else { Change::New };
    let Some(known) = before else {
        return Some(new);
    };
    let was = State::of(known.outcome);
    if known.expectation != line.expectation {
        return Some(match is_news && was != State::Bad {
            true => Change::AskedOtherwiseFailing,
            false => Change::AskedOtherwise,
        });
    }
    match (was, now) {
        (State::Good, State::Bad) if is_accepted => Some(Change::Accepted),
        (State::Good, State::Bad | State::Skipped) => Some(Change::Regressed),
        (State::Bad, State::Good) => Some(Change::Fixed),
        (State::Bad, State::Skipped) => Some(Change::NoLongerJudged),
        (State::Skipped, State::Good | State::Bad) if new == Change::New => Some(Change::NowJudged),
        (State::Skipped, State::Good | State::Bad) => Some(new),
        (State::Bad, State::Bad) => {
            let is_same = known.outcome == line.outcome || [known.outcome, line.outcome].contains(&Outcome::XFail);
            let differs = !is_same || known.class != line.class;
            differs.then_some(Change::FailsOtherwise)
        }
        (State::Good, State::Good) | (State::Skipped, State::Skipped) => None,
    }
}
