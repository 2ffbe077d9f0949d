//! What libraries make of the specification: a table for each level of an operator's tables, how each feature level
//! stands, and sums.

use dml_spec::model::Operator;

use crate::verify::{Agreement, Answered, Otherwise, Reply, Row, Tally, Verified};
use dml_case::text::{WIDTH, labelled, wrapped};
use dml_plan::target::spell_target;
use dml_report::{Style, Terminal};

/// Most answers that are shown of one kind.
const SHOWN: usize = 5;

/// Prints what came of an operator. Feature levels stand only where all about it was asked.
pub fn show_verified(
    terminal: &mut Terminal,
    operator: &Operator,
    answered: &[Answered],
    verified: &Verified,
    is_whole: bool,
) {
    for table in operator.support.iter() {
        let libraries: Vec<&str> = answered
            .iter()
            .filter(|library| library.table(operator) == Some(table.level))
            .map(|library| library.name.as_str())
            .collect();
        let rows: Vec<&Row> = verified.rows.iter().filter(|row| row.table == table.level).collect();
        if rows.is_empty() {
            continue;
        }
        let title = labelled(&format!("{} {}: ", operator.name, table.level), &libraries.join(", "));
        let (heading, lines) = table_of(&rows, &libraries);
        for line in title.into_iter().chain([heading]) {
            terminal.line(terminal.paint(Style::Strong, line));
        }
        lines.into_iter().for_each(|line| terminal.line(line));
        terminal.line("");
    }
    if is_whole {
        for (level, standing) in &verified.standings {
            let label = format!("{} {:<4} ", operator.name, level.to_string());
            let lines = labelled(&label, &standing.to_string());
            lines.into_iter().for_each(|line| terminal.line(line));
        }
        terminal.line("");
    }
    let lines = answers(&verified.otherwise)
        .into_iter()
        .chain(sums(operator, answered, &verified.rows));
    lines.for_each(|line| terminal.line(line));
}

/// A heading, and a line a row. Where libraries differ each has a line of its own below.
fn table_of(rows: &[&Row], libraries: &[&str]) -> (String, Vec<String>) {
    let names: Vec<String> = rows.iter().map(|row| spell_target(&row.target)).collect();
    let tallies = |row: &Row| match row.tallies.as_slice() {
        [first, rest @ ..] if rest.iter().all(|tally| tally == first) => first.to_string(),
        _ => "they differ".to_owned(),
    };
    let done: Vec<String> = rows.iter().map(|row| tallies(row)).collect();
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
        lines.push(line(name, row.text, done, row.agreement.word()));
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

/// The first answers that are not as expected, those about the text before those about what was observed.
fn answers(otherwise: &[Otherwise]) -> Vec<String> {
    let mut lines = Vec::new();
    for normative in [true, false] {
        let of_kind = || otherwise.iter().filter(|answer| answer.normative == normative);
        for answer in of_kind().take(SHOWN) {
            let broken: Vec<String> = answer.broken.iter().map(spell_target).collect();
            let broken = match broken.join(", ") {
                none if none.is_empty() => "valid".to_owned(),
                broken => format!("breaks {broken}"),
            };
            lines.push(format!("{}: {} {}", head(answer), answer.library, answer.reply));
            lines.push(format!("  {}", answer.id));
            lines.extend(labelled("  ", &broken));
        }
        if of_kind().count() > SHOWN {
            let left = of_kind().skip(SHOWN).map(head);
            let head = left.max().unwrap_or("otherwise");
            lines.push(format!("{head}: {} more like these", of_kind().count() - SHOWN));
        }
    }
    lines
}

/// A library that ends over a descriptor that it need not take contradicts nobody.
fn head(answer: &Otherwise) -> &'static str {
    match answer.reply {
        Reply::Crashed(_) if !answer.normative => "crashed",
        _ => "otherwise",
    }
}

fn sums(operator: &Operator, answered: &[Answered], rows: &[Row]) -> Vec<String> {
    let mut lines = Vec::new();
    for library in answered {
        let known = library.replies.iter().filter_map(Reply::rejected);
        let (asked, rejected) = known.fold((0, 0), |(n, r), is| (n + 1, r + u32::from(is)));
        lines.push(format!(
            "{} (level {}): {asked} descriptors asked, {} accepted, {rejected} rejected",
            library.name,
            library.level,
            asked - rejected
        ));
    }
    let count = |agreement| rows.iter().filter(|row| row.agreement == agreement).count();
    // Whether anything disagrees is always said.
    let sums = Agreement::ALL.into_iter().map(|a| (a, count(a)));
    let sums = sums.filter(|(a, count)| *count > 0 || *a == Agreement::Disagrees);
    let sums: Vec<String> = sums.map(|(a, count)| format!("{count} {}", a.word())).collect();
    let head = format!("{}: ", operator.name);
    let wrapped = wrapped(sums.iter().map(String::as_str), ", ", WIDTH - head.len());
    lines.extend(wrapped.into_iter().enumerate().map(|(i, line)| {
        let start = if i == 0 { head.clone() } else { " ".repeat(head.len()) };
        start + &line
    }));
    lines
}

#[cfg(test)]
mod tests {
    use dml_ops::FeatureLevel;

    use super::*;
    use crate::verify::tests::{QUESTIONS, SUITE, faithful, operator};

    fn lines(answered: &[Answered]) -> Vec<String> {
        let operator = operator();
        let verified = Verified::new(&SUITE, operator, &QUESTIONS, answered);
        let rows: Vec<&Row> = verified.rows.iter().collect();
        let names: Vec<&str> = answered.iter().map(|library| library.name.as_str()).collect();
        let (heading, mut lines) = table_of(&rows, &names);
        lines.insert(0, heading);
        lines.extend(sums(operator, answered, &verified.rows));
        lines
    }

    #[test]
    fn libraries_that_agree_share_a_column_and_lines_fit() {
        let five = FeatureLevel::new(5, 0);
        let mut answered = vec![
            faithful("1.8.0", five),
            faithful("1.13.1", five),
            faithful("1.15.4", five),
        ];
        let same = lines(&answered);
        let long: Vec<&String> = same.iter().filter(|line| line.len() > WIDTH).collect();
        assert_eq!(long, [""; 0]);
        assert!(same[0].contains("each library"));
        let row = |lines: &[String], of: &str| lines.iter().position(|line| line.starts_with(of)).unwrap();
        let inexpressible = &same[row(&same, "TENSOR/strides-per-dimension on InputTensor")];
        assert!(inexpressible.ends_with(" not expressible"), "{inexpressible}");
        assert!(same.iter().any(|line| line == "* none of them breaks it alone"));
        assert!(!same.iter().any(|line| line.contains("they differ")));
        assert!(same.last().unwrap().contains(", 0 DISAGREES, "), "{:?}", same.last());

        for (reply, descriptor) in answered[1].replies.iter_mut().zip(&QUESTIONS.descriptors) {
            if matches!(descriptor.fields.as_slice(), [.., dml_spec::Value::UInt(2..)]) {
                *reply = Reply::Accepted;
            }
        }
        let differ = lines(&answered);
        let at = row(&differ, "TOP_K1/axis-direction-known");
        assert!(
            differ[at].contains("they differ") && differ[at].ends_with("DISAGREES"),
            "{}",
            differ[at]
        );
        assert!(differ[at + 1].starts_with("  1.8.0: +") && differ[at + 2].contains("  1.13.1: +"));
        assert!(differ[at + 2].contains(" -0/"), "{}", differ[at + 2]);
    }
}
