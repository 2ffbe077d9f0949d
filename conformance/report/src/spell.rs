//! Cells, verdicts and values of descriptors in words.

use dml_spec::{Descriptor, TensorDesc, Value, model::FieldKind};

use dml_case::{case::Verdict, clause, suite::Suite};

/// The expected verdict, in words.
pub fn verdict_text(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Valid => "valid: the operator is created and computes the outputs",
        Verdict::Rejected(_) => "rejected: the descriptor is refused",
        Verdict::Observed { rejected: true, .. } => {
            "observed: the text differs, every runtime measured refuses the descriptor"
        }
        Verdict::Observed { rejected: false, .. } => {
            "observed: the text differs or is silent, every runtime measured accepts the descriptor"
        }
        Verdict::Unspecified(_) => "unspecified: only invariants are checked",
    }
}

/// What a support cell says.
pub fn cell_text(cell: &clause::Cell<'_>) -> String {
    let what = match cell.what {
        clause::CellKind::Type(name) => format!("data type {name}"),
        clause::CellKind::Dimensions(count) => format!("{count} dimensions"),
    };
    let verb = if cell.allowed { "allows" } else { "does not allow" };
    format!(
        "the table of level {} {verb} {what} for {}",
        cell.level, cell.row.tensor
    )
}

pub fn spell_sizes(sizes: &[u32]) -> String {
    let words: Vec<String> = sizes.iter().map(u32::to_string).collect();
    format!("{{{}}}", words.join(", "))
}

/// A value with DirectML's names.
pub fn spell_value(suite: &Suite, kind: &FieldKind, value: &Value) -> String {
    let list = |words: Vec<String>| format!("{{{}}}", words.join(", "));
    match value {
        Value::Tensor(tensor) => tensor.as_ref().map_or("null".to_owned(), |t| spell_tensor(suite, t)),
        Value::Tensors(tensors) => match tensors {
            None => "null".to_owned(),
            Some(tensors) => list(tensors.iter().map(|t| spell_tensor(suite, t)).collect()),
        },
        Value::UInt(n) => match kind {
            FieldKind::Enum(name) => suite
                .catalog
                .enumeration(name)
                .and_then(|e| e.members.iter().find(|m| m.value == *n))
                .map_or_else(|| n.to_string(), |m| m.name.to_string()),
            _ => n.to_string(),
        },
        Value::Int(n) => n.to_string(),
        Value::Float(x) => x.to_string(),
        Value::UInts(items) => items.as_ref().map_or("null".to_owned(), |i| spell_sizes(i)),
        Value::Ints(items) => items
            .as_ref()
            .map_or("null".to_owned(), |i| list(i.iter().map(i32::to_string).collect())),
        Value::Floats(items) => items
            .as_ref()
            .map_or("null".to_owned(), |i| list(i.iter().map(f32::to_string).collect())),
        Value::ScaleBias(None) | Value::Operator(None) | Value::Operators(None) => "null".to_owned(),
        Value::ScaleBias(Some((scale, bias))) => format!("{{Scale {scale}, Bias {bias}}}"),
        Value::Size2D(width, height) => format!("{{Width {width}, Height {height}}}"),
        Value::Scalar(bytes) => format!("0x{:016x}", u64::from_le_bytes(*bytes)),
        Value::Operator(Some(inner)) => spell_nested(suite, inner),
        Value::Operators(Some(inner)) => list(inner.iter().map(|d| spell_nested(suite, d)).collect()),
    }
}

pub fn spell_nested(suite: &Suite, descriptor: &Descriptor) -> String {
    let Some(operator) = suite.catalog.operator(&descriptor.operator) else {
        return descriptor.operator.to_string();
    };
    let fields = operator.fields.iter().zip(&descriptor.fields);
    let fields: Vec<String> = fields
        .map(|(f, v)| format!("{} {}", f.name, spell_value(suite, &f.kind, v)))
        .collect();
    format!("{} {{{}}}", descriptor.operator, fields.join(", "))
}

pub fn spell_tensor(suite: &Suite, tensor: &TensorDesc) -> String {
    let ty = suite.catalog.data_type(tensor.data_type);
    let mut text = ty.map_or_else(|| format!("DataType {}", tensor.data_type), |t| t.name.to_string());
    let sizes = tensor.sizes.as_deref().map_or("null".to_owned(), spell_sizes);
    text.push_str(&format!(" Sizes {sizes}"));
    if let Some(strides) = &tensor.strides {
        text.push_str(&format!(" Strides {}", spell_sizes(strides)));
    }
    text.push_str(&format!(
        " TotalTensorSizeInBytes {}",
        tensor.total_tensor_size_in_bytes
    ));
    let rest = [
        ("Type", tensor.tensor_type, dml_spec::desc::TENSOR_TYPE_BUFFER),
        ("Flags", tensor.flags, 0),
        (
            "GuaranteedBaseOffsetAlignment",
            tensor.guaranteed_base_offset_alignment,
            0,
        ),
    ];
    for (name, value, default) in rest {
        if value != default {
            text.push_str(&format!(" {name} {value}"));
        }
    }
    text
}
