//! Declarations in C: of the syntax block, and of `Type:` lines.

use dml_spec_yaml::ledger;

use super::literal;

/// A declaration, without what it declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Declaration {
    /// Its type without `const` and `*`, such as `DML_TENSOR_DESC`.
    pub(super) base: String,
    /// Whether it is a pointer.
    pub(super) pointer: bool,
    /// Whether an annotation allows null.
    pub(super) optional: bool,
    /// The field that counts its elements.
    pub(super) count: Option<String>,
}

/// A field of the syntax block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) declaration: Declaration,
    /// Its place in the code, in bytes.
    pub(super) at: usize,
}

/// Whether code is the declaration of a descriptor.
pub(super) fn is_structure(code: &str) -> bool {
    let code = code.trim_start();
    let code = code.strip_prefix("typedef").map_or(code, str::trim_start);
    code.strip_prefix("struct")
        .is_some_and(|rest| rest.trim_start().starts_with("DML_"))
}

/// The fields of a structure in order.
pub(super) fn read_structure(code: &str) -> Vec<Declared> {
    let (code, _) = literal::remove_comments(code);
    let Some(open) = code.find('{') else {
        return Vec::new();
    };
    let body = code.get(open + 1..).unwrap_or_default();
    let body = body.split('}').next().unwrap_or_default();
    let mut found = Vec::new();
    let mut at = open + 1;
    for part in body.split_inclusive(';') {
        let start = at + part.len() - part.trim_start().len();
        at += part.len();
        let Some(statement) = part.strip_suffix(';') else {
            break;
        };
        let mut declared = statement.to_owned();
        let name = take_name(&mut declared);
        if let (Some(name), Some(declaration)) = (name, read_declaration(&declared)) {
            found.push(Declared {
                name,
                declaration,
                at: start,
            });
        }
    }
    found
}

/// Cuts the name off the end of a declaration.
fn take_name(declaration: &mut String) -> Option<String> {
    let trimmed = declaration.trim_end().len();
    declaration.truncate(trimmed);
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = declaration.trim_end_matches(name).len();
    let name = declaration.split_off(start);
    ledger::is_identifier(&name).then_some(name)
}

/// Reads a type with its annotations, as plain text: markup may have removed leading underscores and stars.
pub(super) fn read_declaration(text: &str) -> Option<Declaration> {
    let mut found = Declaration {
        pointer: text.contains('*'),
        ..Declaration::default()
    };
    let mut words = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|w| !w.is_empty());
    while let Some(word) = words.next() {
        let lower = word.trim_matches('_').to_ascii_lowercase();
        // Markup may have removed the star; only pointers are constant.
        found.pointer |= lower == "const";
        if lower == "maybenull" || lower.ends_with("_opt") {
            found.optional = true;
        }
        if lower.starts_with("field_size") || lower.starts_with("in_reads") {
            found.count = words.next().map(str::to_owned);
        } else if !matches!(
            lower.as_str(),
            "maybenull" | "const" | "struct" | "in" | "opt" | "in_opt"
        ) {
            found.base = word.to_owned();
            break;
        }
    }
    (!found.base.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_structure_keep_their_order() {
        let code = "struct DML_A_OPERATOR_DESC\n{\n  _Maybenull_ const DML_TENSOR_DESC *A; // an input;\n  UINT K;\n  \
            _Field_size_opt_(K) const UINT* B;\n  UINT ;\n}; UINT C;";
        assert!(is_structure(code) && !is_structure("structured DML_"));
        let found = read_structure(code);
        let seen: Vec<_> = found.iter().map(|f| (f.name.as_str(), &f.declaration)).collect();
        let tensor = Declaration {
            base: "DML_TENSOR_DESC".to_owned(),
            pointer: true,
            optional: true,
            count: None,
        };
        let list = Declaration {
            base: "UINT".to_owned(),
            count: Some("K".to_owned()),
            ..tensor.clone()
        };
        let count = Declaration {
            base: "UINT".to_owned(),
            ..Declaration::default()
        };
        assert_eq!(seen, [("A", &tensor), ("K", &count), ("B", &list)]);
        assert_eq!(read_structure("struct DML_A { UINT é; UINT éA; }").len(), 1);
        assert!(code.get(found[2].at..).unwrap().starts_with("_Field_size_opt_"));
    }

    #[test]
    fn types_survive_markup() {
        for text in [
            "_Field_size_(N) const UINT*",
            "Field_size_(N) const UINT",
            "_Field_size_full_(N) UINT",
        ] {
            let found = read_declaration(text).unwrap();
            assert_eq!(
                (found.base.as_str(), found.count.as_deref()),
                ("UINT", Some("N")),
                "{text}"
            );
        }
        assert!(read_declaration("Maybenull_ const DML_TENSOR_DESC*").unwrap().optional);
        assert_eq!(read_declaration(" * "), None);
    }
}
