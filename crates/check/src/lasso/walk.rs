//! A run that stays in a part of the product, from where it starts.
//!
//! The stem is a shortest way to the part. The cycle goes, always by a shortest way, to what is nearest of
//! what the cycle still lacks: steps of acceptance sets, labels, individuals that have not been served;
//! and back to where it began. All individuals of the state where it begins are carried along from there;
//! each is served before the cycle ends, or dies. Hence in every round from its birth on every
//! individual is served once, or is past all waiting: under strong fairness, one that can neither act nor
//! die any more, which is never enabled again in a part of which nothing had to be taken out.
//!
//! Cost: a search of the part, or of the tracks in it, for each thing the cycle lacks.

use budget::Exhausted;

use super::individuals::Moves;
use super::product::Step;
use super::tracks::Tracks;
use super::{Emptiness, Hop, Lasso, Strength};
use crate::breadth::shortest;
use crate::graph::Graph;

/// In place of an individual that died.
const GONE: u32 = u32::MAX;

/// A step along a track.
#[derive(Clone, Copy)]
struct Carry {
    step: Step,
    /// The number of the move.
    chosen: u32,
    /// Whether the individual is served by it.
    served: bool,
}

/// A cycle as far as it was made, and what it lacks.
struct Cycle<'c, 'q, 'f, 'p, G> {
    search: &'c mut Emptiness<'q, 'f, 'p, G>,
    tracks: Option<Tracks>,
    hops: Vec<Hop>,
    /// The node where it ends so far.
    at: u32,
    /// The acceptance sets of which it has no step.
    sets: u64,
    /// The numbers of the sets of labels that have not been served.
    labels: Vec<usize>,
    /// Where the individuals are that have not been served.
    individuals: Vec<u32>,
}

/// The run, in the part that was found from the roots.
pub(super) fn lasso<G: Graph>(
    roots: &[u32],
    search: &mut Emptiness<'_, '_, '_, G>,
    tracks: Option<Tracks>,
) -> Result<Lasso, Exhausted> {
    let Emptiness { product, region, fair, all_sets, budget } = search;
    let (root, stem) = shortest(
        roots.iter().copied(),
        |node, steps| {
            product.steps(node, |step, to| steps.push((step, to)));
            Ok(())
        },
        |_, node| region.position(node).is_some(),
        budget,
    )?
    .expect("the part was found from the roots");
    let start = stem.last().map_or(root, |&(_, node)| node);
    let individuals = match &mut fair.individuals {
        Some((_, individuals)) => 0..individuals.moves(product.state(start))?.enabled.len() as u32,
        None => 0..0,
    };
    let mut cycle = Cycle {
        sets: *all_sets,
        labels: waiting_labels(search),
        search,
        tracks,
        hops: Vec::new(),
        at: start,
        individuals: individuals.collect(),
    };
    cycle.arrive()?;
    cycle.serve(start)?;
    let cycle = cycle.hops;
    let state = |node: u32| search.product.state(node);
    let hop =
        |&(step, to): &(Step, u32)| Hop { label: step.label, target: state(to), chosen: None };
    let stem = stem.iter().map(hop).collect();
    Ok(turned_back(Lasso { root: state(root), stem, cycle }))
}

/// The same run with the stem as short as it can be: as long as it ends with the step with which the cycle
/// ends, the cycle can start earlier. (In the product it could not: the automaton may have needed the
/// step.)
fn turned_back(mut lasso: Lasso) -> Lasso {
    let Lasso { root, stem, cycle } = &mut lasso;
    let round = cycle.len();
    let is_same = |&back: &usize| {
        let (here, there) = (stem.len() - 1 - back, round - 1 - back % round);
        let source = here.checked_sub(1).map_or(*root, |before| stem[before].target);
        (stem[here].label, stem[here].target) == (cycle[there].label, cycle[there].target)
            && source == cycle[(there + round - 1) % round].target
    };
    let turned = (0..stem.len()).take_while(is_same).count();
    stem.truncate(stem.len() - turned);
    cycle.rotate_right(turned % round);
    lasso
}

/// The numbers of the sets of labels that a cycle in the part has to serve: those under strong fairness only if
/// they are enabled in it.
fn waiting_labels<G: Graph>(search: &Emptiness<'_, '_, '_, G>) -> Vec<usize> {
    let Emptiness { product, region, fair, .. } = search;
    let mut is_enabled = vec![false; fair.sets().len()];
    let mut enabled = Vec::new();
    if !is_enabled.is_empty() {
        for &node in region.nodes() {
            fair.enabled(product.graph(), product.state(node), &mut enabled);
            enabled.iter().for_each(|&number| is_enabled[number] = true);
        }
    }
    (0..is_enabled.len()).filter(|&number| is_enabled[number]).collect()
}

impl<G: Graph> Cycle<'_, '_, '_, '_, G> {
    /// Goes on until nothing is lacking, and back to where it began.
    fn serve(&mut self, start: u32) -> Result<(), Exhausted> {
        loop {
            if self.sets != 0 || !self.labels.is_empty() {
                self.go(None)?;
            } else if !self.individuals.is_empty() {
                self.follow()?;
            } else if self.hops.is_empty() || self.at != start {
                self.go(Some(start))?;
            } else {
                return Ok(());
            }
        }
    }

