//! Stops where a thread could go on for ever without one: at the heads of loops, and around the calls of functions
//! that call themselves. And those where the first process makes its first choice.

use std::collections::{BTreeMap, HashSet};

use super::{calls, successors};
use crate::graph::{Graph, Local, Node, NodeId, RoutineId, Stop};

type Graphs = BTreeMap<RoutineId, Graph>;

/// Puts stops so that from each there is a bounded way to the next.
pub(crate) fn cut(graphs: &mut Graphs, guarded: &HashSet<RoutineId>, has_kills: bool) {
    let passable = passable(graphs);
    for graph in graphs.values_mut() {
        while let Some(head) = endless(graph, &passable) {
            graph.put_stop(head);
        }
    }
    for (id, callees) in recursive_calls(graphs) {
        for at in callees {
            let graph = graphs.get_mut(&id).expect("it is one of them");
            stop_after_call(graph, at, guarded.contains(&id), &passable);
        }
    }
    while let Some(function) = calls_itself(graphs, &passable) {
        let graph = graphs.get_mut(&function).expect("it is one of them");
        stop_at_entry(graph, has_kills);
    }
}

/// Puts a stop before each choice that a process makes before its first stop. Others do not come to it.
pub(crate) fn stop_before_choices(graphs: &mut Graphs, first: RoutineId, has_kills: bool) {
    let passable = passable(graphs);
    if is_passable(&graphs[&first], &passable) {
        stop_at_entry(graphs.get_mut(&first).expect("it is one of them"), has_kills);
    }
    let (mut open, mut seen) = (vec![first], HashSet::new());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let graph = graphs.get_mut(&id).expect("it is one of them");
        for at in reached(graph, graph.entry, &passable) {
            match graph.node(at) {
                Node::Call { routine, .. } => open.push(*routine),
                Node::Choice(_) | Node::Choose(..) => {
                    let stop = Stop::before(at, graph.local[&at].clone());
                    let stop = graph.add(Node::Stop(stop));
                    graph.before_choices.insert(at, stop);
                }
                _ => {}
            }
        }
    }
}

/// The functions that can be gone through without a stop. The more can be, the more can be: until it is no more.
fn passable(graphs: &Graphs) -> HashSet<RoutineId> {
    let mut passable = HashSet::new();
    loop {
        let before = passable.len();
        for (id, graph) in graphs {
            if id.is_called() && is_passable(graph, &passable) {
                passable.insert(*id);
            }
        }
        if passable.len() == before {
            return passable;
        }
    }
}

/// Where a node leads without a stop.
fn next(node: &Node, passable: &HashSet<RoutineId>) -> Vec<NodeId> {
    match node {
        // Who asks for data that is not kept goes on before others have their turn.
        Node::Stop(stop) if stop.is_forgotten => stop.arms.iter().map(|arm| arm.next).collect(),
        Node::Stop(_) => Vec::new(),
        Node::Call { routine, next, .. } => match passable.contains(routine) {
            true => vec![*next],
            false => Vec::new(),
        },
        _ => successors(node),
    }
}

/// The nodes that a routine comes to from a node before the first stop.
fn reached(graph: &Graph, from: NodeId, passable: &HashSet<RoutineId>) -> HashSet<NodeId> {
    let mut reached = HashSet::from([from]);
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        let next = next(graph.node(node), passable).into_iter();
        open.extend(next.filter(|next| reached.insert(*next)));
    }
    reached
}

fn is_passable(graph: &Graph, passable: &HashSet<RoutineId>) -> bool {
    returns(graph, graph.entry, passable)
}

/// Whether a routine may return from a node without a stop.
fn returns(graph: &Graph, from: NodeId, passable: &HashSet<RoutineId>) -> bool {
    let reached = reached(graph, from, passable);
    reached.iter().any(|node| matches!(graph.node(*node), Node::Return(_)))
}

/// The head of a loop that can come round without a stop.
fn endless(graph: &Graph, passable: &HashSet<RoutineId>) -> Option<NodeId> {
    let ids = (0..graph.nodes.len() as u32).map(NodeId);
    let mut heads = ids.filter(|id| matches!(graph.node(*id), Node::Next(_)));
    heads.find(|head| {
        let next = next(graph.node(*head), passable);
        next.iter().any(|next| reached(graph, *next, passable).contains(head))
    })
}

/// The calls by which functions call themselves, perhaps by way of others.
fn recursive_calls(graphs: &Graphs) -> BTreeMap<RoutineId, Vec<NodeId>> {
    let comes_to = |from: RoutineId, to: RoutineId| {
        let (mut seen, mut open) = (HashSet::new(), vec![from]);
        while let Some(id) = open.pop() {
            if id == to {
                return true;
            }
            if seen.insert(id) {
                open.extend(calls(&graphs[&id]).map(|(_, callee)| callee));
            }
        }
        false
    };
    let mut found: BTreeMap<RoutineId, Vec<NodeId>> = BTreeMap::new();
    for (id, graph) in graphs.iter().filter(|(id, _)| id.is_called()) {
        for (at, _) in calls(graph).filter(|(_, callee)| comes_to(*callee, *id)) {
            found.entry(*id).or_default().push(at);
        }
    }
    found
}

/// Puts a stop after a call, and after one that was left by a thread that was killed, where the function could be left
/// at once.
fn stop_after_call(graph: &mut Graph, at: NodeId, is_guarded: bool, passable: &HashSet<RoutineId>) {
    let local = graph.local[&at].clone();
    let Node::Call { next, killed, .. } = *graph.node(at) else { unreachable!("a call") };
    let after = returns(graph, next, passable)
        .then(|| graph.add(Node::Stop(Stop::before(next, local.clone()))));
    let dying = killed.filter(|_| is_guarded).filter(|killed| {
        let reached = reached(graph, *killed, passable);
        reached.iter().any(|node| matches!(graph.node(*node), Node::Killed))
    });
    let local = Local { killed: None, ..local };
    let dying = dying.map(|killed| graph.add(Node::Stop(Stop::before(killed, local))));
    let Node::Call { next, killed, .. } = &mut graph.nodes[at.0 as usize] else {
        unreachable!("a call");
    };
    *next = after.unwrap_or(*next);
    *killed = dying.or(*killed);
}

/// A function that calls itself, perhaps by way of others, before the first stop.
fn calls_itself(graphs: &Graphs, passable: &HashSet<RoutineId>) -> Option<RoutineId> {
    let callees = |id: RoutineId| -> Vec<RoutineId> {
        let graph = &graphs[&id];
        let reached = reached(graph, graph.entry, passable).into_iter();
        let callee = |node: NodeId| match graph.node(node) {
            Node::Call { routine, .. } => Some(*routine),
            _ => None,
        };
        reached.filter_map(callee).collect()
    };
    let mut functions = graphs.keys().filter(|id| id.is_called()).copied();
    functions.find(|function| {
        let mut seen = HashSet::new();
        let mut open = callees(*function);
        while let Some(callee) = open.pop() {
            if seen.insert(callee) {
                open.extend(callees(callee));
            }
        }
        seen.contains(function)
    })
}

/// Puts a stop before the entry, where nothing is pending.
fn stop_at_entry(graph: &mut Graph, can_be_killed: bool) {
    let killed = can_be_killed.then_some(NodeId(0));
    let local = Local { killed, ..Local::default() };
    graph.entry = graph.add(Node::Stop(Stop::before(graph.entry, local)));
}
