//! Runs cases in batches: passed to a session together, answered in any order, judged in the order of the plan.

use std::{collections::BTreeMap, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use dml_ops::{Answer, Unavailable};
use dml_spec::model::{Operator, Role};

use crate::engine::clock::{Clock, divided};
use crate::engine::{
    Settings, Shared,
    blame::Investigation,
    memory_budget,
    reply::{Reply, no_answer, not_run},
    supervisor::{Answers, Lost, Supervisor, idle},
};
use dml_case::context::Context;
use dml_case::record::CASE_BYTES;
use dml_case::{
    case::{Case, Mode},
    digest::Digest,
    id::CaseId,
    outcome::{Diagnosis, Judged, Outcome},
    tensor::named_tensors,
};
use dml_case::{record::Record, timings::Work};
use dml_judge::Expected;

/// Reason of skips of operators that the backend does not have.
const UNSUPPORTED: &str = "unsupported";

/// How long to wait after the last case of all for unrequested messages.
const LAST: Duration = Duration::from_millis(20);

/// What is known of a case before it runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Before {
    /// Its digest.
    pub(super) digest: Digest,
    /// How long it took to plan, if that was measured.
    pub(super) planning: Duration,
}

/// What is known of a case after it ran.
struct Known {
    digest: Digest,
    /// How long it took, if that was measured.
    time: Duration,
    expected: Expected,
}

impl Before {
    /// What is known of a case that was not planned here.
    pub(super) fn of(case: &Case) -> Self {
        Self {
            digest: Digest::of_case(case),
            planning: Duration::ZERO,
        }
    }
}

impl Known {
    fn new(before: &Before, settings: &Settings) -> Self {
        let cache = settings.expected_cache.as_deref();
        let kept = cache.and_then(|all| all.expected(before.digest));
        Self {
            digest: before.digest,
            time: before.planning,
            expected: kept.unwrap_or_else(|| Expected::new(settings.half_precision)),
        }
    }
}

/// Share of a case in the time that a backend takes for many, beside that of its bytes: of its descriptor.
const DESCRIPTOR: u64 = 256;

/// Runs batches of cases in one session.
pub(super) struct BatchRunner<'a> {
    shared: &'a Shared<'a>,
    supervisor: Supervisor<'a>,
}

impl<'a> BatchRunner<'a> {
    /// Opens a session.
    pub(super) fn open(shared: &'a Shared<'a>) -> Result<Self, Unavailable> {
        let supervisor = Supervisor::open(shared)?;
        Ok(Self { shared, supervisor })
    }

    /// What time goes to on this thread.
    pub(super) fn clock(&mut self) -> &mut Clock {
        &mut self.supervisor.clock
    }

    /// Runs cases and judges them, in order.
    pub(super) fn run(
        &mut self,
        cases: &[Case],
        before: &[Before],
        records: &mut Vec<Record>,
    ) -> Result<(), Unavailable> {
        self.supervisor.begin();
        let settings = self.shared.run.settings;
        let cache = settings.expected_cache.clone();
        let known = before.iter().map(|before| Known::new(before, settings));
        let mut known: Vec<Known> = known.collect();
        let mut replies: Vec<Option<Reply>> = cases.iter().map(|case| self.skip(case)).collect();
        let asked = self.clock().of(Work::Backend);
        self.answer_all(cases, &mut known, &mut replies)?;
        self.clock().lap(Work::Backend);
        let asked = self.clock().of(Work::Backend) - asked;
        if self.clock().runs() {
            let weights: Vec<u64> = cases.iter().map(|case| self.weight(case)).collect();
            let parts = known.iter_mut().zip(divided(asked, &weights));
            parts.for_each(|(known, part)| known.time += part);
        }
        let mut judged = self.judge_all(cases, &mut known, &replies);
        // A second answer comes after the first, while that is judged.
        if let Some(lost) = self.supervisor.overhear(Duration::ZERO) {
            let is_answered = |at: &usize| matches!(replies.get(*at), Some(Some(Reply::Answer(_) | Reply::Noted(..))));
            let in_flight = (0..cases.len()).filter(is_answered).collect();
            self.investigate(&Lost { in_flight, ..lost }, cases, &mut replies)?;
            judged = self.judge_all(cases, &mut known, &replies);
        }
        // What runs again is seen as well, but comes after the failure.
        let sessions = match self.shared.run.settings.retries {
            0 => Vec::new(),
            _ => self.supervisor.sessions(),
        };
        for ((case, known), record) in cases.iter().zip(&mut known).zip(&mut judged) {
            self.retry(case, known, record, &sessions)?;
            if let Some(cache) = &cache {
                cache.keep(known.digest, &known.expected);
            }
        }
        records.append(&mut judged);
        Ok(())
    }

