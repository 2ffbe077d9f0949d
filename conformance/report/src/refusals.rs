//! Which clause is blamed for descriptors that are refused though they are to be accepted, or that a backend gives up on.
//!
//! A backend may lack what such a descriptor rests on (cells of the tables, permissions, disputed constraints), as long
//! as it accepts no descriptor that rests on the same. Of these grounds as few are blamed as explain all refusals that
//! rest on one, by greedy set cover: first the one behind most refusals. A refusal that rests on none is blamed on
//! nothing. While there are such refusals, grounds of fewer than three, or of fewer than one for eight of those, are not
//! blamed either: the cause may be the same.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use dml_case::{
    names::{BACKEND_ERROR, HARNESS_CLASSES, WRONGLY_REJECTED},
    outcome::{Follows, Outcome},
    record::Record,
};
use dml_spec::model::Text;

use crate::dismissed::blamed;

/// How many refusals grounds have to be behind while others are unexplained.
const FEW: u64 = 3;

/// For how many unexplained ones it has to explain one.
const PART: u64 = 8;

/// What refused and accepted descriptors rest on, by operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refusals(BTreeMap<Text, Grounds>);

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
        if is_refused(record) {
            self.of(record).refuse(&record.clauses);
        } else if !record.grounds.is_empty() && is_accepted(record) {
            self.of(record).accept(&record.grounds);
        }
    }

    fn of(&mut self, record: &Record) -> &mut Grounds {
        let operator = record.id.operator();
        if !self.0.contains_key(operator) {
            self.0.insert(Text::Owned(operator.to_owned()), Grounds::default());
        }
        self.0.entry(Text::Owned(operator.to_owned())).or_default()
    }

    /// What refused descriptors rest on and is not blamed.
    pub(crate) fn dismissed(&self) -> BTreeSet<Text> {
        let chosen: BTreeSet<&Text> = self.0.values().flat_map(Grounds::chosen).collect();
        let lists = self.0.values().flat_map(|grounds| &grounds.refused);
        let all = lists.flat_map(|(clauses, _)| clauses);
        all.filter(|clause| !chosen.contains(clause)).cloned().collect()
    }

    /// What else may be blamed for all refusals that this clause is blamed for.
    pub(crate) fn others(&self, clause: &str, dismissed: &BTreeSet<Text>) -> Vec<Text> {
        let mut found: Option<Vec<Text>> = None;
        for grounds in self.0.values() {
            for (list, _) in &grounds.refused {
                if blamed(list, dismissed) != Some(clause) {
                    continue;
                }
                let others = || {
                    list.iter()
                        .filter(|other| **other != *clause && grounds.may_lack(other))
                };
                match &mut found {
                    Some(found) => found.retain(|known| others().any(|other| other == known)),
                    None => found = Some(others().cloned().collect()),
                }
            }
        }
        found.unwrap_or_default()
    }
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
        let mut chosen: Vec<(&Text, u64)> = Vec::new();
        while let Some((clause, count)) = self.behind_most(&left) {
            left.retain(|(list, _)| !list.contains(clause));
            chosen.push((clause, count));
        }
        let unexplained: u64 = left.iter().map(|(_, count)| *count).sum();
        let enough = |(_, count): &(&Text, u64)| unexplained == 0 || *count >= FEW.max(unexplained.div_ceil(PART));
        chosen.into_iter().filter(enough).map(|(clause, _)| clause).collect()
    }

    /// What most of these refusals rest on and the backend may lack; of equals the first.
    fn behind_most<'a>(&self, left: &[&'a (Vec<Text>, u64)]) -> Option<(&'a Text, u64)> {
        let mut counts: Vec<(&Text, u64)> = Vec::new();
        for (list, count) in left {
            for clause in list.iter().filter(|clause| self.may_lack(clause)) {
                match counts.iter_mut().find(|(known, _)| *known == clause) {
                    Some((_, sum)) => *sum += count,
                    None => counts.push((clause, *count)),
                }
            }
        }
        // The last of the greatest is taken.
        counts.into_iter().rev().max_by_key(|(_, sum)| *sum)
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
    }

    #[test]
    fn what_accepted_descriptors_rest_on_is_not_to_blame() {
        let lists: [&[&str]; 2] = [&["FLOAT16", "4-D"], &["rare", "4-D"]];
        let mut cases = vec![(lists[0], true), (lists[0], false), (lists[1], true)];
        assert_eq!(
            blames(&refusals(&cases), &lists),
            [None, None],
            "one rare case may have the same cause"
        );
        cases.extend([(lists[1], true), (lists[1], true)]);
        assert_eq!(blames(&refusals(&cases), &lists), [None, Some("rare".to_owned())]);
        cases.extend([(lists[0], true); 24]);
        assert_eq!(
            blames(&refusals(&cases), &lists),
            [None, None],
            "and so may three beside many"
        );
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
}
