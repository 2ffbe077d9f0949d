//! The `dml-cts` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    dml_conformance::cli::main()
}
