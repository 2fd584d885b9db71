//! Programs as text, for Kinfold and for people.

use std::fmt::Write as _;

use crate::program::{
    Argument, Arm, Block, Branching, Expr, Kind, Operator, Program, Property, Routine, Seen,
    Shared, Statement, Type, Wait, Whom,
};

/// The name of a process.
pub fn process_name(process: usize) -> String {
    match process {
        0 => "main".to_owned(),
        other => format!("p{other}"),
    }
}

/// Writes a program.
struct Writer<'p> {
    program: &'p Program,
    text: String,
    depth: usize,
    /// Whether this is within the object `o`.
    within: bool,
    /// The variables of the routine.
    locals: &'p [Type],
}

/// The text of a program.
pub fn text(program: &Program) -> String {
    let mut writer = Writer { program, text: String::new(), depth: 0, within: false, locals: &[] };
    writer.program();
    writer.text
}

impl Operator {
    fn symbol(self) -> &'static str {
        match self {
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Over => "/",
            Operator::Modulo => "%",
            Operator::Equal => "==",
            Operator::Unequal => "!=",
            Operator::Less => "<",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Implies => "implies",
        }
    }
}

fn value(of: Type, value: i8) -> String {
    match of {
        Type::Truth => (value != 0).to_string(),
        _ => value.to_string(),
    }
}

fn type_name(of: Type) -> &'static str {
    match of {
        Type::Number => "0..=2",
        Type::Truth => "bool",
        Type::Reply => "0..=1?",
        Type::Handle => "any process?",
        Type::Child => "any process",
    }
}

impl<'p> Writer<'p> {
    fn line(&mut self, line: &str) {
        let indent = "    ".repeat(self.depth);
        let _ = writeln!(self.text, "{indent}{line}");
    }

    fn program(&mut self) {
        let program = self.program;
        self.line("model written");
        for (index, shared) in program.shared.iter().enumerate() {
            if !shared.field {
                let declared = declared(index, shared);
                self.line(&format!("shared {declared}"));
            }
        }
        for (index, capacity) in program.channels.iter().enumerate() {
            self.line(&format!("shared c{index} = new channel[0..=1](capacity: {capacity})"));
        }
        for index in 0..program.mutexes {
            self.line(&format!("shared m{index} = new mutex"));
        }
        if !program.steps.is_empty() {
            self.object();
        }
        for (index, routine) in program.functions.iter().enumerate() {
            let result = if routine.result { ": 0..=2" } else { "" };
            self.routine(&format!("fn f{index}(v0: 0..=2){result}"), routine);
        }
        for (index, routine) in program.processes.iter().enumerate() {
            let parameter = match routine.parameter {
                true => format!("(v0: {})", type_name(routine.locals[0])),
                false => String::new(),
            };
            self.routine(&format!("process {}{parameter}", process_name(index)), routine);
        }
        if program.fair {
            self.line("fair threads");
        }
        for (index, property) in program.properties.iter().enumerate() {
            let formula = self.property(property);
            self.line(&format!("property q{index}: {formula}"));
        }
    }

    fn object(&mut self) {
        let program = self.program;
        self.line("object thing {");
        self.depth += 1;
        self.within = true;
        for (index, shared) in program.shared.iter().enumerate() {
            if shared.field {
                let declared = declared(index, shared);
                self.line(&declared);
            }
        }
        for (index, body) in program.steps.iter().enumerate() {
            self.line(&format!("step s{index} {{"));
            self.block(body);
            self.line("}");
        }
        self.within = false;
        self.depth -= 1;
        self.line("}");
        self.line("shared o = new thing");
    }

    fn routine(&mut self, head: &str, routine: &'p Routine) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        let declared = routine.locals.iter().enumerate().skip(usize::from(routine.parameter));
        for (index, of) in declared {
            let first = match of {
                Type::Number => "0",
                Type::Truth => "false",
                Type::Reply | Type::Handle => "none",
                Type::Child => continue,
            };
            if !routine.chooses(index) {
                self.line(&format!("let v{index}: {} = {first}", type_name(*of)));
            }
        }
        self.depth -= 1;
        self.locals = &routine.locals;
        self.block(&routine.body);
        self.line("}");
    }

    fn block(&mut self, block: &Block) {
        self.depth += 1;
        for statement in &block.statements {
            self.statement(statement);
        }
        if let Some(label) = block.end {
            self.line(&format!("l{label}:"));
        }
        self.depth -= 1;
    }

