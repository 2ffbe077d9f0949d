//! Explaining wrong outputs: the class of the mistake, the clauses it breaks, the first element that shows it.

use dml_ops::Buffer;
use dml_spec::model::{DataType, Operator, Text};

use super::{
    clauses_of, compare, extend,
    output::{self, Output},
};
use crate::{
    case::Case,
    number::{decode, mask},
    oracle::{
        Call, Mismatch, Oracle, Seen,
        guess::{self, Guess},
    },
    outcome::{Diagnosis, Difference},
    suite::Suite,
};

/// What came back from a run.
pub(super) struct Evidence<'a> {
    pub(super) outputs: &'a [Output<'a>],
    pub(super) buffers: &'a [Buffer],
    pub(super) salts: &'a [u64],
}

/// What a failure comes down to, before it is told.
struct Finding {
    class: &'static str,
    message: String,
    /// Output and element that shows it; `None` where any differing one does.
    place: Option<(usize, u64)>,
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
        .zip(evidence.salts)
        .map(|((o, b), salt)| output::untouched(&o.shape, b, *salt))
        .collect();
    let seen = Seen {
        outputs: &actual,
        expected,
        untouched: &untouched,
    };
    let wrong = differences(evidence.outputs, &actual, expected);
    let finding = unwritten(evidence.outputs, &seen, &wrong, true)
        .or_else(|| judge.and_then(|(call, oracle)| mistake(call, oracle, evidence, &seen)))
        .or_else(|| unwritten(evidence.outputs, &seen, &wrong, false))
        .or_else(|| {
            judge
                .and_then(|(call, oracle)| oracle.check(call, &actual).into_iter().next())
                .map(Finding::from)
        })
        .unwrap_or_else(|| Finding {
            class: "differs",
            message: "the outputs are not the expected ones".to_owned(),
            place: None,
        });
    let place = finding.place.or_else(|| wrong.first().copied());
    let mut clauses = clauses_of(&suite.catalog, operator, finding.class);
    extend(&mut clauses, case.verdict.clauses());
    Diagnosis {
        class: finding.class,
        clauses,
        message: finding.message,
        first: place.and_then(|place| difference(evidence.outputs, &actual, Some(expected), place)),
        differing: wrong.len() as u64,
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
    }
}

impl From<Mismatch> for Finding {
    fn from(mismatch: Mismatch) -> Self {
        Self {
            class: mismatch.class,
            message: mismatch.message,
            place: Some((mismatch.output, mismatch.at)),
        }
    }
}

/// Every element that differs: output and place in row-major order.
fn differences(outputs: &[Output], actual: &[Vec<u64>], expected: &[Vec<u64>]) -> Vec<(usize, u64)> {
    let mut wrong = Vec::new();
    for (i, ((output, actual), expected)) in outputs.iter().zip(actual).zip(expected).enumerate() {
        for (at, (actual, expected)) in actual.iter().zip(expected).enumerate() {
            if !compare::same(output.compare, &output.shape.ty, *expected, *actual) {
                wrong.push((i, at as u64));
            }
        }
    }
    wrong
}

/// Elements that still hold poison: all that differ, or (not `only`) so many that it is no accident. A byte is poison
/// by accident once in 256 times.
fn unwritten(outputs: &[Output], seen: &Seen, wrong: &[(usize, u64)], only: bool) -> Option<Finding> {
    let is_untouched = |(output, at): &&(usize, u64)| seen.is_untouched(*output, *at as usize);
    let left: Vec<_> = wrong.iter().filter(is_untouched).collect();
    let bits: u32 = left
        .iter()
        .take(8)
        .map(|(o, _)| outputs.get(*o).map_or(0, |o| o.shape.ty.bits))
        .sum();
    let telling = if only {
        left.len() == wrong.len()
    } else {
        left.len() * 8 >= wrong.len() && bits >= 24
    };
    let first = **left.first().filter(|_| telling)?;
    let (name, of) = (
        &outputs.get(first.0)?.name,
        seen.outputs.iter().map(Vec::len).sum::<usize>(),
    );
    let message = format!(
        "{} of {of} output elements were never written, the first in {name}",
        left.len()
    );
    Some(Finding {
        class: "unwritten",
        message,
        place: Some(first),
    })
}

/// The mistake that gives exactly what was seen. Others that give the same are named beside it.
fn mistake(call: &Call, oracle: &dyn Oracle, evidence: &Evidence, seen: &Seen) -> Option<Finding> {
    if let Some(whole) = oracle.check(call, seen.outputs).into_iter().find(|m| m.whole) {
        let mut finding = Finding::from(whole);
        let others = also(&fitting(call, oracle, seen), finding.class);
        finding.message.push_str(&others);
        return Some(finding);
    }
    let mut finding = guessed(call, oracle, seen);
    // The elements may stand where they would in a packed buffer.
    if finding.is_none() && evidence.outputs.iter().any(|o| !output::is_packed(&o.shape)) {
        finding = packed_outputs(call, oracle, evidence, seen);
    }
    finding
}

/// Looks for mistakes among the guesses: the first that fits, and the names of others that fit as well.
fn guessed(call: &Call, oracle: &dyn Oracle, seen: &Seen) -> Option<Finding> {
    let fitting = fitting(call, oracle, seen);
    let first = fitting.first()?;
    Some(Finding {
        class: first.class,
        message: format!("{}{}", first.says, also(&fitting, first.class)),
        place: None,
    })
}

/// The guesses that give exactly what was seen.
fn fitting<'a>(call: &'a Call, oracle: &'a dyn Oracle, seen: &'a Seen) -> Vec<Guess<'a>> {
    let mut fitting = oracle.guesses(call, seen);
    fitting.extend(guess::general(oracle, call, seen));
    fitting.retain(|guess: &Guess| guess.explains(seen));
    fitting
}

/// Names the classes of guesses beside `class`; empty where there is none.
fn also(fitting: &[Guess], class: &str) -> String {
    let mut others: Vec<&str> = Vec::new();
    for guess in fitting.iter().filter(|g| g.class != class) {
        if !others.contains(&guess.class) {
            others.push(guess.class);
        }
    }
    match others.as_slice() {
        [] => String::new(),
        others => format!("; {} would give the same", others.join(" or ")),
    }
}

/// Reads the outputs as packed: right then, or right but for another mistake with the strides of an input.
fn packed_outputs(call: &Call, oracle: &dyn Oracle, evidence: &Evidence, seen: &Seen) -> Option<Finding> {
    let read = |(output, buffer): (&Output, &Buffer)| Some(output::packed(&output.shape)?.read(buffer.tensor()));
    let packed: Vec<Vec<u64>> = evidence
        .outputs
        .iter()
        .zip(evidence.buffers)
        .map(read)
        .collect::<Option<_>>()?;
    let seen = Seen {
        outputs: &packed,
        ..*seen
    };
    let finding = |message: &str| Finding {
        class: "strides-ignored",
        message: message.to_owned(),
        place: None,
    };
    if packed == seen.expected {
        return Some(finding("the outputs are written as if they were packed"));
    }
    let other = guessed(call, oracle, &seen)?;
    (other.class == "strides-ignored").then(|| finding("inputs and outputs are taken as if they were packed"))
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
    Some(Difference {
        tensor: Text::clone(name),
        at: shape.coordinates(at).to_vec(),
        expected: expected.and_then(told),
        actual: told(actual)?,
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
