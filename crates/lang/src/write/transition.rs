//! Transitions.

use std::fmt::Write;

use net::{Arc, Expr, Fate, Inhibitor, Net, Participant, PlaceId, Spawn, Transition, Var};

use super::all::Plan;
use super::expression::Expressions;
use super::in_parentheses;
use super::names::Names;
use super::quote::{quoted, sort};
use crate::format::WIDTH;
use crate::resolve::UNNAMED;

/// A transition, on one line if it fits.
#[must_use]
pub fn write_transition(net: &Net, transition: &Transition) -> String {
    let parameter = |(var, sort_of): &(Var, net::Sort)| {
        format!("{}: {}", quoted(name_of(transition, *var)), sort(net, *sort_of))
    };
    let parameters: Vec<String> = transition.parameters.iter().map(parameter).collect();
    let mut items: Vec<String> = Vec::new();
    let writer = Writer { net, transition, names: None };
    items.extend(transition.participants.iter().map(|p| writer.participant(p)));
    items.extend(transition.takes.iter().map(|arc| format!("take {}", writer.arc(arc))));
    items.extend(transition.reads.iter().map(|arc| format!("read {}", writer.arc(arc))));
    items.extend(transition.definitions.iter().map(|(var, expr)| {
        format!("let {} = {}", quoted(name_of(transition, *var)), writer.expr(expr))
    }));
    items.extend(transition.spawns.iter().map(|s| writer.spawn(s)));
    let news = transition.news.iter().map(|(var, class)| {
        let class = quoted(&net.fresh[class.index()].name);
        format!("new {}: {class}", quoted(name_of(transition, *var)))
    });
    items.extend(news);
    items.extend(transition.puts.iter().map(|arc| format!("put {}", writer.arc(arc))));
    items.extend(transition.inhibitors.iter().map(|i| format!("unless {}", writer.inhibitor(i))));
    if !transition.guard.is_empty() {
        items.push(format!("when {}", writer.guard()));
    }
    let mut head =
        format!("transition {}{}", quoted(&transition.name), in_parentheses(&parameters));
    if let Some(what) = &transition.failure {
        head += " fails";
        if *what != transition.name {
            write!(head, " `{}`", what.replace('`', "'")).expect("strings do not fail");
        }
    }
    let line = format!("{head} {{ {} }}", items.join("   "));
    if line.chars().count() <= WIDTH {
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
    Writer { net, transition, names: None }.expr(expr)
}

/// What the guard of a transition says, without `when`; empty if there is none.
#[must_use]
pub fn write_guard(net: &Net, transition: &Transition) -> String {
    Writer { net, transition, names: None }.guard()
}

/// The components of a pattern, without parentheses.
#[must_use]
pub fn write_pattern(net: &Net, transition: &Transition, pattern: &[Option<Expr>]) -> String {
    Writer { net, transition, names: None }.pattern(pattern).join(", ")
}

/// What keeps a transition from firing, without `unless`: `a(x), b(x, y) with y > 0`, say.
#[must_use]
pub fn write_inhibitor(net: &Net, transition: &Transition, inhibitor: &Inhibitor) -> String {
    Writer { net, transition, names: None }.inhibitor(inhibitor)
}

/// The components of what an arc carries, without parentheses: `s, all r with r != s`, say.
#[must_use]
pub fn write_arc(net: &Net, transition: &Transition, arc: &Arc) -> String {
    let (components, with) = Writer { net, transition, names: None }.components(arc);
    components.join(", ") + &with
}

fn name_of(transition: &Transition, var: Var) -> &str {
    &transition.variables[var.index()].name
}

/// Writes what a transition has, or what is like it.
pub(super) struct Writer<'a> {
    pub(super) net: &'a Net,
    pub(super) transition: &'a Transition,
    /// The names of the net, where they are known.
    pub(super) names: Option<&'a Names<'a>>,
}

