//! The bounds of expressions, and what conditions tell of variables.

use net::{BinaryOp, Literal, UnaryOp};

use super::{Bounds, Known, Walk};
use crate::{CollectionOp, Expr, Form, LocalId, Type};

impl<'p> Walk<'p> {
    /// The bounds of a value that has to be one of a type.
    pub(crate) fn fit(
        &mut self,
        expr: &'p Expr,
        of: Option<&Type>,
        known: &Known,
    ) -> Option<Bounds> {
        let bounds = self.value(expr, known);
        if let (Type::Int { .. }, Some(Type::Int { .. }), Some(bounds)) = (&expr.of, of, bounds) {
            let fitting = self.found.fitting.entry(expr).or_insert(bounds);
            *fitting = fitting.hull(bounds);
        }
        bounds
    }

    /// The bounds of an expression, if it is a number or a collection.
    pub(crate) fn value(&mut self, expr: &'p Expr, known: &Known) -> Option<Bounds> {
        let found = match &expr.form {
            Form::Literal(Literal::Int(number)) => Some(exactly(*number)),
            Form::Local(id) => known.get(id).copied(),
            Form::Sure(inner) => match &inner.form {
                Form::On(op, operands) => self.operation(*op, operands, &inner.of, known).1,
                _ => {
                    self.children(inner, known);
                    None
                }
            },
            Form::On(op, operands) => {
                let (is_sure, bounds) = self.operation(*op, operands, &expr.of, known);
                self.note(expr, is_sure);
                bounds
            }
            Form::Collection(elements) => {
                self.children(expr, known);
                let (number, is_sequence) = (elements.len(), matches!(expr.of, Type::Sequence(..)));
                let width = if matches!(expr.of, Type::Map(..)) { 2 } else { 1 };
                let most = (number / width) as i64;
                let least = if is_sequence { most } else { most.min(1) };
                Some(Bounds { least, most })
            }
            Form::Unary(UnaryOp::Not, inner) => {
                self.value(inner, known);
                None
            }
            Form::Unary(_, inner) => {
                let Bounds { least, most } = self.value(inner, known)?;
                Some(Bounds { least: most.saturating_neg(), most: least.saturating_neg() })
            }
            Form::Binary(op, a, b) => self.binary(expr, *op, (a, b), known),
            Form::If(condition, a, b) => {
                self.value(condition, known);
                let ways = [(true, a), (false, b)].map(|(truth, way)| {
                    let known = self.refined(condition, truth, known.clone())?;
                    Some(self.value(way, &known))
                });
                match ways {
                    [Some(a), Some(b)] => a.zip(b).map(|(a, b)| a.hull(b)),
                    [Some(only), None] | [None, Some(only)] => only,
                    [None, None] => None,
                }
            }
            Form::Quantified(_, local, over, body) => {
                self.value(over, known);
                let mut inside = known.clone();
                inside.remove(local);
                self.value(body, &inside);
                None
            }
            _ => {
                self.children(expr, known);
                None
            }
        };
        let room = Bounds::of(&expr.of)?;
        Some(found.and_then(|found| found.meet(room)).unwrap_or(room))
    }

    fn children(&mut self, expr: &'p Expr, known: &Known) {
        for child in expr.children() {
            self.value(child, known);
        }
    }

    /// Notes whether an operation can fault by itself.
    fn note(&mut self, expr: &'p Expr, is_sure: bool) {
        *self.found.faults.entry(expr).or_insert(false) |= !is_sure;
    }

