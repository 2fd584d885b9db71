//! Expressions. What takes steps of its own is put before the statement, in the order of the text.

use crate::fx::{Fx, Val, Variable};
use crate::syntax::*;
use crate::types::{Int, Konst, Ty};
use crate::world::{Entity, Item, Line, R, refuse, refuse_as};

/// The line in which a number is chosen of which nothing is kept.
fn chosen_number(name: &str) -> String {
    format!("forgotten choose {name} in 0..=3")
}

/// Leaves out what was made last for a number of which nothing is kept, if it was: a comparison does not need it.
pub(crate) fn without_number(number: &Val, lines: &mut Vec<Line>) -> bool {
    let Some(start) = lines.len().checked_sub(2) else { return false };
    let is_made =
        number.chosen.as_ref().is_some_and(|name| lines[start].text == chosen_number(name));
    if is_made {
        lines.truncate(start);
    }
    is_made
}

impl Fx<'_, '_> {
    pub(crate) fn konst(&mut self, konst: Konst, ty: Ty, at: (Pos, Pos)) -> R<Val> {
        let under = self.w.under(&ty);
        if let Konst::Int(n) = konst
            && (0..=256).contains(&n)
        {
            self.w.mentioned.insert(n);
        }
        let code = match (&konst, &under) {
            (_, Ty::Float | Ty::Opaque(_)) => "0".to_owned(),
            (Konst::Bool(truth), _) => truth.to_string(),
            (Konst::Int(n), Ty::Untyped) => n.to_string(),
            (Konst::Int(n), _) => {
                if n.unsigned_abs() > 1_000_000_000 {
                    self.w.note(
                        "numbers beyond 1000000000 are taken as 1000000000: what is counted so far is not exact",
                        at.0,
                    );
                    let code = if *n < 0 { "-big" } else { "big" };
                    return Ok(Val { konst: Some(konst), ..Val::made(code, ty) });
                }
                n.to_string()
            }
            (Konst::Float(x), Ty::Untyped) => (*x as i64).to_string(),
            (Konst::Float(x), _) => (*x as i64).to_string(),
            (Konst::Str(text), _) => self.w.string(text),
        };
        let code = if code.starts_with('-') { format!("({code})") } else { code };
        Ok(Val { konst: Some(konst), ..Val::made(code, ty) })
    }

    /// A value of any type.
    pub(crate) fn expr(&mut self, expr: &Expr, want: Option<&Ty>) -> R<Val> {
        self.w.depth += 1;
        if self.w.depth > 400 {
            self.w.depth -= 1;
            return refuse(
                (expr.pos, expr.end),
                "this is nested too deeply",
                "give parts of it names",
            );
        }
        let result = self.expr_here(expr, want);
        self.w.depth -= 1;
        result
    }

    fn expr_here(&mut self, expr: &Expr, want: Option<&Ty>) -> R<Val> {
        let at = (expr.pos, expr.end);
        match &*expr.kind {
            ExprKind::Name(name) => self.name(name, want, at),
            ExprKind::Int(Some(n)) => self.konst(Konst::Int(*n), Ty::Untyped, at),
            ExprKind::Int(None) => refuse(at, "this number is too large", "use a smaller one"),
            ExprKind::Float(x) => {
                let whole = x.fract() == 0.0 && x.abs() < 1e15;
                let konst = if whole { Konst::Int(*x as i128) } else { Konst::Float(*x) };
                let ty = if whole { Ty::Untyped } else { Ty::Float };
                self.konst(konst, ty, at)
            }
            ExprKind::Char(n) => self.konst(Konst::Int(*n), Ty::Untyped, at),
            ExprKind::Str(text) => self.konst(Konst::Str(text.clone()), Ty::Str, at),
            ExprKind::Paren(inner) => self.expr(inner, want),
            ExprKind::Composite(of, elements) => self.composite(of.as_ref(), elements, want, at),
            ExprKind::FuncLit(literal) => self.func_literal(literal, at),
            ExprKind::Select(of, name) => self.select(of, name, at),
            ExprKind::Index(of, indices) => self.index(of, indices, at),
            ExprKind::Slice(of, parts) => self.slice(of, parts, at),
            ExprKind::Assert(value, Some(of)) => {
                let ty = self.ty(of)?;
                let value = self.expr(value, None)?;
                let (found, ok) = self.assert_type(&value, &ty, at)?;
                self.guard(&ok);
                self.emit(format!("assert {ok}"));
                Ok(found)
            }
            ExprKind::Assert(_, None) => {
                refuse(at, "`.(type)` stands outside of a switch", "use a type switch")
            }
            ExprKind::Call { callee, args, spread } => self.call(callee, args, *spread, want, at),
            ExprKind::Star(inner) => {
                let pointer = self.expr(inner, None)?;
                let Ty::Pointer(to) = self.w.under(&pointer.ty) else {
                    return refuse_as("G0301", at, "this is no pointer", "leave out the `*`");
                };
                let object = self.object_code(&pointer);
                if self.w.is_object(&to) {
                    Ok(Val::new(object, (*to).clone()))
                } else {
                    Ok(Val::new(format!("{object}.v"), (*to).clone()))
                }
            }
            ExprKind::Unary(op, inner) => self.unary(op, inner, want, at),
            ExprKind::Binary(op, a, b) => self.binary(op, a, b, want, at),
            _ => refuse(at, "a type stands where a value is expected", "write a value"),
        }
    }

