//! Random walks: descriptors that a few changes lead to from a valid one, whatever the rules say. The cases of the plan
//! cannot show a rule that the specification lacks.

use std::{collections::HashSet, ops::RangeInclusive};

use dml_case::{case::Case, digest::content_digest, random::Random};
use dml_plan::{
    builder::Builder,
    design::{Parameter, parameters},
};
use dml_spec::{
    FeatureLevel,
    model::{Family, Tier},
};

use super::draw::{Drawing, Keys};

/// Draws until one fits.
const TRIES: usize = 64;

/// Fields that walks change: those of every second one, and of the others.
const STEPS: [RangeInclusive<u64>; 2] = [1..=2, 3..=6];

/// Keys of planned cases of an operator, with the levels of their tables.
#[derive(Debug, Default)]
pub(super) struct Rows(Vec<(FeatureLevel, Keys)>);

impl Rows {
    /// Those of the operator at this place of the catalog.
    pub(super) fn of(builder: &Builder<'_>, operator: usize) -> Self {
        let mut rows = Vec::new();
        let buckets = dml_plan::buckets_of(builder.suite, operator, Tier::Smoke).into_iter();
        let is_row = |family: Family| !matches!(family, Family::Examples | Family::Faults);
        for bucket in buckets.filter(|bucket| is_row(bucket.family)) {
            for (id, _) in dml_plan::ids_of(builder.suite, &bucket, Tier::Smoke, 0) {
                let keys = builder.recipe.keys.iter();
                let keys = keys.map(|(key, _)| Some((key.clone(), id.get(key)?.to_owned())));
                rows.extend(keys.collect::<Option<Keys>>().map(|keys| (bucket.level, keys)));
            }
        }
        Self(rows)
    }

    /// Any of tables up to a level.
    pub(super) fn any(&self, level: FeatureLevel, random: &mut Random) -> Option<&Keys> {
        let known = || self.0.iter().filter(|(of, _)| *of <= level);
        let place = random.below(known().count() as u64) as usize;
        known().nth(place).map(|(_, keys)| keys)
    }
}

/// Descriptors of the operator at this place of the catalog, judged by the table of a level, each once; fewer than `count`
/// if no more are found. Half of them are one or two changes away from a valid one.
pub fn walks(builder: &Builder<'_>, operator: usize, level: FeatureLevel, count: u32) -> Vec<Case> {
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
