//! Loops and `select`.

use crate::fx::{Fx, Target, Val};
use crate::language::Rounds;
use crate::leaving::{breaks, continues};
use crate::place::Place;
use crate::syntax::*;
use crate::types::{Konst, Ty};
use crate::world::{R, refuse, refuse_as};

impl Fx<'_, '_> {
    /// Runs the body of a loop, whose `continue` leads to its end.
    fn loop_body(&mut self, label: Option<String>, outer: &str, body: &Block, wraps: bool) {
        self.loop_body_with(label, outer, body, wraps, |_| {});
    }

    fn loop_body_with(
        &mut self,
        label: Option<String>,
        outer: &str,
        body: &Block,
        wraps: bool,
        before: impl FnOnce(&mut Self),
    ) {
        let inner = wraps.then(|| format!("{outer}_round"));
        self.targets.push(Target {
            label,
            outer: outer.to_owned(),
            inner: inner.clone(),
            is_loop: true,
        });
        self.loop_depth += 1;
        if let Some(inner) = &inner {
            self.emit(format!("{inner}: loop {{"));
        }
        self.open();
        before(self);
        self.block(body);
        self.close();
        if let Some(inner) = &inner {
            self.emit(format!("break {inner}"));
            self.emit("}");
        }
        self.loop_depth -= 1;
        self.targets.pop();
    }

    fn new_loop(&mut self) -> String {
        self.temps += 1;
        format!("round{}", self.temps)
    }

    pub(crate) fn for_(&mut self, found: &For, label: Option<String>, at: (Pos, Pos)) -> R<()> {
        self.open();
        let result = self.for_in_scope(found, label, at);
        self.close();
        result
    }

    fn for_in_scope(&mut self, found: &For, label: Option<String>, at: (Pos, Pos)) -> R<()> {
        if let Some(init) = &found.init {
            self.at = (init.pos, init.end);
            self.one(init)?;
        }
        let name = self.new_loop();
        let head = (at.0, found.cond.as_ref().map_or(at.0 + 3, |cond| cond.end));
        self.at = head;
        let wraps = found.post.is_some() && continues(&found.body, label.as_deref(), true);
        match &found.cond {
            None => self.emit(format!("{name}: loop {{")),
            Some(cond) => {
                let (val, lines) = self.apart(|fx| fx.expr(cond, None))?;
                if lines.is_empty() {
                    self.emit(format!("{name}: while {} {{", val.code));
                } else {
                    self.emit(format!("{name}: loop {{"));
                    self.lines.extend(lines);
                    self.emit(format!("if not {} {{ break {name} }}", val.code));
                }
            }
        }
        self.loop_body(label, &name, &found.body, wraps);
        if let Some(StmtKind::Define(targets, _)) = found.init.as_ref().map(|init| &init.kind) {
            targets.iter().for_each(|target| self.next_round(target, true));
        }
        if let Some(post) = &found.post {
            self.at = (post.pos, post.end);
            self.one(post)?;
        }
        self.emit("}");
        Ok(())
    }

    /// A single statement in the head of another.
    fn one(&mut self, statement: &Stmt) -> R<()> {
        let before = self.w.found.len();
        self.statements(std::slice::from_ref(statement), statement.end);
        let _ = before;
        Ok(())
    }

    /// Assigns what a round of `range` gives, or declares it.
    fn range_variable(&mut self, target: Option<&Expr>, define: bool, val: Val) -> R<()> {
        let Some(target) = target else { return Ok(()) };
        if target.name() == Some("_") {
            return Ok(());
        }
        let at = (target.pos, target.end);
        if define {
            self.next_round(target, false);
        }
        let place = self.place(target)?;
        let ty = self.place_ty(&place).unwrap_or(val.ty.clone());
        let val = self.copied(val)?;
        let val = self.fit(val, &ty, at)?;
        self.assign(&place, val)
    }

    /// Since Go 1.22, each round of a loop has variables of its own; in a `for` they start with the last values.
    fn next_round(&mut self, target: &Expr, keeps: bool) {
        let Some(variable) = self.vars.get(&target.pos).cloned() else { return };
        if self.w.rounds != Rounds::Own {
            if variable.boxed && self.w.rounds == Rounds::TakenAsShared {
                let name = target.name().unwrap_or_default();
                let said = format!(
                    "all rounds of the loop share `{name}`, as before Go 1.22: neither a `go.mod` nor `//go:build go1.22` \
                     says otherwise"
                );
                self.w.note(said, target.pos);
            }
            return;
        }
        if variable.boxed {
            let cell = self.w.object(&variable.ty);
            let kin = variable.kin;
            let to = kin.trim_end_matches('!').to_owned();
            let first = if keeps {
                format!("{kin}.v")
            } else {
                self.w.zero(&variable.ty).unwrap_or_default()
            };
            self.emit(format!("{to} = new {cell}(first: {first})"));
        } else if self.w.is_object(&variable.ty) && !keeps {
            self.attempt(|fx| {
                let zero = fx.zero(&variable.ty)?;
                fx.emit(format!("{} = {zero}", variable.kin.trim_end_matches('!')));
                Ok(())
            });
        }
    }

