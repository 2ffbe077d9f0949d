//! Points that lead to elements of an output: found once, then asked for by each element.

use std::rc::Rc;

use dml_spec::meaning::{
    Node,
    typed::{Reduction, Scatter},
};

use super::{BLOCK, Eval, Machine, domain::Domain, fault};
use crate::{
    column::{Ints, Truth, Value, Whole},
    real::Arithmetic,
    space::Space,
};

/// For each element of an output, how many points lead there, and the last of them.
#[derive(Debug)]
pub(crate) struct Targets {
    counts: Vec<u32>,
    last: Vec<u32>,
    domain: Rc<Domain>,
    /// 1 + the number of the clause that leaves a target open: then all elements are.
    open: u16,
}

impl Machine<'_> {
    /// The value of the last point that leads to the element, or what `else` says.
    pub(crate) fn scattered_value(
        &self,
        node: &Node,
        reduction: &Reduction,
        scatter: &Scatter,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let (Some(body), Some(otherwise)) = (&reduction.body, &reduction.otherwise) else {
            return fault(node, "the form has no value");
        };
        let targets = self.targets(node, reduction, scatter, a)?;
        let places = self.element_places(node, scatter, space)?;
        let (mut hit, mut missed, mut last) = (Vec::new(), Vec::new(), Vec::new());
        for point in 0..space.points {
            let place = places.get(point).value as usize;
            match targets.counts.get(place) {
                Some(0) | None => missed.push(point as u32),
                Some(_) => {
                    hit.push(point as u32);
                    last.push(i64::from(targets.last[place]));
                }
            }
        }
        let mut parts = Vec::new();
        if !hit.is_empty() {
            let inner = Space::child(space, Rc::new(hit.clone()));
            targets
                .domain
                .bind(&reduction.binders, &targets.domain.columns(&last), &inner);
            parts.push((hit, self.eval(body, &inner, a)?));
        }
        if !missed.is_empty() {
            let inner = Space::child(space, Rc::new(missed.clone()));
            parts.push((missed, self.eval(otherwise, &inner, a)?));
        }
        let value = self.merged(node, &parts, space.points)?;
        if targets.open == 0 {
            return Ok(value);
        }
        let all: Vec<u32> = (0..space.points as u32).collect();
        Ok(self.united(&value, &all, &vec![targets.open; space.points]))
    }

    /// How many points lead to the element.
    pub(crate) fn scattered_count(
        &self,
        node: &Node,
        reduction: &Reduction,
        scatter: &Scatter,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval {
        let targets = self.targets(node, reduction, scatter, a)?;
        let places = self.element_places(node, scatter, space)?;
        let one = |point: usize| {
            let place = places.get(point).value as usize;
            let count = targets.counts.get(place).copied().unwrap_or(0);
            Whole {
                open: targets.open,
                ..Whole::exact(count.into())
            }
        };
        Ok(Value::Int(Ints::collect((0..space.points).map(one).collect())))
    }

    fn sizes(&self, node: &Node, scatter: &Scatter) -> Eval<Vec<i128>> {
        let desc = self.desc(node, scatter.field, 0)?;
        Ok(desc.sizes().iter().map(|size| i128::from(*size)).collect())
    }

    /// The number of each element that asks, in row-major order.
    fn element_places(&self, node: &Node, scatter: &Scatter, space: &Rc<Space>) -> Eval<Ints> {
        let Some(index) = space.lookup(scatter.index) else {
            return fault(node, "the output has no index here");
        };
        let columns = self.vector(node, &index, space.points)?;
        self.ravelled(node, &columns, &self.sizes(node, scatter)?, space.points)
    }

    /// Numbers of index vectors in row-major order; -1 for those outside.
    fn ravelled(&self, node: &Node, columns: &[Ints], sizes: &[i128], points: usize) -> Eval<Ints> {
        if columns.len() != sizes.len() {
            let (found, expected) = (columns.len(), sizes.len());
            return fault(
                node,
                format!("the index has {found} numbers, the output {expected} dimensions"),
            );
        }
        let mut place = Ints::One(0);
        for (column, size) in columns.iter().zip(sizes) {
            let next = self.whole2(node, &place, column, points, |place, at| {
                Some(if place < 0 || at < 0 || at >= *size {
                    -1
                } else {
                    place * size + at
                })
            })?;
            match next {
                Value::Int(ints) => place = ints,
                _ => return fault(node, "a whole number is needed here"),
            }
        }
        Ok(place)
    }

    fn targets(&self, node: &Node, reduction: &Reduction, scatter: &Scatter, a: &Arithmetic) -> Eval<Rc<Targets>> {
        if let Some(known) = self.targets.borrow().get(scatter.id).cloned().flatten() {
            return Ok(known);
        }
        let sizes = self.sizes(node, scatter)?;
        let count = sizes
            .iter()
            .try_fold(1_i128, |n, size| n.checked_mul(*size))
            .and_then(|n| usize::try_from(n).ok());
        let domain = Rc::new(self.domain(&reduction.binders, &self.alone, a)?);
        let count = crate::limits::entries(node, count.unwrap_or(usize::MAX), 1)?;
        let points = crate::limits::entries(node, domain.points().unwrap_or(usize::MAX), 1)?;
        let mut targets = Targets {
            counts: vec![0; count],
            last: vec![0; count],
            domain,
            open: 0,
        };
        let mut start = 0;
        while start < points {
            let block = BLOCK.min(points - start);
            let space = targets.domain.points_of(&reduction.binders, start, block);
            self.note_block(node, reduction, scatter, &sizes, start, &space, &mut targets, a)?;
            start += block;
        }
        let targets = Rc::new(targets);
        if let Some(slot) = self.targets.borrow_mut().get_mut(scatter.id) {
            *slot = Some(Rc::clone(&targets));
        }
        Ok(targets)
    }

    #[expect(clippy::too_many_arguments, reason = "one step of a loop")]
    fn note_block(
        &self,
        node: &Node,
        reduction: &Reduction,
        scatter: &Scatter,
        sizes: &[i128],
        start: usize,
        space: &Rc<Space>,
        targets: &mut Targets,
        a: &Arithmetic,
    ) -> Eval<()> {
        let filter = match &reduction.filter {
            Some(filter) => Some(self.bools(filter, space, a)?),
            None => None,
        };
        let to = self.eval(&scatter.to, space, a)?;
        let columns = self.vector(&scatter.to, &to, space.points)?;
        let places = self.ravelled(&scatter.to, &columns, sizes, space.points)?;
        for point in 0..space.points {
            let passes = filter.as_ref().map_or(Truth::TRUE, |filter| filter.get(point));
            if passes.is_false() {
                continue;
            }
            let place = places.get(point);
            if passes.is_undecided() || place.outcomes != 0 {
                return fault(node, "rounding decides where a point leads");
            }
            if passes.open != 0 {
                targets.open = passes.open;
                continue;
            }
            if place.open != 0 {
                targets.open = place.open;
                continue;
            }
            let Some(place) = usize::try_from(place.value).ok() else {
                continue;
            };
            if let (Some(count), Some(last)) = (targets.counts.get_mut(place), targets.last.get_mut(place)) {
                *count = count.saturating_add(1);
                *last = (start + point) as u32;
            }
        }
        Ok(())
    }
}
