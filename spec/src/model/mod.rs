//! The catalog: everything the YAML says, as plain data.
//!
//! The types are built of [`Cow`]s so that the same value can be a `static` (expanded by the macros) or be
//! loaded at run time from a folder. A test holds the two equal.

mod cases;
mod clause;
pub mod form;
mod mistake;
mod onnx;
mod support;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use self::{
    cases::{CaseModel, Family, Key, Lanes, Nested, Parameter, Tier, Together, is_literal_list, range, spell_float},
    clause::{
        Applies, Change, Citation, Clause, ClauseKind, Equivalent, Invariant, LedgerEntry, Observation, Source, Status,
        Superseded, Variant, releases,
    },
    mistake::NamedMistake,
    onnx::{OnnxEntry, OnnxInput},
    support::{CellDifference, SupportGroup, SupportRow, SupportTable, dimension_cell_id, type_cell_id},
};
use crate::level::FeatureLevel;

/// Text that is either compiled in or loaded.
pub type Text = Cow<'static, str>;
/// A list that is either compiled in or loaded.
pub type List<T> = Cow<'static, [T]>;

/// The whole specification. `directml.yaml` holds it without its operators.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "Shared")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Catalog {
    /// Feature levels in ascending order.
    pub levels: List<Level>,
    /// Releases that were asked about the tables, by the highest level that each has, ascending.
    pub asked: List<Level>,
    /// Tensor data types in order of their value.
    pub data_types: List<DataType>,
    /// Enumerations and flag sets.
    pub enums: List<Enum>,
    /// Documents that the tensor clauses cite.
    pub sources: List<Source>,
    /// Clauses that every tensor of every operator obeys; ids start with `TENSOR/`.
    pub tensor_clauses: List<Clause>,
    /// Operators in order of their name.
    pub operators: List<Operator>,
}

/// What all operators share, as `directml.yaml` has it.
#[derive(Deserialize)]
#[serde(rename = "directml.yaml", deny_unknown_fields)]
struct Shared {
    #[serde(deserialize_with = "form::named")]
    levels: List<Level>,
    #[serde(default, deserialize_with = "form::optional_named")]
    asked: List<Level>,
    #[serde(deserialize_with = "form::named")]
    data_types: List<DataType>,
    #[serde(default, deserialize_with = "form::optional_named")]
    enums: List<Enum>,
    #[serde(default, deserialize_with = "form::optional_named")]
    flags: List<Enum>,
    #[serde(default, deserialize_with = "form::optional_named")]
    sources: List<Source>,
    #[serde(default, deserialize_with = "form::optional")]
    tensor_clauses: List<Clause>,
}

impl From<Shared> for Catalog {
    fn from(mut shared: Shared) -> Self {
        shared.data_types.to_mut().sort_by_key(|data_type| data_type.value);
        shared.flags.to_mut().iter_mut().for_each(|set| set.flags = true);
        let mut enums = shared.enums.into_owned();
        enums.extend(shared.flags.into_owned());
        for list in &mut enums {
            list.members.to_mut().sort_by_key(|member| member.value);
        }
        Self {
            levels: shared.levels,
            asked: shared.asked,
            data_types: shared.data_types,
            enums: enums.into(),
            sources: shared.sources,
            tensor_clauses: shared.tensor_clauses,
            operators: List::default(),
        }
    }
}

/// A feature level and the release that brought it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Level {
    /// The level itself.
    #[serde(skip)]
    pub level: FeatureLevel,
    /// The DirectML release, such as `1.8.0`.
    pub release: Text,
}

impl form::Named for Level {
    type Name = form::NewLevel;

    fn name(&mut self, name: Text) {
        self.level = name.parse().unwrap_or_default();
    }
}

/// One member of `DML_TENSOR_DATA_TYPE`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename = "a data type", deny_unknown_fields)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct DataType {
    /// Name without the `DML_TENSOR_DATA_TYPE_` prefix, such as `FLOAT16`.
    #[serde(skip)]
    pub name: Text,
    /// Numeric value.
    pub value: u32,
    /// Bits an element; 0 for `UNKNOWN`.
    pub bits: u32,
    /// What its bits mean.
    pub class: NumberClass,
    /// Level that introduced it.
    pub introduced: FeatureLevel,
}

