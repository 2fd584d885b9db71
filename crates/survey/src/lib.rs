//! Exploring a model, folded or not, and asking what was found.

mod census;
mod diagrams;
mod graph;
mod growth;
mod reader;
mod shared;
mod spaces;
mod strategy;
mod system;
mod unbounded;

use std::cell::RefCell;
use std::sync::Arc;

use budget::{Budget, Exhausted, Phase};
use explore::checkpoint::{Facts, digest};
use explore::distributed::Path;
use explore::{
    Checkpoint, CheckpointError, Control, Exploration, Failed, Options, Spill, StateId, Stop,
    Successors,
};
use net::interpret::{self, Mode};
use net::{Keep, Net, Observed, PlaceId, TransitionId};
use state::{Relations, State};
pub use symbolic::Census;
use symbolic::{Translation, Untranslatable};

use reader::Observer;
use shared::SharedSurvey;
use spaces::{GRACE, Spaces};
use unbounded::{Covering, Walks};

pub use diagrams::{DiagramForm, DiagramSurvey, NoDiagram, diagram_survey, orders, unknown_place};
pub use explore::distributed::{Destination, Lost, Portion, exchange_on};
pub use graph::{Graph, state_text};
pub use growth::Growth;
pub use reader::Reader;
pub use shared::{Shards, SharedReview, Team, WatchTeam};
pub use strategy::{Engine, Surveyed, moment, survey_by};
pub use system::{Explored, Explorer, ExplorerError, SharedSystem, SystemRun};
pub use unbounded::Unbounded;

use trace::Run;

/// How to explore. By default folded up to the relations that the model observes, without limits.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Ω; inferred when not given. Must contain what the model observes.
    pub relations: Option<Relations>,
    /// What is observed of each column, by which states with threads or objects are folded; inferred when not given,
    /// unless relations are, or folding is to be precise.
    pub observed: Option<Arc<Observed>>,
    /// Fold states up to Ω everywhere, also where it is not needed any more.
    pub precise: bool,
    /// Explore the concrete states instead of folding them.
    pub full: bool,
    /// Fold states one by one, even where there are no threads and symbolic markings would do. What is
    /// found is the same.
    pub one_by_one: bool,
    /// Where states with threads are folded one by one: fire only some of the modes of each, by stubborn sets, that keep
    /// this.
    pub stubborn: Option<Keep>,
    /// The time and memory the run may take, and who may end it.
    pub budget: Budget,
    /// The number of states that may be stored.
    pub states: Option<u64>,
    /// Keep the edges of the graph.
    pub keep_edges: bool,
    /// Stop as soon as this transition has been fired.
    pub until: Option<TransitionId>,
    /// The number of threads to work on; 0 and 1 are the same. What is found does not depend on it.
    pub threads: usize,
    /// The threads share the work when at least this many states wait to be expanded; when not given, when
    /// it is expected to pay.
    pub share_from: Option<u64>,
    /// The net as a symmetric one, if it was translated before.
    pub translation: Option<Arc<Translation>>,
    /// For decision diagrams: the places of the net, by name, in the order in which the diagram asks for their
    /// tokens. Those that are not listed come last; if none is, an order is found.
    pub order: Vec<String>,
    /// For decision diagrams: unfold the net also where it has symmetry.
    pub unfold: bool,
    /// Where states that are explored one by one are kept, and gone on from.
    pub checkpoint: Option<Checkpoint>,
    /// Where states that are explored one by one go when memory is too small for them.
    pub spill: Option<Spill>,
    /// Several processes that explore together. All of them survey the same net by the same plan, and ask the survey for
    /// the same. Where edges are kept, the first process gathers the graph, and has it as if it had explored alone; the
    /// others have counts.
    pub team: Option<Team>,
}

