//! Fields and methods, also of what is embedded; function values and closures; type assertions.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::kin::field_name;
use crate::lib_types::lib_methods;
use crate::packages::qualified;
use crate::syntax::*;
use crate::types::{Sig, Ty};
use crate::world::{Entity, FnCase, FnTarget, R, refuse, refuse_as};

/// A field or a method, and the embedded fields that lead there.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) path: Vec<(String, Ty)>,
    pub(crate) kind: MemberKind,
}

#[derive(Clone, Debug)]
pub(crate) enum MemberKind {
    Field(String, Ty),
    /// A method that is declared, of the type with this name.
    Method(Ty, Rc<FuncDecl>),
    /// A method of an interface.
    Dynamic(Ty, Sig),
    /// A method or field of a type of the library.
    Library,
}

impl Fx<'_, '_> {
    /// Looks for a field or method: breadth first, as Go does.
    pub(crate) fn member(&mut self, ty: &Ty, name: &str) -> Option<Member> {
        let mut level: Vec<(Vec<(String, Ty)>, Ty)> = vec![(Vec::new(), ty.clone())];
        let mut seen: Vec<Ty> = Vec::new();
        while !level.is_empty() && level.len() < 1000 {
            let mut next = Vec::new();
            for (path, ty) in level {
                let base = match &ty {
                    Ty::Pointer(to) => (**to).clone(),
                    other => other.clone(),
                };
                if seen.contains(&base) {
                    continue;
                }
                seen.push(base.clone());
                if let Ty::Named(id) = &base
                    && let Some(decl) = self.w.named[*id].methods.get(name)
                {
                    return Some(Member {
                        path,
                        kind: MemberKind::Method(base.clone(), decl.clone()),
                    });
                }
                match self.w.under(&base) {
                    Ty::Struct(fields) => {
                        for (at, field) in fields.iter().enumerate() {
                            if field.name == name {
                                let kin = self.w.field_access(&base, field, at);
                                return Some(Member {
                                    path,
                                    kind: MemberKind::Field(kin, field.ty.clone()),
                                });
                            }
                        }
                        for (at, field) in
                            fields.iter().enumerate().filter(|(_, field)| field.embedded)
                        {
                            let mut path = path.clone();
                            path.push((field_name(&field.name, at), field.ty.clone()));
                            next.push((path, field.ty.clone()));
                        }
                    }
                    Ty::Interface(methods) => {
                        if let Some((_, sig)) = methods.iter().find(|(method, _)| method == name) {
                            return Some(Member {
                                path,
                                kind: MemberKind::Dynamic(base.clone(), sig.clone()),
                            });
                        }
                    }
                    Ty::Lib(lib) if lib_methods(lib).contains(&name) => {
                        return Some(Member { path, kind: MemberKind::Library });
                    }
                    Ty::Opaque(_) => {
                        return Some(Member { path, kind: MemberKind::Library });
                    }
                    _ => {}
                }
            }
            level = next;
        }
        None
    }

    /// Follows embedded fields.
    pub(crate) fn follow(&mut self, val: Val, path: &[(String, Ty)]) -> Val {
        let mut val = val;
        for (field, ty) in path {
            let base = self.object_of(&val, field);
            val = Val::new(format!("{base}.{field}"), ty.clone());
        }
        val
    }

    /// The object that a field is read of. One that never changes is read together with the pointer to it.
    pub(crate) fn object_of(&mut self, val: &Val, field: &str) -> String {
        if self.w.unwinds || self.w.assigned.is_read(&format!(".{field}")) {
            return self.object_code(val);
        }
        match self.w.under(&val.ty) {
            Ty::Pointer(_) if !val.code.ends_with('!') => format!("{}!", val.code),
            _ => val.code.clone(),
        }
    }

