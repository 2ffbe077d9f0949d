//! What operators compute by their meanings: the elements that are expected of a descriptor and its inputs, with bounds.

mod arrays;
mod compare;
mod error;
mod question;
mod release;
mod text;
mod vector_fields;
mod vectors;

use dml_case::{
    outcome::Basis,
    suite::Suite,
    tensor::{Shape, named_tensors},
};
use dml_oracle::{Block, Element, Fault, Meanings, Request, Tensor, expect};
use dml_spec::{
    Catalog, Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Operator, Role, Text},
    program::Violation,
};

pub use arrays::arrays;
pub use compare::{Compared, Difference, Outcome, compare};
pub use error::ComputeError;
pub use question::{Given, Question, read, take_arrays};
pub use text::{element_text, text};
pub use vectors::{Subject, Vector, read_vectors};

use release::Undescribed;

/// The meanings of a specification, and whose word counts.
pub struct Computer<'a> {
    /// The specification.
    pub suite: &'a Suite,
    /// Its meanings.
    pub meanings: Meanings,
    /// Whose word counts.
    pub basis: Basis,
    /// FLOAT16 tensors may be computed in half precision: what that comes to is accepted as well.
    pub half_precision: bool,
}

/// An output tensor.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name: `OutputTensors[1]` in arrays.
    pub name: String,
    /// Its type, sizes and layout.
    pub shape: Shape,
    place: (usize, usize),
}

/// The clauses of an operator that a meaning refers to by number.
pub struct Clauses<'a> {
    operator: &'a Operator,
    ids: &'a [Text],
}

impl Clauses<'_> {
    /// The full id of the clause that leaves an element open.
    pub fn id(&self, number: u16) -> String {
        let short = self.ids.get(usize::from(number)).map_or("", |id| id.as_ref());
        format!("{}/{short}", self.operator.name)
    }

    /// The full ids of all, in the order of their numbers.
    pub fn all(&self) -> Vec<String> {
        (0..self.ids.len()).map(|at| self.id(at as u16)).collect()
    }
}

impl<'a> Computer<'a> {
    /// Compiles the meanings of a specification.
    pub fn new(suite: &'a Suite, basis: Basis, half_precision: bool) -> Self {
        Self {
            suite,
            meanings: Meanings::of_catalog(&suite.catalog),
            basis,
            half_precision,
        }
    }

    /// The operator of a descriptor that has a meaning, and its clauses.
    ///
    /// # Errors
    /// If it is unknown, or has no meaning.
    pub fn operator(&self, name: &str) -> Result<(&'a Operator, Clauses<'_>), ComputeError> {
        let missing = || ComputeError::NoMeaning(name.to_owned());
        let (operator, _) = self.suite.operator(name).ok_or_else(missing)?;
        let ids = &self.meanings.of(name).ok_or_else(missing)?.clauses;
        Ok((operator, Clauses { operator, ids }))
    }

    /// Checks a descriptor: a meaning has values for valid ones.
    ///
    /// # Errors
    /// The clauses that it violates.
    pub fn check(&self, descriptor: &Descriptor, level: FeatureLevel) -> Result<(), ComputeError> {
        let violations = violations(self.suite, descriptor, level, self.basis);
        if violations.is_empty() {
            return Ok(());
        }
        Err(ComputeError::Refused {
            operator: descriptor.operator.to_string(),
            level,
            violations,
        })
    }

    /// Hands over what is expected of each output, block by block, one output after the other.
    ///
    /// # Errors
    /// If the meaning has no value for the descriptor.
    pub fn compute(
        &self,
        question: &Question,
        sink: &mut dyn FnMut(&Output, Vec<Element>),
    ) -> Result<(), ComputeError> {
        let descriptor = &question.descriptor;
        let (operator, _) = self.operator(&descriptor.operator)?;
        let outputs = outputs(&self.suite.catalog, operator, descriptor);
        let work = Work {
            catalog: &self.suite.catalog,
            meanings: &self.meanings,
            basis: self.basis,
            half_precision: self.half_precision,
        };
        let inputs = work
            .tensors(descriptor, &question.inputs)
            .map_err(ComputeError::Fault)?;
        let request = work.request(descriptor, &inputs);
        let mut undescribed = match (self.basis, self.meanings.of(&descriptor.operator)) {
            (Basis::Runtime, Some(meaning)) => Undescribed::find(operator, meaning, &request),
            _ => Undescribed::default(),
        };
        let computed = expect(&request, &mut |mut block| {
            let place = (block.field, block.element);
            undescribed.open(place, &mut block.elements);
            if let Some(output) = outputs.iter().find(|o| o.place == place) {
                sink(output, block.elements);
            }
        });
        computed.map_err(ComputeError::Fault)
    }
}

