//! The last pass: rules and other expressions are typed, and examples must keep the clauses they illustrate.

use std::ops::Range;

use super::{
    cases::{self, Target},
    reader::Source,
};
use crate::{
    desc::{Descriptor, Dims, TensorDesc, Value},
    model::{
        CaseModel, Catalog, Clause, Example, ExampleValue, Field, FieldKind, List, Operator, Role, Sweep, Text, range,
    },
    program::Program,
    rule::{RuleError, typed::Type},
    tree::Node,
};

/// What [`super::check`] reports already.
const CHECKED: [&str; 3] = ["spec::missing-rule", "spec::needs-cycle", "spec::unknown-clause"];

/// Rules of the tensor clauses.
pub(super) fn shared(source: &Source<'_>, catalog: &Catalog, root: &Node) {
    let Err(errors) = Program::compile(catalog, &bystander()) else {
        return;
    };
    let nodes = root.get("tensor_clauses").and_then(Node::items).unwrap_or_default();
    clauses(source, &catalog.tensor_clauses, nodes, errors);
}

/// An operator that says nothing, to compile the tensor clauses with.
fn bystander() -> Operator {
    let field = |name, role| Field {
        name: Text::Borrowed(name),
        kind: FieldKind::Tensor(role),
        optional: false,
        compare: None,
        says: Text::default(),
    };
    Operator {
        name: Text::Borrowed("TENSOR"),
        type_value: 0,
        introduced: crate::FeatureLevel(0),
        says: Text::default(),
        file: Text::default(),
        sources: List::default(),
        fields: vec![field("InputTensor", Role::Input), field("OutputTensor", Role::Output)].into(),
        clauses: List::default(),
        support: List::default(),
        examples: List::default(),
        cases: cases::none(),
    }
}

/// Rules, expressions and examples of an operator. Nothing is said while its fields are in doubt: every rule would
/// seem wrong.
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
}

/// Reports what is wrong with rules of these clauses; errors of others are theirs.
fn clauses(source: &Source<'_>, clauses: &[Clause], nodes: &[Node], errors: Vec<(Text, RuleError)>) {
    for (id, error) in errors {
        let found = clauses.iter().zip(nodes).find(|(clause, _)| clause.id == id);
        let Some((_, node)) = found.filter(|_| !CHECKED.contains(&error.code)) else {
            continue;
        };
        let rule = match error.observation {
            Some(index) => node
                .get("observed")
                .and_then(Node::items)
                .and_then(|n| n.get(index)?.get("rule")),
            None => node.get("rule"),
        };
        mistake(source, rule.or(node.get("id")).unwrap_or(node), rule.is_some(), error);
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

fn expressions(source: &Source<'_>, catalog: &Catalog, operator: &Operator, root: &Node) {
    let scope = Scope {
        source,
        catalog,
        operator,
    };
    let part = |name: &str| root.get("cases").and_then(|n| n.get(name));
    let CaseModel {
        derive,
        lanes,
        families,
        ..
    } = &operator.cases;
    for (path, text) in derive.iter() {
        let ty = match cases::target(operator, path) {
            Some(Target::DataType) => Type::DataType,
            Some(Target::Constant(name)) => Type::Enum(Text::Owned(name.to_owned())),
            Some(Target::Sizes | Target::List) => Type::List,
            Some(Target::Number | Target::Integer) => Type::Int,
            Some(Target::Layout(_) | Target::Values(_) | Target::Other) | None => continue,
        };
        scope.expression(part("derive").and_then(|n| n.get(path)), text, 0, &ty);
    }
    if let Some(lanes) = lanes {
        for (name, text) in [("axis", &lanes.axis), ("k", &lanes.k)] {
            scope.expression(part("lanes").and_then(|n| n.get(name)), text, 0, &Type::Int);
        }
    }
    for family in families.iter() {
        let nodes = root
            .get("families")
            .and_then(|n| n.get(&family.name)?.get("sweeps")?.items());
        for (sweep, node) in family.sweeps.iter().zip(nodes.unwrap_or_default()) {
            scope.sweep(sweep, node);
        }
    }
}

/// What expressions speak of.
struct Scope<'a> {
    source: &'a Source<'a>,
    catalog: &'a Catalog,
    operator: &'a Operator,
}

impl Scope<'_> {
    /// An expression that starts `offset` bytes into the text of its node.
    fn expression(&self, node: Option<&Node>, text: &str, offset: usize, ty: &Type) {
        // An empty text has its diagnostic from reading.
        let Some(node) = node.filter(|n| n.text().is_some_and(|t| !t.is_empty())) else {
            return;
        };
        if let Err(mut error) = Program::expression_of(self.catalog, self.operator, text, ty) {
            error.span = error.span.start + offset..error.span.end + offset;
            mistake(self.source, node, true, error);
        }
    }

    fn sweep(&self, sweep: &Sweep, node: &Node) {
        self.expression(
            node.get("only"),
            sweep.only.as_deref().unwrap_or_default(),
            0,
            &Type::Bool,
        );
        for (name, points) in sweep.points.iter() {
            let key = self.operator.cases.keys.iter().find(|k| k.name == *name);
            if !key.is_some_and(|k| matches!(cases::target(self.operator, &k.sets), Some(Target::Number))) {
                continue;
            }
            let nodes = node.get(name).map(cases::items).unwrap_or_default();
            for (point, node) in points.iter().zip(nodes) {
                match range(point) {
                    None => self.expression(Some(node), point, 0, &Type::Int),
                    Some((from, to)) => {
                        self.expression(Some(node), from, 0, &Type::Int);
                        self.expression(Some(node), to, from.len() + 2, &Type::Int);
                    }
                }
            }
        }
    }
}

