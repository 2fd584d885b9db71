//! Canonical bytes.
//!
//! A working state becomes a coloured structure over its pids. The colour of a pid says whether it is
//! active and which token it has to itself, links and other tokens are tuples, labelled by place and
//! data. This is the graph of Klaudel et al. 2008, Def. 8, without its layers of places and tokens
//! (labels say the same), with activity, and with next pids as links (see
//! [`Kinship`](crate::Kinship)). The canonical labelling of the structure numbers the pids; the bytes
//! are the state written down with these numbers:
//!
//! - the number of pids; for each its links, and the least label of a token that it has to itself;
//! - the number of other tokens that have a label and at most three pids; these in order;
//! - the other tokens in full, in order;
//! - where most pairs have the same label and are many, these as bits, a row for each pid.
//!
//! The records of groups are tuples of their own (see `records`), sorted where they are written.
//!
//! Members of classes are pids here, but for who reads the state in the end (see `members`).
//!
//! They are self-contained: two states have the same bytes exactly when they are equivalent, and the
//! bytes decode to one of the class. Nothing is allocated once the scratch memory has grown.

mod dense;
mod long;
mod mixing;
mod plain;
mod records;
mod repeated;
mod rooted;
mod small;
mod tokens;

use std::iter::repeat_n;

use canon::{Canoniser, Structure};
use explore::varint;
use num_bigint::BigUint;
use state::Relations;

use crate::labels::{LABELS, Labels, Plan};
use crate::members::{Back, Members};
use crate::writer::Writer;
use crate::{Kin, Link, NONE, Schema, Sight, Working};
use plain::Plain;
use small::Small;
use tokens::Tokens;

/// Labels below are those of links: three kinds, each close or not. Those of tokens follow.
const FIRST_LABEL: u32 = 6;
/// Labels from here on belong to tokens that are numbered anew in each state.
const NUMBERED: u32 = FIRST_LABEL + LABELS;

/// The words that the tokens of a plain state take at most for each pid; where there are more, pids are often alike.
const PLAIN_WORDS: usize = 10;

/// The colour of atoms that are no pids, which is more than that of any pid.
const ADDED: u32 = 4 * LABELS;

/// Turns working states into canonical bytes and back. Holds all scratch memory: one for each worker.
pub struct Folder {
    /// Where there are classes: their members become pids first.
    pub(crate) members: Option<Box<Members>>,
    schema: Schema,
    sights: [Sight; 2],
    labels: Labels,
    canoniser: Canoniser,
    small: Small,
    plain: Plain,
    tokens: Tokens,
    structure: Structure,
    among: Among,
    writer: Writer,
}

/// The canonical order of the pids, where the structure has other atoms, too, and the position of each in it.
#[derive(Default)]
struct Among {
    order: Vec<u32>,
    position: Vec<u32>,
}

impl Among {
    /// Leaves out of an order what is no pid: pids come first in the structure.
    fn of_pids(&mut self, order: &[u32], pids: usize) -> (&[u32], &[u32]) {
        self.order.clear();
        self.order.extend(order.iter().filter(|&&atom| (atom as usize) < pids));
        self.position.clear();
        self.position.resize(pids, 0);
        (0..).zip(&self.order).for_each(|(at, &pid)| self.position[pid as usize] = at);
        (&self.order, &self.position)
    }
}

impl Folder {
    /// A folder for states of `schema`, up to `relations`.
    #[must_use]
    pub fn new(schema: &Schema, relations: Relations) -> Folder {
        let members = Members::of(schema, relations);
        let labels = Labels::new(members.as_ref().map_or(schema, Members::schema));
        Folder {
            small: Small::new(&labels),
            plain: Plain::new(&labels),
            labels,
            members: members.map(Box::new),
            sights: Sight::of(relations),
            schema: schema.clone(),
            canoniser: Canoniser::regardless_of_colours(),
            tokens: Tokens::default(),
            structure: Structure::new(),
            among: Among::default(),
            writer: Writer::default(),
        }
    }

    /// The folder with hashes that keep only this many bits, to test that nothing rests on them. Its bytes are canonical
    /// too, but not those of other folders.
    #[doc(hidden)]
    #[must_use]
    pub fn with_hash_bits(mut self, bits: u32) -> Folder {
        self.canoniser = self.canoniser.with_hash_bits(bits);
        self.small.keep_hash_bits(bits);
        self.plain.keep_hash_bits(bits);
        self
    }

