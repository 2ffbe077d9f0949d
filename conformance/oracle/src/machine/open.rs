//! Elements that a clause leaves open: of inputs before they are read, of outputs when they are written.

use std::{borrow::Cow, rc::Rc};

use dml_spec::meaning::{Function, Node, Op, typed::Opening};

use super::{BLOCK, Eval, Machine};
use crate::{
    column::{Bools, Store, Value, Whole, flushing},
    fault::Within,
    format::Format,
    load::Tensor,
    real::{ANY_ZERO, Arithmetic, Real},
    space::Space,
};

/// Whose word counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The text alone.
    Text,
    /// The text, and where it is silent what runtimes agree on.
    Runtime,
}

impl Machine<'_> {
    /// Marks the elements of inputs that clauses leave open.
    pub(crate) fn open_inputs(&mut self, basis: Basis, a: &Arithmetic) -> Eval<()> {
        if let Some(kept) = self.reading.keeps_denormals() {
            for tensor in self.inputs.to_mut().iter_mut().flatten() {
                *tensor = tensor.settled_denormals(kept);
            }
        }
        for opening in &self.meaning.openings {
            let count = self.inputs.get(opening.field).map_or(0, Vec::len);
            for element in 0..count {
                let opened = self.open_input(opening, element, basis, a);
                opened.map_err(|fault| fault.within(Within::opening(self.operator, self.meaning, opening)))?;
            }
        }
        for (field, slot, value) in self.reading.replaced_inputs(self.meaning) {
            for element in 0..self.inputs.get(field).map_or(0, Vec::len) {
                let replaced = self.replace_input((field, element), None, slot, value, a);
                replaced.map_err(|fault| fault.within(self.variant_of(value)))?;
            }
        }
        Ok(())
    }

    fn open_input(&mut self, opening: &Opening, element: usize, basis: Basis, a: &Arithmetic) -> Eval<()> {
        let Some(tensor) = self.inputs.get(opening.field).and_then(|tensors| tensors.get(element)) else {
            return Ok(());
        };
        let holds = !opening.text_only || basis == Basis::Text;
        // Where a clause speaks of denormals, they are what it says, and do not become zero beside that.
        let marked = if asks(opening) == Some(Function::IsDenormal) {
            tensor.with_denormals()
        } else {
            None
        };
        let tensor = marked.as_ref().unwrap_or(tensor);
        if self.reading.decides(opening.clause, self.meaning) {
            let Some((slot, value)) = self.reading.opened(opening.clause, opening.field) else {
                return match marked {
                    Some(marked) => self.put_input((opening.field, element), marked),
                    None => Ok(()),
                };
            };
            let places = self.open_places(opening, tensor, a)?;
            let replaced = self.replace_input((opening.field, element), Some(&places), slot, value, a);
            return replaced.map_err(|fault| fault.within(self.variant_of(value)));
        }
        let open = if holds && may_hold(opening, tensor) {
            self.open_places(opening, tensor, a)?
        } else {
            Vec::new()
        };
        let opened = if open.is_empty() {
            marked
        } else {
            Some(tensor.opened(&open, opening.clause))
        };
        match opened {
            Some(opened) => self.put_input((opening.field, element), opened),
            None => Ok(()),
        }
    }

    fn put_input(&mut self, (field, element): (usize, usize), tensor: Tensor) -> Eval<()> {
        let tensors = self.inputs.to_mut().get_mut(field);
        if let Some(place) = tensors.and_then(|tensors| tensors.get_mut(element)) {
            *place = tensor;
        }
        Ok(())
    }

    /// Puts values of an expression of the element in place of elements: of these, or of all.
    fn replace_input(
        &mut self,
        (field, element): (usize, usize),
        places: Option<&[usize]>,
        slot: usize,
        value: &Node,
        a: &Arithmetic,
    ) -> Eval<()> {
        let Some(tensor) = self.inputs.get(field).and_then(|tensors| tensors.get(element)) else {
            return Ok(());
        };
        let a = &Arithmetic {
            format: tensor.format.unwrap_or(a.format),
            ..*a
        };
        let all: Vec<usize>;
        let places = match places {
            Some(places) => places,
            None => {
                all = (0..tensor.data.entries()).collect();
                &all
            }
        };
        let mut replaced = tensor.clone();
        for block in places.chunks(BLOCK) {
            let space = Space::root(block.len());
            let column = block.iter().map(|place| *place as i64).collect();
            let elements = tensor.data.read(&crate::column::Ints::narrow(column), block.len());
            space.bind(slot, elements);
            let column = self.eval(value, &space, a)?;
            let values = match tensor.format {
                Some(_) => Value::Real(self.as_reals(value, &column, block.len(), a)?),
                None => column,
            };
            replaced = replaced.with_values(&values, block);
        }
        self.put_input((field, element), replaced)
    }

    /// The arithmetic of conditions that leave elements of outputs open: attributes are compared as they are, whatever
    /// arithmetic computes with them.
    fn deciding(&self, a: &Arithmetic) -> Arithmetic {
        let single = self.reading.format(Format::single());
        Arithmetic {
            format: if a.format.bits < single.bits { single } else { a.format },
            granted: false,
            half: false,
            ..*a
        }
    }

    /// The places of elements for which the condition holds. One that another clause has opened before is not asked.
    fn open_places(&self, opening: &Opening, tensor: &Tensor, a: &Arithmetic) -> Eval<Vec<usize>> {
        let a = &Arithmetic {
            format: tensor.format.unwrap_or(a.format),
            half: false,
            ..*a
        };
        let mut places = Vec::new();
        let count = tensor.data.entries();
        let mut start = 0;
        while start < count {
            let points = BLOCK.min(count - start);
            let space = Space::root(points);
            let column = (start as i64..(start + points) as i64).collect();
            space.bind(
                opening.slot,
                tensor.data.read(&crate::column::Ints::narrow(column), points),
            );
            let truths = self.bools(&opening.condition, &space, a)?;
            let holds = |point: &usize| {
                let truth = truths.get(*point);
                truth.open == 0 && !truth.is_false()
            };
            places.extend((0..points).filter(holds).map(|point| start + point));
            start += points;
        }
        Ok(places)
    }

    /// The elements of an output, open where a clause says so.
    pub(crate) fn opened_output(
        &self,
        field: usize,
        value: Value,
        space: &Rc<Space>,
        basis: Basis,
        a: &Arithmetic,
    ) -> Eval {
        let openings = || self.meaning.openings.iter().filter(|opening| opening.field == field);
        if openings().next().is_none() {
            return Ok(value);
        }
        let mut open = vec![0_u16; space.points];
        let a = &self.deciding(a);
        for opening in openings() {
            if opening.text_only && basis == Basis::Runtime || self.reading.decides(opening.clause, self.meaning) {
                continue;
            }
            let truths = self.bools(&opening.condition, space, a);
            let truths = truths.map_err(|fault| fault.within(Within::opening(self.operator, self.meaning, opening)))?;
            if let Bools::One(truth) = truths
                && truth.is_false()
            {
                continue;
            }
            for (point, open) in open.iter_mut().enumerate() {
                let truth = truths.get(point);
                if *open == 0 && !truth.is_false() {
                    *open = if truth.open == 0 {
                        opening.clause + 1
                    } else {
                        truth.open
                    };
                }
            }
        }
        if open.iter().all(|clause| *clause == 0) {
            return Ok(value);
        }
        let all: Vec<u32> = (0..space.points as u32).collect();
        Ok(self.united(&value, &all, &open))
    }
}

