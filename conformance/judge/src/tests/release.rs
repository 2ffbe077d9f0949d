//! Programs that compute what releases of DirectML compute, where these differ from a clear text.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use dml_case::{case::Mode, context::Context, outcome::Follows};
use dml_oracle::{Acceptance, Expectation, Request};
use dml_spec::{
    meaning::typed::Variant,
    model::{Text, Tier},
};

use crate::{
    embedded::{buckets, suite},
    expected::Expectations,
    tests::open::buffers_of,
    tests::*,
};

/// A clause and a variant that some release computes.
type Fact = (Text, Text);

fn facts(operator: &dml_spec::model::Operator) -> BTreeSet<Fact> {
    let clauses = operator.clauses.iter();
    let seen = clauses.flat_map(|clause| clause.observed.iter().map(move |seen| (clause, seen)));
    seen.filter_map(|(clause, seen)| Some((clause.id.clone(), seen.does.clone()?)))
        .collect()
}

/// What a case expects by the text, and if these variants are computed.
fn outputs(expectations: &Expectations, variants: &[&Variant]) -> Expectation {
    let request = Request {
        variants,
        ..expectations.request()
    };
    Expectation::compute(&request).unwrap()
}

/// An outcome, whom the clauses are followed as, and the clauses that are to blame.
type Found = (Outcome, Vec<(Text, Follows)>, Vec<Text>);

/// Verdicts on both bases, with whom the backend follows and the clauses that it violates.
fn judged(suite: &Suite, case: &Case, elements: &[Vec<u64>]) -> [Found; 2] {
    [Basis::Runtime, Basis::Text].map(|basis| {
        let outputs = buffers_of(suite, case, elements);
        let judged = on(basis, suite, case, &Answer::Executed { outputs });
        let clauses = judged.diagnosis.map(|diagnosis| diagnosis.clauses).unwrap_or_default();
        let own = |(clause, _): &(Text, Follows)| !clause.starts_with("TENSOR/");
        (
            judged.outcome,
            judged.follows.into_iter().filter(own).collect(),
            clauses,
        )
    })
}

#[test]
fn a_program_that_computes_what_a_release_computes_follows_it() {
    let suite = suite();
    let mut shown: BTreeMap<Fact, u32> = BTreeMap::new();
    let all: BTreeSet<Fact> = suite.catalog.operators.iter().flat_map(facts).collect();
    for bucket in buckets(&|operator| !facts(operator).is_empty()) {
        let operator = &suite.catalog.operators[bucket.operator];
        let of = facts(operator);
        let is_shown = |shown: &BTreeMap<Fact, u32>| of.iter().all(|fact| shown.get(fact).is_some_and(|n| *n >= 3));
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Standard, 0, &mut |case| {
            if is_shown(&shown) {
                return ControlFlow::Break(());
            }
            let small = |elements: u64| elements <= 4096;
            let specified = matches!(case.verdict, Verdict::Valid | Verdict::Observed { rejected: false, .. });
            let runs = case.mode == Mode::Execute && specified;
            if runs && shapes(suite, &case).iter().all(|shape| small(shape.elements())) {
                show(suite, &case, &of, &mut shown);
            }
            ControlFlow::Continue(())
        });
    }
    let missing: Vec<&Fact> = all.iter().filter(|fact| !shown.contains_key(*fact)).collect();
    assert!(missing.is_empty(), "no case shows {missing:#?}");
}

