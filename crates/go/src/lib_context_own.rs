//! Contexts of the program's own: structs with the methods of one, be they declared, or those of a context that is embedded.
//!
//! One that only embeds a context is that context. Any other is kept in a context, whose methods are then called. What is made
//! from it is told by another, who waits for its end as Go's library does, if it has a method `Done` of its own.

use crate::fx::{Fx, Val};
use crate::lib_calls::signal;
use crate::member::{Member, MemberKind};
use crate::syntax::*;
use crate::types::{Lib, Sig, Ty};
use crate::world::{R, refuse};

fn gives(results: Vec<Ty>) -> Sig {
    Sig { results, ..Sig::default() }
}

impl Fx<'_, '_> {
    /// A struct as a context: the one that is embedded in it, if it has no methods of its own for that.
    pub(crate) fn context_within(&mut self, val: Val, at: (Pos, Pos)) -> R<Val> {
        let (mut inherited, mut done, mut has_own) = (None, None, false);
        for name in ["Done", "Err", "Value", "Deadline"] {
            match self.member(&val.ty, name) {
                Some(Member { kind: MemberKind::Library, path }) => {
                    if name == "Done" {
                        done = Some(path.clone());
                    }
                    inherited = Some(path);
                }
                Some(Member { kind: MemberKind::Method(..) | MemberKind::Dynamic(..), .. }) => {
                    has_own = true;
                }
                _ => {
                    let shown = self.w.show(&val.ty);
                    let why = format!("{shown} has no method `{name}`, and so is no context");
                    return refuse(at, why, "declare it, or embed a context");
                }
            }
        }
        let val = Val::new(self.keep(&val), val.ty);
        if let Some(path) = inherited.filter(|_| !has_own) {
            let inner = self.follow(val, &path);
            let kept = self.keep(&inner);
            return Ok(Val::new(kept, inner.ty));
        }
        let context = Ty::Lib(Lib::Context);
        self.w.makes_contexts = true;
        self.w.kin(&context);
        if !self.w.own_contexts {
            // The next translation knows of it.
            return Ok(Val::made("none", context));
        }
        let relays = done.is_none();
        let channel = match done {
            Some(path) => {
                let inner = self.follow(val.clone(), &path);
                let inner = self.keep(&inner);
                let field = format!("if {inner} == none then none else {inner}!.done");
                self.keep_as(&field, "chan_unit?")
            }
            None => "none".to_owned(),
        };
        let own = self.as_interface(val, &Ty::any(), at)?.code;
        let made = self.temp();
        self.emit(format!(
            "let {made}: Context? = new Context(signal: {channel}, own_: {own}, relays_: {relays})"
        ));
        Ok(Val::made(made, context))
    }

    /// Calls a method of a context of the program's own.
    fn asked_own(&mut self, own: &str, name: &str, args: Vec<String>, sig: &Sig) -> Val {
        let kin = self.dynamic(name, sig);
        let args = [own.to_owned()].into_iter().chain(args).collect();
        self.called(&kin, args, &sig.results, "")
    }

    /// A method of a context that may be one of the program's own.
    pub(crate) fn context_call_own(&mut self, ctx: &str, name: &str, at: (Pos, Pos)) -> R<Val> {
        let results = match name {
            "Done" => vec![signal()],
            "Err" => vec![Ty::error()],
            _ => vec![Ty::Opaque("time.Time"), Ty::Bool],
        };
        let sig = gives(results);
        let ty = match &sig.results[..] {
            [one] => one.clone(),
            many => Ty::Tuple(many.to_vec()),
        };
        let kin = self.w.kin(&ty);
        let own = self.keep_as(&format!("{ctx}!.own"), "Any");
        let first = match name {
            "Done" => "none".to_owned(),
            "Err" => "any_nil".to_owned(),
            _ => format!("{kin}(r0: 0, r1: false)"),
        };
        let found = self.keep_as(&first, &kin);
        self.emit(format!("if {own} != any_nil {{"));
        let asked = self.asked_own(&own, name, Vec::new(), &sig);
        self.emit(format!("{found} = {}", asked.code));
        self.emit("} else {");
        let made = self.context_call_made(ctx, name, Vec::new(), at)?;
        self.emit(format!("{found} = {}", made.code));
        self.emit("}");
        Ok(Val::made(found, ty))
    }

