//! The smallest smoke: which cases of the standard tier it needs to kill what they kill.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::model::{Operator, Tier};

use super::{Fate, Hunt, Kill, Prey, hunt};
use crate::{id::CaseId, smoke::Smoke, suite::Suite};

/// Rounds in which misnamed faults get one more case.
const ROUNDS: usize = 4;

/// What the smoke sweeps of an operator leave out, chosen greedily: the case that kills most of what is alive first.
/// Every fault has the fate at smoke that it has at standard.
pub fn cover(suite: &Suite, operator: &Operator) -> Vec<CaseId> {
    let mut suite = Suite {
        smoke: Smoke::default(),
        ..suite.clone()
    };
    let at = |suite: &Suite, tier| hunt(Hunt { suite, tier }, operator);
    let standard = at(&suite, Tier::Standard);
    let mut chosen: Vec<CaseId> = Vec::new();
    for _ in 0..ROUNDS {
        let smoke = at(&suite, Tier::Smoke);
        let differs = |(wanted, found): &(&Prey, &Prey)| match wanted.fate() {
            Fate::Killed => found.fate() != Fate::Killed,
            fate => fate.is_fine() && !found.fate().is_fine(),
        };
        let left: Vec<&Prey> = standard
            .iter()
            .zip(&smoke)
            .filter(differs)
            .map(|(wanted, _)| wanted)
            .collect();
        if left.is_empty() {
            break;
        }
        let more = greedy(&left, &chosen);
        if more.is_empty() {
            break;
        }
        chosen.extend(more);
        suite.smoke = Smoke::of(chosen.iter().cloned());
    }
    chosen.sort_by_key(ToString::to_string);
    chosen
}

/// Cases that show a fault as it is to be told.
fn witnesses(prey: &Prey) -> Vec<&CaseId> {
    if prey.fate() != Fate::Killed {
        return prey.trail.first_open.iter().collect();
    }
    let told = |kill: &&Kill| {
        let first = kill.explanations.first();
        first.is_some_and(|(class, blamed)| prey.fault.right.accepts(class, blamed))
    };
    let best: Vec<&CaseId> = prey.telling().filter(told).map(|kill| &kill.case).collect();
    if best.is_empty() {
        prey.telling().map(|kill| &kill.case).collect()
    } else {
        best
    }
}

/// One new witness at least for each of these.
fn greedy(left: &[&Prey], known: &[CaseId]) -> Vec<CaseId> {
    let known: BTreeSet<String> = known.iter().map(ToString::to_string).collect();
    let mut shows: BTreeMap<String, (&CaseId, BTreeSet<usize>)> = BTreeMap::new();
    for (at, prey) in left.iter().enumerate() {
        for case in witnesses(prey) {
            let text = case.to_string();
            if !known.contains(&text) {
                shows
                    .entry(text)
                    .or_insert_with(|| (case, BTreeSet::new()))
                    .1
                    .insert(at);
            }
        }
    }
    let mut open: BTreeSet<usize> = (0..left.len()).collect();
    let mut chosen = Vec::new();
    loop {
        let gain = |(_, (_, of)): &(&String, &(&CaseId, BTreeSet<usize>))| of.intersection(&open).count();
        let best = shows.iter().rev().max_by_key(gain).filter(|best| gain(best) > 0);
        let Some((_, (case, of))) = best else {
            return chosen;
        };
        chosen.push((*case).clone());
        open = open.difference(of).copied().collect();
    }
}
