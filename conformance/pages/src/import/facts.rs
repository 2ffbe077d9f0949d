//! Single facts, by which two pages, a page and a specification, or two specifications are compared.

use std::{collections::BTreeMap, fmt};

use dml_spec::{
    FeatureLevel,
    model::{Catalog, ExampleTensor, ExampleValue, FieldKind, Operator, Role},
};

use super::{
    groups,
    page::{Page, SharedProperty, Spot},
    shared_properties,
};

/// The subject of a fact. The order is that of reports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// Level of introduction.
    Introduced,
    /// All fields in struct order; if two sides differ in more than the order, only missing fields are reported.
    Order,
    /// A field.
    Field(String),
    /// A cell of a support table.
    Cell {
        /// Functions the table is for, joined by `+`; empty for all descriptors.
        functions: String,
        /// Level of the table.
        level: FeatureLevel,
        /// Row.
        tensor: String,
        /// Column.
        column: Column,
    },
    /// A property that tensors share.
    SharedProperty(SharedProperty),
    /// A value of a worked example.
    Example {
        /// From 1, in the order of the page.
        number: usize,
        /// Field.
        field: String,
    },
}

/// A column of a support table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Column {
    /// Supported dimension counts.
    Dimensions,
    /// Supported data types.
    Types,
    /// Names of the dimensions.
    Shape,
    /// Whether it is read or written, and whether it is an array.
    Kind,
}

/// The value of every shared property.
const SAME: &str = "must be the same";

impl Key {
    /// A cell of a support table.
    pub fn cell(functions: &[String], level: FeatureLevel, tensor: &str, column: Column) -> Self {
        Self::Cell {
            functions: functions.join("+"),
            level,
            tensor: tensor.to_owned(),
            column,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Introduced => f.write_str("level of introduction"),
            Self::Order => f.write_str("order of the fields"),
            Self::Field(name) => write!(f, "field {name}"),
            Self::Cell {
                functions,
                level,
                tensor,
                column,
            } => {
                let column = match column {
                    Column::Dimensions => "dimension counts",
                    Column::Types => "data types",
                    Column::Shape => "dimensions",
                    Column::Kind => "kind",
                };
                let space = if functions.is_empty() { "" } else { " " };
                write!(f, "table {level}{space}{functions} {tensor} {column}")
            }
            Self::SharedProperty(same) => {
                write!(f, "same {} of {}", same.property.name(), same.tensors.join(", "))
            }
            Self::Example { number, field } => write!(f, "example {number} {field}"),
        }
    }
}

/// A fact's value and its place on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// In one line: `1..8`, `FLOAT32 FLOAT16`, `optional input`.
    pub value: String,
    /// Line of the page from 1; 0 for facts of a specification.
    pub line: u32,
}

/// All facts of a page or of an operator.
pub type Facts = BTreeMap<Key, Fact>;

/// The facts of a page. If it states a fact twice, the first counts.
pub fn collect_page_facts(page: &Page) -> Facts {
    let mut facts = Facts::new();
    for (key, fact) in list_page_facts(page) {
        facts.entry(key).or_insert(fact);
    }
    facts
}

/// Facts that a page states again with another value, such as a cell in two tables of one level.
pub fn find_repeated_facts(page: &Page) -> Vec<(Key, Fact)> {
    let first = collect_page_facts(page);
    let mut again = list_page_facts(page);
    again.retain(|(key, fact)| first.get(key).is_some_and(|first| first.value != fact.value));
    again
}

/// Every fact as often as the page states it, in its order.
fn list_page_facts(page: &Page) -> Vec<(Key, Fact)> {
    let mut facts = Vec::new();
    let mut add = |key: Key, value: String, line: u32| facts.push((key, Fact { value, line }));
    if let Some(level) = &page.introduced {
        add(Key::Introduced, level.value.to_string(), level.at.line);
    }
    if let Some(first) = page.fields.first() {
        let names: Vec<&str> = page.fields.iter().map(|f| f.value.name.as_str()).collect();
        add(Key::Order, names.join(" "), first.at.line);
    }
    for Spot { value: field, at } in &page.fields {
        add(
            Key::Field(field.name.clone()),
            format_kind(&field.kind, field.optional),
            at.line,
        );
    }
    for Spot { value: table, .. } in &page.tables {
        let Some(level) = page.level_of(table) else {
            continue;
        };
        for row in &table.rows {
            let key = |column| Key::cell(&table.functions, level, &row.tensor, column);
            if let Some(kind) = &row.kind {
                add(key(Column::Kind), format_row_kind(kind.output, kind.array), row.line);
            }
            if let Some(counts) = row.dimensions {
                add(key(Column::Dimensions), format_dimensions(counts), row.line);
            }
            add(key(Column::Types), format_types(&row.types), row.line);
            if let Some(shape) = &row.shape {
                add(key(Column::Shape), shape.clone(), row.line);
            }
        }
    }
    for Spot { value: same, at } in &page.constraints {
        add(Key::SharedProperty(same.clone()), SAME.to_owned(), at.line);
    }
    for (index, Spot { value: example, at }) in page.examples.iter().enumerate() {
        for (field, value) in &example.values {
            let (number, field) = (index + 1, field.clone());
            add(Key::Example { number, field }, format_example_value(value), at.line);
        }
    }
    facts
}

