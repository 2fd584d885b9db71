//! What is left of a folded graph by stubborn sets, against the whole of it.
//!
//! The deadlocks must be the same, and so must be the transitions that can fire, whether there are faults, and the runs
//! up to repetition of what is seen of them. The last is checked literally: for each sequence of different views there
//! are the states that a run may be in after it, in both graphs; the views that come next must be the same, and
//! whether a run may see nothing else any more, since it goes round or has ended.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use explore::{Control, Options, StateId, explore};
use fold::{Column, Folded};
use net::{Arc, Compiled, Fate, InitialValue, Keep, Net, PlaceId, Seen, Transition};
use random::Random;

use crate::exploration::{Bounds, explored};
use crate::random_net::{FUEL, Ingredients, RandomNet, random_net};

/// The states of a whole graph, at most.
const MOST: u64 = 600;
/// The pairs of sets of states, at most.
const PAIRS: usize = 4_000;

/// How many states a net has that is put beside another.
const PART: std::ops::RangeInclusive<usize> = 4..=24;
const PART_BOUNDS: Bounds = Bounds { depth: 30, few: 30, most: 30, pids: 8, tokens: 12 };

/// Two nets side by side, most of which may go on in any order. Some burn the same fuel, and some have another place
/// in common.
pub fn side_by_side(seed: u64) -> RandomNet {
    let random = &mut Random::new(seed);
    let is_dull = |net: &Net| !PART.contains(&explored(net, &PART_BOUNDS).states.len());
    // The relations depend on the lowest bits.
    let other = seed ^ (1 << 40);
    let [one, other] = [seed, other].map(|seed| random_net(seed, Ingredients::Threads, is_dull));
    let mut net = Net::clone(&one.net);
    // Members of enumerations have the same names.
    for (at, enumeration) in other.net.enumerations.iter().enumerate() {
        match net.enumerations.get_mut(at) {
            Some(own) if own.members.len() >= enumeration.members.len() => {}
            Some(own) => own.clone_from(enumeration),
            None => net.enumerations.push(enumeration.clone()),
        }
    }
    let mut renamed = Vec::new();
    for (at, place) in other.net.places.iter().enumerate() {
        let shared = match at {
            _ if place.is_flow() => None,
            0 => random.percent(30).then_some(FUEL),
            _ => {
                let is_like = |own: &net::Place| !own.is_flow() && own.columns == place.columns;
                let like = one.net.places.iter().skip(1).position(is_like);
                like.filter(|_| random.percent(30)).map(|like| PlaceId(like as u32 + 1))
            }
        };
        renamed.push(shared.unwrap_or_else(|| {
            let name = format!("{}_too", place.name);
            net.places.push(net::Place { name: name.into(), ..place.clone() });
            PlaceId(net.places.len() as u32 - 1)
        }));
    }
    let start = net.start.len();
    let value = |value: &mut InitialValue| {
        if let InitialValue::Thread(thread) = value {
            *thread += start;
        }
    };
    for thread in &other.net.start {
        let mut thread = thread.clone();
        thread.place = renamed[thread.place.index()];
        thread.values.iter_mut().for_each(value);
        net.start.push(thread);
    }
    for token in &other.net.tokens {
        let mut token = token.clone();
        token.place = renamed[token.place.index()];
        token.values.iter_mut().for_each(value);
        net.tokens.push(token);
    }
    for transition in &other.net.transitions {
        let mut transition = transition.clone();
        transition.name.push_str("_too");
        rename_places(&mut transition, &renamed);
        net.transitions.push(transition);
    }
    net.name = format!("side_by_side_{seed}");
    let breaches = net.check();
    assert!(breaches.is_empty(), "seed {seed} makes no thread net: {breaches:?}");
    RandomNet { net: net.into(), ..one }
}

fn rename_places(transition: &mut Transition, renamed: &[PlaceId]) {
    let to = |place: &mut PlaceId| *place = renamed[place.index()];
    for participant in &mut transition.participants {
        to(&mut participant.from);
        if let Fate::Move { to: target, .. } = &mut participant.fate {
            to(target);
        }
    }
    let Transition { takes, reads, puts, inhibitors, spawns, .. } = transition;
    spawns.iter_mut().filter_map(|spawn| spawn.to.as_mut()).for_each(to);
    let inhibitors = inhibitors.iter_mut().flat_map(|inhibitor| &mut inhibitor.arcs);
    let arcs = takes.iter_mut().chain(reads).chain(puts).chain(inhibitors);
    arcs.for_each(|arc: &mut Arc| to(&mut arc.place));
}

/// What is seen of a state: the tokens of some places, without who is in them.
type View = BTreeMap<(usize, Vec<u32>), u32>;

/// A graph that was explored.
struct Graph {
    views: Vec<View>,
    next: Vec<BTreeSet<usize>>,
    fired: BTreeSet<u32>,
    /// The strings of the deadlocks, and of where everybody has ended, as the whole graph has them.
    ends: BTreeSet<Vec<u8>>,
}

/// What comes of exploring.
enum Outcome {
    Whole(Graph),
    Faulty,
    TooLarge,
}

/// What was compared.
pub struct Compared {
    pub whole: usize,
    pub left: usize,
}

