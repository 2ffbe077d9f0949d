//! Arithmetic of rules on 128-bit whole numbers; shared by the interpreter and generated validators, so that
//! both agree to the last bit. `None` is *undefined*.

/// `a / b` towards negative infinity.
pub fn div_floor(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    let exact = quotient.wrapping_mul(b) == a;
    if exact || (a < 0) == (b < 0) {
        Some(quotient)
    } else {
        quotient.checked_sub(1)
    }
}

/// `a % b` with the sign of `b`.
pub fn rem_floor(a: i128, b: i128) -> Option<i128> {
    let rest = a.checked_rem(b)?;
    if rest == 0 || (rest < 0) == (b < 0) {
        Some(rest)
    } else {
        rest.checked_add(b)
    }
}

/// `a / b` rounded up; both must be non-negative.
pub fn div_ceil(a: i128, b: i128) -> Option<i128> {
    if a < 0 || b <= 0 {
        return None;
    }
    Some(a / b + i128::from(a % b != 0))
}

/// The smallest multiple of `b` that is not below `a`; both must be non-negative.
pub fn align_up(a: i128, b: i128) -> Option<i128> {
    div_ceil(a, b)?.checked_mul(b)
}

/// Whether `a` is 2^n for some n.
pub fn is_power_of_two(a: i128) -> bool {
    a > 0 && a.count_ones() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down_and_remainder_follows_the_divisor() {
        for (a, b, quotient, rest) in [
            (7, 2, 3, 1),
            (-7, 2, -4, 1),
            (7, -2, -4, -1),
            (-7, -2, 3, -1),
            (6, 3, 2, 0),
        ] {
            assert_eq!(
                (div_floor(a, b), rem_floor(a, b)),
                (Some(quotient), Some(rest)),
                "{a} by {b}"
            );
        }
        assert_eq!((div_floor(1, 0), rem_floor(1, 0)), (None, None));
        assert_eq!(div_floor(i128::MIN, -1), None);
    }

    #[test]
    fn rounding_up_needs_non_negative_numbers() {
        assert_eq!(
            (div_ceil(7, 2), div_ceil(0, 5), div_ceil(-1, 2), div_ceil(1, 0)),
            (Some(4), Some(0), None, None)
        );
        assert_eq!(
            (align_up(13, 4), align_up(16, 16), align_up(i128::MAX, 4)),
            (Some(16), Some(16), None)
        );
        assert!(is_power_of_two(1) && is_power_of_two(1 << 40) && !is_power_of_two(0) && !is_power_of_two(-4));
    }
}
