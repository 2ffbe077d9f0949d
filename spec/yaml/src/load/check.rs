//! Cross checks between parts that are each well formed.
//!
//! Lists of the catalog run parallel to those of the file: a part that could not be read is there with defaults, so
//! that places are found by index.

use std::collections::{BTreeMap, BTreeSet};

use dml_spec::{
    FeatureLevel,
    model::{
        Catalog, Citation, Clause, ClauseKind, Level, Operator, Source as Document, Status, SupportTable, releases,
    },
};

use super::reader::Source;
use crate::tree::Node;

/// What a list of clauses stands in.
struct Scope<'a> {
    source: &'a Source<'a>,
    clauses: &'a [Clause],
    nodes: &'a [Node],
    /// Clauses of `directml.yaml`, to which any file may refer.
    tensor: &'a [Clause],
    releases: Releases<'a>,
}

/// The releases that may have been seen to do something.
#[derive(Clone, Copy)]
struct Releases<'a> {
    /// Those that were asked, by their highest level.
    asked: &'a [Level],
    /// The first level of the operator.
    introduced: FeatureLevel,
}

impl Releases<'_> {
    /// Reports releases that were not asked, and those that lack the operator.
    fn check(self, source: &Source<'_>, runtime: &str, node: &Node) {
        let span = &node.get("runtime").unwrap_or(node).span;
        let mut named = releases(runtime).peekable();
        if self.asked.is_empty() {
            return;
        }
        if named.peek().is_none() {
            let message = format!("`{runtime}` names no release");
            let hint = Some("write `DirectML 1.8.0 and 1.13.1`".into());
            source.report_hint("spec::unknown-release", span, message, hint);
        }
        for release in named {
            match self.asked.iter().find(|of| of.release == release) {
                None => {
                    let message = format!("`{release}` is no release that was asked");
                    let known = self.asked.iter().map(|of| of.release.as_ref());
                    source.unknown("spec::unknown-release", span, message, release, known);
                }
                Some(of) if of.level < self.introduced => {
                    let message = format!(
                        "DirectML {release} has level {} at most and the operator came with {}",
                        of.level, self.introduced
                    );
                    let hint = Some("name releases that have the operator".into());
                    source.report_hint("spec::release-lacks-operator", span, message, hint);
                }
                Some(_) => {}
            }
        }
    }
}

/// Checks of `directml.yaml`.
pub(super) fn shared(source: &Source<'_>, catalog: &Catalog, root: &Node) {
    let nodes = root.get("tensor_clauses").and_then(Node::items).unwrap_or_default();
    clauses(&Scope {
        source,
        clauses: &catalog.tensor_clauses,
        nodes,
        tensor: &[],
        releases: Releases {
            asked: &catalog.asked,
            introduced: FeatureLevel::default(),
        },
    });
    lists(source, root);
    let cited = catalog.tensor_clauses.iter().filter_map(|c| c.source.as_ref());
    unused(source, &catalog.sources, cited, root);
}

/// Checks of an operator file.
pub(super) fn operator(source: &Source<'_>, shared: &Catalog, operator: &Operator, root: &Node) {
    let nodes = root.get("clauses").and_then(Node::items).unwrap_or_default();
    let scope = Scope {
        source,
        clauses: &operator.clauses,
        nodes,
        tensor: &shared.tensor_clauses,
        releases: Releases {
            asked: &shared.asked,
            introduced: operator.introduced,
        },
    };
    clauses(&scope);
    lists(source, root);
    tables(source, operator, root);
    differences(&scope, operator, root);
    examples(source, operator, root);
    unused(source, &operator.sources, operator.citations(), root);
}

/// Lists of names: none is empty, and none names a thing twice.
const LISTS: [&str; 3] = ["class", "needs", "types"];

/// Reports lists of names that are empty or name a thing twice, wherever they stand.
fn lists(source: &Source<'_>, node: &Node) {
    for item in node.items().unwrap_or_default() {
        lists(source, item);
    }
    for (key, value) in node.entries().unwrap_or_default() {
        lists(source, value);
        let Some(items) = value.items().filter(|_| LISTS.contains(&key.text.as_str())) else {
            continue;
        };
        if items.is_empty() {
            let message = format!("`{}` names nothing", key.text);
            source.report("spec::empty-list", &value.span, message);
        }
        let mut seen = BTreeSet::new();
        for item in items {
            if let Some(name) = item.text().filter(|name| !seen.insert(*name)) {
                source.report("spec::repeated-item", &item.span, format!("`{name}` is named twice"));
            }
        }
    }
}

