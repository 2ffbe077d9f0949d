//! Repairs: further overrides that leave a coupled clause broken and repair what breaks with it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dml_spec::{
    program::Aim,
    rule::typed::{Func, Node, Op, Prop},
};

use crate::{
    builder::Builder,
    neighbourhood::{Candidate, Neighbourhood},
    overrides::Override,
    scratch::Scratch,
    target::{Target, is_cell},
};
use dml_spec::path::{NULL, Path, TensorPart};

/// Repairs tried one after the other for a coupled clause.
const REPAIRS: usize = 2;

/// The single overrides around a base, as steps that can be combined.
pub(super) struct Steps<'b> {
    pub(super) all: Vec<Override>,
    /// What each changes.
    paths: Vec<Option<Path>>,
    /// What sequences of them lead to, if the last one repairs something: clauses that break together are repaired by
    /// the same steps.
    tried: HashMap<Vec<usize>, Option<Candidate>>,
    /// The base, to be changed.
    near: Option<Scratch<'b>>,
}

impl Neighbourhood<'_> {
    /// The single overrides of the base, none of them tried yet.
    pub(super) fn steps(&self) -> Steps<'_> {
        let all = self.list_overrides();
        let path = |step: &Override| Path::parse(self.builder.operator, &step.0).ok();
        Steps {
            paths: all.iter().map(path).collect(),
            all,
            tried: HashMap::new(),
            near: self.scratch(),
        }
    }

    /// Candidates that break `target` and nothing that could be left out: single steps, repaired if that helps.
    pub(super) fn find_minimal(
        &self,
        target: &Target,
        singles: &[(Option<usize>, Candidate)],
        steps: &mut Steps<'_>,
    ) -> Vec<Candidate> {
        let mut with_target: Vec<_> = singles.iter().filter(|(_, c)| c.broken.contains(target)).collect();
        // Changes of a key change derived fields too, which is of use only for cells.
        if !is_cell(&target.0) && with_target.iter().any(|(step, _)| step.is_some()) {
            with_target.retain(|(step, _)| step.is_some());
        }
        let starts = without_supersets(with_target, |(_, candidate)| &candidate.broken);
        let repaired = starts.into_iter().map(|(step, candidate)| match step {
            Some(step) => self.repair(target, *step, candidate, steps),
            None => candidate.clone(),
        });
        without_supersets(repaired.collect(), |candidate| &candidate.broken)
    }

    /// Takes further steps on the fields of what breaks with the target, as long as that helps and breaks nothing else:
    /// each time the step that leaves the fewest broken, the first of several.
    fn repair(&self, target: &Target, step: usize, start: &Candidate, steps: &mut Steps<'_>) -> Candidate {
        let Steps {
            all,
            paths,
            tried,
            near,
        } = steps;
        let (mut best, mut taken) = (start.clone(), vec![step]);
        for _ in 0..REPAIRS {
            let along = best.broken.iter().filter(|t| *t != target);
            let mut touched = Touched::default();
            along.for_each(|target| self.touch(target, &mut touched));
            let helps = |at: &usize| {
                let (key, value) = &all[*at];
                // Without the tensor nothing is left to break, which is no repair.
                paths[*at].as_ref().is_some_and(|path| touched.has(path))
                    && value != NULL
                    && taken.iter().all(|s| all[*s].0 != *key)
            };
            let aims = self.aims(&best.broken);
            let mut found: Option<(usize, Candidate)> = None;
            for at in (0..all.len()).filter(helps) {
                let left = found.as_ref().map_or(best.broken.len(), |(_, c)| c.broken.len());
                // Nothing is smaller than the target alone.
                if left == 1 {
                    break;
                }
                let repaired = tried.entry([&taken[..], &[at]].concat()).or_insert_with_key(|taken| {
                    let steps = taken
                        .iter()
                        .filter_map(|at| Some((all.get(*at)?, paths.get(*at)?.as_ref()?)));
                    self.try_repair(near.as_mut()?, steps.collect(), &aims)
                });
                if let Some(candidate) = repaired
                    .as_ref()
                    .filter(|c| c.broken.len() < left && c.broken.contains(target))
                {
                    found = Some((at, candidate.clone()));
                }
            }
            let Some((at, candidate)) = found else { break };
            best = candidate;
            taken.push(at);
        }
        best
    }

    /// The same, to be looked for in many descriptors.
    fn aims<'t>(&self, broken: &'t BTreeSet<Target>) -> Vec<Aim<'t>> {
        let aim = |(clause, tensor): &'t Target| {
            let Builder { program, operator, .. } = self.builder;
            program.aim(operator, clause, tensor.as_deref())
        };
        broken.iter().map(aim).collect()
    }

    /// Adds what the rule of a broken clause mentions.
    fn touch(&self, target: &Target, touched: &mut Touched) {
        let checks = self.builder.program.checks.iter().filter(|c| c.clause == target.0);
        for node in checks.flat_map(|c| c.text.iter().chain(&c.runtime)) {
            touched.add_rule(node);
        }
        let tensor = target.1.as_deref();
        if let Some(field) = tensor.and_then(|name| self.builder.operator.field_index(name)) {
            let parts = if is_cell(&target.0) { TYPE | SHAPE } else { ALL };
            touched.add(field, parts);
        }
    }

    /// The base with these overrides, if what it breaks is a part of `broken`, and smaller. Without the last of them it
    /// breaks all of that.
    fn try_repair(
        &self,
        near: &mut Scratch<'_>,
        mut steps: Vec<(&Override, &Path)>,
        broken: &[Aim<'_>],
    ) -> Option<Candidate> {
        let (_, last) = steps.last()?;
        let since = self.builder.changed_by(last);
        // In the order of ids.
        steps.sort_by_key(|(step, path)| (path.field(), *step));
        let spelled = steps
            .iter()
            .map(|((key, value), path)| (key.as_str(), (*path).clone(), value.as_str()));
        let mut overrides: Vec<(&str, Path, &str)> = spelled.collect();
        let built = self.builder.override_within(&mut overrides, near, (broken, &since))?;
        let given: Vec<Override> = steps.iter().map(|(step, _)| (*step).clone()).collect();
        let candidate = self.keep_in_bucket(self.id(&given), built)?;
        (candidate.broken.len() < broken.len()).then_some(candidate)
    }
}

