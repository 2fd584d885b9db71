//! Nets without colours, as this crate changes and fires them.

use unfold::{UnfoldedArc, UnfoldedNet};

/// A net without colours. What a place or a transition was before is not known to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainNet {
    /// The tokens in each place at first.
    pub initial: Vec<i32>,
    /// The transitions.
    pub transitions: Vec<PlainTransition>,
}

/// A transition. It can fire where all its tests hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PlainTransition {
    /// What it asks of places and does to them, by ascending place, each at most once.
    pub arcs: Vec<PlainArc>,
    /// Places that together must have fewer than this many tokens.
    pub sums: Vec<(Vec<u32>, i32)>,
}

/// What a transition asks of a place, and what it does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlainArc {
    /// The place.
    pub place: u32,
    /// The fewest tokens with which it can fire; never less than it takes.
    pub least: i32,
    /// The most; `i32::MAX` if it does not matter.
    pub most: i32,
    /// What is added to them.
    pub change: i32,
}

impl PlainArc {
    /// Whether it asks for tokens.
    #[must_use]
    pub fn needs(&self) -> bool {
        self.least > 0
    }

    /// Whether too many tokens inhibit it.
    #[must_use]
    pub fn inhibits(&self) -> bool {
        self.most < i32::MAX
    }

    /// Whether it takes what it asks for, and no more is to it.
    #[must_use]
    pub fn is_pure_input(&self) -> bool {
        self.least > 0 && self.change == -self.least && !self.inhibits()
    }

    /// Whether it adds tokens and asks for nothing.
    #[must_use]
    pub fn is_pure_output(&self) -> bool {
        self.least <= 0 && self.change > 0 && !self.inhibits()
    }

    fn is_nothing(&self) -> bool {
        self.least <= 0 && !self.inhibits() && self.change == 0
    }
}

impl PlainTransition {
    /// A transition with these arcs, put in order; those that say nothing are left out.
    #[must_use]
    pub fn new(mut arcs: Vec<PlainArc>, mut sums: Vec<(Vec<u32>, i32)>) -> Self {
        // Of a single place, or of none that may have tokens, arcs say the same.
        sums.retain(|(places, bound)| {
            let is_sum = places.len() > 1 && *bound > 1;
            if !is_sum {
                places.iter().for_each(|&place| inhibit(&mut arcs, place, bound - 1));
            }
            is_sum
        });
        arcs.retain(|arc| !arc.is_nothing());
        arcs.iter_mut().for_each(|arc| arc.least = arc.least.max(0));
        arcs.sort_unstable_by_key(|arc| arc.place);
        sums.sort_unstable();
        sums.dedup();
        PlainTransition { arcs, sums }
    }

    /// Its arc at a place.
    #[must_use]
    pub fn arc(&self, place: u32) -> Option<&PlainArc> {
        let at = self.arcs.binary_search_by_key(&place, |arc| arc.place).ok()?;
        Some(&self.arcs[at])
    }

    /// What it adds to a place.
    #[must_use]
    pub fn change(&self, place: u32) -> i32 {
        self.arc(place).map_or(0, |arc| arc.change)
    }

    /// Whether firing it leads to another marking.
    #[must_use]
    pub fn has_effect(&self) -> bool {
        self.arcs.iter().any(|arc| arc.change != 0)
    }

    /// Whether it can fire.
    #[must_use]
    pub fn is_enabled(&self, marking: &[i32]) -> bool {
        let holds = |arc: &PlainArc| {
            let tokens = marking[arc.place as usize];
            arc.least <= tokens && tokens <= arc.most
        };
        self.arcs.iter().all(holds) && self.sums.iter().all(|sum| is_below(sum, marking))
    }

    /// Fires it, where it can. `None` if a place would have too many tokens to count; then the marking is
    /// spoilt.
    #[must_use]
    pub fn fire(&self, marking: &mut [i32]) -> Option<()> {
        for arc in &self.arcs {
            let tokens = &mut marking[arc.place as usize];
            *tokens = tokens.checked_add(arc.change)?;
        }
        Some(())
    }
}

/// Adds that a place has at most this many tokens.
fn inhibit(arcs: &mut Vec<PlainArc>, place: u32, most: i32) {
    match arcs.iter_mut().find(|arc| arc.place == place) {
        Some(arc) => arc.most = arc.most.min(most),
        None => arcs.push(PlainArc { place, least: 0, most, change: 0 }),
    }
}

/// Whether places have together fewer tokens than a number.
#[must_use]
pub fn is_below((places, bound): &(Vec<u32>, i32), marking: &[i32]) -> bool {
    let tokens = places.iter().map(|&place| i64::from(marking[place as usize])).sum::<i64>();
    tokens < i64::from(*bound)
}

impl From<&UnfoldedNet> for PlainNet {
    fn from(net: &UnfoldedNet) -> Self {
        let arc = |arc: &UnfoldedArc| {
            let UnfoldedArc { place, least, most, change } = *arc;
            PlainArc { place, least, most, change }
        };
        let transitions = net.transitions.iter().map(|transition| {
            PlainTransition::new(transition.arcs.iter().map(arc).collect(), transition.sums.clone())
        });
        PlainNet {
            initial: net.places.iter().map(|place| place.initial).collect(),
            transitions: transitions.collect(),
        }
    }
}

impl PlainNet {
    /// For each place the transitions that have an arc there.
    #[must_use]
    pub fn transitions_at(&self) -> Vec<Vec<u32>> {
        let mut at = vec![Vec::new(); self.initial.len()];
        for (number, transition) in (0..).zip(&self.transitions) {
            for arc in &transition.arcs {
                at[arc.place as usize].push(number);
            }
        }
        at
    }
}
