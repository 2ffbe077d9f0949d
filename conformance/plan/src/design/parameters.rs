//! The parameters of an operator and their values; most follow from its fields and tables.

use dml_spec::{
    model::{FieldKind, Operator, Parameter as Declaration, Role, Text},
    path::{Path, TensorPart},
    patterns::{LAYOUTS, NO_ALIAS},
};

use super::choice::{Choice, Parameter, RANKS, Sets, declared_values, derived_values, is_pattern, mentions};
use crate::{builder::Builder, layouts, recipe::Point};

/// Lengths of the long dimension: the borders of powers of two, where blocks of threads end.
const LENGTHS: [u32; 15] = [1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025];

/// The parameter that says which dimensions have one element: a list, with 1 for these.
const ONES: &str = "ones";

/// The length where nothing is computed: no block of threads ends anywhere.
const CREATED_LENGTH: &[u32] = &[2];

/// The number that says how many tensors an array has.
pub(super) const INPUTS: &str = "inputs";

/// Parameters that are no keys and no numbers.
const OWN: [&str; 7] = ["rank", "long", "length", ONES, "layout", "values", "alias"];

/// The greatest length of a dimension.
const LONGEST: u32 = 1 << 26;

/// Lengths that rows of their own have: they are paired with nothing.
const LARGE: [u32; 3] = [4097, 65_537, 1_100_003];

/// A parameter that means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub what: String,
}

/// A place in the case model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A parameter, and the place of one of its values if that is at fault.
    Parameter(String, Option<usize>),
    /// Values that are tried together, by their name.
    Together(String),
}

/// The parameters of an operator, in the order in which a row decides them.
///
/// # Errors
/// Every parameter and every value that means nothing.
pub fn parameters(builder: &Builder<'_>) -> Result<Vec<Parameter>, Vec<Mistake>> {
    let mut declared = Declared {
        builder,
        numbers: Vec::new(),
        mistakes: Vec::new(),
    };
    declared.check_names();
    declared.numbers = declared.numbers();
    let sizes = builder
        .recipe
        .keys
        .iter()
        .position(|(name, path)| is_sizes(path) && declared.given(name).is_none());
    let Keys {
        mut early,
        mut axes,
        mut late,
    } = declared.of_keys(sizes);
    let mut all = declared.numbers.clone();
    all.append(&mut early);
    if let Some(at) = sizes {
        all.extend(declared.of_sizes(at, &mut axes));
    }
    all.append(&mut axes);
    all.append(&mut late);
    all.extend(declared.of_cases());
    if declared.mistakes.is_empty() {
        Ok(all)
    } else {
        Err(declared.mistakes)
    }
}

/// Parameters of keys, by when they are decided.
#[derive(Default)]
struct Keys {
    /// Before the first sizes.
    early: Vec<Parameter>,
    /// When it is known how many dimensions those have.
    axes: Vec<Parameter>,
    /// After them.
    late: Vec<Parameter>,
}

/// What the specification declares.
struct Declared<'a> {
    builder: &'a Builder<'a>,
    numbers: Vec<Parameter>,
    mistakes: Vec<Mistake>,
}

