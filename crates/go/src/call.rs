//! Calls: what is called and its arguments are evaluated first, and then it is called, started or deferred.

use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::member::MemberKind;
use crate::syntax::*;
use crate::types::{Sig, Ty};
use crate::world::{Entity, Item, R, refuse, refuse_as};

/// What is called.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    Function(Rc<FuncDecl>, Vec<Ty>, Sig),
    Method(Ty, Rc<FuncDecl>, Sig, Val),
    Dynamic(Val, String, Sig),
    Value(Val, Sig),
    /// A literal that is called where it stands.
    Literal(FuncLit, (Pos, Pos), Sig),
    Library(Val, String),
    Package(String, String),
    Builtin(String),
    Conversion(Ty),
}

const BUILTINS: [&str; 15] = [
    "make", "new", "len", "cap", "append", "copy", "delete", "close", "panic", "print", "println",
    "recover", "min", "max", "clear",
];

impl Fx<'_, '_> {
    pub(crate) fn call(
        &mut self,
        callee: &Expr,
        args: &[Expr],
        spread: bool,
        want: Option<&Ty>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let found = self.callee(callee, args, at)?;
        if let Callee::Builtin(name) = &found {
            let name = name.clone();
            return self.builtin(&name, args, spread, want, at);
        }
        if let Callee::Conversion(ty) = &found {
            let ty = ty.clone();
            return self.conversion(&ty, args, at);
        }
        if let Callee::Package(path, name) = &found
            && let Some(val) = self.special_call(&path.clone(), &name.clone(), args, at)?
        {
            return Ok(val);
        }
        let args = self.arguments(&found, args, spread, at)?;
        self.invoke(found, args, at)
    }

    /// What an expression that is called stands for.
    pub(crate) fn callee(&mut self, callee: &Expr, args: &[Expr], at: (Pos, Pos)) -> R<Callee> {
        let bare = callee.bare();
        match &*bare.kind {
            ExprKind::Name(name) if self.look_up(name).is_none() => {
                match self.w.items.get(name).cloned() {
                    Some(Item::Func(decl)) => {
                        let types = match decl.type_params.is_empty() {
                            true => Vec::new(),
                            false => self.inferred(&decl, &[], args, at)?,
                        };
                        return self.function_callee(decl, types);
                    }
                    None if BUILTINS.contains(&name.as_str()) => {
                        return Ok(Callee::Builtin(name.clone()));
                    }
                    _ => {}
                }
            }
            ExprKind::Index(of, types) => {
                if let Some(Item::Func(decl)) = self.declared(of) {
                    let mut given = Vec::new();
                    for ty in types {
                        given.push(self.ty(ty)?);
                    }
                    let types = self.inferred(&decl, &given, args, at)?;
                    return self.function_callee(decl, types);
                }
            }
            ExprKind::FuncLit(literal) => {
                let sig = self.signature(&literal.of)?;
                return Ok(Callee::Literal(literal.clone(), (bare.pos, bare.end), sig));
            }
            ExprKind::Select(of, name) => {
                if let Some(Item::Func(decl)) = self.declared(bare) {
                    let types = self.inferred(&decl, &[], args, at)?;
                    return self.function_callee(decl, types);
                }
                if let Some(path) = self.package(of)
                    && !matches!(self.declared(bare), Some(Item::Var(_)))
                {
                    if let Some(ty) = self
                        .as_type(bare)?
                        .filter(|ty| *ty != Ty::Opaque("a type of another package"))
                    {
                        return Ok(Callee::Conversion(ty));
                    }
                    return Ok(Callee::Package(path, name.name.clone()));
                }
                if self.package(of).is_none() && self.as_type(of)?.is_none() {
                    return self.member_callee(of, name, at);
                }
            }
            _ => {}
        }
        if let Some(ty) = self.as_type(bare)? {
            return Ok(Callee::Conversion(ty));
        }
        let val = self.expr(bare, None)?;
        match self.w.under(&val.ty) {
            Ty::Func(sig) => {
                let code = self.simple(&val);
                Ok(Callee::Value(Val::new(code, val.ty), (*sig).clone()))
            }
            _ => refuse_as(
                "G0301",
                at,
                format!("{} cannot be called", self.w.show(&val.ty)),
                "call a function",
            ),
        }
    }

