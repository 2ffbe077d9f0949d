//! The case model of a new file: a key for everything that a descriptor can be given, and what follows from the keys.

use dml_case::id::MAX_LENGTH;
use dml_spec::model::{DATA_TYPE, FieldKind};
use dml_spec_yaml::tree::splice::quote;

use super::{
    page::{Comparison, ComputedSize, LOOP, Limit, Page, PageField, Property},
    shapes::{Chosen, Sizes},
    yaml_items::kebab,
};

/// About as many characters as ids have for a data type, for sizes and for other values, and besides the keys.
const TYPE: usize = 7;
const SIZES: usize = 12;
const VALUE: usize = 5;
const BESIDES: usize = 50;

/// Lines of a mapping, in order.
type Lines = Vec<(String, String)>;

/// The keys, what follows from them, and values that no kind of field gives by itself.
#[derive(Default)]
struct Model {
    keys: Lines,
    derive: Lines,
    parameters: Lines,
}

/// Writes `cases` for the fields of a page. Tensors that the page says have a property in common share a key; the sizes of
/// the others start as those of the first, to be mended by hand where the operator wants others.
pub(super) fn write_cases(page: &Page) -> String {
    let fields: Vec<&PageField> = page.fields.iter().map(|field| &field.value).collect();
    let mut model = Model::default();
    let mut tensors: Vec<&PageField> = fields.iter().copied().filter(|f| f.kind.role().is_some()).collect();
    // Nothing can follow from a tensor that may be absent, so that those come last, and only a key says how many tensors an
    // array has.
    tensors.sort_by_key(|tensor| (tensor.optional, !matches!(tensor.kind, FieldKind::Tensors(..))));
    if tensors
        .first()
        .is_some_and(|first| matches!(first.kind, FieldKind::Tensors(..)))
    {
        model.parameters.push(("inputs".to_owned(), "[1, 2]".to_owned()));
    }
    for property in [Property::DataType, Property::Sizes] {
        model.add_tensors(page, &tensors, property);
    }
    for field in &tensors {
        match &field.kind {
            FieldKind::Tensors(_, count) => model.derive(count, format!("count({})", field.name)),
            _ if field.optional => model.key(&kebab(&field.name), &field.name, Some("[given, \"null\"]".to_owned())),
            _ => {}
        }
    }
    for field in fields.iter().filter(|field| field.kind.role().is_none()) {
        model.add_attribute(page, &fields, field, tensors.first().copied());
    }
    model.shorten(page.operator.len());
    model.write()
}

impl Model {
    fn key(&mut self, name: &str, sets: &str, values: Option<String>) {
        let is_taken = self.keys.iter().any(|(taken, _)| taken == name);
        let name = if is_taken {
            format!("{name}-attribute")
        } else {
            name.to_owned()
        };
        self.parameters.extend(values.map(|values| (name.clone(), values)));
        self.keys.push((name, sets.to_owned()));
    }

    fn derive(&mut self, what: &str, from: String) {
        self.derive.push((what.to_owned(), from));
    }

    /// One property of all tensors: a key for the first of those that have it in common.
    fn add_tensors(&mut self, page: &Page, tensors: &[&PageField], property: Property) {
        let short = match property {
            Property::DataType => "type",
            _ => "sizes",
        };
        let Some((first, rest)) = tensors.split_first() else {
            return;
        };
        let mut chosen = Chosen::default();
        let sizes = |chosen: &mut Chosen, tensor: &PageField, rank: Option<&str>| {
            let is_sizes = property == Property::Sizes;
            is_sizes.then(|| chosen.choose(page, tensor, rank)).flatten()
        };
        let values = sizes(&mut chosen, first, None).map(|sizes| self.add_numbers(sizes));
        self.key(short, &format!("{}.{}", first.name, property.name()), values);
        let rank = spell(first, Property::DimensionCount.name());
        for (at, tensor) in rest.iter().enumerate() {
            let path = format!("{}.{}", tensor.name, property.name());
            // What may be absent follows from what is there, be it before or after.
            let known = if tensor.optional { tensors.len() } else { at + 1 };
            let mut known = tensors.iter().take(known).filter(|known| !known.optional);
            let same = known.find(|known| page.shares(property, &known.name, &tensor.name));
            match (same, property) {
                (Some(same), _) => self.derive(&path, spell(same, property.name())),
                // Of a tensor that may be absent no key can set a part; one type needs no key.
                (None, Property::DataType) if !tensor.optional && !has_one_type(page, tensor) => {
                    self.key(&format!("{}-{short}", kebab(&tensor.name)), &path, None);
                }
                (None, Property::DataType) => self.derive(&path, choose_type(page, tensor, first, tensors)),
                (None, _) if let Some(listed) = sizes(&mut chosen, tensor, Some(&rank)) => {
                    self.add_sizes(tensor, &path, listed);
                }
                (None, _) if let Some(computed) = compute_sizes(page, &tensor.name, &rank) => {
                    self.derive(&path, computed);
                }
                (None, _) => self.derive(&path, spell(first, property.name())),
            }
        }
    }

