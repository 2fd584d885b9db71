//! States, and what a process does in one step.

mod at_once;

use std::collections::BTreeMap;

use crate::code::{Code, Given, Mistake, Op, Place, Which};
use crate::program::{Arm, Block, Expr, Index, Kind, LARGEST, NONE, Operator, Type, Wait, Whom};

/// A process: the numbers of those who started it, each among the children of its parent.
pub type Pid = Vec<u8>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Number(i8),
    Process(Pid),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    pub items: Vec<i8>,
    pub closed: bool,
}

/// Where a block that is being left goes on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Then {
    Go(Place),
    Return(Option<Value>),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    pub which: Which,
    pub place: Place,
    /// The labels at which it is.
    pub labels: Vec<Index>,
    /// Whether it has come to a label, and not yet to a statement.
    stopping: bool,
    locals: Vec<Value>,
    /// What is deferred, and where blocks begin.
    deferred: Vec<Option<Place>>,
    /// The blocks that are being left: how many are still to be left, or all.
    leaving: Vec<(usize, Then)>,
    /// The caller's variable that gets the result.
    target: Option<Index>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thread {
    pub process: Index,
    pub frames: Vec<Frame>,
    /// Whether it was killed, and whether it does only what is deferred since.
    killed: bool,
    dying: bool,
    /// Whether it has come to wait, where that is a step of its own.
    waiting: bool,
    children: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub shared: Vec<i8>,
    pub channels: Vec<Channel>,
    pub mutexes: Vec<Option<Pid>>,
    pub threads: BTreeMap<Pid, Thread>,
}

/// That shared data is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    pub variable: Index,
    pub write: bool,
    /// Outside of steps and `atomic`.
    pub plain: bool,
}

/// That something is a fault.
#[derive(Clone, Copy, Debug)]
pub struct Fault;

/// What comes of an operation, before local statements behind it are done.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub after: Result<State, Fault>,
    /// Who goes on from here.
    pub moved: Vec<Pid>,
    pub crashed: Option<Pid>,
    /// What it sends, if somebody takes it.
    pub sent: Option<(Index, i8)>,
    /// Whether it has taken what was sent.
    pub took: bool,
    pub accesses: Vec<Access>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Step {
    pub after: State,
    pub actors: Vec<Pid>,
    pub crashed: Option<Pid>,
}

/// All that can be done in a state.
#[derive(Debug, Default)]
pub struct Steps {
    pub steps: Vec<Step>,
    pub faults: bool,
    pub races: bool,
    /// Who can act: it does so in a step or in a fault.
    pub enabled: Vec<Pid>,
}

/// How a path through an atomic block goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Flow {
    On,
    Return,
    Break,
    Continue,
}

/// A path through an atomic block.
#[derive(Clone, Debug)]
struct Path {
    state: State,
    sent: Option<(Index, i8)>,
    took: bool,
    flow: Flow,
    accesses: Vec<Access>,
}

/// What a process tries in a state.
struct Trial<'m, 'c, 'p> {
    machine: &'m Machine<'c, 'p>,
    pid: &'m Pid,
    /// What another sends to it.
    incoming: Option<(Index, i8)>,
    attempts: Vec<Attempt>,
    /// What conditions read that were come to, whether they hold or not.
    guards: Vec<Access>,
    /// What they read behind a meeting: of the receiver, and of the sender with the state in which it has sent.
    behind: Vec<Access>,
    behind_sent: Vec<(State, (Index, i8), Vec<Access>)>,
}

/// Executes a program.
pub struct Machine<'c, 'p> {
    pub code: &'c Code<'p>,
}

impl Value {
    fn number(&self) -> i8 {
        match self {
            Value::Number(number) => *number,
            Value::Process(_) => unreachable!("a handle is no number"),
        }
    }
}

fn fits(of: Type, number: i32) -> bool {
    match of {
        Type::Number => (0..=i32::from(LARGEST)).contains(&number),
        _ => true,
    }
}

