//! Turns: who can do what in a state, and what comes of it.
//!
//! By definition a turn is a statement. Where steps are fused, it is a statement that is not local, and the local
//! ones after it.

use std::collections::HashMap;

use program::{Action, LabelId, ObjectId, Root};
use program::{Observed, Source};

use crate::at_once::{Doom, World};
use crate::canonical::{canonical, named};
use crate::code::Code;
use crate::control::Point;
use crate::meet::Offer;
use crate::state::{Object, Process, State};
use crate::value::{Fault, Value};

/// When others have their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// After every statement.
    Statements,
    /// Where fused steps end.
    Steps,
}

/// What can be seen of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The statement, by where it is written.
    pub statement: u32,
    pub births: u32,
    pub deaths: u32,
}

/// What comes of a step.
#[derive(Clone, Debug)]
pub enum Next {
    Fault,
    State(Label, State, Fates),
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

impl<'p> Code<'p> {
    /// The first states.
    pub fn initial(&self, turns: Turns) -> Vec<State> {
        let mut state = State { processes: vec![], objects: vec![], globals: vec![] };
        for object in &self.program.initial {
            let scope =
                crate::evaluate::Scope { state: &state, this: None, locals: &[], log: None };
            let passed = object.arguments.iter().map(|argument| scope.eval(argument).ok());
            let passed: Vec<Option<Value>> = passed.collect();
            let fields = self.fields(object.of, &state, &passed).expect("first values fit");
            state.objects.push(Object { of: object.of, fields });
        }
        for global in &self.program.globals {
            let scope =
                crate::evaluate::Scope { state: &state, this: None, locals: &[], log: None };
            let value = scope.eval(&global.initial).expect("first values are constants");
            state.globals.push(value);
        }
        if let Some(main) = self.program.main {
            state.processes.push(Process::Running(self.begin(main, Vec::new())));
            return match turns {
                Turns::Statements => vec![self.ahead(state, 0)],
                Turns::Steps => self.run(state, 0, true),
            }
            .into_iter()
            .map(canonical)
            .collect();
        }
        vec![canonical(state)]
    }

    /// All that can happen in a state.
    pub fn successors(&self, state: &State, turns: Turns) -> Vec<Next> {
        let mut all = Vec::new();
        let pids = 0..state.processes.len() as u32;
        let running = pids.clone().filter(|pid| state.thread(*pid).is_some());
        let offers: Vec<Offer> = running.filter_map(|pid| self.offer(state, pid)).collect();
        let mut met = vec![false; state.processes.len()];
        for first in &offers {
            for second in &offers {
                let are_polls = first.is_poll && second.is_poll && !self.do_polls_meet;
                if first.pid == second.pid || are_polls {
                    continue;
                }
                for done in self.meet(state, first.pid, second.pid) {
                    self.counts.add(match (first.alternatives, second.alternatives) {
                        (Some(1), Some(1)) => "a rendezvous",
                        (None, None) => "a rendezvous of two atomic blocks",
                        (None, _) | (_, None) => "a rendezvous with an atomic block",
                        (Some(1), _) | (_, Some(1)) => "a rendezvous with a select",
                        _ => "a rendezvous of two selects",
                    });
                    met[first.pid as usize] = true;
                    met[second.pid as usize] = true;
                    let acting = [first.pid, second.pid];
                    self.finish(state, done, (first.origin, &acting), turns, &mut all);
                }
            }
        }
        for pid in pids {
            if state.thread(pid).is_some() {
                self.turn(state, pid, met[pid as usize], turns, &mut all);
            }
        }
        all
    }

    fn turn(&self, state: &State, pid: u32, has_met: bool, turns: Turns, all: &mut Vec<Next>) {
        let mut settled = state.clone();
        let point = self.settle(&mut settled, pid);
        if let Point::Turn(origin) = point {
            let state_after = self.take_turn(settled, pid);
            let done = World::after(state_after, pid, vec![]);
            self.finish(state, Ok(done), (origin, &[pid]), turns, all);
            return;
        }
        let Point::Before(statement, known) = point else { unreachable!("it runs") };
        let origin = position(statement.origin);
        if !settled.thread(pid).expect("it runs").frame().labels.is_empty() {
            self.counts.add(labelled(&statement.action));
        }
        if self.is_local(settled.thread(pid).expect("it runs"), &point) {
            for next in self.do_local(settled, pid) {
                let done = World::after(next, pid, vec![]);
                self.finish(state, Ok(done), (origin, &[pid]), turns, all);
            }
            return;
        }
        let outcomes = self.act(&settled, pid);
        if let Action::Select(select) = &statement.action {
            let frame = settled.thread(pid).expect("it runs").frame();
            let is_there =
                frame.progress != crate::state::Progress::Fresh || !known.reads.contains(&true);
            if select.otherwise.is_some() && is_there && (has_met || !outcomes.is_empty()) {
                self.counts.add("else is not taken");
            }
            if outcomes.is_empty() && !has_met && is_there && select.otherwise.is_none() {
                self.counts.look_at_waiting(settled.thread(pid).expect("it runs"));
            }
            if let Some(block) = &select.otherwise
                && is_there
                && !has_met
                && outcomes.is_empty()
            {
                self.counts.add("else is taken");
                let done = self.otherwise(&settled, pid, block);
                self.finish(state, Ok(done), (origin, &[pid]), turns, all);
            }
        }
        for done in outcomes {
            self.finish(state, done, (origin, &[pid]), turns, all);
        }
    }

