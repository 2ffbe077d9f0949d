//! What has no value gives a fault with its place, never a panic.

use crate::tiny::{fault, run};

const A: &str = "A: FLOAT32 [2, 3] = 1 2 3 4 5 6; O: FLOAT32 [2]";

#[test]
fn simple() {
    assert_eq!(run(A, "O[o]: A[o[0], 0] + 1"), "2, 5");
    assert_eq!(
        fault(A, "O[o]: A[o[0], o[9]]"),
        "index 9 lies outside a list of 1 at `o[9]`"
    );
}
