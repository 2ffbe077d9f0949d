//! Unspecified outputs that follow no known behaviour: no failure, but worth a report.

use dml_spec::{
    Value,
    model::{DataType, FieldKind, Text},
};

use crate::{expected::oracle_call, output::Output};
use dml_case::{
    context::Context,
    number::{decode, is_nan},
    outcome::Diagnosis,
};
use dml_legacy::oracle::Call;

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
    let call = &oracle_call(context)?;
    let of_nan = |ty: &DataType, elements: &[u64]| elements.iter().any(|bits| is_nan(ty, *bits));
    let [nan, other] = OPEN_CLASSES;
    let class = match call.inputs.iter().any(|i| of_nan(&i.shape.ty, &i.elements)) {
        true => nan,
        false => other,
    };
    let given: Option<Vec<String>> = call
        .inputs
        .iter()
        .map(|i| spell_elements(&i.shape.ty, &i.elements))
        .collect();
    let given = given.map(|inputs| [inputs, spell_attributes(call)].concat());
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

/// The attributes that are whole numbers or constants: `K 2`.
fn spell_attributes(call: &Call) -> Vec<String> {
    let fields = call.operator.fields.iter().zip(&call.descriptor.fields);
    let spelled = fields.filter_map(|(field, value)| {
        let Value::UInt(number) = value else { return None };
        let of = match &field.kind {
            FieldKind::Enum(name) => call.catalog.enumeration(name),
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
