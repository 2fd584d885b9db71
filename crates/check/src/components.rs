//! Strongly connected components, found while the graph is.
//!
//! The path-based algorithm (Dijkstra 1976, Gabow 2000) without recursion, with acceptance sets gathered on
//! the way (Couvreur 1999). The nodes that are not yet in a finished component are on a stack, in the order
//! in which they were found; `segments` cuts it into segments, each strongly connected by the steps that
//! were looked at so far. A step back into a segment makes one of it and of all that come after it; when
//! the first node of the last segment has no steps left, the segment is a component.
//!
//! Cost: linear in the steps. Four bytes for each node, 16 for each step from the nodes on the path.

use std::collections::HashMap;
use std::convert::Infallible;

/// For each of some nodes the number of its strongly connected component; none if it is on no cycle. Components are
/// numbered in the order of their least nodes. `successors` gives the targets of the steps from a node.
#[must_use]
pub fn cyclic_components<S: IntoIterator<Item = u32>>(
    nodes: u32,
    mut successors: impl FnMut(u32) -> S,
) -> Vec<Option<u32>> {
    let mut least: Vec<Option<u32>> = vec![None; nodes as usize];
    let Ok(()) = search(0..nodes, |event| -> Result<(), Infallible> {
        match event {
            Event::Expand(node, steps) => {
                steps.extend(successors(node).into_iter().map(|to| (to, 0)))
            }
            Event::Component(component) if component.cyclic => {
                let first = component.nodes.iter().copied().min();
                component.nodes.iter().for_each(|&node| least[node as usize] = first);
            }
            Event::Component(_) | Event::Connected(..) => {}
        }
        Ok(())
    });
    let mut numbers = HashMap::new();
    let number = |least: Option<u32>| {
        let next = numbers.len() as u32;
        least.map(|least| *numbers.entry(least).or_insert(next))
    };
    least.into_iter().map(number).collect()
}

/// What a search meets. Steps are pairs of a target and of acceptance sets, as bits.
pub(crate) enum Event<'a> {
    /// A node, for the first time: its steps are to be added.
    Expand(u32, &'a mut Vec<(u32, u64)>),
    /// Nodes that are strongly connected, by at least one step, and the sets of steps among them. There may
    /// be more of the same component.
    Connected(&'a [u32], u64),
    /// A component.
    Component(Component<'a>),
}

/// A strongly connected component.
pub(crate) struct Component<'a> {
    pub(crate) nodes: &'a [u32],
    /// The acceptance sets of the steps inside it.
    pub(crate) sets: u64,
    /// Whether there is a step inside it.
    pub(crate) cyclic: bool,
}

impl Component<'_> {
    /// Whether a cycle in it has steps of all these sets.
    pub(crate) fn is_accepting(&self, all_sets: u64) -> bool {
        self.cyclic && self.sets == all_sets
    }
}

/// Not found yet. Others have their position on the stack.
const NEW: u32 = u32::MAX;
/// In a component that is finished.
const DONE: u32 = u32::MAX - 1;

/// A segment of the stack.
struct Segment {
    start: u32,
    sets: u64,
    cyclic: bool,
    /// The sets of the step that led to its first node.
    into: u64,
}

/// Searches what can be reached from some nodes, until `meet` ends the search.
pub(crate) fn search<E>(
    roots: impl IntoIterator<Item = u32>,
    mut meet: impl FnMut(Event<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut position: Vec<u32> = Vec::new();
    let mut stack: Vec<u32> = Vec::new();
    let mut segments: Vec<Segment> = Vec::new();
    // The nodes on the path, with where their steps begin.
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut steps: Vec<(u32, u64)> = Vec::new();
    for root in roots {
        steps.push((root, 0));
        loop {
            if steps.len() == path.last().map_or(0, |&(_, start)| start) {
                let Some((node, _)) = path.pop() else {
                    break;
                };
                let first = position[node as usize];
                let Some(segment) = segments.pop_if(|segment| segment.start == first) else {
                    continue;
                };
                let nodes = &stack[first as usize..];
                nodes.iter().for_each(|&node| position[node as usize] = DONE);
                let Segment { sets, cyclic, .. } = segment;
                meet(Event::Component(Component { nodes, sets, cyclic }))?;
                stack.truncate(first as usize);
                continue;
            }
            let (to, sets) = steps.pop().expect("there are steps left");
            if position.len() <= to as usize {
                position.resize(to as usize + 1, NEW);
            }
            match position[to as usize] {
                DONE => {}
                NEW => {
                    let start = stack.len() as u32;
                    position[to as usize] = start;
                    stack.push(to);
                    segments.push(Segment { start, sets: 0, cyclic: false, into: sets });
                    path.push((to, steps.len()));
                    meet(Event::Expand(to, &mut steps))?;
                }
                at => {
                    let mut gathered = sets;
                    while let Some(later) = segments.pop_if(|segment| segment.start > at) {
                        gathered |= later.sets | later.into;
                    }
                    let segment = segments.last_mut().expect("the target is in a segment");
                    segment.cyclic = true;
                    segment.sets |= gathered;
                    let (start, sets) = (segment.start as usize, segment.sets);
                    meet(Event::Connected(&stack[start..], sets))?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::cyclic_components;

    #[test]
    fn components_are_what_reaches_each_other() {
        random::for_seeds(0..500, |_, random| {
            let nodes = 1 + random.below(9);
            let steps: Vec<(usize, usize)> = (0..random.below(2 * nodes + 1))
                .map(|_| (random.below(nodes), random.below(nodes)))
                .collect();
            // Who is reached by at least one step.
            let mut reached = vec![vec![false; nodes]; nodes];
            steps.iter().for_each(|&(from, to)| reached[from][to] = true);
            for by in 0..nodes {
                for from in 0..nodes {
                    for to in 0..nodes {
                        reached[from][to] |= reached[from][by] && reached[by][to];
                    }
                }
            }
            let mut numbers = Vec::new();
            #[expect(clippy::needless_range_loop, reason = "nodes are numbers")]
            for node in 0..nodes {
                let known = (0..node).find(|&other| reached[other][node] && reached[node][other]);
                let next = numbers.iter().flatten().max().map_or(0, |most| most + 1);
                numbers.push(match known {
                    Some(other) => numbers[other],
                    None => reached[node][node].then_some(next),
                });
            }
            let successors = |node: u32| {
                let own = steps.iter().filter(move |step| step.0 == node as usize);
                own.map(|step| step.1 as u32).collect::<Vec<_>>()
            };
            assert_eq!(cyclic_components(nodes as u32, successors), numbers, "{steps:?}");
        });
    }
}
