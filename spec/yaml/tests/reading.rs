//! Reading: places in unusual texts, randomly broken files, and that embedded and loaded files give the same catalog.

use std::path::Path;

use dml_spec_yaml::{
    load::{File, Files, digest, embedded, load, read_dir},
    tree::{Kind, Node, Plain, read::parse},
};
use proptest::prelude::*;
use serde_yaml::Value;

/// Checks that every plain single-line scalar is in the text as it is, and that collections contain their parts.
fn check_spans(text: &str, node: &Node) {
    let raw = text
        .get(node.span.clone())
        .unwrap_or_else(|| panic!("{:?} cuts a character", node.span));
    let within = |inner: &Node| assert!(node.span.start <= inner.span.start && inner.span.end <= node.span.end);
    match &node.kind {
        Kind::Scalar {
            text: value,
            quoted: false,
        } if !raw.contains(['\n', '\r']) => assert_eq!(raw, value),
        Kind::Scalar {
            text: value,
            quoted: true,
        } if raw.starts_with('"') && !raw.contains(['\\', '\n', '\r']) => {
            assert_eq!(raw, format!("\"{value}\""));
        }
        Kind::Scalar { quoted: true, .. } if raw.starts_with(['"', '\'']) => {
            assert!(raw.len() > 1 && raw.ends_with(&raw[..1]), "{raw}");
        }
        Kind::Scalar { .. } => {}
        Kind::Seq(items) => items.iter().for_each(|item| {
            within(item);
            check_spans(text, item);
        }),
        Kind::Map(entries) => entries.iter().for_each(|(key, value)| {
            let raw = text.get(key.span.clone()).expect("a key");
            assert!(
                key.quoted || raw == key.text || raw.contains(['\n', '\r']),
                "{raw:?} is no {:?}",
                key.text
            );
            within(value);
            check_spans(text, value);
        }),
    }
}

#[test]
fn spans_are_bytes_whatever_the_text_holds() {
    let odd = "# Ünï → 💥\nä: ö # é\n\"schlüssel 💥\": [α, \"β\", {γ: δ}] # ω\nfold: >\n  ein é\n  zwei\nlast: 'x'\nleer:\nquoted: \"a\\\"b\" # \"ü\"\nsingle: 'it''s' # 'x'\n";
    for text in embedded()
        .0
        .into_iter()
        .map(|f| f.text.into_owned())
        .chain([odd.to_owned()])
    {
        for text in [
            text.clone(),
            text.replace('\n', "\r\n"),
            format!("\u{feff}{text}"),
            text.trim_end().to_owned(),
        ] {
            let (root, issues) = parse(&text);
            assert_eq!(issues, []);
            check_spans(&text, &root.expect("a tree"));
        }
    }
}

/// Checks that the tree has what a second parser reads.
fn check_values(node: &Node, value: &Value) {
    match (&node.kind, value) {
        (Kind::Map(entries), Value::Mapping(values)) => {
            assert_eq!(entries.len(), values.len());
            for ((key, node), (name, value)) in entries.iter().zip(values) {
                assert_eq!(Some(key.text.as_str()), name.as_str());
                check_values(node, value);
            }
        }
        (Kind::Seq(items), Value::Sequence(values)) => {
            assert_eq!(items.len(), values.len());
            items
                .iter()
                .zip(values)
                .for_each(|(node, value)| check_values(node, value));
        }
        (Kind::Scalar { text, .. }, value) => {
            let kind = match value {
                Value::Null => Plain::Null,
                Value::Bool(_) => Plain::Bool,
                Value::Number(_) => Plain::Number,
                _ => Plain::Text,
            };
            assert_eq!(node.plain(), kind, "{text}");
            if kind == Plain::Text {
                assert_eq!(Some(text.as_str()), value.as_str());
            }
        }
        _ => panic!("found {}, and {value:?}", node.describe()),
    }
}

#[test]
fn a_second_parser_reads_the_same_of_every_file() {
    for file in embedded().0 {
        let root = parse(&file.text).0.expect("a tree");
        check_values(&root, &serde_yaml::from_str(&file.text).expect("a value"));
    }
}

