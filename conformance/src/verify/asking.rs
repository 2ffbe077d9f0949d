//! Libraries that are asked side by side, each in one supervised session for all cases.

use std::{
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread::Scope,
};

use dml_case::{case::Case, record::Record};
use dml_ops::{Backend, Unavailable};
use dml_plan::planner::Planner;
use dml_run::engine::{Probe, Resolved, Run, Settings};

/// Cases that are run together.
const BATCH: usize = 64;

/// Cases that a library is asked about.
type Question = Arc<[Case]>;
/// A record for each case, or why there are none.
type Answer = Result<Vec<Record>, Unavailable>;

/// A library that works in a thread of its own.
pub struct Asking {
    questions: Sender<Question>,
    answers: Receiver<Answer>,
}

impl Asking {
    /// Starts the thread, which ends with this value.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        suite: &'scope Planner,
        backend: &'scope dyn Backend,
    ) -> Self {
        let ((questions, asked), (answered, answers)) = (mpsc::channel(), mpsc::channel());
        scope.spawn(move || {
            let run = Run {
                suite,
                backend,
                selection: &Resolved::default(),
                settings: &Settings::default(),
                lock: None,
            };
            // After a session that is lost for good, the next question gets another one.
            while let Ok(question) = asked.recv() {
                let answer = match run.probe(|probe| answer_all(probe, question, &asked, &answered)) {
                    Ok(None) => continue,
                    Ok(Some(why)) | Err(why) => Err(why),
                };
                if answered.send(answer).is_err() {
                    break;
                }
            }
        });
        Self { questions, answers }
    }

    /// Asks about these cases. Answers come in the order of questions.
    pub fn ask(&self, cases: &Question) {
        // If the thread ended, `answer` says so.
        let _ = self.questions.send(Arc::clone(cases));
    }

    /// The answer to the first question without one.
    ///
    /// # Errors
    /// The backend cannot be opened, or does not come back after a loss.
    pub fn answer(&self) -> Answer {
        let gone = |_| {
            Err(Unavailable {
                reason: "the thread that asks the library ended".to_owned(),
                remedy: "run the command again, and report this if it happens again".to_owned(),
            })
        };
        self.answers.recv().unwrap_or_else(gone)
    }
}

/// Answers this question and those that follow, until there are no more; why the last one has no answer.
fn answer_all(
    probe: &mut Probe<'_>,
    first: Question,
    asked: &Receiver<Question>,
    answered: &Sender<Answer>,
) -> Option<Unavailable> {
    let mut next = Some(first);
    while let Some(question) = next {
        let mut records = Vec::with_capacity(question.len());
        for batch in question.chunks(BATCH) {
            match probe.run(batch.to_vec()) {
                Ok(ran) => records.extend(ran),
                Err(why) => return Some(why),
            }
        }
        next = answered.send(Ok(records)).ok().and_then(|()| asked.recv().ok());
    }
    None
}
