//! The cast that every output ends in.

use std::rc::Rc;

use dml_spec::{
    meaning::{
        Node, Op, Type,
        typed::{Cast, Nan, Overflow, Rounding},
    },
    model::DataType,
    rule::typed::Prop,
};

use crate::{fault::Eval, format::Format, machine::Machine, real::Arithmetic, space::Space};

/// An expression whose value becomes one of an output's type: floats become a neighbour, whole numbers have to fit.
pub(crate) struct Implicit<'a> {
    pub(crate) body: &'a Node,
    /// `None` if the expression ends in a cast of its own.
    cast: Option<Cast>,
    /// A fraction has no place among whole numbers: how it is rounded has to be said.
    is_whole: bool,
}

impl<'a> Implicit<'a> {
    pub(crate) fn new(body: &'a Node, field: usize, ty: &DataType) -> Self {
        // A cast to another type says nothing of this one.
        let is_own = |data_type: &Node| match &data_type.op {
            Op::Int(value) => *value == i128::from(ty.value),
            Op::Prop(tensor, prop) => tensor.field == field && *prop == Prop::DataType,
            _ => false,
        };
        let is_cast = matches!(&body.op, Op::Cast(cast) if is_own(&cast.data_type));
        let float = Format::of(ty).is_some();
        let number = |ty: Type, n: i128| Node {
            ty,
            span: body.span.clone(),
            op: Op::Int(n),
        };
        let cast = (!is_cast && body.ty != Type::Bool).then(|| Cast {
            // The value is the expression's.
            value: number(Type::Int, 0),
            data_type: number(Type::DataType, ty.value.into()),
            rounding: Rounding::Either,
            overflow: if float { Overflow::Infinity } else { Overflow::Fits },
            nan: Nan::Refused,
        });
        Self {
            body,
            cast,
            is_whole: !float && body.ty != Type::Int,
        }
    }
}

impl Machine<'_> {
    /// The value of an expression as an output of this type has it.
    pub(crate) fn implicit(&self, of: &Implicit<'_>, ty: &DataType, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let mut value = self.eval(of.body, space, a)?;
        let Some(cast) = &of.cast else {
            return Ok(value);
        };
        if of.is_whole {
            value = self.int(of.body, of.body, &value, space.points, a)?;
        }
        self.cast_value(of.body, cast, &value, ty, space, a)
    }
}
