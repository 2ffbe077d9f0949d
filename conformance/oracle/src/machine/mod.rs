//! Evaluates a checked meaning for one descriptor and its inputs.
//!
//! An expression is evaluated for a block of points at once; each node of its tree is visited once a block. Points of
//! an inner form (a sum, a choice) are points of a space of their own, which knows the points around.

mod accumulate;
mod cast;
mod choose;
pub(crate) mod domain;
mod functions;
mod lists;
pub(crate) mod numeric;
pub(crate) mod open;
mod reduce;
mod scatter;
mod sequence;

use std::{borrow::Cow, cell::RefCell, rc::Rc};

use dml_spec::{
    desc::{Descriptor, Value as FieldValue},
    meaning::{Function, Meaning, Node, Op, typed::TensorRef},
    model::{Catalog, DataType, Operator},
    rule::typed::{Binary, Prop},
};
use smallvec::SmallVec;

use self::{domain::Domain, scatter::Targets};
pub(crate) use crate::fault::{Eval, Fault, fault};
use crate::tally::Sums;
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
    tally::Tally,
};

/// Points that are evaluated at once.
pub(crate) const BLOCK: usize = 512;

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
    /// For an activation that is fused: the elements that it is applied to.
    pub(crate) applied: Option<Value>,
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

    fn field(&self, node: &Node, field: usize, a: &Arithmetic) -> Eval {
        let Some(value) = self.descriptor.fields.get(field) else {
            return fault(node, "the descriptor has no such field");
        };
        let list = |items: Rc<[Value]>| Ok(Value::List(items));
        match value {
            FieldValue::UInt(value) if node.ty == dml_spec::meaning::Type::Bool => Ok(Value::truth(*value != 0)),
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

    fn scale_bias(&self, node: &Node, field: usize, part: u8, a: &Arithmetic) -> Eval {
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

    /// A list, if it is not too long.
    pub(crate) fn list(&self, node: &Node, items: impl Into<Rc<[Value]>>, points: usize) -> Eval {
        let list = Value::List(items.into());
        let (columns, width) = list.extent(crate::limits::MOST_ITEMS + 1);
        crate::limits::items(node, columns as i128)?;
        crate::limits::entries(node, points.max(1), width)?;
        Ok(list)
    }

    /// The places in their array of the tensors that a reference means, for each point.
    pub(crate) fn elements(&self, tensor: &TensorRef, space: &Rc<Space>, a: &Arithmetic) -> Eval<Ints> {
        match &tensor.element {
            Some(element) => self.ints(element, space, a),
            None => Ok(Ints::One(0)),
        }
    }

    fn prop(&self, node: &Node, tensor: &TensorRef, prop: Prop, space: &Rc<Space>, a: &Arithmetic) -> Eval {
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

    /// An intermediate at a point of its domain, for each point.
    fn definition(&self, node: &Node, at: usize, indices: &[Node], space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let kept = self.kept(node, at, a)?;
        let (store, domain) = (&kept.store, &kept.domain);
        if indices.is_empty() && domain.extents.is_empty() {
            return Ok(store.read(&Ints::One(0), space.points));
        }
        if let [index] = indices
            && let Some(run) = self.run_start(index, space, domain.extents.iter().copied())?
            && let Some(value) = store.read_run(run, space.points)
        {
            return Ok(value);
        }
        let mut parts: SmallVec<[(&Node, Ints); 5]> = SmallVec::new();
        for index in indices {
            match self.eval(index, space, a)? {
                Value::Int(ints) => parts.push((index, ints)),
                other => parts.extend(
                    self.vector(index, &other, space.points)?
                        .into_iter()
                        .map(|part| (index, part)),
                ),
            }
        }
        let place = self.place_within(node, domain, &parts, space.points)?;
        self.spread(&[place], space.points, |places, points, _| {
            Ok(store.read(places.first().unwrap_or(&Ints::One(0)), points))
        })
    }

    /// Where the variable that an index is begins to run through these extents, if it does: then nothing else is asked.
    pub(crate) fn run_start(
        &self,
        index: &Node,
        space: &Space,
        extents: impl ExactSizeIterator<Item = (i64, i64)>,
    ) -> Eval<Option<usize>> {
        let Op::Slot(slot) = index.op else { return Ok(None) };
        let Some(start) = space.run(slot, extents) else {
            return Ok(None);
        };
        self.arena.budget.enter(index, space.points)?;
        self.arena.budget.leave();
        Ok(Some(start))
    }

    /// The places of points of a domain, by their numbers.
    fn place_within(&self, node: &Node, domain: &Domain, parts: &[(&Node, Ints)], points: usize) -> Eval<Ints> {
        let extents = &domain.extents;
        if let Some((index, _)) = parts.get(extents.len()) {
            return fault(index, "the index has more numbers than the domain has dimensions");
        }
        if parts.len() < extents.len() {
            return fault(node, "the index has fewer numbers than the domain has dimensions");
        }
        let mut step = 1;
        let dimensions = parts.iter().zip(extents).rev().map(|((_, part), (from, size))| {
            let here = step;
            step *= *size;
            (part, *from, *size, here)
        });
        if let Some(places) = crate::load::places(dimensions, points) {
            return Ok(places);
        }
        let mut place = Ints::One(0);
        for ((index, part), (from, size)) in parts.iter().zip(extents) {
            place = self.nested_place(index, &place, part, (*from).into(), (*size).into(), points)?;
        }
        Ok(place)
    }

    /// Element `part` of dimension `from .. from + size` within rows that are known: `place * size + part - from`.
    fn nested_place(
        &self,
        node: &Node,
        place: &Ints,
        part: &Ints,
        from: i128,
        size: i128,
        points: usize,
    ) -> Eval<Ints> {
        let mut outside = None;
        let combined = self.whole2(node, place, part, points, |place, part| {
            let at = part.checked_sub(from).unwrap_or(-1);
            if at < 0 || at >= size {
                outside = Some(part);
                return (!self.arena.lenient).then_some(0);
            }
            Some(place * size + at)
        })?;
        match (outside, combined) {
            (Some(part), _) if !self.arena.lenient => {
                fault(node, format!("index {part} lies outside {from}..{}", from + size))
            }
            (_, Value::Int(ints)) => Ok(ints),
            _ => fault(node, "a whole number is needed here"),
        }
    }

    /// How many intermediates are kept.
    pub(crate) fn kept_count(&self) -> usize {
        self.kept.borrow().iter().filter(|store| store.is_some()).count()
    }

    /// An intermediate.
    fn kept(&self, node: &Node, at: usize, a: &Arithmetic) -> Eval<Rc<Kept>> {
        let known = self.kept.borrow().get(at).cloned().flatten();
        if let Some(kept) = known {
            return Ok(kept);
        }
        let Some(definition) = self.meaning.definitions.get(at) else {
            return fault(node, "there is no such intermediate");
        };
        let body = self.reading.definition(at).unwrap_or(&definition.body);
        let within = |in_head| Within::entry(self.operator, &definition.name, in_head);
        let domain = self.domain(&definition.domain, &self.alone, a);
        let domain = domain.map_err(|fault| fault.within(within(true)))?;
        let points = crate::limits::entries(node, domain.points().unwrap_or(usize::MAX), 1)?;
        let mut store: Option<Store> = None;
        let mut start = 0;
        while start < points {
            let count = BLOCK.min(points - start);
            let space = if definition.domain.is_empty() {
                Rc::clone(&self.alone)
            } else {
                domain.points_of(&definition.domain, start, count)
            };
            let value = self.eval(body, &space, a);
            let value = value.and_then(|value| self.plain_rows(body, value, count));
            let value = value.map_err(|fault| fault.within(self.variant_of(body).or_else(|| within(false))))?;
            let block = crate::store::keep(&value, count);
            let joined = match (store.take(), block) {
                (None, block) => block.map(|block| block.with_room(points - count)),
                (Some(before), Some(block)) => before.append(block),
                (Some(_), None) => None,
            };
            if joined.is_none() {
                let mixed = fault(body, "the values of an intermediate have to be of one kind and length");
                return mixed.map_err(|fault| fault.within(self.variant_of(body).or_else(|| within(false))));
            }
            store = joined;
            if let Some(Store::List(len, _)) = &store {
                crate::limits::entries(node, points, *len)?;
            }
            start += count;
        }
        let store = Rc::new(store.unwrap_or(Store::Int(Vec::new())));
        let kept = Rc::new(Kept { store, domain });
        if let Some(slot) = self.kept.borrow_mut().get_mut(at) {
            *slot = Some(Rc::clone(&kept));
        }
        Ok(kept)
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

    /// A sum times or divided by a factor, which may stand at each of its terms.
    fn scaled_sum(&self, node: &Node, op: Binary, sum: &Node, by: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let factor = self.eval(by, space, a)?;
        let own = [(false, sum.clone())];
        let terms: &[(bool, Node)] = match &sum.op {
            Op::Chain(terms) => terms,
            _ => &own,
        };
        match self.tallied(sum, terms, space, a)? {
            Sums::Value(total) => self.combine(node, op, (sum, &total), (by, &factor), space.points, a),
            Sums::Tallies(tallies) => {
                let factor = self.as_reals(by, &factor, space.points, a)?;
                let one = |(point, tally): (usize, &Tally)| tally.scaled(factor.get(point), op == Binary::Div, a);
                let totals = tallies.iter().enumerate().map(one).collect();
                Ok(Value::Real(self::numeric::tidy(totals)))
            }
        }
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

/// Whether an expression is a sum of many terms.
fn is_sum(node: &Node) -> bool {
    match &node.op {
        Op::Chain(_) => true,
        Op::Reduce(reduction) => reduction.kind == dml_spec::meaning::typed::Kind::Sum,
        _ => false,
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

fn property(node: &Node, desc: &dml_spec::desc::TensorDesc, prop: Prop) -> Eval {
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