/// The facts of an operator that pages could state. Levels at which a group of tables repeats the one before are left
/// out, and so are names of dimensions.
pub fn collect_operator_facts(catalog: &Catalog, operator: &Operator) -> Facts {
    let mut facts = Facts::new();
    let mut add = |key, value| facts.insert(key, Fact { value, line: 0 });
    add(Key::Introduced, operator.introduced.to_string());
    let names: Vec<&str> = operator.fields.iter().map(|f| f.name.as_ref()).collect();
    add(Key::Order, names.join(" "));
    for field in operator.fields.iter() {
        add(
            Key::Field(field.name.to_string()),
            format_kind(&field.kind, field.optional),
        );
    }
    for (functions, level, row) in groups::list_rows(catalog, operator) {
        let key = |column| Key::cell(&functions, level, &row.tensor, column);
        let kind = operator.fields.iter().find(|f| f.name == row.tensor).map(|f| &f.kind);
        if let Some((kind, role)) = kind.and_then(|kind| Some((kind, kind.role()?))) {
            let is_array = matches!(kind, FieldKind::Tensors(..));
            add(key(Column::Kind), format_row_kind(role == Role::Output, is_array));
        }
        add(key(Column::Dimensions), format_dimensions(row.dimensions));
        add(key(Column::Types), format_types(&row.types));
        if !row.shape.is_empty() {
            add(key(Column::Shape), row.shape.to_string());
        }
    }
    for class in shared_properties::find_classes(operator) {
        add(Key::SharedProperty(class), SAME.to_owned());
    }
    for (example, number) in operator.examples.iter().zip(number_examples(operator)) {
        for (field, value) in example.values.iter() {
            let field = field.to_string();
            add(Key::Example { number, field }, format_example_value(value));
        }
    }
    facts
}

/// The number of each example of an operator on its page: the one in its anchor, `example-2-using-a-different-axis`,
/// or, without one or if an earlier example under the same heading has it, its index among the others.
pub fn number_examples(operator: &Operator) -> Vec<usize> {
    let mut found = Vec::new();
    for (index, example) in operator.examples.iter().enumerate() {
        let anchor = example.source.as_ref().map(|source| source.anchor.as_ref());
        let behind = anchor.and_then(|anchor| anchor.strip_prefix("example-"));
        let digits = behind.map(|text| text.split('-').next().unwrap_or_default());
        let named = digits.and_then(|digits| digits.parse().ok());
        let free = named.filter(|number| !found.contains(number));
        found.push(free.unwrap_or(index + 1));
    }
    found
}

/// A field's kind as YAML names it, with `optional` before it and the field that counts or types it after it.
pub fn format_kind(kind: &FieldKind, optional: bool) -> String {
    let word = kind.word();
    let text = kind
        .named()
        .map_or_else(|| word.to_owned(), |(_, name)| format!("{word} of {name}"));
    if optional { format!("optional {text}") } else { text }
}

/// The kind column without what the field's declaration says as well: whether it may be absent.
fn format_row_kind(is_output: bool, is_array: bool) -> String {
    let role = if is_output { "output" } else { "input" };
    format!("{role}{}", if is_array { " array" } else { "" })
}

/// `4` or `1..8`, as in YAML.
pub fn format_dimensions((least, most): (u32, u32)) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least}..{most}")
    }
}

/// Data types in alphabetical order: their order in a cell has no meaning.
fn format_types(types: &[impl AsRef<str>]) -> String {
    let mut types: Vec<&str> = types.iter().map(AsRef::as_ref).collect();
    types.sort_unstable();
    types.dedup();
    types.join(" ")
}

/// `1x1x3x4 FLOAT32 0 1 10 …`, or an attribute.
pub fn format_example_value(value: &ExampleValue) -> String {
    let tensor = |t: &ExampleTensor| {
        let sizes: Vec<String> = t.sizes.iter().map(ToString::to_string).collect();
        format!("{} {} {}", sizes.join("x"), t.data_type, t.data)
    };
    match value {
        ExampleValue::Tensor(t) => tensor(t),
        ExampleValue::Tensors(list) => list.iter().map(tensor).collect::<Vec<_>>().join("; "),
        ExampleValue::Attribute(text) => text.to_string(),
    }
}
