//! Causes: what has to fire before something else can.
//!
//! Let no place of a set be marked at first. If a transition fires that needs a token from the set, then before
//! the first of these one fired that puts a token into the set and needs none from it. The state equation
//! knows nothing of order, so its solutions may fire a cycle that lives on its own tokens: that is cut off
//! by this statement for a set that the solution itself cannot mark (Esparza and Melzer, *Verification of safety
//! properties using integer programming*, 2000, cut off siphons in this way).
//!
//! Cost: the arcs of the transitions in question, some times over.

use unfold::{UnfoldedNet, UnfoldedTransition};

use crate::incidence::Incidence;

/// If one of the first fires, so does one of the second. By columns of the state equation.
pub(crate) struct Cause {
    pub(crate) needing: Vec<u32>,
    pub(crate) giving: Vec<u32>,
}

/// The places in which a transition needs a token.
fn needs(transition: &UnfoldedTransition) -> impl Iterator<Item = u32> {
    transition.arcs.iter().filter(|arc| arc.least > 0).map(|arc| arc.place)
}

/// A cause that these columns, which fire, lack. A column has several transitions, any of which may be meant.
pub(crate) fn lacking_cause(
    net: &UnfoldedNet,
    incidence: &Incidence,
    columns: &[Vec<u32>],
    column_of: &[Option<u32>],
    fires: &[bool],
) -> Option<Cause> {
    let does_fire = |t: u32| column_of[t as usize].is_some_and(|column| fires[column as usize]);
    let markable = markable_by(net, incidence, &does_fire);
    let missing =
        |t: u32| needs(&net.transitions[t as usize]).find(|place| !markable[*place as usize]);
    let stuck = |column: &Vec<u32>| column.iter().all(|t| missing(*t).is_some());
    let first = columns.iter().zip(fires).find(|(column, fires)| **fires && stuck(column))?.0;
    // The set: for each transition of the column a place that is missing; and for each that would mark it
    // and is missing something itself, a place of that.
    let mut set = vec![false; net.places.len()];
    let mut added = Vec::new();
    for t in first {
        let needed = needs(&net.transitions[*t as usize]).any(|place| set[place as usize]);
        if let (false, Some(place)) = (needed, missing(*t)) {
            set[place as usize] = true;
            added.push(place);
        }
    }
    while let Some(place) = added.pop() {
        for t in incidence.putters.of(place).iter().copied().filter(|t| does_fire(*t)) {
            let needed = needs(&net.transitions[t as usize]).any(|place| set[place as usize]);
            if let (false, Some(place)) = (needed, missing(t)) {
                set[place as usize] = true;
                added.push(place);
            }
        }
    }
    Some(cause_of(net, columns, &set))
}

/// What has to be said of a set that is not marked at first.
fn cause_of(net: &UnfoldedNet, columns: &[Vec<u32>], set: &[bool]) -> Cause {
    let needs_it = |t: &u32| needs(&net.transitions[*t as usize]).any(|place| set[place as usize]);
    let gives = |t: &u32| {
        let arcs = &net.transitions[*t as usize].arcs;
        !needs_it(t) && arcs.iter().any(|arc| arc.change > 0 && set[arc.place as usize])
    };
    let those = |is_one: &dyn Fn(&Vec<u32>) -> bool| {
        let all = (0_u32..).zip(columns).filter(|(_, column)| is_one(column));
        all.map(|(number, _)| number).collect()
    };
    Cause {
        needing: those(&|column| column.iter().all(needs_it)),
        giving: those(&|column| column.iter().any(gives)),
    }
}

/// The places in which there may be a token if only some transitions fire.
fn markable_by(
    net: &UnfoldedNet,
    incidence: &Incidence,
    does_fire: &dyn Fn(u32) -> bool,
) -> Vec<bool> {
    let mut markable: Vec<bool> = net.places.iter().map(|place| place.initial > 0).collect();
    let count = net.transitions.len() as u32;
    let mut open: Vec<u32> = (0..count).filter(|t| does_fire(*t)).collect();
    let mut done = vec![false; count as usize];
    while let Some(t) = open.pop() {
        let transition = &net.transitions[t as usize];
        if done[t as usize] || needs(transition).any(|place| !markable[place as usize]) {
            continue;
        }
        done[t as usize] = true;
        for arc in transition.arcs.iter().filter(|arc| arc.change > 0) {
            if !std::mem::replace(&mut markable[arc.place as usize], true) {
                let waiting = incidence.all.of(arc.place).iter();
                open.extend(waiting.filter(|t| !done[**t as usize] && does_fire(**t)));
            }
        }
    }
    markable
}
