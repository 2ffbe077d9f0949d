//! Names that the keys `layout` and `values` of a sweep take. The plan gives each its meaning; the names stand here,
//! so that a mistyped one is found where the specification is read.

/// How tensors lie in their buffers; the first is the one that case ids leave out, the last leaves open what the outputs
/// hold.
pub const LAYOUTS: [&str; 17] = [
    "packed",
    "explicit",
    "padded",
    "padded-input",
    "padded-output",
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
    "overlapping-output",
];

/// Layouts that `all` stands for: every one but the first and the last.
pub fn all_layouts() -> &'static [&'static str] {
    &LAYOUTS[1..LAYOUTS.len() - 1]
}

/// What stands in the inputs; the first is the one that case ids leave out.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readme_lists_every_name() {
        let readme = include_str!("../README.md");
        let row = |key: &str| readme.lines().find(|line| line.starts_with(&format!("| `{key}` | `")));
        for (key, names) in [("layout", &LAYOUTS[..]), ("values", &VALUES)] {
            let row = row(key).expect("a row");
            assert!(names.iter().all(|name| row.contains(&format!("`{name}`"))), "{key}");
        }
    }
}
