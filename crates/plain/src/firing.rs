//! What can fire in a marking.
//!
//! A transition that needs tokens is looked at only where one of the places it needs is marked: the one that
//! the fewest others look at. So the cost follows what is marked, not the size of the net.

use crate::PlainNet;

/// Finds what is enabled.
#[derive(Clone, Debug)]
pub(crate) struct Firing {
    /// Those that are looked at where a place is marked.
    watching: Vec<Vec<u32>>,
    /// Those that need no tokens.
    always: Vec<u32>,
}

impl Firing {
    pub(crate) fn new(net: &PlainNet) -> Firing {
        let mut users = vec![0_u32; net.initial.len()];
        for arc in net.transitions.iter().flat_map(|t| &t.arcs) {
            users[arc.place as usize] += u32::from(arc.needs());
        }
        let mut firing =
            Firing { watching: vec![Vec::new(); net.initial.len()], always: Vec::new() };
        for (number, transition) in (0..).zip(&net.transitions) {
            let needed = transition.arcs.iter().filter(|arc| arc.needs());
            let is_marked = |place: u32| net.initial[place as usize] > 0;
            match needed.min_by_key(|arc| (is_marked(arc.place), users[arc.place as usize])) {
                Some(arc) => firing.watching[arc.place as usize].push(number),
                None => firing.always.push(number),
            }
        }
        firing
    }

    /// The transitions that are enabled in a marking, in no particular order.
    pub(crate) fn enabled(&self, net: &PlainNet, marking: &[i32], enabled: &mut Vec<u32>) {
        enabled.clear();
        let is_enabled = |t: &&u32| net.transitions[**t as usize].is_enabled(marking);
        enabled.extend(self.always.iter().filter(is_enabled));
        for (place, watching) in self.watching.iter().enumerate() {
            if marking[place] > 0 {
                enabled.extend(watching.iter().filter(is_enabled));
            }
        }
    }
}
