//! Pages of the reference: read, compared with the specification, written.

pub mod citations;
pub mod diff;
pub mod docs;
pub mod import;
pub mod interchange;
pub mod search;
