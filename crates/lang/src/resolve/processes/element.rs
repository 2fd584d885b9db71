//! Collections as values: literals, elements, membership, statements about all elements.

use net::{BinaryOp, EnumId, Quantifier};
use program::{CollectionOp, Expr as Value, Form, Type};

use super::Lowering;
use super::body::Binding;
use super::expression::{boolean, int};
use super::loops::both;
use super::operator::compared;
use super::types::ROOM;
use crate::resolve::names::Meaning;
use crate::syntax::process::Domain;
use crate::syntax::{Expr, Name};
use diagnostics::Span;

impl<'a> Lowering<'a, '_, '_> {
    /// `s[i]` or `m[k]`.
    pub(super) fn element(&mut self, inner: &'a Expr<'a>, index: &'a Expr<'a>) -> Option<Value> {
        let value = self.expr(inner, None)?;
        let (of, index) = match &value.of {
            Type::Sequence(of, _) => {
                let of = Type::clone(of);
                let found = self.expr(index, None)?;
                self.number(&found, index.span, "an index")?;
                (of, found)
            }
            Type::Map(key, of, _) => {
                let (key, of) = (Type::clone(key), Type::clone(of));
                (of, self.fitting(index, &key, "a key")?)
            }
            of => {
                let of = of.clone();
                self.report_mismatch(&of, "a sequence or a map", inner.span, "before `[`");
                return None;
            }
        };
        Some(Value { form: Form::On(CollectionOp::At, vec![value, index]), of })
    }

    fn report_unknown_collection(&mut self, span: Span) {
        self.error("E1011", "it is not known what this is a collection of", span, "of what?")
            .help("declare the variable with its type: `let s: seq[0..=3, 4] = []`, say")
            .report(self.resolver.diagnostics);
    }

