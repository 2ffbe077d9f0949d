//! The meaning of an operator as text to read: formulas with their line breaks.

use dml_spec::model::Operator;

/// The formulas of an operator: what stands before the `=` of each, and its lines.
pub fn formulas(operator: &Operator) -> Vec<(String, Vec<String>)> {
    let formulas = operator.meaning.iter();
    formulas.map(|(head, text)| (head.to_string(), lines(text))).collect()
}

/// An expression with a line for each `let`, `then` and `else` outside of brackets.
fn lines(text: &str) -> Vec<String> {
    let (mut lines, mut line): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    let (mut depth, mut lets) = (0_usize, 0_usize);
    for word in text.split_whitespace() {
        if depth == 0 && matches!(word, "then" | "else") && !line.is_empty() {
            lines.push(line.join(" "));
            line.clear();
        }
        line.push(word);
        if depth == 0 && word == "let" {
            lets += 1;
        }
        let opened = word.chars().filter(|c| "([{".contains(*c)).count();
        let closed = word.chars().filter(|c| ")]}".contains(*c)).count();
        depth = (depth + opened).saturating_sub(closed);
        if depth == 0 && lets > 0 && word == "in" {
            lets -= 1;
            lines.push(line.join(" "));
            line.clear();
        }
    }
    if !line.is_empty() {
        lines.push(line.join(" "));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lets_and_branches_have_lines_of_their_own() {
        assert_eq!(lines("a[o] +\n  b[o]"), ["a[o] + b[o]"]);
        assert_eq!(
            lines("let x = (if c then 1 else 2) in let y = sum(i in 0..x: i) in if y > x then y else a[x in b]"),
            [
                "let x = (if c then 1 else 2) in",
                "let y = sum(i in 0..x: i) in",
                "if y > x",
                "then y",
                "else a[x in b]",
            ]
        );
    }
}
