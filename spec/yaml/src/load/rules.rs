//! The last pass: rules and other expressions are typed, and examples must keep the clauses they illustrate.

use std::ops::Range;

use dml_spec::{
    example,
    meaning::{self, Place},
    model::{CaseModel, Catalog, Clause, Field, FieldKind, Operator, Role, Text},
    program::Program,
    rule::{
        RuleError,
        typed::{self, Type},
    },
};

use super::{
    cases::{self, Target},
    derive, onnx,
    reader::Source,
};
use crate::tree::{Key, Node};

/// Codes that [`super::check`] already reports.
const CHECKED: [&str; 2] = ["spec::missing-rule", "spec::unknown-clause"];

/// Rules of the tensor clauses.
pub(super) fn shared(source: &Source<'_>, catalog: &Catalog, root: &Node) {
    let Err(errors) = Program::compile(catalog, &bystander()) else {
        return;
    };
    let nodes = root.get("tensor_clauses").and_then(Node::items).unwrap_or_default();
    clauses(source, &catalog.tensor_clauses, nodes, errors);
}

/// An empty operator, to compile the tensor clauses with.
fn bystander() -> Operator {
    let field = |name, role| Field {
        name: Text::Borrowed(name),
        kind: FieldKind::Tensor(role),
        optional: false,
        compare: None,
        in_place: dml_spec::model::List::default(),
        says: Text::default(),
    };
    Operator {
        name: Text::Borrowed("TENSOR"),
        fields: vec![field("InputTensor", Role::Input), field("OutputTensor", Role::Output)].into(),
        ..Operator::default()
    }
}

/// Checks rules, expressions and examples of an operator. Does nothing if its fields contain mistakes, because every
/// rule would then seem wrong.
pub(super) fn operator(source: &Source<'_>, catalog: &Catalog, operator: &Operator, root: &Node) {
    if root.get("fields").is_none_or(|n| source.any_within(&n.span)) {
        return;
    }
    expressions(source, catalog, operator, root);
    match Program::compile(catalog, operator) {
        Ok(program) => examples(source, catalog, operator, &program, root),
        Err(errors) => {
            let nodes = root.get("clauses").and_then(Node::items).unwrap_or_default();
            clauses(source, &operator.clauses, nodes, errors);
        }
    }
    meaning(source, catalog, operator, root);
    onnx::check(source, catalog, operator, root);
}

/// Reports mistakes in the rules of these clauses; errors of other clauses are reported with them.
fn clauses(source: &Source<'_>, clauses: &[Clause], nodes: &[Node], errors: Vec<(Text, RuleError)>) {
    for (id, error) in errors {
        let found = clauses.iter().zip(nodes).find(|(clause, _)| clause.id == id);
        let Some((_, node)) = found.filter(|_| !CHECKED.contains(&error.code)) else {
            continue;
        };
        let rule = match error.observation {
            _ if error.code == "spec::needs-cycle" => None,
            Some(index) => node
                .get("observed")
                .and_then(Node::items)
                .and_then(|n| n.get(index)?.get("rule")),
            None => node.get("rule"),
        };
        let named = node.get(if error.code == "spec::needs-cycle" {
            "needs"
        } else {
            "id"
        });
        mistake(source, rule.or(named).unwrap_or(node), rule.is_some(), error);
    }
}

/// `inside`: the error's place is within the text of the node.
fn mistake(source: &Source<'_>, node: &Node, inside: bool, error: RuleError) {
    let span: Range<usize> = if inside {
        node.inner_span(source.text, error.span)
    } else {
        node.span.clone()
    };
    source.report_hint(error.code, &span, error.message, error.hint);
}

/// Reports mistakes in what the operator computes, and in what clauses leave open.
fn meaning(source: &Source<'_>, catalog: &Catalog, operator: &Operator, root: &Node) {
    let Err(mistakes) = meaning::compile(catalog, operator) else {
        return;
    };
    // A text that is none has its diagnostic already.
    let is_read = |place| !meaning_text(root, place).is_some_and(|(_, node, _)| source.any_within(&node.span));
    let mistakes: Vec<meaning::Mistake> = mistakes.into_iter().filter(|found| is_read(found.place)).collect();
    for found in mistakes {
        let RuleError {
            code,
            span,
            message,
            hint,
            ..
        } = found.error;
        let span = meaning_span(source.text, root, found.place, span).unwrap_or_else(|| {
            let at = root.get("meaning").unwrap_or(root).span.start;
            at..at
        });
        source.report_hint(code, &span, message, hint);
    }
}

/// Byte range in the file of a part of a meaning's text; `None` if the file has no such text.
pub(super) fn meaning_span(text: &str, root: &Node, place: Place, span: Range<usize>) -> Option<Range<usize>> {
    let (key, node, in_key) = meaning_text(root, place)?;
    Some(match in_key {
        true => key.span.start + span.start..(key.span.start + span.end).min(key.span.end),
        false => node.inner_span(text, span),
    })
}

