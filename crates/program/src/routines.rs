//! All routines of a program that run by themselves, as graphs.

mod cuts;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::facts::Facts;
use crate::graph::{Graph, Local, Node, NodeId, Observed, Passed, RoutineId, Site, Stop, StopId};
use crate::live::Live;
use crate::{Action, Block, FunctionId, ProcessId, Program, Refusal};

/// The graphs of a program, what is live in them, and who calls whom.
pub struct Routines {
    graphs: BTreeMap<RoutineId, (Graph, Live)>,
    callers: HashMap<RoutineId, Vec<Site>>,
    /// The functions that have something pending around them when they are left by a thread that was killed.
    guarded: HashSet<RoutineId>,
    /// The process that starts by itself, if nobody starts another of its kind.
    single: Option<ProcessId>,
    /// What is known of the program.
    pub facts: Facts,
}

impl Routines {
    /// The graphs of all routines that may run. What is observed stays to be seen.
    pub fn of(program: &Program, observed: &Observed) -> Routines {
        let (facts, passed) = (Facts::of(program), Passed::of(program, observed));
        let mut graphs = BTreeMap::new();
        let mut open: Vec<RoutineId> =
            started(program).into_iter().map(RoutineId::Process).collect();
        while let Some(id) = open.pop() {
            if graphs.contains_key(&id) {
                continue;
            }
            let graph = Graph::of(program, &facts, observed, &passed, id);
            open.extend(calls(&graph).map(|(_, callee)| callee));
            graphs.insert(id, graph);
        }
        for graph in graphs.values_mut() {
            put_labels(graph);
        }
        let none = Entries::new();
        let begins = |graph: &Graph| is_arrival(graph, &facts, &none, graph.entry);
        let entries: Entries = graphs.iter().map(|(id, graph)| (*id, begins(graph))).collect();
        graphs.values_mut().for_each(|graph| put_arrivals(graph, &facts, &entries));
        let guarded = guarded(&graphs, &callers(&graphs));
        cuts::cut(&mut graphs, &guarded, facts.has_kills);
        if let Some(main) = program.main {
            cuts::stop_before_choices(&mut graphs, RoutineId::Process(main), facts.has_kills);
        }
        let callers = callers(&graphs);
        let with_live = |(id, graph): (RoutineId, Graph)| {
            let live = Live::of(&graph);
            (id, (graph, live))
        };
        let graphs = graphs.into_iter().map(with_live).collect();
        let single = program.main.filter(|main| !facts.starts(*main));
        Routines { graphs, callers, guarded, single, facts }
    }

    /// The routines that may run.
    pub fn ids(&self) -> impl Iterator<Item = RoutineId> {
        self.graphs.keys().copied()
    }

    /// The graph of a routine.
    pub fn graph(&self, id: RoutineId) -> &Graph {
        &self.graphs[&id].0
    }

    /// What is live in a routine.
    pub fn live(&self, id: RoutineId) -> &Live {
        &self.graphs[&id].1
    }

    /// The calls of a function.
    pub fn callers(&self, function: RoutineId) -> &[Site] {
        self.callers.get(&function).map_or(&[], Vec::as_slice)
    }

    /// Whether something may be pending in those that have called a function.
    pub fn is_guarded(&self, function: RoutineId) -> bool {
        self.guarded.contains(&function)
    }

    /// What cannot be compiled.
    pub fn refusals(&self) -> Vec<Refusal> {
        self.graphs.values().flat_map(|(graph, _)| graph.refusals.clone()).collect()
    }

    /// Whether it is asked of a process without a result how it has ended.
    pub fn asks_how(&self) -> bool {
        self.facts.asks_how
    }

    /// Whether there is never more than one process of a kind: it starts by itself, and nobody starts another.
    pub fn is_single(&self, kind: ProcessId) -> bool {
        self.single == Some(kind)
    }

    /// The stops at which a process may be: of one kind, or of any.
    pub fn stops_of(&self, kind: Option<ProcessId>) -> Vec<StopId> {
        let is_of = |id: &RoutineId| kind.is_none_or(|kind| id.process() == kind);
        self.stops().filter(|((id, _), _)| is_of(id)).map(|(stop, _)| stop).collect()
    }

