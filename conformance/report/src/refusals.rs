//! Which clause is blamed for descriptors that are refused though they are to be accepted, or that a backend gives up on.
//!
//! Such a descriptor rests on cells of the tables, permissions, disputed constraints: its grounds. A backend may lack a
//! ground if it accepts no descriptor that rests on it. As few of these as explain all refusals that rest on one are
//! blamed, by greedy set cover: first the one that most refusals rest on. But if more than one refusal for eight that
//! they explain rests on none, those have another cause, and all may have it: then no ground is blamed, and those that
//! the backend may lack are listed.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashSet},
};

use dml_case::{
    names::{BACKEND_ERROR, HARNESS_CLASSES, WRONGLY_REJECTED},
    outcome::{Follows, Outcome},
    record::Record,
};
use dml_spec::model::Text;

use crate::dismissed::blamed;

/// How many refusals have to be explained for each one that is not.
const EXPLAINED: u64 = 8;

/// Where no ground is blamed, those of fewer refusals are not listed.
const FEW: u64 = 3;

/// Of fewer refusals all grounds are listed, not only those of most.
const LEAST: u64 = dml_case::condition::LEAST as u64;

/// How many other grounds are listed.
const OTHERS: usize = 6;

/// What refused and accepted descriptors rest on, by operator. What a backend gives up on stands apart from what it
/// refuses: the causes are others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refusals([BTreeMap<Text, Grounds>; 2]);

/// What the descriptors of an operator rest on.
#[derive(Clone, Debug, Default)]
struct Grounds {
    /// What some accepted descriptor rests on.
    accepted: HashSet<Text>,
    /// Lists of what refused ones rest on, in the order in which they were met, each with how many do.
    refused: Vec<(Vec<Text>, u64)>,
}

/// Whether a descriptor was refused that is to be accepted, or the backend gave up on it.
pub(crate) fn is_refused(record: &Record) -> bool {
    let class = record.class.as_deref();
    record.outcome.is_failure() && class.is_some_and(|class| [WRONGLY_REJECTED, BACKEND_ERROR].contains(&class))
}

/// Whether the descriptor was accepted. On the basis of the text a refusal passes if the text wants it.
fn is_accepted(record: &Record) -> bool {
    match record.outcome {
        Outcome::Pass | Outcome::XPass | Outcome::Unspecified => {
            record.follows.values().all(|whom| *whom != Follows::Text)
        }
        Outcome::Fail | Outcome::XFail => !HARNESS_CLASSES.contains(&&*record.class()),
        _ => false,
    }
}

impl Refusals {
    /// Takes a case in.
    pub(crate) fn add(&mut self, record: &Record) {
        let [refused, broken] = &mut self.0;
        if is_refused(record) {
            let is_error = record.class.as_deref() == Some(BACKEND_ERROR);
            of(if is_error { broken } else { refused }, record).refuse(&record.clauses);
        } else if !record.grounds.is_empty() && is_accepted(record) {
            of(refused, record).accept(&record.grounds);
            of(broken, record).accept(&record.grounds);
        }
    }

    fn all(&self) -> impl Iterator<Item = &Grounds> {
        self.0.iter().flat_map(BTreeMap::values)
    }

    /// What refused descriptors rest on and is not blamed.
    pub(crate) fn dismissed(&self) -> BTreeSet<Text> {
        let chosen: BTreeSet<&Text> = self.all().flat_map(Grounds::chosen).collect();
        let lists = self.all().flat_map(|grounds| &grounds.refused);
        let all = lists.flat_map(|(clauses, _)| clauses);
        all.filter(|clause| !chosen.contains(clause)).cloned().collect()
    }

