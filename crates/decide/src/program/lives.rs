//! The threads of states, each by itself, and what becomes of them move by move.

use budget::Exhausted;
use check::{Fate, Individuals, Move, Moves};
use explore::{StateId, Store};
use machine::{Heap, Machine, Step};
use rustc_hash::FxHashMap;

/// The threads of the states of a graph. What was found is kept.
pub(super) struct Population<'p, 'c> {
    machine: &'p mut Machine<'c>,
    store: &'p Store,
    known: FxHashMap<u32, Moves>,
}

impl<'p, 'c> Population<'p, 'c> {
    pub(super) fn new(machine: &'p mut Machine<'c>, store: &'p Store) -> Population<'p, 'c> {
        Population { machine, store, known: FxHashMap::default() }
    }

    /// The objects of a state that are threads which run.
    fn threads(&self, state: &[u8]) -> Vec<u32> {
        let mut heap = Heap::default();
        self.machine.build(state, &mut heap);
        self.machine.running(&heap)
    }

    fn look(&mut self, state: u32) -> Moves {
        let bytes = self.store.get(StateId(state));
        let threads = self.threads(bytes);
        let mut moves = Moves { enabled: vec![false; threads.len()], moves: Vec::new() };
        for Step { label, acting, becomes, state: next, .. } in self.machine.steps(bytes) {
            let Ok(becomes) = becomes else { continue };
            let target = self.store.find(&next).expect("the state was expanded");
            let there = self.threads(&next);
            let fates = threads.iter().enumerate().map(|(number, thread)| {
                let acts = acting.contains(thread);
                moves.enabled[number] |= acts;
                let object = becomes[*thread as usize];
                let becomes = object.and_then(|object| there.binary_search(&object).ok());
                Fate { acts, becomes: becomes.map(|number| number as u32) }
            });
            let fates = fates.collect();
            moves.moves.push(Move { label, target: target.0, fates });
        }
        moves
    }
}

impl Individuals for Population<'_, '_> {
    fn moves(&mut self, state: u32) -> Result<&Moves, Exhausted> {
        if !self.known.contains_key(&state) {
            let known = self.look(state);
            self.known.insert(state, known);
        }
        Ok(&self.known[&state])
    }
}
