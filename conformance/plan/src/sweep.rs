//! Sweeps: every combination of the points of all keys.

use std::ops::ControlFlow;

use dml_spec::{Descriptor, model::ClauseKind, scalar};

use crate::{
    aliases,
    bucket::Bucket,
    build::BuiltDescriptor,
    builder::Builder,
    eval, layouts,
    recipe::{CompiledSweep, Point},
};
use dml_case::{
    case::{Case, Verdict},
    id::CaseId,
};
use dml_spec::path::{self, Path, TensorPart, dims_text};

/// Largest number of values a range may stand for.
const LARGEST_RANGE: i128 = 4096;

/// One sweep being walked for one bucket.
pub struct Walk<'a> {
    /// Builds the cases.
    pub builder: Builder<'a>,
    /// Which cases are wanted.
    pub bucket: &'a Bucket,
    /// The sweep.
    pub sweep: &'a CompiledSweep,
    /// Seed of the data.
    pub seed: u64,
}

impl Walk<'_> {
    /// Builds every valid case of the sweep in this bucket.
    pub fn cases(&self, visit: &mut dyn FnMut(Case) -> ControlFlow<()>) -> ControlFlow<()> {
        self.keys(&mut |params, descriptor| {
            if self
                .sweep
                .only
                .as_ref()
                .is_some_and(|only| !eval::eval_condition(&self.builder, descriptor, only, self.bucket.level))
            {
                return ControlFlow::Continue(());
            }
            let mut layouts = self.sweep.layouts.iter();
            layouts.try_for_each(|layout| self.of_layout(params, descriptor, layout, visit))
        })
    }

    /// The valid cases of these keys and this layout. All have one descriptor.
    fn of_layout(
        &self,
        params: &[(String, String)],
        keyed: &Descriptor,
        layout: &str,
        visit: &mut dyn FnMut(Case) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut built: Option<BuiltDescriptor> = None;
        for pattern in &self.sweep.values {
            for alias in &self.sweep.aliases {
                let id = self.id(params, layout, pattern, alias);
                let built = match &built {
                    Some(built) => built,
                    None => match self.builder.finish_descriptor(&id, keyed.clone()) {
                        Ok(found) if !found.verdict().is_rejection() => built.insert(found),
                        // Layouts that mean nothing for the sizes are no cases, nor is what is refused.
                        _ => return ControlFlow::Continue(()),
                    },
                };
                // Combinations that mean nothing (a pattern of floats on integers) are no cases.
                if let Ok(case) = self.builder.add_data(id, built.clone(), self.bucket.family)
                    && self.is_wanted(&case.verdict)
                {
                    visit(case)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` for every combination of the operator's own keys.
    pub fn keys(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let mut descriptor = self.builder.blank();
        self.descend(0, &mut Vec::new(), &mut descriptor, visit)
    }

    fn descend(
        &self,
        key: usize,
        params: &mut Vec<(String, String)>,
        descriptor: &mut Descriptor,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let Some((name, path)) = self.builder.recipe.keys.get(key) else {
            return visit(params, descriptor);
        };
        let is_type_key = self.builder.recipe.type_key() == Some(key);
        for point in &self.sweep.points[key] {
            for value in self.candidates(point, path, descriptor) {
                if is_type_key && value != self.bucket.data_type {
                    continue;
                }
                let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
                // The type of a scalar may follow from the keys: it is set after what is derived.
                let is_scalar = scalar::is_scalar(operator, path.field());
                if !is_scalar && path::set(catalog, operator, descriptor, path, &value).is_err() {
                    continue;
                }
                params.push((name.clone(), value));
                let flow = self.descend(key + 1, params, descriptor, visit);
                params.pop();
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    fn candidates(&self, point: &Point, path: &Path, descriptor: &Descriptor) -> Vec<String> {
        let number = |node| eval::eval_number(&self.builder, descriptor, node, self.bucket.level);
        match point {
            Point::Text(text) => vec![text.clone()],
            Point::AllTypes => {
                let row = self.builder.row(descriptor, self.bucket.level, path.field());
                row.map(|row| row.types.iter().map(ToString::to_string).collect())
                    .unwrap_or_default()
            }
            Point::AllMembers(name) => {
                let members = self.builder.suite.catalog.enumeration(name).map(|e| e.members.iter());
                members
                    .into_iter()
                    .flatten()
                    .map(|m| path::constant_name(&self.builder.suite.catalog, name, m.value))
                    .collect()
            }
            Point::Shapes(rank, size) => shapes(*rank, *size),
            Point::List(node) => eval::eval_list(&self.builder, descriptor, node, self.bucket.level)
                .map(|list| dims_text(&list))
                .into_iter()
                .collect(),
            Point::Subsets(node) => match number(node) {
                Some(n @ 1..=8) => subsets(n as u32),
                _ => Vec::new(),
            },
            Point::AllBools => vec!["0".to_owned(), "1".to_owned()],
            Point::Value(node) => number(node).map(|n| n.to_string()).into_iter().collect(),
            Point::Range(from, to) => match (number(from), number(to)) {
                (Some(from), Some(to)) if to - from <= LARGEST_RANGE => (from..to).map(|n| n.to_string()).collect(),
                _ => Vec::new(),
            },
        }
    }

    fn id(&self, params: &[(String, String)], layout: &str, pattern: &str, alias: &str) -> CaseId {
        let seed = self.seed.to_string();
        let common = [
            ("layout", layout, layouts::DEFAULT),
            ("values", pattern, self.builder.recipe.values),
            ("alias", alias, aliases::DEFAULT),
            ("seed", &seed, "0"),
        ];
        let given = common.iter().filter(|(_, value, default)| value != default);
        let keys = params.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let params = keys.chain(given.map(|(key, value, _)| (*key, *value)));
        self.bucket.id(self.builder.operator, params)
    }

    /// Valid, but for disputed clauses that the sweep is about.
    fn is_wanted(&self, verdict: &Verdict) -> bool {
        let (catalog, operator) = (&self.builder.suite.catalog, self.builder.operator);
        let is_constraint = |id: &str| {
            let mut all = operator.clauses.iter().chain(catalog.tensor_clauses.iter());
            all.any(|c| c.id == id && c.kind == ClauseKind::Constraint)
        };
        match verdict {
            Verdict::Valid => self.sweep.allow.is_empty(),
            verdict if verdict.is_rejection() => false,
            verdict => verdict
                .clauses()
                .iter()
                .all(|id| self.sweep.allow.iter().any(|a| a == id) || !is_constraint(id)),
        }
    }
}

/// Parameters and the descriptor with the keys set.
pub type Visit<'a> = dyn FnMut(&[(String, String)], &Descriptor) -> ControlFlow<()> + 'a;

/// All sizes of 1 to `rank` dimensions of 1 to `size` elements, short ones first.
fn shapes(rank: u32, size: u32) -> Vec<String> {
    let mut found = Vec::new();
    for rank in 1..=rank {
        let mut sizes = vec![1; rank as usize];
        loop {
            found.push(dims_text(&sizes));
            let Some(last) = sizes.iter().rposition(|n| *n < size) else {
                break;
            };
            sizes[last] += 1;
            sizes[last + 1..].fill(1);
        }
    }
    found
}

/// Every ascending list of some of the numbers below `n`, short ones first.
fn subsets(n: u32) -> Vec<String> {
    let members = |mask: u32| (0..n).filter(move |d| mask >> d & 1 == 1).collect::<Vec<u32>>();
    let mut all: Vec<Vec<u32>> = (1..1u32 << n).map(members).collect();
    all.sort_by_key(Vec::len);
    all.iter().map(|list| dims_text(list)).collect()
}

/// Whether a path sets sizes: the key whose value faults lengthen and shorten.
pub fn sets_sizes(path: &Path) -> bool {
    matches!(path, Path::Tensor(_, _, TensorPart::Sizes) | Path::ManySizes(_))
}

#[cfg(test)]
mod tests {
    use crate::sweep::*;

    #[test]
    fn all_small_shapes_are_there_once() {
        let all = shapes(3, 2);
        assert_eq!(all.len(), 2 + 4 + 8);
        assert_eq!(all[..4], ["1", "2", "1x1", "1x2"]);
        assert_eq!(all.last().map(String::as_str), Some("2x2x2"));
    }
}
