//! The forest: everything that diagrams and homomorphisms are kept in.

use std::sync::atomic::{AtomicU32, Ordering};

use budget::{Account, Exhausted};

use crate::arena::{Arc, Id, MAX_VARIABLE, ONE, TOP, ZERO};
use crate::cache::{Cache, Key};
use crate::handle::Handles;
use crate::split::Splits;
use crate::stack::Stack;
use crate::term::Terms;
use crate::unique::Nodes;
use crate::within::Anything;
use crate::{Ddd, Error, Hom, Limits, Result, Value, Variable};

/// A forest of diagrams that share all that is equal, with the homomorphisms on them.
///
/// # Memory
///
/// Nodes live in one vector and are found by a hash table, results in a cache of bounded size.
/// Garbage is collected as [`Limits::collect_at`] says, also in the middle of an
/// application: handles ([`Ddd`], [`Hom`]) keep alive what the user holds, and the evaluation
/// knows what it is still working on. When [`Limits::memory`] is reached, the operation ends with
/// [`Exhausted::Memory`] and the forest can be used as before.
///
/// # Depth
///
/// Operations recurse over the length of sequences. They begin on the stack of the caller, of
/// which they use a quarter of a mebibyte. If that is not enough, they begin again, with what
/// the cache knows by then, in a thread of their own with a stack of [`Limits::stack`] bytes, of
/// which the system provides only what is used; the caller waits. Each level takes a few hundred
/// bytes. If that is not enough either, the operation ends with [`Error::Depth`].
///
/// # Panics
///
/// All operations panic when they are given a handle of another forest.
#[derive(Debug)]
pub struct Forest {
    pub(crate) nodes: Nodes,
    pub(crate) cache: Cache,
    pub(crate) terms: Terms,
    pub(crate) splits: Splits,
    pub(crate) diagrams: Handles<Ddd>,
    pub(crate) homs: Handles<Hom>,
    /// Arcs of nodes being built. Their children are what the evaluation needs alive; whatever
    /// is needed across a possible collection is put here.
    pub(crate) stack: Vec<Arc>,
    pub(crate) limits: Limits,
    /// Bytes that the forest may take: as the limits say, and as the budget leaves.
    memory: usize,
    /// What the forest holds.
    account: Account,
    /// Bytes that nodes may take.
    pub(crate) node_limit: usize,
    pub(crate) depth: Stack,
    /// Steps until limits are looked at again.
    fuel: u32,
    /// Steps left to the operation under way.
    pub(crate) steps: u64,
    /// Bytes that are neither in nodes nor in the cache, as last measured.
    aside: usize,
    /// Nodes and homomorphisms, and bytes in them, at which garbage is collected.
    collect_at: (usize, usize),
    /// Nodes at which it is collected if their table is crowded.
    crowd_at: usize,
    pub(crate) collections: u64,
}

const FUEL: u32 = 1 << 12;

/// What a forest holds, and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes there are, garbage included, terminals not.
    pub nodes: usize,
    /// The most nodes there were at once.
    pub peak_nodes: usize,
    /// Bytes held: nodes, their table, the cache and the homomorphisms.
    pub bytes: usize,
    /// Collections of garbage.
    pub collections: u64,
    /// Results found in the cache.
    pub cache_hits: u64,
    /// Results that were not there.
    pub cache_misses: u64,
}

impl Default for Forest {
    fn default() -> Self {
        Self::new()
    }
}

