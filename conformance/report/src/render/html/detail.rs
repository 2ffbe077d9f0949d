//! Cases in full: descriptor, tensors, expected outputs, and actual outputs of each backend.

use std::collections::{BTreeMap, HashMap};

use base64::{Engine, engine::general_purpose::STANDARD};
use dml_spec::model::Role;
use rayon::prelude::*;
use serde::Serialize;

use crate::render::html::Listed;
use crate::{
    grid::SMALL,
    render::{model::StoredRun, source::CaseSource},
    spell::{spell_sizes, spell_value, verdict_text},
};
use dml_case::{context::Context, digest::Digest, id::CaseId, number::decode, suite::Suite, tensor::Shape};

/// Cases in full.
const MOST: usize = 2000;

/// Maximum number of each kind, in the order in which they are listed.
const ALIKE: usize = 8;

/// Maximum number of bytes of all of them together, as JSON.
const BYTES: usize = 6 << 20;

/// What the page shows of cases.
pub(super) struct Details {
    /// The cases.
    pub(super) all: Vec<Detail>,
    /// Index of a case in `all`.
    pub(super) places: HashMap<String, usize>,
}

/// One case.
#[derive(Serialize)]
pub(super) struct Detail {
    /// What is expected, in words.
    expected: &'static str,
    /// Fields of the descriptor.
    fields: Vec<(String, String)>,
    inputs: Vec<Tensor>,
    /// Expected outputs, if they are specified.
    outputs: Vec<Tensor>,
    /// Actual outputs, by number of the run.
    actual: BTreeMap<usize, Vec<Actual>>,
}

/// An input tensor, or an expected output.
#[derive(Serialize)]
struct Tensor {
    name: String,
    /// Type and sizes in words.
    shape: String,
    /// Length of a row, and rows of a plane.
    row: usize,
    plane: usize,
    /// Elements in words; none if there are many.
    values: Vec<String>,
}

/// An output that came back.
#[derive(Serialize)]
struct Actual {
    values: Vec<String>,
    /// For each element whether it is wrong: 1, or 0.
    wrong: String,
}

/// Some cases of each kind in full, as many as fit.
pub(super) fn details(suite: &Suite, cases: &dyn CaseSource, runs: &[StoredRun], listed: &Listed<'_>) -> Details {
    let mut stored: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, (_, failing)) in listed.cases.iter().enumerate() {
        stored.entry(failing.id()).or_default().push(at);
    }
    let wanted = wanted(runs, listed);
    let built: Vec<Option<(&str, Detail)>> = wanted
        .into_par_iter()
        .map(|id| Some((id, detail(suite, cases, (runs, listed), id, stored.get(id)?)?)))
        .collect();
    let mut details = Details {
        all: Vec::new(),
        places: HashMap::new(),
    };
    let mut bytes = 0;
    for (id, detail) in built.into_iter().flatten() {
        bytes += serde_json::to_string(&detail).map_or(0, |text| text.len());
        if bytes > BYTES {
            break;
        }
        details.places.insert(id.to_owned(), details.all.len());
        details.all.push(detail);
    }
    details
}

/// The smallest case of each group first, then some of each kind, each kind in turn.
fn wanted<'a>(runs: &'a [StoredRun], listed: &Listed<'a>) -> Vec<&'a str> {
    let smallest = runs
        .iter()
        .flat_map(|run| &run.groups)
        .map(|group| group.smallest.as_str());
    let mut ranks: HashMap<_, usize> = HashMap::new();
    let mut ranked: Vec<(bool, usize, &str)> = Vec::new();
    for (run, failing) in &listed.cases {
        let rank = ranks
            .entry((run, &failing.place, failing.clause(), &failing.class))
            .or_default();
        // Those whose outputs were stored show most.
        ranked.push((failing.record.outputs.is_empty(), *rank, failing.id()));
        *rank += 1;
    }
    ranked.retain(|(_, rank, _)| *rank < ALIKE);
    ranked.sort_by_key(|(without, rank, _)| (*rank, *without));
    let mut wanted: Vec<&str> = smallest.chain(ranked.into_iter().map(|(.., id)| id)).collect();
    let mut seen = std::collections::HashSet::new();
    wanted.retain(|id| seen.insert(*id));
    wanted.truncate(MOST);
    wanted
}

