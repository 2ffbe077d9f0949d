//! Every meaning of the specification has a value for every legal descriptor that is close to an example.

use dml_oracle::{Meanings, corners, probe};
use dml_spec::meaning::Place;

#[test]
fn meanings_have_values_at_the_corners_of_their_tables() {
    let catalog = dml_spec_yaml::load::catalog();
    let meanings = Meanings::of_catalog(catalog);
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for operator in catalog.operators.iter() {
        if meanings.of(&operator.name).is_none() {
            continue;
        }
        let count = corners(catalog, operator).len();
        assert!(count >= 40, "{}: {count} descriptors", operator.name);
        tried += count;
        for found in probe(catalog, &meanings, operator) {
            let (fault, place) = (&found.fault, found.fault.within.as_ref().map(|within| within.place));
            let text = match place {
                Some(Place::Body(at)) => operator
                    .meaning
                    .get(at)
                    .and_then(|(_, body)| body.get(fault.span.clone())),
                _ => None,
            };
            wrong.push(format!(
                "{}: {fault} at {place:?} {text:?}; {:?} in {:?}",
                operator.name, found.pattern, found.descriptor
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 1000, "{tried} descriptors");
}

#[test]
fn a_read_that_nothing_guards_is_found() {
    let mut catalog = dml_spec_yaml::load::catalog().clone();
    let name = "CUMULATIVE_SUMMATION";
    let operators = catalog.operators.to_mut();
    let operator = operators.iter_mut().find(|o| o.name == name).expect("an operator");
    // Right for an axis longer than one alone.
    let meaning = [("OutputTensor[o]", "InputTensor[o with [Axis] = 1]")];
    operator.meaning = meaning.map(|(head, body)| (head.into(), body.into())).to_vec().into();
    operator
        .clauses
        .to_mut()
        .iter_mut()
        .for_each(|clause| clause.tells = Default::default());
    let meanings = Meanings::of_catalog(&catalog);
    let operator = catalog.operator(name).expect("an operator");
    let found = probe(&catalog, &meanings, operator);
    assert!(
        found.iter().any(|found| found.fault.message.starts_with("index [")),
        "{found:?}"
    );
}
