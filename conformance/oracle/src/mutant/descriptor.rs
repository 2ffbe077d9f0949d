//! Mistakes about the descriptor: an attribute that is ignored or taken for another, an optional tensor that is not read.

use dml_spec::{
    desc::{Descriptor, Value},
    model::{Catalog, FieldKind, Operator, Role},
};

use super::{Change, Kind, Mutant};

/// Most members of an enumeration each of which is taken for each other one.
const MOST_PAIRS: usize = 13;

/// Usual values of attributes, in thousandths.
const FRACTIONS: [(i32, &str); 3] = [(10, "0.01"), (200, "0.2"), (500, "0.5")];

/// A descriptor that is taken for another.
#[derive(Clone, Debug)]
pub(super) enum Swap {
    /// One value of a field for another.
    Member { field: usize, from: u32, to: u32 },
    /// A field always has this value.
    Constant { field: usize, value: i32 },
    /// A number always is this, in thousandths.
    Fraction { field: usize, thousandths: i32 },
    /// Two fields are exchanged.
    Exchanged(usize, usize),
    /// A truth value is inverted.
    Inverted(usize),
    /// The elements of a list, or the parts of a pair, stand in reverse order.
    Reversed(usize),
    /// Each element of a list is its neighbour's.
    Rotated(usize),
    /// Only the first element of a list counts, and the field that says how many there are is 1.
    First(usize, Option<usize>),
    /// Only the last element of a list counts, in the same way.
    Last(usize, Option<usize>),
    /// Numbers lose their signs.
    Magnitude(usize),
    /// Numbers have the other sign.
    Negated(usize),
    /// Part 0 of a scale and bias is 1, part 1 is 0.
    Part(usize, u8),
    /// Elements of a list before the last four are this.
    LastFour { field: usize, value: i32 },
    /// Every number of a nested operator is this, in thousandths.
    Nested { field: usize, thousandths: i32 },
    /// One number of a nested operator is this.
    NestedPart { field: usize, part: usize, value: i32 },
    /// A tensor, list or nested operator is null.
    Absent(usize),
}

impl Swap {
    /// The descriptor that an implementation with this mistake sees; `None` if it is the same.
    pub(super) fn apply(&self, descriptor: &Descriptor) -> Option<Descriptor> {
        let mut other = descriptor.clone();
        match self {
            Self::Exchanged(x, y) => other.fields.swap(*x, *y),
            Self::Member { field, from, to } => {
                let value = other.fields.get_mut(*field)?;
                if *value == Value::UInt(*from) {
                    *value = Value::UInt(*to);
                }
            }
            Self::First(field, count) | Self::Last(field, count) => {
                let value = other.fields.get_mut(*field)?;
                self.change(value);
                if let (Value::UInts(Some(of)), Some(count)) = (&*value, count) {
                    let length = u32::try_from(of.len()).ok()?;
                    *other.fields.get_mut(*count)? = Value::UInt(length);
                }
            }
            Self::Constant { field, .. }
            | Self::Fraction { field, .. }
            | Self::Inverted(field)
            | Self::Reversed(field)
            | Self::Rotated(field)
            | Self::Magnitude(field)
            | Self::Negated(field)
            | Self::Part(field, _)
            | Self::LastFour { field, .. }
            | Self::Nested { field, .. }
            | Self::NestedPart { field, .. }
            | Self::Absent(field) => self.change(other.fields.get_mut(*field)?),
        }
        (other != *descriptor).then_some(other)
    }

