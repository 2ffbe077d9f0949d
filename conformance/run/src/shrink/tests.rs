use std::time::Duration;

use dml_ops::{Answer, Backend, Info, Job, JobId, Session};
use dml_spec::Value;

use super::*;
use crate::{
    engine::{Run, Selection, Settings},
    saved::{self, Saved, What},
};
use dml_spec::path::dims_text;

/// What becomes of a bad job.
#[derive(Clone, Copy, PartialEq)]
enum Badness {
    GivesUp,
    Panics,
    /// Nothing is written if K is 3 or more, and zeros elsewhere.
    IsWrong,
}

impl Badness {
    fn answer(self, job: Job) -> Answer {
        let mut outputs = match self {
            Self::GivesUp | Self::Panics => {
                let message = "on purpose".to_owned();
                return Answer::Error { message };
            }
            Self::IsWrong => job.outputs.clone(),
        };
        if number(&job, 4) < 3 {
            outputs.iter_mut().for_each(|output| output.tensor_mut().fill(0));
        }
        Answer::Executed { outputs }
    }
}

/// The CPU backend, except for bad jobs.
struct Bad {
    inner: Box<dyn Backend>,
    is_bad: fn(&Job) -> bool,
    bad: Badness,
}

struct BadSession {
    inner: Box<dyn Session>,
    is_bad: fn(&Job) -> bool,
    bad: Badness,
    given_up: Vec<(JobId, Answer)>,
}

impl Backend for Bad {
    fn info(&self) -> Info {
        self.inner.info()
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        Ok(Box::new(BadSession {
            inner: self.inner.open()?,
            is_bad: self.is_bad,
            bad: self.bad,
            given_up: Vec::new(),
        }))
    }
}

impl Session for BadSession {
    fn create(&mut self, job: &Job) -> Answer {
        self.inner.create(job)
    }

    fn submit(&mut self, jobs: Vec<Job>) {
        let (bad, good): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| (self.is_bad)(job));
        assert!(bad.is_empty() || self.bad != Badness::Panics, "on purpose");
        let given_up = bad.into_iter().map(|job| (job.id, self.bad.answer(job)));
        self.given_up.extend(given_up);
        self.inner.submit(good);
    }

    fn poll(&mut self, timeout: Duration) -> Vec<(JobId, Answer)> {
        let mut answers = std::mem::take(&mut self.given_up);
        answers.extend(self.inner.poll(timeout));
        answers
    }
}

fn number(job: &Job, field: usize) -> u32 {
    match job.descriptor.fields.get(field) {
        Some(Value::UInt(n)) => *n,
        _ => 0,
    }
}

/// K and the sizes of the input.
fn k_and_sizes(job: &Job) -> (u32, Vec<u32>) {
    let sizes = match job.descriptor.fields.first() {
        Some(Value::Tensor(Some(tensor))) => tensor.sizes().to_vec(),
        _ => Vec::new(),
    };
    (number(job, 4), sizes)
}

/// Sizes, K and the input of the smallest case found.
fn smallest(id: &str, bad: Badness, is_bad: fn(&Job) -> bool) -> (String, u32, Vec<u8>) {
    let suite = crate::embedded::suite();
    let backend = Bad {
        inner: Box::new(dml_cpu::backend()),
        is_bad,
        bad,
    };
    let run = Run {
        suite,
        backend: &backend,
        selection: &Selection::default().resolve(suite).unwrap(),
        settings: &Settings::default(),
        lock: None,
    };
    let origin = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
    let shrunk = run.probe(|probe| {
        let record = probe.run(vec![origin.clone()]).unwrap().remove(0);
        shrink(suite, probe, &origin, &Target::of(&record)).unwrap()
    });
    let shrunk = shrunk.unwrap();
    assert!(shrunk.record.is_some() && shrunk.trials <= TRIALS, "{}", shrunk.trials);
    // What is found is what a file holds.
    let kept = Saved {
        what: What::Case(Box::new(shrunk.case)),
        from: saved::From::default(),
        found: None,
    };
    let text = saved::write(suite, &kept).unwrap();
    let read = saved::read(suite, text.as_bytes()).unwrap();
    let (What::Case(case), What::Case(again)) = (kept.what, read.what) else {
        panic!("no case")
    };
    assert_eq!(
        (&case.id, &case.verdict, &case.inputs),
        (&again.id, &again.verdict, &again.inputs)
    );
    let job = Job {
        id: 0,
        feature_level: case.id.level(),
        descriptor: case.descriptor.clone(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        aliases: Box::default(),
        half_precision: false,
    };
    let (k, sizes) = k_and_sizes(&job);
    (dims_text(&sizes), k, case.inputs.concat())
}

const LARGE: &str = "TOP_K1:5.0:layout:type=INT8,index=UINT64,sizes=1x2x7x3,axis=2,k=6,dir=INCREASING,layout=padded";

#[test]
fn what_does_not_matter_goes() {
    let found = smallest(LARGE, Badness::GivesUp, |job| number(job, 4) >= 3);
    assert_eq!(found, ("4".to_owned(), 3, vec![0; 4]));
}

#[test]
fn what_matters_stays() {
    let found = smallest(LARGE, Badness::GivesUp, |job| k_and_sizes(job).1.contains(&7));
    assert_eq!(found.0, "7");
    let strided =
        |job: &Job| matches!(job.descriptor.fields.first(), Some(Value::Tensor(Some(t))) if t.strides.is_some());
    assert_eq!(smallest(LARGE, Badness::GivesUp, strided).0, "2");
}

#[test]
fn another_mistake_is_not_what_is_looked_for() {
    let found = smallest(LARGE, Badness::IsWrong, |_| true);
    assert_eq!(found.1, 3, "{found:?}");
}

#[test]
fn values_that_matter_become_small() {
    let id = "TOP_K1:5.0:sizes:type=INT32,index=UINT32,sizes=1x1x1x33,axis=3,k=2,dir=DECREASING";
    let holds_two = |job: &Job| {
        let mut words: Vec<&[u8]> = job
            .inputs
            .first()
            .map_or(Vec::new(), |input| input.tensor().chunks(4).collect());
        words.sort();
        words.dedup();
        words.len() >= 3
    };
    let (sizes, k, bytes) = smallest(id, Badness::GivesUp, holds_two);
    assert_eq!((sizes.as_str(), k), ("3", 1));
    let mut values: Vec<u8> = bytes.chunks(4).map(|word| word[0]).collect();
    values.sort_unstable();
    assert_eq!(
        (values, bytes.iter().map(|b| u32::from(*b)).sum::<u32>()),
        (vec![0, 1, 2], 3)
    );
}

#[test]
fn a_backend_that_dies_is_asked_all_the_same() {
    let id = "TOP_K1:3.1:values:type=INT16,index=UINT32,sizes=1x1x2x16,axis=3,k=7,dir=DECREASING,values=limits";
    let found = smallest(id, Badness::Panics, |job| number(job, 4) == 7);
    assert_eq!((found.0.as_str(), found.1), ("8", 7));
}