    /// `[a, b]`.
    pub(super) fn list(
        &mut self,
        list: &'a [Expr<'a>],
        hint: Option<&Type>,
        span: Span,
    ) -> Option<Value> {
        let hint = match hint {
            Some(Type::Optional(inner)) => Some(&**inner),
            other => other,
        };
        let (element, of) = match hint {
            Some(of @ (Type::Sequence(element, _) | Type::Set(element, _))) => {
                (Type::clone(element), of.clone())
            }
            Some(of @ Type::Map(..)) if list.is_empty() => {
                return Some(Value { form: Form::Collection(Vec::new()), of: of.clone() });
            }
            _ => {
                let Some(first) = list.first() else {
                    self.report_unknown_collection(span);
                    return None;
                };
                return self.list_like_first(first, list);
            }
        };
        self.elements(list.iter(), &element, of, span)
    }

    /// A list of whose elements the first gives the type.
    fn list_like_first(&mut self, first: &'a Expr<'a>, list: &'a [Expr<'a>]) -> Option<Value> {
        let room = u32::try_from(list.len()).expect("fewer than bytes");
        let first_span = first.span;
        let first = self.expr(first, None)?;
        let mut of = first.of.clone();
        let mut elements = vec![first];
        for expr in &list[1..] {
            let value = self.expr(expr, Some(&of))?;
            let value = self.fit_wider(value, &mut of, expr.span)?;
            elements.push(value);
        }
        self.check_width(&of, elements.len(), first_span)?;
        let of = Type::Sequence(Box::new(of), room);
        Some(Value { form: Form::Collection(elements), of })
    }

    /// A value of a type that is made wider by it, if it is a number.
    fn fit_wider(&mut self, value: Value, of: &mut Type, span: Span) -> Option<Value> {
        if let (Type::Int { min, max }, Type::Int { min: least, max: most }) = (&mut *of, &value.of)
        {
            (*min, *max) = ((*min).min(*least), (*max).max(*most));
            return Some(value);
        }
        self.fit(value, &of.clone(), span, "an element")
    }

    fn elements(
        &mut self,
        list: impl Iterator<Item = &'a Expr<'a>>,
        element: &Type,
        of: Type,
        span: Span,
    ) -> Option<Value> {
        let mut values = Vec::new();
        for expr in list {
            let value = self.fitting(expr, element, "an element");
            values.push(value.and_then(|value| self.exact(value, element, expr.span)));
        }
        let values = values.into_iter().collect::<Option<Vec<Value>>>()?;
        self.check_room(values.len(), &of, span)?;
        Some(Value { form: Form::Collection(values), of })
    }

    fn check_room(&mut self, number: usize, of: &Type, span: Span) -> Option<()> {
        let (Type::Sequence(_, room) | Type::Set(_, room) | Type::Map(_, _, room)) = of else {
            return Some(());
        };
        if number <= *room as usize {
            return Some(());
        }
        let message = format!("there is room for {room} elements in `{}`", self.shown(of));
        self.error("E1018", message, span, format!("these are {number}"))
            .help("declare it with more room: `seq[T, n]`")
            .report(self.resolver.diagnostics);
        None
    }

    /// `[k: v]`.
    pub(super) fn pairs(
        &mut self,
        list: &'a [Expr<'a>],
        hint: Option<&Type>,
        span: Span,
    ) -> Option<Value> {
        let of = match hint {
            Some(Type::Optional(inner)) => Type::clone(inner),
            Some(of) => of.clone(),
            None => {
                self.report_unknown_collection(span);
                return None;
            }
        };
        let Type::Map(key, element, _) = &of else {
            self.report_mismatch(&of, "a map", span, "this");
            return None;
        };
        let mut values = Vec::new();
        for (number, expr) in list.iter().enumerate() {
            let (of, what) = if number % 2 == 0 { (key, "a key") } else { (element, "a value") };
            let value = self.fitting(expr, of, what)?;
            values.push(self.exact(value, of, expr.span)?);
        }
        self.check_room(values.len() / 2, &of, span)?;
        Some(Value { form: Form::Collection(values), of: of.clone() })
    }

    /// `[e; n]`.
    pub(super) fn repeated(
        &mut self,
        value: &'a Expr<'a>,
        count: &'a Expr<'a>,
        hint: Option<&Type>,
        span: Span,
    ) -> Option<Value> {
        let number = self.expr(count, None)?;
        let Form::Literal(net::Literal::Int(number)) = number.form else {
            self.error(
                "E1017",
                "how often an element stands in a list is constant",
                count.span,
                "this may change",
            )
            .help("write a number or a `const`")
            .report(self.resolver.diagnostics);
            return None;
        };
        let Some(number) = usize::try_from(number).ok().filter(|_| number <= ROOM) else {
            self.error(
                "E0406",
                format!("a list has 0 to {ROOM} elements"),
                count.span,
                format!("this is {number}"),
            )
            .report(self.resolver.diagnostics);
            return None;
        };
        let element = match hint {
            Some(Type::Sequence(element, _)) => Type::clone(element),
            _ if number == 0 => {
                self.report_unknown_collection(span);
                return None;
            }
            _ => {
                let first = self.expr(value, None)?;
                let of = first.of.clone();
                self.check_width(&of, number, span)?;
                let mut elements = vec![first];
                for _ in 1..number {
                    elements.push(self.expr(value, Some(&of))?);
                }
                let room = u32::try_from(number).expect("it is small");
                let of = Type::Sequence(Box::new(of), room);
                return Some(Value { form: Form::Collection(elements), of });
            }
        };
        let of = hint.expect("it has an element").clone();
        self.elements(std::iter::repeat_n(value, number), &element, of, span)
    }

    /// `x in s`.
    pub(super) fn has(&mut self, value: &'a Expr<'a>, collection: &'a Expr<'a>) -> Option<Value> {
        let over = self.expr(collection, None)?;
        let of = match element_of(&over.of) {
            Some(of) => of,
            None => {
                self.report_mismatch(
                    &over.of.clone(),
                    "a collection",
                    collection.span,
                    "after `in`",
                );
                return None;
            }
        };
        let value = self.fitting(value, &of, "before `in`")?;
        Some(Value { form: Form::On(CollectionOp::Has, vec![over, value]), of: Type::Bool })
    }

    /// `forall x in s: P`.
    pub(super) fn over(
        &mut self,
        quantifier: Quantifier,
        name: Name<'a>,
        range: &'a Domain<'a>,
        body: &'a Expr<'a>,
    ) -> Option<Value> {
        let (over, bounds) = match range {
            Domain::Of(range) => (self.gone_through(range, false), None),
            Domain::Range { low, high, inclusive } => {
                let found = self.range(low, high, *inclusive);
                let found = found.and_then(|(low, high, of)| {
                    Some((self.numbers(&of, range)?, Some((low, high))))
                });
                found.map_or((None, None), |(over, bounds)| (Some(over), bounds))
            }
        };
        let span = range.parts()[0].span;
        let mut found = self.each_of(quantifier, name, over, span, body)?;
        if let (Some((low, high)), Form::Quantified(_, local, _, condition)) =
            (bounds, &mut found.form)
        {
            let number = self.body.local(*local);
            let is_within = compared(BinaryOp::GreaterEqual, number.clone(), low);
            let is_within = both(is_within, compared(BinaryOp::LessEqual, number, high));
            let op = match quantifier {
                Quantifier::Forall => BinaryOp::Implies,
                Quantifier::Exists => BinaryOp::And,
            };
            let form = Form::Binary(op, Box::new(is_within), condition.clone());
            **condition = Value { form, of: Type::Bool };
        }
        Some(found)
    }

    /// That a condition holds for all, or some, elements of a collection, if there is one.
    pub(super) fn each_of(
        &mut self,
        quantifier: Quantifier,
        name: Name<'a>,
        over: Option<Value>,
        span: Span,
        body: &'a Expr<'a>,
    ) -> Option<Value> {
        let of = over.as_ref().and_then(|over| element_of(&over.of));
        if let (Some(over), None) = (&over, &of) {
            self.report_mismatch(&over.of.clone(), "a collection", span, "after `in`");
        }
        let mut local = None;
        self.body.scopes.push(Vec::new());
        match of {
            Some(of) => local = Some(self.declare(name, of)),
            None => self.bind(name, Binding::Wrong),
        }
        // It is evaluated for each element.
        let condition = self.pure_condition(body, "a statement about all elements");
        for name in self.body.scopes.pop().expect("it was pushed") {
            self.body.names.remove(name);
        }
        let form = Form::Quantified(quantifier, local?, Box::new(over?), Box::new(condition?));
        Some(Value { form, of: Type::Bool })
    }

    /// All numbers of a range, one after the other.
    fn numbers(&mut self, of: &Type, range: &'a Domain<'a>) -> Option<Value> {
        let Type::Int { min, max } = *of else { unreachable!("a range has numbers") };
        let room = max.saturating_sub(min).saturating_add(1);
        let span = range.parts().into_iter().map(|part| part.span).reduce(Span::to)?;
        let room = self.gone_through_room(room, span)?;
        let of = Type::Sequence(Box::new(of.clone()), room);
        Some(Value { form: Form::Collection((min..=max).map(int).collect()), of })
    }

    /// How many values are gone through, unless there are too many.
    fn gone_through_room(&mut self, number: i64, span: Span) -> Option<u32> {
        if number <= ROOM {
            return u32::try_from(number).ok();
        }
        let message = format!("at most {ROOM} values are gone through");
        self.error("E0406", message, span, format!("these are {number}"))
            .help("make the range, the enumeration or the class smaller")
            .report(self.resolver.diagnostics);
        None
    }

    /// What is gone through: the elements of a collection, or the members of an enumeration or a class.
    pub(super) fn gone_through(&mut self, expr: &'a Expr<'a>, in_loop: bool) -> Option<Value> {
        match expr.as_name() {
            Some(name) => self.named_collection(name, in_loop),
            None => self.expr(expr, None),
        }
    }

    /// The same of a name.
    pub(super) fn named_collection(&mut self, name: Name<'a>, in_loop: bool) -> Option<Value> {
        if self.means_all_of_bool(name) {
            let of = Type::Sequence(Box::new(Type::Bool), 2);
            let values = [false, true].map(boolean);
            return Some(Value { form: Form::Collection(values.into()), of });
        }
        let Some(id) = self.members_named(name) else { return self.named(name, None) };
        let class = &self.resolver.net.enumerations[id.index()];
        let (count, is_alike) = (class.members.len(), class.symmetry != net::Symmetry::None);
        if is_alike && !in_loop {
            let message = "the members of this class are alike, and none is named";
            self.error("E1010", message, name.span, "they cannot be gone through here")
                .help("keep those that matter in a set: `forall x in s: …`")
                .report(self.resolver.diagnostics);
            return None;
        }
        let member = |number| Value {
            form: Form::Literal(net::Literal::Enum(id, number)),
            of: Type::Member(id),
        };
        let room = self.gone_through_room(i64::try_from(count).unwrap_or(i64::MAX), name.span)?;
        let (of, members) = (Box::new(Type::Member(id)), (0..room).map(member).collect());
        // Those that are alike have no order.
        let of = if is_alike { Type::Set(of, room) } else { Type::Sequence(of, room) };
        Some(Value { form: Form::Collection(members), of })
    }

    /// Whether a name is `bool`, and nothing here has it.
    pub(super) fn means_all_of_bool(&mut self, name: Name<'a>) -> bool {
        name.text == "bool"
            && !self.body.names.contains_key(name.text)
            && self.own_field(name).is_none()
            && self.decl(name).is_none()
    }

    /// The enumeration or class of a name, if nothing else here has it.
    pub(super) fn members_named(&mut self, name: Name<'a>) -> Option<EnumId> {
        if self.body.names.contains_key(name.text) || self.own_field(name).is_some() {
            return None;
        }
        match self.resolver.meaning(name.text) {
            Some((Meaning::Enumeration(id), _)) => Some(id),
            _ => None,
        }
    }
}

/// The type of the elements of a collection; of a map that of its keys.
pub(super) fn element_of(of: &Type) -> Option<Type> {
    match of {
        Type::Sequence(of, _) | Type::Set(of, _) | Type::Map(of, ..) => Some(Type::clone(of)),
        _ => None,
    }
}
