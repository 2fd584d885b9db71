//! Random programs: well-typed, closed, and small.
//!
//! All variables have a value from the beginning, so that none is read before. Numbers are from small ranges.

// Other tests have this module elsewhere.
#[path = "generate/dispute.rs"]
pub mod dispute;
#[path = "generate/expression.rs"]
mod expression;
#[path = "generate/members.rs"]
mod members;
#[path = "generate/objects.rs"]
mod objects;
#[path = "generate/statement.rs"]
mod statement;

use net::{Literal, Origin};
use program::{
    Action, Block, Domain, Expr, Form, FunctionId, Global, GlobalId, InitialObject, Label, LabelId,
    LocalId, LoopId, Named, ObjectId, ProcessId, Program, Record, RecordId, Routine, Statement,
    Target, Type, Variant, VariantId,
};
use random::Random;

use members::MEMBER;
pub use objects::{BAG, CELL, CHANNEL, MUTEX, NODE, PORT};

/// What programs may have.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    pub kill: bool,
    pub crash: bool,
    pub otherwise: bool,
    pub meetings: bool,
    pub defers: bool,
    pub functions: bool,
    pub collections: bool,
    pub faults: bool,
    pub loops_without_steps: bool,
    pub labels: bool,
    /// Processes without a statement that is not local, and a first process that begins with a choice.
    pub short: bool,
    /// How many of a hundred processes go on for ever.
    pub endless: u32,
    /// Statements at which one may wait for ever.
    pub idle: bool,
    /// A class of which members are alike.
    pub members: bool,
}

impl Features {
    pub const ALL: Features = Features {
        kill: true,
        crash: true,
        otherwise: true,
        meetings: true,
        defers: true,
        functions: true,
        collections: true,
        faults: true,
        loops_without_steps: true,
        labels: true,
        short: true,
        endless: 15,
        idle: true,
        members: false,
    };

    /// Processes that go on for ever, and do not get in each other's way too often.
    pub const LIVELY: Features = Features {
        kill: false,
        crash: false,
        otherwise: true,
        meetings: false,
        defers: false,
        functions: false,
        collections: false,
        faults: false,
        loops_without_steps: true,
        labels: true,
        short: false,
        endless: 80,
        idle: true,
        members: false,
    };
}

/// What makes a program.
pub struct Generator<'r> {
    random: &'r mut Random,
    features: Features,
    program: Program,
    /// The signatures of processes and functions, which are known before their bodies are.
    processes: Vec<(Vec<Type>, Option<Type>)>,
    functions: Vec<(Vec<Type>, Option<Type>)>,
    /// Whether a function calls only later ones of which this is true, too.
    is_ordered: Vec<bool>,
    next_loop: u32,
}

/// What is around a statement.
#[derive(Clone)]
struct Context {
    locals: Vec<Type>,
    /// The variables that a statement may assign to.
    writable: Vec<bool>,
    loops: Vec<LoopId>,
    /// Whether it is done at once.
    at_once: bool,
    /// Whether it is deferred: it cannot leave what is around it.
    is_deferred: bool,
    is_step: bool,
    can_return: bool,
    result: Option<Type>,
    depth: usize,
    function: Option<FunctionId>,
}

/// A range of numbers.
pub fn int(min: i64, max: i64) -> Type {
    Type::Int { min, max }
}

pub fn optional(of: Type) -> Type {
    Type::Optional(Box::new(of))
}

pub fn number(value: i64) -> Expr {
    Expr { form: Form::Literal(Literal::Int(value)), of: int(value, value) }
}

pub fn truth(value: bool) -> Expr {
    Expr { form: Form::Literal(Literal::Bool(value)), of: Type::Bool }
}

pub fn named(name: impl Into<String>, of: Type) -> Named {
    Named { name: name.into(), of, origin: Origin::default() }
}

/// Something of a kind.
pub const PAIR: RecordId = RecordId(0);
pub const MESSAGE: VariantId = VariantId(0);

/// Makes a program.
pub fn program(random: &mut Random, features: Features) -> Program {
    let mut generator = Generator {
        random,
        features,
        program: Program::default(),
        processes: Vec::new(),
        functions: Vec::new(),
        is_ordered: Vec::new(),
        next_loop: 0,
    };
    generator.declare();
    generator.bodies();
    let mut program = generator.program;
    written(&mut program);
    program
}

/// Gives each statement of a program a place of its own.
fn written(program: &mut Program) {
    let mut next = 0;
    for routine in program.processes.iter_mut().chain(&mut program.functions) {
        write_down(&mut routine.body, &mut next);
    }
}

