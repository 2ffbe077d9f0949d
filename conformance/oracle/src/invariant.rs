//! What holds of outputs whatever clauses leave open.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
};

use dml_spec::{meaning::typed::Invariant, model::Text};

use crate::{
    arena::Arena,
    column::{Bools, Ints, Value},
    expect::{Request, machine, plain_arithmetic},
    fault::{Eval, Fault, Within},
    limits::MOST_POINTS,
    load::Tensor,
    machine::{BLOCK, Machine, domain::Domain},
    real::Arithmetic,
    space::Space,
};

/// An element that violates an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The invariant's name.
    pub name: Text,
    /// The id of its clause, without the operator.
    pub clause: Text,
    /// The field of the output.
    pub field: usize,
    /// The place in an array of tensors, else 0.
    pub element: usize,
    /// The element's number in row-major order.
    pub at: usize,
}

/// The first element that certainly violates an invariant: of those invariants that `wanted` names by their clause and
/// name. `tensors` holds inputs and outputs by field.
///
/// # Errors
/// A condition that has no value.
pub fn find_broken(
    request: &Request<'_>,
    tensors: &[Vec<Tensor>],
    wanted: &dyn Fn(&str, &str) -> bool,
) -> Result<Option<Broken>, Fault> {
    let name = &request.descriptor.operator;
    let known = request.catalog.operator(name).zip(request.meanings.meaning(name));
    let Some((operator, meaning)) = known else {
        return Ok(None);
    };
    let arena = Arena::within(MOST_POINTS);
    let (mut machine, arithmetic) = (machine(request, operator, meaning, &arena), plain_arithmetic(request));
    machine.inputs = Cow::Borrowed(tensors);
    for invariant in &meaning.invariants {
        let Some(clause) = meaning.clauses.get(usize::from(invariant.clause)) else {
            continue;
        };
        if !wanted(clause, &invariant.name) {
            continue;
        }
        for element in 0..tensors.get(invariant.field).map_or(0, Vec::len) {
            let found = first_broken(&machine, invariant, element, &arithmetic);
            if let Some(at) = found.map_err(|fault| fault.within(Within::invariant(operator, meaning, invariant)))? {
                return Ok(Some(Broken {
                    name: invariant.name.clone(),
                    clause: clause.clone(),
                    field: invariant.field,
                    element,
                    at,
                }));
            }
        }
    }
    Ok(None)
}

/// Why conditions of invariants have no value for these inputs and outputs, within so many points together: outputs may hold
/// anything, since clauses leave them open.
pub(crate) fn without_value(request: &Request<'_>, tensors: &[Vec<Tensor>], points: &Cell<u64>) -> Vec<Fault> {
    let name = &request.descriptor.operator;
    let known = request.catalog.operator(name).zip(request.meanings.meaning(name));
    let Some((operator, meaning)) = known else {
        return Vec::new();
    };
    let fault_of = |invariant: &Invariant| {
        let arena = Arena::within(points.get());
        let (mut machine, arithmetic) = (machine(request, operator, meaning, &arena), plain_arithmetic(request));
        machine.inputs = Cow::Borrowed(tensors);
        let elements = 0..tensors.get(invariant.field).map_or(0, Vec::len);
        let fault =
            elements.filter_map(|element| blocks(&machine, invariant, element, &arithmetic, |_, _| None::<()>).err());
        let fault = fault.last();
        points.set(points.get().saturating_sub(arena.budget.spent(points.get())));
        let fault: Fault = fault?.within(Within::invariant(operator, meaning, invariant)).into();
        Some(Fault {
            message: format!("in the invariant `{}`: {}", invariant.name, fault.message),
            ..fault
        })
    };
    meaning.invariants.iter().filter_map(fault_of).collect()
}

/// Whether the condition of an invariant holds as far as rounding and denormals leave it certain, for each element of one
/// tensor of its output.
///
/// # Errors
/// A condition that has no value.
pub(crate) fn holding(
    request: &Request<'_>,
    tensors: &[Vec<Tensor>],
    (invariant, element): (&Invariant, usize),
    arena: &Arena,
) -> Result<Vec<bool>, Fault> {
    let name = &request.descriptor.operator;
    let known = request.catalog.operator(name).zip(request.meanings.meaning(name));
    let Some((operator, meaning)) = known else {
        return Ok(Vec::new());
    };
    let (mut machine, arithmetic) = (machine(request, operator, meaning, arena), plain_arithmetic(request));
    machine.inputs = Cow::Borrowed(tensors);
    let all = RefCell::new(Vec::new());
    blocks(&machine, invariant, element, &arithmetic, |(_, count), truths| {
        let holds = (0..count).map(|point| truths.get(point));
        all.borrow_mut()
            .extend(holds.map(|truth| truth.open == 0 && !truth.is_false()));
        None::<()>
    })?;
    Ok(all.into_inner())
}

fn first_broken(machine: &Machine<'_>, invariant: &Invariant, element: usize, a: &Arithmetic) -> Eval<Option<usize>> {
    blocks(machine, invariant, element, a, |(start, count), truths| {
        let at = (0..count).find(|point| truths.get(*point).is_false());
        at.map(|at| start + at)
    })
}

/// Evaluates the condition of an invariant block by block, until `find` has something: it takes the number of a block's
/// first element, how many elements it has, and their truths.
fn blocks<T>(
    machine: &Machine<'_>,
    invariant: &Invariant,
    element: usize,
    a: &Arithmetic,
    find: impl Fn((usize, usize), &Bools) -> Option<T>,
) -> Eval<Option<T>> {
    let tensors = machine.inputs.get(invariant.field);
    let Some(tensor) = tensors.and_then(|tensors| tensors.get(element)) else {
        return Ok(None);
    };
    let sizes: Vec<u32> = tensor.sizes.iter().map(|size| *size as u32).collect();
    let domain = Domain::of_sizes(&sizes);
    let points = domain.points().unwrap_or(0);
    let mut start = 0;
    while start < points {
        let count = BLOCK.min(points - start);
        let space = Space::root(count);
        let places: Vec<i64> = (start as i64..(start + count) as i64).collect();
        space.bind(invariant.element, tensor.data.read(&Ints::narrow(places), count));
        let index = domain.block(start, count).iter().cloned().map(Value::Int).collect();
        space.bind(invariant.index, Value::List(index));
        let truths = machine.bools(&invariant.condition, &space, a)?;
        if let Some(found) = find((start, count), &truths) {
            return Ok(Some(found));
        }
        start += count;
    }
    Ok(None)
}
