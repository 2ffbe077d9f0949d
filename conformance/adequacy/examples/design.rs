//! What covering arrays of an operator's parameters come to: rows, pairs, time, and how many ids a change moves.
//!
//! `cargo run --release -p dml-adequacy --example design -- [--given-up] [--stability] [OPERATOR…]`

#![expect(clippy::print_stdout, reason = "a tool prints")]

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use dml_plan::{
    builder::Builder,
    design::{Design, Parameter, design, parameters},
    planner::Planner,
};
use dml_spec::model::Tier;

/// How many of the other ids move if a value of a parameter with eight values or more is taken away.
fn stability(builder: &Builder<'_>, all: &[Parameter], before: &Design) {
    let ids = |of: &Design| -> BTreeSet<String> { of.rows.iter().map(|row| row.id.to_string()).collect() };
    let mut shares: Vec<(f64, String)> = Vec::new();
    for (at, parameter) in all
        .iter()
        .enumerate()
        .filter(|(_, parameter)| parameter.values.len() >= 8)
    {
        for (value, choice) in parameter.values.iter().enumerate() {
            let mut fewer = all.to_vec();
            fewer[at].values.remove(value);
            let after = ids(&design(builder, &fewer, Tier::Standard, 0));
            let others = before.rows.iter().filter(|row| row.values[at].0 != value);
            let others: BTreeSet<String> = others.map(|row| row.id.to_string()).collect();
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
    let with_stability = flag(&mut names, "--stability");
    let with_given_up = flag(&mut names, "--given-up");
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).expect("a specification that passes its checks");
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
        let started = Instant::now();
        let parameters = match parameters(&builder) {
            Ok(found) => found,
            Err(errors) => {
                println!("{}: {errors:?}", operator.name);
                continue;
            }
        };
        let found = design(&builder, &parameters, Tier::Standard, 0);
        let spent = started.elapsed().as_millis();
        if with_stability {
            stability(&builder, &parameters, &found);
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
    }
}
