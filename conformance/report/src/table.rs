//! The table of a run: families down, table levels across, one block for each operator.

use dml_spec::FeatureLevel;

use crate::{Collected, Style, Terminal, collect::Cell};

/// Columns of a block, so that a line fits 100 characters.
const ACROSS: usize = 6;
const FIRST: usize = 18;
const COLUMN: usize = 13;

/// Prints the table.
pub(super) fn table(terminal: &mut Terminal, collected: &Collected) {
    for (operator, families) in &collected.families {
        let Some(rows) = collected.table.get(operator) else {
            continue;
        };
        let mut levels: Vec<FeatureLevel> = rows
            .values()
            .flat_map(|row| row.keys())
            .filter_map(|level| level.parse().ok())
            .collect();
        levels.sort_unstable();
        levels.dedup();
        for block in levels.chunks(ACROSS) {
            let names: Vec<String> = block.iter().map(FeatureLevel::to_string).collect();
            let head: String = names.iter().map(|level| format!("{level:>COLUMN$}")).collect();
            let head = format!("{operator:<FIRST$}{head}");
            terminal.line(terminal.paint(Style::Strong, head));
            for family in families {
                let cells = names
                    .iter()
                    .map(|level| rows.get(family).and_then(|row| row.get(level)));
                let cells: String = cells.map(|cell| spell(terminal, cell)).collect();
                let cells = cells.trim_end();
                terminal.line(format!("  {family:<width$}{cells}", width = FIRST - 2));
            }
        }
    }
}

/// The number of cases; `passed/cases` and a mark if not all passed: `x` failures, `k` known ones, `?` unspecified,
/// `-` skipped.
fn spell(terminal: &Terminal, cell: Option<&Cell>) -> String {
    let Some(cell) = cell else {
        return format!("{:>COLUMN$}", "");
    };
    let (mark, style) = match cell {
        Cell { fail: 1.., .. } => ("x", Some(Style::Bad)),
        Cell { xfail: 1.., .. } => ("k", Some(Style::Note)),
        Cell { skip: 1.., .. } => ("-", Some(Style::Note)),
        Cell { unspecified: 1.., .. } => ("?", Some(Style::Dim)),
        _ => (" ", None),
    };
    let count = if cell.pass == cell.cases {
        cell.cases.to_string()
    } else {
        format!("{}/{}", cell.pass, cell.cases)
    };
    let text = format!("{:>width$} {mark}", count, width = COLUMN - 2);
    style.map_or(text.clone(), |style| terminal.paint(style, text))
}

/// The legend of the marks, if there are any.
pub(super) fn legend(collected: &Collected) -> Option<String> {
    let cells = || {
        collected
            .table
            .values()
            .flat_map(|rows| rows.values())
            .flat_map(|row| row.values())
    };
    let mut parts = Vec::new();
    if cells().any(|c| c.fail > 0) {
        parts.push("x failures");
    }
    if cells().any(|c| c.skip > 0) {
        parts.push("- skipped");
    }
    if cells().any(|c| c.xfail > 0) {
        parts.push("k known failures");
    }
    if cells().any(|c| c.unspecified > 0) {
        parts.push("? unspecified: only invariants were checked");
    }
    (!parts.is_empty()).then(|| format!("passed/cases if not all passed: {}", parts.join(", ")))
}
