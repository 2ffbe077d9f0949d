//! Intermediates: computed when they are first asked for, and kept.

use std::rc::Rc;

use dml_spec::meaning::{Node, Op};
use smallvec::SmallVec;

use super::{BLOCK, Eval, Kept, Machine, domain::Domain, fault};
use crate::{
    column::{Ints, Store, Value},
    fault::Within,
    real::Arithmetic,
    space::Space,
};

impl Machine<'_> {
    /// An intermediate at a point of its domain, for each point.
    pub(super) fn definition(
        &self,
        node: &Node,
        at: usize,
        indices: &[Node],
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
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
}