    /// A value that is assigned to something of a type.
    pub(crate) fn expr_as(&mut self, expr: &Expr, ty: &Ty) -> R<Val> {
        let val = self.expr(expr, Some(ty))?;
        let val = self.copied(val)?;
        self.fit(val, ty, (expr.pos, expr.end))
    }

    /// A value that becomes that of a variable without a type.
    pub(crate) fn expr_defaulted(&mut self, expr: &Expr) -> R<Val> {
        let val = self.expr(expr, None)?;
        let val = self.copied(val)?;
        self.defaulted(val, (expr.pos, expr.end))
    }

    pub(crate) fn defaulted(&mut self, val: Val, at: (Pos, Pos)) -> R<Val> {
        match &val.ty {
            Ty::Untyped => self.fit(val, &Ty::INT, at),
            Ty::Nil => {
                refuse_as("G0301", at, "`nil` has no type here", "declare the variable with a type")
            }
            Ty::Tuple(parts) if parts.is_empty() => {
                refuse_as("G0301", at, "this has no value", "call it as a statement")
            }
            _ => Ok(val),
        }
    }

    /// A value as one of another type that it can be assigned to.
    pub(crate) fn fit(&mut self, val: Val, ty: &Ty, at: (Pos, Pos)) -> R<Val> {
        if val.ty == *ty {
            return Ok(val);
        }
        let (from, to) = (self.w.under(&val.ty), self.w.under(ty));
        match (&from, &to) {
            (_, Ty::Interface(_)) if matches!(from, Ty::Interface(_)) => {
                Ok(Val { ty: ty.clone(), ..val })
            }
            (Ty::Nil, _) => match self.w.zero(ty) {
                Some(zero) => Ok(Val::made(zero, ty.clone())),
                None => refuse_as(
                    "G0301",
                    at,
                    format!("`nil` is no {}", self.w.show(ty)),
                    "write a value of the type",
                ),
            },
            (_, Ty::Interface(_)) => self.as_interface(val, ty, at),
            (Ty::Pointer(_) | Ty::Struct(_), Ty::Lib(crate::types::Lib::Context)) => {
                self.context_within(val, at)
            }
            (Ty::Untyped, Ty::Int(_) | Ty::Float | Ty::Opaque(_)) => match val.konst.clone() {
                Some(konst) => self.konst(konst, ty.clone(), at),
                None => Ok(Val { ty: ty.clone(), ..val }),
            },
            (Ty::Float | Ty::Opaque(_), Ty::Float | Ty::Opaque(_)) => Ok(Val::new("0", ty.clone())),
            (Ty::Int(_), _) if to == crate::remark::ANY || to == crate::remark::COUNT => {
                Ok(Val::made("0", ty.clone()))
            }
            (_, Ty::Int(_)) if from == crate::remark::ANY => {
                let why = "a number that may be any is one of 0..=3 where its value is needed";
                let some = self.some_number(why, at)?;
                Ok(Val { ty: ty.clone(), ..some })
            }
            (Ty::Chan(_, a), Ty::Chan(_, b)) if a == b => Ok(Val { ty: ty.clone(), ..val }),
            _ => {
                if from == to
                    || self.w.kin(&val.ty) == self.w.kin(ty) && !matches!(from, Ty::Int(_))
                {
                    return Ok(Val { ty: ty.clone(), ..val });
                }
                let (a, b) = (self.w.show(&val.ty), self.w.show(ty));
                refuse_as(
                    "G0301",
                    at,
                    format!("a value of type {a} stands where {b} is expected"),
                    "convert it",
                )
            }
        }
    }

    /// A value of a type as one of an interface.
    pub(crate) fn as_interface(&mut self, val: Val, ty: &Ty, at: (Pos, Pos)) -> R<Val> {
        let val = self.copied(val)?;
        let val = self.defaulted(val, at)?;
        if matches!(val.ty, Ty::Tuple(_)) {
            return refuse(at, "several values stand where one is expected", "assign them first");
        }
        let case = self.any_case(&val.ty);
        let code = match self.w.under(&val.ty) {
            Ty::Func(_) => {
                let cell = self.w.object(&val.ty);
                let temp = self.temp();
                self.emit(format!("let {temp}: {cell} = new {cell}(first: {})", val.code));
                temp
            }
            _ => val.code,
        };
        Ok(Val::made(format!("{case}({code})"), ty.clone()))
    }

