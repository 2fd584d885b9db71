//! The files of the models: read when the server starts, and again whenever they are saved.

mod file;

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use budget::{Budget, Limits};
use explorer::reading::{Format, GoOptions};
use explorer::{Explorer, Read, Text};
use lang::Override;
use serde_json::{Value as Json, json};

use crate::ModelFile;
use crate::events::Events;
use crate::operations::part_of_memory;
use crate::server::STACK_BYTES;
use file::{Seen, Watched};

/// The models whose files cannot be read now, by name, and why. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Missing(Arc<Mutex<BTreeMap<String, String>>>);

impl Missing {
    /// Why the file of a model cannot be read, if that is so.
    pub(crate) fn why(&self, model: &str) -> Option<String> {
        self.table().get(model).cloned()
    }

    fn table(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A model and its file.
#[derive(Debug)]
pub(crate) struct Source {
    name: String,
    /// What the file is called, as it was given.
    shown: String,
    set: Vec<Override>,
    go: GoOptions,
    file: Watched,
}

impl Source {
    /// Opens the file of a model.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn open(name: String, model: ModelFile) -> io::Result<Source> {
        let ModelFile { path, set, go } = model;
        let shown = path.display().to_string();
        let most = match Format::of(&shown) {
            Some(Format::Pnml) => pnml::Limits::default().bytes,
            Some(Format::Kin | Format::Go) | None => lang::LONGEST_TEXT,
        };
        // One byte more than a model may have, so that one too long is noticed.
        let file = Watched::open(&path, most as u64 + 1)?;
        Ok(Source { name, shown, set, go, file })
    }

    /// What the model is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What its file is called.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Gives the text to the explorer.
    pub(crate) fn read(&self, explorer: &Explorer, budget: &Budget) -> Read {
        let (file, set, go) = (self.shown.clone(), self.set.clone(), self.go.clone());
        let text = Text { file, bytes: self.file.content().to_vec(), set, go };
        let limits = Limits { memory: part_of_memory(4, 5), ..Limits::default() };
        explorer.read(&self.name, text, &budget.child(limits))
    }
}

/// Who hears of changes.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) explorer: Arc<Explorer>,
    pub(crate) events: Events,
    pub(crate) missing: Missing,
    pub(crate) budget: Budget,
}

impl Watch {
    /// Starts a thread that looks at the files until the budget ends. It looks at once when it is unparked.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub(crate) fn start(
        self,
        mut sources: Vec<Source>,
        look_time: Duration,
    ) -> io::Result<JoinHandle<()>> {
        let thread = thread::Builder::new().name("watch".into()).stack_size(STACK_BYTES);
        thread.spawn(move || {
            while !self.budget.is_exhausted() {
                for source in &mut sources {
                    let seen = source.file.look();
                    self.tell(source, seen);
                }
                thread::park_timeout(look_time);
            }
        })
    }

    /// Tells what is new, and has a new text read.
    fn tell(&self, source: &Source, seen: Seen) {
        match seen {
            Seen::Same => {}
            Seen::Gone(why) => self.is_missing(source, why),
            Seen::Back => self.is_there(source),
            Seen::Content => {
                self.is_there(source);
                let read = AssertUnwindSafe(|| source.read(&self.explorer, &self.budget));
                match catch_unwind(read) {
                    Ok(Read { generation, is_right }) => self.events.tell(&json!({
                        "event": "model",
                        "model": source.name,
                        "generation": generation,
                        "is_right": is_right,
                    })),
                    Err(_) => self.is_missing(source, "reading it failed in Kinfold".into()),
                }
            }
        }
    }

    fn is_missing(&self, source: &Source, why: String) {
        self.events.tell(&file_event(source, Some(&why)));
        self.missing.table().insert(source.name.clone(), why);
    }

    fn is_there(&self, source: &Source) {
        if self.missing.table().remove(&source.name).is_some() {
            self.events.tell(&file_event(source, None));
        }
    }
}

fn file_event(source: &Source, missing: Option<&str>) -> Json {
    json!({ "event": "file", "model": source.name, "missing": missing })
}