impl Writer<'_> {
    fn name(&self, var: Var) -> String {
        quoted(name_of(self.transition, var))
    }

    fn place(&self, id: PlaceId, columns: &[String]) -> String {
        format!("{}{}", quoted(&self.net.place(id).name), in_parentheses(columns))
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
        let passive = if participant.passive { "passive " } else { "" };
        match &participant.fate {
            Fate::Stay => format!("{passive}stay {thread}: {from}"),
            Fate::End => format!("{passive}end {thread}: {from}"),
            Fate::Crash => format!("{passive}crash {thread}: {from}"),
            Fate::Move { to, values } => {
                let to = self.place(*to, &self.values(values));
                format!("{passive}move {thread}: {from} -> {to}")
            }
        }
    }

    fn spawn(&self, spawn: &Spawn) -> String {
        let parent = self.name(spawn.parent);
        let to = match spawn.to {
            Some(to) => format!(": {}", self.place(to, &self.values(&spawn.values))),
            None => " end".into(),
        };
        match spawn.child {
            Some(child) => format!("spawn {} from {parent}{to}", self.name(child)),
            None => format!("spawn {} times from {parent}{to}", spawn.count),
        }
    }

    fn inhibitor(&self, inhibitor: &Inhibitor) -> String {
        let arcs: Vec<String> = inhibitor.arcs.iter().map(|arc| self.arc(arc)).collect();
        let with = inhibitor.condition.iter().map(|expr| format!(" with {}", self.expr(expr)));
        arcs.join(", ") + &with.collect::<String>()
    }

    fn arc(&self, arc: &Arc) -> String {
        let (columns, with) = self.components(arc);
        format!("{}{with}", self.tokens(arc.place, columns, arc.count))
    }

    /// The components of what an arc carries, and what follows them.
    pub(super) fn components(&self, arc: &Arc) -> (Vec<String>, String) {
        if arc.each.is_empty() {
            let with = arc.condition.iter().map(|expr| format!(" with {}", self.expr(expr)));
            return (self.pattern(&arc.pattern), with.collect());
        }
        let is_unnamed = |var: Var| name_of(self.transition, var) == UNNAMED;
        let variable = |expr: &Option<Expr>| match expr {
            Some(Expr::Var(var)) => Some(*var),
            _ => None,
        };
        let components: Vec<Option<Var>> = arc.pattern.iter().map(variable).collect();
        // In initial tokens, whatever is spoken of gets a name below.
        let stays_unnamed = |var: Var| self.names.is_none() && is_unnamed(var);
        let plan = Plan::new(&components, &arc.each, arc.condition.as_ref(), stays_unnamed);
        let is_spoken_of = |var: Var| {
            let mut count = 0;
            let pattern = arc.pattern.iter().flatten();
            pattern.for_each(|expr| expr.variables(&mut |v| count += usize::from(v == var)));
            count != 1 || plan.mentions(var)
        };
        // A variable without a name that is spoken of gets one: in initial tokens, and in nets built by hand.
        let nameless = arc.each.iter().filter(|var| is_unnamed(**var) && is_spoken_of(**var));
        let nameless: Vec<Var> = nameless.copied().collect();
        let taken: Vec<&str> = self.transition.variables.iter().map(|v| v.name.as_str()).collect();
        let fresh = match (nameless.len(), self.names) {
            (0, _) => Vec::new(),
            (count, Some(names)) => names.fresh(&taken, count),
            (count, None) => Names::of(self.net).fresh(&taken, count),
        };
        let name = |var: Var| match nameless.iter().position(|other| *other == var) {
            Some(index) => fresh[index].clone(),
            None => self.name(var),
        };
        let expressions = Expressions { net: self.net, name: &name };
        let other = |i: usize| match &arc.pattern[i] {
            Some(expr) => expressions.expr(expr),
            None => "_".into(),
        };
        let shown = |var: Var| (!is_unnamed(var) || is_spoken_of(var)).then(|| name(var));
        (plan.components(other, shown, &expressions), plan.with(&expressions))
    }

    fn tokens(&self, place: PlaceId, mut columns: Vec<String>, count: u32) -> String {
        let count = if count == 1 { String::new() } else { format!("{count} ") };
        if self.net.place(place).is_flow() && !columns.is_empty() {
            let thread = columns.remove(0);
            return format!("{count}{thread}: {}", self.place(place, &columns));
        }
        format!("{count}{}", self.place(place, &columns))
    }

    fn guard(&self) -> String {
        self.expressions(|expressions| expressions.all_of(&self.transition.guard))
    }

    fn expr(&self, expr: &Expr) -> String {
        self.expressions(|expressions| expressions.expr(expr))
    }

    fn expressions(&self, write: impl FnOnce(&Expressions<'_>) -> String) -> String {
        let name = |var| self.name(var);
        write(&Expressions { net: self.net, name: &name })
    }
}
