//! The compiler, run beside on the newest text of each document.
//!
//! A compilation cannot be cut short, so there is one at a time, and of a text that changes quickly only the newest
//! version is waiting. Whoever gets a result has to look whether the text is still that.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::Sender;
use diagnostics::{Diagnostic, Report};
use lang::names::{NameKind, Names};
use net::listing::Listed;
use net::{Net, Sort};

use crate::STACK_BYTES;
use crate::server::Event;

/// What the compiler found in a text.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// Of which text.
    pub(crate) edits: u64,
    pub(crate) report: Report,
    /// What can be said beside the text, by where.
    pub(crate) hints: Vec<Hint>,
}

/// Something to say beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    /// Behind which byte.
    pub(crate) at: usize,
    pub(crate) text: String,
    /// More about it.
    pub(crate) about: &'static str,
}

/// A text to compile.
#[derive(Debug)]
struct Work {
    uri: String,
    edits: u64,
    text: String,
}

/// The thread that compiles.
#[derive(Debug)]
pub(crate) struct Compiler {
    queue: Arc<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    state: Mutex<(VecDeque<Work>, bool)>,
    changed: Condvar,
}

impl Compiler {
    /// Starts the thread, which tells what it finds.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn start(events: Sender<Event>) -> std::io::Result<Compiler> {
        let queue = Arc::new(Queue::default());
        let compiler = Compiler { queue: Arc::clone(&queue) };
        let work = move || {
            while let Some(Work { uri, edits, text }) = queue.next() {
                let compiled = Arc::new(compiled(&text, edits));
                if events.send(Event::Compiled { uri, compiled }).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("compiler".into()).stack_size(STACK_BYTES).spawn(work)?;
        Ok(compiler)
    }

    /// Compiles a text once it is its turn; versions before it are not waited for.
    pub(crate) fn compile(&self, uri: &str, edits: u64, text: &str) {
        let mut state = self.queue.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0.retain(|work| work.uri != uri);
        state.0.push_back(Work { uri: uri.to_owned(), edits, text: text.to_owned() });
        self.queue.changed.notify_one();
    }

    /// A document is closed.
    pub(crate) fn forget(&self, uri: &str) {
        let mut state = self.queue.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0.retain(|work| work.uri != uri);
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        self.queue.state.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.queue.changed.notify_one();
    }
}

impl Queue {
    fn next(&self) -> Option<Work> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_idle = |state: &mut (VecDeque<Work>, bool)| state.0.is_empty() && !state.1;
        let mut state =
            self.changed.wait_while(state, is_idle).unwrap_or_else(PoisonError::into_inner);
        if state.1 { None } else { state.0.pop_front() }
    }
}

/// Compiles a text. A fault of the compiler is reported like one of the text.
pub(crate) fn compiled(text: &str, edits: u64) -> Compiled {
    let compile = || {
        let compilation = lang::compile(text, &[]);
        let net = compilation.net.as_ref();
        let hints = net.map(|net| hints(text, net)).unwrap_or_default();
        (compilation.diagnostics, hints)
    };
    let (report, hints) = catch_unwind(AssertUnwindSafe(compile)).unwrap_or_else(|_| {
        let message = "Kinfold has failed on this text, which is a fault of Kinfold";
        let error = Diagnostic::error("E0000", message).help("please report it, with the text");
        (Report::of(error, text), Vec::new())
    });
    Compiled { edits, report, hints }
}

const LIVE: &str = "The variables that are kept where the process stops before this statement. \
    Others will not be read again, and are folded away.";
const OBSERVED: &str = "What transitions can still observe of the identity in this column; properties may ask for \
    more. Whatever cannot be observed is left out of states.";

/// What `kinfold show` says of a model, where it belongs in the text.
fn hints(text: &str, net: &Net) -> Vec<Hint> {
    let mut hints = match &net.listing {
        Some(listing) => live(text, listing.places.values()),
        None => observed(&lang::names::names(text), net),
    };
    hints.sort_by(|a, b| (a.at, &a.text).cmp(&(b.at, &b.text)));
    hints.dedup();
    hints
}

/// The variables that are kept at the points where processes stop, at the ends of lines.
fn live<'l>(text: &str, places: impl Iterator<Item = &'l Listed>) -> Vec<Hint> {
    let ends: Vec<usize> = {
        let mut end = 0;
        let lines = text.split('\n').map(|line| {
            let at = end + line.trim_end().len();
            end += line.len() + 1;
            at
        });
        lines.collect()
    };
    let mut by_line: std::collections::BTreeMap<usize, Vec<&str>> = Default::default();
    for listed in places {
        let Listed::Point { line, variables, .. } = listed else { continue };
        if line.in_prelude || line.line == 0 {
            continue;
        }
        let seen = by_line.entry(line.line).or_default();
        for field in variables.iter().filter(|field| !field.is_hidden()) {
            if !seen.contains(&field.name.as_str()) {
                seen.push(&field.name);
            }
        }
    }
    let hint = |(line, names): (usize, Vec<&str>)| {
        let at = *ends.get(line - 1)?;
        (!names.is_empty()).then(|| Hint {
            at,
            text: format!("live: {}", names.join(", ")),
            about: LIVE,
        })
    };
    by_line.into_iter().filter_map(hint).collect()
}

/// What is observed of the columns of places.
fn observed(names: &Names, net: &Net) -> Vec<Hint> {
    let words = net.observed(net.relations(), [], None).words(net);
    let mut words = words.into_iter().map(|(_, asked)| asked);
    let mut hints = Vec::new();
    let is_place = |kind| matches!(kind, NameKind::Flow | NameKind::Place);
    let places = names.definitions.iter().filter(|one| is_place(one.kind) && !one.in_prelude);
    let places: std::collections::HashMap<&str, &lang::names::Definition> =
        places.map(|one| (one.name.as_str(), one)).collect();
    for place in &net.places {
        let written = places.get(&*place.name);
        for (at, column) in place.columns.iter().enumerate() {
            if !matches!(column.sort, Sort::Pid | Sort::Object(_)) {
                continue;
            }
            let Some(asked) = words.next() else { return hints };
            let Some(written) = written else { continue };
            let is_thread = place.is_flow() && at == 0;
            // The thread of a flow place is not written, and not every column has a name.
            let columns = written.parameters.iter().map(|id| names.definition(*id));
            let own = column.name.as_deref().filter(|_| !is_thread);
            let own = own.and_then(|name| columns.into_iter().find(|one| one.name == *name));
            let text = match (own, is_thread) {
                (Some(_), _) => format!("observed: {asked}"),
                (None, true) => format!("thread observed: {asked}"),
                (None, false) => format!("column {} observed: {asked}", at + 1),
            };
            let at = own.map_or(written.span.end, |column| column.whole.end);
            hints.push(Hint { at, text, about: OBSERVED });
        }
    }
    hints
}
