//! The interpreter, as the planner uses it: derived values, lanes, silences.

use dml_spec::{
    Descriptor, Dims, FeatureLevel, Value,
    model::Text,
    rule::{
        interp::{Env, Val, eval, eval_bool, eval_numbers},
        typed::Node,
    },
};

use crate::builder::Builder;
use dml_case::facts::DataFacts;
use dml_spec::path::{Path, TensorPart, joined, tensor_mut, tensors_mut};

fn env<'a>(builder: &'a Builder<'_>, descriptor: &'a Descriptor, level: FeatureLevel) -> Env<'a> {
    Env::new(&builder.suite.catalog, descriptor, level)
}

/// Sets a path to the value of an expression.
pub fn assign_derived(
    builder: &Builder<'_>,
    descriptor: &mut Descriptor,
    path: &Path,
    node: &Node,
    level: FeatureLevel,
) -> Result<(), String> {
    let value = {
        let value = eval(node, &env(builder, descriptor, level)).ok_or("a derived value is undefined")?;
        Derived::of(value).ok_or("a derived value is no number and no list")?
    };
    let mismatch = || "a derived value does not fit its field".to_owned();
    match path {
        Path::Tensor(field, element, part) => {
            let Some(tensor) = tensor_mut(descriptor, *field, *element) else {
                // A tensor that may be null, and is, or one more than an array has: nothing follows for it.
                let is_optional = builder.operator.fields.get(*field).is_some_and(|field| field.optional);
                return if is_optional || element.is_some() {
                    Ok(())
                } else {
                    Err("the tensor is not there".to_owned())
                };
            };
            match (part, value) {
                (TensorPart::DataType, Derived::Int(n)) => {
                    tensor.data_type = u32::try_from(n).map_err(|_| mismatch())?
                }
                (TensorPart::Sizes, Derived::List(list)) => tensor.sizes = Some(list),
                (TensorPart::Strides, Derived::List(list)) => tensor.strides = Some(list),
                _ => return Err(mismatch()),
            }
        }
        Path::Attribute(field) => {
            let place = descriptor.fields.get_mut(*field).ok_or_else(mismatch)?;
            match (place, value) {
                (Value::UInt(place), Derived::Int(n)) => *place = u32::try_from(n).map_err(|_| mismatch())?,
                (Value::Int(place), Derived::Int(n)) => *place = i32::try_from(n).map_err(|_| mismatch())?,
                (Value::Float(place), Derived::Float(x)) => *place = x as f32,
                (Value::UInts(place), Derived::List(list)) => *place = Some(list),
                (Value::Ints(place), Derived::List(list)) => {
                    let list = list.iter().map(|n| i32::try_from(*n)).collect::<Result<_, _>>();
                    *place = Some(list.map_err(|_| mismatch())?);
                }
                _ => return Err(mismatch()),
            }
        }
        Path::DataTypes(field) => {
            let Derived::Int(n) = value else { return Err(mismatch()) };
            let data_type = u32::try_from(n).map_err(|_| mismatch())?;
            let tensors = tensors_mut(descriptor, *field).ok_or("the tensors are not there")?;
            tensors.iter_mut().for_each(|tensor| tensor.data_type = data_type);
        }
        Path::Item(..) | Path::ManySizes(_) | Path::Data(_) => {
            return Err("elements of a list cannot be derived".to_owned());
        }
    }
    Ok(())
}

enum Derived {
    Int(i128),
    Float(f64),
    List(Dims),
}

impl Derived {
    fn of(value: Val<'_>) -> Option<Self> {
        match value {
            Val::Int(n) => Some(Self::Int(n)),
            Val::Float(x) => Some(Self::Float(x)),
            Val::List(list) => list.to_dims().map(Self::List),
            _ => None,
        }
    }
}

/// The whole number that an expression stands for.
pub fn eval_number(builder: &Builder<'_>, descriptor: &Descriptor, node: &Node, level: FeatureLevel) -> Option<i128> {
    match eval(node, &env(builder, descriptor, level))? {
        Val::Int(n) => Some(n),
        _ => None,
    }
}

/// The list that an expression stands for.
pub fn eval_list(builder: &Builder<'_>, descriptor: &Descriptor, node: &Node, level: FeatureLevel) -> Option<Dims> {
    eval(node, &env(builder, descriptor, level))?.to_dims()
}

/// The list that an expression stands for, as ids spell it.
pub fn eval_list_text(
    builder: &Builder<'_>,
    descriptor: &Descriptor,
    node: &Node,
    level: FeatureLevel,
) -> Option<String> {
    let numbers = eval_numbers(node, &env(builder, descriptor, level))?;
    Some(joined(numbers.into_iter()))
}

/// Whether a condition holds.
pub fn eval_condition(builder: &Builder<'_>, descriptor: &Descriptor, node: &Node, level: FeatureLevel) -> bool {
    eval_bool(node, &env(builder, descriptor, level))
}

/// Axis and K of the value patterns.
pub fn eval_lanes(builder: &Builder<'_>, descriptor: &Descriptor, level: FeatureLevel) -> Option<(u32, u32)> {
    let (axis, k) = builder.recipe.lanes.as_ref()?;
    let whole = |node| u32::try_from(eval_number(builder, descriptor, node, level)?).ok();
    Some((whole(axis)?, whole(k)?))
}

/// Ids of the silences that apply, each once.
pub fn find_silences(
    builder: &Builder<'_>,
    descriptor: &Descriptor,
    level: FeatureLevel,
    facts: &DataFacts,
) -> Vec<Text> {
    let found = builder
        .program
        .evaluate_silences(&builder.suite.catalog, descriptor, level, facts);
    let mut ids: Vec<Text> = Vec::new();
    for index in found {
        let id = &builder.program.silences[index].clause;
        if !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    ids
}
