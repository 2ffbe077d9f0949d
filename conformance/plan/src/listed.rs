//! Cases that files list beside the sweeps, one id a line; `dml-cts zoo --lock` computes both lists.
//!
//! `spec/smoke.lock`: cases of the standard tier that belong to smoke as well, the fewest that kill what the smoke sweeps
//! leave alive of the fault zoo. `spec/combinations.lock`: cases of the standard tier that no sweep has, which have
//! combinations of traits that the sweeps leave out.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use dml_spec::FeatureLevel;
use rayon::prelude::*;

use crate::planner::Planner;
use dml_case::id::{CaseId, ParseIdError};

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

    /// These cases.
    pub fn of(ids: impl IntoIterator<Item = CaseId>) -> Self {
        Self::of_lines(ids.into_iter().map(|id| Cow::Owned(id.to_string())))
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

/// Whether every line leads to a case, and no two to the same. Lines of operators that are known and not among `of` are
/// passed over; where it is empty, none is.
///
/// # Errors
/// The first line that does not, with its number, and why; how many others do not.
pub fn check(text: &str, suite: &Planner, of: &[String]) -> Result<(), String> {
    let passed_over = |line: &str| {
        let name = line.split(':').next().unwrap_or_default();
        !of.is_empty() && !of.iter().any(|wanted| wanted == name) && suite.operator(name).is_some()
    };
    let (mut seen, mut wanted) = (HashMap::new(), Vec::new());
    for (number, line) in lines(text).filter(|(_, line)| !passed_over(line)) {
        let first = *seen.entry(line).or_insert(number);
        wanted.push((number, line, first));
    }
    let mistake = |(number, line, first): &(usize, &str, usize)| {
        let case = |id: CaseId| crate::build(suite, &id).map_err(|error| error.to_string());
        let built = if number == first {
            let id = line.parse().map_err(|error: ParseIdError| error.to_string());
            id.and_then(case).map(drop)
        } else {
            Err(format!("{line}: is already in line {first}"))
        };
        built.err().map(|error| format!("{number}:1: {error}"))
    };
    let mistakes: Vec<String> = wanted.par_iter().filter_map(mistake).collect();
    let Some((first, others)) = mistakes.split_first() else {
        return Ok(());
    };
    Err(match others.len() {
        0 => first.clone(),
        1 => format!("{first}; nor does one later line lead to a case"),
        others => format!("{first}; nor do {others} later lines lead to cases"),
    })
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
    fn lines_that_lead_to_no_case_are_found() {
        let (catalog, _) = dml_spec_yaml::load::load(&dml_spec_yaml::load::embedded());
        let suite = Planner::new(catalog.unwrap()).unwrap();
        let smoke = dml_spec::embedded::SMOKE;
        assert_eq!(check(smoke, &suite, &[]), Ok(()));
        let id = lines(smoke).next().unwrap().1;
        let no_family = id.split(':').take(2).collect::<Vec<_>>().join(":");
        let wrong = format!("{id}\nNO_OP:2.1:a:b=c\n{no_family}:none:a=b\n");
        let told = check(&wrong, &suite, &[]).unwrap_err();
        assert!(
            told.starts_with("2:1: ")
                && told.contains("`NO_OP`")
                && told.ends_with("nor does one later line lead to a case"),
            "{told}"
        );
        // Of other operators nothing is asked, but of those that nobody knows.
        let of_others = check(&wrong, &suite, &["NOPE".to_owned()]).unwrap_err();
        assert!(
            of_others.starts_with("2:1: ") && !of_others.contains("behind it"),
            "{of_others}"
        );
        let twice = check(&format!("{id}\n# why\n{id}\n"), &suite, &[]).unwrap_err();
        assert!(
            twice.starts_with("3:1: ") && twice.ends_with("is already in line 1"),
            "{twice}"
        );
    }

    #[test]
    fn the_lists_that_are_compiled_in_can_be_read() {
        for text in [dml_spec::embedded::SMOKE, dml_spec::embedded::COMBINATIONS] {
            let listed = Listed::read(text).unwrap();
            assert!(!listed.is_empty() && listed.len() == Listed::embedded(text).len());
        }
    }
}
