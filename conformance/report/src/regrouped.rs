//! Regroups the failures of a stored run: what explains most of them is not known from the parts of a run.

use std::rc::Rc;

use crate::{
    groups::{Failed, Suspicions},
    pattern::Patterns,
};
use dml_case::{
    id::CaseId,
    results::{self, CaseLine, GroupLine},
};

/// The failures of a stored run, grouped as a run groups its own.
#[derive(Debug, Default)]
pub struct Regrouped {
    suspicions: Suspicions<StoredCase>,
    patterns: Patterns,
}

impl Regrouped {
    /// Adds a line. What it does not say comes from the plan: whether the case executes, and how many elements it
    /// has.
    pub fn add(&mut self, line: &CaseLine, executes: bool, elements: u64) {
        let Ok(id) = line.id.parse::<CaseId>() else { return };
        let suspicion = results::is_failure(&line.outcome).then(|| {
            let line = Rc::new(line.clone());
            self.suspicions.add(&StoredCase { line, elements })
        });
        self.patterns.add(&id, executes, &line.outcome, suspicion.flatten());
    }

    /// The groups.
    pub fn groups(&self) -> Vec<GroupLine> {
        self.suspicions.lines(&self.patterns)
    }
}

/// A failing case of a stored run.
#[derive(Clone, Debug)]
struct StoredCase {
    line: Rc<CaseLine>,
    elements: u64,
}

impl Failed for StoredCase {
    type Class = String;

    fn explanations(&self) -> Vec<(String, String)> {
        let class = self.line.class.as_ref().unwrap_or(&self.line.outcome).clone();
        let first = (class, self.line.clauses.first().cloned().unwrap_or_default());
        let others = self.line.others.iter();
        std::iter::once(first)
            .chain(others.map(|other| (other.class.clone(), other.clause.clone())))
            .collect()
    }

    fn id(&self) -> String {
        self.line.id.clone()
    }

    fn elements(&self) -> u64 {
        self.elements
    }

    fn says(&self, class: &String) -> Option<String> {
        let other = self.line.others.iter().find(|other| other.class == *class);
        other.map_or_else(|| self.line.message.clone(), |other| Some(other.message.clone()))
    }
}
