//! What a mutant computes of a case, and whether that is a mistake.

use dml_case::{context::Context, number::is_nan};
use dml_spec::{
    desc::Value,
    meaning::Meaning,
    model::{DataType, Role},
};

use super::{
    Change, Mutant, access::Accessed, descriptor::Swap, edits::without, named::Named, results, sequences::Sequences,
};
use crate::{
    accept::{Element, Interval},
    acceptance::Expectation,
    case::case_inputs,
    expect::Request,
    library::Library,
    load::Tensor,
    machine::open::Basis,
};

/// A mutant may look at this many times as many points as what is right does, and at so many more.
const POINTS: (u64, u64) = (16, 1 << 15);

/// How often what an implementation reads is replaced by what it wrote.
const MOST_PASSES: usize = 66;

/// A case, for which mutants are evaluated.
pub struct MutantRun<'a> {
    context: Context<'a>,
    basis: Basis,
    inputs: Vec<Vec<Tensor>>,
    right: Expectation,
    /// Points that the evaluation of a mutant may look at.
    points: u64,
}

/// What a mutant computes.
#[derive(Clone, Debug)]
pub enum Computed {
    /// What is right: the case does not reach the mistake.
    Right,
    /// This, which may be what is right.
    Other(Expectation),
    /// Nothing can be said: some part has no value without which there are no elements.
    Unknown,
}

/// Meanings of which one is another.
struct Altered<'a> {
    library: &'a dyn Library,
    operator: &'a str,
    meaning: &'a Meaning,
}

impl Library for Altered<'_> {
    fn meaning(&self, operator: &str) -> Option<&Meaning> {
        if operator == self.operator {
            Some(self.meaning)
        } else {
            self.library.meaning(operator)
        }
    }
}

impl<'a> MutantRun<'a> {
    /// The run of a case; `None` if an input does not fit its descriptor, or the meaning has no value.
    pub fn new(context: Context<'a>, basis: Basis) -> Option<Self> {
        let mut run = Self {
            context,
            basis,
            inputs: case_inputs(context)?,
            right: Expectation::default(),
            points: 0,
        };
        let (right, spent) = Expectation::compute_counted(&run.request(context.suite)).ok()?;
        run.right = right;
        run.points = spent.saturating_mul(POINTS.0).saturating_add(POINTS.1);
        Some(run)
    }

    fn request<'b>(&'b self, library: &'b dyn Library) -> Request<'b> {
        Request {
            catalog: &self.context.suite.catalog,
            meanings: library,
            descriptor: &self.context.case.descriptor,
            inputs: &self.inputs,
            basis: self.basis,
            variants: &[],
            half_precision: false,
        }
    }

    /// What is right.
    pub fn right(&self) -> &Expectation {
        &self.right
    }

    /// What a mutant computes.
    pub fn compute(&self, mutant: &Mutant) -> Computed {
        self.compute_reading(mutant, false).0
    }

    /// What a mutant computes, and whether it reads outside a tensor. `clamps`: then it reads the nearest element, else
    /// the buffer linearly.
    pub(super) fn compute_reading(&self, mutant: &Mutant, clamps: bool) -> (Computed, bool) {
        let known = |expected: Option<Expectation>| (expected.map_or(Computed::Right, Computed::Other), false);
        let library: &dyn Library = self.context.suite;
        let request = self.request(library);
        match &mutant.change {
            Change::Descriptor(swap) => {
                let Some(descriptor) = swap.apply(&self.context.case.descriptor) else {
                    return (Computed::Right, false);
                };
                let request = Request {
                    descriptor: &descriptor,
                    ..request
                };
                self.evaluate(&request, clamps)
            }
            Change::Access(access) => {
                let inputs = match access.apply(self.context, &self.inputs) {
                    Accessed::Same => return (Computed::Right, false),
                    Accessed::Unknown => return (Computed::Unknown, false),
                    Accessed::Other(inputs) => inputs,
                };
                let request = Request {
                    inputs: &inputs,
                    ..request
                };
                let (mut computed, outside) = self.evaluate(&request, clamps);
                if let Computed::Other(expected) = &mut computed {
                    access.in_results(self.context, expected);
                }
                (computed, outside)
            }
            Change::Placed(placed) => known(placed.apply(self.context, &self.right)),
            Change::LeftOut(left) => known(left.apply(self.context, &self.right)),
            Change::Larger(field, by) => known(results::larger(self.context, (*field, *by), &self.right)),
            Change::Repeated(block) => known(results::repeated(self.context, *block, &self.right)),
            Change::InARow(field) => known(results::in_a_row(self.context, *field, &self.right)),
            Change::Backwards(field) => known(results::backwards(self.context, *field, &self.right)),
            Change::Turned(field) => self.turned(*field, clamps),
            Change::Sequences(sequences) => self.resequenced(*sequences, clamps),
            Change::Overwritten => self.overwritten(),
            Change::Meaning { meaning, .. } | Change::Named(Named { meaning, .. }) => {
                self.with_meaning(meaning, |request| self.evaluate(request, clamps))
            }
        }
    }

