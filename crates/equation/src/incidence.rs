//! Which transitions have to do with which places.

use unfold::UnfoldedNet;

/// Lists of numbers, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// From pairs: the list, and the item.
    fn new(count: usize, pairs: &[(u32, u32)]) -> Lists {
        let mut starts = vec![0_u32; count + 1];
        pairs.iter().for_each(|(list, _)| starts[*list as usize + 1] += 1);
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut items = vec![0; pairs.len()];
        for (list, item) in pairs {
            let at = &mut next[*list as usize];
            items[*at as usize] = *item;
            *at += 1;
        }
        Lists { starts, items }
    }

    pub(crate) fn of(&self, list: u32) -> &[u32] {
        let list = list as usize;
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// For each place its transitions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Incidence {
    /// Those that test it, or change it.
    pub(crate) all: Lists,
    /// Those that take tokens from it.
    pub(crate) takers: Lists,
    /// Those after which it has a token for certain.
    pub(crate) keepers: Lists,
    /// Those that put tokens into it.
    pub(crate) putters: Lists,
}

impl Incidence {
    pub(crate) fn of(net: &UnfoldedNet) -> Incidence {
        let arcs = || {
            let transitions = (0_u32..).zip(&net.transitions);
            transitions.flat_map(|(t, transition)| transition.arcs.iter().map(move |arc| (t, arc)))
        };
        let places = net.places.len();
        let list = |is_one: &dyn Fn(&unfold::UnfoldedArc) -> bool| {
            let pairs = arcs().filter(|(_, arc)| is_one(arc)).map(|(t, arc)| (arc.place, t));
            Lists::new(places, &pairs.collect::<Vec<_>>())
        };
        Incidence {
            all: list(&|_| true),
            takers: list(&|arc| arc.change < 0),
            keepers: list(&|arc| leaves_token(arc)),
            putters: list(&|arc| arc.change > 0),
        }
    }
}

/// Whether there is a token in the place after a transition with this arc has fired.
pub(crate) fn leaves_token(arc: &unfold::UnfoldedArc) -> bool {
    i64::from(arc.least) + i64::from(arc.change) >= 1
}
