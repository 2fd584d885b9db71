//! One exploration, kept as it goes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use budget::{Account, Instant};

use super::codec::{Sink, Source, head, wrong};
use super::document::Document;
use super::error::CheckpointError;
use super::manifest::{Counts, Entry, Manifest, compare};
use super::stream::Stream;
use super::{Checkpoint, Facts, Inner};
use crate::parallel::tables_for;
use crate::quotient::Quotient;
use crate::search::Cut;
use crate::{Exploration, Options, Space, Store, Successors};

/// What is in the files of an exploration.
const CONTENTS: [&str; 5] = ["strings", "tree", "edges", "finals", "space"];
/// The strings that are read between two looks at the budget.
const STRINGS_PER_LOOK: u32 = 1 << 14;
/// With fewer states, one thread goes on.
const WORTH_SHARING: u32 = 1 << 16;

/// An exploration of a [`Checkpoint`]: what was kept of it, and where more of it will be.
pub struct Journal {
    checkpoint: Checkpoint,
    /// Its place in the manifest.
    at: usize,
    every: Duration,
    /// When it was last saved, or begun.
    saved: Instant,
    streams: BTreeMap<&'static str, Stream>,
    /// What was found so far, until the exploration goes on.
    pub(crate) restored: Option<Restored>,
}

/// An exploration that is to go on.
pub(crate) struct Restored {
    pub(crate) found: Exploration,
    /// The successors and expansions since it was asked whether there is to be a review.
    pub(crate) steps: u64,
}

impl Checkpoint {
    /// The exploration of this part of the run, with what was kept of it. `spaces` are those that will explore;
    /// they must not have been used. `facts` must be those that it was begun with, and edges be kept if they were.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, or is damaged; if the exploration that was kept is another one; or if
    /// the budget is used up before all is read.
    ///
    /// # Panics
    ///
    /// If there is no space.
    pub fn journal<S: Space>(
        &self,
        facts: &Facts,
        spaces: &mut [S],
        options: &Options,
    ) -> Result<Journal, CheckpointError> {
        let edges = if options.keep_edges { "kept" } else { "not kept" };
        let mut facts = facts.clone();
        facts.insert("what is done with edges".to_owned(), edges.to_owned());
        let mut inner = self.lock();
        let name = &self.part;
        let known = inner.manifest.explorations.iter().position(|entry| entry.name == *name);
        let mut journal = Journal {
            checkpoint: self.clone(),
            at: known.unwrap_or(inner.manifest.explorations.len()),
            every: inner.every,
            saved: Instant::now(),
            streams: BTreeMap::new(),
            restored: None,
        };
        match known {
            Some(at) => {
                let entry = inner.manifest.explorations[at].clone();
                compare(&entry.facts, &facts)?;
                journal.restore(&entry, &inner, spaces, options)?;
            }
            None => journal.begin(facts, &mut inner)?,
        }
        drop(inner);
        Ok(journal)
    }
}

