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

/// Sizes in braces: `{2, 3}`.
pub fn spell_sizes(sizes: &[u32]) -> String {
    braced(sizes.iter().map(u32::to_string))
}

/// A value with DirectML's names.
pub fn spell_value(suite: &Suite, kind: &FieldKind, value: &Value) -> String {
    match value {
        Value::Tensor(tensor) => or_null(tensor, |tensor| spell_tensor(suite, tensor)),
        Value::Tensors(tensors) => or_null(tensors, |all| braced(all.iter().map(|t| spell_tensor(suite, t)))),
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
        Value::UInts(items) => or_null(items, |items| spell_sizes(items)),
        Value::Ints(items) => or_null(items, |items| braced(items.iter().map(i32::to_string))),
        Value::Floats(items) => or_null(items, |items| braced(items.iter().map(f32::to_string))),
        Value::ScaleBias(pair) => or_null(pair, |(scale, bias)| format!("{{Scale {scale}, Bias {bias}}}")),
        Value::Size2D(width, height) => format!("{{Width {width}, Height {height}}}"),
        Value::Scalar(bytes) => format!("0x{:016x}", u64::from_le_bytes(*bytes)),
        Value::Operator(inner) => or_null(inner, |inner| spell_nested(suite, inner)),
        Value::Operators(inner) => or_null(inner, |all| braced(all.iter().map(|d| spell_nested(suite, d)))),
    }
}

fn or_null<T>(value: &Option<T>, spell: impl FnOnce(&T) -> String) -> String {
    value.as_ref().map_or("null".to_owned(), spell)
}

fn braced(words: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", words.collect::<Vec<_>>().join(", "))
}

/// A nested descriptor: its operator and fields.
pub fn spell_nested(suite: &Suite, descriptor: &Descriptor) -> String {
    let Some(operator) = suite.catalog.operator(&descriptor.operator) else {
        return descriptor.operator.to_string();
    };
    let fields = operator.fields.iter().zip(&descriptor.fields);
    let fields = fields.map(|(f, v)| format!("{} {}", f.name, spell_value(suite, &f.kind, v)));
    format!("{} {}", descriptor.operator, braced(fields))
}

/// A tensor: its type, sizes, strides and what else differs from the default.
pub fn spell_tensor(suite: &Suite, tensor: &TensorDesc) -> String {
    let ty = suite.catalog.data_type(tensor.data_type);
    let mut text = ty.map_or_else(|| format!("DataType {}", tensor.data_type), |t| t.name.to_string());
    let sizes = or_null(&tensor.sizes, |sizes| spell_sizes(sizes));
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
