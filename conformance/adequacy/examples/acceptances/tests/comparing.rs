//! Every kind of difference is found where it was planted, and nothing else.

use super::{case, compared, dump, half, interval, of_head};
use crate::{
    accept::{Accept, Special},
    case::{Head, Openness},
    compare::{Comparison, Kind},
    write::Encoded,
};

const ONE: u64 = 0x3c00;

/// A case with one element of each kind beside these, so that a difference has neighbours.
fn with(elements: &[Accept]) -> Encoded {
    let around = [
        Accept::Exact(ONE),
        interval(ONE - 2, ONE, ONE + 2),
        Accept::Set(vec![ONE, 0]),
        Accept::Open,
    ];
    case("A:1.0:b", &half(), &[&around[..], elements].concat())
}

fn of_dumps(old: &[Encoded], new: &[Encoded]) -> Comparison {
    compared(&dump(old), &dump(new)).unwrap()
}

/// The kinds of difference between two statements about one element.
fn differences(old: Accept, new: Accept) -> Vec<Kind> {
    let comparison = of_dumps(&[with(&[old])], &[with(&[new])]);
    let tally = &comparison.operators["A"];
    let found: Vec<Kind> = tally.differences.keys().copied().collect();
    assert_eq!(comparison.agrees(false), found.is_empty());
    assert_eq!(
        comparison.agrees(true),
        found.iter().all(|kind| *kind == Kind::OpenOnlyInOld)
    );
    for (count, named) in tally.differences.values() {
        assert_eq!((*count, named.len()), (1, 1));
        assert!(named[0].starts_with("A:1.0:b output 0 element 4 ("), "{named:?}");
    }
    found
}

#[test]
fn what_says_the_same_agrees() {
    let all = [
        Accept::Exact(ONE),
        interval(ONE, ONE, ONE + 1),
        Accept::Set(vec![ONE, 0]),
        Accept::Open,
    ];
    for accept in all {
        assert_eq!(differences(accept.clone(), accept), []);
    }
}

#[test]
fn exact_elements_differ_by_a_bit() {
    assert_eq!(differences(Accept::Exact(ONE), Accept::Exact(ONE + 1)), [Kind::Exact]);
    assert_eq!(differences(Accept::Exact(0), Accept::Exact(0x8000)), [Kind::Exact]);
    // In a case where everything is exact, digests tell.
    let exact = |bits| case("A:1.0:b", &half(), &[Accept::Exact(ONE), Accept::Exact(bits)]);
    let comparison = of_dumps(&[exact(1)], &[exact(2)]);
    let tally = &comparison.operators["A"];
    assert_eq!((tally.exact, tally.count(Kind::Exact)), (1, 1));
}

#[test]
fn intervals_that_lose_the_old_value_are_found() {
    let old = || interval(ONE - 2, ONE, ONE + 2);
    assert_eq!(differences(old(), interval(ONE - 1, ONE, ONE + 1)), [], "narrower");
    assert_eq!(
        differences(old(), interval(ONE, ONE + 1, ONE + 2)),
        [],
        "another reference"
    );
    assert_eq!(differences(old(), Accept::Exact(ONE)), []);
    assert_eq!(differences(old(), Accept::Set(vec![ONE + 1, ONE])), []);
    assert_eq!(differences(old(), interval(ONE + 1, ONE + 1, ONE + 2)), [Kind::Missed]);
    assert_eq!(differences(old(), Accept::Exact(ONE + 1)), [Kind::Missed]);
    assert_eq!(differences(old(), Accept::Set(vec![ONE - 1, ONE + 1])), [Kind::Missed]);
}

#[test]
fn elements_that_accept_more_are_found() {
    let old = || interval(ONE - 1, ONE, ONE + 2);
    let flagged = |special| Accept::Interval {
        reference: ONE,
        lo: ONE - 1,
        hi: ONE + 1,
        special,
    };
    let (nan, above, below) = (true, true, true);
    let specials = [
        Special {
            nan,
            ..Special::default()
        },
        Special {
            above,
            ..Special::default()
        },
        Special {
            below,
            ..Special::default()
        },
    ];
    for special in specials {
        assert_eq!(differences(old(), flagged(special)), [Kind::Wider], "{special:?}");
        assert_eq!(differences(flagged(special), flagged(special)), []);
        assert_eq!(differences(flagged(special), interval(ONE, ONE, ONE + 1)), []);
    }
    assert_eq!(differences(old(), interval(ONE - 2, ONE, ONE + 2)), [Kind::Wider]);
    assert_eq!(
        differences(old(), interval(ONE, ONE, 0x7c00)),
        [Kind::Wider],
        "up to infinity"
    );
    assert_eq!(differences(old(), Accept::Set(vec![ONE, 0x7c00])), [Kind::Wider]);
}

#[test]
fn lists_that_accept_others_are_found() {
    let exact = || Accept::Exact(ONE);
    assert_eq!(differences(exact(), interval(ONE, ONE, ONE + 1)), [Kind::Wider]);
    assert_eq!(differences(exact(), Accept::Set(vec![ONE, 0])), [Kind::Wider]);
    assert_eq!(
        differences(exact(), Accept::Set(vec![ONE + 1, 0])),
        [Kind::Missed, Kind::Wider]
    );
    assert_eq!(
        differences(Accept::Exact(0), interval(0x8000, 0, 0)),
        [Kind::Wider],
        "the other zero"
    );
    let set = || Accept::Set(vec![ONE, 0]);
    assert_eq!(differences(set(), Accept::Set(vec![0, ONE])), []);
    assert_eq!(differences(set(), Accept::Exact(ONE)), []);
    assert_eq!(
        differences(set(), Accept::Set(vec![ONE, 1])),
        [Kind::Wider],
        "another member"
    );
    assert_eq!(differences(set(), interval(0, ONE, ONE)), [Kind::Wider], "all between");
}