    /// Declares a variable of `range` before the loop, since all rounds share it.
    fn range_declare(&mut self, target: Option<&Expr>, define: bool, ty: &Ty) -> R<()> {
        let Some(target) = target.filter(|_| define) else { return Ok(()) };
        let Some(name) = target.name() else {
            return refuse((target.pos, target.end), "only names stand left of `:=`", "use `=`");
        };
        if name == "_" {
            return Ok(());
        }
        let ident = Ident { name: name.to_owned(), pos: target.pos };
        let zero = self.zero(ty)?;
        self.declare(&ident, ty.clone(), &zero);
        Ok(())
    }

    pub(crate) fn range(&mut self, found: &Range, label: Option<String>, at: (Pos, Pos)) -> R<()> {
        self.open();
        let result = self.range_in_scope(found, label, at);
        self.close();
        result
    }

    fn range_in_scope(&mut self, found: &Range, label: Option<String>, at: (Pos, Pos)) -> R<()> {
        self.at = (at.0, found.over.end);
        let over = self.expr(&found.over, None)?;
        let (key, value, define) = (found.key.as_ref(), found.value.as_ref(), found.define);
        let name = self.new_loop();
        let wraps = continues(&found.body, label.as_deref(), true);
        let under = match self.w.under(&over.ty) {
            Ty::Pointer(to) => self.w.under(&to),
            under => under,
        };
        match under {
            Ty::Chan(_, element) => {
                let (channel, _) = self.channel_of(&over, at)?;
                self.range_declare(key, define, &element)?;
                let kept = self.w.kept(&element);
                let zero = self.w.zero(&element).unwrap_or_else(|| "none".into());
                let (v, more) = (self.keep_as(&zero, &kept), self.keep_as("true", "bool"));
                self.emit(format!("{name}: loop {{"));
                let got = self.temp();
                self.wait(
                    &format!("let {got} = {channel}.receive() when {channel} != none"),
                    &format!("{v} = {got}.v  {more} = {got}.ok"),
                );
                self.emit(format!("if not {more} {{ break {name} }}"));
                let val = self.unkept(&v, &element, true)?;
                self.range_variable(key, define, val)?;
                self.loop_body(label, &name, &found.body, wraps);
                self.emit("}");
            }
            Ty::Slice(element) | Ty::Array(_, element) => {
                let is_slice = matches!(self.w.under(&over.ty), Ty::Slice(_));
                let is_array = matches!(self.w.under(&over.ty), Ty::Array(..));
                // A copy of an array is gone through, if its elements are wanted.
                let over = match is_array && value.is_some() {
                    true => self.copied(over)?,
                    false => over,
                };
                let kin =
                    if is_slice { self.w.slice_object(&element) } else { self.w.array(&element) };
                let items = self.keep_as(&over.code, &format!("{kin}?"));
                self.range_declare(key, define, &Ty::INT)?;
                self.range_declare(value, define, &element)?;
                let i = self.keep_as("0", "-big..=big");
                let n = match is_slice {
                    true => self.slice_length(&items, &element),
                    false => format!("if {items} == none then 0 else len({items}!.items)"),
                };
                let n = self.keep_as(&n, "-big..=big");
                self.emit(format!("{name}: while {i} < {n} {{"));
                self.range_variable(key, define, Val::new(i.clone(), Ty::INT))?;
                if value.is_some_and(|value| value.name() != Some("_")) {
                    let from = match is_slice {
                        true => self.slice_element(&items, &element, &i),
                        false => self.w.element_access(format!("{items}!.items[{i}]"), &element),
                    };
                    let val = self.unkept(&from, &element, false)?;
                    self.range_variable(value, define, val)?;
                }
                self.loop_body(label, &name, &found.body, wraps);
                self.emit(format!("{i} += 1"));
                self.emit("}");
            }
            Ty::Map(of, element) => {
                let kin = self.w.kin(&over.ty);
                let map = self.keep_as(&over.code, &kin);
                self.range_declare(key, define, &of)?;
                self.range_declare(value, define, &element)?;
                let k = self.temp();
                self.emit(format!("if {map} != none {{"));
                self.emit(format!("{name}: for {k} in {map}!.items {{"));
                self.emit(format!("if {k} in {map}!.items {{"));
                if key.is_some_and(|key| key.name() != Some("_")) {
                    let val = self.of_key(&k, &of)?;
                    self.range_variable(key, define, val)?;
                }
                if value.is_some_and(|value| value.name() != Some("_")) {
                    let val = self.unkept(&format!("{map}!.items[{k}]"), &element, true)?;
                    self.range_variable(value, define, val)?;
                }
                self.loop_body(label, &name, &found.body, wraps);
                self.emit("}");
                self.emit("}");
                self.emit("}");
            }
            Ty::Int(_) | Ty::Untyped => {
                // It came with Go 1.22, as did variables for each round.
                self.w.has_own_rounds = true;
                let n = self.keep_as(&over.code, "-big..=big");
                self.range_declare(key, define, &Ty::INT)?;
                let i = self.keep_as("0", "-big..=big");
                self.emit(format!("{name}: while {i} < {n} {{"));
                self.range_variable(key, define, Val::new(i.clone(), Ty::INT))?;
                self.loop_body(label, &name, &found.body, wraps);
                self.emit(format!("{i} += 1"));
                self.emit("}");
            }
            Ty::Str => {
                let n = match &over.konst {
                    Some(Konst::Str(text)) => text.chars().count().to_string(),
                    _ => {
                        self.some_number("the length of a string is not kept: where it is more than compared, it is any of 0..=3", at)?
                            .code
                    }
                };
                let n = self.keep_as(&n, "-big..=big");
                self.range_declare(key, define, &Ty::INT)?;
                self.range_declare(value, define, &Ty::INT)?;
                let i = self.keep_as("0", "-big..=big");
                self.emit(format!("{name}: while {i} < {n} {{"));
                self.range_variable(key, define, Val::new(i.clone(), Ty::INT))?;
                self.loop_body(label, &name, &found.body, wraps);
                self.emit(format!("{i} += 1"));
                self.emit("}");
            }
            _ => {
                let shown = self.w.show(&over.ty);
                return refuse_as(
                    "G0409",
                    at,
                    format!("`range` over {shown} is not understood"),
                    "use a loop with an index",
                );
            }
        }
        Ok(())
    }

