//! What the nets make use of, so that it can be seen that nothing is left untested.

use std::collections::BTreeSet;

use net::{Expr, Fate, Net, Sort, Transition};
use state::State;

use crate::exploration::Explored;

/// The names of what [`features`] looks for.
pub const ALL: [&str; 21] = [
    "several participants",
    "no participant",
    "a thread that ends",
    "a thread that stays",
    "several children in one step",
    "children of several threads in one step",
    "children of an ending thread",
    "a read",
    "a read of a thread",
    "several copies",
    "an inhibitor that is passed",
    "an inhibitor with a condition",
    "a parameter",
    "a definition",
    "a definition of a pid",
    "parent",
    "ancestor",
    "next_sibling",
    "elder_sibling",
    "a pid that outlives its thread",
    "a pid beside the thread in a flow place",
];

/// What is made use of by a transition that fires, or is there in a state.
pub fn features(net: &Net, explored: &Explored) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let fired: BTreeSet<u32> = explored.steps.iter().flatten().flatten().map(|s| s.0).collect();
    for transition in fired {
        found.extend(of_transition(net, &net.transitions[transition as usize]));
    }
    let outlived = |state: &State| state.pids().len() > state.eta().len();
    if explored.states.iter().any(outlived) {
        found.insert("a pid that outlives its thread");
    }
    for place in net.places.iter().filter(|place| place.is_flow()) {
        let has_pid = place.columns[1..].iter().any(|column| column.sort == Sort::Pid);
        if has_pid && explored.states.iter().any(|s| s.tokens(&place.name).next().is_some()) {
            found.insert("a pid beside the thread in a flow place");
        }
    }
    found
}

fn of_transition(net: &Net, t: &Transition) -> impl Iterator<Item = &'static str> {
    let parents: BTreeSet<_> = t.spawns.iter().map(|spawn| spawn.parent).collect();
    let has_fate = |fate: &Fate| t.participants.iter().any(|p| p.fate == *fate);
    let ending = |p: &net::Participant| p.fate == Fate::End && parents.contains(&p.thread);
    let mut found = vec![
        (t.participants.len() > 1, "several participants"),
        (t.participants.is_empty(), "no participant"),
        (has_fate(&Fate::End), "a thread that ends"),
        (has_fate(&Fate::Stay), "a thread that stays"),
        (t.spawns.iter().map(|spawn| spawn.count).sum::<u32>() > 1, "several children in one step"),
        (parents.len() > 1, "children of several threads in one step"),
        (t.participants.iter().any(ending), "children of an ending thread"),
        (!t.reads.is_empty(), "a read"),
        (t.reads.iter().any(|arc| net.place(arc.place).is_flow()), "a read of a thread"),
        (t.takes.iter().any(|arc| arc.count > 1), "several copies"),
        (!t.inhibitors.is_empty(), "an inhibitor that is passed"),
        (t.inhibitors.iter().any(|i| i.condition.is_some()), "an inhibitor with a condition"),
        (!t.parameters.is_empty(), "a parameter"),
        (!t.definitions.is_empty(), "a definition"),
    ];
    let of_pid = |(_, expr): &(net::Var, Expr)| matches!(expr, Expr::If(_, a, _) if is_pid(t, a));
    found.push((t.definitions.iter().any(of_pid), "a definition of a pid"));
    for expr in t.expressions() {
        expr.walk(&mut |expr| {
            if let Expr::Relation(relation, ..) = expr {
                found.push((true, relation.name()));
            }
        });
    }
    found.into_iter().filter(|(there, _)| *there).map(|(_, what)| what)
}

fn is_pid(t: &Transition, expr: &Expr) -> bool {
    matches!(expr, Expr::Var(var) if t.variables[var.index()].kind == net::Kind::Pid)
}