#[test]
fn openness_in_one_of_them_is_found() {
    for accept in [Accept::Exact(ONE), interval(0, ONE, ONE), Accept::Set(vec![ONE, 0])] {
        assert_eq!(differences(Accept::Open, accept.clone()), [Kind::OpenOnlyInOld]);
        assert_eq!(differences(accept, Accept::Open), [Kind::OpenOnlyInNew]);
    }
}

fn head() -> Head {
    Head {
        id: "A:1.0:b".to_owned(),
        verdict: "valid".to_owned(),
        openness: Openness::Judged,
        clauses: vec!["A/c".to_owned()],
        properties: Vec::new(),
    }
}

/// The kinds of difference between two cases, each with how often it was found.
fn of_cases(old: &[Encoded], new: &[Encoded]) -> Vec<(Kind, u64)> {
    let comparison = of_dumps(old, new);
    let tallies = comparison.operators.values().flat_map(|tally| &tally.differences);
    tallies.map(|(kind, (count, _))| (*kind, *count)).collect()
}

#[test]
fn cases_that_one_of_them_lacks_are_found() {
    let [a, b, c] = ["A:1.0:b", "A:1.0:c", "B:1.0:c"].map(|id| case(id, &half(), &[Accept::Exact(ONE)]));
    let all = [a.clone(), b.clone(), c.clone()];
    assert_eq!(of_cases(&all, &[a.clone(), c.clone()]), [(Kind::CaseOnlyInOld, 1)]);
    assert_eq!(of_cases(std::slice::from_ref(&b), &all), [(Kind::CaseOnlyInNew, 1); 2]);
    assert_eq!(of_cases(&all, &[c, a, b]), [], "the order does not matter");
}

#[test]
fn other_verdicts_and_outputs_are_found() {
    let elements = [Accept::Exact(ONE), Accept::Exact(ONE)];
    let old = [of_head(&head(), &half(), &elements)];
    let verdict = Head {
        verdict: "observed".to_owned(),
        ..head()
    };
    let clauses = Head {
        clauses: Vec::new(),
        ..head()
    };
    for head in [verdict, clauses] {
        assert_eq!(
            of_cases(&old, &[of_head(&head, &half(), &elements)]),
            [(Kind::Verdict, 1)]
        );
    }
    let whole = dml_case::number::ty(dml_spec::model::NumberClass::Signed, 16);
    for other in [
        of_head(&head(), &half(), &elements[..1]),
        of_head(&head(), &whole, &elements),
        Encoded::new(&head(), Vec::new()),
    ] {
        assert_eq!(of_cases(&old, &[other]), [(Kind::Outputs, 1)]);
    }
}

#[test]
fn unspecified_cases_that_one_judges_in_part_are_found() {
    let open = |openness| Head { openness, ..head() };
    let unspecified = [of_head(
        &open(Openness::Unspecified),
        &half(),
        &[Accept::Open, Accept::Open],
    )];
    let in_part = [of_head(&head(), &half(), &[Accept::Open, Accept::Exact(ONE)])];
    let found = of_cases(&unspecified, &in_part);
    assert_eq!(found, [(Kind::UnspecifiedOnlyInOld, 1), (Kind::OpenOnlyInOld, 1)]);
    let found = of_cases(&in_part, &unspecified);
    assert_eq!(found, [(Kind::UnspecifiedOnlyInNew, 1), (Kind::OpenOnlyInNew, 1)]);
    let observed = [of_head(
        &open(Openness::Observed),
        &half(),
        &[Accept::Open, Accept::Open],
    )];
    assert_eq!(of_cases(&unspecified, &observed), []);
}

#[test]
fn dumps_about_other_things_do_not_agree() {
    let mut bytes = Vec::new();
    let writer = crate::write::Writer::new(&mut bytes, "smoke", "runtime", "").unwrap();
    writer.finish().unwrap();
    let comparison = compared(&dump(&[]), &bytes).unwrap();
    assert!(!comparison.agrees(true));
    assert_eq!(comparison.about, ["basis: `text` in OLD, `runtime` in NEW"]);
    let mut report = Vec::new();
    comparison.write(&mut report, true).unwrap();
    assert!(report.ends_with(b"do not agree: another tier, basis or query\n"));
}

#[test]
fn a_report_names_figures_and_cases() {
    let old = [
        Accept::Exact(ONE),
        interval(ONE, ONE, ONE + 2),
        interval(ONE, ONE, ONE + 4),
        interval(ONE, ONE, ONE + 4),
    ];
    let new = [
        Accept::Exact(ONE + 1),
        interval(ONE, ONE, ONE + 1),
        interval(ONE, ONE, ONE + 2),
        interval(ONE, ONE, ONE + 12),
    ];
    let comparison = of_dumps(&[case("A:1.0:b", &half(), &old)], &[case("A:1.0:b", &half(), &new)]);
    let mut report = Vec::new();
    comparison.write(&mut report, false).unwrap();
    let report = String::from_utf8(report).unwrap();
    for part in [
        "exact elements   0 equal, 1 different",
        "intervals, sets  3: 3 accept the old value, 0 do not; width new/old 0.5000 in the median, 3.0000 at most; 1 wider",
        "A:1.0:b output 0 element 0 (Exact(3c00) in OLD, Exact(3c01) in NEW)",
        "1 cases in both: the dumps do not agree: 1 exact elements that differ, 1 elements that accept more",
    ] {
        assert!(report.contains(part), "{part}\n{report}");
    }
}
