//! Composite literals: structs, arrays, slices, maps.

use std::collections::HashMap;
use std::rc::Rc;

use crate::fx::{Fx, Val};
use crate::kin::field_name;
use crate::syntax::*;
use crate::types::{Konst, Ty};
use crate::world::{R, refuse, refuse_as};

impl Fx<'_, '_> {
    /// `T{…}`.
    pub(crate) fn composite(
        &mut self,
        of: Option<&Expr>,
        elements: &[Element],
        want: Option<&Ty>,
        at: (Pos, Pos),
    ) -> R<Val> {
        let ty = match of {
            Some(of) => match &*of.kind {
                ExprKind::ArrayType(ArrayLen::Counted, element) => {
                    let element = self.ty(element)?;
                    let length = self.positions(elements, at)?.1;
                    Ty::Array(length as u32, Rc::new(element))
                }
                _ => self.ty(of)?,
            },
            None => match want {
                Some(ty) => ty.clone(),
                None => return refuse(at, "this literal has no type", "write its type"),
            },
        };
        let (ty, pointer) = match (&ty, of) {
            (Ty::Pointer(to), None) => ((**to).clone(), true),
            _ => (ty, false),
        };
        let val = self.composite_of(&ty, elements, at)?;
        Ok(if pointer { Val::made(val.code, ty.pointer()) } else { val })
    }

    pub(crate) fn composite_of(&mut self, ty: &Ty, elements: &[Element], at: (Pos, Pos)) -> R<Val> {
        let kin = self.w.kin(ty);
        match self.w.under(ty) {
            Ty::Struct(fields) => {
                let mut given: HashMap<usize, String> = HashMap::new();
                for (number, element) in elements.iter().enumerate() {
                    let index = match &element.key {
                        Some(key) => {
                            let name = key.name().unwrap_or_default();
                            match fields.iter().position(|field| field.name == name) {
                                Some(index) => index,
                                None => return self.no_member(ty, name, (key.pos, key.end)),
                            }
                        }
                        None => number,
                    };
                    let Some(field) = fields.get(index) else {
                        return refuse(at, "there are more values than fields", "leave some out");
                    };
                    let val = self.expr_as(&element.value, &field.ty)?;
                    given.insert(index, self.settled(val).code);
                }
                if !self.w.is_object(ty) {
                    return Ok(Val::made("0", ty.clone()));
                }
                let mut args = Vec::new();
                for (index, field) in fields.iter().enumerate() {
                    let name = field_name(&field.name, index);
                    match given.remove(&index) {
                        Some(code) => {
                            let code = self.field_first(ty, field, code);
                            args.push(format!("init_{name}: {code}"));
                        }
                        None => {
                            if let Some(zero) = self.field_zero(ty, field)? {
                                args.push(format!("init_{name}: {zero}"));
                            }
                        }
                    }
                }
                let temp = self.temp();
                let args =
                    if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
                self.emit(format!("let {temp}: {kin} = new {kin}{args}"));
                Ok(Val::made(temp, ty.clone()))
            }
            Ty::Slice(element) | Ty::Array(_, element) => {
                let (positions, length) = self.positions(elements, at)?;
                let length = match self.w.under(ty) {
                    Ty::Array(n, _) => n as usize,
                    _ => length,
                };
                let mut given: Vec<Option<String>> = vec![None; length];
                for (one, position) in elements.iter().zip(positions) {
                    let val = self.expr_as(&one.value, &element)?;
                    let code = self.settled(val).code;
                    match given.get_mut(position) {
                        Some(place) => *place = Some(code),
                        None => return refuse(at, "there is no such element", "use fewer"),
                    }
                }
                let mut items = Vec::new();
                for one in given {
                    let value = match one {
                        Some(code) => code,
                        None => self.zero(&element)?,
                    };
                    items.push(self.element_first(&element, value));
                }
                self.room_for(items.len() as u32);
                if matches!(self.w.under(ty), Ty::Slice(_)) {
                    let count = items.len().to_string();
                    let made = self.new_slice(&element, &format!("[{}]", items.join(", ")), &count);
                    return Ok(Val::made(made, ty.clone()));
                }
                let object = self.w.array(&element);
                let temp = self.temp();
                self.emit(format!(
                    "let {temp}: {object} = new {object}(first: [{}])",
                    items.join(", ")
                ));
                Ok(Val::made(temp, ty.clone()))
            }
            Ty::Map(key, value) => {
                let object = self.w.map(&key, &value);
                self.room_for(elements.len() as u32);
                let temp = self.temp();
                self.emit(format!("let {temp}: {object} = new {object}"));
                for element in elements {
                    let Some(of) = &element.key else {
                        return refuse(at, "a key is missing", "write `key: value`");
                    };
                    let of = self.map_element_key(of, &key)?;
                    let val = self.expr_as(&element.value, &value)?;
                    self.emit(format!("{temp}.items[{of}] = {}", val.code));
                }
                Ok(Val::made(temp, ty.clone()))
            }
            Ty::Lib(lib) => self.lib_composite(lib, elements, at),
            Ty::Opaque(_) if elements.is_empty() => Ok(Val::made("0", ty.clone())),
            _ => refuse(
                at,
                format!("there is no literal of type {}", self.w.show(ty)),
                "use a struct, slice or map",
            ),
        }
    }

    /// A key in a literal, whose type may be left out.
    pub(crate) fn map_element_key(&mut self, key: &Expr, ty: &Ty) -> R<String> {
        self.map_key(key, ty)
    }

    /// Where the elements of a literal go, and how many there are with those between them.
    pub(crate) fn positions(
        &mut self,
        elements: &[Element],
        at: (Pos, Pos),
    ) -> R<(Vec<usize>, usize)> {
        let (mut positions, mut next, mut length) = (Vec::new(), 0, 0);
        for one in elements {
            if let Some(key) = &one.key {
                let key = self.expr(key, None)?;
                let Some(Konst::Int(index)) = key.konst else {
                    return refuse(at, "this index is no constant", "write a number");
                };
                next = usize::try_from(index).unwrap_or(usize::MAX).min(1 << 20);
            }
            positions.push(next);
            next += 1;
            length = length.max(next);
        }
        if length > 256 {
            return refuse_as("G0404", at, "there are more than 256 elements", "use fewer");
        }
        Ok((positions, length))
    }
}
