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
//! - the other tokens in full, in order.
//!
//! They are self-contained: two states have the same bytes exactly when they are equivalent, and the
//! bytes decode to one of the class. Nothing is allocated once the scratch memory has grown.

use canon::{Canoniser, Structure};
use state::Relations;

use crate::labels::{LABELS, Labels, Plan};
use crate::{Kin, Link, Schema, Sight, Working, varint};

/// Labels below are those of links: three kinds, each close or not. Those of tokens follow.
const LINK_LABELS: u32 = 6;
/// Labels from here on belong to tokens that are numbered anew in each state.
const NUMBERED: u32 = LINK_LABELS + LABELS;
/// The bits that the pids of a short token may take, and those below them, for their number.
const PID_BITS: u32 = 36;
const COUNT_BITS: u32 = 2;

/// Turns working states into canonical bytes and back. Holds all scratch memory: one for each worker.
pub struct Folder {
    schema: Schema,
    sights: [Sight; 2],
    labels: Labels,
    canoniser: Canoniser,
    structure: Structure,
    /// The same where nothing but ancestry ties pids together.
    colours: Vec<u32>,
    parents: Vec<u32>,
    /// One more than the least label of a token that a pid has to itself; 0 if there is none.
    own: Vec<u32>,
    /// Other tokens with a label: label, number of pids, pids.
    short: Vec<(u32, u32, [u32; 3])>,
    keys: Vec<u64>,
    long: Long,
    position: Vec<u32>,
}

impl Folder {
    /// A folder for states of `schema`, up to `relations`.
    #[must_use]
    pub fn new(schema: &Schema, relations: Relations) -> Folder {
        Folder {
            labels: Labels::new(schema),
            sights: [Sight::of_ancestors(relations), Sight::of_siblings(relations)],
            schema: schema.clone(),
            canoniser: Canoniser::regardless_of_colours(),
            structure: Structure::new(),
            colours: Vec::new(),
            parents: Vec::new(),
            own: Vec::new(),
            short: Vec::new(),
            keys: Vec::new(),
            long: Long::default(),
            position: Vec::new(),
        }
    }

    /// The shapes of the places.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Appends the canonical bytes of `working` to `bytes`. Gives the labelling: the number that each
    /// pid of `working` has in the state that [`Folder::unfold`] makes of the bytes.
    pub fn fold(&mut self, working: &Working, bytes: &mut Vec<u8>) -> &[u32] {
        self.read(working);
        let canonical = if self.is_forest() {
            self.build_forest(working);
            let (colours, parents) = (&self.colours, &self.parents);
            self.canoniser.canonise_forest(colours, parents).expect("nobody descends from himself")
        } else {
            self.build(working);
            self.canoniser.canonise(&self.structure)
        };
        self.position.clear();
        self.position.extend_from_slice(canonical.position());
        let (order, position) = (canonical.order(), self.position.as_slice());
        bytes.reserve(4 * order.len() + 16);
        write_pids(working.kinship.kin(), &self.own, order, position, self.sights, bytes);
        let width = pid_width(order.len());
        self.keys.clear();
        self.keys.extend(self.short.iter().map(|&(label, count, pids)| {
            let mut key = u64::from(label);
            for &pid in &pids[..count as usize] {
                key = key << width | u64::from(position[pid as usize]);
            }
            key << (PID_BITS - width * count) << COUNT_BITS | u64::from(count)
        }));
        self.keys.sort_unstable();
        write_keys(&self.keys, width, bytes);
        self.long.write(&self.labels, position, bytes);
        &self.position
    }

    /// Decodes canonical bytes into `working`. Pids are numbered as the labelling says.
    pub fn unfold(&self, bytes: &[u8], working: &mut Working) {
        working.clear();
        let mut bytes = bytes;
        let bytes = &mut bytes;
        for pid in 0..varint::read(bytes) {
            let (kin, own) = read_pid(bytes, self.sights);
            working.kinship.add(kin);
            if let Some(label) = own.checked_sub(1) {
                self.put_labelled(label, &[pid], working);
            }
        }
        for _ in 0..varint::read(bytes) {
            let label = varint::read(bytes);
            let (place, _) = self.labels.place_of(label);
            let mut pids = [0; 3];
            let count = self.labels.plans[place].pids.len();
            pids[..count].iter_mut().for_each(|pid| *pid = varint::read(bytes));
            self.put_labelled(label, &pids[..count], working);
        }
        while !bytes.is_empty() {
            let place = varint::read(bytes) as usize;
            let count = varint::read(bytes);
            working.put_new(place, count, |words| {
                words.extend((1..self.labels.plans[place].stride).map(|_| varint::read(bytes)));
            });
        }
    }

