//! The names in processes: types, statements, objects.

use super::collect::Collector;
use super::expression::is_routine;
use super::shape::Shape;
use super::{DefinitionId, Meant, NameKind};
use crate::syntax::process::{
    ArmResult, Block, Component, Condition, FunctionDecl, Match, MeetSide, MemberKind, ObjectDecl,
    Select, SelectOperation, SharedDecl, Statement, StatementKind, TypeKind, TypeSyntax,
};
use crate::syntax::{ExprKind, Name};
use diagnostics::Span;

impl<'a> Collector<'a> {
    /// What a type is, without noting the names in it.
    pub(super) fn shape_of(&mut self, of: &'a TypeSyntax<'a>) -> Shape {
        self.shape(of, false)
    }

    /// Notes the names in a type.
    pub(super) fn type_syntax(&mut self, of: &'a TypeSyntax<'a>) -> Shape {
        self.shape(of, true)
    }

    fn shape(&mut self, of: &'a TypeSyntax<'a>, notes: bool) -> Shape {
        match &of.kind {
            TypeKind::Bool | TypeKind::AnyProcess | TypeKind::Wrong => Shape::Unknown,
            TypeKind::Range { low, high, .. } => {
                if notes {
                    self.expr(low);
                    self.expr(high);
                }
                Shape::Unknown
            }
            TypeKind::Number(number) => {
                if notes {
                    self.expr(number);
                }
                Shape::Unknown
            }
            TypeKind::AnyWith(names) => {
                if notes {
                    names.iter().for_each(|name| self.means(name.span.range(), Meant::Member));
                }
                Shape::Unknown
            }
            TypeKind::Optional(inner) => Shape::Optional(Box::new(self.shape(inner, notes))),
            TypeKind::Predicate(types, result) => {
                types.iter().for_each(|one| _ = self.shape(one, notes));
                self.shape(result, notes);
                Shape::Unknown
            }
            TypeKind::Named(name, arguments) => {
                let given: Vec<Shape> =
                    arguments.iter().map(|one| self.shape(one, notes)).collect();
                self.named_type(*name, given, notes)
            }
        }
    }

    fn named_type(&mut self, name: Name<'a>, given: Vec<Shape>, notes: bool) -> Shape {
        let is_parameter = |kind| kind == NameKind::TypeParameter;
        let parameter = self.this.and_then(|this| self.member(this, name.text, is_parameter));
        // A number may be an argument, too: what an object is made with.
        let is_number = |kind| kind == NameKind::Parameter;
        let number = self.this.and_then(|this| self.member(this, name.text, is_number));
        let found = parameter.or_else(|| self.decl(name.text)).or_else(|| self.value(name.text));
        let found = found.or(number);
        if notes {
            self.uses(name, found);
        }
        let Some(id) = found else {
            let mut given = given.into_iter();
            let mut next = || Box::new(given.next().unwrap_or_default());
            return match name.text {
                "seq" | "set" => Shape::Collection(next()),
                "map" => {
                    let key = next();
                    Shape::Map(key, next())
                }
                _ => Shape::Unknown,
            };
        };
        match self.kind_of(id) {
            NameKind::TypeParameter => Shape::Parameter(name.text.to_owned()),
            NameKind::Object => Shape::Object(id, given),
            NameKind::Process => Shape::Handle(id),
            NameKind::Record => Shape::Record(id),
            NameKind::Enumeration | NameKind::Class => Shape::Member(id),
            _ => Shape::Unknown,
        }
    }

    /// The names of the types that objects of a type are made for.
    pub(super) fn type_parameters(&self, id: DefinitionId) -> Vec<String> {
        self.types_of(id).map(|id| self.name_of(id).to_owned()).collect()
    }

    /// A function of an object, by its name alone, as labels in it are named.
    pub(super) fn function_of_object(&self, name: &str) -> Option<DefinitionId> {
        self.routines_named(name).next()
    }

    /// A label of a process, or of a function that it may call.
    pub(super) fn label_somewhere(
        &self,
        process: DefinitionId,
        name: &'a str,
    ) -> Option<DefinitionId> {
        self.label_in(process, name).or_else(|| self.label_of_function(name))
    }

