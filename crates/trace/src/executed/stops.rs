//! Where a thread of a program stands, by the graphs of its routines: they know the labels there, and which variables are
//! read again.
//!
//! The interpreter knows where a thread is by the blocks that it is in, a graph by its nodes. They are matched by the
//! routine, by where the statement is written, and by how far it has been done: a statement that is done in several steps
//! has a stop for each of them. What is called in something deferred is part of the graph of the routine that has deferred
//! it.

use std::collections::{BTreeSet, HashMap};

use interpret::{Frame, Progress, Thread};
use net::Origin;
use program::graph::{Graph, Node, NodeId, Stop};
use program::live::Locals;
use program::routines::Routines;
use program::{
    Action, LabelId, Observed, ProcessId, Program, Root, RoutineId, Source, Statement, Target,
};

/// Where something is written.
type Written = Option<(usize, usize)>;

/// The stops and the calls of a program.
pub(super) struct Stops<'p> {
    program: &'p Program,
    routines: Routines,
    stops: HashMap<(RoutineId, Written), Vec<NodeId>>,
    labelled: HashMap<(RoutineId, (Source, LabelId)), Vec<NodeId>>,
    calls: HashMap<(RoutineId, Written), Vec<NodeId>>,
}

fn written(origin: Origin) -> Written {
    origin.range().map(|range| (range.start, range.end))
}

/// The routine that a frame of a thread is, in the course of its process.
pub(super) fn routine_of(thread: &Thread, frame: &Frame) -> RoutineId {
    match frame.routine {
        Source::Process(id) => RoutineId::Process(id),
        Source::Function(id) => RoutineId::Function(thread.kind, id),
    }
}