    fn change(&self, value: &mut Value) {
        match (self, value) {
            (Self::Constant { value, .. }, Value::UInt(of)) => *of = value.unsigned_abs(),
            (Self::Constant { value, .. }, Value::Int(of)) => *of = *value,
            (Self::Constant { value, .. }, Value::Float(of)) => *of = *value as f32,
            (Self::Constant { value, .. }, Value::UInts(Some(of))) => of.fill(value.unsigned_abs()),
            (Self::Constant { value, .. }, Value::Ints(Some(of))) => of.fill(*value),
            (Self::Constant { value, .. }, Value::Floats(Some(of))) => of.fill(*value as f32),
            (Self::Fraction { thousandths, .. }, Value::Float(of)) => *of = *thousandths as f32 / 1000.0,
            (Self::Inverted(_), Value::UInt(of)) => *of = u32::from(*of == 0),
            (Self::Reversed(_), Value::UInts(Some(of))) => of.reverse(),
            (Self::Reversed(_), Value::Ints(Some(of))) => of.reverse(),
            (Self::Reversed(_), Value::Floats(Some(of))) => of.reverse(),
            (Self::Reversed(_), Value::ScaleBias(Some((scale, bias)))) => std::mem::swap(scale, bias),
            (Self::Reversed(_), Value::Size2D(width, height)) => std::mem::swap(width, height),
            (Self::Rotated(_), Value::UInts(Some(of))) if !of.is_empty() => of.rotate_left(1),
            (Self::Rotated(_), Value::Ints(Some(of))) if !of.is_empty() => of.rotate_left(1),
            (Self::Rotated(_), Value::Floats(Some(of))) if !of.is_empty() => of.rotate_left(1),
            (Self::First(..), Value::UInts(Some(of))) => of.truncate(1),
            (Self::Last(..), Value::UInts(Some(of))) => {
                of.drain(..of.len().saturating_sub(1));
            }
            (Self::Magnitude(_), Value::Int(of)) => *of = of.saturating_abs(),
            (Self::Magnitude(_), Value::Float(of)) => *of = of.abs(),
            (Self::Magnitude(_), Value::Ints(Some(of))) => of.iter_mut().for_each(|n| *n = n.saturating_abs()),
            (Self::Negated(_), Value::Int(of)) => *of = of.saturating_neg(),
            (Self::Negated(_), Value::Float(of)) => *of = -*of,
            (Self::Negated(_), Value::Ints(Some(of))) => of.iter_mut().for_each(|n| *n = n.saturating_neg()),
            (Self::Part(_, 0), Value::ScaleBias(Some((scale, _)))) => *scale = 1.0,
            (Self::Part(_, _), Value::ScaleBias(Some((_, bias)))) => *bias = 0.0,
            (Self::LastFour { value, .. }, Value::UInts(Some(of))) => {
                let count = of.len().saturating_sub(4);
                of.iter_mut().take(count).for_each(|n| *n = value.unsigned_abs());
            }
            (Self::LastFour { value, .. }, Value::Ints(Some(of))) => {
                let count = of.len().saturating_sub(4);
                of.iter_mut().take(count).for_each(|n| *n = *value);
            }
            (Self::Nested { thousandths, .. }, Value::Operator(Some(of))) => {
                for value in &mut of.fields {
                    if let Value::Float(number) = value {
                        *number = *thousandths as f32 / 1000.0;
                    }
                }
            }
            (Self::NestedPart { part, value, .. }, Value::Operator(Some(of))) => {
                let floats = of.fields.iter_mut().filter_map(|value| match value {
                    Value::Float(number) => Some(number),
                    _ => None,
                });
                floats.skip(*part).take(1).for_each(|number| *number = *value as f32);
            }
            (Self::Absent(_), Value::Tensor(of)) => *of = None,
            (Self::Absent(_), Value::Tensors(of)) => *of = None,
            (Self::Absent(_), Value::Operator(of)) => *of = None,
            (Self::Absent(_), Value::ScaleBias(of)) => *of = None,
            _ => {}
        }
    }
}

