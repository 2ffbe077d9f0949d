//! Vectors held against what meanings accept.

use dml_case::{number::decode, tensor::Shape};
use dml_oracle::Element;

use super::{Clauses, ComputeError, Computer, Output, Subject, Vector, element_text, vectors::Answer};

/// Differences of a vector that are told in full.
const TOLD: usize = 3;

/// Why a vector is not judged whose elements clauses leave open.
const ALL_OPEN: &str = "clauses leave every element open that it states";

/// What came of a vector.
#[derive(Debug)]
pub enum Outcome {
    /// The meaning accepts every element.
    Agrees,
    /// It does not accept all: how many it refuses, and the first of those.
    Differs(Compared),
    /// The meaning has no value.
    Fault(ComputeError),
    /// The specification cannot express it, or judges none of its elements: why.
    NotExpressible(String),
}

/// The elements of a vector that differ.
#[derive(Debug, Default)]
pub struct Compared {
    /// How many differ.
    pub count: u64,
    /// How many are judged: stated, and not open.
    pub judged: u64,
    /// The first of them.
    pub first: Vec<Difference>,
}

/// An element that a meaning does not accept.
#[derive(Debug)]
pub struct Difference {
    /// The output, with the coordinates of the element.
    pub place: String,
    /// What the vector has.
    pub found: String,
    /// What is accepted, as `compute` prints it.
    pub expected: String,
}

/// Compares a vector with what the meaning of its operator accepts.
pub fn compare(computer: &Computer<'_>, vector: &Vector) -> Outcome {
    let subject = match &vector.subject {
        Ok(subject) => subject,
        Err(why) => return Outcome::NotExpressible(why.clone()),
    };
    let descriptor = &subject.question.descriptor;
    let known = computer.operator(&vector.operator);
    let checked = known.and_then(|known| computer.check(descriptor, subject.level).map(|()| known));
    let (operator, clauses) = match checked {
        Ok(known) => known,
        Err(why) => return Outcome::NotExpressible(why.to_string()),
    };
    let outputs = super::outputs(&computer.suite.catalog, operator, descriptor);
    let mut compared = Compared::default();
    let mut before: Option<(String, usize)> = None;
    let result = computer.compute(&subject.question, &mut |output, elements| {
        let start = match &before {
            Some((name, count)) if *name == output.name => *count,
            _ => 0,
        };
        before = Some((output.name.clone(), start + elements.len()));
        let at = outputs.iter().position(|known| known.name == output.name);
        if let Some(answer) = at.and_then(|at| answer(subject, at)) {
            compared.block(output, answer, start, &elements, &clauses);
        }
    });
    match result {
        Err(why) => Outcome::Fault(why),
        Ok(()) if compared.judged == 0 => Outcome::NotExpressible(ALL_OPEN.to_owned()),
        Ok(()) if compared.count == 0 => Outcome::Agrees,
        Ok(()) => Outcome::Differs(compared),
    }
}

fn answer(subject: &Subject, at: usize) -> Option<&Answer> {
    subject.outputs.get(at)?.as_ref()
}

impl Compared {
    fn block(&mut self, output: &Output, answer: &Answer, start: usize, elements: &[Element], clauses: &Clauses<'_>) {
        let ty = &output.shape.ty;
        for (at, element) in (start..).zip(elements) {
            let Some(bits) = answer.elements.get(at) else { continue };
            if matches!(element, Element::Open(_)) || answer.undefined.binary_search(&(at as u64)).is_ok() {
                continue;
            }
            self.judged += 1;
            if element.accepts(ty, *bits) {
                continue;
            }
            self.count += 1;
            if self.first.len() < TOLD {
                self.first.push(Difference {
                    place: place(&output.name, &output.shape, at as u64),
                    found: decode(ty, *bits).to_string(),
                    expected: element_text(ty, element, clauses),
                });
            }
        }
    }
}

fn place(name: &str, shape: &Shape, at: u64) -> String {
    format!("{name}{:?}", shape.coordinates(at))
}
