//! Random programs: a few short processes that share much.

use random::Random;

use crate::program::{
    Argument, Arm, Block, Branching, Expr, Index, Kind, LARGEST, Operator, Program, Property,
    Routine, Seen, Shared, Statement, Type, Wait, Whom, binary,
};

/// The variables that every routine has, behind its parameter.
const NUMBER: usize = 0;
const TRUTH: usize = 1;
const REPLY: usize = 2;
const HANDLE: usize = 3;

/// What may stand in a place.
#[derive(Clone, Copy, Default)]
struct Place {
    depth: u32,
    looped: bool,
    /// Whether `spawn` may be done again and again here.
    again: bool,
    deferred: bool,
}

/// Makes the body of one routine.
struct Maker<'r> {
    random: &'r mut Random,
    program: &'r Program,
    routine: Routine,
    /// Which process this is, of which functions may be called.
    process: Option<Index>,
    functions: Index,
    /// Handles that are in scope.
    children: Vec<Index>,
    /// How many more statements there may be.
    room: i32,
}

/// A random program.
pub fn program(random: &mut Random) -> Program {
    let mut shared = Vec::new();
    let fields = if random.percent(35) { 1 + random.below(2) } else { 0 };
    for index in 0..2 + random.below(2) + fields {
        let of = if random.percent(50) { Type::Truth } else { Type::Number };
        let first = if random.percent(20) { 1 } else { 0 };
        let atomic = random.percent(25);
        shared.push(Shared { of, atomic, field: index < fields, first });
    }
    // A quarter of the programs is about meeting at one channel.
    let channels = match random.percent(25) {
        true => vec![0],
        false => (0..random.below(3)).map(|_| *random.pick(&[0, 0, 0, 1, 2])).collect(),
    };
    let mutexes = random.below(2);
    let mut program = Program {
        shared,
        channels,
        mutexes,
        steps: Vec::new(),
        functions: Vec::new(),
        processes: Vec::new(),
        fair: random.percent(20),
        properties: Vec::new(),
    };
    let others = 1 + random.weighted(&[40, 50, 10]);
    // What processes have for parameters is known before their bodies are.
    for _ in 0..=others {
        let parameter = random.percent(30);
        program.processes.push(Routine { parameter, ..Routine::default() });
    }
    program.processes[0].parameter = false;
    for process in &mut program.processes {
        if process.parameter {
            process.locals.push(*random.pick(&[Type::Number, Type::Child, Type::Child]));
        }
    }
    if random.percent(35) {
        for _ in 0..1 + random.below(2) {
            let body = Maker::new(random, &program, Routine::default(), None).at_once(true);
            program.steps.push(body);
        }
    }
    if program.steps.is_empty() {
        program.shared.iter_mut().for_each(|shared| shared.field = false);
    }
    for _ in 0..random.weighted(&[60, 30, 10]) {
        let result = random.percent(50);
        let locals = vec![Type::Number];
        let routine = Routine { parameter: true, locals, result, ..Routine::default() };
        let routine = Maker::new(random, &program, routine, None).routine(2);
        program.functions.push(routine);
    }
    for process in (0..=others).rev() {
        let routine = program.processes[process].clone();
        let size = if process == 0 { 5 } else { 4 };
        let routine = Maker::new(random, &program, routine, Some(process)).routine(size);
        program.processes[process] = routine;
    }
    properties(random, &mut program);
    program
}

