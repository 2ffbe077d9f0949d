//! The machine-readable schema of DirectML's descriptors: fields of all operators, and their levels, tab-separated.

use std::collections::BTreeMap;

use dml_spec::{
    FeatureLevel,
    model::{FieldKind, Role},
};

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
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let header = lines.next().map(|(_, line)| line).unwrap_or_default();
        let names: Vec<&str> = header.trim_start_matches('\u{feff}').split('\t').collect();
        let mut schema = Self::default();
        if let Ok(columns) = columns(&names, LEVELS) {
            for (index, line) in lines {
                let [operator, level] = cells(line, columns);
                let bad = |error: dml_spec::level::ParseLevelError| BadSchema {
                    line: index + 1,
                    message: error.to_string(),
                };
                schema.levels.insert(operator.to_owned(), level.parse().map_err(bad)?);
            }
            return Ok(schema);
        }
        let columns = columns(&names, COLUMNS)?;
        for (index, line) in lines {
            schema.field(index + 1, cells(line, columns))?;
        }
        Ok(schema)
    }

    fn field(&mut self, line: usize, cells: [&str; 7]) -> Result<(), BadSchema> {
        let [operator, at, kind, ty, name, optional, in_place] = cells;
        let bad = |message: String| BadSchema { line, message };
        let flag = |cell: &str| {
            cell.parse()
                .map_err(|_| bad(format!("found `{cell}`, expected true or false")))
        };
        let fields = self.operators.entry(operator.to_owned()).or_default();
        if at.parse() != Ok(fields.len()) {
            let expected = fields.len();
            return Err(bad(format!(
                "found the index `{at}`, expected {expected} for {operator}"
            )));
        }
        fields.push(SchemaField {
            name: name.to_owned(),
            kind: kind.to_owned(),
            ty: ty.to_owned(),
            optional: flag(optional)?,
            in_place: flag(in_place)?,
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

/// Indices of the columns in the header.
fn columns<const N: usize>(names: &[&str], wanted: [&str; N]) -> Result<[usize; N], BadSchema> {
    let mut columns = [0; N];
    for (place, column) in columns.iter_mut().zip(wanted) {
        *place = names.iter().position(|name| *name == column).ok_or_else(|| BadSchema {
            line: 1,
            message: format!("there is no column `{column}`"),
        })?;
    }
    Ok(columns)
}

/// Cells of a line, empty if it is too short.
fn cells<const N: usize>(line: &str, columns: [usize; N]) -> [&str; N] {
    let cells: Vec<&str> = line.split('\t').collect();
    columns.map(|column| cells.get(column).copied().unwrap_or_default())
}

impl SchemaField {
    /// Whether a field of a page can be this one. The schema has enumerations as `UINT`.
    pub fn fits(&self, kind: &FieldKind) -> bool {
        let expected = match kind {
            FieldKind::Tensor(_) => "TENSOR_DESC",
            FieldKind::Tensors(..) => "TENSOR_DESC_ARRAY",
            FieldKind::UInt | FieldKind::Enum(_) => "UINT",
            FieldKind::Int => "INT",
            FieldKind::Float => "FLOAT",
            // The schema has most truth values as numbers.
            FieldKind::Bool if self.ty == "UINT" => "UINT",
            FieldKind::Bool => "BOOL",
            FieldKind::UInts(_) => "UINT_ARRAY",
            FieldKind::Ints(_) => "INT_ARRAY",
            FieldKind::Floats(_) => "FLOAT_ARRAY",
            FieldKind::ScaleBias => "SCALE_BIAS",
            FieldKind::Size2D => "SIZE_2D",
            FieldKind::Scalar(_) => "SCALAR_UNION",
            FieldKind::Operator => "OPERATOR_DESC",
            FieldKind::Operators(_) => "OPERATOR_DESC_ARRAY",
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
