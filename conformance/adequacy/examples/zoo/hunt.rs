//! Which cases kill which faults, and what they say of them.

use std::{collections::HashMap, ops::ControlFlow};

use dml_spec::answer::{Info, Levels, Validator};
use dml_spec::{
    Descriptor,
    model::{Operator, Role, Tier},
};
use rayon::prelude::*;

use crate::{
    conditions::{Condition, Under, conditions, under},
    drawn::drawn,
    fault::{Fault, Wrong},
    prey::{Prey, Trail},
    scene::Scene,
};
use dml_case::{
    case::{Case, Mode, Verdict},
    lock::DEFAULT_SEED,
    number::{decode, mask},
    outcome::{Basis, Outcome},
    random::Random,
    tensor::Shape,
};
use dml_judge::Options;
use dml_plan::{Bucket, planner::Planner};

/// Cases of a bucket that are looked at for one fault once they kill it.
const ENOUGH: usize = 2;

/// Elements of a case's tensors up to which it is small.
const FEW: u64 = 1024;

/// Elements of a case's tensors beyond which it is tried on those faults only that nothing else killed.
const MANY: u64 = 8 << 10;

/// Large cases of a bucket that a fault is tried on under the same conditions, while none kills it.
const PATIENCE: u32 = 12;

/// Buckets whose large cases are looked at together.
const LARGE_AT_ONCE: usize = 8;

/// Bytes of a case's tensors up to which it is small.
const SMALL: u64 = 32 << 10;

/// Cases of a bucket that are tried with other data.
const OTHERS: usize = 12;

/// What is hunted with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hunt<'a> {
    /// The suite.
    pub(crate) suite: &'a Planner,
    /// Its cases up to this tier.
    pub(crate) tier: Tier,
    /// Random cases that are tried under conditions under which those do not kill a fault.
    pub(crate) drawn: u64,
}

/// Tries the cases of an operator on these faults.
pub(crate) fn hunt_for(hunt: Hunt, operator: &Operator, faults: Vec<Fault>) -> Vec<Prey> {
    let buckets = buckets_of(hunt.suite, operator);
    let info = info(hunt.suite, operator);
    let conditions = conditions(hunt.suite, operator);
    let mut all: Vec<Trail> = faults.iter().map(|_| Trail::default()).collect();
    for pass in [Pass::Small, Pass::Large, Pass::Huge, Pass::OtherData] {
        if pass == Pass::Huge && all.iter().all(|trail| !trail.kills.is_empty()) {
            continue;
        }
        // What a few buckets show need not be shown by the next: large cases are judged only for what is new.
        let at_once = if pass == Pass::Large {
            LARGE_AT_ONCE
        } else {
            buckets.len()
        };
        for buckets in buckets.chunks(at_once.max(1)) {
            let look = Look {
                hunt,
                conditions: &conditions,
                operator,
                faults: &faults,
                known: &all,
                info: &info,
                pass,
            };
            let found: Vec<Vec<Trail>> = buckets.par_iter().map(|bucket| look.at(bucket)).collect();
            for trails in found {
                all.iter_mut().zip(trails).for_each(|(all, trail)| all.add(trail));
            }
        }
    }
    let drawn = drawn(hunt, operator, &faults, &conditions, &all, &info);
    all.iter_mut().zip(drawn).for_each(|(all, trail)| all.add(trail));
    let prey = faults.into_iter().zip(all);
    prey.map(|(fault, trail)| Prey { fault, trail }).collect()
}

/// Whether the judge finds an answer wrong.
pub(crate) fn fails(scene: &Scene, wrong: Wrong, info: &Info) -> bool {
    let options = options(info);
    let outcome = dml_judge::judge(scene.suite, scene.case, &scene.answer(wrong), &options).outcome;
    outcome.is_failure() && outcome != Outcome::HarnessError
}

/// How the judge is asked.
pub(crate) fn options(info: &Info) -> Options<'_> {
    Options {
        basis: Basis::Runtime,
        strict_reasons: false,
        half_precision: false,
        info,
    }
}

/// The buckets of an operator.
pub(crate) fn buckets_of(suite: &Planner, operator: &Operator) -> Vec<Bucket> {
    let place = suite
        .catalog
        .operators
        .iter()
        .position(|known| known.name == operator.name);
    place.map_or_else(Vec::new, |place| dml_plan::buckets_of(suite, place))
}

/// Which cases are tried on which faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// The small cases, on all faults.
    Small,
    /// The large ones, on those that live, or were not killed yet under conditions that hold.
    Large,
    /// The largest ones, on those that live.
    Huge,
    /// A few cases with data that look for a difference, on those that showed nowhere: is it the data that are
    /// missing, or is the fault none?
    OtherData,
}

