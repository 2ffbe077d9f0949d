//! Mistakes in where sequences along an axis begin and end: an implementation takes several for one, or one for several.

use dml_case::{context::Context, tensor::Shape};
use dml_spec::{
    desc::{Descriptor, TensorDesc, Value},
    model::{Catalog, FieldKind, Operator, Role},
};

use super::{Change, Kind, Mutant, results::axis};
use crate::load::Tensor;

/// Numbers of elements after which an implementation may begin another sequence.
const BLOCKS: [usize; 2] = [256, 1024];

/// How sequences along the dimension that a field names begin and end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sequences {
    /// They are taken for one, from the first to the last, or from the last to the first.
    Joined { field: usize, reversed: bool },
    /// Each is taken for several of so many elements, counted from its start or from its end.
    Split { field: usize, block: usize, from: End },
}

/// Where a sequence begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    First,
    Last,
    /// At its last element if a field has this value, else at its first one.
    By(usize, u32),
}

/// A case with other sequences.
pub(super) struct Resequenced {
    pub(super) descriptor: Descriptor,
    pub(super) inputs: Vec<Vec<Tensor>>,
    /// For each place of an output the place among the other sequences.
    pub(super) from: Vec<usize>,
}

/// Tensors of the same elements in other places.
struct Layout {
    sizes: Vec<usize>,
    axis: usize,
    /// For each place the one that its element had; `None` for an element that was added.
    places: Vec<Option<usize>>,
}

impl Sequences {
    /// The case that an implementation with this mistake sees, if it is another and all tensors have the same sizes.
    pub(super) fn apply(self, context: Context<'_>) -> Option<Resequenced> {
        let (Self::Joined { field, .. } | Self::Split { field, .. }) = self;
        let axis = axis(context, field)?;
        let tensors: Vec<&TensorDesc> = context.case.descriptor.fields.iter().filter_map(tensor).collect();
        let sizes = sizes(tensors.first()?);
        if !tensors.iter().all(|tensor| self::sizes(tensor) == sizes) {
            return None;
        }
        let layout = match self {
            Self::Joined { reversed, .. } => joined(&sizes, axis, reversed)?,
            Self::Split { block, from, .. } => {
                let from_end = match from {
                    End::First => false,
                    End::Last => true,
                    End::By(field, value) => context.case.descriptor.fields.get(field) == Some(&Value::UInt(value)),
                };
                split(&sizes, axis, block, from_end)?
            }
        };
        layout.apply(context, field)
    }
}

fn sizes(tensor: &TensorDesc) -> Vec<usize> {
    tensor.sizes().iter().map(|size| *size as usize).collect()
}

impl Layout {
    fn apply(&self, context: Context<'_>, field: usize) -> Option<Resequenced> {
        let descriptor = &context.case.descriptor;
        let mut from = vec![0; self.places.iter().flatten().count()];
        for (at, place) in self.places.iter().enumerate() {
            if let Some(place) = place {
                *from.get_mut(*place)? = at;
            }
        }
        let sizes: Option<Vec<u32>> = self.sizes.iter().map(|size| u32::try_from(*size).ok()).collect();
        let sizes = sizes?;
        let (mut other, mut inputs) = (Descriptor::clone(descriptor), Vec::new());
        *other.fields.get_mut(field)? = Value::UInt(u32::try_from(self.axis).ok()?);
        let mut given = context.case.inputs.iter();
        for (of, value) in context.operator.fields.iter().zip(&mut other.fields) {
            let mut read = Vec::new();
            match value {
                Value::Tensor(Some(desc)) => {
                    let shape = Shape::of(context.catalog(), desc)?;
                    (desc.sizes, desc.strides) = (Some(sizes.clone().into()), None);
                    if of.kind.role() == Some(Role::Input) {
                        let elements = shape.read(given.next()?);
                        let element = |place: &Option<usize>| match place {
                            Some(place) => elements.get(*place).copied(),
                            None => Some(0),
                        };
                        let elements: Option<Vec<u64>> = self.places.iter().map(element).collect();
                        read.push(Tensor::new(desc, &shape.ty, &elements?)?);
                    }
                }
                Value::Tensors(Some(_)) => return None,
                _ => {}
            }
            inputs.push(read);
        }
        Some(Resequenced {
            descriptor: other,
            inputs,
            from,
        })
    }
}

/// Several sequences, and where the elements of each stand.
struct Lines {
    length: usize,
    step: usize,
    count: usize,
}

