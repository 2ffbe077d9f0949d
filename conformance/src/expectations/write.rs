//! Writes changes into a file's text: replaces, adds and removes entries, and keeps everything else.

use std::ops::Range;

use dml_spec_yaml::tree::{
    Kind, Node,
    splice::{Edits, SpliceError, scalar},
};

use dml_report::expectations::{Changes, NewEntry, SeenCases};

const HEAD: &str = "\
# Known failures, for `dml-cts run --expectations`. `dml-cts expect update` keeps text written by hand.
";

/// Why the text of a file cannot be edited.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// Splicing failed.
    #[error("the file cannot be edited: {0}; write each entry on lines of its own")]
    Splice(#[from] SpliceError),
    /// An entry shares a line with something else.
    #[error("the file cannot be edited; write each entry on lines of its own")]
    SharedLine,
}

/// The text with the changes applied.
pub(super) fn write_changes(text: &str, root: Option<Node>, changes: &Changes<'_>) -> Result<String, EditError> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let seen = &changes.seen;
    let corpus = changes
        .corpus
        .map(|digest| format!("corpus: {digest}{newline}"))
        .unwrap_or_default();
    let root = match root {
        Some(root) if !is_nothing(&root) => root,
        _ => return Ok(write_new_file(text, &changes.added, &corpus, seen, newline)),
    };
    let file = File {
        text,
        root: &root,
        newline,
    };
    let mut edits = Edits::new(text, &root);
    let list = file.list();
    if let Some(list) = list {
        file.replace_entries(&mut edits, list, changes)?;
    }
    match &root.kind {
        Kind::Seq(_) => {
            let first = file.line_start(root.span.start);
            edits.replace(first..first, format!("{corpus}expect:{newline}"));
            edits.replace(text.len()..text.len(), file.last(seen));
        }
        _ => {
            file.set(&mut edits, "corpus", corpus.trim_end().strip_prefix("corpus: "))?;
            file.set(
                &mut edits,
                "seen",
                (!seen.is_empty()).then(|| seen.to_text()).as_deref(),
            )?;
        }
    }
    Ok(edits.apply()?)
}

fn is_nothing(root: &Node) -> bool {
    root.text().is_some_and(|text| text.trim().is_empty())
}

/// The text of a file that has only comments so far.
fn write_new_file(text: &str, added: &[NewEntry], corpus: &str, seen: &SeenCases, newline: &str) -> String {
    let mut out = match text.trim().is_empty() {
        true => HEAD.to_owned(),
        false => text.trim_end().to_owned() + newline,
    };
    out.push_str(corpus);
    out.push_str("expect:");
    out.push_str(newline);
    added
        .iter()
        .for_each(|entry| out.push_str(&write_entry(entry, 0, newline)));
    if !seen.is_empty() {
        out.push_str(&format!("seen: {}{newline}", seen.to_text()));
    }
    out
}

/// A text and its tree.
struct File<'a> {
    text: &'a str,
    root: &'a Node,
    newline: &'a str,
}

