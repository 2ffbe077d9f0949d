//! Exit codes that several commands share.

/// Exit code of usage errors and mistakes in a specification.
pub(super) const USAGE: u8 = 2;

/// Exit code of an incomplete run, and of a plan that differs from its lock.
pub(super) const INCOMPLETE: u8 = 3;
