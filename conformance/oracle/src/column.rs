//! Values of many points at once: a column has one entry for each point, or one for all of them.

use std::rc::Rc;

use smallvec::SmallVec;

use super::{format::Format, real::Real};

/// Columns, one for each dimension: few enough to need no memory of their own.
pub(crate) type Columns = SmallVec<[Ints; 5]>;

/// A truth value: what it may be, and what leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    /// May be true (1), may be false (2).
    bits: u8,
    /// 1 + the number of the clause that leaves it open; 0 if none does.
    pub(crate) open: u16,
}

impl Truth {
    pub(crate) const TRUE: Self = Self { bits: 1, open: 0 };
    pub(crate) const FALSE: Self = Self { bits: 2, open: 0 };
    /// Rounding decides.
    pub(crate) const EITHER: Self = Self { bits: 3, open: 0 };

    #[inline]
    pub(crate) fn of(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub(crate) fn open(open: u16) -> Self {
        Self { bits: 3, open }
    }

    #[inline]
    pub(crate) fn is_true(self) -> bool {
        self.bits == 1
    }

    #[inline]
    pub(crate) fn is_false(self) -> bool {
        self.bits == 2
    }

    /// Whether it is neither true nor false, but not open.
    #[inline]
    pub(crate) fn is_undecided(self) -> bool {
        self.bits == 3 && self.open == 0
    }

    pub(crate) fn not(self) -> Self {
        let bits = if self.bits == 3 { 3 } else { 3 - self.bits };
        Self { bits, ..self }
    }

    /// `a and b`: false decides, whatever the other is.
    pub(crate) fn and(self, other: Self) -> Self {
        if self.is_false() || other.is_false() {
            Self::FALSE
        } else if self.is_true() {
            other
        } else if other.is_true() || self.open != 0 {
            self
        } else {
            other
        }
    }

    /// `a or b`.
    pub(crate) fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
}

/// A whole number with what makes it uncertain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    pub(crate) value: i128,
    /// 1 + the number of the clause that leaves it open; 0 if none does.
    pub(crate) open: u16,
    /// 1 + the place of its alternatives in the arena; 0 if there is one outcome.
    pub(crate) outcomes: u32,
}

impl Whole {
    #[inline]
    pub(crate) fn exact(value: i128) -> Self {
        Self {
            value,
            open: 0,
            outcomes: 0,
        }
    }

    /// A number that a mutant cannot compute.
    pub(crate) fn unknown() -> Self {
        Self {
            open: crate::real::WILDCARD + 1,
            ..Self::exact(0)
        }
    }

    pub(crate) fn is_exact(self) -> bool {
        self.open == 0 && self.outcomes == 0
    }
}

/// Truth values.
#[derive(Clone, Debug)]
pub(crate) enum Bools {
    One(Truth),
    Many(Rc<Vec<Truth>>),
}

/// Whole numbers.
#[derive(Clone, Debug)]
pub(crate) enum Ints {
    One(i128),
    Many(Rc<Vec<i64>>),
    Wide(Rc<Vec<i128>>),
    Marked(Rc<Vec<Whole>>),
}

/// Reals.
#[derive(Clone, Debug)]
pub(crate) enum Reals {
    One(Real),
    /// Numbers that every implementation has; `any_zero` if the sign of a zero is not determined.
    Exact {
        numbers: Rc<Vec<f64>>,
        any_zero: bool,
    },
    Bound(Rc<Vec<Real>>),
}

/// Values of one type for the points of a space.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Bool(Bools),
    Int(Ints),
    Real(Reals),
    /// A list, element by element.
    List(Rc<[Value]>),
    /// A list that lies in a store: for each point a row of it.
    Row(Row),
    /// A nested operator, by its field and its place in an array.
    Operator(usize, Ints),
}

/// Rows of a store.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// What the rows hold, one after the other.
    pub(crate) store: Rc<Store>,
    /// Elements of a row.
    pub(crate) len: usize,
    /// The row of each point.
    pub(crate) row: Ints,
}

