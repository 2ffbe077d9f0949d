//! The parameters of an operator and their values; most follow from its fields and tables.

use std::collections::BTreeMap;

use dml_spec::{
    model::{FieldKind, List, Operator, Role, Text},
    path::{Path, TensorPart, constant_name},
    patterns::{INDICES, LAYOUTS, NO_ALIAS},
};

use crate::{
    builder::Builder,
    layouts,
    recipe::{Point, compile_point},
};

/// Lengths of the long dimension: the borders of powers of two, where blocks of threads end.
const LENGTHS: [u32; 15] = [1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025];

/// The parameter that says which dimensions have one element: a list, with 1 for these.
const ONES: &str = "ones";

/// Lengths that rows of their own have: they are paired with nothing.
const LARGE: [u32; 3] = [4097, 65_537, 1_100_003];

/// Ranks that a descriptor can have.
const RANKS: std::ops::RangeInclusive<u32> = 1..=8;

/// What a parameter decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sets {
    /// The value of the key at this place.
    Key(usize),
    /// The number of dimensions of the first sizes.
    Rank,
    /// Which of their dimensions have one element, whatever hash says.
    Ones,
    /// Which of their dimensions is the long one.
    Long,
    /// How long that is.
    Length,
    /// A number that expressions of other parameters mention.
    Number,
    /// How tensors lie in memory.
    Layout,
    /// The pattern of the data.
    Values,
    /// The input that an output shares memory with.
    Alias,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The key, or a word of its own.
    pub name: String,
    /// What it decides.
    pub sets: Sets,
    /// Its values.
    pub values: Vec<Choice>,
    /// It is a data type or an enumeration, which tables bind to one another: all of these are chosen together.
    pub is_bound: bool,
}

/// A value of a parameter.
#[derive(Clone, Debug)]
pub struct Choice {
    /// How the specification spells it; of ranges each number.
    pub label: String,
    /// What it comes to, by the numbers that its expression mentions.
    pub(super) points: BTreeMap<Vec<String>, Point>,
    /// It is covered once, and enters no pair: nothing is judged with it, or it is large.
    pub alone: bool,
}

impl Choice {
    fn of(label: impl Into<String>, point: Point) -> Self {
        Self {
            label: label.into(),
            points: BTreeMap::from([(Vec::new(), point)]),
            alone: false,
        }
    }

    fn text(label: impl Into<String>) -> Self {
        let label = label.into();
        Self::of(label.clone(), Point::Text(label))
    }
}

/// The parameters of an operator, in the order in which a row decides them.
///
/// # Errors
/// A message for each value that means nothing.
pub fn parameters(builder: &Builder<'_>) -> Result<Vec<Parameter>, Vec<String>> {
    let mut all = Vec::new();
    let mut errors = Vec::new();
    let declared = &builder.operator.cases.parameters;
    let given = |name: &str| declared.iter().find(|of| of.name == name).map(|of| &of.values);
    let keys = &builder.recipe.keys;
    let is_key = |name: &str| keys.iter().any(|(key, _)| key == name);
    let own = ["rank", "long", "length", ONES, "layout", "values", "alias"];
    for of in declared
        .iter()
        .filter(|of| !is_key(&of.name) && !own.contains(&&*of.name))
    {
        all.push(Parameter {
            name: of.name.to_string(),
            sets: Sets::Number,
            values: of.values.iter().map(|text| Choice::text(text.to_string())).collect(),
            is_bound: false,
        });
    }
    let numbers = all.clone();
    let sizes = keys
        .iter()
        .position(|(name, path)| is_sizes(path) && given(name).is_none());
    let (mut early, mut axes, mut late) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (name, path)) in keys.iter().enumerate() {
        if Some(at) == sizes {
            continue;
        }
        let values = match given(name) {
            Some(texts) => match declared_values(builder, path, texts, &numbers) {
                Ok(values) => values,
                Err(error) => {
                    errors.push(format!("{}: {name}: {error}", builder.operator.name));
                    continue;
                }
            },
            None => derived_values(builder, path),
        };
        if values.is_empty() {
            errors.push(format!("{}: the key `{name}` has no values", builder.operator.name));
        }
        let parameter = Parameter {
            name: name.clone(),
            sets: Sets::Key(at),
            values,
            is_bound: is_bound(builder.operator, path),
        };
        let texts_alone = parameter.values.iter().all(|choice| {
            let is_text = |point: &Point| matches!(point, Point::Text(_));
            choice.points.values().all(is_text)
        });
        if is_axis(builder.operator, path) || is_mentioned(builder.operator, path, given(ONES)) {
            axes.push(parameter);
        } else if texts_alone {
            early.push(parameter);
        } else {
            late.push(parameter);
        }
    }
    all.append(&mut early);
    if let Some(at) = sizes {
        let ranks = ranks(builder, at);
        let most = ranks.iter().max().copied().unwrap_or_default();
        all.push(numeric("rank", Sets::Rank, given("rank"), ranks));
        all.append(&mut axes);
        if let Some(texts) = given(ONES) {
            let path = keys.get(at).map(|(_, path)| path);
            match path.map(|path| declared_values(builder, path, texts, &numbers)) {
                Some(Ok(values)) => all.push(Parameter {
                    name: ONES.to_owned(),
                    sets: Sets::Ones,
                    values,
                    is_bound: false,
                }),
                Some(Err(error)) => errors.push(format!("{}: {ONES}: {error}", builder.operator.name)),
                None => {}
            }
        }
        all.push(numeric("long", Sets::Long, given("long"), 0..most));
        let mut lengths = numeric("length", Sets::Length, given("length"), LENGTHS);
        let large = LARGE.iter().filter(|_| given("length").is_none());
        lengths.values.extend(large.map(|length| Choice {
            alone: true,
            ..Choice::text(length.to_string())
        }));
        all.push(lengths);
    }
    all.append(&mut axes);
    // Sizes follow from attributes.
    late.sort_by_key(
        |parameter| matches!(parameter.sets, Sets::Key(at) if keys.get(at).is_some_and(|(_, path)| is_sizes(path))),
    );
    all.append(&mut late);
    all.push(named("layout", Sets::Layout, layout_names(builder, given("layout"))));
    let values = given("values").map(|texts| texts.iter().map(ToString::to_string).collect());
    all.push(named(
        "values",
        Sets::Values,
        values.unwrap_or_else(|| vec![builder.recipe.values.to_owned()]),
    ));
    let aliases = [NO_ALIAS].into_iter().chain(builder.operator.shared_inputs());
    all.push(named("alias", Sets::Alias, aliases.map(str::to_owned).collect()));
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