    /// Sizes that the page lists: a key if they are not all those of other tensors, and if there are several lists.
    fn add_sizes(&mut self, tensor: &PageField, path: &str, sizes: Sizes) {
        match sizes.values.last() {
            // Of a tensor that may be absent no key can set a part.
            Some(last) if tensor.optional || (sizes.numbers.is_empty() && sizes.values.len() == 1) => {
                let last = last.clone();
                self.derive(path, last);
            }
            _ => {
                let name = format!("{}-sizes", kebab(&tensor.name));
                let values = self.add_numbers(sizes);
                self.key(&name, path, Some(values));
            }
        }
    }

    /// Adds the numbers that sizes mention, and writes their values.
    fn add_numbers(&mut self, sizes: Sizes) -> String {
        for number in sizes.numbers {
            if !self.parameters.iter().any(|(known, _)| *known == number) {
                self.parameters.push((number, "[1, 2, 3]".to_owned()));
            }
        }
        let values: Vec<String> = sizes.values.iter().map(|value| quote(value)).collect();
        format!("[{}]", values.join(", "))
    }

    fn add_attribute(&mut self, page: &Page, fields: &[&PageField], field: &PageField, first: Option<&PageField>) {
        let name = &field.name;
        if matches!(&field.kind, FieldKind::Enum(of) if of == DATA_TYPE)
            && let Some(first) = first
        {
            return self.derive(name, spell(first, Property::DataType.name()));
        }
        let rank = first.map(|first| spell(first, Property::DimensionCount.name()));
        let rank = rank.as_deref();
        if let Some(list) = fields.iter().find(|list| list.is_counted_by(name)) {
            let is_numbers = !matches!(list.kind, FieldKind::Operators(_) | FieldKind::Tensors(..));
            if is_numbers {
                let number = format!("count({})", list.name);
                let absent = format!("if present({}) then {number} else 0", list.name);
                self.derive(name, if list.optional { absent } else { number });
            }
            return;
        }
        if let Some(tensor) = equal_rank(page, name) {
            return self.derive(name, format!("{tensor}.DimensionCount"));
        }
        let less = match &field.kind {
            FieldKind::UInts(count) | FieldKind::Ints(count) => dimensions_before(page, count),
            _ => 0,
        };
        let each = |value: &str| {
            let count = if less == 0 {
                rank?.to_owned()
            } else {
                format!("{} - {less}", rank?)
            };
            Some(format!("[{}]", quote(&format!("list(d in 0..{count}: {value})"))))
        };
        let values = match &field.kind {
            FieldKind::UInt if name == "Axis" => rank.map(|rank| format!("[{}]", quote(&format!("0..{rank}")))),
            FieldKind::UInt => Some("[\"1\", \"2\"]".to_owned()),
            FieldKind::Int => Some("[\"1\", \"-1\"]".to_owned()),
            FieldKind::Float => Some("[\"1\", \"0.5\"]".to_owned()),
            FieldKind::UInts(_) if name == "Axes" => {
                rank.map(|rank| format!("[\"[0]\", \"[{rank} - 1]\", \"list(d in 0..{rank}: d)\"]"))
            }
            FieldKind::UInts(_) | FieldKind::Ints(_) => each("1"),
            FieldKind::ScaleBias => Some("[\"null\", 2x-0.5]".to_owned()),
            FieldKind::Size2D => Some("[1x1, 2x3]".to_owned()),
            FieldKind::Scalar(_) => Some("[\"1\", \"0\"]".to_owned()),
            FieldKind::Floats(_) => Some("[1x1x1x1]".to_owned()),
            // Their values are nested operators, which only a hand can choose.
            FieldKind::Operators(_) => return,
            _ => None,
        };
        self.key(&kebab(name), name, values);
    }

    /// Spells keys by their initials where ids would get too long; `name` is the length of the operator's name.
    fn shorten(&mut self, name: usize) {
        let value = |sets: &str| match sets.rsplit_once('.') {
            Some((_, "DataType")) => TYPE,
            Some((_, "Sizes")) => SIZES,
            _ => VALUE,
        };
        let lengths = self.keys.iter().map(|(key, sets)| key.len() + 2 + value(sets));
        if name + BESIDES + lengths.sum::<usize>() <= MAX_LENGTH {
            return;
        }
        let mut taken: Vec<String> = Vec::new();
        for (key, _) in &mut self.keys {
            let words: Vec<&str> = key.split('-').collect();
            let initials: String = words.iter().filter_map(|word| word.chars().next()).collect();
            let last = words.last().copied().unwrap_or_default();
            // Of the same initials the later ones get more letters of the last word.
            let longer = (1..=last.len()).map(|more| initials.clone() + last.get(1..more).unwrap_or_default());
            let first = (key == "type" || key == "sizes").then(|| key.clone());
            let numbered = (2..).map(|number| format!("{initials}{number}"));
            let mut all = first.into_iter().chain(longer).chain(numbered);
            let Some(short) = all.find(|short| !taken.contains(short)) else {
                continue;
            };
            if let Some((of, _)) = self.parameters.iter_mut().find(|(of, _)| of == key) {
                of.clone_from(&short);
            }
            taken.push(short.clone());
            *key = short;
        }
    }