    /// A statement with blocks.
    fn compound(&mut self, head: &str, block: &Block) {
        self.line(&format!("{head} {{"));
        self.block(block);
        self.line("}");
    }

    fn statement(&mut self, statement: &Statement) {
        if let Some(label) = statement.label {
            self.line(&format!("l{label}:"));
        }
        let idle = if statement.idle { "idle " } else { "" };
        let line = match &statement.kind {
            Kind::SetShared(variable, value) => {
                format!("{} = {}", self.shared(*variable), self.expr(value))
            }
            Kind::SetLocal(local, value) => format!("v{local} = {}", self.expr(value)),
            Kind::If(condition, block, otherwise) => {
                self.line(&format!("if {} {{", self.expr(condition)));
                self.block(block);
                if *otherwise != Block::default() {
                    self.line("} else {");
                    self.block(otherwise);
                }
                "}".to_owned()
            }
            Kind::While(condition, block) => {
                return self.compound(&format!("while {}", self.expr(condition)), block);
            }
            Kind::Loop(block) => return self.compound("loop", block),
            Kind::Repeat(rounds, block) => {
                return self.compound(&format!("repeat {rounds}"), block);
            }
            Kind::Break => "break".to_owned(),
            Kind::Continue => "continue".to_owned(),
            Kind::Return(None) => "return".to_owned(),
            Kind::Return(Some(value)) => format!("return {}", self.expr(value)),
            Kind::Choose(local, largest, condition) => {
                let condition = match condition {
                    Some(condition) => format!(" where {}", self.expr(condition)),
                    None => String::new(),
                };
                format!("choose v{local} in 0..={largest}{condition}")
            }
            Kind::Either(one, other) => {
                self.line("either {");
                self.block(one);
                self.line("} or {");
                self.block(other);
                "}".to_owned()
            }
            Kind::Await(condition) => format!("{idle}await {}", self.expr(condition)),
            Kind::Assert(condition) => format!("assert {}", self.expr(condition)),
            Kind::Atomic(block) => return self.compound("atomic", block),
            Kind::Step(step) => match self.within {
                true => format!("s{step}()"),
                false => format!("{idle}o.s{step}()"),
            },
            Kind::Send(channel, value) => format!("{idle}c{channel}.send({})", self.expr(value)),
            Kind::Receive(channel, local) => {
                let target = local.map_or(String::new(), |local| format!("v{local} = "));
                format!("{idle}{target}c{channel}.receive()")
            }
            Kind::Close(channel) => format!("c{channel}.close()"),
            Kind::Lock(mutex) => format!("{idle}m{mutex}.lock()"),
            Kind::Unlock(mutex) => format!("m{mutex}.unlock()"),
            Kind::With(mutex, block) => {
                return self.compound(&format!("with m{mutex}.lock()"), block);
            }
            Kind::Spawn(process, local, argument) => {
                let target = match local {
                    Some(local) if self.locals[*local] == Type::Child => format!("let v{local} = "),
                    Some(local) => format!("v{local} = "),
                    None => String::new(),
                };
                let argument = match argument {
                    Some(Argument::Value(value)) => self.expr(value),
                    Some(Argument::Process(whom)) => whom_text(*whom),
                    None => String::new(),
                };
                format!("{target}spawn {}({argument})", process_name(*process))
            }
            Kind::Join(local) => format!("{idle}join v{local}"),
            Kind::Kill(whom) => format!("kill {}", whom_text(*whom)),
            Kind::Crash(whom) => format!("crash {}", whom_text(*whom)),
            Kind::Call(function, argument, local) => {
                let target = local.map_or(String::new(), |local| format!("v{local} = "));
                format!("{target}f{function}({})", self.expr(argument))
            }
            Kind::SetByCall(variable, function, argument) => {
                format!("{} = f{function}({})", self.shared(*variable), self.expr(argument))
            }
            Kind::Defer(block) => return self.compound("defer", block),
            Kind::Select(arms, otherwise) => {
                self.line(&format!("{idle}select {{"));
                self.depth += 1;
                for arm in arms {
                    let head = self.arm(arm);
                    self.compound(&head, &arm.block);
                }
                if let Some(otherwise) = otherwise {
                    self.compound("else", otherwise);
                }
                self.depth -= 1;
                "}".to_owned()
            }
        };
        self.line(&line);
    }

