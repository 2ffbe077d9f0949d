//! The catalog: everything the YAML says, as plain data.
//!
//! The types are built of [`Cow`]s so that the same value can stand in a `static` (expanded by the macros) or be
//! loaded at run time from a folder. A test holds the two equal.

use std::borrow::Cow;

use crate::level::FeatureLevel;

/// Text that is either compiled in or loaded.
pub type Text = Cow<'static, str>;
/// A list that is either compiled in or loaded.
pub type List<T> = Cow<'static, [T]>;

/// The whole specification.
#[derive(Clone, Debug, PartialEq)]
pub struct Catalog {
    /// Feature levels in ascending order.
    pub levels: List<Level>,
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

/// A feature level and the release that brought it.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The level itself.
    pub level: FeatureLevel,
    /// The DirectML release, such as `1.8.0`.
    pub release: Text,
}

/// One member of `DML_TENSOR_DATA_TYPE`.
#[derive(Clone, Debug, PartialEq)]
pub struct DataType {
    /// Name without the `DML_TENSOR_DATA_TYPE_` prefix, such as `FLOAT16`.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// An enumeration or a flag set.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// C name, such as `DML_AXIS_DIRECTION`.
    pub name: Text,
    /// True for flag sets, whose values combine by or.
    pub flags: bool,
    /// Members in order of their value.
    pub members: List<EnumMember>,
}

/// A member of an enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumMember {
    /// Full C name, such as `DML_AXIS_DIRECTION_DECREASING`.
    pub name: Text,
    /// Numeric value.
    pub value: u32,
}

impl Enum {
    /// The member names' common prefix: `DML_AXIS_DIRECTION_` (for flag sets `DML_TENSOR_FLAG_`).
    pub fn prefix(&self) -> String {
        let stem = if self.flags {
            self.name.strip_suffix('S').unwrap_or(&self.name)
        } else {
            &self.name
        };
        format!("{stem}_")
    }
}

/// A revision of a document that clauses cite. The document's text is not stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// Name used by [`Citation::source`], such as `en-2022`.
    pub name: Text,
    /// Page name without extension.
    pub page: Text,
    /// Locale, such as `en-us`.
    pub locale: Text,
    /// Our name for the revision.
    pub revision: Text,
}

/// Where a statement stands in the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Citation {
    /// Name of a [`Source`].
    pub source: Text,
    /// Member, section or table that holds it.
    pub anchor: Text,
    /// Sentence within the anchor, counted from 1; 0 where the whole anchor is meant (a table, an example).
    pub sentence: u32,
    /// SHA-256 of the normalised sentence in lower-case hex; empty where no single sentence stands for it.
    pub sha256: Text,
}

/// One operator, as its page describes it.
#[derive(Clone, Debug, PartialEq)]
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
    /// Clauses other than support cells and the generic tensor clauses.
    pub clauses: List<Clause>,
    /// Support tables by ascending level.
    pub support: List<SupportTable>,
    /// Worked examples of the page.
    pub examples: List<Example>,
    /// How cases are made.
    pub cases: CaseModel,
}

/// A field of a descriptor.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// DirectML's name, such as `InputTensor`.
    pub name: Text,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether it may be absent.
    pub optional: bool,
    /// How an output is compared; `None` for anything else.
    pub compare: Option<Compare>,
    /// What it means, in our words.
    pub says: Text,
}

/// Whether a tensor is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Read by the operator.
    Input,
    /// Written by the operator.
    Output,
}

/// What a field holds. Array kinds name the `UINT` field that counts them.
#[derive(Clone, Debug, PartialEq)]
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

impl FieldKind {
    /// The role, for tensors and arrays of tensors.
    pub fn role(&self) -> Option<Role> {
        match self {
            Self::Tensor(role) | Self::Tensors(role, _) => Some(*role),
            _ => None,
        }
    }
}

/// How close an output must come to the reference.
#[derive(Clone, Debug, PartialEq)]
pub enum Compare {
    /// Bit for bit.
    Exact,
    /// Within `n` units in the last place.
    Ulp(u32),
    /// Within an absolute distance.
    Abs(f64),
}

/// What a clause states about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClauseKind {
    /// About the descriptor: checked by validators.
    Constraint,
    /// About the results.
    Guarantee,
    /// What the reference leaves open.
    Silence,
}

/// How far the statement can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The text says it.
    Normative,
    /// Only an example shows it.
    ByExample,
    /// Text and runtimes differ.
    Disputed,
    /// The text is silent, and every runtime measured agrees.
    Observed,
    /// Nothing is defined: text and runtimes leave it open.
    Open,
}

/// Which tensors a `TENSOR/` clause is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applies {
    /// Not a tensor clause, or one about no tensor in particular.
    Operator,
    /// Every tensor that the page does not call optional.
    Required,
    /// Every tensor that is present (with `structural` ones deciding presence first).
    Any,
    /// Inputs only.
    Input,
    /// Outputs only.
    Output,
}

/// One checkable statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Full id, such as `TOP_K1/axis-in-range`.
    pub id: Text,
    /// What it is about.
    pub kind: ClauseKind,
    /// How far it can be trusted.
    pub status: Status,
    /// The statement in our words.
    pub says: Text,
    /// Tensors it is about.
    pub applies: Applies,
    /// Tensor clauses only: every rule that mentions the tensor needs this one to hold first.
    pub structural: bool,
    /// Full ids of clauses that must hold before this one means anything.
    pub needs: List<Text>,
    /// The rule: for constraints what must hold, for silences when it applies. See the rule language.
    pub rule: Option<Text>,
    /// Guarantees: diagnosis classes that blame this clause.
    pub class: List<Text>,
    /// Silences: properties that hold all the same.
    pub holds: List<Text>,
    /// Where the reference says it; `None` where the text is silent.
    pub source: Option<Citation>,
    /// What releases did.
    pub observed: List<Observation>,
    /// What happened to the clause.
    pub history: List<Change>,
    /// `Some` once the clause is withdrawn: the id that replaces it, or empty.
    pub retired: Option<Text>,
}

