//! Whole numbers: exact in 128 bits, and beyond every type where they leave those.

/// A whole number beyond 128 bits: so large that it fits no type.
pub(crate) const BEYOND: i128 = i128::MAX;

/// Whether a number is beyond 128 bits.
pub(crate) fn is_beyond(n: i128) -> bool {
    n.unsigned_abs() >= BEYOND.unsigned_abs()
}

/// A sum of whole numbers. What has left 128 bits stays beyond every type, unless as much may come back.
pub(crate) fn plus(x: i128, y: i128) -> Option<i128> {
    if (x.unsigned_abs() | y.unsigned_abs()) < 1 << 126 {
        return Some(x + y);
    }
    match (is_beyond(x), is_beyond(y)) {
        (false, false) => Some(x.checked_add(y).unwrap_or(BEYOND * x.signum())),
        (true, true) => (x.signum() == y.signum()).then_some(x),
        (true, false) => stays(x, y).then_some(x),
        (false, true) => stays(y, x).then_some(y),
    }
}

/// Whether what has left 128 bits is still beyond every type if this is added.
fn stays(beyond: i128, n: i128) -> bool {
    n.signum() == beyond.signum() || n.unsigned_abs() <= 1 << 126
}

/// A product of whole numbers. What has left 128 bits comes back by a zero alone.
pub(crate) fn times(total: i128, factor: i128) -> i128 {
    if total == 0 || factor == 0 {
        return 0;
    }
    if total.unsigned_abs() == BEYOND.unsigned_abs() {
        return total * factor.signum();
    }
    total
        .checked_mul(factor)
        .unwrap_or_else(|| BEYOND * total.signum() * factor.signum())
}
