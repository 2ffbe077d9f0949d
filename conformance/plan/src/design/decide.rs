//! The value of each parameter of a row: that of the key, or the first by hash that means something.

use std::borrow::Cow;

use dml_spec::{
    Dims, FeatureLevel, Value,
    path::{self, Path, TensorPart, dims_text},
    scalar,
};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    choice::{Choice, Parameter, Sets},
    maker::{Bound, Draft, Maker},
    parameters::INPUTS,
};
use crate::{eval, recipe::Point};

/// What the size of each dimension is a hash of.
const SIZES: [&str; 8] = ["size0", "size1", "size2", "size3", "size4", "size5", "size6", "size7"];

/// Most elements besides the long dimension, and besides one that is longer than 1,100.
const OTHERS: [u32; 2] = [12, 2];

/// Lengths above this have few elements beside them.
const LONG: u32 = 1100;

/// Lengths above this have no element beside them: no tensor has more than 2^21 elements.
const HUGE: u32 = 1 << 20;

/// In one of so many rows all other dimensions have one element.
const ALONE: u64 = 5;

/// In one of so many rows tensors are packed, and in as many no output lies in the place of an input, if the key does not
/// say otherwise.
const PLAIN: u64 = 2;

/// In so many of four rows the long dimension is the one along which values run.
const ALONG: u64 = 3;

impl<'a> Maker<'a> {
    /// Decides the value of a parameter; its place.
    pub(super) fn decide(
        &self,
        draft: &mut Draft<'a>,
        number: usize,
        fixed: Option<usize>,
        bound: &Bound,
    ) -> Option<usize> {
        let parameter = self.parameters.get(number)?;
        let (level, seed) = (draft.level, draft.seed);
        if let Some(at) = fixed {
            let choice = parameter.values.get(at)?;
            return self.take(level, draft, parameter.sets, choice).map(|()| at);
        }
        let mut first: Vec<usize> = Vec::new();
        // Much is tested without strides and shared memory: what fails there needs neither.
        if matches!(parameter.sets, Sets::Layout | Sets::Alias)
            && xxh3_64_with_seed(b"plain", draft.seed).is_multiple_of(PLAIN)
        {
            first.push(0);
        }
        if parameter.sets == Sets::Long
            && xxh3_64_with_seed(b"along", draft.seed) % 4 < ALONG
            && let Some(axis) = self.axis(level, draft)
            && let Some(at) = parameter
                .values
                .iter()
                .position(|choice| choice.label == axis.to_string())
        {
            first.push(at);
        }
        let mut take = |at: usize| {
            let choice = parameter.values.get(at)?;
            self.take(level, draft, parameter.sets, choice).map(|()| at)
        };
        first
            .into_iter()
            .find_map(&mut take)
            .or_else(|| self.order(parameter, number, bound, seed).find_map(take))
    }

