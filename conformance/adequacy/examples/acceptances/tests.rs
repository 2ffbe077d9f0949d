//! Tests: what they plant is found, and what they damage is refused.

mod comparing;
mod damaged;
mod judging;
mod written;

use std::io::Cursor;

use dml_case::number::ty;
use dml_spec::model::{DataType, NumberClass};

use crate::{
    accept::{Accept, Special},
    case::{Head, Openness},
    compare::{Comparison, Source, compare},
    write::{Encoded, OutputEncoder, Writer},
};

fn half() -> DataType {
    ty(NumberClass::Float, 16)
}

/// An interval without anything beside it.
fn interval(lo: u64, reference: u64, hi: u64) -> Accept {
    Accept::Interval {
        reference,
        lo,
        hi,
        special: Special::default(),
    }
}

/// A case that is judged, with one output.
fn case(id: &str, ty: &DataType, elements: &[Accept]) -> Encoded {
    let head = Head {
        id: id.to_owned(),
        verdict: "valid".to_owned(),
        openness: Openness::Judged,
        clauses: Vec::new(),
        properties: Vec::new(),
    };
    of_head(&head, ty, elements)
}

fn of_head(head: &Head, ty: &DataType, elements: &[Accept]) -> Encoded {
    let mut output = OutputEncoder::new(ty);
    for accept in elements {
        output.push(accept.clone()).unwrap();
    }
    Encoded::new(head, vec![output])
}

/// A dump of these cases.
fn dump(cases: &[Encoded]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, "smoke", "text", "").unwrap();
    for case in cases {
        writer.case(case).unwrap();
    }
    let (count, length) = writer.finish().unwrap();
    assert_eq!((count, length), (cases.len() as u64, bytes.len() as u64));
    bytes
}

fn compared(old: &[u8], new: &[u8]) -> anyhow::Result<Comparison> {
    let source = |bytes: &[u8], name: &str| {
        let length = bytes.len() as u64;
        Source::new(Cursor::new(bytes.to_vec()), length, name.to_owned())
    };
    compare(source(old, "OLD"), source(new, "NEW"))
}
