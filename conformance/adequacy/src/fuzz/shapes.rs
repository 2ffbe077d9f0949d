//! Changes of whole shapes, which changes of one number do not lead to: a tensor gets another dimension in front, or several
//! tensors get another size at the same dimension.

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
        // All tensors with as many dimensions.
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

/// Another size for one of these dimensions, in every tensor that has the same size there; dimensions are counted from the
/// last one.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn shapes_of_one_tensor_and_of_several_change() {
        let suite = crate::embedded::suite();
        let id = "GATHER:3.0:sizes:type=FLOAT32,index=UINT32,sizes=2x3x4,shape=1x1x2,axis=1,dims=1,indices=in-range";
        let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
        let (operator, _) = suite.operator("GATHER").unwrap();
        let mut random = Random::new("shapes", 0);
        let found: BTreeSet<Keys> = (0..400)
            .map(|_| change(operator, &case.descriptor, &mut random))
            .collect();
        let has = |changes: &[(&str, &str)]| {
            let changes = changes
                .iter()
                .map(|(path, sizes)| (path.to_string(), sizes.to_string()));
            found.contains(&changes.collect::<Keys>())
        };
        // A dimension more in front, or one less, the sizes of another tensor, and one size wherever it stands.
        assert!(has(&[("InputTensor.Sizes", "1x2x3x4")]) && has(&[("InputTensor.Sizes", "2x2x3x4")]));
        assert!(has(&[("InputTensor.Sizes", "3x4")]) && has(&[("InputTensor.Sizes", "1x1x2")]));
        assert!(
            has(&[("InputTensor.Sizes", "2x3x5"), ("OutputTensor.Sizes", "2x2x5")]),
            "{found:?}"
        );
        let together = ["InputTensor.Sizes", "IndicesTensor.Sizes", "OutputTensor.Sizes"];
        let in_all = found.iter().find(|change| change.len() == together.len());
        assert!(in_all.is_some_and(|all| {
            all.iter()
                .all(|(path, sizes)| together.contains(&&**path) && sizes.starts_with("1x"))
        }));
    }
}
