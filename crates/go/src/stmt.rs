//! Statements.

use crate::fx::{Fx, Target, Val};
use crate::place::Place;
use crate::syntax::*;
use crate::types::Ty;
use crate::world::{Entity, R, TypeDecl, refuse, refuse_as};

impl Fx<'_, '_> {
    /// The statements of a block, each on its own: what is refused is reported, and the next one looked at.
    pub(crate) fn block(&mut self, block: &Block) {
        self.open();
        self.statements(&block.statements, block.end);
        self.close();
    }

    pub(crate) fn statements(&mut self, statements: &[Stmt], end: Pos) {
        if !self.with_jumps(statements, end) {
            self.listed(statements, end);
        }
    }

    /// Statements one after the other.
    pub(crate) fn listed(&mut self, statements: &[Stmt], end: Pos) {
        let start = statements.first().map_or(end, |first| first.pos);
        let mut from = start;
        for statement in statements {
            self.asserted(from, statement.pos);
            from = statement.pos;
            self.at = (statement.pos, statement.end);
            self.replaced = None;
            let label = self.pending_label.take();
            let before = self.w.found.len();
            self.attempt(|fx| fx.statement(statement, label));
            if self.w.found.len() > before {
                self.undeclared(statement);
            }
            from = from.max(statement.end);
        }
        self.asserted(from, end);
    }

    /// Names that a refused statement would have declared are not complained about again.
    fn undeclared(&mut self, statement: &Stmt) {
        let names: Vec<String> = match &statement.kind {
            StmtKind::Define(targets, _) => {
                targets.iter().filter_map(|t| t.name().map(str::to_owned)).collect()
            }
            StmtKind::Decl(decls) => decls
                .iter()
                .flat_map(|decl| match decl {
                    Decl::Var { names, .. } => names.iter().map(|name| name.name.clone()).collect(),
                    _ => Vec::new(),
                })
                .collect(),
            _ => Vec::new(),
        };
        for name in names {
            if self.look_up(&name).is_none() {
                self.bind(&name, Entity::Wrong);
            }
        }
    }

    /// `//kinfold:assert P` between two places.
    fn asserted(&mut self, from: Pos, to: Pos) {
        // Also those right before the first statement.
        let text = self.w.text;
        let from = match text[..from as usize].rfind('\n') {
            Some(line) => {
                let mut start = line;
                while let Some(before) = text[..start].rfind('\n') {
                    if text[before + 1..start].trim_start().starts_with("//") {
                        start = before;
                    } else {
                        break;
                    }
                }
                (start as Pos).min(from)
            }
            None => from,
        };
        let directives: Vec<_> = self
            .w
            .directives
            .iter()
            .filter(|found| {
                found.start >= from && found.start < to && found.text.starts_with("assert")
            })
            .cloned()
            .collect();
        for found in directives {
            self.w.directives.retain(|other| other.start != found.start || self.is_process);
            let offset = found.start + "//kinfold:assert".len() as u32;
            let line = &text[offset as usize..];
            let line = &line[..line.find('\n').unwrap_or(line.len())];
            self.at = (found.start, offset + line.trim_end().len() as u32);
            let expr = crate::parser::parse_expression(line, offset, &mut self.w.found);
            self.attempt(|fx| {
                let val = fx.expr(&expr, Some(&Ty::Bool))?;
                fx.emit(format!("assert {}", val.code));
                Ok(())
            });
        }
    }