/// The question, if a condition asks nothing else of the element: `isnan(x)`.
fn asks(opening: &Opening) -> Option<Function> {
    match &opening.condition.op {
        Op::Call(function, arguments) => {
            let alone = arguments.iter().all(|argument| argument.op == Op::Slot(opening.slot));
            alone.then_some(*function)
        }
        _ => None,
    }
}

/// Whether a condition may hold for some element: questions about special numbers are answered by one look at all.
fn may_hold(opening: &Opening, tensor: &Tensor) -> bool {
    let numbers: Cow<'_, [f64]> = match &*tensor.data {
        Store::Exact(numbers, _) | Store::Flushing(numbers, _) => Cow::Borrowed(numbers),
        Store::Real(reals) => Cow::Owned(reals.iter().map(|real| real.value).collect()),
        Store::Int(_) | Store::Whole(_) => {
            let of_floats = [
                Function::IsNan,
                Function::IsInf,
                Function::IsDenormal,
                Function::IsNegativeZero,
            ];
            return asks(opening).is_none_or(|function| !of_floats.contains(&function));
        }
        Store::Bool(_) | Store::List(..) => return true,
    };
    let format = tensor.format.unwrap_or(Format::double());
    match asks(opening) {
        Some(Function::IsNan) => numbers.iter().any(|x| x.is_nan()),
        Some(Function::IsInf) => numbers.iter().any(|x| x.is_infinite()),
        Some(Function::IsDenormal) => numbers.iter().any(|x| format.is_denormal(*x)),
        Some(Function::IsNegativeZero) => numbers.iter().any(|x| *x == 0.0 && x.is_sign_negative()),
        _ => true,
    }
}

