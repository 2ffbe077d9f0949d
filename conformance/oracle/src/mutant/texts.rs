//! What sentences about mistakes, and the expressions of mutants, are made of.

use std::cell::Cell;

use dml_spec::{
    meaning::{
        Meaning, Node,
        typed::{Reduction, TensorRef},
    },
    model::{Catalog, FieldKind, Operator, Role},
};

use super::Kind;

/// What stands in the place of a part instead, with what the mistake is.
pub(super) type Instead = (Kind, String, Node);

/// Makes the form again with a change.
pub(super) type Again<'a> = dyn Fn(&dyn Fn(&mut Reduction)) -> Node + 'a;

/// Most characters of an expression in a sentence.
const MOST_TEXT: usize = 60;

/// What sentences and new expressions are made of.
pub(super) struct Texts<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) operator: &'a Operator,
    pub(super) meaning: &'a Meaning,
    /// The text that spans of nodes count in.
    pub(super) text: &'a str,
    /// The index vector of an output.
    pub(super) own: Option<usize>,
    pub(super) next_slot: Cell<usize>,
    /// Sizes of dimensions that the expression mentions, those aside that rest on its variables.
    pub(super) sizes: Vec<Node>,
}

impl<'a> Texts<'a> {
    /// An expression as it is written, on one line and not too long.
    pub(super) fn of(&self, node: &Node) -> String {
        let text = self.text.get(node.span.clone()).unwrap_or_default();
        let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() > MOST_TEXT {
            line = line.chars().take(MOST_TEXT - 1).collect();
            line.push('…');
        }
        line
    }

    /// The name of a tensor's field.
    pub(super) fn tensor(&self, tensor: &TensorRef) -> &'a str {
        self.operator.fields.get(tensor.field).map_or("", |field| &field.name)
    }

    /// The other single input tensors.
    pub(super) fn other_inputs(&self, tensor: &TensorRef) -> Vec<(usize, &'a str)> {
        let fields = self.operator.fields.iter().enumerate();
        let inputs = fields.filter(|(_, field)| field.kind == FieldKind::Tensor(Role::Input));
        inputs
            .filter(|(at, _)| *at != tensor.field)
            .map(|(at, field)| (at, &*field.name))
            .collect()
    }

    /// The first input tensor that is no array, with its name.
    pub(super) fn first_input(&self) -> Option<(usize, &'a str)> {
        let mut fields = self.operator.fields.iter().enumerate();
        let (at, field) = fields.find(|(_, field)| field.kind == FieldKind::Tensor(Role::Input))?;
        Some((at, &*field.name))
    }

    /// The name of a field.
    pub(super) fn field(&self, field: usize) -> &'a str {
        self.operator.fields.get(field).map_or("", |field| &field.name)
    }

    /// Lists of numbers without sign, such as sizes.
    pub(super) fn lists(&self) -> Vec<usize> {
        let fields = self.operator.fields.iter().enumerate();
        let lists = fields.filter(|(_, field)| matches!(field.kind, FieldKind::UInts(_)));
        lists.map(|(at, _)| at).collect()
    }

    /// The value of a data type by its name.
    pub(super) fn data_type(&self, name: &str) -> Option<u32> {
        self.catalog.data_type_named(name).map(|ty| ty.value)
    }

    /// A variable that nothing binds yet.
    pub(super) fn new_slot(&self) -> usize {
        self.next_slot.replace(self.next_slot.get() + 1)
    }
}
