//! The coupled clauses in the form of the lock.

use dml_plan::target::is_cell;

use super::Row;

/// One line for each coupled clause, in the order of the rows. Cells of a table and tensor that are broken in the same company
/// share one: `TOP_K1/2.1/InputTensor with OutputValueTensor: UINT64 INT64`, of which the company's tensor stands for the same
/// cell of it.
pub(super) fn lines(rows: impl Iterator<Item = Row>) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows {
        let Some(coupled) = &row.coupled else { continue };
        let Some((table, tensor, cell)) = split(&row.clause) else {
            lines.push((
                format!("{} with {}", row.subject(), coupled.with.join(", ")),
                Vec::new(),
            ));
            continue;
        };
        let company = coupled.with.iter().map(|other| match split(other) {
            Some((of, tensor, what)) if of == table && what == cell => tensor,
            _ => other,
        });
        let head = format!("{table}/{tensor} with {}", company.collect::<Vec<_>>().join(", "));
        match lines.iter_mut().rev().find(|(known, _)| *known == head) {
            Some((_, cells)) => cells.push(cell.to_owned()),
            None => lines.push((head, vec![cell.to_owned()])),
        }
    }
    let spell = |(head, cells): (String, Vec<String>)| match cells.is_empty() {
        true => head,
        false => format!("{head}: {}", cells.join(" ")),
    };
    lines.into_iter().map(spell).collect()
}

/// The table, the tensor and the last part of a support cell's id.
fn split(id: &str) -> Option<(&str, &str, &str)> {
    let (row, cell) = id.rsplit_once('/').filter(|_| is_cell(id))?;
    let (table, tensor) = row.rsplit_once('/')?;
    Some((table, tensor, cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::Coupling;

    fn row(clause: &str, with: &[&str]) -> Row {
        let coupled = Coupling {
            with: with.iter().map(|&other| other.to_owned()).collect(),
            searched: 1,
            smaller: None,
        };
        Row {
            clause: clause.to_owned(),
            tensor: None,
            kind: "cell forbidden",
            status: "normative",
            validated: Some(true),
            positive: 0,
            negative: Some(1),
            coupled: Some(coupled),
        }
    }

    #[test]
    fn same_cells_of_other_tensors_share_a_line() {
        let rows = [
            row("X/1.0/A/INT8", &["X/1.0/B/INT8"]),
            row("X/1.0/A/INT16", &["X/1.0/B/INT16"]),
            row("X/1.0/A/5-D", &["X/1.0/B/5-D", "X/1.0/C/5-D"]),
            row("X/2.0/A/INT8", &["X/2.0/B/INT8"]),
            row("X/1.0/A/UINT8", &["X/1.0/B/UINT16"]),
            row("X/1.0/A/FLOAT32", &["X/1.0/B/FLOAT32", "X/same"]),
            row("X/1.0/A/FLOAT64", &["X/1.0/B/FLOAT64", "X/same"]),
            row("X/same", &["X/other"]),
            Row {
                coupled: None,
                ..row("X/1.0/A/UINT64", &[])
            },
        ];
        assert_eq!(
            lines(rows.into_iter()),
            [
                "X/1.0/A with B: INT8 INT16",
                "X/1.0/A with B, C: 5-D",
                "X/2.0/A with B: INT8",
                "X/1.0/A with X/1.0/B/UINT16: UINT8",
                "X/1.0/A with B, X/same: FLOAT32 FLOAT64",
                "X/same with X/other",
            ]
        );
    }
}
