//! Stored runs of any length, in memory that does not grow with them; and the schema of their lines.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::{
    fs::File,
    io::{BufReader, BufWriter, Write},
    path::Path,
    time::Duration,
};

use dml_case::{
    case::Mode,
    digest::Digest,
    outcome::{Diagnosis, Difference, Judged, Outcome},
    record::Record,
};
use dml_conformance::{rebuilt_cases::RebuiltCases, spec};
use dml_plan::planner::Planner;
use dml_report::results::{Kept, Line, Reader};
use dml_report::{Collected, render};

/// Outcomes of the long run.
const MANY: u64 = 1_000_000;

/// Most memory at any time, in bytes.
const MEMORY: u64 = 200 << 20;

/// Every tenth case fails, in ways that come back.
fn record(n: u64) -> Record {
    let (family, ty) = (
        ["ties", "order", "layout"][(n % 3) as usize],
        ["FLOAT32", "INT8"][(n % 2) as usize],
    );
    let id = format!(
        "TOP_K1:{}:{family}:type={ty},index=UINT32,sizes=1x2x{}x{n},axis=2,k=1",
        ["2.1", "5.0"][(n / 7 % 2) as usize],
        n % 97 + 1
    );
    let mut judged = Judged::plain(Outcome::Pass);
    let fails = n % 10 == 3;
    if fails {
        let class = ["tie-order", "not-sorted"][(n / 10 % 2) as usize];
        let clause = ["TOP_K1/ties-ascend", "TOP_K1/values-ordered"][(n / 10 % 2) as usize];
        let mut diagnosis = Diagnosis::new(
            class,
            vec![clause.into()],
            format!("element {n} stands before element {}", n + 1),
        );
        diagnosis.differing = 2;
        diagnosis.first = Some(Difference {
            tensor: "OutputIndexTensor".into(),
            at: vec![0, 1, n as u32],
            expected: Some(n.to_string()),
            expected_bits: Some("0x00000001".to_owned()),
            actual: "2".to_owned(),
            actual_bits: "0x00000002".to_owned(),
        });
        judged = Judged::explained(Outcome::Fail, diagnosis);
    }
    let outputs = fails.then(|| ("OutputIndexTensor".to_owned(), "BwcH".repeat(21)));
    let record = Record {
        mode: Mode::Execute,
        expectation: Digest::of_text(&id),
        elements: n,
        time: Some(Duration::from_micros(n % 1000)),
        outputs: outputs.into_iter().collect(),
        ..Record::new(id.parse().unwrap(), judged.outcome)
    };
    record.judged(judged)
}

const HEADER: &str = r#"{"type":"header","format":1,"suite":"0.1.0","spec_digest":"00000000000000000000000000000000","corpus_digest":"00000000000000000000000000000000","backend":{"label":"mine","name":"mine","version":"1","feature_level":"5.0","levels":"strict","validator":"own","details":{}},"os":"linux","arch":"x86_64","command":["dml-cts","run"],"seed":0,"tier":"standard","basis":"runtime","levels":["2.1","5.0"],"again":"dml-cts run --backend mine"}"#;

#[test]
fn a_million_outcomes_take_no_more_memory_than_a_few() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("million.jsonl");
    write(&path, MANY);
    let (mut cases, mut failed) = (0, 0);
    for line in Reader::named(BufReader::new(File::open(&path).unwrap()), "run.jsonl") {
        if let Line::Case(case) = line.unwrap() {
            cases += 1;
            failed += u64::from(case.outcome == Outcome::Fail);
        }
    }
    assert_eq!((cases, failed), (MANY, MANY / 10));
    // Every document is made of it, and none of them holds it in memory.
    let suite = Planner::new(spec::catalog().clone()).unwrap();
    let runs = render::read(&suite, &[&path], &()).unwrap();
    assert_eq!((runs[0].cases(), runs[0].failing()), (MANY, MANY / 10));
    for (name, most) in [("million.html", 20_000_000), ("million.md", 1 << 20)] {
        let document = path.with_file_name(name);
        let form = render::Form::of(document.extension().unwrap().to_str().unwrap()).unwrap();
        let mut out = BufWriter::new(File::create(&document).unwrap());
        render::render(form, &suite, &RebuiltCases(&suite), "", &runs, &[&path], &mut out).unwrap();
        out.flush().unwrap();
        let size = document.metadata().unwrap().len();
        assert!(size < most, "{name}: {size} bytes");
    }
    std::fs::remove_file(&path).unwrap();
    if let Some(peak) = peak() {
        println!("peak memory: {} MiB", peak >> 20);
        assert!(peak < MEMORY, "{} MiB", peak >> 20);
    }
}

