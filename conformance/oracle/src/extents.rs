//! The coordinates of points of a block of index vectors.

use smallvec::SmallVec;

use crate::column::{Columns, Ints};

/// For each dimension the first number and how many there are: ends of ranges lie within 2^60 of zero.
pub(crate) type Extents = SmallVec<[(i64, i64); 4]>;

/// The coordinates of the points `start .. start + count` of a block of these extents, a column for each dimension.
pub(crate) fn coordinates(extents: &[(i64, i64)], start: usize, count: usize) -> Columns {
    let sizes: SmallVec<[i64; 8]> = extents.iter().map(|(_, size)| (*size).max(1)).collect();
    let mut step = 1_i64;
    let mut columns = Columns::new();
    for (size, (from, _)) in sizes.iter().zip(extents).rev() {
        columns.push(column(*size, *from, step, start, count));
        step = step.saturating_mul(*size);
    }
    columns.reverse();
    columns
}

/// The coordinate along one dimension, each of whose values stays for `step` points.
fn column(size: i64, from: i64, step: i64, start: usize, count: usize) -> Ints {
    if size == 1 {
        return Ints::One(from.into());
    }
    let start = start as i64;
    let (mut at, mut stays) = (start / step % size, step - start % step);
    if stays >= count as i64 {
        return Ints::One((from + at).into());
    }
    let mut values = Vec::with_capacity(count);
    while values.len() < count {
        let run = stays.min((count - values.len()) as i64) as usize;
        if step == 1 {
            // Runs of one: count upwards to the end of the dimension.
            let run = (size - at).min((count - values.len()) as i64);
            values.extend(from + at..from + at + run);
            at = (at + run) % size;
            continue;
        }
        values.resize(values.len() + run, from + at);
        at = (at + 1) % size;
        stays = step;
    }
    Ints::narrow(values)
}
