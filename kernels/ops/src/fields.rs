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

/// A type of fields of descriptors.
pub trait FieldValue: Sized {
    /// What it is, in words.
    const WORDS: &'static str;

    /// Reads it; `None` if the value is of another kind.
    fn of_value(value: &Value) -> Option<Self>;

    /// The same as a dynamic value.
    fn to_value(&self) -> Value;
}

macro_rules! field_values {
    ($($ty:ty = $variant:ident($($part:ident),+) => $read:expr, |$own:ident| $($write:expr),+; $words:literal)*) => {
        $(impl FieldValue for $ty {
            const WORDS: &'static str = $words;

            fn of_value(value: &Value) -> Option<Self> {
                match value {
                    Value::$variant($($part),+) => Some($read),
                    _ => None,
                }
            }

            fn to_value(&self) -> Value {
                let $own = self;
                Value::$variant($($write),+)
            }
        })*

        fn describe(value: &Value) -> &'static str {
            match value {
                $(Value::$variant(..) => $words,)*
            }
        }
    };
}

field_values! {
    Option<TensorDesc> = Tensor(v) => v.as_ref().map(copy), |own| own.clone(); "a tensor"
    Option<Vec<TensorDesc>> = Tensors(v) => v.as_ref().map(|all| all.iter().map(copy).collect()), |own| own.clone();
        "an array of tensors"
    u32 = UInt(v) => *v, |own| *own; "an unsigned number"
    i32 = Int(v) => *v, |own| *own; "a signed number"
    f32 = Float(v) => *v, |own| *own; "a floating point number"
    Option<Dims> = UInts(v) => v.clone(), |own| own.clone(); "an array of unsigned numbers"
    Option<SmallVec<[i32; 8]>> = Ints(v) => v.clone(), |own| own.clone(); "an array of signed numbers"
    Option<SmallVec<[f32; 8]>> = Floats(v) => v.clone(), |own| own.clone(); "an array of floating point numbers"
    Option<(f32, f32)> = ScaleBias(v) => *v, |own| *own; "a scale and bias"
    (u32, u32) = Size2D(width, height) => (*width, *height), |own| own.0, own.1; "a size"
    [u8; 8] = Scalar(v) => *v, |own| *own; "a scalar"
    Option<Box<Descriptor>> = Operator(v) => v.clone(), |own| own.clone(); "an operator"
    Option<Vec<Descriptor>> = Operators(v) => v.clone(), |own| own.clone(); "an array of operators"
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

    /// The next field.
    ///
    /// # Errors
    /// If it holds another kind of value.
    pub fn read<T: FieldValue>(&mut self, field: &'static str) -> Result<T, FieldMismatch> {
        let value = self.values.next();
        value
            .and_then(T::of_value)
            .ok_or_else(|| self.mismatch(field, value, T::WORDS))
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
