//! Which cases kill which faults, and what they say of them.

use std::{collections::BTreeMap, ops::ControlFlow};

use dml_ops::{Info, Levels, Validator};
use dml_spec::{
    Descriptor,
    model::{Operator, Role, Text, Tier},
};
use rayon::prelude::*;

use super::{Fault, Right, Scene, faults};
use crate::{
    case::{Case, Mode, Verdict},
    id::CaseId,
    judge::{self, Options},
    number::{decode, mask},
    outcome::{Basis, Judged, Outcome},
    plan::{self, Bucket},
    random::Random,
    suite::Suite,
    tensor::Shape,
};

/// Cases of a bucket that are looked at for one fault once they kill it.
const ENOUGH: usize = 2;

/// Bytes of a case's tensors up to which it is tried on every fault; beyond, on those only that nothing else killed.
const SMALL: u64 = 32 << 10;

/// Cases of a bucket that are tried with other data.
const OTHERS: usize = 12;

/// What is hunted with.
#[derive(Clone, Copy, Debug)]
pub struct Hunt<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// Its cases up to this tier.
    pub tier: Tier,
}

/// A case that a fault fails.
#[derive(Clone, Debug)]
pub struct Kill {
    /// The case.
    pub case: CaseId,
    /// Every class that explains it with the clauses it blames, the likeliest first.
    pub explanations: Vec<(&'static str, Vec<Text>)>,
    /// Nobody defines its outputs, so that it tells only that some property is broken.
    pub open: bool,
}

/// What became of a fault in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Some case fails, and the failures name the mistake.
    Killed,
    /// Some case fails, and the failures name another mistake.
    Misnamed,
    /// No case fails.
    Survived,
    /// Every case that it answers otherwise is left open by the specification, so that it is no mistake.
    Open,
    /// It changes nothing, whatever the data are.
    Equivalent,
    /// It cannot be made with what the oracle computes.
    Unmade,
}

impl Fate {
    /// Its name in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Misnamed => "misnamed",
            Self::Survived => "survived",
            Self::Open => "left open",
            Self::Equivalent => "equivalent",
            Self::Unmade => "unmade",
        }
    }

    /// Whether the suite does what it should.
    pub fn is_fine(self) -> bool {
        !matches!(self, Self::Misnamed | Self::Survived)
    }
}

/// What became of a fault.
#[derive(Debug)]
pub struct Prey {
    /// The fault.
    pub fault: Fault,
    /// What the cases show of it.
    pub trail: Trail,
}

/// What cases show of a fault.
#[derive(Debug, Default)]
pub struct Trail {
    /// Cases that kill it, in the order of the plan: at most two a level, family and data type.
    pub kills: Vec<Kill>,
    /// Cases that were answered wrongly and passed, while it was looked for one that fails.
    pub spared: u64,
    /// The first of those.
    pub first_spared: Option<CaseId>,
    /// Cases whose outputs nobody defines and that it answered otherwise without breaking a property.
    pub open: u64,
    /// The first of those.
    pub first_open: Option<CaseId>,
    /// Silences that leave those open.
    pub silences: Vec<Text>,
    /// What other data show, where no case of the plan shows it.
    pub elsewhere: Elsewhere,
}

/// What cases with other data, made to tell readings apart, show of a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Cases that were tried.
    pub tried: u64,
    /// Those for which the fault computes anything.
    pub made: u64,
    /// Those for which it does not compute what is right.
    pub wrong: u64,
}

impl Prey {
    /// Families whose cases kill it, each with the first case that does.
    pub fn families(&self) -> BTreeMap<&str, &CaseId> {
        let mut found = BTreeMap::new();
        for kill in &self.trail.kills {
            found.entry(kill.case.family()).or_insert(&kill.case);
        }
        found
    }

    /// The kills that say what is wrong: those whose outputs are defined, where there are any.
    pub fn telling(&self) -> impl Iterator<Item = &Kill> {
        let kills = &self.trail.kills;
        let defined = kills.iter().any(|kill| !kill.open);
        kills.iter().filter(move |kill| !(defined && kill.open))
    }

    /// The class that explains most kills, with the clauses that it blames; of equals the one that is likeliest more
    /// often.
    pub fn class(&self) -> Option<(&'static str, Vec<Text>)> {
        let mut fits: BTreeMap<&'static str, (u64, u64)> = BTreeMap::new();
        for kill in self.telling() {
            for (place, (class, _)) in kill.explanations.iter().enumerate() {
                let (all, first) = fits.entry(class).or_default();
                *all += 1;
                *first += u64::from(place == 0);
            }
        }
        let (class, _) = fits.into_iter().rev().max_by_key(|(_, fits)| *fits)?;
        let clauses = self
            .trail
            .kills
            .iter()
            .flat_map(|kill| &kill.explanations)
            .filter(|(c, _)| *c == class);
        let mut blamed: Vec<Text> = Vec::new();
        for clause in clauses.flat_map(|(_, clauses)| clauses) {
            if !blamed.contains(clause) {
                blamed.push(clause.clone());
            }
        }
        Some((class, blamed))
    }

