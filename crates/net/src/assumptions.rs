//! Whether a net is a thread net.
//!
//! The assumptions of Klaudel et al. 2008, §3, with these changes. The generator place is implied, so
//! what the paper says of it (3.3) holds by construction, an ending thread's counter being consumed
//! only. There may be several initial threads, siblings in their order, with data, and ordinary places
//! may be filled (2). A transition need not involve a thread, and all threads that take part may end
//! (3.1). The counter of the generator cannot be named at all, so no guard can mention it (3.6).
//!
//! Enumerations with a symmetry promise that certain permutations of their members make no difference.
//! It is checked that no expression can break the promise, and that the initial marking keeps it.

mod groups;
mod initial;
mod owners;
mod transition;
mod typing;

use std::collections::HashSet;

use thiserror::Error;

use crate::{Column, EnumId, Enumeration, Hold, Net, Place, Sort, Symmetry};

pub(crate) use transition::MOST_INPUTS;
pub(crate) use typing::kind;

/// How many choices an arc or an initial token that goes through all members may stand for.
pub(crate) const MOST_CHOICES: usize = 1 << 20;

/// A way in which a net is not a thread net.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{subject}: {what}")]
pub struct Breach {
    /// What it is about: an enumeration, a place (Assumption 1), the initial marking (2) or a transition (3).
    pub subject: String,
    /// What is wrong with it.
    pub what: String,
}

impl Net {
    /// Everything that keeps the net from being a thread net; nothing for one that `lang` has made.
    #[must_use]
    pub fn check(&self) -> Vec<Breach> {
        let mut breaches = Vec::new();
        let mut report = |subject: String, found: Vec<String>| {
            let breach = |what| Breach { subject: subject.clone(), what };
            breaches.extend(found.into_iter().map(breach));
            breaches.is_empty()
        };
        let mut is_well = true;
        for enumeration in &self.enumerations {
            let subject = format!("enumeration `{}`", enumeration.name);
            is_well &= report(subject, check_enumeration(enumeration));
        }
        let mut names = HashSet::new();
        for place in &self.places {
            let mut found = self.check_place(place);
            if !names.insert(&*place.name) {
                found.insert(0, "there is another place of this name".into());
            }
            is_well &= report(format!("place `{}`", place.name), found);
        }
        report("initial marking".into(), initial::check(self, is_well));
        let mut names = HashSet::new();
        for transition in &self.transitions {
            let mut found = transition::check(self, transition);
            if !names.insert(&*transition.name) {
                found.insert(0, "there is another transition of this name".into());
            }
            report(format!("transition `{}`", transition.name), found);
        }
        breaches
    }

    fn check_place(&self, place: &Place) -> Vec<String> {
        let mut found = Vec::new();
        if place.is_flow() && place.columns.first().is_none_or(|c| c.sort != Sort::Pid) {
            found.push("the first column of a flow place is the thread, a pid".into());
        }
        found.extend(place.columns.iter().filter_map(|column| self.check_sort(column.sort).err()));
        if place.is_flow() && place.columns.first().is_some_and(|thread| thread.optional) {
            found.push("there is always a thread in a flow place".into());
        }
        found.extend(groups::check(place));
        if place.idle && !place.is_flow() {
            found.push("only threads are idle, and none is here".into());
        }
        if place.forgotten && !place.is_flow() {
            found.push("only threads learn what was forgotten, and none is here".into());
        }
        if place.forgotten && place.idle {
            found.push("who learns what was forgotten cannot stay".into());
        }
        match place.hold {
            Hold::Root => {}
            _ if place.is_flow() => found.push("nobody owns a flow place".into()),
            Hold::Weak => {}
            Hold::Owned(column) => match place.columns.get(column) {
                Some(Column { sort: Sort::Pid | Sort::Object(_), optional: false, .. }) => {}
                _ => {
                    found.push("its owner is no column that always holds a pid or an object".into())
                }
            },
        }
        found
    }

    fn check_sort(&self, sort: Sort) -> Result<(), String> {
        match sort {
            Sort::Int { min, max } if min > max => Err(format!("the range {min}..={max} is empty")),
            Sort::Int { min, max } if max.abs_diff(min) >= u64::from(u32::MAX) => {
                Err(format!("the range {min}..={max} has 2³² values or more"))
            }
            Sort::Int { min, max } if min < -(1 << 53) || max > 1 << 53 => {
                Err(format!("the range {min}..={max} goes beyond 2⁵³"))
            }
            Sort::Enum(id) => match self.enumerations.get(id.index()) {
                None => Err("there is no such enumeration".into()),
                Some(e) if e.members.is_empty() => Err(format!("`{}` has no member", e.name)),
                Some(e) => {
                    // Concrete states know members by their names.
                    let names: HashSet<_> = e.members.iter().collect();
                    let twice = names.len() < e.members.len();
                    let what = || format!("`{}` has two members of one name", e.name);
                    if twice { Err(what()) } else { Ok(()) }
                }
            },
            Sort::Object(id) if id.index() >= self.fresh.len() => {
                Err("there is no such class".into())
            }
            _ => Ok(()),
        }
    }

    /// Checks that the members of these enumerations can be enumerated, and that there are not too many
    /// choices.
    fn check_each(&self, each: &[EnumId]) -> Result<(), String> {
        let mut choices = 1_usize;
        for id in each {
            self.check_sort(Sort::Enum(*id))?;
            choices = choices.saturating_mul(self.enumerations[id.index()].members.len());
        }
        let what = || format!("it goes through more than {MOST_CHOICES} choices of members");
        if choices > MOST_CHOICES { Err(what()) } else { Ok(()) }
    }
}

fn check_enumeration(enumeration: &Enumeration) -> Vec<String> {
    let mut found = Vec::new();
    let parts = &enumeration.parts;
    if !parts.is_empty() && enumeration.symmetry == Symmetry::Rotations {
        found.push("rotations keep no parts, so it has none".into());
    }
    if parts.iter().any(|part| part.size == 0) {
        found.push("one of its parts has no member".into());
    }
    let members = enumeration.members.len() as u64;
    let covered: u64 = parts.iter().map(|part| u64::from(part.size)).sum();
    if !parts.is_empty() && members != covered {
        found.push(format!("it has {members} members, and its parts {covered}"));
    }
    let names: HashSet<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    if names.len() < parts.len() {
        found.push("it has two parts of one name".into());
    }
    found
}
