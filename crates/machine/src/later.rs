//! What a thread may still do, from a point on.
//!
//! It is worked out from the program ([`crate::compile()`]), for each point: what is done to objects of which type, by which
//! variable they are found, and how often at most, by all code that can be reached from there, with the children that are
//! started. Together with the objects that a thread can reach in a state this bounds what it can do before others act.
//!
//! A variable stands for the value that it has at the point: what is done after another value was assigned to it is done to
//! [`Root::Anything`].

use std::collections::{BTreeMap, BTreeSet};

use program::StepId;

use crate::code::Register;
use crate::heap::Class;
use crate::mistake::{Mistake, planted};

/// How an object is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Root {
    /// By what is in a register at the point.
    Register(Register),
    /// By a global variable that never changes.
    Global(u16),
    /// It may be any object of its type that the thread can reach.
    Anything,
}

/// What is done to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Deed {
    Reads(u16),
    Writes(u16),
    /// A step without arguments that looks at nothing but the fields of the object. Who cannot do it waits.
    Does(StepId),
}

/// Something that is done to objects of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Use {
    pub class: Class,
    pub root: Root,
    pub deed: Deed,
}

/// The class of the global variables.
pub(crate) const GLOBAL_VARIABLES: Class = Class(0);

/// What is done first to an object.
type Firsts = BTreeMap<(Class, Root), BTreeSet<Deed>>;

/// As often as this, or more often.
pub(crate) const MANY: u8 = 8;

/// What a thread may still do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Later {
    /// What it does, and how often at most.
    pub uses: BTreeMap<Use, u8>,
    /// What it may do first to the object that is found in a way; where there is no entry, it is that of anything.
    firsts: Firsts,
    /// Whether it may give others references.
    pub passes: bool,
    /// Whether it may ask of a thread whether it has ended without waiting for it.
    pub asks_ended: bool,
}

impl Later {
    pub(crate) const NOTHING: Later =
        Later { uses: BTreeMap::new(), firsts: BTreeMap::new(), passes: false, asks_ended: false };

    /// What it may do first to an object of a class that is found in a way: by that, or by what may be anything.
    pub(crate) fn firsts(&self, class: Class, root: Root) -> impl Iterator<Item = Deed> {
        let found = self.firsts.get(&(class, root));
        let found = found.or_else(|| self.firsts.get(&(class, Root::Anything)));
        found.into_iter().flatten().copied()
    }

    /// The ways in which objects of a class are found to which something may be done.
    pub(crate) fn roots(&self, class: Class) -> impl Iterator<Item = Root> {
        self.firsts.keys().filter(move |(other, _)| *other == class).map(|(_, root)| *root)
    }

    /// Whether it may look at global variables.
    pub(crate) fn uses_globals(&self) -> bool {
        self.uses.keys().any(|one| one.class == GLOBAL_VARIABLES)
    }

    /// Either this or something else.
    pub(crate) fn or(&mut self, other: &Later) {
        for (one, times) in &other.uses {
            let own = self.uses.entry(*one).or_default();
            *own = (*own).max(*times);
        }
        self.unite(other);
    }

    /// This and something else, in any order.
    pub(crate) fn and(&mut self, other: &Later) {
        other.uses.iter().for_each(|(one, times)| self.count(*one, *times));
        self.unite(other);
    }

    fn unite(&mut self, other: &Later) {
        let keys: BTreeSet<(Class, Root)> =
            self.firsts.keys().chain(other.firsts.keys()).copied().collect();
        let united = keys.into_iter().map(|(class, root)| {
            let firsts = self.firsts(class, root).chain(other.firsts(class, root));
            ((class, root), firsts.collect())
        });
        self.firsts = united.collect();
        self.passes |= other.passes;
        self.asks_ended |= other.asks_ended;
    }

    fn count(&mut self, one: Use, times: u8) {
        let own = self.uses.entry(one).or_default();
        *own = (*own + times).min(MANY);
    }

    /// All of it may be done again and again.
    pub(crate) fn repeat(&mut self) {
        self.uses.values_mut().for_each(|times| *times = MANY);
    }

    /// The same after something else, which may be done or not.
    pub(crate) fn after(&mut self, one: Use) {
        self.count(one, 1);
        let Use { class, root, deed } = one;
        let known = self.firsts(class, root).collect();
        self.firsts.entry((class, root)).or_insert(known);
        for ((_, way), firsts) in of_class(&mut self.firsts, class) {
            if *way == root || root == Root::Anything {
                firsts.insert(deed);
            }
        }
    }

    /// The same after something that is always done before.
    pub(crate) fn surely_after(&mut self, one: Use) {
        self.after(one);
        if one.root != Root::Anything || planted(Mistake::SureOfAnything) {
            self.firsts.insert((one.class, one.root), BTreeSet::from([one.deed]));
        }
    }

    /// The same where registers have their values in other ways.
    pub(crate) fn found(&self, by: impl Fn(Register) -> Root) -> Later {
        let found = |root: Root| match root {
            Root::Register(register) => by(register),
            Root::Global(_) | Root::Anything => root,
        };
        let (passes, asks_ended) = (self.passes, self.asks_ended);
        let mut later = Later { passes, asks_ended, ..Later::default() };
        for (one, times) in &self.uses {
            later.count(Use { root: found(one.root), ..*one }, *times);
        }
        for ((class, root), firsts) in &self.firsts {
            later.firsts.entry((*class, found(*root))).or_default().extend(firsts);
        }
        // What may be anything may be what is found in another way, too.
        for ((class, root), firsts) in &self.firsts {
            if found(*root) == Root::Anything {
                for (_, others) in of_class(&mut later.firsts, *class) {
                    others.extend(firsts);
                }
            }
        }
        later
    }
}

fn of_class(
    firsts: &mut Firsts,
    class: Class,
) -> impl Iterator<Item = (&(Class, Root), &mut BTreeSet<Deed>)> {
    firsts.iter_mut().filter(move |((other, _), _)| *other == class)
}

/// A step that can be [done](Deed::Does) to an object by itself: where its code is, and what it reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct OwnStep {
    pub routine: u32,
    pub reads: Box<[u16]>,
    pub writes: Box<[u16]>,
}
