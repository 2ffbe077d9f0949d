//! Cases beyond the plan that are built for what mistakes depend on: random shapes, numbers and data, every value of the
//! operator's parameters, every layout on every tensor alone, numbers whose low words are the same, more elements than a
//! block has.
//!
//! A mutant that the plan does not kill and one of these does is the plan's to find: no reason excuses it.

use std::{ops::ControlFlow, sync::Arc};

use dml_case::{
    case::{Case, Mode},
    tensor::{Shape, named_tensors},
};
use dml_plan::{
    builder::Builder,
    by_content::build_from_parts,
    design::{design, parameters},
    layouts,
    planner::Planner,
};
use dml_spec::{
    Descriptor, TensorDesc, Value,
    model::{Operator, Role, Tier},
};

use crate::fuzz::{Fuzz, Limit};

/// Small random cases.
const SMALL: u64 = 512;

/// Of these, cases that are tried with other layouts and other numbers as well.
const CHANGED: u64 = 32;

/// Other rows than those of the plan.
const BUILT: u64 = u64::MAX;

/// Most elements of a case of a row.
const DESIGNED: u64 = 1 << 19;

/// Most elements of such a case.
const ELEMENTS: u64 = 2048;

/// Large random cases.
const LARGE: u64 = 24;

/// The same cases each time.
const SEED: u64 = 0x6d75_7461;

/// Calls `visit` with every such case of an operator, and with words that say which one it is, the cheapest first.
pub(super) fn for_each_built(
    suite: &Arc<Planner>,
    operator: &Operator,
    visit: &mut dyn FnMut(Case, String) -> ControlFlow<()>,
) {
    let Some(level) = suite.catalog.levels.iter().map(|level| level.level).max() else {
        return;
    };
    let drawn = |cases: u64| {
        let names = [operator.name.to_string()];
        Fuzz::new(Arc::clone(suite), Vec::new(), &names, level, SEED, Limit::Cases(cases)).ok()
    };
    let mut all = |number: u64, fuzz: &Fuzz| match fuzz.case(number) {
        Some(case) if case.mode == Mode::Execute => {
            let id = case.id.to_string();
            visit(case, id)
        }
        _ => ControlFlow::Continue(()),
    };
    let (Some(small), Some(large)) = (drawn(SMALL), drawn(LARGE).map(Fuzz::wide)) else {
        return;
    };
    let _ = (0..SMALL).try_for_each(|number| all(number, &small));
    let _ = (0..LARGE).try_for_each(|number| all(number, &large));
    if for_each_designed(suite, operator, visit).is_break() {
        return;
    }
    let changed = (0..CHANGED).filter_map(|number| small.case(number));
    let changed = changed.filter(|case| case.mode == Mode::Execute && case.elements(&suite.catalog) <= ELEMENTS);
    for case in changed {
        let others = [
            laid_out(suite, operator, &case),
            other_words(suite, operator, &case),
            close_together(suite, operator, &case),
        ];
        for (case, says) in others.into_iter().flatten() {
            if visit(case, says).is_break() {
                return;
            }
        }
    }
}

/// Every value of the operator's parameters, sizes beyond those of blocks among them.
fn for_each_designed(
    suite: &Planner,
    operator: &Operator,
    visit: &mut dyn FnMut(Case, String) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let at = suite.catalog.operators.iter().position(|of| of.name == operator.name);
    let builder = at.and_then(|at| Builder::new(suite, at));
    let Some(builder) = builder else {
        return ControlFlow::Continue(());
    };
    let Ok(parameters) = parameters(&builder) else {
        return ControlFlow::Continue(());
    };
    for row in design(&builder, &parameters, Tier::Smoke, BUILT).rows {
        let id = row.id.clone();
        let says = id.to_string();
        // The largest take seconds for each mutant, and are longer than any block.
        let case = builder.case(id, row.family()).ok();
        if let Some(case) = case.filter(|case| case.elements(&suite.catalog) <= DESIGNED) {
            visit(case, says)?;
        }
    }
    ControlFlow::Continue(())
}

/// The same case with one tensor laid out in another way.
fn laid_out(suite: &Planner, operator: &Operator, case: &Case) -> Vec<(Case, String)> {
    let mut all = Vec::new();
    for (field, of) in operator.fields.iter().enumerate() {
        let Some(role) = of.kind.role() else { continue };
        for (name, apply) in layouts::LAYOUTS {
            let mut descriptor = Descriptor::clone(&case.descriptor);
            let Some(Value::Tensor(Some(tensor))) = descriptor.fields.get_mut(field) else {
                break;
            };
            let slack = apply(tensor, role).unwrap_or_default();
            if !resized(suite, tensor, slack) {
                continue;
            }
            let says = format!("{} with {} {name}", case.id, of.name);
            all.extend(rebuilt(suite, operator, case, descriptor, |_, _| {}).map(|case| (case, says)));
        }
    }
    all
}

