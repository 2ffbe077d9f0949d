//! The backend `reference`: it answers what the meanings of a specification lead to. It shares them with what is expected,
//! so that a run of it shows that a plan can be executed, and is never evidence that an expectation is right.

use std::sync::{Arc, OnceLock};

use dml_case::{outcome::Basis, tensor::Shape};
use dml_ops::{Backend, Info, Session, Simple, Stopped, Unavailable};
use dml_oracle::{Block, Element, Fault, Meanings};
use dml_spec::{Catalog, Descriptor, FeatureLevel, meaning::Meaning, model::Role};

use crate::compute::{Work, outputs, placed};

/// Name of the backend.
pub const NAME: &str = "reference";

/// A specification and its meanings, compiled when they are first needed.
#[derive(Debug)]
struct Specification {
    catalog: Arc<Catalog>,
    meanings: OnceLock<Meanings>,
    /// The same without the conditions that leave elements open.
    closed: OnceLock<Meanings>,
}

impl Specification {
    fn meanings(&self) -> &Meanings {
        self.meanings.get_or_init(|| Meanings::of_catalog(&self.catalog))
    }

    fn closed(&self) -> &Meanings {
        self.closed.get_or_init(|| {
            let mut closed = self.meanings().clone();
            for operator in self.catalog.operators.iter() {
                if let Some(meaning) = self.meanings().of(&operator.name) {
                    let meaning = Meaning {
                        openings: Vec::new(),
                        ..meaning.clone()
                    };
                    closed.insert(&operator.name, meaning);
                }
            }
            closed
        })
    }
}

/// A backend that answers by the meanings of a specification.
#[derive(Clone, Debug, Default)]
pub struct Reference(Option<Arc<Specification>>);

impl Reference {
    /// The backend for this specification.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self(Some(Arc::new(Specification {
            catalog,
            meanings: OnceLock::new(),
            closed: OnceLock::new(),
        })))
    }

    fn simple(&self) -> impl Backend + use<> {
        let known = self.0.clone();
        // Of those without a meaning descriptors are judged, and nothing runs.
        let operators: Vec<&'static str> = dml_ops::OPERATORS.iter().map(|operator| operator.name).collect();
        let level = FeatureLevel::new(6, 4);
        let execute = move |descriptor: &Descriptor, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| match &known {
            Some(known) => execute(known, descriptor, inputs, outputs),
            None => Err(Stopped::Failed("the backend has no specification".to_owned())),
        };
        Simple::new(NAME, env!("CARGO_PKG_VERSION"), level, operators, execute)
            .detail("evidence", "none: expectations come from the same meanings")
    }
}

impl Backend for Reference {
    fn info(&self) -> Info {
        self.simple().info()
    }

    fn open(&self) -> Result<Box<dyn Session>, Unavailable> {
        match &self.0 {
            Some(_) => self.simple().open(),
            None => Err(Unavailable {
                reason: "the backend has no specification".to_owned(),
                remedy: "start it with one".to_owned(),
            }),
        }
    }
}

/// Writes the element that the meaning leads to in each place of the outputs.
fn execute(
    known: &Specification,
    descriptor: &Descriptor,
    inputs: &[&[u8]],
    buffers: &mut [&mut [u8]],
) -> Result<(), Stopped> {
    let catalog = &*known.catalog;
    let failed = |what: &str| Stopped::Failed(what.to_owned());
    let operator = catalog.operator(&descriptor.operator);
    let operator = operator.ok_or_else(|| failed("the specification does not have the operator"))?;
    if known.meanings().of(&operator.name).is_none() {
        return Err(Stopped::Skipped("unsupported".to_owned()));
    }
    let read = |((_, _, tensor), bytes): ((usize, usize, _), &&[u8])| Some(Shape::of(catalog, tensor)?.read(bytes));
    let tensors = placed(operator, descriptor, Role::Input);
    let elements: Option<Vec<Vec<u64>>> = tensors.into_iter().zip(inputs).map(read).collect();
    let elements = elements.ok_or_else(|| failed("an input has no elements"))?;
    let outputs = outputs(catalog, operator, descriptor);
    let written = written(known, known.meanings(), descriptor, &elements);
    let mut written = written.map_err(|fault| failed(&format!("the meaning has no value: {fault}")))?;
    if written.iter().flatten().any(Option::is_none) {
        fill(
            &mut written,
            self::written(known, known.closed(), descriptor, &elements).ok(),
        );
    }
    for ((output, elements), buffer) in outputs.iter().zip(written).zip(buffers) {
        output
            .shape
            .write(buffer, elements.into_iter().map(Option::unwrap_or_default));
    }
    Ok(())
}

/// The elements that the meanings lead to, output by output; `None` for one that is open.
fn written(
    known: &Specification,
    meanings: &Meanings,
    descriptor: &Descriptor,
    inputs: &[Vec<u64>],
) -> Result<Vec<Vec<Option<u64>>>, Fault> {
    let catalog = &*known.catalog;
    let operator = catalog.operator(&descriptor.operator);
    let places = operator
        .map(|operator| placed(operator, descriptor, Role::Output))
        .unwrap_or_default();
    let mut written = vec![Vec::new(); places.len()];
    let work = Work {
        catalog,
        meanings,
        basis: Basis::Runtime,
        half_precision: false,
    };
    work.run(descriptor, inputs, &mut |block: Block| {
        let is_here = |(field, element, _): &(usize, usize, _)| (*field, *element) == (block.field, block.element);
        if let Some(output) = places.iter().position(is_here).and_then(|at| written.get_mut(at)) {
            let bits = |element: &Element| (!matches!(element, Element::Open(_))).then(|| element.reference());
            output.extend(block.elements.iter().map(bits));
        }
    })?;
    Ok(written)
}

/// Open elements take what the meaning says without the conditions of clauses, if that has a value.
fn fill(written: &mut [Vec<Option<u64>>], closed: Option<Vec<Vec<Option<u64>>>>) {
    for (elements, closed) in written.iter_mut().zip(closed.unwrap_or_default()) {
        for (element, closed) in elements.iter_mut().zip(closed) {
            *element = element.or(closed);
        }
    }
}
