//! One draw: a value for every key of a case's id, and for a broken descriptor the fields that break it.

use std::ops::RangeInclusive;

use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Family, FieldKind, SupportRow},
    patterns::{LAYOUTS, NUMBERS, VALUES},
};

use super::{
    rows::{Keys, Rows},
    shapes,
};
use dml_case::{
    case::Case,
    id::{CaseId, MAX_LENGTH},
    query::Query,
    random::Random,
};
use dml_plan::{
    builder::Builder,
    canonical::canonicalize_id,
    count_fields,
    design::{Parameter, Sets},
    overrides::list_overrides,
    recipe::sets_sizes,
};
use dml_spec::path::{MANY, Path, TensorPart, constant_name, dims, dims_text};

/// Elements of the largest tensor that is drawn, in a narrow draw and in a wide one.
const LARGEST: [u64; 2] = [1 << 14, 1 << 17];

/// One of so many changes is that of a whole shape.
const SHAPES: u64 = 3;

/// Most dimensions.
const DIMENSIONS: u64 = 8;

/// What a draw is about.
pub(super) struct Drawing<'a> {
    pub builder: Builder<'a>,
    pub level: FeatureLevel,
    pub family: Family,
    pub query: Option<&'a Query>,
    /// The operator's parameters.
    pub parameters: &'a [Parameter],
    /// Large tensors are drawn as well, and no seeds: the data follow from the rest of the id.
    pub wide: bool,
    /// Keys of cases of the plan, which draws start from as well: of some operators hardly any other draw is valid.
    pub rows: Option<&'a Rows>,
    /// How many fields a fault changes.
    pub steps: RangeInclusive<u64>,
}

