//! Whether a backend answers anything at all: one that is lost by every case it is asked for is given up in the end.
//!
//! Each loss is blamed on its case, and costs a new process. Creation and execution are counted apart, as a program that
//! cannot do the one may well do the other.

use std::{
    collections::BTreeSet,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
};

use crate::engine::{
    Shared,
    units::{Unit, plan_unit},
};
use dml_case::{
    case::{Case, Mode},
    outcome::Outcome,
};

/// Losses of lone cases after which a backend that never answered is given up; one that hangs takes so much longer
/// that it counts for several.
const LOSSES: u32 = 32;
const HANG: u32 = 8;

/// Cases from the end of the plan that show whether a backend runs at all; those after the first ones are of other
/// data types.
const PROBES: usize = 5;
const OF_ANY_TYPE: usize = 2;

/// What is known of a backend, of all its sessions together.
#[derive(Debug, Default)]
pub(super) struct BackendHealth {
    create: Vital,
    execute: Vital,
}

#[derive(Debug, Default)]
struct Vital {
    answered: AtomicBool,
    losses: AtomicU32,
    probed: AtomicBool,
    given_up: AtomicBool,
}

impl BackendHealth {
    fn of(&self, mode: Mode) -> &Vital {
        match mode {
            Mode::Create => &self.create,
            Mode::Execute => &self.execute,
        }
    }

    /// Cases were answered, and the backend is still there.
    pub(super) fn answered(&self, mode: Mode) {
        self.of(mode).answered.store(true, Relaxed);
    }

    /// A lone case lost the backend; whether it is time to probe others, which is once.
    pub(super) fn lost(&self, mode: Mode, outcome: &Outcome) -> bool {
        let vital = self.of(mode);
        let weight = if *outcome == Outcome::Timeout { HANG } else { 1 };
        let losses = vital.losses.fetch_add(weight, Relaxed).saturating_add(weight);
        losses >= LOSSES && !vital.answered.load(Relaxed) && !vital.probed.swap(true, Relaxed)
    }

    /// No further case of this mode is to be run.
    pub(super) fn give_up(&self, mode: Mode) {
        self.of(mode).given_up.store(true, Relaxed);
    }

    /// Whether cases of this mode are not run any more.
    pub(super) fn is_given_up(&self, mode: Mode) -> bool {
        self.of(mode).given_up.load(Relaxed)
    }
}

impl Shared<'_> {
    /// A few cases of this mode, from all over the plan.
    pub(super) fn probes(&self, mode: Mode) -> Vec<Case> {
        let first = |unit| {
            let mut found = None;
            // Where planning fails, the worker that comes to the unit says so.
            let _ = plan_unit(self.run, unit, &mut |case, _| {
                if case.mode != mode {
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
}
