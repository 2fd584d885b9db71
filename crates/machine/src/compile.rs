//! From programs to bytecode.
//!
//! What is local and what is a step is settled by the graphs of the routines ([`program::routines`]); here each node of a
//! graph, each arm of a stop, each step of an object becomes instructions. `expression` compiles what is evaluated,
//! `at_once` what is done at once, `flow` what leads from stop to stop.

mod at_once;
mod claim;
mod expression;
mod flow;
mod later;
mod member;
mod presence;

use std::collections::{BTreeMap, HashMap, HashSet};

use net::{EnumId, Net, Origin};
use program::claim::Claim;
use program::routines::Routines;
use program::{
    Action, Block, Expr, FieldId, FunctionId, InitialObject, Named, ObjectId, Observed, Operation,
    Program, Record, Refusal, RoutineId, StepId, Type,
};

use crate::code::{
    Address, ClassKind, Code, FirstValues, Instruction, MeetingCode, Note, NoteId, Point,
    PointKind, Register, RoutineCode,
};
use crate::heap::Class;
use crate::later::{Deed, OwnStep};
use at_once::Body;
use claim::{Scoped, followed};

/// What is compiled once, and called from anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Subroutine {
    /// A step of an object: its registers begin with the object, then come the arguments.
    Step(ObjectId, StepId),
    /// A function that is called where things are done at once.
    Function(FunctionId),
    /// Makes an object of the arguments.
    Constructor(ObjectId),
    /// What two do together: the object, the arguments of the first, those of the second.
    Meeting(ObjectId, usize),
    /// Makes an object that is there from the start.
    Initial(usize),
    /// Evaluates the first values of global variables.
    Globals,
}

/// Compiles a program of processes, and what is claimed of it. What is observed stays to be seen.
///
/// # Errors
///
/// What of the program cannot be executed.
///
/// # Panics
///
/// If the program is not one that a front end has checked.
pub fn compile(
    program: &Program,
    base: &Net,
    observed: &Observed,
    claims: &[Claim],
) -> Result<Code, Vec<Refusal>> {
    debug_assert!(program::check(program).is_ok(), "{:?}", program::check(program));
    let scoped: Vec<Scoped<'_>> = claims.iter().map(Scoped::of).collect();
    let routines = Routines::of(program, observed);
    let refusals = routines.refusals();
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let presence = presence::fields(program, observed);
    let laters = later::Analysis::of(program, &routines, &presence);
    let mut compiler = Compiler {
        program,
        base,
        observed,
        routines: &routines,
        laters: &laters,
        code: Code::default(),
        graphs: BTreeMap::new(),
        subroutines: HashMap::new(),
        to_compile: Vec::new(),
        presence: &presence,
        member_fields: HashMap::new(),
        types: HashMap::new(),
        notes: HashMap::new(),
        origin: Origin::default(),
        is_guard: false,
        is_plain: false,
    };
    compiler.program(claims.iter().any(|claim| followed(claim).is_some()));
    for claim in &scoped {
        let compiled = compiler.claim(claim).map_err(|refusal| vec![refusal])?;
        compiler.code.claims.push(compiled);
    }
    compiler.code.number_ways();
    Ok(compiler.code)
}

struct Compiler<'p> {
    program: &'p Program,
    base: &'p Net,
    observed: &'p Observed,
    routines: &'p Routines,
    laters: &'p later::Analysis<'p>,
    code: Code,
    /// The routines that run by themselves.
    graphs: BTreeMap<RoutineId, u32>,
    subroutines: HashMap<Subroutine, u32>,
    to_compile: Vec<Subroutine>,
    /// The fields of which it is kept whether there is something, and not what.
    presence: &'p HashSet<presence::Field>,
    /// The first field, behind the global variables, for each class of which members are alike.
    member_fields: HashMap<EnumId, u16>,
    types: HashMap<Type, u32>,
    notes: HashMap<Note, NoteId>,
    /// The statement that is being compiled.
    origin: Origin,
    /// Whether what is read tells whether one can go on, and whether it is outside of steps and `atomic` blocks.
    is_guard: bool,
    is_plain: bool,
}

