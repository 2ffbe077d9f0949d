//! Elementary functions that give the same bits on every machine: the standard library's are those of the system, and
//! differ in their last digits from one to the next.

/// `e` to the power of `x`.
pub(super) fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// 2 to the power of `x`.
pub(super) fn exp2(x: f64) -> f64 {
    libm::exp2(x)
}

/// `e` to the power of `x`, less 1.
pub(super) fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// The natural logarithm.
pub(super) fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// The natural logarithm of `1 + x`.
pub(super) fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// The logarithm to base 2.
pub(super) fn log2(x: f64) -> f64 {
    libm::log2(x)
}
