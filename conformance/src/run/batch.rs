//! Cases in company: handed to a session together, answered in any order, judged in the order of the plan.

use std::{
    collections::HashMap,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use dml_ops::{Answer, Job, Session, Unavailable};
use dml_spec::{Value, model::Operator};

use super::{Record, Shared, catch::catch};
use crate::{
    case::{Case, Mode},
    digest::Digest,
    judge,
    outcome::{Judged, Outcome},
    tensor::Shape,
};

/// Reason of skips of operators that the backend does not have.
const UNSUPPORTED: &str = "unsupported";

/// How long one poll waits. Nothing depends on it: a backend that is busy is asked again.
const PATIENCE: Duration = Duration::from_secs(1);

/// What came back for a case.
enum Reply {
    /// An answer, to be judged.
    Answer(Answer),
    /// An outcome that needs no judging, with a message.
    Settled(Outcome, String),
}

/// A backend at work, with what it takes to start it again.
pub(super) struct Bench<'a> {
    shared: &'a Shared<'a>,
    session: Option<Box<dyn Session>>,
}

impl<'a> Bench<'a> {
    /// Opens a session.
    pub(super) fn open(shared: &'a Shared<'a>) -> Result<Self, Unavailable> {
        let mut bench = Self { shared, session: None };
        bench.reopen()?;
        Ok(bench)
    }

    fn reopen(&mut self) -> Result<(), Unavailable> {
        self.session = None;
        let opened = catch(|| self.shared.run.backend.open());
        let opened = opened.unwrap_or_else(|message| {
            Err(Unavailable {
                reason: message,
                remedy: "this is a bug of the backend".to_owned(),
            })
        });
        self.session = Some(opened?);
        Ok(())
    }

    /// Runs cases and judges them, in order.
    pub(super) fn run(&mut self, cases: Vec<Case>, records: &mut Vec<Record>) -> Result<(), Unavailable> {
        let mut replies: Vec<Option<Reply>> = cases.iter().map(|case| self.skip(case)).collect();
        let start = Instant::now();
        self.create_all(&cases, &mut replies)?;
        self.execute_all(&cases, &mut replies)?;
        let time = self.shared.run.settings.timings.then(|| start.elapsed());
        for (case, reply) in cases.into_iter().zip(replies) {
            let reply = reply.unwrap_or_else(|| Reply::Settled(Outcome::HarnessError, "no answer came".to_owned()));
            records.push(self.record(&case, reply, time));
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
            skip(UNSUPPORTED)
        } else {
            None
        }
    }

    /// Answers the cases that only judge the descriptor, one by one.
    fn create_all(&mut self, cases: &[Case], replies: &mut [Option<Reply>]) -> Result<(), Unavailable> {
        for (index, (case, reply)) in cases.iter().zip(replies).enumerate() {
            if reply.is_some() || case.mode == Mode::Execute || self.stopped() {
                continue;
            }
            let job = self.job(index, case);
            let answer = match self.session.as_mut() {
                Some(session) => catch(|| session.create(&job)),
                None => Err("the session is gone".to_owned()),
            };
            *reply = Some(match answer {
                Ok(Answer::DeviceLost { message }) => {
                    self.recover()?;
                    Reply::Settled(Outcome::DeviceLost, message)
                }
                Ok(answer) => Reply::Answer(answer),
                Err(message) => {
                    self.reopen()?;
                    Reply::Settled(Outcome::Crash, message)
                }
            });
        }
        Ok(())
    }

    /// Answers the cases that run. After a loss, those without an answer run again, one at a time: the one that
    /// fails alone is to blame; where none does, they are flaky.
    fn execute_all(&mut self, cases: &[Case], replies: &mut [Option<Reply>]) -> Result<(), Unavailable> {
        let open = |replies: &[Option<Reply>]| -> Vec<usize> {
            let pairs = cases.iter().zip(replies).enumerate();
            pairs
                .filter(|(_, (_, reply))| reply.is_none())
                .map(|(index, _)| index)
                .collect()
        };
        let together = open(replies);
        if together.is_empty() || self.stopped() {
            return Ok(());
        }
        let Err(loss) = self.attempt(&together, cases, replies) else {
            return Ok(());
        };
        let suspects = open(replies);
        self.restart(&loss)?;
        if let [only] = suspects[..] {
            replies[only] = Some(Reply::Settled(loss.outcome, loss.message));
            return Ok(());
        }
        let mut guilty = false;
        for suspect in &suspects {
            if let Err(alone) = self.attempt(&[*suspect], cases, replies) {
                guilty = true;
                self.restart(&alone)?;
                replies[*suspect] = Some(Reply::Settled(alone.outcome, alone.message));
            }
        }
        if !guilty {
            let message = format!(
                "lost in company of {} cases, but not alone: {}",
                suspects.len(),
                loss.message
            );
            for suspect in suspects {
                replies[suspect] = Some(Reply::Settled(Outcome::Flaky, message.clone()));
            }
        }
        Ok(())
    }

