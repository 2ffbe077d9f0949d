//! Cases that files list beside the sweeps, one id a line.
//!
//! `spec/smoke.lock`: cases of the standard tier that belong to smoke as well, since the smoke sweeps leave wrong backends
//! undetected. `spec/combinations.lock`: cases of the standard tier that no sweep has, which have
//! combinations of traits that the sweeps leave out.

mod check;

pub use check::check;

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use dml_spec::FeatureLevel;

use dml_case::id::CaseId;

/// The listed cases, by what they belong to: operator, table level and family as ids spell them. They are kept as texts,
/// for there are many, and most runs want few.
#[derive(Clone, Debug, Default)]
pub struct Listed(Arc<HashMap<String, Vec<Cow<'static, str>>>>);

impl Listed {
    /// A list that is compiled in: an id a line, lines that start with `#` aside.
    pub fn embedded(text: &'static str) -> Self {
        Self::of_lines(lines(text).map(|(_, line)| Cow::Borrowed(line)))
    }

    /// The same of a file.
    ///
    /// # Errors
    /// The first line that is no id, with its number.
    pub fn read(text: &str) -> Result<Self, String> {
        for (number, line) in lines(text) {
            line.parse::<CaseId>().map_err(|error| format!("{number}:1: {error}"))?;
        }
        Ok(Self::of_lines(lines(text).map(|(_, line)| Cow::Owned(line.to_owned()))))
    }

    fn of_lines(lines: impl Iterator<Item = Cow<'static, str>>) -> Self {
        let mut found: HashMap<String, Vec<Cow<'static, str>>> = HashMap::new();
        for line in lines {
            let place = place(&line);
            match found.get_mut(place) {
                Some(known) => known.push(line),
                None => {
                    found.insert(place.to_owned(), vec![line]);
                }
            }
        }
        Self(Arc::new(found))
    }

    /// Those of an operator, a table level and a family that set a key to this value.
    pub fn at<'a>(
        &'a self,
        operator: &str,
        level: FeatureLevel,
        family: &str,
        (key, value): (&'a str, &'a str),
    ) -> impl Iterator<Item = CaseId> + 'a {
        let place = if self.0.is_empty() {
            None
        } else {
            self.0.get(&format!("{operator}:{level}:{family}"))
        };
        let set = format!("{key}={value}");
        let lines = place.into_iter().flatten().filter(move |line| line.contains(&set));
        let ids = lines.filter_map(|line| line.parse::<CaseId>().ok());
        ids.filter(move |id| id.get(key) == Some(value))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The lines that are to be ids, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// An id up to its third colon.
fn place(id: &str) -> &str {
    let end = id.match_indices(':').nth(2).map_or(id.len(), |(at, _)| at);
    id.get(..end).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_mistakes_have_a_place() {
        let text = "# why\n\nTOP_K1:2.1:ties:type=FLOAT32\nTOP_K1:2.1:ties:type=INT8,k=1\n";
        let listed = Listed::read(text).unwrap();
        let level = "2.1".parse().unwrap();
        let count = |family, value| listed.at("TOP_K1", level, family, ("type", value)).count();
        assert_eq!(listed.len(), 2);
        assert_eq!(
            (count("ties", "INT8"), count("ties", "INT"), count("order", "INT8")),
            (1, 0, 0)
        );
        assert!(Listed::read("nonsense").unwrap_err().starts_with("1:1: "));
        assert!(Listed::default().is_empty());
    }

    #[test]
    fn the_lists_that_are_compiled_in_can_be_read() {
        for text in [dml_spec::embedded::SMOKE, dml_spec::embedded::COMBINATIONS] {
            let listed = Listed::read(text).unwrap();
            assert!(!listed.is_empty() && listed.len() == Listed::embedded(text).len());
        }
    }
}
