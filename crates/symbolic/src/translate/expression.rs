//! Expressions as elements and conditions, as far as they are not worked out.

use std::cell::Cell;

use net::{BinaryOp, EnumId, Expr, Kind, Net, UnaryOp, Var};

use super::Classes;
use crate::{Condition, Element, Variable};

/// The most expressions that are looked at for one transition instance: definitions that use one
/// another can stand for very large ones.
const MOST_WORK: u32 = 100_000;

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// A datum as a number: see [`Classes::constant`].
    Known(i64),
    /// An element that depends on a variable.
    Element(Element),
    /// One or the other.
    Choice(Box<(Condition, Meaning, Meaning)>),
}

/// What a variable stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role<'n> {
    /// Nothing yet.
    Unbound,
    /// A datum as a number.
    Known(i64),
    /// A variable of the symmetric net.
    Bound(Variable),
    /// Whatever the expression stands for.
    Defined(&'n Expr),
}

/// Why an expression has no meaning here.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Hard {
    /// It would have one if these variables were known.
    Unknown(Vec<Var>),
    /// It faults.
    Fault,
    /// There is too much of it.
    TooLarge,
}

/// Variables, and what they stand for.
#[derive(Clone, Debug)]
pub(super) struct Scope<'n> {
    pub(super) net: &'n Net,
    pub(super) classes: &'n Classes,
    pub(super) kinds: Vec<Kind>,
    pub(super) roles: Vec<Role<'n>>,
    work: Cell<u32>,
}

fn truth(holds: bool) -> Condition {
    if holds { Condition::All(Vec::new()) } else { Condition::Any(Vec::new()) }
}

/// Whether a condition holds whatever the variables are, or never does.
pub(super) fn known(condition: &Condition) -> Option<bool> {
    match condition {
        Condition::All(list) if list.is_empty() => Some(true),
        Condition::Any(list) if list.is_empty() => Some(false),
        _ => None,
    }
}

/// The conjunction.
pub(super) fn both(a: Condition, b: Condition) -> Condition {
    joined(a, b, false)
}

/// The disjunction, which truth decides, or the conjunction, which falsehood decides.
fn joined(a: Condition, b: Condition, decides: bool) -> Condition {
    match (known(&a), known(&b)) {
        (Some(known), _) if known == decides => a,
        (Some(_), _) => b,
        (_, Some(known)) if known == decides => b,
        (_, Some(_)) => a,
        (None, None) => {
            let list = |condition| match condition {
                Condition::All(list) if !decides => list,
                Condition::Any(list) if decides => list,
                other => vec![other],
            };
            let list = [list(a), list(b)].concat();
            if decides { Condition::Any(list) } else { Condition::All(list) }
        }
    }
}

fn not(condition: Condition) -> Condition {
    match (known(&condition), condition) {
        (Some(holds), _) => truth(!holds),
        (None, Condition::Not(inner)) => *inner,
        (None, other) => Condition::Not(Box::new(other)),
    }
}

fn choice(condition: Condition, a: Meaning, b: Meaning) -> Meaning {
    match known(&condition) {
        Some(true) => a,
        Some(false) => b,
        None => Meaning::Choice(Box::new((condition, a, b))),
    }
}

impl<'n> Scope<'n> {
    pub(super) fn new(net: &'n Net, classes: &'n Classes, kinds: Vec<Kind>) -> Self {
        let roles = vec![Role::Unbound; kinds.len()];
        Scope { net, classes, kinds, roles, work: Cell::new(0) }
    }

    /// The type of an expression of a net that was checked.
    pub(super) fn kind(&self, expr: &Expr) -> Kind {
        use BinaryOp::{Add, Divide, Multiply, Remainder, Subtract};
        match expr {
            Expr::Literal(literal) => literal.kind(),
            Expr::Var(var) => self.kinds[var.index()],
            Expr::If(_, a, _) => self.kind(a),
            Expr::Shift(_, id, _) => Kind::Enum(*id),
            Expr::Unary(UnaryOp::Negate, _) => Kind::Int,
            Expr::Binary(Add | Subtract | Multiply | Divide | Remainder, ..) => Kind::Int,
            _ => Kind::Bool,
        }
    }

    /// The variables without a known value that an expression depends on.
    fn unknown(&self, expr: &Expr) -> Hard {
        let mut vars = Vec::new();
        self.collect_unknown(expr, &mut vars);
        Hard::Unknown(vars)
    }

