//! The only output: standard output for results, standard error for everything else, colour only if it helps.

use std::{
    ffi::OsString,
    fmt::Display,
    io::{self, IsTerminal, Write},
};

use dml_case::{
    nearest::harmless,
    text::{labelled, labelled_parts},
};

/// How to emphasise a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Good.
    Good,
    /// Bad.
    Bad,
    /// Look here.
    Note,
    /// A heading.
    Strong,
    /// Less important.
    Dim,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Good => "32",
            Self::Bad => "1;31",
            Self::Note => "33",
            Self::Strong => "1",
            Self::Dim => "2",
        }
    }
}

/// The stream of a text.
pub struct Terminal {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    shown: bool,
    colour: bool,
    err_colour: bool,
    progress: bool,
    quiet: bool,
    closed: bool,
    /// Why results could not be written, except for a missing reader.
    failed: Option<io::Error>,
}

/// Whether terminals are coloured, by the variables `NO_COLOR` and `TERM`.
fn is_colour_wanted(no_colour: Option<OsString>, term: Option<OsString>) -> bool {
    no_colour.is_none_or(|value| value.is_empty()) && term.is_none_or(|term| term != "dumb")
}

impl Terminal {
    /// The process's own streams. Colour if they are terminals that have it and `NO_COLOR` is not set.
    pub fn standard() -> Self {
        let wanted = is_colour_wanted(std::env::var_os("NO_COLOR"), std::env::var_os("TERM"));
        let (out, err) = (io::stdout(), io::stderr());
        let (out_terminal, err_terminal) = (out.is_terminal(), err.is_terminal());
        let mut terminal = Self::plain(Box::new(io::BufWriter::new(out)), Box::new(err));
        (terminal.shown, terminal.progress) = (out_terminal, err_terminal);
        (terminal.colour, terminal.err_colour) = (wanted && out_terminal, wanted && err_terminal);
        terminal
    }

    /// Other streams, without colour; for tests.
    pub fn plain(out: Box<dyn Write>, err: Box<dyn Write>) -> Self {
        Self {
            out,
            err,
            shown: false,
            colour: false,
            err_colour: false,
            progress: false,
            quiet: false,
            closed: false,
            failed: None,
        }
    }

    /// Leaves out notes and progress.
    pub fn set_quiet(&mut self, quiet: bool) {
        self.quiet = quiet;
        self.progress &= !quiet;
    }

    /// Whether a progress bar makes sense.
    pub fn shows_progress(&self) -> bool {
        self.progress
    }

    /// Whether results are coloured.
    pub fn colour(&self) -> bool {
        self.colour
    }

    /// Whether remarks are coloured.
    pub fn err_colour(&self) -> bool {
        self.err_colour
    }

    /// Whether the reader of the results has gone, as after `| head`.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Emphasised text on standard output.
    pub fn paint(&self, style: Style, text: impl Display) -> String {
        paint(self.colour, style, text)
    }

    /// A line of results.
    pub fn line(&mut self, text: impl Display) {
        let written = writeln!(self.out, "{text}");
        self.note_failure(written);
    }

    /// A heading of results, after an empty line.
    pub fn heading(&mut self, text: impl Display) {
        self.line("");
        self.line(self.paint(Style::Strong, text));
    }

    /// Lines of results: words after a label, further lines below the first word.
    pub fn labelled(&mut self, label: &str, text: &str) {
        labelled(label, text).iter().for_each(|line| self.line(line));
    }

    /// Lines of results: parts with commas between after a label, further lines below the first part.
    pub fn listed<'a>(&mut self, label: &str, parts: impl IntoIterator<Item = &'a str>) {
        labelled_parts(label, parts, ", ")
            .iter()
            .for_each(|line| self.line(line));
    }

    /// Results without changes: text that has its line ends, or no text at all.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let written = self.out.write_all(bytes);
        self.note_failure(written);
    }

    /// Whether results are shown on a terminal, which can only show text.
    pub fn is_shown(&self) -> bool {
        self.shown
    }

    /// A remark for people, on standard error.
    pub fn note(&mut self, text: impl Display) {
        if !self.quiet {
            self.say(text);
        }
    }

    /// A warning that concerns the result, on standard error.
    pub fn warn(&mut self, text: impl Display) {
        self.say(text);
    }

    /// An error, on standard error. What it quotes may come from anywhere.
    pub fn error(&mut self, text: impl Display) {
        let label = paint(self.err_colour, Style::Bad, "error:");
        self.say(format_args!("{label} {}", harmless(&text.to_string())));
    }

    fn say(&mut self, text: impl Display) {
        // Results that were written before have to appear before.
        self.flush();
        // If standard error is gone, the error cannot be reported.
        let _ = writeln!(self.err, "{text}");
    }

    /// Flushes standard output.
    pub fn flush(&mut self) {
        let flushed = self.out.flush();
        self.note_failure(flushed);
    }

    /// The first error of standard output, except a reader that stopped. Reported once.
    pub fn take_failure(&mut self) -> Option<io::Error> {
        self.failed.take()
    }

    fn note_failure(&mut self, result: io::Result<()>) {
        let Err(error) = result else { return };
        if !self.closed && error.kind() != io::ErrorKind::BrokenPipe {
            self.failed = Some(error);
        }
        self.closed = true;
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.flush();
    }
}

fn paint(colour: bool, style: Style, text: impl Display) -> String {
    if colour {
        format!("\x1b[{}m{text}\x1b[0m", style.code())
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_without_colour_get_none() {
        let wanted = |no_colour: Option<&str>, term: Option<&str>| {
            is_colour_wanted(no_colour.map(OsString::from), term.map(OsString::from))
        };
        assert!(wanted(None, None) && wanted(Some(""), Some("xterm")));
        assert!(!wanted(Some("1"), Some("xterm")) && !wanted(None, Some("dumb")));
    }
}
