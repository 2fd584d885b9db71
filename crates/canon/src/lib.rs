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
//! # Exactness
//!
//! Hashes of invariants split cells and order branches, both of which are the same for isomorphic
//! structures whatever the hashes are. Everything else is compared exactly: the cells from which
//! conclusions are drawn without branching, and the leaves of the search. A collision costs time.
//!
//! # Cost
//!
//! Structures that refinement decides, forests, interchangeable atoms, and disjoint copies of
//! anything are labelled without branching. Other components are searched by individualisation
//! and refinement with automorphism pruning.
#![forbid(unsafe_code)]

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
mod structure;
mod symmetry;
mod tree;
mod twins;
mod unary;

pub use canoniser::{Canonical, Canoniser};
pub use isomorphism::isomorphic;
pub use structure::Structure;