    /// Submits jobs and collects answers until all are there or the backend is lost.
    fn attempt(&mut self, which: &[usize], cases: &[Case], replies: &mut [Option<Reply>]) -> Result<(), Loss> {
        let jobs: Vec<Job> = which
            .iter()
            .filter_map(|i| cases.get(*i).map(|case| self.job(*i, case)))
            .collect();
        let crash = |message| Loss {
            outcome: Outcome::Crash,
            message,
        };
        let gone = || Loss {
            outcome: Outcome::Crash,
            message: "the session is gone".to_owned(),
        };
        let session = self.session.as_mut().ok_or_else(gone)?;
        catch(|| session.submit(jobs)).map_err(crash)?;
        let mut missing: HashMap<u64, usize> = which.iter().map(|i| (*i as u64, *i)).collect();
        while !missing.is_empty() {
            let asked = Instant::now();
            let answers = catch(|| session.poll(PATIENCE)).map_err(crash)?;
            // Nothing before the time is up means that nothing is in flight: the session forgot some.
            if answers.is_empty() && asked.elapsed() < PATIENCE {
                return Ok(());
            }
            for (id, answer) in answers {
                if let Answer::DeviceLost { message } = answer {
                    return Err(Loss {
                        outcome: Outcome::DeviceLost,
                        message,
                    });
                }
                if let Some(reply) = missing.remove(&id).and_then(|index| replies.get_mut(index)) {
                    *reply = Some(Reply::Answer(answer));
                }
            }
        }
        Ok(())
    }

    fn restart(&mut self, loss: &Loss) -> Result<(), Unavailable> {
        if loss.outcome == Outcome::DeviceLost {
            self.recover()
        } else {
            self.reopen()
        }
    }

    /// After a lost device: asks the session to mend itself, else opens another.
    fn recover(&mut self) -> Result<(), Unavailable> {
        let mended = self
            .session
            .as_mut()
            .is_some_and(|s| matches!(catch(|| s.reset()), Ok(Ok(()))));
        if mended { Ok(()) } else { self.reopen() }
    }

    fn stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    fn job(&self, index: usize, case: &Case) -> Job {
        let (inputs, outputs) = match self.shared.run.suite.operator(case.id.operator()) {
            Some((operator, _)) if case.mode == Mode::Execute => judge::buffers(operator, case),
            _ => (Vec::new(), Vec::new()),
        };
        Job {
            id: index as u64,
            feature_level: case.id.level(),
            descriptor: case.descriptor.clone(),
            inputs,
            outputs,
        }
    }

    fn record(&self, case: &Case, reply: Reply, time: Option<Duration>) -> Record {
        let settings = self.shared.run.settings;
        let judged = match reply {
            Reply::Answer(answer) => {
                let (basis, strict_reasons) = (settings.basis, settings.strict_reasons);
                let options = judge::Options {
                    basis,
                    strict_reasons,
                    info: &self.shared.info,
                };
                judge::judge(self.shared.run.suite, case, &answer, &options)
            }
            Reply::Settled(outcome, message) => settled(outcome, message),
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
        }
    }
}

/// A backend that broke.
struct Loss {
    outcome: Outcome,
    message: String,
}

fn settled(outcome: Outcome, message: String) -> Judged {
    let class = outcome.word();
    let explain = outcome.is_failure().then(|| crate::outcome::Diagnosis {
        class,
        clauses: Vec::new(),
        message,
        first: None,
        differing: 0,
        others: Vec::new(),
    });
    Judged {
        outcome,
        diagnosis: explain,
        follows: Vec::new(),
        warnings: Vec::new(),
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
