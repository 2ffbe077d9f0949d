//! Stored runs: one JSON object a line. The header says what ran, every case has a line, the footer sums up.
//!
//! Without `--timings` the lines of the cases depend on nothing but specification, selection and backend, so that
//! two runs can be compared as text. A file may hold several runs, one behind the other.

use std::{collections::BTreeMap, io::BufRead};

use serde::{Deserialize, Serialize};

/// Version of the format.
pub const FORMAT: u32 = 1;

/// One line of a stored run.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// First line of a run.
    Header(Box<Header>),
    /// What became of a case.
    Case(Box<CaseLine>),
    /// Last line of a run; a run without one was cut short from outside.
    Footer(Box<Footer>),
}

/// What ran, where and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Always `header`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Version of this format: 1.
    pub format: u32,
    /// Version of the suite.
    pub suite: String,
    /// Digest of the specification, 32 hex digits.
    pub spec_digest: String,
    /// Digest of the corpus, 32 hex digits: of what `corpus.lock` holds.
    pub corpus_digest: String,
    /// What was tested.
    pub backend: BackendInfo,
    /// Operating system of the host.
    pub os: String,
    /// Architecture of the host.
    pub arch: String,
    /// The command line, one entry an argument.
    pub command: Vec<String>,
    /// Seed of the plan.
    pub seed: u64,
    /// Tier: `smoke`, `standard` or `exhaustive`.
    pub tier: String,
    /// Basis: `runtime` or `text`.
    pub basis: String,
    /// Table levels that were planned.
    pub levels: Vec<String>,
    /// Which part of the selection this is, where it is not all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardInfo>,
}

/// Which part of a selection a run holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardInfo {
    /// Part, from 1.
    pub index: u64,
    /// Number of parts.
    pub of: u64,
    /// Digest of the times by which the parts were balanced, 32 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<String>,
}

/// What a backend said of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackendInfo {
    /// Label given on the command line, or the name.
    pub label: String,
    /// Name of the implementation.
    pub name: String,
    /// Version of the implementation.
    pub version: String,
    /// Highest feature level.
    pub feature_level: String,
    /// `strict` or `superset`.
    pub levels: String,
    /// Who validates descriptors: `generated` or `own`.
    pub validator: String,
    /// Further facts.
    pub details: BTreeMap<String, String>,
}

/// What became of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseLine {
    /// Always `case`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its id.
    pub id: String,
    /// Outcome, such as `pass`.
    pub outcome: String,
    /// What was expected: `valid`, `rejected`, `observed` or `unspecified`.
    pub verdict: String,
    /// Digest of descriptor, inputs and expectation, 32 hex digits.
    pub expectation: String,
    /// Why it was skipped, or why its failure is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Clauses that are broken, the most telling first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// Class of the failure, such as `tie-order`, or of what is unspecified and nothing consistent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The failure in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// First element that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstDifference>,
    /// How many elements differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differing: Option<u64>,
    /// Whom the backend follows, by disputed or observed clause: `text`, `runtime`, `both` or `neither`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub follows: BTreeMap<String, String>,
    /// Worst error of accepted outputs that need not be exact, in units in the last place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ulps: Option<u64>,
    /// Of a flaky case what the session had been asked for until it failed, itself last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Remarks that do not fail the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Milliseconds it took; only with `--timings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
}

/// One element that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstDifference {
    /// Field name of the output.
    pub tensor: String,
    /// Coordinates.
    pub at: Vec<u32>,
    /// Expected value in decimal, where a value is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Its bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_bits: Option<String>,
    /// Actual value in decimal.
    pub actual: String,
    /// Its bits.
    pub actual_bits: String,
}

/// How the run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footer {
    /// Always `footer`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Cases by outcome; outcomes that did not occur are left out.
    pub counts: BTreeMap<String, u64>,
    /// Every planned case of the selection has an outcome, and the lock agrees with the plan.
    pub complete: bool,
    /// Seconds the run took.
    pub seconds: f64,
}

