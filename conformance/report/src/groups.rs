//! Failures of a run, grouped by the clause that is blamed for them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use crate::dismissed::{Dismissed, Rates};
use crate::pattern::{LEAST, Patterns};
use crate::refusals::{Refusals, is_refused};
use crate::results::GroupLine;
use dml_case::{case::Mode, names::UNCOMPUTED_CLASSES, record::Record};
use dml_spec::model::Text;

/// Maximum number of failing ids that are kept of those of one class and clause.
const KEPT: usize = 1000;

/// Maximum number of groups of failures in a footer.
const GROUPS: usize = 500;

/// What is said of failures that no clause is blamed for, and that share nothing.
const NO_PATTERN: &str = "none found: no key of their ids tells these cases from those that pass";

/// Failures that one clause is blamed for.
#[derive(Clone, Debug)]
pub struct Group {
    /// The clause that is blamed; empty where none is.
    pub clause: String,
    /// What may be blamed for refused descriptors among them as well, or if nothing is.
    pub others: Vec<Text>,
    /// Its failures by class, the most frequent first.
    pub kinds: Vec<Kind>,
    /// How many.
    pub count: u64,
    /// The smallest case of the most frequent class.
    pub smallest: Record,
    /// Ids of failing cases, up to a limit.
    pub ids: Vec<String>,
}

/// Failures of one class that one clause is blamed for.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The class, such as `tie-order`.
    pub class: Text,
    /// How many.
    pub count: u64,
    /// The smallest case.
    pub smallest: Record,
    ids: Vec<String>,
}

/// All failures of a run, and what they share.
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// In the order in which they were met, each with the number of its list of clauses.
    kinds: Vec<(usize, Kind)>,
    numbers: HashMap<(usize, Text), usize>,
    /// The clauses that failures may violate, and whether they are those of refused descriptors.
    lists: Vec<(bool, Vec<Text>)>,
    patterns: Patterns,
    rates: Rates,
    refusals: Refusals,
}

impl Failures {
    /// Takes a case in, failed or not. What its line does not say comes from the plan: whether it executes, and how many
    /// elements it has.
    pub fn add(&mut self, record: &Record) {
        self.rates.add(record);
        self.refusals.add(record);
        let list = record.outcome.is_failure().then(|| self.list(record));
        let executes = record.mode == Mode::Execute;
        self.patterns.add(&record.id, executes, record.outcome.word(), list);
        let Some(list) = list else { return };
        let number = self
            .numbers
            .entry((list, record.class()))
            .or_insert_with_key(|(list, class)| {
                self.kinds.push((*list, Kind::new(class.clone(), record)));
                self.kinds.len() - 1
            });
        if let Some((_, kind)) = self.kinds.get_mut(*number) {
            kind.add(record);
        }
    }

    /// The number of the list of clauses of a failure.
    fn list(&mut self, record: &Record) -> usize {
        let is_refused = is_refused(record);
        let is_known = |(refused, known): &(bool, Vec<Text>)| *refused == is_refused && *known == record.clauses;
        self.lists.iter().position(is_known).unwrap_or_else(|| {
            self.lists.push((is_refused, record.clauses.clone()));
            self.lists.len() - 1
        })
    }

    /// The clause that is blamed for the failures of a list; empty where none is.
    fn blamed(&self, list: usize, dismissed: &Dismissed) -> &str {
        let list = self.lists.get(list);
        list.map_or("", |(is_refused, clauses)| dismissed.blamed(clauses, *is_refused))
    }

    /// The guarantees that are not blamed: the cases that they speak of fail no more often than others.
    pub fn dismissed_guarantees(&self) -> BTreeSet<Text> {
        self.rates.dismissed()
    }

    /// What refused descriptors rest on and is not blamed.
    pub fn dismissed_grounds(&self) -> BTreeSet<Text> {
        self.refusals.dismissed()
    }

    fn dismissed(&self) -> Dismissed {
        Dismissed {
            guarantees: self.dismissed_guarantees(),
            grounds: self.dismissed_grounds(),
        }
    }

