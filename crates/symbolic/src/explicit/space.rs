//! A symmetric net as a space of symbolic markings.

use std::sync::Arc;

use budget::{Budget, Exhausted};
use explore::{Space, Standing, Successors};
use num_bigint::BigUint;

use crate::explicit::bind::{Binder, ON};
use crate::explicit::compile::{Given, compile};
use crate::explicit::expansion::Expansion;
use crate::explicit::fire::Firing;
use crate::explicit::marking::{Component, Marking, elements};
use crate::explicit::memo::{Advice, Memo};
use crate::explicit::order::Order;
use crate::explicit::packed::{Packer, Read, parts};
use crate::explicit::regroup::Regroup;
use crate::explicit::rules::{Kind, Rules};
use crate::word::{dynamic, nth};
use crate::{Fault, Flaw, PlaceId, SymmetricNet};

/// A symmetric net that is ready to be explored.
#[derive(Clone, Debug)]
pub struct Symbolic {
    pub(crate) rules: Arc<Rules>,
}

impl Symbolic {
    /// Makes a net ready.
    ///
    /// # Errors
    ///
    /// All flaws of the net, if it has any.
    pub fn new(net: &SymmetricNet) -> Result<Self, Vec<Flaw>> {
        let flaws = net.flaws();
        if !flaws.is_empty() {
            return Err(flaws);
        }
        Ok(Self::compiled(net, &Budget::unlimited()).expect("there is no limit"))
    }

    /// Makes a net ready that has no flaws.
    pub(crate) fn compiled(net: &SymmetricNet, budget: &Budget) -> Result<Self, Exhausted> {
        Ok(Self { rules: Arc::new(compile(net, Given::Marking, budget)?) })
    }

    /// Its symbolic markings, to be [explored](explore::explore()). One for each worker.
    #[must_use]
    pub fn space(&self) -> SymbolicSpace {
        SymbolicSpace::new(self.rules.clone(), true, Regroup::default())
    }

    /// A space that tells all sizes apart when it orders subclasses, keeps no memo, and compares
    /// elements with only this many bits of signature. It finds the same, as tests show.
    #[doc(hidden)]
    #[must_use]
    pub fn plain_space(&self, signature_bits: u32) -> SymbolicSpace {
        let regroup = Regroup::with_signature_bits(signature_bits);
        SymbolicSpace::new(self.rules.clone(), false, regroup)
    }
}

/// The symbolic markings of a net, as canonical bytes; labels are those of transitions, and
/// modes are symbolic bindings.
///
/// The bytes of a marking depend on nothing but the net and the marking up to who is who.
#[derive(Debug)]
pub struct SymbolicSpace {
    pub(crate) rules: Arc<Rules>,
    /// The marking that is fired.
    pub(crate) source: Read,
    pub(crate) packer: Packer,
    binder: Binder,
    firing: Firing,
    pub(crate) regroup: Regroup,
    order: Order,
    pub(crate) memo: Memo,
    /// The sizes of the free subclasses of the marking at hand.
    pub(crate) free: Vec<u32>,
    /// By place, the most tokens that a step has left there, where all places are over plain classes.
    most: Vec<u64>,
}

impl SymbolicSpace {
    fn new(rules: Arc<Rules>, abstracting: bool, regroup: Regroup) -> Self {
        let caps = rules.classes.iter().map(|class| class.threshold.saturating_add(class.named));
        let most = vec![0; rules.places.len()];
        Self {
            memo: Memo::new(caps.max().unwrap_or(0)),
            rules,
            source: Read::default(),
            packer: Packer::default(),
            binder: Binder::default(),
            firing: Firing::default(),
            regroup,
            order: Order::new(abstracting),
            free: Vec::new(),
            most,
        }
    }

    /// Reads the marking that canonical bytes stand for.
    #[must_use]
    pub fn decode(&mut self, bytes: &[u8]) -> Marking {
        self.packer.read(&self.rules, bytes, &mut self.source);
        self.source.marking.clone()
    }

