//! Mistakes that explain failures: where the specification has what they change, and those of merged runs.

use dml_case::{mistake::Mistakes, outcome::Basis, sample::Samples};
use dml_plan::planner::Planner;
use dml_spec_yaml::load::{Files, locate_meaning};

/// Looks up where the expressions stand that mistakes change.
pub(crate) fn locate_mistakes(all: &mut [Mistakes], files: &Files) {
    for of in all {
        for mistake in &mut of.found {
            let place = mistake.place.as_ref();
            let place = place.and_then(|(place, span)| locate_meaning(files, &of.operator, *place, span.clone()));
            mistake.at = place.map(|place| place.to_string());
        }
    }
}

/// What explains the wrong outputs in the samples of a stored run, with places.
pub(crate) fn explain_samples(suite: &Planner, files: &Files, samples: &Samples, basis: &str) -> Vec<Mistakes> {
    let basis = if basis == "text" { Basis::Text } else { Basis::Runtime };
    let mut all = dml_run::engine::explain(suite, samples, basis);
    locate_mistakes(&mut all, files);
    all
}
