//! The C header: tables as constant arrays, rules as text.

use std::fmt::Write as _;

use dml_spec::model::{Catalog, Clause, SupportRow};

use super::{VERSION, chosen};
use crate::clause::{applies_word, kind_word, status_word};

/// Declarations in front of the arrays.
const TYPES: &str = r"#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define DML_CTS_UNUSED __attribute__((unused))
#else
#define DML_CTS_UNUSED
#endif

/* A row of a support table. It is valid from its level on, up to the next level that has rows of its operator. */
typedef struct dml_cts_support {
    const char *operator_name;    /* as behind DML_OPERATOR_ */
    uint32_t operator_type;       /* DML_OPERATOR_TYPE */
    uint32_t feature_level;       /* DML_FEATURE_LEVEL */
    const char *when;             /* rule: the descriptors it is for; NULL for all */
    const char *tensor;           /* member of the structure */
    uint32_t data_types;          /* bit n: the member n of DML_TENSOR_DATA_TYPE */
    uint32_t min_dimension_count;
    uint32_t max_dimension_count;
} dml_cts_support;

/* A statement of the reference. Rules are in the language of spec/README.md of dml-cts. */
typedef struct dml_cts_clause {
    const char *id;
    const char *kind;             /* constraint, guarantee, silence */
    const char *status;           /* normative, by-example, disputed, observed, open */
    const char *applies;          /* clauses of all tensors: required, any, input, output; else NULL */
    const char *rule;             /* constraints: what holds; silences: where they apply; NULL where there is none */
    const char *runtime_rule;     /* what runtimes follow instead; NULL where they follow the text */
    const char *says;
} dml_cts_clause;
";

/// All operators, or one. `digest` is that of the files.
pub fn header(catalog: &Catalog, only: Option<&str>, digest: &str) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* The DirectML operator reference as data, written by dml-cts spec export.\n   Specification {digest}. */\n\
         #ifndef DML_CTS_SPECIFICATION_H\n#define DML_CTS_SPECIFICATION_H\n\n\
         #define DML_CTS_SPECIFICATION_VERSION {VERSION}\n\n{TYPES}"
    );
    let _ = writeln!(
        out,
        "static const dml_cts_support dml_cts_support_rows[] DML_CTS_UNUSED = {{"
    );
    for operator in chosen(catalog, only) {
        for table in operator.support.iter() {
            for row in table.rows.iter() {
                let when = operator.groups.iter().find(|group| group.name == row.group);
                let _ = writeln!(
                    out,
                    "    {{{}, {}u, 0x{:04x}u, {}, {}, 0x{:08x}u, {}u, {}u}},",
                    string(&operator.name),
                    operator.type_value,
                    table.level.0,
                    maybe(when.map(|group| &*group.when)),
                    string(&row.tensor),
                    mask(catalog, row),
                    row.dimensions.0,
                    row.dimensions.1
                );
            }
        }
    }
    let _ = writeln!(
        out,
        "}};\n\nstatic const dml_cts_clause dml_cts_clauses[] DML_CTS_UNUSED = {{"
    );
    let own = chosen(catalog, only).flat_map(|operator| operator.clauses.iter());
    for clause in catalog.tensor_clauses.iter().chain(own).filter(|c| c.retired.is_none()) {
        let _ = writeln!(out, "    {},", entry(clause));
    }
    out + "};\n\n#endif\n"
}

fn entry(clause: &Clause) -> String {
    let observed = clause.observed.iter().find_map(|seen| seen.rule.as_deref());
    let applies = Some(applies_word(clause.applies)).filter(|word| !word.is_empty());
    let parts = [
        string(&clause.id),
        string(kind_word(clause.kind)),
        string(status_word(clause.status)),
        maybe(applies),
        maybe(clause.rule.as_deref()),
        maybe(observed),
        string(&clause.says),
    ];
    format!("{{{}}}", parts.join(", "))
}

/// Bit n for the data type of value n.
fn mask(catalog: &Catalog, row: &SupportRow) -> u32 {
    let types = row.types.iter().filter_map(|name| catalog.data_type_named(name));
    types.fold(0, |mask, t| mask | 1_u32.checked_shl(t.value).unwrap_or(0))
}

fn maybe(text: Option<&str>) -> String {
    text.map_or("0".to_owned(), string)
}

/// A string literal. C99 promises no more than 4,095 characters, so that it is not joined from parts.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // No trigraphs.
            '?' => out.push_str("\\?"),
            c if c.is_ascii() && !c.is_control() => out.push(c),
            // Octal escapes end after three digits, whatever follows.
            c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| {
                let _ = write!(out, "\\{b:03o}");
            }),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string("a\"\\b?\né1"), "\"a\\\"\\\\b\\?\\n\\303\\2511\"");
    }

    #[test]
    fn rows_have_masks_and_conditions() {
        let catalog = crate::spec::catalog();
        let text = header(catalog, Some("TOP_K1"), "0");
        let row = "{\"TOP_K1\", 112u, 0x2100u, 0, \"OutputIndexTensor\", 0x00000008u, 4u, 4u},";
        assert!(text.contains(row), "{text}");
        assert!(!text.contains("\"GATHER\""));
        assert!(header(catalog, Some("REDUCE"), "0").contains("\"Function in {ARGMAX, ARGMIN}\""));
    }
}
