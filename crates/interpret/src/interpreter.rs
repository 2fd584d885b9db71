//! A program made ready to be interpreted: its blocks by number, and what is known of its statements.

use std::collections::{HashMap, HashSet};

use net::Origin;
use program::{
    Action, Block, FunctionId, ObjectId, Observed, Operation, ProcessId, Program, Routine, Select,
    Source, Statement, StepId,
};

use crate::form::Forms;
use crate::local::{Known, Shared};
use crate::walk::is_forgotten;

/// A block of a process or a function, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BlockId(pub(crate) u32);

/// A statement in a block, by its index; behind the last one, the end of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    pub(crate) block: BlockId,
    pub(crate) at: usize,
}

/// Executes a program as it is defined.
#[derive(Debug)]
pub struct Interpreter<'p> {
    pub(crate) program: &'p Program,
    pub(crate) observed: &'p Observed,
    /// The blocks of processes and functions.
    blocks: Vec<&'p Block>,
    known: Vec<Vec<Known>>,
    /// The numbers of blocks, by where they are in memory.
    numbers: HashMap<usize, BlockId>,
    pub(crate) shared: Shared,
    /// The steps by which two processes meet, and those of them that a `select` with `else` may look for.
    meeting: HashSet<(ObjectId, StepId)>,
    polled: HashSet<(ObjectId, StepId)>,
    /// Whether there are tests on data that is not kept.
    pub(crate) has_forgotten: bool,
    /// The loops, by their bodies.
    loops: HashMap<BlockId, Position>,
    /// Where turns are.
    pub(crate) forms: Forms,
}

impl<'p> Interpreter<'p> {
    /// Makes a program ready. What is observed decides what is a step of its own.
    #[must_use]
    pub fn new(program: &'p Program, observed: &'p Observed) -> Interpreter<'p> {
        debug_assert!(program::check(program).is_ok(), "{:?}", program::check(program));
        let mut interpreter = Interpreter {
            program,
            observed,
            blocks: Vec::new(),
            known: Vec::new(),
            numbers: HashMap::new(),
            shared: Shared::of(program),
            meeting: HashSet::new(),
            polled: HashSet::new(),
            has_forgotten: false,
            loops: HashMap::new(),
            forms: Forms::default(),
        };
        for (id, routine) in (0..).map(ProcessId).zip(&program.processes) {
            interpreter.number(&routine.body, Source::Process(id));
        }
        for (id, routine) in (0..).map(FunctionId).zip(&program.functions) {
            interpreter.number(&routine.body, Source::Function(id));
        }
        interpreter.note_meetings();
        interpreter.forms = Forms::of(&interpreter);
        interpreter
    }

    /// The program that is executed.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// What is observed of it.
    #[must_use]
    pub fn observed(&self) -> &'p Observed {
        self.observed
    }

    pub(crate) fn id(&self, block: &Block) -> BlockId {
        self.numbers[&(std::ptr::from_ref(block) as usize)]
    }

    /// A statement; nothing at the end of a block.
    pub(crate) fn statement(&self, Position { block, at }: Position) -> Option<&'p Statement> {
        self.blocks[block.0 as usize].get(at)
    }

    pub(crate) fn known(&self, Position { block, at }: Position) -> &Known {
        &self.known[block.0 as usize][at]
    }

    /// Where a statement is written.
    pub(crate) fn origin(&self, position: Position) -> Origin {
        self.statement(position).map_or(Origin::default(), |statement| statement.origin)
    }

    pub(crate) fn routine(&self, routine: Source) -> &'p Routine {
        match routine {
            Source::Process(id) => &self.program.processes[id.index()],
            Source::Function(id) => &self.program.functions[id.index()],
        }
    }

    fn number(&mut self, block: &'p Block, routine: Source) {
        let id = BlockId(self.blocks.len() as u32);
        self.numbers.insert(std::ptr::from_ref(block) as usize, id);
        self.blocks.push(block);
        self.known.push(self.known_in(block, routine));
        for (at, statement) in block.iter().enumerate() {
            self.has_forgotten |= is_forgotten(&statement.action);
            for inner in statement.action.blocks() {
                self.number(inner, routine);
            }
            if let Action::Loop(_, body) = &statement.action {
                self.loops.insert(self.id(body), Position { block: id, at });
            }
        }
    }

    /// The loop that has a body.
    pub(crate) fn loop_of(&self, body: BlockId) -> Position {
        self.loops[&body]
    }

    /// Notes by which steps processes meet. A `select` with `else` looks for the other side.
    fn note_meetings(&mut self) {
        for (id, object) in (0..).map(ObjectId).zip(&self.program.objects) {
            for meeting in &object.meetings {
                self.meeting.extend([(id, meeting.first), (id, meeting.second)]);
            }
        }
        let actions = self.blocks.iter().copied().flatten().map(|statement| &statement.action);
        for action in actions {
            let Action::Select(Select { arms, otherwise: Some(_), .. }) = action else { continue };
            for arm in arms {
                let Operation::Step { object, step, .. } = &arm.operation else { continue };
                let of = object.of.object();
                for meeting in &self.program.objects[of.index()].meetings {
                    if meeting.first == *step {
                        self.polled.insert((of, meeting.second));
                    }
                    if meeting.second == *step {
                        self.polled.insert((of, meeting.first));
                    }
                }
            }
        }
    }

    /// Whether a thread can be met at a statement.
    pub(crate) fn is_offer(&self, action: &Action) -> bool {
        has_step(action, &self.meeting)
    }

    /// Whether coming to wait there is a step of its own.
    pub(crate) fn is_polled(&self, action: &Action) -> bool {
        let waits = !matches!(action, Action::Select(Select { otherwise: Some(_), .. }));
        waits && has_step(action, &self.polled)
    }
}

/// Whether one of these steps is an arm of a `select`, or somewhere in an `atomic` block.
fn has_step(action: &Action, steps: &HashSet<(ObjectId, StepId)>) -> bool {
    match action {
        Action::Select(select) => select.arms.iter().any(|arm| match &arm.operation {
            Operation::Step { object, step, .. } => steps.contains(&(object.of.object(), *step)),
            Operation::Join(..) | Operation::JoinAny(..) | Operation::Await(_) => false,
        }),
        Action::Atomic(block) => contains_step(block, steps),
        _ => false,
    }
}

/// Whether one of these steps is called in a block.
fn contains_step(block: &Block, steps: &HashSet<(ObjectId, StepId)>) -> bool {
    block.iter().any(|Statement { action, .. }| {
        let is_here = matches!(action, Action::Select(_)) && has_step(action, steps);
        is_here || action.blocks().into_iter().any(|block| contains_step(block, steps))
    })
}
