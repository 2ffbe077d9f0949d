//! What the elements of an output may be, kept in little memory: most elements are exact.

use std::{borrow::Cow, cell::Cell, collections::BTreeMap, ops::ControlFlow, rc::Rc};

use dml_case::number::{Number, decode, is_nan};
use dml_spec::model::DataType;

use super::{
    accept::{Element, Elements, Interval},
    arena::Arena,
    expect::{Column, Request, expect_columns},
    limits::MOST_POINTS,
    machine::Fault,
};

const INTERVAL: u8 = 1;
const SET: u8 = 2;
const OPEN: u8 = 4;
const NAN: u8 = 8;
const INFINITY: u8 = 16;
const NEGATIVE_INFINITY: u8 = 32;
/// A set of what is expected and zeros of both signs, of which there may be many: bits of the former stand in `lo`.
const ZEROS: u8 = 64;

/// What the elements of an output may be beside the ones that are expected.
#[derive(Clone, Debug)]
pub struct Acceptance {
    ty: DataType,
    /// How many elements there are.
    all: usize,
    /// One for each element; empty as long as all are exact.
    bounds: Vec<Bound>,
    sets: BTreeMap<usize, Vec<Element>>,
    /// How many elements are open.
    open: u64,
}

/// What an element may be.
#[derive(Clone, Copy, Debug, Default)]
struct Bound {
    lo: f64,
    hi: f64,
    marks: u8,
}

/// What is expected of every present output, in struct order.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    /// Elements in row-major order, as bits; 0 where an element is open.
    pub outputs: Vec<Vec<u64>>,
    /// What each element may be.
    pub acceptances: Vec<Acceptance>,
}

impl Expectation {
    /// Evaluates the meaning of an operator for a descriptor and its inputs.
    ///
    /// # Errors
    /// See [`expect`](super::expect).
    pub fn compute(request: &Request<'_>) -> Result<Self, Fault> {
        Self::compute_within(request, &Cell::new(MOST_POINTS))
    }

    /// The same within so many points: see [`expect_within`](super::expect_within).
    ///
    /// # Errors
    /// See [`expect_within`](super::expect_within).
    pub fn compute_within(request: &Request<'_>, points: &Cell<u64>) -> Result<Self, Fault> {
        Self::of_columns(|sink| expect_columns(request, &Arena::within, points, sink))
    }

    /// The same, with the number of points that were looked at.
    ///
    /// # Errors
    /// See [`expect`](super::expect).
    pub(crate) fn compute_counted(request: &Request<'_>) -> Result<(Self, u64), Fault> {
        let left = Cell::new(MOST_POINTS);
        let all = Self::compute_within(request, &left)?;
        Ok((all, MOST_POINTS - left.get()))
    }

    /// The same for a meaning that is a mistake: what has no value is open. `clamps`: what it reads outside a tensor is
    /// the nearest element. With it, whether it reads outside a tensor.
    ///
    /// # Errors
    /// A part without which nothing can be said of any element.
    pub(crate) fn compute_leniently(request: &Request<'_>, points: u64, clamps: bool) -> Result<(Self, bool), Fault> {
        let outside = Rc::new(Cell::new(false));
        let arena = |points| Arena::lenient(points, clamps, &outside);
        let all = Self::of_columns(|sink| expect_columns(request, &arena, &Cell::new(points), sink))?;
        Ok((all, outside.get()))
    }

    /// The same elements at other places of one output: `from` says for each place which one it is.
    pub(crate) fn rearrange(&mut self, output: usize, from: &[usize]) {
        let (Some(elements), Some(acceptance)) = (self.outputs.get_mut(output), self.acceptances.get_mut(output))
        else {
            return;
        };
        let old = std::mem::take(elements);
        let before = std::mem::replace(acceptance, Acceptance::new(&acceptance.ty, from.len()));
        for at in from {
            let bits = old.get(*at).copied().unwrap_or_default();
            let place = elements.len();
            elements.push(bits);
            acceptance.push(place, before.element(*at, bits));
        }
    }

    /// Elements of one output are these bits and nothing else.
    pub(crate) fn set(&mut self, output: usize, instead: &BTreeMap<usize, u64>) {
        let (Some(elements), Some(acceptance)) = (self.outputs.get_mut(output), self.acceptances.get_mut(output))
        else {
            return;
        };
        for (at, bits) in instead {
            if let Some(element) = elements.get_mut(*at) {
                *element = *bits;
                acceptance.make_exact(*at);
            }
        }
    }

