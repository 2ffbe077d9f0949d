//! From a recipe to a case: keys, what follows from them, layout, sizes, overrides, data, verdict.

use std::sync::Arc;

use dml_spec::{
    Descriptor, Dims, FeatureLevel, TensorDesc, Value,
    desc::{TENSOR_TYPE_BUFFER, element_bits},
    model::{Catalog, FieldKind, Generator, Operator, Role, SupportRow, Text, Tier},
    program::{Program, Violation},
};

use super::{
    BuildError, aliases, counts,
    eval::{self, DataFacts},
    examples, layouts,
    path::{self, Path, TensorPart},
    recipe::{COMMON_KEYS, EXAMPLE_KEY, Recipe},
    values, verdict,
};
use crate::{
    case::{Case, Mode, Verdict},
    id::CaseId,
    oracle,
    random::Random,
    suite::Suite,
    tensor::Shape,
};

/// Tensors of more bytes than this are not made.
const LARGEST: u64 = 1 << 30;

/// Tensors of more elements are not made, however few bytes they share: the oracle takes many times that for each.
const MOST_ELEMENTS: u64 = 1 << 26;

/// Everything needed to build cases of one operator.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The operator.
    pub operator: &'a Operator,
    /// Its compiled rules.
    pub program: &'a Program,
    /// Its compiled case model.
    pub recipe: &'a Recipe,
}

/// A descriptor as an id makes it.
#[derive(Clone, Debug)]
pub(super) struct Made {
    /// The descriptor.
    pub(super) descriptor: Descriptor,
    /// Some single field was overridden.
    overridden: bool,
    /// What it violates.
    pub(super) violations: Vec<Violation>,
}

impl Made {
    /// What that leads to, whatever the data are.
    pub(super) fn verdict(&self) -> Verdict {
        verdict::of_violations(&self.violations)
    }
}

impl<'a> Builder<'a> {
    /// The builder of the operator at this index of the catalog.
    pub fn new(suite: &'a Suite, operator: usize) -> Option<Self> {
        Some(Self {
            suite,
            operator: suite.catalog.operators.get(operator)?,
            program: suite.programs.get(operator)?,
            recipe: suite.recipes.get(operator)?,
        })
    }

    /// A descriptor with the required tensors in place and everything else zero.
    pub fn blank(&self) -> Descriptor {
        let mut descriptor = Descriptor::zeroed(self.operator);
        for (field, value) in self.operator.fields.iter().zip(&mut descriptor.fields) {
            let tensor = || TensorDesc {
                tensor_type: TENSOR_TYPE_BUFFER,
                data_type: 0,
                flags: 0,
                sizes: Some(Dims::new()),
                strides: None,
                total_tensor_size_in_bytes: 0,
                guaranteed_base_offset_alignment: 0,
            };
            match field.kind {
                _ if field.optional => {}
                FieldKind::Tensor(_) => *value = Value::Tensor(Some(tensor())),
                FieldKind::Tensors(..) => *value = Value::Tensors(Some(vec![tensor()])),
                _ => {}
            }
        }
        descriptor
    }