    /// After the last case: what the backend says that was not requested makes the run incomplete.
    pub(super) fn finish(&mut self) {
        let Some(lost) = self.supervisor.overhear(LAST) else {
            return;
        };
        let behind = lost
            .about
            .map(|id| format!("after its answer to {id}: "))
            .unwrap_or_default();
        self.shared.problem(format!("{behind}{}", lost.message));
    }

    fn judge_all(&mut self, cases: &[Case], known: &mut [Known], replies: &[Option<Reply>]) -> Vec<Record> {
        let forgotten = no_answer();
        let judged = |((case, known), reply): ((&Case, &mut Known), &Option<Reply>)| {
            let reply = reply.as_ref().unwrap_or(&forgotten);
            let mut record = self.record(case, known, reply);
            known.time += self.supervisor.clock.lap(Work::Judging);
            record.time = self.supervisor.clock.runs().then_some(known.time);
            record
        };
        cases.iter().zip(known).zip(replies).map(judged).collect()
    }

    /// Share of a case in the time that a backend takes for many.
    fn weight(&self, case: &Case) -> u64 {
        let operator = self.shared.run.suite.operator(case.id.operator());
        let operator = operator.filter(|_| case.mode == Mode::Execute);
        let bytes = operator.map_or(0, |(operator, _)| dml_case::poison::buffer_bytes(operator, case));
        bytes.saturating_add(DESCRIPTOR)
    }

    /// Whether the case is not for this backend.
    fn skip(&self, case: &Case) -> Option<Reply> {
        let info = &self.shared.info;
        let skip = |reason: &str| Some(Reply::Settled(Outcome::Skip, reason.to_owned()));
        if !info.operators.iter().any(|name| name == case.id.operator()) {
            return skip(UNSUPPORTED);
        }
        if case.mode == Mode::Execute && (!info.executes || self.shared.run.settings.create_only) {
            return skip(dml_case::names::CREATE_ONLY);
        }
        if !self.shared.run.settings.erratic
            && Context::new(self.shared.run.suite, case).is_some_and(Context::is_erratic)
        {
            return skip(dml_case::names::ERRATIC);
        }
        let allowed = self.shared.run.settings.memory?;
        let needed = memory_budget::Weight::of(self.shared.run, case).bytes();
        if needed > allowed {
            skip(&memory_budget::too_large_reason(needed, allowed))
        } else {
            None
        }
    }

    /// Asks until every case has a reply, but for those that the backend forgets.
    fn answer_all(
        &mut self,
        cases: &[Case],
        known: &mut [Known],
        replies: &mut [Option<Reply>],
    ) -> Result<(), Unavailable> {
        let suite = self.shared.run.suite;
        let mut ahead = |at: usize, clock: &mut Clock| {
            if let Some((case, known)) = cases.get(at).zip(known.get_mut(at)) {
                known.expected.compute_ahead(suite, case);
                known.time += clock.lap(Work::Oracle);
            }
        };
        loop {
            for (case, reply) in cases.iter().zip(replies.iter_mut()) {
                if reply.is_none() && self.shared.health.is_given_up(case.mode) {
                    *reply = Some(not_run());
                }
            }
            let open: Vec<usize> = (0..cases.len())
                .filter(|at| matches!(replies.get(*at), Some(None)))
                .collect();
            if open.is_empty() || self.shared.stopped() {
                return Ok(());
            }
            let mut answers = Answers::new();
            let asked = self.supervisor.ask(&open, cases, &mut answers, &mut ahead);
            for (at, answer) in answers {
                if let Some(reply) = replies.get_mut(at) {
                    *reply = Some(Reply::Answer(answer));
                }
            }
            let Err(lost) = asked else {
                let asked = open.iter().filter_map(|at| cases.get(*at));
                asked.for_each(|case| self.shared.health.answered(case.mode));
                return Ok(());
            };
            self.investigate(&lost, cases, replies)?;
        }
    }

    /// After a loss: finds a reply for every case that was in flight.
    fn investigate(&mut self, lost: &Lost, cases: &[Case], replies: &mut [Option<Reply>]) -> Result<(), Unavailable> {
        let mut investigation = Investigation {
            shared: self.shared,
            supervisor: &mut self.supervisor,
            cases,
            replies,
            grace: lost.is_talk(),
        };
        investigation.find_replies(lost)?;
        // Whatever is still open now was in flight, and has been asked for twice.
        for at in &lost.in_flight {
            if let Some(reply @ None) = replies.get_mut(*at) {
                *reply = Some(no_answer());
            }
        }
        Ok(())
    }

