//! What holds of extremes even where nobody defines them, and what is told of them then.

use super::Extreme;

impl Extreme<'_> {}
