//! Outputs that clauses leave open: the variant that they are, and the invariants that they keep.

use std::{collections::BTreeSet, ops::ControlFlow};

use dml_case::{case::Mode, context::Context};
use dml_oracle::{Expectation, Request};
use dml_spec::{
    answer::Buffer,
    model::{Text, Tier},
};

use crate::{
    embedded::{buckets, suite},
    expected::Expectations,
    output::list_outputs,
    tests::*,
};

/// The expected elements of every present output, and their buffers with these elements.
pub(super) fn buffers_of(suite: &Suite, case: &Case, elements: &[Vec<u64>]) -> Vec<Buffer> {
    let (operator, _) = suite.operator(case.id.operator()).unwrap();
    let (_, mut buffers) = dml_case::poison::buffers(operator, case);
    let outputs = list_outputs(Context::new(suite, case).unwrap()).unwrap();
    for ((buffer, output), elements) in buffers.iter_mut().zip(&outputs).zip(elements) {
        let (width, mut elements) = (output.shape.width(), elements.iter());
        let bytes = buffer.tensor_mut();
        output.shape.for_each_offset(|offset| {
            let bits = elements.next().unwrap().to_le_bytes();
            bytes[offset * width..(offset + 1) * width].copy_from_slice(&bits[..width]);
        });
    }
    buffers
}

/// What each variant of a silence leads to holds what holds whatever is left open, and the report names the variant.
#[test]
fn what_variants_lead_to_is_told() {
    let suite = suite();
    let mut told = BTreeSet::new();
    for bucket in buckets(&|operator| operator.clauses.iter().any(|clause| !clause.tells.is_empty())) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Standard, 0, &mut |case| {
            if let Verdict::Unspecified(ids) = &case.verdict
                && case.mode == Mode::Execute
                && case.elements(&suite.catalog) <= 256
            {
                follow_variants(suite, &case, ids, &mut told);
            }
            ControlFlow::Continue(())
        });
    }
    let silences = suite
        .catalog
        .operators
        .iter()
        .flat_map(|operator| operator.clauses.iter());
    let variants: usize = silences
        .map(|clause| clause.tells.iter().filter(|variant| !variant.is_rest()).count())
        .sum();
    // Some need a type and attributes that no small case has together.
    assert!(told.len() * 4 > variants * 3, "{} of {variants}: {told:#?}", told.len());
}

fn follow_variants(suite: &Suite, case: &Case, ids: &[Text], told: &mut BTreeSet<(Text, Text)>) {
    let context = Context::new(suite, case).unwrap();
    if list_outputs(context)
        .unwrap()
        .iter()
        .any(|output| output.shares_places())
    {
        return;
    }
    let expectations = Expectations::of(context, false).unwrap();
    for id in ids {
        for variant in expectations.variants(id) {
            let request = Request {
                variants: &[variant],
                ..expectations.request()
            };
            let expectation = Expectation::compute(&request).unwrap_or_else(|fault| {
                panic!("{}: {id}, {}: {fault}", case.id, variant.name);
            });
            // What other silences leave open is not known.
            if expectation.open() > 0 {
                continue;
            }
            let outputs = buffers_of(suite, case, &expectation.outputs);
            let judged = on(Basis::Runtime, suite, case, &Answer::Executed { outputs });
            assert!(
                !judged.outcome.is_failure(),
                "{}: {}: {judged:#?}",
                case.id,
                variant.name
            );
            let does = judged.does.iter().find(|(of, _)| of == id);
            assert!(
                does.is_some_and(|(_, names)| names.contains(&variant.name)),
                "{}: {}: {judged:#?}",
                case.id,
                variant.name
            );
            told.insert((id.clone(), variant.name.clone()));
        }
    }
}

