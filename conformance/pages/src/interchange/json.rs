//! The JSON form.

use dml_spec::{
    model::{Catalog, Clause, Field, Operator, Source},
    onnx::{self, Input, Mapping},
    program::{Check, Program},
    rule::typed::{Node, Type},
};
use serde_json::{Map, Value as Json, json};

use super::{VERSION, tree::tree};

/// All operators, or one. `digest` is that of the files.
pub fn document(catalog: &Catalog, only: Option<&str>, digest: &str) -> Json {
    let levels = catalog.levels.iter().map(|l| (l.level.to_string(), json!(l.release)));
    let enums = catalog.enums.iter().map(|e| {
        let members = e.members.iter().map(|m| (m.name.to_string(), json!(m.value)));
        let members: Map<String, Json> = members.collect();
        (e.name.to_string(), json!({"flags": e.flags, "members": members}))
    });
    let types = catalog.data_types.iter().map(|t| (t.name.to_string(), json!(t)));
    let programs = catalog.operators.iter();
    let programs: Vec<_> = programs
        .map(|operator| Program::compile(catalog, operator).ok())
        .collect();
    let tensor_clause = |tensors: &Clause| {
        let mut checks = programs.iter().flatten().flat_map(checks);
        let check = checks.find(|check| check.clause == tensors.id && check.subject.is_some());
        clause(tensors, check, &[])
    };
    let operators = catalog.operators.iter().zip(&programs);
    let operators = operators.filter(|(operator, _)| only.is_none_or(|name| operator.name == name));
    json!({
        "format": "dml-cts specification",
        "version": VERSION,
        "suite": env!("CARGO_PKG_VERSION"),
        "spec_digest": digest,
        "levels": levels.collect::<Map<_, _>>(),
        "data_types": types.collect::<Map<_, _>>(),
        "enums": enums.collect::<Map<_, _>>(),
        "sources": sources(&catalog.sources),
        "tensor_clauses": list(catalog.tensor_clauses.iter().map(tensor_clause)),
        "operators": list(operators.map(|(of, program)| operator(catalog, of, program.as_ref()))),
    })
}

fn list(items: impl Iterator<Item = Json>) -> Json {
    Json::Array(items.collect())
}

/// Constraints and silences, compiled.
fn checks(program: &Program) -> impl Iterator<Item = &Check> {
    program.checks.iter().chain(&program.silences)
}

/// An operator with its compiled rules; without those if they have mistakes.
fn operator(catalog: &Catalog, operator: &Operator, program: Option<&Program>) -> Json {
    let fields = &operator.fields;
    let own_clause = |own: &Clause| {
        let check = program.and_then(|program| checks(program).find(|check| check.clause == own.id));
        clause(own, check, fields)
    };
    let conditions = program.into_iter().flat_map(|program| &program.groups);
    let conditions = conditions.map(|(name, when)| (name.to_string(), tree(when, fields)));
    let order = program.into_iter().flat_map(|program| &program.checks);
    let mappings = onnx::compile(catalog, operator).unwrap_or_default();
    let groups = operator.groups.iter().map(|g| (g.name.to_string(), json!(g.when)));
    json!({
        "operator": operator.name,
        "type": operator.type_value,
        "introduced": operator.introduced,
        "says": operator.says,
        "sources": sources(&operator.sources),
        "fields": list(operator.fields.iter().map(field)),
        "clauses": list(operator.clauses.iter().map(own_clause)),
        "checks": list(order.map(|check| ordered(check, fields))),
        "groups": groups.collect::<Map<_, _>>(),
        "group_trees": conditions.collect::<Map<_, _>>(),
        "support": operator.support,
        "meaning": operator.meaning,
        "mistakes": operator.mistakes,
        "onnx": list(mappings.iter().map(|of| mapping(of, fields))),
        "ledger": operator.ledger,
        "superseded": operator.superseded,
    })
}