    fn collect_unknown(&self, expr: &Expr, vars: &mut Vec<Var>) {
        expr.variables(&mut |var| match self.roles[var.index()] {
            Role::Known(_) => {}
            Role::Defined(definition) => self.collect_unknown(definition, vars),
            Role::Unbound | Role::Bound(_) if vars.contains(&var) => {}
            Role::Unbound | Role::Bound(_) => vars.push(var),
        });
    }

    /// What an expression is.
    pub(super) fn meaning(&self, expr: &Expr) -> Result<Meaning, Hard> {
        self.work.set(self.work.get() + 1);
        if self.work.get() > MOST_WORK {
            return Err(Hard::TooLarge);
        }
        match expr {
            Expr::Literal(literal) => Ok(Meaning::Known(literal.number())),
            Expr::Var(var) => match self.roles[var.index()] {
                Role::Known(number) => Ok(Meaning::Known(number)),
                Role::Bound(variable) => Ok(Meaning::Element(Element::Var(variable))),
                Role::Defined(definition) => self.meaning(definition),
                Role::Unbound => Err(Hard::Unknown(vec![*var])),
            },
            Expr::If(condition, a, b) => {
                let condition = self.condition(condition)?;
                match known(&condition) {
                    Some(true) => self.meaning(a),
                    Some(false) => self.meaning(b),
                    None => Ok(choice(condition, self.meaning(a)?, self.meaning(b)?)),
                }
            }
            Expr::Shift(a, id, steps) => {
                let a = self.meaning(a)?;
                self.shifted(a, *id, *steps).map_err(|hard| match hard {
                    Hard::Unknown(_) => self.unknown(expr),
                    other => other,
                })
            }
            Expr::Unary(UnaryOp::Negate, a) => match self.meaning(a)? {
                Meaning::Known(number) => {
                    number.checked_neg().map(Meaning::Known).ok_or(Hard::Fault)
                }
                _ => Err(self.unknown(expr)),
            },
            Expr::Binary(op, a, b) if self.kind(expr) == Kind::Int => {
                let (Meaning::Known(x), Meaning::Known(y)) = (self.meaning(a)?, self.meaning(b)?)
                else {
                    return Err(self.unknown(expr));
                };
                op.apply(x, y).map(Meaning::Known).map_err(|_| Hard::Fault)
            }
            _ => {
                let condition = self.condition(expr)?;
                Ok(choice(condition, Meaning::Known(1), Meaning::Known(0)))
            }
        }
    }

    fn shifted(&self, meaning: Meaning, id: EnumId, steps: i32) -> Result<Meaning, Hard> {
        let class = &self.net.enumerations[id.index()];
        Ok(match meaning {
            meaning if steps == 0 => meaning,
            Meaning::Known(member) => {
                let shifted = class.shifted(member as u32, steps).ok_or(Hard::Fault)?;
                Meaning::Known(shifted.into())
            }
            Meaning::Choice(inner) => {
                let (condition, a, b) = *inner;
                choice(condition, self.shifted(a, id, steps)?, self.shifted(b, id, steps)?)
            }
            Meaning::Element(element) if class.goes_round() => {
                let size = class.members.len() as i64;
                let (of, before) = match element {
                    Element::Var(of) => (of, 0),
                    Element::Shift { of, by, .. } => (of, by),
                    Element::Constant(_) => unreachable!("constants are known"),
                };
                let by = (i64::from(before) + i64::from(steps)).rem_euclid(size) as i32;
                Meaning::Element(match by {
                    0 => Element::Var(of),
                    by => Element::Shift { of, by, wraps: true },
                })
            }
            // A step may lead beyond an end, which is a fault and not for conditions to say.
            Meaning::Element(_) => return Err(Hard::Unknown(Vec::new())),
        })
    }

    /// A truth value, if one is given, as a condition.
    pub(super) fn optional(&self, expr: Option<&Expr>) -> Result<Condition, Hard> {
        expr.map_or(Ok(Condition::always()), |expr| self.condition(expr))
    }

