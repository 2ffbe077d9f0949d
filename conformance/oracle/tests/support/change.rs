//! Small changes of texts: what a mistaken meaning may look like.

use std::ops::Range;

use std::cell::Cell;

use dml_oracle::{Basis, Request, expect_within};
use dml_spec::meaning;

use super::{Case, Suite};

/// Numbers without a pattern, the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Words, numbers and signs of a text, each with the blanks in front of it.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        let is_word = |c: char| c.is_alphanumeric() || "_\".".contains(c);
        match words.last_mut() {
            Some(last) if last.ends_with(char::is_whitespace) || last.ends_with(is_word) && is_word(c) => last.push(c),
            Some(last) if c == '=' && last.ends_with(['=', '<', '>', '!']) => last.push(c),
            Some(last) if last.ends_with(c) && "+<>".contains(c) => last.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words
}

/// Expressions that lead far.
const STRANGE: &str = r#"
    0 | 1 | -1 | 2 | 9 | 1000000000 | 170141183460469231731687303715884105727 | -9223372036854775808 | 4294967296 | 1e308 |
    1e-45 | 0.1 | -0.0 | 0.0 / 0.0 | 1.0 / 0.0 | [] | [0] | [1, 2] | [0, -1] | [[1, 2], [3]] | true | false | FLOAT16 | INT8 |
    list(d in 0..1000000000: 0) | list(d in 0..3: list(e in 0..d: e)) | unravel(7, [0, 0]) | unravel(-7, [2, 3]) |
    ravel([9, 9], [1, 1]) | order(j in 0..1000000000, by: j) | order(j in 0..3, by: -j) | order(j in 0..0, by: j) |
    prefix(sum, j in 0..4: 0.1 * j) | prefix(product, j in -3..4: j) | scan(t in 0..4, s = 1: s * 3) |
    scan(t in 0..3, s = [0]: s ++ [t]) | scan(t in 0..0, s = 0.5: s) | sum(i in 0..1000000000000000: 1) | product([]) |
    sum(i in 5..2: 0.5) | max(i in [3, 0]: 1) | first(i in 0..9: i > 3) | last(i in [2, 2]: true) else [5, 5] |
    argmax(i in 0..3: 0.1 * i) | argmin(i in [2, 2]: ravel(i, [2, 2])) | count(i in 0..3: 0.1 * i > 0.2) | floor(0.1 * 30) |
    int(floor(2.5)) | int(0.5) | int(0.0 / 0.0) | 1 << 126 | -1 >> 126 | 1 << 200 | popcount(-1) | pow(3, 99) | pow(2, -1) | 5 % 0 |
    5 / 0 | open("a") | open("a", among: 1, 2) | granted("a", 1e38 * 10.0) | either(0.1 + 0.2, 0.3) | continuous(floor(0.1 * 30)) |
    cast(300, INT8, overflow: wrap) | cast(0.5, UINT8, rounding: either) | cast(0.0 / 0.0, INT8, nan: 3) | sqrt(-1) | log(0) |
    cast(1e30, INT64, overflow: saturate) | let z = floor(0.1 * 30) in [int(z), int(z)] | if 0.1 * 3 > 0.3 then 1 else 2
"#;

/// A part of a text that is an expression of its own, by its place; tried a few times.
fn part(text: &str, random: &mut Random) -> Option<Range<usize>> {
    let words = words(text);
    for _ in 0..40 {
        let from = random.below(words.len().max(1));
        let to = (from + 1 + random.below(12)).min(words.len());
        let start = words.iter().take(from).map(String::len).sum::<usize>();
        let end = start + words.get(from..to)?.iter().map(String::len).sum::<usize>();
        if dml_spec::rule::parse(text.get(start..end)?).is_ok() {
            return Some(start..end);
        }
    }
    None
}

/// A text with one to three changes: a part replaced by another part of any of the texts, or by a strange one; a word
/// more, a word less, or two exchanged.
pub(crate) fn changed(text: &str, texts: &[(String, String)], random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        if random.below(8) == 0 {
            text = jumbled(&text, random);
            continue;
        }
        let donor = &texts[random.below(texts.len())].1;
        let other = match random.below(2) {
            0 => part(donor, random).and_then(|place| donor.get(place)),
            _ => {
                let strange: Vec<&str> = STRANGE.split('|').map(str::trim).collect();
                strange.get(random.below(strange.len())).copied()
            }
        };
        if let (Some(place), Some(other)) = (part(&text, random), other) {
            text.replace_range(place, &format!(" ({}) ", other.trim()));
        }
    }
    text
}

fn jumbled(text: &str, random: &mut Random) -> String {
    let mut words = words(text);
    if words.is_empty() {
        return "0".to_owned();
    }
    let (at, other) = (random.below(words.len()), random.below(words.len()));
    match random.below(3) {
        0 => {
            words.remove(at);
        }
        1 => words[at] = words[other].clone(),
        _ => words.swap(at, other),
    }
    words.concat()
}

/// Points that a changed meaning may look at.
const POINTS: u64 = 1 << 20;

impl Suite {
    /// Checks these texts and evaluates them for a case: `None` if they are refused, else whether they have values. Every
    /// mistake and every fault has to name a part of a text.
    pub(crate) fn try_meaning(&self, operator: &str, case: &Case, texts: &[(String, String)]) -> Option<bool> {
        let entries: Vec<meaning::Entry> = texts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        let checked = match meaning::check(&self.catalog, self.catalog.operator(operator)?, &entries) {
            Ok(checked) => checked,
            Err(mistakes) => {
                assert!(!mistakes.is_empty());
                for mistake in mistakes {
                    let text = match mistake.place {
                        meaning::Place::Head(entry) => texts.get(entry).map_or("", |(head, _)| head),
                        meaning::Place::Body(entry) => &texts[entry].1,
                        // In a clause, whose text stays as it is.
                        meaning::Place::Opens { .. }
                        | meaning::Place::Tells { .. }
                        | meaning::Place::Holds { .. }
                        | meaning::Place::Named { .. } => {
                            continue;
                        }
                    };
                    assert!(text.get(mistake.error.span.clone()).is_some(), "{mistake:?}");
                }
                return None;
            }
        };
        let mut meanings = self.meanings.clone();
        meanings.insert(operator, checked);
        let request = Request {
            catalog: &self.catalog,
            meanings: &meanings,
            descriptor: &self.descriptor(operator, case),
            inputs: &self.inputs(operator, case),
            basis: Basis::Text,
            variants: &[],
            half_precision: false,
        };
        match expect_within(&request, &Cell::new(POINTS), &mut |_| {}) {
            Ok(()) => Some(true),
            Err(fault) => {
                let place = fault.span.clone();
                assert!(
                    texts.iter().any(|(_, body)| body.get(place.clone()).is_some()),
                    "{fault:?}"
                );
                Some(false)
            }
        }
    }
}
