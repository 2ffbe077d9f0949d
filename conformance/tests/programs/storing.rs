//! Runs with failures, in shards and put together.

use std::{fs, path::Path};

use serde_json::Value as Json;

use crate::common::{dml_cts, temporary, with_fault};

/// Lines of a stored run, without times, and without what tells that it was put together.
fn lines(path: &Path) -> Vec<Json> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let same = |mut line: Json| {
        let fields = line.as_object_mut().unwrap();
        for name in ["command", "started", "shards", "seconds"] {
            fields.remove(name);
        }
        line
    };
    lines.map(same).collect()
}

/// Lines of a document without times, and without what tells that it is of shards.
fn read_lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap().replace("; merged of 3 shards", "");
    let differs = ["<dt>Started<", "<dt>Took<", "<dt>Merged<", "<dt>Command<"];
    let lines = text
        .lines()
        .filter(|line| !differs.iter().any(|name| line.starts_with(name)));
    lines.map(str::to_owned).collect()
}

/// A backend that refuses six dimensions is blamed for that, whatever data types its refusals are of, and by whoever
/// reads the run; one that refuses a layout is blamed for no cell of a table.
pub(crate) fn what_no_refusal_lacks_is_blamed() {
    let folder = temporary("refusals");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let run = |fault: &str, more: &[&str]| {
        let program = with_fault(fault);
        let ran = dml_cts(&[&["run", "--tier", "smoke", "TOP_K1", "--backend", &program], more].concat());
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        ran.out
    };
    let groups = |name: &str| lines(Path::new(&path(name))).pop().unwrap()["groups"].clone();
    let out = run("refuse:dimensions=6", &["--report", &path("whole.jsonl")]);
    let found = groups("whole.jsonl");
    let cells = ["3.1", "5.0"].map(|level| format!("TOP_K1/{level}/InputTensor/6-D"));
    let blamed: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|group| group["clause"].as_str().unwrap())
        .collect();
    assert!(
        blamed.len() == 2 && cells.iter().all(|cell| blamed.contains(&cell.as_str())),
        "{found:#}"
    );
    let others = ["OutputValueTensor/6-D", "OutputIndexTensor/6-D"];
    assert!(out.contains("  or        TOP_K1/"), "{out}");
    assert!(others.iter().all(|other| out.contains(other)), "{out}");
    let mut arguments = vec![
        "report".to_owned(),
        "merge".to_owned(),
        "--out".to_owned(),
        path("merged.jsonl"),
    ];
    for shard in ["1/2", "2/2"] {
        let part = path(&format!("{}.jsonl", &shard[..1]));
        run("refuse:dimensions=6", &["--shard", shard, "--report", &part]);
        arguments.push(part);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    assert_eq!(dml_cts(&arguments).code, Some(1));
    assert_eq!(groups("merged.jsonl"), found);
    for form in ["md", "html"] {
        let to = path(&format!("whole.{form}"));
        let ran = dml_cts(&["report", "render", &path("whole.jsonl"), "--out", &to]);
        let text = fs::read_to_string(&to).unwrap();
        let says_so = text.contains(&cells[0]) && others.iter().all(|other| text.contains(other));
        assert!(
            ran.code == Some(0) && says_so && !text.contains("InputTensor/FLOAT16"),
            "{form}"
        );
    }
    // Beside many that nothing explains no cell is blamed, and those that the backend may lack are listed.
    let out = run("refuse:strides+dimensions=6", &["--report", &path("both.md")]);
    assert!(
        out.contains("(no clause)") && out.contains("  perhaps   TOP_K1/3.1/InputTensor/6-D"),
        "{out}"
    );
    let text = fs::read_to_string(path("both.md")).unwrap();
    assert!(text.contains("- perhaps: `TOP_K1/3.1/InputTensor/6-D`"), "{text}");
    let out = run("refuse:strides", &["--save-failures", &path("saved")]);
    assert_eq!(out.matches(" cases: wrongly-rejected").count(), 1, "{out}");
    assert!(
        out.contains("(no clause)") && out.contains("  saved     wrongly-rejected"),
        "{out}"
    );
}

pub(crate) fn shards_with_failures_are_the_whole_run() {
    let folder = temporary("failing shards");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let program = with_fault("flip:type=INT8");
    let run = |name: &str, more: &[&str]| {
        let path = folder.join(name);
        let options = [
            "run",
            "--tier",
            "smoke",
            "TOP_K1:2.1",
            "--backend",
            &program,
            "--report",
        ];
        let ran = dml_cts(&[&options[..], &[&path.display().to_string()], more].concat());
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        path
    };
    // A shard does not know the smallest failing case of all.
    let whole = run("whole.jsonl", &["--no-follow-up"]);
    let mut arguments = vec!["report".to_owned(), "merge".to_owned()];
    for shard in ["2/3", "1/3", "3/3"] {
        let path = run(&format!("{}.jsonl", &shard[..1]), &["--shard", shard]);
        arguments.push(path.display().to_string());
    }
    let merged = folder.join("merged.jsonl");
    arguments.extend(["--out".to_owned(), merged.display().to_string()]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = dml_cts(&arguments);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let (found, wanted) = (lines(&merged), lines(&whole));
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(&wanted).for_each(|(a, b)| assert_eq!(a, b));
    // The failures are more than one mistake could be, and the run tells which it is.
    let groups = &wanted.last().unwrap()["groups"];
    let pattern = groups[0]["pattern"].as_str().unwrap_or_else(|| panic!("{groups:#}"));
    assert!(pattern.contains("type=INT8"), "{groups:#}");
    let of = &wanted.last().unwrap()["mistakes"][0];
    assert_eq!(of["operator"], "TOP_K1");
    assert!(
        of["failing"].as_u64().unwrap() > 5 && of["passing"].as_u64().unwrap() > 50,
        "{of:#}"
    );
    let text = fs::read_to_string(&merged).unwrap();
    let header: Json = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(header["shards"], 3);
    assert!(!header["selection"].to_string().contains("shard"), "{header}");
    assert_eq!(header["command"][2], "merge");
    for form in ["md", "html"] {
        let documents = [&merged, &whole].map(|path| {
            let out = path.with_extension(form);
            let (from, to) = (path.display().to_string(), out.display().to_string());
            let ran = dml_cts(&["report", "render", &from, "--out", &to]);
            assert_eq!(ran.code, Some(0), "{}", ran.err);
            read_lines(&out)
        });
        documents[0]
            .iter()
            .zip(&documents[1])
            .for_each(|(a, b)| assert_eq!(a, b));
        assert_eq!(documents[0].len(), documents[1].len());
        let title = "Mistakes that give the wrong outputs";
        assert!(documents[0].iter().any(|line| line.contains(title)), "{form}");
    }
    // What a footer says of a case that its line contradicts is not explained.
    let first = folder.join("1.jsonl");
    let text = fs::read_to_string(&first).unwrap();
    fs::write(&first, text.replacen(r#""failed":true"#, r#""failed":false"#, 1)).unwrap();
    let before = fs::read(&merged).unwrap();
    let ran = dml_cts(&arguments);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(
        ran.err
            .contains("1.jsonl: the sample in its footer contradicts the line of"),
        "{}",
        ran.err
    );
    assert_eq!(fs::read(&merged).unwrap(), before);
}
