//! Working states as nauty's users would have them: pids, tokens of one pid, and labelled pairs, all in numbers.
//!
//! The parent relation and the tokens of two pids are pairs. Whether all pairs can be arcs is found out for all states of
//! a file beforehand: they can if the colours of their ends, which are made of the tokens of one pid, tell the label.
//! If besides each label goes both ways, or the colours tell which way, they can be edges.

use std::collections::BTreeSet;

use fold::{Column, Schema, Shape, Working};

/// A state whose pids and kinds of tokens are numbers.
#[derive(Default)]
pub struct Numbered {
    pub is_active: Vec<bool>,
    /// Pid and label of each token of one pid, 32 bits each.
    pub own: Vec<u64>,
    /// Label and pids of each pair. That of the parent relation is 0.
    pub pairs: Vec<(u32, u32, u32)>,
}

/// How the pairs of all states of a file become arcs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Each pair is an edge.
    Edges,
    /// Each pair is an arc.
    Arcs,
    /// Parents are arcs to their children; a token of two pids is a vertex between them.
    Vertices,
}

/// How the tokens of a place are read.
struct Reading {
    pids: Vec<usize>,
    data: Vec<(usize, u32)>,
    /// The label of a token whose data are 0, and what is added if it has one pid twice.
    base: u32,
    twice: u32,
}

/// How the states of a schema are read.
pub struct Reader {
    places: Vec<Reading>,
}

impl Reader {
    pub fn new(schema: &Schema) -> Reader {
        let mut next = 1;
        let reading = |shape: &Shape| {
            let (mut pids, mut data) = (Vec::new(), Vec::new());
            for (at, column) in (1..).zip(&shape.columns) {
                match *column {
                    Column::Pid => pids.push(at),
                    Column::Data(bits) => data.push((at, bits)),
                    _ => panic!("pids that may be missing, and members, are not encoded"),
                }
            }
            assert!(pids.len() <= 2, "tokens of three pids are not encoded");
            let (base, twice) = (next, 1 << data.iter().map(|&(_, bits)| bits).sum::<u32>());
            next += 2 * twice;
            Reading { pids, data, base, twice }
        };
        Reader { places: schema.places.iter().map(reading).collect() }
    }

    /// Reads a state.
    #[inline]
    pub fn read(&self, working: &Working, state: &mut Numbered) {
        let Numbered { is_active, own, pairs } = state;
        let kin = working.kinship.kin();
        is_active.clear();
        is_active.extend(kin.iter().map(|kin| kin.active));
        own.clear();
        pairs.clear();
        for (child, kin) in (0..).zip(kin) {
            pairs.extend(kin.ancestor.get().map(|(parent, _)| (0, parent, child)));
        }
        let mut add = |label: u32, pid: u32| own.push(u64::from(pid) << 32 | u64::from(label));
        for (place, reading) in self.places.iter().enumerate() {
            for entry in working.entries(place) {
                let data = reading.data.iter().fold(0, |all, &(at, bits)| all << bits | entry[at]);
                let label = reading.base + data;
                for _ in 0..entry[0] {
                    match *reading.pids {
                        [a] => add(label, entry[a]),
                        [a, b] if entry[a] == entry[b] => add(label + reading.twice, entry[a]),
                        [a, b] => pairs.push((label, entry[a], entry[b])),
                        _ => {}
                    }
                }
            }
        }
    }

    /// How these states can be encoded.
    pub fn encoding(&self, workings: &[Working]) -> Encoding {
        // Label and colours of the ends, for each pair of each state.
        let mut seen: BTreeSet<((bool, Vec<u32>), (bool, Vec<u32>), u32)> = BTreeSet::new();
        let (mut goes_both_ways, mut is_simple) = (true, true);
        let mut state = Numbered::default();
        for working in workings {
            self.read(working, &mut state);
            let colour = |pid: u32| {
                let own = state.own.iter().filter(|&token| (token >> 32) as u32 == pid);
                let mut own: Vec<u32> = own.map(|&token| token as u32).collect();
                own.sort_unstable();
                (state.is_active[pid as usize], own)
            };
            let pairs: BTreeSet<_> = state.pairs.iter().collect();
            is_simple &= pairs.len() == state.pairs.len();
            for &(label, a, b) in &state.pairs {
                seen.insert((colour(a), colour(b), label));
                goes_both_ways &= colour(a) != colour(b) || pairs.contains(&(label, b, a));
            }
        }
        let ends: BTreeSet<_> = seen.iter().map(|(a, b, _)| (a, b)).collect();
        let tells_way = ends.iter().all(|&(a, b)| a == b || !ends.contains(&(b, a)));
        if !is_simple || ends.len() < seen.len() {
            Encoding::Vertices
        } else if goes_both_ways && tells_way {
            Encoding::Edges
        } else {
            Encoding::Arcs
        }
    }
}
