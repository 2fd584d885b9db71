//! Executes bytecode on a heap.
//!
//! An execution goes one way. Where there is a choice it takes the way that its script says, and notes how many there
//! were, so that all ways are gone one after the other. It ends where others have their turn, where the thread has to
//! wait, or where something goes wrong.
//!
//! The heap may be a part of a state: the core and one satellite, say. What is asked of a bag of which elements are left
//! out cannot be answered then, and the execution says so ([`Halt::Elsewhere`]).

mod collection;
mod meeting;
mod stack;
mod value;

use program::{FailureKind, ProcessId};

use crate::code::{Address, ClassKind, Code, Doom, Instruction, Note, NoteId, PointId};
use crate::heap::{GLOBALS, Heap};
use crate::mistake::{Mistake, planted};
use crate::value::{Kind, Value};
pub(crate) use meeting::{Called, Role};
pub(crate) use stack::Stack;

/// As many instructions may be executed between two stops.
const MOST_INSTRUCTIONS: u32 = 10_000_000;

/// The choices on the way, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// The way that is gone, and how many there are.
    made: Vec<(u32, u32)>,
    /// How many of them are behind.
    done: usize,
}

impl Script {
    fn choose(&mut self, of: u32) -> u32 {
        if self.done == self.made.len() {
            self.made.push((0, of));
        }
        self.done += 1;
        self.made[self.done - 1].0
    }

    /// Goes on to the next way, if there is one: the last choice that can be made otherwise is.
    pub(crate) fn advance(&mut self) -> bool {
        self.made.truncate(self.done);
        self.done = 0;
        while let Some((way, of)) = self.made.pop() {
            if way + 1 < of {
                self.made.push((way + 1, of));
                return true;
            }
        }
        false
    }

    pub(crate) fn clear(&mut self) {
        self.made.clear();
        self.done = 0;
    }
}

/// Where an execution has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pause {
    /// An arm has been done.
    Done(u16),
    /// Others have their turn.
    Stop(PointId),
    /// The thread has ended, with a result.
    Ended(Option<Value>),
    /// The thread was killed, and has ended.
    Killed,
    /// A routine that is done at once was left.
    Returned,
    /// An attempt has come to its end.
    Able,
}

/// Why an execution goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// Something must be waited for.
    Blocked,
    /// Something goes wrong.
    Failed(FailureKind, Address),
    /// It depends on parts of the state that are not there.
    Elsewhere,
}

/// An access to something shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub object: u32,
    pub field: u16,
    /// The element of a sequence; nothing if it is to the whole.
    pub index: Option<i64>,
    pub is_write: bool,
    /// Whether it is outside of steps and `atomic` blocks.
    pub is_plain: bool,
    /// Whether it is read to find out whether one can go on.
    pub is_guard: bool,
    /// Which of those who act does it; nothing if two do it together.
    pub by: Option<u8>,
}

impl Access {
    /// Whether two accesses, of two threads, race.
    pub(crate) fn conflicts(&self, other: &Access) -> bool {
        let indices = [self.index, other.index];
        (self.object, self.field) == (other.object, other.field)
            && !matches!(indices, [Some(one), Some(other)] if one != other)
            && (self.is_write || other.is_write)
            && (self.is_plain || other.is_plain)
    }
}

/// What is looked at on the way, or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub object: u32,
    /// The field, or [`ENDED`].
    pub field: u16,
    pub is_write: bool,
}

/// Whether a thread has ended, as if that was a field of it.
pub(crate) const ENDED: u16 = u16::MAX;

/// What is executed on a heap.
#[derive(Debug)]
pub(crate) struct Execution<'c> {
    pub code: &'c Code,
    pub heap: Heap,
    pub script: Script,
    pub role: Role,
    /// Who acts: one thread, or two that meet. What they do to themselves is done when they have acted.
    pub acting: [Option<u32>; 2],
    dooms: [Option<Doom>; 2],
    /// Whether the first process has not made a step.
    pub is_start: bool,
    /// Who was crashed, and who was born.
    pub crashed: Vec<u32>,
    pub born: Vec<u32>,
    /// What is accessed on the way, where that is asked for.
    pub accesses: Option<Vec<Access>>,
    /// Who does it: one of those who act, or both.
    pub actor: Option<u8>,
    /// Whether two have met on the way.
    pub have_met: bool,
    /// Whether something was only looked at in the end.
    pub only_looks: bool,
    /// What was accessed on all ways, and by which threads.
    pub gathered: Vec<(u32, Access)>,
    /// What is looked at and changed on all ways, where that is asked for.
    pub touches: Option<Vec<Touch>>,
    /// The step that was done last, and its arguments, where that is asked for.
    pub called: Option<Called>,
    /// How many objects belong to the core, if the heap is a part of a state.
    pub core: Option<u32>,
    /// The objects of the core that were looked at, in this order.
    pub looked_at: Vec<u32>,
    fuel: u32,
    stacks: Vec<Stack>,
}

