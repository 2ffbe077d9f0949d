//! What a run says of backends that make one mistake: `tests/wrong_backends`.

use std::{env, fs};

use crate::{
    adapters::python_program,
    common::{dml_cts, temporary},
};

/// What is run of a mistake, by the beginning of its name.
const QUERIES: [(&str, &str); 12] = [
    ("top-k1", "TOP_K1"),
    ("reduce", "REDUCE"),
    ("cumulative-summation", "CUMULATIVE_SUMMATION"),
    // In the whole plan this one has no name.
    ("gather-int64", "GATHER:*:*:index=INT*"),
    ("gather", "GATHER"),
    ("element-wise-add1", "ELEMENT_WISE_ADD1"),
    ("slice1", "SLICE1"),
    ("cast", "CAST"),
    ("one-hot", "ONE_HOT"),
    ("gemm", "GEMM"),
    ("element-wise-clip", "ELEMENT_WISE_CLIP"),
    ("fold", "FOLD"),
];

/// Mistakes that the cases of smoke are too few to name.
const NAMED_AT_STANDARD: [&str; 9] = [
    "slice1-flushes-denormals",
    "element-wise-clip-no-max-below-zero",
    "reduce-max-starts-at-smallest-positive",
    "slice1-in-32-bits",
    "slice1-offset-in-steps",
    "slice1-strides-of-four-dimensions",
    "gather-int64-as-low-word",
    "cast-integers-through-float64",
    "reduce-products-in-float32",
];

/// What a run says of a mistake, on one line; empty if no case fails. With `DML_CTS_TIER=standard` each is run at
/// standard, else those alone that need it.
fn explained(mistake: &str) -> String {
    let always = env::var("DML_CTS_TIER").is_ok_and(|tier| tier == "standard");
    let needs_more = NAMED_AT_STANDARD.contains(&mistake) || mistake == LARGE;
    explained_at(mistake, if always || needs_more { "standard" } else { "smoke" })
}

