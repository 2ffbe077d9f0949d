//! Bindings of an operator's tensors: which of a job's buffers, and at which offset.

use dml_ops::{Answer, Buffer, Descriptor, Job, TensorDesc, Value, find};

/// Alignment of tensors in buffers, `DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT`.
const TENSOR: u64 = 16;

/// Alignment of temporary and persistent resources, and of sections of buffers.
pub(super) const SECTION: u64 = 256;

/// The largest alignment that can be promised: that of buffers themselves, to which offsets are relative.
const LARGEST: u32 = 0x1_0000;

/// `DML_TENSOR_FLAG_OWNED_BY_DML`.
const OWNED: u32 = 1;

/// A tensor of the operator, as it is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// Number of the job's buffer.
    pub(super) buffer: usize,
    /// Bytes that are bound.
    pub(super) bytes: u64,
    /// What its offset has to be a multiple of.
    pub(super) alignment: u64,
    /// Whether the library takes it over when the operator is initialised.
    pub(super) owned: bool,
}

/// One for each tensor of the structure, in its order; `None` if the tensor is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots {
    pub(super) inputs: Vec<Option<Slot>>,
    pub(super) outputs: Vec<Option<Slot>>,
}

impl Slots {
    /// Matches the tensors of the descriptor with the job's buffers.
    ///
    /// # Errors
    /// The job's answer, if they do not match, or no offset is aligned as promised.
    pub(super) fn new(job: &Job) -> Result<Self, Answer> {
        let (inputs, outputs) = tensors(&job.descriptor)?;
        Ok(Self {
            inputs: match_up("input", &inputs, &job.inputs)?,
            outputs: match_up("output", &outputs, &job.outputs)?,
        })
    }
}

/// Inputs and outputs in struct order, absent ones too: in every structure of DirectML's inputs come before outputs.
type TensorLists<'a> = (Vec<Option<&'a TensorDesc>>, Vec<Option<&'a TensorDesc>>);

fn tensors(descriptor: &Descriptor) -> Result<TensorLists<'_>, Answer> {
    let unknown = || error(format!("unknown operator {}", descriptor.operator));
    let inputs = find(&descriptor.operator).ok_or_else(unknown)?.inputs;
    let (mut lists, mut fields) = ((Vec::new(), Vec::new()), 0);
    for value in &descriptor.fields {
        let list = if fields < inputs { &mut lists.0 } else { &mut lists.1 };
        match value {
            Value::Tensor(tensor) => list.push(tensor.as_ref()),
            Value::Tensors(tensors) => list.extend(tensors.iter().flatten().map(Some)),
            _ => continue,
        }
        fields += 1;
    }
    Ok(lists)
}

fn error(message: String) -> Answer {
    Answer::Error { message }
}

fn match_up(side: &str, tensors: &[Option<&TensorDesc>], buffers: &[Buffer]) -> Result<Vec<Option<Slot>>, Answer> {
    let present = tensors.iter().flatten().count();
    if present != buffers.len() {
        let found = buffers.len();
        return Err(error(format!(
            "the descriptor has {present} {side} tensors, found {found} buffers"
        )));
    }
    let mut numbers = 0..present;
    let slot = |tensor: &TensorDesc, buffer: usize| {
        let (bytes, found) = (tensor.total_tensor_size_in_bytes, buffers[buffer].tensor().len());
        if bytes != found as u64 {
            return Err(error(format!("an {side} tensor has {bytes} bytes, its buffer {found}")));
        }
        let alignment = tensor.guaranteed_base_offset_alignment;
        if alignment > LARGEST {
            let reason = format!("buffers are aligned to {LARGEST} bytes, {alignment} were promised");
            return Err(Answer::Skipped { reason });
        }
        Ok(Slot {
            buffer,
            // Views of buffers count words of 4 bytes. A total size that is no multiple ends in the guard.
            bytes: bytes.next_multiple_of(4),
            alignment: TENSOR.max(u64::from(alignment)),
            owned: tensor.flags & OWNED != 0,
        })
    };
    tensors
        .iter()
        .map(|tensor| {
            let number = tensor.and_then(|_| numbers.next());
            tensor
                .zip(number)
                .map(|(tensor, number)| slot(tensor, number))
                .transpose()
        })
        .collect()
}

