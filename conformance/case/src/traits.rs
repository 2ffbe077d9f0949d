//! What a case is, in the words of conditions.

use std::{borrow::Cow, cmp::Ordering, collections::BTreeMap};

use dml_spec::{
    desc::{TensorDesc, Value},
    model::{FieldKind, NumberClass, Role},
};

use crate::{context::Context, tensor::Shape};

/// What a case is, as far as a condition may speak of it: `AxisDirection` is `DECREASING`, `K` is 5.
pub type Traits = BTreeMap<String, Trait>;

/// One of its traits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trait {
    /// A word.
    Word(String),
    /// A number.
    Number(i64),
    /// A sentence that says it all.
    Phrase(Cow<'static, str>),
}

/// Keys of case ids that say nothing of a case's kind.
const NO_TRAITS: [&str; 2] = ["seed", "example"];

/// How far a trait is from what an implementation looks at: of several that tell the same cases apart the least one is
/// named. Sizes in bulk often go with a length, and how a case's inputs are made is known to the suite alone.
pub(crate) fn remoteness(name: &str) -> u8 {
    const BULK: [&str; 2] = ["the last size of", "the number of elements of"];
    match name {
        _ if name.starts_with("the case's") => 2,
        _ if BULK.iter().any(|bulk| name.starts_with(bulk)) => 1,
        _ => 0,
    }
}

/// The traits of a case: its attributes, and how those with a sign compare; of its tensors the data types, the dimension
/// counts, lengths, and whether they have strides; of its id the words that say how its inputs are made.
pub fn traits(context: Context<'_>) -> Traits {
    let mut traits = Traits::new();
    let fields = context.operator.fields.iter().zip(&context.case.descriptor.fields);
    for (field, value) in fields {
        of_field(context, (&field.name, &field.kind), value, &mut traits);
    }
    compared_attributes(context, &mut traits);
    for (key, value) in context.case.id.params() {
        let is_word = value.parse::<f64>().is_err() && !value.starts_with(|first: char| first.is_ascii_digit());
        // A key that is written as a field says what the field does.
        if is_word && !NO_TRAITS.contains(&key) && !key.contains('.') {
            traits.insert(format!("the case's `{key}`"), Trait::Word(value.to_owned()));
        }
    }
    let place = if context.case.aliases.is_empty() {
        "no output lies in the memory of an input"
    } else {
        "an output lies in the memory of an input"
    };
    traits.insert("memory".to_owned(), Trait::Phrase(place.into()));
    if let Some((_, output)) = context.named_tensors(Role::Output).first() {
        let inputs = context.named_tensors(Role::Input);
        let alike = inputs.iter().all(|(_, input)| input.sizes() == output.sizes());
        let sizes = if alike {
            "all tensors have the same sizes"
        } else {
            "the tensors' sizes differ"
        };
        traits.insert("sizes".to_owned(), Trait::Phrase(sizes.into()));
    }
    traits
}

/// How attributes with a sign compare: two of them are often the ends of one range.
fn compared_attributes(context: Context<'_>, traits: &mut Traits) {
    let fields = context.operator.fields.iter().zip(&context.case.descriptor.fields);
    let signed = fields.filter_map(|(field, value)| match value {
        Value::Int(number) => Some((&field.name, *number)),
        _ => None,
    });
    let signed: Vec<_> = signed.collect();
    for (at, (one, x)) in signed.iter().enumerate() {
        for (other, y) in signed.iter().skip(at + 1) {
            let compares = match x.cmp(y) {
                Ordering::Less => "is less than",
                Ordering::Equal => "is equal to",
                Ordering::Greater => "is greater than",
            };
            let phrase = format!("{one} {compares} {other}");
            traits.insert(format!("{one} beside {other}"), Trait::Phrase(phrase.into()));
        }
    }
}

