//! Forms that bind variables: sums, products, extremes, counts, places.
//!
//! The points of a form are those of all outer points one after the other, so that they are evaluated in blocks however
//! many each outer point has.

use std::rc::Rc;

use dml_spec::meaning::{
    Node,
    typed::{Kind, Reduction},
};

use super::{Eval, Machine, accumulate::Accumulator, domain::Domain, fault};
use crate::{
    column::{Bools, Ints, Value},
    real::Arithmetic,
    space::Space,
    tally::Sums,
};

/// Points of a form that are evaluated at once.
const CHUNK: usize = 1024;
/// Most values of a short range that are taken one by one, each for all points.
const SHORT: i128 = 8;

/// How many points each outer point has, and how they are found.
enum Extent {
    /// All the same.
    Regular(Domain, usize),
    /// A range for each outer point.
    Ragged(Vec<(i128, i128)>),
}

impl Extent {
    /// How many points there are, for so many outer ones.
    fn points(&self, outer: usize) -> u128 {
        match self {
            Self::Regular(_, points) => (*points as u128).saturating_mul(outer as u128),
            Self::Ragged(ranges) => {
                let lengths = ranges
                    .iter()
                    .map(|(from, to)| to.saturating_sub(*from).max(0).unsigned_abs());
                lengths.fold(0, u128::saturating_add)
            }
        }
    }
}

