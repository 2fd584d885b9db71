//! Strongly connected components, found while the graph is.
//!
//! The path-based algorithm (Dijkstra 1976, Gabow 2000) without recursion, with acceptance sets gathered on
//! the way (Couvreur 1999). The nodes that are not yet in a finished component are on a stack, in the order
//! in which they were found; `segments` cuts it into segments, each strongly connected by the steps that
//! were looked at so far. A step back into a segment makes one of it and of all that come after it; when
//! the first node of the last segment has no steps left, the segment is a component.
//!
//! Cost: linear in the steps. Four bytes for each node, 16 for each step from the nodes on the path.

use std::ops::ControlFlow;

/// What is done with a graph as it is searched. Steps are pairs of a target and of acceptance sets, as bits.
pub(crate) trait Search {
    /// What a search that ends early ends with.
    type End;

    /// Adds the steps from a node. Each node is asked for once.
    fn expand(&mut self, node: u32, steps: &mut Vec<(u32, u64)>) -> ControlFlow<Self::End>;

    /// These nodes are strongly connected, by at least one step, and steps among them are in these sets.
    /// There may be more of the same component.
    fn connected(&mut self, _nodes: &[u32], _sets: u64) -> ControlFlow<Self::End> {
        ControlFlow::Continue(())
    }

    /// A component.
    fn component(&mut self, component: Component<'_>) -> ControlFlow<Self::End>;
}

/// A strongly connected component.
pub(crate) struct Component<'a> {
    pub(crate) nodes: &'a [u32],
    /// The acceptance sets of the steps inside it.
    pub(crate) sets: u64,
    /// Whether there is a step inside it.
    pub(crate) cyclic: bool,
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

/// Searches what can be reached from some nodes.
pub(crate) fn search<S: Search>(
    roots: impl IntoIterator<Item = u32>,
    search: &mut S,
) -> ControlFlow<S::End> {
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
                search.component(Component {
                    nodes,
                    sets: segment.sets,
                    cyclic: segment.cyclic,
                })?;
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
                    search.expand(to, &mut steps)?;
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
                    search.connected(&stack[start..], sets)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}
