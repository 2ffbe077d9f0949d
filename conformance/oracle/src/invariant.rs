//! What holds of outputs: whatever clauses leave open, and because guarantees say so.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
};

use dml_spec::{
    meaning::typed::Invariant,
    model::{ClauseKind, Text},
};

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

/// What elements make of a guarantee's invariants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Each of them keeps each, for sure.
    All,
    /// One of them violates one, for sure.
    Not,
    /// Neither is sure, or it would take too long to find out.
    Unknown,
}

/// What elements of outputs make of the invariants of each guarantee that has some, by its id without the operator: within
/// so many points for each invariant. `tensors` holds inputs and outputs by field. `places` says which elements are looked at,
/// by field and place in an array of tensors: their numbers in row-major order. None of them rests on what a clause leaves
/// open, since such an element is never wrong.
pub fn keep_guarantees(
    request: &Request<'_>,
    tensors: &[Vec<Tensor>],
    places: &dyn Fn(usize, usize) -> Vec<usize>,
    points: u64,
) -> Vec<(Text, Keeps)> {
    let name = &request.descriptor.operator;
    let known = request.catalog.operator(name).zip(request.meanings.meaning(name));
    let Some((operator, meaning)) = known else {
        return Vec::new();
    };
    let is_guarantee = |short: &Text| {
        let mut clauses = operator.clauses.iter();
        clauses.any(|of| of.kind == ClauseKind::Guarantee && of.id.rsplit('/').next() == Some(short))
    };
    let mut all: Vec<(Text, Keeps)> = Vec::new();
    for invariant in &meaning.invariants {
        let clause = meaning.clauses.get(usize::from(invariant.clause));
        let Some(clause) = clause.filter(|clause| is_guarantee(clause)) else {
            continue;
        };
        let look_at = |most: usize| {
            let arena = Arena::within(points);
            let mut machine = machine(request, operator, meaning, &arena);
            machine.inputs = Cow::Borrowed(tensors);
            let places = |field, element| places(field, element).into_iter().take(most).collect();
            keeps(&machine, invariant, &places, &plain_arithmetic(request))
        };
        // If all of them take too long, the first one is still looked at.
        let keeps = look_at(usize::MAX).or_else(|_| look_at(1)).unwrap_or(Keeps::Unknown);
        match all.iter_mut().find(|(known, _)| known == clause) {
            Some((_, known)) => *known = known.and(keeps),
            None => all.push((clause.clone(), keeps)),
        }
    }
    all
}

impl Keeps {
    /// What they make of two invariants together, or two kinds of elements of one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Not, _) | (_, Self::Not) => Self::Not,
            (Self::All, Self::All) => Self::All,
            _ => Self::Unknown,
        }
    }
}

fn keeps(
    machine: &Machine<'_>,
    invariant: &Invariant,
    places: &dyn Fn(usize, usize) -> Vec<usize>,
    a: &Arithmetic,
) -> Eval<Keeps> {
    let mut all = Keeps::All;
    let tensors = machine.inputs.get(invariant.field).into_iter().flatten();
    for (element, tensor) in tensors.enumerate() {
        let mut places = places(invariant.field, element);
        places.retain(|place| *place < tensor.elements());
        if places.is_empty() {
            continue;
        }
        let truths = truths_at(machine, invariant, tensor, &places, a)?;
        let mut truths = (0..places.len()).map(|point| truths.get(point));
        let sure = truths.clone().all(|truth| truth.open == 0 && truth.is_true());
        all = all.and(match (truths.any(|truth| truth.is_false()), sure) {
            (true, _) => Keeps::Not,
            (false, true) => Keeps::All,
            (false, false) => Keeps::Unknown,
        });
    }
    Ok(all)
}

/// The condition of an invariant at these elements of a tensor, of which there is one at least.
fn truths_at(
    machine: &Machine<'_>,
    invariant: &Invariant,
    tensor: &Tensor,
    places: &[usize],
    a: &Arithmetic,
) -> Eval<Bools> {
    let (space, sizes) = (Space::root(places.len()), tensor.sizes.iter().map(|size| *size as u32));
    let places: Vec<i64> = places.iter().map(|place| *place as i64).collect();
    let index = Domain::of_sizes(&sizes.collect::<Vec<_>>()).columns(&places);
    let index = index.into_iter().map(Value::Int).collect();
    let elements = tensor.data.read(&Ints::narrow(places), space.points);
    space.bind(invariant.element, elements);
    space.bind(invariant.index, Value::List(index));
    machine.bools(&invariant.condition, &space, a)
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
    let points = tensor.elements();
    let mut start = 0;
    while start < points {
        let count = BLOCK.min(points - start);
        let places: Vec<usize> = (start..start + count).collect();
        let truths = truths_at(machine, invariant, tensor, &places, a)?;
        if let Some(found) = find((start, count), &truths) {
            return Ok(Some(found));
        }
        start += count;
    }
    Ok(None)
}
