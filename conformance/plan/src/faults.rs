//! Cells of the tables and faults: descriptors that break one clause and as little else as possible, and valid neighbours.
//!
//! Every override of one field is tried on every base, a valid descriptor. One that breaks exactly one clause on one
//! tensor is a candidate, and so is one that breaks nothing (a *control*). A clause that no override breaks alone is
//! *coupled*: further overrides are tried that repair some of what breaks with it and break nothing else. Every minimal
//! set of broken clauses is kept. A set that is small only because another clause hides the rest would not do, because a
//! backend may refuse the descriptor for that clause alone.
//!
//! Of the candidates that break the same by the same field the first and the last become cases: numbers are tried in
//! ascending order, so that these are a border and an extreme. Of constants all do.

mod seen;

use std::collections::BTreeSet;

use dml_spec::{
    Descriptor, FeatureLevel,
    model::{Family, FieldKind, Tier},
};

use self::seen::Seen;
use crate::{
    bucket::{Bucket, Gathered},
    builder::Builder,
    design::{self, Parameter},
    neighbourhood::{Candidate, Neighbourhood},
    overrides::Override,
    target::{Target, broken_targets, is_cell},
    verdict,
};
use dml_case::id::{CaseId, MAX_LENGTH};
use dml_spec::path::{Path, TensorPart};

/// The candidates around one base.
#[derive(Debug, Default)]
pub struct Faults {
    /// Those that break something, in order.
    pub chosen: Vec<Candidate>,
    /// Valid neighbours.
    pub controls: Vec<Candidate>,
}

/// A level with a table, and the keys of the valid descriptors around which its faults lie.
pub(crate) type Bases = (FeatureLevel, Vec<Vec<Override>>);

/// Adds a case for each cell of the tables: allowed ones run.
pub(crate) fn add_cells(builder: &Builder<'_>, parameters: &[Parameter], bases: &[Bases], all: &mut Gathered) {
    for (level, bases) in bases {
        for id in design::allowed_cells(builder, parameters, *level) {
            all.add(id, Family::Support, Tier::Smoke);
        }
        let mut seen = BTreeSet::new();
        for base in bases {
            for candidate in forbidden_cells(builder, *level, base, &mut seen) {
                let built = &candidate.built.descriptor;
                all.add_created(candidate.id.clone(), built, Family::Support, Tier::Smoke);
            }
        }
    }
}

/// Descriptors around a base that break a cell of the tables which none before it breaks.
fn forbidden_cells(
    builder: &Builder<'_>,
    level: FeatureLevel,
    base: &[Override],
    seen: &mut BTreeSet<BTreeSet<Target>>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let own = bucket_of(builder, level, Family::Support, base);
    let around = Neighbourhood::new(builder, &own, base.to_vec());
    let mut is_first_alone = true;
    // A data type of the first tensor, which the types of others follow.
    if let Some((at, (name, _))) = builder.recipe.type_key().map(|key| (key, &builder.recipe.keys[key])) {
        for ty in builder.suite.catalog.data_types.iter() {
            let mut changed = base.to_vec();
            changed[at] = (name.clone(), ty.name.to_string());
            let bucket = bucket_of(builder, level, Family::Support, &changed);
            if !builder.is_forbidden_type(&bucket) {
                continue;
            }
            // Other keys that set a type follow, one of them if that is enough.
            let mut followed = vec![changed.clone()];
            for (other, (name, _)) in type_keys(builder).filter(|(other, _)| *other != at) {
                let mut changed = changed.clone();
                changed[other] = (name.clone(), ty.name.to_string());
                followed.push(changed);
            }
            let mut tried = followed
                .into_iter()
                .filter_map(|keys| Neighbourhood::new(builder, &bucket, keys).try_overrides(&[]))
                .peekable();
            // Alone, of one type: what ties it to others breaks as well.
            let alone = tried.peek().filter(|_| ty.bits > 0 && is_first_alone);
            let alone = alone
                .filter(|candidate| breaks_one_cell_and_more(&candidate.broken))
                .cloned();
            is_first_alone &= alone.is_none();
            let together = tried.find(|candidate| candidate.broken.iter().all(|target| is_cell(&target.0)));
            for candidate in together.into_iter().chain(alone) {
                if seen.insert(candidate.broken.clone()) {
                    found.push(candidate);
                }
            }
        }
    }
    // What a base before this one breaks, with one other clause at most, needs no repairs here: what breaks alone is found
    // without them.
    let known = seen
        .iter()
        .filter(|broken| broken.len() <= 2)
        .flatten()
        .cloned()
        .collect();
    for candidate in around.choose_faults(Family::Support, &known).chosen {
        if seen.insert(candidate.broken.clone()) {
            found.push(candidate);
        }
    }
    found
}

