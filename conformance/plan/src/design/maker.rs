//! What rows are made of, and with.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use dml_case::id::CaseId;
use dml_spec::{Descriptor, FeatureLevel, Value, model::Family, rule::typed::mentioned};

use super::choice::{Parameter, Sets};
use crate::{aliases, builder::Builder, canonical, layouts};

/// A row: a value of every parameter.
#[derive(Clone, Debug)]
pub struct Row {
    /// The id of the case, at the lowest level whose tables allow it.
    pub id: CaseId,
    /// For each parameter the place of its value, and whether that has an effect.
    pub values: Vec<(usize, bool)>,
}

impl Row {
    /// The id of the case in another family.
    pub(super) fn id_in(&self, family: Family) -> CaseId {
        CaseId::new(self.id.operator(), self.id.level(), family.name(), self.id.params())
    }

    /// Parameters and places of the values that have an effect and enter pairs.
    pub(super) fn paired(&self, parameters: &[Parameter]) -> Vec<(usize, usize)> {
        let numbered = self.values.iter().enumerate().zip(parameters);
        let paired = numbered.filter(|((_, (value, effective)), of)| {
            *effective && of.values.get(*value).is_some_and(|choice| !choice.alone)
        });
        paired.map(|((at, (value, _)), _)| (at, *value)).collect()
    }

    /// What the case is about.
    pub fn family(&self) -> Family {
        canonical::family_of(self.id.get("layout"), self.id.get("values"), self.id.get("alias"))
    }
}

/// Values that a row has to have: parameter and place of the value.
pub(super) type Key = [(usize, usize)];

/// What makes rows.
pub(super) struct Maker<'a> {
    pub(super) builder: &'a Builder<'a>,
    pub(super) parameters: &'a [Parameter],
    /// Levels with tables, the lowest first.
    pub(super) levels: &'a [FeatureLevel],
    /// For each of them what data types and enumerations it takes together.
    pub(super) bound: Vec<Vec<Bound>>,
    /// Another salt leads to other rows of the same keys.
    pub(super) salt: u64,
    /// Rows are bases of faults, whose ids need room.
    pub(super) is_of_bases: bool,
    /// For each clause the parameters that set what its rule mentions, and the numbers that those may be made of.
    pub(super) deciding: HashMap<String, BTreeSet<usize>>,
    /// A descriptor in which nothing is decided.
    blank: Descriptor,
    /// The key of the first sizes, which no parameter decides as a whole.
    pub(super) sizes_key: Option<usize>,
    /// Values of attributes by their spellings, for each key.
    pub(super) spelled: Vec<RefCell<HashMap<&'a str, Value>>>,
    /// What searches came to: the same ones are made for several levels.
    pub(super) known: RefCell<HashMap<Asked, Result<Row, Lack>>>,
}

/// A level, a key, attempts, and a salt.
pub(super) type Asked = (FeatureLevel, Vec<(usize, usize)>, u64, u64);

impl<'a> Maker<'a> {
    /// What makes the rows of an operator.
    pub(super) fn new(builder: &'a Builder<'a>, parameters: &'a [Parameter], levels: &'a [FeatureLevel]) -> Self {
        let mut maker = Self {
            builder,
            parameters,
            levels,
            bound: Vec::new(),
            salt: 0,
            is_of_bases: false,
            deciding: HashMap::new(),
            blank: builder.blank(),
            sizes_key: None,
            spelled: builder.recipe.keys.iter().map(|_| RefCell::default()).collect(),
            known: RefCell::default(),
        };
        let is_free = |key: &usize| !parameters.iter().any(|parameter| parameter.sets == Sets::Key(*key));
        maker.sizes_key = (0..builder.recipe.keys.len()).find(is_free);
        maker.deciding = maker.list_deciding();
        maker.bound = levels.iter().map(|level| maker.bound_at(*level)).collect();
        maker
    }

    /// What [`Self::deciding`] holds.
    fn list_deciding(&self) -> HashMap<String, BTreeSet<usize>> {
        let mut all: HashMap<String, BTreeSet<usize>> = HashMap::new();
        for check in &self.builder.program.checks {
            let mut fields: BTreeSet<usize> = check.subject.into_iter().collect();
            fields.extend(mentioned(check.text.iter().chain(&check.runtime)));
            let decides = |parameter: &Parameter| match parameter.sets {
                Sets::Number => true,
                Sets::Key(_) => self.path(parameter).is_some_and(|path| fields.contains(&path.field())),
                _ => false,
            };
            let numbered = self.parameters.iter().enumerate();
            let deciding = numbered.filter(|(_, parameter)| decides(parameter)).map(|(at, _)| at);
            all.entry(check.clause.to_string()).or_default().extend(deciding);
        }
        all
    }

    pub(super) fn blank(&self, level: FeatureLevel) -> Draft<'a> {
        Draft {
            level,
            seed: 0,
            descriptor: self.blank.clone(),
            texts: vec![None; self.builder.recipe.keys.len()],
            numbers: Vec::new(),
            rank: 0,
            above: None,
            ones: Vec::new(),
            long: 0,
            length: 0,
            layout: layouts::DEFAULT,
            pattern: self.builder.recipe.values,
            alias: aliases::DEFAULT,
            values: Vec::new(),
        }
    }
}

/// What a draft lacks to be a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lack {
    /// It breaks more clauses than the best draft so far.
    Worse,
    /// A value means nothing beside those before it.
    Meaning,
    /// The layout means nothing for these sizes.
    Layout,
    /// It breaks clauses.
    Rules(Vec<String>),
    /// It is larger than rows may be.
    Size,
    /// Its id is longer than ids may be, by so many bytes.
    Length(usize),
    /// The pattern means nothing for these sizes.
    Pattern,
    /// No output may lie in the place of that input.
    Place,
    /// It is a legal case, on which the key has no effect.
    Effect,
}

/// Data types and enumerations that a level takes together.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// The place of the value of each bound parameter.
    pub(super) places: Vec<usize>,
    /// Of parameters that are patterns of data, the places of those that the types have, in ascending order.
    pub(super) patterns: BTreeMap<usize, Vec<usize>>,
}

impl Bound {
    /// Whether a value of a parameter means something for these types.
    pub(super) fn means(&self, parameter: usize, value: usize) -> bool {
        self.patterns
            .get(&parameter)
            .is_none_or(|places| places.contains(&value))
    }
}

/// A row as far as it is decided.
pub(super) struct Draft<'a> {
    pub(super) level: FeatureLevel,
    /// Of the parameter that is being decided.
    pub(super) seed: u64,
    pub(super) descriptor: Descriptor,
    /// How ids spell the values of the keys.
    pub(super) texts: Vec<Option<Cow<'a, str>>>,
    pub(super) numbers: Vec<&'a str>,
    pub(super) rank: u32,
    /// The dimension that the key wants long: there are more than so many.
    pub(super) above: Option<u32>,
    pub(super) ones: Vec<bool>,
    pub(super) long: u32,
    pub(super) length: u32,
    pub(super) layout: &'a str,
    pub(super) pattern: &'a str,
    pub(super) alias: &'a str,
    pub(super) values: Vec<(usize, bool)>,
}
