//! ACTIVATION_LEAKY_RELU: every element from 0 up as it is, Alpha times every other.

use crate::oracle::activation::{Activation, first_coefficient as alpha, product_slack};

/// The oracle.
pub(super) static ORACLE: Activation = Activation {
    value: |descriptor, x| if x < 0.0 { alpha(descriptor) * x } else { x },
    slack: |descriptor, ty, x| {
        if x < 0.0 {
            product_slack(ty, alpha(descriptor), x)
        } else {
            0.0
        }
    },
    opens_infinities: true,
};