    /// The channel of a context, if it is one of the program's own.
    pub(crate) fn own_channel(&mut self, ctx: &str, done: &str) {
        let own = self.keep_as(&format!("{ctx}!.own"), "Any");
        self.emit(format!("if {own} != any_nil {{"));
        let asked = self.asked_own(&own, "Done", Vec::new(), &gives(vec![signal()]));
        self.emit(format!("{done} = {}", asked.code));
        self.emit("}");
    }

    /// Whether two contexts are the same: of the program's own, what is kept in them is.
    pub(crate) fn same_context(&mut self, a: &str, b: &str, at: (Pos, Pos)) -> R<String> {
        let (a, b) = (self.keep_as(a, "Context?"), self.keep_as(b, "Context?"));
        let same = self.keep_as(&format!("({a} == {b})"), "bool");
        self.emit(format!("if not {same} and {a} != none and {b} != none {{"));
        self.emit(format!("if {a}!.up == none and {b}!.up == none {{"));
        let (x, y) =
            (self.keep_as(&format!("{a}!.own"), "Any"), self.keep_as(&format!("{b}!.own"), "Any"));
        self.emit(format!("if {x} != any_nil {{"));
        let kept = self.same(&x, &y, &Ty::any(), at)?;
        self.emit(format!("{same} = {kept}"));
        for _ in 0..3 {
            self.emit("}");
        }
        Ok(same)
    }

    /// The value that a context of the program's own has for a key, where the way up ends at one.
    pub(crate) fn value_of_own(&mut self, current: &str, key: &str, found: &str) {
        let own = self.keep_as(&format!("{current}!.own"), "Any");
        self.emit(format!("if {current}!.up == none and {own} != any_nil {{"));
        let sig = Sig { params: vec![Ty::any()], ..gives(vec![Ty::any()]) };
        let asked = self.asked_own(&own, "Value", vec![key.to_owned()], &sig);
        self.emit(format!("{found} = {}", asked.code));
        self.emit("}");
    }

    /// What is made from a context of the program's own is over when that is: at once, or when somebody has seen it.
    pub(crate) fn relayed(&mut self, parent: &str, done: &str) -> R<()> {
        if !self.w.own_contexts {
            return Ok(());
        }
        self.emit(format!("if {parent} != none {{"));
        self.emit(format!("if {parent}!.relays {{"));
        let own = self.keep_as(&format!("{parent}!.own"), "Any");
        let asked = self.asked_own(&own, "Done", Vec::new(), &gives(vec![signal()]));
        let channel = self.keep_as(&asked.code, "chan_unit?");
        let (fire, over) = (self.temp(), self.temp());
        self.emit(format!("if {channel} != none {{"));
        self.emit(format!("choose {fire} in bool"));
        self.emit(format!("let {over}: bool = {channel}.is_over({fire})"));
        self.emit(format!("if {over} {{"));
        let error = self.asked_own(&own, "Err", Vec::new(), &gives(vec![Ty::error()]));
        self.finished(done, &error.code, "any_nil");
        self.emit("} else {");
        let given = vec![
            (channel, "chan_unit?".to_owned()),
            (own, "Any".to_owned()),
            (done.to_owned(), "chan_unit".to_owned()),
        ];
        self.started("go_context", given, |fx, names| {
            let [channel, own, done] = names else { return Ok(()) };
            let over = fx.keep_as("false", "bool");
            fx.emit("idle select {");
            fx.emit(format!("{channel}.receive() when {channel} != none {{ {over} = true }}"));
            fx.emit(format!("{done}.receive() {{ }}"));
            fx.emit("}");
            fx.emit(format!("if {over} {{"));
            let error = fx.asked_own(own, "Err", Vec::new(), &gives(vec![Ty::error()]));
            fx.finished(done, &error.code, "any_nil");
            fx.emit("}");
            Ok(())
        })?;
        for _ in 0..4 {
            self.emit("}");
        }
        Ok(())
    }
}
