//! A descriptor that is changed and changed back: many are tried near one base.

use dml_spec::{Descriptor, path::Path, program::Base};

use crate::{builder::Builder, count_fields::count_field};

/// A descriptor near a base.
#[derive(Debug)]
pub struct Scratch<'b> {
    /// What it lies near.
    pub(super) base: &'b Base,
    /// The descriptor.
    pub(super) descriptor: Descriptor,
    /// Fields in which it may differ from the base.
    pub(super) changed: Vec<usize>,
}

impl<'b> Scratch<'b> {
    /// The base itself.
    pub fn new(base: &'b Base) -> Self {
        Self {
            base,
            descriptor: base.descriptor.clone(),
            changed: Vec::new(),
        }
    }

    /// Applies overrides (key, path, value) to the base, in place of those before them; `None` if one does not go.
    pub(super) fn apply<'o>(
        &mut self,
        builder: &Builder<'_>,
        overrides: &mut [(&'o str, Path, &'o str)],
    ) -> Option<()> {
        let fields = self.descriptor.fields.iter_mut().zip(&self.base.descriptor.fields);
        for (at, (own, of_base)) in fields.enumerate() {
            if self.changed.contains(&at) {
                own.clone_from(of_base);
            }
        }
        self.changed.clear();
        for (_, path, _) in overrides.iter() {
            let operator = builder.operator;
            let count = operator.fields.get(path.field()).and_then(|of| count_field(&of.kind));
            self.changed.push(path.field());
            self.changed.extend(count.and_then(|name| operator.field_index(name)));
        }
        builder.apply(overrides, &mut self.descriptor).ok()
    }
}