    pub(crate) fn statement(&mut self, statement: &Stmt, label: Option<String>) -> R<()> {
        let at = (statement.pos, statement.end);
        match &statement.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::Expr(expr) => {
                if let ExprKind::Unary("<-", channel) = &*expr.bare().kind {
                    if self.is_after(channel) {
                        return Ok(());
                    }
                    let channel = self.expr(channel, None)?;
                    return self.receive_only(&channel, at);
                }
                self.expr(expr, None)?;
                Ok(())
            }
            StmtKind::Send(channel, value) => {
                let channel = self.expr(channel, None)?;
                self.send(&channel, value, at)
            }
            StmtKind::Step(target, op) => {
                let place = self.place(target)?;
                let ty = self.place_ty(&place).unwrap_or(Ty::INT);
                let one = self.konst(crate::types::Konst::Int(1), ty, at)?;
                self.update(&place, op, one, at)
            }
            StmtKind::Assign(targets, Some(op), values) => {
                let ([target], [value]) = (&targets[..], &values[..]) else {
                    return refuse(
                        at,
                        "several variables are changed at once",
                        "change one after the other",
                    );
                };
                let place = self.place(target)?;
                let ty = self.place_ty(&place);
                let value = self.expr(value, ty.as_ref())?;
                self.update(&place, op, value, at)
            }
            StmtKind::Assign(targets, None, values) => self.assignment(targets, values, at),
            StmtKind::Define(targets, values) => self.define(targets, values, at),
            StmtKind::Go(call) => self.go(call, at),
            StmtKind::Defer(call) => self.defer(call, at),
            StmtKind::Return(values) => self.return_(values, at),
            StmtKind::Break(label) => self.leave(label.as_ref(), false, at),
            StmtKind::Continue(label) => self.leave(label.as_ref(), true, at),
            StmtKind::Goto(label) => self.goto(label, at),
            StmtKind::Fallthrough => {
                refuse(at, "`fallthrough` stands where it cannot", "put it last in a case")
            }
            StmtKind::Block(block) => {
                self.block(block);
                Ok(())
            }
            StmtKind::If(found) => self.if_(found, at),
            StmtKind::Switch(found) => self.switch(found, label, at),
            StmtKind::TypeSwitch(found) => self.type_switch(found, label, at),
            StmtKind::Select(clauses) => self.select_stmt(clauses, label, at),
            StmtKind::For(found) => self.for_(found, label, at),
            StmtKind::Range(found) => self.range(found, label, at),
            StmtKind::Labeled(label, inner) => self.statement(inner, Some(label.name.clone())),
            StmtKind::Decl(decls) => {
                for decl in decls {
                    self.declaration(decl, at)?;
                }
                Ok(())
            }
        }
    }

    fn update(&mut self, place: &Place, op: &str, value: Val, at: (Pos, Pos)) -> R<()> {
        let (code, ty) = match place {
            Place::Blank => return Ok(()),
            Place::Code(code, ty) => (code.clone(), ty.clone()),
            Place::MapElement(map, key, ty) => {
                let zero = self.w.zero(ty).unwrap_or_else(|| "none".into());
                let kin = self.w.kept(ty);
                let old = self.keep_as(&zero, &kin);
                self.emit(format!("if {key} in {map}!.items {{"));
                self.emit(format!("{old} = {map}!.items[{key}]"));
                self.emit("}");
                (old, ty.clone())
            }
            Place::Object(..) => return refuse(at, "this cannot be computed with", "use a number"),
        };
        let value = match &value.ty {
            Ty::Untyped => self.fit(value, &ty, at)?,
            _ => value,
        };
        let result = match op {
            "<<" | ">>" => self.shift(op, Val::new(code, ty), value, at)?,
            _ => self.arithmetic(op, Val::new(code, ty), value, at)?,
        };
        // Of what nothing is kept, that it is written is.
        self.assign(place, result)
    }

    fn assignment(&mut self, targets: &[Expr], values: &[Expr], at: (Pos, Pos)) -> R<()> {
        if let ([target], [value]) = (targets, values) {
            let place = self.place(target)?;
            self.replaced = Some(self.source(target).to_owned());
            let value = match self.place_ty(&place) {
                Some(ty) => self.expr_as(value, &ty)?,
                None => {
                    if let ExprKind::Unary("<-", channel) = &*value.bare().kind {
                        let channel = self.expr(channel, None)?;
                        return self.receive_only(&channel, at);
                    }
                    self.expr(value, None)?
                }
            };
            self.replaced = None;
            return self.assign(&place, value);
        }
        let mut places = Vec::new();
        for target in targets {
            places.push(self.place(target)?);
        }
        let values = if targets.len() == values.len() {
            let mut kept = Vec::new();
            for (place, value) in places.iter().zip(values) {
                let val = match self.place_ty(place) {
                    Some(ty) => self.expr_as(value, &ty)?,
                    None => self.expr_defaulted(value)?,
                };
                let code = if matches!(place, Place::Blank) {
                    self.evaluated(&val);
                    val.code.clone()
                } else if val.konst.is_some() {
                    val.code.clone()
                } else {
                    self.keep(&val)
                };
                kept.push(Val { code, ..val });
            }
            kept
        } else {
            self.several(values, targets.len(), at)?
        };
        for (place, val) in places.iter().zip(values) {
            let val = match self.place_ty(place) {
                Some(ty) => self.fit(val, &ty, at)?,
                None => continue,
            };
            self.assign(place, val)?;
        }
        Ok(())
    }

    /// The values of `v, ok := …`, or the results of a call.
    fn several(&mut self, values: &[Expr], count: usize, at: (Pos, Pos)) -> R<Vec<Val>> {
        let [value] = values else {
            return refuse_as(
                "G0301",
                at,
                "the number of values is wrong",
                "give one for each variable",
            );
        };
        let bare = value.bare();
        if count == 2 {
            match &*bare.kind {
                ExprKind::Unary("<-", channel) => {
                    let channel = self.expr(channel, None)?;
                    let (val, ok) = self.receive(&channel, true, at)?;
                    return Ok(vec![val, Val::made(ok, Ty::Bool)]);
                }
                ExprKind::Assert(value, Some(of)) => {
                    let ty = self.ty(of)?;
                    let value = self.expr(value, None)?;
                    let (val, ok) = self.assert_type(&value, &ty, at)?;
                    return Ok(vec![val, Val::made(ok, Ty::Bool)]);
                }
                ExprKind::Index(of, index) if index.len() == 1 => {
                    let base = self.expr(of, None)?;
                    if let Ty::Map(key, element) = self.w.under(&base.ty) {
                        let (val, ok) = self.map_element(&base, &index[0], &key, &element, at)?;
                        return Ok(vec![val, Val::made(ok, Ty::Bool)]);
                    }
                }
                _ => {}
            }
        }
        let val = self.expr(bare, None)?;
        let Ty::Tuple(parts) = &val.ty else {
            return refuse_as(
                "G0301",
                at,
                "the number of values is wrong",
                "give one for each variable",
            );
        };
        if parts.len() != count {
            return refuse_as(
                "G0301",
                at,
                "the number of values is wrong",
                "give one for each variable",
            );
        }
        let part = |(i, ty): (usize, &Ty)| Val::made(format!("{}.r{i}", val.code), ty.clone());
        Ok(parts.iter().enumerate().map(part).collect())
    }

    fn define(&mut self, targets: &[Expr], values: &[Expr], at: (Pos, Pos)) -> R<()> {
        let vals = if targets.len() == values.len() {
            let mut vals = Vec::new();
            for value in values {
                self.declares = true;
                let val = self.expr_defaulted(value);
                self.declares = false;
                let val = val?;
                let code = match (targets.len(), &val.konst) {
                    (1, _) | (_, Some(_)) => val.code.clone(),
                    _ => self.keep(&val),
                };
                vals.push(Val { code, ..val });
            }
            vals
        } else {
            let several = self.several(values, targets.len(), at)?;
            let mut vals = Vec::new();
            for val in several {
                vals.push(self.copied(val)?);
            }
            vals
        };
        for (target, val) in targets.iter().zip(vals) {
            let Some(name) = target.name() else {
                return refuse(at, "only names stand left of `:=`", "use `=`");
            };
            if name == "_" {
                self.evaluated(&val);
                continue;
            }
            let here = self.scopes.last().and_then(|scope| scope.get(name));
            let known = targets.len() > 1 && matches!(here, Some(Entity::Var(_)));
            if known {
                let place = self.place(target)?;
                let ty = self.place_ty(&place).expect("it is a variable");
                let val = self.fit(val, &ty, at)?;
                self.assign(&place, val)?;
            } else {
                let ident = Ident { name: name.to_owned(), pos: target.pos };
                self.declare(&ident, val.ty.clone(), &val.code);
            }
        }
        Ok(())
    }

    fn declaration(&mut self, decl: &Decl, at: (Pos, Pos)) -> R<()> {
        match decl {
            Decl::Var { names, of, values, .. } => {
                let ty = match of {
                    Some(of) => Some(self.ty(of)?),
                    None => None,
                };
                if values.is_empty() {
                    let Some(ty) = ty else {
                        return refuse(at, "the variable has no type", "give it one");
                    };
                    for name in names {
                        let zero = self.zero(&ty)?;
                        self.declare(name, ty.clone(), &zero);
                    }
                    return Ok(());
                }
                let vals = if values.len() == names.len() {
                    let mut vals = Vec::new();
                    for value in values {
                        vals.push(match &ty {
                            Some(ty) => self.expr_as(value, ty)?,
                            None => self.expr_defaulted(value)?,
                        });
                    }
                    vals
                } else {
                    self.several(values, names.len(), at)?
                };
                for (name, val) in names.iter().zip(vals) {
                    let val = match &ty {
                        Some(ty) => self.fit(val, ty, at)?,
                        None => val,
                    };
                    self.declare(name, val.ty.clone(), &val.code);
                }
                Ok(())
            }
            Decl::Const { names, of, values, iota } => {
                for (index, name) in names.iter().enumerate() {
                    let (konst, ty) =
                        self.const_value(of, &values.get(index).cloned(), *iota, name.pos)?;
                    self.bind(&name.name, Entity::Const(konst, ty));
                }
                Ok(())
            }
            Decl::Type { name, params, of, alias } => {
                let decl = TypeDecl {
                    name: name.clone(),
                    params: params.clone(),
                    of: of.clone(),
                    alias: *alias,
                    scopes: self.scopes.clone(),
                };
                let decl = std::rc::Rc::new(decl);
                if params.is_empty() {
                    let ty = self.instance(&decl, &[], at)?;
                    self.bind(&name.name, Entity::Type(ty));
                } else {
                    self.bind(&name.name, Entity::GenericType(decl));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn return_(&mut self, values: &[Expr], at: (Pos, Pos)) -> R<()> {
        let results = self.results.clone();
        let codes = if values.is_empty() {
            self.result_codes()
        } else if values.len() == results.len() {
            let mut codes = Vec::new();
            for (value, ty) in values.iter().zip(&results) {
                let val = self.expr_as(value, ty)?;
                codes.push(if results.len() > 1 { self.settled(val).code } else { val.code });
            }
            codes
        } else {
            let vals = self.several(values, results.len(), at)?;
            let mut codes = Vec::new();
            for (val, ty) in vals.into_iter().zip(&results) {
                codes.push(self.fit(val, ty, at)?.code);
            }
            codes
        };
        if !self.has_defer {
            if codes.len() != results.len() && !self.is_process {
                return refuse_as(
                    "G0301",
                    at,
                    "the number of results is wrong",
                    "give one for each",
                );
            }
            self.emit_return(codes);
            return Ok(());
        }
        if !values.is_empty() {
            let own = self.result_codes();
            let codes = if codes.len() > 1 {
                let mut kept = Vec::new();
                for (code, ty) in codes.iter().zip(&results) {
                    let kin = self.w.kin(ty);
                    kept.push(self.keep_as(code, &kin));
                }
                kept
            } else {
                codes
            };
            for (to, code) in own.iter().zip(&codes) {
                if to != code {
                    self.emit(format!("{to} = {code}"));
                }
            }
        }
        self.emit("break body");
        Ok(())
    }

    /// `break` or `continue`.
    fn leave(&mut self, label: Option<&Ident>, again: bool, at: (Pos, Pos)) -> R<()> {
        let fits = |target: &&Target| match label {
            Some(label) => target.label.as_deref() == Some(&label.name),
            None => !again || target.is_loop,
        };
        let Some(target) = self.targets.iter().rev().find(fits) else {
            return refuse_as("G0205", at, "there is nothing to leave here", "use it in a loop");
        };
        let line = match (again, &target.inner) {
            (true, Some(inner)) => format!("break {inner}"),
            (true, None) => format!("continue {}", target.outer),
            (false, _) => format!("break {}", target.outer),
        };
        self.emit(line);
        Ok(())
    }

    fn if_(&mut self, found: &If, at: (Pos, Pos)) -> R<()> {
        self.open();
        let result = self.if_in_scope(found, at);
        self.close();
        result
    }

    fn if_in_scope(&mut self, found: &If, at: (Pos, Pos)) -> R<()> {
        if let Some(init) = &found.init {
            self.statement(init, None)?;
        }
        self.at = (at.0, found.cond.end);
        let cond = self.expr(&found.cond, None)?;
        self.emit(format!("if {} {{", cond.code));
        self.block(&found.then);
        match &found.otherwise {
            None => {}
            Some(otherwise) => {
                self.at = (otherwise.pos, otherwise.end);
                self.emit("} else {");
                self.attempt(|fx| fx.statement(otherwise, None));
            }
        }
        self.emit("}");
        Ok(())
    }
}
