//! `list`: the ids of cases.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::{
    args::{SelectArgs, SpecArgs},
    source,
    stored::damaged,
};
use dml_case::id::CaseId;
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
    let mut total: u64 = 0;
    for id in named(suite, &selection) {
        total += 1;
        if !args.count {
            terminal.line(id);
        }
    }
    let buckets: Vec<Bucket> = dml_plan::buckets(suite)
        .into_iter()
        .filter(|b| selection.plans() && selection.wants_bucket(suite, b))
        .collect();
    if args.count {
        let counts = buckets.par_iter().map(|bucket| {
            let mut count = 0;
            for_each_id(suite, bucket, &args.select, &selection, &mut |_| count += 1);
            count
        });
        terminal.line(total + counts.sum::<u64>());
        return Ok(code);
    }
    for some in buckets.chunks(AT_A_TIME) {
        let found = some.par_iter().map(|bucket| {
            let mut ids = Vec::new();
            for_each_id(suite, bucket, &args.select, &selection, &mut |id| ids.push(id));
            ids
        });
        for id in found.collect::<Vec<_>>().into_iter().flatten() {
            total += 1;
            terminal.line(id);
        }
        if terminal.closed() {
            return Ok(code);
        }
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

fn for_each_id(
    suite: &Planner,
    bucket: &Bucket,
    select: &SelectArgs,
    selection: &Resolved,
    visit: &mut dyn FnMut(CaseId),
) {
    let _ = dml_plan::for_each_case(suite, bucket, select.tier.tier(), select.seed, &mut |case| {
        if selection.wants(suite, &case) {
            visit(case.id);
        }
        ControlFlow::Continue(())
    });
}
