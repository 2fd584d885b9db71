//! One function while it is translated: its variables, its lines, where `break` leads.

use std::collections::{HashMap, HashSet};

use crate::names::safe;
use crate::syntax::*;
use crate::types::{Konst, Ty};
use crate::world::{Entity, Line, R, Scopes, World, refuse};

/// An expression of `.kin`, and what it was in Go.
#[derive(Clone, Debug)]
pub(crate) struct Val {
    pub(crate) code: String,
    pub(crate) ty: Ty,
    pub(crate) konst: Option<Konst>,
    /// Whether nobody else knows the object.
    pub(crate) fresh: bool,
    /// Whether it was just read from a clock, or computed from that: the world outside decides how it compares.
    pub(crate) is_clock: bool,
    /// For a number of which nothing is kept, the variable in which some value is chosen.
    pub(crate) chosen: Option<String>,
}

impl Val {
    pub(crate) fn new(code: impl Into<String>, ty: Ty) -> Val {
        Val { code: code.into(), ty, konst: None, fresh: false, is_clock: false, chosen: None }
    }

    /// A time or a duration by the clock.
    pub(crate) fn of_clock(of: &'static str) -> Val {
        Val { is_clock: true, ..Val::made("0", Ty::Opaque(of)) }
    }

    pub(crate) fn made(code: impl Into<String>, ty: Ty) -> Val {
        Val { code: code.into(), ty, konst: None, fresh: true, is_clock: false, chosen: None }
    }
}

/// Whether a name stands in an expression.
fn mentions(code: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_name(c) || c == '.') && !after.is_some_and(is_name)
    })
}

/// A variable in this function.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) kin: String,
    pub(crate) ty: Ty,
    pub(crate) boxed: bool,
}

/// A statement that `break` or `continue` can leave.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) label: Option<String>,
    /// The loop of `.kin` that `break` leaves.
    pub(crate) outer: String,
    /// The loop of `.kin` whose end is where `continue` goes on.
    pub(crate) inner: Option<String>,
    pub(crate) is_loop: bool,
}

/// Something deferred.
#[derive(Clone, Debug)]
pub(crate) struct Deferred {
    pub(crate) flag: String,
    pub(crate) lines: Vec<Line>,
    /// Whether it may recover.
    pub(crate) recovers: bool,
}

pub(crate) struct Fx<'w, 't> {
    pub(crate) w: &'w mut World<'t>,
    pub(crate) lines: Vec<Line>,
    pub(crate) at: (Pos, Pos),
    pub(crate) scopes: Scopes,
    pub(crate) vars: HashMap<Pos, Variable>,
    pub(crate) names: HashSet<String>,
    pub(crate) targets: Vec<Target>,
    pub(crate) temps: usize,
    pub(crate) results: Vec<Ty>,
    /// The variables that results are kept in, where they have names or something is deferred.
    pub(crate) result_vars: Vec<Pos>,
    pub(crate) named_results: bool,
    pub(crate) deferred: Vec<Deferred>,
    pub(crate) has_defer: bool,
    /// Lines that come before the body.
    pub(crate) prologue: Vec<Line>,
    pub(crate) shown: String,
    pub(crate) iota: Option<i128>,
    pub(crate) is_main: bool,
    pub(crate) is_process: bool,
    pub(crate) pending_label: Option<String>,
    pub(crate) loop_depth: usize,
    /// What the value of an assignment replaces, as it is written.
    pub(crate) replaced: Option<String>,
    /// Whether the value becomes that of a new variable.
    pub(crate) declares: bool,
    /// Whether what is deferred is kept in a sequence, since that is done in a loop.
    pub(crate) defer_stack: bool,
    /// Whether something that is deferred here may recover.
    pub(crate) may_recover: bool,
    /// Whether it calls `recover` itself.
    pub(crate) recovers: bool,
    /// Whether nobody calls it: what gives variables of the package their first values.
    pub(crate) is_top: bool,
    /// Labels that can be jumped to.
    pub(crate) jumps: Vec<crate::goto::Jump>,
    /// The depth of scopes whose variables are declared at the beginning of the function.
    pub(crate) hoisted: Option<usize>,
    /// Where a panic leads while something deferred is done.
    pub(crate) landing: Option<crate::unwind::Landing>,
}

