//! Wrong scans for the zoo: each is written here once more, without the oracle.

use crate::oracle::{Call, ComputingFault, Lanes, Right, guess::through_half, numbers};
use dml_case::number::{Number, decode, encode_float};

/// All of them. Each gets a sequence in the order in which it is passed, and gives its tallies with every element itself.
pub(super) fn all() -> Vec<ComputingFault> {
    let mut all = vec![
        fault(
            "scanned-in-place",
            "a parallel scan reads what it has written in the same step",
            |lane| {
                let mut out = lane.to_vec();
                let mut step = 1;
                while step < out.len() {
                    for at in step..out.len() {
                        out[at] = add(out[at], out[at - step]);
                    }
                    step *= 2;
                }
                out
            },
        ),
        fault("last-step-missing", "a parallel scan ends a step too early", |lane| {
            let (mut out, mut step) = (lane.to_vec(), 1);
            while step * 2 < lane.len() {
                let before = out.clone();
                for at in step..out.len() {
                    out[at] = add(before[at], before[at - step]);
                }
                step *= 2;
            }
            out
        }),
        fault(
            "carry-of-one-block",
            "blocks of 4 start from the sum of the block before alone",
            |lane| {
                blocks(lane, 4, |sums, block| {
                    block.checked_sub(1).and_then(|at| sums.get(at)).copied()
                })
            },
        ),
        fault(
            "carry-of-first-block",
            "blocks of 4 start from the sum of the first block",
            |lane| {
                blocks(
                    lane,
                    4,
                    |sums, block| if block > 0 { sums.first().copied() } else { None },
                )
            },
        ),
        fault("blocks-of-64", "the tally starts anew every 64 elements", |lane| {
            blocks(lane, 64, |_, _| None)
        }),
        fault("blocks-of-256", "the tally starts anew every 256 elements", |lane| {
            blocks(lane, 256, |_, _| None)
        }),
        fault("blocks-of-1024", "the tally starts anew every 1024 elements", |lane| {
            blocks(lane, 1024, |_, _| None)
        }),
        fault("blocks-of-4096", "the tally starts anew every 4096 elements", |lane| {
            blocks(lane, 4096, |_, _| None)
        }),
        fault("neighbours-only", "only the element before is added", |lane| {
            let before = |at: usize| at.checked_sub(1).and_then(|at| lane.get(at));
            let sum = |(at, own): (usize, &Number)| before(at).map_or(*own, |before| add(*own, *before));
            lane.iter().enumerate().map(sum).collect()
        }),
        fault("total-everywhere", "every element becomes the sum of all", |lane| {
            let total = running(lane).last().copied();
            lane.iter().map(|own| total.unwrap_or(*own)).collect()
        }),
        fault("first-twice", "the first element counts twice", |lane| {
            let first = lane.first().copied();
            running(lane)
                .into_iter()
                .map(|sum| first.map_or(sum, |first| add(sum, first)))
                .collect()
        }),
        fault("products", "elements are multiplied instead of added", |lane| {
            let mut product: Option<Number> = None;
            let mut next = |own: &Number| {
                let all = match (product, *own) {
                    (Some(Number::Int(a)), Number::Int(b)) => Number::Int(a.wrapping_mul(b)),
                    (Some(a), b) => Number::Float(a.double() * b.double()),
                    (None, own) => own,
                };
                product = Some(all);
                all
            };
            lane.iter().map(&mut next).collect()
        }),
        fault(
            "tally-in-half-precision",
            "the tally is rounded to half precision at every step",
            |lane| {
                let mut tally: Option<Number> = None;
                let mut next = |own: &Number| {
                    let sum = tally.map_or(*own, |tally| add(tally, *own));
                    tally = Some(if matches!(sum, Number::Float(_)) {
                        through_half(sum)
                    } else {
                        sum
                    });
                    tally.unwrap_or(sum)
                };
                lane.iter().map(&mut next).collect()
            },
        ),
    ];
    all.push(by_subtraction());
    all
}

