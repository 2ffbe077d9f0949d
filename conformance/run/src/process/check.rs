//! Talks a program through the protocol, and collects what it does wrong.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use dml_ops::{Answer, Job, Loss, Session};
use dml_spec::model::Tier;

use super::{
    Limits, Program, StartError,
    session::{self, ProcessSession},
};
use crate::{engine::job, protocol::LINE};
use dml_case::{
    case::{Case, Mode},
    lock,
};
use dml_plan::{Bucket, planner::Planner};

/// Requests that are in flight together.
const TOGETHER: usize = 8;

/// How long to wait after the last answer for unrequested messages.
const BEHIND: Duration = Duration::from_millis(100);

/// How long a program may take to end after `bye`.
const BYE: Duration = Duration::from_secs(2);

/// One step of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was asked.
    pub what: String,
    /// What is wrong with what came; empty if nothing is.
    pub mistakes: Vec<String>,
}

/// Goes through the protocol with a program. Whether its answers are right is not looked at.
///
/// # Errors
/// If it does not start.
pub fn check(program: &Program, suite: &Planner, limits: &Limits) -> Result<Vec<Step>, StartError> {
    let catalog = Arc::new(suite.catalog.clone());
    let open = || session::open(program, &catalog, limits);
    let mut talk = Talk {
        session: open()?,
        steps: Vec::new(),
    };
    talk.hello(suite);
    for (what, cases) in questions(suite, &talk.session) {
        if talk.ask(suite, &what, &cases) {
            // Nothing can be asked of a process that is lost.
            talk.session = open()?;
        }
    }
    let left = talk.session.leave(BYE);
    talk.steps.push(Step {
        what: "ends at `bye`".to_owned(),
        mistakes: left.err().into_iter().collect(),
    });
    Ok(talk.steps)
}

struct Talk {
    session: ProcessSession,
    steps: Vec<Step>,
}

impl Talk {
    fn hello(&mut self, suite: &Planner) {
        let info = self.session.info();
        let mut mistakes = Vec::new();
        if info.operators.is_empty() {
            mistakes.push("`operators` is empty: nothing can be tested".to_owned());
        }
        for name in info.operators.iter().filter(|name| suite.operator(name).is_none()) {
            let hint = dml_case::nearest::suggestion(name, suite.catalog.operators.iter().map(|o| o.name.as_ref()));
            mistakes.push(format!("`operators`: unknown operator `{name}`; {hint}"));
        }
        let name = format!("{} {}", info.name, info.version);
        let what = format!("says `hello`: {}, level {}", name.trim_end(), info.feature_level);
        self.steps.push(Step { what, mistakes });
    }

    /// Asks for cases, all at once; whether the process was lost.
    fn ask(&mut self, suite: &Planner, what: &str, cases: &[Case]) -> bool {
        let mode = cases.first().map_or(Mode::Create, |case| case.mode);
        let jobs: Vec<Job> = (0..).zip(cases).map(|(id, case)| job(suite, id, case, false)).collect();
        let asked = jobs.len();
        let mut answers: Vec<Answer> = Vec::new();
        if mode == Mode::Create {
            answers = self.session.create_all(&jobs);
        } else {
            self.session.submit(jobs);
            while answers.len() < asked {
                let fresh = self.session.poll(Duration::from_secs(1));
                if fresh.is_empty() && self.session.is_idle() {
                    break;
                }
                answers.extend(fresh.into_iter().map(|(_, answer)| answer));
            }
        }
        answers.extend(self.session.poll(BEHIND).into_iter().map(|(_, answer)| answer));
        let mut mistakes: Vec<String> = answers.iter().filter_map(mistake).collect();
        // The same mistake in several lines is one.
        mistakes.dedup_by_key(|mistake| mistake.split(LINE).next().map(str::to_owned));
        let what = format!("{what}{}", skipped(&answers));
        self.steps.push(Step { what, mistakes });
        answers.iter().any(|answer| matches!(answer, Answer::Lost { .. }))
    }
}

/// What to add if every answer is a skip, so that nothing was tried.
fn skipped(answers: &[Answer]) -> String {
    let reason = |answer: &Answer| match answer {
        Answer::Skipped { reason } => Some(reason.clone()),
        _ => None,
    };
    match answers.iter().map(reason).collect::<Option<Vec<_>>>().as_deref() {
        Some([reason, ..]) => format!(", but only with skips, so that nothing was tried: {reason}"),
        _ => String::new(),
    }
}

/// What is wrong with an answer, whatever the right one is.
fn mistake(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Malformed { message } => Some(message.clone()),
        Answer::Lost { how, message } => Some(match how {
            Loss::Protocol => format!("{message}; only answers belong on standard output, each with a line end"),
            Loss::Timeout => format!("{message}; are answers flushed, each with a line end?"),
            Loss::Crash => message.clone(),
        }),
        _ => None,
    }
}

/// What to ask, out of the plan of the program's first operator; of one that executes, the first that can be executed.
fn questions(suite: &Planner, session: &ProcessSession) -> Vec<(String, Vec<Case>)> {
    let (info, can) = (session.info(), session.abilities());
    let known = || info.operators.iter().filter(|name| suite.operator(name).is_some());
    let is_computed = |name: &&String| suite.operator(name).is_some_and(|(operator, _)| operator.is_computed());
    let computed = known().find(|name| can.execute && is_computed(name));
    let asked = computed.or(known().next());
    let of_operator = |at: usize| {
        let name = suite.catalog.operators.get(at).map(|o| &*o.name);
        asked.map(String::as_str) == name
    };
    let buckets: Vec<Bucket> = (0..suite.catalog.operators.len())
        .filter(|at| of_operator(*at))
        .flat_map(|at| dml_plan::buckets_of(suite, at, Tier::Standard))
        .filter(|bucket| bucket.level <= info.feature_level)
        .collect();
    let mut found = Vec::new();
    let mut push = |what: &str, cases: Vec<Case>| {
        if !cases.is_empty() {
            found.push((what.to_owned(), cases));
        }
    };
    let pick = |most, wanted: &dyn Fn(&Case) -> bool| cases(suite, &buckets, most, wanted);
    if can.create {
        let created = |case: &Case| case.mode == Mode::Create;
        push(
            "answers `create`, descriptor valid",
            pick(1, &|c| created(c) && !c.verdict.is_rejection()),
        );
        push(
            "answers `create`, descriptor invalid",
            pick(1, &|c| created(c) && c.verdict.is_rejection()),
        );
    }
    if can.execute {
        let run = |case: &Case| case.mode == Mode::Execute && case.aliases.is_empty();
        push("answers `execute`", pick(1, &run));
        push("answers several requests in flight", pick(TOGETHER, &run));
        if can.in_place {
            let shared = |case: &Case| !case.aliases.is_empty();
            push(
                "answers `execute`, an output in the place of an input",
                pick(1, &shared),
            );
        }
    }
    found
}

/// The first such cases of the plan.
fn cases(suite: &Planner, buckets: &[Bucket], most: usize, wanted: &dyn Fn(&Case) -> bool) -> Vec<Case> {
    let mut found = Vec::new();
    for bucket in buckets {
        let flow = dml_plan::for_each_case(suite, bucket, Tier::Smoke, lock::DEFAULT_SEED, &mut |case| {
            if wanted(&case) {
                found.push(case);
            }
            if found.len() < most {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        if flow.is_break() {
            break;
        }
    }
    found
}
