//! What groups mean: a pattern matches a token if it does in *some* order of the records, at every level.
//!
//! In a net, tokens hold their records in one order, of which a transition should know nothing. So a transition that
//! reads such tokens stands for several: one for each order of the records in each of its patterns. What it puts is
//! in no order either, so many of them do the same: if a record is passed on as it is, it makes no difference
//! where it was. Two copies are the same if they agree up to the names of variables and the order of records in what
//! is put; and one of each kind is kept. An `unless` must match in no order, so that it stands for a conjunction
//! instead.
//!
//! All orders are reached from one by exchanging neighbours, and copies that are the same have the same neighbours.
//! Hence the copies are found by a search that starts with what is written, at a cost linear in their number.

mod key;

use std::collections::{HashMap, HashSet};

use key::Shared;
use net::{Arc, Expr, Group, Inhibitor, Net, Place, PlaceId, Transition, Var};

/// A transition has at most this many copies, a pattern of a property at most this many orders.
pub(crate) const MOST: usize = 120;

/// A place whose records can be in more orders than are allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooMany(pub(crate) PlaceId);

/// Two records of a pattern that are neighbours: where they start, and how wide they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swap {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) width: usize,
    /// Which group of the pattern they are in; each record has groups of its own.
    pub(crate) group: usize,
}

impl Swap {
    pub(crate) fn apply<T>(self, row: &mut [T]) {
        (0..self.width).for_each(|at| row.swap(self.first + at, self.second + at));
    }
}

/// A pattern of a transition that tokens are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Participant(usize),
    Take(usize),
    Read(usize),
}

/// The neighbours in all groups of a row of columns, which starts with this column of the place.
pub(crate) fn swaps(place: &Place, start: usize) -> Vec<Swap> {
    fn add(groups: &[Group], from: usize, next: &mut usize, into: &mut Vec<Swap>) {
        for group in groups {
            let own = *next;
            *next += 1;
            for number in 0..group.count {
                let (first, width) = (from + group.first + number * group.width, group.width);
                if number + 1 < group.count {
                    into.push(Swap { first, second: first + width, width, group: own });
                }
                add(&group.groups, first, next, into);
            }
        }
    }
    let mut found = Vec::new();
    add(&place.groups, 0, &mut 0, &mut found);
    for swap in &mut found {
        swap.first -= start;
        swap.second -= start;
    }
    found
}

/// Those among neighbours in groups of which a test fails for some.
pub(crate) fn told_apart(swaps: Vec<Swap>, is_blind: impl Fn(Swap) -> bool) -> Vec<Swap> {
    let told: HashSet<usize> =
        swaps.iter().filter(|swap| !is_blind(**swap)).map(|swap| swap.group).collect();
    swaps.into_iter().filter(|swap| told.contains(&swap.group)).collect()
}

/// The patterns of a transition that have groups, with their places.
pub(crate) fn inputs(net: &Net, transition: &Transition) -> Vec<(Input, PlaceId)> {
    let participants = transition.participants.iter().enumerate();
    let participants = participants.map(|(at, one)| (Input::Participant(at), one.from));
    let takes = transition.takes.iter().enumerate().map(|(at, arc)| (Input::Take(at), arc.place));
    let reads = transition.reads.iter().enumerate().map(|(at, arc)| (Input::Read(at), arc.place));
    let all = participants.chain(takes).chain(reads);
    all.filter(|(_, place)| !net.place(*place).groups.is_empty()).collect()
}

impl Input {
    /// The column of the place that its pattern starts with: a thread that takes part is not in it.
    pub(crate) fn start(self) -> usize {
        usize::from(matches!(self, Input::Participant(_)))
    }

    pub(crate) fn pattern(self, transition: &mut Transition) -> &mut Vec<Option<Expr>> {
        match self {
            Input::Participant(at) => &mut transition.participants[at].pattern,
            Input::Take(at) => &mut transition.takes[at].pattern,
            Input::Read(at) => &mut transition.reads[at].pattern,
        }
    }
}

/// Whether a transition looks at tokens that have groups.
pub(crate) fn concern(net: &Net, transition: &Transition) -> bool {
    let arcs = transition.inhibitors.iter().flat_map(|inhibitor| &inhibitor.arcs);
    let mut places = arcs.map(|arc| arc.place);
    !inputs(net, transition).is_empty() || places.any(|id| !net.place(id).groups.is_empty())
}

/// All that a transition stands for, itself first. Each has its name.
pub(crate) fn copies(net: &Net, transition: &Transition) -> Result<Vec<Transition>, TooMany> {
    if !concern(net, transition) {
        return Ok(vec![transition.clone()]);
    }
    let mut first = transition.clone();
    first.inhibitors = inhibitors(net, &mut first)?;
    first.number_variables();
    let inputs = inputs(net, transition);
    let mut known = HashSet::from([key::of_transition(net, &first)]);
    let mut found = vec![first];
    let mut next = 0;
    while next < found.len() {
        for (input, place) in &inputs {
            for swap in swaps(net.place(*place), input.start()) {
                let mut other = found[next].clone();
                swap.apply(input.pattern(&mut other));
                other.number_variables();
                if !known.insert(key::of_transition(net, &other)) {
                    continue;
                }
                if found.len() == MOST {
                    return Err(TooMany(*place));
                }
                found.push(other);
            }
        }
        next += 1;
    }
    Ok(found)
}

