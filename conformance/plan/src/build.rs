//! From a recipe to a case: keys, what follows from them, layout, sizes, overrides, data, verdict.

use std::{collections::BTreeSet, sync::Arc};

use dml_spec::{
    Descriptor, Dims, FeatureLevel, TensorDesc, Value,
    desc::{TENSOR_TYPE_BUFFER, element_bits},
    model::{FieldKind, Generator, Operator, Role, SupportRow, Text, Tier},
    program::{Program, Violation},
};

use crate::planner::Planner;
use crate::{
    BuildError, aliases, counts, eval, examples,
    faults::{Target, is_of},
    layouts,
    recipe::{COMMON_KEYS, EXAMPLE_KEY, Recipe},
    verdict,
};
use dml_case::facts::DataFacts;
use dml_case::path::{self, Path, TensorPart};
use dml_case::{
    case::{Case, Mode, Verdict},
    id::CaseId,
};
use dml_legacy::oracle;

/// Everything needed to build cases of one operator.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// The suite.
    pub suite: &'a Planner,
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
    pub fn new(suite: &'a Planner, operator: usize) -> Option<Self> {
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

    /// The same where what it violates is less than what is `broken`, and nothing else.
    pub(super) fn repaired(&self, id: &CaseId, mut descriptor: Descriptor, broken: &BTreeSet<Target>) -> Option<Made> {
        let overridden = self.apply_overrides(id, &mut descriptor).ok()?;
        let (program, catalog, level) = (self.program, &self.suite.catalog, id.level());
        // Where all of it breaks by itself, either all of it is violated or, in front of that, something else is.
        let breaks = |(clause, tensor): &Target| {
            let target = (clause.as_str(), tensor.as_deref());
            program.breaks(catalog, self.operator, &descriptor, level, target)
        };
        if broken.iter().all(breaks) {
            return None;
        }
        let is_broken = |found: &Violation| broken.iter().any(|target| is_of(target, found));
        let violations = program.evaluate_while(catalog, self.operator, &descriptor, level, &is_broken)?;
        Some(Made {
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
                let apply = name.and_then(|name| layouts::find(layouts::of_nth(name, role, *nth)));
                *nth += 1;
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

    /// Whether anybody here knows what the operator computes; else only its descriptors are judged.
    fn is_computed(&self) -> bool {
        oracle::oracle(&self.operator.name).is_some()
    }

    /// Ids of the operator's and the tensors' silences, in the program's order.
    pub fn silence_ids(&self) -> impl Iterator<Item = &Text> {
        self.program.silences.iter().map(|s| &s.clause)
    }
}
