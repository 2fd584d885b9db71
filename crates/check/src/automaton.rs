//! Generalised Büchi automata with acceptance on transitions.
//!
//! A run is accepting when it takes transitions of every acceptance set again and again. A transition
//! has a label, a disjunction of conjunctions of atoms and negated atoms, and can be taken where the label holds.

/// A conjunction of atoms and of negated atoms, each list ascending. No atom is in both.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// The atoms that must hold.
    pub holds: Vec<u32>,
    /// The atoms that must not.
    pub fails: Vec<u32>,
}

/// A disjunction of conjunctions. Without any it holds nowhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The conjunctions, ascending.
    pub cubes: Vec<Cube>,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Where it leads.
    pub to: u32,
    /// Where it can be taken.
    pub label: Label,
    /// The acceptance sets it is in, as bits.
    pub accepting: u64,
}

/// An automaton. The state 0 is the initial one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// The transitions from each state.
    pub states: Vec<Vec<Edge>>,
    /// The number of acceptance sets, at most 64.
    pub sets: u32,
}

impl Cube {
    /// Whether it holds, given whether atoms do.
    #[must_use]
    pub fn holds_where(&self, atom: impl Fn(u32) -> bool) -> bool {
        self.holds.iter().all(|&a| atom(a)) && self.fails.iter().all(|&a| !atom(a))
    }

    /// That an atom holds, or fails.
    pub(crate) fn of(atom: u32, holds: bool) -> Cube {
        let (holds, fails) = if holds { (vec![atom], vec![]) } else { (vec![], vec![atom]) };
        Cube { holds, fails }
    }

    /// Both, unless they contradict each other.
    pub(crate) fn and(&self, other: &Cube) -> Option<Cube> {
        let union = |a: &[u32], b: &[u32]| {
            let mut all = [a, b].concat();
            all.sort_unstable();
            all.dedup();
            all
        };
        let holds = union(&self.holds, &other.holds);
        let fails = union(&self.fails, &other.fails);
        let contradicts = holds.iter().any(|atom| fails.binary_search(atom).is_ok());
        (!contradicts).then_some(Cube { holds, fails })
    }
}

impl Label {
    /// The label that holds everywhere.
    #[must_use]
    pub fn always() -> Label {
        Label::from(Cube::default())
    }

    /// Whether it holds, given whether atoms do.
    #[must_use]
    pub fn holds_where(&self, atom: impl Fn(u32) -> bool) -> bool {
        self.cubes.iter().any(|cube| cube.holds_where(&atom))
    }

    /// The atoms it speaks of, some perhaps several times.
    pub fn atoms(&self) -> impl Iterator<Item = u32> {
        self.cubes.iter().flat_map(|cube| cube.holds.iter().chain(&cube.fails)).copied()
    }
}

impl From<Cube> for Label {
    fn from(cube: Cube) -> Label {
        Label { cubes: vec![cube] }
    }
}

impl Automaton {
    /// All acceptance sets, as bits.
    #[must_use]
    pub fn all_sets(&self) -> u64 {
        u64::MAX.checked_shr(u64::BITS - self.sets).unwrap_or(0)
    }

    /// The largest number of an atom that occurs, and one more.
    #[must_use]
    pub fn atoms(&self) -> u32 {
        let atoms = self.states.iter().flatten().flat_map(|edge| edge.label.atoms());
        atoms.max().map_or(0, |most| most + 1)
    }
}
