//! Canonical labelling of small coloured relational structures.
//!
//! A [`Structure`] has atoms, each with a colour, and a multiset of labelled tuples over them, of
//! any arity. A [`Canoniser`] finds, for each structure, an order of its atoms such that
//! isomorphic structures look the same when written down in that order, and others do not. On
//! the way it learns the automorphism group: its order, generators and orbits.
//!
//! ```
//! use canon::{Canoniser, Structure, isomorphic};
//!
//! // Two ways to write down a directed path that starts at a marked atom.
//! let mut a = Structure::new();
//! let (x, y, z) = (a.atom(0), a.atom(0), a.atom(0));
//! a.tuple(7, &[x]);
//! a.tuple(1, &[x, y]);
//! a.tuple(1, &[y, z]);
//!
//! let mut b = Structure::new();
//! let (x, y, z) = (b.atom(0), b.atom(0), b.atom(0));
//! b.tuple(1, &[z, x]);
//! b.tuple(1, &[y, z]);
//! b.tuple(7, &[y]);
//!
//! let mut canoniser = Canoniser::new();
//! let form_a = a.relabelled(canoniser.canonise(&a).position());
//! let form_b = b.relabelled(canoniser.canonise(&b).position());
//! assert_eq!(form_a, form_b);
//! assert_eq!(isomorphic(&a, &b), Some(vec![1, 2, 0]));
//!
//! // Five atoms that nothing tells apart: 5! automorphisms, one orbit.
//! let mut five = Structure::new();
//! (0..5).for_each(|_| { five.atom(0); });
//! let canonical = canoniser.canonise(&five);
//! assert_eq!(canonical.group_order(), 120u32.into());
//! assert_eq!(canonical.orbits(), [0; 5]);
//! ```
//!
//! # What is promised
//!
//! Let `position` be the canonical positions of the atoms of a structure.
//! - Isomorphic structures, renamed by `position`, are equal: the same colours by position and
//!   the same multiset of tuples. Structures that are not isomorphic differ.
//! - Positions ascend with colours, so atoms of one colour are next to each other.
//! - The order of the automorphism group is exact, the generators generate it, and the orbits are
//!   its orbits.
//!
//! Labellings may change between versions of this library; forms should not outlive one.
//!
//! # Exactness
//!
//! Hashes of invariants split cells and order branches, both of which are the same for isomorphic
//! structures whatever the hashes are. Everything else is compared exactly: the cells from which
//! conclusions are drawn without branching, and the leaves of the search. A collision costs time.
//! The tests run with hashes cut to eight and to three bits, too.
//!
//! # Method and cost
//!
//! From cheap to dear; each step takes only what the one before leaves undecided.
//! 1. Pairs that are the parent links of a forest: children are sorted bottom-up, in O(n log n).
//! 2. One round of hashing the surroundings of each atom, and sorting. Atoms left tied get a few
//!    rounds more. Most structures without symmetry end here, and so do ties between twins: atoms
//!    with the same tuples otherwise. Linear, but for the sorting.
//! 3. Exact colour refinement of the tied atoms, where wider tuples become vertices, in
//!    O(m log n). What remains is cut into components, after complete blocks between cells are
//!    dropped and dense ones complemented. Loose atoms and trees are labelled at once. Equal
//!    components are ties, so copies cost as much as one each.
//! 4. Components with cycles are searched by individualisation and refinement (McKay), after
//!    their twins are folded. Traces, automorphisms found at leaves, and components that come
//!    apart on the way cut the search down. It is exponential in the worst case; strongly regular
//!    graphs, projective planes and the graphs of Cai, Fürer and Immerman of a few hundred atoms
//!    are matters of milliseconds.
//!
//! Up to 128 tied atoms with pairs of few labels take a shorter way from step 3 on: sets of them are words,
//! rows are bits, and counts are exact. Automorphisms are guessed there from one path down the tree, and checked.
//!
//! A [`Canoniser`] keeps its memory: once warm, it allocates nothing. Symmetries are handed out as
//! factors and generators, and big integers are multiplied only when asked for.
#![forbid(unsafe_code)]

mod bits;
mod canoniser;
mod components;
mod equitable;
mod few;
mod forest;
mod frame;
mod graph;
mod incidence;
mod isomorphism;
mod mixing;
mod partition;
mod profile;
mod search;
mod spread;
mod structure;
mod symmetry;
mod tree;
mod twins;
mod unary;
mod union_find;

pub use canoniser::{Canonical, Canoniser};
pub use few::{sort_few, sort_words};
pub use isomorphism::isomorphic;
pub use spread::Sorter;
pub use structure::Structure;
pub use union_find::UnionFind;
