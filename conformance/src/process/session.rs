//! A session in another process.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use dml_ops::{Answer, Info, Job, JobId, Loss, Session, Unavailable};
use dml_spec::Catalog;

use super::{
    Limits, Program, STARTS, StartError,
    child::{Child, Heard},
};
use crate::{
    case::Mode,
    judge::{self, NOT_EXPRESSIBLE},
    protocol::{
        Abilities, BYE, HELLO, Hello, Line, Pending, Refused, Reply, Scratch, read_answer, read_hello, shown,
        write_request,
    },
};

/// Exit code by which a program says that its arguments are wrong.
const USAGE: i32 = 2;

/// Opens a session; a program that dies at its start is given further chances.
///
/// # Errors
/// Where it cannot be opened.
pub(super) fn open(program: &Program, catalog: &Arc<Catalog>, limits: &Limits) -> Result<ProcessSession, StartError> {
    let mut reason = String::new();
    for _ in 0..STARTS {
        match ProcessSession::once(program, catalog, limits) {
            Ok(session) => return Ok(session),
            Err(NoStart::For(error)) => return Err(error),
            Err(NoStart::This(why)) => reason = why,
        }
    }
    Err(StartError::Unavailable(Unavailable {
        reason: format!("{} did not start in {STARTS} tries: {reason}", program.name),
        remedy: "start it by hand to see why".to_owned(),
    }))
}

/// Why a program did not start.
enum NoStart {
    /// Another try may help.
    This(String),
    /// No other try helps.
    For(StartError),
}

/// A request in flight.
#[derive(Debug)]
struct Flying {
    job: JobId,
    pending: Pending,
}

/// A program at work.
#[derive(Debug)]
pub(super) struct ProcessSession {
    program: Program,
    catalog: Arc<Catalog>,
    limits: Limits,
    info: Info,
    abilities: Abilities,
    scratch: Option<Scratch>,
    child: Child,
    /// Requests by their number on the wire, which no other request of this process has.
    flying: BTreeMap<u64, Flying>,
    /// Requests that were answered since nothing was in flight.
    done: BTreeMap<u64, JobId>,
    next: u64,
    /// Last sign of life.
    heard: Instant,
    answers: Vec<(JobId, Answer)>,
    lost: Option<(Loss, String)>,
}

impl ProcessSession {
    /// Starts the program and waits for its first line.
    fn once(program: &Program, catalog: &Arc<Catalog>, limits: &Limits) -> Result<Self, NoStart> {
        let mut child = Child::spawn(program, limits).map_err(|error| {
            let path = program.path.display();
            unavailable(format!("{path} cannot be started: {error}"), "check its path and mode")
        })?;
        let (info, abilities) = greet(&mut child, program, limits)?;
        let scratch = abilities.files.then(Scratch::new).transpose();
        let scratch = scratch.map_err(|error| {
            let reason = format!("no folder for temporary files: {error}");
            unavailable(reason, "make room, or name another one in TMPDIR")
        })?;
        Ok(Self {
            program: program.clone(),
            catalog: Arc::clone(catalog),
            limits: limits.clone(),
            info,
            abilities,
            scratch,
            child,
            flying: BTreeMap::new(),
            done: BTreeMap::new(),
            next: 1,
            heard: Instant::now(),
            answers: Vec::new(),
            lost: None,
        })
    }

    /// What the program says of itself.
    pub(super) fn info(&self) -> &Info {
        &self.info
    }

    /// What the program is able to do.
    pub(super) fn abilities(&self) -> Abilities {
        self.abilities
    }

