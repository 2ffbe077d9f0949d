//! Elements of which nobody has described what a release computes.

use std::collections::BTreeMap;

use dml_oracle::{Element, Request, applies, expect};
use dml_spec::{
    meaning::{Meaning, typed::Variant},
    model::{ClauseKind, Operator},
};

/// Elements that are open to a release, with the number of the clause: by output and place.
#[derive(Debug, Default)]
pub(super) struct Undescribed {
    by_output: BTreeMap<(usize, usize), BTreeMap<usize, u16>>,
    /// The output that blocks are of, and how many of its elements have come.
    at: ((usize, usize), usize),
}

impl Undescribed {
    /// What the variants leave open that releases compute instead of what a clear text says.
    pub(super) fn find(operator: &Operator, meaning: &Meaning, request: &Request<'_>) -> Self {
        let mut found = Self::default();
        for variant in computed_instead(operator, meaning) {
            if applies(request, variant) != Ok(true) {
                continue;
            }
            let variants = [variant];
            let request = Request {
                variants: &variants,
                ..*request
            };
            let mut open = BTreeMap::new();
            let mut at = ((0, 0), 0);
            let computed = expect(&request, &mut |block| {
                let place = (block.field, block.element);
                let start = if at.0 == place { at.1 } else { 0 };
                at = (place, start + block.elements.len());
                for (at, element) in (start..).zip(block.elements) {
                    if let Element::Open(clause) = element {
                        open.entry(place).or_insert_with(BTreeMap::new).insert(at, clause);
                    }
                }
            });
            // A variant that has no value here is what no release computes.
            if computed.is_ok() {
                for (place, more) in open {
                    found.by_output.entry(place).or_default().extend(more);
                }
            }
        }
        found
    }

    /// Opens what is undescribed in the next elements of an output.
    pub(super) fn open(&mut self, place: (usize, usize), elements: &mut [Element]) {
        let start = if self.at.0 == place { self.at.1 } else { 0 };
        let end = start + elements.len();
        self.at = (place, end);
        let Some(open) = self.by_output.get(&place) else { return };
        for (at, clause) in open.range(start..end) {
            if let Some(element) = elements.get_mut(at - start)
                && !matches!(element, Element::Open(_))
            {
                *element = Element::Open(*clause);
            }
        }
    }
}

/// The variants of guarantees that some release was observed to compute.
fn computed_instead<'a>(operator: &Operator, meaning: &'a Meaning) -> Vec<&'a Variant> {
    let is_computed = |variant: &&Variant| {
        let short = meaning.clauses.get(usize::from(variant.clause));
        let of_clause = |id: &str| short.is_some_and(|short| id.rsplit('/').next() == Some(&**short));
        let mut clauses = operator.clauses.iter();
        clauses.any(|clause| {
            clause.kind == ClauseKind::Guarantee
                && of_clause(&clause.id)
                && clause
                    .observed
                    .iter()
                    .any(|seen| seen.does.as_ref() == Some(&variant.name))
        })
    };
    meaning.variants.iter().filter(is_computed).collect()
}
