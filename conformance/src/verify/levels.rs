//! How far each feature level is borne out: by its own library, or by one on either side.

use std::fmt;

use dml_spec::{FeatureLevel, model::Operator};

use super::{Answered, Question, Questions};
use dml_plan::{planner::Planner, verdict};

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

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verified { asked } => write!(f, "verified    by its own library on {asked} descriptors"),
            Self::Bracketed { asked, by } => {
                write!(f, "bracketed   by {} on {asked} descriptors", by.join(" and "))
            }
            Self::Unverified { why } => write!(f, "unverified  {why}"),
        }
    }
}

/// Every feature level from the operator's first on, and how it stands.
pub fn standings(
    suite: &Planner,
    operator: &Operator,
    questions: &Questions,
    answered: &[Answered],
) -> Vec<(FeatureLevel, Standing)> {
    let levels = suite.catalog.levels.iter().map(|level| level.level);
    levels
        .filter(|level| *level >= operator.introduced)
        .map(|level| (level, standing(suite, operator, questions, answered, level)))
        .collect()
}

fn standing(
    suite: &Planner,
    operator: &Operator,
    questions: &Questions,
    answered: &[Answered],
    level: FeatureLevel,
) -> Standing {
    let unverified = |why: String| Standing::Unverified { why };
    let Some(table) = operator.table_at(level).map(|table| table.level) else {
        return unverified("it has no table".to_owned());
    };
    let own: Vec<&Answered> = answered.iter().filter(|library| library.level == level).collect();
    let below = answered.iter().filter(|l| l.level < level).max_by_key(|l| l.level);
    let above = answered.iter().filter(|l| l.level > level).min_by_key(|l| l.level);
    let sides: Vec<&Answered> = match (below, above) {
        _ if !own.is_empty() => own.clone(),
        (Some(below), Some(above)) => vec![below, above],
        (None, Some(above)) if level == operator.introduced => vec![above],
        (None, _) => return unverified("no library below it was asked".to_owned()),
        (_, None) => return unverified("no library above it was asked".to_owned()),
    };
    let compared: Vec<Compared<'_>> = sides.iter().map(|side| compare(questions, table, side)).collect();
    if let Some((side, found)) = sides
        .iter()
        .zip(&compared)
        .find(|(_, found)| !found.otherwise.is_empty())
    {
        let lifted = |question: &&Question| is_lifted(suite, operator, questions, question, side.level);
        let (wrong, asked) = (found.otherwise.len(), found.asked);
        return unverified(match operator.table_at(side.level) {
            // What the library above takes on top is what its own table adds, so the two sides differ by rights.
            Some(next) if next.level > table && found.otherwise.iter().all(lifted) => format!(
                "between two tables: {} takes the {wrong} of {asked} descriptors that table {} adds",
                side.name, next.level
            ),
            _ => format!("{} judges {wrong} of {asked} descriptors differently", side.name),
        });
    }
    let asked = compared.iter().map(|found| found.asked).min().unwrap_or(0);
    match (asked, own.is_empty()) {
        (0, _) => unverified("nothing was asked".to_owned()),
        (_, false) => Standing::Verified { asked },
        (_, true) => Standing::Bracketed {
            asked,
            by: sides.iter().map(|library| library.name.clone()).collect(),
        },
    }
}

/// What a library says of a table.
struct Compared<'a> {
    /// Descriptors asked about.
    asked: usize,
    /// Those that it judged otherwise, or not at all.
    otherwise: Vec<&'a Question>,
}

/// Holds a library against what the text says at a table's level.
fn compare<'a>(questions: &'a Questions, table: FeatureLevel, library: &Answered) -> Compared<'a> {
    let of_table = questions
        .all
        .iter()
        .filter(|q| q.id.level() == table && q.is_normative());
    let asked: Vec<&Question> = of_table.filter(|q| library.replies[q.number].was_asked()).collect();
    let differs = |q: &&&Question| library.replies[q.number].rejected() != Some(q.verdict.is_rejection());
    Compared {
        asked: asked.len(),
        otherwise: asked.iter().filter(differs).copied().collect(),
    }
}

/// Whether a descriptor that is refused by the question's table is taken by that of a later level.
fn is_lifted(
    suite: &Planner,
    operator: &Operator,
    questions: &Questions,
    question: &Question,
    later: FeatureLevel,
) -> bool {
    let Some((_, program)) = suite.operator(&operator.name) else {
        return false;
    };
    let descriptor = &questions.descriptors[question.number];
    let broken = program.evaluate(&suite.catalog, operator, descriptor, later);
    question.verdict.is_rejection() && !verdict::from_violations(&broken).is_rejection()
}
