//! Types as written, and how they are shown.

use program::{Expr as Value, Form, Named, Record, RecordId, Type, Variant, VariantId};

use super::body::Kind;
use super::declared::Decl;
use super::{Lowering, address, origin};
use crate::resolve::names::Meaning;
use crate::syntax::process::{Component, RecordDecl, TypeKind, TypeSyntax, VariantDecl};
use crate::syntax::{Expr, Name};
use diagnostics::{Span, nearest};

/// No collection has room for more than this.
pub(super) const ROOM: i64 = 256;
/// No value consists of more numbers than this.
const WIDTH: u64 = 1024;
/// What may stand in types.
const CONSTANT: &str = "write a number, a `const`, or what the object is made with";
/// How deep types may be within one another.
pub(super) const NESTING: usize = 60;

impl<'a> Lowering<'a, '_, '_> {
    /// The type that is written.
    pub(super) fn type_of(&mut self, syntax: &'a TypeSyntax<'a>) -> Option<Type> {
        let of = self.written_type(syntax)?;
        self.check_width(&of, 1, syntax.span)?;
        Some(of)
    }

    /// Reports values that are too large, where there are so many of a type.
    pub(super) fn check_width(&mut self, of: &Type, number: usize, span: Span) -> Option<()> {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        if self.width(of).saturating_mul(number) <= WIDTH {
            return Some(());
        }
        let message = "a value of this type is too large";
        self.error("E0410", message, span, format!("more than {WIDTH} numbers"))
            .help("give collections less room")
            .report(self.resolver.diagnostics);
        None
    }

    /// How many numbers a value consists of.
    fn width(&self, of: &Type) -> u64 {
        match of {
            Type::Int { .. } | Type::Bool | Type::Member(_) | Type::Handle(_) | Type::Object(_) => {
                1
            }
            Type::Optional(inner) => 1 + self.width(inner),
            Type::Sequence(element, room) | Type::Set(element, room) => {
                (self.width(element) * room_in_nets(*room)).saturating_add(1)
            }
            Type::Map(key, value, room) => {
                ((self.width(key) + self.width(value)) * room_in_nets(*room)).saturating_add(1)
            }
            Type::Record(id) => self.record_widths.get(id).copied().unwrap_or(0),
            Type::Variant(id) => self.variant_widths.get(id).copied().unwrap_or(0),
        }
    }

    /// How many numbers the components of a record are.
    fn width_of_all(&self, components: &[Named]) -> u64 {
        components.iter().map(|component| self.width(&component.of)).sum()
    }

    /// Goes into a type within another, unless that is too deep.
    fn deeper<T>(&mut self, span: Span, act: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.nesting >= NESTING {
            let message = format!("more than {NESTING} types within one another");
            self.error("E0002", message, span, "too deep")
                .help("let it have a reference to an object instead")
                .report(self.resolver.diagnostics);
            return None;
        }
        self.nesting += 1;
        let found = act(self);
        self.nesting -= 1;
        found
    }

