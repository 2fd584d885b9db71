//! All states of a program, one by one, and what is so in them by the definitions.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Code, Which};
use crate::machine::{Machine, Pid, State};
use crate::program::{Branching, Property, Seen};

/// What is said of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    Holds,
    Fails,
    Unknown,
    /// It is refused: paths that go on for ever, under fairness.
    Refused,
}

/// A step from a state to another.
#[derive(Debug)]
struct Edge {
    to: usize,
    actors: Vec<Pid>,
    crashed: Option<Pid>,
}

/// All states, the first ones in front.
#[derive(Debug)]
pub struct Graph<'c, 'p> {
    code: &'c Code<'p>,
    states: Vec<State>,
    first: usize,
    edges: Vec<Vec<Edge>>,
    faults: Vec<bool>,
    races: Vec<bool>,
    idle: Vec<BTreeSet<Pid>>,
    enabled: Vec<BTreeSet<Pid>>,
}

/// A set of states.
type Set = Vec<bool>;

impl<'c, 'p> Graph<'c, 'p> {
    /// All states of a program, unless there are more than `most`, or none in which something can be done.
    pub fn new(code: &'c Code<'p>, most: usize) -> Option<Graph<'c, 'p>> {
        let machine = Machine { code };
        let mut numbers: BTreeMap<State, usize> = BTreeMap::new();
        let mut states = Vec::new();
        let mut number = |state: State, states: &mut Vec<State>| {
            *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() - 1
            })
        };
        for state in machine.first() {
            if state.threads.is_empty() {
                return None;
            }
            number(state, &mut states);
        }
        let first = states.len();
        let mut graph = Graph {
            code,
            states: Vec::new(),
            first,
            edges: Vec::new(),
            faults: Vec::new(),
            races: Vec::new(),
            idle: Vec::new(),
            enabled: Vec::new(),
        };
        let mut next = 0;
        while next < states.len() {
            if states.len() > most {
                return None;
            }
            let state = states[next].clone();
            let steps = machine.steps(&state);
            let mut edges = Vec::new();
            for step in steps.steps {
                let to = number(step.after, &mut states);
                edges.push(Edge { to, actors: step.actors, crashed: step.crashed });
            }
            graph.edges.push(edges);
            graph.faults.push(steps.faults);
            graph.races.push(steps.races);
            let idle = state.threads.iter().filter(|(_, thread)| machine.is_idle(thread));
            graph.idle.push(idle.map(|(pid, _)| pid.clone()).collect());
            graph.enabled.push(steps.enabled.into_iter().collect());
            next += 1;
        }
        graph.states = states;
        Some(graph)
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether some run is a fault.
    pub fn faults(&self) -> bool {
        self.faults.iter().any(|fault| *fault)
    }

    /// The same without what comes to a fault.
    pub fn without_faults(self) -> Self {
        Graph { faults: vec![false; self.states.len()], ..self }
    }

    /// What the definitions say of a property. Of runs and branching time, what comes after a fault is not known.
    pub fn answer(&self, property: &Property) -> Answer {
        let fair = self.code.program.fair;
        let all = |set: &Set| if set.iter().all(|is| *is) { Answer::Holds } else { Answer::Fails };
        let of_first = |set: Set| set[..self.first].iter().all(|is| *is);
        let now = |seen: &Seen| self.now(seen);
        let everywhere = vec![true; self.len()];
        // What surely holds, and what may.
        let answer = |holds: &dyn Fn(bool) -> bool| match (holds(false), holds(true)) {
            (true, _) => Answer::Holds,
            (_, false) => Answer::Fails,
            (false, true) => Answer::Unknown,
        };
        match property {
            Property::Always(seen) => all(&now(seen)),
            Property::Never(seen) => all(&not(now(seen))),
            Property::Reachable(seen) => match all(&not(now(seen))) {
                Answer::Holds => Answer::Fails,
                _ => Answer::Holds,
            },
            Property::RaceFree => all(&not(self.races.clone())),
            Property::DeadlockFree => all(&not(self.deadlocks())),
            Property::NoOneStuck => all(&not(self.hopeless(false))),
            Property::EveryoneCanEnd => all(&not(self.hopeless(true))),
            Property::Branching(formula) if fair && formula.is_of_ever() => Answer::Refused,
            Property::Branching(formula) => answer(&|may| of_first(self.branching(formula, may))),
            Property::Eventually(seen) => {
                answer(&|may| of_first(not(self.can_avoid(&everywhere, &now(seen), fair, !may))))
            }
            Property::LeadsTo(from, to) => answer(&|may| {
                let bad = self.can_avoid(&everywhere, &now(to), fair, !may);
                !now(from).into_iter().zip(bad).any(|(from, bad)| from && bad)
            }),
            Property::Until(hold, goal) => {
                answer(&|may| of_first(not(self.can_avoid(&now(hold), &now(goal), fair, !may))))
            }
        }
    }

    fn now(&self, seen: &Seen) -> Set {
        self.states.iter().map(|state| is_seen(state, seen)).collect()
    }

    /// Where nobody can go on, and somebody has neither ended nor is idle.
    fn deadlocks(&self) -> Set {
        let is_deadlock = |index: usize| {
            let waits =
                self.states[index].threads.keys().any(|pid| !self.idle[index].contains(pid));
            self.edges[index].is_empty() && !self.faults[index] && waits
        };
        (0..self.len()).map(is_deadlock).collect()
    }

    /// In which states somebody is who never acts again, nor is ended; or who can never end nor come to wait idly.
    fn hopeless(&self, ending: bool) -> Set {
        let pids: BTreeSet<&Pid> =
            self.states.iter().flat_map(|state| state.threads.keys()).collect();
        let mut found = vec![false; self.len()];
        for pid in pids {
            let is_active = |index: usize| self.states[index].threads.contains_key(pid);
            let fulfils = |edge: &Edge| {
                let ends = !is_active(edge.to) && edge.crashed.as_ref() != Some(pid);
                ends || !ending && edge.actors.contains(pid)
            };
            let hope = |index: usize| {
                self.faults[index]
                    || self.idle[index].contains(pid)
                    || self.edges[index].iter().any(&fulfils)
            };
            let mut hopeful: Set = (0..self.len()).map(|one| is_active(one) && hope(one)).collect();
            self.backward(&mut hopeful, is_active);
            for (index, found) in found.iter_mut().enumerate() {
                *found |= is_active(index) && !hopeful[index];
            }
        }
        found
    }

    /// Adds all states from which one of these can be reached through those that may be passed.
    fn backward(&self, set: &mut Set, may_pass: impl Fn(usize) -> bool) {
        loop {
            let before = set.iter().filter(|is| **is).count();
            for index in (0..self.len()).rev() {
                let leads = || self.edges[index].iter().any(|edge| set[edge.to]);
                if !set[index] && may_pass(index) && leads() {
                    set[index] = true;
                }
            }
            if set.iter().filter(|is| **is).count() == before {
                return;
            }
        }
    }

    /// Where a formula holds; where it is not known, since a fault comes before, if it may.
    fn branching(&self, formula: &Branching, may: bool) -> Set {
        let everywhere = vec![true; self.len()];
        let or_fault = |mut set: Set| {
            if may {
                set.iter_mut().zip(&self.faults).for_each(|(is, fault)| *is |= fault);
            }
            set
        };
        match formula {
            Branching::Now(seen) => self.now(seen),
            Branching::Not(one) => not(self.branching(one, !may)),
            Branching::Possibly(one) => {
                let mut set = or_fault(self.branching(one, may));
                self.backward(&mut set, |_| true);
                set
            }
            Branching::Globally(one) => {
                let mut bad = not(self.branching(one, may));
                if !may {
                    bad.iter_mut().zip(&self.faults).for_each(|(is, fault)| *is |= fault);
                }
                self.backward(&mut bad, |_| true);
                not(bad)
            }
            Branching::SomeUntil(hold, goal) => {
                let hold = self.branching(hold, may);
                let mut set = self.branching(goal, may);
                for (index, is) in set.iter_mut().enumerate() {
                    *is |= may && self.faults[index] && hold[index];
                }
                self.backward(&mut set, |index| hold[index]);
                set
            }
            Branching::Inevitably(one) => {
                not(self.can_avoid(&everywhere, &self.branching(one, may), false, !may))
            }
            Branching::SomeForEver(one) => {
                let never = not(self.branching(one, may));
                self.can_avoid(&everywhere, &never, false, may)
            }
            Branching::AllUntil(hold, goal) => {
                let (hold, goal) = (self.branching(hold, may), self.branching(goal, may));
                not(self.can_avoid(&hold, &goal, false, !may))
            }
        }
    }

    /// From which states a maximal run, fair if that is asked for, violates `hold until goal`; also one that comes to a
    /// fault before, if that counts.
    fn can_avoid(&self, hold: &Set, goal: &Set, fair: bool, by_fault: bool) -> Set {
        let open = |index: usize| hold[index] && !goal[index];
        let ends = |index: usize| self.edges[index].is_empty() && !self.faults[index];
        let lost = |index: usize| ends(index) || by_fault && self.faults[index];
        let mut bad: Set =
            (0..self.len()).map(|one| !goal[one] && (!hold[one] || lost(one))).collect();
        for component in self.components(open) {
            if self.goes_on(&component) && (!fair || self.is_fair(&component)) {
                for index in component {
                    bad[index] = true;
                }
            }
        }
        self.backward(&mut bad, open);
        bad
    }

    /// The strongly connected sets of states among some (Kosaraju).
    fn components(&self, among: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.len()];
        let inner = |index: usize| self.edges[index].iter().filter(|edge| among(edge.to));
        for index in (0..self.len()).filter(|index| among(*index)) {
            inner(index).for_each(|edge| before[edge.to].push(index));
        }
        // Each state after all that were reached from it first.
        let (mut seen, mut order) = (vec![false; self.len()], Vec::new());
        for first in (0..self.len()).filter(|index| among(*index)) {
            let mut open = vec![(first, false)];
            while let Some((index, done)) = open.pop() {
                if done {
                    order.push(index);
                } else if !std::mem::replace(&mut seen[index], true) {
                    open.push((index, true));
                    open.extend(inner(index).map(|edge| (edge.to, false)));
                }
            }
        }
        let mut taken = vec![false; self.len()];
        let mut found = Vec::new();
        for first in order.into_iter().rev() {
            let (mut component, mut open) = (Vec::new(), vec![first]);
            while let Some(index) = open.pop() {
                if !std::mem::replace(&mut taken[index], true) {
                    component.push(index);
                    open.extend(&before[index]);
                }
            }
            if !component.is_empty() {
                found.push(component);
            }
        }
        found
    }

    fn within<'g>(&'g self, component: &'g [usize]) -> impl Iterator<Item = &'g Edge> {
        let members: BTreeSet<usize> = component.iter().copied().collect();
        let edges = component.iter().flat_map(|index| &self.edges[*index]);
        edges.filter(move |edge| members.contains(&edge.to))
    }

    fn goes_on(&self, component: &[usize]) -> bool {
        self.within(component).next().is_some()
    }

    /// Whether a run that stays in a component can be fair: each process acts in it, or cannot always.
    fn is_fair(&self, component: &[usize]) -> bool {
        let mut pids = component.iter().flat_map(|index| &self.enabled[*index]);
        pids.all(|pid| {
            component.iter().any(|index| !self.enabled[*index].contains(pid))
                || self.within(component).any(|edge| edge.actors.contains(pid))
        })
    }
}

