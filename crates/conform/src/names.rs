//! The names that a log has for threads, objects and members of classes, and the *slots* that stand for them.
//!
//! A name means the same one throughout, and no two names the same one: the binding is injective. In candidates a name is
//! a small number, its slot. When whoever has the name is gone in all candidates, the slot becomes free, and the name is
//! remembered as *retired*, since it must not come again. Names that end in a number are remembered as intervals
//! of numbers, so that those of a counter take no memory in the long run. Where the system uses names again, nothing is
//! retired, and nothing is remembered.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use net::Kind;
use rustc_hash::FxBuildHasher;

use crate::event::{Alternative, Event, Given, Name, Occurrence, Wanted};

/// More names than this cannot be known at once.
pub(crate) const MOST_SLOTS: u32 = 1 << 16;

/// The names in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    slots: HashMap<Name, u32, FxBuildHasher>,
    /// Whose each slot is.
    owners: Vec<Option<Name>>,
    free: Vec<u32>,
}

/// There are too many names at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Names {
    /// The number of slots that are somebody's.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The name of a slot.
    pub fn name(&self, slot: u32) -> &str {
        let owner = self.owners.get(slot as usize).and_then(Option::as_ref);
        owner.map_or("?", |(_, name)| name)
    }

    /// The slot of a name.
    pub fn slot(&self, name: &Name) -> Option<u32> {
        self.slots.get(name).copied()
    }

    /// The slots that are somebody's.
    pub fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.slots.values().copied()
    }

    /// Frees a slot. Gives the name that had it.
    pub fn release(&mut self, slot: u32) -> Option<Name> {
        let name = self.owners.get_mut(slot as usize)?.take()?;
        self.slots.remove(&name);
        self.free.push(slot);
        Some(name)
    }

    /// The event that an occurrence is, after those of these numbers.
    pub fn event(
        &mut self,
        occurrence: &Occurrence,
        before: Vec<u64>,
        retired: &Retired,
    ) -> Result<Event, TooMany> {
        let mut alternatives = Vec::with_capacity(occurrence.alternatives.len());
        for Alternative { transition, known } in &*occurrence.alternatives {
            let mut wanted = Vec::with_capacity(known.len());
            for (source, given) in known {
                wanted.push((*source, self.wanted(given, retired)?));
            }
            alternatives.push(Alternative { transition: *transition, known: wanted });
        }
        Ok(Event {
            line: occurrence.line,
            text: occurrence.text.clone(),
            event: occurrence.event.clone(),
            alternatives: alternatives.into(),
            before,
        })
    }

    fn wanted(&mut self, given: &Given, retired: &Retired) -> Result<Wanted, TooMany> {
        let name = match given {
            Given::Data(number) => return Ok(Wanted::Data(*number)),
            Given::Name(name) => name,
        };
        if let Some(slot) = self.slot(name) {
            return Ok(Wanted::Name(name.0, slot));
        }
        if retired.contains(name) {
            return Ok(Wanted::Gone);
        }
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None if self.owners.len() as u32 == MOST_SLOTS => return Err(TooMany),
            None => {
                self.owners.push(None);
                self.owners.len() as u32 - 1
            }
        };
        self.owners[slot as usize] = Some(name.clone());
        self.slots.insert(name.clone(), slot);
        Ok(Wanted::Name(name.0, slot))
    }
}

/// The names of those who are gone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Retired {
    /// By what stands before the number: intervals of numbers, by their first, with their last.
    numbered: HashMap<(Kind, Box<str>), BTreeMap<u64, u64>, FxBuildHasher>,
    others: HashSet<Name, FxBuildHasher>,
    /// Names that count as not retired.
    except: HashSet<Name, FxBuildHasher>,
}

impl Retired {
    /// Remembers a name.
    pub fn insert(&mut self, name: Name) {
        let Some((stem, number)) = numbered(&name.1) else {
            self.others.insert(name);
            return;
        };
        let intervals = self.numbered.entry((name.0, stem.into())).or_default();
        let (mut first, mut last) = (number, number);
        if let Some((&before, &end)) = intervals.range(..=number).next_back() {
            if end >= number {
                return;
            }
            if end + 1 == number {
                first = before;
            }
        }
        if let Some(end) = intervals.remove(&(number + 1)) {
            last = end;
        }
        intervals.insert(first, last);
    }

    /// Whether a name is remembered.
    pub fn contains(&self, name: &Name) -> bool {
        if self.except.contains(name) {
            return false;
        }
        let Some((stem, number)) = numbered(&name.1) else { return self.others.contains(name) };
        let intervals = self.numbered.get(&(name.0, Box::from(stem)));
        let below = intervals.and_then(|all| all.range(..=number).next_back());
        below.is_some_and(|(_, &last)| last >= number)
    }

    /// The same without some names.
    pub fn without(mut self, names: impl IntoIterator<Item = Name>) -> Retired {
        self.except.extend(names);
        self
    }
}

/// What stands before the number at the end of a name, and the number. Leading zeros belong to what stands before.
fn numbered(name: &Rc<str>) -> Option<(&str, u64)> {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count().min(18);
    let (stem, number) = name.split_at(name.len() - digits);
    let zeros = number.bytes().take_while(|&digit| digit == b'0').count();
    let zeros = zeros.min(digits.saturating_sub(1));
    let number = number[zeros..].parse().ok()?;
    Some((&name[..stem.len() + zeros], number))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use random::{Random, for_seeds};

    use super::*;

    fn random_name(random: &mut Random) -> Name {
        let stems = ["", "h", "h-", "h0", "00", "x7y"];
        let kind = if random.percent(80) { Kind::Pid } else { Kind::Int };
        let name = match random.below(4) {
            0 => (*random.pick(&stems)).to_owned(),
            1 => format!("{}{}", random.pick(&stems), random.word()),
            _ => format!("{}{}", random.pick(&stems), random.below(30)),
        };
        (kind, name.into())
    }

    #[test]
    fn intervals_are_sets() {
        for_seeds(0..300, |_, random| {
            let (mut retired, mut set) = (Retired::default(), BTreeSet::new());
            for _ in 0..60 {
                let name = random_name(random);
                retired.insert(name.clone());
                set.insert(name);
            }
            for _ in 0..200 {
                let name = random_name(random);
                assert_eq!(retired.contains(&name), set.contains(&name), "{name:?} {set:?}");
            }
        });
    }

    #[test]
    fn names_of_a_counter_take_one_interval() {
        let mut retired = Retired::default();
        let mut numbers: Vec<u64> = (0..1000).collect();
        Random::new(1).shuffle(&mut numbers);
        for number in numbers {
            retired.insert((Kind::Pid, format!("worker-{number}").into()));
        }
        let intervals: usize = retired.numbered.values().map(BTreeMap::len).sum();
        assert_eq!((intervals, retired.others.len()), (1, 0));
        // Zeros in front make another name.
        assert!(!retired.contains(&(Kind::Pid, "worker-007".into())));
    }
}
