//! The cast that every output ends in.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Cast, Nan, Overflow, Rounding},
    },
    model::DataType,
    rule::typed::Prop,
};

use crate::format::Format;

/// The value as the output's type has it: floats become a neighbour, whole numbers have to fit.
pub(crate) fn implicit_cast(body: &Node, field: usize, ty: &DataType) -> Node {
    // A cast to another type says nothing of this one.
    let is_own = |data_type: &Node| match &data_type.op {
        Op::Int(value) => *value == i128::from(ty.value),
        Op::Prop(tensor, prop) => tensor.field == field && *prop == Prop::DataType,
        _ => false,
    };
    let is_cast = matches!(&body.op, Op::Cast(cast) if is_own(&cast.data_type));
    if is_cast || body.ty == Type::Bool {
        return body.clone();
    }
    let float = Format::of(ty).is_some();
    let data_type = Node {
        ty: Type::DataType,
        span: body.span.clone(),
        op: Op::Int(ty.value.into()),
    };
    // A fraction has no place among whole numbers: how it is rounded has to be said.
    let value = if float || body.ty == Type::Int {
        body.clone()
    } else {
        Node {
            ty: Type::Int,
            span: body.span.clone(),
            op: Op::Call(Function::Int, vec![body.clone()]),
        }
    };
    let cast = Cast {
        value,
        data_type,
        rounding: Rounding::Either,
        overflow: if float { Overflow::Infinity } else { Overflow::Fits },
        nan: Nan::Refused,
    };
    Node {
        ty: Type::Number,
        span: body.span.clone(),
        op: Op::Cast(Box::new(cast)),
    }
}
