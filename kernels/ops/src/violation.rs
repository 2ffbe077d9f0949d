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

/// The subject of a check: a tensor, or the descriptor as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// Field name.
    pub tensor: Option<&'static str>,
    /// For arrays of tensors, which element.
    pub element: Option<u32>,
}

/// Everything a descriptor violates; up to two without allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations(SmallVec<[Violation; 2]>);

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

    /// Violations that make the descriptor invalid.
    pub fn errors(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter().filter(|v| v.runtime)
    }

    /// Violations of the text only: every runtime accepts them.
    pub fn notes(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter().filter(|v| !v.runtime)
    }

    /// `Ok` if no runtime rejects the descriptor.
    ///
    /// # Errors
    /// All violations, notes included, if a runtime rejects the descriptor.
    pub fn into_result(self) -> Result<(), Self> {
        if self.errors().next().is_none() {
            Ok(())
        } else {
            Err(self)
        }
    }

    /// A rule about the descriptor as a whole that text and runtimes share.
    #[inline]
    pub fn normative(&mut self, clause: &'static str, holds: Option<bool>) -> bool {
        self.judge(clause, holds, holds)
    }

    /// The results of a rule about the descriptor as a whole by the text and by the runtimes.
    #[inline]
    pub fn judge(&mut self, clause: &'static str, text: Option<bool>, runtime: Option<bool>) -> bool {
        self.judge_at(At::default(), clause, text, runtime)
    }

    /// Whether the clause holds by what the runtimes demand: what rests on it goes by that. An undefined rule does
    /// not hold.
    #[inline]
    pub fn judge_at(&mut self, at: At, clause: &'static str, text: Option<bool>, runtime: Option<bool>) -> bool {
        let (text, runtime) = (text == Some(true), runtime == Some(true));
        if !(text && runtime) {
            self.push(at, clause, text, runtime);
        }
        runtime
    }

    #[cold]
    #[inline(never)]
    fn push(&mut self, At { tensor, element }: At, clause: &'static str, text: bool, runtime: bool) {
        self.0.push(Violation {
            clause,
            tensor,
            element,
            text: !text,
            runtime: !runtime,
        });
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