impl<'c> Execution<'c> {
    pub(crate) fn new(code: &'c Code) -> Execution<'c> {
        Execution {
            code,
            heap: Heap::default(),
            script: Script::default(),
            role: Role::Alone,
            acting: [None; 2],
            dooms: [None; 2],
            is_start: false,
            crashed: Vec::new(),
            born: Vec::new(),
            accesses: None,
            actor: Some(0),
            have_met: false,
            only_looks: false,
            gathered: Vec::new(),
            touches: None,
            called: None,
            core: None,
            looked_at: Vec::new(),
            fuel: MOST_INSTRUCTIONS,
            stacks: Vec::new(),
        }
    }

    /// Begins on a heap with these threads, of whom the first may be met by the second.
    pub(crate) fn begin(&mut self, heap: &Heap, acting: [Option<u32>; 2]) {
        self.heap.clone_from(heap);
        self.acting = acting;
        self.dooms = [None; 2];
        self.role = Role::Alone;
        self.crashed.clear();
        self.born.clear();
        if let Some(accesses) = &mut self.accesses {
            accesses.clear();
        }
        self.actor = Some(0);
        self.have_met = false;
        self.only_looks = false;
        self.fuel = MOST_INSTRUCTIONS;
    }

    /// A stack that is free.
    pub(crate) fn take_stack(&mut self) -> Stack {
        self.stacks.pop().unwrap_or_default()
    }

    pub(crate) fn give_stack(&mut self, stack: Stack) {
        self.stacks.push(stack);
    }

    /// An object of the core is looked at.
    #[inline]
    pub(crate) fn look_at(&mut self, object: u32) {
        if self.core.is_some_and(|core| object < core) && !self.looked_at.contains(&object) {
            self.looked_at.push(object);
        }
    }

    /// Something is looked at or changed.
    #[inline]
    fn touch(&mut self, object: u32, field: u16, is_write: bool) {
        if let Some(touches) = &mut self.touches {
            let touch = Touch { object, field, is_write };
            if !touches.contains(&touch) {
                touches.push(touch);
            }
        }
    }

    /// What a thread does to itself, once it has acted.
    pub(crate) fn doom(&self, thread: u32) -> Option<Doom> {
        let number = self.acting.iter().position(|acting| *acting == Some(thread))?;
        self.dooms[number]
    }

    /// Goes on with a thread up to where it stops or ends.
    pub(crate) fn go_on(
        &mut self,
        thread: u32,
        stack: &mut Stack,
        at: Address,
    ) -> Result<(), Halt> {
        match self.run(stack, thread, at)? {
            Pause::Stop(point) => {
                stack.store(self.code, &mut self.heap, thread, point);
                Ok(())
            }
            Pause::Ended(result) => {
                self.end(thread, Some(result));
                Ok(())
            }
            Pause::Killed => {
                self.end(thread, None);
                Ok(())
            }
            Pause::Done(_) | Pause::Returned | Pause::Able => unreachable!("it goes on to a stop"),
        }
    }

    /// A thread ends: with what it gives back, or since it was killed or crashed.
    pub(crate) fn end(&mut self, thread: u32, result: Option<Option<Value>>) {
        let ClassKind::Running(kind) = self.code.class(self.heap.class(thread)) else {
            unreachable!("it runs")
        };
        self.touch(thread, ENDED, true);
        let class = self.code.ended_class(kind);
        let returned = Value::truth(result.is_some());
        let all = [returned, result.flatten().unwrap_or(Value::Nothing)];
        let length = match result {
            _ if !self.code.keeps_endings => 0,
            Some(Some(_)) => 2,
            _ => 1,
        };
        self.heap.become_(thread, class, &all[..length]);
    }

    /// Starts a thread, which comes to its first stop.
    fn spawn(&mut self, kind: ProcessId, arguments: &[Value]) -> Result<u32, Halt> {
        let number = self.code.processes[kind.index()].expect("what is started was compiled");
        let child = self.heap.add(self.code.running_class(kind), &[]);
        self.born.push(child);
        let mut stack = self.take_stack();
        stack.start(self.code, number, arguments);
        let entry = self.code.routines[number as usize].entry;
        let outer = std::mem::replace(&mut self.is_start, false);
        let started = self.go_on(child, &mut stack, entry);
        self.is_start = outer;
        self.give_stack(stack);
        started.map(|()| child)
    }

    /// Ends a thread from outside.
    fn end_other(&mut self, thread: u32, doom: Doom) -> Result<(), Halt> {
        self.look_at(thread);
        if !self.code.is_running(self.heap.class(thread)) {
            return Ok(());
        }
        if let Some(number) = self.acting.iter().position(|acting| *acting == Some(thread)) {
            self.dooms[number] = self.dooms[number].max(Some(doom));
            return Ok(());
        }
        if doom == Doom::Crash {
            self.end(thread, None);
            self.crashed.push(thread);
            return Ok(());
        }
        let stop = self.code.stop(Stack::point(&self.heap, thread));
        // One that was killed before runs what is pending.
        let Some(killed) = stop.killed else { return Ok(()) };
        if stop.is_local {
            return Err(Halt::Blocked);
        }
        let mut stack = self.take_stack();
        stack.load(self.code, &self.heap, thread);
        let ended = self.go_on(thread, &mut stack, killed);
        self.give_stack(stack);
        ended
    }

    /// Executes instructions until others have their turn, or something else comes in between.
    pub(crate) fn run(&mut self, stack: &mut Stack, this: u32, at: Address) -> Result<Pause, Halt> {
        let code = self.code;
        let mut at = at.0 as usize;
        loop {
            let instruction = &code.instructions[at];
            let here = Address(at as u32);
            at += 1;
            if self.fuel == 0 {
                return Err(Halt::Failed(FailureKind::Endless, here));
            }
            self.fuel -= 1;
            let fail = |kind: FailureKind| Err(Halt::Failed(kind, here));
            match *instruction {
                Instruction::Number { to, number } => stack.set(to, Value::Number(number)),
                Instruction::Nothing { to } => stack.set(to, Value::Nothing),
                Instruction::Initial { to, number } => {
                    // The globals and the first process come before.
                    stack.set(to, Value::Reference(2 + number));
                }
                Instruction::Copy { to, from } => stack.set(to, stack.get(from)),
                Instruction::Global { to, global } => {
                    self.look_at(GLOBALS);
                    self.touch(GLOBALS, global, false);
                    stack.set(to, self.heap.fields(GLOBALS)[usize::from(global)]);
                }
                Instruction::SetGlobal { global, from } => {
                    self.look_at(GLOBALS);
                    self.touch(GLOBALS, global, true);
                    self.heap.set_field(GLOBALS, usize::from(global), stack.get(from));
                }
                Instruction::Field { to, object, field } => {
                    let object = reference(stack.get(object));
                    if !planted(Mistake::NoFields) {
                        self.look_at(object);
                    }
                    self.touch(object, field, false);
                    stack.set(to, self.heap.fields(object)[usize::from(field)]);
                }
                Instruction::SetField { object, field, from } => {
                    let object = reference(stack.get(object));
                    self.look_at(object);
                    self.touch(object, field, true);
                    self.heap.set_field(object, usize::from(field), stack.get(from));
                }
                Instruction::This { to } => stack.set(to, Value::Reference(this)),
                Instruction::Ended { to, thread } => {
                    let thread = reference(stack.get(thread));
                    self.look_at(thread);
                    self.touch(thread, ENDED, false);
                    let runs = code.is_running(self.heap.class(thread));
                    stack.set(to, Value::truth(!runs));
                }

                Instruction::Make { to, kind, from, count } => {
                    let parts = stack.row(from, usize::from(count));
                    let made = match kind {
                        Kind::Set | Kind::Bag | Kind::Map | Kind::BagMap => {
                            self.collect(kind, parts)?
                        }
                        Kind::Sequence | Kind::Record | Kind::Case(_) | Kind::Present => {
                            self.heap.arena.make(kind, parts)
                        }
                    };
                    stack.set(to, made);
                }
                Instruction::Part { to, of, index } => {
                    let part = self.parts(stack.get(of))[usize::from(index)];
                    stack.set(to, part);
                }
                Instruction::SetPart { to, of, index, part } => {
                    let (id, index) = (composite(stack.get(of)), usize::from(index));
                    let made = self.heap.arena.splice(id, index..index + 1, &[stack.get(part)]);
                    stack.set(to, made);
                }
                Instruction::IsCase { to, of, case } => {
                    let is_it = self.case(stack.get(of)) == u32::from(case);
                    stack.set(to, Value::truth(is_it));
                }
                Instruction::CasePart { to, of, case, index } => {
                    if self.case(stack.get(of)) != u32::from(case) {
                        return fail(FailureKind::OtherCase);
                    }
                    let part = self.parts(stack.get(of))[usize::from(index)];
                    stack.set(to, part);
                }
                Instruction::SetCasePart { to, of, case, index, part } => {
                    if self.case(stack.get(of)) != u32::from(case) {
                        return fail(FailureKind::OtherCase);
                    }
                    let (id, index) = (composite(stack.get(of)), usize::from(index));
                    let made = self.heap.arena.splice(id, index..index + 1, &[stack.get(part)]);
                    stack.set(to, made);
                }
                Instruction::Unwrap { to, from, wrapped } => {
                    let value = match stack.get(from) {
                        Value::Nothing => return fail(FailureKind::NoValue),
                        value if wrapped => self.parts(value)[0],
                        value => value,
                    };
                    stack.set(to, value);
                }

                Instruction::Presence { to, from } => {
                    let present = match stack.get(from) {
                        Value::Nothing => Value::Nothing,
                        Value::Number(_) | Value::Reference(_) | Value::Composite(_) => {
                            Value::truth(true)
                        }
                    };
                    stack.set(to, present);
                }

                Instruction::Length { .. }
                | Instruction::Element { .. }
                | Instruction::Nth { .. }
                | Instruction::First { .. }
                | Instruction::Last { .. }
                | Instruction::Has { .. }
                | Instruction::Change { .. }
                | Instruction::SetElement { .. } => {
                    self.collection(stack, instruction, here)?;
                }

                Instruction::Not { to, from } => {
                    stack.set(to, Value::truth(!stack.get(from).is_true()));
                }
                Instruction::Negate { to, from } => {
                    let Some(number) = stack.get(from).number().checked_neg() else {
                        return fail(FailureKind::Overflow);
                    };
                    stack.set(to, Value::Number(number));
                }
                Instruction::Binary { to, op, a, b } => {
                    let result = self.binary(op, stack.get(a), stack.get(b), here)?;
                    stack.set(to, result);
                }
                Instruction::Shift { to, from, shift } => {
                    let shift = code.shifts[shift as usize];
                    let shifted = stack.get(from).number() + i64::from(shift.steps);
                    let members = i64::from(shift.members);
                    let member = match shift.goes_round {
                        true => shifted.rem_euclid(members),
                        false if (0..members).contains(&shifted) => shifted,
                        false => return fail(FailureKind::NoMember),
                    };
                    stack.set(to, Value::Number(member));
                }
                Instruction::Fit { value, of } => {
                    if !self.fits(stack.get(value), &code.types[of as usize])? {
                        return fail(FailureKind::OutOfRange);
                    }
                }

                Instruction::Jump { to } => at = to.0 as usize,
                Instruction::JumpUnless { condition, to } => {
                    if !stack.get(condition).is_true() {
                        at = to.0 as usize;
                    }
                }
                Instruction::Fork { ways } => {
                    let ways = &code.ways[ways as usize];
                    if ways.is_empty() {
                        return Err(Halt::Blocked);
                    }
                    let way = self.script.choose(ways.len() as u32);
                    at = ways[way as usize].0 as usize;
                }
                Instruction::ChooseNumber { to, low, high } => {
                    let (low, high) = (stack.get(low).number(), stack.get(high).number());
                    if low > high {
                        return Err(Halt::Blocked);
                    }
                    let way = self.script.choose((high - low + 1) as u32);
                    stack.set(to, Value::Number(low + i64::from(way)));
                }
                Instruction::ChooseElement { to, of } => {
                    let element = self.choose_element(stack.get(of))?;
                    stack.set(to, element);
                }
                Instruction::Await { condition } => {
                    if !stack.get(condition).is_true() {
                        return Err(Halt::Blocked);
                    }
                }
                Instruction::Claim { condition, kind } => {
                    if !stack.get(condition).is_true() {
                        return fail(kind);
                    }
                }
                Instruction::NoteGlobal { global, access } => {
                    self.note(GLOBALS, global, access, stack);
                }
                Instruction::NoteField { object, field, access } => {
                    self.note(reference(stack.get(object)), field, access, stack);
                }

                Instruction::New { to, class, from, count } => {
                    let made = self.heap.add(class, stack.row(from, usize::from(count)));
                    stack.set(to, Value::Reference(made));
                }
                Instruction::Call { to, routine, base } => {
                    let routine = code.routines[routine as usize];
                    stack.call(base, routine.registers, Some(Address(at as u32)), Some(to));
                    at = routine.entry.0 as usize;
                }
                Instruction::Step { step } => {
                    let call = &code.steps[step as usize];
                    if let Some(next) = self.step(stack, this, call, Address(at as u32))? {
                        at = next.0 as usize;
                    }
                }
                Instruction::Return { from } => {
                    let given = from.map(|from| stack.get(from));
                    match stack.back(given) {
                        Some(back) => at = back.0 as usize,
                        None => return Ok(Pause::Returned),
                    }
                }
                Instruction::Unless { ways } => {
                    // The next instruction leads past what is done if none can be gone.
                    if !self.is_able(stack, this, &code.ways[ways as usize])? {
                        at += 1;
                    }
                }
                Instruction::OnlyLook => self.only_looks = true,
                Instruction::Able => return Ok(Pause::Able),
                Instruction::Spawn { to, process, from } => {
                    let kind = ProcessId(u32::from(process));
                    let count = code.parameters[kind.index()];
                    let arguments = stack.row(from, usize::from(count)).to_vec();
                    let child = self.spawn(kind, &arguments)?;
                    if let Some(to) = to {
                        stack.set(to, Value::Reference(child));
                    }
                }
                Instruction::End { thread, doom } => {
                    self.end_other(reference(stack.get(thread)), doom)?;
                }
                Instruction::Join { thread, to, has_result } => {
                    let thread = reference(stack.get(thread));
                    if !planted(Mistake::NoEndings) {
                        self.look_at(thread);
                    }
                    self.touch(thread, ENDED, false);
                    if code.is_running(self.heap.class(thread)) {
                        return Err(Halt::Blocked);
                    }
                    if let Some(to) = to {
                        let fields = self.heap.fields(thread);
                        let result = match fields.get(1) {
                            Some(result) if has_result => *result,
                            _ if has_result => Value::Nothing,
                            _ => fields[0],
                        };
                        stack.set(to, result);
                    }
                }
                Instruction::Done { exit } => return Ok(Pause::Done(exit)),

                Instruction::Stop { point } => return Ok(Pause::Stop(point)),
                Instruction::StopAtStart { point } => {
                    if self.is_start {
                        return Ok(Pause::Stop(point));
                    }
                }
                Instruction::Enter { point, routine, from } => {
                    let call = code.call(point);
                    let routine = code.routines[routine as usize];
                    stack.enter(point, routine.registers, from, &call.passes);
                    at = routine.entry.0 as usize;
                }
                Instruction::Leave { from } => {
                    let result = from.map(|from| stack.get(from));
                    let Some(point) = stack.leave() else { return Ok(Pause::Ended(result)) };
                    let call = code.call(point);
                    if let (Some(to), Some(result)) = (call.result, result) {
                        stack.set(to, result);
                    }
                    at = call.next.0 as usize;
                }
                Instruction::Die => {
                    let Some(point) = stack.leave() else { return Ok(Pause::Killed) };
                    let killed = code.call(point).killed;
                    at = killed.expect("whoever may be killed goes on somewhere").0 as usize;
                }
            }
        }
    }

    fn note(&mut self, object: u32, field: u16, note: NoteId, stack: &Stack) {
        let Note { index, is_write, is_plain, is_guard } = self.code.notes[note as usize];
        let index = index.map(|index| stack.get(index).number());
        let by = self.actor;
        if let Some(accesses) = &mut self.accesses {
            accesses.push(Access { object, field, index, is_write, is_plain, is_guard, by });
        }
    }

    #[inline]
    fn parts(&self, value: Value) -> &[Value] {
        self.heap.arena.parts(composite(value))
    }

    fn case(&self, value: Value) -> u32 {
        match self.heap.arena.composite(composite(value)).kind {
            Kind::Case(case) => case,
            other => panic!("a {other:?} is no variant"),
        }
    }
}

/// The object or thread that a value refers to.
#[inline]
fn reference(value: Value) -> u32 {
    match value {
        Value::Reference(object) => object,
        other => panic!("{other:?} refers to nothing"),
    }
}

/// The composite value that it is.
#[inline]
fn composite(value: Value) -> u32 {
    match value {
        Value::Composite(id) => id,
        other => panic!("{other:?} has no parts"),
    }
}
