//! nauty and Traces, called as their manual says.
//!
//! What is timed begins with a state in numbers and ends with the canonical graph: sorting pids by the tokens that
//! they have to themselves, filling the graph, labelling. All memory is kept from one graph to the next.

use std::os::raw::c_int;

use nauty_Traces_sys::{
    ADDONEARC, FALSE, SETWORDSNEEDED, TRUE, Traces, TracesOptions, TracesStats, densenauty, graph,
    optionblk, sparsegraph, sparsenauty, statsblk,
};

use crate::encode::{Encoding, Numbered};

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
    /// The tokens of one pid, by pid, and where those of each pid begin.
    own: Vec<u64>,
    starts: Vec<u32>,
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
    /// Labels a state; its canonical form is in `self` then.
    pub fn label(&mut self, who: Who, state: &Numbered, encoding: Encoding) {
        self.sort_pids(state);
        self.is_directed = encoding != Encoding::Edges;
        self.arcs.clear();
        match encoding {
            Encoding::Arcs => self.arcs.extend(state.pairs.iter().map(|&(_, a, b)| (a, b))),
            Encoding::Edges => {
                for &(_, a, b) in &state.pairs {
                    // Those between pids of one colour are listed both ways.
                    self.arcs.push((a, b));
                    if self.colour_of(state, a) != self.colour_of(state, b) {
                        self.arcs.push((b, a));
                    }
                }
            }
            Encoding::Vertices => self.add_between(state),
        }
        self.n = self.lab.len();
        self.orbits.resize(self.n, 0);
        match who {
            Who::Dense => self.dense(),
            Who::Sparse | Who::Traces => self.sparse(who),
        }
    }

    /// Sorts the pids by what they have to themselves, as nauty takes them.
    fn sort_pids(&mut self, state: &Numbered) {
        let Labeller { own, starts, lab, ptn, .. } = self;
        let n = state.is_active.len();
        own.clear();
        own.extend(
            state.tokens.iter().map(|&(label, pid)| u64::from(pid) << 32 | u64::from(label)),
        );
        own.sort_unstable();
        starts.clear();
        starts.resize(n + 1, 0);
        own.iter().for_each(|&token| starts[(token >> 32) as usize + 1] += 1);
        (0..n).for_each(|pid| starts[pid + 1] += starts[pid]);
        lab.clear();
        lab.extend(0..n as c_int);
        let colour = |pid: c_int| {
            let tokens = starts[pid as usize] as usize..starts[pid as usize + 1] as usize;
            (state.is_active[pid as usize], own[tokens].iter().map(|&token| token as u32))
        };
        let compare = |a: c_int, b: c_int| {
            let (a, b) = (colour(a), colour(b));
            a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1))
        };
        lab.sort_unstable_by(|&a, &b| compare(a, b));
        ptn.clear();
        ptn.extend(lab.windows(2).map(|pair| c_int::from(compare(pair[0], pair[1]).is_eq())));
        ptn.push(0);
    }

    fn colour_of(&self, state: &Numbered, pid: u32) -> (bool, impl PartialEq + use<>) {
        let tokens = self.starts[pid as usize] as usize..self.starts[pid as usize + 1] as usize;
        let sum: u64 = self.own[tokens].iter().map(|&token| 1 << 32 | (token & 0xffff_ffff)).sum();
        (state.is_active[pid as usize], sum)
    }

    /// Adds the arcs from parents to children, and a vertex for each other pair.
    fn add_between(&mut self, state: &Numbered) {
        self.between.clear();
        for &(label, a, b) in &state.pairs {
            if label == 0 {
                self.arcs.push((a, b));
            } else {
                self.between.push((label, a, b));
            }
        }
        self.between.sort_unstable_by_key(|pair| pair.0);
        for (i, &(label, a, b)) in self.between.iter().enumerate() {
            let vertex = self.lab.len() as u32;
            self.arcs.extend([(a, vertex), (vertex, b)]);
            self.lab.push(vertex as c_int);
            self.ptn.push(c_int::from(self.between.get(i + 1).is_some_and(|next| next.0 == label)));
        }
    }

    fn dense(&mut self) {
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
    }

    fn sparse(&mut self, who: Who) {
        let (n, arcs) = (self.n, self.arcs.len());
        self.rows.fill(n, &self.arcs);
        self.canonical.make_room(n, arcs);
        let mut given = self.rows.lent(n, arcs);
        let mut canonical = self.canonical.lent(n, arcs);
        if who == Who::Traces {
            assert!(!self.is_directed, "Traces takes undirected graphs");
            let mut options =
                TracesOptions { getcanon: TRUE, defaultptn: FALSE, ..Default::default() };
            let mut stats = TracesStats::default();
            // SAFETY: the arrays are as long as the graphs say, and Traces does not make them longer,
            // since the canonical graph has as many vertices and arcs as the given one.
            unsafe {
                Traces(
                    &mut given,
                    self.lab.as_mut_ptr(),
                    self.ptn.as_mut_ptr(),
                    self.orbits.as_mut_ptr(),
                    &mut options,
                    &mut stats,
                    &mut canonical,
                );
            }
            assert_eq!(stats.errstatus, 0, "Traces is content");
            return;
        }
        let mut options = if self.is_directed {
            optionblk::default_sparse_digraph()
        } else {
            optionblk::default_sparse()
        };
        options.getcanon = TRUE as _;
        options.defaultptn = FALSE;
        let mut stats = statsblk::default();
        // SAFETY: as for Traces.
        unsafe {
            sparsenauty(
                &mut given,
                self.lab.as_mut_ptr(),
                self.ptn.as_mut_ptr(),
                self.orbits.as_mut_ptr(),
                &mut options,
                &mut stats,
                &mut canonical,
            );
        }
        assert_eq!(stats.errstatus, 0, "nauty is content");
    }

    /// The state in the canonical order that was found last.
    pub fn form(&self, state: &Numbered) -> String {
        let mut position = vec![0; self.n];
        (0..).zip(&self.lab).for_each(|(at, &v)| position[v as usize] = at);
        let at = |pid: u32| position[pid as usize];
        // Positions of pids among pids, since they come first.
        let mut pairs: Vec<_> = state.pairs.iter().map(|&(l, a, b)| (l, at(a), at(b))).collect();
        let mut tokens: Vec<_> = state.tokens.iter().map(|&(label, a)| (label, at(a))).collect();
        pairs.sort_unstable();
        tokens.sort_unstable();
        format!("{:?} {pairs:?} {tokens:?}", state.is_active.len())
    }
}
