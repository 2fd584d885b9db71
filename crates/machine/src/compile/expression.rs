//! Expressions.

use net::{BinaryOp, Literal, Quantifier, UnaryOp};
use program::{CollectionOp, Expr, Form, LocalId, Named, Type};

use super::{Body, Compiler};
use crate::code::{Change, Instruction, Register};
use crate::mistake::{Mistake, planted};
use crate::value::Kind;

impl<'p> Compiler<'p> {
    /// The register in which the value of an expression is.
    pub(super) fn value(&mut self, expr: &'p Expr, body: &mut Body<'p>) -> Register {
        if let Form::Local(local) = &expr.form {
            return local.0 as Register;
        }
        let to = body.temporary();
        self.put(expr, to, body);
        to
    }

    /// Evaluates an expression into a register.
    pub(super) fn put(&mut self, expr: &'p Expr, to: Register, body: &mut Body<'p>) {
        let before = body.next;
        self.put_open(expr, to, body);
        body.next = before;
    }

    /// The same, for a place of a type: it is a failure if the value is none of these.
    pub(super) fn fitted(&mut self, expr: &'p Expr, of: &Type, to: Register, body: &mut Body<'p>) {
        self.put(expr, to, body);
        self.fit(to, &expr.of, of);
    }

    /// Fails unless a value of one type is one of another.
    pub(super) fn fit(&mut self, value: Register, from: &Type, to: &Type) {
        if !to.includes(from) {
            let of = self.type_number(to);
            self.push(Instruction::Fit { value, of });
        }
    }

    /// The values of expressions, in registers in a row.
    fn row(&mut self, exprs: &'p [Expr], body: &mut Body<'p>) -> Register {
        let row = body.block(exprs.len());
        (row..).zip(exprs).for_each(|(to, expr)| self.put(expr, to, body));
        row
    }

