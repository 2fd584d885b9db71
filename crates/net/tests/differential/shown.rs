//! A net as people read it, for the message of a test that fails.

use std::fmt::Write;

use net::{Arc, Expr, Fate, Hold, InitialValue, Net, PlaceId, Transition, UnaryOp, Var};

/// The whole net.
pub fn shown(net: &Net) -> String {
    let mut text = String::new();
    for place in &net.places {
        let mark = |column: &net::Column| if column.optional { "?" } else { "" };
        let column = |c: &net::Column| format!("{}{}", net.sort_name(c.sort), mark(c));
        let columns: Vec<String> = place.columns.iter().map(column).collect();
        let hold =
            if place.hold == Hold::Root { String::new() } else { format!("{:?}", place.hold) };
        let columns = columns.join(", ");
        line(&mut text, &format!("{} {}({columns}) {hold}", place.kind, place.name));
        place.groups.iter().for_each(|group| line(&mut text, &format!("    {group:?}")));
    }
    let values = |values: &[InitialValue]| {
        let value = |value: &InitialValue| match value {
            InitialValue::Thread(index) => format!("thread {}", index + 1),
            InitialValue::Object(index) => format!("object {index}"),
            InitialValue::Data(literal) => net.literal(*literal),
            InitialValue::Each(index) => format!("each {index}"),
        };
        values.iter().map(value).collect::<Vec<String>>().join(", ")
    };
    for thread in &net.start {
        let place = &net.place(thread.place).name;
        line(&mut text, &format!("start {place}({})", values(&thread.values)));
    }
    for token in &net.tokens {
        let place = &net.place(token.place).name;
        line(&mut text, &format!("token {} × {place}({})", token.count, values(&token.values)));
    }
    for transition in &net.transitions {
        Shown { net, transition }.transition(&mut text);
    }
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a text takes all");
}

struct Shown<'a> {
    net: &'a Net,
    transition: &'a Transition,
}

impl Shown<'_> {
    fn transition(&self, text: &mut String) {
        let t = self.transition;
        let kind = if t.probe { "probe" } else { "transition" };
        line(text, &format!("{kind} {} {{", t.name));
        let mut clause = |clause: String| line(text, &format!("    {clause}"));
        for (var, sort) in &t.parameters {
            clause(format!("parameter {}: {}", self.var(*var), self.net.sort_name(*sort)));
        }
        for p in &t.participants {
            let from = self.token(p.from, &p.pattern);
            let thread = self.var(p.thread);
            clause(match &p.fate {
                Fate::Stay => format!("stay {thread}: {from}"),
                Fate::End => format!("end {thread}: {from}"),
                Fate::Crash => format!("crash {thread}: {from}"),
                Fate::Move { to, values } => {
                    format!("move {thread}: {from} -> {}", self.values(*to, values))
                }
            });
        }
        t.takes.iter().for_each(|arc| clause(format!("take {}", self.arc(arc))));
        t.reads.iter().for_each(|arc| clause(format!("read {}", self.arc(arc))));
        for inhibitor in &t.inhibitors {
            let tokens = inhibitor.arcs.iter().map(|arc| self.arc(arc));
            let tokens = tokens.collect::<Vec<String>>().join(", ");
            let condition = inhibitor.condition.as_ref().map(|c| self.expr(c));
            let condition = condition.map_or_else(String::new, |c| format!(" when {c}"));
            clause(format!("unless {tokens}{condition}"));
        }
        for (var, expr) in &t.definitions {
            clause(format!("let {} = {}", self.var(*var), self.expr(expr)));
        }
        t.guard.iter().for_each(|expr| clause(format!("when {}", self.expr(expr))));
        for spawn in &t.spawns {
            let child = spawn.child.map_or_else(String::new, |child| self.var(child));
            let to = spawn.to.map_or("end".into(), |to| self.values(to, &spawn.values));
            let parent = self.var(spawn.parent);
            clause(format!("spawn {} × {child} from {parent}: {to}", spawn.count));
        }
        for (var, class) in &t.news {
            clause(format!("new {}: {}", self.var(*var), self.net.fresh[class.index()].name));
        }
        t.puts.iter().for_each(|arc| clause(format!("put {}", self.arc(arc))));
        line(text, "}");
    }

    fn var(&self, var: Var) -> String {
        self.transition.variables[var.index()].name.clone()
    }

    fn arc(&self, arc: &Arc) -> String {
        format!("{} × {}", arc.count, self.token(arc.place, &arc.pattern))
    }

    fn token(&self, place: PlaceId, pattern: &[Option<Expr>]) -> String {
        let one = |expr: &Option<Expr>| expr.as_ref().map_or("_".into(), |expr| self.expr(expr));
        let components: Vec<String> = pattern.iter().map(one).collect();
        format!("{}({})", self.net.place(place).name, components.join(", "))
    }

    fn values(&self, place: PlaceId, values: &[Expr]) -> String {
        self.token(place, &values.iter().cloned().map(Some).collect::<Vec<_>>())
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Literal(literal) => self.net.literal(*literal),
            Expr::Var(var) => self.var(*var),
            Expr::Unary(UnaryOp::Not, a) => format!("not {}", self.expr(a)),
            Expr::Unary(UnaryOp::Negate, a) => format!("-{}", self.expr(a)),
            Expr::Unary(UnaryOp::Value, a) => format!("value({})", self.expr(a)),
            Expr::Binary(op, a, b) => {
                format!("({} {op} {})", self.expr(a), self.expr(b))
            }
            Expr::If(c, a, b) => {
                format!("(if {} then {} else {})", self.expr(c), self.expr(a), self.expr(b))
            }
            Expr::Relation(relation, a, b) => {
                format!("{relation}({}, {})", self.var(*a), self.var(*b))
            }
            Expr::Shift(a, _, steps) => format!("({} shifted by {steps})", self.expr(a)),
            Expr::Within(a, id, part) => {
                let part = &self.net.enumerations[id.index()].parts[*part as usize].name;
                format!("({} within {part})", self.expr(a))
            }
            _ => unreachable!("no transition asks for the state"),
        }
    }
}
