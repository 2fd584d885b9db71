//! The states of a net and its steps, fired by the plain interpreter: all concrete states, or one for each
//! class.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use canon::Canoniser;
use net::interpret::{self, Mode};
use net::{EnumId, Kind, Net, PlaceId, TransitionId};
use state::{Pid, Relations, State, Value};

/// No space is explored in which more modes fire, on average.
const MODES_PER_STATE: usize = 6;

/// Nor one with more different tokens in a state: the interpreter tries all combinations.
const MOST_TOKENS: usize = 16;

/// One of those who must not be passed over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Someone {
    Transition(TransitionId),
    Thread(Pid),
    Member(EnumId, Value),
}

/// A mode that fires.
pub struct Step {
    pub target: usize,
    /// Those who act.
    pub acting: BTreeSet<Someone>,
    /// The pids of the result, and who they are in the target; nobody is renamed where nothing is folded.
    pub onto: BTreeMap<Pid, Pid>,
}

/// States, and what fires in them.
pub struct Space {
    pub states: Vec<State>,
    pub steps: Vec<Vec<Step>>,
    /// The number of steps from the nearest root.
    pub depths: Vec<usize>,
    /// The states given to start from.
    pub roots: Vec<usize>,
}

/// What fires in a state, and what comes of it; nothing if the model faults.
pub fn fired(net: &Net, state: &State) -> Option<Vec<(Mode, interpret::Step)>> {
    let mut all = Vec::new();
    for transition in (0..net.transitions.len() as u32).map(TransitionId) {
        for mode in interpret::modes(net, state, transition).ok()? {
            let step = interpret::fire(net, state, &mode).ok()?;
            all.push((mode, step));
        }
    }
    Some(all)
}

/// Those who act when a mode fires.
pub fn acting(net: &Net, mode: &Mode) -> BTreeSet<Someone> {
    let rule = net.transition(mode.transition);
    let mut all = BTreeSet::from([Someone::Transition(mode.transition)]);
    for participant in rule.participants.iter().filter(|participant| !participant.passive) {
        let pid = mode.binding[&participant.thread].as_pid().expect("threads are pids");
        all.insert(Someone::Thread(pid.clone()));
    }
    for (var, value) in &mode.binding {
        if let Kind::Enum(id) = rule.variables[var.index()].kind {
            all.insert(Someone::Member(id, value.clone()));
        }
    }
    all
}

/// The threads that are at one of some places.
pub fn threads_at(net: &Net, state: &State, places: &[PlaceId]) -> BTreeSet<Pid> {
    let tokens = places.iter().flat_map(|place| state.tokens(&net.place(*place).name));
    tokens.map(|(token, _)| token[0].as_pid().expect("a thread comes first").clone()).collect()
}

/// The threads that come to one of some places by a step, from elsewhere.
pub fn entering(net: &Net, before: &State, after: &State, places: &[PlaceId]) -> Vec<Pid> {
    let were = threads_at(net, before, places);
    threads_at(net, after, places).into_iter().filter(|pid| !were.contains(pid)).collect()
}

impl Space {
    /// All concrete states, if they are not more than `most` and nothing faults.
    pub fn concrete(net: &Net, most: usize) -> Option<Space> {
        let mut concrete = |state: State| (state, BTreeMap::new());
        Space::explored(net, vec![interpret::initial(net)], most, &mut concrete)
    }

    /// A state for each class of states that are reachable from some.
    pub fn folded(
        net: &Net,
        roots: Vec<State>,
        relations: Relations,
        most: usize,
    ) -> Option<Space> {
        let canoniser = &mut Canoniser::new();
        Space::explored(net, roots, most, &mut |state| {
            let canonical = fold::canonical(&state, relations, canoniser);
            (canonical.state, canonical.renamed)
        })
    }

    fn explored(
        net: &Net,
        roots: Vec<State>,
        most: usize,
        form: &mut dyn FnMut(State) -> (State, BTreeMap<Pid, Pid>),
    ) -> Option<Space> {
        let mut space = Space { states: vec![], steps: vec![], depths: vec![], roots: vec![] };
        let mut known = HashMap::new();
        for root in roots {
            let root = space.known(&mut known, form(root).0, 0);
            space.roots.push(root);
        }
        space.roots.sort_unstable();
        space.roots.dedup();
        let (mut at, mut modes) = (0, 0);
        while at < space.states.len() {
            let tokens = |place| space.states[at].tokens(place).count();
            if space.states[at].marked().map(|place| tokens(place)).sum::<usize>() > MOST_TOKENS {
                return None;
            }
            let mut steps = Vec::new();
            for (mode, step) in fired(net, &space.states[at])? {
                let (state, onto) = form(step.state);
                let target = space.known(&mut known, state, space.depths[at] + 1);
                steps.push(Step { target, acting: acting(net, &mode), onto });
            }
            modes += steps.len();
            if space.states.len() > most || modes > MODES_PER_STATE * most {
                return None;
            }
            space.steps.push(steps);
            at += 1;
        }
        Some(space)
    }

    fn known(&mut self, known: &mut HashMap<State, usize>, state: State, depth: usize) -> usize {
        *known.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.depths.push(depth);
            self.states.len() - 1
        })
    }

    /// Those who could act in a state.
    pub fn enabled(&self, state: usize) -> BTreeSet<&Someone> {
        self.steps[state].iter().flat_map(|step| &step.acting).collect()
    }

    /// For each thread that ever comes to one of some places, the states right after it does.
    pub fn entries(&self, net: &Net, places: &[PlaceId]) -> BTreeMap<Pid, BTreeSet<usize>> {
        let mut entries: BTreeMap<Pid, BTreeSet<usize>> = BTreeMap::new();
        for &root in &self.roots {
            for pid in threads_at(net, &self.states[root], places) {
                entries.entry(pid).or_default().insert(root);
            }
        }
        for (before, step) in
            self.steps.iter().enumerate().flat_map(|(s, all)| all.iter().map(move |step| (s, step)))
        {
            let states = [before, step.target].map(|s| &self.states[s]);
            for pid in entering(net, states[0], states[1], places) {
                entries.entry(pid).or_default().insert(step.target);
            }
        }
        entries
    }
}

/// The name of a place that no net has, for the thread that is followed.
pub fn followed() -> Arc<str> {
    "the thread followed".into()
}

/// A state that remembers a thread.
pub fn following(mut state: State, pid: &Pid) -> State {
    let fits = state.put(&followed(), vec![pid.clone().into()], 1);
    assert!(fits, "there was none");
    state
}