impl<'p> Compiler<'p> {
    fn program(&mut self, follows: bool) {
        self.classes(follows);
        let ids: Vec<RoutineId> = self.routines.ids().collect();
        for id in &ids {
            let number = self.reserve();
            self.graphs.insert(*id, number);
        }
        self.code.processes = (0..self.program.processes.len() as u32)
            .map(|kind| self.graphs.get(&RoutineId::Process(program::ProcessId(kind))).copied())
            .collect();
        self.code.main = self.program.main;
        self.code.has_races = self.observed.races;
        self.code.has_kills = self.routines.facts.has_kills;
        self.code.has_forgotten = self.routines.facts.has_forgotten;
        self.code.is_main_single =
            self.program.main.is_some_and(|main| self.routines.is_single(main));
        self.code.keeps_endings = asks_for_endings(self.program);
        ids.into_iter().for_each(|id| self.graph(id));
        for (of, object) in (0..).map(ObjectId).zip(&self.program.objects) {
            for (number, meeting) in object.meetings.iter().enumerate() {
                let routine = self.subroutine(Subroutine::Meeting(of, number));
                self.code.meetings.push(MeetingCode {
                    of,
                    first: meeting.first,
                    second: meeting.second,
                    routine,
                    results: [None; 2],
                });
            }
        }
        for (number, InitialObject { of, .. }) in self.program.initial.iter().enumerate() {
            let object = &self.program.objects[of.index()];
            let first = FirstValues {
                class: self.code.object_class(*of),
                routine: self.subroutine(Subroutine::Initial(number)),
                from: object.parameters.len() as Register,
                count: object.fields.len() as u16,
            };
            self.code.initial.push(first);
        }
        let routine = self.subroutine(Subroutine::Globals);
        let count = self.program.globals.len() as u16;
        self.code.globals = FirstValues { class: Class(0), routine, from: 0, count };
        self.own_steps();
        while let Some(next) = self.to_compile.pop() {
            self.compile_subroutine(next);
        }
        self.code.landing = self.push(Instruction::Able);
        let dooms = |instruction: &Instruction| matches!(instruction, Instruction::End { .. });
        self.code.has_dooms = self.code.instructions.iter().any(dooms);
        let tries = |one: &Instruction| matches!(one, Instruction::Unless { .. });
        let polls = |point: &Point| match &point.what {
            PointKind::Stop(stop) => stop.otherwise.is_some(),
            PointKind::Call(_) => false,
        };
        self.code.has_lookouts = !self.code.meetings.is_empty()
            && (self.code.instructions.iter().any(tries) || self.code.points.iter().any(polls));
    }

    /// The steps that can be tried on their object alone.
    fn own_steps(&mut self) {
        for ((of, step), deeds) in self.laters.own_steps() {
            let routine = self.subroutine(Subroutine::Step(of, step));
            let (mut reads, mut writes) = (Vec::new(), Vec::new());
            for deed in deeds {
                match deed {
                    Deed::Reads(field) => reads.push(field),
                    Deed::Writes(field) => writes.push(field),
                    Deed::Does(_) => unreachable!("a step of its own does no other"),
                }
            }
            let class = self.code.object_class(of);
            let own = OwnStep { routine, reads: reads.into(), writes: writes.into() };
            self.code.own_steps.insert((class, step), own);
        }
    }

    fn classes(&mut self, follows: bool) {
        let Compiler { program, code, .. } = self;
        let objects = (0..program.objects.len() as u32).map(|id| ClassKind::Object(ObjectId(id)));
        let kinds = || (0..program.processes.len() as u32).map(program::ProcessId);
        code.classes = [ClassKind::Globals]
            .into_iter()
            .chain(objects)
            .chain(kinds().map(ClassKind::Running))
            .chain(kinds().map(ClassKind::Ended))
            .collect();
        let mut field = program.globals.len() as u16;
        for (id, class) in (0..).map(EnumId).zip(&self.base.enumerations) {
            if member::has_alike(class) {
                let members = member::members(class, Class(code.classes.len() as u16));
                self.member_fields.insert(id, field);
                field += members.fields();
                code.classes.push(ClassKind::Member(id));
                code.members.push(members);
            }
        }
        code.followed = follows.then_some(field);
        code.classes.push(ClassKind::Element);
        code.atomic_globals = program.globals.iter().map(|global| global.atomic).collect();
        code.parameters = { program.processes.iter() }.map(|kind| kind.parameters as u16).collect();
        let types =
            |record: &Record| record.components.iter().map(|part| part.of.clone()).collect();
        code.records = program.records.iter().map(types).collect();
        let variants = program.variants.iter();
        code.variants = variants.map(|variant| variant.cases.iter().map(types).collect()).collect();
        let fields = program.objects.iter();
        let fields = fields.map(|object| object.fields.iter().map(|f| f.atomic).collect());
        code.atomic_fields = fields.collect();
    }

