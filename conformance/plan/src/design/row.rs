//! From a key to a row: all other values follow from a hash of it, as far as the specification allows.

use std::ops::RangeInclusive;

use dml_case::id::{CaseId, MAX_LENGTH};
use dml_spec::FeatureLevel;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{
    choice::Sets,
    cover::ATTEMPTS,
    effect::applies,
    maker::{Bound, Draft, Key, Lack, Maker, Row},
};
use crate::{aliases, canonical, count_fields::lists_match_counts, layouts, verdict};

/// One of so many values of the best draft is changed in an attempt.
const CHANGED: u64 = 3;

/// One of so many values that decide about a broken rule is changed.
const OFTEN: u64 = 2;

/// One of so many values of a draft that is legal, but no row.
const RARELY: u64 = 12;

/// Bytes that an id may grow by: a row may be the base of a case of another family.
const ROOM: usize = 3;

/// As [`ROOM`], for a base of faults, whose ids name what is overridden besides: the first that some row leaves.
const ROOM_OF_BASES: [usize; 4] = [70, 45, 25, ROOM];

/// A part of the attempts is made where a value means nothing beside those before it.
const FEW: u64 = 64;

/// As [`FEW`], where a layout means nothing.
const SOME: u64 = 16;

/// A search that breaks no fewer rules for such a part of its attempts ends.
const PATIENCE: u64 = 8;

/// Attempts after which a pair is looked for at the highest level before it is looked for any longer.
const SOON: u64 = 32;

/// Worse than any rules that a draft breaks: a value means nothing beside those before it, or the layout does not.
const UNDECIDED: usize = 2000;
const UNBUILT: usize = 1000;

/// How far a draft is from a row.
fn weight(lack: &Lack) -> usize {
    match lack {
        Lack::Worse => usize::MAX,
        Lack::Meaning => UNDECIDED,
        Lack::Layout => UNBUILT,
        Lack::Rules(broken) => broken.len(),
        Lack::Size | Lack::Pattern | Lack::Place => 1,
        Lack::Length(excess) => 1 + excess,
        Lack::Effect => 0,
    }
}

/// Most elements of a row, or four times its long dimension.
const MOST: u64 = 1 << 16;

