//! Web pages copied as text: headings are lines, cells are words, code has no fence.

use super::{is_identifier, made::Made};

/// Headings of sections in the languages of the reference: the slug, and the words that stand alone, in lower case.
const SECTIONS: &str = include_str!("text/headings.txt");

/// Words for "example" before its number.
const EXAMPLES: &str = include_str!("text/examples.txt");

const LEVEL: &str = "DML_FEATURE_LEVEL_";

/// Whether this is a page about an operator without block markup.
pub(super) fn is_plain(page: &str) -> bool {
    let page = page.trim_start_matches('\u{feff}');
    let marked = |line: &str| {
        let heading = line.starts_with('#') && line.trim_start_matches('#').starts_with([' ', '\t']);
        heading || ["```", "~~~", "|", "---"].iter().any(|mark| line.starts_with(mark))
    };
    page.contains("_OPERATOR_DESC") && !page.lines().any(|line| marked(line.trim_start()))
}

/// The page with headings, fences, pipes and backticks.
pub(super) fn to_markdown(page: &str) -> Made {
    let mut writer = Writer {
        members: declared(page),
        ..Writer::default()
    };
    let mut lines = Vec::new();
    let mut at = 0;
    for whole in page.split_inclusive('\n') {
        lines.push((at, whole.trim().trim_start_matches('\u{feff}'), whole));
        at += whole.len();
    }
    let mut rows = rows_follow(&lines, &writer.members).into_iter();
    for (at, text, whole) in lines {
        let row_follows = rows.next().unwrap_or_default();
        writer.line(at, text, whole, row_follows);
    }
    writer.close(at);
    writer.made
}

/// Names that the structure declares.
fn declared(page: &str) -> Vec<String> {
    let inside = page.lines().map(str::trim).skip_while(|line| !starts_structure(line));
    let declarations = inside.take_while(|line| !line.starts_with('}'));
    let names = declarations.filter_map(|line| {
        let name = line.strip_suffix(';')?.rsplit([' ', '*']).next()?;
        is_identifier(name).then(|| name.to_owned())
    });
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

fn starts_structure(line: &str) -> bool {
    line.starts_with("struct DML_") || line.starts_with("typedef struct DML_")
}

fn is_row(line: &str, members: &[String]) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let named = members.binary_search_by(|name| name.as_str().cmp(first)).is_ok();
    named && cells(line).is_some()
}

/// For each line whether the next one that is not empty is a row of a table.
fn rows_follow(lines: &[(usize, &str, &str)], members: &[String]) -> Vec<bool> {
    let mut follows = false;
    let mut found: Vec<bool> = lines
        .iter()
        .rev()
        .map(|(_, text, _)| {
            let before = follows;
            if !text.is_empty() {
                follows = is_row(text, members);
            }
            before
        })
        .collect();
    found.reverse();
    found
}

/// `InputTensor Input 1 to 8 FLOAT32, FLOAT16` as cells: name, kind, dimensions if there are any, counts, types.
fn cells(line: &str) -> Option<Vec<&str>> {
    let (name, rest) = line.split_once(char::is_whitespace)?;
    let is_type = |word: &str| {
        let digits = ["FLOAT", "UINT", "INT"]
            .iter()
            .find_map(|prefix| word.strip_prefix(prefix));
        digits.is_some_and(|digits| digits.starts_with(|c: char| c.is_ascii_digit()))
    };
    let starts = rest.char_indices().filter(|(at, c)| {
        let before = rest.get(..*at).and_then(|text| text.chars().next_back());
        !c.is_whitespace() && before.is_none_or(char::is_whitespace)
    });
    let types = starts.map(|(at, _)| at).find(|at| rest.get(*at..).is_some_and(is_type));
    let (rest, types) = rest.split_at(types.unwrap_or(rest.len()));
    let (rest, shape) = match rest.find('{').zip(rest.rfind('}')) {
        Some((open, close)) if open < close => {
            let (kind, behind) = rest.split_at(open);
            let (shape, counts) = behind.split_at(close + 1 - open);
            ((kind, counts), Some(shape))
        }
        _ => {
            let digit = rest.find(|c: char| c.is_ascii_digit())?;
            // Words such as `De 1 a 8` belong to the counts; the kind is one or more words before them.
            (rest.split_at(digit), None)
        }
    };
    let (kind, counts) = rest;
    counts.contains(|c: char| c.is_ascii_digit()).then_some(())?;
    Some(
        [name, kind]
            .into_iter()
            .chain(shape)
            .chain([counts, types])
            .map(str::trim)
            .collect(),
    )
}

