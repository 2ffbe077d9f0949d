//! What is written is read again.

use super::{case, dump, half, interval, of_head};
use crate::{
    accept::{Accept, Special, at_place, place, places},
    case::{Counts, Head, OPENNESS},
    read::{Reader, Stored},
    write::{Encoded, OutputEncoder},
};
use dml_case::number::{decode, is_nan, ty};
use dml_spec::model::NumberClass;

/// Elements of every kind, in runs of one and of several.
fn every_kind() -> Vec<Accept> {
    let flags = [false, true];
    let all = flags.map(|nan| flags.map(|above| flags.map(|below| Special { nan, above, below })));
    let special = all.into_iter().flatten().flatten().skip(1);
    let flagged = special.map(|special| Accept::Interval {
        reference: 0x3c00,
        lo: 0xbc00,
        hi: 0x7c00,
        special,
    });
    let mut kinds = vec![
        Accept::Exact(0x3c00),
        Accept::Exact(0x8000),
        interval(0x8000, 0, 0),
        interval(0xfc00, 0x3c00, 0x3c01),
        Accept::Open,
        Accept::Open,
        Accept::Open,
        Accept::Set(vec![0x3c00, 0]),
        Accept::Exact(0x7e00),
        Accept::Set(vec![0x7e00, 0x7c00, 0xfc00]),
        Accept::Set(vec![0x7c00, 0x7bff]),
    ];
    kinds.extend(flagged);
    kinds.push(Accept::Interval {
        reference: 0x3c00,
        lo: 0x3c00,
        hi: 0x3c00,
        special: Special {
            above: true,
            ..Special::default()
        },
    });
    kinds
}

fn read(encoded: &Encoded) -> (Head, Vec<Vec<Accept>>) {
    let stored = Stored::of(encoded.bytes()).unwrap();
    let outputs = stored
        .outputs
        .iter()
        .map(|o| o.elements().collect::<Result<_, _>>().unwrap());
    (stored.head.clone(), outputs.collect())
}

#[test]
fn every_kind_of_element_is_read_again() {
    let kinds = every_kind();
    let encoded = case("A:1.0:b", &half(), &kinds);
    assert!(read(&encoded).1 == std::slice::from_ref(&kinds));
    let counts = Counts {
        exact: 3,
        intervals: 10,
        sets: 3,
        open: 3,
    };
    assert_eq!((encoded.counts, counts.all()), (counts, Some(kinds.len() as u64)));
}

#[test]
fn numbers_of_every_type_are_read_again() {
    for class in [NumberClass::Float, NumberClass::Signed, NumberClass::Unsigned] {
        for bits in [8, 16, 32, 64]
            .into_iter()
            .filter(|bits| class != NumberClass::Float || *bits > 8)
        {
            let ty = ty(class, bits);
            let (least, greatest) = places(&ty);
            let [lo, hi] = [least, greatest].map(|place| at_place(&ty, place).unwrap());
            for reference in [lo, hi, 1] {
                let elements = [
                    interval(lo, reference, hi),
                    Accept::Exact(hi),
                    Accept::Set(vec![hi, lo]),
                ];
                assert_eq!(read(&case("A:1.0:b", &ty, &elements)).1, [elements.to_vec()], "{ty:?}");
            }
            assert_eq!((at_place(&ty, least - 1), at_place(&ty, greatest + 1)), (None, None));
        }
    }
}

#[test]
fn places_are_in_the_order_of_numbers() {
    let half = half();
    let (least, greatest) = places(&half);
    let numbers: Vec<u64> = (least..=greatest).filter_map(|place| at_place(&half, place)).collect();
    assert_eq!(
        numbers.len(),
        (0..=u16::MAX).filter(|bits| !is_nan(&half, u64::from(*bits))).count()
    );
    assert!(
        numbers
            .iter()
            .all(|bits| at_place(&half, place(&half, *bits)) == Some(*bits))
    );
    let ascending = |pair: &[u64]| {
        let [a, b] = [pair[0], pair[1]].map(|bits| decode(&half, bits).with_signed_zeros().double());
        a < b || (a == b && a == 0.0) || (a < 0.0 && b == 0.0)
    };
    assert!(numbers.windows(2).all(ascending));
    assert_eq!(place(&half, 0x8000) + 1, place(&half, 0));
}

#[test]
fn what_is_said_of_a_case_is_read_again() {
    for openness in OPENNESS {
        let head = Head {
            id: "A:1.0:b:c=1".to_owned(),
            verdict: "observed, refused".to_owned(),
            openness,
            clauses: vec!["A/b".to_owned(), "A/ä".to_owned()],
            properties: vec!["copies".to_owned()],
        };
        assert_eq!(read(&of_head(&head, &half(), &[])), (head, vec![Vec::new()]));
    }
    let bytes = dump(&[case("A:1.0:b", &half(), &[]), case("A:1.0:c", &half(), &[])]);
    let mut reader = Reader::new(&bytes[..], bytes.len() as u64).unwrap();
    assert_eq!(reader.about, ["smoke", "text", ""]);
    let mut record = Vec::new();
    for id in ["A:1.0:b", "A:1.0:c"] {
        assert!(reader.next(&mut record).unwrap());
        assert_eq!(Stored::of(&record).unwrap().head.id, id);
    }
    assert!(!reader.next(&mut record).unwrap());
}

#[test]
fn what_says_the_same_is_written_alike() {
    let same = |a: Accept, b: Accept| {
        let [a, b] = [a, b].map(|accept| case("A:1.0:b", &half(), &[accept]).bytes().to_vec());
        assert_eq!(a, b);
    };
    same(Accept::Exact(0x7e00), Accept::Exact(0xfc01));
    same(Accept::Exact(0x3c00), interval(0x3c00, 0x3c00, 0x3c00));
    same(Accept::Exact(0x3c00), Accept::Set(vec![0x3c00, 0x3c00]));
    same(Accept::Set(vec![0x7e00, 0]), Accept::Set(vec![0xfe00, 0x7d00, 0]));
}

#[test]
fn what_makes_no_sense_is_not_written() {
    for accept in [
        Accept::Set(Vec::new()),
        interval(0x3c00, 0x3bff, 0x3c01),
        interval(0x3c00, 0x3c02, 0x3c01),
        interval(0x3c00, 0x3c00, 0x7e00),
        interval(0x3c00, 0x7e00, 0x3c01),
    ] {
        assert!(OutputEncoder::new(&half()).push(accept.clone()).is_err(), "{accept:x?}");
    }
}

#[test]
fn the_digest_is_that_of_numbers_and_bits() {
    let digest =
        |elements: &[Accept]| Stored::of(case("A:1.0:b", &half(), elements).bytes()).unwrap().outputs[0].digest;
    let (a, b) = (Accept::Exact(1), Accept::Exact(2));
    let known = digest(&[a.clone(), Accept::Open, b.clone()]);
    assert_eq!(digest(&[a.clone(), interval(0, 1, 2), b.clone()]), known);
    assert_ne!(digest(&[a.clone(), b.clone(), Accept::Open]), known, "another place");
    assert_ne!(digest(&[b, Accept::Open, a]), known, "other bits");
}
