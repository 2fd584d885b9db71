//! Who is stuck, and who can never end, from the definition: from each state and each thread that is active in it,
//! all runs are tried, fired by the plain interpreter.
//!
//! A thread of a state is a state in which an additional token marks it. On concrete states it keeps its name; up
//! to isomorphism, the canonical form of the marked state is what tells pairs apart. In neither is it asked who
//! becomes whom.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use canon::Canoniser;
use net::interpret::{self, Mode};
use net::{Fate, Net, TransitionId};
use state::{Pid, Relations, State, Value};

/// The place of the mark.
const MARK: &str = "the marked one";

/// States as they are told apart.
pub enum Form {
    /// All concrete states.
    Concrete,
    /// One for each class.
    Folded(Relations, Box<Canoniser>),
}

impl Form {
    pub fn folded(net: &Net) -> Form {
        Form::Folded(net.relations(), Box::new(Canoniser::new()))
    }

    fn of(&mut self, state: &State) -> State {
        match self {
            Form::Concrete => state.clone(),
            Form::Folded(relations, canoniser) => {
                fold::canonical(state, *relations, canoniser).state
            }
        }
    }
}

/// What is asked of each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Acting,
    Ending,
}

/// The reachable states of a net, with their depths.
pub struct Reached {
    pub states: BTreeMap<State, usize>,
}

/// Explores a net; nothing if there are more states than this.
pub fn reached(net: &Net, form: &mut Form, most: usize) -> Option<Reached> {
    let first = form.of(&interpret::initial(net));
    let mut states = BTreeMap::from([(first.clone(), 0)]);
    let mut open = VecDeque::from([first]);
    while let Some(state) = open.pop_front() {
        let depth = states[&state];
        for (_, next) in fired(net, &state) {
            let next = form.of(&next);
            if !states.contains_key(&next) {
                states.insert(next.clone(), depth + 1);
                open.push_back(next);
            }
        }
        if states.len() > most {
            return None;
        }
    }
    Some(Reached { states })
}

fn fired(net: &Net, state: &State) -> Vec<(Mode, State)> {
    let mut all = Vec::new();
    for transition in (0..net.transitions.len() as u32).map(TransitionId) {
        for mode in interpret::modes(net, state, transition).expect("nothing can fault") {
            let next = interpret::fire(net, state, &mode).expect("nothing can fault").state;
            all.push((mode, next));
        }
    }
    all
}

/// Whether a thread may be for ever where it is.
fn is_idle(net: &Net, state: &State, pid: &Pid) -> bool {
    net.places.iter().filter(|place| place.idle).any(|place| {
        let mut tokens = state.tokens(&place.name);
        tokens.any(|(token, _)| token[0].as_pid() == Some(pid))
    })
}

/// Whether nothing can fire, and somebody is where it may not be for ever.
pub fn is_deadlock(net: &Net, state: &State) -> bool {
    fired(net, state).is_empty() && state.eta().keys().any(|pid| !is_idle(net, state, pid))
}

/// The threads of a state of which this cannot be said.
pub fn hopeless(net: &Net, state: &State, asked: Asked, form: &mut Form) -> BTreeSet<Pid> {
    let threads = state.eta().keys();
    threads.filter(|pid| !has_prospect(net, state, pid, asked, form)).cloned().collect()
}

/// Whether some run leads from a state to one with more hopeless threads, along which one of them is always left.
/// Those of each state that is reached are given.
pub fn can_grow(
    net: &Net,
    state: &State,
    lost: &BTreeMap<State, BTreeSet<Pid>>,
    form: &mut Form,
) -> bool {
    let first = form.of(state);
    let most = lost[&first].len();
    let mut seen = BTreeSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        if lost[&state].len() > most {
            return true;
        }
        for (_, next) in fired(net, &state) {
            if lost[&state].iter().any(|pid| next.eta().contains_key(pid)) {
                let next = form.of(&next);
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    false
}

fn has_prospect(net: &Net, state: &State, pid: &Pid, asked: Asked, form: &mut Form) -> bool {
    if asked == Asked::Acting && is_idle(net, state, pid) {
        return true;
    }
    let first = form.of(&marked(state, pid));
    let mut seen = BTreeSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(pair) = open.pop() {
        let (state, pid) = parted(pair);
        if asked == Asked::Ending && is_idle(net, &state, &pid) {
            return true;
        }
        for (mode, next) in fired(net, &state) {
            let its_parts = net.transition(mode.transition).participants.iter();
            let mut its_parts =
                its_parts.filter(|part| mode.binding[&part.thread].as_pid() == Some(&pid));
            let fulfils = its_parts
                .any(|part| part.fate == Fate::End || asked == Asked::Acting && !part.passive);
            if fulfils {
                return true;
            }
            if next.eta().contains_key(&pid) {
                let next = form.of(&marked(&next, &pid));
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    false
}

fn marked(state: &State, pid: &Pid) -> State {
    let mut state = state.clone();
    assert!(state.put(&MARK.into(), vec![Value::Pid(pid.clone())], 1));
    state
}

fn parted(mut state: State) -> (State, Pid) {
    let (token, _) = state.tokens(MARK).next().expect("it is marked");
    let token = token.clone();
    assert!(state.take(MARK, &token, 1));
    let pid = token[0].as_pid().expect("threads are marked").clone();
    (state, pid)
}
