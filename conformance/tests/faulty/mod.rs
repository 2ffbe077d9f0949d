//! The CPU backend as a worker, with faults, and the `main` of tests that start themselves as one.

#[path = "../../../spec/tests/support/needs.rs"]
mod needs;

use std::{
    collections::VecDeque,
    env,
    fs::OpenOptions,
    io::{self, Write},
    num::NonZero,
    process::{self, ExitCode},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use dml_conformance::{backends, spec};
use dml_ops::{Answer, Backend, Info, Job, JobId, Rejection, Session, Unavailable, Value};
use dml_run::process::serve;
use libtest_mimic::{Arguments, Trial};

/// First argument of this program as a worker; the second one is the fault, `NAME` or `NAME:WHERE`.
pub(crate) const WORKER: &str = "--worker-with-fault";

/// Functions, each with its name.
macro_rules! tests {
    ($($test:ident),* $(,)?) => { vec![$((stringify!($test), $test as fn())),*] };
}
pub(crate) use tests;

/// A function with its name as a test.
pub(crate) fn trial((name, test): (&str, impl FnOnce() + Send + 'static)) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

/// A function with its name as a test that needs what a machine may lack; the reason for a skip stands beside its name.
#[allow(dead_code, reason = "not every program has such a test")]
pub(crate) fn trial_that_needs<T>(needed: &Result<T, String>, test: (&str, impl FnOnce() + Send + 'static)) -> Trial {
    match needs::missing(needed) {
        Some(why) => trial(test).with_kind(why).with_ignored_flag(true),
        None => trial(test),
    }
}

/// Many of the tests wait for programs that hang: more of them run at once than there are processors.
fn arguments() -> Arguments {
    let mut arguments = Arguments::from_args();
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    arguments.test_threads.get_or_insert(2 * processors);
    arguments
}

/// Runs tests that start this program again, as a worker.
pub(crate) fn main(tests: impl FnOnce() -> Vec<Trial>) -> ExitCode {
    let first: Vec<String> = env::args().skip(1).take(2).collect();
    match &first[..] {
        [word, fault] if word == WORKER => worker(fault),
        _ => libtest_mimic::run(&arguments(), tests()).exit_code(),
    }
}

/// Serves until the input ends.
fn worker(fault: &str) -> ExitCode {
    let (name, place) = fault.split_once(':').unwrap_or((fault, ""));
    match name {
        "die-at-start" => return last_words(1),
        "usage" => {
            say("error: wrong arguments");
            return ExitCode::from(2);
        }
        "mute" => hang(),
        "greet-wrongly" => raw(b"Hello!\n"),
        _ => {}
    }
    let guilty = Guilty::default();
    let backend = Faulty {
        inner: inner(name, place),
        name: name.to_owned(),
        place: place.to_owned(),
        guilty: Arc::clone(&guilty),
    };
    let output = Tampered {
        fault: name.to_owned(),
        guilty,
        line: Vec::new(),
    };
    match serve(spec::catalog(), &backend, io::stdin(), output, || {}) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

fn inner(name: &str, place: &str) -> Box<dyn Backend> {
    #[cfg(feature = "wgpu")]
    if name == "wgpu-once" {
        let backend = dml_wgpu::Wgpu::default();
        return Box::new(if first(place) {
            backend.losing_its_device_at(1)
        } else {
            backend
        });
    }
    let _ = (name, place);
    backends::find("cpu").unwrap()
}

/// Numbers of the requests that are to be answered wrongly.
type Guilty = Arc<Mutex<Vec<JobId>>>;

struct Faulty {
    inner: Box<dyn Backend>,
    name: String,
    place: String,
    guilty: Guilty,
}

impl Backend for Faulty {
    fn info(&self) -> Info {
        let mut info = self.inner.info();
        if self.name == "no-operators" {
            info.operators.clear();
        }
        info
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        if self.name == "unavailable" {
            return Err(Unavailable {
                reason: "no device".to_owned(),
                remedy: "plug one in".to_owned(),
            });
        }
        Ok(Box::new(FaultySession {
            inner: self.inner.open()?,
            name: self.name.clone(),
            place: self.place.clone(),
            guilty: Arc::clone(&self.guilty),
            waiting: VecDeque::new(),
            seen_k4: false,
        }))
    }
}

struct FaultySession {
    inner: Box<dyn Session>,
    name: String,
    place: String,
    guilty: Guilty,
    waiting: VecDeque<Job>,
    seen_k4: bool,
}

impl FaultySession {
    /// Whether a job is of the place, or of one of several.
    fn is_guilty(&self, job: &Job) -> bool {
        let is_of = |place: &str| match place.split_once('=') {
            Some(("k", k)) => has_k(job, k.parse().unwrap()),
            Some(("type", name)) => has_type(job, name),
            Some(("dimensions", n)) => has_dimensions(job, n.parse().unwrap()),
            _ if place == "strides" => has_strides(job),
            _ => true,
        };
        self.place.split('+').any(is_of)
    }

    /// Bad in four ways: dies when K = 7, hangs when Axis = 2 and the type is INT16, answers garbage for UINT8, and dies
    /// on any other K = 5 once it has seen K = 4.
    fn bad(&self, job: &Job) {
        if has_k(job, 7) {
            abort();
        }
        if has_type(job, "INT16") && job.descriptor.fields.get(3) == Some(&Value::UInt(2)) {
            hang();
        }
        if has_type(job, "UINT8") {
            raw(b"\x1b[2J\xff\x00 %s {}\n");
        } else if self.seen_k4 && has_k(job, 5) {
            abort();
        }
    }

    /// Does what it does to a job; the answer where it gives one.
    fn fault(&mut self, job: &Job) -> Option<Answer> {
        match self.name.as_str() {
            "bad" => self.bad(job),
            "skip-all" => return Some(skipped("tired")),
            "skip-as" => return Some(skipped(&self.place)),
            "misorder-nan" => return first_ones(job),
            "skip-rudely" => return Some(skipped("\x1b[2J\u{202e}\nrude\u{7}")),
            "abort" => abort(),
            "abort-behind" if self.seen_k4 => abort(),
            "hang" => hang(),
            "print" => raw(b"just looking around\n"),
            "unknown-id" => raw(b"{\"type\":\"created\",\"id\":999999}\n"),
            "endless" => raw(&vec![b'x'; 8 << 20]),
            "partial" => {
                raw(b"{\"type\":\"exe");
                process::exit(0);
            }
            "partial-hang" => {
                raw(b"{\"type\":\"exe");
                hang();
            }
            "partial-abort" => {
                raw(b"{\"type\":\"exe");
                abort();
            }
            "abort-ever-since" => {
                if has_k(job, 5) {
                    first(&self.place);
                }
                if std::path::Path::new(&self.place).exists() {
                    abort();
                }
            }
            "refuse" => return Some(Answer::Rejected(Rejection::default())),
            "lose" => {
                let message = "gone".to_owned();
                return Some(Answer::DeviceLost { message });
            }
            "abort-once" if first(&self.place) => abort(),
            "wait-once" => {
                let file = OpenOptions::new().write(true).create_new(true).open(&self.place);
                if let Ok(mut file) = file {
                    writeln!(file, "{}", process::id()).unwrap();
                    hang();
                }
            }
            "wrong-once" if first(&self.place) => return Some(wrong(job.clone())),
            _ => self.guilty.lock().unwrap().push(job.id),
        }
        None
    }
}

impl Session for FaultySession {
    fn create(&mut self, job: &Job) -> Answer {
        if self.name == "abort-create" && self.is_guilty(job) {
            abort();
        }
        match self.name.as_str() {
            "skip-all" => skipped("tired"),
            "accept-all" => Answer::Created,
            "refuse" if self.is_guilty(job) => Answer::Rejected(Rejection::default()),
            _ => self.inner.create(job),
        }
    }

    fn submit(&mut self, jobs: Vec<Job>) {
        if matches!(self.name.as_str(), "wgpu-once") {
            return self.inner.submit(jobs);
        }
        self.waiting.extend(jobs);
    }

    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)> {
        let next = match self.name.as_str() {
            "backwards" => self.waiting.pop_back(),
            _ => self.waiting.pop_front(),
        };
        if let Some(job) = next {
            // Others come to be in flight as well.
            thread::sleep(Duration::from_millis(1));
            if let Some(answer) = self.is_guilty(&job).then(|| self.fault(&job)).flatten() {
                return vec![(job.id, answer)];
            }
            self.seen_k4 |= has_k(&job, 4);
            let is_flipped = self.name == "flip" && self.is_guilty(&job);
            self.inner.submit(vec![if is_flipped { flipped(job) } else { job }]);
        }
        self.inner.poll(timeout)
    }
}

fn has_type(job: &Job, name: &str) -> bool {
    let types = &spec::catalog().data_types;
    let value = types.iter().find(|t| t.name == name).map(|t| t.value);
    matches!(job.descriptor.fields.first(), Some(Value::Tensor(Some(t))) if Some(t.data_type) == value)
}

/// Whether the last tensor has so many dimensions.
fn has_dimensions(job: &Job, n: u32) -> bool {
    let mut last = job.descriptor.fields.iter().rev().filter_map(|value| match value {
        Value::Tensor(Some(tensor)) => Some(tensor),
        _ => None,
    });
    last.next().is_some_and(|tensor| tensor.dimension_count() == n)
}

fn has_strides(job: &Job) -> bool {
    matches!(job.descriptor.fields.first(), Some(Value::Tensor(Some(tensor))) if tensor.strides.is_some())
}

fn has_k(job: &Job, k: u32) -> bool {
    job.descriptor.fields.get(4) == Some(&Value::UInt(k))
}

fn skipped(reason: &str) -> Answer {
    let reason = reason.to_owned();
    Answer::Skipped { reason }
}

/// The first K elements as they stand, where there is one sequence of FLOAT32 that holds NaN.
fn first_ones(job: &Job) -> Option<Answer> {
    let Some(Value::Tensor(Some(tensor))) = job.descriptor.fields.first() else {
        return None;
    };
    let (input, mut outputs) = (job.inputs.first()?.tensor(), job.outputs.clone());
    let is_one = tensor.sizes().iter().filter(|size| **size > 1).count() == 1 && tensor.strides.is_none();
    let mut numbers = input
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    if !is_one || !has_type(job, "FLOAT32") || !numbers.any(f32::is_nan) {
        return None;
    }
    let [values, indices] = &mut outputs[..] else {
        return None;
    };
    let length = values.tensor().len();
    values.tensor_mut().copy_from_slice(input.get(..length)?);
    let width = indices.tensor().len() / (length / 4);
    for (at, index) in indices.tensor_mut().chunks_exact_mut(width).enumerate() {
        index.copy_from_slice(&at.to_le_bytes()[..width]);
    }
    Some(Answer::Executed { outputs })
}

/// The same in the other direction.
fn flipped(mut job: Job) -> Job {
    let mut descriptor = (*job.descriptor).clone();
    if let Some(Value::UInt(direction)) = descriptor.fields.get_mut(5) {
        *direction = 1 - (*direction).min(1);
    }
    job.descriptor = Arc::new(descriptor);
    job
}

/// Outputs that nobody filled.
fn wrong(job: Job) -> Answer {
    Answer::Executed { outputs: job.outputs }
}

/// Standard output, where answers of guilty requests are changed.
struct Tampered {
    fault: String,
    guilty: Guilty,
    line: Vec<u8>,
}

impl Write for Tampered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            self.line.push(*byte);
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                let guilty = self.guilty.lock().unwrap().clone();
                let line = tamper(&self.fault, &guilty, line);
                raw(&line);
                if self.fault == "twice-late" && is_about(&guilty, &line) {
                    thread::sleep(Duration::from_millis(1));
                    raw(&line);
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn is_about(guilty: &[JobId], line: &[u8]) -> bool {
    let message: serde_json::Value = serde_json::from_slice(line).unwrap();
    message["id"].as_u64().is_some_and(|id| guilty.contains(&id))
}

fn tamper(fault: &str, guilty: &[JobId], line: Vec<u8>) -> Vec<u8> {
    let mut message: serde_json::Value = serde_json::from_slice(&line).unwrap();
    let is_hello = message["type"] == "hello";
    if is_hello && fault == "protocol-2" {
        message["protocol"] = 2.into();
    } else if is_hello && fault == "no-abilities" {
        message["can"] = Vec::<String>::new().into();
    } else if is_hello && fault == "no-files" {
        message["can"] = vec!["create", "execute"].into();
    } else if is_hello || message["id"].as_u64().is_none_or(|id| !guilty.contains(&id)) {
        return line;
    }
    let outputs = message.get_mut("outputs").and_then(serde_json::Value::as_object_mut);
    match (fault, outputs) {
        ("short", Some(outputs)) => *outputs.values_mut().next().unwrap() = "AAAA".into(),
        ("rename", Some(outputs)) => {
            let data = outputs.remove("OutputIndexTensor").unwrap();
            outputs.insert("IndexTensor".to_owned(), data);
        }
        ("extra", Some(outputs)) => {
            outputs.insert("Another".to_owned(), "AAAA".into());
        }
        ("no-base64", Some(outputs)) => *outputs.values_mut().next().unwrap() = "????".into(),
        ("early", _) => message["id"] = (message["id"].as_u64().unwrap() + 1).into(),
        ("id-string", _) => message["id"] = message["id"].to_string().into(),
        ("id-null", _) => message["id"] = serde_json::Value::Null,
        ("id-negative", _) => message["id"] = (-1).into(),
        ("id-missing", _) => drop(message.as_object_mut().unwrap().remove("id")),
        ("created", _) => message = serde_json::json!({"type": "created", "id": message["id"]}),
        ("twice", _) => return [line.clone(), line].concat(),
        ("unknown-field", _) => message["colour"] = "red".into(),
        ("unknown-type", _) => message["type"] = "done".into(),
        _ => {}
    }
    format!("{message}\n").into_bytes()
}

/// Whether nothing was at this path so far. Something is there from now on.
fn first(path: &str) -> bool {
    OpenOptions::new().write(true).create_new(true).open(path).is_ok()
}

fn raw(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    // Whoever reads may be gone.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn last_words(code: u8) -> ExitCode {
    say("last words");
    ExitCode::from(code)
}

fn abort() -> ! {
    say("last words");
    process::abort();
}

fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}
