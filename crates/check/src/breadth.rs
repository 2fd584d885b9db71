//! Shortest paths, breadth-first.

use std::hash::Hash;

use budget::{Budget, Exhausted};
use rustc_hash::FxHashSet;

/// A path: where it starts, and the steps with their targets.
pub(crate) type Path<N, E> = (N, Vec<(E, N)>);

/// A shortest path from one of some nodes to where `is_end` says so: it is asked of each start, and of each
/// step and its target. `steps` adds those from a node. Cost: the steps from the nodes that are no
/// farther away, each node hashed once for every step to it.
pub(crate) fn shortest<N: Copy + Eq + Hash, E: Copy>(
    starts: impl IntoIterator<Item = N>,
    mut steps: impl FnMut(N, &mut Vec<(E, N)>) -> Result<(), Exhausted>,
    mut is_end: impl FnMut(Option<E>, N) -> bool,
    budget: &Budget,
) -> Result<Option<Path<N, E>>, Exhausted> {
    // Each node with the step that led to it, and the position of where it came from.
    let mut found: Vec<(N, Option<(E, u32)>)> = Vec::new();
    let mut seen: FxHashSet<N> = FxHashSet::default();
    for start in starts {
        if seen.insert(start) {
            if is_end(None, start) {
                return Ok(Some((start, Vec::new())));
            }
            found.push((start, None));
        }
    }
    let mut buffer = Vec::new();
    let mut at = 0;
    while at < found.len() {
        steps(found[at].0, &mut buffer)?;
        budget.check()?;
        for (step, to) in buffer.drain(..) {
            if is_end(Some(step), to) {
                let mut path = vec![(step, to)];
                let mut here = at;
                while let (node, Some((step, before))) = found[here] {
                    path.push((step, node));
                    here = before as usize;
                }
                path.reverse();
                return Ok(Some((found[here].0, path)));
            }
            if seen.insert(to) {
                found.push((to, Some((step, at as u32))));
            }
        }
        at += 1;
    }
    Ok(None)
}