#[test]
fn what_holds_is_judged_whatever_is_open() {
    let suite = suite();
    let judge = |id: &str, change: &dyn Fn(&mut Vec<Vec<u64>>)| {
        let Ok(case) = dml_plan::build(suite, &id.parse().unwrap()) else {
            panic!("{id}")
        };
        let Verdict::Unspecified(ids) = &case.verdict else {
            panic!("{id} is specified")
        };
        let expectations = Expectations::of(Context::new(suite, &case).unwrap(), false).unwrap();
        let variants: Vec<_> = ids
            .iter()
            .flat_map(|id| expectations.variants(id).into_iter().take(1))
            .collect();
        let request = Request {
            variants: &variants,
            ..expectations.request()
        };
        let mut elements = Expectation::compute(&request).unwrap().outputs;
        change(&mut elements);
        let outputs = buffers_of(suite, &case, &elements);
        let judged = on(Basis::Runtime, suite, &case, &Answer::Executed { outputs });
        (
            judged.outcome,
            judged.diagnosis.map(|diagnosis| diagnosis.class.to_string()),
        )
    };
    let nan = "TOP_K1:2.1:values:type=FLOAT32,index=UINT32,sizes=1x1x1x4,axis=3,k=2,dir=INCREASING,values=nan-payloads";
    assert_eq!(judge(nan, &|_| {}).0, Outcome::Unspecified);
    let range = judge(nan, &|elements| elements[1][0] = 4);
    assert_eq!(range, (Outcome::Fail, Some("indices-in-range".to_owned())));
    let copies = judge(nan, &|elements| elements[0][0] = u64::from(77.5_f32.to_bits()));
    assert_eq!(copies, (Outcome::Fail, Some("values-are-copies".to_owned())));
    let limits = "ELEMENT_WISE_CLIP:3.0:values:type=FLOAT32,sizes=4x8,bias=0x0.5,min=3,max=0,values=infinities";
    let between = judge(limits, &|elements| elements[0][1] = u64::from(1.5_f32.to_bits()));
    assert_eq!(between, (Outcome::Fail, Some("one-of-the-limits".to_owned())));
    let zeros = "REDUCE:3.0:values:fn=MAX,type=FLOAT32,out=FLOAT32,sizes=1x4,axes=0,values=zeros";
    let extreme = judge(zeros, &|elements| elements[0][0] = u64::from((-77.0_f32).to_bits()));
    assert_eq!(extreme, (Outcome::Fail, Some("extreme-of-elements".to_owned())));
}

/// What is looked at block by block and kept nowhere says the same as what is kept: also of a wrong element at the end.
#[test]
fn outputs_are_followed_block_by_block() {
    let suite = suite();
    let (mut followed, mut refused, mut open) = (0, 0, 0);
    for bucket in buckets(&|operator| !operator.name.starts_with("ACTIVATION")) {
        let _ = dml_plan::for_each_case(suite, &bucket, Tier::Smoke, 0, &mut |case| {
            if case.mode != Mode::Execute || case.verdict.is_rejection() || case.elements(&suite.catalog) > 10_000 {
                return ControlFlow::Continue(());
            }
            let context = Context::new(suite, &case).unwrap();
            let Some(expectations) = Expectations::of(context, false) else {
                return ControlFlow::Continue(());
            };
            let Ok(mut kept) = Expectation::compute(&expectations.request()) else {
                return ControlFlow::Continue(());
            };
            assert_eq!(expectations.is_judged(&[]), kept.is_judged(), "{}", case.id);
            assert_eq!(expectations.follows(&[], &kept.outputs), Some(true), "{}", case.id);
            followed += 1;
            open += u32::from(!kept.is_judged());
            // The last element of the last output, all bits turned.
            if let (Some(last), Some(accepted)) = (
                kept.outputs.last_mut().filter(|last| !last.is_empty()),
                kept.acceptances.last(),
            ) {
                let (at, before) = (last.len() - 1, last[last.len() - 1]);
                last[at] = before ^ 0x7f;
                let takes = accepted.accepts(at, before, last[at]);
                refused += u32::from(!takes);
                assert_eq!(expectations.follows(&[], &kept.outputs), Some(takes), "{}", case.id);
            }
            ControlFlow::Continue(())
        });
    }
    assert!(
        followed > 1000 && refused > 500 && open > 20,
        "{followed} {refused} {open}"
    );
}
