//! After a loss: finds which of the cases in flight is to blame.
//!
//! 1. Each case runs again, alone. One that loses the backend as the first of its session is guilty. One that loses it
//!    only after other cases is flaky, and the message lists those.
//! 2. If no case is found, everything that the lost session had seen runs again in the same order.
//! 3. Then the cases in flight run together again.
//! 4. If the loss never comes again, it was an accident: each case is judged by its own answer.

use std::time::Duration;

use dml_ops::Unavailable;

use crate::engine::{
    Shared,
    reply::{Reply, not_run},
    supervisor::{Answers, Lost, Supervisor, idle},
};
use dml_case::{
    case::{Case, Mode},
    id::CaseId,
    outcome::Outcome,
};

/// Ids that a message names.
const NAMED: usize = 64;

/// How long to wait for unrequested messages after the answer of a case that runs alone: usually, and if such a message
/// was about this case.
const GRACE: Duration = Duration::from_millis(5);
const LONG_GRACE: Duration = Duration::from_millis(250);

/// An investigation.
pub(super) struct Investigation<'s, 'a> {
    pub shared: &'s Shared<'a>,
    pub supervisor: &'s mut Supervisor<'a>,
    /// The batch.
    pub cases: &'s [Case],
    /// What came of its cases so far.
    pub replies: &'s mut [Option<Reply>],
    /// The backend said something that was not requested, which may come after an answer.
    pub grace: bool,
}

impl Investigation<'_, '_> {
    /// Finds a reply for every case that was in flight.
    pub(super) fn find_replies(&mut self, lost: &Lost) -> Result<(), Unavailable> {
        let seen = self.supervisor.take_seen();
        if let ([only], [_]) = (&lost.in_flight[..], &seen[..]) {
            self.settle_case(*only, lost.outcome, lost.message.clone());
            return self.supervisor.restart_alone(lost, self.mode(*only));
        }
        self.supervisor.restart(lost)?;
        // An earlier case is to blame: those that run now are asked again, and that is all.
        let mut guilty = match &lost.about {
            Some(earlier) => self.accuse(earlier, lost)?,
            None => false,
        };
        for suspect in &lost.in_flight {
            // One that was accused has its reply.
            if !matches!(self.replies.get(*suspect), Some(Some(Reply::Settled(..)))) {
                guilty |= self.run_alone(*suspect)?;
            }
        }
        if guilty || self.shared.stopped() {
            return Ok(());
        }
        self.replay_session(&seen, lost)
    }

    fn mode(&self, at: usize) -> Mode {
        self.cases.get(at).map_or(Mode::Execute, |case| case.mode)
    }

    /// Runs a case alone; whether the backend is lost again.
    fn run_alone(&mut self, suspect: usize) -> Result<bool, Unavailable> {
        let mode = self.mode(suspect);
        if self.shared.health.is_given_up(mode) {
            if let Some(reply) = self.replies.get_mut(suspect) {
                *reply = Some(not_run());
            }
            return Ok(true);
        }
        let Err(lost) = self.ask_alone(suspect, GRACE) else {
            return Ok(false);
        };
        let before = self.supervisor.take_seen();
        if before.len() <= 1 {
            self.supervisor.restart_alone(&lost, mode)?;
            self.settle_case(suspect, lost.outcome, lost.message);
            return Ok(true);
        }
        self.supervisor.restart(&lost)?;
        let own = self.cases.get(suspect).map(|case| &case.id);
        if let Some(earlier) = lost.about.as_deref().filter(|earlier| Some(*earlier) != own) {
            self.accuse(earlier, &lost)?;
        }
        // Other cases ran in this session before it.
        match self.ask_alone(suspect, GRACE) {
            Ok(()) if lost.about.is_some() => {}
            Ok(()) => self.mark_flaky(suspect, before, &lost)?,
            Err(again) => {
                self.settle_case(suspect, again.outcome, again.message.clone());
                self.supervisor.restart_alone(&again, mode)?;
            }
        }
        Ok(true)
    }

    /// The backend said something about a case that had its answer; whether that case is found guilty. One that was
    /// judged before this batch keeps its outcome, and the run is incomplete.
    fn accuse(&mut self, earlier: &CaseId, lost: &Lost) -> Result<bool, Unavailable> {
        let Some(at) = self.cases.iter().position(|case| case.id == *earlier) else {
            let message = &lost.message;
            self.shared
                .problem(format!("{earlier} is not what it was judged to be: {message}"));
            return Ok(true);
        };
        let Err(again) = self.ask_alone(at, LONG_GRACE) else {
            return Ok(false);
        };
        self.settle_case(at, again.outcome, again.message.clone());
        self.supervisor.restart_alone(&again, self.mode(at))?;
        Ok(true)
    }

    fn ask_alone(&mut self, suspect: usize, grace: Duration) -> Result<(), Lost> {
        let mut answers = Answers::new();
        self.supervisor.ask(&[suspect], self.cases, &mut answers, &mut idle)?;
        if let Some(lost) = self.grace.then(|| self.supervisor.overhear(grace)).flatten() {
            return Err(lost);
        }
        self.shared.health.answered(self.mode(suspect));
        if let Some(reply) = self.replies.get_mut(suspect) {
            *reply = answers.remove(&suspect).map(Reply::Answer);
        }
        Ok(())
    }

