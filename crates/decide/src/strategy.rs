//! Which engine decides, and for how long: a portfolio with one owner.
//!
//! States one by one are all there is for threads, for single tokens, and where fairness matters. Otherwise the net is
//! unfolded, once, and whoever can decide something on it takes turns, under one budget:
//!
//! - its structure: walks, and the state equation ([`Structure`]);
//! - searches on nets made smaller for each goal ([`Unfolded`]);
//! - states one by one, folded by symmetry ([`explicit`]);
//! - the set of all markings in a decision diagram ([`diagrams`]).
//!
//! Turns become longer. A goal that is decided leaves; what is known of atoms makes the goals simpler that are left.
//! A net that was found to grow without end has no diagram. Where runs are to be shown, states one by one come
//! first, since they give such runs, and the shortest ones; then searches on smaller nets, whose runs are mapped back
//! ([`mapped`](crate::mapped)).

use std::collections::{BTreeMap, BTreeSet};
use std::panic::resume_unwind;
use std::time::Duration;

use ::equation::Rules;
use budget::{Budget, Exhausted};
use explore::Exploration;
use net::Keep;
use survey::{Engine, FaultyRun, Plan, Reader, SurveyError};
use symbolic::Translation;
use unfold::{UnfoldLimits, UnfoldedNet};

use crate::board::Board;
use crate::diagrams::{self, Sets};
use crate::equation::Structure;
use crate::executed::Executed;
use crate::explicit::{self, Explored, GiveUp, Subject};
use crate::folded::Folded;
use crate::mapped::Showing;
use crate::onward::Seen;
use crate::unfolded::Unfolded;
use crate::{Checking, Reduction, Reductions, late, skeleton, stubborn, walks};

/// How long states are explored one by one at first, where runs are to be shown, and how many states, where nets may be
/// reduced after that; and turns of searches before anything else is done then.
const MOMENT_FOR_RUNS: Duration = Duration::from_secs(5);
const MANY_FOR_RUNS: u64 = 1 << 18;
const TURNS_FOR_RUNS: usize = 3;
/// A net with more bindings than this may be too large to be unfolded, and is looked at without its colours first; then it
/// is walked for a moment.
const LARGE: u64 = 1 << 18;
const FIRST_WALKS: Duration = Duration::from_millis(200);
/// How long walks take on symbolic markings, where the net is too large to be unfolded, and as a share of the time
/// that is left.
const WALKS: Duration = Duration::from_secs(3);
const SHARE_OF_WALKS: u32 = 4;
/// The share of the time that is left in which a net may be unfolded, and that turns on it may take.
const SHARE_OF_UNFOLDING: u32 = 2;
const SHARE_OF_TURNS: u32 = 4;
/// How long states are explored one by one at first, where only answers matter.
const FIRST_STATES: Duration = Duration::from_millis(100);
/// Turns on a net that grows without end, at most; they become longer.
const TURNS_WITHOUT_END: usize = 8;
/// Turns on symbolic markings, where the net is too large to be unfolded.
const TURNS_ON_FOLDED: usize = 4;
/// How long sets of markings are tried at first.
const SETS: Duration = Duration::from_millis(500);
/// How long the structure of the net is looked at in one turn, at most.
const STRUCTURE: Duration = Duration::from_secs(20);

/// What was done for one board.
#[derive(Default)]
pub(crate) struct Pursuit<'a> {
    /// The last exploration of states one by one.
    pub(crate) explored: Option<Explored<'a>>,
    /// The reductions by which something was decided.
    pub(crate) reductions: BTreeSet<Reduction>,
    /// A failure that was met when it was gone on beyond limits, which are none of the model.
    pub(crate) failure: Option<FaultyRun>,
    /// What was seen beyond failures, if somebody has looked.
    pub(crate) seen_beyond: Option<Seen>,
}

