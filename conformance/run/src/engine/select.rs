//! Which cases of the plan a run is about.

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
    sync::Arc,
};

use dml_spec::{
    FeatureLevel,
    model::{Family, Operator, Tier},
};
use rayon::prelude::*;

use crate::engine::Division;
use dml_case::record::ShardInfo;
use dml_case::{
    case::Case,
    clause,
    id::CaseId,
    lock::{DEFAULT_SEED, TIERS},
    nearest::{excerpt, nearest},
    query::Query,
};
use dml_judge::{MutantCache, relation::Relation};
use dml_plan::{
    self, Bucket, BuildError, canonical,
    planner::Planner,
    query::{find_unknown_value, may_match},
    recipe::{COMMON_KEYS, EXAMPLE_KEY},
};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Cases in any of these; everything if there are none.
    pub queries: Vec<Query>,
    /// Cases in none of these.
    pub exclude: Vec<Query>,
    /// Only cases that test one of these clauses, if there are any.
    pub clauses: Vec<String>,
    /// Only this part.
    pub shard: Option<Division>,
    /// Only tables up to this level.
    pub level: Option<FeatureLevel>,
    /// Bytes of cases that are kept from looking them up until they run, if that is less than usual.
    pub memory: Option<u64>,
    /// The tier whose cases are wanted: what a query matches is looked for there first, since it is planned anyway.
    pub tier: Option<Tier>,
    /// Without looking for what resembles a query that matches nothing, which takes milliseconds.
    pub unhinted: bool,
}

/// A selection that names nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionError {
    /// What names nothing.
    pub what: String,
    /// What resembles it.
    pub nearest: Vec<String>,
    /// Where to look where nothing does.
    pub see: &'static str,
}

/// Names that are looked at for cases, the most similar first.
const RESEMBLING: usize = 12;

/// Where to look up ids.
const IDS: &str = "`dml-cts list` shows every id";

/// Where to look up clauses.
const CLAUSES: &str = "`dml-cts show OPERATOR` and `dml-cts spec coverage --all` show every clause";

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if self.nearest.is_empty() {
            return write!(f, "; {}", self.see);
        }
        write!(f, "; nearest:")?;
        self.nearest.iter().try_for_each(|near| write!(f, "\n  {near}"))
    }
}

impl std::error::Error for SelectionError {}

/// Bytes of cases that are kept from looking ids up until they run; those beyond are built twice.
const KEPT: u64 = 256 << 20;

/// Bytes that a case takes without its inputs, about.
const CASE: u64 = 1 << 10;

/// A case that was named by its whole id.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its id.
    pub id: CaseId,
    built: Option<Arc<Case>>,
}

impl From<CaseId> for Named {
    fn from(id: CaseId) -> Self {
        Self { id, built: None }
    }
}

impl Named {
    /// The case.
    ///
    /// # Errors
    /// If the id leads to none.
    pub fn case(&self, suite: &Planner) -> Result<Case, BuildError> {
        match &self.built {
            Some(case) => Ok((**case).clone()),
            None => dml_plan::build(suite, &self.id),
        }
    }
}

/// A selection that has been looked up in the plan.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// Cases that were named by whole ids: they are built without searching the plan, whatever their tier.
    pub exact: Vec<Named>,
    /// Highest table level.
    pub level: Option<FeatureLevel>,
    named: HashSet<CaseId>,
    queries: Vec<Query>,
    exclude: Vec<Query>,
    clauses: Vec<String>,
    shard: Option<Division>,
    mutants: MutantCache,
}

