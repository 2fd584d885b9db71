//! Firing a transition under a symbolic binding.
//!
//! Named elements are split off, then each place is written anew: entries fall apart where one of
//! their subclasses did, and are changed by what the arcs take and put. Places that neither is true
//! of are copied, or if they are over plain classes only, left to [`packed`](crate::explicit::packed). Where
//! something is needed is looked at first, so that what is not enabled costs little. Cost: the words
//! of the places changed and of those that are not plain, times the ways in which an entry falls
//! apart.

use crate::explicit::bind::Binder;
use crate::explicit::changes::{Amount, Changes};
use crate::explicit::marking::Marking;
use crate::explicit::rules::{Place, Rules, Term, Touch, Transition};
use crate::explicit::split::Split;
use crate::explicit::spread::Spread;
use crate::word::word;
use crate::{Fault, PlaceId};

/// Scratch for firing, and what came of it.
#[derive(Debug, Default)]
pub(crate) struct Firing {
    /// The marking that is reached, not yet regrouped.
    pub(crate) target: Marking,
    pub(crate) split: Split,
    spread: Spread,
    changes: Changes,
}

impl Firing {
    /// The initial marking: static subclasses are dynamic ones.
    pub(crate) fn initial(&mut self, rules: &Rules) -> Result<(), Fault> {
        let target = &mut self.target;
        target.clear();
        self.split.singles.clear();
        self.split.origin.clear();
        for (subclass, info) in rules.subclasses.iter().enumerate() {
            if info.size > 0 {
                target.subclasses.push(subclass as u32);
                target.sizes.push(info.size);
            }
        }
        if target.sizes.len() > crate::word::MOST_SUBCLASSES {
            return Err(Fault::TooManySubclasses);
        }
        self.spread.values.clear();
        for &(_, subclass) in &rules.initial_constants {
            let of = target.subclasses.partition_point(|&other| other < subclass);
            self.spread.values.push(word(of as u32, 0));
        }
        self.target.ranges.resize(rules.places.len(), (0, 0));
        for (id, place) in rules.moving_places() {
            self.collect(rules, place, &rules.initial[id as usize]);
            let from = self.target.words.len() as u32;
            self.put_unmet(id)?;
            self.target.ranges[id as usize] = (from, self.target.words.len() as u32);
        }
        Ok(())
    }

    /// Whether a transition is enabled under a binding, inhibitors aside. Leaves the places looked
    /// at in the target.
    pub(crate) fn is_enabled(
        &mut self,
        rules: &Rules,
        source: &Marking,
        transition: &Transition,
        binder: &Binder,
    ) -> Result<bool, Fault> {
        if !transition.can_be_followed(&binder.values) {
            return Ok(false);
        }
        self.begin(rules, source, transition, binder)?;
        for touch in transition.touches.iter().take_while(|touch| touch.needs) {
            if !self.touch(rules, source, touch)? {
                return Ok(false);
            }
        }
        Ok(transition.together.iter().all(|touch| self.is_there(rules, touch)))
    }

    /// Splits off the elements that a binding names.
    #[inline]
    fn begin(
        &mut self,
        rules: &Rules,
        source: &Marking,
        transition: &Transition,
        binder: &Binder,
    ) -> Result<(), Fault> {
        self.target.copy(source, rules);
        let class_of = |subclass: u32| rules.subclasses[subclass as usize].class;
        let classes = rules.classes.len();
        if !self.split.begin(&mut self.target, &binder.named, class_of, classes) {
            return Err(Fault::TooManySubclasses);
        }
        self.spread.values.clear();
        let values = binder.values.iter().zip(&transition.symmetric);
        self.spread.values.extend(
            values.map(
                |(&value, &symmetric)| {
                    if symmetric { self.split.single(value) } else { value }
                },
            ),
        );
        Ok(())
    }

    /// Fires a transition at one place, the only one of the source that is looked at, under a binding;
    /// `false` if something is missing there.
    pub(crate) fn fire_at(
        &mut self,
        rules: &Rules,
        source: &Marking,
        transition: &Transition,
        binder: &Binder,
        id: u32,
    ) -> Result<bool, Fault> {
        self.begin(rules, source, transition, binder)?;
        let place = &rules.places[id as usize];
        if let Some(touch) = transition.touches.iter().find(|touch| touch.place == id) {
            self.touch(rules, source, touch)
        } else if self.falls_apart(place) {
            self.changes.begin(place.columns.len());
            self.rewrite(source, id, place)
        } else {
            self.target.copy_place(source, id);
            Ok(true)
        }
    }

    /// Fires a transition under a binding that was found to be enabled just before.
    pub(crate) fn fire(
        &mut self,
        rules: &Rules,
        source: &Marking,
        transition: &Transition,
    ) -> Result<(), Fault> {
        for touch in transition.touches.iter().skip_while(|touch| touch.needs) {
            self.touch(rules, source, touch)?;
        }
        if self.split.any {
            for (id, place) in rules.places.iter().enumerate() {
                let id = id as u32;
                let touched = || transition.touches.iter().any(|touch| touch.place == id);
                if self.falls_apart(place) && !touched() {
                    self.changes.begin(place.columns.len());
                    self.rewrite(source, id, place)?;
                }
            }
        }
        Ok(())
    }

    fn falls_apart(&self, place: &Place) -> bool {
        place.symmetric
            && self.split.any
            && place.columns.iter().any(|column| self.split.classes[column.class as usize])
    }

