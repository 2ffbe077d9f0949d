//! Evaluates a meaning on tiny tensors, both written as text.
//!
//! Fields are separated by semicolons: `A: FLOAT32 [2, 2] = 1 2 3 nan` is an input tensor, `S: FLOAT32 [1] = 1 / FLOAT32
//! [2] = 2 3` an array of two, `O: INT32 [2]` an output, and `Axis: UINT = 1` an attribute. A meaning has one definition
//! on each line, `ranked[r in A.Sizes]: …`; lines that start with blanks go on. `A opens nan: isnan(x)` is what a clause
//! leaves open.

use std::{borrow::Cow, sync::LazyLock};

use dml_case::number::{decode, encode_float, encode_int};
use dml_oracle::{Basis, Element, MOST_POINTS, Meanings, Request, Tensor, expect_within};
use dml_spec::{
    desc::{Descriptor, TensorDesc, Value},
    meaning::{self, Meaning},
    model::{Catalog, Clause, DataType, Field, FieldKind, NumberClass, Operator, Role, Status, Text},
};

/// The catalogue of the specification.
pub(crate) static CATALOG: LazyLock<Catalog> = LazyLock::new(|| dml_spec_yaml::load::catalog().clone());

/// An operator, a descriptor and inputs.
pub(crate) struct Tiny {
    pub(crate) catalog: Catalog,
    pub(crate) descriptor: Descriptor,
    pub(crate) inputs: Vec<Vec<Tensor>>,
    pub(crate) meanings: Meanings,
    /// Whether computation in half precision is allowed.
    half: bool,
    entries: Vec<(String, String)>,
}

/// The name of the operator of these tests.
const NAME: &str = "TINY";

/// The elements of the outputs, with commas between them and bars between outputs, or the fault.
pub(crate) fn run(fields: &str, meaning: &str) -> String {
    run_on(fields, meaning, Basis::Text)
}

/// The same on another basis.
pub(crate) fn run_on(fields: &str, meaning: &str, basis: Basis) -> String {
    let mut tiny = Tiny::new(fields, meaning);
    match tiny.compile(meaning) {
        Ok(_) => tiny.evaluate(basis),
        Err(mistakes) => format!("mistakes: {}", mistakes.join("; ")),
    }
}

/// The same where computation in half precision is allowed.
pub(crate) fn run_in_half(fields: &str, meaning: &str) -> String {
    let mut tiny = Tiny::new(fields, meaning);
    tiny.half = true;
    match tiny.compile(meaning) {
        Ok(_) => tiny.evaluate(Basis::Text),
        Err(mistakes) => format!("mistakes: {}", mistakes.join("; ")),
    }
}

/// The fault of a meaning, or its result.
pub(crate) fn fault(fields: &str, meaning: &str) -> String {
    let found = run(fields, meaning);
    found
        .strip_prefix("fault: ")
        .map_or_else(|| format!("no fault: {found}"), str::to_owned)
}

/// Both ends of the one element of the output.
pub(crate) fn ends(fields: &str, meaning: &str) -> (f64, f64) {
    ends_of(&run(fields, meaning))
}

/// The same where FLOAT16 arithmetic is accepted; infinities beside the interval are left out.
pub(crate) fn ends_in_half(fields: &str, meaning: &str) -> (f64, f64) {
    let found = run_in_half(fields, meaning);
    ends_of(found.split(" or ").next().unwrap_or(&found))
}

fn ends_of(found: &str) -> (f64, f64) {
    let (lo, hi) = found.split_once("..").unwrap_or((found, found));
    let end = |text: &str| text.parse().unwrap_or_else(|_| panic!("no interval: {found}"));
    (end(lo), end(hi))
}

impl Tiny {
    /// Reads the fields, and what clauses leave open; the meaning is not checked yet.
    pub(crate) fn new(fields: &str, meaning: &str) -> Self {
        let mut catalog = CATALOG.clone();
        let mut tiny = Self {
            descriptor: Descriptor {
                operator: NAME.into(),
                fields: Vec::new(),
            },
            inputs: Vec::new(),
            meanings: Meanings::of_catalog(&catalog),
            half: false,
            entries: Vec::new(),
            catalog: Catalog::clone(&catalog),
        };
        let mut read = Vec::new();
        for field in fields.split(';').map(str::trim).filter(|field| !field.is_empty()) {
            read.push(tiny.field(field));
        }
        let operator = Operator {
            name: Cow::Borrowed(NAME),
            fields: read.into(),
            clauses: clauses(meaning).into(),
            ..Operator::default()
        };
        catalog.operators.to_mut().push(operator);
        tiny.catalog = catalog;
        tiny
    }