    /// The number of a routine that is compiled later.
    fn reserve(&mut self) -> u32 {
        self.code.routines.push(RoutineCode { entry: Address(0), registers: 0 });
        self.code.routines.len() as u32 - 1
    }

    fn subroutine(&mut self, subroutine: Subroutine) -> u32 {
        if let Some(number) = self.subroutines.get(&subroutine) {
            return *number;
        }
        let number = self.reserve();
        self.subroutines.insert(subroutine, number);
        self.to_compile.push(subroutine);
        number
    }

    fn compile_subroutine(&mut self, subroutine: Subroutine) {
        let program = self.program;
        self.is_plain = false;
        self.is_guard = false;
        let entry = self.here();
        let registers = match subroutine {
            Subroutine::Step(of, step) => {
                let routine = &program.objects[of.index()].steps[step.index()].routine;
                self.routine_at_once(routine.locals.len(), &routine.body, routine.result.as_ref())
            }
            Subroutine::Function(function) => {
                let routine = &program.functions[function.index()];
                self.routine_at_once(routine.locals.len(), &routine.body, routine.result.as_ref())
            }
            Subroutine::Constructor(of) => {
                let mut body = Body::new(program.objects[of.index()].parameters.len());
                self.construct(of, &mut body);
                body.most
            }
            Subroutine::Initial(number) => self.initial_object(number),
            Subroutine::Globals => {
                let mut body = Body::new(0);
                let row = body.block(program.globals.len());
                for (to, global) in (row..).zip(&program.globals) {
                    self.origin = global.variable.origin;
                    self.fitted(&global.initial, &global.variable.of, to, &mut body);
                }
                self.push(Instruction::Return { from: None });
                body.most
            }
            Subroutine::Meeting(of, number) => self.meeting(of, number),
        };
        let number = self.subroutines[&subroutine];
        self.code.routines[number as usize] = RoutineCode { entry, registers };
    }

    fn routine_at_once(
        &mut self,
        locals: usize,
        block: &'p Block,
        result: Option<&'p Type>,
    ) -> u16 {
        let mut body = Body::new(locals);
        body.result = result;
        self.block(block, &mut body);
        self.push(Instruction::Return { from: None });
        body.most
    }

    /// Evaluates the fields of an object, whose parameters are the first registers, and makes it.
    fn construct(&mut self, of: ObjectId, body: &mut Body<'p>) {
        let row = self.fields(of, body);
        let count = self.program.objects[of.index()].fields.len() as u16;
        let (class, to) = (self.code.object_class(of), row);
        self.push(Instruction::New { to, class, from: row, count });
        self.push(Instruction::Return { from: Some(to) });
    }

    /// Evaluates the first values of fields into registers in a row.
    fn fields(&mut self, of: ObjectId, body: &mut Body<'p>) -> Register {
        let fields = &self.program.objects[of.index()].fields;
        let row = body.block(fields.len().max(1));
        for ((to, field), id) in (row..).zip(fields).zip((0..).map(FieldId)) {
            self.origin = field.variable.origin;
            self.fitted(&field.initial, &field.variable.of, to, body);
            if self.presence.contains(&(of, id)) {
                self.push(Instruction::Presence { to, from: to });
            }
        }
        row
    }

