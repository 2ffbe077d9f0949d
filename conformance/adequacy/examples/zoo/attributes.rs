//! Backends that mistake an attribute: they compute what another descriptor says.

use dml_spec::{
    Descriptor, Value,
    model::{FieldKind, Operator, Role},
};

use crate::{
    fault::{Fault, Stage, Wrong},
    scene::Scene,
};
use dml_case::number::Number;
use dml_legacy::oracle::{Call, Right, guess::through_half};
use dml_plan::{count_fields::count_field, planner::Planner};

/// For every field that is no tensor: what it may be mistaken for.
pub(crate) fn faults(suite: &Planner, operator: &Operator) -> Vec<Fault> {
    let counts: Vec<&str> = operator
        .fields
        .iter()
        .filter_map(|field| count_field(&field.kind))
        .collect();
    let mut all = Vec::new();
    for (at, field) in operator.fields.iter().enumerate() {
        if counts.contains(&field.name.as_ref()) {
            continue;
        }
        let name = field.name.as_ref();
        let mut add =
            |how: &str, says: String, change: Change| all.push(mistaking(at, format!("{name} {how}"), says, change));
        match &field.kind {
            FieldKind::UInt => {
                add("plus-one", format!("{name} is taken one too large"), |v, _| {
                    uint(v, |n| n.checked_add(1))
                });
                add("minus-one", format!("{name} is taken one too small"), |v, _| {
                    uint(v, |n| n.checked_sub(1))
                });
                add(
                    "from-the-end",
                    format!("{name} is counted from the last dimension"),
                    |v, rank| uint(v, |n| rank.checked_sub(1)?.checked_sub(n)),
                );
            }
            FieldKind::Int => {
                add("plus-one", format!("{name} is taken one too large"), |v, _| {
                    int(v, |n| n.checked_add(1))
                });
                add("minus-one", format!("{name} is taken one too small"), |v, _| {
                    int(v, |n| n.checked_sub(1))
                });
                add("negated", format!("{name} is taken with the other sign"), |v, _| {
                    int(v, i32::checked_neg)
                });
            }
            FieldKind::Bool => add("flipped", format!("{name} is taken as its opposite"), |v, _| {
                uint(v, |n| Some(u32::from(n == 0)))
            }),
            FieldKind::Float => {
                add("truncated", format!("{name} is taken as a whole number"), |v, _| {
                    float(v, f32::trunc)
                });
                add("negated", format!("{name} is taken with the other sign"), |v, _| {
                    float(v, |x| -x)
                });
                add("zero", format!("{name} is taken as 0"), |v, _| float(v, |_| 0.0));
                let says = format!("{name} is rounded to FLOAT16");
                all.push(rounded(at, name, says, |v, _| float(v, half)));
            }
            FieldKind::UInts(count) | FieldKind::Ints(count) => {
                // A list of axes is a set.
                if count == "DimensionCount" {
                    add("reversed", format!("{name} is read from its end"), |v, _| {
                        list(v, |l| l.reverse(), |l| l.reverse())
                    });
                }
                add(
                    "first-for-all",
                    format!("the first entry of {name} is taken for all"),
                    |v, _| list(v, repeat_first, repeat_first),
                );
                add(
                    "first-plus-one",
                    format!("the first entry of {name} is taken one too large"),
                    |v, _| {
                        list(
                            v,
                            |l| l.iter_mut().take(1).for_each(|n| *n = n.saturating_add(1)),
                            |l| l.iter_mut().take(1).for_each(|n| *n = n.saturating_add(1)),
                        )
                    },
                );
                if matches!(field.kind, FieldKind::Ints(_)) {
                    add("without-sign", format!("{name} is read without its signs"), |v, _| {
                        list(v, |_| (), |l| l.iter_mut().for_each(|n| *n = n.saturating_abs()))
                    });
                }
            }
            FieldKind::ScaleBias => {
                add("ignored", format!("{name} is ignored"), |v, _| {
                    matches!(v, Value::ScaleBias(Some(_))).then_some(Value::ScaleBias(None))
                });
                add(
                    "swapped",
                    format!("the parts of {name} are taken for each other"),
                    |v, _| match v {
                        Value::ScaleBias(Some((scale, bias))) => Some(Value::ScaleBias(Some((*bias, *scale)))),
                        _ => None,
                    },
                );
                let says = format!("the parts of {name} are rounded to FLOAT16");
                all.push(rounded(at, name, says, |v, _| match v {
                    Value::ScaleBias(Some((scale, bias))) => Some(Value::ScaleBias(Some((half(*scale), half(*bias))))),
                    _ => None,
                }));
            }
            FieldKind::Operator => add("ignored", format!("{name} is ignored"), |v, _| {
                matches!(v, Value::Operator(Some(_))).then_some(Value::Operator(None))
            }),
            FieldKind::Enum(of) => all.extend(members(suite, at, name, of)),
            _ => {}
        }
    }
    all
}

