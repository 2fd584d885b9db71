//! Heaps: threads and objects, and what is in them.

use crate::value::{Arena, Kind, Value};

/// What a thread or an object is, by its index among the classes of the program ([`Code::class`](crate::code::Code)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class(pub u16);

/// The object whose fields are the global variables.
pub const GLOBALS: u32 = 0;

/// A thread or an object.
#[derive(Clone, Copy, Debug)]
struct Object {
    class: Class,
    start: u32,
    length: u32,
}

/// Threads and objects. A thread that runs has its frames as fields, the innermost first: the point at which it is, and
/// the variables that are live there. One that has ended has its result.
#[derive(Debug, Default)]
pub struct Heap {
    objects: Vec<Object>,
    fields: Vec<Value>,
    pub(crate) arena: Arena,
}

impl Clone for Heap {
    fn clone(&self) -> Heap {
        let Heap { objects, fields, arena } = self;
        Heap { objects: objects.clone(), fields: fields.clone(), arena: arena.clone() }
    }

    fn clone_from(&mut self, other: &Heap) {
        self.objects.clone_from(&other.objects);
        self.fields.clone_from(&other.fields);
        self.arena.clone_from(&other.arena);
    }
}

impl Heap {
    /// The number of threads and objects.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.objects.len() as u32
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// What an object is.
    #[inline]
    #[must_use]
    pub fn class(&self, object: u32) -> Class {
        self.objects[object as usize].class
    }

    /// The fields of an object.
    #[inline]
    #[must_use]
    pub fn fields(&self, object: u32) -> &[Value] {
        let Object { start, length, .. } = self.objects[object as usize];
        &self.fields[start as usize..(start + length) as usize]
    }

    /// What a composite value is, and what it consists of.
    #[must_use]
    pub fn composite(&self, id: u32) -> (Kind, &[Value]) {
        (self.arena.composite(id).kind, self.arena.parts(id))
    }

    /// Gives a field another value.
    #[inline]
    pub(crate) fn set_field(&mut self, object: u32, field: usize, value: Value) {
        let start = self.objects[object as usize].start as usize;
        self.fields[start + field] = value;
    }

    /// Adds an object.
    pub(crate) fn add(&mut self, class: Class, fields: &[Value]) -> u32 {
        let start = self.fields.len() as u32;
        self.fields.extend_from_slice(fields);
        self.objects.push(Object { class, start, length: fields.len() as u32 });
        self.len() - 1
    }

    /// Makes an object something else, with other fields.
    pub(crate) fn become_(&mut self, object: u32, class: Class, fields: &[Value]) {
        let old = self.objects[object as usize];
        let start = match fields.len() as u32 <= old.length {
            true => old.start as usize,
            false => {
                let start = self.fields.len();
                self.fields.resize(start + fields.len(), Value::Nothing);
                start
            }
        };
        self.fields[start..start + fields.len()].copy_from_slice(fields);
        self.objects[object as usize] =
            Object { class, start: start as u32, length: fields.len() as u32 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_become_larger_and_smaller() {
        let mut heap = Heap::default();
        let number = |n| Value::Number(n);
        let a = heap.add(Class(1), &[number(1), number(2)]);
        let b = heap.add(Class(2), &[number(3)]);
        heap.become_(a, Class(3), &[number(4), number(5), number(6)]);
        assert_eq!(
            (heap.class(a), heap.fields(a)),
            (Class(3), &[number(4), number(5), number(6)][..])
        );
        heap.become_(b, Class(2), &[]);
        assert_eq!((heap.fields(b).len(), heap.fields(a)[2]), (0, number(6)));
    }
}
