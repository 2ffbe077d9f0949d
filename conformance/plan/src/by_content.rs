//! Cases built from a descriptor and inputs, which no id of the plan describes: stored ones, and ones made smaller.

use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Operator, Role},
};
use xxhash_rust::xxh3::Xxh3;

use crate::planner::Planner;
use crate::{aliases, builder::Builder, error::BuildError, inputs, verdict};
use dml_case::{
    case::{Case, Mode},
    id::CaseId,
    suite::Suite,
    tensor::{Shape, named_tensors},
};
use dml_case::{digest::descriptor_bytes, facts::DataFacts};

/// The family in the ids of such cases.
pub const FAMILY: &str = "saved";

/// Builds a case of this descriptor and these inputs, with the verdict of this specification. Nothing runs if the
/// descriptor is to be refused or `mode` says so. `aliases` names outputs and the inputs in whose place they lie.
///
/// # Errors
/// The operator is unknown, or an input has another length than its tensor says.
pub fn build_from_parts(
    suite: &Planner,
    level: FeatureLevel,
    mode: Mode,
    descriptor: Descriptor,
    inputs: Vec<Vec<u8>>,
    aliases: &[(String, String)],
) -> Result<Case, BuildError> {
    let name = &descriptor.operator;
    let index = suite.catalog.operators.iter().position(|o| o.name == *name);
    let builder = index.and_then(|index| Builder::new(suite, index));
    let builder = builder.ok_or_else(|| BuildError(format!("unknown operator `{name}`")))?;
    let violations = builder
        .program
        .evaluate(&suite.catalog, builder.operator, &descriptor, level);
    let verdict = verdict::from_violations(&violations);
    let id = content_id(&descriptor, level, &inputs, aliases);
    if mode == Mode::Create || verdict.is_rejection() {
        let facts = DataFacts::default();
        return Ok(builder.assemble(id, Mode::Create, descriptor, Vec::new(), None, verdict, &facts));
    }
    require_small_tensors(suite, builder.operator, &descriptor).map_err(BuildError)?;
    let facts = note_inputs(suite, builder.operator, &descriptor, &inputs).map_err(BuildError)?;
    let placed = |(output, input): &(String, String)| {
        aliases::alias_output(&suite.catalog, builder.operator, &descriptor, output, input)
    };
    let aliases = aliases
        .iter()
        .map(placed)
        .collect::<Result<_, _>>()
        .map_err(BuildError)?;
    let case = builder.assemble(id, mode, descriptor, inputs, None, verdict, &facts);
    Ok(aliases::apply_aliases(&suite.catalog, builder.operator, case, aliases))
}

/// What is special about the inputs.
///
/// # Errors
/// The first input that does not fit its tensor.
fn note_inputs(
    suite: &Suite,
    operator: &Operator,
    descriptor: &Descriptor,
    inputs: &[Vec<u8>],
) -> Result<DataFacts, String> {
    let ranges = suite
        .operator(&operator.name)
        .is_some_and(|(_, program)| program.ranges);
    let (mut facts, mut buffers) = (DataFacts::default(), inputs.iter());
    for (field, (kind, value)) in operator.fields.iter().zip(&descriptor.fields).enumerate() {
        let tensors: &[TensorDesc] = match value {
            Value::Tensor(Some(tensor)) if kind.kind.role() == Some(Role::Input) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) if kind.kind.role() == Some(Role::Input) => tensors,
            _ => continue,
        };
        for (element, tensor) in tensors.iter().enumerate() {
            let name = &kind.name;
            let shape = Shape::of(&suite.catalog, tensor).ok_or_else(|| format!("{name} has no elements"))?;
            let bytes = buffers.next().ok_or_else(|| format!("{name} has no data"))?;
            if bytes.len() as u64 != shape.total_bytes {
                let (found, expected) = (bytes.len(), shape.total_bytes);
                return Err(format!("{name} has {found} bytes of data, expected {expected}"));
            }
            facts.note((field, element), &shape, &shape.read(bytes), ranges);
        }
    }
    match buffers.len() {
        0 => Ok(facts),
        more => Err(format!("there is data for {more} more inputs than the descriptor has")),
    }
}

/// Whether all tensors are small enough to be built.
///
/// # Errors
/// The first that is too large.
pub fn require_small_tensors(suite: &Suite, operator: &Operator, descriptor: &Descriptor) -> Result<(), String> {
    for (name, tensor) in [Role::Input, Role::Output]
        .into_iter()
        .flat_map(|role| named_tensors(operator, descriptor, role))
    {
        if inputs::is_too_large(&suite.catalog, tensor) {
            let elements = Shape::of(&suite.catalog, tensor).map(|shape| format!("{} elements in ", shape.elements()));
            let (elements, bytes) = (elements.unwrap_or_default(), tensor.total_tensor_size_in_bytes);
            return Err(format!(
                "{name} is larger than 1 GiB, or has more than 2^26 elements: {elements}{bytes} bytes"
            ));
        }
    }
    Ok(())
}

/// The id of a case by its content.
fn content_id(
    descriptor: &Descriptor,
    level: FeatureLevel,
    inputs: &[Vec<u8>],
    aliases: &[(String, String)],
) -> CaseId {
    let mut bytes = Vec::new();
    descriptor_bytes(descriptor, &mut bytes);
    let mut hash = Xxh3::new();
    hash.update(&bytes);
    inputs.iter().for_each(|input| hash.update(input));
    for (output, input) in aliases {
        hash.update(format!("{output}={input};").as_bytes());
    }
    let content = format!("{:016x}", hash.digest());
    CaseId::new(&descriptor.operator, level, FAMILY, [("content", content)])
}

#[cfg(test)]
mod tests {
    use dml_spec::Dims;

    use crate::by_content::*;

    /// Whether a tensor of this many bytes, all of whose elements share the first place, may be built.
    fn may_be_made(sizes: [u32; 4], bytes: u64) -> bool {
        let suite = crate::embedded::suite();
        let id = "TOP_K1:2.1:examples:example=largest-two".parse().expect("an id");
        let mut descriptor = (*crate::by_id::build(suite, &id).expect("a case").descriptor).clone();
        let Some(Value::Tensor(Some(tensor))) = descriptor.fields.first_mut() else {
            panic!("no tensor");
        };
        *tensor = TensorDesc::packed(tensor.data_type, 32, &sizes);
        tensor.strides = Some(Dims::from_slice(&[0; 4]));
        tensor.total_tensor_size_in_bytes = bytes;
        let (operator, _) = suite.operator("TOP_K1").expect("an operator");
        require_small_tensors(suite, operator, &descriptor).is_ok()
    }

    #[test]
    fn tensors_may_be_as_large_as_is_said() {
        const GIB: u64 = 1_073_741_824;
        for (sizes, bytes, expected) in [
            ([1; 4], GIB, true),
            ([1; 4], GIB + 4, false),
            ([1, 1, 8192, 8192], 4, true),
            ([1, 1, 8192, 8193], 4, false),
            ([1, 1, 8192, 8192], GIB, true),
        ] {
            assert_eq!(may_be_made(sizes, bytes), expected, "{sizes:?} in {bytes} bytes");
        }
    }
}