#[derive(Default)]
struct Writer {
    made: Made,
    members: Vec<String>,
    section: String,
    titled: bool,
    fence: Fence,
    in_table: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Fence {
    #[default]
    None,
    Structure,
    Example,
}

impl Writer {
    fn line(&mut self, at: usize, text: &str, whole: &str, row_follows: bool) {
        if self.fence == Fence::Structure {
            self.made.push(at, whole);
            if text.starts_with('}') {
                self.close(at + whole.len());
            }
            return;
        }
        if starts_structure(text) {
            return self.open(Fence::Structure, at, whole);
        }
        if text.is_empty() {
            return self.made.push(at, "\n");
        }
        let heading = heading(text, &self.section);
        if heading.is_none() && self.section.starts_with("example") && is_code(text) {
            match self.fence {
                Fence::Example => self.made.push(at, whole),
                _ => self.open(Fence::Example, at, whole),
            }
            return;
        }
        self.close(at);
        match heading {
            Some((depth, slug, keeps)) => self.heading(at, text, depth, slug, keeps),
            None => self.prose(at, text, row_follows),
        }
    }

    fn open(&mut self, fence: Fence, at: usize, whole: &str) {
        self.close(at);
        self.fence = fence;
        self.made.push(at, "\n```\n");
        self.made.push(at, whole);
    }

    fn close(&mut self, at: usize) {
        if self.fence != Fence::None {
            self.made.push(at, "\n```\n");
            self.fence = Fence::None;
        }
    }

    fn heading(&mut self, at: usize, text: &str, depth: usize, slug: String, keeps: bool) {
        let marks = "#".repeat(depth);
        self.made.push(at, &format!("\n{marks} <a name=\"{slug}\"></a>"));
        self.made.push(at, text);
        self.made.push(at, "\n");
        self.in_table = false;
        if !keeps {
            self.section = slug;
        }
    }

    fn prose(&mut self, at: usize, text: &str, row_follows: bool) {
        if !self.titled && self.section.is_empty() && text.contains("_OPERATOR_DESC") {
            self.titled = true;
            self.made.push(at, "# ");
        } else if self.section.starts_with("tensor-support") && (row_follows && !is_row(text, &self.members)) {
            // The words over the columns: the first row writes its own.
            return self.made.push(at, "\n");
        } else if self.section.starts_with("tensor-support") && is_row(text, &self.members) {
            return self.row(at, text);
        } else if self.section == "requirements" {
            return self.made.push(at, &format!("| {text} |\n"));
        } else if self.section == "members" && self.members.iter().any(|name| name == text) {
            return self.made.push(at, &format!("\n`{text}`\n"));
        } else if let Some(item) = text.strip_prefix('•') {
            return self.made.push(at, &format!("* {}\n", item.trim_start()));
        }
        self.in_table = false;
        self.made.push(at, text);
        self.made.push(at, "\n");
    }

