//! Reads operators and vectors of the tests, makes descriptors, and judges outputs.

use std::{borrow::Cow, collections::BTreeMap, fs, path::Path};

use dml_case::number::{decode, encode_float, encode_int};
use dml_oracle::{Basis, Element, Meanings, Request, Tensor, expect};
use dml_spec::{
    desc::{Descriptor, TensorDesc, Value},
    meaning,
    model::{Catalog, DataType, Enum, EnumMember, Field, FieldKind, NumberClass, Operator, Role, Text},
};
pub(crate) mod change;

use serde::Deserialize;
use serde_yaml::Value as Yaml;

/// A mapping in the order of the file.
type Entries = serde_yaml::Mapping;

/// An operator of a test: its fields and what it computes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorFile {
    operator: String,
    fields: Entries,
    meaning: Entries,
}

/// Vectors of one operator.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vectors {
    pub(crate) operator: String,
    #[serde(rename = "judge")]
    _judge: String,
    pub(crate) cases: Vec<Case>,
}

/// Inputs, and the outputs that the judge computed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) fields: Entries,
    pub(crate) inputs: BTreeMap<String, Tensors>,
    pub(crate) outputs: BTreeMap<String, Tensors>,
}

/// A tensor, or an array of them.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Tensors {
    Many(Vec<Given>),
    One(Given),
}

/// A tensor as it is written.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    #[serde(rename = "type")]
    pub(crate) ty: String,
    pub(crate) sizes: Vec<u32>,
    pub(crate) values: Vec<Yaml>,
    #[serde(default)]
    pub(crate) undefined: Vec<usize>,
}

impl Tensors {
    pub(crate) fn all(&self) -> &[Given] {
        match self {
            Self::One(tensor) => std::slice::from_ref(tensor),
            Self::Many(tensors) => tensors,
        }
    }
}

/// Catalogue and meanings of all operators of the tests.
pub(crate) struct Suite {
    pub(crate) catalog: Catalog,
    pub(crate) meanings: Meanings,
    /// Heads and expressions, by operator.
    pub(crate) texts: BTreeMap<String, Vec<(String, String)>>,
}

pub(crate) fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn files(name: &str) -> Vec<std::path::PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|ext| ext == "yaml"));
    paths.sort();
    paths
}