    fn write(self) -> String {
        let mut text = "\ncases:\n".to_owned();
        let parts = [
            ("keys", "of case ids, in canonical order", self.keys),
            ("derive", "what follows from the keys", self.derive),
            (
                "parameters",
                "values worth trying, besides those that follow from the fields",
                self.parameters,
            ),
        ];
        for (name, about, lines) in parts.into_iter().filter(|(.., lines)| !lines.is_empty()) {
            text += &format!("  {name}: # {about}\n");
            for (key, value) in lines {
                let is_plain = name == "parameters" || !(value.contains(": ") || value.starts_with('['));
                let value = if is_plain { value } else { quote(&value) };
                text += &format!("    {key}: {value}\n");
            }
        }
        text
    }
}

/// The sizes that a block of code of the page gives a tensor: single dimensions, then all others in one way.
fn compute_sizes(page: &Page, tensor: &str, rank: &str) -> Option<String> {
    let sizes = page.formulas.iter().flat_map(|formula| &formula.value.sizes);
    let sizes: Vec<&ComputedSize> = sizes.filter(|size| size.tensor == tensor).collect();
    let (rest, single) = sizes.split_last()?;
    let is_whole = (0..)
        .zip(single)
        .all(|(at, size)| size.count.is_none() && size.dimension == at);
    if !is_whole || rest.count.is_none() || rest.dimension != single.len() as u64 {
        return None;
    }
    let each = single
        .iter()
        .map(|size| format!("if d == {} then {} else ", size.dimension, size.value));
    let number = if single.is_empty() {
        "d".to_owned()
    } else {
        format!("(d - {})", rest.dimension)
    };
    // An index needs no brackets, and the same dimension of another tensor no sum.
    let same = format!("[{LOOP} + {}]", rest.dimension);
    let value = rest.value.replace(&same, "[d]");
    let value = value.replace(&format!("[{LOOP}]"), &format!("[{}]", number.trim_matches(['(', ')'])));
    let value = value.replace(LOOP, &number);
    Some(format!("list(d in 0..{rank}: {}{value})", each.collect::<String>()))
}

/// How many dimensions of a tensor stand before those that a field counts, by the page's formulas.
fn dimensions_before(page: &Page, count: &str) -> u64 {
    let mut sizes = page.formulas.iter().flat_map(|formula| &formula.value.sizes);
    let counted = sizes.find(|size| size.count.as_deref() == Some(count));
    counted.map_or(0, |size| size.dimension)
}

/// The data type of a tensor that may be absent: that of a tensor before it with the same types in the newest table, else
/// the first type there is for it.
fn choose_type(page: &Page, tensor: &PageField, first: &PageField, tensors: &[&PageField]) -> String {
    let newest = page.tables.iter().max_by_key(|table| table.value.level);
    let types = |name: &str| {
        let rows = newest.map(|table| &table.value.rows);
        let row = rows.and_then(|rows| rows.iter().find(|row| row.tensor == name));
        row.map_or(&[][..], |row| row.types.as_slice())
    };
    let own = types(&tensor.name);
    let before = tensors.iter().take_while(|before| before.name != tensor.name);
    let like = before
        .filter(|before| !before.optional && types(&before.name) == own)
        .last();
    match (like, own) {
        (Some(like), _) => spell(like, Property::DataType.name()),
        (None, [one, ..]) => one.clone(),
        (None, []) => spell(first, Property::DataType.name()),
    }
}

/// The tensor of which a number is said to be the dimension count.
fn equal_rank<'a>(page: &'a Page, field: &str) -> Option<&'a str> {
    let limits = page.bounds.iter().filter(|bound| bound.value.field == field);
    let mut limits = limits.flat_map(|bound| &bound.value.limits);
    limits.find_map(|limit| match limit {
        (Comparison::Equal, Limit::DimensionCount { tensor, less: 0 }) => Some(tensor.as_str()),
        _ => None,
    })
}

/// Whether every table has the same one type for a tensor.
fn has_one_type(page: &Page, tensor: &PageField) -> bool {
    let rows = page.tables.iter().flat_map(|table| &table.value.rows);
    let mut types = rows.filter(|row| row.tensor == tensor.name).map(|row| &row.types);
    types
        .next()
        .is_some_and(|first| first.len() == 1 && types.all(|other| other == first))
}

/// A property of a tensor, or of the first of an array, in an expression.
fn spell(tensor: &PageField, property: &str) -> String {
    let element = matches!(tensor.kind, FieldKind::Tensors(..)).then_some("[0]");
    format!("{}{}.{property}", tensor.name, element.unwrap_or_default())
}