/// Whether this is a cell of a table and something that is none.
fn breaks_one_cell_and_more(broken: &BTreeSet<Target>) -> bool {
    broken.len() > 1 && broken.iter().filter(|target| is_cell(&target.0)).count() == 1
}

/// The keys that set a data type, with their places.
fn type_keys<'a>(builder: &'a Builder<'_>) -> impl Iterator<Item = (usize, &'a (String, Path))> {
    let keys = builder.recipe.keys.iter().enumerate();
    keys.filter(|(_, (_, path))| path.is_data_type())
}

/// The bucket of a base.
pub fn bucket_of(builder: &Builder<'_>, level: FeatureLevel, family: Family, base: &[Override]) -> Bucket {
    let mut operators = builder.suite.catalog.operators.iter();
    let key = builder.recipe.type_key();
    Bucket {
        operator: operators
            .position(|of| of.name == builder.operator.name)
            .unwrap_or_default(),
        level,
        family,
        data_type: key
            .and_then(|key| base.get(key))
            .map(|(_, ty)| ty.clone())
            .unwrap_or_default(),
    }
}

/// Adds what breaks each clause on each tensor, at the lowest level, so that the plan of each level is complete; at a higher
/// one what breaks something else there, and what nothing breaks below it.
pub(crate) fn add_faults(builder: &Builder<'_>, bases: &[Bases], all: &mut Gathered) {
    let mut seen = Seen::default();
    for (at, (level, own)) in bases.iter().enumerate() {
        if at > 0 && seen.has_all(builder) {
            break;
        }
        for base in own {
            let bucket = bucket_of(builder, *level, Family::Faults, base);
            let around = Neighbourhood::new(builder, &bucket, base.clone());
            let found = around.choose_faults(Family::Faults, &BTreeSet::new());
            for (candidate, lowest) in seen.choose(builder, found) {
                for (higher, _) in bases.iter().skip(at + 1) {
                    if let Some(id) = breaks_otherwise(builder, &candidate, *higher) {
                        all.add_created(id, &candidate.built.descriptor, Family::Faults, Tier::Standard);
                    }
                }
                all.add_created(
                    candidate.id.clone(),
                    &candidate.built.descriptor,
                    Family::Faults,
                    lowest,
                );
            }
            // The valid twin itself.
            if let Some(twin) = around.try_overrides(&[]) {
                let lowest = if at == 0 { Tier::Smoke } else { Tier::Standard };
                all.add_created(twin.id.clone(), &twin.built.descriptor, Family::Faults, lowest);
            }
        }
    }
}

/// The id of a candidate at another level, if something else than cells makes a difference there.
fn breaks_otherwise(builder: &Builder<'_>, candidate: &Candidate, level: FeatureLevel) -> Option<CaseId> {
    let violations = builder.program.evaluate(
        &builder.suite.catalog,
        builder.operator,
        &candidate.built.descriptor,
        level,
    );
    let broken = broken_targets(&violations);
    let rejected = |violations: &[_]| verdict::from_violations(violations).is_rejection();
    let differs = broken != candidate.broken || rejected(&violations) != rejected(&candidate.built.violations);
    let of_table = broken.iter().any(|target| is_cell(&target.0));
    let id = CaseId::new(
        candidate.id.operator(),
        level,
        candidate.id.family(),
        candidate.id.params(),
    );
    (differs && !of_table).then_some(id)
}

/// Whether a field is one of an enumeration's constants.
fn is_constant(builder: &Builder<'_>, field: &str) -> bool {
    let field = builder.operator.fields.iter().find(|of| of.name == field);
    field.is_some_and(|field| matches!(field.kind, FieldKind::Enum(_)))
}