    /// Runs a case that failed again; if it does not fail each time, it is flaky. `sessions` is what they had been
    /// asked for until then, the last one first: the last that saw the case gave the answer that was judged.
    fn retry(
        &mut self,
        case: &Case,
        known: &Known,
        record: &mut Record,
        sessions: &[Vec<CaseId>],
    ) -> Result<(), Unavailable> {
        for again in 1..=self.shared.run.settings.retries {
            if !record.outcome.is_failure() || record.outcome == Outcome::Flaky || self.shared.stopped() {
                return Ok(());
            }
            let mut answers = Answers::new();
            let alone = std::slice::from_ref(case);
            if let Err(lost) = self.supervisor.ask(&[0], alone, &mut answers, &mut idle) {
                self.supervisor.restart_alone(&lost, case.mode)?;
                continue;
            }
            let Some(answer) = answers.remove(&0) else { continue };
            if self.record(case, known, &Reply::Answer(answer)).outcome.is_failure() {
                continue;
            }
            let (word, before) = (record.outcome.word(), record.message.take());
            let before = before.map(|message| format!(": {message}")).unwrap_or_default();
            let until = |seen: &Vec<CaseId>| {
                let place = seen.iter().rposition(|id| *id == case.id)?;
                Some(seen[..=place].to_vec())
            };
            record.order = sessions.iter().find_map(until).unwrap_or_default();
            let behind = match record.order.split_last() {
                Some((_, cases @ [_, ..])) => format!(", after {} other cases", cases.len()),
                _ => String::new(),
            };
            let message = format!("{word} at first{behind}, but not when run again ({again}){before}");
            *record = record.clone().judged(settled(Outcome::Flaky, message));
        }
        Ok(())
    }

    fn record(&self, case: &Case, known: &Known, reply: &Reply) -> Record {
        let settings = self.shared.run.settings;
        let options = dml_judge::Options {
            basis: settings.basis,
            strict_reasons: settings.strict_reasons,
            half_precision: settings.half_precision,
            info: &self.shared.info,
        };
        let suite = self.shared.run.suite;
        let judge = |answer: &Answer| dml_judge::judge_expected(suite, case, &known.expected, answer, &options);
        let mut order = Vec::new();
        let judged = match reply {
            Reply::Answer(answer) => judge(answer),
            Reply::Noted(answer, remark) => {
                let mut judged = judge(answer);
                judged.warnings.push(remark.clone());
                judged
            }
            Reply::Settled(outcome, message) => settled(*outcome, message.clone()),
            Reply::Flaky(message, cases) => {
                order.clone_from(cases);
                settled(Outcome::Flaky, message.clone())
            }
        };
        let operator = self
            .shared
            .run
            .suite
            .operator(case.id.operator())
            .map(|(operator, _)| operator);
        let outputs = match reply {
            Reply::Answer(answer) | Reply::Noted(answer, _) if judged.outcome.is_failure() => {
                operator.map_or_else(BTreeMap::new, |op| small_outputs(op, case, answer))
            }
            _ => BTreeMap::new(),
        };
        let record = Record {
            mode: case.mode,
            verdict: case.verdict.word().into(),
            expectation: known.digest,
            elements: case.elements(&suite.catalog),
            order,
            outputs,
            ..Record::new(case.id.clone(), judged.outcome)
        };
        let mut record = record.judged(judged);
        if let Some(operator) = operator {
            dml_judge::note_what_it_rests_on(Context { suite, operator, case }, &mut record);
        }
        if let (Some(operator), Reply::Answer(answer) | Reply::Noted(answer, _)) = (operator, reply) {
            self.shared
                .samples
                .note(&suite.catalog, operator, case, answer, &record);
        }
        record
    }
}

fn settled(outcome: Outcome, message: String) -> Judged {
    match outcome {
        Outcome::Skip => Judged::skipped(&message),
        outcome if outcome.is_failure() => {
            Judged::explained(outcome, Diagnosis::new(outcome.word(), Vec::new(), message))
        }
        outcome => Judged::plain(outcome),
    }
}

/// What came back in base64, by the names of the tensors, if that is little.
fn small_outputs(operator: &Operator, case: &Case, answer: &Answer) -> BTreeMap<String, String> {
    let Answer::Executed { outputs } = answer else {
        return BTreeMap::new();
    };
    if outputs.iter().map(|buffer| buffer.tensor().len()).sum::<usize>() > CASE_BYTES {
        return BTreeMap::new();
    }
    let tensors = named_tensors(operator, &case.descriptor, Role::Output).into_iter();
    let pairs = tensors.zip(outputs);
    pairs
        .map(|((name, _), buffer)| (name, STANDARD.encode(buffer.tensor())))
        .collect()
}
