//! What stored runs say of each case, and where they ran.

use std::collections::{HashMap, HashSet};

use dml_spec::{FeatureLevel, model::Tier};

use super::{Entry, Facts, OUTCOMES};
use crate::results::Header;
use dml_case::{digest::Digest, id::CaseId, lock::tier_word, nearest::excerpt, outcome::Outcome, record::Record};

/// A set of outcomes, a bit each in the order of [`OUTCOMES`].
pub type Outcomes = u8;

/// The bit of passing: the last one.
pub(super) const PASS: Outcomes = 1 << (OUTCOMES.len() - 1);

/// What became of a case in one place.
#[derive(Clone, Debug, Default)]
pub struct CaseSeen {
    /// Its outcomes.
    pub outcomes: Outcomes,
    /// Class of the failures; `None` where there were several.
    pub(super) class: Option<String>,
    /// The first clause that was broken.
    pub(super) clause: Option<String>,
    /// The reasons for which failures were accepted.
    reason: Option<String>,
}

impl CaseSeen {
    /// Whether it failed at least once.
    pub fn fails(&self) -> bool {
        self.outcomes & !PASS != 0
    }

    /// Whether it passed each time.
    pub fn passes_always(&self) -> bool {
        self.outcomes == PASS
    }
}

/// A place that runs were made in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) facts: Facts,
    pub(super) label: String,
}

/// What stored runs say.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    pub(super) places: Vec<Place>,
    ids: Vec<CaseId>,
    index: HashMap<CaseId, usize>,
    /// By case and place.
    seen: Vec<Vec<CaseSeen>>,
    corpus: Option<Digest>,
    here: usize,
    /// A run is of a part of the plan only.
    is_part: bool,
    /// The highest table levels of runs, beside those of their backends.
    levels: Vec<(FeatureLevel, FeatureLevel)>,
    /// Cases that came to nothing that is right or wrong.
    open: HashSet<usize>,
}

impl Observed {
    /// A run starts.
    ///
    /// # Errors
    /// Where it is of another corpus than those before.
    pub fn header(&mut self, header: &Header) -> Result<(), String> {
        let digest = Digest::parse(&header.corpus_digest);
        if let (Some(known), Some(new)) = (self.corpus, digest)
            && known != new
        {
            return Err(format!(
                "it is of corpus {new}, the runs before of {known}; take runs of one version of the suite"
            ));
        }
        self.corpus = self.corpus.or(digest);
        let is_all = header.shard.is_none() && header.selection.is_empty();
        self.is_part |= !is_all || header.tier == tier_word(Tier::Smoke);
        let highest = header.levels.iter().filter_map(|level| level.parse().ok()).max();
        if let (Some(highest), Ok(of_backend)) = (highest, header.backend.feature_level.parse()) {
            self.levels.push((highest, of_backend));
        }
        let place = Place {
            facts: Facts::of_run(header),
            label: header.backend.label.clone(),
        };
        self.here = match self.places.iter().position(|known| *known == place) {
            Some(at) => at,
            None => {
                self.places.push(place);
                self.places.len() - 1
            }
        };
        Ok(())
    }

    /// A case of the run.
    ///
    /// # Errors
    /// Where it has no id.
    pub fn case(&mut self, line: &Record) -> Result<(), String> {
        let text = line.id.as_str();
        let id: CaseId = text.parse().map_err(|_| format!("unknown case `{}`", excerpt(text)))?;
        let word = match line.outcome {
            Outcome::XPass => "pass",
            // The class says what kind of failure was accepted.
            Outcome::XFail => line
                .class
                .as_deref()
                .filter(|class| OUTCOMES.contains(class))
                .unwrap_or("fail"),
            outcome => outcome.word(),
        };
        let bit = OUTCOMES.iter().position(|known| *known == word && word != "skip");
        if bit.is_none() && word != "unspecified" {
            return Ok(());
        }
        let case = match self.index.get(&id) {
            Some(at) => *at,
            None => {
                self.index.insert(id.clone(), self.ids.len());
                self.ids.push(id);
                self.seen.push(Vec::new());
                self.ids.len() - 1
            }
        };
        let (Some(seen), Some(bit)) = (self.seen.get_mut(case), bit) else {
            self.open.insert(case);
            return Ok(());
        };
        seen.resize(self.places.len().max(seen.len()), CaseSeen::default());
        let Some(seen) = seen.get_mut(self.here) else {
            return Ok(());
        };
        if 1 << bit != PASS {
            seen.class = match seen.fails() {
                false => line.class.as_ref().map(ToString::to_string),
                true => seen
                    .class
                    .take()
                    .filter(|class| Some(class.as_str()) == line.class.as_deref()),
            };
            seen.clause = seen
                .clause
                .take()
                .or_else(|| line.clauses.first().map(ToString::to_string));
            seen.reason = line.reason.clone();
        }
        seen.outcomes |= 1 << bit;
        Ok(())
    }

