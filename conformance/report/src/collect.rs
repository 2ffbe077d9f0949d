//! Data of a run that a report needs: counts, groups of failures, what the backend follows.

use std::{cmp::Reverse, collections::BTreeMap, iter::Sum};

use dml_spec::model::Text;

use crate::groups::{Failures, Group};
use dml_case::{
    outcome::{Follows, Nearness, Outcome},
    record::Record,
};

/// Counts of one cell of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// All cases.
    pub cases: u64,
    /// As expected.
    pub pass: u64,
    /// Not conformant, as is known.
    pub xfail: u64,
    /// Not conformant.
    pub fail: u64,
    /// Ran, but the result is unspecified.
    pub unspecified: u64,
    /// Not judged.
    pub skip: u64,
}

impl Cell {
    /// Counts a case with this outcome, in a word.
    pub fn count(&mut self, outcome: &str) {
        self.cases += 1;
        let place = match outcome {
            "pass" => &mut self.pass,
            "xfail" => &mut self.xfail,
            "unspecified" => &mut self.unspecified,
            "skip" => &mut self.skip,
            _ => &mut self.fail,
        };
        *place += 1;
    }
}

impl<'a> Sum<&'a Cell> for Cell {
    fn sum<I: Iterator<Item = &'a Self>>(cells: I) -> Self {
        cells.fold(Self::default(), |all, cell| Self {
            cases: all.cases + cell.cases,
            pass: all.pass + cell.pass,
            xfail: all.xfail + cell.xfail,
            fail: all.fail + cell.fail,
            unspecified: all.unspecified + cell.unspecified,
            skip: all.skip + cell.skip,
        })
    }
}

/// Behaviour of a backend if the outputs are unspecified.
#[derive(Clone, Debug, Default)]
pub struct Behaviours {
    /// Cases by all matching behaviours, the most specific first.
    fitting: BTreeMap<Vec<Text>, u64>,
    /// The smallest case without a matching behaviour.
    pub strange: Option<Record>,
}

impl Behaviours {
    fn add(&mut self, behaviours: &[Text], record: &Record) {
        let is_smaller = |known: &Record| record.elements < known.elements;
        if behaviours.is_empty() && self.strange.as_ref().is_none_or(is_smaller) {
            self.strange = Some(record.clone());
        }
        match self.fitting.get_mut(behaviours) {
            Some(count) => *count += 1,
            None => drop(self.fitting.insert(behaviours.to_vec(), 1)),
        }
    }

    /// Each case once, for the behaviour that matches most cases; `None` for those without one.
    pub fn counts(&self) -> Vec<(Option<Text>, u64)> {
        let (mut left, mut counts) = (self.fitting.clone(), Vec::new());
        while let Some(best) = most(&left) {
            let fits = |behaviours: &Vec<Text>| behaviours.contains(&best);
            counts.push((
                Some(best.clone()),
                left.iter().filter(|(b, _)| fits(b)).map(|(_, n)| n).sum(),
            ));
            left.retain(|behaviours, _| !fits(behaviours));
        }
        counts.extend(left.into_values().map(|count| (None, count)));
        counts
    }
}

/// The behaviour that matches most cases; of equals the more specific one.
fn most(left: &BTreeMap<Vec<Text>, u64>) -> Option<Text> {
    let mut fits: BTreeMap<&Text, (u64, Reverse<usize>)> = BTreeMap::new();
    for (behaviours, count) in left {
        for (place, behaviour) in behaviours.iter().enumerate() {
            let (all, first) = fits.entry(behaviour).or_insert((0, Reverse(place)));
            *all += count;
            *first = (*first).max(Reverse(place));
        }
    }
    let best = fits.into_iter().max_by_key(|(_, fits)| *fits);
    best.map(|(behaviour, _)| behaviour.clone())
}

/// What a report remembers.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// Counts per operator, family and level.
    pub table: BTreeMap<String, BTreeMap<String, BTreeMap<String, Cell>>>,
    /// Families of each operator in the order of the plan.
    pub families: BTreeMap<String, Vec<String>>,
    /// Per clause on which text and runtimes differ: how many cases follow which.
    pub follows: BTreeMap<String, BTreeMap<Follows, u64>>,
    /// Per clause that leaves outputs open: number of cases by behaviour, and the first without a known one.
    pub does: BTreeMap<String, Behaviours>,
    /// Failures by class and clause, and what they share.
    pub(super) failed: Failures,
    /// Reasons of failures that are known, with the first case and how many fail for it.
    pub known: BTreeMap<String, (String, u64)>,
    /// The worst accepted error of each operator and data type, and the case that has it.
    pub nearness: BTreeMap<(String, String), (Nearness, String)>,
    /// Reasons of skips, with the first case and how many are skipped for it.
    pub skips: BTreeMap<String, (String, u64)>,
    /// Remarks, with the first case and how many have it.
    pub warnings: BTreeMap<String, (String, u64)>,
}