impl State {
    fn thread(&mut self, pid: &Pid) -> &mut Thread {
        self.threads.get_mut(pid).expect("it is active")
    }

    fn frame(&mut self, pid: &Pid) -> &mut Frame {
        self.thread(pid).frames.last_mut().expect("it is somewhere")
    }

    fn top(&self, pid: &Pid) -> &Frame {
        self.threads[pid].frames.last().expect("it is somewhere")
    }

    /// The value of an expression; numbers are not yet looked at, whether they fit.
    fn wide(&self, pid: &Pid, expr: &Expr) -> Result<i32, Fault> {
        Ok(match expr {
            Expr::Number(number) => i32::from(*number),
            Expr::Truth(truth) => i32::from(*truth),
            Expr::None => i32::from(NONE),
            Expr::Shared(variable) => i32::from(self.shared[*variable]),
            Expr::Local(local) => i32::from(self.top(pid).locals[*local].number()),
            Expr::Ended(local) => match &self.top(pid).locals[*local] {
                Value::Process(other) => i32::from(!self.threads.contains_key(other)),
                Value::Number(_) => return Err(Fault),
            },
            Expr::Not(inner) => 1 - self.wide(pid, inner)?,
            Expr::Binary(operator, left, right) => {
                let left = self.wide(pid, left)?;
                let right = || self.wide(pid, right);
                match operator {
                    Operator::And if left == 0 => 0,
                    Operator::Or if left == 1 => 1,
                    Operator::Implies if left == 0 => 1,
                    Operator::And | Operator::Or | Operator::Implies => right()?,
                    Operator::Plus => left + right()?,
                    Operator::Minus => left - right()?,
                    Operator::Over => left.checked_div(right()?).ok_or(Fault)?,
                    Operator::Modulo => left.checked_rem(right()?).ok_or(Fault)?,
                    Operator::Equal => i32::from(left == right()?),
                    Operator::Unequal => i32::from(left != right()?),
                    Operator::Less => i32::from(left < right()?),
                }
            }
        })
    }

    fn value(&self, pid: &Pid, expr: &Expr, of: Option<Type>) -> Result<Value, Fault> {
        let number = self.wide(pid, expr)?;
        if of.is_some_and(|of| !fits(of, number)) {
            return Err(Fault);
        }
        Ok(Value::Number(i8::try_from(number).map_err(|_| Fault)?))
    }

    fn is_true(&self, pid: &Pid, expr: &Expr) -> Result<bool, Fault> {
        Ok(self.wide(pid, expr)? == 1)
    }

    /// What is read to find the value of an expression, from left to right.
    fn reads(&self, pid: &Pid, expr: &Expr, plain: bool) -> Vec<Access> {
        match expr {
            Expr::Shared(variable) => vec![Access { variable: *variable, write: false, plain }],
            Expr::Not(inner) => self.reads(pid, inner, plain),
            Expr::Binary(operator, left, right) => {
                let mut found = self.reads(pid, left, plain);
                let decided = match operator {
                    Operator::And | Operator::Implies => Some(0),
                    Operator::Or => Some(1),
                    _ => None,
                };
                match self.wide(pid, left) {
                    Ok(left) if decided != Some(left) => {
                        found.extend(self.reads(pid, right, plain));
                    }
                    _ => {}
                }
                found
            }
            Expr::Number(_) | Expr::Truth(_) | Expr::None | Expr::Local(_) | Expr::Ended(_) => {
                Vec::new()
            }
        }
    }

    /// Whom `kill` or `crash` is about.
    fn whom(&self, pid: &Pid, whom: Whom) -> Result<Pid, Fault> {
        match whom {
            Whom::Myself => Ok(pid.clone()),
            Whom::Local(local) => match &self.top(pid).locals[local] {
                Value::Process(other) => Ok(other.clone()),
                Value::Number(_) => Err(Fault),
            },
        }
    }

    /// Ends a process.
    fn end(&mut self, pid: &Pid) {
        self.threads.remove(pid);
    }
}

