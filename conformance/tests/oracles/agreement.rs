//! Reference and checker of every operator agree, on outputs that are defined and on those that are left open.

use crate::planned;

/// A test for each operator, so that they run beside one another.
macro_rules! agree {
    ($($test:ident: $operator:literal,)*) => {$(
        #[test]
        fn $test() {
            planned::holds_together($operator);
        }
    )*};
}

agree! {
    identity: "ACTIVATION_IDENTITY",
    leaky_relu: "ACTIVATION_LEAKY_RELU",
    linear: "ACTIVATION_LINEAR",
    relu: "ACTIVATION_RELU",
    softmax: "ACTIVATION_SOFTMAX1",
    argmax: "ARGMAX",
    argmin: "ARGMIN",
    cast: "CAST",
    cumulative_summation: "CUMULATIVE_SUMMATION",
    add: "ELEMENT_WISE_ADD1",
    clip: "ELEMENT_WISE_CLIP",
    reduce: "REDUCE",
    top_k: "TOP_K",
}
