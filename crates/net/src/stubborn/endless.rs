//! Which transitions may fire infinitely often in a run, as far as that can be seen from the net.
//!
//! It begins with all of them, and leaves out those that cannot, given that only those that are left fire
//! from some point on. That is so of a transition
//! - which takes more tokens from a place than it puts there, if none that is left puts more than it takes;
//! - which makes a number in a token larger, if none that is left makes it smaller or replaces it, or adds tokens to the
//!   place; or the other way round. Numbers are bounded;
//! - in which a thread takes part that is where threads come only finitely often.
//!
//! For the last, the steps of a thread and its descendants are a path through the flow graph. Paths that never end stay
//! in a strongly connected part of it. If the threads there have a number that no arc of the part makes smaller, arcs by
//! which it grows are gone through finitely often, and can be left out: what is connected then is smaller, and so on
//! (lexicographic ranking). A place to which no cycle leads that is left is met finitely often, since the threads that
//! come there and all before them form a forest with finitely many roots in which everybody has finitely many children,
//! and which has no infinite path (Kőnig).
//!
//! Cost: for each transition that is left out, about the size of the net times the columns of places.

use super::future::firing;
use crate::{Arc, BinaryOp, Expr, Fate, Literal, Net, Participant, PlaceId, Sort, Transition};

/// By how much a number may grow, at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    least: i64,
    most: i64,
}

/// An arc of the flow graph: a thread moves, stays, or starts a child.
#[derive(Clone, Debug)]
pub(super) struct FlowArc {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) transition: usize,
    /// For each column at the end, the column at the beginning from which its number comes, and how it changes.
    changes: Vec<Option<(usize, Change)>>,
}

/// What may happen infinitely often.
pub(super) struct Endless {
    /// By transition.
    pub(super) transitions: Vec<bool>,
    /// The arcs that a path may go through infinitely often: all cycles of the flow graph that can be are made of them.
    pub(super) arcs: Vec<FlowArc>,
}

impl Endless {
    pub(super) fn of(net: &Net) -> Endless {
        let mut transitions = vec![false; net.transitions.len()];
        // After a failure a run does not go on.
        let going_on = firing(net).filter(|(_, transition)| transition.failure.is_none());
        going_on.for_each(|(number, _)| transitions[number] = true);
        let all: Vec<FlowArc> = flow_arcs(net);
        loop {
            let left = || net.transitions.iter().enumerate().filter(|(at, _)| transitions[*at]);
            let flow: Vec<FlowArc> =
                all.iter().filter(|arc| transitions[arc.transition]).cloned().collect();
            let arcs = unranked(net, flow.clone());
            let met = met_often(net.places.len(), &flow, &arcs);
            let comes_seldom = |(at, transition): (usize, &Transition)| {
                let mut places = transition.participants.iter().map(|one| one.from.index());
                places.any(|place| !met[place]).then_some(at)
            };
            let mut over: Vec<usize> = left().filter_map(comes_seldom).collect();
            for place in (0..net.places.len()).filter(|place| !net.places[*place].is_flow()) {
                let of: Vec<(usize, Effect)> = left()
                    .map(|(at, transition)| (at, Effect::of(net, transition, place)))
                    .collect();
                used_up(net, place, &of, &mut over);
            }
            if over.is_empty() {
                return Endless { transitions, arcs };
            }
            over.into_iter().for_each(|at| transitions[at] = false);
        }
    }
}

/// What a transition does to the tokens of a place, at each firing.
struct Effect {
    /// How many more there may be afterwards, at most and at least.
    grows: Change,
    /// The tokens that it changes, if it changes each into one: by column.
    changed: Option<Vec<Vec<Option<Change>>>>,
}

impl Effect {
    fn of(net: &Net, transition: &Transition, place: usize) -> Effect {
        let at = |arc: &&Arc| arc.place.index() == place;
        let takes: Vec<&Arc> = transition.takes.iter().filter(at).collect();
        let puts: Vec<&Arc> = transition.puts.iter().filter(at).collect();
        let least = |arcs: &[&Arc]| -> i64 {
            let certain = arcs.iter().filter(|arc| arc.each.is_empty());
            certain.map(|arc| i64::from(arc.count)).sum()
        };
        let most = |arcs: &[&Arc]| match arcs.iter().all(|arc| arc.each.is_empty()) {
            true => least(arcs),
            false => i64::from(u32::MAX),
        };
        let grows =
            Change { least: least(&puts) - most(&takes), most: most(&puts) - least(&takes) };
        Effect { grows, changed: changed(net, place, &takes, &puts) }
    }
}