/// Sums without the element itself are sums with it, less it.
fn by_subtraction() -> ComputingFault {
    let says = "sums without the element itself are those with it, less the element";
    numbers(
        "exclusive-by-subtraction",
        says,
        Right::Symptom(&["precision"]),
        |call: &Call| {
            let (input, output) = (call.inputs.first()?, call.outputs.first()?);
            let lanes = Lanes::along(&input.shape.sizes, usize::try_from(call.uint("Axis")?).ok()?)?;
            if call.uint("HasExclusiveSum")? == 0 {
                return None;
            }
            let rounded = |number: Number| match number {
                Number::Float(x) => decode(&output.ty, encode_float(&output.ty, x)),
                whole => whole,
            };
            let less = |a: Number, b: Number| match (a, b) {
                (Number::Int(a), Number::Int(b)) => Number::Int(a.wrapping_sub(b)),
                (a, b) => Number::Float(a.double() - b.double()),
            };
            let all = input.numbers();
            let mut out = all.clone();
            for lane in 0..lanes.count() {
                let mut places: Vec<usize> = (0..lanes.size).map(|at| lanes.place(lane, at)).collect();
                if call.uint("AxisDirection")? == 1 {
                    places.reverse();
                }
                let mut tally: Option<Number> = None;
                for place in places {
                    let own = *all.get(place)?;
                    let sum = rounded(tally.map_or(own, |tally| add(tally, own)));
                    *out.get_mut(place)? = less(sum, own);
                    tally = Some(sum);
                }
            }
            Some(out)
        },
    )
}

fn add(a: Number, b: Number) -> Number {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Number::Int(a.wrapping_add(b)),
        (a, b) => Number::Float(a.double() + b.double()),
    }
}

fn running(lane: &[Number]) -> Vec<Number> {
    blocks(lane, lane.len(), |_, _| None)
}

/// Tallies of blocks, each of which starts from what `carry` says of the sums of all blocks and its number.
fn blocks(lane: &[Number], size: usize, carry: impl Fn(&[Number], usize) -> Option<Number>) -> Vec<Number> {
    let chunks = || lane.chunks(size.max(1));
    let sums: Vec<Number> = chunks().filter_map(|block| block.iter().copied().reduce(add)).collect();
    let mut out = Vec::with_capacity(lane.len());
    for (number, block) in chunks().enumerate() {
        let mut tally = carry(&sums, number);
        for own in block {
            let sum = tally.map_or(*own, |tally| add(tally, *own));
            out.push(sum);
            tally = Some(sum);
        }
    }
    out
}

fn fault(
    name: &'static str,
    says: &'static str,
    of: impl Fn(&[Number]) -> Vec<Number> + Send + Sync + 'static,
) -> ComputingFault {
    let also = &["precision", "signedness"];
    numbers(name, says, Right::Symptom(also), move |call: &Call| {
        let input = call.inputs.first()?;
        let lanes = Lanes::along(&input.shape.sizes, usize::try_from(call.uint("Axis")?).ok()?)?;
        let (all, exclusive) = (input.numbers(), call.uint("HasExclusiveSum")? != 0);
        let mut out = all.clone();
        for lane in 0..lanes.count() {
            let mut places: Vec<usize> = (0..lanes.size).map(|at| lanes.place(lane, at)).collect();
            if call.uint("AxisDirection")? == 1 {
                places.reverse();
            }
            let passed: Vec<Number> = places.iter().filter_map(|place| all.get(*place).copied()).collect();
            let mut tallies = of(&passed);
            if exclusive {
                let zero = match passed.first()? {
                    Number::Int(_) => Number::Int(0),
                    Number::Float(_) => Number::Float(0.0),
                };
                tallies.insert(0, zero);
            }
            for (place, tally) in places.into_iter().zip(tallies) {
                *out.get_mut(place)? = tally;
            }
        }
        Some(out)
    })
}
