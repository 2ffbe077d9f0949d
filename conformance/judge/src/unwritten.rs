//! Elements that were never written: they still hold what the output held at first.
//!
//! Poison is there by accident hardly ever. What an input left in the memory of an output is there by accident often:
//! results are small numbers as well. There it counts how many elements are left, and of how many kinds they are.

use crate::{diagnose::Evidence, hypotheses::Finding};
use dml_case::poison::Initial;
use dml_legacy::oracle::Seen;

/// An accident that is no more likely than one in 2^24 is none.
const BITS: f64 = 24.0;

/// Elements that look unwritten, and all that differ are among them.
pub(super) struct Unwritten {
    /// What is told of them.
    pub(super) finding: Finding,
    /// Whether nothing else needs to be thought of first.
    pub(super) is_certain: bool,
}

/// Whether every element that differs was left as it was.
pub(super) fn alone(evidence: &Evidence, seen: &Seen, wrong: &[(usize, u64)]) -> Option<Unwritten> {
    let left = left(seen, wrong);
    if left.len() != wrong.len() {
        return None;
    }
    let shared = |output: usize| matches!(evidence.initial.get(output), Some(Initial::Input(_)));
    let is_certain = if left.iter().any(|(output, _)| shared(*output)) {
        // Where a part was written, a mistake that tells which part says more.
        evidence.is_untouched() && surprise(evidence, &left) >= BITS
    } else {
        true
    };
    Some(Unwritten {
        finding: finding(evidence, seen, &left)?,
        is_certain,
    })
}

/// So many elements that still hold poison, among others that differ, that it is no accident.
pub(super) fn among(evidence: &Evidence, seen: &Seen, wrong: &[(usize, u64)]) -> Option<Finding> {
    let mut left = left(seen, wrong);
    left.retain(|(output, _)| matches!(evidence.initial.get(*output), Some(Initial::Poison(_))));
    let few = &left[..left.len().min(8)];
    (left.len() * 8 >= wrong.len() && surprise(evidence, few) >= BITS)
        .then(|| finding(evidence, seen, &left))
        .flatten()
}

fn left(seen: &Seen, wrong: &[(usize, u64)]) -> Vec<(usize, u64)> {
    let is_left = |(output, at): &&(usize, u64)| seen.is_untouched(*output, *at as usize);
    wrong.iter().filter(is_left).copied().collect()
}

/// How many bits it takes to say that all these elements are as they were by accident.
fn surprise(evidence: &Evidence, left: &[(usize, u64)]) -> f64 {
    let outputs = evidence.outputs.iter().zip(evidence.initial).enumerate();
    let of = |(output, (shown, initial)): (usize, (&crate::output::Output, &Initial))| {
        let count = left.iter().filter(|(of, _)| *of == output).count();
        if count == 0 {
            return 0.0;
        }
        let bits = match initial {
            Initial::Poison(_) => f64::from(shown.shape.ty.bits),
            Initial::Input(bytes) => variety(shown.shape.read(bytes)),
        };
        bits * count as f64
    };
    outputs.map(of).sum()
}

/// How many bits tell one of these elements from another; 0 where all are the same.
fn variety(mut elements: Vec<u64>) -> f64 {
    elements.sort_unstable();
    let count = elements.len() as f64;
    let same = |run: &[u64]| (run.len() as f64 / count).powi(2);
    -libm::log2(elements.chunk_by(|a, b| a == b).map(same).sum())
}

fn finding(evidence: &Evidence, seen: &Seen, left: &[(usize, u64)]) -> Option<Finding> {
    let first = *left.first()?;
    let name = &evidence.outputs.get(first.0)?.name;
    let of = seen.outputs.iter().map(Vec::len).sum::<usize>();
    let count = left.len();
    Some(Finding {
        class: "unwritten",
        message: format!("{count} of {of} output elements were never written, the first in {name}"),
        place: Some(first),
    })
}

#[cfg(test)]
mod tests {
    use crate::unwritten::*;

    #[test]
    fn small_numbers_tell_little() {
        assert_eq!(variety(vec![7; 9]), 0.0);
        assert_eq!(variety((0..16).collect()), 4.0);
        assert_eq!(variety(vec![1, 2, 1, 2]), 1.0);
    }
}
