//! Splitting named elements off their dynamic subclasses.
//!
//! An element that a binding names becomes a dynamic subclass of its own; what is left of the
//! subclass Z keeps its number. Where nothing is left, the first named element takes it over. An
//! entry over Z turns into one entry for each way in which its elements of Z can be named ones or
//! others ("add dim" of Thierry-Mieg et al. 2004, section 4; here with the equality of components).

use crate::explicit::marking::Marking;
use crate::explicit::rules::{Column, Kind};
use crate::word::{MOST_SUBCLASSES, dynamic, nth, word};

/// Stands for no dynamic subclass.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(crate) struct Split {
    /// For each dynamic subclass of the source that is split, where the named elements begin that
    /// got a new number; [`NONE`] for others.
    new: Vec<u32>,
    /// For each that is split, how many of the named elements got a new number.
    count: Vec<u32>,
    /// How many elements of it are left.
    rest: Vec<u32>,
    /// Whether something is split.
    pub(crate) any: bool,
    /// The classes of which something is split.
    pub(crate) classes: Vec<bool>,
    /// The dynamic subclasses that are named elements.
    pub(crate) singles: Vec<u32>,
    /// For each dynamic subclass, the one of the source of which it is the rest, or [`NONE`].
    pub(crate) origin: Vec<u32>,
    variants: Vec<u32>,
}

impl Split {
    /// Splits the subclasses of `target`, a copy of those of the source, of which elements are
    /// named. `false` if there are too many.
    pub(crate) fn begin(
        &mut self,
        target: &mut Marking,
        named: &[u32],
        class_of: impl Fn(u32) -> u32,
        classes: usize,
    ) -> bool {
        let count = target.sizes.len();
        self.any = false;
        self.classes.clear();
        self.classes.resize(classes, false);
        self.singles.clear();
        self.new.clear();
        self.new.resize(count, NONE);
        self.count.resize(count, 0);
        self.rest.resize(count, 0);
        self.origin.clear();
        self.origin.extend(0..count as u32);
        for of in 0..count {
            let (size, named) = (target.sizes[of], named[of]);
            if named == 0 {
                continue;
            }
            let rest = size - named;
            let mut fresh = named;
            if rest == 0 {
                self.origin[of] = NONE;
                self.singles.push(of as u32);
                fresh -= 1;
            }
            if size > 1 {
                let subclass = target.subclasses[of];
                self.any = true;
                self.classes[class_of(subclass) as usize] = true;
                self.new[of] = target.sizes.len() as u32;
                self.count[of] = fresh;
                self.rest[of] = rest;
                target.sizes[of] = rest.max(1);
                for _ in 0..fresh {
                    self.singles.push(target.sizes.len() as u32);
                    self.origin.push(NONE);
                    target.sizes.push(1);
                    target.subclasses.push(subclass);
                }
            }
        }
        target.sizes.len() <= MOST_SUBCLASSES
    }

    /// The word of a named element after splitting.
    #[inline]
    pub(crate) fn single(&self, named: u32) -> u32 {
        let of = dynamic(named);
        match self.new[of as usize] {
            NONE => word(of, 0),
            new if self.rest[of as usize] > 0 => word(new + nth(named), 0),
            new => match nth(named) {
                0 => word(of, 0),
                further => word(new + further - 1, 0),
            },
        }
    }

    /// The tuples into which one falls, one after the other.
    pub(crate) fn variants(&mut self, tuple: &[u32], columns: &[Column]) -> &[u32] {
        let arity = tuple.len();
        self.variants.clear();
        self.variants.extend_from_slice(tuple);
        for i in 0..arity {
            let this = tuple[i];
            let of = dynamic(this);
            if columns[i].kind != Kind::Symmetric || self.new[of as usize] == NONE {
                continue;
            }
            let known = (0..i).find(|&j| columns[j].kind == Kind::Symmetric && tuple[j] == this);
            let count = self.variants.len() / arity;
            for v in 0..count {
                let at = v * arity;
                match known {
                    Some(j) => self.variants[at + i] = self.variants[at + j],
                    None => self.choose(tuple, columns, at, i),
                }
            }
        }
        &self.variants
    }

    /// Gives component `i` of the variant at `at` all values it can have: the first in place, the
    /// others in copies at the end.
    fn choose(&mut self, tuple: &[u32], columns: &[Column], at: usize, i: usize) {
        let arity = tuple.len();
        let of = dynamic(tuple[i]);
        let (new, count) = (self.new[of as usize], self.count[of as usize]);
        let rest = self.rest[of as usize];
        let same = |j: &usize| columns[*j].kind == Kind::Symmetric && dynamic(tuple[*j]) == of;
        let mut first = true;
        let mut option = |variants: &mut Vec<u32>, value: u32| {
            let at = if std::mem::take(&mut first) {
                at
            } else {
                let copy = variants.len();
                variants.extend_from_within(at..at + arity);
                copy
            };
            variants[at + i] = value;
        };
        // The others, while there are some; or the named element that took over.
        let before = (0..i).filter(same).map(|j| self.variants[at + j]);
        let met = before.filter(|&value| dynamic(value) == of).map(|value| nth(value) + 1).max();
        let met = met.unwrap_or(0);
        if met < rest.max(1) {
            option(&mut self.variants, word(of, met));
        }
        for single in (new..new + count).map(|single| word(single, 0)) {
            if !(0..i).filter(same).any(|j| self.variants[at + j] == single) {
                option(&mut self.variants, single);
            }
        }
    }
}
