//! Elements of arrays, slices and maps; keys of maps.

use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::syntax::*;
use crate::types::Ty;
use crate::world::{Item, R, refuse};

impl Fx<'_, '_> {
    /// An element of an array, slice, map or string, or a function with type arguments.
    pub(crate) fn index(&mut self, of: &Expr, indices: &[Expr], at: (Pos, Pos)) -> R<Val> {
        if let Some(Item::Func(decl)) = self.declared(of) {
            let mut types = Vec::new();
            for index in indices {
                types.push(self.ty(index)?);
            }
            return self.function_value(&decl, &types, at);
        }
        let base = self.expr(of, None)?;
        let [index] = indices else { return refuse(at, "there are several indices", "give one") };
        let under = match self.w.under(&base.ty) {
            Ty::Pointer(to) => {
                let to = self.w.under(&to);
                if !matches!(to, Ty::Array(..)) {
                    return refuse(at, "this has no elements", "use a slice, an array or a map");
                }
                Ty::Slice(match to {
                    Ty::Array(_, element) => element,
                    _ => Rc::new(Ty::Bool),
                })
            }
            under => under,
        };
        match under {
            Ty::Map(key, value) => {
                let (val, _) = self.map_element(&base, index, &key, &value, at)?;
                Ok(val)
            }
            Ty::Slice(element) | Ty::Array(_, element) => {
                // Reading an element that never changes is no step of its own.
                let (index, lines) = self.apart(|fx| fx.expr(index, Some(&Ty::INT)))?;
                let alone = lines.is_empty() && !self.reads_shared(&index.code);
                let fixed = self.w.sharing.is_constant(&element) && !self.w.unwinds;
                let base = if alone && fixed { base } else { self.settled(base) };
                self.lines.extend(lines);
                let index = self.settled(index);
                let is_array = !matches!(self.w.under(&base.ty), Ty::Slice(_));
                let (b, i) = (base.code.clone(), index.code.clone());
                if self.w.is_object(&element) {
                    // Something in it may be assigned to.
                    self.w.sharing.write(&element);
                }
                if is_array {
                    let items = match self.w.under(&base.ty) {
                        Ty::Pointer(_) => format!("{b}!.items"),
                        _ => format!("{b}.items"),
                    };
                    self.guard(&format!("{i} >= 0 and {i} < len({items})"));
                    let code = self.w.element_access(format!("{items}[{i}]"), &element);
                    return self.unkept(&code, &element, false);
                }
                if alone && fixed {
                    return self.unkept(&self.slice_element(&b, &element, &i), &element, false);
                }
                let b = self.simple(&base);
                let length = self.slice_length(&b, &element);
                self.guard(&format!("{i} >= 0 and {i} < ({length})"));
                self.in_slice(&b, &element, &i);
                self.unkept(&self.slice_element(&b, &element, &i), &element, false)
            }
            Ty::Str => {
                self.expr(index, Some(&Ty::INT))?;
                self.some_number("the letters of strings are not kept: where one is more than compared, it is any of 0..=3", at)
            }
            _ => refuse(at, "this has no elements", "use a slice, an array or a map"),
        }
    }

    /// A key of a map, as it is kept there.
    pub(crate) fn map_key(&mut self, key: &Expr, ty: &Ty) -> R<String> {
        let key = self.expr_as(key, ty)?;
        if key.konst.is_some() {
            return Ok(key.code);
        }
        let code = self.simple(&key);
        self.key_of(&code, ty)
    }

    /// A value as a key: of a struct, a record of its fields.
    pub(crate) fn key_of(&mut self, code: &str, ty: &Ty) -> R<String> {
        let Ty::Struct(fields) = self.w.under(ty) else { return Ok(code.to_owned()) };
        if !self.w.is_object(ty) {
            return Ok(code.to_owned());
        }
        let record = self.w.key(ty);
        let parts = fields.iter().enumerate().map(|(at, field)| {
            let name = crate::kin::field_name(&field.name, at);
            format!("{name}: {code}.{}", self.w.field_access(ty, field, at))
        });
        let parts: Vec<String> = parts.collect();
        Ok(self.keep_as(&format!("{record}({})", parts.join(", ")), &record))
    }

    /// A key of a map as a value.
    pub(crate) fn of_key(&mut self, code: &str, ty: &Ty) -> R<Val> {
        let Ty::Struct(fields) = self.w.under(ty) else { return Ok(Val::new(code, ty.clone())) };
        if !self.w.is_object(ty) {
            return Ok(Val::new(code, ty.clone()));
        }
        let kin = self.w.kin(ty);
        let mut parts = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            let name = crate::kin::field_name(&field.name, at);
            let value = self.field_first(ty, field, format!("{code}.{name}"));
            parts.push(format!("init_{name}: {value}"));
        }
        Ok(Val::made(self.keep_as(&format!("new {kin}({})", parts.join(", ")), &kin), ty.clone()))
    }

    /// An element of a map or its zero value, and whether it is there.
    pub(crate) fn map_element(
        &mut self,
        base: &Val,
        key: &Expr,
        key_ty: &Ty,
        value: &Ty,
        at: (Pos, Pos),
    ) -> R<(Val, String)> {
        let _ = at;
        let map = self.simple(base);
        let key = self.map_key(key, key_ty)?;
        let kept = self.w.kept(value);
        let zero = self.w.zero(value).unwrap_or_else(|| "none".into());
        let (ok, found) = (self.keep_as("false", "bool"), self.keep_as(&zero, &kept));
        self.emit(format!("if {map} != none {{"));
        self.emit(format!(
            "atomic {{ if {key} in {map}!.items {{ {found} = {map}!.items[{key}]  {ok} = true }} }}"
        ));
        self.emit("}");
        let val = self.unkept(&found, value, true)?;
        Ok((val, ok))
    }
}
