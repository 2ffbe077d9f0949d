//! The content of one page: facts with their places, never its sentences.

use dml_spec::{
    Diagnostic, FeatureLevel, Place,
    model::{ExampleValue, FieldKind},
};

/// The locale of pages that `spec docs` writes: they are not a revision of the reference.
pub const OWN_LOCALE: &str = "en-x-dml-cts";

/// A fact and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot<T> {
    /// The fact.
    pub value: T,
    /// Its place.
    pub at: At,
}

/// A place on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// Member, or section by its English slug, as in citations.
    pub anchor: String,
    /// Sentence within the anchor from 1; 0 if the fact is not a sentence (a table, an example, a declaration).
    pub sentence: u32,
    /// SHA-256 of the normalised sentence; empty if `sentence` is 0.
    pub sha256: String,
    /// Line of the page from 1.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
}

impl At {
    /// The start of a line.
    pub fn line(line: u32) -> Self {
        Self {
            anchor: String::new(),
            sentence: 0,
            sha256: String::new(),
            line,
            column: 1,
        }
    }
}

/// How a page is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Markdown with `## -description` and `### -field X`.
    SdkApi,
    /// Markdown with `## Syntax` and `## Members`.
    Rendered,
    /// A web page copied as text: no fences, no pipes.
    PlainText,
}

/// A page of the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Path as the user gave it.
    pub file: String,
    /// Name of the document, such as `ns-directml-dml_top_k1_operator_desc`.
    pub document: String,
    /// Locale in lower case, such as `fr-fr`; `en-us` if nothing says otherwise.
    pub locale: String,
    /// How it is laid out.
    pub layout: Layout,
    /// Operator it describes, such as `TOP_K1`.
    pub operator: String,
    /// Level of introduction, if the page names it.
    pub introduced: Option<Spot<FeatureLevel>>,
    /// Members in the order of the syntax block, else of their descriptions.
    pub fields: Vec<Spot<PageField>>,
    /// Support tables in the order of the page.
    pub tables: Vec<Spot<Table>>,
    /// "A, B and C must have the same P", one entry for each property.
    pub constraints: Vec<Spot<SharedProperty>>,
    /// Sentences that compare a number with bounds.
    pub bounds: Vec<Spot<Bound>>,
    /// The sizes that tables and then sentences list for tensors.
    pub shapes: Vec<Spot<Shape>>,
    /// What blocks of code compute.
    pub formulas: Vec<Spot<Formula>>,
    /// Numbers of which a field is one.
    pub choices: Vec<Spot<Choice>>,
    /// Data types that are said to be those of tensors.
    pub matching: Vec<Spot<Matching>>,
    /// Tensors that are said not to support `DML_TENSOR_FLAG_OWNED_BY_DML`.
    pub unowned: Vec<Spot<String>>,
    /// Tensors that are said to exclude others.
    pub exclusions: Vec<Spot<Exclusion>>,
    /// Worked examples.
    pub examples: Vec<Spot<PageExample>>,
    /// Operators that a remark calls equivalent.
    pub equivalents: Vec<Spot<String>>,
    /// Further claims of the page, against which its facts are checked.
    pub claims: Vec<Spot<Claim>>,
    /// Every sentence of the page, in its order.
    pub sentences: Vec<PageSentence>,
}

impl Page {
    /// A mistake at the place of a fact, without a span: facts have lines and columns only.
    pub fn diagnostic(&self, code: &'static str, at: &At, message: String, hint: Option<&str>) -> Diagnostic {
        let place = Place {
            file: self.file.clone(),
            line: at.line.max(1),
            column: at.column.max(1),
            span: 0..0,
        };
        Diagnostic {
            code,
            place,
            message,
            hint: hint.map(str::to_owned),
        }
    }

    /// Whether a sentence says that two tensors have a property in common.
    pub fn shares(&self, property: Property, one: &str, other: &str) -> bool {
        let wanted = SharedProperty {
            tensors: vec![one.to_owned(), other.to_owned()],
            property,
        };
        self.constraints.iter().any(|same| same.value.implies(&wanted))
    }

    /// The first level that a table is valid for; `None` if neither its heading nor the page names one.
    pub fn level_of(&self, table: &Table) -> Option<FeatureLevel> {
        table.level.or(self.introduced.as_ref().map(|level| level.value))
    }
}

/// A claim of a page in addition to its facts, which may contradict them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A tensor's elements have one of these data types.
    DataType {
        /// The tensor.
        tensor: String,
        /// Names of data types.
        types: Vec<String>,
    },
    /// The operator may run in place, or may not.
    InPlace {
        /// Whether it may.
        may: bool,
        /// The inputs in whose memory the output may lie.
        inputs: Vec<String>,
    },
    /// A comment of an example adds numbers up to the one before it.
    Sum {
        /// The number before the comment.
        stated: String,
        /// What the numbers come to.
        comes_to: String,
    },
}

/// A member of the structure.
#[derive(Clone, Debug, PartialEq)]
pub struct PageField {
    /// Its name.
    pub name: String,
    /// What it holds. The role of a tensor is its kind in the tables, else derived from its name.
    pub kind: FieldKind,
    /// Whether it may be absent.
    pub optional: bool,
}

impl PageField {
    /// Whether it is an array with as many elements as another field says.
    pub(super) fn is_counted_by(&self, field: &str) -> bool {
        matches!(self.kind.named(), Some(("count", count)) if count == field)
    }
}