    /// A truth value as a condition.
    pub(super) fn condition(&self, expr: &Expr) -> Result<Condition, Hard> {
        match expr {
            Expr::Unary(UnaryOp::Not, a) => Ok(not(self.condition(a)?)),
            Expr::Binary(BinaryOp::And, a, b) => self.unless(self.condition(a)?, false, b),
            Expr::Binary(BinaryOp::Or, a, b) => self.unless(self.condition(a)?, true, b),
            Expr::Binary(BinaryOp::Implies, a, b) => self.unless(not(self.condition(a)?), true, b),
            Expr::Binary(op, a, b) if self.kind(expr) == Kind::Bool => {
                let kind = self.kind(a);
                let (a, b) = (self.meaning(a)?, self.meaning(b)?);
                let compare = |a: &Meaning, b: &Meaning, order| self.compared(a, b, kind, order);
                Ok(match op {
                    BinaryOp::Equal => compare(&a, &b, Order::Same),
                    BinaryOp::NotEqual => not(compare(&a, &b, Order::Same)),
                    BinaryOp::Less => compare(&a, &b, Order::Before),
                    BinaryOp::Greater => compare(&b, &a, Order::Before),
                    BinaryOp::LessEqual => not(compare(&b, &a, Order::Before)),
                    _ => not(compare(&a, &b, Order::Before)),
                })
            }
            Expr::Within(a, id, part) => {
                let meaning = self.meaning(a)?;
                Ok(self.within(&meaning, *id, *part))
            }
            _ => {
                let meaning = self.meaning(expr)?;
                Ok(self.compared(&meaning, &Meaning::Known(1), Kind::Bool, Order::Same))
            }
        }
    }

    /// The first condition and (or, if truth decides) the second, which is not looked at where the first
    /// has decided.
    fn unless(&self, first: Condition, decides: bool, second: &Expr) -> Result<Condition, Hard> {
        if known(&first) == Some(decides) {
            return Ok(first);
        }
        let second = self.condition(second)?;
        Ok(joined(first, second, decides))
    }

    /// Whether two are the same.
    pub(super) fn equal(&self, a: &Meaning, b: &Meaning, kind: Kind) -> Condition {
        self.compared(a, b, kind, Order::Same)
    }

    fn compared(&self, a: &Meaning, b: &Meaning, kind: Kind, order: Order) -> Condition {
        match (a, b) {
            (Meaning::Choice(inner), _) => {
                one_or_the_other(inner, |a| self.compared(a, b, kind, order))
            }
            (_, Meaning::Choice(inner)) => {
                one_or_the_other(inner, |b| self.compared(a, b, kind, order))
            }
            (Meaning::Known(a), Meaning::Known(b)) => truth(match order {
                Order::Same => a == b,
                Order::Before => a < b,
            }),
            (Meaning::Element(a), Meaning::Element(b)) if a == b => truth(order == Order::Same),
            (Meaning::Element(a), Meaning::Element(b)) => order.condition(*a, *b),
            (Meaning::Element(element), Meaning::Known(number)) => {
                match self.classes.constant(self.net, kind, *number) {
                    Some(constant) => order.condition(*element, constant),
                    // Only integers can lie beyond all elements.
                    None => truth(order == Order::Before && *number > self.classes.range.1),
                }
            }
            (Meaning::Known(number), Meaning::Element(element)) => {
                match self.classes.constant(self.net, kind, *number) {
                    Some(constant) => order.condition(constant, *element),
                    None => truth(order == Order::Before && *number < self.classes.range.0),
                }
            }
        }
    }

    fn within(&self, meaning: &Meaning, id: EnumId, part: u32) -> Condition {
        let class = &self.net.enumerations[id.index()];
        let range = class.part(part as usize);
        match meaning {
            Meaning::Known(member) => truth(range.contains(&(*member as u32))),
            Meaning::Choice(inner) => one_or_the_other(inner, |one| self.within(one, id, part)),
            Meaning::Element(Element::Var(variable)) if class.symmetry == net::Symmetry::Full => {
                Condition::Within(*variable, part)
            }
            // Elsewhere a part is a run of members.
            element => {
                let before = |end: u32| match end {
                    0 => truth(false),
                    end if end as usize >= class.members.len() => truth(true),
                    end => {
                        let end = Meaning::Known(end.into());
                        self.compared(element, &end, Kind::Enum(id), Order::Before)
                    }
                };
                both(not(before(range.start)), before(range.end))
            }
        }
    }
}

/// What holds of the one or of the other of a choice.
fn one_or_the_other(
    (condition, a, b): &(Condition, Meaning, Meaning),
    holds: impl Fn(&Meaning) -> Condition,
) -> Condition {
    let opposite = not(condition.clone());
    joined(both(condition.clone(), holds(a)), both(opposite, holds(b)), true)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Same,
    Before,
}

impl Order {
    fn condition(self, a: Element, b: Element) -> Condition {
        match self {
            Order::Same => Condition::Equal(a, b),
            Order::Before => Condition::Less(a, b),
        }
    }
}
