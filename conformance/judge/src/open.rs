//! Judges outputs that clauses leave open: by what holds all the same, and by what implementations make of them.

use dml_case::{
    context::Context,
    names::NO_ORACLE,
    outcome::{Diagnosis, Judged, Outcome},
    poison::Initial,
    suite::Suite,
};
use dml_oracle::{Broken, Request, case_tensors, find_broken, output_number};
use dml_spec::{
    meaning::typed::Variant,
    model::{Clause, Invariant, Operator, Text},
};

use crate::{
    diagnose::show_difference,
    evidence::Evidence,
    expected::{Elements, Expectations},
    inconsistent::explain_inconsistent,
    judged::{bad_answer, failed, without_diagnosis},
    output::{self, Output},
    release::variants_of_releases,
    violated::add_missing,
};

/// Judges unspecified outputs by the properties that hold anyway.
pub(super) fn judge_unspecified(context: Context, clauses: &[Text], evidence: &Evidence) -> Judged {
    let outputs = evidence.outputs;
    let Some(expectations) = Expectations::of(context, evidence.half_precision) else {
        return Judged::skipped(NO_ORACLE);
    };
    // If elements share a place, what is read from it was written for one of them only.
    if outputs.iter().any(Output::shares_places) {
        return without_diagnosis(Outcome::Unspecified);
    }
    let actual: Elements = outputs
        .iter()
        .zip(evidence.buffers)
        .map(|(o, b)| o.shape.read(b.tensor()))
        .collect();
    match find_violated(context, &expectations, clauses, &actual) {
        Err(fault) => bad_answer(fault),
        Ok(Some(broken)) => failed(explain_broken(context, evidence, &actual, &broken)),
        Ok(None) => {
            let does = find_behaviours(context, &expectations, clauses, &actual);
            let diagnosis = explain_inconsistent(context, &does, outputs, &actual);
            Judged {
                does,
                diagnosis,
                ..without_diagnosis(Outcome::Unspecified)
            }
        }
    }
}

/// The first element that violates what holds whatever these silences leave open. Where a release is known to do otherwise
/// than a clear text says, it is enough that this holds of what the release computes.
fn find_violated<'a>(
    context: Context<'a>,
    expectations: &Expectations<'a>,
    clauses: &[Text],
    actual: &Elements,
) -> Result<Option<Broken>, String> {
    let holding = shared_properties(context.suite, context.operator, clauses);
    if holding.is_empty() {
        return Ok(None);
    }
    let Some(tensors) = case_tensors(context, actual) else {
        return Ok(None);
    };
    let wanted = |clause: &str, name: &str| {
        holding
            .iter()
            .any(|(of, invariant)| invariant.name == name && of.id.rsplit('/').next() == Some(clause))
    };
    let find = |variants: &[&Variant]| {
        let request = Request {
            variants,
            ..expectations.request()
        };
        find_broken(&request, &tensors, &wanted).map_err(|fault| {
            let operator = &context.operator.name;
            format!("an invariant of {operator} has no value here: {fault}")
        })
    };
    let Some(broken) = find(&[])? else {
        return Ok(None);
    };
    for variants in variants_of_releases(context, expectations) {
        if find(&variants)?.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(broken))
}

/// Explains an element that violates what holds anyway.
fn explain_broken(context: Context, evidence: &Evidence, actual: &Elements, broken: &Broken) -> Diagnosis {
    let (operator, clause) = (context.operator, &broken.clause);
    let id = Text::Owned(format!("{}/{clause}", operator.name));
    let of_clause = context.clauses().find(|of| of.id == id);
    let invariant = of_clause.and_then(|of| of.holds.iter().find(|held| held.name == broken.name));
    let field = operator.fields.get(broken.field).map(|field| &field.name);
    let condition = invariant.and_then(|held| {
        let mut conditions = held.conditions.iter();
        conditions.find(|(tensor, _)| Some(tensor) == field)
    });
    let place = output_number(operator, &context.case.descriptor, (broken.field, broken.element));
    let (class, message) = if is_unwritten(evidence, place, broken.at) {
        let name = evidence.outputs.get(place).map_or("", |output| &output.name);
        (
            Text::Borrowed("unwritten"),
            format!("an element of {name} was never written"),
        )
    } else {
        let condition = condition.map_or("", |(_, condition)| condition);
        let message = format!("an element violates `{condition}`, which holds whatever {id} leaves open");
        (broken.name.clone(), message)
    };
    let mut clauses = vec![id];
    add_missing(&mut clauses, context.case.verdict.clauses());
    Diagnosis {
        first: show_difference(evidence.outputs, actual, None, (place, broken.at as u64)),
        differing: 1,
        ..Diagnosis::new(class, clauses, message)
    }
}

/// Whether an element still holds poison, so that it violates a property only by accident. An element of an input that
/// lay there first counts only if nothing at all was written.
fn is_unwritten(evidence: &Evidence, place: usize, at: usize) -> bool {
    let Evidence {
        outputs,
        buffers,
        initial,
        ..
    } = evidence;
    let (Some(output), Some(buffer), Some(initial)) = (outputs.get(place), buffers.get(place), initial.get(place))
    else {
        return false;
    };
    let left = output::find_untouched(&output.shape, buffer, initial);
    let is_certain = match initial {
        Initial::Poison(_) => output.shape.ty.bits >= 16, // a byte is poison by accident once in 256 times
        Initial::Input(_) => left.iter().all(|left| *left),
    };
    is_certain && left.get(at) == Some(&true)
}

/// The behaviours of the outputs that these silences leave open.
fn find_behaviours(
    context: Context,
    expectations: &Expectations,
    clauses: &[Text],
    actual: &Elements,
) -> Vec<(Text, Vec<Text>)> {
    let distinguishing = context
        .clauses()
        .filter(|clause| clauses.contains(&clause.id) && !clause.tells.is_empty());
    let fitting = |clause: &Clause| {
        let variants = expectations.variants(&clause.id);
        let does = |variant: &&&Variant| expectations.follows(&[variant], actual) == Some(true);
        let mut found: Vec<Text> = variants
            .iter()
            .filter(does)
            .map(|variant| variant.name.clone())
            .collect();
        let rest = clause.tells.iter().find(|variant| variant.is_rest());
        if let (true, Some(rest)) = (found.is_empty(), rest) {
            found.push(rest.name.clone());
        }
        found
    };
    distinguishing
        .map(|clause| (clause.id.clone(), fitting(clause)))
        .collect()
}

/// The properties that hold for outputs that these silences leave open: those that every silence names, with the first
/// silence.
pub fn shared_properties<'a>(
    suite: &'a Suite,
    operator: &'a Operator,
    clauses: &[Text],
) -> Vec<(&'a Clause, &'a Invariant)> {
    let all = operator.clauses.iter().chain(suite.catalog.tensor_clauses.iter());
    let silences: Vec<&Clause> = all
        .filter(|clause| clauses.contains(&clause.id) && !clause.holds.is_empty())
        .collect();
    let Some(first) = silences.first() else {
        return Vec::new();
    };
    let by_all = |property: &&Invariant| {
        silences
            .iter()
            .all(|silence| silence.holds.iter().any(|held| held.name == property.name))
    };
    first
        .holds
        .iter()
        .filter(by_all)
        .map(|property| (*first, property))
        .collect()
}
