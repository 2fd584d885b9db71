//! Strongly connected components of an automaton, each before those that are reached from it.
//!
//! Tarjan, *Depth-First Search and Linear Graph Algorithms*, 1972, without recursion. Linear.

use check::Automaton;

/// The components of what is reached from the first state.
pub(super) fn components(automaton: &Automaton) -> Vec<Vec<u32>> {
    let states = automaton.states.len();
    let (mut numbers, mut lowest) = (vec![u32::MAX; states], vec![u32::MAX; states]);
    let mut done = vec![false; states];
    let (mut open, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    // The way from the first state, with the transition to take next.
    let mut way: Vec<(usize, usize)> = (0..states).take(1).map(|first| (first, 0)).collect();
    while let Some((state, next)) = way.last_mut() {
        let state = *state;
        if numbers[state] == u32::MAX {
            (numbers[state], lowest[state]) = (count, count);
            count += 1;
            open.push(state as u32);
        }
        if let Some(edge) = automaton.states[state].get(*next) {
            *next += 1;
            let to = edge.to as usize;
            if numbers[to] == u32::MAX {
                way.push((to, 0));
            } else if !done[to] {
                lowest[state] = lowest[state].min(numbers[to]);
            }
            continue;
        }
        way.pop();
        if let Some((before, _)) = way.last() {
            lowest[*before] = lowest[*before].min(lowest[state]);
        }
        if lowest[state] == numbers[state] {
            let at = open.iter().rposition(|member| *member == state as u32);
            let members = open.split_off(at.expect("it is open"));
            members.iter().for_each(|member| done[*member as usize] = true);
            found.push(members);
        }
    }
    found.reverse();
    found
}