    /// Nothing fails alone: what came before is run again as well.
    fn replay_session(&mut self, seen: &[CaseId], lost: &Lost) -> Result<(), Unavailable> {
        self.supervisor.reopen()?;
        for (place, id) in seen.iter().enumerate() {
            if self.shared.stopped() {
                return Ok(());
            }
            let Some(again) = self.run_seen_case(id) else { continue };
            self.supervisor.restart(&again)?;
            let order = &seen[..=place];
            // Twice by the same cases is no accident.
            if !self.fails(order)? {
                break;
            }
            match self.cases.iter().position(|case| case.id == *id) {
                Some(at) => self.mark_flaky(at, order.to_vec(), &again)?,
                None => self.mark_all_flaky(order, &again),
            }
            return Ok(());
        }
        if self.shared.stopped() {
            return Ok(());
        }
        self.supervisor.reopen()?;
        let company = lost.in_flight.clone();
        match self
            .supervisor
            .ask(&company, self.cases, &mut Answers::new(), &mut idle)
        {
            Err(again) => {
                let order: Vec<CaseId> = company
                    .iter()
                    .filter_map(|at| Some(self.cases.get(*at)?.id.clone()))
                    .collect();
                self.supervisor.restart(&again)?;
                self.mark_all_flaky(&order, &again);
            }
            Ok(()) => self.note_accident(lost),
        }
        Ok(())
    }

    /// Runs a case that the lost session had seen.
    fn run_seen_case(&mut self, id: &CaseId) -> Option<Lost> {
        let case = match self.cases.iter().find(|case| case.id == *id) {
            Some(case) => case.clone(),
            None => dml_plan::build(self.shared.run.suite, id).ok()?,
        };
        let lost = self.supervisor.ask(&[0], &[case], &mut Answers::new(), &mut idle).err();
        lost.or_else(|| self.grace.then(|| self.supervisor.overhear(GRACE)).flatten())
    }

    fn settle_case(&mut self, at: usize, outcome: Outcome, message: String) {
        if let Some(reply) = self.replies.get_mut(at) {
            *reply = Some(Reply::Settled(outcome, message));
        }
    }

    fn mark_flaky(&mut self, at: usize, order: Vec<CaseId>, lost: &Lost) -> Result<(), Unavailable> {
        let order = if lost.outcome == Outcome::Timeout {
            order
        } else {
            self.shorten_order(order)?
        };
        let before = &order[..order.len().saturating_sub(1)];
        let message = format!("{}, but not alone; it ran after {}", lost.message, list_ids(before));
        if let Some(reply) = self.replies.get_mut(at) {
            *reply = Some(Reply::Flaky(message, order));
        }
        Ok(())
    }

    /// Leaves out those that came before a case and do not matter, by halves.
    fn shorten_order(&mut self, mut order: Vec<CaseId>) -> Result<Vec<CaseId>, Unavailable> {
        let Some(last) = order.pop() else { return Ok(order) };
        'shorter: while order.len() > 1 && !self.shared.stopped() {
            let half = order.len() / 2;
            for mut part in [order[half..].to_vec(), order[..half].to_vec()] {
                part.push(last.clone());
                if self.fails(&part)? {
                    part.pop();
                    order = part;
                    continue 'shorter;
                }
            }
            break;
        }
        order.push(last);
        Ok(order)
    }

    /// Whether the last of these cases loses a new session in which those before it ran.
    fn fails(&mut self, order: &[CaseId]) -> Result<bool, Unavailable> {
        self.supervisor.reopen()?;
        for (place, id) in order.iter().enumerate() {
            if let Some(lost) = self.run_seen_case(id) {
                self.supervisor.restart(&lost)?;
                return Ok(place + 1 == order.len());
            }
        }
        Ok(false)
    }

    fn mark_all_flaky(&mut self, order: &[CaseId], lost: &Lost) {
        let message = format!("{}, but not alone; together ran {}", lost.message, list_ids(order));
        for at in &lost.in_flight {
            if let Some(reply) = self.replies.get_mut(*at) {
                *reply = Some(Reply::Flaky(message.clone(), order.to_vec()));
            }
        }
    }

    /// The loss does not come again: every case has its own answer, with a remark.
    fn note_accident(&mut self, lost: &Lost) {
        let remark = format!(
            "the backend was lost once while this case was in flight, and not again: {}",
            lost.message
        );
        for at in &lost.in_flight {
            let Some(reply) = self.replies.get_mut(*at) else {
                continue;
            };
            if let Some(Reply::Answer(answer)) = reply.take() {
                *reply = Some(Reply::Noted(answer, remark.clone()));
            }
        }
    }
}

/// Ids, in order, the last ones only.
fn list_ids(ids: &[CaseId]) -> String {
    let left_out = ids.len().saturating_sub(NAMED);
    let shown: Vec<String> = ids.iter().skip(left_out).map(ToString::to_string).collect();
    let more = if left_out > 0 {
        format!("{left_out} others, ")
    } else {
        String::new()
    };
    format!("{more}{}", shown.join(" "))
}
