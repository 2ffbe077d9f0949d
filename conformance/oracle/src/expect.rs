//! The outputs of a descriptor and its inputs.

use std::{borrow::Cow, cell::RefCell, rc::Rc};

use dml_spec::{
    desc::{Descriptor, Value as FieldValue},
    meaning::{
        Function, Meaning, Node, Op, Type,
        typed::{Cast, Instead, Nan, Output, Overflow, Rounding, Variant},
    },
    model::{Catalog, DataType, Operator},
    rule::typed::Prop,
};

use super::{
    accept::{Element, elements},
    arena::Arena,
    column::Value,
    fault::{Fault, Within},
    format::Format,
    library::Library,
    limits::MOST_POINTS,
    load::Tensor,
    machine::domain::Domain,
    machine::open::Basis,
    machine::{BLOCK, Machine, fault},
    reading::Reading,
    real::Arithmetic,
    settled::Settled,
    space::Space,
};

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The specification.
    pub catalog: &'a Catalog,
    /// The meanings.
    pub meanings: &'a dyn Library,
    /// A valid descriptor.
    pub descriptor: &'a Descriptor,
    /// The input tensors of each field, in struct order; none where a tensor is absent.
    pub inputs: &'a [Vec<Tensor>],
    /// Whose word counts.
    pub basis: Basis,
    /// Ways to read clauses; without any, what they leave open is open.
    pub variants: &'a [&'a Variant],
}

/// Elements of an output that follow each other in row-major order.
#[derive(Clone, Debug)]
pub struct Block {
    /// The field.
    pub field: usize,
    /// The place in an array of tensors, else 0.
    pub element: usize,
    /// The data type.
    pub ty: DataType,
    /// The number of the first element.
    pub start: usize,
    /// What each may be.
    pub elements: Vec<Element>,
}

/// What every element of every output may be, block by block, output after output.
///
/// # Errors
/// A part of the meaning that has no value: a mistake of the specification, or a descriptor that is not valid.
pub fn expect(request: &Request<'_>, sink: &mut dyn FnMut(Block)) -> Result<(), Fault> {
    expect_within(request, MOST_POINTS, sink)
}

/// The same for a meaning that nobody has tried: it is given up after so many points, counted anew for each part of an
/// expression.
///
/// # Errors
/// As [`expect`], and if the meaning looks at more points.
pub fn expect_within(request: &Request<'_>, points: u64, sink: &mut dyn FnMut(Block)) -> Result<(), Fault> {
    let name = &request.descriptor.operator;
    let known = request.catalog.operator(name).zip(request.meanings.meaning(name));
    let Some((operator, meaning)) = known else {
        return Err(Fault {
            message: format!("{name} has no meaning"),
            span: 0..0,
            within: None,
        });
    };
    let arena = Arena::within(points);
    let (mut machine, arithmetic) = machine(request, operator, meaning, &arena);
    machine.open_inputs(request.basis, &arithmetic)?;
    for (at, output) in meaning.outputs.iter().enumerate() {
        for element in 0..tensors_of(request.descriptor, output.field) {
            let written = write_output(&mut machine, (at, output), element, request.basis, &arithmetic, sink);
            written.map_err(|fault| fault.within(Within::output(operator, output.field)))?;
        }
    }
    Ok(())
}

/// A machine for a request, and the arithmetic of its results.
pub(crate) fn machine<'a>(
    request: &Request<'a>,
    operator: &'a Operator,
    meaning: &'a Meaning,
    arena: &'a Arena,
) -> (Machine<'a>, Arithmetic) {
    let reading = Reading {
        variants: request.variants,
        is_inner: false,
    };
    let machine = Machine {
        catalog: request.catalog,
        meanings: request.meanings,
        operator,
        meaning,
        descriptor: request.descriptor,
        given: request.inputs,
        inputs: Cow::Borrowed(request.inputs),
        kept: RefCell::new(vec![None; meaning.definitions.len()]),
        targets: RefCell::new(vec![None; meaning.scatters]),
        arena,
        applied: None,
        narrowed: None,
        reading,
    };
    let arithmetic = Arithmetic {
        format: reading.format(arithmetic_format(request)),
        granted: false,
        wraps: false,
    };
    (machine, arithmetic)
}

/// Whether a variant speaks of the descriptor of a request.
///
/// # Errors
/// A condition that has no value.
pub fn applies(request: &Request<'_>, variant: &Variant) -> Result<bool, Fault> {
    let name = &request.descriptor.operator;
    let known = request.catalog.operator(name).zip(request.meanings.meaning(name));
    let Some((operator, meaning)) = known else {
        return Ok(false);
    };
    // Of formats that keep denormals it says nothing.
    let flushes = |tensor: &Tensor| tensor.format.is_some_and(|format| format.flushes);
    let zeros = variant.instead.contains(&Instead::Denormals { kept: false });
    if zeros && !request.inputs.iter().flatten().any(flushes) {
        return Ok(false);
    }
    let Some(condition) = &variant.condition else {
        return Ok(true);
    };
    let arena = Arena::within(MOST_POINTS);
    let (machine, arithmetic) = machine(request, operator, meaning, &arena);
    Ok(!machine
        .bools(condition, &Space::root(1), &arithmetic)?
        .get(0)
        .is_false())
}

