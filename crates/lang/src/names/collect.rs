//! Going through the declarations of a text: first all names that can be used before they are declared, then what is
//! inside.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use diagnostics::{Diagnostics, Span};

use super::shape::Shape;
use super::{Definition, DefinitionId, Meant, NameKind, Names, Use};
use crate::parser;
use crate::syntax::process::{Component, FunctionDecl, MemberKind, ObjectDecl, RecordDecl};
use crate::syntax::{
    ClassDecl, ColumnDecl, Declaration, DeclarationKind, Extent, Model, Name, SortKind, SortSyntax,
};

/// What is found, and what is known where the walk is.
#[derive(Default)]
pub(super) struct Collector<'a> {
    definitions: Vec<Definition>,
    pub(super) shapes: Vec<Shape>,
    uses: Vec<Use>,
    /// What the text defines, by where the names are.
    by_start: HashMap<u32, DefinitionId>,
    /// What belongs to something, by name.
    members: HashMap<(DefinitionId, &'a str), Vec<DefinitionId>>,
    pub(super) values: HashMap<&'a str, DefinitionId>,
    pub(super) places: HashMap<&'a str, DefinitionId>,
    pub(super) transitions: HashMap<&'a str, DefinitionId>,
    pub(super) starts: HashMap<&'a str, DefinitionId>,
    /// Processes, functions, objects, records, shared variables.
    decls: HashMap<&'a str, DefinitionId>,
    prelude: HashMap<&'a str, DefinitionId>,
    /// What functions, steps and processes return.
    pub(super) results: HashMap<DefinitionId, Shape>,
    /// Columns that places have in common, by where they are declared.
    columns: HashMap<u32, DefinitionId>,
    /// The columns of places as they are written.
    pub(super) written: HashMap<&'a str, &'a [ColumnDecl<'a>]>,
    pub(super) scopes: Vec<HashMap<&'a str, DefinitionId>>,
    /// The object whose inside this is.
    pub(super) this: Option<DefinitionId>,
    /// The process, function, step, transition or property whose inside this is.
    pub(super) routine: Option<DefinitionId>,
    /// Where the block at hand ends.
    pub(super) end: usize,
    pub(super) in_prelude: bool,
}

/// No names.
pub(super) fn nothing() -> Names {
    Names {
        definitions: Vec::new(),
        uses: Vec::new(),
        is_complete: false,
        has_processes: false,
        shapes: Vec::new(),
        members: HashMap::new(),
    }
}

/// The names of a model.
pub(super) fn names(model: &Model<'_>, is_complete: bool) -> Names {
    let prelude = parser::parse(crate::PRELUDE, &mut Diagnostics::default());
    named(model, &prelude, is_complete)
}

/// The names of a model and of the prelude, as far as the model needs that.
fn named<'a>(model: &'a Model<'a>, prelude: &'a Model<'a>, is_complete: bool) -> Names {
    let mut collector = Collector::default();
    // A process that does not parse is one as well.
    let is_word =
        |token: &crate::lexer::Token| matches!(token.kind, crate::lexer::TokenKind::Word(_));
    let has_processes = model.has_processes() || model.tokens.iter().any(is_word);
    if has_processes {
        collector.in_prelude = true;
        collector.declare(prelude);
        collector.in_prelude = false;
    }
    collector.declare(model);
    collector.walk(model);
    let Collector { definitions, mut uses, shapes, members, .. } = collector;
    uses.sort_by_key(|one| (one.span.start, one.span.end));
    uses.dedup_by(|later, first| later.span == first.span);
    let mut by_owner: HashMap<DefinitionId, Vec<DefinitionId>> = HashMap::new();
    for ((owner, _), list) in members {
        by_owner.entry(owner).or_default().extend(list);
    }
    by_owner.values_mut().for_each(|list| list.sort_unstable());
    Names { definitions, uses, is_complete, has_processes, shapes, members: by_owner }
}

impl<'a> Collector<'a> {
    /// Something that has a name.
    pub(super) fn define(
        &mut self,
        name: Name<'a>,
        kind: NameKind,
        whole: Span,
        owner: Option<DefinitionId>,
    ) -> DefinitionId {
        let id = DefinitionId(self.definitions.len());
        self.definitions.push(Definition {
            name: name.text.to_owned(),
            kind,
            span: name.span.range(),
            whole: whole.range(),
            head: whole.range(),
            owner,
            in_prelude: self.in_prelude,
            scope: None,
            parameters: Vec::new(),
            of: None,
        });
        self.shapes.push(Shape::Unknown);
        if let Some(owner) = owner {
            self.members.entry((owner, name.text)).or_default().push(id);
        }
        if !self.in_prelude {
            self.by_start.entry(name.span.start).or_insert(id);
            let meant = Meant::Definition(id);
            self.uses.push(Use { span: name.span.range(), meant, defines: true });
        }
        id
    }

