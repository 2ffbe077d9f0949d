//! Cases that files list beside the sweeps, one id a line; `dml-cts zoo --lock` computes both lists.
//!
//! `spec/smoke.lock`: cases of the standard tier that belong to smoke as well, the fewest that kill what the smoke sweeps
//! leave alive of the fault zoo. `spec/combinations.lock`: cases of the standard tier that no sweep has, which have
//! combinations of [traits](crate::combine) that the sweeps leave out.

use std::collections::HashMap;

use dml_spec::FeatureLevel;

use crate::id::CaseId;

/// The listed cases, by what they belong to.
#[derive(Clone, Debug, Default)]
pub struct Listed(HashMap<(String, FeatureLevel, String), Vec<CaseId>>);

impl Listed {
    /// A list: an id a line, lines that start with `#` aside.
    ///
    /// # Errors
    /// The first line that is no id, with its number.
    pub fn read(text: &str) -> Result<Self, String> {
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let ids = lines.map(|(number, line)| line.parse().map_err(|error| format!("{number}:1: {error}")));
        Ok(Self::of(ids.collect::<Result<Vec<CaseId>, String>>()?))
    }

    /// These cases.
    pub fn of(ids: impl IntoIterator<Item = CaseId>) -> Self {
        let mut found = Self::default();
        for id in ids {
            let place = (id.operator().to_owned(), id.level(), id.family().to_owned());
            found.0.entry(place).or_default().push(id);
        }
        found
    }

    /// Those of an operator, a table level and a family.
    pub fn at(&self, operator: &str, level: FeatureLevel, family: &str) -> &[CaseId] {
        if self.0.is_empty() {
            return &[];
        }
        let place = (operator.to_owned(), level, family.to_owned());
        self.0.get(&place).map(Vec::as_slice).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_mistakes_have_a_place() {
        let text = "# why\n\nTOP_K1:2.1:ties:type=FLOAT32\nTOP_K1:2.1:ties:type=INT8\n";
        let smoke = Listed::read(text).unwrap();
        let level = "2.1".parse().unwrap();
        assert_eq!((smoke.len(), smoke.at("TOP_K1", level, "ties").len()), (2, 2));
        assert!(smoke.at("TOP_K1", level, "order").is_empty() && !smoke.is_empty());
        assert!(Listed::read("nonsense").unwrap_err().starts_with("1:1: "));
    }

    #[test]
    fn the_lists_that_are_compiled_in_can_be_read() {
        for text in [dml_spec::embedded::SMOKE, dml_spec::embedded::COMBINATIONS] {
            assert!(!Listed::read(text).unwrap().is_empty());
        }
    }
}