impl Journal {
    /// How far the exploration had come when it was kept last.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.checkpoint.lock().manifest.explorations[self.at].counts.clone()
    }

    /// What was found before the exploration goes on; nothing if it is new.
    #[must_use]
    pub fn restored(&self) -> Option<&Exploration> {
        self.restored.as_ref().map(|restored| &restored.found)
    }

    fn begin(&mut self, facts: Facts, inner: &mut Inner) -> Result<(), CheckpointError> {
        for content in CONTENTS {
            let file = format!("{}.{content}", self.at);
            let stream = Stream::begun(&file, &head(content), &mut *inner.disk)?;
            self.streams.insert(content, stream);
        }
        let names = inner.disk.path("");
        inner.disk.sync_names().map_err(CheckpointError::writing(&names))?;
        let entry = Entry {
            name: self.checkpoint.part.clone(),
            facts,
            files: marks(&self.streams),
            ..Entry::default()
        };
        inner.manifest.explorations.push(entry);
        inner.manifest.write(&mut *inner.disk)
    }

    fn restore<S: Space>(
        &mut self,
        entry: &Entry,
        inner: &Inner,
        spaces: &mut [S],
        options: &Options,
    ) -> Result<(), CheckpointError> {
        let manifest = inner.disk.path(Manifest::NAME);
        for content in CONTENTS {
            let none = || CheckpointError::damaged(&manifest, format!("it has no {content}"));
            let mark = entry.files.get(content).ok_or_else(none)?;
            self.streams.insert(content, Stream::verified(mark, &*inner.disk)?);
        }
        let counts = &entry.counts;
        if counts.states == 0 {
            // It was begun, and nothing was kept.
            return Ok(());
        }
        let small = |count: u64| u32::try_from(count).ok().filter(|_| count <= counts.states);
        let (Some(states), Some(expanded), Some(initial)) =
            (small(counts.states), small(counts.expanded), small(counts.initial))
        else {
            return Err(CheckpointError::damaged(manifest, "its counts contradict each other"));
        };
        let workers = spaces.len();
        let account = RefCell::new(options.budget.account());
        let reading = Reading { inner, streams: &self.streams, states, options, workers, account };
        let space = spaces.first_mut().expect("there is a space");
        reading.space(space)?;
        let mut found = Exploration {
            store: options.hash_bits.map_or_else(Store::new, Store::with_hash_bits),
            quotient: options.keep_edges.then(Quotient::default),
            edges: counts.edges,
            modes: counts.modes,
            expanded: counts.expanded,
            initial,
            seconds: Duration::from_millis(counts.milliseconds).as_secs_f64(),
            reviews: entry.reviews.clone(),
            ..Exploration::default()
        };
        entry.fired.iter().for_each(|&(label, modes)| found.fired.add(label, modes));
        if spaces.len() > 1 && states >= WORTH_SHARING {
            found.store.deal_out(tables_for(spaces.len()));
        }
        reading.strings(&mut found)?;
        let spill = |found: &mut Exploration| reading.spill(found);
        reading.of("tree", |source| source.tree(&mut found, states, spill))?;
        reading.of("edges", |source| source.edges(&mut found, expanded, states, spill))?;
        let finals = counts.deadlocks.saturating_add(counts.terminated);
        reading.of("finals", |source| source.finals(&mut found, finals, expanded))?;
        reading.first_states(&found, &mut spaces[0])?;
        self.restored = Some(Restored { found, steps: entry.steps });
        Ok(())
    }

    /// Whether it is time to save what was found.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        now.duration_since(self.saved) >= self.every
    }

    /// Keeps what was found up to a cut. If that fails, the checkpoint says so, and what was kept before stays.
    pub(crate) fn save<S: Space>(
        &mut self,
        found: &Exploration,
        cut: &Cut<'_>,
        steps: u64,
        space: &S,
    ) {
        let checkpoint = self.checkpoint.clone();
        let mut inner = checkpoint.lock();
        let known = &inner.manifest.explorations[self.at];
        let is_new = known.counts.expanded != found.expanded
            || known.counts.states != u64::from(cut.states)
            || known.reviews != found.reviews
            || known.steps != steps;
        if is_new && !inner.is_broken {
            let saved = self.saved(found, cut, steps, space, &mut inner);
            if saved.is_err() && !inner.is_broken {
                self.streams.values().for_each(|stream| stream.cut_back(&mut *inner.disk));
            }
            inner.trouble = saved.err().map(|error| error.to_string());
        }
        drop(inner);
        self.saved = Instant::now();
    }

    fn saved<S: Space>(
        &mut self,
        found: &Exploration,
        cut: &Cut<'_>,
        steps: u64,
        space: &S,
        inner: &mut Inner,
    ) -> Result<(), CheckpointError> {
        let Inner { disk, manifest, .. } = inner;
        let before = manifest.explorations[self.at].clone();
        let states = before.counts.states as u32..cut.states;
        let expanded = before.counts.expanded as u32..found.expanded as u32;
        let finals = [before.counts.deadlocks, before.counts.terminated].map(|n| n as usize);
        let mut mark = before.mark;
        let mut streams = self.streams.clone();
        for (content, stream) in &mut streams {
            let write = |to: &mut dyn Write| match *content {
                "strings" => Sink::new(to).strings(found, states.clone()),
                "tree" => Sink::new(to).tree(found, states.clone()),
                "edges" => Sink::new(to).edges(found, expanded.clone()),
                "finals" => Sink::new(to).finals(found, finals),
                _ => {
                    mark = space.save(mark, to)?;
                    Ok(())
                }
            };
            let path = disk.path(stream.file());
            let appended = stream.appended(&mut **disk, write);
            *stream = appended.map_err(CheckpointError::writing(&path))?;
        }
        let entry = Entry {
            counts: counts(found, cut),
            fired: cut.fired.iter().collect(),
            reviews: found.reviews.clone(),
            steps,
            mark,
            files: marks(&streams),
            ..before
        };
        let mut next = manifest.clone();
        next.explorations[self.at] = entry;
        let written = next.write(&mut **disk);
        // What counts is which manifest is there.
        let is_there = written.is_ok()
            || match Manifest::read(&**disk) {
                Ok(read) => read.as_ref() == Some(&next),
                Err(_) => {
                    inner.is_broken = true;
                    false
                }
            };
        if is_there {
            inner.manifest = next;
            self.streams = streams;
        }
        written
    }
}

