//! The parts of an expression, in an order that is the same for equal expressions.

use super::typed::{Cast, Kind, Nan, Node, Op, Reduction, Scatter, TensorRef};

/// Lists the parts of an operation; shared or mutable, as the operation is.
macro_rules! parts {
    ($op:expr, $($mutable:tt)?) => {{
        let mut parts: Vec<& $($mutable)? Node> = Vec::new();
        match $op {
            Op::Bool(_) | Op::Int(_) | Op::Real(_) | Op::Field(_) | Op::ScaleBiasPart(..) | Op::Slot(_) | Op::Present(_) => {}
            Op::Tensor(tensor) | Op::Prop(tensor, _) => parts!(@tensor parts, tensor, $($mutable)?),
            Op::Definition(_, all) | Op::List(all) | Op::Call(_, all) | Op::Open(_, all) | Op::Either(all) => {
                parts.extend(all);
            }
            Op::Read(tensor, index) => {
                parts!(@tensor parts, tensor, $($mutable)?);
                parts.push(index);
            }
            Op::Raw(tensor, x, y) => {
                parts!(@tensor parts, tensor, $($mutable)?);
                parts.extend([& $($mutable)? **x, & $($mutable)? **y]);
            }
            Op::Slice(x, y, z) | Op::With(x, y, z) | Op::If(x, y, z) => {
                parts.extend([& $($mutable)? **x, & $($mutable)? **y, & $($mutable)? **z]);
            }
            Op::Not(x) | Op::Neg(x) | Op::BitNot(x) | Op::Continuous(x) | Op::Granted(_, x) => parts.push(x),
            Op::At(x, y)
            | Op::Binary(_, x, y)
            | Op::Bits(_, x, y)
            | Op::Compare(_, x, y)
            | Op::Logic(_, x, y)
            | Op::Let(_, x, y)
            | Op::InType(x, y)
            | Op::Apply(x, y) => parts.extend([& $($mutable)? **x, & $($mutable)? **y]),
            Op::Chain(terms) => parts.extend(terms.into_iter().map(|(_, term)| term)),
            Op::In(x, all) => {
                parts.push(x);
                parts.extend(all);
            }
            Op::Cast(cast) => {
                let Cast { value, data_type, nan, .. } = & $($mutable)? **cast;
                parts.extend([value, data_type]);
                if let Nan::Value(value) = nan {
                    parts.push(value);
                }
            }
            Op::Reduce(reduction) => {
                let Reduction { kind, binders, filter, body, otherwise } = & $($mutable)? **reduction;
                match kind {
                    Kind::Order(direction) => parts.extend(direction),
                    Kind::Scan(_, start) => parts.push(start),
                    Kind::Scatter(Scatter { to, .. }) | Kind::ScatterCount(Scatter { to, .. }) => parts.push(to),
                    _ => {}
                }
                for bound in binders {
                    parts.push(& $($mutable)? bound.from);
                    parts.extend(& $($mutable)? bound.to);
                }
                parts.extend(filter);
                parts.extend(body);
                parts.extend(otherwise);
            }
        }
        parts
    }};
    (@tensor $parts:ident, $tensor:ident, $($mutable:tt)?) => {{
        let TensorRef { element, .. } = $tensor;
        if let Some(element) = element {
            $parts.push(& $($mutable)? **element);
        }
    }};
}

impl Node {
    /// The parts of the expression.
    pub fn parts(&self) -> Vec<&Self> {
        parts!(&self.op,)
    }

    /// The parts of the expression, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Self> {
        parts!(&mut self.op, mut)
    }
}