    /// An object, of a value or a pointer: a fault if it is nil. A pointer that others may change is read first.
    pub(crate) fn object_code(&mut self, val: &Val) -> String {
        if matches!(self.w.under(&val.ty), Ty::Pointer(_))
            && !val.code.ends_with('!')
            && self.reads_shared(&val.code)
        {
            let kept = self.keep(val);
            self.guard(&format!("{kept} != none"));
            return format!("{kept}!");
        }
        if matches!(self.w.under(&val.ty), Ty::Pointer(_))
            && !val.code.ends_with('!')
            && !val.fresh
            && self.w.kin(&val.ty).ends_with('?')
        {
            let code = val.code.clone();
            self.guard(&format!("{code} != none"));
        }
        match self.w.under(&val.ty) {
            Ty::Pointer(_) if val.code.ends_with('!') => val.code.clone(),
            Ty::Pointer(_) => format!("{}!", val.code),
            _ => val.code.clone(),
        }
    }

    pub(crate) fn no_member<T>(&mut self, ty: &Ty, name: &str, at: (Pos, Pos)) -> R<T> {
        let shown = self.w.show(ty);
        refuse_as(
            "G0204",
            at,
            format!("{shown} has no field or method `{name}`"),
            "declare it, or correct the name",
        )
    }

    /// `x.f`: a field, a method as a value, or something of a package.
    pub(crate) fn select(&mut self, of: &Expr, name: &Ident, at: (Pos, Pos)) -> R<Val> {
        if let Some(path) = self.package(of) {
            let name = &name.name;
            let whole = qualified(&path, name);
            return match self.w.items.contains_key(&whole) {
                true => self.name(&whole, None, at),
                false => self.package_value(&path, name, at),
            };
        }
        if let Some(ty) = self.as_type(of)? {
            return self.method_expression(&ty, name, at);
        }
        let val = self.receiver_base(of, &name.name)?;
        let Some(member) = self.member(&val.ty, &name.name) else {
            return self.no_member(&val.ty.clone(), &name.name, at);
        };
        let base = self.follow(val, &member.path);
        match member.kind {
            MemberKind::Field(field, ty) => {
                let object = self.object_of(&base, &field);
                Ok(Val::new(format!("{object}.{field}"), ty))
            }
            MemberKind::Library if self.is_lib_field(&base.ty, &name.name) => {
                self.lib_field(&base, &name.name, at)
            }
            MemberKind::Method(of, decl) => {
                let sig = self.method_sig(&of, &decl)?;
                let receiver = self.receiver(base, &of, &decl, at)?;
                self.bound_method(receiver, &name.name, sig)
            }
            MemberKind::Dynamic(ty, sig) => {
                let base = Val { ty, ..base };
                self.bound_method(base, &name.name, sig)
            }
            MemberKind::Library => {
                let sig = self.lib_signature(&base.ty, &name.name, at)?;
                self.bound_method(base, &name.name, sig)
            }
        }
    }

    /// The receiver as the method wants it: a pointer, or a copy.
    pub(crate) fn receiver(
        &mut self,
        base: Val,
        of: &Ty,
        decl: &FuncDecl,
        at: (Pos, Pos),
    ) -> R<Val> {
        let wants_pointer = decl
            .receiver
            .as_ref()
            .is_some_and(|receiver| matches!(&*receiver.of.bare().kind, ExprKind::Star(_)));
        let is_pointer = matches!(base.ty, Ty::Pointer(_));
        match (wants_pointer, is_pointer) {
            (true, true) => Ok(base),
            (false, false) => {
                let val = self.copied(base)?;
                Ok(val)
            }
            (true, false) => {
                if self.w.is_object(of) {
                    return Ok(Val { ty: of.clone().pointer(), konst: None, ..base });
                }
                match base.code.strip_suffix(".v") {
                    Some(cell) => Ok(Val::new(cell, of.clone().pointer())),
                    None => refuse_as(
                        "G0405",
                        at,
                        "the address of this is taken, which is not understood",
                        "use a variable",
                    ),
                }
            }
            (false, true) => {
                let code = if self.w.is_object(of) {
                    format!("{}!", base.code)
                } else {
                    format!("{}!.v", base.code)
                };
                self.copied(Val::new(code, of.clone()))
            }
        }
    }

