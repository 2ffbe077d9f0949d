//! Any bytes are an operator's YAML beside the suite's own `directml.yaml`, or, where no operator is named, that file
//! itself beside an operator's. What loads compiles.

#![no_main]

use dml_plan::planner::Planner;
use dml_spec::Descriptor;
use dml_spec_yaml::load::{self, File, Files};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let is_operator = bytes.windows(9).any(|window| window == b"operator:");
    let embedded = load::embedded().0.into_iter();
    let (base, operators): (Vec<File>, Vec<File>) = embedded.partition(|file| file.name() == "directml.yaml");
    let mut files = match is_operator {
        true => base,
        false => operators.into_iter().take(1).collect(),
    };
    let path = match is_operator {
        true => "spec/operators/fuzzed.yaml",
        false => "spec/directml.yaml",
    };
    files.push(File::from_bytes(path, bytes.to_vec()));
    loads(&Files(files));
});

fn loads(files: &Files) {
    let (catalog, found) = load::load(files);
    assert_eq!(catalog.is_some(), found.is_empty());
    for diagnostic in &found {
        let _ = diagnostic.to_string();
        let text = files.text(&diagnostic.place.file).unwrap_or_default();
        let span = diagnostic.place.span.clone();
        assert!(
            text.get(span.clone()).is_some(),
            "no part of the text: {span:?} of {diagnostic}"
        );
    }
    let Some(catalog) = catalog else { return };
    let suite = Planner::new(catalog).unwrap_or_else(|why| panic!("it loads, and does not compile: {why:?}"));
    for (at, operator) in suite.catalog.operators.iter().enumerate() {
        let program = suite.program(at).expect("what loads compiles");
        let descriptor = Descriptor::zeroed(operator);
        for level in suite.catalog.levels.iter() {
            program.evaluate(&suite.catalog, operator, &descriptor, level.level);
        }
    }
}