    /// The row of the support tables for a tensor of this descriptor.
    pub fn row(&self, descriptor: &Descriptor, level: FeatureLevel, field: usize) -> Option<&'a SupportRow> {
        self.suite
            .row(self.operator, descriptor, level, field)
            .map(|(_, row)| row)
    }

    /// Builds the case of an id; the family decides how far it goes.
    pub fn case(&self, id: CaseId, family: usize) -> Result<Case, BuildError> {
        if let Some(name) = id.get(EXAMPLE_KEY) {
            return examples::case(self, &id, name);
        }
        let descriptor = self.keyed(&id)?;
        self.finish(id, descriptor, family)
    }

    /// The descriptor with the keys of the id set, and nothing else.
    fn keyed(&self, id: &CaseId) -> Result<Descriptor, BuildError> {
        let mut descriptor = self.blank();
        for (key, path) in &self.recipe.keys {
            let value = id
                .get(key)
                .ok_or_else(|| BuildError(format!("{id}: the key `{key}` is missing")))?;
            path::set(&self.suite.catalog, self.operator, &mut descriptor, path, value)
                .map_err(|e| BuildError(format!("{id}: {key}: {e}")))?;
        }
        Ok(descriptor)
    }

    /// The descriptor of an id, without data.
    pub fn descriptor(&self, id: &CaseId) -> Result<Descriptor, BuildError> {
        let mut descriptor = self.before_overrides(id)?;
        self.apply_overrides(id, &mut descriptor)?;
        Ok(descriptor)
    }

    /// The descriptor of an id before anything is overridden.
    pub(super) fn before_overrides(&self, id: &CaseId) -> Result<Descriptor, BuildError> {
        let mut descriptor = self.keyed(id)?;
        self.follow(id, &mut descriptor)?;
        Ok(descriptor)
    }

    /// What follows from the keys: derived values, layout, sizes.
    fn follow(&self, id: &CaseId, descriptor: &mut Descriptor) -> Result<(), BuildError> {
        let fail = |why: String| BuildError(format!("{id}: {why}"));
        for (path, node) in &self.recipe.derive {
            eval::assign(self, descriptor, path, node, id.level()).map_err(fail)?;
        }
        self.lay_out(descriptor, id.get("layout")).map_err(fail)
    }

    /// What the descriptor of an id is once it is overridden, and what it violates.
    pub(super) fn overridden(&self, id: &CaseId, mut descriptor: Descriptor) -> Result<Made, BuildError> {
        let overridden = self.apply_overrides(id, &mut descriptor)?;
        let violations = self
            .program
            .evaluate(&self.suite.catalog, self.operator, &descriptor, id.level());
        Ok(Made {
            descriptor,
            overridden,
            violations,
        })
    }

    /// Builds the case of an id whose keys are already set in `descriptor`.
    pub fn finish(&self, id: CaseId, descriptor: Descriptor, family: usize) -> Result<Case, BuildError> {
        let made = self.made(&id, descriptor)?;
        self.with_data(id, made, family)
    }

    /// What the descriptor of an id, in which its keys are set, is in the end.
    pub(super) fn made(&self, id: &CaseId, mut descriptor: Descriptor) -> Result<Made, BuildError> {
        self.follow(id, &mut descriptor)?;
        self.overridden(id, descriptor)
    }

    /// Builds the case of an id whose descriptor is made.
    pub(super) fn with_data(&self, id: CaseId, made: Made, family: usize) -> Result<Case, BuildError> {
        let verdict = made.verdict();
        let Made {
            descriptor, overridden, ..
        } = made;
        let faults = self.recipe.families.get(family);
        let only_create = faults.is_some_and(|f| f.generator == Generator::Faults) || !self.is_computed();
        let mode = if only_create || overridden || verdict.is_rejection() {
            Mode::Create
        } else {
            Mode::Execute
        };
        let aliases = match (id.get("alias"), mode) {
            (None, _) => Vec::new(),
            (Some(_), Mode::Create) => return Err(BuildError(format!("{id}: nothing runs, so nothing lies in place"))),
            (Some(input), Mode::Execute) => aliases::of_input(&self.suite.catalog, self.operator, &descriptor, input)
                .map_err(|why| BuildError(format!("{id}: alias: {why}")))?,
        };
        let (inputs, facts) = match mode {
            Mode::Create => (Vec::new(), DataFacts::default()),
            Mode::Execute => self.inputs(&id, &descriptor)?,
        };
        let case = self.assemble(id, mode, descriptor, inputs, None, verdict, &facts);
        Ok(aliases::place(&self.suite.catalog, self.operator, case, aliases))
    }

    /// Puts a case together: silences and level gate are found here.
    #[expect(clippy::too_many_arguments, reason = "the parts of a case, each of another type")]
    pub fn assemble(
        &self,
        id: CaseId,
        mode: Mode,
        descriptor: Descriptor,
        inputs: Vec<Vec<u8>>,
        given: Option<Vec<Vec<u64>>>,
        verdict: Verdict,
        facts: &DataFacts,
    ) -> Case {
        let silences = if verdict.is_rejection() {
            Vec::new()
        } else {
            eval::silences(self, &descriptor, id.level(), facts)
        };
        let verdict = verdict::with_silences(self.suite, self.operator, verdict, silences);
        let gate = verdict
            .is_rejection()
            .then(|| self.allowed_from(&descriptor, id.level()))
            .flatten();
        Case {
            id,
            tier: Tier::Smoke,
            mode,
            descriptor: Arc::new(descriptor),
            inputs,
            aliases: Vec::new(),
            given,
            verdict,
            gate,
        }
    }

    /// The first later table level whose table accepts the descriptor.
    fn allowed_from(&self, descriptor: &Descriptor, level: FeatureLevel) -> Option<FeatureLevel> {
        let later = self.operator.support.iter().map(|t| t.level).filter(|l| *l > level);
        later.into_iter().find(|later| {
            let violations = self
                .program
                .evaluate(&self.suite.catalog, self.operator, descriptor, *later);
            !violations.iter().any(|v| v.runtime)
        })
    }

    fn lay_out(&self, descriptor: &mut Descriptor, name: Option<&str>) -> Result<(), String> {
        let apply = match name {
            None => None,
            Some(name) => Some(layouts::find(name).ok_or_else(|| format!("`{name}` is no layout"))?),
        };
        let (mut changed, mut inputs) = (apply.is_none(), 0);
        for (field, value) in self.operator.fields.iter().zip(&mut descriptor.fields) {
            let Some(role) = field.kind.role() else { continue };
            let tensors: &mut [TensorDesc] = match value {
                Value::Tensor(Some(tensor)) => std::slice::from_mut(tensor),
                Value::Tensors(Some(tensors)) => tensors,
                _ => continue,
            };
            for tensor in tensors {
                let apply = match (name, role) {
                    (Some(name), Role::Input) => layouts::find(layouts::of_input(name, inputs)),
                    _ => apply,
                };
                inputs += usize::from(role == Role::Input);
                // Where it means nothing a tensor stays packed.
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

    /// The total size that type and layout need, where they make sense.
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
            // Keys stand first, each in its place.
            let in_place = self.recipe.keys.get(place).is_some_and(is_key);
            if in_place || self.recipe.keys.iter().any(is_key) || COMMON_KEYS.contains(&key) {
                continue;
            }
            let path = Path::parse(self.operator, key).map_err(|e| fail(key, e))?;
            overrides.push((key, path, value));
        }
        overrides.sort_by_key(|(_, path, _)| path.is_total());
        for (key, path, value) in &overrides {
            path::set(&self.suite.catalog, self.operator, descriptor, path, value).map_err(|e| fail(key, e))?;
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
                .and_then(|field| counts::counted_by(&field.kind));
            if count.is_some_and(|count| !is_set(count)) {
                counts::follow(self.operator, descriptor, field);
            }
        }
        Ok(!overrides.is_empty())
    }

    /// Bytes of every input, and what is special about them.
    fn inputs(&self, id: &CaseId, descriptor: &Descriptor) -> Result<(Vec<Vec<u8>>, DataFacts), BuildError> {
        let fail = |why: &str| BuildError(format!("{id}: {why}"));
        let seed = id
            .get("seed")
            .map_or(Ok(0), path::number)
            .map_err(|why| fail(&format!("seed: {why}")))?;
        let name = unseeded(id);
        let mut random = Random::new(name.as_str(), seed);
        let mut lanes = eval::lanes(self, descriptor, id.level());
        let mut facts = DataFacts::default();
        let mut inputs = Vec::new();
        // All of them are looked at before the first is made.
        for (role, name) in [(Role::Output, "an output"), (Role::Input, "an input")] {
            let tensors = descriptor.tensors(self.operator, role);
            if tensors.into_iter().any(|tensor| is_huge(&self.suite.catalog, tensor)) {
                return Err(fail(&format!(
                    "{name} is larger than 1 GiB, or has more than 2^26 elements"
                )));
            }
        }
        for (index, (field, value)) in self.operator.fields.iter().zip(&descriptor.fields).enumerate() {
            if field.kind.role() != Some(Role::Input) {
                continue;
            }
            let tensors: &[TensorDesc] = match value {
                Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
                Value::Tensors(Some(tensors)) => tensors,
                _ => continue,
            };
            for (element, tensor) in tensors.iter().enumerate() {
                let shape = Shape::of(&self.suite.catalog, tensor).ok_or_else(|| fail("an input has no elements"))?;
                let lanes = lanes.take().and_then(|(axis, k)| lanes_of(&shape, axis, k));
                let whole = values::Lanes {
                    outer: 1,
                    length: shape.elements() as usize,
                    inner: 1,
                    k: 1,
                };
                let pattern = self.pattern(id, index);
                let elements = match self.bound(descriptor, id.level(), index) {
                    Some(bound) if values::is_of_indices(pattern) => {
                        values::indices(pattern, &shape.ty, shape.elements() as usize, bound, &mut random)
                    }
                    _ => values::fill(pattern, &shape.ty, lanes.unwrap_or(whole), &mut random),
                };
                let elements =
                    elements.ok_or_else(|| fail("the value pattern is unknown or means nothing for the data type"))?;
                let mut bytes = vec![0; shape.total_bytes as usize];
                let packed = tensor.strides.is_none();
                // Only what lies between and behind the elements stays.
                let written = if packed { elements.len() * shape.width() } else { 0 };
                random.fill_behind(&mut bytes, written);
                shape.write(&mut bytes, elements.iter().copied());
                let elements = if packed { elements } else { shape.read(&bytes) };
                facts.note((index, element), &shape, &elements, self.program.ranges);
                inputs.push(bytes);
            }
        }
        Ok((inputs, facts))
    }

    /// Whether anybody here knows what the operator computes; else only its descriptors are judged.
    fn is_computed(&self) -> bool {
        oracle::oracle(&self.operator.name).is_some()
    }

    /// The pattern of an input: its own key's, that of indices where it holds some, or that of all.
    fn pattern<'i>(&self, id: &'i CaseId, field: usize) -> &'i str {
        let mut keys = self.recipe.keys.iter();
        let own = keys.find(|(_, path)| *path == Path::Data(field));
        let own = own.and_then(|(key, _)| id.get(key));
        let is_index = self.recipe.bounds.iter().any(|(of, _)| *of == field);
        own.unwrap_or_else(|| match is_index {
            true => values::DEFAULT_INDICES,
            false => id.get("values").unwrap_or(self.recipe.values),
        })
    }

    /// How many indices an input can choose from; `None` for inputs that hold none.
    fn bound(&self, descriptor: &Descriptor, level: FeatureLevel, field: usize) -> Option<u64> {
        let (_, node) = self.recipe.bounds.iter().find(|(of, _)| *of == field)?;
        eval::number(self, descriptor, node, level).and_then(|n| u64::try_from(n).ok())
    }

    /// Ids of the operator's and the tensors' silences, in the program's order.
    pub fn silence_ids(&self) -> impl Iterator<Item = &Text> {
        self.program.silences.iter().map(|s| &s.clause)
    }
}

/// Whether a tensor is too large to be made.
pub(super) fn is_huge(catalog: &Catalog, tensor: &TensorDesc) -> bool {
    let elements = Shape::of(catalog, tensor).map_or(0, |shape| shape.elements());
    tensor.total_tensor_size_in_bytes > LARGEST || elements > MOST_ELEMENTS
}

/// What the data depends on besides the seed. The twin of a case, in memory of its own, has the same data.
fn unseeded(id: &CaseId) -> CaseId {
    let without = |id: &CaseId, key| match id.get(key) {
        Some(_) => id.without(key),
        None => id.clone(),
    };
    without(&without(id, "seed"), "alias")
}

fn lanes_of(shape: &Shape, axis: u32, k: u32) -> Option<values::Lanes> {
    let axis = axis as usize;
    let length = *shape.sizes.get(axis)? as usize;
    let product = |sizes: &[u32]| sizes.iter().map(|n| *n as usize).product::<usize>();
    let (outer, inner) = (product(&shape.sizes[..axis]), product(&shape.sizes[axis + 1..]));
    Some(values::Lanes {
        outer,
        length,
        inner,
        k: k as usize,
    })
}