impl Selection {
    /// What the words of a stored run's header select beside its shard, up to any level; `None` if they name files,
    /// which may lie elsewhere or hold something else by now.
    ///
    /// # Errors
    /// Words that select nothing.
    pub fn from_words(words: &[String]) -> Result<Option<Self>, String> {
        let mut selection = Self::default();
        for word in words {
            let (option, value) = match word.strip_prefix("--").map(|option| option.split_once(' ')) {
                None => ("", word.clone()),
                Some(None) => return Err(format!("`{}` has no value", excerpt(word))),
                Some(Some((option, value))) => {
                    let mut values = shell_words::split(value).map_err(|e| e.to_string())?;
                    (option, values.pop().unwrap_or_default())
                }
            };
            let query = || value.parse().map_err(|e| format!("`{}`: {e}", excerpt(&value)));
            match option {
                "" => selection.queries.push(query()?),
                "exclude" => selection.exclude.push(query()?),
                "clause" => selection.clauses.push(value),
                "shard" => {}
                "cases" | "rerun" => return Ok(None),
                _ => return Err(format!("unknown option `{}`", excerpt(word))),
            }
        }
        Ok(Some(selection))
    }

    /// Looks everything up.
    ///
    /// # Errors
    /// A query that matches nothing in the whole plan, a clause that does not exist.
    pub fn resolve(self, suite: &Planner) -> Result<Resolved, SelectionError> {
        let mut resolved = Resolved {
            level: self.level,
            exclude: self.exclude,
            clauses: self.clauses,
            shard: self.shard,
            ..Resolved::default()
        };
        for id in &resolved.clauses {
            clause::exists(suite, id).map_err(|near| SelectionError {
                what: format!("unknown clause `{id}`"),
                nearest: near,
                see: CLAUSES,
            })?;
            if let Some(retired) = clause::retirement(suite, id) {
                return Err(SelectionError {
                    what: format!("{id} is {retired}"),
                    nearest: Vec::new(),
                    see: CLAUSES,
                });
            }
        }
        for query in &resolved.exclude {
            let named = query.as_id().is_some_and(|id| dml_plan::build(suite, &id).is_ok());
            if !named {
                require_match(suite, query, self.tier, !self.unhinted)?;
            }
        }
        let mut room = self.memory.map_or(KEPT, |memory| memory.min(KEPT));
        for query in self.queries {
            let case = query.as_id().and_then(|id| {
                let case = dml_plan::build(suite, &id).ok()?;
                (case.id == id).then_some(case)
            });
            match case {
                Some(case) => {
                    let id = case.id.clone();
                    if resolved.named.insert(id.clone()) {
                        let bytes = CASE + case.inputs.iter().map(|input| input.len() as u64).sum::<u64>();
                        let left = room.checked_sub(bytes);
                        room = left.unwrap_or(room);
                        let built = left.is_some().then(|| Arc::new(case));
                        resolved.exact.push(Named { id, built });
                    }
                }
                None => {
                    require_match(suite, &query, self.tier, !self.unhinted)?;
                    resolved.queries.push(query);
                }
            }
        }
        Ok(resolved)
    }
}

impl Resolved {
    /// Which part of the selection this is.
    pub fn shard(&self) -> Option<ShardInfo> {
        self.shard.as_ref().map(Division::info)
    }

    /// Whether anything is selected by search, not only by name.
    pub fn plans(&self) -> bool {
        self.exact.is_empty() || !self.queries.is_empty()
    }

    /// Whether everything up to the level is selected.
    pub fn is_everything(&self) -> bool {
        self.exact.is_empty() && self.queries.is_empty() && self.clauses.is_empty()
    }

    /// Whether the operator at this place of the catalog may have selected cases.
    pub fn wants_operator(&self, suite: &Planner, operator: usize) -> bool {
        let Some(name) = suite.catalog.operators.get(operator).map(|operator| &operator.name) else {
            return false;
        };
        let mut clauses = self.clauses.iter();
        (self.queries.is_empty() || self.queries.iter().any(|query| query.may_match_operator(name)))
            && (self.clauses.is_empty() || clauses.any(|id| clause::is_about(id, name)))
    }