    /// Lets everybody who was moved go on to where it stops.
    fn finish(
        &self,
        before: &State,
        done: Result<World, Fault>,
        (statement, acting): (u32, &[u32]),
        turns: Turns,
        all: &mut Vec<Next>,
    ) {
        let Ok(mut world) = done else {
            all.push(Next::Fault);
            return;
        };
        let mut crashed = std::mem::take(&mut world.crashed);
        let (this, doom) = (world.this, world.doom.take());
        let mut moved = vec![this];
        moved.append(&mut world.moved);
        moved.sort_unstable();
        moved.dedup();
        let mut state = world.done();
        match (doom, state.thread(this)) {
            (Some(Doom::Kill), Some(thread)) if !thread.is_killed => self.kill(&mut state, this),
            (Some(Doom::Crash), Some(_)) => {
                state.processes[this as usize] = Process::Ended(None);
                crashed.push(this);
            }
            _ => {}
        }
        let mut states = vec![state];
        for pid in moved {
            let go_on = |state: State| match (turns, state.thread(pid)) {
                (_, None) => vec![state],
                (Turns::Statements, _) => vec![self.ahead(state, pid)],
                (Turns::Steps, _) => self.run(state, pid, false),
            };
            states = states.into_iter().flat_map(go_on).collect();
        }
        for state in states {
            let births = (state.processes.len() - before.processes.len()) as u32;
            let deaths = before.running() as u32 + births - state.running() as u32;
            let label = Label { statement, births, deaths };
            self.counts.look_at(&state);
            let runs: Vec<bool> =
                (0..state.processes.len() as u32).map(|pid| state.thread(pid).is_some()).collect();
            let (state, names) = named(state);
            let becomes = names.into_iter().zip(runs).map(|(name, runs)| runs.then_some(name));
            let (acting, crashed) = (acting.to_vec(), crashed.clone());
            let fates = Fates { acting, crashed, becomes: becomes.collect() };
            all.push(Next::State(label, state, fates));
        }
    }

    /// Does local statements up to where the thread stops. The first process has not yet chosen anything when
    /// others can see it.
    fn run(&self, state: State, pid: u32, is_first: bool) -> Vec<State> {
        let mut stopped = Vec::new();
        let mut open = vec![state];
        while let Some(mut state) = open.pop() {
            let point = self.settle(&mut state, pid);
            let goes_on = match &point {
                Point::Turn(_) | Point::Ended => false,
                Point::Before(statement, _) => {
                    let chooses =
                        matches!(statement.action, Action::Choose(..) | Action::Either(_));
                    let thread = state.thread(pid).expect("it runs");
                    let is_turn = chooses && (is_first || self.observed.branching);
                    self.is_local(thread, &point)
                        && thread.frame().labels.is_empty()
                        && !is_turn
                        && !self.arrives(thread.frame(), statement)
                }
            };
            match goes_on {
                true => open.extend(self.do_local(state, pid)),
                false => stopped.push(state),
            }
        }
        stopped
    }

    /// What is written as one statement is done as a whole, as far as the rest of it is local.
    fn whole(&self, mut state: State, pid: u32) -> State {
        loop {
            let point = self.settle(&mut state, pid);
            match &point {
                Point::Before(_, known)
                    if known.is_rest
                        && self.is_local(state.thread(pid).expect("it runs"), &point) => {}
                _ => return state,
            }
            state = self.do_local(state, pid).pop().expect("local statements have an outcome");
        }
    }

