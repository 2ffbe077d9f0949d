//! Cases built again for documents.

use dml_case::{case::Case, id::CaseId};
use dml_plan::planner::Planner;
use dml_report::render::CaseSource;

/// The cases of a suite.
pub struct RebuiltCases<'a>(pub &'a Planner);

impl CaseSource for RebuiltCases<'_> {
    fn build(&self, id: &CaseId) -> Option<Case> {
        dml_plan::build(self.0, id).ok()
    }

    fn expected(&self, case: &Case) -> Vec<Vec<u64>> {
        dml_judge::expected_outputs(self.0, case).unwrap_or_default()
    }

    fn wrong_elements(&self, case: &Case, half_precision: bool, outputs: &[Vec<u8>]) -> Vec<Vec<bool>> {
        dml_judge::wrong_elements(self.0, case, half_precision, outputs).unwrap_or_default()
    }
}