pub(crate) fn vectors() -> Vec<Vectors> {
    let read = |path: &std::path::PathBuf| {
        serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    files("vectors").iter().map(read).collect()
}

impl Suite {
    /// Reads every operator; panics with all mistakes of a meaning.
    pub(crate) fn load() -> Self {
        let mut catalog = dml_spec_yaml::load::catalog().clone();
        add_enums(&mut catalog);
        let mut read = Vec::new();
        for path in files("operators") {
            let text = fs::read_to_string(&path).unwrap();
            let file: OperatorFile = serde_yaml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let known = catalog.operator(&file.operator);
            assert!(
                known.is_none_or(|known| !known.is_computed()),
                "{}: its meaning stands in the specification",
                file.operator
            );
            catalog
                .operators
                .to_mut()
                .retain(|known| known.name != file.operator.as_str());
            catalog.operators.to_mut().push(operator(&file));
            read.push(file);
        }
        // Operators of the specification are judged as they stand there.
        let mut meanings = Meanings::of_catalog(&catalog);
        let own = |operator: &Operator| {
            let entries = operator.meaning.iter().map(|(k, v)| (k.to_string(), v.to_string()));
            (operator.name.to_string(), entries.collect())
        };
        let mut texts: BTreeMap<String, Vec<(String, String)>> = catalog.operators.iter().map(own).collect();
        let mut mistakes = Vec::new();
        for file in read.iter().filter(|file| !file.meaning.is_empty()) {
            let operator = catalog.operator(&file.operator).unwrap();
            let text = |yaml: &Yaml| match yaml {
                Yaml::String(text) => text.clone(),
                other => serde_yaml::to_string(other).unwrap().trim().to_owned(),
            };
            let entries: Vec<(String, String)> = file.meaning.iter().map(|(k, v)| (text(k), text(v))).collect();
            texts.insert(file.operator.clone(), entries.clone());
            let entries: Vec<meaning::Entry> = entries.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
            match meaning::check(&catalog, operator, &entries) {
                Ok(meaning) => meanings.insert(&file.operator, meaning),
                Err(found) => mistakes.extend(found.into_iter().map(|m| {
                    let (entry, in_head) = match m.place {
                        meaning::Place::Head(entry) => (entry, true),
                        meaning::Place::Body(entry) => (entry, false),
                        meaning::Place::Opens { .. }
                        | meaning::Place::Tells { .. }
                        | meaning::Place::Holds { .. }
                        | meaning::Place::Named { .. } => {
                            panic!("no clauses here")
                        }
                    };
                    let (head, body) = entries.get(entry).copied().unwrap_or_default();
                    let text = if in_head { head } else { body };
                    let at = text.get(m.error.span.clone()).unwrap_or("");
                    format!("{}, {head}: {} at `{at}`", file.operator, m.error)
                })),
            }
        }
        assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
        Self {
            catalog,
            meanings,
            texts,
        }
    }
}

fn add_enums(catalog: &mut Catalog) {
    let text = fs::read_to_string(folder("enums.yaml")).unwrap();
    let all: BTreeMap<String, BTreeMap<String, u32>> = serde_yaml::from_str(&text).unwrap();
    for (name, members) in all {
        // The header knows members that the specification does not have yet.
        catalog.enums.to_mut().retain(|known| known.name != name);
        let member = |(name, value)| EnumMember {
            name: Cow::Owned(name),
            value,
        };
        let members: Vec<EnumMember> = members.into_iter().map(member).collect();
        catalog.enums.to_mut().push(Enum {
            name: Cow::Owned(name),
            flags: false,
            members: members.into(),
        });
    }
}

fn operator(file: &OperatorFile) -> Operator {
    let field = |(name, kind): (&Yaml, &Yaml)| Field {
        name: Cow::Owned(name.as_str().unwrap().to_owned()),
        kind: kind_of(kind.as_str().unwrap()),
        optional: true,
        compare: None,
        in_place: Cow::Borrowed(&[]),
        says: Cow::Borrowed(""),
    };
    Operator {
        name: Cow::Owned(file.operator.clone()),
        fields: file.fields.iter().map(field).collect::<Vec<_>>().into(),
        ..Operator::default()
    }
}

fn kind_of(word: &str) -> FieldKind {
    let (kind, named) = match word.rsplit_once(' ') {
        Some((
            "input array" | "output array" | "UINT array" | "INT array" | "FLOAT array" | "OPERATOR array" | "SCALAR",
            named,
        )) => (word.rsplit_once(' ').unwrap().0, named),
        _ => (word, ""),
    };
    let known = FieldKind::WORDS.iter().find(|(known, _)| *known == kind);
    match known {
        Some((_, make)) => make(Text::Owned(named.to_owned())),
        None => FieldKind::Enum(Text::Owned(word.to_owned())),
    }
}

/// Bits of the elements of a tensor.
pub(crate) fn bits(ty: &DataType, values: &[Yaml]) -> Vec<u64> {
    let one = |value: &Yaml| match value {
        Yaml::Bool(value) => encode_int(ty, i128::from(*value)),
        Yaml::Number(n) if ty.class != NumberClass::Float => {
            let whole = n.as_i64().map(i128::from).or_else(|| n.as_u64().map(i128::from));
            encode_int(ty, whole.unwrap_or_else(|| n.as_f64().unwrap() as i128))
        }
        Yaml::Number(n) => encode_float(ty, n.as_f64().unwrap()),
        other => panic!("{other:?} is no number"),
    };
    values.iter().map(one).collect()
}

impl Suite {
    fn ty(&self, name: &str) -> &DataType {
        self.catalog.data_type_named(name).unwrap()
    }

    fn desc(&self, given: &Given) -> TensorDesc {
        let ty = self.ty(&given.ty);
        TensorDesc::packed(ty.value, ty.bits, &given.sizes)
    }

    /// The descriptor of a case.
    pub(crate) fn descriptor(&self, operator: &str, case: &Case) -> Descriptor {
        let mut descriptor = self.attributes(operator, &case.fields);
        let operator = self.catalog.operator(operator).unwrap();
        for (name, tensors) in case.inputs.iter().chain(&case.outputs) {
            let at = operator
                .field_index(name)
                .unwrap_or_else(|| panic!("{}: no field {name}", operator.name));
            let descs: Vec<TensorDesc> = tensors.all().iter().map(|given| self.desc(given)).collect();
            descriptor.fields[at] = match operator.fields[at].kind {
                FieldKind::Tensors(..) => Value::Tensors(Some(descs)),
                _ => Value::Tensor(descs.into_iter().next()),
            };
        }
        descriptor
    }

    fn attributes(&self, name: &str, given: &Entries) -> Descriptor {
        let operator = self
            .catalog
            .operator(name)
            .unwrap_or_else(|| panic!("no operator {name}"));
        let mut descriptor = Descriptor::zeroed(operator);
        for (field, value) in given {
            let field = field.as_str().unwrap();
            if field == "operator" {
                continue;
            }
            let at = operator
                .field_index(field)
                .unwrap_or_else(|| panic!("{name}: no field {field}"));
            descriptor.fields[at] = self.attribute(operator, at, value, given);
        }
        descriptor
    }

    fn attribute(&self, operator: &Operator, at: usize, value: &Yaml, all: &Entries) -> Value {
        let list = || value.as_sequence().unwrap();
        let float = |value: &Yaml| value.as_f64().unwrap() as f32;
        let int = |value: &Yaml| value.as_i64().unwrap();
        match &operator.fields[at].kind {
            FieldKind::Bool => Value::UInt(u32::from(value.as_bool().unwrap())),
            FieldKind::UInt => Value::UInt(int(value) as u32),
            FieldKind::Int => Value::Int(int(value) as i32),
            FieldKind::Float => Value::Float(float(value)),
            FieldKind::Enum(name) => Value::UInt(self.constant(name, value.as_str().unwrap())),
            FieldKind::UInts(_) => Value::UInts(Some(list().iter().map(|v| int(v) as u32).collect())),
            FieldKind::Ints(_) => Value::Ints(Some(list().iter().map(|v| int(v) as i32).collect())),
            FieldKind::Floats(_) => Value::Floats(Some(list().iter().map(float).collect())),
            FieldKind::ScaleBias => Value::ScaleBias(Some((float(&value["Scale"]), float(&value["Bias"])))),
            FieldKind::Size2D => Value::Size2D(int(&value["Width"]) as u32, int(&value["Height"]) as u32),
            FieldKind::Scalar(named) => {
                let ty = all.get(named.as_ref()).unwrap().as_str().unwrap();
                let ty = self.ty(ty.trim_start_matches("DML_TENSOR_DATA_TYPE_"));
                Value::Scalar(bits(ty, std::slice::from_ref(value))[0].to_le_bytes())
            }
            FieldKind::Operator => Value::Operator(Some(Box::new(self.nested(value)))),
            FieldKind::Operators(_) => Value::Operators(Some(list().iter().map(|v| self.nested(v)).collect())),
            FieldKind::Tensor(_) | FieldKind::Tensors(..) => panic!("a tensor among the attributes"),
        }
    }

    fn nested(&self, value: &Yaml) -> Descriptor {
        self.attributes(value["operator"].as_str().unwrap(), value.as_mapping().unwrap())
    }

    fn constant(&self, of: &str, name: &str) -> u32 {
        if let Some(ty) = name.strip_prefix("DML_TENSOR_DATA_TYPE_") {
            return self.ty(ty).value;
        }
        let members = &self
            .catalog
            .enumeration(of)
            .unwrap_or_else(|| panic!("no enumeration {of}"))
            .members;
        members
            .iter()
            .find(|member| member.name == name)
            .unwrap_or_else(|| panic!("no {name}"))
            .value
    }

    /// The input tensors of a case, by field.
    pub(crate) fn inputs(&self, operator: &str, case: &Case) -> Vec<Vec<Tensor>> {
        let operator = self.catalog.operator(operator).unwrap();
        let of = |field: &Field| {
            if field.kind.role() != Some(Role::Input) {
                return Vec::new();
            }
            let given = case.inputs.get(field.name.as_ref()).map_or(&[][..], Tensors::all);
            let load = |given: &Given| {
                let ty = self.ty(&given.ty);
                Tensor::new(&self.desc(given), ty, &bits(ty, &given.values)).unwrap()
            };
            given.iter().map(load).collect()
        };
        operator.fields.iter().map(of).collect()
    }

    /// What is wrong with the outputs that the judge computed, by what the meaning accepts.
    pub(crate) fn judge(&self, operator: &str, case: &Case) -> Vec<String> {
        let descriptor = self.descriptor(operator, case);
        let inputs = self.inputs(operator, case);
        let mut wrong = Vec::new();
        let Operator { fields, clauses, .. } = self.catalog.operator(operator).unwrap();
        let request = Request {
            catalog: &self.catalog,
            meanings: &self.meanings,
            descriptor: &descriptor,
            inputs: &inputs,
            basis: Basis::Text,
            variants: &[],
            half_precision: false,
        };
        let mut judged = 0;
        let result = expect(&request, &mut |block| {
            let name = &fields[block.field].name;
            let given = &case.outputs[name.as_ref()].all()[block.element];
            let ty = self.ty(&given.ty);
            let expected = bits(ty, &given.values);
            for (i, element) in block.elements.iter().enumerate() {
                let at = block.start + i;
                judged += 1;
                if given.undefined.contains(&at) {
                    continue;
                }
                let (found, accepted) = (decode(ty, expected[at]), show(ty, element));
                if !element.accepts(ty, expected[at]) {
                    wrong.push(format!("{name}[{at}]: {found} is not {accepted}"));
                } else if is_loose(element) && (clauses.is_empty() || !matches!(element, Element::Open(_))) {
                    wrong.push(format!("{name}[{at}]: {found} is right, but so is {accepted}"));
                }
            }
        });
        if let Err(fault) = result {
            wrong.push(format!("{fault} ({:?})", fault.span));
        }
        let all: usize = case
            .outputs
            .values()
            .flat_map(|t| t.all())
            .map(|given| given.values.len())
            .sum();
        if wrong.is_empty() && judged != all {
            wrong.push(format!("{judged} of {all} elements were computed"));
        }
        wrong
    }
}

/// Whether an element says little: it is open, or an interval wider than a 64th of its number and than 1e-4.
fn is_loose(element: &Element) -> bool {
    match element {
        Element::Exact(_) => false,
        Element::Open(_) => true,
        Element::Among(all) => all.len() > 2,
        Element::Interval(i) => {
            let width = i.hi - i.lo;
            !(width <= i.lo.abs().max(i.hi.abs()) / 64.0 || width <= 1e-4)
        }
    }
}

pub(crate) fn show(ty: &DataType, element: &Element) -> String {
    match element {
        Element::Exact(bits) => format!("{}", decode(ty, *bits)),
        Element::Open(clause) => format!("open by {clause}"),
        Element::Among(all) => all.iter().map(|e| show(ty, e)).collect::<Vec<_>>().join(" or "),
        Element::Interval(i) => format!(
            "{:e} ..= {:e} (nan {}, inf {} {})",
            i.lo, i.hi, i.nan, i.infinity, i.negative_infinity
        ),
    }
}
