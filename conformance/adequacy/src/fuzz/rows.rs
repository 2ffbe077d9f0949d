//! Keys of planned cases: where draws of descriptors start from if hardly any that is drawn freely is valid.

use dml_case::random::Random;
use dml_plan::builder::Builder;
use dml_spec::{
    FeatureLevel,
    model::{Family, Tier},
};

/// Keys of an id with their values, in canonical order.
pub(super) type Keys = Vec<(String, String)>;

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

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Any of tables up to a level.
    pub(super) fn any(&self, level: FeatureLevel, random: &mut Random) -> Option<&Keys> {
        let known = || self.0.iter().filter(|(of, _)| *of <= level);
        let place = random.below(known().count() as u64) as usize;
        known().nth(place).map(|(_, keys)| keys)
    }
}
