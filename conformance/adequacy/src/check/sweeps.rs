//! Sweeps without a case at any level for any data type, and bases of faults that are invalid themselves.

use std::{collections::BTreeMap, ops::ControlFlow};

use dml_spec::{Diagnostic, model::Generator};
use dml_spec_yaml::tree::Node;

use super::Source;
use dml_plan::{
    Bucket, builder::Builder, eval, faults::for_each_base, neighbourhood::Neighbourhood, overrides::Override,
    recipe::CompiledSweep, sweep::Walk, target::spell_target,
};

pub(super) fn check(builder: &Builder<'_>, source: &Source<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (index, family) in builder.recipe.families.iter().enumerate() {
        let name = &builder.operator.cases.families[index].name;
        let nodes = source.items(&format!("families.{name}.sweeps"));
        let mut sweeps: Vec<&CompiledSweep> = family.sweeps.iter().collect();
        sweeps.sort_by_key(|sweep| sweep.place);
        for sweep in sweeps {
            let Some(node) = nodes.get(sweep.place) else { continue };
            let place = Place {
                builder,
                family: index,
                sweep,
            };
            // Faults start at the points of such a sweep; the other sweeps give cases directly.
            let is_base = match family.generator {
                Generator::Faults => true,
                Generator::Support => sweep.base,
                Generator::Sweep => false,
                Generator::Examples => continue,
            };
            let mistake = if is_base {
                place.broken_base(name)
            } else {
                place.empty(name)
            };
            found.extend(mistake.map(|(code, at, message)| {
                let first = node.entries().and_then(|entries| entries.first());
                let start = first.map_or(&node.span, |(key, _)| &key.span);
                let span = node.get(at).map_or(start, |n: &Node| &n.span);
                source.mistake(code, span, message, None)
            }));
        }
    }
    found
}

/// Code, the key at fault if there is one, and the message.
type Mistake = (&'static str, &'static str, String);

/// A sweep at its place.
struct Place<'a> {
    builder: &'a Builder<'a>,
    family: usize,
    sweep: &'a CompiledSweep,
}

impl Place<'_> {
    /// Calls `visit` with a walk for every level and every data type that its table allows.
    fn walks(&self, visit: &mut dyn FnMut(&Walk<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        for table in self.builder.operator.support.iter() {
            for data_type in self.builder.suite.catalog.data_types.iter() {
                let bucket = Bucket {
                    operator: 0,
                    level: table.level,
                    family: self.family,
                    data_type: data_type.name.to_string(),
                };
                if self.builder.is_forbidden_type(&bucket) {
                    continue;
                }
                let walk = Walk {
                    builder: *self.builder,
                    bucket: &bucket,
                    sweep: self.sweep,
                    seed: 0,
                };
                visit(&walk)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn empty(&self, family: &str) -> Option<Mistake> {
        let any = self.walks(&mut |walk| walk.cases(&mut |_| ControlFlow::Break(())));
        if any.is_break() {
            return None;
        }
        let (mut combinations, mut first) = (0u64, None);
        let _ = self.walks(&mut |walk| {
            walk.keys(&mut |params, descriptor| {
                combinations += 1;
                let only = self.sweep.only.as_ref();
                if only.is_none_or(|only| eval::eval_condition(self.builder, descriptor, only, walk.bucket.level)) {
                    first.get_or_insert_with(|| (walk.bucket.clone(), params.to_vec()));
                }
                ControlFlow::Continue(())
            })
        });
        let (at, why) = match first {
            None if combinations == 0 => ("", "its points have no value in any combination".to_owned()),
            None => ("only", "`only` holds for none of its combinations".to_owned()),
            Some((bucket, params)) => ("", self.rejected(&bucket, params)),
        };
        let message = format!("no case comes of this sweep of {family}: {why}");
        Some(("spec::empty-sweep", at, message))
    }

    /// Why the first combination is no case.
    fn rejected(&self, bucket: &Bucket, base: Vec<Override>) -> String {
        let around = Neighbourhood::new(self.builder, bucket, base);
        let id = around.id(&[]);
        let broken = around
            .try_overrides(&[])
            .map(|candidate| candidate.broken)
            .unwrap_or_default();
        let broken: Vec<String> = broken.iter().map(spell_target).collect();
        if broken.is_empty() {
            return match self.sweep.allow.is_empty() {
                true => format!("layout and values mean nothing for {id}"),
                false => format!("none breaks {}", self.sweep.allow.join(" or ")),
            };
        }
        format!("{id} breaks {}", broken.join(" and "))
    }

    /// A base that is valid at no level.
    fn broken_base(&self, family: &str) -> Option<Mistake> {
        let mut bases: BTreeMap<Vec<Override>, Option<String>> = BTreeMap::new();
        let _ = self.walks(&mut |walk| {
            for_each_base(walk, &mut |params| {
                let around = Neighbourhood::new(self.builder, walk.bucket, params.to_vec());
                let broken = around.try_overrides(&[]).map(|candidate| candidate.broken);
                let why = match broken {
                    None => Some("cannot be built".to_owned()),
                    Some(broken) if broken.is_empty() => None,
                    Some(broken) => {
                        let broken: Vec<String> = broken.iter().map(spell_target).collect();
                        Some(format!("breaks {}", broken.join(" and ")))
                    }
                };
                let why = why.map(|why| format!("{} {why}", around.id(&[])));
                let known = bases.entry(params.to_vec()).or_insert_with(|| why.clone());
                if why.is_none() {
                    *known = None;
                }
            })
        });
        if bases.is_empty() {
            let message =
                format!("no fault comes of this sweep of {family}: its points have no value in any combination");
            return Some(("spec::empty-sweep", "", message));
        }
        let why = bases.into_values().flatten().next()?;
        let message = format!("a base of this sweep of {family} is no valid descriptor at any level: {why}");
        Some(("spec::broken-base", "", message))
    }
}
