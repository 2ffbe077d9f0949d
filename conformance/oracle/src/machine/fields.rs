//! Fields of the descriptor as values.

use std::rc::Rc;

use dml_spec::{
    desc::{TensorDesc, Value as FieldValue},
    meaning::{Node, Op, Type, typed::TensorRef},
    rule::typed::Prop,
};

use super::{Eval, Machine, fault, literal};
use crate::{
    column::{Ints, Reals, Value},
    real::{Arithmetic, Real},
    space::Space,
};

impl<'a> Machine<'a> {
    pub(super) fn field(&self, node: &Node, field: usize, a: &Arithmetic) -> Eval {
        let Some(value) = self.descriptor.fields.get(field) else {
            return fault(node, "the descriptor has no such field");
        };
        let list = |items: Rc<[Value]>| Ok(Value::List(items));
        match value {
            FieldValue::UInt(value) if node.ty == Type::Bool => Ok(Value::truth(*value != 0)),
            FieldValue::UInt(value) => Ok(Value::int((*value).into())),
            FieldValue::Int(value) => Ok(Value::int((*value).into())),
            FieldValue::Float(value) => Ok(real(*value, a)),
            FieldValue::UInts(Some(values)) => list(values.iter().map(|v| Value::int((*v).into())).collect()),
            FieldValue::Ints(Some(values)) => list(values.iter().map(|v| Value::int((*v).into())).collect()),
            FieldValue::Floats(Some(values)) => list(values.iter().map(|v| real(*v, a)).collect()),
            FieldValue::Size2D(width, height) => list([*width, *height].map(|size| Value::int(size.into())).into()),
            FieldValue::Operator(Some(_)) | FieldValue::Operators(Some(_)) => Ok(Value::Operator(field, Ints::One(0))),
            FieldValue::Scalar(bytes) => self.scalar(node, field, *bytes),
            // An array that is null has no elements: its count is 0.
            FieldValue::UInts(None) | FieldValue::Ints(None) | FieldValue::Floats(None) => list(Rc::from([])),
            FieldValue::Operator(None) | FieldValue::Operators(None) => fault(node, "the nested operator is null"),
            FieldValue::Tensor(_) | FieldValue::Tensors(_) | FieldValue::ScaleBias(_) => {
                fault(node, "this field is no value")
            }
        }
    }

    /// A scalar union, of the data type that its neighbour names.
    fn scalar(&self, node: &Node, field: usize, bytes: [u8; 8]) -> Eval {
        let named = self.operator.fields.get(field).and_then(|f| f.kind.named());
        let at = named.and_then(|(_, name)| self.operator.field_index(name));
        let value = match at.and_then(|at| self.descriptor.fields.get(at)) {
            Some(FieldValue::UInt(value)) => *value,
            _ => return fault(node, "the data type of the scalar is not known"),
        };
        match self.catalog.data_type(value) {
            Some(data_type) => {
                let bits = u64::from_le_bytes(bytes) & dml_case::number::mask(data_type.bits);
                Ok(crate::load::single(data_type, bits))
            }
            None => fault(node, format!("{value} is no data type")),
        }
    }

    pub(super) fn scale_bias(&self, node: &Node, field: usize, part: u8, a: &Arithmetic) -> Eval {
        match self.descriptor.fields.get(field) {
            Some(FieldValue::ScaleBias(Some((scale, bias)))) => Ok(real(if part == 0 { *scale } else { *bias }, a)),
            _ => fault(node, "the scale and bias are null"),
        }
    }

