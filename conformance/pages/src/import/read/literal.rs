//! The notation of worked examples: `Name: (Sizes:{1,2}, DataType:FLOAT32)` and a nested literal, or `Name: value`.

/// A name with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Assignment {
    pub(super) name: String,
    /// `1` of `InputTensors[1]`.
    pub(super) element: Option<usize>,
    pub(super) given: Given,
}

/// What a name is given.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Given {
    /// A tensor.
    Tensor(Literal),
    /// Words of a value or of a list.
    Words(Vec<String>),
    /// The field is null.
    Absent,
}

/// A tensor as it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Literal {
    pub(super) sizes: Vec<u32>,
    pub(super) data_type: String,
    /// Elements in the order of the page, as [`number`] spells them, with single spaces between them.
    pub(super) elements: String,
    /// Why the elements are not numbers.
    pub(super) problem: Option<String>,
}

/// Every assignment of a block of code.
pub(super) fn read_assignments(code: &str) -> Vec<Assignment> {
    let (code, remarks) = remove_comments(code);
    let starts = find_starts(&code);
    let ends = starts.iter().skip(1).map(|s| s.at).chain([code.len()]);
    let mut remarks = remarks.into_iter().peekable();
    let pairs = starts.iter().zip(ends).map(|(start, end)| {
        let mut undefined = false;
        while let Some(at) = remarks.next_if(|at| *at < end) {
            undefined |= at >= start.value;
        }
        let value = code.get(start.value..end).unwrap_or_default();
        Assignment {
            name: start.name.to_owned(),
            element: start.element,
            given: given(value, undefined),
        }
    });
    pairs.collect()
}

/// The code with blanks for its comments, and the places of comments that call something undefined.
pub(super) fn remove_comments(code: &str) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(code.len());
    let mut undefined = Vec::new();
    for line in code.split_inclusive('\n') {
        let at = line.find("//").unwrap_or(line.len());
        let (kept, comment) = line.split_at(at);
        let lower = comment.to_lowercase();
        if ["undefined", "unspecified", "don't care"]
            .iter()
            .any(|word| lower.contains(word))
        {
            undefined.push(out.len() + at);
        }
        out.push_str(kept);
        let blanks = comment.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
        out.extend(blanks);
    }
    (out, undefined)
}

struct Start<'a> {
    name: &'a str,
    element: Option<usize>,
    /// Place of the name.
    at: usize,
    /// Place of the value.
    value: usize,
}

/// Lines that start with a name and `:` or `=`.
fn find_starts(code: &str) -> Vec<Start<'_>> {
    let mut found: Vec<Start<'_>> = Vec::new();
    let mut at = 0;
    // Sizes and data types may be on lines of their own in a header.
    let mut header = false;
    for line in code.split_inclusive('\n') {
        let start = if header { None } else { read_start(line, at) };
        let opens = start
            .as_ref()
            .is_some_and(|s| code.get(s.value..).is_some_and(|v| v.trim_start().starts_with('(')));
        header = (header || opens) && !line.contains(')');
        found.extend(start);
        at += line.len();
    }
    found
}

fn read_start(line: &str, at: usize) -> Option<Start<'_>> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, rest) = text.split_at(end);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let (element, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((index, rest)) => (Some(index.trim().parse().ok()?), rest),
        None => (None, rest),
    };
    let sign = rest.trim_start();
    let value = sign.strip_prefix([':', '='])?;
    let is_assignment = !value.starts_with([':', '=']);
    is_assignment.then(|| Start {
        name,
        element,
        at: at + indent,
        value: at + line.len() - value.len(),
    })
}

fn given(value: &str, undefined: bool) -> Given {
    let value = value.trim();
    if let Some((header, data)) = header(value) {
        return Given::Tensor(tensor(header, data, undefined));
    }
    let inner = value.split(['\n', ';']).next().unwrap_or_default();
    let list = value.starts_with(['{', '[', '(']);
    let words = if list { value } else { inner };
    let words: Vec<String> = split_words(words).map(str::to_owned).collect();
    match words.as_slice() {
        [word] if matches!(word.to_ascii_lowercase().as_str(), "none" | "null" | "nullptr") => Given::Absent,
        _ => Given::Words(words),
    }
}