    fn function_callee(&mut self, decl: Rc<FuncDecl>, types: Vec<Ty>) -> R<Callee> {
        let bound = decl.type_params.iter().zip(&types).filter_map(|(param, ty)| {
            Some((param.name.as_ref()?.name.clone(), Entity::Type(ty.clone())))
        });
        let bindings = bound.collect();
        let mut fx = Fx::new(self.w, "sig");
        fx.scopes.push(bindings);
        let sig = fx.signature(&decl.of)?;
        Ok(Callee::Function(decl, types, sig))
    }

    fn member_callee(&mut self, of: &Expr, name: &Ident, at: (Pos, Pos)) -> R<Callee> {
        let val = self.receiver_base(of, &name.name)?;
        self.method_of(val, &name.name, at)
    }

    /// What a method is called on: its address, where the method wants it and it is no object.
    pub(crate) fn receiver_base(&mut self, of: &Expr, name: &str) -> R<Val> {
        let (val, lines) = self.apart(|fx| fx.expr(of, None))?;
        if !matches!(val.ty, Ty::Pointer(_))
            && !self.w.is_object(&val.ty)
            && let Some(member) = self.member(&val.ty, name)
            && member.path.is_empty()
            && let MemberKind::Method(_, decl) = &member.kind
            && decl
                .receiver
                .as_ref()
                .is_some_and(|receiver| matches!(&*receiver.of.bare().kind, ExprKind::Star(_)))
        {
            return self.address(of, None, (of.pos, of.end));
        }
        self.lines.extend(lines);
        Ok(val)
    }

    /// A method of a value, ready to be called.
    pub(crate) fn method_of(&mut self, val: Val, name: &str, at: (Pos, Pos)) -> R<Callee> {
        let Some(member) = self.member(&val.ty, name) else {
            return self.no_member(&val.ty.clone(), name, at);
        };
        let base = self.follow(val, &member.path);
        match member.kind {
            MemberKind::Method(ty, decl) => {
                let sig = self.method_sig(&ty, &decl)?;
                let receiver = self.receiver(base, &ty, &decl, at)?;
                Ok(Callee::Method(ty, decl, sig, self.settled(receiver)))
            }
            MemberKind::Dynamic(ty, sig) => {
                let base = self.settled(Val { ty, ..base });
                Ok(Callee::Dynamic(base, name.to_owned(), sig))
            }
            MemberKind::Field(field, ty) => {
                let Ty::Func(sig) = self.w.under(&ty) else {
                    return refuse_as(
                        "G0301",
                        at,
                        format!("`{name}` is no function"),
                        "call a function",
                    );
                };
                let object = self.object_code(&base);
                let code = self.keep(&Val::new(format!("{object}.{field}"), ty.clone()));
                Ok(Callee::Value(Val::new(code, ty), (*sig).clone()))
            }
            MemberKind::Library if self.is_lib_field(&base.ty, name) => {
                let val = self.lib_field(&base, name, at)?;
                let Ty::Func(sig) = self.w.under(&val.ty) else {
                    return refuse_as(
                        "G0301",
                        at,
                        format!("`{name}` is no function"),
                        "call a function",
                    );
                };
                let code = self.keep(&val);
                Ok(Callee::Value(Val::new(code, val.ty), (*sig).clone()))
            }
            MemberKind::Library => Ok(Callee::Library(base, name.to_owned())),
        }
    }