impl Frame {
    /// Leaves blocks until something that was deferred in them is to be done. Gives how it goes on once they are left.
    fn leave(&mut self) -> Option<Then> {
        loop {
            let (blocks, then) = self.leaving.last_mut().expect("blocks are being left");
            if *blocks == 0 {
                let then = then.clone();
                self.leaving.pop();
                return Some(then);
            }
            match self.deferred.pop() {
                Some(Some(place)) => {
                    self.place = place;
                    return None;
                }
                Some(None) => *blocks -= 1,
                None => *blocks = 0,
            }
        }
    }
}

impl<'c, 'p> Machine<'c, 'p> {
    /// The states in which a program may begin.
    pub fn first(&self) -> Vec<State> {
        let program = self.code.program;
        let mut state = State {
            shared: program.shared.iter().map(|shared| shared.first).collect(),
            channels: vec![Channel { items: Vec::new(), closed: false }; program.channels.len()],
            mutexes: vec![None; program.mutexes],
            threads: BTreeMap::new(),
        };
        let main = self.thread(0, None);
        state.threads.insert(vec![1], main);
        self.settled(state, &[vec![1]])
    }

    fn frame(&self, which: Which, argument: Option<Value>, target: Option<Index>) -> Frame {
        let layout = self.code.layout(which);
        let initial = layout.locals.iter().map(|of| match of {
            Type::Reply | Type::Handle => Value::Number(NONE),
            Type::Number | Type::Truth | Type::Child => Value::Number(0),
        });
        let mut locals: Vec<Value> = initial.collect();
        locals.extend((0..layout.hidden).map(|_| Value::Number(0)));
        if let Some(argument) = argument {
            locals[0] = argument;
        }
        let (place, deferred, leaving) = (layout.entry, Vec::new(), Vec::new());
        let (labels, stopping) = (Vec::new(), false);
        Frame { which, place, labels, stopping, locals, deferred, leaving, target }
    }

    fn thread(&self, process: Index, argument: Option<Value>) -> Thread {
        let frame = self.frame(Which::Process(process), argument, None);
        let (killed, dying, waiting, children) = (false, false, false, 0);
        Thread { process, frames: vec![frame], killed, dying, waiting, children }
    }

    /// The states after the local statements that each of these comes to.
    fn settled(&self, state: State, moved: &[Pid]) -> Vec<State> {
        let mut states = vec![state];
        for pid in moved {
            states = states.into_iter().flat_map(|state| self.advance(state, pid)).collect();
        }
        states
    }

    /// Does local statements until there is one that is a step.
    fn advance(&self, mut state: State, pid: &Pid) -> Vec<State> {
        for _ in 0..1_000 {
            if !state.threads.contains_key(pid) {
                return vec![state];
            }
            let place = state.top(pid).place;
            match &self.code.ops[place] {
                Op::Label(label) => {
                    let frame = state.frame(pid);
                    frame.labels.push(*label);
                    frame.stopping = true;
                    frame.place += 1;
                    continue;
                }
                _ if state.top(pid).stopping && self.code.is_statement(place) => {
                    state.frame(pid).stopping = false;
                    return vec![state];
                }
                _ if self.code.stops[place] => return vec![state],
                _ => {}
            }
            let mut after = self.local(state, pid);
            match after.len() {
                1 => state = after.remove(0),
                _ => {
                    return after.into_iter().flat_map(|state| self.advance(state, pid)).collect();
                }
            }
        }
        panic!("local statements go on for ever")
    }

    /// Does one local operation, which cannot be a fault.
    fn local(&self, state: State, pid: &Pid) -> Vec<State> {
        let attempts = self.trial(&state, pid, None).attempts;
        attempts.into_iter().map(|attempt| attempt.after.expect("it is no fault")).collect()
    }

