//! Data Decision Diagrams with inductive homomorphisms.
//!
//! A Data Decision Diagram (DDD) is a finite set of sequences of assignments
//! `(x₁ := v₁)·(x₂ := v₂)⋯(xₙ := vₙ)`, kept as a shared decision tree. No order of variables is
//! assumed, a variable may come several times in a sequence, and sequences of different lengths
//! may live in one set. Operations on sets are *homomorphisms*, maps that respect unions; users
//! define their own by saying what becomes of one assignment. Closures of such maps are computed
//! by saturation, on their own, where the maps say which variables they leave alone.
//!
//! ```
//! use ddd::{Forest, Shift};
//!
//! // Two bits and a counter: each bit is flipped at will, and the counter counts while both
//! // are set.
//! let mut forest = Forest::new();
//! let start = forest.sequence(&[(0, 0), (1, 0), (2, 0)])?;
//! let flip = |forest: &mut Forest, x| forest.chain(&[Shift { variable: x, within: 0..=0, by: 1 }]);
//! let (a, b) = (flip(&mut forest, 0)?, flip(&mut forest, 1)?);
//! let count = forest.chain(&[
//!     Shift { variable: 0, within: 1..=1, by: 0 },
//!     Shift { variable: 1, within: 1..=1, by: 0 },
//!     Shift { variable: 2, within: 0..=6, by: 1 },
//! ])?;
//! let step = forest.sum([&a, &b, &count]);
//! let all_steps = forest.star(&step);
//! let reachable = forest.apply(&all_steps, &start)?;
//! assert_eq!(forest.count(&reachable), 11u32.into()); // 3 with the counter at 0, and 8
//! assert!(forest.contains(&reachable, &[(0, 1), (1, 1), (2, 7)]));
//! # Ok::<(), ddd::Error>(())
//! ```
//!
//! The [`tutorial`] goes from single sequences to the towers of Hanoi and N queens.
//!
//! # Definitions
//!
//! From section 2.1 of Y. Thierry-Mieg, J.-M. Ilié, D. Poitrenaud, *A Symbolic Symbolic State
//! Space Representation*, FORTE 2004, which has them from J.-M. Couvreur, E. Encrenaz,
//! E. Paviot-Adet, D. Poitrenaud, P.-A. Wacrenier, *Data Decision Diagrams for Petri Net
//! Analysis*, ICATPN 2002.
//!
//! - A DDD is a terminal, 0, 1 or ⊤, or ⟨x, α⟩ with a variable x and a map α from values to DDDs
//!   that is 0 but for finitely many values. 0 is the empty set, 1 the set of the empty sequence;
//!   ⟨x, α⟩ has the sequences x := v followed by one of α(v). Arcs to 0 are left out, and a node
//!   without arcs is 0, so that every set has one diagram.
//! - ⊤ stands for any set of sequences. It comes up where two sets are united that, after what
//!   they have in common, go on with different variables, or where one stops and the other goes
//!   on: `a –1→ b –2→ 1 + a –1→ a –3→ 1 = a –1→ ⊤`. A diagram without ⊤ is *well-defined*
//!   ([`Forest::is_well_defined`]). What the operations make of ⊤ is in the tables below.
//! - A homomorphism Φ maps DDDs to DDDs such that `Φ(0) = 0` and `Φ(d + e) = Φ(d) + Φ(e)`. An
//!   inductive one ([`Inductive`]) is given by `Φ(1)` and by homomorphisms `Φ(x, v)`:
//!   `Φ(⟨x, α⟩) = Σ_v Φ(x, v)(α(v))`.
//! - `Φ(⊤) = ⊤` for inductive ones. So the second law holds where its left side is well-defined: if
//!   `d + e` has ⊤ where d and e have something that Φ drops, `Φ(d + e)` still has ⊤. The paper does
//!   not say so. Of a composition or a closure on whose way ⊤ comes up, more or less of it may be
//!   left, depending on how it is evaluated. What is well-defined is exact.
//!
//! For nodes n, m (`?`: arc by arc if they have the same variable; otherwise ⊤, 0 and n):
//!
//! | + | 0 | 1 | ⊤ | m | | * | 0 | 1 | ⊤ | m | | \\ | 0 | 1 | ⊤ | m |
//! |---|---|---|---|---|-|---|---|---|---|---|-|---|---|---|---|---|
//! | **0** | 0 | 1 | ⊤ | m | | **0** | 0 | 0 | 0 | 0 | | **0** | 0 | 0 | 0 | 0 |
//! | **1** | 1 | 1 | ⊤ | ⊤ | | **1** | 0 | 1 | ⊤ | 0 | | **1** | 1 | 0 | ⊤ | 1 |
//! | **⊤** | ⊤ | ⊤ | ⊤ | ⊤ | | **⊤** | 0 | ⊤ | ⊤ | ⊤ | | **⊤** | ⊤ | ⊤ | ⊤ | ⊤ |
//! | **n** | n | ⊤ | ⊤ | ? | | **n** | 0 | 0 | ⊤ | ? | | **n** | n | n | ⊤ | ? |
//!
//! # What there is
//!
//! - Sets ([`Ddd`]): [`Forest::sequence`], [`Forest::arc`], [`Forest::arcs`], [`Forest::union`],
//!   [`Forest::intersection`], [`Forest::difference`], [`Forest::concatenation`],
//!   [`Forest::select_sum`].
//! - Homomorphisms ([`Hom`]): [`Forest::identity`], [`Forest::constant`], [`Forest::left`],
//!   [`Forest::right`], [`Forest::prefix`], [`Forest::sum`], [`Forest::compose`],
//!   [`Forest::star`], [`Forest::shift`], [`Forest::chain`], [`Forest::inductive`];
//!   [`Forest::apply`], [`Forest::apply_within`].
//! - Looking at sets: [`Forest::node`], [`Forest::fold`], [`Forest::paths`], [`Forest::contains`],
//!   [`Forest::count`], [`Forest::sum_range`], [`Forest::shape`], [`Forest::size`], [`Forest::dot`], [`Forest::svg`].
//! - Memory: [`Limits`], [`Forest::collect`], [`Forest::statistics`].
//!
//! # Cost
//!
//! A node takes a word and two more for each arc (one more from four arcs on), and 13 to 26 bytes
//! in the table that finds it. Every operation says what it costs; |d| is the number of
//! nodes of d. Results of operations and applications are cached, up to [`Limits::cache`] bytes.
//! What is said of cost holds as long as nothing is forgotten; what is said of results always does.

mod arena;
mod cache;
mod closure;
mod collect;
mod count;
mod draw;
mod error;
mod forest;
mod handle;
mod homs;
mod image;
mod inductive;
mod limits;
mod node;
mod paths;
mod sets;
mod split;
mod stack;
mod sum;
mod term;
pub mod tutorial;
mod unique;
mod weigh;
mod within;

pub use arena::MAX_VARIABLE;
pub use count::Shape;
pub use error::{Error, Result};
pub use forest::{Forest, Statistics};
pub use handle::{Ddd, Hom};
pub use homs::Shift;
pub use inductive::Inductive;
pub use limits::Limits;
pub use node::Node;
pub use paths::Paths;

/// A variable, up to [`MAX_VARIABLE`].
pub type Variable = u32;

/// A value of a variable.
pub type Value = i32;
