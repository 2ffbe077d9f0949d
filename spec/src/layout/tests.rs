//! Layout arithmetic against plain enumeration, and against layouts made to be hard.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

#[test]
fn minimum_total_size_follows_the_furthest_element() {
    assert_eq!(minimum_total_size(&[1, 1, 3, 4], None, 32), Some(48));
    assert_eq!(minimum_total_size(&[3], None, 8), Some(4));
    assert_eq!(minimum_total_size(&[3], None, 4), Some(4));
    assert_eq!(minimum_total_size(&[9], None, 4), Some(8));
    assert_eq!(minimum_total_size(&[2, 3], Some(&[10, 2]), 16), Some(32));
    assert_eq!(minimum_total_size(&[5, 1], Some(&[0, 7]), 64), Some(8));
    assert_eq!(minimum_total_size(&[2, 0], None, 32), None);
    assert_eq!(minimum_total_size(&[2, 3], Some(&[1]), 32), None);
    assert_eq!(minimum_total_size(&[u32::MAX; 8], None, 64), None);
    assert_eq!(minimum_total_size(&[u32::MAX; 2], Some(&[u32::MAX; 2]), 64), None);
    assert_eq!(
        minimum_total_size(&[u32::MAX, 2], Some(&[u32::MAX, 1]), 4),
        Some(9_223_372_030_412_324_868)
    );
}

#[test]
fn packed_strides_are_products_of_the_sizes_behind() {
    assert_eq!(packed_strides(&[2, 3, 4]).as_deref(), Some(&[12, 4, 1][..]));
    assert_eq!(packed_strides(&[]).as_deref(), Some(&[][..]));
    assert_eq!(
        packed_strides(&[u32::MAX, 65536, 65535]).as_deref(),
        Some(&[4_294_901_760, 65535, 1][..])
    );
    assert_eq!(packed_strides(&[1, 65536, 65536]), None);
}

#[test]
fn interleaved_is_not_overlapping() {
    assert!(!overlaps(&[2, 3, 4, 5], &[60, 20, 5, 1]));
    assert!(!overlaps(&[3, 2], &[2, 3])); // 0 2 4 3 5 7
    assert!(overlaps(&[4, 2], &[2, 6])); // 6 is reached twice
    assert!(overlaps(&[2, 2], &[1, 1]));
    assert!(overlaps(&[2], &[0]));
    assert!(!overlaps(&[1, 4], &[0, 1]));
    assert!(!overlaps(&[2, 0], &[0, 0]));
    assert!(!overlaps(&[2, 2], &[1]));
}

/// Layouts, as (stride, size), whose reduced basis holds no coincidence although a combination of it does. One
/// random layout in two thousand is like this, so that the property tests alone would hardly see the search fail.
#[test]
fn coincidences_beside_the_basis_are_found() {
    let layouts: [&[(u32, u32)]; 8] = [
        &[(2072, 4), (2719, 4), (3407, 9), (4143, 8), (7078, 9)],
        &[(2002, 8), (4131, 3), (5536, 9), (6919, 5), (7178, 5)],
        &[
            (225, 2),
            (250, 2),
            (411, 2),
            (417, 2),
            (734, 2),
            (877, 2),
            (1010, 2),
            (1082, 2),
        ],
        &[(1567, 8), (2053, 8), (3078, 7), (3253, 6), (4454, 7)],
        &[(233, 4), (1711, 9), (2794, 6), (5039, 9), (7524, 6)],
        &[
            (337, 2),
            (594, 2),
            (627, 2),
            (749, 2),
            (779, 2),
            (822, 2),
            (865, 2),
            (1115, 2),
        ],
        &[(786, 2), (907, 3), (1319, 3), (1663, 3), (2033, 2), (2434, 3)],
        &[(148, 3), (814, 6), (3468, 4), (6547, 9), (6777, 8)],
    ];
    for layout in layouts {
        let (strides, sizes): (Vec<_>, Vec<_>) = layout.iter().copied().unzip();
        assert!(brute(&sizes, &strides), "{layout:?}");
        assert!(overlaps(&sizes, &strides), "{layout:?}");
    }
}

#[test]
fn more_dimensions_than_are_searched_count_as_overlapping() {
    let mut strides = vec![1000; 9];
    strides.iter_mut().zip(1..).for_each(|(s, i)| *s += i * i * 31);
    assert!(overlaps(&[2; 9], &strides));
    assert!(!overlaps(&[2; 9], &[256, 128, 64, 32, 16, 8, 4, 2, 1]));
}

