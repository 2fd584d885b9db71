//! Where turns are, by the form of the program alone.
//!
//! A *walk* goes through a routine without looking at values: both ways of each `if`, from one local statement to the
//! next. It is made on frames without variables.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use program::{Action, Block, FunctionId, LoopId, ProcessId, Routine, Statement};

use crate::code::{Code, Known};
use crate::state::{Control, Exit, Frame, Progress, RoutineRef};

/// What has been found out.
#[derive(Default)]
pub struct Forms {
    /// The functions that local statements lead through.
    passable: HashSet<FunctionId>,
    /// The functions with a turn at their entries.
    entries: HashSet<FunctionId>,
    /// The functions around which something may be pending when they are left, by the kind of process.
    guarded: Vec<HashSet<FunctionId>>,
    /// Who calls whom.
    callees: Vec<HashSet<FunctionId>>,
    /// The heads of loops that were asked about, and what was asked about after calls.
    heads: RefCell<HashMap<Vec<Control>, bool>>,
    arrivals: RefCell<HashMap<(Vec<Control>, bool), bool>>,
}

/// Where a frame is.
pub enum Spot<'c, 'p> {
    /// Others have their turn, by what is written here.
    Turn(u32),
    Before(&'p Statement, &'c Known),
    /// It is left.
    Left(Exit),
}

