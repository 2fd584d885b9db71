//! Random expressions of a type.

use net::{BinaryOp, UnaryOp};
use program::{CollectionOp, Expr, FieldId, Form, GlobalId, LocalId, Type};

use super::{CELL, Context, Generator, MESSAGE, NODE, PAIR, int, number, optional, truth};

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

fn bounds(expr: &Expr) -> (i64, i64) {
    match expr.of {
        Type::Int { min, max } => (min, max),
        _ => panic!("{expr:?} is no number"),
    }
}

pub fn compare(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr { form: Form::Binary(op, boxed(a), boxed(b)), of: Type::Bool }
}

impl Generator<'_> {
    /// What is there of a type: variables and fields.
    pub(super) fn variables(&mut self, of: &Type, context: &Context) -> Vec<Expr> {
        let mut found = Vec::new();
        for (index, local) in (0..).zip(&context.locals) {
            if of.includes(local) {
                found.push(Expr::local(LocalId(index), local.clone()));
            }
        }
        for id in self.globals_of(|global| of.includes(global)) {
            found.push(self.global(id));
        }
        let as_wanted = |found: Expr| match of.is_optional() && !found.of.is_optional() {
            true => Expr { form: Form::Some(boxed(found)), of: of.clone() },
            false => found,
        };
        found.into_iter().map(as_wanted).collect()
    }

    fn global(&self, id: GlobalId) -> Expr {
        let of = self.program.globals[id.index()].variable.of.clone();
        Expr { form: Form::Global(id), of }
    }

    /// An expression for a variable of a type. It may not fit, where faults are wanted.
    pub(super) fn expression(&mut self, of: &Type, context: &Context, depth: usize) -> Expr {
        let variables = self.variables(of, context);
        if !variables.is_empty() && self.percent(if depth == 0 { 80 } else { 40 }) {
            return self.random.pick(&variables).clone();
        }
        match of {
            Type::Int { min, max } => self.integer(*min, *max, context, depth),
            Type::Bool => self.condition(context, depth),
            Type::Handle(_) => match variables.is_empty() {
                true => Expr { form: Form::This, of: of.clone() },
                false => self.random.pick(&variables).clone(),
            },
            Type::Optional(inner) => self.optional(inner, context, depth),
            Type::Object(_) => self.random.pick(&variables).clone(),
            Type::Sequence(..) | Type::Set(..) | Type::Map(..) => {
                self.collection(of, context, depth)
            }
            Type::Record(_) => {
                let components = vec![
                    self.expression(&int(0, 1), context, 0),
                    self.expression(&optional(Type::Handle(None)), context, 0),
                ];
                let fits = int(0, 1).includes(&components[0].of);
                match fits {
                    true => Expr { form: Form::Record(components), of: of.clone() },
                    false => self.first(of),
                }
            }
            Type::Variant(_) => {
                let case = self.random.below(3_usize);
                let components = match case {
                    0 => vec![],
                    1 => vec![self.first(&int(0, 1))],
                    _ => vec![self.expression(&optional(Type::Handle(None)), context, 0)],
                };
                Expr { form: Form::Case(case, components), of: of.clone() }
            }
            Type::Member(_) => self.member(context),
        }
    }

    fn integer(&mut self, min: i64, max: i64, context: &Context, depth: usize) -> Expr {
        let wide = self.variables(&int(0, 3), context);
        match self.random.below(10) {
            0..=2 => number(min + i64::from(self.random.below((max - min + 1) as u32))),
            3..=5 if min == 0 && !wide.is_empty() => {
                // What fits by its form.
                let sum = Form::Binary(
                    BinaryOp::Add,
                    boxed(self.random.pick(&wide).clone()),
                    boxed(number(1)),
                );
                let sum = Expr { form: sum, of: int(1, 4) };
                let rest = Form::Binary(BinaryOp::Remainder, boxed(sum), boxed(number(max + 1)));
                Expr { form: rest, of: int(0, max) }
            }
            6 if depth > 0 => {
                let condition = self.condition(context, depth - 1);
                let yes = self.integer(min, max, context, depth - 1);
                let no = self.integer(min, max, context, depth - 1);
                let ((a, b), (c, d)) = (bounds(&yes), bounds(&no));
                let of = int(a.min(c), b.max(d));
                Expr { form: Form::If(boxed(condition), boxed(yes), boxed(no)), of }
            }
            7 if self.features.faults && depth > 0 && !wide.is_empty() && self.percent(40) => {
                let a = self.random.pick(&wide).clone();
                let (low, high) = bounds(&a);
                let form = Form::Binary(BinaryOp::Add, boxed(a), boxed(number(1)));
                Expr { form, of: int(low + 1, high + 1) }
            }
            8 => self.taken_apart(min, max, context),
            _ => {
                let objects = self.variables(&Type::Object(CELL), context);
                match objects.is_empty() || max < 2 || context.at_once {
                    true => number(max),
                    false => {
                        let object = self.random.pick(&objects).clone();
                        Expr { form: Form::Field(boxed(object), FieldId(0)), of: int(0, 2) }
                    }
                }
            }
        }
    }

    /// A number that is inside of something.
    fn taken_apart(&mut self, min: i64, max: i64, context: &Context) -> Expr {
        let pairs = self.variables(&Type::Record(PAIR), context);
        let messages = self.variables(&Type::Variant(MESSAGE), context);
        let rows = self.variables(&Type::Sequence(Box::new(int(0, 1)), 2), context);
        if let Some(pair) = pairs.first()
            && max >= 1
        {
            return Expr { form: Form::Component(boxed(pair.clone()), 0), of: int(0, 1) };
        }
        if let Some(message) = messages.first()
            && max >= 1
            && self.features.faults
        {
            let is = Expr { form: Form::Is(boxed(message.clone()), 1), of: Type::Bool };
            let payload = Form::Payload(boxed(message.clone()), 1, 0);
            let payload = Expr { form: payload, of: int(0, 1) };
            if self.percent(20) {
                return payload;
            }
            let form = Form::If(boxed(is), boxed(payload), boxed(number(0)));
            return Expr { form, of: int(0, 1) };
        }
        if let Some(row) = rows.first()
            && max >= 1
        {
            let op = *self.random.pick(&[CollectionOp::First, CollectionOp::Last]);
            let first = Expr { form: Form::On(op, vec![row.clone()]), of: int(0, 1) };
            let len = Expr { form: Form::On(CollectionOp::Len, vec![row.clone()]), of: int(0, 2) };
            let some = compare(BinaryOp::Greater, len, number(0));
            let form = Form::If(boxed(some), boxed(first), boxed(number(0)));
            return Expr { form, of: int(0, 1) };
        }
        number(min)
    }

    fn optional(&mut self, inner: &Type, context: &Context, depth: usize) -> Expr {
        let of = optional(inner.clone());
        let has_value = match inner {
            Type::Object(_) => !self.variables(inner, context).is_empty(),
            Type::Handle(Some(_)) => !self.variables(inner, context).is_empty(),
            _ => true,
        };
        if has_value && self.percent(70) {
            let value = self.expression(inner, context, depth.saturating_sub(1));
            if inner.includes(&value.of) {
                return Expr { form: Form::Some(boxed(value)), of };
            }
        }
        Expr { form: Form::None, of }
    }

    pub(super) fn condition(&mut self, context: &Context, depth: usize) -> Expr {
        if context.has_member() && self.percent(30) {
            return self.about_members(context);
        }
        match self.random.below(14) {
            0 if depth > 0 => {
                let op = *self.random.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Implies]);
                let (a, b) =
                    (self.condition(context, depth - 1), self.condition(context, depth - 1));
                compare(op, a, b)
            }
            1 if depth > 0 => {
                let inner = self.condition(context, depth - 1);
                Expr { form: Form::Unary(UnaryOp::Not, boxed(inner)), of: Type::Bool }
            }
            2..=4 => {
                let op = *self.random.pick(&[BinaryOp::Less, BinaryOp::Equal, BinaryOp::LessEqual]);
                let numbers = self.variables(&int(0, 3), context);
                match numbers.is_empty() {
                    true => truth(true),
                    false => {
                        let a = self.random.pick(&numbers).clone();
                        compare(op, a, number(i64::from(self.random.below(3))))
                    }
                }
            }
            5 | 6 => {
                let of = optional(Type::Handle(None));
                let handles = self.variables(&of, context);
                let handles: Vec<_> = handles.into_iter().filter(|h| h.of == of).collect();
                match handles.is_empty() {
                    true => truth(false),
                    false => {
                        let a = self.random.pick(&handles).clone();
                        let op = *self.random.pick(&[BinaryOp::Equal, BinaryOp::NotEqual]);
                        let b = match self.random.below(3) {
                            0 => {
                                let own = Expr { form: Form::This, of: Type::Handle(None) };
                                Expr { form: Form::Some(boxed(own)), of }
                            }
                            1 => self.random.pick(&handles).clone(),
                            _ => Expr { form: Form::None, of },
                        };
                        compare(op, a, b)
                    }
                }
            }
            7 | 8 if !context.at_once => {
                let handles: Vec<_> = self.variables(&Type::Handle(None), context);
                let handles: Vec<_> =
                    handles.into_iter().filter(|h| matches!(h.of, Type::Handle(_))).collect();
                match handles.is_empty() {
                    true => truth(true),
                    false => {
                        let handle = self.random.pick(&handles).clone();
                        Expr { form: Form::Ended(boxed(handle)), of: Type::Bool }
                    }
                }
            }
            9 => {
                let of = optional(Type::Object(NODE));
                let nodes = self.variables(&of, context);
                let nodes: Vec<_> = nodes.into_iter().filter(|node| node.of == of).collect();
                match nodes.is_empty() {
                    true => truth(false),
                    false => {
                        let (a, b) =
                            (self.random.pick(&nodes).clone(), self.random.pick(&nodes).clone());
                        let none = Expr { form: Form::None, of };
                        compare(BinaryOp::Equal, a, if self.percent(50) { b } else { none })
                    }
                }
            }
            10 | 11 => self.about_a_collection(context),
            _ => {
                let truths = self.variables(&Type::Bool, context);
                match truths.is_empty() {
                    true => truth(self.percent(50)),
                    false => self.random.pick(&truths).clone(),
                }
            }
        }
    }

    fn about_a_collection(&mut self, context: &Context) -> Expr {
        let any = Box::new(Type::Handle(None));
        let types = [
            Type::Sequence(Box::new(int(0, 1)), 2),
            Type::Sequence(any.clone(), 2),
            Type::Set(any, 2),
            Type::Map(Box::new(int(0, 1)), Box::new(int(0, 1)), 2),
        ];
        let all = types.iter().flat_map(|of| self.variables(of, context));
        let all: Vec<Expr> = all.collect();
        if all.is_empty() {
            let messages = self.variables(&Type::Variant(MESSAGE), context);
            return match messages.first() {
                Some(message) => {
                    let case = self.random.below(3_usize);
                    Expr { form: Form::Is(boxed(message.clone()), case), of: Type::Bool }
                }
                None => truth(true),
            };
        }
        let over = self.random.pick(&all).clone();
        let (Type::Sequence(element, _) | Type::Set(element, _) | Type::Map(element, ..)) =
            &over.of
        else {
            unreachable!("these are collections")
        };
        let element = Type::clone(element);
        if self.percent(40) {
            let item = self.expression(&element, context, 0);
            if element.includes(&item.of) {
                let form = Form::On(CollectionOp::Has, vec![over, item]);
                return Expr { form, of: Type::Bool };
            }
            return truth(false);
        }
        let len = Expr { form: Form::On(CollectionOp::Len, vec![over]), of: int(0, 2) };
        compare(BinaryOp::Less, len, number(1 + i64::from(self.random.below(2))))
    }

    fn collection(&mut self, of: &Type, context: &Context, depth: usize) -> Expr {
        let same: Vec<Expr> = self.variables(of, context);
        let elements = match of {
            Type::Sequence(element, _) | Type::Set(element, _) => vec![Type::clone(element)],
            Type::Map(key, value, _) => vec![Type::clone(key), Type::clone(value)],
            _ => unreachable!("a collection"),
        };
        let mut items = Vec::new();
        for element in &elements {
            let item = self.expression(element, context, depth.saturating_sub(1));
            items.push(if element.includes(&item.of) { item } else { self.first(element) });
        }
        if same.is_empty() || self.percent(30) {
            let form = Form::Collection(if self.percent(30) { vec![] } else { items });
            return Expr { form, of: of.clone() };
        }
        let old = self.random.pick(&same).clone();
        let room = Expr { form: Form::On(CollectionOp::Len, vec![old.clone()]), of: int(0, 2) };
        let room = compare(BinaryOp::Less, room, number(2));
        let some = Expr { form: Form::On(CollectionOp::Len, vec![old.clone()]), of: int(0, 2) };
        let some = compare(BinaryOp::Greater, some, number(0));
        let grown = |op, old: Expr| Expr {
            form: Form::On(op, [old].into_iter().chain(items.clone()).collect()),
            of: of.clone(),
        };
        let shrunk = |op, old: Expr| Expr { form: Form::On(op, vec![old]), of: of.clone() };
        let (condition, changed) = match (of, self.random.below(4)) {
            (Type::Sequence(..), 0) => (room, grown(CollectionOp::Append, old.clone())),
            (Type::Sequence(..), 1) => (room, grown(CollectionOp::Prepend, old.clone())),
            (Type::Sequence(..), 2) => (some, shrunk(CollectionOp::WithoutFirst, old.clone())),
            (Type::Sequence(..), _) => (some, shrunk(CollectionOp::WithoutLast, old.clone())),
            (_, 0 | 1) => (room, grown(CollectionOp::With, old.clone())),
            _ => {
                let form = Form::On(CollectionOp::Without, vec![old, items[0].clone()]);
                return Expr { form, of: of.clone() };
            }
        };
        if self.features.faults && self.percent(10) {
            return changed;
        }
        Expr { form: Form::If(boxed(condition), boxed(changed), boxed(old)), of: of.clone() }
    }
}
