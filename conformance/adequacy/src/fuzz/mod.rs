//! Random cases beyond the corpus: any rank, sizes, numbers, types, layouts and values, and broken descriptors.
//!
//! The draws are ids of the plan, so that every case found this way can be shown, listed and run by its id. The n-th
//! case of a seed is always the same, regardless of earlier ones.

mod draw;
mod rows;
mod shapes;
mod walk;

pub use walk::walks;

use std::{
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use dml_spec::{
    FeatureLevel,
    model::{Family, Operator},
};

use self::{draw::Drawing, rows::Rows};
use dml_case::{case::Case, query::Query, random::Random};
use dml_plan::{
    builder::Builder,
    design::{Parameter, parameters},
    planner::Planner,
};
use dml_run::engine::{Source, Unit};

/// Cases of a unit.
const UNIT: u64 = 1024;

/// What is drawn: examples and cells are few.
const DRAWN: [Family; 5] = [
    Family::Sizes,
    Family::Values,
    Family::Layout,
    Family::InPlace,
    Family::Faults,
];

/// Draws until one fits.
const TRIES: usize = 400;

/// No backend answers faster; units are made for this many cases.
const MOST_A_SECOND: u64 = 200_000;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// After this many cases.
    Cases(u64),
    /// When so much time is up.
    Time(Duration),
}

/// What is drawn.
#[derive(Debug)]
pub struct Fuzz {
    suite: Arc<Planner>,
    queries: Vec<Query>,
    families: Vec<Choice>,
    /// Those of each operator of the catalog.
    parameters: Vec<Vec<Parameter>>,
    /// What the plan has of each operator, once it is drawn.
    rows: Vec<OnceLock<Rows>>,
    seed: u64,
    limit: Limit,
    started: Instant,
    wide: bool,
}

/// A place to draw cases from: operator, level, family.
#[derive(Clone, Copy, Debug)]
struct Choice {
    operator: usize,
    level: FeatureLevel,
    family: Family,
}

impl Fuzz {
    /// Draws cases that one of the queries matches, of tables up to a level; of any if there is no query.
    ///
    /// # Errors
    /// If nothing can be drawn.
    pub fn new(
        suite: Arc<Planner>,
        queries: Vec<Query>,
        operators: &[String],
        level: FeatureLevel,
        seed: u64,
        limit: Limit,
    ) -> Result<Self, String> {
        let mut families = Vec::new();
        for (index, operator) in suite.catalog.operators.iter().enumerate() {
            if !operators.iter().any(|name| operator.name == *name) {
                continue;
            }
            let tables = operator.support.iter().map(|table| table.level).filter(|l| *l <= level);
            for level in tables {
                for family in DRAWN {
                    let asked = |query: &Query| query.may_be(&operator.name, level, family.name());
                    let wanted = queries.is_empty() || queries.iter().any(asked);
                    let may_be = family != Family::InPlace || operator.shared_inputs().next().is_some();
                    if wanted && may_be && !operator.cases.keys.is_empty() {
                        families.push(Choice {
                            operator: index,
                            level,
                            family,
                        });
                    }
                }
            }
        }
        if families.is_empty() {
            return Err(undrawable(&suite, operators, level));
        }
        let all = 0..suite.catalog.operators.len();
        let of = |at| Builder::new(&suite, at).and_then(|builder| parameters(&builder).ok());
        let parameters = all.clone().map(|at| of(at).unwrap_or_default()).collect();
        let fuzz = Self {
            suite,
            parameters,
            rows: all.map(|_| OnceLock::new()).collect(),
            queries,
            families,
            seed,
            limit,
            started: Instant::now(),
            wide: false,
        };
        match (0..16).find_map(|number| fuzz.case(number)) {
            Some(_) => Ok(fuzz),
            None => Err("no drawn case fits the queries; use wider queries".to_owned()),
        }
    }

    /// The same, with large tensors as well and without seeds.
    #[must_use]
    pub fn wide(self) -> Self {
        Self { wide: true, ..self }
    }

    /// Units that cover everything to be drawn.
    pub fn units(self) -> Vec<Unit> {
        let cases = match self.limit {
            Limit::Cases(cases) => cases,
            Limit::Time(time) => time.as_secs().saturating_add(1).saturating_mul(MOST_A_SECOND),
        };
        let source: Arc<dyn Source> = Arc::new(self);
        let made = |number| Unit::Made(Arc::clone(&source), number);
        (0..cases.div_ceil(UNIT)).map(made).collect()
    }

