//! A session in another process.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use dml_ops::{Answer, Info, Job, JobId, Loss, Session, Unavailable};
use dml_spec::Catalog;

use super::{Limits, Program, STARTS, StartError, TAKEN_BEFORE, child::Child};
use crate::protocol::{
    Abilities, BYE, HELLO, Hello, Line, Pending, Refused, Reply, Scratch, citing, read_answer, read_hello,
    write_request,
};
use dml_case::{
    case::Mode,
    names::{NOT_EXPRESSIBLE, OWN_SKIPS},
};

/// Exit code by which a program says that its arguments are wrong.
const USAGE: i32 = 2;

/// Opens a session; a program that dies at its start is given further chances.
///
/// # Errors
/// If it cannot be opened.
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
    mode: Mode,
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
    /// Jobs of all requests of this process; the first one has the number 1.
    asked: Vec<JobId>,
    /// Requests that were made since nothing was in flight are those after so many.
    since: usize,
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
            asked: Vec::new(),
            since: 0,
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
            Some(Line::End) => Ok(()),
            None => Err(format!("it still runs {} s after `bye`", patience.as_secs_f64())),
            Some(Line::Whole(line) | Line::Partial(line) | Line::TooLong(line)) => {
                Err(citing("unexpected output after the last answer", &line))
            }
        }
    }

    /// Sends jobs, all in one go.
    fn send(&mut self, mode: Mode, jobs: Vec<Job>) {
        if self.flying.is_empty() {
            self.heard = Instant::now();
            self.since = self.asked.len();
        }
        let mut text = Vec::new();
        for job in jobs {
            let (id, job_id) = (self.asked.len() as u64 + 1, job.id);
            if mode == Mode::Create && !self.abilities.create {
                let reason = dml_case::names::EXECUTE_ONLY.to_owned();
                self.answers.push((job_id, Answer::Skipped { reason }));
                continue;
            }
            if !job.aliases.is_empty() && !self.abilities.in_place {
                let reason = dml_case::names::IN_PLACE.to_owned();
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
                    self.asked.push(job_id);
                    self.child.expect(pending.longest_answer());
                    let job = job_id;
                    self.flying.insert(id, Flying { job, mode, pending });
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
                Some(line) => self.line(line),
                None if Instant::now() >= patience => self.give_up(),
                None => return,
            }
        }
        // What has come meanwhile.
        while self.lost.is_none() && !self.answers.is_empty() {
            match self.child.hear(Instant::now()) {
                Some(line) => self.line(line),
                None => return,
            }
        }
    }

    /// Waits until then for unrequested messages.
    fn overhear(&mut self, until: Instant) {
        while self.lost.is_none() {
            match self.child.hear(until) {
                None => return,
                // Whether it ended matters when it is asked for something.
                Some(line @ (Line::End | Line::Partial(_))) => return self.child.unhear(line),
                Some(line) => self.line(line),
            }
        }
    }

    /// The time is up.
    fn give_up(&mut self) {
        let (start, text) = (self.child.unfinished(), self.child.kill());
        let after = self.limits.answer.as_secs_f64();
        match start {
            None => self.lose(Loss::Timeout, format!("no answer within {after} s{text}"), &[]),
            Some(start) => {
                let message = citing(&format!("a line has no end within {after} s"), &start);
                self.lose(Loss::Protocol, message + &text, &[]);
            }
        }
    }

    fn line(&mut self, line: Line) {
        self.heard = Instant::now();
        match line {
            Line::Whole(line) => self.answer(&line),
            Line::End => {
                let how = self.child.end().how;
                self.lose(Loss::Crash, format!("{} ended: {how}", self.program.name), &[]);
            }
            Line::Partial(start) => {
                let ended = self.child.end();
                let message = format!("{} ended within a line: {}", self.program.name, ended.how);
                // Who ends in order had time to end the line.
                let how = if ended.in_order { Loss::Protocol } else { Loss::Crash };
                self.lose(how, citing(&message, &start), &[]);
            }
            Line::TooLong(start) => self.distrust(citing("a line is longer than any answer", &start), None),
        }
    }

    fn answer(&mut self, line: &[u8]) {
        let (id, reply) = match read_answer(line) {
            Ok((id, reply)) => (id, Ok(reply)),
            Err(wrong) => match wrong.id {
                Some(id) => (id, Err(wrong.message)),
                None => return self.distrust(citing(&wrong.message, line), None),
            },
        };
        let Some(flying) = self.flying.remove(&id) else {
            return self.unexpected(id, line);
        };
        let asked = match flying.mode {
            Mode::Create => "create",
            Mode::Execute => "execute",
        };
        let answer = match (reply, flying.mode) {
            (Ok(Reply::Plain(Answer::Created)), Mode::Execute) => Err(format!("`created` answers `{asked}`")),
            (Ok(Reply::Executed(_)), Mode::Create) => Err(format!("`executed` answers `{asked}`")),
            (Ok(Reply::Plain(Answer::Skipped { reason })), _) => Ok(self.skipped(reason)),
            (Ok(Reply::Plain(answer)), _) => Ok(answer),
            (Ok(Reply::Executed(found)), Mode::Execute) => {
                let outputs = flying.pending.collect(found);
                outputs.map(|outputs| Answer::Executed { outputs })
            }
            (Err(message), _) => Err(message),
        };
        let malformed = |message: String| Answer::Malformed {
            message: citing(&message, line),
        };
        self.answers.push((flying.job, answer.unwrap_or_else(malformed)));
    }

    /// A skip. What the harness alone decides no program can say in its own words.
    fn skipped(&self, reason: String) -> Answer {
        let kind = reason.split_once(": ").map_or(reason.as_str(), |(kind, _)| kind);
        let is_ours = OWN_SKIPS.contains(&reason.as_str()) || kind == dml_case::names::MEMORY;
        let is_said = !self.program.own && is_ours;
        Answer::Skipped {
            reason: if is_said {
                format!("program says: {reason}")
            } else {
                reason
            },
        }
    }

    /// An answer to nothing that is in flight. Answers to other requests may have been mixed up as well.
    fn unexpected(&mut self, id: u64, line: &[u8]) {
        let place = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        let (message, job) = match place.and_then(|place| self.asked.get(place)) {
            Some(job) => (format!("request {id} was answered before"), Some(*job)),
            None => (format!("an answer to request {id}, which was never made"), None),
        };
        self.distrust(citing(&message, line), Some(job));
    }

    /// After an answer that belongs to no request, nothing else can be believed: nor what was answered since nothing
    /// was in flight, if answers and requests do not fit together. `mixed_up` holds the job that was answered already,
    /// if it is about one; it is the first that is lost.
    fn distrust(&mut self, message: String, mixed_up: Option<Option<JobId>>) {
        let text = self.child.kill();
        let mut doubtful: Vec<JobId> = Vec::new();
        if mixed_up.is_some() || self.flying.is_empty() {
            let known = mixed_up.flatten();
            doubtful.extend(known);
            doubtful.extend(self.asked[self.since..].iter().filter(|job| Some(**job) != known));
            self.flying.clear();
        }
        self.lose(Loss::Protocol, format!("{message}{text}"), &doubtful);
    }

    /// Everything in flight is lost, and so are answers that came already and are in doubt.
    fn lose(&mut self, how: Loss, message: String, doubtful: &[JobId]) {
        let flying = std::mem::take(&mut self.flying).into_values().map(|flying| flying.job);
        for job in doubtful.iter().copied().chain(flying) {
            let message = message.clone();
            self.answers.push((job, Answer::Lost { how, message }));
        }
        self.lost = Some((how, message));
    }
}

