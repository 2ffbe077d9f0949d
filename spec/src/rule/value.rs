//! What rules are evaluated on, and the values they have.

use crate::{
    desc::{Descriptor, Dims, TensorDesc},
    level::FeatureLevel,
    model::{Catalog, DataType},
};

/// Facts about the elements of a case's input tensors. `element` counts within an array of tensors, else it is 0.
pub trait Data {
    /// Some element is NaN.
    fn has_nan(&self, field: usize, element: usize) -> bool;
    /// Some element is -0.
    fn has_negative_zero(&self, field: usize, element: usize) -> bool;
    /// Some element is a denormal.
    fn has_denormal(&self, field: usize, element: usize) -> bool;
    /// Some element is infinite.
    fn has_infinity(&self, field: usize, element: usize) -> bool;
    /// The smallest and the largest element of a tensor of integers; `None` for any other.
    fn range(&self, field: usize, element: usize) -> Option<(i128, i128)>;
    /// Every element, truncated towards zero, lies in the range of the data type.
    fn fits(&self, field: usize, element: usize, data_type: &DataType) -> bool;
}

/// The tensor that a `TENSOR/` clause is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// Index of its field in struct order.
    pub field: usize,
    /// Index within an array of tensors, else 0.
    pub element: usize,
    /// The tensor; `None` if it is absent.
    pub tensor: Option<&'a TensorDesc>,
}

/// What a rule is evaluated on.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    /// The specification.
    pub catalog: &'a Catalog,
    /// The descriptor.
    pub descriptor: &'a Descriptor,
    /// For `TENSOR/` clauses the tensor in question.
    pub subject: Option<Subject<'a>>,
    /// The level the descriptor is checked for.
    pub level: FeatureLevel,
    /// The elements, if they are known.
    pub data: Option<&'a dyn Data>,
}

impl<'a> Env<'a> {
    /// A descriptor at a level, without subject and data.
    pub fn new(catalog: &'a Catalog, descriptor: &'a Descriptor, level: FeatureLevel) -> Self {
        Self {
            catalog,
            descriptor,
            subject: None,
            level,
            data: None,
        }
    }
}

/// A list of whole numbers: lent by the descriptor, or made by a rule.
#[derive(Clone, Debug)]
pub enum List<'a> {
    /// Sizes, strides or a `UINT` array.
    Unsigned(&'a [u32]),
    /// An `INT` array.
    Signed(&'a [i32]),
    /// A list that a rule made.
    Made(Dims),
}

impl List<'_> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Unsigned(list) => list.len(),
            Self::Signed(list) => list.len(),
            Self::Made(list) => list.len(),
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at `index`.
    pub fn get(&self, index: usize) -> Option<i128> {
        match self {
            Self::Unsigned(list) => list.get(index).map(|v| i128::from(*v)),
            Self::Signed(list) => list.get(index).map(|v| i128::from(*v)),
            Self::Made(list) => list.get(index).map(|v| i128::from(*v)),
        }
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = i128> + '_ {
        (0..self.len()).filter_map(|i| self.get(i))
    }

    /// The elements as unsigned numbers; `None` if one is negative.
    pub fn to_dims(&self) -> Option<Dims> {
        match self {
            Self::Unsigned(list) => Some(Dims::from_slice(list)),
            Self::Made(list) => Some(list.clone()),
            Self::Signed(list) => list.iter().map(|v| u32::try_from(*v).ok()).collect(),
        }
    }
}

impl PartialEq for List<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Val<'a> {
    /// Truth value.
    Bool(bool),
    /// Whole number, data type, enumeration value or feature level.
    Int(i128),
    /// Floating point number.
    Float(f64),
    /// List of whole numbers.
    List(List<'a>),
    /// List of floating point numbers.
    FloatList(&'a [f32]),
    /// A tensor.
    Tensor(&'a TensorDesc),
    /// An array of tensors.
    Tensors(&'a [TensorDesc]),
}

impl Val<'_> {
    /// The list as sizes, if it is one of unsigned numbers.
    pub fn to_dims(&self) -> Option<Dims> {
        match self {
            Self::List(list) => list.to_dims(),
            _ => None,
        }
    }
}
