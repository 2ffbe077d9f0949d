//! What failures of a group share: keeps the features of every judged case, small, and asks the judge.

use std::collections::HashMap;

use super::collect::group_key;
use crate::{
    case::Mode,
    judge::summary::{Features, features, summarise},
    outcome::Outcome,
    run::Record,
};

/// The judged cases of a run, as numbers of texts that stand elsewhere once.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
    /// Keys and values of all cases, one behind the other.
    features: Vec<(u32, u32)>,
    cases: Vec<Seen>,
    groups: HashMap<(String, String), u32>,
}

#[derive(Clone, Debug)]
struct Seen {
    /// Where its features end; they start where the case before ends.
    end: usize,
    operator: u32,
    executes: bool,
    group: Option<u32>,
}

impl Patterns {
    /// Takes a case in. Skipped ones say nothing.
    pub fn add(&mut self, record: &Record) {
        if matches!(record.judged.outcome, Outcome::Skip(_)) {
            return;
        }
        for (key, value) in features(&record.id) {
            let pair = (self.number(key), self.number(value));
            self.features.push(pair);
        }
        let group = record.judged.outcome.is_failure().then(|| {
            let next = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
            *self.groups.entry(group_key(record)).or_insert(next)
        });
        let operator = self.number(record.id.operator.clone());
        let executes = record.mode == Mode::Execute;
        self.cases.push(Seen { end: self.features.len(), operator, executes, group });
    }

    fn number(&mut self, text: String) -> u32 {
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// What the failures of a group share and the other cases of the operator lack, in words.
    pub fn of(&self, clause: &str, class: &str) -> Option<String> {
        let group = *self.groups.get(&(clause.to_owned(), class.to_owned()))?;
        let members = || self.cases.iter().filter(move |seen| seen.group == Some(group));
        let first = members().next()?;
        // Cases that only judge a descriptor say nothing of results, and the other way round.
        let executes = members().all(|seen| seen.executes);
        let creates = members().all(|seen| !seen.executes);
        let related = |seen: &Seen| {
            seen.operator == first.operator && (seen.executes || !executes) && (!seen.executes || !creates)
        };
        let summary = summarise(|visit| {
            let (mut start, mut spelled) = (0, Features::new());
            for seen in &self.cases {
                let range = std::mem::replace(&mut start, seen.end)..seen.end;
                if related(seen) && (seen.group.is_none() || seen.group == Some(group)) {
                    self.spell(range, &mut spelled);
                    visit(&spelled, seen.group.is_some());
                }
            }
        })?;
        Some(summary.to_string())
    }

    /// Writes features over those of the case before, so that nothing is allocated.
    fn spell(&self, range: std::ops::Range<usize>, spelled: &mut Features) {
        let numbers = self.features.get(range).unwrap_or_default();
        spelled.resize_with(numbers.len(), Default::default);
        for ((key, value), (k, v)) in spelled.iter_mut().zip(numbers) {
            for (text, number) in [(key, k), (value, v)] {
                text.clear();
                text.push_str(self.texts.get(*number as usize).map_or("", String::as_str));
            }
        }
    }
}