/// The mutants of an operator's descriptor.
/// `is_used` says of the number of a field whether the operator's meaning reads it.
/// `lists_dimensions` says of a list whether its elements are dimensions.
pub(super) fn mutants(
    catalog: &Catalog,
    operator: &Operator,
    is_used: &dyn Fn(usize) -> bool,
    lists_dimensions: &dyn Fn(usize) -> bool,
) -> Vec<Mutant> {
    let (mut all, mut turned) = (Vec::new(), Vec::new());
    let mut rows = operator.support.iter().flat_map(|table| table.rows.iter());
    let has_many_dimensions = rows.any(|row| row.dimensions.1 > 4);
    for (at, field) in operator.fields.iter().enumerate().filter(|(at, _)| is_used(*at)) {
        let name = &field.name;
        let mut push = |what: &str, sentence: String, swap: Swap| all.push(mutant(name, what, sentence, swap));
        let constant = |value| Swap::Constant { field: at, value };
        match &field.kind {
            FieldKind::Enum(of) => members(catalog, of, at, name, &mut push),
            FieldKind::Bool => {
                push("not", format!("`{name}` is inverted"), Swap::Inverted(at));
                push("0", format!("`{name}` is taken for false"), constant(0));
                push("1", format!("`{name}` is taken for true"), constant(1));
            }
            FieldKind::UInt if !counts(operator, name) => {
                for value in [0, 1, 2] {
                    push(
                        &value.to_string(),
                        format!("`{name}` is taken for {value}"),
                        constant(value),
                    );
                }
            }
            FieldKind::Int | FieldKind::Float => {
                for (thousandths, number) in FRACTIONS.iter().filter(|_| field.kind == FieldKind::Float) {
                    let swap = Swap::Fraction {
                        field: at,
                        thousandths: *thousandths,
                    };
                    push(number, format!("`{name}` is taken for {number}"), swap);
                }
                for value in [0, 1] {
                    push(
                        &value.to_string(),
                        format!("`{name}` is taken for {value}"),
                        constant(value),
                    );
                }
                push(
                    "abs",
                    format!("`{name}` is taken by its magnitude"),
                    Swap::Magnitude(at),
                );
                push("neg", format!("`{name}` is negated"), Swap::Negated(at));
            }
            FieldKind::UInts(_) | FieldKind::Ints(_) | FieldKind::Floats(_) => {
                for value in [0, 1] {
                    push(
                        &value.to_string(),
                        format!("every element of `{name}` is taken for {value}"),
                        constant(value),
                    );
                }
                for value in [0, 1].into_iter().filter(|_| has_many_dimensions) {
                    let sentence = format!("elements of `{name}` before the last four are taken for {value}");
                    push(&format!("four-{value}"), sentence, Swap::LastFour { field: at, value });
                }
                // The order of dimensions says nothing.
                if lists_dimensions(at) {
                    let count = field.kind.named().map(|(_, count)| count);
                    let count = count.and_then(|count| operator.fields.iter().position(|of| of.name == *count));
                    push(
                        "first",
                        format!("only the first of `{name}` counts"),
                        Swap::First(at, count),
                    );
                    push(
                        "last",
                        format!("only the last of `{name}` counts"),
                        Swap::Last(at, count),
                    );
                } else {
                    push(
                        "reversed",
                        format!("`{name}` is read in reverse order"),
                        Swap::Reversed(at),
                    );
                    let sentence = format!("of `{name}` each element is taken for its neighbour");
                    push("rotated", sentence, Swap::Rotated(at));
                }
                if matches!(field.kind, FieldKind::Ints(_)) {
                    push(
                        "abs",
                        format!("elements of `{name}` are taken by their magnitude"),
                        Swap::Magnitude(at),
                    );
                    push("neg", format!("elements of `{name}` are negated"), Swap::Negated(at));
                    turned.push(turned_round(at, name));
                }
            }
            FieldKind::ScaleBias => {
                push("scale", format!("the scale of `{name}` is ignored"), Swap::Part(at, 0));
                push("bias", format!("the bias of `{name}` is ignored"), Swap::Part(at, 1));
                push(
                    "swapped",
                    format!("scale and bias of `{name}` are exchanged"),
                    Swap::Reversed(at),
                );
                push("null", format!("`{name}` is ignored"), Swap::Absent(at));
            }
            FieldKind::Size2D => {
                push(
                    "swapped",
                    format!("width and height of `{name}` are exchanged"),
                    Swap::Reversed(at),
                );
            }
            FieldKind::Operator => {
                push("null", format!("`{name}` is ignored"), Swap::Absent(at));
                for (thousandths, number) in [(0, "0"), (10, "0.01"), (100, "0.1"), (200, "0.2"), (1000, "1")] {
                    let sentence = format!("the numbers of `{name}` are taken for {number}");
                    let swap = Swap::Nested { field: at, thousandths };
                    push(number, sentence, swap);
                }
                for (part, which) in ["first", "second"].into_iter().enumerate() {
                    for value in [0, 1] {
                        let sentence = format!("the {which} number of `{name}` is taken for {value}");
                        let swap = Swap::NestedPart { field: at, part, value };
                        push(&format!("{which}-{value}"), sentence, swap);
                    }
                }
            }
            FieldKind::Tensor(Role::Input) | FieldKind::Tensors(Role::Input, _) if field.optional => {
                push("null", format!("`{name}` is ignored"), Swap::Absent(at));
            }
            _ => {}
        }
    }
    all.extend(turned);
    all.extend(exchanged(operator, is_used));
    all
}

