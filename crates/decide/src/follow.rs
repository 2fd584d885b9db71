//! Following one thread: a net that remembers it.
//!
//! An additional place holds the pid of the thread that is followed, from the moment it enters one of given places, and
//! keeps it after the thread has ended. So what is explored is the canonical form of a state together with
//! the thread, by the engines that explore all nets, and the graph shows what becomes of the thread. Which thread is
//! followed is chosen once: each transition that lets a thread enter has another form, which takes the
//! only token there is of the choice. A thread that is at one of the places when everything starts enters it then;
//! for each of these there is a net of its own, in which the choice has been made.

use std::sync::Arc;

use fold::Working;
use net::interpret::Bindings;
use net::{
    Arc as NetArc, Column, Expr, Fate, Hold, InitialToken, InitialValue, Kind, Net, Place, PlaceId,
    PlaceKind, Sort, Spawn, Transition, TransitionId, Var, Variable,
};
use state::State;

/// A net that remembers a thread.
pub(crate) struct Following {
    /// The net.
    pub(crate) net: Arc<Net>,
    /// Which transition of the net followed through each of its transitions is.
    pub(crate) original: Vec<TransitionId>,
    /// The transitions of `net` from this one on are those by which the choice is made; if there are none,
    /// it has been made from the start.
    pub(crate) entering: u32,
    place: PlaceId,
}

/// Nets that follow the threads that enter one of some places: those that start there, and all others.
pub(crate) fn following(net: &Net, at: &[PlaceId]) -> Vec<Following> {
    let starting = net.start.iter().enumerate().filter(|(_, thread)| at.contains(&thread.place));
    let mut all: Vec<Following> = starting
        .map(|(thread, _)| {
            let (mut followed, place, _) = with_places(net);
            followed.tokens.push(InitialToken::new(place, vec![InitialValue::Thread(thread)], 1));
            finished(followed, net, Vec::new(), place)
        })
        .collect();
    let (mut followed, place, choice) = with_places(net);
    followed.tokens.push(InitialToken::new(choice, Vec::new(), 1));
    let mut entering = Vec::new();
    for (index, transition) in net.transitions.iter().enumerate() {
        for (mut entered, thread) in ways_to_enter(transition, at) {
            entered.name = format!("{} of the one followed", transition.name);
            while followed.transitions.iter().any(|other| other.name == entered.name) {
                entered.name.push('\'');
            }
            entered.takes.push(NetArc::new(choice, Vec::new(), 1));
            entered.puts.push(NetArc::new(place, vec![Some(Expr::Var(thread))], 1));
            followed.transitions.push(entered);
            entering.push(TransitionId(index as u32));
        }
    }
    if !entering.is_empty() {
        all.push(finished(followed, net, entering, place));
    }
    all
}

impl Following {
    /// The place that remembers the thread.
    pub(crate) fn place(&self) -> PlaceId {
        self.place
    }

    /// The thread that is followed, by its index in a working state; nothing as long as there is none.
    pub(crate) fn thread_in(&self, working: &Working) -> Option<u32> {
        working.entries(self.place.index()).next().map(|entry| entry[1])
    }

    /// The thread that is followed, as the value of a variable; nothing as long as there is none.
    pub(crate) fn bindings(&self, state: &State, thread: Var) -> Option<Bindings> {
        let (token, _) = state.tokens(&self.net.place(self.place).name).next()?;
        Some(Bindings::from([(thread, token[0].clone())]))
    }

    /// Whether the thread is yet to be chosen when everything starts.
    pub(crate) fn has_choice(&self) -> bool {
        self.original.len() > self.entering as usize
    }

    /// Whether by this transition of the net a thread enters and is followed from then on.
    pub(crate) fn enters(&self, transition: u32) -> bool {
        transition >= self.entering
    }

    /// Whether a state of the net followed through is what `state` is without what it remembers.
    pub(crate) fn is_of(&self, state: &State, original: &State) -> bool {
        let mut places = self.net.places[..self.place.index()].iter().map(|place| &place.name);
        state.eta() == original.eta()
            && places.all(|name| state.tokens(name).eq(original.tokens(name)))
    }
}

/// The net with two more places: that of the thread, and that of the choice.
fn with_places(net: &Net) -> (Net, PlaceId, PlaceId) {
    let mut net = net.clone();
    let count = net.places.len() as u32;
    let columns = vec![Column::of(Sort::Pid)];
    for (name, columns) in [("followed", columns), ("choice", Vec::new())] {
        let mut name = String::from(name);
        while net.places.iter().any(|place| *place.name == *name) {
            name.push('\'');
        }
        // That a thread is followed keeps nothing from being dropped.
        let hold = if columns.is_empty() { Hold::Root } else { Hold::Weak };
        net.places.push(Place { hold, ..Place::new(name, PlaceKind::Ordinary, columns) });
    }
    (net, PlaceId(count), PlaceId(count + 1))
}

fn finished(net: Net, of: &Net, entering: Vec<TransitionId>, place: PlaceId) -> Following {
    let count = of.transitions.len() as u32;
    let original = (0..count).map(TransitionId).chain(entering).collect();
    Following { net: Arc::new(net), original, entering: count, place }
}

/// The transition, once for each thread that it lets enter one of the places, with the variable of that thread.
fn ways_to_enter(transition: &Transition, at: &[PlaceId]) -> Vec<(Transition, Var)> {
    let mut ways = Vec::new();
    if transition.probe {
        return ways;
    }
    for participant in &transition.participants {
        let enters = matches!(&participant.fate, Fate::Move { to, .. } if at.contains(to));
        if enters && !at.contains(&participant.from) {
            ways.push((transition.clone(), participant.thread));
        }
    }
    for (index, spawn) in transition.spawns.iter().enumerate() {
        let enters = spawn.to.is_some_and(|to| at.contains(&to));
        let children = if enters { spawn.count } else { 0 };
        // One of the children gets a name; the others are created before and after it, as ever.
        for elder in 0..children {
            let mut way = transition.clone();
            let child = spawn.child.unwrap_or_else(|| {
                way.variables.push(Variable::new("followed", Kind::Pid));
                Var(way.variables.len() as u32 - 1)
            });
            let part = |count, child| Spawn { count, child, ..spawn.clone() };
            let parts = [(elder, None), (1, Some(child)), (children - elder - 1, None)];
            let parts = parts.into_iter().filter(|(count, _)| *count > 0);
            way.spawns.splice(index..=index, parts.map(|(count, child)| part(count, child)));
            ways.push((way, child));
        }
    }
    ways
}
