//! What comes of intermediate results that leave the range of the data type, while the function's own result need not:
//! infinities, which stay, and NaN where two of them cancel.

use dml_spec::model::DataType;

use super::{
    Function,
    slack::{self, Precision},
};
use crate::compare::Also;
use crate::oracle::rounding;
use dml_case::number::encode_float;

/// What may come out of a set of floats of this type beside the result itself, and what is near to it.
pub(super) fn also(function: Function, ty: &DataType, set: impl Iterator<Item = f64> + Clone) -> Option<Also> {
    let p = Precision::of(ty.bits);
    let infinity = |x: f64| Also::Is(encode_float(ty, x));
    match function {
        Function::Max | Function::Min => None,
        Function::Sum | Function::Average => of_sum(ty, &p, set),
        Function::L1 => of_sum(ty, &p, set.map(f64::abs)),
        Function::SumSquare | Function::L2 => of_sum(ty, &p, set.map(|x| x * x)),
        // The logarithm of what is below the range is NaN.
        Function::LogSum => match of_sum(ty, &p, set)? {
            above if above == infinity(f64::INFINITY) => Some(above),
            _ => Some(Also::NonFinite),
        },
        Function::LogSumExp => {
            let (sum, error, _) = slack::exponentials(&p, set);
            slack::beyond(&p, sum, error).map(infinity)
        }
        Function::Multiply => of_product(ty, &p, set),
    }
}

/// Partial sums lie between the sum of the negative terms and that of the positive ones.
fn of_sum(ty: &DataType, p: &Precision, terms: impl Iterator<Item = f64> + Clone) -> Option<Also> {
    let most = 1.0 + p.of_terms(terms.clone().count());
    let leaves = |sign: f64| terms.clone().map(|x| (x * sign).max(0.0)).sum::<f64>() * most > p.greatest;
    rounding::beyond(ty, leaves(1.0), leaves(-1.0))
}

/// An infinite partial product keeps the sign of the whole one, unless a factor or another partial product is zero.
fn of_product(ty: &DataType, p: &Precision, factors: impl Iterator<Item = f64> + Clone) -> Option<Also> {
    let leaves = p.leaves(factors.clone());
    if !leaves.above {
        return None;
    }
    if leaves.below || factors.clone().any(|x| x == 0.0) {
        return Some(Also::NonFinite);
    }
    let negative = factors.filter(|x| *x < 0.0).count() % 2 == 1;
    rounding::beyond(ty, !negative, negative)
}

#[cfg(test)]
mod tests {
    use dml_spec::model::NumberClass;

    use super::*;
    use crate::oracle::tests::ty;
    use dml_case::number::decode;

    const UP: Option<f64> = Some(f64::INFINITY);
    const DOWN: Option<f64> = Some(f64::NEG_INFINITY);
    /// Infinities of either sign, or NaN.
    const ANY: Option<f64> = Some(0.0);

    fn of(function: Function, bits: u32, set: &[f64]) -> Option<f64> {
        let ty = ty(NumberClass::Float, bits);
        Some(match also(function, &ty, set.iter().copied())? {
            Also::Is(bits) => decode(&ty, bits).double(),
            Also::NonFinite => 0.0,
        })
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
        assert_eq!(of(Function::Sum, 16, &both), ANY);
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
        assert_eq!(of(Function::Multiply, 16, &[300.0, 300.0, 0.0]), ANY);
        assert_eq!(of(Function::Multiply, 16, &[300.0, 300.0, 1e-3, 0.5]), UP);
        assert_eq!(of(Function::Multiply, 16, &[300.0, 300.0, 1e-4, 1e-3]), ANY);
        assert_eq!(of(Function::Multiply, 16, &[1e-4, 1e-3]), None);
    }
}
