use std::collections::BTreeSet;

use dml_case::{digest::Digest, id::CaseId};
use dml_spec::{FeatureLevel, model::Tier};

use super::vary::*;
use crate::{builder::Builder, design::parameters, embedded::suite, planner::Planner};

const LEVEL: FeatureLevel = FeatureLevel::new(6, 4);

/// The ids that the changes of a dial, or all of them, lead to.
fn around(suite: &Planner, base: &str, dial: Option<Dial>) -> Vec<String> {
    let base: CaseId = base.parse().unwrap();
    let at = suite.catalog.operators.iter().position(|of| of.name == base.operator());
    let builder = Builder::new(suite, at.unwrap()).unwrap();
    let parameters = parameters(&builder).unwrap();
    let around = Around::new(&builder, &parameters, &base, LEVEL).unwrap();
    let changes = around.changes().into_iter();
    let changes = changes.filter(|change| dial.is_none_or(|dial| dial == change.dial));
    let cases = changes.filter_map(|change| around.case(&change));
    cases.map(|case| case.id.to_string()).collect()
}

#[test]
fn what_follows_from_a_length_follows_it() {
    let suite = suite();
    let all = around(
        suite,
        "TOP_K1:2.1:sizes:type=FLOAT32,index=UINT32,sizes=2x33x1x1,axis=1,k=33,dir=INCREASING",
        Some(Dial::Size(1)),
    );
    let wanted = "TOP_K1:2.1:sizes:type=FLOAT32,index=UINT32,sizes=2x257x1x1,axis=1,k=257,dir=INCREASING";
    assert!(all.iter().any(|id| id == wanted), "{all:#?}");
    let all = around(
        suite,
        "GEMM:1.0:sizes:type=FLOAT32,a=1x1x3x2,b=1x1x2x5,c=null,ta=NONE,tb=NONE,alpha=1,beta=0,act=null",
        Some(Dial::Size(3)),
    );
    assert!(all.iter().any(|id| id.contains("a=1x1x3x65,b=1x1x65x5")), "{all:#?}");
}

#[test]
fn a_change_of_a_key_changes_nothing_else() {
    let suite = suite();
    let base = "TOP_K1:2.1:values:type=FLOAT32,index=UINT32,sizes=2x33x1x1,axis=1,k=2,dir=INCREASING,values=runs";
    let all = around(suite, base, Some(Dial::Key(5)));
    assert_eq!(all, [base.replace("INCREASING", "DECREASING")]);
    let types = around(suite, base, Some(Dial::Key(0)));
    assert!(types.contains(&base.replace("FLOAT32", "UINT8")), "{types:#?}");
    // A level that has the type.
    let wide = base.replace("FLOAT32", "INT64").replace(":2.1:", ":4.1:");
    let wide_at_5 = wide.replace(":4.1:", ":5.0:");
    assert!(types.iter().any(|id| *id == wide || *id == wide_at_5), "{types:#?}");
    let layouts = around(suite, base, Some(Dial::Layout));
    assert!(layouts.len() > 5);
    assert!(
        layouts
            .iter()
            .all(|id| id.contains(",layout=") && id.contains(":layout:") && id.contains(",values=runs"))
    );
    let values = around(suite, base, Some(Dial::Values));
    // The usual pattern stands in no id.
    assert!(
        values.contains(&base.replace(",values=runs", "").replace(":values:", ":sizes:")),
        "{values:#?}"
    );
}

#[test]
fn every_operator_has_cases_around_its_own() {
    let suite = suite();
    let computed = suite.catalog.operators.iter().enumerate();
    for (at, operator) in computed.filter(|(_, operator)| operator.is_computed()) {
        let builder = Builder::new(suite, at).unwrap();
        let parameters = parameters(&builder).unwrap();
        let rows = crate::design::design(&builder, &parameters, Tier::Smoke, 0).rows;
        let base = rows[rows.len() / 2].id.clone();
        let around = Around::new(&builder, &parameters, &base, LEVEL).unwrap();
        let changes = around.changes();
        let dials: BTreeSet<Dial> = changes.iter().map(|change| change.dial).collect();
        assert!(dials.len() >= 4, "{}: {dials:?}", operator.name);
        let some = changes.iter().step_by(4);
        let cases: Vec<_> = some.filter_map(|change| around.case(change)).collect();
        assert!(cases.len() > 4, "{base}: {} of {}", cases.len(), changes.len());
        for case in &cases {
            assert!(!case.verdict.is_rejection() && case.id != base, "{}", case.id);
            let again = crate::build(suite, &case.id).unwrap();
            assert_eq!(Digest::of_case(&again), Digest::of_case(case), "{}", case.id);
        }
    }
}

#[test]
fn numbers_are_read_and_set() {
    let suite = suite();
    let at = suite
        .catalog
        .operators
        .iter()
        .position(|of| of.name == "TOP_K1")
        .unwrap();
    let builder = Builder::new(suite, at).unwrap();
    let parameters = parameters(&builder).unwrap();
    let base: CaseId = "TOP_K1:2.1:sizes:type=FLOAT32,index=UINT32,sizes=2x33x1x1,axis=1,k=3,dir=INCREASING"
        .parse()
        .unwrap();
    // An example has no keys.
    let example = "TOP_K1:3.1:examples:example=largest-two".parse().unwrap();
    assert!(Around::new(&builder, &parameters, &example, LEVEL).is_none());
    let around = Around::new(&builder, &parameters, &base, LEVEL).unwrap();
    let number = |dial| around.number(dial, &base);
    assert_eq!(number(Dial::Size(1)), Some(33));
    assert_eq!(number(Dial::Key(4)), Some(3));
    assert_eq!(
        [number(Dial::Key(0)), number(Dial::Layout), number(Dial::Size(9))],
        [None; 3]
    );
    let case = around.case(&Around::to(Dial::Key(4), 17)).unwrap();
    assert_eq!(around.number(Dial::Key(4), &case.id), Some(17));
    // What breaks a rule is no case.
    assert!(around.case(&Around::to(Dial::Key(4), 34)).is_none());
    assert!(around.case(&Around::to(Dial::Size(1), 0)).is_none());
    assert!(around.case(&Around::to(Dial::Size(1), -1)).is_none());
    // Nowhere.
    assert!(around.case(&Around::to(Dial::Key(4), 3)).is_none());
}
