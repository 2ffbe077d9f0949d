//! Layouts: strides and slack of the tensors of a valid descriptor, by name.

use dml_spec::{Dims, TensorDesc, model::Role, patterns::LAYOUTS as NAMES};

/// The layout that ids leave out: no strides, no slack.
pub const DEFAULT: &str = NAMES[0];

/// Gives one tensor its strides and returns the slack in bytes; `None` if the layout does not apply to it.
type Apply = fn(&mut TensorDesc, Role) -> Option<u64>;

/// Name and meaning of every layout but the default.
pub const LAYOUTS: &[(&str, Apply)] = &[
    ("explicit", |tensor, _| set_strides(tensor, packed)),
    ("padded", |tensor, _| set_strides(tensor, padded)),
    ("padded-input", |tensor, role| {
        set_strides_of(Role::Input, role, tensor, padded)
    }),
    ("padded-output", |tensor, role| {
        set_strides_of(Role::Output, role, tensor, padded)
    }),
    ("pitched", |tensor, _| set_strides(tensor, pitched)),
    ("transposed", |tensor, _| set_strides(tensor, transposed)),
    ("transposed-input", |tensor, role| {
        set_strides_of(Role::Input, role, tensor, transposed)
    }),
    ("transposed-output", |tensor, role| {
        set_strides_of(Role::Output, role, tensor, transposed)
    }),
    ("broadcast-first", |tensor, role| {
        set_strides_of(Role::Input, role, tensor, |sizes| broadcast(sizes, true))
    }),
    ("broadcast-last", |tensor, role| {
        set_strides_of(Role::Input, role, tensor, |sizes| broadcast(sizes, false))
    }),
    ("broadcast-all", |tensor, role| {
        set_strides_of(Role::Input, role, tensor, |sizes| Some(Dims::from_elem(0, sizes.len())))
    }),
    ("overlapping", |tensor, role| {
        set_strides_of(Role::Input, role, tensor, |sizes| Some(Dims::from_elem(1, sizes.len())))
    }),
    ("interleaved", |tensor, role| {
        set_strides_of(Role::Output, role, tensor, interleaved)
    }),
    ("singleton-strides", |tensor, _| set_strides(tensor, singleton)),
    ("slack", |_, _| Some(12)),
    ("slack-odd", |_, _| Some(5)),
    ("mixed-inputs", |tensor, role| {
        set_strides_of(Role::Input, role, tensor, transposed)
    }),
    ("broadcast-second", |_, _| None),
    ("mixed-outputs", |_, _| None),
    ("overlapping-output", |tensor, role| {
        set_strides_of(Role::Output, role, tensor, overlapping)
    }),
];

/// The layout that the layout of this name stands for on the `nth` input or the `nth` output.
pub fn layout_of_nth(name: &str, role: Role, nth: usize) -> &str {
    match (name, role, nth % 4) {
        ("mixed-inputs", Role::Input, 0) => "transposed-input",
        ("mixed-inputs", Role::Input, 1) => "padded-input",
        ("mixed-inputs", Role::Input, 2) => "broadcast-first",
        ("mixed-inputs", Role::Input, _) => "broadcast-last",
        ("broadcast-second", Role::Input, 1) => "broadcast-first",
        ("mixed-outputs", Role::Output, 0 | 2) => "padded-output",
        ("mixed-outputs", Role::Output, _) => "transposed-output",
        (name, ..) => name,
    }
}

/// The layout of this name.
pub fn find_layout(name: &str) -> Option<Apply> {
    LAYOUTS.iter().find(|(n, _)| *n == name).map(|(_, apply)| *apply)
}

fn set_strides(tensor: &mut TensorDesc, strides: fn(&[u32]) -> Option<Dims>) -> Option<u64> {
    tensor.strides = Some(strides(tensor.sizes())?);
    Some(0)
}

fn set_strides_of(
    affected: Role,
    role: Role,
    tensor: &mut TensorDesc,
    strides: fn(&[u32]) -> Option<Dims>,
) -> Option<u64> {
    if affected == role {
        set_strides(tensor, strides)
    } else {
        Some(0)
    }
}

/// Strides that nest in this order of dimensions, innermost last, with `gap` elements after each row.
fn nested(sizes: &[u32], order: impl DoubleEndedIterator<Item = usize>, gap: u32) -> Option<Dims> {
    let mut strides = Dims::from_elem(0, sizes.len());
    let mut step = 1u32;
    for d in order.rev() {
        strides[d] = step;
        step = step.checked_mul(sizes[d])?.checked_add(gap)?;
    }
    Some(strides)
}

fn packed(sizes: &[u32]) -> Option<Dims> {
    nested(sizes, 0..sizes.len(), 0)
}

/// Every row, plane and so on is followed by three elements of padding, and elements lie two apart.
fn padded(sizes: &[u32]) -> Option<Dims> {
    let mut strides = nested(sizes, 0..sizes.len(), 3)?;
    for stride in &mut strides {
        *stride = stride.checked_mul(2)?;
    }
    Some(strides)
}

