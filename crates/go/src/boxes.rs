//! Fields of structs, variables of the package, and elements of arrays whose address is taken, as in `&s.n` and `&a[i]`: each
//! is kept in an object of its own, with one field `v`, so that a pointer to it is a reference to that object. Of elements,
//! all of the same type are.
//!
//! Structs and arrays are objects anyway, and local variables are looked at before (`escape`). What is found in one
//! translation is told to the next, in which these fields are boxed everywhere.

use std::collections::BTreeSet;

use crate::fx::{Fx, Val};
use crate::kin::field_name;
use crate::syntax::*;
use crate::types::{Field, Ty};
use crate::world::{R, World};

/// What is boxed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Boxes {
    known: BTreeSet<String>,
    found: BTreeSet<String>,
    /// Types of elements.
    known_elements: BTreeSet<Ty>,
    found_elements: BTreeSet<Ty>,
}

impl Boxes {
    /// For the next translation.
    pub(crate) fn told(&self) -> Boxes {
        Boxes {
            known: self.known.union(&self.found).cloned().collect(),
            known_elements: self.known_elements.union(&self.found_elements).cloned().collect(),
            ..Boxes::default()
        }
    }

    fn is_boxed(&self, key: &str) -> bool {
        self.known.contains(key)
    }

    fn want(&mut self, key: String) {
        self.found.insert(key);
    }
}

impl World<'_> {
    fn field_key(&self, of: &Ty, field: &str) -> String {
        format!("{}.{field}", self.mangled(of))
    }

    /// Whether a field of a struct is kept in an object of its own.
    pub(crate) fn is_boxed_field(&self, of: &Ty, field: &str) -> bool {
        self.boxes.is_boxed(&self.field_key(of, field))
    }

    /// Asks for a field to be boxed, from the next translation on.
    pub(crate) fn box_field(&mut self, of: &Ty, field: &str) {
        let key = self.field_key(of, field);
        self.boxes.want(key);
    }

    /// Whether a variable of the package is kept in an object of its own.
    pub(crate) fn is_boxed_global(&self, index: usize) -> bool {
        self.boxes.is_boxed(&format!("var {}", self.globals[index].name))
    }

    pub(crate) fn box_global(&mut self, index: usize) {
        let key = format!("var {}", self.globals[index].name);
        self.boxes.want(key);
    }

    /// Whether elements of a type are kept in objects of their own. Their slices share them (`slices`).
    pub(crate) fn is_boxed_element(&self, element: &Ty) -> bool {
        self.boxes.known_elements.contains(element)
    }

    pub(crate) fn box_element(&mut self, element: &Ty) {
        self.boxes.found_elements.insert(element.clone());
        self.sharing.tell_apart(element);
    }

    /// The type of what arrays hold.
    pub(crate) fn stored(&mut self, element: &Ty) -> String {
        match self.is_boxed_element(element) {
            true => format!("{}?", self.object(element)),
            false => self.kept(element),
        }
    }

    /// An element of an array, by what the array holds.
    pub(crate) fn element_access(&self, code: String, element: &Ty) -> String {
        if self.is_boxed_element(element) { format!("{code}!.v") } else { code }
    }

    /// What stands after the dot to read a field.
    pub(crate) fn field_access(&self, of: &Ty, field: &Field, at: usize) -> String {
        let name = field_name(&field.name, at);
        if self.is_boxed_field(of, &field.name) { format!("{name}.v") } else { name }
    }
}

impl Fx<'_, '_> {
    /// What a field is made with: its value, or an object with it.
    pub(crate) fn field_first(&mut self, of: &Ty, field: &Field, value: String) -> String {
        if !self.w.is_boxed_field(of, &field.name) {
            return value;
        }
        let cell = self.w.object(&field.ty);
        self.keep_as(&format!("new {cell}(first: {value})"), &cell)
    }

    /// The zero value of a field, where it cannot be left out.
    pub(crate) fn field_zero(&mut self, of: &Ty, field: &Field) -> R<Option<String>> {
        if !self.w.is_boxed_field(of, &field.name) && self.w.zero(&field.ty).is_some() {
            return Ok(None);
        }
        let zero = self.zero(&field.ty)?;
        Ok(Some(self.field_first(of, field, zero)))
    }

    /// What an array holds for a value: the value, or an object with it.
    pub(crate) fn element_first(&mut self, element: &Ty, value: String) -> String {
        if !self.w.is_boxed_element(element) {
            return value;
        }
        let cell = self.w.object(element);
        self.keep_as(&format!("new {cell}(first: {value})"), &cell)
    }

    /// What an array holds for a sequence of values.
    pub(crate) fn elements_first(&mut self, element: &Ty, items: &str) -> String {
        if !self.w.is_boxed_element(element) {
            return items.to_owned();
        }
        let stored = self.w.stored(element);
        let held = self.keep_as("[]", &format!("seq[{stored}, room]"));
        let x = self.temp();
        self.emit(format!("for {x} in {items} {{"));
        let one = self.element_first(element, x);
        self.emit(format!("{held}.push_back({one})"));
        self.emit("}");
        held
    }

    /// A pointer to an element that is no object; nothing if it is one, or of a map.
    pub(crate) fn element_address(
        &mut self,
        of: &Expr,
        indices: &[Expr],
        at: (Pos, Pos),
    ) -> R<Option<Val>> {
        let base = self.type_of(of)?;
        let under = match self.w.under(&base) {
            Ty::Pointer(to) => self.w.under(&to),
            under => under,
        };
        let (Ty::Slice(element) | Ty::Array(_, element)) = under else { return Ok(None) };
        if self.w.is_object(&element) {
            return Ok(None);
        }
        let is_boxed = self.w.is_boxed_element(&element);
        self.w.box_element(&element);
        self.w.sharing.write(&element);
        let val = self.index(of, indices, at)?;
        let ty = val.ty.pointer();
        Ok(Some(match val.code.strip_suffix(".v") {
            Some(cell) if is_boxed => Val::new(cell, ty),
            // The next translation has a box for it.
            _ => Val::made("none", ty),
        }))
    }

    /// A pointer to a field that is no object.
    pub(crate) fn field_address(&mut self, of: &Ty, field: &str, code: &str, ty: &Ty) -> Val {
        match code.strip_suffix(".v") {
            Some(cell) if self.w.is_boxed_field(of, field) => Val::new(cell, ty.clone().pointer()),
            // The next translation has a box for it.
            _ => {
                self.w.box_field(of, field);
                Val::made("none", ty.clone().pointer())
            }
        }
    }
}
