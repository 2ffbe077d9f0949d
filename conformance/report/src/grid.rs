//! Tensors as text: nested rows if they are small.

use dml_spec::model::DataType;

use dml_case::number::decode;

/// Maximum number of elements of a tensor that is printed.
pub const SMALL: u64 = 256;

/// Indentation of what does not fit the row's first line.
const CONTINUED: &str = "  ";

/// Maximum length of a line, as far as elements can be broken into lines.
const WIDTH: usize = 100;

/// Rows of the last dimension, continued on indented lines if they are long, with an empty line between planes; each
/// line starts with `indent`.
pub fn grid(ty: &DataType, sizes: &[u32], elements: &[u64], indent: &str) -> Vec<String> {
    let row_length = sizes.last().map_or(1, |n| *n as usize).max(1);
    let plane = sizes.iter().rev().nth(1).map_or(1, |n| *n as usize).max(1);
    let words: Vec<String> = elements.iter().map(|bits| decode(ty, *bits).to_string()).collect();
    let width = words.iter().map(String::len).max().unwrap_or(1);
    let mut lines = Vec::new();
    for (i, row) in words.chunks(row_length).enumerate() {
        if i > 0 && i % plane == 0 {
            lines.push(String::new());
        }
        let row: Vec<String> = row.iter().map(|word| format!("{word:>width$}")).collect();
        let fit = (WIDTH.saturating_sub(indent.len() + CONTINUED.len()) / (width + 1)).max(1);
        for (part, words) in row.chunks(fit).enumerate() {
            let further = if part == 0 { "" } else { CONTINUED };
            lines.push(format!("{indent}{further}{}", words.join(" ")));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use dml_spec::{FeatureLevel, model::NumberClass};

    use crate::grid::*;

    #[test]
    fn long_rows_are_broken() {
        let ty = DataType {
            name: Cow::Borrowed("FLOAT32"),
            value: 1,
            bits: 32,
            class: NumberClass::Float,
            introduced: FeatureLevel::new(1, 0),
        };
        let tiny = u64::from(1e-40f32.to_bits());
        let lines = grid(&ty, &[1, 200], &[tiny; 200], "    ");
        assert!(lines.iter().all(|l| l.len() <= WIDTH), "{lines:#?}");
        assert!(
            lines[1].starts_with("      ") && lines[0].contains("e-41"),
            "{lines:#?}"
        );
    }

    #[test]
    fn planes_stand_apart() {
        let ty = DataType {
            name: Cow::Borrowed("INT8"),
            value: 8,
            bits: 8,
            class: NumberClass::Signed,
            introduced: FeatureLevel::new(1, 0),
        };
        let lines = grid(&ty, &[2, 1, 2], &[1, 0xff, 10, 3], "  ");
        assert_eq!(lines, ["   1 -1", "", "  10  3"]);
    }
}
