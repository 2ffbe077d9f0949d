//! How DirectML's names become Rust's: one rule each, so that a reader can go from one to the other without a table.

use dml_spec::model::DATA_TYPE;
use proc_macro2::{Ident, Span};

/// `TOP_K1` → `TopK1`.
pub(crate) fn camel(name: &str) -> Ident {
    let mut out = String::new();
    for part in name.split('_') {
        let mut letters = part.chars();
        out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        out.extend(letters.map(|c| c.to_ascii_lowercase()));
    }
    ident(&out)
}

/// `InputTensor` → `input_tensor`, `K` → `k`, `ARowsTensor` → `a_rows_tensor`, `TOP_K1` → `top_k1`.
pub(crate) fn snake(name: &str) -> Ident {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (i, &c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|b| letters.get(b)).copied().unwrap_or('_');
        let lower_next = letters.get(i + 1).is_some_and(char::is_ascii_lowercase);
        let starts = before.is_ascii_lowercase() || (before != '_' && lower_next);
        if c.is_ascii_uppercase() && starts {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    ident(&out)
}

/// Name of the function that holds a clause's rule: `TOP_K1/axis-in-range` → `axis_in_range`. Names that an
/// operator's type already has get an underscore.
pub(crate) fn clause(id: &str) -> Ident {
    const TAKEN: [&str; 6] = ["check", "clone", "eq", "from_descriptor", "to_descriptor", "validate"];
    let local = id
        .rsplit('/')
        .next()
        .unwrap_or(id)
        .replace('-', "_")
        .to_ascii_lowercase();
    if TAKEN.contains(&local.as_str()) {
        ident(&format!("{local}_"))
    } else {
        ident(&local)
    }
}

/// Rust type of an enumeration: `DML_AXIS_DIRECTION` → `AxisDirection`.
pub(crate) fn enumeration(name: &str) -> Ident {
    if name == DATA_TYPE {
        ident("DataType")
    } else {
        camel(name.strip_prefix("DML_").unwrap_or(name))
    }
}

/// Constant of an enumeration: `DML_AXIS_DIRECTION_INCREASING` → `INCREASING`.
pub(crate) fn member(prefix: &str, name: &str) -> Ident {
    ident(name.strip_prefix(prefix).unwrap_or(name))
}

/// C structure of an operator.
pub(crate) fn c_struct(operator: &str) -> Ident {
    ident(&format!("DML_{operator}_OPERATOR_DESC"))
}

/// An identifier as close to `text` as Rust allows.
pub(crate) fn ident(text: &str) -> Ident {
    let mut name: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if name.bytes().all(|b| b == b'_') {
        name.push_str("unnamed");
    }
    match syn::parse_str::<Ident>(&name) {
        Ok(ident) => ident,
        Err(_) => Ident::new(&format!("{name}_"), Span::call_site()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_one_rule() {
        assert_eq!(camel("ELEMENT_WISE_ADD1"), "ElementWiseAdd1");
        for (from, to) in [
            ("InputTensor", "input_tensor"),
            ("K", "k"),
            ("ATensor", "a_tensor"),
            ("AxisDirection", "axis_direction"),
            ("Size2D", "size2d"),
            ("RNNType", "rnn_type"),
            ("TOP_K1", "top_k1"),
            ("Type", "type_"),
            ("", "_unnamed"),
            ("1x", "_1x"),
            ("größe", "gr__e"),
        ] {
            assert_eq!(snake(from), to, "{from}");
        }
        assert_eq!(clause("TOP_K1/axis-in-range"), "axis_in_range");
        assert_eq!(clause("TOP_K1/validate"), "validate_");
        assert_eq!(enumeration("DML_AXIS_DIRECTION"), "AxisDirection");
        assert_eq!(
            member("DML_AXIS_DIRECTION_", "DML_AXIS_DIRECTION_INCREASING"),
            "INCREASING"
        );
    }
}
