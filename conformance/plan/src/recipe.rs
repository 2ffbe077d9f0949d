//! An operator's case model, compiled: keys to paths, expressions to rules, points to what they stand for.

use dml_spec::{
    Catalog,
    model::{FieldKind, Generator, Operator, Sweep, Tier, is_literal_list, range, subsets},
    patterns::{NUMBERS, VALUES, all_layouts},
    program::Program,
    rule::typed::Node,
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
    /// Families in order.
    pub families: Vec<Family>,
}

/// A compiled family.
#[derive(Clone, Debug)]
pub struct Family {
    /// How its cases are generated.
    pub generator: Generator,
    /// Its sweeps, lowest tier first.
    pub sweeps: Vec<CompiledSweep>,
}

impl Family {
    /// Whether an output of every case lies in the place of an input.
    pub fn shares_memory(&self) -> bool {
        let shares = |sweep: &CompiledSweep| sweep.aliases.iter().all(|alias| alias != crate::aliases::DEFAULT);
        !self.sweeps.is_empty() && self.sweeps.iter().all(shares)
    }
}

/// A compiled sweep.
#[derive(Clone, Debug)]
pub struct CompiledSweep {
    /// Its place among the sweeps of the family as written, from 0.
    pub place: usize,
    /// Lowest tier that holds its cases.
    pub tier: Tier,
    /// Starting point of faults.
    pub base: bool,
    /// Disputed clauses its cases may break.
    pub allow: Vec<String>,
    /// Condition on the descriptor.
    pub only: Option<Node>,
    /// Points of every key of the operator, in canonical order.
    pub points: Vec<Vec<Point>>,
    /// Layout names.
    pub layouts: Vec<String>,
    /// Value pattern names.
    pub values: Vec<String>,
    /// Inputs whose memory an output shares.
    pub aliases: Vec<String>,
}

/// One or more values of a key.
#[derive(Clone, Debug)]
pub enum Point {
    /// A value as ids spell it.
    Text(String),
    /// Every data type the table allows.
    AllTypes,
    /// Every member of an enumeration.
    AllMembers(String),
    /// All sizes of up to this many dimensions, each up to this large.
    Shapes(u32, u32),
    /// The value of an expression.
    Value(Node),
    /// From, to (exclusive).
    Range(Node, Node),
    /// The list that an expression makes.
    List(Node),
    /// Every ascending list of some of the numbers below the value of an expression.
    Subsets(Node),
    /// False and true.
    AllBools,
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
            let pair = Path::parse(operator, path)
                .and_then(|path| Ok((path, compile_expression(catalog, operator, expression)?)));
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
        let mut families = Vec::new();
        for family in model.families.iter() {
            let mut sweeps = Vec::new();
            for (place, sweep) in family.sweeps.iter().enumerate() {
                match compile_sweep(catalog, operator, &keys, sweep) {
                    Ok(sweep) => sweeps.push(CompiledSweep { place, ..sweep }),
                    Err(e) => errors.push(format!("{}: family {}: {e}", operator.name, family.name)),
                }
            }
            sweeps.sort_by_key(|sweep| sweep.tier);
            families.push(Family {
                generator: family.generator,
                sweeps,
            });
        }
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
                families,
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

fn compile_expression(catalog: &Catalog, operator: &Operator, text: &str) -> Result<Node, String> {
    Program::expression(catalog, operator, text).map_err(|e| format!("`{text}`: {}", e.message))
}

fn compile_sweep(
    catalog: &Catalog,
    operator: &Operator,
    keys: &[(String, Path)],
    sweep: &Sweep,
) -> Result<CompiledSweep, String> {
    let given = |name: &str| {
        sweep
            .points
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, points)| points)
    };
    if let Some((key, _)) = sweep
        .points
        .iter()
        .find(|(key, _)| !keys.iter().any(|(name, _)| name == key) && !COMMON_KEYS.contains(&key.as_ref()))
    {
        return Err(format!("`{key}` is no key"));
    }
    let mut points = Vec::new();
    for (name, path) in keys {
        let texts = given(name).ok_or_else(|| format!("a sweep lacks the key `{name}`"))?;
        let compiled = texts.iter().map(|text| point(catalog, operator, path, text));
        points.push(compiled.collect::<Result<Vec<_>, _>>()?);
    }
    // That the names are known was seen to where the specification was read.
    let named = |key: &str, default: &str, all: &[&str]| -> Vec<String> {
        match given(key) {
            None => vec![default.to_owned()],
            Some(texts) if texts.iter().any(|t| t == "all") => all.iter().map(|n| (*n).to_owned()).collect(),
            Some(texts) => texts.iter().map(ToString::to_string).collect(),
        }
    };
    Ok(CompiledSweep {
        place: 0,
        tier: sweep.tier,
        base: sweep.base,
        allow: sweep.allow.iter().map(ToString::to_string).collect(),
        only: sweep
            .only
            .as_ref()
            .map(|text| compile_expression(catalog, operator, text))
            .transpose()?,
        points,
        layouts: named("layout", crate::layouts::DEFAULT, all_layouts()),
        values: named("values", default_values(operator), &VALUES),
        aliases: named(
            "alias",
            crate::aliases::DEFAULT,
            &operator.shared_inputs().collect::<Vec<_>>(),
        ),
    })
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
        path if path.is_data_type() && text == "all" => Ok(Point::AllTypes),
        path if path.is_data_type() => match catalog.data_type_named(text) {
            Some(_) => Ok(Point::Text(text.to_owned())),
            None => Err(format!("`{text}` is no data type")),
        },
        Path::Tensor(_, _, TensorPart::Sizes) => match shapes(text) {
            Some((rank, size)) => Ok(Point::Shapes(rank, size)),
            None => dims(text).map(|_| Point::Text(text.to_owned())),
        },
        Path::Attribute(field) => match &operator.fields[*field].kind {
            FieldKind::Enum(name) if text == "all" => Ok(Point::AllMembers(name.to_string())),
            FieldKind::Enum(_) => Ok(Point::Text(text.to_owned())),
            FieldKind::UInt | FieldKind::Int => match range(text) {
                Some((from, to)) => Ok(Point::Range(
                    compile_expression(catalog, operator, from)?,
                    compile_expression(catalog, operator, to)?,
                )),
                None => compile_expression(catalog, operator, text).map(Point::Value),
            },
            FieldKind::UInts(_) => match subsets(text) {
                Some(of) => compile_expression(catalog, operator, of).map(Point::Subsets),
                None if is_literal_list(text) => Ok(Point::Text(text.to_owned())),
                None => compile_expression(catalog, operator, text).map(Point::List),
            },
            FieldKind::Bool if text == "all" => Ok(Point::AllBools),
            _ => Ok(Point::Text(text.to_owned())),
        },
        _ => Ok(Point::Text(text.to_owned())),
    }
}

/// `up-to-5-D-of-4`: all sizes of at most five dimensions of at most four elements each.
fn shapes(text: &str) -> Option<(u32, u32)> {
    let (rank, size) = text.strip_prefix("up-to-")?.split_once("-D-of-")?;
    let pair: (u32, u32) = (rank.parse().ok()?, size.parse().ok()?);
    (pair.0 <= 8 && pair.1 <= 16).then_some(pair)
}
