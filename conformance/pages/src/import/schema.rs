//! The machine-readable schema of DirectML's descriptors: fields of all operators, and their levels, tab-separated.

use std::collections::BTreeMap;

use dml_spec::{
    FeatureLevel,
    level::ParseLevelError,
    model::{FieldKind, Role},
};

use super::declared::c_type;

/// Columns, in any order; others are ignored.
const COLUMNS: [&str; 7] = ["operator", "index", "kind", "type", "name", "optional", "in_place"];

/// Columns of a table of levels.
const LEVELS: [&str; 2] = ["operator", "feature_level"];

/// Fields in struct order, by operator, and the first level of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    operators: BTreeMap<String, Vec<SchemaField>>,
    levels: BTreeMap<String, FeatureLevel>,
}

/// A field as the schema has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaField {
    /// Its name.
    pub name: String,
    /// `input_tensor`, `output_tensor` or `attribute`.
    pub kind: String,
    /// Such as `TENSOR_DESC`, `UINT_ARRAY`, `SCALE_BIAS`.
    pub ty: String,
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether the operator may write into its input.
    pub in_place: bool,
}

/// An invalid line of a schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {message}")]
pub struct BadSchema {
    /// From 1.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Schema {
    /// Reads a table; its first line names the columns: those of fields, or those of levels.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn parse(text: &str) -> Result<Self, BadSchema> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let header = lines.next().map(|(_, line)| line).unwrap_or_default();
        let names: Vec<&str> = header.trim_start_matches('\u{feff}').split('\t').collect();
        let has_levels = LEVELS.iter().all(|column| names.contains(column));
        let lacking = COLUMNS.iter().find(|column| !names.contains(column));
        if let Some(column) = lacking.filter(|_| !has_levels) {
            let message = format!("there is no column `{column}`");
            return Err(BadSchema { line: 1, message });
        }
        let mut schema = Self::default();
        for (line, text) in lines {
            let cells = || names.iter().copied().zip(text.split('\t').chain(std::iter::repeat("")));
            let cell = |column| cells().find(|(name, _)| *name == column).map_or("", |(_, cell)| cell);
            let read = match has_levels {
                true => schema.read_level(&cell),
                false => schema.read_field(&cell),
            };
            read.map_err(|message| BadSchema { line, message })?;
        }
        Ok(schema)
    }

    fn read_level<'t>(&mut self, cell: &dyn Fn(&'static str) -> &'t str) -> Result<(), String> {
        let level = cell("feature_level").parse();
        let level = level.map_err(|error: ParseLevelError| error.to_string())?;
        self.levels.insert(cell("operator").to_owned(), level);
        Ok(())
    }

    fn read_field<'t>(&mut self, cell: &dyn Fn(&'static str) -> &'t str) -> Result<(), String> {
        let flag = |column| {
            let text = cell(column);
            text.parse()
                .map_err(|_| format!("found `{text}`, expected true or false"))
        };
        let (operator, at) = (cell("operator"), cell("index"));
        let fields = self.operators.entry(operator.to_owned()).or_default();
        if at.parse() != Ok(fields.len()) {
            let expected = fields.len();
            return Err(format!("found the index `{at}`, expected {expected} for {operator}"));
        }
        fields.push(SchemaField {
            name: cell("name").to_owned(),
            kind: cell("kind").to_owned(),
            ty: cell("type").to_owned(),
            optional: flag("optional")?,
            in_place: flag("in_place")?,
        });
        Ok(())
    }

    /// Adds another table.
    pub fn extend(&mut self, other: Self) {
        self.operators.extend(other.operators);
        self.levels.extend(other.levels);
    }

    /// First level of an operator; `None` if no table has it.
    pub fn level(&self, name: &str) -> Option<FeatureLevel> {
        self.levels.get(name).copied()
    }

    /// Fields of an operator in struct order; `None` if the schema lacks it.
    pub fn operator(&self, name: &str) -> Option<&[SchemaField]> {
        self.operators.get(name).map(Vec::as_slice)
    }
}

impl SchemaField {
    /// Whether a field of a page can be this one. The schema has enumerations as `UINT`.
    pub fn fits(&self, kind: &FieldKind) -> bool {
        let (base, _) = c_type(kind);
        let is_array = matches!(kind.named(), Some(("count", _)));
        let expected = match kind {
            FieldKind::Enum(_) => "UINT".to_owned(),
            // The schema has most truth values as numbers.
            FieldKind::Bool if self.ty == "UINT" => "UINT".to_owned(),
            _ => format!(
                "{}{}",
                base.trim_start_matches("DML_"),
                if is_array { "_ARRAY" } else { "" }
            ),
        };
        let role = match kind.role() {
            Some(Role::Input) => "input_tensor",
            Some(Role::Output) => "output_tensor",
            None => "attribute",
        };
        self.ty == expected && self.kind == role
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "operator\tindex\tkind\ttype\tname\toptional\tin_place\n";

    #[test]
    fn fields_keep_their_order() {
        let text =
            format!("{HEADER}A\t0\tinput_tensor\tTENSOR_DESC\tX\tfalse\ttrue\nA\t1\tattribute\tUINT\tK\ttrue\ttrue\n");
        let schema = Schema::parse(&text).unwrap();
        let fields = schema.operator("A").unwrap();
        assert_eq!(fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["X", "K"]);
        assert!(fields[0].fits(&FieldKind::Tensor(Role::Input)) && !fields[0].fits(&FieldKind::Tensor(Role::Output)));
        assert!(fields[1].fits(&FieldKind::UInt) && fields[1].fits(&FieldKind::Enum("DML_X".into())));
        assert_eq!(schema.operator("B"), None);
        let levels = Schema::parse("operator\tvalue\tfeature_level\nA\t7\t3_1\n").unwrap();
        let mut both = schema;
        both.extend(levels);
        assert_eq!(
            (both.level("A"), both.level("B")),
            (Some(FeatureLevel::new(3, 1)), None)
        );
    }

    #[test]
    fn bad_lines_are_told_of_by_number() {
        let line = |rest: &str| Schema::parse(&format!("{HEADER}{rest}\n")).unwrap_err();
        assert_eq!(Schema::parse("operator\n").unwrap_err().line, 1);
        assert_eq!(line("A\t1\tx\ty\tz\tfalse\tfalse").line, 2);
        assert!(line("A\t0\tx\ty\tz\tmaybe\tfalse").to_string().contains("maybe"));
    }
}