/// Engines at work on a board.
pub(crate) struct Strategy<'s, 'a, 't> {
    pub(crate) subject: &'s Subject<'a>,
    pub(crate) board: &'s Board<'t>,
    pub(crate) checking: &'s Checking,
    /// The net without threads that diagrams are made of, if it is one.
    pub(crate) translation: Option<&'s Translation>,
    /// The program that the net was made of, if it can be executed.
    pub(crate) executed: Option<&'s Executed<'s>>,
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
                if let Some(net) = self.unfolded(translation, self.board.budget()) {
                    self.by_structure(&net);
                }
            }
            (Some(Engine::Diagrams), Some(translation)) => {
                if let Some(net) = self.unfolded(translation, self.board.budget()) {
                    let mut sets = self.sets(translation, &net);
                    let is_smaller = sets.turn(self.board, self.board.budget());
                    pursuit.reductions.extend(is_smaller.then_some(Reduction::Structural));
                }
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
        let Reductions { structural, from_start, .. } = self.checking.reductions;
        if self.checking.evidence && !from_start {
            let plan = self.plan().first(MOMENT_FOR_RUNS);
            let may_give_up = structural && plan.checkpoint.is_none();
            let mut give_up = |so_far: &Exploration, _: &mut dyn Reader| {
                may_give_up && so_far.states() >= MANY_FOR_RUNS
            };
            self.explore_by(&plan, None, &mut give_up, pursuit, watch)?;
            if self.board.is_over() || is_done(pursuit) {
                return Ok(());
            }
        }
        let is_fair = !self.subject.assumed.is_empty();
        let mut folded = Folded::new(translation, self.board, is_fair);
        // What is large when unfolded may have an answer that needs no colours.
        let mut bounds = BTreeMap::new();
        if UnfoldedNet::most_bindings(translation.symmetric_net()) > LARGE {
            bounds = self.without_colours(translation);
            if !self.checking.evidence {
                self.walk(translation, &bounds, FIRST_WALKS);
                self.follow_paths(&mut folded);
            }
            if self.board.is_over() {
                return Ok(());
            }
        }
        let budget = self.board.budget().share(0.5);
        let time = budget.time_left().map(|left| left / SHARE_OF_UNFOLDING);
        let budget = time.map_or_else(|| budget.clone(), |time| budget.within(time));
        match self.unfolded(translation, &budget) {
            Some(net) => self.in_turns(translation, &net, pursuit, watch),
            None => self.without_unfolding(translation, &bounds, &mut folded, pursuit, watch),
        }
    }

    /// Looks at the net without its colours. Returns bounds of sums, by goal.
    fn without_colours(&self, translation: &Translation) -> BTreeMap<usize, i128> {
        let is_fair = !self.subject.assumed.is_empty();
        let how = (self.checking.evidence, is_fair);
        let budget = self.board.budget();
        let time =
            budget.time_left().map_or(STRUCTURE, |left| STRUCTURE.min(left / SHARE_OF_TURNS));
        skeleton::bounds(translation, self.board, how, &budget.share(0.5).within(time))
    }

    /// Walks from symbolic marking to symbolic marking.
    fn walk(&self, translation: &Translation, bounds: &BTreeMap<usize, i128>, time: Duration) {
        let budget = self.board.budget();
        if !budget.is_exhausted() {
            let threads = self.checking.plan.threads.max(1);
            let spaces = (0..threads).map(|_| translation.symbolic().space()).collect();
            walks::walk(spaces, self.board, bounds, &budget.within(time));
        }
    }

    /// Looks at paths from symbolic marking to symbolic marking for a turn. Whether another may decide more.
    fn follow_paths(&self, folded: &mut Folded<'_, '_, '_>) -> bool {
        let budget = self.board.budget();
        let time = budget.time_left().map(|left| left / SHARE_OF_TURNS);
        folded.turn(&time.map_or_else(|| budget.clone(), |time| budget.within(time)))
    }

    /// Lets all engines take turns.
    fn in_turns(
        &self,
        translation: &Translation,
        net: &UnfoldedNet,
        pursuit: &mut Pursuit<'a>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        let shows_runs = self.checking.evidence;
        let rules = Rules::of(net);
        let mut structure = self.structure(&rules);
        let mut searches = self.searches(translation, net);
        let mut sets = self.sets(translation, net);
        if !shows_runs {
            self.look(&mut structure);
            // What is small when folded is done at once.
            if !self.board.is_over() {
                self.explore(&self.plan().first(FIRST_STATES), pursuit, watch)?;
            }
            if has_fault(pursuit) {
                return Ok(());
            }
            self.search(&mut searches, pursuit);
            if self.board.is_over() {
                return Ok(());
            }
            let budget = self.board.budget();
            let left = budget.time_left();
            let moment = left.map_or(SETS, |left| SETS.min(left / SHARE_OF_TURNS));
            let is_smaller = sets.turn(self.board, &budget.share(0.5).within(moment));
            pursuit.reductions.extend(is_smaller.then_some(Reduction::Structural));
            if self.board.is_over() {
                return Ok(());
            }
            self.explore(&self.plan().first(survey::moment(self.subject.net)), pursuit, watch)?;
            if is_done(pursuit) {
                // Of a net that grows without end, the same may still be said.
                let turns = if has_fault(pursuit) { 0 } else { TURNS_WITHOUT_END };
                for _ in 0..turns {
                    if self.board.is_over() {
                        break;
                    }
                    self.search(&mut searches, pursuit);
                    self.look(&mut structure);
                }
                return Ok(());
            }
        }
        let turns = if shows_runs { TURNS_FOR_RUNS } else { 1 };
        for _ in 0..turns {
            self.search(&mut searches, pursuit);
        }
        self.look(&mut structure);
        self.look(&mut structure);
        if self.board.is_over() {
            return Ok(());
        }
        // What was seen in the moment is seen again; both would be too much to keep.
        pursuit.explored = None;
        let plan = self.plan();
        let threads = plan.threads.max(1);
        if threads > 1 {
            // Side by side in half of the memory; what is not decided then has all of it, in turn.
            let half = plan.budget.share(0.5);
            let first = Plan { budget: half.clone(), threads: threads - 1, ..plan.clone() };
            let is_smaller = std::thread::scope(|scope| {
                let sets = scope.spawn(|| sets.turn(self.board, &half));
                self.search(&mut searches, pursuit);
                self.explore(&first, pursuit, watch)?;
                Ok::<_, SurveyError>(sets.join().unwrap_or_else(|why| resume_unwind(why)))
            })?;
            pursuit.reductions.extend(is_smaller.then_some(Reduction::Structural));
            if self.board.is_over() || half.exhausted() != Some(Exhausted::Memory) {
                return Ok(());
            }
            pursuit.explored = None;
        }
        let mut budget = plan.budget_for_diagrams();
        if let Some(left) = plan.budget.time_left() {
            budget = budget.within(left / 2);
        }
        let is_smaller = sets.turn(self.board, &budget);
        pursuit.reductions.extend(is_smaller.then_some(Reduction::Structural));
        for _ in 0..2 {
            self.search(&mut searches, pursuit);
            self.look(&mut structure);
        }
        drop((searches, structure, sets));
        if !self.board.is_over() {
            self.explore(&plan, pursuit, watch)?;
        }
        Ok(())
    }

    /// What can be done where the net is too large to be unfolded.
    fn without_unfolding(
        &self,
        translation: &Translation,
        bounds: &BTreeMap<usize, i128>,
        folded: &mut Folded<'_, '_, '_>,
        pursuit: &mut Pursuit<'a>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        let plan = self.plan();
        if !self.checking.evidence {
            self.explore(&plan.first(survey::moment(self.subject.net)), pursuit, watch)?;
            if self.board.is_over() || is_done(pursuit) {
                return Ok(());
            }
        }
        let left = plan.budget.time_left();
        let time = left.map_or(WALKS, |left| WALKS.min(left / SHARE_OF_WALKS));
        self.walk(translation, bounds, time);
        if !self.checking.evidence {
            // What was seen in the moment is seen again; both would be too much to keep.
            pursuit.explored = None;
            let mut turns = 0;
            while turns < TURNS_ON_FOLDED && !self.board.is_over() && self.follow_paths(folded) {
                turns += 1;
            }
        }
        if !self.board.is_over() {
            pursuit.explored = None;
            self.explore(&plan, pursuit, watch)?;
        }
        Ok(())
    }

    /// The net without colours, unless it is too large.
    fn unfolded(&self, translation: &Translation, budget: &Budget) -> Option<UnfoldedNet> {
        let limits = UnfoldLimits { budget: budget.clone(), ..UnfoldLimits::default() };
        UnfoldedNet::of(translation.symmetric_net(), &limits).ok()
    }

    /// Nobody has looked at the structure of the net yet.
    fn structure<'n>(&self, rules: &'n Rules<'n>) -> Option<Structure<'n, 's, 't>> {
        let is_fair = !self.subject.assumed.is_empty();
        Structure::new(rules, self.board, (self.checking.evidence, is_fair))
    }

    /// Looks at the structure of the net for a turn.
    fn look(&self, structure: &mut Option<Structure<'_, '_, '_>>) {
        let Some(of) = structure else { return };
        let budget = self.board.budget();
        if !budget.is_exhausted() {
            let left = budget.time_left();
            let time = left.map_or(STRUCTURE, |left| STRUCTURE.min(left / SHARE_OF_TURNS));
            let budget = budget.share(0.5).within(time);
            of.walk(&budget);
            of.turn(&budget);
        }
    }

    /// Looks at nothing but the structure of the net.
    fn by_structure(&self, net: &UnfoldedNet) {
        let rules = Rules::of(net);
        let Some(mut structure) = self.structure(&rules) else { return };
        structure.walk(self.board.budget());
        while structure.turn(self.board.budget()) {
            structure.walk(self.board.budget());
        }
    }

    /// Nobody has searched yet. Where the number of states is limited, it is those of the model that count.
    fn searches<'n>(
        &self,
        translation: &'n Translation,
        net: &'n UnfoldedNet,
    ) -> Option<Unfolded<'n, 's, 't>>
    where
        's: 'n,
    {
        let is_fair = !self.subject.assumed.is_empty();
        let may_search = self.checking.plan.states.is_none();
        may_search.then(|| {
            let searches = Unfolded::new(net, self.board, is_fair, self.checking.reductions);
            match self.checking.evidence {
                true => searches.with_runs(Showing {
                    translation,
                    net: self.subject.net,
                    budget: self.checking.plan.showing(),
                }),
                false => searches,
            }
        })
    }

    /// Searches on nets of single goals for a turn.
    fn search(&self, searches: &mut Option<Unfolded<'_, '_, '_>>, pursuit: &mut Pursuit<'a>) {
        let Some(searches) = searches else { return };
        let budget = self.board.budget();
        if !budget.is_exhausted() {
            let time = budget.time_left().map(|left| left / SHARE_OF_TURNS);
            searches.turn(&time.map_or_else(|| budget.clone(), |time| budget.within(time)));
            pursuit.reductions.extend(&searches.used);
        }
    }

    /// Explores states one by one; with stubborn sets, where they may be used and keep what is asked: from the start if
    /// that is wanted, or when there are many states and it pays ([`late`]).
    pub(crate) fn explore(
        &self,
        plan: &Plan,
        pursuit: &mut Pursuit<'a>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        let Reductions { stubborn: may_reduce, from_start, .. } = self.checking.reductions;
        let may_reduce = may_reduce && !plan.full;
        let keep = may_reduce.then(|| stubborn::kept(self.subject, self.board)).flatten();
        let execute = |so_far: &Exploration| {
            if let Some(executed) = self.executed {
                executed.turn(self.board, so_far.states());
            }
        };
        let mut only_execute = |so_far: &Exploration, _: &mut dyn Reader| {
            execute(so_far);
            false
        };
        if from_start || keep.is_none() {
            return self.explore_by(plan, keep, &mut only_execute, pursuit, watch);
        }
        // What is kept on disk is of one exploration.
        let may_go_over = plan.checkpoint.is_none();
        let mut was_asked = !may_go_over;
        let mut give_up = |so_far: &Exploration, reader: &mut dyn Reader| {
            execute(so_far);
            if was_asked || so_far.states() < late::SMALL || self.board.is_over() {
                return false;
            }
            was_asked = true;
            keep.as_ref().is_some_and(|keep| late::pays(self.subject, keep, so_far, reader))
        };
        self.explore_by(plan, None, &mut give_up, pursuit, watch)?;
        if pursuit.explored.as_ref().is_some_and(|explored| explored.is_given_up) {
            // Two explorations would be too much to keep.
            pursuit.explored = None;
            let keep = stubborn::kept(self.subject, self.board);
            self.explore_by(plan, keep, &mut only_execute, pursuit, watch)?;
        }
        Ok(())
    }

    fn explore_by(
        &self,
        plan: &Plan,
        stubborn: Option<Keep>,
        give_up: GiveUp<'_>,
        pursuit: &mut Pursuit<'a>,
        watch: &mut dyn FnMut(&Exploration),
    ) -> Result<(), SurveyError> {
        pursuit.reductions.extend(stubborn.as_ref().map(|_| Reduction::Stubborn));
        let plan = &Plan { stubborn: stubborn.or_else(|| plan.stubborn.clone()), ..plan.clone() };
        let precise = plan.stubborn.is_some().then(|| self.subject.precise());
        let subject = precise.as_ref().unwrap_or(self.subject);
        let explored =
            explicit::explored(subject, self.board, plan, self.checking, give_up, watch)?;
        pursuit.explored = Some(explored);
        Ok(())
    }

    /// Nothing is known of the set of all markings yet.
    fn sets<'n>(&self, translation: &'n Translation, net: &'n UnfoldedNet) -> Sets<'n>
    where
        's: 'n,
    {
        let is_fair = !self.subject.assumed.is_empty();
        let how = (is_fair, self.checking.reductions.structural);
        Sets::new(translation, net, &self.checking.plan.order, how)
    }
}

/// Whether a fault was met, after which nothing is said of the model.
fn has_fault(pursuit: &Pursuit<'_>) -> bool {
    pursuit.explored.as_ref().is_some_and(|explored| explored.survey.has_fault())
}

/// Whether nothing is left to be explored.
fn is_done(pursuit: &Pursuit<'_>) -> bool {
    pursuit.explored.as_ref().is_some_and(|explored| {
        let survey = &explored.survey;
        survey.exploration().complete || survey.is_unbounded() || survey.has_fault()
    })
}
