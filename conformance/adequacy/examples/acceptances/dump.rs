//! Writes what is accepted of the cases of the plan, in its order.

use std::{
    fs::File,
    io::{BufReader, BufWriter},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    thread,
};

use anyhow::Context;
use dml_case::{
    case::{Case, tier_word},
    id::CaseId,
    lock::DEFAULT_SEED,
    outcome::Basis,
    query::Query,
};
use dml_plan::{planner::Planner, query::may_match};
use dml_spec::model::Tier;
use rayon::prelude::*;

use crate::{
    case::Counts,
    encode,
    read::{Reader, Stored},
    write::Writer,
};

/// Which cases are dumped, and whose word counts.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    /// The highest tier.
    pub(crate) tier: Tier,
    /// Whose word counts.
    pub(crate) basis: Basis,
    /// The cases; all if there is none.
    pub(crate) query: Option<Query>,
    /// The dump that holds the cases; those of the plan if there is none.
    pub(crate) like: Option<PathBuf>,
}

/// What was dumped.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dumped {
    /// Cases.
    pub(crate) cases: u64,
    /// Bytes of the file.
    pub(crate) bytes: u64,
    /// Elements of all outputs.
    pub(crate) counts: Counts,
}

/// Cases that are encoded together.
const CASES: usize = 256;

/// Bytes of inputs that are encoded together, unless one case has more.
const INPUTS: usize = 16 << 20;

/// Writes the acceptances of the selected cases to a file.
pub(crate) fn dump(suite: &Planner, selection: &Selection, path: &Path) -> anyhow::Result<Dumped> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let query = selection.query.as_ref().map(Query::to_string).unwrap_or_default();
    let to = BufWriter::with_capacity(1 << 20, file);
    let mut writer = Writer::new(to, tier_word(selection.tier), basis_word(selection.basis), &query)?;
    let counts = thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        scope.spawn(move || send_all(suite, selection, &sender));
        encode_all(suite, selection, &receiver, &mut writer)
    })?;
    let (cases, bytes) = writer.finish()?;
    let tier = tier_word(selection.tier);
    anyhow::ensure!(
        cases > 0,
        "no case of tier {tier} matches `{query}`; `dml-cts list` shows every id"
    );
    Ok(Dumped { cases, bytes, counts })
}

/// The word for a basis.
pub(crate) fn basis_word(basis: Basis) -> &'static str {
    match basis {
        Basis::Text => "text",
        Basis::Runtime => "runtime",
    }
}

/// Cases that are sent together, or why there are no more.
type Part = anyhow::Result<Vec<Case>>;

/// Sends the selected cases in parts; stops when the receiver is gone.
fn send_all(suite: &Planner, selection: &Selection, sender: &SyncSender<Part>) {
    let query = selection.query.as_ref();
    let (mut cases, mut inputs) = (Vec::new(), 0);
    let mut take = |case: Case| {
        if query.is_none_or(|query| query.matches(&case.id)) {
            inputs += case.inputs.iter().map(Vec::len).sum::<usize>();
            cases.push(case);
        }
        if cases.len() < CASES && inputs < INPUTS {
            return ControlFlow::Continue(());
        }
        inputs = 0;
        match sender.send(Ok(std::mem::take(&mut cases))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    let sent = match &selection.like {
        None => Ok(planned(suite, selection, &mut take)),
        Some(path) => like(suite, path, &mut take),
    };
    // Fails only if the other side stopped at an error, which it reports.
    let _ = match sent {
        Ok(ControlFlow::Continue(())) => sender.send(Ok(cases)),
        Ok(ControlFlow::Break(())) => Ok(()),
        Err(error) => sender.send(Err(error)),
    };
}

/// The cases in the order of the plan.
fn planned(suite: &Planner, selection: &Selection, take: &mut dyn FnMut(Case) -> ControlFlow<()>) -> ControlFlow<()> {
    let query = selection.query.as_ref();
    let mut buckets = dml_plan::buckets(suite, selection.tier);
    buckets.retain(|bucket| query.is_none_or(|query| may_match(suite, query, bucket)));
    let mut each = buckets.iter();
    each.try_for_each(|bucket| dml_plan::for_each_case(suite, bucket, selection.tier, DEFAULT_SEED, take))
}

/// The cases that a dump holds, in its order.
fn like(
    suite: &Planner,
    path: &Path,
    take: &mut dyn FnMut(Case) -> ControlFlow<()>,
) -> anyhow::Result<ControlFlow<()>> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name)?;
    let length = file.metadata().with_context(name)?.len();
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file), length).with_context(name)?;
    let mut record = Vec::new();
    while reader.next(&mut record).with_context(name)? {
        let id = Stored::of(&record).with_context(name)?.head.id;
        let id: CaseId = id.parse().map_err(|why| anyhow::anyhow!("{id}: {why}"))?;
        if take(dml_plan::build_as_spelled(suite, &id)?).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn encode_all<W: std::io::Write>(
    suite: &Planner,
    selection: &Selection,
    receiver: &Receiver<Part>,
    writer: &mut Writer<W>,
) -> anyhow::Result<Counts> {
    let mut counts = Counts::default();
    for cases in receiver {
        let cases = cases?;
        let encoded = cases
            .par_iter()
            .map(|case| encode::encode(suite, case, selection.basis));
        for case in encoded.collect::<Vec<_>>() {
            let case = case.map_err(anyhow::Error::msg)?;
            counts.add(&case.counts);
            writer.case(&case)?;
        }
    }
    Ok(counts)
}
