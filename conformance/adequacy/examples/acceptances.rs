//! What is accepted of every output of the plan, as a line with a digest for each case: `diff` of two such files shows where
//! another evaluator, or another meaning, accepts something else. `dml-cts compute` then shows what.
//!
//! ```sh
//! cargo run --release -p dml-adequacy --example acceptances -- standard > NEW
//! ```

use std::{error::Error, io::Write, ops::ControlFlow};

use dml_case::{
    case::{Case, tier_word},
    context::Context,
    lock::DEFAULT_SEED,
    outcome::Basis,
};
use dml_judge::{Scope, scope};
use dml_oracle::{Block, Element, Request, case_inputs, expect};
use dml_plan::planner::Planner;
use dml_spec::model::Tier;
use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

fn main() -> Result<(), Box<dyn Error>> {
    let word = std::env::args().nth(1);
    let asked = |tier: &Tier| word.as_deref().is_none_or(|word| word == tier_word(*tier));
    let tiers = [Tier::Smoke, Tier::Standard, Tier::Exhaustive];
    let tier = tiers.into_iter().find(asked);
    let tier = tier.ok_or("expected a tier: smoke, standard or exhaustive")?;
    let suite = Planner::new(dml_spec_yaml::load::catalog().clone()).map_err(|errors| errors.join("\n"))?;
    let mut out = std::io::stdout().lock();
    for bucket in dml_plan::buckets(&suite, tier) {
        let mut cases = Vec::new();
        let _ = dml_plan::for_each_case(&suite, &bucket, tier, DEFAULT_SEED, &mut |case| {
            cases.push(case);
            ControlFlow::Continue(())
        });
        let lines = cases.par_iter().map(|case| line(&suite, case));
        for line in lines.collect::<Result<Vec<_>, _>>()? {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// The id of a case, its verdict, and the digest of what is accepted of its elements.
fn line(suite: &Planner, case: &Case) -> Result<String, String> {
    let scope = scope(suite, case, Basis::Text).ok_or_else(|| format!("{}: nothing is expected of it", case.id))?;
    let mut digest = Xxh3::new();
    if scope == Scope::Elements {
        let context = Context::new(suite, case).ok_or("unknown operator")?;
        let inputs = case_inputs(context).ok_or_else(|| format!("{}: an input does not fit", case.id))?;
        let request = Request {
            catalog: &suite.catalog,
            meanings: &**suite,
            descriptor: &case.descriptor,
            inputs: &inputs,
            basis: dml_oracle::Basis::Runtime,
            variants: &[],
            half_precision: false,
        };
        let computed = expect(&request, &mut |block: Block| {
            digest.update(&block.field.to_le_bytes());
            digest.update(&block.element.to_le_bytes());
            block.elements.iter().for_each(|element| add(&mut digest, element));
        });
        computed.map_err(|fault| format!("{}: {fault}, at {:?}", case.id, fault.span))?;
    }
    Ok(format!(
        "{} {:?} {scope:?} {:016x}",
        case.id,
        case.verdict,
        digest.digest()
    ))
}

fn add(digest: &mut Xxh3, element: &Element) {
    match element {
        Element::Exact(bits) => digest.update(&bits.to_le_bytes()),
        Element::Open(_) => digest.update(b"open"),
        Element::Interval(of) => {
            let ends = [of.reference, of.lo.to_bits(), of.hi.to_bits()];
            ends.iter().for_each(|end| digest.update(&end.to_le_bytes()));
            digest.update(&[of.nan, of.infinity, of.negative_infinity].map(u8::from));
        }
        Element::Among(all) => {
            digest.update(&all.len().to_le_bytes());
            all.iter().for_each(|element| add(digest, element));
        }
    }
}