/// Values that are kept: those of an intermediate at each point of its domain.
#[derive(Clone, Debug)]
pub(crate) enum Store {
    Bool(Vec<Truth>),
    Int(Vec<i64>),
    Whole(Vec<Whole>),
    Exact(Vec<f64>, bool),
    /// Elements of a format that flushes: a number nearer to zero than this one is itself or zero.
    Flushing(Vec<f64>, f64),
    Real(Vec<Real>),
    /// Lists of one length, whose elements lie in another store one list after the other.
    List(usize, Rc<Store>),
}

/// The entry of a point in a column of `len` entries.
#[inline]
fn place(len: usize, point: usize) -> usize {
    if len == 1 { 0 } else { point }
}

/// A number that is exact; `any_zero` if the sign of a zero is not determined.
#[inline]
fn exact(number: f64, any_zero: bool) -> Real {
    let real = Real::exact(number);
    if any_zero {
        real.with(super::real::ANY_ZERO)
    } else {
        real
    }
}

/// An element of a format that flushes, whose least normal number is this one.
#[inline]
pub(crate) fn flushing(number: f64, normal: f64) -> Real {
    if number != 0.0 && number.abs() < normal {
        Real::vanishing(number)
    } else {
        Real::exact(number)
    }
}

/// The same of many: exact ones, if all are.
fn all_flushing(numbers: Vec<f64>, normal: f64) -> Reals {
    if numbers.iter().any(|number| *number != 0.0 && number.abs() < normal) {
        Reals::collect(numbers.iter().map(|number| flushing(*number, normal)).collect())
    } else {
        Reals::exact(numbers, false)
    }
}

impl Bools {
    #[inline]
    pub(crate) fn get(&self, point: usize) -> Truth {
        match self {
            Self::One(truth) => *truth,
            Self::Many(truths) => truths[place(truths.len(), point)],
        }
    }

    pub(crate) fn collect(truths: Vec<Truth>) -> Self {
        match truths.as_slice() {
            // Often all points agree: then nothing has to be told apart.
            [one, others @ ..] if others.iter().all(|other| other == one) => Self::One(*one),
            _ => Self::Many(Rc::new(truths)),
        }
    }

    pub(crate) fn gather(&self, points: &[u32]) -> Self {
        match self {
            Self::One(_) => self.clone(),
            Self::Many(truths) => Self::collect(pick(truths, points)),
        }
    }
}

fn pick<T: Copy>(from: &[T], points: &[u32]) -> Vec<T> {
    points
        .iter()
        .map(|point| from[place(from.len(), *point as usize)])
        .collect()
}

impl Ints {
    #[inline]
    pub(crate) fn get(&self, point: usize) -> Whole {
        match self {
            Self::One(value) => Whole::exact(*value),
            Self::Many(values) => Whole::exact(values[place(values.len(), point)].into()),
            Self::Wide(values) => Whole::exact(values[place(values.len(), point)]),
            Self::Marked(values) => values[place(values.len(), point)],
        }
    }

    /// The number, if it is one for all points.
    pub(crate) fn uniform(&self) -> Option<i128> {
        match self {
            Self::One(value) => Some(*value),
            Self::Many(values) if values.len() == 1 => values.first().map(|value| (*value).into()),
            Self::Wide(values) if values.len() == 1 => values.first().copied(),
            _ => None,
        }
    }

    pub(crate) fn narrow(values: Vec<i64>) -> Self {
        match values.as_slice() {
            [one] => Self::One((*one).into()),
            _ => Self::Many(Rc::new(values)),
        }
    }

    pub(crate) fn collect(values: Vec<Whole>) -> Self {
        if values.iter().any(|value| !value.is_exact()) {
            return Self::Marked(Rc::new(values));
        }
        if let [one] = values.as_slice() {
            return Self::One(one.value);
        }
        let narrow: Option<Vec<i64>> = values.iter().map(|value| i64::try_from(value.value).ok()).collect();
        match narrow {
            Some(narrow) => Self::Many(Rc::new(narrow)),
            None => Self::Wide(Rc::new(values.iter().map(|value| value.value).collect())),
        }
    }

