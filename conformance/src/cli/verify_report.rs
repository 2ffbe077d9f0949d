//! Prints what `spec verify` found: a table for each level of an operator's tables, unexpected answers, and sums.

use crate::verify::{Agreement, Answered, Count, Row, Tally, Unexpected};
use dml_case::text::{labelled, labelled_parts};

/// Most unexpected answers that are shown of one kind.
const SHOWN: usize = 5;

/// The heading and the lines of a table; if libraries differ, each has a line of its own.
pub(super) fn table_lines(rows: &[Row], libraries: &[&str]) -> (String, Vec<String>) {
    let names: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
    let tallies = |row: &Row| match row.tallies.as_slice() {
        [first, rest @ ..] if rest.iter().all(|tally| tally == first) => first.to_string(),
        _ => "they differ".to_owned(),
    };
    let done: Vec<String> = rows.iter().map(tallies).collect();
    let who = if libraries.len() > 1 {
        "each library"
    } else {
        "the library"
    };
    let widest = |texts: &[String], head: &str| texts.iter().map(String::len).chain([head.len()]).max().unwrap_or(0);
    let (wide, deep) = (widest(&names, "clause or cell"), widest(&done, who));
    let line = |name: &str, text: &str, done: &str, word: &str| {
        format!("{name:<wide$} {text:<7} {done:<deep$} {word}")
            .trim_end()
            .to_owned()
    };
    let mut lines = Vec::new();
    for ((row, name), done) in rows.iter().zip(&names).zip(&done) {
        lines.push(line(name, row.text, done, word(row.agreement)));
        if row.tallies.iter().any(|tally| *tally != row.tallies[0]) {
            let each = libraries.iter().zip(&row.tallies);
            lines.extend(each.map(|(library, tally)| format!("  {library}: {tally}")));
        }
    }
    if rows.iter().any(|row| row.tallies.iter().any(Tally::is_coupled)) {
        lines.push("* none of them breaks it alone".to_owned());
    }
    (line("clause or cell", "text", who, "comes to"), lines)
}

