//! Faults: descriptors that break one clause and as little else as possible, and valid neighbours.
//!
//! Every override of one field is tried on every base descriptor. One that breaks exactly one clause on one tensor is a
//! case, and so is one that breaks nothing (a *control*). A clause that no override breaks alone is *coupled*: further
//! overrides are tried that repair some of what breaks with it and break nothing else. Every minimal set of broken
//! clauses is kept. A set that is small only because another clause hides the rest would not do, because a backend may
//! refuse the descriptor for that clause alone.

use std::{collections::BTreeSet, ops::ControlFlow};

use dml_spec::{Descriptor, model::Generator};

use crate::{
    bucket::Bucket,
    neighbourhood::{Candidate, Neighbourhood},
    overrides::Override,
    sweep::Walk,
    target::{Target, is_cell},
};
use dml_case::{case::Case, id::MAX_LENGTH};
use dml_spec::path::{self, Path, TensorPart};

/// The faults around one base.
#[derive(Debug, Default)]
pub struct Faults {
    /// Candidates that become cases, in order.
    pub chosen: Vec<Candidate>,
    /// Valid neighbours.
    pub controls: Vec<Candidate>,
}

/// Builds the faults around the bases of a sweep.
pub fn for_each_fault(
    walk: &Walk<'_>,
    family: &str,
    generator: Generator,
    visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let builder = &walk.builder;
    let mut bases = Vec::new();
    let _ = for_each_base(walk, &mut |params| bases.push(params.to_vec()));
    for params in bases {
        let around = Neighbourhood::new(builder, walk.bucket, params);
        if builder.is_forbidden_type(walk.bucket) {
            // The data type alone is the fault: every further override belongs to the buckets of allowed types.
            if let Ok(case) = builder.case(around.id(&[]), walk.bucket.family) {
                visit(case)?;
            }
            continue;
        }
        let Some(base) = around.try_overrides(&[]) else {
            continue;
        };
        if !base.broken.is_empty() {
            // A base that is invalid at this level has no neighbourhood. If only the table of a group forbids it, it is
            // a fault itself.
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
        let faults = around.choose_faults(generator);
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

/// Calls `visit` with the keys of every base that belongs to the bucket. A data type that the table forbids starts
/// from the bases of all other types.
pub fn for_each_base(walk: &Walk<'_>, visit: &mut dyn FnMut(&[Override])) -> ControlFlow<()> {
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

impl Neighbourhood<'_> {
    /// Chooses the faults around the base.
    pub fn choose_faults(&self, generator: Generator) -> Faults {
        let mut steps = self.steps();
        let mut singles: Vec<(Option<usize>, Candidate)> = Vec::new();
        singles.extend(
            self.try_overrides(&[])
                .filter(|_| generator == Generator::Support)
                .map(|c| (None, c)),
        );
        singles.extend(self.list_key_changes(generator).into_iter().filter_map(|id| {
            let descriptor = self.builder.before_overrides(&id).ok()?;
            Some((None, self.candidate(id, descriptor)?))
        }));
        for (at, step) in steps.all.iter().enumerate() {
            singles.extend(self.try_overrides(std::slice::from_ref(step)).map(|c| (Some(at), c)));
        }
        if generator == Generator::Faults {
            let reaching = self.list_overreaching(&steps.all, &singles);
            singles.extend(reaching.into_iter().map(|candidate| (None, candidate)));
        }
        let is_asked = |target: &Target| is_cell(&target.0) == (generator == Generator::Support);
        let mut faults = Faults::default();
        let mut alone: BTreeSet<&Target> = BTreeSet::new();
        for (_, candidate) in &singles {
            match candidate.broken.iter().next() {
                None if generator == Generator::Faults => faults.controls.push(candidate.clone()),
                Some(target) if candidate.broken.len() == 1 && is_asked(target) => {
                    alone.insert(target);
                    faults.chosen.push(candidate.clone());
                }
                _ => {}
            }
        }
        let coupled: BTreeSet<&Target> = singles
            .iter()
            .flat_map(|(_, c)| &c.broken)
            .filter(|t| is_asked(t) && !alone.contains(t))
            .collect();
        for target in coupled {
            for chosen in self.find_minimal(target, &singles, &mut steps) {
                if !faults.chosen.iter().any(|c| c.id == chosen.id) {
                    faults.chosen.push(chosen);
                }
            }
        }
        faults
    }

    /// Strides with which a tensor reaches past its total size, which is unchanged. No single override does that: the
    /// total size follows the strides unless it is set too.
    fn list_overreaching(&self, steps: &[Override], singles: &[(Option<usize>, Candidate)]) -> Vec<Candidate> {
        let reaching = singles.iter().filter_map(|(step, candidate)| {
            let step = steps.get((*step)?)?;
            let Path::Tensor(field, element, TensorPart::Strides) = Path::parse(self.builder.operator, &step.0).ok()?
            else {
                return None;
            };
            let total = |of: &Descriptor| Some(path::tensor(of, field, element)?.total_tensor_size_in_bytes);
            let unchanged = total(self.descriptor()?)?;
            if total(&candidate.built.descriptor)? <= unchanged {
                return None;
            }
            let key = step.0.replace("Strides", "TotalTensorSizeInBytes");
            let both = [step.clone(), (key, unchanged.to_string())];
            self.try_overrides(&both)
                .filter(|candidate| candidate.id.as_str().len() <= MAX_LENGTH)
        });
        reaching.collect()
    }
}