/// What the bits of an element mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename = "class", rename_all = "kebab-case")]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum NumberClass {
    /// No meaning (`UNKNOWN`).
    Unknown,
    /// IEEE 754 binary floating point.
    Float,
    /// Unsigned integer.
    Unsigned,
    /// Two's complement integer.
    Signed,
}

impl DataType {
    /// The least and the greatest number of an integer type; `None` for any other.
    pub fn whole_numbers(&self) -> Option<(i128, i128)> {
        let bits = self.bits.clamp(1, 64);
        match self.class {
            NumberClass::Unsigned => Some((0, (1 << bits) - 1)),
            NumberClass::Signed => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            NumberClass::Float | NumberClass::Unknown => None,
        }
    }
}

/// An enumeration or a flag set.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Enum {
    /// C name, such as `DML_AXIS_DIRECTION`.
    #[serde(skip)]
    pub name: Text,
    /// True for flag sets, whose values combine by or.
    #[serde(skip)]
    pub flags: bool,
    /// Members in order of their value.
    #[serde(deserialize_with = "form::named")]
    pub members: List<EnumMember>,
}

/// A member of an enumeration.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct EnumMember {
    /// Full C name, such as `DML_AXIS_DIRECTION_DECREASING`.
    #[serde(skip)]
    pub name: Text,
    /// Numeric value.
    pub value: u32,
}

impl Enum {
    /// The member names' common prefix: `DML_AXIS_DIRECTION_` (for flag sets `DML_TENSOR_FLAG_`, for
    /// `DML_OPERATOR_TYPE`, whose members leave out the last word, `DML_OPERATOR_`).
    pub fn prefix(&self) -> String {
        let stem = if self.flags {
            self.name.strip_suffix('S').unwrap_or(&self.name)
        } else {
            &self.name
        };
        let whole = format!("{stem}_");
        match stem.rsplit_once('_') {
            Some((shorter, _)) if !self.members.iter().all(|m| m.name.starts_with(&whole)) => format!("{shorter}_"),
            _ => whole,
        }
    }
}

/// One operator, as its page describes it.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Operator {
    /// Name, such as `TOP_K1`.
    pub name: Text,
    /// Value of `DML_OPERATOR_TYPE`.
    pub type_value: u32,
    /// Level of introduction.
    pub introduced: FeatureLevel,
    /// What it computes, in our words.
    pub says: Text,
    /// Path of the YAML file, relative to the repository root: `spec/operators/top_k1.yaml`.
    pub file: Text,
    /// Documents the clauses cite.
    pub sources: List<Source>,
    /// Fields in struct order.
    pub fields: List<Field>,
    /// What it computes: heads, such as `OutputTensor[o]`, and expressions; intermediates first. Empty if it is not said.
    pub meaning: List<(Text, Text)>,
    /// Mistakes that no small change of the meaning gives.
    pub mistakes: List<NamedMistake>,
    /// Which nodes of ONNX compute the same; the first whose rule holds. Empty if none does.
    pub onnx: List<OnnxEntry>,
    /// Clauses other than support cells and the generic tensor clauses.
    pub clauses: List<Clause>,
    /// Groups that have rows of their own in the support tables; empty if one row for each tensor serves all.
    pub groups: List<SupportGroup>,
    /// Support tables by ascending level.
    pub support: List<SupportTable>,
    /// Worked examples of the page.
    pub examples: List<Example>,
    /// How cases are made.
    pub cases: CaseModel,
    /// Binding sentences in addition to those that clauses cite.
    pub ledger: List<LedgerEntry>,
    /// Facts of sources that the specification does not follow.
    pub superseded: List<Superseded>,
    /// Mistakes that no legal case can show.
    pub equivalent: List<Equivalent>,
}

/// A field of a descriptor.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Field {
    /// DirectML's name, such as `InputTensor`.
    pub name: Text,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether it may be absent.
    pub optional: bool,
    /// How an output is compared; `None` for anything else.
    pub compare: Option<Comparison>,
    /// Inputs whose memory an output may share; empty for anything else.
    pub in_place: List<Text>,
    /// What it means, in our words.
    pub says: Text,
}

