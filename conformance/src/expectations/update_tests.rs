//! Tests of files that are updated from invented runs.

use dml_case::record::Record;
use dml_plan::planner::Planner;
use dml_report::expectations::{Observed, SeenCases};
use dml_report::results::{Header, fixture};

use super::{UpdateError, Updated, read_expectations, update_expectations};
use crate::spec;

const UP: &str = "TOP_K1:2.1:values:type=FLOAT32,index=UINT32,sizes=1x1x1x2,axis=3,k=1,dir=INCREASING,values=constant";
const DOWN: &str =
    "TOP_K1:2.1:values:type=FLOAT32,index=UINT32,sizes=1x1x1x2,axis=3,k=1,dir=DECREASING,values=constant";
const EXAMPLE: &str = "TOP_K1:2.1:examples:example=largest-two";
const CORPUS: &str = "000000000000000000000000000000aa";

fn suite() -> Planner {
    Planner::new(spec::catalog().clone()).unwrap()
}

fn header(name: &str, os: &str, version: &str) -> Header {
    let mut header = fixture::header(name);
    header.corpus_digest = CORPUS.to_owned();
    header.backend.version = version.to_owned();
    header.os = os.to_owned();
    header
}

fn case(id: &str, outcome: &str) -> Record {
    let class = if outcome == "fail" { "tie-order" } else { outcome };
    Record {
        class: (outcome != "pass").then(|| class.to_owned().into()),
        ..fixture::case(id, outcome)
    }
}

