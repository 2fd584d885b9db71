//! What a complete survey stands for, counted exactly.
//!
//! Where only members of classes are folded, a class of states has |G| / |Aut| of them, and from each
//! there are as many steps as from its representative. With threads there is no such count unless the
//! states were not folded at all.

use std::sync::Arc;

use budget::{Budget, Exhausted};
use explore::{Exploration, Space, Successors};
use fold::{ConcreteSpace, Folded, Folder};
use net::interpret::Plainly;
use net::{Compiled, Net};
use state::Relations;
use symbolic::Census;

/// Of states that were not folded.
pub(super) fn of_full(
    space: &ConcreteSpace<Plainly>,
    net: &Net,
    exploration: &Exploration,
    budget: &Budget,
) -> Result<Census, Exhausted> {
    let mut census = Census {
        concrete_states: exploration.states().into(),
        concrete_edges: exploration.modes.into(),
        concrete_deadlocks: (exploration.deadlocks.len() + exploration.terminated.len()).into(),
        modes: exploration.modes.into(),
        ..Census::default()
    };
    for (_, bytes) in exploration.store.iter() {
        budget.check()?;
        let state = space.decode(bytes);
        census
            .see(net.places.iter().map(|place| state.tokens(&place.name).map(|(_, count)| count)));
    }
    Ok(census)
}

/// Of states that were folded one by one. They are fired again, to count their modes. `None` if there are
/// threads.
pub(super) fn of_folded(
    net: &Net,
    relations: Relations,
    space: &mut Folded<Compiled>,
    exploration: &Exploration,
    budget: &Budget,
) -> Result<Option<Census>, Exhausted> {
    // Where objects are left out, what is left does not tell how many there are.
    if !Arc::ptr_eq(space.rules().net(), space.rules().projected()) {
        return Ok(None);
    }
    let mut folder = Folder::new(space.rules().schema(), relations);
    let mut found = Successors::within(budget);
    let mut census = Census::default();
    for (_, bytes) in exploration.store.iter() {
        budget.check()?;
        let working = space.decode(bytes);
        let Some(orbit) = folder.orbit(&working) else { return Ok(None) };
        found.clear();
        if space.expand(bytes, &mut found).is_err() {
            return Ok(None);
        }
        // What was found of a state when the budget ended is not all of it.
        budget.check()?;
        let modes: u64 = found.iter().map(|(_, modes, _)| modes).sum();
        census.concrete_edges += &orbit * modes;
        if found.is_empty() {
            census.concrete_deadlocks += &orbit;
        }
        census.concrete_states += orbit;
        census.modes += modes;
        let places = 0..net.places.len();
        census.see(places.map(|place| working.entries(place).map(|entry| entry[0])));
    }
    Ok(Some(census))
}
