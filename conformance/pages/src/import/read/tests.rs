//! Invented pages in every layout.

use dml_spec::{
    FeatureLevel,
    model::{FieldKind, Role},
};
use proptest::prelude::*;

use super::read_page;
use crate::import::{
    facts, lint_page,
    page::{Layout, Page, Property},
};
use dml_spec_yaml::load::catalog;

const SDK: &[u8] = include_bytes!("../../../tests/pages/sdk.md");
const RENDERED: &[u8] = include_bytes!("../../../tests/pages/rendered.md");
const CHINESE: &[u8] = include_bytes!("../../../tests/pages/rendered_zh-tw.md");
const BILINGUAL: &[u8] = include_bytes!("../../../tests/pages/bilingual_fr-fr.md");
const JAPANESE: &[u8] = include_bytes!("../../../tests/pages/text_ja-jp.txt");
const SPANISH: &[u8] = include_bytes!("../../../tests/pages/es-es.md");
const ALL: [(&str, &[u8]); 6] = [
    ("sdk.md", SDK),
    ("rendered.md", RENDERED),
    ("rendered_zh-tw.md", CHINESE),
    ("bilingual_fr-fr.md", BILINGUAL),
    ("text_ja-jp.txt", JAPANESE),
    ("es-es.md", SPANISH),
];

fn page(file: &str, bytes: &[u8]) -> Page {
    let (page, found) = read_page(file, bytes, catalog());
    assert_eq!(found, [], "{file}");
    page.expect("a page")
}

fn kinds(page: &Page) -> Vec<(&str, String)> {
    let each = page.fields.iter().map(|f| &f.value);
    each.map(|f| (f.name.as_str(), facts::format_kind(&f.kind, f.optional)))
        .collect()
}

