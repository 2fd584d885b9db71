//! A heap as it is brought into canonical form: of each live object the values in its fields, one after the other.

use std::ops::Range;

use crate::code::Code;
use crate::heap::{Class, Heap};
use crate::value::{BagPlace, Kind, Value};

/// A value, or the beginning of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Nothing,
    Number(i64),
    Reference(u32),
    /// So many values follow, which belong to it.
    Composite(Kind, u32),
    /// A bag, by its number.
    Bag(u32),
}

/// A bag.
#[derive(Clone, Debug)]
pub(crate) struct Bag {
    pub kind: Kind,
    /// The object in whose fields it is, and which of the bags there.
    pub owner: u32,
    pub number: u32,
    members: Range<u32>,
}

/// That a bag of which elements are left out is not where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Misplaced;

#[derive(Clone, Debug)]
struct Object {
    class: Class,
    fields: u32,
    tokens: Range<u32>,
}

/// A heap, flattened. Elements of bags that are more than a reference are objects behind those of the heap.
#[derive(Debug, Default)]
pub(crate) struct Flat {
    /// By number; nothing for what is not live.
    objects: Vec<Option<Object>>,
    tokens: Vec<Token>,
    pub bags: Vec<Bag>,
    members: Vec<u32>,
    live: Vec<u32>,
    /// The bags of which elements are left out.
    pub open: Vec<BagPlace>,
    /// What is to be read.
    pending: Vec<u32>,
}

impl Flat {
    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    /// The live objects, in any order.
    pub(crate) fn live(&self) -> &[u32] {
        &self.live
    }

    fn object(&self, object: u32) -> &Object {
        self.objects[object as usize].as_ref().expect("it is live")
    }

    #[inline]
    pub(crate) fn tokens(&self, object: u32) -> &[Token] {
        let tokens = &self.object(object).tokens;
        &self.tokens[tokens.start as usize..tokens.end as usize]
    }

    pub(crate) fn class(&self, object: u32) -> Class {
        self.object(object).class
    }

    /// The number of its fields.
    pub(crate) fn fields(&self, object: u32) -> u32 {
        self.object(object).fields
    }

    pub(crate) fn members(&self, bag: &Bag) -> &[u32] {
        &self.members[bag.members.start as usize..bag.members.end as usize]
    }

    /// Reads what is live.
    pub(crate) fn read(
        &mut self,
        code: &Code,
        heap: &Heap,
        roots: &[u32],
    ) -> Result<(), Misplaced> {
        self.objects.clear();
        self.objects.resize(heap.len() as usize, None);
        self.tokens.clear();
        self.bags.clear();
        self.members.clear();
        self.live.clear();
        self.open.clear();
        self.pending.clear();
        self.pending.extend_from_slice(roots);
        self.pending.extend((0..heap.len()).filter(|object| code.is_running(heap.class(*object))));
        while let Some(object) = self.pending.pop() {
            if self.objects[object as usize].is_none() {
                let class = heap.class(object);
                self.add(code, heap, object, class, heap.fields(object))?;
            }
        }
        Ok(())
    }

    /// Reads an object, or an element of a bag.
    fn add(
        &mut self,
        code: &Code,
        heap: &Heap,
        object: u32,
        class: Class,
        fields: &[Value],
    ) -> Result<(), Misplaced> {
        let (tokens, bags) = (self.tokens.len() as u32, self.bags.len());
        let mut own = Vec::new();
        for value in fields {
            self.value(heap, object, *value, &mut own)?;
        }
        let tokens = tokens..self.tokens.len() as u32;
        self.objects[object as usize] = Some(Object { class, fields: fields.len() as u32, tokens });
        self.live.push(object);
        for (bag, id) in (bags..).zip(own) {
            self.elements(code, heap, bag, id)?;
        }
        Ok(())
    }

    /// Writes a value; bags are noted, whose elements are read later.
    fn value(
        &mut self,
        heap: &Heap,
        owner: u32,
        value: Value,
        own: &mut Vec<u32>,
    ) -> Result<(), Misplaced> {
        match value {
            Value::Nothing => self.tokens.push(Token::Nothing),
            Value::Number(number) => self.tokens.push(Token::Number(number)),
            Value::Reference(other) => {
                self.tokens.push(Token::Reference(other));
                self.pending.push(other);
            }
            Value::Composite(id) => {
                let composite = *heap.arena.composite(id);
                if composite.kind.is_bag() {
                    let number = own.len() as u32;
                    if let Some(open) = composite.open {
                        if open != (BagPlace { object: owner, number }) {
                            return Err(Misplaced);
                        }
                        self.open.push(open);
                    }
                    self.tokens.push(Token::Bag(self.bags.len() as u32));
                    let kind = composite.kind;
                    self.bags.push(Bag { kind, owner, number, members: 0..0 });
                    own.push(id);
                    return Ok(());
                }
                let parts = heap.arena.parts(id);
                self.tokens.push(Token::Composite(composite.kind, parts.len() as u32));
                for part in parts {
                    self.value(heap, owner, *part, own)?;
                }
            }
        }
        Ok(())
    }

    /// Reads the elements of a bag.
    fn elements(&mut self, code: &Code, heap: &Heap, bag: usize, id: u32) -> Result<(), Misplaced> {
        let kind = heap.arena.composite(id).kind;
        let mut members = Vec::new();
        for element in heap.arena.parts(id).chunks_exact(kind.width()) {
            if let [Value::Reference(member)] = element {
                members.push(*member);
                self.pending.push(*member);
                continue;
            }
            let object = self.objects.len() as u32;
            self.objects.push(None);
            members.push(object);
            self.add(code, heap, object, code.element_class(), element)?;
        }
        let start = self.members.len() as u32;
        self.members.extend(members);
        self.bags[bag].members = start..self.members.len() as u32;
        Ok(())
    }
}
