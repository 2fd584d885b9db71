//! The search for runs that explain a log: sets of candidates, one event further at a time.
//!
//! A *layer* holds the candidates that explain the same number of events. To get the next layer, each candidate is first
//! followed through all steps that are not logged, to all candidates that are reached so (a fixpoint, finite if they
//! have finitely many classes); then each event that may come next is fired. Where the log is a sequence that is the next
//! event. Where it is a partial order, an event may come next if all that come before it have happened, and if it is less
//! than `window` lines after the first that has not happened; a candidate then also has the set of events that have
//! happened. The log has an explanation exactly if the layer after the last event is not empty.
//!
//! With *edits* a candidate may also, at a cost of one each, drop an event, do a logged step without an event, or do
//! another logged step instead of what an event says. Of each candidate the least cost is kept, and none beyond the most
//! that is allowed. So the least number of edits is found by allowing one more at a time.
//!
//! Memory is that of one layer, and of the events in the window.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use budget::Budget;
use net::{Fault, TransitionId};

use crate::candidate::{Candidate, Edit, EditKind, Layer, Link, Links, NO_LINK};
use crate::engine::{Asked, Engine, Found, Said};
use crate::event::{Event, Name, Occurrence, Source, Wanted};
use crate::names::{Names, Retired};
use crate::order::{Order, OutOfOrder};
use crate::vocabulary::Vocabulary;

/// So many names are known before it is looked first who is gone.
const FEW_NAMES: usize = 24;

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// How many candidates a layer may have.
    pub candidates: usize,
    /// How many lines later an event may have been logged than it happened, and one more.
    pub window: u64,
    /// How many edits there may be.
    pub edits: u32,
}

/// Why a search may have missed an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Missed {
    /// There were too many candidates.
    Candidates(usize),
    /// There were too many names at once.
    Names,
    /// The model has a fault, or firing it has none the less no meaning there.
    Fault(Fault),
    /// The budget ended.
    Budget(budget::Exhausted),
}

/// A search, as far as it has come.
pub(crate) struct Search<'s> {
    pub engine: &'s mut Engine,
    vocabulary: &'s Vocabulary,
    budget: &'s Budget,
    bounds: Bounds,
    pub at: Position,
    pub retired: Retired,
    /// Names that were retired since somebody asked.
    pub lately_retired: Vec<Name>,
    /// What may have been missed.
    pub missed: Option<Missed>,
    /// The number of candidates in the largest layer so far.
    pub most: usize,
    /// What it takes to tell the run, if that is wanted.
    pub kept: Option<Kept>,
    next: Layer,
}

/// What it takes to tell a run: the steps, all events, and which names were dropped when.
#[derive(Default)]
pub(crate) struct Kept {
    pub links: Links,
    pub events: Vec<Event>,
    /// After so many events, these slots were dropped from candidates.
    pub dropped: Vec<(u64, Vec<u32>)>,
}

/// Where a search is: all that it takes to go on from there.
#[derive(Clone)]
pub(crate) struct Position {
    pub layer: Layer,
    /// Whether steps that are not logged have been followed.
    is_closed: bool,
    /// How many events the candidates explain.
    pub explained: u64,
    /// Events that some candidate has not yet explained, and those between them.
    pub events: VecDeque<Event>,
    /// The number of the first of them.
    first: u64,
    order: Order,
    pub names: Names,
    /// How many names there may be before it is looked who is gone.
    threshold: usize,
}

impl Position {
    /// The start: the initial state.
    pub fn initial(engine: &mut Engine, order: Order) -> Position {
        let mut layer = Layer::default();
        let state = engine.initial().into();
        let (ahead, edits) = (Rc::from([]), None);
        layer.add(Candidate { state, base: 0, ahead, cost: 0, edits, link: NO_LINK });
        Position {
            layer,
            is_closed: false,
            explained: 0,
            events: VecDeque::new(),
            first: 0,
            order,
            names: Names::default(),
            threshold: FEW_NAMES,
        }
    }

    /// The number of the event that will be read next.
    pub fn read(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    /// An event that was read and is still known.
    pub fn event(&self, number: u64) -> Option<&Event> {
        self.events.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    fn least_base(&self) -> u64 {
        self.layer.all.iter().map(|candidate| candidate.base).min().unwrap_or(self.explained)
    }
}

impl<'s> Search<'s> {
    /// A search from a position.
    pub fn new(
        engine: &'s mut Engine,
        vocabulary: &'s Vocabulary,
        budget: &'s Budget,
        bounds: Bounds,
        at: Position,
    ) -> Search<'s> {
        Search {
            engine,
            vocabulary,
            budget,
            bounds,
            at,
            retired: Retired::default(),
            lately_retired: Vec::new(),
            missed: None,
            most: 1,
            kept: None,
            next: Layer::default(),
        }
    }

    /// The words of the log.
    pub fn vocabulary(&self) -> &'s Vocabulary {
        self.vocabulary
    }

