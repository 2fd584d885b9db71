//! A run that an automaton accepts, from the component in which it was found.
//!
//! The path of the search leads into the component. Inside, a step of an acceptance set that is missing is looked for
//! in breadth, from there the next, and in the end the way back: each part is shortest, all of it need not be. Where
//! nothing can fire, the automaton goes on alone; what is repeated has no transitions then.
//!
//! Cost: for each acceptance set a look at the pairs of the component, and for each step at what is enabled.

use budget::Budget;
use check::Automaton;
use rustc_hash::FxHashSet;

use super::{Accepting, LinearOptions, Product};
use crate::graph::Graph;
use crate::search::Undecided;
use crate::{FiringSequence, PlainNet, Valuation};

/// A run that an automaton accepts, with what is repeated for ever, if there is one.
///
/// # Errors
///
/// If it does not come to an end.
pub fn accepted_run(
    net: &PlainNet,
    atoms: &dyn Valuation,
    automaton: &Automaton,
    options: LinearOptions,
    budget: &Budget,
) -> Result<Option<FiringSequence>, Undecided> {
    let mut product = Product::of_net(net, atoms, automaton, options, budget)?;
    let Some(Accepting { stem, inside }) = product.accepting()? else { return Ok(None) };
    let root = *stem.last().expect("it ends in the component");
    let mut steps = product.transitions(&stem);
    let back = Some(steps.len());
    let cycle = product.cycle(root, &inside)?;
    steps.extend(product.transitions(&cycle));
    Ok(Some(FiringSequence { steps, back }))
}

impl Product<'_, Graph<'_>> {
    /// The transitions by which pairs follow each other. Where nothing can fire, there are none.
    fn transitions(&mut self, pairs: &[u32]) -> Vec<u32> {
        let marking = |pair: u32| self.pairs[pair as usize].0;
        let steps: Vec<(u32, u32)> =
            pairs.windows(2).map(|two| (marking(two[0]), marking(two[1]))).collect();
        steps.into_iter().filter_map(|(from, to)| self.graph.transition(from, to)).collect()
    }

    /// Pairs inside, from one of them and back to it, by steps of all acceptance sets.
    fn cycle(&mut self, root: u32, inside: &FxHashSet<u32>) -> Result<Vec<u32>, Undecided> {
        let mut missing = self.automaton.all_sets();
        let mut cycle = vec![root];
        while missing != 0 || cycle.len() == 1 {
            let at = *cycle.last().expect("it has begun");
            let is_new = |_: u32, sets: u64| missing == 0 || sets & missing != 0;
            for (pair, sets) in self.path(at, inside, is_new)? {
                cycle.push(pair);
                missing &= !sets;
            }
        }
        if cycle.last() != Some(&root) {
            let at = *cycle.last().expect("it has begun");
            let home = self.path(at, inside, |pair, _| pair == root)?;
            cycle.extend(home.into_iter().map(|(pair, _)| pair));
        }
        Ok(cycle)
    }

    /// A shortest path inside whose last step is wanted, given where that leads and its sets.
    fn path(
        &mut self,
        from: u32,
        inside: &FxHashSet<u32>,
        is_wanted: impl Fn(u32, u64) -> bool,
    ) -> Result<Vec<(u32, u64)>, Undecided> {
        // Each pair with the number of the one before it, and the sets of the step.
        let mut met = vec![(from, 0, 0)];
        let mut is_met = FxHashSet::from_iter([from]);
        let mut at = 0;
        while at < met.len() {
            for (to, sets) in self.steps(met[at].0)?.into_iter().rev() {
                if !inside.contains(&to) {
                    continue;
                }
                if is_wanted(to, sets) {
                    let mut path = vec![(to, sets)];
                    let mut before = at;
                    while before != 0 {
                        let (pair, earlier, sets) = met[before];
                        path.push((pair, sets));
                        before = earlier;
                    }
                    path.reverse();
                    return Ok(path);
                }
                if is_met.insert(to) {
                    met.push((to, at, sets));
                }
            }
            at += 1;
        }
        unreachable!("all of a component is reached from everywhere in it")
    }
}
