//! A state of a run of a program, and what could happen in it, for those who show it.

use std::collections::BTreeSet;

use interpret::{Next, Pid, Turns};

use super::act::acts;
use super::change::{Change, step_text};
use super::ending::message;
use super::moment::Moment;
use super::scene::Scene;
use super::tale::ProgramTale;
use super::waits::waits;
use super::{ProgramTrace, Teller};
use crate::told::{Contents, ToldEnd, ToldFault, ToldNext, ToldState, ToldWait};

impl ToldState {
    /// What is told of the state after `at` steps of a run of a program.
    ///
    /// # Panics
    /// If the run leads through fewer states.
    #[must_use]
    pub fn of_program(trace: &ProgramTrace, at: usize, teller: &Teller) -> ToldState {
        // What comes later has no names yet.
        let trace = trace.until(at);
        let tale = ProgramTale::of(&trace, teller);
        let scene = tale.scene(at);
        let successors = teller.interpreter.successors(scene.moment.state, Turns::Steps);
        let next: Vec<ToldNext> = successors
            .iter()
            .enumerate()
            .map(|(index, next)| of_next(scene, index, next))
            .collect();
        let fault = next.iter().find_map(|one| {
            let text = one.fault.clone()?;
            Some(ToldFault { text, line: one.line, by: Some(one.text.clone()) })
        });
        let end = match &fault {
            Some(_) => next.iter().all(|one| one.fault.is_some()).then_some(ToldEnd::Fault),
            None => next.is_empty().then(|| end_of(scene.moment)),
        };
        let changes = at.checked_sub(1).and_then(|before| {
            let (next, step) = tale.steps().nth(before)?;
            Some(tale.change(before, next, step).lines())
        });
        let before = at.checked_sub(1).map(|before| &tale.moments[before]);
        let Contents { threads, globals, objects, places } = scene.contents(before);
        let able: BTreeSet<Pid> =
            successors.iter().flat_map(|next| &next.actors).map(|actor| actor.pid).collect();
        let all = scene.moment.standings.iter().map(|standing| standing.pid);
        let unable: Vec<Pid> = all.filter(|pid| !able.contains(pid)).collect();
        let waits = waits(scene, &unable, successors.is_empty());
        ToldState {
            threads,
            globals,
            objects,
            places,
            changes: changes.unwrap_or_default(),
            next,
            end,
            fault,
            waits: waits.into_iter().map(ToldWait::of).collect(),
        }
    }
}

/// Why nothing can happen in a state.
fn end_of(moment: &Moment) -> ToldEnd {
    match moment.standings.is_empty() {
        true => ToldEnd::Terminated,
        false if moment.standings.iter().all(|standing| standing.is_idle) => ToldEnd::Rest,
        false => ToldEnd::Deadlock,
    }
}

/// A step that could be taken.
fn of_next(scene: Scene, index: usize, next: &Next) -> ToldNext {
    let acts = acts(scene, next);
    let (line, column) = acts[0].position().unzip();
    let (changes, fault) = match &next.outcome {
        Ok(step) => {
            let moment = Moment::of(scene.teller, &step.state);
            let mut names = scene.names.clone();
            names.add_births(&step.births);
            names.add_objects(scene.program(), &step.state, &moment.objects);
            let before = Scene { names: &names, ..scene };
            let after = Scene { moment: &moment, ..before };
            (Change { before, after, next, step }.lines(), None)
        }
        Err(failed) => (Vec::new(), Some(message(scene, failed))),
    };
    ToldNext {
        index,
        text: step_text(scene, next),
        transition: acts[0].short_text(),
        line,
        column,
        threads: acts.iter().map(|act| act.name.clone()).collect(),
        binding: Vec::new(),
        changes,
        fault,
    }
}
