//! Legal descriptors close to the examples of an operator: the corners of its tables.

use std::collections::BTreeSet;

use dml_spec::{
    desc::{Descriptor, TensorDesc, Value},
    example,
    model::{Catalog, FieldKind, Operator},
    program::Program,
};

use super::descs;

/// Most descriptors that are tried.
const MOST: usize = 400;
/// Most elements of a tensor that is tried.
const ELEMENTS: u64 = 512;
/// How many changes lead from an example to a descriptor.
const CHANGES: usize = 2;

/// The examples of an operator, these `seeds`, and legal descriptors that a few changes make of them; those with fewer
/// changes first.
pub fn corners(catalog: &Catalog, operator: &Operator, seeds: Vec<Descriptor>) -> Vec<Descriptor> {
    let Ok(program) = Program::compile(catalog, operator) else {
        return Vec::new();
    };
    let is_legal = |descriptor: &Descriptor| {
        operator.support.iter().any(|table| {
            let broken = program.evaluate(catalog, operator, descriptor, table.level);
            !broken.iter().any(|violation| violation.text || violation.runtime)
        })
    };
    let examples = operator.examples.iter();
    let mut known = BTreeSet::new();
    let mut all: Vec<Descriptor> = Vec::new();
    let plain = (1..=5).map(|rank| plain(catalog, operator, rank));
    let mut last: Vec<Descriptor> = examples
        .filter_map(|e| example::descriptor(catalog, operator, e))
        .chain(plain)
        .chain(seeds)
        .collect();
    for _ in 0..=CHANGES {
        last.retain(|descriptor| {
            known.insert(format!("{descriptor:?}")) && is_small(descriptor) && is_legal(descriptor)
        });
        all.extend(last.iter().cloned());
        if all.len() >= MOST {
            break;
        }
        // Every example gets its share of what may be tried.
        let share = (4 * MOST).div_ceil(last.len().max(1));
        last = last
            .iter()
            .flat_map(|d| changes(catalog, operator, d).into_iter().take(share))
            .collect();
    }
    all.truncate(MOST);
    all
}

/// A descriptor whose tensors all have the same few sizes, in the first data type of their tables: what many operators
/// take, those without examples among them.
fn plain(catalog: &Catalog, operator: &Operator, rank: usize) -> Descriptor {
    let sizes: Vec<u32> = [2, 3, 2, 1, 2].into_iter().take(rank).collect();
    let mut descriptor = Descriptor::zeroed(operator);
    for (field, value) in operator.fields.iter().zip(&mut descriptor.fields) {
        let rows = operator.support.iter().flat_map(|table| table.rows_of(&field.name));
        let ty = rows
            .flat_map(|row| row.types.iter())
            .find_map(|ty| catalog.data_type_named(ty));
        if let (FieldKind::Tensor(_), Some(ty)) = (&field.kind, ty) {
            *value = Value::Tensor(Some(TensorDesc::packed(ty.value, ty.bits, &sizes)));
        }
    }
    descriptor
}

fn is_small(descriptor: &Descriptor) -> bool {
    let count = |tensor: &TensorDesc| {
        tensor
            .sizes()
            .iter()
            .try_fold(1_u64, |n, size| n.checked_mul((*size).into()))
    };
    let mut all = descriptor.fields.iter().flat_map(descs);
    all.all(|tensor| count(tensor).is_some_and(|n| n <= ELEMENTS))
}

/// Descriptors that one change makes: most are not legal.
fn changes(catalog: &Catalog, operator: &Operator, from: &Descriptor) -> Vec<Descriptor> {
    let mut all = Vec::new();
    attributes(catalog, operator, from, &mut all);
    sizes(catalog, from, &mut all);
    types(catalog, from, &mut all);
    all
}

/// Another data type for all tensors that have the same one, and for each tensor alone.
fn types(catalog: &Catalog, from: &Descriptor, all: &mut Vec<Descriptor>) {
    for ty in catalog.data_types.iter() {
        let old: BTreeSet<u32> = from
            .fields
            .iter()
            .flat_map(descs)
            .map(|tensor| tensor.data_type)
            .collect();
        for old in old {
            all.push(changed(catalog, from, |_, data_type, _| {
                if *data_type == old {
                    *data_type = ty.value;
                }
            }));
        }
        for field in 0..from.fields.len() {
            all.push(changed(catalog, from, |at, data_type, _| {
                if at == field {
                    *data_type = ty.value;
                }
            }));
        }
    }
}

