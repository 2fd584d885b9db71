//! Bytecode: what a program is compiled to, and what the machine executes.
//!
//! Each routine has registers: its variables first, then what expressions need on the way. Code runs from one *point* to
//! the next: a stop, at which others have their turn, or a call, at which a frame is kept. What is done at once (an arm
//! of a stop, with the steps of objects in it) and what is local between stops is one sequence of instructions; an
//! instruction that waits, fails or chooses tells the one who executes.

use net::{BinaryOp, Origin};
use program::graph::{Passing, Source};
use program::{FailureKind, LabelId, ObjectId, ProcessId, RoutineId, StepId, Type};

use crate::heap::{Class, Heap};
use crate::value::Kind;

/// A register of a routine.
pub(crate) type Register = u16;

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Address(pub u32);

/// Where threads are between steps, or calls are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(pub u32);

/// How a thread is ended by another one, or by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Doom {
    /// What is deferred is done before.
    Kill,
    /// At once.
    Crash,
}

/// An operation on a collection that gives one that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Append,
    Prepend,
    WithoutFirst,
    WithoutLast,
    WithoutAt,
    With,
    Without,
}

/// An instruction. `to` is the register that gets the result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction {
    Number {
        to: Register,
        number: i64,
    },
    Nothing {
        to: Register,
    },
    /// An object that is there from the start.
    Initial {
        to: Register,
        number: u32,
    },
    Copy {
        to: Register,
        from: Register,
    },
    Global {
        to: Register,
        global: u16,
    },
    SetGlobal {
        global: u16,
        from: Register,
    },
    Field {
        to: Register,
        object: Register,
        field: u16,
    },
    SetField {
        object: Register,
        field: u16,
        from: Register,
    },
    This {
        to: Register,
    },
    Ended {
        to: Register,
        thread: Register,
    },

    /// A composite value of registers in a row.
    Make {
        to: Register,
        kind: Kind,
        from: Register,
        count: u16,
    },
    /// A component of a record.
    Part {
        to: Register,
        of: Register,
        index: u16,
    },
    /// A record with another component.
    SetPart {
        to: Register,
        of: Register,
        index: u16,
        part: Register,
    },
    IsCase {
        to: Register,
        of: Register,
        case: u16,
    },
    /// A component of a variant that is of a case.
    CasePart {
        to: Register,
        of: Register,
        case: u16,
        index: u16,
    },
    SetCasePart {
        to: Register,
        of: Register,
        case: u16,
        index: u16,
        part: Register,
    },
    /// The value of an optional one. If it is `wrapped`, it may be nothing itself.
    Unwrap {
        to: Register,
        from: Register,
        wrapped: bool,
    },

    Length {
        to: Register,
        of: Register,
    },
    /// The element at an index, or that of a key.
    Element {
        to: Register,
        of: Register,
        key: Register,
    },
    /// The element of a number, of maps the key; for who goes through all of them.
    Nth {
        to: Register,
        of: Register,
        number: Register,
    },
    First {
        to: Register,
        of: Register,
    },
    Last {
        to: Register,
        of: Register,
    },
    Has {
        to: Register,
        of: Register,
        key: Register,
    },
    /// A collection that is changed: the operands follow the collection, in registers in a row.
    Change {
        to: Register,
        change: Change,
        of: Register,
        most: u32,
    },
    /// A collection with another element at an index or a key.
    SetElement {
        to: Register,
        of: Register,
        key: Register,
        element: Register,
        most: u32,
    },

    Not {
        to: Register,
        from: Register,
    },
    Negate {
        to: Register,
        from: Register,
    },
    Binary {
        to: Register,
        op: BinaryOp,
        a: Register,
        b: Register,
    },
    /// The member some steps after another one.
    Shift {
        to: Register,
        from: Register,
        shift: u32,
    },
    /// Fails unless a value is one of a type.
    Fit {
        value: Register,
        of: u32,
    },

    Jump {
        to: Address,
    },
    JumpUnless {
        condition: Register,
        to: Address,
    },
    /// Goes on in one of several ways.
    Fork {
        ways: u32,
    },
    /// Any number in a range; waits if there is none.
    ChooseNumber {
        to: Register,
        low: Register,
        high: Register,
    },
    /// Any element of a collection; waits if there is none.
    ChooseElement {
        to: Register,
        of: Register,
    },
    Await {
        condition: Register,
    },
    Claim {
        condition: Register,
        kind: FailureKind,
    },
    /// A global variable, or a field, is read or written here. Only where races are asked for.
    NoteGlobal {
        global: u16,
        access: NoteId,
    },
    NoteField {
        object: Register,
        field: u16,
        access: NoteId,
    },

    New {
        to: Register,
        class: Class,
        from: Register,
        count: u16,
    },
    /// Calls a routine that is done at once. Its registers begin at `base`, with the arguments.
    Call {
        to: Register,
        routine: u32,
        base: Register,
    },
    /// Does a step of an object, alone or with another thread.
    Step {
        step: u32,
    },
    /// Gives back a value, from what is done at once.
    Return {
        from: Option<Register>,
    },
    /// Tries whether one of several ways can be gone; the next instruction is skipped if not.
    Unless {
        ways: u32,
    },
    /// That way can be gone.
    Able,
    Spawn {
        to: Option<Register>,
        process: u16,
        from: Register,
    },
    End {
        thread: Register,
        doom: Doom,
    },
    /// Waits for the end of a thread, and gives how it ended.
    Join {
        thread: Register,
        to: Option<Register>,
        has_result: bool,
    },
    /// An arm has been done, and is left by one of its exits.
    Done {
        exit: u16,
    },

    /// Others have their turn.
    Stop {
        point: PointId,
    },
    /// The first process stops here, if it has not made a step.
    StopAtStart {
        point: PointId,
    },
    /// Calls a function, which has a frame of its own: its arguments are in a row.
    Enter {
        point: PointId,
        routine: u32,
        from: Register,
    },
    /// The routine is left.
    Leave {
        from: Option<Register>,
    },
    /// The routine is left by a thread that was killed.
    Die,
}

