//! Which engine decides, and for how long.
//!
//! States one by one come first: they give runs to show, and what is near is found soon. They are all there is
//! for threads, for single tokens, and where fairness matters. Otherwise they have a moment; then the unfolded net,
//! made smaller for each goal; then the structure of the net decides what it can; then walks, which come farther; then,
//! beside the search or in turn with it, the set of all markings in a decision diagram. A net that was found to grow
//! without end has no such set. Where only answers matter, the unfolded net has a short turn before anything else. Turns
//! become longer.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::time::Duration;

use budget::{Budget, Exhausted, Instant};
use explore::Exploration;
use survey::{Engine, Plan, SurveyError};
use symbolic::Translation;

use crate::board::Board;
use crate::evidence::ShownRun;
use crate::explicit::{self, Explored, Subject};
use crate::unfolded::Unfolded;
use crate::{Checking, Reduction, Reductions, diagrams, equation, stubborn, walks};

/// How long states are explored one by one before there is a diagram, where runs are to be shown.
const MOMENT_FOR_RUNS: Duration = Duration::from_secs(5);
/// How long walks take after that, at most, and as a share of the time that is left.
const WALKS: Duration = Duration::from_secs(3);
const SHARE_OF_WALKS: u32 = 16;
/// The share of the time that is left in which a net may be unfolded, and that turns on it may take.
const SHARE_OF_UNFOLDING: u32 = 4;
const SHARE_OF_TURNS: u32 = 4;
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
    /// The reductions by which something was decided.
    pub(crate) reductions: BTreeSet<Reduction>,
}

/// Engines at work on a board.
pub(crate) struct Strategy<'s, 'a, 't> {
    pub(crate) subject: &'s Subject<'a>,
    pub(crate) board: &'s Board<'t>,
    pub(crate) checking: &'s Checking,
    /// The net without threads that diagrams are made of, if it is one.
    pub(crate) translation: Option<&'s Translation>,
}

impl<'s, 'a, 't> Strategy<'s, 'a, 't> {
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
            (Some(Engine::Diagrams), Some(translation)) => {
                pursuit.reductions.extend(self.diagrams(translation, self.plan()));
            }
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
        let shows_runs = self.checking.evidence;
        let mut unfolded = None;
        if !shows_runs {
            unfolded = self.unfolded(translation);
            self.turn(&mut unfolded, pursuit);
            if self.board.is_over() {
                return Ok(());
            }
        }
        let moment = match shows_runs {
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
        if shows_runs {
            unfolded = self.unfolded(translation);
        }
        self.turn(&mut unfolded, pursuit);
        if self.board.is_over() {
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
        if unfolded.is_none() {
            let spaces = (0..threads).map(|_| translation.symbolic().space()).collect();
            walks::walk(spaces, self.board, &plan.budget.within(time));
        }
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
            let by_diagrams = std::thread::scope(|scope| {
                let diagrams = scope.spawn(|| self.diagrams(translation, beside));
                self.turn(&mut unfolded, pursuit);
                self.explore(&first, pursuit, watch)?;
                Ok::<_, SurveyError>(diagrams.join().unwrap_or_else(|why| resume_unwind(why)))
            })?;
            pursuit.reductions.extend(by_diagrams);
            if self.board.is_over() || half.exhausted() != Some(Exhausted::Memory) {
                return Ok(());
            }
            pursuit.explored = None;
        }
        let mut budget = plan.budget_for_diagrams();
        if let Some(left) = plan.budget.time_left() {
            budget = budget.within(left / 2);
        }
        let reduced = self.diagrams(translation, Plan { budget, ..plan.clone() });
        pursuit.reductions.extend(reduced);
        for _ in 0..2 {
            if !self.board.is_over() {
                self.turn(&mut unfolded, pursuit);
            }
        }
        drop(unfolded);
        if !self.board.is_over() {
            self.explore(&plan, pursuit, watch)?;
        }
        Ok(())
    }

    /// The unfolded net, if it may be used: where the number of states is limited, it is those of the model that count.
    fn unfolded(&self, translation: &Translation) -> Option<Unfolded<'s, 't>> {
        if self.checking.plan.states.is_some() {
            return None;
        }
        let budget = self.board.budget();
        let time = budget.time_left().map(|left| left / SHARE_OF_UNFOLDING);
        let budget = time.map_or_else(|| budget.clone(), |time| budget.within(time));
        let is_fair = !self.subject.assumed.is_empty();
        Unfolded::new(translation, self.board, is_fair, self.checking.reductions, &budget)
    }

    /// Gives the unfolded net a turn.
    fn turn(&self, unfolded: &mut Option<Unfolded<'_, '_>>, pursuit: &mut Pursuit<'a>) {
        let Some(unfolded) = unfolded else { return };
        let budget = self.board.budget();
        let time = budget.time_left().map(|left| left / SHARE_OF_TURNS);
        unfolded.turn(&time.map_or_else(|| budget.clone(), |time| budget.within(time)));
        pursuit.reductions.extend(&unfolded.used);
    }

    /// Explores states one by one; with stubborn sets, where they may be used and keep what is asked.
    pub(crate) fn explore(
        &self,
        plan: &Plan,
        pursuit: &mut Pursuit<'a>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        let Reductions { stubborn: may_reduce, threads, .. } = self.checking.reductions;
        let may_reduce = may_reduce && threads && !plan.full;
        let stubborn = may_reduce.then(|| stubborn::kept(self.subject, self.board)).flatten();
        pursuit.reductions.extend(stubborn.as_ref().map(|_| Reduction::Stubborn));
        let plan = &Plan { stubborn, ..plan.clone() };
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

    /// Decides by diagrams; by which reduction, if one made a net smaller for it.
    fn diagrams(&self, translation: &Translation, plan: Plan) -> Option<Reduction> {
        let is_fair = !self.subject.assumed.is_empty();
        let order = &self.checking.plan.order;
        let reduces = self.checking.reductions.structural;
        let budget = &plan.budget;
        diagrams::explored(translation, order, self.board, is_fair, reduces, budget)
            .then_some(Reduction::Structural)
    }
}
