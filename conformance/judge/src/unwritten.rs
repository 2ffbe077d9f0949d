//! Elements that were never written: they still hold what the output held at first.
//!
//! A result hardly ever equals poison by accident, but often what an input left in the memory of an output: results are
//! small numbers too. Such elements count only if nothing else is wrong.

use crate::{
    evidence::{Evidence, Wrong},
    output::find_untouched,
};
use dml_case::poison::Initial;

/// An accident less likely than one in 2^24 is ruled out.
const RULED_OUT_BITS: u64 = 24;

/// The wrong elements that were never written: all of them, or at least one in eight and too many for an accident.
pub(super) fn find_unwritten(evidence: &Evidence, wrong: &[Wrong]) -> Option<Vec<Wrong>> {
    let untouched: Vec<Vec<bool>> = evidence
        .outputs
        .iter()
        .zip(evidence.buffers)
        .zip(evidence.initial)
        .map(|((output, buffer), initial)| find_untouched(&output.shape, buffer, initial))
        .collect();
    let is_left = |(output, at): &&Wrong| untouched.get(*output).and_then(|of| of.get(*at as usize)) == Some(&true);
    let mut left: Vec<Wrong> = wrong.iter().filter(is_left).copied().collect();
    if left.len() == wrong.len() {
        return Some(left);
    }
    left.retain(|(output, _)| matches!(evidence.initial.get(*output), Some(Initial::Poison(_))));
    let bits = |(output, _): &Wrong| {
        evidence
            .outputs
            .get(*output)
            .map_or(0, |output| output.shape.ty.bits.into())
    };
    let is_no_accident = left.iter().take(8).map(bits).sum::<u64>() >= RULED_OUT_BITS;
    (left.len() * 8 >= wrong.len() && is_no_accident).then_some(left)
}
