//! One case in full: what it gives a backend, what is expected and why.

use dml_spec::{
    Descriptor, TensorDesc, Value,
    model::{FieldKind, Operator, Role},
    program::Violation,
};

use super::{
    Style, Terminal,
    grid::{SMALL, grid},
};
use crate::text::labelled;
use crate::{
    case::{Case, Mode, Verdict},
    clause,
    judge::violations,
    oracle::{self, Call},
    plan::aliases,
    suite::Suite,
    tensor::Shape,
};

/// Prints a case; `command` is what runs it.
pub fn show_case(terminal: &mut Terminal, suite: &Suite, case: &Case, command: &str) {
    let Some((operator, _)) = suite.operator(case.id.operator()) else {
        return;
    };
    terminal.line(terminal.paint(Style::Strong, &case.id));
    if let Some(family) = operator.cases.families.iter().find(|f| f.name == case.id.family()) {
        row(terminal, "  family    ", &family.says);
    }
    let mode = match case.mode {
        Mode::Create => "the descriptor is judged; nothing runs",
        Mode::Execute => "the operator runs",
    };
    terminal.line(format!("  mode      {mode}"));
    for (output, input) in aliases::names(operator, &case.descriptor, &case.aliases) {
        let text = format!("{output} lies in the memory of {input}, which it overwrites");
        row(terminal, "  in place  ", &text);
    }
    heading(terminal, "descriptor");
    terminal.line(format!("  {}", operator.name));
    for (field, value) in operator.fields.iter().zip(&case.descriptor.fields) {
        let text = spell_value(suite, &field.kind, value);
        row(terminal, &format!("    {:<20} ", field.name), &text);
    }
    tensors(terminal, suite, operator, case);
    verdict(terminal, suite, case);
    heading(terminal, "run it");
    terminal.line(format!("  {command}"));
}

fn heading(terminal: &mut Terminal, text: &str) {
    terminal.line("");
    terminal.line(terminal.paint(Style::Strong, text));
}

fn row(terminal: &mut Terminal, label: &str, text: &str) {
    labelled(label, text).into_iter().for_each(|line| terminal.line(line));
}

/// What is expected of a backend, in words.
pub(super) fn verdict_text(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Valid => "valid: the operator is created and computes the outputs",
        Verdict::Rejected(_) => "rejected: the descriptor is refused",
        Verdict::Observed { rejected: true, .. } => {
            "observed: the text differs, every runtime measured refuses the descriptor"
        }
        Verdict::Observed { rejected: false, .. } => {
            "observed: the text differs or is silent, every runtime measured accepts the descriptor"
        }
        Verdict::Unspecified(_) => "unspecified: nobody defines the outputs; what always holds is judged",
    }
}

fn verdict(terminal: &mut Terminal, suite: &Suite, case: &Case) {
    heading(terminal, "expected");
    terminal.line(format!("  {}", verdict_text(&case.verdict)));
    if let Some(level) = case.gate {
        terminal.line(format!("  allowed by the tables from level {level} on"));
    }
    let violations = violations(suite, case);
    for id in case.verdict.clauses() {
        let says = match clause::find(suite, &id) {
            Some(clause::Found::Clause(found)) => found.says.to_string(),
            Some(clause::Found::Cell(cell)) => cell_text(&cell),
            None => String::new(),
        };
        let differ = match violations.iter().find(|v| v.clause == id && v.text != v.runtime) {
            Some(Violation { text: true, .. }) => " (the text refuses the descriptor for that, the runtimes do not)",
            Some(_) => " (the runtimes refuse the descriptor for that, the text does not)",
            None => "",
        };
        row(terminal, &format!("  {id}: "), &(says + differ));
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

fn tensors(terminal: &mut Terminal, suite: &Suite, operator: &Operator, case: &Case) {
    if case.mode == Mode::Create {
        return;
    }
    let descriptors = case.descriptor.tensors(operator, Role::Input);
    heading(terminal, "inputs");
    for ((name, tensor), bytes) in clause::tensor_names(operator, case, Role::Input)
        .iter()
        .zip(descriptors)
        .zip(&case.inputs)
    {
        if let Some(shape) = Shape::of(&suite.catalog, tensor) {
            elements(terminal, name, &shape, || shape.read(bytes));
        }
    }
    if let Verdict::Unspecified(_) = case.verdict {
        return;
    }
    let Some(outputs) = expected(suite, operator, case) else {
        return;
    };
    heading(terminal, "outputs");
    let descriptors = case.descriptor.tensors(operator, Role::Output);
    for ((name, tensor), output) in clause::tensor_names(operator, case, Role::Output)
        .iter()
        .zip(descriptors)
        .zip(outputs)
    {
        if let Some(shape) = Shape::of(&suite.catalog, tensor) {
            elements(terminal, name, &shape, || output);
        }
    }
}

/// What the outputs are to be: as the page gives them, else as the oracle computes them.
fn expected(suite: &Suite, operator: &Operator, case: &Case) -> Option<Vec<Vec<u64>>> {
    if case.given.is_some() {
        return case.given.clone();
    }
    let oracle = oracle::oracle(&operator.name)?;
    let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs)?;
    Some(oracle.reference(&call))
}

fn elements(terminal: &mut Terminal, name: &str, shape: &Shape, read: impl FnOnce() -> Vec<u64>) {
    let count = shape.elements();
    terminal.line(format!("  {name}: {} {}", shape.ty.name, spell_sizes(&shape.sizes)));
    if count > SMALL {
        terminal.line(format!("    {count} elements"));
        return;
    }
    for line in grid(&shape.ty, &shape.sizes, &read(), "    ") {
        terminal.line(line);
    }
}

pub(super) fn spell_sizes(sizes: &[u32]) -> String {
    let words: Vec<String> = sizes.iter().map(u32::to_string).collect();
    format!("{{{}}}", words.join(", "))
}

/// A value with DirectML's names.
pub(super) fn spell_value(suite: &Suite, kind: &FieldKind, value: &Value) -> String {
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

fn spell_nested(suite: &Suite, descriptor: &Descriptor) -> String {
    let Some(operator) = suite.catalog.operator(&descriptor.operator) else {
        return descriptor.operator.to_string();
    };
    let fields = operator.fields.iter().zip(&descriptor.fields);
    let fields: Vec<String> = fields
        .map(|(f, v)| format!("{} {}", f.name, spell_value(suite, &f.kind, v)))
        .collect();
    format!("{} {{{}}}", descriptor.operator, fields.join(", "))
}

fn spell_tensor(suite: &Suite, tensor: &TensorDesc) -> String {
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
