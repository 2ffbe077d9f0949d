//! Readable JSON: values that fit on a line are written on one.

use serde_json::Value;

use dml_case::text::{WIDTH, wrapped};

/// An object with its entries in this order.
pub fn pretty(entries: &[(&str, Value)]) -> String {
    let lines: Vec<String> = entries.iter().map(|(key, value)| entry(key, value, 1)).collect();
    printable(&format!("{{\n{}\n}}\n", lines.join(",\n")))
}

/// The same JSON without the control characters that it allows in strings, and terminals take for commands.
fn printable(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text
}

fn entry(key: &str, value: &Value, depth: usize) -> String {
    let start = format!("{}{}: ", "  ".repeat(depth), Value::from(key));
    let short = spaced(value);
    if start.len() + short.len() < WIDTH {
        return start + &short;
    }
    start + &broken(value, depth)
}

/// A value that does not fit on a line.
fn broken(value: &Value, depth: usize) -> String {
    let end = "  ".repeat(depth);
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            let lines = entries.iter().map(|(key, value)| entry(key, value, depth + 1));
            format!("{{\n{}\n{end}}}", lines.collect::<Vec<_>>().join(",\n"))
        }
        Value::Array(items) if !items.is_empty() => {
            let indent = "  ".repeat(depth + 1);
            let items: Vec<String> = items.iter().map(spaced).collect();
            let lines = wrapped(items.iter().map(String::as_str), ", ", WIDTH - indent.len() - 1);
            let lines: Vec<String> = lines.into_iter().map(|line| format!("{indent}{line}")).collect();
            format!("[\n{}\n{end}]", lines.join(",\n"))
        }
        other => other.to_string(),
    }
}

/// A value on one line.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), spaced(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn short_values_stand_on_one_line_and_long_ones_wrap() {
        let long: Vec<u32> = (100_000..100_040).collect();
        let value = json!({"short": [1, -0.0, null], "long": long});
        let text = pretty(&[
            ("format", json!("a \"b\"")),
            ("data", value.clone()),
            ("none", json!([])),
        ]);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["data"], value);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(
            text.contains("    \"short\": [1, -0.0, null]\n") && text.lines().count() < 20,
            "{text}"
        );
    }
}