    fn written_type(&mut self, syntax: &'a TypeSyntax<'a>) -> Option<Type> {
        match &syntax.kind {
            TypeKind::Wrong => None,
            TypeKind::Bool => Some(Type::Bool),
            TypeKind::AnyProcess => Some(Type::Handle(None)),
            TypeKind::Optional(inner) => Some(Type::Optional(Box::new(self.type_of(inner)?))),
            TypeKind::Range { low, high, inclusive } => {
                let (min, max) = (self.bound_of(low)?.0, self.bound_of(high)?.1);
                let max = if *inclusive { max } else { max.saturating_sub(1) };
                if min > max {
                    let message = format!("the range {min}..={max} is empty");
                    self.error("E0401", message, syntax.span, "no number is in it")
                        .help("write the least number first: `0..=3`; `0..3` is without 3")
                        .report(self.resolver.diagnostics);
                    return None;
                }
                self.narrow(syntax.span, min, max)?;
                Some(Type::Int { min, max })
            }
            TypeKind::Named(name, arguments) => self.named_type(*name, arguments, syntax.span),
            TypeKind::Number(_) => {
                self.error("E1007", "a number is no type", syntax.span, "expected a type")
                    .help("a range is written `0..=3`")
                    .report(self.resolver.diagnostics);
                None
            }
            TypeKind::AnyWith(_) => {
                let help = "`any { … }` is the type of a parameter of a `fn` or a `step`";
                self.error("E1010", "this type is for parameters only", syntax.span, "not here")
                    .help(help)
                    .report(self.resolver.diagnostics);
                None
            }
            TypeKind::Predicate(..) => {
                let help = "`fn(T): bool` is the type of a parameter of a `fn` or a `step`";
                self.error("E1010", "this type is for parameters only", syntax.span, "not here")
                    .help(help)
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    /// A range fits into a column, also with one more value, as the counter of a loop over it has.
    fn narrow(&mut self, span: Span, min: i64, max: i64) -> Option<()> {
        let values = i128::from(max) - i128::from(min) + 1;
        let largest = 1 << 52;
        if values < i128::from(u32::MAX) && -largest <= min && max <= largest {
            return Some(());
        }
        let message = format!("the range {min}..={max} is too wide");
        self.error("E0402", message, span, "too many numbers, or too large ones")
            .help("a range has less than 2^32 - 1 values, between -2^52 and 2^52")
            .report(self.resolver.diagnostics);
        None
    }

    fn named_type(
        &mut self,
        name: Name<'a>,
        arguments: &'a [TypeSyntax<'a>],
        span: Span,
    ) -> Option<Type> {
        if let Some(of) = self.body.types.get(name.text).cloned() {
            self.no_arguments(name, arguments)?;
            return Some(of);
        }
        match self.decl(name) {
            Some(Decl::Object(decl)) => {
                let given: Vec<Option<Type>> =
                    arguments.iter().map(|argument| self.type_of(argument)).collect();
                let given = given.into_iter().collect::<Option<Vec<Type>>>()?;
                if given.len() != decl.types.len() {
                    self.report_type_arguments(name, decl.types.len(), given.len(), span);
                    return None;
                }
                return self.object(decl, given, span).map(Type::Object);
            }
            Some(Decl::Process(decl)) => {
                self.no_arguments(name, arguments)?;
                return self.process(decl, span).map(|id| Type::Handle(Some(id)));
            }
            Some(Decl::Record(decl)) => {
                self.no_arguments(name, arguments)?;
                return self.record(decl).map(Type::Record);
            }
            Some(Decl::Variant(decl)) => {
                self.no_arguments(name, arguments)?;
                return self.variant(decl).map(Type::Variant);
            }
            _ => {}
        }
        if let Some((Meaning::Enumeration(id), _)) = self.resolver.meaning(name.text) {
            self.no_arguments(name, arguments)?;
            return Some(Type::Member(id));
        }
        match (name.text, arguments) {
            ("unit", []) => Some(Type::Record(self.unit())),
            ("int", []) => {
                let message = "only what an object is made with can be any `int`";
                self.error("E1010", message, name.span, "not here")
                    .help("write a range, such as `0..=3`")
                    .report(self.resolver.diagnostics);
                None
            }
            ("seq", [element, room @ ..]) if room.len() <= 1 => {
                let (element, room) = (self.type_of(element), self.room(room.first()));
                Some(Type::Sequence(Box::new(element?), room?))
            }
            ("set", [element, room @ ..]) if room.len() <= 1 => {
                let (element, room) = (self.type_of(element), self.room(room.first()));
                Some(Type::Set(Box::new(element?), room?))
            }
            ("map", [key, value, room @ ..]) if room.len() <= 1 => {
                let (key, value) = (self.type_of(key), self.type_of(value));
                let room = self.room(room.first());
                Some(Type::Map(Box::new(key?), Box::new(value?), room?))
            }
            ("seq" | "set" | "map", _) => {
                let wanted = if name.text == "map" { 3 } else { 2 };
                self.report_type_arguments(name, wanted, arguments.len(), span);
                None
            }
            _ => {
                self.report_unknown_type(name);
                None
            }
        }
    }

    fn no_arguments(&mut self, name: Name<'a>, arguments: &[TypeSyntax<'a>]) -> Option<()> {
        let first = arguments.first();
        if let Some(first) = first {
            self.report_type_arguments(name, 0, arguments.len(), first.span);
        }
        first.is_none().then_some(())
    }

    fn report_type_arguments(&mut self, name: Name<'a>, wanted: usize, given: usize, span: Span) {
        let help = match (name.text, wanted) {
            ("seq", _) => "write `seq[T]`, or `seq[T, n]` for at most n values in a row".to_owned(),
            ("set", _) => {
                "write `set[T]`, or `set[T, n]` for at most n different values".to_owned()
            }
            ("map", _) => "write `map[K, V]`, or `map[K, V, n]` for at most n keys".to_owned(),
            (text, 0) => format!("write `{text}`"),
            (text, _) => format!("write `{text}[{}]`", vec!["…"; wanted].join(", ")),
        };
        let message = format!("`{}` has {wanted} type arguments, not {given}", name.text);
        self.error("E1006", message, span, format!("{given} given"))
            .help(help)
            .report(self.resolver.diagnostics);
    }

    fn report_unknown_type(&mut self, name: Name<'a>) {
        let is_type = |decl| !matches!(decl, Decl::Function(_) | Decl::Case(..) | Decl::Shared);
        if self.resolver.model.skipped.contains(name.text) || self.is_plainly_reported(name) {
            return;
        }
        let mut known = self.names.all(is_type);
        known.extend(["bool", "unit", "seq", "set", "map"]);
        known.extend(self.body.types.keys());
        let classes = self.resolver.net.enumerations.iter();
        let text = name.text;
        let near = match text {
            "boolean" => Some("bool"),
            "chan" | "Channel" => Some("channel"),
            "array" | "list" | "slice" | "vec" | "queue" => Some("seq"),
            "dict" | "table" => Some("map"),
            _ => nearest(text, classes.map(|class| &*class.name).chain(known)),
        };
        let label = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "not declared".into(),
        };
        let error =
            self.error("E1008", format!("there is no type named `{text}`"), name.span, label);
        let help = match text {
            "string" | "String" | "str" => "there are no texts: declare an `enum`",
            "any" => "write `any process`; a parameter may be `any { lock, unlock }`",
            "error" => "what can fail gives a `T?`, or a `bool`",
            "integer" | "Int" | "uint" | "int32" | "int64" | "long" => {
                "write a range, such as `0..=3`"
            }
            _ => HELP,
        };
        const HELP: &str = "types are ranges, `bool`, enumerations, classes, records, types of objects, \
                    processes, `seq`, `set`, `map`, and all of these with `?`";
        self.resolver.diagnostics.push(if near.is_none() { error.help(help) } else { error });
    }

