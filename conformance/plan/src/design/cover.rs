//! The covering array: every pair of values that some row can hold.

use std::collections::{BTreeSet, HashMap, HashSet};

use dml_case::id::CaseId;
use dml_spec::{FeatureLevel, model::Tier};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    choice::{Parameter, Sets},
    maker::{Lack, Maker, Row},
    together::together,
};
use crate::builder::Builder;

/// The longest dimension of smoke.
const SMOKE: u32 = 4096;

/// Attempts at a row of a pair before it is given up.
pub(super) const ATTEMPTS: u64 = 2048;

/// The rows of an operator.
#[derive(Clone, Debug, Default)]
pub struct Design {
    /// The rows, those of smoke first.
    pub rows: Vec<Row>,
    /// How many of them belong to smoke: every value of every parameter.
    pub smoke: usize,
    /// Pairs that no row was found for.
    pub given_up: Vec<[(usize, usize); 2]>,
    /// How many pairs rows hold.
    pub pairs: usize,
}

/// The rows of an operator's parameters: at smoke every value of each but the largest lengths, at least twice, and above it
/// every pair of values, at each level with a table by rows of this level and those before it. Another salt leads to other
/// rows of the same pairs.
pub fn design(builder: &Builder<'_>, parameters: &[Parameter], tier: Tier, salt: u64) -> Design {
    let levels: Vec<FeatureLevel> = builder.operator.support.iter().map(|table| table.level).collect();
    let mut maker = Maker::new(builder, parameters, &levels);
    maker.salt = salt;
    let mut array = Array {
        maker: &maker,
        smoke: Vec::new(),
        rest: Vec::new(),
        ids: HashSet::new(),
        values: HashMap::new(),
        pairs: HashMap::new(),
        given_up: BTreeSet::new(),
    };
    let (singles, pairs) = (singles(parameters), pairs(parameters));
    let Some(highest) = levels.last().copied() else {
        return Design::default();
    };
    let together = together(builder, parameters).unwrap_or_default();
    let (large, small): (Vec<_>, Vec<_>) = singles.into_iter().partition(|single| is_large(parameters, *single));
    for (singles, lowest) in [(small, Tier::Smoke), (large, Tier::Standard)] {
        // What belongs together comes before the rest of standard, which it holds a part of.
        for key in together.iter().filter(|_| lowest == Tier::Standard && lowest <= tier) {
            let _ = levels.iter().any(|level| array.add(*level, key, lowest));
        }
        for level in levels.iter().filter(|_| lowest <= tier) {
            for single in &singles {
                if array.values.get(single).is_none_or(|held| held > level) {
                    array.add(*level, &[*single], lowest);
                }
            }
        }
        for single in singles.iter().filter(|_| lowest == Tier::Smoke) {
            let _ = levels
                .iter()
                .any(|level| array.add_again(*level, &[*single], lowest, 1));
        }
    }
    // The rows of smoke do not depend on those of standard.
    for level in &levels {
        for pair in pairs.iter().filter(|_| tier > Tier::Smoke) {
            let is_held = array.pairs.get(pair).is_some_and(|held| held <= level);
            if is_held || array.given_up.contains(pair) {
                continue;
            }
            let is_hopeless = pair.iter().any(|single| array.lacks(*level, *single));
            if !is_hopeless && maker.finds_soon(*level, pair) {
                array.add(*level, pair, Tier::Standard);
                continue;
            }
            // Tables grow: what the last one has no row of, those before it have not either.
            if pair.iter().any(|single| array.lacks(highest, *single)) || maker.row(highest, pair, ATTEMPTS).is_none() {
                array.given_up.insert(*pair);
            } else if !is_hopeless {
                array.add(*level, pair, Tier::Standard);
            }
        }
    }
    let held = array.pairs;
    let given_up = array
        .given_up
        .into_iter()
        .filter(|pair| !held.contains_key(pair))
        .collect();
    Design {
        smoke: array.smoke.len(),
        rows: [array.smoke, array.rest].concat(),
        pairs: held.len(),
        given_up,
    }
}

/// Why an operator has no row at all, whatever its values; `None` if it has one.
pub fn obstacle(builder: &Builder<'_>, parameters: &[Parameter]) -> Option<String> {
    let levels: Vec<FeatureLevel> = builder.operator.support.iter().map(|table| table.level).collect();
    let maker = Maker::new(builder, parameters, &levels);
    let mut lacks = Vec::new();
    for level in levels.iter().rev() {
        match maker.search(*level, &[], ATTEMPTS, 0) {
            Ok(_) => return None,
            Err(lack) => lacks.push(lack),
        }
    }
    Some(match lacks.into_iter().max()? {
        Lack::Rules(clauses) => format!("the nearest descriptor breaks {}", clauses.join(", ")),
        Lack::Size | Lack::Length(_) => "the smallest is too large".to_owned(),
        _ => "the values do not go together, or what is derived from them has no value".to_owned(),
    })
}

