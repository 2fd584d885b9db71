//! Looking into stored states.

use std::sync::Arc;

use budget::{Budget, Exhausted};
use check::{Fates, Way};
use explore::distributed::{Portion, from_portable, portable};
use explore::{Exploration, Space, Standing, Store, Successors};
use fold::{ConcreteSpace, Folded, Lives, Lost, Role, Working};
use net::interpret::Plainly;
use net::{Compiled, Net};
use state::{Pid, Relations, State};
use symbolic::{Census, Fault, SymbolicSpace, Translation};

use crate::unbounded::Marking;

/// What looks into stored states, whatever they are stored as.
pub trait Reader {
    /// A state; of a class, one of its states, always the same.
    fn state(&mut self, bytes: &[u8]) -> State;

    /// The working form of a state, where states are folded one by one.
    fn working(&mut self, _bytes: &[u8]) -> Option<Working> {
        None
    }

    /// The numbers of the families that a state consists of, as [`Folded::families`] gives them; `false` if there
    /// are none.
    fn families(&mut self, _bytes: &[u8], _numbers: &mut Vec<u32>) -> bool {
        false
    }

    /// The family of this number.
    ///
    /// # Panics
    ///
    /// If there are no families.
    fn family(&mut self, _number: u32) -> Working {
        panic!("states have no families")
    }

    /// Whether some thread of a state learns how a test on data that is not kept turns out.
    fn is_forgotten_choice(&mut self, _bytes: &[u8]) -> bool {
        false
    }

    /// What is needed to follow threads from state to state, if that can be done by families.
    fn lives(&self) -> Option<Lives> {
        None
    }

    /// Writes what becomes of the threads of a state, all of whose successors are in the store. `fates` is empty.
    ///
    /// # Panics
    ///
    /// If threads cannot be followed by families, or a successor is not there.
    fn fates(&mut self, _lives: &mut Lives, _bytes: &[u8], _store: &Store, _fates: &mut Fates) {
        panic!("states have no families")
    }

    /// How many threads of a state have one of these numbers, ascending.
    ///
    /// # Panics
    ///
    /// If threads cannot be followed by families.
    fn count_threads(&mut self, _lives: &mut Lives, _bytes: &[u8], _numbers: &[u32]) -> u32 {
        panic!("states have no families")
    }

    /// The threads that have no prospect wherever their family is, after a state: [`Folded::lost`].
    fn lost(
        &mut self,
        _lives: &mut Lives,
        _first: &[u8],
        _fulfils: &dyn Fn(&Role) -> bool,
        _is_over: &dyn Fn() -> bool,
    ) -> Option<Lost> {
        None
    }

    /// The threads of a state that are lost, by their numbers, ascending.
    fn lost_in(&mut self, _lives: &mut Lives, _bytes: &[u8], _lost: &Lost) -> Vec<u32> {
        Vec::new()
    }

    /// The threads of a state with their numbers in its class. Those that can be exchanged have the same.
    ///
    /// # Panics
    ///
    /// If threads cannot be followed by families.
    fn thread_numbers(&mut self, _lives: &mut Lives, _state: &State) -> Vec<(Pid, u32)> {
        panic!("states have no families")
    }

    /// What a state is stored as.
    fn stored(&mut self, state: &State) -> Vec<u8>;

    /// A stored state as every process understands it: [`explore::distributed::portable`].
    fn portable(&self, bytes: &[u8]) -> Vec<u8>;

    /// What a state is stored as here that another process has made portable.
    fn adopted_state(&mut self, portable: &[u8]) -> Vec<u8>;

    /// The number of tokens in each place of the net.
    fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>);
}

/// A reader that can also see what grows, and fire.
pub(super) trait Observer: Reader {
    /// The marking of a state, as far as covering is concerned.
    fn marking(&mut self, state: &[u8]) -> Marking;
    /// Puts the initial state into `found`; `false` if there is a fault.
    fn first(&mut self, found: &mut Successors) -> bool;
    /// Puts the successors of a state into `found`; `false` if there is a fault.
    fn next(&mut self, state: &[u8], found: &mut Successors) -> bool;
    /// The largest number of tokens in each place, over all states found by this space and stored in its portion; and
    /// whether there was time to look at all of them.
    fn most_tokens(&mut self, portion: &Portion, budget: &Budget) -> (Vec<u64>, bool);
    /// Counts what was explored; `None` if there are threads.
    fn census(
        &mut self,
        net: &Net,
        relations: Relations,
        found: &Exploration,
        budget: &Budget,
    ) -> Result<Option<Census>, Exhausted>;
}

impl Reader for Folded<Compiled> {
    fn working(&mut self, bytes: &[u8]) -> Option<Working> {
        Some(self.decode(bytes))
    }

    fn state(&mut self, bytes: &[u8]) -> State {
        self.rules().state(&self.decode(bytes))
    }

    fn families(&mut self, bytes: &[u8], numbers: &mut Vec<u32>) -> bool {
        Folded::families(self, bytes, numbers)
    }

