//! What all generated descriptor types have in common.

use dml_spec::{Descriptor, FeatureLevel};

use crate::{Violations, support::SupportTable};

/// A descriptor type: one operator's fields, and how they are validated.
pub trait Operator: Sized {
    /// Name, such as `TOP_K1`.
    const NAME: &'static str;
    /// Value of `DML_OPERATOR_TYPE`.
    const TYPE: u32;
    /// Level that introduced it.
    const INTRODUCED: FeatureLevel;
    /// Fields that hold input tensors. In every structure of DirectML's they come before the outputs.
    const INPUTS: usize;
    /// Support tables by ascending level.
    const SUPPORT: &'static [SupportTable];

    /// Reads a dynamic descriptor.
    ///
    /// # Errors
    /// If it is one of another operator, or a field holds another kind of value.
    fn from_descriptor(descriptor: &Descriptor) -> Result<Self, FieldMismatch>;

    /// The same values as a dynamic descriptor.
    fn to_descriptor(&self) -> Descriptor;

    /// Records every clause that the descriptor violates at `level`, notes included.
    fn check(&self, level: FeatureLevel, found: &mut Violations);

    /// Whether runtimes of `level` accept the descriptor.
    ///
    /// # Errors
    /// Every violated clause, if they do not.
    fn validate(&self, level: FeatureLevel) -> Result<(), Violations> {
        let mut found = Violations::new();
        self.check(level, &mut found);
        found.into_result()
    }
}

/// An operator that is known by name at run time.
#[derive(Debug)]
pub struct OperatorEntry {
    /// Name, such as `TOP_K1`.
    pub name: &'static str,
    /// Value of `DML_OPERATOR_TYPE`.
    pub type_value: u32,
    /// Level that introduced it.
    pub introduced: FeatureLevel,
    /// Fields that hold input tensors; they come before the outputs.
    pub inputs: usize,
    /// Support tables by ascending level.
    pub support: &'static [SupportTable],
    /// Everything a descriptor violates at a level, notes included.
    pub validate: fn(&Descriptor, FeatureLevel) -> Result<Violations, FieldMismatch>,
}

impl OperatorEntry {
    /// The entry of a descriptor type.
    pub const fn of<T: Operator>() -> Self {
        Self {
            name: T::NAME,
            type_value: T::TYPE,
            introduced: T::INTRODUCED,
            inputs: T::INPUTS,
            support: T::SUPPORT,
            validate: validate::<T>,
        }
    }
}

fn validate<T: Operator>(descriptor: &Descriptor, level: FeatureLevel) -> Result<Violations, FieldMismatch> {
    let mut found = Violations::new();
    T::from_descriptor(descriptor)?.check(level, &mut found);
    Ok(found)
}

/// A dynamic descriptor that does not have the shape of its operator. No C structure can have this form: it is a
/// mistake of the program that made the value, not of the descriptor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldMismatch {
    /// It is a descriptor of another operator.
    #[error("found a descriptor of {found}, expected one of {expected}")]
    Operator {
        /// Its operator.
        found: String,
        /// The operator that was asked for.
        expected: &'static str,
    },
    /// It has too few or too many fields.
    #[error("found {found} fields, {operator} has {expected}")]
    Count {
        /// The operator.
        operator: &'static str,
        /// Fields there are.
        found: usize,
        /// Fields of the structure.
        expected: usize,
    },
    /// A field holds another kind of value.
    #[error("found {found} for {operator}.{field}, expected {expected}")]
    Kind {
        /// The operator.
        operator: &'static str,
        /// The field.
        field: &'static str,
        /// What it holds.
        found: &'static str,
        /// What it should hold.
        expected: &'static str,
    },
}