impl<'p> Stops<'p> {
    pub fn of(program: &'p Program, observed: &Observed) -> Stops<'p> {
        let routines = Routines::of(program, observed);
        let mut stops: HashMap<_, Vec<NodeId>> = HashMap::new();
        let mut labelled: HashMap<_, Vec<NodeId>> = HashMap::new();
        for ((routine, node), stop) in routines.stops() {
            for label in &stop.labels {
                labelled.entry((routine, *label)).or_default().push(node);
            }
            stops.entry((routine, written(stop.origin))).or_default().push(node);
        }
        let mut calls: HashMap<_, Vec<NodeId>> = HashMap::new();
        for (routine, node) in routines.calls() {
            let origin = origin_of(routines.graph(routine), node);
            calls.entry((routine, written(origin))).or_default().push(node);
        }
        Stops { program, routines, stops, labelled, calls }
    }

    /// The stops at which a thread is in one of its routines that has come to where something is written, and has done as
    /// much of it as the innermost one. Several are alike in what they say.
    pub fn at(
        &self,
        thread: &Thread,
        frame: &Frame,
        origin: Origin,
        statement: Option<&Statement>,
    ) -> Vec<(RoutineId, NodeId)> {
        let routine = routine_of(thread, frame);
        let Some(mut nodes) = self.candidates(routine, thread.frame(), origin) else {
            return Vec::new();
        };
        let graph = self.routines.graph(routine);
        let stop = |node: &NodeId| stop_of(graph, *node);
        prefer(&mut nodes, |node| stop(node).killed.is_none() == thread.is_killed);
        prefer(&mut nodes, |node| stop(node).is_deferred == frame.is_deferring());
        let is_labelled = !thread.frame().labels()[0].is_empty();
        prefer(&mut nodes, |node| has_label(stop(node)) == is_labelled);
        let count = routine.of(self.program).locals.len();
        if let Some(statement) = statement {
            let does = |node: &NodeId| is_of(stop(node), &statement.action, count);
            let is_part = |node: &NodeId| {
                let mut others = nodes.iter();
                let after = |other: &NodeId| leads_to(graph, *node, *other, count);
                does(node) || others.any(|other| after(other) && does(other))
            };
            let parts: Vec<NodeId> = nodes.iter().copied().filter(is_part).collect();
            nodes = if parts.is_empty() { nodes } else { parts };
        }
        let parts = parts_of(graph, &nodes, count);
        let last = parts.len().saturating_sub(1);
        let number = match &thread.frame().progress {
            Progress::Fresh => 0,
            Progress::Read(_) if statement.is_none() => last.saturating_sub(1),
            Progress::Returned(_, given) if given.is_empty() => {
                let is_after =
                    |part: &Vec<NodeId>| part.iter().all(|node| !is_passed(graph, *node));
                parts.iter().position(is_after).unwrap_or(last)
            }
            Progress::Read(_) | Progress::Waiting(_) | Progress::Returned(..) => last,
        };
        let found = parts.into_iter().nth(number).unwrap_or(nodes);
        found.into_iter().map(|node| (routine, node)).collect()
    }

    /// The stops at labels, if it is at some, or where something is written.
    fn candidates(
        &self,
        routine: RoutineId,
        innermost: &Frame,
        origin: Origin,
    ) -> Option<Vec<NodeId>> {
        let [labels, _] = innermost.labels();
        let first = labels.first().map(|label| (innermost.routine, *label));
        let labelled = first.and_then(|label| self.labelled.get(&(routine, label)));
        labelled.or_else(|| self.stops.get(&(routine, written(origin)))).cloned()
    }

    /// Where what can be done at some stops is written.
    pub fn arms(&self, stops: &[(RoutineId, NodeId)]) -> Vec<Origin> {
        let stops = stops.iter().map(|stop| self.stop(*stop));
        stops.flat_map(|stop| stop.arms.iter().map(|arm| arm.origin)).collect()
    }

    /// All that can be done at stops: the kind of process, where it stops, and where what it does is written.
    pub fn all(&self) -> impl Iterator<Item = (ProcessId, Origin, Origin)> {
        self.routines.stops().flat_map(|((routine, _), stop)| {
            let arms = stop.arms.iter();
            arms.map(move |arm| (routine.process(), stop.origin, arm.origin))
        })
    }

    /// What is known of a stop.
    pub fn stop(&self, (routine, node): (RoutineId, NodeId)) -> &Stop {
        stop_of(self.routines.graph(routine), node)
    }

    /// The variables of its routine that are read again after some stops, one of which it is.
    pub fn live(&self, stops: &[(RoutineId, NodeId)]) -> Locals {
        let live = stops.iter().flat_map(|(routine, node)| self.routines.live(*routine).at(*node));
        live.copied().collect()
    }

    /// The variables that a routine keeps while a function runs that it has called.
    pub fn kept(&self, thread: &Thread, frame: &Frame, call: Origin) -> Locals {
        let routine = routine_of(thread, frame);
        let Some(calls) = self.calls.get(&(routine, written(call))) else { return Locals::new() };
        let (graph, live) = (self.routines.graph(routine), self.routines.live(routine));
        let is_killed = |node: &NodeId| {
            matches!(graph.node(*node), Node::Call { killed: None, .. }) == thread.is_killed
        };
        let mut calls = calls.clone();
        prefer(&mut calls, is_killed);
        let kept = calls.iter().flat_map(|node| match graph.node(*node) {
            Node::Call { seen, result, next, killed, .. } => {
                live.kept(seen, *result, *next, *killed)
            }
            _ => unreachable!("it is a call"),
        });
        kept.collect()
    }
}

/// The parts of a statement that is done in several steps: the stops of the first, then those that come after these.
fn parts_of(graph: &Graph, nodes: &[NodeId], count: usize) -> Vec<Vec<NodeId>> {
    let follows = |one: &NodeId, others: &[NodeId]| {
        others.iter().any(|other| leads_to(graph, *other, *one, count))
    };
    let mut next: Vec<NodeId> =
        nodes.iter().copied().filter(|node| !follows(node, nodes)).collect();
    let mut seen: BTreeSet<NodeId> = next.iter().copied().collect();
    let mut parts = Vec::new();
    while !next.is_empty() {
        let after = nodes.iter().filter(|node| !seen.contains(node) && follows(node, &next));
        let after: Vec<NodeId> = after.copied().collect();
        seen.extend(&after);
        parts.push(std::mem::replace(&mut next, after));
    }
    parts
}

/// Keeps those for which something holds, if there are any.
fn prefer(nodes: &mut Vec<NodeId>, holds: impl Fn(&NodeId) -> bool) {
    if nodes.iter().any(&holds) {
        nodes.retain(holds);
    }
}

fn stop_of(graph: &Graph, node: NodeId) -> &Stop {
    match graph.node(node) {
        Node::Stop(stop) => stop,
        _ => unreachable!("it is a stop"),
    }
}

fn origin_of(graph: &Graph, node: NodeId) -> Origin {
    graph.local.get(&node).map(|local| local.origin).unwrap_or_default()
}

/// Whether it is at a label, not only before arms that have some.
fn has_label(stop: &Stop) -> bool {
    stop.labels.iter().any(|label| !stop.arms.iter().any(|arm| arm.label == Some(*label)))
}

/// Whether what is done at a stop is a statement, where several are written as one. Variables from a number on are the
/// compiler's own.
fn is_of(stop: &Stop, action: &Action, count: usize) -> bool {
    let is_hidden = |target: &Target| matches!(target.root, Root::Local(id) if id.index() >= count);
    let is_it = |done: &Action| match (action, done) {
        (Action::If(..) | Action::Return(_), Action::Assign(target, _)) => is_hidden(target),
        (Action::Call(Some(to), ..), Action::Assign(target, _))
        | (Action::Assign(to, _), Action::Assign(target, _)) => match (&to.root, &target.root) {
            (Root::Local(one), Root::Local(other)) => one == other,
            (Root::Global(one), Root::Global(other)) => one == other,
            (Root::Field(_, one), Root::Field(_, other)) => one == other,
            _ => false,
        },
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    };
    let is_atomic = matches!(action, Action::Atomic(_));
    stop.arms
        .iter()
        .any(|arm| arm.is_atomic && is_atomic || arm.actions.iter().any(|done| is_it(&done.action)))
}

/// Whether a stop, at which something is read, is followed by another one of the same statement. Variables from a number on
/// are the compiler's own.
fn leads_to(graph: &Graph, from: NodeId, to: NodeId, count: usize) -> bool {
    let is_read = |statement: &Statement| match &statement.action {
        Action::Assign(target, _) => {
            matches!(target.root, Root::Local(id) if id.index() >= count)
        }
        _ => false,
    };
    let is_reading = stop_of(graph, from).arms.iter().all(|arm| arm.actions.iter().all(is_read));
    from != to && is_reading && ways(graph, from).any(|next| next == to)
}

/// Whether a stop comes before the call of the same statement.
fn is_passed(graph: &Graph, stop: NodeId) -> bool {
    let arms = &stop_of(graph, stop).arms;
    arms.iter().any(|arm| matches!(graph.node(arm.next), Node::Call { .. }))
}

/// Where a statement goes on after a stop: at once, or when a call of it has returned.
fn ways(graph: &Graph, stop: NodeId) -> impl Iterator<Item = NodeId> {
    let arms = stop_of(graph, stop).arms.iter();
    arms.map(|arm| match graph.node(arm.next) {
        Node::Call { next, .. } => *next,
        _ => arm.next,
    })
}
