//! For other front ends: expressions, sorts, classes, constants and properties as `.kin` models have them,
//! in a text whose other declarations are of another language.
//!
//! A [`Parser`] reads the text. Its user goes from declaration to declaration: those of `.kin` models the
//! parser reads itself ([`Parser::declaration`]), of the others it reads names, words, sorts and
//! expressions. A [`Resolver`] then gives names their meaning: first what the `.kin` declarations declare
//! ([`Resolver::declare`]), then what the user adds, place by place and transition by transition, with
//! expressions over variables in a [`Scope`] of the user's; at last the properties ([`Resolver::finish`]).
//! Whatever is wrong is reported where it stands in the text, to the same [`Diagnostics`](diagnostics::Diagnostics).
//! `tests/texts/front.rs` is a small language made in this way.

pub use crate::parser::{Parsed, Parser};
pub use crate::resolve::{Resolver, Scope};
pub use crate::syntax::{Expr, Model, Name, SortSyntax};