    /// The bounds of a number that does not change: a constant, or what objects are made with.
    fn bound_of(&mut self, expr: &'a Expr<'a>) -> Option<(i64, i64)> {
        let calls = std::mem::replace(
            &mut self.body.calls,
            super::body::Calls::Refused("a bound of a type"),
        );
        let value = self.expr(expr, None);
        self.body.calls = calls;
        let value = value?;
        match value.of {
            Type::Int { min, max } if self.is_fixed(&value) => Some((min, max)),
            Type::Int { .. } => {
                self.error("E1017", "a bound of a type is constant", expr.span, "this is not")
                    .help(CONSTANT)
                    .report(self.resolver.diagnostics);
                None
            }
            _ => {
                self.report_mismatch(&value.of, "a number", expr.span, "a bound");
                None
            }
        }
    }

    /// Whether a value is the same throughout: made of constants and of what the object is made with.
    pub(super) fn is_fixed(&self, value: &Value) -> bool {
        let is_own = match &value.form {
            Form::Literal(_) => true,
            Form::Local(_) => matches!(self.body.kind, Kind::Initials(_)),
            Form::Field(object, field) => {
                let Type::Object(id) = object.of else { return false };
                let info = &self.objects[id.index()];
                return info.parameter_fields.contains(&Some(*field));
            }
            Form::Unary(..) | Form::Binary(..) => true,
            _ => false,
        };
        is_own && value.children().into_iter().all(|child| self.is_fixed(child))
    }

    /// How many elements a collection may have: any number, if nothing is said.
    fn room(&mut self, syntax: Option<&'a TypeSyntax<'a>>) -> Option<u32> {
        let Some(syntax) = syntax else { return Some(Type::UNBOUNDED) };
        let number = match &syntax.kind {
            TypeKind::Number(expr) => self.bound_of(expr)?.1,
            TypeKind::Named(name, arguments) if arguments.is_empty() => {
                let value = self.named(*name, None)?;
                match value.of {
                    Type::Int { max, .. } if self.is_fixed(&value) => max,
                    _ => {
                        let message = "the room of a collection is a constant";
                        self.error("E1017", message, syntax.span, "this is not")
                            .help(CONSTANT)
                            .report(self.resolver.diagnostics);
                        return None;
                    }
                }
            }
            _ => {
                let message = "the room of a collection is a number";
                self.error("E1007", message, syntax.span, "this is a type")
                    .help("write `seq[T, n]`, `set[T, n]` or `map[K, V, n]`")
                    .report(self.resolver.diagnostics);
                return None;
            }
        };
        match number {
            0..=ROOM => u32::try_from(number).ok(),
            _ => {
                let message = format!("a collection has room for 0 to {ROOM} elements");
                self.error("E0406", message, syntax.span, format!("this is {number}"))
                    .report(self.resolver.diagnostics);
                None
            }
        }
    }

    /// The type of `()`.
    pub(super) fn unit(&mut self) -> RecordId {
        if let Some(id) = self.unit {
            return id;
        }
        let id = RecordId(u32::try_from(self.program.records.len()).expect("fewer than bytes"));
        self.program.records.push(Record { name: "unit".into(), components: Vec::new() });
        self.unit = Some(id);
        id
    }