    pub(crate) fn gather(&self, points: &[u32]) -> Self {
        match self {
            Self::One(_) => self.clone(),
            Self::Many(values) => Self::narrow(pick(values, points)),
            Self::Wide(values) => Self::Wide(Rc::new(pick(values, points))),
            Self::Marked(values) => Self::Marked(Rc::new(pick(values, points))),
        }
    }

    /// Whether no number is open or has alternatives.
    pub(crate) fn is_plain(&self) -> bool {
        match self {
            Self::Marked(values) => values.iter().all(|value| value.is_exact()),
            _ => true,
        }
    }
}

impl Reals {
    #[inline]
    pub(crate) fn get(&self, point: usize) -> Real {
        match self {
            Self::One(real) => *real,
            Self::Exact { numbers, any_zero } => exact(numbers[place(numbers.len(), point)], *any_zero),
            Self::Bound(reals) => reals[place(reals.len(), point)],
        }
    }

    pub(crate) fn exact(numbers: Vec<f64>, any_zero: bool) -> Self {
        Self::Exact {
            numbers: Rc::new(numbers),
            any_zero,
        }
    }

    pub(crate) fn collect(reals: Vec<Real>) -> Self {
        match reals.as_slice() {
            [one] => Self::One(*one),
            _ => Self::Bound(Rc::new(reals)),
        }
    }

    /// The same, of one number for all points with the rounding of the last operation in its interval.
    pub(crate) fn settled_once(self, format: &Format) -> Self {
        match self {
            Self::One(real) if real.is_plain() => Self::One(real.settled(format)),
            other => other,
        }
    }

    pub(crate) fn gather(&self, points: &[u32]) -> Self {
        match self {
            Self::One(_) => self.clone(),
            Self::Exact { numbers, any_zero } => Self::exact(pick(numbers, points), *any_zero),
            Self::Bound(reals) => Self::collect(pick(reals, points)),
        }
    }
}

impl Value {
    pub(crate) fn int(value: i128) -> Self {
        Self::Int(Ints::One(value))
    }

    /// What a mutant cannot compute.
    pub(crate) fn unknown() -> Self {
        Self::Real(Reals::One(Real::open(crate::real::WILDCARD)))
    }

    /// A list of whole numbers, a column for each element.
    pub(crate) fn list_of(columns: &[Ints]) -> Self {
        Self::List(columns.iter().map(|column| Self::Int(column.clone())).collect())
    }

    pub(crate) fn truth(value: bool) -> Self {
        Self::Bool(Bools::One(Truth::of(value)))
    }

    /// The numbers of a row of a store that all points share.
    pub(crate) fn plain_row(&self) -> Option<&[i64]> {
        match self {
            Self::Row(Row { store, len, row }) => match (&**store, usize::try_from(row.uniform()?).ok()?) {
                (Store::Int(numbers), row) => numbers.get(row * len..)?.get(..*len),
                _ => None,
            },
            _ => None,
        }
    }

    /// The values at these points, which may repeat.
    pub(crate) fn gather(&self, points: &[u32]) -> Self {
        match self {
            Self::Bool(bools) => Self::Bool(bools.gather(points)),
            Self::Int(ints) => Self::Int(ints.gather(points)),
            Self::Real(reals) => Self::Real(reals.gather(points)),
            Self::List(items) => Self::List(items.iter().map(|item| item.gather(points)).collect()),
            Self::Row(row) => Self::Row(Row {
                row: row.row.gather(points),
                ..row.clone()
            }),
            Self::Operator(field, at) => Self::Operator(*field, at.gather(points)),
        }
    }

    /// Whether one entry stands for all points.
    pub(crate) fn is_uniform(&self) -> bool {
        match self {
            Self::Bool(Bools::One(_)) | Self::Int(Ints::One(_)) | Self::Real(Reals::One(_)) | Self::Operator(..) => {
                true
            }
            Self::Bool(_) | Self::Int(_) | Self::Real(_) => false,
            Self::List(items) => items.iter().all(Self::is_uniform),
            Self::Row(row) => matches!(row.row, Ints::One(_)),
        }
    }
}