    fn put_labelled(&self, label: u32, pids: &[u32], working: &mut Working) {
        let (place, mut data) = self.labels.place_of(label);
        let Plan { stride, pids: at, data: columns, .. } = &self.labels.plans[place];
        working.put_new(place, 1, |words| {
            let start = words.len() - 1;
            words.resize(start + stride, 0);
            let entry = &mut words[start..];
            at.iter().zip(pids).for_each(|(&column, &pid)| entry[column] = pid);
            for &(column, bits) in columns.iter().rev() {
                entry[column] = data & ((1_u64 << bits) - 1) as u32;
                data = (u64::from(data) >> bits) as u32;
            }
        });
    }

    /// Sorts the tokens into those that a pid has to itself, short ones and long ones.
    fn read(&mut self, working: &Working) {
        let pids = working.kinship.kin().len();
        let width = pid_width(pids);
        self.own.clear();
        self.own.resize(pids, 0);
        self.short.clear();
        self.long.clear();
        for (place, plan) in self.labels.plans.iter().enumerate() {
            let mut words = working.words(place);
            while let Some((entry, rest)) = words.split_at_checked(plan.stride) {
                words = rest;
                match (plan.label(entry), plan.pids.as_slice()) {
                    (Some(label), &[pid]) => {
                        let own = &mut self.own[entry[pid] as usize];
                        let mut label = label + 1;
                        if *own == 0 {
                            *own = label;
                            continue;
                        }
                        // The least one is its own, whatever the order they come in.
                        if label < *own {
                            std::mem::swap(own, &mut label);
                        }
                        self.short.push((label - 1, 1, [entry[pid], 0, 0]));
                    }
                    (Some(label), []) => self.short.push((label, 0, [0, 0, 0])),
                    (Some(label), &[a, b]) if 2 * width <= PID_BITS => {
                        self.short.push((label, 2, [entry[a], entry[b], 0]));
                    }
                    (Some(label), &[a, b, c]) if 3 * width <= PID_BITS => {
                        self.short.push((label, 3, [entry[a], entry[b], entry[c]]));
                    }
                    _ => self.long.add(place, entry),
                }
            }
        }
        if !self.long.is_empty() {
            self.long.rank(&self.labels);
        }
    }

    /// Whether nothing but ancestry ties pids together, in what was read.
    fn is_forest(&self) -> bool {
        !self.sights[1].any()
            && self.short.iter().all(|(_, pids, _)| *pids == 0)
            && self.long.is_without_pids(&self.labels)
    }

    /// A forest with all that is known of a pid in its colour.
    fn build_forest(&mut self, working: &Working) {
        let kin = working.kinship.kin();
        let root = kin.len() as u32;
        self.colours.clear();
        self.parents.clear();
        self.colours.extend(kin.iter().zip(&self.own).map(|(kin, own)| {
            let close = kin.ancestor.get().is_some_and(|(_, close)| close);
            4 * own + 2 * u32::from(close) + u32::from(kin.active)
        }));
        let parent = |kin: &Kin| kin.ancestor.get().map_or(root, |(parent, _)| parent);
        self.parents.extend(kin.iter().map(parent));
    }

    fn build(&mut self, working: &Working) {
        let structure = &mut self.structure;
        structure.clear();
        let kin = working.kinship.kin();
        for (kin, own) in kin.iter().zip(&self.own) {
            structure.atom(2 * own + u32::from(kin.active));
        }
        let [ancestors, siblings] = self.sights;
        if ancestors.any() {
            (0..).zip(kin).for_each(|(pid, kin)| tie(structure, 0, pid, kin.ancestor));
        }
        if siblings.any() {
            for (pid, kin) in (0..).zip(kin) {
                tie(structure, 2, pid, kin.elder);
                tie(structure, 4, pid, kin.youngest);
            }
        }
        for &(label, count, pids) in &self.short {
            if count > 0 {
                structure.tuple(LINK_LABELS + label, &pids[..count as usize]);
            }
        }
        if !self.long.is_empty() {
            self.long.for_each_tuple(&self.labels, |rank, pids| {
                structure.tuple(NUMBERED + rank, pids);
            });
        }
    }
}

/// A pid has one link of a kind, but many may be linked to it: arcs go the way that makes a forest.
fn tie(structure: &mut Structure, label: u32, pid: u32, link: Link) {
    if let Some((to, close)) = link.get() {
        structure.tuple(label + u32::from(close), &[to, pid]);
    }
}

/// The code of a link: 0 for none.
fn code(link: Link, sight: Sight, position: &[u32]) -> u32 {
    match link.get() {
        None => 0,
        Some((to, close)) if sight.far && sight.close => {
            1 + 2 * position[to as usize] + u32::from(close)
        }
        Some((to, _)) => 1 + position[to as usize],
    }
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
    bytes: &mut Vec<u8>,
) {
    varint::write(kin.len() as u32, bytes);
    for &pid in order {
        let of = &kin[pid as usize];
        varint::write(2 * code(of.ancestor, ancestors, position) + u32::from(of.active), bytes);
        if siblings.any() {
            varint::write(code(of.elder, siblings, position), bytes);
            if of.active {
                varint::write(code(of.youngest, siblings, position), bytes);
            }
        }
        varint::write(own[pid as usize], bytes);
    }
}

