//! Random nets, and their markings from the definition.

use std::collections::HashSet;

use net::TransitionId;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use random::Random;
use symbolic::PlaceId;
use unfold::{Predicate, UnfoldedArc, UnfoldedNet, UnfoldedPlace, UnfoldedTransition};

/// Markings that are looked at, and tokens in a place, at most.
const MOST_MARKINGS: usize = 600;
const MOST_TOKENS: i64 = 12;

/// A small net. Some places belong together, some tokens never change, and some transitions are inhibited.
pub fn draw_net(random: &mut Random) -> UnfoldedNet {
    let coloured = 1 + random.below(4_u32);
    let places: Vec<UnfoldedPlace> = (0..2 + random.below(5_u32))
        .map(|number| UnfoldedPlace {
            place: PlaceId(if number < coloured { number } else { random.below(coloured) }),
            tuple: vec![number],
            initial: [0, 0, 0, 1, 1, 2][random.below(6_usize)],
        })
        .collect();
    let inhibited = random.percent(25);
    let count = 1 + random.below(6_usize);
    let transitions =
        (0..count).map(|_| draw_transition(random, places.len(), inhibited)).collect();
    let fixed = (0..coloured).map(|_| BigUint::from(random.below(2_u32))).collect();
    UnfoldedNet { places, transitions, fixed, most_fixed: 1 }
}

fn draw_transition(random: &mut Random, places: usize, inhibited: bool) -> UnfoldedTransition {
    let mut arcs = Vec::new();
    for place in 0..places as u32 {
        let least = [0, 0, 0, 1, 1, 2][random.below(6_usize)];
        let after = [0, 0, 0, 1, 1, 2][random.below(6_usize)];
        let is_asked = random.percent(60);
        let is_inhibitor = inhibited && random.percent(20);
        let most = if is_inhibitor { least + random.below(2_i32) } else { i32::MAX };
        if is_asked && (least != after || least > 0 || is_inhibitor) {
            arcs.push(UnfoldedArc { place, least, most, change: after - least });
        }
    }
    let sums = match inhibited && random.percent(20) {
        true => vec![((0..places as u32).collect(), 2 + random.below(3_i32))],
        false => Vec::new(),
    };
    let labels = vec![TransitionId(random.below(3_u32))];
    UnfoldedTransition { arcs, sums, bindings: 1, labels }
}

/// Some places of the symmetric net, each with a factor.
pub fn draw_terms(random: &mut Random, net: &UnfoldedNet) -> Vec<(u32, i64)> {
    let mut terms: Vec<(u32, i64)> = Vec::new();
    for place in 0..net.fixed.len() as u32 {
        if random.percent(60) {
            terms.push((place, [1, 1, 1, 2, -1][random.below(5_usize)]));
        }
    }
    terms
}

/// A predicate of at most this depth.
pub fn draw_predicate(random: &mut Random, net: &UnfoldedNet, depth: u32) -> Predicate {
    let parts = |random: &mut Random| {
        (0..1 + random.below(3_u32)).map(|_| draw_predicate(random, net, depth - 1)).collect()
    };
    match random.below(if depth == 0 { 5_u32 } else { 9 }) {
        0..=2 => {
            let terms = draw_terms(random, net);
            Predicate::AtMost { terms, bound: i64::from(random.below(5_u32)) - 1 }
        }
        3 => Predicate::Enabled(TransitionId(random.below(4_u32))),
        4 => Predicate::Dead,
        5 => Predicate::And(parts(random)),
        6 => Predicate::Or(parts(random)),
        _ => Predicate::Not(Box::new(draw_predicate(random, net, depth - 1))),
    }
}

/// A predicate of alternatives with alternatives inside.
pub fn draw_layers(random: &mut Random, net: &UnfoldedNet, depth: u32) -> Predicate {
    if depth == 0 {
        let terms = vec![(net.places[random.below(net.places.len())].place.0, 1)];
        let bound = Predicate::AtMost { terms, bound: i64::from(random.below(2_u32)) };
        return if random.percent(50) { bound } else { Predicate::Not(Box::new(bound)) };
    }
    let parts = (0..2).map(|_| draw_layers(random, net, depth - 1)).collect();
    if depth.is_multiple_of(2) { Predicate::Or(parts) } else { Predicate::And(parts) }
}

/// The markings of a net that were found.
pub struct Found<'n> {
    net: &'n UnfoldedNet,
    pub markings: HashSet<Vec<i64>>,
    /// Whether these are all.
    pub is_complete: bool,
}

fn is_enabled(transition: &UnfoldedTransition, marking: &[i64]) -> bool {
    let has_enough = transition.arcs.iter().all(|arc| {
        let tokens = marking[arc.place as usize];
        tokens >= i64::from(arc.least) && (arc.most == i32::MAX || tokens <= i64::from(arc.most))
    });
    let has_few = transition.sums.iter().all(|(places, fewer)| {
        places.iter().map(|place| marking[*place as usize]).sum::<i64>() < i64::from(*fewer)
    });
    has_enough && has_few
}

impl<'n> Found<'n> {
    pub fn of(net: &'n UnfoldedNet) -> Found<'n> {
        let first: Vec<i64> = net.places.iter().map(|place| i64::from(place.initial)).collect();
        let mut found = Found { net, markings: HashSet::from([first.clone()]), is_complete: true };
        let mut open = vec![first];
        while let Some(marking) = open.pop() {
            for transition in net.transitions.iter().filter(|t| is_enabled(t, &marking)) {
                let mut next = marking.clone();
                for arc in &transition.arcs {
                    next[arc.place as usize] += i64::from(arc.change);
                }
                if found.markings.len() >= MOST_MARKINGS || next.iter().any(|n| *n > MOST_TOKENS) {
                    found.is_complete = false;
                } else if found.markings.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        found
    }

    pub fn sum(&self, marking: &[i64], terms: &[(u32, i64)]) -> i128 {
        let mut sum = 0;
        for (place, factor) in terms {
            let fixed = self.net.fixed[*place as usize].to_i128().expect("few");
            let there = self.net.places.iter().zip(marking);
            let there = there.filter(|(unfolded, _)| unfolded.place.0 == *place);
            let tokens: i128 = there.map(|(_, tokens)| i128::from(*tokens)).sum();
            sum += i128::from(*factor) * (fixed + tokens);
        }
        sum
    }

    pub fn satisfies(&self, marking: &[i64], predicate: &Predicate) -> bool {
        match predicate {
            Predicate::True => true,
            Predicate::AtMost { terms, bound } => self.sum(marking, terms) <= i128::from(*bound),
            Predicate::Enabled(label) => {
                let mut all = self.net.transitions.iter();
                all.any(|t| t.labels.contains(label) && is_enabled(t, marking))
            }
            Predicate::Dead => !self.net.transitions.iter().any(|t| is_enabled(t, marking)),
            Predicate::Not(inner) => !self.satisfies(marking, inner),
            Predicate::And(parts) => parts.iter().all(|part| self.satisfies(marking, part)),
            Predicate::Or(parts) => parts.iter().any(|part| self.satisfies(marking, part)),
        }
    }
}
