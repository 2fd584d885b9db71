//! The tuples that a term stands for, over the dynamic subclasses of a marking.
//!
//! A local variable of a symmetric class is an element of some dynamic subclass: one that an
//! earlier local already is, or a further one if there is one left. Elements that variables of the
//! transition name are dynamic subclasses of their own here, so a local that equals a variable is
//! in that one.

use crate::explicit::marking::{Marking, number_elements};
use crate::explicit::rules::{Domain, Kind, Place, Subclass, Term};
use crate::word::{dynamic, nth, word};

#[derive(Debug, Default)]
pub(crate) struct Spread {
    /// The words of the transition's variables, and then of locals.
    pub(crate) values: Vec<u32>,
    tuple: Vec<u32>,
    scratch: Vec<u32>,
}

impl Spread {
    /// Calls `sink` with each tuple of a term.
    #[inline]
    pub(crate) fn for_each_tuple(
        &mut self,
        subclasses: &[Subclass],
        marking: &Marking,
        place: &Place,
        term: &Term,
        sink: &mut impl FnMut(&[u32]),
    ) {
        if !term.is_single() {
            self.choose(subclasses, marking, place, term, sink);
        } else if self.evaluate(term) {
            sink(&self.tuple);
        }
    }

    /// Makes the tuple of a term whose variables have values; `false` if a component is not there.
    #[inline]
    fn evaluate(&mut self, term: &Term) -> bool {
        self.tuple.clear();
        for operand in &term.tuple {
            let Some(value) = operand.value(&self.values) else { return false };
            self.tuple.push(value);
        }
        true
    }

    /// Gives the next local each of its values in turn.
    fn choose(
        &mut self,
        subclasses: &[Subclass],
        marking: &Marking,
        place: &Place,
        term: &Term,
        sink: &mut impl FnMut(&[u32]),
    ) {
        let chosen = self.values.len() - term.first_local as usize;
        let Some(local) = term.locals.get(chosen) else {
            if term.condition.holds(&self.values, &marking.subclasses) && self.evaluate(term) {
                let is_symmetric = |i: usize| place.columns[i].kind == Kind::Symmetric;
                number_elements(&mut self.tuple, is_symmetric, &mut self.scratch);
                sink(&self.tuple);
            }
            return;
        };
        let Domain { class, kind, size } = *local;
        if kind != Kind::Symmetric {
            for element in 0..size {
                self.values.push(element);
                self.choose(subclasses, marking, place, term, sink);
                self.values.pop();
            }
            return;
        }
        for (of, &size) in marking.sizes.iter().enumerate() {
            let subclass = marking.subclasses[of] as usize;
            if subclasses[subclass].class != class {
                continue;
            }
            let of = of as u32;
            let before = term.locals.iter().zip(&self.values[term.first_local as usize..]);
            let met = before
                .filter(|(local, value)| local.class == class && dynamic(**value) == of)
                .map(|(_, value)| nth(*value) + 1)
                .max()
                .unwrap_or(0);
            for which in 0..(met + 1).min(size) {
                self.values.push(word(of, which));
                self.choose(subclasses, marking, place, term, sink);
                self.values.pop();
            }
        }
    }
}
