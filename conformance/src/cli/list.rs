//! `list`: the ids of cases.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    args::{SelectArgs, SpecArgs},
    source,
    stored::damaged,
};
use dml_plan::{Bucket, planner::Planner};
use dml_report::Terminal;
use dml_run::engine::{Named, Resolved};

/// Arguments of `list`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    select: SelectArgs,
    #[command(flatten)]
    spec: SpecArgs,
    /// Print only the number of cases
    #[arg(long)]
    count: bool,
}

/// Buckets that are planned at a time: keeps memory flat and every core busy.
const AT_A_TIME: usize = 8;

/// Prints the ids; the exit code.
pub(super) fn list(args: &Args, terminal: &mut Terminal) -> anyhow::Result<u8> {
    let loaded = source::load(&args.spec, terminal)?;
    let suite = &loaded.suite;
    let mut damage = Vec::new();
    let Some(selection) = args.select.selection(&suite.catalog, &mut damage)? else {
        terminal.note("nothing failed in the stored run");
        return Ok(damaged(&damage, terminal));
    };
    let code = damaged(&damage, terminal);
    let selection = selection.resolve(suite)?;
    let named = named(suite, &selection);
    let mut total = named.len();
    for id in named.iter().filter(|_| !args.count) {
        terminal.line(id);
    }
    let operators: Vec<usize> = (0..suite.catalog.operators.len())
        .filter(|at| selection.plans() && selection.wants_operator(suite, *at))
        .collect();
    let tier = args.select.tier.tier();
    let planned = operators.par_iter().map(|at| dml_plan::buckets_of(suite, *at, tier));
    let buckets: Vec<Bucket> = planned
        .flatten()
        .filter(|bucket| selection.wants_bucket(suite, bucket))
        .collect();
    let by_id = selection.is_by_id();
    for some in buckets.chunks(AT_A_TIME) {
        let found = some.par_iter().map(|bucket| {
            let mut ids = Vec::new();
            if by_id {
                let planned = dml_plan::ids_of(suite, bucket, tier, args.select.seed);
                ids.extend(
                    planned
                        .into_iter()
                        .map(|(id, _)| id)
                        .filter(|id| selection.wants_id(id)),
                );
                return ids;
            }
            let _ = dml_plan::for_each_case(suite, bucket, tier, args.select.seed, &mut |case| {
                if selection.wants(suite, &case) {
                    ids.push(case.id);
                }
                ControlFlow::Continue(())
            });
            ids
        });
        for ids in found.collect::<Vec<_>>() {
            total += ids.len();
            ids.iter().filter(|_| !args.count).for_each(|id| terminal.line(id));
        }
        if terminal.closed() {
            return Ok(code);
        }
    }
    if args.count {
        terminal.line(total);
        return Ok(code);
    }
    if total == 0 {
        let tier = args.select.tier.word();
        terminal.note(format!("no case of tier {tier}; try --tier exhaustive"));
    }
    Ok(code)
}

fn named(suite: &Planner, selection: &Resolved) -> Vec<String> {
    let wanted = |named: &&Named| named.case(suite).is_ok_and(|case| selection.wants_named(suite, &case));
    let found = selection.exact.iter().filter(wanted);
    found.map(|named| named.id.to_string()).collect()
}
