//! A candidate with what is known of how it came about, and sets of candidates.

use std::collections::HashMap;
use std::rc::Rc;

use explore::varint;
use net::TransitionId;
use rustc_hash::FxBuildHasher;

use crate::engine::Said;

/// A step of the run that led to a candidate, by its index in [`Links`]; `NO_LINK` at the start, or if runs are not kept.
pub(crate) type LinkId = u32;

/// The link of what has no step before it.
pub(crate) const NO_LINK: LinkId = u32::MAX;

/// A state with names that is consistent with some events of the log, and which these are.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// Its canonical bytes.
    pub state: Rc<[u8]>,
    /// All events before this one have happened.
    pub base: u64,
    /// The later events that have happened, too, ascending.
    pub ahead: Rc<[u64]>,
    /// How many edits of the log it takes.
    pub cost: u32,
    /// The edits, the last first.
    pub edits: Option<Rc<Edit>>,
    pub link: LinkId,
}

/// A difference between the log and what is explained.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub before: Option<Rc<Edit>>,
    /// The event, by its number; where one is missing, that which comes next.
    pub event: u64,
    pub kind: EditKind,
}

/// How the log differs.
#[derive(Clone, Debug)]
pub(crate) enum EditKind {
    /// The event has not happened.
    Dropped,
    /// This has happened without an event, with these values.
    Missing(TransitionId, Vec<Said>),
    /// This has happened instead of what the event says.
    Changed(TransitionId, Vec<Said>),
}

impl Candidate {
    /// Whether an event has happened.
    pub fn has(&self, event: u64) -> bool {
        event < self.base || self.ahead.binary_search(&event).is_ok()
    }

    /// The events that have happened when this one has happened, too.
    pub fn with(&self, event: u64) -> (u64, Rc<[u64]>) {
        if event == self.base && self.ahead.is_empty() {
            return (event + 1, self.ahead.clone());
        }
        let mut ahead = self.ahead.to_vec();
        let at = ahead.partition_point(|&other| other < event);
        ahead.insert(at, event);
        let mut base = self.base;
        let run = ahead.iter().take_while(|&&next| {
            let is_next = next == base;
            base += u64::from(is_next);
            is_next
        });
        let run = run.count();
        (base, ahead[run..].into())
    }

    /// What tells it from others that as many events have led to.
    fn write_key(&self, key: &mut Vec<u8>) {
        varint::push(self.ahead.len() as u64, key);
        self.ahead.iter().for_each(|event| varint::push(event - self.base, key));
        key.extend_from_slice(&self.state);
    }
}

/// Candidates, each once and with the least cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    pub all: Vec<Candidate>,
    index: HashMap<Box<[u8]>, u32, FxBuildHasher>,
    key: Vec<u8>,
}

impl Layer {
    /// Adds a candidate, unless it is there at no greater cost. Gives its number if it was added or became cheaper.
    pub fn add(&mut self, candidate: Candidate) -> Option<usize> {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        candidate.write_key(&mut key);
        let added = match self.index.get(&*key) {
            Some(&at) if self.all[at as usize].cost <= candidate.cost => None,
            Some(&at) => {
                self.all[at as usize] = candidate;
                Some(at as usize)
            }
            None => {
                self.index.insert(key.as_slice().into(), self.all.len() as u32);
                self.all.push(candidate);
                Some(self.all.len() - 1)
            }
        };
        self.key = key;
        added
    }

    /// Forgets all candidates.
    pub fn clear(&mut self) {
        self.all.clear();
        self.index.clear();
    }
}

/// A step: which came before, the transition, the number of its mode, and the event that it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub before: LinkId,
    pub transition: TransitionId,
    pub mode: u32,
    /// `None` if it was not logged; the number of the event, and of the alternative.
    pub event: Option<(u64, u32)>,
}

/// The steps of the runs that led to candidates. Those that lead to none any more are dropped now and then.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    all: Vec<Link>,
    /// How many there may be before it is looked which are needed.
    threshold: usize,
}

impl Links {
    /// Adds a step.
    pub fn add(&mut self, link: Link) -> LinkId {
        self.all.push(link);
        self.all.len() as u32 - 1
    }

    /// The steps that lead to a link, the first first.
    pub fn path(&self, mut to: LinkId) -> Vec<Link> {
        let mut path = Vec::new();
        while to != NO_LINK {
            let link = self.all[to as usize];
            path.push(link);
            to = link.before;
        }
        path.reverse();
        path
    }

    /// Drops the steps that lead to none of these candidates, if there may be many.
    pub fn drop_unneeded(&mut self, layer: &mut Layer) {
        if self.all.len() < self.threshold.max(1 << 12) {
            return;
        }
        let mut number = vec![NO_LINK; self.all.len()];
        for candidate in &layer.all {
            let mut link = candidate.link;
            while link != NO_LINK && number[link as usize] == NO_LINK {
                number[link as usize] = 0;
                link = self.all[link as usize].before;
            }
        }
        let mut kept = Vec::new();
        for (at, link) in self.all.iter().enumerate() {
            if number[at] != NO_LINK {
                number[at] = kept.len() as u32;
                let before = match link.before {
                    NO_LINK => NO_LINK,
                    before => number[before as usize],
                };
                kept.push(Link { before, ..*link });
            }
        }
        for candidate in layer.all.iter_mut().filter(|candidate| candidate.link != NO_LINK) {
            candidate.link = number[candidate.link as usize];
        }
        self.all = kept;
        self.threshold = 2 * self.all.len();
    }
}