    fn row(&mut self, at: usize, text: &str) {
        let cells = cells(text).unwrap_or_default();
        if !self.in_table {
            let shape = if cells.len() > 4 { " Dimensions |" } else { "" };
            let header = format!("\n| Tensor | Kind |{shape} Supported dimension counts | Supported data types |\n");
            self.made.push(at, &header);
            self.made.push(at, &format!("{}|\n", "| - ".repeat(cells.len())));
            self.in_table = true;
        }
        self.made.push(at, &format!("| {} |\n", cells.join(" | ")));
    }
}

/// Depth and slug of a line that is a heading, and whether it stands within the section before.
fn heading(text: &str, section: &str) -> Option<(usize, String, bool)> {
    const LONGEST: usize = 200;
    if text.len() > LONGEST {
        return None;
    }
    let lower = text.to_lowercase();
    let mut sections = SECTIONS.lines().filter_map(|line| line.split_once(": "));
    if let Some((slug, _)) = sections.find(|(_, words)| words.split(" | ").any(|word| word == lower)) {
        return Some((2, slug.to_owned(), false));
    }
    if section.starts_with("tensor-support") {
        if let Some(level) = text.strip_prefix(LEVEL) {
            let end = level
                .find(|c: char| !(c.is_ascii_digit() || c == '_'))
                .unwrap_or(level.len());
            let slug = format!("{LEVEL}{}-and-above", level.get(..end).unwrap_or_default());
            return Some((4, slug.to_lowercase(), true));
        }
        let functions = text
            .split([' ', ',', '、'])
            .filter(|word| word.bytes().any(|b| b.is_ascii_alphabetic()));
        let shouted = |word: &str| {
            word == "and"
                || word
                    .bytes()
                    .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        };
        if text.starts_with(|c: char| c.is_ascii_uppercase()) && functions.clone().all(shouted) {
            return Some((3, functions.collect::<Vec<_>>().join("-").to_lowercase(), true));
        }
    }
    if lower.starts_with("tensor support ") {
        return Some((2, "tensor-support-according-to-function".to_owned(), false));
    }
    let number = EXAMPLES
        .lines()
        .find_map(|word| lower.strip_prefix(word))
        .map(str::trim_start)?;
    let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    let (digits, rest) = number.split_at(digits);
    let is_example = !digits.is_empty() && (rest.is_empty() || rest.starts_with(['.', ':', '。', '：', ' ']));
    is_example.then(|| (3, format!("example-{digits}"), false))
}

/// Whether a line belongs to a worked example: a literal, or the value of a field.
fn is_code(text: &str) -> bool {
    let literal = text
        .trim_start_matches('-')
        .starts_with(|c: char| "[]{}0123456789".contains(c));
    if literal || text.starts_with("//") {
        return true;
    }
    let name = text.find(|c: char| !(c.is_ascii_alphanumeric() || "_[]".contains(c)));
    let (name, value) = text.split_at(name.unwrap_or(text.len()));
    let named = name.split('[').next().is_some_and(is_identifier);
    named && value.trim_start().starts_with([':', '=']) && value.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "共有\n\nDML_A_OPERATOR_DESC (directml.h)\n\nAを計算します。\n\n構文\n\nstruct DML_A_OPERATOR_DESC {\n  \
        const DML_TENSOR_DESC *InputTensor;\n  UINT Axis;\n};\n\nメンバーズ\n\nInputTensor\n\n型: const DML_TENSOR_DESC*\n\n入力。\n\n\
        例 1\n\nInputTensor: (Sizes:{2}, DataType:FLOAT32)\n[1,\n 2]\n\nAxis: 0\n\n例 2. 別の軸\n\nAxis: 1\n\n備考\n\n同じです。\n\n\
        Tensor のサポート\n\nDML_FEATURE_LEVEL_5_0以降\n\nテンソル 種類 数 型\nInputTensor インプット 1 から 8 FLOAT32、INT8\n\n必要条件\n\nヘッダー directml.h\n";

    #[test]
    fn text_gets_its_markup_back() {
        assert!(is_plain(PAGE));
        let made = to_markdown(PAGE);
        for part in [
            "# DML_A_OPERATOR_DESC",
            "## <a name=\"syntax\"></a>構文",
            "```\nstruct DML_A_OPERATOR_DESC {",
            "};\n\n```\n",
            "\n`InputTensor`\n",
            "### <a name=\"example-2\"></a>例 2. 別の軸",
            "```\nInputTensor: (Sizes:{2}, DataType:FLOAT32)\n[1,\n 2]\n\nAxis: 0\n\n\n```",
            "#### <a name=\"dml_feature_level_5_0-and-above\"></a>DML_FEATURE_LEVEL_5_0以降",
            "| InputTensor | インプット | 1 から 8 | FLOAT32、INT8 |",
            "| ヘッダー directml.h |",
        ] {
            assert!(made.text.contains(part), "{part}\n{}", made.text);
        }
        assert!(!made.text.contains("テンソル 種類"));
    }

    #[test]
    fn markdown_is_no_plain_text() {
        for page in [
            "# DML_A_OPERATOR_DESC",
            "DML_A_OPERATOR_DESC\n```\n```",
            "no operator",
            "---\n---\nDML_A_OPERATOR_DESC",
        ] {
            assert!(!is_plain(page), "{page}");
        }
    }

    #[test]
    fn cells_are_told_apart() {
        assert_eq!(
            cells("A Optional input 4 FLOAT32"),
            Some(vec!["A", "Optional input", "4", "FLOAT32"])
        );
        assert_eq!(
            cells("A Input { [N], 1 } 1 to 8 INT8, UINT8"),
            Some(vec!["A", "Input", "{ [N], 1 }", "1 to 8", "INT8, UINT8"])
        );
        assert_eq!(cells("Axis must be 4"), Some(vec!["Axis", "must be", "4", ""]));
        assert_eq!(cells("Axis"), None);
    }
}