impl<'a> Declared<'a> {
    fn given(&self, name: &str) -> Option<&'a [Text]> {
        let mut all = self.builder.operator.cases.parameters.iter();
        all.find(|of| of.name == name).map(|of| &*of.values)
    }

    fn is_key(&self, name: &str) -> bool {
        self.builder.recipe.keys.iter().any(|(key, _)| key == name)
    }

    fn mistake(&mut self, parameter: &str, value: Option<usize>, what: String) {
        self.mistakes.push(Mistake {
            place: Place::Parameter(parameter.to_owned(), value),
            what,
        });
    }

    /// Names that nothing asks for, and values of parameters that every operator has.
    fn check_names(&mut self) {
        let all = &self.builder.operator.cases.parameters;
        for of in all.iter() {
            if of.values.is_empty() {
                self.mistake(&of.name, None, format!("`{}` has no values", of.name));
            }
            let is_own = OWN.contains(&&*of.name);
            let mut texts = all.iter().flat_map(|other| other.values.iter());
            let is_asked = self.is_key(&of.name) || is_own || of.name == INPUTS;
            if !is_asked && !texts.any(|text| mentions(text, &of.name)) {
                let what = format!("`{}` is no key, and no expression mentions it", of.name);
                self.mistake(&of.name, None, what);
            }
            for (at, text) in of.values.iter().enumerate() {
                let is_number = text.parse::<i64>().is_ok();
                let is_size = text.parse::<u32>().is_ok_and(|number| number <= LONGEST);
                let what = match &*of.name {
                    "rank" | "long" | "length" if !is_size => format!("`{text}` is no number up to {LONGEST}"),
                    "layout" if !LAYOUTS.contains(&&**text) => format!("`{text}` is no layout"),
                    "values" if !is_pattern(text) => format!("`{text}` is no pattern of values"),
                    name if !self.is_key(name) && !is_own && !is_number => format!("`{text}` is no whole number"),
                    _ => continue,
                };
                self.mistake(&of.name, Some(at), what);
            }
        }
    }

    /// Numbers that expressions mention.
    fn numbers(&self) -> Vec<Parameter> {
        let all = self.builder.operator.cases.parameters.iter();
        let numbers = all.filter(|of| !self.is_key(&of.name) && !OWN.contains(&&*of.name));
        let parameter = |of: &Declaration| Parameter {
            name: of.name.to_string(),
            sets: Sets::Number,
            values: of.values.iter().map(|text| Choice::text(text.to_string())).collect(),
            is_bound: false,
        };
        numbers.map(parameter).collect()
    }

    /// The parameters of all keys but that of the first sizes.
    fn of_keys(&mut self, sizes: Option<usize>) -> Keys {
        let mut found = Keys::default();
        let (operator, keys) = (self.builder.operator, &self.builder.recipe.keys);
        for (at, (name, path)) in keys.iter().enumerate().filter(|(at, _)| Some(*at) != sizes) {
            let parameter = Parameter {
                name: name.clone(),
                sets: Sets::Key(at),
                values: self.values_of(name, path),
                is_bound: is_bound(operator, path),
            };
            let is_text = |point: &Point| matches!(point, Point::Text(_));
            let mut choices = parameter.values.iter();
            if is_axis(operator, path) || is_mentioned(operator, path, self.given(ONES)) {
                found.axes.push(parameter);
            } else if choices.all(|choice| choice.points.values().all(is_text)) {
                found.early.push(parameter);
            } else {
                found.late.push(parameter);
            }
        }
        // Sizes follow from attributes.
        let is_of_sizes =
            |sets: Sets| matches!(sets, Sets::Key(at) if keys.get(at).is_some_and(|key| is_sizes(&key.1)));
        found.late.sort_by_key(|parameter| is_of_sizes(parameter.sets));
        found
    }

    /// The values of a key: those declared, or those that its field has by its kind.
    fn values_of(&mut self, name: &str, path: &Path) -> Vec<Choice> {
        let values = match self.given(name) {
            None => derived_values(self.builder, path),
            Some(texts) => {
                let found = declared_values(self.builder, path, texts, &self.numbers);
                for (at, what) in found.mistakes {
                    self.mistake(name, Some(at), what);
                }
                found.values
            }
        };
        if values.is_empty() && self.given(name).is_none() {
            self.mistake(name, None, format!("the key `{name}` needs values"));
        }
        values
    }

    /// The parts of the first sizes, with the parameters that are decided between them.
    fn of_sizes(&mut self, key: usize, axes: &mut Vec<Parameter>) -> Vec<Parameter> {
        let ranks = ranks(self.builder, key);
        let most = ranks.iter().max().copied().unwrap_or_default();
        let mut all = vec![numeric("rank", Sets::Rank, self.given("rank"), ranks)];
        all.append(axes);
        let path = self.builder.recipe.keys.get(key).map(|(_, path)| path);
        if let (Some(_), Some(path)) = (self.given(ONES), path) {
            all.push(Parameter {
                name: ONES.to_owned(),
                sets: Sets::Ones,
                values: self.values_of(ONES, path),
                is_bound: false,
            });
        }
        // Values that are declared together may name lengths.
        let is_computed = self.builder.is_computed() || !self.builder.operator.cases.together.is_empty();
        let (usual, long) = if is_computed {
            (&LENGTHS[..], most)
        } else {
            (CREATED_LENGTH, 1)
        };
        all.push(numeric("long", Sets::Long, self.given("long"), 0..long));
        let mut lengths = numeric("length", Sets::Length, self.given("length"), usual.iter().copied());
        if self.given("length").is_none() && is_computed {
            let named = self
                .builder
                .operator
                .cases
                .together
                .iter()
                .flat_map(|of| of.values.iter());
            let named = named
                .filter(|(name, _)| name == "length")
                .filter_map(|(_, length)| length.parse().ok());
            let mut large: Vec<u32> = LARGE
                .into_iter()
                .chain(named.filter(|length| *length <= LONGEST))
                .collect();
            large.sort_unstable();
            large.dedup();
            let known: Vec<u32> = large.into_iter().filter(|length| !LENGTHS.contains(length)).collect();
            lengths.values.extend(known.into_iter().map(|length| Choice {
                alone: true,
                ..Choice::text(length.to_string())
            }));
        }
        all.push(lengths);
        all
    }

    /// Layouts, patterns of values and shared memory.
    fn of_cases(&self) -> [Parameter; 3] {
        let texts = |texts: &[Text]| texts.iter().map(ToString::to_string).collect();
        let usual = || vec![self.builder.recipe.values.to_owned()];
        // Where nothing runs nothing lies in place.
        let shared = self
            .builder
            .operator
            .shared_inputs()
            .filter(|_| self.builder.is_computed());
        let aliases = [NO_ALIAS].into_iter().chain(shared);
        let mut layouts = named("layout", Sets::Layout, layout_names(self.builder, self.given("layout")));
        if !self.builder.is_computed() {
            // How tensors lie is asked once: nothing reads or writes them.
            layouts.values.iter_mut().skip(1).for_each(|layout| layout.alone = true);
        }
        [
            layouts,
            named("values", Sets::Values, self.given("values").map_or_else(usual, texts)),
            named("alias", Sets::Alias, aliases.map(str::to_owned).collect()),
        ]
    }
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

fn numeric(name: &str, sets: Sets, given: Option<&[Text]>, derived: impl IntoIterator<Item = u32>) -> Parameter {
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
fn is_mentioned(operator: &Operator, path: &Path, texts: Option<&[Text]>) -> bool {
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

/// Layouts that can mean something for the operator's tensors.
fn layout_names(builder: &Builder<'_>, given: Option<&[Text]>) -> Vec<String> {
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
