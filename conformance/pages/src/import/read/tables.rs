//! Support tables.

use dml_spec::{
    Catalog, FeatureLevel,
    model::{Enum, EnumMember},
};

use super::{
    blocks::{Block, Blocks, What},
    source::Text,
    words,
};
use crate::import::page::{Row, RowKind, Spot, Table};

const LEVEL: &str = "DML_FEATURE_LEVEL_";

/// Every support table of the page.
pub(super) fn read_tables(text: &Text<'_>, blocks: &Blocks, catalog: &Catalog) -> Vec<Spot<Table>> {
    let functions = Functions::new(catalog);
    let tables = blocks.blocks.iter().filter_map(|block| {
        let What::Table(rows) = &block.what else {
            return None;
        };
        let (header, rows) = rows.split_first()?;
        if !is_support(blocks, block, &header.1) {
            return None;
        }
        let sections = || blocks.ancestors(block.section);
        let rows = rows.iter().filter_map(|(at, cells)| read_row(text, *at, cells));
        Some(Spot {
            value: Table {
                level: sections().find_map(|s| read_level(&s.title)),
                functions: functions.of(sections().map(|s| s.title.as_str())),
                rows: rows.collect(),
            },
            at: text.at(blocks.anchor(block), header.0),
        })
    });
    tables.collect()
}

/// A table of the support section; other sections may hold one if its columns match.
fn is_support(blocks: &Blocks, block: &Block, header: &[String]) -> bool {
    let columns = header.len();
    let named = header.first().is_some_and(|cell| cell == "Tensor") && header.get(1).is_some_and(|cell| cell == "Kind");
    let inside = blocks
        .ancestors(block.section)
        .any(|s| s.anchor.starts_with("tensor-support"));
    (4..=5).contains(&columns) && (inside || named)
}

/// The first level that a text names.
pub(super) fn read_level(text: &str) -> Option<FeatureLevel> {
    let rest = text.split_once(LEVEL)?.1;
    let end = rest
        .find(|c: char| !(c.is_ascii_digit() || c == '_'))
        .unwrap_or(rest.len());
    rest.get(..end)?.trim_end_matches('_').parse().ok()
}

fn read_row(text: &Text<'_>, at: usize, cells: &[String]) -> Option<Row> {
    let cell = |index: usize| cells.get(index).map_or("", String::as_str);
    let columns = cells.len();
    let (shape, counts, types) = match columns {
        5.. => (read_shape(cell(2)), cell(3), cell(4)),
        _ => (None, cell(2), cell(3)),
    };
    let tensor = cell(0).to_owned();
    (!tensor.is_empty()).then(|| Row {
        tensor,
        kind: kind(cell(1)),
        dimensions: read_counts(counts),
        types: read_types(types),
        shape,
        line: text.at("", at).line,
    })
}

fn kind(cell: &str) -> Option<RowKind> {
    Some(RowKind {
        output: words::is_output(cell)?,
        array: words::is_array(cell),
        optional: words::says_optional(cell),
    })
}

/// `4`, `1 to 8`, `1至8`: one number or two, with any words around them.
fn read_counts(cell: &str) -> Option<(u32, u32)> {
    let numbers = cell.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
    let numbers: Vec<u32> = numbers.map(|n| n.parse().ok()).collect::<Option<_>>()?;
    match numbers.as_slice() {
        [one] => Some((*one, *one)),
        [least, most] => Some((*least, *most)),
        _ => None,
    }
}

/// Names of types, between any separators of the language.
fn read_types(cell: &str) -> Vec<String> {
    let words = cell.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// `{ [BatchCount], M, K }` or `{ InputDimensions[] }`, with single blanks.
fn read_shape(cell: &str) -> Option<String> {
    let inner = cell.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
    if let Some(name) = inner.strip_suffix("[]") {
        return is_name(name).then(|| format!("{{ {name}[] }}"));
    }
    let parts = inner.split([',', '、']).map(|part| {
        let part = part.trim();
        let may_drop = part.strip_prefix('[').and_then(|p| p.strip_suffix(']'));
        let name = may_drop.unwrap_or(part).trim();
        let shown = may_drop.map_or_else(|| name.to_owned(), |_| format!("[{name}]"));
        is_name(name).then_some(shown)
    });
    let parts: Vec<String> = parts.collect::<Option<_>>()?;
    Some(format!("{{ {} }}", parts.join(", ")))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Members of enumerations, which distinguish tables.
struct Functions<'a> {
    enums: Vec<(&'a Enum, String)>,
}

impl<'a> Functions<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        // Functions name kinds of tables; types of operators and tensors do not.
        let enums = catalog
            .enums
            .iter()
            .filter(|e| !e.flags && e.name.ends_with("_FUNCTION"));
        Self {
            enums: enums.map(|e| (e, e.prefix())).collect(),
        }
    }

    /// Functions in the headings around a table, in alphabetical order.
    fn of<'t>(&self, titles: impl Iterator<Item = &'t str>) -> Vec<String> {
        let words = titles
            .filter(|title| !title.contains(LEVEL))
            .flat_map(|title| title.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')));
        let mut found: Vec<String> = words.filter(|word| self.known(word)).map(str::to_owned).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn known(&self, word: &str) -> bool {
        let is = |member: &EnumMember, prefix: &str| member.name.strip_prefix(prefix) == Some(word);
        self.enums
            .iter()
            .any(|(e, prefix)| e.members.iter().any(|m| is(m, prefix)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_every_language_are_read() {
        for (cell, expected) in [
            ("4", Some((4, 4))),
            ("1 to 8", Some((1, 8))),
            ("1至8", Some((1, 8))),
            ("De 1 a 8", Some((1, 8))),
            ("1 から 8", Some((1, 8))),
            ("", None),
            ("any", None),
            ("1, 2, 3", None),
            ("99999999999", None),
        ] {
            assert_eq!(read_counts(cell), expected, "{cell}");
        }
        assert_eq!(read_types("FLOAT32、FLOAT16, INT4"), ["FLOAT32", "FLOAT16", "INT4"]);
        for (cell, output, array, optional) in [
            ("Input", false, false, false),
            ("Optional output", true, false, true),
            ("Array of inputs", false, true, false),
            ("Entrada", false, false, false),
            ("Resultados", true, false, false),
            ("輸出", true, false, false),
            ("インプット", false, false, false),
        ] {
            let expected = RowKind {
                output,
                array,
                optional,
            };
            assert_eq!(kind(cell), Some(expected), "{cell}");
        }
        assert_eq!(kind("Sorcery"), None);
    }

    #[test]
    fn the_dimensions_column_has_a_grammar() {
        for (cell, shown) in [
            ("{ [BatchCount], M, 1 }", "{ [BatchCount], M, 1 }"),
            ("{[ N ]、C}", "{ [N], C }"),
            ("{InputDimensions[] }", "{ InputDimensions[] }"),
        ] {
            assert_eq!(read_shape(cell).as_deref(), Some(shown), "{cell}");
        }
        for bad in ["", "M, N", "{ }", "{ M, , N }", "{ M + 1 }", "{ [] }"] {
            assert_eq!(read_shape(bad), None, "{bad}");
        }
    }
}