/// The values that no row can hold at any level: parameter and place.
pub fn missing(builder: &Builder<'_>, parameters: &[Parameter]) -> Vec<(usize, usize)> {
    let levels: Vec<FeatureLevel> = builder.operator.support.iter().map(|table| table.level).collect();
    let maker = Maker::new(builder, parameters, &levels);
    let is_held = |single: (usize, usize)| {
        let mut levels = levels.iter().rev();
        levels.any(|level| maker.row(*level, &[single], ATTEMPTS).is_some())
    };
    singles(parameters)
        .into_iter()
        .filter(|single| !is_held(*single))
        .collect()
}

/// The combinations that no row can hold, by their places.
pub fn missing_together(builder: &Builder<'_>, parameters: &[Parameter]) -> Vec<usize> {
    let levels: Vec<FeatureLevel> = builder.operator.support.iter().map(|table| table.level).collect();
    let maker = Maker::new(builder, parameters, &levels);
    let all = together(builder, parameters).unwrap_or_default();
    let is_held = |key: &[(usize, usize)]| levels.iter().any(|level| maker.row(*level, key, ATTEMPTS).is_some());
    let unheld = all.iter().enumerate().filter(|(_, key)| !is_held(key));
    unheld.map(|(at, _)| at).collect()
}

/// A pair of values of two parameters, the first one first.
pub(super) type Pair = [(usize, usize); 2];

struct Array<'a> {
    maker: &'a Maker<'a>,
    smoke: Vec<Row>,
    rest: Vec<Row>,
    ids: HashSet<CaseId>,
    /// The lowest level of a row with a value, and with a pair of them.
    values: HashMap<(usize, usize), FeatureLevel>,
    pairs: HashMap<Pair, FeatureLevel>,
    given_up: BTreeSet<Pair>,
}

impl Array<'_> {
    /// Whether a value has no row at a level, so that no pair of it has one: none was found before, and two searches for one
    /// find none.
    fn lacks(&self, level: FeatureLevel, single: (usize, usize)) -> bool {
        let is_held = self.values.get(&single).is_some_and(|held| *held <= level);
        let again = self.maker.salt.wrapping_add(1 << 32);
        let finds = |salt| self.maker.salted_row(level, &[single], ATTEMPTS, salt).is_some();
        !is_held && !finds(self.maker.salt) && !finds(again)
    }

    /// Adds the row of a key, if there is one.
    fn add(&mut self, level: FeatureLevel, key: &[(usize, usize)], tier: Tier) -> bool {
        self.add_again(level, key, tier, 0)
    }

    /// Adds another row of the key in each round, if there is one.
    fn add_again(&mut self, level: FeatureLevel, key: &[(usize, usize)], tier: Tier, round: u64) -> bool {
        let salt = self.maker.salt.wrapping_add(round << 32);
        let Some(row) = self.maker.salted_row(level, key, ATTEMPTS, salt) else {
            return false;
        };
        let level = row.id.level();
        let numbered = row.values.iter().enumerate();
        let effective = numbered.filter(|(_, (_, effective))| *effective);
        let values = effective.map(|(parameter, (value, _))| (parameter, *value));
        let paired = row.paired(self.maker.parameters);
        for value in values {
            let held = self.values.entry(value).or_insert(level);
            *held = level.min(*held);
        }
        for (at, first) in paired.iter().enumerate() {
            for second in paired.iter().skip(at + 1) {
                let held = self.pairs.entry([*first, *second]).or_insert(level);
                *held = level.min(*held);
            }
        }
        if self.ids.insert(row.id.clone()) {
            match tier {
                Tier::Smoke => self.smoke.push(row),
                _ => self.rest.push(row),
            }
        }
        true
    }
}

/// Whether a value is a length that takes long: smoke has none of these.
fn is_large(parameters: &[Parameter], (parameter, value): (usize, usize)) -> bool {
    let lengths = parameters.get(parameter).filter(|of| of.sets == Sets::Length);
    let length = lengths.and_then(|of| of.values.get(value));
    length.is_some_and(|choice| choice.label.parse().is_ok_and(|length: u32| length > SMOKE))
}

/// Every value of every parameter, by hash.
fn singles(parameters: &[Parameter]) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        for (value, choice) in parameter.values.iter().enumerate() {
            all.push((
                xxh3_64(format!("{}={}", parameter.name, choice.label).as_bytes()),
                (at, value),
            ));
        }
    }
    all.sort_unstable();
    all.into_iter().map(|(_, single)| single).collect()
}

/// Every pair of values of two parameters: first those of layouts and patterns, of which there are most, then the others by
/// hash. That most rows are keyed by the same two parameters, whatever values they have, is what keeps ids.
pub(super) fn pairs(parameters: &[Parameter]) -> Vec<Pair> {
    let mut all = Vec::new();
    for (first, one) in parameters.iter().enumerate() {
        for (second, other) in parameters.iter().enumerate().skip(first + 1) {
            let is_later = (one.sets, other.sets) != (Sets::Layout, Sets::Values);
            for (a, x) in one.values.iter().enumerate().filter(|(_, choice)| !choice.alone) {
                for (b, y) in other.values.iter().enumerate().filter(|(_, choice)| !choice.alone) {
                    let name = format!("{}={},{}={}", one.name, x.label, other.name, y.label);
                    all.push((is_later, xxh3_64(name.as_bytes()), [(first, a), (second, b)]));
                }
            }
        }
    }
    all.sort_unstable();
    all.into_iter().map(|(_, _, pair)| pair).collect()
}
