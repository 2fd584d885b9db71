//! A state of the machine and one of the interpreter: whether they are the same up to who is who.
//!
//! From what is known to correspond, the global variables and those who are known from before, more follows: what refers to
//! each other in the same places. In the end all that is in the heap corresponds to something, and as many threads run in
//! both. Of a thread are compared the statement at which it is, those by which it has called, the labels at which it is,
//! and the variables that the machine keeps. What was read for a statement that is being done has other forms in the two
//! engines: it shows in the next step.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use interpret::{Frame, Identity, Interpreter, Pid, Process, State, Thread, Value};
use machine::{ClassKind, Code, Heap, PointId, Value as Word};
use net::EnumId;
use program::{Program, Type};

use crate::Who;
use crate::value::Bag;

/// What corresponds to what in two states.
#[derive(Clone)]
pub(crate) struct Matching<'a, 'p> {
    code: &'a Code,
    interpreter: &'a Interpreter<'p>,
    pub(crate) heap: &'a Heap,
    state: &'a State,
    who: Who,
    taken: BTreeSet<Identity>,
    /// The members of classes that those of the heap are.
    members: BTreeMap<u32, (EnumId, u32)>,
    /// Those of the heap of which nothing was compared yet.
    open: Vec<u32>,
    bags: Vec<Bag>,
}

/// The place of the global variables in heaps.
const GLOBALS: u32 = 0;

impl<'a, 'p> Matching<'a, 'p> {
    pub fn new(
        code: &'a Code,
        interpreter: &'a Interpreter<'p>,
        heap: &'a Heap,
        state: &'a State,
    ) -> Matching<'a, 'p> {
        let (who, taken, open, bags) = (Who::new(), BTreeSet::new(), vec![GLOBALS], Vec::new());
        let members = BTreeMap::new();
        Matching { code, interpreter, heap, state, who, taken, members, open, bags }
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.interpreter.program()
    }

    /// With those who are known.
    pub fn with(mut self, known: impl Iterator<Item = (u32, Identity)>) -> Option<Self> {
        for (place, id) in known {
            if !self.bind(place, id) {
                return None;
            }
        }
        Some(self)
    }

    /// Who is who, if the states are the same.
    pub fn complete(mut self) -> Option<Who> {
        let runs =
            |place: &u32| matches!(self.code.class(self.heap.class(*place)), ClassKind::Running(_));
        let threads: Vec<u32> = (0..self.heap.len()).filter(runs).collect();
        let running: Vec<Pid> = self.state.running().collect();
        if threads.len() != running.len() {
            return None;
        }
        if let ([thread], [pid]) = (&threads[..], &running[..])
            && !self.bind(*thread, Identity::Process(*pid))
        {
            return None;
        }
        loop {
            if let Some(place) = self.open.pop() {
                if !self.contents(place) {
                    return None;
                }
            } else if let Some(bag) = self.bags.pop() {
                if !self.bag(&bag) {
                    return None;
                }
            } else {
                break;
            }
        }
        let is_known =
            |place: &u32| self.who.contains_key(place) || self.members.contains_key(place);
        (1..self.heap.len()).all(|place| is_known(&place)).then_some(self.who)
    }

    /// One corresponds to the other, if neither does to another one.
    pub(crate) fn bind(&mut self, place: u32, id: Identity) -> bool {
        if let Some(known) = self.who.get(&place) {
            return *known == id;
        }
        if !self.taken.insert(id) || !self.is_alike(place, id) {
            return false;
        }
        self.who.insert(place, id);
        self.open.push(place);
        true
    }

    /// An object of the heap is a member, if neither is another one.
    pub(crate) fn bind_member(&mut self, place: u32, member: (EnumId, u32)) -> bool {
        if let Some(known) = self.members.get(&place) {
            return *known == member;
        }
        let is_of_class = self.code.class(self.heap.class(place)) == ClassKind::Member(member.0);
        if !is_of_class || self.members.values().any(|other| *other == member) {
            return false;
        }
        self.members.insert(place, member);
        self.open.push(place);
        true
    }

    /// Behind the global variables are the members of classes that are alike: all of a class, and those of its parts.
    fn classes(&mut self, fields: &[Word]) -> bool {
        let mut fields = fields.iter();
        for (id, class) in (0..).map(EnumId).zip(&self.program().enumerations) {
            let all = 0..class.members.len() as u32;
            if !all.clone().any(|member| class.has_likes(member)) {
                continue;
            }
            let parts = class.part_ranges().map(|part| part.start..part.end);
            let parts: Vec<Range<u32>> = parts.collect();
            let parts = if parts.len() > 1 { parts } else { Vec::new() };
            for part in std::iter::once(all).chain(parts) {
                let Some(field) = fields.next() else { return false };
                let of = Type::Member(id);
                let value = |member| Value::Member(id, member);
                let is_right = match (field, part.len()) {
                    (Word::Reference(_), 1) => self.value(*field, &value(part.start), &of),
                    _ => {
                        let room = part.len() as u32;
                        let set = Value::Set(part.map(value).collect());
                        self.value(*field, &set, &Type::Set(Box::new(of), room))
                    }
                };
                if !is_right {
                    return false;
                }
            }
        }
        true
    }

