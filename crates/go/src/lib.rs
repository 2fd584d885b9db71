//! Go programs as processes: `kinfold check main.go`.
//!
//! The way of a text: `lexer` (tokens, with the semicolons of line ends), `parser` (syntax tree, recovering), `escape`
//! (which variables closures share), then names and types while functions are translated, from the entry on, one
//! after the other (`fx`, `expr`, `stmt` and others). The result is a text in `.kin` and, for each of its lines, the part
//! of the Go text that it was made of: so `kinfold show` prints processes that can be read and kept, and runs are
//! told by Go's lines. How values are kept is said in `kin`, what the library does in `library`.
//!
//! What is not understood is refused with the place, a reason and what to write instead. What is kept less exactly than Go
//! has it is remarked. Only functions that can be reached from the entry are looked at.

mod assigned;
mod boxes;
mod builtin;
mod bundle;
mod call;
mod constraint;
mod counters;
mod defer;
mod element;
mod escape;
mod expr;
mod finish;
mod fx;
mod goto;
mod kin;
mod language;
mod leaving;
mod lexer;
mod lib_atomic;
mod lib_calls;
mod lib_chance;
mod lib_context;
mod lib_context_own;
mod lib_errors;
mod lib_packages;
mod lib_printing;
mod lib_streams;
mod lib_testing;
mod lib_things;
mod lib_types;
mod library;
mod listing;
mod literals;
mod loops;
mod member;
mod names;
mod operators;
mod packages;
mod parser;
mod place;
mod remark;
mod resolve;
mod routine;
mod slices;
mod stmt;
mod subtests;
mod switches;
mod syntax;
mod translate;
mod types;
mod unwind;
mod variants;
mod words;
mod world;

/// What the codes mean. G00: the text as a whole. G01: syntax. G02: names. G03: types. G04: what is not understood. G05: what is
/// kept less exactly, and where to start. G06: the processes that came of it.
pub const EXPLANATIONS: diagnostics::Explanations =
    diagnostics::Explanations(include_str!("explain.md"));

pub use bundle::{bundle, localized, located, package_of, sources};
pub use constraint::left_out;
pub use language::minor_of;
pub use listing::LIMIT;
pub use translate::{Compilation, Source, Translation, compile, translate};
pub use world::Options;
