//! Looks for legal descriptors for which a meaning or an invariant has no value: an index out of range, a division by zero, a number
//! that does not fit. The language cannot tell these from the text; the corners of the tables can.

use std::{cell::Cell, collections::BTreeMap};

use dml_case::number::{encode_float, encode_int, mask};
use dml_spec::{
    desc::{Descriptor, TensorDesc, Value},
    meaning::typed::Variant,
    model::{Catalog, DataType, NumberClass, Operator, Role},
};

use super::{
    Basis, Block, Element, Fault, Library, Request, Tensor, corners::corners, descs, expect::applies_within,
    expect_within, invariant::without_value,
};

/// How many descriptors are tried after one for which there is no value: who mends that asks again.
const AFTER: usize = 40;
/// Points that an evaluation may look at.
const POINTS: u64 = 1 << 26;
/// Points that all evaluations of an operator may look at: no evaluation begins with fewer than its own left.
const ALL_POINTS: u64 = 1 << 29;

/// The bits of an element, by its field and place in an array, its type and its number.
type Elements<'a> = dyn Fn((usize, usize), &DataType, u64) -> u64 + 'a;

/// What the elements of inputs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Zeros.
    Zeros,
    /// Small whole numbers.
    Counting,
    /// Ends of the range, NaN, infinities, denormals.
    Extremes,
}

/// A legal descriptor, with inputs, for which a meaning has no value.
#[derive(Clone, Debug)]
pub struct Unguarded {
    /// The descriptor.
    pub descriptor: Descriptor,
    /// What its inputs hold.
    pub pattern: Pattern,
    /// Why there is no value.
    pub fault: Fault,
}

/// Evaluates the meaning of an operator, its variants and its invariants for its examples, for these `seeds`, and for
/// legal descriptors close to them: other data types of the tables, sizes of 1, other attributes, absent tensors. One
/// descriptor for each part of the meaning that fails; after the first one few more are tried, and none once all of them
/// have looked at so many points that a meaning must be longer than any that is known.
pub fn probe(catalog: &Catalog, meanings: &dyn Library, operator: &Operator, seeds: Vec<Descriptor>) -> Vec<Unguarded> {
    let mut found: Vec<Unguarded> = Vec::new();
    let (mut after, left) = (0, Cell::new(ALL_POINTS));
    for descriptor in &corners(catalog, operator, seeds) {
        after += usize::from(!found.is_empty());
        if after > AFTER {
            break;
        }
        for pattern in [Pattern::Zeros, Pattern::Counting, Pattern::Extremes] {
            let inputs = inputs(catalog, operator, descriptor, pattern);
            let request = Request {
                catalog,
                meanings,
                descriptor,
                inputs: &inputs,
                basis: Basis::Text,
                half_precision: true,
                variants: &[],
            };
            for fault in faults(&request, operator, pattern, &left) {
                let is_here =
                    |known: &Unguarded| (&known.fault.span, &known.fault.within) == (&fault.span, &fault.within);
                if !found.iter().any(is_here) {
                    found.push(Unguarded {
                        descriptor: descriptor.clone(),
                        pattern,
                        fault,
                    });
                }
            }
        }
    }
    found
}

/// Calls `f` with the points of an evaluation, and takes those that it looks at from `left`; `None` without enough left.
fn spend<T>(left: &Cell<u64>, f: impl FnOnce(&Cell<u64>) -> T) -> Option<T> {
    let rest = left.get().checked_sub(POINTS)?;
    let points = Cell::new(POINTS);
    let value = f(&points);
    left.set(rest + points.get());
    Some(value)
}

