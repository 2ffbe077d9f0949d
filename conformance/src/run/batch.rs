//! Cases in company: handed to a session together, answered in any order, judged in the order of the plan.

use std::time::{Duration, Instant};

use dml_ops::{Answer, Unavailable};
use dml_spec::{Value, model::Operator};

use super::{
    Record, Shared,
    supervisor::{Answers, Supervisor},
    suspects::Suspects,
};
use crate::{
    case::{Case, Mode},
    digest::Digest,
    id::CaseId,
    judge,
    outcome::{Diagnosis, Judged, Outcome},
    tensor::Shape,
};

/// Reason of skips of operators that the backend does not have.
const UNSUPPORTED: &str = "unsupported";

/// What came back for a case.
pub(super) enum Reply {
    /// An answer, to be judged.
    Answer(Answer),
    /// An answer, to be judged, with a remark.
    Noted(Answer, String),
    /// An outcome that needs no judging, with a message.
    Settled(Outcome, String),
    /// It failed behind other cases only: a message, and the cases in order, where they are known.
    Flaky(String, Vec<CaseId>),
}

/// A backend at work.
pub(super) struct Bench<'a> {
    shared: &'a Shared<'a>,
    supervisor: Supervisor<'a>,
}

impl<'a> Bench<'a> {
    /// Opens a session.
    pub(super) fn open(shared: &'a Shared<'a>) -> Result<Self, Unavailable> {
        let supervisor = Supervisor::open(shared)?;
        Ok(Self { shared, supervisor })
    }

    /// Runs cases and judges them, in order.
    pub(super) fn run(&mut self, cases: Vec<Case>, records: &mut Vec<Record>) -> Result<(), Unavailable> {
        let mut replies: Vec<Option<Reply>> = cases.iter().map(|case| self.skip(case)).collect();
        let start = Instant::now();
        self.answer_all(&cases, &mut replies)?;
        let time = self.shared.run.settings.timings.then(|| start.elapsed());
        // What runs again is seen as well, but comes behind the failure.
        let seen = match self.shared.run.settings.retries {
            0 => Vec::new(),
            _ => self.supervisor.seen(),
        };
        for (case, reply) in cases.into_iter().zip(replies) {
            let reply = reply.unwrap_or_else(no_answer);
            let mut record = self.record(&case, reply, time);
            self.retry(&case, &mut record, &seen)?;
            records.push(record);
        }
        Ok(())
    }

    /// Whether the case is not for this backend.
    fn skip(&self, case: &Case) -> Option<Reply> {
        let info = &self.shared.info;
        let skip = |reason: &str| Some(Reply::Settled(Outcome::Skip(reason.to_owned()), String::new()));
        if !info.operators.iter().any(|name| name == case.id.operator()) {
            return skip(UNSUPPORTED);
        }
        if case.mode == Mode::Execute && !info.executes {
            skip(judge::CREATE_ONLY)
        } else {
            None
        }
    }

    /// Asks until every case has a reply, but for those that the backend forgets.
    fn answer_all(&mut self, cases: &[Case], replies: &mut [Option<Reply>]) -> Result<(), Unavailable> {
        loop {
            let open: Vec<usize> = (0..cases.len())
                .filter(|at| matches!(replies.get(*at), Some(None)))
                .collect();
            if open.is_empty() || self.shared.stopped() {
                return Ok(());
            }
            let mut answers = Answers::new();
            let asked = self.supervisor.ask(&open, cases, &mut answers);
            for (at, answer) in answers {
                if let Some(reply) = replies.get_mut(at) {
                    *reply = Some(Reply::Answer(answer));
                }
            }
            let Err(lost) = asked else { return Ok(()) };
            let mut suspects = Suspects {
                shared: self.shared,
                supervisor: &mut self.supervisor,
                cases,
                replies,
            };
            suspects.investigate(&lost)?;
            // Whatever is still open now was in flight, and has been asked for twice.
            for at in lost.in_flight {
                if let Some(reply @ None) = replies.get_mut(at) {
                    *reply = Some(no_answer());
                }
            }
        }
    }

    /// Runs a case that failed again; where it does not fail each time, it is flaky. `seen` is what the session had
    /// been asked for until then.
    fn retry(&mut self, case: &Case, record: &mut Record, seen: &[CaseId]) -> Result<(), Unavailable> {
        for again in 1..=self.shared.run.settings.retries {
            if !record.judged.outcome.is_failure() || record.judged.outcome == Outcome::Flaky || self.shared.stopped() {
                return Ok(());
            }
            let mut answers = Answers::new();
            if let Err(lost) = self.supervisor.ask(&[0], std::slice::from_ref(case), &mut answers) {
                self.supervisor.restart_alone(&lost)?;
                continue;
            }
            let Some(answer) = answers.remove(&0) else { continue };
            if self
                .record(case, Reply::Answer(answer), None)
                .judged
                .outcome
                .is_failure()
            {
                continue;
            }
            let (word, before) = (record.judged.outcome.word(), record.judged.diagnosis.take());
            let before = before.map(|d| format!(": {}", d.message)).unwrap_or_default();
            let message = format!("{word} at first, but not when run again ({again}){before}");
            record.judged = settled(Outcome::Flaky, message);
            let place = seen.iter().rposition(|id| *id == case.id);
            record.order = place.map_or_else(Vec::new, |place| seen[..=place].to_vec());
        }
        Ok(())
    }

    fn record(&self, case: &Case, reply: Reply, time: Option<Duration>) -> Record {
        let settings = self.shared.run.settings;
        let options = judge::Options {
            basis: settings.basis,
            strict_reasons: settings.strict_reasons,
            info: &self.shared.info,
        };
        let judge = |answer: &Answer| judge::judge(self.shared.run.suite, case, answer, &options);
        let mut order = Vec::new();
        let judged = match reply {
            Reply::Answer(answer) => judge(&answer),
            Reply::Noted(answer, remark) => {
                let mut judged = judge(&answer);
                judged.warnings.push(remark);
                judged
            }
            Reply::Settled(outcome, message) => settled(outcome, message),
            Reply::Flaky(message, cases) => {
                order = cases;
                settled(Outcome::Flaky, message)
            }
        };
        let operator = self
            .shared
            .run
            .suite
            .operator(case.id.operator())
            .map(|(operator, _)| operator);
        Record {
            id: case.id.clone(),
            mode: case.mode,
            verdict: case.verdict.word(),
            expectation: Digest::of_case(case),
            elements: operator.map_or(0, |op| elements(self.shared, op, case)),
            judged,
            time,
            order,
        }
    }
}

fn no_answer() -> Reply {
    Reply::Settled(Outcome::HarnessError, "no answer came".to_owned())
}

fn settled(outcome: Outcome, message: String) -> Judged {
    if outcome.is_failure() {
        let class = outcome.word();
        Judged::explained(outcome, Diagnosis::new(class, Vec::new(), message))
    } else {
        Judged::plain(outcome)
    }
}

/// Elements of all tensors of a case together; tensors that make no sense count as none.
fn elements(shared: &Shared<'_>, operator: &Operator, case: &Case) -> u64 {
    let count = |tensor: &dml_spec::TensorDesc| {
        Shape::of(&shared.run.suite.catalog, tensor).map_or(0, |shape| shape.elements())
    };
    let of_value = |value: &Value| match value {
        Value::Tensor(Some(tensor)) => count(tensor),
        Value::Tensors(Some(tensors)) => tensors.iter().map(count).sum(),
        _ => 0,
    };
    operator
        .fields
        .iter()
        .zip(&case.descriptor.fields)
        .map(|(_, value)| of_value(value))
        .sum()
}
