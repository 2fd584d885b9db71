//! Which engine decides, and for how long.
//!
//! States one by one come first: they give runs to show, and what is near is found soon. They are all there is
//! for threads, for single tokens, and where fairness matters. Otherwise they have a moment; then the structure
//! of the net decides what it can; then walks, which
//! come farther; then, beside the search or in turn with it, the set of all markings in a decision diagram. A
//! net that was found to grow without end has no such set.

use std::collections::BTreeMap;
use std::time::Duration;

use budget::{Budget, Exhausted, Instant};
use explore::Exploration;
use survey::{Engine, Plan, SurveyError};
use symbolic::Translation;

use crate::board::Board;
use crate::evidence::ShownRun;
use crate::explicit::{self, Explored, Subject};
use crate::{Checking, diagrams, equation, walks};

/// How long states are explored one by one before there is a diagram, where runs are to be shown.
const MOMENT_FOR_RUNS: Duration = Duration::from_secs(5);
/// How long walks take after that, at most, and as a share of the time that is left.
const WALKS: Duration = Duration::from_secs(3);
const SHARE_OF_WALKS: u32 = 16;
/// How long the structure of the net is looked at before that.
const STRUCTURE: Duration = Duration::from_secs(20);
const SHARE_OF_STRUCTURE: u32 = 4;

/// What was done for one board.
#[derive(Default)]
pub(crate) struct Pursuit<'a> {
    /// The last exploration of states one by one.
    pub(crate) explored: Option<Explored<'a>>,
    /// Runs that show what was found of goals, or why there is none.
    pub(crate) runs: BTreeMap<usize, Result<ShownRun, Exhausted>>,
}

/// Engines at work on a board.
pub(crate) struct Strategy<'s, 'a, 't> {
    pub(crate) subject: &'s Subject<'a>,
    pub(crate) board: &'s Board<'t>,
    pub(crate) checking: &'s Checking,
    /// The net without threads that diagrams are made of, if it is one.
    pub(crate) translation: Option<&'s Translation>,
}

impl<'a> Strategy<'_, 'a, '_> {
    /// Sets the engines to work, until everything is answered or the budget is used up.
    pub(crate) fn pursue(
        &self,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<Pursuit<'a>, SurveyError> {
        let mut pursuit = Pursuit::default();
        let engine = self.checking.engine;
        let translation = self.translation.filter(|_| self.diagrams_can_decide());
        if let Some(team) = &self.checking.plan.team {
            self.by_team(team, &mut pursuit)?;
            return Ok(pursuit);
        }
        match (engine, translation) {
            _ if self.board.is_over() => {}
            (Some(Engine::Explicit), _) | (None, None) => {
                self.explore(&self.plan(), &mut pursuit, watch)?;
            }
            (Some(Engine::Diagrams | Engine::Structure), None) => {}
            (Some(Engine::Structure), Some(translation)) => {
                self.structure(translation, self.board.budget());
            }
            (Some(Engine::Diagrams), Some(translation)) => self.diagrams(translation, self.plan()),
            (None, Some(translation)) => self.both(translation, &mut pursuit, watch)?,
        }
        Ok(pursuit)
    }

    pub(crate) fn plan(&self) -> Plan {
        Plan { budget: self.board.budget().clone(), ..self.checking.plan.clone() }
    }

    /// Whether some of what is asked can be asked of diagrams.
    fn diagrams_can_decide(&self) -> bool {
        let is_fair = !self.subject.assumed.is_empty();
        self.board.read(|goals, pending| {
            pending.iter().any(|goal| diagrams::refusal(goals, *goal, is_fair).is_none())
        })
    }

    fn both(
        &self,
        translation: &Translation,
        pursuit: &mut Pursuit<'a>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        let moment = match self.checking.evidence {
            true => MOMENT_FOR_RUNS,
            false => survey::moment(self.subject.net),
        };
        let plan = self.plan();
        let began = Instant::now();
        self.explore(&plan.first(moment), pursuit, watch)?;
        let explored = pursuit.explored.as_ref();
        let is_done = explored.is_some_and(|explored| {
            let survey = &explored.survey;
            survey.exploration().complete || survey.is_unbounded() || survey.has_fault()
        });
        if is_done || self.board.is_over() {
            return Ok(());
        }
        let left = plan.budget.time_left();
        let time = left.map_or(STRUCTURE, |left| STRUCTURE.min(left / SHARE_OF_STRUCTURE));
        self.structure(translation, &plan.budget.share(0.5).within(time));
        if self.board.is_over() {
            return Ok(());
        }
        let mut time = left.map_or(WALKS, |left| WALKS.min(left / SHARE_OF_WALKS));
        // Where few states are allowed, the moment was shorter, and so are the walks.
        if began.elapsed() < moment {
            time = time.min(began.elapsed());
        }
        let threads = plan.threads.max(1);
        let spaces = (0..threads).map(|_| translation.symbolic().space()).collect();
        walks::walk(spaces, self.board, &plan.budget.within(time));
        if self.board.is_over() {
            return Ok(());
        }
        // What was seen in the moment is seen again; both would be too much to keep.
        pursuit.explored = None;
        if threads > 1 {
            // Side by side in half of the memory; what is not decided then has all of it, in turn.
            let half = plan.budget.share(0.5);
            let beside = Plan { budget: half.clone(), ..plan.clone() };
            let first = Plan { threads: threads - 1, ..beside.clone() };
            std::thread::scope(|scope| {
                scope.spawn(|| self.diagrams(translation, beside));
                self.explore(&first, pursuit, watch)
            })?;
            if self.board.is_over() || half.exhausted() != Some(Exhausted::Memory) {
                return Ok(());
            }
            pursuit.explored = None;
        }
        let mut budget = plan.budget_for_diagrams();
        if let Some(left) = plan.budget.time_left() {
            budget = budget.within(left / 2);
        }
        self.diagrams(translation, Plan { budget, ..plan.clone() });
        if !self.board.is_over() {
            self.explore(&plan, pursuit, watch)?;
        }
        Ok(())
    }

    pub(crate) fn explore(
        &self,
        plan: &Plan,
        pursuit: &mut Pursuit<'a>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        let mut explored =
            explicit::explored(self.subject, self.board, plan, self.checking, watch)?;
        pursuit.runs.append(&mut explored.runs);
        pursuit.explored = Some(explored);
        Ok(())
    }

    /// What the structure of the net shows.
    fn structure(&self, translation: &Translation, budget: &Budget) {
        let is_fair = !self.subject.assumed.is_empty();
        equation::explored(translation, self.board, (self.checking.evidence, is_fair), budget);
    }

    fn diagrams(&self, translation: &Translation, plan: Plan) {
        let is_fair = !self.subject.assumed.is_empty();
        let order = &self.checking.plan.order;
        diagrams::explored(translation, order, self.board, is_fair, &plan.budget);
    }
}