/// The whole tensor, present or not.
const WHOLE: u8 = 1;
/// Its data type.
const TYPE: u8 = 2;
/// Its sizes, and how many there are.
const SHAPE: u8 = 4;
/// Everything of it.
const ALL: u8 = u8::MAX;

/// What rules mention: no other change can repair what they break.
#[derive(Default)]
struct Touched {
    /// Parts of a field, by its index.
    parts: BTreeMap<usize, u8>,
}

impl Touched {
    fn add(&mut self, field: usize, parts: u8) {
        *self.parts.entry(field).or_default() |= parts;
    }

    fn add_rule(&mut self, rule: &Node) {
        // Fields that stand below something that says which part counts.
        let mut told: Vec<&Node> = Vec::new();
        rule.walk(&mut |node| {
            let (of, parts) = match &node.op {
                Op::Prop(of, Prop::DataType) => (&**of, TYPE),
                Op::Prop(of, Prop::Sizes | Prop::DimensionCount) => (&**of, SHAPE),
                Op::Call(Func::Present, of) if matches!(of.as_slice(), [_]) => (&of[0], WHOLE),
                Op::Field(field) if !told.iter().any(|known| std::ptr::eq(*known, node)) => {
                    return self.add(*field, ALL);
                }
                _ => return,
            };
            if let Op::Field(field) = of.op {
                self.add(field, parts);
                told.push(of);
            }
        });
    }

    /// Whether a change of this path may repair something.
    fn has(&self, path: &Path) -> bool {
        let parts = match path {
            Path::Tensor(_, _, TensorPart::Whole) => WHOLE,
            Path::Tensor(_, _, TensorPart::DataType) => TYPE,
            Path::Tensor(_, _, TensorPart::Sizes | TensorPart::Size(_)) => SHAPE,
            Path::Tensor(..) => ALL & !(WHOLE | TYPE | SHAPE),
            _ => ALL,
        };
        self.parts
            .get(&path.field())
            .is_some_and(|touched| touched & parts != 0)
    }
}

/// The items whose set contains no other item's set; the first of equal sets.
fn without_supersets<T>(items: Vec<T>, set: impl Fn(&T) -> &BTreeSet<Target>) -> Vec<T> {
    let is_minimal = |(at, item): (usize, &T)| {
        let others = items.iter().enumerate().filter(|(other, _)| *other != at);
        let mut smaller = others.filter(|(_, other)| set(other).is_subset(set(item)));
        smaller.all(|(other, o)| set(o).len() == set(item).len() && other > at)
    };
    let keep: Vec<bool> = items.iter().enumerate().map(is_minimal).collect();
    let kept = items.into_iter().zip(keep).filter(|(_, keep)| *keep);
    kept.map(|(item, _)| item).collect()
}
