//! From an id to a case: keys, derived values, layout, sizes, overrides, data, verdict.

use std::cell::{Cell, RefCell};

use dml_spec::{
    Descriptor, TensorDesc, Value,
    desc::element_bits,
    model::{Family, Role, Text},
    program::{Aim, Base, Violation},
    scalar,
};

use crate::{
    aliases,
    builder::Builder,
    count_fields,
    error::BuildError,
    eval, examples, layouts,
    recipe::{COMMON_KEYS, EXAMPLE_KEY},
    scratch::Scratch,
    verdict,
};
use dml_case::{
    case::{Case, Mode, Verdict},
    facts::DataFacts,
    id::CaseId,
};
use dml_spec::path::{self, Path, TensorPart};

/// The descriptor of an id, and what it violates.
#[derive(Clone, Debug)]
pub(super) struct BuiltDescriptor {
    /// The descriptor.
    pub(super) descriptor: Descriptor,
    /// Whether some single field was overridden.
    overridden: bool,
    /// What it violates.
    pub(super) violations: Vec<Violation>,
}

impl BuiltDescriptor {
    /// The verdict that the violations lead to, whatever the data are.
    pub(super) fn verdict(&self) -> Verdict {
        verdict::from_violations(&self.violations)
    }
}

impl<'a> Builder<'a> {
    /// Builds the case of an id; the family decides whether it runs.
    pub fn case(&self, id: CaseId, family: Family) -> Result<Case, BuildError> {
        if let Some(name) = id.get(EXAMPLE_KEY) {
            return examples::build_example(self, &id, name);
        }
        let descriptor = self.set_keys(&id)?;
        self.finish(id, descriptor, family)
    }

    /// The descriptor with the keys of the id set, and nothing else.
    fn set_keys(&self, id: &CaseId) -> Result<Descriptor, BuildError> {
        let mut descriptor = self.blank();
        self.set_keys_if(id, &mut descriptor, |path| {
            !scalar::is_scalar(self.operator, path.field())
        })?;
        Ok(descriptor)
    }

    /// Sets those keys of the id whose paths are asked for.
    fn set_keys_if(
        &self,
        id: &CaseId,
        descriptor: &mut Descriptor,
        is_asked: impl Fn(&Path) -> bool,
    ) -> Result<(), BuildError> {
        for (key, path) in self.recipe.keys.iter().filter(|(_, path)| is_asked(path)) {
            let value = id
                .get(key)
                .ok_or_else(|| BuildError(format!("{id}: the key `{key}` is missing")))?;
            path::set(&self.suite.catalog, self.operator, descriptor, path, value)
                .map_err(|e| BuildError(format!("{id}: {key}: {e}")))?;
        }
        Ok(())
    }

    /// The descriptor of an id, without data.
    pub fn descriptor(&self, id: &CaseId) -> Result<Descriptor, BuildError> {
        let mut descriptor = self.before_overrides(id)?;
        self.apply_overrides(id, &mut descriptor)?;
        Ok(descriptor)
    }

    /// The descriptor of an id before anything is overridden.
    pub(super) fn before_overrides(&self, id: &CaseId) -> Result<Descriptor, BuildError> {
        let mut descriptor = self.set_keys(id)?;
        self.derive_fields(id, &mut descriptor)?;
        Ok(descriptor)
    }

    /// Sets what follows from the keys: derived values, layout, sizes, and scalars, whose types may be derived.
    fn derive_fields(&self, id: &CaseId, descriptor: &mut Descriptor) -> Result<(), BuildError> {
        let fail = |why: String| BuildError(format!("{id}: {why}"));
        for (path, node) in &self.recipe.derive {
            eval::assign_derived(self, descriptor, path, node, id.level()).map_err(fail)?;
        }
        self.set_keys_if(id, descriptor, |path| scalar::is_scalar(self.operator, path.field()))?;
        self.lay_out(descriptor, id.get("layout")).map_err(fail)
    }

    /// Applies the overrides of an id to its descriptor.
    pub(super) fn override_fields(
        &self,
        id: &CaseId,
        mut descriptor: Descriptor,
    ) -> Result<BuiltDescriptor, BuildError> {
        let overridden = self.apply_overrides(id, &mut descriptor)?;
        let violations = self
            .program
            .evaluate(&self.suite.catalog, self.operator, &descriptor, id.level());
        Ok(BuiltDescriptor {
            descriptor,
            overridden,
            violations,
        })
    }

    /// The same of an id at the level of a base that the descriptor lies near.
    pub(super) fn override_near(
        &self,
        id: &CaseId,
        base: &Base,
        mut descriptor: Descriptor,
    ) -> Result<BuiltDescriptor, BuildError> {
        let overridden = self.apply_overrides(id, &mut descriptor)?;
        let (program, catalog) = (self.program, &self.suite.catalog);
        let violations = program.evaluate_near(catalog, self.operator, base, (&descriptor, None), &|_| true);
        Ok(BuiltDescriptor {
            descriptor,
            overridden,
            violations: violations.unwrap_or_default(),
        })
    }