    /// Whether a channel expression is `time.After(…)` or `time.Tick(…)`.
    pub(crate) fn is_after(&mut self, channel: &Expr) -> bool {
        let ExprKind::Call { callee, .. } = &*channel.bare().kind else { return false };
        let ExprKind::Select(of, name) = &*callee.bare().kind else { return false };
        matches!(name.name.as_str(), "After" | "Tick")
            && self.package(of).as_deref() == Some("time")
    }

    pub(crate) fn select_stmt(
        &mut self,
        clauses: &[CommClause],
        label: Option<String>,
        at: (Pos, Pos),
    ) -> R<()> {
        let leaves = clauses.iter().any(|clause| breaks(&clause.body, label.as_deref(), true));
        self.temps += 1;
        let name = format!("leave{}", self.temps);
        self.targets.push(Target { label, outer: name.clone(), inner: None, is_loop: false });
        if leaves {
            self.emit(format!("{name}: loop {{"));
        }
        let patient = self.patient(clauses);
        let result = self.select_arms(&patient, at);
        if leaves {
            self.emit(format!("break {name}"));
            self.emit("}");
        }
        self.targets.pop();
        result
    }

    fn select_arms(&mut self, clauses: &[CommClause], at: (Pos, Pos)) -> R<()> {
        if clauses.is_empty() {
            self.emit("select {");
            self.emit("await false { }");
            self.over_arm();
            self.emit("}");
            return Ok(());
        }
        let has_default = clauses.iter().any(|clause| clause.comm.is_none());
        let mut arms = Vec::new();
        let mut fire: Option<String> = None;
        for clause in clauses {
            let Some(comm) = &clause.comm else { continue };
            let place = (comm.pos, comm.end);
            self.at = (clause.pos, comm.end);
            let arm = match &comm.kind {
                StmtKind::Send(channel, value) => {
                    let channel = self.expr(channel, None)?;
                    let (channel, element) = self.channel_of(&channel, place)?;
                    let value = self.expr_as(value, &element)?;
                    let value =
                        if value.konst.is_some() { value.code } else { self.simple(&value) };
                    if self.w.unwinds && self.caught() != "false" {
                        let got = self.temp();
                        Arm {
                            head: format!(
                                "let {got} = {channel}.offer({value}) when {channel} != none"
                            ),
                            got: Some(got),
                            element: Ty::Bool,
                            sends: true,
                        }
                    } else {
                        Arm {
                            head: format!("{channel}.send({value}) when {channel} != none"),
                            got: None,
                            element: Ty::Bool,
                            sends: true,
                        }
                    }
                }
                other => {
                    let from = match other {
                        StmtKind::Expr(expr) => expr,
                        StmtKind::Define(_, values) | StmtKind::Assign(_, None, values)
                            if values.len() == 1 =>
                        {
                            &values[0]
                        }
                        _ => {
                            return refuse(
                                place,
                                "this is neither a send nor a receive",
                                "send or receive",
                            );
                        }
                    };
                    let ExprKind::Unary("<-", channel) = &*from.bare().kind else {
                        return refuse(
                            place,
                            "this is neither a send nor a receive",
                            "send or receive",
                        );
                    };
                    if self.is_after(channel) && !has_default {
                        Arm {
                            head: "timeout".into(),
                            got: None,
                            element: Ty::Opaque("time.Time"),
                            sends: false,
                        }
                    } else {
                        let val = self.expr(channel, None)?;
                        let (channel, element) = self.channel_of(&val, place)?;
                        let timed = matches!(*element, Ty::Opaque("time.Time"))
                            || *element == Ty::unit() && self.w.has_contexts();
                        let step = if has_default && timed {
                            let fire = match &fire {
                                Some(fire) => fire.clone(),
                                None => {
                                    let temp = self.temp();
                                    self.emit(format!("choose {temp} in bool"));
                                    fire = Some(temp.clone());
                                    temp
                                }
                            };
                            format!("poll({fire})")
                        } else {
                            "receive()".into()
                        };
                        let got = self.temp();
                        Arm {
                            head: format!("let {got} = {channel}.{step} when {channel} != none"),
                            got: Some(got),
                            element: (*element).clone(),
                            sends: false,
                        }
                    }
                }
            };
            arms.push((clause, arm));
        }
        self.at = at;
        self.emit("select {");
        for (clause, arm) in arms {
            let comm = clause.comm.as_ref().expect("it has one");
            self.at = (clause.pos, comm.end);
            self.emit(format!("{} {{", arm.head));
            self.open();
            if let (true, Some(got)) = (arm.sends, &arm.got) {
                let got = self.keep_as(got, "bool");
                self.sent(&got);
            } else {
                self.attempt(|fx| fx.received(comm, &arm));
            }
            self.block(&clause.body);
            self.close();
            self.emit("}");
        }
        self.at = at;
        if !has_default {
            self.over_arm();
        }
        for clause in clauses.iter().filter(|clause| clause.comm.is_none()) {
            self.at = (clause.pos, clause.pos + 7);
            self.emit("else {");
            self.block(&clause.body);
            self.emit("}");
        }
        self.emit("}");
        Ok(())
    }

