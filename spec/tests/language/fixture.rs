//! A catalog of two operators, clauses that tests add, and a valid descriptor of TOP_K1.

use std::sync::LazyLock;

use dml_spec::{
    Catalog, Descriptor, TensorDesc, Value,
    model::{Clause, Operator},
};
use dml_spec_yaml::load::{File, embedded, load};

/// The real specification of tensors and of TOP_K1, and an operator with every kind of field that rules can read.
pub(crate) fn catalog() -> Catalog {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
        let mut files = embedded();
        files.0.retain(|f| matches!(f.name(), "directml.yaml" | "top_k1.yaml"));
        files
            .0
            .push(File::new("every_kind.yaml", include_str!("every_kind.yaml")));
        let (catalog, diagnostics) = load(&files);
        catalog.unwrap_or_else(|| panic!("{diagnostics:#?}"))
    });
    CATALOG.clone()
}

pub(crate) fn top_k1() -> Operator {
    catalog().operator("TOP_K1").unwrap().clone()
}

pub(crate) fn every_kind() -> Operator {
    catalog().operator("EVERY_KIND").unwrap().clone()
}

/// A constraint, from the entries of its YAML mapping.
pub(crate) fn clause(entries: &str) -> Clause {
    serde_yaml::from_str(&format!("{{kind: constraint, says: x, {entries}}}")).unwrap()
}

/// Places of the fields of [`top_k1`].
pub(crate) const INPUT: usize = 0;
pub(crate) const VALUE: usize = 1;
pub(crate) const INDEX: usize = 2;
pub(crate) const AXIS: usize = 3;
pub(crate) const K: usize = 4;
pub(crate) const DIRECTION: usize = 5;

/// A valid descriptor: the two largest of each row.
pub(crate) fn valid() -> Descriptor {
    Descriptor {
        operator: "TOP_K1".into(),
        fields: vec![
            Value::Tensor(Some(TensorDesc::packed(1, 32, &[1, 1, 3, 4]))),
            Value::Tensor(Some(TensorDesc::packed(1, 32, &[1, 1, 3, 2]))),
            Value::Tensor(Some(TensorDesc::packed(3, 32, &[1, 1, 3, 2]))),
            Value::UInt(3),
            Value::UInt(2),
            Value::UInt(1),
        ],
    }
}

/// The tensor in a field.
pub(crate) fn tensor(descriptor: &mut Descriptor, field: usize) -> &mut TensorDesc {
    match &mut descriptor.fields[field] {
        Value::Tensor(Some(tensor)) => tensor,
        other => panic!("no tensor: {other:?}"),
    }
}