    /// The case of a type in the enumeration of what interfaces hold.
    pub(crate) fn any_case(&mut self, ty: &Ty) -> String {
        if let Some((_, name)) = self.w.any_cases.iter().find(|(known, _)| known == ty) {
            return name.clone();
        }
        let name = format!("any_{}", self.w.mangled(ty));
        let name = match self.w.any_cases.iter().any(|(_, known)| *known == name) {
            true => format!("{name}_{}", self.w.any_cases.len()),
            false => name,
        };
        self.w.kin(ty);
        self.w.any_cases.push((ty.clone(), name.clone()));
        name
    }

    pub(crate) fn name(&mut self, name: &str, want: Option<&Ty>, at: (Pos, Pos)) -> R<Val> {
        match self.look_up(name) {
            Some(Entity::Var(pos)) => {
                let Variable { kin, ty, boxed } = self.variable(pos, at)?;
                let code = if boxed { format!("{kin}.v") } else { kin };
                return Ok(Val::new(code, ty));
            }
            Some(Entity::Const(konst, ty)) => return self.konst(konst, ty, at),
            Some(Entity::Wrong) => return refuse_as("", at, "", ""),
            Some(_) => return refuse(at, format!("`{name}` is a type"), "write a value"),
            None => {}
        }
        match self.w.items.get(name).cloned() {
            Some(Item::Const(_)) => {
                if let Some((konst, ty)) = self.constant(name, at)? {
                    return self.konst(konst, ty, at);
                }
                refuse(at, format!("`{name}` has no value"), "give it one")
            }
            Some(Item::Var(index)) => {
                let ty = self.global(index, at)?;
                let kin = self.w.globals[index].kin.clone();
                let code = match self.w.is_object(&ty) {
                    true => format!("{kin}!"),
                    false if self.w.is_boxed_global(index) => format!("{kin}!.v"),
                    false => kin,
                };
                Ok(Val::new(code, ty))
            }
            Some(Item::Func(decl)) => {
                if !decl.type_params.is_empty() {
                    return refuse(
                        at,
                        format!("`{name}` needs type arguments"),
                        "write them in brackets",
                    );
                }
                self.function_value(&decl, &[], at)
            }
            Some(Item::Type(_)) => refuse(at, format!("`{name}` is a type"), "write a value"),
            None => match name {
                "true" | "false" => self.konst(Konst::Bool(name == "true"), Ty::Bool, at),
                "nil" => match want {
                    Some(ty) if !matches!(ty, Ty::Nil) => {
                        let nil = Val::made("none", Ty::Nil);
                        self.fit(nil, ty, at)
                    }
                    _ => Ok(Val::made("none", Ty::Nil)),
                },
                "iota" => match self.iota {
                    Some(iota) => self.konst(Konst::Int(iota), Ty::Untyped, at),
                    None => refuse(at, "`iota` stands outside of constants", "write a number"),
                },
                _ => {
                    let names =
                        self.scopes.iter().flat_map(|scope| scope.keys().map(String::as_str));
                    let near = diagnostics::nearest(
                        name,
                        names.chain(self.w.items.keys().map(String::as_str)),
                    );
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "declare it; all files of the package have to be given".to_owned(),
                    };
                    refuse_as("G0203", at, format!("there is nothing named `{name}`"), help)
                }
            },
        }
    }

    /// The type of a variable of the package.
    pub(crate) fn global(&mut self, index: usize, at: (Pos, Pos)) -> R<Ty> {
        self.w.used_globals.insert(index);
        if let Some(ty) = &self.w.globals[index].ty {
            return Ok(ty.clone());
        }
        let decl = self.w.globals[index].decl.clone();
        let name = self.w.globals[index].name.clone();
        let key = format!("var {name}");
        if !self.w.resolving.insert(key.clone()) {
            return refuse(
                at,
                format!("the type of `{name}` depends on itself"),
                "declare it with a type",
            );
        }
        let mut fx = Fx::new(self.w, "var");
        let found = match (&decl.of, decl.values.len()) {
            (Some(of), _) => fx.ty(of),
            (None, 0) => refuse(at, format!("`{name}` has no type"), "give it one"),
            (None, count) => {
                let slot = decl.names.iter().position(|n| n.name == name).unwrap_or(0);
                let value =
                    if count == decl.names.len() { &decl.values[slot] } else { &decl.values[0] };
                fx.type_of(value).map(|ty| match ty {
                    Ty::Tuple(parts) if slot < parts.len() => parts[slot].clone(),
                    Ty::Untyped => Ty::INT,
                    ty => ty,
                })
            }
        };
        self.w.resolving.remove(&key);
        let pos = decl.names.iter().find(|one| one.name == name).map_or(decl.pos, |one| one.pos);
        let ty = self.remarked(&name, pos, found?);
        self.w.kin(&ty);
        self.w.globals[index].ty = Some(ty.clone());
        Ok(ty)
    }

    /// The type of an expression, whose lines are dropped.
    pub(crate) fn type_of(&mut self, expr: &Expr) -> R<Ty> {
        let temps = self.temps;
        let ((), _) = self.apart(|_| Ok(()))?;
        let (val, _) = self.apart(|fx| fx.expr(expr, None))?;
        self.temps = temps;
        Ok(val.ty)
    }

    fn unary(&mut self, op: &str, inner: &Expr, want: Option<&Ty>, at: (Pos, Pos)) -> R<Val> {
        match op {
            "&" => self.address(inner, want, at),
            "<-" => {
                let channel = self.expr(inner, None)?;
                let (value, _) = self.receive(&channel, false, at)?;
                Ok(value)
            }
            "!" => {
                let val = self.expr(inner, None)?;
                match val.konst {
                    Some(Konst::Bool(truth)) => self.konst(Konst::Bool(!truth), val.ty, at),
                    _ => Ok(Val::made(format!("(not {})", val.code), val.ty)),
                }
            }
            "-" | "+" => {
                let val = self.expr(inner, want)?;
                match (op, val.konst.clone()) {
                    ("-", Some(Konst::Int(n))) => self.konst(Konst::Int(-n), val.ty, at),
                    ("-", Some(Konst::Float(x))) => self.konst(Konst::Float(-x), val.ty, at),
                    ("+", _) => Ok(val),
                    _ if self.is_vague(&val.ty) => Ok(Val::made("0", val.ty)),
                    _ => Ok(Val::made(format!("(0 - {})", val.code), val.ty)),
                }
            }
            _ => {
                let val = self.expr(inner, want)?;
                if let Some(Konst::Int(n)) = val.konst {
                    return self.konst(Konst::Int(!n), val.ty, at);
                }
                let most = match self.w.under(&val.ty) {
                    Ty::Int(Int::Uint8) => "255",
                    Ty::Int(Int::Uint16) => "65535",
                    Ty::Int(Int::Uint | Int::Uint32 | Int::Uint64) => {
                        return refuse_as(
                            "G0403",
                            at,
                            format!("the operator `{op}` gives a number that is too large"),
                            "compute without it",
                        );
                    }
                    _ => "(-1)",
                };
                let code = self.simple(&val);
                Ok(Val::made(format!("({most} - {code})"), val.ty))
            }
        }
    }

    /// Whether nothing is kept of values of a type.
    pub(crate) fn is_vague(&self, ty: &Ty) -> bool {
        matches!(self.w.under(ty), Ty::Float | Ty::Opaque(_))
    }

    /// What a test on data that is not kept gives. Nobody chooses it, so that nobody may hope for one of the two.
    pub(crate) fn either(&mut self, why: &str, at: (Pos, Pos)) -> Val {
        self.w.note(why, at.0);
        self.compared(at)
    }

    /// A truth value that the world outside decides, such as a clock: both happen.
    pub(crate) fn given_either(&mut self, why: &str, at: (Pos, Pos)) -> Val {
        self.w.note(why, at.0);
        let temp = self.temp();
        self.emit(format!("choose {temp} in bool"));
        Val::made(temp, Ty::Bool)
    }

    /// A number of which nothing is kept: one of those that matter here.
    pub(crate) fn some_number(&mut self, why: &str, at: (Pos, Pos)) -> R<Val> {
        self.w.note(why, at.0);
        let temp = self.temp();
        self.emit_at(chosen_number(&temp), at);
        let wide = self.keep_as(&temp, "-big..=big");
        Ok(Val { chosen: Some(temp), ..Val::made(wide, Ty::INT) })
    }

    /// What a comparison with a number gives of which nothing is kept: that is all that is chosen then.
    pub(crate) fn compared(&mut self, at: (Pos, Pos)) -> Val {
        let temp = self.temp();
        self.emit_at(format!("forgotten choose {temp} in bool"), at);
        Val::made(temp, Ty::Bool)
    }

    /// A number that the world outside decides.
    pub(crate) fn given_number(&mut self, why: &str, at: (Pos, Pos)) -> R<Val> {
        self.w.note(why, at.0);
        let temp = self.temp();
        self.emit_at(format!("choose {temp} in 0..=3"), at);
        let wide = self.keep_as(&temp, "-big..=big");
        Ok(Val::made(wide, Ty::INT))
    }
}
