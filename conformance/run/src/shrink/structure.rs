//! Smaller descriptors: fewer dimensions, smaller sizes and numbers, no layout. Inputs keep what is left of them.

use dml_spec::{
    Descriptor, Dims, TensorDesc, Value,
    model::{FieldKind, Role},
};

use super::{Draft, aliases};
use dml_case::{
    case::{Case, Mode},
    id::CaseId,
    random::Random,
    tensor::Shape,
};
use dml_plan::{builder::Builder, by_content, planner::Planner};
use dml_spec::path::{Path, TensorPart, constant_name, dims, dims_text};

/// Dimensions of more elements lose them by halves only.
const ONE_BY_ONE: usize = 16;

/// The keys that a descriptor follows from, as ids spell them: without `values` and `seed`.
#[derive(Clone, Debug)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// The keys of a case's id, or else those that lead to the same descriptor.
    pub(super) fn of(suite: &Planner, case: &Case) -> Option<Self> {
        let builder = builder(suite, case)?;
        let has_all = builder.recipe.keys.iter().all(|(key, _)| case.id.get(key).is_some());
        let form = if has_all {
            let kept = case.id.params().filter(|(key, _)| !["values", "seed"].contains(key));
            Self(kept.map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
        } else {
            let keys = builder.recipe.keys.iter();
            let spelled = keys.map(|(key, path)| Some((key.clone(), spell(&builder, &case.descriptor, path)?)));
            Self(spelled.collect::<Option<_>>()?)
        };
        (form.descriptor(&builder, case).as_ref() == Some(&*case.descriptor)).then_some(form)
    }

    fn descriptor(&self, builder: &Builder<'_>, case: &Case) -> Option<Descriptor> {
        let keys = self.0.iter().map(|(key, value)| (key, value));
        let id = CaseId::new(case.id.operator(), case.id.level(), by_content::FAMILY, keys);
        builder.descriptor(&id).ok()
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    fn with(&self, changes: &[(&str, String)]) -> Self {
        let changed = |key: &str| changes.iter().find(|(k, _)| *k == key).map(|(_, value)| value.clone());
        let pairs = self
            .0
            .iter()
            .map(|(key, value)| (key.clone(), changed(key).unwrap_or_else(|| value.clone())));
        Self(pairs.collect())
    }

    fn without(&self, key: &str) -> Self {
        Self(self.0.iter().filter(|(k, _)| k != key).cloned().collect())
    }
}

fn builder<'a>(suite: &'a Planner, case: &Case) -> Option<Builder<'a>> {
    let index = suite
        .catalog
        .operators
        .iter()
        .position(|o| o.name == case.id.operator())?;
    Builder::new(suite, index)
}

