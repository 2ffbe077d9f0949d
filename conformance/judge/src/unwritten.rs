//! Elements that were never written: they still hold what the output held at first.
//!
//! A result hardly ever equals poison by accident, but often what an input left in the memory of an output: results are
//! small numbers too. In that case the number and variety of the elements that are left decide.

use crate::{evidence::Evidence, finding::Finding, output::Output};
use dml_case::poison::Initial;
use dml_legacy::oracle::Seen;

/// An accident less likely than one in 2^24 is ruled out.
const RULED_OUT_BITS: f64 = 24.0;

/// All elements that differ look unwritten.
pub(super) struct Unwritten {
    /// The explanation.
    pub(super) finding: Finding,
    /// Whether it comes before other explanations.
    pub(super) is_certain: bool,
}

/// Explains the outputs if every element that differs was left as it was.
pub(super) fn explain_all(evidence: &Evidence, seen: &Seen, wrong: &[(usize, u64)]) -> Option<Unwritten> {
    let left = select_untouched(seen, wrong);
    if left.len() != wrong.len() {
        return None;
    }
    let shared = |output: usize| matches!(evidence.initial.get(output), Some(Initial::Input(_)));
    let is_certain = if left.iter().any(|(output, _)| shared(*output)) {
        // If a part was written, a mistake that explains which part says more.
        evidence.is_untouched() && accident_bits(evidence, &left) >= RULED_OUT_BITS
    } else {
        true
    };
    Some(Unwritten {
        finding: describe_unwritten(evidence, seen, &left)?,
        is_certain,
    })
}

/// Explains some of the differences, if too many elements still hold poison for an accident.
pub(super) fn explain_some(evidence: &Evidence, seen: &Seen, wrong: &[(usize, u64)]) -> Option<Finding> {
    let mut left = select_untouched(seen, wrong);
    left.retain(|(output, _)| matches!(evidence.initial.get(*output), Some(Initial::Poison(_))));
    let first = &left[..left.len().min(8)];
    (left.len() * 8 >= wrong.len() && accident_bits(evidence, first) >= RULED_OUT_BITS)
        .then(|| describe_unwritten(evidence, seen, &left))
        .flatten()
}

fn select_untouched(seen: &Seen, wrong: &[(usize, u64)]) -> Vec<(usize, u64)> {
    let is_left = |(output, at): &&(usize, u64)| seen.is_untouched(*output, *at as usize);
    wrong.iter().filter(is_left).copied().collect()
}

/// How unlikely it is that all these elements are unchanged by accident, in bits.
fn accident_bits(evidence: &Evidence, left: &[(usize, u64)]) -> f64 {
    let outputs = evidence.outputs.iter().zip(evidence.initial).enumerate();
    let of = |(output, (shown, initial)): (usize, (&Output, &Initial))| {
        let count = left.iter().filter(|(of, _)| *of == output).count();
        if count == 0 {
            return 0.0;
        }
        let bits = match initial {
            Initial::Poison(_) => f64::from(shown.shape.ty.bits),
            Initial::Input(bytes) => distinction_bits(shown.shape.read(bytes)),
        };
        bits * count as f64
    };
    outputs.map(of).sum()
}

/// How many bits distinguish one of these elements from another; 0 if all are equal.
fn distinction_bits(mut elements: Vec<u64>) -> f64 {
    elements.sort_unstable();
    let count = elements.len() as f64;
    let same = |run: &[u64]| (run.len() as f64 / count).powi(2);
    -libm::log2(elements.chunk_by(|a, b| a == b).map(same).sum())
}

fn describe_unwritten(evidence: &Evidence, seen: &Seen, left: &[(usize, u64)]) -> Option<Finding> {
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
    fn small_numbers_have_little_information() {
        assert_eq!(distinction_bits(vec![7; 9]), 0.0);
        assert_eq!(distinction_bits((0..16).collect()), 4.0);
        assert_eq!(distinction_bits(vec![1, 2, 1, 2]), 1.0);
    }
}
