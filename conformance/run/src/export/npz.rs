//! An archive of arrays that NumPy reads: inputs, attributes, expected outputs.

use std::io::{Cursor, Write};

use dml_spec::{
    TensorDesc,
    model::{DataType, NumberClass},
};
use serde_json::Value as Json;
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use super::{Parts, packed};
use crate::saved::is_plain;

/// Bytes that the head of an array is a multiple of.
const ALIGNMENT: usize = 64;

/// Inputs and expected outputs by their names, the latter with the prefix `expected.`; attributes by theirs; if elements are
/// not all of a buffer, its bytes with the prefix `bytes.` and its strides with `strides.`.
pub(super) fn npz(parts: &Parts<'_>) -> Result<Vec<u8>, String> {
    let mut archive = Archive(ZipWriter::new(Cursor::new(Vec::new())));
    archive.text("id", &parts.id)?;
    archive.text("operator", &parts.operator.name)?;
    archive.text("feature_level", &parts.case.id.level().to_string())?;
    archive.text("verdict", parts.case.verdict.word())?;
    for (name, value) in parts.attributes()? {
        archive.attribute(&name, &value)?;
    }
    for input in &parts.inputs {
        archive.layout(&input.name, input.tensor)?;
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
        archive.layout(&output.name, output.tensor)?;
        if let Some(input) = parts.place_of(at) {
            archive.text(&format!("alias.{}", output.name), &input.name)?;
        }
        if let (Some(shape), Some(elements)) = (&output.shape, &output.expected) {
            let (name, data) = (format!("expected.{}", output.name), packed(shape, elements));
            archive.array(&name, &descr(&shape.ty)?, &shape.sizes, &data)?;
        }
    }
    archive.0.finish().map(Cursor::into_inner).map_err(|e| e.to_string())
}

/// NumPy's name of a data type.
fn descr(ty: &DataType) -> Result<String, String> {
    let kind = match ty.class {
        NumberClass::Float => 'f',
        NumberClass::Signed => 'i',
        NumberClass::Unsigned => 'u',
        NumberClass::Unknown => return Err(format!("NumPy has no type {}", ty.name)),
    };
    let order = if ty.bits == 8 { '|' } else { '<' };
    Ok(format!("{order}{kind}{}", ty.bits / 8))
}

struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Archive {
    fn array(&mut self, name: &str, descr: &str, sizes: &[u32], data: &[u8]) -> Result<(), String> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default());
        let written = self.0.start_file(format!("{name}.npy"), options);
        written.map_err(|e| e.to_string())?;
        let head = head(descr, sizes);
        let written = self.0.write_all(&head).and_then(|()| self.0.write_all(data));
        written.map_err(|e| e.to_string())
    }

    fn text(&mut self, name: &str, text: &str) -> Result<(), String> {
        let points: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        self.array(name, &format!("<U{}", text.chars().count().max(1)), &[], &points)
    }

    /// Whole numbers, floats, names, and lists of them; nothing for what is null or deeper.
    fn attribute(&mut self, name: &str, value: &Json) -> Result<(), String> {
        let number = |value: &Json| match value {
            Json::Bool(b) => Some(f64::from(u8::from(*b))),
            other => other.as_f64(),
        };
        match value {
            Json::String(text) => self.text(name, text),
            Json::Array(items) => {
                let Some(numbers) = items.iter().map(number).collect::<Option<Vec<f64>>>() else {
                    return Ok(());
                };
                let length = u32::try_from(numbers.len()).map_err(|e| e.to_string())?;
                let data: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
                self.array(name, "<f8", &[length], &data)
            }
            other => match (other.as_i64(), number(other)) {
                (Some(n), _) => self.array(name, "<i8", &[], &n.to_le_bytes()),
                (None, Some(x)) => self.array(name, "<f8", &[], &x.to_le_bytes()),
                (None, None) => Ok(()),
            },
        }
    }

    /// The strides, if there are any.
    fn layout(&mut self, name: &str, tensor: &TensorDesc) -> Result<(), String> {
        let Some(strides) = &tensor.strides else { return Ok(()) };
        let length = u32::try_from(strides.len()).map_err(|e| e.to_string())?;
        let data: Vec<u8> = strides.iter().flat_map(|n| n.to_le_bytes()).collect();
        self.array(&format!("strides.{name}"), "<u4", &[length], &data)
    }
}

/// What stands before the data of an array, format 1.0.
fn head(descr: &str, sizes: &[u32]) -> Vec<u8> {
    let sizes: String = sizes.iter().map(|n| format!("{n},")).collect();
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sizes}), }}");
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    let length = (head.len() + 2 + text.len() + 1).next_multiple_of(ALIGNMENT) - head.len() - 2;
    text.push_str(&" ".repeat(length - text.len() - 1));
    text.push('\n');
    head.extend((length as u16).to_le_bytes());
    head.extend(text.into_bytes());
    head
}