fn of_field(context: Context<'_>, (name, kind): (&str, &FieldKind), value: &Value, traits: &mut Traits) {
    let mut insert = |name: String, value: Trait| {
        traits.insert(name, value);
    };
    match value {
        Value::UInt(number) => {
            let enumeration = match kind {
                FieldKind::Enum(of) => context.catalog().enumeration(of),
                _ => None,
            };
            let member = enumeration.and_then(|of| {
                let member = of.members.iter().find(|member| member.value == *number)?;
                let short = member.name.strip_prefix(&*of.prefix()).unwrap_or(&member.name);
                Some(short.to_owned())
            });
            let number = || match kind {
                FieldKind::Bool => Trait::Word((*number != 0).to_string()),
                _ => Trait::Number(i64::from(*number)),
            };
            insert(name.to_owned(), member.map_or_else(number, Trait::Word));
            if name.ends_with("Axis") {
                let tensors = context.case.descriptor.fields.iter();
                let first = tensors.filter_map(|value| match value {
                    Value::Tensor(Some(tensor)) => Some(tensor),
                    _ => None,
                });
                if let (Some(tensor), Value::UInt(axis)) = (first.into_iter().next(), value)
                    && let Some(size) = tensor.sizes().get(*axis as usize)
                {
                    insert(format!("the length along {name}"), Trait::Number(i64::from(*size)));
                    let is_last = *axis as usize + 1 == tensor.sizes().len();
                    let last = if is_last { "the last" } else { "not the last" };
                    insert(format!("the dimension of {name}"), Trait::Word(last.to_owned()));
                }
            }
        }
        Value::Int(number) => insert(name.to_owned(), Trait::Number(i64::from(*number))),
        Value::UInts(Some(list)) => insert(format!("the count of {name}"), Trait::Number(list.len() as i64)),
        Value::Ints(Some(list)) => {
            let sign = if list.iter().any(|number| *number < 0) {
                "negative in some dimension"
            } else {
                "negative in no dimension"
            };
            insert(name.to_owned(), Trait::Word(sign.to_owned()));
        }
        Value::Tensor(Some(tensor)) => of_tensor(context, name, tensor, traits),
        Value::Operator(operator) => {
            let operator = operator.as_ref().map_or("null", |operator| &operator.operator);
            insert(name.to_owned(), Trait::Word(operator.to_owned()));
        }
        Value::ScaleBias(pair) => {
            let is_given = if pair.is_some() { "given" } else { "null" };
            insert(name.to_owned(), Trait::Word(is_given.to_owned()));
        }
        Value::Tensor(None) => insert(name.to_owned(), Trait::Word("null".to_owned())),
        _ => {}
    }
}

fn of_tensor(context: Context<'_>, name: &str, tensor: &TensorDesc, traits: &mut Traits) {
    let mut insert = |what: &str, value: Trait| {
        traits.insert(format!("{name}.{what}"), value);
    };
    let ty = context.catalog().data_type(tensor.data_type);
    let word = ty.map_or_else(|| tensor.data_type.to_string(), |ty| ty.name.to_string());
    insert("DataType", Trait::Word(word));
    let count = i64::from(tensor.dimension_count());
    insert("DimensionCount", Trait::Number(count));
    let shape = Shape::of(context.catalog(), tensor);
    let strides = match (&tensor.strides, &shape) {
        (None, _) => "null",
        (_, Some(shape)) if shape.is_packed() => "packed",
        (_, Some(shape)) if shape.is_repeated() => "0 in some dimension",
        _ => "in another order or with gaps",
    };
    insert("Strides", Trait::Word(strides.to_owned()));
    let class = ty.and_then(|ty| match ty.class {
        NumberClass::Float => Some("floating point"),
        NumberClass::Signed => Some("signed"),
        NumberClass::Unsigned => Some("unsigned"),
        NumberClass::Unknown => None,
    });
    if let Some(class) = class {
        traits.insert(format!("the class of {name}.DataType"), Trait::Word(class.to_owned()));
    }
    if let Some(shape) = shape {
        let count = i64::try_from(shape.elements()).unwrap_or(i64::MAX);
        traits.insert(format!("the number of elements of {name}"), Trait::Number(count));
    }
    if let Some(last) = tensor.sizes().last() {
        traits.insert(format!("the last size of {name}"), Trait::Number(i64::from(*last)));
    }
}
