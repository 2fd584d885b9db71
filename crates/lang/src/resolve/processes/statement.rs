//! Statements, one by one. Each tells whether what follows it is never reached.

use program::{Action, Block as Lowered, Expr as Value, Form, Operation, Target, Type};

use super::Lowering;
use super::body::{Calls, Kind};
use super::call::Place;
use super::expression::sure;
use super::operator::compared;
use crate::syntax::process::{
    Block, Condition, Domain, Match, MatchArm, Statement, StatementKind, TypeSyntax,
};
use crate::syntax::{Expr, ExprKind, Name};
use diagnostics::{Diagnostic, Span};

/// No block has more statements than this.
const STATEMENTS: usize = 1000;

impl<'a> Lowering<'a, '_, '_> {
    /// The statements of a block, and whether its end is never reached.
    pub(super) fn block(&mut self, block: &'a Block<'a>) -> (Lowered, bool) {
        let mut ends = false;
        let lowered = self.scoped(|lowering| ends = lowering.statements(&block.statements));
        (lowered, ends)
    }

    fn statements(&mut self, statements: &'a [Statement<'a>]) -> bool {
        let mut ends = false;
        let mut is_told = false;
        if let Some(statement) = statements.get(STATEMENTS) {
            let message = format!("more than {STATEMENTS} statements in one block");
            self.error("E0002", message, statement.span, "from here on")
                .help("write functions for parts of it")
                .report(self.resolver.diagnostics);
        }
        for statement in statements.iter().take(STATEMENTS) {
            if ends && !is_told && !matches!(statement.kind, StatementKind::Label(_)) {
                is_told = true;
                let warning = Diagnostic::warning("W0004", "this is never reached")
                    .at(self.place(statement.span), "what stands before it never gets here");
                self.warn(warning, statement.span);
            }
            let before = self.body.emitted();
            ends |= self.statement(statement);
            // What comes to nothing is a statement all the same: a label before it is left by it.
            if self.body.emitted() == before {
                self.body.emit(Action::Block(Vec::new()));
            }
        }
        ends || statements.last().is_some_and(kills_itself)
    }

    pub(super) fn statement(&mut self, statement: &'a Statement<'a>) -> bool {
        // Of what has blocks, the part before them.
        let open = statement.blocks().first().map(|block| block.open);
        self.body.span = match open {
            Some(open) if open.start > statement.span.start => {
                Span { start: statement.span.start, end: open.start }
            }
            _ => statement.span,
        };
        self.body.calls = Calls::Free;
        match &statement.kind {
            StatementKind::Let { name, of, value } => self.definition(*name, of.as_ref(), value),
            StatementKind::Assign { target, op, value } => self.assignment(target, *op, value),
            StatementKind::Do(call) => _ = self.called(call, None, Place::Nowhere),
            StatementKind::If { arms, otherwise } => {
                return self.choice(arms, otherwise.as_ref());
            }
            StatementKind::While(..)
            | StatementKind::Loop(_)
            | StatementKind::Repeat(..)
            | StatementKind::For { .. } => return self.repetition(statement),
            StatementKind::Match(found) => return self.matching(found),
            StatementKind::Label(name) => {
                let label = self.label(*name);
                self.body.emit(Action::Label(label));
            }
            StatementKind::Return(values) => return self.give_back(values, statement.span),
            StatementKind::Break(label) => return self.leave(*label, true, statement.span),
            StatementKind::Continue(label) => return self.leave(*label, false, statement.span),
            StatementKind::Choose { name, domain, condition, is_forgotten: false } => {
                self.choose(*name, domain, condition.as_ref());
            }
            StatementKind::Choose { name, domain, condition, is_forgotten: true } => {
                self.ask_forgotten(*name, domain, condition.as_ref());
            }
            StatementKind::Either(blocks) => return self.alternatives(blocks),
            StatementKind::Await(condition) => {
                if let Some(condition) = self.pure_condition(condition, "`await`") {
                    self.wait_for(Operation::Await(condition));
                }
            }
            StatementKind::Atomic(block) => {
                self.body.atomic += 1;
                let (lowered, ends) = self.block(block);
                self.body.atomic -= 1;
                self.body.emit(Action::Atomic(lowered));
                return ends;
            }
            StatementKind::Assert(condition) => {
                let is_false = matches!(condition.bare().kind, ExprKind::Bool(false));
                if let Some(condition) = self.pure_condition(condition, "`assert`") {
                    self.body.emit(Action::Assert(condition));
                }
                return is_false;
            }
            StatementKind::Require(condition) => {
                if let Some(condition) = self.pure_condition(condition, "`require`") {
                    self.body.emit(Action::Require(condition));
                }
            }
            StatementKind::Kill(handle) => self.end(handle, Action::Kill),
            StatementKind::Crash(handle) => self.end(handle, Action::Crash),
            StatementKind::Defer(block) => {
                let (lowered, _) = self.apart_from_loops(|lowering| lowering.block(block));
                self.body.emit(Action::Defer(lowered));
            }
            StatementKind::DeferOne(inner) => {
                let lowered = self.apart_from_loops(|lowering| {
                    lowering.scoped(|lowering| _ = lowering.statement(inner))
                });
                self.body.span = statement.span;
                self.body.emit(Action::Defer(lowered));
            }
            StatementKind::With(call, block) => return self.with(call, block),
            StatementKind::Idle(inner) => return self.idle(inner),
            StatementKind::Select(select) => return self.select(select),
        }
        false
    }

    /// A deferred block leaves no loop around it.
    fn apart_from_loops<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let loops = std::mem::take(&mut self.body.loops);
        let is_deferred = std::mem::replace(&mut self.body.is_deferred, true);
        let found = act(self);
        self.body.is_deferred = is_deferred;
        self.body.loops = loops;
        found
    }

    fn definition(&mut self, name: Name<'a>, of: Option<&'a TypeSyntax<'a>>, value: &'a Expr<'a>) {
        let Some(of) = of else { return self.untyped(name, value) };
        let Some(of) = self.type_of(of) else {
            if !super::call::needs_type(value) {
                self.expr(value, None);
            }
            return self.bind_wrong(name);
        };
        // Its own value does not see it.
        let value_span = value.span;
        let id = self.body.hidden(of.clone());
        self.body.routine.locals[id.index()].name = name.text.into();
        self.body.routine.locals[id.index()].origin = super::origin(name.span);
        let found = self.called(value, Some(&of), Place::Local(id)).and_then(|found| {
            if found.is_none() {
                self.report_no_value(value_span);
            }
            found
        });
        let found = found.and_then(|found| self.fit(found, &of, value_span, "the value"));
        if let Some(found) = found
            && !matches!(found.form, Form::Local(from) if from == id)
        {
            self.body.emit(Action::Assign(Target::local(id, of), found));
        }
        self.bind(name, super::body::Binding::Local(id));
    }

    fn report_no_value(&mut self, span: Span) {
        self.error("E1007", "this gives no value", span, "nothing is returned")
            .help("call it as a statement of its own")
            .report(self.resolver.diagnostics);
    }

    fn untyped(&mut self, name: Name<'a>, value: &'a Expr<'a>) {
        let value_span = value.span;
        let found = match self.called(value, None, Place::Fresh(name)) {
            Some(Some(found)) => found,
            Some(None) => {
                self.report_no_value(value_span);
                return self.bind_wrong(name);
            }
            None => return self.bind_wrong(name),
        };
        // The call has declared it.
        let is_there = self.body.names.get(name.text).is_some_and(|entry| {
            matches!((&entry.binding, &found.form),
                (super::body::Binding::Local(a), Form::Local(b)) if a == b)
                && entry.span.range() == name.span.range()
        });
        if is_there {
            return;
        }
        let of = found.of.clone();
        let id = self.declare(name, of.clone());
        self.body.emit(Action::Assign(Target::local(id, of), found));
    }

    /// A value that is looked at more than once.
    pub(super) fn looked_at(&mut self, value: Value) -> Value {
        match value.form {
            Form::Local(_) | Form::Literal(_) => value,
            _ => {
                let of = value.of.clone();
                self.kept(value, of)
            }
        }
    }

    /// A condition, and what it binds where it holds.
    pub(super) fn asked(
        &mut self,
        condition: &'a Condition<'a>,
    ) -> Option<(Value, Option<(Name<'a>, Value)>)> {
        match condition {
            Condition::Plain(expr) => Some((self.condition(expr, "the condition")?, None)),
            Condition::Let(name, expr) => {
                let value = self.expr(expr, None)?;
                let Type::Optional(of) = value.of.clone() else {
                    let of = value.of.clone();
                    self.report_mismatch(&of, "what may be `none`", expr.span, "after `let`");
                    return None;
                };
                let value = self.looked_at(value);
                let none = Value { form: Form::None, of: value.of.clone() };
                let holds = compared(net::BinaryOp::NotEqual, value.clone(), none);
                let inside = Value { form: Form::Unwrap(Box::new(value)), of: *of };
                Some((holds, Some((*name, sure(inside)))))
            }
        }
    }

    /// The block of a condition that holds.
    pub(super) fn held_block(
        &mut self,
        bound: Option<(Name<'a>, Value)>,
        block: &'a Block<'a>,
    ) -> (Lowered, bool) {
        let mut ends = false;
        let lowered = self.scoped(|lowering| {
            if let Some((name, value)) = bound {
                let of = value.of.clone();
                let id = lowering.declare(name, of.clone());
                lowering.body.emit(Action::Assign(Target::local(id, of), value));
            }
            ends = lowering.statements(&block.statements);
        });
        (lowered, ends)
    }

    /// The block of a condition that is mistaken: the mistakes in it are reported all the same.
    pub(super) fn block_of_mistake(
        &mut self,
        condition: &'a Condition<'a>,
        block: &'a Block<'a>,
    ) -> (Lowered, bool) {
        let mut ends = false;
        let lowered = self.scoped(|lowering| {
            if let Condition::Let(name, _) = condition {
                lowering.bind_wrong(*name);
            }
            ends = lowering.statements(&block.statements);
        });
        (lowered, ends)
    }

    fn choice(
        &mut self,
        arms: &'a [(Condition<'a>, Block<'a>)],
        otherwise: Option<&'a Block<'a>>,
    ) -> bool {
        let Some(((condition, block), rest)) = arms.split_first() else { return false };
        let span = self.body.span;
        let asked = self.asked(condition);
        let held = self.body.held.clone();
        let (condition, (yes, first)) = match asked {
            Some((asked, bound)) => (asked, self.held_block(bound, block)),
            None => (super::expression::boolean(true), self.block_of_mistake(condition, block)),
        };
        let after = std::mem::replace(&mut self.body.held, held);
        let (no, second) = match (rest, otherwise) {
            ([], None) => (Vec::new(), false),
            ([], Some(block)) => self.block(block),
            _ => {
                let mut ends = false;
                let block = self.scoped(|lowering| {
                    lowering.body.calls = Calls::Free;
                    ends = lowering.choice(rest, otherwise);
                });
                (block, ends)
            }
        };
        self.merge_held(vec![(after, first)], second);
        self.body.span = span;
        self.body.emit(Action::If(condition, yes, no));
        first && second
    }

    fn alternatives(&mut self, blocks: &'a [Block<'a>]) -> bool {
        let span = self.body.span;
        let held = self.body.held.clone();
        let mut lowered = Vec::new();
        let mut outcomes = Vec::new();
        let mut ends = true;
        for block in blocks {
            self.body.held = held.clone();
            let (block, end) = self.block(block);
            lowered.push(block);
            outcomes.push((self.body.held.clone(), end));
            ends &= end;
        }
        self.merge_held(outcomes, true);
        self.body.span = span;
        self.body.emit(Action::Either(lowered));
        ends
    }

    fn give_back(&mut self, values: &'a [Expr<'a>], span: Span) -> bool {
        if matches!(self.body.kind, Kind::Meeting(_)) {
            self.error("E1010", "`return` is the last statement where two meet", span, "not here")
                .help("of two values, choose by `return if c then a else b`")
                .report(self.resolver.diagnostics);
            return true;
        }
        self.note_left(&[], "return", span);
        let result = self.body.routine.result.clone();
        match (values, result) {
            ([], None) => self.body.emit(Action::Return(None)),
            ([], Some(of)) if self.is_unit(&of) => {
                let nothing = self.nothing();
                self.body.emit(Action::Return(Some(nothing)));
            }
            ([], Some(of)) => {
                let shown = self.shown(&of);
                self.error(
                    "E1012",
                    "a value is to be returned",
                    span,
                    format!("expected `{shown}`"),
                )
                .help("write `return VALUE`")
                .report(self.resolver.diagnostics);
            }
            ([value], Some(of)) => {
                let found = match self.called(value, Some(&of), Place::Temp) {
                    Some(None) => {
                        self.report_no_value(value.span);
                        None
                    }
                    other => other.flatten(),
                };
                let found = found.and_then(|found| self.fit(found, &of, value.span, "the result"));
                let found = match self.body.atomic > 0 {
                    true => found.and_then(|found| self.exact(found, &of, value.span)),
                    false => found,
                };
                if let Some(found) = found {
                    self.body.emit(Action::Return(Some(found)));
                }
            }
            ([value, ..], None) => {
                let name = self.body.routine.name.clone();
                let message = format!("`{name}` returns nothing");
                self.error("E1012", message, value.span, "a value is returned")
                    .help("declare what it returns: `: TYPE` before the `{`")
                    .report(self.resolver.diagnostics);
            }
            ([_, second, ..], Some(_)) => {
                self.error("E1012", "one value is returned", second.span, "a second one")
                    .help("declare a `record` for several")
                    .report(self.resolver.diagnostics);
            }
        }
        true
    }

    /// What is chosen from, and the type of the choice.
    fn chosen_from(&mut self, domain: &'a Domain<'a>) -> Option<(program::Domain, Type)> {
        use program::Domain as Chosen;
        match domain {
            Domain::Range { low, high, inclusive } => self
                .range(low, high, *inclusive)
                .map(|(low, high, of)| (Chosen::Range(low, high), of)),
            Domain::Of(expr) => self.domain_of(expr),
        }
    }

    /// Lets a variable be what the model does not keep: any value of a type, or of a range that is known.
    fn ask_forgotten(
        &mut self,
        name: Name<'a>,
        domain: &'a Domain<'a>,
        condition: Option<&'a Expr<'a>>,
    ) {
        use program::Domain as Chosen;
        let Some((chosen, of)) = self.chosen_from(domain) else { return self.bind_wrong(name) };
        let number = |value: &Value| match &value.form {
            Form::Literal(literal) => Some(literal.number()),
            _ => None,
        };
        let values = match &chosen {
            Chosen::Type(of) => Some(of.clone()),
            Chosen::Range(low, high) => match (number(low), number(high)) {
                (Some(min), Some(max)) if min <= max => Some(Type::Int { min, max }),
                _ => None,
            },
            _ => None,
        };
        let id = self.declare(name, of);
        let (what, span) = match (values, condition) {
            _ if self.body.atomic > 0 => {
                self.error(
                    "E1010",
                    "what is forgotten is asked for by itself",
                    self.body.span,
                    "this is done at once with what is around it",
                )
                .help("ask before it, and use the variable in it")
                .report(self.resolver.diagnostics);
                return;
            }
            (Some(values), None) => {
                return self.body.emit(Action::Choose(id, Chosen::Forgotten(values), None));
            }
            (_, Some(condition)) => ("a condition needs data that is not kept", condition.span),
            (None, _) => ("it is not known from what is chosen", self.body.span),
        };
        self.error("E1010", "what is forgotten may be anything", span, what)
            .help("write `forgotten choose x in bool`, or a range of constants: `in 0..=3`")
            .report(self.resolver.diagnostics);
    }

    fn choose(&mut self, name: Name<'a>, domain: &'a Domain<'a>, condition: Option<&'a Expr<'a>>) {
        let found = self.chosen_from(domain);
        let Some((domain, of)) = found else {
            self.bind_wrong(name);
            if let Some(condition) = condition {
                self.pure_condition(condition, "`where`");
            }
            return;
        };
        let id = self.declare(name, of);
        let condition = match condition {
            Some(condition) => match self.pure_condition(condition, "`where`") {
                Some(condition) => Some(condition),
                None => return,
            },
            None => None,
        };
        self.body.emit(Action::Choose(id, domain, condition));
    }

    /// A type whose values are chosen from, or a collection.
    fn domain_of(&mut self, expr: &'a Expr<'a>) -> Option<(program::Domain, Type)> {
        use program::Domain as Chosen;
        if let Some(name) = expr.as_name() {
            if let Some(id) = self.members_named(name) {
                return Some((Chosen::Type(Type::Member(id)), Type::Member(id)));
            }
            if self.means_all_of_bool(name) {
                return Some((Chosen::Type(Type::Bool), Type::Bool));
            }
        }
        let value = self.expr(expr, None)?;
        match super::element::element_of(&value.of) {
            Some(of) => Some((Chosen::Collection(value), of)),
            None => {
                let of = value.of.clone();
                self.report_mismatch(&of, "a collection", expr.span, "what is chosen from");
                None
            }
        }
    }

    fn end(&mut self, handle: &'a Expr<'a>, action: fn(Value) -> Action) {
        let Some(value) = self.expr(handle, None) else { return };
        if self.joined_type(&value.of.clone(), handle.span).is_some() {
            self.body.emit(action(value));
        }
    }

    fn idle(&mut self, inner: &'a Statement<'a>) -> bool {
        let span = self.body.span;
        self.body.idle = true;
        let ends = self.statement(inner);
        if std::mem::take(&mut self.body.idle) {
            self.error("E1010", "nothing waits here", span, "`idle` says that waiting is meant")
                .help(
                    "`idle` stands before a step, `join`, `await`, `select`, or `for x in channel`; a function \
                     takes several steps: call them one by one, and put `idle` before the one that waits",
                )
                .report(self.resolver.diagnostics);
        }
        ends
    }

    fn matching(&mut self, found: &'a Match<'a>) -> bool {
        let span = self.body.span;
        let value = self.expr(&found.value, None).map(|value| self.looked_at(value));
        let Some(value) = value else {
            for arm in &found.arms {
                self.scoped(|lowering| {
                    arm.names.iter().flatten().for_each(|name| lowering.bind_wrong(*name));
                    lowering.statements(&arm.body.statements);
                });
            }
            found.otherwise.iter().for_each(|(_, block)| _ = self.block(block));
            return false;
        };
        let held = self.body.held.clone();
        let (mut arms, mut outcomes, mut covered) = (Vec::new(), Vec::new(), Vec::new());
        let mut all_end = true;
        for arm in &found.arms {
            self.body.held = held.clone();
            let (condition, block, ends) = self.match_arm(&value, arm, &mut covered);
            outcomes.push((self.body.held.clone(), ends));
            all_end &= ends;
            arms.extend(condition.map(|condition| (condition, block)));
        }
        self.body.held = held;
        self.body.span = span;
        let is_whole = self.check_cases(&value.of, &covered, found);
        let (mut rest, ends) = match &found.otherwise {
            Some((_, block)) => self.block(block),
            None => (Vec::new(), is_whole),
        };
        self.merge_held(outcomes, ends);
        self.body.span = span;
        let mut is_last = is_whole && found.otherwise.is_none();
        for (condition, block) in arms.into_iter().rev() {
            if std::mem::take(&mut is_last) {
                // If it is none of the others, it is this one.
                rest = block;
                continue;
            }
            let action = Action::If(condition, block, rest);
            let origin = super::origin(self.body.span);
            rest = vec![program::Statement { action, origin }];
        }
        self.body.emit(Action::Block(rest));
        all_end && ends
    }

    /// The condition of an arm, and its block. What it covers is added to the others.
    fn match_arm(
        &mut self,
        value: &Value,
        arm: &'a MatchArm<'a>,
        covered: &mut Vec<String>,
    ) -> (Option<Value>, Lowered, bool) {
        let mut condition = None;
        let mut bound = Vec::new();
        if let (Type::Variant(id), Some(case)) = (&value.of, arm.pattern.as_name()) {
            match self.decl(case) {
                Some(super::declared::Decl::Case(decl, number))
                    if self.variant_ids.get(&super::address(decl)) == Some(id) =>
                {
                    let form = Form::Is(Box::new(value.clone()), number);
                    condition = Some(Value { form, of: Type::Bool });
                    covered.push(case.text.to_owned());
                    bound = self.payload(value, *id, number, case, &arm.names);
                }
                _ => self.report_no_case(*id, case),
            }
        } else if let Some(pattern) = self.fitting(&arm.pattern, &value.of.clone(), "a case") {
            let wanted = match &pattern.form {
                Form::Some(inner) => &inner.form,
                form => form,
            };
            match wanted {
                Form::Literal(literal) => covered.push(format!("{literal:?}")),
                Form::None => covered.push(super::check::NONE.to_owned()),
                _ => {}
            }
            condition = Some(super::call::equal(value.clone(), pattern));
            if let Some(name) = arm.names.iter().flatten().next() {
                self.error("E1006", "this case carries no data", name.span, "nothing to name")
                    .help("write it without parentheses")
                    .report(self.resolver.diagnostics);
            }
        }
        let mut ends = false;
        let is_known = condition.is_some();
        let block = self.scoped(|lowering| {
            for (name, value) in bound {
                let of = value.of.clone();
                let id = lowering.declare(name, of.clone());
                lowering.body.emit(Action::Assign(Target::local(id, of), value));
            }
            if !is_known {
                arm.names.iter().flatten().for_each(|name| lowering.bind_wrong(*name));
            }
            ends = lowering.statements(&arm.body.statements);
        });
        (condition, block, ends)
    }

    /// What the components of a case are called.
    fn payload(
        &mut self,
        value: &Value,
        id: program::VariantId,
        case: usize,
        name: Name<'a>,
        names: &'a [Option<Name<'a>>],
    ) -> Vec<(Name<'a>, Value)> {
        let components = &self.program.variants[id.index()].cases[case].components;
        let types: Vec<Type> = components.iter().map(|component| component.of.clone()).collect();
        if names.len() != types.len() && !names.is_empty() {
            let components: Vec<&str> =
                components.iter().map(|component| component.name.as_str()).collect();
            let help = match components.is_empty() {
                true => "write it without parentheses".to_owned(),
                false => format!("write `{}({})`", name.text, components.join(", ")),
            };
            let message = format!("`{}` carries other values than these", name.text);
            let label = format!("{} carried, {} named", types.len(), names.len());
            self.error("E1006", message, name.span, label)
                .help(help)
                .report(self.resolver.diagnostics);
        }
        let parts = names.iter().zip(types).enumerate();
        let part = |(index, (name, of)): (usize, (&Option<Name<'a>>, Type))| {
            let form = Form::Payload(Box::new(value.clone()), case, index);
            name.map(|name| (name, sure(Value { form, of })))
        };
        parts.filter_map(part).collect()
    }
}

/// Whether a process ends itself by a statement.
fn kills_itself(statement: &Statement<'_>) -> bool {
    match &statement.kind {
        StatementKind::Kill(handle) | StatementKind::Crash(handle) => {
            handle.bare().as_name().is_some_and(|name| name.text == "self")
        }
        _ => false,
    }
}
