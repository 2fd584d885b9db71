//! Loops, spelt out.
//!
//! A `for` over numbers counts in its own variable: the end is asked for before it goes up, so that it never leaves its
//! range. Where `continue` occurs in it, the body is a loop of its own that does not go round.

use net::BinaryOp;
use net::listing::LineKind;
use program::{
    Action, Block as Lowered, CollectionOp, Domain as Chosen, Expr as Value, Form, LoopId,
    Statement as Lone, Target, Type,
};

use super::Lowering;
use super::body::{Again, Around, Binding};
use super::call::Place;
use super::expression::{int, sure};
use super::member::object_of;
use super::operator::compared;
use crate::syntax::process::{Block, Condition, Domain, MemberKind, Statement, StatementKind};
use crate::syntax::{Expr, Name};
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    /// A loop; tells whether it never ends.
    pub(super) fn repetition(&mut self, statement: &'a Statement<'a>) -> bool {
        let label = statement.label;
        let id = self.body.new_loop();
        let label_id = label.map(|name| self.label(name));
        let around = Around {
            label: label.map(|name| name.text),
            exit: id,
            again: Again::Continue(id),
            has_break: false,
            held: self.body.held.clone(),
        };
        self.body.loops.push(around);
        match &statement.kind {
            StatementKind::While(condition, body) => self.while_loop(id, condition, body),
            StatementKind::Loop(body) => {
                let span = self.body.span;
                let (body, _) = self.block(body);
                self.body.span = span;
                self.body.emit(Action::Loop(id, body));
            }
            StatementKind::Repeat(count, body) => {
                let low = int(1);
                let high = self.expr(count, None);
                let range = high.and_then(|high| {
                    let (_, max) = self.number(&high, count.span, "how often")?;
                    Some((low, high, Type::Int { min: 1, max: max.max(1) }))
                });
                self.counted(id, None, range, body);
            }
            StatementKind::For { name, range: Domain::Range { low, high, inclusive }, body } => {
                let range = self.range(low, high, *inclusive);
                self.counted(id, Some(*name), range, body);
            }
            StatementKind::For { name, range: Domain::Of(expr), body } => {
                self.each(id, *name, expr, body);
            }
            _ => unreachable!("only loops come here"),
        }
        if let Some(label) = label_id
            && let Some(last) = self.body.blocks.last_mut().and_then(|block| block.last_mut())
        {
            // It is where each round begins.
            let origin = last.origin;
            let point = Lone { action: Action::Label(label), origin };
            body_of(last, id).into_iter().for_each(|body| body.insert(0, point.clone()));
        }
        let around = self.body.loops.pop().expect("it was pushed");
        self.body.held.retain(|one| around.held.contains(one));
        matches!(statement.kind, StatementKind::Loop(_)) && !around.has_break
    }

    /// `break` and `continue`.
    pub(super) fn leave(&mut self, label: Option<Name<'a>>, is_break: bool, span: Span) -> bool {
        let word = if is_break { "break" } else { "continue" };
        let mut loops = self.body.loops.iter_mut().rev();
        let around = match label {
            None => loops.next(),
            Some(name) => loops.find(|around| around.label == Some(name.text)),
        };
        let Some(around) = around else {
            match label {
                None => {
                    self.error(
                        "E1009",
                        format!("`{word}` is not in a loop"),
                        span,
                        "no loop is around",
                    )
                    .help("a process or a function is left by `return`")
                    .report(self.resolver.diagnostics);
                }
                Some(name) => {
                    let loops = self.body.loops.iter().filter_map(|around| around.label);
                    let loops: Vec<&str> = loops.collect();
                    let message = format!("no loop around is named `{}`", name.text);
                    self.error("E1009", message, name.span, "no such loop")
                        .help_nearest(name.text, loops, "name it: `NAME: loop { … }`")
                        .report(self.resolver.diagnostics);
                }
            }
            return true;
        };
        let before = around.held.clone();
        let action = match (is_break, around.again) {
            (true, _) => {
                around.has_break = true;
                Action::Break(around.exit)
            }
            (false, Again::Continue(id)) => Action::Continue(id),
            (false, Again::Break(id)) => {
                around.again = Again::Break(id);
                self.body.again_used(id);
                Action::Break(id)
            }
        };
        if !is_break {
            self.note_left(&before, word, span);
        }
        self.body.emit(action);
        true
    }

    fn while_loop(&mut self, id: LoopId, condition: &'a Condition<'a>, body: &'a Block<'a>) {
        let span = self.body.span;
        let inside = self.scoped(|lowering| {
            let Some((condition, bound)) = lowering.asked(condition) else {
                lowering.block_of_mistake(condition, body);
                return;
            };
            let (block, _) = lowering.held_block(bound, body);
            lowering.body.span = span;
            lowering.if_or_break(condition, block, id);
        });
        self.body.span = span;
        self.body.emit(Action::Loop(id, inside));
    }

    /// Does a block where a condition holds, and leaves the loop otherwise.
    fn if_or_break(&mut self, condition: Value, block: Lowered, id: LoopId) {
        let origin = super::origin(self.body.span);
        let leave = program::Statement { action: Action::Break(id), origin };
        self.body.emit(Action::If(condition, block, vec![leave]));
    }

    /// The bounds of a range, and the type of what is in it.
    pub(super) fn range(
        &mut self,
        low: &'a Expr<'a>,
        high: &'a Expr<'a>,
        inclusive: bool,
    ) -> Option<(Value, Value, Type)> {
        let (first, last) = (self.expr(low, None), self.expr(high, None));
        let (first, mut last) = (first?, last?);
        let (min, _) = self.number(&first, low.span, "the least")?;
        let (_, max) = self.number(&last, high.span, "the greatest")?;
        let mut most = max;
        if !inclusive {
            most = max.saturating_sub(1);
            let Type::Int { min, .. } = last.of else { unreachable!("it is a number") };
            let of = Type::Int { min: min.saturating_sub(1), max: most };
            last = match last.form {
                Form::Literal(_) => int(most),
                _ => {
                    let form = Form::Binary(BinaryOp::Subtract, Box::new(last), Box::new(int(1)));
                    Value { form, of }
                }
            };
        }
        Some((first, last, Type::Int { min, max: most.max(min) }))
    }

    /// Counts from one number to another.
    fn counted(
        &mut self,
        id: LoopId,
        name: Option<Name<'a>>,
        range: Option<(Value, Value, Type)>,
        body: &'a Block<'a>,
    ) {
        let span = self.body.span;
        let Some((low, high, of)) = range else {
            self.scoped(|lowering| {
                name.into_iter().for_each(|name| lowering.bind_wrong(name));
                lowering.block(body);
            });
            return;
        };
        let high = self.looked_at(high);
        let inner = self.body.new_loop();
        self.body.loops.last_mut().expect("it was pushed").again = Again::Break(inner);
        let mut starts = None;
        let whole = self.scoped(|lowering| {
            let local = match name {
                Some(name) => {
                    let local = lowering.declare(name, of.clone());
                    lowering.fix(name, "a `for` counts in it");
                    local
                }
                None => lowering.body.hidden(of.clone()),
            };
            let counter = Value::local(local, of.clone());
            starts = Some(compared(BinaryOp::LessEqual, low.clone(), high.clone()));
            let target = || Target::local(local, of.clone());
            // It is within the range: otherwise the loop is not come to.
            let low = Value { form: low.form.clone(), of: of.clone() };
            lowering.body.emit(Action::Assign(target(), low));
            let (block, _) = lowering.block(body);
            lowering.body.span = span;
            let block = lowering.rounded(inner, block);
            let round = lowering.scoped(|lowering| {
                for statement in block {
                    lowering.body.blocks.last_mut().expect("there is one").push(statement);
                }
                let is_last = compared(BinaryOp::Equal, counter.clone(), high.clone());
                let origin = super::origin(span);
                let leave = program::Statement { action: Action::Break(id), origin };
                lowering.body.emit(Action::If(is_last, vec![leave], Vec::new()));
                // It is below the end here.
                let form = Form::Binary(BinaryOp::Add, Box::new(counter.clone()), Box::new(int(1)));
                let next = Value { form, of: of.clone() };
                lowering.body.emit(Action::Assign(target(), next));
            });
            lowering.body.emit(Action::Loop(id, round));
        });
        self.body.span = span;
        match starts {
            Some(Value { form: Form::Literal(net::Literal::Bool(true)), .. }) => {
                self.body.emit(Action::Block(whole));
            }
            Some(Value { form: Form::Literal(_), .. }) | None => {}
            Some(starts) => self.body.emit(Action::If(starts, whole, Vec::new())),
        }
    }

    /// A body that `continue` leaves, if it does.
    fn rounded(&mut self, inner: LoopId, mut block: Lowered) -> Lowered {
        if !self.body.is_again_used(inner) {
            // What is deferred in it is done before the next round.
            let origin = super::origin(self.body.span);
            return vec![program::Statement { action: Action::Block(block), origin }];
        }
        let origin = super::origin(self.body.span);
        let body = program::Statement { action: Action::Block(std::mem::take(&mut block)), origin };
        let leave = program::Statement { action: Action::Break(inner), origin };
        let action = Action::Loop(inner, vec![body, leave]);
        vec![program::Statement { action, origin }]
    }

    /// Goes through a collection, or through what an object gives.
    fn each(&mut self, id: LoopId, name: Name<'a>, expr: &'a Expr<'a>, body: &'a Block<'a>) {
        let span = self.body.span;
        let value = self.gone_through(expr, true);
        let Some(value) = value else {
            self.scoped(|lowering| {
                lowering.bind(name, Binding::Wrong);
                lowering.block(body);
            });
            return;
        };
        if object_of(&value.of).is_some() {
            return self.received(id, name, value, expr.span, body);
        }
        let Some(element) = super::element::element_of(&value.of) else {
            let of = value.of.clone();
            self.report_mismatch(&of, "a collection or a channel", expr.span, "after `in`");
            self.scoped(|lowering| {
                lowering.bind(name, Binding::Wrong);
                lowering.block(body);
            });
            return;
        };
        let whole = self.scoped(|lowering| match &value.of {
            Type::Sequence(..) => lowering.in_turn(id, name, value, element, body),
            _ => lowering.in_any_order(id, name, value, element, body),
        });
        self.body.span = span;
        self.body.emit(Action::Block(whole));
    }

    /// Goes through a sequence, by index.
    fn in_turn(
        &mut self,
        id: LoopId,
        name: Name<'a>,
        value: Value,
        element: Type,
        body: &'a Block<'a>,
    ) {
        let span = self.body.span;
        let of = value.of.clone();
        // What never changes need not be copied.
        let list = if self.is_constant(&value) { value } else { self.kept(value, of.clone()) };
        let length = length_of(&list);
        let counter = self.kept(int(0), length.of.clone());
        let is_left =
            both(is_in_room(&counter), compared(BinaryOp::Less, counter.clone(), length.clone()));
        let round = self.scoped(|lowering| {
            let form = Form::On(CollectionOp::At, vec![list.clone(), counter.clone()]);
            let variable = lowering.declare(name, element.clone());
            lowering.fix(name, "a `for` goes through it");
            let found = sure(Value { form, of: element.clone() });
            lowering.body.emit(Action::Assign(Target::local(variable, element), found));
            lowering.count_up(&counter);
            let (block, _) = lowering.block(body);
            lowering.body.span = span;
            lowering.body.emit(Action::Block(block));
        });
        let inside = self.scoped(|lowering| lowering.if_or_break(is_left, round, id));
        self.body.emit(Action::Loop(id, inside));
    }

    /// Adds one to a counter that is below the room of what is counted.
    fn count_up(&mut self, counter: &Value) {
        let Form::Local(local) = counter.form else { unreachable!("it is kept in one") };
        let form = Form::Binary(BinaryOp::Add, Box::new(counter.clone()), Box::new(int(1)));
        let next = Value { form, of: counter.of.clone() };
        self.body.emit(Action::Assign(Target::local(local, counter.of.clone()), next));
    }

    /// Goes through a set, or the keys of a map.
    fn in_any_order(
        &mut self,
        id: LoopId,
        name: Name<'a>,
        value: Value,
        element: Type,
        body: &'a Block<'a>,
    ) {
        let span = self.body.span;
        self.program.kinds.insert(span.start as usize, LineKind::Rounds);
        let of = value.of.clone();
        // Those of a class that are alike are not named: all that have not had their turn are chosen from.
        let members = match (&value.form, &of) {
            (Form::Collection(members), Type::Set(element, _)) if !members.is_empty() => {
                matches!(**element, Type::Member(_)).then_some(members.len())
            }
            _ => None,
        };
        let start = match members {
            Some(_) => Value { form: Form::Collection(Vec::new()), of: of.clone() },
            None => value,
        };
        let rest = self.kept(start, of.clone());
        let Form::Local(copy) = rest.form else { unreachable!("it is kept in one") };
        let mut is_left = match members {
            Some(count) => {
                let count = i64::try_from(count).expect("fewer than bytes");
                compared(BinaryOp::Less, length_of(&rest), int(count))
            }
            None => compared(BinaryOp::Greater, length_of(&rest), int(0)),
        };
        // What is done at once has an end in sight.
        let counter = (self.body.atomic > 0).then(|| self.kept(int(0), length_of(&rest).of));
        if let Some(counter) = &counter {
            is_left = both(is_in_room(counter), is_left);
        }
        let round = self.scoped(|lowering| {
            if let Some(counter) = counter {
                lowering.count_up(&counter);
            }
            let local = lowering.declare(name, element.clone());
            lowering.fix(name, "a `for` goes through it");
            let found = Value::local(local, element.clone());
            let operands = vec![rest.clone(), found];
            let (chosen, condition, op) = match members {
                None => (Chosen::Collection(rest.clone()), None, CollectionOp::Without),
                Some(_) => {
                    let form = Form::On(CollectionOp::Has, operands.clone());
                    let had = Box::new(Value { form, of: Type::Bool });
                    let form = Form::Unary(net::UnaryOp::Not, had);
                    let condition = Value { form, of: Type::Bool };
                    (Chosen::Type(element), Some(condition), CollectionOp::With)
                }
            };
            lowering.body.emit(Action::Choose(local, chosen, condition));
            let changed = Value { form: Form::On(op, operands), of: of.clone() };
            lowering.body.emit(Action::Assign(Target::local(copy, of.clone()), changed));
            let (block, _) = lowering.block(body);
            lowering.body.span = span;
            lowering.body.emit(Action::Block(block));
        });
        let inside = self.scoped(|lowering| lowering.if_or_break(is_left, round, id));
        self.body.emit(Action::Loop(id, inside));
    }

    /// Goes through what an object gives by its step `receive`, until it gives none.
    fn received(
        &mut self,
        id: LoopId,
        name: Name<'a>,
        object: Value,
        place: Span,
        body: &'a Block<'a>,
    ) {
        let span = self.body.span;
        let of = object_of(&object.of).expect("it is one");
        let receive = Name { text: "receive", span: place };
        let is_step = matches!(self.member_named(of, "receive"), Some(MemberKind::Step(_)));
        if !is_step {
            let shown = self.shown(&object.of);
            let message = format!("`{shown}` has no step `receive`");
            self.error("E1003", message, place, "this is nothing to go through")
                .help("`for` goes through numbers, collections, and what has `step receive(): T?`")
                .report(self.resolver.diagnostics);
            self.scoped(|lowering| {
                lowering.bind(name, Binding::Wrong);
                lowering.block(body);
            });
            return;
        }
        let object = match object.form {
            Form::Global(_) | Form::Field(..) if self.is_constant(&object) => object,
            _ => self.looked_at(object),
        };
        let inside = self.scoped(|lowering| {
            let found = lowering.step_operation(object, of, receive, &[], Place::Temp);
            let value = found.and_then(|(operation, value)| {
                lowering.wait_for(operation);
                value
            });
            let Some(Value { of: Type::Optional(element), form }) = value else {
                let message = "`receive` gives no `T?`";
                lowering
                    .error("E1007", message, place, "it is gone through until there is none")
                    .report(lowering.resolver.diagnostics);
                lowering.bind(name, Binding::Wrong);
                lowering.block(body);
                return;
            };
            let whole = Type::Optional(element.clone());
            let result = Value { form, of: whole.clone() };
            let none = Value { form: Form::None, of: whole };
            let is_there = compared(BinaryOp::NotEqual, result.clone(), none);
            let value = sure(Value { form: Form::Unwrap(Box::new(result)), of: *element });
            let (block, _) = lowering.held_block(Some((name, value)), body);
            lowering.body.span = span;
            lowering.if_or_break(is_there, block, id);
        });
        self.body.span = span;
        self.body.emit(Action::Loop(id, inside));
    }

    /// Whether a value is always the same: a variable or a field that nobody assigns to.
    pub(super) fn is_constant(&self, value: &Value) -> bool {
        match &value.form {
            Form::Global(id) => {
                !self.names.is_assigned(&self.program.globals[id.index()].variable.name)
            }
            Form::Field(object, field) => {
                let Some(id) = object_of(&object.of) else { return false };
                let name = &self.program.objects[id.index()].fields[field.index()].variable.name;
                let is_own = matches!(object.form, Form::Local(_));
                (is_own || self.is_constant(object)) && !self.names.is_assigned(name)
            }
            Form::Local(_) => false,
            _ => false,
        }
    }
}

