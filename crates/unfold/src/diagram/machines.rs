//! Sets of places among which tokens move without becoming more or fewer.
//!
//! A *machine* is a set of places such that every transition puts as many tokens into it as it takes out: the
//! support of a place invariant whose weights are all 1. A process that goes from place to place is one, and so
//! are a variable with a place for each value, and a resource with those who hold it. In P/T nets that were
//! unfolded by others, this is what is left of the elements of classes.
//!
//! Not all of them are looked for, of which there may be exponentially many (Farkas' algorithm; Martínez and
//! Silva 1982), but one for each place that is in none of those found before: a set is grown from the place. As
//! long as a transition is out of balance, a place that evens it out joins, of the transition that leaves the
//! least choice; where there is none, the last choice is taken back. That is cut off after a number of looks, so
//! that the cost is bounded by a constant and the size of the net. What is found depends on the structure
//! alone, and on the order of places where there is a choice.

use budget::Budget;

use crate::UnfoldedNet;

/// Transitions and arcs looked at for one place, and for all places together.
const LOOKS_FOR_PLACE: usize = 1 << 15;
const LOOKS: usize = 1 << 22;
/// Places of a machine, at most.
const LARGEST: usize = 512;

/// Machines of a net, each in ascending order of places; those of one place are left out.
pub(super) fn machines(net: &UnfoldedNet, budget: &Budget) -> Vec<Vec<u32>> {
    let mut search = Search::new(net);
    let mut is_covered = vec![false; net.places.len()];
    let mut machines = Vec::new();
    let mut looks = LOOKS;
    for place in 0..net.places.len() as u32 {
        if is_covered[place as usize] {
            continue;
        }
        if looks == 0 || budget.is_exhausted() {
            break;
        }
        let given = looks.min(LOOKS_FOR_PLACE);
        search.looks = given;
        let machine = search.machine_of(place);
        looks -= given - search.looks;
        if let Some(machine) = machine.filter(|machine| machine.len() > 1) {
            machine.iter().for_each(|place| is_covered[*place as usize] = true);
            machines.push(machine);
        }
    }
    machines
}

/// A set that is being grown.
struct Search {
    /// What each transition changes, and what changes each place.
    changes: Vec<Vec<(u32, i64)>>,
    changers: Vec<Vec<(u32, i64)>>,
    /// For each transition, how many tokens it adds to the set.
    surplus: Vec<i64>,
    is_member: Vec<bool>,
    members: Vec<u32>,
    /// Transitions that change a member, as often as they do.
    touched: Vec<u32>,
    /// Looks that are left.
    looks: usize,
}

impl Search {
    fn new(net: &UnfoldedNet) -> Self {
        let changing = |transition: &crate::UnfoldedTransition| {
            let arcs = transition.arcs.iter().filter(|arc| arc.change != 0);
            arcs.map(|arc| (arc.place, i64::from(arc.change))).collect::<Vec<_>>()
        };
        let changes: Vec<Vec<(u32, i64)>> = net.transitions.iter().map(changing).collect();
        let mut changers = vec![Vec::new(); net.places.len()];
        for (transition, changes) in changes.iter().enumerate() {
            for (place, change) in changes {
                changers[*place as usize].push((transition as u32, *change));
            }
        }
        let (surplus, is_member) = (vec![0; changes.len()], vec![false; net.places.len()]);
        let (members, touched) = (Vec::new(), Vec::new());
        Self { changes, changers, surplus, is_member, members, touched, looks: 0 }
    }

    /// A machine with a place in it, unless it takes too many looks.
    fn machine_of(&mut self, place: u32) -> Option<Vec<u32>> {
        self.join(place);
        let machine = self.grow().then(|| {
            let mut machine = self.members.clone();
            machine.sort_unstable();
            machine
        });
        while !self.members.is_empty() {
            self.leave();
        }
        machine
    }

    /// Adds places until all is in balance; whether that was possible. If it was not, the set is as before.
    fn grow(&mut self) -> bool {
        let Some(choices) = self.least_choice() else { return true };
        if self.members.len() == LARGEST {
            return false;
        }
        for place in choices {
            self.join(place);
            if self.grow() {
                return true;
            }
            self.leave();
            if self.looks == 0 {
                return false;
            }
        }
        false
    }

    /// The places that even out a transition, of that for which there are fewest; `None` if all are in balance.
    /// There is no choice where there are no looks left.
    fn least_choice(&mut self) -> Option<Vec<u32>> {
        let mut least: Option<Vec<u32>> = None;
        for &transition in self.touched.iter().rev() {
            let surplus = self.surplus[transition as usize];
            let changes = &self.changes[transition as usize];
            let spent = 1 + if surplus == 0 { 0 } else { changes.len() };
            self.looks = self.looks.saturating_sub(spent);
            if self.looks == 0 {
                return Some(Vec::new());
            }
            if surplus == 0 {
                continue;
            }
            let evens_out = |(place, change): &&(u32, i64)| {
                change.signum() == -surplus.signum()
                    && change.abs() <= surplus.abs()
                    && !self.is_member[*place as usize]
            };
            let choices = || changes.iter().filter(evens_out).map(|(place, _)| *place);
            let count = choices().count();
            if least.as_ref().is_none_or(|least| count < least.len()) {
                least = Some(choices().collect());
            }
            if count <= 1 {
                break;
            }
        }
        least
    }

    fn join(&mut self, place: u32) {
        self.is_member[place as usize] = true;
        self.members.push(place);
        for (transition, change) in &self.changers[place as usize] {
            self.surplus[*transition as usize] += change;
            self.touched.push(*transition);
        }
    }

    /// Undoes the last joining.
    fn leave(&mut self) {
        let place = self.members.pop().expect("someone joined") as usize;
        self.is_member[place] = false;
        for (transition, change) in &self.changers[place] {
            self.surplus[*transition as usize] -= change;
        }
        self.touched.truncate(self.touched.len() - self.changers[place].len());
    }
}

#[cfg(test)]
mod tests;
