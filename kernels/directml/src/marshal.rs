//! From a descriptor to the C structures of `DirectML.h`, with everything that they point to.
//!
//! Fields are laid out by the rules of C from the kind of their values, so that an operator needs no code here. A test
//! compares that with the structures generated from the specification, whose layout the compiler checks.

use std::ffi::c_void;

use dml_ops::{
    Descriptor, OperatorType, TensorDesc, Value,
    ffi::{DML_BUFFER_TENSOR_DESC, DML_OPERATOR_DESC, DML_SCALE_BIAS, DML_TENSOR_DESC},
};

/// Sizes given to a tensor whose own sizes are null: the length that the null pointer claims to have.
const DIMENSIONS_OF_NULL: u32 = 4;

/// What follows each list of numbers in memory, for as many dimensions as a tensor may have. DirectML 1.13.1 reads past the
/// end of MAX_POOLING_GRAD's lists if its tensors have more dimensions: what it finds there decides.
const PAST_THE_END: [u32; 8] = [0; 8];

/// Why a descriptor has no form in C.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum MarshalError {
    /// One count serves both sizes and strides.
    #[error("C has one count for sizes and strides, found {sizes} sizes and {strides} strides")]
    Strides {
        /// How many sizes there are.
        sizes: usize,
        /// How many strides there are.
        strides: usize,
    },
    /// DirectML does not have this operator, by the specification's `DML_OPERATOR_TYPE`.
    #[error("DML_OPERATOR_TYPE has no operator {0}")]
    Operator(String),
}

/// A descriptor in C, and all memory that it points to.
#[derive(Default)]
pub(super) struct Marshalled {
    root: Option<Box<DML_OPERATOR_DESC>>,
    words: Vec<Box<[u64]>>,
    numbers: Vec<Box<[u32]>>,
    buffers: Vec<Box<[DML_BUFFER_TENSOR_DESC]>>,
    tensors: Vec<Box<[DML_TENSOR_DESC]>>,
    scales: Vec<Box<[DML_SCALE_BIAS]>>,
    operators: Vec<Box<[DML_OPERATOR_DESC]>>,
}

impl Marshalled {
    /// Lays a descriptor out.
    ///
    /// # Errors
    /// If C cannot say it.
    pub(super) fn new(descriptor: &Descriptor) -> Result<Self, MarshalError> {
        let mut made = Self::default();
        let root = made.operator(descriptor)?;
        made.root = Some(Box::new(root));
        Ok(made)
    }

    /// The descriptor; valid as long as this lives.
    pub(super) fn as_ptr(&self) -> *const c_void {
        self.root
            .as_deref()
            .map_or(std::ptr::null(), |root| std::ptr::from_ref(root).cast())
    }

    fn operator(&mut self, descriptor: &Descriptor) -> Result<DML_OPERATOR_DESC, MarshalError> {
        let unknown = || MarshalError::Operator(descriptor.operator.to_string());
        let number = OperatorType::named(&descriptor.operator).ok_or_else(unknown)?;
        let mut fields = Fields::default();
        for value in &descriptor.fields {
            self.field(&mut fields, value)?;
        }
        let words = keep(&mut self.words, fields.into_words());
        Ok(DML_OPERATOR_DESC {
            Type: number.0,
            Desc: words.cast(),
        })
    }

