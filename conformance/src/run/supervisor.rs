//! A session, and what it takes to have one again after it was lost.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    ops::ControlFlow,
    time::{Duration, Instant},
};

use dml_ops::{Answer, Job, Loss, Session, Unavailable};

use super::{
    Shared,
    catch::catch,
    units::{Unit, plan_unit},
};
use crate::{
    case::{Case, Mode},
    id::CaseId,
    judge,
    outcome::Outcome,
};

/// How long one poll waits. Nothing depends on it: a backend that is busy is asked again.
const PATIENCE: Duration = Duration::from_secs(1);

/// Losses of cases that ran alone, one behind the other, that end a run unless others still run.
const LOSSES: u32 = 3;

/// Cases from the end of the plan that show whether a backend runs at all, where none ran yet; those behind the first
/// ones are of other data types.
const PROBES: usize = 5;
const OF_ANY_TYPE: usize = 2;

/// Cases that are remembered as having come before.
const REMEMBERED: usize = 512;

/// A backend that broke.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    /// What that makes of the guilty case.
    pub outcome: Outcome,
    /// What happened.
    pub message: String,
    /// Cases that were asked for and not answered, in order.
    pub in_flight: Vec<usize>,
    /// The backend panicked in this process, which goes on.
    panicked: bool,
}

impl Lost {
    fn panicked(message: String, in_flight: &[usize]) -> Self {
        Self {
            outcome: Outcome::Crash,
            message,
            in_flight: in_flight.to_vec(),
            panicked: true,
        }
    }

    /// The loss that an answer tells of, or the answer.
    fn of(answer: Answer) -> Result<Answer, Self> {
        let (outcome, message) = match answer {
            Answer::DeviceLost { message } => (Outcome::DeviceLost, message),
            Answer::Lost { how, message } => match how {
                Loss::Crash => (Outcome::Crash, message),
                Loss::Timeout => (Outcome::Timeout, message),
                Loss::Protocol => (Outcome::HarnessError, message),
            },
            answer => return Ok(answer),
        };
        Err(Self {
            outcome,
            message,
            in_flight: Vec::new(),
            panicked: false,
        })
    }
}

/// Where answers go, by the place of the case.
pub(super) type Answers = HashMap<usize, Answer>;

/// A session with its past.
pub(super) struct Supervisor<'a> {
    shared: &'a Shared<'a>,
    session: Option<Box<dyn Session>>,
    /// Cases that the session was asked for, the oldest first.
    seen: VecDeque<CaseId>,
    losses: u32,
}

impl<'a> Supervisor<'a> {
    /// Opens a session.
    pub(super) fn open(shared: &'a Shared<'a>) -> Result<Self, Unavailable> {
        let mut supervisor = Self {
            shared,
            session: None,
            seen: VecDeque::new(),
            losses: 0,
        };
        supervisor.reopen()?;
        Ok(supervisor)
    }