/// The first unexpected answers, those that contradict the text first.
pub(super) fn unexpected_lines(unexpected: &[Unexpected<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    for normative in [true, false] {
        let of_kind = || unexpected.iter().filter(|answer| answer.normative == normative);
        for answer in of_kind().take(SHOWN) {
            let broken = match answer.case.verdict.clauses().join(", ") {
                none if none.is_empty() => "valid".to_owned(),
                broken => format!("violates {broken}"),
            };
            let record = &answer.record;
            let message = record.message.as_deref().unwrap_or(record.outcome.word());
            lines.extend(labelled(&format!("{}: {} ", head(answer), answer.library), message));
            lines.push(format!("  {}", answer.case.id));
            lines.extend(labelled("  ", &broken));
        }
        if let Some(head) = of_kind().skip(SHOWN).map(|answer| head(answer)).max() {
            lines.push(format!("{head}: {} more like these", of_kind().count() - SHOWN));
        }
    }
    lines
}

fn head(answer: &Unexpected<'_>) -> &'static str {
    match answer.is_otherwise() {
        true => "otherwise",
        false => "crashed",
    }
}

/// How many clauses and cells of an operator agree, disagree, and so on.
pub(super) fn sum_lines(operator: &str, rows: &[Row]) -> Vec<String> {
    let count = |agreement| rows.iter().filter(|row| row.agreement == agreement).count();
    let sums = Agreement::WORDS.map(|(agreement, word)| (agreement, count(agreement), word));
    // The number of disagreements is always printed.
    let sums = sums
        .iter()
        .filter(|(agreement, count, _)| *count > 0 || *agreement == Agreement::Disagrees);
    let sums: Vec<String> = sums.map(|(_, count, word)| format!("{count} {word}")).collect();
    labelled_parts(&format!("{operator}: "), sums.iter().map(String::as_str), ", ")
}

/// How a library answered about an operator.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// Its name.
    pub(super) operator: String,
    /// Name of the library.
    pub(super) library: String,
    /// Descriptors of the plan.
    pub(super) planned: Count,
    /// Those that random changes lead to.
    pub(super) walked: Count,
}

/// How each library answered about each operator, as a page in Markdown.
pub(super) fn count_table(counts: &[Counted]) -> String {
    let words = Answered::WORDS.map(|(_, word)| word).join(" | ");
    let cells = |count: &Count| {
        Answered::WORDS
            .map(|(answered, _)| count.of(answered).to_string())
            .join(" | ")
    };
    let mut text = format!(
        "# What Microsoft's libraries accept\n\n\
         Descriptors that `dml-cts spec verify` asked each library about: those of the plan, then those that random changes\n\
         lead to. *As observed* is where the text is silent or says otherwise; *crashed* counts ends of the process on what\n\
         need not be accepted; *aside* is what this release is known to judge otherwise; what C cannot express is not asked.\n\n\
         | operator | library | {words} | random: {words} |\n|{}\n",
        " --- |".repeat(2 + 2 * Answered::WORDS.len())
    );
    let sum = |of: fn(&Counted) -> Count| counts.iter().map(of).sum::<Count>();
    let all = Counted {
        operator: "all".to_owned(),
        library: String::new(),
        planned: sum(|counted| counted.planned),
        walked: sum(|counted| counted.walked),
    };
    for counted in counts.iter().chain([&all]) {
        let (planned, walked) = (cells(&counted.planned), cells(&counted.walked));
        text.push_str(&format!(
            "| {} | {} | {planned} | {walked} |\n",
            counted.operator, counted.library
        ));
    }
    text
}

fn word(agreement: Agreement) -> &'static str {
    let mut words = Agreement::WORDS.iter();
    words
        .find(|(known, _)| *known == agreement)
        .map_or("", |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use dml_spec::model::Status;

    use super::*;

    fn row(clause: &str, agreement: Agreement, refused: &[u64]) -> Row {
        let tally = |refused: &u64| Tally {
            broken: (4, *refused),
            kept: (9, 0),
            ..Tally::default()
        };
        Row {
            id: clause.to_owned(),
            status: Status::Normative,
            text: "rejects",
            tallies: refused.iter().map(tally).collect(),
            agreement,
        }
    }

    #[test]
    fn every_row_has_a_cell_for_each_heading() {
        let numbers = Answered::WORDS.iter().zip(1..);
        let answered = numbers.flat_map(|((answered, _), n)| std::iter::repeat_n(*answered, n));
        let planned: Count = answered.collect();
        let counted = Counted {
            operator: "TOP_K1".to_owned(),
            library: "1.4.0".to_owned(),
            planned,
            walked: Count::default(),
        };
        let text = count_table(&[counted.clone(), counted]);
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        let cells = |row: &&str| row.matches('|').count();
        assert!(rows.iter().all(|row| cells(row) == cells(&rows[0])), "{text}");
        assert_eq!(
            rows[2],
            "| TOP_K1 | 1.4.0 | 1 | 2 | 3 | 4 | 5 | 6 | 0 | 0 | 0 | 0 | 0 | 0 |"
        );
        assert_eq!(rows[4], "| all |  | 2 | 4 | 6 | 8 | 10 | 12 | 0 | 0 | 0 | 0 | 0 | 0 |");
    }

    #[test]
    fn libraries_that_agree_share_a_column() {
        let rows = [
            row("TENSOR/strides-nonzero", Agreement::Agrees, &[4, 4]),
            row("TOP_K1/axis-in-range", Agreement::Disagrees, &[4, 3]),
        ];
        let (heading, lines) = table_lines(&rows, &["1.8.0", "1.13.1"]);
        assert_eq!(heading, "clause or cell         text    each library comes to");
        let expected = [
            "TENSOR/strides-nonzero rejects +9/9 -4/4*   agrees",
            "TOP_K1/axis-in-range   rejects they differ  DISAGREES",
            "  1.8.0: +9/9 -4/4*",
            "  1.13.1: +9/9 -3/4*",
            "* none of them breaks it alone",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn sums_always_count_disagreements() {
        let agrees = [row("TOP_K1/axis-in-range", Agreement::Agrees, &[4])];
        assert_eq!(sum_lines("TOP_K1", &agrees), ["TOP_K1: 1 agrees, 0 DISAGREES"]);
        let disagrees = [row("TOP_K1/axis-in-range", Agreement::Disagrees, &[3])];
        assert_eq!(sum_lines("TOP_K1", &disagrees), ["TOP_K1: 1 DISAGREES"]);
    }
}
