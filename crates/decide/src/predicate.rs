//! Statements about one marking: from terms of a net to comparisons of sums of tokens, and their truth.
//!
//! A comparison of two linear terms becomes `Σ factor · tokens ≤ bound`, divided by what all factors have in
//! common; what follows from tokens being no fewer than none is known at once. So statements that
//! are the same are mostly equal.

use std::collections::BTreeMap;

use net::{BinaryOp, Expr, Formula, Literal, UnaryOp};
use unfold::Predicate;

use crate::Refusal;

/// The size of statements whose equivalence is written out, at most.
const LARGEST: usize = 1 << 16;

/// A sum of tokens in places, each with a factor, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// By place; no factor is 0.
    pub(crate) terms: BTreeMap<u32, i64>,
    /// What is added.
    pub(crate) constant: i64,
}

impl Sum {
    /// What a term counts.
    ///
    /// # Errors
    ///
    /// If it is more than a linear sum of numbers of tokens.
    pub(crate) fn of(term: &Expr) -> Result<Sum, Refusal> {
        Ok(match term {
            Expr::Literal(Literal::Int(constant)) => {
                Sum { terms: BTreeMap::new(), constant: *constant }
            }
            Expr::Count(place, pattern) if pattern.iter().all(Option::is_none) => {
                Sum { terms: [(place.0, 1)].into(), constant: 0 }
            }
            Expr::Unary(UnaryOp::Negate, a) => Sum::of(a)?.times(-1)?,
            Expr::Binary(BinaryOp::Add, a, b) => Sum::of(a)?.plus(Sum::of(b)?)?,
            Expr::Binary(BinaryOp::Subtract, a, b) => Sum::of(a)?.plus(Sum::of(b)?.times(-1)?)?,
            Expr::Binary(BinaryOp::Multiply, a, b) => {
                let (a, b) = (Sum::of(a)?, Sum::of(b)?);
                match (a.terms.is_empty(), b.terms.is_empty()) {
                    (true, _) => b.times(a.constant)?,
                    (_, true) => a.times(b.constant)?,
                    (false, false) => return Err(Refusal::NotLinear),
                }
            }
            Expr::Binary(BinaryOp::Divide | BinaryOp::Remainder, ..) => {
                return Err(Refusal::NotLinear);
            }
            _ => return Err(Refusal::Individuals),
        })
    }

    fn times(mut self, factor: i64) -> Result<Sum, Refusal> {
        let times = |a: i64| a.checked_mul(factor).ok_or(Refusal::Overflow);
        if factor == 0 {
            return Ok(Sum::default());
        }
        self.constant = times(self.constant)?;
        for value in self.terms.values_mut() {
            *value = times(*value)?;
        }
        Ok(self)
    }

    fn plus(mut self, other: Sum) -> Result<Sum, Refusal> {
        let plus = |a: i64, b: i64| a.checked_add(b).ok_or(Refusal::Overflow);
        self.constant = plus(self.constant, other.constant)?;
        for (place, factor) in other.terms {
            let value = self.terms.entry(place).or_default();
            *value = plus(*value, factor)?;
        }
        self.terms.retain(|_, factor| *factor != 0);
        Ok(self)
    }

