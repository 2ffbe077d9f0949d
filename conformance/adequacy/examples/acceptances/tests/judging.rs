//! What is stated is what the judge does.

use std::ops::ControlFlow;

use dml_case::{
    case::Case,
    context::Context,
    number::{mask, ty},
    outcome::{Basis, Outcome},
    poison,
    tensor::Shape,
};
use dml_judge::Options;
use dml_legacy::compare::{Also, Tolerance};
use dml_plan::planner::Planner;
use dml_spec::{
    FeatureLevel,
    answer::{Answer, Info, Levels, Validator},
    layout,
    model::{Compare, DataType, NumberClass, Role, Tier},
};

use super::half;
use crate::{
    accept::{Accept, at_place, place},
    case::Openness,
    old,
    read::Stored,
};

/// Every number of a type of 16 bits or less is accepted exactly if the judge's comparison accepts it.
fn assert_states(ty: &DataType, compare: &Compare, slack: f64, also: Option<Also>, reference: u64) {
    let (slack, also) = ([slack], [also]);
    let tolerance = Tolerance::new(compare, ty, &slack).or(&also);
    let accept = old::state(ty, &tolerance, 0, reference).unwrap();
    for bits in 0..=mask(ty.bits) {
        let judged = tolerance.accepts(0, reference, bits);
        assert_eq!(
            accept.accepts(ty, bits),
            judged,
            "{compare:?} {slack:?} {also:x?} {reference:#x}: {accept:x?}, {bits:#x}"
        );
    }
}

#[test]
fn halves_are_stated_as_they_are_compared() {
    let references = [
        0, 0x8000, 1, 0x3c00, 0xbc01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfc01,
    ];
    let also = [
        None,
        Some(Also::NonFinite),
        Some(Also::Is(0x7c00)),
        Some(Also::Is(0xfc00)),
    ];
    for reference in references {
        for also in also {
            for slack in [0.0, 1e-7, 0.001, 1.0, 70000.0, f64::INFINITY, f64::NAN] {
                assert_states(&half(), &Compare::Bound, slack, also, reference);
                assert_states(&half(), &Compare::Abs(slack), 0.0, also, reference);
            }
            for ulps in [0, 1, 3, u32::MAX] {
                assert_states(&half(), &Compare::Ulp(ulps), 0.0, also, reference);
            }
            assert_states(&half(), &Compare::Exact, 5.0, also, reference);
        }
        // The greatest number beside infinity, and zero beside a denormal number.
        for other in [0x7bff, 0] {
            assert_states(&half(), &Compare::Exact, 0.0, Some(Also::Is(other)), reference);
        }
    }
}

#[test]
fn whole_numbers_are_stated_as_they_are_compared() {
    for class in [NumberClass::Signed, NumberClass::Unsigned] {
        for reference in [0, 1, 0x7f, 0x80, 0xff] {
            for slack in [0.0, 1.0, 2.5, 1000.0, f64::INFINITY] {
                for compare in [Compare::Exact, Compare::Bound, Compare::Abs(slack), Compare::Ulp(2)] {
                    assert_states(&ty(class, 8), &compare, slack, Some(Also::NonFinite), reference);
                }
            }
        }
    }
}

#[test]
fn what_no_statement_holds_is_an_error() {
    let slack = [0.001];
    // 2 beside an interval around 1, and one NaN of many.
    for bits in [0x4000, 0x7e00] {
        let also = [Some(Also::Is(bits))];
        let tolerance = Tolerance::new(&Compare::Bound, &half(), &slack).or(&also);
        assert!(old::state(&half(), &tolerance, 0, 0x3c00).is_err(), "{bits:#x}");
    }
}

/// How many cases were judged with their ends, and how many elements with what lies beside an end.
#[derive(Debug, Default)]
struct Judged {
    cases: usize,
    beside: usize,
}

