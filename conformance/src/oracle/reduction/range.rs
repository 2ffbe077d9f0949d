//! What comes of intermediate results that leave the range of the data type, while the function's own result need not:
//! infinities, which stay, and NaN where two of them cancel.

use super::{
    Function,
    slack::{self, Precision},
};

/// What may come out of a set beside the function's own result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Beyond {
    /// This infinity.
    Infinite(f64),
    /// Either infinity, or NaN.
    NonFinite,
}

/// What may come out of a set of floats of this many bits beside the result itself, and what is near to it.
pub(super) fn also(function: Function, bits: u32, set: impl Iterator<Item = f64> + Clone) -> Option<Beyond> {
    let p = Precision::of(bits);
    match function {
        Function::Max | Function::Min => None,
        Function::Sum | Function::Average => of_sum(&p, set),
        Function::L1 => of_sum(&p, set.map(f64::abs)),
        Function::SumSquare | Function::L2 => of_sum(&p, set.map(|x| x * x)),
        Function::LogSum => match of_sum(&p, set)? {
            Beyond::Infinite(x) if x > 0.0 => Some(Beyond::Infinite(x)),
            _ => Some(Beyond::NonFinite),
        },
        Function::LogSumExp => {
            let (sum, error, _) = slack::exponentials(&p, set);
            slack::beyond(&p, sum, error).map(Beyond::Infinite)
        }
        Function::Multiply => of_product(&p, set),
    }
}

/// Partial sums lie between the sum of the negative terms and that of the positive ones.
fn of_sum(p: &Precision, terms: impl Iterator<Item = f64> + Clone) -> Option<Beyond> {
    let most = 1.0 + p.of_terms(terms.clone().count());
    let leaves = |sign: f64| terms.clone().map(|x| (x * sign).max(0.0)).sum::<f64>() * most > p.greatest;
    match (leaves(1.0), leaves(-1.0)) {
        (false, false) => None,
        (true, false) => Some(Beyond::Infinite(f64::INFINITY)),
        (false, true) => Some(Beyond::Infinite(f64::NEG_INFINITY)),
        (true, true) => Some(Beyond::NonFinite),
    }
}

/// An infinite partial product keeps the sign of the whole one, unless a factor or another partial product is zero.
fn of_product(p: &Precision, factors: impl Iterator<Item = f64> + Clone) -> Option<Beyond> {
    let leaves = p.leaves(factors.clone());
    if !leaves.above {
        return None;
    }
    if leaves.below || factors.clone().any(|x| x == 0.0) {
        return Some(Beyond::NonFinite);
    }
    let negative = factors.filter(|x| *x < 0.0).count() % 2 == 1;
    let infinity = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
    Some(Beyond::Infinite(infinity))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Option<Beyond> = Some(Beyond::Infinite(f64::INFINITY));
    const DOWN: Option<Beyond> = Some(Beyond::Infinite(f64::NEG_INFINITY));

    fn of(function: Function, bits: u32, set: &[f64]) -> Option<Beyond> {
        also(function, bits, set.iter().copied())
    }

    #[test]
    fn a_sum_of_exponentials_may_leave_the_range() {
        let of = |bits, set: &[f64]| of(Function::LogSumExp, bits, set);
        assert_eq!(of(16, &[12.0]), UP);
        assert_eq!((of(32, &[12.0]), of(32, &[88.0])), (None, None));
        assert_eq!(of(32, &[88.0; 3]), UP);
        assert_eq!(of(32, &[-800.0, -900.0]), DOWN);
    }

    #[test]
    fn what_leaves_the_range_comes_to_its_infinity_or_to_nan_where_two_meet() {
        let big = [60000.0, 60000.0];
        let both = [60000.0, 60000.0, -60000.0, -60000.0];
        for function in [
            Function::Sum,
            Function::Average,
            Function::L1,
            Function::SumSquare,
            Function::L2,
            Function::LogSum,
        ] {
            assert_eq!(of(function, 16, &big), UP, "{function:?}");
            assert_eq!(of(function, 32, &big), None, "{function:?}");
        }
        assert_eq!(of(Function::Sum, 16, &big.map(|x| -x)), DOWN);
        assert_eq!(of(Function::Sum, 16, &both), Some(Beyond::NonFinite));
        assert_eq!(of(Function::L1, 16, &both), UP);
        assert_eq!(of(Function::Sum, 16, &[60000.0, -60000.0]), None);
        assert_eq!(
            of(Function::L2, 16, &[256.0, 0.0]),
            UP,
            "a square is out of range by itself"
        );
        assert_eq!(of(Function::Max, 16, &big), None);
    }

    #[test]
    fn products_keep_their_sign_unless_zeros_take_part() {
        assert_eq!(of(Function::Multiply, 16, &[300.0, -300.0, 0.5]), DOWN);
        assert_eq!(of(Function::Multiply, 16, &[300.0, 300.0, 0.5]), UP);
        assert_eq!(
            of(Function::Multiply, 16, &[300.0, 300.0, 0.0]),
            Some(Beyond::NonFinite)
        );
        assert_eq!(of(Function::Multiply, 16, &[300.0, 300.0, 1e-3, 0.5]), UP);
        assert_eq!(
            of(Function::Multiply, 16, &[300.0, 300.0, 1e-4, 1e-3]),
            Some(Beyond::NonFinite)
        );
        assert_eq!(of(Function::Multiply, 16, &[1e-4, 1e-3]), None);
    }
}
