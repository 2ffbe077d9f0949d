//! The page's worked examples as cases.

use dml_spec::{
    Descriptor, FeatureLevel, TensorDesc, Value,
    model::{Example, ExampleTensor, ExampleValue, Family, FieldKind, NumberClass, Role},
    scalar,
};

use crate::{builder::Builder, error::BuildError, recipe::EXAMPLE_KEY, verdict};
use dml_case::facts::DataFacts;
use dml_case::{
    case::{Case, Mode},
    id::CaseId,
    number::{encode_float, encode_int},
    tensor::Shape,
};
use dml_spec::path::{self, EMPTY, Path};

/// Id of an example at a table level.
pub fn example_id(builder: &Builder<'_>, level: FeatureLevel, example: &Example) -> CaseId {
    CaseId::new(
        &builder.operator.name,
        level,
        Family::Examples.name(),
        [(EXAMPLE_KEY, &example.name)],
    )
}

/// Data type of an example: that of its first tensor.
pub fn example_type(example: &Example) -> Option<&str> {
    example.values.iter().find_map(|(_, value)| match value {
        ExampleValue::Tensor(tensor) => Some(tensor.data_type.as_ref()),
        ExampleValue::Tensors(tensors) => tensors.first().map(|tensor| tensor.data_type.as_ref()),
        ExampleValue::Attribute(_) => None,
    })
}

/// Builds the case of an example.
pub fn build_example(builder: &Builder<'_>, id: &CaseId, name: &str) -> Result<Case, BuildError> {
    let fail = |why: String| BuildError(format!("{id}: {why}"));
    if let Some((key, _)) = id.params().find(|(key, _)| *key != EXAMPLE_KEY) {
        return Err(fail(format!("an example takes no key `{key}`")));
    }
    let example = builder.operator.examples.iter().find(|e| e.name == name);
    let example = example.ok_or_else(|| fail(format!("unknown example `{name}`")))?;
    let catalog = &builder.suite.catalog;
    let mut parts = ExampleParts {
        builder,
        descriptor: builder.blank(),
        inputs: Vec::new(),
        given: Vec::new(),
        facts: DataFacts::default(),
    };
    for (field_name, value) in example.values.iter() {
        let field = builder
            .operator
            .field_index(field_name)
            .ok_or_else(|| fail(format!("no field {field_name}")))?;
        parts
            .add_value(field, value)
            .map_err(|e| fail(format!("{field_name}: {e}")))?;
    }
    let ExampleParts {
        descriptor,
        mut inputs,
        given,
        facts,
        ..
    } = parts;
    let violations = builder
        .program
        .evaluate(catalog, builder.operator, &descriptor, id.level());
    let verdict = verdict::from_violations(&violations);
    let mode = if verdict.is_rejection() || !builder.is_computed() {
        Mode::Create
    } else {
        Mode::Execute
    };
    if mode == Mode::Create {
        inputs.clear();
    }
    Ok(builder.assemble(id.clone(), mode, descriptor, inputs, Some(given), verdict, &facts))
}

/// What the values of an example amount to so far.
struct ExampleParts<'a> {
    builder: &'a Builder<'a>,
    descriptor: Descriptor,
    inputs: Vec<Vec<u8>>,
    given: Vec<Vec<u64>>,
    facts: DataFacts,
}

impl ExampleParts<'_> {
    fn add_value(&mut self, field: usize, value: &ExampleValue) -> Result<(), String> {
        match value {
            ExampleValue::Attribute(text) => self.add_attribute(field, text)?,
            ExampleValue::Tensor(tensor) => {
                let tensor = self.add_tensor((field, 0), tensor)?;
                self.descriptor.fields[field] = Value::Tensor(Some(tensor));
            }
            ExampleValue::Tensors(tensors) => {
                let tensors = tensors.iter().enumerate().map(|(n, t)| self.add_tensor((field, n), t));
                let tensors = tensors.collect::<Result<_, _>>()?;
                self.descriptor.fields[field] = Value::Tensors(Some(tensors));
            }
        }
        Ok(())
    }

    /// Sets an attribute. Examples put spaces between the elements of a list, ids an `x`.
    fn add_attribute(&mut self, field: usize, text: &str) -> Result<(), String> {
        let Builder { suite, operator, .. } = self.builder;
        if let FieldKind::Scalar(named) = &operator.fields[field].kind {
            let ty = scalar::data_type(&suite.catalog, operator, &self.descriptor, named);
            let bytes = ty.and_then(|ty| scalar::of_number(ty, text));
            self.descriptor.fields[field] = Value::Scalar(bytes.ok_or("it is no number of its type")?);
            return Ok(());
        }
        let text = match (&operator.fields[field].kind, text) {
            (FieldKind::UInts(_) | FieldKind::Ints(_) | FieldKind::Floats(_), "") => EMPTY.to_owned(),
            _ => text.replace(' ', "x"),
        };
        path::set(
            &suite.catalog,
            operator,
            &mut self.descriptor,
            &Path::Attribute(field),
            &text,
        )
    }

    /// The descriptor of a tensor; keeps its elements as an input or as an expected output.
    fn add_tensor(&mut self, (field, element): (usize, usize), example: &ExampleTensor) -> Result<TensorDesc, String> {
        let Builder {
            suite,
            operator,
            program,
            ..
        } = self.builder;
        let ExampleTensor { sizes, data_type, data } = example;
        let ty = suite.catalog.data_type_named(data_type);
        let ty = ty.ok_or_else(|| format!("there is no data type {data_type}"))?;
        let tensor = TensorDesc::packed(ty.value, ty.bits, sizes);
        let shape = Shape::of(&suite.catalog, &tensor).ok_or("it has no elements")?;
        let elements = parse_elements(&shape, data).ok_or("it holds no numbers")?;
        if operator.fields[field].kind.role() == Some(Role::Input) {
            let mut bytes = vec![0; shape.total_bytes as usize];
            shape.write(&mut bytes, elements.iter().copied());
            self.facts.note((field, element), &shape, &elements, program.ranges);
            self.inputs.push(bytes);
        } else {
            self.given.push(elements);
        }
        Ok(tensor)
    }
}

fn parse_elements(shape: &Shape, data: &str) -> Option<Vec<u64>> {
    let one = |word: &str| {
        if shape.ty.class == NumberClass::Float {
            word.parse().ok().map(|value| encode_float(&shape.ty, value))
        } else {
            word.parse().ok().map(|value| encode_int(&shape.ty, value))
        }
    };
    data.split_whitespace().map(one).collect()
}