/// How each token that is taken changes into one that is put; nothing if that cannot be said.
fn changed(
    net: &Net,
    place: usize,
    takes: &[&Arc],
    puts: &[&Arc],
) -> Option<Vec<Vec<Option<Change>>>> {
    let is_one = |arc: &&Arc| arc.count == 1 && arc.each.is_empty();
    if takes.len() != puts.len() || !takes.iter().chain(puts).all(is_one) {
        return None;
    }
    let mut left = takes.to_vec();
    let mut all = Vec::new();
    for put in puts {
        // Tokens go by what their first column is, unless there is only one.
        let like = |take: &&Arc| takes.len() == 1 || take.pattern.first() == put.pattern.first();
        let take = left.remove(left.iter().position(like)?);
        let columns = 0..put.pattern.len();
        let change = |column: usize| {
            let after = put.pattern[column].as_ref()?;
            let (var, change) = growth(after)?;
            let is_same = take.pattern[column].as_ref() == Some(var);
            (is_same && is_number(net, place, column)).then_some(change)
        };
        all.push(columns.map(change).collect());
    }
    Some(all)
}

/// Finds transitions that use up what there is in a place.
fn used_up(net: &Net, place: usize, effects: &[(usize, Effect)], over: &mut Vec<usize>) {
    if effects.iter().any(|(_, effect)| effect.grows.most > 0) {
        return;
    }
    let takers = effects.iter().filter(|(_, effect)| effect.grows.most < 0);
    over.extend(takers.map(|(at, _)| *at));
    for column in 0..net.places[place].columns.len() {
        let changes: Option<Vec<(usize, Change)>> = effects
            .iter()
            .flat_map(|(at, effect)| match &effect.changed {
                Some(tokens) => tokens.iter().map(|t| Some((*at, t[column]?))).collect(),
                // One that may only take tokens does so finitely often.
                None if effect.grows.most < 0 => Vec::new(),
                None => vec![None],
            })
            .collect();
        let Some(changes) = changes else { continue };
        if changes.iter().all(|(_, change)| change.least >= 0) {
            over.extend(changes.iter().filter(|(_, c)| c.least > 0).map(|(at, _)| *at));
        }
        if changes.iter().all(|(_, change)| change.most <= 0) {
            over.extend(changes.iter().filter(|(_, c)| c.most < 0).map(|(at, _)| *at));
        }
    }
}

/// Whether a column has a number in a range, which is always at the same place in the token.
fn is_number(net: &Net, place: usize, column: usize) -> bool {
    let Some(of) = net.places[place].columns.get(column) else { return false };
    let mut groups = net.places[place].groups.iter();
    let moves = groups
        .any(|group| (group.first..group.first + group.width * group.count).contains(&column));
    matches!(of.sort, Sort::Int { .. }) && !of.optional && !moves
}

/// The variable from which a number comes by constant steps, and by how much it grows.
fn growth(after: &Expr) -> Option<(&Expr, Change)> {
    match after {
        Expr::Var(_) => Some((after, Change { least: 0, most: 0 })),
        Expr::Binary(op, a, b) => {
            let (var, change) = growth(a)?;
            let Expr::Literal(Literal::Int(by)) = &**b else { return None };
            let by = match op {
                BinaryOp::Add => *by,
                BinaryOp::Subtract => by.checked_neg()?,
                _ => return None,
            };
            let [least, most] = [change.least, change.most].map(|end| end.checked_add(by));
            Some((var, Change { least: least?, most: most? }))
        }
        Expr::If(_, a, b) => {
            let ((var, one), (other, two)) = (growth(a)?, growth(b)?);
            let (least, most) = (one.least.min(two.least), one.most.max(two.most));
            (var == other).then_some((var, Change { least, most }))
        }
        _ => None,
    }
}

/// The arcs of all transitions after which a run goes on.
pub(super) fn flow_arcs(net: &Net) -> Vec<FlowArc> {
    let mut arcs = Vec::new();
    for (transition, rule) in firing(net).filter(|(_, t)| t.failure.is_none()) {
        for one in &rule.participants {
            let from = one.from.index();
            let mut arc = |to: &PlaceId, changes: Option<Vec<_>>| {
                let to = to.index();
                let changes = changes.unwrap_or_else(|| vec![None; net.places[to].columns.len()]);
                arcs.push(FlowArc { from, to, transition, changes });
            };
            match &one.fate {
                Fate::Move { to, values } => arc(to, Some(moved(net, one, *to, values))),
                Fate::Stay => {
                    let columns = 0..net.places[from].columns.len();
                    let same =
                        |at| is_number(net, from, at).then_some((at, Change { least: 0, most: 0 }));
                    arc(&one.from, Some(columns.map(same).collect()));
                }
                Fate::End | Fate::Crash => {}
            }
            let children = rule.spawns.iter().filter(|spawn| spawn.parent == one.thread);
            children.filter_map(|spawn| spawn.to.as_ref()).for_each(|to| arc(to, None));
        }
    }
    arcs
}