impl Lines {
    fn of(sizes: &[usize], axis: usize) -> Option<Self> {
        let length = *sizes.get(axis)?;
        let all: usize = sizes.iter().product();
        Some(Self {
            length,
            step: sizes.iter().skip(axis + 1).product(),
            count: all.checked_div(length)?,
        })
    }

    fn place(&self, sequence: usize, along: usize) -> usize {
        sequence / self.step * self.step * self.length + along * self.step + sequence % self.step
    }
}

/// All sequences in one; `None` if there are no two.
fn joined(sizes: &[usize], axis: usize, reversed: bool) -> Option<Layout> {
    let lines = Lines::of(sizes, axis).filter(|lines| lines.count > 1)?;
    let place = |at: usize| {
        let (sequence, along) = (at / lines.length, at % lines.length);
        let sequence = if reversed { lines.count - 1 - sequence } else { sequence };
        Some(lines.place(sequence, along))
    };
    let mut joined = vec![1; sizes.len()];
    *joined.get_mut(axis)? = lines.count * lines.length;
    Some(Layout {
        sizes: joined,
        axis,
        places: (0..lines.count * lines.length).map(place).collect(),
    })
}

/// A row for each block of each sequence; the block that is not full has further elements where it is not met; `None` if
/// no sequence is longer than a block.
fn split(sizes: &[usize], axis: usize, block: usize, from_end: bool) -> Option<Layout> {
    let lines = Lines::of(sizes, axis).filter(|lines| lines.length > block)?;
    let blocks = lines.length.div_ceil(block);
    let place = |at: usize| {
        let (row, column) = (at / block, at % block);
        let (sequence, number) = (row / blocks, row % blocks);
        let along = if from_end {
            lines.length.checked_sub(number * block + block - column)
        } else {
            Some(number * block + column).filter(|along| *along < lines.length)
        };
        along.map(|along| lines.place(sequence, along))
    };
    Some(Layout {
        sizes: vec![lines.count * blocks, block],
        axis: 1,
        places: (0..lines.count * blocks * block).map(place).collect(),
    })
}

fn tensor(value: &Value) -> Option<&TensorDesc> {
    match value {
        Value::Tensor(tensor) => tensor.as_ref(),
        _ => None,
    }
}

/// The mistakes, by the fields that name a dimension of the outputs.
pub(super) fn mutants(catalog: &Catalog, operator: &Operator, axes: &[(usize, &str)]) -> Vec<Mutant> {
    let ends = ends(catalog, operator);
    let mut all = Vec::new();
    for (field, name) in axes {
        let mut push = |kind: Kind, word: String, sentence: String, sequences: Sequences| {
            all.push(Mutant {
                kind,
                id: format!("{kind}@{name}#{word}"),
                sentence,
                place: None,
                change: Change::Sequences(sequences),
            });
        };
        for (word, order) in [("", "first to the last"), ("-reversed", "last to the first")] {
            let sequences = Sequences::Joined {
                field: *field,
                reversed: !word.is_empty(),
            };
            let sentence = format!("the sequences along `{name}` are taken for one, from the {order}");
            push(Kind::Bounds, format!("one-sequence{word}"), sentence, sequences);
        }
        for block in BLOCKS {
            for (from, word, start) in &ends {
                let sequences = Sequences::Split {
                    field: *field,
                    block,
                    from: *from,
                };
                let sentence =
                    format!("along `{name}` it starts anew after every {block} elements, counted from {start}");
                push(Kind::Size, format!("blocks-{block}{word}"), sentence, sequences);
            }
        }
    }
    all
}

/// Where sequences may begin, each with a word and a text; attributes with two values may say it.
fn ends(catalog: &Catalog, operator: &Operator) -> Vec<(End, String, String)> {
    let mut all = vec![
        (End::First, String::new(), "the first".to_owned()),
        (End::Last, "-reversed".to_owned(), "the last".to_owned()),
    ];
    for (at, field) in operator.fields.iter().enumerate() {
        let FieldKind::Enum(of) = &field.kind else { continue };
        let Some(enumeration) = catalog.enumeration(of) else {
            continue;
        };
        let [_, second] = &*enumeration.members else { continue };
        let (name, prefix) = (&field.name, enumeration.prefix());
        let member = second.name.strip_prefix(&*prefix).unwrap_or(&second.name);
        let text = format!("the last if `{name}` is {member}, else from the first");
        all.push((End::By(at, second.value), format!("-by-{name}"), text));
    }
    all
}