    /// The folder with a mistake: it takes all pids that its hashes leave tied for twins. To test that this is noticed.
    #[doc(hidden)]
    #[must_use]
    pub fn taking_ties_for_twins(mut self) -> Folder {
        self.small.take_ties_for_twins();
        self.plain.take_ties_for_twins();
        self
    }

    /// The shapes of the places.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Appends the canonical bytes of `working` to `bytes`. Gives the labelling: the number that each
    /// pid of `working` has in the state that [`Folder::unfold`] makes of the bytes.
    pub fn fold(&mut self, working: &Working, bytes: &mut Vec<u8>) -> &[u32] {
        // Reading a small state tells whether it is plain, too.
        let is_plain = (self.small.counts_first > 0).then(|| is_plain(working));
        if self.members.is_none()
            && !self.sights[1].any()
            && is_plain != Some(false)
            && self.small.fold(working, self.sights[0], bytes, &mut self.writer)
        {
            return self.small.position(working.kinship.kin().len());
        }
        self.fold_otherwise(working, is_plain, bytes)
    }

    /// [`Folder::fold`] for states that are not small. It may be known whether the state is plain.
    #[inline(never)]
    fn fold_otherwise(
        &mut self,
        working: &Working,
        known: Option<bool>,
        bytes: &mut Vec<u8>,
    ) -> &[u32] {
        if self.members.is_some() {
            return self.fold_with_members(working, bytes);
        }
        let is_plain = !self.sights[1].any() && known.unwrap_or_else(|| is_plain(working));
        self.fold_long(working, is_plain, bytes)
    }

    /// [`Folder::fold`] for states that are not small and without members, some of which may be plain.
    fn fold_long(&mut self, working: &Working, is_plain: bool, bytes: &mut Vec<u8>) -> &[u32] {
        let Folder { plain, tokens, labels, canoniser, structure, sights, writer, among, .. } =
            self;
        let kin = working.kinship.kin();
        writer.clear();
        if is_plain && plain.fold(working, sights[0], writer) {
            bytes.extend_from_slice(writer.bytes());
            return plain.position(kin.len());
        }
        writer.clear();
        tokens.read(working, labels, structure);
        let position = if structure.tuple_count() == 0 && !sights[1].any() {
            rooted::write(kin, tokens.own(), canoniser, sights[0], writer)
        } else {
            tie(structure, kin, tokens.own(), *sights);
            let canonical = canoniser.canonise(structure);
            let (mut order, mut position) = (canonical.order(), canonical.position());
            if order.len() > kin.len() {
                (order, position) = among.of_pids(order, kin.len());
            }
            write_pids(kin, tokens.own(), order, position, *sights, writer);
            position
        };
        tokens.write(labels, structure, position, writer);
        bytes.extend_from_slice(writer.bytes());
        position
    }

    #[inline(never)]
    fn fold_with_members(&mut self, working: &Working, bytes: &mut Vec<u8>) -> &[u32] {
        let mut members = self.members.take().expect("there are classes");
        members.embed(working);
        members.label(self.fold(members.embedded(), bytes));
        self.members.insert(members).labels()
    }

    /// The number of states that differ from this one only by a permutation that the classes allow, itself
    /// among them. `None` if there are pids in it: with threads there is no such count, since pids are never
    /// used again.
    ///
    /// It is that of an orbit, |G| / |Aut|, Aut taken over all members, also absent ones. Absent members of a
    /// part may be permuted in both, so they cancel: what is left above are the ways to say who the
    /// present members are.
    #[must_use]
    pub fn orbit(&mut self, working: &Working) -> Option<BigUint> {
        if !working.kinship.kin().is_empty() {
            return None;
        }
        let Folder { members, tokens, labels, canoniser, structure, sights, .. } = self;
        let Some(members) = members else { return Some(BigUint::from(1_u32)) };
        let atoms = members.embed(working);
        tokens.read(atoms, labels, structure);
        tie(structure, atoms.kinship.kin(), tokens.own(), *sights);
        Some(members.choices() / canoniser.canonise(structure).group_order())
    }

