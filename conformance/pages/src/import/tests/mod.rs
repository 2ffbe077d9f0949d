//! Merging, drift and updates of pages made here; reading pages has its own tests.

mod created;

use dml_spec::{
    Catalog, Diagnostic, FeatureLevel,
    model::{ExampleTensor, ExampleValue, FieldKind, Role},
};
use dml_spec_yaml::load::{self, File, Files};

use super::{
    apply::{self, Applied, Failure},
    drift::{self, Drift},
    facts::{self, Column, Key},
    merge::{self, Merged},
    page::{
        At, Layout, Page, PageExample, PageField, PageSentence, Property, Row, RowKind, SharedProperty, Spot, Table,
    },
};

fn spot<T>(value: T, anchor: &str, line: u32) -> Spot<T> {
    let at = At {
        anchor: anchor.to_owned(),
        ..At::line(line)
    };
    Spot { value, at }
}

fn field(name: &str, kind: FieldKind) -> Spot<PageField> {
    let value = PageField {
        name: name.to_owned(),
        kind,
        optional: false,
    };
    spot(value, name, 10)
}

fn row(tensor: &str, types: &[&str], dimensions: (u32, u32)) -> Row {
    Row {
        tensor: tensor.to_owned(),
        kind: Some(RowKind {
            output: tensor.starts_with("Output"),
            array: false,
            optional: false,
        }),
        dimensions: Some(dimensions),
        types: types.iter().map(|&t| t.to_owned()).collect(),
        shape: None,
        line: 33,
    }
}

fn table(level: Option<(u32, u32)>, types: &[&str], dimensions: (u32, u32)) -> Spot<Table> {
    let level = level.map(|(major, minor)| FeatureLevel((major << 12) | (minor << 8)));
    let value = Table {
        level,
        functions: Vec::new(),
        rows: vec![
            row("InputTensor", types, dimensions),
            row("OutputTensor", types, dimensions),
        ],
    };
    spot(value, "tensor-support", 30)
}

fn same(property: Property, number: u32) -> Spot<SharedProperty> {
    let value = SharedProperty {
        tensors: vec!["InputTensor".to_owned(), "OutputTensor".to_owned()],
        property,
    };
    let mut spot = spot(value, "tensor-constraints", 20 + number);
    (spot.at.sentence, spot.at.sha256) = (number, hash(&format!("constraint {number}")));
    spot
}

fn hash(text: &str) -> String {
    dml_spec_yaml::ledger::hash(text)
}

fn sentence(anchor: &str, number: u32, text: &str) -> PageSentence {
    let at = At {
        anchor: anchor.to_owned(),
        sentence: number,
        sha256: hash(text),
        line: 40 + number,
        column: 1,
    };
    PageSentence { at, normative: true }
}

fn example(values: &str) -> Spot<PageExample> {
    let tensor = |data: &str| {
        ExampleValue::Tensor(ExampleTensor {
            sizes: vec![1, 1, 1, 2].into(),
            data_type: "FLOAT32".into(),
            data: data.to_owned().into(),
        })
    };
    let value = PageExample {
        values: vec![
            ("InputTensor".to_owned(), tensor(values)),
            ("OutputTensor".to_owned(), tensor(values)),
            ("Axis".to_owned(), ExampleValue::Attribute("0".into())),
        ],
        unusable: None,
    };
    spot(value, "example-1-two-numbers", 50)
}

