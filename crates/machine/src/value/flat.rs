//! Values in a row, as they are compared with those of other heaps.

use super::{Arena, Kind, Value};

/// Values in a row, apart from the heap that they are in: equal ones are equal in all heaps of the same objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Flat {
    values: Vec<One>,
    /// Whether elements of a bag may be left out.
    pub is_open: bool,
}

/// A value, or the beginning of one that consists of others, which follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum One {
    Nothing,
    Number(i64),
    Reference(u32),
    Composite(Kind, u32),
}

impl Flat {
    /// Adds a value.
    pub(crate) fn push(&mut self, arena: &Arena, value: Value) {
        self.values.push(match value {
            Value::Nothing => One::Nothing,
            Value::Number(number) => One::Number(number),
            Value::Reference(object) => One::Reference(object),
            Value::Composite(id) => {
                let composite = arena.composite(id);
                let parts = arena.parts(id);
                self.is_open |= composite.open.is_some();
                self.values.push(One::Composite(composite.kind, parts.len() as u32));
                parts.iter().for_each(|part| self.push(arena, *part));
                return;
            }
        });
    }

    /// The values, in an arena.
    pub(crate) fn values(&self, arena: &mut Arena) -> Vec<Value> {
        let (mut at, mut values) = (0, Vec::new());
        while at < self.values.len() {
            values.push(self.value(arena, &mut at));
        }
        values
    }

    fn value(&self, arena: &mut Arena, at: &mut usize) -> Value {
        let one = self.values[*at];
        *at += 1;
        match one {
            One::Nothing => Value::Nothing,
            One::Number(number) => Value::Number(number),
            One::Reference(object) => Value::Reference(object),
            One::Composite(kind, count) => {
                let parts: Vec<Value> = (0..count).map(|_| self.value(arena, at)).collect();
                arena.make(kind, &parts)
            }
        }
    }
}
