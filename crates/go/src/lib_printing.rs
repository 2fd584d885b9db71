//! What printing does: it calls methods that make a string of what is printed, and reads the rest, which is a race with who
//! writes it.

use crate::fx::{Fx, Val};
use crate::syntax::*;
use crate::types::{Konst, Sig, Ty};
use crate::world::R;

impl Fx<'_, '_> {
    /// Arguments of functions of which little is kept: that they are read is.
    pub(crate) fn read_out(&mut self, args: Vec<Val>) -> R<Vec<Val>> {
        let mut read = Vec::new();
        for arg in args {
            let is_struct =
                matches!(self.w.under(&arg.ty), Ty::Struct(_)) && self.w.is_object(&arg.ty);
            read.push(if is_struct && !arg.fresh {
                self.copied(arg)?
            } else if arg.konst.is_none()
                && (self.reads_shared(&arg.code) || arg.code.contains(['!', '[']))
            {
                Val { code: self.keep(&arg), ..arg }
            } else {
                arg
            });
        }
        Ok(read)
    }

    /// What is printed by one call.
    pub(crate) fn print(&mut self, args: &[Val], at: (Pos, Pos)) -> R<()> {
        // By these verbs it is not looked at what something holds.
        let looks = |arg: &Val| match &arg.konst {
            Some(Konst::Str(format)) => !format.contains("%p") && !format.contains("%T"),
            _ => true,
        };
        let looks = args.iter().all(looks);
        for arg in args {
            if !self.printed(arg, at)? && looks {
                self.looked_through(arg)?;
            }
        }
        Ok(())
    }

    /// Calls the method that makes a string of something, if it has one.
    pub(crate) fn printed(&mut self, val: &Val, at: (Pos, Pos)) -> R<bool> {
        if matches!(val.ty, Ty::Lib(_) | Ty::Nil | Ty::Untyped) {
            return Ok(true);
        }
        if self.w.is_interface(&val.ty) {
            self.w.prints_any = true;
            self.emit(format!("dyn_print({})", val.code));
            return Ok(true);
        }
        for name in ["Error", "String"] {
            let is_own = matches!(
                self.member(&val.ty, name).map(|member| member.kind),
                Some(crate::member::MemberKind::Method(_, decl)) if decl.of.params.is_empty()
            );
            if is_own && self.implements(&val.ty, &stringer(name)) {
                let callee = self.method_of(val.clone(), name, at)?;
                self.invoke(callee, Vec::new(), at)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads what a value holds that is printed: of a pointer, the struct that it points to; not what is behind pointers
    /// in there. Structs themselves were copied, and so read, before.
    fn looked_through(&mut self, val: &Val) -> R<()> {
        match self.w.under(&val.ty) {
            Ty::Pointer(to) if matches!(self.w.under(&to), Ty::Struct(_)) => {
                let pointer = self.simple(val);
                let ((), lines) = self.apart(|fx| {
                    fx.fields_read(&format!("{pointer}!"), &to);
                    Ok(())
                })?;
                if !lines.is_empty() {
                    self.emit(format!("if {pointer} != none {{"));
                    self.lines.extend(lines);
                    self.emit("}");
                }
            }
            Ty::Slice(_) | Ty::Map(..) => self.elements_read(val),
            _ => {}
        }
        Ok(())
    }

    fn fields_read(&mut self, code: &str, ty: &Ty) {
        let Ty::Struct(fields) = self.w.under(ty) else { return };
        for (at, field) in fields.iter().enumerate() {
            let field_code = format!("{code}.{}", self.w.field_access(ty, field, at));
            if self.w.is_object(&field.ty) {
                self.fields_read(&field_code, &field.ty);
                continue;
            }
            let read = self.settled(Val::new(field_code, field.ty.clone()));
            self.elements_read(&read);
        }
    }

    /// Reads the elements of a slice or a map, if others may change them.
    fn elements_read(&mut self, val: &Val) {
        if let Ty::Slice(element) = self.w.under(&val.ty)
            && self.w.is_boxed_element(&element)
        {
            let of = self.simple(val);
            let (i, n) = (self.keep_as("0", "-big..=big"), self.slice_length(&of, &element));
            let n = self.keep_as(&n, "-big..=big");
            self.emit(format!("while {i} < {n} {{"));
            let kin = self.w.kin(&element);
            self.keep_as(&self.slice_element(&of, &element, &i), &kin);
            self.emit(format!("{i} += 1"));
            self.emit("}");
            return;
        }
        let is_read = match self.w.under(&val.ty) {
            // Of slices that share an array, others may change what is not this one's.
            Ty::Slice(element) => {
                !self.w.sharing.is_known(&element) && !self.w.sharing.is_constant(&element)
            }
            Ty::Map(..) => true,
            _ => false,
        };
        if is_read {
            let of = self.simple(val);
            self.keep_as(&format!("if {of} == none then 0 else len({of}!.items)"), "-big..=big");
        }
    }
}

/// An interface with one method that gives a string.
fn stringer(name: &str) -> Ty {
    let sig = Sig { results: vec![Ty::Str], ..Sig::default() };
    Ty::Interface(vec![(name.to_owned(), sig)].into())
}
