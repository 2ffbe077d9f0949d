//! An archive of arrays that NumPy reads: inputs, attributes, expected outputs.

use dml_spec::TensorDesc;
use serde_json::Value as Json;

use super::{Parts, packed};
use crate::{
    npz::{Archive, descr},
    saved::is_plain,
};

/// Inputs and expected outputs by their names, the latter with the prefix `expected.`; attributes by theirs; if elements are
/// not all of a buffer, its bytes with the prefix `bytes.` and its strides with `strides.`.
pub(super) fn npz(parts: &Parts<'_>) -> Result<Vec<u8>, String> {
    let mut archive = Archive::default();
    archive.text("id", &parts.id)?;
    archive.text("operator", &parts.operator.name)?;
    archive.text("feature_level", &parts.case.id.level().to_string())?;
    archive.text("verdict", parts.case.verdict.word())?;
    for (name, value) in parts.attributes()? {
        attribute(&mut archive, &name, &value)?;
    }
    for input in &parts.inputs {
        layout(&mut archive, &input.name, input.tensor)?;
        if let (true, Some((shape, elements))) = (parts.runs(), input.elements()) {
            let data = packed(shape, &elements);
            archive.array(&input.name, &descr(&shape.ty)?, &shape.sizes, &data)?;
            if !is_plain(input.tensor, shape) {
                let length = u32::try_from(input.bytes.len()).map_err(|e| e.to_string())?;
                archive.array(&format!("bytes.{}", input.name), "|u1", &[length], input.bytes)?;
            }
        }
    }
    for (at, output) in parts.outputs.iter().enumerate() {
        layout(&mut archive, &output.name, output.tensor)?;
        if let Some(input) = parts.place_of(at) {
            archive.text(&format!("alias.{}", output.name), &input.name)?;
        }
        if let (Some(shape), Some(elements)) = (&output.shape, &output.expected) {
            let (name, data) = (format!("expected.{}", output.name), packed(shape, elements));
            archive.array(&name, &descr(&shape.ty)?, &shape.sizes, &data)?;
        }
    }
    archive.finish()
}

/// Whole numbers, floats, names, and lists of them; nothing for what is null or deeper.
fn attribute(archive: &mut Archive, name: &str, value: &Json) -> Result<(), String> {
    let number = |value: &Json| match value {
        Json::Bool(b) => Some(f64::from(u8::from(*b))),
        other => other.as_f64(),
    };
    match value {
        Json::String(text) => archive.text(name, text),
        Json::Array(items) => {
            let Some(numbers) = items.iter().map(number).collect::<Option<Vec<f64>>>() else {
                return Ok(());
            };
            let length = u32::try_from(numbers.len()).map_err(|e| e.to_string())?;
            let data: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
            archive.array(name, "<f8", &[length], &data)
        }
        other => match (other.as_i64(), number(other)) {
            (Some(n), _) => archive.array(name, "<i8", &[], &n.to_le_bytes()),
            (None, Some(x)) => archive.array(name, "<f8", &[], &x.to_le_bytes()),
            (None, None) => Ok(()),
        },
    }
}

/// The strides, if there are any.
fn layout(archive: &mut Archive, name: &str, tensor: &TensorDesc) -> Result<(), String> {
    let Some(strides) = &tensor.strides else { return Ok(()) };
    let length = u32::try_from(strides.len()).map_err(|e| e.to_string())?;
    let data: Vec<u8> = strides.iter().flat_map(|n| n.to_le_bytes()).collect();
    archive.array(&format!("strides.{name}"), "<u4", &[length], &data)
}
