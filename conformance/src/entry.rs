//! The suite for a backend of another crate.

use std::{env, process::ExitCode};

use dml_ops::Backend;

use crate::backends;
use crate::{cli, trials};

/// The whole suite for a backend of another crate, as the `main` of a program: `tests/conformance.rs` without the
/// harness of `cargo test`, or a binary.
///
/// ```no_run
/// use dml_conformance::dml_ops::{Descriptor, FeatureLevel, Simple, Stopped};
///
/// // Your kernel: it reads the inputs and fills the outputs.
/// fn execute(_: &Descriptor, _: &[&[u8]], _: &mut [&mut [u8]]) -> Result<(), Stopped> {
///     Err(Stopped::Skipped("not written yet".to_owned()))
/// }
///
/// fn main() -> std::process::ExitCode {
///     dml_conformance::main(|| Simple::new("mine", "0.1.0", FeatureLevel::new(5, 0), ["TOP_K1"], execute))
/// }
/// ```
///
/// Where the first argument is a command of `dml-cts`, such as `run`, `list` or `show`, the program is `dml-cts` with
/// this backend, tested unless `--backend` names another. Otherwise every bucket of the plan is a test, with the
/// arguments that tests take (`--list`, a filter, `--test-threads`) and the environment variables `DML_CTS_LEVEL`,
/// `DML_CTS_TIER`, `DML_CTS_BACKEND` and `DML_CTS_EXPECTATIONS` (the file of `run --expectations`, as seen from the
/// folder of the crate). `run --isolate` starts the program again as a process of its own for each
/// worker, so the backend may crash and hang.
///
/// `backend` is called whenever a backend is needed; what takes long belongs into [`Backend::open`].
pub fn main<B, F>(backend: F) -> ExitCode
where
    B: Backend + 'static,
    F: Fn() -> B + Send + Sync + 'static,
{
    backends::add_guest(Box::new(move || Box::new(backend())));
    let first = env::args().nth(1).unwrap_or_default();
    if cli::is_command(&first) {
        cli::main()
    } else {
        trials::main()
    }
}

/// The suite as tests of the backend that `DML_CTS_BACKEND` names, `cpu` by default.
pub fn tests() -> ExitCode {
    trials::main()
}