/// Every row, plane and so on is followed by three elements of padding; elements of a row lie side by side.
fn pitched(sizes: &[u32]) -> Option<Dims> {
    nested(sizes, 0..sizes.len(), 3).filter(|_| sizes.len() > 1)
}

fn transposed(sizes: &[u32]) -> Option<Dims> {
    let strides = nested(sizes, (0..sizes.len()).rev(), 0)?;
    (sizes.iter().filter(|n| **n > 1).count() > 1).then_some(strides)
}

/// Stride 0 for the first or last dimension that has more than one element.
fn broadcast(sizes: &[u32], first: bool) -> Option<Dims> {
    let mut long = sizes.iter().enumerate().filter(|(_, n)| **n > 1).map(|(d, _)| d);
    let repeated = if first { long.next() } else { long.next_back() }?;
    let kept: Vec<u32> = sizes
        .iter()
        .enumerate()
        .map(|(d, n)| if d == repeated { 1 } else { *n })
        .collect();
    let mut strides = packed(&kept)?;
    strides[repeated] = 0;
    Some(strides)
}

/// Two dimensions whose offsets interleave without meeting: evens along one, an odd step along the other.
fn interleaved(sizes: &[u32]) -> Option<Dims> {
    let pair = sizes.iter().position(|n| *n == 2)?;
    let long = sizes.iter().rposition(|n| *n >= 3)?;
    let mut strides = Dims::from_elem(0, sizes.len());
    strides[long] = 2;
    strides[pair] = 3;
    let mut step = sizes[long].checked_mul(2)?.checked_add(4)?;
    for d in (0..sizes.len()).rev().filter(|d| *d != long && *d != pair) {
        strides[d] = step;
        step = step.checked_mul(sizes[d])?;
    }
    Some(strides)
}

/// Places that are shared although they reach as far as the elements would alone, and no two strides are equal.
fn overlapping(sizes: &[u32]) -> Option<Dims> {
    let long = sizes.iter().rposition(|n| *n >= 3)?;
    let other = (0..sizes.len()).rev().find(|d| *d != long && sizes[*d] > 1)?;
    let mut strides = Dims::from_elem(0, sizes.len());
    strides[long] = 2;
    // The last element of a row is the first of the next.
    strides[other] = (sizes[long] - 1).checked_mul(2)?;
    let mut step = sizes[other].checked_mul(strides[other])?.checked_add(2)?;
    for d in (0..sizes.len()).rev().filter(|d| *d != long && *d != other) {
        strides[d] = step;
        step = step.checked_mul(sizes[d])?.checked_add(1)?;
    }
    Some(strides)
}

/// Packed, but with odd strides for dimensions of size 1, which have no effect.
fn singleton(sizes: &[u32]) -> Option<Dims> {
    let mut strides = packed(sizes)?;
    let ones = sizes.iter().zip(&mut strides).filter(|(n, _)| **n == 1);
    let mut found = 0u32;
    for (_, stride) in ones {
        *stride = 1_000_000 * found;
        found += 1;
    }
    (found > 0).then_some(strides)
}

#[cfg(test)]
mod tests {
    use dml_spec::layout::overlaps;

    use crate::layouts::*;

    #[test]
    fn every_name_has_a_layout() {
        let names: Vec<&str> = LAYOUTS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, NAMES[1..]);
    }

    #[test]
    fn one_output_layout_overlaps() {
        for sizes in [
            &[2, 3, 4, 5][..],
            &[1, 2, 7, 3],
            &[3, 1, 2, 9],
            &[9],
            &[1, 1],
            &[2, 1, 2, 1, 3, 1, 2],
        ] {
            for (name, apply) in LAYOUTS {
                let mut tensor = TensorDesc::packed(1, 32, sizes);
                if apply(&mut tensor, Role::Output).is_some()
                    && let Some(strides) = &tensor.strides
                {
                    let overlaps_by_design = *name == "overlapping-output";
                    assert_eq!(
                        overlaps(sizes, strides),
                        overlaps_by_design,
                        "{name} {sizes:?} {strides:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn strides_that_32_bits_do_not_hold_are_none() {
        assert_eq!(overlapping(&[2, 5]).unwrap()[..], [8, 2]);
        // Twice 2^31.
        assert_eq!(overlapping(&[2, (1 << 31) + 1]), None);
    }

    #[test]
    fn interleaving_does_not_nest() {
        let strides = interleaved(&[2, 1, 5]).unwrap();
        assert_eq!(strides[..], [3, 14, 2]);
        assert!(
            (5 - 1) * strides[2] >= strides[0],
            "the long dimension reaches past the odd step"
        );
        assert_eq!(interleaved(&[3, 5]), None);
    }

    #[test]
    fn broadcasting_keeps_the_other_dimensions() {
        assert_eq!(broadcast(&[1, 2, 3], true).unwrap()[..], [3, 0, 1]);
        assert_eq!(broadcast(&[1, 2, 3], false).unwrap()[..], [2, 1, 0]);
        assert_eq!(broadcast(&[1, 1], true), None);
    }
}
