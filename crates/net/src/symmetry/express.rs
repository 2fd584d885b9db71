//! Expressions in the net with its symmetry imposed.
//!
//! Members have other numbers there. An expression that names members which are alike, or says of a class
//! what may no longer be said of it, is written anew from its form; others stay as they were written.

use std::collections::{BTreeMap, HashSet};

use super::form::{Form, Op, Set};
use super::group::Group;
use super::read::Reader;
use crate::{BinaryOp, EnumId, Expr, Kind, Literal, Net, Symmetry, UnaryOp, Var};

/// What members become.
pub(super) struct Wording<'a> {
    pub(super) net: &'a Net,
    pub(super) groups: &'a [Group],
    /// By class and member: its new number.
    pub(super) number: &'a [Vec<u32>],
    /// The names that no variable may have.
    pub(super) taken: &'a HashSet<String>,
}

impl Wording<'_> {
    pub(super) fn literal(&self, literal: Literal) -> Literal {
        match literal {
            Literal::Enum(id, member) => {
                Literal::Enum(id, self.number[id.index()][member as usize])
            }
            literal => literal,
        }
    }

    /// An expression that a reader reads, in the new wording.
    pub(super) fn expr(&self, expr: &Expr, reader: &Reader) -> Expr {
        if self.must_change(expr, reader) {
            return self.express(&reader.form(expr), &reader.choices);
        }
        let mut expr = expr.clone();
        expr.change(&mut |expr| self.renumber(expr));
        expr
    }

    /// Whether it is not enough to number members anew.
    pub(super) fn must_change(&self, expr: &Expr, reader: &Reader) -> bool {
        use BinaryOp::{Greater, GreaterEqual, Less, LessEqual};
        let symmetry = |id: &EnumId| self.groups[id.index()].symmetry;
        let mut must = false;
        expr.walk(&mut |expr| {
            must |= match expr {
                Expr::Literal(Literal::Enum(id, member)) => self.groups[id.index()].moves(*member),
                Expr::Shift(_, id, _) => symmetry(id) == Symmetry::Full,
                Expr::Within(_, id, _) => symmetry(id) != Symmetry::None,
                Expr::Binary(Less | LessEqual | Greater | GreaterEqual, a, _) => {
                    match reader.kind(a) {
                        Some(Kind::Enum(id)) => symmetry(&id) != Symmetry::None,
                        _ => false,
                    }
                }
                _ => false,
            };
        });
        must
    }

    /// Gives a member that the expression names its new number.
    pub(super) fn renumber(&self, expr: &mut Expr) {
        if let Expr::Literal(literal) = expr {
            *literal = self.literal(*literal);
        }
    }

    /// A form as an expression. Its own variables are given.
    pub(super) fn express(&self, form: &Form, own: &[Var]) -> Expr {
        let express = |form: &Form| self.express(form, own);
        match form {
            Form::Truth(truth) => Expr::Literal(Literal::Bool(*truth)),
            Form::Number(number) => Expr::int(*number),
            Form::Member(id, member) => Expr::Literal(self.literal(Literal::Enum(*id, *member))),
            Form::Var(var) => Expr::Var(*var),
            Form::Choice(index) => Expr::Var(own[*index as usize]),
            Form::In(of, set) => self.within(express(of), set),
            Form::Apply(op, _, operands) => match (op, &operands[..]) {
                (Op::Binary(op @ (BinaryOp::And | BinaryOp::Or)), _) => {
                    joined(*op, operands.iter().map(express).collect())
                }
                (Op::Binary(op), [a, b]) => Expr::binary(*op, express(a), express(b)),
                (Op::Unary(op), [a]) => negated(*op, express(a)),
                (Op::Before { strict, .. }, [a, b]) => {
                    let op = if *strict { BinaryOp::Less } else { BinaryOp::LessEqual };
                    Expr::binary(op, express(a), express(b))
                }
                (Op::If, [condition, a, b]) => {
                    Expr::If(express(condition).into(), express(a).into(), express(b).into())
                }
                (Op::Relation(relation), [a, b]) => match (express(a), express(b)) {
                    (Expr::Var(a), Expr::Var(b)) => Expr::Relation(*relation, a, b),
                    _ => unreachable!("relations are between variables"),
                },
                (Op::Shift(id, steps), [a]) => Expr::Shift(express(a).into(), *id, *steps),
                _ => unreachable!("{op:?} is no operator of expressions"),
            },
            Form::Thread(_) | Form::Open => unreachable!("{form:?} is no expression"),
        }
    }

    /// Whether `of` is in a set, said by parts where there are such.
    fn within(&self, of: Expr, set: &Set) -> Expr {
        let (class, equal) = (set.class, BinaryOp::Equal);
        let mut listed: BTreeMap<u32, u32> = BTreeMap::new();
        let part_of = |member: u32| self.part(class, member);
        for (part, _) in set.members.iter().filter_map(|member| part_of(*member)) {
            *listed.entry(part).or_default() += 1;
        }
        let mut said = Vec::new();
        for &member in &set.members {
            match part_of(member) {
                Some((part, size)) if size > 1 && listed.get(&part) == Some(&size) => {
                    listed.remove(&part);
                    said.push(Expr::Within(of.clone().into(), class, part));
                }
                // This part has been said.
                Some((part, size)) if size > 1 && !listed.contains_key(&part) => {}
                _ => {
                    let literal = Expr::Literal(self.literal(Literal::Enum(class, member)));
                    said.push(Expr::binary(equal, of.clone(), literal));
                }
            }
        }
        if said.is_empty() {
            // Not said to be true or false, because it can fault.
            said.push(Expr::binary(equal, of.clone(), of));
            return if set.without {
                said.remove(0)
            } else {
                negated(UnaryOp::Not, said.remove(0))
            };
        }
        let said = joined(BinaryOp::Or, said);
        if set.without { negated(UnaryOp::Not, said) } else { said }
    }

    /// The part of a member, by index, and the part's size, where there are parts with names.
    fn part(&self, class: EnumId, member: u32) -> Option<(u32, u32)> {
        let group = &self.groups[class.index()];
        if group.symmetry == Symmetry::None {
            let class = &self.net.enumerations[class.index()];
            let mut parts = class.part_ranges().filter(|_| !class.parts.is_empty());
            let part = parts.position(|part| part.contains(&member))?;
            return Some((part as u32, class.parts[part].size));
        }
        let part = group.part(member)?;
        Some((part, group.parts[part as usize].len() as u32))
    }
}

/// Expressions joined by an operator, nested as little as can be; at least one.
pub(super) fn joined(op: BinaryOp, mut exprs: Vec<Expr>) -> Expr {
    while exprs.len() > 1 {
        let mut left = exprs.into_iter();
        exprs = Vec::with_capacity(left.len().div_ceil(2));
        while let Some(a) = left.next() {
            exprs.push(match left.next() {
                Some(b) => Expr::binary(op, a, b),
                None => a,
            });
        }
    }
    exprs.pop().expect("there is at least one")
}

fn negated(op: UnaryOp, expr: Expr) -> Expr {
    match (op, expr) {
        (UnaryOp::Not, Expr::Binary(BinaryOp::Equal, a, b)) => {
            Expr::Binary(BinaryOp::NotEqual, a, b)
        }
        (op, expr) => Expr::Unary(op, expr.into()),
    }
}