    /// Whether the bucket may hold selected cases.
    pub fn wants_bucket(&self, suite: &Planner, bucket: &Bucket) -> bool {
        self.level.is_none_or(|level| bucket.level <= level)
            && (self.queries.is_empty() || self.queries.iter().any(|q| may_match(suite, q, bucket)))
            && (self.clauses.is_empty() || self.clauses.iter().any(|id| may_test(suite, id, bucket)))
    }

    /// Whether ids alone say what is selected.
    pub fn is_by_id(&self) -> bool {
        self.clauses.is_empty()
    }

    /// Whether a planned case is selected by search, as far as its id says.
    pub fn wants_id(&self, id: &CaseId) -> bool {
        let asked = self.queries.is_empty() || self.queries.iter().any(|query| query.matches(id));
        asked && !self.named.contains(id) && self.allows_id(id)
    }

    /// Whether a planned case is selected by search.
    pub fn wants(&self, suite: &Planner, case: &Case) -> bool {
        self.wants_id(&case.id) && self.wants_named(suite, case)
    }

    /// Whether the filters let an id pass.
    fn allows_id(&self, id: &CaseId) -> bool {
        self.level.is_none_or(|level| id.level() <= level)
            && !self.exclude.iter().any(|query| query.matches(id))
            && self.shard.as_ref().is_none_or(|shard| shard.holds(id))
    }

    /// Whether a case that was named passes the filters.
    pub fn wants_named(&self, suite: &Planner, case: &Case) -> bool {
        self.allows_id(&case.id)
            && (self.clauses.is_empty() || {
                let relate = |id: &String| relation(suite, &self.mutants, case, id);
                self.clauses.iter().any(|id| relate(id).is_some())
            })
    }
}

/// Whether a case of the bucket may test a clause: one of its operator, or of all tensors.
fn may_test(suite: &Planner, id: &str, bucket: &Bucket) -> bool {
    let operator = suite.catalog.operators.get(bucket.operator);
    operator.is_some_and(|operator| clause::is_about(id, &operator.name))
}

/// How a case tests a clause, if `--clause` is to select it: positive cases of constraints are those of the
/// families that break them (the valid twins), not the whole plan.
pub fn relation(suite: &Planner, mutants: &MutantCache, case: &Case, id: &str) -> Option<Relation> {
    dml_judge::relation::find_relation(suite, mutants, case, id).filter(|relation| {
        *relation == Relation::Negative
            || !clause::is_constraint(suite, id)
            || dml_judge::relation::in_fault_family(case)
    })
}

/// Why no case comes of what is written like a whole id.
fn refusal(suite: &Planner, query: &Query) -> Option<String> {
    let id = query.as_id()?;
    let error = dml_plan::build(suite, &id).err()?.to_string();
    let why = error.strip_prefix(&format!("{id}: "))?.to_owned();
    (!why.ends_with("is missing")).then_some(why)
}

/// Fails if the query matches nothing in any tier, of which one is looked at first.
fn require_match(suite: &Planner, query: &Query, first: Option<Tier>, hinted: bool) -> Result<(), SelectionError> {
    let error = |what: String, nearest: Vec<String>| {
        Err(SelectionError {
            what,
            nearest,
            see: IDS,
        })
    };
    let why = refusal(suite, query);
    if let Some(why) = why.as_ref().filter(|why| why.contains(canonical::IN_NO_ID)) {
        return error(format!("invalid id `{query}`: {why}"), Vec::new());
    }
    if let Some((what, nearest)) = find_unknown_value(suite, query) {
        return error(what, nearest);
    }
    let why = why.map(|why| format!("; {why}")).unwrap_or_default();
    let nothing = format!("`{query}` matches no case of any tier{why}");
    let named = named_places(suite, query);
    if named.is_empty() {
        let near = hinted.then(|| nearest_places(suite, query));
        return error(nothing, near.unwrap_or_default());
    }
    let keys = keys(suite, &named);
    if let Some(key) = query.keys().find(|key| !is_key(suite, &named, &keys, key)) {
        return error(format!("unknown key `{key}`; expected {}", keys.join(", ")), Vec::new());
    }
    // Whatever is found in one tier, or of one operator, needs no more planning.
    let is_held = |tier| named.par_iter().any(|operator| holds(suite, *operator, tier, query));
    if first.into_iter().chain(TIERS).any(is_held) {
        return Ok(());
    }
    let near = hinted.then(|| nearest_ids(suite, &named, query));
    error(nothing, near.unwrap_or_default())
}

