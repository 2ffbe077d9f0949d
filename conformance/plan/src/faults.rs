//! Faults: descriptors that break one clause, and as little else as can be, beside valid neighbours.
//!
//! From every base descriptor all single steps are tried. A step that breaks exactly one clause on one tensor is a
//! case, and so is one that breaks nothing (a *control*). A clause that no single step breaks alone is *coupled*:
//! further steps that repair some of what breaks with it, and break nothing else, are tried. Every set that has no
//! smaller one within it is kept: a set that is small only because another clause hides the rest would not do, for a
//! backend may refuse it on account of that clause alone.

use std::{
    collections::BTreeSet,
    ops::ControlFlow,
    sync::{Arc, OnceLock},
};

use dml_spec::{Descriptor, FeatureLevel, model::Generator, program::Violation};

use crate::{
    Bucket,
    build::{Builder, Made},
    counts,
    moves::{Move, moves, near, resized_text},
    sweep::{Walk, sets_sizes},
};
use dml_case::path::{self, MANY, Path, TensorPart, dims};
use dml_case::{
    case::Case,
    id::{CaseId, MAX_LENGTH},
};

/// A clause on a tensor: what a fault breaks.
pub type Target = (String, Option<String>);

/// A descriptor near a base, and what it breaks.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its id.
    pub id: CaseId,
    /// What it breaks.
    pub broken: BTreeSet<Target>,
    made: Arc<Made>,
}

impl Candidate {
    /// Its case.
    fn case(self, builder: &Builder<'_>, family: usize) -> Option<Case> {
        let made = Arc::unwrap_or_clone(self.made);
        builder.with_data(self.id, made, family).ok()
    }
}

/// The faults around one base.
#[derive(Debug, Default)]
pub struct Faults {
    /// Candidates that become cases, in order.
    pub chosen: Vec<Candidate>,
    /// Valid neighbours.
    pub controls: Vec<Candidate>,
}

