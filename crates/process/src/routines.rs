//! All routines of a program that run by themselves, as graphs.

use std::collections::{BTreeMap, HashMap, HashSet};

use net::Origin;

use crate::facts::Facts;
use crate::graph::{Graph, Node, NodeId, Observed, RoutineId, Site, Stop, StopArm};
use crate::live::Live;
use crate::program::{FunctionId, ProcessId, Program};

/// The graphs of a program, what is live in them, and who calls whom.
pub(crate) struct Routines {
    graphs: BTreeMap<RoutineId, (Graph, Live)>,
    callers: HashMap<FunctionId, Vec<Site>>,
}

impl Routines {
    pub(crate) fn of(program: &Program, observed: &Observed) -> Routines {
        let facts = Facts::of(program);
        let processes = (0..program.processes.len() as u32).map(ProcessId);
        let functions = (0..program.functions.len() as u32).map(FunctionId);
        let ids: Vec<RoutineId> =
            processes.map(RoutineId::Process).chain(functions.map(RoutineId::Function)).collect();
        let graph = |id: &RoutineId| (*id, Graph::of(program, &facts, observed, *id));
        let mut graphs: BTreeMap<RoutineId, Graph> = ids.iter().map(graph).collect();
        Cuts::default().cut(&mut graphs);
        // A process stops before it begins where it might end at once; so does the first one.
        for process in (0..program.processes.len() as u32).map(ProcessId) {
            let graph = graphs.get_mut(&RoutineId::Process(process)).expect("it is one of them");
            if program.main == Some(process) || Cuts::default().is_passable(graph) {
                stop_at_entry(graph);
            }
        }
        let mut callers: HashMap<FunctionId, Vec<Site>> = HashMap::new();
        for (id, graph) in &graphs {
            for (index, node) in (0..).zip(&graph.nodes) {
                if let Node::Call { function, .. } = node {
                    callers.entry(*function).or_default().push((*id, NodeId(index)));
                }
            }
        }
        let with_live = |(id, graph): (RoutineId, Graph)| {
            let live = Live::of(&graph);
            (id, (graph, live))
        };
        Routines { graphs: graphs.into_iter().map(with_live).collect(), callers }
    }

    pub(crate) fn graph(&self, id: RoutineId) -> &Graph {
        &self.graphs[&id].0
    }

    pub(crate) fn live(&self, id: RoutineId) -> &Live {
        &self.graphs[&id].1
    }

    /// The calls of a function.
    pub(crate) fn callers(&self, function: FunctionId) -> &[Site] {
        self.callers.get(&function).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = RoutineId> {
        self.graphs.keys().copied()
    }
}

/// Finds where a thread could go round for ever without a stop, and puts one there: at the heads of loops, and at
/// the entries of functions that call themselves.
#[derive(Default)]
struct Cuts {
    /// The functions that can be gone through without a stop.
    passable: HashSet<FunctionId>,
}

impl Cuts {
    fn cut(&mut self, graphs: &mut BTreeMap<RoutineId, Graph>) {
        // The more can be gone through, the more can be: until it is no more.
        loop {
            let before = self.passable.len();
            for (id, graph) in &*graphs {
                if let RoutineId::Function(function) = id
                    && self.is_passable(graph)
                {
                    self.passable.insert(*function);
                }
            }
            if self.passable.len() == before {
                break;
            }
        }
        for graph in graphs.values_mut() {
            while let Some(head) = self.endless(graph) {
                put_stop(graph, head);
            }
        }
        while let Some(function) = calls_itself(graphs, self) {
            let graph = graphs.get_mut(&RoutineId::Function(function)).expect("it is one of them");
            stop_at_entry(graph);
        }
    }

    /// Where a node leads without a stop.
    fn next(&self, node: &Node) -> Vec<NodeId> {
        match node {
            Node::Next(next) | Node::Do(_, next) | Node::Choose(.., next) => vec![*next],
            Node::Branch(_, ways) => ways.to_vec(),
            Node::Choice(ways) => ways.clone(),
            Node::Call { function, next, .. } if self.passable.contains(function) => vec![*next],
            Node::Call { .. } | Node::Stop(_) | Node::Return(_) | Node::Killed => Vec::new(),
        }
    }

    /// The nodes that a routine comes to from a node before the first stop.
    fn reached(&self, graph: &Graph, from: NodeId) -> HashSet<NodeId> {
        let mut reached = HashSet::from([from]);
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for next in self.next(graph.node(node)) {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }

    fn is_passable(&self, graph: &Graph) -> bool {
        let reached = self.reached(graph, graph.entry);
        reached.iter().any(|node| matches!(graph.node(*node), Node::Return(_)))
    }

    /// The head of a loop that can come round without a stop.
    fn endless(&self, graph: &Graph) -> Option<NodeId> {
        let ids = (0..graph.nodes.len() as u32).map(NodeId);
        let mut heads = ids.filter(|id| matches!(graph.node(*id), Node::Next(_)));
        heads.find(|head| {
            let next = self.next(graph.node(*head));
            next.iter().any(|next| self.reached(graph, *next).contains(head))
        })
    }
}

/// A function that calls itself, perhaps by way of others, before the first stop.
fn calls_itself(graphs: &BTreeMap<RoutineId, Graph>, cuts: &Cuts) -> Option<FunctionId> {
    let callees = |id: RoutineId| -> Vec<FunctionId> {
        let graph = &graphs[&id];
        let reached = cuts.reached(graph, graph.entry).into_iter();
        let callee = |node: NodeId| match graph.node(node) {
            Node::Call { function, .. } => Some(*function),
            _ => None,
        };
        reached.filter_map(callee).collect()
    };
    let functions = graphs.keys().filter_map(|id| match id {
        RoutineId::Function(function) => Some(*function),
        RoutineId::Process(_) => None,
    });
    { functions }.find(|function| {
        let mut seen = HashSet::new();
        let mut open = callees(RoutineId::Function(*function));
        while let Some(callee) = open.pop() {
            if seen.insert(callee) {
                open.extend(callees(RoutineId::Function(callee)));
            }
        }
        seen.contains(function)
    })
}

/// Puts a stop before the entry.
fn stop_at_entry(graph: &mut Graph) {
    graph.nodes.push(Node::Next(graph.entry));
    graph.entry = NodeId(graph.nodes.len() as u32 - 1);
    put_stop(graph, graph.entry);
}

/// Makes a stop of a node that only leads on.
fn put_stop(graph: &mut Graph, at: NodeId) {
    let Node::Next(next) = *graph.node(at) else { unreachable!("a head only leads on") };
    let killed = Some(NodeId(0));
    let origin = Origin::default();
    let arms = vec![StopArm::plain(Vec::new(), origin, next)];
    let stop = Stop { arms, otherwise: None, idle: false, killed, label: None, origin };
    graph.nodes[at.0 as usize] = Node::Stop(stop);
}