/// A way from a member of an enumeration to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shift {
    pub steps: i32,
    /// How many members there are.
    pub members: u32,
    /// Whether the first follows the last.
    pub goes_round: bool,
}

/// How something shared is accessed, by its index in [`Code::notes`].
pub(crate) type NoteId = u32;

/// How something shared is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Note {
    /// The element of a sequence; nothing if it is the whole.
    pub index: Option<Register>,
    pub is_write: bool,
    /// Whether it is outside of steps and `atomic` blocks.
    pub is_plain: bool,
    /// Whether it is read to find out whether one can go on.
    pub is_guard: bool,
}

/// A step of an object, as it is called somewhere.
#[derive(Clone, Debug)]
pub(crate) struct StepCall {
    pub of: ObjectId,
    pub step: StepId,
    /// Where the registers of the step begin: the object, the arguments.
    pub base: Register,
    pub arguments: u16,
    pub routine: u32,
    /// Where its result goes.
    pub to: Option<Register>,
    /// Whether it may be the first, or the second, of two that meet.
    pub may_give: bool,
    pub may_take: bool,
}

/// What two threads do together.
#[derive(Clone, Debug)]
pub(crate) struct MeetingCode {
    pub of: ObjectId,
    pub first: StepId,
    pub second: StepId,
    /// The routine leaves the two results in these registers.
    pub routine: u32,
    pub results: [Option<Register>; 2],
}

/// A routine that is done at once, or one that runs by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoutineCode {
    pub entry: Address,
    pub registers: u16,
}

/// A place at which threads are between steps, or from which they have called.
#[derive(Clone, Debug)]
pub struct Point {
    /// The routine that it is in.
    pub routine: RoutineId,
    /// The same, by its code.
    pub(crate) code: u32,
    /// Where the statement is written.
    pub origin: Origin,
    /// The registers that are kept.
    pub(crate) kept: Box<[Register]>,
    pub(crate) what: PointKind,
}

#[derive(Clone, Debug)]
pub(crate) enum PointKind {
    Stop(StopCode),
    Call(CallCode),
}

/// What a thread can do at a stop.
#[derive(Clone, Debug)]
pub(crate) struct StopCode {
    pub arms: Box<[ArmCode]>,
    pub otherwise: Option<Address>,
    /// Where a thread goes on that is killed here.
    pub killed: Option<Address>,
    pub is_local: bool,
    pub is_idle: bool,
    pub is_forgotten: bool,
    /// The labels that it is at.
    pub labels: Box<[(Source, LabelId)]>,
    /// Whether it may be met here: as the first, as the second.
    pub gives: bool,
    pub takes: bool,
}

/// A way to go on from a stop.
#[derive(Clone, Debug)]
pub(crate) struct ArmCode {
    pub entry: Address,
    /// Where it leads, by exit.
    pub exits: Box<[Address]>,
    /// The same for a thread that was killed on the way, where it is in a deferred block.
    pub killed_exits: Option<Box<[Address]>>,
    pub is_atomic: bool,
    pub gives: bool,
    pub takes: bool,
    pub label: Option<(Source, LabelId)>,
    pub origin: Origin,
}

/// Where a thread goes on after a call.
#[derive(Clone, Debug)]
pub(crate) struct CallCode {
    /// The registers of the function that get the arguments, in their order.
    pub passes: Box<[Register]>,
    pub result: Option<Register>,
    pub next: Address,
    pub killed: Option<Address>,
}

/// Values that are evaluated before the first step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FirstValues {
    /// What they belong to.
    pub class: Class,
    /// The routine that leaves them in registers in a row.
    pub routine: u32,
    pub from: Register,
    pub count: u16,
}

