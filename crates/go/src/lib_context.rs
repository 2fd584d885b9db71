//! Package `context`: contexts are objects, each with the channel that is closed when it is over (`library`).

use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::lib_calls::{nothing, signal};
use crate::syntax::*;
use crate::types::{Lib, Sig, Ty};
use crate::world::{FnTarget, R, refuse};

impl Fx<'_, '_> {
    /// An error of the library that is always the same.
    pub(crate) fn context_error(&mut self, name: &'static str) -> String {
        self.w.lib_used.insert("Error");
        self.w.lib_used.insert(name);
        let case = self.any_case(&Ty::Lib(Lib::Error));
        format!("{case}({name})")
    }

    /// Functions of package `context`.
    pub(crate) fn context_function(
        &mut self,
        name: &str,
        args: Vec<Val>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let context = Ty::Lib(Lib::Context);
        self.w.kin(&context);
        self.w.channel(&Ty::unit());
        match name {
            "Background" | "TODO" => {
                let temp = self.temp();
                self.emit(format!("let {temp}: Context? = new Context"));
                Ok(Val::made(temp, context))
            }
            "WithoutCancel" => {
                let (parent, temp) = (self.simple(&args[0]), self.temp());
                self.emit(format!("let {temp}: Context? = new Context(above: {parent})"));
                Ok(Val::made(temp, context))
            }
            "AfterFunc" => self.after_context(&args),
            "Cause" => self.context_cause(&args[0], at),
            "WithCancel" | "WithTimeout" | "WithDeadline" | "WithCancelCause"
            | "WithTimeoutCause" | "WithDeadlineCause" | "NotifyContext" => {
                let parent = self.simple(&args[0]);
                let late = name.starts_with("WithTimeout") || name.starts_with("WithDeadline");
                let mut more = String::new();
                if name.ends_with("Cause") && late {
                    let why = "where a deadline is within another, the cause may be that of either";
                    self.w.note(why, at.0);
                    more.push_str(&format!(", why_late: {}", args[2].code));
                }
                let above = self.keep_as(
                    &format!("if {parent} == none then none else {parent}!.done"),
                    "chan_unit?",
                );
                let clock = self.keep_as("none", "chan_unit?");
                let (done, made, gone) = (self.temp(), self.temp(), self.temp());
                // The tree is never changed but for what is below.
                self.emit(format!("if {above} != none {{"));
                self.emit(format!("{clock} = if {above}!.timed then {above} else {above}!.by"));
                self.emit("}");
                self.emit(format!("let {done}: chan_unit = new chan_unit(capacity: 0, above: {above}, clock: {clock}, late: {late}{more})"));
                self.emit(format!("if {above} != none {{"));
                self.emit(format!("let {gone}: bool = {above}.adopt({done})"));
                self.emit(format!("if {gone} {{"));
                self.ended_with(&done, &format!("{above}!"));
                self.emit("}");
                self.emit("}");
                self.relayed(&parent, &done)?;
                if name == "NotifyContext" {
                    self.ended_by_signal(&done)?;
                }
                self.emit(format!(
                    "let {made}: Context? = new Context(above: {parent}, signal: {done})"
                ));
                let (method, params) = match name {
                    "WithCancelCause" => ("cancel_cause", vec![Ty::error()]),
                    _ => ("cancel", Vec::new()),
                };
                let cancel = Sig { params, ..Sig::default() };
                let fn_type = self.w.fn_type(&cancel);
                let case = self.fn_case(
                    fn_type,
                    format!("fn{fn_type}_{method}"),
                    vec![("of".into(), "Context?".into())],
                    FnTarget::Method(context.clone(), method.into()),
                );
                let ty = Ty::Tuple(vec![context, Ty::Func(Rc::new(cancel))]);
                let record = self.w.kin(&ty);
                let both = self.temp();
                self.emit(format!(
                    "let {both}: {record} = {record}(r0: {made}, r1: {case}({made}))"
                ));
                Ok(Val::made(both, ty))
            }
            "WithValue" => {
                let parent = self.simple(&args[0]);
                let made = self.temp();
                let above = self.keep_as(
                    &format!("if {parent} == none then none else {parent}!.done"),
                    "chan_unit?",
                );
                let own = match self.w.own_contexts {
                    true => {
                        let any = format!("if {parent} == none then any_nil else {parent}!.own");
                        let own = self.keep_as(&any, "Any");
                        let is = format!("if {parent} == none then false else {parent}!.relays");
                        let relays = self.keep_as(&is, "bool");
                        format!(", own_: {own}, relays_: {relays}")
                    }
                    false => String::new(),
                };
                self.emit(format!(
                    "let {made}: Context? = new Context(above: {parent}, signal: {above}, key_: {}, value_: {}{own})",
                    args[1].code, args[2].code
                ));
                Ok(Val::made(made, context))
            }
            _ => self.unknown("context", name, at),
        }
    }