/// A parameter whose values are names.
fn named(name: &str, sets: Sets, names: Vec<String>) -> Parameter {
    let is_alone = |name: &str| name.starts_with("nan") || name == "overlapping-output";
    let choice = |name: String| Choice {
        alone: is_alone(&name),
        ..Choice::text(name)
    };
    Parameter {
        name: name.to_owned(),
        sets,
        values: names.into_iter().map(choice).collect(),
        is_bound: false,
    }
}

fn numeric(name: &str, sets: Sets, given: Option<&List<Text>>, derived: impl IntoIterator<Item = u32>) -> Parameter {
    let texts: Vec<String> = match given {
        Some(texts) => texts.iter().map(ToString::to_string).collect(),
        None => derived.into_iter().map(|number| number.to_string()).collect(),
    };
    Parameter {
        name: name.to_owned(),
        sets,
        values: texts.into_iter().map(Choice::text).collect(),
        is_bound: false,
    }
}

fn is_sizes(path: &Path) -> bool {
    matches!(path, Path::Tensor(_, _, TensorPart::Sizes) | Path::ManySizes(_))
}

/// Whether tables may bind a key to others: a data type or an enumeration.
fn is_bound(operator: &Operator, path: &Path) -> bool {
    let is_enum = |field: usize| matches!(operator.fields.get(field).map(|of| &of.kind), Some(FieldKind::Enum(_)));
    path.is_data_type() || matches!(path, Path::Attribute(field) if is_enum(*field))
}

/// Whether value patterns run along the dimension that a key names: it is decided before the sizes.
fn is_axis(operator: &Operator, path: &Path) -> bool {
    let Path::Attribute(field) = path else { return false };
    let name = operator.fields.get(*field).map_or("", |field| &field.name);
    let of_lanes = operator
        .cases
        .lanes
        .as_ref()
        .is_some_and(|lanes| lanes.axis.contains(name));
    of_lanes || name == "Axis"
}

/// Whether texts mention the field of a key.
fn is_mentioned(operator: &Operator, path: &Path, texts: Option<&List<Text>>) -> bool {
    let Path::Attribute(field) = path else { return false };
    let name = operator.fields.get(*field).map_or("", |field| &field.name);
    texts.is_some_and(|texts| texts.iter().any(|text| text.contains(name)))
}

/// The dimension counts that some table allows a tensor.
fn ranks(builder: &Builder<'_>, key: usize) -> Vec<u32> {
    let field = builder.recipe.keys.get(key).map_or(0, |(_, path)| path.field());
    let tensor = builder.operator.fields.get(field).map_or("", |field| &field.name);
    let rows = || builder.operator.support.iter().flat_map(|table| table.rows_of(tensor));
    RANKS
        .filter(|rank| rows().any(|row| (row.dimensions.0..=row.dimensions.1).contains(rank)))
        .collect()
}

