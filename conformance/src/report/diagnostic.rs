//! Mistakes of a specification: place, code, the lines around it, and what mends it.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use dml_spec::Diagnostic;

use super::Terminal;

/// Renders diagnostics on standard output, in the order they came. `source` gives the text of a file by the name that places use.
pub fn diagnostics<'a>(terminal: &mut Terminal, found: &[Diagnostic], source: &dyn Fn(&str) -> Option<&'a str>) {
    let renderer = if terminal.colour() { Renderer::styled() } else { Renderer::plain() };
    for diagnostic in found {
        // This line is for editors and scripts; the snippet is for people.
        terminal.line(format!("{}: error[{}]: {}", diagnostic.place, diagnostic.code, diagnostic.message));
        if let Some(text) = source(&diagnostic.place.file) {
            terminal.line(renderer.render(&[group(diagnostic, text)]));
        } else if let Some(hint) = &diagnostic.hint {
            terminal.line(format!("  help: {hint}"));
        }
        terminal.line("");
    }
}

fn group<'a>(diagnostic: &'a Diagnostic, text: &'a str) -> annotate_snippets::Group<'a> {
    let span = inside(diagnostic.place.span.clone(), text);
    let snippet = Snippet::source(text)
        .path(diagnostic.place.file.as_str())
        .annotation(AnnotationKind::Primary.span(span).label(""));
    let group = Level::ERROR.primary_title(diagnostic.message.as_str()).id(diagnostic.code).element(snippet);
    match &diagnostic.hint {
        Some(hint) => group.element(Level::HELP.message(hint.as_str())),
        None => group,
    }
}

/// The span, moved to where the text has characters.
fn inside(span: std::ops::Range<usize>, text: &str) -> std::ops::Range<usize> {
    let floor = |at: usize| text.floor_char_boundary(at.min(text.len()));
    let (start, end) = (floor(span.start), floor(span.end));
    start..end.max(start)
}
