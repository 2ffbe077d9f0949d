//! Offsets worked out by hand.

use super::*;

fn tensor(sizes: &[u32], strides: Option<&[u32]>) -> TensorDesc {
    let mut tensor = TensorDesc::packed(1, 32, sizes);
    tensor.strides = strides.map(|s| s.iter().copied().collect());
    tensor
}

fn layout(sizes: &[u32], strides: Option<&[u32]>) -> Layout {
    Layout::new(&tensor(sizes, strides), 1, usize::MAX).unwrap()
}

fn offsets(sizes: &[u32], strides: Option<&[u32]>) -> Vec<usize> {
    layout(sizes, strides).elements().map(|[offset]| offset).collect()
}

#[test]
fn packed_elements_follow_each_other() {
    assert_eq!(offsets(&[2, 1, 3], None), [0, 1, 2, 3, 4, 5]);
    assert_eq!(offsets(&[2; 8], None), (0..256).collect::<Vec<_>>());
    assert_eq!(offsets(&[1], None), [0]);
}

#[test]
fn strides_lead() {
    assert_eq!(offsets(&[2, 3], Some(&[1, 2])), [0, 2, 4, 1, 3, 5], "transposed");
    assert_eq!(offsets(&[2, 3], Some(&[0, 1])), [0, 1, 2, 0, 1, 2], "broadcast");
    assert_eq!(offsets(&[2, 2], Some(&[5, 2])), [0, 2, 5, 7], "padded");
    assert_eq!(offsets(&[3, 2], Some(&[1, 1])), [0, 1, 1, 2, 2, 3], "overlapping");
    assert_eq!(
        offsets(&[2, 1], Some(&[1, 999])),
        [0, 1],
        "the stride of one element is idle"
    );
}

#[test]
fn sequences_start_where_the_axis_is_zero() {
    let input = layout(&[2, 3, 2], None);
    let output = layout(&[2, 1, 2], Some(&[10, 7, 3]));
    let starts: Vec<_> = sequences([&input, &output], 1).unwrap().collect();
    assert_eq!(starts, [[0, 0], [1, 3], [6, 10], [7, 13]]);
    assert_eq!(sequences([&layout(&[4], None)], 0).unwrap().collect::<Vec<_>>(), [[0]]);
}

#[test]
fn parts_of_a_tensor_cover_it() {
    let input = layout(&[2, 3, 4], None);
    let (kept, set) = (input.keep_axes(|d| d == 1), input.keep_axes(|d| d != 1));
    assert_eq!((kept.count(), set.count(), input.count(), input.rank()), (3, 8, 24, 3));
    let output = layout(&[1, 3, 1], Some(&[9, 5, 9]));
    let starts: Vec<_> = together([&kept, &output]).unwrap().collect();
    assert_eq!(starts, [[0, 0], [4, 5], [8, 10]]);
    let offsets: Vec<_> = set.elements().map(|[offset]| offset).collect();
    assert_eq!(offsets, [0, 1, 2, 3, 12, 13, 14, 15]);
    assert_eq!(together([&input, &output]).unwrap_err(), KernelError::Sizes);
}

#[test]
fn walks_begin_anywhere() {
    let input = layout(&[2, 3, 2], None);
    let output = layout(&[2, 3, 2], Some(&[10, 7, 3]));
    let walk = together([&input, &output]).unwrap();
    let all: Vec<_> = walk.clone().collect();
    for place in 0..=13 {
        let rest: Vec<_> = walk.clone().from_place(place).collect();
        assert_eq!(rest, all.get(place..).unwrap_or_default(), "{place}");
    }
}

#[test]
fn innermost_dimensions_become_one() {
    let innermost = |sizes: &[u32], strides: Option<&[u32]>| {
        let (outer, size, stride) = layout(sizes, strides).innermost();
        (outer.count(), size, stride)
    };
    assert_eq!(innermost(&[2, 3, 4], None), (1, 24, 1));
    assert_eq!(innermost(&[2, 3, 1], Some(&[30, 10, 5])), (1, 6, 10));
    assert_eq!(innermost(&[2, 3, 4], Some(&[24, 4, 1])), (2, 12, 1));
    assert_eq!(innermost(&[2, 3], Some(&[1, 2])), (2, 3, 2));
    assert_eq!(innermost(&[2, 3], Some(&[0, 0])), (1, 6, 0));
    assert_eq!(innermost(&[1, 1], None), (1, 1, 1));
}

#[test]
fn disagreement_is_an_error() {
    let input = layout(&[2, 3], None);
    assert_eq!(
        sequences([&input], 2).unwrap_err(),
        KernelError::Axis { axis: 2, rank: 2 }
    );
    assert_eq!(
        sequences([&input, &layout(&[2, 4], None)], 0).unwrap_err(),
        KernelError::Sizes
    );
    assert_eq!(
        sequences([&input, &layout(&[2, 3, 1], None)], 0).unwrap_err(),
        KernelError::Sizes
    );
    assert!(sequences([&input, &layout(&[2, 4], None)], 1).is_ok());
}

#[test]
fn nonsense_and_short_buffers_are_errors() {
    let at = |sizes: &[u32], strides, length| Layout::new(&tensor(sizes, strides), 4, length);
    assert_eq!(at(&[], None, 99), Err(KernelError::Rank(0)));
    assert_eq!(at(&[1; 9], None, 99), Err(KernelError::Rank(9)));
    assert_eq!(at(&[2, 0], None, 99), Err(KernelError::Layout));
    assert_eq!(at(&[2, 2], Some(&[1]), 99), Err(KernelError::Layout));
    assert_eq!(at(&[u32::MAX; 8], Some(&[u32::MAX; 8]), 99), Err(KernelError::Layout));
    assert_eq!(
        at(&[2, 3], None, 23),
        Err(KernelError::Buffer { needed: 24, length: 23 })
    );
    assert!(at(&[2, 3], None, 24).is_ok());
    assert_eq!(
        at(&[2, 3], Some(&[10, 2]), 59),
        Err(KernelError::Buffer { needed: 60, length: 59 })
    );
    let mut null = tensor(&[1], None);
    null.sizes = None;
    assert_eq!(Layout::new(&null, 4, 99), Err(KernelError::Rank(0)));
}

#[test]
fn bits_are_little_endian() {
    let bytes = [1, 2, 3, 4, 5, 6, 7, 0x88, 9];
    assert_eq!(read::<1>(&bytes, 8), 9);
    assert_eq!(read::<2>(&bytes, 1), 0x0403);
    assert_eq!(read::<4>(&bytes, 1), 0x8807_0605);
    assert_eq!(read::<8>(&bytes, 0), 0x8807_0605_0403_0201);
    assert_eq!(read::<8>(&bytes, 1), 0, "outside");
    assert_eq!(read::<8>(&bytes, usize::MAX), 0, "outside");
}

#[test]
fn writes_touch_one_element() {
    let mut bytes = [0xcd; 9];
    write::<2>(&mut bytes, 1, 0xffff_ffff_ffff_0102);
    assert_eq!(bytes, [0xcd, 0xcd, 2, 1, 0xcd, 0xcd, 0xcd, 0xcd, 0xcd]);
    write::<8>(&mut bytes, 1, 0);
    write::<4>(&mut bytes, usize::MAX, 0);
    assert_eq!(bytes, [0xcd, 0xcd, 2, 1, 0xcd, 0xcd, 0xcd, 0xcd, 0xcd], "outside");
}