    /// The canonical bytes of a marking whose dynamic subclasses are as large as can be.
    #[must_use]
    pub fn encode(&mut self, marking: &Marking) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.order.find(&self.rules, marking);
        self.packer.write(&self.rules, marking, &self.order, None, &mut bytes);
        bytes
    }

    /// Calls `visit` for each entry of a place of a marking: its count and components.
    pub fn for_each_entry(
        &self,
        marking: &Marking,
        place: PlaceId,
        mut visit: impl FnMut(u32, &[Component]),
    ) {
        let info = &self.rules.places[place.0 as usize];
        for entry in marking.all_entries(place.0, info) {
            let words = entry[1..].iter().zip(&info.columns);
            let components = words.map(|(&word, column)| match column.kind {
                Kind::Symmetric => Component::Some { of: dynamic(word), nth: nth(word) },
                _ => Component::Element(word),
            });
            visit(entry[0], &components.collect::<Vec<_>>());
        }
    }

    /// The places whose tokens can change: others hold what they hold initially, and are no part of
    /// [`Marking`]s.
    pub fn changing_places(&self) -> impl Iterator<Item = PlaceId> {
        self.rules.moving.iter().map(|&id| PlaceId(id))
    }

    /// The largest number of tokens in each place, over all markings that this space has given so far:
    /// the initial one, and those found by expanding. `None` in a net where that is not known without
    /// looking at them again, because a place has a component that is not of a plain class.
    ///
    /// A place that a step does not change has been seen with as many tokens before, so only changes
    /// are looked at.
    #[must_use]
    pub fn most_tokens_found(&self) -> Option<&[u64]> {
        (self.rules.plain == self.rules.moving.len()).then_some(&self.most[..])
    }

    /// The number of automorphisms of a marking.
    pub(crate) fn automorphisms(&mut self, state: &[u8]) -> BigUint {
        self.read(state);
        self.order.find(&self.rules, &self.source.marking);
        self.order.exact_automorphisms(&self.rules, &self.source.marking)
    }

    /// Reads a marking.
    pub(crate) fn read(&mut self, state: &[u8]) {
        self.packer.read(&self.rules, state, &mut self.source);
    }

    /// Fires all that is enabled, and records it in the memo if asked to.
    fn fire_all(
        &mut self,
        state: &[u8],
        found: &mut Successors,
        record: bool,
    ) -> Result<(), Fault> {
        self.read(state);
        let Self { rules, source, packer, binder, firing, regroup, order, memo, most, .. } = self;
        let mut expansion = Expansion {
            rules,
            state,
            source,
            transition: 0,
            packer,
            firing,
            regroup,
            order,
            memo: record.then_some(&mut *memo),
            most,
            found,
            fault: None,
            cut_short: false,
        };
        let marking = &source.marking;
        for (index, transition) in rules.transitions.iter().enumerate() {
            expansion.transition = index;
            if binder.for_each_binding(rules, marking, transition, &mut expansion).is_break() {
                break;
            }
        }
        let Expansion { fault, cut_short, .. } = expansion;
        if record {
            let mut most = 0;
            let bindings = (!cut_short && fault.is_none()).then(|| {
                let bindings = memo.end_count();
                for (id, place) in rules.places.iter().enumerate() {
                    if let Some(fixed) = &place.fixed {
                        memo.count(fixed.tokens, std::iter::empty(), &[], &[]);
                        most = fixed.most.max(most);
                    }
                    for entry in marking.entries(id as u32, place.stride()) {
                        let elements = elements(place, &entry[1..]);
                        memo.count(entry[0].into(), elements, &marking.sizes, &source.free);
                        most = entry[0].max(most);
                    }
                    memo.end_count();
                }
                bindings
            });
            memo.finish(bindings, most);
        }
        fault.map_or(Ok(()), Err)
    }

    /// Calls `visit` with each enabled symbolic binding of the marking read: how many elements of
    /// each dynamic subclass it names.
    pub(crate) fn for_each_enabled(&mut self, mut visit: impl FnMut(&Marking, &[u32])) {
        let Self { rules, source, binder, firing, .. } = self;
        let marking = &source.marking;
        for transition in &rules.transitions {
            let _ =
                binder.for_each_binding(rules, marking, transition, &mut |binder: &mut Binder| {
                    let inhibitors = &transition.inhibitors;
                    if !inhibitors.iter().any(|i| binder.is_inhibited(rules, marking, i))
                        && firing.is_enabled(rules, marking, transition, binder) == Ok(true)
                    {
                        visit(marking, &binder.named);
                    }
                    ON
                });
        }
    }
}

impl Space for SymbolicSpace {
    type Fault = Fault;

    fn initial(&mut self, found: &mut Successors) -> Result<(), Fault> {
        self.firing.initial(&self.rules)?;
        self.order.find(&self.rules, &self.firing.target);
        let bytes = found.buffer();
        self.packer.write(&self.rules, &self.firing.target, &self.order, None, bytes);
        let mut counts = Vec::new();
        self.count_tokens_in_places(found.buffer(), &mut counts);
        self.most.iter_mut().zip(counts).for_each(|(most, count)| *most = count.max(*most));
        found.commit(0, 1);
        Ok(())
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, Fault> {
        let shape = parts(state, &mut self.free);
        match self.memo.advice(shape, &self.free) {
            Advice::Recall(facts) => self.memo.replay(facts, &self.free, found),
            Advice::Record => self.fire_all(state, found, true)?,
            Advice::Fire => self.fire_all(state, found, false)?,
        }
        Ok(Standing::Alive)
    }

    fn allocated_bytes(&self) -> u64 {
        self.memo.allocated_bytes() as u64
    }
}
