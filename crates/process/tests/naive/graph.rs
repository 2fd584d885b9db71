//! The graph of a program: all that it can do, by the interpreter.

use std::collections::HashMap;

use interpret::{Interpreter, Next, State, Step, Turns, Value};
use net::Enumeration;
use program::{LabelId, ObjectId, Observed, Source};

use crate::counts::Counts;

/// What can be seen of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The statement, by where it is written.
    pub statement: u32,
    pub births: u32,
    pub deaths: u32,
}

/// What becomes of processes in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fates {
    /// Those that act.
    pub acting: Vec<u32>,
    /// Those that are crashed.
    pub crashed: Vec<u32>,
    /// The numbers that processes have after it, those that are born too, if they run.
    pub becomes: Vec<Option<u32>>,
}

/// What was found by going through all states.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub states: Vec<Node>,
    pub initial: Vec<usize>,
}

impl Graph {
    /// Adds the state in which something wrong has happened, and sorts edges.
    pub fn finish(&mut self) {
        let wrong = self.states.len();
        let label = Label { statement: 0, births: 0, deaths: 0 };
        for node in &mut self.states {
            node.edges.extend(node.faults.then_some((label, wrong)));
            node.edges.sort_unstable();
            node.edges.dedup();
        }
        self.states.push(Node { seen: vec![i64::MIN], ..Node::default() });
    }

    /// Whether something wrong can happen.
    pub fn has_faults(&self) -> bool {
        self.states.iter().any(|node| node.faults)
    }
}

/// A state of a graph.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// What can be seen of it.
    pub seen: Vec<i64>,
    pub running: usize,
    /// Whether something wrong can happen here.
    pub faults: bool,
    pub edges: Vec<(Label, usize)>,
    /// The same with what becomes of processes, where that is known.
    pub fates: Vec<(usize, Fates)>,
}

/// How many processes may be there at once. Where there are more, they are born for ever.
const MOST_PROCESSES: usize = 7;

/// Goes through all states of a program; nothing if there are more than a number of them.
pub fn graph(interpreter: &Interpreter, turns: Turns, most: usize) -> Option<(Graph, Vec<State>)> {
    graph_by(interpreter, turns, most, &|state| interpreter.successors(state, turns))
}

/// The same, and counts what happens.
pub fn counted_graph(
    interpreter: &Interpreter,
    turns: Turns,
    most: usize,
) -> Option<(Graph, Counts)> {
    let counts = Counts::default();
    let found = graph_by(interpreter, turns, most, &|state| {
        let next = interpreter.successors(state, turns);
        counts.look_at(interpreter, state, &next);
        next
    });
    Some((found?.0, counts))
}

/// The same by what a state leads to.
pub fn graph_by(
    interpreter: &Interpreter,
    turns: Turns,
    most: usize,
    successors: &dyn Fn(&State) -> Vec<Next>,
) -> Option<(Graph, Vec<State>)> {
    let mut numbers: HashMap<State, usize> = HashMap::new();
    let mut states = Vec::new();
    let mut graph = Graph::default();
    let mut number = |state: State, states: &mut Vec<State>| {
        *numbers.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            states.len() - 1
        })
    };
    let classes = &interpreter.program().enumerations;
    for state in interpreter.initial(turns).expect("first values fit") {
        let id = number(state.canonical(classes), &mut states);
        graph.initial.push(id);
    }
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        if states.len() > most || state.processes.len() > MOST_PROCESSES {
            return None;
        }
        let (seen, running) = (seen(interpreter, &state), state.running().count());
        let mut node = Node { seen, running, ..Node::default() };
        for next in successors(&state) {
            let acting = next.actors.iter().map(|actor| actor.pid.0).collect();
            let statement = position(next.origin());
            match next.outcome {
                Err(_) => node.faults = true,
                Ok(step) => {
                    let (births, deaths) = (step.births.len() as u32, step.deaths.len() as u32);
                    let (state, fates) = fates(classes, acting, step);
                    let to = number(state, &mut states);
                    node.edges.push((Label { statement, births, deaths }, to));
                    node.fates.push((to, fates));
                }
            }
        }
        graph.states.push(node);
        at += 1;
    }
    graph.finish();
    Some((graph, states))
}

/// The global variables that are numbers or truth values, and how many threads are at the labels that are
/// observed. Where all variables are, what is kept from being dropped as garbage is seen, too: how many have ended
/// who are known still, and the objects of each type.
fn seen(interpreter: &Interpreter, state: &State) -> Vec<i64> {
    let (program, observed) = (interpreter.program(), interpreter.observed());
    let number = |value: &Value| match value {
        Value::Int(number) => Some(*number),
        Value::Bool(bool) => Some(i64::from(*bool)),
        _ => None,
    };
    let at = |(source, label)| {
        let threads = state.running().filter_map(|pid| state.thread(pid));
        threads.filter(|thread| thread.is_at(source, label)).count() as i64
    };
    let globals = state.globals.iter().filter_map(number);
    let labels = labels_of(observed).into_iter().map(at);
    let mut seen: Vec<i64> = globals.chain(labels).collect();
    if observed.all_locals {
        seen.push((state.processes.len() - state.running().count()) as i64);
        for of in (0..program.objects.len() as u32).map(ObjectId) {
            let objects = state.objects.iter().filter(|object| object.of == of);
            seen.push(objects.count() as i64);
        }
    }
    seen
}

/// The canonical state to which a step leads, and what becomes of processes on the way to it.
fn fates(classes: &[Enumeration], acting: Vec<u32>, step: Step) -> (State, Fates) {
    let runs: Vec<bool> = step.state.pids().map(|pid| step.state.thread(pid).is_some()).collect();
    let (state, names) = step.state.named(classes);
    let becomes = names.processes.into_iter().zip(runs);
    let becomes = becomes.map(|(name, runs)| name.filter(|_| runs).map(|name| name.0)).collect();
    let crashed = step.crashed.into_iter().map(|pid| pid.0).collect();
    (state, Fates { acting, crashed, becomes })
}

/// The labels that are observed, in some order.
pub fn labels_of(observed: &Observed) -> Vec<(Source, LabelId)> {
    let mut labels: Vec<_> = observed.labels.iter().copied().collect();
    labels.sort_unstable();
    labels
}

/// Where something is written, as a number.
pub fn position(origin: net::Origin) -> u32 {
    origin.range().map_or(0, |range| range.end as u32)
}