    pub(super) fn is_unit(&self, of: &Type) -> bool {
        matches!(of, Type::Record(id) if Some(*id) == self.unit)
    }

    /// A record type.
    pub(super) fn record(&mut self, decl: &'a RecordDecl<'a>) -> Option<RecordId> {
        if let Some(id) = self.record_ids.get(&address(decl)).copied() {
            self.is_circular |= self.open_types.contains(&address(decl));
            return self.is_complete_record(id, decl).then_some(id);
        }
        let id = RecordId(u32::try_from(self.program.records.len()).expect("fewer than bytes"));
        let name = decl.name.text.to_owned();
        self.program.records.push(Record { name, components: Vec::new() });
        self.record_ids.insert(address(decl), id);
        self.open_types.push(address(decl));
        let components =
            self.deeper(decl.name.span, |lowering| lowering.components(&decl.components));
        self.open_types.pop();
        let components = components?;
        self.record_widths.insert(id, self.width_of_all(&components));
        self.program.records[id.index()].components = components;
        Some(id)
    }

    /// A record that is not complete contains itself, or has a mistake in it.
    fn is_complete_record(&self, id: RecordId, decl: &'a RecordDecl<'a>) -> bool {
        let found = self.program.records[id.index()].components.len();
        found == decl.components.len()
    }

    /// A variant type.
    pub(super) fn variant(&mut self, decl: &'a VariantDecl<'a>) -> Option<VariantId> {
        if let Some(id) = self.variant_ids.get(&address(decl)) {
            self.is_circular |= self.open_types.contains(&address(decl));
            let found = self.program.variants[id.index()].cases.len();
            return (found == decl.cases.len()).then_some(*id);
        }
        let id = VariantId(u32::try_from(self.program.variants.len()).expect("fewer than bytes"));
        let name = decl.name.text.to_owned();
        self.program.variants.push(Variant { name, cases: Vec::new() });
        self.variant_ids.insert(address(decl), id);
        let mut cases = Vec::new();
        let mut width = 1;
        for case in &decl.cases {
            self.open_types.push(address(decl));
            let components =
                self.deeper(case.name.span, |lowering| lowering.components(&case.components));
            self.open_types.pop();
            let components = components?;
            width += self.width_of_all(&components);
            cases.push(Record { name: case.name.text.into(), components });
        }
        self.variant_widths.insert(id, width);
        self.program.variants[id.index()].cases = cases;
        Some(id)
    }

    fn components(&mut self, list: &'a [Component<'a>]) -> Option<Vec<Named>> {
        let mut found = Vec::new();
        let mut is_right = true;
        for component in list {
            self.is_circular = false;
            match self.type_of(&component.of) {
                Some(of) => {
                    let origin = origin(component.name.span);
                    found.push(Named { name: component.name.text.into(), of, origin });
                }
                None => {
                    is_right = false;
                    // Otherwise the mistake is in another type, and reported there.
                    if std::mem::take(&mut self.is_circular) {
                        let message = "a value cannot contain one of its own type";
                        self.error("E1014", message, component.of.span, "of the same type")
                            .help("let it have a reference to an object instead")
                            .report(self.resolver.diagnostics);
                    }
                }
            }
        }
        is_right.then_some(found)
    }

    /// A type as people write it.
    pub(super) fn shown(&self, of: &Type) -> String {
        match of {
            Type::Int { min, max } if min == max => format!("{min}"),
            Type::Int { min, max } => format!("{min}..={max}"),
            Type::Bool => "bool".into(),
            Type::Member(id) => self.resolver.net.enumerations[id.index()].name.to_string(),
            Type::Handle(None) => "any process".into(),
            Type::Handle(Some(id)) => self.program.processes[id.index()].name.clone(),
            Type::Object(id) => self.objects[id.index()].name.clone(),
            Type::Optional(inner) => format!("{}?", self.shown(inner)),
            Type::Sequence(element, room) => {
                format!("seq[{}{}]", self.shown(element), shown_room(*room))
            }
            Type::Set(element, room) => {
                format!("set[{}{}]", self.shown(element), shown_room(*room))
            }
            Type::Map(key, value, room) => {
                format!("map[{}, {}{}]", self.shown(key), self.shown(value), shown_room(*room))
            }
            Type::Record(id) => self.program.records[id.index()].name.clone(),
            Type::Variant(id) => self.program.variants[id.index()].name.clone(),
        }
    }
}

/// How many elements of a collection nets have room for.
fn room_in_nets(room: u32) -> u64 {
    u64::from(if room == Type::UNBOUNDED { Type::ROOM_IN_NETS } else { room })
}

/// How many elements a collection may have, as it is written.
fn shown_room(room: u32) -> String {
    if room == Type::UNBOUNDED { String::new() } else { format!(", {room}") }
}