    /// What a receive in a `select` gives.
    fn received(&mut self, comm: &Stmt, arm: &Arm) -> R<()> {
        let at = (comm.pos, comm.end);
        let (targets, define) = match &comm.kind {
            StmtKind::Define(targets, _) => (targets, true),
            StmtKind::Assign(targets, _, _) => (targets, false),
            _ => return Ok(()),
        };
        let vals = match &arm.got {
            Some(got) => {
                let val = self.unkept(&format!("{got}.v"), &arm.element, true)?;
                vec![val, Val::made(format!("{got}.ok"), Ty::Bool)]
            }
            None => vec![Val::made("0", arm.element.clone()), Val::made("true", Ty::Bool)],
        };
        for (target, val) in targets.iter().zip(vals) {
            if target.name() == Some("_") {
                continue;
            }
            if define {
                let Some(name) = target.name() else {
                    return refuse(at, "only names stand left of `:=`", "use `=`");
                };
                let ident = Ident { name: name.to_owned(), pos: target.pos };
                self.declare(&ident, val.ty.clone(), &val.code);
            } else {
                let place = self.place(target)?;
                if matches!(place, Place::Blank) {
                    continue;
                }
                let ty = self.place_ty(&place).expect("it is no blank");
                let val = self.fit(val, &ty, at)?;
                self.assign(&place, val)?;
            }
        }
        Ok(())
    }
}

struct Arm {
    head: String,
    got: Option<String>,
    element: Ty,
    sends: bool,
}