impl<'w, 't> Fx<'w, 't> {
    pub(crate) fn new(w: &'w mut World<'t>, shown: &str) -> Fx<'w, 't> {
        Fx {
            w,
            lines: Vec::new(),
            at: (0, 0),
            scopes: vec![HashMap::new()],
            vars: HashMap::new(),
            names: HashSet::new(),
            targets: Vec::new(),
            temps: 0,
            results: Vec::new(),
            result_vars: Vec::new(),
            named_results: false,
            deferred: Vec::new(),
            has_defer: false,
            prologue: Vec::new(),
            shown: shown.to_owned(),
            iota: None,
            is_main: false,
            is_process: false,
            pending_label: None,
            loop_depth: 0,
            replaced: None,
            declares: false,
            defer_stack: false,
            may_recover: false,
            recovers: false,
            is_top: false,
            jumps: Vec::new(),
            hoisted: None,
            landing: None,
        }
    }

    pub(crate) fn emit(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.w.assigned.note(&text);
        self.lines.push(Line { text, pos: self.at });
    }

    /// The same of a part of the statement.
    pub(crate) fn emit_at(&mut self, text: impl Into<String>, at: (Pos, Pos)) {
        let statement = std::mem::replace(&mut self.at, at);
        self.emit(text);
        self.at = statement;
    }

    /// A value that others cannot change any more: what is read of shared data is read here, in a step of its own, as Go
    /// evaluates one operand after the other.
    pub(crate) fn settled(&mut self, val: Val) -> Val {
        if val.konst.is_some() || !self.reads_shared(&val.code) {
            return val;
        }
        let code = self.keep(&val);
        Val { code, ..val }
    }

    /// Whether an expression reads what others may change.
    pub(crate) fn reads_shared(&self, code: &str) -> bool {
        self.w.assigned.is_read(code) || self.w.globals.iter().any(|one| mentions(code, &one.kin))
    }

    pub(crate) fn temp(&mut self) -> String {
        self.temps += 1;
        format!("t{}", self.temps)
    }

    /// Keeps a value in a variable of its own.
    pub(crate) fn keep(&mut self, val: &Val) -> String {
        let kin = self.w.kin(&val.ty);
        self.keep_as(&val.code, &kin)
    }

    pub(crate) fn keep_as(&mut self, code: &str, kin: &str) -> String {
        let temp = self.temp();
        self.emit(format!("let {temp}: {kin} = {code}"));
        temp
    }