/// Whether an operator's plan has a case of the query.
fn holds(suite: &Planner, operator: usize, tier: Tier, query: &Query) -> bool {
    let buckets = dml_plan::buckets_of(suite, operator, tier);
    let mut asked = buckets.iter().filter(|bucket| may_match(suite, query, bucket));
    asked.any(|bucket| {
        let ids = dml_plan::ids_of(suite, bucket, tier, DEFAULT_SEED);
        ids.iter().any(|(id, _)| query.matches(id))
    })
}

/// Every operator, level of its tables, and family, whether there are cases or not: nothing is planned.
fn places(suite: &Planner) -> impl Iterator<Item = (usize, FeatureLevel, Family)> {
    let operators = suite.catalog.operators.iter().enumerate();
    operators.flat_map(|(at, operator)| {
        let levels = operator.support.iter().map(|table| table.level);
        levels.flat_map(move |level| Family::ALL.map(|family| (at, level, family)))
    })
}

/// The operators that the first three parts of a query name, at some level and in some family of theirs.
fn named_places(suite: &Planner, query: &Query) -> Vec<usize> {
    let is_named = |(at, level, family): &(usize, FeatureLevel, Family)| {
        let operator = suite.catalog.operators.get(*at);
        operator.is_some_and(|operator| query.may_be(&operator.name, *level, family.name()))
    };
    let mut named: Vec<usize> = places(suite).filter(is_named).map(|(at, ..)| at).collect();
    named.dedup();
    named
}

/// The operators at these places of the catalog.
fn operators<'a>(suite: &'a Planner, named: &[usize]) -> impl Iterator<Item = &'a Operator> {
    named.iter().filter_map(|index| suite.catalog.operators.get(*index))
}

/// Keys that ids of the operators can have, overrides of single fields apart.
fn keys(suite: &Planner, named: &[usize]) -> Vec<String> {
    let own = operators(suite, named).flat_map(|o| o.cases.keys.iter().map(|k| k.name.to_string()));
    let mut keys: Vec<String> = own.chain(COMMON_KEYS.iter().map(ToString::to_string)).collect();
    keys.push(EXAMPLE_KEY.to_owned());
    let mut seen = HashSet::new();
    keys.retain(|key| seen.insert(key.clone()));
    keys
}

/// Whether ids of the operators can have the key: one of `keys`, or the path of a field.
fn is_key(suite: &Planner, named: &[usize], keys: &[String], key: &str) -> bool {
    let field = key.split(['.', '[']).next().unwrap_or_default();
    keys.iter().any(|k| k == key) || operators(suite, named).any(|o| o.field_index(field).is_some())
}

/// Queries that resemble one whose operator, level and family nothing has together. Parts that it leaves open stay open,
/// so that only what was written is compared.
fn nearest_places(suite: &Planner, query: &Query) -> Vec<String> {
    let asked = query.parts();
    let name = |(at, level, family): (usize, FeatureLevel, Family)| {
        let found = [
            suite.catalog.operators.get(at)?.name.to_string(),
            level.to_string(),
            family.name().to_owned(),
        ];
        let open = |(asked, found): (&&str, String)| if *asked == "*" { (*asked).to_owned() } else { found };
        Some(asked.iter().zip(found).map(open).collect::<Vec<_>>().join(":"))
    };
    let names: BTreeSet<String> = places(suite).filter_map(name).collect();
    let near = nearest(&asked.join(":"), names.iter().map(String::as_str), RESEMBLING);
    // Nothing without a case helps.
    let has_case = |near: &&str| {
        let query: Option<Query> = near.parse().ok();
        query.is_some_and(|query| {
            let mut named = named_places(suite, &query).into_iter();
            named.any(|operator| holds(suite, operator, Tier::Smoke, &query))
        })
    };
    near.into_iter().filter(has_case).take(3).map(str::to_owned).collect()
}

