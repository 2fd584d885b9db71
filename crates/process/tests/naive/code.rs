//! A program made ready to be interpreted: blocks by number, and what is local.
//!
//! What is local is decided by form and types alone:
//!
//! - Shared is a global variable or a field that is assigned somewhere, and whether a process has ended.
//! - Local is a statement that touches nothing shared, always has an outcome, and cannot fault.
//! - Operands that read what is shared are read in a step of their own, before the statement; so is what is read to
//!   be written to something shared.
//! - A loop that can come round by local statements alone has a turn at its head, a function that can come to
//!   itself so has one at its entry.

use std::collections::{HashMap, HashSet};

use net::{BinaryOp, Literal};
use program::{
    Action, Block, CollectionOp, Domain, Expr, Field, FieldId, Form, FunctionId, GlobalId,
    ObjectId, Operation, Program, Root, Routine, Select, Selector, Statement, StepId, Target, Type,
};
use program::{Observed, Source};

use crate::access::Looks;
use crate::counts::Counts;
use crate::form::Forms;
use crate::state::RoutineRef;

/// A block of a process or a function, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// What is known of a statement.
#[derive(Clone, Debug)]
pub struct Known {
    /// For each operand, whether it is read in a step before.
    pub reads: Vec<bool>,
    /// Whether what is done then is local.
    pub is_local: bool,
    /// Whether it is the rest of what is written as one statement: only the last part of that has blocks.
    pub is_rest: bool,
}

/// A program, made ready.
pub struct Code<'p> {
    pub program: &'p Program,
    pub observed: &'p Observed,
    pub blocks: Vec<&'p Block>,
    known: Vec<Vec<Known>>,
    /// The routine that a block is in.
    routines: Vec<RoutineRef>,
    numbers: HashMap<*const Block, BlockId>,
    globals: HashSet<GlobalId>,
    fields: HashSet<(ObjectId, FieldId)>,
    /// The steps by which two processes meet, and those of them that somebody may look for without waiting.
    meeting: HashSet<(ObjectId, StepId)>,
    polled: HashSet<(ObjectId, StepId)>,
    /// Where loops begin.
    loops: HashMap<BlockId, u32>,
    /// What can be said of where turns are.
    pub forms: Forms,
    /// A mistake: those meet who do not wait.
    pub do_polls_meet: bool,
    /// What has been seen.
    pub counts: Counts,
    /// What was looked at to find out who can go on, since this was last asked.
    pub looks: Looks,
}

