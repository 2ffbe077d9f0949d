//! Evaluates a checked meaning for one descriptor and its inputs.
//!
//! An expression is evaluated for a block of points at once; each node of its tree is visited once a block. Points of
//! an inner form (a sum, a choice) are points of a space of their own, which knows the points around.

mod accumulate;
mod cast;
mod choose;
mod definitions;
pub(crate) mod domain;
mod fields;
mod functions;
mod lists;
mod merge;
mod nested;
pub(crate) mod numeric;
pub(crate) mod open;
mod reduce;
mod scatter;
mod sequence;

use std::{borrow::Cow, cell::RefCell, rc::Rc};

use dml_spec::{
    desc::{Descriptor, Value as FieldValue},
    meaning::{Function, Meaning, Node, Op},
    model::{Catalog, DataType, Operator},
    rule::typed::Binary,
};
use smallvec::SmallVec;

use self::{domain::Domain, numeric::is_sum, scatter::Targets};
pub(crate) use crate::fault::{Eval, Fault, fault};

use crate::{
    arena::Arena,
    column::{Bools, Ints, Reals, Store, Truth, Value},
    fault::Within,
    format::Format,
    library::Library,
    load::Tensor,
    reading::Reading,
    real::{Arithmetic, Real},
    space::Space,
};

/// Points that are evaluated at once.
pub(crate) const BLOCK: usize = 512;

/// The variable that the operand of a fused activation is bound to; no meaning has one of this number.
pub(crate) const FUSED: usize = usize::MAX;

/// The values of an intermediate, one for each point of its domain.
pub(crate) struct Kept {
    pub(crate) store: Rc<Store>,
    pub(crate) domain: Domain,
}

/// A meaning, a descriptor and its inputs.
pub(crate) struct Machine<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) meanings: &'a dyn Library,
    pub(crate) operator: &'a Operator,
    pub(crate) meaning: &'a Meaning,
    pub(crate) descriptor: &'a Descriptor,
    /// The input tensors of each field, as they are given.
    pub(crate) given: &'a [Vec<Tensor>],
    /// The same, with what clauses leave open.
    pub(crate) inputs: Cow<'a, [Vec<Tensor>]>,
    /// The intermediates, computed when they are first asked for.
    pub(crate) kept: RefCell<Vec<Option<Rc<Kept>>>>,
    pub(crate) targets: RefCell<Vec<Option<Rc<Targets>>>>,
    pub(crate) arena: &'a Arena,
    /// One point that lies in no others: for what is the same for all elements.
    pub(crate) alone: Rc<Space>,
    /// Of an activation that is fused: what it is applied to is bound as [`FUSED`].
    pub(crate) is_fused: bool,
    /// The format that a state or a fused operand may be rounded to on the way.
    pub(crate) narrowed: Option<Format>,
    /// How clauses are read.
    pub(crate) reading: Reading<'a>,
}

impl<'a> Machine<'a> {
    /// The format of a data type, if it is floating point.
    pub(crate) fn format(&self, ty: &DataType) -> Option<Format> {
        Format::of(ty).map(|format| self.reading.format(format))
    }

    /// The text of a variant that an expression is; `None` if it is the meaning's own.
    pub(crate) fn variant_of(&self, body: &Node) -> Option<Within> {
        self.reading.place(self.operator, self.meaning, body)
    }

    /// The value of an expression, within what the evaluation may take.
    pub(crate) fn eval(&self, node: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        self.arena.budget.enter(node, space.points)?;
        // Handed on as it is: values are large.
        let value = self.value(node, space, a);
        self.arena.budget.leave();
        if value.is_ok() && self.arena.is_crowded() {
            return fault(
                node,
                format!("rounding leaves more than {} whole numbers", crate::arena::MOST),
            );
        }
        value
    }

