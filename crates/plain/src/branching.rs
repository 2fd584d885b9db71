//! Branching time, as far as the initial marking asks for it.
//!
//! Each formula is worked out for those markings alone of which another formula, or the initial marking, asks it. What
//! was found is remembered. On paths that are maximal: a marking in which nothing can fire ends one.
//!
//! - `E a U b`: markings in which `a` holds are searched until one is met in which `b` does, or none is left. On the way
//!   to the one that is met it holds, and if none is, in none that were seen. A search that is guided looks first at
//!   those that seem nearest to where `b` holds, by what it says of a marking ([`Condition::distance`]).
//! - `EG a`: markings in which `a` holds are searched in depth until one is met that ends a path, or is on the way
//!   already. Then it holds in all on the way; in those that were left before, it does not.
//!
//! B. Vergauwen, J. Lewi, *A linear local model checking algorithm for CTL*, CONCUR 1993. Cost: for each operator the
//! markings that are asked for, and their steps; more where what was asked for one marking says nothing of the next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::Budget;
use check::Ctl;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;
use crate::search::Undecided;
use crate::{Condition, PlainNet, Steps, Valuation};

/// How to look for markings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BranchingOptions {
    /// In which order successors come: at random, with this seed.
    pub seed: Option<u64>,
    /// Whether those come first that seem nearest to what is looked for.
    pub guided: bool,
}

/// Whether a formula, whose atoms are given, holds in the initial marking of a net. A search is guided where the atoms
/// are conditions.
///
/// # Errors
///
/// If it does not come to an end.
pub fn satisfies(
    net: &PlainNet,
    atoms: &dyn Valuation,
    formula: &Ctl,
    options: BranchingOptions,
    budget: &Budget,
) -> Result<bool, Undecided> {
    let graph = Graph::new(net, atoms, options.seed, None, budget)?;
    let aims = atoms.conditions().filter(|_| options.guided).map(Aims::of);
    let mut marking = net.initial.clone();
    let mut distance = aims.map(|aims| {
        move |graph: &Graph<'_>, nodes: &[Node], formula, number| {
            graph.read(number, &mut marking);
            aims.distance(nodes, formula, true, &marking)
        }
    });
    let distance = distance.as_mut().map(|distance| distance as Distance<'_, Graph<'_>>);
    Local::value_of(graph, formula, distance)
}

/// Whether a formula holds in the initial state of a graph.
///
/// # Errors
///
/// If it does not come to an end.
pub fn satisfies_at_start(graph: impl Steps, formula: &Ctl) -> Result<bool, Undecided> {
    Local::value_of(graph, formula, None)
}

/// How far a state seems to be from one in which a formula holds.
type Distance<'d, G> = &'d mut dyn FnMut(&G, &[Node], usize, u32) -> u64;

/// A formula, its parts by number.
#[derive(Clone, Copy)]
enum Node {
    True,
    Atom(u32),
    Not(usize),
    And(usize, usize),
    SomeNext(usize),
    SomeUntil(usize, usize),
    SomeGlobally(usize),
}

struct Local<'d, G> {
    graph: G,
    nodes: Vec<Node>,
    /// What is known of each formula about paths.
    known: Vec<FxHashMap<u32, bool>>,
    /// By what a guided search is guided.
    distance: Option<Distance<'d, G>>,
}

/// Each condition, and its opposite.
struct Aims(Vec<[Condition; 2]>);

impl Aims {
    fn of(conditions: &[Condition]) -> Aims {
        Aims(conditions.iter().map(|one| [one.opposite(), one.clone()]).collect())
    }

    /// How far a marking seems to be from one in which a formula holds, or does not.
    fn distance(&self, nodes: &[Node], formula: usize, holds: bool, marking: &[i32]) -> u64 {
        let of = |formula, holds| self.distance(nodes, formula, holds, marking);
        match nodes[formula] {
            Node::True => {
                if holds {
                    0
                } else {
                    u64::MAX
                }
            }
            Node::Atom(atom) => self.0[atom as usize][usize::from(holds)].distance(marking, false),
            Node::Not(a) => of(a, !holds),
            Node::And(a, b) if holds => of(a, true).saturating_add(of(b, true)),
            Node::And(a, b) => of(a, false).min(of(b, false)),
            Node::SomeNext(a) | Node::SomeUntil(_, a) | Node::SomeGlobally(a) if holds => {
                of(a, true)
            }
            Node::SomeNext(_) | Node::SomeUntil(..) | Node::SomeGlobally(_) => 0,
        }
    }
}

impl<'d, G: Steps> Local<'d, G> {
    fn value_of(
        graph: G,
        formula: &Ctl,
        distance: Option<Distance<'d, G>>,
    ) -> Result<bool, Undecided> {
        let mut local = Local { graph, nodes: Vec::new(), known: Vec::new(), distance };
        let root = local.number(formula);
        local.value(0, root)
    }

