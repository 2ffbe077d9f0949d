//! Judging what an operator computed.

use dml_spec::answer::Buffer;
use dml_spec::model::{Clause, Compare, Operator, Text};

use crate::{
    Options, apart, bad_answer, clauses_of,
    creation::{Did, follows},
    diagnose::{self, Evidence},
    expected::Expected,
    extend, failed, inconsistent,
    output::{self, Output, element, touched_padding},
    settled,
};
use dml_case::{
    case::{Case, Verdict},
    compare::Tolerance,
    facts::DataFacts,
    outcome::{Basis, Diagnosis, Follows, Judged, Nearness, Outcome},
    suite::Suite,
};
use dml_case::{
    names::NO_ORACLE,
    poison::{self, Initial},
};
use dml_legacy::oracle::{Call, Mismatch, Oracle, oracle};

/// Guarantee that bytes of an output which belong to no element keep their value, and its class.
const PADDING: (&str, &str) = ("TENSOR/padding-preserved", "padding-touched");

/// Class of writes outside a tensor.
const GUARD: &str = "guard-touched";

/// The backend ran a case whose descriptor is to be taken.
pub(super) fn judge(
    suite: &Suite,
    operator: &Operator,
    case: &Case,
    expected: &Expected,
    buffers: &[Buffer],
    options: &Options,
) -> Judged {
    let Some(outputs) = output::outputs(&suite.catalog, operator, &case.descriptor) else {
        return bad_answer("an output's descriptor makes no sense, so that nothing can be read".to_owned());
    };
    if let Err(message) = lengths(&outputs, buffers) {
        return bad_answer(message);
    }
    let salts: Vec<u64> = (0..outputs.len()).map(|i| poison::salt(&case.id, i)).collect();
    if let Some(diagnosis) = stray(suite, operator, &outputs, buffers, &salts) {
        return Judged {
            follows: follows(suite, case, Did::Miscompute),
            ..failed(diagnosis)
        };
    }
    let initial = poison::initial(case, outputs.len());
    let judged = match &case.verdict {
        Verdict::Unspecified(clauses) => open(suite, operator, case, clauses, &outputs, buffers, &initial),
        _ => defined(
            suite,
            operator,
            case,
            expected,
            options,
            Evidence {
                outputs: &outputs,
                buffers,
                initial: &initial,
                tolerances: &[],
            },
        ),
    };
    with_padding(suite, operator, options, &outputs, buffers, &salts, judged)
}

fn lengths(outputs: &[Output], buffers: &[Buffer]) -> Result<(), String> {
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

/// A write outside a tensor.
fn stray(
    suite: &Suite,
    operator: &Operator,
    outputs: &[Output],
    buffers: &[Buffer],
    salts: &[u64],
) -> Option<Diagnosis> {
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
    let clauses = clauses_of(&suite.catalog, operator, GUARD);
    Some(Diagnosis::new(GUARD, clauses, message))
}

/// Outputs that text or runtimes define.
fn defined(
    suite: &Suite,
    operator: &Operator,
    case: &Case,
    expected: &Expected,
    options: &Options,
    evidence: Evidence,
) -> Judged {
    let oracle = oracle(&operator.name);
    let Some(wanted) = expected.get(suite, operator, case) else {
        return match oracle {
            None => Judged::skipped(NO_ORACLE),
            Some(_) => bad_answer("the inputs of the case make no sense".to_owned()),
        };
    };
    let expected = &wanted.outputs;
    let lengths = expected
        .iter()
        .zip(evidence.outputs)
        .all(|(e, o)| e.len() as u64 == o.shape.elements());
    if expected.len() != evidence.outputs.len() || !lengths {
        return bad_answer("the expected outputs do not fit the descriptor".to_owned());
    }
    let tolerances = wanted.tolerances(evidence.outputs);
    let evidence = Evidence {
        tolerances: &tolerances,
        ..evidence
    };
    let evidence = &evidence;
    if equal(evidence, expected) {
        return Judged {
            follows: follows(suite, case, Did::Accept),
            nearness: nearness(evidence, expected),
            ..settled(Outcome::Pass)
        };
    }
    let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs);
    let diagnosis = diagnose::explain(suite, operator, case, call.as_ref().zip(oracle), evidence, expected);
    let apart_here = options.basis == Basis::Text && text_leaves_open(suite, operator, case);
    let judged = if apart_here {
        apart(diagnosis)
    } else {
        failed(diagnosis)
    };
    Judged {
        follows: follows(suite, case, Did::Miscompute),
        ..judged
    }
}

