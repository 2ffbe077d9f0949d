//! The points that an expression is evaluated for, and the variables bound there.

use std::{cell::RefCell, rc::Rc};

use smallvec::SmallVec;

use super::column::Value;

/// Points, each perhaps a part of a point of the space around them.
#[derive(Debug)]
pub(crate) struct Space {
    /// How many points there are.
    pub(crate) points: usize,
    parent: Option<(Rc<Space>, Rc<Vec<u32>>)>,
    slots: RefCell<SmallVec<[(usize, Value); 6]>>,
}

impl Space {
    /// Points that lie in no others.
    pub(crate) fn root(points: usize) -> Rc<Self> {
        Rc::new(Self {
            points,
            parent: None,
            slots: RefCell::default(),
        })
    }

    /// For each new point the one of `parent` that it belongs to.
    pub(crate) fn child(parent: &Rc<Self>, of: Rc<Vec<u32>>) -> Rc<Self> {
        Rc::new(Self {
            points: of.len(),
            parent: Some((Rc::clone(parent), of)),
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
