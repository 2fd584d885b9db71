//! What others may do meanwhile: before a thread makes its next move.
//!
//! Those who wait can do nothing before something changes of what they look at. So the others who may act are the least set
//! of threads with each that does not wait, and each that looks at something that one of them may change. Each
//! may do to the objects that it reaches what its code [may still do](crate::later::Later) to them; to those that another
//! one of them reaches who may give others references, they all may do it.
//!
//! Of satellites that are alike one stands for all, but for that of the thread itself.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Machine, State};
use crate::code::{Code, Register};
use crate::commute::{Other, Outcome, Trial, times};
use crate::form::LOCAL;
use crate::heap::{GLOBALS, Heap};
use crate::later::{Deed, Later, Root};
use crate::mistake::{Mistake, planted};
use crate::moves::{Entry, HUB, NONE, Next, ThreadAt};
use crate::run::{Called, ENDED, Execution, Stack, Touch};
use crate::value::{Arena, Flat, Value};

/// Those who may act before a thread does.
struct Meanwhile<'m, 'c> {
    code: &'c Code,
    heap: &'m Heap,
    /// All other threads.
    others: Vec<Someone>,
    /// Who refers to each object.
    referring: Vec<Vec<u32>>,
    /// The threads that reach an object, once that was asked.
    reaching: FxHashMap<u32, Rc<[u32]>>,
}

/// A frame of a thread: what may be done in it, and the values of registers.
struct Frame<'f> {
    later: &'f Later,
    kept: &'f [Register],
    values: &'f [Value],
}

/// Another thread, or as many alike ones.
struct Someone {
    object: u32,
    count: u32,
    /// What it looks at, if it waits for some of that to change.
    waits_for: Option<Vec<(u32, u16)>>,
    acts: bool,
}

/// What a thread of a part of a state does next, as objects of a heap.
struct Here {
    object: u32,
    touches: Vec<Touch>,
}

impl<'c> Machine<'c> {
    /// Whether the only move that a thread can make next is one that it will make in any case, and that cannot be told from
    /// the same move after anything that others may do before it.
    pub(super) fn is_certain(
        &mut self,
        state: &State,
        thread: ThreadAt,
        entry: &Entry,
        rows: &[u32],
    ) -> bool {
        let core = self.read_core(rows);
        let mut heap = core.heap.clone();
        let mut others: Vec<Someone> = Vec::new();
        for hub in &core.threads {
            let asked = self.entry([HUB | hub, NONE], state.core, rows);
            let next = asked.ok().and_then(|entry| entry.next.first().cloned());
            others.push(Someone::new(*hub, 1, next.as_ref(), 0));
        }
        let mut own_first = 0;
        for (satellite, count) in &state.satellites {
            let asked = self.entry([*satellite, NONE], state.core, rows).ok();
            let is_own = *satellite == thread.satellite;
            let others_of_own = if planted(Mistake::OwnCopyOnly) { 0 } else { count - 1 };
            let copies = if is_own { vec![1, others_of_own] } else { vec![*count] };
            for (number, count) in copies.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                let first = self.read(*satellite).build(self.code, &core, &mut heap);
                if is_own && number == 0 {
                    own_first = first;
                }
                for position in &self.read(*satellite).threads {
                    let named = LOCAL | position;
                    let next = asked.as_ref().map(|entry| &entry.next);
                    let next = next.and_then(|all| all.iter().find(|next| next.thread == named));
                    others.push(Someone::new(first + position, count, next, first));
                }
            }
        }
        let (own, named) = match thread.satellite {
            NONE => (thread.position, thread.position),
            _ => (own_first + thread.position, LOCAL | thread.position),
        };
        others.retain(|other| other.object != own);
        let Some(next) = entry.next.iter().find(|next| next.thread == named) else { return false };
        let touches = next.touches.iter();
        let at = |touch: &Touch| Touch { object: placed(touch.object, own_first), ..*touch };
        let here = Here { object: own, touches: touches.map(at).collect() };
        let mut meanwhile = Meanwhile::new(self.code, &heap, others);
        meanwhile.find_acting();
        if meanwhile.notice_end(&here) {
            return false;
        }
        let disputed = meanwhile.disputed(&here);
        match disputed[..] {
            [] => true,
            [object] => meanwhile.tolerates(&mut self.execution, &here, object),
            _ => false,
        }
    }
}

/// Where an object of a part of a state is, whose satellite begins somewhere.
fn placed(object: u32, first: u32) -> u32 {
    if object & LOCAL == 0 { object } else { first + (object & !LOCAL) }
}

impl Someone {
    fn new(object: u32, count: u32, next: Option<&Next>, first: u32) -> Someone {
        let waits_for =
            next.filter(|next| next.waits && !planted(Mistake::NobodyWaits)).map(|next| {
                let looks = next.touches.iter();
                looks.map(|touch| (placed(touch.object, first), touch.field)).collect()
            });
        let acts = waits_for.is_none();
        Someone { object, count, waits_for, acts }
    }
}

