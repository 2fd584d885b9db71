//! In which order transitions are fired to their fixpoints (paper, section 6).
//!
//! Tokens flow: first come transitions all of whose input places are marked initially, whatever the
//! marking; their output places count as marked from then on, and so forth. Transitions that this
//! never reaches come last: they are enabled only where an arc asks for nothing.

use crate::{Arc, SymmetricNet};

/// The transitions of a net, by index, in the order in which tokens flow.
pub(super) fn flow_order(net: &SymmetricNet) -> Vec<usize> {
    let mut marked = vec![false; net.places.len()];
    let mark = |marked: &mut Vec<bool>, arcs: &[Arc]| {
        arcs.iter().for_each(|arc| marked[arc.place.0 as usize] = true);
    };
    mark(&mut marked, &net.initial);
    let mut order = Vec::new();
    let mut waiting: Vec<usize> = (0..net.transitions.len()).collect();
    loop {
        let (ready, others): (Vec<usize>, Vec<usize>) = waiting.iter().partition(|&&index| {
            let transition = &net.transitions[index];
            let mut inputs = transition.takes.iter().chain(&transition.reads);
            inputs.all(|arc| marked[arc.place.0 as usize])
        });
        if ready.is_empty() {
            order.extend(others);
            return order;
        }
        ready.iter().for_each(|&index| mark(&mut marked, &net.transitions[index].puts));
        order.extend(ready);
        waiting = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Term, Transition};

    #[test]
    fn transitions_follow_the_tokens() {
        let mut net = SymmetricNet::new();
        let [a, b, c, never] = ["a", "b", "c", "never"].map(|name| net.place(name, &[]));
        let one = Term::one(&[]);
        net.initially(a, one.clone());
        let step = |from, to| Transition::new("", &[]).take(from, one.clone()).put(to, one.clone());
        net.transition(step(never, a));
        net.transition(step(c, a));
        net.transition(step(b, c));
        net.transition(step(a, b));
        assert_eq!(flow_order(&net), [3, 2, 1, 0]);
    }
}
