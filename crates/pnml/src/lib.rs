//! PNML documents (ISO/IEC 15909-2) of P/T nets and symmetric nets, and the property files of the
//! Model Checking Contest: syntax trees, reading, writing; and the nets that documents mean.
//!
//! [`read`] turns a text into a [`Document`], or says everything that is wrong with it; [`write()`] gives
//! the text of a document; [`to_net()`] gives the net that a document means, and
//! [`from_net()`] a document that means a net; [`Index`] finds what
//! identifiers stand for; [`decode`] is for files that are not UTF-8.
//! [`properties`] does the same for formulas.
//!
//! Reading is one pass, linear in the text, and nothing that can be in a file makes it panic, exhaust the
//! stack, or take more than a small multiple of the memory of the text: see [`Limits`].
//!
//! # Where we deviate
//!
//! From the standard, since files in use do:
//!
//! - identifiers have to be unique among what can be meant in the same place, not in the document;
//! - an element may stand for the multiset that holds it once, a part of a partition for the multiset of
//!   its elements, and a tuple of multisets for the multiset of the tuples;
//! - `numberof` may lack its number, which is then 1; sums, conjunctions and disjunctions have any number
//!   of subterms; a tuple of one is its component;
//! - enumerations can be compared, by the order of their constants; so can numbers, with the operators
//!   that high-level nets have for them (`lt`, `leq`, `gt`, `geq`);
//! - an arc without inscription moves a dot.
//!
//! What tools write besides is understood, skipped with a warning ([`Document::warnings`]), or refused if it
//! changes the meaning: inhibitor arcs, capacities, priorities, time.
//!
//! Not read, and reported: what only high-level nets have (numbers, strings and lists as sorts,
//! arithmetic, arbitrary declarations), multisets as sorts, enumerations without a name. Skipped:
//! graphics, and what tools wrote for themselves.
//!
//! ```
//! let text = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
//!   <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
//!     <place id="p"><initialMarking><text>2</text></initialMarking></place>
//!     <transition id="t"/>
//!     <arc id="a" source="p" target="t"/>
//!   </page></net></pnml>"#;
//! let document = pnml::read(text, &pnml::Limits::default()).unwrap();
//! let written = pnml::write(&document);
//! assert_eq!(pnml::read(&written, &pnml::Limits::default()).unwrap(), document);
//!
//! let errors = pnml::read(&text.replace("target=\"t\"", "target=\"u\""), &Default::default());
//! assert_eq!(errors.unwrap_err().to_string(),
//!     "5:36: the arc `a` has an end that is not there [P0202]");
//! ```

#![forbid(unsafe_code)]

mod check;
mod closed;
mod declaration;
mod decode;
mod document;
mod from_net;
mod index;
mod limits;
mod order;
pub mod properties;
mod read;
mod sort;
mod term;
mod to_net;
mod write;
mod xml;

pub use declaration::{Constant, Declaration, Declared, Named, Parameter, Part};
pub use decode::decode;
pub use document::{
    Arc, Document, Id, Kind, Label, Net, Page, Place, Reference, Tokens, Transition,
};
pub use from_net::{Unsayable, from_net};
pub use index::{Index, Node, UserOperator};
pub use limits::Limits;
pub use read::read;
pub use sort::{Range, Shape, Sort};
pub use term::{NumberSort, Operator, Term};
pub use to_net::to_net;
pub use write::write;

/// What the codes mean. P00: XML. P01: elements. P02: identifiers. P03: sorts. P04: properties. P05: what a net
/// cannot say.
pub const EXPLANATIONS: diagnostics::Explanations =
    diagnostics::Explanations(include_str!("explain.md"));
