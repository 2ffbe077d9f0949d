//! The mistakes that explain failures: which small changes of the specification give what a backend gave.

use std::ops::Range;

use dml_spec::{meaning::Place, model::Text};
use serde::{Deserialize, Serialize};

use crate::{condition::Demand, id::CaseId};

/// What explains the wrong outputs of an operator. Each mistake is consistent with every case that was compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistakes {
    /// The operator.
    pub operator: Text,
    /// Failing cases that were compared.
    pub failing: usize,
    /// How many of those were made after the run: they count where fewer of the run fail than tell mistakes apart.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failing_made: usize,
    /// Passing cases that were compared.
    pub passing: usize,
    /// The mistakes, those first that explain most.
    pub found: Vec<Mistake>,
    /// Failing cases that no mistake explains.
    pub unexplained: usize,
    /// What most of those have in common: no compared case passes that fulfils this condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails_if: Option<String>,
    /// How many of those fulfil it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fails_if_cases: usize,
    /// What that demands of any case.
    #[serde(skip)]
    pub fails_if_demand: Option<Demand>,
    /// How many cases were made after the run or asked again, to find out under which condition others fail.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub followed_up: usize,
    /// Failing cases that have too many elements to be compared.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub large: usize,
    /// The smallest failing case of those that no mistake explains.
    #[serde(skip)]
    pub smallest: Option<CaseId>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A mistake, perhaps made under a condition alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mistake {
    /// Its kind, such as `tie-order`.
    pub kind: Text,
    /// The guarantee that names this kind, if one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<Text>,
    /// What a backend with this mistake does: lower case, no final period.
    pub sentence: String,
    /// The expression of the specification that it changes, if it changes one.
    #[serde(skip)]
    pub place: Option<(Place, Range<usize>)>,
    /// Where that stands, `file:line:column`, once it was looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Failing cases in which it gives what the backend gave.
    pub failing: usize,
    /// In every compared case that fulfils this condition, failing or passing, the mistake gives what the backend gave.
    /// Without a condition, in every compared case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Too few cases fail to tell the mistake from those of `others`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncertain: bool,
    /// Further mistakes that explain as many cases under as simple a condition, by their sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// The smallest failing case that it explains.
    #[serde(skip)]
    pub smallest: Option<CaseId>,
    /// By which it can be held against further cases.
    #[serde(skip)]
    pub claim: Option<Claim>,
}

/// What a mistake says of any case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The id of the mutant.
    pub mutant: String,
    /// What it reads outside a tensor is the nearest element.
    pub clamps: bool,
    /// What cases have to be.
    pub demand: Demand,
}

impl Mistakes {
    /// What is said of an operator before any of its cases was compared.
    pub fn none(operator: Text) -> Self {
        Self {
            operator,
            failing: 0,
            failing_made: 0,
            passing: 0,
            found: Vec::new(),
            unexplained: 0,
            fails_if: None,
            fails_if_cases: 0,
            fails_if_demand: None,
            followed_up: 0,
            large: 0,
            smallest: None,
        }
    }

    /// The word before the condition of a mistake: if failing cases are left, it may be made where the condition does not
    /// hold as well.
    pub fn condition_word(&self) -> &'static str {
        if self.unexplained == 0 { "only if" } else { "where" }
    }

    /// Cases from which a follow-up starts: the smallest of each mistake that rests on a condition or is one of several, and
    /// of what no mistake explains.
    pub fn doubtful(&self) -> impl Iterator<Item = &CaseId> {
        let is_doubtful = |of: &&Mistake| of.condition.is_some() || of.uncertain || !of.others.is_empty();
        let mistakes = self.found.iter().filter(is_doubtful);
        mistakes.filter_map(|of| of.smallest.as_ref()).chain(&self.smallest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_stands_alone_only_if_no_failing_case_is_left() {
        let mut all = Mistakes::none(Text::Borrowed("CAST"));
        assert_eq!(all.condition_word(), "only if");
        all.unexplained = 1;
        assert_eq!(all.condition_word(), "where");
    }
}
