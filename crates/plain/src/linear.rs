//! Linear time, on the fly: whether some run of a net is accepted by an automaton.
//!
//! The product of net and automaton is searched in depth, and its strongly connected components are found on the way; as
//! soon as what is known of one has transitions of all acceptance sets, there is such a run, however much has not
//! been looked at. A marking in which nothing can fire is repeated for ever. Where the formula has no `next`, only
//! some of what is enabled need be fired ([`ample`](crate::stubborn::ample)).
//!
//! J.-M. Couvreur, *On-the-fly verification of linear temporal logic*, FM 1999. Cost: the pairs that are met, and the
//! transitions between them; each marking is expanded once.

mod lasso;

use budget::Budget;
use check::Automaton;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;
use crate::search::Undecided;
use crate::stubborn::ample::{Ample, Mistakes};
use crate::{PlainNet, Steps, Valuation};
pub use lasso::accepted_run;

/// How to look for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinearOptions {
    /// Whether stubborn sets are used; only where repetitions make no difference to the automaton.
    pub stubborn: bool,
    /// In which order successors come: at random, with this seed.
    pub seed: Option<u64>,
    /// None, but in tests.
    pub mistakes: Mistakes,
}

/// Whether an automaton, whose atoms are given, accepts some run of a net; and how many markings were found. Stubborn
/// sets are used where the atoms are conditions.
///
/// # Errors
///
/// If it does not come to an end.
pub fn accepts(
    net: &PlainNet,
    atoms: &dyn Valuation,
    automaton: &Automaton,
    options: LinearOptions,
    budget: &Budget,
) -> Result<(bool, usize), Undecided> {
    let mut product = Product::of_net(net, atoms, automaton, options, budget)?;
    let is_nonempty = product.accepting()?.is_some();
    Ok((is_nonempty, product.graph.len()))
}

/// Whether an automaton accepts some run of a graph, as [`accepts`] says of a net.
///
/// # Errors
///
/// If it does not come to an end.
pub fn accepts_some_run(graph: impl Steps, automaton: &Automaton) -> Result<bool, Undecided> {
    Ok(Product::new(graph, automaton).accepting()?.is_some())
}

/// A component with steps of all acceptance sets: pairs that lead there, the last of which is in it, and what is known
/// of it.
struct Accepting {
    stem: Vec<u32>,
    inside: FxHashSet<u32>,
}

/// Pairs of a marking and a state of the automaton, as far as they were met.
struct Product<'a, G> {
    graph: G,
    automaton: &'a Automaton,
    numbers: FxHashMap<(u32, u32), u32>,
    pairs: Vec<(u32, u32)>,
}

/// A pair on the path that is looked at, and the steps from it that are left.
struct Frame {
    pair: u32,
    steps: Vec<(u32, u64)>,
}

/// A strongly connected part of the path: where it begins, the sets of the step into it, and of those inside.
struct Root {
    begin: u32,
    into: u64,
    inside: u64,
}

/// In a component that was left.
const LEFT: u32 = u32::MAX;

impl<'a> Product<'a, Graph<'a>> {
    fn of_net(
        net: &'a PlainNet,
        atoms: &'a dyn Valuation,
        automaton: &'a Automaton,
        options: LinearOptions,
        budget: &'a Budget,
    ) -> Result<Self, Undecided> {
        let LinearOptions { stubborn, seed, mistakes } = options;
        let ample = atoms
            .conditions()
            .filter(|_| stubborn)
            .and_then(|conditions| Ample::of(net, conditions, mistakes));
        Ok(Product::new(Graph::new(net, atoms, seed, ample, budget)?, automaton))
    }
}

impl<'a, G: Steps> Product<'a, G> {
    fn new(graph: G, automaton: &'a Automaton) -> Self {
        Product { graph, automaton, numbers: FxHashMap::default(), pairs: Vec::new() }
    }

    fn number(&mut self, pair: (u32, u32)) -> u32 {
        let next = self.pairs.len() as u32;
        let number = *self.numbers.entry(pair).or_insert(next);
        if number == next {
            self.pairs.push(pair);
        }
        number
    }

    /// The steps from a pair, the last to be taken first.
    fn steps(&mut self, pair: u32) -> Result<Vec<(u32, u64)>, Undecided> {
        let (marking, state) = self.pairs[pair as usize];
        self.graph.expand(marking)?;
        let automaton = self.automaton;
        let mut steps = Vec::new();
        for edge in &automaton.states[state as usize] {
            if !edge.label.holds_where(|atom| self.graph.holds(marking, atom)) {
                continue;
            }
            let count = self.graph.successors(marking).len();
            if count == 0 {
                steps.push((self.number((marking, edge.to)), edge.accepting));
            }
            for at in (0..count).rev() {
                let next = self.graph.successors(marking)[at];
                steps.push((self.number((next, edge.to)), edge.accepting));
            }
        }
        Ok(steps)
    }

    /// A component that has steps of all acceptance sets, if there is one.
    fn accepting(&mut self) -> Result<Option<Accepting>, Undecided> {
        let all = self.automaton.all_sets();
        // When each pair was met, from 1 on; 0 if it was not.
        let mut met: Vec<u32> = Vec::new();
        let (mut path, mut roots, mut live) = (Vec::new(), Vec::new(), Vec::new());
        let mut clock = 0;
        let mut enter = Some((self.number((0, 0)), 0));
        loop {
            if let Some((pair, into)) = enter.take() {
                clock += 1;
                met.resize(self.pairs.len().max(met.len()), 0);
                met[pair as usize] = clock;
                roots.push(Root { begin: clock, into, inside: 0 });
                live.push(pair);
                path.push(Frame { pair, steps: self.steps(pair)? });
                met.resize(self.pairs.len(), 0);
            }
            let Some(frame) = path.last_mut() else { return Ok(None) };
            let Some((to, sets)) = frame.steps.pop() else {
                let pair = path.pop().expect("there is one").pair;
                if roots.last().is_some_and(|root| root.begin == met[pair as usize]) {
                    roots.pop();
                    while let Some(left) = live.pop() {
                        met[left as usize] = LEFT;
                        if left == pair {
                            break;
                        }
                    }
                }
                continue;
            };
            match met[to as usize] {
                0 => enter = Some((to, sets)),
                LEFT => {}
                at => {
                    let mut inside = sets;
                    while let Some(root) = roots.pop_if(|root| root.begin > at) {
                        inside |= root.inside | root.into;
                    }
                    let root = roots.last_mut().expect("that of the pair");
                    root.inside |= inside;
                    if root.inside == all {
                        let is_inside = |pair: &&u32| met[**pair as usize] >= root.begin;
                        let inside: FxHashSet<u32> =
                            live.iter().filter(is_inside).copied().collect();
                        let stem = path.iter().map(|frame| frame.pair);
                        let length = stem.clone().position(|pair| inside.contains(&pair));
                        let length = length.expect("its first pair is on the path") + 1;
                        return Ok(Some(Accepting { stem: stem.take(length).collect(), inside }));
                    }
                }
            }
        }
    }
}
