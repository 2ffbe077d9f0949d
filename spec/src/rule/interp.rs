//! Evaluates checked rules on a descriptor. Total: an undefined value is `None`; nothing panics or runs long.

pub use super::value::{Data, Env, List, Subject, Val};
use super::{
    arith::{div_floor, rem_floor},
    check::MAX_VARIABLES,
    typed::{Binary, Func, Node, Op, Prop, Quantifier, Type},
};
use crate::{
    desc::{Dims, TensorDesc, Value},
    layout,
};

/// Longest range of a quantifier and longest list it may make; beyond, it is undefined.
pub const MAX_RANGE: i128 = 4096;
/// Most numbers that quantifiers inside each other run through together; beyond, the inner one is undefined.
pub const MAX_NESTED: i128 = 1 << 20;

/// How many numbers a range of this length and those around it run through together, if these are not too many: `around`
/// is the same of those around.
#[inline]
pub fn nested(around: i128, length: i128) -> Option<i128> {
    let all = around.checked_mul(length.max(1))?;
    (all <= MAX_NESTED).then_some(all)
}

/// The numbers of a list, negative ones too, which rules have no lists of; `None` if it is undefined.
pub fn eval_numbers(node: &Node, env: &Env<'_>) -> Option<Vec<i128>> {
    let mut run = Run::new(env);
    match &node.op {
        Op::Quantified(Quantifier::List, from, to, body) => run.quantified(from, to, Vec::new(), |run, mut list| {
            list.push(run.int(body)?);
            Some((list, false))
        }),
        Op::ListOf(items) => items.iter().map(|item| run.int(item)).collect(),
        _ => run.list(node).map(|list| list.iter().collect()),
    }
}

/// The value of an expression; `None` if it is undefined.
pub fn eval<'a>(node: &Node, env: &Env<'a>) -> Option<Val<'a>> {
    let mut run = Run::new(env);
    match node.ty {
        Type::Bool => run.bool(node).map(Val::Bool),
        Type::Int | Type::DataType | Type::Enum(_) | Type::Level => run.int(node).map(Val::Int),
        Type::Float => run.float(node).map(Val::Float),
        Type::List => run.list(node).map(Val::List),
        Type::FloatList => run.floats(node).map(Val::FloatList),
        Type::Tensor => run.tensor(node)?.tensor.map(Val::Tensor),
        Type::Tensors => run.tensors(node).map(|(_, tensors)| Val::Tensors(tensors)),
        Type::Operator | Type::Operators | Type::ScaleBias => None,
    }
}

/// Whether a rule holds; an undefined one does not.
pub fn eval_bool(node: &Node, env: &Env<'_>) -> bool {
    Run::new(env).bool(node) == Some(true)
}

/// One evaluation: the environment and the values of the bound variables.
pub(super) struct Run<'e, 'a> {
    pub(super) env: &'e Env<'a>,
    variables: [i128; MAX_VARIABLES],
    bound: usize,
    /// How many numbers the quantifiers around run through together.
    around: i128,
}

impl<'e, 'a> Run<'e, 'a> {
    fn new(env: &'e Env<'a>) -> Self {
        Self {
            env,
            variables: [0; MAX_VARIABLES],
            bound: 0,
            around: 1,
        }
    }

    fn bool(&mut self, node: &Node) -> Option<bool> {
        match &node.op {
            Op::Bool(value) => Some(*value),
            Op::Field(index) => match self.value(*index)? {
                Value::UInt(value) => Some(*value != 0),
                _ => None,
            },
            Op::Not(a) => self.bool(a).map(|a| !a),
            Op::Binary(op, a, b) => self.binary_bool(*op, a, b),
            Op::In(value, members) => {
                let value = self.int(value)?;
                members
                    .iter()
                    .try_fold(false, |found, member| Some(found || self.int(member)? == value))
            }
            Op::If(condition, yes, no) => {
                let chosen = if self.bool(condition)? { yes } else { no };
                self.bool(chosen)
            }
            Op::Call(func, arguments) => self.call_bool(*func, arguments),
            Op::Quantified(quantifier, from, to, body) => {
                let stop = match quantifier {
                    Quantifier::All => false,
                    Quantifier::Any => true,
                    Quantifier::Sum | Quantifier::Product | Quantifier::List => return None,
                };
                let found = self.quantified(from, to, !stop, |run, _| {
                    let value = run.bool(body)?;
                    Some((value, value == stop))
                })?;
                Some(found)
            }
            _ => None,
        }
    }

