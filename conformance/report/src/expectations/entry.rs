//! Entries of known failures, and what they make of a case's outcome.

use std::sync::Arc;

use dml_spec::Place;

use dml_case::{
    digest::Digest,
    id::CaseId,
    names::{DIFFERS, EARLIER_CLASSES},
    outcome::Outcome,
    query::Query,
    record::Record,
};

use super::{Allowed, Conditions, Facts, SeenCases};

/// Failures that are known.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// The entries, in the order of the files.
    pub entries: Vec<Entry>,
    /// The corpus that runs, where that is known.
    corpus: Option<Digest>,
}

/// An entry: which cases fail, how, and why that is accepted.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// The cases.
    pub query: Query,
    /// The case, where the query is a whole id.
    pub id: Option<CaseId>,
    /// What may become of them.
    pub allowed: Allowed,
    /// Class of the mistake, such as `tie-order`; any where it is left open.
    pub class: Option<String>,
    /// Why that is accepted.
    pub because: String,
    /// Where it is followed up.
    pub link: Option<String>,
    /// The last day on which nobody has to look at it again, as `YYYY-MM-DD`.
    pub until: Option<String>,
    /// Where it holds.
    pub only: Conditions,
    /// The corpus that it was written for.
    pub corpus: Arc<Corpus>,
}

/// The corpus that a file was written for, as far as the file says.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Its digest.
    pub digest: Option<Digest>,
    /// The cases that were known to fail then.
    pub seen: SeenCases,
}

impl Entry {
    /// Reason and link in a line.
    pub fn why(&self) -> String {
        match &self.link {
            Some(link) => format!("{} ({link})", self.because),
            None => self.because.clone(),
        }
    }

    /// What it says, wherever it stands.
    fn spelled(&self) -> String {
        let (allowed, until) = (self.allowed.spelled(), self.until.as_deref().unwrap_or_default());
        let class = self.class.as_deref().unwrap_or_default();
        format!(
            "{}\n{allowed}\n{class}\n{}\n{until}\n{:?}\n",
            self.query,
            self.why(),
            self.only
        )
    }

    /// Whether the entry is about this case.
    pub fn covers(&self, id: &CaseId) -> bool {
        self.id.as_ref().map_or_else(|| self.query.matches(id), |own| own == id)
    }

    /// Whether its date is over on this day.
    pub fn is_expired(&self, day: &str) -> bool {
        // Days are written so that they sort as text.
        self.until.as_deref().is_some_and(|until| until < day)
    }

    /// Whether a case of the query fails as the entry says.
    fn expects(&self, record: &Record) -> bool {
        let has_class = |class: &String| {
            let is_earlier = || record.class() == DIFFERS && EARLIER_CLASSES.contains(&class.as_str());
            record.class() == *class || is_earlier()
        };
        self.allowed.failure(record.outcome.word()) && self.class.as_ref().is_none_or(has_class)
    }

    /// Whether the case is newer than the file, of which the entry knows part by a wildcard.
    fn is_news(&self, record: &Record, corpus: Option<Digest>) -> bool {
        let is_other = self.corpus.digest.zip(corpus).is_some_and(|(then, now)| then != now);
        is_other && self.id.is_none() && !self.corpus.seen.contains(record.id.as_str())
    }
}

impl Expectations {
    /// These entries.
    pub fn new(entries: Vec<Entry>) -> Self {
        Self { entries, corpus: None }
    }

    /// Digest of what the entries say; nothing where there are none.
    pub fn digest(&self) -> Option<Digest> {
        let text: String = self.entries.iter().map(Entry::spelled).collect();
        (!text.is_empty()).then(|| Digest::of_text(&text))
    }

    /// The corpus that they were written for, if that is known and another one.
    pub fn other_corpus(&self, corpus: Digest) -> Option<Digest> {
        let mut written = self.entries.iter().filter_map(|entry| entry.corpus.digest);
        written.find(|known| *known != corpus)
    }

    /// The entries that hold there, for cases of this corpus.
    #[must_use]
    pub fn holding(&self, facts: &Facts, corpus: Digest) -> Self {
        let entries = self.entries.iter().filter(|entry| entry.only.holds(facts));
        Self {
            entries: entries.cloned().collect(),
            corpus: Some(corpus),
        }
    }

    /// Entries whose date is over on this day.
    pub fn expired(&self, day: &str) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.is_expired(day))
    }

    /// Compares a case with what is known of it, and makes its outcome `xfail` or `xpass` accordingly. Whether it is a
    /// skip that is known.
    pub fn apply(&self, record: &mut Record) -> bool {
        let mut of_case = self.entries.iter().filter(|entry| entry.covers(&record.id)).peekable();
        if of_case.peek().is_none() {
            return false;
        }
        match record.outcome {
            Outcome::Skip => of_case.any(|entry| entry.allowed.skip()),
            Outcome::Pass => {
                let of_case: Vec<&Entry> = of_case.collect();
                if let [entry, ..] = of_case[..]
                    && !of_case.iter().any(|entry| entry.allowed.pass())
                {
                    let (place, expected) = (&entry.place, entry.allowed.spelled());
                    let message = format!("it passes, but {place} expects {expected}: {}", entry.why());
                    record.outcome = Outcome::XPass;
                    record.class = Some(Outcome::XPass.word().into());
                    record.message = Some(message);
                }
                false
            }
            outcome if outcome.is_failure() => {
                if let Some(entry) = of_case.find(|entry| entry.expects(record)) {
                    if entry.is_news(record, self.corpus) {
                        let (place, query) = (&entry.place, &entry.query);
                        record.warnings.push(format!(
                            "{place} covers it by `{query}`, but was written for an older corpus; see whether its reason \
                             holds, then `dml-cts expect update`"
                        ));
                    }
                    record.outcome = Outcome::XFail;
                    record.reason = Some(entry.why());
                }
                false
            }
            _ => false,
        }
    }
}
