//! A damaged dump is an error, whatever is damaged.

use super::{case, compared, dump, half, interval};
use crate::{
    accept::Accept,
    format::{Bytes, Damage, put},
    read::{Reader, Stored},
};

fn sound() -> Vec<u8> {
    let elements = [
        Accept::Exact(1),
        Accept::Set(vec![1, 2]),
        interval(1, 2, 3),
        Accept::Open,
    ];
    dump(&[case("A:1.0:b", &half(), &elements), case("A:1.0:c", &half(), &elements)])
}

/// Reads everything in a dump.
fn read(bytes: &[u8]) -> Result<(), Damage> {
    let mut reader = Reader::new(bytes, bytes.len() as u64)?;
    let mut record = Vec::new();
    while reader.next(&mut record)? {
        read_case(&record)?;
    }
    Ok(())
}

fn read_case(record: &[u8]) -> Result<(), Damage> {
    let case = Stored::of(record)?;
    case.outputs
        .iter()
        .flat_map(|o| o.elements())
        .try_for_each(|accept| accept.map(drop))
}

#[test]
fn a_dump_that_ends_early_is_an_error() {
    let bytes = sound();
    read(&bytes).unwrap();
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).unwrap_err();
        let is_start = length < 8;
        assert!(matches!(&error, Damage::Truncated(_)) || is_start, "{length}: {error}");
        assert!(!is_start || matches!(error, Damage::Magic), "{length}");
        for (old, new, name) in [
            (&bytes[..length], &bytes[..], "OLD"),
            (&bytes[..], &bytes[..length], "NEW"),
        ] {
            let error = format!("{:#}", compared(old, new).unwrap_err());
            assert!(error.starts_with(name), "{length}: {error}");
        }
    }
    // The file may have become shorter since its length was asked for.
    let (mut reader, mut record) = (Reader::new(&bytes[..60], bytes.len() as u64).unwrap(), Vec::new());
    let mut error = None;
    while error.is_none() {
        error = reader.next(&mut record).err();
    }
    assert!(matches!(error, Some(Damage::Truncated(_))), "{error:?}");
}

#[test]
fn a_bit_that_changed_is_an_error() {
    let bytes = sound();
    for at in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[at / 8] ^= 1 << (at % 8);
        assert!(read(&changed).is_err(), "bit {at}");
        assert!(
            compared(&changed, &bytes).is_err() && compared(&bytes, &changed).is_err(),
            "bit {at}"
        );
    }
    assert!(read(&[&bytes[..], &[0]].concat()).is_err(), "a byte after its end");
}

#[test]
fn no_case_makes_the_reader_panic() {
    let elements = [
        Accept::Exact(1),
        Accept::Set(vec![1, 2]),
        interval(1, 2, 3),
        Accept::Open,
    ];
    let encoded = case("A:1.0:b", &half(), &elements);
    let record = encoded.bytes();
    read_case(record).unwrap();
    let mut errors = 0;
    for at in 0..record.len() {
        for byte in 0..=u8::MAX {
            let mut changed = record.to_vec();
            changed[at] = byte;
            errors += usize::from(read_case(&changed).is_err());
        }
        assert!(read_case(&record[..at]).is_err(), "{at}");
    }
    assert!(errors > 1000, "{errors}");
}

#[test]
fn elements_beyond_or_short_of_their_number_are_an_error() {
    let encoded = case("A:1.0:b", &half(), &[Accept::Exact(1), Accept::Exact(2)]);
    // The run of both elements, before their bits: one element more, one less.
    let at = encoded.bytes().len() - 5;
    assert_eq!(encoded.bytes()[at], 2 << 2);
    for length in [1, 3] {
        let mut changed = encoded.bytes().to_vec();
        changed[at] = length << 2;
        assert!(read_case(&changed).is_err(), "{length}");
    }
}

#[test]
fn kinds_that_do_not_add_up_are_an_error() {
    let encoded = case("A:1.0:b", &half(), &[Accept::Open, Accept::Open, Accept::Open]);
    let record = encoded.bytes();
    // The number of open elements, before the digest, the length of the runs and the run.
    let at = record.len() - 16 - 3;
    assert_eq!((record[at], record.last()), (3, Some(&(3 << 2 | 3))));
    let mut changed = record.to_vec();
    changed[at] = 2;
    assert!(Stored::of(record).is_ok() && Stored::of(&changed).is_err());
}

#[test]
fn a_length_that_is_too_great_reserves_no_memory() {
    let mut bytes = dump(&[]);
    bytes.truncate(bytes.len() - 10);
    put(&mut bytes, 1 << 62);
    assert!(matches!(read(&bytes), Err(Damage::Truncated(_))));
}

#[test]
fn numbers_have_at_most_64_bits() {
    for number in [0, 1, 0x7f, 0x80, 1 << 62, 1 << 63, u64::MAX] {
        let mut bytes = Vec::new();
        put(&mut bytes, number);
        assert_eq!(Bytes(&bytes).number().unwrap(), number);
    }
    let long = [&[0xff; 9][..], &[2]].concat();
    assert!(Bytes(&long).number().is_err() && Bytes(&[0x80; 11]).number().is_err());
}

#[test]
fn a_case_that_stands_twice_is_an_error() {
    let one = case("A:1.0:b", &half(), &[Accept::Exact(1)]);
    let (once, twice) = (dump(std::slice::from_ref(&one)), dump(&[one.clone(), one]));
    assert!(compared(&once, &twice).is_err() && compared(&twice, &once).is_err());
}
