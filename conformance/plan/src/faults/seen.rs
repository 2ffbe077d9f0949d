//! Which of the candidates around one base after the other become cases: those that show something new.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::{
    Descriptor,
    model::{Text, Tier},
};

use super::{Faults, is_constant};
use crate::{
    builder::Builder,
    cells,
    neighbourhood::Candidate,
    target::{Target, is_cell},
};
use dml_case::id::CaseId;

/// Marks the field whose total size is not rounded up: what does that may otherwise break the same as a smaller one.
const UNROUNDED: &str = ", not rounded";

/// What cases there are already.
#[derive(Default)]
pub(super) struct Seen {
    /// What a field breaks, and how.
    ways: BTreeSet<(BTreeSet<Target>, String)>,
    /// What smoke breaks.
    smoke: BTreeSet<BTreeSet<Target>>,
    /// Clauses on tensors that something breaks.
    targets: BTreeSet<Target>,
    /// Whether a total size lacks only what it is rounded up by.
    unrounded: bool,
}

impl Seen {
    /// Whether something breaks every clause on every tensor, that of tables apart.
    pub(super) fn has_all(&self, builder: &Builder<'_>) -> bool {
        let rounds = self.unrounded || !has_narrow_types(builder);
        rounds
            && builder.program.checks.iter().all(|check| {
                let tensor = check.subject.and_then(|field| builder.operator.fields.get(field));
                let name = tensor.map(|field| &*field.name);
                let is_it = |(clause, on): &Target| {
                    let on = on.as_deref().map(|on| on.split('[').next().unwrap_or(on));
                    *clause == check.clause && on == name
                };
                is_cell(&check.clause) || self.targets.iter().any(is_it)
            })
    }

    /// Of the candidates around a base those that show something new, with the lowest tier of each.
    pub(super) fn choose(&mut self, builder: &Builder<'_>, found: Faults) -> Vec<(Candidate, Tier)> {
        let mut ways: BTreeMap<(BTreeSet<Target>, String), Vec<Candidate>> = BTreeMap::new();
        for candidate in found.chosen.into_iter().chain(found.controls) {
            let mut field = field_of(builder, &candidate.id);
            if !candidate.broken.is_empty() && is_unrounded(builder, &candidate.built.descriptor) {
                field += UNROUNDED;
                self.unrounded = true;
            }
            let way = (candidate.broken.clone(), field);
            ways.entry(way).or_default().push(candidate);
        }
        let mut chosen = Vec::new();
        for (way, mut candidates) in ways {
            let broken = way.0.clone();
            // A cell forbidden besides may be allowed at a higher level.
            if !broken.iter().any(|target| is_cell(&target.0)) {
                self.targets.extend(broken.iter().cloned());
            }
            // Constants are no numbers: between the first and the last are those that are one in eight or sixteen bits.
            if !is_constant(builder, &way.1) {
                let last = candidates.len().saturating_sub(1);
                let mut at = 0..;
                candidates.retain(|_| at.next().is_some_and(|at| at == 0 || at == last));
            }
            if !self.ways.insert(way) {
                continue;
            }
            for candidate in candidates {
                let is_first = !broken.is_empty() && self.smoke.insert(broken.clone());
                chosen.push((candidate, if is_first { Tier::Smoke } else { Tier::Standard }));
            }
        }
        chosen
    }
}

/// Whether the total size of a tensor is that of its elements, but not rounded up.
fn is_unrounded(builder: &Builder<'_>, descriptor: &Descriptor) -> bool {
    cells::tensors(descriptor).any(|(_, tensor)| {
        let bits = builder
            .suite
            .catalog
            .data_type(tensor.data_type)
            .map_or(0, |ty| ty.bits);
        let of_four_bytes = tensor.minimum_total_size(32);
        let exact = of_four_bytes.and_then(|bytes| (bytes / 4).checked_mul(u64::from(bits / 8)));
        let needed = tensor.minimum_total_size(bits);
        let range = exact.zip(needed).map(|(exact, needed)| exact..needed);
        range.is_some_and(|range| range.contains(&tensor.total_tensor_size_in_bytes))
    })
}

/// Whether a table allows elements of fewer than four bytes.
fn has_narrow_types(builder: &Builder<'_>) -> bool {
    let rows = builder.operator.support.iter().flat_map(|table| table.rows.iter());
    let is_narrow = |name: &Text| {
        builder
            .suite
            .catalog
            .data_type_named(name)
            .is_some_and(|ty| ty.bits < 32)
    };
    rows.flat_map(|row| row.types.iter()).any(is_narrow)
}

/// The fields that a candidate changes, without places in lists; keys of bases if it changes those.
fn field_of(builder: &Builder<'_>, id: &CaseId) -> String {
    let is_key = |key: &str| builder.recipe.keys.iter().any(|(name, _)| name == key);
    let overrides = id.params().filter(|(key, _)| !is_key(key));
    let named = |key: &str| {
        let parts = key.split('.').filter(|part| part.parse::<u32>().is_err());
        parts.collect::<Vec<_>>().join(".")
    };
    overrides.map(|(key, _)| named(key)).collect::<Vec<_>>().join(",")
}