/// How many tensors a field holds.
fn tensors_of(descriptor: &Descriptor, field: usize) -> usize {
    match descriptor.fields.get(field) {
        Some(FieldValue::Tensor(Some(_))) => 1,
        Some(FieldValue::Tensors(Some(tensors))) => tensors.len(),
        _ => 0,
    }
}

/// FLOAT64 if a tensor is, else FLOAT32: narrower arithmetic is what a flag of execution allows, and the suite runs
/// without it.
fn arithmetic_format(request: &Request<'_>) -> Format {
    let is_double =
        |data_type: u32| request.catalog.data_type(data_type).and_then(Format::of) == Some(Format::double());
    let double = request.descriptor.fields.iter().any(|value| match value {
        FieldValue::Tensor(Some(tensor)) => is_double(tensor.data_type),
        FieldValue::Tensors(Some(tensors)) => tensors.iter().any(|tensor| is_double(tensor.data_type)),
        _ => false,
    });
    if double { Format::double() } else { Format::single() }
}

fn write_output(
    machine: &mut Machine<'_>,
    (at, output): (usize, &Output),
    element: usize,
    basis: Basis,
    a: &Arithmetic,
    sink: &mut dyn FnMut(Block),
) -> Result<(), Fault> {
    let desc = machine.desc(&output.body, output.field, element as i128)?;
    let Some(ty) = machine.catalog.data_type(desc.data_type).cloned() else {
        return Err(Fault {
            message: format!("unknown data type {} of an output", desc.data_type),
            span: output.body.span.clone(),
            within: None,
        });
    };
    machine.narrowed = machine.format(&ty).filter(|format| format.bits < a.format.bits);
    let body = implicit_cast(machine.reading.output(at, output), output.field, &ty);
    let settled = Settled::new(machine, output.field, &ty, basis, a)?;
    let domain = Domain::of_sizes(desc.sizes());
    let Some(points) = domain.points() else {
        return fault(&output.body, "the output has too many elements");
    };
    let mut start = 0;
    while start < points {
        let count = BLOCK.min(points - start);
        let space = Space::root(count);
        let (mark, kept) = (machine.arena.mark(), machine.kept_count());
        let items = domain.block(start, count).into_iter().map(Value::Int).collect();
        space.bind(output.index, Value::List(Rc::new(items)));
        if let Some(slot) = output.element {
            space.bind(slot, Value::int(element as i128));
        }
        for opening in machine
            .meaning
            .openings
            .iter()
            .filter(|opening| opening.field == output.field)
        {
            space.bind(opening.slot, space.lookup(output.index).unwrap_or(Value::int(0)));
        }
        let value = machine.eval(&body, &space, a)?;
        let value = machine.opened_output(output.field, &value, &space, basis, a)?;
        let value = match &settled {
            Some(settled) => settled.settle(value, &space, output.index, a)?,
            None => value,
        };
        if machine.arena.is_crowded() {
            return fault(&output.body, "rounding leaves too many whole numbers");
        }
        let mut block = Block {
            field: output.field,
            element,
            ty: ty.clone(),
            start,
            elements: Vec::with_capacity(count),
        };
        if elements(&value, &ty, count, machine.arena, &mut block.elements).is_none() {
            return fault(&output.body, format!("an element has to be a number of {}", ty.name));
        }
        sink(block);
        // What is kept may name outcomes of numbers; nothing else outlives its block.
        if machine.kept_count() == kept {
            drop((value, space));
            machine.arena.release(mark);
        }
        start += count;
    }
    Ok(())
}

/// The value as the output's type has it: floats become a neighbour, whole numbers have to fit.
pub(crate) fn implicit_cast(body: &Node, field: usize, ty: &DataType) -> Node {
    // A cast to another type says nothing of this one.
    let is_own = |data_type: &Node| match &data_type.op {
        Op::Int(value) => *value == i128::from(ty.value),
        Op::Prop(tensor, prop) => tensor.field == field && *prop == Prop::DataType,
        _ => false,
    };
    let is_cast = matches!(&body.op, Op::Cast(cast) if is_own(&cast.data_type));
    if is_cast || body.ty == Type::Bool {
        return body.clone();
    }
    let float = Format::of(ty).is_some();
    let data_type = Node {
        ty: Type::DataType,
        span: body.span.clone(),
        op: Op::Int(ty.value.into()),
    };
    // A fraction has no place among whole numbers: how it is rounded has to be said.
    let value = if float || body.ty == Type::Int {
        body.clone()
    } else {
        Node {
            ty: Type::Int,
            span: body.span.clone(),
            op: Op::Call(Function::Int, vec![body.clone()]),
        }
    };
    let cast = Cast {
        value,
        data_type,
        rounding: Rounding::Either,
        overflow: if float { Overflow::Infinity } else { Overflow::Fits },
        nan: Nan::Refused,
    };
    Node {
        ty: Type::Number,
        span: body.span.clone(),
        op: Op::Cast(Box::new(cast)),
    }
}