    pub(super) fn component_sorts(&mut self, components: &'a [Component<'a>]) {
        for component in components {
            self.type_syntax(&component.of);
            component.default.iter().for_each(|default| _ = self.expr(default));
        }
    }

    pub(super) fn shared(&mut self, decl: &'a SharedDecl<'a>) {
        decl.of.iter().for_each(|of| _ = self.type_syntax(of));
        let shape = self.expr(&decl.initial);
        if let (None, Some(id)) = (&decl.of, self.own(decl.name)) {
            self.shapes[id.0] = shape;
        }
    }

    /// What the fields of an object are, where only their first values say so.
    pub(super) fn walk_fields(&mut self, decl: &'a ObjectDecl<'a>) {
        let Some(id) = self.own(decl.name) else { return };
        self.scopes.clear();
        self.scopes.push(Default::default());
        self.this = Some(id);
        for member in &decl.members {
            if let MemberKind::Field { name, of, initial, .. } = &member.kind {
                of.iter().for_each(|of| _ = self.type_syntax(of));
                let shape = self.expr(initial);
                let field = self.member(id, name.text, |kind| kind == NameKind::Field);
                if let (None, Some(field)) = (of, field) {
                    self.shapes[field.0] = shape;
                }
            }
        }
        self.this = None;
    }

    /// An object but for its fields.
    pub(super) fn object(&mut self, decl: &'a ObjectDecl<'a>) {
        let Some(id) = self.own(decl.name) else { return };
        self.this = Some(id);
        self.component_sorts(&decl.parameters);
        for member in &decl.members {
            match &member.kind {
                MemberKind::Field { .. } => {}
                MemberKind::Step(decl) | MemberKind::Function(decl) => {
                    if let Some(own) = self.member(id, decl.name.text, is_routine) {
                        self.function(decl, own);
                    }
                }
                MemberKind::Meet { sides, body } => {
                    self.routine = None;
                    self.scoped(|all| {
                        sides.iter().for_each(|side| all.meet_side(side, id, member.span, body));
                        all.block(body);
                    });
                }
            }
        }
        self.this = None;
    }

    fn meet_side(
        &mut self,
        side: &'a MeetSide<'a>,
        object: DefinitionId,
        whole: Span,
        body: &Block<'a>,
    ) {
        let step = self.member(object, side.step.text, is_routine);
        self.uses(side.step, step);
        let parameters = step.map(|step| self.of(step).parameters.clone()).unwrap_or_default();
        self.end = body.close.end as usize;
        for (at, name) in side.parameters.iter().enumerate() {
            let id = self.bind(*name, NameKind::Parameter, whole);
            if let Some(parameter) = parameters.get(at) {
                self.shapes[id.0] = self.shapes[parameter.0].clone();
            }
        }
    }

    pub(super) fn function(&mut self, decl: &'a FunctionDecl<'a>, id: DefinitionId) {
        self.routine = Some(id);
        self.component_sorts(&decl.parameters);
        decl.result.iter().for_each(|of| _ = self.type_syntax(of));
        if let Some(undo) = decl.undo {
            let found = self.this.and_then(|this| self.member(this, undo.text, is_routine));
            self.uses(undo, found);
        }
        self.scoped(|all| {
            for parameter in all.of(id).parameters.clone() {
                all.enter(parameter, decl);
            }
            all.labels(&decl.body);
            all.block(&decl.body);
        });
    }

    /// A parameter is in scope.
    fn enter(&mut self, parameter: DefinitionId, decl: &'a FunctionDecl<'a>) {
        let span = self.of(parameter).span.start;
        let mut names = decl.parameters.iter().map(|one| one.name);
        let name = names.find(|name| name.span.start as usize == span);
        if let (Some(name), Some(scope)) = (name, self.scopes.last_mut()) {
            scope.entry(name.text).or_insert(parameter);
        }
    }

    /// Labels can be named before they come.
    fn labels(&mut self, block: &'a Block<'a>) {
        for statement in &block.statements {
            self.labels_of(statement);
            statement.blocks().into_iter().for_each(|block| self.labels(block));
        }
    }

    fn labels_of(&mut self, statement: &'a Statement<'a>) {
        let routine = self.routine;
        if let Some(name) = statement.label {
            self.define(name, NameKind::Label, name.span, routine);
        }
        match &statement.kind {
            StatementKind::Label(name) => {
                _ = self.define(*name, NameKind::Label, name.span, routine);
            }
            StatementKind::Select(select) => {
                for name in select.arms.iter().filter_map(|arm| arm.label) {
                    self.define(name, NameKind::Label, name.span, routine);
                }
            }
            StatementKind::DeferOne(inner) | StatementKind::Idle(inner) => self.labels_of(inner),
            _ => {}
        }
    }

    fn block(&mut self, block: &'a Block<'a>) {
        let outside = std::mem::replace(&mut self.end, block.close.start as usize);
        self.scoped(|all| block.statements.iter().for_each(|one| all.statement(one)));
        self.end = outside;
    }

    fn local_variable(&mut self, name: Name<'a>, whole: Span, shape: Shape) -> DefinitionId {
        let id = self.bind(name, NameKind::Variable, whole);
        self.shapes[id.0] = shape;
        id
    }

    fn statement(&mut self, statement: &'a Statement<'a>) {
        use StatementKind::*;
        let span = statement.span;
        match &statement.kind {
            Let { name, of, value } => {
                let declared = of.as_ref().map(|of| self.type_syntax(of));
                let shape = self.expr(value);
                let id = self.local_variable(*name, span, declared.unwrap_or(shape));
                self.of(id).of = of.as_ref().map(|of| of.span.range());
            }
            Assign { target, value, .. } => {
                self.expr(target);
                self.expr(value);
            }
            Do(expr) | Await(expr) | Assert(expr) | Require(expr) | Kill(expr) | Crash(expr) => {
                self.expr(expr);
            }
            If { arms, otherwise } => {
                for (condition, block) in arms {
                    self.conditional(condition, block, span);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            While(condition, block) => self.conditional(condition, block, span),
            Loop(block) | Atomic(block) | Defer(block) => self.block(block),
            Repeat(expr, block) | With(expr, block) => {
                self.expr(expr);
                self.block(block);
            }
            For { name, range, body } => {
                let of = self.domain(range);
                self.within(body, |all| _ = all.local_variable(*name, span, of));
            }
            Match(found) => self.match_on(found),
            Label(_) => {}
            Return(values) => values.iter().for_each(|value| _ = self.expr(value)),
            Break(label) | Continue(label) => {
                if let (Some(label), Some(routine)) = (label, self.routine) {
                    let found = self.label_in(routine, label.text);
                    self.uses(*label, found);
                }
            }
            Choose { name, domain, condition, .. } => {
                let of = self.domain(domain);
                self.local_variable(*name, span, of);
                condition.iter().for_each(|condition| _ = self.expr(condition));
            }
            Either(blocks) => blocks.iter().for_each(|block| self.block(block)),
            DeferOne(inner) | Idle(inner) => self.statement(inner),
            Select(select) => self.select(select),
        }
    }

    /// A block with names that only it has.
    fn within(&mut self, block: &'a Block<'a>, bind: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.end, block.close.start as usize);
        self.scoped(|all| {
            bind(all);
            all.block(block);
        });
        self.end = outside;
    }

    fn conditional(&mut self, condition: &'a Condition<'a>, block: &'a Block<'a>, span: Span) {
        match condition {
            Condition::Plain(expr) => {
                self.expr(expr);
                self.block(block);
            }
            Condition::Let(name, expr) => {
                let of = self.expr(expr).value();
                self.within(block, |all| _ = all.local_variable(*name, span, of));
            }
        }
    }

    fn match_on(&mut self, found: &'a Match<'a>) {
        self.expr(&found.value);
        for arm in &found.arms {
            // A case with names for its components is written as a call.
            let case = match &arm.pattern.bare().kind {
                ExprKind::Name(text) => {
                    let name = Name { text, span: arm.pattern.bare().span };
                    let case = self.decl(text).or_else(|| self.value(text));
                    if case.is_some() {
                        self.uses(name, case);
                    } else {
                        self.expr(&arm.pattern);
                    }
                    case
                }
                _ => {
                    self.expr(&arm.pattern);
                    None
                }
            };
            let components = case.map(|case| self.of(case).parameters.clone()).unwrap_or_default();
            self.within(&arm.body, |all| {
                for (at, name) in arm.names.iter().enumerate() {
                    let shape = components.get(at).map(|id| all.shapes[id.0].clone());
                    if let Some(name) = name {
                        all.local_variable(*name, arm.span, shape.unwrap_or_default());
                    }
                }
            });
        }
        found.otherwise.iter().for_each(|(_, block)| self.block(block));
    }

    fn select(&mut self, select: &'a Select<'a>) {
        for arm in &select.arms {
            // What is evaluated before the result is there.
            let (result, shape) = match &arm.operation {
                SelectOperation::Call { result, call } => (Some(result), self.expr(call)),
                SelectOperation::JoinAny { result, handles, .. } => {
                    let shape = self.expr(handles).element();
                    let joined = match &shape {
                        Shape::Handle(process) => self.results.get(process).cloned(),
                        _ => None,
                    };
                    (Some(result), Shape::Optional(Box::new(joined.unwrap_or_default())))
                }
                SelectOperation::Await(condition) => {
                    self.expr(condition);
                    (None, Shape::Unknown)
                }
                SelectOperation::Timeout => (None, Shape::Unknown),
            };
            arm.when.iter().for_each(|when| _ = self.expr(when));
            if let Some(ArmResult::Assign(target)) = result {
                self.expr(target);
            }
            self.within(&arm.body, |all| {
                if let SelectOperation::JoinAny { name, .. } = &arm.operation {
                    all.local_variable(*name, arm.span, Shape::Unknown);
                }
                if let Some(ArmResult::Let(name)) = result {
                    all.local_variable(*name, arm.span, shape);
                }
            });
        }
        select.otherwise.iter().for_each(|(_, block)| self.block(block));
    }
}
