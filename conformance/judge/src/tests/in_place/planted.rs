//! Faults planted in every planned case in place: for every operator, the mistake is among the explanations.

use std::{collections::BTreeMap, ops::ControlFlow};

use dml_spec::model::Tier;

use crate::tests::in_place::*;
use dml_legacy::oracle::{Call, oracle};

/// Cases of more elements take long and say no more.
const ELEMENTS: u64 = 130;

/// What a faulty kernel leaves of a call: the call itself, what it should come to, and one that holds other elements in
/// the place of the output.
struct Kernel<'a> {
    call: &'a Call<'a>,
    right: Vec<u64>,
    run: &'a dyn Fn(&Call) -> Vec<u64>,
    at: usize,
}

impl Kernel<'_> {
    fn holding(&self, elements: &[u64]) -> Vec<u64> {
        let mut call = self.call.clone();
        call.inputs[self.at].elements = elements.to_vec();
        (self.run)(&call)
    }

    /// What is right, half as far off as it may be, to either side in turns.
    fn rounded(&self) -> Vec<u64> {
        let of = oracle(&self.call.operator.name).unwrap();
        let slack = of.slack(self.call, std::slice::from_ref(&self.right)).remove(0);
        let ty = &self.call.outputs[0].ty;
        let off = |(at, (bits, slack)): (usize, (&u64, f64))| match decode(ty, *bits) {
            Number::Float(x) if slack.is_finite() => {
                encode_float(ty, if at % 2 == 0 { x + slack / 2.0 } else { x - slack / 2.0 })
            }
            _ => *bits,
        };
        self.right.iter().zip(slack).enumerate().map(off).collect()
    }

    fn old(&self) -> &[u64] {
        &self.call.inputs[self.at].elements
    }
}

/// What a fault leaves in the output; `None` if it cannot be planted.
type Fault<'a> = &'a dyn Fn(&Kernel) -> Option<Vec<u64>>;

/// How often each class explains a fault first, and the failing cases that `class` does not explain at all.
fn explain_planted(
    class: &str,
    fault: impl Fn(&Kernel) -> Option<Vec<u64>>,
) -> (BTreeMap<dml_spec::model::Text, u32>, Vec<String>) {
    // The sweeps alone: what random cases combine can be too little to tell one mistake from another.
    let suite = suite().without_lists();
    let (mut first, mut without) = (BTreeMap::new(), Vec::new());
    let shares = |bucket: &&dml_plan::Bucket| suite.recipes[bucket.operator].families[bucket.family].shares_memory();
    for bucket in dml_plan::buckets(&suite).iter().filter(shares) {
        let _ = dml_plan::for_each_case(&suite, bucket, Tier::Standard, 0, &mut |case| {
            let shapes = || shapes(&suite, &case);
            if case.aliases.is_empty() || shapes()[0].elements() > ELEMENTS {
                return ControlFlow::Continue(());
            }
            let operator = suite.operator(case.id.operator()).unwrap().0;
            let call = Call::new(&suite.catalog, operator, &case.descriptor, &case.inputs).unwrap();
            let run = |call: &Call| oracle(&operator.name).unwrap().reference(call).remove(0);
            let kernel = Kernel {
                call: &call,
                right: run(&call),
                run: &run,
                at: case.aliases[0].input,
            };
            let Some(elements) = fault(&kernel) else {
                return ControlFlow::Continue(());
            };
            let (_, mut outputs) = buffers(operator, &case);
            call.outputs[0].write(outputs[0].tensor_mut(), elements);
            let judged = on(Basis::Runtime, &suite, &case, &Answer::Executed { outputs });
            if let Some(found) = judged.diagnosis.filter(|_| judged.outcome == Outcome::Fail) {
                *first.entry(found.class.clone()).or_insert(0) += 1;
                if found.class != class && found.others.iter().all(|other| other.class != class) {
                    without.push(format!("{}: {} {}", case.id, found.class, found.message));
                }
            }
            ControlFlow::Continue(())
        });
    }
    (first, without)
}

#[test]
fn an_input_that_was_overwritten_is_named() {
    let other = |kernel: &Kernel| {
        let other = kernel.call.inputs.get(1 - kernel.at.min(1))?;
        (kernel.at < 2 && kernel.call.inputs.len() == 2).then(|| kernel.holding(&other.elements))
    };
    let faults: [(&str, Fault); 4] = [
        ("cleared", &|kernel| Some(kernel.holding(&vec![0; kernel.old().len()]))),
        ("other", &other),
        ("twice", &|kernel| Some(kernel.holding(&kernel.right))),
        ("twice, rounded", &|kernel| Some(kernel.holding(&kernel.rounded()))),
    ];
    let mut failed = Vec::new();
    for (fault, plant) in faults {
        let (first, without) = explain_planted(OVERWRITTEN, plant);
        let named = first.get(OVERWRITTEN).copied().unwrap_or(0);
        let other = first.values().sum::<u32>() - named;
        // Sharper bounds than those of the guesses leave a few unexplained.
        if without.len() * 50 > named as usize || named < 50 || other * 10 > named {
            failed.push(format!("{fault}: {first:?}\n{}", without.join("\n")));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn an_output_that_was_not_written_is_named() {
    let (first, without) = explain_planted("unwritten", |kernel| Some(kernel.old().to_vec()));
    assert!(without.is_empty(), "{first:?}\n{}", without.join("\n"));
    assert!(first["unwritten"] > 300, "{first:?}");
    // The last elements, as many as no accident leaves.
    let (first, without) = explain_planted("unwritten", |kernel| {
        let half = kernel.right.len() / 2;
        Some([&kernel.right[..half], &kernel.old()[half..]].concat())
    });
    assert!(without.is_empty(), "{first:?}\n{}", without.join("\n"));
}

#[test]
fn wrong_results_are_not_unwritten_by_accident() {
    let swapped = |kernel: &Kernel| {
        let mut elements = kernel.right.clone();
        for pair in elements.chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
        Some(elements)
    };
    let few = |kernel: &Kernel| {
        let mut elements = kernel.right.clone();
        // A third wrong, and of these some as they were.
        for (at, element) in elements.iter_mut().enumerate().filter(|(at, _)| at % 3 == 0) {
            *element = if at % 2 == 0 {
                kernel.old()[at]
            } else {
                *element ^ 1 << 5
            };
        }
        Some(elements)
    };
    let faults: [(&str, Fault); 2] = [("swapped", &swapped), ("few", &few)];
    for (fault, plant) in faults {
        let (first, _) = explain_planted("", plant);
        assert_eq!(first.get("unwritten"), None, "{fault}: {first:?}");
    }
}
