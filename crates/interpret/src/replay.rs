//! Runs, executed again: from what is known of them, the states through which they go.
//!
//! Another engine knows a run as it sees it: who acts, by which statement, and what the new state looks like. Three ways
//! lead from there to concrete states. [`Interpreter::follow`] takes one step at a time: the caller keeps who is who,
//! which is simple since processes and objects keep their numbers. [`Interpreter::replay`] takes steps that are given by
//! who acts and where. [`Interpreter::find_run`] finds a run all of whose steps fit what is known of them, also where
//! only a later step shows which of several was meant.

use std::collections::HashSet;

use crate::interpreter::Interpreter;
use crate::next::{Actor, Next};
use crate::state::State;
use crate::turns::Turns;

/// A run that has been executed.
#[derive(Clone, Debug)]
pub struct Run {
    /// The state in which it begins.
    pub first: State,
    /// The steps. Only the last one may be a failure.
    pub steps: Vec<Next>,
}

/// Which of the successors of a state is meant.
#[derive(Clone, Debug)]
pub struct Move {
    /// Who acts, and by what.
    pub actors: Vec<Actor>,
    /// Which of the successors by the same processes and the same statements it is.
    pub index: usize,
}

impl Run {
    /// The states through which it goes, the first one included.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        std::iter::once(&self.first).chain(self.steps.iter().filter_map(Next::state))
    }

    /// The last state.
    #[must_use]
    pub fn last(&self) -> &State {
        self.states().last().expect("the first one is there")
    }
}

impl Move {
    /// What is to be said of one of the successors of a state, by its index, so that it is found again.
    #[must_use]
    pub fn of(successors: &[Next], index: usize) -> Move {
        let mut meant = Move { actors: successors[index].actors.clone(), index: 0 };
        meant.index = successors[..index].iter().filter(|next| meant.is_one(next)).count();
        meant
    }

    fn is_one(&self, next: &Next) -> bool {
        let key = |actor: &Actor| (actor.pid, actor.origin.range());
        next.actors.iter().map(key).eq(self.actors.iter().map(key))
    }
}

impl Interpreter<'_> {
    /// The first of the successors of a state that fits.
    pub fn follow(
        &self,
        state: &State,
        turns: Turns,
        fits: &mut dyn FnMut(&Next) -> bool,
    ) -> Option<Next> {
        self.successors(state, turns).into_iter().find(|next| fits(next))
    }

    /// Executes a run again.
    ///
    /// # Errors
    /// The run up to the first of the moves that cannot be done.
    pub fn replay(&self, first: State, moves: &[Move], turns: Turns) -> Result<Run, Run> {
        let mut run = Run { first, steps: Vec::new() };
        for meant in moves {
            let is_over = run.steps.last().is_some_and(|next| next.outcome.is_err());
            let mut before = 0;
            let mut fits = |next: &Next| {
                let is_one = meant.is_one(next);
                before += usize::from(is_one);
                is_one && before > meant.index
            };
            match self.follow(run.last(), turns, &mut fits).filter(|_| !is_over) {
                Some(next) => run.steps.push(next),
                None => return Err(run),
            }
        }
        Ok(run)
    }

    /// Finds a run of a length from one of some states, each of whose steps fits. What fits is asked of the number of a
    /// step and one of the successors there, and must not depend on who is who: of states that differ only by that, one is
    /// tried.
    ///
    /// # Errors
    /// A longest run that fits.
    ///
    /// # Panics
    /// If there is no first state.
    pub fn find_run(
        &self,
        first: Vec<State>,
        length: usize,
        turns: Turns,
        fits: &mut dyn FnMut(usize, &Next) -> bool,
    ) -> Result<Run, Run> {
        // What was found by each number of steps: the index of what it follows, and the last step.
        let mut levels: Vec<Vec<(usize, Next)>> = Vec::new();
        for number in 0..length {
            let mut seen = HashSet::new();
            let mut level = Vec::new();
            let states: Vec<Option<&State>> = match levels.last() {
                None => first.iter().map(Some).collect(),
                Some(level) => level.iter().map(|(_, next)| next.state()).collect(),
            };
            for (index, state) in states.into_iter().enumerate() {
                let successors = state.map(|state| self.successors(state, turns));
                for next in successors.into_iter().flatten() {
                    let classes = &self.program.enumerations;
                    let state = next.state().map(|state| state.clone().canonical(classes));
                    if fits(number, &next) && seen.insert(state) {
                        level.push((index, next));
                    }
                }
            }
            if level.is_empty() {
                return Err(run_by(first, levels));
            }
            levels.push(level);
        }
        Ok(run_by(first, levels))
    }
}

/// The first of the runs that were found.
fn run_by(mut first: Vec<State>, levels: Vec<Vec<(usize, Next)>>) -> Run {
    let mut at = 0;
    let mut steps = Vec::new();
    for mut level in levels.into_iter().rev() {
        let (before, next) = level.swap_remove(at);
        steps.push(next);
        at = before;
    }
    steps.reverse();
    Run { first: first.swap_remove(at), steps }
}

#[cfg(test)]
mod tests {
    use program::Observed;

    use super::*;
    use crate::examples::program;
    use crate::value::Value;

    const TEXT: &str = "
        shared x: 0..=3 = 0
        shared y: 0..=3 = 0
        process main {
            x = 1
            choose z in 0..=3
            x = 2
            y = z
            assert z < 3
        }
    ";

    #[test]
    fn a_run_is_executed_again() {
        let program = program(TEXT);
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let turns = Turns::Statements;
        let first = interpreter.initial(turns).expect("first values fit").remove(0);
        let mut run = Run { first: first.clone(), steps: Vec::new() };
        let mut moves = Vec::new();
        loop {
            let mut successors = interpreter.successors(run.last(), turns);
            let Some(last) = successors.len().checked_sub(1) else { break };
            moves.push(Move::of(&successors, last));
            run.steps.push(successors.remove(last));
            if run.steps.last().is_some_and(|next| next.outcome.is_err()) {
                break;
            }
        }
        let again = interpreter.replay(first.clone(), &moves, turns).expect("it is a run");
        assert!(again.states().eq(run.states()));
        assert_eq!(again.steps.len(), 5, "the assertion fails");
        // After a failure there is nothing.
        moves.push(moves[0].clone());
        let part = interpreter.replay(first, &moves, turns).expect_err("it is too long");
        assert_eq!(part.steps.len(), 5);
    }

    #[test]
    fn a_run_is_found_by_what_is_seen_later() {
        let program = program(TEXT);
        let observed = Observed::default();
        let interpreter = Interpreter::new(&program, &observed);
        let first = interpreter.initial(Turns::Statements).expect("first values fit");
        let seen = [[1, 0], [1, 0], [2, 0], [2, 2]];
        let mut fits = |number: usize, next: &Next| {
            let globals = next.state().map(|state| &state.globals[..]);
            globals == Some(&seen[number].map(Value::Int))
        };
        let run = interpreter.find_run(first.clone(), 4, Turns::Statements, &mut fits);
        let run = run.expect("there is one");
        assert_eq!(run.last().globals, [Value::Int(2), Value::Int(2)]);
        // There is none in which more is chosen than there is.
        let mut fits = |number: usize, next: &Next| number < 3 || next.state().is_none();
        let run = interpreter.find_run(first, 4, Turns::Statements, &mut fits);
        assert_eq!(run.expect_err("there is none").steps.len(), 3);
    }
}
