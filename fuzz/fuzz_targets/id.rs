//! Any text is the id of a case, and a query: what an id builds has that id, and what is read prints itself.

#![no_main]

use dml_case::{id::CaseId, query::Query};
use dml_fuzz::{suite, within};
use libfuzzer_sys::fuzz_target;

/// What a case may hold.
const LIMIT: u64 = 256 << 20;

fuzz_target!(|text: &str| {
    id(text);
    query(text);
});

fn id(text: &str) {
    let Ok(id) = text.parse::<CaseId>() else { return };
    let again: CaseId = id.to_string().parse().expect("it was printed here");
    assert_eq!(again, id);
    let case = match within(LIMIT, || dml_plan::build(suite(), &id)) {
        Ok(case) => case,
        Err(why) => return drop(why.to_string()),
    };
    assert_eq!(case.id.to_string(), id.to_string());
    let again = dml_plan::build(suite(), &case.id).expect("it was built before");
    assert_eq!(again.inputs, case.inputs);
    let query: Query = id.to_string().parse().expect("every id is a query");
    assert!(query.matches(&id), "{query} does not match {id}");
}

fn query(text: &str) {
    let Ok(query) = text.parse::<Query>() else { return };
    let again: Query = query.to_string().parse().expect("it was printed here");
    assert_eq!(again, query);
    dml_plan::query::find_unknown_value(suite(), &query);
    if let Some(id) = query.as_id() {
        assert!(query.matches(&id), "{query} does not match {id}");
    }
}
