//! Documents hold what runs hold, and nothing in a run can become markup.

use std::{collections::BTreeMap, fmt::Write as _, io::Write as _, sync::LazyLock};

use tempfile::NamedTempFile;

use crate::render::*;
use crate::results::Header;
use crate::summary::Ending;
use dml_case::record::Record;
use dml_case::{case::Case, id::CaseId};
use dml_plan::planner::Planner;

const HEADER: &str = r#"{"type":"header","format":1,"suite":"0.1.0","spec_digest":"00","corpus_digest":"00","backend":{"label":"LABEL","name":"mine","version":"1","feature_level":"5.0","levels":"strict","validator":"own","details":{"driver":"LABEL"}},"os":"linux","arch":"x86_64","command":["dml-cts","LABEL"],"seed":0,"tier":"standard","basis":"runtime","levels":["2.1","5.0"],"again":"dml-cts run --backend mine"}"#;

/// Texts that could end an element, a script, a cell, code, or a line.
const EVIL: &str = "</script><img src=x onerror=alert(1)>|`**[x](javascript:1)\u{7}\u{202e} & \"'";

fn header(label: &str) -> String {
    let label = serde_json::to_string(label).unwrap();
    HEADER.replace("\"LABEL\"", &label)
}

fn case(id: &str, outcome: &str, more: &str) -> String {
    let expectation = "0".repeat(32);
    format!(
        r#"{{"type":"case","id":"{id}","outcome":"{outcome}","verdict":"valid","expectation":"{expectation}"{more}}}"#
    )
}