    /// What else may be blamed for refusals that this clause is blamed for, or none if it is empty; what most of them rest
    /// on first.
    pub(crate) fn others(&self, clause: &str, dismissed: &BTreeSet<Text>) -> Vec<Text> {
        let (mut counts, mut all): (Vec<(&Text, u64)>, u64) = (Vec::new(), 0);
        for grounds in self.all() {
            let of_clause = |(list, _): &&(Vec<Text>, u64)| blamed(list, dismissed).unwrap_or_default() == clause;
            let lists: Vec<&(Vec<Text>, u64)> = grounds.refused.iter().filter(of_clause).collect();
            counts.extend(grounds.counts(&lists));
            all += lists.iter().map(|(_, count)| *count).sum::<u64>();
        }
        // A few refusals may share a ground by chance, and each have another cause.
        let least = match clause {
            "" => FEW,
            _ if all < LEAST => 1,
            _ => all.div_ceil(2),
        };
        counts.retain(|(other, count)| **other != *clause && *count >= least);
        counts.sort_by_key(|(_, count)| Reverse(*count));
        counts
            .into_iter()
            .take(OTHERS)
            .map(|(other, _)| other.clone())
            .collect()
    }
}

/// What the descriptors of a record's operator rest on.
fn of<'a>(all: &'a mut BTreeMap<Text, Grounds>, record: &Record) -> &'a mut Grounds {
    all.entry(Text::Owned(record.id.operator().to_owned())).or_default()
}

impl Grounds {
    fn refuse(&mut self, clauses: &[Text]) {
        match self.refused.iter_mut().find(|(known, _)| known == clauses) {
            Some((_, count)) => *count += 1,
            None => self.refused.push((clauses.to_vec(), 1)),
        }
    }

    fn accept(&mut self, clauses: &[Text]) {
        for clause in clauses {
            if !self.accepted.contains(clause) {
                self.accepted.insert(clause.clone());
            }
        }
    }

    /// Whether the backend may lack this: no accepted descriptor rests on it.
    fn may_lack(&self, clause: &Text) -> bool {
        !self.accepted.contains(clause)
    }

    /// What is blamed.
    fn chosen(&self) -> Vec<&Text> {
        let mut left: Vec<&(Vec<Text>, u64)> = self.refused.iter().collect();
        let (mut chosen, mut explained) = (Vec::new(), 0);
        while let Some((clause, count)) = self.behind_most(&left) {
            left.retain(|(list, _)| !list.contains(clause));
            chosen.push(clause);
            explained += count;
        }
        let unexplained: u64 = left.iter().map(|(_, count)| *count).sum();
        match unexplained * EXPLAINED <= explained {
            true => chosen,
            false => Vec::new(),
        }
    }

