//! Worked examples in the notation of the reference.

use dml_spec::model::{Example, ExampleTensor, ExampleValue, FieldKind, Operator};

use super::{Markdown, capitalise};

pub(super) fn write_examples(page: &mut Markdown, operator: &Operator) {
    if operator.examples.is_empty() {
        return;
    }
    page.paragraph("## Examples");
    for (index, example) in operator.examples.iter().enumerate() {
        let name = capitalise(&example.name.replace('-', " "));
        page.paragraph(&format!("### Example {}. {name}", index + 1));
        page.fence("", &format_example(operator, example));
    }
}

fn format_example(operator: &Operator, example: &Example) -> String {
    let mut text = String::new();
    for field in operator.fields.iter() {
        let value = example.values.iter().find(|(name, _)| *name == field.name);
        let name = &field.name;
        match value.map(|(_, value)| value) {
            Some(ExampleValue::Tensor(t)) => text += &format_tensor(name, t),
            Some(ExampleValue::Tensors(list)) => {
                for (index, t) in list.iter().enumerate() {
                    text += &format_tensor(&format!("{name}[{index}]"), t);
                }
            }
            Some(ExampleValue::Attribute(value)) => {
                text += &format!("{name}: {}\n", format_attribute(&field.kind, value))
            }
            None => text += &format!("{name}: none\n"),
        }
    }
    text
}

fn format_attribute(kind: &FieldKind, value: &str) -> String {
    let is_list = matches!(
        kind,
        FieldKind::UInts(_) | FieldKind::Ints(_) | FieldKind::Floats(_) | FieldKind::ScaleBias | FieldKind::Size2D
    );
    match kind {
        _ if is_list => format!("{{{}}}", value.split_whitespace().collect::<Vec<_>>().join(", ")),
        FieldKind::Bool => if value == "0" { "FALSE" } else { "TRUE" }.to_owned(),
        _ => value.to_owned(),
    }
}

fn format_tensor(name: &str, tensor: &ExampleTensor) -> String {
    let sizes: Vec<String> = tensor.sizes.iter().map(ToString::to_string).collect();
    let head = format!(
        "{name}: (Sizes:{{{}}}, DataType:{})\n",
        sizes.join(","),
        tensor.data_type
    );
    let elements: Vec<&str> = tensor.data.split_whitespace().collect();
    head + &nest_elements(&tensor.sizes, &elements) + "\n\n"
}

/// Elements in brackets, one row on each line, aligned in columns.
fn nest_elements(sizes: &[u32], elements: &[&str]) -> String {
    let Some((row, outer)) = sizes.split_last() else {
        return elements.join(", ");
    };
    let row = usize::try_from(*row).unwrap_or(usize::MAX).max(1);
    let width = elements.iter().map(|e| e.len()).max().unwrap_or_default();
    let depth = outer.len();
    let mut text = "[".repeat(depth);
    let rows: Vec<&[&str]> = elements.chunks(row).collect();
    for (index, elements) in rows.iter().enumerate() {
        let cells: Vec<String> = elements.iter().map(|e| format!("{e:>width$}")).collect();
        text += &format!("[{}]", cells.join(", "));
        let closed = count_closing_brackets(outer, index + 1).min(depth);
        text += &"]".repeat(closed);
        if index + 1 < rows.len() {
            text += &format!(",\n{}{}", " ".repeat(depth - closed), "[".repeat(closed));
        }
    }
    text
}

/// How many brackets end after the first `rows` rows.
fn count_closing_brackets(outer: &[u32], rows: usize) -> usize {
    let mut product = 1;
    let ends = outer.iter().rev().take_while(|size| {
        product *= usize::try_from(**size).unwrap_or(usize::MAX).max(1);
        rows.is_multiple_of(product)
    });
    ends.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_nested_as_in_the_reference() {
        assert_eq!(
            nest_elements(&[1, 2, 2], &["1", "-2", "3", "4"]),
            "[[[ 1, -2],\n  [ 3,  4]]]"
        );
        assert_eq!(nest_elements(&[2, 1, 1], &["1", "2"]), "[[[1]],\n [[2]]]");
        assert_eq!(nest_elements(&[3], &["1", "2", "3"]), "[1, 2, 3]");
    }
}