impl Drawing<'_> {
    /// A case, unless the draw is invalid.
    pub(super) fn case(&self, random: &mut Random) -> Option<Case> {
        let keys = self.base(random)?;
        let id = self.id(&keys);
        let descriptor = self.builder.descriptor(&id).ok()?;
        let largest = LARGEST[usize::from(self.wide)];
        let small = |tensor: &TensorDesc| tensor.sizes().iter().map(|n| u64::from(*n)).product::<u64>() <= largest;
        let tensors = descriptor.fields.iter().flat_map(|value| match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        });
        let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
        let violations = self
            .builder
            .program
            .evaluate(catalog, operator, &descriptor, self.level);
        // Data is made only for cases that may run; steps start from a valid case.
        let refused = violations.iter().any(|violation| violation.runtime);
        if refused || !count_fields::lists_match_counts(operator, &descriptor) || !tensors.into_iter().all(small) {
            return None;
        }
        if self.family == Family::Faults {
            let steps = self.steps(descriptor, &keys, random);
            let case = self.build(self.id(&[keys, steps].concat()))?;
            // A backend that takes a list's length from its count would read beyond a shorter list.
            return count_fields::lists_match_counts(operator, &case.descriptor).then_some(case);
        }
        self.build(id)
    }

    fn id(&self, keys: &[(String, String)]) -> CaseId {
        let keys = keys.iter().map(|(key, value)| (key, value));
        CaseId::new(&self.builder.operator.name, self.level, self.family.name(), keys)
    }

    fn build(&self, id: CaseId) -> Option<Case> {
        let id = canonicalize_id(&self.builder, &id, self.family);
        if id.as_str().len() > MAX_LENGTH {
            return None;
        }
        let family = Family::named(id.family())?;
        self.builder.case(id, family).ok()
    }

    /// What a case starts from.
    fn base(&self, random: &mut Random) -> Option<Keys> {
        let rows = self.rows.filter(|_| random.below(2) == 0);
        let Some(row) = rows.and_then(|rows| rows.any(self.level, random)) else {
            return self.keys(random);
        };
        let mut keys = row.clone();
        if self.family != Family::Faults {
            self.vary(&mut keys, random);
            keys.extend(self.beside(random));
        }
        let is_asked = |(key, value): &(String, String)| self.fixed(key).is_none_or(|fixed| fixed == value);
        keys.iter().all(is_asked).then_some(keys)
    }

    /// Gives up to two of the keys other values; in half of the draws all stay.
    fn vary(&self, keys: &mut Keys, random: &mut Random) {
        let mut given = keys.iter().zip(&self.builder.recipe.keys);
        let sizes = given
            .find_map(|((_, value), (_, path))| sizes_in(path, value))
            .unwrap_or_default();
        for _ in 0..random.below(4).saturating_sub(1) {
            let at = random.below(keys.len() as u64) as usize;
            let path = self.builder.recipe.keys.get(at).map(|(_, path)| path);
            let drawn = path.and_then(|path| self.value(at, path, &sizes, random));
            if let Some(((_, value), drawn)) = keys.get_mut(at).zip(drawn) {
                *value = drawn;
            }
        }
    }

    /// Fields changed one after the other. The changes follow from the kinds of the fields; no rule is looked at.
    fn steps(&self, mut descriptor: Descriptor, keys: &[(String, String)], random: &mut Random) -> Keys {
        let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
        let mut chosen: Keys = Vec::new();
        let (least, most) = (self.steps.start(), self.steps.end());
        for _ in 0..least + random.below(most - least + 1) {
            let change = match random.below(SHAPES) == 0 {
                true => shapes::change(operator, &descriptor, random),
                false => any_of(&list_overrides(catalog, operator, &descriptor), random)
                    .into_iter()
                    .cloned()
                    .collect(),
            };
            let clashes = |(path, _): &(String, String)| {
                let mut others = chosen.iter();
                others.any(|(other, _)| other.starts_with(path.as_str()) || path.starts_with(other.as_str()))
            };
            if change.iter().any(clashes) {
                continue;
            }
            let before = chosen.len();
            chosen.extend(change);
            match self.builder.descriptor(&self.id(&[keys, &chosen].concat())) {
                Ok(changed) => descriptor = changed,
                Err(_) => chosen.truncate(before),
            }
        }
        chosen
    }

    /// A value for every key, in canonical order.
    fn keys(&self, random: &mut Random) -> Option<Vec<(String, String)>> {
        let mut keys: Vec<(String, String)> = Vec::new();
        let mut sizes: Vec<u32> = Vec::new();
        for (at, (key, path)) in self.builder.recipe.keys.iter().enumerate() {
            let drawn = self.value(at, path, &sizes, random);
            let value = self.fixed(key).map_or(drawn, |fixed| Some(fixed.to_owned()))?;
            if sets_sizes(path) {
                sizes = sizes_in(path, &value)?;
            }
            keys.push((key.clone(), value));
        }
        keys.extend(self.beside(random));
        Some(keys)
    }

    /// Values for the keys that every operator has.
    fn beside(&self, random: &mut Random) -> Keys {
        let of = |names: &[&str], odds: u64, random: &mut Random| match random.below(odds) {
            0 => names
                .get(random.below(names.len() as u64) as usize)
                .map(|name| (*name).to_owned()),
            _ => None,
        };
        let (layout, values) = (
            of(&LAYOUTS[1..], 3, random),
            of(&[&VALUES[1..], &NUMBERS].concat(), 2, random),
        );
        let seed = random.bits() >> 32;
        let alias = self.alias(random);
        let drawn = [
            ("layout", layout),
            ("values", values),
            ("alias", alias),
            ("seed", Some(seed.to_string()).filter(|_| !self.wide)),
        ];
        let asked = |(key, drawn): (&str, Option<String>)| {
            let value = self.fixed(key).map(str::to_owned).or(drawn);
            Some((key.to_owned(), value?))
        };
        drawn.into_iter().filter_map(asked).collect()
    }

    /// An input in whose place the output lies, if the family is about that.
    fn alias(&self, random: &mut Random) -> Option<String> {
        let inputs: Vec<&str> = self.builder.operator.shared_inputs().collect();
        if self.family != Family::InPlace || inputs.is_empty() {
            return None;
        }
        let input = inputs.get(random.below(inputs.len() as u64) as usize)?;
        Some((*input).to_owned())
    }

    /// The value that the query requires.
    fn fixed(&self, key: &str) -> Option<&str> {
        self.query.and_then(|query| query.value(key))
    }

    fn value(&self, at: usize, path: &Path, sizes: &[u32], random: &mut Random) -> Option<String> {
        let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
        let field = operator.fields.get(path.field())?;
        match path {
            Path::Tensor(_, _, TensorPart::DataType) => {
                let row = self.row(&field.name, random)?;
                row.types
                    .get(random.below(row.types.len() as u64) as usize)
                    .map(ToString::to_string)
            }
            Path::Tensor(_, _, TensorPart::Sizes) => {
                // The sizes of later tensors mostly have to fit the first.
                match sizes.is_empty() || random.below(3) == 0 {
                    true => Some(dims_text(&self.sizes(&field.name, random)?)),
                    false => Some(dims_text(&within(sizes, random))),
                }
            }
            Path::ManySizes(_) => Some(many(&self.sizes(&field.name, random)?, random)),
            Path::Attribute(_) => match &field.kind {
                FieldKind::UInt => Some(draw_number(sizes, random).to_string()),
                FieldKind::Int => {
                    let number = i64::from(draw_number(sizes, random));
                    Some(if random.below(2) == 0 { -number } else { number }.to_string())
                }
                FieldKind::Bool => Some(random.below(2).to_string()),
                FieldKind::Enum(name) => {
                    let members = &catalog.enumeration(name)?.members;
                    let member = members.get(random.below(members.len() as u64) as usize)?;
                    Some(constant_name(catalog, name, member.value))
                }
                FieldKind::UInts(_) if !sizes.is_empty() && random.below(3) == 0 => Some(axes(sizes.len(), random)),
                FieldKind::UInts(_) if !sizes.is_empty() && random.below(3) > 0 => {
                    Some(dims_text(&numbers_within(sizes, random)))
                }
                FieldKind::Ints(_) if !sizes.is_empty() && random.below(3) > 0 => Some(steps(sizes.len(), random)),
                _ => self.known(at, random),
            },
            _ => self.known(at, random),
        }
    }

    /// Sizes of a tensor of this field.
    fn sizes(&self, field: &str, random: &mut Random) -> Option<Vec<u32>> {
        let row = self.row(field, random)?;
        let ranks: Vec<u32> = (1..=DIMENSIONS as u32).filter(|n| row.allows_dimensions(*n)).collect();
        let rank = *ranks.get(random.below(ranks.len() as u64) as usize)?;
        let mut sizes = self.sizes_of(rank, random);
        if random.below(5) == 0 {
            // Some operators require leading dimensions of size 1.
            let leading = random.below(u64::from(rank)) as usize;
            sizes.iter_mut().take(leading).for_each(|size| *size = 1);
        }
        Some(sizes)
    }

    /// A row of the support table for tensors of this field, of any group.
    fn row(&self, field: &str, random: &mut Random) -> Option<&SupportRow> {
        let rows: Vec<&SupportRow> = self.builder.operator.table_at(self.level)?.rows_of(field).collect();
        rows.get(random.below(rows.len() as u64) as usize).copied()
    }

    fn sizes_of(&self, rank: u32, random: &mut Random) -> Vec<u32> {
        let large = match random.below(16) {
            _ if !self.wide => return draw_sizes(rank, random),
            0 => 65_537 + random.below(1 << 15),
            1 | 2 => 4097 + random.below(1 << 13),
            3..=5 => 1025 + random.below(3 << 10),
            _ => return draw_sizes(rank, random),
        };
        large_sizes(rank, large, random)
    }

    /// A value that the specification declares.
    fn known(&self, key: usize, random: &mut Random) -> Option<String> {
        let of_key = self
            .parameters
            .iter()
            .find(|parameter| parameter.sets == Sets::Key(key))?;
        let texts: Vec<&str> = of_key.values.iter().flat_map(|choice| choice.texts()).collect();
        let text = texts.get(random.below(texts.len() as u64) as usize)?;
        Some((*text).to_owned())
    }
}

