use std::io::Cursor;

use dml_case::{number::ty, tensor::Shape};
use dml_spec::Dims;
use proptest::prelude::*;

use super::*;

fn shape(class: NumberClass, bits: u32, sizes: &[u32]) -> Shape {
    Shape {
        ty: ty(class, bits),
        sizes: Dims::from_slice(sizes),
        strides: dml_spec::layout::packed_strides(sizes).unwrap(),
        total_bytes: u64::from(sizes.iter().product::<u32>() * bits / 8),
    }
}

fn archive(name: &str, descr: &str, sizes: &[u32], data: &[u8]) -> Vec<u8> {
    let mut archive = Archive::default();
    archive.array(name, descr, sizes, data).unwrap();
    archive.finish().unwrap()
}

/// An archive with an array `a` of six whole numbers.
fn six() -> Vec<u8> {
    archive("a", "<i2", &[2, 3], &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0xff, 0xff])
}

fn read(bytes: &[u8], name: &str, shape: &Shape) -> Result<Vec<u64>, String> {
    let reader = Reader::open(Cursor::new(bytes)).map_err(|e| e.to_string());
    reader?.elements(name, shape).map_err(|e| e.to_string())
}

#[test]
fn a_text_without_characters_has_the_bytes_that_its_type_says() {
    let mut archive = Archive::default();
    archive.text("a", "").unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(archive.finish().unwrap())).unwrap();
    let mut array = Vec::new();
    std::io::copy(&mut archive.by_name("a.npy").unwrap(), &mut array).unwrap();
    // Heads end at multiples of 64 bytes; `<U1` has one character of 4.
    assert_eq!(array.len() % 64, 4);
}

#[test]
fn what_is_written_is_read() {
    let shape = shape(NumberClass::Signed, 16, &[2, 3]);
    assert_eq!(read(&six(), "a", &shape), Ok(vec![1, 2, 3, 4, 5, 0xffff]));
}

#[test]
fn what_does_not_fit_says_why() {
    let two = [2, 3];
    for (class, bits, sizes, expected) in [
        (
            NumberClass::Signed,
            32,
            &two[..],
            "array `a`: elements of type <i2, expected <i4",
        ),
        (NumberClass::Float, 16, &two, "expected <f2"),
        (NumberClass::Signed, 16, &[3, 2], "shape [2, 3], expected [3, 2]"),
        (NumberClass::Signed, 16, &[1, 2, 3], "shape [2, 3], expected [1, 2, 3]"),
    ] {
        let error = read(&six(), "a", &shape(class, bits, sizes)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let fits = shape(NumberClass::Signed, 16, &two);
    let error = read(&six(), "b", &fits).unwrap_err();
    assert_eq!(error, "array `b` is missing; the archive has a");
    for (data, expected) in [(&[0; 11][..], "fewer bytes"), (&[0; 13], "more bytes")] {
        let error = read(&archive("a", "<i2", &two, data), "a", &fits).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn an_archive_that_is_cut_short_is_an_error() {
    let (bytes, shape) = (six(), shape(NumberClass::Signed, 16, &[2, 3]));
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length], "a", &shape).is_err(), "{length}");
    }
}

/// The same archive with a text of it replaced by one as long, and checksums that do not tell.
fn patched(from: &[u8], to: &[u8]) -> Vec<u8> {
    let (mut bytes, length) = (six(), from.len());
    assert_eq!(length, to.len());
    let at = bytes.windows(length).position(|part| part == from).unwrap();
    bytes[at..at + length].copy_from_slice(to);
    bytes
}

#[test]
fn two_arrays_of_one_name_are_refused() {
    let mut archive = Archive::default();
    for name in ["a", "b"] {
        archive.array(name, "<i2", &[1], &[1, 0]).unwrap();
    }
    let mut bytes = archive.finish().unwrap();
    for at in 0..bytes.len() - 5 {
        if &bytes[at..at + 5] == b"b.npy" {
            bytes[at] = b'a';
        }
    }
    let error = read(&bytes, "a", &shape(NumberClass::Signed, 16, &[1])).unwrap_err();
    assert_eq!(error, "array `a` is there twice");
}

#[test]
fn heads_that_numpy_does_not_write_are_refused() {
    let shape = shape(NumberClass::Signed, 16, &[2, 3]);
    for (from, to, expected) in [
        (&b"NUMPY\x01"[..], &b"NUMPY\x07"[..], "version 7"),
        (b"NUMPY\x01\x00", b"NUMPY\x02\x00", "a head of"),
        (b"\x93NUMPY", b"\x93NUMPI", "not in NumPy's format"),
        (b"'shape': (2,3,)", b"'shape': (9,9,)", "shape [9, 9]"),
        (b"'shape': (2,3,)", b"'shape': (2,3,]", "its head is not"),
        (b"'shape': (2,3,)", b"'shape': 2**99 ", "its head is not"),
        (b"'fortran_order': False", b"'fortran_order':  True", "in Fortran order"),
        (b"{'descr'", b"{'de\xffcr'", "its head is not"),
        (b"'<i2'", b"'|O8'", "elements of type |O8"),
    ] {
        let error = read(&patched(from, to), "a", &shape).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn compressed_arrays_are_refused() {
    let shape = shape(NumberClass::Signed, 16, &[2, 3]);
    let mut bytes = six();
    // The method stands at byte 8 of a local head and at byte 10 of an entry of the list.
    for (mark, at) in [(b"PK\x03\x04", 8), (b"PK\x01\x02", 10)] {
        let start = bytes.windows(4).position(|part| part == mark).unwrap();
        bytes[start + at] = 8;
    }
    let error = read(&bytes, "a", &shape).unwrap_err();
    assert!(error.contains("compressed"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes, "a", &shape(NumberClass::Signed, 16, &[2, 3]));
    }

    #[test]
    fn no_changed_bytes_make_it_panic(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = six();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = read(&bytes, "a", &shape(NumberClass::Signed, 16, &[2, 3]));
    }
}
