//! What may become of cases that are known.

/// Outcomes that an entry can allow.
pub const OUTCOMES: [&str; 8] = [
    "fail",
    "crash",
    "timeout",
    "device-lost",
    "harness-error",
    FLAKY,
    SKIP,
    PASS,
];

/// The outcome that is not the same every time.
const FLAKY: &str = "flaky";

/// The outcome of cases that were not judged.
const SKIP: &str = "skip";

/// The outcome of cases that are as they should be.
const PASS: &str = "pass";

/// The outcomes that are allowed, in the order of the file; `flaky` allows any failure, and passing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Allowed(Vec<&'static str>);

impl Default for Allowed {
    fn default() -> Self {
        Self(vec![OUTCOMES[0]])
    }
}

impl Allowed {
    /// These words; `None` where one is no outcome to expect, or where none but `pass` is among them.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let known = |word: &str| OUTCOMES.into_iter().find(|known| *known == word);
        let words: Option<Vec<&'static str>> = words.into_iter().map(known).collect();
        words.filter(|words| words.iter().any(|word| *word != PASS)).map(Self)
    }

    /// Whether a case may pass.
    pub fn pass(&self) -> bool {
        self.0.contains(&PASS) || self.0.contains(&FLAKY)
    }

    /// Whether a case may be skipped.
    pub fn skip(&self) -> bool {
        self.0.contains(&SKIP)
    }

    /// Whether this failure is allowed.
    pub fn failure(&self, word: &str) -> bool {
        self.0.iter().any(|known| *known == word || *known == FLAKY)
    }

    /// The words, for people.
    pub fn spelled(&self) -> String {
        self.0.join(" or ")
    }

    /// The words, as YAML.
    pub fn yaml(&self) -> String {
        match &self.0[..] {
            [word] => (*word).to_owned(),
            words => format!("[{}]", words.join(", ")),
        }
    }
}