impl<'p> Code<'p> {
    pub fn new(program: &'p Program, observed: &'p Observed) -> Code<'p> {
        let mut code = Code {
            program,
            observed,
            blocks: Vec::new(),
            known: Vec::new(),
            routines: Vec::new(),
            numbers: HashMap::new(),
            globals: HashSet::new(),
            fields: HashSet::new(),
            meeting: HashSet::new(),
            polled: HashSet::new(),
            loops: HashMap::new(),
            forms: Forms::default(),
            do_polls_meet: false,
            counts: Counts::default(),
            looks: Looks::default(),
        };
        for object in &program.objects {
            object.steps.iter().for_each(|step| code.note_assigned(&step.routine.body));
            object.meetings.iter().for_each(|meeting| code.note_assigned(&meeting.body));
        }
        for routine in program.processes.iter().chain(&program.functions) {
            code.note_assigned(&routine.body);
        }
        let kinds = (0..).map(program::ProcessId).zip(&program.processes);
        for (id, routine) in kinds {
            code.number(&routine.body, RoutineRef::Process(id));
        }
        for (id, routine) in (0..).map(FunctionId).zip(&program.functions) {
            code.number(&routine.body, RoutineRef::Function(id));
        }
        code.note_meetings();
        code.forms = Forms::of(&code);
        code
    }

    pub fn id(&self, block: &Block) -> BlockId {
        self.numbers[&(block as *const Block)]
    }

    pub fn statement(&self, block: BlockId, at: usize) -> Option<&'p Statement> {
        self.blocks[block.0 as usize].get(at)
    }

    pub fn known(&self, block: BlockId, at: usize) -> &Known {
        &self.known[block.0 as usize][at]
    }

    pub fn routine(&self, routine: RoutineRef) -> &'p Routine {
        match routine {
            RoutineRef::Process(id) => &self.program.processes[id.index()],
            RoutineRef::Function(id) => &self.program.functions[id.index()],
        }
    }

    fn number(&mut self, block: &'p Block, routine: RoutineRef) {
        let id = BlockId(self.blocks.len() as u32);
        self.numbers.insert(block, id);
        self.blocks.push(block);
        self.routines.push(routine);
        self.known.push(Vec::new());
        let mut known: Vec<Known> =
            block.iter().map(|statement| self.find(statement, routine)).collect();
        for (pair, known) in block.windows(2).zip(&mut known[1.min(block.len())..]) {
            let [before, this] = [0, 1].map(|index| pair[index].origin.range());
            known.is_rest = before.is_some()
                && before == this
                && !matches!(pair[0].action, Action::Label(_))
                && !has_blocks(&pair[0].action);
        }
        self.known[id.0 as usize] = known;
        for statement in block {
            for inner in statement.action.blocks() {
                self.number(inner, routine);
            }
            if let Action::Loop(_, body) = &statement.action {
                self.loops.insert(self.id(body), crate::turns::position(statement.origin));
            }
        }
    }

    /// Where a loop begins.
    pub fn loop_at(&self, body: BlockId) -> u32 {
        self.loops[&body]
    }

    /// Notes by which steps processes meet. A `select` with `else` looks for the other side.
    fn note_meetings(&mut self) {
        for (id, object) in (0..).map(ObjectId).zip(&self.program.objects) {
            for meeting in &object.meetings {
                self.meeting.extend([(id, meeting.first), (id, meeting.second)]);
            }
        }
        for block in self.blocks.clone() {
            for statement in block {
                let Action::Select(Select { arms, otherwise: Some(_), .. }) = &statement.action
                else {
                    continue;
                };
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
    }

    /// Whether one of these steps is an arm of a `select`, or somewhere in an `atomic` block.
    fn has_step(action: &Action, steps: &HashSet<(ObjectId, StepId)>) -> bool {
        match action {
            Action::Select(select) => select.arms.iter().any(|arm| match &arm.operation {
                Operation::Step { object, step, .. } => {
                    steps.contains(&(object.of.object(), *step))
                }
                _ => false,
            }),
            Action::Atomic(block) => contains_step(block, steps),
            _ => false,
        }
    }

    /// Whether a thread can be met at a statement.
    pub fn is_offer(&self, action: &Action) -> bool {
        Code::has_step(action, &self.meeting)
    }

    /// Whether coming to wait there is a step of its own.
    pub fn is_polled(&self, action: &Action) -> bool {
        let waits = !matches!(action, Action::Select(Select { otherwise: Some(_), .. }));
        waits && Code::has_step(action, &self.polled)
    }

    /// Whether a statement reads operands before it is done.
    pub fn reads_first(&self, statement: &Statement) -> bool {
        operands(&statement.action).iter().any(|expr| self.is_shared(expr))
    }

    fn note_assigned(&mut self, block: &Block) {
        for statement in block {
            let action = &statement.action;
            let target = match action {
                Action::Assign(target, _) | Action::New(target, ..) => Some(target),
                Action::Spawn(target, ..) | Action::Call(target, ..) => target.as_ref(),
                _ => None,
            };
            match target.map(|target| &target.root) {
                Some(Root::Global(id)) => _ = self.globals.insert(*id),
                Some(Root::Field(object, field)) => {
                    self.fields.insert((object.of.object(), *field));
                }
                _ => {}
            }
            action.blocks().into_iter().for_each(|inner| self.note_assigned(inner));
        }
    }

    fn is_shared(&self, expr: &Expr) -> bool {
        let is_itself = match &expr.form {
            Form::Global(id) => self.globals.contains(id),
            Form::Field(object, field) => self.fields.contains(&(object.of.object(), *field)),
            Form::Ended(_) => true,
            _ => false,
        };
        is_itself || expr.children().iter().any(|child| self.is_shared(child))
    }

    /// Whether evaluating it is local.
    fn is_plain(&self, expr: &Expr) -> bool {
        !self.is_shared(expr) && !can_fault(expr)
    }

    fn find(&self, statement: &Statement, routine: RoutineRef) -> Known {
        let shared: Vec<bool> =
            operands(&statement.action).iter().map(|expr| self.is_shared(expr)).collect();
        let fits = |of: &Type, expr: &Expr| !can_fault(expr) && of.includes(&expr.of);
        let nothing = Vec::new();
        let (reads, is_local) = match &statement.action {
            Action::Assign(target, value) => match &target.root {
                Root::Local(_) => {
                    let has_place = self.is_place_local(target);
                    let of = self.type_of(target);
                    (nothing, has_place && !self.is_shared(value) && fits(&of, value))
                }
                Root::Global(_) | Root::Field(..) => (shared, false),
            },
            Action::New(target, object, arguments) => {
                let made = &self.program.objects[object.index()];
                let is_plain = |field: &Field| {
                    fits(&field.variable.of, &field.initial) && !self.is_shared(&field.initial)
                };
                let is_local = matches!(target.root, Root::Local(_))
                    && target.path.is_empty()
                    && made.parameters.iter().zip(arguments).all(|(p, a)| fits(&p.of, a))
                    && made.fields.iter().all(is_plain);
                (shared, is_local)
            }
            Action::If(condition, ..) => (nothing, self.is_plain(condition)),
            Action::Return(Some(value)) => {
                let result = self.routine(routine).result.as_ref();
                let of = result.unwrap_or(&value.of);
                (nothing, !self.is_shared(value) && fits(of, value))
            }
            Action::Choose(_, domain, when) => (nothing, when.is_none() && has_values(domain)),
            Action::Call(_, function, arguments) => {
                let parameters = &self.program.functions[function.index()].locals;
                let pairs = parameters.iter().zip(arguments).zip(shared);
                (pairs.map(|((p, a), shared)| shared || !fits(&p.of, a)).collect(), true)
            }
            Action::Spawn(..) | Action::Kill(_) | Action::Crash(_) | Action::Select(_) => {
                (shared, false)
            }
            Action::Either(_)
            | Action::Block(_)
            | Action::Loop(..)
            | Action::Break(_)
            | Action::Continue(_)
            | Action::Return(None)
            | Action::Defer(_) => (nothing, true),
            Action::Label(label) => (nothing, !self.is_observed(routine, *label)),
            Action::Atomic(_) | Action::Assert(_) | Action::Require(_) => (nothing, false),
        };
        Known { reads, is_local, is_rest: false }
    }

    fn is_observed(&self, routine: RoutineRef, label: program::LabelId) -> bool {
        let id = match routine {
            RoutineRef::Process(id) => Source::Process(id),
            RoutineRef::Function(id) => Source::Function(id),
        };
        self.observed.labels.contains(&(id, label))
    }

    /// The type of what a target leads to.
    pub fn type_of(&self, target: &Target) -> Type {
        let inside = |of: Type, way: &Selector| self.program.inside(&of, way);
        target.path.iter().fold(target.of.clone(), inside)
    }

    /// Whether finding a target touches nothing shared, and cannot fault.
    fn is_place_local(&self, target: &Target) -> bool {
        matches!(target.root, Root::Local(_))
            && target.path.iter().all(|way| matches!(way, Selector::Component(_)))
    }

    /// Whether assigning the result of a function is local.
    pub fn is_result_local(&self, target: &Target, function: FunctionId) -> bool {
        let result = &self.program.functions[function.index()].result;
        let result = result.as_ref().expect("a function whose result is used has one");
        self.is_place_local(target) && self.type_of(target).includes(result)
    }

    /// What of a target is read before the result of a function is assigned to it.
    pub fn reads_of_target(&self, target: &Target) -> Vec<bool> {
        match target.root {
            Root::Local(_) => Vec::new(),
            _ => operands_of_target(target).iter().map(|expr| self.is_shared(expr)).collect(),
        }
    }
}

/// What is evaluated to find a target.
pub fn operands_of_target(target: &Target) -> Vec<&Expr> {
    let mut found = Vec::new();
    if let Root::Field(object, _) = &target.root {
        found.push(object);
    }
    for way in &target.path {
        if let Selector::Element(index) = way {
            found.push(index);
        }
    }
    found
}

/// What is evaluated when a statement is come to, in order.
pub fn operands(action: &Action) -> Vec<&Expr> {
    match action {
        Action::Assign(target, value) if !matches!(target.root, Root::Local(_)) => {
            let mut found = operands_of_target(target);
            found.push(value);
            found
        }
        Action::New(_, _, arguments)
        | Action::Spawn(_, _, arguments)
        | Action::Call(_, _, arguments) => arguments.iter().collect(),
        Action::Kill(handle) | Action::Crash(handle) => vec![handle],
        Action::Select(select) => {
            select.arms.iter().flat_map(|arm| operands_of_operation(&arm.operation)).collect()
        }
        _ => Vec::new(),
    }
}

/// What is evaluated when an arm is come to.
pub fn operands_of_operation(operation: &Operation) -> Vec<&Expr> {
    match operation {
        Operation::Step { object, arguments, .. } => {
            [object].into_iter().chain(arguments).collect()
        }
        Operation::Join(handle, _) | Operation::JoinAny(handle, ..) => vec![handle],
        Operation::Await(_) => Vec::new(),
    }
}

fn can_fault(expr: &Expr) -> bool {
    if let Form::Sure(inner) = &expr.form {
        return inner.children().into_iter().any(can_fault);
    }
    let is_itself = match &expr.form {
        Form::Unwrap(_) | Form::Payload(..) | Form::Shift(..) => true,
        Form::Field(object, _) => matches!(object.of, Type::Optional(_)),
        Form::On(op, _) => {
            !matches!(op, CollectionOp::Len | CollectionOp::Has | CollectionOp::Without)
        }
        Form::Binary(BinaryOp::Divide | BinaryOp::Remainder, _, by) => {
            !matches!(by.form, Form::Literal(Literal::Int(number)) if number != 0)
        }
        _ => false,
    };
    is_itself || expr.children().into_iter().any(can_fault)
}

/// Whether one of these steps is called in a block.
fn contains_step(block: &Block, steps: &HashSet<(ObjectId, StepId)>) -> bool {
    block.iter().any(|Statement { action, .. }| {
        let blocks = action.blocks();
        let is_here = matches!(action, Action::Select(_)) && Code::has_step(action, steps);
        is_here || blocks.into_iter().any(|block| contains_step(block, steps))
    })
}

/// Whether other statements are written inside of one.
fn has_blocks(action: &Action) -> bool {
    match action {
        Action::If(..)
        | Action::Loop(..)
        | Action::Block(_)
        | Action::Either(_)
        | Action::Atomic(_)
        | Action::Defer(_) => true,
        Action::Select(Select { arms, otherwise, .. }) => {
            otherwise.is_some() || !arms.iter().all(|arm| arm.body.is_empty())
        }
        _ => false,
    }
}

/// Whether one sees that there is something to choose from.
fn has_values(domain: &Domain) -> bool {
    match domain {
        Domain::Type(_) | Domain::Forgotten(_) => true,
        Domain::Collection(_) => false,
        Domain::Range(from, to) => match (&from.form, &to.form) {
            (Form::Literal(Literal::Int(from)), Form::Literal(Literal::Int(to))) => from <= to,
            _ => false,
        },
    }
}