    fn value(&self, node: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        match &node.op {
            Op::Bool(value) => Ok(Value::truth(*value)),
            Op::Int(value) => Ok(Value::int(*value)),
            Op::Real(value) => Ok(Value::Real(Reals::One(literal(*value, a)))),
            Op::Field(field) => self.field(node, *field, a),
            Op::ScaleBiasPart(field, part) => self.scale_bias(node, *field, *part, a),
            Op::Tensor(_) => fault(node, "a tensor is no value"),
            Op::Prop(tensor, prop) => self.prop(node, tensor, *prop, space, a),
            Op::Slot(slot) => match space.lookup(*slot) {
                Some(value) => Ok(value),
                None => fault(node, "the variable is not bound here"),
            },
            Op::Definition(at, indices) => self.definition(node, *at, indices, space, a),
            Op::Read(tensor, index) => self.read(node, tensor, index, space, a),
            Op::Raw(tensor, offset, otherwise) => self.raw(node, tensor, offset, otherwise, space, a),
            Op::List(items) => {
                let items: Eval<SmallVec<[Value; 5]>> = items.iter().map(|item| self.eval(item, space, a)).collect();
                self.list(node, &items?[..], space.points)
            }
            Op::At(list, index) => self.at(node, list, index, space, a),
            Op::Slice(list, from, to) => self.slice(node, list, from, to, space, a),
            Op::With(list, index, value) => self.replaced(node, list, index, value, space, a),
            Op::Not(of) => {
                let truths = self.bools(of, space, a)?;
                Ok(Value::Bool(self.truths(&truths, space.points, Truth::not)))
            }
            Op::Neg(of) => self.negated(node, of, space, a),
            Op::BitNot(of) => {
                let ints = self.ints(of, space, a)?;
                let negated = |value: i128, _| Some(!value);
                self.whole2(node, &ints, &Ints::One(0), space.points, negated)
            }
            Op::Binary(op, x, y) => self.binary(node, *op, x, y, space, a),
            Op::Chain(terms) => self.chain(node, terms, space, a),
            Op::Bits(op, x, y) => self.bits(node, *op, x, y, space, a),
            Op::Compare(op, x, y) => self.compare(node, *op, x, y, space, a),
            Op::Logic(op, x, y) => self.logic(*op, x, y, space, a),
            Op::In(value, members) => self.member(value, members, space, a),
            Op::If(condition, yes, no) => self.choose(node, condition, yes, no, space, a),
            Op::Let(slot, value, body) => self.bind(node, *slot, value, body, space, a),
            Op::InType(data_type, body) => {
                let format = self.format(&self.data_type(data_type, space, a)?);
                let Some(format) = format else {
                    return self.eval(body, space, a);
                };
                let value = self.eval(body, space, &Arithmetic { format, ..*a })?;
                Ok(self.brought_back(value, &format, space.points, a))
            }
            Op::Call(function, arguments) => self.call(node, *function, arguments, space, a),
            Op::Present(field) => Ok(Value::truth(self.is_present(*field))),
            Op::Cast(cast) => self.cast(node, cast, space, a),
            Op::Open(clause, among) => self.open(*clause, among, space, a),
            Op::Either(ways) => self.either(node, ways, space, a),
            Op::Continuous(of) => self.continuous(of, space, a),
            Op::Granted(_, of) => self.eval(of, space, &Arithmetic { granted: true, ..*a }),
            Op::Apply(operator, value) => self.apply(node, operator, value, space, a),
            Op::Reduce(reduction) => self.reduce(node, reduction, space, a),
        }
    }