impl Forest {
    /// An empty forest with the usual limits.
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// An empty forest.
    pub fn with_limits(limits: Limits) -> Self {
        static FORESTS: AtomicU32 = AtomicU32::new(0);
        let number = FORESTS.fetch_add(1, Ordering::Relaxed);
        let mut forest = Self {
            nodes: Nodes::new(),
            cache: Cache::new(0),
            terms: Terms::new(),
            splits: Splits::default(),
            diagrams: Handles::new(number),
            homs: Handles::new(number),
            stack: Vec::new(),
            memory: 0,
            account: limits.budget.account(),
            limits: limits.clone(),
            node_limit: 0,
            depth: Stack::default(),
            fuel: FUEL,
            steps: u64::MAX,
            aside: 0,
            collect_at: (0, 0),
            crowd_at: 0,
            collections: 0,
        };
        forest.set_limits(limits);
        forest
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Changes the limits. What is there already stays.
    pub fn set_limits(&mut self, limits: Limits) {
        self.account = limits.budget.account();
        let own = self.statistics().bytes;
        self.account.set(own as u64);
        let left = limits.budget.memory_left().map_or(usize::MAX, |bytes| bytes as usize);
        self.memory = limits.memory.min(own.saturating_add(left - left / 8));
        // At most a third for the cache: a result is of no use without its nodes.
        self.cache.set_limit(limits.cache.min(self.memory / 3));
        self.limits = limits;
        self.plan_collection();
    }

    /// Says when garbage is to be collected next: when what is there has doubled, and before half
    /// of the room that is left is used up. Where little is left, not at every step.
    pub(crate) fn plan_collection(&mut self) {
        self.measure();
        let count = self.nodes.count() + self.terms.count();
        let used = self.nodes.used() + self.aside;
        let room = self.memory.saturating_sub(self.cache.bytes() + used) / 2;
        let bytes = used.saturating_add(room.max(self.memory / 32));
        let things = match self.limits.collect_at {
            0 => 0,
            least => least.max(2 * count),
        };
        self.collect_at = (things, bytes);
        self.crowd_at = self.nodes.count() + self.nodes.slots() / 16;
    }

    /// Whether garbage is to be collected.
    #[inline(always)]
    pub(crate) fn collection_is_due(&self) -> bool {
        self.nodes.count() + self.terms.count() >= self.collect_at.0
            || self.nodes.used() + self.aside >= self.collect_at.1
            || self.nodes.crowded && self.nodes.count() >= self.crowd_at
    }

    /// What the forest holds. O(1).
    pub fn statistics(&self) -> Statistics {
        Statistics {
            nodes: self.nodes.count(),
            peak_nodes: self.nodes.peak,
            bytes: self.nodes.bytes() + self.cache.bytes() + self.bytes_aside(),
            collections: self.collections,
            cache_hits: self.cache.hits,
            cache_misses: self.cache.misses,
        }
    }

    /// The empty set, 0.
    pub fn zero(&mut self) -> Ddd {
        self.diagrams.hold(ZERO)
    }

    /// The set of the empty sequence alone, 1.
    pub fn one(&mut self) -> Ddd {
        self.diagrams.hold(ONE)
    }

    /// Any set, ⊤: what comes out where a result cannot be represented.
    pub fn top(&mut self) -> Ddd {
        self.diagrams.hold(TOP)
    }

    /// x –v→ d: the sequences of `d` with an assignment in front. O(1).
    pub fn arc(&mut self, variable: Variable, value: Value, d: &Ddd) -> Result<Ddd> {
        check(variable)?;
        let child = self.diagrams.id(d);
        let id = self.single(variable, value, child)?;
        Ok(self.diagrams.hold(id))
    }

    /// The set of one sequence. O(length).
    pub fn sequence(&mut self, assignments: &[(Variable, Value)]) -> Result<Ddd> {
        let mut id = ONE;
        for (variable, value) in assignments.iter().rev() {
            check(*variable)?;
            id = self.single(*variable, *value, id)?;
        }
        Ok(self.diagrams.hold(id))
    }

    /// d + e, the union. O(|d|·|e|) in the worst case, O(|d| + |e|) where they look alike.
    ///
    /// ⊤ stands wherever a sequence of one goes on, after what they have in common, with another
    /// variable than one of the other, or does not go on.
    pub fn union(&mut self, d: &Ddd, e: &Ddd) -> Result<Ddd> {
        self.binary(d, e, Self::unite)
    }

    /// The union of any number. Costs as many unions.
    pub fn union_all<'a>(&mut self, sets: impl IntoIterator<Item = &'a Ddd>) -> Result<Ddd> {
        let sets: Vec<Id> = sets.into_iter().map(|d| self.diagrams.id(d)).collect();
        let id = self.run(|forest| forest.unite_all(&mut sets.clone()))?;
        Ok(self.diagrams.hold(id))
    }

    /// d * e, the intersection. Costs as a union does.
    pub fn intersection(&mut self, d: &Ddd, e: &Ddd) -> Result<Ddd> {
        self.binary(d, e, Self::intersect)
    }

    /// d \ e, the difference. Costs as a union does.
    pub fn difference(&mut self, d: &Ddd, e: &Ddd) -> Result<Ddd> {
        self.binary(d, e, Self::subtract)
    }

    /// d · e: every sequence of `d` followed by every one of `e`. O(|d|).
    pub fn concatenation(&mut self, d: &Ddd, e: &Ddd) -> Result<Ddd> {
        self.binary(d, e, Self::concatenate)
    }

    fn binary(
        &mut self,
        d: &Ddd,
        e: &Ddd,
        operation: fn(&mut Self, Id, Id) -> Result<Id>,
    ) -> Result<Ddd> {
        let (a, b) = (self.diagrams.id(d), self.diagrams.id(e));
        let id = self.run(|forest| operation(forest, a, b))?;
        Ok(self.diagrams.hold(id))
    }

    /// The image of a set under a homomorphism.
    ///
    /// Each pair of homomorphism and node that comes up is evaluated once, as long as the cache
    /// forgets nothing.
    pub fn apply(&mut self, h: &Hom, d: &Ddd) -> Result<Ddd> {
        let (hom, node) = (self.homs.id(h), self.diagrams.id(d));
        let id = self.run(|forest| forest.image(hom, node, Anything))?;
        Ok(self.diagrams.hold(id))
    }

    /// Remembers a result.
    #[inline]
    pub(crate) fn remember(&mut self, key: Key, result: Id) {
        let room = self.node_limit.saturating_sub(self.nodes.bytes());
        if self.cache.put(key, result, room) {
            self.measure();
        }
    }

    /// Taken at each step of an evaluation.
    #[inline]
    pub(crate) fn guard(&mut self) -> Result<()> {
        self.depth.check()?;
        self.fuel -= 1;
        if self.fuel == 0 {
            self.fuel = FUEL;
            self.measure();
            if self.node_limit == 0 {
                return Err(Error::MEMORY);
            }
            let nodes = self.nodes.count() as u64;
            self.limits.budget.progress().tell(|known| known.nodes = Some(nodes));
            self.limits.budget.spend(FUEL.into())?;
            self.steps = self.steps.saturating_sub(FUEL.into());
            if self.steps == 0 {
                return Err(Exhausted::Steps.into());
            }
        }
        Ok(())
    }

    /// Works out what nodes may take.
    fn measure(&mut self) {
        self.aside = self.bytes_aside();
        self.node_limit = self.memory.saturating_sub(self.cache.bytes() + self.aside);
        self.account.set((self.nodes.bytes() + self.cache.bytes() + self.aside) as u64);
    }

    fn bytes_aside(&self) -> usize {
        let handles = self.diagrams.bytes() + self.homs.bytes();
        let stack = self.stack.capacity() * size_of::<Arc>();
        self.terms.bytes() + self.splits.bytes() + handles + stack
    }
}

/// That a variable can be written into a node.
pub(crate) fn check(variable: Variable) -> Result<()> {
    if variable > MAX_VARIABLE { Err(Error::Variable(variable)) } else { Ok(()) }
}