/// The case, as this suite makes it; `None` if that differs from the one that ran.
fn detail(
    suite: &Suite,
    cases: &dyn CaseSource,
    (runs, listed): (&[StoredRun], &Listed<'_>),
    id: &str,
    stored: &[usize],
) -> Option<Detail> {
    let parsed: CaseId = id.parse().ok()?;
    let case = cases.build(&parsed)?;
    let digest = Digest::of_case(&case);
    let context = Context::new(suite, &case)?;
    let fields = context.operator.fields.iter().zip(&case.descriptor.fields);
    let fields = fields.map(|(field, value)| (field.name.to_string(), spell_value(suite, &field.kind, value)));
    let fields: Vec<(String, String)> = fields.collect();
    let inputs = shapes(context, Role::Input);
    let outputs = shapes(context, Role::Output);
    let inputs = inputs.iter().zip(&case.inputs);
    let read = |((name, shape), bytes): (&(String, Option<Shape>), &Vec<u8>)| {
        let shape = shape.as_ref()?;
        Some(tensor(name, shape, || shape.read(bytes)))
    };
    let inputs: Vec<Tensor> = inputs.filter_map(read).collect();
    let expected = cases.expected(&case);
    let mut actual = BTreeMap::new();
    for (run, failing) in stored.iter().filter_map(|at| listed.cases.get(*at)) {
        if failing.record.expectation != digest {
            return None;
        }
        let half_precision = runs.get(*run).is_some_and(|run| run.header.half_precision());
        let wrong = |tensors: &[Vec<u8>]| cases.wrong_elements(&case, half_precision, tensors);
        actual.extend(came_back(&wrong, &outputs, &failing.record.outputs).map(|found| (*run, found)));
    }
    let outputs = outputs.iter().zip(expected);
    let outputs = outputs.filter_map(|((name, shape), elements)| Some(tensor(name, shape.as_ref()?, || elements)));
    Some(Detail {
        expected: verdict_text(&case.verdict),
        fields,
        inputs,
        outputs: outputs.collect(),
        actual,
    })
}

/// The names and shapes of the tensors of a role; no shape for those that are invalid.
fn shapes(context: Context, role: Role) -> Vec<(String, Option<Shape>)> {
    context
        .named_tensors(role)
        .into_iter()
        .map(|(name, tensor)| (name, Shape::of(context.catalog(), tensor)))
        .collect()
}

fn tensor(name: &str, shape: &Shape, read: impl FnOnce() -> Vec<u64>) -> Tensor {
    let count = shape.elements();
    let many = if count > SMALL {
        format!(", {count} elements")
    } else {
        String::new()
    };
    let values = if count > SMALL {
        Vec::new()
    } else {
        spell(shape, &read())
    };
    Tensor {
        name: name.to_owned(),
        shape: format!("{} {}{many}", shape.ty.name, spell_sizes(&shape.sizes)),
        row: shape.sizes.last().map_or(1, |n| *n as usize),
        plane: shape.sizes.iter().rev().nth(1).map_or(1, |n| *n as usize),
        values,
    }
}

fn spell(shape: &Shape, elements: &[u64]) -> Vec<String> {
    elements
        .iter()
        .map(|bits| decode(&shape.ty, *bits).to_string())
        .collect()
}

/// Which elements of output tensors, given as bytes, are wrong.
type Wrong<'a> = dyn Fn(&[Vec<u8>]) -> Vec<Vec<bool>> + 'a;

/// The outputs that were stored, if they fit the case.
fn came_back(
    wrong: &Wrong<'_>,
    shapes: &[(String, Option<Shape>)],
    stored: &BTreeMap<String, String>,
) -> Option<Vec<Actual>> {
    let decoded = |(name, shape): &(String, Option<Shape>)| {
        let bytes = STANDARD.decode(stored.get(name)?).ok()?;
        let fits = bytes.len() as u64 == shape.as_ref()?.total_bytes;
        fits.then_some(bytes)
    };
    let tensors: Option<Vec<Vec<u8>>> = shapes.iter().map(decoded).collect();
    let tensors = tensors.filter(|tensors| !tensors.is_empty())?;
    let wrong = wrong(&tensors);
    let mut found = Vec::new();
    for (at, ((_, shape), bytes)) in shapes.iter().zip(&tensors).enumerate() {
        let shape = shape.as_ref()?;
        let is_small = shape.elements() <= SMALL;
        let wrong = wrong.get(at).filter(|_| is_small);
        let wrong = wrong.map(|wrong| wrong.iter().map(|is| if *is { '1' } else { '0' }).collect());
        found.push(Actual {
            values: match is_small {
                true => spell(shape, &shape.read(bytes)),
                false => Vec::new(),
            },
            wrong: wrong.unwrap_or_default(),
        });
    }
    Some(found)
}