    /// A base with overrides (key, path, value); `None` unless what is violated is a part of this, and smaller. `since` are
    /// the fields in which it differs from a descriptor that violates all of it.
    pub(super) fn override_within<'o>(
        &self,
        overrides: &mut [(&'o str, Path, &'o str)],
        near: &mut Scratch<'_>,
        (broken, since): (&[Aim<'_>], &[usize]),
    ) -> Option<BuiltDescriptor> {
        near.apply(self, overrides)?;
        let (program, catalog) = (self.program, &self.suite.catalog);
        let tried = (&near.descriptor, Some(near.changed.as_slice()));
        // If each of them breaks by itself, either all are violated or something else is, before them.
        if program.breaks_all(catalog, self.operator, near.base, tried, (broken, Some(since))) {
            return None;
        }
        let is_broken = |found: &Violation| broken.iter().any(|aim| aim.is(found));
        let violations = program.evaluate_near(catalog, self.operator, near.base, tried, &is_broken)?;
        Some(BuiltDescriptor {
            descriptor: near.descriptor.clone(),
            overridden: true,
            violations,
        })
    }

    /// What a base with overrides (key, path, value) violates; `None` if lists disagree with their counts, or as soon as
    /// `most` clauses and tensors are violated.
    pub(super) fn override_briefly<'o>(
        &self,
        overrides: &mut [(&'o str, Path, &'o str)],
        near: &mut Scratch<'_>,
        most: usize,
    ) -> Option<Vec<Violation>> {
        near.apply(self, overrides)?;
        if !count_fields::lists_match_counts(self.operator, &near.descriptor) {
            return None;
        }
        let known: RefCell<Vec<(Text, Option<Text>)>> = RefCell::default();
        let goes_on = |found: &Violation| {
            let mut known = known.borrow_mut();
            if !known
                .iter()
                .any(|(clause, tensor)| *clause == found.clause && *tensor == found.tensor)
            {
                known.push((found.clause.clone(), found.tensor.clone()));
            }
            known.len() < most
        };
        let (program, catalog) = (self.program, &self.suite.catalog);
        let tried = (&near.descriptor, Some(near.changed.as_slice()));
        program.evaluate_near(catalog, self.operator, near.base, tried, &goes_on)
    }

    /// Builds the case of an id whose keys are already set in `descriptor`.
    pub fn finish(&self, id: CaseId, descriptor: Descriptor, family: Family) -> Result<Case, BuildError> {
        let built = self.finish_descriptor(&id, descriptor)?;
        self.add_data(id, built, family)
    }

    /// Finishes a descriptor in which the keys of an id are set already.
    pub(super) fn finish_descriptor(
        &self,
        id: &CaseId,
        mut descriptor: Descriptor,
    ) -> Result<BuiltDescriptor, BuildError> {
        self.derive_fields(id, &mut descriptor)?;
        self.override_fields(id, descriptor)
    }

    /// The same of an id without overrides; `None` if the runtimes refuse it for more than `most` violations.
    pub(super) fn finish_within(
        &self,
        id: &CaseId,
        mut descriptor: Descriptor,
        most: usize,
    ) -> Result<Option<BuiltDescriptor>, BuildError> {
        self.derive_fields(id, &mut descriptor)?;
        let (found, refused) = (Cell::new(0), Cell::new(false));
        let goes_on = |violation: &Violation| {
            found.set(found.get() + 1);
            refused.set(refused.get() || violation.runtime);
            found.get() <= most || !refused.get()
        };
        let (catalog, level) = (&self.suite.catalog, id.level());
        let violations = self
            .program
            .evaluate_while(catalog, self.operator, &descriptor, level, &goes_on);
        Ok(violations.map(|violations| BuiltDescriptor {
            descriptor,
            overridden: false,
            violations,
        }))
    }

    /// Builds the case of an id whose descriptor is finished.
    pub(super) fn add_data(&self, id: CaseId, built: BuiltDescriptor, family: Family) -> Result<Case, BuildError> {
        let verdict = built.verdict();
        let BuiltDescriptor {
            descriptor, overridden, ..
        } = built;
        let only_create = family == Family::Faults || !self.is_computed();
        let mode = if only_create || overridden || verdict.is_rejection() {
            Mode::Create
        } else {
            Mode::Execute
        };
        let aliases = match (id.get("alias"), mode) {
            (None, _) => Vec::new(),
            (Some(_), Mode::Create) => return Err(BuildError(format!("{id}: nothing runs, so nothing lies in place"))),
            (Some(input), Mode::Execute) => {
                aliases::alias_input(&self.suite.catalog, self.operator, &descriptor, input)
                    .map_err(|why| BuildError(format!("{id}: alias: {why}")))?
            }
        };
        let (inputs, facts) = match mode {
            Mode::Create => (Vec::new(), DataFacts::default()),
            Mode::Execute => self.make_inputs(&id, &descriptor)?,
        };
        let case = self.assemble(id, mode, descriptor, inputs, None, verdict, &facts);
        Ok(aliases::apply_aliases(
            &self.suite.catalog,
            self.operator,
            case,
            aliases,
        ))
    }