/// A page about `COPY`, revision by revision.
fn page(file: &str, locale: &str, revision: usize) -> Page {
    let mut tables = vec![
        table(Some((3, 0)), &["FLOAT32", "INT8"], (1, 8)),
        table(Some((2, 1)), &["FLOAT32"], (4, 4)),
    ];
    if revision < 2 {
        tables = vec![table(None, &["FLOAT32"], (4, 4))];
    }
    let mut constraints = vec![same(Property::DataType, 1)];
    if revision < 2 {
        constraints.push(same(Property::Sizes, 2));
    }
    Page {
        file: file.to_owned(),
        document: "ns-directml-dml_copy_operator_desc".to_owned(),
        locale: locale.to_owned(),
        layout: Layout::SdkApi,
        operator: "COPY".to_owned(),
        introduced: Some(spot(FeatureLevel(0x2100), "availability", 25)),
        fields: vec![
            field("InputTensor", FieldKind::Tensor(Role::Input)),
            field("OutputTensor", FieldKind::Tensor(Role::Output)),
            field("Axis", FieldKind::UInt),
        ],
        tables,
        constraints,
        bounds: Vec::new(),
        matching: Vec::new(),
        unowned: Vec::new(),
        exclusions: Vec::new(),
        shapes: Vec::new(),
        formulas: Vec::new(),
        choices: Vec::new(),
        examples: Vec::new(),
        equivalents: Vec::new(),
        claims: Default::default(),
        sentences: vec![
            sentence("tensor-constraints", 1, "constraint 1"),
            sentence("Axis", 2, &format!("It must be small ({locale}).")),
        ],
    }
}

fn shared() -> Files {
    let mut files = load::embedded();
    files.0.retain(|file| file.name() == "directml.yaml");
    files
}

/// The operator of these pages has no cases that could show mistakes.
fn no_cases(_: Catalog, _: &Files) -> Result<Vec<Diagnostic>, Vec<String>> {
    Ok(Vec::new())
}

fn applied(files: &Files, pages: &[Page]) -> Applied {
    let pages: Vec<&Page> = pages.iter().collect();
    let made = apply::apply_pages(files, "COPY", &merge::merge_pages(&pages), &no_cases);
    made.map_err(|failure| match failure {
        Failure::Mistakes(found, _) => format!("{found:?}"),
        other => format!("{other:?}"),
    })
    .expect("an import")
}

/// The specification that results from pages, and its file.
fn imported(pages: &[Page]) -> (Files, Applied) {
    let mut files = shared();
    let made = applied(&files, pages);
    files.0.push(File::new("spec/operators/copy.yaml", made.text.clone()));
    (files, made)
}

fn drifts(files: &Files, pages: &[Page]) -> Vec<Drift> {
    let (catalog, found) = load::load_draft(files);
    assert_eq!(found, []);
    let catalog = catalog.expect("a catalog");
    let operator = catalog.operator("COPY").expect("the operator");
    let pages: Vec<&Page> = pages.iter().collect();
    drift::find_drift(&catalog, operator, &merge::merge_pages(&pages))
}

fn whats(found: &[Drift]) -> Vec<&str> {
    found.iter().map(|drift| drift.what.as_str()).collect()
}

#[test]
fn the_newest_levels_are_followed_then_english() {
    let (old, foreign, new) = (page("old", "en-us", 1), page("fr", "fr-fr", 2), page("new", "en-us", 2));
    let merged: Merged<'_> = merge::merge_pages(&[&old, &foreign, &new]);
    let files: Vec<&str> = merged.pages.iter().map(|page| page.file.as_str()).collect();
    assert_eq!(files, ["new", "fr", "old"]);
    // The old page has one table more to say about sizes, which the new one withdrew.
    let constraints: Vec<String> = merged
        .conflicts
        .iter()
        .map(|c| format!("{} {}", c.page, c.key))
        .collect();
    assert_eq!(constraints, ["2 same Sizes of InputTensor, OutputTensor"]);
    let cell = Key::Cell {
        functions: String::new(),
        level: FeatureLevel(0x3000),
        tensor: "InputTensor".to_owned(),
        column: Column::Types,
    };
    assert_eq!(merged.facts[&cell].0.value, "FLOAT32 INT8");
}

#[test]
fn a_table_without_a_level_is_valid_from_the_introduction_on() {
    let facts = facts::collect_page_facts(&page("old", "en-us", 1));
    let levels: Vec<String> = facts
        .keys()
        .filter_map(|key| match key {
            Key::Cell { level, .. } => Some(level.to_string()),
            _ => None,
        })
        .collect();
    assert!(
        levels.len() == 6 && levels.iter().all(|level| level == "2.1"),
        "{levels:?}"
    );
}

