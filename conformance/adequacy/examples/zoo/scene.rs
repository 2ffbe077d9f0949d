//! A case as a wrong backend sees it, beside what is right.

use std::cell::OnceCell;

use dml_spec::answer::{Answer, Buffer, Rejection};
use dml_spec::{
    TensorDesc,
    model::{Operator, Role, Text},
};

use crate::fault::Wrong;
use dml_case::{
    case::{Case, Mode, Verdict},
    context::Context,
    tensor::Shape,
};
use dml_legacy::oracle::{
    Call,
    guess::{Elements, fixed},
    oracle,
};
use dml_oracle::{Basis, Expectation, MutantRun};
use dml_plan::planner::Planner;

/// A case, with everything that faults look at computed once.
pub(crate) struct Scene<'a> {
    /// The suite.
    pub(crate) suite: &'a Planner,
    /// The operator of the case.
    pub(crate) operator: &'a Operator,
    /// The case.
    pub(crate) case: &'a Case,
    call: OnceCell<Option<Call<'a>>>,
    by_oracle: OnceCell<Option<Vec<Vec<u64>>>>,
    expected: OnceCell<Option<Expectation>>,
    buffers: OnceCell<Option<Vec<Buffer>>>,
    cells: OnceCell<Vec<Text>>,
    broken: OnceCell<Vec<Text>>,
}

impl<'a> Scene<'a> {
    /// A case.
    pub(crate) fn new(suite: &'a Planner, operator: &'a Operator, case: &'a Case) -> Self {
        Self {
            suite,
            operator,
            case,
            call: OnceCell::new(),
            by_oracle: OnceCell::new(),
            expected: OnceCell::new(),
            buffers: OnceCell::new(),
            cells: OnceCell::new(),
            broken: OnceCell::new(),
        }
    }

    /// Whether the operator runs.
    pub(crate) fn runs(&self) -> bool {
        self.case.mode == Mode::Execute && !self.case.verdict.is_rejection()
    }