    /// That it is at most `bound`.
    fn at_most(&self, bound: i64) -> Result<Predicate, Refusal> {
        let bound = bound.checked_sub(self.constant).ok_or(Refusal::Overflow)?;
        let factors = || self.terms.values();
        if factors().all(|factor| *factor >= 0) && bound < 0 {
            return Ok(falsehood());
        }
        if factors().all(|factor| *factor <= 0) && bound >= 0 {
            return Ok(Predicate::True);
        }
        let common = factors().fold(0, |common, factor| gcd(common, factor.unsigned_abs()));
        let common = i64::try_from(common).map_err(|_| Refusal::Overflow)?;
        let terms = self.terms.iter().map(|(place, factor)| (*place, factor / common)).collect();
        Ok(Predicate::AtMost { terms, bound: bound.div_euclid(common) })
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What never holds.
pub(crate) fn falsehood() -> Predicate {
    Predicate::Not(Box::new(Predicate::True))
}

/// The opposite.
pub(crate) fn not(predicate: Predicate) -> Predicate {
    match predicate {
        Predicate::Not(inner) => *inner,
        other => Predicate::Not(Box::new(other)),
    }
}

/// All of them, or one of them.
pub(crate) fn joined(parts: impl IntoIterator<Item = Predicate>, is_all: bool) -> Predicate {
    let (neutral, decisive) = match is_all {
        true => (Predicate::True, falsehood()),
        false => (falsehood(), Predicate::True),
    };
    let mut kept = Vec::new();
    for part in parts {
        match part {
            Predicate::And(inner) if is_all => kept.extend(inner),
            Predicate::Or(inner) if !is_all => kept.extend(inner),
            part if part == decisive => return decisive,
            part if part == neutral => {}
            other => kept.push(other),
        }
    }
    match kept.len() {
        0 => neutral,
        1 => kept.remove(0),
        _ if is_all => Predicate::And(kept),
        _ => Predicate::Or(kept),
    }
}

fn all(parts: impl IntoIterator<Item = Predicate>) -> Predicate {
    joined(parts, true)
}

fn any(parts: impl IntoIterator<Item = Predicate>) -> Predicate {
    joined(parts, false)
}

/// The statements directly inside of a statement.
fn parts(predicate: &Predicate) -> &[Predicate] {
    match predicate {
        Predicate::Not(inner) => std::slice::from_ref(inner),
        Predicate::And(parts) | Predicate::Or(parts) => parts,
        _ => &[],
    }
}

/// Whether something is true of the statement, or of one inside of it.
pub(crate) fn is_any(predicate: &Predicate, is_true: &dyn Fn(&Predicate) -> bool) -> bool {
    is_true(predicate) || parts(predicate).iter().any(|part| is_any(part, is_true))
}

/// What a formula says of the present state alone; `None` if it is about paths, about more than numbers of
/// tokens and what is enabled, or too large.
pub(crate) fn predicate(formula: &Formula) -> Option<Predicate> {
    Some(match formula {
        Formula::Deadlock => Predicate::Dead,
        Formula::Term(term) => of_term(term)?,
        Formula::Not(a) => not(predicate(a)?),
        Formula::Binary(op, a, b) => connected(*op, predicate(a)?, predicate(b)?),
        _ => return None,
    })
}

fn connected(op: BinaryOp, a: Predicate, b: Predicate) -> Predicate {
    match op {
        BinaryOp::And => all([a, b]),
        BinaryOp::Implies => any([not(a), b]),
        _ => any([a, b]),
    }
}

fn of_term(term: &Expr) -> Option<Predicate> {
    Some(match term {
        Expr::Literal(Literal::Bool(true)) => Predicate::True,
        Expr::Literal(Literal::Bool(false)) => falsehood(),
        Expr::Enabled(transition) => Predicate::Enabled(*transition),
        Expr::Unary(UnaryOp::Not, a) => not(of_term(a)?),
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
            connected(*op, of_term(a)?, of_term(b)?)
        }
        Expr::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b) if is_truth(a) => {
            let (a, b) = (of_term(a)?, of_term(b)?);
            if size(&a) + size(&b) > LARGEST {
                return None;
            }
            let same = any([all([a.clone(), b.clone()]), all([not(a), not(b)])]);
            if *op == BinaryOp::Equal { same } else { not(same) }
        }
        Expr::Binary(op, a, b) => compared(*op, a, b).ok()?,
        _ => return None,
    })
}

/// The number of statements in a statement.
fn size(predicate: &Predicate) -> usize {
    1 + parts(predicate).iter().map(size).sum::<usize>()
}

/// Whether a term is a truth value, and not a number.
fn is_truth(term: &Expr) -> bool {
    use BinaryOp::{Add, Divide, Multiply, Remainder, Subtract};
    match term {
        Expr::Literal(literal) => matches!(literal, Literal::Bool(_)),
        Expr::Unary(op, _) => *op == UnaryOp::Not,
        Expr::Binary(op, ..) => !matches!(op, Add | Subtract | Multiply | Divide | Remainder),
        Expr::Count(..) | Expr::Var(_) | Expr::Field(..) | Expr::Shift(..) => false,
        Expr::If(_, a, _) => is_truth(a),
        _ => true,
    }
}

fn compared(op: BinaryOp, a: &Expr, b: &Expr) -> Result<Predicate, Refusal> {
    let difference = Sum::of(a)?.plus(Sum::of(b)?.times(-1)?)?;
    Ok(match op {
        BinaryOp::LessEqual => difference.at_most(0)?,
        BinaryOp::Less => difference.at_most(-1)?,
        BinaryOp::Greater => not(difference.at_most(0)?),
        BinaryOp::GreaterEqual => not(difference.at_most(-1)?),
        BinaryOp::Equal => all([difference.at_most(0)?, not(difference.at_most(-1)?)]),
        BinaryOp::NotEqual => any([not(difference.at_most(0)?), difference.at_most(-1)?]),
        _ => return Err(Refusal::NotLinear),
    })
}
