//! What variables run over: numbers of a range, or index vectors within sizes.

use std::rc::Rc;

use dml_spec::meaning::typed::Bound;
use smallvec::{SmallVec, smallvec};

use super::{Eval, Machine, fault};
use crate::{
    column::{Columns, Ints, Value},
    extents::{Extents, coordinates},
    real::Arithmetic,
    space::Space,
};

impl Machine<'_> {
    /// What variables run over, the same for all points.
    pub(crate) fn domain(&self, bounds: &[Bound], space: &Rc<Space>, a: &Arithmetic) -> Eval<Domain> {
        let mut domain = Domain::default();
        for bound in bounds {
            let extents = self.extents(bound, space, a)?;
            domain.ranks.push(extents.len());
            domain.extents.extend(extents);
        }
        Ok(domain)
    }

    fn extents(&self, bound: &Bound, space: &Rc<Space>, a: &Arithmetic) -> Eval<Extents> {
        if let Some(to) = &bound.to {
            let from = crate::limits::near_end(&bound.from, self.one(&bound.from, space, a)?)?;
            let to = crate::limits::near_end(to, self.one(to, space, a)?)?;
            return Ok(smallvec![(from, (to - from).max(0))]);
        }
        if let Some(held) = self.held(&bound.from) {
            return Ok(held.iter().map(|size| (0, i64::from(*size))).collect());
        }
        let sizes = self.eval(&bound.from, space, a)?;
        let size = |size: i128| Ok((0, crate::limits::near_end(&bound.from, size)?.max(0)));
        if let Some(row) = sizes.plain_row() {
            return row.iter().map(|of| size((*of).into())).collect();
        }
        let sizes = self.items(&bound.from, &sizes, space.points)?;
        let one = |item: &Value| match item {
            Value::Int(ints) if let Some(of) = ints.uniform() => size(of),
            _ => fault(
                &bound.from,
                "the sizes have to be whole numbers, the same for all elements",
            ),
        };
        sizes.iter().map(one).collect()
    }
}

/// What some variables run over, dimension by dimension.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domain {
    /// Dimensions of each variable.
    ranks: SmallVec<[usize; 2]>,
    /// For each dimension of all variables the first number and how many there are.
    pub(crate) extents: Extents,
}

impl Domain {
    /// Index vectors within sizes.
    pub(crate) fn of_sizes(sizes: &[u32]) -> Self {
        Self {
            ranks: smallvec![sizes.len()],
            extents: sizes.iter().map(|size| (0, i64::from(*size))).collect(),
        }
    }

    /// The first number and how many there are, if there is one variable alone.
    pub(crate) fn range(&self) -> Option<(i128, i128)> {
        self.extents
            .first()
            .map(|(from, count)| (i128::from(*from), i128::from(*count)))
    }

    /// How many points there are; `None` beyond the memory of any machine.
    pub(crate) fn points(&self) -> Option<usize> {
        let product = self
            .extents
            .iter()
            .try_fold(1_i128, |n, (_, size)| n.checked_mul(i128::from(*size)));
        product.and_then(|n| usize::try_from(n).ok())
    }

    /// The points `start .. start + count`, in row-major order, with the variables bound there.
    pub(crate) fn points_of(&self, bounds: &[Bound], start: usize, count: usize) -> Rc<Space> {
        if let [Bound { slot, to: None, .. }] = bounds {
            return Space::along(*slot, &self.extents, start, count);
        }
        let space = Space::root(count);
        self.bind(bounds, &coordinates(&self.extents, start, count), &space);
        space
    }

    /// The coordinates of these places, counted in row-major order; a column for each dimension.
    pub(crate) fn columns(&self, places: &[i64]) -> Columns {
        // After the last place comes the first one again, since outer points follow each other.
        let last = self.points().map_or(i64::MAX, |points| points as i64) - 1;
        let follows = |pair: &[i64]| pair[1] == if pair[0] == last { 0 } else { pair[0] + 1 };
        if let (true, Some(first)) = (places.windows(2).all(follows), places.first()) {
            return coordinates(&self.extents, *first as usize, places.len());
        }
        let mut rest = places.to_vec();
        let mut columns = Columns::new();
        for (from, size) in self.extents.iter().rev() {
            let (from, size) = (*from, (*size).max(1));
            columns.push(Ints::narrow(rest.iter().map(|place| from + place % size).collect()));
            rest.iter_mut().for_each(|place| *place /= size);
        }
        columns.reverse();
        columns
    }

    /// Binds the variables to columns, one for each dimension.
    pub(crate) fn bind(&self, bounds: &[Bound], columns: &[Ints], space: &Space) {
        let mut rest = columns;
        for (bound, rank) in bounds.iter().zip(&self.ranks) {
            let (own, others) = rest.split_at((*rank).min(rest.len()));
            rest = others;
            let value = match (&bound.to, own) {
                (Some(_), [column, ..]) => Value::Int(column.clone()),
                (Some(_), []) => Value::int(0),
                (None, _) => Value::list_of(own),
            };
            space.bind(bound.slot, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_run_in_row_major_order() {
        let extents = [(0, 2), (5, 3), (0, 2)];
        let all = |start, count| {
            let columns = coordinates(&extents, start, count);
            (0..count)
                .map(|p| columns.iter().map(|c| c.get(p).value).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        let domain = Domain {
            ranks: smallvec![3],
            extents: extents.as_slice().into(),
        };
        for places in [&[4, 5, 6][..], &[10, 11, 0, 1], &[11, 0], &[3, 8, 2]] {
            let columns = domain.columns(places);
            for (at, place) in places.iter().enumerate() {
                let here: Vec<i128> = columns.iter().map(|c| c.get(at).value).collect();
                assert_eq!(here, all(*place as usize, 1)[0], "{places:?}");
            }
        }
        let whole = all(0, 12);
        assert_eq!(whole.first(), Some(&vec![0, 5, 0]));
        assert_eq!(whole.get(5), Some(&vec![0, 7, 1]));
        assert_eq!(whole.get(11), Some(&vec![1, 7, 1]));
        for start in 0..12 {
            assert_eq!(all(start, 12 - start), whole[start..]);
        }
    }
}