/// The clauses that a descriptor violates by those whose word counts.
fn violations(suite: &Suite, descriptor: &Descriptor, level: FeatureLevel, basis: Basis) -> Vec<Violation> {
    let Some((operator, program)) = suite.operator(&descriptor.operator) else {
        return Vec::new();
    };
    let mut found = program.evaluate(&suite.catalog, operator, descriptor, level);
    found.retain(|violation| match basis {
        Basis::Text => violation.text,
        Basis::Runtime => violation.runtime,
    });
    found
}

/// Meanings at work.
pub(crate) struct Work<'a> {
    /// The specification.
    pub(crate) catalog: &'a Catalog,
    /// Its meanings.
    pub(crate) meanings: &'a Meanings,
    /// Whose word counts.
    pub(crate) basis: Basis,
    /// FLOAT16 tensors may be computed in half precision.
    pub(crate) half_precision: bool,
}

impl Work<'_> {
    /// Hands over the blocks of all outputs; `inputs` holds the elements of the tensors that are present, in struct order.
    pub(crate) fn run(
        &self,
        descriptor: &Descriptor,
        inputs: &[Vec<u64>],
        sink: &mut dyn FnMut(Block),
    ) -> Result<(), Fault> {
        let inputs = self.tensors(descriptor, inputs)?;
        expect(&self.request(descriptor, &inputs), sink)
    }

    /// The input tensors of each field.
    fn tensors(&self, descriptor: &Descriptor, inputs: &[Vec<u64>]) -> Result<Vec<Vec<Tensor>>, Fault> {
        let operator = self.catalog.operator(&descriptor.operator);
        let inputs = operator.and_then(|operator| by_field(self.catalog, operator, descriptor, inputs));
        inputs.ok_or_else(|| Fault {
            message: "the inputs are not those of the descriptor".to_owned(),
            span: 0..0,
            within: None,
        })
    }

    /// What is asked of the meaning as it is written.
    fn request<'r>(&'r self, descriptor: &'r Descriptor, inputs: &'r [Vec<Tensor>]) -> Request<'r> {
        Request {
            catalog: self.catalog,
            meanings: self.meanings,
            descriptor,
            inputs,
            basis: match self.basis {
                Basis::Text => dml_oracle::Basis::Text,
                Basis::Runtime => dml_oracle::Basis::Runtime,
            },
            variants: &[],
            half_precision: self.half_precision,
        }
    }
}

/// The input tensors of each field; `None` if elements do not fit them.
fn by_field(
    catalog: &Catalog,
    operator: &Operator,
    descriptor: &Descriptor,
    inputs: &[Vec<u64>],
) -> Option<Vec<Vec<Tensor>>> {
    let mut all = vec![Vec::new(); operator.fields.len()];
    let tensors = placed(operator, descriptor, Role::Input);
    if tensors.len() != inputs.len() {
        return None;
    }
    for ((field, _, desc), elements) in tensors.into_iter().zip(inputs) {
        let ty = catalog.data_type(desc.data_type)?;
        all.get_mut(field)?.push(Tensor::new(desc, ty, elements)?);
    }
    Some(all)
}

/// The output tensors that are present, in struct order.
pub(crate) fn outputs(catalog: &Catalog, operator: &Operator, descriptor: &Descriptor) -> Vec<Output> {
    let names = named_tensors(operator, descriptor, Role::Output);
    let places = placed(operator, descriptor, Role::Output);
    let output = |((name, tensor), (field, element, _)): ((String, &TensorDesc), (usize, usize, _))| {
        Some(Output {
            name,
            shape: Shape::of(catalog, tensor)?,
            place: (field, element),
        })
    };
    names.into_iter().zip(places).filter_map(output).collect()
}

/// The tensors of one role that are present, in struct order: the field, the place in an array, and the tensor.
pub(crate) fn placed<'d>(
    operator: &Operator,
    descriptor: &'d Descriptor,
    role: Role,
) -> Vec<(usize, usize, &'d TensorDesc)> {
    let mut found = Vec::new();
    for (at, (field, value)) in operator.fields.iter().zip(&descriptor.fields).enumerate() {
        let tensors = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_ref(tensor),
            Value::Tensors(Some(tensors)) => tensors,
            _ => &[],
        };
        if field.kind.role() == Some(role) {
            let tensors = tensors.iter().enumerate();
            found.extend(tensors.map(|(element, tensor)| (at, element, tensor)));
        }
    }
    found
}
