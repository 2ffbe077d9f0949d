//! Data types and enumerations that tables and rules take together: they are chosen as one.

use std::collections::BTreeMap;

use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    model::FieldKind,
    path::{self, Path},
    rule::typed::{Node, Op, Prop},
};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    choice::{Parameter, Sets},
    effect::means,
    maker::{Bound, Key, Maker},
};
use crate::eval;

impl Maker<'_> {
    /// The combinations of data types and enumerations that a level takes, in some row.
    pub(super) fn bound_at(&self, level: FeatureLevel) -> Vec<Bound> {
        let mut all = vec![Vec::new()];
        for parameter in self.parameters.iter().filter(|parameter| parameter.is_bound) {
            let longer = |places: Vec<usize>| (0..parameter.values.len()).map(move |at| [&places[..], &[at]].concat());
            all = all.into_iter().flat_map(longer).collect();
        }
        all.into_iter().filter_map(|places| self.taken(level, places)).collect()
    }

    /// A combination, if tables and rules about data types take it.
    pub(super) fn taken(&self, level: FeatureLevel, places: Vec<usize>) -> Option<Bound> {
        let mut draft = self.blank(level);
        let bound = self.parameters.iter().filter(|parameter| parameter.is_bound);
        for (parameter, at) in bound.zip(&places) {
            self.take(level, &mut draft, parameter.sets, parameter.values.get(*at)?)?;
        }
        let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
        for (path, node) in &self.builder.recipe.derive {
            // What rests on more is not known yet.
            let _ = eval::assign_derived(self.builder, &mut draft.descriptor, path, node, level);
        }
        let row_takes = |field: usize, tensor: &TensorDesc| {
            let row = self.builder.row(&draft.descriptor, level, field);
            let ty = catalog.data_type(tensor.data_type);
            ty.is_none() || row.is_none_or(|row| row.types.iter().any(|name| ty.is_some_and(|ty| ty.name == *name)))
        };
        let mut fields = operator.fields.iter().zip(&draft.descriptor.fields).enumerate();
        let takes = fields.all(|(field, (_, value))| match value {
            Value::Tensor(Some(tensor)) => row_takes(field, tensor),
            Value::Tensors(Some(tensors)) => tensors.iter().all(|tensor| row_takes(field, tensor)),
            _ => true,
        });
        if !takes || !self.keeps_type_rules(level, &draft.descriptor) {
            return None;
        }
        Some(Bound {
            patterns: self.patterns(&draft.descriptor),
            places,
        })
    }

    /// Of parameters that are patterns of data, the places of those that mean something for the types; all if there is no
    /// such tensor.
    pub(super) fn patterns(&self, descriptor: &Descriptor) -> BTreeMap<usize, Vec<usize>> {
        let mut all = BTreeMap::new();
        for (at, parameter) in self.parameters.iter().enumerate() {
            let tensor = match (parameter.sets, self.path(parameter)) {
                (Sets::Values, _) => self.first_input(descriptor),
                (_, Some(Path::Data(field))) => path::tensor(descriptor, *field, None),
                _ => continue,
            };
            let ty = tensor.and_then(|tensor| self.builder.suite.catalog.data_type(tensor.data_type));
            let values = parameter.values.iter().enumerate();
            let meant = values.filter(|(_, choice)| ty.is_none_or(|ty| means(&choice.label, ty)));
            all.insert(at, meant.map(|(place, _)| place).collect());
        }
        all
    }

    /// What the key of a parameter sets.
    pub(super) fn path(&self, parameter: &Parameter) -> Option<&Path> {
        match parameter.sets {
            Sets::Key(key) => self.builder.recipe.keys.get(key).map(|(_, path)| path),
            _ => None,
        }
    }

    /// Whether the rules hold that mention nothing but data types and enumerations.
    pub(super) fn keeps_type_rules(&self, level: FeatureLevel, descriptor: &Descriptor) -> bool {
        let is_about_types = |node: &Node| {
            let mut found = true;
            node.walk(&mut |node| {
                found &= match &node.op {
                    Op::Prop(_, prop) => *prop == Prop::DataType,
                    Op::Field(field) => {
                        let kind = self.builder.operator.fields.get(*field).map(|field| &field.kind);
                        matches!(kind, Some(FieldKind::Enum(_) | FieldKind::Tensor(_)))
                    }
                    Op::Quantified(..) | Op::Call(..) | Op::Index(..) => false,
                    _ => true,
                };
            });
            found
        };
        let checks = self
            .builder
            .program
            .checks
            .iter()
            .filter(|check| check.subject.is_none());
        let demanded = checks.filter_map(|check| check.runtime.as_ref().or(check.text.as_ref()));
        let mut relevant = demanded.filter(|node| is_about_types(node));
        relevant.all(|node| eval::eval_condition(self.builder, descriptor, node, level))
    }

    /// The combinations of data types and enumerations that the level takes and the key allows.
    pub(super) fn bounds(&self, level: FeatureLevel, key: &Key) -> Vec<&Bound> {
        let Some(at) = self.levels.iter().position(|known| *known == level) else {
            return Vec::new();
        };
        let of_key: Vec<Option<usize>> = self
            .parameters
            .iter()
            .enumerate()
            .filter(|(_, parameter)| parameter.is_bound)
            .map(|(at, _)| key.iter().find(|(of, _)| *of == at).map(|(_, value)| *value))
            .collect();
        let fits = |bound: &&Bound| {
            let mut pairs = bound.places.iter().zip(&of_key);
            pairs.all(|(place, fixed)| fixed.is_none_or(|fixed| fixed == *place))
                && key.iter().all(|(at, value)| bound.means(*at, *value))
        };
        self.bound.get(at).into_iter().flatten().filter(fits).collect()
    }

    /// One of these combinations, by hash.
    pub(super) fn bound<'b>(&self, bounds: &[&'b Bound], seed: u64) -> Option<&'b Bound> {
        let hash = |bound: &&&Bound| {
            let names = self
                .parameters
                .iter()
                .filter(|parameter| parameter.is_bound)
                .zip(&bound.places);
            let labels = names.filter_map(|(parameter, at)| parameter.values.get(*at));
            labels.fold(seed, |hash, choice| xxh3_64_with_seed(choice.label.as_bytes(), hash))
        };
        bounds.iter().min_by_key(hash).copied()
    }
}