    fn binary(
        &mut self,
        expr: &'p Expr,
        op: BinaryOp,
        (a, b): (&'p Expr, &'p Expr),
        known: &Known,
    ) -> Option<Bounds> {
        let first = self.value(a, known);
        // The second is looked at only where the first does not decide.
        let second = match op {
            BinaryOp::And | BinaryOp::Implies | BinaryOp::Or => {
                let known = self.refined(a, op != BinaryOp::Or, known.clone())?;
                self.value(b, &known);
                return None;
            }
            _ => self.value(b, known),
        };
        let (a, b) = (first?, second?);
        let ends = |apply: fn(i64, i64) -> i64| {
            let all = [
                apply(a.least, b.least),
                apply(a.least, b.most),
                apply(a.most, b.least),
                apply(a.most, b.most),
            ];
            let (least, most) = (all.iter().min(), all.iter().max());
            Bounds { least: *least.expect("four"), most: *most.expect("four") }
        };
        match op {
            BinaryOp::Add => Some(ends(i64::saturating_add)),
            BinaryOp::Subtract => Some(ends(i64::saturating_sub)),
            BinaryOp::Multiply => Some(ends(i64::saturating_mul)),
            BinaryOp::Divide | BinaryOp::Remainder => {
                self.note(expr, b.least > 0 || b.most < 0);
                None
            }
            _ => None,
        }
    }

    /// Whether an operation on a collection never faults, and the bounds of what it gives.
    fn operation(
        &mut self,
        op: CollectionOp,
        operands: &'p [Expr],
        of: &Type,
        known: &Known,
    ) -> (bool, Option<Bounds>) {
        let collection = &operands[0];
        let length = self.value(collection, known);
        let others: Vec<_> = operands[1..].iter().map(|one| self.value(one, known)).collect();
        let (Some(length), Some(room)) = (length, Bounds::of(&collection.of)) else {
            return (false, Bounds::of(of));
        };
        let (less, more) = (length.least.saturating_sub(1).max(0), length.most + 1);
        let shorter = Bounds { least: less, most: (length.most - 1).max(0) };
        // Nets have less room where there is any number.
        let sure_room = match room.most {
            most if most == i64::from(Type::UNBOUNDED) => i64::from(Type::ROOM_IN_NETS),
            most => most,
        };
        let has_room = length.most < sure_room;
        let index = || others.first().copied().flatten().map(|index| within(index, length));
        let fits = || {
            collection.of.elements().into_iter().zip(&operands[1..]).zip(&others).all(
                |((of, added), bounds)| of.includes(&added.of) || is_one_of(*bounds, of, &added.of),
            )
        };
        match op {
            CollectionOp::Len => (true, Some(length)),
            CollectionOp::Has => (true, None),
            CollectionOp::At => {
                let is_sequence = matches!(collection.of, Type::Sequence(..));
                (is_sequence && index() == Some(true), None)
            }
            CollectionOp::Append | CollectionOp::Prepend => {
                let longer = Bounds { least: length.least + 1, most: more };
                (has_room && fits(), Some(longer))
            }
            CollectionOp::First | CollectionOp::Last => (length.least > 0, None),
            CollectionOp::WithoutFirst | CollectionOp::WithoutLast => {
                (length.least > 0, Some(shorter))
            }
            CollectionOp::WithoutAt => (index() == Some(true), Some(shorter)),
            CollectionOp::With => {
                let has_room = has_room || holds_all(&collection.of);
                let longer = Bounds { least: length.least.max(1), most: more };
                (has_room && fits(), Some(longer))
            }
            CollectionOp::Without => (true, Some(Bounds { least: less, most: length.most })),
        }
    }

    /// What is known if a condition holds, or if it does not; nothing if that cannot be.
    pub(crate) fn refined(&mut self, expr: &'p Expr, truth: bool, known: Known) -> Option<Known> {
        match &expr.form {
            Form::Literal(Literal::Bool(holds)) => (*holds == truth).then_some(known),
            Form::Sure(inner) => self.refined(inner, truth, known),
            Form::Unary(UnaryOp::Not, inner) => self.refined(inner, !truth, known),
            Form::Binary(BinaryOp::And, a, b) if truth => {
                let known = self.refined(a, true, known)?;
                self.refined(b, true, known)
            }
            Form::Binary(BinaryOp::Or, a, b) if !truth => {
                let known = self.refined(a, false, known)?;
                self.refined(b, false, known)
            }
            Form::Binary(BinaryOp::Implies, a, b) if !truth => {
                let known = self.refined(a, true, known)?;
                self.refined(b, false, known)
            }
            Form::Binary(op, a, b) => self.compared(*op, (a, b), truth, known),
            _ => Some(known),
        }
    }

