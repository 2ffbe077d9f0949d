//! Expressions made of others.

use dml_spec::{
    meaning::{
        Function, Node, Op, Type,
        typed::{Bound, Cast, Kind, Nan, Overflow, Reduction, Rounding, TensorRef},
    },
    rule::typed::{Binary, Prop},
};

/// A node of this type at the place of another.
pub(super) fn node(at: &Node, ty: Type, op: Op) -> Node {
    Node {
        ty,
        span: at.span.clone(),
        op,
    }
}

/// The same node with another operation.
pub(super) fn with(at: &Node, op: Op) -> Node {
    node(at, at.ty.clone(), op)
}

/// A whole number.
pub(super) fn int(at: &Node, value: i128) -> Node {
    node(at, Type::Int, Op::Int(value))
}

/// A variable.
pub(super) fn slot(at: &Node, ty: Type, slot: usize) -> Node {
    node(at, ty, Op::Slot(slot))
}

/// `x op y`, of whole numbers or vectors.
pub(super) fn binary(op: Binary, x: Node, y: Node) -> Node {
    node(&x.clone(), x.ty.clone(), Op::Binary(op, Box::new(x), Box::new(y)))
}

/// `x + n`.
pub(super) fn plus(x: &Node, n: i128) -> Node {
    let op = if n < 0 { Binary::Sub } else { Binary::Add };
    binary(op, x.clone(), int(x, n.abs()))
}

/// `x == y` and the like.
pub(super) fn compare(op: Binary, x: Node, y: Node) -> Node {
    node(&x.clone(), Type::Bool, Op::Compare(op, Box::new(x), Box::new(y)))
}

/// A function of numbers.
pub(super) fn call(function: Function, ty: Type, arguments: Vec<Node>) -> Option<Node> {
    let at = arguments.first()?.clone();
    Some(node(&at, ty, Op::Call(function, arguments)))
}

/// `list[index]`.
pub(super) fn at(list: &Node, index: Node) -> Node {
    node(list, Type::Int, Op::At(Box::new(list.clone()), Box::new(index)))
}

/// `vector with [index] = value`.
pub(super) fn replaced(vector: &Node, index: Node, value: Node) -> Node {
    with(
        vector,
        Op::With(Box::new(vector.clone()), Box::new(index), Box::new(value)),
    )
}

/// `let variable = value in body`.
pub(super) fn bound(variable: usize, value: Node, body: Node) -> Node {
    node(
        &body.clone(),
        body.ty.clone(),
        Op::Let(variable, Box::new(value), Box::new(body)),
    )
}

/// `tensor.Sizes`, `tensor.DimensionCount`.
pub(super) fn prop(at: &Node, tensor: &TensorRef, prop: Prop) -> Node {
    let ty = if prop == Prop::Sizes { Type::vector() } else { Type::Int };
    node(at, ty, Op::Prop(tensor.clone(), prop))
}

/// A number brought to a data type: floats are rounded to nearest, whole numbers are taken modulo.
pub(super) fn cast(value: &Node, data_type: u32, rounding: Rounding, overflow: Overflow) -> Node {
    let data_type = node(value, Type::DataType, Op::Int(data_type.into()));
    cast_to(value, data_type, rounding, overflow)
}

/// The same, to a data type that an expression gives.
pub(super) fn cast_to(value: &Node, data_type: Node, rounding: Rounding, overflow: Overflow) -> Node {
    let cast = Cast {
        value: value.clone(),
        data_type,
        rounding,
        overflow,
        nan: Nan::Refused,
    };
    with(value, Op::Cast(Box::new(cast)))
}

/// `variable in from..to`.
pub(super) fn range(variable: usize, from: Node, to: Node) -> Bound {
    Bound {
        slot: variable,
        from,
        to: Some(to),
    }
}

/// `form(ranges: body) else otherwise`.
pub(super) fn reduction(
    at: &Node,
    ty: Type,
    (kind, binders): (Kind, Vec<Bound>),
    body: Node,
    otherwise: Option<Node>,
) -> Node {
    let reduction = Reduction {
        kind,
        binders,
        filter: None,
        body: Some(body),
        otherwise,
    };
    node(at, ty, Op::Reduce(Box::new(reduction)))
}

/// `if condition then yes else no`.
pub(super) fn choice(condition: Node, yes: Node, no: Node) -> Node {
    node(
        &yes.clone(),
        yes.ty.clone(),
        Op::If(Box::new(condition), Box::new(yes), Box::new(no)),
    )
}

/// `x + y`, of numbers of any type.
pub(super) fn sum(x: Node, y: Node) -> Node {
    if x.ty == Type::Int {
        return binary(Binary::Add, x, y);
    }
    node(&x.clone(), x.ty.clone(), Op::Chain(vec![(false, x), (false, y)]))
}

/// `list(variable in 0..count: body)`.
pub(super) fn list(variable: usize, count: Node, body: Node) -> Node {
    let reduction = Reduction {
        kind: Kind::List,
        binders: vec![Bound {
            slot: variable,
            from: int(&count, 0),
            to: Some(count),
        }],
        filter: None,
        body: Some(body.clone()),
        otherwise: None,
    };
    node(&body.clone(), Type::vector(), Op::Reduce(Box::new(reduction)))
}

/// `tensor.DataType == type`.
pub(super) fn has_type(of: &Node, tensor: &TensorRef, data_type: u32) -> Node {
    let own = node(of, Type::DataType, Op::Prop(tensor.clone(), Prop::DataType));
    compare(Binary::Eq, own, node(of, Type::DataType, Op::Int(data_type.into())))
}