/// A support table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Level in its heading; `None` if it has none, and is valid from the level of introduction on.
    pub level: Option<FeatureLevel>,
    /// Functions its section is about, such as `ARGMAX`, in alphabetical order; empty for tables of all descriptors.
    pub functions: Vec<String>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A row of a support table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The tensor.
    pub tensor: String,
    /// The kind column: read or written, an array, optional; `None` if it cannot be read.
    pub kind: Option<RowKind>,
    /// Smallest and largest dimension count; `None` if the cell cannot be read.
    pub dimensions: Option<(u32, u32)>,
    /// Data types as the cell names them, in its order.
    pub types: Vec<String>,
    /// The Dimensions column, if there is one: `{ [BatchCount], M, K }`, with brackets around dimensions that may be
    /// dropped, or `{ InputDimensions[] }` for all sizes together. A name that two tensors share means that the sizes
    /// are equal.
    pub shape: Option<String>,
    /// Line of the page from 1.
    pub line: u32,
}

/// The kind column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowKind {
    /// Written by the operator.
    pub output: bool,
    /// An array of tensors.
    pub array: bool,
    /// May be absent.
    pub optional: bool,
}

/// Tensors that have a property in common. Of those that may be absent only the present ones count; the name of an
/// array is each of its elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedProperty {
    /// Tensors in alphabetical order.
    pub tensors: Vec<String>,
    /// What is the same.
    pub property: Property,
}

impl SharedProperty {
    /// Whether all that another one says is part of this.
    pub fn implies(&self, other: &Self) -> bool {
        self.property == other.property && other.tensors.iter().all(|tensor| self.tensors.contains(tensor))
    }
}

/// A property that sentences compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// `DataType`.
    DataType,
    /// `DimensionCount`.
    DimensionCount,
    /// `Sizes`.
    Sizes,
}

impl Property {
    /// Every property.
    pub const ALL: [Self; 3] = [Self::DataType, Self::DimensionCount, Self::Sizes];

    /// Its name in descriptors.
    pub fn name(self) -> &'static str {
        match self {
            Self::DataType => "DataType",
            Self::DimensionCount => "DimensionCount",
            Self::Sizes => "Sizes",
        }
    }
}

/// The sizes of a tensor, as a page lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The tensor.
    pub tensor: String,
    /// The lists of which one holds.
    pub lists: Vec<Vec<Dimension>>,
    /// Any of its sizes may be 1 instead.
    pub broadcasts: bool,
}

/// What a block of code demands of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The tensor that it is about first.
    pub tensor: String,
    /// The demand, as a rule.
    pub rule: String,
    /// Sizes that are given a value, in order.
    pub sizes: Vec<ComputedSize>,
}

/// A value that a block of code gives to a size of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputedSize {
    /// The tensor.
    pub tensor: String,
    /// Its first dimension that gets the value.
    pub dimension: u64,
    /// The field that says how many dimensions get it; `None`: one.
    pub count: Option<String>,
    /// The value, in which [`LOOP`] stands for how many such dimensions come before.
    pub value: String,
}

/// Stands in an expression for the variable of a loop.
pub const LOOP: &str = "\u{1}";

/// The numbers that a field may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The field.
    pub field: String,
    /// The numbers.
    pub values: [u64; 2],
}

/// A dimension in such a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The size if there is no name, else what the size of the name is multiplied by.
    pub factor: u64,
    /// The name of a size, which is the same wherever the page lists it; ending in `[]`, of all sizes of a tensor.
    pub name: Option<String>,
    /// Whether tensors of fewer dimensions have it.
    pub may_drop: bool,
}

/// A data type field that is the data type of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching {
    /// The field.
    pub field: String,
    /// The tensor.
    pub tensor: String,
}

/// A tensor that is given only where some others are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// The tensor.
    pub tensor: String,
    /// The others.
    pub others: Vec<String>,
}

/// What a number of the descriptor, or each number of an array, has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The field.
    pub field: String,
    /// All of them hold.
    pub limits: Vec<(Comparison, Limit)>,
}

/// How a number compares with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
    /// `==`
    Equal,
}

impl Comparison {
    /// What holds where this does not; `None` of equality, which sentences do not negate.
    pub fn negated(self) -> Option<Self> {
        match self {
            Self::Less => Some(Self::AtLeast),
            Self::AtMost => Some(Self::Greater),
            Self::AtLeast => Some(Self::Less),
            Self::Greater => Some(Self::AtMost),
            Self::Equal => None,
        }
    }

    /// Its sign in rules.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
            Self::Greater => ">",
            Self::Equal => "==",
        }
    }
}

/// What a number is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A whole number.
    Number(i64),
    /// How many dimensions a tensor has, and so many less.
    DimensionCount {
        /// The tensor.
        tensor: String,
        /// What is taken from it.
        less: u32,
    },
}

/// A worked example.
#[derive(Clone, Debug, PartialEq)]
pub struct PageExample {
    /// Values in the order of the page; absent ones are left out.
    pub values: Vec<(String, ExampleValue)>,
    /// Why it cannot be used as written, such as undefined elements; its values are incomplete then.
    pub unusable: Option<String>,
}

/// A sentence of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSentence {
    /// Its place, with number and hash.
    pub at: At,
    /// Whether it binds: it says must, should, except, a range, guaranteed, undefined and the like.
    pub normative: bool,
}
