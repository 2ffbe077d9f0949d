//! The cases around one: the same value of every parameter but one.
//!
//! Values that an expression gives are computed again, so that a `K` that is the length of an axis stays its length.

use std::{borrow::Cow, collections::BTreeSet};

use dml_case::{case::Case, id::CaseId};
use dml_spec::{
    FeatureLevel,
    path::{MANY, Path, dims, dims_text},
    rule::typed::Op,
};

use super::{
    choice::{Choice, Parameter, Sets},
    maker::{Draft, Maker},
};
use crate::{
    aliases,
    builder::Builder,
    canonical::{self, canonicalize_id},
    layouts,
    recipe::Point,
};

/// What is changed of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dial {
    /// The key at this place.
    Key(usize),
    /// This dimension of the first sizes.
    Size(usize),
    /// How many dimensions those have.
    Rank,
    /// How tensors lie in memory.
    Layout,
    /// The pattern of the data.
    Values,
    /// The input that an output shares memory with.
    Alias,
}

/// A change of one thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// What is changed.
    pub dial: Dial,
    to: To,
}

/// What a dial is turned to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum To {
    /// A value of the parameter at this place.
    Choice(usize, usize),
    Number(i64),
    Sizes(Vec<u32>),
}

/// Values that follow from expressions, and how ids spell them where they are.
struct Source<'a> {
    label: &'a str,
    point: &'a Point,
}

/// The cases around one.
pub struct Around<'a> {
    maker: Maker<'a>,
    base: CaseId,
    /// The values of the keys.
    texts: Vec<String>,
    /// For each key what its value follows from, if it follows from anything.
    sources: Vec<Option<Source<'a>>>,
    /// The key of the first sizes, and these.
    sizes: Option<(usize, Vec<u32>)>,
    /// Levels with tables that may be asked for, the lowest first.
    levels: Vec<FeatureLevel>,
}

impl<'a> Around<'a> {
    /// The cases around this one up to a level; `None` if its id does not have every key.
    pub fn new(
        builder: &'a Builder<'a>,
        parameters: &'a [Parameter],
        base: &CaseId,
        most: FeatureLevel,
    ) -> Option<Self> {
        let keys = builder.recipe.keys.iter();
        let texts: Vec<String> = keys
            .map(|(key, _)| base.get(key).map(str::to_owned))
            .collect::<Option<_>>()?;
        let maker = Maker::new(builder, parameters, &[]);
        let draft = maker.draft_of(base.level(), &texts)?;
        let sources = (0..texts.len()).map(|key| source(&maker, &draft, key)).collect();
        let sizes = maker.sizes_key.and_then(|key| {
            let first = texts.get(key)?.split(MANY).next()?;
            Some((key, dims(first).ok()??.to_vec()))
        });
        let levels: BTreeSet<FeatureLevel> = builder.operator.support.iter().map(|table| table.level).collect();
        Some(Self {
            base: base.clone(),
            texts,
            sources,
            sizes,
            levels: levels.into_iter().filter(|level| *level <= most).collect(),
            maker,
        })
    }

    /// Every change to a value of a parameter that enters pairs.
    pub fn changes(&self) -> Vec<Change> {
        let mut all = Vec::new();
        for (at, parameter) in self.maker.parameters.iter().enumerate() {
            let dial = match parameter.sets {
                Sets::Key(key) => Dial::Key(key),
                Sets::Layout => Dial::Layout,
                Sets::Values => Dial::Values,
                Sets::Alias => Dial::Alias,
                Sets::Length => {
                    all.extend(self.lengths(parameter));
                    continue;
                }
                _ => continue,
            };
            let choices = parameter.values.iter().enumerate().filter(|(_, choice)| !choice.alone);
            all.extend(choices.map(|(value, _)| Change {
                dial,
                to: To::Choice(at, value),
            }));
        }
        all.extend(self.ranks());
        all
    }

