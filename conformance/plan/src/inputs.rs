//! The bytes of the inputs of a case, and what is special about them.

use dml_spec::{Catalog, Descriptor, FeatureLevel, TensorDesc, Value, model::Role};

use crate::{builder::Builder, error::BuildError, eval, values};
use dml_case::facts::DataFacts;
use dml_case::{id::CaseId, random::Random, tensor::Shape};
use dml_spec::path::{self, Path};

/// Tensors of more bytes than this are not built.
const LARGEST: u64 = 1 << 30;

/// Tensors of more elements are not built, however few bytes they share: the oracle needs more memory for each.
const MOST_ELEMENTS: u64 = 1 << 26;

impl Builder<'_> {
    /// Bytes of every input, and what is special about them.
    pub(super) fn make_inputs(
        &self,
        id: &CaseId,
        descriptor: &Descriptor,
    ) -> Result<(Vec<Vec<u8>>, DataFacts), BuildError> {
        let fail = |why: &str| BuildError(format!("{id}: {why}"));
        let seed = id
            .get("seed")
            .map_or(Ok(0), path::number)
            .map_err(|why| fail(&format!("seed: {why}")))?;
        let name = unseeded(id);
        let mut random = Random::new(name.as_str(), seed);
        let mut lanes = eval::eval_lanes(self, descriptor, id.level());
        let mut facts = DataFacts::default();
        let mut inputs = Vec::new();
        // All are checked before the first is built.
        for (role, name) in [(Role::Output, "an output"), (Role::Input, "an input")] {
            let tensors = descriptor.tensors(self.operator, role);
            if tensors
                .into_iter()
                .any(|tensor| is_too_large(&self.suite.catalog, tensor))
            {
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
            let pattern = self.pattern(id, index);
            let bound = self.bound(descriptor, id.level(), index);
            for (element, tensor) in tensors.iter().enumerate() {
                let shape = Shape::of(&self.suite.catalog, tensor).ok_or_else(|| fail("an input has no elements"))?;
                let lanes = lanes.take().and_then(|(axis, k)| lanes_of(&shape, axis, k));
                let elements = match bound.filter(|_| values::is_of_indices(pattern)) {
                    Some(bound) => {
                        values::fill_indices(pattern, &shape.ty, shape.elements() as usize, bound, &mut random)
                    }
                    None => values::fill(
                        pattern,
                        &shape.ty,
                        lanes.unwrap_or_else(|| single_lane(&shape)),
                        &mut random,
                    ),
                };
                let elements =
                    elements.ok_or_else(|| fail("the value pattern is unknown or means nothing for the data type"))?;
                let is_packed = tensor.strides.is_none();
                let (bytes, elements) = lay_out_elements(&shape, is_packed, elements, &mut random);
                facts.note((index, element), &shape, &elements, self.program.ranges);
                inputs.push(bytes);
            }
        }
        Ok((inputs, facts))
    }

    /// The pattern of an input: its own key's, that of indices if it holds some, or that of all.
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
        eval::eval_number(self, descriptor, node, level).and_then(|n| u64::try_from(n).ok())
    }
}

/// The buffer of a tensor with random bytes between and after its elements, and the elements as they lie in it: if
/// places overlap, the last ones.
fn lay_out_elements(shape: &Shape, is_packed: bool, elements: Vec<u64>, random: &mut Random) -> (Vec<u8>, Vec<u64>) {
    let mut bytes = vec![0; shape.total_bytes as usize];
    let written = if is_packed { elements.len() * shape.width() } else { 0 };
    random.fill_behind(&mut bytes, written);
    shape.write(&mut bytes, elements.iter().copied());
    let elements = if is_packed { elements } else { shape.read(&bytes) };
    (bytes, elements)
}

/// All elements as one lane.
fn single_lane(shape: &Shape) -> values::Lanes {
    values::Lanes {
        outer: 1,
        length: shape.elements() as usize,
        inner: 1,
        k: 1,
    }
}

/// Whether a tensor is too large to be built.
pub(super) fn is_too_large(catalog: &Catalog, tensor: &TensorDesc) -> bool {
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