/// `(Sizes:{…}, DataType:X)` and what follows.
fn header(value: &str) -> Option<(&str, &str)> {
    let (header, data) = value.strip_prefix('(')?.split_once(')')?;
    (header.contains("Sizes") || header.contains("DataType")).then_some((header, data))
}

/// No readable example has more.
const MOST_ELEMENTS: usize = 65_536;

fn tensor(header: &str, data: &str, undefined: bool) -> Literal {
    let behind = |word: &str| {
        let rest = header.split_once(word)?.1.trim_start();
        Some(rest.strip_prefix([':', '=']).unwrap_or(rest).trim_start())
    };
    let sizes = behind("Sizes").and_then(|rest| {
        let list = rest.strip_prefix(['{', '['])?;
        let list = list.split(['}', ']']).next()?;
        split_words(list)
            .map(|word| word.parse().ok())
            .collect::<Option<Vec<u32>>>()
    });
    let data_type = behind("DataType").unwrap_or_default();
    let data_type = data_type
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .next()
        .unwrap_or_default();
    let mut literal = Literal {
        data_type: data_type
            .strip_prefix("DML_TENSOR_DATA_TYPE_")
            .unwrap_or(data_type)
            .to_owned(),
        ..Literal::default()
    };
    match sizes {
        Some(sizes) => literal.sizes = sizes,
        None => literal.problem = Some("sizes that are no numbers".to_owned()),
    }
    if undefined {
        literal.problem = Some("elements that are left undefined".to_owned());
    }
    for (index, word) in split_words(data).enumerate() {
        match read_number(word).filter(|_| index < MOST_ELEMENTS) {
            Some(number) => {
                literal.elements.push_str(if index == 0 { "" } else { " " });
                literal.elements.push_str(&number);
            }
            None if index == MOST_ELEMENTS => {
                literal
                    .problem
                    .get_or_insert(format!("more than {MOST_ELEMENTS} elements"));
                break;
            }
            None => {
                let shown: String = word.chars().take(20).collect();
                literal.problem.get_or_insert(format!("`{shown}` for an element"));
                break;
            }
        }
    }
    literal
}

/// Words between brackets, commas and blanks.
pub(super) fn split_words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || ",;[]{}()".contains(c));
    words.filter(|word| !word.is_empty())
}