    /// The groups, the largest first; those that nothing was computed in last.
    pub fn groups(&self) -> Vec<Group> {
        let dismissed = self.dismissed();
        let mut by_clause: BTreeMap<&str, Vec<Kind>> = BTreeMap::new();
        for (list, kind) in &self.kinds {
            let kinds = by_clause.entry(self.blamed(*list, &dismissed)).or_default();
            match kinds.iter_mut().find(|known| known.class == kind.class) {
                Some(known) => known.join(kind),
                None => kinds.push(kind.clone()),
            }
        }
        let others = |clause: &str| self.refusals.others(clause, &dismissed.grounds);
        let group = |(clause, kinds): (&str, Vec<Kind>)| Group::new(clause, others(clause), kinds);
        let mut groups: Vec<Group> = by_clause.into_iter().filter_map(group).collect();
        let uncomputed = |group: &Group| {
            let kind = group.kinds.first();
            kind.is_some_and(|kind| UNCOMPUTED_CLASSES.contains(&kind.class.as_ref()))
        };
        groups.sort_by_key(|group| (uncomputed(group), Reverse(group.count)));
        groups
    }

    /// What the failures of a group share and passes lack, in words. If no clause is blamed either, that there is nothing.
    pub(super) fn pattern(&self, group: &Group) -> Option<String> {
        let dismissed = self.dismissed();
        let pattern = self.patterns.of(&|list| self.blamed(list, &dismissed) == group.clause);
        let is_unknown = group.clause.is_empty() && group.count >= LEAST;
        pattern.or_else(|| is_unknown.then(|| NO_PATTERN.to_owned()))
    }

    /// The groups in the form of a footer.
    pub fn lines(&self) -> Vec<GroupLine> {
        let line = |group: Group| GroupLine {
            pattern: self.pattern(&group),
            clause: group.clause,
            others: group.others,
            classes: group
                .kinds
                .iter()
                .map(|kind| (kind.class.to_string(), kind.count))
                .collect(),
            count: group.count,
            smallest: group.smallest.id.to_string(),
            message: group.smallest.message,
        };
        self.groups().into_iter().take(GROUPS).map(line).collect()
    }
}

impl Kind {
    fn new(class: Text, smallest: &Record) -> Self {
        Self {
            class,
            count: 0,
            smallest: smallest.clone(),
            ids: Vec::new(),
        }
    }

    fn add(&mut self, record: &Record) {
        self.count += 1;
        if record.elements < self.smallest.elements {
            self.smallest = record.clone();
        }
        if self.ids.len() < KEPT {
            self.ids.push(record.id.to_string());
        }
    }

    /// Takes in failures of the same class.
    fn join(&mut self, other: &Self) {
        self.count += other.count;
        if other.smallest.elements < self.smallest.elements {
            self.smallest = other.smallest.clone();
        }
        let room = KEPT.saturating_sub(self.ids.len());
        self.ids.extend(other.ids.iter().take(room).cloned());
    }
}

/// How what may be blamed besides a clause, or where none is, is introduced.
pub(crate) fn word_for_others(clause: &str) -> &'static str {
    if clause.is_empty() { "perhaps" } else { "or" }
}

