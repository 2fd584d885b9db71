//! The relations on pids that a model may observe, and sets of them (Ω without equality, which is
//! always in it).

use std::fmt;
use std::ops::BitOr;
use std::str::FromStr;

use thiserror::Error;

use crate::Pid;

/// A relation on pids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// ⊲₁: the first created the second.
    Parent,
    /// ⊲: the transitive closure of [`Relation::Parent`].
    Ancestor,
    /// ⋔₁: siblings, the first created immediately before the second.
    NextSibling,
    /// ⋔: the transitive closure of [`Relation::NextSibling`].
    ElderSibling,
}

impl Relation {
    /// All of them, in the order in which they are listed to people.
    pub const ALL: [Relation; 4] =
        [Relation::Parent, Relation::Ancestor, Relation::NextSibling, Relation::ElderSibling];

    /// The word for it, in models and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Relation::Parent => "parent",
            Relation::Ancestor => "ancestor",
            Relation::NextSibling => "next_sibling",
            Relation::ElderSibling => "elder_sibling",
        }
    }

    /// Whether `a` stands in this relation to `b`, read literally off the digits, as in the paper. Initial
    /// threads are siblings in their order. Costs the length of the shorter pid.
    #[must_use]
    pub fn holds(self, a: &Pid, b: &Pid) -> bool {
        let (above, below) = (a.digits(), b.digits());
        let is_elder = || a.group() == b.group() && a.last() < b.last();
        match self {
            Relation::Parent => above == b.group(),
            Relation::Ancestor => below.len() > above.len() && below.starts_with(above),
            Relation::NextSibling => is_elder() && b.last() == a.last() + 1,
            Relation::ElderSibling => is_elder(),
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of relations: Ω, equality understood.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Relations(u8);

impl Relations {
    /// Equality alone.
    pub const NONE: Relations = Relations(0);
    /// All four relations.
    pub const ALL: Relations = Relations(0b1111);

    /// The set with `relation` added.
    #[must_use]
    pub fn with(self, relation: Relation) -> Self {
        Relations(self.0 | 1 << relation as u8)
    }

    /// Whether `relation` is in the set.
    #[must_use]
    pub fn contains(self, relation: Relation) -> bool {
        self.0 & 1 << relation as u8 != 0
    }

    /// Whether every relation of `other` is in the set.
    #[must_use]
    pub fn includes(self, other: Relations) -> bool {
        self.0 & other.0 == other.0
    }

    /// The relations of the set that are not in `other`.
    #[must_use]
    pub fn without(self, other: Relations) -> Self {
        Relations(self.0 & !other.0)
    }

    /// Whether only equality is in the set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The relations of the set.
    pub fn iter(self) -> impl Iterator<Item = Relation> {
        Relation::ALL.into_iter().filter(move |&r| self.contains(r))
    }

    /// All sixteen sets.
    pub fn every() -> impl Iterator<Item = Relations> {
        (0..16).map(Relations)
    }
}

impl BitOr for Relations {
    type Output = Relations;

    fn bitor(self, other: Relations) -> Relations {
        Relations(self.0 | other.0)
    }
}

impl FromIterator<Relation> for Relations {
    fn from_iter<I: IntoIterator<Item = Relation>>(relations: I) -> Self {
        relations.into_iter().fold(Relations::NONE, Relations::with)
    }
}

/// A word that names no relation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is not a relation on pids; there are parent, ancestor, next_sibling and elder_sibling"
)]
pub struct ParseRelationError(String);

impl FromStr for Relation {
    type Err = ParseRelationError;

    fn from_str(word: &str) -> Result<Self, ParseRelationError> {
        Relation::ALL
            .into_iter()
            .find(|r| r.name() == word)
            .ok_or_else(|| ParseRelationError(word.into()))
    }
}

/// Relations separated by commas; equality may be named, as `=`, and the empty text is the empty set.
impl FromStr for Relations {
    type Err = ParseRelationError;

    fn from_str(list: &str) -> Result<Self, ParseRelationError> {
        list.split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty() && *word != "=")
            .map(str::parse)
            .collect()
    }
}

impl fmt::Display for Relations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("=")?;
        self.iter().try_for_each(|r| write!(f, ", {r}"))
    }
}

impl fmt::Debug for Relations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_relations() {
        let set: Relations = "parent, elder_sibling,=".parse().unwrap();
        assert_eq!(set.to_string(), "=, parent, elder_sibling");
        assert!(Relations::ALL.includes(set) && !set.includes(Relations::ALL));
        assert_eq!(Relations::ALL.without(set).to_string(), "=, ancestor, next_sibling");
        assert_eq!("".parse(), Ok(Relations::NONE));
        assert!("sister".parse::<Relations>().is_err());
        assert_eq!(Relations::every().count(), 16);
    }

    #[test]
    fn relations_are_the_papers() {
        use Relation::{Ancestor, ElderSibling, NextSibling, Parent};
        let holds = |relation: Relation, a: &str, b: &str| {
            relation.holds(&a.parse().unwrap(), &b.parse().unwrap())
        };
        assert!(holds(Parent, "1", "1.3") && !holds(Parent, "1", "1.3.1"));
        assert!(holds(Ancestor, "1", "1.3.1"));
        assert!(!holds(Ancestor, "1", "1") && !holds(Ancestor, "1", "11.1"));
        assert!(holds(NextSibling, "1.1", "1.2") && !holds(NextSibling, "1.1", "1.3"));
        assert!(holds(ElderSibling, "1.1", "1.3") && !holds(ElderSibling, "1.1", "2.3"));
        assert!(holds(NextSibling, "1", "2"));
    }
}
