//! Values of parts of the points, put together.

use std::rc::Rc;

use dml_spec::meaning::{Node, Type};

use super::{Eval, Machine, fault};
use crate::{
    column::{Bools, Ints, Reals, Row, Truth, Value, Whole},
    real::Real,
};

impl Machine<'_> {
    /// Values of parts of the points, which may overlap: then a point is one of its values.
    pub(crate) fn joined(&self, node: &Node, parts: &[(Vec<u32>, Value)], open: &[u16]) -> Eval {
        let points = open.len();
        let several = parts.iter().map(|(part, _)| part.len()).sum::<usize>() != points || open.iter().any(|o| *o != 0);
        if let ([(part, value)], false) = (parts, several)
            && part.len() == points
        {
            return Ok(value.clone());
        }
        if !several {
            return self.merged(node, parts, points);
        }
        if parts.is_empty() && node.ty == Type::Int {
            let wholes = open.iter().map(|clause| Whole {
                open: *clause,
                ..Whole::exact(0)
            });
            return Ok(Value::Int(Ints::collect(wholes.collect())));
        }
        if parts.is_empty() {
            let reals = open.iter().map(|clause| Real::open(clause.saturating_sub(1))).collect();
            return Ok(Value::Real(Reals::collect(reals)));
        }
        // All parts one after the other, then united.
        let of: Vec<u32> = parts.iter().flat_map(|(part, _)| part.iter().copied()).collect();
        let mut start = 0;
        let mut placed = Vec::with_capacity(parts.len());
        for (part, value) in parts {
            let places: Vec<u32> = (start..start + part.len() as u32).collect();
            start += part.len() as u32;
            placed.push((places, value.clone()));
        }
        let all = self.merged(node, &placed, of.len())?;
        Ok(self.united(&all, &of, open))
    }

    /// Values of parts that make up all points.
    pub(crate) fn merged(&self, node: &Node, parts: &[(Vec<u32>, Value)], points: usize) -> Eval {
        if let [(part, value)] = parts
            && part.len() == points
            && part.iter().enumerate().all(|(at, point)| at == *point as usize)
        {
            return Ok(value.clone());
        }
        // What is open takes the type of what is not.
        let settled = parts.iter().find(|(part, value)| !is_open_alone(value, part.len()));
        let Some((_, first)) = settled.or(parts.first()) else {
            return fault(node, "there is no value");
        };
        let typed;
        let parts = match first {
            Value::Int(_) | Value::Bool(_) if parts.iter().any(|(part, value)| is_open_alone(value, part.len())) => {
                typed = parts
                    .iter()
                    .map(|(part, value)| (part.clone(), opened_like(first, value, part.len())))
                    .collect::<Vec<_>>();
                &typed
            }
            _ => parts,
        };
        Ok(match first {
            Value::Bool(_) => {
                let get = |value: &Value, at: usize| match value {
                    Value::Bool(bools) => Some(bools.get(at)),
                    _ => None,
                };
                match scattered(parts, points, Truth::FALSE, get) {
                    Some(truths) => Value::Bool(Bools::collect(truths)),
                    None => return fault(node, "the branches are of different kinds"),
                }
            }
            Value::Int(_) if parts.iter().all(|(_, value)| matches!(value, Value::Int(_))) => {
                merged_ints(parts, points)
            }
            Value::Real(_) if let Some(numbers) = merged_numbers(parts, points) => {
                Value::Real(Reals::exact(numbers, false))
            }
            Value::Int(_) | Value::Real(_) => {
                let get = |value: &Value, at: usize| match value {
                    Value::Real(reals) => Some(reals.get(at)),
                    Value::Int(ints) => Some(self.real_of(ints.get(at))),
                    _ => None,
                };
                match scattered(parts, points, Real::exact(0.0), get) {
                    Some(reals) if reals.iter().all(|real| real.flags == 0 && real.is_exact()) => {
                        Value::Real(Reals::exact(reals.iter().map(|r| r.value).collect(), false))
                    }
                    Some(reals) => Value::Real(Reals::collect(reals)),
                    None => return fault(node, "the branches are of different kinds"),
                }
            }
            Value::List(items) => return self.merged_lists(node, parts, items.len(), points),
            Value::Row(row) => {
                let rows = parts.iter().map(|(part, value)| match value {
                    Value::Row(other) if Rc::ptr_eq(&other.store, &row.store) && other.len == row.len => {
                        Some((part.clone(), Value::Int(other.row.clone())))
                    }
                    _ => None,
                });
                match rows.collect::<Option<Vec<_>>>().map(|rows| merged_ints(&rows, points)) {
                    Some(Value::Int(ints)) => Value::Row(Row {
                        row: ints,
                        ..row.clone()
                    }),
                    _ => return self.merged_lists(node, parts, row.len, points),
                }
            }
            Value::Operator(..) => return fault(node, "an operator cannot be chosen"),
        })
    }

    fn merged_lists(&self, node: &Node, parts: &[(Vec<u32>, Value)], len: usize, points: usize) -> Eval {
        let lists: Eval<Vec<_>> = parts
            .iter()
            .map(|(part, value)| Ok((part, self.items(node, value, part.len())?)))
            .collect();
        let lists = lists?;
        if lists.iter().any(|(_, items)| items.len() != len) {
            return fault(node, "the branches are lists of different lengths");
        }
        let mut merged = Vec::with_capacity(len);
        for i in 0..len {
            let parts: Vec<(Vec<u32>, Value)> = lists
                .iter()
                .map(|(part, items)| ((*part).clone(), items[i].clone()))
                .collect();
            merged.push(self.merged(node, &parts, points)?);
        }
        Ok(Value::List(merged.into()))
    }
}

