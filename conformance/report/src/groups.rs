//! Groups of failures by the clause that they violate first.
//!
//! Runs of earlier versions name several mistakes for a case. The one that was really made fits (nearly) all cases, so explanations are
//! chosen greedily: the one that fits most cases first, then the one that fits most of what is left.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use crate::pattern::Patterns;
use crate::results::GroupLine;
use dml_case::{names::UNCOMPUTED_CLASSES, record::Record};
use dml_spec::model::Text;

/// Maximum number of failing ids that are kept of those that fit the same explanations.
const KEPT: usize = 1000;

/// Maximum number of groups of failures in a footer.
const GROUPS: usize = 500;

/// Failures that blame one clause first.
#[derive(Clone, Debug)]
pub struct Group {
    /// The clause that is blamed; empty where none is.
    pub clause: String,
    /// Classes of the failures, such as `tie-order`, and how many each has, the most frequent first.
    pub classes: Vec<(Text, u64)>,
    /// How many.
    pub count: u64,
    /// The smallest case of each class, in the same order; if possible one whose first explanation that class is.
    pub smallest_of: Vec<Record>,
    /// The smallest case of the most frequent class, if possible one whose first explanation that class is.
    pub smallest: Record,
    /// What its class says of the smallest case.
    pub message: Option<String>,
    /// Ids of failing cases, up to a limit.
    pub ids: Vec<String>,
    /// Numbers of the suspicions that it is made from.
    pub suspicions: Vec<usize>,
}

/// A class of failures and the clause that it blames first; that is empty where it blames none.
type Explanation = (Text, Text);

/// Failures that fit the same explanations.
#[derive(Clone, Debug)]
struct Suspicion {
    /// The likeliest for a case alone first.
    explanations: Vec<Explanation>,
    count: u64,
    smallest: Record,
    ids: Vec<String>,
}

/// All failures of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Suspicions {
    all: Vec<Suspicion>,
    numbers: HashMap<Vec<Explanation>, usize>,
}

impl Suspicions {
    /// Takes a case in that failed: the number of its suspicion.
    pub(super) fn add(&mut self, record: &Record) -> Option<usize> {
        let number = *self
            .numbers
            .entry(record.explanations())
            .or_insert_with_key(|explanations| {
                self.all.push(Suspicion {
                    explanations: explanations.clone(),
                    count: 0,
                    smallest: record.clone(),
                    ids: Vec::new(),
                });
                self.all.len() - 1
            });
        let suspicion = self.all.get_mut(number)?;
        suspicion.count += 1;
        if record.elements < suspicion.smallest.elements {
            suspicion.smallest = record.clone();
        }
        if suspicion.ids.len() < KEPT {
            suspicion.ids.push(record.id.to_string());
        }
        Some(number)
    }

    /// The groups, the largest first; those that nothing was computed in last.
    pub(super) fn groups(&self) -> Vec<Group> {
        let mut by_clause: BTreeMap<&str, Vec<(usize, &Explanation)>> = BTreeMap::new();
        for (number, explanation) in self.chosen().into_iter().enumerate() {
            by_clause.entry(&explanation.1).or_default().push((number, explanation));
        }
        let groups = by_clause.into_iter();
        let mut groups: Vec<Group> = groups.filter_map(|(clause, of)| self.group(clause, &of)).collect();
        let uncomputed = |group: &Group| {
            let class = group.classes.first();
            class.is_some_and(|(class, _)| UNCOMPUTED_CLASSES.contains(&class.as_ref()))
        };
        groups.sort_by_key(|group| (uncomputed(group), Reverse(group.count)));
        groups
    }

    /// The groups in the form of a footer.
    pub(super) fn lines(&self, patterns: &Patterns) -> Vec<GroupLine> {
        let groups = self.groups();
        groups.iter().take(GROUPS).map(|group| group.line(patterns)).collect()
    }

