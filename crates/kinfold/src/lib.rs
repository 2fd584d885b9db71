//! Kinfold verifies systems that create processes while they run.
//!
//! This crate is the public Rust API; the command `kinfold` is built on it. A model is a
//! [`net::Net`], from a `.kin` text by [`lang::compile`], from a PNML document by [`pnml::to_net`], or built
//! by hand. [`survey()`] explores it up
//! to who is who, and the [`Survey`] answers what was found: counts, representatives of the classes,
//! shortest concrete runs. A model that is code is an implementation of [`fold::System`], explored by an
//! [`Explorer`].
//!
//! ```
//! use std::sync::Arc;
//! use kinfold::{Plan, survey};
//!
//! let text = "
//!     model chain
//!     flow link
//!     start link
//!     transition pass { end p: link   spawn q from p: link }
//! ";
//! let net = Arc::new(kinfold::lang::compile(text, &[]).net.expect("the model is right"));
//! let survey = survey(&net, &Plan::default()).expect("the model has no fault");
//! assert_eq!(survey.exploration().states(), 1); // infinitely many, all alike
//! ```

mod picture;
mod process_picture;
pub mod team;

pub use budget;
pub use check;
pub use conform;
pub use draw;
pub use experiment;
pub use explore;
pub use fold;
pub use lang;
pub use net;
pub use pnml;
pub use state;
pub use symbolic;
pub use trace;
pub use unfold;

pub use decide::{
    Checking, Concern, Coverage, Evidence, Found, Outcome, Question, Reduction, Reductions,
    Refusal, Report, Verdict, decide, first_tokens, verify,
};
pub use picture::net_drawing;
pub use process_picture::process_drawing;
pub use survey::{
    Census, DiagramForm, DiagramSurvey, Engine, Explored, Explorer, ExplorerError, FaultyRun, Form,
    Graph, Growth, NoDiagram, Plan, Reader, Survey, SurveyError, Surveyed, SystemRun, Unbounded,
    diagram_survey, state_text, survey, survey_by, survey_reviewed, survey_watched,
};
pub use trace::{Back, Run, RunStep, Trace, TraceFormat, layers_dot, layers_svg, mode_text};

/// The guide to systems, its examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/systems.md")]
pub struct SystemsGuide;
