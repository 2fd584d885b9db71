//! Runs that the machine has found, executed again by the reference interpreter.
//!
//! The two share no code. A path of the machine is turns and states up to who is who. At each step the interpreter does what
//! those do who act there by the same statements, and what comes of it must be the state of the machine: a bijection of
//! threads and objects maps one onto the other (`matching`). It goes on from that of the step before, so that it is known
//! who acts. Where several successors fit, all are followed, and a later step shows which was meant.
#![forbid(unsafe_code)]

mod matching;
mod value;

use std::collections::{BTreeMap, HashSet};

use interpret::{Identity, Interpreter, Next, Run, State, Turns};
use machine::{Code, Heap, Machine, Step, Turn};
use net::Origin;

use matching::Matching;

/// Who is who: the thread or object of the interpreter for each one of a heap, by its place there.
pub type Who = BTreeMap<u32, Identity>;

/// A run of the machine that was executed again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The run. If the path ends with something that goes wrong, so does the run.
    pub run: Run,
    /// For each of its states, who is who in the heap of the machine ([`Machine::build`]).
    pub who: Vec<Who>,
    /// Whether the machine begins with a step by which nothing is done, and which the run leaves out.
    pub is_start_left_out: bool,
}

/// The interpreter knows no such run: one of the two engines is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// How many steps it could follow.
    pub steps: usize,
}

/// One way to come to a state of the path.
struct Way {
    /// Which of the ways to the state before it follows, and by which step.
    before: usize,
    next: Option<Next>,
    who: Who,
}

impl Way {
    /// Whether it ends with something that goes wrong just there. Of the result of a step that is out of range the engines
    /// say differently where that is.
    fn fails_at(&self, origin: Origin) -> bool {
        let outcome = self.next.as_ref().map(|next| &next.outcome);
        matches!(outcome, Some(Err(failed)) if failed.failure.origin.range() == origin.range())
    }
}

/// The run of the interpreter along a path of the machine: from its initial state, by turns ([`Machine::turn`]) to states.
///
/// # Errors
/// If there is none.
pub fn along<'p>(
    machine: &mut Machine,
    code: &Code,
    interpreter: &Interpreter<'p>,
    initial: &[u8],
    path: &[(u32, Vec<u8>)],
) -> Result<Replayed, Mismatch> {
    let none = Mismatch { steps: 0 };
    let first_states = interpreter.initial(Turns::Steps).map_err(|_| none)?;
    let mut follower = Follower { code, interpreter, firsts: Vec::new(), levels: Vec::new() };
    let mut rest = path;
    let mut state = initial;
    follower.begin(machine, state, &first_states);
    let is_start_left_out = follower.firsts.is_empty();
    if is_start_left_out {
        // Where the first process might end before its first step, the machine begins with a step of its own.
        let Some(((_, second), others)) = path.split_first() else { return Err(none) };
        (state, rest) = (second, others);
        follower.begin(machine, state, &first_states);
        if follower.firsts.is_empty() {
            return Err(none);
        }
    }
    for (steps, (label, target)) in rest.iter().enumerate() {
        let turn = machine.turn(*label);
        if !follower.step(machine, state, turn, target) {
            return Err(Mismatch { steps });
        }
        state = target;
    }
    Ok(follower.found(is_start_left_out))
}

struct Follower<'a, 'p> {
    code: &'a Code,
    interpreter: &'a Interpreter<'p>,
    /// The states in which runs may begin.
    firsts: Vec<State>,
    /// The ways that were found, by the number of steps.
    levels: Vec<Vec<Way>>,
}

impl Follower<'_, '_> {
    /// Finds the initial states that are a state of the machine.
    fn begin(&mut self, machine: &Machine, state: &[u8], firsts: &[State]) {
        let mut heap = Heap::default();
        machine.build(state, &mut heap);
        let mut level = Vec::new();
        for first in firsts {
            let matching = Matching::new(self.code, self.interpreter, &heap, first);
            if let Some(who) = matching.complete() {
                self.firsts.push(first.clone());
                level.push(Way { before: 0, next: None, who });
            }
        }
        self.levels = vec![level];
    }