type Runs<'a> = &'a [((&'a str, &'a str, &'a str), &'a [(&'a str, &'a str)])];

fn observed(runs: Runs<'_>) -> Observed {
    let mut observed = Observed::default();
    for ((name, os, version), cases) in runs {
        observed.header(&header(name, os, version)).unwrap();
        for (id, outcome) in *cases {
            observed.case(&case(id, outcome)).unwrap();
        }
    }
    observed
}

fn updated(text: &str, runs: Runs<'_>) -> Updated {
    let updated = update_expectations(&suite(), "known.yaml", text, &observed(runs)).unwrap();
    // What was written holds for the runs it was made from.
    let entries = read_expectations(&suite(), "known.yaml", &updated.text)
        .unwrap()
        .entries;
    let observed = observed(runs);
    for case in 0..observed.ids().len() {
        for (place, seen) in observed.of_case(case) {
            let expected = entries.iter().any(|entry| observed.is_expected(entry, case, place));
            assert_eq!(expected, seen.fails(), "{}\n{}", observed.ids()[case], updated.text);
        }
    }
    updated
}

const CPU: (&str, &str, &str) = ("cpu", "linux", "1.2");

#[test]
fn a_new_file_has_queries_and_a_reason_for_each() {
    let found = updated("", &[(CPU, &[(UP, "fail"), (DOWN, "pass"), (EXAMPLE, "crash")])]);
    let lines: Vec<&str> = found
        .text
        .lines()
        .filter(|line| !line.starts_with(['#', 's']))
        .collect();
    assert_eq!(
        lines,
        [
            &format!("corpus: {CORPUS}"),
            "expect:",
            &format!("- query: \"{UP}\""),
            "  outcome: fail",
            "  class: tie-order",
            "  because: \"not investigated yet: tie-order\"",
            "- query: \"TOP_K1:2.1:examples\"",
            "  outcome: crash",
            "  because: not investigated yet",
        ]
    );
    // Again, and nothing changes.
    let again = updated(
        &found.text,
        &[(CPU, &[(UP, "fail"), (DOWN, "pass"), (EXAMPLE, "crash")])],
    );
    assert_eq!((again.text, again.kept, again.added.len()), (found.text, 2, 0));
}

#[test]
fn what_is_written_by_hand_stays() {
    let text = "\
# The head.
- query: 'TOP_K1:2.1:values'   # both ways
  because: the sort is not stable   # really
  link: https://example.org/7
  outcome: fail

# Examples, apart.
- {query: TOP_K1:2.1:examples, because: 'no luck', outcome: crash}
# The end.
";
    let same: Runs<'_> = &[(CPU, &[(UP, "fail"), (DOWN, "fail"), (EXAMPLE, "crash")])];
    let kept = updated(text, same);
    assert_eq!((kept.kept, kept.added.len(), kept.removed.len()), (2, 0, 0));
    let without: Vec<&str> = kept
        .text
        .lines()
        .filter(|line| !["corpus", "expect:", "seen: "].iter().any(|key| line.starts_with(key)))
        .collect();
    assert_eq!(without, text.lines().collect::<Vec<_>>(), "{}", kept.text);
    // One way is mended: the entry is narrowed in its place, and keeps reason and link.
    let narrowed = updated(text, &[(CPU, &[(UP, "fail"), (DOWN, "pass"), (EXAMPLE, "pass")])]);
    assert_eq!(narrowed.added, [UP]);
    assert_eq!(narrowed.removed.len(), 2, "{:?}", narrowed.removed);
    for kept in [
        "# The head.",
        "# Examples, apart.",
        "# The end.",
        &format!("# both ways\n# really\n- query: \"{UP}\""),
        "because: the sort is not stable",
        "example.org/7",
    ] {
        assert!(narrowed.text.contains(kept), "{kept}:\n{}", narrowed.text);
    }
    assert!(!narrowed.text.contains("no luck"), "{}", narrowed.text);
    // All are mended.
    let empty = updated(text, &[(CPU, &[(UP, "pass"), (DOWN, "pass"), (EXAMPLE, "pass")])]);
    assert!(!empty.text.contains("query"), "{}", empty.text);
    // And fail again.
    let again = updated(&empty.text, same);
    assert_eq!((again.kept, again.removed.len()), (0, 0));
    assert!(again.text.contains("# The end."), "{}", again.text);
}

#[test]
fn runs_that_differ_are_told_apart() {
    let only = |runs: Runs<'_>| {
        let text = updated("", runs).text;
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("only: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let (fails, passes): (&[_], &[_]) = (&[(UP, "fail")], &[(UP, "pass")]);
    assert!(only(&[(CPU, fails), (("gpu", "linux", "1.2"), fails)]).is_empty());
    assert_eq!(
        only(&[(CPU, passes), (("gpu", "linux", "1.2"), fails)]),
        ["{backend: gpu}"]
    );
    assert_eq!(
        only(&[(CPU, passes), (("cpu", "windows", "1.2"), fails)]),
        ["{os: windows}"]
    );
    assert_eq!(
        only(&[(CPU, passes), (("cpu", "linux", "1.3"), fails)]),
        ["{library: \"=1.3\"}"]
    );
    // No single condition holds for these two and not for the third.
    let corners = only(&[
        (("cpu", "linux", "1"), fails),
        (("gpu", "windows", "1"), fails),
        (("cpu", "windows", "1"), passes),
        (("gpu", "linux", "1"), passes),
    ]);
    assert_eq!(corners.len(), 2, "{corners:?}");
    // The same place, once this way and once that.
    let text = updated("", &[(CPU, fails), (CPU, passes)]).text;
    assert!(text.contains("outcome: [pass, fail]"), "{text}");
}

#[test]
fn entries_of_other_places_and_of_nothing() {
    let text = "\
corpus: 000000000000000000000000000000bb
expect:
  - query: TOP_K1:2.1:examples
    because: elsewhere
    only: {os: plan9}
  - query: TOP_K1:2.1:nonsense
    because: long gone
seen: AAAAAA==
";
    let found = updated(text, &[(CPU, &[(EXAMPLE, "pass")])]);
    assert!(
        found.text.contains("plan9") && !found.text.contains("long gone"),
        "{}",
        found.text
    );
    assert!(
        found.text.contains("00bb") && found.text.contains("seen: AAAAAA=="),
        "what no run showed was known still: {}",
        found.text
    );
    let error = update_expectations(
        &suite(),
        "x",
        "[{query: TOP_K1, because: x}]",
        &observed(&[(CPU, &[(EXAMPLE, "pass")])]),
    );
    assert!(matches!(error, Err(UpdateError::Edit(_))), "{error:?}");
    let error = update_expectations(&suite(), "x", "- 7\n", &observed(&[(CPU, &[])]));
    assert!(matches!(error, Err(UpdateError::Mistakes(_))), "{error:?}");
    let mut mixed = observed(&[(CPU, &[])]);
    let mut other = header("cpu", "linux", "1");
    other.corpus_digest = "000000000000000000000000000000cc".to_owned();
    assert!(mixed.header(&other).is_err());
}

#[test]
fn a_part_of_the_plan_says_nothing_of_the_rest() {
    let other = "000000000000000000000000000000bb";
    let both = updated("", &[(CPU, &[(UP, "fail"), (DOWN, "fail")])])
        .text
        .replace(CORPUS, other);
    let seen = |text: &str| -> SeenCases {
        let line = text.lines().find_map(|line| line.strip_prefix("seen: "));
        SeenCases::parse(line.unwrap_or_default()).unwrap()
    };
    assert!(seen(&both).contains(UP) && seen(&both).contains(DOWN), "{both}");
    // The whole plan, as far as the runs go: what they do not show was known all the same.
    let whole = updated(&both, &[(CPU, &[(UP, "fail")])]).text;
    assert_eq!(seen(&whole), seen(&both), "{whole}");
    // A part of it: what is newer than the file may be in the rest.
    let mut part = Observed::default();
    let mut head = header("cpu", "linux", "1.2");
    head.selection = vec!["TOP_K1".to_owned()];
    part.header(&head).unwrap();
    part.case(&case(UP, "fail")).unwrap();
    let found = update_expectations(&suite(), "x", &both, &part).unwrap().text;
    assert!(found.contains(other) && seen(&found) == seen(&both), "{found}");
    let new = update_expectations(&suite(), "x", "", &part).unwrap().text;
    assert!(new.contains(CORPUS), "{new}");
}

#[test]
fn what_nobody_defines_is_not_covered() {
    let found = updated("", &[(CPU, &[(UP, "fail"), (DOWN, "unspecified")])]);
    assert_eq!(found.added, [UP]);
    // And an entry of which nothing else is left goes.
    let text = "- {query: 'TOP_K1:2.1:values', because: x}\n";
    let found = updated(text, &[(CPU, &[(UP, "unspecified"), (DOWN, "unspecified")])]);
    assert!(
        found.removed[0].ends_with("none of its cases fails any more"),
        "{:?}",
        found.removed
    );
    let found = updated(text, &[(CPU, &[(UP, "unspecified"), (DOWN, "fail")])]);
    assert_eq!((found.removed.len(), found.added.len()), (0, 0));
}

#[test]
fn a_reason_is_given_for_its_own_cases_only() {
    let other = UP.replace("TOP_K1:2.1", "TOP_K1:3.1");
    let text = "- {query: 'TOP_K1:2.1', because: looked into}\n";
    let found = updated(text, &[(CPU, &[(UP, "fail"), (DOWN, "pass"), (&other, "fail")])]);
    let reasons: Vec<&str> = found.text.lines().filter(|line| line.contains("because")).collect();
    assert_eq!(reasons.len(), 2, "{}", found.text);
    let own = found
        .text
        .split("- query: ")
        .find(|entry| entry.contains("looked into"))
        .unwrap();
    assert!(own.starts_with("\"TOP_K1:2.1:"), "{}", found.text);
}

#[test]
fn runs_of_less_than_the_plan_are_no_whole_ones() {
    let whole = |change: &dyn Fn(&mut Header)| {
        let mut head = header("cpu", "linux", "1");
        (head.tier, head.levels) = ("standard".to_owned(), vec!["2.1".to_owned(), "5.0".to_owned()]);
        change(&mut head);
        let mut observed = Observed::default();
        observed.header(&head).unwrap();
        observed.case(&case(UP, "pass")).unwrap();
        observed.is_whole(["2.1", "5.0"].map(|level| level.parse().unwrap()).into_iter())
    };
    assert!(whole(&|_| {}));
    assert!(whole(
        &|head| (head.levels, head.backend.feature_level) = (vec!["2.1".to_owned()], "3.0".to_owned())
    ));
    assert!(!whole(&|head| head.levels = vec!["2.1".to_owned()]));
    assert!(!whole(&|head| head.tier = "smoke".to_owned()));
    assert!(!whole(&|head| head.selection = vec!["TOP_K1".to_owned()]));
    assert!(!observed(&[(CPU, &[])]).is_whole(std::iter::empty()));
}

#[test]
fn comments_are_told_from_text() {
    let text = "\
- query: 'TOP_K1:2.1:values' # one
  # two
  because: 'issue #3, not # a comment' #three
  link: https://example.org/#4
  outcome: fail
";
    let found = updated(text, &[(CPU, &[(UP, "fail"), (DOWN, "pass")])]).text;
    let own: Vec<&str> = found.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(own, ["# one", "# two", "#three"], "{found}");
    assert!(
        found.contains("issue #3, not # a comment") && found.contains("example.org/#4"),
        "{found}"
    );
}

#[test]
fn what_was_accepted_is_seen_as_what_it_was() {
    let mut observed = observed(&[(CPU, &[(DOWN, "xpass")])]);
    let mut line = case(UP, "xfail");
    line.class = Some("crash".into());
    observed.case(&line).unwrap();
    line.id = EXAMPLE.parse().unwrap();
    line.class = Some("tie-order".into());
    observed.case(&line).unwrap();
    let found = update_expectations(&suite(), "x", "", &observed).unwrap();
    assert!(
        found.text.contains("outcome: crash") && found.text.contains("outcome: fail"),
        "{}",
        found.text
    );
    assert_eq!(found.added.len(), 2);
}
