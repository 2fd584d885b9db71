//! Tokens on arcs and in the initial marking, as multisets.
//!
//! Tokens for all members are a tuple with `all` in it. What their conditions leave out is subtracted:
//! `x != e`, and the members that a condition on `x` alone leaves out, in the column of `x`;
//! `not (x == e and y == f)` as a tuple, and `x != y` as all tuples in which the two are the same.

use net::{BinaryOp, EnumId, Expr, InitialToken, InitialValue, Sort as NetSort, UnaryOp, Var};

use super::terms::{Scope, operands, plain};
use super::{Writer, label};
use crate::closed::only_variable;
use crate::document::{Kind as NetKind, Tokens};
use crate::term::{NumberSort, Operator, Term};

/// Some copies of a token, or of several.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    count: u32,
    tokens: Term,
    /// Whether it is a multiset, rather than one token.
    is_multiset: bool,
}

/// A component of tokens.
#[derive(Clone, Debug)]
enum Slot {
    /// A term, and the expression that it is.
    One(Term, Expr),
    /// All members of a class, and the variable that goes through them.
    All(EnumId, Var),
}

impl<'n> Writer<'n> {
    /// Multisets together.
    pub(super) fn tokens(&mut self, list: Vec<Carried>) -> Tokens {
        if self.kind == NetKind::PlaceTransition {
            let count = list.iter().map(|carried| u64::from(carried.count)).sum();
            return Tokens::Number { count, span: Default::default() };
        }
        let term = |carried: Carried| {
            let operator = match (carried.is_multiset, carried.count) {
                (true, 1) => return carried.tokens,
                (true, _) => Operator::ScalarProduct,
                (false, _) => Operator::NumberOf,
            };
            let value = u64::from(carried.count);
            let number = plain(Operator::Number { value, sort: NumberSort::Positive }, Vec::new());
            plain(operator, vec![number, carried.tokens])
        };
        let mut terms: Vec<Term> = list.into_iter().map(term).collect();
        Tokens::Term(label(match terms.len() {
            1 => terms.remove(0),
            _ => plain(Operator::Add, terms),
        }))
    }

    pub(super) fn initial(&mut self, token: &InitialToken) -> Option<Carried> {
        let columns = &self.net.place(token.place).columns;
        let mut slots = Vec::with_capacity(columns.len());
        for (value, column) in token.values.iter().zip(columns) {
            slots.push(match value {
                InitialValue::Thread(_) | InitialValue::Object(_) => {
                    let what = "its tokens hold pids or objects, which PNML does not have";
                    return self.refuse(what);
                }
                InitialValue::Data(literal) => {
                    let term = self.literal(*literal, column.sort)?;
                    Slot::One(term, Expr::Literal(*literal))
                }
                InitialValue::Each(index) => Slot::All(token.each[*index], Var(*index as u32)),
            });
        }
        let mut scope = Scope::default();
        self.carried(token.count, slots, token.each.len(), token.condition.as_ref(), &mut scope)
    }

    pub(super) fn arc(&mut self, arc: &net::Arc, scope: &mut Scope<'n>) -> Option<Carried> {
        let place = self.net.place(arc.place);
        if place.is_flow() {
            return self.refuse(format!("it looks at threads in `{}`", place.name));
        }
        let mut slots = Vec::with_capacity(place.columns.len());
        for (expr, column) in arc.pattern.iter().zip(&place.columns) {
            slots.push(match expr {
                Some(Expr::Var(var)) if arc.each.contains(var) => match column.sort {
                    NetSort::Enum(id) => Slot::All(id, *var),
                    _ => unreachable!("only members are gone through"),
                },
                Some(expr) => {
                    let mut is_each = false;
                    expr.variables(&mut |var| is_each |= arc.each.contains(&var));
                    if is_each {
                        return self.refuse(format!(
                            "a token of `{}` is computed from a member that `all` goes through",
                            place.name
                        ));
                    }
                    Slot::One(self.component(expr, column.sort, scope)?, scope.inlined(expr))
                }
                None if column.sort == NetSort::Pid => {
                    return self.refuse("it moves pids, which PNML does not have");
                }
                None => Slot::One(scope.any(self, column.sort), Expr::Var(Var(u32::MAX))),
            });
        }
        self.carried(arc.count, slots, arc.each.len(), arc.condition.as_ref(), scope)
    }