/// Whether every entry of a column is open.
fn is_open_alone(value: &Value, points: usize) -> bool {
    match value {
        Value::Real(Reals::One(real)) => real.open != 0,
        Value::Real(Reals::Bound(reals)) => {
            (0..points).all(|point| reals[if reals.len() == 1 { 0 } else { point }].open != 0)
        }
        _ => false,
    }
}

/// A column that is open, as one of the same kind as another.
fn opened_like(kind: &Value, value: &Value, points: usize) -> Value {
    let Value::Real(reals) = value else {
        return value.clone();
    };
    if !is_open_alone(value, points) {
        return value.clone();
    }
    let open = (0..points.max(1)).map(|point| reals.get(point).open);
    match kind {
        Value::Int(_) => Value::Int(Ints::collect(
            open.map(|open| Whole {
                open,
                ..Whole::exact(0)
            })
            .collect(),
        )),
        Value::Bool(_) => Value::Bool(Bools::collect(open.map(Truth::open).collect())),
        _ => value.clone(),
    }
}

fn scattered<T: Copy>(
    parts: &[(Vec<u32>, Value)],
    points: usize,
    empty: T,
    get: impl Fn(&Value, usize) -> Option<T>,
) -> Option<Vec<T>> {
    let mut all = vec![empty; points];
    for (part, value) in parts {
        for (at, point) in part.iter().enumerate() {
            all[*point as usize] = get(value, at)?;
        }
    }
    Some(all)
}

/// Reals that every implementation has; `None` if some are others.
fn merged_numbers(parts: &[(Vec<u32>, Value)], points: usize) -> Option<Vec<f64>> {
    let mut all = vec![0.0; points];
    for (part, value) in parts {
        match value {
            Value::Real(Reals::Exact {
                numbers,
                any_zero: false,
            }) if numbers.len() == part.len() => {
                part.iter()
                    .zip(numbers.iter())
                    .for_each(|(point, x)| all[*point as usize] = *x);
            }
            Value::Real(Reals::One(real)) if real.flags == 0 && real.is_exact() => {
                part.iter().for_each(|point| all[*point as usize] = real.value);
            }
            _ => return None,
        }
    }
    Some(all)
}

/// Whole numbers of 64 bits; `None` if some are others.
fn merged_narrow(parts: &[(Vec<u32>, Value)], points: usize) -> Option<Vec<i64>> {
    let mut all = vec![0; points];
    for (part, value) in parts {
        match value {
            Value::Int(Ints::Many(numbers)) if numbers.len() == part.len() => {
                part.iter()
                    .zip(numbers.iter())
                    .for_each(|(point, n)| all[*point as usize] = *n);
            }
            Value::Int(Ints::One(n)) => {
                let n = i64::try_from(*n).ok()?;
                part.iter().for_each(|point| all[*point as usize] = n);
            }
            _ => return None,
        }
    }
    Some(all)
}

fn merged_ints(parts: &[(Vec<u32>, Value)], points: usize) -> Value {
    if let Some(numbers) = merged_narrow(parts, points) {
        return Value::Int(Ints::narrow(numbers));
    }
    let get = |value: &Value, at: usize| match value {
        Value::Int(ints) => Some(ints.get(at)),
        _ => None,
    };
    Value::Int(Ints::collect(
        scattered(parts, points, Whole::exact(0), get).unwrap_or_default(),
    ))
}