fn codes(page: &Page) -> Vec<&'static str> {
    let mut codes: Vec<_> = lint_page(page, catalog(), None).iter().map(|d| d.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn fields_of_the_sdk_layout() {
    let page = page("sdk.md", SDK);
    assert_eq!((page.layout, page.locale.as_str()), (Layout::SdkApi, "en-us"));
    assert_eq!(
        (page.operator.as_str(), page.document.as_str()),
        ("WEIGH1", "ns-directml-dml_weigh1_operator_desc")
    );
    let expected = [
        ("InputTensor", "input"),
        ("StonesTensors", "input array of StoneCount"),
        ("OutputTensor", "optional output"),
        ("StoneCount", "UINT"),
        ("PanCount", "UINT"),
        ("Pans", "UINT array of PanCount"),
        ("Padding", "optional INT array of PanCount"),
        ("ScaleBias", "optional SCALE_BIAS"),
        ("ValueDataType", "DML_TENSOR_DATA_TYPE"),
        ("Value", "SCALAR of ValueDataType"),
        ("Function", "DML_REDUCE_FUNCTION"),
        ("Direction", "DML_RECURRENT_NETWORK_DIRECTION"),
        ("FusedActivation", "optional OPERATOR"),
        ("ActivationDescCount", "UINT"),
        ("ActivationDescs", "OPERATOR array of ActivationDescCount"),
        ("WindowSize", "SIZE_2D"),
        ("Exact", "BOOL"),
    ];
    let found = kinds(&page);
    let found: Vec<(&str, &str)> = found.iter().map(|(name, kind)| (*name, kind.as_str())).collect();
    assert_eq!(found, expected);
    let rendered = self::page("rendered.md", RENDERED);
    let places: Vec<_> = rendered.fields.iter().map(|f| (f.at.line, f.at.column)).collect();
    assert_eq!(places, [(17, 5), (18, 5), (19, 5), (20, 5), (21, 5)]);
}

#[test]
fn tables_by_function_keep_level_and_dimensions() {
    let page = page("sdk.md", SDK);
    let tables: Vec<_> = page
        .tables
        .iter()
        .map(|t| (t.value.functions.join(" "), t.value.level.map(|l| l.to_string())))
        .collect();
    let level = |text: &str| Some(text.to_owned());
    let functions = "MAX SUM".to_owned();
    assert_eq!(
        tables,
        [
            (functions.clone(), level("3.0")),
            (functions, level("2.1")),
            ("MIN".to_owned(), level("2.1"))
        ]
    );
    let rows = &page.tables[0].value.rows;
    assert_eq!(rows[0].shape.as_deref(), Some("{ [N], C }"));
    assert_eq!(rows[1].shape.as_deref(), Some("{ StoneDimensions[] }"));
    assert_eq!((rows[2].shape.as_ref(), rows[2].types.len()), (None, 0));
    assert!(rows[1].kind.unwrap().array && rows[2].kind.unwrap().optional);
}

#[test]
fn examples_share_what_stands_before_them() {
    let page = page("sdk.md", SDK);
    assert_eq!(page.examples.len(), 3);
    let anchors: Vec<_> = page.examples.iter().map(|e| e.at.anchor.as_str()).collect();
    assert_eq!(
        anchors,
        ["example-1-two-stones", "example-2-undefined", "example-2-undefined"]
    );
    let shown = |index: usize, name: &str| {
        let example = &page.examples[index].value;
        let value = example.values.iter().find(|(own, _)| own == name);
        value.map(|(_, value)| facts::format_example_value(value))
    };
    for index in 0..3 {
        assert_eq!(shown(index, "InputTensor").as_deref(), Some("1x4 FLOAT32 1 10 -0 2.5"));
    }
    assert_eq!(shown(0, "StonesTensors").as_deref(), Some("2 UINT8 1 2; 1x1 INT8 -7"));
    assert_eq!(shown(0, "Value").as_deref(), Some("-2147483648"));
    assert_eq!(shown(0, "Function").as_deref(), Some("DML_REDUCE_FUNCTION_SUM"));
    assert_eq!((shown(0, "ScaleBias"), shown(1, "OutputTensor")), (None, None));
    assert_eq!(
        (shown(2, "Pans").as_deref(), shown(2, "PanCount").as_deref()),
        (Some("2"), Some("1"))
    );
    assert!(page.examples[1].value.unusable.as_ref().unwrap().contains("undefined"));
}

#[test]
fn every_mistake_of_a_page_is_found() {
    assert_eq!(
        codes(&page("sdk.md", SDK)),
        [
            "page::empty-cell",
            "page::example-count",
            "page::example-rule",
            "page::example-support",
            "page::incomplete-example",
            "page::no-row",
            "page::shrinks",
            "page::unknown-tensor",
            "page::unknown-type",
            "page::wrong-comment"
        ]
    );
    assert_eq!(
        codes(&page("rendered.md", RENDERED)),
        [
            "page::example-count",
            "page::example-support",
            "page::out-of-range",
            "page::undeclared",
            "page::undescribed"
        ]
    );
    let rendered = String::from_utf8_lossy(RENDERED);
    let (before, members) = rendered.split_once("## Members").unwrap();
    let behind = members.find("\n## ").map_or("", |at| &members[at..]);
    assert!(codes(&page("rendered.md", format!("{before}{behind}").as_bytes())).contains(&"page::undescribed"));
    for (file, bytes) in [("zh-tw.md", CHINESE), ("fr-fr.md", BILINGUAL), ("ja-jp.txt", JAPANESE)] {
        assert_eq!(codes(&page(file, bytes)), [] as [&str; 0], "{file}");
    }
}

#[test]
fn other_languages_and_layouts_are_read_alike() {
    for (file, bytes, locale, layout) in [
        ("a.md", CHINESE, "zh-tw", Layout::Rendered),
        ("a.md", BILINGUAL, "fr-fr", Layout::Rendered),
        ("a.txt", JAPANESE, "ja-jp", Layout::PlainText),
        ("es-es.md", SPANISH, "es-es", Layout::Rendered),
    ] {
        let page = page(file, bytes);
        assert_eq!((page.locale.as_str(), page.layout), (locale, layout));
        let roles: Vec<_> = page.fields.iter().filter_map(|f| f.value.kind.role()).collect();
        assert_eq!(roles, [Role::Input, Role::Output], "{locale}");
        assert_eq!(page.constraints.len(), 1, "{locale}");
        assert_eq!(
            page.constraints[0].value.tensors,
            ["InputTensor", "OutputTensor"],
            "{locale}"
        );
        let rows = page.tables.iter().flat_map(|t| &t.value.rows);
        assert!(rows.clone().count() >= 2 && rows.clone().all(|r| r.kind.is_some() && r.dimensions.is_some()));
    }
    let japanese = page("a.txt", JAPANESE);
    assert_eq!(japanese.fields[3].value.kind, FieldKind::UInts("AxisCount".into()));
    assert_eq!(japanese.constraints[0].value.property, Property::DimensionCount);
    assert_eq!(japanese.equivalents[0].value, "WEIGH");
    assert_eq!(japanese.introduced.unwrap().value, FeatureLevel::new(2, 1));
    assert_eq!(japanese.examples[0].at.anchor, "example-1");
}

#[test]
fn a_bilingual_page_reads_as_english() {
    let bilingual = page("fr-fr.md", BILINGUAL);
    let light = dml_spec_yaml::ledger::hash("It must be light.");
    let found = bilingual
        .sentences
        .iter()
        .find(|s| s.at.sha256 == light)
        .expect("the sentence");
    assert_eq!(
        (found.at.anchor.as_str(), found.at.sentence, found.normative),
        ("InputTensor", 1, true)
    );
    let text = String::from_utf8_lossy(BILINGUAL);
    assert!(
        text.lines()
            .nth(found.at.line as usize - 1)
            .unwrap()
            .contains("It must be light.")
    );
}

#[test]
fn sizes_that_may_be_1_instead_are_read_of_the_list_before_and_of_named_tensors() {
    let of = |more: &str| {
        let anchor = "### -field InputTensor\n";
        let text = String::from_utf8_lossy(SDK).replace("\r\n", "\n");
        let end = text.find(anchor).unwrap() + anchor.len();
        let next = end + text[end..].find("### -field").unwrap();
        let text = format!("{}{more}\n\n{}", &text[..next], &text[next..]);
        let shapes = page("sdk.md", text.as_bytes()).shapes.into_iter();
        let shapes = shapes.filter(|shape| shape.value.broadcasts);
        shapes.map(|shape| shape.value.tensor).collect::<Vec<_>>()
    };
    let list = "This tensor's dimensions should be `{ N, C }`.";
    assert_eq!(of(list), [""; 0]);
    let replaced = "Any dimension can be replaced with 1 to broadcast in that dimension.";
    assert_eq!(of(&format!("{list} {replaced}")), ["InputTensor"]);
    assert_eq!(of(&format!("{list} And so on. {replaced}")), [""; 0]);
    let named = "Any dimension in *OutputTensor* can be set to 1, and be automatically broadcast to match *InputTensor*, \
                 but otherwise must equal the corresponding dimension's size from *InputTensor*.";
    assert_eq!(of(&format!("{list} {named}")), ["OutputTensor"]);
}

#[test]
fn line_ends_and_marks_change_nothing() {
    for (file, bytes) in ALL {
        let plain = page(file, bytes);
        let text = String::from_utf8_lossy(bytes);
        for other in [text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
            assert_eq!(
                facts::collect_page_facts(&page(file, other.as_bytes())),
                facts::collect_page_facts(&plain),
                "{file}"
            );
        }
    }
}

#[test]
fn what_cannot_be_read_is_told_of() {
    let codes = |bytes: &[u8]| {
        let (page, found) = read_page("x.md", bytes, catalog());
        (page.is_some(), found.iter().map(|d| d.code).collect::<Vec<_>>())
    };
    assert_eq!(codes(b""), (false, vec!["page::not-an-operator"]));
    assert_eq!(
        codes(b"---\nUID: NE:directml.DML_X\n---\n# DML_X"),
        (false, vec!["page::not-an-operator"])
    );
    assert_eq!(codes(b"# DML_A_OPERATOR_DESC"), (true, vec!["page::no-fields"]));
    assert_eq!(
        codes(b"---\ntitle: DML_A_OPERATOR_DESC"),
        (true, vec!["page::truncated", "page::no-fields"])
    );
    let mut broken = SDK.to_vec();
    broken[300] = 0xff;
    assert_eq!(codes(&broken), (true, vec!["page::utf-8"]));
    let again = String::from_utf8_lossy(SDK).replace("### -field PanCount", "### -field StoneCount");
    assert!(codes(again.as_bytes()).1.contains(&"page::member-twice"));
    let again = String::from_utf8_lossy(RENDERED).replace("OutputTensor;", "InputTensor;");
    assert!(codes(again.as_bytes()).1.contains(&"page::member-twice"));
    let end = String::from_utf8_lossy(SDK).find("OutputTensor: (Sizes").unwrap();
    assert_eq!(codes(&SDK[..end + 30]), (true, vec!["page::truncated"]));
    let twice = String::from_utf8_lossy(CHINESE).replace(
        "\n| 張",
        "\n| InputTensor | 輸入 | 4 | INT8 |\n\n### DML_FEATURE_LEVEL_3_1\n\n| 張",
    );
    let table =
        "\n### DML_FEATURE_LEVEL_3_1\n\n| T | K | C | D |\n| - | - | - | - |\n| InputTensor | 輸入 | 4 | INT8 |\n";
    let twice = page(
        "x.md",
        format!("{}{table}", twice.replace("### DML_FEATURE_LEVEL_3_1\n\n| 張", "| 張")).as_bytes(),
    );
    assert!(
        lint_page(&twice, catalog(), None)
            .iter()
            .any(|d| d.code == "page::level-twice")
    );
}

#[test]
fn a_page_of_twenty_megabytes_takes_no_time_that_matters() {
    let text = String::from_utf8_lossy(RENDERED);
    let parts = [
        "](",
        "<span ",
        "| a ",
        "`",
        "\n# A\n",
        "\n`A`\n",
        "{ ",
        "a. B ",
        "\n| InputTensor | Input | 4 | INT8 |",
        "\nA: (Sizes:{1})[1]",
    ];
    for part in parts {
        let long = format!("{text}\n{}", part.repeat(1_000_000 / part.len()));
        let (page, _) = read_page("x.md", long.as_bytes(), catalog());
        let _ = lint_page(&page.expect("a page"), catalog(), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        read_page("x.md", &bytes, catalog());
    }

    #[test]
    fn any_change_of_a_page_is_read(
        which in 0..ALL.len(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..60_usize), 1..6),
    ) {
        let (file, bytes) = ALL[which];
        let mut bytes = bytes.to_vec();
        for (from, to, length) in cuts {
            let from = from.index(bytes.len());
            let part: Vec<u8> = bytes.drain(from..(from + length).min(bytes.len())).collect();
            let to = to.index(bytes.len().max(1)).min(bytes.len());
            bytes.splice(to..to, part);
        }
        if let (Some(page), _) = read_page(file, &bytes, catalog()) {
            lint_page(&page, catalog(), None);
            facts::collect_page_facts(&page);
        }
    }
}
