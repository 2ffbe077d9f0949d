//! Forms along a sequence: the order of its elements, every partial sum or product, every state.

use std::rc::Rc;

use dml_spec::meaning::{
    Node,
    typed::{Kind, Reduction},
};

use super::{Eval, Machine, fault};
use crate::{
    column::{Bools, Ints, Reals, Row, Store, Value, Whole},
    product::Product,
    real::{Arithmetic, Real},
    space::Space,
    tally::Tally,
};

/// Points of a sequence that are evaluated at once.
const CHUNK: usize = 1024;

impl Machine<'_> {
    /// The body at each number of the range, for each point: one store, a row for each point.
    fn along(
        &self,
        node: &Node,
        reduction: &Reduction,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval<(Store, usize, i128)> {
        let (Some(bound), Some(body)) = (reduction.binders.first(), &reduction.body) else {
            return fault(node, "the form has no values");
        };
        let domain = self.domain(&reduction.binders, space, a)?;
        let Some((from, len)) = domain.range() else {
            return fault(node, "the form has no range");
        };
        let Ok(len) = usize::try_from(len) else {
            return fault(node, "the range is too long");
        };
        let total = crate::limits::entries(node, space.points, len)?;
        let mut store: Option<Store> = None;
        let mut start = 0;
        while start < total {
            let count = CHUNK.min(total - start);
            let (mut of, mut numbers) = (Vec::with_capacity(count), Vec::with_capacity(count));
            while of.len() < count {
                let (row, place) = ((start + of.len()) / len, (start + of.len()) % len);
                let run = (len - place).min(count - of.len());
                of.resize(of.len() + run, row as u32);
                let first = from as i64 + place as i64;
                numbers.extend(first..first + run as i64);
            }
            let inner = Space::child(space, Rc::new(of));
            inner.bind(bound.slot, Value::Int(Ints::narrow(numbers)));
            let value = self.eval(body, &inner, a)?;
            let value = self.plain_rows(body, value, count)?;
            let block = crate::store::keep(&value, count);
            store = match (store, block) {
                (None, block) => block,
                (Some(before), Some(block)) => before.append(block),
                (Some(_), None) => None,
            };
            if store.is_none() {
                return fault(body, "the values have to be of one kind");
            }
            start += count;
        }
        Ok((store.unwrap_or(Store::Int(Vec::new())), len, from))
    }

    /// A list of `len` for each point, out of one store.
    fn rows(store: Store, len: usize, points: usize) -> Value {
        Value::Row(Row {
            store: Rc::new(store),
            len,
            row: Ints::narrow((0..points as i64).collect()),
        })
    }

    /// `order`: the numbers of the range sorted by their keys, stable. A sequence with a key that is open is open.
    pub(crate) fn ordered(
        &self,
        node: &Node,
        reduction: &Reduction,
        direction: Option<&Node>,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let descending = match direction {
            None => false,
            Some(direction) => match self.eval(direction, space, a)? {
                Value::Int(ints) => ints.uniform() != Some(0),
                Value::Bool(Bools::One(truth)) => truth.is_true(),
                _ => return fault(node, "the direction has to be one for all elements"),
            },
        };
        let (store, len, from) = self.along(node, reduction, space, a)?;
        let rows = space.points;
        let mut sorted: Vec<i64> = Vec::with_capacity(rows * len);
        let mut open: Vec<u16> = vec![0; rows];
        let mut pairs = Vec::with_capacity(len);
        for (row, open) in open.iter_mut().enumerate() {
            let range = row * len..(row + 1) * len;
            match &store {
                Store::Exact(keys, _) => {
                    sort_narrow(keys[range].iter().map(|x| key(*x)), descending, &mut pairs, &mut sorted);
                }
                Store::Int(keys) => sort_narrow(keys[range].iter().copied(), descending, &mut pairs, &mut sorted),
                Store::Whole(keys) => {
                    let keys = &keys[range];
                    if keys.iter().any(|key| key.outcomes != 0) {
                        return fault(node, "rounding decides the order of keys");
                    }
                    *open = keys.iter().map(|key| key.open).find(|open| *open != 0).unwrap_or(0);
                    let keys: Vec<i128> = keys.iter().map(|key| key.value).collect();
                    sort_by(&keys, descending, &mut sorted);
                }
                Store::Real(keys) => {
                    let keys = &keys[range];
                    *open = keys.iter().map(|key| key.open).find(|open| *open != 0).unwrap_or(0);
                    sort_narrow(
                        keys.iter().map(|real| key(real.value)),
                        descending,
                        &mut pairs,
                        &mut sorted,
                    );
                    if *open == 0 && !self.is_certain(keys, &sorted[row * len..], descending, a) {
                        return fault(node, "rounding decides the order of keys");
                    }
                }
                // What is put away holds no element of a tensor as it lies there.
                Store::Flushing(..) | Store::Bool(_) | Store::List(..) => {
                    return fault(node, "keys have to be numbers");
                }
            }
        }
        if from != 0 {
            sorted.iter_mut().for_each(|number| *number += from as i64);
        }
        if open.iter().all(|open| *open == 0) {
            return Ok(Self::rows(Store::Int(sorted), len, rows));
        }
        let whole = |(at, number): (usize, i64)| Whole {
            open: open[at / len.max(1)],
            ..Whole::exact(number.into())
        };
        let wholes = sorted.into_iter().enumerate().map(whole).collect();
        Ok(Self::rows(Store::Whole(wholes), len, rows))
    }

    /// Whether each key surely stands where it was put beside its neighbours. A denormal that may be zero does.
    fn is_certain(&self, keys: &[Real], sorted: &[i64], descending: bool, a: &Arithmetic) -> bool {
        let vanishing = crate::real::VANISHES;
        sorted.windows(2).all(|pair| {
            let (x, y) = (
                keys[pair[0] as usize].settled(&a.format),
                keys[pair[1] as usize].settled(&a.format),
            );
            let (x, y) = if descending { (y, x) } else { (x, y) };
            x.is_exact() && y.is_exact() || x.hi <= y.lo || (x.flags | y.flags) & vanishing != 0
        })
    }

    /// `prefix`: every partial sum or product, each with the element itself.
    pub(crate) fn prefixes(&self, node: &Node, reduction: &Reduction, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let (store, len, _) = self.along(node, reduction, space, a)?;
        let rows = space.points;
        let sum = reduction.kind == Kind::PrefixSum;
        if let Store::Whole(wholes) = &store
            && wholes.iter().any(|whole| whole.outcomes != 0)
        {
            return fault(node, "rounding decides a whole number that is summed up");
        }
        if let Store::Int(_) | Store::Whole(_) = store {
            let numbers = partial_wholes(&store, len, sum, a);
            return match numbers {
                Some(wholes) => Ok(Self::rows(wholes, len, rows)),
                None => fault(node, "a partial result beyond 128 bits"),
            };
        }
        let mut reals = Vec::with_capacity(rows * len);
        for row in 0..rows {
            let (mut tally, mut product) = (Tally::default(), Product::default());
            for at in row * len..(row + 1) * len {
                let term = match &store {
                    Store::Exact(numbers, _) => Real::exact(numbers[at]),
                    Store::Real(numbers) => crate::arena::Arena::hulled(numbers[at]),
                    _ => return fault(node, "the terms have to be numbers"),
                };
                if sum {
                    tally.add(term, a);
                    reals.push(tally.total(a));
                } else {
                    product.multiply(term, a);
                    reals.push(product.total(a));
                }
            }
        }
        Ok(Self::rows(Store::Real(reals), len, rows))
    }

    /// `scan`: every state after its step.
    pub(crate) fn scanned(
        &self,
        node: &Node,
        reduction: &Reduction,
        slot: usize,
        start: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let (Some(bound), Some(body)) = (reduction.binders.first(), &reduction.body) else {
            return fault(node, "the scan has no steps");
        };
        let domain = self.domain(&reduction.binders, space, a)?;
        let Some((from, len)) = domain.range() else {
            return fault(node, "the scan has no range");
        };
        crate::limits::items(node, len)?;
        let mut width = 0_usize;
        let mut state = self.eval(start, space, a)?;
        let mut states = Vec::new();
        for step in from..from + len {
            // Variables that the step brings here last for the step.
            let inner = Space::child(space, Rc::new((0..space.points as u32).collect()));
            inner.bind(bound.slot, Value::int(step));
            inner.bind(slot, state);
            let next = self.eval(body, &inner, a)?;
            let next = self.plain_rows(body, next, space.points)?;
            state = self.rested(&next, space.points, a);
            // Lists of a state are asked for element by element: rows of a store are quicker to look into.
            if let (Value::List(_), Some(Store::List(len, store))) = (&state, crate::store::keep(&state, space.points))
            {
                state = Value::Row(Row {
                    store,
                    len,
                    row: Ints::narrow((0..space.points as i64).collect()),
                });
            }
            width = width.saturating_add(state.extent(crate::limits::MOST_ITEMS + 1).1);
            crate::limits::entries(node, space.points.max(1), width)?;
            states.push(state.clone());
        }
        self.list(node, states, space.points)
    }

    /// A state as it is kept: one interval, perhaps rounded to the output's type.
    fn rested(&self, state: &Value, points: usize, a: &Arithmetic) -> Value {
        match state {
            Value::List(items) => Value::List(items.iter().map(|item| self.rested(item, points, a)).collect()),
            Value::Real(reals) => {
                let kept = |real: Real| {
                    let real = crate::arena::Arena::hulled(real).settled(&a.format);
                    match &self.narrowed {
                        Some(format) => super::nested::narrowed(real, format, a),
                        None => real,
                    }
                };
                Value::Real(match reals {
                    Reals::One(real) => Reals::One(kept(*real)),
                    Reals::Exact { .. } if self.narrowed.is_none() => reals.clone(),
                    _ => Reals::collect((0..points).map(|point| kept(reals.get(point))).collect()),
                })
            }
            other => other.clone(),
        }
    }
}