/// What exploring a model has shown.
pub struct Survey<'n> {
    net: &'n Arc<Net>,
    relations: Relations,
    observed: Option<Arc<Observed>>,
    spaces: Spaces,
    exploration: Exploration,
    most_tokens: Vec<u64>,
    /// Whether all states were looked at for that.
    all_looked_at: bool,
    census: Option<Census>,
    budget: Budget,
    covering: Option<Covering>,
    fault: Option<FaultAt>,
    /// Whether some states were expanded before, and kept since.
    resumed: bool,
    /// Where the states are, if several processes hold them; then the exploration has none.
    shared: Option<SharedSurvey>,
}

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The states, or classes of states.
    pub states: u64,
    /// The distinct (state, label, state).
    pub edges: u64,
    /// The expanded states without successor in which something is alive.
    pub deadlocks: u64,
    /// Those in which everything has ended.
    pub terminated: u64,
    /// The largest depth of a state.
    pub depth: u32,
}

/// What states were stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Concrete states.
    Full,
    /// Classes of states, each state folded by itself.
    Folded,
    /// Symbolic markings.
    Symbolic,
}

/// Why a survey has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum SurveyError {
    /// The relations given do not contain what the model observes.
    #[error("the model observes {}, which the relations given do not contain", names(*missing))]
    TooFewRelations {
        /// What is missing.
        missing: Relations,
    },
    /// The initial marking has more tokens than can be counted.
    #[error("initially a token is in a place more than 2^32 - 1 times")]
    TooManyTokens,
    /// The model faults when it is fired.
    #[error("{}", .0.message)]
    Fault(Box<FaultyRun>),
    /// The model cannot be explored by decision diagrams.
    #[error(transparent)]
    NoDiagram(#[from] NoDiagram),
    /// The exploration cannot be kept, or cannot go on from what was kept.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Processes cannot go on exploring together.
    #[error(transparent)]
    Lost(#[from] Lost),
}

fn names(relations: Relations) -> String {
    relations.iter().map(|relation| relation.name()).collect::<Vec<_>>().join(", ")
}

/// A fault of the model, and how it comes about.
#[derive(Debug)]
pub struct FaultyRun {
    /// What is wrong, with names.
    pub message: String,
    /// The transition that faults, if it is known.
    pub transition: Option<TransitionId>,
    /// Whether it is what the model says must not happen.
    pub is_failure: bool,
    /// The binding under which it faults, and a shortest run to the state in which it does; or why the
    /// interpreter did not come to them.
    pub shown: Result<(Mode, Run), Exhausted>,
}

impl FaultyRun {
    /// The fault of a net in the state that a run ends in, of this transition if it is known.
    ///
    /// # Errors
    /// If the budget is used up before.
    ///
    /// # Panics
    /// If the interpreter finds none.
    pub fn after(
        run: Run,
        net: &Net,
        transition: Option<TransitionId>,
        budget: &Budget,
    ) -> Result<FaultyRun, Exhausted> {
        let all = (0..net.transitions.len() as u32).map(TransitionId);
        let mut suspects = all.filter(|t| transition.is_none_or(|known| known == *t));
        let enough = &mut || budget.is_exhausted();
        let found = suspects.find_map(|t| interpret::fault(net, run.last(), t, enough));
        let Some((fault, mode)) = found else {
            budget.check()?;
            panic!("the interpreter does not find the fault");
        };
        let is_failure = is_failure(net, Some(fault.transition));
        let what = fault.kind.describe(net);
        let message = message(net, Some(fault.transition), &what, is_failure);
        let transition = Some(fault.transition);
        Ok(FaultyRun { message, transition, is_failure, shown: Ok((mode, run)) })
    }
}

/// Whether a transition stands for what must not happen.
fn is_failure(net: &Net, transition: Option<TransitionId>) -> bool {
    transition.is_some_and(|id| net.transition(id).failure.is_some())
}

fn message(net: &Net, transition: Option<TransitionId>, what: &str, is_failure: bool) -> String {
    if is_failure {
        return format!("assertion fails: {what}");
    }
    let who = transition.map(|id| format!("`{}`", net.transition(id).name));
    format!("when {} fires, {what}", who.as_deref().unwrap_or("a transition"))
}

/// Where a state is.
enum Whereabouts {
    Here(StateId),
    /// With one of several processes: the path to it, or why there is none.
    There(Result<Path, Exhausted>),
}

/// A fault as an exploration meets it.
struct FaultAt {
    state: Whereabouts,
    transition: Option<TransitionId>,
    /// What is wrong, with names.
    what: String,
}

impl Plan {
    /// For showing what was found: a little more than there is for everything else.
    #[must_use]
    pub fn showing(&self) -> Budget {
        self.budget.grace(GRACE)
    }
}

/// Explores a model.
pub fn survey<'n>(net: &'n Arc<Net>, plan: &Plan) -> Result<Survey<'n>, SurveyError> {
    survey_watched(net, plan, &mut |_| {})
}

