//! What a document asks for to show a case in full.

use dml_case::{case::Case, id::CaseId};

/// Builds cases again from their ids, and what is expected of them: a document shows some cases in full.
pub trait CaseSource: Sync {
    /// The case of an id; `None` if there is none.
    fn build(&self, id: &CaseId) -> Option<Case>;

    /// Expected elements of each present output in row-major order; empty if they are unspecified.
    fn expected(&self, case: &Case) -> Vec<Vec<u64>>;

    /// For each output whose bytes came back, which elements are wrong, in a run that allowed half precision or not;
    /// empty if that cannot be said.
    fn wrong_elements(&self, case: &Case, half_precision: bool, outputs: &[Vec<u8>]) -> Vec<Vec<bool>>;
}
