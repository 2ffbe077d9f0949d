//! Unspecified outputs that follow no known behaviour: no failure, but worth a report.

use dml_spec::{
    Value,
    model::{DataType, FieldKind, Role, Text},
};

use crate::output::Output;
use dml_case::{
    context::Context,
    number::{decode, is_nan},
    outcome::Diagnosis,
    tensor::Shape,
};

/// Classes of unspecified outputs that are no failure: around NaN, and others.
pub const OPEN_CLASSES: [&str; 2] = ["nan-misordered", "inconsistent"];

/// Tensors of more elements are not spelled out.
const MOST_SPELLED: usize = 12;

/// Explains outputs that show none of the behaviours that some clause distinguishes. `None` if there is no such clause.
pub(super) fn explain_inconsistent(
    context: Context,
    does: &[(Text, Vec<Text>)],
    outputs: &[Output],
    actual: &[Vec<u64>],
) -> Option<Diagnosis> {
    let (id, _) = does.iter().find(|(_, behaviours)| behaviours.is_empty())?;
    let mut clauses = context.clauses();
    let tells: Vec<&str> = clauses
        .find(|clause| clause.id == *id)?
        .tells
        .iter()
        .map(|variant| &*variant.name)
        .collect();
    let inputs = read_inputs(context)?;
    let of_nan = |ty: &DataType, elements: &[u64]| elements.iter().any(|bits| is_nan(ty, *bits));
    let [nan, other] = OPEN_CLASSES;
    let class = match inputs.iter().any(|(shape, elements)| of_nan(&shape.ty, elements)) {
        true => nan,
        false => other,
    };
    let given = inputs
        .iter()
        .map(|(shape, elements)| spell_elements(&shape.ty, elements));
    let given: Option<Vec<String>> = given.collect();
    let given = given.map(|inputs| [inputs, spell_attributes(context)].concat());
    let named = |(output, elements): (&Output, &Vec<u64>)| {
        Some(format!(
            "{} {}",
            output.name,
            spell_elements(&output.shape.ty, elements)?
        ))
    };
    let came: Option<Vec<String>> = outputs.iter().zip(actual).map(named).collect();
    let shown = given.zip(came).map_or_else(String::new, |(given, came)| {
        format!("{} came to {}; ", given.join(", "), came.join(", "))
    });
    let message = format!("{shown}the outputs do none of {}", tells.join(", "));
    Some(Diagnosis::new(class, vec![id.clone()], message))
}

/// The elements of all inputs; `None` if one does not fit its descriptor.
fn read_inputs(context: Context) -> Option<Vec<(Shape, Vec<u64>)>> {
    let inputs = context.named_tensors(Role::Input);
    let read = inputs.iter().zip(&context.case.inputs).map(|((_, desc), bytes)| {
        let shape = Shape::of(context.catalog(), desc)?;
        let elements = (bytes.len() as u64 >= shape.total_bytes).then(|| shape.read(bytes))?;
        Some((shape, elements))
    });
    read.collect()
}

/// The attributes that are whole numbers or constants: `K 2`.
fn spell_attributes(context: Context) -> Vec<String> {
    let fields = context.operator.fields.iter().zip(&context.case.descriptor.fields);
    let spelled = fields.filter_map(|(field, value)| {
        let Value::UInt(number) = value else { return None };
        let of = match &field.kind {
            FieldKind::Enum(name) => context.catalog().enumeration(name),
            _ => None,
        };
        let member = of.and_then(|e| e.members.iter().find(|member| member.value == *number));
        let word = member.map_or_else(|| number.to_string(), |member| member.name.to_string());
        Some(format!("{} {word}", field.name))
    });
    spelled.collect()
}

/// The elements in words; `None` if they are many.
fn spell_elements(ty: &DataType, elements: &[u64]) -> Option<String> {
    let words = || elements.iter().map(|bits| decode(ty, *bits).to_string());
    (elements.len() <= MOST_SPELLED).then(|| format!("{{{}}}", words().collect::<Vec<_>>().join(", ")))
}