/// Ids that resemble the query, of what it names without its keys; where that has no cases, of the operators it names.
fn nearest_ids(suite: &Planner, named: &[usize], query: &Query) -> Vec<String> {
    const LOOKED_AT: usize = 20_000;
    let wide = query.without_keys();
    let planned = named.par_iter().map(|at| dml_plan::buckets_of(suite, *at, Tier::Smoke));
    let mut buckets: Vec<Bucket> = planned.flatten().collect();
    if buckets.iter().any(|bucket| may_match(suite, &wide, bucket)) {
        buckets.retain(|bucket| may_match(suite, &wide, bucket));
    }
    let mut ids: Vec<String> = Vec::new();
    for bucket in &buckets {
        let planned = dml_plan::ids_of(suite, bucket, Tier::Smoke, DEFAULT_SEED);
        ids.extend(
            planned
                .iter()
                .map(|(id, _)| id.to_string())
                .take(LOOKED_AT.saturating_sub(ids.len())),
        );
    }
    nearest(&query.to_string(), ids.iter().map(String::as_str), 3)
        .into_iter()
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use crate::embedded::suite;
    use crate::engine::select::*;

    #[test]
    fn every_planned_bucket_can_be_asked_for() {
        let suite = suite();
        let planned = dml_plan::buckets(suite, Tier::Smoke);
        let names: Vec<HashSet<String>> = (0..suite.catalog.operators.len())
            .map(|operator| dml_plan::bucket_names(suite, operator).collect())
            .collect();
        let is_known = |bucket: &&Bucket| names[bucket.operator].contains(&dml_plan::bucket_name(suite, bucket));
        let unknown: Vec<&Bucket> = planned.iter().filter(|bucket| !is_known(bucket)).collect();
        assert!(unknown.is_empty() && planned.len() > 1000, "{unknown:?}");
    }

    #[test]
    fn what_a_verdict_names_is_looked_for_in_its_bucket() {
        let suite = suite();
        let mut named = 0;
        for bucket in dml_plan::buckets(suite, Tier::Smoke) {
            let _ = dml_plan::for_each_case(suite, &bucket, Tier::Smoke, 0, &mut |case| {
                for id in case.verdict.clauses().iter().map(|id| &**id) {
                    assert!(may_test(suite, id, &bucket), "{id}: {}", case.id);
                    named += 1;
                }
                ControlFlow::Continue(())
            });
        }
        assert!(named > 1000, "{named} clauses");
    }

    #[test]
    fn a_case_that_was_named_is_built_once() {
        let suite = suite();
        let id = "TOP_K1:3.1:examples:example=largest-two";
        let selection = Selection {
            queries: vec![id.parse().unwrap(), id.parse().unwrap()],
            ..Selection::default()
        };
        let resolved = selection.resolve(suite).unwrap();
        let [named] = &resolved.exact[..] else {
            panic!("{:?}", resolved.exact)
        };
        let kept = named.built.as_ref().unwrap();
        // The case that is kept is the one that runs, and without it the same one is built again.
        let ran = named.case(suite).unwrap();
        assert!(Arc::ptr_eq(&ran.descriptor, &kept.descriptor));
        let again = Named {
            built: None,
            ..named.clone()
        };
        let again = again.case(suite).unwrap();
        assert_eq!((again.descriptor, again.inputs), (ran.descriptor, ran.inputs));
    }
}
