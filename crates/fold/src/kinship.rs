//! Who is related to whom, as far as Ω can still see it.
//!
//! Of each present pid the table keeps three links and whether the pid is active:
//!
//! - `ancestor`: the nearest present ancestor, *close* if it is the parent;
//! - `elder`: the nearest present elder sibling, *close* if it was created immediately before;
//! - `youngest`, of active pids: the nearest present elder sibling of the *next* pid.
//!
//! The next pid of `π` needs no entry of its own: it is determined by `π`, is the youngest of its
//! siblings, and so is described by the link `youngest` of `π`. On the pids present, `ancestor` is the
//! transitive closure of the links of that name and `parent` the close ones among them; likewise
//! `elder_sibling` and `next_sibling`, on present and next pids. So a bijection of pids that keeps the
//! links keeps the relations and conversely, as long as the links hold what Ω sees and no more:
//!
//! | in Ω | links kept |
//! | --- | --- |
//! | both | all, with their closeness |
//! | the closure only | all, none of them close |
//! | the immediate one only | the close ones |
//! | neither | none |
//!
//! When a pid goes, links to it are led on to what it was linked to, and are not close any more: a pid
//! that is gone leaves no other trace. Every operation costs a constant, but [`Kinship::sweep`], which
//! costs the number of pids.

use state::{Relation, Relations};

/// A link to a pid, by its index in the table, or to none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link(u32);

impl Link {
    /// No link.
    pub const NONE: Link = Link(u32::MAX);

    /// A link to `pid`, close or not.
    #[must_use]
    pub fn new(pid: u32, close: bool) -> Link {
        Link(pid << 1 | u32::from(close))
    }

    /// What is linked to, and whether closely.
    #[must_use]
    pub fn get(self) -> Option<(u32, bool)> {
        (self != Link::NONE).then_some((self.0 >> 1, self.0 & 1 == 1))
    }

    /// Whether it is close; for no link, as good as not.
    pub(crate) fn is_close(self) -> bool {
        self != Link::NONE && self.0 & 1 == 1
    }

    /// The low bits of what is linked to; all of them if there is none.
    #[inline(always)]
    pub(crate) fn low_bits(self) -> u8 {
        (self.0 >> 1) as u8
    }

    /// What is linked to, or `none`, which is larger than all.
    pub(crate) fn pid_or(self, none: u32) -> u32 {
        (self.0 >> 1).min(none)
    }
}

/// What is known of a present pid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kin {
    /// Whether the pid is that of a thread that has not ended.
    pub active: bool,
    /// Its nearest present ancestor; close if that is the parent.
    pub ancestor: Link,
    /// Its nearest present elder sibling; close if created immediately before.
    pub elder: Link,
    /// The nearest present elder sibling of its next pid.
    pub youngest: Link,
}

impl Kin {
    /// One that is not active, and related to nobody.
    pub const STRANGER: Kin =
        Kin { active: false, ancestor: Link::NONE, elder: Link::NONE, youngest: Link::NONE };

    /// The same with other indices for the pids it is linked to.
    #[must_use]
    pub fn renamed(&self, index: impl Fn(u32) -> u32) -> Kin {
        let link = |link: Link| match link.get() {
            Some((pid, close)) => Link::new(index(pid), close),
            None => Link::NONE,
        };
        Kin {
            active: self.active,
            ancestor: link(self.ancestor),
            elder: link(self.elder),
            youngest: link(self.youngest),
        }
    }
}

/// Which links of one kind Ω sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sight {
    /// The closure is in Ω: links reach over the pids that are gone.
    pub far: bool,
    /// The immediate relation is in Ω: it shows which links are close.
    pub close: bool,
}

impl Sight {
    /// The sights of ancestors and of siblings.
    #[must_use]
    pub fn of(relations: Relations) -> [Sight; 2] {
        let sight =
            |far, close| Sight { far: relations.contains(far), close: relations.contains(close) };
        [
            sight(Relation::Ancestor, Relation::Parent),
            sight(Relation::ElderSibling, Relation::NextSibling),
        ]
    }

    /// Whether any link is seen.
    #[must_use]
    pub fn any(self) -> bool {
        self.far || self.close
    }

    /// What is seen of a link.
    #[must_use]
    pub fn link(self, pid: u32, close: bool) -> Link {
        if close && self.close {
            Link::new(pid, true)
        } else if self.far {
            Link::new(pid, false)
        } else {
            Link::NONE
        }
    }
}

