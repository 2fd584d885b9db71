//! What a program that was translated calls its objects: by the variables that refer to them when they are made.
//!
//! A global variable comes first, then a variable of who makes the object, then any other, and then a field of another
//! object, by the name of that one: `done`, `a.mu`, `forks[1]`. To find it the tokens of the state are looked through
//! once for each object that is made.

use std::sync::Arc;

use net::Net;
use net::listing::{Field, Listed, Words};
use state::{Pid, State, Value};

use crate::words::kind;

/// Names are put together from at most this many fields.
const LONGEST_WAY: usize = 5;

/// Where variables are that may refer to objects, and what types are called.
pub(super) struct Naming {
    words: Words,
    places: Vec<(Arc<str>, Listed)>,
}

impl Naming {
    /// Of a net that was made of a program that was translated.
    pub fn of(net: &Net) -> Option<Arc<Naming>> {
        let listing = net.listing.as_deref()?;
        let words = listing.words.clone()?;
        let places = listing.places.iter();
        let places = places.map(|(id, listed)| (net.place(*id).name.clone(), listed.clone()));
        Some(Arc::new(Naming { words, places: places.collect() }))
    }

    /// What the type of an object is called.
    pub fn kind<'s>(&'s self, class: &'s str) -> &'s str {
        let class = kind(class);
        self.words.names.get(class).map_or(class, String::as_str)
    }

    /// What an object of a state is called, given who has made it, and what others are called that have been there before.
    pub fn name(
        &self,
        state: &State,
        object: &Value,
        maker: Option<&Pid>,
        known: &dyn Fn(&Value) -> Option<String>,
    ) -> Option<String> {
        self.way(state, object, maker, known, LONGEST_WAY)
    }

    fn way(
        &self,
        state: &State,
        object: &Value,
        maker: Option<&Pid>,
        known: &dyn Fn(&Value) -> Option<String>,
        longest: usize,
    ) -> Option<String> {
        let longest = longest.checked_sub(1)?;
        if let Some(name) = known(object) {
            return Some(name);
        }
        // By how good they are, and how long.
        let mut best: Option<(usize, usize, String)> = None;
        let mut owners: Vec<(Value, String)> = Vec::new();
        for (place, listed) in &self.places {
            let (fields, rank): (&[Field], _) = match listed {
                Listed::Global(field) => (std::slice::from_ref(field), 0),
                Listed::Point { variables, .. } => (&variables[..], 3),
                Listed::Frame { variables, .. } => (&variables[..], 2),
                Listed::Object { fields, .. } => (&fields[..], 4),
                Listed::Ended | Listed::Result(_) => continue,
            };
            for (token, _) in state.tokens(place) {
                if !token.contains(object) {
                    continue;
                }
                let is_maker = maker.is_some() && token.first().and_then(Value::as_pid) == maker;
                let rank = if rank == 3 && is_maker { 1 } else { rank };
                let fields = fields.iter().filter(|field| !field.is_hidden());
                let ways = fields.flat_map(|field| field.scalars(token));
                for (way, _) in ways.filter(|(_, value)| *value == object) {
                    if rank == 4 {
                        owners.push((token[0].clone(), way));
                    } else if best
                        .as_ref()
                        .is_none_or(|(old, length, _)| (rank, way.len()) < (*old, *length))
                    {
                        best = Some((rank, way.len(), way));
                    }
                }
            }
        }
        if let Some((.., way)) = best {
            return Some(way);
        }
        let others = owners.iter().filter(|(owner, _)| owner != object);
        let mut named = others.filter_map(|(owner, field)| {
            let owner = self.way(state, owner, maker, known, longest)?;
            Some(joined(&owner, field))
        });
        named.next()
    }
}

/// A field of what has a name: `a.mu`, `forks[1]`; what is all that there is in a variable has its name.
fn joined(owner: &str, field: &str) -> String {
    match field {
        "" => owner.to_owned(),
        _ if field.starts_with('[') => format!("{owner}{field}"),
        _ => format!("{owner}.{field}"),
    }
}