/// Whether it makes no difference to a transition that these records of a pattern are exchanged.
pub(crate) fn is_blind(net: &Net, transition: &Transition, input: Input, swap: Swap) -> bool {
    let mut other = transition.clone();
    swap.apply(input.pattern(&mut other));
    key::of_transition(net, transition) == key::of_transition(net, &other)
}

/// Whether it makes no difference to an inhibitor of a transition that these records are exchanged.
pub(crate) fn is_blind_inhibitor(of: &Transition, one: &Inhibitor, arc: usize, swap: Swap) -> bool {
    let shared = Shared::of(of);
    let mut other = one.clone();
    swap.apply(&mut other.arcs[arc].pattern);
    key::of_inhibitor(one, &shared) == key::of_inhibitor(&other, &shared)
}

/// What disables a transition, in every order. Each copy has variables of its own.
fn inhibitors(net: &Net, transition: &mut Transition) -> Result<Vec<Inhibitor>, TooMany> {
    let shared = Shared::of(transition);
    let mut known = HashSet::new();
    let mut found = Vec::new();
    let written = std::mem::take(&mut transition.inhibitors);
    let mut keyed: HashMap<String, &Inhibitor> = HashMap::new();
    for inhibitor in &written {
        keyed.entry(key::of_inhibitor(inhibitor, &shared)).or_insert(inhibitor);
    }
    for inhibitor in &written {
        if !known.insert(key::of_inhibitor(inhibitor, &shared)) {
            continue;
        }
        let start = found.len();
        let mut next = start;
        found.push(inhibitor.clone());
        while next < found.len() {
            for at in 0..found[next].arcs.len() {
                let place = found[next].arcs[at].place;
                for swap in swaps(net.place(place), 0) {
                    let mut other: Inhibitor = found[next].clone();
                    swap.apply(&mut other.arcs[at].pattern);
                    let key = key::of_inhibitor(&other, &shared);
                    if !known.insert(key.clone()) {
                        continue;
                    }
                    if found.len() - start == MOST {
                        return Err(TooMany(place));
                    }
                    match keyed.get(&key) {
                        Some(written) => other = (*written).clone(),
                        None => give_own_variables(&mut other, &shared, transition),
                    }
                    found.push(other);
                }
            }
            next += 1;
        }
    }
    Ok(found)
}

/// Those that stand for all, where an inhibitor is left out that another one stands for.
pub(crate) fn fewest_inhibitors(net: &Net, transition: &Transition) -> Vec<Inhibitor> {
    let shared = Shared::of(transition);
    let mut known = HashSet::new();
    let mut kept = Vec::new();
    for inhibitor in &transition.inhibitors {
        if known.contains(&key::of_inhibitor(inhibitor, &shared)) {
            continue;
        }
        let mut alone = Transition { inhibitors: vec![inhibitor.clone()], ..transition.clone() };
        let orders = inhibitors(net, &mut alone).unwrap_or_default();
        known.extend(orders.iter().map(|one| key::of_inhibitor(one, &shared)));
        kept.push(inhibitor.clone());
    }
    kept
}

/// Gives the variables that an inhibitor has for itself new numbers.
fn give_own_variables(inhibitor: &mut Inhibitor, shared: &Shared, of: &mut Transition) {
    let mut renamed: Vec<(Var, Var)> = Vec::new();
    key::change_variables(inhibitor, &mut |var| {
        if shared.contains(*var) {
            return;
        }
        let known = renamed.iter().find(|(old, _)| old == var).map(|(_, new)| *new);
        let new = known.unwrap_or_else(|| {
            let new =
                Var(u32::try_from(of.variables.len()).expect("fewer than the bytes of a text"));
            of.variables.push(of.variables[var.index()].clone());
            renamed.push((*var, new));
            new
        });
        *var = new;
    });
}

/// A row of columns of a place, perhaps without the thread, in all orders that differ; as it is first. A row that has
/// other columns by mistake is left as it is, and so is that of a place that does not exist.
pub(crate) fn orders<T: Clone + PartialEq>(
    net: &Net,
    id: PlaceId,
    row: &[T],
) -> Result<Vec<Vec<T>>, TooMany> {
    let mut found = vec![row.to_vec()];
    let Some(place) = net.places.get(id.index()) else { return Ok(found) };
    let start = match place.columns.len().checked_sub(row.len()) {
        Some(0) => 0,
        Some(1) if place.is_flow() => 1,
        _ => return Ok(found),
    };
    let swaps = swaps(place, start);
    let mut next = 0;
    while next < found.len() {
        for swap in &swaps {
            let mut other = found[next].clone();
            swap.apply(&mut other);
            if found.contains(&other) {
                continue;
            }
            if found.len() == MOST {
                return Err(TooMany(id));
            }
            found.push(other);
        }
        next += 1;
    }
    Ok(found)
}

/// Whether the tokens that an arc looks for are given by members of classes, in a place that has groups.
pub(crate) fn goes_through_members(net: &Net, arc: &Arc) -> bool {
    !arc.each.is_empty() && !net.place(arc.place).groups.is_empty()
}
