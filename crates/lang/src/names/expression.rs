//! The names in expressions and formulas, and what the expressions are, as far as names depend on it.

use std::collections::HashMap;

use diagnostics::Span;

use super::collect::Collector;
use super::shape::Shape;
use super::{DefinitionId, Meant, NameKind};
use crate::syntax::process::{Argument, Domain};
use crate::syntax::{Expr, ExprKind, Name, RangeOver, Ranged};

impl<'a> Collector<'a> {
    /// Notes the names in an expression.
    pub(super) fn expr(&mut self, expr: &'a Expr<'a>) -> Shape {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Wildcard | ExprKind::DeadlockFree => {
                Shape::Unknown
            }
            ExprKind::Name(text) => self.named(Name { text, span: expr.span }),
            ExprKind::Paren(inner) => self.expr(inner),
            ExprKind::Tuple(list) | ExprKind::Relation(_, list) | ExprKind::Shift(_, list) => {
                self.each(list)
            }
            ExprKind::Pairs(list) => {
                let shapes: Vec<Shape> = list.iter().map(|one| self.expr(one)).collect();
                match &shapes[..] {
                    [key, value, ..] => Shape::Map(Box::new(key.clone()), Box::new(value.clone())),
                    _ => Shape::Unknown,
                }
            }
            ExprKind::List(list) => {
                let first = list.iter().map(|one| self.expr(one)).reduce(|first, _| first);
                Shape::Collection(Box::new(first.unwrap_or_default()))
            }
            ExprKind::Repeated(value, count) => {
                let of = self.expr(value);
                self.expr(count);
                Shape::Collection(Box::new(of))
            }
            ExprKind::Unary(_, inner) | ExprKind::Ended(inner) => {
                self.expr(inner);
                Shape::Unknown
            }
            ExprKind::Binary(_, _, a, b) | ExprKind::Has(a, b) => {
                self.expr(a);
                self.expr(b);
                Shape::Unknown
            }
            ExprKind::If(condition, a, b) => {
                self.expr(condition);
                let (a, b) = (self.expr(a), self.expr(b));
                if a == Shape::Unknown { b } else { a }
            }
            ExprKind::Nth(name, arguments) => {
                let found = self.decl(name.text).or_else(|| self.value(name.text));
                self.uses(*name, found);
                self.each(arguments)
            }
            ExprKind::Within(value, part) => {
                self.expr(value);
                self.named(*part);
                Shape::Unknown
            }
            ExprKind::All(all) => {
                if let Some(name) = all.name {
                    let found = self.local(name.text);
                    self.uses(name, found);
                }
                all.part.iter().for_each(|part| self.uses_value(*part));
                self.each(&all.except)
            }
            ExprKind::Field(name, member) => {
                let of = self.named(*name);
                self.after_dot(&of, *member, false)
            }
            ExprKind::At(inner, name) => {
                let of = self.expr(inner);
                let label = match of {
                    Shape::Bound(process) => self.label_somewhere(process, name.text),
                    _ => None,
                };
                let place = self.places.get(name.text).copied();
                self.uses(*name, label.or(place));
                Shape::Unknown
            }
            ExprKind::AtLabel(inner, routine, label) => {
                self.expr(inner);
                self.label_of(*routine, *label);
                Shape::Unknown
            }
            ExprKind::Count(atom) => {
                self.atom(atom);
                Shape::Unknown
            }
            ExprKind::AtMost(number, _, atom, label) => {
                self.expr(number);
                self.atom(atom);
                if let Some(label) = label {
                    self.label_at(atom.place, *label);
                }
                Shape::Unknown
            }
            ExprKind::CountAt(process, labels) => {
                let found = self.decl(process.text);
                self.uses(*process, found);
                match labels[..] {
                    [label] => self.label_at(*process, label),
                    [routine, label] => self.label_of(routine, label),
                    _ => {}
                }
                Shape::Unknown
            }
            ExprKind::Enabled(name) => {
                let found = self.transitions.get(name.text).copied();
                self.uses(*name, found);
                Shape::Unknown
            }
            ExprKind::EnabledArm(routine, label) => {
                self.label_of(*routine, *label);
                Shape::Unknown
            }
            ExprKind::Quantified { binders, range, place, of, body, .. } => {
                self.scoped(|all| {
                    all.quantified(binders, *range, *place, of.as_deref(), expr.span);
                    all.expr(body);
                });
                Shape::Unknown
            }
            ExprKind::Over { name, range, body, .. } => {
                let of = self.domain(range);
                self.scoped(|all| {
                    let bound = all.bind(*name, NameKind::Variable, expr.span);
                    all.shapes[bound.0] = of;
                    all.expr(body);
                });
                Shape::Unknown
            }
            ExprKind::Predicate(name, body) => {
                self.scoped(|all| {
                    all.bind(*name, NameKind::Variable, expr.span);
                    all.expr(body);
                });
                Shape::Unknown
            }
            ExprKind::Member(inner, name) => {
                let of = self.expr(inner);
                self.after_dot(&of, *name, false)
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments),
            ExprKind::Index(inner, index) => {
                let of = self.expr(inner);
                self.expr(index);
                match of {
                    Shape::Collection(of) | Shape::Map(_, of) => *of,
                    _ => Shape::Unknown,
                }
            }
            ExprKind::Value(inner) => self.expr(inner).value(),
            ExprKind::New(of, arguments) => {
                let shape = self.type_syntax(of);
                self.arguments(shape.owner(), arguments);
                shape
            }
            ExprKind::Spawn(name, arguments) => {
                let found = self.decl(name.text);
                self.uses(*name, found);
                self.arguments(found, arguments);
                found.map_or(Shape::Unknown, Shape::Handle)
            }
            ExprKind::Join(handle) => match self.expr(handle).value() {
                Shape::Handle(process) => {
                    let result = self.results.get(&process).cloned().unwrap_or_default();
                    Shape::Optional(Box::new(result))
                }
                _ => Shape::Unknown,
            },
            ExprKind::Is(value, case) => {
                self.expr(value);
                let found = self.decl(case.text).or_else(|| self.value(case.text));
                self.uses(*case, found);
                Shape::Unknown
            }
        }
    }

    fn each(&mut self, list: &'a [Expr<'a>]) -> Shape {
        list.iter().for_each(|one| _ = self.expr(one));
        Shape::Unknown
    }

    /// What a loop goes through: what each element is.
    pub(super) fn domain(&mut self, domain: &'a Domain<'a>) -> Shape {
        match domain {
            Domain::Range { low, high, .. } => {
                self.expr(low);
                self.expr(high);
                Shape::Unknown
            }
            Domain::Of(expr) => match self.expr(expr) {
                // What is received, until there is nothing more.
                Shape::Object(id, types) => {
                    let received = self.member(id, "receive", |_| true);
                    let result = received.and_then(|id| self.results.get(&id).cloned());
                    self.made_for(id, &types, &result.unwrap_or_default()).value()
                }
                of => of.element(),
            },
        }
    }

    /// What a name without anything before it stands for.
    fn named(&mut self, name: Name<'a>) -> Shape {
        if name.text == "this" && self.local(name.text).is_none() {
            return match self.this {
                Some(id) => self.this_object(id),
                None => Shape::Unknown,
            };
        }
        let own = |kind: NameKind| kind != NameKind::TypeParameter;
        let inside = self.this.and_then(|this| self.member(this, name.text, own));
        let found = self.local(name.text).or(inside).or_else(|| self.decl(name.text));
        let found = found.or_else(|| self.value(name.text));
        let found = found.or_else(|| self.starts.get(name.text).copied());
        if let (None, Some((class, length))) = (found, self.numbered(name.text)) {
            let quote = usize::from(name.span.range().len() > name.text.len());
            let start = name.span.start as usize + quote;
            self.means(start..start + length, Meant::Definition(class));
            return Shape::Member(class);
        }
        self.uses(name, found);
        found.map_or(Shape::Unknown, |id| self.shapes[id.0].clone())
    }

    /// The object whose inside this is, for its own type parameters.
    fn this_object(&self, id: DefinitionId) -> Shape {
        let types = self.type_parameters(id);
        Shape::Object(id, types.into_iter().map(Shape::Parameter).collect())
    }

    /// Something of a value; tells what it is, or what it returns.
    fn after_dot(&mut self, of: &Shape, name: Name<'a>, is_called: bool) -> Shape {
        let Some(owner) = of.owner() else {
            self.means(name.span.range(), Meant::Member);
            // Of a collection, as much as is needed.
            return match (of, name.text, is_called) {
                (Shape::Collection(inner), "first" | "last" | "pop_front" | "pop_back", _) => {
                    Shape::clone(inner)
                }
                _ => Shape::Unknown,
            };
        };
        let is_bound = matches!(of, Shape::Bound(_));
        let is_meant = |kind: NameKind| match kind {
            NameKind::Label | NameKind::TypeParameter => false,
            NameKind::Step | NameKind::Function => is_called,
            NameKind::Field | NameKind::Column | NameKind::Component => !is_called,
            NameKind::Parameter => !is_called,
            NameKind::Variable => is_bound && !is_called,
            _ => false,
        };
        let found = self.member(owner, name.text, is_meant);
        self.uses(name, found);
        let Some(found) = found else { return Shape::Unknown };
        let shape = match is_called {
            true => self.results.get(&found).cloned().unwrap_or_default(),
            false => self.shapes[found.0].clone(),
        };
        match of {
            Shape::Object(id, types) => self.made_for(*id, types, &shape),
            Shape::Optional(inner) => match &**inner {
                Shape::Object(id, types) => self.made_for(*id, types, &shape),
                _ => shape,
            },
            _ => shape,
        }
    }

    /// The same for the types that an object is made for.
    fn made_for(&self, id: DefinitionId, types: &[Shape], shape: &Shape) -> Shape {
        let names = self.type_parameters(id).into_iter();
        let types: HashMap<String, Shape> = names.zip(types.iter().cloned()).collect();
        if types.is_empty() { shape.clone() } else { shape.with(&types) }
    }

    fn call(&mut self, callee: &'a Expr<'a>, arguments: &'a [Argument<'a>]) -> Shape {
        match &callee.bare().kind {
            ExprKind::Name(text) => {
                let name = Name { text, span: callee.bare().span };
                self.called(name, arguments)
            }
            ExprKind::Member(inner, name) => {
                let of = self.expr(inner);
                let shape = self.after_dot(&of, *name, true);
                let owner = of.owner();
                let found = owner.and_then(|owner| self.member(owner, name.text, is_routine));
                self.arguments(found, arguments);
                shape
            }
            _ => {
                self.expr(callee);
                self.arguments(None, arguments);
                Shape::Unknown
            }
        }
    }

    fn called(&mut self, name: Name<'a>, arguments: &'a [Argument<'a>]) -> Shape {
        let own = self.this.and_then(|this| self.member(this, name.text, is_routine));
        let found = self.local(name.text).or(own).or_else(|| self.decl(name.text));
        let found = found.or_else(|| self.value(name.text));
        self.uses(name, found);
        self.arguments(found, arguments);
        let Some(id) = found else { return Shape::Unknown };
        match self.kind_of(id) {
            NameKind::Record => Shape::Record(id),
            NameKind::Member => self.shapes[id.0].clone(),
            _ => self.results.get(&id).cloned().unwrap_or_default(),
        }
    }

    /// Arguments, whose names are those of parameters.
    fn arguments(&mut self, callee: Option<DefinitionId>, arguments: &'a [Argument<'a>]) {
        for argument in arguments {
            if let Some(name) = argument.name {
                let is_parameter = |kind| matches!(kind, NameKind::Parameter | NameKind::Component);
                match callee {
                    Some(callee) => {
                        let found = self.member(callee, name.text, is_parameter);
                        self.uses(name, found);
                    }
                    None => self.means(name.span.range(), Meant::Member),
                }
            }
            self.expr(&argument.value);
        }
    }

    fn quantified(
        &mut self,
        binders: &'a [Option<Name<'a>>],
        range: RangeOver,
        place: Name<'a>,
        of: Option<&'a Ranged<'a>>,
        whole: Span,
    ) {
        let label = of.and_then(|of| of.label);
        let types = of.map_or(&[][..], |of| &of.types);
        let types: Vec<Shape> = types.iter().map(|one| self.type_syntax(one)).collect();
        let local = self.local(place.text).filter(|_| range == RangeOver::In);
        let decl = self.decl(place.text);
        let net_place = self.places.get(place.text).copied();
        let (found, shape) = match (local, decl, net_place) {
            (Some(id), ..) => (Some(id), None),
            (None, Some(id), _) => {
                let shape = match self.kind_of(id) {
                    NameKind::Process => Some(Shape::Bound(id)),
                    NameKind::Object => Some(Shape::Object(id, types)),
                    _ => None,
                };
                (Some(id), shape)
            }
            (None, None, Some(id)) => {
                let is_thread = range != RangeOver::In;
                (Some(id), Some(if is_thread { Shape::Bound(id) } else { Shape::Unknown }))
            }
            (None, None, None) => (self.value(place.text), None),
        };
        self.uses(place, found);
        let shape = match (shape, label) {
            (Some(shape), None) => shape,
            (Some(Shape::Bound(id)), Some(label)) => {
                let found = self.label_somewhere(id, label.text);
                self.uses(label, found);
                Shape::Bound(id)
            }
            (None, Some(member)) => {
                let of = found.map_or(Shape::Unknown, |id| self.shapes[id.0].clone());
                self.after_dot(&of, member, false).element()
            }
            (None, None) => {
                let of = found.map_or(Shape::Unknown, |id| self.shapes[id.0].clone());
                of.element()
            }
            (Some(shape), Some(label)) => {
                self.means(label.span.range(), Meant::Member);
                shape
            }
        };
        for name in binders.iter().flatten() {
            let bound = self.bind(*name, NameKind::Variable, whole);
            self.shapes[bound.0] = shape.clone();
        }
    }

    /// A label of processes that are counted.
    fn label_at(&mut self, process: Name<'a>, label: Name<'a>) {
        let found = self.decl(process.text);
        let found = found.and_then(|process| self.label_somewhere(process, label.text));
        self.uses(label, found);
    }
}

pub(super) fn is_routine(kind: NameKind) -> bool {
    matches!(kind, NameKind::Step | NameKind::Function)
}
