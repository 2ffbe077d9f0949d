//! Every bucket of the plan as one test, on the backend that `DML_CTS_BACKEND` names.

use std::process::ExitCode;

fn main() -> ExitCode {
    dml_conformance::tests()
}
