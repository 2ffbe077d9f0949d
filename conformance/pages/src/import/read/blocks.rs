//! The page as headings, paragraphs, code and tables.

use std::ops::Range;

use dml_spec_yaml::ledger;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::source::Text;

/// A heading and the headings above it.
pub(super) struct Section {
    pub(super) anchor: String,
    /// Words of the heading.
    pub(super) title: String,
    /// Whether it is `-field X`, or a member of the rendered layout.
    pub(super) is_field: bool,
    /// Whether its heading starts with a dash.
    pub(super) is_sdk: bool,
    depth: u8,
    parent: Option<usize>,
}

/// A part of a page.
pub(super) struct Block {
    pub(super) what: What,
    /// Its start, in bytes of the Markdown.
    pub(super) at: usize,
    /// Index of its section.
    pub(super) section: usize,
}

/// What a part is.
pub(super) enum What {
    /// A paragraph, as plain text.
    Paragraph(String),
    /// Code without its fences.
    Code(String),
    /// Rows of cells, as plain text, with their places. The first is the header.
    Table(Vec<(usize, Vec<String>)>),
}

/// All parts of a page.
pub(super) struct Blocks {
    pub(super) sections: Vec<Section>,
    pub(super) blocks: Vec<Block>,
    /// Start of the last block of code, if it never ends.
    pub(super) open_fence: Option<usize>,
}

impl Blocks {
    /// A section and all sections around it, inner ones first.
    pub(super) fn ancestors(&self, section: usize) -> impl Iterator<Item = &Section> {
        let mut next = self.sections.get(section);
        std::iter::from_fn(move || {
            let this = next?;
            next = this.parent.and_then(|parent| self.sections.get(parent));
            Some(this)
        })
    }

    /// Whether a section is another one, or within it.
    pub(super) fn is_under(&self, section: usize, other: usize) -> bool {
        let mut next = Some(section);
        while let Some(this) = next {
            if this == other {
                return true;
            }
            next = self.sections.get(this).and_then(|s| s.parent);
        }
        false
    }

    /// The anchor of a block.
    pub(super) fn anchor(&self, block: &Block) -> &str {
        self.sections.get(block.section).map_or("", |s| s.anchor.as_str())
    }
}

/// Reads the Markdown after the front matter.
pub(super) fn read_blocks(text: &Text<'_>, body: usize) -> Blocks {
    let markdown = text.markdown.text.get(body..).unwrap_or_default();
    let mut reader = Reader {
        markdown,
        body,
        found: Blocks {
            sections: vec![Section {
                anchor: String::new(),
                title: String::new(),
                is_field: false,
                is_sdk: false,
                depth: 0,
                parent: None,
            }],
            blocks: Vec::new(),
            open_fence: None,
        },
        code: None,
        table: Vec::new(),
    };
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        reader.event(event, range);
    }
    reader.found
}

struct Reader<'a> {
    markdown: &'a str,
    body: usize,
    found: Blocks,
    code: Option<String>,
    table: Vec<(usize, Vec<String>)>,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        let raw = self.markdown.get(range.clone()).unwrap_or_default();
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.heading(level as u8, raw),
            Event::Start(Tag::Paragraph) => self.paragraph(raw, range.start),
            Event::Start(Tag::CodeBlock(_)) => self.code = Some(String::new()),
            Event::Text(part) => {
                if let Some(code) = &mut self.code {
                    code.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some(code) = self.code.take() {
                    let ends = raw
                        .trim_end()
                        .lines()
                        .next_back()
                        .is_some_and(|line| is_fence(line.trim()));
                    let fenced = is_fence(raw.trim_start());
                    let last = self
                        .markdown
                        .get(range.end..)
                        .is_some_and(|rest| rest.trim().is_empty());
                    self.found.open_fence =
                        (fenced && last && (!ends || code.is_empty())).then_some(self.body + range.start);
                    self.block(What::Code(code), range.start);
                }
            }
            Event::Start(Tag::Table(_)) => self.table.clear(),
            Event::Start(Tag::TableHead | Tag::TableRow) => self.table.push((self.body + range.start, Vec::new())),
            Event::Start(Tag::TableCell) => {
                if let Some((_, cells)) = self.table.last_mut() {
                    cells.push(ledger::normalise(raw));
                }
            }
            Event::End(TagEnd::Table) => {
                let table = std::mem::take(&mut self.table);
                self.block(What::Table(table), range.start);
            }
            _ => {}
        }
    }

    fn block(&mut self, what: What, at: usize) {
        self.found.blocks.push(Block {
            what,
            at: self.body + at,
            section: self.found.sections.len() - 1,
        });
    }

    fn heading(&mut self, depth: u8, raw: &str) {
        let raw = raw.trim().trim_start_matches('#').trim();
        let title: String = ledger::normalise(raw);
        self.section(
            depth,
            ledger::anchor(raw),
            title,
            raw.starts_with("-field "),
            raw.starts_with('-'),
        );
    }

    fn section(&mut self, depth: u8, anchor: String, title: String, is_field: bool, is_sdk: bool) {
        let mut parent = self.found.sections.len().checked_sub(1);
        while let Some(section) = parent
            .and_then(|p| self.found.sections.get(p))
            .filter(|s| s.depth >= depth)
        {
            parent = section.parent;
        }
        self.found.sections.push(Section {
            anchor,
            title,
            is_field,
            is_sdk,
            depth,
            parent,
        });
    }

    fn paragraph(&mut self, raw: &str, at: usize) {
        let under = self.found.sections.len() - 1;
        let member = ledger::member(raw).filter(|_| self.found.ancestors(under).any(|s| s.anchor == ledger::MEMBERS));
        match member {
            // Deeper than any heading, so that the next member is a sibling.
            Some(name) => self.section(7, name.to_owned(), name.to_owned(), true, false),
            None => self.block(What::Paragraph(ledger::normalise(raw)), at),
        }
    }
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}
