//! Package `context`: contexts are objects, each with the channel that is closed when it is over (`library`).

use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::lib_calls::{nothing, signal};
use crate::syntax::*;
use crate::types::{Lib, Sig, Ty};
use crate::world::R;

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
            "Background" | "TODO" | "WithoutCancel" => {
                let temp = self.temp();
                self.emit(format!("let {temp}: Context? = new Context"));
                Ok(Val::made(temp, context))
            }
            "WithCancel" | "WithTimeout" | "WithDeadline" | "WithCancelCause" => {
                let parent = self.simple(&args[0]);
                let late = !name.starts_with("WithCancel");
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
                self.emit(format!("let {done}: chan_unit = new chan_unit(capacity: 0, above: {above}, clock: {clock}, late: {late})"));
                self.emit(format!("if {above} != none {{"));
                self.emit(format!("let {gone}: bool = {above}.adopt({done})"));
                self.emit(format!("if {gone} {{"));
                self.emit(format!("{done}.finish()"));
                self.emit("}");
                self.emit("}");
                self.emit(format!(
                    "let {made}: Context? = new Context(above: {parent}, signal: {done})"
                ));
                let cancel = Sig::default();
                let fn_type = self.w.fn_type(&cancel);
                let case = self.fn_case(
                    fn_type,
                    format!("fn{fn_type}_cancel"),
                    vec![("of".into(), "Context?".into())],
                    crate::world::FnTarget::Method(context.clone(), "cancel".into()),
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
                self.emit(format!(
                    "let {made}: Context? = new Context(above: {parent}, signal: {above}, key_: {}, value_: {})",
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
        match name {
            "Done" => Ok(Val::new(self.keep_as(&format!("{ctx}!.done"), "chan_unit?"), signal())),
            "cancel" => {
                let done = self.keep_as(&format!("{ctx}!.done"), "chan_unit?");
                self.emit(format!("if {done} != none {{"));
                self.emit(format!("{done}!.finish()"));
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
                self.emit("}");
                self.emit("}");
                Ok(Val::made(error, Ty::error()))
            }
            "Value" => {
                let found = self.temp();
                self.emit(format!("let {found}: Any = {ctx}!.find({})", args[0].code));
                Ok(Val::made(found, Ty::any()))
            }
            "Deadline" => {
                let ok = self.either(
                    "whether a context has a deadline is not kept: asking gives either answer",
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
}