/// Puts a label before each call that is not done at once, and one at the beginning of each function. Some of the calls
/// are deferred, if the function does not call itself. Says whether there is such a call.
pub fn label_calls(random: &mut Random, program: &mut Program) -> bool {
    let recursive: Vec<bool> =
        (0..program.functions.len()).map(|of| calls_itself(program, of)).collect();
    let mut is_changed = false;
    for routine in program.processes.iter_mut().chain(&mut program.functions) {
        is_changed |= label_in(&mut routine.body, random, &recursive);
    }
    for function in &mut program.functions {
        let (action, origin) = (Action::Label(LabelId(random.below(8))), Origin::default());
        function.body.insert(0, Statement { action, origin });
    }
    written(program);
    is_changed
}

/// Puts labels before statements of every kind that are not done at once, and lets some statements be written as one.
pub fn label_statements(random: &mut Random, program: &mut Program) {
    for routine in program.processes.iter_mut().chain(&mut program.functions) {
        label_all(&mut routine.body, random);
    }
    written(program);
    for routine in program.processes.iter_mut().chain(&mut program.functions) {
        write_as_one(&mut routine.body, random);
    }
}

fn label_all(block: &mut Block, random: &mut Random) {
    let origin = Origin::default();
    for mut statement in std::mem::take(block) {
        if !matches!(statement.action, Action::Atomic(_)) {
            statement.action.blocks_mut().into_iter().for_each(|inner| label_all(inner, random));
        }
        // Loops are rarely begun again otherwise.
        if let Action::Break(id) = statement.action
            && random.percent(25)
        {
            statement.action = Action::Continue(id);
        }
        if random.percent(25) {
            let action = Action::Label(LabelId(random.below(8)));
            block.push(Statement { action, origin });
            if random.percent(15) {
                block.push(Statement { action: Action::Block(Vec::new()), origin });
            }
        }
        block.push(statement);
    }
    let is_left = |statement: &Statement| {
        matches!(statement.action, Action::Break(_) | Action::Continue(_) | Action::Return(_))
    };
    if block.last().is_some_and(|last| !is_left(last)) && random.percent(15) {
        let action = Action::Label(LabelId(random.below(8)));
        block.push(Statement { action, origin });
    }
}

/// Lets an assignment or a condition belong to the statement before it.
fn write_as_one(block: &mut Block, random: &mut Random) {
    for at in 1..block.len() {
        let is_label = matches!(block[at - 1].action, Action::Label(_));
        let may_follow = matches!(block[at].action, Action::Assign(..) | Action::If(..));
        if may_follow && !is_label && random.percent(30) {
            block[at].origin = block[at - 1].origin;
        }
    }
    for statement in block {
        statement.action.blocks_mut().into_iter().for_each(|inner| write_as_one(inner, random));
    }
}

fn label_in(block: &mut Block, random: &mut Random, recursive: &[bool]) -> bool {
    let mut is_changed = false;
    for mut statement in std::mem::take(block) {
        if !matches!(statement.action, Action::Atomic(_)) {
            for inner in statement.action.blocks_mut() {
                is_changed |= label_in(inner, random, recursive);
            }
        }
        let Action::Call(_, function, _) = &statement.action else {
            block.push(statement);
            continue;
        };
        is_changed = true;
        let is_deferred = !recursive[function.index()] && random.percent(50);
        let origin = Origin::default();
        let action = Action::Label(LabelId(random.below(8)));
        let labelled = vec![Statement { action, origin }, statement];
        match is_deferred {
            true => block.push(Statement { action: Action::Defer(labelled), origin }),
            false => block.extend(labelled),
        }
    }
    is_changed
}

/// Whether a function calls itself, perhaps by way of others.
fn calls_itself(program: &Program, function: usize) -> bool {
    let (mut seen, mut open) = (vec![false; program.functions.len()], vec![function]);
    while let Some(at) = open.pop() {
        let mut called = Vec::new();
        note_calls(&program.functions[at].body, &mut called);
        for callee in called {
            if callee == function {
                return true;
            }
            if !std::mem::replace(&mut seen[callee], true) {
                open.push(callee);
            }
        }
    }
    false
}

fn note_calls(block: &Block, found: &mut Vec<usize>) {
    for Statement { action, .. } in block {
        if let Action::Call(_, function, _) = action {
            found.push(function.index());
        }
        action.blocks().into_iter().for_each(|block| note_calls(block, found));
    }
}

/// Gives each statement a place of its own, arms that of their statement.
fn write_down(block: &mut Block, next: &mut usize) {
    for statement in block {
        *next += 1;
        statement.origin = Origin::new(*next - 1..*next);
        match &mut statement.action {
            Action::If(_, yes, no) => {
                write_down(yes, next);
                write_down(no, next);
            }
            Action::Loop(_, block)
            | Action::Block(block)
            | Action::Atomic(block)
            | Action::Defer(block) => write_down(block, next),
            Action::Either(blocks) => blocks.iter_mut().for_each(|block| write_down(block, next)),
            Action::Select(select) => {
                for arm in &mut select.arms {
                    arm.origin = statement.origin;
                    write_down(&mut arm.body, next);
                }
                select.otherwise.iter_mut().for_each(|block| write_down(block, next));
            }
            _ => {}
        }
    }
}

