//! One operator at a glance: its descriptor, tables, families of cases and clauses.

use dml_spec::{
    FeatureLevel,
    model::{Clause, Compare, Comparison, Family, Field, Operator, Status, SupportTable},
};

use crate::{Style, Terminal};
use dml_case::{
    case::FamilyCounts,
    clause::{kind_word, status_word},
    formula::formulas,
    text::WIDTH,
};

/// Width of the columns of a level and of a family's name.
const COLUMN: usize = 9;
const NAME: usize = 18;
/// Maximum number of levels side by side, so that a line fits.
const ACROSS: usize = (WIDTH - NAME) / COLUMN;

/// Prints an operator; `counts` are those of `tier`, and `is_computed` says whether what it computes is tested.
pub fn show_operator(
    terminal: &mut Terminal,
    operator: &Operator,
    is_computed: bool,
    tier: &str,
    counts: &FamilyCounts,
) {
    terminal.line(terminal.paint(Style::Strong, &operator.name));
    terminal.labelled("  ", &operator.says);
    let levels: Vec<String> = operator.support.iter().map(|t| t.level.to_string()).collect();
    terminal.line(format!(
        "  type {}, since level {}; tables at {}",
        operator.type_value,
        operator.introduced,
        levels.join(", ")
    ));
    if !is_computed {
        terminal.labelled("  ", "Descriptors only: what it computes is not tested yet.");
    }
    terminal.heading("fields");
    for field in operator.fields.iter() {
        terminal.labelled(&format!("  {:<20} {:<24} ", field.name, kind(field)), &field.says);
    }
    if is_computed {
        terminal.heading("meaning");
        for (head, lines) in formulas(operator) {
            terminal.labelled("  ", &format!("{head} ="));
            lines.iter().for_each(|line| terminal.labelled("    ", line));
        }
    }
    if !operator.mistakes.is_empty() {
        terminal.heading("mistakes with a name");
        for mistake in operator.mistakes.iter() {
            terminal.labelled(&format!("  {:<34} ", mistake.name), &mistake.says);
        }
    }
    terminal.heading("support");
    operator.support.iter().for_each(|table| support(terminal, table));
    terminal.heading(format!("families (cases of tier {tier} by level)"));
    families(terminal, operator, counts);
    terminal.heading("clauses");
    for clause in operator.clauses.iter().filter(|clause| clause.retired.is_none()) {
        let label = format!("  {:<34} {:<10} ", clause.id, kind_word(clause.kind));
        terminal.labelled(&label, &format!("{}{}", clause.says, doubt(clause)));
    }
    terminal.line("");
    terminal.line(format!("  one in full: dml-cts show {}/CLAUSE", operator.name));
    terminal.line(format!("  run them:    dml-cts run {}", operator.name));
}

/// What a field holds.
fn kind(field: &Field) -> String {
    let compare = match &field.compare {
        None => String::new(),
        Some(Comparison { types, other, .. }) => {
            let own = types
                .iter()
                .map(|(name, compare)| format!(", {name} {}", comparison(compare)));
            own.collect::<String>() + ", " + &comparison(other)
        }
    };
    let optional = if field.optional { ", optional" } else { "" };
    format!("{}{compare}{optional}", field.kind.word())
}

fn comparison(compare: &Compare) -> String {
    match compare {
        Compare::Exact => "exact".to_owned(),
        Compare::Ulp(n) => format!("ulp({n})"),
        Compare::Abs(x) => format!("abs({x})"),
        Compare::Bound => "bound".to_owned(),
    }
}

fn support(terminal: &mut Terminal, table: &SupportTable) {
    for tensor in table.rows.iter() {
        let (low, high) = tensor.dimensions;
        let dimensions = if low == high {
            low.to_string()
        } else {
            format!("{low}..{high}")
        };
        let name = format!("{} {}", tensor.group, tensor.tensor);
        let label = format!(
            "  {:<5} {:<20} {dimensions:>4}-D  ",
            table.level.to_string(),
            name.trim_start()
        );
        terminal.labelled(&label, &tensor.types.join(" "));
    }
}

fn families(terminal: &mut Terminal, operator: &Operator, counts: &FamilyCounts) {
    let levels: Vec<FeatureLevel> = operator.support.iter().map(|t| t.level).collect();
    for block in levels.chunks(ACROSS) {
        let head: String = block
            .iter()
            .map(|level| format!("{:>COLUMN$}", level.to_string()))
            .collect();
        terminal.line(format!("{:NAME$}{head}", ""));
        for family in Family::ALL {
            let count = |level: &FeatureLevel| counts.get(&(family, *level)).copied().unwrap_or(0);
            let cells: String = block.iter().map(|level| format!("{:>COLUMN$}", count(level))).collect();
            terminal.line(format!("  {:<width$}{cells}", family.name(), width = NAME - 2));
        }
    }
    if operator.cases.keys.is_empty() {
        terminal.line("  none: only the descriptor is described");
    }
}

/// The status of a clause, if it does not simply rest on the text or leaves everything open.
fn doubt(clause: &Clause) -> String {
    match clause.status {
        Status::Normative | Status::Open => String::new(),
        status => format!(" [{}]", status_word(status)),
    }
}
