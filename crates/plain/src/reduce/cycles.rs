//! Places between which tokens move freely. Keeps reachability.
//!
//! A *free move* takes a token from one place and puts one into another, and asks for nothing else. Places that free
//! moves connect in both directions are one place: what is asked of several of them is there as soon as there are
//! enough tokens in all of them together. They have to be compared alike, and nobody may be inhibited by them.

use super::Problem;
use super::seen::Seen;
use crate::{Comparison, Condition, PlainArc, PlainTransition};

impl Problem {
    /// Merges places that are connected by free moves; whether there were any.
    pub(super) fn merge_cycles(&mut self) -> bool {
        let inhibiting = self.inhibiting();
        let seen = Seen::by(self);
        let places = self.net.initial.len();
        let mut moves = vec![Vec::new(); places];
        let mut is_any = false;
        for (from, to) in self.net.transitions.iter().filter_map(free_move) {
            if !inhibiting[from as usize] && !inhibiting[to as usize] && seen.are_alike(from, to) {
                moves[from as usize].push(to);
                is_any = true;
            }
        }
        if !is_any {
            return false;
        }
        let representative = components(&moves);
        if representative.iter().enumerate().all(|(place, one)| place == *one as usize) {
            return false;
        }
        self.merge(&representative)
    }

    /// Puts for each place its representative; whether numbers were small enough for that.
    fn merge(&mut self, representative: &[u32]) -> bool {
        let mut initial = self.net.initial.clone();
        let mut transitions = self.net.transitions.clone();
        for (place, &one) in representative.iter().enumerate() {
            if place != one as usize {
                let tokens = std::mem::take(&mut initial[place]);
                let Some(sum) = initial[one as usize].checked_add(tokens) else { return false };
                initial[one as usize] = sum;
            }
        }
        for transition in &mut transitions {
            let Some(merged) = merged(transition, representative) else { return false };
            *transition = merged;
        }
        self.back.merge(&self.net, representative);
        self.net.initial = initial;
        self.net.transitions = transitions;
        // Of places that are compared alike, one tells of all.
        let of_others = |condition: &Comparison| {
            let terms = condition
                .terms
                .iter()
                .filter(|(place, _)| representative[*place as usize] == *place);
            Comparison { terms: terms.copied().collect(), bound: condition.bound }
        };
        for condition in &mut self.conditions {
            *condition = condition.replaced(&|c| Condition::AtMost(of_others(c)), &Condition::Dead);
        }
        for sum in &mut self.sums {
            *sum = of_others(sum);
        }
        true
    }
}

/// From where and to where a transition moves a token, if that is all.
pub(super) fn free_move(transition: &PlainTransition) -> Option<(u32, u32)> {
    let [a, b] = transition.arcs.as_slice() else { return None };
    let (from, to) = if a.change < 0 { (a, b) } else { (b, a) };
    let is_move = from.is_pure_input() && from.least == 1 && to.is_pure_output() && to.change == 1;
    (is_move && transition.sums.is_empty()).then_some((from.place, to.place))
}

/// A transition of merged places; `None` if numbers are too large.
fn merged(transition: &PlainTransition, representative: &[u32]) -> Option<PlainTransition> {
    let mut arcs: Vec<PlainArc> = Vec::new();
    for arc in &transition.arcs {
        let place = representative[arc.place as usize];
        match arcs.iter_mut().find(|other| other.place == place) {
            None => arcs.push(PlainArc { place, ..*arc }),
            Some(other) => {
                other.least = other.least.checked_add(arc.least)?;
                other.change = other.change.checked_add(arc.change)?;
                other.most = other.most.min(arc.most);
            }
        }
    }
    Some(PlainTransition::new(arcs, transition.sums.clone()))
}

/// For each place the least of those that are connected with it in both directions (Tarjan 1972).
fn components(moves: &[Vec<u32>]) -> Vec<u32> {
    let count = moves.len();
    let mut representative: Vec<u32> = (0..count as u32).collect();
    let (mut index, mut low) = (vec![0_u32; count], vec![0_u32; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut next) = (Vec::new(), 1);
    for root in 0..count as u32 {
        if index[root as usize] != 0 || moves[root as usize].is_empty() {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((place, at)) = calls.pop() {
            let this = place as usize;
            if at == 0 {
                (index[this], low[this]) = (next, next);
                next += 1;
                stack.push(place);
                on_stack[this] = true;
            } else {
                let child = moves[this][at - 1] as usize;
                if on_stack[child] {
                    low[this] = low[this].min(low[child]);
                }
            }
            if let Some(&to) = moves[this].get(at) {
                calls.push((place, at + 1));
                if index[to as usize] == 0 {
                    calls.push((to, 0));
                } else if on_stack[to as usize] {
                    low[this] = low[this].min(index[to as usize]);
                }
            } else if low[this] == index[this] {
                let begin = stack.iter().position(|&other| other == place).expect("on the stack");
                let component = stack.split_off(begin);
                let least = component.iter().copied().min().expect("not empty");
                for other in component {
                    on_stack[other as usize] = false;
                    representative[other as usize] = least;
                }
            }
        }
    }
    representative
}
