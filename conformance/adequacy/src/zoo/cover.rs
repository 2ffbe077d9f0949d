//! Which random cases the standard tier needs to kill what they kill, and the smallest smoke: which cases of the
//! standard tier it needs.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use dml_spec::model::{Operator, Tier};

use super::{Fate, Hunt, Kill, Prey, Under, accepts, hunt};
use crate::greedy;
use dml_case::id::CaseId;
use dml_plan::{listed::Listed, planner::Planner};

/// Rounds in which misnamed faults get one more case.
const ROUNDS: usize = 4;

/// Random cases that show a mistake under conditions under which no case of standard shows it: the first one of each.
pub fn missed(suite: &Planner, operator: &Operator, drawn: u64) -> BTreeSet<CaseId> {
    let tier = Tier::Standard;
    let prey = hunt(Hunt { suite, tier, drawn }, operator);
    let cases = prey.into_iter().flat_map(|prey| prey.trail.missed);
    cases.map(|(_, case)| case).collect()
}

/// What the smoke sweeps of an operator leave out, chosen greedily: the case that kills most of what is alive first.
/// Every fault has the fate at smoke that it has at standard, and is killed under every condition under which it is
/// there.
pub fn cover(suite: &Planner, operator: &Operator) -> Vec<CaseId> {
    let mut suite = Planner {
        smoke: Listed::default(),
        ..suite.clone()
    };
    let at = |suite: &Planner, tier| {
        let asked = Hunt { suite, tier, drawn: 0 };
        hunt(asked, operator)
    };
    let standard = at(&suite, Tier::Standard);
    let mut chosen: Vec<CaseId> = Vec::new();
    for _ in 0..ROUNDS {
        let smoke = at(&suite, Tier::Smoke);
        let pairs = standard.iter().zip(&smoke);
        let left: Vec<Left> = pairs.flat_map(|(wanted, found)| lacking(wanted, found)).collect();
        let more = fewest(&left, &chosen);
        if more.is_empty() {
            break;
        }
        chosen.extend(more);
        suite.smoke = Listed::of(chosen.iter().cloned());
    }
    chosen.sort_by_key(ToString::to_string);
    chosen
}

/// What smoke does not show of a fault yet: that it is one, or that it is one under a condition.
struct Left<'a> {
    prey: &'a Prey,
    condition: Option<u32>,
}

/// What standard shows of a fault and smoke does not.
fn lacking<'a>(wanted: &'a Prey, found: &Prey) -> Vec<Left<'a>> {
    let differs = match wanted.fate() {
        Fate::Killed => found.fate() != Fate::Killed,
        fate => fate.is_fine() && !found.fate().is_fine(),
    };
    let missing = if wanted.fault.is_conditional() {
        wanted.trail.killed_under & !found.trail.killed_under
    } else {
        0
    };
    let conditions = (0..Under::BITS).filter(|bit| missing >> bit & 1 == 1).map(Some);
    let whole = differs.then_some(None);
    let left = |condition| Left {
        prey: wanted,
        condition,
    };
    whole.into_iter().chain(conditions).map(left).collect()
}

impl Left<'_> {
    /// Cases that show it, as it is to be told where there are such.
    fn witnesses(&self) -> Vec<&CaseId> {
        let prey = self.prey;
        let Some(bit) = self.condition else {
            return witnesses(prey);
        };
        let under = |kill: &&Kill| kill.under >> bit & 1 == 1;
        let best: Vec<&CaseId> = prey
            .telling()
            .filter(under)
            .filter(|kill| told(prey, kill))
            .map(|kill| &kill.case)
            .collect();
        if best.is_empty() {
            prey.trail.kills.iter().filter(under).map(|kill| &kill.case).collect()
        } else {
            best
        }
    }
}

/// Whether a kill is explained first as it is to be.
fn told(prey: &Prey, kill: &Kill) -> bool {
    let first = kill.explanations.first();
    first.is_some_and(|(class, blamed)| accepts(&prey.fault.right, class, blamed))
}

/// Cases that show a fault as it is to be told.
fn witnesses(prey: &Prey) -> Vec<&CaseId> {
    if prey.fate() != Fate::Killed {
        return prey.trail.first_open.iter().collect();
    }
    let best: Vec<&CaseId> = prey
        .telling()
        .filter(|kill| told(prey, kill))
        .map(|kill| &kill.case)
        .collect();
    if best.is_empty() {
        prey.telling().map(|kill| &kill.case).collect()
    } else {
        best
    }
}

/// One new witness at least for each of these; of cases that show as many, the one whose id is least.
fn fewest(left: &[Left], known: &[CaseId]) -> Vec<CaseId> {
    let known: HashSet<&CaseId> = known.iter().collect();
    let mut shows: BTreeMap<&str, (&CaseId, Vec<usize>)> = BTreeMap::new();
    for (at, left) in left.iter().enumerate() {
        for case in left.witnesses().into_iter().filter(|case| !known.contains(case)) {
            let (_, of) = shows.entry(case.as_str()).or_insert_with(|| (case, Vec::new()));
            of.push(at);
        }
    }
    let (shows, mut chosen): (Vec<_>, _) = (shows.into_values().collect(), Vec::new());
    let mut open = vec![true; left.len()];
    let adds = |open: &Vec<bool>, at: usize| {
        let of = shows.get(at).into_iter().flat_map(|(_, of)| of);
        of.filter(|left| open[**left]).count() as u64
    };
    greedy::cover(shows.len(), &mut open, adds, |open, at| {
        if let Some((case, of)) = shows.get(at) {
            of.iter().for_each(|left| open[*left] = false);
            chosen.push((*case).clone());
        }
    });
    chosen
}
