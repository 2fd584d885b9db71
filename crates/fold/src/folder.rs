//! Canonical bytes.
//!
//! A working state becomes a coloured structure over its pids: the colour of a pid says whether it is
//! active and which token it has in a flow place, tuples are its links and the tokens it occurs in,
//! labelled by place and data. This is the graph of Klaudel et al. 2008, Def. 8, without its layers of
//! places and tokens (labels say the same), with activity, and with next pids as links (see
//! [`Kinship`](crate::Kinship)). The canonical labelling of the structure numbers the pids; the bytes
//! are the state written down with these numbers, tokens in order. They are self-contained: two states
//! have the same bytes exactly when they are equivalent, and the bytes decode to one of the class.

use canon::{Canoniser, Structure};
use state::Relations;

use crate::bits::{BitReader, BitWriter, bit_width};
use crate::{Column, Kin, Link, Schema, Shape, Sight, Working};

/// Labels below are those of links: three kinds, each close or not.
const LINK_LABELS: u32 = 6;
/// Labels from here on belong to tokens that are numbered anew in each state.
const NUMBERED: u32 = 1 << 30;

/// Turns working states into canonical bytes and back. Holds all scratch memory: one for each worker.
pub struct Folder {
    schema: Schema,
    ancestors: Sight,
    siblings: Sight,
    /// For each place, the label of a single token with data 0, unless its data are too wide.
    base: Vec<Option<u32>>,
    canoniser: Canoniser,
    structure: Structure,
    colours: Vec<u32>,
    numbering: Numbering,
    sorted: Sorted,
    position: Vec<u32>,
}

impl Folder {
    /// A folder for states of `schema`, up to `relations`.
    #[must_use]
    pub fn new(schema: &Schema, relations: Relations) -> Folder {
        let mut next = LINK_LABELS;
        let base = schema.places.iter().map(|shape| {
            let bits = data_bits(shape);
            (bits < 30 && next + (1 << bits) <= NUMBERED).then(|| {
                let base = next;
                next += 1 << bits;
                base
            })
        });
        Folder {
            base: base.collect(),
            ancestors: Sight::of_ancestors(relations),
            siblings: Sight::of_siblings(relations),
            schema: schema.clone(),
            canoniser: Canoniser::new(),
            structure: Structure::new(),
            colours: Vec::new(),
            numbering: Numbering::default(),
            sorted: Sorted::default(),
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
        self.build(working);
        let canonical = self.canoniser.canonise(&self.structure);
        self.position.clear();
        self.position.extend_from_slice(canonical.position());
        let mut out = BitWriter::new(bytes);
        let sights = [self.ancestors, self.siblings];
        write_kin(&mut out, working.kinship.kin(), canonical.order(), canonical.position(), sights);
        let pid_bits = pid_bits(working.kinship.kin().len());
        for (place, shape) in self.schema.places.iter().enumerate() {
            self.sorted.fill(working.entries(place), shape, canonical.position());
            out.number(self.sorted.len());
            for entry in self.sorted.entries() {
                out.number(entry[0] - 1);
                for (&word, column) in entry[1..].iter().zip(&shape.columns) {
                    out.fixed(word, column_bits(*column, pid_bits));
                }
            }
        }
        out.finish();
        &self.position
    }

    /// Decodes canonical bytes into `working`. Pids are numbered as the labelling says.
    pub fn unfold(&self, bytes: &[u8], working: &mut Working) {
        working.clear();
        let mut bits = BitReader::new(bytes);
        let pids = read_kin(&mut bits, working, self.ancestors, self.siblings);
        let pid_bits = pid_bits(pids);
        for (place, shape) in self.schema.places.iter().enumerate() {
            for _ in 0..bits.number() {
                let count = bits.number() + 1;
                working.put_new(place, count, |words| {
                    words.extend(
                        shape.columns.iter().map(|c| bits.fixed(column_bits(*c, pid_bits))),
                    );
                });
            }
        }
    }

    fn build(&mut self, working: &Working) {
        let kin = working.kinship.kin();
        self.colours.clear();
        self.colours.extend(kin.iter().map(|kin| u32::from(kin.active)));
        self.numbering.clear();
        for (place, shape) in self.schema.places.iter().enumerate() {
            let single = shape.flow && pid_columns(shape) == 1;
            for entry in working.entries(place) {
                match self.base[place] {
                    Some(base) if single => {
                        self.colours[entry[1] as usize] += 2 * (base + data_of(shape, entry));
                    }
                    Some(_) if entry[0] == 1 => {}
                    _ => self.numbering.add(place, shape, entry),
                }
            }
        }
        self.numbering.rank();
        self.structure.clear();
        for &colour in &self.colours {
            self.structure.atom(colour);
        }
        for (pid, kin) in (0..).zip(kin) {
            for (kind, link) in (0..).zip([kin.ancestor, kin.elder, kin.youngest]) {
                if let Some((to, close)) = link.get() {
                    self.structure.tuple(2 * kind + u32::from(close), &[pid, to]);
                }
            }
        }
        let mut numbered = self.numbering.labels();
        let mut pids = [0; 8];
        for (place, shape) in self.schema.places.iter().enumerate() {
            let arity = pid_columns(shape);
            for entry in working.entries(place) {
                let label = match self.base[place] {
                    Some(_) if shape.flow && arity == 1 => continue,
                    Some(base) if entry[0] == 1 => base + data_of(shape, entry),
                    _ => numbered.next().expect("every such entry was numbered"),
                };
                let columns = shape.columns.iter().zip(&entry[1..]);
                let of_pids = columns.filter(|(c, _)| **c == Column::Pid).map(|(_, &word)| word);
                if arity == 0 {
                    continue;
                } else if arity <= pids.len() {
                    pids.iter_mut().zip(of_pids).for_each(|(slot, pid)| *slot = pid);
                    self.structure.tuple(label, &pids[..arity]);
                } else {
                    self.structure.tuple(label, &of_pids.collect::<Vec<u32>>());
                }
            }
        }
    }
}

fn write_kin(
    out: &mut BitWriter,
    kin: &[Kin],
    order: &[u32],
    position: &[u32],
    [ancestors, siblings]: [Sight; 2],
) {
    out.number(kin.len() as u32);
    let width = pid_bits(kin.len());
    let link = |out: &mut BitWriter, link: Link, sight: Sight| match link.get() {
        _ if !sight.any() => {}
        None => out.bit(false),
        Some((to, close)) => {
            out.bit(true);
            out.fixed(position[to as usize], width);
            if sight.far && sight.close {
                out.bit(close);
            }
        }
    };
    for &pid in order {
        let kin = &kin[pid as usize];
        out.bit(kin.active);
        link(out, kin.ancestor, ancestors);
        link(out, kin.elder, siblings);
        if kin.active {
            link(out, kin.youngest, siblings);
        }
    }
}

fn read_kin(
    bits: &mut BitReader,
    working: &mut Working,
    ancestors: Sight,
    siblings: Sight,
) -> usize {
    let pids = bits.number();
    let width = pid_bits(pids as usize);
    let link = |bits: &mut BitReader, sight: Sight| {
        if !sight.any() || !bits.bit() {
            return Link::NONE;
        }
        let to = bits.fixed(width);
        let close = if sight.far && sight.close { bits.bit() } else { sight.close };
        Link::new(to, close)
    };
    for _ in 0..pids {
        let active = bits.bit();
        let ancestor = link(bits, ancestors);
        let elder = link(bits, siblings);
        let youngest = if active { link(bits, siblings) } else { Link::NONE };
        working.kinship.add(Kin { active, ancestor, elder, youngest });
    }
    pids as usize
}

/// The bits it takes to name one of `pids` pids.
fn pid_bits(pids: usize) -> u32 {
    bit_width((pids as u32).saturating_sub(1))
}

fn column_bits(column: Column, pid_bits: u32) -> u32 {
    match column {
        Column::Pid => pid_bits,
        Column::Data(bits) => bits,
    }
}

fn data_bits(shape: &Shape) -> u32 {
    shape.columns.iter().map(|c| column_bits(*c, 0)).sum()
}

fn pid_columns(shape: &Shape) -> usize {
    shape.columns.iter().filter(|c| **c == Column::Pid).count()
}

/// The data of an entry as one number; they must fit.
fn data_of(shape: &Shape, entry: &[u32]) -> u32 {
    shape.columns.iter().zip(&entry[1..]).fold(0, |number, (column, &word)| match column {
        Column::Pid => number,
        Column::Data(bits) => number << bits | word,
    })
}

/// Numbers for the tokens whose place, multiplicity and data do not fit a label: their ranks among
/// those of this state, which are the same in every equivalent one.
#[derive(Default)]
struct Numbering {
    words: Vec<u32>,
    /// Where the words of each token begin and end.
    spans: Vec<(u32, u32)>,
    order: Vec<u32>,
    ranks: Vec<u32>,
}

impl Numbering {
    fn clear(&mut self) {
        self.words.clear();
        self.spans.clear();
    }