/// Compares a net with what is left of it where `keep` is to be kept, by what is seen of `seen`. Nothing if it is too
/// large, or its faults are all that there is to be compared.
pub fn compare(net: &RandomNet, seen: &[PlaceId], keep: &Keep) -> Result<Option<Compared>, String> {
    let folded = |compiled| Folded::new(compiled, net.relations);
    let mut all = folded(Compiled::new(net.net.clone(), net.relations));
    let mut some = folded(Compiled::new(net.net.clone(), net.relations).reduced(keep));
    let mut strings = folded(Compiled::new(net.net.clone(), net.relations));
    let whole = graph(&mut all, seen, MOST, &mut strings);
    if let Outcome::TooLarge = whole {
        return Ok(None);
    }
    match (whole, graph(&mut some, seen, MOST + 1, &mut strings)) {
        // A fault may be near, and everything else without end.
        (Outcome::Faulty, Outcome::Faulty | Outcome::TooLarge) | (Outcome::TooLarge, _) => Ok(None),
        (Outcome::Whole(whole), Outcome::Whole(left)) => {
            if whole.ends != left.ends {
                return Err("other states are without successor".into());
            }
            if whole.fired != left.fired {
                return Err(format!("{:?} fire, not {:?}", left.fired, whole.fired));
            }
            if !have_same_runs(&whole, &left) {
                return Err("other runs are seen".into());
            }
            Ok(Some(Compared { whole: whole.views.len(), left: left.views.len() }))
        }
        (Outcome::Faulty, Outcome::Whole(_)) => Err("a fault is not found".into()),
        (_, Outcome::Faulty) => Err("a fault is found that there is not".into()),
        (_, Outcome::TooLarge) => Err("there are more states than without".into()),
    }
}

/// Places to look at, at random.
pub fn some_places(net: &RandomNet, random: &mut Random) -> (Vec<PlaceId>, Seen) {
    let places = (0..net.net.places.len() as u32).map(PlaceId);
    let places: Vec<PlaceId> = places.filter(|_| random.percent(20)).collect();
    let mut seen = Seen::default();
    places.iter().for_each(|place| seen.place(*place));
    (places, seen)
}

fn graph(
    folded: &mut Folded<Compiled>,
    seen: &[PlaceId],
    most: u64,
    strings: &mut Folded<Compiled>,
) -> Outcome {
    let options = Options { states: Some(most), keep_edges: true, ..Options::default() };
    let Ok(found) = explore(folded, &options, &mut |_| Control::Continue) else {
        return Outcome::Faulty;
    };
    if !found.complete {
        return Outcome::TooLarge;
    }
    let quotient = found.quotient.as_ref().expect("edges are kept");
    let ids = || (0..found.states() as u32).map(StateId);
    let mut fired = BTreeSet::new();
    let mut next = Vec::new();
    for id in ids() {
        let successors: Vec<_> = quotient.successors(id).collect();
        fired.extend(successors.iter().map(|(label, _)| *label));
        next.push(successors.iter().map(|(_, target)| target.0 as usize).collect());
    }
    let ends = found.deadlocks.iter().chain(&found.terminated);
    let ends = ends.map(|id| strings.fold(folded.decode(found.store.get(*id)))).collect();
    let views = ids().map(|id| view(folded, found.store.get(id), seen)).collect();
    Outcome::Whole(Graph { views, next, fired, ends })
}

fn view(folded: &Folded<Compiled>, bytes: &[u8], seen: &[PlaceId]) -> View {
    let working = folded.decode(bytes);
    let mut view = View::new();
    for place in seen {
        let shape = &folded.rules().schema().places[place.index()];
        for entry in working.entries(place.index()) {
            let data = shape.columns.iter().zip(&entry[1..]);
            let data = data.filter(|(column, _)| matches!(column, Column::Data(_)));
            let data = data.map(|(_, word)| *word).collect();
            *view.entry((place.index(), data)).or_insert(0) += entry[0];
        }
    }
    view
}

impl Graph {
    /// With all that are reached while nothing else is seen.
    fn closed(&self, mut states: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut waiting: Vec<usize> = states.iter().copied().collect();
        while let Some(state) = waiting.pop() {
            for &next in &self.next[state] {
                if self.views[next] == self.views[state] && states.insert(next) {
                    waiting.push(next);
                }
            }
        }
        states
    }

    /// Whether a run may see nothing else from one of these states on, which are closed.
    fn may_stay(&self, states: &BTreeSet<usize>) -> bool {
        let mut left = states.clone();
        loop {
            let goes_on = |state: &usize| {
                self.next[*state].is_empty()
                    || self.next[*state].iter().any(|next| next != state && left.contains(next))
                    || self.next[*state].contains(state)
            };
            let still: BTreeSet<usize> = left.iter().copied().filter(goes_on).collect();
            if still == left {
                return !left.is_empty();
            }
            left = still;
        }
    }

    /// Where a run may be when it has seen something else for the first time.
    fn after(&self, states: &BTreeSet<usize>) -> BTreeMap<View, BTreeSet<usize>> {
        let mut after: BTreeMap<View, BTreeSet<usize>> = BTreeMap::new();
        for &state in states {
            for &next in &self.next[state] {
                if self.views[next] != self.views[state] {
                    after.entry(self.views[next].clone()).or_default().insert(next);
                }
            }
        }
        after
    }
}

/// Whether two graphs have the same runs, up to repetition. As far as there are few pairs of sets.
fn have_same_runs(one: &Graph, other: &Graph) -> bool {
    if one.views[0] != other.views[0] {
        return false;
    }
    let start = [one, other].map(|graph| graph.closed(BTreeSet::from([0])));
    let mut known = HashMap::from([(start.clone(), ())]);
    let mut waiting = vec![start];
    while let Some([a, b]) = waiting.pop() {
        if one.may_stay(&a) != other.may_stay(&b) {
            return false;
        }
        let (after, mut matching) = (one.after(&a), other.after(&b));
        if after.len() != matching.len() {
            return false;
        }
        for (view, a) in after {
            let Some(b) = matching.remove(&view) else { return false };
            let pair = [one.closed(a), other.closed(b)];
            if known.len() < PAIRS && known.insert(pair.clone(), ()).is_none() {
                waiting.push(pair);
            }
        }
    }
    true
}
