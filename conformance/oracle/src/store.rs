//! Columns put away: the values of an intermediate, one entry for each point of its domain.

use std::rc::Rc;

use super::column::{Ints, Reals, Row, Store, Truth, Value, Whole, flushing};
use super::real::{ANY_ZERO, Real};

/// A column of `points` entries as a store; `None` for what cannot be kept.
pub(crate) fn keep(value: &Value, points: usize) -> Option<Store> {
    Some(match value {
        Value::Bool(bools) => Store::Bool((0..points).map(|p| bools.get(p)).collect()),
        Value::Int(Ints::Many(values)) if values.len() == points => Store::Int(values.to_vec()),
        Value::Int(Ints::One(value)) if let Ok(value) = i64::try_from(*value) => Store::Int(vec![value; points]),
        Value::Int(ints) => whole((0..points).map(|p| ints.get(p)).collect()),
        Value::Real(Reals::Exact { numbers, any_zero }) if numbers.len() == points => {
            Store::Exact(numbers.to_vec(), *any_zero)
        }
        Value::Real(Reals::Bound(reals)) if reals.len() == points => Store::Real(reals.to_vec()),
        Value::Real(reals) => Store::Real((0..points).map(|p| reals.get(p)).collect()),
        Value::List(items) if let Some(numbers) = woven_narrow(items, points) => {
            Store::List(items.len(), Rc::new(Store::Int(numbers)))
        }
        Value::List(items) => {
            let parts: Option<Vec<Store>> = items.iter().map(|item| keep(item, points)).collect();
            Store::List(items.len(), Rc::new(interleave(parts?, points, 1)?))
        }
        Value::Row(row) => keep_rows(row, points)?,
        Value::Operator(..) => return None,
    })
}

fn whole(values: Vec<Whole>) -> Store {
    let narrow: Option<Vec<i64>> = values
        .iter()
        .map(|value| {
            if value.is_exact() {
                i64::try_from(value.value).ok()
            } else {
                None
            }
        })
        .collect();
    narrow.map_or(Store::Whole(values), Store::Int)
}

/// The first numbers of all columns, then the second ones, and so on, if all are plain and short.
fn woven_narrow(items: &[Value], points: usize) -> Option<Vec<i64>> {
    let mut numbers = vec![0; items.len() * points];
    for (at, item) in items.iter().enumerate() {
        let places = numbers.iter_mut().skip(at).step_by(items.len());
        match item {
            Value::Int(Ints::One(value)) => {
                let value = i64::try_from(*value).ok()?;
                places.for_each(|place| *place = value);
            }
            Value::Int(Ints::Many(values)) if values.len() == points => {
                places.zip(values.iter()).for_each(|(place, value)| *place = *value);
            }
            _ => return None,
        }
    }
    Some(numbers)
}

fn keep_rows(row: &Row, points: usize) -> Option<Store> {
    let in_order = (0..points).all(|p| row.row.get(p).value == p as i128);
    if in_order && row.store.entries() == points * row.len {
        return Some(Store::List(row.len, Rc::clone(&row.store)));
    }
    let places = (0..points).flat_map(|p| {
        let start = row.row.get(p).value as i64 * row.len as i64;
        start..start + row.len as i64
    });
    let places = Ints::Many(Rc::new(places.collect()));
    let inner = copy(&row.store, &places, points * row.len)?;
    Some(Store::List(row.len, Rc::new(inner)))
}

fn copy(store: &Rc<Store>, places: &Ints, points: usize) -> Option<Store> {
    keep(&store.read(places, points), points)
}

/// The first entries of all parts, then the second ones, and so on; `chunk` entries are one.
fn interleave(parts: Vec<Store>, points: usize, chunk: usize) -> Option<Store> {
    // Lists without elements, whatever these would be.
    let Some(kind) = parts.first() else {
        return Some(Store::Int(Vec::new()));
    };
    Some(match kind {
        Store::Bool(_) => Store::Bool(woven(&parts, points, chunk, |s, i| match s {
            Store::Bool(values) => Some(values[i]),
            _ => None,
        })?),
        Store::Int(_) | Store::Whole(_) => whole(woven(&parts, points, chunk, |s, i| match s {
            Store::Int(values) => Some(Whole::exact(values[i].into())),
            Store::Whole(values) => Some(values[i]),
            _ => None,
        })?),
        Store::Exact(..) | Store::Flushing(..) | Store::Real(_) => Store::Real(woven(&parts, points, chunk, real_at)?),
        Store::List(len, _) => {
            let len = *len;
            let inner = parts.iter().map(|part| match part {
                Store::List(other, inner) if *other == len => Some((**inner).clone_entries()),
                _ => None,
            });
            let inner = interleave(inner.collect::<Option<_>>()?, points, chunk * len)?;
            Store::List(len, Rc::new(inner))
        }
    })
}