/// Pids that Ω sees to be siblings.
pub(crate) struct Chain {
    /// The siblings, eldest first.
    pub members: Vec<u32>,
    /// Their parent, if Ω shows it.
    pub parent: Option<u32>,
    /// Their nearest present ancestor, if Ω shows it.
    pub ancestor: Option<u32>,
}

/// The table of the pids present, and Ω.
#[derive(Clone, Debug)]
pub struct Kinship {
    kin: Vec<Kin>,
    ancestors: Sight,
    siblings: Sight,
}

impl Kinship {
    /// The empty table, for a model that observes `relations`.
    #[must_use]
    pub fn new(relations: Relations) -> Kinship {
        let [ancestors, siblings] = Sight::of(relations);
        Kinship { kin: Vec::new(), ancestors, siblings }
    }

    /// What is known of the pids, by index.
    #[must_use]
    pub fn kin(&self) -> &[Kin] {
        &self.kin
    }

    /// How far ancestors are seen.
    #[must_use]
    pub fn ancestors(&self) -> Sight {
        self.ancestors
    }

    /// How far siblings are seen.
    #[must_use]
    pub fn siblings(&self) -> Sight {
        self.siblings
    }

    /// The empty table for the same relations.
    #[must_use]
    pub fn emptied(&self) -> Kinship {
        Kinship { kin: Vec::new(), ancestors: self.ancestors, siblings: self.siblings }
    }

    /// Forgets all pids.
    pub fn clear(&mut self) {
        self.kin.clear();
    }

    /// Becomes a copy of `other`, in the memory it has.
    pub fn copy(&mut self, other: &Kinship) {
        self.kin.clear();
        self.kin.extend_from_slice(&other.kin);
    }

    /// Adds a pid of which the links are known. They are kept as far as they are seen.
    pub fn add(&mut self, kin: Kin) -> u32 {
        let see = |sight: Sight, link: Link| match link.get() {
            Some((pid, close)) => sight.link(pid, close),
            None => Link::NONE,
        };
        self.push(Kin {
            active: kin.active,
            ancestor: see(self.ancestors, kin.ancestor),
            elder: see(self.siblings, kin.elder),
            youngest: if kin.active { see(self.siblings, kin.youngest) } else { Link::NONE },
        })
    }

    fn push(&mut self, kin: Kin) -> u32 {
        let index = u32::try_from(self.kin.len()).expect("fewer than 2³² pids");
        self.kin.push(kin);
        index
    }

    /// Exchanges what is known of the pids.
    pub(crate) fn replace(&mut self, kin: &mut Vec<Kin>) {
        std::mem::swap(&mut self.kin, kin);
    }

    /// Adds the pids of `other`, unrelated to those that are here.
    pub(crate) fn append(&mut self, other: &Kinship) {
        let offset = self.kin.len() as u32;
        self.kin.extend(other.kin.iter().map(|kin| kin.renamed(|pid| pid + offset)));
    }

    /// Adds the pids of `other` in an order; `index` is its inverse.
    pub(crate) fn add_renamed(&mut self, other: &Kinship, order: &[u32], index: &[u32]) {
        let renamed = |&old: &u32| other.kin[old as usize].renamed(|pid| index[pid as usize]);
        self.kin.extend(order.iter().map(renamed));
    }

    /// Lets the active thread `parent` create a child: the child takes the place of the next pid.
    pub fn spawn(&mut self, parent: u32) -> u32 {
        let elder = self.kin[parent as usize].youngest;
        let ancestor = self.ancestors.link(parent, true);
        let child = self.push(Kin { active: true, ancestor, elder, youngest: Link::NONE });
        self.kin[parent as usize].youngest = self.siblings.link(child, true);
        child
    }

    /// Ends a thread: its next pid is gone, its own pid stays as long as it is in a token.
    pub fn end(&mut self, pid: u32) {
        let kin = &mut self.kin[pid as usize];
        kin.active = false;
        kin.youngest = Link::NONE;
    }