    /// What most of these refusals rest on and the backend may lack; of equals the first.
    fn behind_most<'a>(&self, left: &[&'a (Vec<Text>, u64)]) -> Option<(&'a Text, u64)> {
        // The last of the greatest is taken.
        self.counts(left).into_iter().rev().max_by_key(|(_, sum)| *sum)
    }

    /// How many of these refusals rest on each of what the backend may lack.
    fn counts<'a>(&self, refusals: &[&'a (Vec<Text>, u64)]) -> Vec<(&'a Text, u64)> {
        let mut counts: Vec<(&Text, u64)> = Vec::new();
        for (list, count) in refusals {
            for clause in list.iter().filter(|clause| self.may_lack(clause)) {
                match counts.iter_mut().find(|(known, _)| *known == clause) {
                    Some((_, sum)) => *sum += count,
                    None => counts.push((clause, *count)),
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use dml_case::outcome::{Diagnosis, Judged};

    use crate::refusals::*;

    /// A case that rests on these, refused or accepted.
    fn record(grounds: &[&'static str], refused: bool) -> Record {
        let grounds: Vec<Text> = grounds.iter().map(|id| Text::Borrowed(id)).collect();
        let judged = match refused {
            true => Judged::explained(
                Outcome::Fail,
                Diagnosis::new(WRONGLY_REJECTED, grounds.clone(), String::new()),
            ),
            false => Judged::plain(Outcome::Pass),
        };
        let id = "TOP_K1:3.1:sizes:sizes=1x1,axis=0,k=1".parse().unwrap();
        Record {
            grounds,
            ..Record::new(id, judged.outcome).judged(judged)
        }
    }

    fn refusals(records: &[(&[&'static str], bool)]) -> Refusals {
        let mut refusals = Refusals::default();
        let records = records.iter().map(|(grounds, refused)| record(grounds, *refused));
        records.for_each(|record| refusals.add(&record));
        refusals
    }

    /// What is blamed for each list.
    fn blames(refusals: &Refusals, lists: &[&[&'static str]]) -> Vec<Option<String>> {
        let dismissed = refusals.dismissed();
        let of = |list: &&[&'static str]| {
            let list: Vec<Text> = list.iter().map(|id| Text::Borrowed(id)).collect();
            blamed(&list, &dismissed).map(str::to_owned)
        };
        lists.iter().map(of).collect()
    }

    #[test]
    fn a_missing_cell_is_blamed_whatever_else_refused_descriptors_rest_on() {
        let lists: [&[&str]; 2] = [
            &["disputed", "FLOAT16", "6-D", "6-D of indices"],
            &["FLOAT32", "6-D", "6-D of indices"],
        ];
        let found = refusals(&[
            (lists[0], true),
            (lists[1], true),
            (&["FLOAT16", "4-D"], false),
            (&["FLOAT32", "4-D"], false),
            (&["disputed", "INT8", "4-D"], false),
        ]);
        assert_eq!(blames(&found, &lists), [Some("6-D".to_owned()), Some("6-D".to_owned())]);
        assert_eq!(found.others("6-D", &found.dismissed()), ["6-D of indices"]);
    }

    #[test]
    fn as_little_as_explains_all_is_blamed() {
        let lists: [&[&str]; 3] = [&["FLOAT16", "4-D"], &["FLOAT32", "4-D"], &["INT8", "5-D"]];
        let found = refusals(&[(lists[0], true), (lists[1], true), (lists[2], true)]);
        let all = ["4-D", "4-D", "INT8"].map(|id| Some(id.to_owned()));
        assert_eq!(blames(&found, &lists), all);
        assert_eq!(found.others("INT8", &found.dismissed()), ["5-D"]);
        // Each of them may lack its own type instead.
        assert_eq!(found.others("4-D", &found.dismissed()), ["FLOAT16", "FLOAT32"]);
    }

    #[test]
    fn where_much_is_unexplained_nothing_is_blamed_and_what_may_be_is_told() {
        let lists: [&[&str]; 2] = [&["FLOAT16", "4-D"], &["rare", "4-D"]];
        let mut cases = vec![(lists[0], true), (lists[0], false)];
        cases.extend([(lists[1], true); 7]);
        let found = refusals(&cases);
        assert_eq!(blames(&found, &lists), [None, None]);
        assert_eq!(found.others("", &found.dismissed()), ["rare"]);
        cases.push((lists[1], true));
        assert_eq!(blames(&refusals(&cases), &lists), [None, Some("rare".to_owned())]);
        let few = refusals(&[(lists[0], true), (lists[0], false), (lists[1], true)]);
        assert!(few.others("", &few.dismissed()).is_empty());
    }

    #[test]
    fn wrong_outputs_are_accepted_descriptors_and_errors_are_not() {
        let of = |class: &'static str| {
            let diagnosis = Diagnosis::new(class, Vec::new(), String::new());
            let mut refusals = refusals(&[(&["FLOAT16"], true)]);
            refusals.add(&record(&["FLOAT16"], false).judged(Judged::explained(Outcome::Fail, diagnosis)));
            blames(&refusals, &[&["FLOAT16"]]).remove(0)
        };
        assert_eq!(of("differs"), None);
        assert_eq!(of("bad-answer").as_deref(), Some("FLOAT16"));
        let mut text = record(&["FLOAT16"], false);
        text.follows.insert(Text::Borrowed("disputed"), Follows::Text);
        let mut found = refusals(&[(&["FLOAT16"], true)]);
        found.add(&text);
        assert_eq!(blames(&found, &[&["FLOAT16"]]), [Some("FLOAT16".to_owned())]);
    }

    #[test]
    fn errors_that_nothing_explains_say_nothing_of_refusals() {
        let mut found = refusals(&[(&["FLOAT16"], true), (&["in-place"], false)]);
        let diagnosis = Diagnosis::new(BACKEND_ERROR, vec![Text::Borrowed("in-place")], String::new());
        let error = record(&["in-place"], false).judged(Judged::explained(Outcome::Fail, diagnosis));
        (0..8).for_each(|_| found.add(&error));
        assert_eq!(
            blames(&found, &[&["FLOAT16"], &["in-place"]]),
            [Some("FLOAT16".to_owned()), None]
        );
    }
}
