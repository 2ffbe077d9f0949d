//! The backend that the suite runs.

use std::num::NonZeroUsize;

use dml_ops::{Backend, FeatureLevel, Simple, Stopped};

use super::{operators::execute, threads::with_threads};

/// The backend: feature level 6.4, descriptors of every operator judged by the generated validators, including
/// operators without a kernel. Each session keeps to the thread that polls it, because a caller that runs many cases
/// has sessions on all threads; [`execute`](crate::execute) itself uses what [`with_threads`] allows.
pub fn backend() -> impl Backend {
    let operators = dml_ops::OPERATORS.iter().map(|operator| operator.name);
    let level = FeatureLevel::new(6, 4);
    Simple::new(
        "cpu",
        env!("CARGO_PKG_VERSION"),
        level,
        operators,
        |descriptor, inputs, outputs| {
            with_threads(NonZeroUsize::MIN, || execute(descriptor, inputs, outputs)).map_err(Stopped::from)
        },
    )
}

#[cfg(test)]
mod tests;