    /// For every suspicion the explanation that it counts for.
    fn chosen(&self) -> Vec<&Explanation> {
        let mut chosen: Vec<Option<&Explanation>> = vec![None; self.all.len()];
        while let Some(best) = self.best(&chosen) {
            for (chosen, suspicion) in chosen.iter_mut().zip(&self.all) {
                if chosen.is_none() {
                    *chosen = suspicion.explanations.iter().find(|e| *e == best);
                }
            }
        }
        chosen.into_iter().flatten().collect()
    }

    /// The explanation that fits most cases for which none is chosen; of equals the one that is first in more of them.
    fn best(&self, chosen: &[Option<&Explanation>]) -> Option<&Explanation> {
        let mut fits: BTreeMap<&Explanation, (u64, u64)> = BTreeMap::new();
        let left = self.all.iter().zip(chosen).filter(|(_, chosen)| chosen.is_none());
        for (suspicion, _) in left {
            for (place, explanation) in suspicion.explanations.iter().enumerate() {
                let (all, first) = fits.entry(explanation).or_default();
                *all += suspicion.count;
                *first += if place == 0 { suspicion.count } else { 0 };
            }
        }
        let best = fits.into_iter().rev().max_by_key(|(_, fits)| *fits);
        best.map(|(explanation, _)| explanation)
    }

    fn group(&self, clause: &str, of: &[(usize, &Explanation)]) -> Option<Group> {
        let members = || of.iter().filter_map(|(number, e)| Some((self.all.get(*number)?, &e.0)));
        let mut counts: BTreeMap<&Text, u64> = BTreeMap::new();
        for (suspicion, class) in members() {
            *counts.entry(class).or_default() += suspicion.count;
        }
        let mut classes: Vec<(Text, u64)> = counts.into_iter().map(|(class, n)| (class.clone(), n)).collect();
        classes.sort_by_key(|(_, count)| Reverse(*count));
        let most = classes.first()?.0.clone();
        let smallest_of = |wanted: &Text| {
            let of_class = members()
                .filter(|(_, class)| *class == wanted)
                .map(|(suspicion, _)| suspicion);
            let is_first = |s: &Suspicion| s.explanations.first().is_some_and(|(class, _)| class == wanted);
            of_class.min_by_key(|s| (!is_first(s), s.smallest.elements))
        };
        let smallest_of: Option<Vec<&Suspicion>> = classes.iter().map(|(class, _)| smallest_of(class)).collect();
        let smallest_of = smallest_of?;
        let smallest = *smallest_of.first()?;
        let ids = members().flat_map(|(suspicion, _)| suspicion.ids.iter().cloned());
        Some(Group {
            clause: clause.to_owned(),
            count: classes.iter().map(|(_, count)| count).sum(),
            message: smallest.smallest.message_of(&most).map(str::to_owned),
            smallest: smallest.smallest.clone(),
            smallest_of: smallest_of.iter().map(|suspicion| suspicion.smallest.clone()).collect(),
            classes,
            ids: ids.take(KEPT).collect(),
            suspicions: of.iter().map(|(number, _)| *number).collect(),
        })
    }
}

