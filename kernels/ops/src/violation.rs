//! What a validator finds.

use std::fmt;

use smallvec::SmallVec;

/// A violated clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Violation {
    /// Full clause id, or the id of a support cell.
    pub clause: &'static str,
    /// The tensor it is about, by field name.
    pub tensor: Option<&'static str>,
    /// For arrays of tensors, which element.
    pub element: Option<u32>,
    /// The text is violated.
    pub text: bool,
    /// The runtimes reject it.
    pub runtime: bool,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.clause)?;
        match (self.tensor, self.element) {
            (Some(tensor), Some(element)) => write!(f, " ({tensor}[{element}])"),
            (Some(tensor), None) => write!(f, " ({tensor})"),
            _ => Ok(()),
        }
    }
}

/// Everything a descriptor violates; up to four without allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations(SmallVec<[Violation; 4]>);

impl Violations {
    /// Nothing violated yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing is violated, not even by the text alone.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of violations, notes included.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Violation> {
        self.0.iter()
    }

    /// Those that make the descriptor invalid.
    pub fn errors(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter().filter(|v| v.runtime)
    }

    /// Those that only the text objects to: every runtime accepts them.
    pub fn notes(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter().filter(|v| !v.runtime)
    }

    /// `Ok` where no runtime objects.
    ///
    /// # Errors
    /// Everything, notes included, where one does.
    pub fn into_result(self) -> Result<(), Self> {
        if self.errors().next().is_none() {
            Ok(())
        } else {
            Err(self)
        }
    }

    /// Records a violation.
    #[cold]
    pub fn push(&mut self, violation: Violation) {
        self.0.push(violation);
    }
}

impl<'a> IntoIterator for &'a Violations {
    type Item = &'a Violation;
    type IntoIter = std::slice::Iter<'a, Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("violates ")?;
        for (i, violation) in self.errors().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{violation}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}