    /// Whether outputs rest on what a mutant changes: without those parts of the meaning nothing is known of some element.
    pub fn reaches(&self, mutant: &Mutant) -> bool {
        let library: &dyn Library = self.context.suite;
        let Change::Meaning { parts, .. } = &mutant.change else {
            return !matches!(self.compute(mutant), Computed::Right);
        };
        let meaning = library.meaning(&self.context.case.descriptor.operator);
        let Some(meaning) = meaning.and_then(|meaning| without(meaning, parts)) else {
            return false;
        };
        match self.with_meaning(&meaning, |request| self.evaluate(request, false)).0 {
            Computed::Right => false,
            Computed::Unknown => true,
            Computed::Other(left) => left.open() > self.right.open(),
        }
    }

    /// Does something with a request whose operator means something else.
    pub(super) fn with_meaning<T>(&self, meaning: &Meaning, use_it: impl FnOnce(&Request<'_>) -> T) -> T {
        let altered = Altered {
            library: self.context.suite,
            operator: &self.context.case.descriptor.operator,
            meaning,
        };
        use_it(&self.request(&altered))
    }

    pub(super) fn context(&self) -> Context<'a> {
        self.context
    }

    pub(super) fn inputs(&self) -> &[Vec<Tensor>] {
        &self.inputs
    }

    /// How many points the evaluation of a mutant may look at.
    pub(super) fn points(&self) -> u64 {
        self.points
    }

    fn evaluate(&self, request: &Request<'_>, clamps: bool) -> (Computed, bool) {
        match Expectation::compute_leniently(request, self.points, clamps) {
            Ok((expected, outside)) => (Computed::Other(expected), outside),
            Err(_) => (Computed::Unknown, false),
        }
    }

    /// With the magnitudes of a list, and turned round where its numbers are negative.
    fn turned(&self, field: usize, clamps: bool) -> (Computed, bool) {
        let descriptor = &self.context.case.descriptor;
        let along: Vec<bool> = match descriptor.fields.get(field) {
            Some(Value::Ints(Some(numbers))) => numbers.iter().map(|number| *number < 0).collect(),
            _ => Vec::new(),
        };
        let Some(descriptor) = Swap::Magnitude(field).apply(descriptor) else {
            return (Computed::Right, false);
        };
        let request = Request {
            descriptor: &descriptor,
            ..self.request(self.context.suite)
        };
        match self.evaluate(&request, clamps) {
            (Computed::Other(expected), outside) => {
                let turned = results::turned(self.context, &along, &expected);
                (Computed::Other(turned.unwrap_or(expected)), outside)
            }
            unknown => unknown,
        }
    }

    fn resequenced(&self, sequences: Sequences, clamps: bool) -> (Computed, bool) {
        let Some(other) = sequences.apply(self.context) else {
            return (Computed::Right, false);
        };
        let request = Request {
            descriptor: &other.descriptor,
            inputs: &other.inputs,
            ..self.request(self.context.suite)
        };
        match self.evaluate(&request, clamps) {
            (Computed::Other(mut expected), outside) => {
                for output in 0..expected.outputs.len() {
                    expected.rearrange(output, &other.from);
                }
                (Computed::Other(expected), outside)
            }
            unknown => unknown,
        }
    }