    fn binary_bool(&mut self, op: Binary, a: &Node, b: &Node) -> Option<bool> {
        match op {
            Binary::And => return if self.bool(a)? { self.bool(b) } else { Some(false) },
            Binary::Or => return if self.bool(a)? { Some(true) } else { self.bool(b) },
            Binary::Implies => return if self.bool(a)? { self.bool(b) } else { Some(true) },
            _ => {}
        }
        match a.ty {
            Type::Int | Type::DataType | Type::Enum(_) | Type::Level => compare(op, &self.int(a)?, &self.int(b)?),
            Type::Float => compare(op, &self.float(a)?, &self.float(b)?),
            Type::Bool => equal(op, &self.bool(a)?, &self.bool(b)?),
            Type::List => equal(op, &self.list(a)?, &self.list(b)?),
            Type::FloatList => equal(op, self.floats(a)?, self.floats(b)?),
            Type::Tensor | Type::Tensors | Type::Operator | Type::Operators | Type::ScaleBias => None,
        }
    }

    pub(super) fn int(&mut self, node: &Node) -> Option<i128> {
        match &node.op {
            Op::Int(value) => Some(*value),
            Op::Level => Some(self.env.level.0.into()),
            Op::Field(index) => match self.value(*index)? {
                Value::UInt(value) => Some((*value).into()),
                Value::Int(value) => Some((*value).into()),
                _ => None,
            },
            Op::Var(depth) => self.variables.get(*depth).copied().filter(|_| *depth < self.bound),
            Op::Prop(tensor, prop) => {
                let tensor = self.tensor(tensor)?.tensor?;
                Some(match prop {
                    Prop::Type => tensor.tensor_type.into(),
                    Prop::DataType => tensor.data_type.into(),
                    Prop::Flags => tensor.flags.into(),
                    Prop::DimensionCount => tensor.dimension_count().into(),
                    Prop::TotalTensorSizeInBytes => tensor.total_tensor_size_in_bytes.into(),
                    Prop::GuaranteedBaseOffsetAlignment => tensor.guaranteed_base_offset_alignment.into(),
                    Prop::Sizes | Prop::Strides => return None,
                })
            }
            Op::Index(list, index) => {
                let list = self.list(list)?;
                list.get(usize::try_from(self.int(index)?).ok()?)
            }
            Op::NestedType(nested) => self.nested_type(nested),
            Op::Neg(a) => self.int(a)?.checked_neg(),
            Op::Binary(op, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                match op {
                    Binary::Add => a.checked_add(b),
                    Binary::Sub => a.checked_sub(b),
                    Binary::Mul => a.checked_mul(b),
                    Binary::Div => div_floor(a, b),
                    Binary::Rem => rem_floor(a, b),
                    _ => None,
                }
            }
            Op::If(condition, yes, no) => {
                let chosen = if self.bool(condition)? { yes } else { no };
                self.int(chosen)
            }
            Op::Call(func, arguments) => self.call_int(*func, arguments),
            Op::Quantified(Quantifier::Sum, from, to, body) => self.quantified(from, to, 0, |run, sum: i128| {
                Some((sum.checked_add(run.int(body)?)?, false))
            }),
            Op::Quantified(Quantifier::Product, from, to, body) => {
                self.quantified(from, to, 1, |run, product: i128| {
                    Some((product.checked_mul(run.int(body)?)?, false))
                })
            }
            _ => None,
        }
    }

    fn float(&mut self, node: &Node) -> Option<f64> {
        match &node.op {
            Op::Float(value) => Some(*value),
            Op::Field(index) => match self.value(*index)? {
                Value::Float(value) => Some((*value).into()),
                _ => None,
            },
            Op::ScaleBiasPart(field, part) => match &field.op {
                Op::Field(index) => match self.value(*index)? {
                    Value::ScaleBias(Some((scale, bias))) => Some(f64::from(if *part == 0 { *scale } else { *bias })),
                    _ => None,
                },
                _ => None,
            },
            Op::Index(list, index) => {
                let list = self.floats(list)?;
                list.get(usize::try_from(self.int(index)?).ok()?).map(|v| f64::from(*v))
            }
            Op::Neg(a) => self.float(a).map(|a| -a),
            Op::Binary(op, a, b) => {
                let (a, b) = (self.float(a)?, self.float(b)?);
                match op {
                    Binary::Add => Some(a + b),
                    Binary::Sub => Some(a - b),
                    Binary::Mul => Some(a * b),
                    Binary::Div => (b != 0.0).then(|| a / b),
                    _ => None,
                }
            }
            Op::If(condition, yes, no) => {
                let chosen = if self.bool(condition)? { yes } else { no };
                self.float(chosen)
            }
            _ => None,
        }
    }