impl Collected {
    /// Takes a case in.
    pub fn add(&mut self, record: &Record) {
        self.count(record);
        self.failed.add(record);
        for (clause, follows) in &record.follows {
            let known = self.follows.get_mut(clause.as_ref());
            match known.and_then(|counts| counts.get_mut(follows)) {
                Some(count) => *count += 1,
                None => drop(self.follows.entry(clause.to_string()).or_default().insert(*follows, 1)),
            }
        }
        for (clause, behaviours) in &record.does {
            self.does.entry(clause.to_string()).or_default().add(behaviours, record);
        }
        self.near(record);
        match (record.outcome, &record.reason) {
            (Outcome::XFail, Some(reason)) => tally(&mut self.known, reason, record),
            (Outcome::Skip, Some(reason)) => tally(&mut self.skips, reason, record),
            _ => {}
        }
        for warning in &record.warnings {
            tally(&mut self.warnings, warning, record);
        }
    }

    fn near(&mut self, record: &Record) {
        let nearness = Nearness {
            share: record.share,
            ulps: record.ulps,
        };
        if nearness.share == 0 {
            return;
        }
        let first = record.id.params().next().map(|(_, value)| value);
        let data_type = record.id.get("type").or(first).unwrap_or_default();
        let key = (record.id.operator().to_owned(), data_type.to_owned());
        let worst = self.nearness.entry(key).or_default();
        if worst.0 < nearness {
            *worst = (nearness, record.id.to_string());
        }
    }

    fn count(&mut self, record: &Record) {
        let (id, outcome) = (&record.id, record.outcome.word());
        let rows = self.table.get_mut(id.operator());
        let row = rows.and_then(|rows| rows.get_mut(id.family()));
        if let Some(cell) = row.and_then(|row| row.get_mut(id.level_text())) {
            return cell.count(outcome);
        }
        let families = self.families.entry(id.operator().to_owned()).or_default();
        if !families.iter().any(|family| family == id.family()) {
            families.push(id.family().to_owned());
        }
        let rows = self.table.entry(id.operator().to_owned()).or_default();
        let row = rows.entry(id.family().to_owned()).or_default();
        row.entry(id.level_text().to_owned()).or_default().count(outcome);
    }

    /// Groups of failures. The largest comes first, and cases without outputs come last: wrong outputs say more.
    pub fn failures(&self) -> Vec<Group> {
        self.failed.groups()
    }
}

/// Counts a case under this text, and keeps the first.
fn tally(counts: &mut BTreeMap<String, (String, u64)>, said: &str, record: &Record) {
    match counts.get_mut(said) {
        Some((_, count)) => *count += 1,
        None => drop(counts.insert(said.to_owned(), (record.id.to_string(), 1))),
    }
}

#[cfg(test)]
mod tests {
    use crate::collect::*;

    #[test]
    fn cases_count_for_what_most_of_them_do() {
        let record = |elements: u64| {
            let id = format!("TOP_K1:2.1:nan:k={elements}").parse().unwrap();
            Record {
                elements,
                ..Record::new(id, Outcome::Unspecified)
            }
        };
        let mut found = Behaviours::default();
        let mut add = |words: &[&'static str], times: u64| {
            let words: Vec<Text> = words.iter().map(|word| Text::Borrowed(word)).collect();
            (0..times).for_each(|_| found.add(&words, &record(1)));
        };
        add(&["greatest", "last"], 5);
        add(&["least", "last"], 4);
        add(&["in-order"], 2);
        assert!(found.strange.is_none());
        found.add(&[], &record(7));
        let counts = found.counts();
        let counted: Vec<(&str, u64)> = counts
            .iter()
            .map(|(w, n)| (w.as_deref().unwrap_or("none"), *n))
            .collect();
        assert_eq!(counted, [("last", 9), ("in-order", 2), ("none", 1)]);
        // The smallest is shown, the first of equals.
        found.add(&[], &record(3));
        found.add(&[], &record(5));
        let strange = found.strange.map(|record| record.elements);
        assert_eq!(strange, Some(3));
    }
}
