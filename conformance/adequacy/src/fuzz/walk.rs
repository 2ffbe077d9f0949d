//! Random walks: descriptors that a few changes lead to from a valid one, whatever the rules say. The cases of the plan
//! cannot show a rule that the specification lacks.

use std::{collections::HashSet, ops::RangeInclusive};

use dml_case::{case::Case, digest::content_digest, random::Random};
use dml_plan::{
    builder::Builder,
    design::{Parameter, parameters},
};
use dml_spec::{FeatureLevel, model::Family};

use super::{draw::Drawing, rows::Rows};

/// Draws until one fits.
const TRIES: usize = 64;

/// Fields that walks change: those of every second one, and of the others.
const STEPS: [RangeInclusive<u64>; 2] = [1..=2, 3..=6];

/// Descriptors of the operator at this place of the catalog, judged by the table of a level, each once; fewer than `count`
/// if no more are found. Half of them are one or two changes away from a valid one.
pub fn walks(builder: &Builder<'_>, operator: usize, level: FeatureLevel, count: u32) -> Vec<Case> {
    if count == 0 {
        // Nobody needs the rows that walks start from.
        return Vec::new();
    }
    let parameters: Vec<Parameter> = parameters(builder).unwrap_or_default();
    let rows = Rows::of(builder, operator);
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for number in 0..2 * count as usize {
        if found.len() == count as usize {
            break;
        }
        let drawing = Drawing {
            builder: *builder,
            level,
            family: Family::Faults,
            query: None,
            parameters: &parameters,
            wide: false,
            rows: Some(&rows),
            steps: STEPS[number % STEPS.len()].clone(),
        };
        let mut random = Random::new(&format!("walk {number} of {}", builder.operator.name), 0);
        let case = (0..TRIES).find_map(|_| drawing.case(&mut random));
        found.extend(case.filter(|case| seen.insert(content_digest(case))));
    }
    found
}
