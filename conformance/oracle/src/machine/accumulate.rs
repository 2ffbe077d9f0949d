//! What a form keeps for each outer point while its points go by.

use dml_spec::{
    meaning::{Node, typed::Kind},
    rule::typed::Binary,
};
use smallvec::{SmallVec, smallvec};

use super::{Eval, Machine, fault};
use crate::{
    arena::Arena,
    column::{Bools, Ints, Reals, Truth, Value, Whole},
    product::Product,
    real::{Arithmetic, Real},
    tally::{Sums, Tally},
    whole::{plus, times},
};

/// What is kept for the outer points of a form.
pub(crate) struct Accumulator {
    kind: Kind,
    /// Whole numbers become reals as they come, because a later value is real.
    real: bool,
    /// Whole numbers came, and reals came.
    came: [bool; 2],
    /// More places may be the result than are told apart.
    crowded: bool,
    seen: SmallVec<[u32; 4]>,
    /// 1 + the number of the clause that leaves the result open.
    open: SmallVec<[u16; 4]>,
    wholes: SmallVec<[i128; 1]>,
    tallies: Vec<Tally>,
    products: Vec<Product>,
    extremes: Vec<Option<Real>>,
    truths: Vec<Truth>,
    /// Points that hold, and those of which rounding decides.
    counts: Vec<(i128, i128)>,
    /// Places that may be the result, with their keys.
    places: Vec<Vec<(i64, Key)>>,
}

/// A key of an extreme.
#[derive(Clone, Copy)]
enum Key {
    Whole(i128),
    Real(Real),
    None,
}

impl Accumulator {
    pub(crate) fn new(kind: Kind, points: usize, real: bool) -> Self {
        let (all, start) = (matches!(kind, Kind::All), i128::from(kind == Kind::Product));
        let some = |wanted: bool| if wanted { points } else { 0 };
        let places = matches!(kind, Kind::First | Kind::Last | Kind::ArgMin | Kind::ArgMax);
        Self {
            real,
            came: [false; 2],
            crowded: false,
            seen: smallvec![0; points],
            open: smallvec![0; points],
            wholes: smallvec![start; points],
            tallies: Vec::new(),
            products: Vec::new(),
            extremes: vec![None; some(matches!(kind, Kind::Min | Kind::Max))],
            truths: vec![Truth::of(all); some(matches!(kind, Kind::All | Kind::Any))],
            counts: vec![(0, 0); some(kind == Kind::Count)],
            places: vec![Vec::new(); some(places)],
            kind,
        }
    }

    /// Whether some values were whole numbers and some reals: then all have to be reals.
    pub(crate) fn is_mixed(&self) -> bool {
        !self.real && self.came == [true, true]
    }

    pub(crate) fn points(&self) -> usize {
        self.seen.len()
    }

    /// The result of this point is open.
    pub(crate) fn taint(&mut self, point: usize, open: u16) {
        self.opened(point, open);
        self.seen[point] = self.seen[point].max(1);
    }

    /// A value of this point is open, if `open` is not 0; of several, the first one names the clause.
    #[inline]
    fn opened(&mut self, point: usize, open: u16) {
        if self.open[point] == 0 {
            self.open[point] = open;
        }
    }

    /// Outer points of which no point counted; of `first` and `last`, those where nothing holds.
    pub(crate) fn empty(&self) -> Vec<u32> {
        let nothing = |point: &usize| match self.kind {
            Kind::First | Kind::Last => self.open[*point] == 0 && self.places[*point].is_empty(),
            Kind::Min | Kind::Max | Kind::ArgMin | Kind::ArgMax => self.seen[*point] == 0,
            _ => false,
        };
        (0..self.points()).filter(nothing).map(|point| point as u32).collect()
    }