impl Forms {
    pub fn of(code: &Code) -> Forms {
        let functions: Vec<FunctionId> =
            (0..code.program.functions.len() as u32).map(FunctionId).collect();
        let mut forms = Forms::default();
        let calls = |id: &FunctionId| {
            let mut found = HashSet::new();
            note_calls(&code.program.functions[id.index()].body, &mut found);
            found
        };
        forms.callees = functions.iter().map(calls).collect();
        let kinds = code.program.processes.iter();
        forms.guarded = kinds.map(|process| guarded(code, process, &forms.callees)).collect();
        loop {
            let before = forms.passable.len();
            for id in &functions {
                let mut walk = Walk::new(code, &forms, false);
                walk.go(vec![code.entry(*id)]);
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
            let mut walk = Walk::new(code, &forms, true);
            walk.go(vec![code.entry(*id)]);
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
/// called in deferred blocks do not count: nobody is killed in the middle of these.
fn guarded(code: &Code, process: &Routine, callees: &[HashSet<FunctionId>]) -> HashSet<FunctionId> {
    let mut guarded = HashSet::new();
    note_guarded(&process.body, false, &mut guarded);
    let mut called = HashSet::new();
    note_calls(&process.body, &mut called);
    let is_called = |id: FunctionId| {
        called.contains(&id) || called.iter().any(|other| comes_to(callees, *other, id))
    };
    loop {
        let before = guarded.len();
        let functions = (0..).map(FunctionId).zip(&code.program.functions);
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

/// A walk through local statements.
struct Walk<'c, 'p> {
    code: &'c Code<'p>,
    forms: &'c Forms,
    /// Whether it ends at the heads of loops, and after calls, where there is a turn.
    has_turns: bool,
    /// Frames that were come to.
    seen: HashSet<(Vec<Control>, bool)>,
    called: HashSet<FunctionId>,
    leaves: bool,
    dies: bool,
}

impl<'c, 'p> Walk<'c, 'p> {
    fn new(code: &'c Code<'p>, forms: &'c Forms, has_turns: bool) -> Walk<'c, 'p> {
        let (seen, called) = (HashSet::new(), HashSet::new());
        Walk { code, forms, has_turns, seen, called, leaves: false, dies: false }
    }

    fn go(&mut self, mut open: Vec<Frame>) {
        while let Some(mut frame) = open.pop() {
            let is_returned = matches!(frame.progress, Progress::Returned(..));
            if !self.seen.insert((frame.control.clone(), is_returned)) {
                continue;
            }
            if let Some(Control::Loop(_, body)) = frame.control.last() {
                let body = *body;
                if self.has_turns && self.code.comes_round_in(self.forms, &frame) {
                    continue;
                }
                frame.enter(body);
                open.push(frame);
                continue;
            }
            match self.code.settle_frame(&mut frame, true) {
                _ if !frame.labels.is_empty() => {}
                Spot::Left(Exit::Killed) => self.dies = true,
                Spot::Left(_) => self.leaves = true,
                Spot::Turn(_) if matches!(frame.control.last(), Some(Control::Loop(..))) => {
                    open.push(frame);
                }
                Spot::Turn(_) => {}
                Spot::Before(statement, known) => {
                    if !self.code.is_local_at(&frame, statement, known)
                        || self.code.arrives_in(self.forms, &frame, statement)
                        || self.code.chooses_openly(statement)
                    {
                        continue;
                    }
                    if let Action::Call(_, function, _) = &statement.action
                        && !matches!(frame.progress, Progress::Returned(..))
                    {
                        self.called.insert(*function);
                        let is_passable = self.forms.passable.contains(function);
                        if is_passable
                            && !(self.has_turns && self.code.has_turn_after(self.forms, &frame))
                        {
                            frame.progress = Progress::Returned(None, Vec::new());
                            open.push(frame);
                        }
                        continue;
                    }
                    open.extend(self.code.ways(&frame, statement));
                }
            }
        }
    }
}

impl<'p> Code<'p> {
    /// A frame of a function at its beginning, without variables.
    fn entry(&self, function: FunctionId) -> Frame {
        let mut frame = Frame {
            routine: RoutineRef::Function(function),
            locals: Vec::new(),
            control: Vec::new(),
            progress: Progress::Fresh,
            labels: Vec::new(),
            held: Vec::new(),
        };
        frame.enter(self.id(&self.program.functions[function.index()].body));
        frame
    }

    /// Whether a choice is a step of its own.
    pub fn chooses_openly(&self, statement: &Statement) -> bool {
        self.observed.branching
            && matches!(statement.action, Action::Choose(..) | Action::Either(_))
    }

    /// The frames after a local statement that is no call.
    fn ways(&self, frame: &Frame, statement: &Statement) -> Vec<Frame> {
        let mut next = frame.clone();
        match &statement.action {
            Action::If(_, yes, no) => {
                next.advance();
                let enter = |block| {
                    let mut next = next.clone();
                    next.enter(self.id(block));
                    next
                };
                [yes, no].into_iter().map(enter).collect()
            }
            Action::Either(blocks) => {
                next.advance();
                let enter = |block| {
                    let mut next = next.clone();
                    next.enter(self.id(block));
                    next
                };
                blocks.iter().map(enter).collect()
            }
            Action::Return(_) => {
                if let Some(exit) = next.leave(Exit::Return(None)) {
                    // It is left: as if at its end.
                    next.control.clear();
                    debug_assert!(matches!(exit, Exit::Return(_)), "that was the way");
                }
                vec![next]
            }
            _ => {
                next.advance();
                vec![next]
            }
        }
    }

    /// A frame without what does not belong to its form.
    fn bare(&self, frame: &Frame) -> Frame {
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

    /// Whether a loop, at whose head a frame is, can come round by local statements alone.
    pub fn comes_round(&self, frame: &Frame) -> bool {
        self.comes_round_in(&self.forms, frame)
    }

    fn comes_round_in(&self, forms: &Forms, frame: &Frame) -> bool {
        let frame = self.bare(frame);
        if let Some(known) = forms.heads.borrow().get(&frame.control) {
            return *known;
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
        forms.heads.borrow_mut().insert(frame.control, found);
        found
    }

    /// Whether there is a turn at the entry of a function.
    pub fn has_turn_at_entry(&self, function: FunctionId) -> bool {
        self.forms.entries.contains(&function)
    }

    /// Whether there is a turn after a call, before which a frame is.
    pub fn turns_after(&self, frame: &Frame) -> bool {
        self.has_turn_after(&self.forms, frame)
    }

    fn has_turn_after(&self, forms: &Forms, frame: &Frame) -> bool {
        if !self.is_recursive_call(forms, frame) {
            return false;
        }
        let mut after = self.bare(frame);
        after.progress = Progress::Returned(None, Vec::new());
        let mut walk = Walk::new(self, forms, true);
        walk.go(vec![after]);
        walk.leaves
    }

    /// Whether there is a turn where a thread that was killed comes back to a call, before which a frame is.
    pub fn turns_when_dying(&self, kind: ProcessId, frame: &Frame) -> bool {
        let RoutineRef::Function(own) = frame.routine else { return false };
        let guarded = &self.forms.guarded[kind.index()];
        if !self.is_recursive_call(&self.forms, frame) || !guarded.contains(&own) {
            return false;
        }
        let mut after = self.bare(frame);
        if after.leave(Exit::Killed).is_some() {
            return true;
        }
        let mut walk = Walk::new(self, &self.forms, true);
        walk.go(vec![after]);
        walk.dies
    }

    fn is_recursive_call(&self, forms: &Forms, frame: &Frame) -> bool {
        let RoutineRef::Function(own) = frame.routine else { return false };
        let (block, at) = frame.position();
        let statement = self.statement(block, at).expect("it is before a call");
        let Action::Call(_, callee, _) = &statement.action else { return false };
        *callee == own || comes_to(&forms.callees, *callee, own)
    }

    /// Whether a local statement, before which a frame is, arrives at an offer of a rendezvous or at a label.
    pub fn arrives(&self, frame: &Frame, statement: &Statement) -> bool {
        self.arrives_in(&self.forms, frame, statement)
    }

    fn arrives_in(&self, forms: &Forms, frame: &Frame, statement: &Statement) -> bool {
        let (block, at) = frame.position();
        !self.known(block, at).is_rest && self.leads_to_offer(forms, frame, statement)
    }

    /// The same of a part of a statement, whichever it is.
    fn leads_to_offer(&self, forms: &Forms, frame: &Frame, statement: &Statement) -> bool {
        let frame = self.bare(frame);
        let is_returned = matches!(frame.progress, Progress::Returned(..));
        let key = (frame.control.clone(), is_returned);
        if let Some(known) = forms.arrivals.borrow().get(&key) {
            return *known;
        }
        let next = match &statement.action {
            Action::Call(_, function, _) if !is_returned => vec![self.entry(*function)],
            _ => self.ways(&frame, statement),
        };
        let found = next.into_iter().any(|next| self.is_at_offer(forms, next));
        forms.arrivals.borrow_mut().insert(key, found);
        found
    }

    /// Whether a frame comes, by nothing at all, to an offer of a rendezvous or to a label.
    fn is_at_offer(&self, forms: &Forms, mut frame: Frame) -> bool {
        for _ in 0..100 {
            match self.settle_frame(&mut frame, true) {
                _ if !frame.labels.is_empty() => return true,
                Spot::Before(statement, known)
                    if known.is_rest && self.is_local_at(&frame, statement, known) =>
                {
                    return self.leads_to_offer(forms, &frame, statement);
                }
                Spot::Before(Statement { action, .. }, known) => {
                    let is_there = !known.reads.contains(&true) && !self.is_polled(action);
                    return is_there && self.is_offer(action);
                }
                Spot::Turn(_) => match frame.control.last() {
                    Some(Control::Loop(_, body)) => {
                        let body = *body;
                        frame.enter(body);
                    }
                    _ => return false,
                },
                Spot::Left(_) => return false,
            }
        }
        false
    }
}