/// Reports documents that nothing cites, except those with a digest of their facts, which record what an import read.
/// Does nothing if another mistake was found, because what cites them may be missing.
fn unused<'c>(source: &Source<'_>, listed: &[Document], cited: impl Iterator<Item = &'c Citation>, root: &Node) {
    if source.any_within(&(0..source.text.len())) {
        return;
    }
    let cited: BTreeSet<&str> = cited.map(|citation| citation.source.as_ref()).collect();
    for document in listed
        .iter()
        .filter(|d| d.facts.is_empty() && !cited.contains(&*d.name))
    {
        if let Some(key) = root.get("sources").and_then(|n| n.key(&document.name)) {
            let message = format!("nothing cites the source {}", document.name);
            source.report("spec::unused-source", &key.span, message);
        }
    }
}

fn clauses(scope: &Scope<'_>) {
    let mut seen: BTreeMap<&str, (&Clause, &Node)> = BTreeMap::new();
    for (clause, node) in scope.clauses.iter().zip(scope.nodes) {
        if let Some((first, place)) = Some(&clause.id)
            .filter(|id| !id.is_empty())
            .and_then(|id| seen.get(id.as_ref()))
        {
            let retired = first.retired.is_some() || clause.retired.is_some();
            let (code, message) = match retired {
                true => (
                    "spec::reused-id",
                    format!("the id {} belongs to a retired clause", clause.id),
                ),
                false => ("spec::duplicate-id", format!("two clauses have the id {}", clause.id)),
            };
            let line = scope.source.line(place.span.start);
            let hint = Some(format!("the first one is in line {line}"));
            scope
                .source
                .report_hint(code, &node.get("id").unwrap_or(node).span, message, hint);
        } else {
            seen.insert(&clause.id, (clause, node));
        }
        complete(scope, clause, node);
        references(scope, clause, node);
    }
}

/// What a clause of its kind and status must hold.
fn complete(scope: &Scope<'_>, clause: &Clause, node: &Node) {
    if clause.retired.is_some() {
        return;
    }
    let source = scope.source;
    let at = &node.get("id").unwrap_or(node).span;
    let kind = node.get("kind").map(|n| &n.span);
    let doubtful = kind.is_none_or(|span| source.any_within(span));
    if clause.kind == ClauseKind::Constraint && clause.rule.is_none() && !doubtful {
        source.report("spec::missing-rule", at, "a constraint without a rule");
    }
    let seen = !clause.observed.is_empty();
    let unseen = match clause.status {
        Status::Disputed => Some((
            "spec::disputed-without-observed",
            "a disputed clause that does not say what the runtimes do",
        )),
        Status::Observed => Some(("spec::observed-without-observed", "status observed, but no observation")),
        _ => None,
    };
    if let Some((code, message)) = unseen.filter(|_| !seen) {
        source.report_hint(code, at, message, Some("add `observed`".into()));
    }
    let seen = node.get("observed").and_then(Node::items).unwrap_or_default();
    for (observation, node) in clause.observed.iter().zip(seen) {
        scope.releases.check(source, &observation.runtime, node);
        if let Some(does) = &observation.does
            && !clause.tells.iter().any(|variant| variant.name == *does)
        {
            let span = &node.get("does").unwrap_or(node).span;
            let known = clause.tells.iter().map(|variant| variant.name.as_ref());
            let message = format!("`{does}` is no variant of this clause: `tells` has none of the name");
            source.unknown("spec::unknown-name", span, message, does, known);
        }
    }
    if matches!(clause.status, Status::Normative | Status::ByExample | Status::Disputed) && clause.source.is_none() {
        let message = "a clause that rests on the text does not cite it";
        let hint = Some("add `source`, or say what was measured: `status: observed`".into());
        source.report_hint("spec::missing-source", at, message, hint);
    }
}

/// Ids that a clause names.
fn references(scope: &Scope<'_>, clause: &Clause, node: &Node) {
    let items = node.get("needs").and_then(Node::items).unwrap_or_default();
    for (id, at) in clause.needs.iter().zip(items) {
        if known(scope, id, at).is_some_and(|needed| needed.kind != ClauseKind::Constraint) {
            let message = format!("{id} is no constraint: no descriptor keeps or violates it");
            scope.source.report("spec::clause-kind", &at.span, message);
        }
    }
    if let (Some(id), Some(at)) = (&clause.retired, node.at("retired.replaced-by")) {
        known(scope, id, at);
    }
}

