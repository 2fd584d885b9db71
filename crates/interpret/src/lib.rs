//! The reference interpreter: programs, executed as they are defined.
//!
//! It is written to be obviously right, not to be fast, and shares nothing with what programs are checked by but their
//! typed form ([`program::Program`]). Each run that is shown has been executed by it, and engines are tested against it.
//!
//! - An [`Interpreter`] gives the [initial states](Interpreter::initial) of a program and the
//!   [successors](Interpreter::successors) of each: what processes do, what is chosen, and what comes of it, a new
//!   [`State`] or a [failure](Failed). By definition each statement is a step of its own; [`Turns`] says whether local ones are
//!   fused with the step before.
//! - States are concrete: processes and objects have numbers. [`State::canonical`] gives the one that stands for all that
//!   differ by who is who.
//! - [`Interpreter::follow`], [`Interpreter::replay`] and [`Interpreter::find_run`] execute the runs of other engines again.
//! - [`Interpreter::race`] finds two processes that stand before conflicting accesses.
//!
//! The way of a step: `turns` (who can act) → `control` (where a thread stops) → `act` (what it does there), by
//! `at_once` and `operation` (what is done at once), `meet` (what two do together), `end` (kills) → back to `turns`,
//! where those that were moved go on to where they stop. `local` and `form` say which statements are fused.

mod access;
mod act;
mod alike;
mod assign;
mod at_once;
mod canonical;
mod collection;
mod control;
mod create;
mod end;
mod evaluate;
#[cfg(test)]
mod examples;
mod failure;
mod form;
mod frame;
mod interpreter;
mod local;
mod meet;
mod names;
mod next;
mod obstacle;
mod operation;
mod point;
mod race;
mod replay;
mod state;
mod turns;
mod value;
mod walk;
mod world;

pub use access::{Access, Location};
pub use failure::Failed;
pub use interpreter::Interpreter;
pub use meet::Offer;
pub use names::Names;
pub use next::{Actor, Birth, Choice, Chosen, Next, Step};
pub use obstacle::{Hindrance, Obstacle};
pub use point::Point;
pub use race::Race;
pub use replay::{Move, Run};
pub use state::{Frame, Object, Process, Progress, State, Thread};
pub use turns::Turns;
pub use value::{Address, Identity, Pid, Value};

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn only_the_typed_form_is_shared() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for entry in fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("it can be read").path();
            let text = fs::read_to_string(&path).expect("it can be read");
            for module in ["facts", "graph", "live", "routines"] {
                let is_used = text.contains(&format!("program::{module}"))
                    || text.contains(&format!("program::{{{module}"));
                assert!(!is_used, "{} uses `{module}`", path.display());
            }
        }
    }

    #[test]
    fn threads_can_share_an_interpreter() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<Interpreter>();
    }
}