impl<'r> Maker<'r> {
    fn new(
        random: &'r mut Random,
        program: &'r Program,
        mut routine: Routine,
        process: Option<Index>,
    ) -> Maker<'r> {
        let functions = program.functions.len();
        let children = routine.locals.iter().position(|of| *of == Type::Child);
        routine.locals.extend([Type::Number, Type::Truth, Type::Reply, Type::Handle]);
        let children = children.into_iter().collect();
        Maker { random, program, routine, process, functions, children, room: 0 }
    }

    fn own(&self, which: usize) -> Index {
        which + usize::from(self.routine.parameter)
    }

    fn routine(mut self, size: i32) -> Routine {
        self.room = size + self.random.below(2);
        let mut body = Block::default();
        if self.process == Some(0) {
            // Most processes are started at once.
            for other in 1..self.program.processes.len() {
                if self.random.percent(80) {
                    let statement = self.spawn(other);
                    let label = self.label();
                    body.statements.push(Statement { label, idle: false, kind: statement });
                }
            }
        }
        let rest = self.block(Place::default());
        body.statements.extend(rest.statements);
        body.end = rest.end;
        if self.routine.result {
            let value = self.number(true);
            let label = body.end.take().or_else(|| self.label());
            let kind = Kind::Return(Some(value));
            body.statements.push(Statement { label, idle: false, kind });
        }
        Routine { body, ..self.routine }
    }

    /// Whether the program is about meeting at a channel.
    fn meets(&self) -> bool {
        self.program.channels == [0]
    }

    fn digit(&mut self, largest: i8) -> i8 {
        digit(self.random, largest)
    }

    fn label(&mut self) -> Option<Index> {
        self.random.percent(35).then(|| {
            self.routine.labels += 1;
            self.routine.labels - 1
        })
    }

    fn block(&mut self, place: Place) -> Block {
        let most = if place.depth == 0 { self.room } else { 1 + self.random.below(2) };
        let known = self.children.len();
        let mut statements: Vec<Statement> = Vec::new();
        let mut ends = false;
        for _ in 0..most {
            if self.room <= 0 {
                break;
            }
            self.room -= 1;
            let kind = self.kind(place);
            ends = matches!(kind, Kind::Break | Kind::Continue | Kind::Return(_))
                || matches!(&kind, Kind::Loop(body) if !breaks(body));
            let label = match kind {
                Kind::Repeat(..) => None,
                _ => self.label(),
            };
            let waits = matches!(
                kind,
                Kind::Await(_) | Kind::Receive(..) | Kind::Lock(_) | Kind::Join(_) | Kind::Step(_)
            );
            let waits = waits || matches!(kind, Kind::Select(_, None));
            let idle = waits && self.random.percent(12);
            statements.push(Statement { label, idle, kind });
            if ends {
                break;
            }
        }
        self.children.truncate(known);
        let end = if !ends && self.random.percent(10) { self.label() } else { None };
        Block { statements, end }
    }

    fn kind(&mut self, place: Place) -> Kind {
        let deeper = Place { depth: place.depth + 1, ..place };
        let compound = usize::from(place.depth < 2 && self.room > 0);
        let (channels, mutexes) = (self.program.channels.len(), self.program.mutexes);
        let more = if self.meets() { 2 } else { 1 };
        let has = |number: usize| usize::from(number > 0);
        let leaves = usize::from(!place.deferred);
        let loops = usize::from(!place.looped) * compound;
        let spawns = usize::from(!place.again && self.process.is_some_and(|process| process < 2));
        let spawns = spawns * usize::from(!place.deferred);
        let others = self.program.processes.len();
        let children = has(self.children.len());
        let weights = [
            24,                                        // 0: shared
            12,                                        // 1: local
            8 * compound,                              // 2: if
            4 * loops,                                 // 3: while
            4 * loops,                                 // 4: loop
            2 * loops,                                 // 5: repeat
            3 * leaves * usize::from(place.looped),    // 6: break
            leaves * usize::from(place.looped),        // 7: continue
            2 * leaves * usize::from(place.depth > 0), // 8: return
            3 * leaves,                                // 9: choose
            7 * compound,                              // 10: either
            9,                                         // 11: await
            4,                                         // 12: assert
            13 * more,                                 // 13: atomic
            7 * has(self.program.steps.len()),         // 14: step
            8 * more * has(channels),                  // 15: send
            8 * more * has(channels),                  // 16: receive
            2 * has(channels),                         // 17: close
            3 * has(mutexes),                          // 18: lock
            3 * has(mutexes),                          // 19: unlock
            6 * has(mutexes) * compound,               // 20: with
            4 * spawns,                                // 21: spawn
            6 * children,                              // 22: join
            7 * children,                              // 23: kill
            2 * children,                              // 24: crash
            6 * has(self.functions),                   // 25: call
            6 * leaves * compound,                     // 26: defer
            8 * more * compound,                       // 27: select
            1,                                         // 28: kill self
        ];
        match self.random.weighted(&weights) {
            0 => {
                let variable = self.random.below(self.program.shared.len());
                let value = match self.program.shared[variable].of {
                    _ if self.random.percent(15) => Expr::Shared(variable),
                    Type::Truth => self.truth(),
                    _ => self.number(false),
                };
                Kind::SetShared(variable, value)
            }
            1 => {
                if self.random.percent(50) {
                    Kind::SetLocal(self.own(TRUTH), self.truth())
                } else {
                    Kind::SetLocal(self.own(NUMBER), self.number(false))
                }
            }
            2 => {
                let condition = self.condition();
                let block = self.block(deeper);
                let otherwise = match self.random.percent(40) {
                    true => self.block(deeper),
                    false => Block::default(),
                };
                Kind::If(condition, block, otherwise)
            }
            3 => Kind::While(self.condition(), self.looped(deeper)),
            4 => Kind::Loop(self.looped(deeper)),
            5 => Kind::Repeat(2, self.looped(deeper)),
            6 => Kind::Break,
            7 => Kind::Continue,
            8 if self.routine.result => Kind::Return(Some(self.number(true))),
            8 => Kind::Return(None),
            9 => {
                self.routine.locals.push(Type::Number);
                let local = self.routine.locals.len() - 1;
                let condition = self.random.percent(40).then(|| {
                    let other = self.shared_number();
                    binary(Operator::Unequal, Expr::Local(local), other)
                });
                Kind::Choose(local, 1 + self.digit(1), condition)
            }
            10 => Kind::Either(self.block(deeper), self.block(deeper)),
            11 => Kind::Await(self.waiting()),
            12 => Kind::Assert(self.claim()),
            13 => Kind::Atomic(self.at_once(false)),
            14 => Kind::Step(self.random.below(self.program.steps.len())),
            15 => Kind::Send(self.random.below(channels), self.bit()),
            16 => {
                let local = self.random.percent(50).then(|| self.own(REPLY));
                Kind::Receive(self.random.below(channels), local)
            }
            17 => Kind::Close(self.random.below(channels)),
            18 => Kind::Lock(0),
            19 => Kind::Unlock(0),
            20 => Kind::With(0, self.block(deeper)),
            21 if others > 1 => {
                let first = self.process.map_or(1, |process| process + 1).min(others - 1);
                if self.process == Some(first) {
                    return Kind::Kill(Whom::Myself);
                }
                let other = first + self.random.below(others - first);
                self.spawn(other)
            }
            22 => Kind::Join(self.child()),
            23 => Kind::Kill(Whom::Local(self.child())),
            24 => Kind::Crash(Whom::Local(self.child())),
            25 => {
                let function = self.random.below(self.functions);
                let result = self.program.functions[function].result;
                let argument = self.number(true);
                let shared = self.shared_of(Type::Number).filter(|_| self.random.percent(40));
                if let Some(variable) = shared.filter(|_| result) {
                    return Kind::SetByCall(variable, function, argument);
                }
                let target = (result && self.random.percent(70)).then(|| self.own(NUMBER));
                Kind::Call(function, argument, target)
            }
            26 => {
                let place = Place { deferred: true, looped: false, ..deeper };
                Kind::Defer(self.block(place))
            }
            27 => self.select(deeper),
            _ => Kind::Kill(Whom::Myself),
        }
    }

    fn looped(&mut self, place: Place) -> Block {
        self.block(Place { looped: true, again: true, ..place })
    }

    fn spawn(&mut self, process: Index) -> Kind {
        let routine = &self.program.processes[process];
        let argument = match routine.locals.first() {
            Some(Type::Child) if routine.parameter => Some(Argument::Process(self.somebody())),
            _ if routine.parameter => Some(Argument::Value(self.number(true))),
            _ => None,
        };
        let local = match self.random.below(4) {
            0 => None,
            1 => Some(self.own(HANDLE)),
            _ => {
                self.routine.locals.push(Type::Child);
                let local = self.routine.locals.len() - 1;
                self.children.push(local);
                Some(local)
            }
        };
        Kind::Spawn(process, local, argument)
    }

    fn somebody(&mut self) -> Whom {
        if self.children.is_empty() || self.random.percent(40) {
            return Whom::Myself;
        }
        Whom::Local(self.child())
    }

    fn child(&mut self) -> Index {
        *self.random.pick(&self.children)
    }

    fn select(&mut self, place: Place) -> Kind {
        let mut arms = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let channels = self.program.channels.len();
            let weights = [
                35 * usize::from(channels > 0),
                35 * usize::from(channels > 0),
                25,
                10 * usize::from(!self.children.is_empty()),
                5,
            ];
            let wait = match self.random.weighted(&weights) {
                0 => Wait::Send(self.random.below(channels), Expr::Number(self.digit(1))),
                1 => {
                    let local = self.random.percent(40).then(|| self.own(REPLY));
                    Wait::Receive(self.random.below(channels), local)
                }
                2 => Wait::Await(self.waiting()),
                3 => Wait::Join(self.child()),
                _ => Wait::Timeout,
            };
            let when = self.random.percent(20).then(|| self.condition());
            let block = self.block(place);
            arms.push(Arm { wait, when, block });
        }
        let polls = if self.meets() { 60 } else { 35 };
        let otherwise = self.random.percent(polls).then(|| self.block(place));
        Kind::Select(arms, otherwise)
    }

    /// A block that is done at once: of `atomic`, or of a step.
    fn at_once(&mut self, step: bool) -> Block {
        let mut block = Block::default();
        let mut meets = false;
        for _ in 0..1 + self.random.below(3) {
            let kind = self.kind_at_once(step, &mut meets, 0);
            let ends = matches!(kind, Kind::Return(_));
            block.statements.push(Statement { label: None, idle: false, kind });
            if ends {
                break;
            }
        }
        block
    }

    fn kind_at_once(&mut self, step: bool, meets: &mut bool, depth: u32) -> Kind {
        let own = usize::from(!step);
        let deeper = usize::from(depth == 0);
        let channels = usize::from(!self.program.channels.is_empty() && !*meets);
        let channels = channels * if self.meets() { 3 } else { 1 };
        let mutexes = usize::from(self.program.mutexes > 0);
        let weights = [
            40,
            10 * own,
            20,
            4,
            9 * deeper,
            5 * deeper,
            10 * channels * own,
            10 * channels * own,
            3 * mutexes,
            3 * mutexes,
            4 * own * usize::from(!self.program.steps.is_empty()),
            4 * (1 - own) * usize::from(depth > 0),
        ];
        let inner = |maker: &mut Self, meets: &mut bool| {
            let kind = maker.kind_at_once(step, meets, depth + 1);
            Block { statements: vec![Statement { label: None, idle: false, kind }], end: None }
        };
        match self.random.weighted(&weights) {
            0 => {
                let variable = self.random.below(self.program.shared.len());
                let value = match self.program.shared[variable].of {
                    Type::Truth => self.truth_at_once(step),
                    _ => self.number_at_once(step),
                };
                Kind::SetShared(variable, value)
            }
            1 => Kind::SetLocal(self.own(TRUTH), self.truth_at_once(step)),
            2 => Kind::Await(self.shared_condition()),
            3 => Kind::Assert(self.shared_condition()),
            4 => {
                let condition = self.shared_condition();
                Kind::If(condition, inner(self, meets), Block::default())
            }
            5 => Kind::Either(inner(self, meets), inner(self, meets)),
            6 => {
                *meets = true;
                Kind::Send(self.random.below(self.program.channels.len()), self.bit())
            }
            7 => {
                *meets = true;
                let local = self.random.percent(50).then(|| self.own(REPLY));
                Kind::Receive(self.random.below(self.program.channels.len()), local)
            }
            8 => Kind::Lock(0),
            9 => Kind::Unlock(0),
            10 => Kind::Step(self.random.below(self.program.steps.len())),
            _ => Kind::Return(None),
        }
    }

    fn truth_at_once(&mut self, step: bool) -> Expr {
        match self.random.below(4) {
            0 if !step => Expr::Local(self.own(TRUTH)),
            1 => self.shared_condition(),
            _ => Expr::Truth(self.random.percent(70)),
        }
    }

    fn number_at_once(&mut self, step: bool) -> Expr {
        match self.random.below(5) {
            0 if !step => Expr::Local(self.own(NUMBER)),
            1 => self.shared_number(),
            2 => {
                let number = self.shared_number();
                let is_written = matches!(number, Expr::Number(_));
                let sum = binary(Operator::Plus, number, Expr::Number(1));
                match is_written || self.random.percent(70) {
                    true => binary(Operator::Modulo, sum, Expr::Number(3)),
                    false => sum,
                }
            }
            _ => Expr::Number(self.digit(LARGEST)),
        }
    }

    fn shared_of(&mut self, of: Type) -> Option<Index> {
        let all = self.program.shared.iter().enumerate();
        let those: Vec<Index> =
            all.filter(|(_, shared)| shared.of == of).map(|one| one.0).collect();
        (!those.is_empty()).then(|| *self.random.pick(&those))
    }

    fn shared_number(&mut self) -> Expr {
        match self.shared_of(Type::Number) {
            Some(variable) => Expr::Shared(variable),
            None => Expr::Number(self.digit(LARGEST)),
        }
    }

    fn shared_condition(&mut self) -> Expr {
        let truth = self.shared_of(Type::Truth);
        match (truth, self.random.below(4)) {
            (Some(variable), 0 | 1) => Expr::Shared(variable),
            (Some(variable), 2) => Expr::Not(Box::new(Expr::Shared(variable))),
            _ => {
                let operator =
                    *self.random.pick(&[Operator::Equal, Operator::Unequal, Operator::Less]);
                let number = Expr::Number(self.digit(LARGEST));
                match self.shared_of(Type::Number) {
                    Some(variable) => binary(operator, Expr::Shared(variable), number),
                    None => Expr::Truth(true),
                }
            }
        }
    }

    /// 0 or 1.
    fn bit(&mut self) -> Expr {
        match self.random.below(3) {
            0 => binary(Operator::Modulo, self.shared_or_own(), Expr::Number(2)),
            _ => Expr::Number(self.digit(1)),
        }
    }

    fn shared_or_own(&mut self) -> Expr {
        match self.random.percent(50) {
            true => self.shared_number(),
            false => Expr::Local(self.own(NUMBER)),
        }
    }

    /// A number that is not written: what is computed of those that are is looked at when a program is read.
    fn variable(&self, one: Expr) -> Expr {
        match one {
            Expr::Number(_) => Expr::Local(self.own(NUMBER)),
            one => one,
        }
    }

    /// A number; one that surely fits, if that is asked for.
    fn number(&mut self, fits: bool) -> Expr {
        let one = self.shared_or_own();
        match self.random.below(if fits { 6 } else { 8 }) {
            0 | 1 => one,
            2 => {
                let sum = binary(Operator::Plus, one, Expr::Number(1));
                binary(Operator::Modulo, sum, Expr::Number(3))
            }
            3..=5 => Expr::Number(self.digit(LARGEST)),
            6 => {
                let operator =
                    *self.random.pick(&[Operator::Plus, Operator::Plus, Operator::Minus]);
                binary(operator, self.variable(one), Expr::Number(1))
            }
            _ => {
                let operator = *self.random.pick(&[Operator::Over, Operator::Modulo]);
                binary(operator, Expr::Number(2), self.variable(one))
            }
        }
    }

    fn truth(&mut self) -> Expr {
        match self.random.below(5) {
            0 => self.condition(),
            1 => match self.shared_of(Type::Truth) {
                Some(variable) => Expr::Shared(variable),
                None => Expr::Truth(true),
            },
            _ => Expr::Truth(self.random.percent(75)),
        }
    }

    fn condition(&mut self) -> Expr {
        let own = match self.random.below(6) {
            0 => Expr::Local(self.own(TRUTH)),
            1 => binary(
                Operator::Equal,
                Expr::Local(self.own(NUMBER)),
                Expr::Number(self.digit(LARGEST)),
            ),
            2 => binary(Operator::Equal, Expr::Local(self.own(REPLY)), Expr::None),
            3 if !self.children.is_empty() => Expr::Ended(self.child()),
            _ => self.shared_condition(),
        };
        match self.random.below(8) {
            0 => {
                let operator = *self.random.pick(&[Operator::And, Operator::Or, Operator::Implies]);
                let other = self.shared_condition();
                match self.random.percent(50) {
                    true => binary(operator, own, other),
                    false => binary(operator, other, own),
                }
            }
            1 => Expr::Not(Box::new(own)),
            _ => own,
        }
    }

    /// A condition to wait for.
    fn waiting(&mut self) -> Expr {
        match self.random.percent(75) {
            true => self.shared_condition(),
            false => self.condition(),
        }
    }

    /// A condition that mostly holds.
    fn claim(&mut self) -> Expr {
        let condition = self.condition();
        match self.random.percent(40) {
            true => binary(Operator::Or, condition, self.shared_condition()),
            false => condition,
        }
    }
}

