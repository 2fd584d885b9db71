//! How often things happen that random programs are meant to try.

use std::cell::RefCell;
use std::collections::BTreeMap;

use interpret::{
    Address, Chosen, Frame, Identity, Interpreter, Next, Pid, Point, Process, Progress, State,
    Thread, Value,
};
use program::{Action, Root, Select};

use crate::Compared;

/// How often what happens.
#[derive(Clone, Debug, Default)]
pub struct Counts(pub RefCell<BTreeMap<&'static str, u64>>);

impl Counts {
    fn add(&self, what: &'static str) {
        *self.0.borrow_mut().entry(what).or_default() += 1;
    }

    /// Adds those of another.
    pub fn extend(&self, other: &Counts) {
        for (what, count) in other.0.borrow().iter() {
            *self.0.borrow_mut().entry(what).or_default() += count;
        }
    }

    /// Looks at a state, and at all that can happen in it.
    pub fn look_at(&self, interpreter: &Interpreter, state: &State, next: &[Next]) {
        for next in next {
            if let [first, second] = next.actors[..] {
                let [first, second] =
                    [first, second].map(|actor| interpreter.point(state, actor.pid));
                self.look_at_meeting(alternatives(first), alternatives(second));
            }
            if let Some(state) = next.state() {
                self.look_at_state(state);
            }
        }
        for pid in state.running() {
            let point = interpreter.point(state, pid).expect("it runs");
            let own: Vec<&Next> = next.iter().filter(|next| next.is_by(pid)).collect();
            if let Some(statement) = point.statement {
                if !point.labels.is_empty() {
                    self.add(labelled(&statement.action));
                }
                if !point.reads_first {
                    self.look_at_action(interpreter, state, pid, &statement.action, &own);
                }
            }
        }
    }

    fn look_at_meeting(&self, first: Option<usize>, second: Option<usize>) {
        self.add(match (first, second) {
            (Some(1), Some(1)) => "a rendezvous",
            (None, None) => "a rendezvous of two atomic blocks",
            (None, _) | (_, None) => "a rendezvous with an atomic block",
            (Some(1), _) | (_, Some(1)) => "a rendezvous with a select",
            _ => "a rendezvous of two selects",
        });
    }

    /// Looks at a statement, and at all that a process can do there.
    fn look_at_action(
        &self,
        interpreter: &Interpreter,
        state: &State,
        pid: Pid,
        action: &Action,
        next: &[&Next],
    ) {
        match action {
            Action::Select(Select { otherwise: Some(_), .. }) => {
                for next in next {
                    self.add(match chooses(next, &|chosen| *chosen == Chosen::Otherwise) {
                        true => "else is taken",
                        false => "else is not taken",
                    });
                }
            }
            Action::Select(_) if next.is_empty() => {
                self.look_at_waiting(state.thread(pid).expect("it runs"));
            }
            Action::Atomic(_) => next.iter().for_each(|next| self.look_at_once(next)),
            Action::Kill(handle) | Action::Crash(handle) => {
                let thread = state.thread(pid).expect("it runs");
                let value = match thread.frame().operands() {
                    [Some(value)] => Ok(value.clone()),
                    _ => interpreter.evaluate(state, pid, handle),
                };
                if let Ok(value) = value
                    && let Some(Value::Process(victim)) = value.present()
                {
                    let is_kill = matches!(action, Action::Kill(_));
                    self.look_at_ending(interpreter, state, [pid, *victim], is_kill, next);
                }
            }
            _ => {}
        }
    }

    /// Looks at what is done by an `atomic` block.
    fn look_at_once(&self, next: &Next) {
        let Ok(step) = &next.outcome else { return };
        if chooses(next, &|chosen| *chosen == Chosen::Otherwise) {
            self.add("else is taken at once");
        }
        if chooses(next, &|chosen| matches!(chosen, Chosen::Arm(_))) {
            self.add("else is not taken at once");
        }
        for victim in &step.killed {
            self.add(match next.is_by(*victim) {
                true => "kill oneself at once",
                false => "kill another at once",
            });
        }
        for victim in &step.crashed {
            self.add(match next.is_by(*victim) {
                true => "crash oneself at once",
                false => "crash another at once",
            });
        }
    }

    /// Looks at one who kills or crashes.
    fn look_at_ending(
        &self,
        interpreter: &Interpreter,
        state: &State,
        [pid, victim]: [Pid; 2],
        is_kill: bool,
        next: &[&Next],
    ) {
        match (state.thread(victim), is_kill) {
            (None, true) => self.add("kill one that has ended"),
            (None, false) => self.add("crash one that has ended"),
            (Some(_), false) => {
                self.add(if victim == pid { "crash oneself" } else { "crash another" });
            }
            (Some(thread), true) if thread.is_killed => self.add("kill one that was killed"),
            (Some(_), true) if next.is_empty() => self.add("kill waits"),
            (Some(_), true) if victim == pid => self.add("kill oneself"),
            (Some(thread), true) => {
                let point = interpreter.point(state, victim).expect("it runs");
                self.look_at_victim(thread, &point);
            }
        }
    }

    /// Looks at the point at which a process is killed.
    fn look_at_victim(&self, thread: &Thread, point: &Point) {
        let progress = &thread.frame().progress;
        self.add(match point.statement.map(|statement| &statement.action) {
            None => "kill at a turn",
            Some(_) if point.reads_first => "kill before reading",
            Some(action) => match (action, progress) {
                (_, Progress::Waiting(_)) => "kill one who may be met",
                (Action::Select(_), _) => "kill at a select",
                (Action::Atomic(_), _) => "kill at an atomic block",
                (Action::Assign(..) | Action::If(..) | Action::Return(_), Progress::Fresh) => {
                    "kill at a plain access"
                }
                (_, Progress::Read(_)) => "kill between reading and writing",
                _ => "kill elsewhere",
            },
        });
        if thread.frames.len() > 1 {
            self.add("kill in a function");
        }
        if thread.frames.iter().any(Frame::has_deferred) {
            self.add("kill with something deferred");
        }
        if thread.frames.iter().any(Frame::is_deferring) {
            self.add("kill in something deferred");
        }
    }

    /// Looks at a state before garbage is dropped.
    fn look_at_state(&self, state: &State) {
        let (processes, objects) = state.reached();
        let garbage: Vec<Address> = (0..)
            .map(Address)
            .zip(&objects)
            .filter(|(_, reached)| !**reached)
            .map(|(object, _)| object)
            .collect();
        if !garbage.is_empty() {
            self.add("garbage is dropped");
            if garbage.iter().any(|object| is_in_circle(state, *object)) {
                self.add("garbage in circles is dropped");
            }
        }
        for (process, is_reached) in state.processes.iter().zip(processes) {
            match process {
                Process::Running(thread) => self.look_at_frames(thread),
                Process::Returned(_) | Process::Killed if is_reached => {
                    self.add("a handle of one who has ended");
                }
                Process::Returned(_) | Process::Killed => {}
            }
        }
    }

    fn look_at_frames(&self, thread: &Thread) {
        if thread.frames.len() > 3 {
            self.add("calls more than two deep");
        }
        let mut is_deferred = false;
        for (number, frame) in thread.frames.iter().enumerate() {
            let [labels, held] = frame.labels();
            if is_deferred && !labels.is_empty() {
                self.add("at a label of a function called in something deferred");
            }
            is_deferred |= frame.is_deferring();
            if !held.is_empty() && number + 1 < thread.frames.len() {
                self.add(match is_deferred {
                    true => "in a function called at a label, in something deferred",
                    false => "in a function called at a label",
                });
            }
        }
    }

    /// Looks at a thread that cannot go on.
    fn look_at_waiting(&self, thread: &Thread) {
        if thread.frames.iter().any(Frame::is_deferring) {
            self.add("something deferred waits");
            if thread.is_killed {
                self.add("one who was killed waits");
            }
        }
    }
}

/// How many arms there are where a process stands; nothing for an `atomic` block.
fn alternatives(point: Option<Point>) -> Option<usize> {
    match &point?.statement?.action {
        Action::Select(select) => Some(select.arms.len()),
        _ => None,
    }
}

/// Whether something of a kind is chosen in a step.
fn chooses(next: &Next, is_meant: &dyn Fn(&Chosen) -> bool) -> bool {
    let step = next.outcome.as_ref();
    step.is_ok_and(|step| step.choices.iter().any(|choice| is_meant(&choice.chosen)))
}

/// That a thread is at a label before a statement of a kind.
fn labelled(action: &Action) -> &'static str {
    match action {
        Action::Assign(target, _) | Action::New(target, ..) => match target.root {
            Root::Local(_) => "a label before an assignment to a local variable",
            Root::Global(_) | Root::Field(..) => "a label before an assignment to what is shared",
        },
        Action::If(..) => "a label before `if`",
        Action::Loop(..) => unreachable!("loops are passed"),
        Action::Break(_) => "a label before `break`",
        Action::Continue(_) => "a label before `continue`",
        Action::Block(_) => "a label before nothing",
        Action::Return(_) => "a label before `return`",
        Action::Choose(..) => "a label before `choose`",
        Action::Either(_) => "a label before `either`",
        Action::Atomic(_) => "a label before `atomic`",
        Action::Assert(_) | Action::Require(_) => "a label before an assertion",
        Action::Label(_) => unreachable!("labels are passed"),
        Action::Spawn(..) => "a label before `spawn`",
        Action::Kill(_) | Action::Crash(_) => "a label before `kill` or `crash`",
        Action::Defer(_) => "a label before `defer`",
        Action::Call(..) => "a label before a call",
        Action::Select(_) => "a label before `select`",
    }
}

