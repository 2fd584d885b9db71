//! Where turns are, by the form of the program alone (DESIGN §8, *Fusing*).
//!
//! A loop that can come round by local statements alone has a turn at its head, a function that can come to itself so has
//! one at its entry, and one after a call of itself, if it can go on from there to its end so.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Mutex;

use program::{Action, Block, FunctionId, LoopId, ProcessId, Routine, Source, Statement};

use crate::control::{MOST_HEADS, Stop};
use crate::interpreter::Interpreter;
use crate::state::{Control, Exit, Frame, Progress};
use crate::walk::Walk;

/// What has been found out.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    /// The functions that local statements lead through.
    pub(crate) passable: HashSet<FunctionId>,
    /// The functions with a turn at their entries.
    entries: HashSet<FunctionId>,
    /// The functions around which something may be pending when they are left, by the kind of process.
    guarded: Vec<HashSet<FunctionId>>,
    /// Who calls whom.
    callees: Vec<HashSet<FunctionId>>,
    /// The heads of loops that were asked about, and what was asked about after calls.
    heads: Mutex<HashMap<Vec<Control>, bool>>,
    arrivals: Mutex<HashMap<(Vec<Control>, bool), bool>>,
}

impl Forms {
    pub(crate) fn of(interpreter: &Interpreter) -> Forms {
        let functions: Vec<FunctionId> =
            (0..interpreter.program.functions.len() as u32).map(FunctionId).collect();
        let mut forms = Forms::default();
        let calls = |id: &FunctionId| {
            let mut found = HashSet::new();
            note_calls(&interpreter.program.functions[id.index()].body, &mut found);
            found
        };
        forms.callees = functions.iter().map(calls).collect();
        let kinds = interpreter.program.processes.iter();
        forms.guarded =
            kinds.map(|process| guarded(interpreter, process, &forms.callees)).collect();
        loop {
            let before = forms.passable.len();
            for id in &functions {
                let mut walk = Walk::new(interpreter, &forms, false);
                walk.go(vec![interpreter.entry(*id)]);
                if walk.leaves {
                    forms.passable.insert(*id);
                }
            }
            if forms.passable.len() == before {
                break;
            }
        }
        let mut called: Vec<HashSet<FunctionId>> = Vec::new();
        for id in &functions {
            let mut walk = Walk::new(interpreter, &forms, true);
            walk.go(vec![interpreter.entry(*id)]);
            called.push(walk.called);
        }
        for id in functions {
            if comes_to(&called, id, id) {
                forms.entries.insert(id);
                called[id.index()].clear();
            }
        }
        forms
    }
}

fn note_calls(block: &Block, found: &mut HashSet<FunctionId>) {
    for statement in block {
        if let Action::Call(_, function, _) = &statement.action {
            found.insert(*function);
        }
        statement.action.blocks().into_iter().for_each(|block| note_calls(block, found));
    }
}

/// The functions that a process calls where something is pending, or that are called by such functions. Those that are
/// called in deferred blocks do not count: none is killed in the middle of these.
fn guarded(
    interpreter: &Interpreter,
    process: &Routine,
    callees: &[HashSet<FunctionId>],
) -> HashSet<FunctionId> {
    let mut guarded = HashSet::new();
    note_guarded(&process.body, false, &mut guarded);
    let mut called = HashSet::new();
    note_calls(&process.body, &mut called);
    let is_called = |id: FunctionId| {
        called.contains(&id) || called.iter().any(|other| comes_to(callees, *other, id))
    };
    loop {
        let before = guarded.len();
        let functions = (0..).map(FunctionId).zip(&interpreter.program.functions);
        for (id, function) in functions.filter(|(id, _)| is_called(*id)) {
            note_guarded(&function.body, guarded.contains(&id), &mut guarded);
        }
        if guarded.len() == before {
            return guarded;
        }
    }
}

