//! The graph through which paths are chosen, and what its arcs cover.
//!
//! Where actions or states are to be covered, its nodes are the states. Where pairs of actions are, a node is a state
//! together with the action that has led there, so that the arc by which the next action leaves it covers one pair. There
//! are at most as many such nodes as edges between states, and one.

use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;

/// What can be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// An action.
    Action(u32),
    /// An action, and one right after it.
    Pair(u32, u32),
    /// A state.
    State(u32),
}

/// An arc of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The label of the edge that it stands for.
    pub label: u32,
    /// The state that it leads to.
    pub state: u32,
    /// The node that it leads to.
    pub(crate) to: u32,
    /// The number of the item that it covers, or [`NOTHING`].
    pub(crate) item: u32,
}

/// The number of no item, of no node and of no arc.
pub(crate) const NOTHING: u32 = u32::MAX;

/// How many arcs are made between two looks at the budget.
const BETWEEN_LOOKS: usize = 1 << 12;

/// A graph of which something is to be covered. Node 0 is the start.
#[derive(Debug)]
pub struct Graph {
    arcs: Vec<Arc>,
    /// Where the arcs of each node end.
    ends: Vec<usize>,
    items: Vec<Item>,
    /// Whether the first item is covered before the first step.
    is_first_at_start: bool,
}

impl Graph {
    /// The graph of which every action is to be covered. State 0 is the start, `successors` gives the edges of a state as
    /// (label, target), and `action_of` says which action a label is.
    ///
    /// # Errors
    /// If the budget is used up before.
    pub fn of_actions<I: Iterator<Item = (u32, u32)>>(
        states: u32,
        successors: impl Fn(u32) -> I,
        action_of: impl Fn(u32) -> u32,
        budget: &Budget,
    ) -> Result<Graph, Exhausted> {
        Graph::of_states(states, successors, budget, Vec::new(), |label, _| {
            Some(Item::Action(action_of(label)))
        })
    }

    /// The graph of which every state is to be covered that `is_wanted`. What else there is may be gone through.
    ///
    /// # Errors
    /// If the budget is used up before.
    pub fn of_classes<I: Iterator<Item = (u32, u32)>>(
        states: u32,
        successors: impl Fn(u32) -> I,
        is_wanted: impl Fn(u32) -> bool,
        budget: &Budget,
    ) -> Result<Graph, Exhausted> {
        let first = (states > 0 && is_wanted(0)).then_some(Item::State(0));
        Graph::of_states(states, successors, budget, first.into_iter().collect(), |_, state| {
            is_wanted(state).then_some(Item::State(state))
        })
    }

    fn of_states<I: Iterator<Item = (u32, u32)>>(
        states: u32,
        successors: impl Fn(u32) -> I,
        budget: &Budget,
        at_start: Vec<Item>,
        covers: impl Fn(u32, u32) -> Option<Item>,
    ) -> Result<Graph, Exhausted> {
        let mut making = Making::new(at_start, budget);
        for state in 0..states {
            for (label, target) in successors(state) {
                let item = covers(label, target);
                making.arc(label, target, target, item)?;
            }
            making.end_node();
        }
        Ok(making.graph)
    }

    /// The graph of which every two actions are to be covered that can come one right after the other.
    ///
    /// # Errors
    /// If the budget is used up before.
    pub fn of_pairs<I: Iterator<Item = (u32, u32)>>(
        states: u32,
        successors: impl Fn(u32) -> I,
        action_of: impl Fn(u32) -> u32,
        budget: &Budget,
    ) -> Result<Graph, Exhausted> {
        let mut making = Making::new(Vec::new(), budget);
        if states == 0 {
            return Ok(making.graph);
        }
        let mut numbers = FxHashMap::default();
        let mut nodes: Vec<(u32, Option<u32>)> = vec![(0, None)];
        let mut next = 0;
        while let Some(&(state, before)) = nodes.get(next) {
            for (label, target) in successors(state) {
                let action = action_of(label);
                let node = *numbers.entry((target, action)).or_insert_with(|| {
                    nodes.push((target, Some(action)));
                    nodes.len() as u32 - 1
                });
                making.arc(label, target, node, before.map(|before| Item::Pair(before, action)))?;
            }
            making.end_node();
            next += 1;
        }
        Ok(making.graph)
    }

    /// What is to be covered.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// What a path covers, in the order in which it does.
    pub fn covered<'a>(&'a self, path: &'a [Arc]) -> impl Iterator<Item = Item> + 'a {
        let at_start = self.is_first_at_start.then(|| self.items[0]);
        let on_path = path.iter().filter(|arc| arc.item != NOTHING);
        at_start.into_iter().chain(on_path.map(|arc| self.items[arc.item as usize]))
    }

    pub(crate) fn nodes(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn arc(&self, arc: u32) -> Arc {
        self.arcs[arc as usize]
    }

    /// The numbers of the arcs that leave a node.
    pub(crate) fn arcs_of(&self, node: u32) -> std::ops::Range<u32> {
        let start = (node as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        start as u32..self.ends[node as usize] as u32
    }

    /// Whether an item is covered before the first step.
    pub(crate) fn is_at_start(&self, item: u32) -> bool {
        self.is_first_at_start && item == 0
    }
}

/// A graph that is being made.
struct Making<'b> {
    graph: Graph,
    numbers: FxHashMap<Item, u32>,
    budget: &'b Budget,
}

impl<'b> Making<'b> {
    fn new(at_start: Vec<Item>, budget: &'b Budget) -> Making<'b> {
        let numbers = at_start.iter().copied().zip(0..).collect();
        let is_first_at_start = !at_start.is_empty();
        let graph =
            Graph { arcs: Vec::new(), ends: Vec::new(), items: at_start, is_first_at_start };
        Making { graph, numbers, budget }
    }

    fn arc(
        &mut self,
        label: u32,
        state: u32,
        to: u32,
        item: Option<Item>,
    ) -> Result<(), Exhausted> {
        let Making { graph, numbers, budget } = self;
        let arcs = &mut graph.arcs;
        if arcs.len() % BETWEEN_LOOKS == 0 {
            budget.check()?;
        }
        if arcs.len() == arcs.capacity() {
            budget.require((arcs.len() * 2 * size_of::<Arc>()) as u64)?;
        }
        let item = item.map_or(NOTHING, |item| {
            *numbers.entry(item).or_insert_with(|| {
                graph.items.push(item);
                graph.items.len() as u32 - 1
            })
        });
        arcs.push(Arc { label, state, to, item });
        assert!(arcs.len() < NOTHING as usize, "arcs have numbers of 32 bits");
        Ok(())
    }

    fn end_node(&mut self) {
        self.graph.ends.push(self.graph.arcs.len());
    }
}
