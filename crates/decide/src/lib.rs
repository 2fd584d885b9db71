//! From formulas and engines to verdicts.
//!
//! A question passes through these rooms:
//!
//! 1. [`Question`]: a property, or a number whose greatest value is asked for (`question`).
//! 2. `lower` makes of it a *claim*, a connection of *goals* (`goal`) over numbered statements about single
//!    states (`atom`, `predicate`); what cannot be decided is refused, with the reason ([`Refusal`]).
//! 3. `board` has the goals of all questions that are decided on one net; engines settle them, and each
//!    answer is told at once, with the run that shows it.
//! 4. `strategy` has the net unfolded once, and gives turns to the engines: the structure of the net and walks
//!    (`equation`), the unfolded net made smaller for each goal (`unfolded`), states one by one (`explicit`), and sets of
//!    states (`diagrams`). What is found of atoms makes goals simpler (`facts`, `simplify`).
//! 5. `evidence` turns a path through the graph into a concrete run, and `mapped` one that was found on a reduced net,
//!    executed by the plain interpreter on the model as it is; `conclusion` has what is reported in the end.
//!
//! Relations that a property uses are kept by the folding. Where a property names members of a class, these
//! are told apart in an exploration for that property (`group`); a property of a followed thread has
//! explorations of its own, in which the thread is part of the state (`follow`).

mod atom;
mod board;
mod conclusion;
mod diagrams;
mod equation;
mod evidence;
mod executed;
mod explicit;
mod facts;
mod fairness;
mod folded;
mod follow;
mod goal;
mod group;
mod individuals;
mod labelled;
mod late;
mod lower;
mod mapped;
mod met;
mod onward;
mod predicate;
mod premise;
pub mod program;
mod question;
mod reductions;
mod refusal;
mod shorten;
mod simplify;
mod skeleton;
mod strategy;
mod stubborn;
mod table;
mod team;
mod unfolded;
mod view;
mod walks;
mod watch;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use budget::{Budget, Exhausted};
use explore::{Exploration, Space, Successors};
use net::{Fairness, Net, PlaceId, Property, TransitionId};
use state::Relations;
use survey::{Engine, FaultyRun, Growth, NoDiagram, Plan, SurveyError, Unbounded, unknown_place};
use symbolic::{SymbolicSpace, Translation};

pub use executed::Executable;
use group::Groups;
pub use question::{Concern, Evidence, Outcome, Question, Verdict};
pub use reductions::{Reduction, Reductions};
pub use refusal::Refusal;
use view::View;

/// How to decide. By default with all engines and reductions, without limits, fairness and runs to show.
#[derive(Clone, Debug, Default)]
pub struct Checking {
    /// How to explore, and the budget for everything.
    pub plan: Plan,
    /// What is assumed of runs.
    pub fairness: Vec<Fairness>,
    /// The only engine to use.
    pub engine: Option<Engine>,
    /// Whether runs are to be shown.
    pub evidence: bool,
    /// Which reductions may be used.
    pub reductions: Reductions,
    /// Whether the first failure is enough, of a property or of an assertion.
    pub first: bool,
    /// The program that the net was made of, if it was made of one.
    pub executable: Option<Arc<Executable>>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// What was found of each question.
    pub outcomes: Vec<Outcome>,
    /// What was seen of the model on the way, where states were explored one by one.
    pub coverage: Option<Coverage>,
    /// A run by which the model faults, if one was met. What was found before that is found.
    pub fault: Option<Box<FaultyRun>>,
    /// That the model grows without end, if that was found.
    pub unbounded: Option<Unbounded>,
    /// Why a run that would show something is missing, if one is.
    pub unshown: Option<Exhausted>,
    /// Whether states were folded by what is still observed of them, where that can make a difference.
    pub projected: bool,
    /// The reductions by which something was decided.
    pub reductions: BTreeSet<Reduction>,
}

/// What was seen of a model.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The relations between pids that were observed.
    pub relations: Relations,
    /// The classes that were seen.
    pub states: u64,
    /// Whether these are all.
    pub complete: bool,
    /// The transitions that were never fired.
    pub never_fired: Vec<TransitionId>,
    /// The places in which no token was seen.
    pub never_marked: Vec<PlaceId>,
    /// What was still rising when a limit was reached.
    pub growth: Vec<Growth>,
}

/// Something that was found: the report has it as it is told, but for the number of states.
#[derive(Clone, Copy, Debug)]
pub enum Found<'f> {
    /// The outcome of the question of this number, with the run that shows it.
    Outcome(usize, &'f Outcome),
    /// A run by which the model faults.
    Fault(&'f FaultyRun),
}

/// Called with everything that is found, as soon as it is known and once: each outcome, in the end also those that say
/// that nothing is known.
pub type Tell<'t> = &'t mut (dyn FnMut(Found<'_>) + Send);

/// Decides questions about a model. `watch` is called now and then with the progress of an exploration.
///
/// # Errors
///
/// If the model is not one for the engine asked for, the order is not one of its places, the relations given
/// do not contain what it observes, or its initial marking is too large.
///
/// # Panics
///
/// If the net breaches what [`Net::check`] checks.
pub fn decide(
    net: &Arc<Net>,
    questions: &[Question],
    checking: &Checking,
    watch: &mut dyn FnMut(&Exploration),
    tell: Tell<'_>,
) -> Result<Report, SurveyError> {
    if let Some(name) = unknown_place(net, &checking.plan.order) {
        return Err(NoDiagram::NoPlace(name.clone()).into());
    }
    let observed = net.relations();
    if let Some(given) = checking.plan.relations
        && !given.includes(observed)
    {
        let missing = observed.without(given);
        return Err(SurveyError::TooFewRelations { missing });
    }
    Groups::new(net, questions, checking, tell).decided(watch)
}

/// Decides properties of a model by all means, and shows runs.
///
/// # Errors
///
/// As [`decide`].
///
/// # Panics
///
/// As [`decide`].
pub fn verify(
    net: &Arc<Net>,
    properties: &[Property],
    checking: &Checking,
    watch: &mut dyn FnMut(&Exploration),
) -> Result<Report, SurveyError> {
    let questions: Vec<Question> = properties.iter().cloned().map(Question::Holds).collect();
    let checking = Checking { evidence: true, ..checking.clone() };
    decide(net, &questions, &checking, watch, &mut |_| {})
}

/// The number of tokens that each place of a net has at first.
///
/// # Errors
///
/// If the net is not one for symbolic markings, its initial marking is too large, or the budget is used up before.
pub fn first_tokens(net: &Arc<Net>, budget: &Budget) -> Result<Vec<u64>, SurveyError> {
    let translation = Translation::of(net, budget).map_err(NoDiagram::from)?;
    let mut space = translation.symbolic().space();
    let (mut first, mut tokens) = (Successors::within(budget), Vec::new());
    space.initial(&mut first).map_err(|_| SurveyError::TooManyTokens)?;
    for (_, _, state) in first.iter() {
        space.count_tokens_in_places(state, &mut tokens);
    }
    Ok(tokens)
}

/// How long the first state is looked at before states are explored.
const FIRST_LOOK: Duration = Duration::from_millis(500);

/// What can be seen of the first state, unless it has too many successors for the budget.
fn first_view(space: &mut SymbolicSpace, budget: &Budget) -> Option<View> {
    let [mut first, mut successors] = [(); 2].map(|()| Successors::within(budget));
    space.initial(&mut first).ok()?;
    let (_, _, state) = first.iter().next()?;
    space.expand(state, &mut successors).ok()?;
    let mut view = View::default();
    view.see(space, state, &successors);
    (!successors.enough()).then_some(view)
}
