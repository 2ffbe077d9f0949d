//! A child process with its streams: lines go in and come out, and it ends when it is dropped.

use std::{
    collections::VecDeque,
    io::{self, BufReader, Write},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use process_wrap::std::{ChildWrapper, CommandWrap};

use super::{Limits, Program, Trace, log::Log, trace::ProcessTrace, unfinished::Unfinished};
use crate::protocol::{Line, read_line};

/// Longest line that comes without being asked for.
const SHORT: u64 = 1 << 20;

/// Bytes that are read at a time.
const READ: usize = 1 << 18;

/// How long a process may take to end by itself once its input ends.
const LEAVE: Duration = Duration::from_millis(500);

/// How a program ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// By itself, and without an exit code that says otherwise.
    pub in_order: bool,
    /// In words, with the last it wrote to its standard error.
    pub how: String,
}

/// A running program.
#[derive(Debug)]
pub(super) struct Child {
    process: Box<dyn ChildWrapper>,
    /// Gone once the input was ended.
    input: Option<Sender<Vec<u8>>>,
    /// Lines that came together, and those of them that were heard of already.
    lines: Receiver<Vec<Line>>,
    waiting: VecDeque<Line>,
    longest: Arc<AtomicU64>,
    unfinished: Unfinished,
    log: Log,
    log_ends: Option<thread::JoinHandle<()>>,
    trace: Option<ProcessTrace>,
}

impl Child {
    /// Starts the program, in a process group of its own, so that its children end with it.
    ///
    /// # Errors
    /// If it does not start.
    pub(super) fn spawn(program: &Program, limits: &Limits) -> io::Result<Self> {
        let mut command = Command::new(&program.path);
        command
            .args(&program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(process_wrap::std::JobObject);
        let mut process = command.spawn()?;
        if let Err(error) = confine(process.id(), limits.memory) {
            let _ = process.kill();
            return Err(error);
        }
        if let Some(started) = &limits.started {
            started.store(process.id(), Ordering::Relaxed);
        }
        let lost = || io::Error::other("the process has no standard streams");
        let mut stdin = process.stdin().take().ok_or_else(lost)?;
        let stdout = process.stdout().take().ok_or_else(lost)?;
        let stderr = process.stderr().take().ok_or_else(lost)?;
        // A process that does not read must not keep the harness waiting, so another thread writes.
        let (input, texts) = mpsc::channel::<Vec<u8>>();
        thread::spawn(move || {
            while let Ok(text) = texts.recv() {
                if stdin.write_all(&text).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (longest, log) = (Arc::new(AtomicU64::new(SHORT)), Log::default());
        let (limit, follower) = (Arc::clone(&longest), log.clone());
        let (sender, lines) = mpsc::channel();
        let trace = limits.trace.as_ref().map(Trace::of_process);
        let heard = trace.clone();
        let unfinished = Unfinished::default();
        let stdout = BufReader::with_capacity(READ, unfinished.of(stdout));
        thread::spawn(move || listen(stdout, &limit, &sender, heard.as_ref()));
        let log_ends = Some(thread::spawn(move || follower.follow(stderr)));
        Ok(Self {
            process,
            input: Some(input),
            lines,
            waiting: VecDeque::new(),
            longest,
            unfinished,
            log,
            log_ends,
            trace,
        })
    }

    /// Lets a line of this many bytes come.
    pub(super) fn expect(&self, bytes: u64) {
        self.longest.fetch_max(bytes.saturating_add(SHORT), Ordering::Relaxed);
    }

    /// Sends lines. Whether they arrive shows in what comes back.
    pub(super) fn send(&self, text: Vec<u8>) {
        if let Some(trace) = &self.trace {
            trace.sent(&text);
        }
        if let Some(input) = &self.input {
            let _ = input.send(text);
        }
    }

    /// The next line, if it comes until then.
    pub(super) fn hear(&mut self, until: Instant) -> Option<Line> {
        if let Some(line) = self.waiting.pop_front() {
            return Some(line);
        }
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(lines) => {
                self.waiting = lines.into();
                self.waiting.pop_front()
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Line::End),
        }
    }

    /// Puts a line back, so that it is the next one again.
    pub(super) fn unhear(&mut self, line: Line) {
        self.waiting.push_front(line);
    }

    /// What came of a line that has no end yet.
    pub(super) fn unfinished(&self) -> Option<Vec<u8>> {
        Some(self.unfinished.start()).filter(|start| !start.is_empty())
    }

    /// Ends the process: how it ended, with the last it wrote to its standard error.
    pub(super) fn end(&mut self) -> Ended {
        let status = self.leave();
        let (in_order, status) = match &status {
            Some(status) => (status.success(), status.to_string()),
            None => {
                let _ = self.process.kill();
                (false, "it had to be killed".to_owned())
            }
        };
        let how = format!("{status}{}", self.take_errors());
        self.note(&how);
        Ended { in_order, how }
    }

    /// The exit code of a process that ends by itself.
    pub(super) fn exit_code(&mut self) -> Option<i32> {
        self.leave()?.code()
    }

    /// What it wrote to its standard error.
    pub(super) fn errors(&mut self) -> String {
        self.take_errors();
        self.log.text()
    }

    /// Kills the process, with all its children; what it wrote to its standard error.
    pub(super) fn kill(&mut self) -> String {
        let _ = self.process.kill();
        let errors = self.take_errors();
        self.note(&format!("killed{errors}"));
        errors
    }

    fn note(&self, how: &str) {
        if let Some(trace) = &self.trace {
            trace.ended(how);
        }
    }

    fn take_errors(&mut self) -> String {
        // The stream ends with the process, unless a child of it lives on.
        if let Some(ends) = self.log_ends.take() {
            let until = Instant::now() + LEAVE;
            while !ends.is_finished() && Instant::now() < until {
                thread::sleep(Duration::from_millis(1));
            }
        }
        self.log.tail()
    }

    /// Ends the input, and waits a while for the process to end.
    fn leave(&mut self) -> Option<std::process::ExitStatus> {
        self.input = None;
        let until = Instant::now() + LEAVE;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                _ => return None,
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.kill();
    }
}

/// Limits the address space of a process that has just started.
#[cfg(target_os = "linux")]
fn confine(process: u32, memory: Option<u64>) -> io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let Some(bytes) = memory else { return Ok(()) };
    let limit = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    let process = process.ok_or_else(|| io::Error::other("the process has no id"))?;
    prlimit(Some(process), Resource::As, limit)?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn confine(_: u32, memory: Option<u64>) -> io::Result<()> {
    match memory {
        None => Ok(()),
        Some(_) => Err(io::Error::other("a memory limit can only be set on Linux")),
    }
}

fn listen(
    mut stream: BufReader<impl io::Read>,
    limit: &AtomicU64,
    sender: &Sender<Vec<Line>>,
    trace: Option<&ProcessTrace>,
) {
    let mut last = false;
    while !last {
        let mut lines = Vec::new();
        // Lines that came together are handed over together: waking the other thread costs more than reading one.
        while !last && (lines.is_empty() || stream.buffer().contains(&b'\n')) {
            let line = read_line(&mut stream, || limit.load(Ordering::Relaxed)).unwrap_or(Line::End);
            if let (Some(trace), Line::Whole(text) | Line::Partial(text) | Line::TooLong(text)) = (trace, &line) {
                trace.came(text);
            }
            last = !matches!(line, Line::Whole(_));
            lines.push(line);
        }
        if sender.send(lines).is_err() {
            return;
        }
    }
}
