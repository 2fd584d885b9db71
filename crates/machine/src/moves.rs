//! Moves that are remembered.
//!
//! What a thread can do depends on its satellite, if it is not a hub, and on the hubs that it looks at. So the moves of each
//! satellite, of each hub that is a thread, and of two of these that meet, are worked out on a heap of just the core and
//! the satellites that take part, and remembered by their *footprint*: which hubs were looked at, in
//! which order, and what was in them. They serve in every core that agrees on these.
//!
//! - A move changes hubs, and gives satellites for those that took part. Where it changes which objects are hubs, or their
//!   names, all other satellites are renamed ([`HubMap`]), and brought into canonical form again: names decide ties.
//! - Footprints need that the names of hubs stay: no move changes a reference from one hub to another. Other moves are
//!   remembered for the core as a whole.
//! - Who polls goes on only if it can meet nobody. That is asked of the whole state, by what pairs can do.
//! - What depends on a bag of a hub as a whole is not known here ([`Entry::elsewhere`]): then the whole state is executed.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::run::Touch;
use crate::satellite::HubMap;

/// Nobody takes part.
pub(crate) const NONE: u32 = u32::MAX;
/// With this bit the name of a hub stands for a thread that is a hub, where otherwise a satellite takes part.
pub(crate) const HUB: u32 = 1 << 31;

/// Whether one who takes part is a satellite.
pub(crate) fn is_satellite(one: u32) -> bool {
    one < HUB
}

/// The hub that takes part, if it is one.
pub(crate) fn hub(one: u32) -> Option<u32> {
    (one != NONE && one >= HUB).then_some(one & !HUB)
}

/// A thread of a state: of a satellite of a number, or of the core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThreadAt {
    /// The satellite, or [`NONE`].
    pub satellite: u32,
    /// Its position there, or its name as a hub.
    pub position: u32,
}

/// What becomes of a thread in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// It is there, in the next state.
    At(ThreadAt),
    Ended,
    Crashed,
}

impl Life {
    /// Where it is, if it runs.
    pub(crate) fn place(self) -> Option<ThreadAt> {
        match self {
            Life::At(place) => Some(place),
            Life::Ended | Life::Crashed => None,
        }
    }
}

/// What can be done.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub label: u32,
    pub to: Target,
    /// Who acts.
    pub acts: Box<[ThreadAt]>,
    /// What becomes of the threads of the satellites that take part, of alike ones of each, and of those hubs of which
    /// something else becomes than the map of hubs says.
    pub lives: Box<[(ThreadAt, Life)]>,
    /// Where those are after it that act, or are born, and run.
    pub onward: Box<[ThreadAt]>,
}

/// What a thread does next, whatever way it goes; of a part of a state, whose objects are its hubs and, with [`LOCAL`](crate::form::LOCAL), those
/// of the satellite.
#[derive(Clone, Debug)]
pub(crate) struct Next {
    pub thread: u32,
    /// Whether it waits: it can do nothing, alone or with others, before something changes of what it looks at.
    pub waits: bool,
    pub touches: Box<[Touch]>,
}

/// An access to a hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HubAccess {
    pub thread: ThreadAt,
    pub hub: u32,
    pub field: u16,
    /// The element of a sequence; nothing if it is to the whole.
    pub index: Option<i64>,
    pub is_write: bool,
    pub is_plain: bool,
}

impl HubAccess {
    /// Whether two accesses, of two threads, race.
    pub(crate) fn conflicts(&self, other: &HubAccess) -> bool {
        let indices = [self.index, other.index];
        (self.hub, self.field) == (other.hub, other.field)
            && !matches!(indices, [Some(one), Some(other)] if one != other)
            && (self.is_write || other.is_write)
            && (self.is_plain || other.is_plain)
    }
}

/// A satellite where hubs are renamed.
#[derive(Debug)]
pub(crate) struct Renamed {
    /// The satellites that it becomes.
    pub satellites: Vec<u32>,
    /// Where its threads are, by their positions before.
    pub threads: Vec<(u32, ThreadAt)>,
}

/// What comes of a move.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// Something goes wrong: the number of the failure.
    Failed(u64),
    /// Hubs become others, satellites stand in the place of those that took part.
    State { change: CoreChange, satellites: Box<[u32]> },
}

/// What becomes of the core.
#[derive(Clone, Debug)]
pub(crate) enum CoreChange {
    /// These hubs change, by the numbers of their strings.
    Rows(Box<[(u32, u32)]>),
    /// It is another core, and hubs are renamed by a map of a number.
    Core(u32, u32),
}

/// What one who polls does if it can meet nobody.
#[derive(Clone, Debug)]
pub(crate) struct Poll {
    pub thread: ThreadAt,
    pub moves: Vec<Move>,
}