/// Explores a model, and tells `watch` now and then how far it has come.
///
/// # Panics
/// If the net breaches what [`Net::check`] checks.
pub fn survey_watched<'n>(
    net: &'n Arc<Net>,
    plan: &Plan,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Survey<'n>, SurveyError> {
    faultless(survey_reviewed(net, plan, watch, &mut |_, _| Control::Continue)?, plan)
}

/// A survey, unless it met a fault, which is shown as long as the plan allows.
fn faultless<'n>(mut survey: Survey<'n>, plan: &Plan) -> Result<Survey<'n>, SurveyError> {
    match survey.take_fault(&plan.showing()) {
        Some(fault) => Err(SurveyError::Fault(Box::new(fault))),
        None => Ok(survey),
    }
}

/// Explores a model as [`survey_watched`] does, and each time the number of states has doubled calls
/// `review` with what was found so far, and what looks into it. That may take time in proportion to it. A fault
/// ends the exploration, and what was found before stays.
///
/// # Panics
/// If the net breaches what [`Net::check`] checks.
pub fn survey_reviewed<'n>(
    net: &'n Arc<Net>,
    plan: &Plan,
    watch: &mut dyn FnMut(&Exploration),
    review: &mut dyn FnMut(&Exploration, &mut dyn Reader) -> Control,
) -> Result<Survey<'n>, SurveyError> {
    if plan.team.is_some() {
        return survey_shared(net, plan, &mut |shards| {
            let control = shards.look_at_graph(|so_far, reader| review(so_far, reader));
            let is_over = control == Some(Control::Interrupt);
            let said = shards.exchange(vec![u8::from(is_over)])?;
            Ok(if said[0] == [1] { Control::Interrupt } else { Control::Continue })
        });
    }
    let relations = relations(net, plan)?;
    let options = options(plan);
    let progress = plan.budget.progress();
    progress.begin_exploration();
    let exploring = progress.during(Phase::Exploring);
    let mut watch = |so_far: &Exploration| {
        progress.tell(|known| so_far.tell(known));
        watch(so_far);
        Control::Continue
    };
    let mut spaces = Spaces::of(net, relations, plan.threads.max(1), plan);
    let can_be_proved = unbounded::can_be_proved(net);
    let mut covering = None;
    let mut walks = Walks::default();
    let mut reviewed = 0;
    // Walks end when the search has to.
    let mut found = Successors::within(&plan.budget);
    let mut review = |so_far: &Exploration, observer: &mut dyn Observer| {
        let states = so_far.store.len();
        // Where the exploration goes on from a checkpoint, the walks that were made before are made again: those
        // that follow depend on them.
        for &earlier in so_far.reviews().iter().skip(reviewed) {
            if can_be_proved && earlier >= unbounded::FEWEST {
                let _ = walks.go(earlier, &mut found, observer);
            }
        }
        reviewed = so_far.reviews().len() + 1;
        if can_be_proved && states >= unbounded::FEWEST {
            covering = unbounded::covering(so_far, observer, &plan.budget)
                .or_else(|| walks.go(states, &mut found, observer));
        }
        if covering.is_some() { Control::Interrupt } else { review(so_far, observer) }
    };
    let facts = facts(net, relations, &spaces, plan);
    let observed = spaces.observed();
    let kept = plan.checkpoint.as_ref().map(|checkpoint| (checkpoint, &facts));
    let (explored, resumed) = spaces.explore(net, &options, kept, &mut watch, &mut review)?;
    drop(exploring);
    let found = match &explored {
        Ok(exploration) => exploration,
        Err(failed) => &failed.exploration,
    };
    progress.tell(|known| found.tell(known));
    let survey = |spaces, exploration| Survey {
        net,
        relations,
        observed,
        spaces,
        exploration,
        most_tokens: Vec::new(),
        all_looked_at: false,
        census: None,
        budget: plan.budget.clone(),
        covering,
        fault: None,
        resumed,
        shared: None,
    };
    match explored {
        Ok(exploration) => {
            let mut survey = survey(spaces, exploration);
            if can_be_proved && !survey.exploration.complete && survey.covering.is_none() {
                survey.look_for_covering();
            }
            survey.count();
            Ok(survey)
        }
        Err(Failed { fault: (transition, what), at, exploration }) => {
            let mut survey = survey(spaces, *exploration);
            let state = at.ok_or(SurveyError::TooManyTokens)?;
            survey.fault = Some(FaultAt { state: Whereabouts::Here(state), transition, what });
            survey.count();
            Ok(survey)
        }
    }
}