impl Group {
    /// The group as a footer has it.
    fn line(&self, patterns: &Patterns) -> GroupLine {
        let classes = self.classes.iter();
        GroupLine {
            clause: self.clause.clone(),
            classes: classes.map(|(class, n)| (class.to_string(), *n)).collect(),
            count: self.count,
            smallest: self.smallest.id.to_string(),
            message: self.message.clone(),
            pattern: patterns.of(&self.suspicions),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::groups::*;
    use dml_case::outcome::{Diagnosis, Explanation, Judged, Outcome};

    /// A case with so many elements that fits these classes; capital letters are the clauses.
    fn record(elements: u64, classes: &[&'static str]) -> Record {
        let clause = |class: &str| -> Vec<Text> {
            let clause = match class {
                "axis-confused" | "unwritten" => "TOP_K1/selects-top",
                "index-duplicate" => "TOP_K1/indices-of-sequence",
                _ => return Vec::new(),
            };
            vec![clause.into()]
        };
        let other = |class: &&'static str| Explanation {
            class: Text::Borrowed(class),
            clauses: clause(class),
            message: format!("{class} of {elements}"),
        };
        let id = format!("TOP_K1:2.1:sizes:sizes={elements}x1,axis=0,k=1");
        let judged = classes.first().map_or(Judged::plain(Outcome::Pass), |first| {
            let message = format!("{first} of {elements} first");
            Judged::explained(Outcome::Fail, Diagnosis::new(*first, clause(first), message))
        });
        Record {
            elements,
            others: classes.iter().skip(1).map(other).collect(),
            ..Record::new(id.parse().unwrap(), judged.outcome).judged(judged)
        }
    }

    fn groups(records: &[Record]) -> Vec<Group> {
        let mut suspicions = Suspicions::default();
        let failed = |record: &&Record| record.outcome.is_failure();
        for record in records.iter().filter(failed) {
            assert!(suspicions.add(record).is_some());
        }
        suspicions.groups()
    }

    #[test]
    fn cases_count_for_the_mistake_that_fits_most_of_them() {
        let found = groups(&[
            record(2, &["unwritten", "axis-confused"]),
            record(3, &["index-duplicate", "axis-confused"]),
            record(4, &["index-duplicate", "axis-confused"]),
            record(9, &["axis-confused", "element-skipped"]),
            record(1, &[]),
            record(5, &["index-duplicate"]),
        ]);
        let classes: Vec<_> = found
            .iter()
            .map(|g| (g.clause.as_str(), &g.classes[..], g.count))
            .collect();
        assert_eq!(
            classes,
            [
                ("TOP_K1/selects-top", &[("axis-confused".into(), 4)][..], 4),
                ("TOP_K1/indices-of-sequence", &[("index-duplicate".into(), 1)][..], 1),
            ]
        );
        // Run alone, the smallest case shows the same class.
        assert_eq!(found[0].smallest.elements, 9);
        assert_eq!(found[0].message.as_deref(), Some("axis-confused of 9 first"));
    }

    #[test]
    fn a_class_that_is_first_nowhere_speaks_for_itself() {
        let found = groups(&[
            record(2, &["unwritten", "axis-confused"]),
            record(3, &["index-duplicate", "axis-confused"]),
        ]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message.as_deref(), Some("axis-confused of 2"));
        assert_eq!(found[0].ids.len(), 2);
    }

    #[test]
    fn of_mistakes_that_fit_the_same_cases_the_likelier_is_named() {
        let found = groups(&[
            record(2, &["unwritten", "axis-confused"]),
            record(3, &["unwritten", "axis-confused"]),
        ]);
        assert_eq!(found[0].classes, [("unwritten".into(), 2)]);
    }

    #[test]
    fn wrong_outputs_come_before_errors() {
        let found = groups(&[
            record(2, &["backend-error"]),
            record(3, &["backend-error"]),
            record(4, &["unwritten"]),
        ]);
        let classes: Vec<_> = found.iter().map(|group| group.classes[0].clone()).collect();
        assert_eq!(classes, [("unwritten".into(), 1), ("backend-error".into(), 2)]);
    }

    #[test]
    fn patterns_that_hold_of_few_failures_are_not_told() {
        let message = |failing: fn(u64) -> bool| {
            let (mut suspicions, mut patterns) = (Suspicions::default(), Patterns::default());
            for n in 1..=90 {
                let record = record(n, if failing(n) { &["unwritten"] } else { &[] });
                let number = failing(n).then(|| suspicions.add(&record)).flatten();
                patterns.add(&record.id, true, record.outcome.word(), number);
            }
            patterns.of(&suspicions.groups()[0].suspicions)
        };
        let clear = message(|n| n > 30).unwrap();
        assert!(clear.starts_with("fails 60 of 60 where "), "{clear}");
        assert_eq!(message(|n| n % 3 == 0), None);
    }
}