impl<'m, 'c> Meanwhile<'m, 'c> {
    fn new(code: &'c Code, heap: &'m Heap, others: Vec<Someone>) -> Meanwhile<'m, 'c> {
        let mut referring: Vec<Vec<u32>> = vec![Vec::new(); heap.len() as usize];
        for object in 0..heap.len() {
            let mut refers = |other: u32| referring[other as usize].push(object);
            let fields = heap.fields(object).iter();
            fields.for_each(|value| each_reference(&heap.arena, *value, &mut refers));
        }
        for other in &others {
            if frames(code, heap, other.object).any(|frame| frame.later.uses_globals())
                && !planted(Mistake::NoGlobals)
            {
                referring[GLOBALS as usize].push(other.object);
            }
        }
        Meanwhile { code, heap, others, referring, reaching: FxHashMap::default() }
    }

    /// The threads that reach an object: by references, but not by the variables of other threads.
    fn reaching(&mut self, object: u32) -> Rc<[u32]> {
        if let Some(known) = self.reaching.get(&object) {
            return Rc::clone(known);
        }
        let (mut seen, mut open) = (vec![false; self.referring.len()], vec![object]);
        let mut found = Vec::new();
        while let Some(at) = open.pop() {
            for other in &self.referring[at as usize] {
                if std::mem::replace(&mut seen[*other as usize], true) {
                    continue;
                }
                match self.runs(*other) {
                    true => found.push(*other),
                    false => open.push(*other),
                }
            }
        }
        let found: Rc<[u32]> = found.into();
        self.reaching.insert(object, Rc::clone(&found));
        found
    }

    fn runs(&self, object: u32) -> bool {
        self.code.is_running(self.heap.class(object))
    }

    /// Those who may act, and what of them may reach an object: whether each of them does, or may get to know it.
    fn who_reach(&mut self, object: u32) -> Vec<(usize, bool)> {
        let reaching = self.reaching(object);
        let acting = (0..).zip(&self.others).filter(|(_, other)| other.acts);
        let acting: Vec<(usize, &Someone)> = acting.collect();
        let passes = |someone: &Someone| {
            frames(self.code, self.heap, someone.object).any(|frame| frame.later.passes)
        };
        let is_passed = { acting.iter() }
            .any(|(_, one)| reaching.contains(&one.object) && passes(one))
            && !planted(Mistake::NothingPassed);
        let reach = |one: &Someone| is_passed || reaching.contains(&one.object);
        acting.into_iter().map(|(number, one)| (number, reach(one))).collect()
    }

    /// What others may do to an object, and how often at most.
    fn deeds(&mut self, object: u32) -> Vec<(Deed, u32)> {
        let class = self.heap.class(object);
        let mut deeds = Vec::new();
        for (number, reaches) in self.who_reach(object) {
            let Someone { object: thread, count, .. } = self.others[number];
            for frame in frames(self.code, self.heap, thread) {
                let uses = frame.later.uses.iter().filter(|(one, _)| one.class == class);
                let uses = uses
                    .filter(|(one, _)| self.may_be(one.root, &frame, object).unwrap_or(reaches));
                let count = if planted(Mistake::OneOfEach) { 1 } else { count };
                deeds.extend(uses.map(|(one, of_each)| (one.deed, times(*of_each, count))));
            }
        }
        deeds
    }

    /// Whether an object is what is found in a way; nothing if that may be anything.
    fn may_be(&self, root: Root, frame: &Frame, object: u32) -> Option<bool> {
        let value = match root {
            Root::Register(register) => {
                let at = frame.kept.iter().position(|kept| *kept == register)?;
                frame.values[at]
            }
            Root::Global(global) => self.heap.fields(GLOBALS)[usize::from(global)],
            Root::Anything => return None,
        };
        match value {
            Value::Reference(other) => Some(other == object && !planted(Mistake::OtherObjects)),
            Value::Nothing | Value::Number(_) => Some(false),
            // Something that may be nothing in two ways.
            Value::Composite(_) => None,
        }
    }

    /// Finds those who may act.
    fn find_acting(&mut self) {
        loop {
            let mut found = Vec::new();
            for number in 0..self.others.len() {
                let other = &self.others[number];
                let Some(looks) = other.waits_for.clone().filter(|_| !other.acts) else { continue };
                if looks.into_iter().any(|(object, field)| self.may_change(object, field)) {
                    found.push(number);
                }
            }
            if found.is_empty() || planted(Mistake::NobodyWakes) {
                return;
            }
            found.into_iter().for_each(|number| self.others[number].acts = true);
        }
    }

    fn acts(&self, thread: u32) -> bool {
        self.others.iter().any(|other| other.object == thread && other.acts)
    }

    /// Whether those who may act may change a field of an object.
    fn may_change(&mut self, object: u32, field: u16) -> bool {
        if field == ENDED {
            return self.acts(object) && !planted(Mistake::EndsWakeNobody);
        }
        let class = self.heap.class(object);
        let changes = |(deed, _): &(Deed, u32)| self.code.writes(class, *deed, field);
        self.deeds(object).iter().any(changes)
    }

