//! nauty and Traces, called as their manual says.
//!
//! What is timed begins with a working state and ends with bytes that equivalent states share and no others: reading
//! the state, sorting pids by the tokens that they have to themselves, filling the graph, labelling, and writing the
//! colours and the canonical graph, as they lie in memory. Lists of a sparse canonical graph are in no order, as
//! nauty's manual says, and are sorted by `sortlists_sg`. All memory is kept from one graph to the next.

use std::os::raw::c_int;

use nauty_Traces_sys::{
    ADDONEARC, FALSE, SETWORDSNEEDED, TRUE, Traces, TracesOptions, TracesStats, densenauty, graph,
    optionblk, sortlists_sg, sparsegraph, sparsenauty, statsblk,
};

use crate::encode::{Encoding, Numbered, Reader};
use fold::Working;

/// Who labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    Dense,
    Sparse,
    Traces,
}

/// A sparse graph in memory of ours.
#[derive(Default)]
struct Rows {
    v: Vec<usize>,
    d: Vec<c_int>,
    e: Vec<c_int>,
}

impl Rows {
    fn make_room(&mut self, n: usize, arcs: usize) {
        self.v.resize(self.v.len().max(n), 0);
        self.d.resize(self.d.len().max(n), 0);
        self.e.resize(self.e.len().max(arcs), 0);
    }

    fn fill(&mut self, n: usize, arcs: &[(u32, u32)]) {
        self.make_room(n, arcs.len());
        self.d[..n].fill(0);
        arcs.iter().for_each(|&(a, _)| self.d[a as usize] += 1);
        let mut start = 0;
        for (v, d) in self.v[..n].iter_mut().zip(&mut self.d[..n]) {
            *v = start;
            start += *d as usize;
            *d = 0;
        }
        for &(a, b) in arcs {
            let d = &mut self.d[a as usize];
            self.e[self.v[a as usize] + *d as usize] = b as c_int;
            *d += 1;
        }
    }

    fn lent(&mut self, n: usize, arcs: usize) -> sparsegraph {
        sparsegraph {
            nde: arcs,
            v: self.v.as_mut_ptr(),
            nv: n as c_int,
            d: self.d.as_mut_ptr(),
            e: self.e.as_mut_ptr(),
            w: std::ptr::null_mut(),
            vlen: self.v.len(),
            dlen: self.d.len(),
            elen: self.e.len(),
            wlen: 0,
        }
    }
}

#[derive(Default)]
pub struct Labeller {
    state: Numbered,
    /// Where the tokens of each pid begin.
    starts: Vec<u32>,
    /// The first place in `lab` of the pids that look like a pid.
    cell: Vec<u32>,
    /// The pairs that are vertices, by label.
    between: Vec<(u32, u32, u32)>,
    arcs: Vec<(u32, u32)>,
    is_directed: bool,
    n: usize,
    lab: Vec<c_int>,
    ptn: Vec<c_int>,
    orbits: Vec<c_int>,
    dense: Vec<graph>,
    dense_canonical: Vec<graph>,
    rows: Rows,
    canonical: Rows,
}

impl Labeller {
    /// Appends the canonical form of a state to `key`.
    pub fn label(
        &mut self,
        who: Who,
        reader: &Reader,
        working: &Working,
        encoding: Encoding,
        key: &mut Vec<u8>,
    ) {
        reader.read(working, &mut self.state);
        self.sort_pids();
        self.write_colours(key);
        self.is_directed = encoding != Encoding::Edges;
        self.arcs.clear();
        match encoding {
            Encoding::Arcs => self.arcs.extend(self.state.pairs.iter().map(|&(_, a, b)| (a, b))),
            Encoding::Edges => {
                for &(_, a, b) in &self.state.pairs {
                    // Those between pids of one colour are listed both ways.
                    self.arcs.push((a, b));
                    if self.cell[a as usize] != self.cell[b as usize] {
                        self.arcs.push((b, a));
                    }
                }
            }
            Encoding::Vertices => self.add_between(key),
        }
        self.n = self.lab.len();
        self.orbits.resize(self.n, 0);
        match who {
            Who::Dense => self.dense(key),
            Who::Sparse | Who::Traces => self.sparse(who, key),
        }
    }

