//! From a run of a reduced net to a run of the model.
//!
//! A run that a search on a reduced net has found passes through these doors, and is shown only if it passes all:
//!
//! 1. It is mapped back to the unfolded net ([`plain::Back`]).
//! 2. There it is fired again, by the definition ([`plain::Replay`]), and what it is to show is evaluated on it: that a
//!    condition holds in the end, or that a formula of linear time fails on the run that goes on for ever. What is
//!    repeated has to come back to the same marking. Of a run to a marking, steps that it does not need are left out.
//! 3. Each step is one of a transition of the coloured net; the plain interpreter executes the mode that leads to the
//!    same tokens.
//!
//! A run that does not pass the second door would be a mistake in a rule, and the verdict is worth no more than the run:
//! then the search is made again without structural reductions. Two things are no mistakes: runs that are too long to be
//! written out, and repetitions by which places grow that nobody tests; there the verdict stands without a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use budget::{Budget, Exhausted};
use net::Net;
use plain::{Condition, FiringSequence, Problem, Replay, Unmapped};
use state::{State, Token};
use symbolic::{Tokens, Translation};
use trace::{Back, Run, Trace};
use unfold::UnfoldedNet;

use crate::evidence::ShownRun;
use crate::goal::{Goal, Goals};

/// Steps that are fired to find out which a run does not need, at most.
const MOST_FIRED: usize = 1 << 20;

/// What a run of a reduced net is in the given net.
pub(crate) enum Mapped {
    /// A run that shows what it should.
    Shows(FiringSequence),
    /// It cannot be shown, though there is nothing wrong with it.
    Unshown,
    /// Not what it should be.
    Wrong,
}

/// Maps a run back, and looks whether it shows what was found of a goal, given the conditions that this has on the
/// unfolded net.
pub(crate) fn mapped(
    problem: &Problem,
    run: &FiringSequence,
    net: &UnfoldedNet,
    (goals, goal): (&Goals, usize),
    conditions: &[Condition],
) -> Mapped {
    let run = match problem.back.given(run) {
        Ok(run) => run,
        Err(Unmapped::TooLong) => return Mapped::Unshown,
        Err(Unmapped::NoRun) => return Mapped::Wrong,
    };
    let shows = match goals.goal(goal) {
        Goal::Linear(formula) => violates(&run, net, conditions, |positions, back, holds| {
            !goals.ltl.holds_on(*formula, positions, back, holds)
        }),
        _ if ends_where(&run.steps, net, &conditions[0]) => {
            let steps = shortened(run.steps, net, &conditions[0]);
            return Mapped::Shows(FiringSequence { steps, back: None });
        }
        _ => Some(false),
    };
    match shows {
        Some(true) => Mapped::Shows(run),
        Some(false) => Mapped::Wrong,
        None => Mapped::Unshown,
    }
}

/// Whether a run can be fired, and a condition holds in its end.
fn ends_where(steps: &[u32], net: &UnfoldedNet, condition: &Condition) -> bool {
    let mut replay = Replay::new(net);
    let is_run = steps.iter().all(|&step| replay.fire(step).is_some());
    is_run && condition.holds(replay.marking(), condition.asks_for_deadlock() && replay.is_dead())
}

/// A run that ends where a condition holds, without steps that it does not need for that: each is left out in turn, the
/// last first, so that what only consumed something goes before what has produced it.
fn shortened(mut steps: Vec<u32>, net: &UnfoldedNet, condition: &Condition) -> Vec<u32> {
    let (mut fired, mut at) = (0, steps.len());
    while at > 0 && fired < MOST_FIRED {
        at -= 1;
        fired += steps.len();
        let step = steps.remove(at);
        if !ends_where(&steps, net, condition) {
            steps.insert(at, step);
        }
    }
    steps
}

/// Whether a run can be fired and repeated, and is one of those that are looked for, given what holds at its positions;
/// `None` if it does not come back to the same marking.
fn violates(
    run: &FiringSequence,
    net: &UnfoldedNet,
    conditions: &[Condition],
    is_wanted: impl Fn(usize, usize, &dyn Fn(u32, usize) -> bool) -> bool,
) -> Option<bool> {
    let Some(back) = run.back else { return Some(false) };
    let asks = conditions.iter().any(Condition::asks_for_deadlock);
    let mut replay = Replay::new(net);
    let mut truths: Vec<Vec<bool>> = Vec::new();
    let mut repeated = Vec::new();
    for at in 0..=run.steps.len() {
        if at == back {
            repeated = replay.marking().to_vec();
        }
        let is_dead = asks && replay.is_dead();
        truths.push(conditions.iter().map(|c| c.holds(replay.marking(), is_dead)).collect());
        if let Some(&step) = run.steps.get(at)
            && replay.fire(step).is_none()
        {
            return Some(false);
        }
    }
    if back == run.steps.len() {
        if !replay.is_dead() {
            return Some(false);
        }
    } else {
        if replay.marking() != repeated {
            return None;
        }
        // It is the position that is repeated.
        truths.pop();
    }
    let holds = |atom: u32, at: usize| truths[at][atom as usize];
    Some(is_wanted(truths.len(), back, &holds))
}

/// The net whose runs are shown, and what showing may take.
pub(crate) struct Showing<'n> {
    pub(crate) translation: &'n Translation,
    pub(crate) net: &'n Net,
    pub(crate) budget: Budget,
}

impl Showing<'_> {
    /// A run of the unfolded net, executed on the net that it was unfolded from; `None` if the interpreter knows no such
    /// run.
    ///
    /// # Errors
    ///
    /// If the budget is used up before.
    pub(crate) fn executed(
        &self,
        unfolded: &UnfoldedNet,
        sequence: &FiringSequence,
    ) -> Result<Option<ShownRun>, Exhausted> {
        let mut run = Run::at_start(self.net);
        let mut tokens = BTreeMap::new();
        for step in &sequence.steps {
            let transition = &unfolded.transitions[*step as usize];
            let mut after = run.last().clone();
            for arc in transition.arcs.iter().filter(|arc| arc.change != 0) {
                let (place, token) =
                    tokens.entry(arc.place).or_insert_with(|| self.token(unfolded, arc.place));
                let count = arc.change.unsigned_abs();
                let fits = match arc.change < 0 {
                    true => after.take(place, token, count),
                    false => after.put(place, token.clone(), count),
                };
                if !fits {
                    return Ok(None);
                }
            }
            let mut is_done = false;
            for label in &transition.labels {
                let leads_there = |_: &_, state: &State| *state == after;
                is_done = run.try_go(self.net, *label, &self.budget, leads_there)?.is_ok();
                if is_done {
                    break;
                }
            }
            if !is_done {
                return Ok(None);
            }
        }
        let back = sequence.back.map(|to| Back { to, replaced: BTreeMap::new() });
        Ok(Some(ShownRun { trace: Trace { back, ..Trace::from(run) }, followed: None }))
    }

    /// What a token in an unfolded place is in the net, and where.
    fn token(&self, unfolded: &UnfoldedNet, place: u32) -> (Arc<str>, Token) {
        let of = &unfolded.places[place as usize];
        let single = Tokens { place: of.place, tuple: of.tuple.clone(), count: 1 };
        let state = self.translation.state(&[single]);
        let place = state.marked().next().expect("a token is somewhere").clone();
        let token = state.tokens(&place).next().expect("a token is there").0.clone();
        (place, token)
    }
}
