//! What has an address, and what can be assigned to.

use crate::fx::{Fx, Val};
use crate::member::{Member, MemberKind};
use crate::syntax::*;
use crate::types::Ty;
use crate::world::{Entity, Item, R, refuse, refuse_as};

/// Something that can be assigned to.
pub(crate) enum Place {
    Blank,
    /// An expression of `.kin` that may stand left of `=`.
    Code(String, Ty),
    /// An element of a map: the map and the key.
    MapElement(String, String, Ty),
    /// A local variable that holds an object, and whether others may know the object.
    Object(String, Ty, bool),
}

impl Fx<'_, '_> {
    pub(crate) fn address(&mut self, inner: &Expr, want: Option<&Ty>, at: (Pos, Pos)) -> R<Val> {
        let bare = inner.bare();
        if let ExprKind::Composite(of, elements) = &*bare.kind {
            let pointee = match want.map(|ty| self.w.under(ty)) {
                Some(Ty::Pointer(to)) => Some((*to).clone()),
                _ => None,
            };
            let val = self.composite(of.as_ref(), elements, pointee.as_ref(), at)?;
            if self.w.is_object(&val.ty) {
                return Ok(Val::made(val.code, val.ty.pointer()));
            }
            let cell = self.w.object(&val.ty);
            let temp = self.temp();
            self.emit(format!("let {temp}: {cell} = new {cell}(first: {})", val.code));
            return Ok(Val::made(temp, val.ty.pointer()));
        }
        if let Some(name) = bare.name()
            && let Some(Entity::Var(pos)) = self.look_up(name)
        {
            let variable = self.variable(pos, at)?;
            if variable.boxed {
                return Ok(Val::new(variable.kin, variable.ty.pointer()));
            }
        }
        if let Some(name) = bare.name()
            && self.look_up(name).is_none()
            && let Some(Item::Var(index)) = self.w.items.get(name).cloned()
        {
            let ty = self.global(index, at)?;
            if !self.w.is_object(&ty) {
                if self.w.is_boxed_global(index) {
                    return Ok(Val::new(self.w.globals[index].kin.clone(), ty.pointer()));
                }
                self.w.box_global(index);
                return Ok(Val::made("none", ty.pointer()));
            }
        }
        if let ExprKind::Star(pointer) = &*bare.kind {
            return self.expr(pointer, None);
        }
        if let ExprKind::Select(of, name) = &*bare.kind
            && self.package(of).is_none()
            && self.as_type(of)?.is_none()
        {
            let base = self.expr(of, None)?;
            if let Some(Member { path, kind: MemberKind::Field(field, ty) }) =
                self.member(&base.ty, &name.name)
                && !self.w.is_object(&ty)
                && !matches!(self.w.under(&ty), Ty::Lib(_))
            {
                let base = self.follow(base, &path);
                let object = self.object_code(&base);
                let of = match self.w.under(&base.ty) {
                    Ty::Pointer(_) => match &base.ty {
                        Ty::Pointer(to) => (**to).clone(),
                        _ => base.ty.clone(),
                    },
                    _ => base.ty.clone(),
                };
                return Ok(self.field_address(&of, &name.name, &format!("{object}.{field}"), &ty));
            }
        }
        if let ExprKind::Index(of, indices) = &*bare.kind
            && self.declared(of).is_none_or(|item| !matches!(item, Item::Func(_)))
            && let Some(val) = self.element_address(of, indices, at)?
        {
            return Ok(val);
        }
        let val = self.expr(inner, None)?;
        if self.w.is_object(&val.ty) {
            return Ok(Val::new(val.code, val.ty.pointer()));
        }
        if matches!(self.w.under(&val.ty), Ty::Lib(_))
            && self.w.zero(&val.ty).as_deref() == Some("0")
        {
            return Ok(Val::new("0", val.ty.pointer()));
        }
        refuse_as(
            "G0405",
            at,
            "the address of this is taken, which is not understood",
            "take the address of a variable or of a struct",
        )
    }

