//! The structure in C, and its members one by one.

use dml_spec::model::{Field, Operator};

use super::{Markdown, escape_text};
use crate::import::declared::c_type;

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
        let (base, pointer) = c_type(&field.kind);
        let count = field.kind.named().filter(|(key, _)| *key == "count");
        let note = match (count, field.optional) {
            (Some((_, count)), false) => format!("_Field_size_({count})"),
            (Some((_, count)), true) => format!("_Field_size_opt_({count})"),
            (None, true) => "_Maybenull_".to_owned(),
            (None, false) => String::new(),
        };
        let of = format!("{}{base}", if pointer { "const " } else { "" });
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
