use dml_spec::model::NumberClass;

use super::*;
use crate::oracle::tests::{input, small, ty};
use dml_case::random::Random;

#[test]
fn a_second_way_comes_to_the_same() {
    let (mut random, mut told, mut count) = (Random::of(1), 0, 0);
    let types = [
        ty(NumberClass::Float, 32),
        ty(NumberClass::Float, 16),
        ty(NumberClass::Signed, 32),
        ty(NumberClass::Signed, 64),
        ty(NumberClass::Unsigned, 32),
    ];
    let shapes: [&[u32]; 5] = [&[1], &[9], &[3, 5], &[2, 3, 4], &[2, 300]];
    for (ty, sizes) in types.iter().flat_map(|ty| shapes.map(|sizes| (ty, sizes))) {
        let elements: u32 = sizes.iter().product();
        let input = input(ty, sizes, small(ty, elements as usize, &mut random));
        for (axis, way) in (0..sizes.len()).flat_map(|axis| (0..4).map(move |way| (axis, way))) {
            let s = Tallies {
                input: &input,
                lanes: Lanes::along(sizes, axis).unwrap(),
                axis,
                decreasing: way & 1 == 1,
                exclusive: way & 2 == 2,
            };
            let due = s.wanted();
            let reference = wanted::bits(ty, &due);
            assert_eq!(sums_differ(&s, &reference), None, "{ty:?} {sizes:?} {axis} {way}");
            let mut wrong = reference;
            let last = wrong.len() - 1;
            wrong[last] ^= 1 << (ty.bits - 2);
            // A long sum of halves may be off by more than the flipped bit.
            let off = due.iter().zip(&wrong).position(|(due, bits)| !due.allows(ty, *bits));
            assert_eq!(sums_differ(&s, &wrong), off, "{ty:?} {sizes:?} {axis} {way}");
            told += usize::from(off == Some(last));
            count += 1;
        }
    }
    assert!(told * 10 > count * 9, "{told} of {count}");
}