    /// Other lengths of each dimension.
    fn lengths(&self, parameter: &Parameter) -> impl Iterator<Item = Change> {
        let usual = parameter.values.iter().filter(|choice| !choice.alone);
        let usual: Vec<i64> = usual.filter_map(|choice| choice.label.parse().ok()).collect();
        let dimensions = self.sizes.as_ref().map_or(0, |(_, sizes)| sizes.len());
        (0..dimensions).flat_map(move |d| {
            let to = usual.clone().into_iter().map(To::Number);
            to.map(move |to| Change {
                dial: Dial::Size(d),
                to,
            })
        })
    }

    /// One dimension of one element more or less.
    fn ranks(&self) -> Vec<Change> {
        let Some((_, sizes)) = &self.sizes else {
            return Vec::new();
        };
        let mut all = vec![[&[1], sizes.as_slice()].concat(), [sizes.as_slice(), &[1]].concat()];
        match sizes.as_slice() {
            [1, rest @ ..] if !rest.is_empty() => all.push(rest.to_vec()),
            [rest @ .., 1] if !rest.is_empty() => all.push(rest.to_vec()),
            _ => {}
        }
        let change = |sizes| Change {
            dial: Dial::Rank,
            to: To::Sizes(sizes),
        };
        all.into_iter().map(change).collect()
    }

    /// What a case has where a dial turns a number.
    pub fn number(&self, dial: Dial, id: &CaseId) -> Option<i64> {
        let text = |key: usize| id.get(&self.maker.builder.recipe.keys.get(key)?.0);
        match dial {
            Dial::Key(key) => {
                let is_number = matches!(self.maker.builder.recipe.keys.get(key)?.1, Path::Attribute(_));
                text(key).filter(|_| is_number)?.parse().ok()
            }
            Dial::Size(d) => {
                let first = text(self.sizes.as_ref()?.0)?.split(MANY).next()?;
                dims(first).ok()??.get(d).map(|size| i64::from(*size))
            }
            _ => None,
        }
    }

    /// A dial is turned to a number.
    pub fn to(dial: Dial, number: i64) -> Change {
        Change {
            dial,
            to: To::Number(number),
        }
    }

    /// The case that a change leads to, at the lowest level that accepts it; `None` if it leads to no valid case, or nowhere.
    pub fn case(&self, change: &Change) -> Option<Case> {
        let (builder, to) = (self.maker.builder, &change.to);
        let given = |key: &str, usual: &str| self.base.get(key).unwrap_or(usual).to_owned();
        let mut common = [
            ("layout", given("layout", layouts::DEFAULT), layouts::DEFAULT),
            ("values", given("values", builder.recipe.values), builder.recipe.values),
            ("alias", given("alias", aliases::DEFAULT), aliases::DEFAULT),
        ];
        let turned = match change.dial {
            Dial::Layout => Some(0),
            Dial::Values => Some(1),
            Dial::Alias => Some(2),
            _ => None,
        };
        if let Some((_, text, _)) = turned.and_then(|at| common.get_mut(at)) {
            text.clone_from(&self.choice(to)?.label);
        }
        let texts = self.texts_of(change)?;
        let names = builder.recipe.keys.iter().map(|(name, _)| name.clone());
        let unusual = common.into_iter().filter(|(_, text, usual)| text != usual);
        let unusual = unusual.map(|(name, text, _)| (name.to_owned(), text));
        let seed = self.base.get("seed").map(|seed| ("seed".to_owned(), seed.to_owned()));
        let params: Vec<(String, String)> = names.zip(texts).chain(unusual).chain(seed).collect();
        let find = |name: &str| {
            let found = params.iter().find(|(key, _)| key == name);
            found.map(|(_, text)| text.as_str())
        };
        let family = canonical::family_of(find("layout"), find("values"), find("alias"));
        let id_at = |level: FeatureLevel| {
            let params = params.iter().map(|(key, text)| (key.as_str(), text.as_str()));
            let id = CaseId::new(&builder.operator.name, level, family.name(), params);
            canonicalize_id(builder, &id, family)
        };
        if id_at(self.base.level()) == self.base {
            return None;
        }
        self.levels.iter().find_map(|level| {
            let case = crate::build(builder.suite, &id_at(*level)).ok()?;
            (!case.verdict.is_rejection()).then_some(case)
        })
    }