fn footer(complete: bool) -> String {
    format!(r#"{{"type":"footer","counts":{{}},"complete":{complete},"seconds":1.5}}"#)
}

fn failing(id: &str, clause: &str, class: &str, message: &str) -> String {
    let message = serde_json::to_string(message).unwrap();
    case(
        id,
        "fail",
        &format!(r#","clauses":["{clause}"],"class":"{class}","message":{message}"#),
    )
}

/// A file of these lines; footers count the lines before them.
fn file(lines: &[String]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for line in lines {
        let outcome = line
            .split("\"outcome\":\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        match outcome {
            Some(outcome) => *counts.entry(outcome.to_owned()).or_default() += 1,
            None if line.contains("\"header\"") => counts.clear(),
            None => {}
        }
        let counted = format!("\"counts\":{}", serde_json::to_string(&counts).unwrap());
        writeln!(file, "{}", line.replace("\"counts\":{}", &counted)).unwrap();
    }
    file
}

/// What is new, by the beginning of its id.
struct New(&'static str);

impl Before for New {
    fn knows(&self, _: &Header) -> bool {
        true
    }

    fn is_news(&self, _: &Header, case: &Record) -> bool {
        case.id.as_str().starts_with(self.0)
    }
}

/// Cases as the command line rebuilds them.
struct Rebuilt(Planner);

impl CaseSource for Rebuilt {
    fn build(&self, id: &CaseId) -> Option<Case> {
        dml_plan::build(&self.0, id).ok()
    }

    fn expected(&self, case: &Case) -> Vec<Vec<u64>> {
        dml_judge::expected_outputs(&self.0, case).unwrap_or_default()
    }

    fn wrong_elements(&self, case: &Case, half_precision: bool, outputs: &[Vec<u8>]) -> Vec<Vec<bool>> {
        dml_judge::wrong_elements(&self.0, case, half_precision, outputs).unwrap_or_default()
    }
}

/// One suite for all tests, so that each plan is made once.
fn suite() -> &'static Planner {
    static SUITE: LazyLock<Planner> = LazyLock::new(|| Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap());
    &SUITE
}

fn rendered(form: Form, files: &[&NamedTempFile], before: &dyn Before) -> String {
    let suite = suite();
    let paths: Vec<&Path> = files.iter().map(|file| file.path()).collect();
    let runs = read(suite, &paths, before).unwrap();
    let mut out = Vec::new();
    render(form, suite, &Rebuilt(suite.clone()), "00", &runs, &paths, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Two backends, one of which fails and skips.
fn two() -> (NamedTempFile, NamedTempFile) {
    let passing = [
        header("good"),
        case("TOP_K1:2.1:ties:type=FLOAT32,sizes=1x3,axis=1,k=1", "pass", ""),
        case("TOP_K1:5.0:nan:type=FLOAT32,sizes=1x3,axis=1,k=1", "unspecified", ""),
        footer(true),
    ];
    let tie = "TOP_K1/ties-ascend";
    let failing = [
        header("bad"),
        failing(
            "TOP_K1:2.1:ties:type=FLOAT32,sizes=1x99,axis=1,k=1",
            tie,
            "tie-order",
            "far",
        ),
        failing(
            "TOP_K1:2.1:ties:type=FLOAT32,sizes=1x3,axis=1,k=1",
            tie,
            "tie-order",
            "near",
        ),
        failing(
            "GATHER:1.0:sizes:type=INT8,sizes=1x3",
            "GATHER/gathers",
            "wrong-value",
            "one",
        ),
        case(
            "TOP_K1:5.0:nan:type=FLOAT32,sizes=1x3,axis=1,k=1",
            "skip",
            r#","reason":"tired""#,
        ),
        case(
            "TOP_K1:5.0:nan:type=FLOAT32,sizes=1x4,axis=1,k=1",
            "crash",
            r#","class":"crash","message":"gone""#,
        ),
        footer(false),
    ];
    (file(&passing), file(&failing))
}

#[test]
fn nothing_in_a_run_becomes_markup() {
    let lines = [
        header(EVIL),
        failing(
            "TOP_K1:2.1:ties:type=FLOAT32,sizes=1x3",
            "TOP_K1/ties-ascend",
            "tie-order",
            EVIL,
        ),
        case(
            "TOP_K1:2.1:ties:type=FLOAT32,sizes=1x4",
            "skip",
            &format!(",\"reason\":{}", serde_json::to_string(EVIL).unwrap()),
        ),
        footer(true),
    ];
    let file = file(&lines);
    let html = rendered(Form::Html, &[&file], &());
    assert!(!html.contains("<img"), "an element got into the page");
    assert_eq!(
        html.matches("</script>").count(),
        3,
        "data, details and the script itself"
    );
    assert!(html.contains("&lt;img src=x"));
    let page = html.split("<script").next().unwrap();
    assert!(
        !page.contains('\u{202e}') && !page.contains('\u{7}'),
        "what turns text around"
    );
    let markdown = rendered(Form::Markdown, &[&file], &());
    assert!(
        !markdown.contains("<img") && !markdown.contains("[x](") && !markdown.contains('\u{202e}'),
        "{markdown}"
    );
    let junit = rendered(Form::Junit, &[&file], &());
    let read = quick_junit::Report::deserialize_from_str(&junit).unwrap();
    assert_eq!(read.test_suites.len(), 2);
    let table = conforms(&self::read(suite(), &[file.path()], &()).unwrap());
    assert!(!table.contains("<img"), "{table}");
}

#[test]
fn a_run_without_a_footer_is_incomplete_everywhere() {
    let file = file(&[header("mine"), case("TOP_K1:2.1:ties:type=FLOAT32", "pass", "")]);
    let runs = read(suite(), &[file.path()], &()).unwrap();
    assert_eq!((runs.len(), runs[0].ending(None)), (1, Ending::Incomplete));
    let markdown = rendered(Form::Markdown, &[&file], &());
    assert!(
        markdown.contains("**mine: incomplete**") && markdown.contains("cut short"),
        "{markdown}"
    );
    let html = rendered(Form::Html, &[&file], &());
    assert!(html.contains("Incomplete: the file ends without a footer"));
    assert!(!html.contains("</span> conformant"));
    let junit = rendered(Form::Junit, &[&file], &());
    assert!(
        junit.contains(r#"<error message="the file ends without a footer"#),
        "{junit}"
    );
    assert!(conforms(&runs).contains("mine is incomplete"), "{}", conforms(&runs));
    // The same if another run follows in the file.
    let file = self::file(&[
        header("a"),
        case("TOP_K1:2.1:ties:k=1", "pass", ""),
        header("b"),
        footer(true),
    ]);
    let runs = read(suite(), &[file.path()], &()).unwrap();
    let endings: Vec<Ending> = runs.iter().map(|run| run.ending(None)).collect();
    assert_eq!(
        endings,
        [Ending::Incomplete, Ending::Incomplete],
        "and nothing judged is nothing shown"
    );
}

#[test]
fn levels_are_judged_up_to_themselves() {
    let tie = failing("TOP_K1:3.1:ties:type=FLOAT32", "TOP_K1/ties-ascend", "tie-order", "");
    let file = file(&[
        header("mine"),
        case("TOP_K1:2.1:ties:k=1", "pass", ""),
        tie,
        case("TOP_K1:5.0:ties:k=1", "pass", ""),
        footer(true),
    ]);
    let runs = read(suite(), &[file.path()], &()).unwrap();
    let endings: Vec<_> = runs[0]
        .levels()
        .into_iter()
        .map(|level| (level.to_string(), runs[0].ending(Some(level))))
        .collect();
    let html = rendered(Form::Html, &[&file], &());
    let rows: Vec<&str> = html
        .lines()
        .filter(|line| line.starts_with("<tr><th scope=\"row\">"))
        .collect();
    let fails = r##"<a href="#q=run:mine%20upto:5.0">1</a>"##;
    assert!(
        rows[0].ends_with(r#"<td class="n">0</td><td class="n">1</td></tr>"#),
        "{}",
        rows[0]
    );
    assert!(
        rows[2].contains(fails) && rows[2].ends_with(r#"<td class="n">3</td></tr>"#),
        "counts are those of the verdict: {}",
        rows[2]
    );
    let wanted = [
        ("2.1", Ending::Conformant),
        ("3.1", Ending::NotConformant),
        ("5.0", Ending::NotConformant),
    ];
    assert_eq!(endings, wanted.map(|(level, ending)| (level.to_owned(), ending)));
}

#[test]
fn summaries_name_the_smallest_case_and_what_is_new_first() {
    let (good, bad) = two();
    let text = rendered(Form::Markdown, &[&good, &bad], &New("GATHER"));
    assert!(
        text.contains("✅ **good: conformant** – 2 cases: 1 pass, 1 unspecified"),
        "{text}"
    );
    assert!(text.contains("❌ **bad: not conformant**"), "{text}");
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} in {text}"));
    assert!(place("Newly failing") < place("GATHER:1.0") && place("GATHER:1.0") < place("What failed, by clause"));
    assert!(
        place("`TOP_K1/ties-ascend`** 2 cases") < place("`GATHER/gathers`** 1 case"),
        "the largest group first"
    );
    assert!(text.contains("smallest: near"), "{text}");
    assert!(
        text.contains("again: `dml-cts run --backend mine 'TOP_K1:2.1:ties:type=FLOAT32,sizes=1x3,axis=1,k=1'`"),
        "{text}"
    );
    assert!(text.contains("- 1 case: tired"), "{text}");
}

#[test]
fn failures_that_are_known_are_told() {
    let known = case("TOP_K1:2.1:ties:type=FLOAT32", "xfail", "");
    let lines = [
        header("mine"),
        case("TOP_K1:2.1:order:type=FLOAT32", "pass", ""),
        known,
        case("TOP_K1:2.1:ties:type=INT8", "skip", r#","reason":"tired""#),
        footer(true),
    ];
    let file = file(&lines);
    let text = rendered(Form::Markdown, &[&file], &());
    assert!(
        text.contains("✅ **mine: conformant but for 1 known failure**"),
        "{text}"
    );
    let html = rendered(Form::Html, &[&file], &());
    assert!(
        html.contains("</span> conformant but for 1 known failure</span>"),
        "{html}"
    );
    assert!(
        html.contains("known failures of") && !html.contains("</span> conformant</"),
        "a skip hides it"
    );
    let table = conforms(&read(suite(), &[file.path()], &()).unwrap());
    assert!(
        table.contains("k 1 of 2") && table.contains("1 case, are not counted"),
        "{table}"
    );
}

#[test]
fn summaries_fit_a_ci_step() {
    let mut lines = vec![header("mine")];
    let long = "long message ".repeat(1000);
    lines.extend((0..300).map(|n| {
        failing(
            &format!("TOP_K1:2.1:ties:k={n}"),
            &format!("TOP_K1/c{n}"),
            "tie-order",
            &long,
        )
    }));
    lines.push(footer(true));
    let file = file(&lines);
    let text = rendered(Form::Markdown, &[&file; 30], &New(""));
    assert!(text.len() < 1 << 20, "{}", text.len());
    assert!(text.ends_with("shows it.\n"), "and says that there is more");
}

#[test]
fn junit_has_a_suite_an_operator_and_level() {
    let (good, bad) = two();
    let text = rendered(Form::Junit, &[&good, &bad], &());
    let report = quick_junit::Report::deserialize_from_str(&text).unwrap();
    let shown: Vec<_> = report
        .test_suites
        .iter()
        .map(|s| (s.name.as_str(), s.tests, s.failures, s.errors))
        .collect();
    let wanted = [
        ("good TOP_K1 2.1", 1, 0, 0),
        ("good TOP_K1 5.0", 1, 0, 0),
        ("good run", 1, 0, 0),
        ("bad TOP_K1 2.1", 2, 2, 0),
        ("bad GATHER 1.0", 1, 1, 0),
        ("bad TOP_K1 5.0", 2, 0, 1),
        ("bad run", 1, 0, 1),
    ];
    assert_eq!(shown, wanted);
    assert_eq!((report.tests, report.failures, report.errors), (9, 3, 2));
    let sum = |of: fn(&quick_junit::TestSuite) -> usize| report.test_suites.iter().map(of).sum::<usize>();
    assert_eq!(
        (sum(|s| s.tests), sum(|s| s.failures), sum(|s| s.errors)),
        (9, 3, 2),
        "the root's counts are theirs"
    );
    let failure = &report.test_suites[3].test_cases[1];
    assert_eq!(
        failure.name.as_str(),
        "TOP_K1:2.1:ties:type=FLOAT32,sizes=1x3,axis=1,k=1"
    );
    assert_eq!(failure.classname.as_ref().unwrap().as_str(), "bad.TOP_K1.2_1.ties");
    let quick_junit::TestCaseStatus::NonSuccess {
        message,
        ty,
        description,
        ..
    } = &failure.status
    else {
        panic!("{failure:?}");
    };
    assert_eq!(
        (message.as_ref().unwrap().as_str(), ty.as_ref().unwrap().as_str()),
        ("near", "tie-order")
    );
    let description = description.as_ref().unwrap().as_str();
    assert!(description.contains("clause: TOP_K1/ties-ascend"), "{description}");
    assert!(
        description.contains("again: dml-cts run --backend mine 'TOP_K1:2.1:ties"),
        "{description}"
    );
    assert!(text.contains(r#"<skipped message="tired""#), "{text}");
    assert!(text.contains("skipped=\"1\"") && !text.contains("disabled="), "{text}");
}

#[test]
fn tables_put_backends_beside_each_other() {
    let (good, bad) = two();
    let text = conforms(&read(suite(), &[good.path(), bad.path()], &()).unwrap());
    let row = |name: &str| {
        text.lines()
            .find(|line| line.starts_with(&format!("| {name} |")))
            .unwrap_or_else(|| panic!("{text}"))
    };
    assert_eq!(row("good"), "| good | 1, good |  | TOP\\_K1 | — | ✓ 1 | ? |");
    assert_eq!(
        row("bad"),
        "| bad | 1, bad |  | GATHER, TOP\\_K1 | ✗ 1 of 1 | ✗ 2 of 2 | ✗ 1 of 1 |"
    );
    assert_eq!(row("ties"), "| ties | ✓ 1 | ✗ 2 of 2 |");
    let breaks = "- bad breaks `TOP_K1/ties-ascend` in 2, no clause in 1, `GATHER/gathers` in 1";
    assert!(text.contains(breaks), "{text}");
    assert!(text.contains("- good breaks no clause"), "{text}");
}

#[test]
fn cases_count_for_the_clause_that_the_footer_blames() {
    let line = |n: usize, clauses: &str| {
        let more = format!(r#","clauses":[{clauses}],"class":"differs""#);
        case(&format!("TOP_K1:2.1:ties:type=FLOAT32,sizes=1x{n}"), "fail", &more)
    };
    let (sorted, top) = (r#""TOP_K1/sorted""#, r#""TOP_K1/selects-top""#);
    let both = format!("{sorted},{top}");
    let lines = |footer: String| [header("mine"), line(1, &both), line(2, top), line(3, sorted), footer];
    let clauses = |footer: String| {
        let runs = read(suite(), &[file(&lines(footer)).path()], &()).unwrap();
        let of_case = |failing: &Failing| failing.clause().replace("TOP_K1/", "");
        let shown: Vec<String> = runs[0].failures.iter().map(of_case).collect();
        let counted: Vec<u64> = runs[0].clauses.values().map(|by| by.values().sum()).collect();
        (shown.join(" "), counted)
    };
    // Counts of `selects-top` and `sorted`.
    let expected = ("sorted selects-top sorted".to_owned(), vec![1, 2]);
    assert_eq!(clauses(footer(true)), expected);
    let dismissed = footer(true).replace(r#""seconds""#, &format!(r#""dismissed":[{sorted}],"seconds""#));
    let expected = ("selects-top selects-top sorted".to_owned(), vec![2, 1]);
    assert_eq!(clauses(dismissed), expected);
}

#[test]
fn of_many_that_fail_alike_the_smallest_is_kept() {
    let mut lines = vec![header("mine")];
    let id = |n: usize| format!("TOP_K1:2.1:ties:type=FLOAT32,sizes=1x{n}");
    lines.extend(
        (1..=1000)
            .rev()
            .map(|n| failing(&id(n), "TOP_K1/ties-ascend", "tie-order", "")),
    );
    lines.push(footer(true));
    let file = file(&lines);
    let runs = read(suite(), &[file.path()], &()).unwrap();
    assert_eq!(runs[0].failing(), 1000);
    assert!(runs[0].failures.len() < 200, "{}", runs[0].failures.len());
    assert!(runs[0].failures.iter().any(|failing| failing.id() == id(1)));
    assert_eq!(runs[0].groups[0].smallest, id(1));
    let html = rendered(Form::Html, &[&file], &());
    assert!(html.contains("of the failing cases are counted and not listed"));
    assert!(
        html.contains(r#""cells":[[0,"TOP_K1","2.1","FLOAT32",1000]]"#),
        "so that lists tell what they leave out"
    );
    // New failures are kept in addition, and come first.
    let new = New("TOP_K1:2.1:ties:type=FLOAT32,sizes=1x999");
    let runs = read(suite(), &[file.path()], &new).unwrap();
    assert_eq!(runs[0].newly, Some(1));
    assert!(
        runs[0]
            .failures
            .iter()
            .any(|failing| failing.id() == id(999) && failing.is_new)
    );
    let html = rendered(Form::Html, &[&file], &new);
    let place = |what: &str| html.find(what).unwrap_or_else(|| panic!("{what}"));
    assert!(place("Newly failing: ") < place("<table class=\"levels\">"));
    assert!(html.contains(r##"<a href="#q=run:mine%20new:yes">1 case</a>"##));
    let first = html.split("\"cases\":[").nth(1).unwrap();
    assert!(
        first.starts_with("[0,0,\"type=FLOAT32,sizes=1x999\""),
        "{}",
        &first[..80]
    );
}

#[test]
fn a_page_of_a_hundred_thousand_failures_is_small() {
    let mut lines = vec![header("mine")];
    for n in 0..100_000 {
        let mut id = format!("TOP_K1:{}.{}:f{}:type=T{}", n % 5, n % 3, n % 7, n % 11);
        let _ = write!(id, ",sizes=1x2x3x{n},axis=2,k=1,layout=gaps,dir=DECREASING");
        let message = format!("element {n} stands before element {} in the sequence [0,{n},*]", n + 1);
        lines.push(failing(&id, &format!("TOP_K1/c{}", n % 13), "tie-order", &message));
    }
    lines.push(footer(true));
    let file = file(&lines);
    let html = rendered(Form::Html, &[&file], &());
    assert!(html.len() < 20_000_000, "{}", html.len());
}

#[test]
fn files_that_make_no_sense_are_named_with_their_line() {
    let suite = suite();
    let error = |lines: &[String]| read(suite, &[file(lines).path()], &()).unwrap_err().to_string();
    assert!(error(&[]).contains("no stored run in this file"));
    let message = error(&[header("a"), case("TOP_K1", "pass", "")]);
    assert!(message.contains(":2: invalid case id `TOP_K1`"), "{message}");
    let message = error(&[header("a"), case("TOP_K1:x.y:ties:k=1", "pass", "")]);
    assert!(message.contains(":2: "), "{message}");
    let message = error(&[header("a"), "{\"type\":\"case\"".to_owned(), footer(true)]);
    assert!(message.contains(":2: EOF"), "{message}");
    let twice = case("TOP_K1:2.1:ties:k=1", "pass", "");
    let message = error(&[header("a"), twice.clone(), twice]);
    assert!(message.contains(":3: ") && message.contains("already"), "{message}");
    let message = error(&[header("a"), case("TOP_K1:2.1:ties:k=1", "passed", "")]);
    assert!(message.contains(":2: unknown outcome `passed`"), "{message}");
}

#[test]
fn a_run_whose_lines_were_changed_is_incomplete() {
    let lines = [
        header("mine"),
        case("TOP_K1:2.1:ties:k=1", "pass", ""),
        case("TOP_K1:2.1:ties:k=2", "pass", ""),
        footer(true).replace("{}", r#"{"fail":1,"pass":1}"#),
    ];
    let file = file(&lines);
    let runs = read(suite(), &[file.path()], &()).unwrap();
    assert_eq!(runs[0].ending(None), Ending::Incomplete);
    let message = &runs[0].damage[0];
    assert!(
        message.contains("0 fail of 1, 2 pass of 1") && message.starts_with(&file.path().display().to_string()),
        "{message}"
    );
    for form in [Form::Html, Form::Markdown, Form::Junit] {
        let text = rendered(form, &[&file], &());
        assert!(
            text.contains("its lines differ from the counts of its footer"),
            "{text}"
        );
    }
}

#[test]
fn runs_of_one_label_are_told_apart() {
    let run = || {
        file(&[
            header("mine"),
            failing("TOP_K1:2.1:ties:k=1", "", "x", ""),
            footer(true),
        ])
    };
    let files = [run(), run(), file(&[header("mine (2)"), footer(true)])];
    let paths = files.each_ref().map(|file| file.path());
    let runs = read(suite(), &paths, &()).unwrap();
    let labels: Vec<&str> = runs.iter().map(|run| run.header.backend.label.as_str()).collect();
    assert_eq!(labels, ["mine", "mine (3)", "mine (2)"]);
    let html = rendered(Form::Html, &files.each_ref(), &());
    assert!(html.contains("#q=op:TOP_K1%20level:2.1%20run:mine%2B%283%29\""));
}

#[test]
fn what_nobody_defines_did_not_pass() {
    let (good, _) = two();
    let html = rendered(Form::Html, &[&good], &());
    assert!(html.contains("<td class=\"open\">? 1<"));
    let file = file(&[
        header("mine"),
        case("TOP_K1:2.1:ties:type=INT8,k=1", "pass", ""),
        case("TOP_K1:2.1:nan:type=INT8,k=1", "unspecified", ""),
        footer(true),
    ]);
    let html = rendered(Form::Html, &[&file], &());
    assert!(html.contains("<td class=\"good\">✓ 1<span class=\"sr\"> passed,</span> <span class=\"of\">? 1"));
}
