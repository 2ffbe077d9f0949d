//! Wrong computations of an operator: data that a user of oracles turns into wrong backends.

use dml_spec::model::Text;

use super::{
    Call, Lanes,
    guess::{Elements, fixed},
};
use dml_case::number::{Number, encode_float, encode_int};

/// What may be said of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// One of these classes.
    Named(&'static [&'static str]),
    /// This class, and of the clauses that are blamed one is this.
    Blamed(&'static str, Text),
    /// What breaks, and no mistake that was not made: any class but one that names such a mistake and does not stand
    /// here.
    Symptom(&'static [&'static str]),
}

impl std::fmt::Display for Right {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Named(names) => f.write_str(&names.join(" or ")),
            Self::Blamed(class, clause) => write!(f, "{class} by {clause}"),
            Self::Symptom([]) => f.write_str("what breaks"),
            Self::Symptom(also) => write!(f, "what breaks, or {}", also.join(" or ")),
        }
    }
}

/// The elements of every output that a fault computes, given the call and the right outputs; `None` if it computes the
/// right ones.
pub type Computes = Box<dyn Fn(&Call, &[Vec<u64>]) -> Option<Elements> + Send + Sync>;

/// A mistake in what an operator computes.
pub struct ComputingFault {
    /// Unique among the faults of an operator: lower case with hyphens.
    pub name: String,
    /// The mistake in words: lower case, no final period.
    pub says: String,
    /// What may be said of it.
    pub right: Right,
    /// What it computes.
    pub computes: Computes,
}

impl ComputingFault {
    /// A fault that computes these elements of every output; `None` if it computes the right ones.
    pub fn new(
        name: impl Into<String>,
        says: impl Into<String>,
        right: Right,
        elements: impl Fn(&Call, &[Vec<u64>]) -> Option<Elements> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            says: says.into(),
            right,
            computes: Box::new(elements),
        }
    }

    /// The same fault, of which these classes may be said as well.
    #[must_use]
    pub fn or(self, also: &'static [&'static str]) -> Self {
        let right = Right::Symptom(also);
        Self { right, ..self }
    }
}

impl std::fmt::Debug for ComputingFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ComputingFault")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// A lane of an input and of the outputs that follow from it.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// Lanes of the input.
    pub input: Lanes,
    /// Lanes of the outputs.
    pub output: Lanes,
    /// Which one it is.
    pub number: usize,
}

/// A fault of an operator with lanes along the axis that `axis` names: `change` gets every lane and the right outputs,
/// and changes them.
pub fn lanes(
    name: &'static str,
    says: &'static str,
    right: Right,
    axis: fn(&Call) -> Option<usize>,
    change: impl Fn(&Call, Lane, &mut Elements) + Send + Sync + 'static,
) -> ComputingFault {
    ComputingFault::new(name, says, right, move |call, right| {
        let axis = axis(call)?;
        let input = Lanes::along(&call.inputs.first()?.shape.sizes, axis)?;
        let output = Lanes::along(&call.outputs.first()?.sizes, axis)?;
        let mut elements = fixed(right.to_vec());
        for number in 0..output.count() {
            change(call, Lane { input, output, number }, &mut elements);
        }
        Some(elements)
    })
}

/// A fault of an operator with one output, which becomes these numbers, rounded to its type and wrapped to its width;
/// `None` where the mistake does not show.
pub fn numbers(
    name: &'static str,
    says: &'static str,
    right: Right,
    of: impl Fn(&Call) -> Option<Vec<Number>> + Send + Sync + 'static,
) -> ComputingFault {
    ComputingFault::new(name, says, right, move |call, _| {
        let ty = &call.outputs.first()?.ty;
        let bits = |number: Number| match number {
            Number::Int(n) => encode_int(ty, n),
            Number::Float(x) => encode_float(ty, x),
        };
        Some(vec![of(call)?.into_iter().map(|number| Some(bits(number))).collect()])
    })
}