    /// What can be assigned to.
    pub(crate) fn place(&mut self, expr: &Expr) -> R<Place> {
        let at = (expr.pos, expr.end);
        let bare = expr.bare();
        match &*bare.kind {
            ExprKind::Name(name) if name == "_" => Ok(Place::Blank),
            ExprKind::Name(name) => {
                if let Some(Entity::Var(pos)) = self.look_up(name) {
                    let variable = self.variable(pos, at)?;
                    if self.w.is_object(&variable.ty) {
                        let escape =
                            self.w.escapes.variables.get(&pos).copied().unwrap_or_default();
                        let known = variable.kin.ends_with('!')
                            || escape.captured
                            || escape.addressed
                            || escape.shared
                            || escape.selected && self.has_pointer_methods(&variable.ty);
                        return Ok(Place::Object(variable.kin, variable.ty, known));
                    }
                }
                let val = self.name(name, None, at)?;
                if val.konst.is_some() {
                    return refuse(at, "a constant is assigned to", "use a variable");
                }
                if self.w.is_object(&val.ty) {
                    let code = self.keep(&val);
                    return Ok(Place::Object(code, val.ty, true));
                }
                Ok(Place::Code(val.code, val.ty))
            }
            ExprKind::Index(of, indices) if indices.len() == 1 => {
                let base = self.expr(of, None)?;
                match self.w.under(&base.ty) {
                    Ty::Map(key, value) => {
                        let map = self.simple(&base);
                        let key = self.map_key(&indices[0], &key)?;
                        Ok(Place::MapElement(map, key, (*value).clone()))
                    }
                    _ => {
                        let val = self.index(of, indices, at)?;
                        self.w.sharing.write(&val.ty);
                        if self.w.is_object(&val.ty) {
                            let code = self.keep(&val);
                            return Ok(Place::Object(code, val.ty, true));
                        }
                        Ok(Place::Code(val.code, val.ty))
                    }
                }
            }
            ExprKind::Star(inner) => {
                let pointer = self.expr(inner, None)?;
                let Ty::Pointer(to) = self.w.under(&pointer.ty) else {
                    return refuse_as("G0301", at, "this is no pointer", "leave out the `*`");
                };
                if self.w.is_object(&to) {
                    let kin = self.w.kin(&to);
                    let code = self.keep_as(&format!("{}!", pointer.code), &kin);
                    return Ok(Place::Object(code, (*to).clone(), true));
                }
                let object = self.object_code(&pointer);
                Ok(Place::Code(format!("{object}.v"), (*to).clone()))
            }
            ExprKind::Select(of, name) => {
                let val = self.select(of, name, at)?;
                if self.w.is_object(&val.ty) {
                    let code = self.keep(&val);
                    return Ok(Place::Object(code, val.ty, true));
                }
                Ok(Place::Code(val.code, val.ty))
            }
            _ => refuse(
                at,
                "this cannot be assigned to",
                "assign to a variable, a field or an element",
            ),
        }
    }

    /// Whether some method takes the address of values of a type, or of something in them.
    pub(crate) fn has_pointer_methods(&self, ty: &Ty) -> bool {
        let own = match ty {
            Ty::Named(id) => self.w.named[*id].methods.values().any(|method| {
                let receiver = method.receiver.as_ref().map(|receiver| &*receiver.of.bare().kind);
                matches!(receiver, Some(ExprKind::Star(_)))
            }),
            Ty::Lib(_) => true,
            _ => false,
        };
        own || match self.w.under(ty) {
            Ty::Struct(fields) => fields.iter().any(|field| self.has_pointer_methods(&field.ty)),
            Ty::Array(_, element) => self.has_pointer_methods(&element),
            _ => false,
        }
    }

    pub(crate) fn assign(&mut self, place: &Place, val: Val) -> R<()> {
        let val = self.within_range(place, val);
        match place {
            Place::Blank => self.evaluated(&val),
            Place::Code(code, _) => self.emit(format!("{code} = {}", val.code)),
            Place::MapElement(map, key, _) => {
                let val = self.settled(val);
                self.guard(&format!("{map} != none"));
                self.emit(format!("{map}.items[{key}] = {}", val.code))
            }
            Place::Object(code, ty, known) => {
                if !known {
                    self.emit(format!("{code} = {}", val.code));
                } else if matches!(self.w.under(ty), Ty::Struct(_) | Ty::Array(..)) {
                    let from = self.simple(&val);
                    self.overwrite(code, &from, ty)?;
                } else {
                    return refuse(
                        self.at,
                        "a lock is assigned to",
                        "make a new one with a pointer",
                    );
                }
            }
        }
        Ok(())
    }

    /// Copies the value of an object into another, which others may know. Of `from` nobody else knows.
    pub(crate) fn overwrite(&mut self, code: &str, from: &str, ty: &Ty) -> R<()> {
        match self.w.under(ty) {
            Ty::Struct(fields) => {
                for (at, field) in fields.iter().enumerate() {
                    let name = self.w.field_access(ty, field, at);
                    let (to, value) = (format!("{code}.{name}"), format!("{from}.{name}"));
                    if matches!(self.w.under(&field.ty), Ty::Struct(_) | Ty::Array(..))
                        && self.w.is_object(&field.ty)
                    {
                        self.overwrite(&to, &value, &field.ty)?;
                    } else {
                        self.emit(format!("{to} = {value}"));
                    }
                }
            }
            Ty::Array(n, element) if self.w.is_boxed_element(&element) => {
                for at in 0..n {
                    self.emit(format!("{code}.items[{at}]!.v = {from}.items[{at}]!.v"));
                }
            }
            Ty::Array(n, element) if self.w.is_object(&element) => {
                for at in 0..n {
                    let (to, value) =
                        (format!("{code}.items[{at}]!"), format!("{from}.items[{at}]!"));
                    self.overwrite(&to, &value, &element)?;
                }
            }
            _ => self.emit(format!("{code}.items = {from}.items")),
        }
        Ok(())
    }

    pub(crate) fn place_ty(&self, place: &Place) -> Option<Ty> {
        match place {
            Place::Blank => None,
            Place::Code(_, ty) | Place::MapElement(_, _, ty) | Place::Object(_, ty, _) => {
                Some(ty.clone())
            }
        }
    }
}