    fn choice(&self, to: &To) -> Option<&'a Choice> {
        match to {
            To::Choice(parameter, value) => self.maker.parameters.get(*parameter)?.values.get(*value),
            _ => None,
        }
    }

    /// The values of all keys after a change.
    fn texts_of(&self, change: &Change) -> Option<Vec<String>> {
        let level = self.base.level();
        let mut draft = self.maker.draft_of(level, &self.texts)?;
        if let Some((key, sizes)) = self.turned(change) {
            let text = match self.texts.get(key)?.split(MANY).count() {
                1 => dims_text(&sizes),
                // The first tensor's sizes are those of all, but along the dimension in which they differ.
                _ => self.many(key, &sizes)?,
            };
            self.maker.set_key(&mut draft, key, text.into())?;
        }
        for parameter in self.maker.parameters {
            let Sets::Key(key) = parameter.sets else { continue };
            let text = match (&change.to, self.sources.get(key)?) {
                (to, _) if change.dial == Dial::Key(key) => match to {
                    To::Number(number) => number.to_string().into(),
                    to => self.chosen(&draft, self.choice(to)?)?,
                },
                (_, Some(source)) => self.maker.text(level, &draft, source.label, source.point)?,
                (_, None) => continue,
            };
            self.maker.set_key(&mut draft, key, text)?;
        }
        let texts = draft.texts.into_iter();
        texts.map(|text| text.map(Cow::into_owned)).collect()
    }

    /// The first sizes, if a change is one of them.
    fn turned(&self, change: &Change) -> Option<(usize, Vec<u32>)> {
        let (key, mut sizes) = self.sizes.clone()?;
        match (change.dial, &change.to) {
            (Dial::Size(d), To::Number(number)) => *sizes.get_mut(d)? = u32::try_from(*number).ok()?,
            (Dial::Rank, To::Sizes(all)) => sizes.clone_from(all),
            _ => return None,
        }
        Some((key, sizes))
    }

    fn many(&self, key: usize, sizes: &[u32]) -> Option<String> {
        let all = self.texts.get(key)?.split(MANY);
        let first = &self.sizes.as_ref()?.1;
        let resized = |text: &str| {
            let mut own = dims(text).ok()??.to_vec();
            for (d, size) in own.iter_mut().enumerate() {
                let (old, new) = (first.get(d)?, sizes.get(d)?);
                *size = if size == old { *new } else { *size };
            }
            (own.len() == sizes.len()).then(|| dims_text(&own))
        };
        let all: Option<Vec<String>> = all.map(resized).collect();
        Some(all?.join(&MANY.to_string()))
    }

    /// How ids spell a value here; of several that stand for other numbers of the plan, the first that means something.
    fn chosen(&self, draft: &Draft<'_>, choice: &'a Choice) -> Option<Cow<'a, str>> {
        let mut points = choice.points.values();
        points.find_map(|point| self.maker.text(self.base.level(), draft, &choice.label, point))
    }
}

/// What the value of a key follows from; `None` if from nothing.
fn source<'a>(maker: &Maker<'a>, draft: &Draft<'_>, key: usize) -> Option<Source<'a>> {
    let own = draft.texts.get(key)?.as_ref()?;
    let parameter = maker.parameters.iter().find(|of| of.sets == Sets::Key(key))?;
    let follows = |point: &&Point| matches!(point, Point::Value(_) | Point::List(_));
    let all = parameter.values.iter().flat_map(|choice| {
        let points = choice.points.values().filter(follows);
        points.map(|point| Source {
            label: &choice.label,
            point,
        })
    });
    let mut all = all.filter(|source| is_variable(source.point));
    all.find(|source| maker.text(draft.level, draft, source.label, source.point).as_ref() == Some(own))
}

/// Whether an expression depends on the descriptor: a plain number does not.
fn is_variable(point: &Point) -> bool {
    match point {
        Point::Value(node) => !matches!(node.op, Op::Int(_)),
        _ => true,
    }
}

impl<'a> Maker<'a> {
    /// A draft with these values of all keys.
    fn draft_of(&self, level: FeatureLevel, texts: &[String]) -> Option<Draft<'a>> {
        let mut draft = self.blank(level);
        for (key, text) in texts.iter().enumerate() {
            self.set_key(&mut draft, key, text.clone().into())?;
        }
        Some(draft)
    }
}
