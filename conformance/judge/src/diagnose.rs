//! Explaining wrong outputs: the mistakes that lead to them, the clauses they break, the first element that shows it.

use dml_spec::answer::Buffer;
use dml_spec::model::{DataType, Operator, Text};

use crate::{
    clauses_of,
    creation::violations,
    extend,
    hypotheses::{self, Finding},
    in_place,
    output::{self, Output},
};
use dml_case::poison::Initial;
use dml_case::{
    case::Case,
    compare::Tolerance,
    number::{decode, mask},
    outcome::{Diagnosis, Difference, Explanation},
    suite::Suite,
};
use dml_legacy::oracle::{Call, Mismatch, Oracle, Seen};

/// What came back from a run.
pub(super) struct Evidence<'a> {
    pub(super) outputs: &'a [Output<'a>],
    pub(super) buffers: &'a [Buffer],
    /// What the outputs held at first.
    pub(super) initial: &'a [Initial<'a>],
    /// How each output is compared.
    pub(super) tolerances: &'a [Tolerance<'a>],
}

impl Evidence<'_> {
    /// Whether no byte of any output was written: that explains itself.
    pub(super) fn is_untouched(&self) -> bool {
        let untouched = |(buffer, initial): (&Buffer, &Initial)| {
            let mut bytes = buffer.tensor().iter().enumerate();
            bytes.all(|(at, byte)| initial.byte(at) == Some(*byte))
        };
        self.buffers.iter().zip(self.initial).all(untouched)
    }
}

/// Explains outputs that differ from the expected ones.
pub(super) fn explain(
    suite: &Suite,
    operator: &Operator,
    case: &Case,
    judge: Option<(&Call, &dyn Oracle)>,
    evidence: &Evidence,
    expected: &[Vec<u64>],
) -> Diagnosis {
    let pairs = || evidence.outputs.iter().zip(evidence.buffers);
    let actual: Vec<Vec<u64>> = pairs().map(|(o, b)| o.shape.read(b.tensor())).collect();
    let untouched: Vec<Vec<bool>> = pairs()
        .zip(evidence.initial)
        .map(|((o, b), initial)| output::untouched(&o.shape, b, initial))
        .collect();
    let seen = Seen {
        outputs: &actual,
        expected,
        untouched: &untouched,
        tolerances: evidence.tolerances,
    };
    let wrong = differences(evidence, &actual, expected);
    let (main, others) = hypotheses::all(judge, evidence, &seen, &wrong, &case.aliases);
    let constraints = violations(suite, case);
    let clauses = |class| {
        let mut clauses = clauses_of(&suite.catalog, operator, class);
        // What the text alone refuses is no reason for wrong outputs.
        let of_data = |id: &Text| constraints.iter().all(|violation| violation.clause != *id);
        extend(&mut clauses, case.verdict.clauses().into_iter().filter(of_data));
        extend(&mut clauses, in_place(suite, case));
        clauses
    };
    let place = shown(evidence.outputs, &actual, main.place, &wrong);
    let also = also(&others);
    let other = |finding: Finding| Explanation {
        class: finding.class.into(),
        clauses: clauses(finding.class),
        message: finding.message,
    };
    Diagnosis {
        class: main.class,
        clauses: clauses(main.class),
        message: main.message + &also,
        first: place.and_then(|place| difference(evidence.outputs, &actual, Some(expected), place)),
        differing: wrong.len() as u64,
        others: others.into_iter().map(other).collect(),
    }
}

/// Tells of a broken property; clauses are the caller's.
pub(super) fn of_mismatch(
    outputs: &[Output],
    actual: &[Vec<u64>],
    expected: Option<&[Vec<u64>]>,
    mismatch: &Mismatch,
) -> Diagnosis {
    Diagnosis {
        class: mismatch.class,
        clauses: Vec::new(),
        message: mismatch.message.clone(),
        first: difference(outputs, actual, expected, (mismatch.output, mismatch.at)),
        differing: 1,
        others: Vec::new(),
    }
}

/// Names other mistakes beside the one that is told; empty where there is none.
fn also(others: &[Finding]) -> String {
    match others {
        [] => String::new(),
        others => {
            let classes: Vec<&str> = others.iter().map(|finding| finding.class).collect();
            format!("; {} would give the same", classes.join(" or "))
        }
    }
}

/// Every element that differs: output and place in row-major order.
fn differences(evidence: &Evidence, actual: &[Vec<u64>], expected: &[Vec<u64>]) -> Vec<(usize, u64)> {
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
/// another output; else the nearest one, above all one that holds the same.
fn shown(
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

/// Tells of one element.
fn difference(
    outputs: &[Output],
    actual: &[Vec<u64>],
    expected: Option<&[Vec<u64>]>,
    (output, at): (usize, u64),
) -> Option<Difference> {
    let Output { name, shape, .. } = outputs.get(output)?;
    let place = usize::try_from(at).ok()?;
    let told = |elements: &[Vec<u64>]| elements.get(output)?.get(place).map(|bits| tell(&shape.ty, *bits));
    let (expected, expected_bits) = expected.and_then(told).unzip();
    let (actual, actual_bits) = told(actual)?;
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
fn tell(ty: &DataType, bits: u64) -> (String, String) {
    let digits = (ty.bits as usize).div_ceil(4);
    (
        decode(ty, bits).to_string(),
        format!("0x{:0digits$x}", bits & mask(ty.bits)),
    )
}
