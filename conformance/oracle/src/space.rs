//! The points that an expression is evaluated for, and the variables bound there.

use std::{cell::RefCell, rc::Rc};

use smallvec::SmallVec;

use super::{
    column::Value,
    extents::{Extents, coordinates},
};

/// Points, each perhaps a part of a point of the space around them.
#[derive(Debug)]
pub(crate) struct Space {
    /// How many points there are.
    pub(crate) points: usize,
    parent: Option<(Rc<Space>, Rc<Vec<u32>>)>,
    /// A variable that runs through index vectors in row-major order from a place on: many meanings read tensors along
    /// it, and nobody asks for its numbers.
    run: Option<(usize, Extents, usize)>,
    slots: RefCell<SmallVec<[(usize, Value); 3]>>,
}

impl Space {
    /// Points that lie in no others.
    pub(crate) fn root(points: usize) -> Rc<Self> {
        Rc::new(Self {
            points,
            parent: None,
            run: None,
            slots: RefCell::default(),
        })
    }

    /// Points whose index vector, a variable, runs through these extents from a place on.
    pub(crate) fn along(slot: usize, extents: &Extents, start: usize, points: usize) -> Rc<Self> {
        Rc::new(Self {
            points,
            parent: None,
            run: Some((slot, extents.clone(), start)),
            slots: RefCell::default(),
        })
    }

    /// Where the run of a variable begins, if it goes through these extents in row-major order.
    pub(crate) fn run(&self, slot: usize, extents: impl ExactSizeIterator<Item = (i64, i64)>) -> Option<usize> {
        let (_, own, start) = self.run.as_ref().filter(|(of, ..)| *of == slot)?;
        let same = own.len() == extents.len() && extents.eq(own.iter().copied());
        same.then_some(*start)
    }

    /// For each new point the one of `parent` that it belongs to.
    pub(crate) fn child(parent: &Rc<Self>, of: Rc<Vec<u32>>) -> Rc<Self> {
        Rc::new(Self {
            points: of.len(),
            parent: Some((Rc::clone(parent), of)),
            run: None,
            slots: RefCell::default(),
        })
    }

    /// For each point the one of the space around that it belongs to.
    pub(crate) fn of(&self) -> Rc<Vec<u32>> {
        self.parent.as_ref().map_or_else(Rc::default, |(_, of)| Rc::clone(of))
    }

    /// Binds a variable, or binds it anew.
    pub(crate) fn bind(&self, slot: usize, value: Value) {
        let mut slots = self.slots.borrow_mut();
        match slots.iter_mut().find(|(bound, _)| *bound == slot) {
            Some((_, old)) => *old = value,
            None => slots.push((slot, value)),
        }
    }

    /// The value of a variable at these points; one of a space around is brought here once.
    pub(crate) fn lookup(&self, slot: usize) -> Option<Value> {
        if let Some((_, value)) = self.slots.borrow().iter().find(|(bound, _)| *bound == slot) {
            return Some(value.clone());
        }
        if let Some((_, extents, start)) = self.run.as_ref().filter(|(of, ..)| *of == slot) {
            let value = Value::list_of(&coordinates(extents, *start, self.points));
            self.slots.borrow_mut().push((slot, value.clone()));
            return Some(value);
        }
        let (parent, of) = self.parent.as_ref()?;
        let outer = parent.lookup(slot)?;
        if outer.is_uniform() {
            return Some(outer);
        }
        let value = outer.gather(of);
        self.slots.borrow_mut().push((slot, value.clone()));
        Some(value)
    }
}
