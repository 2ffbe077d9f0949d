//! The faults.

use dml_spec::model::Role;

use super::{
    Does, Plant,
    seen::{Seen, all_equal, count},
};

/// A row of the table.
const fn plant(
    operator: &'static str,
    family: &'static str,
    fault: &'static str,
    does: Does,
    shows: fn(&Seen) -> bool,
) -> Plant {
    Plant {
        operator,
        family,
        fault,
        shows,
        does,
    }
}

fn ascends(list: &[u32]) -> bool {
    list.windows(2).all(|pair| pair[0] < pair[1])
}

fn repeats(list: &[u32]) -> bool {
    list.iter().enumerate().any(|(i, axis)| list[..i].contains(axis))
}

fn denormal(ty: &str, x: f64) -> bool {
    let least = match ty {
        "FLOAT16" => 2.0_f64.powi(-14),
        "FLOAT64" => f64::MIN_POSITIVE,
        _ => f64::from(f32::MIN_POSITIVE),
    };
    x != 0.0 && x.abs() < least
}

/// What an index means along an axis.
fn meant(index: f64, size: u32) -> f64 {
    if index < 0.0 { index + f64::from(size) } else { index }
}

/// The family that has what the others have one by one, several of it at once: it may catch what is planted for them.
pub(crate) const VARIANTS: &str = "variants";

/// `DML_REDUCE_FUNCTION_LOG_SUM_EXP`.
const LOG_SUM_EXP: u32 = 6;
/// `DML_REDUCE_FUNCTION_MAX`.
const MAX: u32 = 7;
/// `DML_REDUCE_FUNCTION_MIN`.
const MIN: u32 = 8;