    /// Inputs whose memory an output takes hold what is written there. It is known if that comes to an end, as it does if
    /// each element rests on those before it.
    fn overwritten(&self) -> (Computed, bool) {
        let aliases = &self.context.case.aliases;
        if aliases.is_empty() {
            return (Computed::Right, false);
        }
        let mut expected = self.right.clone();
        for _ in 0..MOST_PASSES {
            let mut inputs = self.inputs.clone();
            let mut tensors: Vec<&mut Tensor> = inputs.iter_mut().flatten().collect();
            let outputs = self.context.named_tensors(Role::Output);
            for alias in aliases {
                let desc = outputs.get(alias.output).map(|(_, desc)| *desc);
                let bits = expected.outputs.get(alias.output);
                let written = desc.zip(bits).and_then(|(desc, bits)| {
                    let ty = self.context.catalog().data_type(desc.data_type)?;
                    Tensor::new(desc, ty, bits)
                });
                if let (Some(place), Some(written)) = (tensors.get_mut(alias.input), written) {
                    **place = written;
                }
            }
            let request = Request {
                inputs: &inputs,
                ..self.request(self.context.suite)
            };
            let Ok((next, _)) = Expectation::compute_leniently(&request, self.points, false) else {
                return (Computed::Unknown, false);
            };
            if next.outputs == expected.outputs {
                return (Computed::Other(next), false);
            }
            expected = next;
        }
        (Computed::Unknown, false)
    }
}

/// How what a mutant computes of a case compares with what is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// No element that both state is another.
    None,
    /// Elements are others, but whatever an implementation with the mistake gives for them is right all the same; the
    /// first is in the output of this number.
    Tolerated(usize),
    /// Some of what an implementation with the mistake may give is right, and some is not.
    Undecided,
    /// An element differs from everything that is right there: an implementation with the mistake fails.
    Wrong,
}

/// Compares what a mutant computes with what is right, up to the first element that is wrong. Bounds belong to either: all
/// of the mutant's have to be among what is right for it to be tolerated, none for it to be wrong.
pub fn compare(right: &Expectation, mutant: &Expectation) -> Difference {
    let mut difference = Difference::None;
    let outputs = right.outputs.iter().zip(&right.acceptances);
    let others = mutant.outputs.iter().zip(&mutant.acceptances);
    for (number, ((due, accepted), (wrong, by_mutant))) in outputs.zip(others).enumerate() {
        let exact = accepted.is_exact() && by_mutant.is_exact();
        let ty = accepted.ty();
        for (at, (due, wrong)) in due.iter().zip(wrong).enumerate() {
            let same = due == wrong || is_nan(ty, *due) && is_nan(ty, *wrong);
            if exact && same || !exact && (accepted.is_open(at) || by_mutant.is_open(at)) {
                continue;
            }
            if exact {
                return Difference::Wrong;
            }
            let (right, given) = (accepted.element(at, *due), by_mutant.element(at, *wrong));
            if !may_be_equal(ty, &right, &given) {
                return Difference::Wrong;
            }
            if !right.contains(ty, &given) {
                difference = Difference::Undecided;
            } else if !same && difference == Difference::None {
                difference = Difference::Tolerated(number);
            }
        }
    }
    difference
}

/// Whether some bits are accepted by both.
pub(super) fn may_be_equal(ty: &DataType, a: &Element, b: &Element) -> bool {
    match (a, b) {
        (Element::Open(_), _) | (_, Element::Open(_)) => true,
        (Element::Among(all), other) | (other, Element::Among(all)) => {
            all.iter().any(|one| may_be_equal(ty, one, other))
        }
        (Element::Exact(bits), other) | (other, Element::Exact(bits)) => other.accepts(ty, *bits),
        (Element::Interval(a), Element::Interval(b)) => {
            a.lo <= b.hi && b.lo <= a.hi
                || a.nan && b.nan
                || has(a, f64::INFINITY) && has(b, f64::INFINITY)
                || has(a, f64::NEG_INFINITY) && has(b, f64::NEG_INFINITY)
        }
    }
}

fn has(interval: &Interval, infinity: f64) -> bool {
    let flag = if infinity > 0.0 {
        interval.infinity
    } else {
        interval.negative_infinity
    };
    flag || interval.lo == infinity || interval.hi == infinity
}