    pub(super) fn of(&mut self, id: DefinitionId) -> &mut Definition {
        &mut self.definitions[id.0]
    }

    pub(super) fn name_of(&self, id: DefinitionId) -> &str {
        &self.definitions[id.0].name
    }

    /// The type parameters of a type of objects, in their order.
    pub(super) fn types_of(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        // They come right after it.
        let after = (id.0 + 1..self.definitions.len()).map(DefinitionId);
        after.take_while(move |other| {
            let other = &self.definitions[other.0];
            other.kind == NameKind::TypeParameter && other.owner == Some(id)
        })
    }

    /// Functions of objects with a name.
    pub(super) fn routines_named(&self, name: &str) -> impl Iterator<Item = DefinitionId> + '_ {
        let name = name.to_owned();
        let all = self.definitions.iter().enumerate();
        let found = all.filter(move |(_, one)| {
            one.kind == NameKind::Function && !one.in_prelude && one.name == name
        });
        found.map(|(index, _)| DefinitionId(index))
    }

    /// A label of functions.
    pub(super) fn label_of_function(&self, name: &str) -> Option<DefinitionId> {
        let is_it = |one: &Definition| {
            let owner = one.owner.map(|owner| self.kind_of(owner));
            one.kind == NameKind::Label
                && one.name == name
                && matches!(owner, Some(NameKind::Function | NameKind::Step))
        };
        self.definitions.iter().position(is_it).map(DefinitionId)
    }

    pub(super) fn kind_of(&self, id: DefinitionId) -> NameKind {
        self.definitions[id.0].kind
    }

    /// A name is used.
    pub(super) fn uses(&mut self, name: Name<'a>, found: Option<DefinitionId>) {
        self.means(name.span.range(), found.map_or(Meant::Nobody, Meant::Definition));
    }

    pub(super) fn means(&mut self, span: Range<usize>, meant: Meant) {
        if !self.in_prelude {
            self.uses.push(Use { span, meant, defines: false });
        }
    }

    /// What belongs to something under this name, of these kinds.
    pub(super) fn member(
        &self,
        owner: DefinitionId,
        name: &'a str,
        is_meant: impl Fn(NameKind) -> bool,
    ) -> Option<DefinitionId> {
        let list = self.members.get(&(owner, name))?;
        list.iter().copied().find(|id| is_meant(self.kind_of(*id)))
    }

    /// Something of processes that is declared. The model may have something of a name of the prelude; the prelude
    /// itself means its own.
    pub(super) fn decl(&self, name: &str) -> Option<DefinitionId> {
        let own = self.decls.get(name).filter(|_| !self.in_prelude);
        own.or_else(|| self.prelude.get(name)).copied()
    }

    /// A constant, a class, a part or a member.
    pub(super) fn value(&self, name: &str) -> Option<DefinitionId> {
        self.values.get(name).copied()
    }

    /// The class of a member that is called by a number, and how long its name is.
    pub(super) fn numbered(&self, name: &str) -> Option<(DefinitionId, usize)> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        (1..=digits).find_map(|length| {
            let (class, number) = name.split_at(name.len() - length);
            let id = self.value(class).filter(|_| !number.starts_with('0'))?;
            (self.kind_of(id) == NameKind::Class).then_some((id, class.len()))
        })
    }

    fn declare(&mut self, model: &'a Model<'a>) {
        for declaration in &model.declarations {
            self.declare_one(declaration);
        }
        // What types are written with is known now.
        for declaration in &model.declarations {
            self.declare_types(declaration);
        }
    }

    fn global(
        &mut self,
        name: Name<'a>,
        kind: NameKind,
        whole: Span,
        table: for<'t> fn(&'t mut Collector<'a>) -> &'t mut HashMap<&'a str, DefinitionId>,
    ) -> DefinitionId {
        let id = self.define(name, kind, whole, None);
        table(self).entry(name.text).or_insert(id);
        id
    }

    fn of_processes(&mut self, name: Name<'a>, kind: NameKind, whole: Span) -> DefinitionId {
        let is_prelude = self.in_prelude;
        let id = self.define(name, kind, whole, None);
        let table = if is_prelude { &mut self.prelude } else { &mut self.decls };
        table.entry(name.text).or_insert(id);
        id
    }

    fn declare_one(&mut self, declaration: &'a Declaration<'a>) {
        use DeclarationKind::*;
        let whole = declaration.span;
        match &declaration.kind {
            Model(name) => _ = self.define(*name, NameKind::Model, whole, None),
            Const { name, .. } => {
                _ = self.global(*name, NameKind::Constant, whole, |all| &mut all.values);
            }
            Class(class) => self.declare_class(class, whole),
            Fresh(name) => {
                _ = self.global(*name, NameKind::Fresh, whole, |all| &mut all.values);
            }
            New(objects) => {
                for object in objects {
                    let whole = object.name.span.to(object.class.span);
                    self.global(object.name, NameKind::Start, whole, |all| &mut all.starts);
                }
            }
            Place { kind, places, .. } => {
                let kind = match kind {
                    net::PlaceKind::Flow => NameKind::Flow,
                    _ => NameKind::Place,
                };
                for place in places {
                    let id = self.global(place.name, kind, whole, |all| &mut all.places);
                    place.columns.iter().for_each(|column| self.declare_column(column, id));
                    self.written.entry(place.name.text).or_insert(&place.columns);
                }
            }
            Start(list) => {
                for start in list {
                    if let Some(name) = start.name {
                        let whole = name.span.to(start.place.span);
                        self.global(name, NameKind::Start, whole, |all| &mut all.starts);
                    }
                }
            }
            Transition(transition) => {
                let id = self.global(transition.name, NameKind::Transition, whole, |all| {
                    &mut all.transitions
                });
                self.of(id).head = whole.start as usize..transition.open.start as usize;
            }
            Fair { .. } => {}
            Property { name, .. } => {
                _ = self.define(*name, NameKind::Property, whole, None);
            }
            Shared(decl) => _ = self.of_processes(decl.name, NameKind::Shared, whole),
            Record(decl) => {
                let id = self.of_processes(decl.name, NameKind::Record, whole);
                self.declare_components(decl, id);
            }
            Variant(decl) => {
                let id = self.of_processes(decl.name, NameKind::Enumeration, whole);
                for case in &decl.cases {
                    let member = self.of_processes(case.name, NameKind::Member, case.name.span);
                    self.of(member).owner = Some(id);
                    self.shapes[member.0] = Shape::Member(id);
                    self.declare_components(case, member);
                    let of = self.of(member);
                    if let Some(last) = case.components.last() {
                        of.whole.end = last.of.span.end as usize + 1;
                        of.head.end = of.whole.end;
                    }
                }
            }
            Object(decl) => self.declare_object(decl, whole),
            Process(decl) => {
                let id = self.of_processes(decl.name, NameKind::Process, whole);
                self.declare_parameters(decl, id);
            }
            Function(decl) => {
                let id = self.of_processes(decl.name, NameKind::Function, whole);
                self.declare_parameters(decl, id);
            }
        }
    }

    fn declare_class(&mut self, class: &'a ClassDecl<'a>, whole: Span) {
        let kind = if class.is_enum { NameKind::Enumeration } else { NameKind::Class };
        let id = self.global(class.name, kind, whole, |all| &mut all.values);
        for part in &class.parts {
            let mut owner = id;
            if let Some(name) = part.name {
                owner = self
                    .global(name, NameKind::Part, name.span.to(part.span), |all| &mut all.values);
                self.of(owner).owner = Some(id);
                self.shapes[owner.0] = Shape::Member(id);
            }
            if let Extent::Members(members) = &part.extent {
                for name in members {
                    let member =
                        self.global(*name, NameKind::Member, name.span, |all| &mut all.values);
                    self.of(member).owner = Some(owner);
                    self.shapes[member.0] = Shape::Member(id);
                }
            }
        }
    }

    /// A column; places that are declared together have it in common.
    fn declare_column(&mut self, column: &'a ColumnDecl<'a>, place: DefinitionId) {
        if let Some(name) = column.name {
            let known = self.columns.get(&name.span.start).copied();
            let id = match known {
                Some(id) => {
                    self.members.entry((place, name.text)).or_default().push(id);
                    id
                }
                None => {
                    let whole = name.span.to(column.sort.span);
                    let id = self.define(name, NameKind::Column, whole, Some(place));
                    self.of(id).of = Some(column.sort.span.range());
                    self.columns.insert(name.span.start, id);
                    id
                }
            };
            self.of(place).parameters.push(id);
        }
    }

    fn declare_components(&mut self, decl: &'a RecordDecl<'a>, owner: DefinitionId) {
        for component in &decl.components {
            let whole = component.name.span.to(component.of.span);
            let id = self.define(component.name, NameKind::Component, whole, Some(owner));
            self.of(id).of = Some(component.of.span.range());
            self.of(owner).parameters.push(id);
        }
    }

    fn declare_parameters(&mut self, decl: &'a FunctionDecl<'a>, owner: DefinitionId) {
        let scope = decl.body.open.start as usize..decl.body.close.end as usize;
        self.of(owner).head.end = scope.start;
        for parameter in &decl.parameters {
            self.declare_parameter(parameter, owner, scope.clone());
        }
    }

    fn declare_parameter(
        &mut self,
        parameter: &'a Component<'a>,
        owner: DefinitionId,
        scope: Range<usize>,
    ) {
        let end = parameter.default.as_ref().map_or(parameter.of.span, |default| default.span);
        let whole = parameter.name.span.to(end);
        let id = self.define(parameter.name, NameKind::Parameter, whole, Some(owner));
        self.of(id).scope = Some(scope);
        self.of(id).of = Some(parameter.of.span.range());
        self.of(owner).parameters.push(id);
    }

    fn declare_object(&mut self, decl: &'a ObjectDecl<'a>, whole: Span) {
        let id = self.of_processes(decl.name, NameKind::Object, whole);
        let scope = decl.name.span.end as usize..decl.close.end as usize;
        self.of(id).head.end = decl.open.start as usize;
        self.shapes[id.0] = Shape::Object(id, Vec::new());
        for name in &decl.types {
            let types = self.define(*name, NameKind::TypeParameter, name.span, Some(id));
            self.of(types).scope = Some(scope.clone());
        }
        for parameter in &decl.parameters {
            self.declare_parameter(parameter, id, scope.clone());
        }
        for member in &decl.members {
            let (name, kind) = match &member.kind {
                MemberKind::Field { name, .. } => (*name, NameKind::Field),
                MemberKind::Step(decl) => (decl.name, NameKind::Step),
                MemberKind::Function(decl) => (decl.name, NameKind::Function),
                MemberKind::Meet { .. } => continue,
            };
            let own = self.define(name, kind, member.span, Some(id));
            self.of(own).scope = Some(scope.clone());
            if let MemberKind::Step(decl) | MemberKind::Function(decl) = &member.kind {
                self.declare_parameters(decl, own);
            }
        }
    }

    /// What is said of the types of what was declared.
    fn declare_types(&mut self, declaration: &'a Declaration<'a>) {
        use DeclarationKind::*;
        match &declaration.kind {
            Shared(decl) => {
                if let (Some(of), Some(id)) = (&decl.of, self.decl(decl.name.text)) {
                    self.shapes[id.0] = self.shape_of(of);
                    self.of(id).of = Some(of.span.range());
                }
            }
            Record(decl) => {
                if let Some(id) = self.decl(decl.name.text) {
                    self.component_types(&decl.components, id);
                }
            }
            Variant(decl) => {
                for case in &decl.cases {
                    if let Some(id) = self.decl(case.name.text) {
                        self.component_types(&case.components, id);
                    }
                }
            }
            Object(decl) => {
                let Some(id) = self.decl(decl.name.text) else { return };
                self.this = Some(id);
                self.component_types(&decl.parameters, id);
                for member in &decl.members {
                    match &member.kind {
                        MemberKind::Field { name, of: Some(of), .. } => {
                            let shape = self.shape_of(of);
                            if let Some(id) = self.member(id, name.text, |_| true) {
                                self.shapes[id.0] = shape;
                                self.of(id).of = Some(of.span.range());
                            }
                        }
                        MemberKind::Step(decl) | MemberKind::Function(decl) => {
                            if let Some(id) = self.member(id, decl.name.text, |_| true) {
                                self.function_types(decl, id);
                            }
                        }
                        _ => {}
                    }
                }
                self.this = None;
            }
            Process(decl) | Function(decl) => {
                if let Some(id) = self.decl(decl.name.text) {
                    self.function_types(decl, id);
                }
            }
            _ => {}
        }
    }

    fn function_types(&mut self, decl: &'a FunctionDecl<'a>, id: DefinitionId) {
        self.component_types(&decl.parameters, id);
        if let Some(of) = &decl.result {
            let shape = self.shape_of(of);
            self.results.insert(id, shape);
        }
    }

    fn component_types(&mut self, components: &'a [Component<'a>], owner: DefinitionId) {
        for component in components {
            let shape = self.shape_of(&component.of);
            if let Some(id) = self.member(owner, component.name.text, |_| true) {
                self.shapes[id.0] = shape;
            }
        }
    }

    /// What is inside of declarations. Properties come last, since they speak of the variables of processes; shared
    /// variables and fields first, since what they are follows from their first values.
    fn walk(&mut self, model: &'a Model<'a>) {
        use DeclarationKind::{Property, Shared};
        let is_early = |kind: &DeclarationKind<'a>| matches!(kind, Shared(_));
        let is_late = |kind: &DeclarationKind<'a>| {
            matches!(kind, Property { .. } | DeclarationKind::Fair { .. })
        };
        let all = || model.declarations.iter();
        let early = all().filter(|one| is_early(&one.kind));
        early.for_each(|one| self.walk_one(one));
        for one in all() {
            if let DeclarationKind::Object(decl) = &one.kind {
                self.walk_fields(decl);
            }
        }
        let others = all().filter(|one| !is_early(&one.kind) && !is_late(&one.kind));
        others.for_each(|one| self.walk_one(one));
        all().filter(|one| is_late(&one.kind)).for_each(|one| self.walk_one(one));
    }

    fn walk_one(&mut self, declaration: &'a Declaration<'a>) {
        use DeclarationKind::*;
        self.end = declaration.span.end as usize;
        self.scopes.clear();
        self.scopes.push(HashMap::new());
        (self.this, self.routine) = (None, None);
        match &declaration.kind {
            Model(_) => {}
            Const { value, .. } => _ = self.expr(value),
            Class(class) => {
                for part in &class.parts {
                    if let Extent::Size(size) = &part.extent {
                        self.expr(size);
                    }
                }
            }
            Fresh(_) => {}
            New(objects) => {
                objects.iter().for_each(|object| self.uses_value(object.class));
            }
            Place { places, initial, .. } => {
                let mut seen = HashSet::new();
                for place in places {
                    for column in place.columns.iter() {
                        if seen.insert(column.sort.span.start) {
                            self.column_sort(column);
                        }
                    }
                }
                for tokens in initial.iter().flat_map(|initial| &initial.tokens) {
                    self.initial_tokens(tokens);
                }
            }
            Start(list) => list.iter().for_each(|start| self.start(start)),
            Transition(transition) => self.transition(transition, declaration.span),
            Fair { whom, .. } => whom.iter().for_each(|whom| self.fairness(whom)),
            Property { name, formula } => self.property(*name, formula),
            Shared(decl) => self.shared(decl),
            Record(decl) => self.component_sorts(&decl.components),
            Variant(decl) => {
                decl.cases.iter().for_each(|case| self.component_sorts(&case.components));
            }
            Object(decl) => self.object(decl),
            Process(decl) | Function(decl) => {
                if let Some(id) = self.own(decl.name) {
                    self.function(decl, id);
                }
            }
        }
    }

    /// The definition at a name.
    pub(super) fn own(&self, name: Name<'a>) -> Option<DefinitionId> {
        self.by_start.get(&name.span.start).copied()
    }

    pub(super) fn uses_value(&mut self, name: Name<'a>) {
        let found = self.value(name.text);
        self.uses(name, found);
    }

    fn column_sort(&mut self, column: &'a ColumnDecl<'a>) {
        self.sort(&column.sort);
    }

    /// A sort of a net.
    pub(super) fn sort(&mut self, sort: &'a SortSyntax<'a>) {
        match &sort.kind {
            SortKind::Pid | SortKind::Bool => {}
            SortKind::Named(text) => self.uses_value(Name { text, span: sort.span }),
            SortKind::Range { low, high, .. } => {
                self.expr(low);
                self.expr(high);
            }
            SortKind::Group(group) => {
                self.expr(&group.count);
                for column in &group.columns {
                    if let Some(name) = column.name {
                        self.define(name, NameKind::Column, name.span.to(column.sort.span), None);
                    }
                    self.sort(&column.sort);
                }
            }
        }
    }
}