    fn of_columns(
        columns: impl FnOnce(&mut dyn FnMut(Column<'_>) -> ControlFlow<()>) -> Result<(), Fault>,
    ) -> Result<Self, Fault> {
        let mut all = Self::default();
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut last = None;
        columns(&mut |column| {
            let place = (column.field, column.element);
            if last != Some(place) {
                last = Some(place);
                places.push(place);
                all.outputs.push(Vec::with_capacity(column.all));
                all.acceptances.push(Acceptance::new(column.ty, column.all));
            }
            if let (Some(outputs), Some(acceptance)) = (all.outputs.last_mut(), all.acceptances.last_mut()) {
                match column.elements {
                    Elements::Exact(bits) => {
                        outputs.extend(bits);
                        acceptance.push_exact(outputs.len());
                    }
                    Elements::Each(elements) => {
                        for element in elements {
                            let at = outputs.len();
                            outputs.push(element.reference());
                            acceptance.push(at, element);
                        }
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(all.in_struct_order(&places))
    }

    /// Outputs stand in the order of the struct, whatever the order of the meaning.
    fn in_struct_order(self, places: &[(usize, usize)]) -> Self {
        let mut parts: Vec<_> = places
            .iter()
            .zip(self.outputs.into_iter().zip(self.acceptances))
            .collect();
        parts.sort_by_key(|(place, _)| **place);
        let (outputs, acceptances) = parts.into_iter().map(|(_, part)| part).unzip();
        Self { outputs, acceptances }
    }

    /// Bytes of memory in use, about.
    pub fn bytes(&self) -> u64 {
        let outputs: usize = self.outputs.iter().map(|output| output.len() * size_of::<u64>()).sum();
        let bounds: usize = self
            .acceptances
            .iter()
            .map(|of| of.bounds.len() * size_of::<Bound>())
            .sum();
        (outputs + bounds) as u64
    }

    /// Whether some element is judged.
    pub fn is_judged(&self) -> bool {
        let pairs = self.outputs.iter().zip(&self.acceptances);
        pairs
            .into_iter()
            .any(|(output, acceptance)| acceptance.open < output.len() as u64)
    }

    /// How many elements are open.
    pub fn open(&self) -> u64 {
        self.acceptances.iter().map(|acceptance| acceptance.open).sum()
    }
}

impl Acceptance {
    /// Of so many elements.
    fn new(ty: &DataType, all: usize) -> Self {
        Self {
            ty: ty.clone(),
            all,
            bounds: Vec::new(),
            sets: BTreeMap::new(),
            open: 0,
        }
    }

    /// Elements up to this number are exact from here on.
    fn push_exact(&mut self, end: usize) {
        if !self.bounds.is_empty() {
            self.bounds.resize(end, Bound::default());
        }
    }

    fn push(&mut self, at: usize, element: Element) {
        if self.bounds.is_empty() && matches!(element, Element::Exact(_)) {
            return;
        }
        if self.bounds.is_empty() {
            self.bounds.reserve_exact(self.all);
        }
        self.bounds.resize(at, Bound::default());
        let mut bound = Bound::default();
        match element {
            Element::Exact(_) => {}
            Element::Open(_) => {
                bound.marks = OPEN;
                self.open += 1;
            }
            Element::Among(all) => match all.as_slice() {
                [Element::Exact(first), zeros @ ..] if zeros == self.zeros(*first) => {
                    bound = Bound {
                        lo: f64::from_bits(*first),
                        hi: 0.0,
                        marks: SET | ZEROS,
                    };
                }
                _ => {
                    bound.marks = SET;
                    self.sets.insert(at, all);
                }
            },
            Element::Interval(interval) => {
                let mark = |holds: bool, mark: u8| if holds { mark } else { 0 };
                bound = Bound {
                    lo: interval.lo,
                    hi: interval.hi,
                    marks: INTERVAL
                        | mark(interval.nan, NAN)
                        | mark(interval.infinity, INFINITY)
                        | mark(interval.negative_infinity, NEGATIVE_INFINITY),
                };
            }
        }
        self.bounds.push(bound);
    }

    /// Zeros of both signs, first that of the number with these bits.
    fn zeros(&self, bits: u64) -> [Element; 2] {
        let sign = 1 << (self.ty.bits.clamp(1, 64) - 1);
        [bits & sign, !bits & sign].map(Element::Exact)
    }

    /// The set of what an element may be.
    fn set(&self, at: usize, bound: Bound) -> Cow<'_, [Element]> {
        if bound.marks & ZEROS == 0 {
            return Cow::Borrowed(self.sets.get(&at).map(Vec::as_slice).unwrap_or_default());
        }
        let first = bound.lo.to_bits();
        let [zero, other] = self.zeros(first);
        Cow::Owned(vec![Element::Exact(first), zero, other])
    }

    /// The type of the elements.
    pub(crate) fn ty(&self) -> &DataType {
        &self.ty
    }

    /// What the element at this place may be, where `expected` is what is expected.
    pub(crate) fn element(&self, at: usize, expected: u64) -> Element {
        let bound = self.bound(at);
        let marked = |mark: u8| bound.marks & mark != 0;
        if marked(OPEN) {
            return Element::Open(0);
        }
        if marked(SET) {
            return Element::Among(self.set(at, bound).into_owned());
        }
        if !marked(INTERVAL) {
            return Element::Exact(expected);
        }
        Element::Interval(Interval {
            reference: expected,
            lo: bound.lo,
            hi: bound.hi,
            nan: marked(NAN),
            infinity: marked(INFINITY),
            negative_infinity: marked(NEGATIVE_INFINITY),
        })
    }

    /// The element at this place is what is expected, and nothing else.
    fn make_exact(&mut self, at: usize) {
        if let Some(bound) = self.bounds.get_mut(at) {
            self.open -= u64::from(bound.marks & OPEN != 0);
            *bound = Bound::default();
            self.sets.remove(&at);
        }
    }

    fn bound(&self, at: usize) -> Bound {
        self.bounds.get(at).copied().unwrap_or_default()
    }

    /// Whether the element may be anything.
    #[inline]
    pub fn is_open(&self, at: usize) -> bool {
        self.bound(at).marks & OPEN != 0
    }

    /// Whether no element may be anything but what is expected.
    pub fn is_exact(&self) -> bool {
        self.bounds.is_empty()
    }

    /// Whether the element at this place may have these bits, where `expected` are the ones that are expected.
    #[inline]
    pub fn accepts(&self, at: usize, expected: u64, actual: u64) -> bool {
        if expected == actual {
            return true;
        }
        let bound = self.bound(at);
        match bound.marks {
            0 => is_nan(&self.ty, expected) && is_nan(&self.ty, actual),
            marks if marks & OPEN != 0 => true,
            marks if marks & SET != 0 => {
                let all = self.set(at, bound);
                all.iter().any(|element| element.accepts(&self.ty, actual))
            }
            marks => match decode(&self.ty, actual).double() {
                x if x.is_nan() => marks & NAN != 0,
                x if bound.lo <= x && x <= bound.hi => true,
                x if x == f64::INFINITY => marks & INFINITY != 0,
                x => x == f64::NEG_INFINITY && marks & NEGATIVE_INFINITY != 0,
            },
        }
    }

    /// Adds what elements may be, the same on every machine: nothing if all are exact.
    pub fn write_bytes(&self, bytes: &mut Vec<u8>) {
        for bound in &self.bounds {
            bytes.push(bound.marks & !ZEROS);
            if bound.marks & INTERVAL != 0 {
                bytes.extend(bound.lo.to_bits().to_le_bytes());
                bytes.extend(bound.hi.to_bits().to_le_bytes());
            }
        }
        for (at, bound) in self
            .bounds
            .iter()
            .enumerate()
            .filter(|(_, bound)| bound.marks & SET != 0)
        {
            bytes.extend((at as u64).to_le_bytes());
            for element in self.set(at, *bound).iter() {
                bytes.extend(element.reference().to_le_bytes());
            }
        }
    }

    /// How far an accepted element is from what is expected: units in the last place, and the share of what is allowed
    /// on that side. `None` if it is open or no number.
    pub fn error(&self, at: usize, expected: u64, actual: u64) -> Option<(u64, f64)> {
        let bound = self.bound(at);
        if bound.marks & OPEN != 0 {
            return None;
        }
        if expected == actual || bound.marks & INTERVAL == 0 {
            return Some((0, 0.0));
        }
        let (Number::Float(due), Number::Float(found)) = (decode(&self.ty, expected), decode(&self.ty, actual)) else {
            return Some((0, 0.0));
        };
        if !due.is_finite() || !found.is_finite() {
            return None;
        }
        let allowed = if found < due { due - bound.lo } else { bound.hi - due };
        let off = (found - due).abs();
        let share = if off == 0.0 { 0.0 } else { off / allowed.max(off) };
        Some((self.steps(expected, actual), share))
    }

    /// How many numbers of the type lie between two; zeros of both signs are one.
    fn steps(&self, a: u64, b: u64) -> u64 {
        let sign = 1_u64 << (self.ty.bits - 1);
        let place = |bits: u64| {
            let magnitude = i128::from(bits & (sign - 1));
            if bits & sign != 0 { -magnitude } else { magnitude }
        };
        u64::try_from(place(a).abs_diff(place(b))).unwrap_or(u64::MAX)
    }
}