impl Machine<'_> {
    pub(crate) fn reduce(&self, node: &Node, reduction: &Reduction, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        match &reduction.kind {
            Kind::List => self.listed(node, reduction, space, a),
            Kind::Order(direction) => self.ordered(node, reduction, direction.as_ref(), space, a),
            Kind::PrefixSum | Kind::PrefixProduct => self.prefixes(node, reduction, space, a),
            Kind::Scan(slot, start) => self.scanned(node, reduction, *slot, start, space, a),
            Kind::Scatter(scatter) => self.scattered_value(node, reduction, scatter, space, a),
            Kind::ScatterCount(scatter) => self.scattered_count(node, reduction, scatter, space, a),
            Kind::All | Kind::Any => match self.short_range(reduction, space, a)? {
                Some(range) => self.each_in_turn(reduction, range, space, a),
                None => self.accumulated(node, reduction, space, a),
            },
            Kind::Sum => match self.sums(node, reduction, space, a)? {
                Sums::Value(value) => Ok(value),
                Sums::Tallies(tallies) => {
                    let totals = tallies.iter().map(|tally| tally.total(a)).collect();
                    Ok(Value::Real(super::numeric::tidy(totals)))
                }
            },
            _ => self.accumulated(node, reduction, space, a),
        }
    }

    /// A sum whose bound is still to come: it may be a part of a longer one.
    pub(crate) fn sums(&self, node: &Node, reduction: &Reduction, space: &Rc<Space>, a: &Arithmetic) -> Eval<Sums> {
        let accumulator = self.run(node, reduction, space, a)?;
        Ok(accumulator.sums())
    }

    fn accumulated(&self, node: &Node, reduction: &Reduction, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let (accumulator, extent) = self.run_with_extent(node, reduction, space, a)?;
        let value = accumulator.value(
            self,
            node,
            reduction,
            &|places, points| point_values(&extent, reduction, places, points),
            a,
        )?;
        let empty = accumulator.empty();
        let Some(otherwise) = &reduction.otherwise else {
            if empty.is_empty() {
                return Ok(value);
            }
            if self.arena.lenient {
                return Ok(self.unknown_at(&value, &empty, accumulator.points()));
            }
            return fault(node, "this runs over nothing, and has no `else`");
        };
        if empty.is_empty() {
            return Ok(value);
        }
        let count = accumulator.points();
        let full: Vec<u32> = (0..count as u32)
            .filter(|point| empty.binary_search(point).is_err())
            .collect();
        let inner = Space::child(space, Rc::new(empty.clone()));
        let rest = self.eval(otherwise, &inner, a)?;
        let parts = [(full.clone(), value.gather(&full)), (empty, rest)];
        let parts: Vec<(Vec<u32>, Value)> = parts.into_iter().filter(|(part, _)| !part.is_empty()).collect();
        self.merged(node, &parts, count)
    }

    /// These values, at some points unknown.
    pub(super) fn unknown_at(&self, value: &Value, unknown: &[u32], points: usize) -> Value {
        let of: Vec<u32> = (0..points as u32).collect();
        let mut open = vec![0; points];
        for point in unknown {
            open[*point as usize] = crate::real::WILDCARD + 1;
        }
        self.united(value, &of, &open)
    }

    fn run(&self, node: &Node, reduction: &Reduction, space: &Rc<Space>, a: &Arithmetic) -> Eval<Accumulator> {
        Ok(self.run_with_extent(node, reduction, space, a)?.0)
    }

    /// Evaluates the body for all points, block by block.
    fn run_with_extent(
        &self,
        node: &Node,
        reduction: &Reduction,
        space: &Rc<Space>,
        a: &Arithmetic,
    ) -> Eval<(Accumulator, Extent)> {
        let Some(body) = &reduction.body else {
            return fault(node, "the form has no value");
        };
        let extent = self.extent(node, reduction, space, a)?;
        self.arena.budget.affords(node, extent.points(space.points))?;
        let accumulator = self.accumulate(reduction, body, &extent, space, false, a)?;
        if !accumulator.is_mixed() {
            return Ok((accumulator, extent));
        }
        let accumulator = self.accumulate(reduction, body, &extent, space, true, a)?;
        Ok((accumulator, extent))
    }

    /// One walk through the points; `real` if whole numbers have to become reals.
    fn accumulate(
        &self,
        reduction: &Reduction,
        body: &Node,
        extent: &Extent,
        space: &Rc<Space>,
        real: bool,
        a: &Arithmetic,
    ) -> Eval<Accumulator> {
        let outer = space.points;
        let mut accumulator = Accumulator::new(reduction.kind.clone(), outer, real);
        let mut walk = Walk::new(extent, outer);
        while let Some((of, places)) = walk.next(CHUNK) {
            let inner = Space::child(space, Rc::new(of));
            bind_points(extent, reduction, &places, &inner);
            self.step(reduction, body, &inner, &places, &mut accumulator, a)?;
        }
        Ok(accumulator)
    }

    fn step(
        &self,
        reduction: &Reduction,
        body: &Node,
        inner: &Rc<Space>,
        places: &[i64],
        accumulator: &mut Accumulator,
        a: &Arithmetic,
    ) -> Eval<()> {
        let of = inner.of();
        let Some(filter) = &reduction.filter else {
            let value = self.eval(body, inner, a)?;
            return accumulator.take(self, body, &value, &of, places, a);
        };
        let passing = self.bools(filter, inner, a)?;
        if let Bools::One(truth) = passing
            && truth.is_true()
        {
            let value = self.eval(body, inner, a)?;
            return accumulator.take(self, body, &value, &of, places, a);
        }
        let mut chosen = Vec::new();
        for point in 0..inner.points {
            let truth = passing.get(point);
            if truth.open != 0 {
                accumulator.taint(of[point] as usize, truth.open);
            } else if truth.is_undecided() {
                return fault(filter, "rounding decides what counts here, which no bound covers");
            } else if truth.is_true() {
                chosen.push(point as u32);
            }
        }
        if chosen.is_empty() {
            return Ok(());
        }
        let of: Vec<u32> = chosen.iter().map(|point| of[*point as usize]).collect();
        let places: Vec<i64> = chosen.iter().map(|point| places[*point as usize]).collect();
        let part = Space::child(inner, Rc::new(chosen));
        let value = self.eval(body, &part, a)?;
        accumulator.take(self, body, &value, &of, &places, a)
    }

    fn extent(&self, node: &Node, reduction: &Reduction, space: &Rc<Space>, a: &Arithmetic) -> Eval<Extent> {
        if let [bound] = reduction.binders.as_slice()
            && let Some(to) = &bound.to
        {
            let (from, to) = (self.ints(&bound.from, space, a)?, self.ints(to, space, a)?);
            if from.uniform().is_none() || to.uniform().is_none() {
                let range = |point| {
                    let from = crate::limits::end(&bound.from, from.get(point).value)?;
                    Ok((from, crate::limits::end(node, to.get(point).value)?))
                };
                let open = |point| from.get(point).open != 0 || to.get(point).open != 0;
                if (0..space.points).any(open) || !from.is_plain() || !to.is_plain() {
                    return fault(node, "the ends of a range have to be plain numbers");
                }
                return Ok(Extent::Ragged((0..space.points).map(range).collect::<Eval<_>>()?));
            }
        }
        let domain = self.domain(&reduction.binders, space, a)?;
        match domain.points() {
            Some(points) => Ok(Extent::Regular(domain, points)),
            None => fault(node, "this runs over too many points"),
        }
    }

    /// The range of one variable, if it is short and the same for all points.
    fn short_range(&self, reduction: &Reduction, space: &Rc<Space>, a: &Arithmetic) -> Eval<Option<(i128, i128)>> {
        let [bound] = reduction.binders.as_slice() else {
            return Ok(None);
        };
        let (Some(to), None) = (&bound.to, &reduction.filter) else {
            return Ok(None);
        };
        let (from, to) = (self.ints(&bound.from, space, a)?, self.ints(to, space, a)?);
        let range = from.uniform().zip(to.uniform());
        Ok(range.filter(|(from, to)| to.checked_sub(*from).is_some_and(|count| count <= SHORT)))
    }

    /// `all` and `any` over a short range: for each number all points at once.
    fn each_in_turn(&self, reduction: &Reduction, range: (i128, i128), space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let all = reduction.kind == Kind::All;
        let mut result = Bools::One(crate::column::Truth::of(all));
        let (Some(bound), Some(body)) = (reduction.binders.first(), &reduction.body) else {
            return Ok(Value::Bool(result));
        };
        for number in range.0..range.1 {
            space.bind(bound.slot, Value::int(number));
            let truths = self.bools(body, space, a)?;
            result = if all {
                self.both(&result, &truths, space.points)
            } else {
                let (x, y) = (
                    self.truths(&result, space.points, crate::column::Truth::not),
                    self.truths(&truths, space.points, crate::column::Truth::not),
                );
                let neither = self.both(&x, &y, space.points);
                self.truths(&neither, space.points, crate::column::Truth::not)
            };
        }
        Ok(Value::Bool(result))
    }

    /// `list`: the value for each number, for all points at once.
    fn listed(&self, node: &Node, reduction: &Reduction, space: &Rc<Space>, a: &Arithmetic) -> Eval {
        let (Some(bound), Some(body)) = (reduction.binders.first(), &reduction.body) else {
            return fault(node, "the list has no values");
        };
        let domain = self.domain(&reduction.binders, space, a)?;
        let Some((from, count)) = domain.range() else {
            return fault(node, "the list has no range");
        };
        let mut items = Vec::with_capacity(crate::limits::items(node, count)?);
        let (mut columns, mut width) = (0, 0_usize);
        for number in from..from + count {
            space.bind(bound.slot, Value::int(number));
            let item = self.eval(body, space, a)?;
            let (more, entries) = item.extent(crate::limits::MOST_ITEMS + 1);
            (columns, width) = (columns + more, width.saturating_add(entries));
            crate::limits::items(node, columns as i128)?;
            crate::limits::entries(node, space.points.max(1), width)?;
            items.push(item);
        }
        Ok(Value::List(items.into()))
    }
}