    /// The other half of the labelling that [`Folder::fold`] has given last: the number that each member
    /// of a class, by the index of the class, has in the state that [`Folder::unfold`] makes of the bytes.
    /// It is a permutation that the class allows.
    ///
    /// # Panics
    /// If there is no such class.
    #[must_use]
    pub fn members(&self, class: usize) -> Vec<u32> {
        self.members.as_ref().expect("there are classes").permutation(class)
    }

    /// Decodes canonical bytes into `working`. Pids and members are numbered as the labelling says.
    pub fn unfold(&self, bytes: &[u8], working: &mut Working) {
        let Some(members) = &self.members else { return self.unfold_pids(bytes, working) };
        let mut embedded = members.embedded().emptied();
        self.unfold_pids(bytes, &mut embedded);
        members.project(&embedded, working, &mut Back::default());
    }

    /// Decodes canonical bytes of a state without members.
    pub(crate) fn unfold_pids(&self, mut bytes: &[u8], working: &mut Working) {
        working.clear();
        let bytes = &mut bytes;
        for pid in 0..word(bytes) {
            let (kin, own) = read_pid(bytes, self.sights);
            working.kinship.add(kin);
            if let Some(label) = own.checked_sub(1) {
                self.put_labelled(label, &[pid], working);
            }
        }
        for _ in 0..word(bytes) {
            let label = word(bytes);
            let (place, data) = self.labels.place_of(label);
            let mut pids = [0; 3];
            let count = self.labels.plans[place].count_pids(data);
            pids[..count].iter_mut().for_each(|pid| *pid = word(bytes));
            self.put_labelled(label, &pids[..count], working);
        }
        while !bytes.is_empty() {
            let place = word(bytes) as usize;
            let count = word(bytes);
            if place == self.labels.plans.len() {
                self.unfold_dense(count, bytes, working);
                continue;
            }
            working.put_new(place, count, |words| {
                let start = words.len() - 1;
                words.extend((1..self.labels.plans[place].stride).map(|_| word(bytes)));
                // One more than the pid, and 0 for none, which is the largest number.
                for &column in &self.labels.plans[place].optional {
                    words[start + column] = words[start + column].wrapping_sub(1);
                }
                for &column in self.labels.plans[place].groups.iter().flat_map(|g| &g.optional) {
                    words[start + column] = words[start + column].wrapping_sub(1);
                }
            });
        }
    }

    /// Decodes the pairs of a label that are written as bits.
    fn unfold_dense(&self, label: u32, bytes: &mut &[u8], working: &mut Working) {
        let pids = working.kinship.kin().len();
        for from in 0..pids as u32 {
            let (row, rest) = bytes.split_at(pids.div_ceil(8));
            *bytes = rest;
            for to in (0..pids as u32).filter(|&to| row[to as usize / 8] >> (to % 8) & 1 == 1) {
                self.put_labelled(label, &[from, to], working);
            }
        }
    }

    fn put_labelled(&self, label: u32, pids: &[u32], working: &mut Working) {
        let (place, mut data) = self.labels.place_of(label);
        let Plan { stride, pids: at, optional, data: columns, .. } = &self.labels.plans[place];
        working.put_new(place, 1, |words| {
            let start = words.len() - 1;
            words.resize(start + stride, 0);
            let entry = &mut words[start..];
            let mut pids = pids.iter().copied();
            for (&column, pid) in at.iter().zip(pids.by_ref()) {
                entry[column] = pid;
            }
            for (i, &column) in optional.iter().enumerate() {
                let is_there = data >> (optional.len() - 1 - i) & 1 == 1;
                let pid = if is_there { pids.next() } else { None };
                entry[column] = pid.unwrap_or(NONE);
            }
            data = data.checked_shr(optional.len() as u32).unwrap_or(0);
            for &(column, bits) in columns.iter().rev() {
                entry[column] = data & ((1_u64 << bits) - 1) as u32;
                data = (u64::from(data) >> bits) as u32;
            }
        });
    }
}

/// Whether a state may be plain.
#[inline(always)]
fn is_plain(working: &Working) -> bool {
    has_plain_size(working.kinship.kin().len(), working.count_words())
}

/// Whether a state of so many pids, whose tokens take so many words, may be plain. States with no more tokens than pids are
/// forests as a rule, for which there is a better way.
#[inline(always)]
fn has_plain_size(pids: usize, words: usize) -> bool {
    words > 3 * pids && words <= PLAIN_WORDS * pids
}

