//! Reads the fields of a dynamic descriptor in struct order.

use std::slice;

use dml_spec::{Descriptor, Dims, TensorDesc, Value};
use smallvec::SmallVec;

use crate::{FieldMismatch, Operator};

/// The fields that are still to be read.
#[derive(Debug)]
pub struct Fields<'a> {
    operator: &'static str,
    values: slice::Iter<'a, Value>,
}

macro_rules! readers {
    ($($(#[$doc:meta])* $name:ident: $variant:ident($($part:ident),+) => $value:expr, $ty:ty, $expected:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the field holds another kind of value.
        pub fn $name(&mut self, field: &'static str) -> Result<$ty, FieldMismatch> {
            match self.values.next() {
                Some(Value::$variant($($part),+)) => Ok($value),
                other => Err(self.mismatch(field, other, $expected)),
            }
        }
    )*};
}

impl<'a> Fields<'a> {
    /// The fields of a descriptor of `T`, which has `count` of them.
    ///
    /// # Errors
    /// If it is one of another operator or has another number of fields.
    pub fn of<T: Operator>(descriptor: &'a Descriptor, count: usize) -> Result<Self, FieldMismatch> {
        if descriptor.operator != T::NAME {
            return Err(FieldMismatch::Operator {
                found: descriptor.operator.to_string(),
                expected: T::NAME,
            });
        }
        if descriptor.fields.len() != count {
            let found = descriptor.fields.len();
            return Err(FieldMismatch::Count {
                operator: T::NAME,
                found,
                expected: count,
            });
        }
        Ok(Self {
            operator: T::NAME,
            values: descriptor.fields.iter(),
        })
    }

    readers! {
        /// A tensor.
        tensor: Tensor(v) => v.as_ref().map(copy), Option<TensorDesc>, "a tensor";
        /// An array of tensors.
        tensors: Tensors(v) => v.as_ref().map(|all| all.iter().map(copy).collect()), Option<Vec<TensorDesc>>, "an array of tensors";
        /// `UINT`, `BOOL` or an enumeration.
        uint: UInt(v) => *v, u32, "an unsigned number";
        /// `INT`.
        int: Int(v) => *v, i32, "a signed number";
        /// `FLOAT`.
        float: Float(v) => *v, f32, "a floating point number";
        /// Array of `UINT`.
        uints: UInts(v) => v.clone(), Option<Dims>, "an array of unsigned numbers";
        /// Array of `INT`.
        ints: Ints(v) => v.clone(), Option<SmallVec<[i32; 8]>>, "an array of signed numbers";
        /// Array of `FLOAT`.
        floats: Floats(v) => v.clone(), Option<SmallVec<[f32; 8]>>, "an array of floating point numbers";
        /// `DML_SCALE_BIAS`.
        scale_bias: ScaleBias(v) => *v, Option<(f32, f32)>, "a scale and bias";
        /// `DML_SIZE_2D`: width, height.
        size2d: Size2D(width, height) => (*width, *height), (u32, u32), "a size";
        /// `DML_SCALAR_UNION`.
        scalar: Scalar(v) => *v, [u8; 8], "a scalar";
        /// A nested operator.
        operator: Operator(v) => v.clone(), Option<Box<Descriptor>>, "an operator";
        /// An array of nested operators.
        operators: Operators(v) => v.clone(), Option<Vec<Descriptor>>, "an array of operators";
    }

    #[cold]
    fn mismatch(&self, field: &'static str, found: Option<&Value>, expected: &'static str) -> FieldMismatch {
        FieldMismatch::Kind {
            operator: self.operator,
            field,
            found: found.map_or("nothing", describe),
            expected,
        }
    }
}

/// The result of `clone`, which copies lists element by element.
fn copy(tensor: &TensorDesc) -> TensorDesc {
    TensorDesc {
        sizes: tensor.sizes.as_deref().map(Dims::from_slice),
        strides: tensor.strides.as_deref().map(Dims::from_slice),
        ..*tensor
    }
}

fn describe(value: &Value) -> &'static str {
    match value {
        Value::Tensor(_) => "a tensor",
        Value::Tensors(_) => "an array of tensors",
        Value::UInt(_) => "an unsigned number",
        Value::Int(_) => "a signed number",
        Value::Float(_) => "a floating point number",
        Value::UInts(_) => "an array of unsigned numbers",
        Value::Ints(_) => "an array of signed numbers",
        Value::Floats(_) => "an array of floating point numbers",
        Value::ScaleBias(_) => "a scale and bias",
        Value::Size2D(..) => "a size",
        Value::Scalar(_) => "a scalar",
        Value::Operator(_) => "an operator",
        Value::Operators(_) => "an array of operators",
    }
}
