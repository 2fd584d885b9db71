//! What the machine executes, one by one.

use net::BinaryOp;
use program::{FailureKind, ObjectId, StepId};

use super::PointId;
use crate::heap::Class;
use crate::value::Kind;

/// A register of a routine.
pub(crate) type Register = u16;

/// A place in the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Address(pub u32);

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
    /// Of an optional value whether it is there: nothing, or a number.
    Presence {
        to: Register,
        from: Register,
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
    /// What comes next is looked at, and not done: whatever goes wrong there, one only waits.
    OnlyLook,
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
    /// Whether it may be the first of two that meet.
    pub may_give: bool,
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
