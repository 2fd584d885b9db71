//! From a binding to the canonical bytes of the marking it leads to.

use explore::Successors;

use crate::Fault;
use crate::explicit::bind::{Binder, Flow, ON, Sink};
use crate::explicit::fire::Firing;
use crate::explicit::memo::{Memo, Size};
use crate::explicit::order::Order;
use crate::explicit::packed::{Packer, Read, Unchanged, parts};
use crate::explicit::regroup::Regroup;
use crate::explicit::rules::Rules;
use crate::explicit::split::NONE;

/// A marking that is being expanded: each binding is fired, and the target written.
pub(crate) struct Expansion<'a> {
    pub(crate) rules: &'a Rules,
    /// Its bytes, and what was read from them.
    pub(crate) state: &'a [u8],
    pub(crate) source: &'a Read,
    /// The transition at hand, by its index.
    pub(crate) transition: usize,
    pub(crate) packer: &'a mut Packer,
    pub(crate) firing: &'a mut Firing,
    pub(crate) regroup: &'a mut Regroup,
    pub(crate) order: &'a mut Order,
    /// The memo, if moves are to be recorded.
    pub(crate) memo: Option<&'a mut Memo>,
    /// By place, the most tokens that a step has left there; not kept for places that are not plain.
    pub(crate) most: &'a mut [u64],
    pub(crate) found: &'a mut Successors,
    pub(crate) fault: Option<Fault>,
    /// Whether the search is over, so that there may be more successors.
    pub(crate) cut_short: bool,
}

impl Sink for Expansion<'_> {
    fn bound(&mut self, binder: &mut Binder) -> Flow {
        if self.is_enough() {
            return Flow::Break(());
        }
        let (rules, marking) = (self.rules, &self.source.marking);
        let transition = &rules.transitions[self.transition];
        if transition.inhibitors.iter().any(|i| binder.is_inhibited(rules, marking, i)) {
            return ON;
        }
        let enabled = self.firing.is_enabled(rules, marking, transition, binder);
        if enabled == Ok(false) {
            return ON;
        }
        let fired = enabled.and_then(|_| self.firing.fire(rules, marking, transition));
        if let Err(fault) = fired {
            self.fault = Some(fault);
            return Flow::Break(());
        }
        let target = &mut self.firing.target;
        self.regroup.regroup(rules, target, &self.firing.split.singles);
        self.order.find(rules, target);
        let bytes = self.found.buffer();
        for &i in &transition.changes {
            let id = rules.moving[i as usize];
            let entries = target.entries(id, rules.places[id as usize].stride());
            let tokens: u64 = entries.map(|entry| u64::from(entry[0])).sum();
            self.most[id as usize] = tokens.max(self.most[id as usize]);
        }
        let (state, read, changes) = (self.state, self.source, &transition.changes[..]);
        let unchanged = Some(Unchanged { state, read, changes });
        self.packer.write(rules, target, self.order, unchanged, bytes);
        if let Some(memo) = &mut self.memo {
            let named = binder.named.iter().zip(0..).map(|(&named, z)| (z, named));
            memo.count(1, named, &marking.sizes, &self.source.free);
            record_move(memo, transition.label, bytes, self.source, self.firing, self.order);
        }
        self.found.commit(transition.label, 1);
        ON
    }

    fn is_enough(&mut self) -> bool {
        self.cut_short |= self.found.enough();
        self.cut_short
    }
}

/// Records a move in the memo, given the bytes of the target.
fn record_move(
    memo: &mut Memo,
    label: u32,
    bytes: &[u8],
    source: &Read,
    firing: &Firing,
    order: &Order,
) {
    let mut sizes = Vec::new();
    for (&z, &free) in order.order.iter().zip(&order.free) {
        let size = firing.target.sizes[z as usize];
        let origin = firing.split.origin[z as usize];
        let from = source.free.binary_search(&origin).ok().filter(|_| origin != NONE);
        let before = |from: usize| source.marking.sizes[source.free[from] as usize];
        match (from, free) {
            (Some(from), true) => {
                sizes.push(Size::Free(from as u32, size.wrapping_sub(before(from))));
            }
            (Some(from), false) => {
                if memo.is_cut(before(from)) {
                    memo.give_up();
                }
            }
            (None, true) => sizes.push(Size::Constant(size)),
            (None, false) => {}
        }
    }
    let mut counted = Vec::new();
    memo.record(label, parts(bytes, &mut counted), &sizes);
}