    /// Whether others may ask of a thread that ends whether it has ended, without waiting for it.
    fn notice_end(&mut self, here: &Here) -> bool {
        let own_end = Touch { object: here.object, field: ENDED, is_write: true };
        if !here.touches.contains(&own_end) || planted(Mistake::NobodyAsks) {
            return false;
        }
        self.who_reach(here.object).into_iter().any(|(number, reaches)| {
            let mut frames = frames(self.code, self.heap, self.others[number].object);
            reaches && frames.any(|frame| frame.later.asks_ended)
        })
    }

    /// The objects of which others may change what is read, or use what is written.
    fn disputed(&mut self, here: &Here) -> Vec<u32> {
        let mut disputed = Vec::new();
        for touch in &here.touches {
            let object = touch.object;
            let is_disputed = match touch.field {
                ENDED => !touch.is_write && self.acts(object) && !planted(Mistake::NobodyEnds),
                _ => self.deeds(object).iter().any(|(deed, _)| self.disturbs(*deed, touch)),
            };
            if is_disputed && !disputed.contains(&object) {
                disputed.push(object);
            }
        }
        disputed
    }

    /// Whether what is done to an object changes what is read of it, or uses what is written.
    fn disturbs(&self, deed: Deed, touch: &Touch) -> bool {
        let class = self.heap.class(touch.object);
        self.code.writes(class, deed, touch.field) && !planted(Mistake::UnseenWrites)
            || touch.is_write
                && self.code.reads(class, deed, touch.field)
                && !planted(Mistake::UnseenReads)
    }

    /// Whether nothing that others may do to the only object that is disputed can tell: they must wait for it, or what they
    /// do is the same before and after.
    fn tolerates(&mut self, execution: &mut Execution<'c>, here: &Here, object: u32) -> bool {
        let class = self.heap.class(object);
        let stop = self.code.stop(Stack::point(self.heap, here.object));
        let touches = here.touches.iter().filter(|touch| touch.object == object);
        let touches: Vec<&Touch> = touches.collect();
        let mut steps: Vec<Other> = Vec::new();
        for (deed, times) in self.deeds(object) {
            match deed {
                Deed::Does(step) => {
                    let routine = self.code.own_steps[&(class, step)].routine;
                    match steps.iter_mut().find(|other| other.routine == routine) {
                        Some(other) => other.times = other.times.saturating_add(times),
                        None => steps.push(Other { routine, times }),
                    }
                }
                // Who only reads what stays as it is cannot tell.
                Deed::Reads(_) if !touches.iter().any(|touch| self.disturbs(deed, touch)) => {}
                Deed::Reads(_) | Deed::Writes(_) => return false,
            }
        }
        if !stop.arms[0].is_own_step {
            return false;
        }
        let mut now = Flat::default();
        self.heap.fields(object).iter().for_each(|value| now.push(&self.heap.arena, *value));
        execution.called = Some(Called::default());
        let asked = execution.alone(self.heap, here.object, &mut |_, _, _, _| {});
        let called = execution.called.take().unwrap_or_default();
        let is_known = asked.is_ok() && called.object == object;
        if !is_known || now.is_open || called.arguments.is_open {
            return false;
        }
        let mut trial = Trial { execution, class };
        self.all_wait(&mut trial, object, &now) || trial.commutes(now, &called, &steps)
    }

    /// Whether all that others may do first to an object is to wait.
    fn all_wait(&mut self, trial: &mut Trial, object: u32, now: &Flat) -> bool {
        let class = trial.class;
        self.who_reach(object).into_iter().all(|(number, reaches)| {
            let mut frames = frames(self.code, self.heap, self.others[number].object);
            frames.all(|frame| {
                let roots = frame.later.roots(class);
                let mut roots =
                    roots.filter(|root| self.may_be(*root, &frame, object).unwrap_or(reaches));
                roots.all(|root| {
                    frame.later.firsts(class, root).all(|deed| match deed {
                        Deed::Does(step) => {
                            let routine = self.code.own_steps[&(class, step)].routine;
                            let nothing = Flat::default();
                            trial.outcome(now, routine, &nothing) == Outcome::Blocked
                        }
                        Deed::Reads(_) | Deed::Writes(_) => false,
                    }) || planted(Mistake::WaitsFirst)
                })
            })
        })
    }
}

/// The frames of a thread.
fn frames<'f>(code: &'f Code, heap: &'f Heap, thread: u32) -> impl Iterator<Item = Frame<'f>> {
    let mut fields = heap.fields(thread);
    std::iter::from_fn(move || {
        let (point, rest) = fields.split_first()?;
        let point = code.point(Stack::point_of(point.number()));
        let (values, rest) = rest.split_at(point.kept.len());
        fields = rest;
        Some(Frame { later: &point.later, kept: &point.kept, values })
    })
}

/// Calls `each` with the objects that a value refers to.
fn each_reference(arena: &Arena, value: Value, each: &mut dyn FnMut(u32)) {
    match value {
        Value::Nothing | Value::Number(_) => {}
        Value::Reference(object) => each(object),
        Value::Composite(id)
            if arena.composite(id).kind.is_bag() && planted(Mistake::NoElements) => {}
        Value::Composite(id) => {
            arena.parts(id).iter().for_each(|part| each_reference(arena, *part, each));
        }
    }
}
