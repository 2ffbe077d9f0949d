//! The mistakes that explain the wrong outputs of a run, operator by operator.

use dml_case::{
    clause,
    mistake::{Mistake, Mistakes},
    sample::ELEMENTS,
    suite::Suite,
    text::{counted, grouped},
};

use crate::{Style, Terminal};

/// Most operators whose mistakes are printed without `verbose`.
const SHOWN: usize = 12;

/// Prints the mistakes: of all operators if `verbose`.
pub fn mistakes(terminal: &mut Terminal, suite: &Suite, all: &[Mistakes], verbose: bool) {
    if all.is_empty() {
        return;
    }
    let shown = if verbose { all.len() } else { SHOWN };
    terminal.heading("Mistakes that give the wrong outputs");
    for of in all.iter().take(shown) {
        for mistake in &of.found {
            terminal.line("");
            terminal.line(format!(
                "{}: {}",
                terminal.paint(Style::Bad, &of.operator),
                mistake.kind
            ));
            print(terminal, suite, of, mistake);
        }
        if let Some(text) = unexplained(of) {
            terminal.line("");
            terminal.line(format!("{}: {text}", terminal.paint(Style::Bad, &of.operator)));
        }
    }
    if all.len() > shown {
        terminal.line(format!("… and {} more operators; -v shows all", all.len() - shown));
    }
}

fn print(terminal: &mut Terminal, suite: &Suite, of: &Mistakes, mistake: &Mistake) {
    terminal.labelled("  mistake   ", &placed(mistake));
    if let Some(condition) = &mistake.condition {
        terminal.labelled(&format!("  {:<10}", of.condition_word()), condition);
    }
    if let Some(id) = &mistake.clause {
        let says = match clause::find(suite, id) {
            Some(clause::Found::Clause(found)) => format!(": {}", found.says),
            _ => String::new(),
        };
        terminal.labelled("  breaks    ", &format!("{id}{says}"));
    }
    terminal.labelled("  evidence  ", &evidence(of, mistake));
    if !mistake.others.is_empty() {
        terminal.labelled("  or        ", &mistake.others.join("; or "));
    }
}

/// The sentence, with the place of the expression that it is about.
pub(crate) fn placed(mistake: &Mistake) -> String {
    match &mistake.at {
        Some(place) => format!("{} ({place})", mistake.sentence),
        None => mistake.sentence.clone(),
    }
}

/// What speaks for a mistake.
pub(crate) fn evidence(of: &Mistakes, mistake: &Mistake) -> String {
    let failing = compared_failing(of);
    let passing = counted(of.passing, "passing one");
    if mistake.uncertain {
        return format!("fits {failing} and {passing}, too few to tell it from others");
    }
    let contradicts = match (of.passing, of.followed_up) {
        (0, _) => "none of these contradicts it, and no passing case could be compared".to_owned(),
        (_, 0) => format!("none of these and of {passing} contradicts it"),
        (_, made) => format!("none of these, of {passing} and of {made} asked to check it contradicts it"),
    };
    format!("gives what {} of {failing} gave; {contradicts}", mistake.failing)
}

/// `36 compared failing cases, 30 of them made to check it`.
fn compared_failing(of: &Mistakes) -> String {
    let all = counted(of.failing, "compared failing case");
    match of.failing_made {
        0 => all,
        made => format!("{all}, {made} of them made to check it,"),
    }
}

/// What is said of failing cases that no mistake explains, or that were not compared; `None` if there are none.
pub(crate) fn unexplained(of: &Mistakes) -> Option<String> {
    let all: Vec<String> = compared(of).into_iter().chain(large(of)).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

/// What is said of failing cases that are too large to be compared.
fn large(of: &Mistakes) -> Option<String> {
    let size = format!("more than {} elements", grouped(ELEMENTS));
    let cases = counted(of.large, "failing case");
    match (of.large, of.failing) {
        (0, _) => None,
        (1, 0) => Some(format!(
            "{cases}, which has {size}: too many to compare it with mistakes"
        )),
        (_, 0) => Some(format!(
            "{cases}, each of {size}: too many to compare them with mistakes"
        )),
        _ => Some(format!("{cases} of {size} not compared")),
    }
}

fn compared(of: &Mistakes) -> Option<String> {
    (of.unexplained > 0).then(|| {
        let common = of.fails_if.as_ref();
        let common = common.map(|condition| {
            let these = match of.fails_if_cases {
                // Earlier versions did not say how many.
                0 => "most of these".to_owned(),
                all if all == of.unexplained => "all of these".to_owned(),
                some => format!("{some} of these"),
            };
            format!("; what {these} have in common and no compared case that passes has: {condition}")
        });
        format!(
            "no small change of the specification was found that gives what {} of {} gave, always or under a simple \
             condition{}",
            of.unexplained,
            compared_failing(of),
            common.unwrap_or_default()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_of_how_many_a_condition_is_true() {
        let said = |left, fails_if_cases| {
            let of = Mistakes {
                failing: 8,
                failing_made: 3,
                unexplained: left,
                fails_if: Some("K is odd".to_owned()),
                fails_if_cases,
                ..Mistakes::none("TOP_K1".into())
            };
            unexplained(&of).unwrap()
        };
        let all = said(4, 4);
        assert!(
            all.contains("gives what 4 of 8 compared failing cases, 3 of them made to check it, gave"),
            "{all}"
        );
        assert!(
            all.ends_with("what all of these have in common and no compared case that passes has: K is odd"),
            "{all}"
        );
        assert!(said(4, 3).contains("what 3 of these have in common"));
        assert!(said(4, 0).contains("what most of these have in common"));
    }
}