    fn compared(
        &mut self,
        op: BinaryOp,
        (a, b): (&'p Expr, &'p Expr),
        truth: bool,
        mut known: Known,
    ) -> Option<Known> {
        if !matches!((&a.of, &b.of), (Type::Int { .. }, Type::Int { .. })) {
            return Some(known);
        }
        let (Some(x), Some(y)) = (self.value(a, &known), self.value(b, &known)) else {
            return Some(known);
        };
        let below =
            |b: Bounds, by: i64| Bounds { least: i64::MIN, most: b.most.saturating_sub(by) };
        let above =
            |b: Bounds, by: i64| Bounds { least: b.least.saturating_add(by), most: i64::MAX };
        let (x, y) = match (op, truth) {
            (BinaryOp::Equal, true) | (BinaryOp::NotEqual, false) => (x.meet(y)?, y.meet(x)?),
            (BinaryOp::Equal, false) | (BinaryOp::NotEqual, true) => (other(x, y)?, other(y, x)?),
            (BinaryOp::Less, true) | (BinaryOp::GreaterEqual, false) => {
                (x.meet(below(y, 1))?, y.meet(above(x, 1))?)
            }
            (BinaryOp::LessEqual, true) | (BinaryOp::Greater, false) => {
                (x.meet(below(y, 0))?, y.meet(above(x, 0))?)
            }
            (BinaryOp::Greater, true) | (BinaryOp::LessEqual, false) => {
                (x.meet(above(y, 1))?, y.meet(below(x, 1))?)
            }
            (BinaryOp::GreaterEqual, true) | (BinaryOp::Less, false) => {
                (x.meet(above(y, 0))?, y.meet(below(x, 0))?)
            }
            _ => return Some(known),
        };
        for (expr, bounds) in [(a, x), (b, y)] {
            if let Some(local) = counted(expr)
                && known.contains_key(&local)
            {
                known.insert(local, bounds);
            }
        }
        Some(known)
    }
}

fn exactly(number: i64) -> Bounds {
    Bounds { least: number, most: number }
}

/// What is not the same as another; nothing if both are one and the same number.
fn other(x: Bounds, y: Bounds) -> Option<Bounds> {
    if y.least != y.most {
        return Some(x);
    }
    let least = if x.least == y.least { x.least.saturating_add(1) } else { x.least };
    let most = if x.most == y.most { x.most.saturating_sub(1) } else { x.most };
    (least <= most).then_some(Bounds { least, most })
}

/// The variable whose value, or length, an expression is.
fn counted(expr: &Expr) -> Option<LocalId> {
    match &expr.form {
        Form::Local(id) => Some(*id),
        Form::On(CollectionOp::Len, operands) => match operands[0].form {
            Form::Local(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// Whether there is an element at an index, whatever the length is.
fn within(index: Bounds, length: Bounds) -> bool {
    0 <= index.least && index.most < length.least
}

/// Whether a value with these bounds is a number of a type.
fn is_one_of(bounds: Option<Bounds>, of: &Type, from: &Type) -> bool {
    match (bounds, of, from) {
        (Some(bounds), Type::Int { min, max }, Type::Int { .. }) => {
            bounds.is_within(Bounds { least: *min, most: *max })
        }
        _ => false,
    }
}

/// Whether there is room for every possible element.
fn holds_all(of: &Type) -> bool {
    let (Type::Set(key, room) | Type::Map(key, _, room)) = of else { return false };
    match &**key {
        Type::Bool => *room >= 2,
        Type::Int { min, max } => max.saturating_sub(*min) < i64::from(*room),
        _ => false,
    }
}
