//! Overrides that change one field of a valid descriptor: what faults are made of. They follow from the kinds of the fields.

use std::collections::BTreeSet;

use dml_spec::{
    Catalog, Descriptor, TensorDesc, Value,
    model::{DATA_TYPE, FieldKind, Operator},
};

use dml_spec::path::{self, EMPTY, MANY, NULL, Spelled, dims, dims_text};

/// An override: path and value, as ids spell them.
pub type Override = (String, String);

/// Every override that changes one field of `base`, in struct order.
pub fn list_overrides(catalog: &Catalog, operator: &Operator, base: &Descriptor) -> Vec<Override> {
    let mut found = Vec::new();
    for (field, value) in operator.fields.iter().zip(&base.fields) {
        let name = &field.name;
        let mut add = |path: String, text: String| found.push((path, text));
        match value {
            Value::Tensor(Some(tensor)) => {
                if !field.optional {
                    add(name.to_string(), NULL.to_owned());
                }
                add_tensor_overrides(catalog, tensor, &mut |part, text| add(format!("{name}.{part}"), text));
            }
            Value::Tensors(Some(tensors)) => {
                if !field.optional {
                    add(name.to_string(), NULL.to_owned());
                    add(name.to_string(), EMPTY.to_owned());
                }
                for (n, tensor) in tensors.iter().enumerate() {
                    add_tensor_overrides(catalog, tensor, &mut |part, text| {
                        add(format!("{name}.{n}.{part}"), text)
                    });
                }
            }
            Value::UInt(value) => {
                let texts = match &field.kind {
                    FieldKind::Enum(enumeration) => enum_values(catalog, enumeration, *value),
                    _ => uint_values(*value, operator, base),
                };
                texts.into_iter().for_each(|n| add(name.to_string(), n.to_string()));
            }
            Value::Int(value) => {
                let values = int_values(*value);
                values.iter().for_each(|n| add(name.to_string(), n.to_string()));
            }
            Value::Float(value) => {
                let texts = float_values(*value);
                texts.into_iter().for_each(|text| add(name.to_string(), text));
            }
            Value::Floats(Some(list)) => {
                let words: Vec<String> = list.iter().map(|item| item.spell()).collect();
                add_list_overrides(&words, 'x', &mut |text| add(name.to_string(), text));
                for (i, item) in list.iter().enumerate() {
                    let texts = float_values(*item);
                    texts.into_iter().for_each(|text| add(format!("{name}.{i}"), text));
                }
            }
            Value::ScaleBias(value) => {
                let texts = scale_bias_values(*value, field.optional);
                texts.into_iter().for_each(|text| add(name.to_string(), text));
            }
            Value::Operator(_) => {
                let names = operator.cases.nested.iter().map(|nested| nested.name.to_string());
                names
                    .chain([NULL.to_owned()])
                    .for_each(|text| add(name.to_string(), text));
            }
            Value::Operators(Some(list)) => {
                let names = list.iter().map(|of| path::nested_name(catalog, operator, of));
                if let Some(names) = names.collect::<Option<Vec<_>>>() {
                    add_list_overrides(&names, MANY, &mut |text| add(name.to_string(), text));
                }
            }
            Value::Ints(Some(list)) => {
                for (i, item) in list.iter().enumerate() {
                    for n in int_values(*item) {
                        add(format!("{name}.{i}"), n.to_string());
                    }
                }
                add_list_overrides(list, 'x', &mut |text| add(name.to_string(), text));
            }
            Value::UInts(Some(list)) => {
                add_list_overrides(list, 'x', &mut |text| add(name.to_string(), text));
                for (i, item) in list.iter().enumerate() {
                    uint_values(*item, operator, base)
                        .iter()
                        .for_each(|n| add(format!("{name}.{i}"), n.to_string()));
                }
            }
            _ => {}
        }
    }
    found
}

/// Neighbours, zero, and what is far or no number.
fn float_values(value: f32) -> Vec<String> {
    let near = [value - 1.0, value + 1.0, -value, 0.0].map(|x| x.spell());
    let far = ["1e30", "-1e30", "inf", "-inf", "nan"].map(str::to_owned);
    let all = near.into_iter().chain(far);
    all.filter(|text| *text != value.spell()).collect()
}

/// Neighbours, limits, and values that wrap around to 0 and to 4 if they are multiplied by four.
fn int_values(value: i32) -> Vec<i32> {
    let (less, more) = (value.saturating_sub(1), value.saturating_add(1));
    let quarter = 1 << 30;
    let mut values = vec![
        less,
        more,
        value.saturating_neg(),
        0,
        -1,
        quarter,
        quarter + 1,
        i32::MIN,
        i32::MAX,
    ];
    values.sort_unstable();
    values.dedup();
    values.retain(|n| *n != value);
    values
}