    /// Digest of the corpus.
    pub fn corpus(&self) -> Option<Digest> {
        self.corpus
    }

    /// Whether the runs are of everything that their backends can be asked in the standard tier, where these are the
    /// levels of all tables.
    pub fn is_whole(&self, tables: impl Iterator<Item = FeatureLevel> + Clone) -> bool {
        let lacks = |(highest, of_backend): &(FeatureLevel, FeatureLevel)| {
            tables.clone().any(|level| level > *highest && level <= *of_backend)
        };
        !self.is_part && !self.ids.is_empty() && !self.levels.iter().any(lacks)
    }

    /// The cases, each once.
    pub fn ids(&self) -> &[CaseId] {
        &self.ids
    }

    /// How many cases there are.
    pub fn cases(&self) -> usize {
        self.ids.len()
    }

    /// Whether nobody defines what the case comes to, in some run.
    pub(super) fn is_open(&self, case: usize) -> bool {
        self.open.contains(&case)
    }

    /// How many runs' places there are.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// How many cases fail somewhere.
    pub fn failing(&self) -> usize {
        self.seen.iter().filter(|of| of.iter().any(CaseSeen::fails)).count()
    }

    /// What is seen of a case, place by place.
    pub fn of_case(&self, case: usize) -> impl Iterator<Item = (usize, &CaseSeen)> {
        self.seen
            .get(case)
            .into_iter()
            .flatten()
            .enumerate()
            .filter(|(_, seen)| seen.outcomes != 0)
    }

    /// Whether the entry expects how a case fails there.
    pub fn is_expected(&self, entry: &Entry, case: usize, place: usize) -> bool {
        let (Some(id), Some(place_of)) = (self.ids.get(case), self.places.get(place)) else {
            return false;
        };
        let Some(seen) = self.seen.get(case).and_then(|of| of.get(place)) else {
            return false;
        };
        let words = OUTCOMES
            .iter()
            .enumerate()
            .filter(|(bit, _)| seen.outcomes >> bit & 1 == 1);
        let is_class = match (&entry.class, &seen.class) {
            (None, _) => true,
            (Some(wanted), Some(found)) if wanted == found => true,
            // It was accepted for one of several explanations.
            _ => seen.reason.as_deref() == Some(entry.why().as_str()),
        };
        let mut words = words.map(|(_, word)| *word);
        entry.covers(id)
            && entry.only.holds(&place_of.facts)
            && is_class
            && words.all(|word| match word {
                "pass" => entry.allowed.pass(),
                word => entry.allowed.failure(word),
            })
    }

    /// What the runs have against an entry.
    pub(super) fn against(&self, entry: &Entry) -> Option<&'static str> {
        let (mut expected, mut looked_at, mut is_open) = (false, false, false);
        for (case, _) in self.ids.iter().enumerate().filter(|(_, id)| entry.covers(id)) {
            is_open |= self.is_open(case);
            for (place, seen) in self.of_case(case) {
                let holds = self
                    .places
                    .get(place)
                    .is_some_and(|place| entry.only.holds(&place.facts));
                if !holds {
                    continue;
                }
                if seen.passes_always() && !entry.allowed.pass() {
                    return Some("a case of it passes");
                }
                looked_at = true;
                expected |= self.is_expected(entry, case, place);
            }
        }
        let is_news = !expected && !entry.allowed.pass() && !entry.allowed.skip();
        match (looked_at, is_open) {
            (true, _) if is_news => Some("its cases fail in another way"),
            (false, true) if is_news && entry.only.is_everywhere() => Some("none of its cases fails any more"),
            _ => None,
        }
    }
}