/// A number from 0 to the largest.
fn digit(random: &mut Random, largest: i8) -> i8 {
    let number = random.below(u32::from(largest.unsigned_abs()) + 1);
    i8::try_from(number).expect("it is small")
}

/// Whether something leaves the loop.
fn breaks(body: &Block) -> bool {
    let mut found = false;
    body.each(&mut |statement| found |= matches!(statement.kind, Kind::Break));
    found
}

fn properties(random: &mut Random, program: &mut Program) {
    let mut properties = Vec::new();
    for one in
        [Property::NoOneStuck, Property::EveryoneCanEnd, Property::DeadlockFree, Property::RaceFree]
    {
        if random.percent(70) {
            properties.push(one);
        }
    }
    let branching = random.percent(50);
    let runs = random.percent(40);
    for _ in 0..2 + random.below(3) {
        let seen = seen(random, program, 1);
        properties.push(match random.below(3) {
            0 => Property::Always(Seen::Not(Box::new(seen))),
            1 => Property::Never(seen),
            _ => Property::Reachable(seen),
        });
    }
    for _ in 0..if branching { 1 + random.below(3) } else { 0 } {
        let formula = formula(random, program, 2);
        if !matches!(formula, Branching::Now(_)) {
            properties.push(Property::Branching(formula));
        }
    }
    for _ in 0..if runs { 1 + random.below(2) } else { 0 } {
        let [a, b] = [(); 2].map(|()| seen(random, program, 1));
        properties.push(match random.below(3) {
            0 => Property::Eventually(a),
            1 => Property::LeadsTo(a, b),
            _ => Property::Until(a, b),
        });
    }
    program.properties = properties;
}

