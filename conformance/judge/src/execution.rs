//! Judges what an operator computed.

use dml_spec::answer::Buffer;
use dml_spec::model::{Compare, Text};

use crate::{
    creation::{Reaction, find_followed},
    diagnose,
    evidence::Evidence,
    expected::{Expected, Reference},
    judged::{bad_answer, failed, unlike_runtimes, without_diagnosis},
    open::judge_unspecified,
    options::Options,
    output::{self, Output, find_touched_padding, read_element},
    release::{judge_release, text_followed},
    violated::clauses_of_class,
};
use dml_case::{
    case::{Case, Verdict},
    context::Context,
    facts::DataFacts,
    names::NO_ORACLE,
    outcome::{Basis, Diagnosis, Follows, Judged, Nearness, Outcome},
    poison,
    suite::Suite,
};
use dml_oracle::Acceptance;

/// Guarantee that bytes of an output which belong to no element keep their value, and its class.
const PADDING: (&str, &str) = ("TENSOR/padding-preserved", "padding-touched");

/// Class of writes outside a tensor.
const GUARD: &str = "guard-touched";

/// Judges the outputs of a case whose descriptor is to be accepted.
pub(super) fn judge_outputs(context: Context, expected: &Expected, buffers: &[Buffer], options: &Options) -> Judged {
    let case = context.case;
    let Some(outputs) = output::list_outputs(context) else {
        return bad_answer("an output's descriptor makes no sense, so that nothing can be read".to_owned());
    };
    if let Err(message) = check_lengths(&outputs, buffers) {
        return bad_answer(message);
    }
    let salts: Vec<u64> = (0..outputs.len()).map(|i| poison::salt(&case.id, i)).collect();
    if let Some(diagnosis) = find_stray_write(context, &outputs, buffers, &salts) {
        return Judged {
            follows: find_followed(context, Reaction::Miscompute),
            ..failed(diagnosis)
        };
    }
    let initial = poison::initial(case, outputs.len());
    let evidence = Evidence {
        outputs: &outputs,
        buffers,
        initial: &initial,
        acceptances: &[],
        half_precision: options.half_precision,
    };
    let judged = match &case.verdict {
        Verdict::Unspecified(clauses) => judge_in_part(context, expected, clauses, options, evidence),
        _ => judge_specified(context, expected, options, evidence),
    };
    add_padding(context, options, &outputs, buffers, &salts, judged)
}

fn check_lengths(outputs: &[Output], buffers: &[Buffer]) -> Result<(), String> {
    if outputs.len() != buffers.len() {
        return Err(format!(
            "{} output buffers came back, expected {}",
            buffers.len(),
            outputs.len()
        ));
    }
    for (output, buffer) in outputs.iter().zip(buffers) {
        let (name, length, needed) = (&output.name, buffer.tensor().len(), output.shape.total_bytes);
        if length as u64 != needed || buffer.guard() != poison::GUARD {
            return Err(format!("{name} came back with {length} bytes, expected {needed}"));
        }
    }
    Ok(())
}

/// Explains a write outside a tensor, if there is one.
fn find_stray_write(context: Context, outputs: &[Output], buffers: &[Buffer], salts: &[u64]) -> Option<Diagnosis> {
    let touched = |((output, buffer), salt): ((_, _), &u64)| Some((output, poison::touched_guard(buffer, *salt)?));
    let (output, offset): (&Output, i64) = outputs.iter().zip(buffers).zip(salts).find_map(touched)?;
    let (name, bytes) = (&output.name, output.shape.total_bytes);
    let message = match u64::try_from(offset) {
        Ok(offset) => format!(
            "{name}: {} bytes after its {bytes} bytes were overwritten",
            offset.saturating_sub(bytes) + 1
        ),
        Err(_) => format!(
            "{name}: {} bytes before its start were written to",
            offset.unsigned_abs()
        ),
    };
    let clauses = clauses_of_class(context.catalog(), context.operator, GUARD);
    Some(Diagnosis::new(GUARD, clauses, message))
}

