//! Values of programs, as they are said.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use interpret::{Address, Value};
use program::{Named, Program, Type};

use super::names::Names;

/// What is needed to say a value: its type, and who is who.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub program: &'a Program,
    pub names: &'a Names,
}

impl Values<'_> {
    /// `3`, `1.2`, `mutex 1`, `[1, 2]`: a value of a type.
    pub fn text(self, value: &Value, of: &Type) -> String {
        let all = |values: &mut dyn Iterator<Item = &Value>, of: &Type| {
            values.map(|value| self.text(value, of)).collect::<Vec<_>>().join(", ")
        };
        match (value, of) {
            (Value::Nothing, _) => "none".to_owned(),
            (Value::Some(value), Type::Optional(of)) => self.text(value, of),
            (value, Type::Optional(of)) => self.text(value, of),
            (Value::Int(number), _) => number.to_string(),
            (Value::Bool(truth), _) => truth.to_string(),
            (Value::Member(_, member), Type::Member(id)) => {
                let members = &self.program.enumerations[id.index()].members;
                members[*member as usize].to_string()
            }
            (Value::Process(pid), _) => self.names.pid(*pid).to_string(),
            (Value::Object(object), _) => self.names.object(*object),
            (Value::Sequence(values), Type::Sequence(of, _)) => {
                format!("[{}]", all(&mut values.iter(), of))
            }
            (Value::Set(values), Type::Set(of, _)) => {
                let mut values: Vec<&Value> = values.iter().collect();
                values.sort_by(|a, b| self.compare(a, b));
                format!("[{}]", all(&mut values.into_iter(), of))
            }
            (Value::Map(values), Type::Map(keys, of, _)) => {
                let entry = |(key, value): (&Value, &Value)| {
                    format!("{}: {}", self.text(key, keys), self.text(value, of))
                };
                let entries: Vec<String> = self.entries(values).into_iter().map(entry).collect();
                format!("[{}]", entries.join(", "))
            }
            (Value::Record(values), Type::Record(id)) => {
                let components = &self.program.records[id.index()].components;
                format!("({})", self.components(values, components))
            }
            (Value::Case(case, values), Type::Variant(id)) => {
                let case = &self.program.variants[id.index()].cases[*case];
                let inside = self.components(values, &case.components);
                match (case.name.is_empty(), values.is_empty()) {
                    (true, _) => inside,
                    (false, true) => case.name.clone(),
                    (false, false) => format!("{}({inside})", case.name),
                }
            }
            (value, of) => unreachable!("{value:?} is no value of {of:?}"),
        }
    }

    fn components(self, values: &[Value], components: &[Named]) -> String {
        let component = |(value, named): (&Value, &Named)| {
            let colon = if named.name.is_empty() { "" } else { ": " };
            format!("{}{colon}{}", named.name, self.text(value, &named.of))
        };
        let texts: Vec<String> = values.iter().zip(components).map(component).collect();
        texts.join(", ")
    }

    /// The entries of a map, in their order.
    fn entries(self, map: &BTreeMap<Value, Value>) -> Vec<(&Value, &Value)> {
        let mut entries: Vec<(&Value, &Value)> = map.iter().collect();
        entries.sort_by(|(a, _), (b, _)| self.compare(a, b));
        entries
    }

    /// The order of values in collections that have none: threads and objects come in that of their names.
    fn compare(self, a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Value::Process(a), Value::Process(b)) => self.names.pid(*a).cmp(self.names.pid(*b)),
            (Value::Object(a), Value::Object(b)) => {
                self.names.number(*a).cmp(&self.names.number(*b))
            }
            (Value::Some(a), Value::Some(b)) => self.compare(a, b),
            (Value::Record(a), Value::Record(b)) => {
                let mut orders = a.iter().zip(b).map(|(a, b)| self.compare(a, b));
                orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            }
            (a, b) => a.cmp(b),
        }
    }

    /// The ways by which a variable refers to an object: `lock`, `forks[1]`, `pair.left`.
    pub fn ways(
        self,
        (name, value, of): (String, &Value, &Type),
        object: Address,
        found: &mut Vec<String>,
    ) {
        let mut go_on = |way: String, value: &Value, of: &Type| {
            self.ways((way, value, of), object, found);
        };
        match (value, of) {
            (Value::Object(other), _) if *other == object => found.push(name),
            (Value::Some(value), Type::Optional(of)) => go_on(name, value, of),
            (value, Type::Optional(of)) => go_on(name, value, of),
            (Value::Sequence(values), Type::Sequence(of, _)) => {
                for (at, value) in values.iter().enumerate() {
                    go_on(format!("{name}[{at}]"), value, of);
                }
            }
            (Value::Set(values), Type::Set(of, _)) => {
                let mut values: Vec<&Value> = values.iter().collect();
                values.sort_by(|a, b| self.compare(a, b));
                for (at, value) in values.into_iter().enumerate() {
                    go_on(format!("{name}[{at}]"), value, of);
                }
            }
            (Value::Map(values), Type::Map(keys, of, _)) => {
                for (key, value) in self.entries(values) {
                    go_on(format!("{name}[{}]", self.text(key, keys)), value, of);
                }
            }
            (Value::Record(values), Type::Record(id)) => {
                let components = &self.program.records[id.index()].components;
                for (value, named) in values.iter().zip(components) {
                    go_on(member(&name, &named.name), value, &named.of);
                }
            }
            (Value::Case(case, values), Type::Variant(id)) => {
                let case = &self.program.variants[id.index()].cases[*case];
                for (value, named) in values.iter().zip(&case.components) {
                    go_on(member(&name, &named.name), value, &named.of);
                }
            }
            _ => {}
        }
    }
}

/// The way to a component; one without a name is the only one.
fn member(way: &str, name: &str) -> String {
    if name.is_empty() { way.to_owned() } else { format!("{way}.{name}") }
}