/// Null, the identity, and the neighbours of this one.
fn scale_bias_values(value: Option<(f32, f32)>, optional: bool) -> Vec<String> {
    let (scale, bias) = value.unwrap_or((1.0, 0.0));
    let near = [
        (1.0, 0.0),
        (1.0, -0.0),
        (scale + 1.0, bias),
        (scale.next_down(), bias),
        (scale.next_up(), bias),
        (scale, bias + 1.0),
        (scale, bias.next_down()),
        (scale, bias.next_up()),
        (0.0, 0.0),
    ];
    let spell = |(scale, bias): (f32, f32)| format!("{}x{}", scale.spell(), bias.spell());
    let mut texts: Vec<String> = near.map(spell).into();
    texts.extend(optional.then(|| NULL.to_owned()));
    let own = value.map_or_else(|| NULL.to_owned(), spell);
    let mut seen = BTreeSet::new();
    texts.retain(|text| *text != own && seen.insert(text.clone()));
    texts
}

/// Adds the list without its last element, with one more, the empty list and null.
fn add_list_overrides<T: ToString>(list: &[T], between: char, add: &mut dyn FnMut(String)) {
    let between = between.to_string();
    let words: Vec<String> = list.iter().map(T::to_string).collect();
    let longer = words.iter().chain(words.last());
    add(longer.cloned().collect::<Vec<_>>().join(&between));
    match words.len() {
        0 => {}
        1 => add(EMPTY.to_owned()),
        n => {
            add(words[..n - 1].join(&between));
            add(EMPTY.to_owned());
        }
    }
    add(NULL.to_owned());
}

fn enum_values(catalog: &Catalog, enumeration: &str, value: u32) -> Vec<u32> {
    let members = catalog.enumeration(enumeration).map(|e| e.members.iter());
    let types = catalog.data_types.iter().filter(|_| enumeration == DATA_TYPE);
    let mut values: Vec<u32> = members.into_iter().flatten().map(|member| member.value).collect();
    values.extend(types.map(|ty| ty.value));
    let past_last = values.iter().max().map_or(0, |n| n + 1);
    // The member itself to code that reads only 8 or 16 bits.
    let masked = [1 << 8, 1 << 16].map(|high| value | high);
    values.extend([past_last, past_last + 1].into_iter().chain(masked));
    // Limits of what is negative to code that reads the member as a signed number.
    values.extend([i32::MAX.unsigned_abs(), i32::MIN.unsigned_abs(), u32::MAX]);
    values.retain(|n| *n != value);
    values
}

/// Neighbours of a number, and 0.
pub fn neighbours_of(value: u32) -> Vec<u32> {
    let mut values = vec![
        0,
        value.saturating_sub(1),
        value.saturating_add(1),
        value.saturating_add(2),
    ];
    values.sort_unstable();
    values.dedup();
    values.retain(|n| *n != value);
    values
}

fn uint_values(value: u32, operator: &Operator, base: &Descriptor) -> Vec<u32> {
    let mut values = neighbours_of(value);
    values.extend([1 << 31, u32::MAX]);
    for (_, field) in operator.fields.iter().zip(&base.fields) {
        if let Value::Tensor(Some(tensor)) = field {
            values.push(tensor.dimension_count());
        }
    }
    values.sort_unstable();
    values.dedup();
    values.retain(|n| *n != value);
    values
}

fn add_tensor_overrides(catalog: &Catalog, tensor: &TensorDesc, add: &mut dyn FnMut(String, String)) {
    for value in ["INVALID", "2", "4294967295"] {
        add("Type".to_owned(), value.to_owned());
    }
    for ty in catalog.data_types.iter().filter(|t| t.value != tensor.data_type) {
        add("DataType".to_owned(), ty.name.to_string());
    }
    for value in [catalog.data_types.len() as u32, u32::MAX] {
        add("DataType".to_owned(), value.to_string());
    }
    for flags in [1, 2, 3, 1 << 31] {
        add("Flags".to_owned(), u32::to_string(&flags));
    }
    add_size_overrides(tensor, add);
    add_stride_overrides(catalog, tensor, add);
    let minimum = tensor.total_tensor_size_in_bytes;
    let width = catalog
        .data_type(tensor.data_type)
        .map_or(1, |t| u64::from(t.bits / 8).max(1));
    // Nothing between the last whole element and the limit: releases of DirectML differ on the bytes left over.
    let limit = (1u64 << 32) * width;
    for total in [
        0,
        minimum.saturating_sub(1),
        minimum.saturating_sub(4),
        minimum.wrapping_add(1),
        minimum.wrapping_add(4),
        limit - width,
        limit,
        u64::MAX,
    ] {
        add("TotalTensorSizeInBytes".to_owned(), total.to_string());
    }
    for alignment in [1, 2, 3, 4, 6, 8, 15, 16, 24, 32, 48, 4096, 1 << 31, u32::MAX] {
        add("GuaranteedBaseOffsetAlignment".to_owned(), u32::to_string(&alignment));
    }
}