    fn trial<'m>(
        &'m self,
        state: &State,
        pid: &'m Pid,
        incoming: Option<(Index, i8)>,
    ) -> Trial<'m, 'c, 'p> {
        let (attempts, guards, behind, behind_sent) = Default::default();
        let machine = self;
        let mut trial = Trial { machine, pid, incoming, attempts, guards, behind, behind_sent };
        trial.operation(state);
        trial
    }

    /// Whether a process has yet to come to wait, in a step of its own: it offers to meet where somebody polls.
    fn is_arriving(&self, thread: &Thread) -> bool {
        let place = thread.frames.last().expect("it is somewhere").place;
        let is_polled = || self.code.offers(place).iter().any(|channel| self.code.polled[*channel]);
        !thread.waiting && !matches!(self.code.ops[place], Op::Select(_, _, Some(_))) && is_polled()
    }

    fn polls(&self, state: &State, pid: &Pid) -> bool {
        matches!(self.code.ops[state.top(pid).place], Op::Select(_, _, Some(_)))
    }

    /// All that can be done in a state.
    pub fn steps(&self, state: &State) -> Steps {
        let mut found = Steps::default();
        let mut accesses: Vec<(&Pid, Vec<Access>)> = Vec::new();
        let arriving = |pid: &Pid| self.is_arriving(&state.threads[pid]);
        for pid in state.threads.keys() {
            if arriving(pid) {
                let mut after = state.clone();
                after.thread(pid).waiting = true;
                found.steps.push(Step { after, actors: vec![pid.clone()], crashed: None });
                found.enabled.push(pid.clone());
                continue;
            }
            let trial = self.trial(state, pid, None);
            let polls = self.polls(state, pid);
            let mut own = trial.guards;
            let guards = own.len();
            let mut goes = false;
            for attempt in trial.attempts {
                if attempt.sent.is_some() {
                    continue;
                }
                goes = true;
                own.extend(&attempt.accesses);
                self.take(attempt, pid, None, &mut found);
            }
            // With whom it can meet, as the sender or as the receiver.
            for other in state.threads.keys() {
                let both_poll =
                    polls && self.polls(state, other) && !self.code.makes(Mistake::Polls);
                if other == pid || arriving(other) || both_poll {
                    continue;
                }
                let meets = !self.code.makes(Mistake::Meeting);
                for (sent, message, accesses) in &trial.behind_sent {
                    let taken = self.trial(sent, other, Some(*message)).attempts;
                    if meets && taken.iter().any(|one| one.took) {
                        own.extend(accesses);
                    }
                }
                if meets {
                    own.extend(self.behind(state, other, pid));
                }
                for (attempt, _) in self.meetings(state, pid, other) {
                    goes = true;
                    if meets {
                        own.extend(&attempt.accesses);
                    }
                    self.take(attempt, pid, Some(other), &mut found);
                }
                for (_, accesses) in self.meetings(state, other, pid) {
                    goes = true;
                    if meets {
                        own.extend(&accesses);
                    }
                }
            }
            if let Op::Select(_, _, Some(place)) = self.code.ops[state.top(pid).place]
                && (!goes || self.code.makes(Mistake::Else))
            {
                goes = true;
                let mut after = state.clone();
                let frame = after.frame(pid);
                frame.place = place;
                frame.labels.clear();
                let attempt = Attempt::of(Ok(after), pid);
                self.take(attempt, pid, None, &mut found);
            }
            if goes {
                found.enabled.push(pid.clone());
            } else if self.code.makes(Mistake::HeldGuards) {
                own.drain(..guards);
            }
            accesses.push((pid, own));
        }
        let conflict = |a: &Access, b: &Access| {
            let is_atomic = self.code.program.shared[a.variable].atomic;
            a.variable == b.variable && !is_atomic && (a.write || b.write) && (a.plain || b.plain)
        };
        for (index, (_, one)) in accesses.iter().enumerate() {
            for (_, other) in &accesses[index + 1..] {
                found.races |= one.iter().any(|a| other.iter().any(|b| conflict(a, b)));
            }
        }
        found
    }

    /// What comes of it that one sends and another receives: what both do, with the accesses of the sender, and the accesses
    /// of the receiver.
    fn meetings(&self, state: &State, sender: &Pid, receiver: &Pid) -> Vec<(Attempt, Vec<Access>)> {
        let mut found = Vec::new();
        for attempt in self.trial(state, sender, None).attempts {
            let Some((channel, value)) = attempt.sent else { continue };
            let sent = match &attempt.after {
                Ok(sent) => sent,
                // The sender's part comes first, if there is somebody who could take it.
                Err(Fault) => {
                    let taken = self.trial(state, receiver, Some((channel, value))).attempts;
                    if taken.iter().any(|one| one.took) {
                        found.push((attempt, Vec::new()));
                    }
                    continue;
                }
            };
            for taken in self.trial(sent, receiver, Some((channel, value))).attempts {
                if taken.took {
                    let accesses = taken.accesses.clone();
                    let moved = attempt.moved.iter().chain(&taken.moved).cloned().collect();
                    let crashed = attempt.crashed.clone().or(taken.crashed.clone());
                    let both = Attempt { moved, crashed, after: taken.after, ..attempt.clone() };
                    found.push((both, accesses));
                }
            }
        }
        found
    }

    /// What the conditions of one who receives read behind that, whether they hold or not.
    fn behind(&self, state: &State, sender: &Pid, receiver: &Pid) -> Vec<Access> {
        let mut found = Vec::new();
        for attempt in self.trial(state, sender, None).attempts {
            if let (Some(_), Ok(sent)) = (attempt.sent, &attempt.after) {
                found.extend(self.trial(sent, receiver, attempt.sent).behind);
            }
        }
        found
    }

    fn take(&self, attempt: Attempt, pid: &Pid, other: Option<&Pid>, found: &mut Steps) {
        let Ok(after) = attempt.after else {
            found.faults = true;
            return;
        };
        let actors: Vec<Pid> = other.into_iter().chain([pid]).cloned().collect();
        for mut after in self.settled(after, &attempt.moved) {
            for pid in &attempt.moved {
                if let Some(thread) = after.threads.get_mut(pid) {
                    thread.waiting = false;
                }
            }
            let crashed = attempt.crashed.clone();
            found.steps.push(Step { after, actors: actors.clone(), crashed });
        }
    }

    /// Whether a process may wait for ever where it is.
    pub fn is_idle(&self, thread: &Thread) -> bool {
        let place = thread.frames.last().expect("it is somewhere").place;
        self.code.idle[place] && !self.code.makes(Mistake::Idle)
    }

    /// Leaves labels behind when a statement has been done. A call is not done before it returns.
    fn leave_labels(&self, state: &mut State, pid: &Pid, place: Place) {
        let stays = matches!(self.code.ops[place], Op::Read(..) | Op::Call(..));
        if self.code.is_statement(place) && !stays {
            state.frame(pid).labels.clear();
        }
    }

    /// Whether a process stands where it can be killed, or has ended.
    fn can_be_killed(&self, state: &State, pid: &Pid) -> bool {
        state.threads.get(pid).is_none_or(|thread| {
            let frame = thread.frames.last().expect("it is somewhere");
            thread.killed || self.code.killable[frame.place]
        })
    }

    /// Takes a process that is killed to what it has deferred, or ends it. If it is at something that was deferred already,
    /// that is done to its end.
    fn kill(&self, state: &mut State, pid: &Pid) {
        let Some(thread) = state.threads.get_mut(pid) else { return };
        if thread.killed {
            return;
        }
        thread.killed = true;
        if self.code.makes(Mistake::Killed) {
            state.end(pid);
        } else if thread.frames.iter().all(|frame| frame.leaving.is_empty()) {
            self.die(state, pid);
        }
    }

    /// From now on it does only what is deferred.
    fn die(&self, state: &mut State, pid: &Pid) {
        let thread = state.thread(pid);
        thread.dying = true;
        for frame in &mut thread.frames {
            frame.labels.clear();
            frame.stopping = false;
            frame.leaving = vec![(usize::MAX, Then::Return(None))];
        }
        self.go_on_leaving(state, pid);
    }

    /// Goes on leaving blocks, and routines.
    fn go_on_leaving(&self, state: &mut State, pid: &Pid) {
        while let Some(then) = state.frame(pid).leave() {
            match then {
                Then::Go(place) => {
                    state.frame(pid).place = place;
                    return;
                }
                Then::Return(value) => {
                    let thread = state.thread(pid);
                    let frame = thread.frames.pop().expect("it is somewhere");
                    let Some(caller) = thread.frames.last_mut() else {
                        state.end(pid);
                        return;
                    };
                    if !thread.dying {
                        if !matches!(self.code.ops[caller.place - 1], Op::Call(_, _, _, true)) {
                            caller.labels.clear();
                        }
                        if let (Some(target), Some(value)) = (frame.target, value) {
                            caller.locals[target] = value;
                        }
                        return;
                    }
                }
            }
        }
    }
}

