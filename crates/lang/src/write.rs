//! Nets as `.kin` text: the model as it was understood.
//!
//! What is written compiles to the same net, as far as the language can say it: constants are inlined
//! already, and nets built by hand may have names that are no names in the language.

use std::fmt::Write;

use net::{
    Arc, BinaryOp, Column, Expr, Fate, Inhibitor, InitialValue, Literal, Net, Participant, Place,
    PlaceId, Spawn, StartThread, Transition, UnaryOp, Var,
};

/// The whole model.
#[must_use]
pub fn write(net: &Net) -> String {
    let mut text = format!("model {}\n", net.name);
    section(
        &mut text,
        net.constants
            .iter()
            .map(|constant| format!("const {} = {}", constant.name, net.literal(constant.value))),
    );
    section(
        &mut text,
        net.enumerations.iter().map(|enumeration| {
            format!("enum {} {{ {} }}", enumeration.name, enumeration.members.join(", "))
        }),
    );
    section(
        &mut text,
        (0..).zip(&net.places).map(|(i, place)| write_place(net, PlaceId(i), place)),
    );
    section(&mut text, write_start(net).into_iter());
    section(&mut text, net.transitions.iter().map(|t| write_transition(net, t)));
    section(&mut text, net.properties.iter().map(|p| format!("property {}: {}", p.name, p.text)));
    text
}

fn section(text: &mut String, lines: impl Iterator<Item = String>) {
    for (i, line) in lines.enumerate() {
        text.push_str(if i == 0 { "\n" } else { "" });
        text.push_str(&line);
        text.push('\n');
    }
}

fn write_place(net: &Net, id: PlaceId, place: &Place) -> String {
    let column = |column: &Column| match &column.name {
        Some(name) => format!("{name}: {}", net.sort_name(column.sort)),
        None => net.sort_name(column.sort),
    };
    let columns = &place.columns[usize::from(place.is_flow()).min(place.columns.len())..];
    let columns: Vec<String> = columns.iter().map(column).collect();
    let mut text = format!("{} {}{}", place.kind, place.name, in_parentheses(&columns));
    let tokens = net.tokens.iter().filter(|token| token.place == id).map(|token| {
        let values: Vec<String> = token.values.iter().map(|v| write_initial(net, *v)).collect();
        match (values.as_slice(), token.count) {
            ([], count) => count.to_string(),
            ([value], 1) => value.clone(),
            ([value], count) => format!("{count} of {value}"),
            (_, 1) => in_parentheses(&values),
            (_, count) => format!("{count} of {}", in_parentheses(&values)),
        }
    });
    let tokens: Vec<String> = tokens.collect();
    if !tokens.is_empty() {
        text += &format!(" = {}", tokens.join(", "));
    }
    text
}

/// Threads are named when a token refers to one; alike ones in a row are counted otherwise.
fn write_start(net: &Net) -> Vec<String> {
    let tokens = net.tokens.iter().flat_map(|token| &token.values);
    let values = tokens.chain(net.start.iter().flat_map(|thread| &thread.values));
    let named = values.clone().any(|value| matches!(value, InitialValue::Thread(_)));
    let place = |thread: &StartThread| {
        let values: Vec<String> = thread.values.iter().map(|v| write_initial(net, *v)).collect();
        format!("{}{}", net.place(thread.place).name, in_parentheses(&values))
    };
    if named {
        let thread = |(i, thread)| format!("start {}: {}", thread_name(i), place(thread));
        return net.start.iter().enumerate().map(thread).collect();
    }
    let alike = net.start.chunk_by(|a, b| a == b);
    let threads = alike.map(|threads| match threads.len() {
        1 => format!("start {}", place(&threads[0])),
        n => format!("start {n} times {}", place(&threads[0])),
    });
    threads.collect()
}

/// The name of the member that an initial token goes through all of.
fn member_name(index: usize) -> String {
    format!("member{}", index + 1)
}

fn thread_name(index: usize) -> String {
    format!("thread{}", index + 1)
}

