//! Looking into stored states.

use fold::{ConcreteSpace, Folded, Working};
use net::{Compiled, Net};
use state::State;
use symbolic::{SymbolicSpace, Translation};

use super::unbounded::Observer;

/// What looks into stored states, whatever they are stored as.
pub trait Reader {
    /// A state; of a class, one of its states, always the same.
    fn state(&mut self, bytes: &[u8]) -> State;

    /// The working form of a state, where states are folded one by one.
    fn working(&mut self, _bytes: &[u8]) -> Option<Working> {
        None
    }

    /// The numbers of the parts that a state consists of, as [`Folded::families`] gives them; `false` if there
    /// are none.
    fn parts(&mut self, _bytes: &[u8], _numbers: &mut Vec<u32>) -> bool {
        false
    }

    /// The part of this number.
    ///
    /// # Panics
    ///
    /// If there are no parts.
    fn part(&mut self, _number: u32) -> Working {
        panic!("states have no parts")
    }

    /// What a state is stored as.
    fn stored(&mut self, state: &State) -> Vec<u8>;

    /// The number of tokens in each place of the net.
    fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>);
}

/// A reader that can also see what grows, where that proves anything.
pub(super) trait Looking: Reader {
    fn observer(&mut self) -> Option<&mut dyn Observer>;
    fn reader(&mut self) -> &mut dyn Reader;
}

impl Reader for Folded<Compiled> {
    fn working(&mut self, bytes: &[u8]) -> Option<Working> {
        Some(self.decode(bytes))
    }

    fn state(&mut self, bytes: &[u8]) -> State {
        self.rules().state(&self.decode(bytes))
    }

    fn parts(&mut self, bytes: &[u8], numbers: &mut Vec<u32>) -> bool {
        Folded::families(self, bytes, numbers)
    }

    fn part(&mut self, number: u32) -> Working {
        Folded::family(self, number)
    }

    fn stored(&mut self, state: &State) -> Vec<u8> {
        let (working, _) = self.rules().working(state);
        self.fold(working)
    }

    fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>) {
        let working = self.decode(bytes);
        counts.clear();
        counts.extend((0..working.places()).map(|place| working.tokens(place)));
    }
}

impl Looking for Folded<Compiled> {
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(self)
    }

    fn reader(&mut self) -> &mut dyn Reader {
        self
    }
}

impl Reader for ConcreteSpace<&Net> {
    fn state(&mut self, bytes: &[u8]) -> State {
        self.decode(bytes)
    }

    fn stored(&mut self, state: &State) -> Vec<u8> {
        self.encode(state)
    }

    fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>) {
        let state = self.decode(bytes);
        counts.clear();
        counts.extend(self.system().places.iter().map(|place| {
            state.tokens(&place.name).map(|(_, count)| u64::from(count)).sum::<u64>()
        }));
    }
}

impl Looking for ConcreteSpace<&Net> {
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        None
    }

    fn reader(&mut self) -> &mut dyn Reader {
        self
    }
}

/// Reads symbolic markings.
pub(super) struct Markings<'t> {
    pub(super) translation: &'t Translation,
    pub(super) space: SymbolicSpace,
}

impl<'t> Markings<'t> {
    pub(super) fn of(translation: &'t Translation) -> Self {
        Markings { translation, space: translation.symbolic().space() }
    }
}

impl Reader for Markings<'_> {
    fn state(&mut self, bytes: &[u8]) -> State {
        self.translation.state(&self.space.representative(bytes))
    }

    fn stored(&mut self, state: &State) -> Vec<u8> {
        let folded = self.space.fold(&self.translation.tokens(state));
        // A state that cannot be told is like no stored one.
        folded.unwrap_or_default()
    }

    fn count_tokens_in_places(&mut self, bytes: &[u8], counts: &mut Vec<u64>) {
        self.space.count_tokens_in_places(bytes, counts);
    }
}

impl Looking for Markings<'_> {
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(&mut self.space)
    }

    fn reader(&mut self) -> &mut dyn Reader {
        self
    }
}