/// Whether a tensor is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum Role {
    /// Read by the operator.
    Input,
    /// Written by the operator.
    Output,
}

/// What a field holds. Array kinds name the `UINT` field that counts them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum FieldKind {
    /// A tensor.
    Tensor(Role),
    /// An array of tensors.
    Tensors(Role, Text),
    /// `UINT`.
    UInt,
    /// `INT`.
    Int,
    /// `FLOAT`.
    Float,
    /// `BOOL`.
    Bool,
    /// An enumeration, by its C name.
    Enum(Text),
    /// Array of `UINT`.
    UInts(Text),
    /// Array of `INT`.
    Ints(Text),
    /// Array of `FLOAT`.
    Floats(Text),
    /// `DML_SCALE_BIAS`.
    ScaleBias,
    /// `DML_SIZE_2D`.
    Size2D,
    /// `DML_SCALAR_UNION`, typed by the named data type field.
    Scalar(Text),
    /// A nested operator descriptor.
    Operator,
    /// An array of nested operator descriptors.
    Operators(Text),
}

/// The one enumeration that stands as `data_types` of its own.
pub const DATA_TYPE: &str = "DML_TENSOR_DATA_TYPE";

/// A kind, made of the name of the field that counts an array or types a scalar.
type Kind = fn(Text) -> FieldKind;

impl FieldKind {
    /// Kinds by their words in the YAML, in addition to the enumerations of `directml.yaml`.
    pub const WORDS: [(&'static str, Kind); 17] = [
        ("input", |_| Self::Tensor(Role::Input)),
        ("output", |_| Self::Tensor(Role::Output)),
        ("input array", |count| Self::Tensors(Role::Input, count)),
        ("output array", |count| Self::Tensors(Role::Output, count)),
        ("UINT", |_| Self::UInt),
        ("INT", |_| Self::Int),
        ("FLOAT", |_| Self::Float),
        ("BOOL", |_| Self::Bool),
        ("UINT array", Self::UInts),
        ("INT array", Self::Ints),
        ("FLOAT array", Self::Floats),
        ("SCALE_BIAS", |_| Self::ScaleBias),
        ("SIZE_2D", |_| Self::Size2D),
        ("SCALAR", Self::Scalar),
        ("OPERATOR", |_| Self::Operator),
        ("OPERATOR array", Self::Operators),
        (DATA_TYPE, |_| Self::Enum(Text::Borrowed(DATA_TYPE))),
    ];

    /// The word in the YAML.
    pub fn word(&self) -> &str {
        if let Self::Enum(name) = self {
            return name;
        }
        let named = self.named().map(|(_, name)| name.clone()).unwrap_or_default();
        let own = Self::WORDS.iter().find(|(_, kind)| kind(named.clone()) == *self);
        own.map_or("", |(word, _)| word)
    }

    /// The key that names the field which counts an array or types a scalar, and that field's name.
    pub fn named(&self) -> Option<(&'static str, &Text)> {
        match self {
            Self::Tensors(_, count)
            | Self::UInts(count)
            | Self::Ints(count)
            | Self::Floats(count)
            | Self::Operators(count) => Some(("count", count)),
            Self::Scalar(data_type) => Some(("type", data_type)),
            _ => None,
        }
    }

    /// The role, for tensors and arrays of tensors.
    pub fn role(&self) -> Option<Role> {
        match self {
            Self::Tensor(role) | Self::Tensors(role, _) => Some(*role),
            _ => None,
        }
    }
}

/// How an output is compared with the reference, by its data type.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Comparison {
    /// Data types with a comparison of their own.
    pub types: List<(Text, Compare)>,
    /// The comparison of all others.
    pub other: Compare,
    /// Why a tolerance is needed; empty if everything is exact.
    pub because: Text,
}

impl Comparison {
    /// The same for every data type.
    pub const fn all(other: Compare) -> Self {
        Self {
            types: List::Borrowed(&[]),
            other,
            because: Text::Borrowed(""),
        }
    }

    /// How elements of this data type are compared.
    pub fn of(&self, data_type: &str) -> &Compare {
        let own = self.types.iter().find(|(name, _)| name == data_type);
        own.map_or(&self.other, |(_, compare)| compare)
    }

