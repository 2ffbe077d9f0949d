//! What a mutant computes of a case, and whether that is a mistake.

use dml_case::{context::Context, number::is_nan};
use dml_spec::{meaning::Meaning, model::DataType};

use super::{Change, Mutant};
use crate::{
    accept::{Element, Interval},
    acceptance::Expectation,
    case::case_inputs,
    expect::Request,
    fault::Fault,
    library::Library,
    load::Tensor,
    machine::open::Basis,
};

/// Points that the evaluation of a mutant may look at.
const POINTS: u64 = 1 << 28;

/// A case, for which mutants are evaluated.
pub struct MutantRun<'a> {
    context: Context<'a>,
    basis: Basis,
    inputs: Vec<Vec<Tensor>>,
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
    /// The run of a case; `None` if an input does not fit its descriptor.
    pub fn new(context: Context<'a>, basis: Basis) -> Option<Self> {
        let inputs = case_inputs(context)?;
        Some(Self { context, basis, inputs })
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
    ///
    /// # Errors
    /// See [`expect`](crate::expect).
    pub fn right(&self) -> Result<Expectation, Fault> {
        Expectation::compute(&self.request(self.context.suite))
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
                compute(&Request {
                    descriptor: &descriptor,
                    ..request
                })
            }
            Change::Access(access) => {
                let Some(inputs) = access.apply(self.context, &self.inputs) else {
                    return Computed::Right;
                };
                compute(&Request {
                    inputs: &inputs,
                    ..request
                })
            }
            Change::Beyond(count) => {
                let Ok(mut expected) = self.right() else {
                    return Computed::Unknown;
                };
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
            Change::Meaning(meaning) => compute(&self.request(&Altered {
                library,
                operator: &self.context.case.descriptor.operator,
                meaning,
            })),
        }
    }
}

fn compute(request: &Request<'_>) -> Computed {
    Expectation::compute_leniently(request, POINTS).map_or(Computed::Unknown, Computed::Other)
}

/// The first element of which nothing is right that the mutant computes, by output and place: whoever has the mistake
/// fails there.
pub fn is_disjoint(right: &Expectation, mutant: &Expectation) -> Option<(usize, usize)> {
    let outputs = right.outputs.iter().zip(&right.acceptances);
    let others = mutant.outputs.iter().zip(&mutant.acceptances);
    for (number, ((due, accepted), (wrong, by_mutant))) in outputs.zip(others).enumerate() {
        let exact = accepted.is_exact() && by_mutant.is_exact();
        let ty = accepted.ty();
        let differs = |at: &usize| {
            let at = *at;
            let (Some(due), Some(wrong)) = (due.get(at), wrong.get(at)) else {
                return false;
            };
            if exact {
                return due != wrong && !(is_nan(ty, *due) && is_nan(ty, *wrong));
            }
            !may_be_equal(ty, &accepted.element(at, *due), &by_mutant.element(at, *wrong))
        };
        if let Some(at) = (0..due.len()).find(differs) {
            return Some((number, at));
        }
    }
    None
}

/// Whether some bits are accepted by both.
fn may_be_equal(ty: &DataType, a: &Element, b: &Element) -> bool {
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