    /// The type arguments of a call, those that are not written found from the arguments.
    fn inferred(
        &mut self,
        decl: &Rc<FuncDecl>,
        given: &[Ty],
        args: &[Expr],
        at: (Pos, Pos),
    ) -> R<Vec<Ty>> {
        let names: Vec<String> = decl
            .type_params
            .iter()
            .filter_map(|param| Some(param.name.as_ref()?.name.clone()))
            .collect();
        let mut found: Vec<Option<Ty>> = given.iter().cloned().map(Some).collect();
        found.resize(names.len(), None);
        if found.iter().any(Option::is_none) {
            for pass in 0..2 {
                for (index, arg) in args.iter().enumerate() {
                    let last = decl.of.params.len().saturating_sub(1);
                    let Some(param) = decl.of.params.get(index.min(last)) else { break };
                    let Ok(ty) = self.type_of(arg) else { continue };
                    // `f(g())` with several results.
                    if let (Ty::Tuple(parts), 1) = (&ty, args.len()) {
                        for (param, ty) in decl.of.params.iter().zip(parts.clone()) {
                            self.unify(&param.of, &ty, &names, &mut found);
                        }
                        continue;
                    }
                    let ty = match ty {
                        Ty::Untyped if pass == 0 => continue,
                        Ty::Untyped => Ty::INT,
                        ty => ty,
                    };
                    self.unify(&param.of, &ty, &names, &mut found);
                }
            }
            // `S ~[]E` says what the elements of `S` are.
            for (at, param) in decl.type_params.iter().enumerate() {
                if let Some(Some(ty)) = found.get(at).cloned() {
                    self.unify(&param.of, &ty, &names, &mut found);
                }
            }
        }
        found.into_iter().collect::<Option<Vec<Ty>>>().map_or_else(
            || {
                refuse(
                    at,
                    "the type arguments of this call are not clear",
                    "write them in brackets",
                )
            },
            Ok,
        )
    }

    fn unify(&mut self, pattern: &Expr, ty: &Ty, names: &[String], found: &mut [Option<Ty>]) {
        let under = self.w.under(ty);
        match (&*pattern.bare().kind, ty) {
            (ExprKind::Name(name), _) => {
                if let Some(at) = names.iter().position(|known| known == name) {
                    found[at].get_or_insert_with(|| ty.clone());
                }
            }
            (ExprKind::Star(inner), Ty::Pointer(to)) => self.unify(inner, to, names, found),
            (ExprKind::ArrayType(_, inner), _) => {
                if let Ty::Slice(element) | Ty::Array(_, element) = under {
                    self.unify(inner, &element, names, found);
                }
            }
            (ExprKind::MapType(key, value), _) => {
                if let Ty::Map(k, v) = under {
                    self.unify(key, &k, names, found);
                    self.unify(value, &v, names, found);
                }
            }
            (ExprKind::ChanType(_, inner), _) => {
                if let Ty::Chan(_, element) = under {
                    self.unify(inner, &element, names, found);
                }
            }
            (ExprKind::FuncType(of), _) => {
                if let Ty::Func(sig) = under {
                    for (param, ty) in of.params.iter().zip(&sig.params) {
                        self.unify(&param.of, ty, names, found);
                    }
                    for (result, ty) in of.results.iter().zip(&sig.results) {
                        self.unify(&result.of, ty, names, found);
                    }
                }
            }
            (ExprKind::Index(_, args), Ty::Named(id)) => {
                let given = self.w.named[*id].args.clone();
                for (arg, ty) in args.iter().zip(&given) {
                    self.unify(arg, ty, names, found);
                }
            }
            _ => {}
        }
    }