/// What is known of a pid, and one more than the label of its own token.
fn read_pid(bytes: &mut &[u8], [ancestors, siblings]: [Sight; 2]) -> (Kin, u32) {
    let first = varint::read(bytes);
    let active = first % 2 == 1;
    let ancestor = link_of(first / 2, ancestors);
    let (mut elder, mut youngest) = (Link::NONE, Link::NONE);
    if siblings.any() {
        elder = link_of(varint::read(bytes), siblings);
        if active {
            youngest = link_of(varint::read(bytes), siblings);
        }
    }
    (Kin { active, ancestor, elder, youngest }, varint::read(bytes))
}

/// The bits it takes to name one of so many pids.
fn pid_width(pids: usize) -> u32 {
    usize::BITS - pids.leading_zeros()
}

fn write_keys(keys: &[u64], width: u32, bytes: &mut Vec<u8>) {
    varint::write(keys.len() as u32, bytes);
    for &key in keys {
        varint::write((key >> (PID_BITS + COUNT_BITS)) as u32, bytes);
        let count = key as u32 & ((1 << COUNT_BITS) - 1);
        for i in 1..=count {
            let pid = key >> (PID_BITS + COUNT_BITS - width * i) & ((1 << width) - 1);
            varint::write(pid as u32, bytes);
        }
    }
}

/// Tokens that have no label, or too many pids. In the structure each is labelled by its rank, by place,
/// multiplicity and data, among those of this state, which is the same in every equivalent one.
#[derive(Default)]
struct Long {
    /// The place and the entry of each token, one after the other.
    words: Vec<u32>,
    /// Where each token begins.
    starts: Vec<u32>,
    order: Vec<u32>,
    ranks: Vec<u32>,
    pids: Vec<u32>,
}

impl Long {
    fn clear(&mut self) {
        self.words.clear();
        self.starts.clear();
    }

    fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    fn is_without_pids(&self, labels: &Labels) -> bool {
        let mut places = self.starts.iter().map(|&start| self.words[start as usize] as usize);
        places.all(|place| labels.plans[place].pids.is_empty())
    }

    fn add(&mut self, place: usize, entry: &[u32]) {
        self.starts.push(self.words.len() as u32);
        self.words.push(place as u32);
        self.words.extend_from_slice(entry);
    }

    /// Ranks the tokens by what they are, pids aside.
    fn rank(&mut self, labels: &Labels) {
        let Long { words, starts, order, ranks, .. } = self;
        let what = |token: u32| {
            let words = &words[starts[token as usize] as usize..];
            let plan = &labels.plans[words[0] as usize];
            let data = plan.data.iter().map(|&(column, _)| words[1 + column]);
            [words[0], words[1]].into_iter().chain(data)
        };
        order.clear();
        order.extend(0..starts.len() as u32);
        order.sort_unstable_by(|&a, &b| what(a).cmp(what(b)));
        ranks.clear();
        ranks.resize(starts.len(), 0);
        let mut rank = 0;
        for pair in order.windows(2) {
            rank += u32::from(!what(pair[0]).eq(what(pair[1])));
            ranks[pair[1] as usize] = rank;
        }
    }

    fn for_each_tuple(&mut self, labels: &Labels, mut visit: impl FnMut(u32, &[u32])) {
        let Long { words, starts, ranks, pids, .. } = self;
        for (&start, &rank) in starts.iter().zip(&*ranks) {
            let words = &words[start as usize..];
            pids.clear();
            pids.extend(labels.plans[words[0] as usize].pids.iter().map(|&at| words[1 + at]));
            if !pids.is_empty() {
                visit(rank, pids);
            }
        }
    }

    /// Writes the tokens with pids renamed, in order.
    fn write(&mut self, labels: &Labels, position: &[u32], bytes: &mut Vec<u8>) {
        let Long { words, starts, order, .. } = self;
        for &start in &*starts {
            let words = &mut words[start as usize..];
            let plan = &labels.plans[words[0] as usize];
            plan.pids.iter().for_each(|&at| words[1 + at] = position[words[1 + at] as usize]);
        }
        let token = |token: u32| {
            let words = &words[starts[token as usize] as usize..];
            &words[..=labels.plans[words[0] as usize].stride]
        };
        order.clear();
        order.extend(0..starts.len() as u32);
        order.sort_unstable_by(|&a, &b| token(a).cmp(token(b)));
        for &one in &*order {
            token(one).iter().for_each(|&word| varint::write(word, bytes));
        }
    }
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
