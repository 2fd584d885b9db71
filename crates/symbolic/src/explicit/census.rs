//! Exact counts of what symbolic markings stand for.
//!
//! A symbolic marking stands for |G| / |Aut| concrete ones (the orbit of one under the group G of
//! all permutations that the classes allow): G has Π |static subclass|! · Π |cyclic class| elements,
//! and an automorphism permutes elements within dynamic subclasses, Π |Z|! ways, and dynamic
//! subclasses and cyclic classes as found by [`order`](crate::explicit::order). From each concrete marking
//! there are as many steps as there are concrete enabled bindings.
//!
//! Multinomials of many markings are added up as in Horner's rule: markings are sorted by their
//! sizes, and what has a size in common is multiplied by its binomial once, where [`Row`]s are
//! walked in order. Cost: for each different list of sizes a few operations on a big integer with
//! a word.

use budget::{Budget, Exhausted};
use explore::{Exploration, Space, StateId, Store, Successors, varint};
use num_bigint::BigUint;

use crate::SymbolicSpace;
use crate::binomial::Row;
use crate::explicit::large::Large;
use crate::explicit::marking::elements;
use crate::explicit::memo::Advice;
use crate::explicit::packed::parts;
use crate::explicit::rules::Kind;
use crate::word::falling;

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
        let mut counting = Counting::default();
        if space.rules.is_plain() && exploration.complete && exploration.modes < u64::MAX {
            return counting.of_plain(space, exploration, budget);
        }
        let mut deadlocks = exploration.deadlocks.iter().peekable();
        for (id, bytes) in exploration.store.iter() {
            budget.check()?;
            counting.key(space, bytes);
            let (id_of_key, new) = counting.keys.insert(&counting.key);
            if new {
                counting.tallies.push(Tally::default());
            }
            let tally = &mut counting.tallies[id_of_key.index()];
            tally.states += 1;
            tally.deadlocks += u64::from(deadlocks.next_if(|dead| **dead == id).is_some());
            let (bindings, most) = space.facts(bytes, &mut counting.tokens);
            if u64::from(id.0) < exploration.expanded {
                counting.modes.add(bindings.clone());
                tally.edges.add(bindings);
            }
            counting.most_in_place = counting.most_in_place.max(most);
            counting.raise_tokens();
        }
        let Weight { states, edges, deadlocks } = counting.sum(space);
        Ok(Self {
            concrete_states: states,
            concrete_edges: edges,
            concrete_deadlocks: deadlocks,
            modes: counting.modes.total(),
            most_tokens: counting.most_tokens.total(),
            most_in_places: counting.most_in_places.iter().map(Large::total).collect(),
            most_in_place: counting.most_in_place.into(),
        })
    }
}

/// What is added up for markings with the same key.
#[derive(Clone, Debug, Default)]
struct Tally {
    states: u64,
    deadlocks: u64,
    edges: Large,
}

/// Numbers of concrete markings and steps.
#[derive(Clone, Debug, Default)]
struct Weight {
    states: BigUint,
    edges: BigUint,
    deadlocks: BigUint,
}

impl Weight {
    fn add(&mut self, other: Weight, times: Option<&BigUint>) {
        let Weight { states, edges, deadlocks } = other;
        let pairs = [
            (&mut self.states, states),
            (&mut self.edges, edges),
            (&mut self.deadlocks, deadlocks),
        ];
        for (sum, number) in pairs.into_iter().filter(|(_, number)| *number != BigUint::ZERO) {
            match times {
                Some(times) => *sum += number * times,
                None => *sum += number,
            }
        }
    }
}

#[derive(Debug, Default)]
struct Counting {
    /// The number of automorphisms and, for each static subclass, the sizes in it in ascending
    /// order but for the greatest, and 0; as words with the highest byte first, so that the order
    /// of bytes is that of numbers.
    keys: Store,
    tallies: Vec<Tally>,
    /// Numbers of automorphisms that do not fit into a word; the last has the number `u64::MAX`.
    groups: Vec<BigUint>,
    modes: Large,
    most_tokens: Large,
    most_in_places: Vec<Large>,
    most_in_place: u32,
    /// The tokens in each place of the marking at hand.
    tokens: Vec<Large>,
    key: Vec<u8>,
    sizes: Vec<u32>,
}

impl Counting {
    /// Where nothing can be permuted every marking stands for itself, and every binding too.
    fn of_plain(
        mut self,
        space: &mut SymbolicSpace,
        exploration: &Exploration,
        budget: &Budget,
    ) -> Result<Census, Exhausted> {
        let mut most_tokens = 0;
        let mut most_in_places = vec![0; space.rules.places.len()];
        for (_, bytes) in exploration.store.iter() {
            budget.check()?;
            let mut sum = 0;
            space.for_each_count(bytes, |place, tokens, most| {
                sum += u128::from(tokens);
                let most_here = &mut most_in_places[place as usize];
                *most_here = tokens.max(*most_here);
                self.most_in_place = most.max(self.most_in_place);
            });
            most_tokens = sum.max(most_tokens);
        }
        Ok(Census {
            concrete_states: exploration.states().into(),
            concrete_edges: exploration.modes.into(),
            concrete_deadlocks: exploration.deadlocks.len().into(),
            modes: exploration.modes.into(),
            most_tokens: most_tokens.into(),
            most_in_places: most_in_places.into_iter().map(BigUint::from).collect(),
            most_in_place: self.most_in_place.into(),
        })
    }

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

