//! The matrices: operator × level × type, clause × level, and what each backend follows.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use dml_spec::FeatureLevel;

use crate::render::html::{Text, listing};
use crate::{
    collect::Cell,
    render::{
        model::{Place, StoredRun},
        words::says,
    },
};
use dml_case::{suite::Suite, text::grouped};

/// Clauses that the matrix shows.
const CLAUSES: usize = 300;

/// Operator × level, and for each operator type × level.
pub(super) fn matrix(runs: &[StoredRun]) -> String {
    let operators: BTreeSet<&str> = runs
        .iter()
        .flat_map(|run| run.cells.keys().map(|p| p.operator.as_str()))
        .collect();
    let levels: BTreeSet<FeatureLevel> = runs.iter().flat_map(StoredRun::levels).collect();
    let mut text = String::new();
    let links = operators.iter().map(|operator| Some(format!("#op-{operator}")));
    let rows: Vec<(&str, Option<String>)> = operators.iter().copied().zip(links).collect();
    table(
        &mut text,
        "Operator",
        "Operators by level",
        runs,
        &levels,
        &rows,
        |cells, row, level| sum(cells, |place| place.operator == row && place.level == level),
        |row, level| vec![("op", row.to_owned()), ("level", level.to_string())],
    );
    for operator in operators {
        of_operator(&mut text, operator, runs);
    }
    text
}

type Cells = BTreeMap<Place, Cell>;

fn sum(cells: &Cells, counted: impl Fn(&Place) -> bool) -> Cell {
    cells
        .iter()
        .filter(|(place, _)| counted(place))
        .map(|(_, cell)| cell)
        .sum()
}

fn of_operator(text: &mut String, operator: &str, runs: &[StoredRun]) {
    let places = || {
        runs.iter()
            .flat_map(|run| run.cells.keys())
            .filter(|place| place.operator == operator)
    };
    let levels: BTreeSet<FeatureLevel> = places().map(|place| place.level).collect();
    let types: BTreeSet<&str> = places().map(|place| place.data_type.as_str()).collect();
    let verdicts = runs.iter().filter_map(|run| {
        let all = sum(&run.cells, |place| place.operator == operator);
        let sign = match all {
            Cell { cases: 0, .. } => return None,
            Cell { fail: fail @ 1.., .. } => format!("✗ {}", grouped(fail)),
            Cell { cases, skip, .. } if skip == cases => "–".to_owned(),
            _ => "✓".to_owned(),
        };
        Some(format!("{} {sign}", run.header.backend.label))
    });
    let verdicts: Vec<String> = verdicts.collect();
    let _ = writeln!(
        text,
        r#"<details class="op" id="op-{0}"><summary><b>{0}</b> <span class="verdicts">{1}</span></summary>"#,
        Text(operator),
        Text(&verdicts.join(" · "))
    );
    let rows: Vec<(&str, Option<String>)> = types.into_iter().map(|ty| (ty, None)).collect();
    table(
        text,
        "Type",
        &format!("{operator} by type and level"),
        runs,
        &levels,
        &rows,
        |cells, row, level| {
            sum(cells, |place| {
                place.operator == operator && place.data_type == row && place.level == level
            })
        },
        |row, level| {
            vec![
                ("op", operator.to_owned()),
                ("level", level.to_string()),
                ("type", row.to_owned()),
            ]
        },
    );
    let _ = writeln!(text, "</details>");
}