    fn field(&mut self, text: &str) -> Field {
        let (name, rest) = text.split_once(':').unwrap();
        let (kind, values) = match rest.split_once('=') {
            Some((kind, values)) => (kind.trim(), Some(values.trim())),
            None => (rest.trim(), None),
        };
        let mut inputs = Vec::new();
        let (kind, value) = if kind.contains('[') {
            let all: Vec<(TensorDesc, Option<Tensor>)> = rest.split('/').map(|text| self.tensor(text)).collect();
            inputs.extend(all.iter().filter_map(|(_, tensor)| tensor.clone()));
            let role = if values.is_some() { Role::Input } else { Role::Output };
            let mut descs: Vec<TensorDesc> = all.into_iter().map(|(desc, _)| desc).collect();
            if descs.len() == 1 {
                (FieldKind::Tensor(role), Value::Tensor(descs.pop()))
            } else {
                (
                    FieldKind::Tensors(role, Text::Borrowed("")),
                    Value::Tensors(Some(descs)),
                )
            }
        } else {
            self.attribute(kind, values.unwrap_or(""))
        };
        self.descriptor.fields.push(value);
        self.inputs.push(inputs);
        Field {
            name: Cow::Owned(name.trim().to_owned()),
            kind,
            optional: true,
            compare: None,
            in_place: Cow::Borrowed(&[]),
            says: Cow::Borrowed(""),
        }
    }

    fn attribute(&self, kind: &str, values: &str) -> (FieldKind, Value) {
        let words = || values.split_whitespace();
        match kind {
            "UINT" => (FieldKind::UInt, Value::UInt(values.parse().unwrap())),
            "INT" => (FieldKind::Int, Value::Int(values.parse().unwrap())),
            "BOOL" => (FieldKind::Bool, Value::UInt(values.parse().unwrap())),
            "FLOAT" => (FieldKind::Float, Value::Float(values.parse().unwrap())),
            "UINTS" => (
                FieldKind::UInts(Text::Borrowed("")),
                Value::UInts(Some(words().map(|word| word.parse().unwrap()).collect())),
            ),
            "OPERATOR" => (FieldKind::Operator, Value::Operator(self.nested(values))),
            "input" => (FieldKind::Tensor(Role::Input), Value::Tensor(None)),
            other => {
                let member = self
                    .catalog
                    .enumeration(other)
                    .unwrap()
                    .members
                    .iter()
                    .find(|m| m.name == values);
                (
                    FieldKind::Enum(Cow::Owned(other.to_owned())),
                    Value::UInt(member.unwrap().value),
                )
            }
        }
    }

    fn nested(&self, name: &str) -> Option<Box<Descriptor>> {
        let operator = self.catalog.operator(name)?;
        Some(Box::new(Descriptor::zeroed(operator)))
    }

    fn tensor(&self, text: &str) -> (TensorDesc, Option<Tensor>) {
        let (shape, values) = match text.split_once('=') {
            Some((shape, values)) => (shape, Some(values)),
            None => (text, None),
        };
        let (ty, sizes) = shape.trim().split_once('[').unwrap();
        let ty = self.catalog.data_type_named(ty.trim()).unwrap();
        let sizes = sizes
            .trim()
            .trim_end_matches(']')
            .split(',')
            .map(str::trim)
            .filter(|size| !size.is_empty());
        let sizes: Vec<u32> = sizes.map(|size| size.parse().unwrap()).collect();
        let desc = TensorDesc::packed(ty.value, ty.bits, &sizes);
        let bits = values.map(|values| {
            values
                .split_whitespace()
                .map(|word| bits(ty, word))
                .collect::<Vec<u64>>()
        });
        let tensor = bits.map(|bits| Tensor::new(&desc, ty, &bits).unwrap());
        (desc, tensor)
    }

    /// Checks a meaning; the mistakes, each with the text that it stands at, if it has any.
    pub(crate) fn compile(&mut self, meaning: &str) -> Result<Meaning, Vec<String>> {
        self.entries = entries(meaning);
        let entries: Vec<meaning::Entry> = self.entries.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let operator = self.catalog.operator(NAME).unwrap();
        let checked = meaning::check(&self.catalog, operator, &entries).map_err(|mistakes| {
            mistakes
                .into_iter()
                .map(|mistake| mistake.error.to_string())
                .collect::<Vec<_>>()
        })?;
        self.meanings.insert(NAME, checked.clone());
        Ok(checked)
    }

    /// What the outputs may be, or the fault.
    pub(crate) fn evaluate(&self, basis: Basis) -> String {
        self.evaluated(basis, MOST_POINTS)
    }

    /// The same for a meaning that may look at so many points.
    pub(crate) fn evaluate_within(&self, points: u64) -> String {
        self.evaluated(Basis::Text, points)
    }

