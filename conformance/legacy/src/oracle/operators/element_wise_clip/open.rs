//! What becomes of elements where the page leaves it open.

use super::Clip;

impl Clip<'_> {}
