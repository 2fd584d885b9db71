//! Random consistent thread configurations, and states that differ from them in one thing.

use random::Random;
use state::{Pid, Relation, State, Value};

const PLACES: [&str; 3] = ["p", "q", "r"];

/// A few threads that were created by others and perhaps have ended, in tokens with each other.
pub fn random_state(random: &mut Random) -> State {
    let mut state = State::new();
    for number in 1..=1 + random.below(2) {
        state.activate(Pid::initial(number), 0);
    }
    let mut known: Vec<Pid> = state.pids().into_iter().collect();
    for _ in 0..random.below(7) {
        let active: Vec<Pid> = state.eta().keys().cloned().collect();
        let Some(creator) = active.get(random.below(1 + active.len())) else {
            continue;
        };
        known.extend(state.spawn(creator));
        if random.below(3) == 0 {
            let ended = random.pick(&known).clone();
            state.end(&ended);
        }
    }
    // At most six pids, so that all bijections can be tried; most of the ended ones are forgotten.
    known.retain(|pid| state.eta().contains_key(pid) || random.below(3) == 0);
    while known.len() > 6 {
        let gone = known.swap_remove(random.below(known.len()));
        state.end(&gone);
    }
    for pid in &known {
        if random.below(8) > 0 {
            put_random(&mut state, pid, &known, random);
        }
    }
    for _ in 0..random.below(3) {
        if !known.is_empty() {
            let pid = random.pick(&known);
            put_random(&mut state, pid, &known, random);
        }
    }
    state
}

fn put_random(state: &mut State, pid: &Pid, known: &[Pid], random: &mut Random) {
    let other = random.pick(known);
    let token = match random.below(5) {
        0 | 1 => vec![pid.clone().into()],
        2 => vec![pid.clone().into(), Value::Int(random.below(2).into())],
        3 => vec![Value::Bool(true), pid.clone().into(), other.clone().into()],
        _ => vec![pid.clone().into(), other.clone().into(), pid.clone().into()],
    };
    let place = *random.pick(&PLACES);
    assert!(state.put(&place.into(), token, 1 + random.below(6) / 5));
}

/// The state with one thing changed; still a consistent thread configuration.
pub fn changed(state: &State, random: &mut Random) -> State {
    let mut other = state.clone();
    let pids: Vec<Pid> = state.pids().into_iter().collect();
    if pids.is_empty() {
        return other;
    }
    let pid = random.pick(&pids);
    match random.below(4) {
        // Only who is active.
        0 => match state.eta().get(pid) {
            Some(_) => other.end(pid),
            None => {
                let below = pids.iter().filter(|p| Relation::Ancestor.holds(pid, p));
                let children = below.map(|p| p.digits()[pid.digits().len()]).max();
                other.activate(pid.clone(), children.unwrap_or(0) + random.below(2));
            }
        },
        // Only the next pid.
        1 => {
            if let Some(children) = state.eta().get(pid) {
                other.activate(pid.clone(), children + 1);
            }
        }
        // One more token.
        2 => put_random(&mut other, pid, &pids, random),
        // A token with another pid in it.
        _ => {
            let place = *random.pick(&PLACES);
            let held: Vec<Vec<Value>> = state.tokens(place).map(|(t, _)| t.clone()).collect();
            if !held.is_empty() {
                let token = random.pick(&held);
                assert!(other.take(place, token, 1));
                let replaced = token.iter().map(|value| match value {
                    Value::Pid(_) => Value::Pid(pid.clone()),
                    data => data.clone(),
                });
                assert!(other.put(&place.into(), replaced.collect(), 1));
            }
        }
    }
    other
}
