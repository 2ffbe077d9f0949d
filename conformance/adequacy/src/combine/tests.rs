use std::collections::HashSet;

use super::*;

fn of(name: &str) -> (Planner, usize, Traits) {
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
    let place = suite.catalog.operators.iter().position(|o| o.name == name).unwrap();
    let traits = Traits::of(&suite, place).unwrap();
    (suite, place, traits)
}

fn names(name: &str, id: &str) -> Vec<String> {
    let (suite, place, traits) = of(name);
    let case = dml_plan::build(&suite, &id.parse().unwrap()).unwrap();
    let operator = &suite.catalog.operators[place];
    let values = traits.of_case(&Scene::new(&suite, operator, &case)).unwrap();
    assert!(values.is_sorted());
    values.iter().map(|value| traits.name(*value).to_owned()).collect()
}

#[test]
fn cases_have_the_traits_that_they_show() {
    let found = names(
        "JOIN",
        "JOIN:3.1:variants:type=FLOAT32,sizes=5x2x5x9_5x3x5x9_5x1x5x9,axis=1,layout=padded",
    );
    let expected = [
        "4-D, an input strided",
        "numbers beyond 24 bits, an input strided",
        "an output strided",
        "an input of at most 1024 elements",
        "an output of 1025 to 4096 elements",
        "memory of its own",
        "InputTensors FLOAT32",
        "InputTensors of three",
        "tensors of unequal sizes",
        "InputTensors's longest dimension at most 64",
        "Axis is 1",
        "elements along Axis: at most 64",
    ];
    assert_eq!(found, expected);
}

#[test]
fn cases_are_chosen_for_what_none_combines() {
    let (suite, place, traits) = of("ACTIVATION_RELU");
    let suite = Planner {
        combinations: dml_plan::listed::Listed::default(),
        ..suite
    };
    let before = planned(&suite, place, &traits);
    let drawn = drawn(&suite, place, &traits, 1024);
    assert!(drawn.len() > 500, "{}", drawn.len());
    assert!(
        !missed(&traits, &drawn, &before).is_empty(),
        "the sweeps have everything"
    );
    let mut covered = before.clone();
    let chosen = choose(&traits, &drawn, &mut covered);
    assert!(missed(&traits, &drawn, &covered).is_empty() && covered.count() > before.count());
    assert!(chosen.len() < drawn.len() / 3, "{} of {}", chosen.len(), drawn.len());
    // Planned, they cover what they were chosen for.
    let with = Planner {
        combinations: dml_plan::listed::Listed::of(chosen),
        ..suite
    };
    assert_eq!(planned(&with, place, &traits).count(), covered.count());
}

#[test]
fn every_listed_case_is_planned() {
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
    let text = dml_spec::embedded::COMBINATIONS;
    let listed: HashSet<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let name = "CUMULATIVE_SUMMATION";
    let place = suite.catalog.operators.iter().position(|o| o.name == name).unwrap();
    let mut planned = HashSet::new();
    for bucket in dml_plan::buckets_of(&suite, place) {
        let _ = dml_plan::for_each_case(&suite, &bucket, Tier::Standard, 0, &mut |case| {
            planned.insert(case.id.to_string());
            ControlFlow::Continue(())
        });
    }
    let own = listed.iter().filter(|id| id.split(':').next() == Some(name));
    let lost: Vec<_> = own.clone().filter(|id| !planned.contains(**id)).collect();
    assert!(own.count() > 100 && lost.is_empty(), "{lost:?}");
}

#[test]
fn a_list_can_name_what_belongs_to_a_bucket() {
    let (suite, place, _) = of("REDUCE");
    let has_a_bucket = dml_plan::bucketed(&suite, place);
    let of_type = |family: &str, name: &str| {
        let id = format!("REDUCE:2.1:{family}:fn=SUM,type={name},out={name},sizes=2x3,axes=1");
        has_a_bucket(&id.parse().unwrap())
    };
    // The family of sums that overflow has no sweep of floats.
    assert!(of_type("overflow", "INT32") && !of_type("overflow", "FLOAT32"));
    assert!(of_type("sizes", "FLOAT32") && !of_type("nonsense", "FLOAT32"));
}
