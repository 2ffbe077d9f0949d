//! The `dml-cts` program.

use std::process::ExitCode;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    dml_conformance::cli::main()
}
