//! Linear time, on the graph of a program in which processes keep their names.
//!
//! A formula is made of `not`, `and` and `until`. A node of the product is a node of the graph with a guess for each
//! `until`, whether it will hold in the next node; one is followed by those in which the guesses are right. A formula
//! fails if from some first node in which it is false there is a run on which no `until` is put off for ever, and which
//! is fair. The last state of a run that ends is repeated.

use net::{PathOp, Strength};

use crate::lives::Lives;
use crate::temporal::Temporal;

/// An operation, on what was computed before it.
#[derive(Clone, Copy, Debug)]
enum Op {
    True,
    Atom(usize),
    Not(usize),
    And(usize, usize),
    /// The number of its guess comes last.
    Until(usize, usize, usize),
}

#[derive(Debug, Default)]
struct Linear {
    ops: Vec<Op>,
    guesses: usize,
}

impl Linear {
    fn push(&mut self, op: Op) -> usize {
        self.ops.push(op);
        self.ops.len() - 1
    }

    fn not(&mut self, a: usize) -> usize {
        self.push(Op::Not(a))
    }

    fn until(&mut self, a: usize, b: usize) -> usize {
        self.guesses += 1;
        self.push(Op::Until(a, b, self.guesses - 1))
    }

    fn eventually(&mut self, a: usize) -> usize {
        let always = self.push(Op::True);
        self.until(always, a)
    }

    fn always(&mut self, a: usize) -> usize {
        let never = self.not(a);
        let some_time = self.eventually(never);
        self.not(some_time)
    }

    fn add(&mut self, formula: &Temporal) -> usize {
        match formula {
            Temporal::Atom(index) => self.push(Op::Atom(*index)),
            Temporal::Not(a) => {
                let a = self.add(a);
                self.not(a)
            }
            Temporal::And(a, b) => {
                let (a, b) = (self.add(a), self.add(b));
                self.push(Op::And(a, b))
            }
            Temporal::Or(a, b) => {
                let (a, b) = (self.add(a), self.add(b));
                let (a, b) = (self.not(a), self.not(b));
                let neither = self.push(Op::And(a, b));
                self.not(neither)
            }
            Temporal::Path(PathOp::Always, a) => {
                let a = self.add(a);
                self.always(a)
            }
            Temporal::Path(PathOp::Eventually, a) => {
                let a = self.add(a);
                self.eventually(a)
            }
            Temporal::Until(a, b) => {
                let (a, b) = (self.add(a), self.add(b));
                self.until(a, b)
            }
            Temporal::LeadsTo(a, b) => {
                let (a, b) = (self.add(a), self.add(b));
                let later = self.eventually(b);
                let never = self.not(later);
                let unanswered = self.push(Op::And(a, never));
                let is_answered = self.not(unanswered);
                self.always(is_answered)
            }
            other => panic!("{other:?} is not of linear time"),
        }
    }

    /// What is true in a node, given what is guessed of the next.
    fn truths(&self, says: &dyn Fn(usize) -> bool, guess: usize) -> Vec<bool> {
        let mut truths: Vec<bool> = Vec::new();
        for op in &self.ops {
            truths.push(match *op {
                Op::True => true,
                Op::Atom(index) => says(index),
                Op::Not(a) => !truths[a],
                Op::And(a, b) => truths[a] && truths[b],
                Op::Until(a, b, number) => truths[b] || truths[a] && guess >> number & 1 == 1,
            });
        }
        truths
    }
}

/// A node of the product.
#[derive(Default)]
struct Node {
    /// What was guessed of it in the node before.
    foretold: usize,
    /// The `until`s that are false here, or fulfilled.
    kept: usize,
    is_true: bool,
    life: usize,
    steps: Vec<(usize, u32)>,
}