/// How many elements a collection has.
fn length_of(value: &Value) -> Value {
    let room = match &value.of {
        Type::Sequence(_, room) | Type::Set(_, room) | Type::Map(_, _, room) => *room,
        _ => 0,
    };
    let of = Type::Int { min: 0, max: room.into() };
    Value { form: Form::On(CollectionOp::Len, vec![value.clone()]), of }
}

/// Whether a counter is below its greatest value. Where it is known, so is this, whatever the length is.
fn is_in_room(counter: &Value) -> Value {
    let Type::Int { max, .. } = counter.of else { unreachable!("it is a number") };
    compared(BinaryOp::Less, counter.clone(), int(max))
}

/// The body of a loop in a statement.
fn body_of(statement: &mut Lone, id: LoopId) -> Option<&mut Lowered> {
    match &mut statement.action {
        Action::Loop(other, body) if *other == id => Some(body),
        Action::Block(block) => block.iter_mut().find_map(|inner| body_of(inner, id)),
        Action::If(_, yes, no) => yes.iter_mut().chain(no).find_map(|inner| body_of(inner, id)),
        _ => None,
    }
}

pub(super) fn both(a: Value, b: Value) -> Value {
    Value { form: Form::Binary(BinaryOp::And, Box::new(a), Box::new(b)), of: Type::Bool }
}
