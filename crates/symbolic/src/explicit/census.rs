//! Exact counts of what symbolic markings stand for.
//!
//! A symbolic marking stands for |G| / |Aut| concrete ones (the orbit of one under the group G of
//! all permutations that the classes allow): G has Π |static subclass|! · Π |cyclic class| elements,
//! and an automorphism permutes elements within dynamic subclasses, Π |Z|! ways, and dynamic
//! subclasses and cyclic classes as found by [`order`](crate::explicit::order). From each concrete marking
//! there are as many steps as there are concrete enabled bindings. [`multinomial`](crate::multinomial) has how
//! this is added up.

use budget::{Budget, Exhausted};
use explore::{Exploration, Space, Successors, varint};
use num_bigint::BigUint;

use crate::SymbolicSpace;
use crate::explicit::large::Large;
use crate::explicit::marking::elements;
use crate::explicit::memo::Advice;
use crate::explicit::packed::parts;
use crate::explicit::rules::Place;
use crate::multinomial::Orbits;

/// What the states of an exploration stand for. Where that is not complete, these are counts of what was
/// found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The number of concrete markings.
    pub concrete_states: BigUint,
    /// The number of pairs of a concrete marking that was expanded and an enabled concrete binding.
    pub concrete_edges: BigUint,
    /// The number of concrete markings in which nothing is enabled.
    pub concrete_deadlocks: BigUint,
    /// The number of enabled concrete bindings of one concrete marking of each symbolic one, added up.
    pub modes: BigUint,
    /// The largest number of tokens in a marking.
    pub most_tokens: BigUint,
    /// The largest number of tokens in each place.
    pub most_in_places: Vec<BigUint>,
    /// The largest number of times that a marking holds one token, that is the most tokens in a
    /// place of the unfolded net.
    pub most_in_place: BigUint,
}

impl Census {
    /// Takes the tokens of a state into account, given for each place how often each token is there.
    pub fn see(&mut self, places: impl Iterator<Item = impl Iterator<Item = u32>>) {
        let raise = |most: &mut BigUint, number: u64| {
            if *most < number.into() {
                *most = number.into();
            }
        };
        let mut all = 0;
        for (place, counts) in places.enumerate() {
            let more = |(sum, most): (u64, u32), count| (sum + u64::from(count), most.max(count));
            let (sum, most) = counts.fold((0, 0), more);
            all += sum;
            self.most_in_places.resize(self.most_in_places.len().max(place + 1), BigUint::ZERO);
            raise(&mut self.most_in_places[place], sum);
            raise(&mut self.most_in_place, most.into());
        }
        raise(&mut self.most_tokens, all);
    }

    /// Counts what the markings of an exploration of this space stand for.
    ///
    /// # Errors
    ///
    /// If the budget is used up.
    pub fn of(
        space: &mut SymbolicSpace,
        exploration: &Exploration,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        if space.rules.is_plain() && exploration.complete && exploration.modes < u64::MAX {
            return Self::of_plain(space, exploration, budget);
        }
        let mut counting = Counting::default();
        // Markings, steps and deadlocks.
        let mut orbits: Orbits<3> = Orbits::default();
        let mut dead = exploration.deadlocks.iter().peekable();
        for (id, bytes) in exploration.store.iter() {
            budget.check()?;
            counting.begin(&mut orbits, space, bytes);
            let [states, edges, deadlocks] = orbits.counts();
            states.add(1.into());
            deadlocks.add(u128::from(dead.next_if(|dead| **dead == id).is_some()).into());
            let (bindings, most) = space.facts(bytes, &mut counting.tokens);
            if u64::from(id.0) < exploration.expanded {
                counting.modes.add(bindings.clone());
                edges.add(bindings);
            }
            counting.most_in_place = counting.most_in_place.max(most);
            counting.raise_tokens();
        }
        let rules = &space.rules;
        let cyclic = rules.classes.iter().filter(|class| class.is_cyclic() && class.size > 0);
        let rotations: BigUint = cyclic.map(|class| BigUint::from(class.size)).product();
        let [concrete_states, concrete_edges, concrete_deadlocks] =
            orbits.sum(&rules.several(), &rotations);
        Ok(Self {
            concrete_states,
            concrete_edges,
            concrete_deadlocks,
            modes: counting.modes.total(),
            most_tokens: counting.most_tokens.total(),
            most_in_places: counting.most_in_places.iter().map(Large::total).collect(),
            most_in_place: counting.most_in_place.into(),
        })
    }

    /// Where nothing can be permuted every marking stands for itself, and every binding too.
    fn of_plain(
        space: &mut SymbolicSpace,
        exploration: &Exploration,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let (mut most_tokens, mut most_in_place) = (0, 0);
        let mut most_in_places = vec![0; space.rules.places.len()];
        for (_, bytes) in exploration.store.iter() {
            budget.check()?;
            let mut sum = 0;
            space.for_each_count(bytes, |place, tokens, most| {
                sum += u128::from(tokens);
                let most_here = &mut most_in_places[place as usize];
                *most_here = tokens.max(*most_here);
                most_in_place = most.max(most_in_place);
            });
            most_tokens = sum.max(most_tokens);
        }
        Ok(Self {
            concrete_states: exploration.states().into(),
            concrete_edges: exploration.modes.into(),
            concrete_deadlocks: exploration.deadlocks.len().into(),
            modes: exploration.modes.into(),
            most_tokens: most_tokens.into(),
            most_in_places: most_in_places.into_iter().map(BigUint::from).collect(),
            most_in_place: most_in_place.into(),
        })
    }
}