impl Plan {
    /// What is observed of each column, if states are to be folded by that and it can make a difference. Properties are
    /// asked by those who give it. Stubborn sets look at all of a state.
    #[must_use]
    pub fn observed_of(&self, net: &Net) -> Option<Arc<Observed>> {
        if self.precise || self.full || self.stubborn.is_some() && net.has_threads() {
            return None;
        }
        let observed = match (&self.observed, self.relations) {
            (Some(observed), _) => observed.clone(),
            (None, Some(_)) => return None,
            (None, None) => Arc::new(net.observed(net.relations(), [], None)),
        };
        observed.makes_a_difference(net).then_some(observed)
    }
}

/// Ω, if it contains what the model observes.
fn relations(net: &Net, plan: &Plan) -> Result<Relations, SurveyError> {
    let observed = net.relations();
    let relations = plan.relations.unwrap_or(observed);
    match relations.includes(observed) {
        true => Ok(relations),
        false => Err(SurveyError::TooFewRelations { missing: observed.without(relations) }),
    }
}

fn options(plan: &Plan) -> Options {
    Options {
        budget: plan.budget.clone(),
        states: plan.states,
        keep_edges: plan.keep_edges,
        until_label: plan.until.map(|transition| transition.0),
        share_from: plan.share_from,
        spill: plan.spill.clone(),
        ..Options::default()
    }
}

/// Explores a model with the processes of the plan's team, of which this is one, and each time the number of states has
/// doubled calls `review` on all of them.
///
/// # Errors
///
/// If the model cannot be explored, or a process is gone, or another explores something else.
///
/// # Panics
///
/// If the plan has no team, or the net breaches what [`Net::check`] checks.
pub fn survey_shared<'n>(
    net: &'n Arc<Net>,
    plan: &Plan,
    review: &mut SharedReview<'_>,
) -> Result<Survey<'n>, SurveyError> {
    let team = plan.team.as_ref().expect("there is a team");
    let relations = relations(net, plan)?;
    let spaces = Spaces::of(net, relations, team.network.threads(), plan);
    let facts = facts(net, relations, &spaces, plan);
    let said = exchange_on(&*team.network, format!("{facts:?}").into_bytes())?;
    if let Some(other) = said.iter().position(|facts| *facts != said[0]) {
        let why = format!("process {other} explores something else than process 0");
        return Err(Lost(why).into());
    }
    let progress = plan.budget.progress();
    progress.begin_exploration();
    let exploring = progress.during(Phase::Exploring);
    let options = options(plan);
    let explored = shared::explored(net, plan, team, spaces, &options, &facts, review)?;
    drop(exploring);
    let totals = &explored.shared.totals;
    progress.tell(|known| {
        known.states = totals.states;
        known.expanded = totals.expanded;
        known.edges = totals.edges;
        known.depth = totals.depth();
        known.levels = totals.last_levels();
    });
    let fault = explored.fault.map(|fault| {
        let transition = fault.label.map(TransitionId);
        let state = fault.state.ok_or(SurveyError::TooManyTokens)?;
        let to = [Destination { depth: fault.depth, state }];
        let paths = explored.shared.search.paths_to(&to, &plan.showing())?;
        let state = Whereabouts::There(paths.map(|mut paths| paths.swap_remove(0)));
        Ok::<_, SurveyError>(FaultAt { state, transition, what: fault.what })
    });
    let mut survey = Survey {
        net,
        relations,
        observed: explored.spaces.observed(),
        spaces: explored.spaces,
        exploration: explored.exploration,
        most_tokens: Vec::new(),
        all_looked_at: false,
        census: None,
        budget: plan.budget.clone(),
        covering: explored.covering,
        fault: fault.transpose()?,
        resumed: false,
        shared: Some(explored.shared),
    };
    survey.count_shared()?;
    Ok(survey)
}