fn formula(random: &mut Random, program: &Program, depth: u32) -> Branching {
    let now = |random: &mut Random| Branching::Now(seen(random, program, 1));
    if depth == 0 || random.percent(15) {
        return now(random);
    }
    let mut one = || Box::new(formula(random, program, depth - 1));
    let (a, b) = (one(), one());
    match random.below(9) {
        0 => Branching::Not(a),
        1 => Branching::Possibly(a),
        2 => Branching::Globally(a),
        3 => Branching::Globally(Box::new(Branching::Possibly(a))),
        4 => Branching::Inevitably(a),
        5 => Branching::SomeForEver(a),
        6 | 7 => Branching::SomeUntil(a, b),
        _ => Branching::AllUntil(a, b),
    }
}

fn seen(random: &mut Random, program: &Program, depth: u32) -> Seen {
    if depth > 0 && random.percent(30) {
        let one = Box::new(seen(random, program, depth - 1));
        let other = Box::new(seen(random, program, depth - 1));
        return match random.below(3) {
            0 => Seen::Not(one),
            1 => Seen::And(one, other),
            _ => Seen::Or(one, other),
        };
    }
    let process = random.below(program.processes.len());
    match random.below(9) {
        0 | 1 => {
            let variable = random.below(program.shared.len());
            let largest = if program.shared[variable].of == Type::Truth { 1 } else { LARGEST };
            Seen::Variable(variable, digit(random, largest))
        }
        2 if !program.channels.is_empty() => {
            let channel = random.below(program.channels.len());
            Seen::Items(channel, random.below(program.channels[channel] + 1))
        }
        3 if program.mutexes > 0 => Seen::Free(0),
        4 if !program.functions.is_empty() => {
            let function = random.below(program.functions.len());
            match program.functions[function].labels {
                0 => Seen::Count(process, None, 1),
                labels => Seen::Inside(process, function, random.below(labels)),
            }
        }
        5..=7 if program.processes[process].labels > 0 => {
            let label = random.below(program.processes[process].labels);
            Seen::Count(process, Some(label), random.weighted(&[40, 60]))
        }
        _ => Seen::Count(process, None, random.below(2)),
    }
}
