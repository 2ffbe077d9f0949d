//! How clauses are read: what variants compute instead of what the meaning says.

use dml_spec::{
    meaning::{
        Meaning, Node, Output,
        typed::{Instead, Variant},
    },
    model::Operator,
};

use crate::{fault::Within, format::Format};

/// The variants that are followed; the meaning as it is written if there are none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading<'a> {
    pub(crate) variants: &'a [&'a Variant],
    /// For what stands instead of open elements of outputs: nothing is open by the clause there.
    pub(crate) is_inner: bool,
}

impl<'a> Reading<'a> {
    fn all(&self) -> impl Iterator<Item = (&'a Variant, &'a Instead)> + use<'a> {
        let variants = self.variants.iter();
        variants.flat_map(|variant| variant.instead.iter().map(|instead| (*variant, instead)))
    }

    /// Whether some variant is about the clause, so that it leaves nothing open.
    pub(crate) fn decides(&self, clause: u16, meaning: &Meaning) -> bool {
        let mut variants = self.variants.iter();
        variants.any(|variant| variant.clause == clause && (self.is_inner || !is_late(variant, meaning)))
    }

    /// The text of a variant that this whole expression is; `None` if it is the meaning's own.
    pub(crate) fn place(&self, operator: &Operator, meaning: &Meaning, of: &Node) -> Option<Within> {
        let is_here = |instead: &Instead| match instead {
            Instead::Definition(_, node) | Instead::Output(_, node) | Instead::Open { value: node, .. } => {
                std::ptr::eq(node, of)
            }
            Instead::Denormals { .. } => false,
        };
        let (variant, instead) = self.all().find(|(_, instead)| is_here(instead))?;
        Within::variant(operator, meaning, variant, Some(instead))
    }

    /// What stands instead of an intermediate.
    pub(crate) fn definition(&self, at: usize) -> Option<&'a Node> {
        self.all().find_map(|(_, instead)| match instead {
            Instead::Definition(of, node) if *of == at => Some(node),
            _ => None,
        })
    }

    /// What stands instead of the elements of a tensor that the clause leaves open, and its variable.
    pub(crate) fn opened(&self, clause: u16, field: usize) -> Option<(usize, &'a Node)> {
        self.all().find_map(|(variant, instead)| match instead {
            Instead::Open { field: of, slot, value } if variant.clause == clause && *of == field => {
                Some((*slot, value))
            }
            _ => None,
        })
    }

    /// What stands instead of all elements of inputs that the clause leaves not open: field, variable, value.
    pub(crate) fn replaced_inputs(&self, meaning: &Meaning) -> Vec<(usize, usize, &'a Node)> {
        let opens = |clause: u16, field: usize| {
            let mut openings = meaning.openings.iter();
            openings.any(|opening| opening.clause == clause && opening.field == field)
        };
        let is_output = |field: usize| meaning.outputs.iter().any(|output| output.field == field);
        let replaced = self.all().filter_map(|(variant, instead)| match instead {
            Instead::Open { field, slot, value } if !opens(variant.clause, *field) && !is_output(*field) => {
                Some((*field, *slot, value))
            }
            _ => None,
        });
        replaced.collect()
    }

    /// Whether denormals are kept, or zero, if that is said.
    pub(crate) fn keeps_denormals(&self) -> Option<bool> {
        self.all().find_map(|(_, instead)| match instead {
            Instead::Denormals { kept } => Some(*kept),
            _ => None,
        })
    }

    /// The reading of a nested operator: it has clauses of its own.
    pub(crate) fn nested(&self) -> Self {
        Self::default()
    }

    /// The format of results.
    pub(crate) fn format(&self, format: Format) -> Format {
        match self.keeps_denormals() {
            Some(true) => format.keeping_denormals(),
            _ => format,
        }
    }

    /// The expression of an output.
    pub(crate) fn output(&self, at: usize, output: &'a Output) -> &'a Node {
        let replaced = self.all().find_map(|(_, instead)| match instead {
            Instead::Output(of, node) if *of == at => Some(node),
            _ => None,
        });
        replaced.unwrap_or(&output.body)
    }

    /// What stands instead of elements of an output that clauses leave open: the clause, the variable of the index, and
    /// the value.
    pub(crate) fn settled(&self, field: usize) -> Vec<(u16, usize, &'a Node)> {
        let settled = self.all().filter_map(|(variant, instead)| match instead {
            Instead::Open { field: of, slot, value } if *of == field => Some((variant.clause, *slot, value)),
            _ => None,
        });
        settled.collect()
    }
}

/// Whether a variant says what elements of outputs are, once it is known which ones are open.
fn is_late(variant: &Variant, meaning: &Meaning) -> bool {
    variant.instead.iter().any(|instead| match instead {
        Instead::Open { field, .. } => meaning.outputs.iter().any(|output| output.field == *field),
        _ => false,
    })
}