    /// The call of a case that runs.
    pub(crate) fn call(&self) -> Option<&Call<'a>> {
        let read = || {
            let case = self.case;
            self.runs()
                .then(|| Call::new(&self.suite.catalog, self.operator, &case.descriptor, &case.inputs))
                .flatten()
        };
        self.call.get_or_init(read).as_ref()
    }

    /// What a right backend computes, if the operator runs: what the page says, or else the oracle.
    pub(crate) fn right(&self) -> Option<&[Vec<u64>]> {
        match &self.case.given {
            Some(given) => self.fits(given).then_some(given.as_slice()),
            None => self.by_oracle(),
        }
    }

    /// What the meaning says of the outputs.
    fn expected(&self) -> Option<&Expectation> {
        let compute = || Some(MutantRun::new(self.context(), Basis::Runtime)?.right().clone());
        self.expected.get_or_init(compute).as_ref()
    }

    /// Whether the oracle computes something that the meaning does not accept. Such a case says nothing of a fault, which is
    /// to have no mistake but its own.
    pub(crate) fn is_at_odds(&self) -> bool {
        if self.case.given.is_some() {
            return false;
        }
        let (Some(by_oracle), Some(expected)) = (self.by_oracle(), self.expected()) else {
            return false;
        };
        let outputs = by_oracle.iter().zip(expected.outputs.iter().zip(&expected.acceptances));
        outputs.into_iter().any(|(by_oracle, (due, accepted))| {
            let mut elements = by_oracle.iter().zip(due).enumerate();
            elements.any(|(at, (bits, due))| !accepted.accepts(at, *due, *bits))
        })
    }

    /// Whether the elements that an answer has wrong are all open.
    pub(crate) fn is_open(&self, wrong: &Wrong) -> bool {
        let Wrong::Buffers(buffers) = wrong else { return false };
        let (Some(call), Some(right), Some(expected)) = (self.call(), self.right(), self.expected()) else {
            return false;
        };
        let outputs = call
            .outputs
            .iter()
            .zip(buffers)
            .zip(right.iter().zip(&expected.acceptances));
        outputs.into_iter().all(|((shape, buffer), (right, accepted))| {
            let given = shape.read(buffer.tensor());
            let mut elements = given.iter().zip(right).enumerate();
            elements.all(|(at, (given, right))| given == right || accepted.is_open(at))
        })
    }

    /// What the oracle computes.
    fn by_oracle(&self) -> Option<&[Vec<u64>]> {
        let compute = || {
            let computed = oracle(&self.operator.name)?.reference(self.call()?);
            self.fits(&computed).then_some(computed)
        };
        self.by_oracle.get_or_init(compute).as_deref()
    }

    fn fits(&self, outputs: &[Vec<u64>]) -> bool {
        let lengths = outputs.iter().map(|elements| elements.len() as u64);
        let shapes = self.call().map(|call| call.outputs.iter().map(Shape::elements));
        shapes.is_some_and(|shapes| lengths.eq(shapes))
    }

    /// The output buffers of a right backend.
    pub(crate) fn right_buffers(&self) -> Option<&[Buffer]> {
        let write = || Some(self.written(&fixed(self.right()?.to_vec())));
        self.buffers.get_or_init(write).as_deref()
    }

    /// What the oracle computes of a changed call; `None` if that makes no sense or has outputs of other shapes.
    pub(crate) fn computed(&self, changed: &Call) -> Option<Elements> {
        let outputs = oracle(&self.operator.name)?.reference(changed);
        self.fits(&outputs).then(|| fixed(outputs))
    }

    fn context(&self) -> Context<'a> {
        Context {
            suite: self.suite,
            operator: self.operator,
            case: self.case,
        }
    }

    /// The cells of the tables that a descriptor which is to be taken rests on.
    pub(crate) fn cells(&self) -> &[Text] {
        self.cells.get_or_init(|| {
            let case = self.case;
            if case.verdict.is_rejection() {
                Vec::new()
            } else {
                dml_judge::supporting_cells(self.context())
            }
        })
    }

    /// The clauses for which a descriptor is to be refused, each once; empty where it is to be taken.
    pub(crate) fn broken(&self) -> &[Text] {
        self.broken.get_or_init(|| {
            let violations = match &self.case.verdict {
                Verdict::Rejected(violations) => violations.clone(),
                Verdict::Observed { rejected: true, .. } => self.context().violations(),
                _ => Vec::new(),
            };
            let mut found: Vec<Text> = Vec::new();
            for violation in violations.into_iter().filter(|violation| violation.runtime) {
                if !found.contains(&violation.clause) {
                    found.push(violation.clause);
                }
            }
            found
        })
    }

    /// The present tensors of a role.
    pub(crate) fn tensors(&self, role: Role) -> Vec<&TensorDesc> {
        self.case.descriptor.tensors(self.operator, role)
    }

    /// An answer as the judge wants it.
    pub(crate) fn answer(&self, wrong: Wrong) -> Answer {
        match wrong {
            Wrong::Take => Answer::Created,
            Wrong::Refuse => Answer::Rejected(Rejection::default()),
            Wrong::GiveUp => Answer::Error {
                message: "out of registers".to_owned(),
            },
            Wrong::Buffers(outputs) => Answer::Executed { outputs },
            Wrong::Elements(elements) => Answer::Executed {
                outputs: self.written(&elements),
            },
        }
    }

    /// The output buffers once these elements are written where they belong.
    pub(crate) fn written(&self, elements: &Elements) -> Vec<Buffer> {
        let (_, mut outputs) = dml_case::poison::buffers(self.operator, self.case);
        let shapes = self.call().map(|call| call.outputs.as_slice()).unwrap_or_default();
        for ((buffer, shape), elements) in outputs.iter_mut().zip(shapes).zip(elements) {
            shape.write_some(buffer.tensor_mut(), elements.iter().copied());
        }
        outputs
    }
}