/// Hands out ranges of one buffer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    /// Bytes that are taken.
    pub(super) used: u64,
}

impl Layout {
    /// The start of a range such that `lead` bytes after it an offset is a multiple of `alignment`.
    pub(super) fn place(&mut self, bytes: u64, lead: u64, alignment: u64) -> u64 {
        let start = (self.used + lead).next_multiple_of(alignment) - lead;
        self.used = start + bytes;
        start
    }

    /// Goes on at the next section.
    pub(super) fn section(&mut self) -> u64 {
        self.used = self.used.next_multiple_of(SECTION);
        self.used
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dml_ops::{AxisDirection, DataType, FeatureLevel, Operator as _, TopK1};

    use super::*;

    fn job(index: Option<TensorDesc>, lengths: [&[usize]; 2]) -> Job {
        let top = TopK1 {
            input_tensor: Some(TensorDesc::packed(DataType::FLOAT32.0, 32, &[5])),
            output_value_tensor: Some(TensorDesc::packed(DataType::FLOAT32.0, 32, &[2])),
            output_index_tensor: index,
            axis: 0,
            k: 2,
            axis_direction: AxisDirection::DECREASING,
        };
        let buffers = |lengths: &[usize]| {
            let buffer = |bytes: &usize| Buffer::new(vec![0; bytes + 128], 64);
            lengths.iter().map(buffer).collect()
        };
        Job {
            id: 1,
            feature_level: FeatureLevel::new(5, 0),
            descriptor: Arc::new(top.to_descriptor()),
            inputs: buffers(lengths[0]),
            outputs: buffers(lengths[1]),
            aliases: Box::default(),
            half_precision: false,
        }
    }

    #[test]
    fn absent_tensors_keep_their_place_and_take_no_buffer() {
        let slots = Slots::new(&job(None, [&[20], &[8]])).unwrap();
        let slot = |buffer, bytes| Slot {
            buffer,
            bytes,
            alignment: 16,
            owned: false,
        };
        assert_eq!(slots.inputs, [Some(slot(0, 20))]);
        assert_eq!(slots.outputs, [Some(slot(0, 8)), None]);
    }

    #[test]
    fn promised_alignments_and_odd_totals_are_kept() {
        let mut index = TensorDesc::packed(DataType::UINT32.0, 32, &[2]);
        index.guaranteed_base_offset_alignment = 4096;
        index.total_tensor_size_in_bytes = 9;
        let slots = Slots::new(&job(Some(index.clone()), [&[20], &[8, 9]])).unwrap();
        let slot = slots.outputs[1].unwrap();
        assert_eq!((slot.buffer, slot.bytes, slot.alignment), (1, 12, 4096));
        index.guaranteed_base_offset_alignment = 1 << 31;
        let answer = Slots::new(&job(Some(index), [&[20], &[8, 9]])).unwrap_err();
        assert!(
            matches!(&answer, Answer::Skipped { reason } if reason.contains("2147483648 were promised")),
            "{answer:?}"
        );
    }

    #[test]
    fn buffers_that_do_not_match_are_told() {
        let text = |lengths| match Slots::new(&job(None, lengths)).unwrap_err() {
            Answer::Error { message } => message,
            other => panic!("{other:?}"),
        };
        assert!(text([&[20], &[8, 8]]).contains("1 output tensors, found 2 buffers"));
        assert!(text([&[16], &[8]]).contains("20 bytes, its buffer 16"));
    }

    #[test]
    fn ranges_are_aligned_behind_their_guards() {
        let mut layout = Layout::default();
        assert_eq!(layout.place(148, 64, 16), 0);
        assert_eq!(layout.place(148, 64, 4096), 4032);
        assert_eq!((layout.place(130, 64, 16), layout.section()), (4192, 4352));
    }
}
