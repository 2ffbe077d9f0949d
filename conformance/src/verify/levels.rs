//! How far each feature level is borne out: by its own library, or by one on either side.

use dml_spec::{FeatureLevel, model::Operator};

use super::{Answered, Questions};
use crate::suite::Suite;

/// How a feature level stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its own library was asked and does what is expected.
    Verified {
        /// Descriptors.
        asked: usize,
    },
    /// The nearest libraries on either side do what is expected of it; below the first there is the introduction.
    Bracketed {
        /// Descriptors.
        asked: usize,
        /// Names of the libraries.
        by: Vec<String>,
    },
    /// Neither.
    Unverified {
        /// Why.
        why: String,
    },
}

/// Every feature level from the operator's first on, and how it stands.
pub fn standings(
    suite: &Suite,
    operator: &Operator,
    questions: &Questions,
    answered: &[Answered],
) -> Vec<(FeatureLevel, Standing)> {
    let levels = suite.catalog.levels.iter().map(|level| level.level);
    levels
        .filter(|level| *level >= operator.introduced)
        .map(|level| (level, standing(operator, questions, answered, level)))
        .collect()
}

fn standing(operator: &Operator, questions: &Questions, answered: &[Answered], level: FeatureLevel) -> Standing {
    let unverified = |why: String| Standing::Unverified { why };
    let Some(table) = operator.table_at(level).map(|table| table.level) else {
        return unverified("it has no table".to_owned());
    };
    // Descriptors asked of a library, and those that it judged otherwise than the table says.
    let compare = |library: &Answered| {
        let of_table = questions
            .all
            .iter()
            .filter(|q| q.id.level() == table && q.is_normative());
        let known = of_table.filter_map(|q| Some((q.verdict.is_rejection(), library.replies[q.number].rejected()?)));
        known.fold((0, 0), |(asked, wrong), (expected, rejected)| {
            (asked + 1, wrong + usize::from(expected != rejected))
        })
    };
    if let Some(own) = answered.iter().find(|library| library.level == level) {
        return match compare(own) {
            (asked, 0) => Standing::Verified { asked },
            (asked, wrong) => unverified(format!("{} judges {wrong} of {asked} descriptors otherwise", own.name)),
        };
    }
    let below = answered.iter().filter(|l| l.level < level).max_by_key(|l| l.level);
    let above = answered.iter().filter(|l| l.level > level).min_by_key(|l| l.level);
    let sides: Vec<&Answered> = match (below, above) {
        (Some(below), Some(above)) => vec![below, above],
        (None, Some(above)) if level == operator.introduced => vec![above],
        (None, _) => return unverified("no library below it was asked".to_owned()),
        (_, None) => return unverified("no library above it was asked".to_owned()),
    };
    let compared: Vec<(usize, usize)> = sides.iter().map(|library| compare(library)).collect();
    let worst = sides.iter().zip(&compared).max_by_key(|(_, (_, wrong))| *wrong);
    match worst {
        Some((library, (asked, wrong @ 1..))) => unverified(format!(
            "{} judges {wrong} of {asked} descriptors otherwise",
            library.name
        )),
        _ => Standing::Bracketed {
            asked: compared.iter().map(|(asked, _)| *asked).min().unwrap_or(0),
            by: sides.iter().map(|library| library.name.clone()).collect(),
        },
    }
}