impl Group {
    fn new(clause: &str, others: Vec<Text>, mut kinds: Vec<Kind>) -> Option<Self> {
        let ids = kinds
            .iter()
            .flat_map(|kind| kind.ids.iter().cloned())
            .take(KEPT)
            .collect();
        kinds.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.class.cmp(&b.class)));
        Some(Self {
            clause: clause.to_owned(),
            others,
            count: kinds.iter().map(|kind| kind.count).sum(),
            smallest: kinds.first()?.smallest.clone(),
            kinds,
            ids,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::groups::*;
    use dml_case::outcome::{Diagnosis, Judged, Outcome};

    /// A case with so many elements that fails with this class, or passes.
    fn record(elements: u64, class: Option<&'static str>) -> Record {
        let clauses = match class {
            Some("differs" | "unwritten") => vec!["TOP_K1/selects-top".into()],
            Some("indices-distinct") => vec!["TOP_K1/indices-of-sequence".into()],
            _ => Vec::new(),
        };
        let id = format!("TOP_K1:2.1:sizes:sizes={elements}x1,axis=0,k=1");
        let judged = class.map_or(Judged::plain(Outcome::Pass), |class| {
            let message = format!("{class} of {elements}");
            Judged::explained(Outcome::Fail, Diagnosis::new(class, clauses, message))
        });
        Record {
            elements,
            ..Record::new(id.parse().unwrap(), judged.outcome).judged(judged)
        }
    }

    fn failures(records: &[Record]) -> Failures {
        let mut failures = Failures::default();
        records.iter().for_each(|record| failures.add(record));
        failures
    }

    #[test]
    fn a_clause_has_its_classes_and_the_smallest_case_of_each() {
        let found = failures(&[
            record(2, Some("unwritten")),
            record(5, Some("differs")),
            record(3, Some("indices-distinct")),
            record(1, None),
            record(4, Some("differs")),
        ]);
        let groups = found.groups();
        let of = |group: &Group| -> Vec<(String, u64, u64)> {
            let kinds = group.kinds.iter();
            kinds
                .map(|kind| (kind.class.to_string(), kind.count, kind.smallest.elements))
                .collect()
        };
        assert_eq!(
            (groups.len(), groups[0].clause.as_str(), groups[0].count),
            (2, "TOP_K1/selects-top", 3)
        );
        assert_eq!(
            of(&groups[0]),
            [("differs".to_owned(), 2, 4), ("unwritten".to_owned(), 1, 2)]
        );
        assert_eq!((groups[0].smallest.elements, groups[0].ids.len()), (4, 3));
        assert_eq!(found.lines()[0].message.as_deref(), Some("differs of 4"));
    }

    #[test]
    fn what_one_clause_is_blamed_for_is_one_group() {
        let of = |elements: u64, clauses: &[&'static str]| {
            let clauses: Vec<Text> = clauses.iter().map(|id| Text::Borrowed(id)).collect();
            let diagnosis = Diagnosis::new("differs", clauses.clone(), String::new());
            Record {
                mode: Mode::Execute,
                special: clauses.into_iter().filter(|id| *id == "TOP_K1/sorted").collect(),
                ..record(elements, None).judged(Judged::explained(Outcome::Fail, diagnosis))
            }
        };
        let special = of(3, &["TOP_K1/sorted", "TOP_K1/selects-top"]);
        let others = [4, 2].map(|elements| of(elements, &["TOP_K1/selects-top"]));
        let found = failures(&[std::slice::from_ref(&special), &others[..]].concat()).groups();
        let group = &found[0];
        assert_eq!(
            (found.len(), group.clause.as_str(), group.kinds.len()),
            (1, "TOP_K1/selects-top", 1)
        );
        assert_eq!((group.count, group.ids.len(), group.smallest.elements), (3, 3, 2));
        // Nothing else was judged.
        assert_eq!(failures(&[special]).groups()[0].clause, "TOP_K1/sorted");
    }

    #[test]
    fn wrong_outputs_come_before_errors() {
        let errors = [2, 3].map(|n| record(n, Some("backend-error")));
        let groups = failures(&[&errors[..], &[record(4, Some("unwritten"))]].concat()).groups();
        let classes: Vec<&str> = groups.iter().map(|group| group.kinds[0].class.as_ref()).collect();
        assert_eq!(classes, ["unwritten", "backend-error"]);
    }

    #[test]
    fn patterns_that_hold_of_few_failures_are_not_told() {
        let pattern_of = |class: &'static str, fails: fn(u64) -> bool| {
            let records: Vec<Record> = (1..=90).map(|n| record(n, fails(n).then_some(class))).collect();
            failures(&records).lines().remove(0).pattern
        };
        let pattern = |fails| pattern_of("unwritten", fails);
        let clear = pattern(|n| n > 30).unwrap();
        assert!(clear.starts_with("fails 60 of 60 where "), "{clear}");
        assert_eq!(pattern(|n| n % 3 == 0), None);
        assert_eq!(pattern(|n| n > 86), None, "four may share anything");
        assert!(pattern(|n| n > 85).is_some());
        // What has neither a clause nor a pattern says so, if it is more than a few.
        assert_eq!(pattern_of("backend-error", |n| n % 3 == 0).as_deref(), Some(NO_PATTERN));
        assert_eq!(pattern_of("backend-error", |n| n > 86), None);
    }
}