/// Only what tells lines apart.
#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

/// A line that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct ReadError {
    /// Line from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl Line {
    /// The line as JSON, without line end.
    ///
    /// # Errors
    /// Where a number has no JSON form.
    pub fn to_json(&self) -> serde_json::Result<String> {
        match self {
            Self::Header(line) => serde_json::to_string(line),
            Self::Case(line) => serde_json::to_string(line),
            Self::Footer(line) => serde_json::to_string(line),
        }
    }

    /// Reads one line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let explain = |e: serde_json::Error| e.to_string();
        let kind: Kind = serde_json::from_str(text).map_err(explain)?;
        match kind.kind.as_str() {
            "header" => {
                let header: Header = serde_json::from_str(text).map_err(explain)?;
                match header.format {
                    FORMAT => Ok(Self::Header(Box::new(header))),
                    other => Err(format!("format {other}, this version reads format {FORMAT}")),
                }
            }
            "case" => serde_json::from_str(text).map(Self::Case).map_err(explain),
            "footer" => serde_json::from_str(text).map(Self::Footer).map_err(explain),
            other => Err(format!("a line of type `{other}`, expected header, case or footer")),
        }
    }
}

/// Reads a stored run (or several).
///
/// # Errors
/// The first line that cannot be read, or one that stands outside a run.
pub fn read(input: impl BufRead) -> Result<Vec<Line>, ReadError> {
    let mut lines: Vec<Line> = Vec::new();
    for (i, text) in input.lines().enumerate() {
        let err = |why: String| ReadError { line: i + 1, why };
        let text = text.map_err(|e| err(e.to_string()))?;
        if text.trim().is_empty() {
            continue;
        }
        let line = Line::parse(&text).map_err(err)?;
        let inside = !matches!(lines.last(), None | Some(Line::Footer(_)));
        if !inside && !matches!(line, Line::Header(_)) {
            return Err(err("expected a header, a run starts here".to_owned()));
        }
        lines.push(line);
    }
    Ok(lines)
}

/// Whether the word is the outcome of a case that makes a backend non-conformant.
pub fn is_failure(outcome: &str) -> bool {
    !matches!(outcome, "pass" | "xfail" | "skip" | "unspecified")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case() -> CaseLine {
        CaseLine {
            kind: "case".to_owned(),
            id: "TOP_K1:2.1:ties:k=1".to_owned(),
            outcome: "fail".to_owned(),
            verdict: "valid".to_owned(),
            expectation: "00ff".to_owned(),
            reason: None,
            clauses: vec!["TOP_K1/ties-ascend".to_owned()],
            class: Some("tie-order".to_owned()),
            message: Some("index 2 stands before index 1".to_owned()),
            first: None,
            differing: Some(2),
            follows: BTreeMap::new(),
            ulps: None,
            order: Vec::new(),
            warnings: Vec::new(),
            ms: None,
        }
    }

    fn header() -> String {
        let info = BackendInfo {
            label: "cpu".to_owned(),
            name: "cpu".to_owned(),
            version: "1".to_owned(),
            feature_level: "6.4".to_owned(),
            levels: "strict".to_owned(),
            validator: "generated".to_owned(),
            details: BTreeMap::new(),
        };
        let header = Header {
            kind: "header".to_owned(),
            format: FORMAT,
            suite: "0".to_owned(),
            spec_digest: String::new(),
            corpus_digest: String::new(),
            backend: info,
            os: "linux".to_owned(),
            arch: "x86_64".to_owned(),
            command: vec!["dml-cts".to_owned()],
            seed: 0,
            tier: "smoke".to_owned(),
            basis: "runtime".to_owned(),
            levels: vec!["2.1".to_owned()],
            shard: None,
        };
        Line::Header(Box::new(header)).to_json().unwrap()
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
}