    fn evaluated(&self, basis: Basis, points: u64) -> String {
        let operator = self.catalog.operator(NAME).unwrap();
        let request = Request {
            catalog: &self.catalog,
            meanings: &self.meanings,
            descriptor: &self.descriptor,
            inputs: &self.inputs,
            basis,
            variants: &[],
            half_precision: self.half,
        };
        let clauses = self.meanings.of(NAME).map(|m| m.clauses.clone()).unwrap_or_default();
        let mut outputs: Vec<String> = Vec::new();
        let mut last = None;
        let result = expect_within(&request, &std::cell::Cell::new(points), &mut |block| {
            let desc = match &self.descriptor.fields[block.field] {
                Value::Tensor(Some(desc)) => desc,
                Value::Tensors(Some(descs)) => &descs[block.element],
                other => panic!("{} is no output: {other:?}", operator.fields[block.field].name),
            };
            let ty = self.catalog.data_type(desc.data_type).unwrap();
            let shown: Vec<String> = block
                .elements
                .iter()
                .map(|element| show(ty, element, &clauses))
                .collect();
            if last == Some((block.field, block.element)) {
                outputs.last_mut().unwrap().push_str(", ");
                outputs.last_mut().unwrap().push_str(&shown.join(", "));
            } else {
                outputs.push(shown.join(", "));
            }
            last = Some((block.field, block.element));
        });
        match result {
            Ok(()) => outputs.join(" | "),
            Err(fault) => {
                // A fault tells a place, not of which text: the last text that is long enough is shown.
                let mut places = self.entries.iter().filter_map(|(_, body)| body.get(fault.span.clone()));
                let at = places.next_back().unwrap_or("");
                format!("fault: {fault} at `{at}`")
            }
        }
    }
}

/// Lines that are definitions; a line that starts with blanks belongs to the one before.
fn entries(meaning: &str) -> Vec<(String, String)> {
    let mut entries: Vec<(String, String)> = Vec::new();
    for line in meaning
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.contains(" opens "))
    {
        if line.starts_with(' ') {
            let (_, body) = entries.last_mut().unwrap();
            body.push(' ');
            body.push_str(line.trim());
        } else {
            let head = line.find(": ").unwrap_or(line.len());
            let body = line.get(head + 2..).unwrap_or("");
            entries.push((line[..head].to_owned(), body.to_owned()));
        }
    }
    entries
}

/// The clauses that `A opens nan: isnan(x)` states, and those that the text names; `observed` in the name says that
/// runtimes agree.
fn clauses(meaning: &str) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let clause = |id: &str| Clause {
        id: Cow::Owned(id.to_owned()),
        status: if id.contains("observed") {
            Status::Observed
        } else {
            Status::default()
        },
        ..serde_yaml::from_str("{id: x, kind: silence, says: x}").unwrap()
    };
    for line in meaning.lines() {
        if let Some((tensor, rest)) = line.split_once(" opens ") {
            let (id, condition) = rest.split_once(": ").unwrap();
            let mut opening = clause(id);
            let pair = (Cow::Owned(tensor.trim().to_owned()), Cow::Owned(condition.to_owned()));
            opening.opens = vec![pair].into();
            clauses.push(opening);
        } else {
            clauses.extend(line.split('"').skip(1).step_by(2).map(clause));
        }
    }
    clauses
}

fn bits(ty: &DataType, word: &str) -> u64 {
    if ty.class == NumberClass::Float {
        encode_float(ty, word.parse().unwrap())
    } else {
        encode_int(ty, word.parse().unwrap())
    }
}

/// An element in words: a number, `1..2` for an interval, `1 or 2`, `open CLAUSE`.
fn show(ty: &DataType, element: &Element, clauses: &[Text]) -> String {
    match element {
        Element::Exact(bits) => decode(ty, *bits).to_string(),
        Element::Open(clause) => format!(
            "open {}",
            clauses.get(usize::from(*clause)).map_or("?", |id| id.as_ref())
        ),
        Element::Among(all) => all
            .iter()
            .map(|e| show(ty, e, clauses))
            .collect::<Vec<_>>()
            .join(" or "),
        Element::Interval(i) => {
            let mut text = match (i.lo, i.hi) {
                (0.0, 0.0) => "±0".to_owned(),
                (lo, hi) => format!("{}..{}", number(lo), number(hi)),
            };
            for (may, what) in [(i.nan, "nan"), (i.infinity, "inf"), (i.negative_infinity, "-inf")] {
                if may {
                    text.push_str(" or ");
                    text.push_str(what);
                }
            }
            text
        }
    }
}

fn number(x: f64) -> String {
    dml_case::number::Number::Float(x).to_string()
}
