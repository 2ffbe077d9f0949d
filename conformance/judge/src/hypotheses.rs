//! Hypotheses: every mistake that leads to exactly the outputs that were seen.
//!
//! A small case often fits several. All are kept, because over many cases only the real one fits them all; if none fits,
//! only a symptom is reported.

use dml_spec::answer::Alias;

use crate::{evidence::Evidence, finding::Finding, output, overwritten, unwritten};
use dml_case::tensor::Shape;
use dml_legacy::oracle::{Call, Guess, Mismatch, Oracle, Seen, general::general};

/// The likeliest explanation and the others, one a class. `wrong` are the elements that differ.
pub(super) fn rank_findings(
    oracle: Option<(&Call, &dyn Oracle)>,
    evidence: &Evidence,
    seen: &Seen,
    wrong: &[(usize, u64)],
    aliases: &[Alias],
) -> (Finding, Vec<Finding>) {
    let left = unwritten::explain_all(evidence, seen, wrong);
    let (certain, likely): (Vec<_>, Vec<_>) = left.into_iter().partition(|left| left.is_certain);
    let mut certain: Vec<Finding> = certain.into_iter().map(|left| left.finding).collect();
    if aliases.is_empty()
        && evidence.is_untouched()
        && let Some(finding) = certain.pop()
    {
        return (finding, Vec::new());
    }
    let mut found: Vec<Finding> = Vec::new();
    let mut broken = Vec::new();
    if let Some((call, oracle)) = oracle {
        // Also explains why elements are still poison.
        found.extend(explain_by_packing(call, oracle, evidence, seen, wrong));
        found.extend(explain_by_strides_of_another(evidence, seen, wrong));
    }
    found.extend(certain);
    if let Some((call, oracle)) = oracle {
        broken = oracle.check(call, seen.outputs);
        // First, because the same case without shared memory shows whether these are mistakes there too.
        found.extend(select_explaining(
            overwritten::guess_mistakes(call, oracle, *seen, aliases),
            seen,
        ));
        let in_all = broken.iter().filter(|mismatch| mismatch.whole);
        found.extend(in_all.cloned().map(Finding::from));
        found.extend(find_fitting(call, oracle, seen));
    }
    found.extend(likely.into_iter().map(|left| left.finding));
    let mut distinct: Vec<Finding> = Vec::new();
    for finding in found {
        if distinct.iter().all(|known| known.class != finding.class) {
            distinct.push(finding);
        }
    }
    if distinct.is_empty() {
        return (report_symptom(broken, evidence, seen, wrong), Vec::new());
    }
    (distinct.remove(0), distinct)
}

/// What is visible if no mistake explains everything.
fn report_symptom(broken: Vec<Mismatch>, evidence: &Evidence, seen: &Seen, wrong: &[(usize, u64)]) -> Finding {
    unwritten::explain_some(evidence, seen, wrong)
        .or_else(|| broken.into_iter().next().map(Finding::from))
        .unwrap_or_else(|| Finding {
            class: "differs",
            message: "the outputs are not the expected ones".to_owned(),
            place: None,
        })
}

/// The guesses that give exactly what was seen, the first of each class.
fn find_fitting(call: &Call, oracle: &dyn Oracle, seen: &Seen) -> Vec<Finding> {
    let mut guesses = oracle.guesses(call, seen);
    guesses.extend(general(oracle, call, seen));
    select_explaining(guesses, seen)
}

/// Those of the guesses that give exactly what was seen, the first of each class.
fn select_explaining(guesses: Vec<Guess<'_>>, seen: &Seen) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for guess in guesses {
        let Guess { class, .. } = guess;
        if found.iter().all(|known| known.class != class) && guess.explains(seen) {
            found.push(Finding {
                class,
                message: guess.says,
                place: None,
            });
        }
    }
    found
}

