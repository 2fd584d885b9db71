//! Predicates made simpler before they are looked up in sets.
//!
//! Negations go down to the atoms, conjunctions and disjunctions are flattened, and what a part says by itself
//! is known to the others: in `a ∧ p` the predicate p need only hold where a does, in `a ∨ p` where it does not. So
//! an atom is not asked for again under itself, and much of what is written by machines is decided at once.
//!
//! Cost: a look at each part, and at each atom in it.

use std::collections::HashMap;

use super::Predicate;

/// What is known of atoms.
type Known = HashMap<Predicate, bool>;

/// The same predicate, or its opposite; only atoms are negated in it.
pub(super) fn simplified(predicate: &Predicate, holds: bool) -> Predicate {
    simplify(predicate, holds, &mut Known::new())
}

/// The same predicates, each with its opposite.
pub(super) fn with_opposites(predicates: &[Predicate]) -> Vec<[Predicate; 2]> {
    let both = |predicate| [true, false].map(|holds| simplified(predicate, holds));
    predicates.iter().map(both).collect()
}

fn constant(holds: bool) -> Predicate {
    literal(Predicate::True, holds)
}

fn literal(atom: Predicate, holds: bool) -> Predicate {
    if holds { atom } else { Predicate::Not(Box::new(atom)) }
}

/// An atom or a negated one, taken apart.
pub(super) fn as_literal(predicate: &Predicate) -> Option<(&Predicate, bool)> {
    match predicate {
        Predicate::And(_) | Predicate::Or(_) => None,
        Predicate::Not(inner) => as_literal(inner).map(|(atom, holds)| (atom, !holds)),
        atom => Some((atom, true)),
    }
}

fn simplify(predicate: &Predicate, holds: bool, known: &mut Known) -> Predicate {
    match predicate {
        Predicate::True => constant(holds),
        Predicate::AtMost { .. } | Predicate::Enabled(_) | Predicate::Dead => {
            match known.get(predicate) {
                Some(known) => constant(*known == holds),
                None => literal(predicate.clone(), holds),
            }
        }
        Predicate::Not(inner) => simplify(inner, !holds, known),
        Predicate::And(parts) => several(parts, holds, holds, known),
        Predicate::Or(parts) => several(parts, holds, !holds, known),
    }
}

/// The parts of a conjunction (`all`) or a disjunction, as they come.
struct Operands {
    all: bool,
    literals: Vec<(Predicate, bool)>,
    others: Vec<Predicate>,
    /// Whether one of them decides it.
    decided: bool,
}

impl Operands {
    fn literal(&mut self, atom: &Predicate, value: bool, known: &mut Known) {
        if *atom == Predicate::True {
            self.decided |= value != self.all;
            return;
        }
        match known.get(atom) {
            // It was said before, here or around, or what contradicts it was.
            Some(before) => self.decided |= (value == *before) != self.all,
            None => {
                known.insert(atom.clone(), value == self.all);
                self.literals.push((atom.clone(), value));
            }
        }
    }

    fn add(&mut self, part: Predicate, known: &mut Known) {
        match (part, self.all) {
            (Predicate::And(parts), true) | (Predicate::Or(parts), false) => {
                parts.into_iter().for_each(|part| self.add(part, known));
            }
            (part, _) => match as_literal(&part) {
                Some((atom, value)) => self.literal(atom, value, known),
                None => self.others.push(part),
            },
        }
    }
}

/// A conjunction or a disjunction of parts, or of their opposites. Atoms come first, so that the other parts,
/// each of which is looked at once, know of them.
fn several(parts: &[Predicate], holds: bool, all: bool, known: &mut Known) -> Predicate {
    let mut found = Operands { all, literals: Vec::new(), others: Vec::new(), decided: false };
    for (atom, value) in parts.iter().filter_map(as_literal) {
        found.literal(atom, value == holds, known);
    }
    for part in parts.iter().filter(|part| as_literal(part).is_none()) {
        if !found.decided {
            let part = simplify(part, holds, known);
            found.add(part, known);
        }
    }
    for (atom, _) in &found.literals {
        known.remove(atom);
    }
    if found.decided {
        return constant(!all);
    }
    let literals = found.literals.into_iter().map(|(atom, value)| literal(atom, value));
    let mut parts: Vec<Predicate> = literals.chain(found.others).collect();
    match (parts.len(), all) {
        (0, _) => constant(all),
        (1, _) => parts.swap_remove(0),
        (_, true) => Predicate::And(parts),
        (_, false) => Predicate::Or(parts),
    }
}