impl<'a> File<'a> {
    fn list(&self) -> Option<&'a Node> {
        match &self.root.kind {
            Kind::Seq(_) => Some(self.root),
            _ => self.root.get("expect"),
        }
    }

    fn line_start(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.rfind('\n').map_or(0, |found| found + 1)
    }

    /// The offset after the line in which something ends.
    fn line_end(&self, end: usize) -> usize {
        if self.text.get(..end).is_some_and(|before| before.ends_with('\n')) {
            return end;
        }
        let rest = self.text.get(end..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |found| end + found + 1)
    }

    /// How far the dashes of a list are indented.
    fn column(&self, list: &Node) -> usize {
        let Some(first) = list.items().and_then(<[Node]>::first) else {
            return 0;
        };
        let line = self.text.get(self.line_start(first.span.start)..first.span.start);
        line.and_then(|line| line.find('-')).unwrap_or(0)
    }

    /// The lines of an entry; `None` if it shares one with something else.
    fn lines(&self, entry: &Range<usize>) -> Option<Range<usize>> {
        let start = self.line_start(entry.start);
        let before = self.text.get(start..entry.start)?.trim_start_matches('\u{feff}').trim();
        (before == "-").then(|| start..self.line_end(entry.end))
    }

    /// The comments in the lines of an entry, each without its line end.
    fn comments(&self, entry: &Node, lines: &Range<usize>) -> Vec<&'a str> {
        let mut scalars = Vec::new();
        collect_scalars(entry, &mut scalars);
        let (mut found, mut at) = (Vec::new(), lines.start);
        while let Some(hash) = self
            .text
            .get(at..lines.end)
            .and_then(|rest| rest.find('#'))
            .map(|n| at + n)
        {
            let before = self.text.get(..hash).and_then(|text| text.chars().next_back());
            let is_text = scalars.iter().any(|span| span.contains(&hash));
            if is_text || !before.is_none_or(char::is_whitespace) {
                at = hash + 1;
                continue;
            }
            let end = self.line_end(hash + 1).min(lines.end);
            found.extend(self.text.get(hash..end).map(str::trim_end));
            at = end;
        }
        found
    }

    fn replace_entries(&self, edits: &mut Edits<'_>, list: &Node, changes: &Changes<'_>) -> Result<(), EditError> {
        let wrong = || EditError::SharedLine;
        let indent = self.column(list);
        let text_of = |entries: &mut dyn Iterator<Item = &NewEntry>| -> String {
            entries.map(|entry| write_entry(entry, indent, self.newline)).collect()
        };
        for (entry, _) in &changes.removed {
            let lines = self.lines(&entry.place.span).ok_or_else(wrong)?;
            let at = Some(entry.place.span.start);
            let mut instead = changes.added.iter().filter(|new| new.instead == at);
            let mut text = text_of(&mut instead);
            if !text.is_empty() {
                let node = list
                    .items()
                    .and_then(|items| items.iter().find(|node| Some(node.span.start) == at));
                let remarks = node.map(|node| self.comments(node, &lines)).unwrap_or_default();
                let pad = " ".repeat(indent);
                let remarks = remarks
                    .into_iter()
                    .map(|remark| format!("{pad}{remark}{}", self.newline));
                text.insert_str(0, &remarks.collect::<String>());
            }
            edits.replace(lines, text);
        }
        let appended = text_of(&mut changes.added.iter().filter(|new| new.instead.is_none()));
        if appended.is_empty() {
            return Ok(());
        }
        match list.items() {
            Some([.., last]) => {
                self.lines(&last.span).ok_or_else(wrong)?;
                let at = self.line_end(last.span.end);
                let gap = if self.text.get(..at).is_some_and(|t| t.ends_with('\n')) {
                    ""
                } else {
                    self.newline
                };
                edits.replace(at..at, format!("{gap}{appended}"));
            }
            // `expect:` with nothing, or with an empty list, after it.
            _ => {
                let end = self.line_end(list.span.end);
                let rest = self.text.get(list.span.end..end).unwrap_or_default().trim_end();
                edits.replace(list.span.start..end, format!("{rest}{}{appended}", self.newline));
            }
        }
        Ok(())
    }

    /// Sets a key of the file, adds it, or removes it if there is no value.
    fn set(&self, edits: &mut Edits<'_>, key: &str, value: Option<&str>) -> Result<(), EditError> {
        match (self.root.key(key), value) {
            (Some(_), Some(value)) => edits.set(key, value)?,
            (None, Some(value)) if key == "seen" => {
                let line = format!("{}seen: {value}{}", self.gap(), self.newline);
                edits.replace(self.text.len()..self.text.len(), line);
            }
            (None, Some(value)) => {
                let at = self.line_start(self.root.span.start);
                edits.replace(at..at, format!("{key}: {value}{}", self.newline));
            }
            (Some(found), None) => {
                let end = self.root.get(key).map_or(found.span.end, |node| node.span.end);
                edits.replace(self.line_start(found.span.start)..self.line_end(end), "");
            }
            (None, None) => {}
        }
        Ok(())
    }

    fn gap(&self) -> &str {
        if self.text.ends_with('\n') { "" } else { self.newline }
    }

    /// The last lines of the file.
    fn last(&self, seen: &SeenCases) -> String {
        match seen.is_empty() {
            true => String::new(),
            false => format!("{}seen: {}{}", self.gap(), seen.to_text(), self.newline),
        }
    }
}

/// Collects the spans of the scalars of a node.
fn collect_scalars(node: &Node, spans: &mut Vec<Range<usize>>) {
    match &node.kind {
        Kind::Seq(items) => items.iter().for_each(|item| collect_scalars(item, spans)),
        Kind::Map(pairs) => pairs.iter().for_each(|(_, value)| collect_scalars(value, spans)),
        _ => spans.push(node.span.clone()),
    }
}

/// An entry in lines of its own.
fn write_entry(entry: &NewEntry, indent: usize, newline: &str) -> String {
    let mut lines = vec![
        format!("- query: {}", scalar(&entry.query)),
        format!("  outcome: {}", entry.allowed.yaml()),
    ];
    lines.extend(entry.class.iter().map(|class| format!("  class: {}", scalar(class))));
    if !entry.only.is_empty() {
        let condition = |(key, values): &(&'static str, Vec<String>)| {
            let values: Vec<String> = values.iter().map(|value| scalar(value)).collect();
            match &values[..] {
                [value] => format!("{key}: {value}"),
                values => format!("{key}: [{}]", values.join(", ")),
            }
        };
        let conditions: Vec<String> = entry.only.iter().map(condition).collect();
        lines.push(format!("  only: {{{}}}", conditions.join(", ")));
    }
    lines.push(format!("  because: {}", scalar(&entry.because)));
    lines.extend(entry.link.iter().map(|link| format!("  link: {}", scalar(link))));
    lines.extend(entry.until.iter().map(|until| format!("  until: {until}")));
    let pad = " ".repeat(indent);
    lines.iter().map(|line| format!("{pad}{line}{newline}")).collect()
}