fn add_size_overrides(tensor: &TensorDesc, add: &mut dyn FnMut(String, String)) {
    let sizes = tensor.sizes();
    add("Sizes".to_owned(), NULL.to_owned());
    add("Sizes".to_owned(), EMPTY.to_owned());
    for rank in (1..=9).filter(|r| *r != sizes.len()) {
        add("Sizes".to_owned(), dims_text(&resize(sizes, rank)));
    }
    // The same number of elements in another shape.
    if let Some(d) = sizes.windows(2).position(|pair| pair[0] != pair[1]) {
        let mut swapped = sizes.to_vec();
        swapped.swap(d, d + 1);
        add("Sizes".to_owned(), dims_text(&swapped));
    }
    for (d, size) in sizes.iter().enumerate() {
        for value in [0, size.saturating_sub(1), size.saturating_add(1), u32::MAX] {
            if value != *size && (value != 0 || *size > 1 || d == 0) {
                add(format!("Sizes.{d}"), value.to_string());
            }
        }
    }
}

/// Sizes as ids spell them, of one tensor or of many, with trailing dimensions dropped or ones appended.
pub fn resize_text(text: &str, rank: usize) -> String {
    let one = |text: &str| {
        let sizes = dims(text).ok().flatten().unwrap_or_default();
        dims_text(&resize(&sizes, rank))
    };
    let all: Vec<String> = text.split(MANY).map(one).collect();
    all.join(&MANY.to_string())
}

/// Sizes as ids spell them, with zero for the number at a place.
pub fn with_zero(text: &str, place: usize) -> String {
    let mut nth = 0;
    text.split_inclusive(['x', MANY])
        .map(|part| {
            let number = part.trim_end_matches(['x', MANY]);
            let changed = if nth == place {
                part.replacen(number, "0", 1)
            } else {
                part.to_owned()
            };
            nth += 1;
            changed
        })
        .collect()
}

/// The sizes with trailing dimensions dropped, or ones appended.
fn resize(sizes: &[u32], rank: usize) -> Vec<u32> {
    let mut sizes = sizes.to_vec();
    sizes.resize(rank, 1);
    sizes
}

/// Packed strides except one, with which the last element lies a multiple of 2^32 times `1 / width` elements further.
fn wrapping_strides(sizes: &[u32], packed: &[u32], width: u32) -> Option<Vec<u32>> {
    let stride = |size: &u32| {
        let steps = u64::from(size.saturating_sub(1)) * u64::from(width);
        let halvings = 32_u32.checked_sub(steps.trailing_zeros()).filter(|_| *size > 1)?;
        1_u32.checked_shl(halvings)
    };
    let (d, stride) = sizes
        .iter()
        .enumerate()
        .find_map(|(d, size)| Some((d, stride(size)?)))?;
    let mut strides = packed.to_vec();
    *strides.get_mut(d)? = stride;
    Some(strides)
}

fn add_stride_overrides(catalog: &Catalog, tensor: &TensorDesc, add: &mut dyn FnMut(String, String)) {
    let sizes = tensor.sizes();
    let Some(packed) = dml_spec::layout::packed_strides(sizes) else {
        return;
    };
    let mut variants = vec![
        packed.to_vec(),
        packed.iter().map(|s| s.wrapping_mul(2)).collect(),
        vec![1; sizes.len()],
        vec![0; sizes.len()],
    ];
    for d in 0..sizes.len() {
        let mut changed = packed.to_vec();
        changed[d] = 0;
        variants.push(changed.clone());
        changed[d] = packed[d].saturating_sub(1);
        variants.push(changed.clone());
        changed[d] = packed[d].wrapping_add(1);
        variants.push(changed);
    }
    let mut reversed =
        dml_spec::layout::packed_strides(&sizes.iter().rev().copied().collect::<Vec<_>>()).unwrap_or_default();
    reversed.reverse();
    variants.push(reversed.to_vec());
    variants.push(packed[..packed.len().saturating_sub(1)].to_vec());
    variants.push(packed.iter().copied().chain([1]).collect());
    // Long strides for a few dimensions only, so that ids stay short.
    let long_dimensions = if sizes.len() > 6 { 1 } else { 4 };
    variants.push(
        packed
            .iter()
            .enumerate()
            .map(|(d, s)| if d < long_dimensions { u32::MAX } else { *s })
            .collect(),
    );
    // Two dimensions with equal strides, long enough for all elements.
    let long: Vec<usize> = (0..sizes.len()).filter(|d| sizes[*d] > 1).collect();
    if let [.., d, e] = long[..] {
        let mut alike = packed.to_vec();
        let all = sizes.iter().try_fold(1_u32, |all, size| all.checked_mul(*size));
        (alike[d], alike[e]) = (all.unwrap_or(1), all.unwrap_or(1));
        variants.push(alike);
    }
    // The last element lies a multiple of 2^32 bytes or elements further, which is nothing to 32-bit arithmetic.
    let width = catalog.data_type(tensor.data_type).map_or(8, |ty| ty.bits) / 8;
    variants.extend(
        [width.max(1), 1]
            .into_iter()
            .filter_map(|width| wrapping_strides(sizes, &packed, width)),
    );
    variants.dedup();
    for strides in variants {
        add("Strides".to_owned(), dims_text(&strides));
    }
}
