//! The unit of planning.

use dml_spec::{
    FeatureLevel,
    model::{Family, Operator, Tier},
};

use dml_case::{id::CaseId, suite::Suite};

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

/// The name of a bucket: `TOP_K1:2.1:values:INT8`.
pub fn bucket_name(suite: &Suite, bucket: &Bucket) -> String {
    let operator = suite.catalog.operators.get(bucket.operator);
    let name = operator.map(|operator| &*operator.name).unwrap_or_default();
    let (family, data_type) = (bucket.family.name(), &bucket.data_type);
    format!("{name}:{}:{family}:{data_type}", bucket.level)
}
