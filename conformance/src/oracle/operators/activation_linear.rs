//! ACTIVATION_LINEAR: Alpha times every element, plus Beta.

use crate::oracle::activation::{Activation, first_coefficient as alpha, linear_slack, second_coefficient as beta};

/// The oracle.
pub(super) static ORACLE: Activation = Activation {
    value: |descriptor, x| alpha(descriptor) * x + beta(descriptor),
    slack: |descriptor, ty, x| linear_slack(ty, alpha(descriptor), beta(descriptor), x),
    opens_infinities: true,
    keeps_zeros: false,
};

#[cfg(test)]
mod tests {
    use crate::oracle::planned;

    #[test]
    fn reference_and_checker_agree() {
        planned::holds_together("ACTIVATION_LINEAR");
        planned::knows_what_is_open("ACTIVATION_LINEAR");
    }
}
