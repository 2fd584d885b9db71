//! What a complete survey stands for, counted exactly.
//!
//! Where only members of classes are folded, a class of states has |G| / |Aut| of them, and from each
//! there are as many steps as from its representative. With threads there is no such count unless the
//! states were not folded at all.

use explore::{Exploration, Space, Successors};
use fold::{ConcreteSpace, Folded, Folder};
use net::{Compiled, Net};
use num_bigint::BigUint;
use state::Relations;

/// The concrete states and steps that were folded, and the largest numbers of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The number of concrete states.
    pub concrete_states: BigUint,
    /// The number of pairs of a concrete state and an enabled mode.
    pub concrete_edges: BigUint,
    /// The number of concrete states in which nothing is enabled.
    pub concrete_deadlocks: BigUint,
    /// The number of modes of one state of each class, added up.
    pub modes: BigUint,
    /// The largest number of tokens in a state.
    pub most_tokens: BigUint,
    /// The largest number of copies of one token in a state: the most tokens in a place of the unfolded net.
    pub most_in_place: BigUint,
}

impl From<&symbolic::Census> for Census {
    fn from(census: &symbolic::Census) -> Self {
        Census {
            concrete_states: census.concrete_states.clone(),
            concrete_edges: census.concrete_edges.clone(),
            concrete_deadlocks: census.concrete_deadlocks.clone(),
            modes: census.modes.clone(),
            most_tokens: census.most_tokens.clone(),
            most_in_place: census.most_in_place.into(),
        }
    }
}

impl Census {
    /// Takes the tokens of a state into account, given how often each is there.
    fn see(&mut self, counts: impl Iterator<Item = u32>) {
        let more = |(sum, most): (u64, u32), count| (sum + u64::from(count), most.max(count));
        let (sum, most) = counts.fold((0, 0), more);
        self.most_tokens = std::mem::take(&mut self.most_tokens).max(sum.into());
        self.most_in_place = std::mem::take(&mut self.most_in_place).max(most.into());
    }
}

/// Of states that were not folded.
pub(super) fn of_full(space: &ConcreteSpace<&Net>, net: &Net, exploration: &Exploration) -> Census {
    let mut census = Census {
        concrete_states: exploration.states().into(),
        concrete_edges: exploration.modes.into(),
        concrete_deadlocks: (exploration.deadlocks.len() + exploration.terminated.len()).into(),
        modes: exploration.modes.into(),
        ..Census::default()
    };
    for (_, bytes) in exploration.store.iter() {
        let state = space.decode(bytes);
        let counts = net.places.iter().flat_map(|place| state.tokens(&place.name));
        census.see(counts.map(|(_, count)| count));
    }
    census
}

/// Of states that were folded one by one. They are fired again, to count their modes. `None` if there are
/// threads.
pub(super) fn of_folded(
    net: &Net,
    relations: Relations,
    space: &mut Folded<Compiled>,
    exploration: &Exploration,
) -> Option<Census> {
    let mut folder = Folder::new(space.rules().schema(), relations);
    let mut found = Successors::new();
    let mut census = Census::default();
    for (_, bytes) in exploration.store.iter() {
        let working = space.decode(bytes);
        let orbit = folder.orbit(&working)?;
        found.clear();
        space.expand(bytes, &mut found).ok()?;
        let modes: u64 = found.iter().map(|(_, modes, _)| modes).sum();
        census.concrete_edges += &orbit * modes;
        if found.is_empty() {
            census.concrete_deadlocks += &orbit;
        }
        census.concrete_states += orbit;
        census.modes += modes;
        let counts = (0..net.places.len()).flat_map(|place| working.entries(place));
        census.see(counts.map(|entry| entry[0]));
    }
    Some(census)
}