/// A table of rows × levels; several backends have a line each in every row.
#[expect(
    clippy::too_many_arguments,
    reason = "a table is what it is about, and how to fill it"
)]
fn table(
    text: &mut String,
    what: &str,
    title: &str,
    runs: &[StoredRun],
    levels: &BTreeSet<FeatureLevel>,
    rows: &[(&str, Option<String>)],
    count: impl Fn(&Cells, &str, FeatureLevel) -> Cell,
    query: impl Fn(&str, FeatureLevel) -> Vec<(&'static str, String)>,
) {
    head(text, what, title, runs.len() > 1, levels);
    for (row, link) in rows {
        let name = match link {
            Some(link) => format!(r#"<a href="{}">{}</a>"#, Text(link), Text(row)),
            None => Text(row).to_string(),
        };
        let lines = runs.iter().filter_map(|run| {
            let counted = levels.iter().map(|level| (*level, count(&run.cells, row, *level)));
            let counted: Vec<(FeatureLevel, Cell)> = counted.collect();
            let spelled = |(level, counted): &(FeatureLevel, Cell)| {
                let mut words = query(row, *level);
                words.push(("run", run.header.backend.label.clone()));
                let words: Vec<(&str, &str)> = words.iter().map(|(key, value)| (*key, value.as_str())).collect();
                cell(counted, &listing(&words))
            };
            // Backends without a case in the row are left out.
            let is_shown = counted.iter().any(|(_, cell)| cell.cases > 0);
            is_shown.then(|| (run, counted.iter().map(spelled).collect()))
        });
        row_group(text, &name, runs.len() > 1, &lines.collect::<Vec<_>>());
    }
    let _ = writeln!(text, "</tbody></table></div>");
}

/// A row of a table, with a line of cells for each of several backends.
fn row_group(text: &mut String, name: &str, several: bool, lines: &[(&StoredRun, String)]) {
    for (number, (run, cells)) in lines.iter().enumerate() {
        let _ = write!(text, "<tr>");
        if number == 0 {
            let _ = write!(text, r#"<th scope="rowgroup" rowspan="{}">{name}</th>"#, lines.len());
        }
        if several {
            let label = Text(&run.header.backend.label);
            let _ = write!(text, r#"<th scope="row" class="who">{label}</th>"#);
        }
        let _ = writeln!(text, "{cells}</tr>");
    }
}

fn head(text: &mut String, what: &str, title: &str, several: bool, levels: &BTreeSet<FeatureLevel>) {
    let who = if several { r#"<th scope="col">Backend</th>"# } else { "" };
    let _ = write!(
        text,
        r#"<div class="scroll" tabindex="0" role="region" aria-label="{0}"><table class="matrix"><thead><tr><th scope="col">{what}</th>{who}"#,
        Text(title)
    );
    for level in levels {
        let _ = write!(text, r#"<th scope="col" class="n">{level}</th>"#);
    }
    let _ = writeln!(text, "</tr></thead><tbody>");
}

fn cell(cell: &Cell, link: &str) -> String {
    let all = grouped(cell.cases);
    match cell {
        Cell { cases: 0, .. } => r#"<td class="none"><span class="sr">no cases</span></td>"#.to_owned(),
        Cell { fail: fail @ 1.., .. } => format!(
            r#"<td class="bad"><a href="{}">✗ {}<span class="of"><span class="sr"> failed of </span><span aria-hidden="true">/</span>{all}</span></a></td>"#,
            Text(link),
            grouped(*fail)
        ),
        Cell { xfail: known @ 1.., .. } => format!(
            r#"<td class="open">k {}<span class="of"><span class="sr"> known failures of </span><span aria-hidden="true">/</span>{all}</span></td>"#,
            grouped(*known)
        ),
        Cell { skip, cases, .. } if skip == cases => {
            format!(r#"<td class="skip">– {all}<span class="sr"> skipped</span></td>"#)
        }
        Cell { skip: skip @ 1.., .. } => format!(
            r#"<td class="skip">– {}<span class="of"><span class="sr"> skipped of </span><span aria-hidden="true">/</span>{all}</span></td>"#,
            grouped(*skip)
        ),
        Cell { unspecified, cases, .. } if unspecified == cases => {
            format!(r#"<td class="open">? {all}<span class="sr"> unspecified</span></td>"#)
        }
        Cell {
            unspecified: open @ 1..,
            pass,
            ..
        } => format!(
            r#"<td class="good">✓ {}<span class="sr"> passed,</span> <span class="of">? {}<span class="sr"> unspecified</span></span></td>"#,
            grouped(*pass),
            grouped(*open)
        ),
        _ => format!(r#"<td class="good">✓ {all}<span class="sr"> passed</span></td>"#),
    }
}

/// Clause × level: how many cases violate it.
pub(super) fn clauses(suite: &Suite, runs: &[StoredRun]) -> String {
    let mut broken: BTreeMap<&str, u64> = BTreeMap::new();
    for (clause, by_level) in runs.iter().flat_map(|run| &run.clauses) {
        *broken.entry(clause).or_default() += by_level.values().sum::<u64>();
    }
    if broken.is_empty() {
        return "<p>No clause is broken.</p>".to_owned();
    }
    let levels: BTreeSet<FeatureLevel> = runs.iter().flat_map(StoredRun::levels).collect();
    let mut order: Vec<(&str, u64)> = broken.into_iter().collect();
    order.sort_by_key(|(clause, n)| (std::cmp::Reverse(*n), *clause));
    let mut text = "<p class=\"says\">Each failing case counts for the clause that it breaks first.</p>\n".to_owned();
    head(&mut text, "Clause", "Broken clauses by level", runs.len() > 1, &levels);
    for (clause, _) in order.iter().take(CLAUSES) {
        let name = format!(
            r#"<span class="id">{}</span><span class="says">{}</span>"#,
            Text(if clause.is_empty() { "no clause" } else { clause }),
            Text(&says(suite, clause))
        );
        let lines = runs.iter().filter_map(|run| {
            let by_level = run.clauses.get(*clause)?;
            let count = |level| by_level.get(level).copied().unwrap_or(0);
            let cells = levels
                .iter()
                .map(|level| broken_cell(run, clause, *level, count(level)));
            Some((run, cells.collect()))
        });
        row_group(&mut text, &name, runs.len() > 1, &lines.collect::<Vec<_>>());
    }
    let _ = writeln!(text, "</tbody></table></div>");
    if let more @ 1.. = order.len().saturating_sub(CLAUSES) {
        let _ = writeln!(
            text,
            "<p>{more} more clauses are broken; the search finds their cases.</p>"
        );
    }
    text
}

fn broken_cell(run: &StoredRun, clause: &str, level: FeatureLevel, count: u64) -> String {
    if count == 0 {
        return r#"<td class="none"><span class="sr">none</span></td>"#.to_owned();
    }
    let key = if clause.is_empty() { "none" } else { clause };
    let (level, label) = (level.to_string(), run.header.backend.label.as_str());
    let link = listing(&[("clause", key), ("level", &level), ("run", label)]);
    format!(
        r#"<td class="bad"><a href="{}">✗ {}</a></td>"#,
        Text(&link),
        grouped(count)
    )
}

/// Per clause on which text and runtimes differ: what each backend follows.
pub(super) fn follows(runs: &[StoredRun]) -> String {
    let clauses: BTreeSet<&String> = runs.iter().flat_map(|run| run.follows.keys()).collect();
    if clauses.is_empty() {
        return "<p>No case tells.</p>".to_owned();
    }
    let mut text = String::new();
    let _ = write!(
        text,
        r#"<div class="scroll" tabindex="0" role="region" aria-label="Whom each backend follows"><table class="follows"><thead><tr><th scope="col">Clause</th>"#
    );
    for run in runs {
        let _ = write!(text, r#"<th scope="col">{}</th>"#, Text(&run.header.backend.label));
    }
    let _ = writeln!(text, "</tr></thead><tbody>");
    for clause in clauses {
        let _ = write!(text, r#"<tr><th scope="row" class="id">{}</th>"#, Text(clause));
        for run in runs {
            let counts = run.follows.get(clause).into_iter().flatten();
            let counted: Vec<String> = counts.map(|(whom, n)| format!("{whom} in {}", grouped(*n))).collect();
            let _ = write!(text, "<td>{}</td>", Text(&counted.join(", ")));
        }
        let _ = writeln!(text, "</tr>");
    }
    let _ = writeln!(text, "</tbody></table></div>");
    text
}
