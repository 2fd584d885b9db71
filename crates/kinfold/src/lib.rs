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
//! assert_eq!(survey.exploration().states, 1); // infinitely many, all alike
//! ```

mod diagrams;
pub mod draw;
pub mod examine;
pub mod experiment;
mod graph;
mod growth;
mod picture;
mod run;
mod sheet;
mod survey;
mod system;
mod tlg_picture;
pub mod trace;
mod verify;

pub use check;
pub use explore;
pub use fold;
pub use lang;
pub use net;
pub use pnml;
pub use state;
pub use symbolic;

pub use diagrams::{DiagramForm, DiagramPlan, DiagramSurvey, NoDiagram, diagram_survey};
pub use graph::{Graph, state_text};
pub use growth::Growth;
pub use picture::net_drawing;
pub use run::{Run, RunStep, mode_text};
pub use survey::{
    Census, FaultyRun, Form, Plan, Reader, Survey, SurveyError, Unbounded, survey, survey_reviewed,
    survey_watched,
};
pub use system::{Explored, Explorer, ExplorerError, SystemRun};
pub use tlg_picture::{layers_drawing, layers_svg};
pub use trace::{Back, Trace, TraceFormat};
pub use verify::{Checking, Concern, Evidence, Outcome, Verdict, verify};

/// The guide to systems, its examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/systems.md")]
pub struct SystemsGuide;