    /// Evaluates what nobody wants: it is read all the same, and may fail.
    pub(crate) fn evaluated(&mut self, val: &Val) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_known = val.konst.is_some() || val.code.chars().all(is_name);
        let is_read = !is_known || self.is_global(&val.code);
        let under = self.w.under(&val.ty);
        let is_plain = self.is_vague(&val.ty)
            || matches!(under, Ty::Bool | Ty::Int(_) | Ty::Str | Ty::Func(_));
        let is_reference = matches!(under, Ty::Pointer(_) | Ty::Map(..) | Ty::Chan(..));
        let is_kept = is_plain || is_reference || matches!(under, Ty::Slice(_) | Ty::Interface(_));
        if is_read && is_kept {
            self.keep(val);
        }
    }

    /// A simple name for an expression, which is kept unless it is one already.
    pub(crate) fn simple(&mut self, val: &Val) -> String {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if val.code.chars().all(is_name) && val.code != "none" && !self.is_global(&val.code) {
            return val.code.clone();
        }
        self.keep(val)
    }

    fn is_global(&self, code: &str) -> bool {
        self.w.globals.iter().any(|global| global.kin == code)
    }

    /// A local name that nothing else has.
    pub(crate) fn local(&mut self, wish: &str) -> String {
        let wish = safe(wish);
        let mut name = wish.clone();
        let mut number = 2;
        while self.w.names.contains(&name) || !self.names.insert(name.clone()) {
            name = format!("{wish}_{number}");
            number += 1;
        }
        name
    }

    pub(crate) fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(crate) fn close(&mut self) {
        self.scopes.pop();
    }

    pub(crate) fn bind(&mut self, name: &str, entity: Entity) {
        if name != "_" {
            self.scopes.last_mut().expect("a scope").insert(name.to_owned(), entity);
        }
    }

    pub(crate) fn look_up(&self, name: &str) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).cloned())
    }

    /// Whether a variable of a type that is declared there is kept in an object of its own.
    pub(crate) fn is_boxed(&self, pos: Pos, ty: &Ty) -> bool {
        if self.w.is_object(ty) {
            return false;
        }
        let escape = self.w.escapes.variables.get(&pos).copied().unwrap_or_default();
        let is_choice = matches!(self.w.under(ty), Ty::Func(_) | Ty::Interface(_));
        escape.addressed || escape.captured && (escape.reassigned || is_choice)
    }

    /// Declares a variable with a first value.
    pub(crate) fn declare(&mut self, name: &Ident, ty: Ty, first: &str) {
        if name.name == "_" {
            return;
        }
        let was = ty.clone();
        let ty = self.remarked(&name.name, name.pos, ty);
        let remark = self.w.remark_on(name.pos);
        let chosen = remark.and_then(|remark| self.chosen(remark, &ty));
        let first = match chosen {
            Some(chosen) => chosen,
            None if ty != was => "0".to_owned(),
            None => first.to_owned(),
        };
        let mut kin = self.local(&name.name);
        let boxed = self.is_boxed(name.pos, &ty);
        if self.hoisted == Some(self.scopes.len()) {
            let of = if boxed { self.w.object(&ty) } else { self.w.kin(&ty) };
            match self.w.zero(&ty).filter(|_| !boxed) {
                Some(zero) => {
                    self.prologue(format!("let {kin}: {of} = {zero}"));
                    self.emit(format!("{kin} = {first}"));
                }
                None => {
                    let made = if boxed { format!("new {of}(first: {first})") } else { first };
                    self.prologue(format!("let {kin}: {of}? = none"));
                    self.emit(format!("{kin} = {made}"));
                    kin.push('!');
                }
            }
        } else if boxed {
            let cell = self.w.object(&ty);
            self.emit(format!("let {kin}: {cell} = new {cell}(first: {first})"));
        } else {
            let of = self.w.kin(&ty);
            self.emit(format!("let {kin}: {of} = {first}"));
        }
        self.vars.insert(name.pos, Variable { kin, ty, boxed });
        self.bind(&name.name, Entity::Var(name.pos));
    }

    pub(crate) fn variable(&self, pos: Pos, at: (Pos, Pos)) -> R<Variable> {
        match self.vars.get(&pos) {
            Some(variable) => Ok(variable.clone()),
            None => refuse(at, "this variable is out of reach here", "pass it as an argument"),
        }
    }

    /// Does something that may be refused, and reports it.
    pub(crate) fn attempt(&mut self, what: impl FnOnce(&mut Self) -> R<()>) {
        if let Err(refusal) = what(self) {
            self.w.report(*refusal);
        }
    }

    /// The lines that something emits, on their own.
    pub(crate) fn apart<T>(&mut self, what: impl FnOnce(&mut Self) -> R<T>) -> R<(T, Vec<Line>)> {
        let before = std::mem::take(&mut self.lines);
        let result = what(self);
        let lines = std::mem::replace(&mut self.lines, before);
        Ok((result?, lines))
    }

    /// Makes the zero value of a type.
    pub(crate) fn zero(&mut self, ty: &Ty) -> R<String> {
        if let Some(zero) = self.w.zero(ty) {
            return Ok(zero);
        }
        let kin = self.w.kin(ty);
        let code = match self.w.under(ty) {
            Ty::Struct(fields) => {
                let mut args = Vec::new();
                for (at, field) in fields.iter().enumerate() {
                    if let Some(zero) = self.field_zero(ty, field)? {
                        args.push(format!(
                            "init_{}: {zero}",
                            crate::kin::field_name(&field.name, at)
                        ));
                    }
                }
                if args.is_empty() {
                    format!("new {kin}")
                } else {
                    format!("new {kin}({})", args.join(", "))
                }
            }
            Ty::Array(n, element) => {
                self.room_for(n);
                let mut items = Vec::new();
                for _ in 0..n {
                    let zero = match self.w.is_object(&element) {
                        true => self.zero(&element)?,
                        false => self.w.zero(&element).unwrap_or_else(|| "none".into()),
                    };
                    items.push(self.element_first(&element, zero));
                }
                format!("new {kin}(first: [{}])", items.join(", "))
            }
            Ty::Lib(lib) => self.zero_lib(lib)?,
            _ => {
                return refuse(
                    self.at,
                    format!("a value of type {} cannot be made here", self.w.show(ty)),
                    "give it a value of another type",
                );
            }
        };
        let temp = self.temp();
        self.emit(format!("let {temp}: {kin} = {code}"));
        Ok(temp)
    }

    /// There is room for as many elements.
    pub(crate) fn room_for(&mut self, count: u32) {
        self.w.room = self.w.room.max(count.min(256));
    }

    /// A value as it is passed on: objects are copied, unless nobody else knows them.
    pub(crate) fn copied(&mut self, val: Val) -> R<Val> {
        if val.fresh || !self.w.is_object(&val.ty) {
            return Ok(val);
        }
        let copy = self.copy_object(&val.code, &val.ty)?;
        Ok(Val::made(copy, val.ty))
    }

    fn copy_object(&mut self, code: &str, ty: &Ty) -> R<String> {
        let kin = self.w.kin(ty);
        let made = match self.w.under(ty) {
            Ty::Struct(fields) => {
                let from = self.keep_as(code, &kin);
                let mut args = Vec::new();
                for (at, field) in fields.iter().enumerate() {
                    let name = crate::kin::field_name(&field.name, at);
                    let value = format!("{from}.{}", self.w.field_access(ty, field, at));
                    let value = if self.w.is_object(&field.ty) {
                        self.copy_object(&value, &field.ty)?
                    } else {
                        self.settled(Val::new(value, field.ty.clone())).code
                    };
                    let value = self.field_first(ty, field, value);
                    args.push(format!("init_{name}: {value}"));
                }
                if args.is_empty() {
                    format!("new {kin}")
                } else {
                    format!("new {kin}({})", args.join(", "))
                }
            }
            Ty::Array(n, element) if self.w.is_boxed_element(&element) => {
                let from = self.keep_as(code, &kin);
                let mut items = Vec::new();
                for at in 0..n {
                    let value = Val::new(format!("{from}.items[{at}]!.v"), (*element).clone());
                    let value = self.settled(value).code;
                    items.push(self.element_first(&element, value));
                }
                format!("new {kin}(first: [{}])", items.join(", "))
            }
            Ty::Array(_, element) if !self.w.is_object(&element) => {
                format!("new {kin}(first: {code}.items)")
            }
            Ty::Array(n, element) => {
                let from = self.keep_as(code, &kin);
                let mut items = Vec::new();
                for at in 0..n {
                    items.push(self.copy_object(&format!("{from}.items[{at}]!"), &element)?);
                }
                format!("new {kin}(first: [{}])", items.join(", "))
            }
            // A lock is copied as it is; `go vet` warns of it.
            Ty::Lib(lib) => return self.copy_lib(code, lib),
            _ => code.to_owned(),
        };
        let temp = self.temp();
        self.emit(format!("let {temp}: {kin} = {made}"));
        Ok(temp)
    }

    /// An element of a channel, map or slice as a value: a missing object is a zero value.
    pub(crate) fn unkept(&mut self, code: &str, ty: &Ty, may_miss: bool) -> R<Val> {
        if !self.w.is_object(ty) {
            return Ok(Val::new(code, ty.clone()));
        }
        if !may_miss {
            return Ok(Val::new(format!("{code}!"), ty.clone()));
        }
        let kin = self.w.kin(ty);
        let from = self.keep_as(code, &format!("{kin}?"));
        let to = self.temp();
        self.emit(format!("let {to}: {kin}? = {from}"));
        self.emit(format!("if {to} == none {{"));
        let zero = self.zero(ty)?;
        self.emit(format!("{to} = {zero}"));
        self.emit("}");
        Ok(Val::new(format!("{to}!"), ty.clone()))
    }
}