    pub(crate) fn method_sig(&mut self, of: &Ty, decl: &Rc<FuncDecl>) -> R<Sig> {
        let bindings = self.receiver_bindings(of, decl);
        let mut fx = Fx::new(self.w, "sig");
        fx.scopes.push(bindings);
        fx.signature(&decl.of)
    }

    /// The type arguments of a receiver, by the names that a method gives them.
    pub(crate) fn receiver_bindings(
        &mut self,
        of: &Ty,
        decl: &FuncDecl,
    ) -> HashMap<String, Entity> {
        let mut bindings = HashMap::new();
        let Ty::Named(id) = of else { return bindings };
        let args = self.w.named[*id].args.clone();
        let mut receiver = decl.receiver.as_ref().map(|receiver| receiver.of.bare().clone());
        if let Some(ExprKind::Star(inner)) = receiver.as_ref().map(|expr| (*expr.kind).clone()) {
            receiver = Some(inner.bare().clone());
        }
        if let Some(ExprKind::Index(_, names)) = receiver.map(|expr| *expr.kind) {
            for (name, arg) in names.iter().zip(args) {
                if let Some(name) = name.name() {
                    bindings.insert(name.to_owned(), Entity::Type(arg));
                }
            }
        }
        bindings
    }

    /// A method with its receiver as a function value.
    fn bound_method(&mut self, receiver: Val, name: &str, sig: Sig) -> R<Val> {
        let fn_type = self.w.fn_type(&sig);
        let mut kin = self.w.kin(&receiver.ty);
        let mut code = receiver.code;
        let mut ty = receiver.ty.clone();
        if self.w.is_interface(&receiver.ty) {
            let cell = self.w.object(&receiver.ty);
            let temp = self.temp();
            self.emit(format!("let {temp}: {cell} = new {cell}(first: {code})"));
            (kin, code, ty) = (cell, temp, receiver.ty.clone());
        }
        let case = format!("fn{fn_type}_{}_{name}", self.w.mangled(&ty));
        let case = self.fn_case(
            fn_type,
            case,
            vec![("of".into(), kin)],
            FnTarget::Method(ty, name.to_owned()),
        );
        Ok(Val::made(format!("{case}({code})"), Ty::Func(Rc::new(sig))))
    }

    /// `T.method` as a function value.
    fn method_expression(&mut self, ty: &Ty, name: &Ident, at: (Pos, Pos)) -> R<Val> {
        let member = self.member(ty, &name.name);
        let is_pointer = matches!(ty, Ty::Pointer(_));
        if let Some(Member { path, kind: MemberKind::Method(of, decl) }) = member
            && path.is_empty()
            && decl.receiver.as_ref().is_some_and(|receiver| {
                matches!(&*receiver.of.bare().kind, ExprKind::Star(_)) == is_pointer
            })
        {
            let (kin, mut sig) = self.wanted_method(&of, &decl, false, at)?;
            sig.params.insert(0, ty.clone());
            let fn_type = self.w.fn_type(&sig);
            let case = format!("fn{fn_type}_{kin}");
            let case = self.fn_case(fn_type, case, Vec::new(), FnTarget::Function(kin));
            return Ok(Val::made(case, Ty::Func(Rc::new(sig))));
        }
        self.method_called(ty, &name.name, at)
    }

    /// `T.method` where it is not declared for `T` itself: a function that calls it.
    fn method_called(&mut self, ty: &Ty, name: &str, at: (Pos, Pos)) -> R<Val> {
        let own = match self.member(ty, name) {
            Some(Member { kind: MemberKind::Method(of, decl), .. }) => {
                self.method_sig(&of, &decl)?
            }
            Some(Member { kind: MemberKind::Dynamic(_, sig), .. }) => sig,
            Some(Member { kind: MemberKind::Library, path }) => {
                let of = path.last().map_or(ty.clone(), |(_, of)| of.clone());
                self.lib_signature(&of, name, at)?
            }
            _ => return self.no_member(ty, name, at),
        };
        let mut sig = own.clone();
        sig.params.insert(0, ty.clone());
        let fn_type = self.w.fn_type(&sig);
        let key = format!("expression {ty:?} {name}");
        let kin = match self.w.instances.get(&key) {
            Some(kin) => kin.clone(),
            None => {
                let shown = format!("{}.{name}", self.w.show(ty));
                let kin = self.w.fresh(&format!("go_{}", shown.replace('.', "_")));
                self.w.instances.insert(key, kin.clone());
                self.w.shown.insert(kin.clone(), shown);
                let mut fx = Fx::new(self.w, name);
                fx.at = at;
                fx.calling(&kin, ty, name, &own)?;
                let lines = std::mem::take(&mut fx.lines);
                fx.w.routines.extend(lines);
                kin
            }
        };
        let case = format!("fn{fn_type}_{kin}");
        let case = self.fn_case(fn_type, case, Vec::new(), FnTarget::Function(kin));
        Ok(Val::made(case, Ty::Func(Rc::new(sig))))
    }