    fn carried(
        &mut self,
        count: u32,
        slots: Vec<Slot>,
        each: usize,
        condition: Option<&Expr>,
        scope: &mut Scope<'n>,
    ) -> Option<Carried> {
        let through: Vec<Var> = slots
            .iter()
            .filter_map(|slot| match slot {
                Slot::All(_, var) => Some(*var),
                Slot::One(..) => None,
            })
            .collect();
        let distinct = through.iter().collect::<std::collections::HashSet<_>>().len();
        if through.len() != each || distinct != each {
            return self
                .refuse("a token goes through members that do not stand in one column each");
        }
        let conditions = condition.map(|condition| operands(condition, BinaryOp::And));
        let mut left_out: Vec<Vec<Term>> = vec![Vec::new(); slots.len()];
        let mut subtracted: Vec<Term> = Vec::new();
        for condition in conditions.unwrap_or_default() {
            let Some(terms) = self.excluded(condition, &slots, &mut left_out, scope) else {
                return self.refuse(
                    "which tokens `all` stands for depends on a condition that is no difference of \
                     multisets",
                );
            };
            subtracted.extend(terms);
        }
        let mut components = Vec::with_capacity(slots.len());
        for (slot, left_out) in slots.iter().zip(left_out) {
            components.push(match slot {
                Slot::One(term, _) => term.clone(),
                Slot::All(id, _) if left_out.is_empty() => self.all(*id),
                Slot::All(id, _) => {
                    let list = std::iter::once(self.all(*id)).chain(left_out).collect();
                    plain(Operator::Subtract, list)
                }
            });
        }
        let mut tokens = tuple(components);
        if !subtracted.is_empty() {
            subtracted.insert(0, tokens);
            tokens = plain(Operator::Subtract, subtracted);
        }
        Some(Carried { count, tokens, is_multiset: each > 0 })
    }

    fn all(&mut self, id: EnumId) -> Term {
        plain(Operator::All(self.sorts.column(NetSort::Enum(id))), Vec::new())
    }

    /// What a condition excludes: terms to be subtracted, or left out of one column. None if it is no
    /// such condition.
    fn excluded(
        &mut self,
        condition: &Expr,
        slots: &[Slot],
        left_out: &mut [Vec<Term>],
        scope: &mut Scope<'n>,
    ) -> Option<Vec<Term>> {
        if let Some(var) = only_variable(condition)
            && let Some((column, id)) = slots.iter().enumerate().find_map(|(at, slot)| match slot {
                Slot::All(id, own) if *own == var => Some((at, *id)),
                _ => None,
            })
        {
            let size = self.net.enumerations[id.index()].members.len() as u64;
            let members = crate::closed::left_out(condition, size, &self.net.enumerations)?;
            let constant = |index| super::sorts::constant(self.net.member(id, index));
            left_out[column].extend(members.into_iter().map(constant));
            return Some(Vec::new());
        }
        let equalities: Vec<(&Expr, &Expr)> = match condition {
            Expr::Binary(BinaryOp::NotEqual, a, b) => vec![(a, b)],
            Expr::Unary(UnaryOp::Not, all) => {
                let sides = operands(all, BinaryOp::And).into_iter().map(|expr| match expr {
                    Expr::Binary(BinaryOp::Equal, a, b) => Some((&**a, &**b)),
                    _ => None,
                });
                sides.collect::<Option<_>>()?
            }
            _ => return None,
        };
        let column_of = |expr: &Expr| {
            slots.iter().position(|slot| match slot {
                Slot::All(_, var) => *expr == Expr::Var(*var),
                Slot::One(_, own) => own == expr,
            })
        };
        // Two columns that are not the same.
        if let [(a, b)] = equalities[..]
            && let (Some(left), Some(right)) = (column_of(a), column_of(b))
            && let (Slot::All(id, _), Slot::All(..)) = (&slots[left], &slots[right])
        {
            let members = 0..self.net.enumerations[id.index()].members.len() as u32;
            let tuples = members.map(|index| {
                let member = super::sorts::constant(self.net.member(*id, index));
                let is_given = |column| column == left || column == right;
                let given = (0..slots.len()).map(|at| is_given(at).then(|| member.clone()));
                self.tuple_of(given, slots)
            });
            return Some(tuples.collect());
        }
        let mut given: Vec<Option<Term>> = vec![None; slots.len()];
        for (a, b) in &equalities {
            let column = column_of(a)?;
            let mut is_known = true;
            b.variables(&mut |var| {
                is_known &= !slots.iter().any(|s| matches!(s, Slot::All(_, v) if *v == var));
            });
            if !is_known || given[column].is_some() {
                return None;
            }
            let sort = match &slots[column] {
                Slot::All(id, _) => NetSort::Enum(*id),
                Slot::One(_, expr) => scope.sort(expr)?,
            };
            given[column] = Some(self.component(b, sort, scope)?);
        }
        let columns: Vec<usize> = (0..slots.len()).filter(|c| given[*c].is_some()).collect();
        if let [column] = columns[..]
            && let Slot::All(..) = slots[column]
        {
            left_out[column].extend(given[column].take());
            return Some(Vec::new());
        }
        Some(vec![self.tuple_of(given.into_iter(), slots)])
    }

    /// The tokens with these components where they are given.
    fn tuple_of(&mut self, given: impl Iterator<Item = Option<Term>>, slots: &[Slot]) -> Term {
        let components = given.zip(slots).map(|(given, slot)| match (given, slot) {
            (Some(term), _) => term,
            (None, Slot::One(term, _)) => term.clone(),
            (None, Slot::All(id, _)) => self.all(*id),
        });
        tuple(components.collect())
    }
}

/// A tuple; of one component, that component; of none, a dot.
fn tuple(mut components: Vec<Term>) -> Term {
    match components.len() {
        0 => plain(Operator::Dot, Vec::new()),
        1 => components.remove(0),
        _ => plain(Operator::Tuple, components),
    }
}
