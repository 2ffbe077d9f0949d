//! Simpler values: small whole numbers in the same order, then zeros and ones.

use dml_spec::{
    TensorDesc,
    model::{DataType, Role},
};

use super::{Draft, aliases, structure::lay_out};
use dml_case::{
    case::Case,
    number::{Number, decode, encode_int, is_denormal, is_nan, is_negative_zero},
    tensor::Shape,
};
use dml_plan::{by_content, planner::Planner};

/// Inputs of more elements are simplified by halves only.
const ONE_BY_ONE: usize = 96;

/// Drafts with simpler values, the boldest first.
pub(super) fn simpler(suite: &Planner, draft: &Draft) -> Vec<Draft> {
    let Some((operator, _)) = suite.operator(draft.case.id.operator()) else {
        return Vec::new();
    };
    let tensors = draft.case.descriptor.tensors(operator, Role::Input);
    let mut found = Vec::new();
    for (input, (tensor, bytes)) in tensors.iter().zip(&draft.case.inputs).enumerate() {
        let tensor: &TensorDesc = tensor;
        let Some(shape) = Shape::of(&suite.catalog, tensor) else {
            continue;
        };
        let now = shape.read(bytes);
        let cost = |elements: &[u64]| elements.iter().map(|bits| cost(&shape.ty, *bits)).sum::<u128>();
        let simpler = candidates(&shape.ty, &now)
            .into_iter()
            .filter(|next| cost(next) < cost(&now));
        found.extend(simpler.filter_map(|elements| with(suite, draft, input, lay_out(&shape, &elements))));
    }
    found
}

fn with(suite: &Planner, draft: &Draft, input: usize, bytes: Vec<u8>) -> Option<Draft> {
    let Case {
        id,
        mode,
        descriptor,
        inputs,
        ..
    } = &draft.case;
    let mut inputs = inputs.clone();
    *inputs.get_mut(input)? = bytes;
    let aliases = aliases(suite, &draft.case);
    let case = by_content::build_from_parts(suite, id.level(), *mode, (**descriptor).clone(), inputs, &aliases).ok()?;
    Some(Draft {
        case,
        form: draft.form.clone(),
    })
}

fn candidates(ty: &DataType, now: &[u64]) -> Vec<Vec<u64>> {
    let whole = |n: i128| encode_int(ty, n);
    let mut found = vec![vec![whole(0); now.len()]];
    found.extend([0, 1].map(|first| ranked(ty, now, first)));
    let mut replace = |range: std::ops::Range<usize>, n: i128| {
        let mut next = now.to_vec();
        next[range].fill(whole(n));
        found.push(next);
    };
    let half = now.len() / 2;
    replace(0..half, 0);
    replace(half..now.len(), 0);
    if now.len() <= ONE_BY_ONE {
        for at in 0..now.len() {
            (0..3).for_each(|n| replace(at..at + 1, n));
        }
    }
    found.push(now.iter().map(|bits| plain_nan(ty, *bits)).collect());
    found
}

/// Ordinary values as whole numbers from `first` on, in the same order.
fn ranked(ty: &DataType, now: &[u64], first: i128) -> Vec<u64> {
    let mut values: Vec<u64> = now.iter().copied().filter(|bits| is_ordinary(ty, *bits)).collect();
    let order = |a: u64, b: u64| decode(ty, a).order(decode(ty, b)).unwrap_or(a.cmp(&b));
    values.sort_by(|a, b| order(*a, *b));
    values.dedup();
    let rank = |bits: &u64| match values.binary_search_by(|value| order(*value, *bits)) {
        Ok(rank) if is_ordinary(ty, *bits) => encode_int(ty, first + rank as i128),
        _ => *bits,
    };
    now.iter().map(rank).collect()
}

/// Whether nothing is special about a value.
fn is_ordinary(ty: &DataType, bits: u64) -> bool {
    let is_finite = !matches!(decode(ty, bits), Number::Float(x) if !x.is_finite());
    is_finite && !is_negative_zero(ty, bits) && !is_denormal(ty, bits)
}

fn plain_nan(ty: &DataType, bits: u64) -> u64 {
    match is_nan(ty, bits) {
        true => dml_case::number::encode_float(ty, f64::NAN),
        false => bits,
    }
}

/// How hard a value is to read.
fn cost(ty: &DataType, bits: u64) -> u128 {
    const ODD: u128 = 1 << 70;
    match decode(ty, bits) {
        Number::Int(n) => n.unsigned_abs() * 2 + u128::from(n < 0),
        Number::Float(x) if x.is_nan() => ODD * 2 + u128::from(bits != plain_nan(ty, bits)),
        Number::Float(x) if !x.is_finite() || is_negative_zero(ty, bits) || is_denormal(ty, bits) => ODD * 2,
        Number::Float(x) if x.fract() == 0.0 && x.abs() < 1e15 => (x.abs() * 2.0) as u128 + u128::from(x < 0.0),
        Number::Float(_) => ODD,
    }
}
