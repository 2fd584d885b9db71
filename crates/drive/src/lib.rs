//! Steps a real object through runs of its model, and compares.
//!
//! `kinfold tests MODEL` writes runs of a model that cover it. Somebody who has built what the model describes writes a
//! [`Subject`]: how the object is made to do what a step says, and what can be seen of it. [`drive`] makes a new object for
//! each run, takes it through the run step by step, and after each step compares what is seen with the state of the model.
//! The first difference ends it, and is told with the run, the step, and both sides.
//!
//! **Who is who.** A model names threads by pids such as `1.2`, and objects by numbers; the real ones have handles and names
//! of their own. [`Identities`] keeps which stands for which: the subject binds a pid to an identity when a step creates one,
//! looks identities up to act on them, and observes in terms of its own identities, which are translated back. So what the
//! object calls them is never compared, only who they are.
//!
//! ```
//! use drive::{Identities, Mismatch, Observation, Run, Seen, Step, Subject, Suite, drive};
//!
//! /// Counts up to three; or so it should.
//! struct Counter(i64);
//!
//! impl Subject for Counter {
//!     type Identity = ();
//!     fn start(&mut self, _: &Run, _: &mut Identities<()>) -> Result<(), Mismatch> {
//!         Ok(())
//!     }
//!     fn step(&mut self, step: &Step, _: &mut Identities<()>) -> Result<(), Mismatch> {
//!         match step.transition.as_str() {
//!             "count" => self.0 += 1,
//!             other => return Err(Mismatch::unknown(other)),
//!         }
//!         Ok(())
//!     }
//!     fn observe(&mut self) -> Observation<()> {
//!         Observation::new().place("count", [vec![Seen::Int(self.0)]])
//!     }
//! }
//!
//! let state = |n: i64| format!(r#"{{ "tokens": {{ "count": [[{n}]] }}, "eta": {{}} }}"#);
//! let step = format!(
//!     r#"{{ "transition": "count", "binding": {{}}, "born": [], "ended": [], "state": {} }}"#,
//!     state(1),
//! );
//! let text = format!(
//!     r#"{{ "schema_version": 1, "model": "counter", "runs": [
//!         {{ "covers": ["count"], "trace": {{ "initial": {}, "steps": [{step}] }} }}] }}"#,
//!     state(0),
//! );
//! let suite = Suite::read(&text).expect("it is a suite");
//! assert_eq!(drive(&suite, || Counter(0)).expect("it counts").steps, 1);
//! let difference = drive(&suite, || Counter(1)).expect_err("it does not start with 0");
//! assert_eq!((difference.run, difference.step), (1, 0));
//! ```

mod driving;
mod identities;
mod observation;
mod suite;
mod value;

pub use driving::{Difference, Driven, Mismatch, Subject, drive};
pub use identities::Identities;
pub use observation::{Observation, Seen};
pub use suite::{Act, Run, State, Step, Suite, SuiteError};
pub use value::Value;
