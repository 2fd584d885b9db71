//! From a component of the product to a part of it in which a fair run goes round.
//!
//! A run that is fair and accepting stays, from some point on, in a strongly connected part C and visits
//! each node of C again and again. A part is looked at as follows, and what is taken out is in no such C:
//!
//! - *Acceptance*: if the steps inside are not in all sets, no part of it will do.
//! - *A label, weakly fair*: if it is enabled in all nodes and no step inside has it, no part will do.
//! - *A label, strongly fair*: if no step inside has it, the nodes where it is enabled are taken out.
//! - *Individuals, weakly fair*: if one in a node cannot come to be served (`tracks.rs`: to act, to be where it
//!   is not enabled, or to die), then a run that visits the node and stays inside is unfair to it. The node
//!   is taken out.
//! - *Individuals, strongly fair*: if one in a node is enabled and can come neither to act nor to die, the node
//!   is taken out. A run that visited it again and again would find there, each time, somebody who
//!   never acts again nor dies. States have boundedly many individuals, and these do not leave: so some of
//!   them is met there infinitely often, hence enabled infinitely often.
//!
//! What is left is split into components, and each is looked at again: fewer moves stay inside it than
//! before, so that what could be served may not be any more. Since only nodes are taken out in which no fair
//! accepting run of the part can be again and again, every such run is in one of the components.
//!
//! When nothing is taken out a fair run exists, and `walk.rs` makes it: each thing that waits can be served from
//! wherever it is, by steps inside; one is served after the other.
//!
//! Cost: each round is linear in the steps of the product inside the part, and of the tracks; there are at most
//! as many rounds as nodes, and hardly ever more than a few.

use budget::Exhausted;

use super::tracks::Tracks;
use super::{Emptiness, Strength};
use crate::bits::Bits;
use crate::components::{self, Event};
use crate::graph::Graph;

/// What is found of a part that is strongly connected and in all acceptance sets.
enum Finding {
    Fair(Option<Tracks>),
    Hopeless,
    /// Positions of nodes to be taken out.
    TakeOut(Bits),
}

impl<G: Graph> Emptiness<'_, '_, '_, G> {
    /// Looks for a part of a component in which a fair accepting run goes round. If there is one, it is
    /// left in `region`, and the tracks of the individuals in it are given.
    pub(super) fn refine(
        &mut self,
        component: &[u32],
    ) -> Result<Option<Option<Tracks>>, Exhausted> {
        let mut waiting = vec![component.to_vec()];
        while let Some(nodes) = waiting.pop() {
            self.region.put(nodes);
            match self.look()? {
                Finding::Fair(tracks) => return Ok(Some(tracks)),
                Finding::Hopeless => {}
                Finding::TakeOut(out) => self.split(&out, &mut waiting)?,
            }
        }
        Ok(None)
    }

    fn look(&mut self) -> Result<Finding, Exhausted> {
        let Self { region, product, fair, budget, .. } = self;
        let count = region.nodes().len() as u32;
        let sets = fair.sets().len();
        if sets > 0 {
            let (mut taken, mut enabled_in) = (vec![false; sets], vec![0; sets]);
            let mut enabled = Vec::new();
            for &node in region.nodes() {
                region.steps(product, node, |step, _| {
                    fair.numbers(step.label).for_each(|number| taken[number] = true);
                });
                fair.enabled(product.graph(), product.state(node), &mut enabled);
                enabled.iter().for_each(|&number| enabled_in[number] += 1);
                budget.check()?;
            }
            let mut unfair = vec![false; sets];
            for (number, &strength) in fair.sets().iter().enumerate() {
                match strength {
                    _ if taken[number] => {}
                    Strength::Weak if enabled_in[number] == count => return Ok(Finding::Hopeless),
                    Strength::Weak => {}
                    Strength::Strong => unfair[number] = enabled_in[number] > 0,
                }
            }
            if unfair.contains(&true) {
                let out = Bits::where_true(count, |position| {
                    let state = product.state(region.nodes()[position as usize]);
                    fair.enabled(product.graph(), state, &mut enabled);
                    enabled.iter().any(|&number| unfair[number])
                });
                return Ok(Finding::TakeOut(out));
            }
        }
        let Some((strength, individuals)) = &mut fair.individuals else {
            return Ok(Finding::Fair(None));
        };
        let tracks = Tracks::of(region, product, *strength, &mut **individuals, budget)?;
        let mut out = Bits::new(count);
        for (position, &node) in (0..).zip(region.nodes()) {
            let moves = individuals.moves(product.state(node))?;
            let mut all = (0..).zip(&moves.enabled);
            if all.any(|(individual, &enabled)| enabled && !tracks.is_hopeful(position, individual))
            {
                out.set(position);
            }
        }
        Ok(if out.is_empty() { Finding::Fair(Some(tracks)) } else { Finding::TakeOut(out) })
    }

    /// Splits what is left of the part into components; those that may have a fair run have to wait. The
    /// nodes of the search are positions in the part.
    fn split(&mut self, out: &Bits, waiting: &mut Vec<Vec<u32>>) -> Result<(), Exhausted> {
        let Self { region, product, all_sets, budget, .. } = self;
        let rest = (0..out.bound()).filter(|&position| !out.get(position));
        components::search(rest, |event| {
            match event {
                Event::Expand(position, steps) => {
                    product.steps(region.nodes()[position as usize], |step, to| {
                        let inside = region.position(to).filter(|&to| !out.get(to));
                        steps.extend(inside.map(|to| (to, step.sets)));
                    });
                    budget.check()?;
                }
                Event::Component(component) if component.is_accepting(*all_sets) => {
                    let nodes = component.nodes.iter();
                    waiting.push(nodes.map(|&at| region.nodes()[at as usize]).collect());
                }
                _ => {}
            }
            Ok(())
        })
    }
}