    /// Takes values in; `of` says to which outer point each belongs, `places` where it stands in the domain.
    pub(crate) fn take(
        &mut self,
        machine: &Machine<'_>,
        node: &Node,
        value: &Value,
        of: &[u32],
        places: &[i64],
        a: &Arithmetic,
    ) -> Eval<()> {
        self.came[usize::from(matches!(value, Value::Real(_)))] |= matches!(value, Value::Int(_) | Value::Real(_));
        let converted;
        let value = match value {
            Value::Int(_) if self.real => {
                converted = Value::Real(machine.as_reals(node, value, of.len(), a)?);
                &converted
            }
            other => other,
        };
        match (&self.kind, value) {
            (Kind::All | Kind::Any | Kind::Count | Kind::First | Kind::Last, Value::Bool(bools)) => {
                self.take_truths(bools, of, places);
                Ok(())
            }
            (Kind::Sum | Kind::Product, Value::Int(ints)) if self.tallies.is_empty() && self.products.is_empty() => {
                self.take_wholes(machine, node, ints, of, a)
            }
            (Kind::Sum, Value::Int(_) | Value::Real(_)) => {
                let reals = machine.as_reals(node, value, of.len(), a)?;
                self.take_terms(&reals, of, a);
                Ok(())
            }
            (Kind::Product, Value::Int(_) | Value::Real(_)) => {
                let reals = machine.as_reals(node, value, of.len(), a)?;
                self.products.resize(self.points(), Product::default());
                for (at, point) in of.iter().enumerate() {
                    self.products[*point as usize].multiply(Arena::hulled(reals.get(at)), a);
                }
                Ok(())
            }
            (Kind::Min | Kind::Max, Value::Int(_) | Value::Real(_)) => self.take_extremes(machine, node, value, of, a),
            (Kind::ArgMin | Kind::ArgMax, Value::Int(_) | Value::Real(_)) => {
                self.take_keys(machine, value, of, places, a);
                Ok(())
            }
            _ => fault(node, "the values of this form are of the wrong kind"),
        }
    }

    fn take_truths(&mut self, bools: &Bools, of: &[u32], places: &[i64]) {
        for (at, point) in of.iter().enumerate() {
            let point = *point as usize;
            let truth = bools.get(at);
            self.seen[point] = 1;
            match self.kind {
                Kind::First if self.is_settled(point) => {}
                Kind::All => self.truths[point] = self.truths[point].and(truth),
                Kind::Any => self.truths[point] = self.truths[point].or(truth),
                _ if truth.open != 0 => self.open[point] = truth.open,
                Kind::Count => {
                    let (sure, perhaps) = &mut self.counts[point];
                    *sure += i128::from(truth.is_true());
                    *perhaps += i128::from(truth.is_undecided());
                }
                _ => self.take_place(point, truth, places[at]),
            }
        }
    }

    /// Whether a place is known that is surely the last to be asked for.
    fn is_settled(&self, point: usize) -> bool {
        let places = self.places[point].last();
        places.is_some_and(|(_, key)| matches!(key, Key::None))
    }

    /// `first` and `last`: the sure place, and what may come before or after it.
    fn take_place(&mut self, point: usize, truth: Truth, place: i64) {
        if truth.is_false() {
            return;
        }
        let known = &mut self.places[point];
        if self.kind == Kind::Last && truth.is_true() {
            known.clear();
            self.open[point] = 0;
        }
        if known.len() > crate::arena::MOST {
            self.crowded = true;
            return;
        }
        // A place that rounding decides has a key, a sure one has none.
        let key = if truth.is_true() { Key::None } else { Key::Whole(0) };
        known.push((place, key));
    }

    fn take_wholes(&mut self, machine: &Machine<'_>, node: &Node, ints: &Ints, of: &[u32], a: &Arithmetic) -> Eval<()> {
        let product = self.kind == Kind::Product;
        for (at, point) in of.iter().enumerate() {
            let point = *point as usize;
            let whole = ints.get(at);
            if whole.open != 0 {
                self.opened(point, whole.open);
                continue;
            }
            if whole.outcomes != 0 && machine.arena.wholes(whole).len() > 1 {
                return fault(node, "rounding decides a whole number that is summed up");
            }
            let total = &mut self.wholes[point];
            *total = match (product, a.wraps) {
                (false, true) => total.wrapping_add(whole.value),
                (true, true) => total.wrapping_mul(whole.value),
                (false, false) => match plus(*total, whole.value) {
                    Some(sum) => sum,
                    None => return fault(node, "a sum beyond 128 bits"),
                },
                (true, false) => times(*total, whole.value),
            };
            self.seen[point] = 1;
        }
        Ok(())
    }

