//! The outputs of a descriptor and its inputs.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    ops::ControlFlow,
    rc::Rc,
};

use dml_spec::{
    desc::{Descriptor, TensorDesc},
    meaning::{
        Meaning,
        typed::{Instead, Output, Variant},
    },
    model::{Catalog, DataType, Operator},
};
use smallvec::{SmallVec, smallvec};

use super::{
    accept::{Element, Elements, elements},
    arena::Arena,
    case::{descs, output_number},
    column::Value,
    fault::{Eval, Fault, Within},
    format::Format,
    implicit::Implicit,
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
    /// Computation in half precision is allowed: of an operator whose floating point tensors are all FLOAT16, what
    /// FLOAT16 arithmetic comes to is accepted beside what FLOAT32 arithmetic comes to.
    pub half_precision: bool,
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
    expect_within(request, &Cell::new(MOST_POINTS), sink)
}

/// The same within so many points, counted anew for each part of an expression: a meaning that looks at more is given up.
/// Points that it does not look at are left in `points`.
///
/// # Errors
/// As [`expect`], and if the meaning looks at more points.
pub fn expect_within(request: &Request<'_>, points: &Cell<u64>, sink: &mut dyn FnMut(Block)) -> Result<(), Fault> {
    expect_columns(request, &Arena::within, points, &mut |column| {
        sink(Block {
            field: column.field,
            element: column.element,
            ty: column.ty.clone(),
            start: column.start,
            elements: column.elements.into_each(),
        });
        ControlFlow::Continue(())
    })
}

/// Whether outputs are what the meaning leads to: `actual` has the elements of every present output in row-major order, in
/// struct order. What is accepted is looked at block by block and kept nowhere, up to the first element that is not.
///
/// # Errors
/// As [`expect`].
pub fn follows(request: &Request<'_>, actual: &[Vec<u64>]) -> Result<bool, Fault> {
    let elements_of = |column: &Column<'_>| {
        let operator = request.catalog.operator(&request.descriptor.operator)?;
        actual.get(output_number(
            operator,
            request.descriptor,
            (column.field, column.element),
        ))
    };
    let mut follows = true;
    expect_columns(request, &Arena::within, &Cell::new(MOST_POINTS), &mut |column| {
        let found = elements_of(&column).filter(|found| found.len() == column.all);
        let found = found.and_then(|found| found.get(column.start..));
        follows = found.is_some_and(|found| column.elements.accept(column.ty, found));
        go_on_if(follows)
    })?;
    Ok(follows)
}

/// Whether the meaning leaves some element to be judged, up to the first one.
///
/// # Errors
/// As [`expect`].
pub fn judges(request: &Request<'_>) -> Result<bool, Fault> {
    let mut judges = false;
    expect_columns(request, &Arena::within, &Cell::new(MOST_POINTS), &mut |column| {
        judges = column.elements.are_judged();
        go_on_if(!judges)
    })?;
    Ok(judges)
}

