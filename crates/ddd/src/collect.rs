//! Collection of garbage: mark and sweep.
//!
//! Roots are the diagrams and homomorphisms that the user holds, and the arcs on the forest's
//! stack. A homomorphism keeps alive its parts, its splits and the diagrams in it. Results in the
//! cache stay if everything they name does. Nodes do not move.
//!
//! Costs a visit to all living nodes and a pass over all memory.

use crate::Forest;
use crate::arena::Id;
use crate::sets::SET_OPERATIONS;
use crate::term::{HomId, IDENTITY, NOTHING};

impl Forest {
    /// Frees all that can no longer be named. Happens by itself when it is due.
    pub fn collect(&mut self) {
        self.collect_garbage();
    }

    pub(crate) fn collect_garbage(&mut self) {
        self.collections += 1;
        let marked = self.mark_terms();
        // Values of users' homomorphisms are dropped here, and what they held with them: that
        // goes before the roots are asked for.
        self.terms.sweep(&marked);
        self.splits.sweep(&marked);
        self.mark_nodes(&marked);
        let Self { nodes, cache, .. } = self;
        cache.retain(|key, result| {
            let operation = key.op < SET_OPERATIONS || marked[(key.op - SET_OPERATIONS) as usize];
            operation && nodes.marked(key.a) && nodes.marked(key.b) && nodes.marked(result)
        });
        self.nodes.sweep();
        self.plan_collection();
    }

    fn mark_terms(&mut self) -> Vec<bool> {
        let needs = self.splits.needs();
        let mut marked = vec![false; self.terms.end()];
        let mut open: Vec<HomId> = self.homs.roots().collect();
        open.extend([IDENTITY, NOTHING]);
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut marked[id as usize], true) {
                continue;
            }
            open.extend(self.terms.parts(id));
            let from = needs.partition_point(|(of, _)| *of < id);
            let own = needs[from..].iter().take_while(|(of, _)| *of == id);
            open.extend(own.map(|(_, need)| need));
        }
        marked
    }

    fn mark_nodes(&mut self, marked: &[bool]) {
        let mut open: Vec<Id> = self.diagrams.roots().collect();
        open.extend(self.stack.iter().map(|arc| arc.child));
        let living = (0..marked.len()).filter(|id| marked[*id]);
        open.extend(living.filter_map(|id| self.terms.diagram(id as HomId)));
        open.retain(|id| self.nodes.mark(*id));
        while let Some(id) = open.pop() {
            for i in 0..self.nodes.width(id) {
                let child = self.nodes.arc(id, i).child;
                if self.nodes.mark(child) {
                    open.push(child);
                }
            }
        }
    }
}