/// Holds each fact that shows in a case against the judge.
fn show(suite: &Suite, case: &Case, facts: &BTreeSet<Fact>, shown: &mut BTreeMap<Fact, u32>) {
    let expectations = Expectations::of(Context::new(suite, case).unwrap(), false).unwrap();
    let mut text: Option<Expectation> = None;
    for (clause, name) in facts {
        let variants = expectations.variants(clause);
        let Some(variant) = variants.into_iter().find(|variant| variant.name == *name) else {
            continue;
        };
        let text = text.get_or_insert_with(|| outputs(&expectations, &[]));
        let found = outputs(&expectations, &[variant]);
        let fact = (clause.clone(), name.clone());
        if found.open() > 0 {
            // What it computes there is not known: on the runtimes' word anything is taken, and nothing elsewhere.
            let changed = |is_changed: &dyn Fn(bool) -> bool| -> Vec<Vec<u64>> {
                let pairs = text.outputs.iter().zip(&found.acceptances);
                let change =
                    |(at, bits): (usize, &u64), open: &Acceptance| bits ^ u64::from(is_changed(open.is_open(at)));
                pairs
                    .map(|(output, open)| output.iter().enumerate().map(|of| change(of, open)).collect())
                    .collect()
            };
            let mut pairs = text.acceptances.iter().zip(&text.outputs).zip(changed(&|open| open));
            let takes = pairs.all(|((accepted, expected), found)| {
                let mut all = expected.iter().zip(&found).enumerate();
                all.all(|(at, (expected, found))| accepted.accepts(at, *expected, *found))
            });
            if takes {
                continue;
            }
            let [runtime, by_text] = judged(suite, case, &changed(&|open| open));
            let follows = vec![(clause.clone(), Follows::Runtime)];
            let outcome = match expectations.is_judged(&[variant]) {
                true => Outcome::Pass,
                false => Outcome::Unspecified,
            };
            assert_eq!(runtime, (outcome, follows, vec![]), "{}", case.id);
            assert_eq!((by_text.0, &by_text.2[0]), (Outcome::Fail, clause), "{}", case.id);
            // Where nothing is judged at all, nothing passes either.
            for (outcome, ..) in judged(suite, case, &changed(&|_| true)) {
                assert_ne!(outcome, Outcome::Pass, "{}", case.id);
            }
            *shown.entry(fact).or_default() += 1;
            continue;
        }
        let differs = text.outputs.iter().zip(&text.acceptances).zip(&found.outputs);
        let mut differing = differs.filter(|((expected, accepted), found)| {
            let mut pairs = expected.iter().zip(*found).enumerate();
            pairs.any(|(at, (expected, found))| !accepted.accepts(at, *expected, *found))
        });
        if differing.next().is_none() {
            continue;
        }
        // Where what it takes holds the text's outputs too, these follow neither.
        let mut both = found.acceptances.iter().zip(&found.outputs).zip(&text.outputs);
        let takes = both.all(|((accepted, found), expected)| {
            let mut all = found.iter().zip(expected).enumerate();
            all.all(|(at, (found, expected))| accepted.accepts(at, *found, *expected))
        });
        if takes {
            continue;
        }
        let [runtime, by_text] = judged(suite, case, &found.outputs);
        let follows = vec![(clause.clone(), Follows::Runtime)];
        assert_eq!(runtime, (Outcome::Pass, follows.clone(), vec![]), "{}: {name}", case.id);
        assert_eq!(
            by_text,
            (Outcome::Fail, follows, vec![clause.clone()]),
            "{}: {name}",
            case.id
        );
        for (outcome, follows, _) in judged(suite, case, &text.outputs) {
            assert_eq!(outcome, Outcome::Pass, "{}: the text", case.id);
            assert!(
                follows.contains(&(clause.clone(), Follows::Text)),
                "{}: {follows:?}",
                case.id
            );
        }
        *shown.entry(fact).or_default() += 1;
    }
}

/// ONE_HOT with 64-bit indices, and values whose last dimension has one element: two facts in one case.
#[test]
fn what_holds_beside_a_silence_may_hold_of_what_a_release_computes() {
    let suite = suite();
    let id = "ELEMENT_WISE_CLIP:1.0:sizes:type=FLOAT16,sizes=1x1x2x1,bias=2x-0.5,min=11529215046068469760,max=-inf";
    let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
    // -65504 is the limit of the release, and negative infinity that of the text; no limit is 1.
    for (bits, is_allowed) in [(0xFBFF, true), (0xFC00, true), (0x3C00, false)] {
        for (outcome, ..) in judged(suite, &case, &[vec![bits; 2]]) {
            assert_eq!(outcome != Outcome::Fail, is_allowed, "{bits:#x}");
        }
    }
}

#[test]
fn what_lies_between_elements_may_be_read_by_a_release() {
    let suite = suite();
    let id = "ONE_HOT:2.0:layout:type=FLOAT32,index=UINT32,sizes=1x2x1x1,axis=1,pair=1x2x1x1,indices=in-order,\
              layout=padded-input,values=infinities";
    let case = dml_plan::build(suite, &id.parse().unwrap()).unwrap();
    let expectations = Expectations::of(Context::new(suite, &case).unwrap(), false).unwrap();
    let variants = expectations.variants("ONE_HOT/values-chosen");
    // The value that is taken for the one lies in a gap.
    assert!(outputs(&expectations, &variants).open() > 0, "{variants:?}");
}

#[test]
fn two_facts_in_one_case_are_followed_together() {
    let suite = suite();
    let names = ["neighbour-by-stride", "counts-by-low-word"];
    let mut found = 0;
    for bucket in buckets(&|operator| operator.name == "ONE_HOT") {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Standard, 0, &mut |mut case| {
            if case.mode != Mode::Execute || !matches!(case.verdict, Verdict::Valid) {
                return ControlFlow::Continue(());
            }
            // The same low word, and past the end.
            for index in case.inputs[0].chunks_exact_mut(8).filter(|index| index[7] == 0) {
                index[4] = 1;
            }
            let expectations = Expectations::of(Context::new(suite, &case).unwrap(), false).unwrap();
            let clauses = ["ONE_HOT/values-chosen", "ONE_HOT/index-of-sequence"];
            let variants: Vec<&Variant> = clauses
                .iter()
                .flat_map(|clause| expectations.variants(clause))
                .collect();
            if !names
                .iter()
                .all(|name| variants.iter().any(|variant| variant.name == *name))
            {
                return ControlFlow::Continue(());
            }
            let both = outputs(&expectations, &variants);
            let alone = variants
                .iter()
                .any(|variant| outputs(&expectations, &[variant]).outputs == both.outputs);
            if alone || both.open() > 0 {
                return ControlFlow::Continue(());
            }
            let [runtime, text] = judged(suite, &case, &both.outputs);
            assert_eq!((runtime.0, runtime.1.len()), (Outcome::Pass, 2), "{}", case.id);
            assert_eq!((text.0, text.2.len()), (Outcome::Fail, 2), "{}", case.id);
            found += 1;
            if found < 3 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }
    assert!(found > 0, "no case shows both");
}