fn note_guarded(block: &Block, is_pending: bool, found: &mut HashSet<FunctionId>) {
    let mut is_pending = is_pending;
    // What nothing leads to does not count.
    let last = block.iter().position(|statement| !is_passed(&statement.action));
    for statement in block.iter().take(last.map_or(block.len(), |last| last + 1)) {
        match &statement.action {
            Action::Defer(_) => is_pending = true,
            Action::Call(_, function, _) if is_pending => _ = found.insert(*function),
            action => {
                let blocks = action.blocks().into_iter();
                blocks.for_each(|block| note_guarded(block, is_pending, found));
            }
        }
    }
}

/// Whether a statement can lead to the next.
fn is_passed(action: &Action) -> bool {
    let all = |block: &Block| block.iter().all(|statement| is_passed(&statement.action));
    match action {
        Action::Break(_) | Action::Continue(_) | Action::Return(_) => false,
        Action::If(_, yes, no) => all(yes) || all(no),
        Action::Loop(id, body) => is_left(*id, body),
        Action::Block(block) | Action::Atomic(block) => all(block),
        Action::Either(blocks) => blocks.iter().any(all),
        Action::Select(select) => {
            let arms = select.arms.iter().map(|arm| &arm.body);
            arms.chain(&select.otherwise).any(all)
        }
        _ => true,
    }
}

/// Whether a loop is left by something in a block.
fn is_left(id: LoopId, block: &Block) -> bool {
    block.iter().any(|Statement { action, .. }| match action {
        Action::Break(other) => *other == id,
        _ => action.blocks().into_iter().any(|block| is_left(id, block)),
    })
}

/// Whether one comes from a function to another by calls.
fn comes_to(called: &[HashSet<FunctionId>], from: FunctionId, to: FunctionId) -> bool {
    let mut seen = HashSet::new();
    let mut open: Vec<FunctionId> = called[from.index()].iter().copied().collect();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            open.extend(&called[id.index()]);
        }
    }
    seen.contains(&to)
}

