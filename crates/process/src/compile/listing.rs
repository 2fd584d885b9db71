//! How the net is told in the words of the program.

use std::ops::Range;

use net::listing::{Chosen, Field, Line, Listed, Listing, Shape};
use net::{Literal, Net, TransitionId};
use state::Value;

use super::Compiler;
use crate::layout::{Collection, room};
use crate::path::Choice;
use program::graph::{Graph, Site, StopId};
use program::live::Locals;
use program::{Named, Type};

impl Compiler<'_> {
    /// What places and transitions stand for.
    pub(super) fn listing(&self, net: &Net) -> Listing {
        let mut listing = Listing::default();
        let statement = |t: &net::Transition| self.program.written(t.origin);
        listing.statements = net.transitions.iter().map(statement).collect();
        let partner = |(transition, origin): &(TransitionId, net::Origin)| {
            Some((transition.index(), self.program.written(*origin)?))
        };
        listing.partners = self.partners.borrow().iter().filter_map(partner).collect();
        let races = self.races.borrow();
        listing.races = races.iter().map(|(id, race)| (id.index(), race.clone())).collect();
        let wrong = self.wrong.borrow();
        listing.wrong = wrong.iter().map(|(id, value)| (id.index(), value.clone())).collect();
        for (id, choices) in &*self.choices.borrow() {
            let chosen: Vec<Chosen> = choices.iter().filter_map(|one| self.chosen(one)).collect();
            if !chosen.is_empty() {
                listing.choices.insert(id.index(), chosen);
            }
        }
        for (global, place) in self.program.globals.iter().zip(&self.places.globals) {
            let field = self.fields(0, [&global.variable]).remove(0);
            listing.places.insert(*place, Listed::Global(field));
        }
        for (object, place) in self.program.objects.iter().zip(&self.places.objects) {
            let fields = self.fields(1, object.fields.iter().map(|field| &field.variable));
            let name = object.name.clone();
            listing.places.insert(*place, Listed::Object { name, fields });
        }
        for (id, stop) in self.runner.routines.stops() {
            let label = stop.label(self.program).map(|(_, label)| label.to_owned());
            let line = self.program.written(stop.origin).unwrap_or_default();
            listing.places.insert(self.places.stops[&id], self.point(id, label, line));
        }
        for site in self.runner.routines.calls() {
            listing.places.insert(self.places.frames[&site], self.frame(site));
        }
        listing.places.insert(self.places.ended, Listed::Ended);
        for (process, place) in &self.places.results {
            let result = self.program.processes[process.index()].result.clone();
            let of = Type::Optional(Box::new(result.expect("it has a place for results")));
            let origin = net::Origin::default();
            let named = Named { name: "result".into(), of, origin };
            let field = self.fields(1, [&named]).remove(0);
            listing.places.insert(*place, Listed::Result(field));
        }
        listing
    }

    /// What is chosen, unless it is a concern of the prelude, or of a variable without a name.
    fn chosen(&self, choice: &Choice) -> Option<Chosen> {
        let is_own = |origin: net::Origin| {
            let start = self.program.prelude.unwrap_or(usize::MAX);
            origin.range().is_some_and(|range| range.start < start)
        };
        match choice {
            Choice::Branch(number, way) if is_own(way.origin) => {
                let first = self.program.written(way.origin).filter(|_| !way.is_empty);
                Some(Chosen::Branch { number: *number, first })
            }
            Choice::Value(named, row) if is_own(named.origin) => {
                let field = self.fields(0, [named]).remove(0);
                (!field.is_hidden()).then(|| Chosen::Value { field, value: row.clone() })
            }
            _ => None,
        }
    }

    fn point(&self, (routine, at): StopId, label: Option<String>, line: Line) -> Listed {
        let graph = self.runner.routines.graph(routine);
        let live = self.runner.routines.live(routine).at(at);
        let is_function = routine.is_called();
        let mut variables = self.variables(1 + usize::from(is_function), graph, live);
        let own = variables.iter_mut().filter(|field| line.in_prelude && field.name == "this");
        own.for_each(|field| field.name.insert(0, '$'));
        let process = self.program.processes[routine.process().index()].name.clone();
        let routine = routine.of(self.program).name.clone();
        Listed::Point { process, routine, is_function, label, line, variables }
    }

    fn frame(&self, site: Site) -> Listed {
        let graph = self.runner.routines.graph(site.0);
        let is_function = site.0.is_called();
        let first = 1 + usize::from(is_function);
        let variables = self.variables(first, graph, &self.runner.kept(site));
        let origin = graph.local.get(&site.1).map(|local| local.origin).unwrap_or_default();
        let line = self.program.written(origin).unwrap_or_default();
        let routine = site.0.of(self.program).name.clone();
        Listed::Frame { routine, is_function, line, variables }
    }

    fn variables(&self, first: usize, graph: &Graph, locals: &Locals) -> Vec<Field> {
        let named = || locals.iter().map(|local| &graph.locals[local.index()]);
        let mut fields = self.fields(first, named());
        // Those of functions of the prelude are nobody's concern.
        let start = self.program.prelude.unwrap_or(usize::MAX);
        for (field, named) in fields.iter_mut().zip(named()) {
            if named.origin.range().is_some_and(|range| range.start >= start) {
                field.name.insert(0, '$');
            }
        }
        fields
    }

    fn fields<'n>(&self, first: usize, named: impl IntoIterator<Item = &'n Named>) -> Vec<Field> {
        let named = named.into_iter().map(|named| (named, &named.of));
        let columns = self.columns(first, named).into_iter();
        let field = |(named, columns): (&Named, Range<usize>)| Field {
            name: named.name.clone(),
            columns,
            shape: self.shape(&named.of),
        };
        columns.map(field).collect()
    }

    /// The columns of values one after the other.
    pub(super) fn columns<'t, T>(
        &self,
        first: usize,
        types: impl IntoIterator<Item = (T, &'t Type)>,
    ) -> Vec<(T, Range<usize>)> {
        let mut column = first;
        let columns = types.into_iter().map(|(what, of)| {
            let start = column;
            column += self.runner.layout.width(of);
            (what, start..column)
        });
        columns.collect()
    }

    fn shape(&self, of: &Type) -> Shape {
        let layout = &self.runner.layout;
        let components = |all: &[Named]| {
            let component = |one: &Named| (one.name.clone(), self.shape(&one.of));
            all.iter().map(component).collect()
        };
        match of {
            _ if layout.sort(of).is_some() => Shape::Scalar,
            Type::Optional(inner) if layout.sort(inner).is_some() => Shape::Scalar,
            Type::Optional(inner) => Shape::Optional(Box::new(self.shape(inner))),
            Type::Record(id) => {
                Shape::Record(components(&self.program.records[id.index()].components))
            }
            Type::Variant(id) => {
                let cases = self.program.variants[id.index()].cases.iter();
                let case =
                    |case: &program::Record| (case.name.clone(), components(&case.components));
                Shape::Variant(cases.map(case).collect())
            }
            Type::Sequence(element, most) => {
                Shape::List(vec![self.shape(element); room(*most) as usize])
            }
            Type::Set(key, _) | Type::Map(key, ..) => {
                let value = match of {
                    Type::Map(_, value, _) => Some(self.shape(value)),
                    _ => None,
                };
                match layout.collection(of) {
                    Collection::Keyed { keys, .. } => {
                        let keys = keys.into_iter().map(|key| self.value(key)).collect();
                        Shape::Keyed(keys, value.map(Box::new))
                    }
                    Collection::Sequence { .. } => unreachable!("a set or a map"),
                    Collection::Listed { capacity, .. } => {
                        let key = self.shape(key);
                        let entry = match value {
                            Some(value) => {
                                Shape::Record(vec![("key".into(), key), ("value".into(), value)])
                            }
                            None => key,
                        };
                        Shape::List(vec![entry; capacity])
                    }
                }
            }
            _ => unreachable!("a scalar"),
        }
    }

    fn value(&self, literal: Literal) -> Value {
        match literal {
            Literal::Int(number) => Value::Int(number),
            Literal::Bool(truth) => Value::Bool(truth),
            Literal::Enum(id, member) => {
                Value::Enum(self.runner.layout.net.member(id, member).clone())
            }
            Literal::None(_) => Value::None,
        }
    }
}