/// The sizes that a key sets, of the first tensor if it sets those of several.
fn sizes_in(path: &Path, value: &str) -> Option<Vec<u32>> {
    let first = value.split(MANY).next().filter(|_| sets_sizes(path))?;
    Some(dims(first).ok()??.to_vec())
}

/// A change of some field: tensors, which can change in many ways, are not chosen more often than numbers.
fn any_of<'s>(all: &'s [(String, String)], random: &mut Random) -> Option<&'s (String, String)> {
    let field = |(path, _): &(String, String)| path.split('.').next().unwrap_or_default().to_owned();
    let mut fields: Vec<String> = all.iter().map(field).collect();
    fields.dedup();
    let chosen = fields.get(random.below(fields.len() as u64) as usize)?;
    let of_field: Vec<_> = all.iter().filter(|change| field(change) == *chosen).collect();
    of_field.get(random.below(of_field.len() as u64) as usize).copied()
}

/// Mostly short dimensions; now and then one that exceeds a workgroup.
fn draw_sizes(rank: u32, random: &mut Random) -> Vec<u32> {
    let long = random.below(4 * u64::from(rank));
    let size = |d: u32| match random.below(3) {
        _ if u64::from(d) == long => 1 + random.below(1200) as u32,
        0 => 1,
        1 => 1 + random.below(4) as u32,
        _ => 1 + random.below(12) as u32,
    };
    (0..rank).map(size).collect()
}

