//! The mock itself: each rule, broken on purpose with the calls that the executor makes, is seen.