    /// Removes the pids that are neither active nor marked in `used`, and writes to `renamed` the new
    /// index of each pid that stays (`u32::MAX` for those that go). Says whether any goes.
    pub fn sweep(&mut self, used: &[bool], renamed: &mut Vec<u32>) -> bool {
        renamed.clear();
        let mut staying = 0;
        for (kin, &used) in self.kin.iter().zip(used) {
            let stays = kin.active || used;
            renamed.push(if stays { staying } else { u32::MAX });
            staying += u32::from(stays);
        }
        if staying as usize == self.kin.len() {
            return false;
        }
        // Links are resolved before any entry moves: they may point either way in the table.
        for index in 0..self.kin.len() {
            if renamed[index] != u32::MAX {
                let kin = self.kin[index];
                let by_ancestor = |kin: &Kin| kin.ancestor;
                let by_elder = |kin: &Kin| kin.elder;
                self.kin[index] = Kin {
                    active: kin.active,
                    ancestor: self.lead_on(kin.ancestor, by_ancestor, self.ancestors, renamed),
                    elder: self.lead_on(kin.elder, by_elder, self.siblings, renamed),
                    youngest: self.lead_on(kin.youngest, by_elder, self.siblings, renamed),
                };
            }
        }
        // The entries of those that go still had their old links, which the loop above walks along;
        // only now may entries move and links take their new indices.
        let mut index = 0;
        self.kin.retain(|_| {
            index += 1;
            renamed[index - 1] != u32::MAX
        });
        for kin in &mut self.kin {
            for link in [&mut kin.ancestor, &mut kin.elder, &mut kin.youngest] {
                if let Some((pid, close)) = link.get() {
                    *link = Link::new(renamed[pid as usize], close);
                }
            }
        }
        true
    }

    /// `link`, or if that pid goes, what is seen of the next one along its own links that stays.
    fn lead_on(
        &self,
        mut link: Link,
        follow: impl Fn(&Kin) -> Link,
        sight: Sight,
        renamed: &[u32],
    ) -> Link {
        while let Some((pid, _)) = link.get() {
            if renamed[pid as usize] != u32::MAX {
                break;
            }
            link = match follow(&self.kin[pid as usize]).get() {
                Some((further, _)) => sight.link(further, false),
                None => Link::NONE,
            };
        }
        link
    }

    /// The pids in chains of siblings, as far as Ω sees them to be siblings.
    pub(crate) fn chains(&self) -> Vec<Chain> {
        let mut younger = vec![None; self.kin.len()];
        let mut parent = vec![None; self.kin.len()];
        for (pid, kin) in (0..).zip(&self.kin) {
            if let Some((elder, _)) = kin.elder.get() {
                younger[elder as usize] = Some(pid);
            }
            if let Some((youngest, _)) = kin.youngest.get() {
                parent[youngest as usize] = Some(pid);
            }
            if let Some((ancestor, true)) = kin.ancestor.get() {
                parent[pid as usize] = Some(ancestor);
            }
        }
        let eldest = (0..).zip(&self.kin).filter(|(_, kin)| kin.elder == Link::NONE);
        let chain = |(eldest, _): (u32, &Kin)| {
            let members: Vec<u32> =
                std::iter::successors(Some(eldest), |&pid| younger[pid as usize]).collect();
            Chain {
                parent: members.iter().find_map(|&pid| parent[pid as usize]),
                // Not all of them need be asked for their ancestors any more.
                ancestor: members.iter().find_map(|&pid| {
                    let (ancestor, _) = self.kin[pid as usize].ancestor.get()?;
                    Some(ancestor)
                }),
                members,
            }
        };
        eldest.map(chain).collect()
    }

    /// Whether `a` stands in `relation` to `b`. Asking for a relation that is not in Ω is a mistake of
    /// the caller, and answered by what the links show.
    #[must_use]
    pub fn holds(&self, relation: Relation, a: u32, b: u32) -> bool {
        let kin = |pid: u32| &self.kin[pid as usize];
        let reaches = |follow: fn(&Kin) -> Link| {
            let mut link = follow(kin(b));
            while let Some((pid, _)) = link.get() {
                if pid == a {
                    return true;
                }
                link = follow(kin(pid));
            }
            false
        };
        match relation {
            Relation::Parent => kin(b).ancestor == Link::new(a, true),
            Relation::Ancestor => reaches(|kin| kin.ancestor),
            Relation::NextSibling => kin(b).elder == Link::new(a, true),
            Relation::ElderSibling => reaches(|kin| kin.elder),
        }
    }
}