    /// Whether nothing is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.flying.is_empty()
    }

    /// Says `bye`, and waits for the program to end.
    ///
    /// # Errors
    /// What it does instead.
    pub(super) fn leave(&mut self, patience: Duration) -> Result<(), String> {
        self.child.send(format!("{BYE}\n").into_bytes());
        let until = Instant::now() + patience;
        match self.child.hear(until) {
            Heard::Line(Line::End) => Ok(()),
            Heard::Nothing => Err(format!("it still runs {} s behind `bye`", patience.as_secs_f64())),
            Heard::Line(Line::Whole(line) | Line::Partial(line) | Line::TooLong(line)) => {
                Err(format!("`{}` comes behind the last answer", shown(&line)))
            }
        }
    }

    /// Sends jobs, all in one go.
    fn send(&mut self, mode: Mode, jobs: Vec<Job>) {
        if self.flying.is_empty() {
            self.heard = Instant::now();
            self.done.clear();
        }
        let mut text = Vec::new();
        for job in jobs {
            let (id, job_id) = (self.next, job.id);
            if mode == Mode::Create && !self.abilities.create {
                let reason = judge::EXECUTE_ONLY.to_owned();
                self.answers.push((job_id, Answer::Skipped { reason }));
                continue;
            }
            if let Some((how, message)) = &self.lost {
                let (how, message) = (*how, message.clone());
                self.answers.push((job_id, Answer::Lost { how, message }));
                continue;
            }
            let scratch = self.scratch.as_ref();
            match write_request(&self.catalog, mode, id, job, self.abilities, scratch, &mut text) {
                Ok(pending) => {
                    self.next += 1;
                    self.child.expect(pending.longest_answer());
                    self.flying.insert(id, Flying { job: job_id, pending });
                }
                Err(Refused::NotExpressible(_)) => {
                    let reason = NOT_EXPRESSIBLE.to_owned();
                    self.answers.push((job_id, Answer::Skipped { reason }));
                }
                Err(refused) => {
                    let message = refused.to_string();
                    self.answers.push((job_id, Answer::Malformed { message }));
                }
            }
        }
        self.child.send(text);
    }

    /// Waits for lines until then, or until there are answers.
    fn wait(&mut self, until: Instant) {
        while self.answers.is_empty() && !self.flying.is_empty() {
            let patience = self.heard + self.limits.answer;
            match self.child.hear(until.min(patience)) {
                Heard::Line(line) => self.line(line),
                Heard::Nothing if Instant::now() >= patience => {
                    let told = self.child.kill();
                    let after = self.limits.answer.as_secs_f64();
                    self.lose(Loss::Timeout, format!("no answer within {after} s{told}"));
                }
                Heard::Nothing => return,
            }
        }
        // What has come meanwhile.
        while self.lost.is_none() && !self.answers.is_empty() {
            match self.child.hear(Instant::now()) {
                Heard::Line(line) => self.line(line),
                Heard::Nothing => return,
            }
        }
    }

    fn line(&mut self, line: Line) {
        self.heard = Instant::now();
        match line {
            Line::Whole(line) => self.answer(&line),
            Line::End => {
                let how = self.child.end();
                self.lose(Loss::Crash, format!("{} ended: {how}", self.program.name));
            }
            Line::Partial(start) => {
                let start = shown(&start);
                let how = self.child.end();
                self.lose(
                    Loss::Crash,
                    format!("{} ended within the line `{start}`: {how}", self.program.name),
                );
            }
            Line::TooLong(start) => {
                let start = shown(&start);
                self.distrust(format!("a line is longer than any answer: `{start}`"));
            }
        }
    }

    fn answer(&mut self, line: &[u8]) {
        let (id, reply) = match read_answer(line) {
            Ok((id, reply)) => (id, Ok(reply)),
            Err(wrong) => match wrong.id {
                Some(id) => (id, Err(wrong.message)),
                None => return self.distrust(wrong.message),
            },
        };
        let Some(flying) = self.flying.remove(&id) else {
            return self.unexpected(id);
        };
        self.done.insert(id, flying.job);
        let answer = match reply {
            Ok(Reply::Plain(answer)) => Ok(answer),
            Ok(Reply::Executed(found)) => flying
                .pending
                .collect(found)
                .map(|outputs| Answer::Executed { outputs }),
            Err(message) => Err(message),
        };
        self.answers.push((
            flying.job,
            answer.unwrap_or_else(|message| Answer::Malformed { message }),
        ));
    }

    /// An answer to nothing that is in flight. A second one that comes too late changes nothing.
    fn unexpected(&mut self, id: u64) {
        if id == 0 || id >= self.next {
            return self.distrust(format!("an answer to request {id}, which was never made"));
        }
        if let Some(job) = self.done.get(&id) {
            let message = "it was answered twice".to_owned();
            self.answers.push((*job, Answer::Malformed { message }));
        }
    }

    /// After an answer that belongs to no request, nothing else can be believed.
    fn distrust(&mut self, message: String) {
        let told = self.child.kill();
        self.lose(Loss::Protocol, format!("{message}{told}"));
    }

    /// Everything in flight is lost.
    fn lose(&mut self, how: Loss, message: String) {
        for (_, flying) in std::mem::take(&mut self.flying) {
            let message = message.clone();
            self.answers.push((flying.job, Answer::Lost { how, message }));
        }
        self.lost = Some((how, message));
    }
}