/// The value at a path, as ids spell it.
fn spell(builder: &Builder<'_>, descriptor: &Descriptor, path: &Path) -> Option<String> {
    let catalog = &builder.suite.catalog;
    match path {
        Path::Tensor(field, None, part) => {
            let Value::Tensor(Some(tensor)) = descriptor.fields.get(*field)? else {
                return None;
            };
            match part {
                TensorPart::DataType => Some(catalog.data_type(tensor.data_type)?.name.to_string()),
                TensorPart::Sizes => Some(dims_text(tensor.sizes())),
                _ => None,
            }
        }
        Path::Attribute(field) => match (
            descriptor.fields.get(*field)?,
            &builder.operator.fields.get(*field)?.kind,
        ) {
            (Value::UInt(n), FieldKind::Enum(name)) => Some(constant_name(catalog, name, *n)),
            (Value::UInt(n), _) => Some(n.to_string()),
            (Value::Int(n), _) => Some(n.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// What is taken away from the inputs.
enum Cut<'a> {
    Nothing,
    /// A dimension of this size keeps these places only.
    Places(usize, u32, &'a [u32]),
    /// A dimension of one element goes.
    Dimension(usize),
}

/// Smaller drafts, the boldest first.
pub(super) fn smaller(suite: &Planner, draft: &Draft) -> Vec<Draft> {
    let (Some(builder), Some(form)) = (builder(suite, &draft.case), &draft.form) else {
        return Vec::new();
    };
    let step = Step { builder, form, draft };
    let mut found: Vec<Draft> = Vec::new();
    found.extend(step.apart());
    found.extend(step.take(form.without("layout"), &Cut::Nothing));
    let numbers = step.numbers();
    for (key, value) in step.sizes() {
        step.shorter(key, &value, &numbers, true, &mut found);
    }
    for (key, value) in &numbers {
        let below = [0, 1, value / 2, value.saturating_sub(1)];
        let below = below.iter().filter(|n| *n < value);
        found.extend(below.filter_map(|n| step.take(form.with(&[(key, n.to_string())]), &Cut::Nothing)));
    }
    for (key, value) in step.sizes() {
        step.shorter(key, &value, &numbers, false, &mut found);
        step.flatter(key, &value, &numbers, &mut found);
    }
    found
}

/// Everything that steps from a draft share.
struct Step<'a> {
    builder: Builder<'a>,
    form: &'a Form,
    draft: &'a Draft,
}

impl Step<'_> {
    /// The same case with memory of its own for every tensor.
    fn apart(&self) -> Option<Draft> {
        let (suite, case) = (self.builder.suite, &self.draft.case);
        if case.aliases.is_empty() {
            return None;
        }
        let (descriptor, inputs) = ((*case.descriptor).clone(), case.inputs.clone());
        let case = by_content::build_from_parts(suite, case.id.level(), case.mode, descriptor, inputs, &[]).ok()?;
        let form = Some(self.form.without("alias"));
        Some(Draft { case, form })
    }

    /// Keys of whole numbers, and their values.
    fn numbers(&self) -> Vec<(&str, u32)> {
        let is_number = |path: &Path| {
            let kind = self.builder.operator.fields.get(path.field()).map(|field| &field.kind);
            matches!(
                (path, kind),
                (Path::Attribute(_), Some(FieldKind::UInt | FieldKind::Int))
            )
        };
        let keys = self.builder.recipe.keys.iter().filter(|(_, path)| is_number(path));
        keys.filter_map(|(key, _)| Some((key.as_str(), self.form.get(key)?.parse().ok()?)))
            .collect()
    }

    /// Keys of sizes, and their values.
    fn sizes(&self) -> Vec<(&str, Dims)> {
        let keys = self.builder.recipe.keys.iter();
        let sizes = keys.filter(|(_, path)| matches!(path, Path::Tensor(_, _, TensorPart::Sizes)));
        sizes
            .filter_map(|(key, _)| Some((key.as_str(), dims(self.form.get(key)?).ok()??)))
            .collect()
    }

    /// Fewer elements along each dimension: half of them or one, else all but one.
    fn shorter(&self, key: &str, sizes: &[u32], numbers: &[(&str, u32)], bold: bool, found: &mut Vec<Draft>) {
        for (d, size) in sizes.iter().enumerate().filter(|(_, size)| **size > 1) {
            let all: Vec<u32> = (0..*size).collect();
            let half = all.len() / 2;
            let kept: Vec<Vec<u32>> = if bold {
                vec![all[..half].to_vec(), all[all.len() - half..].to_vec(), vec![0]]
            } else if all.len() <= ONE_BY_ONE {
                let but = |left_out: &u32| all.iter().copied().filter(|n| n != left_out).collect();
                all.iter().rev().map(but).collect()
            } else {
                vec![all[..all.len() - 1].to_vec(), all[1..].to_vec()]
            };
            for kept in kept {
                let mut less = sizes.to_vec();
                less[d] = kept.len() as u32;
                let cut = Cut::Places(d, *size, &kept);
                self.with_numbers(key, &less, numbers, kept.len() as u32, &cut, found);
            }
        }
    }

    /// One dimension less.
    fn flatter(&self, key: &str, sizes: &[u32], numbers: &[(&str, u32)], found: &mut Vec<Draft>) {
        for (d, _) in sizes.iter().enumerate().filter(|(_, size)| **size == 1) {
            let mut less = sizes.to_vec();
            less.remove(d);
            self.with_numbers(key, &less, numbers, 0, &Cut::Dimension(d), found);
        }
    }

    /// New sizes, with the numbers as they are and with each made to fit.
    fn with_numbers(
        &self,
        key: &str,
        sizes: &[u32],
        numbers: &[(&str, u32)],
        fit: u32,
        cut: &Cut<'_>,
        found: &mut Vec<Draft>,
    ) {
        let sizes = dims_text(sizes);
        found.extend(self.take(self.form.with(&[(key, sizes.clone())]), cut));
        for (number, value) in numbers {
            let mut fitting = vec![
                value.saturating_sub(1),
                fit.min(*value),
                fit.saturating_sub(1).min(*value),
            ];
            fitting.dedup();
            for n in fitting.into_iter().filter(|n| n < value) {
                found.extend(self.take(self.form.with(&[(key, sizes.clone()), (number, n.to_string())]), cut));
            }
        }
    }

    /// The draft of a form, with what is left of the inputs.
    fn take(&self, form: Form, cut: &Cut<'_>) -> Option<Draft> {
        let (suite, case) = (self.builder.suite, &self.draft.case);
        let descriptor = form.descriptor(&self.builder, case)?;
        if descriptor == *case.descriptor {
            return None;
        }
        let inputs = match case.mode {
            Mode::Create => Vec::new(),
            Mode::Execute => self.inputs(&descriptor, cut)?,
        };
        let aliases = aliases(suite, case);
        let case =
            by_content::build_from_parts(suite, case.id.level(), case.mode, descriptor, inputs, &aliases).ok()?;
        (case.mode == self.draft.case.mode).then_some(Draft { case, form: Some(form) })
    }

    fn inputs(&self, descriptor: &Descriptor, cut: &Cut<'_>) -> Option<Vec<Vec<u8>>> {
        let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
        let old = self.draft.case.descriptor.tensors(operator, Role::Input);
        let new = descriptor.tensors(operator, Role::Input);
        let pairs = old.iter().zip(&new).zip(&self.draft.case.inputs);
        let moved = pairs.map(|((old, new), bytes): ((&&TensorDesc, &&TensorDesc), _)| {
            let (old, new) = (Shape::of(catalog, old)?, Shape::of(catalog, new)?);
            let elements = left(&old, &new, &old.read(bytes), cut)?;
            Some(lay_out(&new, &elements))
        });
        moved.collect()
    }
}

/// What is left of an input.
fn left(old: &Shape, new: &Shape, elements: &[u64], cut: &Cut<'_>) -> Option<Vec<u64>> {
    if old.sizes == new.sizes {
        return Some(elements.to_vec());
    }
    match cut {
        Cut::Places(d, size, kept) if old.sizes.get(*d) == Some(size) => {
            let mut sizes = old.sizes.clone();
            sizes[*d] = kept.len() as u32;
            let mut stays = vec![false; *size as usize];
            kept.iter().for_each(|place| stays[*place as usize] = true);
            let is_kept = |at: &usize| stays[old.coordinates(*at as u64)[*d] as usize];
            let left = (0..elements.len()).filter(is_kept).map(|at| elements[at]).collect();
            (sizes == new.sizes).then_some(left)
        }
        Cut::Dimension(d) if old.sizes.get(*d) == Some(&1) => {
            let mut sizes = old.sizes.clone();
            sizes.remove(*d);
            (sizes == new.sizes).then(|| elements.to_vec())
        }
        _ => None,
    }
}

/// A buffer that holds these elements; what belongs to none is noise, always the same.
pub(super) fn lay_out(shape: &Shape, elements: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; shape.total_bytes as usize];
    if shape.elements() * shape.width() as u64 != shape.total_bytes {
        Random::new("padding", 0).fill(&mut bytes);
    }
    shape.write(&mut bytes, elements.iter().copied());
    bytes
}