impl Value {
    /// How many columns there are, and how many entries each point has in them; counted until there are `most`.
    pub(crate) fn extent(&self, most: usize) -> (usize, usize) {
        match self {
            Self::List(items) => {
                let (mut columns, mut width) = (0, 0_usize);
                for item in items.iter() {
                    let (more, entries) = item.extent(most - columns.min(most));
                    columns += more;
                    width = width.saturating_add(entries);
                    if columns >= most {
                        break;
                    }
                }
                (columns, width)
            }
            Self::Row(row) => (1, row.len),
            _ => (1, 1),
        }
    }
}

impl Store {
    /// A store for values like this one, of `points` points, with room.
    pub(crate) fn entries(&self) -> usize {
        match self {
            Self::Bool(values) => values.len(),
            Self::Int(values) => values.len(),
            Self::Whole(values) => values.len(),
            Self::Exact(values, _) | Self::Flushing(values, _) => values.len(),
            Self::Real(values) => values.len(),
            Self::List(len, inner) => inner.entries() / (*len).max(1),
        }
    }

    /// The entry at a place, for all points. The place is valid, and this is no store of lists.
    fn read_one(&self, place: usize) -> Value {
        match self {
            Self::Bool(values) => Value::Bool(Bools::One(values[place])),
            Self::Int(values) => Value::int(values[place].into()),
            Self::Whole(values) => Value::Int(Ints::collect(vec![values[place]])),
            Self::Exact(values, any_zero) => Value::Real(Reals::One(exact(values[place], *any_zero))),
            Self::Flushing(values, normal) => Value::Real(Reals::One(flushing(values[place], *normal))),
            Self::Real(values) => Value::Real(Reals::One(values[place])),
            Self::List(_, inner) => inner.read_one(place),
        }
    }

    /// So many entries from a place on; `None` if there are not as many.
    pub(crate) fn read_run(self: &Rc<Self>, start: usize, points: usize) -> Option<Value> {
        let run = start..start.checked_add(points)?;
        if run.end > self.entries() {
            return None;
        }
        if points == 1 && !matches!(**self, Self::List(..)) {
            return Some(self.read_one(start));
        }
        Some(match &**self {
            Self::List(..) => self.read(&Ints::narrow((run.start as i64..run.end as i64).collect()), points),
            Self::Bool(values) => Value::Bool(Bools::collect(values[run].to_vec())),
            Self::Int(values) => Value::Int(Ints::narrow(values[run].to_vec())),
            Self::Whole(values) => Value::Int(Ints::collect(values[run].to_vec())),
            Self::Exact(values, any_zero) => Value::Real(Reals::exact(values[run].to_vec(), *any_zero)),
            Self::Flushing(values, normal) => Value::Real(all_flushing(values[run].to_vec(), *normal)),
            Self::Real(values) => Value::Real(Reals::collect(values[run].to_vec())),
        })
    }

    /// The entries at these places. Places are valid; of a store without entries only points that are open are asked.
    pub(crate) fn read(self: &Rc<Self>, places: &Ints, points: usize) -> Value {
        if !matches!(**self, Self::List(..)) && self.entries() == 0 {
            return Value::unknown();
        }
        match &**self {
            Self::List(len, inner) => Value::Row(Row {
                store: Rc::clone(inner),
                len: *len,
                row: places.clone(),
            }),
            _ if let Ints::One(place) = places => self.read_one(*place as usize),
            Self::Bool(values) => Value::Bool(Bools::collect(at(values, places, points))),
            Self::Int(values) => Value::Int(Ints::narrow(at(values, places, points))),
            Self::Whole(values) => Value::Int(Ints::collect(at(values, places, points))),
            Self::Exact(values, any_zero) => Value::Real(Reals::exact(at(values, places, points), *any_zero)),
            Self::Flushing(values, normal) => Value::Real(all_flushing(at(values, places, points), *normal)),
            Self::Real(values) => Value::Real(Reals::collect(at(values, places, points))),
        }
    }
}

fn at<T: Copy>(values: &[T], places: &Ints, points: usize) -> Vec<T> {
    match places {
        Ints::Many(places) => places.iter().map(|place| values[*place as usize]).collect(),
        other => (0..points)
            .map(|point| values[other.get(point).value as usize])
            .collect(),
    }
}
