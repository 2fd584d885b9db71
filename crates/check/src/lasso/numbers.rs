//! Numbers of pairs of a graph's state and an automaton's.
//!
//! Where the automaton is small, each state of the graph that is met gets a row with a place for each state
//! of the automaton. States that are close in the graph mostly have numbers that are close, so that rows
//! are found in the cache; a hash table would scatter them. It is for large automata only, of whose states
//! few are met with each state.

use rustc_hash::FxHashMap;

/// No number yet.
const NONE: u32 = u32::MAX;

pub(super) enum Numbers {
    Rows {
        /// For each state of the graph the number of its row.
        rows: Vec<u32>,
        width: usize,
        places: Vec<u32>,
    },
    Hashed(FxHashMap<u64, u32>),
}

impl Numbers {
    /// The widest rows.
    const WIDEST: u32 = 32;

    pub(super) fn new(states: u32, width: u32) -> Self {
        if width > Self::WIDEST {
            return Self::Hashed(FxHashMap::default());
        }
        let rows = vec![NONE; states as usize];
        Self::Rows { rows, width: width as usize, places: Vec::new() }
    }

    /// The number of a pair; `next` if it has none yet.
    #[inline]
    pub(super) fn of(&mut self, state: u32, automaton: u32, next: u32) -> u32 {
        match self {
            Self::Rows { rows, width, places } => {
                let row = &mut rows[state as usize];
                if *row == NONE {
                    *row = (places.len() / *width) as u32;
                    places.resize(places.len() + *width, NONE);
                }
                let place = &mut places[*row as usize * *width + automaton as usize];
                if *place == NONE {
                    *place = next;
                }
                *place
            }
            Self::Hashed(numbers) => {
                *numbers.entry(u64::from(state) << 32 | u64::from(automaton)).or_insert(next)
            }
        }
    }
}