/// What must be the same for an exploration to go on from what was kept.
fn facts(net: &Net, relations: Relations, spaces: &Spaces, plan: &Plan) -> Facts {
    // How a net is told, and what is claimed of it, makes no difference.
    let form = format!(
        "{:?}",
        (
            (&net.enumerations, &net.fresh, &net.places, &net.start, &net.objects),
            (&net.tokens, &net.transitions, &net.actions),
        )
    );
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let transition = plan.until.map(|id| net.transition(id).name.to_string());
    let mut facts = Facts::from([
        fact("the net", digest(form.as_bytes())),
        fact("the set of relations", format!("{{{relations}}}")),
        fact("what is stored", spaces.form().name().to_owned()),
        fact("the transition looked for", transition.unwrap_or_else(|| "none".to_owned())),
    ]);
    if let Some(observed) = spaces.observed() {
        let columns = digest(format!("{observed:?}").as_bytes());
        facts.extend([fact("what is observed of columns", columns)]);
    }
    if let Some(keep) = &plan.stubborn {
        facts.extend([fact("what stubborn sets keep", digest(format!("{keep:?}").as_bytes()))]);
    }
    facts
}

impl Form {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Form::Full => "full",
            Form::Folded => "folded",
            Form::Symbolic => "symbolic",
        }
    }
}

