//! A session, and what it takes to have one again after it was lost.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    time::{Duration, Instant},
};

use dml_ops::{Answer, Job, JobId, Loss, Session, Unavailable};

use crate::engine::clock::Clock;
use crate::engine::{Shared, catch::catch};
use dml_case::timings::Work;
use dml_case::{
    case::{Case, Mode},
    id::CaseId,
    outcome::Outcome,
};
use dml_plan::planner::Planner;

/// How long one poll waits. Nothing depends on it: a backend that is busy is asked again.
const PATIENCE: Duration = Duration::from_secs(1);

/// Losses of cases that ran alone, one after the other, that end a run unless one that ran before still runs.
const LOSSES: u32 = 3;

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
    /// An earlier case, not in flight any more, that the loss is about.
    pub about: Option<Box<CaseId>>,
    /// The backend panicked in this process, which goes on.
    pub panicked: bool,
}

impl Lost {
    fn panicked(message: String, in_flight: &[usize]) -> Self {
        Self {
            outcome: Outcome::Crash,
            message,
            in_flight: in_flight.to_vec(),
            about: None,
            panicked: true,
        }
    }

    /// Whether the backend said something that belongs to no request.
    pub(super) fn is_talk(&self) -> bool {
        self.outcome == Outcome::HarnessError
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
            about: None,
            panicked: false,
        })
    }
}

/// Where answers go, by the place of the case.
pub(super) type Answers = HashMap<usize, Answer>;

/// What there is to do for cases while the backend works on them: called with the place of each.
pub(super) type Ahead<'c> = dyn FnMut(usize, &mut Clock) + 'c;

/// Nothing.
pub(super) fn idle(_: usize, _: &mut Clock) {}

/// A session with its past.
pub(super) struct Supervisor<'a> {
    shared: &'a Shared<'a>,
    /// What time goes to on this thread.
    pub(super) clock: Clock,
    session: Option<Box<dyn Session>>,
    /// Cases that the session was asked for, the oldest first.
    seen: VecDeque<CaseId>,
    /// What earlier sessions of this batch were asked for, if cases may be run again.
    past: Vec<Vec<CaseId>>,
    /// Jobs that were handed out; the next one has this number.
    jobs: JobId,
    losses: u32,
}

impl<'a> Supervisor<'a> {
    /// Opens a session.
    pub(super) fn open(shared: &'a Shared<'a>) -> Result<Self, Unavailable> {
        let mut supervisor = Self {
            shared,
            clock: Clock::start(shared.run.settings.timings),
            session: None,
            seen: VecDeque::new(),
            past: Vec::new(),
            jobs: 0,
            losses: 0,
        };
        supervisor.reopen()?;
        supervisor.clock.lap(Work::Backend);
        Ok(supervisor)
    }

    /// Opens another session.
    pub(super) fn reopen(&mut self) -> Result<(), Unavailable> {
        self.session = None;
        self.take_seen();
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
        self.take_seen();
        let mended = !lost.panicked
            && self
                .session
                .as_mut()
                .is_some_and(|s| matches!(catch(|| s.reset()), Ok(Ok(()))));
        if mended { Ok(()) } else { self.reopen() }
    }

    /// After the loss of a case of this mode that ran alone. Several in a row are no case's fault if one that ran
    /// before does not run any more; if nothing ever ran, nothing else is tried in the end.
    pub(super) fn restart_alone(&mut self, lost: &Lost, mode: Mode) -> Result<(), Unavailable> {
        self.restart(lost)?;
        if lost.panicked || self.shared.expects_losses {
            return Ok(());
        }
        if self.shared.health.lost(mode, &lost.outcome) {
            return self.probe(mode);
        }
        self.losses += 1;
        let Some(canary) = self.shared.canary.get().filter(|_| self.losses >= LOSSES) else {
            return Ok(());
        };
        let asked = self.ask(&[0], std::slice::from_ref(canary), &mut Answers::new(), &mut idle);
        asked.map_err(|again| Unavailable {
            reason: format!("{} ran earlier and does not run now: {}", canary.id, again.message),
            remedy: "the cases lost just before may not be the cause; check what else changed on this machine"
                .to_owned(),
        })
    }

    /// Looks whether any case of this mode does not lose the backend, and gives up the others if none is found.
    fn probe(&mut self, mode: Mode) -> Result<(), Unavailable> {
        for probe in self.shared.probes(mode) {
            match self.ask(&[0], std::slice::from_ref(&probe), &mut Answers::new(), &mut idle) {
                Ok(()) => {
                    self.shared.health.answered(mode);
                    return Ok(());
                }
                Err(lost) => self.restart(&lost)?,
            }
        }
        self.shared.health.give_up(mode);
        Ok(())
    }

    /// What the backend says within this time although nothing is in flight.
    pub(super) fn overhear(&mut self, patience: Duration) -> Option<Lost> {
        let session = self.session.as_mut()?;
        let said = catch(|| session.poll(patience)).unwrap_or_default();
        let (id, lost) = said
            .into_iter()
            .find_map(|(id, answer)| Some((id, Lost::of(answer).err()?)))?;
        let about = self.case_of(id);
        Some(Lost { about, ..lost })
    }