/// Sizes with at least this many elements: one long dimension, among others that are mostly short.
fn large_sizes(rank: u32, elements: u64, random: &mut Random) -> Vec<u32> {
    let most = if random.below(2) == 0 { 3 } else { 12 };
    let mut sizes: Vec<u32> = (0..rank).map(|_| 1 + random.below(most) as u32).collect();
    let long = random.below(u64::from(rank)) as usize;
    sizes[long] = 1;
    // Many dimensions may reach the number before any is long.
    let mut product: u64 = sizes.iter().map(|n| u64::from(*n)).product();
    for size in &mut sizes {
        if product * 2 > elements {
            product /= u64::from(*size);
            *size = 1;
        }
    }
    sizes[long] = elements.div_ceil(product.max(1)) as u32;
    sizes
}

/// Sizes of some tensors that differ along one dimension or not at all, as ids spell them.
fn many(sizes: &[u32], random: &mut Random) -> String {
    let count = match random.below(8) {
        0 => 1,
        1..=3 => 2,
        4 | 5 => 3,
        6 => 4 + random.below(6),
        _ => 10 + random.below(7),
    };
    let (along, equal) = (random.below(sizes.len() as u64) as usize, random.below(3) == 0);
    let mut tensor = |nth: u64| {
        let mut own = sizes.to_vec();
        if !equal && nth > 0 {
            own[along] = 1 + random.below(u64::from(sizes[along]) + 3) as u32;
        }
        dims_text(&own)
    };
    let all: Vec<String> = (0..count).map(&mut tensor).collect();
    all.join(&MANY.to_string())
}

/// A number for each dimension, none greater than its size: all equal, all but one equal, or all different.
fn numbers_within(sizes: &[u32], random: &mut Random) -> Vec<u32> {
    let kind = random.below(6);
    let other = random.below(2 * sizes.len() as u64);
    let number = |(d, size): (usize, &u32)| match kind {
        _ if d as u64 == other => random.below(u64::from(*size) + 1) as u32,
        0 => 0,
        1 | 2 => *size,
        3 => size.saturating_sub(1).max(1),
        4 => random.below(2) as u32,
        _ => random.below(u64::from(*size) + 1) as u32,
    };
    sizes.iter().enumerate().map(number).collect()
}

/// A step for each dimension, forwards or backwards; mostly the next element.
fn steps(rank: usize, random: &mut Random) -> String {
    let far = if random.below(2) == 0 { 1 } else { 3 };
    let step = |_| {
        let step = 1 + random.below(far) as i64;
        if random.below(3) == 0 { -step } else { step }
    };
    (0..rank)
        .map(step)
        .map(|step| step.to_string())
        .collect::<Vec<_>>()
        .join("x")
}

/// Some of the dimensions, in any order.
fn axes(rank: usize, random: &mut Random) -> String {
    let mut all: Vec<u32> = (0..rank as u32).collect();
    random.shuffle(&mut all);
    all.truncate(1 + random.below(rank as u64) as usize);
    if random.below(2) == 0 {
        all.sort_unstable();
    }
    dims_text(&all)
}

/// Sizes with as many dimensions, none of which is longer; often the same.
fn within(sizes: &[u32], random: &mut Random) -> Vec<u32> {
    let size = |size: &u32| match random.below(3) {
        0 => 1 + random.below(u64::from(*size)) as u32,
        1 => 1,
        _ => *size,
    };
    sizes.iter().map(size).collect()
}

/// A meaningful number for these sizes: a dimension, a size, or one below.
fn draw_number(sizes: &[u32], random: &mut Random) -> u32 {
    let size = sizes
        .get(random.below(sizes.len() as u64) as usize)
        .copied()
        .unwrap_or(4);
    match random.below(6) {
        0 | 1 => random.below(sizes.len().max(1) as u64) as u32,
        2 => size,
        3 => size.saturating_sub(1),
        4 => 1,
        _ => random.below(u64::from(size) + 1) as u32,
    }
}