fn turned_round(at: usize, name: &str) -> Mutant {
    Mutant {
        kind: Kind::Index,
        id: format!("{}@{name}#turned", Kind::Index),
        sentence: format!(
            "`{name}` is taken by its magnitude, and what that gives is turned round along dimensions of which it is negative"
        ),
        place: None,
        change: Change::Turned(at),
    }
}

fn mutant(field: &str, what: &str, sentence: String, swap: Swap) -> Mutant {
    Mutant {
        kind: Kind::Attribute,
        id: format!("{}@{field}#{what}", Kind::Attribute),
        sentence,
        place: None,
        change: Change::Descriptor(swap),
    }
}

/// Each member of an enumeration taken for each other one.
fn members(catalog: &Catalog, of: &str, field: usize, name: &str, push: &mut impl FnMut(&str, String, Swap)) {
    let Some(enumeration) = catalog.enumeration(of) else {
        return;
    };
    let (members, prefix) = (&enumeration.members, enumeration.prefix());
    for from in members.iter().filter(|_| members.len() <= MOST_PAIRS) {
        for to in members.iter().filter(|to| to.value != from.value) {
            let swap = Swap::Member {
                field,
                from: from.value,
                to: to.value,
            };
            let short = |name: &str| name.strip_prefix(&*prefix).unwrap_or(name).to_owned();
            let sentence = format!("`{name}` {} is computed as {}", short(&from.name), short(&to.name));
            push(&format!("{}-{}", from.value, to.value), sentence, swap);
        }
    }
}

/// Pairs of attributes of one kind, one taken for the other.
fn exchanged(operator: &Operator, is_used: &dyn Fn(usize) -> bool) -> Vec<Mutant> {
    let fields = operator.fields.iter().enumerate().filter(|(at, _)| is_used(*at));
    let fields: Vec<_> = fields.collect();
    let alike = |a: &FieldKind, b: &FieldKind| match (a, b) {
        (FieldKind::UInts(_), FieldKind::UInts(_)) | (FieldKind::Ints(_), FieldKind::Ints(_)) => true,
        (FieldKind::UInt, FieldKind::UInt) | (FieldKind::Int, FieldKind::Int) => true,
        (FieldKind::Float, FieldKind::Float) | (FieldKind::Bool, FieldKind::Bool) => true,
        (FieldKind::Floats(_), FieldKind::Floats(_)) => true,
        (FieldKind::Enum(a), FieldKind::Enum(b)) => a == b,
        _ => false,
    };
    let mut all = Vec::new();
    for (number, (x, first)) in fields.iter().enumerate() {
        for (y, second) in fields.iter().skip(number + 1) {
            if alike(&first.kind, &second.kind) && !counts(operator, &first.name) && !counts(operator, &second.name) {
                let sentence = format!("`{}` and `{}` are exchanged", first.name, second.name);
                all.push(mutant(&first.name, &second.name, sentence, Swap::Exchanged(*x, *y)));
            }
        }
    }
    all
}

/// Whether a field counts the elements of an array, so that it has no meaning of its own.
fn counts(operator: &Operator, name: &str) -> bool {
    let mut named = operator.fields.iter().filter_map(|field| field.kind.named());
    named.any(|(_, counted)| counted == name)
}