fn write_initial(net: &Net, value: InitialValue) -> String {
    match value {
        InitialValue::Each(index) => member_name(index),
        InitialValue::Thread(index) => thread_name(index),
        InitialValue::Data(literal) => net.literal(literal),
    }
}

/// A transition, on one line if it fits.
#[must_use]
pub fn write_transition(net: &Net, transition: &Transition) -> String {
    let parameter = |(var, sort): &(Var, net::Sort)| {
        format!("{}: {}", name_of(transition, *var), net.sort_name(*sort))
    };
    let parameters: Vec<String> = transition.parameters.iter().map(parameter).collect();
    let mut items: Vec<String> = Vec::new();
    let writer = Writer { net, transition };
    items.extend(transition.participants.iter().map(|p| writer.participant(p)));
    items.extend(transition.takes.iter().map(|arc| format!("take {}", writer.arc(arc))));
    items.extend(transition.reads.iter().map(|arc| format!("read {}", writer.arc(arc))));
    items.extend(
        transition.definitions.iter().map(|(var, expr)| {
            format!("let {} = {}", name_of(transition, *var), writer.expr(expr))
        }),
    );
    items.extend(transition.spawns.iter().map(|s| writer.spawn(s)));
    items.extend(transition.puts.iter().map(|arc| format!("put {}", writer.arc(arc))));
    items.extend(transition.inhibitors.iter().map(|i| format!("unless {}", writer.inhibitor(i))));
    if !transition.guard.is_empty() {
        items.push(format!("when {}", writer.guard()));
    }
    let head = format!("transition {}{}", transition.name, in_parentheses(&parameters));
    let line = format!("{head} {{ {} }}", items.join("   "));
    if line.chars().count() <= 100 {
        return line;
    }
    let mut text = format!("{head} {{\n");
    items.iter().for_each(|item| writeln!(text, "    {item}").expect("strings do not fail"));
    text.push('}');
    text
}

/// An expression of a transition.
#[must_use]
pub fn write_expr(net: &Net, transition: &Transition, expr: &Expr) -> String {
    Writer { net, transition }.expr(expr)
}

/// What the guard of a transition says, without `when`; empty if there is none.
#[must_use]
pub fn write_guard(net: &Net, transition: &Transition) -> String {
    Writer { net, transition }.guard()
}

/// The components of a pattern, without parentheses.
#[must_use]
pub fn write_pattern(net: &Net, transition: &Transition, pattern: &[Option<Expr>]) -> String {
    Writer { net, transition }.pattern(pattern).join(", ")
}

fn name_of(transition: &Transition, var: Var) -> &str {
    &transition.variables[var.index()].name
}

fn in_parentheses(items: &[String]) -> String {
    if items.is_empty() { String::new() } else { format!("({})", items.join(", ")) }
}

struct Writer<'a> {
    net: &'a Net,
    transition: &'a Transition,
}

