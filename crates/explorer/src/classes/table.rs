//! The graph of classes, as far as it is known.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::MOST_CLASSES;

/// A class.
#[derive(Debug)]
pub(crate) struct Class {
    /// Canonical bytes.
    pub(crate) bytes: Arc<[u8]>,
    /// What people read.
    pub(crate) text: Arc<str>,
    /// Label and class, in order, if they are known.
    pub(crate) successors: Option<Vec<(u32, u32)>>,
    /// What it is; known with its successors.
    pub(crate) kind: ClassKind,
}

/// What a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassKind {
    /// It goes on, or that is not known.
    Inner,
    Deadlock,
    Terminated,
    /// Something goes wrong.
    Fault,
}

/// The classes that are known.
#[derive(Debug, Default)]
pub(crate) struct Table {
    numbers: HashMap<Arc<[u8]>, u32>,
    classes: Vec<Class>,
}

impl Table {
    /// The class of the initial state.
    pub(crate) const INITIAL: u32 = 0;

    pub(crate) fn len(&self) -> usize {
        self.classes.len()
    }

    /// The number of the class with these bytes.
    pub(crate) fn find(&self, bytes: &[u8]) -> Option<u32> {
        self.numbers.get(bytes).copied()
    }

    pub(crate) fn class(&self, id: u32) -> Option<&Class> {
        self.classes.get(id as usize)
    }

    /// Adds a class, unless it is known, and gives its number; none if there is no room for another.
    pub(super) fn add(&mut self, bytes: Vec<u8>, text: String) -> Option<u32> {
        if let Some(known) = self.find(&bytes) {
            return Some(known);
        }
        if self.len() >= MOST_CLASSES {
            return None;
        }
        let (bytes, id): (Arc<[u8]>, _) = (bytes.into(), self.len() as u32);
        self.numbers.insert(bytes.clone(), id);
        let kind = ClassKind::Inner;
        self.classes.push(Class { bytes, text: text.into(), successors: None, kind });
        Some(id)
    }

    /// Notes what follows a class.
    pub(super) fn grow(&mut self, id: u32, successors: Vec<(u32, u32)>, kind: ClassKind) {
        let class = &mut self.classes[id as usize];
        class.successors = Some(successors);
        class.kind = kind;
    }

    /// What is known to follow a class: label and class.
    pub(crate) fn successors(&self, id: u32) -> &[(u32, u32)] {
        self.classes[id as usize].successors.as_deref().unwrap_or_default()
    }

    /// How many steps there are at least from a class to each other, by what is known.
    pub(crate) fn distances(&self, from: u32) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.len()];
        distances[from as usize] = Some(0);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((id, distance)) = queue.pop_front() {
            for &(_, to) in self.successors(id) {
                if distances[to as usize].is_none() {
                    distances[to as usize] = Some(distance + 1);
                    queue.push_back((to, distance + 1));
                }
            }
        }
        distances
    }

    /// The classes on a shortest way from one to another, by what is known, without the first.
    pub(crate) fn way(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let mut before = vec![None; self.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(id) = queue.pop_front() {
            if id == to {
                break;
            }
            for &(_, next) in self.successors(id) {
                if next != from && before[next as usize].is_none() {
                    before[next as usize] = Some(id);
                    queue.push_back(next);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = to;
        while at != from {
            way.push(at);
            at = before[at as usize]?;
        }
        way.reverse();
        Some(way)
    }

    /// Which classes are connected with these by what is known, whatever the direction.
    pub(crate) fn connected(&self, with: &[u32]) -> Vec<bool> {
        let mut neighbours = vec![Vec::new(); self.len()];
        for from in 0..self.len() as u32 {
            for &(_, to) in self.successors(from) {
                neighbours[from as usize].push(to);
                neighbours[to as usize].push(from);
            }
        }
        let mut is_connected = vec![false; self.len()];
        let mut open = with.to_vec();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut is_connected[id as usize], true) {
                open.extend(&neighbours[id as usize]);
            }
        }
        is_connected
    }

    /// For each class the number of its strongly connected component, by what is known; none if it is on no cycle.
    pub(crate) fn components(&self) -> Vec<Option<u32>> {
        check::cyclic_components(self.len() as u32, |id| {
            self.successors(id).iter().map(|(_, to)| *to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::Random;

    fn table(edges: &[(u32, u32)], count: u32) -> Table {
        let mut table = Table::default();
        for id in 0..count {
            table.add(id.to_le_bytes().to_vec(), String::new());
        }
        for id in 0..count {
            let own = edges.iter().filter(|(from, _)| *from == id).map(|(_, to)| (0, *to));
            table.grow(id, own.collect(), ClassKind::Inner);
        }
        table
    }

    #[test]
    fn ways_are_shortest() {
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let count = 1 + random.below(8) as u32;
            let edges: Vec<(u32, u32)> = (0..random.below(14))
                .map(|_| (random.below(count as usize) as u32, random.below(count as usize) as u32))
                .collect();
            let table = table(&edges, count);
            let distances = table.distances(0);
            for to in 0..count {
                let way = table.way(0, to);
                let length = way.as_ref().map(|way| way.len() as u32);
                assert_eq!(length, distances[to as usize], "seed {seed}, to {to}");
                let mut at = 0;
                for next in way.into_iter().flatten() {
                    assert!(edges.contains(&(at, next)), "seed {seed}, to {to}");
                    at = next;
                }
            }
        }
    }
}