    /// Methods of contexts.
    pub(crate) fn context_call(
        &mut self,
        base: &Val,
        name: &str,
        args: Vec<Val>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let ctx = self.simple(&Val::new(base.code.clone(), Ty::Lib(Lib::Context)));
        if self.w.own_contexts && matches!(name, "Done" | "Err" | "Deadline") {
            return self.context_call_own(&ctx, name, at);
        }
        self.context_call_made(&ctx, name, args, at)
    }

    /// The same for contexts that the library has made.
    pub(crate) fn context_call_made(
        &mut self,
        ctx: &str,
        name: &str,
        args: Vec<Val>,
        at: (Pos, Pos),
    ) -> R<Val> {
        match name {
            "Done" => Ok(Val::new(self.keep_as(&format!("{ctx}!.done"), "chan_unit?"), signal())),
            "cancel" | "cancel_cause" => {
                let done = self.keep_as(&format!("{ctx}!.done"), "chan_unit?");
                let why = args.first().map_or("any_nil", |why| why.code.as_str()).to_owned();
                self.emit(format!("if {done} != none {{"));
                self.finished(&format!("{done}!"), "any_nil", &why);
                self.emit("}");
                Ok(nothing())
            }
            "Err" => {
                let done = self.keep_as(&format!("{ctx}!.done"), "chan_unit?");
                let error = self.keep_as("any_nil", "Any");
                let (canceled, expired) =
                    (self.context_error("context_canceled"), self.context_error("context_expired"));
                self.emit(format!("if {done} != none {{"));
                let (fire, over, late) = (self.temp(), self.temp(), self.temp());
                self.emit(format!("choose {fire} in bool"));
                self.emit(format!("let {over}: bool = {done}.is_over({fire})"));
                self.emit(format!("if {over} {{"));
                self.emit(format!("let {late}: bool = {done}.has_expired()"));
                self.emit(format!("{error} = if {late} then {expired} else {canceled}"));
                if self.w.variants().reasons {
                    let own = self.temp();
                    self.emit(format!("let {own}: Any = {done}.its_error()"));
                    self.emit(format!("if {own} != any_nil {{ {error} = {own} }}"));
                }
                self.emit("}");
                self.emit("}");
                Ok(Val::made(error, Ty::error()))
            }
            "Value" => {
                let key = self.keep_as(&args[0].code, "Any");
                let current = self.keep_as(ctx, "Context?");
                let (found, done) = (self.keep_as("any_nil", "Any"), self.keep_as("false", "bool"));
                self.emit(format!("while not {done} and {current} != none {{"));
                let own = self.keep_as(&format!("{current}!.key"), "Any");
                let same = self.same(&own, &key, &Ty::any(), at)?;
                self.emit(format!("if {own} != any_nil and {same} {{"));
                self.emit(format!("{found} = {current}!.value"));
                self.emit(format!("{done} = true"));
                self.emit("} else {");
                if self.w.own_contexts {
                    self.value_of_own(&current, &key, &found);
                }
                self.emit(format!("{current} = {current}!.up"));
                self.emit("}");
                self.emit("}");
                Ok(Val::made(found, Ty::any()))
            }
            "Deadline" => {
                let ok = self.either(
                    "whether a context has a deadline is not kept: what asking gives is not known",
                    at,
                );
                let ty = Ty::Tuple(vec![Ty::Opaque("time.Time"), Ty::Bool]);
                let record = self.w.kin(&ty);
                let both = self.temp();
                self.emit(format!("let {both}: {record} = {record}(r0: 0, r1: {})", ok.code));
                Ok(Val::made(both, ty))
            }
            _ => self.unknown("context", name, at),
        }
    }