    fn take_terms(&mut self, reals: &Reals, of: &[u32], a: &Arithmetic) {
        self.tallies.resize(self.points(), Tally::default());
        let mut start = 0;
        // Terms of a point follow each other: its sum is at hand for all of them.
        for run in of.chunk_by(|a, b| a == b) {
            let terms = start..start + run.len();
            start = terms.end;
            let Some(tally) = run.first().and_then(|point| self.tallies.get_mut(*point as usize)) else {
                continue;
            };
            let mut sum = *tally;
            match reals {
                Reals::Exact { numbers, .. } if numbers.len() == of.len() => {
                    numbers[terms].iter().for_each(|number| sum.add_exact(*number));
                }
                Reals::Bound(reals) if reals.len() == of.len() => {
                    reals[terms].iter().for_each(|real| sum.add(Arena::hulled(*real), a));
                }
                _ => terms.for_each(|at| sum.add(Arena::hulled(reals.get(at)), a)),
            }
            *tally = sum;
        }
    }

    fn take_extremes(
        &mut self,
        machine: &Machine<'_>,
        node: &Node,
        value: &Value,
        of: &[u32],
        a: &Arithmetic,
    ) -> Eval<()> {
        let least = self.kind == Kind::Min;
        if let Value::Int(ints) = value {
            for (at, point) in of.iter().enumerate() {
                let point = *point as usize;
                let whole = ints.get(at);
                if whole.open != 0 {
                    self.opened(point, whole.open);
                } else if whole.outcomes != 0 {
                    return fault(node, "rounding decides a whole number that is compared");
                }
                let known = self.wholes[point];
                let first = self.seen[point] == 0;
                let better = if least {
                    whole.value < known
                } else {
                    whole.value > known
                };
                if first || better {
                    self.wholes[point] = whole.value;
                }
                self.seen[point] = 1;
            }
            return Ok(());
        }
        let reals = machine.as_reals(node, value, of.len(), a)?;
        for (at, point) in of.iter().enumerate() {
            let point = *point as usize;
            if let (Reals::Exact { numbers, .. }, Some(known)) = (&reals, &self.extremes[point])
                && known.is_exact()
                && numbers.get(at).is_some_and(|number| {
                    if least {
                        *number > known.value
                    } else {
                        *number < known.value
                    }
                })
            {
                continue;
            }
            let real = Arena::hulled(reals.get(at));
            self.opened(point, real.open);
            let joined = match self.extremes[point] {
                None => real,
                Some(known) if least => Real::min(known, real, &a.format),
                Some(known) => Real::max(known, real, &a.format),
            };
            self.extremes[point] = Some(joined);
            self.seen[point] = 1;
        }
        Ok(())
    }

    fn take_keys(&mut self, machine: &Machine<'_>, value: &Value, of: &[u32], places: &[i64], a: &Arithmetic) {
        let better = if self.kind == Kind::ArgMin {
            Binary::Lt
        } else {
            Binary::Gt
        };
        for (at, point) in of.iter().enumerate() {
            let point = *point as usize;
            let key = match value {
                Value::Int(ints) => {
                    let whole = ints.get(at);
                    self.opened(point, whole.open);
                    Key::Whole(whole.value)
                }
                Value::Real(reals) => {
                    let real = Arena::hulled(reals.get(at));
                    self.opened(point, real.open);
                    Key::Real(real)
                }
                _ => Key::None,
            };
            self.seen[point] = 1;
            // Whatever else comes, the result is open.
            if self.open[point] != 0 {
                self.places[point].clear();
                continue;
            }
            let known = &mut self.places[point];
            // A candidate that a new key surely beats is none; a new key that does not surely lose is one.
            let beats = |key: &Key, other: &Key| match (key, other) {
                (Key::Whole(x), Key::Whole(y)) => Truth::of(if better == Binary::Lt { x < y } else { x > y }),
                (Key::Real(x), Key::Real(y)) => machine.compared_reals(better, *x, *y, a),
                _ => Truth::FALSE,
            };
            if known.iter().any(|(_, other)| beats(&key, other).is_false()) {
                continue;
            }
            known.retain(|(_, other)| !beats(&key, other).is_true());
            if known.len() > crate::arena::MOST {
                self.crowded = true;
                return;
            }
            known.push((places[at], key));
        }
    }