    /// Goes on by a turn to a state; says whether there is a way.
    fn step(&mut self, machine: &mut Machine, state: &[u8], turn: Turn, target: &[u8]) -> bool {
        let steps = machine.steps(state).into_iter();
        let meant: Vec<Step> =
            steps.filter(|step| step.turn == turn && step.state == target).collect();
        let mut heap = Heap::default();
        machine.build(target, &mut heap);
        let origins = turn.origins(self.code);
        let (mut level, mut seen) = (Vec::new(), HashSet::new());
        let before = self.levels.last().expect("there is the first one");
        for (number, way) in before.iter().enumerate() {
            let Some(then) = self.state_of(number, way) else { continue };
            let successors = self.interpreter.successors(then, Turns::Steps);
            for next in successors.into_iter().filter(|next| is_by(next, &origins)) {
                let fits = |step: &Step| self.fits(step, &next, way, &heap);
                let Some(who) = meant.iter().find_map(fits) else { continue };
                // Of states that differ only by who is who, one is enough.
                let classes = &self.interpreter.program().enumerations;
                let state = next.state().map(|state| state.clone().canonical(classes));
                if state.is_none_or(|state| seen.insert(state)) {
                    level.push(Way { before: number, next: Some(next), who });
                }
            }
        }
        if let Some(failure) = machine.failure(target) {
            level.sort_by_key(|way| !way.fails_at(failure.origin));
        }
        let is_found = !level.is_empty();
        self.levels.push(level);
        is_found
    }

    /// The state to which a way leads.
    fn state_of<'s>(&'s self, number: usize, way: &'s Way) -> Option<&'s State> {
        match &way.next {
            Some(next) => next.state(),
            None => self.firsts.get(number),
        }
    }

    /// Who is who after a step of the machine, if it is that of the interpreter.
    fn fits(&self, step: &Step, next: &Next, way: &Way, heap: &Heap) -> Option<Who> {
        let acting = step.acting.iter().map(|thread| way.who.get(thread));
        let is_same = next.actors.iter().map(|actor| Identity::Process(actor.pid));
        if !acting.eq(is_same.map(Some).collect::<Vec<_>>().iter().map(Option::as_ref)) {
            return None;
        }
        match (&step.becomes, &next.outcome) {
            (Err(failure), Err(failed)) => (failure.kind == failed.failure.kind).then(Who::new),
            (Ok(becomes), Ok(done)) => {
                let born = step.born.iter().copied().zip(&done.births);
                let born = born.map(|(thread, birth)| (thread, Identity::Process(birth.child)));
                let all = way.who.iter().map(|(place, id)| (*place, *id)).chain(born);
                let kept = all.filter_map(|(place, id)| Some((becomes[place as usize]?, id)));
                let matching = Matching::new(self.code, self.interpreter, heap, &done.state);
                matching.with(kept)?.complete()
            }
            _ => None,
        }
    }

    /// The first of the runs that were found.
    fn found(mut self, is_start_left_out: bool) -> Replayed {
        let (mut at, mut steps, mut who) = (0, Vec::new(), Vec::new());
        for mut level in self.levels.into_iter().rev() {
            let way = level.swap_remove(at);
            who.push(way.who);
            match way.next {
                Some(next) => {
                    steps.push(next);
                    at = way.before;
                }
                None => break,
            }
        }
        steps.reverse();
        who.reverse();
        let run = Run { first: self.firsts.swap_remove(at), steps };
        who.truncate(run.states().count());
        Replayed { run, who, is_start_left_out }
    }
}

/// Whether those who act do so by statements that are written there; where nothing is written, it is not known.
fn is_by(next: &Next, origins: &[Origin]) -> bool {
    let own = next.actors.iter().map(|actor| actor.origin.range());
    own.eq(origins.iter().map(|origin| origin.range()))
}