#[test]
fn columns_count_characters_behind_a_byte_order_mark_and_crlf() {
    let place = |text: String| {
        let (_, found) = load(&Files(vec![File::new("directml.yaml", text)]));
        found.first().map(|d| (d.code, d.place.line, d.place.column))
    };
    let text = "# é\nlevels: {\"1.0\": é, x}\ndata_types: {}\n";
    assert_eq!(place(text.to_owned()), Some(("spec::unknown-level", 2, 20)));
    assert_eq!(place(text.replace('\n', "\r\n")), Some(("spec::unknown-level", 2, 20)));
    assert_eq!(
        place("\u{feff}levels: {é: é}".to_owned()),
        Some(("spec::missing-field", 1, 1))
    );
}

#[test]
fn a_folder_and_the_compiled_in_files_give_one_catalog() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the specification");
    let files = read_dir(folder).expect("the folder");
    assert_eq!(digest(&files), digest(&embedded()));
    let mut loaded = load(&files).0.expect("a catalog");
    let shown = format!("{}/operators/top_k1.yaml", folder.display());
    assert_eq!(loaded.operator("TOP_K1").expect("TOP_K1").file, shown);
    // Only the path shown depends on where the files are.
    for operator in loaded.operators.to_mut() {
        operator.file = operator.file.replace(&folder.display().to_string(), "spec").into();
    }
    assert_eq!(Some(loaded), load(&embedded()).0);
    assert!(read_dir(&folder.join("src")).is_err());
}

#[test]
fn the_digest_knows_texts_and_names_and_nothing_else() {
    let file = |path: &str, text: &str| File::new(path.to_owned(), text.to_owned());
    let one = digest(&Files(vec![file("a/x.yaml", "a\nb"), file("a/y.yaml", "c")]));
    assert_eq!(
        one,
        digest(&Files(vec![file("b/y.yaml", "c"), file("b/x.yaml", "a\r\nb")]))
    );
    assert_ne!(
        one,
        digest(&Files(vec![file("a/x.yaml", "a\nbc"), file("a/y.yaml", "")]))
    );
    assert_ne!(
        one,
        digest(&Files(vec![file("a/z.yaml", "a\nb"), file("a/y.yaml", "c")]))
    );
}

/// The real files with one of them broken.
fn with(name: &str, bytes: Vec<u8>) -> Files {
    let replaced = embedded().0.into_iter().map(|f| match f.name() == name {
        true => File::from_bytes(f.path, bytes.clone()),
        false => f,
    });
    Files(replaced.collect())
}

fn text_of(name: &str) -> Vec<u8> {
    let file = embedded().0.into_iter().find(|f| f.name() == name).expect("a file");
    file.text.as_bytes().to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn broken_files_are_explained(
        shared: bool,
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, prop::collection::vec(any::<u8>(), 0..4)), 1..4),
    ) {
        let name = if shared { "directml.yaml" } else { "top_k1.yaml" };
        let mut bytes = text_of(name);
        for (at, length, with) in cuts {
            let at = at.index(bytes.len() + 1);
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, with);
            if bytes.is_empty() {
                break;
            }
        }
        let (catalog, found) = load(&with(name, bytes));
        prop_assert_eq!(catalog.is_none(), !found.is_empty());
        prop_assert!(found.is_sorted_by_key(|d| (d.place.file.clone(), d.place.line)));
    }

    #[test]
    fn lines_that_swap_indentation_or_words_are_explained(
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[ ]{0,6}|[-{}\\[\\]:,&*!|>'\"%@`#?]{1,3}|[a-z]{0,3}: "), 1..6),
    ) {
        let text = String::from_utf8(text_of("top_k1.yaml")).expect("text");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (at, with) in edits {
            let line = at.get(&lines).trim_start().to_owned();
            let at = at.index(lines.len());
            lines[at] = format!("{with}{line}");
        }
        let (catalog, found) = load(&with("top_k1.yaml", lines.join("\n").into_bytes()));
        prop_assert_eq!(catalog.is_none(), !found.is_empty());
    }

    #[test]
    fn any_text_is_read_with_places_or_refused(text in "([-\\[\\]{}:,#&*!|>'\"%@`? \n\r\ta-cé\u{feff}]|---|: |- ){0,60}") {
        let (root, issues) = parse(&text);
        match root {
            Some(root) if issues.is_empty() => check_spans(&text, &root),
            Some(_) => prop_assert!(issues.iter().all(|i| text.get(i.span.clone()).is_some())),
            None => {}
        }
    }
}