    /// All stops that a thread may come to.
    pub fn stops(&self) -> impl Iterator<Item = (StopId, &Stop)> {
        self.graphs.iter().flat_map(|(id, (graph, _))| {
            let reached = reached(graph).into_iter();
            reached.filter_map(move |at| match graph.node(at) {
                Node::Stop(stop) => Some(((*id, at), stop)),
                _ => None,
            })
        })
    }

    /// All calls that a thread may come to.
    pub fn calls(&self) -> impl Iterator<Item = Site> {
        self.graphs.iter().flat_map(|(id, (graph, _))| calls(graph).map(move |(at, _)| (*id, at)))
    }
}

/// The kinds of processes that may be there: the first one, and those that are started.
fn started(program: &Program) -> BTreeSet<ProcessId> {
    let Some(main) = program.main else {
        return (0..program.processes.len() as u32).map(ProcessId).collect();
    };
    let mut found = Started { program, processes: BTreeSet::new(), functions: HashSet::new() };
    found.process(main);
    for object in &program.objects {
        object.steps.iter().for_each(|step| found.block(&step.routine.body));
        object.meetings.iter().for_each(|meeting| found.block(&meeting.body));
    }
    found.processes
}

struct Started<'p> {
    program: &'p Program,
    processes: BTreeSet<ProcessId>,
    functions: HashSet<FunctionId>,
}

impl Started<'_> {
    fn process(&mut self, id: ProcessId) {
        if self.processes.insert(id) {
            self.block(&self.program.processes[id.index()].body);
        }
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            match &statement.action {
                Action::Spawn(_, process, _) => self.process(*process),
                Action::Call(_, function, _) if self.functions.insert(*function) => {
                    self.block(&self.program.functions[function.index()].body);
                }
                action => action.blocks().into_iter().for_each(|block| self.block(block)),
            }
        }
    }
}

/// Where a node leads.
fn successors(node: &Node) -> Vec<NodeId> {
    match node {
        Node::Next(next) | Node::Label(_, next) | Node::Do(_, next) | Node::Choose(.., next) => {
            vec![*next]
        }
        Node::Branch(_, ways) => ways.to_vec(),
        Node::Choice(ways) => ways.iter().map(|(way, _)| *way).collect(),
        Node::Call { next, killed, .. } => [*next].into_iter().chain(*killed).collect(),
        Node::Stop(stop) => {
            let arms = stop.arms.iter();
            let arms = arms.flat_map(|arm| arm.exits.iter().map(|exit| exit.1).chain([arm.next]));
            arms.chain(stop.otherwise).chain(stop.killed).collect()
        }
        Node::Return(_) | Node::Killed => Vec::new(),
    }
}

/// The nodes that a routine may come to.
fn reached(graph: &Graph) -> BTreeSet<NodeId> {
    let mut open: Vec<NodeId> =
        graph.before_choices.values().copied().chain([graph.entry]).collect();
    let mut reached: BTreeSet<NodeId> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        open.extend(successors(graph.node(node)).into_iter().filter(|next| reached.insert(*next)));
    }
    reached
}

/// The calls in a routine, and who is called.
fn calls(graph: &Graph) -> impl Iterator<Item = (NodeId, RoutineId)> {
    reached(graph).into_iter().filter_map(|at| match graph.node(at) {
        Node::Call { routine, .. } => Some((at, *routine)),
        _ => None,
    })
}

/// What comes next, past the heads of loops.
fn resolved(graph: &Graph, node: NodeId) -> NodeId {
    let mut at = node;
    for _ in 0..graph.nodes.len() {
        match graph.node(at) {
            Node::Next(next) => at = *next,
            _ => return at,
        }
    }
    // An empty loop.
    node
}

/// Makes a stop of each label: that of the statement after it, or one before that.
fn put_labels(graph: &mut Graph) {
    // Copies for threads that were killed come after what they are copies of, and have to be there.
    for at in (0..graph.nodes.len() as u32).map(NodeId).rev() {
        put_label(graph, at, &mut HashSet::new());
    }
}

