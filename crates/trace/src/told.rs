//! Runs, states and statements in a form for those who show them: what the operations `run`, `state` and `why` of
//! `docs/serve.md` answer.
//!
//! All of it is plain data with names, texts and numbers, of runs of nets and of programs alike. Of processes it is said in
//! the words of the program, with lines and columns of its text; what is in the prelude is told by the call that led there.
//! Of other nets it is places, tokens and transitions, and positions are left to [`ToldRun::with_positions`] and its like,
//! since a net does not know its text. Objects have the numbers that they have along the run.

mod contents;
mod run;
mod state;
mod statement;

pub use contents::{
    ToldCall, ToldGlobal, ToldObject, ToldPlace, ToldThread, ToldTokens, ToldVariable,
};
pub use run::{
    LifelineKind, MessageKind, ToldLifeline, ToldMessage, ToldPending, ToldRun, ToldStep,
};
pub use state::{ToldEnd, ToldFault, ToldNext, ToldState, ToldWait};
pub use statement::{Able, Asked, Position, ToldStatement, Unable, statement_positions};

pub(crate) use contents::Contents;
pub(crate) use state::Scene;
pub(crate) use statement::{ELSEWHERE, is_at};
