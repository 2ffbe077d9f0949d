use dml_plan::planner::Planner;
use dml_spec::model::Tier;

use super::*;

#[test]
fn every_kind_of_mistake_is_made_and_most_are_found() {
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).unwrap();
    let at = suite
        .catalog
        .operators
        .iter()
        .position(|of| of.name == "TOP_K1")
        .unwrap();
    let tried = run(&suite, at, Tier::Smoke, &|_| {});
    for (class, all) in classes(&tried) {
        let first = all.first().unwrap();
        if first.fate() != Fate::Killed {
            println!("{class} {:?}", first.fate());
            for tried in all {
                println!(
                    "   {} {} {:?}",
                    tried.mutant.id, tried.mutant.sentence, tried.mutant.place
                );
            }
        }
    }
    let count = |fate| tried.iter().filter(|tried| tried.fate() == fate).count();
    println!(
        "{} {} {} {} classes {}",
        tried.len(),
        count(Fate::Killed),
        count(Fate::Tolerated),
        count(Fate::Alive),
        classes(&tried).len()
    );
}