fn brute(sizes: &[u32], strides: &[u32]) -> bool {
    let mut places = vec![0_u64];
    for (size, stride) in sizes.iter().zip(strides) {
        let step = |i: u32| u64::from(i) * u64::from(*stride);
        places = places
            .iter()
            .flat_map(|p| (0..*size).map(move |i| p + step(i)))
            .collect();
    }
    let mut seen = HashSet::new();
    !places.into_iter().all(|p| seen.insert(p))
}

/// Dimensions with at most `elements` elements in all.
fn layouts(elements: u32, stride: u32) -> impl Strategy<Value = Vec<(u32, u32)>> {
    let dimension = (1..=elements.min(40), 1..=stride);
    let small = move |dims: &Vec<(u32, u32)>| {
        dims.iter()
            .try_fold(1_u32, |p, d| p.checked_mul(d.0))
            .is_some_and(|p| p <= elements)
    };
    prop_oneof![
        proptest::collection::vec(dimension.clone(), 2..4),
        proptest::collection::vec((1..=4_u32, 1..=stride), 4..=8),
        proptest::collection::vec((2..=2_u32, 1..=stride), 5..=8),
    ]
    .prop_filter("too many elements", small)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn overlap_search_is_exact(dims in layouts(2000, 60)) {
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        prop_assert_eq!(overlaps(&sizes, &strides), brute(&sizes, &strides));
    }

    #[test]
    fn overlap_search_is_exact_far_apart(dims in layouts(5000, 30_000)) {
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        prop_assert_eq!(overlaps(&sizes, &strides), brute(&sizes, &strides));
    }

    /// Just as dense as makes either answer likely: here the reduced basis itself often holds no coincidence.
    #[test]
    fn overlap_search_is_exact_where_it_is_close(
        dims in prop_oneof![
            proptest::collection::vec((2..=2_u32, 300..5_000_u32), 8),
            proptest::collection::vec((2..=4_u32, 1_000..40_000_u32), 6),
            proptest::collection::vec((4..=9_u32, 2_000..20_000_u32), 4),
        ],
    ) {
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        prop_assert_eq!(overlaps(&sizes, &strides), brute(&sizes, &strides));
    }

    /// Sparse layouts with one coincidence planted: the last stride is made to meet a sum of the others.
    #[test]
    fn planted_coincidences_are_found(
        dims in prop_oneof![
            proptest::collection::vec((2..8_u32, 1_000_000..60_000_000_u32), 7),
            proptest::collection::vec((100..1000_u32, 1_000_000..60_000_000_u32), 3),
        ],
        difference in proptest::collection::vec(-3..=3_i64, 7),
        times in 1..4_u32,
    ) {
        let (mut sizes, mut strides): (Vec<u32>, Vec<u32>) = dims.into_iter().unzip();
        let part = |((size, stride), d): ((&u32, &u32), &i64)| {
            let last = i64::from(size - 1);
            i64::from(*stride) * (*d).clamp(-last, last)
        };
        let sum: i64 = sizes.iter().zip(&strides).zip(&difference).map(part).sum();
        prop_assume!(sum != 0);
        strides.iter_mut().for_each(|s| *s *= times);
        sizes.push(times + 1);
        strides.push(u32::try_from(sum.abs()).unwrap());
        prop_assert!(overlaps(&sizes, &strides), "{:?} {:?}", sizes, strides);
    }

    /// Any layout is answered, and swiftly; what is swift is measured by `slowest_search`.
    #[test]
    fn any_layout_is_answered(dims in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..12)) {
        let (sizes, strides): (Vec<_>, Vec<_>) = dims.into_iter().unzip();
        overlaps(&sizes, &strides);
        minimum_total_size(&sizes, Some(&strides), 32);
        packed_strides(&sizes);
    }
}

/// Layouts that neither nest nor are crowded, of many shapes. The slowest of 60,000 took 13 ms, without optimisation.
#[test]
fn slowest_search() {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |bits: u32| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> (64 - bits)) as u32
    };
    let mut slowest = (std::time::Duration::ZERO, Vec::new(), Vec::new());
    for round in 0..2000_u32 {
        let dimensions = 3 + (round % 6) as usize;
        let bits = 1 + next(4) % 8;
        let sizes: Vec<u32> = (0..dimensions).map(|_| 2 + next(bits)).collect();
        let wide = 8 + next(5) % 25;
        let base = next(wide.max(2));
        let strides: Vec<u32> = (0..dimensions)
            .map(|_| base.saturating_add(next(wide.min(24))).max(1))
            .collect();
        let start = std::time::Instant::now();
        overlaps(&sizes, &strides);
        if start.elapsed() > slowest.0 {
            slowest = (start.elapsed(), sizes, strides);
        }
    }
    assert!(slowest.0.as_millis() < 100, "{slowest:?}");
}