fn go_on_if(goes_on: bool) -> ControlFlow<()> {
    if goes_on {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// A [`Block`] whose elements may be exact as a whole.
pub(crate) struct Column<'a> {
    pub(crate) field: usize,
    pub(crate) element: usize,
    pub(crate) ty: &'a DataType,
    start: usize,
    /// How many elements the output has, those of other columns with them.
    pub(crate) all: usize,
    pub(crate) elements: Elements,
}

/// As [`expect_within`], column by column, until `sink` breaks.
pub(crate) fn expect_columns(
    request: &Request<'_>,
    arena: &dyn Fn(u64) -> Arena,
    points: &Cell<u64>,
    sink: &mut dyn FnMut(Column<'_>) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let all = points.get();
    let arenas = [arena(all), arena(all)];
    let result = write_outputs(request, &arenas, sink);
    let spent: u64 = arenas.iter().map(|arena| arena.budget.spent(all)).sum();
    points.set(all.saturating_sub(spent));
    result
}

/// Writes every output; each arithmetic has an arena.
fn write_outputs(
    request: &Request<'_>,
    arenas: &[Arena; 2],
    sink: &mut dyn FnMut(Column<'_>) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let name = &request.descriptor.operator;
    let known = request.catalog.operator(name).zip(request.meanings.meaning(name));
    let Some((operator, meaning)) = known else {
        return Err(Fault {
            message: format!("{name} has no meaning"),
            span: 0..0,
            within: None,
        });
    };
    let arithmetics = arithmetics(request);
    let mut passes = Vec::with_capacity(arithmetics.len());
    for (arithmetic, arena) in arithmetics.into_iter().zip(arenas) {
        let mut machine = machine(request, operator, meaning, arena);
        machine.open_inputs(request.basis, &arithmetic)?;
        passes.push(Pass {
            machine,
            arithmetic,
            basis: request.basis,
            settled: None,
        });
    }
    for (at, output) in meaning.outputs.iter().enumerate() {
        for element in 0..tensors_of(request.descriptor, output.field) {
            let written = write_output(&mut passes, (at, output), element, sink);
            let written = written.map_err(|fault| {
                let body = reading(request).output(at, output);
                let variant = reading(request).place(operator, meaning, body);
                fault.within(variant.or_else(|| Within::output(operator, output.field)))
            })?;
            if written.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A machine for a request.
pub(crate) fn machine<'a>(
    request: &Request<'a>,
    operator: &'a Operator,
    meaning: &'a Meaning,
    arena: &'a Arena,
) -> Machine<'a> {
    Machine {
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
        alone: Space::root(1),
        is_fused: false,
        narrowed: None,
        reading: reading(request),
    }
}

fn reading<'a>(request: &Request<'a>) -> Reading<'a> {
    Reading {
        variants: request.variants,
        is_inner: false,
    }
}

/// Whether a variant speaks of the descriptor of a request.
///
/// # Errors
/// A condition that has no value.
pub fn applies(request: &Request<'_>, variant: &Variant) -> Result<bool, Fault> {
    applies_within(request, variant, &Cell::new(MOST_POINTS))
}

/// The same within so many points, as [`expect_within`].
pub(crate) fn applies_within(request: &Request<'_>, variant: &Variant, points: &Cell<u64>) -> Result<bool, Fault> {
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
    let arena = Arena::within(points.get());
    let machine = machine(request, operator, meaning, &arena);
    let truth = machine.bools(condition, &machine.alone, &plain_arithmetic(request));
    points.set(points.get().saturating_sub(arena.budget.spent(points.get())));
    let truth = truth.map_err(|fault| fault.within(Within::variant(operator, meaning, variant, None)))?;
    Ok(!truth.get(0).is_false())
}

/// How many tensors a field holds.
fn tensors_of(descriptor: &Descriptor, field: usize) -> usize {
    descriptor.fields.get(field).map_or(0, |value| descs(value).len())
}

/// The arithmetics that a right implementation may compute in: FLOAT64 if a tensor is, else FLOAT32; narrower arithmetic
/// is what a flag of execution allows, for FLOAT16 tensors alone.
fn arithmetics(request: &Request<'_>) -> SmallVec<[Arithmetic; 2]> {
    let plain = plain_arithmetic(request);
    let formats = formats(request);
    let all_half = !formats.is_empty() && formats.iter().all(|format| *format == Format::half());
    if !(request.half_precision && all_half) {
        return smallvec![plain];
    }
    let half = Arithmetic {
        format: reading(request).format(Format::half()),
        half: true,
        ..plain
    };
    smallvec![plain, half]
}

/// The arithmetic that needs no flag of execution.
pub(crate) fn plain_arithmetic(request: &Request<'_>) -> Arithmetic {
    let is_double = formats(request).contains(&Format::double());
    let format = if is_double { Format::double() } else { Format::single() };
    Arithmetic {
        format: reading(request).format(format),
        granted: false,
        half: false,
        wraps: false,
    }
}

/// The formats of all tensors of floating point numbers.
fn formats(request: &Request<'_>) -> SmallVec<[Format; 4]> {
    let tensors = request.descriptor.fields.iter().flat_map(descs);
    let format_of = |tensor: &TensorDesc| request.catalog.data_type(tensor.data_type).and_then(Format::of);
    tensors.filter_map(format_of).collect()
}

/// The evaluation of a meaning in one arithmetic.
struct Pass<'a> {
    machine: Machine<'a>,
    arithmetic: Arithmetic,
    basis: Basis,
    /// What open elements of the output at work are, if a variant says so.
    settled: Option<Settled<'a>>,
}

impl Pass<'_> {
    /// Turns to an output.
    fn begin(&mut self, written: &Written<'_>) -> Eval<()> {
        let (machine, a) = (&mut self.machine, &self.arithmetic);
        let format = machine.format(&written.ty);
        machine.narrowed = format.filter(|format| format.bits < a.format.bits);
        self.settled = Settled::new(machine, written.output.field, &written.ty, self.basis, a)?;
        Ok(())
    }

    /// What elements of an output may be, by this arithmetic.
    fn elements(&mut self, written: &Written<'_>, domain: &Rc<Domain>, start: usize, count: usize) -> Eval<Elements> {
        let (machine, a) = (&mut self.machine, &self.arithmetic);
        let Written {
            output,
            element,
            ty,
            body,
            ..
        } = written;
        let space = Space::along(output.index, &domain.extents, start, count);
        let (mark, kept) = (machine.arena.mark(), machine.kept_count());
        if let Some(slot) = output.element {
            space.bind(slot, Value::int(*element as i128));
        }
        for opening in machine
            .meaning
            .openings
            .iter()
            .filter(|opening| opening.field == output.field)
        {
            space.bind(opening.slot, space.lookup(output.index).unwrap_or(Value::int(0)));
        }
        let value = machine.implicit(body, ty, &space, a)?;
        let value = machine.opened_output(output.field, value, &space, self.basis, a)?;
        let value = match &self.settled {
            Some(settled) => settled.settle(value, &space, output.index, a)?,
            None => value,
        };
        if machine.arena.is_crowded() {
            return fault(body.body, "rounding leaves too many whole numbers");
        }
        let Some(found) = elements(&value, ty, count, machine.arena) else {
            return fault(body.body, format!("an element has to be a number of {}", ty.name));
        };
        // What is kept may name outcomes of numbers; nothing else outlives its block.
        if machine.kept_count() == kept {
            drop((value, space));
            machine.arena.release(mark);
        }
        Ok(found)
    }
}