impl Maker<'_> {
    /// The row of a key at a level; `None` if there is none after so many attempts.
    pub(super) fn row(&self, level: FeatureLevel, key: &Key, attempts: u64) -> Option<Row> {
        self.salted_row(level, key, attempts, self.salt)
    }

    /// As [`Self::row`], with a salt that leads to another row.
    pub(super) fn salted_row(&self, level: FeatureLevel, key: &Key, attempts: u64, salt: u64) -> Option<Row> {
        self.search(level, key, attempts, salt).ok()
    }

    /// Whether one of the first attempts is a row: that of all attempts, then.
    pub(super) fn finds_soon(&self, level: FeatureLevel, key: &Key) -> bool {
        self.search_until(level, key, (ATTEMPTS, self.salt), SOON).is_ok()
    }

    /// The row of a key at a level, or what the best attempt at one lacked.
    pub(super) fn search(&self, level: FeatureLevel, key: &Key, attempts: u64, salt: u64) -> Result<Row, Lack> {
        self.search_until(level, key, (attempts, salt), attempts)
    }

    /// The same, which ends without a row after `most` of the attempts.
    fn search_until(
        &self,
        level: FeatureLevel,
        key: &Key,
        (attempts, salt): (u64, u64),
        most: u64,
    ) -> Result<Row, Lack> {
        let asked = (level, key.to_vec(), attempts, salt);
        if let Some(known) = self.known.borrow().get(&asked) {
            return known.clone();
        }
        let rooms = match (self.walks(), self.is_of_bases) {
            (false, _) => &[0][..],
            (true, false) => &[ROOM],
            (true, true) => &ROOM_OF_BASES,
        };
        let mut found = Err(Lack::Meaning);
        let mut shortest = 0;
        for room in rooms {
            let length = MAX_LENGTH - room;
            if length < shortest {
                continue;
            }
            found = self.search_anew(level, key, (attempts, salt, most), length);
            match &found {
                Ok(_) => break,
                // Ids as short as that are rare: there is no use in asking for some that are a little longer.
                Err(Lack::Length(excess)) => shortest = length + excess,
                Err(_) => {}
            }
        }
        if found.is_ok() || most == attempts {
            self.known.borrow_mut().insert(asked, found.clone());
        }
        found
    }

    /// The same, looked for.
    fn search_anew(
        &self,
        level: FeatureLevel,
        key: &Key,
        (attempts, salt, most): (u64, u64, u64),
        length: usize,
    ) -> Result<Row, Lack> {
        let bounds = self.bounds(level, key);
        if bounds.is_empty() || !self.may_be(level, key) {
            return Err(Lack::Meaning);
        }
        let mut name = match salt {
            0 => String::new(),
            salt => format!("{salt}:"),
        };
        for (parameter, value) in key {
            let of = self.parameters.get(*parameter).ok_or(Lack::Meaning)?;
            name.push_str(&of.name);
            name.push('=');
            name.push_str(&of.values.get(*value).ok_or(Lack::Meaning)?.label);
            name.push(',');
        }
        // Local search: each attempt changes some values of the best draft so far, that which breaks fewest rules.
        let (mut best, mut broken, mut gained) = (vec![0; self.parameters.len()], usize::MAX, 0);
        let mut lack = Lack::Meaning;
        for attempt in 0..most {
            // What means nothing is worth few attempts.
            let worth = match broken {
                UNDECIDED.. if attempt > 0 => attempts / FEW,
                UNBUILT.. if attempt > 0 => attempts / SOME,
                _ => attempts,
            };
            if attempt >= worth || attempt - gained > attempts / PATIENCE {
                break;
            }
            let mut rounds = best.clone();
            for (at, round) in rounds.iter_mut().enumerate().filter(|_| attempt > 0) {
                if broken >= UNBUILT || self.changes(&lack, attempt, at) {
                    *round = attempt;
                }
            }
            let seeds = rounds.iter().map(|round| xxh3_64_with_seed(name.as_bytes(), *round));
            match self.attempt((level, length), key, &bounds, (seeds.collect(), broken)) {
                Ok(row) => return Ok(row),
                Err(found) if weight(&found) <= broken => {
                    gained = if weight(&found) < broken { attempt } else { gained };
                    (best, broken, lack) = (rounds, weight(&found), found);
                }
                Err(_) => {}
            }
        }
        Err(lack)
    }

    /// Whether rows are searched as WalkSAT does. Operators with a meaning have rows enough without, and keep their ids.
    fn walks(&self) -> bool {
        !self.builder.is_computed()
    }

    /// Whether an attempt changes the value of a parameter. Every other step of a walk changes only what decides about one of
    /// the broken rules; a step from a draft that breaks none changes little.
    fn changes(&self, lack: &Lack, attempt: u64, parameter: usize) -> bool {
        let one_in = match lack {
            _ if !self.walks() => CHANGED,
            Lack::Rules(clauses) if !attempt.is_multiple_of(2) => {
                let turn = usize::try_from(attempt / 2).unwrap_or_default();
                let clause = clauses.get(turn.checked_rem(clauses.len()).unwrap_or_default());
                match clause.and_then(|clause| self.deciding.get(clause)) {
                    Some(deciding) if !deciding.contains(&parameter) => return false,
                    Some(_) => OFTEN,
                    None => CHANGED,
                }
            }
            Lack::Length(_) | Lack::Size | Lack::Place | Lack::Pattern | Lack::Effect => RARELY,
            Lack::Rules(_) | Lack::Worse | Lack::Meaning | Lack::Layout => CHANGED,
        };
        xxh3_64_with_seed(&parameter.to_le_bytes(), attempt).is_multiple_of(one_in)
    }

    /// The row of a key and a seed for each parameter, or what it lacks; `best` is the weight of what the best attempt lacks.
    fn attempt(
        &self,
        (level, length): (FeatureLevel, usize),
        key: &Key,
        bounds: &[&Bound],
        (seeds, best): (Vec<u64>, usize),
    ) -> Result<Row, Lack> {
        let is_bound = self.parameters.iter().position(|parameter| parameter.is_bound);
        let seed = is_bound.and_then(|at| seeds.get(at)).copied().unwrap_or_default();
        let bound = self.bound(bounds, seed).ok_or(Lack::Meaning)?;
        let mut places = bound.places.iter();
        let mut draft = self.blank(level);
        for ((at, parameter), seed) in self.parameters.iter().enumerate().zip(seeds) {
            draft.seed = seed;
            let fixed = match parameter.is_bound {
                true => places.next().copied(),
                false => key.iter().find(|(of, _)| *of == at).map(|(_, value)| *value),
            };
            if parameter.sets == Sets::Rank {
                draft.above = self.number(key, Sets::Long);
            }
            let place = self.decide(&mut draft, at, fixed, bound).ok_or(Lack::Meaning)?;
            draft.values.push((place, true));
        }
        self.finished(draft, key, (best, length))
    }

    /// The number that a key gives the parameter of a kind.
    fn number(&self, key: &Key, sets: Sets) -> Option<u32> {
        let mut all = key
            .iter()
            .filter_map(|(at, value)| Some((self.parameters.get(*at)?, *value)));
        let (parameter, value) = all.find(|(parameter, _)| parameter.sets == sets)?;
        parameter.values.get(value)?.label.parse().ok()
    }

    /// Whether a row may have a key at a level: its types and patterns fit, and so do its ranks.
    fn may_be(&self, level: FeatureLevel, key: &Key) -> bool {
        let (rank, long) = (self.number(key, Sets::Rank), self.number(key, Sets::Long));
        let is_outside = rank.zip(long).is_some_and(|(rank, long)| long >= rank);
        let is_forbidden = rank.is_some_and(|rank| !self.ranks_at(level).contains(&rank));
        let layout = key.iter().find_map(|(at, value)| {
            let parameter = self.parameters.get(*at).filter(|of| of.sets == Sets::Layout)?;
            parameter.values.get(*value).map(|choice| choice.label.as_str())
        });
        let is_idle = rank.zip(layout).is_some_and(|(rank, layout)| !applies(layout, rank));
        !is_outside && !is_forbidden && !is_idle
    }

    /// The dimension counts that the table of a level allows the tensor of the first sizes, in some group.
    pub(super) fn ranks_at(&self, level: FeatureLevel) -> RangeInclusive<u32> {
        let field = self.sizes_key.and_then(|key| self.builder.recipe.keys.get(key));
        let tensor = field.and_then(|(_, path)| self.builder.operator.fields.get(path.field()));
        let table = self.builder.operator.table_at(level);
        let rows = table.zip(tensor).map(|(table, tensor)| table.rows_of(&tensor.name));
        let rows: Vec<(u32, u32)> = rows.into_iter().flatten().map(|row| row.dimensions).collect();
        let least = rows.iter().map(|(least, _)| *least).min().unwrap_or(1);
        let most = rows.iter().map(|(_, most)| *most).max().unwrap_or(8);
        least..=most
    }

    /// The row, if the specification accepts it and what the key names has an effect.
    fn finished(&self, draft: Draft<'_>, key: &Key, (best, most): (usize, usize)) -> Result<Row, Lack> {
        let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
        let id = self.id_of(&draft).ok_or(Lack::Meaning)?;
        if let Some(excess) = id.as_str().len().checked_sub(most).filter(|excess| *excess > 0) {
            return Err(if self.walks() { Lack::Length(excess) } else { Lack::Size });
        }
        let built = self.builder.finish_within(&id, draft.descriptor, best);
        let built = built.map_err(|_| Lack::Layout)?.ok_or(Lack::Worse)?;
        if built.verdict().is_rejection() {
            return Err(Lack::Rules(
                built.violations.iter().map(|found| found.clause.to_string()).collect(),
            ));
        }
        let descriptor = built.descriptor;
        if !lists_match_counts(operator, &descriptor) {
            return Err(Lack::Meaning);
        }
        let takes = |level: &&FeatureLevel| {
            let program = self.builder.program;
            let found = program.evaluate_while(catalog, operator, &descriptor, **level, &|found| !found.runtime);
            found.is_some_and(|found| !verdict::from_violations(&found).is_rejection())
        };
        let lower = self.levels.iter().filter(|level| **level < draft.level).find(takes);
        let level = lower.copied().unwrap_or(draft.level);
        let is_large = self.elements(&descriptor) > MOST.max(4 * u64::from(draft.length));
        let has_alias = || {
            draft.alias == aliases::DEFAULT || aliases::alias_input(catalog, operator, &descriptor, draft.alias).is_ok()
        };
        if is_large || !has_alias() {
            return Err(if is_large { Lack::Size } else { Lack::Place });
        }
        let mut values = draft.values;
        for ((_, effective), parameter) in values.iter_mut().zip(self.parameters) {
            *effective = match parameter.sets {
                Sets::Layout => self.lies_otherwise(draft.layout, &descriptor),
                Sets::Values => self
                    .has_pattern(draft.pattern, &descriptor, level)
                    .ok_or(Lack::Pattern)?,
                _ => true,
            };
        }
        let has_effect =
            |(parameter, _): &(usize, usize)| values.get(*parameter).is_some_and(|(_, effective)| *effective);
        if !key.iter().all(has_effect) {
            return Err(Lack::Effect);
        }
        Ok(Row {
            id: match level == draft.level {
                true => id,
                false => CaseId::new(id.operator(), level, id.family(), id.params()),
            },
            values,
        })
    }

    /// The id of a draft at its level; `None` if some key has no value.
    fn id_of(&self, draft: &Draft<'_>) -> Option<CaseId> {
        let common = [
            ("layout", draft.layout, layouts::DEFAULT),
            ("values", draft.pattern, self.builder.recipe.values),
            ("alias", draft.alias, aliases::DEFAULT),
        ];
        let [layout, values, alias] = common.map(|(_, value, usual)| Some(value).filter(|value| *value != usual));
        let unusual = common.into_iter().filter(|(_, value, usual)| value != usual);
        let keys = self.builder.recipe.keys.iter().zip(&draft.texts);
        let params = keys.filter_map(|((name, _), text)| Some((name.as_str(), text.as_deref()?)));
        let params = params.chain(unusual.map(|(name, value, _)| (name, value)));
        let family = canonical::family_of(layout, values, alias);
        let is_whole = draft.texts.iter().all(Option::is_some);
        is_whole.then(|| CaseId::new(&self.builder.operator.name, draft.level, family.name(), params))
    }
}
