//! A descriptor that is changed and changed back: many are tried near one base.

use dml_spec::{Descriptor, path::Path, program::Base};

use crate::builder::Builder;

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
        for field in self.changed.drain(..) {
            let fields = self
                .descriptor
                .fields
                .get_mut(field)
                .zip(self.base.descriptor.fields.get(field));
            fields.into_iter().for_each(|(own, of_base)| own.clone_from(of_base));
        }
        let paths = overrides.iter().map(|(_, path, _)| path);
        self.changed.extend(paths.flat_map(|path| builder.changed_by(path)));
        builder.apply(overrides, &mut self.descriptor).ok()
    }
}

#[cfg(test)]
mod tests {
    use dml_spec::model::Family;

    use crate::{
        design::{bases, parameters},
        embedded::suite,
        faults::bucket_of,
        neighbourhood::Neighbourhood,
        scratch::*,
    };

    #[test]
    fn a_list_takes_its_count_back_with_it() {
        let mut operators = suite().catalog.operators.iter();
        let at = operators.position(|of| of.name == "REDUCE").unwrap();
        let builder = Builder::new(suite(), at).unwrap();
        let level = builder.operator.support[0].level;
        let base = bases(&builder, &parameters(&builder).unwrap(), level).remove(0);
        let bucket = bucket_of(&builder, level, Family::Faults, &base);
        let around = Neighbourhood::new(&builder, &bucket, base);
        let mut near = around.scratch().unwrap();
        let read = |key: &str| Path::parse(builder.operator, key).unwrap();
        near.apply(&builder, &mut [("Axes", read("Axes"), "0x1x2x3x4")])
            .unwrap();
        let longer = near.descriptor.clone();
        near.apply(&builder, &mut [("Function", read("Function"), "MAX")])
            .unwrap();
        let function = builder.operator.field_index("Function").unwrap();
        let differing = |other: &Descriptor| {
            let pairs = near.base.descriptor.fields.iter().zip(&other.fields).enumerate();
            let differing = pairs.filter(|(_, (own, other))| own != other);
            differing.map(|(at, _)| at).collect::<Vec<_>>()
        };
        let fields = ["AxisCount", "Axes"].map(|name| builder.operator.field_index(name).unwrap());
        assert_eq!(differing(&longer), fields);
        assert_eq!(differing(&near.descriptor), [function]);
    }
}
