//! From single sequences to the towers of Hanoi and N queens.
//!
//! # Sets
//!
//! Everything is kept in a [`Forest`](crate::Forest). Variables are numbers; here `a` is 0 and `b`
//! is 1.
//!
//! ```
//! use ddd::{Forest, Node};
//! const A: u32 = 0;
//! const B: u32 = 1;
//!
//! let mut forest = Forest::new();
//! // a –1→ b –2→ a –3→ 1: a variable may come twice.
//! let d = forest.sequence(&[(A, 1), (B, 2), (A, 3)])?;
//! let e = forest.sequence(&[(A, 1), (B, 5), (A, 3)])?;
//! let both = forest.union(&d, &e)?;
//! assert_eq!(forest.count(&both), 2u32.into());
//! assert_eq!(forest.size([&both]), 4); // a, b, a and the terminal 1
//!
//! // A sequence that goes on with another variable does not fit in.
//! let f = forest.sequence(&[(A, 1), (A, 2)])?;
//! let undefined = forest.union(&both, &f)?;
//! let top = forest.top();
//! assert_eq!(forest.node(&undefined), Node::Arcs(A, vec![(1, top)]));
//! # Ok::<(), ddd::Error>(())
//! ```
//!
//! # Homomorphisms
//!
//! The examples of the paper, section 2.1. `inc(x)` increments the first occurrence of x, and is
//! undefined where there is none; `set_cst(x, low, high)` gives every occurrence all values of a
//! range. Both leave other variables alone, and say so: `on_arc` is then asked about x only.
//!
//! ```
//! use ddd::{Ddd, Forest, Hom, Inductive, Result, Value, Variable};
//!
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct Inc(Variable);
//!
//! impl Inductive for Inc {
//!     fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
//!         Ok(forest.top())
//!     }
//!     fn on_arc(&self, forest: &mut Forest, variable: Variable, value: Value) -> Result<Hom> {
//!         let identity = forest.identity();
//!         forest.prefix(variable, value + 1, &identity)
//!     }
//!     fn skips(&self, variable: Variable) -> bool {
//!         variable != self.0
//!     }
//! }
//!
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct SetCst(Variable, Value, Value);
//!
//! impl Inductive for SetCst {
//!     fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
//!         Ok(forest.one())
//!     }
//!     fn on_arc(&self, forest: &mut Forest, variable: Variable, _: Value) -> Result<Hom> {
//!         let this = forest.inductive(self.clone());
//!         let each: Result<Vec<Hom>> =
//!             (self.1..=self.2).map(|value| forest.prefix(variable, value, &this)).collect();
//!         Ok(forest.sum(&each?))
//!     }
//!     fn skips(&self, variable: Variable) -> bool {
//!         variable != self.0
//!     }
//! }
//!
//! const A: Variable = 0;
//! const B: Variable = 1;
//! let mut forest = Forest::new();
//! let d = forest.sequence(&[(A, 1), (B, 2), (A, 3)])?;
//!
//! let inc = forest.inductive(Inc(B));
//! let image = forest.apply(&inc, &d)?;
//! assert_eq!(image, forest.sequence(&[(A, 1), (B, 3), (A, 3)])?);
//!
//! let set = forest.inductive(SetCst(A, 1, 2));
//! let image = forest.apply(&set, &d)?;
//! let sequences: Vec<_> = forest.paths(&image).collect();
//! assert_eq!(
//!     sequences,
//!     [
//!         [(A, 1), (B, 2), (A, 1)],
//!         [(A, 1), (B, 2), (A, 2)],
//!         [(A, 2), (B, 2), (A, 1)],
//!         [(A, 2), (B, 2), (A, 2)],
//!     ]
//! );
//!
//! // Homomorphisms are put together by sum, composition and closure.
//! let twice = forest.compose(&inc, &inc);
//! let once_or_twice = forest.sum([&inc, &twice]);
//! let image = forest.apply(&once_or_twice, &d)?;
//! assert_eq!(forest.count(&image), 2u32.into());
//! # Ok::<(), ddd::Error>(())
//! ```
//!
//! # The towers of Hanoi
//!
//! A variable for each disc, its value the peg it is on; large discs come first. A disc moves from
//! one peg to another if all smaller ones, which come later, are on the third. That is a
//! [`chain`](crate::Forest::chain) of guarded shifts. All positions can be reached, so that at the
//! end each disc may be anywhere: one node for each. And since a move of a disc says nothing of
//! larger ones, the closure is computed from the smallest disc upwards; no set of positions on the
//! way is large either.
//!
//! ```
//! use ddd::{Forest, Shift};
//! use num_bigint::BigUint;
//!
//! let discs = 50;
//! let mut forest = Forest::new();
//! let start: Vec<_> = (0..discs).rev().map(|disc| (disc, 0)).collect();
//! let start = forest.sequence(&start)?;
//! let mut moves = Vec::new();
//! for disc in 0..discs {
//!     for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
//!         let aside = 3 - from - to;
//!         let mut chain = vec![Shift { variable: disc, within: from..=from, by: to - from }];
//!         let smaller = (0..disc).rev();
//!         chain.extend(smaller.map(|x| Shift { variable: x, within: aside..=aside, by: 0 }));
//!         moves.push(forest.chain(&chain)?);
//!     }
//! }
//! let step = forest.sum(&moves);
//! let all_steps = forest.star(&step);
//! let reachable = forest.apply(&all_steps, &start)?;
//! assert_eq!(forest.count(&reachable), BigUint::from(3u32).pow(50)); // 7.18·10²³
//! assert_eq!(forest.size([&reachable]), 51);
//! assert!(forest.statistics().peak_nodes < 300);
//! # Ok::<(), ddd::Error>(())
//! ```
//!
//! # N queens
//!
//! A variable for each row, its value the column of the queen in it. All placements of one queen
//! per row are a small set; for each row, a homomorphism takes out those in which a later queen is
//! attacked. What it has to know, the row and the column, is in its fields: `Free` binds the
//! column, and `Unattacked` looks at the rows that follow.
//!
//! ```
//! use ddd::{Ddd, Forest, Hom, Inductive, Result, Value, Variable};
//!
//! /// The queen of this row attacks none of those that follow.
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct Free(Variable);
//!
//! impl Inductive for Free {
//!     fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
//!         Ok(forest.one())
//!     }
//!     fn on_arc(&self, forest: &mut Forest, row: Variable, column: Value) -> Result<Hom> {
//!         let rest = forest.inductive(Unattacked { row, column });
//!         forest.prefix(row, column, &rest)
//!     }
//!     fn skips(&self, row: Variable) -> bool {
//!         row != self.0
//!     }
//! }
//!
//! /// No queen is attacked by the one given.
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct Unattacked {
//!     row: Variable,
//!     column: Value,
//! }
//!
//! impl Inductive for Unattacked {
//!     fn on_one(&self, forest: &mut Forest) -> Result<Ddd> {
//!         Ok(forest.one())
//!     }
//!     fn on_arc(&self, forest: &mut Forest, row: Variable, column: Value) -> Result<Hom> {
//!         let distance = self.column.abs_diff(column);
//!         if distance == 0 || distance == row - self.row {
//!             let zero = forest.zero();
//!             return Ok(forest.constant(&zero));
//!         }
//!         let this = forest.inductive(self.clone());
//!         forest.prefix(row, column, &this)
//!     }
//! }
//!
//! let n = 8;
//! let mut forest = Forest::new();
//! let mut queens = forest.one();
//! for row in (0..n).rev() {
//!     let rest = queens;
//!     queens = forest.arcs(row, (0..n as Value).map(|column| (column, &rest)))?;
//!     let free = forest.inductive(Free(row));
//!     queens = forest.apply(&free, &queens)?;
//! }
//! assert_eq!(forest.count(&queens), 92u32.into());
//! # Ok::<(), ddd::Error>(())
//! ```
//!
//! # Looking at what came out
//!
//! Sets can be counted, walked through and drawn. [`Forest::shape`](crate::Forest::shape) has the
//! figures of the paper's table.
//!
//! ```
//! use ddd::Forest;
//!
//! let mut forest = Forest::new();
//! let mut words = forest.one();
//! for letter in (0..4).rev() {
//!     let rest = words;
//!     words = forest.arcs(letter, (0..10).map(|value| (value, &rest)))?;
//! }
//! let shape = forest.shape(&words);
//! assert_eq!((shape.nodes, shape.paths.clone()), (5, 10_000u32.into()));
//! assert_eq!(shape.average_length(), 4.0);
//! assert!(shape.average_sharing() > 0.9998);
//! let dot = forest.dot(&words, |letter| format!("x{letter}"));
//! assert!(dot.contains("n0 -> n1") && dot.contains(r#"label="0..9""#));
//! # Ok::<(), ddd::Error>(())
//! ```
