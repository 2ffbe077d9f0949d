//! Wrong normalizations for the zoo: each is written here once more, without the oracle.

use crate::oracle::{
    Call, ComputingFault, Right,
    elementary::{exp, exp2, ln},
    numbers,
    reduction::Sets,
};

/// All of them.
pub(super) fn all() -> Vec<ComputingFault> {
    vec![
        fault(
            "not-divided",
            "exponentials are not divided by their sum",
            |set, at, _| exp(set[at]),
        ),
        fault(
            "no-exponential",
            "elements are divided by their sum without exponentials",
            |set, at, _| set[at] / set.iter().sum::<f64>(),
        ),
        fault("logarithm-kept", "the logarithm of the result", |set, at, _| {
            set[at] - ln(set.iter().map(|x| exp(*x)).sum::<f64>())
        }),
        fault("base-two", "powers of 2 instead of exponentials", |set, at, _| {
            exp2(set[at]) / set.iter().map(|x| exp2(*x)).sum::<f64>()
        }),
        fault("smallest-wins", "elements count with the other sign", |set, at, _| {
            exp(-set[at]) / set.iter().map(|x| exp(-x)).sum::<f64>()
        }),
        fault(
            "one-in-the-sum",
            "the sum of exponentials starts from 1",
            |set, at, _| exp(set[at]) / (1.0 + set.iter().map(|x| exp(*x)).sum::<f64>()),
        ),
        fault(
            "divided-by-largest",
            "exponentials are divided by the largest of them",
            |set, at, _| exp(set[at] - set.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b))),
        ),
        fault(
            "largest-alone",
            "1 for the largest element, 0 for the others",
            |set, at, _| {
                let top = set.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
                f64::from(u8::from(set[at] == top))
            },
        ),
        fault(
            "last-not-in-the-sum",
            "the last element of a set takes no part in its sum",
            |set, at, _| {
                let rest = &set[..set.len().max(2) - 1];
                exp(set[at]) / rest.iter().map(|x| exp(*x)).sum::<f64>()
            },
        ),
        shortened("sum-over-64-cut", "of a set the first 64 elements make the sum", 64),
        shortened("sum-over-256-cut", "of a set the first 256 elements make the sum", 256),
        shortened(
            "sum-over-1024-cut",
            "of a set the first 1024 elements make the sum",
            1024,
        ),
        fault(
            "sum-of-everything",
            "exponentials are divided by the sum over the whole tensor",
            |set, at, all| exp(set[at]) / all.iter().map(|x| exp(*x)).sum::<f64>(),
        ),
    ]
}

/// A fault that sums so many elements of a set and no more.
fn shortened(name: &'static str, says: &'static str, most: usize) -> ComputingFault {
    fault(name, says, move |set, at, _| {
        let part = set.get(..most).unwrap_or(set);
        exp(set[at]) / part.iter().map(|x| exp(*x)).sum::<f64>()
    })
}

/// A fault that makes something else of an element, given its set, its index there, and all elements.
fn fault(
    name: &'static str,
    says: &'static str,
    of: impl Fn(&[f64], usize, &[f64]) -> f64 + Send + Sync + 'static,
) -> ComputingFault {
    numbers(name, says, Right::Symptom(&[]), move |call: &Call| {
        let input = call.inputs.first()?;
        let all: Vec<f64> = input.numbers().into_iter().map(|n| n.double()).collect();
        let mut out = vec![0.0; all.len()];
        for places in Sets::of(&input.shape.sizes, call.uints("Axes")?)?.iter() {
            let set: Vec<f64> = places.iter().filter_map(|place| all.get(*place).copied()).collect();
            for (at, place) in places.iter().enumerate() {
                *out.get_mut(*place)? = of(&set, at, &all);
            }
        }
        Some(out.into_iter().map(dml_case::number::Number::Float).collect())
    })
}