    /// The case of this number; `None` if no draw fits.
    pub fn case(&self, number: u64) -> Option<Case> {
        let mut random = Random::new(&format!("case {number}"), self.seed);
        (0..TRIES).find_map(|_| self.attempt(&mut random))
    }

    fn attempt(&self, random: &mut Random) -> Option<Case> {
        let choice = self.choose(random)?;
        let at = random.below(self.queries.len() as u64) as usize;
        let rows = self.rows.get(choice.operator)?.get_or_init(|| self.rows(choice));
        let drawing = Drawing {
            query: self.queries.get(at),
            rows: Some(rows).filter(|rows| choice.family == Family::Faults || !rows.is_empty()),
            ..self.drawing(choice)?
        };
        let case = drawing.case(random)?;
        let matches = self.queries.is_empty() || self.queries.iter().any(|query| query.matches(&case.id));
        matches.then_some(case)
    }

    /// Draws of a choice, whatever the queries are.
    fn drawing(&self, choice: Choice) -> Option<Drawing<'_>> {
        Some(Drawing {
            builder: Builder::new(&self.suite, choice.operator)?,
            level: choice.level,
            family: choice.family,
            query: None,
            parameters: self.parameters.get(choice.operator).map_or(&[], Vec::as_slice),
            wide: self.wide,
            rows: None,
            steps: 1..=2,
        })
    }

    /// What draws of an operator start from beside what is drawn freely: nothing where a free draw of the last table is
    /// valid, since planning takes much longer than draws.
    fn rows(&self, choice: Choice) -> Rows {
        let Some(mut drawing) = self.drawing(choice) else {
            return Rows::default();
        };
        // Whichever choice comes first, the answer is the same.
        let last = drawing.builder.operator.support.last();
        drawing.level = last.map_or(choice.level, |table| table.level);
        drawing.family = Family::Faults;
        let mut random = Random::of(0);
        match (0..TRIES).any(|_| drawing.case(&mut random).is_some()) {
            true => Rows::default(),
            false => Rows::of(&drawing.builder, choice.operator),
        }
    }

    /// One in eight is a broken descriptor, if both kinds are asked for.
    fn choose(&self, random: &mut Random) -> Option<Choice> {
        let broken = random.below(8) == 0;
        let fitting: Vec<&Choice> = self
            .families
            .iter()
            .filter(|choice| (choice.family == Family::Faults) == broken)
            .collect();
        let from = if fitting.is_empty() {
            self.families.iter().collect()
        } else {
            fitting
        };
        from.get(random.below(from.len() as u64) as usize)
            .map(|choice| **choice)
    }
}

/// Why nothing can be drawn, and what can.
fn undrawable(suite: &Planner, operators: &[String], level: FeatureLevel) -> String {
    let known = suite.catalog.operators.iter();
    let is_run = |o: &&Operator| o.is_computed() && operators.iter().any(|name| o.name == *name);
    let known: Vec<_> = known.filter(is_run).collect();
    let names: Vec<&str> = known.iter().map(|operator| &*operator.name).collect();
    let lowest = known.iter().map(|operator| operator.introduced).min();
    match lowest {
        None => "the backend has no operator of the specification".to_owned(),
        Some(lowest) if lowest > level => {
            format!("no operator of the backend exists at level {level}; the first does from {lowest} on")
        }
        Some(_) => format!(
            "the queries match nothing that can be drawn; the backend has the operators {}",
            names.join(", ")
        ),
    }
}

impl Source for Fuzz {
    fn next(&self, unit: u64, place: u64) -> Option<Case> {
        let mut number = unit * UNIT + place;
        let is_over = match self.limit {
            Limit::Cases(cases) => number >= cases,
            Limit::Time(time) => self.started.elapsed() >= time,
        };
        if place >= UNIT || is_over {
            return None;
        }
        // If a number gives no case, a distant one is as good.
        for _ in 0..64 {
            if let Some(case) = self.case(number) {
                return Some(case);
            }
            number = number.wrapping_add(1 << 40);
        }
        None
    }
}

#[cfg(test)]
mod tests;