/// Walks the faults around the bases of a sweep.
pub fn cases(
    walk: &Walk<'_>,
    family: &str,
    generator: Generator,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let builder = &walk.builder;
    let mut bases = Vec::new();
    let _ = bases_of(walk, &mut |params| bases.push(params.to_vec()));
    for params in bases {
        let around = Around::new(builder, walk.bucket, params);
        if builder.is_forbidden_type(walk.bucket) {
            // The data type alone is the fault: every further step belongs to the buckets of allowed types.
            if let Ok(case) = builder.case(around.id(&[]), walk.bucket.family) {
                visit(case)?;
            }
            continue;
        }
        let Some(base) = around.try_moves(&[]) else { continue };
        if !base.broken.is_empty() {
            // A base that is not valid at this level has no neighbourhood to speak of, but where a group's table
            // forbids what another allows it is a fault itself.
            let forbidden = base.broken.iter().all(|target| is_cell(&target.0));
            if generator == Generator::Support
                && forbidden
                && !builder.operator.groups.is_empty()
                && let Some(case) = base.case(builder, walk.bucket.family)
            {
                visit(case)?;
            }
            continue;
        }
        let faults = around.faults(generator);
        if generator == Generator::Faults {
            // The valid twin itself.
            if let Ok(case) = builder.case(around.id(&[]), walk.bucket.family) {
                visit(case)?;
            }
        }
        for candidate in faults.chosen.into_iter().chain(faults.controls) {
            debug_assert_eq!(candidate.id.family(), family);
            if let Some(case) = candidate.case(builder, walk.bucket.family) {
                visit(case)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Calls `visit` with the keys of every base that belongs to the bucket. A data type that the table forbids is
/// reached from the bases of all other types.
pub fn bases_of(walk: &Walk<'_>, visit: &mut dyn FnMut(&[Move])) -> ControlFlow<()> {
    let builder = &walk.builder;
    if !builder.is_forbidden_type(walk.bucket) {
        return walk.keys(&mut |params, _| {
            visit(params);
            ControlFlow::Continue(())
        });
    }
    let Some(type_key) = builder.recipe.type_key() else {
        return ControlFlow::Continue(());
    };
    let mut seen = BTreeSet::new();
    for data_type in builder.suite.catalog.data_types.iter() {
        let bucket = Bucket {
            data_type: data_type.name.to_string(),
            ..walk.bucket.clone()
        };
        let other = Walk {
            builder: *builder,
            bucket: &bucket,
            sweep: walk.sweep,
            seed: walk.seed,
        };
        other.keys(&mut |params, _| {
            let mut params = params.to_vec();
            params[type_key].1.clone_from(&walk.bucket.data_type);
            if seen.insert(params.clone()) {
                visit(&params);
            }
            ControlFlow::Continue(())
        })?;
    }
    ControlFlow::Continue(())
}

impl Builder<'_> {
    /// Whether the bucket's data type is one that the table forbids where the type key sets it.
    pub fn is_forbidden_type(&self, bucket: &Bucket) -> bool {
        let Some((_, path)) = self.recipe.type_key().and_then(|key| self.recipe.keys.get(key)) else {
            return false;
        };
        let table = self.operator.table_at(bucket.level);
        let tensor = &self.operator.fields[path.field()].name;
        let mut rows = table.into_iter().flat_map(|table| table.rows_of(tensor));
        !rows.any(|row| row.allows_type(&bucket.data_type))
    }
}

/// The neighbourhood of one base.
pub struct Around<'a> {
    /// Builds descriptors.
    pub builder: &'a Builder<'a>,
    /// Level, family, data type.
    pub bucket: &'a Bucket,
    /// Keys of the base.
    pub base: Vec<Move>,
    /// The base's descriptor, once it was needed.
    descriptor: OnceLock<Option<Descriptor>>,
}

impl<'a> Around<'a> {
    /// The neighbourhood of the base with these keys.
    pub fn new(builder: &'a Builder<'a>, bucket: &'a Bucket, base: Vec<Move>) -> Self {
        Self {
            builder,
            bucket,
            base,
            descriptor: OnceLock::new(),
        }
    }

    /// The base's descriptor; `None` where it cannot be built.
    pub(super) fn descriptor(&self) -> Option<&Descriptor> {
        let made = || self.builder.before_overrides(&self.id(&[])).ok();
        self.descriptor.get_or_init(made).as_ref()
    }

    /// Id of the base with these overrides, put in canonical order.
    pub fn id(&self, overrides: &[Move]) -> CaseId {
        let mut overrides: Vec<(usize, &Move)> = overrides
            .iter()
            .map(|m| {
                (
                    Path::parse(self.builder.operator, &m.0).map_or(usize::MAX, |p| p.field()),
                    m,
                )
            })
            .collect();
        overrides.sort();
        let params = self.base.iter().chain(overrides.into_iter().map(|(_, m)| m));
        self.bucket.id(self.builder, params.map(|(key, value)| (key, value)))
    }

    /// What the base with these overrides breaks; `None` where it cannot be built.
    pub fn try_moves(&self, overrides: &[Move]) -> Option<Candidate> {
        self.candidate(self.id(overrides), self.descriptor()?.clone())
    }

    /// The candidate of an id whose descriptor is this one before anything is overridden.
    fn candidate(&self, id: CaseId, descriptor: Descriptor) -> Option<Candidate> {
        let made = self.builder.overridden(&id, descriptor).ok()?;
        self.of_bucket(id, made)
    }

    /// The candidate, where it makes sense and no other bucket has it.
    pub(super) fn of_bucket(&self, id: CaseId, made: Made) -> Option<Candidate> {
        let descriptor = &made.descriptor;
        if !counts::agree(self.builder.operator, descriptor) || self.is_of_another_bucket(&id, descriptor) {
            return None;
        }
        Some(Candidate {
            id,
            broken: targets(&made.violations),
            made: Arc::new(made),
        })
    }

    /// Whether an override of the data type that the type key sets makes what the key itself makes. Where the table
    /// forbids that type, the bucket of that type holds the descriptor.
    fn is_of_another_bucket(&self, id: &CaseId, descriptor: &Descriptor) -> bool {
        let builder = self.builder;
        let Some((name, path)) = builder.recipe.type_key().and_then(|key| builder.recipe.keys.get(key)) else {
            return false;
        };
        let is_key = |key: &str| builder.recipe.keys.iter().any(|(name, _)| name == key);
        let overrides = |key: &str| Path::parse(builder.operator, key).is_ok_and(|other| other == *path);
        let Some((at, data_type)) = id.params().find(|(key, _)| !is_key(key) && overrides(key)) else {
            return false;
        };
        let bucket = Bucket {
            data_type: data_type.to_owned(),
            ..self.bucket.clone()
        };
        if !builder.is_forbidden_type(&bucket) {
            return false;
        }
        let params = id.params().filter(|(key, _)| *key != at);
        let params = params.map(|(key, value)| (key, if key == name { data_type } else { value }));
        let by_key = bucket.id(builder, params);
        builder.descriptor(&by_key).is_ok_and(|other| other == *descriptor)
    }

    /// All single steps of the base's fields.
    pub fn moves(&self) -> Vec<Move> {
        let base = self.descriptor();
        base.map(|base| moves(&self.builder.suite.catalog, self.builder.operator, base))
            .unwrap_or_default()
    }

    /// Steps along a key, which everything derived follows. For support: another number of dimensions, or another
    /// data type where a key other than the first sets one. For constraints: another number.
    fn key_moves(&self, generator: Generator) -> Vec<CaseId> {
        let support = generator == Generator::Support;
        let mut found = Vec::new();
        for (at, (name, path)) in self.builder.recipe.keys.iter().enumerate() {
            let Some((_, value)) = self.base.get(at).filter(|(key, _)| key == name) else {
                continue;
            };
            let mut change = |text: String| {
                let mut base = self.base.clone();
                base[at].1 = text;
                found.push(self.bucket.id(self.builder, base));
            };
            match (path, support) {
                (Path::Attribute(_), false) => {
                    let numbers = value.parse().map(near).unwrap_or_default();
                    numbers.into_iter().for_each(|n| change(n.to_string()));
                }
                (path, true) if sets_sizes(path) => {
                    let first = value.split(MANY).next().unwrap_or_default();
                    let rank = dims(first).ok().flatten().map_or(0, |sizes| sizes.len());
                    (1..=8)
                        .filter(|r| *r != rank)
                        .for_each(|r| change(resized_text(value, r)));
                }
                (path, true) if path.is_data_type() && self.builder.recipe.type_key() != Some(at) => {
                    let types = self.builder.suite.catalog.data_types.iter();
                    types
                        .filter(|t| t.name != *value)
                        .for_each(|t| change(t.name.to_string()));
                }
                _ => {}
            }
        }
        found
    }

    /// Chooses the faults around the base.
    pub fn faults(&self, generator: Generator) -> Faults {
        let mut steps = self.steps();
        let mut singles: Vec<(Option<usize>, Candidate)> = Vec::new();
        singles.extend(
            self.try_moves(&[])
                .filter(|_| generator == Generator::Support)
                .map(|c| (None, c)),
        );
        singles.extend(self.key_moves(generator).into_iter().filter_map(|id| {
            let descriptor = self.builder.before_overrides(&id).ok()?;
            Some((None, self.candidate(id, descriptor)?))
        }));
        for (at, step) in steps.all.iter().enumerate() {
            singles.extend(self.try_moves(std::slice::from_ref(step)).map(|c| (Some(at), c)));
        }
        if generator == Generator::Faults {
            let reaching = self.overreaching(&steps.all, &singles);
            singles.extend(reaching.into_iter().map(|candidate| (None, candidate)));
        }
        let wanted = |target: &Target| self.is_cell(&target.0) == (generator == Generator::Support);
        let mut faults = Faults::default();
        let mut alone: BTreeSet<&Target> = BTreeSet::new();
        for (_, candidate) in &singles {
            match candidate.broken.iter().next() {
                None if generator == Generator::Faults => faults.controls.push(candidate.clone()),
                Some(target) if candidate.broken.len() == 1 && wanted(target) => {
                    alone.insert(target);
                    faults.chosen.push(candidate.clone());
                }
                _ => {}
            }
        }
        let coupled: BTreeSet<&Target> = singles
            .iter()
            .flat_map(|(_, c)| &c.broken)
            .filter(|t| wanted(t) && !alone.contains(t))
            .collect();
        for target in coupled {
            for chosen in self.minimal(target, &singles, &mut steps) {
                if !faults.chosen.iter().any(|c| c.id == chosen.id) {
                    faults.chosen.push(chosen);
                }
            }
        }
        faults
    }

    /// Strides with which a tensor reaches further than its total size, which stays what it was. No single step breaks
    /// that rule so: the total size follows strides that are set.
    fn overreaching(&self, steps: &[Move], singles: &[(Option<usize>, Candidate)]) -> Vec<Candidate> {
        let reaching = singles.iter().filter_map(|(step, candidate)| {
            let step = steps.get((*step)?)?;
            let Path::Tensor(field, element, TensorPart::Strides) = Path::parse(self.builder.operator, &step.0).ok()?
            else {
                return None;
            };
            let total = |of: &Descriptor| Some(path::tensor(of, field, element)?.total_tensor_size_in_bytes);
            let unchanged = total(self.descriptor()?)?;
            if total(&candidate.made.descriptor)? <= unchanged {
                return None;
            }
            let key = step.0.replace("Strides", "TotalTensorSizeInBytes");
            let both = [step.clone(), (key, unchanged.to_string())];
            self.try_moves(&both)
                .filter(|candidate| candidate.id.as_str().len() <= MAX_LENGTH)
        });
        reaching.collect()
    }

    /// Whether a clause id names a support cell: `TOP_K1/5.0/…`.
    pub fn is_cell(&self, clause: &str) -> bool {
        is_cell(clause)
    }
}

/// Whether a clause id names a support cell: `TOP_K1/5.0/…`.
pub fn is_cell(clause: &str) -> bool {
    clause
        .split('/')
        .nth(1)
        .is_some_and(|part| part.parse::<FeatureLevel>().is_ok())
}

/// A target in words.
pub fn spell(target: &Target) -> String {
    match &target.1 {
        Some(tensor) if target.0.starts_with("TENSOR/") => format!("{} on {tensor}", target.0),
        _ => target.0.clone(),
    }
}

/// Whether a violation is of this target.
pub(super) fn is_of((clause, tensor): &Target, violation: &Violation) -> bool {
    *clause == *violation.clause && tensor.as_deref() == violation.tensor.as_deref()
}

/// What violations amount to.
pub fn targets(violations: &[Violation]) -> BTreeSet<Target> {
    violations
        .iter()
        .map(|v| (v.clause.to_string(), v.tensor.as_ref().map(ToString::to_string)))
        .collect()
}