/// Whether a formula holds of all fair runs. `says` tells what is said of the states.
pub fn holds(
    formula: &Temporal,
    lives: &Lives,
    says: &[Vec<bool>],
    fairness: Option<Strength>,
) -> bool {
    let mut linear = Linear::default();
    linear.add(formula);
    let guesses = 1 << linear.guesses;
    let mut nodes: Vec<Node> = Vec::new();
    for (number, life) in lives.nodes.iter().enumerate() {
        for guess in 0..guesses {
            let truths = linear.truths(&|atom| says[life.state][atom], guess);
            let mut node = Node { life: number, ..Node::default() };
            for (index, op) in linear.ops.iter().enumerate() {
                if let Op::Until(_, b, number) = *op {
                    node.foretold |= usize::from(truths[index]) << number;
                    node.kept |= usize::from(!truths[index] || truths[b]) << number;
                }
            }
            node.is_true = *truths.last().expect("a formula is not empty");
            nodes.push(node);
        }
    }
    for (number, life) in lives.nodes.iter().enumerate() {
        let stays = [(number, 0)];
        let steps: &[(usize, u32)] = if life.steps.is_empty() { &stays } else { &life.steps };
        for guess in 0..guesses {
            for (to, acts) in steps {
                let next = (0..guesses).map(|next| to * guesses + next);
                let next = next.filter(|next| nodes[*next].foretold == guess);
                let next: Vec<(usize, u32)> = next.map(|next| (next, *acts)).collect();
                nodes[number * guesses + guess].steps.extend(next);
            }
        }
    }
    let first = lives.initial.iter().flat_map(|life| life * guesses..(life + 1) * guesses);
    let reached = reached(&nodes, first.filter(|node| !nodes[*node].is_true).collect());
    let product = Product { nodes: &nodes, lives, all: guesses - 1, fairness };
    !product.has_fair_run(&reached)
}

fn reached(nodes: &[Node], mut open: Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; nodes.len()];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(nodes[node].steps.iter().map(|(to, _)| *to));
        }
    }
    (0..nodes.len()).filter(|node| seen[*node]).collect()
}

struct Product<'n> {
    nodes: &'n [Node],
    lives: &'n Lives,
    /// All `until`s.
    all: usize,
    fairness: Option<Strength>,
}

impl Product<'_> {
    fn enabled(&self, node: usize) -> u32 {
        self.lives.nodes[self.nodes[node].life].enabled
    }

    /// Whether some run is fair, puts nothing off, and stays within some nodes.
    fn has_fair_run(&self, within: &[usize]) -> bool {
        components(self.nodes, within).into_iter().any(|part| {
            let mut inside = vec![false; self.nodes.len()];
            part.iter().for_each(|node| inside[*node] = true);
            let steps = part.iter().flat_map(|node| &self.nodes[*node].steps);
            let steps: Vec<_> = steps.filter(|(to, _)| inside[*to]).collect();
            let kept = part.iter().fold(0, |kept, node| kept | self.nodes[*node].kept);
            if steps.is_empty() || kept != self.all {
                return false;
            }
            let acts = steps.iter().fold(0, |all, (_, acts)| all | acts);
            let (mut some_time, mut always) = (0, u32::MAX);
            for node in &part {
                some_time |= self.enabled(*node);
                always &= self.enabled(*node);
            }
            match self.fairness {
                None => true,
                Some(Strength::Weak) => always & !acts == 0,
                Some(Strength::Strong) => {
                    // Who is passed over must not be enabled for ever: only what avoids that is left.
                    let passed_over = some_time & !acts;
                    let rest = part.into_iter();
                    let rest = rest.filter(|node| self.enabled(*node) & passed_over == 0);
                    passed_over == 0 || self.has_fair_run(&rest.collect::<Vec<_>>())
                }
            }
        })
    }
}

/// The strongly connected components of some nodes (Kosaraju).
fn components(nodes: &[Node], within: &[usize]) -> Vec<Vec<usize>> {
    let mut inside = vec![false; nodes.len()];
    within.iter().for_each(|node| inside[*node] = true);
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for node in within {
        for (to, _) in nodes[*node].steps.iter().filter(|(to, _)| inside[*to]) {
            before[*to].push(*node);
        }
    }
    let mut seen = vec![false; nodes.len()];
    let mut finished = Vec::new();
    for start in within {
        let mut path = vec![(*start, 0)];
        if std::mem::replace(&mut seen[*start], true) {
            continue;
        }
        while let Some((node, next)) = path.last_mut() {
            match nodes[*node].steps.get(*next) {
                Some((to, _)) => {
                    *next += 1;
                    if inside[*to] && !std::mem::replace(&mut seen[*to], true) {
                        path.push((*to, 0));
                    }
                }
                None => {
                    finished.push(*node);
                    path.pop();
                }
            }
        }
    }
    let mut parts = Vec::new();
    for start in finished.into_iter().rev() {
        let (mut part, mut open) = (Vec::new(), vec![start]);
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], false) {
                part.push(node);
                open.extend(&before[node]);
            }
        }
        if !part.is_empty() {
            parts.push(part);
        }
    }
    parts
}
