//! Programs of the tests, and what they can do.

use std::collections::HashSet;

use program::{FailureKind, Observed, Program};

use crate::interpreter::Interpreter;
use crate::next::Next;
use crate::state::State;
use crate::turns::Turns;

/// The program of a text.
pub(crate) fn program(text: &str) -> Program {
    let text = format!("model example\n{text}");
    let compilation = lang::compile(&text, &[]);
    let diagnostics = format!("{:?}", compilation.diagnostics);
    compilation.processes.unwrap_or_else(|| panic!("{text}: {diagnostics}")).program
}

/// What a program can do.
pub(crate) struct Found {
    /// Its states, up to who is who.
    pub(crate) states: HashSet<State>,
    pub(crate) failures: HashSet<FailureKind>,
    /// The states in which nothing can happen.
    pub(crate) last: Vec<State>,
}

/// Goes through all states.
pub(crate) fn explore(interpreter: &Interpreter, turns: Turns) -> Found {
    let first = interpreter.initial(turns).expect("first values fit");
    let classes = &interpreter.program().enumerations;
    let first = first.into_iter().map(|state| state.canonical(classes));
    let mut open: Vec<State> = first.collect();
    let mut found = Found { states: HashSet::new(), failures: HashSet::new(), last: Vec::new() };
    while let Some(state) = open.pop() {
        if !found.states.insert(state.clone()) {
            continue;
        }
        let successors = interpreter.successors(&state, turns);
        if successors.is_empty() {
            found.last.push(state);
        }
        for Next { outcome, .. } in successors {
            match outcome {
                Ok(step) => open.push(step.state.canonical(classes)),
                Err(failed) => _ = found.failures.insert(failed.failure.kind),
            }
        }
    }
    found
}

/// The same of a text, by fused steps.
pub(crate) fn explored(text: &str) -> Found {
    let program = program(text);
    let observed = Observed::default();
    explore(&Interpreter::new(&program, &observed), Turns::Steps)
}

/// The statement of a program that something is, as it is written.
pub(crate) fn written(program: &Program, origin: net::Origin) -> &str {
    origin.range().map_or("", |range| &program.text[range])
}
