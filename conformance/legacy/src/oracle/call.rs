//! A call: everything that determines what an operator computes.

use std::borrow::Cow;

use dml_spec::{
    Catalog, Descriptor, Value,
    model::{Operator, Role},
};

use dml_case::{
    number::{Number, decode},
    tensor::Shape,
};

/// An operator with its descriptor and inputs.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The specification.
    pub catalog: &'a Catalog,
    /// The operator.
    pub operator: &'a Operator,
    /// Its descriptor.
    pub descriptor: &'a Descriptor,
    /// Every present input in struct order.
    pub inputs: Vec<Input<'a>>,
    /// Shapes of every present output in struct order.
    pub outputs: Vec<Shape>,
}

/// An input of a call.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// Its shape.
    pub shape: Shape,
    /// Its elements in row-major order, as raw bits.
    pub elements: Vec<u64>,
    /// The buffer they lie in.
    pub bytes: Cow<'a, [u8]>,
}

/// The elements of an input as numbers, made when they are asked for. A list of numbers takes many times the memory of
/// the input.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers<'a> {
    /// Those of this input.
    Of(&'a Input<'a>),
}

impl<'a> Numbers<'a> {
    /// The number at a place.
    pub(super) fn get(self, place: usize) -> Option<Number> {
        match self {
            Self::Of(input) => Some(decode(&input.shape.ty, *input.elements.get(place)?)),
        }
    }
}

impl Input<'_> {
    /// The elements as numbers.
    pub fn numbers(&self) -> Vec<Number> {
        self.elements.iter().map(|bits| decode(&self.shape.ty, *bits)).collect()
    }
}

impl<'a> Call<'a> {
    /// The call of a descriptor with the buffers of its inputs. `None` where a tensor makes no sense or the number of
    /// buffers is not that of the inputs.
    pub fn new(
        catalog: &'a Catalog,
        operator: &'a Operator,
        descriptor: &'a Descriptor,
        inputs: &'a [Vec<u8>],
    ) -> Option<Self> {
        let tensors = descriptor.tensors(operator, Role::Input);
        if tensors.len() != inputs.len() {
            return None;
        }
        let read = |(tensor, bytes): (_, &'a Vec<u8>)| {
            let shape = Shape::of(catalog, tensor)?;
            let elements = shape.read(bytes);
            Some(Input {
                shape,
                elements,
                bytes: Cow::Borrowed(bytes.as_slice()),
            })
        };
        let inputs = tensors.into_iter().zip(inputs).map(read).collect::<Option<_>>()?;
        let outputs = descriptor.tensors(operator, Role::Output);
        let outputs = outputs
            .into_iter()
            .map(|t| Shape::of(catalog, t))
            .collect::<Option<_>>()?;
        Some(Self {
            catalog,
            operator,
            descriptor,
            inputs,
            outputs,
        })
    }

    /// The value of a field.
    pub fn value(&self, field: &str) -> Option<&'a Value> {
        self.descriptor.fields.get(self.operator.field_index(field)?)
    }

    /// The value of a `UINT`, `BOOL` or enumeration field.
    pub fn uint(&self, field: &str) -> Option<u32> {
        match self.value(field)? {
            Value::UInt(value) => Some(*value),
            _ => None,
        }
    }

    /// The list of a `UINT array` field.
    pub fn uints(&self, field: &str) -> Option<&'a [u32]> {
        match self.value(field)? {
            Value::UInts(list) => list.as_deref(),
            _ => None,
        }
    }

    /// The list of an `INT array` field.
    pub fn ints(&self, field: &str) -> Option<&'a [i32]> {
        match self.value(field)? {
            Value::Ints(list) => list.as_deref(),
            _ => None,
        }
    }

    /// The scale and the bias of a `SCALE_BIAS` field; `None` where it is null.
    pub fn scale_bias(&self, field: &str) -> Option<(f32, f32)> {
        match self.value(field)? {
            Value::ScaleBias(pair) => *pair,
            _ => None,
        }
    }

    /// The nested operator of an `OPERATOR` field; `None` where it is null.
    pub fn nested(&self, field: &str) -> Option<&'a Descriptor> {
        match self.value(field)? {
            Value::Operator(nested) => nested.as_deref(),
            _ => None,
        }
    }

    /// The value of an `INT` field.
    pub fn int(&self, field: &str) -> Option<i32> {
        match self.value(field)? {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The value of a `FLOAT` field.
    pub fn float(&self, field: &str) -> Option<f32> {
        match self.value(field)? {
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }
}