impl Pass {
    fn takes(self, suite: &Planner, operator: &Operator, case: &Case) -> bool {
        let creates = case.mode == Mode::Create;
        let elements = case.elements(&suite.catalog);
        let small = dml_case::poison::buffer_bytes(operator, case) <= SMALL && (creates || elements <= FEW);
        // What is listed with a seed is there because it shows something, however large it is.
        let large = !small && !creates && (elements <= MANY || case.id.get("seed").is_some());
        match self {
            Self::Small => small,
            Self::Large => large,
            Self::Huge => !small && !large,
            Self::OtherData => small && !creates,
        }
    }
}

/// How often a fault was tried under the same conditions.
type Vain = HashMap<Under, u32>;

/// Looking at one bucket after the other.
struct Look<'a> {
    hunt: Hunt<'a>,
    operator: &'a Operator,
    conditions: &'a [Condition],
    faults: &'a [Fault],
    /// What is known of each of them from elsewhere.
    known: &'a [Trail],
    info: &'a Info,
    pass: Pass,
}

impl Look<'_> {
    fn at(&self, bucket: &Bucket) -> Vec<Trail> {
        let mut trails: Vec<Trail> = self.faults.iter().map(|_| Trail::default()).collect();
        let mut vain: Vec<Vain> = self.faults.iter().map(|_| Vain::default()).collect();
        let mut left = OTHERS;
        let _ = dml_plan::for_each_case(self.hunt.suite, bucket, self.hunt.tier, DEFAULT_SEED, &mut |case| {
            if !self.pass.takes(self.hunt.suite, self.operator, &case) {
                return ControlFlow::Continue(());
            }
            if self.pass == Pass::OtherData {
                left -= 1;
                self.tried(&case, &mut trails);
            } else {
                self.judged(&case, &mut trails, &mut vain);
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
    fn judged(&self, case: &Case, trails: &mut [Trail], vain: &mut [Vain]) {
        let scene = Scene::new(self.hunt.suite, self.operator, case);
        if scene.is_at_odds() {
            return;
        }
        let options = options(self.info);
        let under = under(self.conditions, &scene);
        let faults = self.faults.iter().zip(self.known).zip(trails).zip(vain);
        for (((fault, known), trail), vain) in faults {
            let (first, elsewhere) = match self.pass {
                Pass::Small => (true, 0),
                _ => (known.kills.is_empty(), known.killed_under),
            };
            let new = under & !trail.killed_under & !elsewhere;
            let more = fault.is_conditional() && self.pass != Pass::Huge && new != 0;
            let hopeful = more && (case.id.get("seed").is_some() || !self.is_vain(vain, under));
            if !(hopeful || first && trail.kills.len() < ENOUGH) {
                continue;
            }
            let Some(wrong) = fault.answer(&scene) else { continue };
            let kills = trail.kills.len();
            let is_open = scene.is_open(&wrong);
            let answer = scene.answer(wrong);
            let judged = dml_judge::judge(self.hunt.suite, case, &answer, &options);
            trail.note(case, (under, is_open), judged);
            if trail.kills.len() > kills {
                vain.clear();
            }
        }
    }

    /// Whether a large case is one of many under the same conditions, none of which killed the fault.
    fn is_vain(&self, vain: &mut Vain, under: Under) -> bool {
        let tried = vain.entry(under).or_default();
        *tried += 1;
        self.pass == Pass::Large && *tried > PATIENCE
    }

    /// Looks whether faults show with other data, as far as the specification says what becomes of those.
    fn tried(&self, case: &Case, trails: &mut [Trail]) {
        let mut other = case.clone();
        unlike(self.hunt.suite, self.operator, &mut other);
        other.given = None;
        let verdict = dml_plan::by_content::build_from_parts(
            self.hunt.suite,
            case.id.level(),
            case.mode,
            Descriptor::clone(&case.descriptor),
            other.inputs.clone(),
            &[],
        );
        let open = verdict.is_ok_and(|case| matches!(case.verdict, Verdict::Unspecified(_)));
        let scene = Scene::new(self.hunt.suite, self.operator, &other);
        if scene.is_at_odds() {
            return;
        }
        let faults = self.faults.iter().zip(trails).zip(self.known);
        for ((fault, trail), _) in faults.filter(|(_, known)| known.kills.is_empty() && known.spared == 0) {
            trail.elsewhere.tried += 1;
            trail.elsewhere.wrong +=
                u64::from(!open && fault.answer(&scene).is_some_and(|wrong| !scene.is_open(&wrong)));
            trail.elsewhere.made += u64::from(fault.is_made(&scene));
        }
    }
}

/// Gives a case data that tell readings apart: random bits that are finite, and among them zeros of both signs, the
/// least and the greatest numbers.
fn unlike(suite: &Planner, operator: &Operator, case: &mut Case) {
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
pub(crate) fn info(suite: &Planner, operator: &Operator) -> Info {
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
