//! Random walks, which come to markings far from the start long before a search does.
//!
//! They can only show that something is reached. What is enabled is kept from step to step: only transitions with a
//! test at a place that has changed are looked at again. Walks are of two kinds, in turn: some draw weights for all
//! transitions at their start and choose by these, so that tokens are driven into corners; others try several steps and
//! take the one that comes nearest to one of the targets ([`Condition::distance`](crate::Condition::distance)). Walks
//! become longer one after the other. The same are made in every run.

use budget::Budget;
use random::Random;

use crate::search::Target;
use crate::{PlainArc, PlainNet, PlainTransition};

/// The steps of the first walk, and of the longest.
const SHORTEST: usize = 1 << 8;
const LONGEST: usize = 1 << 17;
/// How much likelier a transition is to be taken than one of the next smaller weight, and the number of weights.
const PREFERENCE: u64 = 16;
const WEIGHTS: u64 = 3;
/// The steps that are tried before one is taken towards a target, at most.
const TRIED: usize = 12;

/// A marking, and what is enabled in it.
struct Walker<'n> {
    net: &'n PlainNet,
    /// For each place the transitions that have a test there.
    testing: Vec<Vec<u32>>,
    marking: Vec<i32>,
    enabled: Vec<u32>,
    /// Where each transition is among the enabled, if it is.
    position: Vec<Option<u32>>,
}

impl<'n> Walker<'n> {
    fn new(net: &'n PlainNet) -> Self {
        let mut testing = vec![Vec::new(); net.initial.len()];
        for (number, transition) in (0..).zip(&net.transitions) {
            let tests = transition.arcs.iter().filter(|arc| arc.needs() || arc.inhibits());
            let sums = transition.sums.iter().flat_map(|(places, _)| places);
            for place in tests.map(|arc| arc.place).chain(sums.copied()) {
                testing[place as usize].push(number);
            }
        }
        let position = vec![None; net.transitions.len()];
        let mut walker =
            Walker { net, testing, marking: Vec::new(), enabled: Vec::new(), position };
        walker.restart();
        walker
    }

    fn restart(&mut self) {
        self.marking.clone_from(&self.net.initial);
        (0..self.net.transitions.len() as u32).for_each(|t| self.update(t));
    }

    /// Looks again at whether a transition is enabled.
    fn update(&mut self, transition: u32) {
        let is_enabled = self.net.transitions[transition as usize].is_enabled(&self.marking);
        let position = &mut self.position[transition as usize];
        match (*position, is_enabled) {
            (None, true) => {
                *position = Some(self.enabled.len() as u32);
                self.enabled.push(transition);
            }
            (Some(at), false) => {
                *position = None;
                self.enabled.swap_remove(at as usize);
                if let Some(&moved) = self.enabled.get(at as usize) {
                    self.position[moved as usize] = Some(at);
                }
            }
            _ => {}
        }
    }

    /// Fires an enabled transition; `None` if there are too many tokens then.
    fn step(&mut self, transition: u32) -> Option<()> {
        let net = self.net;
        let transition = &net.transitions[transition as usize];
        transition.fire(&mut self.marking)?;
        for arc in transition.arcs.iter().filter(|arc| arc.change != 0) {
            let testing = std::mem::take(&mut self.testing[arc.place as usize]);
            testing.iter().for_each(|&t| self.update(t));
            self.testing[arc.place as usize] = testing;
        }
        Some(())
    }
}

/// Walks until everything is met, this many steps are taken, or the budget is used up. `met` is called with the number
/// of each target that is met, or has become greater.
pub fn walk(
    net: &PlainNet,
    targets: &mut [Target],
    seed: u64,
    steps: u64,
    budget: &Budget,
    met: &mut dyn FnMut(usize, &Target),
) {
    let mut random = Random::new(seed);
    let mut walker = Walker::new(net);
    let mut weights: Vec<u64> = vec![1; net.transitions.len()];
    let (mut length, mut left) = (SHORTEST, steps);
    for number in 0_usize.. {
        let open: Vec<usize> = (0..targets.len()).filter(|&t| targets[t].is_open()).collect();
        let aims = number % 2 == 1 && !open.is_empty();
        let aim = open.get(number / 2 % open.len().max(1)).copied();
        if !aims {
            weights.fill_with(|| PREFERENCE.pow((random.word() % WEIGHTS) as u32));
        }
        // Towards a target it is not far, or not this way.
        let longest = if aims { length / 8 } else { length };
        for _ in 0..longest {
            if budget.is_exhausted() || left == 0 {
                return;
            }
            left -= 1;
            let is_dead = walker.enabled.is_empty();
            let mut is_over = true;
            for (number, target) in targets.iter_mut().enumerate() {
                if target.look(&walker.marking, is_dead) {
                    met(number, target);
                }
                is_over &= !target.is_open();
            }
            if is_over {
                return;
            }
            if is_dead {
                break;
            }
            let chosen = match aim.filter(|_| aims) {
                Some(aim) => nearest(&mut walker, &targets[aim], &mut random),
                None => weighted(&walker.enabled, &weights, &mut random),
            };
            if walker.step(chosen).is_none() {
                break;
            }
        }
        walker.restart();
        length = (length * 2).min(LONGEST);
    }
}

/// One of the enabled transitions, each as often as its weight says.
fn weighted(enabled: &[u32], weights: &[u64], random: &mut Random) -> u32 {
    let all: u64 = enabled.iter().map(|&t| weights[t as usize]).sum();
    let mut left = random.word() % all;
    for &t in enabled {
        let weight = weights[t as usize];
        if left < weight {
            return t;
        }
        left -= weight;
    }
    enabled[0]
}

/// The one of some enabled transitions that comes nearest to a target; now and then just one of them.
fn nearest(walker: &mut Walker<'_>, target: &Target, random: &mut Random) -> u32 {
    let any = *random.pick(&walker.enabled);
    if random.percent(10) {
        return any;
    }
    let begin = random.below(walker.enabled.len());
    let Walker { net, marking, enabled, .. } = walker;
    let tried = enabled.iter().cycle().skip(begin).take(TRIED.min(enabled.len()));
    let best = tried.filter_map(|&t| {
        let transition = &net.transitions[t as usize];
        let fits = |arc: &PlainArc| marking[arc.place as usize].checked_add(arc.change).is_some();
        if !transition.arcs.iter().all(fits) {
            return None;
        }
        add(transition, marking, 1);
        let distance = target.distance(marking);
        add(transition, marking, -1);
        Some((distance, t))
    });
    best.min().map_or(any, |(_, t)| t)
}

/// Takes a step, or takes it back.
fn add(transition: &PlainTransition, marking: &mut [i32], times: i32) {
    for arc in &transition.arcs {
        marking[arc.place as usize] += times * arc.change;
    }
}