/// Other sizes wherever one stands; a dimension of all tensors; a dimension more or less.
fn sizes(catalog: &Catalog, from: &Descriptor, all: &mut Vec<Descriptor>) {
    let old: BTreeSet<u32> = from
        .fields
        .iter()
        .flat_map(descs)
        .flat_map(|t| t.sizes().to_vec())
        .collect();
    for old in old {
        for new in [1, 2, 3, old.saturating_add(1)] {
            let replace = |size: &mut u32| {
                if *size == old {
                    *size = new;
                }
            };
            let mut replaced = changed(catalog, from, |_, _, sizes| sizes.iter_mut().for_each(replace));
            all.push(replaced.clone());
            for value in &mut replaced.fields {
                if let Value::UInt(number) = value {
                    replace(number);
                }
            }
            all.push(replaced);
        }
    }
    for d in 0..8 {
        for new in [1, 2, 5] {
            all.push(changed(catalog, from, |_, _, sizes| {
                if let Some(size) = sizes.get_mut(d) {
                    *size = new;
                }
            }));
        }
    }
    all.push(changed(catalog, from, |_, _, sizes| sizes.insert(0, 1)));
    all.push(changed(catalog, from, |_, _, sizes| sizes.push(2)));
    all.push(changed(catalog, from, |_, _, sizes| {
        sizes.pop();
    }));
}

/// The descriptor with the data type and sizes of each tensor changed; tensors become packed.
fn changed(catalog: &Catalog, from: &Descriptor, mut change: impl FnMut(usize, &mut u32, &mut Vec<u32>)) -> Descriptor {
    let mut descriptor = from.clone();
    for (at, value) in descriptor.fields.iter_mut().enumerate() {
        let tensors = match value {
            Value::Tensor(Some(tensor)) => std::slice::from_mut(tensor),
            Value::Tensors(Some(tensors)) => tensors.as_mut_slice(),
            _ => continue,
        };
        for tensor in tensors {
            let (mut data_type, mut sizes) = (tensor.data_type, tensor.sizes().to_vec());
            change(at, &mut data_type, &mut sizes);
            let bits = catalog.data_type(data_type).map_or(32, |ty| ty.bits);
            *tensor = TensorDesc::packed(data_type, bits, &sizes);
        }
    }
    descriptor
}

/// Another value of one attribute, or a tensor or array that is absent.
fn attributes(catalog: &Catalog, operator: &Operator, from: &Descriptor, all: &mut Vec<Descriptor>) {
    for (at, (field, value)) in operator.fields.iter().zip(&from.fields).enumerate() {
        let values: Vec<Value> = match (&field.kind, value) {
            (FieldKind::Enum(name), _) => {
                let members = catalog.enumeration(name).map(|of| of.members.iter().map(|m| m.value));
                members.into_iter().flatten().map(Value::UInt).collect()
            }
            (_, Value::UInt(n)) => [0, 1, 2, 3, n.wrapping_add(1), n.wrapping_sub(1)]
                .map(Value::UInt)
                .to_vec(),
            (_, Value::Int(n)) => [0, 1, -1, n.wrapping_add(1), n.wrapping_sub(1), i32::MIN, i32::MAX]
                .map(Value::Int)
                .to_vec(),
            (_, Value::Float(_)) => [0.0, -1.0, 0.5, f32::NAN, f32::INFINITY, f32::MAX]
                .map(Value::Float)
                .to_vec(),
            (_, Value::UInts(Some(list))) => lists(list, &[0, 1, 2, 3])
                .into_iter()
                .map(|l| Value::UInts(Some(l.into())))
                .collect(),
            (_, Value::Ints(Some(list))) => lists(list, &[0, 1, -1, 2, -2])
                .into_iter()
                .map(|l| Value::Ints(Some(l.into())))
                .collect(),
            (_, Value::Tensor(Some(_))) if field.optional => vec![Value::Tensor(None)],
            _ => Vec::new(),
        };
        for value in values {
            let mut descriptor = from.clone();
            if let Some(place) = descriptor.fields.get_mut(at) {
                *place = value;
            }
            all.push(descriptor);
        }
    }
}

/// A list with one element changed, and reversed.
fn lists<T: Copy>(list: &[T], values: &[T]) -> Vec<Vec<T>> {
    let mut all = vec![list.iter().rev().copied().collect::<Vec<T>>()];
    for at in 0..list.len() {
        for value in values {
            let mut changed = list.to_vec();
            if let Some(place) = changed.get_mut(at) {
                *place = *value;
            }
            all.push(changed);
        }
    }
    all
}