    /// Whether the next event has to be known to go on: it may come next in a candidate that is ahead of the others.
    pub fn wants_more(&self) -> bool {
        let bases = self.at.layer.all.iter().map(|candidate| candidate.base);
        let most = bases.max().unwrap_or(self.at.explained);
        self.at.read() < most.saturating_add(self.bounds.window)
    }

    /// Whether all events that were read are explained.
    pub fn is_done(&self) -> bool {
        self.at.explained == self.at.read()
    }

    /// Reads an event.
    ///
    /// # Errors
    /// If it comes before one that was read before.
    pub fn push(&mut self, occurrence: &Occurrence) -> Result<(), OutOfOrder> {
        let number = self.at.read();
        let before = self.at.order.before(number, self.at.first, occurrence)?;
        match self.at.names.event(occurrence, before, &self.retired) {
            Ok(event) => {
                if let Some(kept) = &mut self.kept {
                    kept.events.push(event.clone());
                }
                self.at.events.push_back(event);
            }
            Err(_) => self.missed = Some(Missed::Names),
        }
        Ok(())
    }

    /// Whether nothing more can be found.
    pub fn is_over(&self) -> bool {
        matches!(self.missed, Some(Missed::Budget(_) | Missed::Names))
    }

    /// Goes on by one event. If there is no way to, it stays where it is and says `false`.
    pub fn advance(&mut self) -> bool {
        self.drop_names();
        self.close();
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        for at in 0..self.at.layer.all.len() {
            if self.is_over() {
                break;
            }
            let candidate = self.at.layer.all[at].clone();
            self.engine.load(&candidate.state);
            let end = candidate.base.saturating_add(self.bounds.window).min(self.at.read());
            for number in candidate.base..end {
                let event = self.at.event(number).expect("it is in the window").clone();
                let may_be = !candidate.has(number)
                    && event.before.iter().all(|&before| candidate.has(before));
                if may_be {
                    self.explain(&candidate, number, &event, &mut next);
                }
            }
        }
        self.most = self.most.max(next.all.len());
        if next.all.is_empty() || self.is_over() {
            self.next = next;
            return false;
        }
        self.next = std::mem::replace(&mut self.at.layer, next);
        self.at.is_closed = false;
        self.at.explained += 1;
        let least = self.at.least_base();
        while self.at.first < least {
            self.at.events.pop_front();
            self.at.first += 1;
        }
        if let Some(kept) = &mut self.kept {
            kept.links.drop_unneeded(&mut self.at.layer);
        }
        true
    }

    /// The candidates after an event, whatever it was. The candidate has been loaded.
    fn explain(&mut self, candidate: &Candidate, number: u64, event: &Event, next: &mut Layer) {
        let (base, ahead) = candidate.with(number);
        let new = &mut Vec::new();
        for (which, alternative) in event.alternatives.iter().enumerate() {
            let origin = Some((number, which as u32));
            let step = Step { transition: alternative.transition, origin, edit: None };
            let after = Candidate { base, ahead: ahead.clone(), ..candidate.clone() };
            self.fire(&after, &step, &alternative.known, next, new);
        }
        if candidate.cost == self.bounds.edits {
            return;
        }
        let changed = Candidate { base, ahead, cost: candidate.cost + 1, ..candidate.clone() };
        for &transition in self.vocabulary.logged() {
            let step = Step { transition, origin: None, edit: Some((number, false)) };
            self.fire(&changed, &step, &[], next, new);
        }
        let kind = EditKind::Dropped;
        let edit = Edit { before: candidate.edits.clone(), event: number, kind };
        self.add(Candidate { edits: Some(Rc::new(edit)), ..changed }, next);
    }

    /// Follows the steps that are not logged, until there are no more candidates.
    pub fn close(&mut self) {
        if std::mem::replace(&mut self.at.is_closed, true) {
            return;
        }
        let unlogged: Rc<[TransitionId]> = self.vocabulary.unlogged().into();
        let logged: Rc<[TransitionId]> = match self.bounds.edits {
            0 => Rc::from([]),
            _ => self.vocabulary.logged().into(),
        };
        if unlogged.is_empty() && logged.is_empty() {
            return;
        }
        let mut layer = std::mem::take(&mut self.at.layer);
        // By cost, so that no candidate is followed before its least cost is known.
        let mut open: Vec<VecDeque<usize>> = vec![VecDeque::new(); self.bounds.edits as usize + 1];
        for (at, candidate) in layer.all.iter().enumerate() {
            open[candidate.cost as usize].push_back(at);
        }
        for cost in 0..=self.bounds.edits {
            while let Some(at) = open[cost as usize].pop_front() {
                if layer.all[at].cost != cost || self.is_over() {
                    continue;
                }
                let candidate = layer.all[at].clone();
                self.engine.load(&candidate.state);
                let mut found = Vec::new();
                for &transition in &*unlogged {
                    let step = Step { transition, origin: None, edit: None };
                    self.fire(&candidate, &step, &[], &mut layer, &mut found);
                }
                let dearer = Candidate { cost: cost + 1, ..candidate };
                let may_edit = cost < self.bounds.edits;
                for &transition in logged.iter().filter(|_| may_edit) {
                    let before = dearer.base;
                    let step = Step { transition, origin: None, edit: Some((before, true)) };
                    self.fire(&dearer, &step, &[], &mut layer, &mut found);
                }
                for at in found {
                    open[layer.all[at].cost as usize].push_back(at);
                }
            }
        }
        self.most = self.most.max(layer.all.len());
        self.at.layer = layer;
    }