    fn lay_out(&self, descriptor: &mut Descriptor, name: Option<&str>) -> Result<(), String> {
        let apply = match name {
            None => None,
            Some(name) => Some(layouts::find_layout(name).ok_or_else(|| format!("`{name}` is no layout"))?),
        };
        let (mut changed, mut inputs, mut outputs) = (apply.is_none(), 0, 0);
        for (field, value) in self.operator.fields.iter().zip(&mut descriptor.fields) {
            let Some(role) = field.kind.role() else { continue };
            let tensors: &mut [TensorDesc] = match value {
                Value::Tensor(Some(tensor)) => std::slice::from_mut(tensor),
                Value::Tensors(Some(tensors)) => tensors,
                _ => continue,
            };
            for tensor in tensors {
                let nth = match role {
                    Role::Input => &mut inputs,
                    Role::Output => &mut outputs,
                };
                let apply = name.and_then(|name| layouts::find_layout(layouts::layout_of_nth(name, role, *nth)));
                *nth += 1;
                // A tensor that the layout does not apply to stays packed.
                let slack = apply.and_then(|apply| apply(tensor, role)).unwrap_or(0);
                changed |= slack > 0 || tensor.strides.is_some();
                self.set_total(tensor, slack);
            }
        }
        if changed {
            Ok(())
        } else {
            Err("the layout means nothing for these sizes".to_owned())
        }
    }

    /// Sets the total size that type and layout need, if both are valid.
    fn set_total(&self, tensor: &mut TensorDesc, slack: u64) {
        let bits = element_bits(&self.suite.catalog, tensor.data_type);
        if let Some(total) = bits.and_then(|bits| tensor.minimum_total_size(bits)) {
            tensor.total_tensor_size_in_bytes = total.saturating_add(slack);
        }
    }

    /// Applies `Field.Part=value` parameters; total sizes follow unless they are set themselves.
    fn apply_overrides(&self, id: &CaseId, descriptor: &mut Descriptor) -> Result<bool, BuildError> {
        let fail = |key: &str, why: String| BuildError(format!("{id}: {key}: {why}"));
        let mut overrides = Vec::new();
        for (place, (key, value)) in id.params().enumerate() {
            let is_key = |(name, _): &(String, Path)| name == key;
            // Keys come first, each in its place.
            let in_place = self.recipe.keys.get(place).is_some_and(is_key);
            if in_place || self.recipe.keys.iter().any(is_key) || COMMON_KEYS.contains(&key) {
                continue;
            }
            let path = Path::parse(self.operator, key).map_err(|e| fail(key, e))?;
            overrides.push((key, path, value));
        }
        self.apply(&mut overrides, descriptor)
            .map_err(|(key, why)| fail(key, why))?;
        Ok(!overrides.is_empty())
    }

    /// Applies overrides: key, path, value. Of one that does not go its key, and why.
    pub(super) fn apply<'o>(
        &self,
        overrides: &mut [(&'o str, Path, &'o str)],
        descriptor: &mut Descriptor,
    ) -> Result<(), (&'o str, String)> {
        overrides.sort_by_key(|(_, path, _)| path.is_total());
        for (key, path, value) in overrides.iter() {
            path::set(&self.suite.catalog, self.operator, descriptor, path, value).map_err(|why| (*key, why))?;
            match path {
                Path::Tensor(_, _, TensorPart::TotalTensorSizeInBytes) => {}
                Path::Tensor(field, element, _) => {
                    let tensor = path::tensor_mut(descriptor, *field, *element);
                    tensor.into_iter().for_each(|tensor| self.set_total(tensor, 0));
                }
                Path::DataTypes(field) | Path::ManySizes(field) => {
                    let tensors = path::tensors_mut(descriptor, *field).into_iter().flatten();
                    tensors.for_each(|tensor| self.set_total(tensor, 0));
                }
                Path::Attribute(_) | Path::Item(..) | Path::Data(_) => {}
            }
        }
        let is_set = |name: &str| overrides.iter().any(|(key, ..)| *key == name);
        for field in overrides.iter().map(|(_, path, _)| path.field()) {
            let count = self
                .operator
                .fields
                .get(field)
                .and_then(|field| count_fields::count_field(&field.kind));
            if count.is_some_and(|count| !is_set(count)) {
                count_fields::update_count(self.operator, descriptor, field);
            }
        }
        Ok(())
    }

    /// Whether it is said what the operator computes; else only its descriptors are judged.
    pub(crate) fn is_computed(&self) -> bool {
        self.operator.is_computed()
    }
}