    /// Whether no data type has a tolerance.
    pub fn is_exact(&self) -> bool {
        let mut all = self.types.iter().map(|(_, compare)| compare).chain([&self.other]);
        all.all(|compare| *compare == Compare::Exact)
    }
}

/// How close an element must come to the reference.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum Compare {
    /// Bit for bit.
    Exact,
    /// Within `n` units in the last place.
    Ulp(u32),
    /// Within an absolute distance.
    Abs(f64),
    /// Within an absolute distance that the oracle computes for each element.
    Bound,
}

/// A worked example of the page.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct Example {
    /// Our name for it: lower case, digits and dashes.
    pub name: Text,
    /// Citation of the reference.
    pub source: Option<Citation>,
    /// Values of the fields, in struct order.
    pub values: List<(Text, ExampleValue)>,
}

/// A packed tensor of an example.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub struct ExampleTensor {
    /// Sizes.
    pub sizes: List<u32>,
    /// Data type name.
    pub data_type: Text,
    /// Elements in row-major order, in decimal, separated by single spaces.
    pub data: Text,
}

/// A field's value in an example.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "bake", derive(databake::Bake), databake(path = dml_spec::model))]
pub enum ExampleValue {
    /// A tensor.
    Tensor(ExampleTensor),
    /// An array of tensors.
    Tensors(List<ExampleTensor>),
    /// An attribute: a number or an enumeration constant.
    Attribute(Text),
}

impl Catalog {
    /// The operator of this name.
    pub fn operator(&self, name: &str) -> Option<&Operator> {
        self.operators.iter().find(|o| o.name == name)
    }

    /// The data type of this numeric value.
    pub fn data_type(&self, value: u32) -> Option<&DataType> {
        self.data_types.iter().find(|t| t.value == value)
    }

    /// The data type of this name.
    pub fn data_type_named(&self, name: &str) -> Option<&DataType> {
        self.data_types.iter().find(|t| t.name == name)
    }

    /// The enumeration of this C name.
    pub fn enumeration(&self, name: &str) -> Option<&Enum> {
        self.enums.iter().find(|e| e.name == name)
    }
}

impl Operator {
    /// Index of the field of this name.
    pub fn field_index(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name == name)
    }

    /// What clauses, tables and examples cite.
    pub fn citations(&self) -> impl Iterator<Item = &Citation> {
        let clauses = self.clauses.iter().filter_map(|c| c.source.as_ref());
        let rows = self.support.iter().flat_map(|t| t.rows.iter());
        let rows = rows.filter_map(|r| r.source.as_ref());
        let tables = self.support.iter().filter_map(|t| t.source.as_ref());
        let examples = self.examples.iter().filter_map(|e| e.source.as_ref());
        clauses.chain(tables).chain(rows).chain(examples)
    }

    /// Whether it is said what the operator computes; else only its descriptors are judged.
    pub fn is_computed(&self) -> bool {
        !self.meaning.is_empty()
    }

    /// Names of the inputs whose memory some output may share, in struct order.
    pub fn shared_inputs(&self) -> impl Iterator<Item = &str> {
        let is_shared = |name: &str| self.fields.iter().any(|f| f.in_place.iter().any(|input| input == name));
        let names = self.fields.iter().map(|f| f.name.as_ref());
        names.filter(move |name| is_shared(name))
    }

    /// The first level with a table, and every level at which a table differs from the one before.
    pub fn table_levels(&self) -> impl Iterator<Item = FeatureLevel> {
        self.support.iter().map(|table| table.level)
    }

    /// The table valid at `level`: the newest one not above it.
    pub fn table_at(&self, level: FeatureLevel) -> Option<&SupportTable> {
        self.support.iter().rev().find(|t| t.level <= level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_words_belong_together() {
        for (word, kind) in FieldKind::WORDS {
            let kind = kind(Text::Borrowed("Count"));
            assert_eq!(kind.word(), word);
            assert!(kind.named().is_none_or(|(_, name)| name == "Count"));
        }
        assert_eq!(FieldKind::Enum(Text::Borrowed("DML_X")).word(), "DML_X");
    }
}
