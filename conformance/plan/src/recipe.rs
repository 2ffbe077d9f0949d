//! An operator's case model, compiled: keys to paths, expressions to rules, points to what they stand for.

use dml_spec::{
    Catalog,
    model::{FieldKind, Operator, is_literal_list, range},
    patterns::{NUMBERS, VALUES},
    program::Program,
    rule::typed::{Node, Op, Type},
};

use dml_spec::path::{self, Path, TensorPart, dims};

/// Keys that every operator has, behind its own.
pub const COMMON_KEYS: [&str; 4] = ["layout", "values", "alias", "seed"];
/// Key of cases that are examples of the page.
pub const EXAMPLE_KEY: &str = "example";

/// The compiled case model of one operator.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Keys and what they set, in canonical order.
    pub keys: Vec<(String, Path)>,
    /// What follows from the keys.
    pub derive: Vec<(Path, Node)>,
    /// Axis and K of the value patterns.
    pub lanes: Option<(Node, Node)>,
    /// The pattern of values that ids leave out.
    pub values: &'static str,
    /// Inputs (fields) that hold indices, and how many there are.
    pub bounds: Vec<(usize, Node)>,
}

/// One or more values of a key.
#[derive(Clone, Debug)]
pub enum Point {
    /// A value as ids spell it.
    Text(String),
    /// The value of an expression.
    Value(Node),
    /// From, to (exclusive).
    Range(Node, Node),
    /// The list that an expression makes.
    List(Node),
}

impl Recipe {
    /// Compiles the case model; the messages say which part is wrong and why.
    ///
    /// # Errors
    /// One message a mistake.
    pub fn compile(catalog: &Catalog, operator: &Operator) -> Result<Self, Vec<String>> {
        let mut errors = Vec::new();
        let mut keep =
            |result: Result<_, String>| result.map_err(|e| errors.push(format!("{}: {e}", operator.name))).ok();
        let model = &operator.cases;
        let mut keys = Vec::new();
        for key in model.keys.iter() {
            let path = Path::parse(operator, &key.sets).map_err(|e| format!("key {}: {e}", key.name));
            keys.extend(keep(path.map(|path| (key.name.to_string(), path))));
        }
        let mut keep =
            |result: Result<_, String>| result.map_err(|e| errors.push(format!("{}: {e}", operator.name))).ok();
        let mut derive = Vec::new();
        for (path, expression) in model.derive.iter() {
            let pair = Path::parse(operator, path).and_then(|path| {
                let value = compile_derived(catalog, operator, &path, expression)?;
                Ok((path, value))
            });
            derive.extend(keep(pair.map_err(|e| format!("derive {path}: {e}"))));
        }
        let lanes = model.lanes.as_ref().map(|lanes| {
            let axis = compile_expression(catalog, operator, &lanes.axis)?;
            Ok::<_, String>((axis, compile_expression(catalog, operator, &lanes.k)?))
        });
        let lanes = lanes
            .transpose()
            .map_err(|e| errors.push(format!("{}: lanes: {e}", operator.name)))
            .ok()
            .flatten();
        let mut bounds = Vec::new();
        for (input, expression) in model.bounds.iter() {
            match operator
                .field_index(input)
                .zip(compile_expression(catalog, operator, expression).ok())
            {
                Some(bound) => bounds.push(bound),
                None => errors.push(format!(
                    "{}: bounds of {input}: `{expression}` means nothing",
                    operator.name
                )),
            }
        }
        for nested in model.nested.iter() {
            let made = path::nested(catalog, operator, &nested.name);
            errors.extend(
                made.err()
                    .map(|e| format!("{}: nested {}: {e}", operator.name, nested.name)),
            );
        }
        let values = default_values(operator);
        if errors.is_empty() {
            Ok(Self {
                keys,
                derive,
                lanes,
                values,
                bounds,
            })
        } else {
            Err(errors)
        }
    }

    /// Index of the key that names a case's data type: the first that sets one.
    pub fn type_key(&self) -> Option<usize> {
        self.keys.iter().position(|(_, path)| path.is_data_type())
    }
}

/// The pattern of values that ids of an operator leave out.
fn default_values(operator: &Operator) -> &'static str {
    let mut names = VALUES.into_iter().chain(NUMBERS);
    let own = names.find(|name| *name == operator.cases.values);
    own.unwrap_or(crate::values::DEFAULT)
}

/// Compiles what a path follows from; for a data type its name does as well.
fn compile_derived(catalog: &Catalog, operator: &Operator, path: &Path, text: &str) -> Result<Node, String> {
    let named = catalog.data_type_named(text).filter(|_| path.is_data_type());
    if let Some(ty) = named {
        return Ok(Node {
            ty: Type::DataType,
            span: 0..text.len(),
            op: Op::Int(ty.value.into()),
        });
    }
    compile_expression(catalog, operator, text)
}

fn compile_expression(catalog: &Catalog, operator: &Operator, text: &str) -> Result<Node, String> {
    Program::expression(catalog, operator, text).map_err(|e| format!("`{text}`: {}", e.message))
}

/// Compiles a point of a key; sizes may be an expression too.
pub(super) fn compile_point(catalog: &Catalog, operator: &Operator, path: &Path, text: &str) -> Result<Point, String> {
    let is_list = match path {
        Path::Tensor(_, _, TensorPart::Sizes) => true,
        Path::Attribute(field) => matches!(operator.fields.get(*field).map(|of| &of.kind), Some(FieldKind::Ints(_))),
        _ => false,
    };
    if is_list && !is_literal_list(text) {
        return compile_expression(catalog, operator, text).map(Point::List);
    }
    point(catalog, operator, path, text)
}

fn point(catalog: &Catalog, operator: &Operator, path: &Path, text: &str) -> Result<Point, String> {
    match path {
        path if path.is_data_type() => match catalog.data_type_named(text) {
            Some(_) => Ok(Point::Text(text.to_owned())),
            None => Err(format!("`{text}` is no data type")),
        },
        Path::Tensor(_, _, TensorPart::Sizes) => dims(text).map(|_| Point::Text(text.to_owned())),
        Path::Attribute(field) => match operator.fields.get(*field).map(|of| &of.kind) {
            Some(FieldKind::UInt | FieldKind::Int) => match range(text) {
                Some((from, to)) => Ok(Point::Range(
                    compile_expression(catalog, operator, from)?,
                    compile_expression(catalog, operator, to)?,
                )),
                None => compile_expression(catalog, operator, text).map(Point::Value),
            },
            Some(FieldKind::UInts(_)) if !is_literal_list(text) => {
                compile_expression(catalog, operator, text).map(Point::List)
            }
            _ => Ok(Point::Text(text.to_owned())),
        },
        _ => Ok(Point::Text(text.to_owned())),
    }
}

/// Whether a path sets sizes: the key whose value faults lengthen and shorten.
pub fn sets_sizes(path: &Path) -> bool {
    matches!(path, Path::Tensor(_, _, TensorPart::Sizes) | Path::ManySizes(_))
}
