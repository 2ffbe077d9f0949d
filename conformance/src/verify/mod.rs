//! Asking libraries whether they accept what the specification accepts.
//!
//! The questions are descriptors of the plan: every support cell and every constraint, kept and broken, at every table
//! level. A library has one set of rules, that of its highest feature level, so it speaks for the table of that level.

mod ask;
mod levels;
mod rows;

use std::collections::{BTreeSet, HashMap};
use std::{ops::ControlFlow, sync::Arc};

use dml_spec::{
    Descriptor, FeatureLevel,
    model::{Generator, Operator, Status, Tier},
    program::Violation,
};

pub use ask::{Reply, ask};
pub use levels::{Standing, standings};
pub use rows::{Agreement, Otherwise, Row, Tally, otherwise, rows};

use dml_case::{
    case::{Case, Verdict},
    id::CaseId,
};
use dml_plan::{
    self,
    builder::Builder,
    planner::Planner,
    target::{Target, broken_targets},
};

/// A descriptor to ask about, and what the specification says of it at one table level.
#[derive(Clone, Debug)]
pub struct Question {
    /// The case it was taken from.
    pub id: CaseId,
    /// The descriptor's number: equal ones have the same.
    pub number: usize,
    /// Clauses and cells that it breaks.
    pub broken: BTreeSet<Target>,
    /// What is expected.
    pub verdict: Verdict,
}

impl Question {
    /// Whether what is expected rests on the text, and not on what runtimes were seen to do.
    pub fn is_normative(&self) -> bool {
        matches!(self.verdict, Verdict::Valid | Verdict::Rejected(_))
    }
}

/// All questions about an operator.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// The questions, in the order of the plan.
    pub all: Vec<Question>,
    /// Every descriptor once, by its number.
    pub descriptors: Vec<Arc<Descriptor>>,
}

/// A library that was asked.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its release or file.
    pub name: String,
    /// Its highest feature level.
    pub level: FeatureLevel,
    /// Its answers by the number of the descriptor.
    pub replies: Vec<Reply>,
}

impl Answered {
    /// Level of the table that it speaks for.
    pub fn table(&self, operator: &Operator) -> Option<FeatureLevel> {
        operator.table_at(self.level).map(|table| table.level)
    }
}

/// What came of an operator.
#[derive(Clone, Debug)]
pub struct Verified {
    /// What the answers say of each clause and cell.
    pub rows: Vec<Row>,
    /// Answers that are not as expected.
    pub otherwise: Vec<Otherwise>,
    /// How each feature level stands.
    pub standings: Vec<(FeatureLevel, Standing)>,
}

impl Verified {
    /// Holds the answers against the specification.
    pub fn new(suite: &Planner, operator: &Operator, questions: &Questions, answered: &[Answered]) -> Self {
        Self {
            rows: rows(suite, operator, questions, answered),
            otherwise: otherwise(operator, questions, answered),
            standings: standings(suite, operator, questions, answered),
        }
    }

    /// Keeps what is about one clause or cell.
    pub fn retain_clause(&mut self, id: &str) {
        self.rows.retain(|row| row.target.0 == id);
        self.otherwise
            .retain(|answer| answer.broken.iter().any(|target| target.0 == id));
    }

    /// Whether a library does otherwise than the text says, or gives no verdict where the text has one.
    pub fn disagrees(&self) -> bool {
        let normative = |row: &&Row| matches!(row.status, Status::Normative | Status::ByExample);
        let mut rows = self.rows.iter().filter(normative);
        rows.any(|row| matches!(row.agreement, Agreement::Disagrees | Agreement::InPart))
            || self.otherwise.iter().any(|answer| answer.normative)
    }
}

/// The questions about an operator. Of families about descriptors all of the standard tier are asked, of those about
/// values the descriptors up to `tier`.
pub fn questions(suite: &Planner, operator: usize, tier: Tier) -> Questions {
    let mut found = Questions::default();
    let Some(builder) = Builder::new(suite, operator) else {
        return found;
    };
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut seen = BTreeSet::new();
    for bucket in dml_plan::buckets(suite)
        .iter()
        .filter(|bucket| bucket.operator == operator)
    {
        let generator = builder.recipe.families[bucket.family].generator;
        let tier = match generator {
            Generator::Support | Generator::Faults => tier.max(Tier::Standard),
            Generator::Sweep | Generator::Examples => tier,
        };
        let _ = dml_plan::for_each_case(suite, bucket, tier, 0, &mut |case| {
            let violations = violations(&builder, &case);
            if violations
                .iter()
                .any(|violation| is_erratic(suite, builder.operator, &violation.clause))
            {
                return ControlFlow::Continue(());
            }
            let next = numbers.len();
            let number = *numbers.entry(format!("{:?}", case.descriptor)).or_insert(next);
            if number == next {
                found.descriptors.push(Arc::clone(&case.descriptor));
            }
            if seen.insert((case.id.level(), number)) {
                found.all.push(Question {
                    id: case.id,
                    number,
                    broken: broken_targets(&violations),
                    verdict: case.verdict,
                });
            }
            ControlFlow::Continue(())
        });
    }
    found
}

fn violations(builder: &Builder<'_>, case: &Case) -> Vec<Violation> {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    builder
        .program
        .evaluate(catalog, operator, &case.descriptor, case.id.level())
}

/// Whether a library that is asked about what breaks this clause may end, or answer at random.
fn is_erratic(suite: &Planner, operator: &Operator, clause: &str) -> bool {
    let mut all = operator.clauses.iter().chain(suite.catalog.tensor_clauses.iter());
    let found = all.find(|known| known.id == clause);
    found.is_some_and(|found| found.observed.iter().any(|observation| observation.erratic))
}

#[cfg(test)]
pub(crate) mod tests;
