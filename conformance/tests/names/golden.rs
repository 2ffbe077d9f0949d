//! A golden: a wrong backend, and what may be said of it.

use std::sync::Arc;

use dml_case::{
    mistake::{Mistake, Mistakes},
    outcome::Basis,
    record::{Record, Sink, Totals},
};
use dml_ops::{Backend, Simple, Stopped};
use dml_plan::planner::Planner;
use dml_run::engine::{Run, Selection, Settings};
use dml_spec::{FeatureLevel, model::Tier};

use crate::call::{Call, Elements};

type Make = Arc<dyn Fn(&Call<'_>) -> Elements + Send + Sync>;

/// A wrong backend, made by hand, and the names that are true of it.
pub(crate) struct Golden {
    pub(crate) name: &'static str,
    pub(crate) operator: &'static str,
    make: Make,
    /// Kinds with a part of the sentence: any of them is true.
    names: Vec<(&'static str, &'static str)>,
    /// Parts of conditions, any of which is true; empty if it makes the mistake always.
    conditions: Vec<&'static str>,
    /// Parts of further conditions that are true as well, but need not be said; and of what its failing cases share.
    implied: Vec<&'static str>,
    /// No small change of the specification describes it.
    unnamed: bool,
    /// Queries of the tier standard that it runs, if no case of smoke shows its mistake.
    standard: Option<&'static str>,
    /// Whose word counts.
    basis: Basis,
}

/// A golden, of which nothing is true yet.
pub(crate) fn golden(
    name: &'static str,
    operator: &'static str,
    make: impl Fn(&Call<'_>) -> Elements + Send + Sync + 'static,
) -> Golden {
    Golden {
        name,
        operator,
        make: Arc::new(make),
        names: Vec::new(),
        conditions: Vec::new(),
        implied: Vec::new(),
        unnamed: false,
        standard: None,
        basis: Basis::Runtime,
    }
}

/// What became of a golden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// A true name, or none if none is true.
    Right,
    /// A true name without the condition under which alone the mistake is made.
    Broad,
    /// No name for certain, a true one among those that fit.
    Candidate,
    /// No name.
    Unnamed,
    /// A name that is not true.
    False,
    /// No case fails.
    Unseen,
}

/// What was said of a golden.
pub(crate) struct Outcome {
    pub(crate) golden: Golden,
    pub(crate) verdict: Verdict,
    pub(crate) failures: u64,
    pub(crate) mistakes: Vec<Mistake>,
    /// What those cases have in common that nothing explains.
    pub(crate) fails_if: Vec<String>,
    /// Some of that is no condition of the mistake.
    pub(crate) is_coincidence: bool,
}

impl Golden {
    /// One more true name: the kind, and a part of the sentence.
    pub(crate) fn is(mut self, kind: &'static str, words: &'static str) -> Self {
        self.names.push((kind, words));
        self
    }

    /// It makes the mistake under this condition alone, which may be said in several ways.
    pub(crate) fn when(mut self, condition: &'static str) -> Self {
        self.conditions.push(condition);
        self
    }

    /// A condition that is true, but that its name implies already, or that it has no name for.
    pub(crate) fn implying(mut self, condition: &'static str) -> Self {
        self.implied.push(condition);
        self
    }

    /// It runs the cases of these queries of the tier standard, because none of smoke shows its mistake. Whatever smoke
    /// does show is measured there, even if its cases cannot tell the mistake from another one.
    pub(crate) fn on_standard(mut self, query: &'static str) -> Self {
        self.standard = Some(query);
        self
    }

    /// The text alone counts: releases of DirectML make the same mistake.
    pub(crate) fn by_text(mut self) -> Self {
        self.basis = Basis::Text;
        self
    }

    /// It is no small change: no name at all is right as well.
    pub(crate) fn unnamed(mut self) -> Self {
        self.unnamed = true;
        self
    }

    fn backend(&self) -> impl Backend + use<> {
        let make = Arc::clone(&self.make);
        let level = FeatureLevel::new(6, 4);
        Simple::new(
            "wrong",
            "1",
            level,
            [self.operator],
            move |descriptor, inputs, outputs| match Call::new(descriptor, inputs, outputs) {
                Some(call) => call.write(&make(&call), outputs),
                None => dml_cpu::execute(descriptor, inputs, outputs).map_err(Stopped::from),
            },
        )
    }

    /// Runs the plan of its operator.
    pub(crate) fn run(&self, suite: &Planner, settings: &Settings) -> Totals {
        let smoke = format!("{}:*:*", self.operator);
        let queries = self.standard.unwrap_or(&smoke).split(' ');
        let queries = queries.map(|query| query.parse().unwrap()).collect();
        let tier = self.standard.map_or(settings.tier, |_| Tier::Standard);
        let settings = &Settings {
            tier,
            basis: self.basis,
            ..settings.clone()
        };
        let selection = Selection {
            queries,
            ..Selection::default()
        };
        let backend = self.backend();
        Run {
            suite,
            backend: &backend,
            selection: &selection.resolve(suite).unwrap(),
            settings,
            lock: None,
        }
        .execute(&mut Nowhere)
    }

    /// Runs it, and judges what is said of it.
    pub(crate) fn tried(self, suite: &Planner) -> Outcome {
        let totals = self.run(suite, &settings());
        let fails_if: Vec<String> = totals.mistakes.iter().filter_map(|of| of.fails_if.clone()).collect();
        Outcome {
            verdict: self.verdict(&totals),
            failures: totals.failures(),
            is_coincidence: !self.shares(&fails_if),
            fails_if,
            mistakes: found(totals.mistakes),
            golden: self,
        }
    }

    fn is_true(&self, kind: &str, sentence: &str) -> bool {
        let mut names = self.names.iter();
        names.any(|(of, words)| *of == kind && sentence.contains(words))
    }

    /// Whether what is said for certain is true, and complete.
    fn certain(&self, mistake: &Mistake) -> Verdict {
        let stated = mistake.condition.as_deref();
        let is_stated = |said: &str| self.conditions.iter().any(|part| said.contains(part));
        let is_implied = |said: &str| self.implied.iter().any(|part| said.contains(part));
        match stated {
            _ if !self.is_true(&mistake.kind, &mistake.sentence) => Verdict::False,
            Some(condition) if !is_stated(condition) && !is_implied(condition) => Verdict::False,
            None if !self.conditions.is_empty() && !is_stated(&mistake.sentence) => Verdict::Broad,
            _ => Verdict::Right,
        }
    }

    fn verdict(&self, totals: &Totals) -> Verdict {
        if totals.failures() == 0 {
            return Verdict::Unseen;
        }
        let mistakes = found(totals.mistakes.clone());
        let certain = mistakes.iter().filter(|mistake| !mistake.uncertain);
        let said: Vec<Verdict> = certain.map(|mistake| self.certain(mistake)).collect();
        let is_candidate = mistakes.iter().any(|mistake| {
            let others = mistake.others.iter().map(String::as_str);
            let mut all = others.chain([mistake.sentence.as_str()]);
            all.any(|sentence| self.names.iter().any(|(_, words)| sentence.contains(words)))
        });
        // A mistake that the cases cannot tell from others is published with their names: it is not certain.
        let is_among = |mistake: &&Mistake| {
            let mut others = mistake.others.iter();
            others.any(|sentence| self.names.iter().any(|(_, words)| sentence.contains(words)))
        };
        let certain = mistakes.iter().filter(|mistake| !mistake.uncertain);
        let mut wrong = certain.filter(|mistake| self.certain(mistake) == Verdict::False);
        match said.iter().max() {
            Some(Verdict::False) if wrong.all(|mistake| is_among(&mistake)) => Verdict::Candidate,
            Some(Verdict::False) => Verdict::False,
            Some(_) if said.contains(&Verdict::Right) => Verdict::Right,
            Some(_) => Verdict::Broad,
            None if is_candidate => Verdict::Candidate,
            None if self.unnamed && mistakes.is_empty() => Verdict::Right,
            None => Verdict::Unnamed,
        }
    }

    /// Whether all that is said of the failing cases without a name is true of them, and says no more.
    fn shares(&self, said: &[String]) -> bool {
        let parts = || self.conditions.iter().chain(&self.implied);
        let is_true = |said: &String| {
            parts().any(|part| said.contains(part) && (part.contains(" and ") || !said.contains(" and ")))
        };
        said.iter().all(is_true)
    }
}

/// The mistakes of all operators.
pub(crate) fn found(all: Vec<Mistakes>) -> Vec<Mistake> {
    all.into_iter().flat_map(|of| of.found).collect()
}

/// How goldens run: in one order, since some of them keep what the case before left.
pub(crate) fn settings() -> Settings {
    Settings {
        tier: Tier::Smoke,
        jobs: 1,
        follow_up: true,
        ..Settings::default()
    }
}

pub(crate) struct Nowhere;

impl Sink for Nowhere {
    fn record(&mut self, _: &Record) {}
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Golden { name, operator, .. } = &self.golden;
        write!(f, "{:?}: {operator} {name} ({} fail)", self.verdict, self.failures)?;
        for mistake in &self.mistakes {
            let how = if mistake.uncertain { "fits" } else { "is" };
            write!(f, "\n    {how} {}: {}", mistake.kind, mistake.sentence)?;
            if let Some(condition) = &mistake.condition {
                write!(f, ", but only if {condition}")?;
            }
            write!(f, " [in {} failing cases] or {:?}", mistake.failing, mistake.others)?;
        }
        for condition in &self.fails_if {
            write!(f, "\n    fails if {condition}")?;
        }
        Ok(())
    }
}