    /// Makes the key of a marking, given as bytes.
    fn key(&mut self, space: &mut SymbolicSpace, bytes: &[u8]) {
        let mut shape = parts(bytes, &mut space.free);
        let mut automorphisms = varint::read(&mut shape);
        if automorphisms == 0 {
            let group = space.automorphisms(bytes);
            let known = self.groups.iter().position(|other| *other == group);
            let number = known.unwrap_or_else(|| {
                self.groups.push(group);
                self.groups.len() - 1
            });
            automorphisms = u64::MAX - number as u64;
        }
        self.key.clear();
        self.key.extend_from_slice(&automorphisms.to_be_bytes());
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
            self.sizes.sort_unstable();
            self.sizes.pop();
            self.sizes.push(0);
            self.sizes.iter().for_each(|size| self.key.extend_from_slice(&size.to_be_bytes()));
        }
    }

    /// All that markings stand for.
    fn sum(&self, space: &SymbolicSpace) -> Weight {
        let rules = &space.rules;
        let subclasses: Vec<u32> = rules
            .subclasses
            .iter()
            .map(|subclass| subclass.size)
            .filter(|&size| size > 1)
            .collect();
        let cyclic = rules
            .classes
            .iter()
            .filter(|class| matches!(class.kind, Kind::Cyclic | Kind::Turning) && class.size > 0);
        let rotations: BigUint = cyclic.map(|class| BigUint::from(class.size)).product();
        let mut ids: Vec<StateId> = self.keys.iter().map(|(id, _)| id).collect();
        ids.sort_unstable_by_key(|&id| self.keys.get(id));
        let group_of = |id: &StateId| {
            let bytes = self.keys.get(*id)[..8].try_into().expect("eight bytes");
            u64::from_be_bytes(bytes)
        };
        let mut total = Weight::default();
        for run in ids.chunk_by(|a, b| group_of(a) == group_of(b)) {
            let mut sum = self.sum_of(run, 8, &subclasses, subclasses.first().copied());
            let group = group_of(&run[0]);
            let group = match usize::try_from(u64::MAX - group) {
                Ok(number) if number < self.groups.len() => self.groups[number].clone(),
                _ => BigUint::from(group),
            };
            for number in [&mut sum.states, &mut sum.edges, &mut sum.deadlocks] {
                *number *= &rotations;
                *number /= &group;
            }
            total.add(sum, None);
        }
        total
    }

    /// The sum over keys that agree up to byte `at`, where `left` elements are left of the first of
    /// the static subclasses.
    fn sum_of(&self, ids: &[StateId], at: usize, subclasses: &[u32], left: Option<u32>) -> Weight {
        let Some(left) = left else {
            let Tally { states, deadlocks, edges } = &self.tallies[ids[0].index()];
            return Weight {
                states: BigUint::from(*states),
                edges: edges.total(),
                deadlocks: BigUint::from(*deadlocks),
            };
        };
        let size = |id: &StateId| {
            let bytes = self.keys.get(*id)[at..at + 4].try_into().expect("four bytes");
            u32::from_be_bytes(bytes)
        };
        let mut sum = Weight::default();
        let mut row = Row::new(left);
        for run in ids.chunk_by(|a, b| size(a) == size(b)) {
            match size(&run[0]) {
                0 => {
                    let next = subclasses.get(1).copied();
                    sum.add(self.sum_of(run, at + 4, &subclasses[1..], next), None);
                }
                chosen => {
                    let inner = self.sum_of(run, at + 4, subclasses, Some(left - chosen));
                    sum.add(inner, Some(row.at(chosen)));
                }
            }
        }
        sum
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
        self.count_tokens(tokens);
        (bindings, self.source.marking.largest_count(&self.rules))
    }

    /// Counts the tokens in each place of the marking read.
    fn count_tokens(&self, tokens: &mut Vec<Large>) {
        let (rules, marking) = (&self.rules, &self.source.marking);
        tokens.clear();
        for (id, place) in rules.places.iter().enumerate() {
            let mut here = Large::from(place.fixed.as_ref().map_or(0, |fixed| fixed.tokens.into()));
            for entry in marking.entries(id as u32, place.stride()) {
                let elements = elements(place, &entry[1..]);
                let sizes = elements.map(|(z, count)| (marking.sizes[z as usize], count));
                here.add(Large::product(entry[0], sizes));
            }
            tokens.push(here);
        }
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
        let marking = &self.source.marking;
        for (id, place) in self.rules.moving_places() {
            let (mut sum, mut most) = (0, 0);
            for entry in marking.entries(id, place.stride()) {
                let mut elements = elements(place, &entry[1..]);
                let ways = elements.try_fold(1_u128, |ways, (z, count)| {
                    ways.checked_mul(falling(marking.sizes[z as usize], count)?)
                });
                let tokens = ways.map_or(u128::MAX, |ways| ways.saturating_mul(entry[0].into()));
                sum = u128::saturating_add(sum, tokens);
                most = most.max(entry[0]);
            }
            visit(id, u64::try_from(sum).unwrap_or(u64::MAX), most);
        }
    }
}