impl Attempt {
    fn of(after: Result<State, Fault>, pid: &Pid) -> Attempt {
        let (crashed, sent, took) = (None, None, false);
        Attempt { after, moved: vec![pid.clone()], crashed, sent, took, accesses: Vec::new() }
    }
}

impl Trial<'_, '_, '_> {
    fn done(&mut self, after: Result<State, Fault>, accesses: Vec<Access>) {
        let attempt = Attempt::of(after, self.pid);
        self.attempts.push(Attempt { accesses, ..attempt });
    }

    /// What comes of the operation at which the process is.
    fn operation(&mut self, state: &State) {
        let (machine, pid) = (self.machine, self.pid);
        let code = machine.code;
        let frame = state.top(pid);
        let place = frame.place;
        let layout = code.layout(frame.which);
        let next = |change: &dyn Fn(&mut State)| {
            let mut after = state.clone();
            after.frame(pid).place += 1;
            machine.leave_labels(&mut after, pid, place);
            change(&mut after);
            Ok(after)
        };
        // What was read is forgotten once it is used.
        let held = layout.locals.len();
        let used = |after: &mut State| after.frame(pid).locals[held] = Value::Number(0);
        match &code.ops[place] {
            Op::Label(_) => unreachable!("nobody stops before a label"),
            Op::Head => self.done(next(&|_| {}), Vec::new()),
            Op::Enter => {
                self.done(next(&|after| after.frame(pid).deferred.push(None)), Vec::new());
            }
            Op::Jump(to) => {
                self.done(next(&|after| after.frame(pid).place = *to), Vec::new());
            }
            Op::Defer(body, _) => {
                self.done(next(&|after| after.frame(pid).deferred.push(Some(*body))), Vec::new());
            }
            Op::Leave(blocks, then, _) => {
                let after = next(&|after| {
                    let frame = after.frame(pid);
                    frame.leaving.push((*blocks, Then::Go(*then)));
                    machine.go_on_leaving(after, pid);
                });
                self.done(after, Vec::new());
            }
            Op::Deferred => {
                let after = next(&|after| {
                    let thread = after.thread(pid);
                    let begun: usize = thread.frames.iter().map(|frame| frame.leaving.len()).sum();
                    if thread.killed && !thread.dying && begun == 1 {
                        machine.die(after, pid);
                    } else {
                        machine.go_on_leaving(after, pid);
                    }
                });
                self.done(after, Vec::new());
            }
            Op::Return(value) => {
                let result =
                    value.as_ref().map(|value| state.value(pid, value, Some(Type::Number)));
                let result = match result.transpose() {
                    Ok(result) => result,
                    Err(fault) => return self.done(Err(fault), Vec::new()),
                };
                let after = next(&|after| {
                    let frame = after.frame(pid);
                    frame.leaving.push((usize::MAX, Then::Return(result.clone())));
                    machine.go_on_leaving(after, pid);
                });
                self.done(after, Vec::new());
            }
            Op::Set(local, value) | Op::Read(local, value) => {
                let result = state.value(pid, value, layout.locals.get(*local).copied());
                let after = result.and_then(|result| {
                    next(&|after| after.frame(pid).locals[*local] = result.clone())
                });
                self.done(after, state.reads(pid, value, true));
            }
            Op::Write(variable, value) => {
                let of = code.program.shared[*variable].of;
                let after = state.value(pid, value, Some(of)).and_then(|value| {
                    next(&|after| {
                        after.shared[*variable] = value.number();
                        used(after);
                    })
                });
                let mut accesses = state.reads(pid, value, true);
                // What is a fault before it is written is not written.
                if state.wide(pid, value).is_ok() {
                    accesses.push(Access { variable: *variable, write: true, plain: true });
                }
                self.done(after, accesses);
            }
            Op::Branch(condition, otherwise) => {
                let after = state.is_true(pid, condition).and_then(|holds| {
                    next(&|after| {
                        if !holds {
                            after.frame(pid).place = *otherwise;
                        }
                    })
                });
                self.done(after, state.reads(pid, condition, true));
            }
            Op::Choose(local, largest, condition) => {
                for number in 0..=*largest {
                    let mut after = state.clone();
                    let frame = after.frame(pid);
                    frame.place += 1;
                    frame.labels.clear();
                    frame.locals[*local] = Value::Number(number);
                    if let Some(condition) = condition {
                        self.guards.extend(after.reads(pid, condition, true));
                    }
                    let holds = condition.map_or(Ok(true), |one| after.is_true(pid, one));
                    match holds {
                        Ok(true) => self.done(Ok(after), Vec::new()),
                        Ok(false) => {}
                        Err(fault) => self.done(Err(fault), Vec::new()),
                    }
                }
            }
            Op::Either(other) => {
                self.done(next(&|_| {}), Vec::new());
                self.done(next(&|after| after.frame(pid).place = *other), Vec::new());
            }
            Op::Await(condition) => {
                self.guards.extend(state.reads(pid, condition, true));
                match state.is_true(pid, condition) {
                    Ok(true) => self.done(next(&|_| {}), Vec::new()),
                    Ok(false) => {}
                    Err(fault) => self.done(Err(fault), Vec::new()),
                }
            }
            Op::Assert(condition) => {
                let after = match state.is_true(pid, condition) {
                    Ok(true) => next(&|_| {}),
                    _ => Err(Fault),
                };
                self.done(after, state.reads(pid, condition, true));
            }
            Op::Atomic(block) => self.at_once(state, block),
            Op::Step(step) => self.at_once(state, &code.program.steps[*step]),
            Op::Send(channel, value) => {
                let value = state.value(pid, value, None).expect("it is a number").number();
                self.simple(state, &|trial, path| trial.send(path, *channel, value), &used);
            }
            Op::Receive(channel, local) => {
                self.simple(state, &|trial, path| trial.receive(path, *channel, *local), &|_| {});
            }
            Op::Close(channel) => {
                self.simple(state, &|trial, path| trial.close(path, *channel), &|_| {});
            }
            Op::Lock(mutex) => {
                self.simple(state, &|trial, path| trial.lock(path, *mutex), &|_| {});
            }
            Op::Unlock(mutex) => {
                self.simple(state, &|trial, path| trial.unlock(path, *mutex), &|_| {});
            }
            Op::Spawn(process, local, given) => {
                let argument = given.as_ref().map(|given| match given {
                    Given::Value(value) => state.value(pid, value, Some(Type::Number)),
                    Given::Process(whom) => state.whom(pid, *whom).map(Value::Process),
                });
                let argument = match argument.transpose() {
                    Ok(argument) => argument,
                    Err(fault) => return self.done(Err(fault), Vec::new()),
                };
                let mut child = pid.clone();
                child.push(state.threads[pid].children + 1);
                let after = next(&|after| {
                    after.thread(pid).children += 1;
                    used(after);
                    if let Some(local) = local {
                        after.frame(pid).locals[*local] = Value::Process(child.clone());
                    }
                    after.threads.insert(child.clone(), machine.thread(*process, argument.clone()));
                });
                let attempt = Attempt::of(after, pid);
                self.attempts.push(Attempt { moved: vec![pid.clone(), child.clone()], ..attempt });
            }
            Op::Join(local) => match state.whom(pid, Whom::Local(*local)) {
                Ok(other) if state.threads.contains_key(&other) => {}
                Ok(_) => self.done(next(&|_| {}), Vec::new()),
                Err(fault) => self.done(Err(fault), Vec::new()),
            },
            Op::Kill(whom) => match state.whom(pid, *whom) {
                Ok(other) if other != *pid && !machine.can_be_killed(state, &other) => {}
                Ok(other) => {
                    let after = next(&|after| machine.kill(after, &other));
                    let was = state.threads.get(&other);
                    let attempt = Attempt::of(after, pid);
                    let mut moved = vec![pid.clone()];
                    // Whoever does to its end what it has begun stays where it is.
                    let is_taken = |after: &State| {
                        let is = after.threads.get(&other);
                        was.is_some_and(|was| !was.killed) && is.is_some_and(|is| is.dying)
                    };
                    if other != *pid && attempt.after.as_ref().is_ok_and(is_taken) {
                        moved.push(other);
                    }
                    self.attempts.push(Attempt { moved, ..attempt });
                }
                Err(fault) => self.done(Err(fault), Vec::new()),
            },
            Op::Crash(whom) => match state.whom(pid, *whom) {
                Ok(other) => {
                    let after = next(&|after| after.end(&other));
                    let attempt = Attempt::of(after, pid);
                    let crashed = Some(other).filter(|_| !code.makes(Mistake::Crash));
                    self.attempts.push(Attempt { crashed, ..attempt });
                }
                Err(fault) => self.done(Err(fault), Vec::new()),
            },
            Op::Call(function, argument, target, _) => {
                let after = state.value(pid, argument, Some(Type::Number)).and_then(|argument| {
                    next(&|after| {
                        used(after);
                        let which = Which::Function(*function);
                        let frame = machine.frame(which, Some(argument.clone()), *target);
                        after.thread(pid).frames.push(frame);
                    })
                });
                self.done(after, Vec::new());
            }
            Op::Select(arms, places, _) => {
                for (arm, place) in arms.iter().zip(places) {
                    self.arm(state, arm, *place);
                }
            }
        }
    }

    fn arm(&mut self, state: &State, arm: &Arm, place: Place) {
        let pid = self.pid;
        // What is awaited is read whatever else has to hold.
        if let Wait::Await(condition) = &arm.wait {
            self.guards.extend(state.reads(pid, condition, true));
        }
        if let Some(condition) = &arm.when {
            self.guards.extend(state.reads(pid, condition, true));
            match state.is_true(pid, condition) {
                Ok(true) => {}
                Ok(false) => return,
                Err(fault) => return self.done(Err(fault), Vec::new()),
            }
        }
        let go = |after: &mut State| after.frame(pid).place = place;
        match &arm.wait {
            Wait::Send(channel, value) => {
                let value = state.value(pid, value, None).expect("it is a number").number();
                self.simple(state, &|trial, path| trial.send(path, *channel, value), &go);
            }
            Wait::Receive(channel, local) => {
                self.simple(state, &|trial, path| trial.receive(path, *channel, *local), &go);
            }
            Wait::Await(condition) => match state.is_true(pid, condition) {
                Ok(true) => self.simple(state, &|_, path| vec![Ok(path)], &go),
                Ok(false) => {}
                Err(fault) => self.done(Err(fault), Vec::new()),
            },
            Wait::Join(local) => match state.whom(pid, Whom::Local(*local)) {
                Ok(other) if state.threads.contains_key(&other) => {}
                Ok(_) => self.simple(state, &|_, path| vec![Ok(path)], &go),
                Err(fault) => self.done(Err(fault), Vec::new()),
            },
            Wait::Timeout => self.simple(state, &|_, path| vec![Ok(path)], &go),
        }
    }
}