    /// A list of whole numbers that the descriptor holds, read where it lies; `None` for every other expression.
    pub(crate) fn held(&self, list: &Node) -> Option<&'a [u32]> {
        let fields = &self.descriptor.fields;
        match &list.op {
            Op::Prop(TensorRef { field, element: None }, Prop::Sizes) => match fields.get(*field)? {
                FieldValue::Tensor(Some(tensor)) => Some(tensor.sizes()),
                _ => None,
            },
            Op::Field(field) => match fields.get(*field)? {
                FieldValue::UInts(Some(list)) => Some(list),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn is_present(&self, field: usize) -> bool {
        match self.descriptor.fields.get(field) {
            Some(FieldValue::Tensor(tensor)) => tensor.is_some(),
            Some(FieldValue::Tensors(tensors)) => tensors.is_some(),
            Some(FieldValue::Operator(operator)) => operator.is_some(),
            Some(FieldValue::Operators(operators)) => operators.is_some(),
            Some(FieldValue::ScaleBias(pair)) => pair.is_some(),
            Some(FieldValue::UInts(list)) => list.is_some(),
            Some(FieldValue::Ints(list)) => list.is_some(),
            Some(FieldValue::Floats(list)) => list.is_some(),
            Some(_) => true,
            None => false,
        }
    }

    /// A tensor of the descriptor; `element` counts within an array.
    pub(crate) fn desc(&self, node: &Node, field: usize, element: i128) -> Eval<&'a dml_spec::desc::TensorDesc> {
        let found = match self.descriptor.fields.get(field) {
            Some(FieldValue::Tensor(tensor)) => tensor.as_ref(),
            Some(FieldValue::Tensors(Some(tensors))) => usize::try_from(element).ok().and_then(|e| tensors.get(e)),
            _ => None,
        };
        match found {
            Some(tensor) => Ok(tensor),
            None => fault(node, "there is no such tensor"),
        }
    }

    /// The places in their array of the tensors that a reference means, for each point.
    pub(crate) fn elements(&self, tensor: &TensorRef, space: &Rc<Space>, a: &Arithmetic) -> Eval<Ints> {
        match &tensor.element {
            Some(element) => self.ints(element, space, a),
            None => Ok(Ints::One(0)),
        }
    }

    pub(super) fn prop(&self, node: &Node, tensor: &TensorRef, prop: Prop, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let elements = self.elements(tensor, space, a)?;
        if !elements.is_plain() {
            return fault(node, "the tensor of the array has to be sure");
        }
        if let Some(element) = elements.uniform() {
            let desc = self.desc(node, tensor.field, element)?;
            return property(node, desc, prop);
        }
        let values: Eval<Vec<Value>> = (0..space.points)
            .map(|point| property(node, self.desc(node, tensor.field, elements.get(point).value)?, prop))
            .collect();
        let values = values?;
        let column = |numbers: Vec<i64>| Value::Int(Ints::narrow(numbers));
        let number = |value: &Value| match value {
            Value::Int(ints) => ints.uniform().and_then(|n| i64::try_from(n).ok()).unwrap_or(0),
            _ => 0,
        };
        let Some(Value::List(first)) = values.first() else {
            return Ok(column(values.iter().map(number).collect()));
        };
        let item = |d: usize| {
            let one = |value: &Value| match value {
                Value::List(items) => items.get(d).map(number),
                _ => None,
            };
            values.iter().map(one).collect::<Option<Vec<i64>>>().map(column)
        };
        match (0..first.len()).map(item).collect::<Option<Rc<[Value]>>>() {
            Some(items) => Ok(Value::List(items)),
            None => fault(node, "the tensors have different numbers of dimensions"),
        }
    }
}

/// An attribute, which half precision may have rounded as it rounds literals. A denormal may become zero where it is
/// read, as one of a tensor may.
fn real(value: f32, a: &Arithmetic) -> Value {
    let value = f64::from(value);
    let real = if a.format.flushes && a.format.is_denormal(value) {
        Real::vanishing(value)
    } else {
        literal(value, a)
    };
    Value::Real(Reals::One(real))
}

fn property(node: &Node, desc: &TensorDesc, prop: Prop) -> Eval {
    let list = |values: &[u32]| Value::List(values.iter().map(|v| Value::int((*v).into())).collect());
    Ok(match prop {
        Prop::Type => Value::int(desc.tensor_type.into()),
        Prop::DataType => Value::int(desc.data_type.into()),
        Prop::Flags => Value::int(desc.flags.into()),
        Prop::DimensionCount => Value::int(desc.dimension_count().into()),
        Prop::TotalTensorSizeInBytes => Value::int(desc.total_tensor_size_in_bytes.into()),
        Prop::GuaranteedBaseOffsetAlignment => Value::int(desc.guaranteed_base_offset_alignment.into()),
        Prop::Sizes => list(desc.sizes()),
        Prop::Strides => match &desc.strides {
            Some(strides) => list(strides),
            None => match dml_spec::layout::packed_strides(desc.sizes()) {
                Some(strides) => list(&strides),
                None => return fault(node, "the tensor has no strides"),
            },
        },
    })
}