fn put_label(graph: &mut Graph, at: NodeId, open: &mut HashSet<NodeId>) {
    let Node::Label(label, next) = *graph.node(at) else { return };
    let local = graph.local[&at].clone();
    let after = resolved(graph, next);
    if open.insert(at) {
        put_label(graph, after, open);
    }
    let is_deferred = matches!(graph.node(after), Node::Stop(stop) if stop.is_deferred);
    let mut stop = match graph.node(after) {
        Node::Stop(stop) if !stop.is_forgotten => stop.clone(),
        // It is left by a local statement, or at the end.
        node => {
            let is_local = !matches!(node, Node::Return(_) | Node::Killed);
            let statement = graph.local.get(&next).filter(|_| next == after).unwrap_or(&local);
            let local = Local { origin: statement.origin, ..local.clone() };
            Stop { is_local, ..Stop::before(next, local) }
        }
    };
    if is_deferred {
        stop.killed = local.killed;
    }
    stop.labels.insert(0, label);
    graph.nodes[at.0 as usize] = Node::Stop(stop);
}

/// The functions that begin with an arrival.
type Entries = HashMap<RoutineId, bool>;

/// Whether a thread that comes to a node arrives at an offer of a rendezvous, or at a label: at once, or with the rest of
/// the statement that it does.
fn is_arrival(graph: &Graph, facts: &Facts, entries: &Entries, node: NodeId) -> bool {
    let at = resolved(graph, node);
    match graph.node(at) {
        Node::Stop(stop) if !stop.is_forgotten => !stop.labels.is_empty() || facts.offers(stop),
        _ => {
            let is_rest = graph.local.get(&at).is_some_and(|local| local.is_rest);
            is_rest && arrives(graph, facts, entries, at)
        }
    }
}

/// Whether a local statement arrives somewhere.
fn arrives(graph: &Graph, facts: &Facts, entries: &Entries, at: NodeId) -> bool {
    let after = |next: &NodeId| is_arrival(graph, facts, entries, *next);
    match graph.node(at) {
        Node::Do(_, next) | Node::Choose(.., next) => after(next),
        Node::Branch(_, ways) => ways.iter().any(after),
        Node::Choice(ways) => ways.iter().any(|(way, _)| after(way)),
        Node::Call { routine, .. } => entries.get(routine).is_some_and(|arrives| *arrives),
        Node::Stop(stop) => stop.is_forgotten && stop.arms.iter().any(|arm| after(&arm.next)),
        _ => false,
    }
}

/// Lets local statements that arrive somewhere be steps of their own.
fn put_arrivals(graph: &mut Graph, facts: &Facts, entries: &Entries) {
    let begins = graph.local.iter().filter(|(_, local)| !local.is_rest).map(|(at, _)| *at);
    let mut arriving: Vec<NodeId> =
        begins.filter(|at| arrives(graph, facts, entries, *at)).collect();
    arriving.sort_unstable();
    for at in arriving {
        let statement = graph.put_stop(at);
        // Who is at a label before it stops there already.
        for node in &mut graph.nodes {
            if let Node::Stop(stop) = node
                && !stop.labels.is_empty()
                && let [arm] = &mut stop.arms[..]
                && arm.actions.is_empty()
                && arm.next == at
            {
                arm.next = statement;
            }
        }
    }
}

/// Where each function is called.
fn callers(graphs: &BTreeMap<RoutineId, Graph>) -> HashMap<RoutineId, Vec<Site>> {
    let mut callers: HashMap<RoutineId, Vec<Site>> = HashMap::new();
    for (id, graph) in graphs {
        for (at, callee) in calls(graph) {
            callers.entry(callee).or_default().push((*id, at));
        }
    }
    callers
}

/// The functions that have something pending around them.
fn guarded(
    graphs: &BTreeMap<RoutineId, Graph>,
    callers: &HashMap<RoutineId, Vec<Site>>,
) -> HashSet<RoutineId> {
    let mut guarded = HashSet::new();
    loop {
        let before = guarded.len();
        for (callee, sites) in callers {
            let is_pending = |(caller, at): &Site| {
                let Node::Call { killed, .. } = graphs[caller].node(*at) else { return false };
                let own =
                    killed.is_some_and(|way| !matches!(graphs[caller].node(way), Node::Killed));
                own || guarded.contains(caller)
            };
            if sites.iter().any(is_pending) {
                guarded.insert(*callee);
            }
        }
        if guarded.len() == before {
            return guarded;
        }
    }
}