/// What a value is mistaken for, given the dimension count of the first input; `None` where nothing changes.
type Change = fn(&Value, u32) -> Option<Value>;

fn mistaking(at: usize, name: String, says: String, change: Change) -> Fault {
    Fault::new(Stage::Attributes, name, says, Right::Symptom(&[]), move |scene| {
        let rank = scene.tensors(Role::Input).first()?.dimension_count();
        let value = change(scene.case.descriptor.fields.get(at)?, rank)?;
        computed(scene, at, value)
    })
}

/// A number that is rounded on its way: results that are less precise are what is seen of it.
fn rounded(at: usize, name: &str, says: String, change: Change) -> Fault {
    mistaking(at, format!("{name} through-half"), says, change).or(&["precision"])
}

/// Each member of an enumeration taken for the next one.
fn members(suite: &Planner, at: usize, name: &str, of: &str) -> Vec<Fault> {
    let members = suite
        .catalog
        .enumeration(of)
        .map(|e| e.members.iter().collect::<Vec<_>>())
        .unwrap_or_default();
    let pairs = members.iter().zip(members.iter().cycle().skip(1));
    let pairs = pairs.filter(|(from, to)| from.value != to.value);
    let fault = |(from, to): (&&dml_spec::model::EnumMember, &&dml_spec::model::EnumMember)| {
        let (from_value, to_value) = (from.value, to.value);
        Fault::new(
            Stage::Attributes,
            format!("{name} {} as {}", from.name, to.name),
            format!("{} is taken as {}", from.name, to.name),
            Right::Symptom(&[]),
            move |scene| {
                let value = scene.case.descriptor.fields.get(at)?;
                (*value == Value::UInt(from_value))
                    .then(|| computed(scene, at, Value::UInt(to_value)))
                    .flatten()
            },
        )
    };
    pairs.map(fault).collect()
}

/// What comes out with another value of a field.
fn computed(scene: &Scene, at: usize, value: Value) -> Option<Wrong> {
    let call = scene.call()?;
    let mut descriptor: Descriptor = call.descriptor.clone();
    let place = descriptor.fields.get_mut(at)?;
    if *place == value {
        return None;
    }
    *place = value;
    let changed = Call {
        descriptor: &descriptor,
        ..call.clone()
    };
    scene.computed(&changed).map(Wrong::Elements)
}

fn uint(value: &Value, change: impl Fn(u32) -> Option<u32>) -> Option<Value> {
    match value {
        Value::UInt(n) => change(*n).map(Value::UInt),
        _ => None,
    }
}

fn int(value: &Value, change: impl Fn(i32) -> Option<i32>) -> Option<Value> {
    match value {
        Value::Int(n) => change(*n).map(Value::Int),
        _ => None,
    }
}

fn float(value: &Value, change: impl Fn(f32) -> f32) -> Option<Value> {
    match value {
        Value::Float(x) => Some(Value::Float(change(*x))),
        _ => None,
    }
}

fn half(x: f32) -> f32 {
    through_half(Number::Float(x.into())).double() as f32
}

fn list(value: &Value, uints: impl Fn(&mut [u32]), ints: impl Fn(&mut [i32])) -> Option<Value> {
    let mut value = value.clone();
    match &mut value {
        Value::UInts(Some(list)) => uints(list),
        Value::Ints(Some(list)) => ints(list),
        _ => return None,
    }
    Some(value)
}

fn repeat_first<T: Copy>(list: &mut [T]) {
    if let Some(first) = list.first().copied() {
        list.fill(first);
    }
}