    /// The values of a parameter that mean something here, by hash.
    fn order<'o>(
        &'o self,
        parameter: &'o Parameter,
        number: usize,
        bound: &'o Bound,
        seed: u64,
    ) -> impl Iterator<Item = usize> + 'o {
        let seed = seed ^ xxh3_64_with_seed(parameter.name.as_bytes(), 1);
        let patterns = bound.patterns.get(&number);
        let hashed = move || {
            let means = move |at: &usize| patterns.is_none_or(|places| places.binary_search(at).is_ok());
            let numbered = parameter.values.iter().enumerate();
            let paired = numbered.filter(move |(at, choice)| !choice.alone && means(at));
            paired.map(move |(at, choice)| (xxh3_64_with_seed(choice.label.as_bytes(), seed), at))
        };
        // The first one will do nearly always: no need to sort all of them.
        let rest = move || {
            let mut all: Vec<(u64, usize)> = hashed().collect();
            all.sort_unstable();
            all.into_iter().skip(1)
        };
        let rest = std::iter::once_with(rest).flatten();
        hashed().min().into_iter().chain(rest).map(|(_, at)| at)
    }

    /// The dimension along which values run, if it is known by now.
    fn axis(&self, level: FeatureLevel, draft: &Draft<'_>) -> Option<u32> {
        if let Some((axis, _)) = eval::eval_lanes(self.builder, &draft.descriptor, level) {
            return Some(axis);
        }
        let fields = self.builder.operator.fields.iter().zip(&draft.descriptor.fields);
        fields.into_iter().find_map(|(field, value)| match value {
            Value::UInt(axis) if field.name == "Axis" => Some(*axis),
            _ => None,
        })
    }

    /// Takes a value, if it means something here.
    pub(super) fn take(
        &self,
        level: FeatureLevel,
        draft: &mut Draft<'a>,
        sets: Sets,
        choice: &'a Choice,
    ) -> Option<()> {
        let label = &choice.label;
        match sets {
            Sets::Number => draft.numbers.push(label),
            Sets::Rank => {
                // A key that names the long dimension wants one that has it.
                let may_be =
                    |rank: &u32| self.ranks_at(level).contains(rank) && draft.above.is_none_or(|long| long < *rank);
                draft.rank = label.parse().ok().filter(may_be)?;
                self.set_sizes(draft, &vec![1; draft.rank as usize])?;
            }
            Sets::Ones => {
                let Point::List(node) = point_of(draft, choice)? else {
                    return None;
                };
                let ones = eval::eval_list(self.builder, &draft.descriptor, node, level)?;
                draft.ones = ones.iter().map(|one| *one == 1).collect();
            }
            Sets::Long => {
                let may_be = |long: &u32| *long < draft.rank && draft.ones.get(*long as usize) != Some(&true);
                draft.long = label.parse().ok().filter(may_be)?;
            }
            Sets::Length => {
                draft.length = label.parse().ok()?;
                let sizes = sizes(draft, draft.length);
                self.set_sizes(draft, &sizes)?;
            }
            Sets::Key(key) => {
                let point = point_of(draft, choice)?;
                let text = self.text(level, draft, label, point)?;
                self.set_key(draft, key, text)?;
            }
            Sets::Layout => draft.layout = label,
            Sets::Values => draft.pattern = label,
            Sets::Alias => draft.alias = label,
        }
        Some(())
    }

    /// The first sizes of a row.
    fn set_sizes(&self, draft: &mut Draft<'a>, sizes: &[u32]) -> Option<()> {
        let key = self.sizes_key?;
        let text = match self.builder.recipe.keys.get(key)? {
            (_, Path::ManySizes(_)) => self.many_sizes(draft, sizes)?,
            (_, Path::Tensor(field, element, TensorPart::Sizes)) => {
                path::tensor_mut(&mut draft.descriptor, *field, *element)?.sizes = Some(Dims::from_slice(sizes));
                *draft.texts.get_mut(key)? = Some(dims_text(sizes).into());
                return Some(());
            }
            _ => dims_text(sizes),
        };
        self.set_key(draft, key, text.into())
    }

    /// Sizes of as many tensors as the number `inputs` says, which differ along the axis, if there is one.
    fn many_sizes(&self, draft: &Draft<'_>, sizes: &[u32]) -> Option<String> {
        let number = self.parameters.iter().position(|of| of.name == INPUTS)?;
        let count: u32 = draft.numbers.get(number)?.parse().ok()?;
        let axis = self.axis(draft.level, draft).map(|axis| axis as usize);
        let of_tensor = |tensor: u32| {
            let mut sizes = sizes.to_vec();
            if tensor > 0
                && let Some(size) = axis.and_then(|axis| sizes.get_mut(axis))
            {
                *size = 1 + (xxh3_64_with_seed(format!("input{tensor}").as_bytes(), draft.seed) % 3) as u32;
            }
            dims_text(&sizes)
        };
        Some((0..count).map(of_tensor).collect::<Vec<_>>().join("_"))
    }

    pub(super) fn set_key(&self, draft: &mut Draft<'a>, key: usize, text: Cow<'a, str>) -> Option<()> {
        let (_, path) = self.builder.recipe.keys.get(key)?;
        let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
        match (path, &text) {
            // The type of a scalar may follow from the keys: it is set after what is derived.
            (path, _) if scalar::is_scalar(operator, path.field()) => {}
            (Path::Attribute(field), Cow::Borrowed(text)) => {
                let mut spelled = self.spelled.get(key)?.borrow_mut();
                match spelled.get(text) {
                    Some(value) => draft.descriptor.fields.get_mut(*field)?.clone_from(value),
                    None => {
                        path::set(catalog, operator, &mut draft.descriptor, path, text).ok()?;
                        spelled.insert(text, draft.descriptor.fields.get(*field)?.clone());
                    }
                }
            }
            _ => path::set(catalog, operator, &mut draft.descriptor, path, &text).ok()?,
        }
        *draft.texts.get_mut(key)? = Some(text);
        Some(())
    }

    /// How ids spell a value here.
    pub(super) fn text<'t>(
        &self,
        level: FeatureLevel,
        draft: &Draft<'_>,
        label: &'t str,
        point: &'t Point,
    ) -> Option<Cow<'t, str>> {
        let number = |node| eval::eval_number(self.builder, &draft.descriptor, node, level);
        match point {
            Point::Text(text) => Some(text.into()),
            Point::Value(node) => number(node).map(|number| number.to_string().into()),
            Point::Range(from, to) => {
                let (from, to) = (number(from)?, number(to)?);
                let own: i128 = label.parse().ok()?;
                (from..to).contains(&own).then(|| label.into())
            }
            Point::List(node) => eval::eval_list_text(self.builder, &draft.descriptor, node, level).map(Cow::Owned),
        }
    }
}

/// What a value comes to with the numbers of a draft.
fn point_of<'a>(draft: &Draft<'_>, choice: &'a Choice) -> Option<&'a Point> {
    let mut all = choice.points.iter();
    let is_drawn = |(given, drawn): (&String, &&str)| given.is_empty() || given == drawn;
    let (_, point) = all.find(|(numbers, _)| numbers.iter().zip(&draft.numbers).all(is_drawn))?;
    Some(point)
}

/// The sizes: the long dimension, and small numbers by hash.
fn sizes(draft: &Draft<'_>, length: u32) -> Vec<u32> {
    let is_alone = xxh3_64_with_seed(b"alone", draft.seed).is_multiple_of(ALONE);
    let most = if is_alone || length > HUGE {
        1
    } else {
        OTHERS[usize::from(length > LONG)]
    };
    let mut product = 1;
    let mut all = Vec::new();
    for (dimension, name) in (0..draft.rank).zip(SIZES) {
        let size = 1 + (xxh3_64_with_seed(name.as_bytes(), draft.seed) % 3) as u32;
        all.push(if dimension == draft.long {
            length
        } else if draft.ones.get(dimension as usize) != Some(&true) && product * size <= most {
            product *= size;
            size
        } else {
            1
        });
    }
    all
}
