//! Which clause a failure is grouped under.
//!
//! A guarantee that speaks of some cases only ("the activation is applied to every result") explains failures of those
//! cases alone. It is dismissed if the cases that it speaks of do not fail at least three times as often as the others
//! of the operator, one more of which is taken to fail, so that a few failures prove nothing; a failure counts for the
//! first of its clauses that is not dismissed.

use std::collections::{BTreeMap, BTreeSet};

use dml_case::{case::Mode, names::DIFFERS, outcome::Outcome, record::Record};
use dml_spec::model::Text;

/// How many times as often the cases that a guarantee speaks of have to fail.
const TIMES: u128 = 3;

/// How many cases were judged, and how many had wrong outputs.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    wrong: u64,
    judged: u64,
}

impl Rate {
    fn count(&mut self, wrong: bool) {
        self.wrong += u64::from(wrong);
        self.judged += 1;
    }

    fn without(self, part: Self) -> Self {
        Self {
            wrong: self.wrong - part.wrong,
            judged: self.judged - part.judged,
        }
    }

    /// Whether it is at least so many times as high as that of the others, if there are any.
    fn exceeds(self, other: Self) -> bool {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        other.judged == 0 || product(self.wrong, other.judged) >= TIMES * product(other.wrong + 1, self.judged)
    }
}

/// How often cases have wrong outputs, by what speaks of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    operators: BTreeMap<Text, Rate>,
    special: BTreeMap<Text, (Text, Rate)>,
}

impl Rates {
    /// Takes a case in. Only wrong outputs and right ones count.
    pub(crate) fn add(&mut self, record: &Record) {
        let wrong = match record.outcome {
            Outcome::Pass => false,
            Outcome::Fail | Outcome::XFail if record.class.as_deref() == Some(DIFFERS) => true,
            _ => return,
        };
        if record.mode != Mode::Execute {
            return;
        }
        let operator = record.id.operator();
        match self.operators.get_mut(operator) {
            Some(rate) => rate.count(wrong),
            None => self
                .operators
                .entry(operator.to_owned().into())
                .or_default()
                .count(wrong),
        }
        for clause in &record.special {
            let new = || (Text::Owned(operator.to_owned()), Rate::default());
            self.special.entry(clause.clone()).or_insert_with(new).1.count(wrong);
        }
    }

    /// The guarantees that are not blamed.
    pub(crate) fn dismissed(&self) -> BTreeSet<Text> {
        let is_dismissed = |(_, (operator, rate)): &(&Text, &(Text, Rate))| {
            let all = self.operators.get(operator).copied().unwrap_or_default();
            rate.wrong > 0 && !rate.exceeds(all.without(*rate))
        };
        let found = self.special.iter().filter(is_dismissed);
        found.map(|(clause, _)| clause.clone()).collect()
    }
}

/// What failures are not counted for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dismissed {
    /// Guarantees that explain no wrong output.
    pub(crate) guarantees: BTreeSet<Text>,
    /// What no refused descriptor is blamed on.
    pub(crate) grounds: BTreeSet<Text>,
}

impl Dismissed {
    /// The clause that a failure counts for: the first that is not dismissed. If all are, a refused descriptor counts for
    /// none, and other failures count for the first. Empty without any.
    pub(crate) fn blamed<'a>(&self, clauses: &'a [Text], is_refused: bool) -> &'a str {
        let found = match is_refused {
            true => blamed(clauses, &self.grounds),
            false => blamed(clauses, &self.guarantees).or(clauses.first().map(Text::as_ref)),
        };
        found.unwrap_or_default()
    }
}

/// The first of these clauses that is not dismissed.
pub(crate) fn blamed<'a>(clauses: &'a [Text], dismissed: &BTreeSet<Text>) -> Option<&'a str> {
    let found = clauses.iter().find(|clause| !dismissed.contains(*clause));
    found.map(Text::as_ref)
}

#[cfg(test)]
mod tests {
    use dml_case::outcome::{Diagnosis, Judged};

    use crate::dismissed::*;

    const SPECIAL: Text = Text::Borrowed("GEMM/activates");
    const GENERAL: Text = Text::Borrowed("GEMM/multiplies");

    /// Cases, some with an activation and some without; of each so many have wrong outputs.
    fn rates(fused: (u64, u64), others: (u64, u64)) -> Rates {
        let mut rates = Rates::default();
        for (special, (wrong, judged)) in [(vec![SPECIAL], fused), (Vec::new(), others)] {
            for case in 0..judged {
                let diagnosis = Diagnosis::new(DIFFERS, special.clone(), String::new());
                let judged = match case < wrong {
                    true => Judged::explained(Outcome::Fail, diagnosis),
                    false => Judged::plain(Outcome::Pass),
                };
                let id = "GEMM:1.0:sizes:a=1x1x1x1".parse().unwrap();
                rates.add(&Record {
                    mode: Mode::Execute,
                    special: special.clone(),
                    ..Record::new(id, judged.outcome).judged(judged)
                });
            }
        }
        rates
    }

    #[test]
    fn what_fails_elsewhere_as_often_is_not_blamed_on_a_special_case() {
        let dismissed = |fused, others| rates(fused, others).dismissed().contains(&SPECIAL);
        assert!(dismissed((10, 100), (10, 100)));
        assert!(dismissed((32, 100), (10, 100)));
        assert!(!dismissed((33, 100), (10, 100)));
        // Two of as many cases may fail by chance.
        assert!(dismissed((2, 100), (0, 100)));
        assert!(!dismissed((3, 100), (0, 100)));
        // Where every case has an activation, nothing speaks against it; where none of them fails, nothing is blamed.
        assert!(!dismissed((1, 100), (0, 0)));
        assert!(!dismissed((0, 100), (10, 100)));
    }

    #[test]
    fn a_failure_counts_for_its_first_clause_that_is_not_dismissed() {
        let all = [SPECIAL, GENERAL];
        let dismissed = |all: &[Text]| Dismissed {
            guarantees: all.iter().cloned().collect(),
            grounds: all.iter().cloned().collect(),
        };
        for is_refused in [false, true] {
            assert_eq!(dismissed(&[]).blamed(&all, is_refused), SPECIAL);
            assert_eq!(dismissed(&[SPECIAL]).blamed(&all, is_refused), GENERAL);
            assert_eq!(dismissed(&all).blamed(&[], is_refused), "");
        }
        assert_eq!(dismissed(&all).blamed(&all, false), SPECIAL);
        assert_eq!(dismissed(&all).blamed(&all, true), "");
    }

    #[test]
    fn only_outputs_count() {
        let mut rates = rates((10, 100), (10, 100));
        let id = || "GEMM:1.0:sizes:a=1x1x1x1".parse().unwrap();
        // Created alone, or never written: neither says anything of an activation.
        for _ in 0..100 {
            rates.add(&Record {
                special: vec![SPECIAL],
                ..Record::new(id(), Outcome::Pass)
            });
            rates.add(&Record {
                mode: Mode::Execute,
                class: Some(Text::Borrowed("unwritten")),
                ..Record::new(id(), Outcome::Fail)
            });
        }
        let (_, rate) = &rates.special[&SPECIAL];
        assert_eq!((rate.wrong, rate.judged), (10, 100));
        assert!(rates.dismissed().contains(&SPECIAL));
    }
}
