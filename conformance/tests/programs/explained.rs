//! What a run says of backends that make one mistake: `tests/wrong_backends`.

use crate::{adapters::python_program, common::dml_cts};

/// What a run says of a mistake, on one line; empty if nothing explains the failures.
fn explained(mistake: &str, operator: &str) -> String {
    let program = python_program(&format!("conformance/tests/wrong_backends/wrong.py {mistake}"));
    let ran = dml_cts(&["run", "--tier", "smoke", "--backend", &program, operator]);
    assert_eq!(ran.code, Some(1), "{mistake}: {}{}", ran.out, ran.err);
    let found = ran.out.split_once("Mistakes that give these failures");
    let (_, found) = found.unwrap_or_default();
    found.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn mistakes_are_named_with_their_conditions() {
    for (mistake, operator, expected) in [
        (
            "top-k1-decreasing-by-reversal",
            "TOP_K1",
            &[
                "the last one comes first (spec/operators/top_k1.yaml:25:5)",
                "only where AxisDirection is DECREASING",
            ][..],
        ),
        (
            "top-k1-integers-as-float32",
            "TOP_K1",
            &["`InputTensor[r with [Axis] = j]` is compared as FLOAT32"],
        ),
        (
            "gather-negative-to-zero",
            "GATHER",
            &["`i + InputTensor.Sizes[Axis]` is taken for 0"],
        ),
        (
            "element-wise-add1-leaky-relu-default",
            "ELEMENT_WISE_ADD1",
            &[
                "the numbers of `FusedActivation` are taken for 0.01",
                "only where FusedActivation is ACTIVATION_LEAKY_RELU",
            ],
        ),
        (
            "element-wise-add1-activates-operand",
            "ELEMENT_WISE_ADD1",
            &["`FusedActivation` is applied to `BTensor[o]` alone"],
        ),
        (
            "cast-rounds-to-nearest",
            "CAST",
            &["`InputTensor[o]` is rounded to the nearest"],
        ),
        (
            "one-hot-wraps-past-end",
            "ONE_HOT",
            &["is taken modulo `OutputTensor.Sizes[Axis]`"],
        ),
        (
            "gemm-first-row-of-c",
            "GEMM",
            &["`CTensor` is read at 0 along its last but one dimension"],
        ),
        (
            "element-wise-clip-bias-before-scale",
            "ELEMENT_WISE_CLIP",
            &["`ScaleBias.Bias` is added before `ScaleBias.Scale` is multiplied"],
        ),
    ] {
        let found = explained(mistake, operator);
        for part in expected {
            assert!(found.contains(part), "{mistake}: {found}");
        }
    }
}

pub(crate) fn a_mistake_of_a_whole_algorithm_has_no_name() {
    for (mistake, operator) in [
        ("top-k1-bitonic-sort", "TOP_K1"),
        ("cumulative-summation-without-barrier", "CUMULATIVE_SUMMATION"),
        ("reduce-tree-drops-tail", "REDUCE"),
    ] {
        assert_eq!(explained(mistake, operator), "", "{mistake}");
    }
}
