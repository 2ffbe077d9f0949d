//! What a dump says of a case beside its elements.

use std::fmt;

use dml_case::number;
use dml_spec::model::{DataType, NumberClass};

use crate::format::{Damage, invalid};

/// What is accepted of a case, elements aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Id of the case.
    pub(crate) id: String,
    /// The verdict expected: `valid`, `rejected`, `observed`, `observed, refused` or `unspecified`.
    pub(crate) verdict: String,
    /// How the outputs are specified.
    pub(crate) openness: Openness,
    /// Clauses that the verdict rests on.
    pub(crate) clauses: Vec<String>,
    /// Properties that are demanded of outputs that are open as a whole: they cannot be stated element by element.
    pub(crate) properties: Vec<String>,
}

/// How the outputs of a case are specified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Openness {
    /// Nothing runs.
    Create,
    /// Some element is judged, unless all of them happen to be open.
    Judged,
    /// All elements are unspecified.
    Unspecified,
    /// All elements are specified by the runtimes alone, whose word does not count.
    Observed,
}

/// Every openness, in the order of the format.
pub(crate) const OPENNESS: [Openness; 4] = [
    Openness::Create,
    Openness::Judged,
    Openness::Unspecified,
    Openness::Observed,
];

impl Openness {
    /// Whether no element is judged although outputs are computed.
    pub(crate) fn is_open(self) -> bool {
        matches!(self, Self::Unspecified | Self::Observed)
    }
}

/// Every class of numbers, in the order of the format.
pub(crate) const CLASSES: [NumberClass; 3] = [NumberClass::Float, NumberClass::Signed, NumberClass::Unsigned];

/// The type of an output, from its class and its bits.
pub(crate) fn type_of(class: u8, bits: u8) -> Result<DataType, Damage> {
    match CLASSES.get(usize::from(class)) {
        Some(NumberClass::Float) if bits == 8 => invalid("floats of 8 bits are unknown"),
        Some(class) if [8, 16, 32, 64].contains(&bits) => Ok(number::ty(*class, u32::from(bits))),
        _ => invalid(format!("unknown type of elements: class {class}, {bits} bits")),
    }
}

/// How many elements are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Those that are exact.
    pub(crate) exact: u64,
    /// Intervals.
    pub(crate) intervals: u64,
    /// Sets.
    pub(crate) sets: u64,
    /// Those that may be anything.
    pub(crate) open: u64,
}

impl Counts {
    /// All elements; `None` if there are too many.
    pub(crate) fn all(&self) -> Option<u64> {
        let parts = [self.exact, self.intervals, self.sets, self.open];
        parts.into_iter().try_fold(0u64, u64::checked_add)
    }

    /// Adds others.
    pub(crate) fn add(&mut self, other: &Self) {
        self.exact += other.exact;
        self.intervals += other.intervals;
        self.sets += other.sets;
        self.open += other.open;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            exact,
            intervals,
            sets,
            open,
        } = self;
        write!(f, "{exact} exact, {intervals} intervals, {sets} sets, {open} open")
    }
}