/// An entry of `onnx`; its inputs, outputs, attributes and fields by their names.
fn mapping(mapping: &Mapping, fields: &[Field]) -> Json {
    let nodes = mapping
        .nodes
        .iter()
        .map(|(name, when)| json!([name, tree(when, fields)]));
    let inputs = mapping
        .inputs
        .iter()
        .map(|(name, of)| (name.to_string(), input(of, fields)));
    let name = |index: usize| {
        fields
            .get(index)
            .map(|field| field.name.to_string())
            .unwrap_or_default()
    };
    let outputs = mapping
        .outputs
        .iter()
        .map(|(output, index)| (output.to_string(), json!(name(*index))));
    let attribute = |node: &Node| json!({"value": tree(node, fields), "type": attribute_type(&node.ty)});
    let attributes = mapping
        .attributes
        .iter()
        .map(|(name, node)| (name.to_string(), attribute(node)));
    let found = mapping
        .fields
        .iter()
        .map(|(index, node)| (name(*index), tree(node, &mapping.names)));
    json!({
        "nodes": list(nodes),
        "inputs": inputs.collect::<Map<_, _>>(),
        "outputs": outputs.collect::<Map<_, _>>(),
        "attributes": attributes.collect::<Map<_, _>>(),
        "fields": found.collect::<Map<_, _>>(),
    })
}

fn input(input: &Input, fields: &[Field]) -> Json {
    let mut entry = json!({"value": tree(&input.value, fields)});
    let spelled = |part: &Option<Node>| part.as_ref().map(|part| tree(part, fields));
    put(&mut entry, "type", spelled(&input.data_type));
    put(&mut entry, "sizes", spelled(&input.sizes));
    entry
}

/// What ONNX calls an attribute of this type; a data type is a number of its own.
fn attribute_type(ty: &Type) -> &'static str {
    match ty {
        Type::Float => "FLOAT",
        Type::List => "INTS",
        Type::FloatList => "FLOATS",
        Type::DataType => "DATA_TYPE",
        _ => "INT",
    }
}

/// Adds a key if there is a value.
fn put(object: &mut Json, key: &str, value: Option<Json>) {
    if let (Some(object), Some(value)) = (object.as_object_mut(), value) {
        object.insert(key.to_owned(), value);
    }
}

fn sources(sources: &[Source]) -> Json {
    let entries = sources.iter().map(|s| (s.name.to_string(), json!(s)));
    Json::Object(entries.collect())
}

fn field(field: &Field) -> Json {
    let mut entry =
        json!({"name": field.name, "kind": field.kind.word(), "optional": field.optional, "says": field.says});
    if let Some((key, name)) = field.kind.named() {
        put(&mut entry, key, Some(json!(name)));
    }
    let shared = Some(&field.in_place).filter(|inputs| !inputs.is_empty());
    put(&mut entry, "in_place", shared.map(|inputs| json!(inputs)));
    entry
}

/// A check in the order of validators: its clause, the tensor that it is about, and the checks before it that it
/// needs, by their places.
fn ordered(check: &Check, fields: &[Field]) -> Json {
    let mut entry = json!({"clause": check.clause, "needs": check.needs});
    let tensor = check.subject.and_then(|subject| fields.get(subject));
    put(&mut entry, "tensor", tensor.map(|field| json!(field.name)));
    entry
}

/// A clause with its rules as trees: what the text demands, and the runtimes if they differ.
fn clause(clause: &Clause, check: Option<&Check>, fields: &[Field]) -> Json {
    let mut entry = json!(clause);
    let Some(check) = check else { return entry };
    let mut trees = json!({});
    let spelled = |rule: &Option<_>| rule.as_ref().map(|rule| tree(rule, fields));
    put(&mut trees, "text", spelled(&check.text));
    put(&mut trees, "runtime", spelled(&check.runtime));
    put(&mut entry, "trees", Some(trees));
    entry
}