fn sort_by<K: Ord + Copy>(keys: &[K], descending: bool, sorted: &mut Vec<i64>) {
    // Each key beside its place: equal keys stay in order, and no key is looked up.
    let mut pairs: Vec<(K, i64)> = keys.iter().copied().zip(0..).collect();
    if descending {
        pairs.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    } else {
        pairs.sort_unstable();
    }
    sorted.extend(pairs.iter().map(|(_, at)| at));
}

/// The same for keys of 64 bits; `pairs` is room that is used again.
fn sort_narrow(keys: impl Iterator<Item = i64>, descending: bool, pairs: &mut Vec<i128>, sorted: &mut Vec<i64>) {
    // A key above its place in one number, which a processor compares without a branch. Complements stand in the
    // opposite order.
    let flip = if descending { -1 } else { 0 };
    let pair = |(key, at): (i64, i128)| i128::from(key ^ flip) << 64 | at;
    pairs.clear();
    pairs.extend(keys.zip(0..).map(pair));
    pairs.sort_unstable();
    sorted.extend(pairs.iter().map(|pair| *pair as i64));
}

/// Bits of a number as a whole number in the same order; zeros of both signs are equal. A NaN has no place that anybody
/// asks for: its sequence is open, or the specification says nothing of NaN and it is put last.
fn key(x: f64) -> i64 {
    if x.is_nan() {
        return i64::MAX;
    }
    let bits = if x == 0.0 { 0 } else { x.to_bits() as i64 };
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

fn partial_wholes(store: &Store, len: usize, sum: bool, a: &Arithmetic) -> Option<Store> {
    let get = |at: usize| match store {
        Store::Int(values) => Whole::exact(values[at].into()),
        Store::Whole(values) => values[at],
        _ => Whole::exact(0),
    };
    let mut all = Vec::with_capacity(store.entries());
    let mut narrow = true;
    for at in 0..store.entries() {
        let before: Whole = if at % len == 0 {
            Whole::exact(i128::from(!sum))
        } else {
            *all.last()?
        };
        let term = get(at);
        let value = match (sum, a.wraps) {
            (true, true) => before.value.wrapping_add(term.value),
            (false, true) => before.value.wrapping_mul(term.value),
            (true, false) => crate::whole::plus(before.value, term.value)?,
            (false, false) => crate::whole::times(before.value, term.value),
        };
        let open = if before.open != 0 { before.open } else { term.open };
        narrow &= open == 0 && i64::try_from(value).is_ok();
        all.push(Whole {
            open,
            ..Whole::exact(value)
        });
    }
    Some(if narrow {
        Store::Int(all.iter().map(|whole| whole.value as i64).collect())
    } else {
        Store::Whole(all)
    })
}