    /// A sum, without the bound of its additions.
    pub(crate) fn sums(mut self) -> Sums {
        if self.tallies.is_empty() {
            return Sums::Value(Value::Int(self.whole_column()));
        }
        for (tally, open) in self.tallies.iter_mut().zip(&self.open) {
            if *open != 0 {
                tally.taint(*open);
            }
        }
        Sums::Tallies(self.tallies)
    }

    fn whole_column(&self) -> Ints {
        let one = |(value, open): (&i128, &u16)| Whole {
            open: *open,
            ..Whole::exact(*value)
        };
        Ints::collect(self.wholes.iter().zip(&self.open).map(one).collect())
    }

    /// The result; `points` gives the values of places of the domain.
    pub(crate) fn value(
        &self,
        machine: &Machine<'_>,
        node: &Node,
        _reduction: &dml_spec::meaning::typed::Reduction,
        points: &dyn Fn(&Ints, usize) -> Value,
        a: &Arithmetic,
    ) -> Eval {
        let count = self.points();
        match self.kind {
            Kind::All | Kind::Any => {
                // What an open filter lets through may decide, unless something else did.
                let one = |(truth, open): (&Truth, &u16)| match (*open, &self.kind) {
                    (0, _) => *truth,
                    (open, Kind::All) => truth.and(Truth::open(open)),
                    (open, _) => truth.or(Truth::open(open)),
                };
                Ok(Value::Bool(Bools::collect(
                    self.truths.iter().zip(&self.open).map(one).collect(),
                )))
            }
            Kind::Product if !self.products.is_empty() => {
                let one = |(product, open): (&Product, &u16)| match open {
                    0 => match product.outcomes(a) {
                        (one, None) => one,
                        (one, Some(other)) => machine.arena.one_of([one, other]),
                    },
                    open => Real::open(open - 1),
                };
                let totals = self.products.iter().zip(&self.open).map(one).collect();
                Ok(Value::Real(super::numeric::tidy(totals)))
            }
            Kind::Min | Kind::Max if self.extremes.iter().any(Option::is_some) => {
                let one = |(extreme, open): (&Option<Real>, &u16)| match open {
                    0 => extreme.unwrap_or(Real::exact(0.0)),
                    open => Real::open(open - 1),
                };
                Ok(Value::Real(Reals::collect(
                    self.extremes.iter().zip(&self.open).map(one).collect(),
                )))
            }
            Kind::Count => {
                let one = |((sure, perhaps), open): (&(i128, i128), &u16)| match open {
                    0 => machine.arena.whole_of((*sure..=sure + perhaps).map(Whole::exact)),
                    open => Some(Whole {
                        open: *open,
                        ..Whole::exact(0)
                    }),
                };
                match self
                    .counts
                    .iter()
                    .zip(&self.open)
                    .map(one)
                    .collect::<Option<Vec<Whole>>>()
                {
                    Some(wholes) => Ok(Value::Int(Ints::collect(wholes))),
                    None => fault(node, "rounding decides too many of what is counted"),
                }
            }
            Kind::First | Kind::Last | Kind::ArgMin | Kind::ArgMax => self.place_values(machine, node, points, count),
            _ => Ok(Value::Int(self.whole_column())),
        }
    }

    fn place_values(
        &self,
        machine: &Machine<'_>,
        node: &Node,
        points: &dyn Fn(&Ints, usize) -> Value,
        count: usize,
    ) -> Eval {
        if self.crowded {
            return fault(node, "rounding leaves too many places");
        }
        let one = |(places, open): (&Vec<(i64, Key)>, &u16)| match open {
            0 => machine
                .arena
                .whole_of(places.iter().map(|(place, _)| Whole::exact((*place).into()))),
            open => Some(Whole {
                open: *open,
                ..Whole::exact(0)
            }),
        };
        match self
            .places
            .iter()
            .zip(&self.open)
            .map(one)
            .collect::<Option<Vec<Whole>>>()
        {
            Some(wholes) => machine.spread(&[Ints::collect(wholes)], count, |places, count, _| {
                Ok(points(places.first().unwrap_or(&Ints::One(0)), count))
            }),
            None => fault(node, "rounding leaves too many places"),
        }
    }
}
