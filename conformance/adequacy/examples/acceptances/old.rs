//! What the judge accepts today, stated element by element by asking the judge's own comparison.
//!
//! The numbers that lie near enough to what is expected are found by asking about candidates, and what was found is asked
//! about again from both sides, so that this states no rule of its own.

use dml_case::{
    case::{Case, Verdict},
    number::{is_infinite, is_nan},
    outcome::Basis,
};
use dml_judge::Accepted;
use dml_legacy::compare::{Also, Tolerance};
use dml_plan::planner::Planner;
use dml_spec::model::{DataType, NumberClass};

use crate::{
    accept::{Accept, Special, at_place, infinity, nan, place, places, sign},
    case::{Head, Openness},
    write::{Encoded, OutputEncoder},
};

/// What is accepted of a case.
///
/// # Errors
/// A case that nothing is expected of, and an element whose acceptance cannot be stated.
pub(crate) fn encode(suite: &Planner, case: &Case, basis: Basis) -> Result<Encoded, String> {
    let accepted = Accepted::of(suite, case, basis);
    let accepted = accepted.ok_or_else(|| format!("{}: nothing is expected of it", case.id))?;
    let (mut outputs, mut properties) = (Vec::new(), Vec::new());
    let openness = match accepted {
        Accepted::Nothing => Openness::Create,
        Accepted::Judged(judged) => {
            let judged = judged.for_each(|ty, elements, tolerance| {
                outputs.push(encode_judged(ty, elements, tolerance)?);
                Ok(())
            });
            judged.map_err(|why: String| format!("{}: output {}: {why}", case.id, outputs.len()))?;
            Openness::Judged
        }
        Accepted::Open(open) => {
            for (ty, elements) in &open.outputs {
                let mut output = OutputEncoder::new(ty);
                (0..*elements).try_for_each(|_| output.push(Accept::Open))?;
                outputs.push(output);
            }
            properties = open.properties.iter().map(ToString::to_string).collect();
            if open.observed {
                Openness::Observed
            } else {
                Openness::Unspecified
            }
        }
    };
    Ok(Encoded::new(&head(case, openness, properties), outputs))
}

pub(crate) fn head(case: &Case, openness: Openness, properties: Vec<String>) -> Head {
    let refused = matches!(case.verdict, Verdict::Observed { rejected: true, .. });
    Head {
        id: case.id.to_string(),
        verdict: format!("{}{}", case.verdict.word(), if refused { ", refused" } else { "" }),
        openness,
        clauses: case.verdict.clauses().iter().map(ToString::to_string).collect(),
        properties,
    }
}

fn encode_judged(ty: &DataType, elements: &[u64], tolerance: &Tolerance) -> Result<OutputEncoder, String> {
    let mut output = OutputEncoder::new(ty);
    for (at, reference) in elements.iter().enumerate() {
        let accept = state(ty, tolerance, at, *reference).map_err(|why| format!("element {at}: {why}"))?;
        output.push(accept)?;
    }
    Ok(output)
}

/// What the judge accepts of an element.
pub(crate) fn state(ty: &DataType, tolerance: &Tolerance, at: usize, reference: u64) -> Result<Accept, String> {
    if tolerance.is_open(at) {
        return Ok(Accept::Open);
    }
    let accept = match tolerance.also(at) {
        None if is_nan(ty, reference) => Accept::Exact(reference),
        None => near(ty, tolerance, at, reference, Special::default()),
        Some(also) => with_also(ty, tolerance, at, reference, also)?,
    };
    match wrong_probe(ty, &accept, |bits| tolerance.accepts(at, reference, bits)) {
        None => Ok(accept),
        Some(bits) => Err(format!("{accept:x?} does not say what the judge does with {bits:#x}")),
    }
}

/// What an element may be that may be something else beside what lies near.
fn with_also(ty: &DataType, tolerance: &Tolerance, at: usize, reference: u64, also: Also) -> Result<Accept, String> {
    let (above, below) = (infinity(ty), infinity(ty) | sign(ty));
    let others = match also {
        Also::Is(bits) => vec![bits],
        Also::NonFinite if ty.class == NumberClass::Float => vec![above, below, nan(ty)],
        Also::NonFinite => Vec::new(),
    };
    let single = |rest: &[u64]| Accept::Set([&[reference], rest].concat());
    if is_nan(ty, reference) {
        return Ok(single(&others));
    }
    let special = Special {
        nan: others.iter().any(|bits| is_nan(ty, *bits)),
        above: ty.class == NumberClass::Float && others.contains(&above),
        below: ty.class == NumberClass::Float && others.contains(&below),
    };
    let near = near(ty, tolerance, at, reference, special);
    let is_single = matches!(near, Accept::Interval { lo, hi, .. } if lo == hi);
    let stated = |bits: &u64| is_nan(ty, *bits) || is_infinite(ty, *bits) || near.accepts(ty, *bits);
    match others.iter().find(|bits| !stated(bits)) {
        _ if is_single => Ok(single(&others)),
        None => Ok(near),
        Some(bits) => Err(format!("{bits:#x} is accepted far from an interval")),
    }
}

/// The numbers that lie near enough to what is expected.
fn near(ty: &DataType, tolerance: &Tolerance, at: usize, reference: u64, special: Special) -> Accept {
    let accepts = |place| at_place(ty, place).is_some_and(|bits| tolerance.is_near(at, reference, bits));
    let (from, (least, greatest)) = (place(ty, reference), places(ty));
    let end = |limit| at_place(ty, last_accepted(from, limit, &accepts)).unwrap_or(reference);
    Accept::Interval {
        reference,
        lo: end(least),
        hi: end(greatest),
        special,
    }
}

/// The last place towards `limit` that is accepted, if those that are lie side by side from `from` on.
fn last_accepted(from: i128, limit: i128, accepts: &impl Fn(i128) -> bool) -> i128 {
    let towards = (limit - from).signum();
    let (mut good, mut step) = (from, 1);
    let mut bad = loop {
        let left = (limit - good).abs();
        if left == 0 {
            return good;
        }
        let next = good + towards * left.min(step);
        if !accepts(next) {
            break next;
        }
        good = next;
        step *= 2;
    };
    while (bad - good).abs() > 1 {
        let middle = good + (bad - good) / 2;
        if accepts(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// Bits with which the judge does otherwise than is said: the ends of what is accepted, what lies beside them, and what
/// is no finite number.
fn wrong_probe(ty: &DataType, accept: &Accept, judged: impl Fn(u64) -> bool) -> Option<u64> {
    let mut ends: Vec<u64> = Vec::new();
    match accept {
        Accept::Interval { lo, hi, .. } => ends.extend([*lo, *hi]),
        Accept::Exact(bits) => ends.push(*bits),
        Accept::Set(members) => ends.extend(members),
        Accept::Open => {}
    }
    let beside = |bits: &u64| [-1, 0, 1].map(|by| at_place(ty, place(ty, *bits) + by));
    let numbers = ends
        .iter()
        .filter(|bits| !is_nan(ty, **bits))
        .flat_map(beside)
        .flatten();
    let infinity = infinity(ty);
    let specials = [infinity, infinity | sign(ty), nan(ty), nan(ty) | sign(ty) | 1];
    let specials = specials.into_iter().filter(|_| ty.class == NumberClass::Float);
    let mut probes = numbers.chain(specials);
    probes.find(|bits| judged(*bits) != accept.accepts(ty, *bits))
}
