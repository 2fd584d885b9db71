//! Whether what a real system logged is a run of a model, up to who is who.
//!
//! A log is a list of events: a name, identities as the system calls them, data. A [`Mapping`] says which event is which
//! transition of a net, or which statement of a process, and which of these are not logged. The log *conforms* if there
//! are a run of the model, and an injective binding of the log's names to the model's pids, objects and members of
//! classes, such that the steps of the run that are logged are the events in their order, each with what the event says.
//! [`conform`] decides this on the fly, by the set of all candidates that are consistent with the log so far:
//!
//! - `read`: from lines to entries; `mapping` and `vocabulary`: from entries to occurrences, in terms of the net;
//! - `names`: from what the log calls somebody to slots;
//! - `engine`: candidates, which are states with names, folded; what one becomes by a step;
//! - `search`: sets of candidates, event by event, with unlogged steps, partial orders and edits;
//! - `order`: what comes before what;
//! - `nearest`: the fewest edits by which the log conforms; `explain`: the run, made concrete by the plain interpreter;
//! - `answer`: what is found, as text and as JSON.
//!
//! Nothing is printed here, and no files are opened.

mod answer;
mod candidate;
mod conform;
mod engine;
mod entry;
mod event;
mod explain;
mod mapping;
mod names;
mod nearest;
mod order;
mod read;
mod search;
mod selector;
mod variables;
mod vocabulary;

pub use answer::{Answer, Difference, Edit, Explained, Nearest, Verdict};
pub use conform::{ConformError, Options, conform};
pub use entry::{Entry, Fields, LogError};
pub use mapping::{EventRule, LinePattern, LogForm, Mapping, MappingError, OrderWord, Words};
pub use order::Ordering;
pub use read::{Format, ReadError, Reader};
pub use vocabulary::Vocabulary;
