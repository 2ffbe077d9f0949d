//! The JSON form.

use dml_spec::{
    model::{
        Catalog, Citation, Clause, Field, FieldKind, NumberClass, Observation, Operator, Role, Source, SupportRow, Text,
    },
    program::{Check, Program},
};
use serde_json::{Map, Value as Json, json};

use super::{VERSION, tree::tree};
use dml_case::clause::{applies_word, kind_word, status_word};

/// All operators, or one. `digest` is that of the files.
pub fn document(catalog: &Catalog, only: Option<&str>, digest: &str) -> Json {
    let levels = catalog.levels.iter().map(|l| (l.level.to_string(), json!(l.release)));
    let enums = catalog.enums.iter().map(|e| {
        let members = e.members.iter().map(|m| (m.name.to_string(), json!(m.value)));
        let members: Map<String, Json> = members.collect();
        (e.name.to_string(), json!({"flags": e.flags, "members": members}))
    });
    let types = catalog.data_types.iter().map(|t| {
        let class = match t.class {
            NumberClass::Unknown => "unknown",
            NumberClass::Float => "float",
            NumberClass::Unsigned => "unsigned",
            NumberClass::Signed => "signed",
        };
        let since = t.introduced.to_string();
        let entry = json!({"value": t.value, "bits": t.bits, "class": class, "introduced": since});
        (t.name.to_string(), entry)
    });
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
        "operators": list(operators.map(|(of, program)| operator(of, program.as_ref()))),
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
fn operator(operator: &Operator, program: Option<&Program>) -> Json {
    let fields = &operator.fields;
    let own_clause = |own: &Clause| {
        let check = program.and_then(|program| checks(program).find(|check| check.clause == own.id));
        clause(own, check, fields)
    };
    let conditions = program.into_iter().flat_map(|program| &program.groups);
    let conditions = conditions.map(|(name, when)| (name.to_string(), tree(when, fields)));
    let order = program.into_iter().flat_map(|program| &program.checks);
    let groups = operator.groups.iter().map(|g| (g.name.to_string(), json!(g.when)));
    let tables = operator.support.iter().map(|table| {
        let differs = table.differs.iter().map(
            |d| json!({"runtime": d.runtime, "date": d.date, "tensors": d.tensors, "types": d.types, "says": d.says}),
        );
        let mut entry = json!({
            "level": table.level.to_string(),
            "rows": list(table.rows.iter().map(row)),
            "differs": list(differs),
        });
        put(&mut entry, "source", table.source.as_ref().map(citation));
        entry
    });
    json!({
        "operator": operator.name,
        "type": operator.type_value,
        "introduced": operator.introduced.to_string(),
        "says": operator.says,
        "sources": sources(&operator.sources),
        "fields": list(operator.fields.iter().map(field)),
        "clauses": list(operator.clauses.iter().map(own_clause)),
        "checks": list(order.map(|check| ordered(check, fields))),
        "groups": groups.collect::<Map<_, _>>(),
        "group_trees": conditions.collect::<Map<_, _>>(),
        "support": list(tables),
        "ledger": list(operator.ledger.iter().map(|e| json!({"source": citation(&e.source), "clause": e.clause}))),
        "superseded": list(operator.superseded.iter().map(
            |e| json!({"in": e.source, "fact": e.fact, "value": e.value, "by": e.by}),
        )),
    })
}

/// Adds a key where there is a value.
fn put(object: &mut Json, key: &str, value: Option<Json>) {
    if let (Some(object), Some(value)) = (object.as_object_mut(), value) {
        object.insert(key.to_owned(), value);
    }
}

fn row(row: &SupportRow) -> Json {
    let (least, most) = row.dimensions;
    let mut entry = json!({"tensor": row.tensor, "dimensions": [least, most], "types": row.types});
    put(
        &mut entry,
        "group",
        Some(&row.group).filter(|g| !g.is_empty()).map(|g| json!(g)),
    );
    put(
        &mut entry,
        "shape",
        Some(&row.shape).filter(|s| !s.is_empty()).map(|s| json!(s)),
    );
    put(&mut entry, "source", row.source.as_ref().map(citation));
    entry
}

fn sources(sources: &[Source]) -> Json {
    let entry = |s: &Source| json!({"page": s.page, "locale": s.locale, "revision": s.revision});
    let entries = sources.iter().map(|s| (s.name.to_string(), entry(s)));
    Json::Object(entries.collect())
}

fn citation(citation: &Citation) -> Json {
    let mut entry = json!({"in": citation.source, "anchor": citation.anchor, "sentence": citation.sentence});
    put(
        &mut entry,
        "sha256",
        Some(&citation.sha256).filter(|h| !h.is_empty()).map(|h| json!(h)),
    );
    entry
}

fn field(field: &Field) -> Json {
    let (kind, of) = match &field.kind {
        FieldKind::Tensor(Role::Input) => ("input", None),
        FieldKind::Tensor(Role::Output) => ("output", None),
        FieldKind::Tensors(Role::Input, count) => ("input array", Some(("count", count))),
        FieldKind::Tensors(Role::Output, count) => ("output array", Some(("count", count))),
        FieldKind::UInt => ("UINT", None),
        FieldKind::Int => ("INT", None),
        FieldKind::Float => ("FLOAT", None),
        FieldKind::Bool => ("BOOL", None),
        FieldKind::Enum(name) => (&**name, None),
        FieldKind::UInts(count) => ("UINT array", Some(("count", count))),
        FieldKind::Ints(count) => ("INT array", Some(("count", count))),
        FieldKind::Floats(count) => ("FLOAT array", Some(("count", count))),
        FieldKind::ScaleBias => ("SCALE_BIAS", None),
        FieldKind::Size2D => ("SIZE_2D", None),
        FieldKind::Scalar(of) => ("SCALAR", Some(("type", of))),
        FieldKind::Operator => ("OPERATOR", None),
        FieldKind::Operators(count) => ("OPERATOR array", Some(("count", count))),
    };
    let mut entry = json!({"name": field.name, "kind": kind, "optional": field.optional, "says": field.says});
    if let Some((key, name)) = of {
        put(&mut entry, key, Some(json!(name)));
    }
    let shared = Some(&field.in_place).filter(|inputs| !inputs.is_empty());
    put(&mut entry, "in_place", shared.map(|inputs| json!(inputs)));
    entry
}

/// A check as a validator goes through them: its clause, the tensor that it is about, and the checks before it that it
/// needs, by their places.
fn ordered(check: &Check, fields: &[Field]) -> Json {
    let mut entry = json!({"clause": check.clause, "needs": check.needs});
    let tensor = check.subject.and_then(|subject| fields.get(subject));
    put(&mut entry, "tensor", tensor.map(|field| json!(field.name)));
    entry
}

/// What the text demands, and the runtimes if that differs.
fn trees(check: &Check, fields: &[Field]) -> Json {
    let mut entry = json!({});
    put(&mut entry, "text", check.text.as_ref().map(|rule| tree(rule, fields)));
    put(
        &mut entry,
        "runtime",
        check.runtime.as_ref().map(|rule| tree(rule, fields)),
    );
    entry
}

fn clause(clause: &Clause, check: Option<&Check>, fields: &[Field]) -> Json {
    let mut entry = json!({
        "id": clause.id,
        "kind": kind_word(clause.kind),
        "status": status_word(clause.status),
        "says": clause.says,
    });
    let words = |words: &[Text]| Some(json!(words)).filter(|_| !words.is_empty());
    let applies = applies_word(clause.applies);
    put(
        &mut entry,
        "applies",
        Some(json!(applies)).filter(|_| !applies.is_empty()),
    );
    put(&mut entry, "structural", clause.structural.then_some(json!(true)));
    put(&mut entry, "needs", words(&clause.needs));
    put(&mut entry, "rule", clause.rule.as_ref().map(|rule| json!(rule)));
    put(&mut entry, "trees", check.map(|check| trees(check, fields)));
    put(&mut entry, "class", words(&clause.class));
    put(&mut entry, "holds", words(&clause.holds));
    put(&mut entry, "tells", words(&clause.tells));
    put(&mut entry, "source", clause.source.as_ref().map(citation));
    let observed = (!clause.observed.is_empty()).then(|| list(clause.observed.iter().map(observation)));
    put(&mut entry, "observed", observed);
    let change = |c: &dml_spec::model::Change| json!({"date": c.date, "change": c.change});
    let history = (!clause.history.is_empty()).then(|| list(clause.history.iter().map(change)));
    put(&mut entry, "history", history);
    put(&mut entry, "retired", clause.retired.as_ref().map(|by| json!(by)));
    entry
}

fn observation(seen: &Observation) -> Json {
    let mut entry = json!({"runtime": seen.runtime, "date": seen.date, "says": seen.says});
    put(&mut entry, "rule", seen.rule.as_ref().map(|rule| json!(rule)));
    put(&mut entry, "erratic", seen.erratic.then_some(json!(true)));
    entry
}