    /// The case of a function in the enumeration of its signature.
    pub(crate) fn fn_case(
        &mut self,
        fn_type: usize,
        name: String,
        captured: Vec<(String, String)>,
        target: FnTarget,
    ) -> String {
        let cases = &mut self.w.fn_types[fn_type].cases;
        if !cases.iter().any(|case| case.name == name) {
            cases.push(FnCase { name: name.clone(), captured, target });
        }
        name
    }

    /// A declared function as a value.
    pub(crate) fn function_value(
        &mut self,
        decl: &Rc<FuncDecl>,
        types: &[Ty],
        at: (Pos, Pos),
    ) -> R<Val> {
        let (kin, sig) = self.wanted_function(decl, types, false, at)?;
        let fn_type = self.w.fn_type(&sig);
        let case = self.fn_case(
            fn_type,
            format!("fn{fn_type}_{kin}"),
            Vec::new(),
            FnTarget::Function(kin),
        );
        Ok(Val::made(case, Ty::Func(Rc::new(sig))))
    }

    /// What a literal captures: the variables that are known here.
    pub(crate) fn captured(&mut self, pos: Pos) -> Vec<Pos> {
        let all: BTreeSet<Pos> = self.w.escapes.captures.get(&pos).cloned().unwrap_or_default();
        all.into_iter().filter(|var| self.vars.contains_key(var)).collect()
    }

    /// A closure: a function that gets what it captures as its first arguments.
    pub(crate) fn func_literal(&mut self, literal: &FuncLit, at: (Pos, Pos)) -> R<Val> {
        let sig = self.signature(&literal.of)?;
        let fn_type = self.w.fn_type(&sig);
        let (kin, captured) = self.literal_routine(literal, at, false)?;
        let names: Vec<(String, String)> = captured
            .iter()
            .enumerate()
            .map(|(at, (_, of))| (format!("c{at}"), of.clone()))
            .collect();
        let case =
            self.fn_case(fn_type, format!("fn{fn_type}_{kin}"), names, FnTarget::Function(kin));
        let args: Vec<String> = captured.into_iter().map(|(code, _)| code).collect();
        let code = if args.is_empty() { case } else { format!("{case}({})", args.join(", ")) };
        Ok(Val::made(code, Ty::Func(Rc::new(sig))))
    }