/// What a run at a tier says of a mistake.
fn explained_at(mistake: &str, tier: &str) -> String {
    let query = QUERIES.into_iter().find(|(prefix, _)| mistake.starts_with(prefix));
    let (_, query) = query.unwrap();
    let program = python_program(&format!("conformance/tests/wrong_backends/wrong.py {mistake}"));
    let ran = dml_cts(&["run", "--tier", tier, "--backend", &program, query]);
    assert!(matches!(ran.code, Some(0 | 1)), "{mistake}: {}{}", ran.out, ran.err);
    let found = ran.out.split_once("Mistakes that give the wrong outputs");
    let (_, found) = found.unwrap_or_default();
    found.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the report says of each mistake that it names.
const NAMED: [(&str, &[&str]); 43] = [
    (
        "gather-indices-from-one",
        &["elements of `IndicesTensor` are taken one too small"],
    ),
    (
        "slice1-flushes-denormals",
        &["denormals of `InputTensor` are read as zeros of their sign"],
    ),
    (
        "slice1-output-as-packed",
        &["the strides of `OutputTensor` are ignored"],
    ),
    (
        "slice1-last-element-unwritten",
        &["the last element of every output is not written"],
    ),
    (
        "gather-negative-by-last-size",
        &[
            "`InputTensor.Sizes[Axis]` is taken for the size of the last dimension",
            // By its outputs: no clause names mistakes of this kind.
            "breaks GATHER/negative-from-end",
        ],
    ),
    (
        "top-k1-decreasing-by-reversal",
        &[
            "the last one comes first (spec/operators/top_k1.yaml:25:5)",
            "only if AxisDirection is DECREASING",
            "Failures by clause TOP_K1/ties-ascend",
        ],
    ),
    (
        "top-k1-integers-as-float32",
        &["`InputTensor[r with [Axis] = j]` is compared as FLOAT32"],
    ),
    ("top-k1-index-in-block", &["mistake results are written modulo 256"]),
    (
        "top-k1-odd-k",
        &["elements of the outputs along `Axis` after the last whole block of 2 are not written"],
    ),
    (
        "reduce-average-by-first-axis",
        &["in `product(set)` only the first of `Axes` counts"],
    ),
    (
        "reduce-max-starts-at-smallest-positive",
        &["`max(r in set: InputTensor[o + r]) else 0` starts at the smallest positive number"],
    ),
    (
        "reduce-half-accumulator",
        &["FLOAT16 sums are added up in FLOAT16, one term after the other, everywhere"],
    ),
    (
        "reduce-index-along-last-axis",
        &["is the index along the greatest of `Axes`, everywhere"],
    ),
    (
        "cumulative-summation-exclusive-shifts-up",
        &["is computed with `+`", "only if AxisDirection is DECREASING"],
    ),
    (
        "cumulative-summation-in-place-exclusive",
        &["if an output lies in the memory of an input, elements are read after they were written over"],
    ),
    ("cumulative-summation-in-32-bits", &["of 64 bits is added up in 32"]),
    (
        "cumulative-summation-never-reset",
        &[
            "the sequences along `Axis` are taken for one, from the first to the last only if AxisDirection is INCREASING",
            "the sequences along `Axis` are taken for one, from the last to the first only if AxisDirection is DECREASING",
        ],
    ),
    (
        "gather-negative-to-zero",
        &["`i + InputTensor.Sizes[Axis]` is taken for 0"],
    ),
    (
        "gather-index-dimensions-reversed",
        &["`IndicesTensor` is read in a row, column after column"],
    ),
    (
        "gather-indices-as-packed",
        &["the strides of `IndicesTensor` are ignored"],
    ),
    (
        "gather-copies-low-word",
        &["elements of `InputTensor` of 64 bits lose their high word"],
    ),
    (
        "element-wise-add1-activates-operand",
        &["`FusedActivation` is applied to `BTensor[o]` alone"],
    ),
    (
        "element-wise-add1-broadcast-by-modulo",
        &["elements of `BTensor` that a stride of 0 repeats are read in a row and from the start again"],
    ),
    (
        "element-wise-add1-four-at-a-time",
        &["elements of the outputs after the last whole block of 4 are not written"],
    ),
    (
        "element-wise-add1-leaky-relu-default",
        &[
            "the numbers of `FusedActivation` are taken for 0.01",
            "only if FusedActivation is ACTIVATION_LEAKY_RELU",
        ],
    ),
    (
        "slice1-in-32-bits",
        &["of elements of `InputTensor` of 64 bits the low word alone is read, with its sign"],
    ),
    (
        "slice1-backwards-by-reversal",
        &["`InputWindowStrides` is taken by its magnitude, and what that gives is turned round"],
    ),
    (
        "slice1-offset-in-steps",
        &[
            "is multiplied by the magnitude of `InputWindowStrides[d]` as well; outside a tensor the nearest element is read",
        ],
    ),
    (
        "slice1-backwards-from-tensor-end",
        &["`InputWindowSizes[d]` is taken for all that `InputTensor` has from `InputWindowOffsets` on"],
    ),
    (
        "slice1-strides-of-four-dimensions",
        &["elements of `InputWindowStrides` before the last four are taken for 1"],
    ),
    (
        "cast-rounds-to-nearest",
        &["`InputTensor[o]` is rounded to the nearest"],
    ),
    ("one-hot-values-swapped", &["the branches of", "are exchanged"]),
    ("one-hot-negative-ignored", &["`i < 0` is taken never to hold"]),
    (
        "one-hot-wraps-past-end",
        &["is taken modulo `OutputTensor.Sizes[Axis]`"],
    ),
    (
        "one-hot-sequences-in-a-row",
        &["outputs are written in a row, as if `Axis` were the last dimension"],
    ),
    (
        "gemm-first-row-of-c",
        &["`CTensor` is read at 0 along its last but one dimension"],
    ),
    (
        "gemm-tiles-drop-tail",
        &["of `0..terms` what is left after the last whole block of 4 is left out"],
    ),
    (
        "element-wise-clip-bias-before-scale",
        &["`ScaleBias.Bias` is added before `ScaleBias.Scale` is multiplied"],
    ),
    ("fold-overwrites", &["the last term stands, instead of the sum of all"]),
    (
        "top-k1-bitonic-sort",
        &["TOP_K1: ties-in-any-order mistake of equal values any comes first"],
    ),
    (
        "reduce-tree-drops-tail",
        &["sums are added up by halves, and an odd last term is dropped each time, everywhere"],
    ),
    (
        "cumulative-summation-carry-of-one-block",
        &["CUMULATIVE_SUMMATION: carry-of-one-block mistake sequences are summed in blocks of 128"],
    ),
    (
        "cumulative-summation-without-barrier",
        &["CUMULATIVE_SUMMATION: passes-in-place mistake"],
    ),
];

/// Mistakes that the cases cannot tell from others, which are named as well.
const AMONG_OTHERS: [(&str, &str); 3] = [
    ("gather-int64-as-low-word", "is read as UINT32"),
    ("cast-int8-without-sign", "`InputTensor[o]` is taken as UINT8"),
    ("cast-integers-through-float64", "`InputTensor[o]` is taken as FLOAT64"),
];

/// Mistakes that no small change gives, and that were named falsely once.
const UNNAMED: [&str; 5] = [
    "element-wise-clip-no-max-below-zero",
    "top-k1-index-by-value",
    "top-k1-ties-in-a-ring",
    "reduce-products-in-float32",
    "gemm-square-b-as-it-is",
];

/// The mistake that is made in cases alone that are too large to be compared.
const LARGE: &str = "cumulative-summation-large-in-halves";

/// The mistake that no case at smoke shows.
const UNSEEN: &str = "cast-uint32-as-int32";

/// What the backends compute that make these mistakes, without any.
pub(crate) fn who_makes_no_mistake_is_conformant() {
    let program = python_program("conformance/tests/wrong_backends/wrong.py none");
    let operators = QUERIES
        .map(|(_, query)| query)
        .into_iter()
        .filter(|query| !query.contains(':'));
    let ran = dml_cts(
        &[
            &["run", "--tier", "smoke", "--backend", &program][..],
            &Vec::from_iter(operators),
        ]
        .concat(),
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains(": conformant; "), "{}", ran.out);
    // Limits that are NaN, of whole numbers that are scaled.
    let limits = "ELEMENT_WISE_CLIP:3.0:sizes:type=INT16,sizes=3x2x255x2x1,bias=1x0.25,min=1.75,max=nan";
    let ran = dml_cts(&["run", "--backend", &program, limits]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

type Test = Box<dyn FnOnce() + Send>;

/// A test for each mistake, with its name.
pub(crate) fn mistakes() -> Vec<(&'static str, Test)> {
    let mut all: Vec<(&str, Test)> = Vec::new();
    for (mistake, parts) in NAMED {
        all.push((mistake, Box::new(move || is_named_with_its_condition(mistake, parts))));
    }
    for (mistake, part) in AMONG_OTHERS {
        all.push((mistake, Box::new(move || is_named_among_others(mistake, part))));
    }
    for mistake in UNNAMED {
        all.push((mistake, Box::new(move || has_no_name(mistake))));
    }
    all.push((UNSEEN, Box::new(|| assert_eq!(explained_at(UNSEEN, "smoke"), ""))));
    all.push((LARGE, Box::new(says_that_cases_are_too_large)));
    assert_eq!(all.len(), 53);
    all
}

/// The clauses that are blamed for most failures, where several speak of them.
const BLAMED: [(&str, &str); 10] = [
    ("reduce-average-by-first-axis", "REDUCE/average"),
    ("reduce-half-accumulator", "REDUCE/function-applied"),
    (
        "cumulative-summation-exclusive-shifts-up",
        "CUMULATIVE_SUMMATION/direction",
    ),
    (
        "cumulative-summation-in-place-exclusive",
        "CUMULATIVE_SUMMATION/exclusive",
    ),
    ("cumulative-summation-never-reset", "CUMULATIVE_SUMMATION/tally"),
    ("element-wise-add1-activates-operand", "ELEMENT_WISE_ADD1/activates"),
    ("element-wise-add1-broadcast-by-modulo", "ELEMENT_WISE_ADD1/adds"),
    ("cast-rounds-to-nearest", "CAST/truncates"),
    ("gemm-first-row-of-c", "GEMM/multiplies"),
    ("gemm-tiles-drop-tail", "GEMM/multiplies"),
];

fn is_named_with_its_condition(mistake: &str, parts: &[&str]) {
    let found = explained(mistake);
    let blamed = BLAMED.iter().find(|(name, _)| *name == mistake);
    if let Some((_, clause)) = blamed {
        let first = format!("Failures by clause {clause} ");
        assert!(found.contains(&first), "{mistake}: {found}");
    }
    let (name, _) = found.split_once(" or ").unwrap_or((&found, ""));
    // Where a mistake needs several statements, each is named.
    let text = if parts.len() > 1 { &found } else { name };
    for part in parts {
        assert!(text.contains(part), "{mistake}: {found}");
    }
    assert!(!found.contains("no small change"), "{mistake}: {found}");
}

/// Cases cannot tell such mistakes apart: all are named.
fn is_named_among_others(mistake: &str, part: &str) {
    let found = explained(mistake);
    let (_, others) = found.split_once(" or ").unwrap_or_default();
    assert!(others.contains(part), "{mistake}: {found}");
}

fn says_that_cases_are_too_large() {
    let found = explained(LARGE);
    let (_, found) = found.split_once("CUMULATIVE_SUMMATION: ").unwrap_or_default();
    let (count, said) = found.split_once(' ').unwrap_or_default();
    let count: u32 = count.parse().unwrap_or_else(|_| panic!("{found}"));
    assert!(count > 5, "{found}");
    let expected = "failing cases, each of more than 4,096 elements: too many to compare them with mistakes";
    assert!(said.starts_with(expected), "{found}");
    // Shards put together count the same.
    let folder = temporary("large shards");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let (one, two, whole) = (path("1.jsonl"), path("2.jsonl"), path("whole.jsonl"));
    let program = python_program(&format!("conformance/tests/wrong_backends/wrong.py {LARGE}"));
    for (shard, report) in [("1/2", &one), ("2/2", &two)] {
        let of_shard = [
            "run",
            "--backend",
            &program,
            "--shard",
            shard,
            "--report",
            report,
            "CUMULATIVE_SUMMATION",
        ];
        assert_eq!(dml_cts(&of_shard).code, Some(1));
    }
    assert_eq!(dml_cts(&["report", "merge", &one, &two, "--out", &whole]).code, Some(1));
    let text = fs::read_to_string(&whole).unwrap();
    assert!(text.contains(&format!("\"large\":{count}")), "{count}");
    // They blame the same clause: cases of every direction and kind of sum fail.
    let footer = text.lines().last().unwrap_or_default();
    let blamed = "\"groups\":[{\"clause\":\"CUMULATIVE_SUMMATION/tally\"";
    assert!(footer.contains(blamed), "{footer}");
    assert!(footer.contains("\"dismissed\":["), "{footer}");
}

fn has_no_name(mistake: &str) {
    let found = explained(mistake);
    assert!(found.contains("no small change"), "{mistake}: {found}");
    assert!(!found.contains(" mistake "), "{mistake}: {found}");
}
