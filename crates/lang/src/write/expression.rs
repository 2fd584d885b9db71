//! Expressions, with no more parentheses than they need.

use net::{Expr, Literal, Net, UnaryOp, Var};

use super::quote::quoted;
use crate::operator::Level;

/// Writes expressions over variables that have these names.
pub(super) struct Expressions<'a> {
    pub(super) net: &'a Net,
    pub(super) name: &'a dyn Fn(Var) -> String,
}

impl Expressions<'_> {
    pub(super) fn expr(&self, expr: &Expr) -> String {
        self.at(expr, Level::Until)
    }

    /// Conditions that must all hold. Of several, those after the first that are conjunctions themselves
    /// stand in parentheses.
    pub(super) fn all_of<'e>(&self, conditions: impl IntoIterator<Item = &'e Expr>) -> String {
        let conditions: Vec<&Expr> = conditions.into_iter().collect();
        let level = |index| match (conditions.len(), index) {
            (1, _) => Level::Until,
            (_, 0) => Level::And,
            _ => Level::Not,
        };
        let texts = conditions.iter().enumerate().map(|(i, expr)| self.at(expr, level(i)));
        texts.collect::<Vec<_>>().join(" and ")
    }

    /// An expression where one that binds as tightly as `level` or tighter can stand.
    pub(super) fn at(&self, expr: &Expr, level: Level) -> String {
        let (own, text) = match expr {
            Expr::Literal(Literal::Int(n)) if *n < 0 => (Level::Sum, n.to_string()),
            Expr::Literal(literal) => (Level::Atom, super::quote::literal(self.net, *literal)),
            Expr::Var(var) => (Level::Atom, (self.name)(*var)),
            Expr::Relation(relation, a, b) => {
                (Level::Atom, format!("{relation}({}, {})", (self.name)(*a), (self.name)(*b)))
            }
            Expr::Unary(UnaryOp::Not, a) => (Level::Not, format!("not {}", self.at(a, Level::Not))),
            Expr::Unary(UnaryOp::Value, a) => (Level::Atom, format!("value({})", self.expr(a))),
            Expr::Unary(UnaryOp::Negate, a) => {
                (Level::Negate, format!("-{}", self.at(a, Level::Atom)))
            }
            Expr::If(condition, a, b) => {
                let (condition, a, b) = (self.expr(condition), self.expr(a), self.expr(b));
                (Level::Until, format!("if {condition} then {a} else {b}"))
            }
            Expr::Shift(a, _, steps) => {
                let word = if *steps < 0 { "pred" } else { "succ" };
                let steps = match steps.unsigned_abs() {
                    1 => String::new(),
                    steps => format!(", {steps}"),
                };
                (Level::Atom, format!("{word}({}{steps})", self.expr(a)))
            }
            Expr::Within(a, id, part) => {
                let part = &self.net.enumerations[id.index()].parts[*part as usize];
                (Level::Compare, format!("{} in {}", self.at(a, Level::Sum), quoted(&part.name)))
            }
            Expr::Binary(op, a, b) => {
                let own = Level::of(*op);
                let (left, right) = own.operands();
                (own, format!("{} {op} {}", self.at(a, left), self.at(b, right)))
            }
            _ => unreachable!("no transition asks for the state"),
        };
        if own >= level { text } else { format!("({text})") }
    }
}
