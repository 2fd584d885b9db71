//! What is wrong with a text, for every front end: spans, messages with a code, a place and a way out,
//! how they are drawn, and what the codes mean.
//!
//! A front end puts [`Diagnostic`]s into [`Diagnostics`] while it reads, and goes on reading; at the end
//! [`Diagnostics::finish`] gives the [`Report`]. Nothing is printed here, and nothing asks whether there is
//! a terminal: [`Report::render`] takes a flag for colour.
//!
//! ```
//! use diagnostics::{Diagnostic, Diagnostics, Span, nearest};
//!
//! let text = "take lokc";
//! let mut found = Diagnostics::default();
//! let near = nearest("lokc", ["lock", "ready"]).unwrap();
//! found.push(
//!     Diagnostic::error("E0201", "there is no place named `lokc`")
//!         .at(Span::new(5..9), format!("did you mean `{near}`?")),
//! );
//! let report = found.finish(text);
//! assert_eq!(report.to_string(), "1:6: there is no place named `lokc` [E0201]");
//! assert!(report.render("model.kin", text, false).contains("^^^^ did you mean `lock`?"));
//! ```

#![forbid(unsafe_code)]

mod collect;
mod diagnostic;
mod explain;
mod nearest;
mod render;
mod report;
mod span;

pub use collect::{Diagnostics, Reported};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use explain::{Explanation, Explanations};
pub use nearest::nearest;
pub use render::render;
pub use report::Report;
pub use span::{Span, position};