/// Whether the text does not say what the outputs of a case are: it refuses the descriptor, or says nothing about some
/// of the data. Where it only leaves open whether the descriptor may be taken, what is then computed is as defined.
fn text_leaves_open(suite: &Suite, operator: &Operator, case: &Case) -> bool {
    let Verdict::Observed { clauses, .. } = &case.verdict else {
        return false;
    };
    let Some((_, program)) = suite.operator(&operator.name) else {
        return true;
    };
    let (catalog, level) = (&suite.catalog, case.id.level());
    let without_data = program.evaluate_silences(catalog, &case.descriptor, level, &DataFacts::default());
    let of_descriptor = |id: &Text| {
        let silences = without_data.iter().filter_map(|i| program.silences.get(*i));
        silences.into_iter().any(|silence| silence.clause == *id)
    };
    let violations = program.evaluate(catalog, operator, &case.descriptor, level);
    let refused_by_runtimes_only = |id: &Text| violations.iter().any(|v| v.clause == *id && !v.text);
    !clauses
        .iter()
        .all(|id| of_descriptor(id) || refused_by_runtimes_only(id))
}

/// Whether every element is close enough to what is expected. Reads the buffers in place.
fn equal(evidence: &Evidence, expected: &[Vec<u64>]) -> bool {
    let mut equal = true;
    for_each_element(evidence, expected, |tolerance, at, wanted, found| {
        equal &= tolerance.accepts(at, wanted, found);
    });
    equal
}

/// Calls `visit` for every element of every output: how it is compared, its place, what it should be and what it is.
fn for_each_element(evidence: &Evidence, expected: &[Vec<u64>], mut visit: impl FnMut(&Tolerance, usize, u64, u64)) {
    let outputs = evidence.outputs.iter().zip(evidence.buffers).zip(evidence.tolerances);
    for (((output, buffer), tolerance), expected) in outputs.zip(expected) {
        let (bytes, width) = (buffer.tensor(), output.shape.width());
        let mut expected = expected.iter().enumerate();
        output.shape.for_each_offset(|offset| {
            let (at, wanted) = expected.next().map_or((0, 0), |(at, bits)| (at, *bits));
            visit(tolerance, at, wanted, element(bytes, offset, width));
        });
    }
}

/// Which elements of these output tensors, bytes as they came back, are not what they should be; in row-major order.
/// `None` where nobody defines the outputs, or the bytes do not fit.
pub fn wrong_elements(suite: &Suite, case: &Case, tensors: &[Vec<u8>]) -> Option<Vec<Vec<bool>>> {
    let (operator, _) = suite.operator(case.id.operator())?;
    let outputs = output::outputs(&suite.catalog, operator, &case.descriptor)?;
    let wanted = Expected::default();
    wanted.ahead(suite, case);
    let wanted = wanted.known()?;
    let (expected, tolerances) = (&wanted.outputs, wanted.tolerances(&outputs));
    if outputs.len() != tensors.len() || expected.len() != tensors.len() {
        return None;
    }
    let mut found = Vec::new();
    for (((output, bytes), tolerance), expected) in outputs.iter().zip(tensors).zip(&tolerances).zip(expected) {
        if bytes.len() as u64 != output.shape.total_bytes || expected.len() as u64 != output.shape.elements() {
            return None;
        }
        let actual = output.shape.read(bytes);
        let pairs = expected.iter().zip(&actual).enumerate();
        found.push(
            pairs
                .map(|(at, (wanted, found))| !tolerance.accepts(at, *wanted, *found))
                .collect(),
        );
    }
    Some(found)
}

/// The worst error of accepted outputs.
fn nearness(evidence: &Evidence, expected: &[Vec<u64>]) -> Option<Nearness> {
    if evidence.outputs.iter().all(|output| *output.compare == Compare::Exact) {
        return None;
    }
    let mut worst = Nearness::default();
    for_each_element(evidence, expected, |tolerance, at, wanted, found| {
        if let Some((ulps, share)) = tolerance.error(at, wanted, found) {
            let share = (share * 1000.0).ceil() as u64;
            worst = worst.max(Nearness {
                share,
                ulps: ulps as u64,
            });
        }
    });
    Some(worst)
}

