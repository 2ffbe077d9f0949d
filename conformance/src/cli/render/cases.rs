//! Cases built again for documents.

use crate::{case::Case, id::CaseId, judge, plan, report::render::CaseSource, suite::Suite};

/// The cases of a suite.
pub(super) struct SuiteCases<'a>(pub(super) &'a Suite);

impl CaseSource for SuiteCases<'_> {
    fn build(&self, id: &CaseId) -> Option<Case> {
        plan::build(self.0, id).ok()
    }

    fn expected(&self, case: &Case) -> Vec<Vec<u64>> {
        judge::expected(self.0, case).unwrap_or_default()
    }

    fn wrong_elements(&self, case: &Case, outputs: &[Vec<u8>]) -> Vec<Vec<bool>> {
        judge::wrong_elements(self.0, case, outputs).unwrap_or_default()
    }
}
