//! What the array of an operator combines, and what it does not, with reasons.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::{FeatureLevel, model::Tier};

use super::{
    choice::Parameter,
    cover::{ATTEMPTS, Design, Pair, design},
    maker::{Lack, Maker, Row},
};
use crate::builder::Builder;

/// Pairs and triples of values of an operator's parameters at standard.
#[derive(Clone, Debug, Default)]
pub struct Combined {
    /// Pairs that rows hold.
    pub pairs: usize,
    /// Why a search found no row of the others, and how many each: one reason of four.
    pub lacking: BTreeMap<&'static str, usize>,
    /// The clauses that these would break, and of how many pairs each is one.
    pub clauses: BTreeMap<String, usize>,
    /// Triples that rows hold.
    pub triples: usize,
    /// Triples of which every pair is held.
    pub possible: usize,
}

/// Combines as the plan of standard does.
pub fn combined(builder: &Builder<'_>, parameters: &[Parameter]) -> Combined {
    combined_in(builder, parameters, &design(builder, parameters, Tier::Standard, 0))
}

/// What rows of standard combine.
pub(super) fn combined_in(builder: &Builder<'_>, parameters: &[Parameter], found: &Design) -> Combined {
    let levels: Vec<FeatureLevel> = builder.operator.support.iter().map(|table| table.level).collect();
    let maker = Maker::new(builder, parameters, &levels);
    let mut all = Combined::default();
    for pair in &found.given_up {
        let lacks = levels
            .iter()
            .filter_map(|level| maker.search(*level, pair, ATTEMPTS, 0).err());
        let lack = lacks.max().unwrap_or(Lack::Effect);
        *all.lacking.entry(reason(&lack)).or_default() += 1;
        if let Lack::Rules(clauses) = lack {
            for clause in BTreeSet::from_iter(clauses) {
                *all.clauses.entry(clause).or_default() += 1;
            }
        }
    }
    let held = pairs(parameters, &found.rows);
    all.pairs = found.pairs;
    all.triples = triples(parameters, &found.rows).len();
    all.possible = possible(&held);
    all
}

/// Why there is no row, in words.
fn reason(lack: &Lack) -> &'static str {
    match lack {
        Lack::Worse | Lack::Meaning | Lack::Layout | Lack::Pattern => "without meaning",
        Lack::Rules(_) => "against clauses",
        Lack::Size | Lack::Length(_) => "too large",
        Lack::Place | Lack::Effect => "without effect",
    }
}

fn pairs(parameters: &[Parameter], rows: &[Row]) -> BTreeSet<Pair> {
    let mut held = BTreeSet::new();
    for row in rows {
        let values = row.paired(parameters);
        for (at, first) in values.iter().enumerate() {
            held.extend(values.iter().skip(at + 1).map(|second| [*first, *second]));
        }
    }
    held
}

fn triples(parameters: &[Parameter], rows: &[Row]) -> BTreeSet<[(usize, usize); 3]> {
    let mut held = BTreeSet::new();
    for row in rows {
        let values = row.paired(parameters);
        for (at, first) in values.iter().enumerate() {
            for (next, second) in values.iter().enumerate().skip(at + 1) {
                held.extend(values.iter().skip(next + 1).map(|third| [*first, *second, *third]));
            }
        }
    }
    held
}

/// How many triples there are of which every pair is held.
fn possible(held: &BTreeSet<Pair>) -> usize {
    let mut after: BTreeMap<(usize, usize), BTreeSet<(usize, usize)>> = BTreeMap::new();
    for [first, second] in held {
        after.entry(*first).or_default().insert(*second);
    }
    let of_pair = |[first, second]: &Pair| match (after.get(first), after.get(second)) {
        (Some(one), Some(other)) => one.intersection(other).count(),
        _ => 0,
    };
    held.iter().map(of_pair).sum()
}
