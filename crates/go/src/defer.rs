//! `go` and `defer`: what is called and its arguments are evaluated at once, and it is called later, or by another.

use crate::call::Callee;
use crate::fx::{Deferred, Fx, Val};
use crate::syntax::*;
use crate::types::{Sig, Ty};
use crate::unwind::{CALM, Landing};
use crate::world::{FnTarget, Line, R, refuse};

impl Fx<'_, '_> {
    /// `go f(x)`.
    pub(crate) fn go(&mut self, call: &Expr, at: (Pos, Pos)) -> R<()> {
        let ExprKind::Call { callee, args, spread } = &*call.bare().kind else {
            return refuse(at, "`go` needs a call", "call a function");
        };
        let found = self.callee(callee, args, at)?;
        let values = match &found {
            Callee::Builtin(_) | Callee::Conversion(_) => {
                return refuse(at, "this cannot be started", "put it into a function literal");
            }
            found => self.arguments(found, args, *spread, at)?,
        };
        let codes = |first: Vec<String>| {
            let all: Vec<String> =
                first.into_iter().chain(values.iter().map(|arg| arg.code.clone())).collect();
            all.join(", ")
        };
        match found {
            Callee::Function(decl, types, _) => {
                let (kin, _) = self.wanted_function(&decl, &types, true, at)?;
                self.emit(format!("spawn {kin}({})", codes(Vec::new())));
            }
            Callee::Method(ty, decl, _, receiver) => {
                let (kin, _) = self.wanted_method(&ty, &decl, true, at)?;
                self.emit(format!("spawn {kin}({})", codes(vec![receiver.code])));
            }
            Callee::Literal(literal, place, _) => {
                let (kin, captured) = self.literal_routine(&literal, place, true)?;
                let first = captured.into_iter().map(|(code, _)| code).collect();
                self.emit(format!("spawn {kin}({})", codes(first)));
            }
            other => {
                // A process that does nothing but call it.
                let (first, name) = match &other {
                    Callee::Value(val, _) | Callee::Dynamic(val, ..) | Callee::Library(val, _) => {
                        (Some(val.clone()), "call")
                    }
                    _ => (None, "call"),
                };
                let mut given: Vec<Val> = Vec::new();
                given.extend(first);
                given.extend(values.iter().cloned());
                let kin = self.w.fresh(&format!("go_{name}"));
                let shown = self.w.text[callee.pos as usize..callee.end as usize].to_owned();
                self.w.shown.insert(kin.clone(), shown.clone());
                let types: Vec<String> = given.iter().map(|val| self.w.kin(&val.ty)).collect();
                let params: Vec<String> =
                    types.iter().enumerate().map(|(i, ty)| format!("p{i}: {ty}")).collect();
                let mut fx = Fx::new(self.w, &shown);
                fx.at = at;
                fx.is_process = true;
                let named: Vec<Val> = given
                    .iter()
                    .enumerate()
                    .map(|(i, val)| Val::new(format!("p{i}"), val.ty.clone()))
                    .collect();
                let skip = usize::from(!matches!(other, Callee::Package(..)));
                let inner = match &other {
                    Callee::Value(_, sig) => Callee::Value(named[0].clone(), sig.clone()),
                    Callee::Dynamic(_, method, sig) => {
                        Callee::Dynamic(named[0].clone(), method.clone(), sig.clone())
                    }
                    Callee::Library(_, method) => Callee::Library(named[0].clone(), method.clone()),
                    other => other.clone(),
                };
                let head = match params.is_empty() {
                    true => format!("process {kin} {{"),
                    false => format!("process {kin}({}) {{", params.join(", ")),
                };
                fx.emit(head);
                let rest = named.into_iter().skip(skip).collect();
                fx.invoke(inner, rest, at)?;
                fx.emit("}");
                let lines = std::mem::take(&mut fx.lines);
                fx.w.routines.extend(lines);
                let codes: Vec<String> = given.into_iter().map(|val| val.code).collect();
                self.emit(format!("spawn {kin}({})", codes.join(", ")));
            }
        }
        Ok(())
    }