impl Neighbourhood<'_> {
    /// Chooses what is worth a case around the base: of cells of the tables, or of all other clauses. What is `known`
    /// already is not searched for by repairs.
    pub fn choose_faults(&self, family: Family, known: &BTreeSet<Target>) -> Faults {
        let mut steps = self.steps();
        let mut singles: Vec<(Option<usize>, Candidate)> = Vec::new();
        singles.extend(self.list_key_changes(family).into_iter().filter_map(|id| {
            let descriptor = self.builder.before_overrides(&id).ok()?;
            Some((None, self.candidate(id, descriptor)?))
        }));
        for (at, step) in steps.all.iter().enumerate() {
            if family == Family::Support && !self.may_break_cell(step) {
                continue;
            }
            singles.extend(self.try_overrides(std::slice::from_ref(step)).map(|c| (Some(at), c)));
        }
        if family == Family::Faults {
            let reaching = self.list_overreaching(&steps.all, &singles);
            singles.extend(reaching.into_iter().map(|candidate| (None, candidate)));
        }
        let is_asked = |target: &Target| is_cell(&target.0) == (family == Family::Support);
        let mut faults = Faults::default();
        let mut alone: BTreeSet<&Target> = BTreeSet::new();
        for (_, candidate) in &singles {
            match candidate.broken.iter().next() {
                None if family == Family::Faults => faults.controls.push(candidate.clone()),
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
            .filter(|t| is_asked(t) && !alone.contains(t) && !known.contains(t))
            .collect();
        for target in coupled {
            for chosen in self.find_minimal(target, &singles, &mut steps) {
                if !faults.chosen.iter().any(|c| c.id == chosen.id) {
                    faults.chosen.push(chosen);
                }
            }
        }
        let more = match family {
            Family::Support => self.retyped_alone(&singles, &steps.all),
            _ => self.farthest(&faults.chosen, &singles, &steps.all),
        };
        for candidate in more {
            if !faults.chosen.iter().any(|known| known.id == candidate.id) {
                faults.chosen.push(candidate);
            }
        }
        // One mistake in all tensors at once, which a backend that compares tensors alone does not see.
        let tied = singles.into_iter().filter(|(step, candidate)| {
            step.is_none()
                && candidate.broken.len() > 1
                && candidate.broken.iter().all(is_asked)
                && !faults.chosen.iter().any(|known| known.id == candidate.id)
        });
        faults
            .chosen
            .extend(tied.map(|(_, candidate)| candidate).collect::<Vec<_>>());
        let is_short = |candidate: &Candidate| candidate.id.as_str().len() <= MAX_LENGTH;
        faults.chosen.retain(is_short);
        faults.controls.retain(is_short);
        faults
    }

    /// Of each row of a table a tensor that has a type which the row lacks, alone: what ties it to others breaks as well.
    fn retyped_alone(&self, singles: &[(Option<usize>, Candidate)], steps: &[Override]) -> Vec<Candidate> {
        let mut rows = BTreeSet::new();
        let mut found = Vec::new();
        let is_retyped = |(key, ty): &Override| {
            let ty = self.builder.suite.catalog.data_type_named(ty);
            key.ends_with(".DataType") && ty.is_some_and(|ty| ty.bits > 0)
        };
        for (step, candidate) in singles {
            let step = step.and_then(|at| steps.get(at));
            let cell = candidate.broken.iter().find(|target| is_cell(&target.0));
            let row = cell
                .and_then(|cell| cell.0.rsplit_once('/'))
                .map(|(row, _)| row.to_owned());
            let is_tied = breaks_one_cell_and_more(&candidate.broken) && step.is_some_and(is_retyped);
            if is_tied && rows.insert(row) {
                found.push(candidate.clone());
            }
        }
        found
    }

    /// Beside numbers that break several clauses at once the last that breaks the same.
    fn farthest(
        &self,
        chosen: &[Candidate],
        singles: &[(Option<usize>, Candidate)],
        steps: &[Override],
    ) -> Vec<Candidate> {
        let key = |step: &Option<usize>| step.and_then(|at| steps.get(at)).map(|step| &step.0);
        let is_number = |key: &str| matches!(Path::parse(self.builder.operator, key), Ok(Path::Attribute(_)));
        let several = chosen.iter().filter(|candidate| candidate.broken.len() > 1);
        let far = several.filter_map(|candidate| {
            let (step, _) = singles.iter().find(|(_, single)| single.id == candidate.id)?;
            let own = key(step).filter(|key| is_number(key) && !is_constant(self.builder, key))?;
            let mut from_last = singles.iter().rev();
            from_last.find(|(step, single)| key(step) == Some(own) && single.broken == candidate.broken)
        });
        far.map(|(_, candidate)| candidate.clone()).collect()
    }

    /// Whether an override changes what cells of the tables are about: a data type, dimension counts, or an attribute that
    /// decides between rows.
    fn may_break_cell(&self, step: &Override) -> bool {
        let path = Path::parse(self.builder.operator, &step.0);
        let Ok(Path::Tensor(_, _, part)) = path else {
            return true;
        };
        matches!(part, TensorPart::Whole | TensorPart::DataType | TensorPart::Sizes)
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
            let total = |of: &Descriptor| Some(dml_spec::path::tensor(of, field, element)?.total_tensor_size_in_bytes);
            let unchanged = total(self.descriptor()?)?;
            if total(&candidate.built.descriptor)? <= unchanged {
                return None;
            }
            let key = step.0.replace("Strides", "TotalTensorSizeInBytes");
            let both = [step.clone(), (key, unchanged.to_string())];
            self.try_overrides(&both)
        });
        reaching.collect()
    }
}
