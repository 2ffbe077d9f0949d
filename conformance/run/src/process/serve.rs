//! The other side: a backend of this process, asked over a pair of streams.

use std::{
    collections::HashMap,
    io::{self, BufReader, Read, Write},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

use dml_ops::{Answer, Backend, Job, JobId, Session, Unavailable};
use dml_spec::Catalog;

use crate::protocol::{
    Abilities, Line, Malformed, Place, Request, citing, read_line, read_request, write_answer, write_hello,
    write_unavailable,
};

/// Longest line that is read.
const LONGEST: u64 = 1 << 30;

/// Jobs that are handed to the backend at a time.
const JOBS: usize = 512;

/// How long to wait for another job before those that came are handed over.
const GATHER: Duration = Duration::from_micros(100);

/// How long to wait for the backend before looking for further requests.
const PATIENCE: Duration = Duration::from_millis(20);

/// Answers requests until there are no more. `at_end` runs on another thread when the input ends, so that a backend
/// that hangs can be dealt with.
///
/// # Errors
/// If the streams break, or the other side does not keep to the protocol.
pub fn serve(
    catalog: &Catalog,
    backend: &dyn Backend,
    input: impl Read + Send + 'static,
    mut output: impl Write,
    at_end: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let (sender, lines) = mpsc::sync_channel(JOBS);
    thread::spawn(move || {
        let mut input = BufReader::with_capacity(1 << 16, input);
        loop {
            let line = read_line(&mut input, || LONGEST).unwrap_or(Line::End);
            let last = !matches!(line, Line::Whole(_));
            if sender.send(line).is_err() {
                return;
            }
            if last {
                return at_end();
            }
        }
    });
    let Some(Request::Hello) = next(&lines, catalog)? else {
        return Err(io::Error::other("expected a `hello`"));
    };
    let session = match backend.open() {
        Ok(session) => session,
        Err(why) => return say_unavailable(&mut output, &why),
    };
    writeln!(output, "{}", write_hello(&backend.info(), Abilities::ALL))?;
    output.flush()?;
    let served = Served {
        catalog,
        lines,
        output,
        session,
        places: HashMap::new(),
    };
    served.run()
}

fn say_unavailable(output: &mut impl Write, why: &Unavailable) -> io::Result<()> {
    writeln!(output, "{}", write_unavailable(why))?;
    output.flush()
}

/// The next request; `None` at the end.
fn next(lines: &Receiver<Line>, catalog: &Catalog) -> io::Result<Option<Request>> {
    match lines.recv() {
        Ok(Line::Whole(line)) => read_request(catalog, &line)
            .map(Some)
            .map_err(|wrong| unread(&wrong, &line)),
        _ => Ok(None),
    }
}

fn unread(wrong: &Malformed, line: &[u8]) -> io::Error {
    io::Error::other(citing(&wrong.message, line))
}

/// A session that is being asked.
struct Served<'a, W> {
    catalog: &'a Catalog,
    lines: Receiver<Line>,
    output: W,
    session: Box<dyn Session>,
    /// Requests in flight, and where their outputs go.
    places: HashMap<JobId, Vec<Place>>,
}

impl<W: Write> Served<'_, W> {
    fn run(mut self) -> io::Result<()> {
        loop {
            let mut jobs = Vec::new();
            let more_comes = self.gather(&mut jobs)?;
            if !jobs.is_empty() {
                self.session.submit(jobs);
            }
            if !more_comes {
                return Ok(());
            }
            self.collect()?;
        }
    }

    /// Reads requests; whether more may come. Waits for one if nothing is in flight.
    fn gather(&mut self, jobs: &mut Vec<Job>) -> io::Result<bool> {
        while jobs.len() < JOBS {
            let line = if self.places.is_empty() {
                self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else if jobs.is_empty() {
                self.lines.recv_timeout(Duration::ZERO)
            } else {
                self.lines.recv_timeout(GATHER)
            };
            let line = match line {
                Ok(Line::Whole(line)) => line,
                Err(RecvTimeoutError::Timeout) => return Ok(true),
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return Ok(false),
            };
            match read_request(self.catalog, &line) {
                Ok(Request::Hello) => return Err(io::Error::other("a second `hello`")),
                Ok(Request::Bye) => return Ok(false),
                Ok(Request::Create(job)) => {
                    let answer = self.session.create(&job);
                    self.answer(job.id, &answer, &[], false)?;
                    self.output.flush()?;
                }
                Ok(Request::Execute(job, places)) => {
                    self.places.insert(job.id, places);
                    jobs.push(job);
                }
                Err(Malformed { id: Some(id), message }) => {
                    self.answer(id, &Answer::Error { message }, &[], false)?;
                    self.output.flush()?;
                }
                Err(wrong) => return Err(unread(&wrong, &line)),
            }
        }
        Ok(true)
    }

    /// Hands out the answers that are there.
    fn collect(&mut self) -> io::Result<()> {
        if self.places.is_empty() {
            return Ok(());
        }
        let asked = std::time::Instant::now();
        let answers = self.session.poll(PATIENCE);
        if answers.is_empty() && asked.elapsed() < PATIENCE {
            let forgotten = Answer::Error {
                message: "no answer came".to_owned(),
            };
            for (id, _) in std::mem::take(&mut self.places) {
                self.answer(id, &forgotten, &[], false)?;
            }
        }
        for (id, answer) in answers {
            if let Some(places) = self.places.remove(&id) {
                self.answer(id, &answer, &places, true)?;
            }
        }
        self.output.flush()
    }

    fn answer(&mut self, id: JobId, answer: &Answer, places: &[Place], guards: bool) -> io::Result<()> {
        let line = write_answer(id, answer, places, guards);
        self.output.write_all(line.as_bytes())?;
        self.output.write_all(b"\n")
    }
}