impl Generator<'_> {
    fn statement(&mut self, action: Action) -> Statement {
        Statement { action, origin: Origin::default() }
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.random.percent(percent)
    }

    /// Types, objects, globals, and the signatures of routines.
    fn declare(&mut self) {
        let any = || optional(Type::Handle(None));
        let of = |name: &str, components: Vec<Named>| Record { name: name.into(), components };
        let pair = vec![named("n", int(0, 1)), named("who", any())];
        self.program.records = vec![of("pair", pair)];
        let cases = vec![
            of("stop", vec![]),
            of("number", vec![named("n", int(0, 1))]),
            of("somebody", vec![named("who", any())]),
        ];
        self.program.variants = vec![Variant { name: "message".into(), cases }];
        for kind in [MUTEX, CELL, CHANNEL, PORT, NODE, BAG] {
            let wanted = match kind {
                MUTEX => self.percent(50.max(self.features.endless)),
                PORT => self.features.meetings && self.percent(70),
                BAG => self.features.collections && self.percent(30),
                _ => self.percent(50),
            };
            if wanted {
                self.initial_object(kind);
            }
        }
        for index in 0..1 + self.random.below(2_usize) {
            let of = [int(0, 1), int(0, 2), Type::Bool, any()][self.random.below(4_usize)].clone();
            let initial = self.first(&of);
            let variable = named(format!("g{index}"), of);
            self.program.globals.push(Global { variable, initial, atomic: false });
        }
        if self.features.members {
            self.declare_members();
        }
        self.objects();
        let kinds = 1 + self.random.below(2_usize);
        self.processes.push((Vec::new(), None));
        for _ in 0..kinds {
            let parameters = self.parameters();
            let result = self.percent(40).then(|| int(0, 1));
            self.processes.push((parameters, result));
        }
        if self.features.functions {
            for _ in 0..self.random.below(3_usize) {
                let mut parameters = self.parameters();
                parameters.insert(0, int(0, 3));
                let result = self.percent(50).then(|| int(0, 1));
                self.functions.push((parameters, result));
                let is_ordered = self.percent(60);
                self.is_ordered.push(is_ordered);
            }
        }
    }

    fn initial_object(&mut self, of: ObjectId) {
        let number = self.program.initial.len() as u32;
        self.program.initial.push(InitialObject { of, arguments: vec![] });
        let variable = named(format!("o{number}"), Type::Object(of));
        let initial = Expr { form: Form::Initial(number), of: Type::Object(of) };
        self.program.globals.push(Global { variable, initial, atomic: false });
    }

    fn parameters(&mut self) -> Vec<Type> {
        (0..self.random.below(3_usize))
            .map(|_| match self.random.below(6) {
                0 | 1 => int(0, 1),
                2 => Type::Handle(None),
                3 => optional(Type::Handle(None)),
                4 => Type::Object(*self.random.pick(&[MUTEX, CELL, CHANNEL, NODE])),
                _ => Type::Object(if self.features.meetings { PORT } else { CELL }),
            })
            .collect()
    }

    fn bodies(&mut self) {
        let main = self.routine("main".into(), Vec::new(), None, None);
        self.program.processes.push(main);
        for index in 1..self.processes.len() {
            let (parameters, result) = self.processes[index].clone();
            let routine = self.routine(format!("p{index}"), parameters, result, None);
            self.program.processes.push(routine);
        }
        for index in 0..self.functions.len() {
            let (parameters, result) = self.functions[index].clone();
            let id = FunctionId(index as u32);
            let routine = self.routine(format!("f{index}"), parameters, result, Some(id));
            self.program.functions.push(routine);
        }
        self.program.main = Some(ProcessId(0));
    }

    /// A type of a variable.
    fn local_type(&mut self) -> Type {
        let any = Type::Handle(None);
        let kind = ProcessId(self.random.below(self.processes.len() as u32));
        let object = *self.random.pick(&[MUTEX, CELL, CHANNEL, NODE, PORT]);
        let collections = if self.features.collections { 7 } else { 0 };
        if self.features.members && self.percent(40) {
            return self.type_of_members();
        }
        match self.random.below(11 + collections) {
            0 | 1 => int(0, 2),
            2 => int(0, 1),
            3 => Type::Bool,
            4 | 5 => optional(any),
            6 | 7 => optional(Type::Handle(Some(kind))),
            8 => any,
            9 => {
                Type::Object(if object == PORT && !self.features.meetings { CELL } else { object })
            }
            10 => optional(Type::Object(if self.percent(70) { NODE } else { object })),
            11 => Type::Sequence(Box::new(int(0, 1)), 2),
            12 => Type::Sequence(Box::new(any), 2),
            13 => Type::Set(Box::new(any), 2),
            14 => Type::Map(
                Box::new(if self.percent(50) { int(0, 1) } else { any }),
                Box::new(int(0, 1)),
                2,
            ),
            15 => Type::Record(PAIR),
            16 => Type::Variant(MESSAGE),
            _ => optional(int(0, 1)),
        }
    }

    fn routine(
        &mut self,
        name: String,
        parameters: Vec<Type>,
        result: Option<Type>,
        function: Option<FunctionId>,
    ) -> Routine {
        let count = parameters.len();
        let mut locals = parameters;
        for _ in 0..1 + self.random.below(4_usize) {
            locals.push(self.local_type());
        }
        if self.features.members {
            locals.push(MEMBER);
        }
        // One that gets the results of processes.
        locals.push(optional(int(0, 1)));
        let is_main = name == "main";
        let mut context = Context {
            writable: vec![true; locals.len()],
            locals,
            loops: Vec::new(),
            at_once: false,
            is_deferred: false,
            is_step: false,
            can_return: true,
            result: result.clone(),
            depth: 0,
            function,
        };
        if function.is_some() {
            context.writable[0] = false;
        }
        let mut body = Vec::new();
        for index in count..context.locals.len() {
            let local = LocalId(index as u32);
            let of = context.locals[index].clone();
            let target = Target::local(local, of.clone());
            let action = match of {
                Type::Object(id) => Action::New(target, id, vec![]),
                MEMBER => Action::Choose(local, Domain::Type(MEMBER), None),
                of => Action::Assign(target, self.first(&of)),
            };
            body.push(self.statement(action));
        }
        if is_main && !(self.features.short && self.percent(10)) {
            body.push(self.first_step());
        } else if !(self.features.short && self.percent(20)) {
            body.push(self.step_for_sure(&mut context));
        }
        if is_main {
            body.extend(self.beginning(&mut context));
            if self.percent(self.features.endless) {
                body.extend(self.of_mutex(0, &context));
                body.extend(self.of_mutex(2, &context));
            }
        }
        let size = if is_main { 1 } else { 4 } + self.random.below(4_usize);
        let is_endless = self.percent(self.features.endless);
        if is_endless && !is_main && function.is_none() {
            body.push(self.endless(&context));
        } else {
            body.extend(self.block_of(&mut context, size));
        }
        if let Some(of) = &result {
            let value = self.expression(of, &context, 1);
            body.push(self.statement(Action::Return(Some(value))));
        }
        let labels = (0..8).map(|n| Label { name: format!("l{n}"), origin: Origin::default() });
        Routine {
            name,
            parameters: count,
            locals: (0..)
                .zip(&context.locals)
                .map(|(n, of): (usize, _)| named(format!("x{n}"), of.clone()))
                .collect(),
            result,
            labels: labels.collect(),
            body,
            origin: Origin::default(),
        }
    }

    /// Objects and processes that the first process makes.
    fn beginning(&mut self, context: &mut Context) -> Vec<Statement> {
        let mut body = Vec::new();
        for _ in 0..2 + self.random.below(2_usize) {
            body.push(self.spawn(context));
        }
        body
    }

    /// The first value of a variable.
    fn first(&mut self, of: &Type) -> Expr {
        let form = match of {
            Type::Int { min, max } => {
                Form::Literal(Literal::Int(min + self.random.below((max - min + 1) as u32) as i64))
            }
            Type::Bool => Form::Literal(Literal::Bool(self.percent(50))),
            Type::Handle(_) => Form::This,
            Type::Optional(_) => Form::None,
            Type::Sequence(..) | Type::Set(..) | Type::Map(..) => Form::Collection(vec![]),
            Type::Record(id) => {
                let components = self.program.records[id.index()].components.clone();
                Form::Record(components.iter().map(|named| self.first(&named.of)).collect())
            }
            Type::Variant(_) => Form::Case(0, vec![]),
            Type::Object(_) | Type::Member(_) => panic!("{of:?} has no first value"),
        };
        let of = match (&form, of) {
            (Form::Literal(Literal::Int(number)), _) => int(*number, *number),
            (_, of) => of.clone(),
        };
        Expr { form, of }
    }

    fn label(&mut self) -> LabelId {
        LabelId(self.random.below(8))
    }

    fn globals_of(&self, fits: impl Fn(&Type) -> bool) -> Vec<GlobalId> {
        let globals = (0..).map(GlobalId).zip(&self.program.globals);
        globals.filter(|(_, global)| fits(&global.variable.of)).map(|(id, _)| id).collect()
    }
}