    /// `defer f(x)`: what is called and the arguments are kept until the function ends.
    pub(crate) fn defer(&mut self, call: &Expr, at: (Pos, Pos)) -> R<()> {
        let ExprKind::Call { callee, args, spread } = &*call.bare().kind else {
            return refuse(at, "`defer` needs a call", "call a function");
        };
        let recovers = self.callee_recovers(callee);
        let found = self.callee(callee, args, at)?;
        let values = match &found {
            Callee::Builtin(name) => match name.as_str() {
                "recover" => return Ok(()),
                "close" | "panic" | "print" | "println" | "delete" => self.plain_arguments(args)?,
                _ => {
                    return refuse(
                        at,
                        format!("`{name}` is deferred, which is not understood"),
                        "put it into a function literal",
                    );
                }
            },
            Callee::Conversion(_) => {
                return refuse(at, "a conversion is deferred", "call a function");
            }
            found => self.arguments(found, args, *spread, at)?,
        };
        if self.defer_stack {
            return self.push_deferred(found, values, at);
        }
        let flag = self.temp();
        self.prologue(format!("let {flag}: bool = false"));
        let mut kept = Vec::new();
        for value in values {
            kept.push(if value.konst.is_some() { value } else { self.until_end(&value)? });
        }
        let found = match found {
            Callee::Literal(literal, place, _) => {
                let (kin, captured) = self.literal_routine(&literal, place, false)?;
                let sig = self.signature(&literal.of)?;
                let mut args = Vec::new();
                for (code, of) in captured {
                    args.push(self.code_until_end(&code, &of));
                }
                args.extend(kept.into_iter().map(|val| val.code));
                let (_, lines) = self.apart(|fx| {
                    fx.called_deferred(&kin, args, &sig.results);
                    Ok(())
                })?;
                self.emit(format!("{flag} = true"));
                self.deferred.push(Deferred { flag, lines, recovers });
                return Ok(());
            }
            Callee::Method(ty, decl, sig, receiver) => {
                Callee::Method(ty, decl, sig, self.until_end(&receiver)?)
            }
            Callee::Dynamic(receiver, name, sig) => {
                Callee::Dynamic(self.until_end(&receiver)?, name, sig)
            }
            Callee::Value(val, sig) => Callee::Value(self.until_end(&val)?, sig),
            Callee::Library(base, name) => Callee::Library(self.until_end(&base)?, name),
            other => other,
        };
        let label = format!("{flag}_deferred");
        let before = self.landing.replace(Landing { label: label.clone(), used: false });
        let done = self.apart(|fx| fx.invoke_deferred(found, kept, at));
        let landing = std::mem::replace(&mut self.landing, before);
        let (_, mut lines) = done?;
        if landing.is_some_and(|landing| landing.used) {
            lines.insert(0, Line { text: format!("{label}: loop {{"), pos: at });
            lines.push(Line { text: format!("break {label}"), pos: at });
            lines.push(Line { text: "}".into(), pos: at });
        }
        self.emit(format!("{flag} = true"));
        self.deferred.push(Deferred { flag, lines, recovers });
        Ok(())
    }

    /// Does what was deferred.
    fn invoke_deferred(&mut self, callee: Callee, args: Vec<Val>, at: (Pos, Pos)) -> R<()> {
        if let Some((kin, args, sig)) = self.direct(&callee, &args, at)? {
            self.called_deferred(&kin, args, &sig.results);
            return Ok(());
        }
        match callee {
            Callee::Builtin(name) => self.builtin_with(&name, args, at),
            other => self.invoke(other, args, at).map(|_| ()),
        }
    }