    /// A thread ends with its last step: where only local statements are left, they are done.
    fn ahead(&self, state: State, pid: u32) -> State {
        let mut state = self.whole(state, pid);
        self.settle(&mut state, pid);
        let mut ahead = state.clone();
        loop {
            let point = self.settle(&mut ahead, pid);
            match &point {
                Point::Ended => return ahead,
                Point::Turn(_) => return state,
                Point::Before(statement, _) => {
                    // What may arrive at a label or an offer is not joined to the step before, nor to the end.
                    let thread = ahead.thread(pid).expect("it runs");
                    if matches!(statement.action, Action::Choose(..) | Action::Either(_))
                        || !self.is_local(thread, &point)
                        || !thread.frame().labels.is_empty()
                        || self.arrives(thread.frame(), statement)
                    {
                        return state;
                    }
                }
            }
            ahead = self.do_local(ahead, pid).pop().expect("local statements have an outcome");
        }
    }
}

/// That a thread is at a label before a statement of a kind.
fn labelled(action: &Action) -> &'static str {
    match action {
        Action::Assign(target, _) | Action::New(target, ..) => match target.root {
            Root::Local(_) => "a label before an assignment to a local variable",
            Root::Global(_) | Root::Field(..) => "a label before an assignment to what is shared",
        },
        Action::If(..) => "a label before `if`",
        Action::Loop(..) => unreachable!("loops are passed"),
        Action::Break(_) => "a label before `break`",
        Action::Continue(_) => "a label before `continue`",
        Action::Block(_) => "a label before nothing",
        Action::Return(_) => "a label before `return`",
        Action::Choose(..) => "a label before `choose`",
        Action::Either(_) => "a label before `either`",
        Action::Atomic(_) => "a label before `atomic`",
        Action::Assert(_) | Action::Require(_) => "a label before an assertion",
        Action::Label(_) => unreachable!("labels are passed"),
        Action::Spawn(..) => "a label before `spawn`",
        Action::Kill(_) | Action::Crash(_) => "a label before `kill` or `crash`",
        Action::Defer(_) => "a label before `defer`",
        Action::Call(..) => "a label before a call",
        Action::Select(_) => "a label before `select`",
    }
}

/// Where something is written, as a number.
pub fn position(origin: net::Origin) -> u32 {
    origin.range().map_or(0, |range| range.end as u32)
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

/// Goes through all states; nothing if there are more than a number of them.
pub fn graph(code: &Code, turns: Turns, most: usize) -> Option<(Graph, Vec<State>)> {
    let mut numbers: HashMap<State, usize> = HashMap::new();
    let mut states = Vec::new();
    let mut graph = Graph::default();
    let mut number = |state: State, states: &mut Vec<State>| {
        *numbers.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            states.len() - 1
        })
    };
    for state in code.initial(turns) {
        let id = number(state, &mut states);
        graph.initial.push(id);
    }
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        if states.len() > most || state.processes.len() > MOST_PROCESSES {
            return None;
        }
        let seen = code.seen(&state);
        let mut node = Node { seen, running: state.running(), ..Node::default() };
        let next = code.successors(&state, turns);
        for next in next {
            match next {
                Next::Fault => node.faults = true,
                Next::State(label, state, fates) => {
                    let to = number(state, &mut states);
                    node.edges.push((label, to));
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

impl Code<'_> {
    /// The global variables that are numbers or truth values, and how many threads are at the labels that are
    /// observed. Where all variables are, what is kept from being dropped as garbage is seen, too: how many have ended
    /// who are known still, and the objects of each type.
    fn seen(&self, state: &State) -> Vec<i64> {
        let number = |value: &Value| match value {
            Value::Int(number) => Some(*number),
            Value::Bool(bool) => Some(i64::from(*bool)),
            _ => None,
        };
        let pids = 0..state.processes.len() as u32;
        let at = |(source, label)| {
            let threads = pids.clone().filter_map(|pid| state.thread(pid));
            threads.filter(|thread| thread.is_at(source, label)).count() as i64
        };
        let globals = state.globals.iter().filter_map(number);
        let labels = labels_of(self.observed).into_iter().map(at);
        let mut seen: Vec<i64> = globals.chain(labels).collect();
        if self.observed.all_locals {
            seen.push((state.processes.len() - state.running()) as i64);
            for of in (0..self.program.objects.len() as u32).map(ObjectId) {
                let objects = state.objects.iter().filter(|object| object.of == of);
                seen.push(objects.count() as i64);
            }
        }
        seen
    }

    /// Whether a thread is where it may wait for ever.
    pub fn is_idle(&self, state: &State, pid: u32) -> bool {
        let mut state = state.clone();
        let Point::Before(statement, known) = self.settle(&mut state, pid) else { return false };
        let progress = &state.thread(pid).expect("it runs").frame().progress;
        let is_there = *progress != crate::state::Progress::Fresh || !known.reads.contains(&true);
        matches!(&statement.action, Action::Select(select) if select.idle && is_there)
    }
}

/// The labels that are observed, in some order.
pub fn labels_of(observed: &Observed) -> Vec<(Source, LabelId)> {
    let mut labels: Vec<_> = observed.labels.iter().copied().collect();
    labels.sort_unstable_by_key(|(source, label)| match source {
        Source::Process(id) => (0, id.0, label.0),
        Source::Function(id) => (1, id.0, label.0),
    });
    labels
}