/// Judges outputs that the text or the runtimes specify.
fn judge_specified(context: Context, expected: &Expected, options: &Options, evidence: Evidence) -> Judged {
    let Some(reference) = expected.compute(context) else {
        return match expected.fault() {
            None => Judged::skipped(NO_ORACLE),
            Some(why) => bad_answer(why.to_owned()),
        };
    };
    let expected = &reference.outputs;
    let lengths = expected
        .iter()
        .zip(evidence.outputs)
        .all(|(e, o)| e.len() as u64 == o.shape.elements());
    if expected.len() != evidence.outputs.len() || !lengths {
        return bad_answer("the expected outputs do not fit the descriptor".to_owned());
    }
    let evidence = &Evidence {
        acceptances: &reference.acceptances,
        ..evidence
    };
    if all_accepted(evidence, expected) {
        return Judged {
            follows: [
                find_followed(context, Reaction::Accept),
                text_followed(context, evidence),
            ]
            .concat(),
            nearness: measure_nearness(evidence, expected),
            ..without_diagnosis(Outcome::Pass)
        };
    }
    if let Some(judged) = judge_release(context, evidence, expected, options.basis) {
        return judged;
    }
    let diagnosis = diagnose::describe_failure(context, evidence, expected);
    let judged = if options.basis == Basis::Text && text_leaves_open(context) {
        unlike_runtimes(diagnosis)
    } else {
        failed(diagnosis)
    };
    Judged {
        follows: find_followed(context, Reaction::Miscompute),
        ..judged
    }
}

/// Whether the text does not specify the outputs of a case: it refuses the descriptor, or is silent about some of the
/// data. If it only leaves open whether the descriptor may be accepted, the outputs are specified.
pub(super) fn text_leaves_open(context: Context) -> bool {
    let (case, catalog, level) = (context.case, context.catalog(), context.case.id.level());
    let Verdict::Observed { clauses, .. } = &case.verdict else {
        return false;
    };
    let Some(program) = context.program() else {
        return true;
    };
    let without_data = program.evaluate_silences(catalog, &case.descriptor, level, &DataFacts::default());
    let of_descriptor = |id: &Text| {
        let silences = without_data.iter().filter_map(|i| program.silences.get(*i));
        silences.into_iter().any(|silence| silence.clause == *id)
    };
    let violations = program.evaluate(catalog, context.operator, &case.descriptor, level);
    let refused_by_runtimes_only = |id: &Text| violations.iter().any(|v| v.clause == *id && !v.text);
    !clauses
        .iter()
        .all(|id| of_descriptor(id) || refused_by_runtimes_only(id))
}

/// Whether every element is close enough to what is expected. Reads the buffers in place.
fn all_accepted(evidence: &Evidence, expected: &[Vec<u64>]) -> bool {
    let mut accepted = true;
    for_each_element(evidence, expected, |acceptance, at, expected, found| {
        accepted &= acceptance.accepts(at, expected, found);
    });
    accepted
}

/// Calls `visit` for every element of every output: what it may be, its place, what is expected and what came back.
fn for_each_element(evidence: &Evidence, expected: &[Vec<u64>], mut visit: impl FnMut(&Acceptance, usize, u64, u64)) {
    let outputs = evidence.outputs.iter().zip(evidence.buffers).zip(evidence.acceptances);
    for (((output, buffer), acceptance), expected) in outputs.zip(expected) {
        let (bytes, width) = (buffer.tensor(), output.shape.width());
        let mut expected = expected.iter().enumerate();
        output.shape.for_each_offset(|offset| {
            let (at, due) = expected.next().map_or((0, 0), |(at, bits)| (at, *bits));
            visit(acceptance, at, due, read_element(bytes, offset, width));
        });
    }
}