/// Waits for the program's first line.
fn greet(child: &mut Child, program: &Program, limits: &Limits) -> Result<(Info, Abilities), NoStart> {
    child.send(format!("{HELLO}\n").into_bytes());
    let line = match child.hear(Instant::now() + limits.start) {
        Heard::Line(Line::Whole(line)) => line,
        Heard::Line(Line::End) => return Err(no_hello(child)),
        Heard::Line(Line::Partial(start) | Line::TooLong(start)) => {
            let (start, told) = (shown(&start), child.kill());
            return Err(NoStart::This(format!("no `hello`, but `{start}`{told}")));
        }
        Heard::Nothing => {
            let after = limits.start.as_secs_f64();
            let reason = format!("{} said no `hello` within {after} s{}", program.name, child.kill());
            return Err(unavailable(reason, "start it by hand to see why"));
        }
    };
    match read_hello(&line) {
        Ok(Hello::Ready(info, abilities)) => Ok((info, abilities)),
        Ok(Hello::Unavailable(why)) => Err(NoStart::For(StartError::Unavailable(why))),
        Err(wrong) => Err(NoStart::This(format!("no `hello`: {wrong}{}", child.kill()))),
    }
}

fn unavailable(reason: String, remedy: &str) -> NoStart {
    let remedy = remedy.to_owned();
    NoStart::For(StartError::Unavailable(Unavailable { reason, remedy }))
}

fn no_hello(child: &mut Child) -> NoStart {
    if child.exit_code() == Some(USAGE) {
        let told = child.errors();
        let told = told.trim();
        let told = told.strip_prefix("error: ").unwrap_or(told);
        return NoStart::For(StartError::Usage(told.to_owned()));
    }
    NoStart::This(format!("it ended: {}", child.end()))
}

fn no_answer() -> Answer {
    let message = "no answer came".to_owned();
    Answer::Malformed { message }
}

impl Session for ProcessSession {
    fn create(&mut self, job: &Job) -> Answer {
        let only = self.create_all(std::slice::from_ref(job)).pop();
        only.unwrap_or_else(no_answer)
    }

    /// All requests travel before the first answer is waited for.
    fn create_all(&mut self, jobs: &[Job]) -> Vec<Answer> {
        let mut others = std::mem::take(&mut self.answers);
        self.send(Mode::Create, jobs.to_vec());
        let mut found: HashMap<JobId, Answer> = HashMap::with_capacity(jobs.len());
        let is_asked: HashSet<JobId> = jobs.iter().map(|job| job.id).collect();
        while found.len() < is_asked.len() {
            self.wait(Instant::now() + self.limits.answer);
            let came = self.answers.len();
            for (id, answer) in self.answers.drain(..) {
                match is_asked.contains(&id) {
                    // A second answer makes the first one worthless.
                    true => drop(found.insert(id, answer)),
                    false => others.push((id, answer)),
                }
            }
            if came == 0 && self.flying.is_empty() {
                break;
            }
        }
        self.answers = others;
        let answers = jobs.iter().map(|job| found.remove(&job.id).unwrap_or_else(no_answer));
        answers.collect()
    }

    fn submit(&mut self, jobs: Vec<Job>) {
        self.send(Mode::Execute, jobs);
    }

    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)> {
        self.wait(Instant::now() + timeout);
        std::mem::take(&mut self.answers)
    }

    fn reset(&mut self) -> Result<(), Unavailable> {
        let fresh = open(&self.program, &self.catalog, &self.limits).map_err(|error| match error {
            StartError::Unavailable(why) => why,
            StartError::Usage(reason) => Unavailable {
                reason,
                remedy: "it took these arguments before".to_owned(),
            },
        })?;
        *self = fresh;
        Ok(())
    }
}

impl Drop for ProcessSession {
    fn drop(&mut self) {
        if self.lost.is_none() {
            self.child.send(format!("{BYE}\n").into_bytes());
            self.child.exit_code();
        }
    }
}
