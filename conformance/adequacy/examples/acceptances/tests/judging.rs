//! What is stated is what the judge does.

use std::ops::ControlFlow;

use dml_case::{
    case::{Case, Verdict},
    context::Context,
    outcome::{Basis, Follows, Judged, Outcome},
    poison,
    tensor::Shape,
};
use dml_judge::Options;
use dml_plan::planner::Planner;
use dml_spec::{
    FeatureLevel,
    answer::{Answer, Info, Levels, Validator},
    layout,
    model::{DataType, Role, Tier},
};

use crate::{
    accept::{Accept, at_place, place},
    case::Openness,
    encode,
    read::Stored,
};

/// How many cases were judged with their ends, and how many elements with what lies beside an end.
#[derive(Debug, Default)]
struct Tried {
    cases: usize,
    beside: usize,
}

#[test]
fn the_judge_accepts_the_ends_and_nothing_beside_them() {
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
    for basis in [Basis::Text, Basis::Runtime] {
        let mut judged = Tried::default();
        for bucket in dml_plan::buckets(&suite, Tier::Smoke) {
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
fn try_case(suite: &Planner, case: &Case, basis: Basis, judged: &mut Tried) -> bool {
    let encoded = encode::encode(suite, case, basis).unwrap();
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
    // What holds of open outputs is not stated element by element.
    let in_part = matches!(case.verdict, Verdict::Unspecified(_));
    if stored.head.openness != Openness::Judged || overlaps || in_part {
        return false;
    }
    let elements: Vec<Vec<Accept>> = stored
        .outputs
        .iter()
        .map(|o| o.elements().collect::<Result<_, _>>().unwrap())
        .collect();
    let judged_as = |outputs: &[Vec<u64>]| judge(suite, case, basis, &shapes, outputs);
    let right: Vec<Vec<u64>> = elements.iter().map(|e| e.iter().map(reference).collect()).collect();
    assert_eq!(judged_as(&right).outcome, Outcome::Pass, "{}", case.id);
    for end in [least, greatest] {
        let outputs: Vec<Vec<u64>> = elements.iter().map(|e| e.iter().map(end).collect()).collect();
        assert_eq!(judged_as(&outputs).outcome, Outcome::Pass, "{}", case.id);
    }
    judged.cases += 1;
    for (number, shape) in shapes.iter().enumerate() {
        let of = elements[number].iter().enumerate();
        for (at, accept) in of.filter(|(_, accept)| **accept != Accept::Open).take(2) {
            judged.beside += assert_refused(&shape.ty, accept, |bits| {
                let mut wrong = right.clone();
                wrong[number][at] = bits;
                judged_as(&wrong)
            });
        }
    }
    true
}

/// How many numbers lie just outside what is accepted; with each of them a case fails, unless a release computes it.
fn assert_refused(ty: &DataType, accept: &Accept, judged_as: impl Fn(u64) -> Judged) -> usize {
    let beside = beside(ty, accept);
    for bits in &beside {
        let found = judged_as(*bits);
        let is_released = found.follows.iter().any(|(_, whom)| *whom == Follows::Runtime);
        assert!(found.outcome == Outcome::Fail || is_released, "{accept:x?} {bits:#x}");
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

fn judge(suite: &Planner, case: &Case, basis: Basis, shapes: &[Shape], elements: &[Vec<u64>]) -> Judged {
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
        half_precision: false,
        info: &info,
    };
    dml_judge::judge(suite, case, &Answer::Executed { outputs }, &options)
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
