//! What is assigned to.

use super::Checker;
use crate::{LocalId, Root, Selector, Target, Type};

impl<'p> Checker<'p> {
    /// Checks a target, and gives the type of what it is; nothing if it is none.
    pub(super) fn target(&mut self, target: &'p Target) -> Option<Type> {
        let program = self.program;
        let of = match &target.root {
            Root::Local(id) => self.local(*id)?,
            Root::Global(id) => match program.globals.get(id.index()) {
                Some(global) => &global.variable.of,
                None => return self.nothing(|| format!("{id:?} is not there")),
            },
            Root::Field(object, field) => {
                self.expr(object);
                self.field(&object.of, *field)?
            }
        };
        self.require(target.of == *of, || format!("a variable is {of:?}, not {:?}", target.of));
        let mut of = of.clone();
        for way in &target.path {
            of = self.inside(&of, way)?;
        }
        Some(of)
    }

    /// The type of a local variable.
    pub(super) fn local(&mut self, id: LocalId) -> Option<&'p Type> {
        match self.locals.get(id.index()) {
            Some(local) => Some(&local.of),
            None => self.nothing(|| format!("{id:?} is not there")),
        }
    }

    /// The type of a field of an object.
    pub(super) fn field(&mut self, object: &Type, field: crate::FieldId) -> Option<&'p Type> {
        let fields = &self.object_type(object)?.fields;
        match fields.get(field.index()) {
            Some(field) => Some(&field.variable.of),
            None => self.nothing(|| format!("{field:?} is not there")),
        }
    }

    /// The type of the object that a value refers to, perhaps to none.
    pub(super) fn object_type(&mut self, of: &Type) -> Option<&'p crate::ObjectType> {
        let id = match of {
            Type::Object(id) => Some(id),
            Type::Optional(inner) => match &**inner {
                Type::Object(id) => Some(id),
                _ => None,
            },
            _ => None,
        };
        match id.and_then(|id| self.program.objects.get(id.index())) {
            Some(object) => Some(object),
            None => self.nothing(|| format!("{of:?} is no reference to an object")),
        }
    }

    /// The type of a component of a record, or of a case of a variant.
    pub(super) fn component(
        &mut self,
        of: &Type,
        case: Option<usize>,
        index: usize,
    ) -> Option<&'p Type> {
        match self.components(of, case)?.get(index) {
            Some(component) => Some(&component.of),
            None => self.nothing(|| format!("there is no component {index}")),
        }
    }

    /// The components of a record, or of a case of a variant.
    pub(super) fn components(
        &mut self,
        of: &Type,
        case: Option<usize>,
    ) -> Option<&'p [crate::Named]> {
        let program = self.program;
        let found = match (of, case) {
            (Type::Record(id), None) => program.records.get(id.index()),
            (Type::Variant(id), Some(case)) => {
                program.variants.get(id.index()).and_then(|variant| variant.cases.get(case))
            }
            _ => None,
        };
        match found {
            Some(record) => Some(&record.components),
            None => self.nothing(|| format!("{of:?} has no components in case {case:?}")),
        }
    }

    fn inside(&mut self, of: &Type, way: &'p Selector) -> Option<Type> {
        match way {
            Selector::Component(index) => self.component(of, None, *index).cloned(),
            Selector::Payload(case, index) => self.component(of, Some(*case), *index).cloned(),
            Selector::Element(index) => {
                let (key, element) = self.keyed(of)?;
                self.fits(index, &key);
                Some(element)
            }
        }
    }

    /// The types of what a sequence or a map is asked by, and of what it has there.
    pub(super) fn keyed(&mut self, of: &Type) -> Option<(Type, Type)> {
        match of {
            Type::Sequence(element, _) => Some((Type::Int { min: 0, max: 0 }, (**element).clone())),
            Type::Map(key, element, _) => Some(((**key).clone(), (**element).clone())),
            _ => self.nothing(|| format!("{of:?} has no elements by index or key")),
        }
    }

    /// Notes what is wrong.
    pub(super) fn nothing<T>(&mut self, what: impl FnOnce() -> String) -> Option<T> {
        self.require(false, what);
        None
    }
}
