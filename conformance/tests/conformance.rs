//! Every bucket of the plan as one test, on the backend that `DML_CTS_BACKEND` names.
fn main() {}
