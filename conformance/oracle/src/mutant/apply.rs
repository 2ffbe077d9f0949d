//! What a mutant computes of a case, and whether that is a mistake.

use dml_case::{
    context::Context,
    mistake::{Traits, traits},
    number::is_nan,
};
use dml_spec::{meaning::Meaning, model::DataType};

use super::{Change, Mutant};
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
const POINTS: (u64, u64) = (16, 1 << 12);

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

    /// What the case is, as far as a condition may speak of it.
    pub(super) fn traits(&self) -> Traits {
        traits(self.context)
    }

    /// What is right.
    pub fn right(&self) -> &Expectation {
        &self.right
    }

    /// What a mutant computes.
    pub fn compute(&self, mutant: &Mutant) -> Computed {
        let library: &dyn Library = self.context.suite;
        let request = self.request(library);
        match &mutant.change {
            Change::Descriptor(swap) => {
                let Some(descriptor) = swap.apply(&self.context.case.descriptor) else {
                    return Computed::Right;
                };
                self.evaluate(&Request {
                    descriptor: &descriptor,
                    ..request
                })
            }
            Change::Access(access) => {
                let Some(inputs) = access.apply(self.context, &self.inputs) else {
                    return Computed::Right;
                };
                self.evaluate(&Request {
                    inputs: &inputs,
                    ..request
                })
            }
            Change::Beyond(count) => {
                let mut expected = self.right.clone();
                let mut changed = false;
                for (output, acceptance) in expected.outputs.iter_mut().zip(&mut expected.acceptances) {
                    changed |= output.len() > *count;
                    output.iter_mut().skip(*count).for_each(|element| *element = 0);
                    acceptance.make_exact_from(*count);
                }
                if changed {
                    Computed::Other(expected)
                } else {
                    Computed::Right
                }
            }
            Change::Meaning(meaning) => self.evaluate(&self.request(&Altered {
                library,
                operator: &self.context.case.descriptor.operator,
                meaning,
            })),
        }
    }

    fn evaluate(&self, request: &Request<'_>) -> Computed {
        Expectation::compute_leniently(request, self.points).map_or(Computed::Unknown, Computed::Other)
    }
}

/// How what a mutant computes of a case compares with what is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// No element that both state is another.
    None,
    /// Elements are others, but all of them may be right.
    Tolerated,
    /// An element differs from everything that is right there: an implementation with the mistake fails.
    Wrong,
}

/// Compares what a mutant computes with what is right, up to the first element that is wrong.
pub fn compare(right: &Expectation, mutant: &Expectation) -> Difference {
    let mut difference = Difference::None;
    let outputs = right.outputs.iter().zip(&right.acceptances);
    let others = mutant.outputs.iter().zip(&mutant.acceptances);
    for ((due, accepted), (wrong, by_mutant)) in outputs.zip(others) {
        let exact = accepted.is_exact() && by_mutant.is_exact();
        let ty = accepted.ty();
        for (at, (due, wrong)) in due.iter().zip(wrong).enumerate() {
            let same = due == wrong || is_nan(ty, *due) && is_nan(ty, *wrong);
            if exact && same || !exact && (accepted.is_open(at) || by_mutant.is_open(at)) {
                continue;
            }
            if exact || !may_be_equal(ty, &accepted.element(at, *due), &by_mutant.element(at, *wrong)) {
                return Difference::Wrong;
            }
            if !same {
                difference = Difference::Tolerated;
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
