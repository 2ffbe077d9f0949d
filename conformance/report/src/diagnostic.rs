//! Mistakes of a specification: place, code, the lines around it, and how to fix them.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use dml_spec::Diagnostic;

use dml_case::nearest::harmless;

/// Maximum number of mistakes that are shown with the lines around them.
const SHOWN: usize = 50;

/// Diagnostics as text, in the given order, all but the first ones on one line each. `source` returns the text of a
/// file by the name that places use.
pub fn diagnostics<'a>(found: &[Diagnostic], colour: bool, source: &dyn Fn(&str) -> Option<&'a str>) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut text = String::new();
    for (number, diagnostic) in found.iter().enumerate() {
        // The first line is for editors and scripts; the snippet is for people.
        let (place, code, message) = (&diagnostic.place, diagnostic.code, harmless(&diagnostic.message));
        text.push_str(&format!("{place}: error[{code}]: {message}\n"));
        if number >= SHOWN {
            continue;
        }
        match (source(&diagnostic.place.file), &diagnostic.hint) {
            (Some(file), hint) => {
                let hint = hint.as_deref().map(harmless);
                text.push_str(&renderer.render(&[group(diagnostic, &message, hint.as_deref(), file)]));
            }
            (None, Some(hint)) => text.push_str(&format!("  help: {}", harmless(hint))),
            (None, None) => {}
        }
        text.push_str("\n\n");
    }
    text
}

fn group<'a>(
    diagnostic: &'a Diagnostic,
    message: &'a str,
    hint: Option<&'a str>,
    text: &'a str,
) -> annotate_snippets::Group<'a> {
    // Columns do not count a byte order mark.
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let text = &text[mark..];
    let span = diagnostic.place.span.start.saturating_sub(mark)..diagnostic.place.span.end.saturating_sub(mark);
    let span = inside(span, text);
    let (first, text, span) = window(text, span, diagnostic.place.line);
    let snippet = Snippet::source(text)
        .line_start(first)
        .path(diagnostic.place.file.as_str())
        .annotation(AnnotationKind::Primary.span(span).label(""));
    let group = Level::ERROR.primary_title(message).id(diagnostic.code).element(snippet);
    match hint {
        Some(hint) => group.element(Level::HELP.message(hint)),
        None => group,
    }
}

/// Number of the first line of a part of the text, the part, and the span in it. The renderer is slow on long texts, of
/// which it shows the lines of the span only.
fn window(text: &str, span: std::ops::Range<usize>, line: u32) -> (usize, &str, std::ops::Range<usize>) {
    const LONG: usize = 64 << 10;
    if text.len() <= LONG {
        return (1, text, span);
    }
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
    (line as usize, &text[start..end], span.start - start..span.end - start)
}

/// The span, moved to character boundaries.
fn inside(span: std::ops::Range<usize>, text: &str) -> std::ops::Range<usize> {
    let floor = |at: usize| text.floor_char_boundary(at.min(text.len()));
    let (start, end) = (floor(span.start), floor(span.end));
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::*;

    #[test]
    fn long_texts_are_shown_like_short_ones() {
        let line = "some words\n";
        let lines = (64 << 10) / line.len() + 10;
        let text = line.repeat(lines);
        let place = dml_spec::diag::locate("f", &text, 60_000..60_003);
        let number = place.line;
        let found = Diagnostic {
            code: "a::b",
            place,
            message: "wrong".to_owned(),
            hint: None,
        };
        let shown = diagnostics(&[found], false, &|_| Some(&text));
        assert!(shown.contains(&format!("{number} | some words")), "{shown}");
        assert!(!shown.contains(&format!("{} | ", number + 1)), "{shown}");
    }
}