#[test]
fn the_judge_accepts_the_ends_and_nothing_beside_them() {
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
    for basis in [Basis::Text, Basis::Runtime] {
        let mut judged = Judged::default();
        for bucket in dml_plan::buckets(&suite) {
            let mut left = 3;
            let _ = dml_plan::for_each_case(&suite, &bucket, Tier::Smoke, 0, &mut |case| {
                let is_small = case.elements(&suite.catalog) < 2000;
                left -= usize::from(is_small && try_case(&suite, &case, basis, &mut judged));
                if left > 0 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
        }
        assert!(judged.cases > 500 && judged.beside > 500, "{judged:?}");
    }
}

/// Lets the judge look at the ends of what is accepted; `false` if nothing is judged.
fn try_case(suite: &Planner, case: &Case, basis: Basis, judged: &mut Judged) -> bool {
    let encoded = old::encode(suite, case, basis).unwrap();
    let stored = Stored::of(encoded.bytes()).unwrap();
    let context = Context::new(suite, case).unwrap();
    let tensors = case.descriptor.tensors(context.operator, Role::Output);
    let shapes: Vec<Shape> = tensors
        .iter()
        .filter_map(|tensor| Shape::of(&suite.catalog, tensor))
        .collect();
    let overlaps = shapes
        .iter()
        .any(|shape| layout::overlaps(&shape.sizes, &shape.strides));
    if stored.head.openness != Openness::Judged || overlaps {
        return false;
    }
    let elements: Vec<Vec<Accept>> = stored
        .outputs
        .iter()
        .map(|o| o.elements().collect::<Result<_, _>>().unwrap())
        .collect();
    let outcome = |outputs: &[Vec<u64>]| judge(suite, case, basis, &shapes, outputs);
    let right: Vec<Vec<u64>> = elements.iter().map(|e| e.iter().map(reference).collect()).collect();
    assert_eq!(outcome(&right), Outcome::Pass, "{}", case.id);
    for end in [least, greatest] {
        let outputs: Vec<Vec<u64>> = elements.iter().map(|e| e.iter().map(end).collect()).collect();
        assert_eq!(outcome(&outputs), Outcome::Pass, "{}", case.id);
    }
    judged.cases += 1;
    for (number, shape) in shapes.iter().enumerate() {
        let of = elements[number].iter().enumerate();
        for (at, accept) in of.filter(|(_, accept)| **accept != Accept::Open).take(2) {
            judged.beside += assert_refused(&shape.ty, accept, |bits| {
                let mut wrong = right.clone();
                wrong[number][at] = bits;
                outcome(&wrong)
            });
        }
    }
    true
}

/// How many numbers lie just outside what is accepted; with each of them a case fails.
fn assert_refused(ty: &DataType, accept: &Accept, outcome: impl Fn(u64) -> Outcome) -> usize {
    let beside = beside(ty, accept);
    for bits in &beside {
        assert_eq!(outcome(*bits), Outcome::Fail, "{accept:x?} {bits:#x}");
    }
    beside.len()
}

/// The numbers just outside what is accepted.
fn beside(ty: &DataType, accept: &Accept) -> Vec<u64> {
    let ends = [(least(accept), -1), (greatest(accept), 1)];
    let beside = ends.map(|(end, by)| at_place(ty, place(ty, end) + by));
    let is_outside = |bits: &u64| !accept.accepts(ty, *bits);
    beside.into_iter().flatten().filter(is_outside).collect()
}

fn judge(suite: &Planner, case: &Case, basis: Basis, shapes: &[Shape], elements: &[Vec<u64>]) -> Outcome {
    let context = Context::new(suite, case).unwrap();
    let (_, mut outputs) = poison::buffers(context.operator, case);
    for ((buffer, shape), elements) in outputs.iter_mut().zip(shapes).zip(elements) {
        shape.write(buffer.tensor_mut(), elements.iter().copied());
    }
    let info = Info {
        name: "test".to_owned(),
        version: "1".to_owned(),
        operators: Vec::new(),
        feature_level: FeatureLevel::new(6, 4),
        levels: Levels::Strict,
        validator: Validator::Own,
        executes: true,
        details: Vec::new(),
    };
    let options = Options {
        basis,
        strict_reasons: false,
        info: &info,
    };
    dml_judge::judge(suite, case, &Answer::Executed { outputs }, &options).outcome
}

fn least(accept: &Accept) -> u64 {
    match accept {
        Accept::Interval { lo, .. } => *lo,
        other => reference(other),
    }
}

fn greatest(accept: &Accept) -> u64 {
    match accept {
        Accept::Interval { hi, .. } => *hi,
        Accept::Set(members) => members[members.len() - 1],
        other => reference(other),
    }
}

/// What was computed; anything for an open element.
fn reference(accept: &Accept) -> u64 {
    accept.reference().unwrap_or(0x5a)
}
