//! A state of a program in words: threads, global variables, objects.

use interpret::{Address, Location, Pid, Value};
use program::{GlobalId, Named, Program, Type};

use super::Teller;
use super::moment::{Moment, Standing};
use super::names::Names;
use super::values::Values;
use crate::told::{Contents, ToldCall, ToldGlobal, ToldObject, ToldThread, ToldVariable};
use crate::words::equation;

/// A state as it is told.
#[derive(Clone, Copy)]
pub(super) struct Scene<'s, 'r, 'p> {
    pub teller: &'s Teller<'p>,
    pub moment: &'s Moment<'r, 'p>,
    pub names: &'s Names,
}

impl<'s, 'r, 'p> Scene<'s, 'r, 'p> {
    pub fn program(self) -> &'p Program {
        self.teller.program()
    }

    pub fn values(self) -> Values<'s> {
        Values { program: self.program(), names: self.names }
    }

    pub fn value(self, value: &Value, of: &Type) -> String {
        self.values().text(value, of)
    }

    /// `worker 1.2`; of a thread that has ended, `1.2`.
    pub fn name(self, pid: Pid) -> String {
        match self.moment.standing(pid) {
            Some(standing) => format!("{} {}", standing.process, self.names.pid(pid)),
            None => self.names.pid(pid).to_string(),
        }
    }

    /// The variables of a thread, each with the number of calls around it, and their values.
    pub fn variables(self, standing: &Standing<'r, 'p>) -> Vec<((usize, &'p str), String)> {
        let said = standing.variables.iter().map(|(depth, named, value)| {
            ((*depth, named.name.as_str()), self.value(value, &named.of))
        });
        said.collect()
    }

    /// The fields of an object that were written by somebody, and their values.
    pub fn fields(self, object: Address) -> Vec<(&'p str, String)> {
        let object = &self.moment.state.objects[object.index()];
        let fields = &self.program().objects[object.of.index()].fields;
        let seen = fields.iter().zip(&object.fields);
        let seen = seen.filter(|(field, _)| !field.variable.name.starts_with('$'));
        let said = seen.map(|(field, value)| {
            (field.variable.name.as_str(), self.value(value, &field.variable.of))
        });
        said.collect()
    }

    /// The value of a global variable.
    pub fn global(self, id: GlobalId) -> String {
        let of = &self.program().globals[id.index()].variable.of;
        self.value(self.moment.state.global(id), of)
    }

    /// Whether a global variable was made by nobody but the compiler.
    pub fn is_hidden(self, id: GlobalId) -> bool {
        self.program().globals[id.index()].variable.name.starts_with('$')
    }

    /// Whether a global variable is no more than the name of an object.
    pub fn is_name(self, id: GlobalId) -> bool {
        let value = self.moment.state.global(id).present();
        let Some(Value::Object(object)) = value else { return false };
        self.references(*object).len() == 1
    }

    /// `mutex 1 (lock)`: an object, with the global variable that refers to it if there is exactly one.
    pub fn object(self, object: Address) -> String {
        let name = self.names.object(object);
        match self.way_to(object) {
            Some(way) => format!("{name} ({way})"),
            None => name,
        }
    }

    /// The same, or else by the variable of a thread that refers to it.
    pub fn object_of(self, object: Address, pid: Pid) -> String {
        let name = self.object(object);
        match self.own_way_to(object, pid) {
            Some(way) if name == self.names.object(object) => format!("{name} ({way})"),
            _ => name,
        }
    }

    /// `` `lock` ``, or `mutex 1` where no one variable leads to it: the same in short.
    pub fn short_object(self, object: Address, pid: Pid) -> String {
        let way = self.way_to(object).or_else(|| self.own_way_to(object, pid));
        way.map_or_else(|| self.names.object(object), |way| format!("`{way}`"))
    }

    /// The variable of a thread that refers to an object, if there is one.
    fn own_way_to(self, object: Address, pid: Pid) -> Option<String> {
        let standing = self.moment.standing(pid)?;
        let innermost = standing.routines.len() - 1;
        let mut ways = Vec::new();
        for (depth, named, value) in &standing.variables {
            if *depth == innermost {
                self.values().ways((named.name.clone(), value, &named.of), object, &mut ways);
            }
        }
        <[String; 1]>::try_from(ways).ok().map(|[only]| only)
    }

    /// How an object is referred to, if in one way only: by a global variable, or by a field of another object.
    fn way_to(self, object: Address) -> Option<String> {
        let globals = self.references(object);
        if !globals.is_empty() {
            return <[String; 1]>::try_from(globals).ok().map(|[only]| only);
        }
        let mut ways = Vec::new();
        for owner in &self.moment.objects {
            let holder = &self.moment.state.objects[owner.index()];
            let fields = &self.program().objects[holder.of.index()].fields;
            let mut here = Vec::new();
            for (field, value) in fields.iter().zip(&holder.fields) {
                let way = (field.variable.name.clone(), value, &field.variable.of);
                self.values().ways(way, object, &mut here);
            }
            ways.extend(here.into_iter().map(|way| (*owner, way)));
        }
        let [(owner, field)] = &ways[..] else { return None };
        match &self.references(*owner)[..] {
            [only] => Some(format!("{only}.{field}")),
            _ => Some(format!("{field} of {}", self.names.object(*owner))),
        }
    }

    /// The global variables that refer to an object: `lock`, `forks[1]`.
    fn references(self, object: Address) -> Vec<String> {
        let mut found = Vec::new();
        for (global, value) in self.program().globals.iter().zip(&self.moment.state.globals) {
            let named = &global.variable;
            self.values().ways((named.name.clone(), value, &named.of), object, &mut found);
        }
        found
    }

    /// The value of a variable or a field.
    pub fn value_at(self, location: Location) -> Option<&'r Value> {
        match location {
            Location::Global(id) => Some(self.moment.state.global(id)),
            Location::Field(object, field) => Some(self.moment.state.field(object, field)),
            Location::Object(_) | Location::End(_) => None,
        }
    }

    /// The name and the type of a variable or a field.
    fn variable(self, location: Location) -> Option<&'p Named> {
        match location {
            Location::Global(id) => Some(&self.program().globals[id.index()].variable),
            Location::Field(object, field) => {
                let of = self.moment.state.objects[object.index()].of;
                Some(&self.program().objects[of.index()].fields[field.index()].variable)
            }
            Location::Object(_) | Location::End(_) => None,
        }
    }

    /// The name of a field.
    pub fn field_name(self, location: Location) -> Option<&'p str> {
        let is_field = matches!(location, Location::Field(..));
        self.variable(location).filter(|_| is_field).map(|named| named.name.as_str())
    }

    /// Whether it is said of what is read there: variables of the compiler's own are nobody's concern.
    pub fn is_told(self, location: Location) -> bool {
        self.variable(location).is_none_or(|named| !named.name.starts_with('$'))
    }

    /// `holder = 1.2`.
    pub fn location(self, location: Location) -> String {
        let named = self.variable(location).zip(self.value_at(location));
        named.map_or_else(String::new, |(named, value)| {
            equation(&named.name, &self.value(value, &named.of))
        })
    }

    /// `n`, `items of channel 1 (c)`: what is accessed, and the variable or the object.
    pub fn location_names(self, location: Location) -> [String; 2] {
        let name = self.variable(location).map(|named| named.name.clone()).unwrap_or_default();
        match location {
            Location::Field(object, _) => {
                [format!("{name} of {}", self.object(object)), self.names.object(object)]
            }
            Location::Global(_) | Location::Object(_) | Location::End(_) => [name.clone(), name],
        }
    }

    /// The objects that can be reached, in the order in which they are told: by their types and numbers.
    pub fn objects(self) -> Vec<Address> {
        let mut all: Vec<Address> = self.moment.objects.iter().copied().collect();
        let state = self.moment.state;
        all.sort_by_key(|object| (state.objects[object.index()].of, self.names.number(*object)));
        all
    }

    /// The threads that run, in the order of their names.
    pub fn threads(self) -> Vec<&'s Standing<'r, 'p>> {
        let mut all: Vec<&Standing> = self.moment.standings.iter().collect();
        all.sort_by_key(|standing| self.names.pid(standing.pid));
        all
    }

    /// The global variables that are told: those that are no more than names are not.
    pub fn globals(self) -> impl Iterator<Item = GlobalId> {
        let all = (0..self.program().globals.len() as u32).map(GlobalId);
        all.filter(move |id| !self.is_hidden(*id) && !self.is_name(*id))
    }

    /// A thread and where it is.
    pub fn thread(self, standing: &Standing<'r, 'p>) -> ToldThread {
        let (line, column) = standing.position().unzip();
        let calls = standing.calls();
        let variables = self.variables(standing).into_iter();
        ToldThread {
            pid: self.names.pid(standing.pid).clone(),
            name: self.name(standing.pid),
            process: Some(standing.process.to_owned()),
            routine: Some(standing.routines[0].to_owned()),
            at: standing.text(),
            line,
            column,
            label: standing.label.map(str::to_owned),
            calls: calls
                .map(|(routine, line)| ToldCall { routine: routine.to_owned(), line })
                .collect(),
            variables: variables
                .map(|((_, name), value)| ToldVariable { name: name.to_owned(), value })
                .collect(),
            changed: false,
        }
    }

    /// What there is in the state, and what of it was not there before.
    pub fn contents(self, before: Option<&Moment>) -> Contents {
        let mut contents = Contents::default();
        for standing in self.threads() {
            let then = |before: &Moment| {
                before.standing(standing.pid).is_some_and(|old| old.is_as(standing))
            };
            let changed = before.is_some_and(|before| !then(before));
            contents.threads.push(ToldThread { changed, ..self.thread(standing) });
        }
        let state = self.moment.state;
        for id in self.globals() {
            let changed = before.is_some_and(|before| before.state.global(id) != state.global(id));
            let name = self.program().globals[id.index()].variable.name.clone();
            contents.globals.push(ToldGlobal { name, value: self.global(id), changed });
        }
        for object in self.objects() {
            let as_before = |before: &Moment| {
                before.objects.contains(&object)
                    && before.state.objects[object.index()] == state.objects[object.index()]
            };
            let changed = before.is_some_and(|before| !as_before(before));
            let of = state.objects[object.index()].of;
            let of = self.program().objects[of.index()].name.clone();
            let fields = self.fields(object).into_iter();
            let fields =
                fields.map(|(name, value)| ToldVariable { name: name.to_owned(), value }).collect();
            contents.objects.push(ToldObject { name: self.object(object), of, fields, changed });
        }
        contents
    }
}