/// Waits for the program's first line.
fn greet(child: &mut Child, program: &Program, limits: &Limits) -> Result<(Info, Abilities), NoStart> {
    child.send(format!("{HELLO}\n").into_bytes());
    let line = match child.hear(Instant::now() + limits.start) {
        Some(Line::Whole(line)) => line,
        Some(Line::End) => return Err(no_hello(child)),
        Some(Line::Partial(start) | Line::TooLong(start)) => {
            let message = child.kill();
            return Err(NoStart::This(citing("no `hello`", &start) + &message));
        }
        None => {
            let after = limits.start.as_secs_f64();
            let start = child.unfinished();
            let started = start.map_or_else(String::new, |start| citing(", but a line without end", &start));
            let reason = format!(
                "{} did not answer `hello` within {after} s{started}{}",
                program.name,
                child.kill()
            );
            return Err(unavailable(reason, "start it by hand to see why"));
        }
    };
    match read_hello(&line) {
        Ok(Hello::Ready(info, abilities)) => Ok((info, abilities)),
        Ok(Hello::Unavailable(why)) => Err(NoStart::For(StartError::Unavailable(why))),
        Err(wrong) => {
            let reason = citing(&format!("{} did not answer `hello`: {wrong}", program.name), &line);
            let remedy = "docs/protocol.md describes the messages";
            Err(unavailable(reason + &child.kill(), remedy))
        }
    }
}

fn unavailable(reason: String, remedy: &str) -> NoStart {
    let remedy = remedy.to_owned();
    NoStart::For(StartError::Unavailable(Unavailable { reason, remedy }))
}

fn no_hello(child: &mut Child) -> NoStart {
    if child.exit_code() == Some(USAGE) {
        let message = child.errors();
        let message = message.trim();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        return NoStart::For(StartError::Usage(message.to_owned()));
    }
    NoStart::This(format!("it ended: {}", child.end().how))
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

    /// Reads unrequested messages if nothing is in flight.
    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)> {
        let until = Instant::now() + timeout;
        if self.flying.is_empty() && self.answers.is_empty() {
            self.overhear(until);
        } else {
            self.wait(until);
        }
        std::mem::take(&mut self.answers)
    }

    fn reset(&mut self) -> Result<(), Unavailable> {
        *self = open(&self.program, &self.catalog, &self.limits).map_err(|error| error.unavailable(TAKEN_BEFORE))?;
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
