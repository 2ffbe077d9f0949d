//! ACTIVATION_RELU: the larger of 0 and every element.

use crate::oracle::activation::Activation;

/// The oracle.
pub(super) static ORACLE: Activation = Activation {
    value: |_, x| if x > 0.0 || x.is_nan() { x } else { 0.0 },
    slack: |_, _, _| 0.0,
    opens_infinities: false,
};