/// One fault a family of cases, in the operator where it shows best.
pub(crate) const PLANTS: &[Plant] = &[
    plant(
        "TOP_K1",
        "examples",
        "a reading of the page that the page itself contradicts",
        Does::Spoil,
        |s| {
            // A reading that the oracle shares: only what the page gives tells it.
            s.case.given.is_some()
        },
    ),
    plant("TOP_K1", "support", "level ignored in validation", Does::Take, |s| {
        s.breaks("TOP_K1/3.1/InputTensor/INT64")
    }),
    plant("TOP_K1", "sizes", "last partial workgroup lost", Does::Spoil, |s| {
        let lanes = |size: u32| count(s.sizes(0)) / u64::from(size.max(1));
        s.runs() && s.uint("K") == 2 && lanes(s.sizes(0)[s.uint("Axis") as usize]) > 64
    }),
    plant("TOP_K1", "ties", "boundary tie wrong", Does::Spoil, |s| {
        let lane = s.lane(s.uint("Axis"));
        lane.len() > 20 && all_equal(&lane) && lane[0].double() != 0.0
    }),
    plant(
        "TOP_K1",
        "order",
        "merge steps that trust their input",
        Does::Spoil,
        |s| {
            let lane = s.lane(s.uint("Axis"));
            lane.len() > 8 && lane.windows(2).all(|pair| pair[0].double() > pair[1].double())
        },
    ),
    plant(
        "TOP_K1",
        "k-equals-size",
        "K equal to the axis size rejected",
        Does::Refuse,
        |s| s.runs() && !s.shares_places() && s.uint("K") == s.sizes(0)[s.uint("Axis") as usize],
    ),
    plant("TOP_K1", "extremes", "infinity dropped", Does::Spoil, |s| {
        s.any(f64::is_infinite) && !s.any(f64::is_nan)
    }),
    plant("TOP_K1", "nan", "invented values", Does::SpoilAll, |s| {
        s.any(f64::is_nan)
    }),
    plant("TOP_K1", "layout", "writes into gaps", Does::SpoilAll, |s| {
        s.runs() && s.strided(Role::Output) && !s.shares_places()
    }),
    plant(
        "TOP_K1",
        "aliasing",
        "layouts refused that the runtimes take",
        Does::Refuse,
        |s| s.runs() && s.shares_places(),
    ),
    plant("TOP_K1", "faults", "a constraint unchecked", Does::Take, |s| {
        s.breaks("TOP_K1/value-sizes")
    }),
    plant(
        "ACTIVATION_LEAKY_RELU",
        "values",
        "last partial workgroup lost",
        Does::Spoil,
        |s| count(s.sizes(0)) == 2 * 257,
    ),
    plant(
        "ACTIVATION_SOFTMAX1",
        "odd-axes",
        "a crash over an empty list",
        Does::End,
        |s| s.runs() && s.uints("Axes").is_empty(),
    ),
    plant(
        "ACTIVATION_SOFTMAX1",
        "infinity",
        "an infinity that spoils other groups",
        Does::SpoilAll,
        |s| s.any(f64::is_infinite) && !s.any(f64::is_nan),
    ),
    plant(
        "ACTIVATION_SOFTMAX1",
        "accuracy",
        "exponentials that overflow",
        Does::Spoil,
        |s| s.any(|x| x > 1e6) && !s.any(|x| !x.is_finite()),
    ),
    plant("REDUCE", "axes", "axes confused", Does::Spoil, |s| {
        s.runs() && s.uints("Axes").len() == 4
    }),
    plant("REDUCE", "axes-out-of-order", "stray writes", Does::Stray, |s| {
        let axes = s.uints("Axes");
        s.out() == "INT64" && !ascends(axes) && !repeats(axes)
    }),
    plant(
        "REDUCE",
        "axes-repeated",
        "a descriptor refused that the runtimes take",
        Does::Refuse,
        |s| s.runs() && repeats(s.uints("Axes")),
    ),
    plant("REDUCE", "overflow", "traps on overflow", Does::End, |s| {
        const SUM: u32 = 10;
        let limit = f64::from(i32::MAX);
        s.uint("Function") == SUM && s.ty(0) == "INT32" && s.any(|x| x == limit)
    }),
    plant(
        "REDUCE",
        "specials",
        "an index that was never set",
        Does::SpoilAll,
        |s| s.any(f64::is_nan),
    ),
    plant(
        "REDUCE",
        "rounding",
        "sums kept in too narrow a type",
        Does::Spoil,
        |s| {
            let halves = s.ty(0) == "FLOAT16" && s.out() == "FLOAT16";
            halves && ![LOG_SUM_EXP, MAX, MIN].contains(&s.uint("Function")) && s.sizes(0).last() == Some(&300)
        },
    ),
    plant(
        "REDUCE",
        "large-exponents",
        "a wrong result where exponentials overflow",
        Does::Spoil,
        |s| {
            let far = s.any(|x| x > 400.0) && s.any(|x| x < -400.0) && !s.any(|x| !x.is_finite());
            s.uint("Function") == LOG_SUM_EXP && far
        },
    ),
    plant(
        "ARGMAX",
        "signed-zero",
        "an element that is not the maximum",
        Does::SpoilAll,
        |s| {
            let zeros = |negative: bool| s.any(|x| x == 0.0 && x.is_sign_negative() == negative);
            s.out() == "UINT32" && zeros(true) && zeros(false)
        },
    ),
    plant(
        "JOIN",
        "denormals",
        "denormals that become something else than zero",
        Does::SpoilAll,
        |s| s.any(|x| denormal(s.ty(0), x)),
    ),
    plant("JOIN", "counts", "a single input not copied", Does::Spoil, |s| {
        s.runs() && s.tensors(Role::Input).len() == 1
    }),
    plant("CAST", "pairs", "a pair of types missing", Does::Spoil, |s| {
        s.ty(0) == "UINT8" && s.out() == "FLOAT16" && count(s.sizes(0)) == 201
    }),
    plant(
        "CAST",
        "fractions",
        "rounding to nearest instead of towards zero",
        Does::Spoil,
        |s| s.out() == "INT16" && s.any(|x| x.fract().abs() == 0.75) && !s.any(|x| (4.0 * x).fract() != 0.0),
    ),
    plant("CAST", "range", "limits converted wrongly", Does::Spoil, |s| {
        s.ty(0) == "INT64" && s.any(|x| x == i64::MIN as f64) && s.out() == "FLOAT32"
    }),
    plant("CAST", "nan", "NaN that spoils its neighbours", Does::SpoilAll, |s| {
        s.any(f64::is_nan)
    }),
    plant(
        "CUMULATIVE_SUMMATION",
        "integers",
        "64-bit sums truncated to 32",
        Does::Spoil,
        |s| {
            let sum: f64 = s.numbers(0).iter().map(|n| n.double().abs()).sum();
            s.ty(0) == "UINT64" && sum > 2_f64.powi(32)
        },
    ),
    plant(
        "ELEMENT_WISE_ADD1",
        "activation",
        "an activation left out",
        Does::Spoil,
        |s| s.nested("FusedActivation").is_some() && s.sizes(0) == [1, 5, 5, 5],
    ),
    plant(
        "ELEMENT_WISE_ADD1",
        "in-place",
        "an input overwritten before it is read",
        Does::Overwrite,
        |s| !s.case.aliases.is_empty(),
    ),
    plant(
        "ELEMENT_WISE_CLIP",
        "limits",
        "limits with fractions rounded",
        Does::Spoil,
        |s| s.runs() && s.float("Min") == 1.75,
    ),
    plant(
        "ELEMENT_WISE_CLIP",
        "scale-bias",
        "coefficients rounded away",
        Does::Spoil,
        |s| {
            s.runs()
                && s.case.aliases.is_empty()
                && !s.strided(Role::Input)
                && !s.strided(Role::Output)
                && s.scale_bias("ScaleBias")
                    .is_some_and(|(scale, bias)| scale.fract() != 0.0 || bias.fract() != 0.0)
        },
    ),
    plant(
        "ELEMENT_WISE_CLIP",
        "contrary-limits",
        "values invented beside the limits",
        Does::SpoilAll,
        |s| s.runs() && s.float("Min") > s.float("Max"),
    ),
    plant(
        "GATHER",
        "shapes",
        "dimensions of the indices transposed",
        Does::Spoil,
        |s| {
            let counts = s.sizes(1).iter().filter(|n| **n > 1).count() == 3;
            let packed = !s.strided(Role::Input) && !s.strided(Role::Output);
            s.runs() && packed && counts && !leaves_indices_over(s)
        },
    ),
    plant(
        "GATHER",
        "left-over",
        "descriptors refused that the runtimes take",
        Does::Refuse,
        |s| s.runs() && leaves_indices_over(s) && s.sizes(1).first().is_some_and(|n| *n > 1),
    ),
    plant(
        "GATHER",
        "all-dimensions",
        "tensors of one dimension rejected",
        Does::Refuse,
        |s| s.runs() && s.sizes(0).len() == 1 && s.sizes(0)[0] == 1,
    ),
    plant(
        "GATHER",
        "indices",
        "64-bit indices read as pairs of 32 bits",
        Does::Spoil,
        |s| {
            let size = s.sizes(0).get(s.uint("Axis") as usize).copied().unwrap_or(0);
            let far = |index: f64| index < 0.0 && meant(index, size) >= 0.0 && size > 100;
            s.ty(1) == "INT64" && s.numbers(1).iter().any(|n| far(n.double()))
        },
    ),
    plant(
        "GATHER",
        "invalid-indices",
        "a process ended by an index",
        Does::End,
        |s| {
            let size = s.sizes(0).get(s.uint("Axis") as usize).copied().unwrap_or(0);
            let invalid = |index: f64| !(0.0..f64::from(size)).contains(&meant(index, size));
            s.numbers(1).iter().any(|n| invalid(n.double()))
        },
    ),
    plant(
        "ONE_HOT",
        "other-dimension-counts",
        "values of another number of dimensions rejected",
        Does::Refuse,
        |s| s.runs() && s.sizes(0).len() != s.sizes(1).len(),
    ),
    plant(
        "ONE_HOT",
        "past-end",
        "index equal to the size written into the next sequence",
        Does::Spoil,
        |s| {
            let size = s.out_size("Axis");
            s.ty(0) == "UINT32" && s.numbers(0).iter().any(|n| n.double() == f64::from(size))
        },
    ),
    plant(
        "ONE_HOT",
        "before-start",
        "writes before the output's start",
        Does::Stray,
        |s| {
            let size = s.out_size("Axis");
            s.numbers(0).iter().any(|n| n.double() < -f64::from(size))
        },
    ),
    plant("SLICE1", "windows", "stride ignored", Does::Spoil, |s| {
        s.runs() && s.ints("InputWindowStrides").contains(&7)
    }),
    plant(
        "SLICE1",
        "beyond-window",
        "memory read outside the tensor",
        Does::End,
        |s| s.runs() && s.is_open("SLICE1/beyond-window"),
    ),
    plant("SLICE1", "backwards", "stride's sign ignored", Does::Spoil, |s| {
        s.runs() && s.ints("InputWindowStrides").contains(&-3)
    }),
    plant(
        "ARGMAX",
        VARIANTS,
        "a mistake in one variant of a kernel only",
        Does::Spoil,
        |s| s.runs() && s.sizes(0).len() > 4 && count(s.sizes(0)) > 1024 && s.strided(Role::Input),
    ),
];

/// Whether a dimension of GATHER's indices that does not count has more than one element.
fn leaves_indices_over(s: &Seen) -> bool {
    let counted = s.uint("IndexDimensions") as usize;
    let sizes = s.sizes(1);
    sizes.iter().take(sizes.len().saturating_sub(counted)).any(|n| *n > 1)
}