/// The moves of a satellite, of a hub, or of two that meet.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    pub moves: Vec<Move>,
    pub polls: Vec<Poll>,
    /// The threads that can meet another one.
    pub meets: Vec<ThreadAt>,
    /// What is accessed of the core, where races are asked for.
    pub accesses: Vec<HubAccess>,
    /// Two threads of this part that race.
    pub race: Option<[ThreadAt; 2]>,
    /// Whether it depends on parts of the state that were not there.
    pub elsewhere: bool,
    /// What each thread does next, where threads run on.
    pub next: Vec<Next>,
}

/// Whose moves they are: up to two satellites or hubs.
pub(crate) type Whose = [u32; 2];

/// A tree of what is looked at.
#[derive(Debug)]
enum Node {
    /// A hub is looked at: where it goes on, by the number of its string.
    Look(u32, FxHashMap<u32, u32>),
    Entry(Arc<Entry>),
}

/// Moves, by their footprints.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    nodes: Vec<Node>,
    roots: FxHashMap<Whose, u32>,
    /// Those that depend on the core as a whole.
    whole: FxHashMap<(u32, [u32; 2]), Arc<Entry>>,
    /// Maps of hubs, with numbers.
    maps: Vec<HubMap>,
    numbers: FxHashMap<HubMap, u32>,
    /// The satellites that one becomes by a map; nothing if it mentions a hub that is lost.
    renamed: FxHashMap<(u32, u32), Option<Arc<Renamed>>>,
}

impl Moves {
    /// What is remembered of a core, whose hubs have strings of these numbers.
    pub(crate) fn get(&self, whose: Whose, core: u32, rows: &[u32]) -> Option<Arc<Entry>> {
        let mut at = self.roots.get(&whose).copied();
        while let Some(node) = at {
            match &self.nodes[node as usize] {
                Node::Entry(entry) => return Some(Arc::clone(entry)),
                Node::Look(hub, ways) => {
                    let row = rows.get(*hub as usize);
                    at = row.and_then(|row| ways.get(row).copied());
                }
            }
        }
        self.whole.get(&(core, whose)).cloned()
    }

    /// Remembers moves for the core as a whole.
    pub(crate) fn put_whole(&mut self, whose: Whose, core: u32, entry: Arc<Entry>) {
        self.whole.insert((core, whose), entry);
    }

    /// Remembers moves by the hubs that were looked at, in this order.
    pub(crate) fn put(&mut self, whose: Whose, rows: &[u32], looked_at: &[u32], entry: Arc<Entry>) {
        let leaf = self.nodes.len() as u32;
        self.nodes.push(Node::Entry(entry));
        let Some(root) = self.roots.get(&whose) else {
            let first = self.path(rows, looked_at, leaf);
            self.roots.insert(whose, first);
            return;
        };
        let mut at = *root as usize;
        for (number, hub) in looked_at.iter().enumerate() {
            let Node::Look(other, ways) = &self.nodes[at] else {
                unreachable!("who looks at less knows less")
            };
            assert_eq!(other, hub, "what is looked at next depends on what was seen");
            match ways.get(&rows[*hub as usize]) {
                Some(next) => at = *next as usize,
                None => {
                    let next = self.path(rows, &looked_at[number + 1..], leaf);
                    let Node::Look(_, ways) = &mut self.nodes[at] else { unreachable!("it was") };
                    ways.insert(rows[*hub as usize], next);
                    return;
                }
            }
        }
        unreachable!("it was not known");
    }

    /// A path on which hubs are looked at, to a node.
    fn path(&mut self, rows: &[u32], looked_at: &[u32], leaf: u32) -> u32 {
        let mut next = leaf;
        for hub in looked_at.iter().rev() {
            let ways = [(rows[*hub as usize], next)].into_iter().collect();
            next = self.nodes.len() as u32;
            self.nodes.push(Node::Look(*hub, ways));
        }
        next
    }

    /// The bytes that are held, roughly.
    pub(crate) fn allocated_bytes(&self) -> u64 {
        let nodes = self.nodes.len() * (size_of::<Node>() + 48);
        (nodes + self.whole.capacity() * 256 + self.renamed.capacity() * 96) as u64
    }

    /// The number of a map.
    pub(crate) fn map_number(&mut self, map: HubMap) -> u32 {
        let Moves { maps, numbers, .. } = self;
        *numbers.entry(map).or_insert_with_key(|map| {
            maps.push(map.clone());
            maps.len() as u32 - 1
        })
    }

    pub(crate) fn map(&self, number: u32) -> &HubMap {
        &self.maps[number as usize]
    }

    /// What a satellite becomes by a map, if that is known: nothing if it mentions a hub that is lost.
    pub(crate) fn renamed(&self, map: u32, satellite: u32) -> Option<Option<Arc<Renamed>>> {
        self.renamed.get(&(map, satellite)).cloned()
    }

    pub(crate) fn put_renamed(&mut self, map: u32, satellite: u32, to: Option<Arc<Renamed>>) {
        self.renamed.insert((map, satellite), to);
    }
}
