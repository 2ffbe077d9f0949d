//! Descriptors as values: what a case says, an interpreter reads and a backend receives.
//!
//! Every bit pattern that the C structures can hold has a value here, so that invalid descriptors are data too.

use std::borrow::Cow;

use smallvec::SmallVec;

pub use crate::layout::Dims;
use crate::model::{Catalog, FieldKind, Operator, Role};

/// `DML_TENSOR_TYPE_BUFFER`.
pub const TENSOR_TYPE_BUFFER: u32 = 1;

/// A filled `DML_TENSOR_DESC` around a `DML_BUFFER_TENSOR_DESC`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorDesc {
    /// `DML_TENSOR_TYPE`; 1 is `BUFFER`.
    pub tensor_type: u32,
    /// `DML_TENSOR_DATA_TYPE`.
    pub data_type: u32,
    /// `DML_TENSOR_FLAGS`.
    pub flags: u32,
    /// Elements in each dimension; `None` is a null pointer. Its length is the `DimensionCount`.
    pub sizes: Option<Dims>,
    /// Distance in elements between neighbours of each dimension; `None` is packed.
    pub strides: Option<Dims>,
    /// Size of the buffer range in bytes.
    pub total_tensor_size_in_bytes: u64,
    /// Alignment promised for the start of the range in bytes, or 0.
    pub guaranteed_base_offset_alignment: u32,
}

impl TensorDesc {
    /// A buffer of no data type and no dimensions, to be filled in.
    pub fn blank() -> Self {
        Self {
            tensor_type: TENSOR_TYPE_BUFFER,
            data_type: 0,
            flags: 0,
            sizes: Some(Dims::new()),
            strides: None,
            total_tensor_size_in_bytes: 0,
            guaranteed_base_offset_alignment: 0,
        }
    }

    /// A packed tensor of exactly the size it needs. `bits` is the width of an element.
    pub fn packed(data_type: u32, bits: u32, sizes: &[u32]) -> Self {
        let mut tensor = Self {
            data_type,
            sizes: Some(Dims::from_slice(sizes)),
            ..Self::blank()
        };
        tensor.total_tensor_size_in_bytes = tensor.minimum_total_size(bits).unwrap_or(u64::MAX);
        tensor
    }

    /// `DimensionCount`: the length of the sizes, 0 if they are null.
    pub fn dimension_count(&self) -> u32 {
        self.sizes
            .as_ref()
            .map_or(0, |s| u32::try_from(s.len()).unwrap_or(u32::MAX))
    }

    /// The sizes, empty if they are null.
    pub fn sizes(&self) -> &[u32] {
        self.sizes.as_deref().unwrap_or(&[])
    }

    /// Smallest legal `TotalTensorSizeInBytes` for elements of `bits` width; `None` if the layout makes no
    /// sense (null sizes, a size of 0, strides of another length) or the result exceeds 64 bits.
    pub fn minimum_total_size(&self, bits: u32) -> Option<u64> {
        crate::layout::minimum_total_size(self.sizes.as_deref()?, self.strides.as_deref(), bits)
    }
}

/// The value of one field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A tensor; `None` is a null pointer.
    Tensor(Option<TensorDesc>),
    /// An array of tensors; `None` is a null pointer.
    Tensors(Option<Vec<TensorDesc>>),
    /// `UINT`, `BOOL` and enumerations.
    UInt(u32),
    /// `INT`.
    Int(i32),
    /// `FLOAT`.
    Float(f32),
    /// Array of `UINT`; `None` is a null pointer.
    UInts(Option<Dims>),
    /// Array of `INT`; `None` is a null pointer.
    Ints(Option<SmallVec<[i32; 8]>>),
    /// Array of `FLOAT`; `None` is a null pointer.
    Floats(Option<SmallVec<[f32; 8]>>),
    /// `DML_SCALE_BIAS`: scale, bias.
    ScaleBias(Option<(f32, f32)>),
    /// `DML_SIZE_2D`: width, height.
    Size2D(u32, u32),
    /// `DML_SCALAR_UNION`: eight little-endian bytes.
    Scalar([u8; 8]),
    /// A nested operator; `None` is a null pointer.
    Operator(Option<Box<Descriptor>>),
    /// An array of nested operators; `None` is a null pointer.
    Operators(Option<Vec<Descriptor>>),
}

impl Value {
    /// Whether this is no null pointer.
    pub fn is_present(&self) -> bool {
        match self {
            Self::Tensor(tensor) => tensor.is_some(),
            Self::Tensors(tensors) => tensors.is_some(),
            Self::Operator(operator) => operator.is_some(),
            Self::Operators(operators) => operators.is_some(),
            Self::ScaleBias(pair) => pair.is_some(),
            Self::UInts(list) => list.is_some(),
            Self::Ints(list) => list.is_some(),
            Self::Floats(list) => list.is_some(),
            Self::UInt(_) | Self::Int(_) | Self::Float(_) | Self::Size2D(..) | Self::Scalar(_) => true,
        }
    }
}

/// A filled operator descriptor.
#[derive(Clone, Debug, PartialEq)]
pub struct Descriptor {
    /// Operator name.
    pub operator: Cow<'static, str>,
    /// Values in struct order.
    pub fields: Vec<Value>,
}

impl Descriptor {
    /// A descriptor with every field zero or null.
    pub fn zeroed(operator: &Operator) -> Self {
        let zero = |kind: &FieldKind| match kind {
            FieldKind::Tensor(_) => Value::Tensor(None),
            FieldKind::Tensors(..) => Value::Tensors(None),
            FieldKind::UInt | FieldKind::Bool | FieldKind::Enum(_) => Value::UInt(0),
            FieldKind::Int => Value::Int(0),
            FieldKind::Float => Value::Float(0.0),
            FieldKind::UInts(_) => Value::UInts(None),
            FieldKind::Ints(_) => Value::Ints(None),
            FieldKind::Floats(_) => Value::Floats(None),
            FieldKind::ScaleBias => Value::ScaleBias(None),
            FieldKind::Size2D => Value::Size2D(0, 0),
            FieldKind::Scalar(_) => Value::Scalar([0; 8]),
            FieldKind::Operator => Value::Operator(None),
            FieldKind::Operators(_) => Value::Operators(None),
        };
        Self {
            operator: operator.name.clone(),
            fields: operator.fields.iter().map(|f| zero(&f.kind)).collect(),
        }
    }

    /// Whether every tensor is null, as in a nested operator, whose tensors are those of the one around it.
    pub fn is_unbound(&self) -> bool {
        let bound = |value: &Value| matches!(value, Value::Tensor(Some(_)) | Value::Tensors(Some(_)));
        !self.fields.iter().any(bound)
    }

    /// The tensors of one role that are present, in struct order, arrays in place.
    pub fn tensors<'a>(&'a self, operator: &'a Operator, role: Role) -> Vec<&'a TensorDesc> {
        let mut found = Vec::new();
        for (field, value) in operator.fields.iter().zip(&self.fields) {
            if field.kind.role() != Some(role) {
                continue;
            }
            match value {
                Value::Tensor(Some(tensor)) => found.push(tensor),
                Value::Tensors(Some(tensors)) => found.extend(tensors),
                _ => {}
            }
        }
        found
    }
}

/// Element width of a raw data type value; `None` if it is unknown or has no width.
pub fn element_bits(catalog: &Catalog, data_type: u32) -> Option<u32> {
    catalog.data_type(data_type).map(|t| t.bits).filter(|b| *b > 0)
}