    /// Translates a literal to a function or process of its own; gives its name, and what it captures with the types.
    pub(crate) fn literal_routine(
        &mut self,
        literal: &FuncLit,
        at: (Pos, Pos),
        process: bool,
    ) -> R<(String, Vec<(String, String)>)> {
        let positions = self.captured(at.0);
        let mut captured = Vec::new();
        for pos in &positions {
            let variable = self.variable(*pos, at)?;
            let of =
                if variable.boxed { self.w.object(&variable.ty) } else { self.w.kin(&variable.ty) };
            captured.push((variable.kin, of));
        }
        let key = format!("lit {} {} {}", self.shown, at.0, process);
        // The same literal in another instance of a generic function has other types.
        let key = format!("{key} {:?}", captured);
        if let Some(kin) = self.w.instances.get(&key) {
            return Ok((kin.clone(), captured));
        }
        let base = format!("{}.func", self.shown);
        let number = self.w.literals.entry(base).or_insert(0);
        *number += 1;
        let shown = format!("{}.func{number}", self.shown);
        let kin = self.w.fresh(&shown.replace('.', "_"));
        self.w.instances.insert(key, kin.clone());
        self.w.shown.insert(kin.clone(), shown.clone());
        let sig = self.signature(&literal.of)?;
        let scopes = self.scopes.clone();
        let vars: Vec<_> = positions.iter().map(|pos| (*pos, self.vars[pos].clone())).collect();
        let end = literal.body.end;
        let head = (at.0, at.0 + 4);
        let mut fx = Fx::new(self.w, &shown);
        fx.at = head;
        fx.scopes = scopes;
        fx.is_process = process;
        let mut params = Vec::new();
        for ((pos, variable), (_, of)) in vars.into_iter().zip(&captured) {
            let name = fx.local(&variable.kin);
            params.push(format!("{name}: {of}"));
            fx.vars.insert(pos, crate::fx::Variable { kin: name, ..variable });
        }
        fx.routine(&kin, params, &literal.of, &sig, &literal.body, None, end)?;
        Ok((kin, captured))
    }

    /// A value of an interface as one of a type, and whether it is one.
    pub(crate) fn assert_type(&mut self, value: &Val, ty: &Ty, at: (Pos, Pos)) -> R<(Val, String)> {
        if !self.w.is_interface(&value.ty) {
            if matches!(value.ty, Ty::Lib(_)) {
                return refuse(at, "what is behind this is not known", "use it as it is");
            }
            return refuse_as("G0301", at, "this is no interface", "use the value itself");
        }
        let from = self.simple(value);
        let ok = self.temp();
        if self.w.is_interface(ty) {
            let asks = self.asks(ty);
            self.emit(format!("let {ok}: bool = {asks}({from})"));
            let to = self.temp();
            self.emit(format!("let {to}: Any = if {ok} then {from} else any_nil"));
            return Ok((Val::new(to, ty.clone()), ok));
        }
        let case = self.any_case(ty);
        self.emit(format!("let {ok}: bool = {from} is {case}"));
        let kept = self.w.kept(ty);
        let to = self.temp();
        let zero = self.w.zero(ty).unwrap_or_else(|| "none".into());
        self.emit(format!("let {to}: {kept} = {zero}"));
        let is_func = matches!(self.w.under(ty), Ty::Func(_));
        let inner = self.temp();
        self.emit(format!("match {from} {{"));
        let payload = if is_func { format!("{inner}.v") } else { inner.clone() };
        self.emit(format!("{case}({inner}) {{ {to} = {payload} }}"));
        self.emit("else { }");
        self.emit("}");
        let val = self.unkept(&to, ty, true)?;
        Ok((val, ok))
    }

    /// The function that tells whether a value has the methods of an interface.
    pub(crate) fn asks(&mut self, ty: &Ty) -> String {
        let under = self.w.under(ty);
        if let Some((_, name)) = self.w.asked.iter().find(|(known, _)| *known == under) {
            return name.clone();
        }
        let name = format!("dyn_is{}", self.w.asked.len());
        self.w.asked.push((under, name.clone()));
        name
    }

    /// Whether a type has the methods of an interface.
    pub(crate) fn implements(&mut self, ty: &Ty, interface: &Ty) -> bool {
        let Ty::Interface(methods) = self.w.under(interface) else { return false };
        let is_pointer = matches!(ty, Ty::Pointer(_));
        methods.iter().all(|(name, _)| match self.member(ty, name) {
            Some(Member { kind: MemberKind::Method(_, decl), path }) => {
                let wants_pointer = decl
                    .receiver
                    .as_ref()
                    .is_some_and(|receiver| matches!(&*receiver.of.bare().kind, ExprKind::Star(_)));
                let by_pointer = path
                    .last()
                    .map_or(is_pointer, |(_, ty)| is_pointer || matches!(ty, Ty::Pointer(_)));
                !wants_pointer || by_pointer
            }
            Some(Member { kind: MemberKind::Field(..), .. }) | None => false,
            Some(_) => true,
        })
    }
}