    /// Whether the outputs of all cases that kill it are nobody's to define.
    fn is_open(&self) -> bool {
        self.trail.kills.iter().all(|kill| kill.open)
    }

    /// What became of it.
    pub fn fate(&self) -> Fate {
        match self.class() {
            Some((class, blamed)) if self.fault.right.accepts(class, &blamed) => Fate::Killed,
            // Where nobody defines the outputs, there is no more to tell than what is broken.
            Some((class, _)) if self.is_open() && Right::Symptom(&[]).accepts(class, &[]) => Fate::Killed,
            Some(_) => Fate::Misnamed,
            None if self.trail.spared > 0 || self.trail.elsewhere.wrong > 0 => Fate::Survived,
            None if self.trail.open > 0 => Fate::Open,
            None if self.fault.by_shape => Fate::Survived,
            None if self.trail.elsewhere.made * 2 < self.trail.elsewhere.tried => Fate::Unmade,
            None => Fate::Equivalent,
        }
    }

    /// Kills whose outputs are defined and none of whose explanations is right.
    pub fn misled(&self) -> usize {
        let right = |kill: &Kill| {
            let mut explanations = kill.explanations.iter();
            explanations.any(|(class, blamed)| self.fault.right.accepts(class, blamed))
        };
        self.trail
            .kills
            .iter()
            .filter(|kill| !kill.open && !right(kill))
            .count()
    }
}

/// Tries the cases of an operator on all its faults.
pub fn hunt(hunt: Hunt, operator: &Operator) -> Vec<Prey> {
    hunt_for(hunt, operator, faults(hunt.suite, operator))
}

/// Tries the cases of an operator on these faults.
pub fn hunt_for(hunt: Hunt, operator: &Operator, faults: Vec<Fault>) -> Vec<Prey> {
    let buckets = buckets_of(hunt.suite, operator);
    let info = info(hunt.suite, operator);
    let mut all: Vec<Trail> = faults.iter().map(|_| Trail::default()).collect();
    for pass in [Pass::Small, Pass::Large, Pass::OtherData] {
        let wanted: Vec<bool> = all.iter().map(|trail| pass.wants(trail)).collect();
        if !wanted.contains(&true) {
            continue;
        }
        let look = Look {
            hunt,
            operator,
            faults: &faults,
            wanted: &wanted,
            info: &info,
            pass,
        };
        let found: Vec<Vec<Trail>> = buckets.par_iter().map(|bucket| look.at(bucket)).collect();
        for trails in found {
            all.iter_mut().zip(trails).for_each(|(all, trail)| all.add(trail));
        }
    }
    let prey = faults.into_iter().zip(all);
    prey.map(|(fault, trail)| Prey { fault, trail }).collect()
}

/// The buckets of an operator.
pub(super) fn buckets_of(suite: &Suite, operator: &Operator) -> Vec<Bucket> {
    let place = suite
        .catalog
        .operators
        .iter()
        .position(|known| known.name == operator.name);
    place.map_or_else(Vec::new, |place| plan::buckets_of(suite, place))
}

/// Which cases are tried on which faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// The small cases, on all faults.
    Small,
    /// The large ones, on those that live.
    Large,
    /// A few cases with data that look for a difference, on those that showed nowhere: is it the data that are
    /// missing, or is the fault none?
    OtherData,
}

impl Pass {
    fn wants(self, trail: &Trail) -> bool {
        let lives = trail.kills.is_empty();
        match self {
            Self::Small => true,
            Self::Large => lives,
            Self::OtherData => lives && trail.spared == 0,
        }
    }

    fn takes(self, operator: &Operator, case: &Case) -> bool {
        let small = judge::buffer_bytes(operator, case) <= SMALL;
        match self {
            Self::Small => small,
            Self::Large => !small,
            Self::OtherData => small && case.mode == Mode::Execute,
        }
    }
}

impl Trail {
    fn add(&mut self, other: Self) {
        self.kills.extend(other.kills);
        self.spared += other.spared;
        self.open += other.open;
        self.elsewhere.tried += other.elsewhere.tried;
        self.elsewhere.made += other.elsewhere.made;
        self.elsewhere.wrong += other.elsewhere.wrong;
        self.first_spared = self.first_spared.take().or(other.first_spared);
        self.first_open = self.first_open.take().or(other.first_open);
        for silence in other.silences {
            if !self.silences.contains(&silence) {
                self.silences.push(silence);
            }
        }
    }

