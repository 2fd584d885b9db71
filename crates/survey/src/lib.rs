//! Exploring a model, folded or not, and asking what was found.

mod answers;
mod census;
mod diagrams;
mod fault;
mod graph;
mod growth;
mod plan;
mod reader;
mod shared;
mod spaces;
mod strategy;
mod system;
mod unbounded;

use std::sync::Arc;

use budget::{Budget, Phase};
use explore::{CheckpointError, Control, Exploration, Failed, Successors};
use net::{Net, Observed, TransitionId};
use state::Relations;
pub use symbolic::Census;

use fault::{FaultAt, Whereabouts};
use plan::{facts, options, relations};
use reader::Observer;
use shared::SharedSurvey;
use spaces::Spaces;
use unbounded::{Covering, Walks};

pub use diagrams::{DiagramForm, DiagramSurvey, NoDiagram, diagram_survey, orders, unknown_place};
pub use explore::distributed::{Destination, Lost, Portion, exchange_on};
pub use fault::FaultyRun;
pub use graph::{Graph, state_text};
pub use growth::Growth;
pub use plan::Plan;
pub use reader::Reader;
pub use shared::{Shards, SharedReview, Team, WatchTeam};
pub use strategy::{Engine, Surveyed, moment, survey_by};
pub use system::{Explored, Explorer, ExplorerError, SharedSystem, SystemRun};
pub use unbounded::Unbounded;

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
        if states >= growth::MANY {
            let growing = growth::growth(so_far, net, observer);
            progress.tell(|known| known.growing = growing.iter().map(Growth::told).collect());
        }
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