    /// Sorts the pids by what they have to themselves, as nauty takes them.
    fn sort_pids(&mut self) {
        let Labeller { state: Numbered { is_active, own, .. }, starts, cell, lab, ptn, .. } = self;
        let n = is_active.len();
        own.sort_unstable();
        starts.clear();
        starts.resize(n + 1, 0);
        own.iter().for_each(|&token| starts[(token >> 32) as usize + 1] += 1);
        (0..n).for_each(|pid| starts[pid + 1] += starts[pid]);
        lab.clear();
        lab.extend(0..n as c_int);
        let colour = |pid: c_int| {
            let tokens = starts[pid as usize] as usize..starts[pid as usize + 1] as usize;
            (is_active[pid as usize], own[tokens].iter().map(|&token| token as u32))
        };
        let compare = |a: c_int, b: c_int| {
            let (a, b) = (colour(a), colour(b));
            a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1))
        };
        lab.sort_unstable_by(|&a, &b| compare(a, b));
        ptn.clear();
        ptn.extend(lab.windows(2).map(|pair| c_int::from(compare(pair[0], pair[1]).is_eq())));
        ptn.push(0);
        cell.resize(n.max(cell.len()), 0);
        let mut first = 0;
        for (at, &pid) in (0..).zip(&*lab) {
            cell[pid as usize] = first;
            first = if ptn[at as usize] == 0 { at + 1 } else { first };
        }
    }

    /// Writes what the pids have to themselves, in the order that every labelling keeps.
    fn write_colours(&self, key: &mut Vec<u8>) {
        key.extend_from_slice(&(self.lab.len() as u32).to_ne_bytes());
        for &pid in &self.lab {
            let pid = pid as usize;
            let own = &self.state.own[self.starts[pid] as usize..self.starts[pid + 1] as usize];
            let first = (own.len() as u32) << 1 | u32::from(self.state.is_active[pid]);
            key.extend_from_slice(&first.to_ne_bytes());
            own.iter().for_each(|&token| key.extend_from_slice(&(token as u32).to_ne_bytes()));
        }
    }

    /// Adds the arcs from parents to children, and a vertex for each other pair, whose labels are colours.
    fn add_between(&mut self, key: &mut Vec<u8>) {
        self.between.clear();
        for &(label, a, b) in &self.state.pairs {
            if label == 0 {
                self.arcs.push((a, b));
            } else {
                self.between.push((label, a, b));
            }
        }
        self.between.sort_unstable_by_key(|pair| pair.0);
        key.extend_from_slice(&(self.between.len() as u32).to_ne_bytes());
        for (i, &(label, a, b)) in self.between.iter().enumerate() {
            let vertex = self.lab.len() as u32;
            self.arcs.extend([(a, vertex), (vertex, b)]);
            self.lab.push(vertex as c_int);
            self.ptn.push(c_int::from(self.between.get(i + 1).is_some_and(|next| next.0 == label)));
            key.extend_from_slice(&label.to_ne_bytes());
        }
    }

    fn dense(&mut self, key: &mut Vec<u8>) {
        let (n, m) = (self.n, SETWORDSNEEDED(self.n));
        self.dense.clear();
        self.dense.resize(m * n, 0);
        self.dense_canonical.resize(m * n, 0);
        for &(a, b) in &self.arcs {
            ADDONEARC(&mut self.dense, a as usize, b as usize, m);
        }
        let mut options =
            if self.is_directed { optionblk::default_digraph() } else { optionblk::default() };
        options.getcanon = TRUE as _;
        options.defaultptn = FALSE;
        let mut stats = statsblk::default();
        // SAFETY: the arrays are as long as nauty asks for: n words of `lab`, `ptn` and `orbits`, and
        // m * n of both graphs.
        unsafe {
            densenauty(
                self.dense.as_mut_ptr(),
                self.lab.as_mut_ptr(),
                self.ptn.as_mut_ptr(),
                self.orbits.as_mut_ptr(),
                &mut options,
                &mut stats,
                m as c_int,
                n as c_int,
                self.dense_canonical.as_mut_ptr(),
            );
        }
        assert_eq!(stats.errstatus, 0, "nauty is content");
        let words = &self.dense_canonical[..m * n];
        key.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
    }

    fn sparse(&mut self, who: Who, key: &mut Vec<u8>) {
        let (n, arcs) = (self.n, self.arcs.len());
        self.rows.fill(n, &self.arcs);
        self.canonical.make_room(n, arcs);
        let errors = if who == Who::Traces {
            assert!(!self.is_directed, "Traces takes undirected graphs");
            let mut options =
                TracesOptions { getcanon: TRUE, defaultptn: FALSE, ..Default::default() };
            let mut stats = TracesStats::default();
            self.call(Traces, &mut options, &mut stats);
            stats.errstatus
        } else {
            let mut options = if self.is_directed {
                optionblk::default_sparse_digraph()
            } else {
                optionblk::default_sparse()
            };
            options.getcanon = TRUE as _;
            options.defaultptn = FALSE;
            let mut stats = statsblk::default();
            self.call(sparsenauty, &mut options, &mut stats);
            stats.errstatus
        };
        assert_eq!(errors, 0, "{who:?} is content");
        let Rows { d, e, .. } = &self.canonical;
        key.extend(d[..n].iter().chain(&e[..arcs]).flat_map(|number| number.to_ne_bytes()));
    }

    /// Calls nauty or Traces on the sparse graph; sorts the lists of the canonical one.
    fn call<O, S>(&mut self, labelling: Labelling<O, S>, options: &mut O, stats: &mut S) {
        let (n, arcs) = (self.n, self.arcs.len());
        let mut given = self.rows.lent(n, arcs);
        let mut canonical = self.canonical.lent(n, arcs);
        // SAFETY: the arrays are as long as the graphs say, and neither makes them longer, since the canonical graph
        // has as many vertices and arcs as the given one.
        unsafe {
            labelling(
                &mut given,
                self.lab.as_mut_ptr(),
                self.ptn.as_mut_ptr(),
                self.orbits.as_mut_ptr(),
                options,
                stats,
                &mut canonical,
            );
            sortlists_sg(&mut canonical);
        }
    }
}

/// What `sparsenauty` and `Traces` are.
type Labelling<O, S> = unsafe extern "C" fn(
    *mut sparsegraph,
    *mut c_int,
    *mut c_int,
    *mut c_int,
    *mut O,
    *mut S,
    *mut sparsegraph,
);
