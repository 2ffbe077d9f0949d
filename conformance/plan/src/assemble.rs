//! The last step of building a case: silences and the level gate.

use std::sync::Arc;

use dml_spec::{Descriptor, FeatureLevel, model::Tier};

use crate::{builder::Builder, eval, verdict};
use dml_case::{
    case::{Case, Mode, Verdict},
    facts::DataFacts,
    id::CaseId,
};

impl Builder<'_> {
    /// Puts a case together, with the silences and the level gate that apply to it.
    #[expect(clippy::too_many_arguments, reason = "the parts of a case, each of another type")]
    pub fn assemble(
        &self,
        id: CaseId,
        mode: Mode,
        descriptor: Descriptor,
        inputs: Vec<Vec<u8>>,
        given: Option<Vec<Vec<u64>>>,
        verdict: Verdict,
        facts: &DataFacts,
    ) -> Case {
        let silences = if verdict.is_rejection() {
            Vec::new()
        } else {
            eval::find_silences(self, &descriptor, id.level(), facts)
        };
        let verdict = verdict::add_silences(&self.suite.catalog, self.operator, verdict, silences);
        let gate = verdict
            .is_rejection()
            .then(|| self.allowed_from(&descriptor, id.level()))
            .flatten();
        Case {
            id,
            tier: Tier::Smoke,
            mode,
            descriptor: Arc::new(descriptor),
            inputs,
            aliases: Vec::new(),
            given,
            verdict,
            gate,
        }
    }

    /// The first later table level whose table accepts the descriptor.
    fn allowed_from(&self, descriptor: &Descriptor, level: FeatureLevel) -> Option<FeatureLevel> {
        let later = self.operator.support.iter().map(|t| t.level).filter(|l| *l > level);
        later.into_iter().find(|later| {
            let violations = self
                .program
                .evaluate(&self.suite.catalog, self.operator, descriptor, *later);
            !violations.iter().any(|v| v.runtime)
        })
    }
}
