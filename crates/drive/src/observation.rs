//! What is seen of a real object, in the terms of the places of its model.

use std::collections::BTreeMap;
use std::fmt::Debug;

use crate::{Identities, Mismatch, State, Value};

/// A value as the object has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen<I> {
    /// Somebody.
    Who(I),
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A member of an enumeration or of a class.
    Name(String),
    /// No one, or nothing.
    None,
}

/// What is seen of an object: for some places of the model, all tokens that there should be. What is not mentioned is not
/// compared.
#[derive(Clone, Debug)]
pub struct Observation<I> {
    places: BTreeMap<String, Vec<Vec<Seen<I>>>>,
}

impl<I> Default for Observation<I> {
    fn default() -> Self {
        Observation { places: BTreeMap::new() }
    }
}

impl<I> Observation<I> {
    /// Nothing is seen.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These tokens and no others are in a place, in any order.
    #[must_use]
    pub fn place(mut self, name: &str, tokens: impl IntoIterator<Item = Vec<Seen<I>>>) -> Self {
        self.places.entry(name.to_owned()).or_default().extend(tokens);
        self
    }
}

impl<I: PartialEq + Debug> Observation<I> {
    /// The first place in which something else is seen than the model has.
    pub(crate) fn compare(&self, state: &State, who: &Identities<I>) -> Result<(), Mismatch> {
        for (place, tokens) in &self.places {
            let mut expected = state.place(place).to_vec();
            let seen = tokens.iter().map(|token| named(token, who)).collect::<Result<_, _>>();
            let mut seen: Vec<Vec<Value>> = seen.map_err(|stranger: String| Mismatch {
                expected: contents(place, &expected),
                seen: format!("in `{place}`: {stranger}, whom the model does not know"),
            })?;
            expected.sort();
            seen.sort();
            if expected != seen {
                let [expected, seen] = [expected, seen].map(|tokens| contents(place, &tokens));
                return Err(Mismatch { expected, seen });
            }
        }
        Ok(())
    }
}

/// A token as the model would call it; or somebody in it who has no name there.
fn named<I: PartialEq + Debug>(
    token: &[Seen<I>],
    who: &Identities<I>,
) -> Result<Vec<Value>, String> {
    let value = |seen: &Seen<I>| match seen {
        Seen::Who(real) => who.name_of(real).cloned().ok_or_else(|| format!("{real:?}")),
        Seen::Int(number) => Ok(Value::Int(*number)),
        Seen::Bool(truth) => Ok(Value::Bool(*truth)),
        Seen::Name(name) => Ok(Value::Name(name.clone())),
        Seen::None => Ok(Value::None),
    };
    token.iter().map(value).collect()
}

fn contents(place: &str, tokens: &[Vec<Value>]) -> String {
    let text = |token: &Vec<Value>| {
        let values: Vec<String> = token.iter().map(Value::to_string).collect();
        format!("{place}({})", values.join(", "))
    };
    match tokens {
        [] => format!("nothing in `{place}`"),
        _ => tokens.iter().map(text).collect::<Vec<_>>().join(", "),
    }
}