#[test]
fn a_new_file_holds_the_facts_and_nothing_drifts() {
    let mut pages = [page("new", "en-us", 2), page("old", "en-us", 1), page("fr", "fr-fr", 2)];
    pages[0].examples.push(example("1 -0"));
    let (files, made) = imported(&pages);
    assert!(made.changed && made.text.contains("name: two-numbers"), "{}", made.text);
    assert_eq!(drifts(&files, &pages), []);
    // Each of them alone is the imported page.
    for page in &pages {
        assert_eq!(drifts(&files, std::slice::from_ref(page)), [], "{}", page.file);
    }
    let again = applied(&files, &pages);
    assert!(!again.changed, "{}", again.text);
    let (catalog, _) = load::load_draft(&files);
    let catalog = catalog.expect("a catalog");
    let operator = catalog.operator("COPY").expect("the operator");
    let here = facts::collect_operator_facts(&catalog, operator);
    let there = facts::collect_page_facts(&pages[0]);
    let values = |facts: facts::Facts| {
        facts
            .into_iter()
            .map(|(key, fact)| (key, fact.value))
            .collect::<Vec<_>>()
    };
    assert_eq!(values(here), values(there));
    assert_eq!(operator.superseded.len(), 1);
    assert_eq!(operator.superseded[0].fact, "same Sizes of InputTensor, OutputTensor");
    // The sentence that binds waits for a clause.
    assert_eq!(operator.ledger.len(), 1);
    assert_eq!(operator.ledger[0].clause, "todo");
}

#[test]
fn every_kind_of_change_is_named_once() {
    let mut original = page("new", "en-us", 2);
    original.examples.push(example("1 2"));
    let (files, _) = imported(std::slice::from_ref(&original));
    let change = |edit: &dyn Fn(&mut Page)| {
        let mut page = original.clone();
        edit(&mut page);
        let found = drifts(&files, &[page]);
        found
            .into_iter()
            .map(|drift| (drift.what, drift.clauses, drift.examples))
            .collect::<Vec<_>>()
    };
    let one = |what: &str, clauses: &[&str], examples: &[&str]| {
        let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        vec![(what.to_owned(), owned(clauses), owned(examples))]
    };
    let cell = change(&|page| page.tables[0].value.rows[1].types = vec!["INT8".to_owned(), "UINT8".to_owned()]);
    let ids = ["COPY/3.0/OutputTensor/FLOAT32", "COPY/3.0/OutputTensor/UINT8"];
    assert_eq!(cell, one("table 3.0 OutputTensor data types", &ids, &[]));
    let kind = change(&|page| page.tables[0].value.rows[1].kind.as_mut().expect("a kind").output = false);
    assert_eq!(kind, one("table 3.0 OutputTensor kind", &["COPY/same-data-type"], &[]));
    let counts = change(&|page| page.tables[1].value.rows[0].dimensions = Some((4, 5)));
    assert_eq!(
        counts,
        one(
            "table 2.1 InputTensor dimension counts",
            &["COPY/2.1/InputTensor/5-D"],
            &[]
        )
    );
    let value = change(&|page| page.examples[0] = example("1 3"));
    assert_eq!(value.len(), 2);
    assert_eq!(value[0].2, ["two-numbers"]);
    let shared = change(&|page| page.constraints[0] = same(Property::DimensionCount, 1));
    assert_eq!(
        shared,
        one("same DimensionCount of InputTensor, OutputTensor", &[], &[])
    );
    let prose = change(&|page| page.sentences[1] = sentence("Axis", 2, "It must be large."));
    assert_eq!(prose, one("sentence 2 of Axis", &[], &[]));
    let cited = change(&|page| page.sentences[0] = sentence("tensor-constraints", 1, "Other words."));
    assert_eq!(
        cited,
        one("sentence 1 of tensor-constraints", &["COPY/same-data-type"], &[])
    );
    let gone = change(&|page| page.tables.truncate(1));
    assert_eq!(gone.len(), 6, "kind, dimension counts and data types of two tensors");
    let level = change(&|page| page.introduced = Some(spot(FeatureLevel(0x2000), "availability", 25)));
    assert_eq!(level, one("level of introduction", &[], &[]));
    let kind = change(&|page| page.fields[2].value.kind = FieldKind::Int);
    assert_eq!(kind, one("field Axis", &[], &[]));
    let another = change(&|page| page.fields.push(field("K", FieldKind::UInt)));
    let names: Vec<&str> = another.iter().map(|(what, ..)| what.as_str()).collect();
    assert_eq!(names, ["order of the fields", "field K"]);
}

