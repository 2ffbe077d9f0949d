//! Lines are read as they were written; anything else is rejected with its place.

use std::io;

use super::*;
use dml_case::digest::Digest;

fn case() -> Record {
    Record {
        expectation: Digest(255),
        clauses: vec!["TOP_K1/ties-ascend".into()],
        class: Some("tie-order".into()),
        message: Some("index 2 stands before index 1".to_owned()),
        differing: 2,
        ..fixture::case("TOP_K1:2.1:ties:k=1", "fail")
    }
}

fn header() -> String {
    Line::Header(Box::new(fixture::header("cpu"))).to_json().unwrap()
}

#[test]
fn lines_survive_the_round_trip() {
    let line = Line::Case(Box::new(case()));
    let text = line.to_json().unwrap();
    assert_eq!(Line::parse(&text), Ok(line));
    assert!(!text.contains("reason") && !text.contains("\"ms\""), "{text}");
    assert!(matches!(Line::parse(&header()), Ok(Line::Header(_))));
}

#[test]
fn strange_lines_are_refused() {
    let case = Line::Case(Box::new(case())).to_json().unwrap();
    for (text, why) in [
        ("{", "EOF"),
        (r#"{"type":"dog"}"#, "`dog`"),
        (&case.replace("\"id\"", "\"di\""), "unknown field"),
        (&header().replace("\"format\":1", "\"format\":2"), "format 2"),
        (
            &header().replace("\"runtime\"", "\"luck\""),
            "basis `luck`, possible are runtime and text",
        ),
        ("{\"type\":\"footer\"}", "missing field"),
    ] {
        let error = Line::parse(text).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn a_file_starts_with_a_header() {
    let case = Line::Case(Box::new(case())).to_json().unwrap();
    let error = read(case.as_bytes()).unwrap_err();
    assert_eq!(error.line, 1);
    let file = format!("{}\n{case}\n\n", header());
    assert_eq!(read(file.as_bytes()).unwrap().len(), 2);
}

#[test]
fn whatever_a_file_holds_the_reader_names_the_line() {
    let case = Line::Case(Box::new(case())).to_json().unwrap();
    let good = format!("{}\n{case}\n", header());
    let bytes = [good.as_bytes(), b"{\"type\":\"case\",\"id\":\"\xff\xfe\"}\n"].concat();
    let deep = format!("{good}{{\"a\":{}\n{case}\n", "[".repeat(100_000));
    let other = good.replace('\n', "\r\n") + "\0\0\0\n";
    let twice = format!("{good}{case}\n");
    let unknown = good.clone() + &case.replace("\"fail\"", "\"failed\"") + "\n";
    for (text, why) in [
        (&bytes[..], "UTF-8"),
        (deep.as_bytes(), "EOF"),
        (other.as_bytes(), "expected value"),
        (twice.as_bytes(), "TOP_K1:2.1:ties:k=1 is in this run already"),
        (unknown.as_bytes(), "unknown outcome `failed`"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.line, 3, "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
    let named = Reader::named(&b"{}"[..], "run.jsonl").next().unwrap().unwrap_err();
    assert_eq!(
        named.to_string(),
        "run.jsonl:1: missing field `type` at line 1 column 2"
    );
}

#[test]
fn a_line_without_end_is_not_kept_in_memory() {
    // 16 GiB, should anyone try to hold them.
    let endless = io::Read::take(io::repeat(b'x'), 1 << 34);
    let error = read(io::BufReader::with_capacity(1 << 16, endless)).unwrap_err();
    assert_eq!(error.line, 1);
    assert!(error.why.contains("longer than"), "{error}");
}

#[test]
fn outputs_are_kept_for_some_cases_of_each_kind() {
    let mut kept = Kept::default();
    let mut of = |id: &str, class: &str| {
        let mut record = fixture::case(id, "fail");
        record.class = Some(class.to_owned().into());
        record.outputs = BTreeMap::from([("OutputTensor".to_owned(), "Bwc=".repeat(256))]);
        kept.limit(&mut record);
        record.outputs.len()
    };
    let all: usize = (0..100)
        .map(|k| of(&format!("TOP_K1:2.1:ties:k={k}"), "tie-order"))
        .sum();
    assert!((1..100).contains(&all), "{all}");
    // Another kind of failure has its own share.
    assert_eq!(of("TOP_K1:2.1:ties:k=1", "not-sorted"), 1);
    assert_eq!(of("TOP_K1:3.1:ties:k=1", "tie-order"), 1);
    let many: usize = (0..100_000)
        .map(|n| of(&format!("TOP_K1:2.1:f{n}:k=1"), "tie-order"))
        .sum();
    assert!(many < 10_000, "the run has an end as well: {many}");
}

/// All lines of a run.
fn read(input: impl io::BufRead) -> Result<Vec<Line>, ReadError> {
    Reader::named(input, "run.jsonl").collect()
}

/// The lines of a text, and what is wrong with it.
fn read_damaged(text: &[u8]) -> (usize, Vec<String>) {
    let mut reader = Reader::named(text, "run.jsonl");
    let lines = reader.by_ref().map(Result::unwrap).count();
    (lines, reader.take_damage())
}

#[test]
fn a_run_that_was_killed_can_be_read() {
    let case = Line::Case(Box::new(case())).to_json().unwrap();
    let good = format!("{}\n{case}\n", header());
    let whole = good.clone() + &case.replace("k=1", "k=2");
    let wide = whole.replace("index 2", "index ²");
    let inside = wide.rfind('²').unwrap() + 1;
    let zeros = good.clone() + "\0\0\0";
    let ended = whole[..whole.len() - 20].to_owned() + "\n";
    let deep = format!("{good}{{\"a\":{}", "[".repeat(100_000));
    let cuts = [
        good.as_bytes(),
        &whole.as_bytes()[..whole.len() - 1],
        &whole.as_bytes()[..good.len() + 1],
        &wide.as_bytes()[..inside],
        zeros.as_bytes(),
        ended.as_bytes(),
        deep.as_bytes(),
    ];
    for text in cuts {
        let (lines, damage) = read_damaged(text);
        let message = ["run.jsonl: the run of cpu was cut short, as it has no footer; run it again"];
        assert_eq!((lines, &damage[..]), (2, &message.map(str::to_owned)[..]));
    }
    // Nothing is known of a run without a header.
    let header = header();
    let error = read(&header.as_bytes()[..header.len() - 9]).unwrap_err();
    assert!(error.why.contains("within its header"), "{error}");
    // Valid JSON was not cut, but is not a line of a run.
    let error = read((good + "{}").as_bytes()).unwrap_err();
    assert_eq!(error.line, 3, "{error}");
}

#[test]
fn footers_are_held_against_the_lines() {
    let case = Line::Case(Box::new(case())).to_json().unwrap();
    let run = |counts: &str| {
        let footer = format!(r#"{{"type":"footer","counts":{counts},"complete":true,"seconds":1.0}}"#);
        format!("{}\n{case}\n{footer}\n", header())
    };
    for counts in [r#"{"fail":1}"#, r#"{"fail":1,"pass":0}"#] {
        assert_eq!(read_damaged(run(counts).as_bytes()), (3, Vec::new()), "{counts}");
    }
    for (counts, expected) in [
        (r#"{"fail":2}"#, "1 fail of 2"),
        (r#"{"pass":1}"#, "1 fail of 0, 0 pass of 1"),
        ("{}", "1 fail of 0"),
    ] {
        let text = run(counts);
        let (_, damage) = read_damaged(text.as_bytes());
        assert!(
            damage[0].starts_with("run.jsonl: the run of cpu is incomplete"),
            "{damage:?}"
        );
        assert!(damage[0].contains(expected), "{damage:?}");
        let Some(Line::Footer(footer)) = read(text.as_bytes()).unwrap().pop() else {
            panic!("a footer")
        };
        assert!(!footer.complete && footer.incomplete == footer.doubts && footer.doubts.len() == 1);
    }
    // What a footer says of single cases is held against their lines as well.
    let contradicted = |id: &str, digest: &str, failed: bool| {
        let sampled = format!(r#"{{"id":"{id}","digest":"{digest}","failed":{failed},"outputs":[]}}"#);
        let footer = r#"{"type":"footer","counts":{"fail":1},"complete":true,"seconds":1.0,"samples":["#;
        let text = format!("{}\n{case}\n{footer}{sampled}]}}\n", header());
        let Some(Line::Footer(footer)) = read(text.as_bytes()).unwrap().pop() else {
            panic!("a footer")
        };
        footer.contradicted.map(|id| id.to_string())
    };
    let known = self::case();
    let (id, digest) = (known.id.to_string(), known.expectation.to_string());
    let other = id.replace("k=1", "k=3");
    assert_eq!(contradicted(&id, &digest, true), None);
    assert_eq!(contradicted(&id, &digest, false).as_ref(), Some(&id));
    assert_eq!(contradicted(&id, &"7".repeat(32), true).as_ref(), Some(&id));
    assert_eq!(contradicted(&other, &digest, true), Some(other));
    // A run after one that was cut short is counted separately.
    let both = format!("{}\n{case}\n{}", header(), run(r#"{"fail":1}"#));
    let (lines, damage) = read_damaged(both.as_bytes());
    assert_eq!((lines, damage.len()), (5, 1));
}