    /// Goes to a node, or else to the nearest acceptance set or label that is lacking.
    fn go(&mut self, goal: Option<u32>) -> Result<(), Exhausted> {
        let Self { search, sets, labels, .. } = self;
        let Emptiness { region, product, fair, budget, .. } = &mut **search;
        let waits_weakly = |&number: &usize| fair.sets()[number] == Strength::Weak;
        let has_weak = labels.iter().any(waits_weakly);
        let mut enabled = Vec::new();
        let mut is_wanted = |step: Step, state: u32, graph: &G| {
            let is_lacking = fair.numbers(step.label).any(|number| labels.contains(&number));
            if step.sets & *sets != 0 || is_lacking {
                return true;
            }
            if !has_weak {
                return false;
            }
            fair.enabled(graph, state, &mut enabled);
            let mut weak = labels.iter().filter(|number| waits_weakly(number));
            weak.any(|number| enabled.binary_search(number).is_err())
        };
        let steps = |node: u32, steps: &mut Vec<((Step, bool), u32)>| {
            region.steps(product, node, |step, to| steps.push(((step, goal == Some(to)), to)));
            if goal.is_none() {
                for ((step, is_end), to) in steps {
                    *is_end = is_wanted(*step, product.state(*to), product.graph());
                }
            }
            Ok(())
        };
        let is_end = |step: Option<(Step, bool)>, _| step.is_some_and(|(_, is_end)| is_end);
        let path = shortest([self.at], steps, is_end, budget)?;
        let (_, path) = path.expect("what the cycle lacks is in the part, which is connected");
        path.into_iter().try_for_each(|((step, _), to)| self.take(step, to, None))
    }

    /// Serves the individual that can be served soonest.
    fn follow(&mut self) -> Result<(), Exhausted> {
        let Self { search, individuals: waiting, .. } = self;
        let Emptiness { region, product, fair, budget, .. } = &mut **search;
        let (strength, individuals) = fair.individuals.as_mut().expect("there are some");
        let mut ways = Vec::new();
        let steps = |(node, individual): (u32, u32), steps: &mut Vec<(Carry, (u32, u32))>| {
            product.ways(node, &mut ways);
            let from = steps.len();
            let moves = individuals.moves(product.state(node))?;
            for (chosen, step) in (0..).zip(&moves.moves) {
                for &way in &ways {
                    let to = product.after(way, step.target);
                    if region.position(to).is_none() {
                        continue;
                    }
                    let fate = step.fates[individual as usize];
                    let served = fate.acts || fate.becomes.is_none();
                    let step = Step { label: Some(step.label), sets: way.sets };
                    let target = (to, fate.becomes.unwrap_or(GONE));
                    steps.push((Carry { step, chosen, served }, target));
                }
            }
            if *strength == Strength::Weak {
                for (carry, (to, individual)) in steps[from..].iter_mut() {
                    carry.served = carry.served
                        || !individuals.moves(product.state(*to))?.enabled[*individual as usize];
                }
            }
            Ok(())
        };
        let starts = waiting.iter().map(|&individual| (self.at, individual));
        let is_end = |carry: Option<Carry>, _| carry.is_some_and(|carry| carry.served);
        let path = shortest(starts, steps, is_end, budget)?;
        let (_, path) = path.expect("everybody in the part can be served");
        path.into_iter()
            .try_for_each(|(carry, (to, _))| self.take(carry.step, to, Some(carry.chosen)))
    }

    /// Takes a step, by a move if it matters which.
    fn take(&mut self, step: Step, to: u32, chosen: Option<u32>) -> Result<(), Exhausted> {
        let Emptiness { product, fair, .. } = &mut *self.search;
        let target = product.state(to);
        let mut hop = Hop { label: step.label, target, chosen };
        if let (Some(label), Some((_, individuals))) = (step.label, &mut fair.individuals) {
            let Moves { moves, .. } = individuals.moves(product.state(self.at))?;
            let waiting = &self.individuals;
            let served = |&number: &u32| {
                let fates = &moves[number as usize].fates;
                let fates = waiting.iter().map(|&individual| fates[individual as usize]);
                fates.filter(|fate| fate.acts || fate.becomes.is_none()).count()
            };
            let chosen = chosen.or_else(|| {
                let fits = |&number: &u32| {
                    let step = &moves[number as usize];
                    step.label == label && step.target == target
                };
                // The last of the best is taken.
                (0..moves.len() as u32).filter(fits).max_by_key(served)
            });
            let chosen = chosen.expect("there is a move for each step");
            hop.chosen = Some(chosen);
            let fates = &moves[chosen as usize].fates;
            let carried = waiting.iter().map(|&individual| fates[individual as usize]);
            self.individuals =
                carried.filter(|fate| !fate.acts).filter_map(|fate| fate.becomes).collect();
        }
        self.hops.push(hop);
        self.sets &= !step.sets;
        self.labels.retain(|&waiting| fair.numbers(step.label).all(|taken| taken != waiting));
        self.at = to;
        self.arrive()
    }

    /// Strikes off what is served by being where the cycle has come to.
    fn arrive(&mut self) -> Result<(), Exhausted> {
        let Self { search, tracks, at, .. } = self;
        let Emptiness { region, product, fair, .. } = &mut **search;
        let state = product.state(*at);
        let mut enabled = Vec::new();
        fair.enabled(product.graph(), state, &mut enabled);
        self.labels.retain(|number| {
            fair.sets()[*number] == Strength::Strong || enabled.binary_search(number).is_ok()
        });
        if let (Some((strength, individuals)), Some(tracks)) = (&mut fair.individuals, tracks) {
            let position = region.position(*at).expect("the cycle is in the part");
            let moves = individuals.moves(state)?;
            self.individuals.retain(|&individual| match strength {
                Strength::Weak => moves.enabled[individual as usize],
                Strength::Strong => tracks.is_hopeful(position, individual),
            });
        }
        Ok(())
    }
}
