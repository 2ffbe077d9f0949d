//! The structure in C, and its members one by one.

use dml_spec::model::{Field, FieldKind, Operator};

use super::{Markdown, escape_text};

pub(super) fn write_members(page: &mut Markdown, operator: &Operator) {
    page.paragraph("## Syntax");
    page.fence("cpp", &format_structure(operator));
    page.paragraph("## Members");
    for field in operator.fields.iter() {
        let declared = Declared::of(field);
        page.paragraph(&format!("`{}`", field.name));
        page.paragraph(&format!("Type: {}", declared.marked()));
        page.paragraph(&escape_text(&field.says));
    }
}

/// How a member is declared.
struct Declared {
    /// Annotation; empty if there is none.
    note: String,
    /// Type without the star.
    of: String,
    pointer: bool,
}

impl Declared {
    fn of(field: &Field) -> Self {
        let (of, pointer, count) = match &field.kind {
            FieldKind::Tensor(_) => ("const DML_TENSOR_DESC", true, None),
            FieldKind::Tensors(_, count) => ("const DML_TENSOR_DESC", true, Some(count)),
            FieldKind::UInt => ("UINT", false, None),
            FieldKind::Int => ("INT", false, None),
            FieldKind::Float => ("FLOAT", false, None),
            FieldKind::Bool => ("BOOL", false, None),
            FieldKind::Enum(name) => (name.as_ref(), false, None),
            FieldKind::UInts(count) => ("const UINT", true, Some(count)),
            FieldKind::Ints(count) => ("const INT", true, Some(count)),
            FieldKind::Floats(count) => ("const FLOAT", true, Some(count)),
            FieldKind::ScaleBias => ("const DML_SCALE_BIAS", true, None),
            FieldKind::Size2D => ("DML_SIZE_2D", false, None),
            FieldKind::Scalar(_) => ("DML_SCALAR_UNION", false, None),
            FieldKind::Operator => ("const DML_OPERATOR_DESC", true, None),
            FieldKind::Operators(count) => ("const DML_OPERATOR_DESC", true, Some(count)),
        };
        let note = match (count, field.optional) {
            (Some(count), false) => format!("_Field_size_({count})"),
            (Some(count), true) => format!("_Field_size_opt_({count})"),
            (None, true) => "_Maybenull_".to_owned(),
            (None, false) => String::new(),
        };
        let of = of.to_owned();
        Self { note, of, pointer }
    }

    /// In front of the name: annotation and type.
    fn front(&self) -> String {
        format!("{} {}", self.note, self.of).trim_start().to_owned()
    }

    /// As the description of a member has it.
    fn marked(&self) -> String {
        let star = if self.pointer { "\\*" } else { "" };
        let note = self.note.replace('_', "\\_");
        format!("{note} **{}{star}**", self.of).trim_start().to_owned()
    }
}

/// `struct DML_X_OPERATOR_DESC { … };`, the names below each other.
fn format_structure(operator: &Operator) -> String {
    let declared: Vec<Declared> = operator.fields.iter().map(Declared::of).collect();
    let width = declared.iter().map(|d| d.front().len()).max().unwrap_or_default();
    let mut text = format!("struct DML_{}_OPERATOR_DESC {{\n", operator.name);
    for (field, declared) in operator.fields.iter().zip(&declared) {
        let star = if declared.pointer { "*" } else { "" };
        text += &format!("  {:<width$} {star}{};\n", declared.front(), field.name);
    }
    text + "};"
}
