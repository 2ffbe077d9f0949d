//! What the judge makes of wrong kernels and wrong answers.

mod answers;
mod blamed;
mod fixture;
mod in_place;
mod kernels;
mod lanes;
mod open;
mod release;

use dml_spec::FeatureLevel;
use dml_spec::answer::{Answer, Buffer, Info, Levels, Rejection, Validator};

use crate::tests::{fixture::Recipe, lanes::Lanes};
use crate::{Options, judge};
use dml_case::poison::{self, buffers};
use dml_case::suite::Suite;
use dml_case::{
    case::{Case, Mode, Verdict},
    number::{Number, decode},
    outcome::{Basis, Diagnosis, Follows, Judged, Outcome},
    tensor::Shape,
};

fn info(levels: Levels, feature_level: FeatureLevel) -> Info {
    Info {
        name: "test".to_owned(),
        version: String::new(),
        operators: Vec::new(),
        feature_level,
        levels,
        validator: Validator::Own,
        executes: true,
        details: Vec::new(),
    }
}

fn on(basis: Basis, suite: &Suite, case: &Case, answer: &Answer) -> Judged {
    let info = info(Levels::Strict, FeatureLevel::new(6, 4));
    judge(
        suite,
        case,
        answer,
        &Options {
            basis,
            strict_reasons: false,
            half_precision: false,
            info: &info,
        },
    )
}

/// Shapes of input and outputs.
fn shapes(suite: &Suite, case: &Case) -> Vec<Shape> {
    let (operator, _) = suite.operator(case.id.operator()).unwrap();
    let all = [dml_spec::model::Role::Input, dml_spec::model::Role::Output];
    let tensors = all.into_iter().flat_map(|role| case.descriptor.tensors(operator, role));
    tensors.map(|t| Shape::of(&suite.catalog, t).unwrap()).collect()
}

/// A kernel that may be wrong: `pick` gives the indices a lane selects, in order, and may change any of them and the
/// bits it writes. What it gives none for is not written.
fn kernel(suite: &Suite, recipe: &Recipe, pick: impl Fn(usize, &[Number]) -> Vec<usize>) -> (Case, Vec<Buffer>) {
    let case = recipe.case(suite);
    let shapes = shapes(suite, &case);
    let (_, mut outputs) = buffers(suite.operator("TOP_K1").unwrap().0, &case);
    let lanes = Lanes::along(&recipe.sizes, recipe.axis).unwrap();
    let out = Lanes {
        size: recipe.k as usize,
        ..lanes
    };
    let mut written: Vec<Vec<u64>> = shapes[1..]
        .iter()
        .zip(&outputs)
        .map(|(s, b)| s.read(b.tensor()))
        .collect();
    for lane in 0..lanes.count() {
        let bits = |index: usize| recipe.elements[lanes.place(lane, index)];
        let numbers: Vec<Number> = (0..lanes.size).map(|i| decode(&shapes[0].ty, bits(i))).collect();
        for (slot, index) in pick(lane, &numbers).into_iter().take(out.size).enumerate() {
            written[0][out.place(lane, slot)] = bits(index.min(lanes.size - 1));
            written[1][out.place(lane, slot)] = index as u64;
        }
    }
    write(&shapes, &mut outputs, &written);
    (case, outputs)
}

fn write(shapes: &[Shape], outputs: &mut [Buffer], written: &[Vec<u64>]) {
    for ((shape, buffer), elements) in shapes[1..].iter().zip(outputs).zip(written) {
        shape.write(buffer.tensor_mut(), elements.iter().copied());
    }
}

/// A right selection by changed keys.
fn sorted(numbers: &[Number], decreasing: bool, key: impl Fn(Number) -> Number) -> Vec<usize> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| {
        let order = key(numbers[*a]).order(key(numbers[*b])).unwrap();
        if decreasing { order.reverse() } else { order }
    });
    order
}

fn plain(n: Number) -> Number {
    n
}

fn diagnosis(suite: &Suite, case: &Case, outputs: Vec<Buffer>) -> Diagnosis {
    let judged = on(Basis::Runtime, suite, case, &Answer::Executed { outputs });
    assert_eq!(judged.outcome, Outcome::Fail, "{judged:?}");
    judged.diagnosis.unwrap()
}

/// What is said of a wrong kernel.
fn said(recipe: &Recipe, pick: impl Fn(usize, &[Number]) -> Vec<usize>) -> Diagnosis {
    let suite = fixture::suite();
    let (case, outputs) = kernel(&suite, recipe, pick);
    diagnosis(&suite, &case, outputs)
}

/// Shuffled numbers, all different: 0 to n-1.
fn shuffled(n: usize) -> Vec<f32> {
    (0..n).map(|i| ((i * 37 + 11) % n) as f32).collect()
}

fn mixed(decreasing: bool) -> Recipe {
    Recipe::floats(&[2, 17, 3], 1, 4, decreasing, &shuffled(103)[..102])
}

fn ties(decreasing: bool) -> Recipe {
    let values: Vec<f32> = (0..27).map(|i| (i % 4 / 2) as f32).collect();
    Recipe::floats(&[3, 9], 1, 4, decreasing, &values)
}
