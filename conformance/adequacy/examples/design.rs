//! What covering arrays of an operator's parameters come to: rows, pairs, time, and what they kill.
//!
//! `cargo run --release -p dml-adequacy --example design -- [--mutants] [OPERATOR…]`

#![expect(clippy::print_stdout, reason = "a tool prints")]

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Instant,
};

use dml_adequacy::mutants::{Fate, Plan, classes, run_on};
use dml_case::outcome::Basis;
use dml_plan::{
    builder::Builder,
    design::{Design, Parameter, design, family, parameters},
    planner::Planner,
};
use dml_spec::model::Tier;

/// How many of the other ids move if a value of a parameter with eight values or more is taken away.
fn stability(builder: &Builder<'_>, all: &[Parameter], family: &str, before: &Design) {
    let ids =
        |of: &Design| -> BTreeSet<String> { of.rows.iter().map(|row| row.id(builder, family).to_string()).collect() };
    let mut shares: Vec<(f64, String)> = Vec::new();
    for (at, parameter) in all
        .iter()
        .enumerate()
        .filter(|(_, parameter)| parameter.values.len() >= 8)
    {
        for (value, choice) in parameter.values.iter().enumerate() {
            let mut fewer = all.to_vec();
            fewer[at].values.remove(value);
            let after = ids(&design(builder, &fewer, family, Tier::Standard));
            let others = before.rows.iter().filter(|row| row.values[at].0 != value);
            let others: BTreeSet<String> = others.map(|row| row.id(builder, family).to_string()).collect();
            let gone = others.difference(&after).count();
            let share = gone as f64 * 100.0 / others.len() as f64;
            shares.push((share, format!("{}={}", parameter.name, choice.label)));
        }
    }
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let median = shares.get(shares.len() / 2).map_or(0.0, |(share, _)| *share);
    let last: Vec<String> = shares
        .iter()
        .rev()
        .take(5)
        .map(|(share, name)| format!("{share:.1} % {name}"))
        .collect();
    println!(
        "{}: {} removals, median {median:.1} %; most: {}",
        builder.operator.name,
        shares.len(),
        last.join(", ")
    );
}

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let flag = |names: &mut Vec<String>, flag: &str| {
        let before = names.len();
        names.retain(|name| name != flag);
        names.len() < before
    };
    let (with_mutants, with_rows) = (flag(&mut names, "--mutants"), flag(&mut names, "--rows"));
    let with_stability = flag(&mut names, "--stability");
    let with_kills = flag(&mut names, "--kills");
    let with_given_up = flag(&mut names, "--given-up");
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).expect("a specification that passes its checks");
    let suite = Arc::new(suite);
    println!(
        "{:<24}{:>7}{:>7}{:>8}{:>8}{:>9}{:>10}",
        "operator", "values", "rows", "smoke", "pairs", "given up", "ms"
    );
    for (at, operator) in suite.catalog.operators.iter().enumerate() {
        if !names.is_empty() && !names.iter().any(|name| *name == operator.name) {
            continue;
        }
        let Some(builder) = Builder::new(&suite, at) else {
            continue;
        };
        let Some((family, name)) = family(&builder) else {
            continue;
        };
        let started = Instant::now();
        let parameters = match parameters(&builder) {
            Ok(found) => found,
            Err(errors) => {
                println!("{}: {errors:?}", operator.name);
                continue;
            }
        };
        let found = design(&builder, &parameters, name, Tier::Standard);
        let spent = started.elapsed().as_millis();
        if with_stability {
            stability(&builder, &parameters, name, &found);
            continue;
        }
        let values: usize = parameters.iter().map(|parameter| parameter.values.len()).sum();
        println!(
            "{:<24}{values:>7}{:>7}{:>8}{:>8}{:>9}{spent:>10}",
            operator.name,
            found.rows.len(),
            found.smoke,
            found.pairs,
            found.given_up.len()
        );
        if with_rows {
            for row in &found.rows {
                println!("  {}", row.id(&builder, name));
            }
        }
        if with_given_up {
            let mut by: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for [(a, x), (b, y)] in &found.given_up {
                let (one, other) = (&parameters[*a], &parameters[*b]);
                let pair = format!("{}/{}", one.values[*x].label, other.values[*y].label);
                by.entry(format!("{} and {}", one.name, other.name))
                    .or_default()
                    .push(pair);
            }
            for (names, pairs) in by {
                println!(
                    "  {names}: {} {}",
                    pairs.len(),
                    pairs.iter().take(40).cloned().collect::<Vec<_>>().join(" ")
                );
            }
        }
        if with_mutants {
            let started = Instant::now();
            let cases = found.rows.iter().filter_map(|row| {
                let built = builder.case(row.id(&builder, name), family);
                if let Err(error) = &built {
                    println!("  {error}");
                }
                built.ok()
            });
            let cases: Vec<_> = cases.collect();
            let elements: u64 = cases.iter().map(|case| case.elements(&suite.catalog)).sum();
            let plan = Plan {
                tier: Tier::Standard,
                basis: Basis::Runtime,
            };
            let tried = run_on(&suite, at, plan, cases);
            let mut fates: BTreeMap<&str, usize> = BTreeMap::new();
            let classes = classes(&tried);
            let mut often = 0;
            for ((_, fate), all) in &classes {
                *fates.entry(fate.word()).or_default() += 1;
                often += usize::from(all.iter().any(|tried| tried.kills.len() >= 5));
            }
            println!(
                "  {elements} elements; {fates:?}, {often} by 5 or more; {} ms",
                started.elapsed().as_millis()
            );
            if with_kills {
                for tried in &tried {
                    println!("kill\t{}\t{}\t{}", operator.name, tried.mutant.id, tried.kills.len());
                }
                continue;
            }
            for ((_, fate), all) in &classes {
                if matches!(fate, Fate::Alive | Fate::Unproven) {
                    let first = &all[0];
                    println!(
                        "  {} {} | {} | {}",
                        fate.word(),
                        first.mutant.id,
                        first.mutant.sentence,
                        first.built.as_deref().unwrap_or_default()
                    );
                }
            }
        }
    }
}
