//! A value of the machine and one of the interpreter: whether they are the same, given who is who.

use interpret::{Identity, Value};
use machine::{Kind, Value as Word};
use program::Type;

use crate::matching::Matching;

/// A set or a map in which identities are: its elements are matched last.
#[derive(Clone)]
pub(crate) struct Bag {
    /// Each element in turn: one value, or a key and a value.
    words: Vec<Vec<Word>>,
    values: Vec<Vec<Value>>,
    of: Vec<Type>,
}

impl Matching<'_, '_> {
    /// Whether two values of a type are the same. Bags are put off.
    pub(crate) fn value(&mut self, word: Word, value: &Value, of: &Type) -> bool {
        match (word, value, of) {
            (Word::Nothing, Value::Nothing, _) => true,
            (word, value, Type::Optional(of)) => {
                let Some(value) = value.present() else { return false };
                match (word, &**of) {
                    // Where nobody reads who is in a field, the machine keeps only that there is one.
                    (Word::Number(_), Type::Handle(_) | Type::Object(_)) => true,
                    (Word::Composite(id), Type::Optional(_)) => {
                        let (kind, parts) = self.heap.composite(id);
                        let part = parts[0];
                        kind == Kind::Present && self.value(part, value, of)
                    }
                    _ => self.value(word, value, of),
                }
            }
            (Word::Number(number), Value::Int(other), _) => number == *other,
            (Word::Number(number), Value::Bool(truth), _) => number == i64::from(*truth),
            (Word::Number(number), Value::Member(_, member), _) => number == i64::from(*member),
            (Word::Reference(place), Value::Member(id, member), _) => {
                self.bind_member(place, (*id, *member))
            }
            (Word::Reference(place), Value::Process(pid), _) => {
                self.bind(place, Identity::Process(*pid))
            }
            (Word::Reference(place), Value::Object(object), _) => {
                self.bind(place, Identity::Object(*object))
            }
            (Word::Composite(id), value, of) => {
                let (kind, parts) = self.heap.composite(id);
                let parts = parts.to_vec();
                self.composite(kind, &parts, value, of)
            }
            _ => false,
        }
    }

    fn composite(&mut self, kind: Kind, parts: &[Word], value: &Value, of: &Type) -> bool {
        match (kind, value, of) {
            (Kind::Sequence, Value::Sequence(all), Type::Sequence(of, _)) => {
                self.all(parts, all, &mut std::iter::repeat(&**of))
            }
            (Kind::Set | Kind::Bag, Value::Set(all), Type::Set(of, _)) => {
                let values = all.iter().map(|value| vec![value.clone()]).collect();
                let words = parts.iter().map(|part| vec![*part]).collect();
                self.put_off(Bag { words, values, of: vec![Type::clone(of)] })
            }
            (Kind::Map | Kind::BagMap, Value::Map(all), Type::Map(keys, of, _)) => {
                let entry = |(key, value): (&Value, &Value)| vec![key.clone(), value.clone()];
                let values = all.iter().map(entry).collect();
                let words = parts.chunks_exact(2).map(<[Word]>::to_vec).collect();
                self.put_off(Bag { words, values, of: vec![Type::clone(keys), Type::clone(of)] })
            }
            (Kind::Record, Value::Record(all), Type::Record(id)) => {
                let components = &self.program().records[id.index()].components;
                self.all(parts, all, &mut components.iter().map(|named| &named.of))
            }
            (Kind::Case(case), Value::Case(other, all), Type::Variant(id)) => {
                let components = &self.program().variants[id.index()].cases[*other].components;
                case as usize == *other
                    && self.all(parts, all, &mut components.iter().map(|named| &named.of))
            }
            _ => false,
        }
    }

    fn all(
        &mut self,
        words: &[Word],
        values: &[Value],
        types: &mut dyn Iterator<Item = &Type>,
    ) -> bool {
        let mut triples = words.iter().zip(values).zip(types);
        words.len() == values.len()
            && triples.all(|((word, value), of)| self.value(*word, value, of))
    }

    /// Matches the elements of a bag, each with one that is left; of several that fit the first is taken.
    pub(crate) fn bag(&mut self, bag: &Bag) -> bool {
        let Bag { words, values, of } = bag;
        let mut left: Vec<&Vec<Value>> = values.iter().collect();
        let mut is_right = words.len() == values.len();
        for words in words {
            let found = left.iter().position(|values| {
                let mut tried = self.clone();
                let is_it = tried.all(words, values, &mut of.iter());
                if is_it {
                    *self = tried;
                }
                is_it
            });
            match found {
                Some(at) => _ = left.remove(at),
                None => is_right = false,
            }
        }
        is_right
    }
}