    fn number(&mut self, formula: &Ctl) -> usize {
        let node = match formula {
            Ctl::True => Node::True,
            Ctl::Atom(atom) => Node::Atom(*atom),
            Ctl::Not(a) => Node::Not(self.number(a)),
            Ctl::And(a, b) => Node::And(self.number(a), self.number(b)),
            Ctl::SomeNext(a) => Node::SomeNext(self.number(a)),
            Ctl::SomeUntil(a, b) => Node::SomeUntil(self.number(a), self.number(b)),
            Ctl::SomeGlobally(a) => Node::SomeGlobally(self.number(a)),
        };
        self.nodes.push(node);
        self.known.push(FxHashMap::default());
        self.nodes.len() - 1
    }

    /// Whether a formula holds in a marking.
    fn value(&mut self, marking: u32, formula: usize) -> Result<bool, Undecided> {
        if let Some(&known) = self.known[formula].get(&marking) {
            return Ok(known);
        }
        match self.nodes[formula] {
            Node::True => Ok(true),
            Node::Atom(atom) => {
                self.graph.expand(marking)?;
                Ok(self.graph.holds(marking, atom))
            }
            Node::Not(a) => Ok(!self.value(marking, a)?),
            // What is about one marking is found out first.
            Node::And(a, b) if self.is_of_state(b) => {
                Ok(self.value(marking, b)? && self.value(marking, a)?)
            }
            Node::And(a, b) => Ok(self.value(marking, a)? && self.value(marking, b)?),
            Node::SomeNext(a) => {
                self.graph.expand(marking)?;
                let mut found = false;
                for at in 0..self.graph.successors(marking).len() {
                    let next = self.graph.successors(marking)[at];
                    if self.value(next, a)? {
                        found = true;
                        break;
                    }
                }
                self.known[formula].insert(marking, found);
                Ok(found)
            }
            Node::SomeUntil(a, b) => self.some_until(marking, formula, a, b),
            Node::SomeGlobally(a) => self.some_globally(marking, formula, a),
        }
    }

    fn is_of_state(&self, formula: usize) -> bool {
        match self.nodes[formula] {
            Node::True | Node::Atom(_) => true,
            Node::Not(a) => self.is_of_state(a),
            Node::And(a, b) => self.is_of_state(a) && self.is_of_state(b),
            _ => false,
        }
    }

    fn some_until(
        &mut self,
        start: u32,
        formula: usize,
        a: usize,
        b: usize,
    ) -> Result<bool, Undecided> {
        // Markings that were seen, each with the one from which it was.
        let mut seen = vec![(start, 0)];
        let mut is_seen = FxHashSet::from_iter([start]);
        // The nearest first, and of those the latest.
        let mut open = BinaryHeap::from([(Reverse(0), 0)]);
        while let Some((_, at)) = open.pop() {
            let (marking, _) = seen[at];
            let holds = match self.known[formula].get(&marking) {
                Some(&known) => known,
                None => self.value(marking, b)?,
            };
            if holds {
                let mut at = at;
                loop {
                    let (marking, from) = seen[at];
                    self.known[formula].insert(marking, true);
                    if at == 0 {
                        return Ok(true);
                    }
                    at = from;
                }
            }
            if self.known[formula].contains_key(&marking) || !self.value(marking, a)? {
                continue;
            }
            self.graph.expand(marking)?;
            let Local { graph, nodes, distance, .. } = self;
            for &next in graph.successors(marking).iter().rev() {
                if is_seen.insert(next) {
                    let far =
                        distance.as_mut().map_or(0, |distance| distance(graph, nodes, b, next));
                    open.push((Reverse(far), seen.len()));
                    seen.push((next, at));
                }
            }
        }
        self.known[formula].extend(seen.into_iter().map(|(marking, _)| (marking, false)));
        Ok(false)
    }

    fn some_globally(&mut self, start: u32, formula: usize, a: usize) -> Result<bool, Undecided> {
        let mut path: Vec<(u32, usize)> = Vec::new();
        let mut on_path = FxHashSet::default();
        let mut enter = Some(start);
        loop {
            if let Some(marking) = enter.take() {
                let known = self.known[formula].get(&marking).copied();
                let ends = on_path.contains(&marking) || known == Some(true);
                let holds = ends || known.is_none() && self.value(marking, a)?;
                if holds && !ends {
                    self.graph.expand(marking)?;
                }
                if ends || holds && self.graph.successors(marking).is_empty() {
                    on_path.insert(marking);
                    self.known[formula].extend(on_path.into_iter().map(|marking| (marking, true)));
                    return Ok(true);
                }
                if holds {
                    on_path.insert(marking);
                    path.push((marking, 0));
                } else {
                    self.known[formula].insert(marking, false);
                }
            }
            let Some((marking, at)) = path.last_mut() else { return Ok(false) };
            match self.graph.successors(*marking).get(*at) {
                Some(&next) => {
                    *at += 1;
                    enter = Some(next);
                }
                None => {
                    let (marking, _) = path.pop().expect("there is one");
                    on_path.remove(&marking);
                    self.known[formula].insert(marking, false);
                }
            }
        }
    }
}