/// Completes the structure of a state: colours and links.
fn tie(structure: &mut Structure, kin: &[Kin], own: &[u32], [ancestors, siblings]: [Sight; 2]) {
    let colours = kin.iter().zip(own).map(|(kin, own)| 2 * own + u32::from(kin.active));
    match structure.len() - kin.len() {
        0 => structure.recolour(colours),
        added => structure.recolour(colours.chain(repeat_n(ADDED, added))),
    }
    // A pid has one link of a kind, but many may be linked to it: arcs go the way that makes a forest.
    let mut tie = |label: u32, pid: u32, link: Link| {
        if let Some((to, close)) = link.get() {
            structure.tuple(label + u32::from(close), &[to, pid]);
        }
    };
    if ancestors.any() {
        (0..).zip(kin).for_each(|(pid, kin)| tie(0, pid, kin.ancestor));
    }
    if siblings.any() {
        for (pid, kin) in (0..).zip(kin) {
            tie(2, pid, kin.elder);
            tie(4, pid, kin.youngest);
        }
    }
}

/// The code of a link: 0 for none.
fn code(link: Link, sight: Sight, position: &[u32]) -> u32 {
    let to = link.get().map_or(0, |(to, _)| 1 + position[to as usize]);
    code_of(to, link.is_close(), sight)
}

/// The code of a link to a position, of which one more is given, 0 for none.
#[inline]
fn code_of(to: u32, is_close: bool, sight: Sight) -> u32 {
    let both = u32::from(sight.far && sight.close);
    ((to << both) + (u32::from(is_close) & both)).saturating_sub(both)
}

fn link_of(code: u32, sight: Sight) -> Link {
    match code.checked_sub(1) {
        None => Link::NONE,
        Some(code) if sight.far && sight.close => Link::new(code / 2, code % 2 == 1),
        Some(code) => Link::new(code, sight.close),
    }
}

fn write_pids(
    kin: &[Kin],
    own: &[u32],
    order: &[u32],
    position: &[u32],
    [ancestors, siblings]: [Sight; 2],
    writer: &mut Writer,
) {
    let mut room = writer.room(1 + 4 * kin.len());
    room.write(kin.len() as u32);
    // Where there are many, positions may as well take two bytes as one.
    let are_few = 4 * kin.len() < 0x80;
    for &pid in order {
        let of = &kin[pid as usize];
        let first = 2 * code(of.ancestor, ancestors, position) + u32::from(of.active);
        if are_few {
            room.write(first)
        } else {
            room.write_any(first)
        }
        if siblings.any() {
            room.write(code(of.elder, siblings, position));
            if of.active {
                room.write(code(of.youngest, siblings, position));
            }
        }
        room.write(own[pid as usize]);
    }
}

/// Takes a number from the front.
#[inline]
fn word(bytes: &mut &[u8]) -> u32 {
    varint::read(bytes) as u32
}

/// What is known of a pid, and one more than the label of its own token.
fn read_pid(bytes: &mut &[u8], [ancestors, siblings]: [Sight; 2]) -> (Kin, u32) {
    let first = word(bytes);
    let active = first % 2 == 1;
    let ancestor = link_of(first / 2, ancestors);
    let (mut elder, mut youngest) = (Link::NONE, Link::NONE);
    if siblings.any() {
        elder = link_of(word(bytes), siblings);
        if active {
            youngest = link_of(word(bytes), siblings);
        }
    }
    (Kin { active, ancestor, elder, youngest }, word(bytes))
}

#[cfg(test)]
mod tests {
    use state::State;

    use super::*;
    use crate::Dictionary;

    #[test]
    fn who_is_active_is_seen_whatever_is_observed() {
        let state = |active: &str| {
            let text =
                format!(r#"{{"tokens":{{"p":[["1"]],"q":[["2"]]}},"eta":{{"{active}":0}}}}"#);
            State::from_json(&text).expect("a state")
        };
        let (one, two) = (state("1"), state("2"));
        let dictionary = Dictionary::of([&one, &two]);
        for relations in Relations::every() {
            let mut folder = Folder::new(dictionary.schema(), relations);
            let mut bytes = |state: &State| {
                let mut bytes = Vec::new();
                folder.fold(&dictionary.working(state, relations).0, &mut bytes);
                bytes
            };
            assert_ne!(bytes(&one), bytes(&two), "{relations}");
        }
    }
}
