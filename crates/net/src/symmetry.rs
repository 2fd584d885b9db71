//! Symmetry found, not declared.
//!
//! A permutation g of the members of a class is a *symmetry of the net* when renaming all literals by g, in
//! guards, arcs, definitions, inhibitors, initial tokens and the properties that are checked, gives the
//! same net up to the order of what commutes: arcs of one kind, and equal arcs add up; conjuncts of a
//! guard; operands of `and`, `or` and `==`; initial tokens. Moreover g must keep what is said of members
//! without naming them: their order, and their successors. For each class the largest group of symmetries is
//! found that [`Symmetry`] can express, whatever the net declares:
//!
//! - none, where the order is used, or successors that do not go round, or members are in groups of columns;
//! - rotations, where successors are used, if the rotation by one step is a symmetry; else none;
//! - otherwise all permutations within parts, the coarsest such that these are symmetries.
//!
//! Only permutations of one class at a time are looked for, and only the form of the net is looked at: what
//! means the same but is written in another way may be distinguished. Both lose symmetry, and nothing else.
//! As everything is looked at through the literals in it, the cost is that of the net's text times a small
//! number of parts (`alike`).
//!
//! The symmetry is then imposed: the net is written such that [`Net::check`] sees it. Where that cannot be
//! done, members that are alike are taken for different (`sayable`).

mod alike;
mod claim;
mod express;
mod form;
mod group;
mod impose;
mod items;
mod normal;
mod orbit;
mod read;
mod sayable;

use alike::{alike, broken};
pub(crate) use form::Renaming;
use group::Group;
use items::Items;

use crate::{EnumId, Net, Place, PlaceId, Property, Sort, Symmetry, TransitionId};

/// How many losses of a class are listed at most.
const MOST_LOSSES: usize = 64;

/// A net with the symmetry that was found in it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundSymmetry {
    /// The net, which does what the one looked at does, with its symmetry declared. Members of a class may
    /// be in another order. It has no other properties than those that were said to be checked, since
    /// others might tell more apart.
    pub net: Net,
    /// What was found of each enumeration, in their order.
    pub findings: Vec<Finding>,
}

/// What was found of an enumeration. Members have the numbers that they have in the net looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The enumeration.
    pub class: EnumId,
    /// The permutations that make no difference.
    pub symmetry: Symmetry,
    /// The members that are alike, in the order of the first of each part. Where there are rotations
    /// they are all in one part, and where there is no symmetry each is in one of its own.
    pub parts: Vec<Vec<u32>>,
    /// What keeps the symmetry from being larger. Of very many reasons only some are listed.
    pub losses: Vec<Loss>,
    /// Whether all members were compared. If not, more may be alike than was found.
    pub is_settled: bool,
}

/// Something that keeps a symmetry from being larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What is to blame.
    pub piece: Piece,
    /// What is lost.
    pub lost: Lost,
}

/// A piece of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// The guard of a transition.
    Guard(TransitionId),
    /// What a transition takes from a place, reads in it, puts into it or is inhibited by.
    Arc(TransitionId, PlaceId),
    /// The definitions of a transition.
    Definitions(TransitionId),
    /// What is in a place initially.
    Initial(PlaceId),
    /// A property, by its index among those that are checked.
    Property(usize),
}

/// What is lost of a symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Everything: the order of the members is used.
    Order,
    /// All but rotations, if the members go round, and else everything: successors are used.
    Successor,
    /// A member is distinguished from another.
    Apart {
        /// The member.
        member: u32,
        /// The other, one of the largest part; where successors are used, the one after it.
        from: u32,
    },
    /// A member is like another, but in a way that cannot be said without naming them.
    Unsayable {
        /// The member.
        member: u32,
        /// The other.
        from: u32,
    },
}

impl Net {
    /// Finds the symmetry of the net and of properties that are checked, whatever it declares, and imposes
    /// it.
    ///
    /// # Panics
    /// If the net breaches what [`Net::check`] checks, other than by declaring too much symmetry or by the
    /// number of a transition's arcs.
    #[must_use]
    pub fn find_symmetry(&self, checked: &[Property]) -> FoundSymmetry {
        let bag = items::bag(self, checked);
        let items = Items::of(self, &bag);
        let ids = (0..self.enumerations.len() as u32).map(EnumId);
        let found: Vec<Candidate> = ids.clone().map(|id| find(self, &items, id)).collect();
        let mut groups: Vec<Group> = found.iter().map(|found| found.group.clone()).collect();
        let unsayable = sayable::narrow(self, &items, &mut groups);
        let groups: Vec<Group> = groups.into_iter().map(Group::settled).collect();
        let findings = ids.zip(found).map(|(class, found)| {
            let mut losses = found.losses;
            let more = unsayable.iter().filter(|(of, _)| *of == class).map(|(_, loss)| *loss);
            losses.extend(more);
            losses.truncate(MOST_LOSSES);
            let Group { symmetry, parts, .. } = groups[class.index()].clone();
            Finding { class, symmetry, parts, losses, is_settled: found.is_settled }
        });
        let findings = findings.collect();
        FoundSymmetry { net: impose::imposed(self, checked, &groups), findings }
    }
}

