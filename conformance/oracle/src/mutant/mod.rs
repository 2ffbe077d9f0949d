//! Mistakes as data: small changes of what is computed, of the descriptor, or of how tensors are accessed.
//!
//! A mutant computes what an implementation with this mistake would. What it cannot compute of an element, such as a
//! quotient by zero, may be anything, and a read outside a tensor reads the buffer linearly.

mod access;
mod apply;
mod attributes;
mod build;
mod claims;
mod descriptor;
mod edits;
mod explain;
mod expressions;
mod forms;
mod free;
mod habits;
mod halves;
mod idle;
mod list;
mod lists;
mod moved;
mod named;
mod numbers;
mod observed;
mod placed;
mod reads;
mod results;
mod sequences;
mod slips;
mod sums;
mod texts;
mod uses;
mod values;
mod words;

use std::{fmt, ops::Range, sync::Arc};

use dml_case::names;
use dml_spec::meaning::{Meaning, Node, Place};

pub use self::apply::{Computed, Difference, MutantRun, compare};
pub use self::claims::Claims;
pub use self::explain::{Statement, explain, explain_failures};
pub use self::list::mutants;
pub use self::observed::{Given, Observed};
use self::{access::Access, descriptor::Swap, named::Named, placed::Placed, results::LeftOut, sequences::Sequences};

/// What kind of mistake a mutant is, in the order in which explanations prefer them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An attribute, an enumeration or an optional tensor is ignored, or taken for another.
    Attribute,
    /// Strides, sizes or an offset are ignored, or those of another tensor.
    StridesIgnored,
    /// A branch is always taken, never taken, or taken for the other.
    Branch,
    /// An operand or a part is left out.
    OperandDropped,
    /// Operands are exchanged.
    OperandsSwapped,
    /// Another operation of the same form.
    Operator,
    /// A constant or the end of a range is off by one.
    OffByOne,
    /// The axis before or after, or a coordinate of another dimension.
    AxisConfused,
    /// An index is mirrored, clamped, taken modulo or by its magnitude.
    Index,
    /// Of equal values another one comes first.
    TieOrder,
    /// The first or last element is left out, or an extreme starts at 0.
    Bounds,
    /// An input that an output lies over is read after it was written over.
    InputOverwritten,
    /// Numbers are compared or added by another sign, by their bits or by halves.
    Signedness,
    /// Another rounding, or another way to leave a range.
    Rounding,
    /// A narrower type on the way.
    Precision,
    /// Outputs are not written.
    Unwritten,
    /// Elements beyond a number of them are not computed.
    Size,
    /// One that the specification names. It comes last: it says more than a small change that gives the same does.
    Named,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 18] = [
        Self::Attribute,
        Self::StridesIgnored,
        Self::Branch,
        Self::OperandDropped,
        Self::OperandsSwapped,
        Self::Operator,
        Self::OffByOne,
        Self::AxisConfused,
        Self::Index,
        Self::TieOrder,
        Self::Bounds,
        Self::InputOverwritten,
        Self::Signedness,
        Self::Rounding,
        Self::Precision,
        Self::Unwritten,
        Self::Size,
        Self::Named,
    ];

    /// The word for it, as in ids and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Attribute => "attribute",
            Self::StridesIgnored => "strides-ignored",
            Self::Branch => "branch",
            Self::OperandDropped => "operand-dropped",
            Self::OperandsSwapped => "operands-swapped",
            Self::Operator => "operator",
            Self::OffByOne => "off-by-one",
            Self::AxisConfused => "axis-confused",
            Self::Index => "index",
            Self::TieOrder => "tie-order",
            Self::Bounds => "bounds",
            Self::InputOverwritten => names::OVERWRITTEN,
            Self::Signedness => "signedness",
            Self::Rounding => "rounding",
            Self::Precision => "precision",
            Self::Unwritten => names::UNWRITTEN,
            Self::Size => "size",
            Self::Named => "named",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A small change.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its kind.
    pub kind: Kind,
    /// An id that is the same as long as the operator's meaning and fields are.
    pub id: String,
    /// What an implementation with this mistake does: lower case, no final period.
    pub sentence: String,
    /// Which expression of the specification it changes, if it changes one.
    pub place: Option<(Place, Range<usize>)>,
    change: Change,
}

impl Mutant {
    /// The class that a report prints: the name, if it has one in the specification, else the kind.
    pub fn class(&self) -> &str {
        match &self.change {
            Change::Named(named) => &named.name,
            _ => self.kind.word(),
        }
    }

    /// Whether an implementation with this mistake may give one thing or another.
    fn is_set(&self) -> bool {
        matches!(&self.change, Change::Named(named) if named.is_set())
    }

    /// Whether it reads buffers in another way, so that much may lie beyond them.
    fn is_access(&self) -> bool {
        matches!(self.change, Change::Access(_))
    }

    /// Whether it has a condition within it, of the descriptor, as a mistake about one data type has.
    fn is_conditional(&self) -> bool {
        matches!(&self.change, Change::Meaning { conditional: true, .. })
    }

    /// Its place among mutants that explain as much: outputs that hold the same everywhere say no more than that, whatever
    /// else would give them; then by kind.
    fn rank(&self) -> (bool, Kind) {
        let is_constant = matches!(&self.change, Change::LeftOut(left) if left.is_all());
        (!is_constant, self.kind)
    }
}

#[derive(Clone, Debug)]
enum Change {
    /// Parts of the meaning are others.
    Meaning {
        /// The other meaning.
        meaning: Arc<Meaning>,
        /// Where the parts are, in the meaning that is right.
        parts: Vec<(Root, Vec<usize>)>,
        /// They are others only for descriptors that a condition within them names.
        conditional: bool,
    },
    /// The descriptor is another.
    Descriptor(Swap),
    /// Input tensors are accessed in another way.
    Access(Access),
    /// Outputs are written by other strides.
    Placed(Placed),
    /// Elements of outputs are left out.
    LeftOut(LeftOut),
    /// Whole numbers of the outputs of this field are larger by so much.
    Larger(usize, i8),
    /// Outputs repeat their first so many elements.
    Repeated(usize),
    /// Outputs are written in a row, as if the dimension that this field names were the last one.
    InARow(usize),
    /// Outputs are written from the last element to the first along the dimension that this field names.
    Backwards(usize),
    /// The numbers of this list are taken by their magnitude, and outputs are turned round along the dimensions of which
    /// they are negative.
    Turned(usize),
    /// The sequences along a dimension begin and end elsewhere.
    Sequences(Sequences),
    /// Of an output in the memory of an input: elements are read after they were written over.
    Overwritten,
    /// Lines of the meaning are others, and elements may be anything.
    Named(Named),
}

/// Which expression of a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Definition(usize),
    Output(usize),
}

/// A part of an expression that is another.
#[derive(Clone, Debug)]
struct Edit {
    root: Root,
    /// The numbers of the parts that lead to it.
    path: Vec<usize>,
    node: Node,
}