impl Interpreter<'_> {
    /// Whether a loop, at whose head a frame is, can come round by local statements alone.
    pub(crate) fn comes_round(&self, frame: &Frame) -> bool {
        self.comes_round_in(&self.forms, frame)
    }

    pub(crate) fn comes_round_in(&self, forms: &Forms, frame: &Frame) -> bool {
        let frame = bare(frame);
        if let Some(known) = get(&forms.heads, &frame.control) {
            return known;
        }
        let Some(Control::Loop(_, body)) = frame.control.last() else { return false };
        let body = *body;
        let mut inside = frame.clone();
        inside.enter(body);
        let mut walk = Walk::new(self, forms, false);
        // It does not go on from the heads of the loops around.
        for length in 1..frame.control.len() {
            walk.seen.insert((frame.control[..length].to_vec(), false));
        }
        walk.go(vec![inside]);
        let found = walk.seen.contains(&(frame.control.clone(), false));
        put(&forms.heads, frame.control, found)
    }

    /// Whether there is a turn at the entry of a function.
    pub(crate) fn has_turn_at_entry(&self, function: FunctionId) -> bool {
        self.forms.entries.contains(&function)
    }

    /// Whether there is a turn after a call, before which a frame is.
    pub(crate) fn has_turn_after(&self, frame: &Frame) -> bool {
        self.has_turn_after_in(&self.forms, frame)
    }

    pub(crate) fn has_turn_after_in(&self, forms: &Forms, frame: &Frame) -> bool {
        if !self.is_recursive_call(forms, frame) {
            return false;
        }
        let mut after = bare(frame);
        after.progress = Progress::Returned(None, Vec::new());
        let mut walk = Walk::new(self, forms, true);
        walk.go(vec![after]);
        walk.leaves
    }

    /// Whether there is a turn where a thread that was killed comes back to a call, before which a frame is.
    pub(crate) fn has_turn_when_dying(&self, kind: ProcessId, frame: &Frame) -> bool {
        let Source::Function(own) = frame.routine else { return false };
        let guarded = &self.forms.guarded[kind.index()];
        if !self.is_recursive_call(&self.forms, frame) || !guarded.contains(&own) {
            return false;
        }
        let mut after = bare(frame);
        if after.leave(Exit::Killed).is_some() {
            return true;
        }
        let mut walk = Walk::new(self, &self.forms, true);
        walk.go(vec![after]);
        walk.dies
    }

    fn is_recursive_call(&self, forms: &Forms, frame: &Frame) -> bool {
        let Source::Function(own) = frame.routine else { return false };
        let statement = self.statement(frame.position()).expect("it is before a call");
        let Action::Call(_, callee, _) = &statement.action else { return false };
        *callee == own || comes_to(&forms.callees, *callee, own)
    }

    /// Whether a local statement, before which a frame is, arrives at an offer of a rendezvous or at a label.
    pub(crate) fn arrives(&self, frame: &Frame, statement: &Statement) -> bool {
        self.arrives_in(&self.forms, frame, statement)
    }

    pub(crate) fn arrives_in(&self, forms: &Forms, frame: &Frame, statement: &Statement) -> bool {
        !self.known(frame.position()).is_rest && self.leads_to_offer(forms, frame, statement)
    }

    /// The same of a part of a statement, whichever it is.
    fn leads_to_offer(&self, forms: &Forms, frame: &Frame, statement: &Statement) -> bool {
        let frame = bare(frame);
        let is_returned = matches!(frame.progress, Progress::Returned(..));
        let key = (frame.control.clone(), is_returned);
        if let Some(known) = get(&forms.arrivals, &key) {
            return known;
        }
        let next = match &statement.action {
            Action::Call(_, function, _) if !is_returned => vec![self.entry(*function)],
            _ => self.ways(&frame, statement),
        };
        let found = next.into_iter().any(|next| self.is_at_offer(forms, next));
        put(&forms.arrivals, key, found)
    }

    /// Whether a frame comes, by nothing at all, to an offer of a rendezvous or to a label.
    fn is_at_offer(&self, forms: &Forms, mut frame: Frame) -> bool {
        for _ in 0..MOST_HEADS {
            match self.settle_frame(&mut frame, true) {
                _ if !frame.labels.is_empty() => return true,
                Stop::Before(statement, known)
                    if known.is_rest && self.is_local_at(&frame, statement, known) =>
                {
                    return self.leads_to_offer(forms, &frame, statement);
                }
                Stop::Before(Statement { action, .. }, known) => {
                    let is_there = !known.reads.contains(&true) && !self.is_polled(action);
                    return is_there && self.is_offer(action);
                }
                Stop::Turn(_) => match frame.control.last() {
                    Some(Control::Loop(_, body)) => {
                        let body = *body;
                        frame.enter(body);
                    }
                    _ => return false,
                },
                Stop::Left(_) => return false,
            }
        }
        false
    }
}

/// A frame without what does not belong to its form.
fn bare(frame: &Frame) -> Frame {
    let mut control = frame.control.clone();
    for part in &mut control {
        if let Control::Block { exit: Some(Exit::Return(value)), .. } = part {
            *value = None;
        }
    }
    let progress = match &frame.progress {
        Progress::Returned(..) => Progress::Returned(None, Vec::new()),
        _ => Progress::Fresh,
    };
    let (locals, labels, held) = (Vec::new(), Vec::new(), Vec::new());
    Frame { routine: frame.routine, locals, control, progress, labels, held }
}

fn get<K: Eq + Hash>(found: &Mutex<HashMap<K, bool>>, key: &K) -> Option<bool> {
    found.lock().expect("no one panics who has it").get(key).copied()
}

fn put<K: Eq + Hash>(found: &Mutex<HashMap<K, bool>>, key: K, value: bool) -> bool {
    found.lock().expect("no one panics who has it").insert(key, value);
    value
}
