//! Single facts, by which two pages, a page and a specification, or two specifications are compared.

use std::{collections::BTreeMap, fmt};

use dml_spec::{
    FeatureLevel,
    model::{Catalog, ExampleTensor, ExampleValue, FieldKind, Operator, Role},
};

use super::{
    groups,
    page::{At, Page, Shape},
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
    SharedProperty {
        /// Tensors in alphabetical order, joined by `, `.
        tensors: String,
        /// The property.
        property: &'static str,
    },
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
            Self::SharedProperty { tensors, property } => write!(f, "same {property} of {tensors}"),
            Self::Example { number, field } => write!(f, "example {number} {field}"),
        }
    }
}

/// A fact's value and its place on a page; facts of a specification have no place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// One line: `1..8`, `FLOAT32 FLOAT16`, `optional input`.
    pub value: String,
    /// Its place.
    pub at: Option<At>,
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
    let mut add = |key: Key, value: String, at: &At| {
        let at = Some(at.clone());
        facts.push((key, Fact { value, at }));
    };
    if let Some(level) = &page.introduced {
        add(Key::Introduced, level.value.to_string(), &level.at);
    }
    if let Some(first) = page.fields.first() {
        let names: Vec<&str> = page.fields.iter().map(|f| f.value.name.as_str()).collect();
        add(Key::Order, names.join(" "), &first.at);
    }
    for field in &page.fields {
        add(
            Key::Field(field.value.name.clone()),
            format_kind(&field.value.kind, field.value.optional),
            &field.at,
        );
    }
    for table in &page.tables {
        let Some(level) = table.value.level.or(page.introduced.as_ref().map(|l| l.value)) else {
            continue;
        };
        for row in &table.value.rows {
            let at = At {
                line: row.line,
                column: 1,
                ..table.at.clone()
            };
            let key = |column| Key::Cell {
                functions: table.value.functions.join("+"),
                level,
                tensor: row.tensor.clone(),
                column,
            };
            if let Some(kind) = &row.kind {
                add(
                    key(Column::Kind),
                    format_row_kind(kind.output, kind.array).to_owned(),
                    &at,
                );
            }
            if let Some(counts) = row.dimensions {
                add(key(Column::Dimensions), format_dimensions(counts), &at);
            }
            let types: Vec<&str> = row.types.iter().map(String::as_str).collect();
            add(key(Column::Types), self::format_types(types), &at);
            if let Some(shape) = &row.shape {
                add(key(Column::Shape), self::format_shape(shape), &at);
            }
        }
    }
    for same in &page.constraints {
        let tensors = same.value.tensors.join(", ");
        let property = same.value.property.name();
        add(
            Key::SharedProperty { tensors, property },
            "must be the same".to_owned(),
            &same.at,
        );
    }
    for (index, example) in page.examples.iter().enumerate() {
        for (field, value) in &example.value.values {
            let key = Key::Example {
                number: index + 1,
                field: field.clone(),
            };
            add(key, format_example_value(value), &example.at);
        }
    }
    facts
}

/// The facts of an operator that pages could state. Levels at which a group of tables repeats the one before are left
/// out, and so are names of dimensions.
pub fn collect_operator_facts(catalog: &Catalog, operator: &Operator) -> Facts {
    let mut facts = Facts::new();
    let mut add = |key, value| facts.insert(key, Fact { value, at: None });
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
        let key = |column| Key::Cell {
            functions: functions.join("+"),
            level,
            tensor: row.tensor.to_string(),
            column,
        };
        let field = operator.fields.iter().find(|field| field.name == row.tensor);
        if let Some((role, is_array)) = field.and_then(|field| Some((field.kind.role()?, is_array(&field.kind)))) {
            add(
                key(Column::Kind),
                format_row_kind(role == Role::Output, is_array).to_owned(),
            );
        }
        add(key(Column::Dimensions), format_dimensions(row.dimensions));
        add(
            key(Column::Types),
            format_types(row.types.iter().map(AsRef::as_ref).collect()),
        );
        if !row.shape.is_empty() {
            add(key(Column::Shape), row.shape.to_string());
        }
    }
    for class in shared_properties::find_classes(operator) {
        let (tensors, property) = (class.tensors.join(", "), class.property.name());
        add(Key::SharedProperty { tensors, property }, "must be the same".to_owned());
    }
    for (example, number) in operator.examples.iter().zip(number_examples(operator)) {
        for (field, value) in example.values.iter() {
            let key = Key::Example {
                number,
                field: field.to_string(),
            };
            add(key, format_example_value(value));
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

fn is_array(kind: &FieldKind) -> bool {
    matches!(kind, FieldKind::Tensors(..))
}

/// The kind column without what the field's declaration says as well: whether it may be absent.
fn format_row_kind(is_output: bool, is_array: bool) -> &'static str {
    match (is_output, is_array) {
        (false, false) => "input",
        (false, true) => "input array",
        (true, false) => "output",
        (true, true) => "output array",
    }
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
fn format_types(mut types: Vec<&str>) -> String {
    types.sort_unstable();
    types.dedup();
    types.join(" ")
}

/// The Dimensions column as written.
pub fn format_shape(shape: &Shape) -> String {
    match shape {
        Shape::Whole(name) => format!("{{ {name}[] }}"),
        Shape::Dimensions(list) => {
            let each = list.iter().map(|(name, may_drop)| match may_drop {
                true => format!("[{name}]"),
                false => name.clone(),
            });
            format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
        }
    }
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
