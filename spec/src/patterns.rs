//! Names that the keys `layout` and `values` take. The plan gives each its meaning; the names stand here,
//! so that a mistyped one is found when the specification is read.

/// How tensors lie in their buffers. Case ids leave out the first; with the last, the outputs are unspecified.
pub const LAYOUTS: [&str; 21] = [
    "packed",
    "explicit",
    "padded",
    "padded-input",
    "padded-output",
    "pitched",
    "transposed",
    "transposed-input",
    "transposed-output",
    "broadcast-first",
    "broadcast-last",
    "broadcast-all",
    "overlapping",
    "interleaved",
    "singleton-strides",
    "slack",
    "slack-odd",
    "mixed-inputs",
    "broadcast-second",
    "mixed-outputs",
    "overlapping-output",
];

/// Values of inputs that are compared and ordered; case ids leave out the first if the operator names no other.
pub const VALUES: [&str; 19] = [
    "random",
    "constant",
    "runs",
    "two-values",
    "tie-at-k",
    "ascending",
    "descending",
    "organ-pipe",
    "shuffled",
    "limits",
    "infinities",
    "denormals",
    "sign-boundary",
    "near-equal",
    "zeros",
    "zeros-among",
    "nan-one",
    "nan-all",
    "nan-payloads",
];

/// Values of inputs of arithmetic.
pub const NUMBERS: [&str; 15] = [
    "small-integers",
    "unit",
    "positive",
    "wide",
    "cancelling",
    "powers",
    "nearly-ones",
    "below-zero",
    "long-products",
    "long-sums",
    "fractions",
    "nearly-whole",
    "integer-limits",
    "half-denormals",
    "exp-hard",
];

/// Values of inputs that hold indices; case ids leave out the first.
pub const INDICES: [&str; 8] = [
    "in-range",
    "in-order",
    "reversed",
    "repeated",
    "negative",
    "mixed-signs",
    "past-end",
    "far",
];

/// Value of the key `alias` if every tensor has memory of its own; case ids leave it out.
pub const NO_ALIAS: &str = "none";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_lists_every_name() {
        let readme = include_str!("../README.md");
        let row = |key: &str| readme.lines().find(|line| line.starts_with(&format!("| `{key}` | `")));
        for (key, names) in [
            ("layout", &LAYOUTS[..]),
            ("values", &VALUES),
            ("values", &NUMBERS),
            ("X.Data", &INDICES),
        ] {
            let row = row(key).expect("a row");
            assert!(names.iter().all(|name| row.contains(&format!("`{name}`"))), "{key}");
        }
    }
}