fn real_at(store: &Store, at: usize) -> Option<Real> {
    match store {
        Store::Exact(values, any_zero) => Some(Real::exact(values[at]).with(if *any_zero { ANY_ZERO } else { 0 })),
        Store::Flushing(values, normal) => Some(flushing(values[at], *normal)),
        Store::Real(values) => Some(values[at]),
        Store::Int(values) => Some(Real::exact(values[at] as f64)),
        _ => None,
    }
}

fn woven<T>(parts: &[Store], points: usize, chunk: usize, get: impl Fn(&Store, usize) -> Option<T>) -> Option<Vec<T>> {
    let mut out = Vec::with_capacity(points * parts.len() * chunk);
    for point in 0..points {
        for part in parts {
            for entry in 0..chunk {
                out.push(get(part, point * chunk + entry)?);
            }
        }
    }
    Some(out)
}

impl Store {
    fn clone_entries(&self) -> Self {
        match self {
            Self::Bool(values) => Self::Bool(values.clone()),
            Self::Int(values) => Self::Int(values.clone()),
            Self::Whole(values) => Self::Whole(values.clone()),
            Self::Exact(values, any_zero) => Self::Exact(values.clone(), *any_zero),
            Self::Flushing(values, normal) => Self::Flushing(values.clone(), *normal),
            Self::Real(values) => Self::Real(values.clone()),
            Self::List(len, inner) => Self::List(*len, Rc::clone(inner)),
        }
    }

    /// The same with room for so many entries more.
    pub(crate) fn with_room(mut self, more: usize) -> Self {
        match &mut self {
            Self::Bool(values) => values.reserve_exact(more),
            Self::Int(values) => values.reserve_exact(more),
            Self::Exact(values, _) | Self::Flushing(values, _) => values.reserve_exact(more),
            Self::Real(values) => values.reserve_exact(more),
            Self::Whole(_) | Self::List(..) => {}
        }
        self
    }

    /// Adds the entries of another store of the same kind; `None` if it is of another.
    pub(crate) fn append(self, other: Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Bool(mut a), Self::Bool(b)) => {
                a.extend::<Vec<Truth>>(b);
                Self::Bool(a)
            }
            (Self::Int(mut a), Self::Int(b)) => {
                a.extend(b);
                Self::Int(a)
            }
            (Self::Exact(mut a, any), Self::Exact(b, other)) if any == other => {
                a.extend(b);
                Self::Exact(a, any)
            }
            (Self::List(a, first), Self::List(b, second)) if a == b => {
                let first = Rc::try_unwrap(first).unwrap_or_else(|shared| shared.clone_entries());
                let second = Rc::try_unwrap(second).unwrap_or_else(|shared| shared.clone_entries());
                Self::List(a, Rc::new(first.append(second)?))
            }
            (a @ (Self::Int(_) | Self::Whole(_)), b @ (Self::Int(_) | Self::Whole(_))) => {
                let mut values = a.wholes()?;
                values.extend(b.wholes()?);
                Self::Whole(values)
            }
            (Self::Real(mut a), Self::Real(b)) => {
                a.extend(b);
                Self::Real(a)
            }
            (a, b) => {
                let mut values = a.reals()?;
                for entry in 0..b.entries() {
                    values.push(real_at(&b, entry)?);
                }
                Self::Real(values)
            }
        })
    }

    fn reals(self) -> Option<Vec<Real>> {
        match self {
            Self::Real(values) => Some(values),
            other => (0..other.entries()).map(|entry| real_at(&other, entry)).collect(),
        }
    }

    fn wholes(self) -> Option<Vec<Whole>> {
        match self {
            Self::Int(values) => Some(values.into_iter().map(|v| Whole::exact(v.into())).collect()),
            Self::Whole(values) => Some(values),
            _ => None,
        }
    }
}
