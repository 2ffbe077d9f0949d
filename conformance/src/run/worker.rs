//! A worker: takes units in order, plans, runs and judges them, and hands over what came of each.

use std::{
    ops::ControlFlow,
    sync::{atomic::Ordering, mpsc::Sender},
};

use dml_ops::Unavailable;

use super::{
    Record, Run, Shared, Unit,
    batch::Bench,
    units::{compare, plan_unit},
};
use crate::{
    case::{Case, Mode},
    judge,
    lock::Change,
};

/// What came of a unit.
pub(super) struct Finished {
    /// Its place in the run.
    pub unit: usize,
    /// Its cases, in order.
    pub records: Vec<Record>,
    /// The bucket was compared with the lock.
    pub compared: bool,
    /// Where it differs.
    pub changes: Vec<Change>,
    /// Why planning broke off.
    pub problem: Option<String>,
}

/// A batch ends early behind so many bytes of buffers.
const BATCH_BYTES: u64 = 64 << 20;

/// Works until nothing is left. Each worker has its own session.
pub(super) fn work(shared: &Shared<'_>, sender: &Sender<Finished>) {
    // A panic of the suite itself must not leave the others waiting for this worker.
    let _release = Release(shared);
    if let Err(reason) = work_until_done(shared, sender) {
        if let Ok(mut slot) = shared.unavailable.lock() {
            slot.get_or_insert(reason);
        }
        shared.halt();
    }
}

struct Release<'a>(&'a Shared<'a>);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.halt();
        }
    }
}

fn work_until_done(shared: &Shared<'_>, sender: &Sender<Finished>) -> Result<(), Unavailable> {
    let mut bench = Bench::open(shared)?;
    while let Some(index) = shared.turns.next() {
        let Some(unit) = shared.units.get(index) else { break };
        let finished = run_unit(shared, &mut bench, index, unit)?;
        if shared.stop.load(Ordering::Relaxed) || sender.send(finished).is_err() {
            break;
        }
    }
    Ok(())
}

/// Bytes of buffers that a case needs.
fn size(run: &Run<'_>, case: &Case) -> u64 {
    match run.suite.operator(&case.id.operator) {
        Some((operator, _)) if case.mode == Mode::Execute => judge::buffer_bytes(operator, case),
        _ => 0,
    }
}

fn run_unit(shared: &Shared<'_>, bench: &mut Bench<'_>, index: usize, unit: &Unit) -> Result<Finished, Unavailable> {
    let run = shared.run;
    let batch = if run.settings.timings {
        1
    } else {
        run.settings.batch.max(1)
    };
    let mut records = Vec::new();
    let mut waiting: Vec<Case> = Vec::new();
    let mut lost: Option<Unavailable> = None;
    let mut bytes = 0;
    let planned = plan_unit(run, unit, &mut |case| {
        bytes += size(run, &case);
        waiting.push(case);
        if waiting.len() < batch && bytes < BATCH_BYTES {
            return ControlFlow::Continue(());
        }
        bytes = 0;
        lost = bench.run(std::mem::take(&mut waiting), &mut records).err();
        let stop = lost.is_some() || shared.stop.load(Ordering::Relaxed);
        if stop {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if let Some(reason) = lost {
        return Err(reason);
    }
    bench.run(waiting, &mut records)?;
    let changes = match unit {
        Unit::Bucket(bucket) => planned.as_ref().ok().and_then(|planned| compare(run, bucket, planned)),
        Unit::Cases(_) => None,
    };
    Ok(Finished {
        unit: index,
        records,
        compared: changes.is_some(),
        changes: changes.unwrap_or_default(),
        problem: planned.err().map(|error| error.to_string()),
    })
}
