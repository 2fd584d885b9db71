//! What nets do, state by concrete state, by the plain interpreter.

use std::collections::HashSet;

use net::{EnumId, Finding, Net, Symmetry, TransitionId, interpret};
use state::{State, Value};

/// States with more tokens are not followed: there would be too many modes.
const MOST_TOKENS: u32 = 18;

/// A permutation of the members of a class: the image of each, by index.
pub struct Permutation<'a> {
    pub net: &'a Net,
    pub class: EnumId,
    pub images: Vec<u32>,
}

impl Permutation<'_> {
    fn value(&self, value: &Value) -> Value {
        let members = &self.net.enumerations[self.class.index()].members;
        match value {
            Value::Enum(name) => match members.iter().position(|member| member == name) {
                Some(index) => Value::Enum(members[self.images[index] as usize].clone()),
                None => value.clone(),
            },
            _ => value.clone(),
        }
    }

    pub fn state(&self, state: &State) -> State {
        let mut result = State::new();
        for place in state.marked() {
            for (token, count) in state.tokens(place) {
                let token = token.iter().map(|value| self.value(value)).collect();
                assert!(result.put(place, token, count), "as many as before");
            }
        }
        state.eta().iter().for_each(|(pid, children)| result.activate(pid.clone(), *children));
        result
    }
}

/// Permutations that generate the group that was found.
pub fn generators<'a>(net: &'a Net, finding: &Finding) -> Vec<Permutation<'a>> {
    let class = finding.class;
    let size = net.enumerations[class.index()].members.len() as u32;
    let turn = (0..size).map(|member| (member + 1) % size).collect();
    let images: Vec<Vec<u32>> = match finding.symmetry {
        Symmetry::None => Vec::new(),
        Symmetry::Rotations => vec![turn],
        Symmetry::Full => {
            let pairs = finding.parts.iter().flat_map(|part| part.windows(2));
            let swap = |pair: &[u32]| {
                let mut images: Vec<u32> = (0..size).collect();
                images.swap(pair[0] as usize, pair[1] as usize);
                images
            };
            pairs.map(swap).collect()
        }
    };
    images.into_iter().map(|images| Permutation { net, class, images }).collect()
}

/// What a transition makes of a state, once for each mode; none where it faults.
pub fn successors(net: &Net, state: &State, transition: TransitionId) -> Option<Vec<State>> {
    let modes = interpret::modes(net, state, transition).ok()?;
    let steps = modes.iter().map(|mode| Some(interpret::fire(net, state, mode).ok()?.state));
    let mut states = steps.collect::<Option<Vec<State>>>()?;
    states.sort_by_cached_key(ToString::to_string);
    Some(states)
}

pub fn transitions(net: &Net) -> impl Iterator<Item = TransitionId> + use<> {
    (0..net.transitions.len() as u32).map(TransitionId)
}

/// The first states that are reached, breadth first.
pub fn reached(net: &Net, most: usize) -> Vec<State> {
    let mut states = vec![interpret::initial(net)];
    let mut seen: HashSet<String> = states.iter().map(ToString::to_string).collect();
    let mut next = 0;
    while next < states.len() && states.len() < most {
        let found = transitions(net).filter_map(|t| successors(net, &states[next], t)).flatten();
        let found: Vec<State> = found.collect();
        for state in found {
            let tokens: u32 = state.marked().flat_map(|p| state.tokens(p)).map(|(_, n)| n).sum();
            if tokens <= MOST_TOKENS && seen.insert(state.to_string()) {
                states.push(state);
            }
        }
        next += 1;
    }
    states
}

/// That permutations keep the initial state, and that what follows a permuted state is permuted.
pub fn check_permutations(net: &Net, findings: &[Finding], states: &[State]) -> Result<(), String> {
    for finding in findings {
        for permutation in generators(net, finding) {
            let what = || format!("{:?} of {:?}", permutation.images, permutation.class);
            if permutation.state(&states[0]) != states[0] {
                return Err(format!("{} does not keep the initial state", what()));
            }
            for state in states {
                let image = permutation.state(state);
                for transition in transitions(net) {
                    let expected = successors(net, state, transition).map(|states| {
                        let images = states.iter().map(|state| permutation.state(state));
                        let mut images: Vec<State> = images.collect();
                        images.sort_by_cached_key(ToString::to_string);
                        images
                    });
                    if successors(net, &image, transition) != expected {
                        return Err(format!("{} changes what follows {state}", what()));
                    }
                }
            }
        }
    }
    Ok(())
}

/// That two nets do the same in these states, mode by mode.
pub fn check_same(net: &Net, other: &Net, states: &[State]) -> Result<(), String> {
    if interpret::initial(other) != states[0] {
        return Err("the initial states differ".into());
    }
    for state in states {
        for transition in transitions(net) {
            if successors(net, state, transition) != successors(other, state, transition) {
                return Err(format!("{} differ in {state}", net.transition(transition).name));
            }
        }
    }
    Ok(())
}
