//! Describes wrong outputs: what shows, the clauses that speak of it, the first element that differs.
//!
//! Which mistake leads to them is not asked here: a case alone fits many, and a run tells them apart
//! (`dml_oracle::explain`).

use dml_case::{
    context::Context,
    names::{DIFFERS, UNWRITTEN},
    number::{decode, mask},
    outcome::{Diagnosis, Difference},
    poison::Initial,
};
use dml_oracle::{Acceptance, Expectation};
use dml_spec::model::{DataType, Text};

use crate::{
    evidence::{Evidence, Wrong},
    expected::Expectations,
    output::Output,
    unwritten::find_unwritten,
    violated::{add_missing, clauses_of_outputs, in_place_clauses, part_clauses},
};

/// Describes outputs that differ from the expected ones.
pub(super) fn describe_failure(context: Context, evidence: &Evidence, expected: &[Vec<u64>]) -> Diagnosis {
    let pairs = evidence.outputs.iter().zip(evidence.buffers);
    let actual: Vec<Vec<u64>> = pairs.map(|(o, b)| o.shape.read(b.tensor())).collect();
    let wrong = list_differences(evidence.acceptances, &actual, expected);
    let (class, shown, message) = match find_unwritten(evidence, &wrong) {
        Some(left) => (UNWRITTEN, left.first().copied(), count_unwritten(evidence, &left)),
        None => (
            DIFFERS,
            wrong.first().copied(),
            count_differences(evidence.outputs, &actual, &wrong),
        ),
    };
    let mut clauses = clauses_of_outputs(context, class, &actual, &wrong);
    // Constraints that the text alone imposes are no reason for wrong outputs.
    let constraints = context.violations();
    let of_data = |id: &Text| constraints.iter().all(|violation| violation.clause != *id);
    add_missing(&mut clauses, context.case.verdict.clauses().into_iter().filter(of_data));
    add_missing(&mut clauses, in_place_clauses(context));
    Diagnosis {
        first: shown.and_then(|place| show_difference(evidence.outputs, &actual, Some(expected), place)),
        differing: wrong.len() as u64,
        ..Diagnosis::new(class, clauses, message)
    }
}

/// The clauses that a mistake of this class violates by the outputs that it leads to; none that these keep.
pub fn clauses_of_mistake(context: Context, class: &str, actual: &[Vec<u64>]) -> Vec<Text> {
    let expected = Expectations::of(context, false).and_then(|of| Expectation::compute(&of.request()).ok());
    let expected = expected.unwrap_or_default();
    let wrong = list_differences(&expected.acceptances, actual, &expected.outputs);
    part_clauses(context, class, actual, &wrong).0
}

/// `2 of 6 output elements were never written, the first in OutputTensor`; in the place of an input they hold what that held.
fn count_unwritten(evidence: &Evidence, left: &[Wrong]) -> String {
    let all: u64 = evidence.outputs.iter().map(|output| output.shape.elements()).sum();
    let first = left.first().and_then(|(output, _)| evidence.outputs.get(*output));
    let name = first.map_or("", |output| &output.name);
    let initial = left.first().and_then(|(output, _)| evidence.initial.get(*output));
    let what = match initial {
        Some(Initial::Poison(_)) => "were never written",
        _ => "still hold what the input held in their place",
    };
    format!("{} of {all} output elements {what}, the first in {name}", left.len())
}

/// `4 of 12 elements of OutputIndexTensor are wrong, all of them 0; OutputValueTensor is right`.
fn count_differences(outputs: &[Output], actual: &[Vec<u64>], wrong: &[Wrong]) -> String {
    let of = |(number, output): (usize, &Output)| {
        let places = wrong.iter().filter(|(of, _)| *of == number);
        let found = places.map(|(_, at)| actual.get(number)?.get(usize::try_from(*at).ok()?).copied());
        let found: Vec<u64> = found.flatten().collect();
        let Some(first) = found.first() else {
            return format!("{} is right", output.name);
        };
        let alike = match found.len() > 1 && found.iter().all(|bits| bits == first) {
            true => format!(", all of them {}", decode(&output.shape.ty, *first)),
            false => String::new(),
        };
        let (count, all, name) = (found.len(), output.shape.elements(), &output.name);
        match (count, all) {
            (1, 1) => format!("the element of {name} is wrong"),
            (1, _) => format!("1 of {all} elements of {name} is wrong"),
            _ => format!("{count} of {all} elements of {name} are wrong{alike}"),
        }
    };
    let all: Vec<String> = outputs.iter().enumerate().map(of).collect();
    all.join("; ")
}

/// Every element that differs.
pub(super) fn list_differences(acceptances: &[Acceptance], actual: &[Vec<u64>], expected: &[Vec<u64>]) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    for (i, ((acceptance, actual), expected)) in acceptances.iter().zip(actual).zip(expected).enumerate() {
        for (at, (actual, expected)) in actual.iter().zip(expected).enumerate() {
            if !acceptance.accepts(at, *expected, *actual) {
                wrong.push((i, at as u64));
            }
        }
    }
    wrong
}

/// One element as expected and as it came back.
pub(super) fn show_difference(
    outputs: &[Output],
    actual: &[Vec<u64>],
    expected: Option<&[Vec<u64>]>,
    (output, at): Wrong,
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