#[test]
fn an_update_keeps_what_was_written_by_hand() {
    let old = page("new", "en-us", 2);
    let (mut files, made) = imported(std::slice::from_ref(&old));
    let by_hand = made
        .text
        .replace("says: Not described yet.\n", "says: Copies. # by hand\n")
        .replace("clause: todo", "clause: none")
        .replace("support:\n", "# The tables.\nsupport:\n");
    files.0.pop();
    files.0.push(File::new("spec/operators/copy.yaml", by_hand.clone()));
    let mut new = old.clone();
    new.tables[0].value.rows[0].types.push("UINT8".to_owned());
    new.tables
        .insert(0, table(Some((5, 0)), &["FLOAT32", "INT8", "UINT8"], (1, 8)));
    new.constraints.push(same(Property::DimensionCount, 3));
    new.sentences.push(sentence("tensor-constraints", 3, "constraint 3"));
    new.examples.push(example("1 2"));
    let updated = applied(&files, std::slice::from_ref(&new));
    let mut kept = by_hand
        .lines()
        .filter(|line| !line.contains("InputTensor: {") && !line.contains("facts: "));
    assert!(kept.all(|line| updated.text.contains(line)), "{}", updated.text);
    files.0.pop();
    files
        .0
        .push(File::new("spec/operators/copy.yaml", updated.text.clone()));
    assert_eq!(whats(&drifts(&files, &[new])), [""; 0]);
}

#[test]
fn a_page_that_is_not_followed_is_held_against_what_it_said() {
    let pages = [page("new", "en-us", 2), page("fr", "fr-fr", 2), page("old", "en-us", 1)];
    let (files, _) = imported(&pages);
    let change = |index: usize, edit: &dyn Fn(&mut Page)| {
        let mut all = pages.clone();
        edit(&mut all[index]);
        let together = drifts(&files, &all);
        assert_eq!(together, drifts(&files, &all[index..=index]), "together and alone");
        let message = together
            .into_iter()
            .map(|d| (d.file, d.what, d.old.is_some(), d.new.is_some()));
        message.collect::<Vec<_>>()
    };
    let one = |file: &str, what: &str, old: bool, new: bool| vec![(file.to_owned(), what.to_owned(), old, new)];
    let cell = change(1, &|page| page.tables[1].value.rows[0].types.push("INT16".to_owned()));
    assert_eq!(cell, one("fr", "table 2.1 InputTensor data types", true, true));
    let prose = change(1, &|page| page.sentences[1] = sentence("Axis", 2, "Autre chose."));
    assert_eq!(prose, one("fr", "sentence 2 of Axis", true, true));
    let added = change(2, &|page| page.sentences.push(sentence("Axis", 3, "More.")));
    assert_eq!(added, one("old", "sentence 3 of Axis", false, true));
    let gone = change(2, &|page| page.sentences.truncate(1));
    assert_eq!(
        gone,
        one(
            "old",
            "the sentence behind sentence 1 of tensor-constraints",
            true,
            false
        )
    );
    // What only the old page said.
    let withdrawn = change(2, &|page| page.constraints.truncate(1));
    assert_eq!(
        withdrawn,
        one("old", "same Sizes of InputTensor, OutputTensor", true, false)
    );
}

#[test]
fn sentences_that_bind_nobody_are_held_too() {
    let mut original = page("new", "en-us", 2);
    let mut plain = sentence("Axis", 3, "Falling.");
    plain.normative = false;
    original.sentences.push(plain.clone());
    let (files, _) = imported(std::slice::from_ref(&original));
    let mut changed = original.clone();
    changed.sentences[2].at.sha256 = hash("Rising.");
    assert_eq!(whats(&drifts(&files, &[changed])), ["sentence 3 of Axis"]);
    // Neither another order nor a second copy of the page is a change.
    let mut moved = original.clone();
    moved.sentences.swap(1, 2);
    assert_eq!(drifts(&files, &[moved]), []);
    assert_eq!(drifts(&files, &[original.clone(), original]), []);
}