fn examples(source: &Source<'_>, catalog: &Catalog, operator: &Operator, program: &Program, root: &Node) {
    let nodes = root.get("examples").and_then(Node::items).unwrap_or_default();
    for (example, node) in operator.examples.iter().zip(nodes) {
        if source.any_within(&node.span) {
            continue;
        }
        let Some(descriptor) = descriptor(catalog, operator, example) else {
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

/// The descriptor of an example; `None` where a value has no form here.
fn descriptor(catalog: &Catalog, operator: &Operator, example: &Example) -> Option<Descriptor> {
    let mut descriptor = Descriptor::zeroed(operator);
    for (name, value) in example.values.iter() {
        let index = operator.field_index(name)?;
        let kind = &operator.fields.get(index)?.kind;
        *descriptor.fields.get_mut(index)? = match value {
            ExampleValue::Tensor { sizes, data_type, .. } => {
                let data_type = catalog.data_type_named(data_type)?;
                Value::Tensor(Some(TensorDesc::packed(data_type.value, data_type.bits, sizes)))
            }
            ExampleValue::Attribute(text) => attribute(catalog, kind, text)?,
        };
    }
    Some(descriptor)
}

fn attribute(catalog: &Catalog, kind: &FieldKind, text: &str) -> Option<Value> {
    let mut words = text.split(' ').filter(|word| !word.is_empty());
    Some(match kind {
        FieldKind::UInt | FieldKind::Bool => Value::UInt(text.parse().ok()?),
        FieldKind::Int => Value::Int(text.parse().ok()?),
        FieldKind::Float => Value::Float(text.parse().ok()?),
        FieldKind::Enum(name) => Value::UInt(constant(catalog, name, text)?),
        FieldKind::UInts(_) => Value::UInts(Some(words.map(|w| w.parse().ok()).collect::<Option<Dims>>()?)),
        FieldKind::Ints(_) => Value::Ints(Some(words.map(|w| w.parse().ok()).collect::<Option<_>>()?)),
        FieldKind::Floats(_) => Value::Floats(Some(words.map(|w| w.parse().ok()).collect::<Option<_>>()?)),
        FieldKind::ScaleBias => Value::ScaleBias(Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))),
        FieldKind::Size2D => Value::Size2D(words.next()?.parse().ok()?, words.next()?.parse().ok()?),
        FieldKind::Tensor(_) | FieldKind::Tensors(..) | FieldKind::Scalar(_) => return None,
        FieldKind::Operator | FieldKind::Operators(_) => return None,
    })
}

fn constant(catalog: &Catalog, name: &str, text: &str) -> Option<u32> {
    let named = || {
        Some(
            catalog
                .enumeration(name)?
                .members
                .iter()
                .find(|m| m.name == text)?
                .value,
        )
    };
    let data_type = || {
        catalog
            .data_type_named(text)
            .map(|t| t.value)
            .filter(|_| name == super::field::DATA_TYPE)
    };
    text.parse().ok().or_else(named).or_else(data_type)
}