    /// Writes a place that a transition touches; `false` if something is missing.
    fn touch(&mut self, rules: &Rules, source: &Marking, touch: &Touch) -> Result<bool, Fault> {
        if let Some(amount) = touch.counter {
            return self.count(source, touch.place, amount);
        }
        let place = &rules.places[touch.place as usize];
        self.collect(rules, place, &touch.terms);
        if self.falls_apart(place) {
            self.rewrite(source, touch.place, place)
        } else {
            if place.plain {
                self.target.copy_place(source, touch.place);
            }
            self.patch(source, touch.place, place)
        }
    }

    /// Writes a place without components; `false` if something is missing.
    #[inline]
    fn count(&mut self, source: &Marking, id: u32, amount: Amount) -> Result<bool, Fault> {
        let before = source.words[source.range(id)].first().copied().unwrap_or(0);
        let Some(after) = amount.change(before) else { return Ok(false) };
        let after = after.ok_or(Fault::TooManyTokens(PlaceId(id)))?;
        let words = &mut self.target.words;
        let from = words.len() as u32;
        words.extend((after > 0).then_some(after));
        self.target.ranges[id as usize] = (from, words.len() as u32);
        Ok(true)
    }

    /// Whether all that is asked of a fixed place is there.
    fn is_there(&mut self, rules: &Rules, touch: &Touch) -> bool {
        let place = &rules.places[touch.place as usize];
        self.collect(rules, place, &touch.terms);
        let fixed = place.fixed.as_ref().expect("a fixed place");
        let mut asked = (0..self.changes.len()).map(|i| self.changes.get(i));
        asked.all(|(tuple, amount)| u64::from(fixed.count(tuple)) >= amount.need)
    }

    /// Collects what terms need and change at a place.
    fn collect(&mut self, rules: &Rules, place: &Place, terms: &[(Amount, Term)]) {
        let Self { target, spread, changes, .. } = self;
        changes.begin(place.columns.len());
        for (amount, term) in terms {
            let mut push = |tuple: &[u32]| changes.push(tuple, *amount);
            spread.for_each_tuple(&rules.subclasses, target, place, term, &mut push);
        }
        changes.add_up(terms.len() > 1);
    }

    /// Changes the entries of a place that does not fall apart as collected; `false` if something
    /// that is needed is missing.
    fn patch(&mut self, source: &Marking, id: u32, place: &Place) -> Result<bool, Fault> {
        let Self { target, changes, .. } = self;
        let stride = place.stride();
        let from = target.ranges[id as usize].0 as usize;
        let mut is_gap = false;
        for i in 0..changes.len() {
            let (tuple, amount) = changes.get(i);
            let Some(entry) = source.find(id, place, tuple) else { continue };
            let at = from + entry * stride;
            let Some(count) = amount.change(target.words[at]) else { return Ok(false) };
            let count = count.ok_or(Fault::TooManyTokens(PlaceId(id)))?;
            target.words[at] = count;
            is_gap |= count == 0;
            changes.meet_at(i);
        }
        if is_gap {
            let range = target.range(id);
            let mut to = range.start;
            for from in range.step_by(stride) {
                if target.words[from] > 0 {
                    target.words.copy_within(from..from + stride, to);
                    to += stride;
                }
            }
            target.ranges[id as usize].1 = to as u32;
            if place.plain {
                // It was the last that was copied.
                target.words.truncate(to);
            }
        }
        if changes.unmet().any(|(_, amount)| amount.put > 0) {
            let range = target.range(id);
            let mut from = range.start as u32;
            if range.end < target.words.len() {
                from = target.words.len() as u32;
                target.words.extend_from_within(range);
            }
            let enabled = self.put_unmet(id)?;
            self.target.ranges[id as usize] = (from, self.target.words.len() as u32);
            return Ok(enabled);
        }
        Ok(changes.unmet().all(|(_, amount)| amount.need == 0))
    }

    /// Writes the entries of a place that falls apart, with the changes collected; `false` if
    /// something that is needed is missing.
    fn rewrite(&mut self, source: &Marking, id: u32, place: &Place) -> Result<bool, Fault> {
        let arity = place.columns.len();
        let Self { target, split, changes, .. } = self;
        let from = target.words.len() as u32;
        for entry in source.entries(id, arity + 1) {
            for variant in split.variants(&entry[1..], &place.columns).chunks_exact(arity) {
                let mut count = entry[0];
                if let Some(amount) = changes.meet(variant) {
                    let Some(after) = amount.change(count) else { return Ok(false) };
                    count = after.ok_or(Fault::TooManyTokens(PlaceId(id)))?;
                }
                if count > 0 {
                    target.words.push(count);
                    target.words.extend(variant);
                }
            }
        }
        let enabled = self.put_unmet(id)?;
        self.target.ranges[id as usize] = (from, self.target.words.len() as u32);
        Ok(enabled)
    }

    /// Adds what is put where nothing was; `false` if something is needed there.
    fn put_unmet(&mut self, id: u32) -> Result<bool, Fault> {
        for (tuple, amount) in self.changes.unmet() {
            if amount.need > 0 {
                return Ok(false);
            }
            if amount.put > 0 {
                let count = u32::try_from(amount.put);
                self.target.words.push(count.map_err(|_| Fault::TooManyTokens(PlaceId(id)))?);
                self.target.words.extend_from_slice(tuple);
            }
        }
        Ok(true)
    }
}
