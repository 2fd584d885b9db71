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

use std::collections::{BTreeSet, HashMap, HashSet};

use net::{BinaryOp, Literal};
use process::program::{
    Action, Block, CollectionOp, Domain, Expr, FieldId, Form, FunctionId, GlobalId, LoopId,
    ObjectId, Operation, Program, Root, Routine, Selector, Statement, Target, Type,
};
use process::{Observed, RoutineId};

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
}

/// A program, made ready.
pub struct Code<'p> {
    pub program: &'p Program,
    pub observed: &'p Observed,
    /// Whether the first process stops before it begins.
    pub stops_first: bool,
    pub blocks: Vec<&'p Block>,
    known: Vec<Vec<Known>>,
    /// The routine that a block is in.
    routines: Vec<RoutineRef>,
    numbers: HashMap<*const Block, BlockId>,
    globals: HashSet<GlobalId>,
    fields: HashSet<(ObjectId, FieldId)>,
    /// The bodies of loops with a turn at their heads.
    pub heads: HashSet<BlockId>,
    /// The functions with a turn at their entries.
    pub entries: HashSet<FunctionId>,
}

impl<'p> Code<'p> {
    pub fn new(program: &'p Program, observed: &'p Observed) -> Code<'p> {
        let mut code = Code {
            program,
            observed,
            stops_first: true,
            blocks: Vec::new(),
            known: Vec::new(),
            routines: Vec::new(),
            numbers: HashMap::new(),
            globals: HashSet::new(),
            fields: HashSet::new(),
            heads: HashSet::new(),
            entries: HashSet::new(),
        };
        for object in &program.objects {
            object.steps.iter().for_each(|step| code.note_assigned(&step.routine.body));
            object.meetings.iter().for_each(|meeting| code.note_assigned(&meeting.body));
        }
        for routine in program.processes.iter().chain(&program.functions) {
            code.note_assigned(&routine.body);
        }
        let kinds = (0..).map(process::program::ProcessId).zip(&program.processes);
        for (id, routine) in kinds {
            code.number(&routine.body, RoutineRef::Process(id));
        }
        for (id, routine) in (0..).map(FunctionId).zip(&program.functions) {
            code.number(&routine.body, RoutineRef::Function(id));
        }
        Cutter::cut(&mut code);
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
        let known = block.iter().map(|statement| self.find(statement, routine)).collect();
        self.known[id.0 as usize] = known;
        for statement in block {
            for inner in statement.action.blocks() {
                self.number(inner, routine);
            }
        }
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
                let parameters = &self.program.objects[object.index()].parameters;
                let is_local = matches!(target.root, Root::Local(_))
                    && target.path.is_empty()
                    && parameters.iter().zip(arguments).all(|(p, a)| fits(&p.of, a));
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
        Known { reads, is_local }
    }

    fn is_observed(&self, routine: RoutineRef, label: process::program::LabelId) -> bool {
        let id = match routine {
            RoutineRef::Process(id) => RoutineId::Process(id),
            RoutineRef::Function(id) => RoutineId::Function(id),
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

/// Whether one sees that there is something to choose from.
fn has_values(domain: &Domain) -> bool {
    match domain {
        Domain::Type => true,
        Domain::Collection(_) => false,
        Domain::Range(from, to) => match (&from.form, &to.form) {
            (Form::Literal(Literal::Int(from)), Form::Literal(Literal::Int(to))) => from <= to,
            _ => false,
        },
    }
}

/// How a block can be left by local statements alone.
#[derive(Clone, Debug, Default)]
struct Ways {
    end: bool,
    returns: bool,
    breaks: BTreeSet<LoopId>,
    continues: BTreeSet<LoopId>,
}

impl Ways {
    fn end() -> Ways {
        Ways { end: true, ..Ways::default() }
    }

    fn add(&mut self, other: Ways) {
        self.end |= other.end;
        self.returns |= other.returns;
        self.breaks.extend(other.breaks);
        self.continues.extend(other.continues);
    }
}

/// Finds where one could go round without a step.
struct Cutter<'c, 'p> {
    code: &'c Code<'p>,
    /// The functions that local statements lead through.
    passable: HashSet<FunctionId>,
    /// The loops that local statements lead round.
    round: HashSet<BlockId>,
    /// Whether such loops are gone into.
    enters: bool,
    /// The functions come to.
    called: BTreeSet<FunctionId>,
}

impl Cutter<'_, '_> {
    fn cut(code: &mut Code) {
        let program = code.program;
        let mut cutter = Cutter {
            code,
            passable: HashSet::new(),
            round: HashSet::new(),
            enters: true,
            called: BTreeSet::new(),
        };
        loop {
            let before = cutter.passable.len();
            for (id, function) in (0..).map(FunctionId).zip(&program.functions) {
                let ways = cutter.block(&function.body);
                if ways.end || ways.returns {
                    cutter.passable.insert(id);
                }
            }
            if cutter.passable.len() == before {
                break;
            }
        }
        cutter.round.clear();
        for block in cutter.code.blocks.clone() {
            cutter.block(block);
        }
        cutter.enters = false;
        let mut callees = Vec::new();
        for function in &program.functions {
            cutter.called.clear();
            cutter.block(&function.body);
            callees.push(cutter.called.clone());
        }
        let mut entries = HashSet::new();
        for id in (0..callees.len()).map(|index| FunctionId(index as u32)) {
            let mut seen = BTreeSet::new();
            let mut open: Vec<FunctionId> = callees[id.index()].iter().copied().collect();
            while let Some(callee) = open.pop() {
                if seen.insert(callee) {
                    open.extend(&callees[callee.index()]);
                }
            }
            if seen.contains(&id) {
                entries.insert(id);
                callees[id.index()].clear();
            }
        }
        let heads = std::mem::take(&mut cutter.round);
        (code.heads, code.entries) = (heads, entries);
    }

    fn block(&mut self, block: &Block) -> Ways {
        let mut found = Ways::default();
        let mut deferred = Vec::new();
        let known = self.code.known[self.code.id(block).0 as usize].clone();
        for (statement, known) in block.iter().zip(known) {
            if let Action::Defer(later) = &statement.action {
                deferred.push(later);
                continue;
            }
            let mut ways = self.statement(statement, &known);
            let goes_on = std::mem::take(&mut ways.end);
            if deferred.iter().all(|later| self.block(later).end) {
                found.add(ways);
            }
            if !goes_on {
                return found;
            }
        }
        found.end = deferred.iter().all(|later| self.block(later).end);
        found
    }

    fn statement(&mut self, statement: &Statement, known: &Known) -> Ways {
        if !known.is_local || known.reads.contains(&true) {
            return Ways::default();
        }
        match &statement.action {
            Action::If(_, yes, no) => {
                let mut ways = self.block(yes);
                ways.add(self.block(no));
                ways
            }
            Action::Choose(..) if self.code.observed.branching => Ways::default(),
            Action::Either(_) if self.code.observed.branching => Ways::default(),
            Action::Either(blocks) => {
                let mut ways = Ways::default();
                blocks.iter().for_each(|block| ways.add(self.block(block)));
                ways
            }
            Action::Block(block) => self.block(block),
            Action::Loop(id, body) => {
                if !self.enters && self.round.contains(&self.code.id(body)) {
                    return Ways::default();
                }
                let mut ways = self.block(body);
                if ways.end || ways.continues.contains(id) {
                    self.round.insert(self.code.id(body));
                }
                ways.end = ways.breaks.remove(id);
                ways.continues.remove(id);
                ways
            }
            Action::Break(id) => Ways { breaks: BTreeSet::from([*id]), ..Ways::default() },
            Action::Continue(id) => Ways { continues: BTreeSet::from([*id]), ..Ways::default() },
            Action::Return(_) => Ways { returns: true, ..Ways::default() },
            Action::Call(target, function, _) => {
                self.called.insert(*function);
                let is_local = |target| self.code.is_result_local(target, *function);
                let end = self.passable.contains(function) && target.as_ref().is_none_or(is_local);
                Ways { end, ..Ways::default() }
            }
            _ => Ways::end(),
        }
    }
}