fn not(set: Set) -> Set {
    set.into_iter().map(|is| !is).collect()
}

/// Whether a condition is true of a state.
fn is_seen(state: &State, seen: &Seen) -> bool {
    match seen {
        Seen::Variable(variable, number) => state.shared[*variable] == *number,
        Seen::Items(channel, number) => state.channels[*channel].items.len() == *number,
        Seen::Free(mutex) => state.mutexes[*mutex].is_none(),
        Seen::Count(process, label, number) => {
            let of = state.threads.values().filter(|thread| thread.process == *process);
            let at = of.filter(|thread| {
                label.is_none_or(|label| thread.frames[0].labels.contains(&label))
            });
            at.count() == *number
        }
        Seen::Inside(process, function, label) => {
            let mut of = state.threads.values().filter(|thread| thread.process == *process);
            of.any(|thread| {
                let mut frames = thread.frames.iter();
                frames.any(|frame| {
                    frame.which == Which::Function(*function) && frame.labels.contains(label)
                })
            })
        }
        Seen::Not(one) => !is_seen(state, one),
        Seen::And(a, b) => is_seen(state, a) && is_seen(state, b),
        Seen::Or(a, b) => is_seen(state, a) || is_seen(state, b),
    }
}

impl Branching {
    /// Whether it speaks of paths that go on for ever.
    fn is_of_ever(&self) -> bool {
        match self {
            Branching::Now(_) => false,
            Branching::Inevitably(_) | Branching::SomeForEver(_) | Branching::AllUntil(..) => true,
            Branching::Not(one) | Branching::Possibly(one) | Branching::Globally(one) => {
                one.is_of_ever()
            }
            Branching::SomeUntil(a, b) => a.is_of_ever() || b.is_of_ever(),
        }
    }
}
