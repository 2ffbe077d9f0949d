//! What stands instead of elements of outputs that a clause leaves open, by their conditions or since they rest on an
//! element that it opens.

use std::{cell::RefCell, rc::Rc};

use dml_spec::{meaning::Node, model::DataType};

use crate::{
    column::{Ints, Reals, Value, Whole},
    fault::Eval,
    implicit::Implicit,
    machine::{Machine, open::Basis},
    reading::Reading,
    real::{Arithmetic, Real},
    space::Space,
};

/// Values of open elements of an output.
pub(crate) struct Settled<'a> {
    /// The same machine; the clauses leave nothing open.
    machine: Machine<'a>,
    /// The clause, the variable of the index, and the value.
    values: Vec<(u16, usize, Implicit<'a>)>,
    ty: DataType,
    is_float: bool,
}

impl<'a> Settled<'a> {
    /// `None` if no variant says what open elements of the output are.
    pub(crate) fn new(
        machine: &Machine<'a>,
        field: usize,
        ty: &DataType,
        basis: Basis,
        a: &Arithmetic,
    ) -> Eval<Option<Self>> {
        let values = machine.reading.settled(field);
        if values.is_empty() {
            return Ok(None);
        }
        let values = values.into_iter();
        let values = values.map(|(clause, slot, value)| (clause, slot, Implicit::new(value, field, ty)));
        let mut inner = Machine {
            inputs: machine.given.into(),
            kept: RefCell::new(vec![None; machine.meaning.definitions.len()]),
            targets: RefCell::new(vec![None; machine.meaning.scatters]),
            alone: Rc::clone(&machine.alone),
            is_fused: false,
            reading: Reading {
                is_inner: true,
                ..machine.reading
            },
            ..*machine
        };
        inner.open_inputs(basis, a)?;
        Ok(Some(Self {
            ty: ty.clone(),
            is_float: inner.format(ty).is_some(),
            values: values.collect(),
            machine: inner,
        }))
    }

    /// The elements of a block, those that are open by a clause with their values.
    pub(crate) fn settle(&self, value: Value, space: &Rc<Space>, index: usize, a: &Arithmetic) -> Eval {
        let mut value = value;
        for (clause, slot, settled) in &self.values {
            let open = |point: &usize| {
                let open = match &value {
                    Value::Int(ints) => ints.get(*point).open,
                    Value::Real(reals) => reals.get(*point).open,
                    _ => 0,
                };
                open == clause + 1
            };
            let points: Vec<u32> = (0..space.points).filter(open).map(|point| point as u32).collect();
            if points.is_empty() {
                continue;
            }
            let inner = Space::child(space, Rc::new(points.clone()));
            inner.bind(*slot, inner.lookup(index).unwrap_or(Value::int(0)));
            let found = self.machine.implicit(settled, &self.ty, &inner, a);
            let joined = found.and_then(|found| self.joined(settled.body, &value, &found, &points, space.points, a));
            value = joined.map_err(|fault| fault.within(self.machine.variant_of(settled.body)))?;
        }
        Ok(value)
    }

    fn joined(&self, node: &Node, value: &Value, found: &Value, points: &[u32], all: usize, a: &Arithmetic) -> Eval {
        let places = || points.iter().enumerate();
        if self.is_float {
            let (reals, found) = (
                self.machine.as_reals(node, value, all, a)?,
                self.machine.as_reals(node, found, points.len(), a)?,
            );
            let mut joined: Vec<Real> = (0..all).map(|point| reals.get(point)).collect();
            places().for_each(|(at, point)| joined[*point as usize] = found.get(at));
            return Ok(Value::Real(Reals::collect(joined)));
        }
        let one = |value: &Value, point: usize| match value {
            Value::Int(ints) => ints.get(point),
            Value::Real(reals) => Whole {
                open: reals.get(point).open,
                ..Whole::exact(0)
            },
            _ => Whole::exact(0),
        };
        let mut joined: Vec<Whole> = (0..all).map(|point| one(value, point)).collect();
        places().for_each(|(at, point)| joined[*point as usize] = one(found, at));
        Ok(Value::Int(Ints::Marked(Rc::new(joined))))
    }
}
