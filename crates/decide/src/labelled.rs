//! Atoms on the unfolded net as it is: what can fire is read off what is enabled.
//!
//! A search on a net made smaller needs atoms in terms of places, and for a transition of a coloured net these have an
//! alternative for each binding ([`plain::Condition`]). Where there are very many, the net is searched as it is, for a
//! while at least, and nothing is made smaller or written out before.

use plain::{Comparison, Condition, Valuation};
use unfold::{Predicate, UnfoldedNet};

use crate::goal::Goals;

/// Atoms, on a net.
pub(crate) struct Labelled<'n> {
    net: &'n UnfoldedNet,
    /// The number of labels.
    labels: usize,
    atoms: Vec<Check>,
}

/// What is looked at in a marking.
enum Check {
    Constant(bool),
    Compared(Comparison),
    Enabled(usize),
    Dead,
    Not(Box<Check>),
    All(Vec<Check>),
    Any(Vec<Check>),
}

impl<'n> Labelled<'n> {
    /// The atoms that are mentioned; the others never hold. `None` if one cannot be said, or has numbers that are too
    /// large.
    pub(crate) fn of(goals: &Goals, mentioned: &[u32], net: &'n UnfoldedNet) -> Option<Self> {
        let atom = |atom: u32| match mentioned.contains(&atom) {
            true => Check::of(&goals.atoms.predicate(atom, true)?, net),
            false => Some(Check::Constant(false)),
        };
        let atoms = (0..goals.atoms.all().len() as u32).map(atom).collect::<Option<Vec<_>>>()?;
        let labels = net.transitions.iter().flat_map(|transition| &transition.labels);
        let labels = labels.map(|label| label.0 as usize + 1).max().unwrap_or(0);
        Some(Labelled { net, labels, atoms })
    }
}

impl Check {
    fn of(predicate: &Predicate, net: &UnfoldedNet) -> Option<Check> {
        let all = |parts: &[Predicate]| {
            parts.iter().map(|part| Check::of(part, net)).collect::<Option<Vec<_>>>()
        };
        Some(match predicate {
            Predicate::True => Check::Constant(true),
            Predicate::AtMost { terms, bound } => {
                Check::Compared(Comparison::of(terms, *bound, net)?)
            }
            Predicate::Enabled(label) => Check::Enabled(label.0 as usize),
            Predicate::Dead => Check::Dead,
            Predicate::Not(inner) => Check::Not(Box::new(Check::of(inner, net)?)),
            Predicate::And(parts) => Check::All(all(parts)?),
            Predicate::Or(parts) => Check::Any(all(parts)?),
        })
    }

    fn holds(&self, marking: &[i32], is_enabled: &[bool], is_dead: bool) -> bool {
        let holds = |part: &Check| part.holds(marking, is_enabled, is_dead);
        match self {
            Check::Constant(value) => *value,
            Check::Compared(comparison) => comparison.holds(marking),
            // A label that no transition has is none of something that can fire.
            Check::Enabled(label) => is_enabled.get(*label).is_some_and(|is| *is),
            Check::Dead => is_dead,
            Check::Not(inner) => !holds(inner),
            Check::All(parts) => parts.iter().all(holds),
            Check::Any(parts) => parts.iter().any(holds),
        }
    }
}

impl Valuation for Labelled<'_> {
    fn count(&self) -> usize {
        self.atoms.len()
    }

    fn note(&self, marking: &[i32], enabled: &[u32], truths: &mut [u64]) {
        let mut is_enabled = vec![false; self.labels];
        for transition in enabled {
            for label in &self.net.transitions[*transition as usize].labels {
                is_enabled[label.0 as usize] = true;
            }
        }
        for (number, atom) in self.atoms.iter().enumerate() {
            let holds = atom.holds(marking, &is_enabled, enabled.is_empty());
            truths[number / 64] |= u64::from(holds) << (number % 64);
        }
    }

    fn conditions(&self) -> Option<&[Condition]> {
        None
    }
}
