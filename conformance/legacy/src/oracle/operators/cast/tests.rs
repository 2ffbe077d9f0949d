use super::*;
use crate::oracle::tests::ty;
use dml_case::number::{Number, encode_float};
use dml_spec::model::NumberClass;

const SIGNED: NumberClass = NumberClass::Signed;
const FLOAT: NumberClass = NumberClass::Float;

#[test]
fn fractions_are_cut_off_and_ranges_end() {
    let byte = ty(SIGNED, 8);
    let of = |x| convert(Number::Float(x), &byte);
    assert_eq!(of(-2.75), Wanted::Whole(-2));
    assert_eq!(of(127.9), Wanted::Whole(127));
    assert_eq!(of(-128.9), Wanted::Whole(-128));
    assert_eq!(of(128.0), Wanted::Open);
    assert_eq!(of(f64::INFINITY), Wanted::Open);
    assert_eq!(convert(Number::Int(-1), &ty(NumberClass::Unsigned, 64)), Wanted::Open);
}

#[test]
fn whole_numbers_are_rounded_once() {
    let single = ty(FLOAT, 32);
    let n = (1i128 << 62) + (1 << 38) + 1;
    let Wanted::Real { value, slack } = convert(Number::Int(n), &single) else {
        panic!()
    };
    assert_eq!(
        value,
        2f64.powi(62) + 2f64.powi(39),
        "through a double it would be 2^62"
    );
    assert_eq!(slack, 2f64.powi(39));
    assert_eq!(convert(Number::Int(1 << 24), &single), Wanted::exactly(2f64.powi(24)));
    assert_eq!(convert(Number::Int(65505), &ty(FLOAT, 16)), Wanted::Open);
}

#[test]
fn either_neighbour_will_do() {
    let half = ty(FLOAT, 16);
    let wanted = convert(Number::Float(2049.0), &half);
    for (x, allowed) in [(2048.0, true), (2050.0, true), (2052.0, false)] {
        assert_eq!(wanted.allows(&half, encode_float(&half, x)), allowed, "{x}");
    }
}
