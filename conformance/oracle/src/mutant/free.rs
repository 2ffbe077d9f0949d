//! Elements that may be anything with a mistake that the specification names.

use std::{cell::Cell, rc::Rc};

use dml_spec::{
    meaning::{Node, Op},
    model::Role,
};

use super::{Change, Mutant, apply::MutantRun};
use crate::{arena::Arena, case::descs, invariant::holding, load::Tensor};

/// Elements of an output that may be anything with a mistake.
pub(super) struct Free {
    /// The output, in struct order.
    pub(super) output: usize,
    /// Whether each element is one of them.
    pub(super) elements: Vec<bool>,
    /// The condition says something of the element itself: what fulfils it speaks for the mistake.
    pub(super) decides: bool,
}

impl MutantRun<'_> {
    /// Which elements that a backend gave may be anything with a mistake.
    pub(super) fn free(&self, mutant: &Mutant, given: &[Vec<u64>]) -> Vec<Free> {
        let Change::Named(named) = &mutant.change else {
            return Vec::new();
        };
        if !named.is_set() {
            return Vec::new();
        }
        let Some((tensors, numbers)) = self.with_outputs(given) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for condition in &named.meaning.invariants {
            let first = numbers.get(condition.field).copied().unwrap_or_default();
            let outside = Rc::new(Cell::new(false));
            for element in 0..tensors.get(condition.field).map_or(0, Vec::len) {
                let arena = Arena::lenient(self.points(), false, &outside);
                let found = self.with_meaning(&named.meaning, |request| {
                    holding(request, &tensors, (condition, element), &arena)
                });
                all.push(Free {
                    output: first + element,
                    elements: found.unwrap_or_default(),
                    decides: reads(&condition.condition, condition.element),
                });
            }
        }
        all
    }

    /// Inputs, and the outputs that a backend gave, by field; and the number of the first output of each field.
    fn with_outputs(&self, given: &[Vec<u64>]) -> Option<(Vec<Vec<Tensor>>, Vec<usize>)> {
        let context = self.context();
        let (mut tensors, mut numbers, mut next) = (self.inputs().to_vec(), Vec::new(), 0);
        let fields = context.operator.fields.iter().zip(&context.case.descriptor.fields);
        for ((field, value), place) in fields.zip(&mut tensors) {
            numbers.push(next);
            if field.kind.role() != Some(Role::Output) {
                continue;
            }
            for desc in descs(value) {
                let ty = context.catalog().data_type(desc.data_type)?;
                place.push(Tensor::new(desc, ty, given.get(next)?)?);
                next += 1;
            }
        }
        Some((tensors, numbers))
    }
}

fn reads(node: &Node, slot: usize) -> bool {
    matches!(node.op, Op::Slot(of) if of == slot) || node.parts().into_iter().any(|part| reads(part, slot))
}
