//! What nets, conditions and formulas mean, on a graph that is written out.

use std::collections::HashMap;

use check::{Automaton, Ctl};
use plain::{Condition, FiringSequence, PlainNet, PlainTransition};

/// Markings by number, the first of them initial, and where each leads.
pub struct Graph {
    pub markings: Vec<Vec<i64>>,
    pub next: Vec<Vec<usize>>,
}

/// The marking after a transition, if it can fire.
fn fired(transition: &PlainTransition, marking: &[i64]) -> Option<Vec<i64>> {
    let mut can_fire = true;
    let mut after = marking.to_vec();
    for arc in &transition.arcs {
        let tokens = marking[arc.place as usize];
        can_fire &= tokens >= arc.least.into() && tokens <= arc.most.into();
        after[arc.place as usize] += i64::from(arc.change);
    }
    for (places, bound) in &transition.sums {
        let sum: i64 = places.iter().map(|&place| marking[place as usize]).sum();
        can_fire &= sum < (*bound).into();
    }
    can_fire.then_some(after)
}

impl Graph {
    /// The markings of one run, each leading to the next. What is repeated for ever leads back, where the marking is the
    /// same; if nothing is, the last leads nowhere if nothing can fire there, and to itself if something can. `None` if it
    /// is no run.
    pub fn of_run(net: &PlainNet, run: &FiringSequence) -> Option<Graph> {
        let mut markings = vec![net.initial.iter().map(|&tokens| tokens.into()).collect()];
        for &step in &run.steps {
            let marking: &Vec<i64> = markings.last()?;
            markings.push(fired(net.transitions.get(step as usize)?, marking)?);
        }
        let last = markings.len() - 1;
        let is_dead = net.transitions.iter().all(|one| fired(one, &markings[last]).is_none());
        let mut next: Vec<Vec<usize>> = (0..last).map(|at| vec![at + 1]).collect();
        match run.back {
            Some(back) if back == last => {
                next.push(Vec::new());
                is_dead.then_some(())?;
            }
            Some(back) => {
                (markings.get(back)? == &markings[last]).then_some(())?;
                next.push(next[back].clone());
            }
            None => next.push(if is_dead { Vec::new() } else { vec![last] }),
        }
        Some(Graph { markings, next })
    }

    /// All reachable markings, if there are not too many.
    pub fn of(net: &PlainNet, most: usize) -> Option<Graph> {
        let first: Vec<i64> = net.initial.iter().map(|&tokens| tokens.into()).collect();
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut graph = Graph { markings: vec![first], next: Vec::new() };
        while graph.next.len() < graph.markings.len() {
            let marking = graph.markings[graph.next.len()].clone();
            let mut next = Vec::new();
            for after in net.transitions.iter().filter_map(|one| fired(one, &marking)) {
                let new = graph.markings.len();
                let number = *numbers.entry(after.clone()).or_insert(new);
                if number == new {
                    graph.markings.push(after);
                }
                next.push(number);
            }
            graph.next.push(next);
            if graph.markings.len() > most {
                return None;
            }
        }
        Some(graph)
    }

    pub fn states(&self) -> std::ops::Range<usize> {
        0..self.next.len()
    }

    pub fn sum(&self, state: usize, terms: &[(u32, i64)]) -> i64 {
        terms.iter().map(|(place, weight)| weight * self.markings[state][*place as usize]).sum()
    }

    pub fn holds(&self, state: usize, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(value) => *value,
            Condition::AtMost(of) => self.sum(state, &of.terms) <= of.bound,
            Condition::Dead(value) => self.next[state].is_empty() == *value,
            Condition::And(parts) => parts.iter().all(|part| self.holds(state, part)),
            Condition::Or(parts) => parts.iter().any(|part| self.holds(state, part)),
        }
    }

    /// Where a formula holds, by the definition of its operators as fixpoints.
    pub fn satisfying(&self, formula: &Ctl, atoms: &[Condition]) -> Vec<bool> {
        let of = |formula: &Ctl| self.satisfying(formula, atoms);
        let some_next = |set: &[bool], state: usize| self.next[state].iter().any(|&n| set[n]);
        match formula {
            Ctl::True => vec![true; self.next.len()],
            Ctl::Atom(atom) => {
                self.states().map(|state| self.holds(state, &atoms[*atom as usize])).collect()
            }
            Ctl::Not(a) => of(a).into_iter().map(|holds| !holds).collect(),
            Ctl::And(a, b) => of(a).into_iter().zip(of(b)).map(|(a, b)| a && b).collect(),
            Ctl::SomeNext(a) => {
                let a = of(a);
                self.states().map(|state| some_next(&a, state)).collect()
            }
            Ctl::SomeUntil(a, b) => {
                let a = of(a);
                self.fixpoint(of(b), |set, state| set[state] || a[state] && some_next(set, state))
            }
            Ctl::SomeGlobally(a) => self.fixpoint(of(a), |set, state| {
                set[state] && (self.next[state].is_empty() || some_next(set, state))
            }),
        }
    }

    fn fixpoint(&self, mut set: Vec<bool>, holds: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
        loop {
            let next: Vec<bool> = self.states().map(|state| holds(&set, state)).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    }

    /// Whether an automaton accepts a run: whether in the product, written out, some pair that is reached is reached
    /// from itself, with steps of all sets among those that go round.
    pub fn accepts(&self, automaton: &Automaton, atoms: &[Condition]) -> bool {
        let states = automaton.states.len();
        let mut steps: Vec<Vec<(usize, u64)>> = vec![Vec::new(); states * self.next.len()];
        for marking in self.states() {
            let own = [marking];
            let next = if self.next[marking].is_empty() { &own[..] } else { &self.next[marking] };
            for (state, edges) in automaton.states.iter().enumerate() {
                for edge in edges {
                    let is_true = |atom: u32| self.holds(marking, &atoms[atom as usize]);
                    if edge.label.holds_where(is_true) {
                        let to =
                            next.iter().map(|n| (n * states + edge.to as usize, edge.accepting));
                        steps[marking * states + state].extend(to);
                    }
                }
            }
        }
        let reached = |from: usize| {
            let (mut reached, mut open) = (vec![false; steps.len()], vec![from]);
            while let Some(at) = open.pop() {
                for &(to, _) in &steps[at] {
                    if !std::mem::replace(&mut reached[to], true) {
                        open.push(to);
                    }
                }
            }
            reached
        };
        let from_start = reached(0);
        let is_met = |pair: usize| pair == 0 || from_start[pair];
        let known: Vec<Vec<bool>> = (0..steps.len())
            .map(|pair| if is_met(pair) { reached(pair) } else { vec![false; steps.len()] })
            .collect();
        (0..steps.len()).filter(|&pair| is_met(pair) && known[pair][pair]).any(|pair| {
            let around = |other: usize| known[pair][other] && known[other][pair];
            let inside = (0..steps.len()).filter(|&at| around(at)).flat_map(|at| &steps[at]);
            let sets = inside.filter(|(to, _)| around(*to)).fold(0, |sets, (_, more)| sets | more);
            sets == automaton.all_sets()
        })
    }
}