    fn put_open(&mut self, expr: &'p Expr, to: Register, body: &mut Body<'p>) {
        match &expr.form {
            Form::Literal(literal) => {
                _ = match *literal {
                    Literal::Int(number) => self.push(Instruction::Number { to, number }),
                    Literal::Bool(truth) => {
                        self.push(Instruction::Number { to, number: i64::from(truth) })
                    }
                    Literal::Enum(id, member) => return self.member(id, member, to, body),
                    Literal::None(_) => self.push(Instruction::Nothing { to }),
                }
            }
            Form::Initial(number) => _ = self.push(Instruction::Initial { to, number: *number }),
            Form::None => _ = self.push(Instruction::Nothing { to }),
            Form::Some(inner) => {
                self.put(inner, to, body);
                if inner.of.is_optional() {
                    let kind = Kind::Present;
                    self.push(Instruction::Make { to, kind, from: to, count: 1 });
                }
            }
            Form::Unwrap(inner) | Form::Unary(UnaryOp::Value, inner) => {
                let from = self.value(inner, body);
                let wrapped = matches!(&inner.of, Type::Optional(inner) if inner.is_optional());
                self.push(Instruction::Unwrap { to, from, wrapped });
            }
            Form::Sure(inner) => self.put(inner, to, body),
            Form::Local(local) => {
                let from = local.0 as Register;
                if from != to {
                    self.push(Instruction::Copy { to, from });
                }
            }
            Form::Global(_) | Form::Field(..) => {
                self.shared(expr, None, to, body);
            }
            Form::This => _ = self.push(Instruction::This { to }),
            Form::Ended(handle) => {
                let thread = self.present(handle, body);
                self.push(Instruction::Ended { to, thread });
            }
            Form::Record(components) => self.make(Kind::Record, components, to, body),
            Form::Case(case, components) => {
                self.make(Kind::Case(*case as u32), components, to, body)
            }
            Form::Collection(elements) => {
                self.make(self.collection_kind(&expr.of), elements, to, body);
            }
            Form::Component(inner, index) => {
                let of = self.value(inner, body);
                self.push(Instruction::Part { to, of, index: *index as u16 });
            }
            Form::Is(inner, case) => {
                let of = self.value(inner, body);
                self.push(Instruction::IsCase { to, of, case: *case as u16 });
            }
            Form::Payload(inner, case, index) => {
                let of = self.value(inner, body);
                let (case, index) = (*case as u16, *index as u16);
                self.push(Instruction::CasePart { to, of, case, index });
            }
            Form::On(op, operands) => self.on(*op, operands, to, body),
            Form::Quantified(quantifier, local, over, condition) => {
                self.quantified(*quantifier, *local, (over, condition), to, body);
            }
            Form::Unary(op, inner) => {
                let from = self.value(inner, body);
                self.push(match op {
                    UnaryOp::Not => Instruction::Not { to, from },
                    UnaryOp::Negate => Instruction::Negate { to, from },
                    UnaryOp::Value => unreachable!("it is above"),
                });
            }
            Form::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                self.connected(*op, a, b, to, body);
            }
            Form::Binary(op, a, b) => {
                let (a, b) = (self.value(a, body), self.value(b, body));
                self.push(Instruction::Binary { to, op: *op, a, b });
            }
            Form::If(condition, yes, no) => {
                let condition = self.value(condition, body);
                let jump = self.unless(condition);
                self.put(yes, to, body);
                let end = self.jump();
                self.land(jump);
                self.put(no, to, body);
                self.land(end);
            }
            Form::Shift(inner, steps) => {
                let from = self.value(inner, body);
                self.shifted(from, &expr.of, *steps, to);
            }
        }
    }

    /// A global variable or a field. If races are asked for, it is noted that it is read: the whole, or an element.
    fn shared(
        &mut self,
        expr: &'p Expr,
        index: Option<Register>,
        to: Register,
        body: &mut Body<'p>,
    ) {
        let access = self.observed.races.then(|| self.note(index, false));
        match &expr.form {
            Form::Global(id) => {
                let global = id.0 as u16;
                if let Some(access) = access {
                    self.push(Instruction::NoteGlobal { global, access });
                }
                self.push(Instruction::Global { to, global });
            }
            Form::Field(object, field) => {
                let (object, field) = (self.present(object, body), field.0 as u16);
                if let Some(access) = access {
                    self.push(Instruction::NoteField { object, field, access });
                }
                self.push(Instruction::Field { to, object, field });
            }
            other => unreachable!("{other:?} is not shared"),
        }
    }

    /// The register of a reference that is there: it is a failure if there is none.
    pub(super) fn present(&mut self, expr: &'p Expr, body: &mut Body<'p>) -> Register {
        let from = self.value(expr, body);
        if !expr.of.is_optional() {
            return from;
        }
        let to = body.temporary();
        self.push(Instruction::Unwrap { to, from, wrapped: false });
        to
    }

    fn make(&mut self, kind: Kind, parts: &'p [Expr], to: Register, body: &mut Body<'p>) {
        let from = self.row(parts, body);
        self.push(Instruction::Make { to, kind, from, count: parts.len() as u16 });
    }

    fn on(&mut self, op: CollectionOp, operands: &'p [Expr], to: Register, body: &mut Body<'p>) {
        let most = room(&operands[0].of);
        let change = match op {
            CollectionOp::Len => {
                let of = self.value(&operands[0], body);
                self.push(Instruction::Length { to, of });
                return;
            }
            CollectionOp::At => return self.element(&operands[0], &operands[1], to, body),
            CollectionOp::Has => {
                let (of, key) = (self.value(&operands[0], body), self.value(&operands[1], body));
                self.push(Instruction::Has { to, of, key });
                return;
            }
            CollectionOp::First => {
                let of = self.value(&operands[0], body);
                self.push(Instruction::First { to, of });
                return;
            }
            CollectionOp::Last => {
                let of = self.value(&operands[0], body);
                self.push(Instruction::Last { to, of });
                return;
            }
            CollectionOp::Append => Change::Append,
            CollectionOp::Prepend => Change::Prepend,
            CollectionOp::WithoutFirst => Change::WithoutFirst,
            CollectionOp::WithoutLast => Change::WithoutLast,
            CollectionOp::WithoutAt => Change::WithoutAt,
            CollectionOp::With => Change::With,
            CollectionOp::Without => Change::Without,
        };
        let of = self.row(operands, body);
        self.push(Instruction::Change { to, change, of, most });
    }

    /// An element. Of a sequence that others see only the element is read.
    fn element(&mut self, of: &'p Expr, index: &'p Expr, to: Register, body: &mut Body<'p>) {
        let is_shared = matches!(of.form, Form::Global(_) | Form::Field(..));
        if is_shared && matches!(of.of, Type::Sequence(..)) && self.observed.races {
            let key = self.value(index, body);
            let row = body.temporary();
            self.shared(of, Some(key), row, body);
            self.push(Instruction::Element { to, of: row, key });
            return;
        }
        let (of, key) = (self.value(of, body), self.value(index, body));
        self.push(Instruction::Element { to, of, key });
    }

    fn connected(
        &mut self,
        op: BinaryOp,
        a: &'p Expr,
        b: &'p Expr,
        to: Register,
        body: &mut Body<'p>,
    ) {
        // The register may be that of a variable which the second operand reads.
        let result = body.temporary();
        self.put(a, result, body);
        match op {
            BinaryOp::And => {
                let end = self.unless(result);
                self.put(b, result, body);
                self.land(end);
            }
            BinaryOp::Or | BinaryOp::Implies => {
                let open = match op {
                    BinaryOp::Or => {
                        let open = self.unless(result);
                        let end = self.jump();
                        self.land(open);
                        self.put(b, result, body);
                        end
                    }
                    _ => {
                        let decided = self.unless(result);
                        self.put(b, result, body);
                        let end = self.jump();
                        self.land(decided);
                        self.push(Instruction::Number { to: result, number: 1 });
                        end
                    }
                };
                self.land(open);
            }
            _ => unreachable!("it connects nothing"),
        }
        self.push(Instruction::Copy { to, from: result });
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        local: LocalId,
        (over, condition): (&'p Expr, &'p Expr),
        to: Register,
        body: &mut Body<'p>,
    ) {
        let of = self.value(over, body);
        let [result, length, at, one, more] = [(); 5].map(|()| body.temporary());
        let is_all = quantifier == Quantifier::Forall;
        self.push(Instruction::Length { to: length, of });
        self.push(Instruction::Number { to: at, number: 0 });
        self.push(Instruction::Number { to: one, number: 1 });
        self.push(Instruction::Number { to: result, number: i64::from(is_all) });
        let head = self.here();
        self.push(Instruction::Binary { to: more, op: BinaryOp::Less, a: at, b: length });
        let end = self.unless(more);
        self.push(Instruction::Nth { to: local.0 as Register, of, number: at });
        self.put(condition, result, body);
        // It goes on while nothing is decided.
        let negated = body.temporary();
        self.push(Instruction::Not { to: negated, from: result });
        let decided = self.unless(if is_all { result } else { negated });
        self.push(Instruction::Binary { to: at, op: BinaryOp::Add, a: at, b: one });
        self.push(Instruction::Jump { to: head });
        self.land(end);
        self.land(decided);
        self.push(Instruction::Copy { to, from: result });
    }

    /// What kind of value a collection of a type is.
    fn collection_kind(&self, of: &Type) -> Kind {
        match of {
            Type::Set(element, _) if self.mentions_identity(element) => Kind::Bag,
            Type::Set(..) => Kind::Set,
            Type::Map(key, ..) if self.mentions_identity(key) => Kind::BagMap,
            Type::Map(..) => Kind::Map,
            _ => Kind::Sequence,
        }
    }

    /// Whether a thread, an object or a member that is like others may be mentioned in a value of a type.
    fn mentions_identity(&self, of: &Type) -> bool {
        let all = |components: &[Named]| components.iter().any(|c| self.mentions_identity(&c.of));
        match of {
            Type::Handle(_) | Type::Object(_) => true,
            Type::Int { .. } | Type::Bool => false,
            Type::Member(id) => {
                self.member_fields.contains_key(id) && !planted(Mistake::MembersSorted)
            }
            Type::Optional(inner) | Type::Sequence(inner, _) | Type::Set(inner, _) => {
                self.mentions_identity(inner)
            }
            Type::Map(key, value, _) => {
                self.mentions_identity(key) || self.mentions_identity(value)
            }
            Type::Record(id) => all(&self.program.records[id.index()].components),
            Type::Variant(id) => {
                self.program.variants[id.index()].cases.iter().any(|case| all(&case.components))
            }
        }
    }

    /// A jump where a condition does not hold.
    pub(super) fn unless(&mut self, condition: Register) -> crate::code::Address {
        let to = self.here();
        self.push(Instruction::JumpUnless { condition, to })
    }

    pub(super) fn jump(&mut self) -> crate::code::Address {
        let to = self.here();
        self.push(Instruction::Jump { to })
    }
}

/// How many elements a collection may have.
pub(super) fn room(of: &Type) -> u32 {
    match of {
        Type::Sequence(_, most) | Type::Set(_, most) | Type::Map(_, _, most) => *most,
        _ => 0,
    }
}