/// What is counted of markings one by one.
#[derive(Debug, Default)]
struct Counting {
    modes: Large,
    most_tokens: Large,
    most_in_places: Vec<Large>,
    most_in_place: u32,
    /// The tokens in each place of the marking at hand.
    tokens: Vec<Large>,
    sizes: Vec<u32>,
}

impl Counting {
    /// Takes the tokens of the marking at hand into account.
    fn raise_tokens(&mut self) {
        let mut sum = Large::default();
        self.most_in_places.resize(self.tokens.len(), Large::default());
        for (most, tokens) in self.most_in_places.iter_mut().zip(self.tokens.drain(..)) {
            sum.add(tokens.clone());
            most.raise(tokens);
        }
        self.most_tokens.raise(sum);
    }

    /// Begins a marking, given as bytes.
    fn begin(&mut self, orbits: &mut Orbits<3>, space: &mut SymbolicSpace, bytes: &[u8]) {
        let mut shape = parts(bytes, &mut space.free);
        let automorphisms = varint::read(&mut shape);
        orbits.begin(automorphisms, || space.automorphisms(bytes));
        let mut free = space.free.iter();
        for subclass in space.rules.subclasses.iter().filter(|subclass| subclass.size > 1) {
            self.sizes.clear();
            for _ in 0..varint::read(&mut shape) {
                let size = match varint::read(&mut shape) as u32 {
                    0 => *free.next().expect("as many sizes as free subclasses"),
                    size => size,
                };
                self.sizes.push(size);
            }
            debug_assert_eq!(self.sizes.iter().sum::<u32>(), subclass.size);
            orbits.sizes(&mut self.sizes);
        }
    }
}

impl SymbolicSpace {
    /// Counts the concrete bindings of a marking, and its tokens in each place, by memo if it can be; and
    /// gives the largest count of an entry.
    fn facts(&mut self, bytes: &[u8], tokens: &mut Vec<Large>) -> (Large, u32) {
        let shape = parts(bytes, &mut self.free);
        let mut advice = self.memo.advice(shape, &self.free);
        if let Advice::Record = advice {
            // Expanded by another worker, or not at all. What is found wrong is no concern here.
            let _ = self.expand(bytes, &mut Successors::new());
            advice = self.memo.advice(parts(bytes, &mut self.free), &self.free);
        }
        tokens.clear();
        let places = self.rules.places.len();
        if let Advice::Recall(facts) = advice
            && let Some(bindings) = self.memo.bindings(facts, &self.free)
        {
            let all = (0..places).map_while(|place| self.memo.tokens(facts, place, &self.free));
            tokens.extend(all.map(Large::from));
            if tokens.len() == places {
                return (bindings.into(), facts.most);
            }
        }
        self.read(bytes);
        let mut bindings = Large::default();
        self.for_each_enabled(|marking, named| {
            bindings
                .add(Large::product(1, named.iter().zip(&marking.sizes).map(|(&k, &n)| (n, k))));
        });
        tokens.clear();
        let mut most = 0;
        for (id, place) in (0..).zip(&self.rules.places) {
            let (here, most_here) = self.tokens_at(id, place);
            tokens.push(here);
            most = most_here.max(most);
        }
        (bindings, most)
    }

    /// The number of tokens in a place of the marking read, and the largest count of an entry.
    fn tokens_at(&self, id: u32, place: &Place) -> (Large, u32) {
        if let Some(fixed) = &place.fixed {
            return (u128::from(fixed.tokens).into(), fixed.most);
        }
        let marking = &self.source.marking;
        let (mut tokens, mut most) = (Large::default(), 0);
        for entry in marking.entries(id, place.stride()) {
            let elements = elements(place, &entry[1..]);
            let sizes = elements.map(|(z, count)| (marking.sizes[z as usize], count));
            tokens.add(Large::product(entry[0], sizes));
            most = most.max(entry[0]);
        }
        (tokens, most)
    }

    /// Puts the number of tokens in each place of a marking, given as canonical bytes, into `counts`; at
    /// most `u64::MAX`.
    pub fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>) {
        counts.clear();
        counts.resize(self.rules.places.len(), 0);
        self.for_each_count(bytes, |place, tokens, _| counts[place as usize] = tokens);
    }

    /// Calls `visit` for each marked place of a marking with the number of its tokens, at most
    /// `u64::MAX`, and the largest count of an entry.
    fn for_each_count(&mut self, bytes: &[u8], mut visit: impl FnMut(u32, u64, u32)) {
        for (id, fixed) in self.rules.fixed_places() {
            visit(id, fixed.tokens, fixed.most);
        }
        if self.packer.count(&self.rules, bytes, &mut visit) {
            return;
        }
        self.read(bytes);
        for (id, place) in self.rules.moving_places() {
            let (tokens, most) = self.tokens_at(id, place);
            visit(id, tokens.at_most_a_word(), most);
        }
    }
}