impl Writer<'_> {
    fn name(&self, var: Var) -> &str {
        name_of(self.transition, var)
    }

    fn place(&self, id: PlaceId, columns: &[String]) -> String {
        format!("{}{}", self.net.place(id).name, in_parentheses(columns))
    }

    fn pattern(&self, pattern: &[Option<Expr>]) -> Vec<String> {
        pattern.iter().map(|e| e.as_ref().map_or_else(|| "_".into(), |e| self.expr(e))).collect()
    }

    fn values(&self, values: &[Expr]) -> Vec<String> {
        values.iter().map(|expr| self.expr(expr)).collect()
    }

    fn participant(&self, participant: &Participant) -> String {
        let thread = self.name(participant.thread);
        let from = self.place(participant.from, &self.pattern(&participant.pattern));
        match &participant.fate {
            Fate::Stay => format!("stay {thread}: {from}"),
            Fate::End => format!("end {thread}: {from}"),
            Fate::Move { to, values } => {
                format!("move {thread}: {from} -> {}", self.place(*to, &self.values(values)))
            }
        }
    }

    fn spawn(&self, spawn: &Spawn) -> String {
        let parent = self.name(spawn.parent);
        let to = self.place(spawn.to, &self.values(&spawn.values));
        match spawn.child {
            Some(child) => format!("spawn {} from {parent}: {to}", self.name(child)),
            None => format!("spawn {} times from {parent}: {to}", spawn.count),
        }
    }

    fn arc(&self, arc: &Arc) -> String {
        self.tokens(arc.place, &arc.pattern, arc.count)
    }

    fn inhibitor(&self, inhibitor: &Inhibitor) -> String {
        let tokens = self.tokens(inhibitor.place, &inhibitor.pattern, inhibitor.count);
        match &inhibitor.condition {
            Some(condition) => format!("{tokens} with {}", self.expr(condition)),
            None => tokens,
        }
    }

    fn tokens(&self, place: PlaceId, pattern: &[Option<Expr>], count: u32) -> String {
        let count = if count == 1 { String::new() } else { format!("{count} ") };
        let mut columns = self.pattern(pattern);
        if self.net.place(place).is_flow() && !columns.is_empty() {
            let thread = columns.remove(0);
            return format!("{count}{thread}: {}", self.place(place, &columns));
        }
        format!("{count}{}", self.place(place, &columns))
    }

    fn guard(&self) -> String {
        let guard = &self.transition.guard;
        let level = if guard.len() > 1 { Level::And } else { Level::Lowest };
        let conditions: Vec<String> = guard.iter().map(|expr| self.at(expr, level)).collect();
        conditions.join(" and ")
    }

    fn expr(&self, expr: &Expr) -> String {
        self.at(expr, Level::Lowest)
    }

    /// An expression where one that binds as tightly as `level` or tighter can stand.
    fn at(&self, expr: &Expr, level: Level) -> String {
        let (own, text) = match expr {
            Expr::Literal(Literal::Int(n)) if *n < 0 => (Level::Sum, n.to_string()),
            Expr::Literal(literal) => (Level::Atom, self.net.literal(*literal)),
            Expr::Var(var) => (Level::Atom, self.name(*var).to_owned()),
            Expr::Relation(relation, a, b) => {
                (Level::Atom, format!("{relation}({}, {})", self.name(*a), self.name(*b)))
            }
            Expr::Unary(UnaryOp::Not, a) => (Level::Not, format!("not {}", self.at(a, Level::Not))),
            Expr::Unary(UnaryOp::Negate, a) => {
                (Level::Unary, format!("-{}", self.at(a, Level::Atom)))
            }
            Expr::If(condition, a, b) => {
                let (condition, a, b) = (self.expr(condition), self.expr(a), self.expr(b));
                (Level::Lowest, format!("if {condition} then {a} else {b}"))
            }
            Expr::Shift(a, _, steps) => {
                let sign = if *steps < 0 { '-' } else { '+' };
                (Level::Sum, format!("{} {sign} {}", self.at(a, Level::Sum), steps.unsigned_abs()))
            }
            Expr::Within(a, id, part) => {
                let part = &self.net.enumerations[id.index()].parts[*part as usize];
                (Level::Comparison, format!("{} in {}", self.at(a, Level::Sum), part.name))
            }
            Expr::Binary(op, a, b) => {
                let (own, left, right) = levels(*op);
                let text = format!("{} {} {}", self.at(a, left), symbol(*op), self.at(b, right));
                (own, text)
            }
        };
        if own >= level { text } else { format!("({text})") }
    }
}

/// How tightly expressions bind, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Lowest,
    Implies,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

/// The level of an operator, and those of its operands.
fn levels(op: BinaryOp) -> (Level, Level, Level) {
    match op {
        BinaryOp::Implies => (Level::Implies, Level::Or, Level::Implies),
        BinaryOp::Or => (Level::Or, Level::Or, Level::And),
        BinaryOp::And => (Level::And, Level::And, Level::Not),
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => (Level::Comparison, Level::Sum, Level::Sum),
        BinaryOp::Add | BinaryOp::Subtract => (Level::Sum, Level::Sum, Level::Product),
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => {
            (Level::Product, Level::Product, Level::Unary)
        }
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Implies => "implies",
    }
}