impl Survey<'_> {
    /// The model.
    #[must_use]
    pub fn net(&self) -> &Net {
        self.net
    }

    /// Ω.
    #[must_use]
    pub fn relations(&self) -> Relations {
        self.relations
    }

    /// What is observed of each column, if states were folded by that and it could make a difference.
    #[must_use]
    pub fn observed(&self) -> Option<&Arc<Observed>> {
        self.observed.as_ref()
    }

    /// What states were stored as.
    #[must_use]
    pub fn form(&self) -> Form {
        self.spaces.form()
    }

    /// Whether states were not folded.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.form() == Form::Full
    }

    /// Why states were folded one by one, if symbolic markings would have been better.
    #[must_use]
    pub fn why_one_by_one(&self) -> Option<&Untranslatable> {
        match &self.spaces {
            Spaces::Folded(_, why, _) => why.as_ref(),
            _ => None,
        }
    }

    /// What was counted.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let found = &self.exploration;
        self.shared.as_ref().map_or_else(
            || Tally {
                states: found.states(),
                edges: found.edges,
                deadlocks: found.deadlocks.len() as u64,
                terminated: found.terminated.len() as u64,
                depth: found.depth(),
            },
            SharedSurvey::tally,
        )
    }

    /// What this process holds, if several have explored together.
    #[must_use]
    pub fn shards(&self) -> Option<Shards<'_>> {
        self.shared.as_ref().map(|shared| Shards::of(&*shared.search))
    }

    /// Whether the graph is here: where several processes have explored together, only the first may have it.
    #[must_use]
    pub fn has_graph(&self) -> bool {
        self.shared
            .as_ref()
            .is_none_or(|shared| shared.is_gathered && shared.search.network().process() == 0)
    }

    /// Forgets the states of this process that are in the graph which the first process has gathered. Nothing can be
    /// asked of the shards after that.
    pub fn forget_shards(&self) {
        if let Some(SharedSurvey { search, is_gathered: true, .. }) = &self.shared {
            search.forget();
        }
    }

    /// Why the graph that several processes have explored is not gathered, if it was to be.
    #[must_use]
    pub fn given_up(&self) -> Option<Exhausted> {
        self.shared.as_ref().and_then(|shared| shared.given_up)
    }

    /// The graph, and counts. If several processes have explored together, and the graph is not
    /// [here](Self::has_graph), there are no states in it: see [`tally`](Self::tally).
    #[must_use]
    pub fn exploration(&self) -> &Exploration {
        &self.exploration
    }

    /// The largest number of tokens seen in each place; at most `u64::MAX`.
    #[must_use]
    pub fn most_tokens(&self) -> &[u64] {
        &self.most_tokens
    }

    /// The memory that holds the states, in bytes, as allocated.
    #[must_use]
    pub fn store_bytes(&self) -> u64 {
        match &self.shared {
            Some(shared) => shared.store_bytes,
            None => self.exploration.store.allocated_bytes() + self.spaces.part_bytes(),
        }
    }

    /// The number of modes of one state of each class, added up; at most `u64::MAX`.
    #[must_use]
    pub fn modes(&self) -> u64 {
        match (&self.census, self.form()) {
            (Some(census), Form::Symbolic) => u64::try_from(&census.modes).unwrap_or(u64::MAX),
            _ => self.exploration.modes,
        }
    }

    /// What was folded, counted; `None` unless the survey is complete, and without threads or not folded. If the
    /// budget does not suffice to count, the survey is no longer complete.
    #[must_use]
    pub fn census(&mut self) -> Option<&Census> {
        if self.census.is_none() && self.exploration.complete {
            let Survey { net, relations, spaces, exploration, budget, shared, .. } = self;
            let _under = budget.progress().during(Phase::Counting);
            let census = match shared {
                None => spaces.census(net, *relations, exploration, budget),
                Some(SharedSurvey { search, is_gathered: true, .. }) => {
                    match search.network().process() {
                        0 => spaces.census(net, *relations, exploration, budget),
                        _ => Ok(None),
                    }
                }
                Some(SharedSurvey { search, .. }) => {
                    shared::census(&**search, net, *relations, budget)
                        .unwrap_or(Err(Exhausted::Interrupted))
                }
            };
            match census {
                Ok(census) => self.census = census,
                Err(spent) => self.cut(spent),
            }
        }
        self.census.as_ref()
    }

    /// Not everything was counted.
    fn cut(&mut self, spent: Exhausted) {
        self.exploration.complete = false;
        self.exploration.reason = Some(Stop::Exhausted(spent));
    }

    /// Whether the model faults. Nothing is explored beyond that.
    #[must_use]
    pub fn has_fault(&self) -> bool {
        self.fault.is_some()
    }

    /// Whether the model faults by what it says must not happen.
    #[must_use]
    pub fn has_failure(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| is_failure(self.net, fault.transition))
    }

    /// The transition that stands for what must not happen, if the model faults by one.
    #[must_use]
    pub fn failing(&self) -> Option<TransitionId> {
        let transition = self.fault.as_ref().and_then(|fault| fault.transition);
        transition.filter(|id| self.net.transition(*id).failure.is_some())
    }

    /// Takes out the fault of the model, with the run that the interpreter finds within the budget.
    #[must_use]
    pub fn take_fault(&mut self, budget: &Budget) -> Option<FaultyRun> {
        let FaultAt { state, transition, what } = self.fault.take()?;
        let run = match state {
            Whereabouts::Here(state) => self.run_to(state, budget),
            Whereabouts::There(path) => path.and_then(|path| self.run_along_far(path, budget)),
        };
        let shown = run.and_then(|run| FaultyRun::after(run, self.net, transition, budget));
        Some(shown.unwrap_or_else(|why| {
            let is_failure = is_failure(self.net, transition);
            let message = message(self.net, transition, &what, is_failure);
            FaultyRun { message, transition, is_failure, shown: Err(why) }
        }))
    }

    /// A place that can hold any number of tokens, if one was found.
    #[must_use]
    pub fn unbounded_place(&self) -> Option<PlaceId> {
        self.covering.as_ref().map(|covering| covering.place)
    }

    /// Whether it was found that the net is not bounded.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.covering.is_some()
    }

    /// That the net is not bounded, if that was found, with the run that the interpreter finds within the budget.
    #[must_use]
    pub fn unbounded(&mut self, budget: &Budget) -> Option<Unbounded> {
        let Survey { net, spaces, covering, .. } = self;
        let Covering { place, path, from } = covering.as_ref()?;
        let path = path.iter().map(|(label, target)| (TransitionId(*label), target));
        let observer = spaces.observer();
        let leads_to = |state: &State, target: &&Vec<u8>| observer.stored(state) == **target;
        let run = Run::along(net, path, budget, leads_to);
        Some(Unbounded { place: *place, from: *from, run })
    }

    /// The transitions that were never fired, but for probes, which never are.
    pub fn never_fired(&self) -> impl Iterator<Item = TransitionId> {
        let all = 0..self.net.transitions.len() as u32;
        let never = all.filter(|&t| self.exploration.fired.of(t) == 0).map(TransitionId);
        never.filter(|&t| !self.net.transition(t).probe)
    }

    /// The places in which no token was seen; none where there was no time to look at all states.
    pub fn never_marked(&self) -> impl Iterator<Item = PlaceId> {
        let places = (0..).map(PlaceId).zip(&self.most_tokens);
        places.filter(|(_, most)| self.all_looked_at && **most == 0).map(|(place, _)| place)
    }

    /// A state; of a folded survey, one of the class.
    #[must_use]
    pub fn state(&self, id: StateId) -> State {
        self.spaces.new_observer().state(self.exploration.store.get(id))
    }

    /// Looks at what was found, as it would have been reviewed.
    pub fn review<T>(&mut self, review: impl FnOnce(&Exploration, &mut dyn Reader) -> T) -> T {
        review(&self.exploration, self.spaces.observer())
    }

    /// The graph that was explored; without edges unless the plan was to keep them.
    #[must_use]
    pub fn graph(&self) -> Graph<'_> {
        let places = || self.net.places.iter().map(|place| &place.name);
        let observer = RefCell::new(self.spaces.new_observer());
        let state = move |id| observer.borrow_mut().state(self.exploration.store.get(id));
        let name = |label: u32| self.net.transitions[label as usize].name.as_str().into();
        Graph {
            title: &self.net.name,
            relations: self.relations,
            full: self.is_full(),
            exploration: &self.exploration,
            state: Box::new(state),
            action: Box::new(name),
            action_text: Box::new(move |label| {
                let told = trace::told_transition(self.net, TransitionId(label));
                told.map_or_else(|| name(label), Into::into)
            }),
            text: Box::new(move |state| match trace::told_state(self.net, state) {
                Some(lines) => lines.join("\n"),
                None => state_text(places(), state),
            }),
        }
    }

    /// A shortest run to a state.
    ///
    /// # Errors
    /// If the budget is used up before it is found.
    pub fn run_to(&mut self, id: StateId, budget: &Budget) -> Result<Run, Exhausted> {
        let path = self.exploration.path_to(id);
        self.run_along(path, budget)
    }

    /// A shortest run that ends with the transition looked for, if it was fired.
    ///
    /// # Errors
    /// If the budget is used up before it is found.
    pub fn run_to_transition(&mut self, budget: &Budget) -> Result<Option<Run>, Exhausted> {
        if let Some(SharedSurvey { search, totals, .. }) = &self.shared {
            let label = totals.label_reached();
            let Some(label) = label else { return Ok(None) };
            let path =
                search.path_to_label(label, budget).unwrap_or(Err(Exhausted::Interrupted))?;
            return path.map(|path| self.run_along_far(path, budget)).transpose();
        }
        let path = self.exploration.path_to_label();
        path.map(|path| self.run_along(path, budget)).transpose()
    }

    /// Shortest paths to states of several processes, all of which ask for the same.
    ///
    /// # Errors
    /// If the budget is used up before they are found, or a process is gone.
    ///
    /// # Panics
    /// If one process has explored alone.
    pub fn paths_to_far(
        &mut self,
        states: &[Destination],
        budget: &Budget,
    ) -> Result<Vec<Path>, Exhausted> {
        let shared = self.shared.as_ref().expect("several have explored");
        shared.search.paths_to(states, budget).unwrap_or(Err(Exhausted::Interrupted))
    }

    /// The run that a path stands for which several processes have found.
    ///
    /// # Errors
    /// If the budget is used up before it is found.
    pub fn run_along_far(&mut self, path: Path, budget: &Budget) -> Result<Run, Exhausted> {
        let Survey { net, spaces, .. } = self;
        let observer = spaces.observer();
        let steps = path.steps.into_iter();
        let steps: Vec<(TransitionId, Vec<u8>)> = steps
            .map(|step| (TransitionId(step.label), observer.adopted_state(&step.state)))
            .collect();
        Run::along(net, steps, budget, |state, target| observer.stored(state) == *target)
    }

    /// What was still rising when the run ended; nothing if it is complete.
    #[must_use]
    pub fn growth(&mut self) -> Vec<Growth> {
        let Survey { net, spaces, exploration, shared, .. } = self;
        if exploration.complete {
            return Vec::new();
        }
        if let Some(SharedSurvey { growth, .. }) = shared {
            return growth.clone();
        }
        let observer = spaces.observer();
        growth::growth(
            exploration.store.len(),
            |id, counts| growth::quantities(net, observer, exploration.store.get(id), counts),
            |number| growth::name(net, number),
        )
    }

    fn run_along(&mut self, path: Vec<(u32, StateId)>, budget: &Budget) -> Result<Run, Exhausted> {
        let Survey { net, spaces, exploration, .. } = self;
        let path = path.into_iter().map(|(label, target)| (TransitionId(label), target));
        let observer = spaces.observer();
        Run::along(net, path, budget, |state, target| {
            observer.stored(state) == exploration.store.get(*target)
        })
    }

    /// Looks at what was found before a limit came, not for long.
    fn look_for_covering(&mut self) {
        let Survey { spaces, exploration, covering, budget, .. } = self;
        *covering = unbounded::covering(exploration, spaces.observer(), &budget.grace(GRACE));
    }

    /// Counts tokens where several processes hold the states.
    fn count_shared(&mut self) -> Result<(), Lost> {
        let SharedSurvey { search, .. } = self.shared.as_ref().expect("several have explored");
        let _under = self.budget.progress().during(Phase::Counting);
        let budget = self.budget.grace(GRACE);
        (self.most_tokens, self.all_looked_at) = shared::most_tokens(&**search, &budget)?;
        if !self.all_looked_at && self.exploration.complete {
            self.cut(self.budget.exhausted().unwrap_or(Exhausted::Time));
        }
        self.most_tokens.resize(self.net.places.len(), 0);
        Ok(())
    }

    /// Counts tokens, and of symbolic markings whatever there is to count if they are all there.
    fn count(&mut self) {
        let _under = self.budget.progress().during(Phase::Counting);
        let has_census = match &self.spaces {
            Spaces::Symbolic(spaces) => spaces[0].space.most_tokens_found().is_none(),
            _ => false,
        };
        if has_census && let Some(census) = self.census() {
            let most = census.most_in_places.iter();
            self.most_tokens = most.map(|m| u64::try_from(m).unwrap_or(u64::MAX)).collect();
            self.all_looked_at = true;
        } else {
            (self.most_tokens, self.all_looked_at) =
                self.spaces.most_tokens(&self.exploration, self.resumed, &self.budget);
        }
        if !self.all_looked_at && self.exploration.complete {
            self.cut(self.budget.exhausted().unwrap_or(Exhausted::Time));
        }
        self.most_tokens.resize(self.net.places.len(), 0);
    }
}