    /// `context.Cause`.
    fn context_cause(&mut self, ctx: &Val, at: (Pos, Pos)) -> R<Val> {
        if self.w.own_contexts {
            let why = "the cause of a context is asked for, beside contexts of the program's own";
            return refuse(at, why, "ask for `Err`");
        }
        let ctx = self.simple(ctx);
        let error = self.context_call_made(&ctx, "Err", Vec::new(), at)?.code;
        let (done, why) = (self.temp(), self.temp());
        self.emit(format!("if {error} != any_nil {{"));
        self.emit(format!("let {done}: chan_unit? = {ctx}!.done"));
        self.emit(format!("let {why}: Any = {done}.its_why()"));
        self.emit(format!("if {why} != any_nil {{ {error} = {why} }}"));
        self.emit("}");
        Ok(Val::made(error, Ty::error()))
    }

    /// `context.AfterFunc`: somebody waits for the end of the context. Who waits for what never comes is none of the program's
    /// goroutines, and so not blocked.
    fn after_context(&mut self, args: &[Val]) -> R<Val> {
        self.w.lib_used.insert("AfterFunc");
        let ctx = self.simple(&args[0]);
        let done = self.channel_of_context(&ctx);
        // What relays the end of a context of the program's own may do so later.
        let on = match self.w.own_contexts {
            true => self.keep_as(&format!("if {ctx}!.relays then none else {done}"), "chan_unit?"),
            false => done.clone(),
        };
        let after = self.temp();
        self.emit(format!("let {after}: AfterFunc = new AfterFunc(channel: {on})"));
        let f = self.w.kin(&args[1].ty);
        let given = vec![
            (done, "chan_unit?".to_owned()),
            (after.clone(), "AfterFunc".to_owned()),
            (args[1].code.clone(), f),
        ];
        self.started("go_after", given, |fx, names| {
            let [done, after, f] = names else { return Ok(()) };
            fx.emit(format!("idle select {{ {done}.receive() when {done} != none {{ }} }}"));
            let begins = fx.temp();
            fx.emit(format!("let {begins}: bool = {after}.begin()"));
            fx.emit(format!("if {begins} {{"));
            let fn_type = fx.w.fn_type(&Sig::default());
            fx.called(&format!("call_{fn_type}"), vec![f.clone()], &[], "");
            fx.emit("}");
            Ok(())
        })?;
        let stop = Sig { results: vec![Ty::Bool], ..Sig::default() };
        let fn_type = self.w.fn_type(&stop);
        let case = self.fn_case(
            fn_type,
            format!("fn{fn_type}_stop"),
            vec![("of".into(), "AfterFunc".into())],
            FnTarget::Method(Ty::Lib(Lib::AfterFunc), "stop".into()),
        );
        Ok(Val::made(format!("{case}({after})"), Ty::Func(Rc::new(stop))))
    }

    /// A signal may end a context at any time, as long as it is not over.
    fn ended_by_signal(&mut self, done: &str) -> R<()> {
        let signal = self.timer_channel(1)?;
        let given = vec![
            (format!("{}!", signal.code), "chan_opaque".to_owned()),
            (done.to_owned(), "chan_unit".to_owned()),
        ];
        self.started("go_signal", given, |fx, names| {
            let [signal, done] = names else { return Ok(()) };
            let comes = fx.keep_as("false", "bool");
            fx.emit("idle select {");
            fx.emit(format!("{signal}.receive() {{ {comes} = true }}"));
            fx.emit(format!("{done}.receive() {{ }}"));
            fx.emit("}");
            fx.emit(format!("if {comes} {{"));
            fx.finished(done, "any_nil", "any_nil");
            fx.emit("}");
            Ok(())
        })?;
        Ok(())
    }

    /// The channel of a context that is closed when it is over.
    pub(crate) fn channel_of_context(&mut self, ctx: &str) -> String {
        let done =
            self.keep_as(&format!("if {ctx} == none then none else {ctx}!.done"), "chan_unit?");
        if self.w.own_contexts {
            self.emit(format!("if {ctx} != none {{"));
            self.own_channel(ctx, &done);
            self.emit("}");
        }
        done
    }

    /// Ends a context and those below; with which error, if it is no usual one, and why.
    pub(crate) fn finished(&mut self, done: &str, error: &str, why: &str) {
        match self.w.variants().reasons {
            true => self.emit(format!("{done}.finish({error}, {why})")),
            false => self.emit(format!("{done}.finish()")),
        }
    }

    /// Ends a context since the one above it is over.
    fn ended_with(&mut self, done: &str, above: &str) {
        if !self.w.variants().reasons {
            return self.finished(done, "", "");
        }
        let (error, why) = (self.temp(), self.temp());
        self.emit(format!("let {error}: Any = {above}.its_error()"));
        self.emit(format!("let {why}: Any = {above}.its_why()"));
        self.finished(done, &error, &why);
    }
}