    pub(super) fn list(&mut self, node: &Node) -> Option<List<'a>> {
        match &node.op {
            Op::Field(index) => match self.value(*index)? {
                Value::UInts(list) => Some(List::Unsigned(list.as_deref()?)),
                Value::Ints(list) => Some(List::Signed(list.as_deref()?)),
                Value::Size2D(width, height) => Some(List::Made(Dims::from_slice(&[*width, *height]))),
                _ => None,
            },
            Op::Prop(tensor, prop) => {
                let tensor = self.tensor(tensor)?.tensor?;
                let list = match prop {
                    Prop::Sizes => tensor.sizes.as_deref(),
                    Prop::Strides => tensor.strides.as_deref(),
                    _ => None,
                };
                list.map(List::Unsigned)
            }
            Op::ListOf(items) => {
                let items: Option<Dims> = items.iter().map(|item| u32::try_from(self.int(item)?).ok()).collect();
                items.map(List::Made)
            }
            Op::With(list, index, value) => {
                let mut list = self.list(list)?.to_dims()?;
                let index = usize::try_from(self.int(index)?).ok()?;
                *list.get_mut(index)? = u32::try_from(self.int(value)?).ok()?;
                Some(List::Made(list))
            }
            Op::If(condition, yes, no) => {
                let chosen = if self.bool(condition)? { yes } else { no };
                self.list(chosen)
            }
            Op::Call(Func::LayoutStrides, arguments) => {
                let tensor = self.tensor(arguments.first()?)?.tensor?;
                match &tensor.strides {
                    Some(strides) => Some(List::Unsigned(strides)),
                    None => layout::packed_strides(tensor.sizes.as_deref()?).map(List::Made),
                }
            }
            Op::Quantified(Quantifier::List, from, to, body) => {
                let list = self.quantified(from, to, Dims::new(), |run, mut list| {
                    list.push(u32::try_from(run.int(body)?).ok()?);
                    Some((list, false))
                })?;
                Some(List::Made(list))
            }
            _ => None,
        }
    }

    pub(super) fn floats(&mut self, node: &Node) -> Option<&'a [f32]> {
        match &node.op {
            Op::Field(index) => match self.value(*index)? {
                Value::Floats(list) => list.as_deref(),
                _ => None,
            },
            Op::If(condition, yes, no) => {
                let chosen = if self.bool(condition)? { yes } else { no };
                self.floats(chosen)
            }
            _ => None,
        }
    }

    /// The place of a tensor and the tensor, if it is present. `None` if there is no such place.
    pub(super) fn tensor(&mut self, node: &Node) -> Option<Subject<'a>> {
        match &node.op {
            Op::Subject => self.env.subject,
            Op::Field(field) => match self.value(*field)? {
                Value::Tensor(tensor) => Some(Subject {
                    field: *field,
                    element: 0,
                    tensor: tensor.as_ref(),
                }),
                _ => None,
            },
            Op::Element(tensors, index) => {
                let (field, tensors) = self.tensors(tensors)?;
                let element = usize::try_from(self.int(index)?).ok()?;
                Some(Subject {
                    field,
                    element,
                    tensor: Some(tensors.get(element)?),
                })
            }
            _ => None,
        }
    }

    pub(super) fn tensors(&mut self, node: &Node) -> Option<(usize, &'a [TensorDesc])> {
        match &node.op {
            Op::Field(field) => match self.value(*field)? {
                Value::Tensors(tensors) => Some((*field, tensors.as_deref()?)),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn value(&self, field: usize) -> Option<&'a Value> {
        self.env.descriptor.fields.get(field)
    }

    /// Folds `body` over the range; `body` returns the next value and whether to stop. Undefined if a bound or a body
    /// is, or if the range is longer than [`MAX_RANGE`], or with those around than [`MAX_NESTED`].
    fn quantified<T>(
        &mut self,
        from: &Node,
        to: &Node,
        start: T,
        mut body: impl FnMut(&mut Self, T) -> Option<(T, bool)>,
    ) -> Option<T> {
        let (from, to) = (self.int(from)?, self.int(to)?);
        let length = to.checked_sub(from)?;
        if length > MAX_RANGE {
            return None;
        }
        let (slot, around) = (self.bound, self.around);
        self.variables.get(slot)?;
        self.around = nested(around, length)?;
        self.bound += 1;
        let mut folded = Some(start);
        for value in from..to {
            if let Some(variable) = self.variables.get_mut(slot) {
                *variable = value;
            }
            match folded.and_then(|before| body(self, before)) {
                Some((after, false)) => folded = Some(after),
                Some((after, true)) => {
                    folded = Some(after);
                    break;
                }
                None => {
                    folded = None;
                    break;
                }
            }
        }
        (self.bound, self.around) = (slot, around);
        folded
    }
}

fn compare<T: PartialOrd>(op: Binary, a: &T, b: &T) -> Option<bool> {
    match op {
        Binary::Lt => Some(a < b),
        Binary::Le => Some(a <= b),
        Binary::Gt => Some(a > b),
        Binary::Ge => Some(a >= b),
        _ => equal(op, a, b),
    }
}

fn equal<T: PartialEq + ?Sized>(op: Binary, a: &T, b: &T) -> Option<bool> {
    match op {
        Binary::Eq => Some(a == b),
        Binary::Ne => Some(a != b),
        _ => None,
    }
}