/// Which elements of these output tensors, given as the bytes that came back, are wrong; in row-major order. `None` if
/// the outputs are unspecified, or the bytes do not fit.
pub fn wrong_elements(suite: &Suite, case: &Case, half_precision: bool, tensors: &[Vec<u8>]) -> Option<Vec<Vec<bool>>> {
    let outputs = output::list_outputs(Context::new(suite, case)?)?;
    let expected = Expected::new(half_precision);
    expected.compute_ahead(suite, case);
    let reference = expected.known()?;
    let Reference {
        outputs: expected,
        acceptances,
        ..
    } = reference;
    if outputs.len() != tensors.len() || expected.len() != tensors.len() {
        return None;
    }
    let mut found = Vec::new();
    for (((output, bytes), acceptance), expected) in outputs.iter().zip(tensors).zip(acceptances).zip(expected) {
        if bytes.len() as u64 != output.shape.total_bytes || expected.len() as u64 != output.shape.elements() {
            return None;
        }
        let actual = output.shape.read(bytes);
        let pairs = expected.iter().zip(&actual).enumerate();
        found.push(
            pairs
                .map(|(at, (expected, found))| !acceptance.accepts(at, *expected, *found))
                .collect(),
        );
    }
    Some(found)
}

/// The worst error of accepted outputs.
fn measure_nearness(evidence: &Evidence, expected: &[Vec<u64>]) -> Option<Nearness> {
    if evidence.outputs.iter().all(|output| *output.compare == Compare::Exact) {
        return None;
    }
    let mut worst = Nearness::default();
    for_each_element(evidence, expected, |acceptance, at, expected, found| {
        if let Some((ulps, share)) = acceptance.error(at, expected, found) {
            let share = (share * 1000.0).ceil() as u64;
            worst = worst.max(Nearness { share, ulps });
        }
    });
    Some(worst)
}

/// Judges outputs of which clauses leave elements open: by the others, if there are any, and by what holds anyway.
fn judge_in_part(
    context: Context,
    expected: &Expected,
    clauses: &[Text],
    options: &Options,
    evidence: Evidence,
) -> Judged {
    let reference = expected.compute(context).filter(|reference| reference.is_judged);
    if let Some(why) = expected.fault() {
        return bad_answer(why.to_owned());
    }
    let Some(reference) = reference.filter(|_| !evidence.outputs.iter().any(Output::shares_places)) else {
        return judge_unspecified(context, clauses, &evidence);
    };
    let evidence = Evidence {
        acceptances: &reference.acceptances,
        ..evidence
    };
    if !all_accepted(&evidence, &reference.outputs) {
        if let Some(judged) = judge_release(context, &evidence, &reference.outputs, options.basis) {
            return judged;
        }
        return failed(diagnose::describe_failure(context, &evidence, &reference.outputs));
    }
    let judged = judge_unspecified(context, clauses, &evidence);
    match judged.outcome {
        Outcome::Unspecified => Judged {
            outcome: Outcome::Pass,
            nearness: measure_nearness(&evidence, &reference.outputs),
            ..judged
        },
        _ => judged,
    }
}

/// Adds the judgement of the bytes that belong to no element: the text lets them change, the runtimes keep them.
fn add_padding(
    context: Context,
    options: &Options,
    outputs: &[Output],
    buffers: &[Buffer],
    salts: &[u64],
    mut judged: Judged,
) -> Judged {
    if !outputs.iter().any(Output::has_padding) || matches!(judged.outcome, Outcome::Skip | Outcome::HarnessError) {
        return judged;
    }
    let (clause, class) = PADDING;
    let clause = Text::Borrowed(clause);
    let touched = |((output, buffer), salt): ((_, _), &u64)| {
        let output: &Output = output;
        Some((&output.name, find_touched_padding(&output.shape, buffer, *salt)?))
    };
    let Some((name, offset)) = outputs.iter().zip(buffers).zip(salts).find_map(touched) else {
        judged.follows.push((clause, Follows::Both));
        return judged;
    };
    let message = format!("{name}: byte {offset}, which belongs to no element, was written to");
    judged.follows.push((clause, Follows::Text));
    if options.basis == Basis::Text || judged.outcome.is_failure() {
        judged.warnings.push(message);
        return judged;
    }
    let clauses = clauses_of_class(context.catalog(), context.operator, class);
    judged.outcome = Outcome::Fail;
    judged.diagnosis = Some(Diagnosis::new(class, clauses, message));
    judged
}
