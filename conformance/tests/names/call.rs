//! A case as those who make wrong outputs see it: its inputs as elements, and the kernel of the CPU, which computes what
//! is right, or what another descriptor or other inputs would give.

use std::num::NonZeroUsize;

use dml_case::{
    number::{decode, encode_float},
    tensor::Shape,
};
use dml_ops::{Descriptor, Stopped, TensorDesc, Value};
use dml_spec::model::{Catalog, DataType, FieldKind, NumberClass, Operator, Role};

/// The elements of every output in row-major order; `None` for one that is never written.
pub(crate) type Elements = Vec<Vec<Option<u64>>>;

/// An input: its elements in row-major order, as bits.
pub(crate) struct Tensor {
    pub(crate) shape: Shape,
    pub(crate) bits: Vec<u64>,
}

impl Tensor {
    /// The elements as numbers; whole numbers of 64 bits are rounded.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        let number = |bits: &u64| decode(&self.shape.ty, *bits).double();
        self.bits.iter().map(number).collect()
    }

    pub(crate) fn is_float(&self) -> bool {
        is_float(&self.shape.ty)
    }

    pub(crate) fn is(&self, ty: &str) -> bool {
        self.shape.ty.name == ty
    }

    /// Whether its elements are whole numbers of 64 bits.
    pub(crate) fn is_wide(&self) -> bool {
        self.is("INT64") || self.is("UINT64")
    }

    pub(crate) fn sizes(&self) -> Vec<usize> {
        sizes(&self.shape)
    }
}

pub(crate) fn is_float(ty: &DataType) -> bool {
    ty.class == NumberClass::Float
}

pub(crate) fn sizes(shape: &Shape) -> Vec<usize> {
    shape.sizes.iter().map(|size| *size as usize).collect()
}

/// The place of coordinates in row-major order.
pub(crate) fn place(sizes: &[usize], at: &[usize]) -> usize {
    sizes.iter().zip(at).fold(0, |place, (size, at)| place * size + at)
}

/// The coordinates of a place in row-major order.
pub(crate) fn coordinates(sizes: &[usize], mut place: usize) -> Vec<usize> {
    let mut at = vec![0; sizes.len()];
    for (at, size) in at.iter_mut().zip(sizes).rev() {
        *at = place % size;
        place /= size;
    }
    at
}

/// The places of the elements that have their coordinates outside `axes` in common, set by set.
pub(crate) fn sets(sizes: &[usize], axes: &[usize]) -> Vec<Vec<usize>> {
    let outer: Vec<usize> = (0..sizes.len())
        .map(|d| if axes.contains(&d) { 1 } else { sizes[d] })
        .collect();
    let mut sets = vec![Vec::new(); outer.iter().product()];
    for at in 0..sizes.iter().product() {
        let mut set = coordinates(sizes, at);
        axes.iter().for_each(|axis| set[*axis] = 0);
        sets[place(&outer, &set)].push(at);
    }
    sets
}

/// A case.
pub(crate) struct Call<'a> {
    catalog: &'static Catalog,
    operator: &'static Operator,
    pub(crate) descriptor: &'a Descriptor,
    bytes: &'a [&'a [u8]],
    pub(crate) inputs: Vec<Tensor>,
    pub(crate) outputs: Vec<Shape>,
    /// The first output lies in the place of an input.
    pub(crate) in_place: bool,
}

