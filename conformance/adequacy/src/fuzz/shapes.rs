//! Changes of whole shapes: what changes of one number never lead to, such as a tensor with a dimension of one element more
//! in front, or two tensors that both have another size.

use dml_case::random::Random;
use dml_spec::{Descriptor, Value, model::Operator, path::dims_text};

use super::rows::Keys;

/// Sizes of a tensor, and the path that sets them.
type Shaped = (String, Vec<u32>);

/// A change of the sizes of one tensor or of several at once; none if there is no tensor.
pub(super) fn change(operator: &Operator, descriptor: &Descriptor, random: &mut Random) -> Keys {
    let all = shapes(operator, descriptor);
    let Some((path, sizes)) = any(&all, random) else {
        return Vec::new();
    };
    let changed = match random.below(6) {
        0 => vec![(path.clone(), longer(sizes, 1))],
        1 => vec![(path.clone(), longer(sizes, 2))],
        2 => vec![(path.clone(), sizes.get(1..).unwrap_or_default().to_vec())],
        3 => any(&all, random).map_or_else(Vec::new, |(_, other)| vec![(path.clone(), other.clone())]),
        // As many tensors as have so many dimensions.
        4 => {
            let alike = all.iter().filter(|(_, other)| other.len() == sizes.len());
            alike.map(|(path, sizes)| (path.clone(), longer(sizes, 1))).collect()
        }
        _ => resized(&all, sizes, random),
    };
    let is_other = |(path, sizes): &&Shaped| !sizes.is_empty() && !all.contains(&(path.clone(), sizes.clone()));
    let changed = changed.iter().filter(is_other);
    changed.map(|(path, sizes)| (path.clone(), dims_text(sizes))).collect()
}

/// Every tensor that has an element with the size of one dimension of these gets another size there, if it has it at the
/// same dimension, counted from the last.
fn resized(all: &[Shaped], sizes: &[u32], random: &mut Random) -> Vec<Shaped> {
    let from_end = random.below(sizes.len().max(1) as u64) as usize;
    let size = |sizes: &[u32]| sizes.iter().rev().nth(from_end).copied();
    let Some(old) = size(sizes) else {
        return Vec::new();
    };
    let new = if random.below(2) == 0 {
        old + 1
    } else {
        (old - 1).max(1)
    };
    let alike = all.iter().filter(|(_, sizes)| size(sizes) == Some(old));
    let changed = |(path, sizes): &Shaped| {
        let mut sizes = sizes.clone();
        let at = sizes.len() - 1 - from_end;
        sizes[at] = new;
        (path.clone(), sizes)
    };
    alike.map(changed).collect()
}

fn longer(sizes: &[u32], by: u32) -> Vec<u32> {
    [&[by], sizes].concat()
}

fn any<'s>(all: &'s [Shaped], random: &mut Random) -> Option<&'s Shaped> {
    all.get(random.below(all.len().max(1) as u64) as usize)
}

/// The tensors that are there and have sizes.
fn shapes(operator: &Operator, descriptor: &Descriptor) -> Vec<Shaped> {
    let mut all = Vec::new();
    for (field, value) in operator.fields.iter().zip(&descriptor.fields) {
        let name = &field.name;
        match value {
            Value::Tensor(Some(tensor)) => all.push((format!("{name}.Sizes"), tensor.sizes().to_vec())),
            Value::Tensors(Some(tensors)) => {
                let numbered = tensors.iter().enumerate();
                all.extend(numbered.map(|(n, tensor)| (format!("{name}.{n}.Sizes"), tensor.sizes().to_vec())));
            }
            _ => {}
        }
    }
    all.retain(|(_, sizes)| !sizes.is_empty() && sizes.iter().all(|size| (1..1 << 16).contains(size)));
    all
}
