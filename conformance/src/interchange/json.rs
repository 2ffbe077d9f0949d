//! The JSON form.

use dml_spec::model::{Catalog, Field, Operator, Source};
use serde_json::{Map, Value as Json, json};

use super::{VERSION, chosen};

/// All operators, or one. `digest` is that of the files.
pub fn document(catalog: &Catalog, only: Option<&str>, digest: &str) -> Json {
    let levels = catalog.levels.iter().map(|l| (l.level.to_string(), json!(l.release)));
    let enums = catalog.enums.iter().map(|e| {
        let members = e.members.iter().map(|m| (m.name.to_string(), json!(m.value)));
        let members: Map<String, Json> = members.collect();
        (e.name.to_string(), json!({"flags": e.flags, "members": members}))
    });
    let types = catalog.data_types.iter().map(|t| (t.name.to_string(), json!(t)));
    json!({
        "format": "dml-cts specification",
        "version": VERSION,
        "suite": env!("CARGO_PKG_VERSION"),
        "spec_digest": digest,
        "levels": levels.collect::<Map<_, _>>(),
        "data_types": types.collect::<Map<_, _>>(),
        "enums": enums.collect::<Map<_, _>>(),
        "sources": sources(&catalog.sources),
        "tensor_clauses": catalog.tensor_clauses,
        "operators": list(chosen(catalog, only).map(operator)),
    })
}

fn list(items: impl Iterator<Item = Json>) -> Json {
    Json::Array(items.collect())
}

fn operator(operator: &Operator) -> Json {
    let groups = operator.groups.iter().map(|g| (g.name.to_string(), json!(g.when)));
    json!({
        "operator": operator.name,
        "type": operator.type_value,
        "introduced": operator.introduced,
        "says": operator.says,
        "sources": sources(&operator.sources),
        "fields": list(operator.fields.iter().map(field)),
        "clauses": operator.clauses,
        "groups": groups.collect::<Map<_, _>>(),
        "support": operator.support,
        "ledger": operator.ledger,
        "superseded": operator.superseded,
    })
}

/// Adds a key where there is a value.
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
