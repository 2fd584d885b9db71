//! Expressions.

use net::{BinaryOp, Literal, UnaryOp};

use super::{Checker, is_alike};
use crate::{CollectionOp, Expr, Form, Type};

/// A number, where any may be.
const NUMBER: Type = Type::Int { min: 0, max: 0 };
/// What is computed with numbers: whoever makes a program knows of which range it is.
const ANY_NUMBER: Type = Type::Int { min: i64::MIN, max: i64::MAX };

impl<'p> Checker<'p> {
    /// Checks an expression: its operands, and that its type is what comes of them.
    pub(super) fn expr(&mut self, expr: &'p Expr) {
        self.of(&expr.of);
        if let Some(of) = self.expected(expr) {
            self.require(of.includes(&expr.of), || format!("{:?} where it is {of:?}", expr.of));
        }
    }

    /// The type that an expression has by what it is made of: what it is said to be is no wider. Nothing if only the
    /// expression itself says what it is, or something is wrong, which is noted.
    fn expected(&mut self, expr: &'p Expr) -> Option<Type> {
        let program = self.program;
        match &expr.form {
            Form::Literal(literal) => self.literal(*literal, &expr.of),
            Form::Initial(number) => match program.initial.get(*number as usize) {
                Some(object) => Some(Type::Object(object.of)),
                None => self.nothing(|| "there is no such first object".into()),
            },
            Form::None => {
                self.require(expr.of.is_optional(), || format!("nothing is no {:?}", expr.of));
                None
            }
            Form::Some(inner) => {
                match &expr.of {
                    Type::Optional(of) => self.is_part(inner, of),
                    of => _ = self.require(false, || format!("{of:?} is not optional")),
                }
                None
            }
            Form::Unwrap(inner) | Form::Unary(UnaryOp::Value, inner) => {
                self.expr(inner);
                match &inner.of {
                    Type::Optional(of) => Some((**of).clone()),
                    of => self.nothing(|| format!("{of:?} is always there")),
                }
            }
            Form::Sure(inner) => {
                self.expr(inner);
                Some(inner.of.clone())
            }
            Form::Local(id) => self.local(*id).cloned(),
            Form::Global(id) => match program.globals.get(id.index()) {
                Some(global) => Some(global.variable.of.clone()),
                None => self.nothing(|| format!("{id:?} is not there")),
            },
            Form::Field(object, field) => {
                self.expr(object);
                self.field(&object.of, *field).cloned()
            }
            Form::This => {
                self.require(is_handle(&expr.of), || format!("a process is no {:?}", expr.of));
                None
            }
            Form::Ended(handle) => {
                self.handle(handle);
                Some(Type::Bool)
            }
            Form::Record(parts) => {
                self.parts(parts, &expr.of, None);
                None
            }
            Form::Case(case, parts) => {
                self.parts(parts, &expr.of, Some(*case));
                None
            }
            Form::Component(inner, index) => {
                self.expr(inner);
                self.component(&inner.of, None, *index).cloned()
            }
            Form::Is(inner, case) => {
                self.expr(inner);
                self.components(&inner.of, Some(*case))?;
                Some(Type::Bool)
            }
            Form::Payload(inner, case, index) => {
                self.expr(inner);
                self.component(&inner.of, Some(*case), *index).cloned()
            }
            Form::Collection(elements) => {
                self.collected(elements, &expr.of);
                None
            }
            Form::On(op, operands) => self.on(*op, operands, &expr.of),
            Form::Quantified(_, local, over, condition) => {
                self.expr(over);
                let element = self.element(&over.of)?;
                let of = self.local(*local)?;
                self.require(of.includes(&element), || format!("{element:?} is bound as {of:?}"));
                self.fits(condition, &Type::Bool);
                Some(Type::Bool)
            }
            Form::Unary(UnaryOp::Not, inner) => {
                self.fits(inner, &Type::Bool);
                Some(Type::Bool)
            }
            Form::Unary(UnaryOp::Negate, inner) => {
                self.fits(inner, &NUMBER);
                Some(ANY_NUMBER)
            }
            Form::Binary(op, a, b) => self.binary(*op, a, b),
            Form::If(condition, yes, no) => {
                self.fits(condition, &Type::Bool);
                self.fits(yes, &expr.of);
                self.fits(no, &expr.of);
                None
            }
            Form::Shift(inner, _) => {
                self.expr(inner);
                let is_member = matches!(inner.of, Type::Member(_));
                self.require(is_member, || format!("{:?} has no neighbours", inner.of));
                Some(inner.of.clone())
            }
        }
    }

    fn literal(&mut self, literal: Literal, of: &Type) -> Option<Type> {
        match literal {
            Literal::Int(number) => {
                let is_it = range(of).is_some_and(|(least, most)| (least..=most).contains(&number));
                self.require(is_it, || format!("{number} is no {of:?}"));
                None
            }
            Literal::Bool(_) => Some(Type::Bool),
            Literal::Enum(id, member) => {
                let class = self.program.enumerations.get(id.index());
                let is_there = class.is_some_and(|class| (member as usize) < class.members.len());
                self.require(is_there, || format!("{id:?} has no member {member}"));
                Some(Type::Member(id))
            }
            Literal::None(_) => {
                self.require(of.is_optional(), || format!("nothing is no {of:?}"));
                None
            }
        }
    }