/// An output that is written.
struct Written<'a> {
    output: &'a Output,
    /// Its place in an array of tensors, else 0.
    element: usize,
    ty: DataType,
    /// Its elements as its type has them.
    body: Implicit<'a>,
}

fn write_output(
    passes: &mut [Pass<'_>],
    (at, output): (usize, &Output),
    element: usize,
    sink: &mut dyn FnMut(Column<'_>) -> ControlFlow<()>,
) -> Eval<ControlFlow<()>> {
    let Some(first) = passes.first() else {
        return Ok(ControlFlow::Continue(()));
    };
    let desc = first.machine.desc(&output.body, output.field, element as i128)?;
    let Some(ty) = first.machine.catalog.data_type(desc.data_type).cloned() else {
        return fault(
            &output.body,
            format!("unknown data type {} of an output", desc.data_type),
        );
    };
    let domain = Rc::new(Domain::of_sizes(desc.sizes()));
    let Some(points) = domain.points() else {
        return fault(&output.body, "the output has too many elements");
    };
    let written = Written {
        output,
        element,
        body: Implicit::new(first.machine.reading.output(at, output), output.field, &ty),
        ty,
    };
    for pass in passes.iter_mut() {
        pass.begin(&written)?;
    }
    let mut start = 0;
    while start < points {
        let count = BLOCK.min(points - start);
        let mut all: Option<Elements> = None;
        for pass in passes.iter_mut() {
            let found = pass.elements(&written, &domain, start, count)?;
            all = Some(match all {
                None => found,
                Some(before) => {
                    let mut elements = before.into_each();
                    for (element, also) in elements.iter_mut().zip(found.into_each()) {
                        element.join(also, &written.ty);
                    }
                    Elements::Each(elements)
                }
            });
        }
        let next = sink(Column {
            field: output.field,
            element,
            ty: &written.ty,
            start,
            all: points,
            elements: all.unwrap_or(Elements::Each(Vec::new())),
        });
        if next.is_break() {
            return Ok(next);
        }
        start += count;
    }
    Ok(ControlFlow::Continue(()))
}
