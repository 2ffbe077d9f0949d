//! Cuts the text of a rule into tokens.

use std::ops::Range;

use super::ast::RuleError;

/// A piece of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// Whole number.
    Int(i128),
    /// Number with a point or an exponent.
    Float(f64),
    /// Text in double quotes, without them.
    Text(&'a str),
    /// Name or keyword.
    Name(&'a str),
    /// Punctuation.
    Symbol(&'static str),
    /// After the last token.
    End,
}

/// Longer ones first, so that `==` is not read as `=` twice.
const SYMBOLS: [&str; 29] = [
    "==", "!=", "<=", ">=", "..", "<<", ">>", "++", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{",
    "}", ",", ":", ".", "&", "|", "^", "~",
];

/// Signs of other languages that would be read as two of these, and what to write for them.
const DOUBLED: [(&str, &str); 2] = [("&&", "write `and`"), ("||", "write `or`")];

/// All tokens with their places; the last one is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, RuleError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
            continue;
        }
        let (token, length) = next(rest).map_err(|(message, length, hint)| {
            let span = at..at + length;
            RuleError {
                hint: hint.map(str::to_owned),
                ..RuleError::new("spec::rule-syntax", span, message)
            }
        })?;
        found.push((token, at..at + length));
        at += length;
    }
    found.push((Token::End, text.len()..text.len()));
    Ok(found)
}

/// Message, length of the offending text, hint.
type Refusal = (String, usize, Option<&'static str>);

fn next(rest: &str) -> Result<(Token<'_>, usize), Refusal> {
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_digit() {
        return number(rest);
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let length = run(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        return Ok((Token::Name(&rest[..length]), length));
    }
    if first == '"' {
        let inside = &rest[1..];
        return match inside.find('"') {
            Some(length) => Ok((Token::Text(&inside[..length]), length + 2)),
            None => Err(("text without its closing quote".to_owned(), rest.len(), None)),
        };
    }
    if let Some((sign, hint)) = DOUBLED.into_iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Err((format!("unexpected `{sign}`"), sign.len(), Some(hint)));
    }
    match SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
        Some(symbol) => Ok((Token::Symbol(symbol), symbol.len())),
        None => Err((
            format!("unexpected character `{first}`"),
            first.len_utf8(),
            spelled_out(first),
        )),
    }
}

/// What to write for an operator that other languages spell as a sign.
fn spelled_out(c: char) -> Option<&'static str> {
    match c {
        '!' => Some("write `not`"),
        '\'' => Some("write text in double quotes"),
        '≤' => Some("write `<=`"),
        '≥' => Some("write `>=`"),
        '≠' => Some("write `!=`"),
        _ => None,
    }
}

fn number(rest: &str) -> Result<(Token<'_>, usize), Refusal> {
    let digits = |from: usize| run(rest.get(from..).unwrap_or(""), |c| c.is_ascii_digit());
    let mut length = digits(0);
    let mut float = false;
    // `0..4` is a range, `0.5` a number.
    if rest[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
        float = true;
    }
    if rest[length..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
            float = true;
        }
    }
    let text = &rest[..length];
    let glued = run(&rest[length..], |c| c.is_ascii_alphanumeric() || c == '_');
    if glued > 0 {
        let whole = &rest[..length + glued];
        return Err((format!("`{whole}` is neither a number nor a name"), whole.len(), None));
    }
    let token = if float {
        text.parse().ok().filter(|f: &f64| f.is_finite()).map(Token::Float)
    } else {
        text.parse().ok().map(Token::Int)
    };
    match token {
        Some(token) => Ok((token, length)),
        None => Err((format!("the number `{text}` is too large"), length, None)),
    }
}

/// Bytes of the ASCII characters at the start that `accept` takes.
fn run(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accept(c)).unwrap_or(text.len())
}
