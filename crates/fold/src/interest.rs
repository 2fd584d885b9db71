//! What may still be asked of an identity, by where it is, and the links that are left where less than all is.
//!
//! A pid is *in* a relation as long as something may ask for it: as an ancestor, as a descendant, as a sibling. That
//! is told by the columns it is in, and by the place of the thread that it is ([`Interests`]). For a relation that a pid
//! is not in, it is as good as gone:
//!
//! - the link `ancestor` of a descendant leads to the nearest pid that is in as an ancestor; others have one only if such
//!   a link leads to them, and Ω sees further than to parents;
//! - the links `elder` and `youngest` lead to the nearest elder that is in as a sibling, and only pids that are in as
//!   siblings have the first, only threads whose next child may be the second.
//!
//! So what is left are the links of [`Kinship`](crate::Kinship), over the pids that are in, and a bijection that keeps
//! them keeps whatever may be asked. Why nothing else may be is for those to say who tell the interests. The cost is
//! that of the tokens, and of the links that are led on.

use std::ops::{BitOr, BitOrAssign};

use crate::kinship::{Kin, Kinship, Link, Sight};
use crate::{NONE, Schema, Working};

/// What may still be asked of an identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Interest(u8);

impl Interest {
    /// Nothing.
    pub const NONE: Interest = Interest(0);
    /// Whether it is the same as another.
    pub const EQUALITY: Interest = Interest(1);
    /// Whether it is the parent, or an ancestor, of another.
    pub const ANCESTOR: Interest = Interest(2);
    /// Whether another is its parent, or an ancestor.
    pub const DESCENDANT: Interest = Interest(4);
    /// Whether it is an elder or a younger sibling of another.
    pub const SIBLING: Interest = Interest(8);
    /// Of a thread: that of its next child, as a sibling.
    pub const NEXT: Interest = Interest(16);
    /// All of these.
    pub const ALL: Interest = Interest(31);

    /// Whether it is more than nothing.
    #[must_use]
    pub fn any(self) -> bool {
        self != Interest::NONE
    }

    /// Whether all of `other` is in it.
    #[must_use]
    pub fn includes(self, other: Interest) -> bool {
        self.0 & other.0 == other.0
    }

    /// Without `other`.
    #[must_use]
    pub fn without(self, other: Interest) -> Interest {
        Interest(self.0 & !other.0)
    }
}

impl BitOr for Interest {
    type Output = Interest;

    fn bitor(self, other: Interest) -> Interest {
        Interest(self.0 | other.0)
    }
}

impl BitOrAssign for Interest {
    fn bitor_assign(&mut self, other: Interest) {
        self.0 |= other.0;
    }
}

/// What may still be asked of the pids in the columns of places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interests {
    /// For each place its columns with pids, and what may be asked of them.
    pub places: Vec<Vec<(usize, Interest)>>,
}

/// The scratch memory of dropping links.
#[derive(Clone, Debug, Default)]
pub struct Regarded {
    of: Vec<Interest>,
    kin: Vec<Kin>,
    kept: Vec<bool>,
}

impl Working {
    /// Drops garbage, and the links that nothing asks for any more. `scratch` is overwritten.
    pub fn keep_links(&mut self, schema: &Schema, interests: &Interests, scratch: &mut Regarded) {
        let Regarded { of, kin, kept } = scratch;
        // Of what garbage mentions nothing is asked.
        self.collect(schema, kept);
        of.clear();
        of.resize(self.kinship.kin().len(), Interest::NONE);
        for (place, columns) in interests.places.iter().enumerate() {
            if columns.is_empty() || self.is_empty(place) {
                continue;
            }
            for entry in self.entries(place) {
                for &(column, interest) in columns {
                    let pid = entry[1 + column];
                    if pid != NONE {
                        of[pid as usize] |= interest;
                    }
                }
            }
        }
        self.kinship.keep(of, kin);
    }
}

impl Kinship {
    /// Drops the links of pids that nothing asks for, of which the interest is given. `kept` is scratch.
    pub(crate) fn keep(&mut self, of: &[Interest], kept: &mut Vec<Kin>) {
        kept.clear();
        kept.extend(self.kin().iter().map(|kin| Kin { active: kin.active, ..Kin::STRANGER }));
        let is_in = |pid: u32, interest| of[pid as usize].includes(interest);
        if self.ancestors().any() {
            let far = self.ancestors().far;
            for pid in (0..of.len() as u32).filter(|pid| is_in(*pid, Interest::DESCENDANT)) {
                let mut at = pid;
                loop {
                    let link = self.kin()[at as usize].ancestor;
                    let link = self.nearest(
                        link,
                        |kin| kin.ancestor,
                        self.ancestors(),
                        |pid| is_in(pid, Interest::ANCESTOR),
                    );
                    let known = std::mem::replace(&mut kept[at as usize].ancestor, link);
                    match link.get() {
                        Some((to, _)) if far && known == Link::NONE => at = to,
                        _ => break,
                    }
                }
            }
        }
        if self.siblings().any() {
            let is_sibling = |pid| is_in(pid, Interest::SIBLING);
            let nearest = |link| self.nearest(link, |kin| kin.elder, self.siblings(), is_sibling);
            for (pid, (kin, kept)) in (0..).zip(self.kin().iter().zip(&mut *kept)) {
                if is_sibling(pid) {
                    kept.elder = nearest(kin.elder);
                }
                if is_in(pid, Interest::NEXT) {
                    kept.youngest = nearest(kin.youngest);
                }
            }
        }
        self.replace(kept);
    }

    /// A link, or if it leads to one that is not meant, what is seen of the next one along its own links that is.
    fn nearest(
        &self,
        mut link: Link,
        follow: impl Fn(&Kin) -> Link,
        sight: Sight,
        is_meant: impl Fn(u32) -> bool,
    ) -> Link {
        while let Some((to, _)) = link.get() {
            if is_meant(to) {
                break;
            }
            link = match follow(&self.kin()[to as usize]).get() {
                Some((further, _)) => sight.link(further, false),
                None => Link::NONE,
            };
        }
        link
    }
}