    /// Where something is deferred in a loop, all that is deferred is kept in a sequence of function values.
    fn push_deferred(&mut self, callee: Callee, values: Vec<Val>, at: (Pos, Pos)) -> R<()> {
        let fn_type = self.w.fn_type(&Sig::default());
        let mut given: Vec<(String, String)> = Vec::new();
        let mut named: Vec<Val> = Vec::new();
        let receiver = match &callee {
            Callee::Method(_, _, _, val)
            | Callee::Dynamic(val, ..)
            | Callee::Value(val, _)
            | Callee::Library(val, _) => Some(val.clone()),
            _ => None,
        };
        let has_receiver = receiver.is_some();
        let (literal_kin, captured) = match &callee {
            Callee::Literal(literal, place, sig) => {
                let (kin, captured) = self.literal_routine(literal, *place, false)?;
                (Some((kin, sig.clone())), captured)
            }
            _ => (None, Vec::new()),
        };
        for val in receiver.into_iter().chain(values) {
            let name = format!("p{}", given.len());
            // What may hold anything is kept in an object, since function values are values themselves.
            if matches!(self.w.under(&val.ty), Ty::Func(_) | Ty::Interface(_)) {
                let cell = self.w.object(&val.ty);
                let code = self.keep_as(&format!("new {cell}(first: {})", val.code), &cell);
                given.push((code, cell));
                named.push(Val::new(format!("{name}.v"), val.ty));
            } else {
                given.push((val.code.clone(), self.w.kin(&val.ty)));
                named.push(Val { code: name, ..val });
            }
        }
        let own = given.len();
        given.extend(captured);
        let shown = format!("{}.deferred", self.shown);
        let kin = self.w.fresh(&shown.replace('.', "_"));
        self.w.shown.insert(kin.clone(), shown.clone());
        let names: Vec<String> = (0..given.len()).map(|at| format!("p{at}")).collect();
        let mut params: Vec<String> =
            names.iter().zip(&given).map(|(name, (_, of))| format!("{name}: {of}")).collect();
        let unwinds = self.w.unwinds;
        let result = if unwinds {
            params.extend(["handed: Unwind".to_owned(), "caught: bool".to_owned()]);
            format!(": {}", self.w.outcome(&[]))
        } else {
            String::new()
        };
        let mut fx = Fx::new(self.w, &shown);
        fx.at = at;
        fx.emit(format!("fn {kin}({}){result} {{", params.join(", ")));
        let rest: Vec<Val> = named.iter().skip(usize::from(has_receiver)).cloned().collect();
        let inner = match callee {
            Callee::Method(ty, decl, sig, _) => Callee::Method(ty, decl, sig, named[0].clone()),
            Callee::Dynamic(_, name, sig) => Callee::Dynamic(named[0].clone(), name, sig),
            Callee::Value(_, sig) => Callee::Value(named[0].clone(), sig),
            Callee::Library(_, name) => Callee::Library(named[0].clone(), name),
            other => other,
        };
        let target = match literal_kin {
            Some((kin, sig)) => {
                let args = names[own..].iter().cloned();
                let args = args.chain(rest.iter().map(|val| val.code.clone())).collect();
                Some((kin, args, sig))
            }
            None => fx.direct(&inner, &rest, at)?,
        };
        match target {
            Some((kin, mut args, sig)) if unwinds => {
                args.extend(["handed".to_owned(), "caught".to_owned()]);
                let out = fx.w.outcome(&sig.results);
                let temp = fx.keep_as(&format!("{kin}({})", args.join(", ")), &out);
                let own = fx.w.outcome(&[]);
                fx.emit(format!("return {own}(u: {temp}.u, taken: {temp}.taken)"));
            }
            Some((kin, args, _)) => fx.emit(format!("{kin}({})", args.join(", "))),
            None => {
                fx.invoke_deferred(inner, rest, at)?;
                if unwinds {
                    fx.return_out(Vec::new(), CALM);
                }
            }
        }
        fx.emit("}");
        let lines = std::mem::take(&mut fx.lines);
        fx.w.routines.extend(lines);
        let captured: Vec<(String, String)> = names
            .iter()
            .zip(&given)
            .map(|(name, (_, of))| (format!("c{name}"), of.clone()))
            .collect();
        let codes: Vec<String> = given.into_iter().map(|(code, _)| code).collect();
        let case =
            self.fn_case(fn_type, format!("fn{fn_type}_{kin}"), captured, FnTarget::Function(kin));
        let code = if codes.is_empty() { case } else { format!("{case}({})", codes.join(", ")) };
        self.emit(format!("defers.push_back({code})"));
        Ok(())
    }

    /// Keeps a value until the function ends.
    fn until_end(&mut self, val: &Val) -> R<Val> {
        let kin = self.w.kin(&val.ty);
        let code = self.code_until_end(&val.code, &kin);
        Ok(Val { code, konst: None, ..val.clone() })
    }

    fn code_until_end(&mut self, code: &str, kin: &str) -> String {
        let temp = self.temp();
        let zero = match kin {
            "bool" => "false",
            "Str" => "s_empty",
            "Any" => "any_nil",
            _ if kin.ends_with('?') => "none",
            _ if kin.contains("..=") => "0",
            _ => "",
        };
        if let Some(number) = kin.strip_prefix("Fn") {
            self.prologue(format!("let {temp}: {kin} = fn{number}_nil"));
        } else if zero.is_empty() {
            self.prologue(format!("let {temp}: {kin}? = none"));
            self.emit(format!("{temp} = {code}"));
            return format!("{temp}!");
        } else {
            self.prologue(format!("let {temp}: {kin} = {zero}"));
        }
        self.emit(format!("{temp} = {code}"));
        temp
    }

    pub(crate) fn prologue(&mut self, text: String) {
        let pos = self.at;
        self.prologue.push(Line { text, pos });
    }
}