    /// A member of a cyclic class has the next one and the one before as fields.
    fn neighbours(&mut self, (id, member): (EnumId, u32), words: &[Word]) -> bool {
        let count = self.program().enumerations[id.index()].members.len() as u32;
        let others = [member + 1, member + count - 1].map(|other| other % count);
        words.iter().zip(others).all(|(word, other)| match word {
            Word::Reference(place) => self.bind_member(*place, (id, other)),
            _ => false,
        })
    }

    fn is_alike(&self, place: u32, id: Identity) -> bool {
        match (self.code.class(self.heap.class(place)), id) {
            (ClassKind::Object(of), Identity::Object(object)) => {
                self.state.objects[object.index()].of == of
            }
            (ClassKind::Running(kind), Identity::Process(pid)) => {
                self.state.thread(pid).is_some_and(|thread| thread.kind == kind)
            }
            (ClassKind::Ended(_), Identity::Process(pid)) => self.state.thread(pid).is_none(),
            _ => false,
        }
    }

    /// Puts off a bag.
    pub(crate) fn put_off(&mut self, bag: Bag) -> bool {
        self.bags.push(bag);
        true
    }

    fn contents(&mut self, place: u32) -> bool {
        let (state, program) = (self.state, self.program());
        let words = self.heap.fields(place).to_vec();
        if place == GLOBALS {
            let types = program.globals.iter().map(|global| &global.variable.of);
            let triples = words.iter().zip(&state.globals).zip(types);
            let mut triples = triples.map(|((word, value), of)| (*word, value, of));
            return triples.all(|(word, value, of)| self.value(word, value, of))
                && self.classes(&words[state.globals.len()..]);
        }
        if let Some(member) = self.members.get(&place) {
            return self.neighbours(*member, &words);
        }
        match self.who[&place] {
            Identity::Object(object) => {
                let object = &state.objects[object.index()];
                let fields = &program.objects[object.of.index()].fields;
                let mut triples = words.iter().zip(&object.fields).zip(fields);
                words.len() == object.fields.len()
                    && triples
                        .all(|((word, value), field)| self.value(*word, value, &field.variable.of))
            }
            Identity::Process(pid) => match &state.processes[pid.index()] {
                Process::Running(thread) => self.thread(place, &words, pid, thread),
                Process::Returned(result) => {
                    let ClassKind::Ended(kind) = self.code.class(self.heap.class(place)) else {
                        return false;
                    };
                    let of = program.processes[kind.index()].result.as_ref();
                    match (&words[..], result, of) {
                        ([], ..) | ([Word::Number(1)], None, _) => true,
                        ([Word::Number(1), word], Some(value), Some(of)) => {
                            self.value(*word, value, of)
                        }
                        _ => false,
                    }
                }
                Process::Killed => matches!(words[..], [] | [Word::Number(0)]),
            },
        }
    }

    fn thread(&mut self, place: u32, words: &[Word], pid: Pid, thread: &Thread) -> bool {
        let Some(point) = self.interpreter.point(self.state, pid) else { return false };
        let calls = self.interpreter.calls(thread);
        // What is called in something deferred is part of the routine that has deferred it.
        let deferring = thread.frames.iter().position(Frame::is_deferring);
        let innermost = deferring.unwrap_or(thread.frames.len() - 1);
        let is_labelled = !point.labels.is_empty();
        let mut words = words;
        for depth in (0..=innermost).rev() {
            let [Word::Number(number), rest @ ..] = words else { return false };
            let at = self.code.point(PointId(*number as u32));
            let frame = &thread.frames[depth];
            let origin = if depth == innermost { point.origin } else { calls[depth] };
            let is_there = origin.range() == at.origin.range() || depth == innermost && is_labelled;
            if !is_there || at.routine.source() != frame.routine || rest.len() < at.kept().count() {
                return false;
            }
            let locals = &frame.routine.of(self.program()).locals;
            for (word, register) in rest.iter().zip(at.kept()) {
                let known = frame.locals.get(register).and_then(Option::as_ref);
                let of = locals.get(register).map(|named| &named.of);
                if let Some((value, of)) = known.zip(of)
                    && !self.value(*word, value, of)
                {
                    return false;
                }
            }
            words = &rest[at.kept().count()..];
        }
        words.is_empty() && self.has_same_labels(place, thread)
    }

    fn has_same_labels(&self, place: u32, thread: &Thread) -> bool {
        self.interpreter.observed().labels.iter().all(|(source, label)| {
            self.code.is_at(self.heap, place, (*source, *label)) == thread.is_at(*source, *label)
        })
    }
}