/// Reads outputs as packed, each alone, then all of them. Explains outputs that are then as expected, or that another
/// mistake with the strides of an input explains.
fn explain_by_packing(
    call: &Call,
    oracle: &dyn Oracle,
    evidence: &Evidence,
    seen: &Seen,
    wrong: &[(usize, u64)],
) -> Option<Finding> {
    let outputs = evidence.outputs;
    let strided: Vec<usize> = (0..outputs.len()).filter(|i| !outputs[*i].shape.is_packed()).collect();
    let mut sets: Vec<Vec<usize>> = strided.iter().map(|i| vec![*i]).collect();
    sets.extend((strided.len() > 1).then_some(strided));
    let read: Vec<Packed> = sets
        .into_iter()
        .filter_map(|which| Packed::of(evidence, seen, which))
        .collect();
    let finding = |packed: &Packed, input: &str| {
        let names: Vec<&str> = packed.which.iter().map(|i| outputs[*i].name.as_ref()).collect();
        let how = if names.len() == 1 {
            "is written as if it were"
        } else {
            "are written as if they were"
        };
        let names = names.join(" and ");
        Finding {
            class: "strides-ignored",
            message: format!("{names} {how} packed{input}"),
            place: wrong.iter().find(|(i, _)| packed.which.contains(i)).copied(),
        }
    };
    if let Some(packed) = read.iter().find(|packed| seen.is_expected(&packed.outputs)) {
        return Some(finding(packed, ""));
    }
    let with_input = |packed: &&Packed| {
        let seen = Seen {
            outputs: &packed.outputs,
            expected: seen.expected,
            untouched: &packed.untouched,
            tolerances: seen.tolerances,
        };
        let mut found = find_fitting(call, oracle, &seen).into_iter();
        found.any(|other| other.class == "strides-ignored")
    };
    let packed = read.iter().find(with_input)?;
    Some(finding(packed, ", and so is the input read"))
}

/// Reads an output by the strides of another one of the same sizes. Explains outputs that are then as expected.
fn explain_by_strides_of_another(evidence: &Evidence, seen: &Seen, wrong: &[(usize, u64)]) -> Option<Finding> {
    let outputs = evidence.outputs;
    let is_other = |own: &Shape, other: &Shape| own.sizes == other.sizes && own.strides != other.strides;
    for (at, own) in outputs.iter().enumerate() {
        let (buffer, due) = (evidence.buffers.get(at)?, seen.expected.get(at)?);
        for other in outputs.iter().filter(|other| is_other(&own.shape, &other.shape)) {
            let by = Shape {
                strides: other.shape.strides.clone(),
                ..own.shape.clone()
            };
            let mut read = by.read(buffer.tensor());
            let (places, mut element) = (buffer.tensor().len() / by.width().max(1), 0);
            by.for_each_offset(|offset| {
                // What was written past the end is lost.
                if offset >= places {
                    read[element] = due[element];
                }
                element += 1;
            });
            let mut elements = seen.outputs.to_vec();
            elements[at] = read;
            if seen.is_expected(&elements) {
                return Some(Finding {
                    class: "strides-ignored",
                    message: format!("{} is written with the strides of {}", own.name, other.name),
                    place: wrong.iter().find(|(output, _)| *output == at).copied(),
                });
            }
        }
    }
    None
}

/// What came back, with some outputs read as if they were packed.
struct Packed {
    /// The outputs that are read so.
    which: Vec<usize>,
    outputs: Vec<Vec<u64>>,
    untouched: Vec<Vec<bool>>,
}

impl Packed {
    /// `None` if one of `which` was written past its packed elements, which packed writes do not explain.
    fn of(evidence: &Evidence, seen: &Seen, which: Vec<usize>) -> Option<Self> {
        let (mut outputs, mut untouched) = (seen.outputs.to_vec(), seen.untouched.to_vec());
        for i in &which {
            let (shape, buffer) = (&evidence.outputs.get(*i)?.shape, evidence.buffers.get(*i)?);
            let (mut left, mut is_inside) = (untouched.get(*i)?.iter(), true);
            shape.for_each_offset(|offset| {
                let poison = left.next().copied().unwrap_or(false);
                is_inside &= poison || (offset as u64) < shape.elements();
            });
            if !is_inside {
                return None;
            }
            let packed = output::pack_shape(shape)?;
            *outputs.get_mut(*i)? = packed.read(buffer.tensor());
            *untouched.get_mut(*i)? = output::find_untouched(&packed, buffer, evidence.initial.get(*i)?);
        }
        Some(Self {
            which,
            outputs,
            untouched,
        })
    }
}