/// What one release was seen to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Releases, such as `DirectML 1.15.4`.
    pub runtime: Text,
    /// Day of the measurement, `YYYY-MM-DD`.
    pub date: Text,
    /// The rule the runtime follows; `None` where it is the clause's own.
    pub rule: Option<Text>,
    /// What was seen, in our words.
    pub says: Text,
}

/// An entry of a clause's history.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Day, `YYYY-MM-DD`.
    pub date: Text,
    /// What changed.
    pub change: Text,
}

/// What a feature level supports, until the next table.
#[derive(Clone, Debug, PartialEq)]
pub struct SupportTable {
    /// First level it is valid for.
    pub level: FeatureLevel,
    /// One row a tensor, in struct order.
    pub rows: List<SupportRow>,
    /// Where the reference has it.
    pub source: Option<Citation>,
}

/// Supported dimension counts and data types of one tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct SupportRow {
    /// Field name.
    pub tensor: Text,
    /// Smallest and largest dimension count, inclusive.
    pub dimensions: (u32, u32),
    /// Data type names.
    pub types: List<Text>,
}

/// A worked example of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Our name for it: lower case, digits and dashes.
    pub name: Text,
    /// Where the reference has it.
    pub source: Option<Citation>,
    /// Values of the fields, in struct order.
    pub values: List<(Text, ExampleValue)>,
}

/// A field's value in an example.
#[derive(Clone, Debug, PartialEq)]
pub enum ExampleValue {
    /// A packed tensor: sizes, data type name, elements in row-major order separated by single spaces.
    Tensor {
        /// Sizes.
        sizes: List<u32>,
        /// Data type name.
        data_type: Text,
        /// Elements in decimal, separated by single spaces.
        data: Text,
    },
    /// An attribute: a number or an enumeration constant.
    Attribute(Text),
}

/// How cases of an operator are made: data for the planner.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseModel {
    /// Id keys in canonical order.
    pub keys: List<Key>,
    /// What follows from the keys: path and an expression of the rule language.
    pub derive: List<(Text, Text)>,
    /// Along which sequences value patterns run.
    pub lanes: Option<Lanes>,
    /// Families in order.
    pub families: List<Family>,
}

/// A key of a case id.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Name in the id, such as `sizes`.
    pub name: Text,
    /// Path it sets, such as `InputTensor.Sizes` or `Axis`.
    pub sets: Text,
}

/// Value patterns are laid out along an axis, around the K-th element.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes {
    /// Expression: the axis.
    pub axis: Text,
    /// Expression: how many elements are selected.
    pub k: Text,
}

/// The cases of one purpose.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Name in the id.
    pub name: Text,
    /// Why it exists, in our words.
    pub says: Text,
    /// Mistakes it exists to catch.
    pub catches: List<Text>,
    /// How its cases are generated.
    pub generator: Generator,
    /// Products of key values; what they mean depends on the generator.
    pub sweeps: List<Sweep>,
}

/// A way to make cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generator {
    /// The worked examples.
    Examples,
    /// Every combination of the sweeps that is valid.
    Sweep,
    /// Like `Sweep`, and every forbidden support cell as a fault around the sweeps marked `base`.
    Support,
    /// Every constraint broken as alone as it can be, around the sweeps.
    Faults,
}

/// A tier of cases; each holds the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Under a second.
    Smoke,
    /// The default.
    Standard,
    /// Everything.
    Exhaustive,
}

/// A product of key values.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Lowest tier that holds its cases.
    pub tier: Tier,
    /// Serves as the starting point of faults.
    pub base: bool,
    /// Disputed clauses its cases may break (full ids).
    pub allow: List<Text>,
    /// Condition a combination must meet (rule language).
    pub only: Option<Text>,
    /// Key and its points, in canonical key order. `values`, `layout` and `seed` are keys of every operator.
    pub points: List<(Text, List<Text>)>,
}

/// The two expressions of a range of points, `from..to` (exclusive); `None` for a single one.
pub fn range(point: &str) -> Option<(&str, &str)> {
    point.split_once("..")
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

    /// The table valid at `level`: the newest one not above it.
    pub fn table_at(&self, level: FeatureLevel) -> Option<&SupportTable> {
        self.support.iter().rev().find(|t| t.level <= level)
    }
}

impl SupportTable {
    /// The row of this tensor.
    pub fn row(&self, tensor: &str) -> Option<&SupportRow> {
        self.rows.iter().find(|r| r.tensor == tensor)
    }
}

impl SupportRow {
    /// Whether the table allows this data type.
    pub fn allows_type(&self, name: &str) -> bool {
        self.types.iter().any(|t| t == name)
    }

    /// Whether the table allows this dimension count.
    pub fn allows_dimensions(&self, count: u32) -> bool {
        (self.dimensions.0..=self.dimensions.1).contains(&count)
    }
}

/// Id of a support cell for a data type: `TOP_K1/5.0/InputTensor/FLOAT64`.
pub fn type_cell_id(operator: &str, level: FeatureLevel, tensor: &str, data_type: &str) -> String {
    format!("{operator}/{level}/{tensor}/{data_type}")
}

/// Id of a support cell for a dimension count: `TOP_K1/5.0/InputTensor/4-D`.
pub fn dimension_cell_id(operator: &str, level: FeatureLevel, tensor: &str, count: u32) -> String {
    format!("{operator}/{level}/{tensor}/{count}-D")
}