    fn field(&mut self, fields: &mut Fields, value: &Value) -> Result<(), MarshalError> {
        match value {
            Value::UInt(n) => fields.push(&n.to_ne_bytes(), 4),
            Value::Int(n) => fields.push(&n.to_ne_bytes(), 4),
            Value::Float(n) => fields.push(&n.to_ne_bytes(), 4),
            Value::Size2D(width, height) => {
                fields.push(&width.to_ne_bytes(), 4);
                fields.push(&height.to_ne_bytes(), 4);
            }
            Value::Scalar(bytes) => fields.push(bytes, 8),
            Value::Tensor(tensor) => {
                let tensor = tensor.as_ref().map(std::slice::from_ref);
                fields.pointer(self.tensors(tensor)?);
            }
            Value::Tensors(tensors) => fields.pointer(self.tensors(tensors.as_deref())?),
            Value::UInts(list) => fields.pointer(self.numbers(list.as_deref(), |n| n)),
            Value::Ints(list) => fields.pointer(self.numbers(list.as_deref(), i32::cast_unsigned)),
            Value::Floats(list) => fields.pointer(self.numbers(list.as_deref(), f32::to_bits)),
            Value::ScaleBias(pair) => {
                let made = pair.map(|(scale, bias)| DML_SCALE_BIAS {
                    Scale: scale,
                    Bias: bias,
                });
                let kept = made.map(|made| keep(&mut self.scales, vec![made]).cast());
                fields.pointer(kept.unwrap_or(std::ptr::null()));
            }
            Value::Operator(nested) => fields.pointer(self.operators(nested.as_deref().map(std::slice::from_ref))?),
            Value::Operators(nested) => fields.pointer(self.operators(nested.as_deref())?),
        }
        Ok(())
    }

    fn operators(&mut self, nested: Option<&[Descriptor]>) -> Result<*const c_void, MarshalError> {
        let Some(nested) = nested else {
            return Ok(std::ptr::null());
        };
        let made: Vec<_> = nested.iter().map(|d| self.operator(d)).collect::<Result<_, _>>()?;
        Ok(keep(&mut self.operators, made).cast())
    }

    fn numbers<T: Copy>(&mut self, list: Option<&[T]>, bits: impl Fn(T) -> u32) -> *const c_void {
        list.map_or(std::ptr::null(), |list| {
            let numbers = list.iter().map(|n| bits(*n)).chain(PAST_THE_END);
            keep(&mut self.numbers, numbers.collect()).cast()
        })
    }

    fn tensors(&mut self, tensors: Option<&[TensorDesc]>) -> Result<*const c_void, MarshalError> {
        let Some(tensors) = tensors else {
            return Ok(std::ptr::null());
        };
        let made: Vec<_> = tensors.iter().map(|t| self.tensor(t)).collect::<Result<_, _>>()?;
        Ok(keep(&mut self.tensors, made).cast())
    }

    fn tensor(&mut self, tensor: &TensorDesc) -> Result<DML_TENSOR_DESC, MarshalError> {
        let lengths = (tensor.sizes.as_ref(), tensor.strides.as_ref());
        if let (Some(sizes), Some(strides)) = lengths
            && sizes.len() != strides.len()
        {
            let (sizes, strides) = (sizes.len(), strides.len());
            return Err(MarshalError::Strides { sizes, strides });
        }
        let count = match lengths {
            (Some(_), _) => tensor.dimension_count(),
            (None, Some(strides)) => u32::try_from(strides.len()).unwrap_or(u32::MAX),
            (None, None) => DIMENSIONS_OF_NULL,
        };
        let buffer = DML_BUFFER_TENSOR_DESC {
            DataType: tensor.data_type,
            Flags: tensor.flags,
            DimensionCount: count,
            Sizes: self.numbers(tensor.sizes.as_deref(), |n| n).cast(),
            Strides: self.numbers(tensor.strides.as_deref(), |n| n).cast(),
            TotalTensorSizeInBytes: tensor.total_tensor_size_in_bytes,
            GuaranteedBaseOffsetAlignment: tensor.guaranteed_base_offset_alignment,
        };
        let desc = keep(&mut self.buffers, vec![buffer]).cast();
        Ok(DML_TENSOR_DESC {
            Type: tensor.tensor_type,
            Desc: desc,
        })
    }
}

/// Keeps a list in place, if there is one. An empty one has an address too, so that it is not null.
fn keep<T>(kept: &mut Vec<Box<[T]>>, list: Vec<T>) -> *const T {
    let list = list.into_boxed_slice();
    let place = list.as_ptr();
    kept.push(list);
    place
}