    /// Opens another session.
    pub(super) fn reopen(&mut self) -> Result<(), Unavailable> {
        self.session = None;
        self.seen.clear();
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

    /// After a loss: asks the session to mend itself, else opens another.
    pub(super) fn restart(&mut self, lost: &Lost) -> Result<(), Unavailable> {
        self.seen.clear();
        let mended = !lost.panicked
            && self
                .session
                .as_mut()
                .is_some_and(|s| matches!(catch(|| s.reset()), Ok(Ok(()))));
        if mended { Ok(()) } else { self.reopen() }
    }

    /// After the loss of a case that ran alone. Several in a row are no case's fault, unless others still run.
    pub(super) fn restart_alone(&mut self, lost: &Lost) -> Result<(), Unavailable> {
        self.restart(lost)?;
        self.losses += u32::from(!lost.panicked);
        if self.losses < LOSSES || self.shared.expects_losses {
            return Ok(());
        }
        for probe in self.shared.probes() {
            match self.ask(&[0], std::slice::from_ref(&probe), &mut Answers::new()) {
                Ok(()) => return Ok(()),
                Err(lost) => self.restart(&lost)?,
            }
        }
        Err(Unavailable {
            reason: format!("it was lost {LOSSES} times in a row; the last time: {}", lost.message),
            remedy: "no case is blamed for that; see whether it runs anything at all".to_owned(),
        })
    }

    /// The cases that the session was asked for, the oldest first.
    pub(super) fn seen(&self) -> Vec<CaseId> {
        self.seen.iter().cloned().collect()
    }

    /// The cases that the session was asked for, the oldest first; they are forgotten.
    pub(super) fn take_seen(&mut self) -> Vec<CaseId> {
        std::mem::take(&mut self.seen).into()
    }

    /// Asks for cases and waits for the answers: first for those that only judge the descriptor, then for the others.
    /// Cases that the session forgets have no answer.
    pub(super) fn ask(&mut self, which: &[usize], cases: &[Case], answers: &mut Answers) -> Result<(), Lost> {
        let of_mode = |mode| {
            let is = |at: &&usize| cases.get(**at).is_some_and(|case| case.mode == mode);
            which.iter().filter(is).copied().collect::<Vec<usize>>()
        };
        let (judged, run) = (of_mode(Mode::Create), of_mode(Mode::Execute));
        if !judged.is_empty() && !self.shared.stopped() {
            self.create(&judged, cases, answers)?;
        }
        if !run.is_empty() && !self.shared.stopped() {
            self.execute(&run, cases, answers)?;
        }
        Ok(())
    }

    /// The jobs of these cases, which are remembered.
    fn jobs(&mut self, which: &[usize], cases: &[Case]) -> Vec<Job> {
        let chosen = which.iter().filter_map(|at| Some((*at, cases.get(*at)?)));
        let job = |(at, case)| {
            self.remember(case);
            self.shared.job(at, case)
        };
        chosen.map(job).collect()
    }

    fn create(&mut self, which: &[usize], cases: &[Case], answers: &mut Answers) -> Result<(), Lost> {
        let jobs = self.jobs(which, cases);
        let session = self.session.as_mut().ok_or_else(|| gone(which))?;
        let found = catch(|| session.create_all(&jobs)).map_err(|message| Lost::panicked(message, which))?;
        let (mut lost, mut in_flight) = (None, Vec::new());
        for (at, answer) in which.iter().zip(found) {
            match Lost::of(answer) {
                Ok(answer) => {
                    self.losses = 0;
                    answers.insert(*at, answer);
                }
                Err(found) => {
                    lost = lost.or(Some(found));
                    in_flight.push(*at);
                }
            }
        }
        lost.map_or(Ok(()), |lost| Err(Lost { in_flight, ..lost }))
    }

    fn execute(&mut self, which: &[usize], cases: &[Case], answers: &mut Answers) -> Result<(), Lost> {
        let jobs = self.jobs(which, cases);
        let session = self.session.as_mut().ok_or_else(|| gone(which))?;
        catch(|| session.submit(jobs)).map_err(|message| Lost::panicked(message, which))?;
        let asked_for: BTreeSet<usize> = which.iter().copied().collect();
        let mut missing = asked_for.clone();
        let lost_all = |message, missing: &BTreeSet<usize>| {
            let in_flight: Vec<usize> = missing.iter().copied().collect();
            Lost::panicked(message, &in_flight)
        };
        while !missing.is_empty() {
            let asked = Instant::now();
            let fresh = catch(|| session.poll(PATIENCE)).map_err(|message| lost_all(message, &missing))?;
            // Nothing before the time is up means that nothing is in flight: the session forgot some.
            if fresh.is_empty() && asked.elapsed() < PATIENCE {
                return Ok(());
            }
            let mut lost = None;
            for (id, answer) in fresh {
                let at = usize::try_from(id).unwrap_or(usize::MAX);
                match Lost::of(answer) {
                    Err(found) => lost = lost.or(Some(found)),
                    Ok(answer) if asked_for.contains(&at) => {
                        missing.remove(&at);
                        self.shared.ran(cases.get(at), &answer);
                        answers.insert(at, answer);
                        self.losses = 0;
                    }
                    Ok(_) => {}
                }
            }
            if let Some(lost) = lost.filter(|_| !missing.is_empty()) {
                let in_flight = missing.into_iter().collect();
                return Err(Lost { in_flight, ..lost });
            }
        }
        Ok(())
    }

    fn remember(&mut self, case: &Case) {
        if self.seen.len() == REMEMBERED {
            self.seen.pop_front();
        }
        self.seen.push_back(case.id.clone());
    }
}

fn gone(in_flight: &[usize]) -> Lost {
    Lost::panicked("the session is gone".to_owned(), in_flight)
}

impl Shared<'_> {
    /// Whether the run is to end.
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Keeps the first case that ran.
    fn ran(&self, case: Option<&Case>, answer: &Answer) {
        if let (Answer::Executed { .. }, Some(case)) = (answer, case) {
            self.canary.get_or_init(|| case.clone());
        }
    }

    /// Cases that show whether the backend runs at all: one that ran, else a few from elsewhere in the plan.
    fn probes(&self) -> Vec<Case> {
        if let Some(case) = self.canary.get() {
            return vec![case.clone()];
        }
        let first = |unit| {
            let mut found = None;
            // Where planning fails, the worker that comes to the unit says so.
            let _ = plan_unit(self.run, unit, &mut |case| {
                if case.mode == Mode::Create {
                    return ControlFlow::Continue(());
                }
                found = Some(case);
                ControlFlow::Break(())
            });
            found
        };
        // What fails with one data type may well run with another.
        let (mut probes, mut types) = (Vec::new(), BTreeSet::new());
        for unit in self.units.iter().rev() {
            let data_type = match unit {
                Unit::Bucket(bucket) => Some(bucket.data_type.as_str()),
                _ => None,
            };
            if probes.len() >= OF_ANY_TYPE && data_type.is_some_and(|name| types.contains(name)) {
                continue;
            }
            if let Some(case) = first(unit) {
                probes.push(case);
                types.extend(data_type);
            }
            if probes.len() == PROBES {
                break;
            }
        }
        probes
    }

    /// What a backend gets to see of a case.
    fn job(&self, at: usize, case: &Case) -> Job {
        let (inputs, outputs) = match self.run.suite.operator(case.id.operator()) {
            Some((operator, _)) if case.mode == Mode::Execute => judge::buffers(operator, case),
            _ => (Vec::new(), Vec::new()),
        };
        Job {
            id: at as u64,
            feature_level: case.id.level(),
            descriptor: case.descriptor.clone(),
            inputs,
            outputs,
        }
    }
}
