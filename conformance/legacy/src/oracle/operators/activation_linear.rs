//! ACTIVATION_LINEAR: Alpha times every element, plus Beta.

use crate::oracle::activation::{Activation, first_coefficient as alpha, linear_slack, second_coefficient as beta};

/// The oracle.
pub(super) static ORACLE: Activation = Activation {
    value: |descriptor, x| alpha(descriptor) * x + beta(descriptor),
    slack: |descriptor, ty, x| linear_slack(ty, alpha(descriptor), beta(descriptor), x),
    opens_infinities: true,
};