    /// The arguments of a call, as the callee takes them.
    pub(crate) fn arguments(
        &mut self,
        callee: &Callee,
        args: &[Expr],
        spread: bool,
        at: (Pos, Pos),
    ) -> R<Vec<Val>> {
        let sig = match callee {
            Callee::Function(_, _, sig)
            | Callee::Method(_, _, sig, _)
            | Callee::Dynamic(_, _, sig)
            | Callee::Value(_, sig)
            | Callee::Literal(_, _, sig) => sig.clone(),
            Callee::Library(base, name) => {
                if let Some(sig) = self.lib_wants(&base.ty, name) {
                    sig
                } else {
                    return self.plain_arguments(args);
                }
            }
            Callee::Package(path, name) => match self.package_wants(path, name) {
                Some(sig) => sig,
                None => return self.plain_arguments(args),
            },
            _ => return self.plain_arguments(args),
        };
        // `f(g())` with several results.
        if let [one] = args
            && sig.params.len() != 1
            && matches!(&*one.bare().kind, ExprKind::Call { .. })
        {
            let val = self.expr(one, None)?;
            if let Ty::Tuple(parts) = val.ty.clone() {
                let values: Vec<Val> = parts
                    .iter()
                    .enumerate()
                    .map(|(i, ty)| Val::made(format!("{}.r{i}", val.code), ty.clone()))
                    .collect();
                return self.fitted(values, &sig, at);
            }
            let val = self.copied(val)?;
            return self.fitted(vec![val], &sig, at);
        }
        let fixed =
            if sig.variadic { sig.params.len().saturating_sub(1) } else { sig.params.len() };
        if args.len() < fixed || (!sig.variadic && args.len() > fixed) {
            return refuse_as(
                "G0301",
                at,
                "the number of arguments is wrong",
                "give one for each parameter",
            );
        }
        let mut values = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            if sig.variadic && index >= fixed && !spread {
                let Ty::Slice(element) = sig.params[fixed].clone() else { break };
                let val = self.expr_as(arg, &element)?;
                values.push(self.settled(val));
            } else {
                let val = self.expr_as(arg, &sig.params[index.min(sig.params.len() - 1)])?;
                values.push(self.settled(val));
            }
        }
        if sig.variadic && !spread {
            return self.fitted(values, &sig, at);
        }
        Ok(values)
    }

    /// Values as parameters take them; what is left over becomes a slice.
    fn fitted(&mut self, values: Vec<Val>, sig: &Sig, at: (Pos, Pos)) -> R<Vec<Val>> {
        let fixed =
            if sig.variadic { sig.params.len().saturating_sub(1) } else { sig.params.len() };
        if values.len() < fixed || (!sig.variadic && values.len() > fixed) {
            return refuse_as(
                "G0301",
                at,
                "the number of arguments is wrong",
                "give one for each parameter",
            );
        }
        let mut values = values.into_iter();
        let mut fitted = Vec::new();
        for ty in &sig.params[..fixed] {
            let val = values.next().expect("there are enough");
            fitted.push(self.fit(val, ty, at)?);
        }
        if sig.variadic {
            let Ty::Slice(element) = sig.params[fixed].clone() else { return Ok(fitted) };
            let mut items = Vec::new();
            for val in values {
                let code = self.fit(val, &element, at)?.code;
                items.push(self.element_first(&element, code));
            }
            let slice = Ty::Slice(element.clone());
            if items.is_empty() {
                fitted.push(Val::made("none", slice));
            } else {
                self.room_for(items.len() as u32);
                let count = items.len().to_string();
                let made = self.new_slice(&element, &format!("[{}]", items.join(", ")), &count);
                fitted.push(Val::made(made, slice));
            }
        }
        Ok(fitted)
    }

    pub(crate) fn plain_arguments(&mut self, args: &[Expr]) -> R<Vec<Val>> {
        let mut values = Vec::new();
        for arg in args {
            let val = self.expr(arg, None)?;
            if let Ty::Tuple(parts) = &val.ty {
                for (i, ty) in parts.iter().enumerate() {
                    values.push(Val::made(format!("{}.r{i}", val.code), ty.clone()));
                }
                continue;
            }
            let val = self.copied(val)?;
            values.push(self.settled(val));
        }
        Ok(values)
    }

    /// Calls something with arguments that have been evaluated.
    pub(crate) fn invoke(&mut self, callee: Callee, args: Vec<Val>, at: (Pos, Pos)) -> R<Val> {
        if let Some((kin, args, sig)) = self.direct(&callee, &args, at)? {
            return Ok(self.called(&kin, args, &sig.results, ""));
        }
        match callee {
            Callee::Library(base, name) => self.lib_call(&base, &name, args, at),
            Callee::Package(path, name) => self.package_call(&path, &name, args, at),
            _ => refuse(at, "this cannot be started or deferred", "put it into a function literal"),
        }
    }

    /// The function of the translation that a call comes to, and its arguments; not for those of the library.
    pub(crate) fn direct(
        &mut self,
        callee: &Callee,
        args: &[Val],
        at: (Pos, Pos),
    ) -> R<Option<(String, Vec<String>, Sig)>> {
        let (kin, first, sig) = match callee {
            Callee::Function(decl, types, sig) => {
                let (kin, _) = self.wanted_function(decl, types, false, at)?;
                (kin, Vec::new(), sig.clone())
            }
            Callee::Method(ty, decl, sig, receiver) => {
                let (kin, _) = self.wanted_method(ty, decl, false, at)?;
                (kin, vec![receiver.code.clone()], sig.clone())
            }
            Callee::Dynamic(receiver, name, sig) => {
                (self.dynamic(name, sig), vec![receiver.code.clone()], sig.clone())
            }
            Callee::Value(val, sig) => {
                (format!("call_{}", self.w.fn_type(sig)), vec![val.code.clone()], sig.clone())
            }
            Callee::Literal(literal, place, sig) => {
                let (kin, captured) = self.literal_routine(literal, *place, false)?;
                (kin, captured.into_iter().map(|(code, _)| code).collect(), sig.clone())
            }
            _ => return Ok(None),
        };
        let args = first.into_iter().chain(args.iter().map(|arg| arg.code.clone())).collect();
        Ok(Some((kin, args, sig)))
    }

    /// The function that calls the method of whatever is behind an interface.
    pub(crate) fn dynamic(&mut self, name: &str, sig: &Sig) -> String {
        let known = self.w.dynamic.iter().find(|(method, of, _)| method == name && of == sig);
        if let Some((_, _, kin)) = known {
            return kin.clone();
        }
        let kin = self.w.fresh_exact(&format!("dyn_{name}"));
        self.w.dynamic.push((name.to_owned(), sig.clone(), kin.clone()));
        kin
    }

    /// `T(x)`.
    fn conversion(&mut self, ty: &Ty, args: &[Expr], at: (Pos, Pos)) -> R<Val> {
        let [arg] = args else { return refuse(at, "a conversion has one operand", "give one") };
        let val = self.expr(arg, Some(ty))?;
        let (from, to) = (self.w.under(&val.ty), self.w.under(ty));
        // What is not kept is read all the same.
        let val = if self.is_vague(ty) || self.is_vague(&val.ty) { self.settled(val) } else { val };
        match (&from, &to) {
            (Ty::Untyped | Ty::Int(_), Ty::Int(_)) => match val.konst {
                Some(konst) => self.konst(konst, ty.clone(), at),
                None => Ok(Val { ty: ty.clone(), ..val }),
            },
            (_, Ty::Float | Ty::Opaque(_)) => {
                Ok(Val { is_clock: val.is_clock, ..Val::made("0", ty.clone()) })
            }
            (Ty::Float | Ty::Opaque(_), Ty::Int(_)) => match val.konst {
                Some(crate::types::Konst::Float(x)) if matches!(from, Ty::Float) => {
                    self.konst(crate::types::Konst::Int(x as i128), ty.clone(), at)
                }
                _ => {
                    let n = self.some_number(
                        "times and fractions are not kept: a whole number that is made of one is any of 0..=3",
                        at,
                    )?;
                    Ok(Val { ty: ty.clone(), ..n })
                }
            },
            (Ty::Str, Ty::Str) => Ok(Val { ty: ty.clone(), ..val }),
            (Ty::Int(_) | Ty::Untyped | Ty::Slice(_), Ty::Str) => {
                self.w.makes_vague = true;
                Ok(Val::made("s_other", ty.clone()))
            }
            (Ty::Str, Ty::Slice(element)) => {
                self.w.note(
                    "the letters of strings are not kept: as a slice there is one letter",
                    at.0,
                );
                let letter = self.element_first(element, "0".into());
                let made = self.new_slice(element, &format!("[{letter}]"), "1");
                Ok(Val::made(made, ty.clone()))
            }
            _ => {
                let val = self.copied(val)?;
                if from == to {
                    return Ok(Val { ty: ty.clone(), ..val });
                }
                self.fit(val, ty, at)
            }
        }
    }
}
