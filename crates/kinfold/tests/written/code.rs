//! Bodies as code: a list of operations for each routine, and which of them are steps.
//!
//! What is a step is said in `docs/processes.md`, "One step at a time", and in DESIGN §8.

use std::collections::BTreeSet;

use crate::program::{
    Argument, Block, Expr, Index, Kind, LARGEST, NONE, Operator, Program, Property, Routine, Seen,
    Statement, Type, Wait, Whom,
};

/// Where an operation is.
pub type Place = usize;

/// An operation.
#[derive(Clone, Debug)]
pub enum Op<'p> {
    /// A process stops before the next statement, and is at this label until that is done.
    Label(Index),
    Set(Index, Expr),
    /// An operand is read, which is no statement yet.
    Read(Index, Expr),
    /// What was read before is written.
    Write(Index, Expr),
    Branch(Expr, Place),
    Jump(Place),
    /// The head of a loop.
    Head,
    Choose(Index, i8, Option<&'p Expr>),
    Either(Place),
    Await(&'p Expr),
    Assert(&'p Expr),
    Atomic(&'p Block),
    Step(Index),
    Send(Index, Expr),
    Receive(Index, Option<Index>),
    Close(Index),
    Lock(Index),
    Unlock(Index),
    Spawn(Index, Option<Index>, Option<Given>),
    Join(Index),
    Kill(Whom),
    Crash(Whom),
    /// A call, and whether the statement goes on behind it.
    Call(Index, Expr, Option<Index>, bool),
    Select(&'p [crate::program::Arm], Vec<Place>, Option<Place>),
    /// A block begins, which may defer something.
    Enter,
    /// So many blocks are left; then it goes on elsewhere. It is a statement, or the end of a block.
    Leave(usize, Place, bool),
    /// Something is deferred, by a statement or by `with`.
    Defer(Place, bool),
    /// The end of what was deferred.
    Deferred,
    Return(Option<Expr>),
}

/// What a process is given when it is spawned.
#[derive(Clone, Debug)]
pub enum Given {
    Value(Expr),
    Process(Whom),
}

/// Which routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    Function(Index),
    Process(Index),
}

/// A mistake that the interpreter makes on purpose, to see that it is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// An assignment of a variable to itself is left out.
    SelfAssignment,
    /// Reading and writing is one step.
    OneStep,
    /// Conditions that do not hold are not read.
    HeldGuards,
    /// What is done beside a meeting is no access.
    Meeting,
    /// Whoever is killed does nothing more.
    Killed,
    /// `else` can go at any time.
    Else,
    /// Two who poll meet.
    Polls,
    /// To be crashed is an end.
    Crash,
    /// Nobody waits idly.
    Idle,
}

impl Mistake {
    pub const ALL: [Mistake; 9] = [
        Mistake::SelfAssignment,
        Mistake::OneStep,
        Mistake::HeldGuards,
        Mistake::Meeting,
        Mistake::Killed,
        Mistake::Else,
        Mistake::Polls,
        Mistake::Crash,
        Mistake::Idle,
    ];
}

/// What is known of a routine.
#[derive(Clone, Debug)]
pub struct Layout {
    pub entry: Place,
    /// The types of its variables. Hidden ones come behind, the first of them for what was read and is not yet used.
    pub locals: Vec<Type>,
    pub hidden: usize,
}

/// A program as code.
#[derive(Debug)]
pub struct Code<'p> {
    pub program: &'p Program,
    pub ops: Vec<Op<'p>>,
    pub idle: Vec<bool>,
    /// Whether a process stops before an operation, whether there is a label or not.
    pub stops: Vec<bool>,
    /// Whether a process that stands before an operation can be killed there: it is not local.
    pub killable: Vec<bool>,
    pub functions: Vec<Layout>,
    pub processes: Vec<Layout>,
    /// Which channels without capacity a `select` with `else` polls.
    pub polled: Vec<bool>,
    /// Whether processes can meet: there is a channel without capacity, and somebody sends, and somebody receives.
    meets: bool,
    /// Which shared variables are assigned somewhere.
    written: Vec<bool>,
    /// The labels of functions and processes that properties mention.
    observed: Vec<(Which, Index)>,
    /// Whether there are properties of branching time.
    branching: bool,
    mistake: Option<Mistake>,
}

/// What surrounds a statement.
#[derive(Clone, Default)]
struct Around {
    /// How many blocks were entered within the loop.
    blocks: usize,
    /// Jumps to be sent to the end of the loop, and where its next round begins.
    breaks: Vec<Place>,
    next: Place,
}

/// Makes the code of one routine.
struct Maker<'c, 'p> {
    code: &'c mut Code<'p>,
    which: Which,
    routine: &'p Routine,
    /// The number of variables, with hidden ones.
    variables: usize,
    loops: Vec<Around>,
}

impl<'p> Code<'p> {
    pub fn new(program: &'p Program, mistake: Option<Mistake>) -> Code<'p> {
        let mut written = vec![false; program.shared.len()];
        let mut polled = vec![false; program.channels.len()];
        let (mut sends, mut receives) = (false, false);
        for body in program.bodies() {
            body.each(&mut |statement| match &statement.kind {
                Kind::SetShared(variable, _) | Kind::SetByCall(variable, ..) => {
                    written[*variable] = true;
                }
                Kind::Send(..) => sends = true,
                Kind::Receive(..) => receives = true,
                Kind::Select(arms, otherwise) => {
                    for arm in arms {
                        sends |= matches!(arm.wait, Wait::Send(..));
                        receives |= matches!(arm.wait, Wait::Receive(..));
                        if let Wait::Send(channel, _) | Wait::Receive(channel, _) = arm.wait {
                            let polls = otherwise.is_some() && program.channels[channel] == 0;
                            polled[channel] |= polls;
                        }
                    }
                }
                _ => {}
            });
        }
        let mut observed = Vec::new();
        for property in &program.properties {
            property.each(&mut |seen| match seen {
                Seen::Count(process, Some(label), _) => {
                    observed.push((Which::Process(*process), *label));
                }
                Seen::Inside(_, function, label) => {
                    observed.push((Which::Function(*function), *label));
                }
                _ => {}
            });
        }
        let branching = program.properties.iter().any(|one| matches!(one, Property::Branching(_)));
        let mut code = Code {
            program,
            ops: Vec::new(),
            idle: Vec::new(),
            stops: Vec::new(),
            killable: Vec::new(),
            functions: Vec::new(),
            processes: Vec::new(),
            polled,
            meets: sends && receives && program.channels.contains(&0),
            written,
            observed,
            branching,
            mistake,
        };
        for (index, routine) in program.functions.iter().enumerate() {
            let layout = code.routine(Which::Function(index), routine);
            code.functions.push(layout);
        }
        for (index, routine) in program.processes.iter().enumerate() {
            let layout = code.routine(Which::Process(index), routine);
            code.processes.push(layout);
        }
        code.find_stops();
        code
    }

    fn routine(&mut self, which: Which, routine: &'p Routine) -> Layout {
        let entry = self.ops.len();
        let held = routine.locals.len();
        let mut maker =
            Maker { code: self, which, routine, variables: held + 1, loops: Vec::new() };
        maker.declarations();
        maker.block(&routine.body);
        maker.push(Op::Return(None));
        let hidden = maker.variables - held;
        Layout { entry, locals: routine.locals.clone(), hidden }
    }

    pub fn makes(&self, mistake: Mistake) -> bool {
        self.mistake == Some(mistake)
    }

    pub fn layout(&self, which: Which) -> &Layout {
        match which {
            Which::Function(index) => &self.functions[index],
            Which::Process(index) => &self.processes[index],
        }
    }

    /// Whether an expression touches what others may change.
    fn touches(&self, expr: &Expr) -> bool {
        let mut found = false;
        expr.each(&mut |expr| match expr {
            Expr::Shared(variable) => found |= self.written[*variable],
            Expr::Ended(_) => found = true,
            _ => {}
        });
        found
    }

    /// The values that an expression can have by the types of what is in it, and whether it can be a fault.
    fn range(&self, expr: &Expr, locals: &[Type]) -> (i32, i32, bool) {
        let typed = |of: Type| match of {
            Type::Number => (0, i32::from(LARGEST), false),
            _ => (0, 1, false),
        };
        match expr {
            Expr::Number(number) => (i32::from(*number), i32::from(*number), false),
            Expr::Truth(_) | Expr::Ended(_) => (0, 1, false),
            Expr::None => (NONE.into(), NONE.into(), false),
            Expr::Shared(variable) => typed(self.program.shared[*variable].of),
            Expr::Local(local) => locals.get(*local).map_or((0, 0, false), |of| typed(*of)),
            Expr::Not(inner) => (0, 1, self.range(inner, locals).2),
            Expr::Binary(operator, left, right) => {
                let (low, high, left) = self.range(left, locals);
                let (least, most, right) = self.range(right, locals);
                let faults = left || right;
                match operator {
                    Operator::Plus => (low + least, high + most, faults),
                    Operator::Minus => (low - most, high - least, faults),
                    Operator::Over => (0, high, faults || least <= 0),
                    Operator::Modulo => (0, high.min(most - 1), faults || least <= 0),
                    _ => (0, 1, faults),
                }
            }
        }
    }

    /// Whether a value may not fit a variable, or be a fault by itself.
    fn may_fault(&self, expr: &Expr, of: Option<Type>, locals: &[Type]) -> bool {
        let (low, high, faults) = self.range(expr, locals);
        faults || of == Some(Type::Number) && (low < 0 || high > i32::from(LARGEST))
    }

    fn find_stops(&mut self) {
        let mut owners = Vec::new();
        for layout in self.functions.iter().chain(&self.processes) {
            owners.push((layout.entry, layout.locals.clone()));
        }
        let locals = |place: Place| -> &[Type] {
            &owners.iter().rfind(|(entry, _)| *entry <= place).expect("it is in a routine").1
        };
        self.stops = (0..self.ops.len())
            .map(|place| self.is_step(&self.ops[place], locals(place)))
            .collect();
        self.killable = self.stops.clone();
        for place in 0..self.ops.len() {
            self.stops[place] |= self.comes_to_point(place)
                || self.branching && matches!(self.ops[place], Op::Choose(..) | Op::Either(_));
        }
        // Where a loop comes back to its head without a step, it stops there.
        for place in 0..self.ops.len() {
            let turns = matches!(self.ops[place], Op::Head) && self.goes_round(place);
            self.stops[place] |= turns;
            self.killable[place] |= turns;
        }
    }

    /// Whether an operation is a local statement right before a label at which processes stop, or before they wait to meet
    /// somebody who may look whether they do.
    fn comes_to_point(&self, place: Place) -> bool {
        let mut next = match self.ops[place] {
            Op::Set(local, Expr::Local(same)) if local == same => return false,
            Op::Set(..) | Op::Choose(..) => vec![place + 1],
            Op::Branch(_, other) | Op::Either(other) => vec![place + 1, other],
            _ => return false,
        };
        let mut seen = BTreeSet::new();
        while let Some(place) = next.pop() {
            if !seen.insert(place) {
                continue;
            }
            match self.ops[place] {
                Op::Label(_) => return true,
                _ if self.meets && !self.offers(place).is_empty() => return true,
                Op::Jump(to) | Op::Leave(_, to, _) => next.push(to),
                Op::Head | Op::Enter | Op::Defer(..) => next.push(place + 1),
                Op::Set(local, Expr::Local(same)) if local == same => next.push(place + 1),
                _ => {}
            }
        }
        false
    }

    /// The channels at which an operation waits for somebody.
    pub fn offers(&self, place: Place) -> Vec<Index> {
        let mut found = Vec::new();
        let of_block = |block: &Block, found: &mut Vec<Index>| {
            block.each(&mut |statement| match statement.kind {
                Kind::Send(channel, _) | Kind::Receive(channel, _) => found.push(channel),
                _ => {}
            });
        };
        match &self.ops[place] {
            Op::Send(channel, _) | Op::Receive(channel, _) => found.push(*channel),
            Op::Atomic(block) => of_block(block, &mut found),
            Op::Step(step) => of_block(&self.program.steps[*step], &mut found),
            Op::Select(arms, ..) => {
                for arm in *arms {
                    if let Wait::Send(channel, _) | Wait::Receive(channel, _) = arm.wait {
                        found.push(channel);
                    }
                }
            }
            _ => {}
        }
        found
    }

    /// Whether an operation is a statement; others are between statements.
    pub fn is_statement(&self, place: Place) -> bool {
        !matches!(
            self.ops[place],
            Op::Label(_)
                | Op::Jump(_)
                | Op::Head
                | Op::Enter
                | Op::Leave(_, _, false)
                | Op::Defer(_, false)
                | Op::Deferred
        )
    }

    fn is_step(&self, op: &Op<'_>, locals: &[Type]) -> bool {
        match op {
            Op::Set(local, value) => {
                self.touches(value) || self.may_fault(value, locals.get(*local).copied(), locals)
            }
            Op::Read(..) => true,
            Op::Branch(condition, _) => {
                self.touches(condition) || self.may_fault(condition, None, locals)
            }
            Op::Call(_, argument, ..) => self.may_fault(argument, Some(Type::Number), locals),
            Op::Return(Some(value)) => self.may_fault(value, Some(Type::Number), locals),
            Op::Choose(_, _, condition) => condition.is_some(),
            Op::Either(_)
            | Op::Label(_)
            | Op::Jump(_)
            | Op::Head
            | Op::Enter
            | Op::Leave(..)
            | Op::Defer(..)
            | Op::Deferred
            | Op::Return(None) => false,
            Op::Write(..)
            | Op::Await(_)
            | Op::Assert(_)
            | Op::Atomic(_)
            | Op::Step(_)
            | Op::Send(..)
            | Op::Receive(..)
            | Op::Close(_)
            | Op::Lock(_)
            | Op::Unlock(_)
            | Op::Spawn(..)
            | Op::Join(_)
            | Op::Kill(_)
            | Op::Crash(_)
            | Op::Select(..) => true,
        }
    }

    /// Whether a loop comes back to its head without a step.
    fn goes_round(&self, head: Place) -> bool {
        self.silently(head + 1, &|place| place == head)
    }

    /// Whether a place of the same routine can be come to without a step.
    fn silently(&self, from: Place, is_there: &dyn Fn(Place) -> bool) -> bool {
        let mut open = vec![from];
        let mut seen = vec![false; self.ops.len()];
        while let Some(place) = open.pop() {
            if is_there(place) {
                return true;
            }
            if seen[place] || self.stops[place] {
                continue;
            }
            seen[place] = true;
            match &self.ops[place] {
                Op::Label(_) | Op::Return(_) | Op::Deferred => {}
                Op::Branch(_, other) | Op::Either(other) => open.extend([place + 1, *other]),
                Op::Jump(next) | Op::Leave(_, next, _) => open.push(*next),
                // What is deferred is done before the block is left.
                Op::Defer(body, _) => {
                    if self.silently(*body, &|place| matches!(self.ops[place], Op::Deferred)) {
                        open.push(place + 1);
                    }
                }
                Op::Call(function, ..) => {
                    let returns = |place: Place| {
                        matches!(self.ops[place], Op::Return(_)) && !self.stops[place]
                    };
                    if self.silently(self.functions[*function].entry, &returns) {
                        open.push(place + 1);
                    }
                }
                _ => open.push(place + 1),
            }
        }
        false
    }
}

impl<'p> Maker<'_, 'p> {
    fn here(&self) -> Place {
        self.code.ops.len()
    }

    fn push(&mut self, op: Op<'p>) -> Place {
        self.code.ops.push(op);
        self.code.idle.push(false);
        self.here() - 1
    }

    /// The variables that are declared in front of the body.
    fn declarations(&mut self) {
        for (local, of) in
            self.routine.locals.iter().enumerate().skip(self.routine.parameter.into())
        {
            let first = match of {
                Type::Number | Type::Truth => 0,
                Type::Reply | Type::Handle => NONE,
                Type::Child => continue,
            };
            if !self.routine.chooses(local) {
                self.push(Op::Set(local, Expr::Number(first)));
            }
        }
    }

    /// The hidden variable for what was read and is not yet used.
    fn held(&self) -> Index {
        self.routine.locals.len()
    }

    fn hidden(&mut self) -> Index {
        self.variables += 1;
        self.variables - 1
    }

    fn label(&mut self, label: Option<Index>) {
        if let Some(label) = label
            && self.code.observed.contains(&(self.which, label))
        {
            self.push(Op::Label(label));
        }
    }

    /// A block; what is in front of its first statement belongs to the statement around it.
    fn block(&mut self, block: &'p Block) {
        self.push(Op::Enter);
        for one in &mut self.loops {
            one.blocks += 1;
        }
        for statement in &block.statements {
            self.statement(statement);
        }
        self.label(block.end);
        let next = self.here() + 1;
        self.push(Op::Leave(1, next, false));
        for one in &mut self.loops {
            one.blocks -= 1;
        }
    }

    /// An operand: what touches something shared is read in a step of its own.
    fn operand(&mut self, value: &Expr) -> Expr {
        if !self.code.touches(value) || self.code.makes(Mistake::OneStep) {
            return value.clone();
        }
        let held = self.held();
        self.push(Op::Read(held, value.clone()));
        Expr::Local(held)
    }

    fn looped(&mut self, head: Place, block: &'p Block) -> Vec<Place> {
        self.loops.push(Around { blocks: 0, breaks: Vec::new(), next: head });
        self.block(block);
        self.push(Op::Jump(head));
        self.loops.pop().expect("it was pushed").breaks
    }

    fn send_here(&mut self, places: &[Place]) {
        let here = self.here();
        for place in places {
            match &mut self.code.ops[*place] {
                Op::Branch(_, to) | Op::Jump(to) | Op::Either(to) | Op::Leave(_, to, _) => {
                    *to = here
                }
                other => unreachable!("{other:?} goes nowhere"),
            }
        }
    }

    fn statement(&mut self, statement: &'p Statement) {
        let is_loop = matches!(statement.kind, Kind::While(..) | Kind::Loop(_));
        if !is_loop {
            self.label(statement.label);
        }
        match &statement.kind {
            Kind::SetShared(variable, Expr::Shared(same))
                if variable == same && self.code.makes(Mistake::SelfAssignment) => {}
            Kind::SetShared(variable, value) => {
                let value = self.operand(value);
                self.push(Op::Write(*variable, value));
            }
            Kind::SetLocal(local, value) => {
                self.push(Op::Set(*local, value.clone()));
            }
            Kind::If(condition, block, otherwise) => {
                let branch = self.push(Op::Branch(condition.clone(), 0));
                self.block(block);
                let jump = self.push(Op::Jump(0));
                self.send_here(&[branch]);
                self.block(otherwise);
                self.send_here(&[jump]);
            }
            Kind::While(condition, block) => {
                let head = self.here();
                self.label(statement.label);
                self.push(Op::Head);
                let branch = self.push(Op::Branch(condition.clone(), 0));
                let mut breaks = self.looped(head, block);
                breaks.push(branch);
                self.send_here(&breaks);
            }
            Kind::Loop(block) => {
                let head = self.here();
                self.label(statement.label);
                self.push(Op::Head);
                let breaks = self.looped(head, block);
                self.send_here(&breaks);
            }
            Kind::Repeat(rounds, block) => {
                let counter = self.hidden();
                self.push(Op::Set(counter, Expr::Number(0)));
                let head = self.push(Op::Head);
                let more = crate::program::binary(
                    Operator::Less,
                    Expr::Local(counter),
                    Expr::Number(*rounds),
                );
                let branch = self.push(Op::Branch(more, 0));
                let next =
                    crate::program::binary(Operator::Plus, Expr::Local(counter), Expr::Number(1));
                self.push(Op::Set(counter, next));
                let mut breaks = self.looped(head, block);
                breaks.push(branch);
                self.send_here(&breaks);
                self.push(Op::Set(counter, Expr::Number(0)));
            }
            Kind::Break => {
                let blocks = self.around().blocks;
                let leave = self.push(Op::Leave(blocks, 0, true));
                self.around().breaks.push(leave);
            }
            Kind::Continue => {
                let Around { blocks, next, .. } = *self.around();
                self.push(Op::Leave(blocks, next, true));
            }
            Kind::Return(None) => {
                self.push(Op::Return(None));
            }
            Kind::Return(Some(value)) => {
                let value = self.operand(value);
                self.push(Op::Return(Some(value)));
            }
            Kind::Choose(local, largest, condition) => {
                self.push(Op::Choose(*local, *largest, condition.as_ref()));
            }
            Kind::Either(one, other) => {
                let either = self.push(Op::Either(0));
                self.block(one);
                let jump = self.push(Op::Jump(0));
                self.send_here(&[either]);
                self.block(other);
                self.send_here(&[jump]);
            }
            Kind::Await(condition) => {
                self.push(Op::Await(condition));
            }
            Kind::Assert(condition) => {
                self.push(Op::Assert(condition));
            }
            Kind::Atomic(block) => {
                self.push(Op::Atomic(block));
            }
            Kind::Step(step) => {
                self.push(Op::Step(*step));
            }
            Kind::Send(channel, value) => {
                let value = self.operand(value);
                self.push(Op::Send(*channel, value));
            }
            Kind::Receive(channel, local) => {
                self.push(Op::Receive(*channel, *local));
            }
            Kind::Close(channel) => {
                self.push(Op::Close(*channel));
            }
            Kind::Lock(mutex) => {
                self.push(Op::Lock(*mutex));
            }
            Kind::Unlock(mutex) => {
                self.push(Op::Unlock(*mutex));
            }
            Kind::With(mutex, block) => {
                self.push(Op::Lock(*mutex));
                self.push(Op::Enter);
                for one in &mut self.loops {
                    one.blocks += 1;
                }
                self.deferred(false, |maker| {
                    maker.push(Op::Unlock(*mutex));
                });
                self.block(block);
                let next = self.here() + 1;
                self.push(Op::Leave(1, next, false));
                for one in &mut self.loops {
                    one.blocks -= 1;
                }
            }
            Kind::Spawn(process, local, argument) => {
                let given = argument.as_ref().map(|argument| match argument {
                    Argument::Value(value) => Given::Value(self.operand(value)),
                    Argument::Process(whom) => Given::Process(*whom),
                });
                self.push(Op::Spawn(*process, *local, given));
            }
            Kind::Join(local) => {
                self.push(Op::Join(*local));
            }
            Kind::Kill(whom) => {
                self.push(Op::Kill(*whom));
            }
            Kind::Crash(whom) => {
                self.push(Op::Crash(*whom));
            }
            Kind::Call(function, argument, local) => {
                let argument = self.operand(argument);
                self.push(Op::Call(*function, argument, *local, false));
            }
            Kind::SetByCall(variable, function, argument) => {
                let argument = self.operand(argument);
                let held = self.held();
                self.push(Op::Call(*function, argument, Some(held), true));
                self.push(Op::Write(*variable, Expr::Local(held)));
            }
            Kind::Defer(block) => self.deferred(true, |maker| maker.block(block)),
            Kind::Select(arms, otherwise) => self.select(arms, otherwise.as_ref(), statement.idle),
        }
        if statement.idle && !matches!(statement.kind, Kind::Select(..)) {
            *self.code.idle.last_mut().expect("there is an operation") = true;
        }
    }

    fn around(&mut self) -> &mut Around {
        self.loops.last_mut().expect("it is in a loop")
    }

    fn deferred(&mut self, stated: bool, body: impl FnOnce(&mut Self)) {
        let place = self.here() + 2;
        self.push(Op::Defer(place, stated));
        let jump = self.push(Op::Jump(0));
        // Loops around it are not left from within.
        let loops = std::mem::take(&mut self.loops);
        body(self);
        self.loops = loops;
        self.push(Op::Deferred);
        self.send_here(&[jump]);
    }

    fn select(
        &mut self,
        arms: &'p [crate::program::Arm],
        otherwise: Option<&'p Block>,
        idle: bool,
    ) {
        let select = self.push(Op::Select(arms, Vec::new(), None));
        self.code.idle[select] = idle;
        let (mut places, mut jumps) = (Vec::new(), Vec::new());
        let blocks = arms.iter().map(|arm| &arm.block).chain(otherwise);
        for block in blocks {
            places.push(self.here());
            self.block(block);
            jumps.push(self.push(Op::Jump(0)));
        }
        self.send_here(&jumps);
        let last = otherwise.map(|_| places.pop().expect("it has a block"));
        self.code.ops[select] = Op::Select(arms, places, last);
    }
}

impl Property {
    /// Calls with each condition in it.
    pub fn each(&self, call: &mut impl FnMut(&Seen)) {
        match self {
            Property::Always(seen)
            | Property::Never(seen)
            | Property::Reachable(seen)
            | Property::Eventually(seen) => seen.each(call),
            Property::LeadsTo(a, b) | Property::Until(a, b) => {
                a.each(call);
                b.each(call);
            }
            Property::Branching(formula) => formula.each(call),
            Property::NoOneStuck
            | Property::EveryoneCanEnd
            | Property::DeadlockFree
            | Property::RaceFree => {}
        }
    }
}

impl crate::program::Branching {
    fn each(&self, call: &mut impl FnMut(&Seen)) {
        use crate::program::Branching as B;
        match self {
            B::Now(seen) => seen.each(call),
            B::Not(one)
            | B::Possibly(one)
            | B::Globally(one)
            | B::Inevitably(one)
            | B::SomeForEver(one) => one.each(call),
            B::SomeUntil(a, b) | B::AllUntil(a, b) => {
                a.each(call);
                b.each(call);
            }
        }
    }
}

impl Seen {
    fn each(&self, call: &mut impl FnMut(&Seen)) {
        call(self);
        match self {
            Seen::Not(one) => one.each(call),
            Seen::And(a, b) | Seen::Or(a, b) => {
                a.each(call);
                b.each(call);
            }
            _ => {}
        }
    }
}