    /// Checks the handle of a process, or none.
    pub(super) fn handle(&mut self, expr: &'p Expr) {
        self.fits(expr, &Type::Optional(Box::new(Type::Handle(None))));
    }

    fn parts(&mut self, parts: &'p [Expr], of: &Type, case: Option<usize>) {
        let Some(components) = self.components(of, case) else { return };
        let (given, wanted) = (parts.len(), components.len());
        self.require(given == wanted, || format!("{given} of {wanted} components"));
        for (part, component) in parts.iter().zip(components) {
            self.is_part(part, &component.of);
        }
    }

    fn collected(&mut self, elements: &'p [Expr], of: &Type) {
        let Some(most) = self.room(of) else { return };
        let types = of.elements();
        let count = elements.len();
        self.require(count.is_multiple_of(types.len()), || "a key without a value".into());
        let has_room = count / types.len() <= most as usize;
        self.require(has_room, || format!("{count} elements in {of:?}"));
        for (element, of) in elements.iter().zip(types.into_iter().cycle()) {
            self.is_part(element, of);
        }
    }

    /// The type of what is gone through in a collection: of a map the keys.
    pub(super) fn element(&mut self, of: &Type) -> Option<Type> {
        self.room(of)?;
        of.elements().first().copied().cloned()
    }

    /// How many elements a collection may have.
    fn room(&mut self, of: &Type) -> Option<u32> {
        match of {
            Type::Sequence(_, most) | Type::Set(_, most) | Type::Map(_, _, most) => Some(*most),
            _ => self.nothing(|| format!("{of:?} is no collection")),
        }
    }

    fn on(&mut self, op: CollectionOp, operands: &'p [Expr], of: &Type) -> Option<Type> {
        let Some((collection, others)) = operands.split_first() else {
            return self.nothing(|| format!("{op:?} of nothing"));
        };
        self.expr(collection);
        let most = self.room(&collection.of)?;
        let is_sequence = matches!(collection.of, Type::Sequence(..));
        let elements = collection.of.elements();
        let (wanted, result): (Vec<Type>, Type) = match op {
            CollectionOp::Len => (vec![], Type::Int { min: 0, max: i64::from(most) }),
            CollectionOp::Has => (vec![elements[0].clone()], Type::Bool),
            CollectionOp::At => {
                let (key, element) = self.keyed(&collection.of)?;
                (vec![key], element)
            }
            CollectionOp::First | CollectionOp::Last => (vec![], elements[0].clone()),
            CollectionOp::Append | CollectionOp::Prepend => {
                (vec![elements[0].clone()], collection.of.clone())
            }
            CollectionOp::WithoutFirst | CollectionOp::WithoutLast => {
                (vec![], collection.of.clone())
            }
            CollectionOp::WithoutAt => (vec![NUMBER], collection.of.clone()),
            CollectionOp::With => {
                (elements.iter().copied().cloned().collect(), collection.of.clone())
            }
            CollectionOp::Without => (vec![elements[0].clone()], collection.of.clone()),
        };
        let is_possible = match op {
            CollectionOp::Len | CollectionOp::Has | CollectionOp::At => true,
            CollectionOp::With | CollectionOp::Without => !is_sequence,
            CollectionOp::Append
            | CollectionOp::Prepend
            | CollectionOp::First
            | CollectionOp::Last
            | CollectionOp::WithoutFirst
            | CollectionOp::WithoutLast
            | CollectionOp::WithoutAt => is_sequence,
        };
        self.require(is_possible, || format!("{op:?} of {:?}", collection.of));
        let (given, expected) = (others.len(), wanted.len());
        self.require(given == expected, || format!("{op:?} of {given}, not {expected}"));
        for (operand, of) in others.iter().zip(&wanted) {
            self.fits(operand, of);
        }
        // What grows fails where there is no room.
        let is_alike = is_alike(of, &result);
        self.require(is_alike, || format!("{op:?} gives {result:?}, not {of:?}"));
        None
    }

    fn binary(&mut self, op: BinaryOp, a: &'p Expr, b: &'p Expr) -> Option<Type> {
        use BinaryOp::*;
        match op {
            And | Or | Implies => {
                self.fits(a, &Type::Bool);
                self.fits(b, &Type::Bool);
                Some(Type::Bool)
            }
            Equal | NotEqual => {
                self.expr(a);
                self.expr(b);
                let can_be = is_alike(&a.of, &b.of) || is_alike(&b.of, &a.of);
                self.require(can_be, || format!("{:?} is never {:?}", a.of, b.of));
                Some(Type::Bool)
            }
            Less | LessEqual | Greater | GreaterEqual => {
                let is_member = matches!(a.of, Type::Member(_));
                self.fits(a, if is_member { &a.of } else { &NUMBER });
                self.fits(b, if is_member { &a.of } else { &NUMBER });
                Some(Type::Bool)
            }
            Add | Subtract | Multiply | Divide | Remainder => {
                self.fits(a, &NUMBER);
                self.fits(b, &NUMBER);
                Some(ANY_NUMBER)
            }
        }
    }
}

/// The range of a number.
fn range(of: &Type) -> Option<(i64, i64)> {
    match of {
        Type::Int { min, max } => Some((*min, *max)),
        _ => None,
    }
}

fn is_handle(of: &Type) -> bool {
    matches!(of, Type::Handle(_))
}
