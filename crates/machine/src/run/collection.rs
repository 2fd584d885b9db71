//! Operations on collections.

use program::{FailureKind, Type};

use super::{Execution, Halt, Stack, composite};
use crate::code::{Address, Change, Instruction};
use crate::mistake::{Mistake, planted};
use crate::value::{Kind, Value};

impl Execution<'_> {
    /// Executes an instruction about a collection.
    pub(super) fn collection(
        &mut self,
        stack: &mut Stack,
        instruction: &Instruction,
        here: Address,
    ) -> Result<(), Halt> {
        let missing = Halt::Failed(FailureKind::NoElement, here);
        let (to, value) = match *instruction {
            Instruction::Length { to, of } => {
                let count = self.elements(stack.get(of))?;
                (to, Value::Number(count as i64))
            }
            Instruction::Element { to, of, key } => {
                (to, self.element(stack.get(of), stack.get(key))?.ok_or(missing)?)
            }
            Instruction::Nth { to, of, number } => {
                let (id, number) = (composite(stack.get(of)), stack.get(number).number() as usize);
                self.elements(stack.get(of))?;
                let width = self.heap.arena.composite(id).kind.width();
                (to, self.heap.arena.parts(id)[number * width])
            }
            Instruction::First { to, of } => {
                (to, *self.parts(stack.get(of)).first().ok_or(missing)?)
            }
            Instruction::Last { to, of } => (to, *self.parts(stack.get(of)).last().ok_or(missing)?),
            Instruction::Has { to, of, key } => {
                let has = self.find(stack.get(of), stack.get(key))?.is_some();
                (to, Value::truth(has))
            }
            Instruction::Change { to, change, of, most } => {
                (to, self.change(stack, change, of, most, here)?)
            }
            Instruction::SetElement { to, of, key, element, most } => {
                let (of, key, element) = (stack.get(of), stack.get(key), stack.get(element));
                (to, self.set_element(of, key, element, most, here)?)
            }
            ref other => unreachable!("{other:?} is about no collection"),
        };
        stack.set(to, value);
        Ok(())
    }

    /// A set or map of values in a row. Equal ones are one, so all that is in them must be there.
    pub(super) fn collect(&mut self, kind: Kind, parts: &[Value]) -> Result<Value, Halt> {
        let arena = &mut self.heap.arena;
        match parts.iter().step_by(kind.width()).any(|key| arena.is_open(*key)) {
            true if !planted(Mistake::PartialElements) => Err(Halt::Elsewhere),
            _ => Ok(arena.collect(kind, parts)),
        }
    }

    /// How many elements there are. All of them must be there.
    fn elements(&self, of: Value) -> Result<usize, Halt> {
        let id = composite(of);
        let collection = self.heap.arena.composite(id);
        match collection.open {
            Some(_) if !planted(Mistake::PartialBags) => Err(Halt::Elsewhere),
            _ => Ok(self.heap.arena.parts(id).len() / collection.kind.width()),
        }
    }

    /// Any element.
    pub(super) fn choose_element(&mut self, of: Value) -> Result<Value, Halt> {
        let count = self.elements(of)?;
        if count == 0 {
            return Err(Halt::Blocked);
        }
        let id = composite(of);
        let kind = self.heap.arena.composite(id).kind;
        if kind == Kind::Sequence {
            // Equal elements are one choice. Sets are compared by all that is in them.
            let mut different = self.heap.arena.parts(id).to_vec();
            let is_open = |element: &Value| self.heap.arena.is_open(*element);
            if different.iter().any(is_open) && !planted(Mistake::PartialElements) {
                return Err(Halt::Elsewhere);
            }
            different.sort_by(|a, b| self.heap.arena.compare(*a, *b));
            different.dedup_by(|a, b| self.heap.arena.compare(*a, *b).is_eq());
            return Ok(different[self.script.choose(different.len() as u32) as usize]);
        }
        let way = self.script.choose(count as u32) as usize;
        Ok(self.heap.arena.parts(id)[way * kind.width()])
    }

    /// Where an element or a key is. In a bag of which elements are left out, only what is mentioned by those who are there
    /// is known.
    fn find(&self, of: Value, key: Value) -> Result<Option<usize>, Halt> {
        let (arena, id) = (&self.heap.arena, composite(of));
        let collection = arena.composite(id);
        // Sets within are compared by all that is in them.
        if let Value::Composite(_) = key
            && !planted(Mistake::PartialElements)
        {
            let keys = arena.parts(id).iter().step_by(collection.kind.width());
            if keys.chain([&key]).any(|key| arena.is_open(*key)) {
                return Err(Halt::Elsewhere);
            }
        }
        match (collection.kind, collection.open) {
            (Kind::Sequence, _) => {
                let parts = arena.parts(id);
                Ok(parts.iter().position(|part| arena.compare(*part, key).is_eq()))
            }
            (kind, Some(_)) => match (arena.find(id, key), key) {
                (Ok(at), _) => Ok(Some(at)),
                // Who is in a bag is known of all who are there.
                (Err(_), Value::Reference(_)) if kind == Kind::Bag => Ok(None),
                // A key ties its element to it, unless it is one of the core.
                (Err(_), Value::Reference(one))
                    if !self.is_of_core(one) || planted(Mistake::HubKeys) =>
                {
                    Ok(None)
                }
                (Err(_), _) => Err(Halt::Elsewhere),
            },
            _ => Ok(arena.find(id, key).ok()),
        }
    }

    fn is_of_core(&self, object: u32) -> bool {
        self.core.is_some_and(|core| object < core)
    }

    /// The element at an index, or that of a key.
    fn element(&self, of: Value, key: Value) -> Result<Option<Value>, Halt> {
        let id = composite(of);
        let parts = self.heap.arena.parts(id);
        match self.heap.arena.composite(id).kind {
            Kind::Sequence => {
                let index = usize::try_from(key.number()).ok();
                Ok(index.and_then(|index| parts.get(index).copied()))
            }
            _ => Ok(self.find(of, key)?.map(|at| parts[at + 1])),
        }
    }

    fn change(
        &mut self,
        stack: &Stack,
        change: Change,
        of: u16,
        most: u32,
        here: Address,
    ) -> Result<Value, Halt> {
        let missing = Halt::Failed(FailureKind::NoElement, here);
        let collection = stack.get(of);
        let id = composite(collection);
        let length = self.heap.arena.parts(id).len();
        let operand = |number: u16| stack.get(of + number);
        let (at, by): (std::ops::Range<usize>, &[Value]) = match change {
            Change::Append => (length..length, &[operand(1)]),
            Change::Prepend => (0..0, &[operand(1)]),
            Change::WithoutFirst if length > 0 => (0..1, &[]),
            Change::WithoutLast if length > 0 => (length - 1..length, &[]),
            Change::WithoutFirst | Change::WithoutLast => return Err(missing),
            Change::WithoutAt => {
                let index = usize::try_from(operand(1).number()).ok();
                let index = index.filter(|index| *index < length).ok_or(missing)?;
                (index..index + 1, &[])
            }
            Change::With => {
                let kind = self.heap.arena.composite(id).kind;
                let element: &[Value] =
                    &[operand(1), if kind.width() == 2 { operand(2) } else { Value::Nothing }];
                let element = element[..kind.width()].to_vec();
                let made = match self.find(collection, element[0])? {
                    Some(at) if kind.width() == 1 => {
                        let _ = at;
                        return Ok(collection);
                    }
                    Some(at) => self.heap.arena.splice(id, at..at + 2, &element),
                    None => self.insert(collection, &element, most, here)?,
                };
                return Ok(made);
            }
            Change::Without => {
                let width = self.heap.arena.composite(id).kind.width();
                let made = match self.find(collection, operand(1))? {
                    Some(at) => self.heap.arena.splice(id, at..at + width, &[]),
                    None => collection,
                };
                return Ok(made);
            }
        };
        let by = by.to_vec();
        if length + by.len() - at.len() > most as usize {
            return Err(Halt::Failed(FailureKind::Full, here));
        }
        Ok(self.heap.arena.splice(id, at, &by))
    }

    /// A set or map with an element that it does not have.
    fn insert(
        &mut self,
        of: Value,
        element: &[Value],
        most: u32,
        here: Address,
    ) -> Result<Value, Halt> {
        let id = composite(of);
        if most < Type::UNBOUNDED && self.elements(of)? >= most as usize {
            return Err(Halt::Failed(FailureKind::Full, here));
        }
        let (Ok(at) | Err(at)) = self.heap.arena.find(id, element[0]);
        Ok(self.heap.arena.splice(id, at..at, element))
    }

    fn set_element(
        &mut self,
        of: Value,
        key: Value,
        element: Value,
        most: u32,
        here: Address,
    ) -> Result<Value, Halt> {
        let missing = Halt::Failed(FailureKind::NoElement, here);
        let id = composite(of);
        if self.heap.arena.composite(id).kind == Kind::Sequence {
            let index = usize::try_from(key.number()).ok();
            let length = self.heap.arena.parts(id).len();
            let index = index.filter(|index| *index < length).ok_or(missing)?;
            return Ok(self.heap.arena.splice(id, index..index + 1, &[element]));
        }
        match self.find(of, key)? {
            Some(at) => Ok(self.heap.arena.splice(id, at + 1..at + 2, &[element])),
            None if most == 0 => Err(missing),
            None => self.insert(of, &[key, element], most, here),
        }
    }
}