/// How many programs the compiler refuses, of those that were compared with their nets.
#[derive(Debug, Default)]
pub struct Refusals {
    refused: usize,
    all: usize,
}

impl Refusals {
    pub fn note(&mut self, compared: &Compared) {
        match compared {
            Compared::TooLarge | Compared::TooSmall => {}
            Compared::Refused => {
                self.refused += 1;
                self.all += 1;
            }
            Compared::Same { .. } | Compared::Different(_) => self.all += 1,
        }
    }

    /// At most one of fifty.
    pub fn require_few(&self) {
        let Refusals { refused, all } = self;
        println!("{refused} of {all} programs are refused");
        assert!(50 * refused <= *all, "{refused} of {all} programs are refused");
    }
}

/// Whether an object can be reached from itself.
fn is_in_circle(state: &State, object: Address) -> bool {
    let mut seen = vec![false; state.objects.len()];
    let mut open = vec![object];
    while let Some(at) = open.pop() {
        let mut found = false;
        for value in &state.objects[at.index()].fields {
            value.identities(&mut |identity| {
                if let Identity::Object(next) = identity {
                    found |= next == object;
                    if !std::mem::replace(&mut seen[next.index()], true) {
                        open.push(next);
                    }
                }
            });
        }
        if found {
            return true;
        }
    }
    false
}
