use dml_spec::model::Tier;

use super::*;
use crate::{
    number::{encode_float, ty},
    oracle::planned,
};

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
        assert_eq!(float_breaks(&half, Number::Float(2049.0), x).is_none(), allowed, "{x}");
    }
}

#[test]
fn reference_and_checker_agree() {
    planned::holds_together("CAST");
    planned::knows_what_is_open("CAST");
}

#[test]
fn lost_signs_and_fractions_have_their_own_classes() {
    let suite = planned::suite();
    let (mut extended, mut floored) = (0, 0);
    planned::each_in(&suite, "CAST", "", Tier::Standard, false, |id, call| {
        let c = Conversion::of(call).unwrap();
        let (from, to) = (c.from(), c.to());
        let classes = |found: Vec<u64>| ORACLE.check(call, &[found]).into_iter().map(|broken| broken.class);
        if from.class == SIGNED && to.class == SIGNED && to.bits > from.bits {
            // The bits of the element, with zeros above them.
            let class = classes(c.input.elements.clone()).next();
            assert!(class.is_none_or(|class| class == "signedness"), "{id}: {class:?}");
            extended += usize::from(class.is_some());
        }
        if from.class == FLOAT && to.class == NumberClass::Unsigned {
            let mut found = ORACLE.reference(call).remove(0);
            for (bits, written) in c.input.elements.iter().zip(&mut found) {
                let x = decode(from, *bits).double();
                if c.element(*bits) != Wanted::Open && x < 0.0 {
                    *written = x.floor() as i64 as u64 & mask(to.bits);
                }
            }
            // Where all elements are one, other mistakes fit as well.
            let named: Vec<&str> = classes(found).collect();
            assert!(named.is_empty() || named.contains(&"not-truncated"), "{id}: {named:?}");
            floored += usize::from(!named.is_empty());
        }
    });
    assert!(extended > 20 && floored > 20, "{extended} {floored}");
}

#[test]
fn what_is_written_reads_back() {
    let suite = planned::suite();
    for open in [false, true] {
        planned::each(&suite, "CAST", open, |id, call| {
            let c = Conversion::of(call).unwrap();
            let (due, reference) = (c.wanted(), ORACLE.reference(call).remove(0));
            for ((bits, written), due) in c.input.elements.iter().zip(&reference).zip(&due) {
                if *due != Wanted::Open {
                    assert_eq!(breaks(&c, *bits, *written), None, "{id}");
                    let other = written ^ 1 << (c.to().bits - 2);
                    assert!(breaks(&c, *bits, other).is_some() || due.allows(c.to(), other), "{id}");
                }
            }
        });
    }
}