#[test]
fn a_page_that_contradicts_itself_is_noticed() {
    let original = page("new", "en-us", 2);
    let (files, _) = imported(std::slice::from_ref(&original));
    let mut again = original.clone();
    let mut second = again.tables[0].clone();
    second.value.rows[0].types.push("UINT8".to_owned());
    again.tables.push(second.clone());
    let found = drifts(&files, &[again]);
    assert_eq!(
        whats(&found),
        ["table 3.0 InputTensor data types, which the page states twice"]
    );
    assert_eq!(found[0].clauses, ["COPY/3.0/InputTensor/UINT8"]);
    let mut same = original.clone();
    same.tables.push(original.tables[0].clone());
    assert_eq!(drifts(&files, &[same]), [], "twice the same is no contradiction");
}

#[test]
fn an_example_that_cannot_be_used_is_recorded_as_it_is() {
    let mut original = page("new", "en-us", 2);
    original.examples.push(example("1 2"));
    original.examples[0].value.unusable = Some("its sizes are undefined".to_owned());
    let (files, made) = imported(std::slice::from_ref(&original));
    assert!(made.text.contains("fact: example 1"), "{}", made.text);
    assert_eq!(drifts(&files, std::slice::from_ref(&original)), []);
    original.examples[0] = example("1 3");
    let found = drifts(&files, &[original]);
    assert!(
        !found.is_empty() && found.iter().all(|d| d.what.starts_with("example 1")),
        "{found:?}"
    );
}

#[test]
fn mistakes_that_pages_bring_in_are_told_at_their_lines() {
    let mut bad = page("new", "en-us", 2);
    bad.tables[0].value.rows[1].dimensions = Some((8, 1));
    let merged = [&bad];
    let failure =
        apply::apply_pages(&shared(), "COPY", &merge::merge_pages(&merged), &no_cases).expect_err("a mistake");
    let Failure::Mistakes(found, _) = failure else {
        panic!("{failure:?}");
    };
    let places: Vec<String> = found.iter().map(|d| d.place.to_string()).collect();
    assert_eq!(places, ["new:33:1"]);
}

#[test]
fn a_clause_whose_sentence_changed_is_told_until_it_is_accepted() {
    let original = page("new", "en-us", 2);
    let (mut files, _) = imported(std::slice::from_ref(&original));
    let mut changed = original.clone();
    changed.sentences[0] = sentence("tensor-constraints", 1, "Other words.");
    changed.constraints[0].at.sha256 = hash("Other words.");
    let made = applied(&files, std::slice::from_ref(&changed));
    assert!(
        made.notes
            .iter()
            .any(|note| note.contains("spec accept COPY/same-data-type")),
        "{:?}",
        made.notes
    );
    files.0.pop();
    files.0.push(File::new("spec/operators/copy.yaml", made.text));
    let found = drifts(&files, &[changed]);
    assert_eq!(whats(&found), ["sentence 1 of tensor-constraints"]);
    assert_eq!(found[0].clauses, ["COPY/same-data-type"]);
}

#[test]
fn a_page_that_was_cut_short_changes_nothing() {
    let original = page("new", "en-us", 2);
    let (files, _) = imported(std::slice::from_ref(&original));
    let refused = |edit: &dyn Fn(&mut Page)| {
        let mut cut = original.clone();
        edit(&mut cut);
        match apply::apply_pages(&files, "COPY", &merge::merge_pages(&[&cut]), &no_cases) {
            Err(Failure::Mistakes(found, _)) => found.iter().map(|d| (d.code, d.place.to_string())).collect(),
            other => panic!("{other:?}"),
        }
    };
    let expected = vec![("page::truncated", "new:1:1".to_owned())];
    let without_tables: Vec<(&str, String)> = refused(&|page| page.tables.clear());
    assert_eq!(without_tables, expected);
    assert_eq!(refused(&|page| page.fields.truncate(2)), expected);
}