/// Where the numbers of a thread that moves come from.
fn moved(
    net: &Net,
    one: &Participant,
    to: PlaceId,
    values: &[Expr],
) -> Vec<Option<(usize, Change)>> {
    let change = |(at, after): (usize, &Expr)| {
        let (var, change) = growth(after)?;
        let before = one.pattern.iter().position(|expr| expr.as_ref() == Some(var))? + 1;
        let are_numbers =
            is_number(net, to.index(), at + 1) && is_number(net, one.from.index(), before);
        are_numbers.then_some((before, change))
    };
    // The first column is the thread itself.
    std::iter::once(None).chain(values.iter().enumerate().map(change)).collect()
}

/// The arcs that are left when all are left out that a path goes through finitely often.
fn unranked(net: &Net, mut arcs: Vec<FlowArc>) -> Vec<FlowArc> {
    loop {
        let part = connected(net.places.len(), &arcs);
        arcs.retain(|arc| part[arc.from] == part[arc.to]);
        let mut seldom = vec![false; arcs.len()];
        for place in 0..net.places.len() {
            let within: Vec<usize> =
                (0..arcs.len()).filter(|at| part[arcs[*at].from] == part[place]).collect();
            // One place of each part is enough.
            if part[place] != place || within.is_empty() {
                continue;
            }
            for column in 0..net.places[place].columns.len() {
                let Some(changes) = followed(&arcs, &within, place, column) else { continue };
                let (mut up, mut down) = (true, true);
                changes.iter().for_each(|change| {
                    up &= change.least >= 0;
                    down &= change.most <= 0;
                });
                for (at, change) in within.iter().zip(&changes) {
                    seldom[*at] |= up && change.least > 0 || down && change.most < 0;
                }
            }
        }
        if !seldom.contains(&true) {
            return arcs;
        }
        let mut seldom = seldom.into_iter();
        arcs.retain(|_| seldom.next() == Some(false));
    }
}

/// How a number changes on the arcs of a part if it is in this column at this place; nothing if it is not kept
/// everywhere.
fn followed(
    arcs: &[FlowArc],
    within: &[usize],
    place: usize,
    column: usize,
) -> Option<Vec<Change>> {
    let places = within.iter().map(|at| arcs[*at].from).max()?.max(place) + 1;
    let mut columns: Vec<Option<usize>> = vec![None; places];
    columns[place] = Some(column);
    let mut waiting = vec![place];
    while let Some(to) = waiting.pop() {
        for arc in within.iter().map(|at| &arcs[*at]).filter(|arc| arc.to == to) {
            let (before, _) = arc.changes[columns[to]?]?;
            match columns[arc.from] {
                Some(known) if known != before => return None,
                Some(_) => {}
                None => {
                    columns[arc.from] = Some(before);
                    waiting.push(arc.from);
                }
            }
        }
    }
    within.iter().map(|at| Some(arcs[*at].changes[columns[arcs[*at].to]?]?.1)).collect()
}

/// For each place the least of those that it is strongly connected with.
fn connected(places: usize, arcs: &[FlowArc]) -> Vec<usize> {
    let reaches: Vec<Vec<bool>> =
        (0..places).map(|place| reached(places, arcs, vec![place])).collect();
    let is_same = |a: usize, b: usize| a == b || (reaches[a][b] && reaches[b][a]);
    (0..places).map(|a| (0..=a).find(|b| is_same(a, *b)).unwrap_or(a)).collect()
}

/// The places to which arcs lead from some, with these.
fn reached(places: usize, arcs: &[FlowArc], mut waiting: Vec<usize>) -> Vec<bool> {
    let mut reached = vec![false; places];
    while let Some(place) = waiting.pop() {
        if !std::mem::replace(&mut reached[place], true) {
            waiting.extend(arcs.iter().filter(|arc| arc.from == place).map(|arc| arc.to));
        }
    }
    reached
}

/// The places to which `flow` leads from a cycle of `arcs`, which are arcs inside of parts.
fn met_often(places: usize, flow: &[FlowArc], arcs: &[FlowArc]) -> Vec<bool> {
    reached(places, flow, arcs.iter().map(|arc| arc.from).collect())
}
