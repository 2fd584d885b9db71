//! Fields of structs and variables of the package whose address is taken, as in `&s.n`: each is kept in an object of its
//! own, with one field `v`, so that a pointer to it is a reference to that object.
//!
//! Structs and arrays are objects anyway, and local variables are looked at before (`escape`). What is found in one
//! translation is told to the next, in which these fields are boxed everywhere.

use std::collections::BTreeSet;

use crate::fx::{Fx, Val};
use crate::kin::field_name;
use crate::types::{Field, Ty};
use crate::world::{R, World};

/// What is boxed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Boxes {
    known: BTreeSet<String>,
    found: BTreeSet<String>,
}

impl Boxes {
    /// For the next translation.
    pub(crate) fn told(&self) -> Boxes {
        Boxes { known: self.known.union(&self.found).cloned().collect(), found: BTreeSet::new() }
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