/// The values of a key that its field has by its kind; none if it has to be declared.
fn derived_values(builder: &Builder<'_>, path: &Path) -> Vec<Choice> {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let Some(field) = operator.fields.get(path.field()) else {
        return Vec::new();
    };
    match path {
        Path::Data(_) => INDICES.iter().map(|name| Choice::text(*name)).collect(),
        path if path.is_data_type() => {
            let rows = || operator.support.iter().flat_map(|table| table.rows_of(&field.name));
            let allowed = |name: &str| rows().any(|row| row.types.iter().any(|ty| ty == name));
            let types = catalog.data_types.iter().filter(|ty| allowed(&ty.name));
            types.map(|ty| Choice::text(ty.name.to_string())).collect()
        }
        Path::Attribute(_) => match &field.kind {
            FieldKind::Enum(name) => {
                let members = catalog.enumeration(name).map(|of| of.members.iter());
                let names = members.into_iter().flatten();
                names
                    .map(|of| Choice::text(constant_name(catalog, name, of.value)))
                    .collect()
            }
            FieldKind::Bool => ["0", "1"].map(Choice::text).to_vec(),
            FieldKind::Operator => {
                let nested = operator.cases.nested.iter().map(|nested| nested.name.to_string());
                nested.chain(["null".to_owned()]).map(Choice::text).collect()
            }
            _ => Vec::new(),
        },
        Path::Tensor(_, _, _) => Vec::new(),
        _ => Vec::new(),
    }
}

/// The values that the specification declares, each with every value of the numbers that it mentions.
fn declared_values(
    builder: &Builder<'_>,
    path: &Path,
    texts: &[Text],
    numbers: &[Parameter],
) -> Result<Vec<Choice>, String> {
    let (catalog, operator) = (&builder.suite.catalog, builder.operator);
    let mut all = Vec::new();
    for text in texts {
        let mut points = BTreeMap::new();
        for (values, spelled) in with_numbers(text, numbers) {
            points.insert(values, compile_point(catalog, operator, path, &spelled)?);
        }
        let is_range = points.values().any(|point| matches!(point, Point::Range(..)));
        if is_range {
            // Each number is a value of its own.
            all.extend((0..*RANKS.end()).map(|number| Choice {
                label: number.to_string(),
                points: points.clone(),
                alone: false,
            }));
        } else {
            all.push(Choice {
                label: text.to_string(),
                points,
                alone: false,
            });
        }
    }
    Ok(all)
}

/// A text with each combination of values in place of the numbers that it mentions; with the values of all numbers, empty
/// for those that it does not mention.
fn with_numbers(text: &str, numbers: &[Parameter]) -> Vec<(Vec<String>, String)> {
    let mut all = vec![(Vec::new(), text.to_owned())];
    for number in numbers {
        let mut next = Vec::new();
        for (values, text) in all {
            if !mentions(&text, &number.name) {
                next.push(([values, vec![String::new()]].concat(), text));
                continue;
            }
            for value in &number.values {
                let values = [values.clone(), vec![value.label.clone()]].concat();
                next.push((values, replaced(&text, &number.name, &value.label)));
            }
        }
        all = next;
    }
    all
}

fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        found.push(word);
        rest = after;
    }
    found
}

fn mentions(text: &str, name: &str) -> bool {
    words(text).contains(&name)
}

fn replaced(text: &str, name: &str, value: &str) -> String {
    words(text)
        .into_iter()
        .map(|word| if word == name { value } else { word })
        .collect()
}

/// Layouts that can mean something for the operator's tensors.
fn layout_names(builder: &Builder<'_>, given: Option<&List<Text>>) -> Vec<String> {
    if let Some(texts) = given {
        return texts.iter().map(ToString::to_string).collect();
    }
    let count = |role: Role| {
        let of_role = builder
            .operator
            .fields
            .iter()
            .filter(|field| field.kind.role() == Some(role));
        let many = |field: &&dml_spec::model::Field| matches!(field.kind, FieldKind::Tensors(..));
        of_role.clone().count() + of_role.filter(many).count()
    };
    let means = |name: &&&str| match **name {
        "mixed-inputs" | "broadcast-second" => count(Role::Input) > 1,
        "mixed-outputs" => count(Role::Output) > 1,
        _ => true,
    };
    debug_assert_eq!(LAYOUTS.first(), Some(&layouts::DEFAULT));
    LAYOUTS.iter().filter(means).map(|name| (*name).to_owned()).collect()
}
