//! The unit of planning.

use std::collections::{HashMap, HashSet};

use dml_spec::{
    Descriptor, FeatureLevel,
    model::{Family, Operator, Tier},
};

use dml_case::{digest::descriptor_bytes, id::CaseId, suite::Suite};
use xxhash_rust::xxh3::xxh3_128;

/// The unit of a run: operator × table level × family × data type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket {
    /// Index of the operator in the catalog.
    pub operator: usize,
    /// Table level.
    pub level: FeatureLevel,
    /// What its cases are about.
    pub family: Family,
    /// Data type name of the first key that sets one; empty for operators without such a key.
    pub data_type: String,
}

impl Bucket {
    /// The id of a case in this bucket of an operator.
    pub fn id<K: AsRef<str>, V: AsRef<str>>(
        &self,
        operator: &Operator,
        params: impl IntoIterator<Item = (K, V)>,
    ) -> CaseId {
        CaseId::new(&operator.name, self.level, self.family.name(), params)
    }
}

/// The ids of a bucket's cases.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    /// The bucket.
    pub bucket: Bucket,
    /// Its cases with the lowest tier of each, those of smoke first.
    pub cases: Vec<(CaseId, Tier)>,
}

/// A case by its id, what it is about, and the lowest tier that has it.
pub(crate) type PlannedId = (CaseId, Family, Tier);

/// What cases are put into, each once.
#[derive(Default)]
pub(crate) struct Gathered {
    seen: HashSet<CaseId>,
    /// The places of descriptors that are only created, by digests of them with their levels.
    created: HashMap<u128, usize>,
    cases: Vec<PlannedId>,
}

impl Gathered {
    /// Adds a case, if it is not there yet.
    pub(crate) fn add(&mut self, id: CaseId, family: Family, tier: Tier) {
        if self.seen.insert(id.clone()) {
            self.cases.push((id, family, tier));
        }
    }

    /// Adds a case of which nothing but this descriptor counts. One that is there already gets the lower of both tiers.
    pub(crate) fn add_created(&mut self, id: CaseId, descriptor: &Descriptor, family: Family, tier: Tier) {
        let mut bytes = format!("{}:", id.level()).into_bytes();
        descriptor_bytes(descriptor, &mut bytes);
        let digest = xxh3_128(&bytes);
        if let Some(place) = self.created.get(&digest) {
            let (.., known) = &mut self.cases[*place];
            *known = (*known).min(tier);
            return;
        }
        let place = self.cases.len();
        self.add(id, family, tier);
        if self.cases.len() > place {
            self.created.insert(digest, place);
        }
    }

    /// The cases in the order in which they were added.
    pub(crate) fn cases(self) -> Vec<PlannedId> {
        self.cases
    }
}

/// The name of a bucket: `TOP_K1:2.1:values:INT8`.
pub fn bucket_name(suite: &Suite, bucket: &Bucket) -> String {
    let operator = suite.catalog.operators.get(bucket.operator);
    let name = operator.map(|operator| &*operator.name).unwrap_or_default();
    let (family, data_type) = (bucket.family.name(), &bucket.data_type);
    format!("{name}:{}:{family}:{data_type}", bucket.level)
}

/// The names that buckets of the operator at this place of the catalog can have. Nothing is planned for it.
pub fn bucket_names(suite: &Suite, operator: usize) -> impl Iterator<Item = String> {
    let tables = suite.catalog.operators.get(operator).into_iter();
    let levels = tables.flat_map(|operator| operator.support.iter().map(|table| table.level));
    let types = move || {
        // Some examples have no tensors of their own.
        let names = suite.catalog.data_types.iter().map(|ty| ty.name.to_string());
        names.chain([String::new()])
    };
    levels.flat_map(move |level| {
        let families = Family::ALL.into_iter();
        families.flat_map(move |family| {
            types().map(move |data_type| {
                let bucket = Bucket {
                    operator,
                    level,
                    family,
                    data_type,
                };
                bucket_name(suite, &bucket)
            })
        })
    })
}