    /// The fields of an object that is there from the start: they are left in registers behind the parameters.
    fn initial_object(&mut self, number: usize) -> u16 {
        let object = &self.program.initial[number];
        let parameters = &self.program.objects[object.of.index()].parameters;
        let mut body = Body::new(parameters.len());
        for ((to, parameter), argument) in (0..).zip(parameters).zip(&object.arguments) {
            self.origin = parameter.origin;
            self.fitted(argument, &parameter.of, to, &mut body);
        }
        self.fields(object.of, &mut body);
        self.push(Instruction::Return { from: None });
        body.most
    }

    fn meeting(&mut self, of: ObjectId, number: usize) -> u16 {
        let object = &self.program.objects[of.index()];
        let meeting = &object.meetings[number];
        let mut body = Body::new(meeting.locals.len());
        self.block(&meeting.body, &mut body);
        let is_this = |code: &MeetingCode| {
            (code.of, code.first, code.second) == (of, meeting.first, meeting.second)
        };
        let result_of = |step: StepId| object.steps[step.index()].routine.result.as_ref();
        let steps = [meeting.first, meeting.second];
        let mut results = [None; 2];
        for ((result, step), to) in meeting.results.iter().zip(steps).zip(&mut results) {
            if let Some(value) = result {
                let of = result_of(step).unwrap_or(&value.of);
                let register = body.temporary();
                self.fitted(value, of, register, &mut body);
                *to = Some(register);
            }
        }
        self.push(Instruction::Return { from: None });
        let routine = self.subroutines[&Subroutine::Meeting(of, number)];
        let mut codes = self.code.meetings.iter_mut();
        let code = codes.find(|code| is_this(code) && code.routine == routine);
        code.expect("it was listed").results = results;
        body.most
    }

    fn here(&self) -> Address {
        Address(self.code.instructions.len() as u32)
    }

    /// Adds an instruction.
    fn push(&mut self, instruction: Instruction) -> Address {
        let at = self.here();
        self.code.instructions.push(instruction);
        self.code.origins.push(self.origin);
        at
    }

    /// Lets a jump lead here.
    fn land(&mut self, jump: Address) {
        let here = self.here();
        match &mut self.code.instructions[jump.0 as usize] {
            Instruction::Jump { to } | Instruction::JumpUnless { to, .. } => *to = here,
            other => unreachable!("{other:?} leads nowhere"),
        }
    }

    fn type_number(&mut self, of: &Type) -> u32 {
        if let Some(number) = self.types.get(of) {
            return *number;
        }
        let number = self.code.types.len() as u32;
        self.code.types.push(of.clone());
        self.types.insert(of.clone(), number);
        number
    }

    fn note(&mut self, index: Option<Register>, is_write: bool) -> NoteId {
        let Compiler { is_plain, is_guard, .. } = *self;
        let note = Note { index, is_write, is_plain, is_guard: is_guard && !is_write };
        let notes = &mut self.code.notes;
        *self.notes.entry(note).or_insert_with(|| {
            notes.push(note);
            notes.len() as u32 - 1
        })
    }

    /// The arguments of something, as what is called sees them, in registers in a row.
    fn arguments(
        &mut self,
        arguments: &'p [Expr],
        parameters: &'p [Named],
        row: Register,
        body: &mut Body<'p>,
    ) {
        for ((to, argument), parameter) in (row..).zip(arguments).zip(parameters) {
            self.fitted(argument, &parameter.of, to, body);
        }
    }
}

/// Whether it is asked how threads have ended.
fn asks_for_endings(program: &Program) -> bool {
    fn asks(block: &Block) -> bool {
        block.iter().any(|statement| {
            let own = match &statement.action {
                Action::Select(select) => select.arms.iter().any(|arm| match &arm.operation {
                    Operation::Join(_, result) | Operation::JoinAny(_, _, result) => {
                        result.is_some()
                    }
                    Operation::Step { .. } | Operation::Await(_) => false,
                }),
                _ => false,
            };
            own || statement.action.blocks().into_iter().any(asks)
        })
    }
    let routines = program.processes.iter().chain(&program.functions);
    let objects = program.objects.iter();
    let steps =
        objects.clone().flat_map(|object| object.steps.iter().map(|step| &step.routine.body));
    let meetings = objects.flat_map(|object| object.meetings.iter().map(|meeting| &meeting.body));
    routines.map(|routine| &routine.body).chain(steps).chain(meetings).any(asks)
}