/// Outputs that nobody defines: the properties that hold all the same.
fn open(
    suite: &Suite,
    operator: &Operator,
    case: &Case,
    clauses: &[Text],
    outputs: &[Output],
    buffers: &[Buffer],
    initial: &[Initial],
) -> Judged {
    let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs);
    let Some((call, oracle)) = call.zip(oracle(&operator.name)) else {
        return Judged::skipped(NO_ORACLE);
    };
    // Where elements share a place, what is read from it was written for one of them only.
    if outputs.iter().any(Output::shares_places) {
        return settled(Outcome::Unspecified);
    }
    let actual: Vec<Vec<u64>> = outputs
        .iter()
        .zip(buffers)
        .map(|(o, b)| o.shape.read(b.tensor()))
        .collect();
    match broken_property(suite, operator, &call, oracle, clauses, &actual) {
        Some((clause, mismatch)) => {
            let mismatch = never_written(outputs, buffers, initial, &mismatch).unwrap_or(mismatch);
            let mut diagnosis = diagnose::of_mismatch(outputs, &actual, None, &mismatch);
            extend(&mut diagnosis.clauses, [clause]);
            extend(&mut diagnosis.clauses, case.verdict.clauses());
            failed(diagnosis)
        }
        None => {
            let does = behaviours(suite, operator, &call, oracle, clauses, &actual);
            let diagnosis = inconsistent::explain(suite, operator, &call, &does, outputs, &actual);
            Judged {
                does,
                diagnosis,
                ..settled(Outcome::Unspecified)
            }
        }
    }
}

/// What the outputs do where these silences leave them open.
fn behaviours(
    suite: &Suite,
    operator: &Operator,
    call: &Call,
    oracle: &dyn Oracle,
    clauses: &[Text],
    actual: &[Vec<u64>],
) -> Vec<(Text, Vec<Text>)> {
    let all = operator.clauses.iter().chain(suite.catalog.tensor_clauses.iter());
    let telling = all.filter(|clause| clauses.contains(&clause.id) && !clause.tells.is_empty());
    let does = |behaviour: &&Text| oracle.does(behaviour, call, actual) == Some(true);
    let fitting = |clause: &Clause| {
        let mut found: Vec<Text> = clause.tells.iter().filter(does).cloned().collect();
        // The last one says least: it is for outputs that nothing else fits.
        if found.len() > 1 && found.last() == clause.tells.last() {
            found.pop();
        }
        found
    };
    telling.map(|clause| (clause.id.clone(), fitting(clause))).collect()
}

/// The mismatch of an element that still holds poison, so that it breaks a property only by chance. An element of an
/// input that lay there first may be there by chance itself, unless nothing at all was written.
fn never_written(outputs: &[Output], buffers: &[Buffer], initial: &[Initial], mismatch: &Mismatch) -> Option<Mismatch> {
    let (i, at) = (mismatch.output, usize::try_from(mismatch.at).ok()?);
    let output = outputs.get(i)?;
    let left = output::untouched(&output.shape, buffers.get(i)?, initial.get(i)?);
    let telling = match initial.get(i)? {
        Initial::Poison(_) => output.shape.ty.bits >= 16, // a byte is poison by accident once in 256 times
        Initial::Input(_) => left.iter().all(|left| *left),
    };
    (telling && *left.get(at)?).then(|| Mismatch {
        class: "unwritten",
        message: format!("an element of {} was never written", output.name),
        ..mismatch.clone()
    })
}

/// The first property that holds whatever these silences leave open, and that the outputs break.
fn broken_property(
    suite: &Suite,
    operator: &Operator,
    call: &Call,
    oracle: &dyn Oracle,
    clauses: &[Text],
    actual: &[Vec<u64>],
) -> Option<(Text, Mismatch)> {
    let first = |property: &Text| oracle.holds(property, call, actual)?.into_iter().next();
    let mut holding = still_holding(suite, operator, clauses).into_iter();
    holding.find_map(|(clause, property)| Some((clause.id.clone(), first(property)?)))
}

/// Properties of outputs that silences leave open together, with the first silence that names each: what every one of
/// them names, as none knows what the others leave open.
pub fn still_holding<'a>(suite: &'a Suite, operator: &'a Operator, clauses: &[Text]) -> Vec<(&'a Clause, &'a Text)> {
    let all = operator.clauses.iter().chain(suite.catalog.tensor_clauses.iter());
    let silences: Vec<&Clause> = all
        .filter(|clause| clauses.contains(&clause.id) && !clause.holds.is_empty())
        .collect();
    let Some(first) = silences.first() else {
        return Vec::new();
    };
    let by_all = |property: &&Text| silences.iter().all(|silence| silence.holds.contains(*property));
    first
        .holds
        .iter()
        .filter(by_all)
        .map(|property| (*first, property))
        .collect()
}

/// Adds what became of the bytes that belong to no element: the text lets them change, the runtimes keep them.
fn with_padding(
    suite: &Suite,
    operator: &Operator,
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
        Some((&output.name, touched_padding(&output.shape, buffer, *salt)?))
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
    let clauses = clauses_of(&suite.catalog, operator, class);
    judged.outcome = Outcome::Fail;
    judged.diagnosis = Some(Diagnosis::new(class, clauses, message));
    judged
}