/// Binds the variables of a form at these places of its domain.
fn bind_points(extent: &Extent, reduction: &Reduction, places: &[i64], space: &Space) {
    match extent {
        Extent::Ragged(_) => {
            if let Some(bound) = reduction.binders.first() {
                space.bind(bound.slot, Value::Int(Ints::narrow(places.to_vec())));
            }
        }
        Extent::Regular(domain, _) => {
            let columns = domain.columns(places);
            domain.bind(&reduction.binders, &columns, space);
        }
    }
}

/// What `first`, `argmax` and the like give for places of the domain: a number or an index vector.
fn point_values(extent: &Extent, reduction: &Reduction, places: &Ints, points: usize) -> Value {
    match (extent, reduction.binders.as_slice()) {
        (Extent::Ragged(_), _) => Value::Int(places.clone()),
        (Extent::Regular(domain, _), binders) => {
            let numbers: Vec<i64> = (0..points).map(|point| places.get(point).value as i64).collect();
            let mut columns = domain.columns(&numbers);
            match binders {
                [bound] if bound.to.is_some() && columns.len() == 1 => Value::Int(columns.remove(0)),
                _ => Value::list_of(&columns),
            }
        }
    }
}

/// Goes through the points of a form, outer point by outer point.
struct Walk<'a> {
    extent: &'a Extent,
    outer: usize,
    point: usize,
    /// The next place of the point: within its range, or in row-major order of the domain.
    place: i128,
}

impl<'a> Walk<'a> {
    fn new(extent: &'a Extent, outer: usize) -> Self {
        let place = match extent {
            Extent::Ragged(ranges) => ranges.first().map_or(0, |(from, _)| *from),
            Extent::Regular(..) => 0,
        };
        Self {
            extent,
            outer,
            point: 0,
            place,
        }
    }

    fn end(&self) -> i128 {
        match self.extent {
            Extent::Ragged(ranges) => ranges.get(self.point).map_or(0, |(_, to)| *to),
            Extent::Regular(_, count) => *count as i128,
        }
    }

    fn advance(&mut self) {
        self.point += 1;
        self.place = match self.extent {
            Extent::Ragged(ranges) => ranges.get(self.point).map_or(0, |(from, _)| *from),
            Extent::Regular(..) => 0,
        };
    }

    /// At most `most` points: the outer point of each, and its place.
    fn next(&mut self, most: usize) -> Option<(Vec<u32>, Vec<i64>)> {
        let here = (self.end() - self.place).clamp(0, most as i128) as usize;
        let left = here.saturating_mul(self.outer - self.point.min(self.outer)).min(most);
        let (mut of, mut places) = (Vec::with_capacity(left), Vec::with_capacity(left));
        while self.point < self.outer && of.len() < most {
            let end = self.end();
            let take = (end - self.place).clamp(0, (most - of.len()) as i128);
            of.resize(of.len() + take as usize, self.point as u32);
            places.extend(self.place as i64..(self.place + take) as i64);
            self.place += take;
            if self.place >= end {
                self.advance();
            }
        }
        if of.is_empty() { None } else { Some((of, places)) }
    }
}