    fn add(&mut self, place: usize, shape: &Shape, entry: &[u32]) {
        let start = self.words.len() as u32;
        self.words.extend([place as u32, entry[0]]);
        let data = shape.columns.iter().zip(&entry[1..]).filter(|(c, _)| **c != Column::Pid);
        self.words.extend(data.map(|(_, &word)| word));
        self.spans.push((start, self.words.len() as u32));
    }

    fn rank(&mut self) {
        let Numbering { words, spans, order, ranks } = self;
        let token = |i: u32| {
            let (start, end) = spans[i as usize];
            &words[start as usize..end as usize]
        };
        order.clear();
        order.extend(0..spans.len() as u32);
        order.sort_unstable_by(|&a, &b| token(a).cmp(token(b)));
        ranks.clear();
        ranks.resize(spans.len(), 0);
        let mut rank = 0;
        for i in 0..order.len() {
            if i > 0 && token(order[i]) != token(order[i - 1]) {
                rank += 1;
            }
            ranks[order[i] as usize] = rank;
        }
    }

    fn labels(&self) -> impl Iterator<Item = u32> {
        self.ranks.iter().map(|rank| NUMBERED + rank)
    }
}

/// The entries of a place with pids renamed, in order.
#[derive(Default)]
struct Sorted {
    stride: usize,
    words: Vec<u32>,
    order: Vec<u32>,
}

impl Sorted {
    fn fill<'a>(
        &mut self,
        entries: impl Iterator<Item = &'a [u32]>,
        shape: &Shape,
        position: &[u32],
    ) {
        self.stride = shape.stride();
        self.words.clear();
        self.order.clear();
        for entry in entries {
            self.order.push(self.words.len() as u32);
            self.words.push(entry[0]);
            let columns = shape.columns.iter().zip(&entry[1..]);
            self.words.extend(columns.map(|(column, &word)| match column {
                Column::Pid => position[word as usize],
                Column::Data(_) => word,
            }));
        }
        let (words, stride) = (&self.words, self.stride);
        let columns = |start: u32| &words[start as usize + 1..][..stride - 1];
        self.order.sort_unstable_by(|&a, &b| columns(a).cmp(columns(b)));
    }

    fn len(&self) -> u32 {
        self.order.len() as u32
    }

    fn entries(&self) -> impl Iterator<Item = &[u32]> {
        self.order.iter().map(|&start| &self.words[start as usize..][..self.stride])
    }
}
