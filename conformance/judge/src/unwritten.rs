//! Elements that were never written: they still hold what the output held at first.
//!
//! A result hardly ever equals poison by accident, but often what an input left in the memory of an output: results are
//! small numbers too, and operators often give their input back. So such an output counts only if all of it is as it was.

use crate::{
    evidence::{Evidence, Wrong},
    output::find_untouched,
};
use dml_case::poison::Initial;

/// An accident less likely than one in 2^24 is ruled out.
const RULED_OUT_BITS: u64 = 24;

/// Wrong elements of an output in the place of an input that make it likely that nothing was written.
const IN_PLACE: usize = 4;

/// The wrong elements that were never written: at least one in eight, and too many for an accident.
pub(super) fn find_unwritten(evidence: &Evidence, wrong: &[Wrong]) -> Option<Vec<Wrong>> {
    let untouched: Vec<Vec<bool>> = evidence
        .outputs
        .iter()
        .zip(evidence.buffers)
        .zip(evidence.initial)
        .map(|((output, buffer), initial)| find_untouched(&output.shape, buffer, initial))
        .collect();
    let is_left = |(output, at): &&Wrong| untouched.get(*output).and_then(|of| of.get(*at as usize)) == Some(&true);
    let left: Vec<Wrong> = wrong.iter().filter(is_left).copied().collect();
    let is_poisoned = |output: usize| matches!(evidence.initial.get(output), Some(Initial::Poison(_)));
    let (poisoned, in_place): (Vec<Wrong>, Vec<Wrong>) = left.into_iter().partition(|(output, _)| is_poisoned(*output));
    let is_untouched = |output: usize| {
        untouched
            .get(output)
            .is_some_and(|of| of.iter().all(|untouched| *untouched))
    };
    if in_place.len() == wrong.len() && in_place.iter().all(|(output, _)| is_untouched(*output)) {
        return (in_place.len() >= IN_PLACE).then_some(in_place);
    }
    let bits = |(output, _): &Wrong| {
        let output = evidence.outputs.get(*output);
        output.map_or(0, |output| output.shape.ty.bits.into())
    };
    let is_no_accident = poisoned.iter().take(8).map(bits).sum::<u64>() >= RULED_OUT_BITS;
    (poisoned.len() * 8 >= wrong.len() && is_no_accident).then_some(poisoned)
}
