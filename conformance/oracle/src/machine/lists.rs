//! Lists, index vectors, and elements of tensors by index.

use std::{borrow::Cow, rc::Rc};

use dml_spec::meaning::{Node, Op, typed::TensorRef};
use smallvec::smallvec;

use super::{Eval, FUSED, Machine, fault};
use crate::{
    column::{Columns, Ints, Reals, Row, Value, Whole},
    real::{Arithmetic, Real},
    space::Space,
};

impl Machine<'_> {
    /// The columns of an index vector.
    pub(crate) fn vector(&self, node: &Node, value: &Value, points: usize) -> Eval<Columns> {
        let items = self.items(node, value, points)?;
        let one = |item: &Value| match item {
            Value::Int(ints) => Ok(ints.clone()),
            // An element that is open stands for a whole number as well.
            Value::Real(reals) => match self.opened_ints(reals, points) {
                Some(ints) => Ok(ints),
                None => fault(node, "a list of whole numbers is needed here"),
            },
            _ => fault(node, "a list of whole numbers is needed here"),
        };
        items.iter().map(one).collect()
    }

    /// The elements of a list, each a column.
    pub(crate) fn items<'v>(&self, node: &Node, value: &'v Value, points: usize) -> Eval<Cow<'v, [Value]>> {
        match value {
            Value::List(items) => Ok(Cow::Borrowed(items)),
            Value::Row(row) => (0..crate::limits::items(node, row.len as i128)?)
                .map(|i| self.row_item(node, row, &Ints::One(i as i128), points))
                .collect::<Eval<Vec<Value>>>()
                .map(Cow::Owned),
            _ => fault(node, "a list is needed here"),
        }
    }

    /// Rows of which each point has one as a value; what is put away in a store has no other.
    pub(crate) fn plain_rows(&self, node: &Node, value: Value, points: usize) -> Eval {
        match &value {
            Value::Row(row) if !row.row.is_plain() => self.list(node, self.items(node, &value, points)?, points),
            _ => Ok(value),
        }
    }

    /// Element `index` of rows.
    fn row_item(&self, node: &Node, row: &Row, index: &Ints, points: usize) -> Eval {
        let len = row.len as i128;
        let dimensions = [(&row.row, 0, i64::MAX, row.len as i64), (index, 0, row.len as i64, 1)];
        if let Some(place) = crate::load::places(dimensions.into_iter(), points) {
            return Ok(row.store.read(&place, points));
        }
        let mut outside = None;
        let place = self.whole2(node, &row.row, index, points, |row, index| {
            if index < 0 || index >= len {
                outside = Some(index);
                return (!self.arena.lenient).then_some(0);
            }
            Some(row * len + index)
        })?;
        if let (Some(index), false) = (outside, self.arena.lenient) {
            return fault(node, format!("index {index} lies outside a list of {len}"));
        }
        let Value::Int(place) = place else {
            return fault(node, "a whole number is needed here");
        };
        self.spread(&[place], points, |places, points, _| {
            Ok(row.store.read(places.first().unwrap_or(&Ints::One(0)), points))
        })
    }

    pub(crate) fn at(&self, node: &Node, list: &Node, index: &Node, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        // One size needs no list of all.
        if let (Some(held), Op::Slot(_) | Op::Field(_)) = (self.held(list), &index.op)
            && let Some(at) = self.ints(index, space, a)?.uniform()
            && let Some(size) = usize::try_from(at).ok().and_then(|at| held.get(at))
        {
            return Ok(Value::int((*size).into()));
        }
        let of = self.eval(list, space, a)?;
        let index = self.ints(index, space, a)?;
        match &of {
            Value::Row(row) => self.row_item(node, row, &index, space.points),
            Value::Operator(field, _) => Ok(Value::Operator(*field, index)),
            Value::List(items) => match index.uniform() {
                Some(index) => match usize::try_from(index).ok().and_then(|index| items.get(index)) {
                    Some(item) => Ok(item.clone()),
                    None if self.arena.lenient => Ok(Value::unknown()),
                    None => fault(node, format!("index {index} lies outside a list of {}", items.len())),
                },
                None => self.picked(node, items, &index, space.points),
            },
            _ => fault(node, "a list is needed here"),
        }
    }

    /// An element of a list that differs from point to point.
    fn picked(&self, node: &Node, items: &[Value], index: &Ints, points: usize) -> Eval {
        self.spread(std::slice::from_ref(index), points, |indices, points, of| {
            let index = indices.first().unwrap_or(&Ints::One(0));
            let mut parts: Vec<Vec<u32>> = vec![Vec::new(); items.len()];
            let mut open = vec![0_u16; points];
            for (point, open) in open.iter_mut().enumerate() {
                let at = index.get(point).value;
                match usize::try_from(at).ok().and_then(|at| parts.get_mut(at)) {
                    Some(part) => part.push(point as u32),
                    None if self.arena.lenient => *open = crate::real::WILDCARD + 1,
                    None => return fault(node, format!("index {at} lies outside a list of {}", items.len())),
                }
            }
            let parts = parts.into_iter().zip(items).filter(|(part, _)| !part.is_empty());
            let parts: Vec<(Vec<u32>, Value)> = parts
                .map(|(part, item)| {
                    let item = match of {
                        None if part.len() == points => item.clone(),
                        _ => item.gather(&within(of, &part)),
                    };
                    (part, item)
                })
                .collect();
            self.joined(node, &parts, &open)
        })
    }

    pub(crate) fn slice(
        &self,
        node: &Node,
        list: &Node,
        from: &Node,
        to: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let list_value = self.eval(list, space, a)?;
        let items = self.items(list, &list_value, space.points)?;
        let (from, to) = (self.one(from, space, a)?, self.one(to, space, a)?);
        let range = usize::try_from(from).ok().zip(usize::try_from(to.max(from)).ok());
        match range.and_then(|(from, to)| items.get(from..to)) {
            Some(part) => Ok(Value::List(part.into())),
            None => fault(node, format!("{from}..{to} is no part of a list of {}", items.len())),
        }
    }

    pub(crate) fn replaced(
        &self,
        node: &Node,
        list: &Node,
        index: &Node,
        value: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let list_value = self.eval(list, space, a)?;
        let items = self.items(list, &list_value, space.points)?;
        let index = self.one(index, space, a)?;
        let value = Value::Int(self.ints(value, space, a)?);
        let count = items.len();
        let Some(index) = usize::try_from(index).ok().filter(|index| *index < count) else {
            return fault(node, format!("index {index} lies outside a list of {count}"));
        };
        let places = items.iter().enumerate();
        let replaced = places.map(|(at, item)| if at == index { &value } else { item }.clone());
        Ok(Value::List(replaced.collect()))
    }

    /// An element of a tensor, by its index vector.
    pub(crate) fn read(
        &self,
        node: &Node,
        tensor: &TensorRef,
        index: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        if self.is_fused {
            return match space.lookup(FUSED) {
                Some(value) => Ok(value),
                None => fault(node, "an intermediate of a fused operator reads a tensor"),
            };
        }
        if tensor.element.is_none()
            && let Some(given) = self.inputs.get(tensor.field).and_then(|tensors| tensors.first())
            && let Some(run) = self.run_start(index, space, given.sizes.iter().map(|size| (0, *size)))?
            && let Some(value) = given.data.read_run(run, space.points)
        {
            return Ok(value);
        }
        let index_value = self.eval(index, space, a)?;
        let mut columns = self.vector(index, &index_value, space.points)?;
        let elements = self.elements(tensor, space, a)?;
        if elements.uniform().is_none() {
            columns.push(elements.clone());
            return self.spread(&columns, space.points, |columns, points, _| {
                self.read_each(node, tensor.field, columns, points)
            });
        }
        self.spread(&columns, space.points, |columns, points, _| {
            self.read_one(node, tensor.field, elements.uniform().unwrap_or(0), columns, points)
        })
    }

    /// Elements of one tensor.
    fn read_one(&self, node: &Node, field: usize, element: i128, columns: &[Ints], points: usize) -> Eval {
        let found = usize::try_from(element)
            .ok()
            .and_then(|e| self.inputs.get(field)?.get(e));
        let Some(tensor) = found else {
            return fault(node, "this tensor is not given");
        };
        if columns.len() != tensor.sizes.len() {
            let (found, expected) = (columns.len(), tensor.sizes.len());
            return fault(
                node,
                format!("the index has {found} numbers, the tensor {expected} dimensions"),
            );
        }
        match tensor.offsets(columns, points) {
            Ok(offsets) => Ok(tensor.data.read(&offsets, points)),
            Err(_) if self.arena.lenient => self.read_linearly(node, tensor, columns, points),
            Err(point) => {
                let at: Vec<String> = columns.iter().map(|c| c.get(point).value.to_string()).collect();
                let sizes: Vec<String> = tensor.sizes.iter().map(ToString::to_string).collect();
                let (at, sizes) = (at.join(", "), sizes.join(", "));
                fault(node, format!("index [{at}] lies outside the tensor of sizes [{sizes}]"))
            }
        }
    }

    /// Elements of one tensor by their distance from its start, also those whose coordinates lie outside: then perhaps the
    /// nearest one. What lies outside the buffer is unknown.
    fn read_linearly(&self, node: &Node, tensor: &crate::load::Tensor, columns: &[Ints], points: usize) -> Eval {
        if let Some(outside) = &self.arena.outside {
            outside.set(true);
        }
        let mut open = vec![0_u16; points];
        let (mut inside, mut places) = (Vec::new(), Vec::new());
        for (point, open) in open.iter_mut().enumerate() {
            let place = if self.arena.clamps {
                tensor.nearest_place(columns, point)
            } else {
                tensor.linear_place(columns, point)
            };
            match place {
                Some(place) => {
                    inside.push(point as u32);
                    places.push(place);
                }
                None => *open = crate::real::WILDCARD + 1,
            }
        }
        let read = tensor.data.read(&Ints::narrow(places), inside.len());
        let parts = if inside.is_empty() {
            Vec::new()
        } else {
            vec![(inside, read)]
        };
        self.joined(node, &parts, &open)
    }

    /// Elements of the tensors of an array that differ from point to point; the last column says which.
    fn read_each(&self, node: &Node, field: usize, columns: &[Ints], points: usize) -> Eval {
        let Some((elements, columns)) = columns.split_last() else {
            return fault(node, "the index is missing");
        };
        let mut parts: Vec<(i128, Vec<u32>)> = Vec::new();
        for point in 0..points {
            let element = elements.get(point).value;
            match parts.iter_mut().find(|(known, _)| *known == element) {
                Some((_, part)) => part.push(point as u32),
                None => parts.push((element, vec![point as u32])),
            }
        }
        let read: Eval<Vec<(Vec<u32>, Value)>> = parts
            .into_iter()
            .map(|(element, part)| {
                let columns: Vec<Ints> = columns.iter().map(|column| column.gather(&part)).collect();
                let value = self.read_one(node, field, element, &columns, part.len())?;
                Ok((part, value))
            })
            .collect();
        self.merged(node, &read?, points)
    }

    /// An element of a tensor's buffer by its distance from the start, or `otherwise` beyond the end of the buffer. In a
    /// gap between elements the value is open.
    pub(crate) fn raw(
        &self,
        node: &Node,
        tensor: &TensorRef,
        offset: &Node,
        otherwise: &Node,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let offset = self.ints(offset, space, a)?;
        let element = self
            .elements(tensor, space, a)?
            .uniform()
            .and_then(|e| usize::try_from(e).ok());
        let found = element.and_then(|e| self.inputs.get(tensor.field)?.get(e));
        let Some(tensor) = found else {
            return fault(node, "this tensor is not given");
        };
        let otherwise = self.eval(otherwise, space, a)?;
        self.spread(&[offset], space.points, |offsets, points, of| {
            let offset = offsets.first().unwrap_or(&Ints::One(0));
            let places: Vec<Option<usize>> = (0..points).map(|p| tensor.element_at(offset.get(p).value)).collect();
            let (mut inside, mut outside, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
            let mut numbers = Vec::new();
            for (point, place) in places.iter().enumerate() {
                let at = offset.get(point).value;
                if place.is_none() && (0..tensor.room).contains(&at) {
                    gaps.push(point as u32);
                }
                match place {
                    Some(place) => {
                        inside.push(point as u32);
                        numbers.push(*place as i64);
                    }
                    None => outside.push(point as u32),
                }
            }
            let read = tensor.data.read(&Ints::narrow(numbers), inside.len());
            let rest = otherwise.gather(&within(of, &outside));
            let parts = [(inside, read), (outside, rest)];
            let parts: Vec<(Vec<u32>, Value)> = parts.into_iter().filter(|(part, _)| !part.is_empty()).collect();
            let read = self.merged(node, &parts, points)?;
            Ok(if gaps.is_empty() {
                read
            } else {
                self.unknown_at(&read, &gaps, points)
            })
        })
    }

    /// Calls `f` with indices that are plain numbers. A point whose index has several outcomes becomes several points,
    /// and its value one of theirs; a point whose index is open has an open value. `f` is told for each of its points the
    /// one that it comes from, if these are others.
    pub(crate) fn spread(
        &self,
        columns: &[Ints],
        points: usize,
        mut f: impl FnMut(&[Ints], usize, Option<&[u32]>) -> Eval,
    ) -> Eval {
        if columns.iter().all(Ints::is_plain) {
            return f(columns, points, None);
        }
        let mut of: Vec<u32> = Vec::new();
        let mut plain: Vec<Vec<Whole>> = vec![Vec::new(); columns.len()];
        let mut open = vec![0_u16; points];
        for (point, open) in open.iter_mut().enumerate() {
            let here: Vec<Whole> = columns.iter().map(|column| column.get(point)).collect();
            *open = here
                .iter()
                .map(|whole| whole.open)
                .find(|clause| *clause != 0)
                .unwrap_or(0);
            let mut rows: Vec<Vec<i128>> = vec![Vec::new()];
            for whole in &here {
                let outcomes = if *open == 0 {
                    self.arena.wholes(*whole)
                } else {
                    smallvec![0]
                };
                let longer = |row: &Vec<i128>| {
                    outcomes
                        .iter()
                        .map(|value| [row.as_slice(), &[*value]].concat())
                        .collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(longer).take(crate::arena::MOST + 1).collect();
            }
            if rows.len() > crate::arena::MOST || of.len() + rows.len() > crate::limits::MOST_OUTCOMES {
                self.arena.crowd();
                rows.truncate(1);
            }
            for row in rows {
                of.push(point as u32);
                for (column, value) in plain.iter_mut().zip(row) {
                    column.push(Whole::exact(value));
                }
            }
        }
        let count = of.len();
        let columns: Vec<Ints> = plain.into_iter().map(Ints::collect).collect();
        let value = f(&columns, count, Some(&of))?;
        Ok(self.united(&value, &of, &open))
    }

    /// The values of points that came apart: each one of those of its parts, and open where `open` names a clause.
    pub(crate) fn united(&self, value: &Value, of: &[u32], open: &[u16]) -> Value {
        let points = open.len();
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); points];
        for (part, point) in of.iter().enumerate() {
            parts[*point as usize].push(part);
        }
        match value {
            Value::Real(reals) => {
                let one = |(point, parts): (usize, &Vec<usize>)| match open[point] {
                    0 => self.arena.one_of(parts.iter().map(|part| reals.get(*part))),
                    clause => Real::open(clause - 1),
                };
                Value::Real(Reals::collect(parts.iter().enumerate().map(one).collect()))
            }
            Value::Int(ints) => {
                let one = |(point, parts): (usize, &Vec<usize>)| match open[point] {
                    0 => self
                        .arena
                        .whole_of(parts.iter().map(|part| ints.get(*part)))
                        .unwrap_or_else(|| {
                            self.arena.crowd();
                            Whole::exact(0)
                        }),
                    open => Whole {
                        open,
                        ..Whole::exact(0)
                    },
                };
                Value::Int(Ints::collect(parts.iter().enumerate().map(one).collect()))
            }
            Value::Bool(bools) => {
                let one = |(point, parts): (usize, &Vec<usize>)| {
                    if open[point] != 0 {
                        return crate::column::Truth::open(open[point]);
                    }
                    let mut outcomes = parts.iter().map(|part| bools.get(*part));
                    let first = outcomes.next().unwrap_or(crate::column::Truth::FALSE);
                    if outcomes.all(|other| other == first) {
                        first
                    } else {
                        crate::column::Truth::EITHER
                    }
                };
                Value::Bool(crate::column::Bools::collect(
                    parts.iter().enumerate().map(one).collect(),
                ))
            }
            Value::List(items) => Value::List(items.iter().map(|item| self.united(item, of, open)).collect()),
            // Rows are told apart by their numbers, which may be one of several as well.
            Value::Row(row) => match self.united(&Value::Int(row.row.clone()), of, open) {
                Value::Int(ints) => Value::Row(Row {
                    row: ints,
                    ..row.clone()
                }),
                other => other,
            },
            Value::Operator(..) => value.clone(),
        }
    }
}

/// The points that these come from.
fn within(of: Option<&[u32]>, part: &[u32]) -> Vec<u32> {
    match of {
        Some(of) => part.iter().map(|point| of[*point as usize]).collect(),
        None => part.to_vec(),
    }
}
