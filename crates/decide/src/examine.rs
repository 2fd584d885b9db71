//! Deciding what is asked of a net without threads: how many tokens places can have, what can happen, and
//! formulas of branching and of linear time about that.
//!
//! Atoms are numbers of tokens in places, whatever the tokens are, and which transitions are enabled, in some
//! mode. Both are the same in all states of a class, so all is decided on folded states. Runs are maximal:
//! where nothing follows, a path of branching time ends, and of linear time the last state repeats for ever.
//!
//! Two engines work on the same questions. Exploring states one by one (`explicit`) comes first, for a
//! moment; then walks (`walk`), which come farther; then, on a thread of its own or in turn, the set of all
//! markings in a decision diagram (`diagrams`). Each answer is told as soon as one of them has it. Answers are exact; a limit leaves questions
//! without answer.

mod diagrams;
mod docket;
mod explicit;
mod ledger;
mod lookout;
mod predicate;
mod walk;

use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use explore::{Progress, Successors};
use fold::Folded;
use net::{Compiled, Net, Symmetry};
use symbolic::{SymbolicSpace, Translation};

use docket::Docket;
pub use docket::{Answer, Question};
use explicit::Outcome;
use ledger::Ledger;
pub use ledger::{Engine, Tell};
use lookout::Counting;
pub use predicate::Refusal;
use predicate::View;

/// How long states are explored one by one before there is a diagram.
const MOMENT: Duration = Duration::from_millis(50);
const MOMENT_WITH_SYMMETRY: Duration = Duration::from_secs(1);
/// How long walks take after that, at most.
const WALKS: Duration = Duration::from_secs(3);

/// How to examine. By default with both engines, without limits.
#[derive(Clone, Debug, Default)]
pub struct Inquiry {
    /// The only engine to use.
    pub engine: Option<Engine>,
    /// The time and memory it may take, and who may end it.
    pub budget: Budget,
    /// The number of threads to work on; 0 and 1 are the same.
    pub threads: usize,
    /// The places of the net, by name, in the order in which diagrams ask for their tokens; if not given, one
    /// is found.
    pub order: Vec<String>,
}

/// Why nothing is examined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotExamined {
    /// The net has threads.
    #[error("the net has threads")]
    Threads,
    /// The first state is faulty.
    #[error("the net faults in its first state")]
    Faulty,
    /// There is no place of this name.
    #[error("the order names `{0}`, but there is no place named so")]
    NoPlace(String),
}

/// Examines a net. Questions that are refused are returned, with the reason.
///
/// # Errors
///
/// If the net has threads, or faults in its first state, or the order is not one of its places.
pub fn examine(
    net: &Arc<Net>,
    questions: &[Question],
    inquiry: &Inquiry,
    watch: &mut dyn FnMut(&Progress),
    tell: Tell<'_>,
) -> Result<Vec<(usize, Refusal)>, NotExamined> {
    if net.has_threads() {
        return Err(NotExamined::Threads);
    }
    if let Some(name) = survey::unknown_place(net, &inquiry.order) {
        return Err(NotExamined::NoPlace(name.clone()));
    }
    let translation = Translation::of(net).ok();
    let start = match &translation {
        Some(translation) => first_view(&mut translation.symbolic().space()),
        None => first_view(&mut folded(net)),
    };
    let (docket, refused) = Docket::new(questions, start.ok_or(NotExamined::Faulty)?);
    let ledger = &Ledger::new(docket, tell, &inquiry.budget);
    let budget = ledger.budget();
    let mut explore = |turn: &Budget, threads: usize| match &translation {
        Some(translation) => {
            explicit::explored(symbolic(translation, threads), ledger, turn, watch)
        }
        None => explicit::explored(one_by_one(net, threads), ledger, turn, watch),
    };
    let threads = inquiry.threads.max(1);
    match (inquiry.engine, &translation) {
        _ if ledger.is_over() => {}
        (Some(Engine::Explicit), _) | (None, None) => {
            explore(budget, threads);
        }
        (Some(Engine::Diagrams), None) => {}
        (Some(Engine::Diagrams), Some(translation)) => {
            diagrams::explored(translation, &inquiry.order, ledger, budget, None);
        }
        (None, Some(translation)) => {
            let outcome = explore(&budget.within(moment(net)), threads);
            if outcome != Outcome::Cut || ledger.is_over() {
                return Ok(refused);
            }
            let walks = budget.time_left().map_or(WALKS, |time| WALKS.min(time / 16));
            walk::walk(symbolic(translation, threads), ledger, &budget.within(walks));
            if ledger.is_over() {
                return Ok(refused);
            }
            if threads > 1 {
                // Where exploring takes too much it ends early enough for diagrams to go on.
                let most = budget.share(0.8);
                let half = budget.memory_left().map(|bytes| bytes / 2);
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        diagrams::explored(translation, &inquiry.order, ledger, budget, half);
                    });
                    explore(&most, threads - 1);
                });
            } else {
                let half = budget.time_left().map(|time| budget.within(time / 2));
                let half = half.unwrap_or_else(|| budget.clone());
                diagrams::explored(translation, &inquiry.order, ledger, &half, None);
                if !ledger.is_over() {
                    explore(budget, 1);
                }
            }
        }
    }
    Ok(refused)
}

/// The number of tokens that each place of a net has at first; `None` if that is faulty.
#[must_use]
pub fn first_tokens(net: &Arc<Net>) -> Option<Vec<u64>> {
    let view = match Translation::of(net) {
        Ok(translation) => first_view(&mut translation.symbolic().space()),
        Err(_) => first_view(&mut folded(net)),
    };
    view.map(|view| view.tokens)
}

fn symbolic(translation: &Translation, threads: usize) -> Vec<SymbolicSpace> {
    (0..threads).map(|_| translation.symbolic().space()).collect()
}

fn one_by_one(net: &Arc<Net>, threads: usize) -> Vec<Folded<Compiled>> {
    let first = folded(net);
    let others: Vec<_> = (1..threads).map(|_| first.worker()).collect();
    std::iter::once(first).chain(others).collect()
}

fn folded(net: &Arc<Net>) -> Folded<Compiled> {
    let relations = net.relations();
    Folded::new(Compiled::new(net.clone(), relations), relations)
}

fn moment(net: &Net) -> Duration {
    let is_folded = net.enumerations.iter().any(|class| class.symmetry != Symmetry::None);
    if is_folded { MOMENT_WITH_SYMMETRY } else { MOMENT }
}

/// What can be seen of the first state.
fn first_view<S: Counting>(space: &mut S) -> Option<View> {
    let (mut first, mut found) = (Successors::new(), Successors::new());
    space.initial(&mut first).ok()?;
    let (_, _, state) = first.iter().next()?;
    space.expand(state, &mut found).ok()?;
    let mut view = View::default();
    view.enable(found.iter().map(|(label, ..)| label));
    space.count(state, &mut view.tokens);
    Some(view)
}