    /// The case that a job was made of, if it is still known.
    fn case_of(&self, job: JobId) -> Option<Box<CaseId>> {
        let back = usize::try_from(self.jobs.checked_sub(job)?).ok()?;
        let case = self.seen.get(self.seen.len().checked_sub(back)?)?;
        Some(Box::new(case.clone()))
    }

    /// Forgets the sessions before this one: another batch begins.
    pub(super) fn begin(&mut self) {
        self.past.clear();
    }

    /// What each session of this batch was asked for, the last one first, and each the oldest first.
    pub(super) fn sessions(&self) -> Vec<Vec<CaseId>> {
        let now: Vec<CaseId> = self.seen.iter().cloned().collect();
        [now].into_iter().chain(self.past.iter().rev().cloned()).collect()
    }

    /// The cases that the session was asked for, the oldest first; they are forgotten.
    pub(super) fn take_seen(&mut self) -> Vec<CaseId> {
        let seen: Vec<CaseId> = std::mem::take(&mut self.seen).into();
        if self.shared.run.settings.retries > 0 && !seen.is_empty() {
            self.past.push(seen.clone());
        }
        seen
    }

    /// Asks for cases and waits for the answers: first for those that only judge the descriptor, then for the others.
    /// Cases that the session forgets have no answer. What is to be done `ahead` is done while those run.
    pub(super) fn ask(
        &mut self,
        which: &[usize],
        cases: &[Case],
        answers: &mut Answers,
        ahead: &mut Ahead<'_>,
    ) -> Result<(), Lost> {
        let of_mode = |mode| {
            let is = |at: &&usize| cases.get(**at).is_some_and(|case| case.mode == mode);
            which.iter().filter(is).copied().collect::<Vec<usize>>()
        };
        let (judged, run) = (of_mode(Mode::Create), of_mode(Mode::Execute));
        if !judged.is_empty() && !self.shared.stopped() {
            self.create(&judged, cases, answers)?;
        }
        if !run.is_empty() && !self.shared.stopped() {
            self.execute(&run, cases, answers, ahead)?;
        }
        Ok(())
    }

    /// The jobs of these cases, which are remembered.
    fn jobs(&mut self, which: &[usize], cases: &[Case]) -> Vec<Job> {
        let chosen = which.iter().filter_map(|at| Some((*at, cases.get(*at)?)));
        let job = |(_, case)| {
            self.remember(case);
            self.jobs += 1;
            job(
                self.shared.run.suite,
                self.jobs - 1,
                case,
                self.shared.run.settings.half_precision,
            )
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
        match lost {
            None => Ok(()),
            Some(lost) => Err(Lost {
                in_flight,
                about: self.overhear(Duration::ZERO).and_then(|lost| lost.about),
                ..lost
            }),
        }
    }

    fn execute(
        &mut self,
        which: &[usize],
        cases: &[Case],
        answers: &mut Answers,
        ahead: &mut Ahead<'_>,
    ) -> Result<(), Lost> {
        let first = self.jobs;
        let jobs = self.jobs(which, cases);
        let place = |job: JobId| which.get(usize::try_from(job.checked_sub(first)?).ok()?).copied();
        let session = self.session.as_mut().ok_or_else(|| gone(which))?;
        catch(|| session.submit(jobs)).map_err(|message| Lost::panicked(message, which))?;
        self.clock.lap(Work::Backend);
        which.iter().for_each(|at| ahead(*at, &mut self.clock));
        let mut missing: BTreeSet<usize> = which.iter().copied().collect();
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
            let (mut lost, mut about) = (None, None);
            for (id, answer) in fresh {
                match (Lost::of(answer), place(id)) {
                    (Err(found), at) => {
                        lost = lost.or(Some(found));
                        match at {
                            // Its answer, if it has one, is in doubt.
                            Some(at) => {
                                missing.insert(at);
                                answers.remove(&at);
                            }
                            None => about = Some(id),
                        }
                    }
                    (Ok(answer), Some(at)) => {
                        missing.remove(&at);
                        self.shared.ran(cases.get(at), &answer);
                        answers.insert(at, answer);
                        self.losses = 0;
                    }
                    (Ok(_), None) => {}
                }
            }
            if let Some(lost) = lost.filter(|_| !missing.is_empty()) {
                let in_flight = missing.into_iter().collect();
                let about = about.and_then(|job| self.case_of(job));
                return Err(Lost {
                    in_flight,
                    about,
                    ..lost
                });
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

    /// Keeps something that makes the run incomplete.
    pub(super) fn problem(&self, text: String) {
        if let Ok(mut problems) = self.problems.lock() {
            problems.push(text);
        }
    }

    /// Keeps the first case that ran.
    fn ran(&self, case: Option<&Case>, answer: &Answer) {
        if let (Answer::Executed { .. }, Some(case)) = (answer, case) {
            self.canary.get_or_init(|| case.clone());
        }
    }
}

/// What a backend gets to see of a case.
pub(crate) fn job(suite: &Planner, id: JobId, case: &Case, half_precision: bool) -> Job {
    let (inputs, outputs) = match suite.operator(case.id.operator()) {
        Some((operator, _)) if case.mode == Mode::Execute => dml_case::poison::buffers(operator, case),
        _ => (Vec::new(), Vec::new()),
    };
    Job {
        id,
        feature_level: case.id.level(),
        descriptor: case.descriptor.clone(),
        inputs,
        outputs,
        aliases: case.aliases.as_slice().into(),
        half_precision,
    }
}
