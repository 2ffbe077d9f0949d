//! The unit of planning.

use dml_spec::{FeatureLevel, model::Operator};

use dml_case::{id::CaseId, lock::Key, suite::Suite};

/// The unit of planning and of the lock: operator × table level × family × data type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket {
    /// Index of the operator in the catalog.
    pub operator: usize,
    /// Table level.
    pub level: FeatureLevel,
    /// Index of the family in the operator.
    pub family: usize,
    /// Data type name of the first key that sets one.
    pub data_type: String,
}

impl Bucket {
    /// The id of a case in this bucket of an operator.
    pub fn id<K: AsRef<str>, V: AsRef<str>>(
        &self,
        operator: &Operator,
        params: impl IntoIterator<Item = (K, V)>,
    ) -> CaseId {
        let family = operator.cases.families.get(self.family);
        let family = family.map_or("", |f| &f.name);
        CaseId::new(&operator.name, self.level, family, params)
    }
}

/// The name of a bucket in the lock.
pub fn lock_key(suite: &Suite, bucket: &Bucket) -> Key {
    let operator = suite.catalog.operators.get(bucket.operator);
    let family = operator.and_then(|o| o.cases.families.get(bucket.family));
    Key {
        operator: operator.map(|o| o.name.to_string()).unwrap_or_default(),
        level: bucket.level.to_string(),
        family: family.map(|f| f.name.to_string()).unwrap_or_default(),
        data_type: bucket.data_type.clone(),
    }
}