/// What a class stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassKind {
    /// The global variables.
    Globals,
    /// Objects of a type.
    Object(ObjectId),
    /// Threads of a kind that run.
    Running(ProcessId),
    /// Threads of a kind that have ended.
    Ended(ProcessId),
    /// An element of a bag, which is no object but a value.
    Element,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub(crate) instructions: Vec<Instruction>,
    /// Where each instruction is written.
    pub(crate) origins: Vec<Origin>,
    pub(crate) points: Vec<Point>,
    pub(crate) routines: Vec<RoutineCode>,
    /// The routine of each kind of process.
    pub(crate) processes: Vec<Option<u32>>,
    /// What each routine that runs by itself is passed of its callers, for properties.
    pub(crate) passed: Vec<Vec<(Passing, Register)>>,
    /// How many parameters each kind of process has.
    pub(crate) parameters: Vec<u16>,
    pub(crate) steps: Vec<StepCall>,
    pub(crate) meetings: Vec<MeetingCode>,
    pub(crate) notes: Vec<Note>,
    pub(crate) shifts: Vec<Shift>,
    /// The ways of forks.
    pub(crate) ways: Vec<Box<[Address]>>,
    /// The types that values are held to.
    pub(crate) types: Vec<Type>,
    /// The types of what is in records, and in the cases of variants.
    pub(crate) records: Vec<Vec<Type>>,
    pub(crate) variants: Vec<Vec<Vec<Type>>>,
    pub(crate) classes: Vec<ClassKind>,
    /// The objects that are there from the start, and the values of global variables.
    pub(crate) initial: Vec<FirstValues>,
    pub(crate) globals: FirstValues,
    /// Which kind of process starts by itself, and whether nobody starts another.
    pub(crate) main: Option<ProcessId>,
    pub(crate) is_main_single: bool,
    /// Whether it is asked how threads have ended.
    pub(crate) keeps_endings: bool,
    /// Whether it is noted what is accessed.
    pub(crate) has_races: bool,
    /// Whether tests on data that is not kept are among the statements.
    pub(crate) has_forgotten: bool,
    pub(crate) atomic_globals: Vec<bool>,
    pub(crate) atomic_fields: Vec<Vec<bool>>,
}

impl Code {
    /// What a class stands for.
    #[must_use]
    pub fn class(&self, class: Class) -> ClassKind {
        self.classes[usize::from(class.0)]
    }

    /// Whether access to a field is no race.
    pub(crate) fn is_atomic(&self, class: Class, field: u16) -> bool {
        match self.class(class) {
            ClassKind::Globals => self.atomic_globals[usize::from(field)],
            ClassKind::Object(of) => self.atomic_fields[of.index()][usize::from(field)],
            ClassKind::Running(_) | ClassKind::Ended(_) | ClassKind::Element => false,
        }
    }

    /// The kind of process that starts by itself.
    pub(crate) fn main(&self) -> ProcessId {
        self.main.expect("a program has a first process")
    }

    /// Whether a thread is at a label: that of its statement, or that of a call that it is in.
    #[must_use]
    pub fn is_at(&self, heap: &Heap, thread: u32, label: (Source, LabelId)) -> bool {
        let fields = heap.fields(thread);
        let point = self.point(PointId(fields[0].number() as u32));
        let PointKind::Stop(stop) = &point.what else { unreachable!("threads are at stops") };
        let passed = self.passed[point.code as usize].iter();
        let mut passed = passed.filter(|(passing, _)| *passing == Passing::Label(label.0, label.1));
        stop.labels.contains(&label)
            || passed.any(|(_, register)| {
                let at = point.kept.iter().position(|kept| kept == register);
                at.is_some_and(|at| fields[1 + at].is_true())
            })
    }

    /// Whether a thread may wait for ever where it is.
    #[must_use]
    pub fn is_idle(&self, heap: &Heap, thread: u32) -> bool {
        self.stop(PointId(heap.fields(thread)[0].number() as u32)).is_idle
    }

    pub(crate) fn object_class(&self, object: ObjectId) -> Class {
        Class(1 + object.0 as u16)
    }

    fn thread_classes(&self) -> usize {
        1 + self.atomic_fields.len()
    }

    pub(crate) fn running_class(&self, process: ProcessId) -> Class {
        Class((self.thread_classes() + process.index()) as u16)
    }

    pub(crate) fn ended_class(&self, process: ProcessId) -> Class {
        Class((self.thread_classes() + self.processes.len() + process.index()) as u16)
    }

    pub(crate) fn element_class(&self) -> Class {
        Class((self.classes.len() - 1) as u16)
    }

    /// A point.
    #[must_use]
    pub fn point(&self, point: PointId) -> &Point {
        &self.points[point.0 as usize]
    }

    pub(crate) fn stop(&self, point: PointId) -> &StopCode {
        match &self.point(point).what {
            PointKind::Stop(stop) => stop,
            PointKind::Call(_) => unreachable!("threads are at stops"),
        }
    }

    pub(crate) fn call(&self, point: PointId) -> &CallCode {
        match &self.point(point).what {
            PointKind::Call(call) => call,
            PointKind::Stop(_) => unreachable!("frames wait at calls"),
        }
    }

    /// Whether threads of a class run.
    #[inline]
    pub(crate) fn is_running(&self, class: Class) -> bool {
        matches!(self.class(class), ClassKind::Running(_))
    }
}
