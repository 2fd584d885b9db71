//! What is asked of a model that fails, and is still true or false of what it can do instead.
//!
//! An exploration stops at the first failure. What single states decide, and who can never act or end, is then looked for
//! in all states that are come to without one, whatever is assumed of runs: on the net in which failures end everything
//! ([`Net::ended_by_failures`]). Runs and how they branch are left alone, since it would have to be said what a run
//! is that fails.
//!
//! A *limit* of how the model was made is a failure that is none of the model. What fails beyond it fails, and is
//! what is reported; that something holds is not said where one was met, since what would come instead is not known.
//!
//! Cost: one or two explorations more, without stubborn sets, within what is left of the budget.

use std::sync::Arc;

use explore::Exploration;
use net::{Net, Transition};
use survey::{Plan, SurveyError};

use crate::Checking;
use crate::board::{Board, Hear};
use crate::conclusion::Asked;
use crate::explicit::{Explored, Subject};
use crate::goal::{Claim, Goal, Goals};
use crate::strategy::{Pursuit, Strategy};

/// What has been seen beyond failures.
pub(crate) struct Seen {
    /// The classes that were explored.
    pub(crate) states: u64,
    /// Why goals are left without answer, if it is not that a budget was used up.
    pub(crate) reason: Option<String>,
}

/// Whether an exploration has ended by a failure, and it can be gone on.
pub(crate) fn may_go_on(subject: &Subject, pursuit: &Pursuit<'_>) -> bool {
    let has_failed = pursuit.explored.as_ref().is_some_and(|of| of.survey.has_failure());
    has_failed && subject.following.is_none()
}

/// The claims without answer that can be decided beyond failures.
fn of_states(claims: &[(usize, Claim)], goals: &Goals) -> Vec<(usize, Claim)> {
    let is_of_states = |goal: usize| {
        matches!(goals.goal(goal), Goal::Initially(_) | Goal::Somewhere(..) | Goal::Everyone(_))
    };
    let may_be_decided = |claim: &Claim| {
        let mut all = true;
        claim.for_each_goal(&mut |goal| all &= is_of_states(goal));
        all
    };
    let is_open = |claim: &Claim| claim.answer(goals).is_none() && may_be_decided(claim);
    claims.iter().filter(|(_, claim)| is_open(claim)).cloned().collect()
}

/// What was explored until it failed.
pub(crate) struct Onward<'o, 'a> {
    pub(crate) asked: Asked<'o, 'a>,
    pub(crate) claims: &'o [(usize, Claim)],
    pub(crate) checking: &'o Checking,
}

impl Onward<'_, '_> {
    /// Decides what is left of the claims beyond a limit, if it is one that was met. Whether nothing is left beyond that.
    ///
    /// # Errors
    ///
    /// If the net cannot be explored.
    pub(crate) fn beyond_limits(
        &self,
        pursuit: &mut Pursuit,
        goals: Goals,
        watch: &mut dyn FnMut(&Exploration),
        hear: Hear<'_>,
    ) -> Result<(Goals, bool), SurveyError> {
        let net = self.asked.subject.net;
        let failing = pursuit.explored.as_ref().and_then(|of| of.survey.failing());
        let is_limit = |transition: &Transition| transition.is_limit;
        if !failing.is_some_and(|id| is_limit(net.transition(id))) {
            return Ok((goals, false));
        }
        let Some(beyond) = net.ended_by_failures(is_limit).map(Arc::new) else {
            return Ok((goals, false));
        };
        let (goals, explored) = self.explored(&beyond, "limits", pursuit, goals, watch, hear)?;
        let failing = explored.filter(|explored| explored.survey.failing().is_some());
        let Some(mut explored) = failing else { return Ok((goals, true)) };
        pursuit.failure = explored.survey.take_fault(&self.checking.plan.showing());
        Ok((goals, false))
    }

    /// Decides what is left of the claims beyond failures.
    ///
    /// # Errors
    ///
    /// If the net cannot be explored.
    pub(crate) fn beyond_failures(
        &self,
        pursuit: &mut Pursuit,
        goals: Goals,
        watch: &mut dyn FnMut(&Exploration),
        hear: Hear<'_>,
    ) -> Result<Goals, SurveyError> {
        match self.asked.subject.net.ended_by_failures(|_| true).map(Arc::new) {
            Some(beyond) => Ok(self.explored(&beyond, "failures", pursuit, goals, watch, hear)?.0),
            None => Ok(goals),
        }
    }

    /// Explores a net that failures end, unless nothing is left to be decided, and notes what was seen.
    fn explored<'n>(
        &self,
        net: &'n Arc<Net>,
        beyond: &str,
        pursuit: &mut Pursuit,
        goals: Goals,
        watch: &mut dyn FnMut(&Exploration),
        hear: Hear<'_>,
    ) -> Result<(Goals, Option<Explored<'n>>), SurveyError>
    where
        Self: 'n,
    {
        let Subject { relations, observed, assumed, .. } = self.asked.subject;
        let subject = Subject::new(net, (*relations, observed.clone()), None, assumed);
        let checkpoint = self.checking.plan.checkpoint.as_ref();
        let checkpoint = checkpoint.map(|whole| whole.part(&format!("beyond {beyond}")));
        let plan = Plan { translation: None, checkpoint, ..self.checking.plan.clone() };
        let checking = Checking { plan, ..self.checking.clone() };
        let claims = of_states(self.claims, &goals);
        let is_asked = |number: usize| claims.iter().any(|(other, _)| *other == number);
        let mut premises = of_states(self.asked.premises, &goals);
        premises.retain(|(number, _)| is_asked(*number));
        let limits = (&checking.plan.budget, checking.first);
        let board = Board::new(goals, claims, premises, limits, hear);
        let mut explored = None;
        if !board.is_over() {
            let (subject, board, checking) = (&subject, &board, &checking);
            let strategy = Strategy { subject, board, checking, translation: None, executed: None };
            let mut found = strategy.pursue(watch)?;
            pursuit.reductions.append(&mut found.reductions);
            explored = found.explored;
        }
        if let Some(explored) = &explored {
            pursuit.seen_beyond = Some(Seen {
                states: explored.survey.tally().states,
                reason: explored.reason.clone(),
            });
        }
        Ok((board.into_goals(), explored))
    }
}
