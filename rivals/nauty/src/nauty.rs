//! nauty and Traces, called as their manual says.
//!
//! What is timed begins with the arcs and the colours of a graph, which are numbers already, and ends with the
//! canonical graph. All memory is kept from one graph to the next.

use std::os::raw::c_int;

use nauty_Traces_sys::{
    ADDONEARC, FALSE, SETWORDSNEEDED, TRUE, Traces, TracesOptions, TracesStats, densenauty, graph,
    optionblk, sparsegraph, sparsenauty, statsblk,
};

use crate::encode::Coloured;

/// Who labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    Dense,
    Sparse,
    Traces,
}

/// A graph to be labelled.
pub struct Ready {
    n: usize,
    arcs: Vec<(u32, u32)>,
    colours: Vec<u32>,
    is_symmetric: bool,
}

impl Ready {
    pub fn new(graph: &Coloured) -> Ready {
        let n = graph.colours.len();
        let mut arcs = graph.arcs.clone();
        arcs.sort_unstable();
        let is_symmetric = arcs.iter().all(|&(a, b)| arcs.binary_search(&(b, a)).is_ok());
        Ready { n, arcs: graph.arcs.clone(), colours: graph.colours.clone(), is_symmetric }
    }

    /// Whether every arc goes both ways, which is all that Traces takes.
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }
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
    keys: Vec<u64>,
    lab: Vec<c_int>,
    ptn: Vec<c_int>,
    orbits: Vec<c_int>,
    dense: Vec<graph>,
    dense_canonical: Vec<graph>,
    rows: Rows,
    canonical: Rows,
}

impl Labeller {
    /// Labels a graph; its canonical form is in `self` then.
    pub fn label(&mut self, who: Who, ready: &Ready) {
        self.orbits.resize(ready.n, 0);
        self.sort_colours(&ready.colours);
        match who {
            Who::Dense => self.dense(ready),
            Who::Sparse | Who::Traces => self.sparse(who, ready),
        }
    }

    /// Sorts the vertices by colour, as nauty takes them.
    fn sort_colours(&mut self, colours: &[u32]) {
        self.keys.clear();
        let numbered = (0..).zip(colours);
        self.keys.extend(numbered.map(|(v, &colour): (u64, _)| u64::from(colour) << 32 | v));
        self.keys.sort_unstable();
        self.lab.clear();
        self.lab.extend(self.keys.iter().map(|&key| key as c_int));
        self.ptn.clear();
        self.ptn.extend(self.keys.windows(2).map(|pair| c_int::from((pair[0] ^ pair[1]) >> 32 == 0)));
        self.ptn.push(0);
    }

    fn dense(&mut self, ready: &Ready) {
        let (n, m) = (ready.n, SETWORDSNEEDED(ready.n));
        self.dense.clear();
        self.dense.resize(m * n, 0);
        self.dense_canonical.resize(m * n, 0);
        for &(a, b) in &ready.arcs {
            ADDONEARC(&mut self.dense, a as usize, b as usize, m);
        }
        let mut options =
            if ready.is_symmetric { optionblk::default() } else { optionblk::default_digraph() };
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

    fn sparse(&mut self, who: Who, ready: &Ready) {
        let (n, arcs) = (ready.n, ready.arcs.len());
        self.rows.fill(n, &ready.arcs);
        self.canonical.make_room(n, arcs);
        let mut given = self.rows.lent(n, arcs);
        let mut canonical = self.canonical.lent(n, arcs);
        if who == Who::Traces {
            assert!(ready.is_symmetric, "Traces takes undirected graphs");
            let mut options = TracesOptions { getcanon: TRUE, defaultptn: FALSE, ..Default::default() };
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
        let mut options = if ready.is_symmetric {
            optionblk::default_sparse()
        } else {
            optionblk::default_sparse_digraph()
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

    /// The canonical graph that was found last: its colours, and its arcs, sorted.
    pub fn form(&self, ready: &Ready) -> (Vec<u32>, Vec<(u32, u32)>) {
        let mut position = vec![0; ready.n];
        (0..).zip(&self.lab).for_each(|(at, &v)| position[v as usize] = at);
        let at = |v: u32| position[v as usize];
        let mut arcs: Vec<(u32, u32)> = ready.arcs.iter().map(|&(a, b)| (at(a), at(b))).collect();
        arcs.sort_unstable();
        (self.lab.iter().map(|&v| ready.colours[v as usize]).collect(), arcs)
    }
}