impl Piece {
    /// What it is called, in a net with these transitions, places and properties.
    #[must_use]
    pub fn describe(self, net: &Net) -> String {
        let place = |id: PlaceId| &net.place(id).name;
        let transition = |id: TransitionId| &net.transition(id).name;
        match self {
            Piece::Guard(t) => format!("the guard of `{}`", transition(t)),
            Piece::Arc(t, p) => format!("an arc between `{}` and `{}`", place(p), transition(t)),
            Piece::Definitions(t) => format!("a definition in `{}`", transition(t)),
            Piece::Initial(p) => format!("the initial marking of `{}`", place(p)),
            Piece::Property(index) => format!("the property `{}`", net.properties[index].name),
        }
    }
}

/// The symmetry of a class before it is known whether it can be expressed.
struct Candidate {
    group: Group,
    losses: Vec<Loss>,
    is_settled: bool,
}

fn find(net: &Net, items: &Items, id: EnumId) -> Candidate {
    let class = &net.enumerations[id.index()];
    let size = class.members.len() as u32;
    if is_in_group(net, id) {
        return Candidate { group: Group::fixed(size), losses: Vec::new(), is_settled: false };
    }
    let (order, successors) = items.uses(id);
    let by = |lost: Lost| move |piece: &Piece| Loss { piece: *piece, lost };
    let mut losses: Vec<Loss> = order.iter().map(by(Lost::Order)).collect();
    losses.extend(successors.iter().map(by(Lost::Successor)));
    if !order.is_empty() || !(successors.is_empty() || class.goes_round()) {
        return Candidate { group: Group::fixed(size), losses, is_settled: true };
    }
    if !successors.is_empty() {
        let turn = Renaming::turn(id, size);
        let broken = broken(items, id, 0..size, &turn);
        let is_symmetry = broken.is_empty();
        let apart = broken.iter().take(MOST_LOSSES).map(|item| {
            let (site, form, _) = items.list[*item as usize];
            let mut first = None;
            form.members(&mut |of, member| {
                if of == id {
                    first = first.or(Some(member));
                }
            });
            let member = first.unwrap_or_default();
            Loss { piece: site.piece, lost: Lost::Apart { member, from: (member + 1) % size } }
        });
        let mut apart: Vec<Loss> = apart.collect();
        apart.dedup_by_key(|loss| loss.piece);
        losses.extend(apart);
        let group = if is_symmetry { Group::turning(size) } else { Group::fixed(size) };
        return Candidate { group, losses, is_settled: true };
    }
    let alike = alike(items, id, size);
    losses.extend(distinguished(items, id, &alike.parts));
    let is_settled = alike.is_settled;
    Candidate { group: Group::within(size, alike.parts), losses, is_settled }
}

/// Whether members are in groups. Records that are not used hold the first member, and others would not be last.
fn is_in_group(net: &Net, id: EnumId) -> bool {
    let columns = |place: &'_ Place| {
        place.groups.iter().any(|group| {
            let mut columns = place.columns[group.first..group.end()].iter();
            columns.any(|column| column.sort == Sort::Enum(id))
        })
    };
    net.places.iter().any(columns)
}

/// What distinguishes the parts of a class from its largest.
fn distinguished(items: &Items, id: EnumId, parts: &[Vec<u32>]) -> Vec<Loss> {
    // Of several parts the first.
    let largest = parts.iter().rev().max_by_key(|part| part.len());
    let Some(&from) = largest.and_then(|part| part.first()) else { return Vec::new() };
    let mut losses: Vec<Loss> = Vec::new();
    let others = parts.iter().map(|part| part[0]).filter(|member| *member != from);
    for member in others.take(MOST_LOSSES) {
        let swap = Renaming::swap(id, member, from);
        let broken = broken(items, id, [member, from].into_iter(), &swap);
        let pieces = broken.iter().map(|item| items.list[*item as usize].0.piece);
        let lost = Lost::Apart { member, from };
        losses.extend(pieces.map(|piece| Loss { piece, lost }));
        losses.dedup();
        if losses.len() >= MOST_LOSSES {
            break;
        }
    }
    losses
}
