//! Text for a terminal: lines that fit, without control sequences.

/// Columns of a line.
pub const WIDTH: usize = 100;

/// Parts side by side, in lines of at most `width` characters if that is possible; no part is divided.
pub fn wrapped<'a>(parts: impl IntoIterator<Item = &'a str>, between: &str, width: usize) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if length(line) + length(between) + length(part) <= width => {
                line.push_str(between);
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

/// Words after a label, further lines below the first word.
pub fn labelled(label: &str, text: &str) -> Vec<String> {
    labelled_parts(label, text.split(' '), " ")
}

/// Parts after a label, further lines below the first part.
pub fn labelled_parts<'a>(label: &str, parts: impl IntoIterator<Item = &'a str>, between: &str) -> Vec<String> {
    let indent = label.chars().count();
    let lines = wrapped(parts, between, WIDTH.saturating_sub(indent));
    let start = |line: usize| {
        if line == 0 {
            label.to_owned()
        } else {
            " ".repeat(indent)
        }
    };
    lines.iter().enumerate().map(|(i, line)| start(i) + line).collect()
}

/// The start of a text, printable: on one line, and without control sequences.
pub fn printable(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    for (at, c) in text.chars().enumerate() {
        match c {
            _ if at == longest => {
                shown.push('…');
                break;
            }
            '"' | '\'' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    shown
}

/// `1 page`, `2 pages`.
pub fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// A number with commas between groups of three digits.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_full_as_they_may_be() {
        assert_eq!(wrapped(["a b", "c", "d"], ", ", 6), ["a b, c", "d"]);
        assert_eq!(
            wrapped(["longer than that", "é", "é"], " ", 3),
            ["longer than that", "é é"]
        );
        assert!(wrapped([], " ", 3).is_empty());
    }

    #[test]
    fn what_is_labelled_hangs() {
        let lines = labelled("  says    ", &"word ".repeat(30));
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("  says    word") && lines[1].starts_with("          word"));
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
    }
}