    /// Adds the candidates after the modes of a step that have what is wanted. The candidate has the events that have
    /// happened then, and its state was loaded. Gives the numbers of those that are new or became cheaper.
    fn fire(
        &mut self,
        after: &Candidate,
        step: &Step,
        wanted: &[(Source, Wanted)],
        layer: &mut Layer,
        new: &mut Vec<usize>,
    ) {
        let asked: &[Asked] = match step.edit {
            Some(_) => self.vocabulary.asked(step.transition),
            None => &[],
        };
        let (most, kept) = (self.bounds.candidates, &mut self.kept);
        let mut too_many = false;
        let each = &mut |found: Found<'_>| {
            if layer.all.len() >= most {
                too_many = true;
                return true;
            }
            let edits = match step.edit {
                None => after.edits.clone(),
                Some((event, is_missing)) => Some(Rc::new(Edit {
                    before: after.edits.clone(),
                    event,
                    kind: step.edited(is_missing, found.said),
                })),
            };
            let link = match kept {
                None => NO_LINK,
                Some(kept) => kept.links.add(Link {
                    before: after.link,
                    transition: step.transition,
                    mode: found.number,
                    event: step.origin,
                }),
            };
            let state = found.bytes.into();
            new.extend(layer.add(Candidate { state, edits, link, ..after.clone() }));
            false
        };
        let fired = self.engine.fire(step.transition, wanted, asked, self.budget, each);
        if let Err(fault) = fired {
            self.missed.get_or_insert(Missed::Fault(fault));
        }
        if too_many {
            self.missed.get_or_insert(Missed::Candidates(most));
        }
        if let Some(reason) = self.budget.exhausted() {
            self.missed = Some(Missed::Budget(reason));
        }
    }

    fn add(&mut self, candidate: Candidate, layer: &mut Layer) {
        if layer.all.len() >= self.bounds.candidates {
            self.missed.get_or_insert(Missed::Candidates(self.bounds.candidates));
            return;
        }
        layer.add(candidate);
    }

    /// Drops the names of those who are gone in all candidates, if there may be many.
    fn drop_names(&mut self) {
        if self.at.names.len() < self.at.threshold {
            return;
        }
        let pending: BTreeSet<u32> = self.at.events.iter().flat_map(Event::slots).collect();
        let mut idle: BTreeSet<u32> = self.at.names.slots().collect();
        idle.retain(|slot| !pending.contains(slot));
        let (mut bound, mut gone) = (Vec::new(), Vec::new());
        // Of names that are idle: gone everywhere, or nobody's anywhere.
        let (mut everywhere, mut nowhere) = (idle.clone(), idle);
        for candidate in &self.at.layer.all {
            self.engine.slots(&candidate.state, &mut bound, &mut gone);
            everywhere.retain(|slot| gone.contains(slot));
            bound.iter().chain(&gone).for_each(|slot| _ = nowhere.remove(slot));
        }
        let slots: Vec<u32> = everywhere.iter().copied().collect();
        if !slots.is_empty() {
            let mut layer = Layer::default();
            for candidate in &self.at.layer.all {
                let state = self.engine.without(&candidate.state, &slots).into();
                layer.add(Candidate { state, ..candidate.clone() });
            }
            self.at.layer = layer;
            for slot in &slots {
                let name = self.at.names.release(*slot).expect("the slot is somebody's");
                self.lately_retired.push(name.clone());
                self.retired.insert(name);
            }
            if let Some(kept) = &mut self.kept {
                kept.dropped.push((self.at.explained, slots));
            }
        }
        nowhere.iter().for_each(|slot| _ = self.at.names.release(*slot));
        self.at.threshold = FEW_NAMES.max(2 * self.at.names.len());
    }
}

/// A step that is fired for some reason.
struct Step {
    transition: TransitionId,
    /// The event that it is, and the alternative.
    origin: Option<(u64, u32)>,
    /// The event at which the log is edited, and whether a line is missing before it.
    edit: Option<(u64, bool)>,
}

impl Step {
    fn edited(&self, is_missing: bool, said: &[Said]) -> EditKind {
        match is_missing {
            true => EditKind::Missing(self.transition, said.to_vec()),
            false => EditKind::Changed(self.transition, said.to_vec()),
        }
    }
}