    fn note(&mut self, case: &Case, judged: Judged) {
        let fails = judged.outcome.is_failure() && judged.outcome != Outcome::HarnessError;
        if judged.outcome == Outcome::Unspecified {
            self.open += 1;
            self.first_open.get_or_insert_with(|| case.id.clone());
            for silence in case.verdict.clauses() {
                if !self.silences.contains(&silence) {
                    self.silences.push(silence);
                }
            }
        } else if !fails {
            self.spared += 1;
            self.first_spared.get_or_insert_with(|| case.id.clone());
        } else {
            let explanations = judged.diagnosis.map(|diagnosis| {
                let others = diagnosis.others.into_iter().map(|other| (other.class, other.clauses));
                std::iter::once((diagnosis.class, diagnosis.clauses))
                    .chain(others)
                    .collect()
            });
            self.kills.push(Kill {
                case: case.id.clone(),
                explanations: explanations.unwrap_or_default(),
                open: matches!(case.verdict, Verdict::Unspecified(_)),
            });
        }
    }
}

/// Looking at one bucket after the other.
struct Look<'a> {
    hunt: Hunt<'a>,
    operator: &'a Operator,
    faults: &'a [Fault],
    wanted: &'a [bool],
    info: &'a Info,
    pass: Pass,
}

impl Look<'_> {
    fn at(&self, bucket: &Bucket) -> Vec<Trail> {
        let mut trails: Vec<Trail> = self.faults.iter().map(|_| Trail::default()).collect();
        let mut left = OTHERS;
        let _ = plan::for_each_case(self.hunt.suite, bucket, self.hunt.tier, 0, &mut |case| {
            if !self.pass.takes(self.operator, &case) {
                return ControlFlow::Continue(());
            }
            if self.pass == Pass::OtherData {
                left -= 1;
                self.tried(&case, &mut trails);
            } else {
                self.judged(&case, &mut trails);
            }
            if left == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        trails
    }

    /// Judges the wrong answers to a case.
    fn judged(&self, case: &Case, trails: &mut [Trail]) {
        let scene = Scene::new(self.hunt.suite, self.operator, case);
        let options = Options {
            basis: Basis::Runtime,
            strict_reasons: false,
            info: self.info,
        };
        let open = self.faults.iter().zip(trails).zip(self.wanted);
        for ((fault, trail), _) in open.filter(|((_, trail), wanted)| **wanted && trail.kills.len() < ENOUGH) {
            if let Some(wrong) = fault.answer(&scene) {
                let answer = scene.answer(wrong);
                trail.note(case, judge::judge(self.hunt.suite, case, &answer, &options));
            }
        }
    }

    /// Looks whether faults show with other data, as far as the specification says what becomes of those.
    fn tried(&self, case: &Case, trails: &mut [Trail]) {
        let mut other = case.clone();
        unlike(self.hunt.suite, self.operator, &mut other);
        other.given = None;
        let verdict = plan::free::case(
            self.hunt.suite,
            case.id.level(),
            case.mode,
            Descriptor::clone(&case.descriptor),
            other.inputs.clone(),
            &[],
        );
        let open = verdict.is_ok_and(|case| matches!(case.verdict, Verdict::Unspecified(_)));
        let scene = Scene::new(self.hunt.suite, self.operator, &other);
        let faults = self.faults.iter().zip(trails).zip(self.wanted);
        for ((fault, trail), _) in faults.filter(|(_, wanted)| **wanted) {
            trail.elsewhere.tried += 1;
            trail.elsewhere.wrong += u64::from(!open && fault.answer(&scene).is_some());
            trail.elsewhere.made += u64::from(fault.is_made(&scene));
        }
    }
}

/// Gives a case data that tell readings apart: random bits that are finite, and among them zeros of both signs, the
/// least and the greatest numbers.
fn unlike(suite: &Suite, operator: &Operator, case: &mut Case) {
    let mut random = Random::new(&case.id.to_string(), 1);
    let tensors = case.descriptor.tensors(operator, Role::Input);
    let shapes = tensors.into_iter().map(|tensor| Shape::of(&suite.catalog, tensor));
    for (bytes, shape) in case.inputs.iter_mut().zip(shapes) {
        let Some(shape) = shape else { continue };
        let (top, all) = (1 << (shape.ty.bits - 1), mask(shape.ty.bits));
        let special = [0, top, 1, top | 1, all, all >> 1, top >> 1];
        let mut element = || {
            let choice = usize::try_from(random.below(3 * special.len() as u64)).unwrap_or(0);
            let bits = special.get(choice).copied().unwrap_or_else(|| random.bits() & all);
            if decode(&shape.ty, bits).is_finite() {
                bits
            } else {
                bits & (top >> 1)
            }
        };
        let elements: Vec<u64> = (0..shape.elements()).map(|_| element()).collect();
        shape.write(bytes, elements);
    }
}

/// A backend that has everything of its own.
fn info(suite: &Suite, operator: &Operator) -> Info {
    Info {
        name: "zoo".to_owned(),
        version: String::new(),
        operators: vec![operator.name.to_string()],
        feature_level: suite
            .catalog
            .levels
            .iter()
            .map(|level| level.level)
            .max()
            .unwrap_or_default(),
        levels: Levels::Strict,
        validator: Validator::Own,
        executes: true,
        details: Vec::new(),
    }
}