    fn arm(&self, arm: &Arm) -> String {
        let wait = match &arm.wait {
            Wait::Send(channel, value) => format!("c{channel}.send({})", self.expr(value)),
            Wait::Receive(channel, local) => {
                let target = local.map_or(String::new(), |local| format!("v{local} = "));
                format!("{target}c{channel}.receive()")
            }
            Wait::Await(condition) => format!("await {}", self.expr(condition)),
            Wait::Join(local) => format!("join v{local}"),
            Wait::Timeout => "timeout".to_owned(),
        };
        match &arm.when {
            Some(condition) => format!("{wait} when {}", self.expr(condition)),
            None => wait,
        }
    }

    fn shared(&self, variable: usize) -> String {
        match (self.program.shared[variable].field, self.within) {
            (true, false) => format!("o.x{variable}"),
            _ => format!("x{variable}"),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Number(number) => number.to_string(),
            Expr::Truth(truth) => truth.to_string(),
            Expr::None => "none".to_owned(),
            Expr::Shared(variable) => self.shared(*variable),
            Expr::Local(local) => format!("v{local}"),
            Expr::Ended(local) => format!("ended(v{local})"),
            Expr::Not(inner) => format!("not ({})", self.expr(inner)),
            Expr::Binary(operator, left, right) => {
                let side = |side: &Expr| match side {
                    Expr::Binary(..) | Expr::Not(_) => format!("({})", self.expr(side)),
                    _ => self.expr(side),
                };
                format!("{} {} {}", side(left), operator.symbol(), side(right))
            }
        }
    }

    fn property(&self, property: &Property) -> String {
        let one = |word: &str, seen: &Seen| format!("{word} ({})", self.seen(seen));
        match property {
            Property::Always(seen) => one("always", seen),
            Property::Never(seen) => one("never", seen),
            Property::Reachable(seen) => one("reachable", seen),
            Property::NoOneStuck => "no_one_stuck".to_owned(),
            Property::EveryoneCanEnd => "everyone_can_end".to_owned(),
            Property::DeadlockFree => "deadlock_free".to_owned(),
            Property::RaceFree => "race_free".to_owned(),
            Property::Branching(formula) => self.branching(formula),
            Property::Eventually(seen) => one("eventually", seen),
            Property::LeadsTo(a, b) => format!("({}) leads_to ({})", self.seen(a), self.seen(b)),
            Property::Until(a, b) => format!("({}) until ({})", self.seen(a), self.seen(b)),
        }
    }

    fn branching(&self, formula: &Branching) -> String {
        let one = |word: &str, inner: &Branching| format!("{word} ({})", self.branching(inner));
        let two = |word: &str, a: &Branching, b: &Branching| {
            format!("({}) {word} ({})", self.branching(a), self.branching(b))
        };
        match formula {
            Branching::Now(seen) => self.seen(seen),
            Branching::Not(inner) => one("not", inner),
            Branching::Possibly(inner) => one("EF", inner),
            Branching::Globally(inner) => one("AG", inner),
            Branching::Inevitably(inner) => one("AF", inner),
            Branching::SomeForEver(inner) => one("EG", inner),
            Branching::SomeUntil(a, b) => two("EU", a, b),
            Branching::AllUntil(a, b) => two("AU", a, b),
        }
    }

    fn seen(&self, seen: &Seen) -> String {
        match seen {
            Seen::Variable(variable, number) => {
                let of = self.program.shared[*variable].of;
                format!("{} == {}", self.shared(*variable), value(of, *number))
            }
            Seen::Items(channel, number) => format!("len(c{channel}.items) == {number}"),
            Seen::Free(mutex) => format!("m{mutex}.holder == none"),
            Seen::Count(process, None, number) => {
                format!("count({}) == {number}", process_name(*process))
            }
            Seen::Count(process, Some(label), number) => {
                format!("count({} at l{label}) == {number}", process_name(*process))
            }
            Seen::Inside(process, function, label) => {
                format!("exists w in {}: w at f{function}.l{label}", process_name(*process))
            }
            Seen::Not(inner) => format!("not ({})", self.seen(inner)),
            Seen::And(a, b) => format!("({}) and ({})", self.seen(a), self.seen(b)),
            Seen::Or(a, b) => format!("({}) or ({})", self.seen(a), self.seen(b)),
        }
    }
}

fn declared(index: usize, shared: &Shared) -> String {
    let atomic = if shared.atomic { "atomic " } else { "" };
    format!("{atomic}x{index}: {} = {}", type_name(shared.of), value(shared.of, shared.first))
}

fn whom_text(whom: Whom) -> String {
    match whom {
        Whom::Local(local) => format!("v{local}"),
        Whom::Myself => "self".to_owned(),
    }
}
