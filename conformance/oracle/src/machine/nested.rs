//! Nested operators: an activation that is applied to elements of another operator.

use std::{borrow::Cow, cell::RefCell, rc::Rc};

use dml_spec::{
    desc::Value as FieldValue,
    meaning::{Function, Meaning, Node, Op, typed::Opening},
};

use super::{Eval, FUSED, Machine, fault};
use crate::{
    column::{Reals, Value},
    fault::Within,
    format::Format,
    real::{Arithmetic, Real},
    space::Space,
};

impl Machine<'_> {
    /// An activation on each element, as its own meaning says.
    pub(crate) fn apply(&self, node: &Node, operator: &Node, value: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let (field, at) = match self.eval(operator, space, a)? {
            Value::Operator(field, at) => (field, at),
            _ => return fault(node, "there is no such nested operator"),
        };
        let elements = self.reals(value, space, a)?;
        if let Some(at) = at.uniform() {
            return self.activated(node, field, at, elements, space.points, a);
        }
        // The operator differs from point to point.
        let mut parts: Vec<(i128, Vec<u32>)> = Vec::new();
        for point in 0..space.points {
            let at = at.get(point).value;
            match parts.iter_mut().find(|(known, _)| *known == at) {
                Some((_, part)) => part.push(point as u32),
                None => parts.push((at, vec![point as u32])),
            }
        }
        let values: Eval<Vec<(Vec<u32>, Value)>> = parts
            .into_iter()
            .map(|(at, part)| {
                let value = self.activated(node, field, at, elements.gather(&part), part.len(), a)?;
                Ok((part, value))
            })
            .collect();
        self.merged(node, &values?, space.points)
    }

    /// A nested operator on elements.
    fn activated(&self, node: &Node, field: usize, at: i128, elements: Reals, points: usize, a: &Arithmetic) -> Eval {
        let nested = match self.descriptor.fields.get(field) {
            Some(FieldValue::Operator(Some(nested))) => Some(&**nested),
            Some(FieldValue::Operators(Some(nested))) => usize::try_from(at).ok().and_then(|at| nested.get(at)),
            _ => None,
        };
        let Some(nested) = nested else {
            return fault(node, "there is no such nested operator");
        };
        let (operator, meaning) = match (
            self.catalog.operator(&nested.operator),
            self.meanings.meaning(&nested.operator),
        ) {
            (Some(operator), Some(meaning)) => (operator, meaning),
            _ => return fault(node, format!("the nested operator {} has no meaning", nested.operator)),
        };
        let elements = match self.narrowed {
            Some(format) => self.real1(&elements, points, |real| narrowed(real, &format, a)),
            None => elements,
        };
        let elements = self.opened_operands(&elements, meaning, points, a);
        let inner = Machine {
            catalog: self.catalog,
            meanings: self.meanings,
            operator,
            meaning,
            descriptor: nested,
            given: &[],
            inputs: Cow::Borrowed(&[]),
            kept: RefCell::new(vec![None; meaning.definitions.len()]),
            targets: RefCell::default(),
            arena: self.arena,
            // Its variables have numbers of their own.
            alone: Space::root(1),
            is_fused: true,
            narrowed: None,
            reading: self.reading.nested(),
        };
        match meaning.outputs.first() {
            Some(output) => {
                let space = Space::root(points);
                space.bind(FUSED, Value::Real(elements));
                let value = inner.eval(&output.body, &space, a);
                value.map_err(|fault| fault.within(Within::output(operator, output.field)))
            }
            None => fault(node, "the nested operator has no output"),
        }
    }

    /// What a fused operator makes of a number that left the range on the way is open, if its own clauses leave
    /// infinities open.
    fn opened_operands(&self, elements: &Reals, meaning: &Meaning, points: usize, a: &Arithmetic) -> Reals {
        let infinite = |opening: &&Opening| {
            matches!(&opening.condition.op, Op::Call(Function::IsInf, arguments)
                if arguments.iter().all(|argument| argument.op == Op::Slot(opening.slot)))
        };
        let Some(opening) = meaning.openings.iter().find(infinite) else {
            return elements.clone();
        };
        if let Reals::Exact { numbers, .. } = elements
            && numbers.iter().all(|x| x.is_finite())
        {
            return elements.clone();
        }
        let id = meaning.clauses.get(usize::from(opening.clause));
        let clause = self
            .meaning
            .clauses
            .iter()
            .position(|clause| Some(clause) == id)
            .unwrap_or(usize::from(u16::MAX - 1));
        let narrow = self.narrowed.filter(|format| format.greatest < a.format.greatest);
        let format = narrow.unwrap_or(a.format);
        let one = |real: Real| {
            let settled = real.settled(&a.format);
            let leaves = !format.nearest(settled.hi).is_finite() || !format.nearest(settled.lo).is_finite();
            if real.open == 0 && leaves {
                Real::open(clause as u16)
            } else {
                real
            }
        };
        self.real1(elements, points, one)
    }
}

/// A number that may be rounded to a narrower format on the way.
pub(crate) fn narrowed(real: Real, format: &Format, a: &Arithmetic) -> Real {
    if real.open != 0 || format.bits >= a.format.bits || real.is_exact() && format.holds(real.value) {
        return real;
    }
    let real = real.settled(&a.format);
    Real {
        lo: real.lo.min(format.nearest(real.lo)),
        hi: real.hi.max(format.nearest(real.hi)),
        ..real
    }
}