fn counts(found: &Exploration, cut: &Cut<'_>) -> Counts {
    let last = cut.states.checked_sub(1).map(crate::StateId);
    Counts {
        states: cut.states.into(),
        expanded: found.expanded,
        initial: found.initial.into(),
        edges: cut.edges,
        modes: cut.modes,
        deadlocks: found.deadlocks.len() as u64,
        terminated: found.terminated.len() as u64,
        depth: last.map_or(0, |id| found.depth_of(id)),
        milliseconds: Duration::try_from_secs_f64(found.seconds)
            .map_or(0, |time| time.as_millis() as u64),
    }
}

fn marks(streams: &BTreeMap<&'static str, Stream>) -> BTreeMap<String, super::stream::FileMark> {
    streams.iter().map(|(content, stream)| ((*content).to_owned(), stream.mark())).collect()
}

/// What is read of an exploration.
struct Reading<'r> {
    inner: &'r Inner,
    streams: &'r BTreeMap<&'static str, Stream>,
    states: u32,
    options: &'r Options,
    workers: usize,
    /// What is held of what was read.
    account: RefCell<Account>,
}

impl Reading<'_> {
    /// Reads a file to its end.
    fn of(
        &self,
        content: &str,
        read: impl FnOnce(&mut Source<Box<dyn io::BufRead>>) -> io::Result<()>,
    ) -> Result<(), CheckpointError> {
        let stream = &self.streams[content];
        let path = self.inner.disk.path(stream.file());
        let done = stream.read(&*self.inner.disk).and_then(|file| {
            let file: Box<dyn io::BufRead> = Box::new(file);
            let mut source = Source::new(file, &head(content))?;
            read(&mut source)?;
            source.finish()
        });
        done.map_err(|error| CheckpointError::damaged(path, error.to_string()))?;
        self.options.budget.check().map_err(CheckpointError::Exhausted)
    }

    /// Puts what was read on disk again where memory is short.
    fn spill(&self, found: &mut Exploration) {
        if let Some(spill) = &self.options.spill {
            let account = &mut self.account.borrow_mut();
            let has_room = found.spill(spill, self.workers, &self.options.budget, account);
            if !has_room {
                self.options.budget.require(u64::MAX).ok();
            }
        }
    }

    /// Restores what the space has numbered.
    fn space(&self, space: &mut impl Space) -> Result<(), CheckpointError> {
        self.of("space", |source| {
            while !source.is_empty()? {
                space.restore(source.rest())?;
            }
            Ok(())
        })
    }

    fn strings(&self, found: &mut Exploration) -> Result<(), CheckpointError> {
        let budget = &self.options.budget;
        self.of("strings", |source| {
            for id in 0..self.states {
                if id % STRINGS_PER_LOOK == 0 {
                    self.account.borrow_mut().set(found.held_bytes());
                    self.spill(found);
                    let (strings, account) =
                        (STRINGS_PER_LOOK as usize, &mut self.account.borrow_mut());
                    if budget.is_exhausted()
                        || !found.make_room(strings, self.options, self.workers, account)
                    {
                        budget.require(u64::MAX).ok();
                        return Err(wrong("it is too large for the memory that is allowed"));
                    }
                }
                if !found.store.insert(source.string()?).1 {
                    return Err(wrong("a string is there twice"));
                }
            }
            Ok(())
        })
        .map_err(|error| budget.exhausted().map_or(error, CheckpointError::Exhausted))
    }

    /// That the first states are those that the space begins with.
    fn first_states(
        &self,
        found: &Exploration,
        space: &mut impl Space,
    ) -> Result<(), CheckpointError> {
        let mut initial = Successors::within(&self.options.budget);
        let begun = space.initial(&mut initial).is_ok();
        self.options.budget.check().map_err(CheckpointError::Exhausted)?;
        let mut ids: Vec<_> = initial.iter().map(|(_, _, bytes)| found.store.find(bytes)).collect();
        ids.sort_unstable();
        ids.dedup();
        let are_first = ids.iter().copied().eq(found.initial().map(Some));
        if begun && are_first {
            return Ok(());
        }
        let path = self.inner.disk.path(self.streams["strings"].file());
        Err(CheckpointError::damaged(path, "its first states are not those of the model"))
    }
}
