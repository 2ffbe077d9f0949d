//! The interpreter, as the planner uses it: derived values, lanes, silences.

use dml_spec::{
    Descriptor, Dims, FeatureLevel, Value,
    model::{DataType, NumberClass, Text},
    rule::{
        interp::{Data, Env, Val, eval, eval_bool},
        typed::Node,
    },
};

use super::{
    build::Builder,
    path::{Path, TensorPart, tensor_mut},
};
use crate::{
    number::{is_denormal, is_nan, is_negative_zero},
    tensor::Shape,
};

/// What is special about the inputs' data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataFacts(Vec<Fact>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fact {
    field: usize,
    element: usize,
    nan: bool,
    negative_zero: bool,
    denormal: bool,
}

impl DataFacts {
    /// Takes note of the elements of an input: field, element of an array of tensors, or 0.
    pub fn note(&mut self, field: usize, element: usize, shape: &Shape, elements: &[u64]) {
        if shape.ty.class != NumberClass::Float {
            return;
        }
        let any = |test: fn(&DataType, u64) -> bool| elements.iter().any(|bits| test(&shape.ty, *bits));
        let (nan, negative_zero, denormal) = (any(is_nan), any(is_negative_zero), any(is_denormal));
        self.0.push(Fact {
            field,
            element,
            nan,
            negative_zero,
            denormal,
        });
    }

    fn any(&self, field: usize, element: usize, test: fn(&Fact) -> bool) -> bool {
        self.0
            .iter()
            .any(|fact| fact.field == field && fact.element == element && test(fact))
    }
}

impl Data for DataFacts {
    fn has_nan(&self, field: usize, element: usize) -> bool {
        self.any(field, element, |fact| fact.nan)
    }

    fn has_negative_zero(&self, field: usize, element: usize) -> bool {
        self.any(field, element, |fact| fact.negative_zero)
    }

    fn has_denormal(&self, field: usize, element: usize) -> bool {
        self.any(field, element, |fact| fact.denormal)
    }
}

fn env<'a>(builder: &'a Builder<'_>, descriptor: &'a Descriptor, level: FeatureLevel) -> Env<'a> {
    Env::new(&builder.suite.catalog, descriptor, level)
}

/// Sets a path to the value of an expression.
pub fn assign(
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
            let tensor = tensor_mut(descriptor, *field, *element).ok_or("the tensor is not there")?;
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
                _ => return Err(mismatch()),
            }
        }
        Path::Item(..) => return Err("elements of a list cannot be derived".to_owned()),
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

/// The whole number an expression stands for.
pub fn number(builder: &Builder<'_>, descriptor: &Descriptor, node: &Node, level: FeatureLevel) -> Option<i128> {
    match eval(node, &env(builder, descriptor, level))? {
        Val::Int(n) => Some(n),
        _ => None,
    }
}

/// Whether a condition holds.
pub fn holds(builder: &Builder<'_>, descriptor: &Descriptor, node: &Node, level: FeatureLevel) -> bool {
    eval_bool(node, &env(builder, descriptor, level))
}

/// Axis and K of the value patterns.
pub fn lanes(builder: &Builder<'_>, descriptor: &Descriptor, level: FeatureLevel) -> Option<(u32, u32)> {
    let (axis, k) = builder.recipe.lanes.as_ref()?;
    let whole = |node| u32::try_from(number(builder, descriptor, node, level)?).ok();
    Some((whole(axis)?, whole(k)?))
}

/// Ids of the silences that apply, each once.
pub fn silences(builder: &Builder<'_>, descriptor: &Descriptor, level: FeatureLevel, facts: &DataFacts) -> Vec<Text> {
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