/// The faults of a meaning as it is written, in each of its variants, and of its invariants.
fn faults(request: &Request<'_>, operator: &Operator, pattern: Pattern, left: &Cell<u64>) -> Vec<Fault> {
    let Some(meaning) = request.meanings.meaning(&request.descriptor.operator) else {
        return Vec::new();
    };
    let mut computed = BTreeMap::<(usize, usize), Vec<u64>>::new();
    let mut note = |block: Block| {
        let elements = block.elements.iter().map(Element::reference);
        computed
            .entry((block.field, block.element))
            .or_default()
            .extend(elements);
    };
    let Some(written) = spend(left, |points| expect_within(request, points, &mut note)) else {
        return Vec::new();
    };
    let mut all: Vec<Fault> = written.err().into_iter().collect();
    all.extend(
        meaning
            .variants
            .iter()
            .filter_map(|variant| in_variant(request, variant, left)),
    );
    // What a clause leaves open may be anything, what the meaning says among it.
    let wanted: [&Elements<'_>; 2] = [&|_, ty, at| element(ty, pattern, at), &|place, _, at| {
        computed
            .get(&place)
            .and_then(|bits| bits.get(at as usize))
            .map_or(0, |bits| *bits)
    }];
    for elements in wanted.iter().filter(|_| !meaning.invariants.is_empty()) {
        let mut tensors = request.inputs.to_vec();
        let outputs = tensors_of(request.catalog, operator, request.descriptor, Role::Output, elements);
        for (inputs, outputs) in tensors.iter_mut().zip(outputs) {
            inputs.extend(outputs);
        }
        all.extend(
            spend(left, |points| without_value(request, &tensors, points))
                .into_iter()
                .flatten(),
        );
    }
    all
}

/// The fault of a meaning in one of its variants.
fn in_variant(request: &Request<'_>, variant: &Variant, left: &Cell<u64>) -> Option<Fault> {
    let request = Request {
        variants: &[variant],
        ..*request
    };
    let tried = spend(left, |points| match applies_within(&request, variant, points) {
        Ok(true) => expect_within(&request, points, &mut |_| {}).err(),
        Ok(false) => None,
        Err(fault) => Some(fault),
    });
    let fault = tried??;
    Some(Fault {
        message: format!("in the variant `{}`: {}", variant.name, fault.message),
        ..fault
    })
}

/// The input tensors of each field of a descriptor, with elements of this pattern.
pub fn inputs(catalog: &Catalog, operator: &Operator, descriptor: &Descriptor, pattern: Pattern) -> Vec<Vec<Tensor>> {
    let of_pattern = |_, ty: &DataType, at| element(ty, pattern, at);
    tensors_of(catalog, operator, descriptor, Role::Input, &of_pattern)
}

/// The tensors of this role, by field.
fn tensors_of(
    catalog: &Catalog,
    operator: &Operator,
    descriptor: &Descriptor,
    role: Role,
    elements: &Elements<'_>,
) -> Vec<Vec<Tensor>> {
    let load = |place, desc: &TensorDesc| {
        let ty = catalog.data_type(desc.data_type)?;
        let count = desc.sizes().iter().map(|size| u64::from(*size)).product::<u64>();
        let bits: Vec<u64> = (0..count).map(|at| elements(place, ty, at)).collect();
        Tensor::new(desc, ty, &bits)
    };
    let of = |(at, (field, value)): (usize, (&dml_spec::model::Field, &Value))| {
        let tensors = descs(value).iter().enumerate();
        let here = tensors.filter(|_| field.kind.role() == Some(role));
        here.filter_map(|(element, desc)| load((at, element), desc)).collect()
    };
    operator
        .fields
        .iter()
        .zip(&descriptor.fields)
        .enumerate()
        .map(of)
        .collect()
}

fn element(ty: &DataType, pattern: Pattern, at: u64) -> u64 {
    match (pattern, ty.class) {
        (Pattern::Zeros, _) => 0,
        (Pattern::Counting, NumberClass::Float) => encode_float(ty, (at % 7) as f64 - 2.0),
        (Pattern::Counting, _) => encode_int(ty, (at % 3).into()),
        (Pattern::Extremes, NumberClass::Float) => {
            let numbers = [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, -0.0, 1e-40, 1.0, -6e4];
            encode_float(ty, numbers.get((at % 8) as usize).copied().unwrap_or(0.0))
        }
        (Pattern::Extremes, _) => {
            let top = 1 << (ty.bits.clamp(1, 64) - 1);
            let numbers = [mask(ty.bits), top, top - 1, 0, 1];
            numbers.get((at % 5) as usize).copied().unwrap_or(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_evaluation_begins_without_its_points() {
        let left = Cell::new(POINTS + 5);
        let looked_at_ten = |points: &Cell<u64>| points.set(points.get() - 10);
        assert_eq!(spend(&left, looked_at_ten), Some(()));
        assert_eq!(left.get(), POINTS - 5);
        assert_eq!(spend(&left, looked_at_ten), None);
        assert_eq!(left.get(), POINTS - 5);
    }
}
