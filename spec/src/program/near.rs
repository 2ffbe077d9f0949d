//! What checks came to on one descriptor, for the many that differ from it in a field or two.

use super::Fields;
use crate::{desc::Descriptor, level::FeatureLevel};

/// Whether a rule holds by the text, and by the runtimes.
pub(super) type Holds = (bool, bool);

/// A descriptor at a level, and what each check came to on each of its tensors. A rule whose fields a descriptor shares with
/// it is not evaluated again.
#[derive(Debug)]
pub struct Base {
    /// The descriptor.
    pub descriptor: Descriptor,
    /// The level it was checked for.
    pub level: FeatureLevel,
    /// For each check, whatever it needs, what it came to by the place of its tensor in an array.
    pub(super) known: Vec<Vec<Holds>>,
    /// Its group of the support tables.
    pub(super) group: Option<String>,
    /// Tensor fields with which nothing is wrong by themselves, cells of that group included.
    pub(super) clean: Fields,
}

/// A base, and in which fields the descriptor at hand differs from it.
#[derive(Clone, Copy)]
pub(super) struct Near<'a> {
    base: &'a Base,
    differing: Fields,
}

impl<'a> Near<'a> {
    /// A descriptor that differs from the base in some of these fields, or in any.
    pub(super) fn new(base: &'a Base, descriptor: &Descriptor, changed: Option<&[usize]>) -> Self {
        let differs = |field: &usize| base.descriptor.fields.get(*field) != descriptor.fields.get(*field);
        Self {
            base,
            differing: match changed {
                Some(changed) => changed.iter().copied().filter(differs).collect(),
                None => (0..descriptor.fields.len()).filter(differs).collect(),
            },
        }
    }

    /// Whether nothing is wrong with the tensors of a field by themselves, in this group, as is known of the base.
    pub(super) fn is_clean(&self, field: usize, group: Option<&str>) -> bool {
        let own = Fields::from_iter([field]);
        let is_known = field < Fields::TOLD && self.base.clean.meets(own) && !self.differing.meets(own);
        is_known && self.base.group.as_deref() == group
    }

    /// What a check that reads these fields came to on a tensor, if the descriptor shares them.
    pub(super) fn known(&self, reads: Fields, check: usize, element: usize) -> Option<Holds> {
        let known = || self.base.known.get(check)?.get(element).copied();
        (!reads.meets(self.differing)).then(known).flatten()
    }
}