    fn family(&mut self, number: u32) -> Working {
        Folded::family(self, number)
    }

    fn is_forgotten_choice(&mut self, bytes: &[u8]) -> bool {
        Folded::is_forgotten_choice(self, bytes)
    }

    fn lives(&self) -> Option<Lives> {
        Folded::lives(self)
    }

    fn fates(&mut self, lives: &mut Lives, bytes: &[u8], store: &Store, fates: &mut Fates) {
        self.threads(lives, bytes, &mut fates.idle);
        fates.is_forgotten = Folded::is_forgotten_choice(self, bytes);
        let followed = self.follow(lives, bytes, &mut |successor, lives| {
            let target = store.find(successor).expect("the state was expanded").0;
            fates.ends_all |= lives.iter().any(|life| life.role.ends_all);
            fates.ways.extend(lives.iter().map(|life| Way {
                thread: life.thread,
                acts: life.role.acts,
                ends: life.role.ends,
                becomes: life.becomes.map(|thread| (target, thread)),
            }));
        });
        assert!(followed.is_ok(), "the state was expanded without a fault");
    }

    fn count_threads(&mut self, lives: &mut Lives, bytes: &[u8], numbers: &[u32]) -> u32 {
        Folded::count_threads(self, lives, bytes, numbers)
    }

    fn lost(
        &mut self,
        lives: &mut Lives,
        first: &[u8],
        fulfils: &dyn Fn(&Role) -> bool,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Lost> {
        Folded::lost(self, lives, first, fulfils, is_over)
    }

    fn lost_in(&mut self, lives: &mut Lives, bytes: &[u8], lost: &Lost) -> Vec<u32> {
        Folded::lost_in(self, lives, bytes, lost)
    }

    fn thread_numbers(&mut self, lives: &mut Lives, state: &State) -> Vec<(Pid, u32)> {
        let (working, pids) = self.rules().working(state);
        let numbers = self.numbers(lives, working);
        pids.into_iter().zip(numbers).filter_map(|(pid, number)| Some((pid, number?))).collect()
    }

    fn stored(&mut self, state: &State) -> Vec<u8> {
        let (working, _) = self.rules().working(state);
        self.fold(working)
    }

    fn portable(&self, bytes: &[u8]) -> Vec<u8> {
        portable(self, bytes)
    }

    fn adopted_state(&mut self, portable: &[u8]) -> Vec<u8> {
        from_portable(self, portable)
    }

    fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>) {
        let working = self.decode(bytes);
        counts.clear();
        counts.extend((0..working.places()).map(|place| working.tokens(place)));
    }
}

impl Reader for ConcreteSpace<Plainly> {
    fn state(&mut self, bytes: &[u8]) -> State {
        self.decode(bytes)
    }

    fn is_forgotten_choice(&mut self, bytes: &[u8]) -> bool {
        let net = &self.system().0;
        net.has_forgotten() && net.is_forgotten_choice(&self.decode(bytes))
    }

    fn stored(&mut self, state: &State) -> Vec<u8> {
        self.encode(state)
    }

    fn portable(&self, bytes: &[u8]) -> Vec<u8> {
        portable(self, bytes)
    }

    fn adopted_state(&mut self, portable: &[u8]) -> Vec<u8> {
        from_portable(self, portable)
    }

    fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>) {
        let state = self.decode(bytes);
        counts.clear();
        counts.extend(self.system().0.places.iter().map(|place| {
            state.tokens(&place.name).map(|(_, count)| u64::from(count)).sum::<u64>()
        }));
    }
}

/// The symbolic markings of a translated net.
pub(super) struct Markings {
    pub(super) translation: Arc<Translation>,
    pub(super) space: SymbolicSpace,
}

impl Markings {
    pub(super) fn of(translation: &Arc<Translation>) -> Self {
        Markings { translation: translation.clone(), space: translation.symbolic().space() }
    }
}

impl Space for Markings {
    type Fault = Fault;

    fn initial(&mut self, found: &mut Successors) -> Result<(), Fault> {
        self.space.initial(found)
    }

    fn expand(&mut self, state: &[u8], found: &mut Successors) -> Result<Standing, Fault> {
        self.space.expand(state, found)
    }

    fn allocated_bytes(&self) -> u64 {
        self.space.allocated_bytes()
    }
}

impl Reader for Markings {
    fn state(&mut self, bytes: &[u8]) -> State {
        self.translation.state(&self.space.representative(bytes))
    }

    fn stored(&mut self, state: &State) -> Vec<u8> {
        let folded = self.space.fold(&self.translation.tokens(state));
        // A state that cannot be represented is like no stored one.
        folded.unwrap_or_default()
    }

    fn portable(&self, bytes: &[u8]) -> Vec<u8> {
        portable(self, bytes)
    }

    fn adopted_state(&mut self, portable: &[u8]) -> Vec<u8> {
        from_portable(self, portable)
    }

    fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>) {
        self.space.count_tokens_in_places(bytes, counts);
    }
}