/// Fields of a structure, laid out as in C.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn push(&mut self, bytes: &[u8], alignment: usize) {
        self.0.resize(self.0.len().next_multiple_of(alignment), 0);
        self.0.extend_from_slice(bytes);
    }

    fn pointer(&mut self, pointer: *const c_void) {
        // The library turns the number into a pointer again, so the memory must count as shared with it.
        self.push(&pointer.expose_provenance().to_ne_bytes(), size_of::<usize>());
    }

    fn into_words(self) -> Vec<u64> {
        let word = |chunk: &[u8]| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(bytes)
        };
        self.0.chunks(8).map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use dml_ops::{AxisDirection, DataType, Operator as _, TopK1, ffi::DML_TOP_K1_OPERATOR_DESC};

    use super::*;

    fn top_k1() -> Descriptor {
        let tensor = |t: DataType, sizes: &[u32]| Some(TensorDesc::packed(t.0, 32, sizes));
        let top = TopK1 {
            input_tensor: tensor(DataType::FLOAT32, &[2, 3]),
            output_value_tensor: tensor(DataType::FLOAT32, &[2, 1]),
            output_index_tensor: None,
            axis: 1,
            k: 7,
            axis_direction: AxisDirection::DECREASING,
        };
        top.to_descriptor()
    }

    #[test]
    #[allow(unsafe_code, reason = "what C would read is read")]
    fn fields_stand_where_the_generated_structure_has_them() {
        let made = Marshalled::new(&top_k1()).unwrap();
        // SAFETY: the pointers come from `made`, which lives to the end of the test; that they point to these
        // structures is what is tested (the words are aligned to 8 and as many as the structure has).
        unsafe {
            let root = &*made.as_ptr().cast::<DML_OPERATOR_DESC>();
            assert_eq!(root.Type, 112);
            assert_eq!(made.words[0].len() * 8, size_of::<DML_TOP_K1_OPERATOR_DESC>());
            let top = &*root.Desc.cast::<DML_TOP_K1_OPERATOR_DESC>();
            assert_eq!((top.Axis, top.K, top.AxisDirection.0), (1, 7, 1));
            assert!(top.OutputIndexTensor.is_null());
            let input = &*top.InputTensor;
            let buffer = &*input.Desc.cast::<DML_BUFFER_TENSOR_DESC>();
            let sizes = std::slice::from_raw_parts(buffer.Sizes, 2);
            assert_eq!((input.Type, buffer.DataType, buffer.DimensionCount), (1, 1, 2));
            assert_eq!((sizes, buffer.TotalTensorSizeInBytes), (&[2, 3][..], 24));
            assert!(buffer.Strides.is_null());
        }
    }

    #[test]
    fn reading_past_the_end_of_a_list_finds_zeros() {
        let made = Marshalled::new(&top_k1()).unwrap();
        assert_eq!(made.numbers.len(), 2);
        for list in &made.numbers {
            assert_eq!(list.len(), 2 + PAST_THE_END.len());
            assert!(list.ends_with(&PAST_THE_END), "{list:?}");
        }
    }

    #[test]
    fn an_operator_that_was_not_compiled_in_has_its_number() {
        let of = |operator: &'static str| Descriptor {
            operator: operator.into(),
            fields: Vec::new(),
        };
        for (operator, number) in [("ELEMENT_WISE_ABS", 2), ("UNFOLD", 177)] {
            let made = Marshalled::new(&of(operator)).map(|made| made.root.map(|root| root.Type));
            assert_eq!(made, Ok(Some(number)), "{operator}");
        }
        let unknown = Marshalled::new(&of("TOP_K7")).map(|_| ());
        assert_eq!(unknown, Err(MarshalError::Operator("TOP_K7".to_owned())));
    }

    #[test]
    fn strides_of_another_length_cannot_be_said() {
        let mut descriptor = top_k1();
        let Value::Tensor(Some(tensor)) = &mut descriptor.fields[0] else {
            panic!("no tensor")
        };
        tensor.strides = Some([1].into_iter().collect());
        let error = MarshalError::Strides { sizes: 2, strides: 1 };
        assert_eq!(Marshalled::new(&descriptor).err(), Some(error));
    }
}
