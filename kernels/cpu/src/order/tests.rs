//! Every bit pattern if there are few enough of them, compared with the order of the numbers themselves.

use half::f16;

use super::*;

fn orders<T: Word>() -> impl Iterator<Item = (Kind, bool, Order<T>)> {
    [Kind::Float, Kind::Signed, Kind::Unsigned]
        .into_iter()
        .flat_map(|kind| [false, true].map(|largest| (kind, largest, Order::new(kind, largest))))
}

#[test]
fn keys_ascend_with_the_elements() {
    let floats = [
        f32::NEG_INFINITY,
        -1.5,
        -f32::MIN_POSITIVE,
        0.0,
        1e-40,
        1.0,
        f32::INFINITY,
    ];
    let up = Order::<u32>::new(Kind::Float, false);
    let keys = floats.map(|x| up.key(x.to_bits()));
    assert!(keys.is_sorted_by(|a, b| a < b), "{keys:x?}");
    let down = Order::<u32>::new(Kind::Float, true);
    let keys = floats.map(|x| down.key(x.to_bits()));
    assert!(keys.is_sorted_by(|a, b| a > b), "{keys:x?}");
    assert_eq!(up.key(0x8000_0000), up.key(0), "both zeros are one");
    assert_eq!(down.key(0x8000_0000), down.key(0), "both zeros are one");
    let signed = [i8::MIN, -1, 0, i8::MAX].map(|n| Order::<u8>::new(Kind::Signed, false).key(n.cast_unsigned()));
    assert_eq!(signed, [0, 0x7f, 0x80, 0xff]);
    assert_eq!(Order::<u64>::new(Kind::Unsigned, false).key(u64::MAX), u64::MAX);
    assert_eq!(Order::<u64>::new(Kind::Unsigned, true).key(u64::MAX), 0);
}

#[test]
fn half_floats_compare_as_numbers_do() {
    let numbers: Vec<u16> = (0..=u16::MAX).filter(|bits| !f16::from_bits(*bits).is_nan()).collect();
    for largest in [false, true] {
        let order = Order::<u16>::new(Kind::Float, largest);
        for pair in numbers.windows(2).chain(numbers.windows(40_000)) {
            let [a, b] = [pair[0], pair[pair.len() - 1]];
            let expected = f16::from_bits(a).partial_cmp(&f16::from_bits(b)).unwrap();
            let expected = if largest { expected.reverse() } else { expected };
            assert_eq!(order.key(a).cmp(&order.key(b)), expected, "{a:x} {b:x}");
        }
    }
}

#[test]
fn ranks_go_both_ways() {
    for (kind, largest, order) in orders::<u8>() {
        for bits in 0..=u8::MAX {
            assert_eq!(order.bits(order.rank(bits)), bits, "{kind:?} {largest}");
            assert_eq!(
                order.key_of_rank(order.rank(bits)),
                order.key(bits),
                "{kind:?} {largest}"
            );
        }
    }
}

#[test]
fn intervals_hold_the_elements_up_to_a_key() {
    for (kind, largest, order) in orders::<u8>() {
        for bar in 0..=u8::MAX {
            let key = order.key(bar);
            for bits in 0..=u8::MAX {
                let context = format!("{kind:?} {largest} {bar:x} {bits:x}");
                assert_eq!(order.until(key).holds(bits), order.key(bits) <= key, "{context}");
                let before = order.before(key).is_some_and(|interval| interval.holds(bits));
                assert_eq!(before, order.key(bits) < key, "{context}");
            }
        }
    }
}

#[test]
fn intervals_of_wide_elements_hold_them_as_well() {
    let bits = [
        0u64,
        1,
        2,
        7,
        1 << 62,
        (1 << 63) - 1,
        1 << 63,
        (1 << 63) + 1,
        u64::MAX - 1,
        u64::MAX,
    ];
    for (kind, largest, order) in orders::<u64>() {
        for bar in bits {
            for bits in bits {
                let (bar, key) = (order.key(bar), order.key(bits));
                let context = format!("{kind:?} {largest} {bar:x} {bits:x}");
                assert_eq!(order.until(bar).holds(bits), key <= bar, "{context}");
                let before = order.before(bar).is_some_and(|interval| interval.holds(bits));
                assert_eq!(before, key < bar, "{context}");
            }
        }
    }
}

#[test]
fn nan_lies_beyond_the_infinity_of_its_sign() {
    // The greater a magnitude, the further from zero, for every kind of number.
    let magnitude = |bits: u16| i32::from(bits & 0x7fff) * if bits >> 15 == 1 { -1 } else { 1 };
    let mut all: Vec<u16> = (0..=u16::MAX).collect();
    all.sort_by_key(|bits| magnitude(*bits));
    for largest in [false, true] {
        let order = Order::<u16>::new(Kind::Float, largest);
        for pair in all.windows(2) {
            let expected = magnitude(pair[0]).cmp(&magnitude(pair[1]));
            let expected = if largest { expected.reverse() } else { expected };
            assert_eq!(order.key(pair[0]).cmp(&order.key(pair[1])), expected, "{pair:x?}");
        }
    }
}

#[test]
fn only_zeros_share_a_key_and_flips_make_ranks() {
    for (kind, largest, order) in orders::<u8>() {
        let [first, other] = order.flips();
        for bits in 0..=u8::MAX {
            let context = format!("{kind:?} {largest} {bits:x}");
            let comes_first = first == other || (bits ^ first) & 0x80 == 0;
            let flip = if comes_first { first } else { other };
            assert_eq!(order.rank(bits), bits ^ flip, "{context}");
            assert!(comes_first || order.rank(bits) >= 0x80, "{context}");
            let twins = (0..=u8::MAX).filter(|word| order.key(*word) == order.key(bits)).count();
            assert_eq!(order.is_zero(order.key(bits)), twins == 2, "{context}");
            assert!(twins == 1 || kind == Kind::Float && bits & 0x7f == 0, "{context}");
        }
    }
}