/// An entry of the file that is about what the operator computes, and whether its key is meant.
fn meaning_text(root: &Node, place: Place) -> Option<(&Key, &Node, bool)> {
    let ((key, node), in_key) = match place {
        Place::Head(entry) => (root.get("meaning")?.entries()?.get(entry)?, true),
        Place::Body(entry) => (root.get("meaning")?.entries()?.get(entry)?, false),
        Place::Opens {
            clause,
            entry,
            in_tensor,
        } => {
            let clause = root.get("clauses")?.items()?.get(clause)?;
            (clause.get("opens")?.entries()?.get(entry)?, in_tensor)
        }
        Place::Tells {
            clause,
            variant: of,
            entry,
            in_key,
        }
        | Place::Holds {
            clause,
            invariant: of,
            entry,
            in_key,
        } => {
            let key = if matches!(place, Place::Tells { .. }) {
                "tells"
            } else {
                "holds"
            };
            let clause = root.get("clauses")?.items()?.get(clause)?;
            let (_, texts) = clause.get(key)?.entries()?.get(of)?;
            (texts.entries()?.get(entry)?, in_key)
        }
        Place::Named {
            mistake,
            in_any,
            entry,
            in_key,
        } => {
            let named = root.get("mistakes")?.entries()?.get(mistake)?;
            let texts = named.1.get(if in_any { "any" } else { "meaning" });
            match texts.and_then(Node::entries).and_then(|texts| texts.get(entry)) {
                Some(found) => (found, in_key),
                None => (named, true),
            }
        }
    };
    Some((key, node, in_key))
}

fn expressions(source: &Source<'_>, catalog: &Catalog, operator: &Operator, root: &Node) {
    let scope = Scope {
        source,
        catalog,
        operator,
    };
    let part = |name: &str| root.get("cases").and_then(|n| n.get(name));
    let CaseModel {
        derive, lanes, bounds, ..
    } = &operator.cases;
    for group in operator.groups.iter() {
        let node = root.get("support").and_then(|n| n.get(&group.name)?.get("when"));
        scope.expression(node, &group.when, &Type::Bool);
    }
    for (input, text) in bounds.iter() {
        let node = part("bounds").and_then(|n| n.get(input));
        scope.expression(node, text, &Type::Int);
    }
    let derived = derive.iter().map(|(path, text)| {
        let ty = match cases::target(operator, path) {
            Some(Target::DataType) => Type::DataType,
            Some(Target::Constant(name)) => Type::Enum(Text::Owned(name.to_owned())),
            Some(Target::Sizes | Target::List) => Type::List,
            Some(Target::Number | Target::Integer) => Type::Int,
            Some(Target::Float) => Type::Float,
            Some(Target::Bool) => Type::Bool,
            _ => return None,
        };
        scope.expression(part("derive").and_then(|n| n.get(path)), text, &ty)
    });
    derive::check_order(source, operator, part("derive"), &derived.collect::<Vec<_>>());
    if let Some(lanes) = lanes {
        for (name, text) in [("axis", &lanes.axis), ("k", &lanes.k)] {
            scope.expression(part("lanes").and_then(|n| n.get(name)), text, &Type::Int);
        }
    }
}

/// The names that expressions may use.
struct Scope<'a> {
    source: &'a Source<'a>,
    catalog: &'a Catalog,
    operator: &'a Operator,
}

impl Scope<'_> {
    /// An expression, if it has no mistake.
    fn expression(&self, node: Option<&Node>, text: &str, ty: &Type) -> Option<typed::Node> {
        // An empty text already has its diagnostic from reading.
        let node = node.filter(|n| n.text().is_some_and(|t| !t.is_empty()))?;
        let read = Program::expression_of(self.catalog, self.operator, text, ty);
        read.map_err(|error| mistake(self.source, node, true, error)).ok()
    }
}

fn examples(source: &Source<'_>, catalog: &Catalog, operator: &Operator, program: &Program, root: &Node) {
    let nodes = root.get("examples").and_then(Node::items).unwrap_or_default();
    for (example, node) in operator.examples.iter().zip(nodes) {
        if source.any_within(&node.span) {
            continue;
        }
        let Some(descriptor) = example::descriptor(catalog, operator, example) else {
            continue;
        };
        let mut broken = Vec::new();
        for table in operator.support.iter() {
            broken = program.evaluate(catalog, operator, &descriptor, table.level);
            broken.retain(|violation| violation.runtime);
            if broken.is_empty() {
                break;
            }
        }
        if !broken.is_empty() {
            let ids: Vec<&str> = broken.iter().map(|violation| violation.clause.as_ref()).collect();
            let message = format!("the example {} breaks {} at every level", example.name, ids.join(", "));
            source.report(
                "spec::example-breaks-clause",
                &node.get("name").unwrap_or(node).span,
                message,
            );
        }
    }
}