fn write(path: &Path, many: u64) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    writeln!(out, "{HEADER}").unwrap();
    let (mut collected, mut kept) = (Collected::default(), Kept::default());
    for n in 0..many {
        let record = record(n);
        collected.add(&record);
        let line = dml_report::case_line(&record, &mut kept);
        writeln!(out, "{}", serde_json::to_string(&*line).unwrap()).unwrap();
    }
    let footer = format!(
        r#"{{"type":"footer","counts":{{"fail":{},"pass":{}}},"complete":true,"seconds":1.0}}"#,
        many / 10,
        many - many / 10
    );
    writeln!(out, "{footer}").unwrap();
    assert_eq!(
        collected.failures().iter().map(|group| group.count).sum::<u64>(),
        many / 10
    );
}

/// The most memory that this process had, in bytes, where the system says.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? << 10)
}

/// What is wrong with lines, as the schema has it; nothing where they fit.
fn schema() -> impl Fn(&str) -> Option<String> {
    let text = include_str!("../results.schema.json");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler
        .add_resource("mem:///results", serde_json::from_str(text).unwrap())
        .unwrap();
    let schema = compiler.compile("mem:///results", &mut schemas).unwrap();
    move |line| {
        let line = serde_json::from_str(line).unwrap();
        schemas.validate(&line, schema).err().map(|error| error.to_string())
    }
}

#[test]
fn the_schema_takes_what_is_written_and_nothing_else() {
    let wrong = schema();
    let record = record(13);
    let case = serde_json::to_string(&*dml_report::case_line(&record, &mut Kept::default())).unwrap();
    let footer = r#"{"type":"footer","counts":{"fail":1},"complete":false,"seconds":0.5,"incomplete":["cut short"],"groups":[{"clause":"","classes":{"crash":1},"count":1,"smallest":"TOP_K1:2.1:ties:k=1"}]}"#;
    let merged = HEADER.replacen(r#""seed":0"#, r#""shards":4,"seed":0"#, 1);
    let other = r#""others":[{"class":"axis-confused","message":"the axis is 1"},{"class":"x","clause":"TOP_K1/sorted","message":""}],"differing""#;
    let others = case.replacen(r#""differing""#, other, 1);
    let timed = footer.replacen(
        r#""incomplete""#,
        r#""timings":{"oracle":0.25,"waiting":0},"incomplete""#,
        1,
    );
    for line in [HEADER, &merged, &case, &others, footer, &timed] {
        assert_eq!(wrong(line), None, "{line}");
        assert!(Line::parse(line).is_ok());
    }
    for (line, from, to) in [
        (HEADER, r#""format":1"#, r#""format":2"#),
        (HEADER, r#""seed":0"#, r#""seed":-1"#),
        (HEADER, r#""tier":"standard""#, r#""tier":"huge""#),
        (HEADER, r#""validator":"own""#, r#""validator":"none""#),
        (HEADER, r#""5.0"]"#, r#"5.0]"#),
        (HEADER, r#""details":{}"#, r#""details":{"n":1}"#),
        (&case, r#""type":"case""#, r#""type":"cased""#),
        (&case, r#""outcome":"fail""#, r#""outcome":"failed""#),
        (&case, r#""id":"TOP_K1:"#, r#""id":"TOP_K1;"#),
        (&case, r#""at":[0"#, r#""at":[-1"#),
        (&merged, r#""shards":4"#, r#""shards":0"#),
        (&others, r#""class":"axis-confused","#, ""),
        (&others, r#"TOP_K1/sorted"#, "sorted"),
        (&case, r#""differing":2"#, r#""differing":"2""#),
        (&case, r#""expected_bits":"0x00000001","#, ""),
        (&case, r#""clauses":["#, r#""clause":["#),
        (&case, r#""OutputIndexTensor":"Bw"#, r#""OutputIndexTensor":"*"#),
        (footer, r#""complete":false,"#, ""),
        (footer, r#"{"fail":1}"#, r#"{"failed":1}"#),
        (footer, r#""incomplete":["cut short"]"#, r#""incomplete":[]"#),
        (footer, r#""smallest":"TOP_K1:2.1:ties:k=1""#, r#""smallest":"ties""#),
        (&timed, r#"{"oracle":0.25,"waiting":0}"#, "{}"),
        (&timed, "0.25", "-0.25"),
    ] {
        assert!(line.contains(from), "{from} in {line}");
        assert!(wrong(&line.replacen(from, to, 1)).is_some(), "{from} -> {to}");
    }
}
