//! Bytecode: what a program is compiled to, and what the machine executes.
//!
//! Each routine has registers: its variables first, then what expressions need on the way. Code runs from one *point* to
//! the next: a stop, at which others have their turn, or a call, at which a frame is kept. What is done at once (an arm
//! of a stop, with the steps of objects in it) and what is local between stops is one sequence of instructions; an
//! instruction that waits, fails or chooses tells the one who executes.

mod instruction;

use std::collections::BTreeMap;

use net::{EnumId, Origin};
use program::graph::{Passing, Source};
use program::{Failure, FailureKind, LabelId, ObjectId, ProcessId, RoutineId, StepId, Type};

use crate::claim::{Claim, Statement};
use crate::heap::{Class, Heap};
use crate::later::{Deed, Later, OwnStep};
use crate::member::Members;
use crate::turn::Turn;
pub(crate) use instruction::{
    Address, Change, Doom, Instruction, MeetingCode, Note, NoteId, Register, RoutineCode, Shift,
    StepCall,
};

/// Where threads are between steps, or calls are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(pub u32);

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
    /// What may still be done from here on; after a call, when it is back.
    pub(crate) later: Later,
    pub(crate) what: PointKind,
}

impl Point {
    /// The variables of the routine that are kept, by their numbers; those after the last are the compiler's own.
    pub fn kept(&self) -> impl Iterator<Item = usize> {
        self.kept.iter().map(|register| usize::from(*register))
    }
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
    /// The labels that it is at: first those that stand here, of which this is the number, then those of statements that
    /// are being done.
    pub labels: Box<[(Source, LabelId)]>,
    pub standing: usize,
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
    pub gives: bool,
    pub takes: bool,
    /// Whether it is nothing but a step of an object that looks at nothing else.
    pub is_own_step: bool,
    pub origin: Origin,
    /// Its label, if fairness may speak of it.
    pub label: Option<(Source, LabelId)>,
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
    /// Members of a class that are alike.
    Member(EnumId),
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
    /// The number of the first way to go on from each point, and how many there are.
    first_ways: Vec<u32>,
    ways_of_points: u32,
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
    /// The members of classes that are alike. What they need of fields comes behind the global variables.
    pub(crate) members: Vec<Members>,
    /// Which kind of process starts by itself, and whether nobody starts another.
    pub(crate) main: Option<ProcessId>,
    pub(crate) is_main_single: bool,
    /// Whether it is asked how threads have ended.
    pub(crate) keeps_endings: bool,
    /// Whether it is noted what is accessed.
    pub(crate) has_races: bool,
    /// Whether threads are killed.
    pub(crate) has_kills: bool,
    /// Whether tests on data that is not kept are among the statements.
    pub(crate) has_forgotten: bool,
    /// What is claimed of the program.
    pub claims: Vec<Claim>,
    /// The statements about single states that claims are made of.
    pub(crate) statements: Vec<Statement>,
    /// The field behind the global variables that is the thread which is followed, if some claim follows one.
    pub(crate) followed: Option<u16>,
    /// Whether threads are ended by others, or by themselves before their end.
    pub(crate) has_dooms: bool,
    /// Whether somebody may look for others to meet without waiting for them.
    pub(crate) has_lookouts: bool,
    /// The steps that can be tried on their object alone.
    pub(crate) own_steps: BTreeMap<(Class, StepId), OwnStep>,
    /// Where something leads back that is tried by itself.
    pub(crate) landing: Address,
    pub(crate) atomic_globals: Vec<bool>,
    pub(crate) atomic_fields: Vec<Vec<bool>>,
}

impl Code {
    /// What a class stands for.
    #[must_use]
    pub fn class(&self, class: Class) -> ClassKind {
        self.classes[usize::from(class.0)]
    }

    /// The label of a turn: it depends on the program alone. Nobody has label 0.
    pub(crate) fn label(&self, turn: Turn) -> u32 {
        let way = |point: PointId, arm: Option<u16>| {
            let first = self.first_ways[point.0 as usize];
            first + arm.map_or(0, |arm| 1 + u32::from(arm))
        };
        let partner = turn.partner.map_or(0, |(point, arm)| 1 + way(point, Some(arm)));
        1 + way(turn.point, turn.arm) * (self.ways_of_points + 1) + partner
    }

    /// The turn of a label.
    pub(crate) fn turn(&self, label: u32) -> Turn {
        let way = |number: u32| {
            let point = self.first_ways.partition_point(|first| *first <= number) - 1;
            let arm = (number - self.first_ways[point]).checked_sub(1).map(|arm| arm as u16);
            (PointId(point as u32), arm)
        };
        let (first, partner) =
            ((label - 1) / (self.ways_of_points + 1), (label - 1) % (self.ways_of_points + 1));
        let (point, arm) = way(first);
        let partner = partner.checked_sub(1).map(way);
        let partner = partner.map(|(point, arm)| (point, arm.expect("who is met takes an arm")));
        Turn { point, arm, partner }
    }

    /// Gives the ways to go on from points numbers.
    pub(crate) fn number_ways(&mut self) {
        for point in &self.points {
            self.first_ways.push(self.ways_of_points);
            self.ways_of_points += 1 + match &point.what {
                PointKind::Stop(stop) => stop.arms.len() as u32,
                PointKind::Call(_) => 0,
            };
        }
    }

    /// The number of a failure: by its kind, and where it is written.
    pub(crate) fn failure_number(&self, failure: Failure) -> u64 {
        let is_there = |origin: &Origin| origin.range() == failure.origin.range();
        let at = self.origins.iter().position(is_there).expect("it is written somewhere");
        (at as u64) << 8 | failure.kind as u64
    }

    /// The failure of a number.
    pub(crate) fn failure(&self, number: u64) -> Failure {
        let origin = self.origins[(number >> 8) as usize];
        let kind = FailureKind::ALL[(number & 255) as usize];
        Failure { kind, origin }
    }

    /// Whether access to a field is no race.
    pub(crate) fn is_atomic(&self, class: Class, field: u16) -> bool {
        match self.class(class) {
            ClassKind::Globals => self.atomic_globals[usize::from(field)],
            ClassKind::Object(of) => self.atomic_fields[of.index()][usize::from(field)],
            ClassKind::Running(_)
            | ClassKind::Ended(_)
            | ClassKind::Member(_)
            | ClassKind::Element => false,
        }
    }

    /// Whether tests on data that is not kept are among the statements.
    #[must_use]
    pub fn tests_forgotten_data(&self) -> bool {
        self.has_forgotten
    }

    /// Whether what is done to objects of a class reads a field.
    pub(crate) fn reads(&self, class: Class, deed: Deed, field: u16) -> bool {
        match deed {
            Deed::Reads(other) => other == field,
            Deed::Writes(_) => false,
            Deed::Does(step) => self.own_steps[&(class, step)].reads.contains(&field),
        }
    }

    /// Whether what is done to objects of a class changes a field.
    pub(crate) fn writes(&self, class: Class, deed: Deed, field: u16) -> bool {
        match deed {
            Deed::Reads(_) => false,
            Deed::Writes(other) => other == field,
            Deed::Does(step) => self.own_steps[&(class, step)].writes.contains(&field),
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