/// The clause of this id, if it is in force; reports it otherwise.
fn known<'a>(scope: &Scope<'a>, id: &str, at: &Node) -> Option<&'a Clause> {
    if id.is_empty() {
        return None;
    }
    let all = || scope.clauses.iter().chain(scope.tensor);
    match all().find(|c| c.id == id && c.retired.is_none()) {
        Some(clause) => Some(clause),
        None if all().any(|c| c.id == id) => {
            scope
                .source
                .report("spec::retired-clause", &at.span, format!("the clause {id} is retired"));
            None
        }
        None => {
            let ids = all().map(|c| c.id.as_ref());
            scope.source.unknown(
                "spec::unknown-clause",
                &at.span,
                format!("there is no clause {id}"),
                id,
                ids,
            );
            None
        }
    }
}

/// Checks the releases that judge cells of the tables otherwise.
fn differences(scope: &Scope<'_>, operator: &Operator, root: &Node) {
    let groups = operator.groups.iter().map(|group| Some(&group.name)).chain([None]);
    for group in groups {
        let tables = root.get("support");
        let tables = group.map_or(tables, |name| tables.and_then(|tables| tables.get(name)));
        for table in operator.support.iter() {
            let node = tables.and_then(|tables| tables.get(&table.level.to_string())?.get("differs"));
            for difference in node.and_then(Node::items).unwrap_or_default() {
                let runtime = difference.get("runtime").and_then(Node::text);
                runtime
                    .into_iter()
                    .for_each(|runtime| scope.releases.check(scope.source, runtime, difference));
            }
        }
    }
}

/// A later table must allow everything that an earlier one did.
fn tables(source: &Source<'_>, operator: &Operator, root: &Node) {
    for pair in operator.support.windows(2) {
        if let [earlier, later] = pair {
            table_grows(source, earlier, later, root);
        }
    }
    let Some(first) = operator.support.first() else { return };
    let support = root.get("support");
    let groups = operator.groups.iter().filter_map(|g| support?.get(&g.name));
    let key = support
        .into_iter()
        .chain(groups)
        .find_map(|n| n.key(&first.level.to_string()));
    if let Some(key) = key.filter(|_| first.level < operator.introduced) {
        let message = format!(
            "a table for level {}, before the operator came in {}",
            first.level, operator.introduced
        );
        source.report("spec::table-too-early", &key.span, message);
    }
}

fn table_grows(source: &Source<'_>, earlier: &SupportTable, later: &SupportTable, root: &Node) {
    for row in later.rows.iter() {
        let Some(old) = earlier.row(&row.group, &row.tensor) else {
            continue;
        };
        let types = old.types.iter().filter(|t| !row.allows_type(t));
        let mut lost: Vec<String> = types.map(ToString::to_string).collect();
        let counts = old.dimensions.0..=old.dimensions.1;
        lost.extend(
            counts
                .filter(|n| !row.allows_dimensions(*n))
                .map(|n| format!("dimension count {n}")),
        );
        let tables = match root.get("support") {
            Some(node) if row.group.is_empty() => Some(node),
            Some(node) => node.get(&row.group),
            None => None,
        };
        let place = |table: &SupportTable| tables?.get(&table.level.to_string())?.get(&row.tensor);
        // A misspelt type would be reported as lost at the next level and as new at this one.
        let doubtful = [earlier, later]
            .iter()
            .any(|table| place(table).is_some_and(|n| source.any_within(&n.span)));
        if let (Some(at), false, false) = (place(later), lost.is_empty(), doubtful) {
            let lost = lost.join(", ");
            let message = format!(
                "level {} no longer allows {lost}, which {} did",
                later.level, earlier.level
            );
            source.report("spec::table-not-monotonic", &at.span, message);
        }
    }
}

fn examples(source: &Source<'_>, operator: &Operator, root: &Node) {
    let nodes = root.get("examples").and_then(Node::items).unwrap_or_default();
    let mut seen = BTreeSet::new();
    for (example, node) in operator.examples.iter().zip(nodes) {
        if !example.name.is_empty() && !seen.insert(&*example.name) {
            let at = &node.get("name").unwrap_or(node).span;
            source.report(
                "spec::duplicate-example",
                at,
                format!("two examples are named {}", example.name),
            );
        }
    }
}
