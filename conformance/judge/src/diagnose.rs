//! Explains wrong outputs: the mistakes that lead to them, the clauses they violate, the first element that shows it.

use dml_spec::model::{DataType, Text};

use crate::{
    evidence::Evidence,
    finding::Finding,
    hypotheses,
    output::{self, Output},
    violated::{add_missing, clauses_of_class, in_place_clauses},
};
use dml_case::{
    context::Context,
    number::{decode, mask},
    outcome::{Diagnosis, Difference, Explanation},
};
use dml_legacy::oracle::{Call, Oracle, Seen};

/// Explains outputs that differ from the expected ones.
pub(super) fn explain_outputs(
    context: Context,
    oracle: Option<(&Call, &dyn Oracle)>,
    evidence: &Evidence,
    expected: &[Vec<u64>],
) -> Diagnosis {
    let pairs = || evidence.outputs.iter().zip(evidence.buffers);
    let actual: Vec<Vec<u64>> = pairs().map(|(o, b)| o.shape.read(b.tensor())).collect();
    let untouched: Vec<Vec<bool>> = pairs()
        .zip(evidence.initial)
        .map(|((o, b), initial)| output::find_untouched(&o.shape, b, initial))
        .collect();
    let seen = Seen {
        outputs: &actual,
        expected,
        untouched: &untouched,
        tolerances: evidence.tolerances,
    };
    let wrong = list_differences(evidence, &actual, expected);
    let (main, others) = hypotheses::rank_findings(oracle, evidence, &seen, &wrong, &context.case.aliases);
    let constraints = context.violations();
    let clauses = |class| {
        let mut clauses = clauses_of_class(context.catalog(), context.operator, class);
        // Constraints that the text alone imposes are no reason for wrong outputs.
        let of_data = |id: &Text| constraints.iter().all(|violation| violation.clause != *id);
        add_missing(&mut clauses, context.case.verdict.clauses().into_iter().filter(of_data));
        add_missing(&mut clauses, in_place_clauses(context));
        clauses
    };
    let place = choose_element(evidence.outputs, &actual, main.place, &wrong);
    let also = name_others(&others);
    let other = |finding: Finding| Explanation {
        class: finding.class.into(),
        clauses: clauses(finding.class),
        message: finding.message,
    };
    Diagnosis {
        class: main.class.into(),
        clauses: clauses(main.class),
        message: main.message + &also,
        first: place.and_then(|place| show_difference(evidence.outputs, &actual, Some(expected), place)),
        differing: wrong.len() as u64,
        others: others.into_iter().map(other).collect(),
    }
}

/// Names the other mistakes that explain the outputs; empty if there are none.
fn name_others(others: &[Finding]) -> String {
    match others {
        [] => String::new(),
        others => {
            let classes: Vec<&str> = others.iter().map(|finding| finding.class).collect();
            format!("; {} would give the same", classes.join(" or "))
        }
    }
}

/// Every element that differs: output and place in row-major order.
pub(super) fn list_differences(evidence: &Evidence, actual: &[Vec<u64>], expected: &[Vec<u64>]) -> Vec<(usize, u64)> {
    let mut wrong = Vec::new();
    for (i, ((tolerance, actual), expected)) in evidence.tolerances.iter().zip(actual).zip(expected).enumerate() {
        for (at, (actual, expected)) in actual.iter().zip(expected).enumerate() {
            if !tolerance.accepts(at, *expected, *actual) {
                wrong.push((i, at as u64));
            }
        }
    }
    wrong
}

/// The wrong element that shows a mistake best: the one where it was noticed, if that is wrong; else the same place of
/// another output; else the nearest one, first of all one with the same value.
fn choose_element(
    outputs: &[Output],
    actual: &[Vec<u64>],
    noticed: Option<(usize, u64)>,
    wrong: &[(usize, u64)],
) -> Option<(usize, u64)> {
    let Some(noticed) = noticed else {
        return wrong.first().copied();
    };
    let coordinates = |(output, at): (usize, u64)| outputs.get(output).map(|o| o.shape.coordinates(at));
    let held = |(output, at): (usize, u64)| actual.get(output)?.get(usize::try_from(at).ok()?);
    let here = coordinates(noticed);
    let distance = |place: &&(usize, u64)| {
        let there = coordinates(**place);
        let apart = here
            .iter()
            .flatten()
            .zip(there.iter().flatten())
            .filter(|(a, b)| a != b);
        let elsewhere = place.0 != noticed.0;
        (apart.count(), elsewhere, held(**place) != held(noticed))
    };
    wrong.iter().min_by_key(distance).copied()
}

/// One element as expected and as it came back.
pub(super) fn show_difference(
    outputs: &[Output],
    actual: &[Vec<u64>],
    expected: Option<&[Vec<u64>]>,
    (output, at): (usize, u64),
) -> Option<Difference> {
    let Output { name, shape, .. } = outputs.get(output)?;
    let place = usize::try_from(at).ok()?;
    let message = |elements: &[Vec<u64>]| {
        elements
            .get(output)?
            .get(place)
            .map(|bits| spell_element(&shape.ty, *bits))
    };
    let (expected, expected_bits) = expected.and_then(message).unzip();
    let (actual, actual_bits) = message(actual)?;
    Some(Difference {
        tensor: Text::clone(name),
        at: shape.coordinates(at).to_vec(),
        expected,
        expected_bits,
        actual,
        actual_bits,
    })
}

/// An element in decimal and its bits in hex.
fn spell_element(ty: &DataType, bits: u64) -> (String, String) {
    let digits = (ty.bits as usize).div_ceil(4);
    (
        decode(ty, bits).to_string(),
        format!("0x{:0digits$x}", bits & mask(ty.bits)),
    )
}