/// The same case with one element of 64 bits that differs in its high word alone.
fn other_words(suite: &Planner, operator: &Operator, case: &Case) -> Vec<(Case, String)> {
    let inputs = named_tensors(operator, &case.descriptor, Role::Input);
    let mut all = Vec::new();
    for (number, (name, desc)) in inputs.iter().enumerate() {
        let Some(shape) = Shape::of(&suite.catalog, desc).filter(|shape| shape.ty.bits == 64) else {
            continue;
        };
        let middle = usize::try_from(shape.elements() / 2).unwrap_or_default();
        for by in [1_u64 << 32, (1_u64 << 32).wrapping_neg()] {
            let change = |nth: usize, elements: &mut Vec<u64>| {
                if let (true, Some(element)) = (nth == number, elements.get_mut(middle)) {
                    *element = element.wrapping_add(by);
                }
            };
            let descriptor = Descriptor::clone(&case.descriptor);
            let says = format!("{} with the high word of an element of {name} changed", case.id);
            all.extend(rebuilt(suite, operator, case, descriptor, change).map(|case| (case, says)));
        }
    }
    all
}

/// The same case with large whole numbers that differ in their last bits alone.
fn close_together(suite: &Planner, operator: &Operator, case: &Case) -> Vec<(Case, String)> {
    let inputs = named_tensors(operator, &case.descriptor, Role::Input);
    let mut all = Vec::new();
    for (number, (name, desc)) in inputs.iter().enumerate() {
        let ty = suite.catalog.data_type(desc.data_type);
        let Some(ty) = ty.filter(|ty| ty.bits >= 32 && ty.whole_numbers().is_some()) else {
            continue;
        };
        let large = 1_u64 << (ty.bits - 2);
        let change = |nth: usize, elements: &mut Vec<u64>| {
            if nth == number {
                elements.iter_mut().for_each(|element| *element = large | *element & 7);
            }
        };
        let descriptor = Descriptor::clone(&case.descriptor);
        let says = format!("{} with elements of {name} that are large and close together", case.id);
        all.extend(rebuilt(suite, operator, case, descriptor, change).map(|case| (case, says)));
    }
    all
}

/// Gives a tensor the size that its type, sizes and strides need; whether it has strides.
fn resized(suite: &Planner, tensor: &mut TensorDesc, slack: u64) -> bool {
    let ty = suite.catalog.data_type(tensor.data_type);
    let total = ty.and_then(|ty| tensor.minimum_total_size(ty.bits));
    if let Some(total) = total {
        tensor.total_tensor_size_in_bytes = total.saturating_add(slack);
    }
    total.is_some() && tensor.strides.is_some()
}

/// The case of another descriptor with the same elements, but for what `change` does to those of an input by its number.
fn rebuilt(
    suite: &Planner,
    operator: &Operator,
    case: &Case,
    descriptor: Descriptor,
    change: impl Fn(usize, &mut Vec<u64>),
) -> Option<Case> {
    let before = named_tensors(operator, &case.descriptor, Role::Input);
    let after = named_tensors(operator, &descriptor, Role::Input);
    let mut inputs = Vec::new();
    for (number, (((_, before), (_, after)), bytes)) in before.iter().zip(&after).zip(&case.inputs).enumerate() {
        let (before, after) = (Shape::of(&suite.catalog, before)?, Shape::of(&suite.catalog, after)?);
        let mut elements = before.read(bytes);
        change(number, &mut elements);
        let mut bytes = vec![0; usize::try_from(after.total_bytes).ok()?];
        after.write(&mut bytes, elements);
        inputs.push(bytes);
    }
    let built = build_from_parts(suite, case.id.level(), Mode::Execute, descriptor, inputs, &[]).ok()?;
    (built.mode == Mode::Execute).then_some(built)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_way_to_build_gives_cases() {
        let suite = Arc::new(crate::embedded::suite().clone());
        let (operator, _) = suite.operator("TOP_K1").unwrap();
        let (mut found, mut largest, mut count) = (BTreeSet::new(), 0, 0);
        for_each_built(&suite, operator, &mut |case, says| {
            largest = largest.max(case.elements(&suite.catalog));
            count += 1;
            found.extend(says.split_once(" with ").map(|(_, how)| how.to_owned()));
            ControlFlow::Continue(())
        });
        assert!(
            count > SMALL / 2 && largest > 1 << 16,
            "{count} cases, {largest} elements"
        );
        for how in [
            "InputTensor padded",
            "OutputIndexTensor transposed",
            "the high word of an element of InputTensor changed",
            "elements of InputTensor that are large and close together",
        ] {
            assert!(found.contains(how), "{how}: {found:?}");
        }
    }
}