    pub(crate) fn ints(&self, node: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval<Ints> {
        let ints = match self.eval(node, space, a)? {
            Value::Int(ints) => Some(ints),
            Value::Real(reals) => self.opened_ints(&reals, space.points),
            _ => None,
        };
        match ints {
            Some(ints) => Ok(ints),
            None => fault(node, "a whole number is needed here, and this is real"),
        }
    }

    /// Elements that are all open, as whole numbers.
    pub(crate) fn opened_ints(&self, reals: &Reals, points: usize) -> Option<Ints> {
        let one = |point| crate::column::Whole {
            open: reals.get(point).open,
            ..crate::column::Whole::exact(0)
        };
        let all = (0..points).all(|point| reals.get(point).open != 0);
        all.then(|| Ints::collect((0..points.max(1)).map(one).collect()))
    }

    pub(crate) fn reals(&self, node: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval<Reals> {
        let value = self.eval(node, space, a)?;
        self.as_reals(node, &value, space.points, a)
    }

    pub(crate) fn bools(&self, node: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval<Bools> {
        match self.eval(node, space, a)? {
            Value::Bool(bools) => Ok(bools),
            _ => fault(node, "a truth value is needed here"),
        }
    }

    /// A whole number that is the same for all points.
    pub(crate) fn one(&self, node: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval<i128> {
        match self.ints(node, space, a)?.uniform() {
            Some(value) => Ok(value),
            None => fault(node, "this has to be one number for all elements"),
        }
    }

    pub(crate) fn data_type(&self, node: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval<DataType> {
        let value = self.one(node, space, a)?;
        let found = u32::try_from(value)
            .ok()
            .and_then(|value| self.catalog.data_type(value));
        match found {
            Some(data_type) => Ok(data_type.clone()),
            None => fault(node, format!("{value} is no data type")),
        }
    }

    /// A list, if it is not too long.
    pub(crate) fn list(&self, node: &Node, items: impl Into<Rc<[Value]>>, points: usize) -> Eval {
        let list = Value::List(items.into());
        let (columns, width) = list.extent(crate::limits::MOST_ITEMS + 1);
        crate::limits::items(node, columns as i128)?;
        crate::limits::entries(node, points.max(1), width)?;
        Ok(list)
    }

    pub(crate) fn truths(&self, of: &Bools, points: usize, change: impl Fn(Truth) -> Truth) -> Bools {
        match of {
            Bools::One(truth) => Bools::One(change(*truth)),
            Bools::Many(_) => Bools::collect((0..points).map(|point| change(of.get(point))).collect()),
        }
    }

    fn negated(&self, node: &Node, of: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        match self.eval(of, space, a)? {
            Value::Int(ints) => self.whole2(node, &Ints::One(0), &ints, space.points, i128::checked_sub),
            other => {
                let reals = self.as_reals(of, &other, space.points, a)?;
                Ok(Value::Real(self.real1(&reals, space.points, Real::neg)))
            }
        }
    }

    /// What an arithmetic of a format of its own gives to one that is narrower: each number as it is, or rounded.
    fn brought_back(&self, value: Value, format: &Format, points: usize, a: &Arithmetic) -> Value {
        let Value::Real(reals) = &value else {
            return value;
        };
        if format.bits <= a.format.bits || !a.half {
            return value;
        }
        let back = |real: Real| {
            let real = real.settled(format);
            if real.open != 0 || real.is_exact() && a.format.holds(real.value) {
                real
            } else {
                real.with(crate::real::PENDING).ranged(a)
            }
        };
        Value::Real(self.real1(reals, points, back))
    }

    /// A binary operation that is no sum of reals.
    fn binary(&self, node: &Node, op: Binary, x: &Node, y: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        if matches!(op, Binary::Mul | Binary::Div) && is_sum(x) {
            return self.scaled_sum(node, op, x, y, space, a);
        }
        if op == Binary::Mul && is_sum(y) {
            return self.scaled_sum(node, op, y, x, space, a);
        }
        let (left, right) = (self.eval(x, space, a)?, self.eval(y, space, a)?);
        if node.ty.is_vector() {
            return self.by_dimension(node, op, (x, &left), (y, &right), space.points, a);
        }
        self.combine(node, op, (x, &left), (y, &right), space.points, a)
    }

    /// Arithmetic of index vectors, dimension by dimension.
    fn by_dimension(
        &self,
        node: &Node,
        op: Binary,
        x: (&Node, &Value),
        y: (&Node, &Value),
        points: usize,
        a: &Arithmetic,
    ) -> Eval {
        let (left, right) = (self.items(x.0, x.1, points)?, self.items(y.0, y.1, points)?);
        if left.len() != right.len() {
            return fault(
                node,
                format!("the lists have {} and {} numbers", left.len(), right.len()),
            );
        }
        let pairs = left.iter().zip(right.iter());
        let items: Eval<SmallVec<[Value; 5]>> = pairs
            .map(|(l, r)| self.combine(node, op, (x.0, l), (y.0, r), points, a))
            .collect();
        Ok(Value::List(Rc::from(&items?[..])))
    }

    fn call(&self, node: &Node, function: Function, arguments: &[Node], space: &Rc<Space>, a: &Arithmetic) -> Eval {
        if function == Function::Count
            && let [
                Node {
                    op: Op::Field(field), ..
                },
            ] = arguments
            && let Some(FieldValue::Tensors(Some(tensors))) = self.descriptor.fields.get(*field)
        {
            return Ok(Value::int(tensors.len() as i128));
        }
        if function == Function::Contains
            && let [list, sought @ Node { op: Op::Slot(_), .. }] = arguments
            && let Some(list) = self.held(list)
            && let Some(sought) = self.ints(sought, space, a)?.uniform()
        {
            return Ok(Value::truth(list.iter().any(|item| i128::from(*item) == sought)));
        }
        let values: Eval<SmallVec<[Value; 2]>> =
            arguments.iter().map(|argument| self.eval(argument, space, a)).collect();
        self.function(node, function, arguments, &values?, space.points, a)
    }
}

/// A literal, which implementations have rounded to their type.
fn literal(value: f64, a: &Arithmetic) -> Real {
    let real = Real::exact(value);
    if a.format.holds(value) {
        real
    } else {
        real.with(crate::real::PENDING).ranged(a)
    }
}