impl<'a> Call<'a> {
    /// The case that a backend gets with these buffers.
    pub(crate) fn new(descriptor: &'a Descriptor, bytes: &'a [&'a [u8]], outputs: &[&mut [u8]]) -> Option<Self> {
        let catalog = dml_conformance::spec::catalog();
        let operator = catalog.operators.iter().find(|of| of.name == descriptor.operator)?;
        let shapes = |role: Role| -> Option<Vec<Shape>> {
            let tensors = descriptor.tensors(operator, role);
            tensors.iter().map(|tensor| Shape::of(catalog, tensor)).collect()
        };
        let inputs = shapes(Role::Input)?.into_iter().zip(bytes);
        let inputs = inputs.map(|(shape, bytes)| Tensor {
            bits: shape.read(bytes),
            shape,
        });
        Some(Self {
            catalog,
            operator,
            descriptor,
            bytes,
            inputs: inputs.collect(),
            outputs: shapes(Role::Output)?,
            in_place: outputs
                .first()
                .is_some_and(|first| bytes.iter().any(|of| *of == &first[..])),
        })
    }

    fn at(&self, field: &str) -> usize {
        self.operator.field_index(field).unwrap()
    }

    pub(crate) fn value(&self, field: &str) -> &Value {
        &self.descriptor.fields[self.at(field)]
    }

    /// A `UINT`, an enumeration's value, a truth value.
    pub(crate) fn uint(&self, field: &str) -> usize {
        match self.value(field) {
            Value::UInt(value) => *value as usize,
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn float(&self, field: &str) -> f64 {
        match self.value(field) {
            Value::Float(value) => f64::from(*value),
            other => panic!("{field} is {other:?}"),
        }
    }

    pub(crate) fn list(&self, field: &str) -> Vec<usize> {
        match self.value(field) {
            Value::UInts(list) => list.iter().flatten().map(|value| *value as usize).collect(),
            other => panic!("{field} is {other:?}"),
        }
    }

    /// Whether an enumeration's field holds the member of this name.
    pub(crate) fn has(&self, field: &str, member: &str) -> bool {
        let FieldKind::Enum(of) = &self.operator.fields[self.at(field)].kind else {
            panic!("{field} is no enumeration")
        };
        let members = &self.catalog.enumeration(of).unwrap().members;
        let ending = format!("_{member}");
        let mut meant = members.iter().filter(|member| member.name.ends_with(&ending));
        self.value(field) == &Value::UInt(meant.next().unwrap().value)
    }

    pub(crate) fn data_type(&self, name: &str) -> &DataType {
        self.catalog.data_types.iter().find(|ty| ty.name == name).unwrap()
    }

    /// What is right.
    pub(crate) fn right(&self) -> Elements {
        self.kernel(self.descriptor, self.bytes).unwrap()
    }

    /// What the kernel computes; `None` if it refuses.
    fn kernel(&self, descriptor: &Descriptor, inputs: &[&[u8]]) -> Option<Elements> {
        let shapes = descriptor.tensors(self.operator, Role::Output);
        let shapes: Option<Vec<Shape>> = shapes.iter().map(|tensor| Shape::of(self.catalog, tensor)).collect();
        let shapes = shapes?;
        let mut buffers: Vec<Vec<u8>> = shapes.iter().map(|shape| vec![0; shape.total_bytes as usize]).collect();
        let mut slices: Vec<&mut [u8]> = buffers.iter_mut().map(Vec::as_mut_slice).collect();
        dml_cpu::with_threads(NonZeroUsize::MIN, || dml_cpu::execute(descriptor, inputs, &mut slices)).ok()?;
        let read = |(shape, bytes): (&Shape, &Vec<u8>)| shape.read(bytes).into_iter().map(Some).collect();
        Some(shapes.iter().zip(&buffers).map(read).collect())
    }

    /// What another descriptor gives; what is right if the kernel refuses it.
    pub(crate) fn with(&self, change: impl Fn(&mut Descriptor)) -> Elements {
        let mut descriptor = self.descriptor.clone();
        change(&mut descriptor);
        self.kernel(&descriptor, self.bytes).unwrap_or_else(|| self.right())
    }

    /// What another value of a field gives.
    pub(crate) fn set(&self, field: &str, value: Value) -> Elements {
        self.with(|descriptor| descriptor.fields[self.at(field)] = value.clone())
    }

    /// What other inputs give.
    pub(crate) fn on(&self, change: impl Fn(&mut Vec<Tensor>)) -> Elements {
        self.on_with(change, |_| {})
    }

    /// What other inputs of other types or sizes give with another descriptor; they are packed.
    pub(crate) fn on_with(&self, change: impl Fn(&mut Vec<Tensor>), also: impl Fn(&mut Descriptor)) -> Elements {
        let copied = |of: &Tensor| Tensor {
            shape: of.shape.clone(),
            bits: of.bits.clone(),
        };
        let mut inputs: Vec<Tensor> = self.inputs.iter().map(copied).collect();
        change(&mut inputs);
        let mut descriptor = self.descriptor.clone();
        also(&mut descriptor);
        let descs: Vec<TensorDesc> = inputs
            .iter()
            .map(|input| TensorDesc::packed(input.shape.ty.value, input.shape.ty.bits, &input.shape.sizes))
            .collect();
        let bytes = inputs.iter().zip(&descs).map(|(input, desc)| {
            let mut bytes = vec![0; desc.total_tensor_size_in_bytes as usize];
            let shape = Shape::of(self.catalog, desc).unwrap();
            shape.write(&mut bytes, input.bits.iter().copied());
            bytes
        });
        let bytes: Vec<Vec<u8>> = bytes.collect();
        let mut descs = descs.into_iter();
        for (field, value) in self.operator.fields.iter().zip(&mut descriptor.fields) {
            if field.kind.role() == Some(Role::Input) {
                match value {
                    Value::Tensor(Some(tensor)) => *tensor = descs.next().unwrap(),
                    Value::Tensors(Some(tensors)) => tensors.iter_mut().for_each(|of| *of = descs.next().unwrap()),
                    _ => {}
                }
            }
        }
        let slices: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
        self.kernel(&descriptor, &slices).unwrap_or_else(|| self.right())
    }

    /// The elements of an input that lie one after the other in its buffer, zeros after its end.
    pub(crate) fn linear(&self, input: usize, from: usize, count: usize) -> Vec<u64> {
        let width = self.inputs[input].shape.width();
        let element = |at: usize| {
            let raw = self.bytes[input].get(at * width..(at + 1) * width)?;
            Some(raw.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
        };
        (from..from + count).map(|at| element(at).unwrap_or(0)).collect()
    }

    /// The right outputs, edited.
    pub(crate) fn edit(&self, change: impl Fn(&mut Elements)) -> Elements {
        let mut elements = self.right();
        change(&mut elements);
        elements
    }

    /// A number for each element of the first input, rounded to the type of the first output.
    pub(crate) fn each(&self, compute: impl Fn(f64) -> f64) -> Elements {
        let ty = &self.outputs[0].ty;
        let numbers = self.inputs[0].numbers();
        let elements = numbers.into_iter().map(|x| Some(encode_float(ty, compute(x))));
        vec![elements.collect()]
    }

    /// Writes elements to the places that they have in the outputs' layouts.
    pub(crate) fn write(&self, elements: &Elements, outputs: &mut [&mut [u8]]) -> Result<(), Stopped> {
        for ((shape, bytes), elements) in self.outputs.iter().zip(outputs).zip(elements) {
            shape.write_some(bytes, elements.iter().copied());
        }
        Ok(())
    }
}