/// A number as specifications spell it: `1.0f` is `1`, `-0.0f` is `-0`.
pub(super) fn read_number(word: &str) -> Option<String> {
    let named = match word {
        "INT32_MIN" | "INT_MIN" => i32::MIN.to_string(),
        "INT32_MAX" | "INT_MAX" => i32::MAX.to_string(),
        "UINT32_MAX" | "UINT_MAX" => u32::MAX.to_string(),
        "INT64_MIN" => i64::MIN.to_string(),
        "INT64_MAX" => i64::MAX.to_string(),
        "UINT64_MAX" => u64::MAX.to_string(),
        "FLT_MAX" => f32::MAX.to_string(),
        "-FLT_MAX" => f32::MIN.to_string(),
        _ => String::new(),
    };
    if !named.is_empty() {
        return Some(named);
    }
    let lower = word.to_ascii_lowercase();
    let unsigned = lower.trim_start_matches(['-', '+']);
    let sign = if lower.starts_with('-') { "-" } else { "" };
    match unsigned {
        "inf" | "infinity" => return Some(format!("{sign}inf")),
        "nan" => return Some("nan".to_owned()),
        "true" => return Some("1".to_owned()),
        "false" => return Some("0".to_owned()),
        _ => {}
    }
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') || unsigned.len() + 1 < lower.len() {
        return None;
    }
    let plain = unsigned.trim_end_matches(['f', 'u', 'l']);
    if let Ok(whole) = plain.parse::<u128>() {
        return Some(format!("{sign}{whole}"));
    }
    let value: f64 = plain.parse().ok()?;
    value.is_finite().then(|| format!("{sign}{value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(code: &str) -> Given {
        let mut found = read_assignments(code);
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0).given
    }

    fn literal(code: &str) -> Literal {
        match one(code) {
            Given::Tensor(literal) => literal,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_are_spelled_in_one_way() {
        for (word, expected) in [
            ("1.0f", "1"),
            ("10.", "10"),
            (".5", "0.5"),
            ("-0.0f", "-0"),
            ("-5.2f", "-5.2"),
            ("1e-3", "0.001"),
            ("7u", "7"),
            ("INT32_MIN", "-2147483648"),
            ("18446744073709551615", "18446744073709551615"),
            ("+3", "3"),
            ("-inf", "-inf"),
            ("NaN", "nan"),
        ] {
            assert_eq!(read_number(word).as_deref(), Some(expected), "{word}");
        }
        for word in ["x", "", "...", "--1", "1/2", "?", "e5", "0x10", "1.2.3", "f"] {
            assert_eq!(read_number(word), None, "{word}");
        }
    }

    #[test]
    fn literals_are_flattened_whatever_their_brackets() {
        for data in [
            "[[[1, 2],\n [3, 4]]]",
            "[1,2,3,4]",
            "[[1, 2], // one, two\n [3, 4],]",
            "1 2 3 4",
            "[[[[1, 2], [3, 4]",
        ] {
            let found = literal(&format!("A: (Sizes:{{2, 2}} DataType:FLOAT32)\n{data}\n"));
            assert_eq!(
                (found.sizes.as_slice(), found.elements.as_str()),
                (&[2, 2][..], "1 2 3 4"),
                "{data}"
            );
            assert_eq!((found.data_type.as_str(), found.problem), ("FLOAT32", None));
        }
    }

    #[test]
    fn what_is_no_number_is_told_of() {
        assert!(
            literal("A: (Sizes:{2}, DataType:INT8)\n[1, x]")
                .problem
                .unwrap()
                .contains('x')
        );
        assert!(
            literal("A: (Sizes:{2}, DataType:INT8)\n[1, // left undefined\n 2]")
                .problem
                .unwrap()
                .contains("undefined")
        );
        assert!(
            literal("A: (Sizes:{N}, DataType:INT8)\n[1]")
                .problem
                .unwrap()
                .contains("sizes")
        );
    }

    #[test]
    fn no_example_has_more_elements_than_people_read() {
        let of = |count| {
            literal(&format!(
                "A: (Sizes:{{{count}}}, DataType:INT8)\n[{}]",
                "7,".repeat(count)
            ))
        };
        let most = of(65_536);
        assert_eq!((most.problem, most.elements.len()), (None, 2 * 65_536 - 1));
        // What is kept ends there.
        let more = of(65_537);
        assert_eq!(
            (more.problem.as_deref(), more.elements.len()),
            (Some("more than 65536 elements"), 2 * 65_536 - 1)
        );
    }

    #[test]
    fn attributes_have_many_spellings() {
        let words = |list: &[&str]| Given::Words(list.iter().map(|w| (*w).to_owned()).collect());
        for (code, expected) in [
            ("Axis: 3", words(&["3"])),
            ("Axis = 3;\n", words(&["3"])),
            ("Axes: {0, 2}", words(&["0", "2"])),
            ("Axes: {}", words(&[])),
            ("Function: DML_A_SUM // the sum", words(&["DML_A_SUM"])),
            ("Strides: {1}", words(&["1"])),
            ("A: none", Given::Absent),
            ("A = nullptr,", Given::Absent),
        ] {
            assert_eq!(one(code), expected, "{code}");
        }
        let header = literal("A: (Sizes:{1},\n  DataType: INT8)\n[5]");
        assert_eq!((header.data_type.as_str(), header.elements.as_str()), ("INT8", "5"));
        let arrays = read_assignments("InputTensors[1]: (Sizes:{1}, DataType:INT8)\n[1]");
        assert_eq!((arrays[0].name.as_str(), arrays[0].element), ("InputTensors", Some(1)));
        assert_eq!(read_assignments("a == b\nA::B\n// C: 1\n[D]: 2\n"), []);
    }
}