impl Tensor {
    /// The tensor whose denormals are kept; `None` if none may become zero.
    fn with_denormals(&self) -> Option<Self> {
        let kept = |real: &Real| Real {
            open: real.open,
            ..Real::exact(real.value)
        };
        let data = match &*self.data {
            Store::Flushing(numbers, _) => Store::Exact(numbers.clone(), false),
            Store::Real(reals) => Store::Real(reals.iter().map(kept).collect()),
            _ => return None,
        };
        Some(Self {
            data: Rc::new(data),
            ..self.clone()
        })
    }

    /// The tensor with these elements left open by a clause, unless another one has before.
    pub(crate) fn opened(&self, places: &[usize], clause: u16) -> Self {
        let open = |open: &mut u16| {
            if *open == 0 {
                *open = clause + 1;
            }
        };
        self.changed(places, |_, whole| open(&mut whole.open), |_, real| open(&mut real.open))
    }

    /// The tensor with these values at these places.
    fn with_values(&self, values: &Value, places: &[usize]) -> Self {
        let whole = |at: usize, whole: &mut Whole| {
            if let Value::Int(ints) = values {
                *whole = ints.get(at);
            }
        };
        let real = |at: usize, real: &mut Real| {
            if let Value::Real(reals) = values {
                *real = reals.get(at);
            }
        };
        self.changed(places, whole, real)
    }

    /// The tensor whose denormals are kept, or zero.
    fn settled_denormals(&self, kept: bool) -> Self {
        let Some(format) = self.format else {
            return self.clone();
        };
        let all: Vec<usize> = (0..self.data.entries()).collect();
        let settled = |_: usize, real: &mut Real| {
            let value = if kept || !format.flushes || !format.is_denormal(real.value) {
                Real::exact(real.value)
            } else {
                Real::exact(0.0).with(ANY_ZERO)
            };
            *real = value;
        };
        let tensor = self.changed(&all, |_, _| {}, settled);
        Self {
            format: Some(if kept { format.keeping_denormals() } else { format }),
            ..tensor
        }
    }

    /// The tensor with elements changed: those of these places, each with its number among them.
    fn changed(&self, places: &[usize], whole: impl Fn(usize, &mut Whole), real: impl Fn(usize, &mut Real)) -> Self {
        let places = || places.iter().enumerate();
        let data = match &*self.data {
            Store::Int(_) | Store::Whole(_) => {
                let mut wholes: Vec<Whole> = match &*self.data {
                    Store::Int(values) => values.iter().map(|value| Whole::exact((*value).into())).collect(),
                    Store::Whole(wholes) => wholes.clone(),
                    _ => Vec::new(),
                };
                places().for_each(|(at, place)| whole(at, &mut wholes[*place]));
                Store::Whole(wholes)
            }
            other => {
                let mut reals: Vec<Real> = match other {
                    Store::Exact(numbers, _) => numbers.iter().map(|x| Real::exact(*x)).collect(),
                    Store::Flushing(numbers, normal) => numbers.iter().map(|x| flushing(*x, *normal)).collect(),
                    Store::Real(reals) => reals.clone(),
                    _ => Vec::new(),
                };
                places().for_each(|(at, place)| real(at, &mut reals[*place]));
                Store::Real(reals)
            }
        };
        Self {
            data: Rc::new(data),
            ..self.clone()
        }
    }
}
