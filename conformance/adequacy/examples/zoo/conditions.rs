//! What a case may be like: a mistake that is made under one of these conditions only is a mistake of its own.
//!
//! Kernels come in variants: one for packed tensors, one for up to four dimensions, one for each type, function and
//! direction. A mistake in one of them shows where its condition holds, and nowhere else; so a fault is to be killed
//! under every condition under which it can be made, not only somewhere.

use dml_spec::{
    Value,
    model::{DataType, FieldKind, Operator, Role},
};

use crate::{fault::About, scene::Scene};
use dml_case::tensor::Shape;
use dml_plan::{count_fields::count_field, planner::Planner};

/// Elements of a tensor from which it counts as large: more than any workgroup has.
const LARGE: u64 = 1024;

/// A set of conditions, a bit for each in the order of [`conditions`].
pub(crate) type Under = u128;

/// Something that holds of some cases.
pub(crate) struct Condition {
    /// It in words, to stand behind "where".
    pub(crate) name: String,
    holds: Box<dyn Fn(&Scene) -> bool + Send + Sync>,
}

impl Condition {
    fn new(name: impl Into<String>, holds: impl Fn(&Scene) -> bool + Send + Sync + 'static) -> Self {
        Self {
            name: name.into(),
            holds: Box::new(holds),
        }
    }
}

impl std::fmt::Debug for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// All conditions of an operator.
pub(crate) fn conditions(suite: &Planner, operator: &Operator) -> Vec<Condition> {
    let about = About::of(suite, operator);
    let mut all = shapes(&about);
    all.extend(types(&about));
    let counts: Vec<&str> = operator
        .fields
        .iter()
        .filter_map(|field| count_field(&field.kind))
        .collect();
    for (at, field) in operator.fields.iter().enumerate() {
        if !counts.contains(&field.name.as_ref()) {
            all.extend(values(suite, at, field.name.as_ref(), &field.kind));
        }
    }
    all.truncate(Under::BITS as usize);
    all
}

/// Those that hold of a case that runs.
pub(crate) fn under(conditions: &[Condition], scene: &Scene) -> Under {
    let holding = conditions.iter().enumerate().filter(|(_, one)| (one.holds)(scene));
    holding.fold(0, |under, (at, _)| under | 1 << at)
}

fn shapes(about: &About) -> Vec<Condition> {
    let any = |role: Role, is: fn(&Shape) -> bool| {
        move |scene: &Scene| {
            scene.call().is_some_and(|call| match role {
                Role::Input => call.inputs.iter().any(|input| is(&input.shape)),
                _ => call.outputs.iter().any(is),
            })
        }
    };
    let mut all = vec![
        Condition::new(
            "an input is strided",
            any(Role::Input, |shape| !shape.is_repeated() && !shape.is_packed()),
        ),
        Condition::new("an input is repeated", any(Role::Input, Shape::is_repeated)),
        Condition::new("an output is strided", any(Role::Output, |shape| !shape.is_packed())),
        Condition::new("an output has more than 1024 elements", any(Role::Output, is_large)),
        Condition::new("an input has more than 1024 elements", any(Role::Input, is_large)),
    ];
    if about.dimensions > 4 {
        all.push(Condition::new(
            "tensors have more than four dimensions",
            any(Role::Input, |shape| shape.sizes.len() > 4),
        ));
    }
    all
}

fn is_large(shape: &Shape) -> bool {
    shape.elements() > LARGE
}

fn types(about: &About) -> Vec<Condition> {
    let of = |role: Role, ty: &DataType| {
        let (name, word) = (ty.name.clone(), if role == Role::Input { "input" } else { "output" });
        Condition::new(format!("the first {word} is {name}"), move |scene| {
            scene.call().is_some_and(|call| {
                let shape = match role {
                    Role::Input => call.inputs.first().map(|input| &input.shape),
                    _ => call.outputs.first(),
                };
                shape.is_some_and(|shape| shape.ty.name == name)
            })
        })
    };
    let mut all: Vec<Condition> = about.inputs.iter().map(|ty| of(Role::Input, ty)).collect();
    all.extend(about.outputs.iter().map(|ty| of(Role::Output, ty)));
    all
}

/// Conditions of a field that is no tensor.
fn values(suite: &Planner, at: usize, name: &str, kind: &FieldKind) -> Vec<Condition> {
    let is = |says: String, holds: fn(&Value) -> bool| {
        Condition::new(says, move |scene| {
            scene.case.descriptor.fields.get(at).is_some_and(holds)
        })
    };
    let pair = |a: &str, first: fn(&Value) -> bool, b: &str, second: fn(&Value) -> bool| {
        vec![is(format!("{name} {a}"), first), is(format!("{name} {b}"), second)]
    };
    match kind {
        FieldKind::UInt | FieldKind::Bool => pair(
            "is 0",
            |v| *v == Value::UInt(0),
            "is not 0",
            |v| matches!(v, Value::UInt(1..)),
        ),
        FieldKind::Int => pair(
            "is negative",
            |v| matches!(v, Value::Int(..0)),
            "is positive",
            |v| matches!(v, Value::Int(1..)),
        ),
        FieldKind::Float => pair(
            "is negative",
            |v| matches!(v, Value::Float(x) if *x < 0.0),
            "is positive",
            |v| matches!(v, Value::Float(x) if *x > 0.0),
        ),
        FieldKind::UInts(_) => pair(
            "has one entry",
            |v| matches!(v, Value::UInts(Some(list)) if list.len() == 1),
            "has several entries",
            |v| matches!(v, Value::UInts(Some(list)) if list.len() > 1),
        ),
        FieldKind::Ints(_) => pair(
            "has a negative entry",
            |v| matches!(v, Value::Ints(Some(list)) if list.iter().any(|n| *n < 0)),
            "has no negative entry",
            |v| matches!(v, Value::Ints(Some(list)) if list.iter().all(|n| *n >= 0)),
        ),
        FieldKind::ScaleBias => pair(
            "is given",
            |v| matches!(v, Value::ScaleBias(Some(_))),
            "is not given",
            |v| matches!(v, Value::ScaleBias(None)),
        ),
        FieldKind::Operator => pair(
            "is given",
            |v| matches!(v, Value::Operator(Some(_))),
            "is not given",
            |v| matches!(v, Value::Operator(None)),
        ),
        FieldKind::Enum(of) => members(suite, at, of),
        _ => Vec::new(),
    }
}

fn members(suite: &Planner, at: usize, of: &str) -> Vec<Condition> {
    let members = suite.catalog.enumeration(of).map(|known| known.members.iter());
    let one = |member: &dml_spec::model::EnumMember| {
        let value = member.value;
        Condition::new(format!("it is {}", member.name), move |scene| {
            scene.case.descriptor.fields.get(at) == Some(&Value::UInt(value))
        })
    };
    members.into_iter().flatten().map(one).collect()
}
