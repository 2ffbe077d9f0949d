//! A worker: takes units in order, plans, runs and judges them, and hands over what came of each, piece by piece.

use std::{
    ops::ControlFlow,
    sync::{atomic::Ordering, mpsc::SyncSender},
};

use dml_ops::Unavailable;

use crate::engine::{
    Shared, Unit,
    batch::{BatchRunner, Before},
    memory_budget::Weight,
    units::{counted, plan_unit},
};
use dml_case::{
    case::Case,
    lock::{Entries, Key},
};
use dml_case::{record::Record, timings::Work};

/// A piece of what came of a unit.
pub(super) struct Piece {
    /// The unit's place in the run.
    pub unit: usize,
    /// Its next cases, in order.
    pub records: Vec<Record>,
    /// After its last case: what else came of it.
    pub end: Option<End>,
}

/// What came of a unit besides its cases.
pub(super) struct End {
    /// What the bucket adds to its line of the lock.
    pub counted: Option<(Key, Entries)>,
    /// Why planning broke off.
    pub problem: Option<String>,
}

/// Records that are handed over at a time.
const PIECE: usize = 512;

/// A batch ends early after this many bytes of buffers: few enough that those of all workers have room side by side.
const BATCH_BYTES: u64 = 16 << 20;

/// Works until nothing is left. Each worker has its own session.
pub(super) fn work(shared: &Shared<'_>, sender: &SyncSender<Piece>) {
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

fn work_until_done(shared: &Shared<'_>, sender: &SyncSender<Piece>) -> Result<(), Unavailable> {
    let mut runner = BatchRunner::open(shared)?;
    let done = run_units(shared, sender, &mut runner);
    if let Ok(mut timings) = shared.timings.lock() {
        timings.add(runner.clock().shares());
    }
    done
}

fn run_units(shared: &Shared<'_>, sender: &SyncSender<Piece>, runner: &mut BatchRunner<'_>) -> Result<(), Unavailable> {
    while let Some(index) = shared.scheduler.next() {
        let Some(unit) = shared.units.get(index) else { break };
        let mut outbox = Outbox {
            shared,
            sender,
            unit: index,
            records: Vec::new(),
        };
        let end = run_unit(runner, unit, &mut outbox)?;
        let wanted = !shared.stop.load(Ordering::Relaxed) && outbox.send(Some(end));
        runner.clock().lap(Work::Waiting);
        if !wanted {
            break;
        }
    }
    runner.finish();
    Ok(())
}

/// Results of a unit on their way out.
struct Outbox<'a> {
    shared: &'a Shared<'a>,
    sender: &'a SyncSender<Piece>,
    unit: usize,
    records: Vec<Record>,
}

impl Outbox<'_> {
    /// Sends what has gathered, once there is room for it; false when nothing more is wanted.
    fn send(&mut self, end: Option<End>) -> bool {
        let records = std::mem::take(&mut self.records);
        self.shared.scheduler.send(self.unit, records.len())
            && self
                .sender
                .send(Piece {
                    unit: self.unit,
                    records,
                    end,
                })
                .is_ok()
    }

    /// Sends a piece if one is full; false when nothing more is wanted.
    fn send_full(&mut self) -> bool {
        self.records.len() < PIECE || self.send(None)
    }
}

/// Cases that are run together once there are enough.
#[derive(Default)]
struct Waiting {
    cases: Vec<Case>,
    before: Vec<Before>,
    weight: Weight,
}

impl Waiting {
    fn push(&mut self, case: Case, before: Before, weight: Weight) {
        self.weight = self.weight.with(weight);
        self.cases.push(case);
        self.before.push(before);
    }

    /// Whether the case is better run after these than with them.
    fn has_no_room_for(&self, weight: Weight) -> bool {
        !self.cases.is_empty() && self.weight.with(weight).held() > BATCH_BYTES
    }

    /// Runs them, once there is room.
    fn run(&mut self, runner: &mut BatchRunner<'_>, outbox: &mut Outbox<'_>) -> Result<(), Unavailable> {
        let _room = outbox.shared.memory.take(std::mem::take(&mut self.weight).bytes());
        runner.clock().lap(Work::Waiting);
        let done = runner.run(&self.cases, &self.before, &mut outbox.records);
        self.cases.clear();
        self.before.clear();
        done
    }
}

fn run_unit(runner: &mut BatchRunner<'_>, unit: &Unit, outbox: &mut Outbox<'_>) -> Result<End, Unavailable> {
    let (shared, run) = (outbox.shared, outbox.shared.run);
    let batch = run.settings.batch.max(1);
    let mut waiting = Waiting::default();
    let mut lost: Option<Unavailable> = None;
    let planned = plan_unit(run, unit, &mut |case, digest| {
        let weight = Weight::of(run, &case);
        let planning = runner.clock().lap(Work::Planning);
        let mut run_all = |waiting: &mut Waiting| {
            lost = waiting.run(runner, outbox).err();
            let stop = lost.is_some() || shared.stop.load(Ordering::Relaxed) || !outbox.send_full();
            runner.clock().lap(Work::Waiting);
            if stop {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        if waiting.has_no_room_for(weight) {
            run_all(&mut waiting)?;
        }
        waiting.push(case, Before { digest, planning }, weight);
        if waiting.cases.len() < batch && waiting.weight.held() < BATCH_BYTES {
            return ControlFlow::Continue(());
        }
        run_all(&mut waiting)
    });
    if let Some(reason) = lost {
        return Err(reason);
    }
    runner.clock().lap(Work::Planning);
    waiting.run(runner, outbox)?;
    let counted = match unit {
        Unit::Bucket(bucket) => planned.as_ref().ok().and_then(|planned| counted(run, bucket, planned)),
        Unit::Cases(_) | Unit::Made(..) => None,
    };
    Ok(End {
        counted,
        problem: planned.err().map(|error| error.to_string()),
    })
}
