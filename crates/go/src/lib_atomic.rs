//! Package `sync/atomic`: operations on variables, each one step.

use crate::fx::{Fx, Val};
use crate::lib_calls::nothing;
use crate::syntax::*;
use crate::types::Ty;
use crate::world::{R, refuse, refuse_as};

impl Fx<'_, '_> {
    /// Calls whose arguments are looked at as they are written: operations on atomic variables.
    pub(crate) fn special_call(
        &mut self,
        path: &str,
        name: &str,
        args: &[Expr],
        at: (Pos, Pos),
    ) -> R<Option<Val>> {
        if path == "sync/atomic" && !args.is_empty() {
            return self.atomic(name, args, at).map(Some);
        }
        if path == "math/rand" || path == "math/rand/v2" {
            return self.random_time(name, args, at);
        }
        if let ("errors", "As", [error, target]) = (path, name, args) {
            return self.error_as(error, target, at).map(Some);
        }
        if path == "unsafe" {
            for arg in args {
                self.expr(arg, None)?;
            }
            return Ok(Some(Val::made("0", Ty::Opaque("unsafe.Pointer"))));
        }
        Ok(None)
    }

    /// `atomic.AddInt32(&x, 1)` and the like.
    fn atomic(&mut self, name: &str, args: &[Expr], at: (Pos, Pos)) -> R<Val> {
        // `(*uint32)(&x)`, as for types with other names.
        let first = match &*args[0].bare().kind {
            ExprKind::Call { callee, args: inner, .. }
                if inner.len() == 1 && matches!(&*callee.bare().kind, ExprKind::Star(_)) =>
            {
                &inner[0]
            }
            _ => &args[0],
        };
        let target = match &*first.bare().kind {
            ExprKind::Unary("&", inner) => {
                let place = self.place(inner)?;
                let ty = self.place_ty(&place).unwrap_or(Ty::INT);
                let crate::place::Place::Code(code, _) = place else {
                    return refuse(
                        at,
                        "this atomic variable is not understood",
                        "use a variable or a field",
                    );
                };
                Val::new(code, ty)
            }
            _ => {
                let pointer = self.expr(first, None)?;
                let Ty::Pointer(to) = self.w.under(&pointer.ty) else {
                    return refuse_as("G0301", at, "this is no pointer", "write `&`");
                };
                let base = self.simple(&pointer);
                Val::new(format!("{base}!.v"), (*to).clone())
            }
        };
        let code = self.stable(&target.code);
        let ty = target.ty.clone();
        let kin = self.w.kin(&ty);
        let mut values = Vec::new();
        for arg in &args[1..] {
            let val = self.expr(arg, Some(&ty))?;
            // The type may have another name.
            let val = if matches!(val.ty, Ty::Untyped | Ty::Nil) || self.w.is_interface(&ty) {
                self.fit(val, &ty, at)?
            } else {
                Val { ty: ty.clone(), ..val }
            };
            values.push(if val.konst.is_some() { val.code } else { self.keep(&val) });
        }
        let zero = self.w.zero(&ty).unwrap_or_else(|| "none".into());
        let is = |prefix: &str| name.starts_with(prefix);
        if self.is_vague(&ty) && is("Add") {
            self.emit(format!("atomic {{ {code} = 0 }}"));
            return Ok(Val::made("0", ty));
        }
        match values.len() {
            0 if is("Load") => {
                let temp = self.keep_as(&zero, &kin);
                self.emit(format!("atomic {{ {temp} = {code} }}"));
                Ok(Val::made(temp, ty))
            }
            1 if is("Store") => {
                self.emit(format!("atomic {{ {code} = {} }}", values[0]));
                Ok(nothing())
            }
            1 if is("Add") => {
                let temp = self.keep_as(&zero, &kin);
                self.emit(format!("atomic {{ {code} = {code} + {}  {temp} = {code} }}", values[0]));
                Ok(Val::made(temp, ty))
            }
            1 if is("Swap") => {
                let temp = self.keep_as(&zero, &kin);
                self.emit(format!("atomic {{ {temp} = {code}  {code} = {} }}", values[0]));
                Ok(Val::made(temp, ty))
            }
            2 if is("CompareAndSwap") => {
                let temp = self.keep_as("false", "bool");
                let (old, new) = (&values[0], &values[1]);
                self.emit(format!(
                    "atomic {{ if {code} == {old} {{ {code} = {new}  {temp} = true }} }}"
                ));
                Ok(Val::made(temp, Ty::Bool))
            }
            _ => self.unknown("sync/atomic", name, at),
        }
    }

    /// An expression whose way to the variable is evaluated before, and not in the atomic step.
    fn stable(&mut self, code: &str) -> String {
        code.to_owned()
    }
}
